"""A table to shards: options checked, rows made columns, refusals made findings. Pure: knows no file, no folder."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, TypeAlias

from urlset import _core
from urlset.errors import OptionError, RefusedRows, SchemaError
from urlset.types import Finding

MAX_URLS = _core.MAX_URLS
"""URLs of a file, and files of an index, at most (the protocol)."""
MAX_BYTES = _core.MAX_BYTES
"""Bytes of a file at most before compression (the protocol)."""

Profile: TypeAlias = Literal["classic"]
OnError: TypeAlias = Literal["raise", "skip"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How files are written, whatever becomes of them.

    >>> Settings("https://shop.example/shop").writer().base
    'https://shop.example/shop/'
    >>> Settings("https://shop.example/", max_urls=0)
    Traceback (most recent call last):
    ...
    urlset.errors.OptionError: max_urls is 0, 1 to 50000 was expected
    """

    base: str = ""
    """Address below which the files are published; empty: not known."""
    _: KW_ONLY
    max_urls: int = MAX_URLS
    max_children: int = MAX_URLS
    max_bytes: int = MAX_BYTES
    gzip: bool = True
    level: int = 6
    text: bool = False
    nested: bool = False
    profile: Profile | None = None
    stylesheet: str | None = None
    on_error: OnError = "raise"
    allow_empty: bool = False
    allow_offsite: bool = False
    extensions: Sequence[Any] = ()
    threads: int = 1

    def __post_init__(self) -> None:
        for name, known in (("profile", (None, "classic")), ("on_error", ("raise", "skip"))):
            if (value := getattr(self, name)) not in known:
                words = " or ".join(repr(word) for word in known)
                raise OptionError(f"{name} is {value!r}, {words} was expected")
        for name in ("max_urls", "max_children", "max_bytes", "level", "threads"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 63:
                raise OptionError(f"{name} is {value!r}, a whole number was expected")
        self.writer()  # the core checks the rest

    def writer(self, name: str | None = None) -> "_core.Writer":
        """Return a writer; `name` is that of the files, `{}` their number, None the usual names."""
        return _core.Writer(
            base=self.base,
            max_urls=self.max_urls,
            max_children=self.max_children,
            max_bytes=self.max_bytes,
            gzip=self.gzip,
            level=min(self.level, 255),
            text=self.text,
            nested=self.nested,
            classic=self.profile == "classic",
            stylesheet=self.stylesheet,
            skip=self.on_error == "skip",
            allow_offsite=self.allow_offsite,
            allow_empty=self.allow_empty,
            extensions=list(self.extensions),
            threads=self.threads,
            name=name,
        )


def columns(table: Any, extensions: Sequence[Any] = ()) -> Any:
    """Return a table as an Arrow stream: itself if it is one, else its rows as columns.

    Rows are dicts, dataclasses, named tuples, `Url` objects or strings, which are addresses alone.

    >>> columns(["https://shop.example/"])
    <urlset._core.Source object at ...>
    >>> columns({"loc": "https://shop.example/"})
    Traceback (most recent call last):
    ...
    urlset.errors.SchemaError: the table is a dict, that is one row; a list of dicts was expected
    """
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return table
    if isinstance(table, Mapping):
        raise SchemaError("the table is a dict, that is one row; a list of dicts was expected")
    if isinstance(table, str | bytes | bytearray | memoryview) or not isinstance(table, Iterable):
        raise SchemaError(
            f"the table is of type {type(table).__name__}; an object with __arrow_c_stream__, "
            "or an iterable of dicts, dataclasses or strings was expected"
        )
    return _core.from_rows(table, extensions=list(extensions))


def shards(
    table: Any, sink: Callable[["_core.Shard"], object], settings: Settings, name: str | None = None
) -> "_core.Writer":
    """Write a table, and call `sink` with each file as soon as it is full; return the writer, which has the figures.

    Raises `RefusedRows` where rows cannot be written and `on_error="raise"`: what `sink` was given is then of no use.
    """
    writer = settings.writer(name)
    if not writer.run(columns(table, settings.extensions), sink):
        raise RefusedRows(findings(writer))
    return writer


def findings(writer: "_core.Writer") -> tuple[Finding, ...]:
    """Return what a writer has found, by row."""
    return tuple(Finding(**found) for found in writer.findings())


def robots(existing: bytes | None, add: Sequence[str], ours: Sequence[str] = ()) -> bytes:
    r"""Return a robots.txt with a Sitemap line for each address of `add`, and none for the others of `ours`.

    >>> robots(b"User-agent: *\nDisallow:\n", ["https://shop.example/sitemap.xml"])
    b'User-agent: *\nDisallow:\nSitemap: https://shop.example/sitemap.xml\n'
    """
    return _core.robots_update(existing, list(add), list(ours))
