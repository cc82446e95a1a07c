"""The one door through which conformance and real files are read: rows and findings as plain Python values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from urlset import _core
from urlset.types import Limits

LIMITS = Limits()


@dataclass
class Reading:
    """What became of one file."""

    kind: str | None
    rows: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    complete: bool
    charset: str
    gzip_layers: int
    entries: int

    @property
    def codes(self) -> list[str]:
        return [finding["code"] for finding in self.findings]

    def places(self) -> list[tuple[str, int | None, int | None]]:
        """Code, line and column of each finding, in the order of the file; totals of what was not kept come last."""
        found = [(f["code"], f["line"], f["column"]) for f in self.findings]
        return sorted(found, key=lambda f: (f[1] is None, f[1] or 0, f[2] or 0, f[0]))


def plain(value: Any) -> Any:
    """Drop what is null, write instants as text: so that expected rows say only what a file says."""
    match value:
        case dict():
            return {name: plain(item) for name, item in value.items() if item is not None}
        case list():
            return [plain(item) for item in value]
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case date():
            return value.isoformat()
    return value


def chunks(data: bytes, size: int | None) -> Iterator[bytes]:
    if size is None:
        yield data
        return
    for start in range(0, len(data), size):
        yield data[start : start + size]


def read(
    data: bytes | Iterable[bytes],
    *,
    chunk: int | None = None,
    name: str | None = None,
    base: str | None = None,
    content_type: str | None = None,
    columns: Sequence[str] | None = None,
    relative: str = "drop",
    extensions: Sequence[Any] = (),
    cut: bool = False,
    limits: Limits = LIMITS,
) -> Reading:
    """Read one file whole; columns that are null everywhere, and `sitemap`, are left out of the rows."""
    reader = _core.Reader(
        name=name,
        base=base,
        content_type=content_type,
        columns=columns,
        relative=relative,
        relative_children=relative,
        extensions=extensions,
        max_bytes=limits.max_bytes,
        max_ratio=limits.max_ratio,
        max_depth=limits.max_depth,
        max_entries=limits.max_entries,
        max_text=limits.max_text,
        max_findings=limits.max_findings,
    )
    for part in chunks(data, chunk) if isinstance(data, bytes) else data:
        reader.feed(part)
    reader.finish(cut)
    rows = [plain(row) for batch in reader.batches() for row in batch.to_pylist(leave_out=["sitemap"])]
    found = reader.findings()
    return Reading(
        kind=reader.kind,
        rows=rows,
        findings=[] if found is None else found.to_pylist(),
        complete=reader.complete,
        charset=reader.charset,
        gzip_layers=reader.gzip_layers,
        entries=reader.entries,
    )
