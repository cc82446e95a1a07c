"""The verb: a table, a destination, and what becomes of them."""

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias
from urllib.parse import urlsplit

from urlset import _core, _source, _write
from urlset._publish.commit import Set, immutable, may_replace, opened, theirs
from urlset._publish.manifest import Entry
from urlset._store import Folder, same
from urlset.errors import GuardRefused, OptionError, SchemaError
from urlset.types import Written

Progress: TypeAlias = Callable[[int, int], object]
TOP = "sitemap.xml"
STYLESHEET = "sitemap.xsl"


def write(
    table: Any,
    to: str | os.PathLike[str] | BinaryIO,
    *,
    base: str | None = None,
    max_urls: int = _write.MAX_URLS,
    max_children: int = _write.MAX_URLS,
    max_bytes: int = _write.MAX_BYTES,
    gzip: bool | None = None,
    level: int = 6,
    text: bool = False,
    nested: bool = False,
    profile: _write.Profile | None = None,
    stylesheet: bool | str = False,
    index: Literal["auto", "always", "never"] = "auto",
    names: Literal["stable", "immutable"] = "stable",
    on_error: _write.OnError = "raise",
    allow_empty: bool = False,
    allow_offsite: bool = False,
    robots: bool | str | os.PathLike[str] | None = None,
    force: bool = False,
    extensions: Sequence[Any] = (),
    threads: int | None = None,
    table_format: str | None = None,
    table_name: str | None = None,
    sql: str | None = None,
    progress: Progress | None = None,
) -> Written:
    """Write a table as sitemaps that keep to the limits, with an index and a line in robots.txt.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> rows = [{"loc": "https://shop.example/tea", "lastmod": "2024-05-17"}, {"loc": "https://shop.example/lamp"}]
    >>> result = write(rows, folder, base="https://shop.example/")
    >>> result.urls, result.names
    (2, ('sitemap-00001.xml.gz', 'sitemap.xml'))

    Arguments:
    - `table`: an object with `__arrow_c_stream__`; an iterable of dicts, dataclasses, `Url` objects or strings; a path
      of a CSV, JSONL, Parquet, Arrow or SQLite file. The rows keep their order. A table whose rows are sitemaps (a read
      with `follow=False`) becomes an index.
    - `to`: a folder; a path that ends in `.xml`, `.txt` or either with `.gz`, for a single file; a binary file object.
    - `base`: the address below which the files are published. Rows of other sites are refused unless `allow_offsite`.
    - `max_urls`, `max_bytes`: of a file, at most those of the protocol; bytes are counted before compression.
    - `max_children`: of an index. Past it there are several indexes, or with `nested` a cascade.
    - `gzip`: None is yes for a folder and no for a file object; of a single file its name tells. `level`: 0 to 12.
    - `text`: lists of addresses and nothing else.
    - `profile`: "classic" keeps to the limits and rules of 2005.
    - `stylesheet`: True adds one that makes the files readable in a browser, a string is the address of your own.
    - `index`: "never" writes a single file, and is an error where the rows do not fit.
    - `names`: "immutable" puts a hash of the content into names of children: readers see the old set or the new one.
    - `on_error`: "raise" publishes nothing unless every row can be written, "skip" leaves such rows out.
    - `allow_empty`: whether a table without rows may replace what stands there.
    - `robots`: None updates `robots.txt` in `to` if `base` is the root of its host; True always, False never; a path.
    - `force`: replace files that others wrote. Of a single file no list is kept: without force it takes the place of
      sitemaps, indexes and lists of addresses, whoever wrote them, of empty files, and of nothing else.
    - `extensions`: Arrow schemas of your own elements. `threads`: those that compress; None is one for each processor
      that the process may use.
    - `table_format`, `table_name`, `sql`: of files; by default their ending tells, and which table has a column `loc`.
    - `progress`: called with the rows and bytes so far, after each file.

    A folder is whole at every instant, also when the run is killed: files are complete before they get their names, the
    index comes after the children it names, and only what `.urlset.json` lists as ours is ever replaced or removed.
    Files of a folder whose content did not change are not touched. The same rows give the same bytes.

    A row is not refused for lying outside the folder of `base`: that matters to some search engines alone, and checking
    is what tells it (LOC004).

    Raises `RefusedRows`, `SchemaError`, `OptionError`, `SourceError`, `GuardRefused` (no rows), `StoreError`.
    """
    started = time.perf_counter()
    stream = not isinstance(to, str | os.PathLike)
    single = _single(Path(to)) if isinstance(to, str | os.PathLike) else None
    if index not in {"auto", "always", "never"}:
        raise OptionError(f"index is {index!r}, 'auto', 'always' or 'never' was expected")
    if names not in {"stable", "immutable"}:
        raise OptionError(f"names is {names!r}, 'stable' or 'immutable' was expected")
    if _is_of(table, to):
        raise OptionError("the table and the destination are one file; another destination was expected", "to")
    if index == "always" and (stream or single):
        raise OptionError("index is 'always' and the destination is a single file; a folder was expected", "to")
    if base is None and not (stream or single or index == "never"):
        raise OptionError("base is missing; the address below which the folder is published was expected", "base")
    if base is not None and urlsplit(base).path.lower().endswith((".xml", ".gz", ".txt")):
        raise OptionError(
            f"base names a file; the address of its folder was expected, {base.rpartition('/')[0]}/", "base"
        )
    if single:
        text, gzip = single
    elif gzip is None:
        gzip = not stream
    href = stylesheet if isinstance(stylesheet, str) else None
    if stylesheet is True:
        if stream or single or base is None:
            raise OptionError(
                "a style sheet of ours lies beside the files; a folder and a base were expected", "stylesheet"
            )
        href = _write.Settings(base).writer().base + STYLESHEET
    settings = _write.Settings(
        base or "",
        max_urls=max_urls,
        max_children=max_children,
        max_bytes=max_bytes,
        gzip=gzip,
        level=level,
        text=text,
        nested=nested,
        profile=profile,
        stylesheet=href,
        on_error=on_error,
        allow_empty=allow_empty,
        allow_offsite=allow_offsite,
        extensions=extensions,
        threads=_core.parallelism() if threads is None else threads,
    )
    with contextlib.ExitStack() as stack:
        if isinstance(table, str | os.PathLike) or hasattr(table, "read"):
            table = stack.enter_context(
                _source.opened(table, format=table_format, table_name=table_name, sql=sql, extensions=extensions)
            )
        elif table_name or sql or table_format:
            raise OptionError("table_format, table_name and sql are for files; this table is none")
        if not isinstance(to, str | os.PathLike):
            made = _to_file(table, to, settings, progress)
        elif single:
            made = _to_single(table, Path(to), settings, force, progress)
        else:
            kind = "never" if index == "never" else names
            made = _to_folder(table, Path(to), settings, kind, stylesheet is True, robots, force, progress)
    return Written(**made, seconds=time.perf_counter() - started)


def _single(to: Path) -> tuple[bool, bool] | None:
    """Whether a path is that of a single file: then whether it is a text list, and whether it is compressed."""
    name = to.name.lower()
    for ending, text in ((".xml", False), (".txt", True)):
        for packed in (False, True):
            if name.endswith(ending + ".gz" * packed) and not to.is_dir():
                return text, packed
    return None


def _is_of(table: Any, to: Any) -> bool:
    """Whether a table is read from the file that is to be written."""
    with contextlib.suppress(AttributeError, OSError, TypeError, ValueError):
        place = to if isinstance(to, str | os.PathLike) else to.fileno()
        if isinstance(table, str | os.PathLike):
            return same(0 if os.fspath(table) == "-" else table, place)
        return same(table.fileno(), place)
    return False


class _Count:
    """Rows and bytes so far."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self.files = self.rows = self.bytes = self.plain_bytes = 0

    def add(self, shard: "_core.Shard") -> None:
        self.files += 1
        self.rows += shard.rows
        self.bytes += shard.size
        self.plain_bytes += shard.plain_bytes
        if self._progress:
            self._progress(self.rows, self.bytes)


def _figures(writer: "_core.Writer", count: _Count, urls: int) -> dict[str, Any]:
    return {
        "files": count.files,
        "urls": urls,
        "bytes": count.bytes,
        "plain_bytes": count.plain_bytes,
        "encoded": writer.encoded,
        "skipped": writer.skipped,
        "findings": _write.findings(writer),
        "ignored_columns": tuple(writer.ignored_columns),
    }


def _guard(writer: "_core.Writer", rows: int, settings: _write.Settings) -> None:
    if rows or settings.allow_empty:
        return
    if not writer.skipped:
        raise GuardRefused("the table has no rows, nothing was written", "allow_empty")
    what = f"all {writer.skipped:,} rows were refused, nothing was written"
    raise GuardRefused(what, "allow_empty", _write.findings(writer))


def _to_file(table: Any, to: BinaryIO, settings: _write.Settings, progress: Progress | None) -> dict[str, Any]:
    held: list[_core.Shard] = []
    writer = _write.shards(table, held.append, settings, "-")
    count = _Count(progress)
    _guard(writer, sum(shard.rows for shard in held), settings)
    for shard in held:
        to.write(shard.data)
        count.add(shard)
    to.flush()
    return {"to": "-", **_figures(writer, count, count.rows)}


def _to_single(
    table: Any, to: Path, settings: _write.Settings, force: bool, progress: Progress | None
) -> dict[str, Any]:
    if not force and not may_replace(to):
        raise theirs(to.name, to)
    folder, count = Folder(to.parent), _Count(progress)
    staged: list[tuple[Path, Path]] = []
    folder.make()
    try:

        def sink(shard: "_core.Shard") -> None:
            staged.append((folder.stage(shard.data), to))
            count.add(shard)

        writer = _write.shards(table, sink, settings, to.name)
        _guard(writer, count.rows, settings)
        for source, target in staged:
            folder.place(source, target)
        folder.settle()
    except BaseException:
        for source, _ in staged:
            source.unlink(missing_ok=True)
        folder.unmake()
        raise
    address = (f"{writer.base}{to.name}",) if settings.base else ()
    made = {"to": str(to), "sitemaps": address, "names": (to.name,), "changed": (to.name,)}
    return {**made, **_figures(writer, count, count.rows)}


def _to_folder(
    table: Any,
    to: Path,
    settings: _write.Settings,
    kind: str,
    stylesheet: bool,
    robots: bool | str | os.PathLike[str] | None,
    force: bool,
    progress: Progress | None,
) -> dict[str, Any]:
    count = _Count(progress)
    children: list[tuple[str, str | None]] = []
    level = settings.level if settings.gzip else None

    def entry(shard: "_core.Shard", level: int | None) -> Entry:
        stored = _core.content_hash(shard.data)
        sizes = (shard.rows, shard.size, shard.plain_bytes)
        return Entry(*sizes, shard.plain_hash, stored, level, shard.first, shard.last)

    with opened(to, force=force) as made:
        base = ""

        def child(shard: "_core.Shard") -> None:
            name, about = shard.name, entry(shard, level)
            top = kind == "never" or not name.startswith("sitemap-0")
            if not top and kind == "immutable":
                name = immutable(name, about)
            made.add(name, shard.data, about, top=top)
            children.append((name, shard.lastmod))
            count.add(shard)

        name = None
        if kind == "never":
            name = ("sitemap.txt" if settings.text else TOP) + ".gz" * settings.gzip
        writer = _write.shards(table, child, settings, name)
        _guard(writer, count.rows, settings)
        urls, base = count.rows, writer.base
        if kind == "never" or writer.wrote_index:
            tops = [name for name, _ in children]
            made.tops.update(tops)
        else:
            undated = next((name for name, lastmod in children if lastmod is None), None)
            if settings.profile == "classic" and undated is not None:
                raise SchemaError(
                    f'profile "classic" wants a lastmod for each file of the index, and no row of {undated} has one; '
                    "give the rows a lastmod, or leave the profile out"
                )
            indexes = writer.index([(base + name, lastmod) for name, lastmod in children])
            tops = [TOP] if settings.nested else [shard.name for shard in indexes]
            for shard in indexes:
                made.add(shard.name, shard.data, entry(shard, None), top=shard.name in tops)
                count.add(shard)
        listed = tuple(made.entries)
        if stylesheet:
            data = _core.stylesheet().encode()
            about = Entry(0, len(data), len(data), _core.content_hash(data), _core.content_hash(data))
            made.add(STYLESHEET, data, about)
        sitemaps = tuple(base + name for name in tops) if base else ()
        at = _name_in_robots(made, to, base, sitemaps, robots)
        changed = tuple(made.staged)
        made.publish()
    return {
        "to": str(to),
        "index": str(to / TOP) if TOP in tops and kind != "never" else None,
        "sitemaps": sitemaps,
        "names": listed,
        "changed": changed,
        "removed": tuple(made.removed),
        "robots": at,
        **_figures(writer, count, urls),
    }


def _name_in_robots(
    made: Set, to: Path, base: str, sitemaps: tuple[str, ...], robots: bool | str | os.PathLike[str] | None
) -> str | None:
    """Let robots.txt name the set; return its path where it does."""
    if robots is None:
        # Elsewhere a robots.txt means nothing to crawlers.
        robots = bool(base) and urlsplit(base).path == "/"
    if robots is False:
        return None
    if not sitemaps:
        raise OptionError("robots needs the address of the set; base was expected", "robots")
    path = to / "robots.txt" if robots is True else Path(robots)
    key = "robots.txt" if robots is True else str(path)
    made.name_in_robots(path, key, list(sitemaps))
    return str(path)
