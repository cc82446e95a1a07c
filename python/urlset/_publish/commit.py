"""A set into its folder: every file staged first, then put in place in an order in which no reader ever loses a URL."""

import contextlib
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from urlset import _core
from urlset._publish.manifest import NAME, Entry, Manifest, load
from urlset._store import Folder, failure
from urlset.errors import StoreError

if TYPE_CHECKING:
    from typing_extensions import Buffer

KEEP = 2
"""Publishes for which a child stays after the last index that named it, where names tell contents apart."""


_HEAD = 64 << 10
"""Bytes of a file that tell what it is."""


def theirs(name: str, target: Path) -> StoreError:
    """Return the error that says that a file of others is in the way."""
    return StoreError(
        f"{name} is there, and urlset did not write it; "
        "choose another folder, move the file away, or replace it with force=True (--force)",
        str(target),
    )


def may_replace(target: Path) -> bool:
    """Whether a single file may take the place of what is there, without force.

    A single file leaves no list of what we wrote. So it may where nothing is there or nothing is in it, where it is of
    the kind that we write, a sitemap, an index or a list of addresses and nothing else, and where a list names it.
    """
    try:
        found = target.stat()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise failure(error, target) from error
    if not stat.S_ISREG(found.st_mode):
        return False
    return found.st_size == 0 or _begins_like_ours(target) or load(Folder(target.parent)).ours(target.name)


def _begins_like_ours(path: Path) -> bool:
    """Whether a file begins like one that we write."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    reader = _core.Reader(columns=["loc"], max_bytes=1_024 * _HEAD, max_text=_HEAD)
    for at in range(0, len(head), 1_024):
        reader.feed(head[at : at + 1_024])
        if reader.plain_bytes > _HEAD:
            break
    else:
        if len(head) < _HEAD:
            reader.finish()
    if reader.kind == "text":
        # Notes with an address among them are a text as well, with a finding.
        return reader.entries > 0 and reader.findings() is None
    return reader.kind in {"urlset", "sitemapindex", "empty"}


@dataclass(slots=True)
class Set:
    """A set on its way into a folder."""

    folder: Folder
    force: bool = False
    old: Manifest = field(default_factory=Manifest)
    entries: dict[str, Entry] = field(default_factory=dict)
    """The files of the set, children first."""
    tops: set[str] = field(default_factory=set)
    """Names of the indexes that nothing names but robots.txt."""
    staged: dict[str, Path] = field(default_factory=dict)
    """Those of them that are not in their place yet."""
    robots: dict[str, list[str]] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    _robots_staged: list[tuple[Path, Path]] = field(default_factory=list)

    def add(self, name: str, data: "Buffer", entry: Entry, *, top: bool = False) -> None:
        """Stage a file of the set, unless the same is there already. StoreError: another's is in its way."""
        if name in self.entries:
            raise StoreError(f"two files of the set are called {name}; choose other names", str(self.folder.path))
        target = self.folder.target(name)
        same = self._same(name, target, data, entry)
        if not same and target.exists() and not (self.old.ours(name) or self.force):
            raise theirs(name, target)
        self.entries[name] = entry
        if top:
            self.tops.add(name)
        if not same:
            self.staged[name] = self.folder.stage(data)

    def _same(self, name: str, target: Path, data: "Buffer", entry: Entry) -> bool:
        """Whether the file has the content already, byte for byte or, as far as we wrote it, before compression."""
        try:
            if target.is_symlink() or not target.is_file():
                return False
            there = target.read_bytes()
        except OSError:
            return False
        if there == memoryview(data):
            return True
        before = self.old.files.get(name)
        if before is None or before.level is None:
            return False
        wanted = (entry.hash, entry.plain_bytes, entry.level)
        return (before.hash, before.plain_bytes, before.level) == wanted and _core.content_hash(
            there
        ) == before.stored_hash

    def name_in_robots(self, path: Path, key: str, lines: list[str]) -> bool:
        """Stage a robots.txt with these Sitemap lines. False where it has them already."""
        ours = self.old.robots.get(key, [])
        path = path.resolve()  # a link stays a link
        try:
            before: bytes | None = path.read_bytes()
        except FileNotFoundError:
            before = None
        except OSError as error:
            raise failure(error, path) from error
        # A line that was there before us stays the property of whoever wrote it.
        there = {line.partition(b":")[2].strip() for line in (before or b"").splitlines()}
        self.robots[key] = [line for line in lines if line in ours or line.encode() not in there]
        after = bytes(_core.robots_update(before, lines, ours))
        if after == before:
            return False
        self._robots_staged.append((Folder(path.parent).stage(after), path))
        return True

    def publish(self) -> None:
        """Put everything in its place: new children, changed ones, the indexes, shrunk children; then prune."""
        old = self.old.files
        gone = [name for name in [*old, *self.old.pending] if name not in self.entries]
        kept = dict(self._kept(gone))
        final = Manifest({**self.entries, **kept}, [], {**self.old.robots, **self.robots})
        if not self.staged and not self._robots_staged and not (set(gone) - set(kept)) and not kept:
            # Nothing moves; the list of files is there unless somebody removed it.
            self._write_manifest(final)
            return
        if self.staged or gone:
            intent = Manifest(
                {**old, **kept}, sorted({*self.staged, *self.old.pending}), {**self.old.robots, **self.robots}
            )
            self._write_manifest(intent)
        moved = [name for name in self.staged if name not in self.tops]
        new = [name for name in moved if name not in old]
        changed, shrunk = _order([name for name in self.entries if name not in self.tops], old, self.entries)
        changed = [name for name in changed if name in self.staged]
        shrunk = [name for name in shrunk if name in self.staged]
        tops = [name for name in self.staged if name in self.tops]
        for phase in (new, changed, tops, shrunk):
            for name in phase:
                self.folder.place(self.staged.pop(name), self.folder.target(name))
            if phase:
                self.folder.settle()
        while self._robots_staged:
            staged, path = self._robots_staged.pop()
            Folder(path.parent).place(staged, path)
            self.folder.settle(path.parent)
        for name in gone:
            if name not in kept:
                self.folder.delete(name)
                self.removed.append(name)
        self._write_manifest(final)

    def _kept(self, gone: Iterable[str]) -> Iterator[tuple[str, Entry]]:
        """Yield the files that stay although the set no longer names them."""
        for name in gone:
            entry = self.old.files.get(name)
            if entry is None or not is_immutable(name, entry):
                continue
            # Readers may still hold an index that names it. Only a publish that changes something counts.
            unnamed = entry.unnamed + bool(self.staged)
            if unnamed <= KEEP:
                yield name, replace(entry, unnamed=unnamed)

    def _write_manifest(self, manifest: Manifest) -> None:
        text = manifest.text()
        with contextlib.suppress(OSError):
            if (self.folder.path / NAME).read_bytes() == text:
                return
        self.folder.put(NAME, text, "application/json")

    def discard(self) -> None:
        """Remove what was staged and not put in place."""
        for staged in [*self.staged.values(), *(staged for staged, _ in self._robots_staged)]:
            with contextlib.suppress(OSError):
                staged.unlink()
        self.staged.clear()
        self._robots_staged.clear()


def _order(names: list[str], old: Mapping[str, Entry], new: Mapping[str, Entry]) -> tuple[list[str], list[str]]:
    """Return the files that were there before in the order of their replacement, and those that come after the index.

    Rows that come or go make others move from a file to its neighbour. A file takes them over before the neighbour lets
    go of them, so that whoever reads meanwhile finds them twice rather than not at all. Which way they move is told by
    the last entries of a file, then and now; that is certain where rows are in the order of their addresses.

    >>> def files(*ends: str) -> dict[str, Entry]:
    ...     return {name: Entry(2, 0, 0, "", "", first="/0", last=end) for name, end in zip("abc", ends)}
    >>> _order(["a", "b", "c"], files("/2", "/4", "/6"), files("/3", "/5", "/7"))
    (['a', 'b', 'c'], [])
    >>> _order(["a", "b", "c"], files("/2", "/4", "/6"), files("/1", "/3", "/5"))
    (['c', 'b', 'a'], [])
    """
    known = [name for name in names if name in old]
    rising = sum(_natural(new[name].first) <= _natural(new[name].last) for name in known) * 2 >= len(known)
    runs: list[list[str]] = []
    takers: set[str] = set()
    late: set[str] = set()
    onwards = False
    for name in names:
        if name not in old:
            if onwards:
                # The rows move on into a new file, which nobody sees before the index names it.
                late.update(runs[-1])
            onwards = False
            continue
        if onwards:
            runs[-1].append(name)
            takers.add(name)
        else:
            runs.append([name])
        before, after = _natural(old[name].last), _natural(new[name].last)
        onwards = before != after and (after < before) == rising
        if before != after and not onwards:
            takers.add(name)
    order = [name for run in runs for name in reversed(run)]
    late.update(name for name in order if new[name].rows < old[name].rows and name not in takers)
    return [name for name in order if name not in late], [name for name in order if name in late]


def _natural(loc: str) -> list[tuple[str, int]]:
    """Return a key by which `/p/9` comes before `/p/10`."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"([^0-9]*)([0-9]*)", loc)]


def immutable(name: str, entry: Entry) -> str:
    """Return the name that tells the content: `sitemap-00001-0123456789abcdef.xml.gz`."""
    stem, dot, rest = name.partition(".")
    return f"{stem}-{entry.hash}{dot}{rest}"


def is_immutable(name: str, entry: Entry) -> bool:
    """Whether a name tells the content."""
    return name.partition(".")[0].endswith(f"-{entry.hash}")


@contextlib.contextmanager
def opened(path: Path, *, force: bool) -> Iterator[Set]:
    """Open a set for a folder that nobody else writes to meanwhile; whatever goes wrong, nothing staged is left."""
    folder = Folder(path)
    folder.make()
    try:
        with folder.lock():
            folder.sweep()
            made = Set(folder, force)
            try:
                made.old = load(folder)
                yield made
            finally:
                made.discard()
    except BaseException:
        folder.unmake()
        raise
