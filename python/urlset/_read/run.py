"""Chunks of bytes to rows: one file through the core, and the books of the pass it belongs to. Opens no file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from urlset import _core
from urlset._core import Batch, Reader, Schema
from urlset._read.findings import Findings, counted, findings_of, sayable
from urlset.errors import OptionError, StrictError
from urlset.types import File, Limits, Outcome

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from urlset._schema import ArrowSchema

__all__ = ["LISTS", "Options", "Part", "Run", "Step"]

PLAIN = 1 << 20
"""Bytes fed at a time; between two feeds time limits and signals are looked at."""
PACKED = 32 << 10
"""The same of gzip, and of a file's first bytes: what is packed grows by a thousand at most, and waits in memory."""

LISTS = ("sitemapindex", "robots")
"""Kinds whose entries are files."""
STRANGE = ("html", "unknown")
"""Kinds that are no sitemap at all."""
LIMITS = frozenset({"SIZ013", "SIZ015"})

Step: TypeAlias = "Batch | None"
"""Rows, or None: the kind of the file is known now."""


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

    def __post_init__(self) -> None:
        if self.relative not in ("drop", "resolve"):
            raise OptionError(f'{self.relative!r} is neither "drop" nor "resolve"', "relative")
        if self.columns is not None and not self.columns:
            raise OptionError("no column is named, one at least was expected", "columns")
        if self.batch_rows < 1:
            raise OptionError(f"{self.batch_rows!r} rows make no batch, 1 at least was expected", "batch_rows")
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


class Run:
    """What is known so far of one pass over a source."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.findings = Findings()
        self.files: list[File] = []
        self.kind: str | None = None
        """What the first file is."""
        self.rows_kind: str | None = None
        """What the rows are: of that kind, but `urlset` where an index was followed to its pages."""
        self.whole = True
        """Nothing was lost so far."""
        self.done = False

    def find(self, batch: Batch) -> None:
        """Take findings; raise `StrictError` when none is allowed."""
        self.findings.add(batch)
        if self.options.strict:
            raise StrictError(findings_of(batch.slice(0, 1))[0])

    def fault(self, code: str, **known: Any) -> None:
        """Report what no reader sees."""
        for name in ("file", "value", "message"):
            known[name] = sayable(known.get(name))
        self.find(_core.fault(code, **known))

    def saw(self, kind: str) -> None:
        """Remember what the first file is."""
        if self.kind is None:
            self.kind = kind
            self.rows_kind = "urlset" if kind in LISTS and self.options.follow else kind

    def end(self) -> None:
        """Close the books."""
        self.findings.close()
        self.done = True


class Part:
    """One file of a run on its way through the core."""

    def __init__(
        self,
        run: Run,
        *,
        address: str,
        name: str | None = None,
        file: str | None = None,
        base: str | None = None,
        found: str = "given",
        parent: str | None = None,
        refused: Collection[str] = (),
    ) -> None:
        """Begin a file.

        `name` is what stands in the column `sitemap`, `file` in findings, `address` in the table of files. A file
        of a kind in `refused` does not count: it leaves no row and no finding.
        """
        self._run = run
        self._reader = run.options.reader(name=name, file=file, base=base)
        self._file = file
        self.address = address
        self._facts: dict[str, Any] = {"address": address, "found": found, "parent": parent}
        self._refused = frozenset(refused)
        self.refused = bool(refused)
        """It does not count, so far as is known."""
        self._held: list[Batch] = []
        self._counts: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._limited = False
        self._broken = False
        self._started = 0.0
        self._spent = 0.0
        self.cut = False
        """Whoever feeds it knows that bytes are missing."""
        self.kind: str | None = None

    @property
    def is_list(self) -> bool:
        """Whether its rows are names of files that are to be followed."""
        return self._run.options.follow and self.kind in LISTS

    def read(self, chunks: Iterable[Buffer]) -> Iterator[Step]:
        """Yield its rows while bytes go in, and None as soon as the kind is known.

        Time is counted while it is at work, not while whoever asks does something else.
        """
        most = self._run.options.limits.max_seconds
        self._started = perf_counter()
        wanted = True
        try:
            for piece in self._pieces(chunks):
                self._reader.feed(piece)
                yield from self._step()
                # A large file that does not even begin like a sitemap is not read to its end.
                wanted = not self.refused or (self.kind is None and self._reader.plain_bytes < PLAIN)
                if not wanted or self._reader.ended:
                    break
                if most is not None and self._spent + perf_counter() - self._started > most:
                    self._limited = True
                    self.fault("SIZ015", value="max_seconds", message=f"reading stopped after {most:g} seconds")
                    break
            if wanted:
                yield from self._finish()
        finally:
            close = getattr(chunks, "close", None)  # a generator holds a file; a file object is not ours to close
            if close is not None and isinstance(chunks, Iterator):
                close()
        self._end()

    def _pieces(self, chunks: Iterable[Buffer]) -> Iterator[memoryview]:
        for chunk in chunks:
            view = memoryview(chunk)
            if view.ndim != 1 or view.format != "B":
                view = view.cast("B")
            at = 0
            while at < len(view):
                size = PLAIN if self.kind is not None and not self._reader.gzip_layers else PACKED
                yield view[at : at + size]
                at += size

    def _finish(self) -> Iterator[Step]:
        timed_out = self._limited
        self._reader.finish(self.cut or timed_out)
        if timed_out:
            self._reader.findings()  # that the file is cut is our doing
        yield from self._step(last=True)

    def _step(self, *, last: bool = False) -> Iterator[Step]:
        """Yield what the last feed gave; the clock stands still meanwhile."""
        reader, run = self._reader, self._run
        kind = reader.kind
        if self.kind is None and kind is not None:
            self.kind = kind
            if kind not in self._refused:
                run.saw(kind)
                held, self._held, self.refused = self._held, [], False
                for batch in held:
                    run.find(batch)
                if not last:
                    yield from self._out([None])
        findings = reader.findings()
        if findings is not None:
            self._counts.update(counted(findings))
            if self.refused:
                self._held.append(findings)
            else:
                run.find(findings)
        batches = reader.batches()
        if batches and not self.refused:
            if run.options.adds_loc and not self.is_list:
                batches = [batch.select(list(run.options.columns or ())) for batch in batches]
            yield from self._out(batches)

    def _out(self, steps: Sequence[Step]) -> Iterator[Step]:
        self._spent += perf_counter() - self._started
        yield from steps
        self._started = perf_counter()

    def fault(self, code: str, *, value: str | None = None, message: str | None = None) -> None:
        """Report what the reader cannot see, of each code as often as findings are told in detail."""
        self._counts[code] += 1
        self._faults[code] += 1
        most = self._run.options.limits.max_findings
        if most is None or self._faults[code] <= most:
            self._run.fault(code, file=self._file, value=value, message=message)

    def failed(self, why: str) -> None:
        """Report that no more bytes can be had; what came before is kept."""
        self.cut = self._broken = True
        self.fault("GEN001", message=f"file cannot be read, {why.lower()}")

    def _end(self) -> None:
        run, reader = self._run, self._reader
        self._spent += perf_counter() - self._started
        refused = self.refused
        if not refused:
            most = run.options.limits.max_findings
            for code, count in self._faults.items():
                if most is not None and count > most:
                    message = f"{count} findings of {code}, of which the first {most} are shown"
                    run.fault("GEN003", file=self._file, value=code, message=message, count=count - most)
            if not reader.complete or self._broken or self.kind in STRANGE:
                run.whole = False
        rows = 0 if self.is_list else reader.rows
        run.files.append(
            File(
                **self._facts,
                outcome="skipped" if refused else self._outcome(),
                content_type=run.options.content_type,
                charset=reader.charset,
                wire_bytes=reader.wire_bytes,
                inflated_bytes=reader.plain_bytes,
                seconds=self._spent,
                rows=0 if refused else rows,
                findings=0 if refused else self._counts.total(),
            )
        )

    def _outcome(self) -> Outcome:
        reader = self._reader
        if self._limited or (not reader.complete and LIMITS & self._counts.keys()):
            return "limited"
        if self.kind in STRANGE or self._broken:
            return "broken"
        if reader.rows == 0:
            return "empty" if reader.complete else "broken"
        return "read"
