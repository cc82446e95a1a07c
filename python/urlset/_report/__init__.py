"""What people see: a progress line, results as short tables, results as JSON. Decides nothing, computes nothing."""

from urlset._report.findings import by_code, finding, findings_table, place, reaches
from urlset._report.reading import Reading, headline, instant, reading_json, reading_tables
from urlset._report.screen import FORMAT_VERSION, Part, Table, number, plain, progress, rate, say, show, size
from urlset._report.writing import refused, written, written_json

__all__ = [
    "FORMAT_VERSION",
    "Part",
    "Reading",
    "Table",
    "by_code",
    "finding",
    "findings_table",
    "headline",
    "instant",
    "number",
    "place",
    "plain",
    "progress",
    "rate",
    "reaches",
    "reading_json",
    "reading_tables",
    "refused",
    "say",
    "show",
    "size",
    "written",
    "written_json",
]
