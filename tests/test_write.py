"""The pure half of writing: options, what counts as a table, shards, the lines of robots.txt. No file is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from inspect import signature
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import urlset
from urlset import _core
from urlset._write import MAX_BYTES, MAX_URLS, Settings, columns, robots, shards
from urlset.errors import OptionError, RefusedRows, SchemaError

SHOP = "https://shop.example/"
LOCS = [f"{SHOP}{number}" for number in range(5)]


def test_the_limits_are_those_of_the_protocol() -> None:
    assert (MAX_URLS, MAX_BYTES) == (50_000, 50 * 1_024 * 1_024)
    Settings(SHOP, max_urls=MAX_URLS, max_children=MAX_URLS, max_bytes=MAX_BYTES)


def test_the_verb_has_the_same_defaults() -> None:
    verb = signature(urlset.write).parameters
    # The verb tells these by the destination.
    told = {"base", "gzip", "stylesheet", "threads"}
    given = {field.name: field.default for field in fields(Settings) if field.name in verb}
    assert len(given) >= 12
    assert {name: verb[name].default for name in given if name not in told} == {
        name: default for name, default in given.items() if name not in told
    }


@pytest.mark.parametrize("name", ["max_urls", "max_children", "max_bytes", "level", "threads"])
@pytest.mark.parametrize("value", [True, 1.5, "5", None, -1, 1 << 63])
def test_numbers_are_whole(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"^{name} is {value!r}, a whole number was expected$"):
        Settings(SHOP, **{name: value})


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("shop.example", "base"),
        ("ftp://shop.example/", "base"),
        ("/maps/", "base"),
        ("https://", "base"),
    ],
)
def test_a_base_is_an_address(base: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Settings(base)


@pytest.mark.parametrize(
    "table",
    [
        pl.DataFrame({"loc": LOCS}),
        pa.table({"loc": LOCS}),
        pa.record_batch({"loc": LOCS}),
        urlset.read(LOCS[0].encode()),
    ],
)
def test_arrow_goes_through_as_it_is(table: Any) -> None:
    assert columns(table) is table


@pytest.mark.parametrize("table", [LOCS, tuple(LOCS), iter(LOCS), ({"loc": loc} for loc in LOCS)])
def test_rows_become_columns(table: Any) -> None:
    assert pl.DataFrame(columns(table))["loc"].to_list() == LOCS


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"loc": SHOP}, "the table is a dict, that is one row; a list of dicts was expected"),
        (SHOP, "the table is of type str; an object with __arrow_c_stream__"),
        (b"loc", "the table is of type bytes"),
        (5, "the table is of type int"),
        (None, "the table is of type NoneType"),
    ],
)
def test_what_is_no_table_is_named(table: object, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        columns(table)


def test_shards_come_as_soon_as_they_are_full() -> None:
    taken: list[str] = []
    at: list[int] = []

    def rows() -> Iterator[str]:
        for number in range(100_000):
            taken.append("")
            yield f"{SHOP}{number}"

    def sink(shard: _core.Shard) -> None:
        made.append(shard)
        at.append(len(taken))

    made: list[_core.Shard] = []
    shards(rows(), sink, Settings(SHOP, max_urls=20_000))
    assert [shard.rows for shard in made] == [20_000] * 5
    assert [shard.name for shard in made] == [f"sitemap-0000{number}.xml.gz" for number in range(1, 6)]
    assert at[0] < 100_000, "long before the last row"


def test_names_of_shards() -> None:
    made: list[str] = []
    shards(LOCS, lambda shard: made.append(shard.name), Settings(SHOP, max_urls=2), "part-{}.xml.gz")
    assert len(set(made)) == 3
    assert all(name.startswith("part-") for name in made)
    with pytest.raises(OptionError, match="the rows do not fit into one file"):
        shards(LOCS, lambda _: None, Settings(SHOP, max_urls=2), "one.xml")


def test_refused_rows_are_told_or_left_out() -> None:
    rows: list[Any] = [LOCS[0], "/relative", LOCS[1], 5]
    with pytest.raises(RefusedRows) as caught:
        shards(rows, lambda _: None, Settings(SHOP))
    assert [(finding.entry, finding.code) for finding in caught.value.findings[:1]] == [(1, "URL001")]
    assert str(caught.value).startswith('cannot be written: row 1: loc "/relative" is relative, ')
    assert str(caught.value).endswith(' (URL001) and 1 more; on_error="skip" leaves such rows out')
    made: list[int] = []
    writer = shards(rows, lambda shard: made.append(shard.rows), Settings(SHOP, on_error="skip"))
    assert (made, writer.skipped) == ([2], 2)


ROBOTS = [
    (None, ["a"], [], b"Sitemap: a\n", "there was none"),
    (b"", ["a"], [], b"Sitemap: a\n", "it was empty"),
    (b"User-agent: *", ["a"], [], b"User-agent: *\nSitemap: a", "a last line without an end"),
    (b"Sitemap: b\n", ["a"], [], b"Sitemap: b\nSitemap: a\n", "the lines of others stay"),
    (b"Sitemap: b\n", ["a"], ["b"], b"Sitemap: a\n", "ours that are no more go"),
    (b"sitemap:a\n", ["a"], [], b"sitemap:a\n", "it is there, whatever its form"),
    (b"Sitemap: a\n", ["a"], ["a"], b"Sitemap: a\n", "ours that stays"),
    (b"User-agent: *\r\n", ["a"], [], b"User-agent: *\r\nSitemap: a\r\n", "its ends of lines"),
    (b"\xff\n", ["a"], [], b"\xff\nSitemap: a\n", "bytes that are no text stay"),
]


@pytest.mark.parametrize(("before", "add", "ours", "after", "why"), ROBOTS, ids=[case[-1] for case in ROBOTS])
def test_robots(before: bytes | None, add: list[str], ours: list[str], after: bytes, why: str) -> None:
    def address(text: bytes) -> bytes:
        return (
            text.replace(b" a", b" https://a.example/")
            .replace(b":a", b":https://a.example/")
            .replace(b" b", b" https://b.example/")
        )

    full = {"a": "https://a.example/", "b": "https://b.example/"}
    given = None if before is None else address(before)
    made = robots(given, [full[name] for name in add], [full[name] for name in ours])
    assert bytes(made) == address(after), why
    assert bytes(robots(made, [full[name] for name in add], [full[name] for name in add])) == made, "once is enough"
