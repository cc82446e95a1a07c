"""The face of read: whatever a user may call a source becomes a lazy `UrlSet`. Asks no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from urlset import _core
from urlset._read import Options, Run, Step, UrlSet
from urlset._schema import ArrowSchema, extension_list
from urlset._site.given import Readable, classify
from urlset._site.walk import Walk, drive
from urlset.errors import OptionError
from urlset.types import Limits

if TYPE_CHECKING:
    import os
    from typing import Any

    from typing_extensions import Buffer

__all__ = ["Source", "read"]

Source: TypeAlias = "Buffer | Readable | str | os.PathLike[str] | Iterable[Any]"
"""A whole file as any buffer of bytes, a binary file object, a path, a folder, a glob, `-`, or several of them."""


def read(
    source: Source,
    *,
    base: str | None = None,
    content_type: str | None = None,
    columns: Sequence[str] | None = None,
    follow: bool = True,
    relative: Literal["drop", "resolve"] = "drop",
    strict: bool = False,
    limits: Limits | None = None,
    extensions: Iterable[ArrowSchema] = (),
    batch_rows: int = 16_384,
    threads: int | None = None,
) -> UrlSet:
    r"""Return the URLs of sitemaps, indexes, text lists, feeds or robots.txt files as a lazy `UrlSet`.

    >>> urls = read(b"https://shop.example/tea\nhttps://shop.example/lamp\n")
    >>> [url.loc for url in urls]
    ['https://shop.example/tea', 'https://shop.example/lamp']

    `source` is one of these, or a list or iterable of them:

    - bytes, bytearray, memoryview, mmap, any contiguous buffer: the file itself, plain or gzip; never copied
    - a binary file object: read once, as a stream; it stays open
    - a str or path: a file; where a str has wildcards and no such file is there, a glob, in sorted order
    - a folder: the sitemaps below it, found by their content among `*.xml`, `*.gz`, `*.rss`, `*.atom`, `*.rdf`,
      robots.txt, and text lists with `sitemap` or `urls` in their names; other files and hidden folders are passed over
    - `"-"`: standard input

    `base` is the address the file claims to have, or that of its folder (it ends in a slash, or its last part has no
    dot); of a folder, always that of the folder. Relative and off-site entries are judged by it. `content_type` is what
    the file was sent with; its charset counts as HTTP's. `columns` chooses columns of the table, which keep its order,
    and saves the work for others.

    `follow=True` reads the files that an index or a robots.txt names, in their place and once, from the folder of that
    index: by `base`, else by the longest end of the address that is a file there; never outside of that folder. A child
    that is not there is a finding, and the set is not `complete`. `follow=False` gives the names as rows, and the
    schema says `urlset:kind=sitemapindex`; of a folder it gives the rows of its sitemaps alone.

    `relative="resolve"` makes rows of relative addresses where `base` is known. `strict=True` raises `StrictError` at
    the first finding. `limits` bound what hostile input can cost. `extensions` are Arrow schemas of your own elements.
    `batch_rows` are the rows of a batch at most. `threads` parse where there are many files, and give the same rows and
    findings in the same order; None is one for each processor that the process
    may use.

    Raises at once: TypeError or `OptionError` for arguments that make no sense, `Unreadable` for live addresses, which
    this version does not fetch. Raises when reading begins: `NotFound` and `Unreadable` for a source that is missing or
    cannot be opened. Whatever is wrong inside a source is in `findings`.
    """
    if isinstance(columns, str):
        raise OptionError(f"{columns!r} is a string, a list of column names was expected", "columns")
    options = Options(
        base=base,
        content_type=content_type,
        columns=None if columns is None else tuple(columns),
        follow=follow,
        relative=relative,
        strict=strict,
        limits=Limits() if limits is None else limits,
        extensions=tuple(extension_list(extensions)),
        batch_rows=batch_rows,
        threads=_core.parallelism() if threads is None else threads,
    )
    given = classify(source)

    def start(run: Run) -> Iterator[Step]:
        return drive(given.steps(Walk(run)))

    return UrlSet(start, options, label=given.label, once=given.once)
