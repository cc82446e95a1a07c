"""Addresses to files on disk: where a file lies, what its address is said to be, which file another address means.

Looks at names only; opens nothing, and never finds anything outside of the folder it was given.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote, urljoin, urlsplit

__all__ = ["Found", "Spot", "file_size", "folder_address", "is_absolute", "is_file", "look_up", "nowhere", "spot_of"]

SEGMENTS = 32
"""Parts of an address, from its end, that are looked up in a folder."""


@dataclass(frozen=True)
class Spot:
    """Where a file lies. What the disk says of it is asked once."""

    path: str
    """As the user would write it."""
    folder: str | None
    """Real path of the folder that is not left, None where there is none."""
    url: str | None = None
    """Claimed address of the file."""
    folder_url: str | None = None
    """Claimed address of the folder, with its slash."""
    known: str | None = None
    """Real path of the file, where that was found out already."""

    @cached_property
    def real(self) -> str:
        """Real path of the file."""
        return os.path.realpath(self.path) if self.known is None else self.known

    @cached_property
    def here(self) -> tuple[str, str]:
        """The folder in which it lies under its name, as the user would write it and as it really is."""
        here = os.path.dirname(self.path)
        return here, os.path.realpath(here)

    def beside(self, real: str) -> str:
        """Return the path of another file in the words in which this one was named."""
        here, folder = self.here
        return os.path.normpath(os.path.join(here, os.path.relpath(real, folder)))

    def child(self, loc: str, real: str) -> Spot:
        """Return where a file lies that this one calls `loc`."""
        url = urljoin(self.url, loc) if self.url is not None else loc if is_absolute(loc) else None
        return Spot(self.beside(real), self.folder, url, self.folder_url, real)


def nowhere(base: str | None) -> Spot:
    """Return the spot of bytes that lie in no folder.

    >>> nowhere(None).folder is None
    True
    """
    return Spot("", None, base)


def spot_of(path: str, base: str | None) -> Spot:
    """Return where a file lies that was given by its path; `base` is its address, or that of its folder.

    >>> spot = spot_of("export/sitemap.xml", "https://a.example/maps/")
    >>> spot.url, spot.folder_url
    ('https://a.example/maps/sitemap.xml', 'https://a.example/maps/')
    """
    real = os.path.realpath(path)
    folder = os.path.dirname(real)
    if base is None:
        return Spot(path, folder, known=real)
    name = os.path.basename(path)
    above = folder_address(base, name)
    return Spot(path, folder, base if _names_a_file(base, name) else above + quote(name), above, real)


def folder_address(base: str, name: str = "") -> str:
    """Return the address of the folder that a base speaks of, with its slash.

    >>> folder_address("https://a.example"), folder_address("https://a.example/maps/sitemap.xml")
    ('https://a.example/', 'https://a.example/maps/')
    """
    plain = base.partition("#")[0].partition("?")[0]
    if _names_a_file(base, name):
        return plain.rpartition("/")[0] + "/"
    return plain if plain.endswith("/") else plain + "/"


def _names_a_file(base: str, name: str) -> bool:
    last = urlsplit(base).path.rpartition("/")[2]
    return bool(last) and (last == name or "." in last)


def is_absolute(loc: str) -> bool:
    """Whether an address has a scheme.

    >>> is_absolute("https://a.example/"), is_absolute("/a.xml")
    (True, False)
    """
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", loc) is not None


def is_file(path: str) -> bool:
    """Whether there is an ordinary file; a pipe or a device is none."""
    return file_size(path) is not None


def file_size(path: str) -> int | None:
    """Return the bytes of an ordinary file, None where there is none."""
    try:
        there = os.stat(path)
    except (OSError, ValueError):
        return None
    return there.st_size if stat.S_ISREG(there.st_mode) else None


@dataclass(frozen=True, slots=True)
class Found:
    """What lies where an address leads."""

    real: str | None = None
    """Real path of the file, None where there is none."""
    size: int = 0
    outside: bool = False
    """There is one, outside of the folder."""


def look_up(loc: str, spot: Spot) -> Found:
    """Return which file the address `loc` stands for in the file at `spot`."""
    if spot.folder is None:
        return Found()
    outside = False
    for folder, name in _names(loc, spot):
        # Characters that are encoded in the address may be so in the name, after a download, or plain.
        for written in dict.fromkeys((unquote(name), name)):
            if not written or "\0" in written or written.count("/") != name.count("/"):
                continue
            real = _real(folder, written)
            if os.path.commonpath((real, spot.folder)) != spot.folder:
                outside = True
            elif (size := file_size(real)) is not None:
                return Found(real, size)
    return Found(outside=outside)


def _real(folder: str, name: str) -> str:
    """Return the real path of what has a name in a folder, whose own path is real."""
    path = os.path.join(folder, name)
    if "/" in name or name in {".", ".."} or os.path.islink(path):
        return os.path.realpath(path)
    return path


def _names(loc: str, spot: Spot) -> Iterator[tuple[str, str]]:
    """Yield folders and names in them that an address may stand for, the likeliest first."""
    assert spot.folder is not None
    here = os.path.dirname(spot.real)
    try:
        parts = urlsplit(loc)
        if spot.url is not None and spot.folder_url is not None:
            address, folder = urlsplit(urljoin(spot.url, loc)), urlsplit(spot.folder_url)
            # http and https are one site here: whoever claims an address may be wrong about that.
            if address.netloc.lower() == folder.netloc.lower() and address.path.startswith(folder.path):
                yield spot.folder, _with_query(address.path[len(folder.path) :], address.query)
            return
    except ValueError:  # brackets that hold no IPv6 address
        return
    if not is_absolute(loc) and not parts.netloc:
        top = loc.startswith("/")
        yield spot.folder if top else here, _with_query(parts.path.lstrip("/"), parts.query)
        return
    segments = parts.path.lstrip("/").split("/")[-SEGMENTS:]
    for at in range(len(segments)):
        name = _with_query("/".join(segments[at:]), parts.query)
        for folder_path in dict.fromkeys((here, spot.folder)):
            yield folder_path, name


def _with_query(path: str, query: str) -> str:
    """Return the name under which a page with a query is stored: without it, `?page=2` would be page 1 again."""
    return f"{path}?{query}" if query else path
