"""The binding to the Rust core. Converts and registers; decides nothing.

Objects with `__arrow_c_array__`, `__arrow_c_stream__` or `__arrow_c_schema__` are taken by every Arrow library; none is
needed to use them here.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, final

from typing_extensions import Buffer

__all__ = [
    "MAX_BYTES",
    "MAX_THREADS",
    "MAX_URLS",
    "VERSION",
    "Batch",
    "Reader",
    "Schema",
    "Shard",
    "Source",
    "Stream",
    "Table",
    "TableWriter",
    "Writer",
    "codes",
    "content_hash",
    "fault",
    "findings_schema",
    "from_rows",
    "open_table",
    "parallelism",
    "robots_update",
    "schema",
    "span",
    "stylesheet",
]

VERSION: str
MAX_URLS: int
"""URLs of a file, and files of an index, at most (the protocol)."""
MAX_BYTES: int
"""Bytes of a file at most before compression (the protocol)."""
MAX_THREADS: int
"""Threads that read or write at most: more would wait for one another on any machine."""

class _ArrowSchema(Protocol):
    def __arrow_c_schema__(self) -> object: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Schema:
    """An Arrow schema.

    >>> schema().names[0]
    'loc'
    """

    def __arrow_c_schema__(self) -> object: ...
    @property
    def names(self) -> list[str]:
        """Names of the columns."""

    @property
    def metadata(self) -> dict[str, str]:
        """Metadata of the schema; `urlset:kind` once it is known."""

    def facts(self, name: str) -> dict[str, str]:
        """Metadata of a column: what the table of elements says of it. KeyError where there is no such column.

        >>> schema().facts("loc")["urlset:element"]
        'loc'
        """

    def with_metadata(self, metadata: dict[str, str]) -> Schema:
        """Return the same columns with this metadata."""

    def select(self, names: Sequence[str]) -> Schema:
        """Return the schema without the columns that are not named; the order stays."""

    def __eq__(self, other: object, /) -> bool: ...
    def __len__(self) -> int: ...

@final
class Batch:
    """Some rows of a table: an Arrow record batch."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    @property
    def schema(self) -> Schema:
        """Its schema."""

    @property
    def num_rows(self) -> int:
        """Rows."""

    @property
    def nbytes(self) -> int:
        """Bytes that its rows take, whatever else lies in the same memory."""

    @property
    def column_names(self) -> list[str]:
        """Names of the columns."""

    def column(self, name: str) -> list[Any]:
        """Return the values of a column: None for null, aware UTC datetimes, dicts and lists for what is nested.

        KeyError where there is no such column.
        """

    def to_pylist(self, leave_out: Sequence[str] = ...) -> list[dict[str, Any]]:
        """Return a dict for each row, without the columns named.

        An instant that `datetime` cannot hold (years beyond 9999) is None. TypeError for columns of types that the
        table does not have.
        """

    def select(self, names: Sequence[str]) -> Batch:
        """Return the same rows without the columns that are not named; the order stays."""

    @staticmethod
    def from_arrow(batch: _ArrowArray) -> Batch:
        """Return a batch of any Arrow library as one of ours, without a copy."""

    @staticmethod
    def concat(batches: Sequence[Batch]) -> Batch:
        """Return one batch of the rows of several; ValueError for none."""

    def slice(self, start: int, stop: int) -> Batch:
        """Return rows from `start` to before `stop`, without a copy."""

    def __len__(self) -> int: ...

@final
class Stream:
    """An Arrow stream of batches that are pulled from a Python iterator while a consumer asks for them.

    Anything with `__arrow_c_array__` is a batch. It can be exported once; then `StreamConsumed` is raised.

    >>> stream = Stream(schema(), [])
    >>> type(stream.__arrow_c_stream__()).__name__
    'PyCapsule'
    """

    def __new__(cls, schema: _ArrowSchema, batches: Iterable[Any]) -> Stream: ...
    @property
    def schema(self) -> Schema:
        """Its schema."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Table:
    """Batches kept in memory.

    >>> Table(schema(), []).num_rows
    0
    """

    def __new__(cls, schema: _ArrowSchema, batches: Sequence[Batch]) -> Table: ...
    @property
    def schema(self) -> Schema:
        """Its schema."""

    @property
    def num_rows(self) -> int:
        """Rows."""

    @property
    def column_names(self) -> list[str]:
        """Names of the columns."""

    def batches(self) -> list[Batch]:
        """Return its batches."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def to_pylist(self) -> list[dict[str, Any]]:
        """Return a dict for each row."""

    def rows(self, start: int = 0, stop: int | None = None) -> list[dict[str, Any]]:
        """Return a dict for each row from `start` to before `stop`."""

    def __getitem__(self, at: int, /) -> dict[str, Any]: ...
    def __len__(self) -> int: ...

@final
class Reader:
    """Reads one file, push-fed: bytes in, batches and findings out. Limits that are None are lifted.

    >>> reader = Reader(name="pages.txt")
    >>> reader.feed(b"https://shop.example/tea")
    >>> reader.finish()
    >>> [batch.column("loc") for batch in reader.batches()]
    [['https://shop.example/tea']]
    >>> reader.kind, reader.complete
    ('text', True)
    """

    def __new__(
        cls,
        *,
        name: str | None = None,
        file: str | None = None,
        base: str | None = None,
        content_type: str | None = None,
        columns: Sequence[str] | None = None,
        relative: str = "drop",
        relative_children: str = "drop",
        extensions: Sequence[_ArrowSchema] = ...,
        batch_rows: int = 16_384,
        max_bytes: int | None = None,
        max_ratio: float | None = None,
        max_depth: int | None = None,
        max_entries: int | None = None,
        max_text: int | None = None,
        max_findings: int | None = None,
    ) -> Reader:
        """Begin a file.

        `name` stands in the column `sitemap`, `file` (else `name`) in findings; `base` is the address it claims to
        have. `relative` and `relative_children` are `drop`, `resolve` or `keep`: what becomes of relative addresses of
        pages and of sitemaps. Raises `OptionError` for an unknown column or an extension that cannot be understood.
        """

    def feed(self, data: Buffer) -> None:
        """Take the next bytes, of any contiguous buffer of bytes.

        They are not copied; nobody may change them until the call is over.
        """

    def finish(self, cut: bool = False) -> None:
        """End the file; `cut` says that bytes are known to be missing."""

    def batches(self) -> list[Batch]:
        """Return the batches finished since the last call."""

    def findings(self) -> Batch | None:
        """Return the findings since the last call, None where there are none."""

    @property
    def schema(self) -> Schema:
        """The schema of the batches, with the kind in its metadata once it is known."""

    @property
    def kind(self) -> str | None:
        """What the file is, once that is known."""

    @property
    def rows(self) -> int:
        """Rows so far."""

    @property
    def entries(self) -> int:
        """Entries so far, rows or not."""

    @property
    def complete(self) -> bool:
        """Whether the file was read to its end, nothing cut and nothing given up."""

    @property
    def ended(self) -> bool:
        """Whether further bytes change nothing."""

    @property
    def charset(self) -> str:
        """The charset used."""

    @property
    def wire_bytes(self) -> int:
        """Bytes fed."""

    @property
    def plain_bytes(self) -> int:
        """Bytes after gunzip."""

    @property
    def gzip_layers(self) -> int:
        """Layers of gzip taken off."""

def schema(extensions: Sequence[_ArrowSchema] = ...) -> Schema:
    """Return the URL table, with a user's own elements."""

def findings_schema() -> Schema:
    """Return the findings table."""

def codes() -> list[dict[str, Any]]:
    """Return the registry of finding codes."""

def fault(
    code: str,
    *,
    file: str | None = None,
    value: str | None = None,
    url: str | None = None,
    element: str | None = None,
    entry: int | None = None,
    message: str | None = None,
    count: int = 1,
) -> Batch:
    """Return a findings table of one row, for what no reader sees; `message` is said instead of the code's own words.

    >>> fault("IDX010", file="sitemap.xml", value="a.xml").column("message")
    ['child "a.xml" is not there, a sitemap was expected']
    """

@final
class Source:
    """A table that can be read once: an Arrow stream whose columns are texts, except those of Parquet and Arrow files.

    >>> type(from_rows(["https://shop.example/"]).__arrow_c_stream__()).__name__
    'PyCapsule'
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def from_rows(
    rows: Iterable[Any],
    *,
    extensions: Sequence[_ArrowSchema] = ...,
    columns: Sequence[str] | None = None,
    ignored: Sequence[str] = ...,
    batch_rows: int = 16_384,
) -> Source:
    """Return Python rows as a table, taken from the iterable while the table is read.

    Rows are dicts, dataclasses, `Url` objects, named tuples, objects with `keys()`, strings (addresses alone) or, with
    `columns`, tuples of values in that order. Dates may be `datetime` (without zone: UTC, with a finding), `date` or
    text; lists and structs may be JSON text, and in a list a string stands for a struct of which one value is needed:
    `images=["https://shop.example/a.png"]`. NaT and pandas' NA count as None, and so does NaN, but not in a column of
    numbers. A row with a value that its column cannot take is left out, and the writer tells of it. `ignored` are names
    to be told among those that no column has.
    """

def open_table(
    file: str | Any,
    format: str,
    *,
    extensions: Sequence[_ArrowSchema] = ...,
    batch_rows: int = 16_384,
) -> Source:
    """Open a path or a binary file object as a table of format `csv`, `tsv`, `jsonl`, `json`, `parquet` or `arrow`.

    Text is UTF-8, with or without gzip. A CSV has a header; where its comma names no column `loc`, a semicolon, tab or
    bar is tried. Raises `OptionError` for a format that does not exist, `SchemaError` without a column `loc`,
    `Unreadable` for a file that is damaged.
    """

@final
class Shard:
    """A finished file."""

    @property
    def name(self) -> str:
        """Its name, without folder."""

    @property
    def data(self) -> Buffer:
        """Its bytes, not copied."""

    @property
    def size(self) -> int:
        """How many bytes."""

    @property
    def rows(self) -> int:
        """Its entries."""

    @property
    def plain_bytes(self) -> int:
        """Bytes before compression."""

    @property
    def plain_hash(self) -> str:
        """`content_hash` of the bytes before compression."""

    @property
    def lastmod(self) -> str | None:
        """The latest date of its entries, as an index writes it."""

    @property
    def first(self) -> str:
        """Address of its first entry, empty where it has none."""

    @property
    def last(self) -> str:
        """Address of its last entry, empty where it has none."""

@final
class Writer:
    """Writes one table into files.

    >>> writer = Writer(base="https://shop.example/", gzip=False)
    >>> files = []
    >>> writer.run(from_rows(["https://shop.example/tea"]), files.append)
    True
    >>> [(file.name, file.rows) for file in files]
    [('sitemap-00001.xml', 1)]
    """

    def __new__(
        cls,
        *,
        base: str,
        max_urls: int = ...,
        max_children: int = ...,
        max_bytes: int = ...,
        gzip: bool = True,
        level: int = 6,
        text: bool = False,
        nested: bool = False,
        classic: bool = False,
        stylesheet: str | None = None,
        skip: bool = False,
        allow_offsite: bool = False,
        allow_empty: bool = False,
        extensions: Sequence[_ArrowSchema] = ...,
        threads: int = 1,
        name: str | None = None,
    ) -> Writer:
        """Make a writer; see `urlset.write` for the options. Raises `OptionError`.

        `name` is the name of the files, `{}` in it their number; without `{}` there can be one file only.
        """

    def run(self, table: Any, sink: Callable[[Shard], object]) -> bool:
        """Write a table, anything with `__arrow_c_stream__`, and call `sink` with each file as soon as it is full.

        Returns False where rows were refused and `skip` is not set: the files given so far are of no use then, and
        `findings()` says why. A table whose metadata say `urlset:kind=sitemapindex` or `robots` becomes an index.
        Raises `SchemaError`, and whatever the table or `sink` raises. Signals are looked at after each batch.
        """

    def index(self, children: Sequence[tuple[str, str | None]]) -> list[Shard]:
        """Return the index or indexes that list files: their addresses, and their dates where they have one."""

    def findings(self) -> list[dict[str, Any]]:
        """Return what was found, by row: the arguments of a `Finding` each."""

    @property
    def base(self) -> str:
        """The base as it stands in addresses, with a slash at its end."""

    @property
    def rows(self) -> int:
        """Rows looked at, refused ones too."""

    @property
    def skipped(self) -> int:
        """Rows refused."""

    @property
    def encoded(self) -> int:
        """Rows written whose loc had to be encoded."""

    @property
    def ignored_columns(self) -> list[str]:
        """Names of columns of which nothing was written."""

    @property
    def wrote_index(self) -> bool:
        """Whether the table was one of sitemaps, and its files are indexes."""

def parallelism() -> int:
    """Return the processors that this process may use, by its affinity and its share of the machine; 1024 at most."""

def robots_update(existing: bytes | None, add: Sequence[str], ours: Sequence[str]) -> bytes:
    """Return a robots.txt with a Sitemap line for each of `add`, without those of `ours` that are not among them."""

def stylesheet() -> str:
    """Return the XSL style sheet that makes sitemaps readable in a browser."""

def content_hash(data: Buffer) -> str:
    """Return XXH64 of bytes as 16 hex digits.

    >>> content_hash(b"abc")
    '44bc2cf5ad770999'
    """

@final
class TableWriter:
    """Writes a table into a binary file object: `arrow`, `arrows` (a stream), `parquet`, `csv`, `jsonl` or `urls`.

    >>> import io
    >>> reader, file = Reader(), io.BytesIO()
    >>> reader.feed(b"https://shop.example/tea")
    >>> reader.finish()
    >>> writer = TableWriter(file, "csv", schema())
    >>> for batch in reader.batches():
    ...     writer.write(batch)
    >>> writer.close()
    >>> file.getvalue().decode().split()[-1]
    'https://shop.example/tea,,,,,,,,,,,,,'

    A date is told as it was written; lists and structs are JSON in `csv`; nulls are left out of `jsonl`. An Arrow file
    has plain strings where the table has dictionaries, since a file has one dictionary a column; a stream keeps them.
    """

    def __new__(cls, file: Any, format: str, schema: _ArrowSchema) -> TableWriter: ...
    def write(self, table: Any) -> None:
        """Write a batch, or all batches of a table. What the file object raises comes out as it is."""

    def close(self) -> None:
        """End the file; the file object stays open. A second call does nothing."""

    @property
    def rows(self) -> int:
        """Rows written."""

def span(batch: Any, name: str) -> tuple[int, int | None, int | None]:
    """Return how many instants a column has, the earliest and the latest, in microseconds since 1970."""
