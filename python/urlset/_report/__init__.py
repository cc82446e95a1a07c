"""What people see: a progress line, results as short tables, results as JSON. Opens no file and changes no result."""

from urlset._report.findings import by_code, finding, findings_table, place, reaches
from urlset._report.reading import Reading, headline, instant, reading_json, reading_tables
from urlset._report.screen import Part, Screen, Table, number, plain, progress, say, show, size
from urlset._report.writing import refused, written, written_json

__all__ = [
    "Part",
    "Reading",
    "Screen",
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
