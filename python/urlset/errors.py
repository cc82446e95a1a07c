# ruff: noqa: N818 - a name says what happened; that it is an error, the root says
"""What stops a run. A fault of a sitemap is a finding; these are raised when urlset itself cannot go on.

::

    UrlsetError
    ├── SourceError         an input as a whole cannot be used
    │   ├── NotFound        there is nothing at that place
    │   └── Unreadable      there is something, and it cannot be read
    ├── StreamConsumed      a source that can be read once was read a second time
    ├── StrictError         strict=True, and the input has a finding
    ├── SchemaError         a table lacks a column, or a column has the wrong type
    ├── RefusedRows         on_error="raise", and rows cannot be written as they are
    ├── OptionError         an option has a value that cannot be used
    ├── StoreError          a destination failed
    │   └── DestinationBusy another run is writing there
    ├── GuardRefused        a guard stopped a publish before anything was changed
    └── LimitExceeded       a limit was reached where nothing partial can be given back

A message says what is, what was expected and what to do next; the place comes last, so that equal faults in different
places begin alike. Every error survives pickling, since readers run in worker processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.types import Finding

__all__ = [
    "DestinationBusy",
    "GuardRefused",
    "LimitExceeded",
    "NotFound",
    "OptionError",
    "RefusedRows",
    "SchemaError",
    "SourceError",
    "StoreError",
    "StreamConsumed",
    "StrictError",
    "Unreadable",
    "UrlsetError",
]


class UrlsetError(Exception):
    """The root: `except urlset.UrlsetError` catches whatever urlset raises on purpose.

    >>> issubclass(NotFound, UrlsetError)
    True
    """


class _Placed(UrlsetError):
    """An error with a place: an address, a path, or nothing."""

    _place: str | None

    def __init__(self, message: str, place: str | None = None) -> None:
        super().__init__(message, place)
        self._place = place

    def __str__(self) -> str:
        message = str(self.args[0])
        return f"{message}: {self._place}" if self._place else message


class SourceError(_Placed):
    """An input as a whole cannot be used. A dead child of an index is a finding, not this.

    `source` is the path or address without credentials, or None where it has no name.

    >>> str(SourceError("no sitemap in this folder, *.xml or *.xml.gz was expected", "export/"))
    'no sitemap in this folder, *.xml or *.xml.gz was expected: export/'
    """

    @property
    def source(self) -> str | None:
        """The path or address, without credentials."""
        return self._place


class NotFound(SourceError):
    """There is nothing at that place: no such file, or an answer of 404 or 410."""


class Unreadable(SourceError):
    """There is something at that place, and it cannot be read: no permission, an I/O error, a connection lost."""


class StreamConsumed(UrlsetError):
    """A source that can be read once (a file object, standard input, a site) was read a second time.

    `UrlSet.collect()` makes a table that can be read as often as one likes.
    """

    def __init__(self, message: str = "this source can be read once, and was; collect() keeps the rows") -> None:
        super().__init__(message)


class StrictError(UrlsetError):
    """`strict=True`, and the input has a finding; `finding` is the first."""

    finding: Finding

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding

    def __str__(self) -> str:
        return str(self.finding)


class SchemaError(UrlsetError):
    """A table cannot be written: a column is missing or has the wrong type. The message names both."""


def told(finding: Finding) -> str:
    """Return in one line which row is refused, and why."""
    row = "a row" if finding.entry is None else f"row {finding.entry:,}"
    line = "" if finding.line is None else f", line {finding.line:,}"
    return f"{row}{line}: {finding.message} ({finding.code})"


class RefusedRows(UrlsetError):
    """`on_error="raise"`, and rows cannot be written as they are; nothing was published.

    `findings` holds those known when the run stopped, by row (`entry`) and column (`element`). At least one is needed.
    `on_error="skip"` leaves such rows out and reports them.
    """

    findings: tuple[Finding, ...]

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        if not self.findings:
            raise ValueError("rows are refused for a reason, at least one finding was expected")
        super().__init__(self.findings)

    def __str__(self) -> str:
        more = sum(finding.count for finding in self.findings) - 1
        others = f" and {more:,} more" if more > 0 else ""
        return f'cannot be written: {told(self.findings[0])}{others}; on_error="skip" leaves such rows out'


class OptionError(UrlsetError, ValueError):
    """An option has a value that cannot be used; `option` is its keyword name where one option is to blame."""

    option: str | None

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message, option)
        self.option = option

    def __str__(self) -> str:
        return f"{self.option}: {self.args[0]}" if self.option else str(self.args[0])


class StoreError(_Placed):
    """A destination failed: no permission, no space, a connection refused or lost. What stood there still stands.

    `destination` is the path or address without credentials.
    """

    @property
    def destination(self) -> str | None:
        """The path or address, without credentials."""
        return self._place


class DestinationBusy(StoreError):
    """Another run is writing to the destination, or has written since it was looked at. Trying again later is safe."""


class GuardRefused(UrlsetError):
    """A guard stopped a publish (the set shrank too much, a source came back empty); nothing was changed.

    `guard` is the option that set it, so that a person who knows better can set it otherwise. `findings` say why every
    row was refused, where that is why none is left.
    """

    guard: str
    findings: tuple[Finding, ...]

    def __init__(self, message: str, guard: str, findings: Iterable[Finding] = ()) -> None:
        super().__init__(message, guard)
        self.guard = guard
        self.findings = tuple(findings)

    def __str__(self) -> str:
        why = f"; {told(self.findings[0])}" if self.findings else ""
        return f"{self.args[0]}{why} (guard: {self.guard})"


class LimitExceeded(UrlsetError):
    """A limit was reached where nothing partial can be given back. While reading, a limit that bites is a finding.

    `limit` is the field of `Limits`, and `allowed` its value in that field's unit.
    """

    limit: str
    allowed: float | None

    def __init__(self, message: str, limit: str, allowed: float | None = None) -> None:
        super().__init__(message, limit, allowed)
        self.limit = limit
        self.allowed = allowed

    def __str__(self) -> str:
        allowed = "" if self.allowed is None else f" = {self.allowed:,}"
        return f"{self.args[0]} (limit: {self.limit}{allowed})"
