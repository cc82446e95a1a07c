"""The face of read: sources to passes over their files, and indexes followed within their folders. Asks no network."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from glob import glob, has_magic
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias
from urllib.parse import unquote, urljoin, urlsplit

from urlset._read import LISTS, Options, Part, Run, Step, UrlSet
from urlset._schema import ArrowSchema, extension_list
from urlset.errors import NotFound, OptionError, SourceError, StreamConsumed, Unreadable
from urlset.types import File, Limits, Outcome

if TYPE_CHECKING:
    from collections.abc import Buffer  # type: ignore[attr-defined]  # from Python 3.12 on

__all__ = ["Source", "read"]

CHUNK = 256 << 10
"""Bytes read from a file at a time."""
NAMES = (".xml", ".gz", ".rss", ".atom", ".rdf")
"""Endings of file names in a folder that are looked into; text lists and robots.txt go by more of their names."""
ABSENT = 10_000
"""Files that are not there and are listed one by one; beyond, they are counted in findings only."""
SEGMENTS = 32
"""Parts of an address that are looked up in a folder."""


class Readable(Protocol):
    """A binary file object: anything whose `read(n)` gives bytes."""

    def read(self, size: int, /) -> Any:
        """Return at most `size` bytes, none at the end."""
        ...


Source: TypeAlias = "Buffer | Readable | str | os.PathLike[str] | Iterable[Any]"
"""What can be read: a whole file as any buffer of bytes, a binary file object, a path, a folder, a glob, `-`, or several."""


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
) -> UrlSet:
    """Return the URLs of sitemaps, indexes, text lists, feeds or robots.txt files as a lazy `UrlSet`.

    >>> urls = read(b"https://shop.example/tea\\nhttps://shop.example/lamp\\n")
    >>> [url.loc for url in urls]
    ['https://shop.example/tea', 'https://shop.example/lamp']

    `source` is one of these, or a list or iterable of them:

    - bytes, bytearray, memoryview, mmap, any contiguous buffer: the file itself, plain or gzip; never copied
    - a binary file object: read once, as a stream; it stays open
    - a str or path: a file; where there are wildcards and no such file, a glob in sorted order
    - a folder: the sitemaps below it, found by their content among `*.xml`, `*.gz`, `*.rss`, `*.atom`, `*.rdf`,
      robots.txt, and text lists with `sitemap` or `urls` in their names; other files and hidden folders are passed over
    - `"-"`: standard input

    `base` is the address the file (or its folder) claims to have: relative and off-site entries are judged by it.
    `content_type` is what it was sent with; its charset counts as HTTP's. `columns` chooses columns of the table, which
    keep its order, and saves the work for others.

    `follow=True` reads the files that an index or a robots.txt names, in their place and once, from the folder of that
    index: by `base`, else by the longest end of the address that is a file there; never outside of that folder. A child
    that is not there is a finding, and the set is not `complete`. `follow=False` gives the names as rows; `schema` says
    `urlset:kind=sitemapindex` then. A folder read so gives the rows of its sitemaps alone.

    `relative="resolve"` makes rows of relative addresses where `base` is known. `strict=True` raises `StrictError` at the
    first finding. `limits` bound what hostile input can cost. `extensions` are Arrow schemas of your own elements.
    `batch_rows` are the rows of a batch at most.

    Raises at once: TypeError or `OptionError` for arguments that make no sense, `Unreadable` for live addresses, which
    this version does not fetch. Raises when reading begins: `NotFound` and `Unreadable` for a source that is missing or
    cannot be opened; whatever is wrong with what is in it is in `findings`.
    """
    options = Options(
        base=base,
        content_type=content_type,
        columns=None if columns is None or isinstance(columns, str) else tuple(columns),
        follow=follow,
        relative=relative,
        strict=strict,
        limits=Limits() if limits is None else limits,
        extensions=tuple(extension_list(extensions)),
        batch_rows=batch_rows,
    )
    if isinstance(columns, str):
        raise OptionError(f"{columns!r} is a string, a list of column names was expected", "columns")
    given = _classify(source)

    def start(run: Run) -> Iterator[Step]:
        return _drive(given.steps(_Walk(run)))

    return UrlSet(start, options, label=given.label, once=given.once)


# What a pass over a source is made of: rows, news of the kind, and further files to read in this place.
_Steps: TypeAlias = "Iterator[Step | _Steps]"


def _drive(steps: _Steps) -> Iterator[Step]:
    """Run generators that yield generators, without recursion: indexes nest as deep as limits allow."""
    stack = [steps]
    try:
        while stack:
            try:
                step = next(stack[-1])
            except StopIteration:
                stack.pop()
                continue
            if isinstance(step, Iterator):
                stack.append(step)
            else:
                yield step
    finally:
        while stack:
            close = getattr(stack.pop(), "close", None)
            if close is not None:
                close()


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a file lies, and what its address is said to be."""

    path: str
    root: str | None
    """Real path of the folder that is not left."""
    url: str | None = None
    """Claimed address of the file."""
    root_url: str | None = None
    """Claimed address of the folder, with its slash."""


class _Walk:
    """One pass over a source: which files were read, which are open, how many there may be."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.seen: set[str] = set()
        self.open: set[str] = set()
        self.named = 0
        self.absent = 0
        self.full = False

    def room(self, part: Part | None) -> bool:
        """Count a file; whether it may be read."""
        most = self.run.options.limits.max_files
        if most is not None and self.named >= most:
            if not self.full:
                self.full = True
                self.run.whole = False
                message = f"reading stopped after {most} files"
                if part is not None:
                    part.fault("SIZ015", value="max_files", message=message)
                else:
                    self.run.fault("SIZ015", value="max_files", message=message)
            return False
        self.named += 1
        return True

    def missed(self, address: str, outcome: Outcome, found: str, parent: str | None) -> None:
        """Note a file that gives nothing."""
        if outcome != "skipped":
            self.run.whole = False
            self.absent += 1
            if self.absent > ABSENT:
                return
        self.run.files.append(File(address=address, outcome=outcome, found=found, parent=parent))

    def file(
        self,
        spot: _Spot,
        *,
        name: str,
        found: str,
        parent: Part | None = None,
        parent_name: str | None = None,
        level: int = 1,
        accept: Callable[[str], bool] | None = None,
    ) -> _Steps:
        """Read a file on disk, and in their places those it names."""
        real = os.path.realpath(spot.path)
        if real in self.seen:
            return
        if not self.room(parent):
            return
        self.seen.add(real)
        self.open.add(real)
        part = Part(
            self.run,
            address=spot.path,
            name=name,
            file=spot.path,
            base=spot.url,
            found=found,
            parent=parent_name,
            accept=accept,
        )
        try:
            yield from self.steps(part, _from_path(spot.path, part, given=found == "given"), spot, name, level)
        finally:
            self.open.discard(real)

    def steps(self, part: Part, chunks: Iterable[Buffer], spot: _Spot, name: str, level: int) -> _Steps:
        """Yield the rows of a file, or those of the files it names."""
        for step in part.read(chunks):
            if step is None or not part.is_list:
                yield step
            else:
                for loc in step.column("loc"):
                    if self.full:
                        break
                    child = self.child(part, loc, spot, name, level)
                    if child is not None:
                        yield child

    def child(self, part: Part, loc: str, spot: _Spot, parent: str, level: int) -> _Steps | None:
        """Look up a file that an index or a robots.txt names; report why, where it cannot be read."""
        found = "robots" if part.kind == "robots" else "index"
        most = self.run.options.limits.max_levels
        if most is not None and level > most:
            part.fault(
                "SIZ015", value="max_levels", message=f"indexes are followed {most} levels deep, the rest was left out"
            )
            self.missed(loc, "limited", found, parent)
            return None
        if spot.root is None:
            message = (
                "child {} cannot be looked up, since this index came without a folder; follow=False lists children"
            )
            part.fault("IDX010", value=loc, message=message.format(_shown(loc)))
            self.missed(loc, "absent", found, parent)
            return None
        place, refused = _look_up(loc, spot)
        if place is None:
            if not self.room(part):
                return None
            message = (
                f"child {_shown(loc)} lies outside of the folder of the index, it was not read" if refused else None
            )
            part.fault("IDX010", value=loc, message=message)
            self.missed(loc, "blocked" if refused else "absent", found, parent)
            return None
        if place in self.open:
            part.fault("IDX002", value=loc)
            return None
        if place in self.seen:
            self.missed(loc, "skipped", found, parent)
            return None
        path = _below(place, spot)
        absolute = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", loc) is not None
        url = urljoin(spot.url, loc) if spot.url is not None else loc if absolute else None
        inside = replace(spot, path=path, url=url)
        name = loc if absolute else path
        return self.file(inside, name=name, found=found, parent=part, parent_name=parent, level=level + 1)


def _shown(value: str) -> str:
    short = value if len(value) <= 80 else value[:80] + "…"
    return '"' + "".join(c if c.isprintable() else repr(c)[1:-1] for c in short) + '"'


def _below(real: str, spot: _Spot) -> str:
    """Return a file's path in the words in which the folder was named."""
    assert spot.root is not None
    folder = os.path.dirname(spot.path)
    with_root = os.path.relpath(real, os.path.realpath(folder))
    return os.path.normpath(os.path.join(folder, with_root)) if folder else with_root


def _look_up(loc: str, spot: _Spot) -> tuple[str | None, bool]:
    """Return the real path of the file that an address stands for, or None and whether it was refused as outside.

    The way to a folder is by the end of the address, since where it lies on the site is known only with a base.
    """
    assert spot.root is not None
    folder = os.path.dirname(os.path.realpath(spot.path))
    parts = urlsplit(loc) if "\0" not in loc else None
    if parts is None:
        return None, False
    absolute = bool(parts.scheme or parts.netloc)
    if spot.url is not None and spot.root_url is not None:
        address = urlsplit(urljoin(spot.url, loc))
        root = urlsplit(spot.root_url)
        if address.netloc.lower() != root.netloc.lower() or not address.path.startswith(root.path):
            return None, False
        names = [(spot.root, address.path[len(root.path) :], address.query)]
    elif not absolute:
        names = [(spot.root if loc.startswith("/") else folder, parts.path.lstrip("/"), parts.query)]
    else:
        segments = parts.path.lstrip("/").split("/")[-SEGMENTS:]
        tails = ["/".join(segments[at:]) for at in range(len(segments))]
        places = [folder] if folder == spot.root else [folder, spot.root]
        names = [(place, tail, parts.query) for tail in tails for place in places]
    refused = False
    for place, tail, query in names:
        tail = f"{tail}?{query}" if query else tail
        for written in dict.fromkeys([unquote(tail), tail]):
            pieces = written.split("/")
            if not written or "\0" in written or written.count("/") != tail.count("/"):
                continue
            if ".." in pieces and absolute:
                refused = True
                continue
            real = os.path.realpath(os.path.join(place, written))
            if not _is_file(real):
                continue
            if os.path.commonpath([real, spot.root]) != spot.root:
                refused = True
                continue
            return real, False
    return None, refused


def _is_file(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _from_path(path: str, part: Part, *, given: bool) -> Iterator[Buffer]:
    """Yield what is in a file. One that was given and cannot be read is an error, one that was found is a finding."""
    try:
        with open(path, "rb", buffering=0) as file:
            buffer = bytearray(CHUNK)
            view = memoryview(buffer)
            while got := file.readinto(buffer):
                yield view[:got]
    except OSError as error:
        if given:
            raise _failed(error, path) from error
        part.failed(error.strerror or str(error))


def _failed(error: OSError, path: str) -> SourceError:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return NotFound("no such file", path)
    return Unreadable(f"cannot be read, {(error.strerror or str(error)).lower()}", path)


class _Given(Protocol):
    """One source, classified."""

    @property
    def label(self) -> str: ...
    @property
    def once(self) -> bool: ...
    def steps(self, walk: _Walk) -> _Steps: ...


def _classify(source: Any, number: int | None = None) -> _Given:
    """Return what a source is. Opens nothing."""
    if isinstance(source, str | os.PathLike):
        return _named(os.fspath(source), plain=not isinstance(source, str))
    try:
        view = memoryview(source)
    except TypeError:
        pass
    else:
        if not view.c_contiguous:
            raise TypeError("the buffer is not contiguous: pass a copy, such as bytes(source)")
        return _Memory(view, "<bytes>" if number is None else f"<bytes {number}>", number is not None)
    if isinstance(source, io.TextIOBase):
        raise TypeError('a text file was given, bytes are needed to see the encoding: open(..., "rb")')
    if hasattr(source, "read"):
        return _Handle(source)
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        kind = type(source).__name__
        raise TypeError(
            f"a source is bytes, a binary file object, a path, a folder, a glob, '-' or a list of them, not {kind}"
        )
    if isinstance(source, Iterator):
        return _Several(source, once=True)
    several = tuple(_classify(item, at) for at, item in enumerate(source, 1))
    return _Several(several, once=any(item.once for item in several))


def _named(name: str | bytes, *, plain: bool) -> _Given:
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    if name == "-" and not plain:
        return _Input()
    if not plain and not os.path.lexists(name):
        if name.lstrip("\ufeff \t\r\n").startswith("<"):
            raise OptionError("this str looks like XML itself, a str is a path: pass the text as bytes", "source")
        if re.match(r"https?://", name, re.IGNORECASE):
            message = (
                "live sites are read by a later version: fetch the file and pass its bytes, with base= its address"
            )
            raise Unreadable(message, re.sub(r"(?<=//)[^/?#@]*@", "", name))
        if "\n" in name or "\0" in name:
            raise OptionError("this str is no path, it has several lines: pass text as bytes", "source")
        if has_magic(name):
            return _Pattern(name)
    return _Place(name)


class _Memory:
    """A whole file in memory."""

    once = False

    def __init__(self, view: memoryview, label: str, several: bool) -> None:
        self.label = label
        self._view = view
        self._several = several

    def steps(self, walk: _Walk) -> _Steps:
        if not walk.room(None):
            return
        base = walk.run.options.base
        name = self.label if self._several else base
        part = Part(walk.run, address=base or self.label, name=base, file=name, base=base)
        yield from walk.steps(part, (self._view,), _Spot("", None, base), base or self.label, 1)


class _Handle:
    """A binary file object, read once."""

    once = True

    def __init__(self, file: Any) -> None:
        self._file = file
        name = getattr(file, "name", None)
        self._name = name if isinstance(name, str) and name else None
        self.label = repr(self._name) if self._name else f"<{type(file).__name__}>"

    def steps(self, walk: _Walk) -> _Steps:
        if not walk.room(None):
            return
        base = walk.run.options.base
        spot = _Spot("", None, base)
        if self._name is not None and _is_file(self._name):
            spot = _spot(self._name, base)
            walk.seen.add(os.path.realpath(self._name))
            walk.open.add(os.path.realpath(self._name))
        name = self._name or base
        part = Part(
            walk.run,
            address=self._name or base or self.label,
            name=name,
            file=name,
            base=spot.url if spot.path else base,
        )
        yield from walk.steps(part, _from_handle(self._file), spot, name or self.label, 1)
        walk.open.clear()


class _Input:
    """Standard input."""

    once = True
    label = "'-'"

    def steps(self, walk: _Walk) -> _Steps:
        if not walk.room(None):
            return
        file = getattr(sys.stdin, "buffer", None)
        if file is None or file.closed:
            raise Unreadable("standard input is closed", "-")
        base = walk.run.options.base
        part = Part(walk.run, address="-", name=base or "-", file="-", base=base)
        yield from walk.steps(part, _from_handle(file), _Spot("", None, base), "-", 1)


def _from_handle(file: Any) -> Iterator[Buffer]:
    """Yield what a file object gives; as soon as it gives something, where it can."""
    take = getattr(file, "read1", None) or file.read
    while True:
        data = take(CHUNK)
        if isinstance(data, str):
            raise TypeError('the file object gives text, bytes are needed to see the encoding: open(..., "rb")')
        if data is None:
            raise Unreadable("the file object has nothing to give yet, one that waits for its data was expected")
        if not data:
            return
        yield data


class _Place:
    """A path: a file or a folder, which is looked at when reading begins."""

    once = False

    def __init__(self, path: str) -> None:
        self.label = repr(path)
        self._path = path
        self._spent = False

    def steps(self, walk: _Walk) -> _Steps:
        try:
            mode = os.stat(self._path).st_mode
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError):
                raise NotFound("no such file, the name holds a NUL", repr(self._path)) from error
            raise _failed(error, self._path) from error
        if stat.S_ISDIR(mode):
            yield _folder(self._path, walk)
            return
        if not stat.S_ISREG(mode):  # a pipe or a device gives its data once
            if self._spent:
                raise StreamConsumed
            self._spent = True
        spot = _spot(self._path, walk.run.options.base)
        yield walk.file(spot, name=self._path, found="given")


class _Pattern:
    """A glob."""

    once = False

    def __init__(self, pattern: str) -> None:
        self.label = repr(pattern)
        self._pattern = pattern

    def steps(self, walk: _Walk) -> _Steps:
        paths = sorted(glob(self._pattern, recursive=True))
        if not paths:
            raise NotFound("no file fits this pattern", self._pattern)
        first = [path for path in paths if _is_file(path) and _names_files(path, walk.run.options)]
        for path in dict.fromkeys([*first, *paths]):
            yield _Place(path).steps(walk)


class _Several:
    """A list of sources, or an iterator, which is used up."""

    def __init__(self, sources: Iterable[Any], *, once: bool) -> None:
        self.once = once
        self.label = f"[{', '.join(s.label for s in sources)}]" if isinstance(sources, tuple) else "<iterator>"
        self._sources = sources

    def steps(self, walk: _Walk) -> _Steps:
        for number, source in enumerate(self._sources, 1):
            given = source if isinstance(self._sources, tuple) else _classify(source, number)
            yield given.steps(walk)


def _spot(path: str, base: str | None) -> _Spot:
    """Return where a file lies. A base that names a file or ends in a slash says its folder; else it is the folder."""
    root = os.path.dirname(os.path.realpath(path))
    if base is None:
        return _Spot(path, root)
    name = os.path.basename(path)
    folder = _folder_of(base, name)
    return _Spot(
        path,
        root,
        base if folder != base and not base.endswith("/") and _is_name(base, name) else folder + name,
        folder,
    )


def _is_name(base: str, name: str) -> bool:
    last = urlsplit(base).path.rpartition("/")[2]
    return bool(last) and (last == name or "." in last)


def _folder_of(base: str, name: str = "") -> str:
    """Return the address of the folder that a base speaks of, with its slash."""
    base = base.partition("#")[0].partition("?")[0]
    if _is_name(base, name):
        return base.rpartition("/")[0] + "/"
    return base if base.endswith("/") else base + "/"


def _names_files(path: str, options: Options) -> bool:
    """Whether a file is an index or a robots.txt, by its first bytes: such are read before the files they name."""
    if not options.follow:
        return False
    if os.path.basename(path).lower() == "robots.txt":
        return True
    try:
        with open(path, "rb", buffering=0) as file:
            head = file.read(4_096)
    except OSError:
        return False
    reader = options.reader()
    reader.feed(head)
    return reader.kind in LISTS


def _folder(top: str, walk: _Walk) -> _Steps:
    """Read the sitemaps below a folder."""
    options = walk.run.options
    root = os.path.realpath(top)
    root_url = None if options.base is None else _folder_of(options.base)
    paths = list(_candidates(top, walk))
    first = [path for path in paths if _names_files(path, options)]
    before = len(walk.run.files)
    for path in dict.fromkeys([*first, *paths]):
        real = os.path.realpath(path)
        if os.path.commonpath([real, root]) != root:
            walk.missed(path, "blocked", "folder", None)
            continue
        below = os.path.relpath(path, top).replace(os.sep, "/")
        spot = _Spot(path, root, None if root_url is None else root_url + below, root_url)
        kinds = ("html", "unknown", "empty") if options.follow else ("html", "unknown", "empty", *LISTS)
        # A file that calls itself a sitemap and is none is told; any other is none of ours.
        named = "sitemap" in os.path.basename(path).lower()
        refused = LISTS if named and not options.follow else () if named else kinds
        yield walk.file(spot, name=path, found="folder", accept=lambda kind, refused=refused: kind not in refused)
    if all(file.outcome == "skipped" for file in walk.run.files[before:]):
        raise NotFound("no sitemap in this folder, *.xml or *.xml.gz was expected", top)


def _candidates(folder: str, walk: _Walk) -> Iterator[str]:
    """Yield the files below a folder that may be sitemaps by their names, in sorted order, each folder's own first."""
    pending = [folder]
    while pending:
        place = pending.pop()
        try:
            with os.scandir(place) as entries:
                found = sorted((e for e in entries if not e.name.startswith(".")), key=lambda e: e.name)
        except OSError as error:
            if place == folder:
                raise _failed(error, place) from error
            walk.run.fault("GEN001", file=place, message=f"folder cannot be read, {(error.strerror or '').lower()}")
            walk.missed(place, "blocked", "folder", None)
            continue
        for entry in found:
            name = entry.name.lower()
            listed = name.removesuffix(".gz").endswith(".txt") and ("sitemap" in name or "urls" in name)
            if (name.endswith(NAMES) and not name.endswith(".txt.gz")) or listed or name == "robots.txt":
                if _is_file(entry.path):
                    yield entry.path
        pending.extend(e.path for e in reversed(found) if e.is_dir(follow_symlinks=False))
