"""A set of rows that is read while one asks for it: passes, streams, tables. Opens no file and follows no index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, repeat
from types import TracebackType
from typing import Any, Self, cast

from urlset._core import Batch, Schema, Stream, Table
from urlset._read.findings import Findings
from urlset._read.pieces import Options
from urlset._read.run import Run, Step
from urlset.errors import OptionError, StreamConsumed
from urlset.types import File, Url

__all__ = ["UrlSet", "UrlTable"]


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
        run.raised = None
        self._pulled = self._pull(run, steps, head)
        return self._pulled

    @staticmethod  # it does not hold the set, which holds it: both end as soon as nobody has either
    def _pull(run: Run, steps: Iterator[Step], head: list[Step]) -> Iterator[Batch]:
        try:
            for step in chain(head, steps):
                if step is not None:
                    yield step
            run.end()
        except BaseException as error:
            run.raised = error  # Arrow consumers pass on its words only
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
        """Read to the end and return a dict for each row. Instants are aware datetimes in UTC."""
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
        raised, self._run.raised = self._run.raised, None
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
