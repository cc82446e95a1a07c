"""What a write has done, as lines and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from shlex import quote

from urlset._report.findings import findings_table
from urlset._report.screen import FORMAT_VERSION, Part, as_json, bare, number, size, took
from urlset.errors import told
from urlset.types import Finding, Written


def written(result: Written) -> list[Part]:
    """Return what a write has done, in ten lines at most."""
    packed = f" ({size(result.plain_bytes)} before compression)" if result.plain_bytes != result.bytes else ""
    files = f"{number(result.urls, 'URL')} in {number(result.files, 'file')}"
    lines: list[Part] = [f"{files}, {size(result.bytes)}{packed}, {took(result.urls, result.seconds)}"]
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
        lines.append(f"addresses encoded as the standard asks in {number(result.encoded, 'row')}")
    if result.skipped:
        lines.append(f"{number(result.skipped, 'row')} skipped (rows count from 0)")
    if result.ignored_columns:
        shown = ", ".join(result.ignored_columns[:6])
        more = f" and {len(result.ignored_columns) - 6:,} more" if len(result.ignored_columns) > 6 else ""
        lines.append(f"columns that were not written: {shown}{more}")
    lines += findings_table(result.findings, max(1, 7 - len(lines)))
    if result.to != "-":
        # Of several indexes none names the others: the folder has them all.
        whole = result.to if len(result.sitemaps) > 1 else result.index or result.to
        lines.append(f"next: urlset read {quote(whole)}")
    return lines


def written_json(result: Written) -> str:
    """Return what a write has done as a JSON object."""
    about = asdict(result)
    about["findings"] = [bare(asdict(finding)) for finding in result.findings]
    return as_json({"format_version": FORMAT_VERSION, **about})


def refused(findings: Sequence[Finding], most: int = 5) -> list[str]:
    """Return what is wrong with refused rows."""
    lines = [f"  {told(finding)}" for finding in findings[:most]]
    count = sum(finding.count for finding in findings) - min(len(findings), most)
    if count > 0:
        lines.append(f"  and {count:,} more")
    return lines
