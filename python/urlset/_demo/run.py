"""The run of the demonstration and its screen: make, write, read back, compare. Calls the public verbs and no other."""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset._demo.shop import BASE, ROWS, Row, catalogue, rows

if TYPE_CHECKING:
    from rich.table import Table

CATALOGUE = Path("demo-catalogue.sqlite")
FOLDER = Path("demo")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NESTED = ("images", "videos", "news", "alternates")
_MICROSECOND = timedelta(microseconds=1)


class RoundTripError(Exception):
    """The set that was read is not the set that was written."""


@dataclass(slots=True)
class Figures:
    """What a run measured."""

    rows: int
    files: int = 0
    bytes: int = 0
    encoded: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    """By step."""


def compare(expected: Iterable[Row], found: Iterable[Any]) -> int:
    """Compare the rows made with the URLs read, in order, and return how many locs had to be encoded.

    Raises `RoundTripError` at the first row that differs or is missing.

    >>> from types import SimpleNamespace
    >>> compare([], [])
    0
    >>> compare([], [SimpleNamespace(loc="https://shop.example/")])
    Traceback (most recent call last):
    urlset._demo.run.RoundTripError: more rows than were written, the first: https://shop.example/
    """
    encoded = 0
    urls = iter(found)
    number = 0
    for number, row in enumerate(expected, 1):
        url = next(urls, None)
        if url is None:
            raise RoundTripError(f"{number - 1:,} rows were read, at least {number:,} were written")
        if url.loc != row.written:
            raise _differs(number, "loc", row.written, url.loc)
        encoded += row.loc != row.written
        instant = None if row.instant is None else EPOCH + row.instant * _MICROSECOND
        if url.lastmod != instant:
            raise _differs(number, "lastmod", instant, url.lastmod)
        if url.changefreq != row.changefreq:
            raise _differs(number, "changefreq", row.changefreq, url.changefreq)
        if url.priority != row.priority:
            raise _differs(number, "priority", row.priority, url.priority)
        for column in NESTED:
            # Where a row has none, a list is empty to whoever asks for it.
            text, value = getattr(row, column), getattr(url, column) or None
            if text is None and value is None:
                continue
            wanted = None if text is None else _parsed(text)
            if _plain(value) != wanted:
                raise _differs(number, column, wanted, _plain(value))
    if (url := next(urls, None)) is not None:
        raise RoundTripError(f"more rows than were written, the first: {url.loc}")
    return encoded


def _differs(number: int, column: str, expected: object, found: object) -> RoundTripError:
    return RoundTripError(f"row {number:,}, {column}: expected {expected!r}, found {found!r}")


@lru_cache(maxsize=64)  # the pages of one product share most of these
def _parsed(text: str) -> object:
    return _plain(json.loads(text))


def _plain(value: object) -> object:
    """Bring a nested value to one shape: dates as instants, no nulls, nothing that reading adds by its own rules."""
    if isinstance(value, dict):
        return {
            name: _instant(item) if name.endswith("_date") else _plain(item)
            for name, item in value.items()
            if item is not None and name != "rel" and not name.endswith("_form")
        }
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _instant(value: object) -> object:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime) and value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    return value


def run(
    write: Callable[..., Any],
    read: Callable[..., Any],
    *,
    source: Path = CATALOGUE,
    folder: Path = FOLDER,
    count: int = ROWS,
    step: Callable[[str, int | None], Callable[[int], object]],
) -> Figures:
    """Make the catalogue, write it with `write`, read it back with `read`, compare; return what was measured.

    `step(name, rows)` is called before each step and returns what to call with the number of rows done.
    Raises `RoundTripError` where a row does not come back.
    """
    figures = Figures(count)
    start = time.perf_counter()

    def done(name: str) -> None:
        nonlocal start
        now = time.perf_counter()
        figures.seconds[name] = now - start
        start = now

    catalogue(source, count, progress=step("make", count))
    done("make")
    step("write", None)
    result = write(source, folder, base=BASE)
    figures.files, figures.bytes = result.files, result.bytes
    done("write")
    advance = step("read", count)
    seen = 0
    for batch in read(folder / "sitemap.xml").batches():
        seen += batch.num_rows
        advance(seen)
    done("read")
    if seen != count:
        raise RoundTripError(f"{seen:,} rows were read, {count:,} were written")
    advance = step("compare", count)
    figures.encoded = compare(rows(count), _watched(read(folder / "sitemap.xml"), advance))
    done("compare")
    if result.urls != count:
        raise RoundTripError(f"{result.urls:,} rows were said to be written, there are {count:,}")
    if result.encoded != figures.encoded:
        raise RoundTripError(f"{result.encoded:,} locs were said to be encoded, {figures.encoded:,} were")
    return figures


def _watched(urls: Iterable[Any], advance: Callable[[int], object]) -> Iterator[Any]:
    for number, url in enumerate(urls, 1):
        if number % 5_000 == 0:
            advance(number)
        yield url


def main() -> int:
    """Run the demonstration in the current folder; return 0 when every row came back."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    import urlset

    console, talk = Console(), Console(stderr=True)
    line = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(show_speed=True),
        TimeRemainingColumn(),
        console=talk,
        transient=True,
        disable=not talk.is_terminal,
    )

    def step(name: str, total: int | None) -> Callable[[int], object]:
        for task in line.task_ids:
            line.remove_task(task)
        task = line.add_task(name, total=total)
        return lambda number: line.update(task, completed=number)

    try:
        with line:
            figures = run(urlset.write, urlset.read, step=step)
    except RoundTripError as error:
        talk.print(f"round trip: {error}", style="red", markup=False, highlight=False)
        return 1
    console.print(table(figures))
    console.print(
        f"round trip: every row equal ({figures.encoded:,} locs were encoded on the way out)", highlight=False
    )
    console.print("next: .venv/bin/urlset read demo/sitemap.xml --format jsonl | head", highlight=False, markup=False)
    return 0


def table(figures: Figures) -> "Table":
    """Return the final table: a line for each step, with its rate, then what was written."""
    from rich.table import Table

    screen = Table(title=f"{BASE} in ./{FOLDER}/", title_justify="left")
    for name in ("step", "files", "URLs", "bytes", "seconds", "URLs/s"):
        screen.add_column(name, justify="left" if name == "step" else "right")
    for name, seconds in figures.seconds.items():
        size = [f"{figures.files:,}", f"{figures.rows:,}", f"{figures.bytes:,}"]
        if name in ("make", "compare"):
            size[0] = size[2] = ""
        screen.add_row(name, *size, f"{seconds:.2f}", f"{figures.rows / max(seconds, 1e-9):,.0f}")
    return screen
