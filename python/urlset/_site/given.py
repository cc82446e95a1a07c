"""What a user gives, as steps of a pass: bytes, file objects, standard input, paths, folders, globs, lists of them."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from glob import glob, has_magic
from typing import TYPE_CHECKING, Any, Protocol

from urlset._read import LISTS, Job, Options, Parsed, Part, parse
from urlset._site.place import Spot, file_size, folder_address, is_file, nowhere, spot_of
from urlset._site.walk import CHUNK, Steps, Walk, names_files, worth
from urlset._source import failure
from urlset._store import same
from urlset.errors import NotFound, OptionError, StreamConsumed, Unreadable

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Given", "Readable", "classify", "reads"]

ENDINGS = (".xml", ".gz", ".rss", ".atom", ".rdf")
"""Endings of names in a folder that are looked into. Text lists and robots.txt go by more of their names."""
OTHERS = ("html", "unknown", "empty")
"""Kinds that are passed over in a folder, unless the name says that a sitemap was meant."""


class Readable(Protocol):
    """A binary file object: anything whose `read(n)` gives bytes."""

    def read(self, size: int, /) -> Any:
        """Return at most `size` bytes, none at the end."""
        ...


class Given(Protocol):
    """A source."""

    @property
    def label(self) -> str:
        """What to call it."""
        ...

    @property
    def once(self) -> bool:
        """Whether it can be read once only."""
        ...

    def job(self, walk: Walk) -> Job | None:
        """Return its parse, where it is one file that nobody minds being opened early."""
        ...

    def steps(self, walk: Walk) -> Steps:
        """Yield its rows; nothing is opened before the first is asked for."""
        ...


def classify(source: Any, number: int | None = None) -> Given:
    """Return what a source is; `number` is its place in a list. Opens nothing.

    >>> classify(b"https://a.example/").label, classify("sitemap.xml").label
    ('<bytes>', "'sitemap.xml'")
    """
    if isinstance(source, str):
        return _named(source)
    if isinstance(source, os.PathLike):
        return Place(os.fsdecode(source))
    try:
        view = memoryview(source)
    except TypeError:
        pass
    else:
        if not view.c_contiguous:
            raise TypeError("the buffer is not contiguous: pass a copy, such as bytes(source)")
        return Memory(view, number)
    if isinstance(source, io.TextIOBase):
        raise TypeError('a text file was given, bytes are needed to see the encoding: open(..., "rb")')
    if hasattr(source, "read"):
        return Handle(source)
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        expected = "bytes, a binary file object, a path, a folder, a glob, '-' or a list of them was expected"
        raise TypeError(f"a source of type {type(source).__name__} was given, {expected}")
    if isinstance(source, Iterator):
        return Several(source, label="<iterator>", once=True)
    several = tuple(classify(item, at) for at, item in enumerate(source, 1))
    label = f"[{', '.join(one.label for one in several)}]"
    return Several(several, label=label, once=any(one.once for one in several))


def _named(name: str) -> Given:
    if name == "-":
        return Input()
    if os.path.lexists(name) if "\0" not in name else False:
        return Place(name)
    if name.lstrip("\ufeff \t\r\n").startswith("<"):
        raise OptionError("this str looks like XML itself, and a str is a path: pass the text as bytes", "source")
    if "\n" in name or "\0" in name:
        raise OptionError("this str has several lines or a NUL, and a str is a path: pass text as bytes", "source")
    if re.match(r"https?:", name, re.IGNORECASE):
        message = "live sites are read by a later version, fetch the file and pass its bytes with base=ADDRESS"
        raise Unreadable(message, re.sub(r"(?<=//)[^/?#@]*@", "", name))
    return Pattern(name) if has_magic(name) else Place(name)


class Memory:
    """A whole file in memory."""

    once = False

    def __init__(self, view: memoryview, number: int | None) -> None:
        """Keep a view of it."""
        self.label = "<bytes>" if number is None else f"<bytes {number}>"
        self._view = view
        self._alone = number is None

    def steps(self, walk: Walk) -> Steps:
        """Yield its rows."""
        if not walk.room():
            return
        base = walk.run.options.base
        job = self._parse(walk.run.options)
        part = Part(walk.run, address=job.file or self.label, file=job.file)
        yield from walk.part(part, walk.ahead.take(job), nowhere(base))

    def job(self, walk: Walk) -> Job | None:
        """Return its parse, if it is worth it."""
        packed = ".gz" if bytes(self._view.cast("B")[:2]) == b"\x1f\x8b" else ""
        return self._parse(walk.run.options) if worth(packed, self._view.nbytes) else None

    def _parse(self, options: Options) -> InMemory:
        return InMemory(self.label, options.base if self._alone else self.label, id(self), self._view, options)


@dataclass(frozen=True, slots=True)
class InMemory:
    """A whole file in memory, with all that its parse depends on."""

    label: str
    file: str | None
    number: int
    view: memoryview = field(compare=False)
    options: Options = field(compare=False)

    def told(self) -> Parsed:
        """Return what its pieces give."""
        base = self.options.base
        return parse(self.options, (self.view,), name=base, file=self.file, base=base)


class Handle:
    """A binary file object, read once. One that says which file it is has a folder to look up children in."""

    once = True

    def __init__(self, file: Any) -> None:
        """Keep the file object; it is the caller's to close."""
        self._file = file
        name = getattr(file, "name", None)
        self._name = name if isinstance(name, str) and name else None
        self.label = repr(self._name) if self._name else f"<{type(file).__name__}>"

    def job(self, _walk: Walk) -> None:
        """Return nothing: it is the caller's, and is read when it is its turn."""

    def steps(self, walk: Walk) -> Steps:
        """Yield its rows."""
        if not walk.room():
            return
        spot, name = nowhere(walk.run.options.base), self._name or walk.run.options.base
        real = None
        if self._name is not None and is_file(self._name):
            spot, real = spot_of(self._name, spot.url), os.path.realpath(self._name)
            walk.seen.add(real)
            walk.open.add(real)
        part = Part(walk.run, address=name or self.label, file=name)
        parsed = parse(walk.run.options, _chunks(self._file), name=name, file=name, base=spot.url)
        yield from walk.part(part, parsed, spot)
        if real is not None:
            walk.open.discard(real)


class Input:
    """Standard input."""

    once = True
    label = "'-'"

    def job(self, _walk: Walk) -> None:
        """Return nothing: it may be somebody who types."""

    def steps(self, walk: Walk) -> Steps:
        """Yield its rows."""
        file = getattr(sys.stdin, "buffer", None)
        if file is None or file.closed:
            raise Unreadable("standard input is closed", "-")
        if not walk.room():
            return
        base = walk.run.options.base
        part = Part(walk.run, address="-", file="-")
        parsed = parse(walk.run.options, _chunks(file), name=base or "-", file="-", base=base)
        yield from walk.part(part, parsed, nowhere(base))


def _chunks(file: Any) -> Iterator[Buffer]:
    """Yield what a file object gives, as soon as it gives something where it can."""
    take = getattr(file, "read1", None) or file.read
    while True:
        data = take(CHUNK)
        if isinstance(data, str):
            raise TypeError('the file object gives text, bytes are needed to see the encoding: open(..., "rb")')
        if data is None:
            raise Unreadable("the file object does not wait for its data, one that does was expected")
        if not data:
            return
        yield data


class Place:
    """A path: a file or a folder, which is looked at when reading begins."""

    once = False

    def __init__(self, path: str, *, sure: bool = True) -> None:
        """Keep a path; `sure` says that somebody gave it, and did not just happen to lie there."""
        self.label = repr(path)
        self._path = path
        self._sure = sure
        self._spent = False

    def job(self, walk: Walk) -> Job | None:
        """Return the parse of the file, if it may begin early. What is wrong with its path is said in its turn."""
        try:
            spot = spot_of(self._path, walk.run.options.base)
        except ValueError:  # a NUL, or what no address can hold
            return None
        return walk.early(spot, file_size(self._path), name=self._path, given=True)

    def steps(self, walk: Walk) -> Steps:
        """Yield the rows of the file, or of all sitemaps below the folder."""
        try:
            mode = os.stat(self._path).st_mode
        except OSError as error:
            raise failure(error, self._path) from error
        if stat.S_ISDIR(mode):
            yield _folder(self._path, walk, sure=self._sure)
            return
        if not stat.S_ISREG(mode):
            if self._spent:  # a pipe or a device gives its data once
                raise StreamConsumed
            self._spent = True
        yield walk.file(spot_of(self._path, walk.run.options.base), name=self._path, found="given")


class Pattern:
    """A glob: files and folders in sorted order, indexes first. Pipes and devices are read where they are named."""

    once = False

    def __init__(self, pattern: str) -> None:
        """Keep the pattern; it is matched anew on each use."""
        self.label = repr(pattern)
        self._pattern = pattern

    def job(self, _walk: Walk) -> None:
        """Return nothing: it is many files."""

    def steps(self, walk: Walk) -> Steps:
        """Yield the rows of every match."""
        paths = sorted(path for path in glob(self._pattern, recursive=True) if not _is_special(path))
        if not paths:
            raise NotFound("no file fits this pattern", self._pattern)
        first = [path for path in paths if names_files(path, walk.run.options)]
        known = set(first)
        for group in (first, [path for path in paths if path not in known]):
            for place in walk.ahead.over((Place(path, sure=False) for path in group), lambda place: place.job(walk)):
                yield place.steps(walk)


def _is_special(path: str) -> bool:
    """Whether something is neither file nor folder. What cannot be looked at is told of when it is read."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


class Several:
    """A list of sources, or an iterator of them, which is used up."""

    def __init__(self, sources: Iterable[Any], *, label: str, once: bool) -> None:
        """Keep sources that are classified, or an iterator of those that are not."""
        self.label = label
        self.once = once
        self._sources = sources

    def job(self, _walk: Walk) -> None:
        """Return nothing: it is many sources."""

    def steps(self, walk: Walk) -> Steps:
        """Yield the rows of each."""
        if isinstance(self._sources, tuple):
            for given in walk.ahead.over(self._sources, lambda given: given.job(walk)):
                yield given.steps(walk)
            return
        for number, source in enumerate(self._sources, 1):  # an iterator is asked when it is its turn
            yield classify(source, number).steps(walk)


def _folder(top: str, walk: Walk, *, sure: bool) -> Steps:
    """Read the sitemaps below a folder: indexes first, so that children are read in their places."""
    options = walk.run.options
    root = os.path.realpath(top)
    address = None if options.base is None else folder_address(options.base)
    paths = list(_candidates(top, walk))
    first = [path for path in paths if names_files(path, options)]
    found = False

    def place(path: str) -> tuple[Spot, frozenset[str]]:
        below = os.path.relpath(path, top).replace(os.sep, "/")
        spot = Spot(path, root, None if address is None else address + below, address)
        # A file that calls itself a sitemap and is none is told of; any other is none of ours.
        passed = () if "sitemap" in os.path.basename(path).lower() else OTHERS
        return spot, frozenset(passed if options.follow else (*passed, *LISTS))

    def job(placed: tuple[Spot, frozenset[str]]) -> Job | None:
        spot, refused = placed
        if os.path.commonpath((spot.real, root)) != root:
            return None
        return walk.early(spot, file_size(spot.real), name=spot.path, refused=refused)

    known = set(first)
    # What indexes name is read in its place, so that others are begun only when indexes are done.
    for group in (first, [path for path in paths if path not in known]):
        for spot, refused in walk.ahead.over(map(place, group), job):
            if os.path.commonpath((spot.real, root)) != root:
                walk.missed(spot.path, "blocked", "folder")
                continue
            yield walk.file(spot, name=spot.path, found="folder", refused=refused)
            found = found or spot.real not in walk.strange
    if sure and not found:
        raise NotFound("no sitemap in this folder, *.xml or *.xml.gz was expected", top)


def _candidates(top: str, walk: Walk) -> Iterator[str]:
    """Yield the files below a folder that may be sitemaps by their names, sorted, a folder's own before those below."""
    pending = [top]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                found = sorted((one for one in entries if not one.name.startswith(".")), key=lambda one: one.name)
        except OSError as error:
            if folder == top:
                raise failure(error, folder) from error
            walk.run.fault("GEN001", file=folder, message=f"folder cannot be read, {(error.strerror or '').lower()}")
            walk.missed(folder, "blocked", "folder")
            continue
        for one in found:
            if may_be_sitemap(one.name) and is_file(one.path):
                yield one.path
        pending.extend(one.path for one in reversed(found) if one.is_dir(follow_symlinks=False))


def may_be_sitemap(name: str) -> bool:
    """Whether a file of that name in a folder is looked into.

    >>> may_be_sitemap("pages.xml.gz"), may_be_sitemap("urls.txt"), may_be_sitemap("notes.txt")
    (True, True, False)
    """
    name = name.lower()
    if name.removesuffix(".gz").endswith(".txt"):
        return name == "robots.txt" or "sitemap" in name or "urls" in name
    return name.endswith(ENDINGS)


def reads(source: str, path: str | int) -> bool:
    """Whether a source reads the file at a path, or will when it is there; or that of an open file, by its number.

    >>> reads("site/*.xml", "site/urls.csv"), reads("site/*.xml", "site/new.xml")
    (False, True)
    """
    if source == "-":
        return same(0, path)
    if os.path.isdir(source):
        # A folder that holds its own output would be read otherwise the next time.
        return any(same(found, path) for found in _below(source)) if isinstance(path, int) else _within(source, path)
    if os.path.lexists(source):
        return same(source, path)
    if not has_magic(source):
        return False
    if not isinstance(path, int) and _fits(path, source):
        return True
    return any(reads(found, path) for found in glob(source, recursive=True))


def _within(folder: str, path: str) -> bool:
    """Whether a folder is where a path leads, under a name that is looked into."""
    root = os.path.realpath(folder)
    inside = os.path.commonpath((os.path.realpath(path), root)) == root
    return inside and may_be_sitemap(os.path.basename(path))


def _below(top: str) -> Iterator[str]:
    """Yield the files below a folder whose names are looked into."""
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(folder, name) for name in files if not name.startswith(".") and may_be_sitemap(name))


def _fits(path: str, pattern: str) -> bool:
    """Whether a path, or what it leads to, fits a pattern; nothing needs to be there.

    >>> _fits("a/b/c.xml", "a/**/*.xml"), _fits("./a/c.xml", "a/*.xml"), _fits("a/.c.xml", "a/*.xml")
    (True, True, False)
    """
    parts = pattern.split("/")
    plain = next(at for at, part in enumerate(parts) if has_magic(part))
    head = "/".join(parts[:plain]) + "/" * (plain > 0) or "."
    rest = [part for part in parts[plain:] if part not in {"", "."}]
    folder, name = os.path.split(path)
    for real in (os.path.abspath, os.path.realpath):
        below = os.path.relpath(os.path.join(real(folder), name), real(head))
        if _matches(below.split("/"), rest):
            return True
    return False


def _matches(names: list[str], parts: list[str]) -> bool:
    """Whether the names of a path fit the parts of a pattern, as `glob` sees it."""
    if not names or not parts:
        return not names and all(part == "**" for part in parts)
    name, part = names[0], parts[0]
    if name.startswith(".") and not part.startswith("."):
        return part == "**" and _matches(names, parts[1:])
    if part == "**":
        return _matches(names, parts[1:]) or _matches(names[1:], parts)
    return fnmatchcase(name, part) and _matches(names[1:], parts[1:])
