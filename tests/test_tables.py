"""Rows and files of tables become columns, and columns become files: nothing guessed, nothing lost in silence."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import urlset
from urlset import _core
from urlset.errors import OptionError, SchemaError, Unreadable

SHOP = "https://shop.example/"


def plain(rows: Any, **options: Any) -> list[dict[str, Any]]:
    """What became of rows, without what is null."""
    table = pa.table(_core.from_rows(rows, **options))
    return [bare(row) for row in table.to_pylist()]


def bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: bare(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [bare(item) for item in value]
    return value


def findings(rows: Any, **options: Any) -> list[tuple[int | None, str | None, str]]:
    """What is said of rows that cannot be taken."""
    writer = _core.Writer(base="", skip=True, allow_empty=True, gzip=False)
    writer.run(_core.from_rows(rows, **options), lambda _: None)
    return [(found["entry"], found["element"], found["message"]) for found in writer.findings()]


# Rows of Python


class Odd(tzinfo):
    """A zone that knows no offset."""

    def utcoffset(self, _: datetime | None) -> timedelta | None:
        return None

    dst = utcoffset

    def tzname(self, _: datetime | None) -> str:
        return "odd"


class Freq(StrEnum):
    DAILY = "daily"


@pytest.mark.parametrize(
    ("given", "text", "why"),
    [
        ("2024-05", "2024-05", "a text stays what it is"),
        ("yesterday", "yesterday", "also one that is no date: the writer tells"),
        (date(2024, 5, 17), "2024-05-17", "a date alone"),
        (datetime(2024, 5, 17, 1, 2, 3, tzinfo=UTC), "2024-05-17T01:02:03Z", "an instant"),
        (datetime(2024, 5, 17, 1, 2, 3, 999_999, tzinfo=UTC), "2024-05-17T01:02:03Z", "whole seconds"),
        (datetime(1969, 12, 31, 23, 59, 59, 500_000, tzinfo=UTC), "1969-12-31T23:59:59Z", "the same before 1970"),
        (datetime(2024, 5, 17, 1, tzinfo=timezone(timedelta(hours=2))), "2024-05-16T23:00:00Z", "another zone"),
        (datetime(2024, 5, 17, 1, 2, 3), "2024-05-17T01:02:03Z", "no zone is UTC"),  # noqa: DTZ001
        (datetime(2024, 5, 17, 1, tzinfo=Odd()), "2024-05-17T01:00:00Z", "a zone without offset is none"),
        (pd.Timestamp("2024-05-17T01:02:03.000000009Z"), "2024-05-17T01:02:03Z", "pandas' own"),
        (pd.NaT, None, "no time"),
        (None, None, "nothing"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00Z", "the first year"),
        (datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), "9999-12-31T23:59:59Z", "the last"),
    ],
)
def test_dates(given: object, text: str | None, why: str) -> None:
    assert plain([{"loc": "x", "lastmod": given}])[0].get("lastmod") == text, why


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("date", "2024-05-17"),
        ("year", "2024-05-17"),
        ("minutes+02:00", "2024-05-17T02:00+02:00"),
        ("seconds.3 Z", "2024-05-17T00:00:00.000Z"),
        ("", "2024-05-17T00:00:00Z"),
        (None, "2024-05-17T00:00:00Z"),
    ],
)
def test_a_form_says_how_a_date_is_written(form: str | None, text: str) -> None:
    row = {"loc": "x", "lastmod_form": form, "lastmod": datetime(2024, 5, 17, tzinfo=UTC)}
    for names in (list(row), list(reversed(row))):
        assert plain([{name: row[name] for name in names}])[0]["lastmod"] == text, "in whatever order they come"


def test_a_form_that_is_none_refuses_its_row() -> None:
    told = findings([{"loc": SHOP, "lastmod": date(2024, 5, 17), "lastmod_form": "daily"}, {"loc": SHOP}])
    expected = 'lastmod_form is "daily", a form such as `date` or `seconds Z` was expected'
    assert told == [(0, "lastmod_form", expected)]
    news = {"publication_date": date(2024, 5, 17), "publication_date_form": "x"}
    assert findings([{"loc": SHOP, "news": news}])[0][1] == "news/publication_date_form"


def test_instants_without_zone_are_told_once() -> None:
    rows = [{"loc": f"{SHOP}{n}", "lastmod": datetime(2024, 5, 17)} for n in range(3)]  # noqa: DTZ001
    writer = _core.Writer(base="", gzip=False)
    assert writer.run(_core.from_rows(rows), lambda _: None)
    (found,) = writer.findings()
    assert (found["code"], found["count"], found["entry"]) == ("DAT003", 3, None)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (0.8, "0.8"),
        (1, "1"),
        (1.0, "1.0"),
        (Decimal("0.30"), "0.30"),
        ("0.5", "0.5"),
        (np.float64(0.1), "0.1"),
        (np.float32(0.5), "0.5"),
        (np.int64(1), "1.0"),
        (float("nan"), "NaN"),
        (np.float64("nan"), "NaN"),
        (np.float32("nan"), "NaN"),
        (pd.NA, None),
        (None, None),
        (float("inf"), "inf"),
    ],
)
def test_numbers(given: object, text: str | None) -> None:
    assert plain([{"loc": "x", "priority": given}])[0].get("priority") == text


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_refuses_its_row_and_is_not_dropped(number: float) -> None:
    column = pa.array([number])
    rows: list[Any] = [{"loc": SHOP, "priority": number}]
    tables = [pa.table({"loc": [SHOP], "priority": column}), pl.DataFrame({"loc": [SHOP], "priority": [number]})]
    for table in [*tables, _core.from_rows(rows)]:
        writer = _core.Writer(base="", skip=True, gzip=False)
        writer.run(table, lambda _: None)
        (found,) = writer.findings()
        assert (found["code"], found["entry"], found["element"]) == ("HNT003", 0, "priority")


def test_many_floats_keep_their_texts() -> None:
    numbers = [n / 1_000 for n in range(1_001)] * 2
    rows = plain({"loc": "x", "priority": number} for number in numbers)
    assert [float(row["priority"]) for row in rows] == numbers


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("loc", 1.5, "loc is a float, a string was expected"),
        ("loc", b"x", "loc is a bytes, a string was expected"),
        ("loc", True, "loc is a bool, a string was expected"),
        ("loc", "\ud800", "loc is text with half a surrogate pair, Unicode was expected"),
        ("loc", ["x"], "loc is a list, a string was expected"),
        ("lastmod", 1_700_000_000, "lastmod is an int, a date, a datetime or a string was expected"),
        (
            "lastmod",
            np.datetime64("2024-05-17"),
            "lastmod is a datetime64, a date, a datetime or a string was expected",
        ),
        ("priority", True, "priority is a bool, a number was expected"),
        ("priority", np.True_, "priority is a bool, a number was expected"),
        ("priority", [1], "priority is a list, a number was expected"),
        ("priority", 1j, "priority is a complex, a number was expected"),
        ("images", 5, "images is an int, a list was expected"),
        ("images", {"loc": "x"}, "images is a dict, a list was expected"),
        ("images", b"[]", "images is a bytes, a list was expected"),
        ("images", "[", "images is not JSON (EOF while parsing a list at line 1 column 1), JSON was expected"),
        ("images", '{"loc": "x"}', "images is an object, a list was expected"),
        ("images", "[5]", "images[0] is a number, an object was expected"),
        ("images", '[{"loc": "x"}, {"loc": ["y"]}]', "images[1]/loc is a list, a string was expected"),
        ("images", '[{"loc": 1.5}]', "images[0]/loc is a fraction, a string was expected"),
        ("images", [{"loc": "x"}, {"loc": 1.5}], "images[1]/loc is a float, a string was expected"),
        ("images", [{1: "x"}], "images[0] is a dict with a key that is no string, names was expected"),
        ("news", ["x"], "news is a list, a dict was expected"),
        ("news", "[1]", "news is a list, an object was expected"),
        ("news", "Times", "news is a str, a dict was expected"),
        ("videos", ["https://a.example/v"], "videos[0] is a str, a dict was expected"),
        ("videos", '["https://a.example/v"]', "videos[0] is a string, an object was expected"),
        ("mobile", 1, "mobile is an int, true or false was expected"),
        ("videos", [{"duration": "[1]", "live": 1}], "videos[0]/live is an int, true or false was expected"),
    ],
)
def test_a_wrong_value_refuses_its_row_by_row_and_column(name: str, given: object, message: str) -> None:
    rows: list[Any] = [{"loc": SHOP}, {"loc": SHOP, name: given}, {"loc": SHOP}]
    (told,) = findings(rows)
    assert (told[0], told[2]) == (1, message)
    assert told[1] == message.partition(" is ")[0]
    assert [row["loc"] for row in plain(rows)] == [SHOP, SHOP], "the others are there"


def test_a_row_given_up_on_its_way_leaves_nothing_behind() -> None:
    """Neither the items of its lists nor its dates turn up in the next row."""
    when = {"publication_date": date(2024, 5, 17), "publication_date_form": "date", "title": ["wrong"]}
    bad: list[dict[str, Any]] = [
        {"loc": SHOP, "images": [{"loc": "x"}, 5]},
        {"loc": SHOP, "images": '[{"loc": "x"}, 5]'},
        {"loc": SHOP, "videos": [{"tag": ["x", "y"]}, {"tag": ["z", ["wrong"]]}]},
        {"loc": SHOP, "news": when},
        {"loc": SHOP, "videos": [when]},
        {"lastmod": date(2024, 5, 17), "loc": 1.5},
    ]
    good = {"loc": SHOP, "images": [{"loc": "g"}], "videos": [{"tag": ["g"]}, {"title": "g"}], "news": {"title": "g"}}
    for rows in ([good, row, good, {"loc": SHOP}, row, row, good] for row in bad):
        assert plain(rows) == [good, good, {"loc": SHOP}, good], rows[1]


@pytest.mark.parametrize("row", [5, None, b"x", ("x",), object(), {5: "x"}])
def test_what_is_no_row_is_refused(row: object) -> None:
    (told,) = findings(["https://a.example/", row, "https://b.example/"])
    assert told[0] == 1
    assert told[2].startswith("row is a")


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (5, "GEN001"),
        ({"loc": 1.5}, "STR007"),
        ({"loc": SHOP, "lastmod": 5}, "DAT001"),
        ({"loc": SHOP, "lastmod": date(2024, 1, 2), "lastmod_form": "x"}, "DAT001"),
        ({"loc": SHOP, "changefreq": 1.5}, "HNT001"),
        ({"loc": SHOP, "priority": [1]}, "HNT003"),
        ({"loc": SHOP, "videos": [{"duration": True}]}, "VID007"),
        ({"loc": SHOP, "images": 5}, "STR020"),
    ],
)
def test_the_table_says_by_which_code_a_value_is_told(row: Any, code: str) -> None:
    writer = _core.Writer(base="", skip=True, gzip=False)
    writer.run(_core.from_rows([row]), lambda _: None)
    assert [found["code"] for found in writer.findings()] == [code]


def test_row_numbers_are_those_of_the_source() -> None:
    """Rows refused before the writer sees them count as well."""
    rows = [{"loc": SHOP}, 5, {"loc": "relative"}, 6, 7, {"loc": "also relative"}, {"loc": SHOP}, 8]
    assert [told[0] for told in findings(rows)] == [1, 2, 3, 4, 5, 7]
    assert [told[0] for told in findings(rows, batch_rows=2)] == [1, 2, 3, 4, 5, 7]


@dataclass
class Page:
    loc: str
    priority: float | None = None


@dataclass(slots=True)
class Slim:
    loc: str
    images: list[dict[str, str]]


class Named(NamedTuple):
    loc: str
    lastmod: str


class Keyed:
    """As rows of database drivers are."""

    def keys(self) -> list[str]:
        return ["loc"]

    def __getitem__(self, name: str) -> str:
        return "k"


def test_kinds_of_rows() -> None:
    rows = [
        {"loc": "a"},
        OrderedDict(loc="b"),
        "c",
        Page("d", 0.5),
        Slim("e", [{"loc": "i"}]),
        Named("f", "2024"),
        Keyed(),
        urlset.Url("g", lastmod=datetime(2024, 1, 2, tzinfo=UTC), extensions={"lastmod_form": "date", "images": None}),
        {"loc": Freq.DAILY, "changefreq": Freq.DAILY},
    ]
    assert plain(rows) == [
        {"loc": "a"},
        {"loc": "b"},
        {"loc": "c"},
        {"loc": "d", "priority": "0.5"},
        {"loc": "e", "images": [{"loc": "i"}]},
        {"loc": "f", "lastmod": "2024"},
        {"loc": "k"},
        {"loc": "g", "lastmod": "2024-01-02"},
        {"loc": "daily", "changefreq": "daily"},
    ]


def test_nested_values() -> None:
    video = {"title": "t", "tag": ["x", None, "y"], "live": True, "duration": 60, "publication_date": date(2024, 1, 2)}
    rows = [
        {"loc": "a", "images": ({"loc": "i"}, None), "videos": iter([video])},
        {"loc": "b", "images": [], "news": {}},
        {"loc": "c", "images": '[{"loc": "j", "title": "\\u00e9"}, null]', "news": '{"title": "n"}', "videos": " "},
        {"loc": "d", "images": [json.dumps({"loc": "k"})]},
        {"loc": "e", "images": float("nan"), "news": None, "alternates": pd.NA},
    ]
    written = {**video, "tag": ["x", "y"], "live": "yes", "duration": "60", "publication_date": "2024-01-02"}
    assert plain(rows) == [
        {"loc": "a", "images": [{"loc": "i"}], "videos": [written]},
        {"loc": "b", "images": [], "news": {}},
        {"loc": "c", "images": [{"loc": "j", "title": "é"}], "news": {"title": "n"}},
        {"loc": "d", "images": [{"loc": "k"}]},
        {"loc": "e"},
    ]


def test_a_text_is_an_item_of_which_one_value_is_needed() -> None:
    """An image is its address; of a video several values are needed."""
    image, link = [{"loc": "i"}], [{"href": "h"}]
    for given in (["i"], ("i", None), '["i"]', ['{"loc": "i"}'], [{"loc": "i"}]):
        assert plain([{"loc": "a", "images": given}]) == [{"loc": "a", "images": image}], given
    assert plain([{"loc": "a", "alternates": ["h"], "images": ["i", {"loc": "j", "title": "t"}]}]) == [
        {"loc": "a", "alternates": link, "images": [*image, {"loc": "j", "title": "t"}]}
    ]
    assert plain([{"loc": "a", "images": ["i"]}, {"loc": "b"}, {"loc": "c", "images": ["i"]}]) == [
        {"loc": "a", "images": image},
        {"loc": "b"},
        {"loc": "c", "images": image},
    ]


def test_columns_that_come_late_are_there() -> None:
    def rows() -> Iterator[dict[str, Any]]:
        for n in range(100):
            yield {"loc": f"{n}"} if n < 70 else {"news": {"title": f"{n}"}, "loc": f"{n}", "x": 1}

    assert plain(rows(), batch_rows=16)[99] == {"loc": "99", "news": {"title": "99"}}


def test_names_that_no_column_has_are_told() -> None:
    def ignored(rows: Any) -> list[str]:
        writer = _core.Writer(base="", gzip=False)
        writer.run(_core.from_rows(rows), lambda _: None)
        return writer.ignored_columns

    rows = [
        {"loc": SHOP, "b": 1, "sitemap": "x"},
        {"b": 1, "loc": SHOP, "images": [{"loc": SHOP, "c": 1}], "a": object()},
    ]
    assert ignored(rows) == ["b", "images/c", "a"], "not sitemap, which reading adds of its own accord"
    writer = _core.Writer(base="", gzip=False, text=True)
    writer.run(_core.from_rows([{"loc": SHOP, "priority": 0.5, "b": 1}]), lambda _: None)
    assert writer.ignored_columns == ["priority", "b"], "what the rows have, and no other column"
    many = ({"loc": SHOP, f"column {n}": n} for n in range(3_000))
    assert len(ignored(many)) == 1_000


def test_tuples_have_the_columns_they_are_said_to_have() -> None:
    assert plain([("a", 0.5), ("b", None)], columns=["loc", "priority"]) == [
        {"loc": "a", "priority": "0.5"},
        {"loc": "b"},
    ]


def test_what_an_iterable_raises_comes_out_as_it_was() -> None:
    class BrokenError(Exception):
        pass

    def rows() -> Iterator[str]:
        yield SHOP
        raise BrokenError("on row 2")

    with pytest.raises(BrokenError, match="on row 2"):
        _core.Writer(base="").run(_core.from_rows(rows()), lambda _: None)


def test_a_row_is_not_larger_than_memory_allows() -> None:
    big = "x" * (1 << 20)
    told = findings([{"loc": SHOP}, {"loc": SHOP, "images": [{"title": big}] * 100}, {"loc": SHOP}])
    assert told == [(1, None, "row is larger than 64 MiB, a smaller one was expected")]


def test_batches_end_before_they_are_too_large() -> None:
    source = _core.from_rows({"loc": "x" * 100_000} for _ in range(200))
    sizes = [batch.num_rows for batch in pa.RecordBatchReader.from_stream(source)]
    assert sum(sizes) == 200
    assert max(sizes) < 50


def test_rows_are_taken_while_the_table_is_read() -> None:
    taken = 0

    def rows() -> Iterator[str]:
        nonlocal taken
        for _ in range(100):
            taken += 1
            yield SHOP

    reader = pa.RecordBatchReader.from_stream(_core.from_rows(rows(), batch_rows=10))
    assert taken == 0
    reader.read_next_batch()
    assert taken == 10


def test_a_source_is_read_once() -> None:
    source = _core.from_rows([SHOP])
    pa.table(source)
    with pytest.raises(urlset.StreamConsumed):
        pa.table(source)


def test_own_elements() -> None:
    facts = {"urlset:namespace": "urn:shop", "urlset:prefix": "shop"}
    own = pa.schema(
        [pa.field("stock", pa.int64(), metadata=facts), pa.field("sizes", pa.list_(pa.string()), metadata=facts)]
    )
    (row,) = plain([{"loc": "a", "stock": 5, "sizes": ["s", "m"]}], extensions=[own])
    assert row == {"loc": "a", "stock": "5", "sizes": ["s", "m"]}


# Files


def opened(path: Path, format_: str, **options: Any) -> list[dict[str, Any]]:
    return [bare(row) for row in pa.table(_core.open_table(str(path), format_, **options)).to_pylist()]


def complaints(path: Path, format_: str) -> list[tuple[int | None, int | None, str]]:
    writer = _core.Writer(base="", skip=True, allow_empty=True, gzip=False)
    writer.run(_core.open_table(str(path), format_), lambda _: None)
    return [(found["entry"], found["line"], found["message"]) for found in writer.findings()]


@pytest.mark.parametrize(
    ("text", "rows", "why"),
    [
        ("loc\na\nb\n", ["a", "b"], "one column"),
        ("loc\r\na\r\n\r\nb", ["a", "b"], "CR LF, an empty line, no end of line"),
        ("\ufeffloc,x\na,1\n", ["a"], "a byte order mark"),
        ("x;loc\n1;a,b\n", ["a,b"], "semicolons"),
        ("x\tloc\n1\ta\n", ["a"], "tabs"),
        ("x|loc\n1|a\n", ["a"], "bars"),
        ('"x", loc \n1,"a ""b"""\n', ['a "b"'], "quotes, blanks around names"),
        ('loc\n"a\nb"\nc\n', ["a\nb", "c"], "a line end within quotes"),
        ("loc\n", [], "no rows"),
    ],
)
def test_csv(tmp_path: Path, text: str, rows: list[str], why: str) -> None:
    for name, data in (("a.csv", text.encode()), ("b.csv", gzip.compress(text.encode()))):
        path = tmp_path / name
        path.write_bytes(data)
        assert [row["loc"] for row in opened(path, "csv")] == rows, why


def test_csv_values(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["loc", "lastmod", "lastmod_form", "images", "news", "priority"])
        out.writerow(["a", "2024", "date", '[{"loc": "i", "title": "A, \\"B\\""}]', '{"title": "é"}', ""])
        out.writerow(["b", "", "", " ", "", "0.5"])
    assert opened(path, "csv") == [
        {"loc": "a", "lastmod": "2024", "images": [{"loc": "i", "title": 'A, "B"'}], "news": {"title": "é"}},
        {"loc": "b", "priority": "0.5"},
    ]


def test_csv_rows_that_are_none_are_told_by_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [b"loc,images", b"https://a.example/,", b"short", b"x,[", b"\xff,", b"a,b,c", b"https://b.example/,"]
    path.write_bytes(b"\n".join(rows))
    assert complaints(path, "csv") == [
        (1, 3, "row has 1 fields, 2 as in the header were expected"),
        (2, 4, "images is not JSON (EOF while parsing a list at line 1 column 1), JSON was expected"),
        (3, 5, "loc is not UTF-8, UTF-8 was expected"),
        (4, 6, "row has 3 fields, 2 as in the header were expected"),
    ]
    path.write_bytes(b"loc,changefreq\nhttps://a.example/,t\xe4glich\n")
    writer = _core.Writer(base="", skip=True, gzip=False, text=True)
    writer.run(_core.open_table(str(path), "csv"), lambda _: None)
    (found,) = writer.findings()
    assert (found["code"], found["line"], found["element"]) == ("XML007", 2, "changefreq"), "not that of a wrong word"
    assert writer.ignored_columns == ["changefreq"], "of a list of addresses: what the header has, and no other column"


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", SchemaError, 'column "loc" is needed'),
        (b"url,title\na,b\n", SchemaError, 'column "loc" is needed, the header has url, title'),
        (b"loc,a,loc\n", SchemaError, 'column "loc" stands twice'),
        ("loc\na\n".encode("utf-16"), Unreadable, "the file is UTF-16, UTF-8 was expected"),
        (gzip.compress(b"loc\na\n" * 1_000, mtime=0)[:-30], Unreadable, "incomplete deflate stream"),
    ],
)
def test_csv_that_is_no_table(tmp_path: Path, data: bytes, error: type[Exception], message: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    with pytest.raises(error, match=message):
        _core.Writer(base="", skip=True).run(_core.open_table(str(path), "csv"), lambda _: None)


@pytest.mark.parametrize(
    ("text", "rows", "why"),
    [
        ('{"loc":"a"}\n{"loc":"b"}\n', ["a", "b"], "lines"),
        ('\ufeff{"loc":"a"}\r\n\r\n  {"loc":"b"}', ["a", "b"], "mark, CR LF, empty lines, no end of line"),
        ('[{"loc":"a"},{"loc":"b"}]', ["a", "b"], "a list"),
        (' [\n {"loc": "a,]}"} ,\n\n {"loc": "\\"b"}\n]\n', ["a,]}", '"b'], "a list over lines"),
        ("[]", [], "an empty list"),
        ("", [], "an empty file"),
        ('"a"\n"b"\n', ["a", "b"], "addresses alone"),
        ('["a", "b"]', ["a", "b"], "a list of addresses"),
        ('{"loc":"a","loc":"b"}\n', ["a"], "a name that stands twice: the first"),
    ],
)
@pytest.mark.parametrize("format_", ["json", "jsonl"])
def test_json(tmp_path: Path, text: str, rows: list[str], why: str, format_: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    assert [row["loc"] for row in opened(path, format_)] == rows, why


def test_json_values(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [
        {"loc": "a", "priority": 0.5, "images": [{"loc": "i", "title": "é"}, None], "x": {"y": [1, {"z": 2}]}},
        {
            "loc": "b",
            "priority": "0.30",
            "mobile": True,
            "videos": [{"view_count": 12345678901, "tag": ["x"]}],
            "news": None,
        },
        {"loc": "c", "images": '[{"loc": "j"}]', "lastmod": "2024", "lastmod_form": None},
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert opened(path, "jsonl") == [
        {"loc": "a", "priority": "0.5", "images": [{"loc": "i", "title": "é"}]},
        {"loc": "b", "priority": "0.30", "mobile": "yes", "videos": [{"view_count": "12345678901", "tag": ["x"]}]},
        {"loc": "c", "images": [{"loc": "j"}], "lastmod": "2024"},
    ]


def test_one_bad_line_does_no_harm_to_others(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = json.dumps({"loc": SHOP, "images": [{"loc": SHOP}]})
    bad = [
        '{"loc": "a"',
        "5",
        "[1]",
        "null",
        '{"loc": true}',
        '{"images": [{"loc": "x"}, 5]}',
        '{"loc": "a"} x',
        "{'loc': 1}",
    ]
    path.write_text(
        "\n\n".join(line for pair in zip(bad, [good] * len(bad), strict=True) for line in pair), encoding="utf-8"
    )
    told = complaints(path, "jsonl")
    assert [(entry, line) for entry, line, _ in told] == [(2 * n, 4 * n + 1) for n in range(len(bad))]
    assert [row for row in opened(path, "jsonl") if row != json.loads(good)] == []
    assert told[0][2].startswith("row is not JSON (")
    assert told[3][2] == "row is null, an object was expected"


@pytest.mark.parametrize(
    ("text", "message"),
    [('[{"loc":"a"}', "has no end; the file is cut"), ('[{"loc":"a"}] x', "line 1: something follows the list")],
)
def test_json_lists_that_are_none(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable, match=message):
        _core.Writer(base="", skip=True).run(_core.open_table(str(path), "json"), lambda _: None)


def table() -> pa.Table:
    return pa.table(
        {
            "loc": [f"{SHOP}{n}" for n in range(1_000)],
            "lastmod": pa.array([1_700_000_000_000_000 + n for n in range(1_000)], pa.timestamp("us", "UTC")),
            "changefreq": pa.array(["daily", None] * 500).dictionary_encode(),
            "images": [[{"loc": f"{SHOP}{n}.png"}] if n % 3 else None for n in range(1_000)],
            "other": list(range(1_000)),
        }
    )


def packed(path: Path, how: str) -> str:
    """Write the table in one of the ways that libraries write by default; return its format."""
    match how:
        case "zstd" | "snappy" | "gzip" | "lz4" | "none":
            pa.parquet.write_table(table(), path, compression=how, row_group_size=300)
            return "parquet"
        case "polars parquet":
            pl.DataFrame(table()).write_parquet(path)
            return "parquet"
        case "feather":
            pa.feather.write_feather(table(), path)
        case "feather zstd":
            pa.feather.write_feather(table(), path, compression="zstd")
        case "polars ipc":
            pl.DataFrame(table()).write_ipc(path, compression="lz4")
        case "stream":
            with pa.ipc.new_stream(path, table().schema) as out:
                out.write_table(table(), max_chunksize=100)
    return "arrow"


WAYS = ["zstd", "snappy", "gzip", "lz4", "none", "polars parquet", "feather", "feather zstd", "polars ipc", "stream"]


@pytest.mark.parametrize("how", WAYS)
def test_packed_files(tmp_path: Path, how: str) -> None:
    path = tmp_path / "table"
    format_ = packed(path, how)
    found = pa.table(_core.open_table(str(path), format_))
    assert found.to_pylist() == table().drop_columns(["other"]).to_pylist()
    writer = _core.Writer(base=SHOP, gzip=False)
    assert writer.run(_core.open_table(str(path), format_), lambda _: None)
    assert (writer.rows, writer.ignored_columns) == (1_000, ["other"])


@pytest.mark.parametrize("how", ["zstd", "feather", "stream"])
def test_damaged_packed_files_are_errors_and_nothing_worse(tmp_path: Path, how: str) -> None:
    path = tmp_path / "table"
    format_ = packed(path, how)
    whole = path.read_bytes()
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]):
            path.write_bytes(damaged)
            try:
                rows = pa.table(_core.open_table(str(path), format_)).num_rows
            except (urlset.UrlsetError, pa.ArrowException, OSError, ValueError):
                continue
            assert rows <= 1_000


@pytest.mark.parametrize(
    ("format_", "data"), [("parquet", b""), ("parquet", b"x" * 100), ("arrow", b""), ("arrow", b"loc\n")]
)
def test_files_of_another_format(tmp_path: Path, format_: str, data: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(data)
    with pytest.raises(Unreadable):
        _core.open_table(str(path), format_)


def test_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match='format is "xls", csv, tsv, jsonl, json, parquet or arrow was expected'):
        _core.open_table(str(tmp_path), "xls")


# Tables into files

SITEMAP = b"""<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://shop.example/a,&quot;b&quot;</loc><lastmod>2024-05</lastmod>
 <changefreq>daily</changefreq><priority>1.0</priority>
 <image:image><image:loc>https://shop.example/1.png</image:loc>
 <image:title>\xc3\xa9 "q"</image:title></image:image></url>
<url><loc>https://shop.example/b</loc><lastmod>2024-05-17T10:00:00.5+02:00</lastmod>
 <video:video><video:thumbnail_loc>https://shop.example/t.png</video:thumbnail_loc><video:title>t</video:title>
 <video:description>d</video:description><video:content_loc>https://shop.example/v.mp4</video:content_loc>
 <video:publication_date>2024-05-17</video:publication_date><video:live>no</video:live>
 <video:view_count>5</video:view_count>
 <video:tag>x</video:tag><video:tag>y</video:tag></video:video></url>
<url><loc>https://shop.example/c</loc></url>
</urlset>"""


def out(format_: str, columns: list[str] | None = None) -> bytes:
    file = io.BytesIO()
    urls = urlset.read(SITEMAP, columns=columns)
    writer = _core.TableWriter(file, format_, urls.schema)
    for batch in urls.batches():
        writer.write(batch)
    writer.close()
    writer.close()
    assert writer.rows == 3
    return file.getvalue()


def test_urls_out() -> None:
    assert out("urls") == b'https://shop.example/a,"b"\nhttps://shop.example/b\nhttps://shop.example/c\n'


def test_jsonl_out() -> None:
    first, second, third = (json.loads(line) for line in out("jsonl").splitlines())
    assert first == {
        "loc": 'https://shop.example/a,"b"',
        "lastmod": "2024-05",
        "changefreq": "daily",
        "priority": 1.0,
        "images": [{"loc": "https://shop.example/1.png", "title": 'é "q"'}],
    }
    assert second["lastmod"] == "2024-05-17T10:00:00.5+02:00"
    video = second["videos"][0]
    assert (video["publication_date"], video["live"], video["view_count"], video["tag"]) == (
        "2024-05-17",
        False,
        5,
        ["x", "y"],
    )
    assert "publication_date_form" not in video
    assert third == {"loc": "https://shop.example/c"}


def test_csv_out() -> None:
    rows = list(csv.DictReader(io.StringIO(out("csv").decode())))
    assert [row["loc"] for row in rows] == [
        'https://shop.example/a,"b"',
        "https://shop.example/b",
        "https://shop.example/c",
    ]
    assert [row["lastmod"] for row in rows] == ["2024-05", "2024-05-17T10:00:00.5+02:00", ""]
    assert json.loads(rows[0]["images"]) == [{"loc": "https://shop.example/1.png", "title": 'é "q"'}]
    assert rows[0]["priority"] == "1.0"
    assert "lastmod_form" not in rows[0]


def test_a_form_without_its_date_is_a_column() -> None:
    assert out("csv", ["loc", "lastmod_form"]).splitlines()[0] == b"loc,lastmod_form"


@pytest.mark.parametrize("format_", ["arrow", "arrows", "parquet"])
def test_packed_out(format_: str) -> None:
    data = out(format_)
    match format_:
        case "arrow":
            found = pa.ipc.open_file(data).read_all()
            assert pl.read_ipc(data).height == 3
            assert pa.types.is_string(found.schema.field("lastmod_form").type)
        case "arrows":
            found = pa.ipc.open_stream(data).read_all()
            assert pa.types.is_dictionary(found.schema.field("lastmod_form").type)
        case _:
            found = pa.parquet.read_table(io.BytesIO(data))
            about = pa.parquet.ParquetFile(io.BytesIO(data)).metadata
            assert about.row_group(0).column(0).compression == "ZSTD"
            assert about.created_by == f"urlset {urlset.__version__}"
    assert found.to_pylist() == pa.table(urlset.read(SITEMAP)).to_pylist()


@pytest.mark.parametrize("format_", ["arrow", "arrows", "parquet", "jsonl", "csv"])
def test_what_goes_out_comes_in_again(tmp_path: Path, format_: str) -> None:
    """Every form but addresses alone can be written again, and gives the same sitemap."""
    path = tmp_path / f"a.{format_}"
    path.write_bytes(out(format_))
    urlset.write(path, tmp_path / "again.xml", base=SHOP)
    urlset.write(urlset.read(SITEMAP), tmp_path / "direct.xml", base=SHOP)
    assert (tmp_path / "again.xml").read_bytes() == (tmp_path / "direct.xml").read_bytes()


def test_many_batches_with_dictionaries_of_their_own(tmp_path: Path) -> None:
    sitemap = b"\n".join(
        b"<url><loc>https://shop.example/%d</loc><changefreq>%s</changefreq></url>"
        % (n, [b"daily", b"weekly", b"never"][n // 40])
        for n in range(120)
    )
    data = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' + sitemap + b"</urlset>"
    for format_ in ("arrow", "arrows", "parquet", "csv"):
        urls = urlset.read(data, batch_rows=40)
        path = tmp_path / format_
        with path.open("wb") as file:
            writer = _core.TableWriter(file, format_, urls.schema)
            writer.write(urls)
            writer.close()
        found = opened(path, {"arrows": "arrow"}.get(format_, format_))
        assert [row["changefreq"] for row in found] == ["daily"] * 40 + ["weekly"] * 40 + ["never"] * 40, format_


class Full(io.RawIOBase):
    """A file on a disk that is full."""

    def writable(self) -> bool:
        return True

    def write(self, _: object, /) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("format_", ["arrow", "arrows", "parquet", "jsonl", "csv", "urls"])
def test_what_a_file_raises_comes_out_as_it_was(format_: str) -> None:
    urls = urlset.read(SITEMAP)

    def write() -> None:
        writer = _core.TableWriter(Full(), format_, urls.schema)
        writer.write(urls)
        writer.close()

    with pytest.raises(OSError, match="No space left on device") as caught:
        write()
    assert caught.value.errno == 28


def test_batches_of_another_table_are_refused() -> None:
    writer = _core.TableWriter(io.BytesIO(), "csv", _core.schema())
    with pytest.raises(urlset.UrlsetError, match="other columns"):
        writer.write(pa.table({"loc": ["a"]}))


def test_findings_are_a_table_too() -> None:
    found = urlset.read(b"not absolute\nhttps://shop.example/\n")
    found.to_pylist()
    file = io.BytesIO()
    writer = _core.TableWriter(file, "jsonl", found.findings.schema)
    writer.write(found.findings)
    writer.close()
    assert [json.loads(line)["code"] for line in file.getvalue().splitlines()] == [
        finding.code for finding in found.findings
    ]


def test_span() -> None:
    batch = next(iter(urlset.read(SITEMAP).batches()))
    count, earliest, latest = _core.span(batch, "lastmod")
    assert count == 2
    assert datetime.fromtimestamp((earliest or 0) / 1e6, UTC) == datetime(2024, 5, 1, tzinfo=UTC)
    assert datetime.fromtimestamp((latest or 0) / 1e6, UTC) == datetime(2024, 5, 17, 8, 0, 0, 500_000, tzinfo=UTC)
    with pytest.raises(SchemaError):
        _core.span(batch, "loc")
