"""The command as people and scripts run it: arguments, pipes, terminals, signals, exit codes.

`tests/help.txt` holds the help of every subcommand; `python tests/test_cli.py` writes it anew.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pyarrow as pa
import pytest

HERE = Path(__file__).resolve().parent
HELP = HERE / "help.txt"
COMMAND = [str(Path(sys.executable).with_name("urlset"))]
SHOP = "https://shop.example/"
LOCS = [f"{SHOP}tea", f"{SHOP}lamp", f"{SHOP}mug"]
XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ROWS = [("tea", "2024-05-17"), ("lamp", ""), ("mug", "2024-06-01T10:00:00Z")]


class Done(NamedTuple):
    code: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    mine = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"}}
    return mine | {"TERM": "xterm", "COLUMNS": "100"} | more


def raw(*arguments: str | Path, cwd: Path, stdin: bytes = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    options.setdefault("env", environment())
    options.setdefault("stdout", subprocess.PIPE)
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, input=stdin, stderr=subprocess.PIPE, timeout=60, check=False, **options)


def run(*arguments: str | Path, cwd: Path, stdin: bytes = b"", **options: Any) -> Done:
    done = raw(*arguments, cwd=cwd, stdin=stdin, **options)
    return Done(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


def terminal(*arguments: str, cwd: Path, columns: int = 80, **more: str) -> tuple[int, str]:
    """Run the command on a terminal of its own; return the exit code and all that was shown."""
    mine, theirs = pty.openpty()
    termios.tcsetwinsize(mine, (24, columns))
    there = {name: value for name, value in environment(**more).items() if name != "COLUMNS"}
    with subprocess.Popen(
        [*COMMAND, *arguments], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env=there
    ) as one:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(mine, 65_536)
            except OSError:  # nobody has it open any more
                break
            if not piece:
                break
            shown += piece
    os.close(mine)
    return one.returncode, shown.decode().replace("\r\n", "\n")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index, two sitemaps, and one that is cut and odd; nobody writes to it."""
    folder = tmp_path_factory.mktemp("shop")
    entries = [f"<url><loc>{SHOP}{name}</loc>{f'<lastmod>{day}</lastmod>' * bool(day)}</url>" for name, day in ROWS]
    (folder / "one.xml").write_text(f"<urlset {XMLNS}>{''.join(entries[:2])}</urlset>")
    (folder / "two.xml.gz").write_bytes(gzip.compress(f"<urlset {XMLNS}>{entries[2]}</urlset>".encode()))
    children = "".join(f"<sitemap><loc>{SHOP}{name}</loc></sitemap>" for name in ("one.xml", "two.xml.gz"))
    (folder / "sitemap.xml").write_text(f"<sitemapindex {XMLNS}>{children}</sitemapindex>")
    odd = folder / "odd"
    odd.mkdir()
    (odd / "cut.xml").write_text(
        f"<urlset {XMLNS}>{entries[0]}<url><loc>/relative</loc></url>\n"
        f"<url><loc>{SHOP}?a=1&b=2</loc></url><url><loc>{SHOP}"
    )
    (odd / "warned.xml").write_text(f"<urlset {XMLNS}><url><loc>{SHOP}?a=1&b=2</loc></url></urlset>")
    return folder


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More rows than a pipe holds."""
    path = tmp_path_factory.mktemp("many") / "urls.txt"
    path.write_text("".join(f"{SHOP}p/{number}\n" for number in range(20_000)))
    return path


# Help


def help_text() -> str:
    pages = []
    for arguments in ([], ["read"], ["write"]):
        done = run(*arguments, "--help", cwd=HERE)
        assert done.code == 0, done.err
        pages.append(f"$ urlset {' '.join([*arguments, '--help'])}\n{done.out}")
    return "\n".join(pages)


def test_help_is_as_checked() -> None:
    assert help_text() == HELP.read_text(encoding="utf-8"), "write it anew with: .venv/bin/python tests/test_cli.py"


@pytest.mark.parametrize("arguments", [["--version"], ["-h"], ["read", "-h"]])
def test_what_needs_no_source(tmp_path: Path, arguments: list[str]) -> None:
    code, out, err = run(*arguments, cwd=tmp_path)
    assert (code, err) == (0, "")
    assert "urlset" in out


def test_the_module_is_the_command(shop: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "urlset", "read", "one.xml", "--format", "urls"],
        cwd=shop,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == LOCS[:2]


# Formats of read


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
    done = raw("read", "sitemap.xml", "--format", format_, *to, cwd=shop)
    assert (done.returncode, done.stderr) == (0, b"")
    if output == "rows":
        assert done.stdout == b""
        assert locs((tmp_path / "rows").read_bytes(), format_) == LOCS
    else:
        assert locs(done.stdout, "arrows" if format_ == "arrow" else format_) == LOCS


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


# Sources and options of read


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
        ("link.xml", ["-o", "sitemap.xml", "--format", "csv"]),
        ("*.xml", ["-o", "sitemap.xml", "--format", "csv"]),
        (".", ["-o", "urls.txt"]),
        (".", ["-o", "sub/sitemap.txt.gz"]),
        (".", ["-o", "sitemap.xml", "--format", "csv"]),
        (".", ["-o", "rows.csv.gz"]),
        ("sitemap.xml", ["--findings", "here.csv", "-o", "sitemap.xml", "--format", "urls"]),
        ("here.csv", ["--findings", "here.csv", "-o", "rows.csv"]),
    ],
)
def test_no_source_is_overwritten(tmp_path: Path, source: str, arguments: list[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sitemap.xml").write_text(f"{LOCS[0]}\n")
    (tmp_path / "here.csv").write_text(f"{LOCS[0]}\n")
    (tmp_path / "link.xml").symlink_to("sitemap.xml")
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


def test_the_file_behind_standard_input_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_text(f"{LOCS[0]}\n")
    for arguments in (["read", "-", "-o", "urls.txt"], ["write", "-", "--to", "urls.txt"]):
        with path.open("rb") as file:
            done = subprocess.run([*COMMAND, *arguments], cwd=tmp_path, stdin=file, capture_output=True, check=False)
        assert done.returncode == 2
        assert path.read_text() == f"{LOCS[0]}\n"


def test_a_table_may_lie_in_the_folder_that_is_read(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(f"{LOCS[0]}\n")
    for _ in range(2):
        assert run("read", ".", "-o", "rows.csv", cwd=tmp_path) == (0, "", "")
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 2


# Write


def tables(folder: Path) -> dict[str, list[str]]:
    """Files that hold the same rows, and what has to be said of them."""
    rows = [{"loc": SHOP + name, "lastmod": day} for name, day in ROWS]
    frame = pl.DataFrame(rows)
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "t.csv").write_text("loc,lastmod\n" + "".join(f"{SHOP}{name},{day}\n" for name, day in ROWS))
    (folder / "t.tsv").write_text("loc\tlastmod\n" + "".join(f"{SHOP}{name}\t{day}\n" for name, day in ROWS))
    (folder / "t.jsonl").write_text(lines)
    (folder / "t.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (folder / "t.json").write_text(json.dumps(rows))
    (folder / "t.dat").write_text(lines)
    (folder / "t.txt").write_text("".join(f"{loc}\n" for loc in LOCS))
    frame.write_parquet(folder / "t.parquet")
    frame.write_ipc(folder / "t.arrow")
    connection = sqlite3.connect(folder / "t.sqlite")
    connection.execute("create table page (loc text, lastmod text)")
    connection.executemany("insert into page values (?, ?)", [(SHOP + name, day or None) for name, day in ROWS])
    connection.commit()
    connection.close()
    given: dict[str, list[str]] = {
        name: [] for name in sorted(names(folder)) if name not in {"t.dat", "t.parquet", "t.arrow"}
    }
    # An empty text is a date in no library but ours.
    given["t.parquet"] = given["t.arrow"] = []
    return given | {"t.dat": ["--table-format", "jsonl"]}


@pytest.mark.parametrize(
    "name",
    ["t.csv", "t.tsv", "t.jsonl", "t.jsonl.gz", "t.json", "t.txt", "t.parquet", "t.arrow", "t.sqlite", "t.dat"],
)
def test_tables(tmp_path: Path, name: str) -> None:
    options = tables(tmp_path)[name]
    done = run("write", name, *options, "--to", "-", "--no-gzip", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert re.findall("<loc>(.*?)</loc>", done.out) == LOCS
    days = re.findall("<lastmod>(.*?)</lastmod>", done.out)
    assert days == ([] if name == "t.txt" else [day for _, day in ROWS if day])


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.json", "t.txt", "t.parquet", "t.arrow", "t.sqlite"])
def test_tables_from_standard_input(tmp_path: Path, name: str) -> None:
    tables(tmp_path)
    done = run("write", "-", "--to", "a.txt", cwd=tmp_path, stdin=(tmp_path / name).read_bytes())
    assert done.code == 0, done.err
    assert (tmp_path / "a.txt").read_text().split() == LOCS


def test_a_query(tmp_path: Path) -> None:
    tables(tmp_path)
    query = "select loc from page where lastmod is null"
    assert run("write", "t.sqlite", "--sql", query, "--to", "a.txt", "-q", cwd=tmp_path) == (0, "", "")
    assert (tmp_path / "a.txt").read_text().split() == [LOCS[1]]


def test_a_set_and_what_is_said_of_it(tmp_path: Path) -> None:
    tables(tmp_path)
    done = run("write", "t.csv", "--base", SHOP, "--to", "set", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert names(tmp_path / "set") == {"sitemap-00001.xml.gz", "sitemap.xml", "robots.txt", ".urlset.json"}
    assert done.out.startswith("3 URLs in 2 files, ")
    assert done.out.endswith("next: urlset read set/sitemap.xml\n")
    again = run("write", "t.csv", "--base", SHOP, "--to", "set", "--format", "json", cwd=tmp_path)
    about = json.loads(again.out)
    assert (about["format_version"], about["urls"], about["changed"]) == (1, 3, [])


def test_the_next_command_reads_all(tmp_path: Path, many: Path) -> None:
    arguments = ["--base", SHOP, "--to", "set", "--max-urls", "1000", "--max-children", "7"]
    done = run("write", many, *arguments, cwd=tmp_path)
    assert done.code == 0, done.err
    (suggested,) = re.findall("^next: urlset (.*)$", done.out, re.MULTILINE)
    assert run(*suggested.split(), "--format", "json", cwd=tmp_path).out.count('"urls": 20000') == 1


def test_lists_in_a_folder_come_back(tmp_path: Path) -> None:
    tables(tmp_path)
    done = run("write", "t.csv", "--text", "--base", SHOP, "--to", "set", cwd=tmp_path)
    assert done.code == 0, done.err
    assert names(tmp_path / "set") >= {"sitemap-00001.txt.gz", "sitemap.xml"}
    for source in ("set", "set/sitemap.xml"):
        assert run("read", source, "--format", "urls", cwd=tmp_path) == (0, "".join(f"{x}\n" for x in LOCS), "")


def test_refused_rows(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"loc,priority\n{LOCS[0]},0.5\n/relative,\n{LOCS[1]},7\n")
    code, out, err = run("write", "t.csv", "--base", SHOP, "--to", "set", cwd=tmp_path)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert lines[0] == "error: 2 rows cannot be written, nothing was changed"
    assert re.fullmatch(r'  row 1.*: loc "/relative" is relative, .* \(URL001\)', lines[1])
    assert re.fullmatch(r"  row 2.*: .*priority.* \([A-Z]{3}\d{3}\)", lines[2])
    assert lines[3:] == ["rows count from 0; mend them, or leave them out with --on-error skip"]
    assert names(tmp_path) == {"t.csv"}


def test_a_set_of_refused_rows_says_why(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("ftp://shop.example/\n/relative\n")
    (tmp_path / "t.csv").write_text("loc\n/a\n/b\n")
    code, out, err = run("write", "t.csv", "--base", SHOP, "--to", "set", "--on-error", "skip", cwd=tmp_path)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert lines[0] == "error: all 2 rows were refused, nothing was written"
    assert re.fullmatch(r'  row 0.*: loc "/a" is relative, .* \(URL001\)', lines[1])
    assert lines[-1] == "what stood there still stands; --allow-empty writes it all the same"
    assert not (tmp_path / "set").exists()


def test_classic_without_dates_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(f"{LOCS[0]}\n")
    code, _, err = run("write", "t.txt", "--base", SHOP, "--to", "set", "--profile", "classic", cwd=tmp_path)
    assert code == 2
    assert "no row of sitemap-00001.xml.gz has one; give the rows a lastmod, or leave the profile out" in err
    assert not (tmp_path / "set").exists()


@pytest.mark.parametrize("to", ["urls.txt", "./urls.txt", "link.txt"])
def test_a_table_is_not_written_over(tmp_path: Path, to: str) -> None:
    (tmp_path / "urls.txt").write_text(f"{LOCS[0]}\n")
    (tmp_path / "link.txt").symlink_to("urls.txt")
    code, _, err = run("write", "urls.txt", "--to", to, cwd=tmp_path)
    assert code == 2
    assert "the table and the destination are one file" in err
    assert (tmp_path / "urls.txt").read_text() == f"{LOCS[0]}\n"


# Exit codes

CODES = [
    (["read", "one.xml"], 0, "", "complete"),
    (["read", "odd/warned.xml"], 0, "", "findings are told, and no more"),
    (["read", "odd/warned.xml", "--fail-on", "info"], 1, "", "--fail-on was reached"),
    (["read", "one.xml", "--fail-on", "info"], 0, "", "--fail-on was not reached"),
    (["read", "odd/cut.xml"], 1, "NOT COMPLETE", "a part is missing"),
    (["read", "odd/warned.xml", "--strict"], 1, "strict: odd/warned.xml:1:", "the first finding"),
    (["read", "none.xml"], 2, "error: .*: none.xml", "no such file"),
    (["read", "none*.xml"], 2, "error: no file fits this pattern: none\\*.xml", "no such files"),
    (["read", "https://shop.example/"], 2, "live sites", "no network in this version"),
    (["read"], 2, "Missing argument 'SOURCE...'", "usage"),
    (["read", "one.xml", "--format", "xml"], 2, "'xml' is not one of", "usage"),
    (["read", "one.xml", "--columns", "nothing"], 2, "error: .*nothing", "no such column"),
    (["read", "one.xml", "--columns", ","], 2, "error: columns: no column is named", "no column"),
    (["read", "one.xml", "--format", "urls", "--columns", "lastmod"], 2, "gives loc", "contradiction"),
    (["read", "one.xml", "--limit-files", "0"], 2, "error: --limit-files is 0, a number above 0", "a limit"),
    (["read", "one.xml", "--limit-files", "x"], 2, "'x' is no number", "a limit"),
    (["read", "one.xml", "--limit-entries", "1"], 1, "NOT COMPLETE", "a limit that bites"),
    (["read", "one.xml", "--limit-files", "none"], 0, "", "a limit that is lifted"),
    (["read", "one.xml", "-o", "none/a.csv"], 2, "make the folder first: none/a.csv", "no such folder"),
    (["read", "one.xml", "-o", "odd", "--format", "csv"], 2, "error: a folder, a file was expected: odd", "a folder"),
    (["write", "none.csv", "--to", "a.xml"], 2, "error: there is no such file: none.csv", "no such file"),
    (["write", "one.xml", "--to", "a.xml"], 2, "urlset.read makes a table of it", "no table"),
    (["write", "odd", "--to", "a.xml"], 2, "error: a folder, a file that holds a table was expected: odd", "a folder"),
    (["write", "-", "--to", "a.xml"], 2, "tells? its format", "an empty stream"),
    (["write", "-"], 2, "Missing option '--to'", "usage"),
    (["write", "-", "--to", "a.xml", "--format", "csv"], 2, "'csv' is not one of 'table', 'json'", "--table-format"),
    (["write", "-", "--to", "set"], 2, "error: base: base is missing", "usage"),
    (["write", "-", "--to", "a.xml", "--max-urls", "60000"], 2, "error: max_urls is 60000, 1 to 50000", "usage"),
    (["nothing"], 2, "No such command 'nothing'", "usage"),
]


@pytest.mark.parametrize(("arguments", "code", "said", "why"), CODES, ids=[" ".join(case[0]) for case in CODES])
def test_exit_codes(shop: Path, arguments: list[str], code: int, said: str, why: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in shop.rglob("*")}
    done = run(*arguments, cwd=shop)
    assert done.code == code, (why, done)
    assert re.search(said, done.err), (why, done.err)
    assert "Traceback" not in done.err
    if code == 2:
        assert done.out == ""
    assert {path: path.stat().st_mtime_ns for path in shop.rglob("*")} == before


# Quiet, verbose, colours


@pytest.mark.parametrize("format_", ["jsonl", "table", "json"])
def test_quiet(shop: Path, format_: str) -> None:
    code, out, err = run("read", "odd/cut.xml", "--format", format_, "-q", cwd=shop)
    assert (code, err) == (1, "")
    assert out
    assert "error: " in run("read", "none.xml", "-q", cwd=shop).err


def test_quiet_write(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"loc\n{LOCS[0]}\n/relative\n")
    assert run("write", "t.csv", "--to", "a.txt", "-q", "--on-error", "skip", cwd=tmp_path) == (0, "", "")
    assert "error: " in run("write", "t.csv", "--to", "b.txt", "-q", cwd=tmp_path).err


def test_verbose(shop: Path, tmp_path: Path) -> None:
    err = run("read", "odd/cut.xml", "-v", cwd=shop).err
    assert re.search(r'^odd/cut\.xml:1:\d+: URL001 error loc "/relative" is relative, ', err, re.MULTILINE)
    (tmp_path / "t.csv").write_text(f"loc\n{LOCS[0]}\n/relative\n")
    err = run("write", "t.csv", "--to", "a.txt", "-v", "--on-error", "skip", cwd=tmp_path).err
    assert re.search(r'^(row 1|line 3.*): URL001 error loc "/relative" is relative, ', err, re.MULTILINE)


COLOUR = re.compile(r"\x1b\[(?:\d+;)*3\d")


def test_terminals_have_colours_and_may_have_none(shop: Path) -> None:
    code, shown = terminal("read", "odd/cut.xml", cwd=shop)
    assert code == 1
    assert COLOUR.search(shown)
    assert "next: urlset read odd/cut.xml -o urls.parquet" in shown
    code, shown = terminal("read", "odd/cut.xml", cwd=shop, NO_COLOR="1")
    assert code == 1
    assert "URL001" in shown
    assert not COLOUR.search(shown)
    assert "\x1b" not in run("read", "odd/cut.xml", "--format", "table", cwd=shop).out, "a pipe is no terminal"


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(shop: Path, columns: int) -> None:
    _, shown = terminal("read", "odd/cut.xml", "-q", cwd=shop, columns=columns, NO_COLOR="1")
    tables = [line for line in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).splitlines() if "  " in line]
    assert len(tables) >= 4
    assert max(map(len, tables)) <= columns


@pytest.mark.parametrize(
    "arguments", [["--format", "parquet"], ["--format", "arrow"], ["--format", "arrow", "-o", "-"]]
)
def test_a_terminal_is_spared_what_is_no_text(shop: Path, arguments: list[str]) -> None:
    code, shown = terminal("read", "one.xml", *arguments, cwd=shop)
    assert code == 2
    assert "is no text, and standard output is a terminal" in shown
    code, shown = terminal("write", "one.xml", "--to", "-", "--gzip", cwd=shop)
    assert code == 2
    assert "gzip is no text" in shown


# What files and names say does not steer a terminal

STEERING = "\x1b[31m\x1b]0;x\x07\u202e\u2066\u200b\x9b31m"


def test_nothing_steers_the_terminal(tmp_path: Path) -> None:
    name = f"a{STEERING}.txt"
    (tmp_path / name).write_text(f"https://shop.example/{STEERING}tea\n{STEERING}\n" * 3)
    (tmp_path / "t.csv").write_text(f"loc,{STEERING}\n/{STEERING},x\n")
    said = [
        *run("read", name, "--format", "table", cwd=tmp_path)[1:],
        run("read", name, "--format", "urls", "-v", cwd=tmp_path).err,
        *run("read", name, name, "--format", "table", cwd=tmp_path)[1:],
        run("read", name, "--format", "json", cwd=tmp_path).out,
        run("read", f"none{STEERING}", cwd=tmp_path).err,
        run(STEERING, cwd=tmp_path).err,
        run("read", name, f"--{STEERING}", cwd=tmp_path).err,
        run("read", name, "-o", f"a{STEERING}", cwd=tmp_path).err,
        run("write", "t.csv", "--to", "a.xml", cwd=tmp_path).err,
        *run("write", "t.csv", "--to", f"a{STEERING}.xml", "--on-error", "skip", "--allow-empty", cwd=tmp_path)[1:],
    ]
    for text in said:
        assert all(character.isprintable() or character == "\n" for character in text), ascii(text)
    assert "\\x1b[31m" in said[0]
    assert "\\u202e" in said[0]
    _, shown = terminal("read", name, cwd=tmp_path, columns=200)
    assert "\\x1b[31m" in shown
    assert not {"\u202e", "\u2066", "\u200b", "\x9b", "\x07"} & set(shown)
    assert "\x1b]" not in shown


def test_names_that_are_no_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"a\xff.xml")
    (tmp_path / name).write_text(f"{LOCS[0]}\n/relative\n")
    for format_ in ("table", "json", "jsonl"):
        code, _, err = run("read", name, name, "--format", format_, cwd=tmp_path)
        assert code == 0, err
    assert "none\\xff" in run("read", os.fsdecode(b"none\xff"), cwd=tmp_path).err


def test_a_terminal_without_our_characters(shop: Path) -> None:
    done = run("read", "one.xml", "--format", "table", cwd=shop, env=environment(PYTHONIOENCODING="ascii"))
    assert (done.code, done.err) == (0, "")


# Pipes that close, disks that are full, Ctrl-C


@pytest.mark.parametrize("format_", ["table", "json", "jsonl", "csv", "arrow", "parquet", "urls"])
def test_a_closed_pipe_ends_quietly(many: Path, format_: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = raw("read", "urls.txt", "--format", format_, cwd=many.parent, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["read urls.txt --format jsonl", "write urls.txt --to -", "read --help"])
def test_head(many: Path, command: str) -> None:
    line = f"{COMMAND[0]} {command} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=many.parent, capture_output=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)


def test_nobody_listens(shop: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for arguments, code in [(["read", "none.xml"], 2), (["read", "odd/cut.xml"], 1), (["nothing"], 2)]:
        done = subprocess.run([*COMMAND, *arguments], cwd=shop, stdout=subprocess.DEVNULL, stderr=writer, check=False)
        assert done.returncode == code
    os.close(writer)


@pytest.mark.parametrize("arguments", [["read", "urls.txt"], ["read", "urls.txt", "--format", "table"]])
def test_a_full_disk(many: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = raw(*arguments, cwd=many.parent, stdout=full)
    assert done.returncode == 2
    assert done.stderr == b"error: no space left on device\n"


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["read", "--help"]])
def test_words_into_nowhere(tmp_path: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = raw(*arguments, cwd=tmp_path, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    with Path("/dev/full").open("wb") as full:
        done = raw(*arguments, cwd=tmp_path, stdout=full)
    assert (done.returncode, done.stderr) == (2, b"error: no space left on device\n")


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("read one.xml --format urls >&-", 2, "error: standard output is closed"),
        ("--version >&-", 2, "error: standard output is closed"),
        ("read one.xml --format urls 2>&-", 0, LOCS[0]),
        ("read none.xml 2>&-", 2, ""),
        ("read - --format urls <&-", 2, "error: standard input is closed: -"),
    ],
)
def test_what_is_closed(shop: Path, closed: str, code: int, said: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{COMMAND[0]} {closed}"], cwd=shop, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith(said)
    assert "Traceback" not in done.stderr


@pytest.fixture
def endless() -> Iterator[subprocess.Popen[bytes]]:
    """More addresses than anybody will read."""
    with subprocess.Popen(["yes", f"{SHOP}p/1"], stdout=subprocess.PIPE) as lines:
        yield lines
        lines.kill()


def interrupt(process: subprocess.Popen[bytes], folder: Path) -> bytes:
    """Press Ctrl-C as soon as something was staged; return what was said."""
    for _ in itertools.count():
        assert process.poll() is None, process.communicate()
        if any(path.stat().st_size for path in folder.rglob(".urlset-tmp-*")):
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=30)[1]


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet", "rows.txt.gz"])
def test_ctrl_c_on_a_read(tmp_path: Path, endless: subprocess.Popen[bytes], name: str) -> None:
    (tmp_path / name).write_bytes(b"as it was")
    command = [*COMMAND, "read", "-", "-o", name]
    process = subprocess.Popen(command, cwd=tmp_path, stdin=endless.stdout, stderr=subprocess.PIPE)
    assert interrupt(process, tmp_path) == b"interrupted\n"
    assert process.returncode == 130
    assert names(tmp_path) == {name}
    assert (tmp_path / name).read_bytes() == b"as it was"


def test_ctrl_c_on_a_write(tmp_path: Path, endless: subprocess.Popen[bytes]) -> None:
    command = [*COMMAND, "write", "-", "--base", SHOP, "--to", "new/set", "--max-urls", "5000"]
    process = subprocess.Popen(command, cwd=tmp_path, stdin=endless.stdout, stderr=subprocess.PIPE)
    assert interrupt(process, tmp_path) == b"interrupted\n"
    assert process.returncode == 130
    assert not names(tmp_path), "not even a folder"


# Nothing installed but what is required

ALONE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        required = {"urlset", "click", "rich", "pycurl", "jinja2", "markupsafe", "markdown_it", "mdurl", "pygments"}
        if top not in required | set(sys.stdlib_module_names) | {"sitecustomize", "usercustomize"}:
            raise ModuleNotFoundError(f"{name} is an extra", name=name)

sys.meta_path.insert(0, Refuse())
"""


def test_it_runs_with_no_extra(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(ALONE)
    alone = environment(PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep))
    for format_ in ("table", "json", "jsonl", "csv", "arrow", "parquet", "urls"):
        rows = tmp_path / f"rows-{format_}"
        assert run("read", "sitemap.xml", "--format", format_, "-o", rows, cwd=shop, env=alone) == (0, "", "")
    for name, format_ in [("rows-csv", "csv"), ("rows-parquet", "parquet"), ("rows-arrow", "arrow")]:
        arguments = ["--table-format", format_, "--base", SHOP, "--to", f"set-{format_}"]
        done = run("write", name, *arguments, cwd=tmp_path, env=alone)
        assert (done.code, done.err) == (0, "")
    program = "import polars"
    refused = subprocess.run([sys.executable, "-c", program], env=alone, capture_output=True, text=True, check=False)
    assert "polars is an extra" in refused.stderr, "the test refuses what it says"


if __name__ == "__main__":
    HELP.write_text(help_text(), encoding="utf-8")
    print(f"written: {HELP}")
