"""What was found wrong, in order and as an Arrow table. Judges nothing, and knows no file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, overload

from urlset import _core
from urlset._core import Batch, Schema, Stream
from urlset.types import Finding, Related

__all__ = ["Findings", "counted", "findings_of", "sayable"]

KEPT = 50_000
"""Findings of one pass that are kept with their place, over all files."""


class Findings(Sequence[Finding]):
    """What is wrong with the input, as far as it was read: a sequence of `Finding`, and an Arrow stream as well.

    >>> found = Findings()
    >>> found.add(_core.fault("XML021", file="sitemap.xml"))
    >>> [finding.name for finding in found]
    ['empty-file']

    `polars.DataFrame(urls.findings)` gives the findings table.
    """

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._rows = 0
        self._made: list[Finding] = []
        self._beyond: Counter[str] = Counter()

    def add(self, batch: Batch) -> None:
        """Take a batch of findings; beyond a bound they are counted only."""
        room = KEPT - self._rows
        if batch.num_rows > room:
            self._beyond.update(counted(batch.slice(room, batch.num_rows)))
            batch = batch.slice(0, room)
        self._keep(batch)

    def _keep(self, batch: Batch) -> None:
        if batch.num_rows:
            self._batches.append(batch)
            self._rows += batch.num_rows
        if len(self._batches) >= 128 and self._batches[-64].num_rows < 1_024:
            self._batches[-64:] = [Batch.concat(self._batches[-64:])]  # many files with a fault each: keep them small

    def close(self) -> None:
        """Tell what was counted only."""
        for code, count in self._beyond.items():
            message = f"{count:,} more findings of {code} in all, beyond the {KEPT:,} findings that are shown"
            self._keep(_core.fault("GEN003", value=code, message=message, count=count))
        self._beyond.clear()

    @property
    def schema(self) -> Schema:
        """The schema of the findings table."""
        return _core.findings_schema()

    def __arrow_c_schema__(self) -> object:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return Stream(self.schema, list(self._batches)).__arrow_c_stream__(requested_schema)

    def to_pylist(self) -> list[dict[str, Any]]:
        """Return a dict for each finding."""
        return [row for batch in list(self._batches) for row in batch.to_pylist()]

    def __len__(self) -> int:
        return self._rows

    @overload
    def __getitem__(self, at: int) -> Finding: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Finding]: ...
    def __getitem__(self, at: int | slice) -> Finding | Sequence[Finding]:
        if len(self._made) != self._rows:
            self._made = [finding for batch in self._batches for finding in findings_of(batch)]
        return self._made[at]

    def __iter__(self) -> Iterator[Finding]:
        at = 0
        while at < self._rows:
            yield self[at]
            at += 1

    def __repr__(self) -> str:
        shown = Counter(row for batch in self._batches for row in batch.column("code"))
        return f"Findings({', '.join(f'{code} x {count}' for code, count in shown.most_common())})"


def sayable(text: str | None) -> str | None:
    r"""Return a name as Arrow and JSON can hold it: a path may have bytes that are no UTF-8, which become `\xff`."""
    if text is None or text.isascii():
        return text
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


def counted(batch: Batch) -> Counter[str]:
    """Return how often each code stands in a findings table; what a closing line counts is of the code that it names.

    >>> counted(_core.fault("GEN003", value="URL001", message="5 more", count=5))
    Counter({'URL001': 5})
    """
    codes: Counter[str] = Counter()
    for code, value, count in zip(*map(batch.column, ("code", "value", "count")), strict=True):
        codes[value if code == "GEN003" else code] += count
    return codes


def findings_of(batch: Batch) -> list[Finding]:
    """Return the rows of a findings table as objects."""
    rows = batch.to_pylist()
    for row in rows:
        if row["related"] is not None:
            row["related"] = tuple(Related(**place) for place in row["related"])
    return [Finding(**row) for row in rows]
