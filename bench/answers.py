"""Whether an answer is right: what a subject found or wrote, compared with the truth, field by field."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

Columns = dict[str, list[str]]
Right = dict[str, int]


class Verdict(NamedTuple):
    """How many URLs there are, how many values of each field are right, and what makes the whole worthless."""

    urls: int
    right: Right
    wrong: str = ""


def table(path: Path) -> Columns:
    """Read a table of tabs by columns."""
    with path.open(encoding="utf-8", newline="\n") as file:
        names = next(file).rstrip("\n").split("\t")
        rows = [line.rstrip("\n").split("\t") for line in file]
    columns = zip(*rows, strict=True) if rows else ([] for _ in names)
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


@lru_cache(maxsize=100_000)
def instant(text: str) -> int | None:
    """Return the microseconds of a date, or of @ and microseconds.

    >>> instant("2024-05-17T10:30+02:00") == instant("2024-05-17T08:30:00.000Z") == instant("@1715934600000000")
    True
    """
    if text.startswith("@"):
        return int(text[1:])
    # datetime.fromisoformat is wider than the W3C's note in forms that no writer here uses.
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return int(at.timestamp()) * 1_000_000 + at.microsecond


def _same(field: str, found: str, meant: str, truth: Columns, at: int) -> bool:
    if field == "lastmod":
        return found == meant or instant(found) == int(truth["instant"][at])
    if field == "priority":
        return found == meant or (re.fullmatch(r"[0-9.]+", found) is not None and float(found) == float(meant))
    return found == meant


def compare(found: Columns, truth: Columns) -> Verdict:
    """Compare an answer with the truth.

    Rows are compared in their order; by address where rows are missing, or where all are there in another order.
    """
    meant = truth["loc"]
    count = len(found["loc"])
    whole = Counter(found["loc"]) & Counter(meant)
    right: Right = {}
    if count == len(meant) and (whole.total() < count or found["loc"] == meant):
        rows = list(range(count))
        right["loc"] = sum(map(str.__eq__, found["loc"], meant))
    else:
        # The first row of each address that is meant; others stand for nothing.
        where = {loc: at for at, loc in reversed(list(enumerate(meant)))}
        rows = [where.get(loc, -1) for loc in found["loc"]]
        right["loc"] = whole.total()
    for field, values in found.items():
        if field in truth and field != "loc":
            words = truth[field]
            right[field] = sum(
                at >= 0 and _same(field, value, words[at], truth, at) for at, value in zip(rows, values, strict=True)
            )
    wrong = "" if count == len(meant) else f"{count:,} URLs, {len(meant):,} were expected"
    return Verdict(count, right, wrong)


FIELDS = ("loc", "lastmod", "changefreq", "priority")


def _entries(data: bytes) -> Iterator[tuple[str, list[str | None]]]:
    """Yield entries of a sitemap or an index: the name of the element, and its texts by field."""
    found: list[tuple[str, list[str | None]]] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True
    texts: list[str] = []
    row: list[str | None] = [None] * 4
    places = {name: at for at, name in enumerate(FIELDS)}

    def start(_name: str, _attributes: dict[str, str]) -> None:
        texts.clear()

    def end(name: str) -> None:
        nonlocal row
        at = places.get(name)
        if at is not None:
            row[at] = "".join(texts).strip()
        elif name in {"url", "sitemap"}:
            found.append((name, row))
            row = [None] * 4

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = texts.append
    parser.Parse(data, True)
    yield from found


def plain(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


class Written(NamedTuple):
    """A set of files: its digest, its sizes, and the verdict."""

    digest: str
    files: int
    bytes: int
    plain_bytes: int
    verdict: Verdict


def written(folder: Path, truth: Columns, known: dict[str, Verdict]) -> Written:
    """Look at a folder that a writer filled: every file of it is parsed by expat. `known` are verdicts by digest."""
    paths = sorted((p for p in folder.iterdir() if p.is_file() and ".xml" in p.suffixes), key=_number)
    sums, size, plain_size, files = hashlib.sha256(), 0, 0, 0
    sets: list[bytes] = []
    children = 0
    for path in paths:
        data = plain(path)
        if b"<sitemapindex" in data[:1000]:
            children += data.count(b"<sitemap>")
            continue
        sums.update(data)
        sets.append(data)
        size += path.stat().st_size
        plain_size += len(data)
        files += 1
    digest = sums.hexdigest()
    if digest not in known:
        found: Columns = {name: [] for name in FIELDS}
        columns = list(found.values())
        try:
            for data in sets:
                for _, row in _entries(data):
                    for column, value in zip(columns, row, strict=True):
                        column.append(value or "")
            known[digest] = compare(found, truth)
        except expat.ExpatError as error:
            known[digest] = Verdict(len(found["loc"]), {}, f"a file is not well-formed: {error}")
    verdict = known[digest]
    if children != files and not (files == 1 and children == 0) and not verdict.wrong:
        verdict = verdict._replace(wrong=f"the index lists {children} files, there are {files}")
    return Written(digest, files, size, plain_size, verdict)


def _number(path: Path) -> tuple[int, str]:
    found = re.search(r"(\d+)", path.name)
    return int(found[1]) if found else 0, path.name
