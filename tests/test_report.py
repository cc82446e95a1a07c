"""What people see, as pure functions: numbers, safe text, tables that fit, findings by code, JSON."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest

from urlset import _report
from urlset._report import Reading, Table
from urlset.types import File, Finding, Outcome, Severity, Written


def finding(code: str = "URL001", severity: Severity = "error", message: str = "it is wrong", **known: Any) -> Finding:
    return Finding(
        code=code,
        name=f"name-of-{code}",
        severity=severity,
        message=message,
        authority="P",
        fingerprint="0",
        **known,
    )


def shown(*parts: _report.Part, columns: int = 200, monkeypatch: pytest.MonkeyPatch | None = None) -> list[str]:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return monkeypatch is not None

    if monkeypatch is not None:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setenv("NO_COLOR", "1")
    screen = Terminal()
    _report.show(parts, screen)
    text = screen.getvalue()
    return re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines() if monkeypatch is not None else text.splitlines()


# Numbers


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1_000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (52_428_800, "52.4 MB"),
        (999_949_999, "999.9 MB"),
        (999_950_000, "1.0 GB"),
        (1_234_567_890_123, "1,234.6 GB"),
    ],
)
def test_size(count: int, text: str) -> None:
    assert _report.size(count) == text


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (0, "1970-01-01"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (250_000, "1970-01-01T00:00:00.25Z"),
        (10_000_000, "1970-01-01T00:00:10Z"),
        (-86_400_000_000, "1969-12-31"),
        (1_700_000_000_000_000, "2023-11-14T22:13:20Z"),
        (1 << 62, "4,611,686,018,427,387,904 microseconds since 1970"),
    ],
)
def test_instant(micros: int, text: str) -> None:
    assert _report.instant(micros) == text


# Text that does not steer


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain thé 茶 \N{TEACUP WITHOUT HANDLE}", None),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("\x9b31m", "\\x9b31m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x7f\0", "\\x7f\\x00"),
        *((chr(point), f"\\u{point:04x}") for point in [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]),
        *(
            (chr(point), f"\\u{point:04x}")
            for point in (0x200B, 0x200C, 0x200D, 0x200E, 0x2028, 0x2060, 0xFEFF, 0x061C)
        ),
        ("\N{NO-BREAK SPACE}", "\\xa0"),
        ("\N{LANGUAGE TAG}", "\\U000e0001"),
        ("\udcff", "\\xff"),
        ("\ud800", "\\ud800"),
    ],
)
def test_plain(text: str, safe: str | None) -> None:
    assert _report.plain(text) == (text if safe is None else safe)


def test_every_door_is_safe() -> None:
    table = Table("loc")
    table.add_row("\x1b[31m\u202e")
    lines = shown("\x1b[31m\u202e", table, *_report.findings_table([finding(message="\x1b[31m\u202e", file="\x1b")]))
    assert lines[0] == "\\x1b[31m\\u202e"
    assert lines[2].strip() == "\\x1b[31m\\u202e"
    assert "\\x1b:" not in lines[1]
    assert "\\x1b: \\x1b[31m\\u202e" in lines[-1]
    assert "".join(lines).isprintable()


def test_words_are_no_markup() -> None:
    table = Table("loc")
    table.add_row("[red]a[/red] :smile:")
    assert shown("[red]a[/red] :smile:", table)[::2] == ["[red]a[/red] :smile:"] * 2


# Findings by code


def counts(*findings: Finding) -> list[tuple[str, int]]:
    return [(code.code, code.count) for code in _report.by_code(findings)]


def beyond(code: str, count: int) -> Finding:
    return finding("GEN003", "info", "more than are shown", value=code, count=count)


@pytest.mark.parametrize(
    ("findings", "expected", "why"),
    [
        ([], [], "nothing"),
        ([finding(), finding()], [("URL001", 2)], "each counts"),
        ([finding(count=7), finding()], [("URL001", 8)], "some count for many"),
        (
            [finding("DAT001", "info", count=9), finding("URL001"), finding("XML001", "warning")],
            [("URL001", 1), ("XML001", 1), ("DAT001", 9)],
            "the worst first",
        ),
        ([finding("B"), finding("A"), finding("C", count=2)], [("C", 2), ("A", 1), ("B", 1)], "then the most frequent"),
        (
            [*[finding()] * 20, beyond("URL001", 100)],
            [("URL001", 120)],
            "those of a file that are not shown",
        ),
        (
            [*[finding()] * 43, beyond("URL001", 100), beyond("URL001", 1_010)],
            [("URL001", 1_153)],
            "those of two files, beside a third that shows all of its own",
        ),
        ([beyond("URL001", 5), finding("DAT001", "info")], [("URL001", 5), ("DAT001", 1)], "none is shown"),
        ([beyond("URL001", 5), beyond("URL001", 2)], [("URL001", 7)], "none is shown of two files"),
    ],
)
def test_by_code(findings: list[Finding], expected: list[tuple[str, int]], why: str) -> None:
    assert counts(*findings) == expected, why


def test_a_code_of_which_none_is_shown_is_told_as_the_registry_has_it() -> None:
    (code,) = _report.by_code([beyond("URL001", 5)])
    assert (code.name, code.severity, code.first.code) == ("loc-not-absolute", "error", "GEN003")
    assert shown(*_report.findings_table([beyond("URL001", 5)]))[1].split() == [
        "error", "URL001", "5", "loc-not-absolute", "more", "than", "are", "shown",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("known", "where"),
    [
        ({}, ""),
        ({"file": "a.xml"}, "a.xml"),
        ({"file": "a.xml", "entry": 5}, "a.xml"),
        ({"file": "a.xml", "line": 3}, "a.xml:3"),
        ({"file": "a.xml", "line": 3, "column": 14}, "a.xml:3:14"),
        ({"line": 3, "column": 14, "entry": 5}, "line 3:14"),
        ({"entry": 5}, "row 5"),
    ],
)
def test_place(known: dict[str, Any], where: str) -> None:
    assert _report.place(finding(**known)) == where
    assert _report.finding(finding(**known)) == f"{where}{': ' * bool(where)}URL001 error it is wrong"


def test_findings_table() -> None:
    found = [finding(f"URL{number:03}", file="a.xml", line=number, count=number) for number in range(1, 8)]
    lines = shown(*_report.findings_table(found))
    assert lines[0].split() == ["code", "count", "name", "first"]
    assert [line.split()[1] for line in lines[1:6]] == ["URL007", "URL006", "URL005", "URL004", "URL003"]
    assert lines[1].split(maxsplit=4) == ["error", "URL007", "7", "name-of-URL007", "a.xml:7: it is wrong"]
    assert lines[6:] == ["and 3 findings of 2 further codes"]
    assert _report.findings_table([]) == []


def test_the_folder_of_all_findings_is_not_repeated() -> None:
    found = [finding("A", file="/site/maps/a.xml", line=1), finding("B", file="/site/maps/old/b.xml", line=2)]
    lines = shown(*_report.findings_table([*found, finding("C", entry=3)]))
    assert [line.split(maxsplit=4)[4] for line in lines[1:]] == [
        "a.xml:1: it is wrong",
        "old/b.xml:2: it is wrong",
        "row 3: it is wrong",
    ]


@pytest.mark.parametrize(
    ("fail_on", "reached"), [("never", False), ("info", True), ("warning", True), ("error", False)]
)
def test_reaches(fail_on: str, reached: bool) -> None:
    assert _report.reaches([finding(severity="warning"), finding(severity="info")], fail_on) is reached
    assert not _report.reaches([], fail_on)


@pytest.mark.parametrize(
    ("code", "fail_on", "reached"),
    [("URL001", "error", True), ("URL022", "warning", True), ("URL022", "error", False), ("URL001", "never", False)],
)
def test_what_is_counted_only_is_as_bad_as_its_code(code: str, fail_on: str, reached: bool) -> None:
    assert _report.reaches([beyond(code, 5)], fail_on) is reached


# Tables that fit


def reading(**known: Any) -> Reading:
    usual: dict[str, Any] = {
        "kind": "urlset",
        "complete": True,
        "rows": 12_000,
        "seconds": 0.5,
        "columns": ["loc", "lastmod", "lastmod_form", "changefreq", "priority", "images", "sitemap"],
        "first": [
            {"loc": f"https://shop.example/{'tea/' * number}", "changefreq": "daily", "priority": 0.8, "images": [1, 2]}
            for number in range(5)
        ],
        "files": [File(address=f"maps/{'x' * 90}.xml", outcome="read", rows=6_000, wire_bytes=10, findings=0)] * 9,
        "findings": [finding(file="maps/sitemap.xml", line=3, message="a message of some length " * 6)],
    }
    return Reading(**usual | known)


@pytest.mark.parametrize("columns", [20, 40, 80, 120, 200])
def test_no_line_of_a_table_is_wider(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [part for part in _report.reading_tables(reading()) if isinstance(part, Table)]
    assert len(tables) == 3
    for table in tables:
        lines = shown(table, columns=columns, monkeypatch=monkeypatch)
        assert max(map(len, lines)) <= columns
        assert len(lines) <= 10, "no line is broken"
        if columns >= 40:
            assert any(word in "\n".join(lines) for word in ("https://shop", "xxx.xml", "sitemap.xml:3")), (
                "the column that matters stays"
            )


def test_columns_go_before_the_address_gets_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    (table, *_) = _report.reading_tables(reading())
    assert shown(table, columns=120, monkeypatch=monkeypatch)[0].split() == ["loc", "changefreq", "priority", "more"]
    assert shown(table, columns=40, monkeypatch=monkeypatch)[0].split() == ["loc", "changefreq"]
    assert shown(table, columns=30, monkeypatch=monkeypatch)[0].split() == ["loc"]


def test_the_message_is_more_than_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [finding(file="a-name-of-some-length.xml", line=3, message="a message of some length " * 6)]
    (table,) = _report.findings_table(found)
    assert shown(table, columns=120, monkeypatch=monkeypatch)[0].split() == ["code", "count", "name", "first"]
    assert shown(table, columns=60, monkeypatch=monkeypatch)[0].split() == ["code", "count", "first"]


def test_of_paths_the_end_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("file", "rows")
    table.add_row("/a/long/way/to/茶/sitemap.xml", "5")
    assert shown(table, columns=24, monkeypatch=monkeypatch)[1] == "…to/茶/sitemap.xml     5"
    assert shown(table, columns=80, monkeypatch=monkeypatch)[1] == "/a/long/way/to/茶/sitemap.xml     5"


def test_wide_characters_count_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("loc")
    table.add_row("茶" * 40)
    assert shown(table, columns=41, monkeypatch=monkeypatch)[1] == "茶" * 20 + "…"


def opened(found: str, outcome: Outcome = "read") -> File:
    return File(address="a.xml", outcome=outcome, found=found)


@pytest.mark.parametrize(
    ("known", "line"),
    [
        ({}, "12,000 URLs in 9 files, 90 bytes (0 bytes unpacked), 0.50 s, 24,000 URLs/s"),
        ({"complete": False, "files": [], "rows": 1}, "1 URL in 0 files, 0 bytes, 0.50 s, NOT COMPLETE"),
        (
            {"kind": "sitemapindex", "rows": 2, "files": [opened("given"), opened("index"), opened("index")]},
            "sitemapindex: 2 URLs in 3 files, 0 bytes, 0.50 s",
        ),
        (
            {"kind": "sitemapindex", "rows": 2, "files": [opened("folder"), opened("folder"), opened("index")]},
            "2 URLs in 3 files, 0 bytes, 0.50 s",
        ),
        (
            {"rows": 2, "files": [opened("given"), *[opened("index", "absent")] * 2, opened("index", "broken")]},
            "urlset: 2 URLs in 4 files (2 absent, 1 broken), 0 bytes, 0.50 s",
        ),
    ],
)
def test_headline(known: dict[str, Any], line: str) -> None:
    assert _report.headline(reading(**known)) == line


def test_a_reading_adds_up() -> None:
    one = Reading()
    one.add(5, (0, None, None))
    assert (one.rows, one.dated, one.earliest) == (5, 0, None)
    one.add(5, (2, 10, 20))
    one.add(5, (5, 0, 15))
    assert (one.rows, one.dated, one.earliest, one.latest) == (15, 7, 0, 20)
    other = Reading()
    other.add(5, None)
    assert other.dated is None, "lastmod was not read"


def test_what_went_wrong_comes_first() -> None:
    files = [File(address=f"{number}.xml", outcome="read") for number in range(20)]
    files[15] = File(address="15.xml", outcome="broken")
    text = "\n".join(shown(*_report.reading_tables(reading(files=files, first=[], findings=[]))))
    assert text.index("15.xml") < text.index("0.xml")
    assert "and 12 more files" in text


# JSON


def test_reading_json() -> None:
    about = json.loads(_report.reading_json(reading(earliest=0, latest=1_700_000_000_000_000, dated=3)))
    assert about["format_version"] == 1
    assert list(about) == [
        "format_version", "kind", "complete", "urls", "bytes", "plain_bytes", "lastmod", "files", "findings",
    ]  # fmt: skip
    assert about["lastmod"] == {"rows": 3, "earliest": "1970-01-01", "latest": "2023-11-14T22:13:20Z"}
    assert about["findings"] == [{"code": "URL001", "name": "name-of-URL001", "severity": "error", "count": 1}]
    assert about["files"][0] == {
        "address": f"maps/{'x' * 90}.xml", "outcome": "read", "rows": 6_000, "wire_bytes": 10, "findings": 0,
    }  # fmt: skip


def result(**known: Any) -> Written:
    usual: dict[str, Any] = {
        "to": "set", "files": 2, "urls": 3, "bytes": 400, "plain_bytes": 500, "seconds": 0.25,
        "index": "set/sitemap.xml", "sitemaps": ("https://shop.example/sitemap.xml",),
        "names": ("sitemap-00001.xml.gz", "sitemap.xml"), "changed": ("sitemap.xml",),
    }  # fmt: skip
    return Written(**usual | known)


def test_written_json() -> None:
    text = _report.written_json(result(findings=(finding(entry=3),), to="set\x1b\u202e\udcff"))
    about = json.loads(text)
    assert about["format_version"] == 1
    assert about["findings"][0]["entry"] == 3
    assert "line" not in about["findings"][0], "what is not known is left out"
    assert about["to"] == "set\x1b\u202e\udcff", "nothing is lost"
    assert text.replace("\n", "").isprintable()


# Writing


@pytest.mark.parametrize(
    ("known", "line"),
    [
        ({}, "3 URLs in 2 files, 400 bytes (500 bytes before compression), 0.25 s"),
        ({}, "1 file written, 1 left as they were"),
        ({}, "https://shop.example/sitemap.xml: not named in a robots.txt; engines want it there"),
        ({"robots": "set/robots.txt"}, "https://shop.example/sitemap.xml: named in set/robots.txt"),
        ({"sitemaps": ("a", "b", "c")}, "a and 2 more: not named in a robots.txt; engines want it there"),
        ({"encoded": 1}, "addresses encoded as the standard asks in 1 row"),
        ({"skipped": 2}, "2 rows skipped (rows count from 0)"),
        ({"ignored_columns": ("title",)}, "columns that were not written: title"),
        (
            {"ignored_columns": tuple("abcdefgh")},
            "columns that were not written: a, b, c, d, e, f and 2 more",
        ),
        ({}, "next: urlset read set/sitemap.xml"),
        ({"sitemaps": ("a", "b")}, "next: urlset read set"),
        ({"index": None, "to": "my set.xml"}, "next: urlset read 'my set.xml'"),
    ],
)
def test_written(known: dict[str, Any], line: str) -> None:
    assert line in shown(*_report.written(result(**known)))


def test_written_is_short() -> None:
    known = {"encoded": 1, "skipped": 2, "ignored_columns": ("title",), "robots": "robots.txt"}
    found = [finding(f"URL00{number}") for number in range(5)]
    assert len(shown(*_report.written(result(findings=found, **known)))) <= 10
    assert not any(line.startswith("next") for line in shown(*_report.written(result(to="-"))))


def test_refused() -> None:
    found = [finding(entry=1_234, line=1_236), finding(entry=2), finding(), *[finding()] * 5, finding(count=10)]
    assert _report.refused(found) == [
        "  row 1,234, line 1,236: it is wrong (URL001)",
        "  row 2: it is wrong (URL001)",
        *["  a row: it is wrong (URL001)"] * 3,
        "  and 13 more",
    ]
