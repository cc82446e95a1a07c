"""Bytes to rows: kinds, damage, limits, strictness, projection, and what one pass knows of itself."""

from __future__ import annotations

import array
import gc
import gzip
import io
import itertools
import mmap
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import urlset
from urlset._read import findings as books
from urlset._read import pieces as reading
from urlset.errors import OptionError, StreamConsumed, StrictError, UrlsetError
from urlset.types import Limits

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
A, B = "https://a.example/1", "https://a.example/2"


def sitemap(*locs: str) -> bytes:
    return f"<urlset {NS}>{''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)}</urlset>".encode()


def index(*locs: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f"<sitemapindex {NS}>{entries}</sitemapindex>".encode()


def locs(urls: urlset.UrlSet) -> list[str]:
    return [url.loc for url in urls]


def codes(urls: urlset.UrlSet) -> list[str]:
    return [finding.code for finding in urls.findings]


MANY = sitemap(*(f"https://a.example/{n}" for n in range(30_000)))
RSS = b"<rss version='2.0'><channel><item><link>https://a.example/1</link></item></channel></rss>"
ATOM = b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://a.example/1'/></entry></feed>"


@pytest.mark.parametrize(
    ("data", "kind", "expected"),
    [
        (sitemap(A, B), "urlset", [A, B]),
        (index("https://a.example/s.xml"), "sitemapindex", ["https://a.example/s.xml"]),
        (f"{A}\n{B}\n".encode(), "text", [A, B]),
        (RSS, "rss", [A]),
        (ATOM, "atom", [A]),
        (b"User-agent: *\nSitemap: https://a.example/s.xml\n", "robots", ["https://a.example/s.xml"]),
        (b"<!doctype html><html><a href='https://a.example/1'>1</a></html>", "html", []),
        (b"", "empty", []),
        (b" \n", "empty", []),
        (b"hello", "unknown", []),
        (b"\xef\xbb\xbf" + sitemap(A), "urlset", [A]),
        (sitemap(A).decode().encode("utf-16"), "urlset", [A]),
        (b"\xfe\xff" + sitemap(A).decode().encode("utf-16-be"), "urlset", [A]),
        (gzip.compress(sitemap(A)), "urlset", [A]),
        (gzip.compress(gzip.compress(sitemap(A))), "urlset", [A]),
        (gzip.compress(sitemap(A)[:60]) + gzip.compress(sitemap(A)[60:]), "urlset", [A]),
    ],
)
def test_kinds(data: bytes, kind: str, expected: list[str]) -> None:
    urls = urlset.read(data, follow=False)
    assert urls.kind == kind
    assert locs(urls) == expected
    assert urls.schema.metadata == {"urlset:kind": kind}
    assert urls.complete is (kind not in {"html", "unknown"})


def mapped() -> mmap.mmap:
    area = mmap.mmap(-1, len(sitemap(A)))
    area.write(sitemap(A))
    return area


@pytest.mark.parametrize(
    "buffer",
    [
        sitemap(A),
        bytearray(sitemap(A)),
        memoryview(sitemap(A)),
        memoryview(b"xx" + sitemap(A))[2:],
        array.array("b", sitemap(A)),
        array.array("i", sitemap(A) + b" " * (-len(sitemap(A)) % 4)),
        pa.py_buffer(sitemap(A)),
        mapped(),
    ],
    ids=lambda buffer: type(buffer).__name__,
)
def test_any_buffer_is_a_file(buffer: Any) -> None:
    urls = urlset.read(buffer)
    assert locs(urls) == locs(urls) == [A]
    assert not urls.findings


def test_a_buffer_with_gaps_is_refused() -> None:
    with pytest.raises(TypeError, match=r"not contiguous: pass a copy"):
        urlset.read(memoryview(sitemap(A))[::2])


class Drip(io.RawIOBase):
    """A file object that gives what an iterator gives, and counts."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__()
        self.chunks = chunks
        self.given = 0

    def read(self, _size: int = -1, /) -> bytes:
        self.given += 1
        return next(self.chunks, b"")


def bits(data: bytes, size: int = 1) -> Drip:
    return Drip(data[at : at + size] for at in range(0, len(data), size))


def endless(begin: bytes, again: bytes) -> Drip:
    return Drip(itertools.chain([begin] if begin else [], itertools.repeat(again)))


@pytest.mark.parametrize("data", [sitemap(A, B), gzip.compress(sitemap(A, B)), f"{A}\n{B}".encode(), RSS])
@pytest.mark.parametrize("size", [1, 7])
def test_how_chunks_are_cut_never_shows(data: bytes, size: int) -> None:
    whole, cut = urlset.read(data).collect(), urlset.read(bits(data, size)).collect()
    assert [u.loc for u in cut] == [u.loc for u in whole]
    assert codes(cut) == codes(whole)
    assert cut.complete is whole.complete is True


def test_batches_come_out_while_bytes_go_in() -> None:
    entry = b"<url><loc>https://a.example/1</loc></url>"
    file = endless(f"<urlset {NS}>".encode(), entry * 1_000)
    batches = urlset.read(file, batch_rows=500).batches()
    assert [next(batches).num_rows for _ in range(4)] == [500] * 4
    assert file.given <= 4


# What is wrong with a file, what comes out of it, and whether that is all.
DAMAGED: list[tuple[str, bytes, list[str], str, bool]] = [
    ("cut in a loc", sitemap(A, B)[:-25], [A], "XML", False),
    ("cut gzip", gzip.compress(MANY)[:-20], [], "GZP002", False),
    ("raw ampersand", sitemap("https://a.example/?a=1&b=2"), ["https://a.example/?a=1&b=2"], "XML002", True),
    ("relative loc", sitemap("/1", A), [A], "URL001", True),
    ("page instead", b"<!doctype html><html><body>404</body></html>", [], "XML019", False),
    ("no format", b'{"urls": []}', [], "XML020", False),
    ("nothing", b"", [], "XML021", True),
]


@pytest.mark.parametrize(
    ("data", "expected", "code", "whole"), [row[1:] for row in DAMAGED], ids=[r[0] for r in DAMAGED]
)
def test_damage_gives_rows_and_findings(data: bytes, expected: list[str], code: str, whole: bool) -> None:
    urls = urlset.read(data)
    found = locs(urls)
    assert found[: len(expected)] == expected
    assert any(c.startswith(code) for c in codes(urls)), codes(urls)
    assert urls.complete is whole


@pytest.mark.parametrize("data", [row[1] for row in DAMAGED], ids=[row[0] for row in DAMAGED])
def test_strict_raises_at_the_first_finding(data: bytes) -> None:
    lenient = urlset.read(data)
    list(lenient.batches())
    for use in (
        list,
        lambda u: list(u.batches()),
        lambda u: u.to_arrow(),
        lambda u: u.to_polars(),
        lambda u: u.collect(),
    ):
        with pytest.raises(StrictError) as caught:
            use(urlset.read(data, strict=True))
        assert caught.value.finding == lenient.findings[0]


def test_strict_lets_clean_files_pass() -> None:
    assert locs(urlset.read(sitemap(A, B), strict=True)) == [A, B]


def test_findings_have_places() -> None:
    urls = urlset.read(b"<?xml version='1.0'?>\n" + sitemap("https://a.example/?a&b"), base="https://a.example/s.xml")
    list(urls)
    (finding,) = urls.findings
    assert (finding.code, finding.file, finding.line, finding.entry) == ("XML002", "https://a.example/s.xml", 2, 0)
    assert finding.element == "url[0]/loc"


def test_relative_locs_become_rows_on_request() -> None:
    data = sitemap("/1", "2")
    assert locs(urlset.read(data, base="https://a.example/maps/s.xml")) == []
    urls = urlset.read(data, base="https://a.example/maps/s.xml", relative="resolve")
    assert locs(urls) == ["https://a.example/1", "https://a.example/maps/2"]
    assert codes(urls) == ["URL001", "URL001"]
    assert [f.fix for f in urls.findings] == ["https://a.example/1", "https://a.example/maps/2"]


def test_the_charset_of_the_content_type_counts() -> None:
    data = sitemap("https://a.example/ж").decode().encode("koi8-r")
    assert locs(urlset.read(data, content_type="text/xml; charset=koi8-r")) == ["https://a.example/ж"]


# The same wrong thing never waits until something is read.
WRONG: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
    (b"", {"columns": ["loc", "lock"]}, OptionError, 'no column "lock"'),
    (b"", {"columns": "loc"}, OptionError, "is a string, a list"),
    (b"", {"columns": []}, OptionError, "no column is named"),
    (b"", {"relative": "keep"}, OptionError, "neither"),
    (b"", {"batch_rows": 0}, OptionError, "no batch"),
    (b"", {"extensions": [1]}, OptionError, "__arrow_c_schema__"),
    (b"", {"extensions": pa.schema([])}, OptionError, "a list of schemas"),
    (b"", {"extensions": [pa.schema([pa.field("stock", pa.int64())])]}, OptionError, "stock"),
    (io.StringIO(), {}, TypeError, r'open\(\.\.\., "rb"\)'),
    (None, {}, TypeError, "NoneType"),
    (7, {}, TypeError, "int"),
    ({"a": 1}, {}, TypeError, "dict"),
    ([b"", None], {}, TypeError, "NoneType"),
    ("<urlset/>", {}, OptionError, "looks like XML itself.*pass the text as bytes"),
    (" \n<?xml version='1.0'?>", {}, OptionError, "looks like XML itself"),
    (f"{A}\n{B}", {}, OptionError, "several lines"),
    ("a\0.xml", {}, OptionError, "NUL"),
    ("https://a.example/sitemap.xml", {}, UrlsetError, "later version.*base="),
    ("HTTP://user:secret@a.example/", {}, UrlsetError, "HTTP://a.example/"),
]


@pytest.mark.parametrize(("source", "options", "error", "message"), WRONG)
def test_wrong_arguments_are_told_at_once(
    source: Any, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        urlset.read(source, **options)
    assert "secret" not in str(caught.value)


def test_projection() -> None:
    data = sitemap(A).replace(b"</loc>", b"</loc><lastmod>2026-01-02</lastmod><priority>0.8</priority>")
    urls = urlset.read(data, columns=["priority", "loc"])
    assert urls.schema.names == ["loc", "priority"]  # the order of the table
    assert urls.to_pylist() == [{"loc": A, "priority": 0.8}]
    (url,) = urls
    assert (url.loc, url.lastmod, url.priority, dict(url.extensions)) == (A, None, 0.8, {})
    without = urlset.read(data, columns=["priority"])
    assert without.to_pylist() == [{"priority": 0.8}]
    with pytest.raises(OptionError, match="Url objects need loc"):
        iter(without)


def test_a_users_own_elements() -> None:
    shop = {"urlset:namespace": "https://a.example/ns/shop", "urlset:prefix": "shop"}
    stock = pa.field("stock", pa.int64(), metadata={**shop, "urlset:element": "stock"})
    data = sitemap(A).replace(b"</loc>", b"</loc><s:stock xmlns:s='https://a.example/ns/shop'>7</s:stock>")
    (url,) = urlset.read(data, extensions=[pa.schema([stock])])
    assert url.stock == 7


def test_url_objects() -> None:
    data = sitemap(A, B).replace(b"</loc>", b"</loc><lastmod>2026-01-02T03:04:05+02:00</lastmod>", 1)
    one, two = urlset.read(data)
    assert one == urlset.Url(A, datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC), None, None, one.extensions)
    assert one.extensions["lastmod_form"] == "seconds+02:00"
    assert (two.lastmod, two.images, two.news) == (None, (), None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC)),
        ("1900-02-28T23:59:59Z", datetime(1900, 2, 28, 23, 59, 59, tzinfo=UTC)),
        ("1969-12-31T23:59:59.999999Z", datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)),
        ("2000-02-29T00:00:00.5Z", datetime(2000, 2, 29, microsecond=500_000, tzinfo=UTC)),
        ("9999-12-31T23:59:59Z", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("9999-12-31T23:59:59-12:00", None),  # in UTC a year of five digits
        ("0001-01-01T00:00:00+14:00", None),  # in UTC the year 0
    ],
)
def test_dates_that_python_can_hold(text: str, expected: datetime | None) -> None:
    urls = urlset.read(sitemap(A).replace(b"</loc>", f"</loc><lastmod>{text}</lastmod>".encode()))
    (url,) = urls
    assert url.lastmod == expected
    assert urls.to_arrow()["lastmod"].to_pylist() == [expected]
    assert urls.to_arrow()["lastmod_form"].null_count == (expected is None)
    assert codes(urls) == ([] if expected else ["DAT018"])


def test_values_are_those_of_arrow() -> None:
    data = sitemap(A, B).replace(
        b"</loc>",
        b"</loc><lastmod>2026-01-02</lastmod><i:image xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'>"
        b"<i:loc>https://a.example/1.png</i:loc></i:image>",
        1,
    )
    urls = urlset.read(data)
    assert urls.to_pylist() == urls.to_arrow().to_pylist()


@pytest.mark.parametrize(
    ("limits", "data", "code"),
    [
        (Limits(max_entries=10), MANY, "SIZ015"),
        (Limits(max_bytes=100_000), gzip.compress(MANY), "SIZ013"),
        (Limits(max_ratio=2), gzip.compress(b" " * 53_000_000), "SIZ013"),
    ],
    ids=["entries", "bytes", "ratio"],
)
def test_a_limit_is_a_finding(limits: Limits, data: bytes, code: str) -> None:
    urls = urlset.read(data, limits=limits)
    list(urls.batches())
    assert code in codes(urls)
    assert not urls.complete
    assert urls.files[0].outcome == "limited"


@pytest.mark.parametrize("filler", [b" ", b"<url><loc>https://a.example/same</loc></url>"], ids=["padded", "repeated"])
def test_no_ratio_cuts_a_file_of_a_legal_size(filler: bytes) -> None:
    data = sitemap(A)[: -len("</urlset>")]
    data += filler * ((52_428_800 - len(data) - len("</urlset>")) // len(filler)) + b"</urlset>"
    packed = gzip.compress(data, 9)
    assert len(data) > 250 * len(packed)
    urls = urlset.read(packed, columns=["loc"])
    assert next(iter(urls)).loc == A
    for _ in urls.batches():
        pass
    assert (codes(urls), urls.complete, urls.files[0].inflated_bytes) == ([], True, len(data))


@pytest.mark.parametrize(
    ("begin", "again", "limits"),
    [
        (b"", f"{A}\n".encode() * 1_000, Limits(max_entries=100)),
        (f"<urlset {NS}>".encode(), b"<url><loc>https://a.example/</loc></url>" * 1_000, Limits(max_entries=100)),
        (b"", gzip.compress(b" " * 1_000_000), Limits(max_bytes=20_000_000)),
        (b"", b"hello " * 10_000, Limits()),
    ],
    ids=["text", "xml", "gzip", "unknown"],
)
def test_an_endless_source_ends(begin: bytes, again: bytes, limits: Limits) -> None:
    urls = urlset.read(endless(begin, again), limits=limits)
    list(urls.batches())
    assert not urls.complete


def test_time_counts_while_the_reader_works(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count()
    monkeypatch.setattr(reading, "perf_counter", lambda: float(next(clock)))
    urls = urlset.read(bits(MANY, 10_000), limits=Limits(max_seconds=50), batch_rows=1_000)
    rows = sum(batch.num_rows for batch in urls.batches())
    assert 0 < rows < 30_000
    assert codes(urls) == ["SIZ015"]  # that the file is cut is our doing, and no fault of it
    assert urls.findings[0].value == "max_seconds"
    assert urls.files[0].outcome == "limited"


def test_the_time_of_the_consumer_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(reading, "perf_counter", lambda: now)
    urls = urlset.read(MANY, limits=Limits(max_seconds=1), batch_rows=1_000)
    for _ in urls.batches():
        now += 100
    assert urls.complete
    assert urls.files[0].seconds == 0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x1f\x8b\x08\0", "GZP002"),
        (gzip.compress(sitemap(A))[:12], "GZP002"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\0" + b"\xff" * 40, "GZP001"),
    ],
    ids=["header cut", "body cut", "body broken"],
)
def test_gzip_that_gives_nothing_is_not_empty(data: bytes, code: str) -> None:
    urls = urlset.read(data)
    assert locs(urls) == []
    assert (codes(urls), urls.kind, urls.complete) == ([code], "unknown", False)
    assert urls.files[0].outcome == "broken"


def test_gzip_of_nothing_is_empty() -> None:
    urls = urlset.read(gzip.compress(b""))
    assert (locs(urls), codes(urls), urls.kind, urls.complete) == ([], ["XML021"], "empty", True)


ROBOTS = "\ufeffSitemap: https://a.example/s.xml\n"


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize(
    ("text", "encoding", "told"),
    [
        (f"\ufeff{A}\n{B}\n", "utf-16-le", ("TXT001", 'list is encoded as "UTF-16LE", UTF-8 was expected')),
        (f"\ufeff{A}\n{B}\n", "utf-32-be", ("TXT001", 'list is encoded as "UTF-32BE", UTF-8 was expected')),
        (f"{A}\n{B}/\xe9\n", "latin-1", ("TXT001", f'bytes "{B}/\xe9" are not UTF-8, read as windows-1252')),
        (ROBOTS, "utf-16-be", ("ROB009", 'robots.txt is encoded as "UTF-16BE", UTF-8 was expected')),
        (ROBOTS, "utf-8", ("ROB009", "robots.txt starts with a byte order mark, plain UTF-8 was expected")),
    ],
)
def test_a_foreign_encoding_is_named(text: str, encoding: str, told: tuple[str, str], size: int) -> None:
    data = text.encode(encoding)
    chunks = iter([data[at : at + size] for at in range(0, len(data), size)] + [b""])

    class Dripping:
        def read(self, _: int = -1) -> bytes:
            return next(chunks)

    urls = urlset.read(Dripping(), follow=False)
    assert len(locs(urls)) == text.count("\n")
    assert [(finding.code, finding.message) for finding in urls.findings] == [told]


def test_what_a_legacy_charset_has_not_is_placed() -> None:
    head = '<?xml version="1.0" encoding="windows-1253"?>\n'
    data = head.encode() + sitemap(A + "\n").replace(b"\n", b"\n\xe2\xd2")
    urls = urlset.read(data)
    list(urls)
    bad = next(finding for finding in urls.findings if finding.code == "XML007")
    assert (bad.line, bad.column) == (3, 2)


def test_a_table_given_as_a_list_is_told_once() -> None:
    data = "loc,lastmod\n" + "".join(f"https://a.example/{n},2026-01-0{1 + n % 9}\n" for n in range(50))
    urls = urlset.read(data.encode())
    assert len(locs(urls)) == 50
    assert codes(urls) == ["TXT003", "TXT010"]
    told = urls.findings[-1]
    assert (told.count, told.line, told.value) == (50, 2, "https://a.example/0,2026-01-01")
    assert "further columns, as in CSV" in told.message


def test_findings_of_one_code_are_capped() -> None:
    urls = urlset.read(sitemap(*["/x"] * 30), limits=Limits(max_findings=5))
    list(urls)
    assert codes(urls) == ["URL001"] * 5 + ["GEN003"]
    assert (urls.findings[-1].value, urls.findings[-1].count) == ("URL001", 25)
    assert sum(finding.count for finding in urls.findings) == 30
    assert urls.files[0].findings == 30


def test_findings_of_all_files_are_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "KEPT", 10)
    urls = urlset.read([sitemap(*["/x"] * 4)] * 5)
    list(urls)
    assert codes(urls) == ["URL001"] * 10 + ["GEN003"]
    assert (urls.findings[-1].value, urls.findings[-1].count) == ("URL001", 10)
    assert sum(file.findings or 0 for file in urls.files) == 20


def test_findings_counted_only_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(books, "KEPT", 4)
    urls = urlset.read([sitemap(*["/x"] * 9)] * 3, limits=Limits(max_findings=5))
    list(urls)
    assert codes(urls) == ["URL001"] * 4 + ["GEN003"]
    assert (urls.findings[-1].value, urls.findings[-1].count) == ("URL001", 23)
    assert [file.findings for file in urls.files] == [9, 9, 9]


def test_findings_of_many_files_stay_in_order() -> None:
    urls = urlset.read([sitemap(f"/{n}") for n in range(1_000)])
    list(urls)
    assert [finding.value for finding in urls.findings] == [f"/{n}" for n in range(1_000)]
    assert pa.table(urls.findings)["value"].to_pylist() == [f"/{n}" for n in range(1_000)]
    assert pl.DataFrame(urls.findings)["line"].to_list() == [1] * 1_000
    assert (len(urls.findings), urls.findings[-1].value, len(urls.findings[2:5])) == (1_000, "/999", 3)
    assert repr(urls.findings) == "Findings(URL001 x 1000)"
    assert len(urls.findings._batches) < 200


@pytest.mark.parametrize("data", [b"", b"hello", sitemap(), index()])
def test_no_rows_are_a_table_too(data: bytes) -> None:
    urls = urlset.read(data)
    assert (urls.to_arrow().num_rows, urls.to_polars().height, len(urls.to_pandas()), len(urls.collect())) == (0,) * 4
    assert urls.to_arrow().column_names == urls.schema.names


def test_a_file_says_what_became_of_it() -> None:
    urls = urlset.read(gzip.compress(MANY), base="https://a.example/s.xml.gz")
    assert urls.files == []
    list(urls.batches())
    (file,) = urls.files
    assert (file.address, file.outcome, file.found) == ("https://a.example/s.xml.gz", "read", "given")
    assert (file.rows, file.findings, file.charset) == (30_000, 0, "UTF-8")
    assert (file.wire_bytes, file.inflated_bytes) == (len(gzip.compress(MANY)), len(MANY))
    assert file.seconds is not None


def test_nothing_is_known_before_reading_and_all_of_it_after() -> None:
    urls = urlset.read(MANY, batch_rows=1_000)
    assert (len(urls.findings), urls.files, urls.complete) == (0, [], False)
    batches = urls.batches()
    next(batches)
    assert (urls.kind, urls.files, urls.complete) == ("urlset", [], False)
    for _ in batches:
        pass
    assert urls.complete


def test_an_error_of_the_source_comes_out_as_it_was() -> None:
    class LostError(Exception):
        pass

    def chunks() -> Iterator[bytes]:
        yield MANY
        raise LostError

    for use in (list, lambda urls: urls.to_arrow(), lambda urls: urls.to_polars()):
        with pytest.raises(LostError):
            use(urlset.read(Drip(chunks())))


def test_text_that_hides_in_a_file_object_is_refused() -> None:
    class Text:
        def read(self, _size: int) -> str:
            return "<urlset/>"

    with pytest.raises(TypeError, match=r'gives text.*open\(\.\.\., "rb"\)'):
        list(urlset.read(Text()))


def test_a_file_object_that_does_not_wait_is_refused() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with os.fdopen(reading, "rb", buffering=0) as file, pytest.raises(UrlsetError, match="does not wait"):
        list(urlset.read(file))
    os.close(writing)


def test_threads_read_side_by_side() -> None:
    urls = urlset.read(MANY)
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(sum(1 for _ in urls))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [30_000] * 4


def _arrow(urls: urlset.UrlSet) -> object:
    return urls.to_arrow()


@pytest.mark.parametrize("use", [list, _arrow], ids=["iteration", "pyarrow"])
def test_ctrl_c_ends_an_endless_read(use: Callable[[urlset.UrlSet], object]) -> None:
    entry = b"<url><loc>https://a.example/1</loc></url>"
    file = endless(f"<urlset {NS}>".encode(), entry * 5_000)
    urls = urlset.read(file, limits=Limits(max_entries=None), columns=["loc"])
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        gc.disable()  # hypothesis looks on, and what is raised within a callback of the collector is lost
        signal.setitimer(signal.ITIMER_REAL, 0.3, 1)
        with pytest.raises(KeyboardInterrupt):
            use(urls)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()
    with pytest.raises(StreamConsumed):
        use(urls)


def run(program: str, *arguments: str | Path, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout.strip()


def test_a_forked_child_reads() -> None:
    program = f"""
import os, urlset
data = {sitemap(A, B)!r}
urls = urlset.read(data)
assert len(list(urls)) == 2
half = urls.batches()
children = []
for _ in range(3):
    if (child := os.fork()) == 0:
        os._exit(0 if len(list(urls)) == 2 and sum(len(b) for b in half) == 2 else 1)
    children.append(child)
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""
    assert run(program) == "[0, 0, 0]"


def test_no_arrow_library_is_needed() -> None:
    program = f"""
import sys
for name in ("pyarrow", "pandas", "polars", "numpy", "nanoarrow", "arro3", "click", "rich", "pycurl", "jinja2"):
    sys.modules[name] = None
import urlset
urls = urlset.read({sitemap(A, "/x")!r})
print([url.loc for url in urls], len(urls.to_pylist()), len(urls.collect()), urls.findings[0].code)
for use in ("to_arrow", "to_polars", "to_pandas"):
    try:
        getattr(urls, use)()
    except ImportError as error:
        print(error)
"""
    lines = run(program).splitlines()
    assert lines[0] == f"['{A}'] 1 1 URL001"
    assert ["install 'urlset[" in line for line in lines[1:]] == [True] * 3


MEMORY = """
import gzip, itertools, resource, sys, urlset

entry = b"<url><loc>https://a.example/%07d</loc><lastmod>2026-01-02</lastmod><bad></url>"
block = b"".join(entry % n for n in range(10_000))
kind, megabytes = sys.argv[1], int(sys.argv[2])
count = megabytes * 1_000_000 // len(block)
begin = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
if kind == "gz":
    begin, block = gzip.compress(begin), gzip.compress(block)

class File:
    chunks = itertools.chain([begin], itertools.repeat(block, count))
    def read(self, size):
        return next(self.chunks, b"")

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

limits = urlset.Limits(max_bytes=None, max_entries=None)
list(urlset.read(begin + block, limits=limits).batches())
before, rows = peak(), 0
urls = urlset.read(File(), limits=limits)
for batch in urls.batches():
    rows += batch.num_rows
assert rows == 10_000 * count, rows
print(peak() - before)
"""


@pytest.mark.parametrize("kind", ["plain", "gz"])
def test_memory_stays_flat(kind: str) -> None:
    assert int(run(MEMORY, kind, "300")) <= 32


def test_a_bomb_costs_no_memory() -> None:
    program = """
import gzip, resource, urlset
bomb = gzip.compress(b"https://a.example/\\n" * 16_000_000)
list(urlset.read(b"https://a.example/\\n" * 100_000).batches())
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for batch in urlset.read(bomb, limits=urlset.Limits(max_bytes=None, max_entries=None, max_ratio=None)).batches():
    del batch
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    assert int(run(program)) <= 64
