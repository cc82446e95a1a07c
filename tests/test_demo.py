"""The catalogue of the demonstration, the comparison that judges the round trip, and its screen."""

from __future__ import annotations

import io
import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

import urlset
from urlset._demo import BASE, Row, catalogue, rows
from urlset._demo.run import EPOCH, Figures, RoundTripError, compare, run, table
from urlset._demo.shop import AWKWARD, COLUMNS, LONGEST

SOME = list(rows(3_000))
# RFC 3986: unreserved and reserved characters and escapes, nothing else.
URI = re.compile(r"https://[a-z.]+/(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*")


def urls(made: Iterable[Row] = SOME) -> list[SimpleNamespace]:
    """Rows as a reader gives them."""
    found = []
    for row in made:
        nested = {name: (text := getattr(row, name)) and json.loads(text) for name in COLUMNS[4:]}
        lastmod = None if row.instant is None else datetime.fromtimestamp(row.instant // 1_000_000, UTC)
        if lastmod is not None and row.instant is not None:
            lastmod = lastmod.replace(microsecond=row.instant % 1_000_000)
        found.append(
            SimpleNamespace(
                loc=row.written, lastmod=lastmod, changefreq=row.changefreq, priority=row.priority, **nested
            )
        )
    return found


def test_same_seed_same_rows() -> None:
    assert list(rows(3_000)) == SOME
    assert list(rows(100)) == SOME[:100]
    assert list(rows(100, seed=2)) != SOME[:100]


def test_locs_are_different_and_encoded_as_the_rfc_says() -> None:
    assert len({row.loc for row in SOME}) == len({row.written for row in SOME}) == len(SOME)
    for row in SOME:
        assert URI.fullmatch(row.written), row.written
        assert row.written.startswith(BASE)
        assert len(row.written) <= LONGEST
    assert max(len(row.written) for row in SOME) == LONGEST


def test_every_awkward_kind_is_there() -> None:
    locs = {row.loc for row in SOME}
    for kind in AWKWARD:
        assert any(kind(number)[0] in locs for number in range(len(SOME))), kind(0)


def test_dates_come_in_many_forms_and_mean_what_they_say() -> None:
    forms = set()
    for row in SOME:
        if row.lastmod is None:
            assert row.instant is None
            continue
        assert row.instant is not None
        forms.add((len(row.lastmod), row.lastmod[19:]) if row.lastmod[-1] != "Z" else "Z")
        full = {4: "-01-01", 7: "-01"}.get(len(row.lastmod), "")
        said = datetime.fromisoformat(row.lastmod + full)
        said = said if said.tzinfo else said.replace(tzinfo=UTC)
        assert (said - EPOCH).total_seconds() * 1_000_000 == pytest.approx(row.instant, abs=0.5), row.lastmod
    assert len(forms) >= 8


@pytest.mark.parametrize("column", COLUMNS[4:])
def test_nested_columns_are_json(column: str) -> None:
    texts = [text for row in SOME if (text := getattr(row, column)) is not None]
    assert texts
    assert all(isinstance(json.loads(text), dict if column == "news" else list) for text in texts)


def test_alternates_name_the_page_itself() -> None:
    with_links = [row for row in SOME if row.alternates and row.loc.startswith(f"{BASE}ja/")]
    assert with_links
    for row in with_links:
        assert row.written in {link["href"] for link in json.loads(row.alternates or "")}


def test_catalogue_holds_the_rows(tmp_path: Path) -> None:
    seen: list[int] = []
    one, two = tmp_path / "one.sqlite", tmp_path / "two.sqlite"
    catalogue(one, 10_001, progress=seen.append)
    two.write_bytes(b"an older file")
    catalogue(two, 10_001)
    assert seen == [5_000, 10_000]
    assert one.read_bytes() == two.read_bytes()
    connection = sqlite3.connect(one)
    stored = connection.execute(f"select {', '.join(COLUMNS)} from urls order by rowid").fetchall()
    connection.close()
    assert stored == [row[:8] for row in rows(10_001)]


def test_equal_sets_are_equal() -> None:
    assert compare(SOME, urls()) == sum(row.loc != row.written for row in SOME) > 1_000


def _change(column: str, value: object) -> Callable[[list[SimpleNamespace]], object]:
    return lambda found: setattr(found[700], column, value)


def _retitle(found: list[SimpleNamespace]) -> None:
    next(url for url in found if url.images).images[0]["title"] = "another"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_change("loc", "https://shop.example/other"), "row 701, loc: "),
        (_change("lastmod", datetime(2020, 1, 1, tzinfo=UTC)), "row 701, lastmod: "),
        (_change("changefreq", "sometimes"), "row 701, changefreq: "),
        (_change("priority", 0.123), "row 701, priority: "),
        (_change("news", {"title": "invented"}), "row 701, news: "),
        (_retitle, ", images: "),
        (lambda found: found.pop(), "2,999 rows were read, at least 3,000 were written"),
        (lambda found: found.pop(10), "row 11, loc: "),
        (lambda found: found.append(found[0]), "more rows than were written"),
        (lambda found: found.insert(0, found[0]), "row 2, loc: "),
    ],
)
def test_every_difference_is_found(damage: Callable[[list[SimpleNamespace]], object], message: str) -> None:
    found = urls()
    damage(found)
    with pytest.raises(RoundTripError, match=re.escape(message)):
        compare(SOME, found)


def _quiet(_name: str, _total: int | None) -> Callable[[int], object]:
    return lambda _number: None


def test_a_wrong_count_is_found(tmp_path: Path) -> None:
    encoded = sum(row.loc != row.written for row in SOME)
    result = SimpleNamespace(files=1, bytes=9, urls=3_000, encoded=encoded)

    def write(_source: Path, _to: Path, *, base: str) -> Any:
        assert base == BASE
        return result

    class Urls:
        def batches(self) -> Iterator[Any]:
            return iter([SimpleNamespace(num_rows=3_000)])

        def __iter__(self) -> Iterator[Any]:
            return iter(urls())

    def demo() -> Figures:
        return run(write, lambda _path: Urls(), source=tmp_path / "a", folder=tmp_path, count=3_000, step=_quiet)

    assert demo().encoded == encoded
    result.encoded += 1
    with pytest.raises(RoundTripError, match="locs were said to be encoded"):
        demo()
    result.urls -= 1
    with pytest.raises(RoundTripError, match="rows were said to be written"):
        demo()


def test_round_trip(tmp_path: Path) -> None:
    figures = run(
        urlset.write, urlset.read, source=tmp_path / "shop.sqlite", folder=tmp_path / "demo", count=3_000, step=_quiet
    )
    assert figures.encoded == sum(row.loc != row.written for row in SOME)
    assert figures.files >= 1
    assert f"Sitemap: {BASE}sitemap.xml" in (tmp_path / "demo" / "robots.txt").read_text(encoding="utf-8")


def test_screen_has_ten_lines_at_most() -> None:
    figures = Figures(200_000, 5, 12_345_678, 99, {"make": 1.5, "write": 0.5, "compare": 0.0})
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(table(figures))
    text = console.export_text()
    assert len(text.splitlines()) <= 10
    for word in ["12,345,678", "400,000", "0.50", "write"]:
        assert word in text
