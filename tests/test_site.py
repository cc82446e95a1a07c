"""Sources of every sort, and indexes followed in their folders: nothing twice, nothing from outside, no loss unsaid."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import urlset
from urlset._site.given import reads
from urlset.errors import NotFound, StreamConsumed, StrictError, Unreadable
from urlset.types import File, Limits

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HOST = "https://a.example/"


def sitemap(*names: str) -> bytes:
    return f"<urlset {NS}>{''.join(f'<url><loc>{HOST}{name}</loc></url>' for name in names)}</urlset>".encode()


def index(*locs: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f"<sitemapindex {NS}>{entries}</sitemapindex>".encode()


def put(folder: Path, **files: bytes) -> Path:
    """Write files: `a__b_xml` is a/b.xml."""
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def pages(urls: urlset.UrlSet) -> str:
    """The names of the pages, in a word."""
    return " ".join(url.loc.removeprefix(HOST) for url in urls)


def codes(urls: urlset.UrlSet) -> list[str]:
    return [finding.code for finding in urls.findings]


def outcomes(urls: urlset.UrlSet, folder: Path) -> dict[str, str]:
    return {f.address.removeprefix(f"{folder}/").removeprefix(HOST): f.outcome for f in urls.files}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an index of three files, and things that are no sitemaps."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "sitemap.xml").write_bytes(sitemap("hidden"))
    return put(
        tmp_path,
        sitemap_xml=index(HOST + "z.xml", HOST + "deep/b.xml.gz", HOST + "a.xml"),
        a_xml=sitemap("a1", "a2"),
        deep__b_xml_gz=gzip.compress(sitemap("b")),
        z_xml=sitemap("z"),
        pom_xml=b"<project><name>x</name></project>",
        page_html=b"<!doctype html><html></html>",
        humans_txt=b"https://a.example/me\n",
        bundle_js_gz=gzip.compress(b"alert()"),
        empty_xml=b"",
    )


def test_an_index_is_followed_in_its_order(site: Path) -> None:
    urls = urlset.read(site / "sitemap.xml")
    assert pages(urls) == "z b a1 a2"
    assert urls.complete
    assert not urls.findings
    assert urls.kind == "sitemapindex"
    assert urls.schema.metadata == {"urlset:kind": "urlset"}  # the rows are pages
    assert [url.sitemap for url in urls] == [HOST + "z.xml", HOST + "deep/b.xml.gz", HOST + "a.xml", HOST + "a.xml"]
    top = str(site / "sitemap.xml")
    assert [(f.address, f.found, f.parent, f.rows) for f in urls.files] == [
        (str(site / "z.xml"), "index", top, 1),
        (str(site / "deep/b.xml.gz"), "index", top, 1),
        (str(site / "a.xml"), "index", top, 2),
        (top, "given", None, 0),
    ]


def test_an_index_is_not_followed(site: Path) -> None:
    urls = urlset.read(site / "sitemap.xml", follow=False)
    assert pages(urls) == "z.xml deep/b.xml.gz a.xml"
    assert urls.schema.metadata == {"urlset:kind": "sitemapindex"}
    assert urls.complete


@pytest.mark.parametrize("source", ["{}", "{}/", "{}/*", "{}/**/*.xml*", "{}/sitemap.xml"])
def test_every_file_is_read_once(site: Path, source: str) -> None:
    assert pages(urlset.read(source.format(site))).split()[:4] == ["z", "b", "a1", "a2"]


def test_a_folder_passes_over_what_is_no_sitemap(site: Path) -> None:
    urls = urlset.read(site)
    assert pages(urls) == "z b a1 a2"
    assert not urls.findings
    assert urls.complete
    assert outcomes(urls, site) == {
        "z.xml": "read",
        "deep/b.xml.gz": "read",
        "a.xml": "read",
        "sitemap.xml": "read",
        "bundle.js.gz": "skipped",
        "empty.xml": "skipped",
        "pom.xml": "skipped",
    }


def test_a_folder_that_is_not_followed_gives_pages(site: Path) -> None:
    put(site, robots_txt=f"Sitemap: {HOST}sitemap.xml\n".encode())
    urls = urlset.read(site, follow=False)
    assert pages(urls) == "a1 a2 z b"  # sorted, a folder's own files first
    assert urls.schema.metadata == {"urlset:kind": "urlset"}
    assert outcomes(urls, site)["sitemap.xml"] == outcomes(urls, site)["robots.txt"] == "skipped"


@pytest.mark.parametrize("follow", [True, False])
def test_what_calls_itself_a_sitemap_and_is_none_is_told(tmp_path: Path, follow: bool) -> None:
    put(tmp_path, a_xml=sitemap("a"), my_sitemap_xml=b"<!doctype html><html>404</html>")
    urls = urlset.read(tmp_path, follow=follow)
    assert pages(urls) == "a"
    assert "XML019" in codes(urls)
    assert not urls.complete


def test_lists_feeds_and_robots_in_a_folder(tmp_path: Path) -> None:
    feed = f"<rss version='2.0'><channel><item><link>{HOST}feed</link></item></channel></rss>".encode()
    put(tmp_path, news_rss=feed, sitemap_txt=f"{HOST}text\n".encode(), notes_txt=f"{HOST}no\n".encode())
    put(tmp_path, robots_txt=b"Sitemap: /news.rss\n")
    urls = urlset.read(tmp_path)
    assert pages(urls) == "feed text"
    assert [file.found for file in urls.files] == ["robots", "folder", "folder"]
    assert codes(urls) == ["ROB001"]  # a relative Sitemap line is followed, and told


@pytest.mark.parametrize("base", [None, HOST, HOST + "maps", HOST + "maps/", HOST + "maps/robots.txt"])
def test_robots_leads_to_an_index_and_on(tmp_path: Path, base: str | None) -> None:
    place = "" if base in (None, HOST) else "maps/"
    put(
        tmp_path,
        robots_txt=f"Sitemap: {HOST}{place}i.xml\n".encode(),
        i_xml=index(HOST + place + "a.xml"),
        a_xml=sitemap("a"),
    )
    urls = urlset.read(tmp_path / "robots.txt", base=base)
    assert pages(urls) == "a"
    assert urls.kind == "robots"
    assert [file.found for file in urls.files] == ["index", "robots", "given"]


# How a child is named, and where its file lies below the folder of the index.
LOOKED_UP: list[tuple[str, str, str | None, bool]] = [
    ("https://a.example/c.xml", "c.xml", None, True),
    ("https://a.example/x/y/c.xml", "c.xml", None, True),
    ("https://a.example/x/y/c.xml", "y/c.xml", None, True),
    ("https://a.example/x/y/c.xml", "x/c.xml", None, False),
    ("c.xml", "c.xml", None, True),
    ("/c.xml", "c.xml", None, True),
    ("./c.xml", "c.xml", None, True),
    ("//a.example/c.xml", "c.xml", None, True),
    ("https://a.example/c%20d.xml", "c d.xml", None, True),
    ("https://a.example/c%20d.xml", "c%20d.xml", None, True),
    ("https://a.example/c.xml?page=2", "c.xml?page=2", None, True),
    ("https://a.example/c.xml?page=2", "c.xml", None, False),  # another page, not this one
    ("https://a.example/c.xml#top", "c.xml", None, True),
    ("https://a.example/%2e%2e%2fc.xml", "c.xml", None, False),
    ("https://a.example/c.xml%00", "c.xml", None, False),
    ("https://[a/c.xml", "c.xml", None, False),
    ("https://a.example/maps/c.xml", "c.xml", "https://a.example/maps/", True),
    ("https://a.example/maps/c.xml", "c.xml", "https://a.example/maps/index.xml", True),
    ("http://a.example/maps/c.xml", "c.xml", "https://a.example/maps/", True),
    ("https://a.example/c.xml", "c.xml", "https://a.example/maps/", False),
    ("https://b.example/maps/c.xml", "c.xml", "https://a.example/maps/", False),
    ("https://a.example/x/c.xml", "c.xml", "https://a.example", False),
    ("c.xml", "c.xml", "https://a.example/maps/", True),
    ("/maps/c.xml", "c.xml", "https://a.example/maps/", True),
    ("/c.xml", "c.xml", "https://a.example/maps/", False),
]


@pytest.mark.parametrize(("loc", "name", "base", "found"), LOOKED_UP)
def test_children_are_looked_up(tmp_path: Path, loc: str, name: str, base: str | None, found: bool) -> None:
    put(tmp_path, index_xml=index(loc))
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(sitemap("c"))
    urls = urlset.read(tmp_path / "index.xml", base=base)
    assert pages(urls) == ("c" if found else "")
    if not loc.startswith("https://[") and not loc.endswith("%00"):  # those are no addresses, as the reader says
        assert urls.complete is found
        assert ("IDX010" in codes(urls)) is not found


def test_a_child_that_is_not_there(tmp_path: Path) -> None:
    put(tmp_path, index_xml=index(HOST + "none.xml", HOST + "a.xml"), a_xml=sitemap("a"))
    urls = urlset.read(tmp_path / "index.xml")
    assert pages(urls) == "a"
    assert not urls.complete
    (finding,) = urls.findings
    assert (finding.code, finding.value) == ("IDX010", HOST + "none.xml")
    assert finding.file == str(tmp_path / "index.xml")
    missing = File(address=HOST + "none.xml", outcome="absent", found="index", parent=str(tmp_path / "index.xml"))
    assert urls.files[0] == missing
    with pytest.raises(StrictError, match="IDX010"):
        list(urlset.read(tmp_path / "index.xml", strict=True))


@pytest.mark.parametrize(
    "loc",
    ["../out.xml", HOST + "../out.xml", HOST + "%2e%2e/out.xml", "/../out.xml", "link.xml", HOST + "down/out.xml"],
)
@pytest.mark.parametrize("base", [None, HOST])
def test_nothing_outside_of_the_folder_is_read(tmp_path: Path, loc: str, base: str | None) -> None:
    put(tmp_path, out_xml=sitemap("secret"), site__index_xml=index(loc))
    (tmp_path / "site" / "link.xml").symlink_to(tmp_path / "out.xml")
    (tmp_path / "site" / "down").symlink_to(tmp_path)
    urls = urlset.read(tmp_path / "site" / "index.xml", base=base)
    assert pages(urls) == ""
    assert not urls.complete
    assert "IDX010" in codes(urls)
    assert pages(urlset.read(tmp_path / "site", base=base)) == ""


def test_links_within_the_folder_are_one_file(tmp_path: Path) -> None:
    put(tmp_path, index_xml=index("a.xml", "b.xml"), a_xml=sitemap("a"))
    (tmp_path / "b.xml").symlink_to("a.xml")
    assert pages(urlset.read(tmp_path)) == "a"
    (tmp_path / "loop").symlink_to(tmp_path)
    assert pages(urlset.read(tmp_path)) == "a"


@pytest.mark.parametrize("name", ["/dev/zero", "fifo.xml", "folder.xml"])
def test_a_child_that_is_no_ordinary_file_is_not_opened(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "fifo.xml")
    (tmp_path / "folder.xml").mkdir()
    put(tmp_path, index_xml=index(name), a_xml=sitemap("a"))
    assert pages(urlset.read(tmp_path / "index.xml")) == ""
    assert pages(urlset.read(tmp_path)) == "a"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"index_xml": index("index.xml")}, ""),
        ({"index_xml": index("i.xml"), "i_xml": index("index.xml", "a.xml")}, "a"),
        ({"index_xml": index("i.xml"), "i_xml": index("j.xml"), "j_xml": index("i.xml", "index.xml", "a.xml")}, "a"),
    ],
    ids=["itself", "two", "three"],
)
def test_circles_are_told_and_left(tmp_path: Path, files: dict[str, bytes], expected: str) -> None:
    put(tmp_path, a_xml=sitemap("a"), **files)
    urls = urlset.read(tmp_path / "index.xml")
    assert pages(urls) == expected
    assert "IDX002" in codes(urls)
    assert urls.complete  # nothing was lost by it


def test_a_child_named_twice_is_read_once(tmp_path: Path) -> None:
    put(
        tmp_path,
        index_xml=index(HOST + "a.xml", "a.xml", HOST.replace("https:", "http:") + "a.xml"),
        a_xml=sitemap("a"),
    )
    urls = urlset.read(tmp_path / "index.xml")
    assert pages(urls) == "a"
    assert [file.outcome for file in urls.files] == ["read", "skipped", "skipped", "read"]
    assert urls.complete


def nested(folder: Path, levels: int) -> Path:
    for level in range(levels):
        put(
            folder,
            **{f"i{level}_xml": index(f"i{level + 1}.xml", f"p{level}.xml"), f"p{level}_xml": sitemap(f"p{level}")},
        )
    return put(folder, **{f"i{levels}_xml": sitemap("last")}) / "i0.xml"


def test_indexes_nest(tmp_path: Path) -> None:
    top = nested(tmp_path, 50)
    urls = urlset.read(top)
    assert pages(urls).split() == ["last", *(f"p{n}" for n in reversed(range(50)))]
    assert urls.complete
    unbound = urlset.read(nested(tmp_path, 300), limits=Limits(max_levels=None))
    assert len(pages(unbound).split()) == 301
    assert unbound.complete


@pytest.mark.parametrize(
    ("limits", "value", "expected"),
    [
        (Limits(max_levels=2), "max_levels", "p1 p0"),
        (Limits(max_files=3), "max_files", ""),
        (Limits(max_files=7), "max_files", "last p4"),
    ],
)
def test_limits_of_a_walk(tmp_path: Path, limits: Limits, value: str, expected: str) -> None:
    urls = urlset.read(nested(tmp_path, 5), limits=limits)
    assert pages(urls) == expected
    assert {(f.code, f.value) for f in urls.findings if f.code != "URL001"} == {("SIZ015", value)}
    assert not urls.complete


def test_many_absent_children_are_counted(tmp_path: Path) -> None:
    put(tmp_path, index_xml=index(*(f"{HOST}{n}.xml" for n in range(500))))
    urls = urlset.read(tmp_path / "index.xml", limits=Limits(max_findings=5))
    assert pages(urls) == ""
    assert codes(urls) == ["IDX010"] * 5 + ["GEN003"]
    assert (urls.findings[-1].value, urls.findings[-1].count) == ("IDX010", 495)
    assert urls.files[-1].findings == 500


def test_a_projection_without_loc_still_follows(site: Path) -> None:
    urls = urlset.read(site, columns=["sitemap"])
    assert urls.schema.names == ["sitemap"]
    assert urls.to_pylist()[0] == {"sitemap": HOST + "z.xml"}
    assert urls.to_arrow().num_rows == 4


def test_an_index_without_a_folder() -> None:
    urls = urlset.read(index(HOST + "a.xml"))
    assert pages(urls) == ""
    assert not urls.complete
    assert urls.findings[0].code == "IDX010"
    assert "follow=False lists children" in urls.findings[0].message
    assert pages(urlset.read(index(HOST + "a.xml"), follow=False)) == "a.xml"


def test_an_open_file_knows_its_folder(site: Path) -> None:
    with (site / "sitemap.xml").open("rb") as file:
        urls = urlset.read(file)
        assert pages(urls) == "z b a1 a2"
        assert not file.closed
    with gzip.open(site / "deep" / "b.xml.gz") as file:
        assert pages(urlset.read(file)) == "b"


@pytest.mark.parametrize("name", ["sitemap.xml", "a.xml", "deep/b.xml.gz"])
def test_paths_of_every_sort(site: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = pages(urlset.read(site / name))
    assert expected
    assert pages(urlset.read(str(site / name))) == expected
    assert pages(urlset.read(os.fsencode(site / name).decode())) == expected
    monkeypatch.chdir(site)
    assert pages(urlset.read(name)) == expected
    assert pages(urlset.read(Path(name))) == expected
    assert urlset.read(name).collect().files[-1].address == name


def test_relative_paths_stay_relative(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site.parent)
    urls = urlset.read(f"{site.name}/sitemap.xml").collect()
    assert [file.address for file in urls.files][:2] == [f"{site.name}/z.xml", f"{site.name}/deep/b.xml.gz"]
    monkeypatch.chdir(site)
    assert [f.address for f in urlset.read(".").collect().files][:2] == ["z.xml", "deep/b.xml.gz"]


def test_lists_of_sources(site: Path) -> None:
    several = [site / "a.xml", sitemap("bytes"), io.BytesIO(sitemap("file")), str(site / "z*.xml"), [site / "deep"]]
    urls = urlset.read(several)
    assert pages(urls) == "a1 a2 bytes file z b"
    assert [url.sitemap for url in urlset.read([sitemap("x")], base=HOST)] == [HOST]
    with pytest.raises(StreamConsumed):  # since one of them is a file object
        pages(urls)
    assert pages(urlset.read(site / name for name in ["z.xml", "a.xml"])) == "z a1 a2"
    again = urlset.read((site / "z.xml", site / "a.xml"))
    assert pages(again) == pages(again) == "z a1 a2"
    assert pages(urlset.read([])) == ""


def test_names_with_wildcards_are_names_first(tmp_path: Path) -> None:
    (tmp_path / "a[1].xml").write_bytes(sitemap("brackets"))
    (tmp_path / "a1.xml").write_bytes(sitemap("plain"))
    assert pages(urlset.read(str(tmp_path / "a[1].xml"))) == "brackets"
    assert pages(urlset.read(str(tmp_path / "a[0-9].xml"))) == "plain"
    with pytest.raises(NotFound):
        list(urlset.read(tmp_path / "a*.xml"))  # a path object is no pattern


@pytest.mark.parametrize(
    ("source", "path", "expected"),
    [
        ("sitemap.xml", "sitemap.xml", True),
        ("sitemap.xml", "./sub/../sitemap.xml", True),
        ("link.xml", "sitemap.xml", True),
        ("*.xml", "link.xml", True),
        ("s*", "sub/new.xml", True),
        (".", "sitemap.xml", True),
        (".", "urls.txt", True),
        (".", "sub/new.xml.gz", True),
        (".", "rows.csv.gz", True),
        (".", "rows.csv", False),
        (".", "../new.xml", False),
        ("sub", "sitemap.xml", False),
        ("sitemap.xml", "new.xml", False),
        ("none.xml", "none.xml", False),
        ("-", "sitemap.xml", False),
    ],
)
def test_what_a_source_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, path: str, expected: bool
) -> None:
    put(tmp_path, sitemap_xml=sitemap("a"), sub__a_xml=sitemap("b"))
    (tmp_path / "link.xml").symlink_to("sitemap.xml")
    monkeypatch.chdir(tmp_path)
    assert reads(source, path) is expected


MISSING: list[tuple[str, type[Exception], str]] = [
    ("none.xml", NotFound, "no such file: none.xml"),
    ("none/", NotFound, "no such file: none/"),
    ("none*.xml", NotFound, r"no file fits this pattern: none\*.xml"),
    ("folder", NotFound, "no sitemap in this folder, .* was expected: folder"),
    ("pom.xml/x", NotFound, "no such file"),
    ("", NotFound, "no such file"),
    ("x" * 300, Unreadable, "cannot be read, file name too long"),
]


@pytest.mark.parametrize(("name", "error", "message"), MISSING)
def test_what_is_not_there_is_told_when_reading_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: type[Exception], message: str
) -> None:
    put(tmp_path, pom_xml=b"<project/>", folder__pom_xml=b"<project/>")
    monkeypatch.chdir(tmp_path)
    urls = urlset.read(name)
    assert repr(urls) == f"UrlSet({name!r})"
    for use in (list, lambda u: u.kind, lambda u: u.schema, lambda u: u.to_arrow(), lambda u: u.collect(), list):
        with pytest.raises(error, match=message):
            use(urls)


def test_nothing_is_opened_before_the_first_use(tmp_path: Path) -> None:
    urls = urlset.read(tmp_path / "a.xml")
    put(tmp_path, a_xml=sitemap("a"))
    assert (repr(urls), urls.findings[:], urls.files, urls.complete)[1:] == ([], [], False)
    assert pages(urls) == "a"
    put(tmp_path, a_xml=sitemap("b"))
    assert pages(urls) == "b"  # opened anew


def test_a_file_object_is_read_once() -> None:
    urls = urlset.read(io.BytesIO(sitemap("a", "b")))
    assert urls.kind == "urlset"  # its head is kept for the next use
    assert pages(urls) == "a b"
    for use in (list, lambda u: u.batches(), lambda u: u.to_arrow(), lambda u: u.collect(), lambda u: u.to_pylist()):
        with pytest.raises(StreamConsumed, match=r"collect\(\)"):
            use(urls)
    assert (urls.kind, urls.complete, len(urls.files)) == ("urlset", True, 1)


def test_collect_keeps_the_rows() -> None:
    table = urlset.read(io.BytesIO(sitemap("a", "b"))).collect()
    assert len(table) == 2
    assert pages(table) == pages(table) == "a b"
    assert table.collect() is table
    assert table.to_arrow().num_rows == table.to_polars().height == len(table.to_pandas()) == 2
    assert (table.kind, table.complete) == ("urlset", True)
    assert table.schema.metadata == {"urlset:kind": "urlset"}
    assert "2 rows" in repr(table)


def test_files_are_closed_and_yours_is_not(tmp_path: Path) -> None:
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    put(tmp_path, a_xml=sitemap(*(str(n) for n in range(50_000))), index_xml=index("a.xml"))
    before = count()
    with urlset.read(tmp_path / "index.xml", batch_rows=100) as urls:
        next(urls.batches())
        assert count() > before
    assert count() == before
    urls = urlset.read(tmp_path / "index.xml", batch_rows=100)
    assert urls.kind == "sitemapindex"
    urls.close()
    urls.close()
    assert count() == before
    file = io.BytesIO(sitemap("a"))
    with urlset.read(file) as urls:
        assert pages(urls) == "a"
    assert not file.closed


def _stdin(data: bytes, program: str, *, closed: bool = False) -> str:
    command = f"{sys.executable} -c '{program}'" + (" <&-" if closed else "")
    done = subprocess.run(["bash", "-c", command], input=data, capture_output=True, check=False, timeout=60)
    return (done.stdout + done.stderr).decode().strip()


STDIN = 'import urlset; u = urlset.read("-"); print(u.kind, len(list(u)), [f.address for f in u.files]); list(u)'


def test_standard_input() -> None:
    said = _stdin(gzip.compress(sitemap("a", "b")), STDIN)
    assert said.startswith('urlset 2 ["-"]'.replace('"', "'"))
    assert "StreamConsumed" in said


def test_closed_standard_input() -> None:
    assert "Unreadable: standard input is closed: -" in _stdin(b"", STDIN, closed=True)


def test_a_pipe_is_read_once() -> None:
    program = "import sys, urlset; u = urlset.read(sys.argv[1]); print(u.kind, len(list(u))); list(u)"
    command = f"{sys.executable} -c '{program}' <(cat)"
    done = subprocess.run(["bash", "-c", command], input=sitemap("a"), capture_output=True, check=False, timeout=60)
    assert done.stdout.decode().strip() == "urlset 1"
    assert b"StreamConsumed" in done.stderr


def test_a_child_that_cannot_be_read_is_a_finding(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_open = open

    def failing(path: Any, *args: Any, **kwargs: Any) -> Any:
        if str(path).endswith("b.xml.gz"):
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, *args, **kwargs)

    monkeypatch.setattr("builtins.open", failing)
    urls = urlset.read(site / "sitemap.xml")
    assert pages(urls) == "z a1 a2"
    assert "GEN001" in codes(urls)
    assert "permission denied" in next(f.message for f in urls.findings if f.code == "GEN001")
    assert outcomes(urls, site)["deep/b.xml.gz"] == "broken"
    assert not urls.complete
    with pytest.raises(Unreadable, match=r"cannot be read, permission denied: .*b.xml.gz"):
        list(urlset.read(site / "deep" / "b.xml.gz"))


def test_a_file_that_fails_halfway_keeps_its_rows(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Torn(io.FileIO):
        def readinto(self, buffer: Any, /) -> int:
            if self.tell():
                raise OSError(5, "Input/output error")
            return super().readinto(memoryview(buffer)[:130]) or 0

    real_open = open

    def failing(path: Any, *args: Any, **kwargs: Any) -> Any:
        return Torn(path) if str(path).endswith("a.xml") else real_open(path, *args, **kwargs)

    monkeypatch.setattr("builtins.open", failing)
    urls = urlset.read(site / "sitemap.xml")
    assert pages(urls) == "z b a1"
    assert "GEN001" in codes(urls)
    assert not urls.complete


def test_streams_of_several_files_have_one_schema(site: Path) -> None:
    table = urlset.read(site).to_arrow()
    assert table.schema.metadata == {b"urlset:kind": b"urlset"}
    assert table["sitemap"].to_pylist() == [url.sitemap for url in urlset.read(site)]


def _numbers() -> Iterator[Any]:
    yield 7


def test_an_iterator_is_classified_on_the_way() -> None:
    with pytest.raises(TypeError, match="int"):
        list(urlset.read(_numbers()))


def test_two_addresses_are_not_one_file(tmp_path: Path) -> None:
    (tmp_path / "s.xml").write_bytes(
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.example/1</loc></url></urlset>'
    )
    children = "".join(f"<sitemap><loc>https://a.example/{lang}/s.xml</loc></sitemap>" for lang in ("en", "de"))
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{children}</sitemapindex>'
    (tmp_path / "index.xml").write_text(index, encoding="utf-8")
    urls = urlset.read(tmp_path / "index.xml")
    assert [url.loc for url in urls] == ["https://a.example/1"]
    assert not urls.complete
    assert [(f.code, f.value) for f in urls.findings] == [("IDX010", "https://a.example/de/s.xml")]
