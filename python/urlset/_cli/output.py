"""Where rows, sums and findings go: which file, which format, packed or not."""

import contextlib
import gzip
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO

from urlset import _report
from urlset._site.given import reads
from urlset._source import ENDINGS, TEXTS, named
from urlset._store import replaced, same
from urlset.errors import OptionError
from urlset.types import File

ROWS = ("jsonl", "csv", "arrow", "parquet", "urls")
"""Formats that hold rows."""
SUMS = ("table", "json")
"""Formats that tell what the rows come to."""
_WORDS = {*TEXTS, "table"}


@dataclass(frozen=True, slots=True)
class Target:
    """An output."""

    path: str | None
    """None is standard output."""
    format: str
    """As the core calls it: `arrow` is a file, `arrows` a stream; or one of `SUMS`."""
    packed: bool = False

    @property
    def text(self) -> bool:
        """Whether people can read it."""
        return self.format in _WORDS


def target(option: str, path: str | None, format_: str | None, known: Sequence[str], otherwise: str) -> Target:
    """Return where an output goes and how: as it is said, else as the ending of the file tells.

    `known` are the formats that it can have, `otherwise` is that of standard output.
    """
    if path is None or path == "-":
        format_ = format_ or otherwise
        return Target(None, "arrows" if format_ == "arrow" else format_)
    told, packed = named(path)
    stream = path.lower().endswith(".arrows")
    if format_ is None:
        if told not in known:
            raise OptionError(
                f"the ending of {Path(path).name!r} tells no format; one of {_endings(known)} was expected"
                + (", or --format" if option == "output" else ""),
                option,
            )
        format_ = told
    if packed and format_ not in _WORDS:
        raise OptionError(f"{format_} is packed within; a name without .gz was expected", option)
    return Target(path, "arrows" if format_ == "arrow" and stream else str(format_), packed)


def _endings(known: Sequence[str]) -> str:
    """Return the endings of these formats, those that may be followed by .gz as such."""
    return ", ".join(f"{ending}[.gz]" if told in TEXTS else ending for ending, told in ENDINGS.items() if told in known)


def apart(sources: Sequence[str], *targets: Target | None) -> None:
    """Refuse outputs that are one another, or that would take the place of what is read."""
    paths = [target.path for target in targets if target is not None]
    if len(set(map(_key, paths))) < len(paths):
        raise OptionError("rows and findings would go to one place; another was expected for one of them", "findings")
    for path in paths:
        place = _standard_output() if path is None else path
        if place is not None and any(reads(source, place) for source in sources):
            raise _among(path or "standard output")


def kept(files: Iterable[File], *targets: Target | None) -> None:
    """Refuse outputs that would take the place of a file that was read: an index names more than the sources do."""
    for target in targets:
        if target is None:
            continue
        place = _standard_output() if target.path is None else target.path
        if place is not None and any(same(file.address, place) for file in files):
            raise _among(target.path or "standard output")


def _among(path: str) -> OptionError:
    return OptionError(f"an output is among the sources, and would take the place of what is read: {path}")


def _standard_output() -> int | None:
    """Return the number of standard output where that is a file: it could be read while it grows, and have no end."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        number = sys.stdout.fileno()
        return number if stat.S_ISREG(os.fstat(number).st_mode) else None
    return None


def _key(path: str | None) -> str | None:
    return None if path is None else os.path.realpath(path)


@contextlib.contextmanager
def opened(target: Target) -> Iterator[BinaryIO]:
    """Open an output: a file takes its place when the block ends well, and else what was there stays."""
    if target.path is None:
        yield shown(sys.stdout.buffer, target.format)
        sys.stdout.buffer.flush()
        return
    with replaced(target.path) as file:
        if not target.packed:
            yield shown(file, target.format)
            return
        # No name and no time in it: the same rows give the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            yield packed  # type: ignore[misc] # it writes bytes


def shown(file: BinaryIO, format_: str) -> BinaryIO:
    """Return what rows are written to: a terminal is not steered by what sitemaps say, all else gets the bytes."""
    if format_ in SUMS or not file.isatty():
        return file
    return _report.Screen(file, json_form=format_ in {"json", "jsonl"})  # type: ignore[return-value] # it writes bytes


@contextlib.contextmanager
def lines(out: BinaryIO) -> Iterator[IO[str]]:
    """Open an output as text."""
    if out is sys.stdout.buffer:
        yield sys.stdout
        sys.stdout.flush()
        return
    text = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    try:
        yield text
    finally:
        text.detach()  # the file is closed by whoever opened it
