"""Chunks of bytes to rows: a file through the core, passes behind a `UrlSet`. Opens no file and follows no index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, cast, overload

from urlset import _core
from urlset._core import Batch, Reader, Schema, Stream, Table
from urlset.errors import OptionError, StreamConsumed, StrictError
from urlset.types import File, Finding, Limits, Outcome, Related, Url

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from urlset._schema import ArrowSchema

__all__ = ["Findings", "Options", "Part", "Run", "Step", "UrlSet", "UrlTable"]

PLAIN = 1 << 20
"""Bytes fed at a time; between two feeds time limits and signals are looked at."""
PACKED = 32 << 10
"""The same of gzip, and of a file's first bytes: what is packed grows by a thousand at most, and waits in memory."""
KEPT = 50_000
"""Findings of one pass that are kept with their place, over all files."""

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
            name=_sayable(name),
            file=_sayable(file),
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
            rest = batch.slice(room, batch.num_rows)
            for code, count in zip(rest.column("code"), rest.column("count"), strict=True):
                self._beyond[code] += count
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
            self._keep(_core.fault("GEN003", message=message, count=count))
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


def _sayable(text: str | None) -> str | None:
    r"""Return a name as Arrow and JSON can hold it: a path may have bytes that are no UTF-8, which become `\xff`."""
    if text is None or text.isascii():
        return text
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


def findings_of(batch: Batch) -> list[Finding]:
    """Return the rows of a findings table as objects."""
    rows = batch.to_pylist()
    for row in rows:
        if row["related"] is not None:
            row["related"] = tuple(Related(**place) for place in row["related"])
    return [Finding(**row) for row in rows]


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
            known[name] = _sayable(known.get(name))
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
            self._count(findings)
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

    def _count(self, findings: Batch) -> None:
        most = self._run.options.limits.max_findings or 0
        for code, count in zip(findings.column("code"), findings.column("count"), strict=True):
            # The closing line of a code repeats what was told in detail.
            self._counts[code] += count - most if code == "GEN003" else count

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
                    run.fault("GEN003", file=self._file, message=message, count=count)
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


class UrlSet:
    r"""A lazy set of rows: nothing is opened before the first use, and what was read is not kept.

    It is an Arrow stream to every library that takes one (`polars.DataFrame(urls)`, `pyarrow.table(urls)`), and an
    iterable of `Url` objects to everyone else:

    >>> import urlset
    >>> urls = urlset.read(b"https://shop.example/tea\nhttps://shop.example/lamp\n")
    >>> [url.loc for url in urls]
    ['https://shop.example/tea', 'https://shop.example/lamp']
    >>> urls.kind, urls.complete, len(urls.findings)
    ('text', True, 0)

    Bytes, paths, globs and folders are opened anew on each use; file objects and standard input can be read once, and a
    second use raises `StreamConsumed`. `collect()` keeps the rows. `findings`, `files` and `complete` speak of the
    latest pass, as far as it has come.
    """

    def __init__(
        self, start: Callable[[Run], Iterator[Step]], options: Options, *, label: str, once: bool = False
    ) -> None:
        """Make a set of what `start` yields when it is called with a fresh run."""
        self._start = start
        self._options = options
        self._label = label
        self._once = once
        self._used = False
        self._run = Run(options)
        self._ready: tuple[Run, Iterator[Step], list[Step]] | None = None
        self._pulled: Iterator[Batch] | None = None
        self._raised: BaseException | None = None

    def __repr__(self) -> str:
        return f"UrlSet({self._label})"

    def _begin(self) -> tuple[Run, Iterator[Step], list[Step]]:
        if self._ready is not None:
            begun, self._ready = self._ready, None
            return begun
        if self._once and self._used:
            raise StreamConsumed
        self._used = True
        self._run = Run(self._options)
        return self._run, self._start(self._run), []

    def _peek(self) -> None:
        """Read as far as the kind is known, unless it is; the pass so begun is that of the next use."""
        if self._run.kind is not None or self._run.done or self._ready is not None or (self._once and self._used):
            return
        run, steps, head = self._begin()
        for step in steps:
            head.append(step)
            if run.kind is not None:
                break
        self._ready = run, steps, head

    def batches(self) -> Iterator[Batch]:
        """Return the rows as Arrow batches (objects with `__arrow_c_array__`), read while one asks for them.

        Raises `StreamConsumed` at a second use of what can be read once.
        """
        run, steps, head = self._begin()
        self._raised = None
        self._pulled = self._pull(run, steps, head)
        return self._pulled

    def _pull(self, run: Run, steps: Iterator[Step], head: list[Step]) -> Iterator[Batch]:
        try:
            for step in chain(head, steps):
                if step is not None:
                    yield step
            run.end()
        except BaseException as error:
            self._raised = error  # Arrow consumers pass on its words only
            raise
        finally:
            _close(steps)

    def __iter__(self) -> Iterator[Url]:
        if self._options.columns is not None and "loc" not in self._options.columns:
            raise OptionError("Url objects need loc; batches() and to_pylist() do without", "columns")
        return self._urls(self.batches())

    @staticmethod
    def _urls(batches: Iterator[Batch]) -> Iterator[Url]:
        fields = ["loc", "lastmod", "changefreq", "priority"]
        for batch in batches:
            there = set(batch.column_names)
            columns: list[Iterable[Any]] = [batch.column(n) if n in there else repeat(None) for n in fields]
            yield from map(Url, *columns, batch.to_pylist(fields))

    @property
    def schema(self) -> Schema:
        """The Arrow schema of the rows; its metadata `urlset:kind` says what they are.

        `sitemapindex` or `robots`: addresses of sitemaps (`follow=False`); every other kind: addresses of pages. Reads
        the head of the source if nothing was read yet, as `kind` does.
        """
        self._peek()
        schema = self._options.schema()
        kind = self._run.rows_kind
        return schema if kind is None else schema.with_metadata({"urlset:kind": kind})

    def __arrow_c_schema__(self) -> object:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return Stream(self.schema, self.batches()).__arrow_c_stream__(requested_schema)

    @property
    def kind(self) -> str | None:
        """What the (first) file is; None where no file is.

        One of `urlset`, `sitemapindex`, `text`, `rss`, `atom`, `robots`, `html`, `empty`, `unknown`. Reads the head of
        the source if nothing was read yet; the next use goes on from there, so that nothing is lost of a source that
        can be read once.
        """
        self._peek()
        return self._run.kind

    @property
    def findings(self) -> Findings:
        """What is wrong with the input, as far as it was read."""
        return self._run.findings

    @property
    def files(self) -> list[File]:
        """What became of each file, in the order in which they came to their ends, as far as they were read."""
        return list(self._run.files)

    @property
    def complete(self) -> bool:
        """Whether everything was read to its end: no file missing or cut, no limit reached, nothing left to read."""
        return self._run.done and self._run.whole

    def collect(self) -> UrlTable:
        """Read to the end and keep the rows in memory: the same interface, with a length, as often as one likes.

        >>> import urlset
        >>> len(urlset.read(b"https://shop.example/tea").collect())
        1
        """
        schema = self.schema
        table = Table(schema, list(self.batches()))
        return UrlTable(table, self._run, label=self._label)

    def to_pylist(self) -> list[dict[str, Any]]:
        """Read to the end and return a dict for each row.

        Instants are aware datetimes in UTC; one that `datetime` cannot hold (beyond the year 9999) is None here, while
        the Arrow column has it.
        """
        return [row for batch in self.batches() for row in batch.to_pylist()]

    def to_arrow(self) -> Any:
        """Read to the end and return a `pyarrow.Table`."""
        try:
            import pyarrow as pa
        except ImportError as error:
            raise ImportError("to_arrow() needs pyarrow: install 'urlset[pandas]' or pyarrow itself") from error
        return self._give(pa.table)

    def to_polars(self) -> Any:
        """Read to the end and return a `polars.DataFrame`."""
        try:
            import polars as pl
        except ImportError as error:
            raise ImportError("to_polars() needs polars: install 'urlset[polars]'") from error
        return self._give(pl.DataFrame)

    def to_pandas(self) -> Any:
        """Read to the end and return a `pandas.DataFrame`; nested columns hold lists and dicts."""
        try:
            import pandas as pd  # noqa: F401 - pyarrow imports it, and says so less clearly
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas and pyarrow: install 'urlset[pandas]'") from error
        return self.to_arrow().to_pandas()

    def _give(self, consumer: Callable[[Self], Any]) -> Any:
        """Hand the stream over; an exception that stopped it comes out as it was."""
        try:
            return consumer(self)
        except Exception:
            raised = self._reason()
            if raised is None:
                raise
            raise raised from None

    def _reason(self) -> BaseException | None:
        """Return what stopped the latest pass, once."""
        raised, self._raised = self._raised, None
        return raised

    def close(self) -> None:
        """Stop reading and close what was opened here. May be called twice; a file object given stays open."""
        if self._ready is not None:
            _close(self._ready[1])
            self._ready = None
        if self._pulled is not None:
            _close(self._pulled)
            self._pulled = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class UrlTable(UrlSet):
    """Rows kept in memory: a `UrlSet` with a length that can be read as often as one likes."""

    def __init__(self, table: Table, run: Run, *, label: str) -> None:
        """Keep a table and what is known of the pass it came from."""
        super().__init__(lambda _run: iter(table.batches()), run.options, label=label)
        self._table = table
        self._run = run

    def _begin(self) -> tuple[Run, Iterator[Step], list[Step]]:
        return self._run, iter(self._table.batches()), []

    @property
    def schema(self) -> Schema:
        """The Arrow schema of the rows; its metadata `urlset:kind` says what they are."""
        return self._table.schema

    def collect(self) -> UrlTable:
        """Return itself."""
        return self

    def __len__(self) -> int:
        return self._table.num_rows

    def __repr__(self) -> str:
        return f"UrlTable({self._label}, {len(self)} rows)"


def _close(steps: Iterator[Any]) -> None:
    close = getattr(steps, "close", None)
    if close is not None:
        # Another thread is in the middle of it: then that thread will end it.
        with suppress(ValueError):
            cast("Callable[[], None]", close)()
