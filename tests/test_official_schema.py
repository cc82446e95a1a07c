"""What is written validates against the official schema, of which an edition for indexes and a lax one are derived."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import urlset
from tests.conformance.cases import cases
from tests.conftest import PROJECT
from tests.test_write_then_read import SCHEMA, typed
from urlset import _core

OFFICIAL = PROJECT / "node_modules" / "sitemap" / "schema" / "sitemap.xsd"
SHA256 = "fbec77e84467050d5667394a57cc5cdfe1239d80aca1d61e9e0827173c3d9df9"
CORE = {"loc", "lastmod", "lastmod_form", "changefreq", "priority"}


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The official schema, and what is derived from it: `lax` lets extensions be, `index` is that of indexes."""
    if not shutil.which("xmllint"):
        pytest.skip("xmllint is missing: apt-get install libxml2-utils")
    if not OFFICIAL.is_file():
        pytest.skip("the official schema is missing: make npm")
    text = OFFICIAL.read_bytes()
    assert hashlib.sha256(text).hexdigest() == SHA256, "the package brought another schema than the one reviewed"
    strict = text.decode()
    index = strict.replace('name="urlset"', 'name="sitemapindex"').replace(
        '<xsd:element name="url"', '<xsd:element name="sitemap"'
    )
    for gone in ("changefreq", "priority"):
        start = index.index(f'<xsd:element name="{gone}"')
        index = index[:start] + index[index.index("/>", start) + 2 :]
    folder = tmp_path_factory.mktemp("schemas")
    made = {
        "strict": strict,
        "lax": strict.replace('processContents="strict"', 'processContents="lax"'),
        "index": index,
    }
    for name, content in made.items():
        (folder / f"{name}.xsd").write_text(content, encoding="utf-8")
    return {name: folder / f"{name}.xsd" for name in made}


def faults(schema: Path, files: list[Path]) -> list[str]:
    """What the validator says of files that are not valid."""
    told = subprocess.run(
        ["xmllint", "--noout", "--schema", schema, *files], capture_output=True, text=True, check=False
    )
    return [line for line in told.stderr.splitlines() if not line.endswith(" validates")]


def written(rows: Any, folder: Path, **options: Any) -> list[Path]:
    """Files of rows, however many."""
    shards: list[_core.Shard] = []
    writer = _core.Writer(base="https://a.example/", gzip=False, allow_offsite=True, skip=True, **options)
    writer.run(rows, shards.append)
    paths = []
    for number, shard in enumerate(shards):
        paths.append(folder / f"{number}.xml")
        paths[-1].write_bytes(bytes(shard.data))
    return paths


def is_schematic(row: dict[str, Any]) -> bool:
    """Whether a row keeps to the part of the protocol that its schema knows: dates in full, 12 characters of loc."""
    form = str(row.get("lastmod_form", "date"))
    port_is_empty = row["loc"] == "https://a.example:/"  # legal by the RFC, refused by the validator
    return form.startswith(("date", "seconds")) and len(row["loc"]) >= 12 and not port_is_empty


def test_the_derived_schemas_tell_good_from_bad(schemas: dict[str, Path], tmp_path: Path) -> None:
    root = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    loc = "<loc>https://a.example/</loc>"
    for schema, content, valid in [
        ("strict", f"<urlset {root}><url>{loc}</url></urlset>", True),
        ("strict", f'<urlset {root}><url>{loc}<x xmlns="urn:x"/></url></urlset>', False),
        ("lax", f'<urlset {root}><url>{loc}<x xmlns="urn:x"/></url></urlset>', True),
        ("lax", f"<urlset {root}><url>{loc}<priority>2</priority></url></urlset>", False),
        ("index", f"<sitemapindex {root}><sitemap>{loc}<lastmod>2025-01-01</lastmod></sitemap></sitemapindex>", True),
        ("index", f"<sitemapindex {root}><sitemap>{loc}<priority>1</priority></sitemap></sitemapindex>", False),
        ("index", f"<sitemapindex {root}><sitemap/></sitemapindex>", False),
    ]:
        path = tmp_path / "file.xml"
        path.write_text(content, encoding="utf-8")
        assert (faults(schemas[schema], [path]) == []) == valid, (schema, content)


@pytest.mark.parametrize("schema", ["strict", "lax"])
def test_every_row_of_the_cases_is_valid_as_written(schemas: dict[str, Path], tmp_path: Path, schema: str) -> None:
    rows = [
        {name: typed(value, SCHEMA.field(name).type) for name, value in row.items()}
        for case in cases()
        for row in case.rows
        if is_schematic(row) and (schema == "lax" or row.keys() <= CORE)
    ]
    assert len(rows) > 300
    files = written(_core.from_rows(rows), tmp_path, max_urls=200)
    assert len(files) > 1
    assert faults(schemas[schema], files) == []


def test_a_stylesheet_changes_nothing(schemas: dict[str, Path], tmp_path: Path) -> None:
    files = written(_core.from_rows(["https://a.example/"]), tmp_path, stylesheet="/sitemap.xsl")
    assert b"xml-stylesheet" in files[0].read_bytes()
    assert faults(schemas["strict"], files) == []


def test_an_index_is_valid(schemas: dict[str, Path], tmp_path: Path) -> None:
    rows = ({"loc": f"https://a.example/{number}", "lastmod": "2025-06-07T08:09:10Z"} for number in range(5))
    urlset.write(rows, tmp_path, base="https://a.example/", max_urls=2, gzip=False)
    assert faults(schemas["index"], [tmp_path / "sitemap.xml"]) == []
    children = sorted(tmp_path.glob("sitemap-*.xml"))
    assert len(children) == 3
    assert faults(schemas["strict"], children) == []


def test_a_written_index_of_rows_is_valid(schemas: dict[str, Path], tmp_path: Path) -> None:
    index = (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://a.example/1.xml</loc>'
        "<lastmod>2025-06-07</lastmod></sitemap><sitemap><loc>https://a.example/2.xml</loc></sitemap></sitemapindex>"
    )
    files = written(urlset.read(index.encode(), follow=False), tmp_path)
    assert faults(schemas["index"], files) == []
