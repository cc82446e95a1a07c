"""What every case reads can be written: the rows come back, and what is refused is what the authorities refuse."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.conformance.cases import LOC, Case, cases
from tests.reading import read
from tests.test_write_then_read import SCHEMA, encoded, typed
from urlset import _core

CASES = [case for case in cases() if case.rows]
BASE = "https://a.example/"


def write(rows: Any, **options: Any) -> tuple[list[bytes], list[dict[str, Any]]]:
    """Files of rows, and what was refused."""
    shards: list[_core.Shard] = []
    writer = _core.Writer(base=BASE, gzip=False, skip=True, allow_offsite=True, allow_empty=True, **options)
    writer.run(_core.from_rows(rows), shards.append)
    return [bytes(shard.data) for shard in shards], writer.findings()


def sent(value: Any, name: str = "") -> Any:
    """A value as it travels: addresses in their encoded form."""
    match value:
        case dict():
            return {key: sent(item, key) for key, item in value.items()}
        case list():
            return [sent(item, name) for item in value]
        case str() if name != "text" and re.match("https?://", value, re.IGNORECASE):
            return encoded(value)
    return value


LANGUAGES = {"ALT005", "ALT006", "ALT007", "ALT014", "NWS004"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_what_was_read_is_written_and_read_again(case: Case) -> None:
    rows = [{name: typed(value, SCHEMA.field(name).type) for name, value in row.items()} for row in case.rows]
    files, refused = write(rows)
    left_out = {finding["entry"] for finding in refused}
    kept = [row for number, row in enumerate(case.rows) if number not in left_out]
    again = [row for file in files for row in read(file).rows]
    assert again == [sent(row) for row in kept]
    # a clean file is never refused, but for languages, which reading leaves to whoever checks or writes
    assert not left_out or case.finds or {finding["code"] for finding in refused} <= LANGUAGES


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"loc": ""}, "STR008"),
        ({"loc": "/relative"}, "URL001"),
        ({"loc": "ftp://a.example/"}, "URL002"),
        ({"loc": "https:///x"}, "URL003"),
        ({"loc": "https://a..example/"}, "URL004"),
        ({"loc": LOC + "x" * 2_030}, "SIZ007"),
        ({"loc": LOC, "lastmod": "yesterday"}, "DAT001"),
        ({"loc": LOC, "lastmod": "2025-02-30"}, "DAT002"),
        ({"loc": LOC, "changefreq": "biweekly"}, "HNT001"),
        ({"loc": LOC, "priority": 1.1}, "HNT004"),
        ({"loc": LOC, "priority": -0.1}, "HNT004"),
        ({"loc": LOC, "images": [{"title": "T"}]}, "IMG001"),
        ({"loc": LOC, "videos": [{"title": "T", "description": "D"}]}, "VID001"),
        ({"loc": LOC, "news": {"title": "T"}}, "NWS001"),
        ({"loc": LOC, "alternates": [{"hreflang": "de"}]}, "ALT001"),
    ],
)
def test_what_cannot_be_valid_is_refused_by_row(row: dict[str, Any], code: str) -> None:
    files, refused = write([{"loc": LOC + "1"}, row, {"loc": LOC + "3"}])
    assert [(finding["entry"], finding["code"]) for finding in refused] == [(1, code)]
    assert [row["loc"] for file in files for row in read(file).rows] == [LOC + "1", LOC + "3"]


def test_the_order_of_elements_is_that_of_the_schema() -> None:
    row = {
        "alternates": [{"hreflang": "de", "href": LOC}],
        "images": [{"title": "T", "loc": LOC + "i.png"}],
        "priority": 0.8,
        "changefreq": "daily",
        "lastmod": "2025-06-07",
        "loc": LOC,
    }
    ((file,), refused) = write([row])
    assert refused == []
    assert re.findall(r"<([\w:]+)", file.decode())[1:] == [
        "url", "loc", "lastmod", "changefreq", "priority", "image:image", "image:loc", "image:title", "xhtml:link",
    ]  # fmt: skip


def test_only_namespaces_that_are_used_are_declared_and_once() -> None:
    ((file,), _) = write([{"loc": LOC, "images": [{"loc": LOC + "i.png"}]}, {"loc": LOC, "images": [{"loc": LOC}]}])
    assert re.findall(r'xmlns(?::\w+)?="([^"]+)"', file.decode()) == [
        "http://www.sitemaps.org/schemas/sitemap/0.9",
        "http://www.google.com/schemas/sitemap-image/1.1",
    ]


def test_the_five_characters_are_escaped() -> None:
    title = "a < b > c & d \" e ' f ]]>"
    ((file,), _) = write([{"loc": LOC + "?a=1&b='2'", "images": [{"loc": LOC, "title": title}]}])
    assert b"?a=1&amp;b=" in file
    assert b"]]>" not in file
    assert read(file).rows == [{"loc": LOC + "?a=1&b='2'", "images": [{"loc": LOC, "title": title}]}]


@pytest.mark.parametrize(("value", "text"), [(0.8, "0.8"), (1.0, "1.0"), (0.0, "0.0"), (0.25, "0.25"), (1, "1.0")])
def test_priority_is_the_shortest_plain_decimal(value: float, text: str) -> None:
    ((file,), _) = write([{"loc": LOC, "priority": value}])
    assert f"<priority>{text}</priority>".encode() in file


@pytest.mark.parametrize(
    "text",
    ["2005", "2005-06", "2005-06-07", "2005-06-07T08:09Z", "2005-06-07T08:09:10.120-05:00", "2005-06-07T08:09:10Z"],
)
def test_dates_given_as_text_are_kept(text: str) -> None:
    ((file,), _) = write([{"loc": LOC, "lastmod": text}])
    assert f"<lastmod>{text}</lastmod>".encode() in file


@pytest.mark.parametrize("rows", [1, 50_000, 50_001, 100_000, 100_001])
def test_a_file_has_at_most_50_000_entries(rows: int) -> None:
    files, _ = write(f"{LOC}{number}" for number in range(rows))
    assert [file.count(b"<url>") for file in files] == [50_000] * (rows // 50_000) + [rows % 50_000] * (
        rows % 50_000 > 0
    )


def test_a_file_has_at_most_52_428_800_bytes() -> None:
    # 1,200 links of 88 bytes an entry: the bytes bind before the entries do
    links = [{"hreflang": "de", "href": f"{LOC}{number:07}"} for number in range(1_200)]
    files, _ = write({"loc": f"{LOC}{number:07}", "alternates": links} for number in range(700))
    assert len(files) == 2
    assert 52_428_800 - 110_000 < len(files[0]) <= 52_428_800
    assert sum(file.count(b"<url>") for file in files) == 700
