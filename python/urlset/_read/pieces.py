"""Chunks of bytes to what they gave: one file through the core, in any thread. Opens no file, and knows no pass."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from urlset import _core
from urlset._core import Batch, Reader, Schema
from urlset._read.findings import sayable
from urlset.errors import OptionError
from urlset.types import Limits

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from urlset._schema import ArrowSchema

__all__ = ["LISTS", "End", "Fault", "Lost", "Options", "Parsed", "Told", "parse"]

PLAIN = 1 << 20
"""Bytes fed at a time; between two feeds time limits and signals are looked at."""
PACKED = 32 << 10
"""The same of gzip, and of a file's first bytes: what is packed grows by a thousand at most, and waits in memory."""

LISTS = ("sitemapindex", "robots")
"""Kinds whose entries are files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How files are read; see `urlset.read`."""

    base: str | None = None
    content_type: str | None = None
    columns: Sequence[str] | None = None
    follow: bool = True
    relative: Literal["drop", "resolve"] = "drop"
    strict: bool = False
    limits: Limits = field(default_factory=Limits)
    extensions: Sequence[ArrowSchema] = ()
    batch_rows: int = 16_384
    threads: int = 1

    def __post_init__(self) -> None:
        if self.relative not in ("drop", "resolve"):
            raise OptionError(f'{self.relative!r} is neither "drop" nor "resolve"', "relative")
        if self.columns is not None and not self.columns:
            raise OptionError("no column is named, one at least was expected", "columns")
        if self.batch_rows < 1:
            raise OptionError(f"{self.batch_rows!r} rows make no batch, 1 at least was expected", "batch_rows")
        if type(self.threads) is not int or not 1 <= self.threads <= _core.MAX_THREADS:
            raise OptionError(f"threads is {self.threads!r}, 1 to {_core.MAX_THREADS} was expected", "threads")
        self.reader()  # whatever else is wrong with the options is told before anything is opened

    @property
    def adds_loc(self) -> bool:
        """Whether loc is read although nobody wants to see it: an index is followed by it."""
        return self.follow and self.columns is not None and "loc" not in self.columns

    def reader(self, *, name: str | None = None, file: str | None = None, base: str | None = None) -> Reader:
        """Return a reader of one file."""
        columns = None if self.columns is None else list(self.columns)
        if columns is not None and self.adds_loc:
            columns.append("loc")
        limits = self.limits
        return Reader(
            name=sayable(name),
            file=sayable(file),
            base=base,
            content_type=self.content_type,
            columns=columns,
            relative=self.relative,
            relative_children="keep" if self.follow else self.relative,
            extensions=list(self.extensions),
            batch_rows=self.batch_rows,
            max_bytes=limits.max_bytes,
            max_ratio=limits.max_ratio,
            max_depth=limits.max_depth,
            max_entries=limits.max_entries,
            max_text=limits.max_text,
            max_findings=limits.max_findings,
        )

    def schema(self) -> Schema:
        """Return the schema of the rows, without the kind."""
        schema = _core.schema(list(self.extensions))
        return schema if self.columns is None else schema.select(list(self.columns))


Fault: TypeAlias = "tuple[str, str | None, str]"
"""Code, value and message of a finding that no reader makes."""


class Lost(Exception):  # noqa: N818 - it never leaves the rooms that read
    """Raised by chunks: no more bytes can be had, and what came before is kept."""


class End(NamedTuple):
    """What is known of a file when its parse is over."""

    complete: bool
    rows: int
    charset: str
    wire_bytes: int
    plain_bytes: int


class Told(NamedTuple):
    """What one piece of a file gave, in the order in which it is to be heard."""

    kind: str | None
    """As far as it is known."""
    fault: Fault | None
    findings: Batch | None
    batches: Sequence[Batch]
    end: End | None
    """Only the last has one."""
    seconds: float
    size: int
    """Bytes after gunzip that went in for it, and those of the findings."""


Parsed: TypeAlias = Generator[Told, None, None]
"""A file on its way through the core."""


def parse(
    options: Options,
    chunks: Iterable[Buffer],
    *,
    name: str | None = None,
    file: str | None = None,
    base: str | None = None,
    refused: Collection[str] = (),
) -> Parsed:
    """Yield what the pieces of a file give; the clock stands still while nobody asks for the next.

    `name` stands in the column `sitemap`, `file` in findings. A file of a kind in `refused` is left as soon as that is
    known.
    """
    started = perf_counter()
    most = options.limits.max_seconds
    reader = options.reader(name=name, file=file, base=base)
    spent = 0.0
    seen = 0

    def told(fault: Fault | None = None, *, end: bool = False) -> Told:
        nonlocal started, spent, seen
        findings, batches, plain = reader.findings(), reader.batches(), reader.plain_bytes
        known = End(reader.complete, reader.rows, reader.charset, reader.wire_bytes, plain) if end else None
        now = perf_counter()
        size = plain - seen + (0 if findings is None else findings.nbytes)
        result = Told(reader.kind, fault, findings, batches, known, now - started, size)
        started, spent, seen = now, spent + now - started, plain
        return result

    lost = timed_out = False
    wanted = True
    try:
        try:
            for piece in _pieces(chunks, reader):
                reader.feed(piece)
                yield told()
                started = perf_counter()
                kind = reader.kind
                # A large file that does not even begin like a sitemap is not read to its end.
                wanted = not refused or (reader.plain_bytes < PLAIN if kind is None else kind not in refused)
                if not wanted or reader.ended:
                    break
                if most is not None and spent > most:
                    timed_out = True
                    yield told(("SIZ015", "max_seconds", f"reading stopped after {most:g} seconds"))
                    started = perf_counter()
                    break
        except Lost as why:
            lost = True
            yield told(("GEN001", None, f"file cannot be read, {str(why).lower()}"))
            started = perf_counter()
        if wanted:
            reader.finish(lost or timed_out)
            if timed_out:
                reader.findings()  # that the file is cut is our doing
        yield told(end=True)
    finally:
        close = getattr(chunks, "close", None)  # a generator holds a file; a file object is not ours to close
        if close is not None and isinstance(chunks, Iterator):
            close()


def _pieces(chunks: Iterable[Buffer], reader: Reader) -> Iterator[memoryview]:
    for chunk in chunks:
        view = memoryview(chunk)
        if view.ndim != 1 or view.format != "B":
            view = view.cast("B")
        at = 0
        while at < len(view):
            size = PLAIN if reader.kind is not None and not reader.gzip_layers else PACKED
            yield view[at : at + size]
            at += size
