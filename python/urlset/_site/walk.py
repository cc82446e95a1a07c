"""One pass over files: each is read once, and in the place where an index names it. Knows no kinds of sources."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from urlset._read import LISTS, Ahead, Lost, Options, Parsed, Part, Run, Step, parse
from urlset._site.place import Found, Spot, is_absolute, is_file, look_up
from urlset._source import failure
from urlset.types import File, Outcome

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["OnDisk", "Steps", "Walk", "drive", "names_files", "worth"]

CHUNK = 256 << 10
"""Bytes read from a file at a time."""
WORTH = 128 << 10
"""Bytes of a file that is worth another thread; with less in each, threads wait for the interpreter and do not work."""
WORTH_PACKED = WORTH // 16
"""The same of gzip."""
ABSENT = 10_000
"""Files that give nothing and are listed one by one; beyond, they are counted in findings only."""

Steps: TypeAlias = "Iterator[Step | Steps]"
"""What a pass is made of: rows, news of the kind, and steps to be taken in this place."""


def drive(steps: Steps) -> Iterator[Step]:
    """Run generators that yield generators without recursion, since indexes nest as deep as limits allow.

    >>> def nested(depth):
    ...     yield nested(depth - 1) if depth else None
    >>> list(drive(nested(5_000)))
    [None]
    """
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


@dataclass(frozen=True, slots=True, kw_only=True)
class OnDisk:
    """A file on disk with all that its parse depends on."""

    path: str
    name: str
    """It stands in the column `sitemap`."""
    base: str | None
    given: bool
    """Somebody named it: that it cannot be read is an error, of any other it is a finding."""
    refused: frozenset[str]
    options: Options = field(compare=False)

    @property
    def label(self) -> str:
        """What to call it."""
        return self.path

    def told(self) -> Parsed:
        """Return what its pieces give."""
        chunks = _chunks(self.path, given=self.given)
        return parse(self.options, chunks, name=self.name, file=self.path, base=self.base, refused=self.refused)


@dataclass(frozen=True, slots=True)
class Named:
    """What an index names, and what its folder holds of that."""

    loc: str
    found: Found
    spot: Spot | None
    """Where it lies, None where there is no such file."""

    @property
    def name(self) -> str:
        """What stands in the column `sitemap`."""
        return self.loc if self.spot is None or is_absolute(self.loc) else self.spot.path


class Walk:
    """One pass: which files were read, which are open, how many there may be."""

    def __init__(self, run: Run) -> None:
        """Begin a pass."""
        self.run = run
        self.ahead = Ahead(run.options.threads)
        self.seen: set[str] = set()
        """Real paths of the files that were read or begun."""
        self.open: set[str] = set()
        """Those that are not read to their ends: a child that is one of them makes a circle."""
        self.named: dict[str, str] = {}
        """Addresses that indexes gave to the files, by their real paths: one file cannot be two of them."""
        self.strange: set[str] = set()
        """Those in folders that are no sitemaps."""
        self._begun: set[str] = set()
        """Real paths of those that may have begun before their turn, which has not come."""
        self._files = 0
        self._listed = 0
        self._full = False

    def room(self, part: Part | None = None) -> bool:
        """Count a file, and say whether it may be read; the first that may not is a finding of `part`."""
        most = self.run.options.limits.max_files
        if most is None or self._files < most:
            self._files += 1
            return True
        if not self._full:
            self._full = True
            self.run.whole = False
            report = self.run.fault if part is None else part.fault
            report("SIZ015", value="max_files", message=f"reading stopped after {most} files")
        return False

    def missed(self, address: str, outcome: Outcome, found: str, parent: str | None = None) -> None:
        """Note a file that gives nothing."""
        if outcome != "skipped":
            self.run.whole = False
        self._listed += 1
        if self._listed <= ABSENT:
            self.run.files.append(File(address=address, outcome=outcome, found=found, parent=parent))

    def job(self, spot: Spot, *, name: str, given: bool = False, refused: Collection[str] = ()) -> OnDisk:
        """Return the parse of a file on disk."""
        options = self.run.options
        return OnDisk(
            path=spot.path, name=name, base=spot.url, given=given, refused=frozenset(refused), options=options
        )

    def early(
        self, spot: Spot, size: int | None, *, name: str, given: bool = False, refused: Collection[str] = ()
    ) -> OnDisk | None:
        """Return the parse of a file if it may begin before its turn: an ordinary one, worth it, and not read yet."""
        if size is None or not worth(spot.path, size) or spot.real in self.seen:
            return None
        most = self.run.options.limits.max_files
        if most is not None and self._files + len(self._begun) >= most:
            return None  # no more files are opened than may be read
        self._begun.add(spot.real)
        return self.job(spot, name=name, given=given, refused=refused)

    def file(
        self,
        spot: Spot,
        *,
        name: str,
        found: str,
        level: int = 1,
        parent: Part | None = None,
        refused: Collection[str] = (),
    ) -> Steps:
        """Read a file on disk, if it was not read yet, and in their places those that it names.

        `name` stands in the column `sitemap`; `level` counts indexes within one another; `parent` is the file that
        names it; files of kinds in `refused` do not count.
        """
        real = spot.real
        self._begun.discard(real)
        if real in self.seen or not self.room(parent):
            return
        self.seen.add(real)
        self.open.add(real)
        part = Part(
            self.run,
            address=spot.path,
            file=spot.path,
            found=found,
            parent=None if parent is None else parent.address,
            refused=refused,
        )
        job = self.job(spot, name=name, given=found == "given", refused=refused)
        try:
            yield from self.part(part, self.ahead.take(job), spot, level)
        finally:
            self.open.discard(real)
        if part.refused:
            self.strange.add(real)

    def part(self, part: Part, parsed: Parsed, spot: Spot, level: int = 1) -> Steps:
        """Yield the rows of a file, or the steps to the files it names."""
        most = self.run.options.limits.max_levels
        deep = most is not None and level > most

        def look(loc: str) -> Named:
            there = Found() if deep else look_up(loc, spot)
            return Named(loc, there, None if there.real is None else spot.child(loc, there.real))

        def job(named: Named) -> OnDisk | None:
            return None if named.spot is None else self.early(named.spot, named.found.size, name=named.name)

        for step in part.read(parsed):
            if step is None or not part.is_list:
                yield step
                continue
            for named in self.ahead.over(map(look, step.column("loc")), job):
                if self._full:
                    break
                child = self._child(part, named, spot, level)
                if child is not None:
                    yield child

    def _child(self, part: Part, named: Named, spot: Spot, level: int) -> Steps | None:
        """Return the steps to a child, or report why there are none."""
        loc, real, child = named.loc, named.found.real, named.spot
        found = "robots" if part.kind == "robots" else "index"
        most = self.run.options.limits.max_levels
        if most is not None and level > most:
            message = f"indexes are followed {most} levels deep, what they name beyond was left out"
            part.fault("SIZ015", value="max_levels", message=message)
            self.missed(loc, "limited", found, part.address)
            return None
        if real is None or child is None:
            if self.room(part):
                part.fault("IDX010", value=loc, message=_why(loc, spot, outside=named.found.outside))
                self.missed(loc, "blocked" if named.found.outside else "absent", found, part.address)
            return None
        if child.url is not None and self.named.setdefault(real, _page(child.url)) != _page(child.url):
            if self.room(part):
                part.fault(
                    "IDX010", value=loc, message=f'child "{_shown(loc)}" is not there: the file of its name is another'
                )
                self.missed(loc, "absent", found, part.address)
            return None
        if real in self.open:
            part.fault("IDX002", value=loc)
            return None
        if real in self.seen:
            self.missed(loc, "skipped", found, part.address)
            return None
        return self.file(child, name=named.name, found=found, level=level + 1, parent=part)


def worth(name: str, size: int) -> bool:
    """Whether so many bytes are worth another thread.

    >>> worth("a.xml", 200_000), worth("a.xml", 20_000), worth("a.xml.gz", 20_000)
    (True, False, True)
    """
    return size >= (WORTH_PACKED if name.endswith(".gz") else WORTH)


def _page(url: str) -> str:
    """Return an address without its scheme and fragment: http and https are one site to whoever has the files."""
    return url.partition("#")[0].partition("://")[2]


def _shown(loc: str) -> str:
    short = loc if len(loc) <= 80 else loc[:80] + "…"
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in short)


def _why(loc: str, spot: Spot, *, outside: bool) -> str | None:
    """Return what is wrong with a child, where that is more than that it is not there."""
    if spot.folder is not None and not outside:
        return None
    shown = _shown(loc)
    if outside:
        return f'child "{shown}" lies outside of the folder of its index, it was not read'
    return f'child "{shown}" cannot be looked up, since its index lies in no folder; follow=False lists children'


def _chunks(path: str, *, given: bool) -> Iterator[Buffer]:
    """Yield what is in a file. That it cannot be read is an error where it was given, else a finding.

    What is appended after it was opened is not read: it may be what is made of its own rows, which would have no end.
    """
    try:
        with open(path, "rb", buffering=0) as file:
            # Pipes, devices and files that a system makes up as they are read have no size.
            left = os.fstat(file.fileno()).st_size or None
            view = memoryview(bytearray(CHUNK if left is None else min(left, CHUNK)))
            while left != 0 and (got := file.readinto(view[:left])):
                yield view[:got]
                left = None if left is None else left - got
    except OSError as error:
        if given:
            raise failure(error, path) from error
        raise Lost(error.strerror or str(error)) from error


def names_files(path: str, options: Options) -> bool:
    """Whether a file is an index or a robots.txt, by its first bytes: such are read before the files they name."""
    if not options.follow or not is_file(path):
        return False
    try:
        with open(path, "rb", buffering=0) as file:
            head = file.read(4_096)
    except OSError:
        return False
    reader = options.reader(name=path)
    reader.feed(head)
    if reader.kind is None and len(head) < 4_096:
        reader.finish()
    return reader.kind in LISTS
