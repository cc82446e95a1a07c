"""Limits of the authorities: a file at a limit is read silently, one beyond it loses nothing but what a bound takes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.conformance.cases import ROOT
from tests.reading import LIMITS, Reading, read

PLAIN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
INDEX = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
MAX_URLS = 50_000
MAX_BYTES = 52_428_800


def urlset(*entries: str) -> bytes:
    return (PLAIN + "".join(entries) + "</urlset>\n").encode()


def url(number: int) -> str:
    return f"<url><loc>https://a.example/{number}</loc></url>\n"


def one(children: str) -> Reading:
    return read(f"{ROOT}<url><loc>https://a.example/</loc>{children}</url>\n</urlset>\n".encode())


def counts(reading: Reading) -> dict[str, int]:
    found: dict[str, int] = {}
    for finding in reading.findings:
        found[finding["code"]] = found.get(finding["code"], 0) + finding["count"]
    return found


@pytest.mark.parametrize("number", [MAX_URLS - 1, MAX_URLS])
def test_as_many_urls_as_are_allowed_are_read_silently(number: int) -> None:
    reading = read(urlset(*map(url, range(number))))
    assert [row["loc"] for row in reading.rows] == [f"https://a.example/{n}" for n in range(number)]
    assert (reading.findings, reading.complete) == ([], True)


def test_no_url_beyond_the_number_allowed_is_lost() -> None:
    assert len(read(urlset(*map(url, range(MAX_URLS + 1)))).rows) == MAX_URLS + 1


def test_as_many_sitemaps_as_an_index_may_have_are_read_silently() -> None:
    entries = "".join(f"<sitemap><loc>https://a.example/{n}.xml</loc></sitemap>\n" for n in range(MAX_URLS))
    reading = read((INDEX + entries + "</sitemapindex>").encode())
    assert (len(reading.rows), reading.findings) == (MAX_URLS, [])


def test_as_many_lines_as_a_list_may_have_are_read_silently() -> None:
    reading = read("".join(f"https://a.example/{n}\n" for n in range(MAX_URLS)).encode())
    assert (len(reading.rows), reading.findings) == (MAX_URLS, [])


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_as_many_bytes_as_are_allowed_are_read_silently(packed: bool) -> None:
    # 52,000 bytes an entry: the rest is alternates, as in the files that reach this limit
    link = '<xhtml:link rel="alternate" hreflang="de" href="https://a.example/{:06}"/>\n'
    links = "".join(link.format(n) for n in range(700))
    entry = "<url><loc>https://a.example/{:06}</loc>\n" + links + "</url>\n"
    number = (MAX_BYTES - len(ROOT) - 100) // len(entry.format(0))
    text = ROOT + "".join(entry.format(n) for n in range(number))
    data = (text + " " * (MAX_BYTES - len(text) - len("</urlset>")) + "</urlset>").encode()
    assert len(data) == MAX_BYTES
    reading = read(gzip.compress(data, 1) if packed else data, columns=["loc"])
    assert (len(reading.rows), reading.findings, reading.complete) == (number, [], True)


@pytest.mark.parametrize(
    ("loc", "told"),
    [
        ("https://a.example/" + "a" * 2029, False),
        ("https://a.example/" + "a" * 2030, True),
        # characters count, not bytes, and after references are resolved
        ("https://a.example/" + "ü" * 2029, False),
        ("https://a.example/" + "ü" * 2030, True),
        ("https://a.example/" + "&amp;" * 2029, False),
        ("https://a.example/" + "&amp;" * 2030, True),
    ],
)
def test_a_loc_has_fewer_than_2048_characters(loc: str, told: bool) -> None:
    reading = read(urlset(f"<url><loc>{loc}</loc></url>"))
    assert [row["loc"] for row in reading.rows] == [loc.replace("&amp;", "&")]
    assert reading.codes == ["SIZ007"] * told


def test_a_loc_of_any_length_is_a_row() -> None:
    loc = "https://a.example/" + "x" * 100_000
    reading = read(urlset(f"<url><loc>{loc}</loc></url>", url(2)))
    assert [row["loc"] for row in reading.rows] == [loc, "https://a.example/2"]
    assert reading.codes == ["SIZ007"]


@pytest.mark.parametrize("number", [1_000, 1_001])
def test_images_of_a_page_are_kept_however_many(number: int) -> None:
    images = [f"https://a.example/{n}.png" for n in range(number)]
    reading = one("".join(f"<image:image><image:loc>{loc}</image:loc></image:image>" for loc in images))
    assert reading.rows[0]["images"] == [{"loc": loc} for loc in images]


@pytest.mark.parametrize("number", [32, 33])
def test_tags_of_a_video_are_kept_however_many(number: int) -> None:
    tags = [f"tag {n}" for n in range(number)]
    inner = "".join(f"<video:tag>{tag}</video:tag>" for tag in tags)
    reading = one(
        "<video:video><video:thumbnail_loc>https://a.example/t.png</video:thumbnail_loc><video:title>T</video:title>"
        f"<video:description>D</video:description>{inner}</video:video>"
    )
    assert reading.rows[0]["videos"][0]["tag"] == tags


@pytest.mark.parametrize(
    ("element", "length"), [("title", 100), ("title", 101), ("description", 2_048), ("description", 2_049)]
)
def test_texts_of_a_video_are_kept_whole(element: str, length: int) -> None:
    texts = {"title": "T", "description": "D", element: "ä" * length}
    reading = one(
        "<video:video><video:thumbnail_loc>https://a.example/t.png</video:thumbnail_loc>"
        f"<video:title>{texts['title']}</video:title><video:description>{texts['description']}</video:description>"
        "</video:video>"
    )
    assert reading.rows[0]["videos"] == [{"thumbnail_loc": "https://a.example/t.png", **texts}]


def test_a_thousand_news_entries_of_a_file_and_more_are_read() -> None:
    entry = (
        "<url><loc>https://a.example/{}</loc><news:news><news:publication><news:name>A</news:name>"
        "<news:language>en</news:language></news:publication><news:publication_date>2025-06-07</news:publication_date>"
        "<news:title>T</news:title></news:news></url>"
    )
    reading = read((ROOT + "".join(entry.format(n) for n in range(1_001)) + "</urlset>").encode())
    assert sum("news" in row for row in reading.rows) == 1_001
    assert reading.findings == []


def robots(*lines: str) -> Reading:
    return read("\n".join(lines).encode(), name="robots.txt")


def test_a_robots_txt_of_500_kib_is_read_silently() -> None:
    line = "Sitemap: https://a.example/1.xml\n"
    filler = "Disallow: /" + "x" * 88 + "\n"
    size = 500 * 1024
    text = filler * ((size - len(line)) // 100) + "#" * ((size - len(line)) % 100 - 1) + "\n" + line
    reading = robots(text)
    assert len(text) == size
    assert ([row["loc"] for row in reading.rows], reading.findings) == (["https://a.example/1.xml"], [])


def test_a_sitemap_line_beyond_500_kib_is_read_and_told() -> None:
    reading = robots(("Disallow: /" + "x" * 88 + "\n") * 5_121, "Sitemap: https://a.example/1.xml")
    assert [row["loc"] for row in reading.rows] == ["https://a.example/1.xml"]
    assert set(reading.codes) == {"ROB008"}


@pytest.mark.parametrize(("length", "told"), [(16_663, False), (16_664, True)])
def test_a_line_longer_than_googles_buffer_is_told(length: int, told: bool) -> None:
    start = "Sitemap: https://a.example/"
    reading = robots(start + "x" * (length - len(start)))
    assert len(reading.rows) == 1
    assert "ROB018" in reading.codes if told else "ROB018" not in reading.codes


# Compression.

TWO = urlset(url(1), url(2))
LOCS = ["https://a.example/1", "https://a.example/2"]


def found(reading: Reading) -> list[str]:
    return [row["loc"] for row in reading.rows]


def test_several_members_are_one_file() -> None:
    data = b"".join(gzip.compress(TWO[n : n + 40]) for n in range(0, len(TWO), 40))
    reading = read(data)
    assert (found(reading), reading.findings, reading.gzip_layers, reading.complete) == (LOCS, [], 1, True)


def test_members_may_be_empty() -> None:
    reading = read(gzip.compress(b"") + gzip.compress(TWO) + gzip.compress(b""))
    assert (found(reading), reading.findings) == (LOCS, [])


@pytest.mark.parametrize("junk", [b"\0" * 10, b"\n", b"junk behind"], ids=repr)
def test_bytes_behind_the_last_member_are_told(junk: bytes) -> None:
    reading = read(gzip.compress(TWO) + junk)
    assert (found(reading), reading.codes, reading.complete) == (LOCS, ["GZP009"], True)


def test_a_header_with_every_field_is_passed_over() -> None:
    packed = zlib.compress(TWO, wbits=-15)
    extra = b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03" + b"\x04\0abcd" + b"name.xml\0" + b"comment\0"
    header = extra + (zlib.crc32(extra) & 0xFFFF).to_bytes(2, "little")
    trailer = zlib.crc32(TWO).to_bytes(4, "little") + len(TWO).to_bytes(4, "little")
    reading = read(header + packed + trailer)
    assert (found(reading), reading.findings) == (LOCS, [])


@pytest.mark.parametrize("lost", [1, 4, 8])
def test_a_trailer_that_is_cut_is_told_and_costs_nothing(lost: int) -> None:
    reading = read(gzip.compress(TWO)[:-lost])
    assert (found(reading), reading.codes, reading.complete) == (LOCS, ["GZP002"], False)


def test_a_file_that_is_cut_yields_the_entries_before() -> None:
    many = urlset(*map(url, range(2_000)))
    packed = gzip.compress(many)
    reading = read(packed[: len(packed) // 2])
    assert 0 < len(reading.rows) < 2_000
    assert found(reading) == [f"https://a.example/{n}" for n in range(len(reading.rows))]
    assert "GZP002" in reading.codes
    assert not reading.complete


def test_the_last_line_of_a_list_that_was_cut_in_gzip_is_no_url() -> None:
    lines = "".join(f"https://a.example/{n:08}\n" for n in range(5_000)).encode()
    packed = gzip.compress(lines)
    reading = read(packed[: len(packed) * 2 // 3])
    assert found(reading) == [f"https://a.example/{n:08}" for n in range(len(reading.rows))]
    assert (reading.codes, reading.complete) == (["GZP002"], False)


@pytest.mark.parametrize("at", [-5, -1], ids=["checksum", "length"])
def test_a_wrong_trailer_is_told(at: int) -> None:
    data = bytearray(gzip.compress(TWO))
    data[at] ^= 1
    reading = read(bytes(data))
    assert (found(reading), reading.codes) == (LOCS, ["GZP003"])


def test_a_broken_block_ends_what_can_be_read() -> None:
    many = urlset(*map(url, range(20_000)))
    data = bytearray(gzip.compress(many))
    middle = len(data) // 2
    data[middle : middle + 64] = b"\xff" * 64
    reading = read(bytes(data))
    right = {f"https://a.example/{n}" for n in range(20_000)}
    assert len(set(found(reading)) - right) <= 1
    assert {"GZP001", "GZP003"} & set(reading.codes)


@pytest.mark.parametrize("layers", [2, 3])
def test_gzip_within_gzip_is_read_and_told(layers: int) -> None:
    data = TWO
    for _ in range(layers):
        data = gzip.compress(data)
    reading = read(data)
    assert (found(reading), reading.codes, reading.gzip_layers) == (LOCS, ["GZP004"], layers)


def archive() -> Iterator[tuple[str, bytes, str]]:
    yield "bzip2", bz2.compress(TWO), "GZP007"
    yield "xz", lzma.compress(TWO), "GZP007"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as folder:
        folder.writestr("sitemap.xml", TWO)
    yield "zip", packed.getvalue(), "GZP007"
    yield "zstd", b"\x28\xb5\x2f\xfd" + b"\0" * 20, "GZP007"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        member = tarfile.TarInfo("sitemap.xml")
        member.size = len(TWO)
        tar.addfile(member, io.BytesIO(TWO))
    yield "tar", packed.getvalue(), "GZP010"


@pytest.mark.parametrize(("data", "code"), [case[1:] for case in archive()], ids=[case[0] for case in archive()])
def test_other_compression_is_refused_by_name(data: bytes, code: str) -> None:
    reading = read(data)
    assert (reading.rows, reading.codes, reading.complete) == ([], [code], False)


# Bounds: none of them touches a legal file, and each is told when it bites.


def bomb(filler: bytes, megabytes: int) -> Iterator[bytes]:
    """Entries, and then more inflated bytes than any file has, a piece at a time."""
    packer = zlib.compressobj(9, wbits=31)
    yield packer.compress((PLAIN + url(1) + url(2)).encode())
    block = filler * (1_048_576 // len(filler))
    for _ in range(megabytes):
        yield packer.compress(block)
    yield packer.flush()


@pytest.mark.parametrize("filler", [b" ", b"<x>", b"&#0;"], ids=repr)
def test_a_bomb_is_stopped_and_told(filler: bytes) -> None:
    reading = read(bomb(filler, 60))
    assert found(reading) == LOCS
    assert "SIZ013" in reading.codes
    assert not reading.complete


def test_more_bytes_than_asked_for_are_not_inflated() -> None:
    many = urlset(*map(url, range(20_000)))
    reading = read(gzip.compress(many), limits=replace(LIMITS, max_bytes=100_000))
    assert 0 < len(reading.rows) < 20_000
    assert "SIZ013" in reading.codes
    assert not reading.complete


def test_elements_nested_without_end_cost_nothing_else() -> None:
    deep = "<x:a>" * 5_000
    reading = read(urlset(f'<url xmlns:x="urn:x"><loc>https://a.example/1</loc>{deep}</url>', url(2)))
    assert "XML024" in reading.codes
    assert found(reading)[-1] == "https://a.example/2"


def test_depth_within_the_bound_is_silent() -> None:
    inner = "<x:a>" * 60 + "</x:a>" * 60
    reading = read(urlset(f'<url xmlns:x="urn:x"><loc>https://a.example/1</loc>{inner}</url>'))
    assert (found(reading), reading.findings) == (["https://a.example/1"], [])


def test_entries_beyond_the_bound_are_told() -> None:
    reading = read(urlset(*map(url, range(100))), limits=replace(LIMITS, max_entries=10))
    assert (len(reading.rows), reading.codes, reading.complete) == (10, ["SIZ015"], False)


def test_exactly_as_many_entries_as_asked_for_are_silent() -> None:
    reading = read(urlset(*map(url, range(10))), limits=replace(LIMITS, max_entries=10))
    assert (len(reading.rows), reading.findings, reading.complete) == (10, [], True)


def test_a_text_beyond_the_bound_costs_its_entry_alone() -> None:
    long = f"<url><loc>https://a.example/{'x' * 2_000_000}</loc></url>"
    reading = read(urlset(url(1), long, url(2)))
    assert (found(reading), reading.codes) == (LOCS, ["SIZ015"])


def test_a_tag_of_two_megabytes_costs_its_entry_alone() -> None:
    link = f'<xhtml:link rel="alternate" href="https://a.example/{"x" * 2_000_000}"/>'
    reading = read(urlset(url(1), f"<url><loc>https://a.example/0</loc>{link}</url>", url(2)))
    assert set(LOCS) <= set(found(reading)) <= {*LOCS, "https://a.example/0"}
    assert reading.findings != []


def test_findings_beyond_the_bound_are_counted() -> None:
    reading = read(urlset(*("<url/>\n" for _ in range(1_000))), limits=replace(LIMITS, max_findings=5))
    assert reading.codes == ["STR007"] * 5 + ["GEN003"]
    assert (reading.findings[-1]["value"], reading.findings[-1]["count"]) == ("STR007", 995)


def test_a_thousand_attributes_and_a_thousand_prefixes() -> None:
    attributes = " ".join(f'a{n}="{n}"' for n in range(1_000))
    prefixes = " ".join(f'xmlns:p{n}="urn:{n}"' for n in range(1_000))
    reading = read(urlset(f"<url {attributes} {prefixes}><loc>https://a.example/1</loc></url>", url(2)))
    assert (found(reading), reading.findings) == (LOCS, [])


def test_counts_are_of_all_findings() -> None:
    assert counts(read(urlset(*("<url/>\n" for _ in range(3))))) == {"STR007": 3}
