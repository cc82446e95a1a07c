"""`urlset read` as people and scripts run it: formats, sources, findings, and no source written over."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest

from tests.command import LOCS, SHOP, XMLNS, names, raw, run


def locs(data: bytes, format_: str) -> list[str]:
    """The addresses in an output, as another library reads it."""
    match format_:
        case "urls":
            return data.decode().splitlines()
        case "jsonl":
            return [json.loads(line)["loc"] for line in data.splitlines()]
        case "csv":
            return [row["loc"] for row in csv.DictReader(io.StringIO(data.decode(), newline=""))]
        case "arrow":
            return [str(loc) for loc in pa.ipc.open_file(data).read_all()["loc"].to_pylist()]
        case "arrows":
            return [str(loc) for loc in pa.ipc.open_stream(data).read_all()["loc"].to_pylist()]
        case "parquet":
            return list(pl.read_parquet(io.BytesIO(data))["loc"])
    raise AssertionError(format_)


@pytest.mark.parametrize("format_", ["jsonl", "csv", "arrow", "parquet", "urls"])
@pytest.mark.parametrize("output", [None, "-", "rows"])
def test_rows(shop: Path, tmp_path: Path, format_: str, output: str | None) -> None:
    to = [] if output is None else ["-o", str(tmp_path / "rows") if output == "rows" else output]
    code, out, err = raw("read", "sitemap.xml", "--format", format_, *to, cwd=shop)
    assert (code, err) == (0, b"")
    if output == "rows":
        assert out == b""
        assert locs((tmp_path / "rows").read_bytes(), format_) == LOCS
    else:
        assert locs(out, "arrows" if format_ == "arrow" else format_) == LOCS


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("a.jsonl", "jsonl"),
        ("a.NDJSON", "jsonl"),
        ("a.csv", "csv"),
        ("a.arrow", "arrow"),
        ("a.feather", "arrow"),
        ("a.arrows", "arrows"),
        ("a.parquet", "parquet"),
        ("a.pq", "parquet"),
        ("a.txt", "urls"),
        ("a.csv.gz", "csv"),
        ("a.jsonl.gz", "jsonl"),
        ("a.txt.GZ", "urls"),
    ],
)
def test_rows_by_ending(shop: Path, tmp_path: Path, name: str, format_: str) -> None:
    done = run("read", "sitemap.xml", "-o", tmp_path / name, cwd=shop)
    assert done == (0, "", "")
    data = (tmp_path / name).read_bytes()
    if name.lower().endswith(".gz"):
        assert data[4:8] == bytes(4), "no time in it"
        data = gzip.decompress(data)
    assert locs(data, format_) == LOCS


def test_arrows_by_ending_and_format(shop: Path, tmp_path: Path) -> None:
    assert run("read", "one.xml", "--format", "arrow", "-o", tmp_path / "a.arrows", cwd=shop).code == 0
    assert locs((tmp_path / "a.arrows").read_bytes(), "arrows") == LOCS[:2]


def test_packed_sums(shop: Path, tmp_path: Path) -> None:
    for name, beginning in [("a.json.gz", "{"), ("a.txt.gz", "loc")]:
        format_ = [] if name.startswith("a.json") else ["--format", "table"]
        assert run("read", "one.xml", "-o", tmp_path / name, *format_, cwd=shop) == (0, "", "")
        assert gzip.decompress((tmp_path / name).read_bytes()).decode().startswith(beginning)


@pytest.mark.parametrize("name", ["a", "a.xml", "a.gz", "a.tsv", "a.sqlite", "a.xml.gz"])
def test_endings_that_tell_nothing(shop: Path, tmp_path: Path, name: str) -> None:
    code, out, err = run("read", "sitemap.xml", "-o", tmp_path / name, cwd=shop)
    assert (code, out) == (2, "")
    assert re.fullmatch(
        r"error: .*tells no format; one of \.csv\[\.gz\], .*\.parquet.* was expected, or --format\n", err
    )
    assert not names(tmp_path)
    assert run("read", "sitemap.xml", "-o", tmp_path / name, "--format", "csv", cwd=shop).code == 0


def test_what_is_packed_within_is_not_packed_again(shop: Path, tmp_path: Path) -> None:
    for more in ([], ["--format", "parquet"]):
        code, _, err = run("read", "one.xml", "-o", tmp_path / "a.parquet.gz", *more, cwd=shop)
        assert code == 2
        assert "parquet is packed within; a name without .gz was expected" in err


def test_json_is_stable(shop: Path) -> None:
    code, out, err = run("read", "odd/cut.xml", "--format", "json", cwd=shop)
    assert (code, err) == (1, "")
    about = json.loads(out)
    assert list(about) == [
        "format_version", "kind", "complete", "urls", "bytes", "plain_bytes", "lastmod", "files", "findings",
    ]  # fmt: skip
    assert about["format_version"] == 1
    assert (about["kind"], about["complete"], about["urls"]) == ("urlset", False, 2)
    assert about["lastmod"] == {"rows": 1, "earliest": "2024-05-17", "latest": "2024-05-17"}
    assert {finding["code"]: finding["count"] for finding in about["findings"]}["URL001"] == 1
    assert about["files"][0]["address"] == "odd/cut.xml"


def test_table(shop: Path) -> None:
    code, out, err = run("read", "sitemap.xml", "--format", "table", cwd=shop)
    assert (code, err) == (0, "")
    assert re.search(rf"^{SHOP}tea +2024-05-17 *$", out, re.MULTILINE)
    assert "3 URLs in 3 files" in out
    assert "lastmod 2024-05-17 to 2024-06-01T10:00:00Z, on 2 of 3 URLs" in out


# Sources and options


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["sitemap.xml"], LOCS),
        (["."], [*LOCS, f"{SHOP}tea", f"{SHOP}?a=1&b=2", f"{SHOP}?a=1&b=2"]),
        (["one.xml", "two.xml.gz"], LOCS),
        (["*.xml.gz"], LOCS[2:]),
        (["o*.xml", "two.xml.gz"], LOCS),
        (["sitemap.xml", "--no-follow"], [f"{SHOP}one.xml", f"{SHOP}two.xml.gz"]),
        (["odd/cut.xml", "--relative", "resolve", "--base", SHOP], [LOCS[0], f"{SHOP}relative", f"{SHOP}?a=1&b=2"]),
    ],
)
def test_sources(shop: Path, arguments: list[str], found: list[str]) -> None:
    done = run("read", *arguments, "--format", "urls", cwd=shop)
    assert done.code == ("odd/cut.xml" in arguments or arguments == ["."])
    assert done.out.splitlines() == found


def test_standard_input(shop: Path) -> None:
    data = (shop / "two.xml.gz").read_bytes()
    assert run("read", "-", "--format", "urls", cwd=shop, stdin=data) == (0, f"{LOCS[2]}\n", "")


def test_columns(shop: Path) -> None:
    code, out, _ = run("read", "one.xml", "--columns", "lastmod, loc", "--format", "csv", cwd=shop)
    assert (code, out.splitlines()) == (0, ["loc,lastmod", f"{LOCS[0]},2024-05-17T00:00:00Z", f"{LOCS[1]},"])
    code, out, _ = run("read", "one.xml", "--columns", "loc,lastmod,lastmod_form", "--format", "csv", cwd=shop)
    assert (code, out.splitlines()) == (0, ["loc,lastmod", f"{LOCS[0]},2024-05-17", f"{LOCS[1]},"])


@pytest.mark.parametrize("columns", ["priority", "images", "lastmod", "loc"])
def test_a_table_of_any_column(shop: Path, columns: str) -> None:
    code, out, err = run("read", "one.xml", "--columns", columns, "--format", "table", cwd=shop)
    assert (code, err) == (0, "")
    assert "2 URLs in 1 file" in out


# Findings


@pytest.mark.parametrize("name", ["f.jsonl", "f.csv", "f.parquet", "f.arrow", "f.arrows", "f.csv.gz"])
def test_findings_by_ending(shop: Path, tmp_path: Path, name: str) -> None:
    code, out, err = run("read", "odd/cut.xml", "--format", "urls", "--findings", tmp_path / name, cwd=shop)
    assert (code, out.splitlines()) == (1, [LOCS[0], f"{SHOP}?a=1&b=2"])
    assert "URL001" in err
    data = (tmp_path / name).read_bytes()
    match name:
        case "f.jsonl":
            codes = [json.loads(line)["code"] for line in data.splitlines()]
        case "f.csv" | "f.csv.gz":
            data = gzip.decompress(data) if name.endswith(".gz") else data
            codes = [row["code"] for row in csv.DictReader(io.StringIO(data.decode(), newline=""))]
        case "f.parquet":
            codes = list(pl.read_parquet(io.BytesIO(data))["code"])
        case _:
            reader = pa.ipc.open_stream if name.endswith("s") else pa.ipc.open_file
            codes = reader(data).read_all()["code"].to_pylist()
    assert "URL001" in codes
    assert len(codes) >= 2


def test_findings_on_standard_output(shop: Path, tmp_path: Path) -> None:
    arguments = ["read", "odd/cut.xml", "-o", str(tmp_path / "rows.txt"), "--findings", "-", "-q"]
    code, out, err = run(*arguments, cwd=shop)
    assert (code, err) == (1, "")
    assert {json.loads(line)["code"] for line in out.splitlines()} >= {"URL001"}
    assert names(tmp_path) == {"rows.txt"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--findings", "-"],
        ["--findings", "-", "-o", "-"],
        ["--findings", "-", "--format", "json"],
        ["--findings", "f.csv", "-o", "f.csv"],
        ["--findings", "f.csv", "-o", "./f.csv"],
    ],
)
def test_rows_and_findings_never_mix(shop: Path, tmp_path: Path, arguments: list[str]) -> None:
    code, out, err = run("read", shop / "odd" / "cut.xml", *arguments, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "rows and findings would go to one place" in err
    assert not names(tmp_path)


@pytest.mark.parametrize("name", ["f", "f.txt", "f.json"])
def test_findings_without_a_format(shop: Path, tmp_path: Path, name: str) -> None:
    code, _, err = run("read", "one.xml", "--findings", tmp_path / name, cwd=shop)
    assert code == 2
    assert "tells no format; one of .csv[.gz], .jsonl[.gz]" in err
    assert "--format" not in err, "that is the format of the rows"


def test_findings_that_are_counted_only(shop: Path) -> None:
    arguments = ["read", "odd/warned.xml", "--limit-findings", "0", "--fail-on", "error"]
    code, out, err = run(*arguments, "--format", "json", cwd=shop)
    assert (code, err) == (1, "")
    counted = {"code": "XML002", "name": "bare-ampersand", "severity": "error", "count": 1}
    assert json.loads(out)["findings"] == [counted]
    code, _, err = run(*arguments, "--format", "urls", cwd=shop)
    assert code == 1
    assert re.search("^error +XML002 +1 +bare-ampersand +warned.xml: ", err, re.MULTILINE)


# Outputs that are sources


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        ("sitemap.xml", ["-o", "sitemap.xml", "--format", "csv"]),
        ("*.xml", ["-o", "sitemap.xml", "--format", "csv"]),
        (".", ["-o", "sub/sitemap.txt.gz"]),
        ("sitemap.xml", ["--findings", "here.csv", "-o", "sitemap.xml", "--format", "urls"]),
        ("here.csv", ["--findings", "here.csv", "-o", "rows.csv"]),
    ],
)
def test_no_source_is_overwritten(tmp_path: Path, source: str, arguments: list[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sitemap.xml").write_text(f"{LOCS[0]}\n")
    (tmp_path / "here.csv").write_text(f"{LOCS[0]}\n")
    before = names(tmp_path)
    code, out, err = run("read", source, *arguments, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "an output is among the sources" in err
    assert (tmp_path / "sitemap.xml").read_text() == f"{LOCS[0]}\n"
    assert names(tmp_path) == before


@pytest.mark.parametrize("arguments", [["-o", "one.xml"], ["-o", "rows.csv", "--findings", "one.xml.csv"]])
def test_no_file_that_an_index_names_is_overwritten(tmp_path: Path, arguments: list[str]) -> None:
    index = "".join(f"<sitemap><loc>{SHOP}{name}</loc></sitemap>" for name in ("one.xml", "one.xml.csv"))
    (tmp_path / "sitemap.xml").write_text(f"<sitemapindex {XMLNS}>{index}</sitemapindex>")
    for name in ("one.xml", "one.xml.csv"):
        (tmp_path / name).write_text(f"{LOCS[0]}\n")
    before = names(tmp_path)
    code, _, err = run("read", "sitemap.xml", "--format", "csv", *arguments, cwd=tmp_path)
    assert code == 2
    assert "an output is among the sources" in err
    assert (tmp_path / "one.xml").read_text() == (tmp_path / "one.xml.csv").read_text() == f"{LOCS[0]}\n"
    assert names(tmp_path) == before


def test_a_table_may_lie_in_the_folder_that_is_read(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(f"{LOCS[0]}\n")
    for _ in range(2):
        assert run("read", ".", "-o", "rows.csv", cwd=tmp_path) == (0, "", "")
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 2
