"""Findings as people see them: by code, in one line, and whether they are bad enough."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from urlset._report.screen import STYLES, Part, Table, number
from urlset._schema import codes as registry
from urlset.types import SEVERITIES, Finding, Severity


@dataclass(slots=True)
class Code:
    """How often a code was found, and where first."""

    code: str
    name: str
    severity: Severity
    count: int
    first: Finding
    """The line that counts them, where none is told in detail."""


def by_code(findings: Iterable[Finding]) -> list[Code]:
    """Return the codes found, the worst and most frequent first."""
    codes: dict[str, Code] = {}
    beyond: Counter[str] = Counter()
    closing: dict[str, Finding] = {}
    for finding in findings:
        if finding.code == "GEN003" and finding.value is not None:
            # It counts what it names, of which none may be told in detail.
            beyond[finding.value] += finding.count
            closing.setdefault(finding.value, finding)
        elif finding.code in codes:
            codes[finding.code].count += finding.count
        else:
            codes[finding.code] = Code(finding.code, finding.name, finding.severity, finding.count, finding)
    told = {row["code"]: row for row in registry()} if closing.keys() - codes.keys() else {}
    for code, line in closing.items():
        if code not in codes:
            codes[code] = Code(code, told[code]["name"], told[code]["severity"], 0, line)
        codes[code].count += beyond[code]
    order: dict[str, int] = {severity: at for at, severity in enumerate(reversed(SEVERITIES))}
    return sorted(codes.values(), key=lambda code: (order.get(code.severity, 9), -code.count, code.code))


def reaches(findings: Iterable[Finding], fail_on: str) -> bool:
    """Whether a finding is as bad as `fail_on` or worse; never for "never"."""
    if fail_on == "never":
        return False
    return any(SEVERITIES.index(code.severity) >= SEVERITIES.index(fail_on) for code in by_code(findings))


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


def finding(found: Finding) -> str:
    """Return a finding as a line.

    >>> finding(Finding(code="URL001", name="x", severity="error", message="m", authority="", fingerprint="", line=4))
    'line 4: URL001 error m'
    """
    where = place(found)
    return f"{where}{': ' * bool(where)}{found.code} {found.severity} {found.message}"


def _folder(files: Iterable[str | None]) -> str:
    """Return the folder that all files lie in, which would leave little room for what was found there.

    >>> _folder(["/site/maps/a.xml", "/site/news.xml", None]), _folder(["a.xml"]), _folder(["https://a.example/b.xml"])
    ('/site/', '', 'https://a.example/')
    """
    folders = [file.split("/")[:-1] for file in files if file is not None]
    together = list(takewhile(lambda parts: len(set(parts)) == 1, zip(*folders, strict=False)))
    return "".join(f"{parts[0]}/" for parts in together)


def findings_table(findings: Iterable[Finding], most: int = 5) -> list[Part]:
    """Return the codes found as a table, and how many more there are."""
    codes = by_code(findings)
    if not codes:
        return []
    table = Table("", "code", "count", "name", "first")
    folder = _folder(code.first.file for code in codes[:most])
    for code in codes[:most]:
        where = place(code.first).removeprefix(folder)
        first = f"{where}: {code.first.message}" if where else code.first.message
        style = STYLES[code.severity]
        table.add_row(code.severity, code.code, f"{code.count:,}", code.name, first, style=style)
    rest = codes[most:]
    if rest:
        count = sum(code.count for code in rest)
        return [table, f"and {number(count, 'finding')} of {number(len(rest), 'further code')}"]
    return [table]
