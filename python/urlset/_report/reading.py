"""What is known of a read when it is over, as tables and as JSON."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from urlset._report.findings import by_code, findings_table
from urlset._report.screen import FORMAT_VERSION, STYLES, Part, Table, as_json, bare, number, size, took
from urlset.types import File, Finding

_GOOD = {"read", "empty", "unchanged", "skipped"}
"""Outcomes of files of which nothing is missing."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Reading:
    """What is known of a read when it is over."""

    kind: str | None = None
    complete: bool = False
    rows: int = 0
    seconds: float = 0.0
    columns: list[str] = field(default_factory=list)
    first: list[Mapping[str, Any]] = field(default_factory=list)
    dated: int | None = None
    """Rows with a lastmod; None where that column was not read."""
    earliest: int | None = None
    """Microseconds since 1970."""
    latest: int | None = None
    files: Sequence[File] = ()
    findings: Sequence[Finding] = ()

    def add(self, rows: int, span: tuple[int, int | None, int | None] | None) -> None:
        """Count rows; `span` says how many have a lastmod, the earliest and the latest."""
        self.rows += rows
        if span is None:
            return
        count, earliest, latest = span
        self.dated = (self.dated or 0) + count
        if earliest is not None and latest is not None:
            self.earliest = earliest if self.earliest is None else min(self.earliest, earliest)
            self.latest = latest if self.latest is None else max(self.latest, latest)

    @property
    def stored(self) -> int:
        """Bytes as they are on the disk."""
        return sum(file.wire_bytes or 0 for file in self.files)

    @property
    def unpacked(self) -> int:
        """Bytes after gunzip."""
        return sum(file.inflated_bytes or 0 for file in self.files)


def instant(micros: int) -> str:
    """Return an instant as text, a date where it is a midnight.

    >>> instant(0), instant(1_700_000_000_000_000)
    ('1970-01-01', '2023-11-14T22:13:20Z')
    """
    try:
        moment = _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return f"{micros:,} microseconds since 1970"
    return moment.date().isoformat() if micros % 86_400_000_000 == 0 else _written(moment)


def _written(moment: datetime) -> str:
    """Return an instant in UTC, with the digits that it needs."""
    text = moment.isoformat().removesuffix("+00:00")
    return (text.rstrip("0") if "." in text else text) + "Z"


def headline(reading: Reading) -> str:
    """Return the sum of a read in one line."""
    missed = Counter(file.outcome for file in reading.files if file.outcome not in _GOOD)
    among = f" ({', '.join(f'{count:,} {outcome}' for outcome, count in sorted(missed.items()))})" if missed else ""
    files = number(len(reading.files), "file") + among
    # Of a folder or of several files, the kind of the first says nothing.
    given = [file for file in reading.files if file.found in {"given", "folder"}]
    what = f"{reading.kind}: " if reading.kind and len(given) == 1 else ""
    packed = f" ({size(reading.unpacked)} unpacked)" if reading.unpacked != reading.stored else ""
    state = "" if reading.complete else ", NOT COMPLETE"
    spent = took(reading.rows, reading.seconds)
    return f"{what}{number(reading.rows, 'URL')} in {files}, {size(reading.stored)}{packed}, {spent}{state}"


def reading_tables(reading: Reading) -> list[Part]:
    """Return a read as first rows, files, findings and their sums."""
    lines: list[Part] = []
    if reading.first and reading.columns:
        lines += [_rows(reading), ""]
    if len(reading.files) > 1:
        lines += [*_files(reading.files), ""]
    found = findings_table(reading.findings)
    if found:
        lines += [*found, ""]
    lines.append(headline(reading))
    if reading.earliest is not None and reading.latest is not None:
        span = f"lastmod {instant(reading.earliest)} to {instant(reading.latest)}"
        share = "every URL" if reading.dated == reading.rows else f"{reading.dated:,} of {reading.rows:,} URLs"
        lines.append(f"{span}, on {share}")
    return lines


def _rows(reading: Reading) -> Table:
    plain: list[str] = [name for name in ("loc", "lastmod", "changefreq", "priority") if name in reading.columns]
    shown = [name for name in plain if name == "loc" or any(row.get(name) is not None for row in reading.first)]
    shown = shown or reading.columns[:1]
    others = [name for name in reading.columns if name not in {*plain, "lastmod_form", "sitemap"}]
    extended = any(row.get(name) for row in reading.first for name in others)
    table = Table(*shown, *(["more"] if extended else []))
    for row in reading.first:
        cells = [_cell(row.get(name), row.get("lastmod_form") if name == "lastmod" else None) for name in shown]
        if extended:
            cells.append(", ".join(_more(name, row[name]) for name in others if row.get(name)))
        table.add_row(*cells)
    if reading.rows > len(reading.first):
        table.add_row("...")
    return table


def _cell(value: object, form: object = None) -> str:
    if isinstance(value, datetime):
        text = _written(value)
        return {"date": text[:10], "year-month": text[:7], "year": text[:4]}.get(str(form), text)
    return "" if value is None else str(value)


def _more(name: str, value: Any) -> str:
    return f"{name} {len(value)}" if isinstance(value, list) else name


def _files(files: Sequence[File], most: int = 8) -> list[Part]:
    table = Table("file", "outcome", "rows", "bytes", "findings")
    # What went wrong comes first where not everything fits.
    chosen = files if len(files) <= most else sorted(files, key=lambda file: file.outcome in _GOOD)[:most]
    for file in chosen:
        style = "" if file.outcome in _GOOD else STYLES["error"]
        figures = [f"{value:,}" if value is not None else "" for value in (file.rows, file.wire_bytes, file.findings)]
        table.add_row(file.address, file.outcome, *figures, style=style, styled=1)
    rest = len(files) - len(chosen)
    return [table, f"and {number(rest, 'more file')}"] if rest else [table]


def reading_json(reading: Reading) -> str:
    """Return the sum of a read as a JSON object: no rows, which `jsonl` gives."""
    about = {
        "format_version": FORMAT_VERSION,
        "kind": reading.kind,
        "complete": reading.complete,
        "urls": reading.rows,
        "bytes": reading.stored,
        "plain_bytes": reading.unpacked,
        "lastmod": {
            "rows": reading.dated,
            "earliest": None if reading.earliest is None else instant(reading.earliest),
            "latest": None if reading.latest is None else instant(reading.latest),
        },
        "files": [bare({k: v for k, v in asdict(file).items() if k != "seconds"}) for file in reading.files],
        "findings": [
            {"code": code.code, "name": code.name, "severity": code.severity, "count": code.count}
            for code in by_code(reading.findings)
        ],
    }
    return as_json(about)
