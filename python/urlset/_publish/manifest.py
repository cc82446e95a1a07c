"""`.urlset.json`: what we wrote into a folder, so that a later run knows what it may replace or remove."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from urlset._store import Folder
from urlset.errors import NotFound, StoreError

NAME = ".urlset.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the set."""

    rows: int
    """Entries of a sitemap or index; 0 for what is neither."""
    bytes: int
    """As stored."""
    plain_bytes: int
    """Before compression."""
    hash: str
    """XXH64 of the bytes before compression, 16 hex digits."""
    stored_hash: str
    """The same of the bytes as stored."""
    level: int | None = None
    """Level of compression; None where there is none."""
    first: str = ""
    """Address of its first entry."""
    last: str = ""
    """Address of its last entry."""
    unnamed: int = 0
    """For how many publishes no index has named it any more."""


@dataclass(slots=True)
class Manifest:
    """What we wrote into one folder."""

    files: dict[str, Entry] = field(default_factory=dict)
    pending: list[str] = field(default_factory=list)
    """Names that a run was about to put there: after a kill they are ours too, whatever they hold."""
    robots: dict[str, list[str]] = field(default_factory=dict)
    """By path of a robots.txt, as given or relative to the folder: the addresses that we put there."""

    def ours(self, name: str) -> bool:
        """Whether a file of that name was written by us."""
        return name in self.files or name in self.pending

    def text(self) -> bytes:
        """Return the file: the same for the same content."""
        content = {
            "format_version": VERSION,
            "about": "what urlset wrote here; without this file it will not replace or remove any of it",
            "files": {name: asdict(entry) for name, entry in sorted(self.files.items())},
            "pending": sorted(self.pending),
            "robots": dict(sorted(self.robots.items())),
        }
        return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def load(folder: Folder) -> Manifest:
    """Read the manifest of a folder; an empty one where there is none.

    Raises `StoreError` for one that a newer urlset wrote, or that is damaged: then nobody knows what is ours.
    """
    try:
        data, _ = folder.get(NAME)
    except NotFound:
        return Manifest()
    place = str(folder.path / NAME)
    try:
        content = json.loads(data)
        version = content["format_version"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise StoreError(
            "the list of what urlset wrote is damaged; restore it, or remove it and use force", place
        ) from None
    if not isinstance(version, int) or version < 1:
        raise StoreError(
            f"format_version is {version!r}, 1 was expected; restore the file, or remove it and use force", place
        )
    if version > VERSION:
        raise StoreError(
            f"format_version is {version}, this urlset knows {VERSION}; use the newer urlset that wrote it", place
        )
    try:
        made = Manifest(
            {str(name): _entry(entry) for name, entry in content["files"].items()},
            [str(name) for name in content["pending"]],
            {str(path): [str(line) for line in lines] for path, lines in content["robots"].items()},
        )
        for name in [*made.files, *made.pending]:
            folder.target(name)  # none that leads out of the folder
    except (ValueError, TypeError, KeyError, AttributeError):
        raise StoreError(
            "the list of what urlset wrote is damaged; restore it, or remove it and use force", place
        ) from None
    return made


def _entry(entry: Mapping[str, Any]) -> Entry:
    return Entry(**{name: entry[name] for name in Entry.__slots__ if name in entry})
