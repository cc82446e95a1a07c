"""Files of tables: told apart, opened, refused with words that help."""

from __future__ import annotations

import gzip
import io
import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import urlset
from urlset import _core
from urlset._source import ENDINGS, FORMATS, format_of, opened
from urlset.errors import NotFound, OptionError, RefusedRows, SchemaError, Unreadable

SHOP = "https://shop.example/"


def rows(source: Any, **options: Any) -> list[str]:
    with opened(source, **options) as table:
        found: list[str] = pa.table(table)["loc"].to_pylist()
    return found


def write(source: Any, **options: Any) -> None:
    """Read to the end as the writer does, which passes errors on as they are."""
    with opened(source, **options) as table:
        _core.Writer(base="", skip=True).run(table, lambda _: None)


@pytest.mark.parametrize("ending", ENDINGS)
def test_endings(ending: str) -> None:
    assert format_of(f"a.b{ending}") == ENDINGS[ending]
    assert format_of(f"A{ending.upper()}") == ENDINGS[ending]
    assert ENDINGS[ending] in FORMATS


@pytest.mark.parametrize("name", ["a.csv.gz", "a.jsonl.gz", "a.txt.gz"])
def test_packed_texts(name: str) -> None:
    assert format_of(name) == ENDINGS[Path(name.removesuffix(".gz")).suffix]


def test_files_without_an_ending_are_told_by_their_beginnings(tmp_path: Path) -> None:
    path = tmp_path / "table"
    table = pa.table({"loc": [SHOP]})
    pa.parquet.write_table(table, path)
    assert rows(path) == [SHOP]
    pa.feather.write_feather(table, path)
    assert rows(path) == [SHOP]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pages", "the ending of 'pages' tells no format; one of .csv, .tsv,"),
        ("pages.xls", "or table_format (--table-format) as one of csv, tsv, jsonl, json, parquet, arrow, sqlite, urls"),
        ("pages.parquet.gz", "tells no format"),
        ("sitemap.xml", "the table is a sitemap itself; urlset.read makes a table of it"),
        ("sitemap.xml.gz", "the table is a sitemap itself"),
    ],
)
def test_formats_that_cannot_be_told(tmp_path: Path, name: str, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"x")
    with pytest.raises(OptionError) as caught:
        rows(path)
    assert message in str(caught.value)


def test_places_where_no_table_is(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"there is no such file: .*pages\.csv"):
        rows(tmp_path / "pages.csv")
    with pytest.raises(NotFound):
        rows(tmp_path / "none" / "pages.csv")
    with pytest.raises(Unreadable, match="a folder, a file that holds a table was expected"):
        rows(tmp_path)
    with pytest.raises(OptionError, match="'xls' is none of csv, tsv"):
        rows(tmp_path, format="xls")
    (tmp_path / "pages.parquet").write_bytes(b"x" * 100)
    with pytest.raises(Unreadable, match=r"the table is damaged: .*: .*pages\.parquet$"):
        rows(tmp_path / "pages.parquet")


def test_lists_of_addresses(tmp_path: Path) -> None:
    path = tmp_path / "pages.txt"
    path.write_bytes(b"\xef\xbb\xbfhttps://a.example/\r\n\n  https://b.example/ \nhttps://c.example/\xc3\xa9")
    assert rows(path) == ["https://a.example/", "https://b.example/", "https://c.example/é"]
    path.write_bytes(b"https://a.example/\n\xff\n")
    with pytest.raises(Unreadable, match=r"line 2 is not UTF-8: .*pages\.txt"):
        write(path)


# Streams


def stream(name: str) -> bytes:
    table = pa.table({"loc": [SHOP]})
    out = io.BytesIO()
    match name:
        case "parquet":
            pa.parquet.write_table(table, out)
        case "arrow":
            pa.feather.write_feather(table, out)
        case "arrows":
            with pa.ipc.new_stream(out, table.schema) as writer:
                writer.write_table(table)
        case "csv":
            return b"x,loc\n1,https://shop.example/\n"
        case "csv.gz":
            return gzip.compress(stream("csv"))
        case "tsv":
            return b"x\tloc\n1\thttps://shop.example/\n"
        case "jsonl":
            return b'{"loc": "https://shop.example/"}\n'
        case "json":
            return b' [{"loc": "https://shop.example/"}]'
        case "urls":
            return b"https://shop.example/\n"
        case "sqlite":
            connection = sqlite3.connect(":memory:")
            connection.execute("create table a (loc text)")
            connection.execute("insert into a values (?)", [SHOP])
            connection.commit()
            return connection.serialize()
    return out.getvalue()


STREAMS = ["parquet", "arrow", "arrows", "csv", "csv.gz", "tsv", "jsonl", "json", "urls", "sqlite"]


@pytest.mark.parametrize("name", STREAMS)
def test_streams_are_told_by_their_beginnings(name: str) -> None:
    with io.BufferedReader(io.BytesIO(stream(name))) as file:
        assert rows(file) == [SHOP]
        assert not file.closed, "whoever opened it closes it"


@pytest.mark.parametrize("name", ["csv", "parquet", "arrows", "urls"])
def test_standard_input(name: str) -> None:
    program = f"import urlset, sys; urlset.write('-', sys.stdout.buffer, base={SHOP!r})"
    done = subprocess.run([sys.executable, "-c", program], input=stream(name), capture_output=True, check=True)
    assert f"<loc>{SHOP}</loc>".encode() in done.stdout


def test_streams_that_cannot_be_told() -> None:
    with pytest.raises(OptionError, match="neither a name nor the first bytes of the stream tell its format"):
        rows(io.BufferedReader(io.BytesIO(b"\x00\x01")))
    assert rows(io.BytesIO(b"loc\na\n"), format="csv") == ["a"]


def test_streams_are_read_as_they_come() -> None:
    """The second row is sent only after the first was taken."""
    given, taken = os.pipe()
    lines = 70_000
    first = threading.Event()

    def feed() -> None:
        with os.fdopen(taken, "wb") as out:
            out.write(b"loc\n" + b"https://shop.example/%010d\n" % 1 * lines)
            out.flush()
            assert first.wait(30)
            out.write(b"https://shop.example/%010d\n" % 2)

    feeder = threading.Thread(target=feed)
    feeder.start()
    with os.fdopen(given, "rb") as file, opened(file) as table:
        reader = pa.RecordBatchReader.from_stream(table)
        count = reader.read_next_batch().num_rows
        first.set()
        count += sum(batch.num_rows for batch in reader)
    feeder.join()
    assert count == lines + 1


# Databases


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop ä?.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        create table page (id integer, loc text, "last mod" text, lastmod text, priority real, images text);
        insert into page values (2, 'https://shop.example/2', 'x', '2024', 0.5, '[{"loc": "https://shop.example/2.png"}]');
        insert into page values (1, 'https://shop.example/1', 'x', null, null, null);
        create table other (id integer);
        """
    )
    connection.commit()
    connection.close()
    return path


def test_the_only_table_with_loc(shop: Path, tmp_path: Path) -> None:
    result = urlset.write(shop, tmp_path / "out.xml", base=SHOP)
    assert result.ignored_columns == ("id", "last mod")
    text = (tmp_path / "out.xml").read_text(encoding="utf-8")
    assert text.index("/2</loc>") < text.index("/1</loc>"), "in the order of the table"
    assert "<lastmod>2024</lastmod><priority>0.5</priority><image:image>" in text


def test_a_table_by_name_and_a_query(shop: Path) -> None:
    assert rows(shop, table_name="page") == [f"{SHOP}2", f"{SHOP}1"]
    assert rows(shop, sql="select 'https://shop.example/' || id as loc from page order by id") == [
        f"{SHOP}1",
        f"{SHOP}2",
    ]


def test_it_cannot_be_changed(shop: Path) -> None:
    before = shop.read_bytes()
    for sql in (
        "delete from page",
        "drop table page",
        "update page set loc = 1 returning loc",
        "pragma user_version = 5",
    ):
        with pytest.raises((OptionError, Unreadable, SchemaError)):
            rows(shop, sql=sql)
    assert shop.read_bytes() == before
    assert not shop.with_name(shop.name + "-journal").exists()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"table_name": "pages"}, OptionError, "there is no table 'pages', there are other, page"),
        ({"table_name": "other"}, SchemaError, 'column "loc" is needed'),
        ({"table_name": "page", "sql": "select 1"}, OptionError, "table_name and sql are both given"),
        (
            {"sql": "select id from page"},
            SchemaError,
            'column "loc" is needed, the query gives id; name one with "as loc"',
        ),
        ({"sql": "select loc, id as loc from page"}, SchemaError, "two columns of the query have one name"),
        ({"sql": "select"}, Unreadable, "the database cannot be read: incomplete input"),
        ({"sql": "select 1; select 2"}, OptionError, "one select was expected"),
        ({"sql": ""}, OptionError, "a select was expected"),
        ({"sql": "select loc from page where abs(-9223372036854775808)"}, Unreadable, "integer overflow"),
        ({"sql": "select loc from page where id = ?"}, OptionError, "one select was expected"),
    ],
)
def test_queries_that_give_no_table(shop: Path, options: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        write(shop, **options)


def test_which_table_cannot_always_be_told(shop: Path) -> None:
    connection = sqlite3.connect(shop)
    connection.execute("create view fresh as select * from page where id > 1")
    connection.commit()
    connection.close()
    with pytest.raises(OptionError, match=r"tables fresh, page all have a column loc; table_name \(--table\)"):
        rows(shop)
    assert rows(shop, table_name="fresh") == [f"{SHOP}2"]


def test_databases_without_a_table(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.touch()
    with pytest.raises(SchemaError, match="no table of the database has a column loc, there are none"):
        rows(path)
    path.write_bytes(b"no database" * 100)
    with pytest.raises(Unreadable, match="the file is no SQLite database"):
        rows(path)
    path.write_bytes(b"SQLite format 3\0" + b"x" * 4_000)
    with pytest.raises(Unreadable, match="the database cannot be read"):
        rows(path)


def test_awkward_tables(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute('create table "a ""b"" c" (loc text primary key, rowid text) without rowid')
    connection.executemany('insert into "a ""b"" c" values (?, ?)', [("b", "1"), ("a", "2")])
    connection.commit()
    connection.close()
    assert rows(path) == ["a", "b"], "the order of its key"


def test_values_that_a_column_cannot_take(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    connection = sqlite3.connect(path)
    connection.execute("create table a (loc, priority)")
    connection.executemany(
        "insert into a values (?, ?)", [(SHOP, 0.5), (b"\xff", 0.5), (SHOP, "x"), (5.5, None), (None, 1)]
    )
    connection.commit()
    with pytest.raises(RefusedRows) as caught:
        urlset.write(path, tmp_path / "out.xml", base=SHOP)
    assert [(finding.entry, finding.element) for finding in caught.value.findings] == [
        (1, "loc"),
        (2, "priority"),
        (3, "loc"),
        (4, "loc"),
    ]
    connection.execute("delete from a")
    connection.execute("insert into a values (cast(x'ff' as text), 1)")
    connection.commit()
    connection.close()
    with pytest.raises(Unreadable, match="the database cannot be read: Could not decode to UTF-8"):
        write(path)


def test_only_databases_have_tables_and_queries(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("loc\na\n")
    with pytest.raises(OptionError, match="a csv file holds one table"):
        rows(path, sql="select 1")
    with pytest.raises(OptionError, match="are for files; this table is none"):
        urlset.write([SHOP], tmp_path / "out.xml", base=SHOP, sql="select 1")


def test_a_file_that_changes_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"loc\n" + b"https://shop.example/\n" * 100_000)
    with opened(path) as table:
        os.truncate(path, 10)
        assert pa.table(table).num_rows < 100_000


def test_the_core_takes_paths_alone() -> None:
    with pytest.raises(SchemaError, match="cannot be read from a pipe"):
        _core.open_table(io.BytesIO(b""), "parquet")
