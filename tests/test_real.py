"""Files that real sites published are read as their manifest says.

It counts them two ways, and where the two differ it says what a reader should report.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from typing import Any

import pytest

import urlset
from tests.conftest import REAL
from tests.reading import Reading, plain, read

FILES: list[dict[str, Any]] = json.loads((REAL / "MANIFEST.json").read_text(encoding="utf-8"))["files"]
BASE = "https://site.example/folder/file.xml"
COUNTED = ("lastmod", "images", "videos", "news", "alternates")

# Where reading differs from the manifest's counts, and why.
DEVIATIONS: dict[str, dict[str, Any]] = {
    # pictures of media RSS count as images here, and did not in the manifest
    "antennapod_antennapod-github-io_rss": {"images": 22},
    # the image stands outside of any entry, whose start tag is missing
    "moabi-com_cve_sitemap_56c4261": {"images": 0},
    "moabi-com_cve_sitemap_ec5df4e": {"images": 0},
}

# Lines that are no address and cannot be resolved: leftovers of a template, a scheme with a Cyrillic letter.
NO_ADDRESS = {
    "antennapod_antennapod-github-io_robots",
    "anyappscompany_filmi21-ru_robots",
    "anyappscompany_rfimages-ru_robots",
}

# Which findings tell a fault of the manifest. Faults that reading does not judge (duplicates, several hosts, dates that
# are all the same, ...) are not here: they are rules of `check`.
TOLD: dict[str, set[str]] = {
    "bare-ampersand": {"XML002", "XML003", "XML019"},
    "html-entity": {"XML003"},
    "bad-encoding": {"XML007", "XML001"},
    "html-saved": {"XML019"},
    "html-sitemap": {"XML019"},
    "empty": {"XML021"},
    "merge-markers": {"XML004"},
    "tag-mismatch": {"XML001"},
    "text-before-xml": {"XML011", "URL031"},
    "space-before-decl": {"XML011"},
    "truncated-or-extra": {"XML017", "XML018"},
    "front-matter": {"URL031"},
    "template-left": {"URL031"},
    "odd-namespace": {"STR003"},
    "no-namespace": {"STR002", "URL031", "XML001"},
    "relative-loc": {"URL001"},
    "relative-sitemap": {"ROB001", "ROB002"},
    "bad-lastmod": {"DAT008"},
    "space-in-loc": {"URL007"},
    "not-well-formed": {
        "XML001", "XML002", "XML003", "XML004", "XML007", "XML011", "XML017", "XML018", "XML019", "XML021", "URL031",
    },
}  # fmt: skip

# Findings of files in which the manifest sees no fault that reading judges, each looked at.
EXPLAINED: dict[str, dict[str, int]] = {
    # a quote and a bracket behind the root's start tag
    "ed-von-schleck_reimster_sitemapindex": {"STR016": 1},
    # an address between entries
    "abdullah-9008_baking-sitemap_sitemap": {"STR016": 1},
    # empty news:keywords in every entry, empty image:caption in many
    "boxofficeindia_boxofficeindia-github-io_news-sitemap": {"STR020": 89},
    "mdelaneycastle_castlecomms_sitemap-products-1": {"STR020": 108},
    "mdelaneycastle_castlecomms_sitemap-products-4": {"STR020": 209},
    # an empty video:description, which counts as missing
    "frankwrk_avalanche-site_sitemap-video": {"VID003": 1},
    # addresses of images with blanks in them
    "myastrology_services_image-sitemap": {"URL007": 2},
    # feeds whose links are relative
    "dzwriters_dzwriters-com_index": {"FED003": 2},
    "johndated_hidup_index": {"FED003": 1},
}


def data(file: dict[str, Any]) -> bytes:
    return (REAL / str(file["file"])).read_bytes()


def totals(reading: Reading) -> dict[str, int]:
    """How often each code was found, those not told in detail counted too."""
    found: Counter[str] = Counter()
    for finding in reading.findings:
        if finding["code"] == "GEN003":
            found[finding["value"]] += finding["count"]
        else:
            found[finding["code"]] += finding["count"]
    return dict(found)


def counts(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "entries": len(rows),
        "lastmod": sum("lastmod" in row for row in rows),
        "news": sum("news" in row for row in rows),
        "first": rows[0]["loc"] if rows else "",
        "last": rows[-1]["loc"] if rows else "",
        **{name: sum(len(row.get(name, [])) for row in rows) for name in ("images", "videos", "alternates")},
    }


def expected(file: dict[str, Any]) -> dict[str, Any]:
    decided = file.get("decided", {})
    return {
        **{name: file[name] for name in (*COUNTED, "first", "last")},
        "entries": decided.get("lenient", file["entries"]),
        **{name: decided[name] for name in COUNTED if name in decided},
        **DEVIATIONS.get(file["slug"], {}),
    }


def is_relative(file: dict[str, Any]) -> bool:
    faults = set(file["faults"]) | EXPLAINED.get(file["slug"], {}).keys()
    return bool({"relative-loc", "relative-sitemap", "FED003"} & faults)


def name_of(file: dict[str, Any]) -> str:
    """The name of a file as a reader hears of it; that of robots.txt says what it is."""
    return "robots.txt" if file["kind"] == "robots" else str(file["file"])


@pytest.fixture(params=FILES, ids=lambda file: file["slug"])
def file(request: pytest.FixtureRequest) -> dict[str, Any]:
    made: dict[str, Any] = request.param
    return made


def test_the_files_are_those_of_the_manifest(file: dict[str, Any]) -> None:
    assert hashlib.sha256(data(file)).hexdigest() == file["sha256"]


def test_is_read_as_the_manifest_says(file: dict[str, Any]) -> None:
    reading = read(data(file), name=name_of(file))
    want = expected(file)
    if is_relative(file):
        assert reading.rows == []
        assert reading.entries == (0 if file["slug"] in NO_ADDRESS else want["entries"])
        return
    got = counts(reading.rows)
    if got["entries"] != want["entries"]:
        assert got["entries"] in file.get("decided", {}).get("either", [])
        return
    if "decided" in file:  # its first and last are those of one of the two counts
        want = {name: value for name, value in want.items() if got["entries"] or name not in ("first", "last")}
        if not got["entries"]:
            want |= dict.fromkeys(COUNTED, 0)
    assert {name: got[name] for name in want} == want


def test_relative_addresses_are_rows_where_the_caller_says_what_they_mean(file: dict[str, Any]) -> None:
    if not is_relative(file):
        return
    reading = read(data(file), name=name_of(file), base=BASE, relative="resolve")
    want = expected(file)
    if file["slug"] in NO_ADDRESS:
        assert reading.rows == []
        return
    got = counts(reading.rows)
    assert [got[name] for name in ("entries", *COUNTED)] == [want[name] for name in ("entries", *COUNTED)]
    for place in ("first", "last"):
        resolved = BASE.rpartition("/")[0] + "/" + want[place]
        assert got[place] == ("https://site.example" + want[place] if want[place].startswith("/") else resolved)


def test_every_fault_is_told(file: dict[str, Any]) -> None:
    found = set(read(data(file), name=name_of(file)).codes)
    missed = [fault for fault in file["faults"] if fault in TOLD and not TOLD[fault] & found]
    assert missed == []


def test_a_file_without_faults_is_silent(file: dict[str, Any]) -> None:
    judged = [fault for fault in file["faults"] if fault in TOLD]
    if not judged:
        assert totals(read(data(file), name=name_of(file))) == EXPLAINED.get(file["slug"], {})


def test_chunks_do_not_show(file: dict[str, Any]) -> None:
    whole = read(data(file), name=name_of(file))
    for size in [1, 7, 4096] if file["bytes"] < 8_192 else [7, 4096] if file["bytes"] < 200_000 else [4096]:
        assert read(data(file), name=name_of(file), chunk=size) == whole


def test_gzip_does_not_show(file: dict[str, Any]) -> None:
    if file["kind"] == "gz":
        return  # once is enough
    whole = read(data(file), name=name_of(file))
    packed = read(gzip.compress(data(file), 1, mtime=0), name=name_of(file))
    assert packed.gzip_layers == 1
    assert (packed.rows, packed.findings) == (whole.rows, whole.findings)
    assert packed.complete == whole.complete


def test_utf_16_does_not_show(file: dict[str, Any]) -> None:
    plain_text = gzip.decompress(data(file)) if file["kind"] == "gz" else data(file)
    try:
        text = plain_text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    whole = read(plain_text, name=name_of(file))
    for encoding in ("utf-16-le", "utf-16-be"):
        wide = read(("\ufeff" + text).encode(encoding), name=name_of(file))
        assert wide.rows == whole.rows
        assert (wide.kind, wide.complete) == (whole.kind, whole.complete) or file["kind"] == "other"
        # what breaks the file is the same, though its declaration now contradicts its encoding
        about_encoding = {"XML006", "XML008", "XML010", "TXT001", "ROB009"}
        assert [p for p in wide.places() if p[0] not in about_encoding] == [
            p for p in whole.places() if p[0] != "ROB009"
        ]


def test_the_public_verb_says_the_same(file: dict[str, Any]) -> None:
    urls = urlset.read(REAL / file["file"], follow=False)
    rows = [{name: value for name, value in plain(row).items() if name != "sitemap"} for row in urls.to_pylist()]
    assert rows == read(data(file), name=file["file"].rpartition("/")[2]).rows


def test_projection_skips_columns_and_nothing_else(file: dict[str, Any]) -> None:
    whole = read(data(file), name=name_of(file))
    for columns in (["loc"], ["lastmod", "loc"], ["images", "alternates"]):
        part = read(data(file), name=name_of(file), columns=columns)
        assert part.rows == [{name: row[name] for name in columns if name in row} for row in whole.rows]
