"""What people see: a progress line, results as short tables, results as JSON. Decides nothing, computes nothing."""

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import IO, TYPE_CHECKING, Any, Protocol

from urlset.types import SEVERITIES, File, Finding, Written

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

FORMAT_VERSION = 1
"""Of the JSON forms."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def size(count: float) -> str:
    """Return a number of bytes in a unit that people read.

    >>> size(999), size(1_234), size(52_428_800)
    ('999 bytes', '1.2 kB', '52.4 MB')
    """
    if count < 1_000:
        return "1 byte" if count == 1 else f"{count:,.0f} bytes"
    for unit in ("kB", "MB"):
        count /= 1_000
        if count < 999.95:
            return f"{count:,.1f} {unit}"
    return f"{count / 1_000:,.1f} GB"


def number(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> number(1, "file"), number(1_200, "file")
    ('1 file', '1,200 files')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def rate(rows: int, seconds: float) -> str:
    """Return rows by second."""
    return f"{rows / max(seconds, 1e-6):,.0f} URLs/s"


def _took(rows: int, seconds: float) -> str:
    # The rate of a handful of rows is that of starting up.
    return f"{seconds:.2f} s" + (f", {rate(rows, seconds)}" if rows >= 10_000 else "")


class Tick(Protocol):
    """What a verb calls now and then."""

    def __call__(self, rows: int, bytes_: int, /) -> None:
        """Take the rows and bytes so far."""
        ...


@contextmanager
def progress(verb: str, *, quiet: bool = False) -> Iterator[Tick]:
    """Show one line on standard error that says how far a verb is: on a terminal, nowhere else."""
    if quiet or not sys.stderr.isatty():
        yield lambda _rows, _bytes: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = _console(sys.stderr)
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    started = time.perf_counter()
    with Progress(*columns, console=console, transient=True) as line:
        task = line.add_task(verb, total=None)

        def tick(rows: int, bytes_: int) -> None:
            speed = rate(rows, time.perf_counter() - started)
            line.update(task, description=f"{verb} {number(rows, 'URL')}, {size(bytes_)}, {speed}")

        yield tick


def _console(stream: IO[str]) -> "Console":
    from rich.console import Console

    # Without a terminal there is no width to keep to: lines are whole, for whoever searches them.
    width = None if stream.isatty() else 200
    return Console(file=stream, width=width, highlight=False, emoji=False)


def show(parts: Iterable["RenderableType"], stream: IO[str] | None = None) -> None:
    """Print lines and tables."""
    console = _console(stream or sys.stdout)
    for part in parts:
        if isinstance(part, str):
            console.print(part, markup=False, soft_wrap=True)
        else:
            console.print(part)


def say(line: str) -> None:
    """Print a line to whoever sits there, on standard error."""
    show([line], sys.stderr)


# Findings


def worst(findings: Iterable[Finding]) -> str | None:
    """Return the worst severity among findings.

    >>> worst([]) is None
    True
    """
    found = {finding.severity for finding in findings}
    return next((severity for severity in reversed(SEVERITIES) if severity in found), None)


def reaches(findings: Iterable[Finding], fail_on: str) -> bool:
    """Whether a finding is as bad as `fail_on` or worse; never for "never"."""
    if fail_on == "never":
        return False
    found = worst(findings)
    return found is not None and SEVERITIES.index(found) >= SEVERITIES.index(fail_on)


@dataclass(slots=True)
class Code:
    """How often a code was found, and where first."""

    code: str
    name: str
    severity: str
    count: int
    first: Finding


def by_code(findings: Iterable[Finding]) -> list[Code]:
    """Return the codes found, the worst and most frequent first."""
    codes: dict[str, Code] = {}
    totals: list[tuple[str, int, bool]] = []
    for finding in findings:
        if finding.code == "GEN003":
            # "120 findings of URL001, of which the first 20 are shown", or "100 more findings of ..."
            told = re.match(r"([0-9,]+) (more )?findings of ([A-Z]{3}[0-9]{3})\b", finding.message)
            if told:
                totals.append((told[3], int(told[1].replace(",", "")), bool(told[2])))
        elif finding.code in codes:
            codes[finding.code].count += finding.count
        else:
            codes[finding.code] = Code(finding.code, finding.name, finding.severity, finding.count, finding)
    _beyond(codes, totals)
    order: dict[str, int] = {severity: at for at, severity in enumerate(reversed(SEVERITIES))}
    return sorted(codes.values(), key=lambda code: (order.get(code.severity, 9), -code.count, code.code))


def _beyond(codes: dict[str, Code], totals: list[tuple[str, int, bool]]) -> None:
    """Count what was found beyond the details: totals of single files, details included, or how many more."""
    sums: Counter[str] = Counter()
    for code, total, more in totals:
        if code in codes:
            codes[code].count += total if more else 0
            sums[code] += 0 if more else total
    for code, total in sums.items():
        codes[code].count = max(codes[code].count, total)


def place(finding: Finding) -> str:
    """Return where a finding is, in few words.

    >>> place(Finding(code="URL001", name="x", severity="error", message="", authority="", fingerprint="", entry=4))
    'row 4'
    """
    if finding.line is not None:
        where = f"{finding.line}" if finding.column is None else f"{finding.line}:{finding.column}"
        return f"{finding.file}:{where}" if finding.file else f"line {where}"
    if finding.file is not None:
        return finding.file
    return "" if finding.entry is None else f"row {finding.entry}"


def findings_table(findings: Iterable[Finding], most: int = 5) -> list["RenderableType"]:
    """Return the codes found as a table, and how many more there are."""
    codes = by_code(findings)
    if not codes:
        return []
    from rich.text import Text

    table = _table("", "code", "count", "name", "first")
    for code in codes[:most]:
        style = {"error": "red", "warning": "yellow"}.get(code.severity, "cyan")
        where = place(code.first)
        first = f"{where}: {code.first.message}" if where else code.first.message
        table.add_row(Text(code.severity, style=style), code.code, f"{code.count:,}", code.name, Text(first))
    rest = codes[most:]
    if rest:
        count = sum(code.count for code in rest)
        return [table, f"and {number(count, 'finding')} of {number(len(rest), 'further code')}"]
    return [table]


# Of a table that is too wide: the column that is cut, and those that go before it gets too narrow.
_GIVES = ("first", "file", "loc")
_GO = ("name", "findings", "more", "priority", "changefreq", "bytes", "lastmod")
_NARROW = 24
_GAP = 2


class _Rows:
    """A table that fits: one column gives way where the terminal is narrow, then others go, and no line is broken."""

    def __init__(self, *columns: str) -> None:
        self._columns = columns
        self._rows: list[list[Any]] = []

    def add_row(self, *cells: Any) -> None:
        self._rows.append([*cells, *[""] * (len(self._columns) - len(cells))])

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        from rich.cells import cell_len
        from rich.table import Table
        from rich.text import Text

        widths = {
            name: max(cell_len(text) for text in [name, *(str(row[at]) for row in self._rows)])
            for at, name in enumerate(self._columns)
        }
        gives = next(name for name in _GIVES if name in widths)
        wanted = widths[gives]

        def left() -> int:
            return int(options.max_width - sum(widths.values()) + widths[gives] - _GAP * (len(widths) - 1))

        for name in _GO:
            if left() < min(wanted, _NARROW):
                widths.pop(name, None)
        widths[gives] = max(1, min(wanted, left()))
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
        for name, width in widths.items():
            right = name in {"count", "rows", "bytes", "priority", "findings"}
            table.add_column(name, justify="right" if right else "left", no_wrap=True, min_width=width)
        for row in self._rows:
            cells = []
            for name, cell in zip(self._columns, row, strict=True):
                if name in widths:
                    text = cell.copy() if isinstance(cell, Text) else Text(str(cell))
                    text.truncate(widths[name], overflow="ellipsis")
                    cells.append(text)
            table.add_row(*cells)
        yield table


def _table(*columns: str) -> _Rows:
    return _Rows(*columns)


# Writing


def written(result: Written) -> list["RenderableType"]:
    """Return what a write has done, in ten lines at most."""
    packed = f" ({size(result.plain_bytes)} before compression)" if result.plain_bytes != result.bytes else ""
    files = f"{number(result.urls, 'URL')} in {number(result.files, 'file')}"
    lines: list[RenderableType] = [f"{files}, {size(result.bytes)}{packed}, {_took(result.urls, result.seconds)}"]
    if result.names:
        same = len(set(result.names) - set(result.changed))
        moved = f"{number(len(set(result.names) & set(result.changed)), 'file')} written"
        if same:
            moved += f", {same:,} left as they were"
        if result.removed:
            moved += f", {len(result.removed):,} removed"
        lines.append(moved)
    if result.sitemaps:
        named = f"named in {result.robots}" if result.robots else "not named in a robots.txt; engines want it there"
        more = f" and {len(result.sitemaps) - 1:,} more" if len(result.sitemaps) > 1 else ""
        lines.append(f"{result.sitemaps[0]}{more}: {named}")
    if result.encoded:
        lines.append(f"{number(result.encoded, 'loc')} encoded as the standard asks")
    if result.skipped:
        lines.append(f"{number(result.skipped, 'row')} skipped (rows count from 0)")
    if result.ignored_columns:
        shown = ", ".join(result.ignored_columns[:6])
        more = f" and {len(result.ignored_columns) - 6:,} more" if len(result.ignored_columns) > 6 else ""
        lines.append(f"columns that no sitemap has: {shown}{more}")
    lines += findings_table(result.findings, 1 if len(lines) > 5 else 2)
    if result.to != "-":
        lines.append(f"next: urlset read {_shell(result.index or result.to)}")
    return lines


def _shell(path: str) -> str:
    from shlex import quote

    return quote(path)


def written_json(result: Written) -> str:
    """Return what a write has done as a JSON object."""
    about = asdict(result)
    about["findings"] = [_bare(asdict(finding)) for finding in result.findings]
    return _json({"format_version": FORMAT_VERSION, **about})


def refused(findings: Sequence[Finding], most: int = 5) -> list["RenderableType"]:
    """Return what is wrong with refused rows, and what to do."""
    lines: list[RenderableType] = []
    for finding in findings[:most]:
        row = f"row {finding.entry:,}" if finding.entry is not None else "rows"
        line = f", line {finding.line:,}" if finding.line is not None else ""
        lines.append(f"  {row}{line}: {finding.message} ({finding.code})")
    count = sum(finding.count for finding in findings) - min(len(findings), most)
    if count > 0:
        lines.append(f"  and {count:,} more")
    return lines


# Reading


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
    if micros % 86_400_000_000 == 0:
        return moment.date().isoformat()
    return moment.isoformat().replace("+00:00", "Z")


def headline(reading: Reading) -> str:
    """Return the sum of a read in one line."""
    files = number(len(reading.files), "file")
    one = len(reading.files) == 1 or reading.kind == "sitemapindex"
    what = f"{reading.kind}: " if reading.kind and one else ""
    packed = f" ({size(reading.unpacked)} unpacked)" if reading.unpacked != reading.stored else ""
    state = "" if reading.complete else ", NOT COMPLETE"
    took = _took(reading.rows, reading.seconds)
    return f"{what}{number(reading.rows, 'URL')} in {files}, {size(reading.stored)}{packed}, {took}{state}"


def reading_tables(reading: Reading) -> list["RenderableType"]:
    """Return a read as first rows, files, findings and their sums."""
    lines: list[RenderableType] = []
    if reading.first:
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


def _rows(reading: Reading) -> Any:
    plain = [name for name in ("loc", "lastmod", "changefreq", "priority") if name in reading.columns]
    shown = [name for name in plain if name == "loc" or any(row.get(name) is not None for row in reading.first)]
    others = [name for name in reading.columns if name not in {*plain, "lastmod_form", "sitemap"}]
    extended = any(row.get(name) for row in reading.first for name in others)
    table = _table(*shown, *(["more"] if extended else []))
    for row in reading.first:
        cells = [_cell(row.get(name), row.get("lastmod_form") if name == "lastmod" else None) for name in shown]
        if extended:
            cells.append(", ".join(_more(name, row[name]) for name in others if row.get(name)))
        table.add_row(*cells)
    if reading.rows > len(reading.first):
        table.add_row("...")
    return table


def _cell(value: object, form: object = None) -> Any:
    from rich.text import Text

    if value is None:
        return ""
    if isinstance(value, datetime):
        text = value.isoformat().replace("+00:00", "Z")
        value = {"date": text[:10], "year-month": text[:7], "year": text[:4]}.get(str(form), text)
    # What a file says must not steer a terminal.
    return Text("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value)))


def _more(name: str, value: Any) -> str:
    return f"{name} {len(value)}" if isinstance(value, list) else name


def _files(files: Sequence[File], most: int = 8) -> list["RenderableType"]:
    from rich.text import Text

    table = _table("file", "outcome", "rows", "bytes", "findings")
    good = {"read", "empty", "unchanged", "skipped"}
    # What went wrong comes first where not everything fits.
    chosen = files if len(files) <= most else sorted(files, key=lambda file: file.outcome in good)[:most]
    for file in chosen:
        style = "" if file.outcome in good else "red"
        figures = [f"{value:,}" if value is not None else "" for value in (file.rows, file.wire_bytes, file.findings)]
        table.add_row(_cell(file.address), Text(file.outcome, style=style), *figures)
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
        "files": [_bare({k: v for k, v in asdict(file).items() if k != "seconds"}) for file in reading.files],
        "findings": [
            {"code": code.code, "name": code.name, "severity": code.severity, "count": code.count}
            for code in by_code(reading.findings)
        ],
    }
    return _json(about)


def _bare(about: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is not known."""
    return {name: value for name, value in about.items() if value is not None and value != ()}


def _json(about: object) -> str:
    return json.dumps(about, ensure_ascii=False, indent=2)
