"""Sets of files: right, the same each time, whole at every instant, and nothing touched that is not ours."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import urlset
from urlset._publish import commit
from urlset._store import PREFIX, Folder
from urlset.errors import (
    DestinationBusy,
    GuardRefused,
    LimitExceeded,
    OptionError,
    RefusedRows,
    SchemaError,
    StoreError,
)

SHOP = "https://shop.example/"
OFF = "https://elsewhere.example/"


def pages(count: int, start: int = 0) -> list[str]:
    return [f"{SHOP}p/{number}" for number in range(start, start + count)]


def write(table: Any, to: Any, **options: Any) -> urlset.Written:
    return urlset.write(table, to, **{"base": SHOP, **options})


def text(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def locs(path: Path) -> list[str]:
    return re.findall(r"<loc>(.*?)</loc>", text(path))


def look(folder: Path) -> set[str] | None:
    """Read a set as a crawler does, from its index down; None where there is none. Fails where it is not whole."""
    index = folder / "sitemap.xml"
    if not index.exists():
        return None
    found: set[str] = set()
    assert text(index).endswith("</sitemapindex>\n")
    for loc in locs(index):
        child = folder / loc.removeprefix(SHOP)
        if "-index-" in child.name:
            found.update(*(locs(folder / inner.removeprefix(SHOP)) for inner in locs(child)))
            continue
        whole = text(child)
        assert whole.endswith("</urlset>\n"), child
        found.update(locs(child))
    return found


def state(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file with its content, and what changes when it is written again."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): (p.read_bytes(), p.stat().st_ino, p.stat().st_mtime_ns) for p in files}


def contents(folder: Path) -> dict[str, bytes]:
    return {name: data for name, (data, _, _) in state(folder).items()}


# What is written


def test_a_set(tmp_path: Path) -> None:
    rows = [{"loc": loc, "lastmod": f"2024-05-{number % 28 + 1:02}"} for number, loc in enumerate(pages(25))]
    result = write(rows, tmp_path, max_urls=10)
    assert result.urls == 25
    assert result.names == ("sitemap-00001.xml.gz", "sitemap-00002.xml.gz", "sitemap-00003.xml.gz", "sitemap.xml")
    assert result.files == 4
    assert result.bytes == sum((tmp_path / name).stat().st_size for name in result.names)
    assert result.plain_bytes == sum(len(text(tmp_path / name)) for name in result.names)
    assert (result.index, result.sitemaps) == (str(tmp_path / "sitemap.xml"), (f"{SHOP}sitemap.xml",))
    assert result.robots == str(tmp_path / "robots.txt")
    assert (result.changed, result.removed, result.skipped, result.findings) == (result.names, (), 0, ())
    assert look(tmp_path) == set(pages(25))
    assert re.findall(r"<lastmod>(.*?)</lastmod>", text(tmp_path / "sitemap.xml")) == [
        "2024-05-10",
        "2024-05-20",
        "2024-05-25",
    ]
    assert sorted(contents(tmp_path)) == sorted([*result.names, ".urlset.json", "robots.txt"])


@pytest.mark.parametrize(
    ("to", "options", "names"),
    [
        (".", {"gzip": False}, ["sitemap-00001.xml", "sitemap.xml"]),
        (".", {"text": True}, ["sitemap-00001.txt.gz", "sitemap.xml"]),
        (".", {"text": True, "gzip": False}, ["sitemap-00001.txt", "sitemap.xml"]),
        (".", {"index": "never"}, ["sitemap.xml.gz"]),
        (".", {"index": "never", "gzip": False}, ["sitemap.xml"]),
        (".", {"index": "never", "text": True}, ["sitemap.txt.gz"]),
        (".", {"index": "always"}, ["sitemap-00001.xml.gz", "sitemap.xml"]),
        (".", {"stylesheet": True, "gzip": False}, ["sitemap-00001.xml", "sitemap.xml", "sitemap.xsl"]),
        ("one.xml", {}, ["one.xml"]),
        ("one.xml.gz", {}, ["one.xml.gz"]),
        ("one.txt", {}, ["one.txt"]),
        ("ONE.TXT.GZ", {}, ["ONE.TXT.GZ"]),
        ("deep/er/one.xml", {}, ["deep/er/one.xml"]),
    ],
)
def test_forms(tmp_path: Path, to: str, options: dict[str, Any], names: list[str]) -> None:
    result = write(pages(3), tmp_path / to, **options)
    ours = {".urlset.json", "robots.txt"} if to == "." else set()
    assert set(contents(tmp_path)) - ours == set(names)
    assert result.urls == 3
    for name in names:
        data = (tmp_path / name).read_bytes()
        assert data.startswith(b"\x1f\x8b") == name.lower().endswith(".gz")
    read = urlset.read(tmp_path if to == "." else tmp_path / to)
    assert [url.loc for url in read] == pages(3)
    assert not read.findings


def test_a_file_object() -> None:
    for options in ({}, {"gzip": True}, {"text": True}):
        out = io.BytesIO()
        result = write(pages(3), out, **options)
        assert (result.to, result.urls, result.bytes) == ("-", 3, len(out.getvalue()))
        assert [url.loc for url in urlset.read(out.getvalue())] == pages(3)


def test_tables_of_other_libraries(tmp_path: Path) -> None:
    for table in (
        pa.table({"loc": pages(3)}),
        pl.DataFrame({"loc": pages(3)}),
        pa.table({"loc": pages(3)}).to_batches()[0],
    ):
        assert write(table, tmp_path / "a.xml").urls == 3
    assert write(pl.DataFrame({"loc": pages(3)}).to_pandas(), tmp_path / "a.xml").urls == 3
    assert write(urlset.read(tmp_path / "a.xml"), tmp_path / "b.xml").urls == 3
    assert write(urlset.read(tmp_path / "a.xml").collect(), tmp_path / "b.xml").urls == 3
    assert write(list(urlset.read(tmp_path / "a.xml")), tmp_path / "b.xml").urls == 3


@pytest.mark.parametrize("table", [{"loc": SHOP}, b"loc", 5, None, bytearray(b"x")])
def test_what_is_no_table(tmp_path: Path, table: object) -> None:
    with pytest.raises(SchemaError):
        write(table, tmp_path / "a")
    assert not contents(tmp_path)


def test_an_index_of_what_an_index_names(tmp_path: Path) -> None:
    write(pages(25), tmp_path / "old", max_urls=10)
    result = write(urlset.read(tmp_path / "old" / "sitemap.xml", follow=False), tmp_path / "new")
    assert result.names == ("sitemap.xml",)
    assert result.index == str(tmp_path / "new" / "sitemap.xml")
    assert text(tmp_path / "new" / "sitemap.xml") == text(tmp_path / "old" / "sitemap.xml")


def test_what_stops_a_read_comes_out_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(urlset.UrlsetError) as caught:
        write(urlset.read(f"{SHOP}\nrelative\n".encode(), strict=True), tmp_path / "a.xml")
    assert type(caught.value).__name__ == "StrictError"
    assert not contents(tmp_path)


def test_an_index_of_lists_of_addresses(tmp_path: Path) -> None:
    result = write([{"loc": loc, "priority": 0.5} for loc in pages(25)], tmp_path, max_urls=10, text=True)
    assert result.names == (*(f"sitemap-0000{n}.txt.gz" for n in (1, 2, 3)), "sitemap.xml")
    assert result.ignored_columns == ("priority",)
    assert locs(tmp_path / "sitemap.xml") == [f"{SHOP}{name}" for name in result.names[:3]]
    assert text(tmp_path / result.names[2]) == "".join(f"{loc}\n" for loc in pages(25)[20:])
    assert [url.loc for url in urlset.read(tmp_path / "sitemap.xml")] == pages(25)


@pytest.mark.parametrize(
    ("dates", "latest"),
    [
        (["2023", "2024", "2022"], "2024-01-01"),
        (["2024", "2023-12-31"], "2024-01-01"),
        (["2024", "2024-02"], "2024-02-01"),
        (["2024", "2024-01-01T00:00:00Z"], "2024-01-01T00:00:00Z"),
    ],
)
def test_the_index_dates_a_file_by_its_latest_row_in_a_form_that_is_legal(
    tmp_path: Path, dates: list[str], latest: str
) -> None:
    rows = [{"loc": loc, "lastmod": day} for loc, day in zip(pages(3), dates, strict=False)]
    write(rows, tmp_path / "texts")
    tables = [urlset.read(tmp_path / "texts" / "sitemap.xml"), rows]
    for at, table in enumerate(tables):
        write(table, tmp_path / str(at))
        assert re.findall(r"<lastmod>(.*?)</lastmod>", text(tmp_path / str(at) / "sitemap.xml")) == [latest]


def test_several_indexes_and_a_cascade(tmp_path: Path) -> None:
    result = write(pages(25), tmp_path / "flat", max_urls=2, max_children=5)
    assert result.sitemaps == tuple(
        f"{SHOP}{n}" for n in ("sitemap.xml", "sitemap-index-00002.xml", "sitemap-index-00003.xml")
    )
    robots = (tmp_path / "flat" / "robots.txt").read_text()
    assert robots == "".join(f"Sitemap: {address}\n" for address in result.sitemaps)
    result = write(pages(25), tmp_path / "nested", max_urls=2, max_children=5, nested=True)
    assert result.sitemaps == (f"{SHOP}sitemap.xml",)
    assert locs(tmp_path / "nested" / "sitemap.xml") == [f"{SHOP}sitemap-index-0000{n}.xml" for n in (1, 2, 3)]
    assert look(tmp_path / "nested") == set(pages(25))
    assert [url.loc for url in urlset.read(tmp_path / "nested" / "sitemap.xml")] == pages(25)


def test_the_style_sheet_is_named_and_there(tmp_path: Path) -> None:
    write(pages(2), tmp_path, base=f"{SHOP}maps", stylesheet=True, gzip=False)
    for name in ("sitemap-00001.xml", "sitemap.xml"):
        assert f'<?xml-stylesheet type="text/xsl" href="{SHOP}maps/sitemap.xsl"?>' in text(tmp_path / name)
    assert "xsl:stylesheet" in text(tmp_path / "sitemap.xsl")
    write(pages(2), tmp_path / "own.xml", stylesheet="/my.xsl")
    assert 'href="/my.xsl"' in text(tmp_path / "own.xml")


@pytest.mark.parametrize(
    ("to", "options", "error", "message"),
    [
        ("a", {"base": None}, OptionError, "base: base is missing; the address below which"),
        ("a", {"base": "shop.example"}, OptionError, "base"),
        ("a", {"max_urls": 0}, OptionError, "max_urls is 0, 1 to 50000 was expected"),
        ("a", {"max_urls": 50_001}, OptionError, "max_urls is 50001"),
        ("a", {"max_urls": True}, OptionError, "max_urls is True, a whole number was expected"),
        ("a", {"max_bytes": 10**20}, OptionError, "max_bytes"),
        ("a", {"max_bytes": 52_428_801}, OptionError, "max_bytes is 52428801"),
        ("a", {"level": 13}, OptionError, "level"),
        ("a", {"level": 999}, OptionError, "level"),
        ("a", {"threads": 0}, OptionError, "threads is 0, 1 to 1024 was expected"),
        ("a", {"on_error": "ignore"}, OptionError, "on_error is 'ignore', 'raise' or 'skip' was expected"),
        ("a", {"profile": "modern"}, OptionError, "profile is 'modern', None or 'classic' was expected"),
        ("a", {"index": "maybe"}, OptionError, "index is 'maybe'"),
        ("a", {"names": "hashed"}, OptionError, "names is 'hashed'"),
        ("a.xml", {"index": "always"}, OptionError, "a folder was expected"),
        ("a.xml", {"stylesheet": True}, OptionError, "a folder and a base were expected"),
        ("a", {"text": True, "stylesheet": True}, OptionError, "a text list has no style sheet"),
        ("a", {"index": "never", "max_urls": 2}, OptionError, "the rows do not fit into one file"),
        ("a.xml", {"max_urls": 2}, OptionError, "the rows do not fit into one file"),
        ("a", {"max_bytes": 100}, RefusedRows, "row is larger than the 100 bytes"),
        ("a", {"index": "never", "base": None, "robots": True}, OptionError, "robots needs the address of the set"),
    ],
)
def test_options_that_cannot_be(
    tmp_path: Path, to: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        write(pages(3), tmp_path / "out" / to, **options)
    assert not list(tmp_path.iterdir()), "not even a folder"


def test_classic(tmp_path: Path) -> None:
    with pytest.raises((RefusedRows, LimitExceeded, urlset.UrlsetError), match="lastmod"):
        write(pages(3), tmp_path, profile="classic")
    assert not contents(tmp_path)
    result = write([{"loc": loc, "lastmod": "2024"} for loc in pages(3)], tmp_path, profile="classic")
    assert "<lastmod>2024" in text(tmp_path / "sitemap.xml")
    assert result.urls == 3


@pytest.mark.parametrize("how", ["path", "file", "link"])
def test_a_table_is_not_written_over(tmp_path: Path, how: str) -> None:
    path = tmp_path / "urls.txt"
    path.write_text("".join(f"{loc}\n" for loc in pages(3)))
    (tmp_path / "link.txt").symlink_to(path)
    with path.open("rb") as file, pytest.raises(OptionError, match="the table and the destination are one file"):
        write(file if how == "file" else path, tmp_path / "link.txt" if how == "link" else path)
    assert path.read_text().split() == pages(3)
    assert write(path, tmp_path / "other.txt").urls == 3


# Rows that cannot be written


def test_nothing_changes_unless_every_row_is_good(tmp_path: Path) -> None:
    write(pages(25), tmp_path, max_urls=10)
    before = state(tmp_path)
    bad: list[Any] = [*pages(30), {"loc": OFF}, {"loc": "/relative"}, {"loc": SHOP, "priority": 7}, 5]
    with pytest.raises(RefusedRows) as caught:
        write(bad, tmp_path, max_urls=10)
    assert [finding.entry for finding in caught.value.findings] == [30, 31, 32, 33]
    assert state(tmp_path) == before
    with pytest.raises(RefusedRows):
        write(bad, tmp_path / "new" / "deep")
    assert not (tmp_path / "new").exists()


def test_rows_may_be_left_out(tmp_path: Path) -> None:
    rows: list[Any] = [*pages(5), {"loc": OFF}, 5, {"loc": SHOP, "lastmod": "never"}, *pages(5, 5)]
    result = write(rows, tmp_path, on_error="skip")
    assert (result.urls, result.skipped) == (10, 3)
    assert [(finding.entry, finding.element) for finding in result.findings] == [(5, "loc"), (6, None), (7, "lastmod")]
    assert look(tmp_path) == set(pages(10))


def test_many_refused_rows_are_counted(tmp_path: Path) -> None:
    with pytest.raises(RefusedRows) as caught:
        write([*pages(5), *(f"/{n}" for n in range(2_000))], tmp_path)
    assert sum(finding.count for finding in caught.value.findings) == 2_000
    assert len(caught.value.findings) < 200
    assert "and 1,999 more" in str(caught.value)


@pytest.mark.parametrize("to", ["set", "one.xml"])
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the table has no rows, nothing was written"),
        ([{"loc": OFF}], "all 1 rows were refused, nothing was written"),
    ],
)
def test_a_set_is_not_emptied_by_accident(tmp_path: Path, to: str, rows: list[Any], message: str) -> None:
    write(pages(25), tmp_path / to)
    before = state(tmp_path)
    with pytest.raises(GuardRefused, match=message) as caught:
        write(rows, tmp_path / to, on_error="skip")
    assert caught.value.guard == "allow_empty"
    assert state(tmp_path) == before
    assert write(rows, tmp_path / to, on_error="skip", allow_empty=True).urls == 0
    assert [url.loc for url in urlset.read(tmp_path / to)] == []


def test_other_sites(tmp_path: Path) -> None:
    assert write([OFF], tmp_path, allow_offsite=True).urls == 1
    assert write([OFF], tmp_path / "a.xml", base=None).urls == 1


# robots.txt


@pytest.mark.parametrize(
    ("base", "robots", "named"),
    [
        (SHOP, None, True),
        ("https://shop.example", None, True),
        ("HTTPS://Shop.Example/", None, True),
        (f"{SHOP}maps/", None, False),
        (SHOP, False, False),
        (f"{SHOP}maps", True, True),
    ],
)
def test_where_robots_txt_names_the_set(tmp_path: Path, base: str, robots: bool | None, named: bool) -> None:
    rows = [f"{SHOP}maps/1"]
    result = write(rows, tmp_path, base=base, robots=robots)
    assert (result.robots is not None) == named
    assert (tmp_path / "robots.txt").exists() == named
    if named:
        line = f"Sitemap: {result.sitemaps[0]}\n"
        assert (tmp_path / "robots.txt").read_text() == line
        assert result.sitemaps[0] in {f"{SHOP}sitemap.xml", f"{SHOP}maps/sitemap.xml"}


def test_robots_txt_is_updated_and_nothing_else_of_it(tmp_path: Path) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_bytes(b"User-agent: *\r\nDisallow: /cart\r\nSitemap: https://shop.example/other.xml")
    robots.chmod(0o640)
    write(pages(25), tmp_path, max_urls=2, max_children=5)
    lines = robots.read_bytes().split(b"\r\n")
    assert lines[:3] == [b"User-agent: *", b"Disallow: /cart", b"Sitemap: https://shop.example/other.xml"]
    assert len(lines) == 6
    write(pages(25), tmp_path)
    assert robots.read_bytes().split(b"\r\n")[3:] == [b"Sitemap: https://shop.example/sitemap.xml", b""], (
        "ours alone went"
    )
    assert robots.stat().st_mode & 0o777 == 0o640
    write(pages(25), tmp_path, base=f"{SHOP}p/", allow_offsite=True, robots=True)
    assert robots.read_bytes().split(b"\r\n")[3:] == [b"Sitemap: https://shop.example/p/sitemap.xml", b""]


def test_a_line_that_was_there_before_is_not_ours(tmp_path: Path) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_bytes(b"Sitemap: https://shop.example/sitemap.xml\n")
    write(pages(3), tmp_path)
    write(pages(3), tmp_path, base=f"{SHOP}p/", robots=True)
    assert robots.read_text() == f"Sitemap: {SHOP}sitemap.xml\nSitemap: {SHOP}p/sitemap.xml\n"


def test_robots_txt_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "real.txt").write_text("User-agent: *\n")
    (root / "robots.txt").symlink_to("real.txt")
    result = write(pages(3), tmp_path / "maps", base=f"{SHOP}p/", robots=root / "robots.txt")
    assert result.robots == str(root / "robots.txt")
    assert (root / "robots.txt").is_symlink()
    assert (root / "real.txt").read_text() == f"User-agent: *\nSitemap: {SHOP}p/sitemap.xml\n"
    assert {path.name for path in root.iterdir()} == {"real.txt", "robots.txt"}
    assert not (tmp_path / "maps" / "robots.txt").exists()


# A second time


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = [{"loc": loc, "lastmod": "2024-05-17T10:00:00Z", "priority": 0.5} for loc in pages(2_500)]
    ways: list[dict[str, Any]] = [{"threads": 1}, {"threads": 2}, {"threads": 5}, {"threads": None}]
    made = []
    for number, options in enumerate(ways):
        folder = tmp_path / str(number)
        write(rows if number % 2 else pa.table(pl.DataFrame(rows)), folder, max_urls=100, **options)
        made.append(contents(folder))
    assert all(files == made[0] for files in made)
    assert len(made[0]) == 28


@pytest.mark.parametrize(
    "options", [{}, {"names": "immutable"}, {"gzip": False, "stylesheet": True}, {"index": "never"}]
)
def test_a_second_write_touches_nothing(tmp_path: Path, options: dict[str, Any]) -> None:
    first = write(pages(25), tmp_path, **options)
    before = state(tmp_path)
    for _ in range(2):
        again = write(pages(25), tmp_path, **options)
        assert again.changed == again.removed == ()
        assert (again.names, again.bytes, again.robots) == (first.names, first.bytes, first.robots)
    assert state(tmp_path) == before


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    rows = pages(25)
    write(rows, tmp_path, max_urls=10)
    before = state(tmp_path)
    rows[12] += "/moved"
    result = write(rows, tmp_path, max_urls=10)
    assert result.changed == ("sitemap-00002.xml.gz",)
    after = state(tmp_path)
    assert {name for name in after if after[name] != before[name]} == {".urlset.json", "sitemap-00002.xml.gz"}
    assert write(rows, tmp_path, max_urls=10, level=9).changed == tuple(f"sitemap-0000{n}.xml.gz" for n in (1, 2, 3))


def test_damage_is_mended(tmp_path: Path) -> None:
    write(pages(25), tmp_path, max_urls=10)
    before = contents(tmp_path)
    child = tmp_path / "sitemap-00002.xml.gz"
    data = bytearray(child.read_bytes())
    data[-20] ^= 1
    child.write_bytes(data)
    (tmp_path / "sitemap-00003.xml.gz").unlink()
    result = write(pages(25), tmp_path, max_urls=10)
    assert set(result.changed) == {"sitemap-00002.xml.gz", "sitemap-00003.xml.gz"}
    assert contents(tmp_path) == before


def test_files_packed_by_another_version_are_left_alone(tmp_path: Path) -> None:
    """What counts is what is in them: a library that packs otherwise must not upload the world."""
    write(pages(25), tmp_path)
    child, manifest = tmp_path / "sitemap-00001.xml.gz", tmp_path / ".urlset.json"
    other = gzip.compress(gzip.decompress(child.read_bytes()), 1, mtime=0)
    assert other != child.read_bytes()
    child.write_bytes(other)
    assert write(pages(25), tmp_path).changed == (child.name,), "nobody knows who packed this"
    about = json.loads(manifest.read_text())
    about["files"][child.name] |= {"bytes": len(other), "stored_hash": urlset._core.content_hash(other)}
    manifest.write_text(json.dumps(about))
    child.write_bytes(other)
    assert write(pages(25), tmp_path).changed == ()
    assert child.read_bytes() == other


def test_what_is_no_longer_needed_goes_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    foreign = ["sitemap-00009.xml.gz", "index.html", "deep/sitemap-00001.xml.gz", "sitemap.xsl"]
    for name in foreign:
        (tmp_path / name).write_text("theirs")
    write(pages(25), tmp_path, max_urls=10)
    result = write(pages(5), tmp_path, max_urls=10)
    assert set(result.removed) == {"sitemap-00002.xml.gz", "sitemap-00003.xml.gz"}
    result = write(pages(5), tmp_path, gzip=False)
    assert result.removed == ("sitemap-00001.xml.gz",)
    assert set(contents(tmp_path)) == {*foreign, "sitemap-00001.xml", "sitemap.xml", "robots.txt", ".urlset.json"}
    assert all((tmp_path / name).read_text() == "theirs" for name in foreign)


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap-00002.xml.gz", "sitemap.xsl"])
def test_a_file_of_others_in_the_way(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("theirs")
    with pytest.raises(StoreError, match=f"{name} is there, and urlset did not write it; choose another folder"):
        write(pages(25), tmp_path, max_urls=10, stylesheet=True)
    assert contents(tmp_path) == {name: b"theirs"}
    write(pages(25), tmp_path, max_urls=10, stylesheet=True, force=True)
    assert look(tmp_path) == set(pages(25))
    write(pages(5), tmp_path)
    assert (tmp_path / name).exists() == (name == "sitemap.xml"), "now it is ours"


def test_the_same_file_of_others_is_no_obstacle(tmp_path: Path) -> None:
    write(pages(25), tmp_path)
    (tmp_path / ".urlset.json").unlink()
    assert write(pages(25), tmp_path).changed == ()


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").mkdir()
    with pytest.raises(StoreError):
        write(pages(25), tmp_path)
    with pytest.raises(StoreError):
        write(pages(25), tmp_path, force=True)
    assert not list((tmp_path / "sitemap.xml").iterdir())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'{"format_version": 2, "files": {}, "pending": [], "robots": {}}',
            "format_version is 2, this urlset knows 1",
        ),
        (b'{"format_version": "x"}', "format_version is 'x'"),
        (b"{}", "the list of what urlset wrote is damaged"),
        (b"[1]", "the list of what urlset wrote is damaged"),
        (b"\xff", "the list of what urlset wrote is damaged"),
        (b'{"format_version": 1, "files": {"a": {"rows": 1}}, "pending": [], "robots": {}}', "is damaged"),
        (b'{"format_version": 1, "files": [], "pending": [], "robots": {}}', "is damaged"),
        (b"[" * 100_000, "is damaged"),
    ],
)
def test_a_list_of_ours_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    manifest = tmp_path / ".urlset.json"
    manifest.write_bytes(content)
    with pytest.raises(StoreError, match=message) as caught:
        write(pages(3), tmp_path)
    assert caught.value.destination == str(manifest)
    assert contents(tmp_path) == {manifest.name: content}


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../outside", ""])
def test_a_list_of_ours_that_names_files_outside(tmp_path: Path, name: str) -> None:
    """It may have been tampered with: then it is refused, not followed."""
    folder = tmp_path / "set"
    write(pages(25), folder, max_urls=10)
    (tmp_path / "outside").write_text("theirs")
    about = json.loads((folder / ".urlset.json").read_text())
    about["files"][name] = about["files"]["sitemap.xml"]
    (folder / ".urlset.json").write_text(json.dumps(about))
    before = state(tmp_path)
    with pytest.raises((StoreError, OptionError)):
        write(pages(5), folder)
    assert state(tmp_path) == before


def test_names_that_tell_the_content(tmp_path: Path) -> None:
    def names() -> list[str]:
        return sorted(path.name for path in tmp_path.glob("sitemap-*"))

    rows = pages(25)
    write(rows, tmp_path, max_urls=10, names="immutable")
    first = names()
    assert all(re.fullmatch(r"sitemap-0000[123]-[0-9a-f]{16}\.xml\.gz", name) for name in first)
    assert look(tmp_path) == set(rows)
    ages = []
    for number in range(4):
        rows[0] = f"{SHOP}p/new-{number}"
        result = write(rows, tmp_path, max_urls=10, names="immutable")
        assert len(result.changed) == 2
        ages.append(first[0] in names())
        assert write(rows, tmp_path, max_urls=10, names="immutable").changed == (), "does not count"
        assert look(tmp_path) == set(rows)
    assert ages == [True, True, False, False], "two publishes after the last index that named it"
    assert len(names()) == 5


# At every instant


def crash_points(folder: Path, rows: Any, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Iterator[None]:
    """Write, and stop dead before each change of the folder in turn, each time from the same beginning."""

    class Killed(BaseException):
        pass

    before = contents(folder)
    for most in range(1_000):
        left = most

        def step() -> None:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1

        with monkeypatch.context() as patch:
            for method in ("place", "delete"):
                real = getattr(Folder, method)

                def stepping(self: Folder, *args: Any, real: Any = real) -> None:
                    step()
                    real(self, *args)

                patch.setattr(Folder, method, stepping)
            # A process that is killed tidies nothing up.
            patch.setattr(commit.Set, "discard", lambda _: None)
            try:
                write(rows, folder, **options)
            except Killed:
                pass
            else:
                return
        yield
        for path in folder.iterdir():
            path.unlink()
        for name, data in before.items():
            (folder / name).write_bytes(data)
    raise AssertionError("never came to its end")


OLD = pages(40, 100)
NEW: dict[str, list[str]] = {
    "more at the end": pages(55, 100),
    "fewer at the end": pages(27, 100),
    "more at the beginning": pages(44, 96),
    "fewer at the beginning": pages(36, 104),
    "more in the middle": [*pages(15, 100), *(f"{SHOP}p/114.{n}" for n in range(5)), *pages(25, 115)],
    "fewer in the middle": [*pages(15, 100), *pages(21, 119)],
    "gone at the beginning, come at the end": pages(40, 104),
    "gone in the middle, come at the end": [*pages(15, 100), *pages(35, 118)],
    "come at the beginning, gone in the middle": [*pages(25, 90), *pages(21, 119)],
    "come at the beginning, gone at the end": pages(40, 93),
    "other rows altogether": pages(33, 1_000),
    "almost nothing": pages(3, 100),
    "the same": pages(40, 100),
}


@pytest.mark.parametrize("case", NEW)
@pytest.mark.parametrize("descending", [False, True])
def test_whole_before_each_step(tmp_path: Path, case: str, descending: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill never leaves an index that dangles, nor takes away a row that is in the old set and in the new."""
    old, new = (OLD, NEW[case]) if not descending else (OLD[::-1], NEW[case][::-1])
    folder = tmp_path / "set"
    write(old, folder, max_urls=10)
    steps = 0
    for _ in crash_points(folder, new, monkeypatch, max_urls=10):
        steps += 1
        seen = look(folder)
        assert seen is not None
        assert set(old) & set(new) <= seen <= set(old) | set(new)
        # Whatever was left behind, the next run brings the new set and no leftovers.
        write(new, folder, max_urls=10)
        assert look(folder) == set(new)
        assert not list(folder.glob(f"{PREFIX}*"))
        assert len(contents(folder)) == -(-len(new) // 10) + 3
    assert (steps > 1) == (case != "the same")


@pytest.mark.parametrize("options", [{"names": "immutable"}, {"nested": True, "max_children": 2}, {"stylesheet": True}])
def test_whole_before_each_step_with(tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "set"
    write(OLD, folder, max_urls=10, **options)
    rows = list(OLD)
    random.Random(5).shuffle(rows)
    rows = rows[:35]
    for _ in crash_points(folder, rows, monkeypatch, max_urls=10, **options):
        seen = look(folder)
        if options == {"names": "immutable"}:
            assert seen in (set(OLD), set(rows)), "the old set or the new, nothing between"
        assert seen is not None
        write(rows, folder, max_urls=10, **options)
        assert look(folder) == set(rows)


def test_a_first_set_appears_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    for _ in crash_points(folder, OLD, monkeypatch, max_urls=10):
        assert look(folder) in (None, set(OLD))
        write(OLD, folder, max_urls=10)
        assert look(folder) == set(OLD)


PROGRAM = """
import sys, urlset
seed, folder = int(sys.argv[1]), sys.argv[2]
start, count = seed * 37 % 500, 3_000 + seed * 101 % 2_000
rows = [f"https://shop.example/p/{n:05}" for n in range(start, start + count)]
print("ready", flush=True)
urlset.write(rows, folder, base="https://shop.example/", max_urls=200, threads=2)
"""


def expected(seed: int) -> set[str]:
    start, count = seed * 37 % 500, 3_000 + seed * 101 % 2_000
    return {f"{SHOP}p/{n:05}" for n in range(start, start + count)}


KILLS = int(os.environ.get("URLSET_KILLS", "20"))
FIRST_SEED = int(os.environ.get("URLSET_SEED", "0")) or random.randrange(1, 1_000_000)


def test_killed_at_random_instants(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A writer of a new set over an old one is killed; whoever reads then, or meanwhile, finds a whole set."""
    with capsys.disabled():
        print(f"\nkills: {KILLS}, first seed: {FIRST_SEED} (URLSET_SEED repeats it)")
    folder = tmp_path / "set"

    @contextlib.contextmanager
    def started(seed: int) -> Iterator[subprocess.Popen[bytes]]:
        command = [sys.executable, "-c", PROGRAM, str(seed), str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield process

    def finish(seed: int) -> float:
        begun = time.perf_counter()
        with started(seed) as process:
            begun = time.perf_counter()
        assert process.returncode == 0
        assert look(folder) == expected(seed), seed
        assert not list(folder.glob(f"{PREFIX}*")), seed
        return time.perf_counter() - begun

    usual = finish(FIRST_SEED)
    reached = FIRST_SEED
    for seed in range(FIRST_SEED + 1, FIRST_SEED + 1 + KILLS):
        chance = random.Random(seed)
        with started(seed) as process:
            end = time.perf_counter() + chance.random() * usual * 1.1
            while time.perf_counter() < end:
                # A reader that took the index may come too late for a child that the next set has no more.
                with contextlib.suppress(FileNotFoundError):
                    look(folder)
            process.send_signal(signal.SIGKILL)
        seen = look(folder)
        old, new = expected(reached), expected(seed)
        assert seen is not None, seed
        assert old & new <= seen <= old | new, seed
        if seen != old:
            finish(seed)
            reached = seed


def test_ctrl_c_changes_nothing(tmp_path: Path) -> None:
    write(pages(25), tmp_path)
    before = state(tmp_path)
    program = (
        "import itertools, sys, urlset\n"
        "def rows():\n"
        "    for n in itertools.count():\n"
        "        if n == 200_000: print('ready', flush=True)\n"
        "        yield f'https://shop.example/p/{n}'\n"
        "urlset.write(rows(), sys.argv[1], base='https://shop.example/')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in said
    assert state(tmp_path) == before


@pytest.mark.parametrize("to", ["set", "one.xml.gz"])
def test_a_disk_that_is_full_changes_nothing(tmp_path: Path, to: str) -> None:
    write(pages(25), tmp_path / to)
    before = state(tmp_path)
    program = (
        "import resource, sys, urlset\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "rows = [f'https://shop.example/{hash(n) * 0x9E3779B97F4A7C15 % 2**64:x}' for n in range(40_000)]\n"
        "try: urlset.write(rows, sys.argv[1], base='https://shop.example/', stylesheet=False)\n"
        "except urlset.UrlsetError as error: print(type(error).__name__, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / to)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("StoreError file too large; what stood there still stands, make room and run again: ")
    assert state(tmp_path) == before


def test_only_one_run_at_a_time(tmp_path: Path) -> None:
    write(pages(25), tmp_path)
    before = state(tmp_path)
    with Folder(tmp_path).lock(), pytest.raises(DestinationBusy):
        write(pages(30), tmp_path)
    assert state(tmp_path) == before


def test_a_folder_that_may_not_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="a folder was expected"):
        write(pages(3), tmp_path / "file" / "set")


def test_progress_is_told_after_each_file(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    result = write(pages(25), tmp_path, max_urls=10, progress=lambda *figures: told.append(figures))
    assert [rows for rows, _ in told[:3]] == [10, 20, 25]
    assert told[-1][1] == result.bytes


def test_repr(tmp_path: Path) -> None:
    result = write([*pages(3), 5], tmp_path / "a.xml", on_error="skip")
    assert re.fullmatch(r"<Written: 3 URLs in 1 file, 2\d\d bytes, \d\.\d\d s, 1 row skipped: .*a\.xml>", repr(result))


def test_memory_does_not_grow_with_the_rows() -> None:
    program = (
        "import resource, sys, tempfile, urlset\n"
        "def write(count):\n"
        "    rows = ({'loc': f'https://shop.example/p/{n}', 'priority': n % 10 / 10} for n in range(count))\n"
        "    with tempfile.TemporaryDirectory() as folder:\n"
        "        urlset.write(rows, folder, base='https://shop.example/', threads=1)\n"
        "    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "write(120_000); print(-write(120_000) + write(600_000))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 10_000, "kB"
