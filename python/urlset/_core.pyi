"""The binding to the Rust core. Converts and registers; decides nothing.

Objects with `__arrow_c_array__`, `__arrow_c_stream__` or `__arrow_c_schema__` are taken by every Arrow library; none is
needed to use them here.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, final

from typing_extensions import Buffer

__all__ = [
    "VERSION",
    "Batch",
    "Reader",
    "Schema",
    "Stream",
    "Table",
    "codes",
    "fault",
    "findings_schema",
    "schema",
]

VERSION: str

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
        """Bytes of memory it holds."""

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
