"""`urlset write` as people and scripts run it: tables of every format, what is said of a set, what is refused."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from pathlib import Path

import polars as pl
import pytest

from tests.command import LOCS, ROWS, SHOP, names, run


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that hold the same rows; nobody writes to them."""
    folder = tmp_path_factory.mktemp("tables")
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
    return folder


@pytest.mark.parametrize(
    "name",
    ["t.csv", "t.tsv", "t.jsonl", "t.jsonl.gz", "t.json", "t.txt", "t.parquet", "t.arrow", "t.sqlite", "t.dat"],
)
def test_tables(tables: Path, name: str) -> None:
    options = ["--table-format", "jsonl"] if name == "t.dat" else []
    done = run("write", name, *options, "--to", "-", "--no-gzip", cwd=tables)
    assert (done.code, done.err) == (0, "")
    assert re.findall("<loc>(.*?)</loc>", done.out) == LOCS
    days = re.findall("<lastmod>(.*?)</lastmod>", done.out)
    assert days == ([] if name == "t.txt" else [day for _, day in ROWS if day])


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.json", "t.txt", "t.parquet", "t.arrow", "t.sqlite"])
def test_tables_from_standard_input(tables: Path, tmp_path: Path, name: str) -> None:
    done = run("write", "-", "--to", "a.txt", cwd=tmp_path, stdin=(tables / name).read_bytes())
    assert done.code == 0, done.err
    assert (tmp_path / "a.txt").read_text().split() == LOCS


def test_a_query(tables: Path, tmp_path: Path) -> None:
    query = "select loc from page where lastmod is null"
    assert run("write", tables / "t.sqlite", "--sql", query, "--to", "a.txt", "-q", cwd=tmp_path) == (0, "", "")
    assert (tmp_path / "a.txt").read_text().split() == [LOCS[1]]


def test_a_set_and_what_is_said_of_it(tables: Path, tmp_path: Path) -> None:
    done = run("write", tables / "t.csv", "--base", SHOP, "--to", "set", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert names(tmp_path / "set") == {"sitemap-00001.xml.gz", "sitemap.xml", "robots.txt", ".urlset.json"}
    assert done.out.startswith("3 URLs in 2 files, ")
    assert done.out.endswith("next: urlset read set/sitemap.xml\n")
    again = run("write", tables / "t.csv", "--base", SHOP, "--to", "set", "--format", "json", cwd=tmp_path)
    about = json.loads(again.out)
    assert (about["format_version"], about["urls"], about["changed"]) == (1, 3, [])


def test_the_next_command_reads_all(tmp_path: Path, many: Path) -> None:
    arguments = ["--base", SHOP, "--to", "set", "--max-urls", "1000", "--max-children", "7"]
    done = run("write", many, *arguments, cwd=tmp_path)
    assert done.code == 0, done.err
    (suggested,) = re.findall("^next: urlset (.*)$", done.out, re.MULTILINE)
    assert run(*suggested.split(), "--format", "json", cwd=tmp_path).out.count('"urls": 20000') == 1


def test_lists_in_a_folder_come_back(tables: Path, tmp_path: Path) -> None:
    done = run("write", tables / "t.csv", "--text", "--base", SHOP, "--to", "set", cwd=tmp_path)
    assert done.code == 0, done.err
    assert names(tmp_path / "set") >= {"sitemap-00001.txt.gz", "sitemap.xml"}
    for source in ("set", "set/sitemap.xml"):
        assert run("read", source, "--format", "urls", cwd=tmp_path) == (0, "".join(f"{x}\n" for x in LOCS), "")


# What is refused


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
