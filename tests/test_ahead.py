"""Many files at once: the same rows, findings and files whatever the number of threads, and nothing left behind."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import urlset
from urlset._read import Ahead, Parsed, ahead, pieces
from urlset._read.pieces import Told
from urlset._site import walk
from urlset.errors import NotFound, OptionError, StrictError, Unreadable
from urlset.types import Limits

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HOST = "https://a.example/"
THREADS = (2, 3, 8)


def sitemap(*names: str, extra: str = "") -> bytes:
    entries = "".join(f"<url><loc>{HOST}{name}</loc>{extra}</url>" for name in names)
    return f"<urlset {NS}>{entries}</urlset>".encode()


def index(*locs: str) -> bytes:
    entries = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f"<sitemapindex {NS}>{entries}</sitemapindex>".encode()


def everything(source: Callable[[], Any], **options: Any) -> dict[str, Any]:
    """All that a pass tells, but for the time it took."""
    urls = urlset.read(source(), **options)
    rows: list[Any] = []
    raised = None
    try:
        rows.extend(batch.to_pylist() for batch in urls.batches())
    except urlset.errors.UrlsetError as error:
        raised = (type(error), str(error))
    files = [{n: getattr(file, n) for n in file.__slots__ if n != "seconds"} for file in urls.files]
    return {
        "rows": rows,  # with the borders of the batches
        "findings": urls.findings.to_pylist(),
        "files": files,
        "raised": raised,
        "complete": urls.complete,
        "kind": urls.kind if raised is None else None,
        "metadata": urls.schema.metadata if raised is None else None,
    }


def agree(source: Callable[[], Any], **options: Any) -> dict[str, Any]:
    expected = everything(source, threads=1, **options)
    for threads in THREADS:
        assert everything(source, threads=threads, **options) == expected, threads
    return expected


@pytest.fixture(params=["usual", "small"])
def size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Pieces and steps as they are, and so small that every file has many and that little may wait."""
    monkeypatch.setattr(walk, "WORTH", 0)
    monkeypatch.setattr(walk, "WORTH_PACKED", 0)
    if request.param == "small":
        _small(monkeypatch)
    return str(request.param)


def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "WORTH", 0)
    monkeypatch.setattr(walk, "WORTH_PACKED", 0)
    monkeypatch.setattr(pieces, "PLAIN", 97)
    monkeypatch.setattr(pieces, "PACKED", 61)
    monkeypatch.setattr(ahead, "STEP", 120)
    monkeypatch.setattr(ahead, "ROOM", 300)
    monkeypatch.setattr(ahead, "SHARE", 700)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An index of files of every sort: large, packed, damaged, absent, twice, outside, strange; indexes and circles."""
    (tmp_path / "secret.xml").write_bytes(sitemap("secret"))
    folder = tmp_path / "site"
    (folder / "deep").mkdir(parents=True)
    children = []
    for number in range(12):
        name = f"p{number}.xml" + ".gz" * (number % 3 == 0)
        data = sitemap(*(f"{number}/{n}" for n in range(number * 40)))
        if number % 4 == 1:
            data = data[: len(data) * 2 // 3]
        if number % 5 == 2:
            data = data.replace(b"</loc>", b"?a=1&b=2</loc>")
        data = gzip.compress(data) if number % 3 == 0 else data
        (folder / name).write_bytes(data[:-9] if number == 9 else data)
        children += [name, f"none{number}.xml"] if number % 5 == 0 else [name]
    files = {
        "page.xml": b"<!doctype html><html></html>",
        "empty.xml": b"",
        "sitemap_bad.xml": b"<!doctype html><html></html>",
        "deep/index.xml": index("b.xml", "../index.xml", "c.xml", "index.xml", "../p3.xml.gz"),
        "deep/b.xml": sitemap("b1", "b2"),
        "deep/c.xml": sitemap("c", extra="<lastmod>yesterday</lastmod>"),
        "feed.rss": f"<rss version='2.0'><channel><item><link>{HOST}feed</link></item></channel></rss>".encode(),
        "urls.txt": f"{HOST}text\n/relative\n".encode(),
        "robots.txt": b"Sitemap: /index.xml\nSitemap: urls.txt\n",
        "unnamed.xml": sitemap("unnamed"),
        "zz.xml.gz": gzip.compress(b"no sitemap at all " * 9_000),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    (folder / "out.xml").symlink_to(tmp_path / "secret.xml")
    (folder / "same.xml").symlink_to("p7.xml")
    more = [
        "deep/index.xml",
        "p4.xml",
        HOST + "p5.xml",
        "same.xml",
        "out.xml",
        "page.xml",
        "empty.xml",
        "../secret.xml",
    ]
    (folder / "index.xml").write_bytes(index(*children, *more, "feed.rss", "urls.txt", "zz.xml.gz"))
    return folder


SOURCES: dict[str, Callable[[Path], Any]] = {
    "index": lambda site: site / "index.xml",
    "robots": lambda site: site / "robots.txt",
    "folder": lambda site: site,
    "glob": lambda site: f"{site}/*",
    "deep glob": lambda site: f"{site}/**/*.xml*",
    "list": lambda site: [site / "p2.xml", sitemap("bytes"), io.BytesIO(sitemap("file")), site / "deep", sitemap("x")],
    "bytes": lambda _: [sitemap(*(f"{n}/{m}" for m in range(n * 50))) for n in range(9)],
    "twice": lambda site: [site / "p2.xml", site / "p2.xml", site / "index.xml", f"{site}/p*.xml"],
    "missing": lambda site: [site / "p2.xml", site / "p3.xml.gz", site / "nothing.xml", site / "p4.xml"],
    "iterator": lambda site: (site / name for name in ("p2.xml", "index.xml", "p4.xml")),
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"base": HOST},
    {"follow": False},
    {"columns": ["lastmod", "sitemap"]},
    {"relative": "resolve", "base": HOST + "index.xml"},
    {"batch_rows": 7},
    {"strict": True},
    {"limits": Limits(max_findings=0)},
    {"limits": Limits(max_findings=1, max_levels=1)},
    {"limits": Limits(max_entries=30)},
    {"limits": Limits(max_bytes=900)},
    {"limits": Limits(max_seconds=1e-9)},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("source", SOURCES)
def test_the_number_of_threads_changes_nothing(site: Path, source: str, options: dict[str, Any], size: str) -> None:
    told = agree(lambda: SOURCES[source](site), **options)
    if not options and size == "usual":
        assert len(told["rows"]) >= 2  # or the table is idle
        assert (told["raised"] is None) is (source != "missing")


@pytest.mark.parametrize("count", range(1, 30))
@pytest.mark.parametrize("source", ["index", "folder", "glob", "bytes"])
def test_a_limit_on_files_bites_at_the_same_file(site: Path, source: str, count: int) -> None:
    agree(lambda: SOURCES[source](site), limits=Limits(max_files=count))


@pytest.mark.parametrize("threads", [1, 8])
def test_no_more_files_are_opened_than_may_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    paths = [tmp_path / f"{number:02}.xml" for number in range(20)]
    for path in paths:
        path.write_text(f"<urlset {NS}>" + "<url><loc>https://a.example/</loc></url>" * 5_000 + "</urlset>")
    opened, real = [], open

    def noted(path: str, *rest: Any, **options: Any) -> Any:
        opened.append(path)
        return real(path, *rest, **options)

    monkeypatch.setattr(walk, "open", noted, raising=False)
    rows = urlset.read(paths, limits=Limits(max_files=3), threads=threads)
    assert sum(batch.num_rows for batch in rows.batches()) == 15_000
    assert len(opened) == 3


def test_a_path_that_cannot_be_is_told_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(f"<urlset {NS}><url><loc>https://a.example/</loc></url></urlset>")
    for threads in (1, 4):
        rows = iter(urlset.read([path, Path("a\0b")], threads=threads))
        assert next(rows).loc == "https://a.example/"
        with pytest.raises(ValueError, match="null"):
            next(rows)


def test_a_file_that_cannot_be_read_is_told_in_its_place(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Torn(io.FileIO):
        def readinto(self, buffer: Any, /) -> int:
            if self.tell():
                raise OSError(5, "Input/output error")
            return super().readinto(memoryview(buffer)[:900]) or 0

    def failing(path: Any, *args: Any, **kwargs: Any) -> Any:
        if str(path).endswith("p6.xml.gz"):
            raise PermissionError(13, "Permission denied", str(path))
        return Torn(path) if str(path).endswith("p7.xml") else real_open(path, *args, **kwargs)

    real_open = open
    monkeypatch.setattr("builtins.open", failing)
    told = agree(lambda: site / "index.xml")
    assert [f["file"].rpartition("/")[2] for f in told["findings"] if f["code"] == "GEN001"] == ["p6.xml.gz", "p7.xml"]
    given = agree(lambda: [site / "p2.xml", site / "p6.xml.gz", site / "p8.xml"])  # an error, since somebody named it
    assert given["raised"][0] is Unreadable
    assert [file["address"] for file in given["files"]] == [str(site / "p2.xml")]


NAMES = [f"{letter}.xml" for letter in "abcdefgh"]
FILES = st.one_of(
    st.lists(st.sampled_from([*NAMES, "none.xml", "/a.xml", HOST + "b.xml", "#c.xml"]), max_size=8).map(
        lambda locs: index(*locs)
    ),
    st.integers(0, 30).map(lambda count: sitemap(*map(str, range(count)))),
    st.integers(0, 300).map(lambda size: sitemap("1", "2", "3&4", "5")[:size]),
    st.sampled_from([b"", b"<html></html>", b"\x1f\x8b\x08", f"{HOST}1\n/2\n".encode(), gzip.compress(sitemap("gz"))]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tree=st.lists(FILES, min_size=8, max_size=8),
    most=st.sampled_from([None, 1, 3, 6]),
    levels=st.sampled_from([None, 1, 2]),
    strict=st.sampled_from([False, False, True]),
    whole=st.booleans(),
)
def test_trees_of_any_shape(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    tree: list[bytes],
    most: int | None,
    levels: int | None,
    strict: bool,
    whole: bool,
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    for name, data in zip(NAMES, tree, strict=True):
        (folder / name).write_bytes(data)
    _small(monkeypatch)
    source = folder if whole else [folder / "a.xml", folder / "b.xml"]
    agree(lambda: source, strict=strict, limits=Limits(max_files=most, max_levels=levels))


@pytest.mark.parametrize(
    "other", [{"path": "b"}, {"name": "b"}, {"base": "b"}, {"given": True}, {"refused": frozenset({"html"})}], ids=str
)
def test_what_a_parse_depends_on_makes_it_another(other: dict[str, Any]) -> None:
    job = walk.OnDisk(path="a", name="a", base=None, given=False, refused=frozenset(), options=pieces.Options())
    assert job == replace(job)
    assert job != replace(job, **other)


@pytest.mark.parametrize("threads", [0, -1, 1_025, True, 2.0, "2"])
def test_numbers_of_threads_that_make_no_sense(threads: Any) -> None:
    with pytest.raises(OptionError, match=r"threads is .*, 1 to 1024 was expected"):
        urlset.read(b"", threads=threads)


# The order of work alone, with files that are made up.


class Made:
    """A file of so many pieces, each of them `size` bytes."""

    def __init__(self, label: str, count: int = 1, size: int = 1, work: Callable[[int], None] | None = None) -> None:
        self.label = label
        self.count = count
        self.size = size
        self.work = work
        self.done = 0
        self.closed = False

    def told(self) -> Parsed:
        try:
            for piece in range(self.count):
                if self.work is not None:
                    self.work(piece)
                self.done += 1
                yield Told(f"{self.label}{piece}", None, None, (), None, 0.0, self.size)
        finally:
            self.closed = True


def heard(jobs: list[Made], threads: int, *, taken: Callable[[Made], bool] = lambda _: True) -> Iterator[str | None]:
    many = Ahead(threads)
    for job in many.over(jobs, lambda job: job):
        if taken(job):
            for told in many.take(job):
                yield told.kind


def helpers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "urlset-read"]


def settled() -> bool:
    """Whether all helpers end by themselves, soon."""
    for helper in helpers():
        helper.join(10)
    return not helpers()


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_what_files_tell_comes_in_their_order(threads: int) -> None:
    jobs = [Made(f"{name}-", count=n % 5, size=ahead.STEP // 3) for n, name in enumerate("abcdefghijkl")]
    expected = [f"{job.label}{n}" for job in jobs for n in range(job.count)]
    assert list(heard(jobs, threads)) == expected
    assert settled()


def test_files_are_worked_on_at_once() -> None:
    meeting = threading.Barrier(3)
    jobs = [Made(name, work=lambda _: void(meeting.wait(20))) for name in "abc"]
    assert list(heard(jobs, 3)) == ["a0", "b0", "c0"]  # one after the other, none of them would come to its end
    assert settled()


def void(_: object) -> None:
    return


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_no_more_are_at_work_than_may_be(threads: int) -> None:
    at_work: list[int] = []
    most = 0

    def work(_: int) -> None:
        nonlocal most
        at_work.append(1)
        most = max(most, len(at_work))
        time.sleep(0.001)
        at_work.pop()

    jobs = [Made(str(n), count=4, size=ahead.STEP, work=work) for n in range(20)]
    assert len(list(heard(jobs, threads))) == 80
    assert most <= threads
    assert settled()


def test_one_thread_begins_nothing_early() -> None:
    jobs = [Made(name, count=3) for name in "abc"]
    coming = heard(jobs, 1)
    assert next(coming) == "a0"
    assert [job.done for job in jobs] == [1, 0, 0]
    assert not helpers()


@pytest.mark.parametrize("threads", [2, 5])
def test_little_waits_for_whoever_is_slow(threads: int) -> None:
    jobs = [Made(str(n), count=1_000, size=ahead.STEP // 4) for n in range(50)]
    coming = heard(jobs, threads)
    next(coming)
    assert settled()
    waiting = [job.done * job.size for job in jobs]
    assert max(waiting) <= ahead.ROOM + ahead.STEP
    assert sum(waiting) <= threads * (ahead.SHARE + 2 * ahead.STEP)
    assert sum(size > 0 for size in waiting) > 1  # or nothing is done ahead
    coming.close()  # type: ignore[attr-defined]
    assert all(job.closed for job in jobs if job.done)


def test_what_nobody_wants_is_dropped() -> None:
    jobs = [Made(name, count=1_000, size=ahead.STEP) for name in "abcdef"]
    assert len(list(heard(jobs, 3, taken=lambda job: job.label in "bf"))) == 2_000
    assert all(job.closed for job in jobs if job.done)
    assert all(job.done < 10 for job in jobs if job.label not in "bf")
    assert settled()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_what_is_wrong_comes_in_its_place(threads: int) -> None:
    def work(piece: int) -> None:
        if piece == 2:
            raise NotFound("nothing", "there")

    jobs = [Made("a", work=lambda _: time.sleep(0.05)), Made("b", 5, work=work), Made("c", 5)]
    got: list[str | None] = []
    with pytest.raises(NotFound):
        got.extend(heard(jobs, threads))
    assert got == ["a0", "b0", "b1"]
    assert settled()


def test_what_breaks_a_helper_is_not_lost() -> None:
    def work(_: int) -> None:
        if threading.current_thread() is threading.main_thread():
            time.sleep(0.05)
        else:
            raise MemoryError

    jobs = [Made(name, 3, work=work) for name in "abcdef"]
    with pytest.raises(MemoryError):
        list(heard(jobs, 2))
    assert settled()


def test_what_a_signal_raises_comes_out_at_once() -> None:
    class Late(Exception):  # noqa: N818
        pass

    def ring(_number: int, _frame: object) -> None:
        raise Late

    def work(_: int) -> None:
        time.sleep(0.002)

    before = signal.signal(signal.SIGALRM, ring)
    jobs = [Made(str(n), 100_000, work=work) for n in range(3)]
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        started = time.monotonic()
        with pytest.raises(Late):
            list(heard(jobs, 2))
        assert time.monotonic() - started < 20
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert settled()


def test_nothing_needs_helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    jobs = [Made(name, count=3, size=ahead.STEP) for name in "abcdef"]
    assert list(heard(jobs, 4)) == [f"{name}{n}" for name in "abcdef" for n in range(3)]


# Passes that end early, processes that end or fork.


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """An index of twelve files of three megabytes each."""
    data = sitemap(*(f"a-rather-ordinary-page/{n}" for n in range(40_000)), extra="<priority>0.5</priority>")
    for number in range(12):
        (tmp_path / f"{number}.xml").write_bytes(data)
    (tmp_path / "index.xml").write_bytes(index(*(f"{HOST}{number}.xml" for number in range(12))))
    return tmp_path / "index.xml"


def test_a_pass_that_is_left_leaves_nothing(big: Path) -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = opened()
    for use in ("close", "drop", "with", "exception"):
        urls = urlset.read(big, threads=4, batch_rows=1_000)
        batches = urls.batches()
        next(batches)
        assert opened() > before
        if use == "close":
            urls.close()
        elif use == "with":
            with urls:
                next(batches)
        elif use == "exception":
            with pytest.raises(ZeroDivisionError):
                next(1 / (batch.num_rows - batch.num_rows) for batch in batches)
        del urls, batches
        assert opened() == before, use
        assert settled()


def run(program: str, *arguments: str | Path, timeout: float = 60) -> str:
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.strip()


LEFT = """
import atexit, sys, threading, urlset
urls = urlset.read(sys.argv[1], threads=4, batch_rows=1_000)
batches = urls.batches()
for _ in range(int(sys.argv[2])):
    next(batches)
if sys.argv[3] == "circle":
    urls.itself = urls, batches
    del urls, batches
elif sys.argv[3] == "error":
    try:
        for batch in batches:
            raise KeyError
    except KeyError as error:
        kept = error
elif sys.argv[3] == "late":
    urls.close()
    late = urlset.read(sys.argv[1], threads=4, batch_rows=1_000)
    rows = late.batches()
    atexit.register(lambda: (next(rows), print(threading.active_count())))
print("left")
"""


def test_a_process_ends_in_the_middle_of_a_pass(big: Path) -> None:
    for count in range(int(os.environ.get("URLSET_EXITS", "20"))):
        how = ("kept", "circle", "error", "late")[count % 4]
        said = run(LEFT, big, str(1 + count % 50), how).split()
        assert said == (["left", "1"] if how == "late" else ["left"])  # so late, nobody would wait for a helper


FORKED = """
import os, signal, sys, urlset, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads
urls = urlset.read(sys.argv[1], threads=4, batch_rows=1_000)
batches = urls.batches()
for _ in range(3):
    next(batches)
codes = []
for _ in range(6):
    next(batches)
    if (child := os.fork()) == 0:
        signal.alarm(50)
        anew = sum(len(batch) for batch in urlset.read(sys.argv[1], threads=4, columns=["loc"]).batches())
        try:
            for batch in batches:
                pass
        except urlset.errors.Unreadable as error:
            assert "another process" in str(error)
        urls.close()
        os._exit(0 if anew == 480_000 else 1)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(codes, 9_000 + sum(len(batch) for batch in batches))
"""


def test_a_fork_in_the_middle_of_a_pass(big: Path) -> None:
    assert run(FORKED, big) == "[0, 0, 0, 0, 0, 0] 480000"


INTERRUPTED = """
import signal, sys, threading, urlset
urlset.read(sys.argv[1], threads=3).collect()
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, float(sys.argv[2]))
try:
    while True:
        for batch in urlset.read(sys.argv[1], threads=3).batches():
            pass
except KeyboardInterrupt:
    print(threading.active_count() <= 3)
"""


def test_ctrl_c_ends_a_pass(big: Path) -> None:
    for wait in ("0.2", "0.25", "0.31"):
        assert run(INTERRUPTED, big, wait) == "True"


def test_strict_ends_a_pass(big: Path) -> None:
    (big.parent / "3.xml").write_bytes(sitemap("a&b"))
    for threads in (1, 4):
        urls = urlset.read(big, threads=threads, strict=True)
        rows: list[int] = []
        with pytest.raises(StrictError):
            rows.extend(batch.num_rows for batch in urls.batches())
        assert sum(rows) == 120_000
        assert settled()


MEMORY = """
import gzip, resource, sys, time, urlset
folder, kind, threads, slow = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "slow"

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

limits = urlset.Limits(max_bytes=None, max_entries=None, max_ratio=None)
small = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
small += b"<url><loc>https://a.example/1</loc></url>" * 30_000
list(urlset.read([small] * 3, threads=threads).batches())
before = peak()
for batch in urlset.read(folder + "/index.xml", threads=threads, limits=limits).batches():
    if slow:
        time.sleep(0.005)
print(peak() - before)
"""


@pytest.mark.parametrize("speed", ["fast", "slow"])
@pytest.mark.parametrize("kind", ["large", "bombs"])
def test_memory_stays_flat(tmp_path: Path, kind: str, speed: str) -> None:
    entry = b"<url><loc>https://a.example/%07d</loc><lastmod>2026-01-02</lastmod></url>"
    for number in range(6):
        if kind == "large":
            block = b"".join(entry % n for n in range(10_000))
            data = f"<urlset {NS}>".encode() + block * 35 + b"</urlset>"  # 25 MB
        else:
            data = gzip.compress(b"https://a.example/\n" * 3_000_000)  # 57 MB in 60 KB
        (tmp_path / f"{number}.{'xml' if kind == 'large' else 'txt.gz'}").write_bytes(data)
    (tmp_path / "index.xml").write_bytes(index(*(f"{n}.{'xml' if kind == 'large' else 'txt.gz'}" for n in range(6))))
    assert int(run(MEMORY, tmp_path, kind, "2", speed)) <= (64 if kind == "large" else 128)
