"""A folder keeps the promises of a sink, and files are whole or absent whatever happens."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from urlset._store import PREFIX, Folder, failure, replaced
from urlset.errors import DestinationBusy, NotFound, OptionError, StoreError
from urlset.types import Sink


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "out")


def names(folder: Folder) -> list[str]:
    return [stored.name for stored in folder.list()]


def test_it_is_a_sink(folder: Folder) -> None:
    assert isinstance(folder, Sink)


def test_put_get_list_delete(folder: Folder) -> None:
    assert names(folder) == []
    first = folder.put("a.xml", b"one", "application/xml")
    assert (first.name, first.size) == ("a.xml", 3)
    folder.put("b/c.xml", iter([b"tw", b"o", b"!"]), "application/xml")
    assert names(folder) == ["a.xml", "b/c.xml"]
    assert [stored.name for stored in folder.list("b/")] == ["b/c.xml"]
    assert folder.get("b/c.xml")[0] == b"two!"
    assert folder.get("a.xml") == (b"one", first)
    folder.delete("a.xml")
    folder.delete("a.xml")
    assert names(folder) == ["b/c.xml"]
    with pytest.raises(NotFound):
        folder.get("a.xml")


def test_a_version_changes_with_the_content(folder: Folder) -> None:
    versions = [folder.put("a", data, "text/plain").version for data in (b"1", b"2", b"1", b"22")]
    assert len(set(versions)) == 4
    assert folder.get("a")[1].version == versions[-1]


def test_replace_needs_the_version_it_expects(folder: Folder) -> None:
    first = folder.replace("a", b"1", "text/plain", expected=None)
    with pytest.raises(DestinationBusy):
        folder.replace("a", b"2", "text/plain", expected=None)
    second = folder.replace("a", b"2", "text/plain", expected=first.version)
    with pytest.raises(DestinationBusy):
        folder.replace("a", b"3", "text/plain", expected=first.version)
    with pytest.raises(DestinationBusy):
        folder.replace("b", b"3", "text/plain", expected=second.version)
    assert folder.get("a")[0] == b"2"
    assert names(folder) == ["a"]


def test_of_several_with_the_same_expectation_one_succeeds(folder: Folder) -> None:
    version = folder.put("a", b"0", "text/plain").version
    start = threading.Barrier(8)

    def attempt(number: int) -> bool:
        start.wait()
        try:
            folder.replace("a", b"%d" % number, "text/plain", expected=version)
        except DestinationBusy:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


@pytest.mark.parametrize(
    "name", ["", "/a", "a/", "a//b", ".", "..", "../a", "a/../../b", "a\0b", f"{PREFIX}{'0' * 16}"]
)
def test_names_stay_below_the_folder(folder: Folder, name: str) -> None:
    for call in (
        lambda: folder.put(name, b"", "text/plain"),
        lambda: folder.get(name),
        lambda: folder.delete(name),
        lambda: folder.replace(name, b"", "text/plain", expected=None),
    ):
        with pytest.raises(OptionError):
            call()


class Burst(Exception):  # noqa: N818 - anything that goes wrong
    pass


def bursting() -> Iterator[bytes]:
    yield b"half"
    raise Burst


def test_data_that_raises_changes_nothing(folder: Folder) -> None:
    folder.put("a", b"old", "text/plain")
    before = sorted(folder.path.iterdir())
    with pytest.raises(Burst):
        folder.put("a", bursting(), "text/plain")
    with pytest.raises(Burst):
        folder.put("b", bursting(), "text/plain")
    assert sorted(folder.path.iterdir()) == before
    assert folder.get("a")[0] == b"old"


def test_a_reader_sees_the_old_content_or_the_new(folder: Folder) -> None:
    contents = {bytes([65 + n]) * 300_000 for n in range(4)}
    folder.put("a", next(iter(contents)), "text/plain")
    stop = threading.Event()
    seen: set[bytes] = set()

    def look() -> None:
        while not stop.is_set():
            seen.add(folder.get("a")[0])

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(20):
        for content in contents:
            folder.put("a", (content[at : at + 1_000] for at in range(0, len(content), 1_000)), "text/plain")
    stop.set()
    reader.join()
    assert seen <= contents


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_files_are_for_web_servers_as_the_umask_allows(folder: Folder, umask: int) -> None:
    before = os.umask(umask)
    try:
        folder.put("a", b"", "text/plain")
        with replaced(folder.path / "b") as file:
            file.write(b"x")
    finally:
        os.umask(before)
    for name in ("a", "b"):
        assert (folder.path / name).stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_file_keeps_its_mode(folder: Folder) -> None:
    folder.put("a", b"1", "text/plain")
    (folder.path / "a").chmod(0o640)
    folder.put("a", b"2", "text/plain")
    assert (folder.path / "a").stat().st_mode & 0o777 == 0o640


def test_one_run_at_a_time(folder: Folder) -> None:
    folder.make()
    other = Folder(folder.path)
    with folder.lock():
        with (
            pytest.raises(DestinationBusy, match="another run is writing there; try again when it is done"),
            other.lock(),
        ):
            pass
        with folder.lock():
            folder.replace("a", b"1", "text/plain", expected=None)
    with other.lock():
        pass


def test_sweeping_removes_what_is_ours_alone(folder: Folder) -> None:
    folder.make()
    ours = folder.stage(b"left by a run that was killed")
    theirs = [f"{PREFIX}mine", f"{PREFIX}{'0' * 15}", f"{PREFIX}{'0' * 16}.xml", "robots.txt"]
    for name in theirs:
        (folder.path / name).touch()
    (folder.path / f"{PREFIX}{'a' * 16}").mkdir()
    (folder.path / f"{PREFIX}{'b' * 16}").symlink_to("robots.txt")
    folder.sweep()
    assert not ours.exists()
    assert {path.name for path in folder.path.iterdir()} == {*theirs, f"{PREFIX}{'a' * 16}", f"{PREFIX}{'b' * 16}"}


def test_folders_that_were_made_go_again_if_they_are_empty(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "a" / "b" / "c")
    folder.make()
    (tmp_path / "a" / "x").touch()
    folder.unmake()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "x"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.ENOSPC, "no space left on device; what stood there still stands, make room and run again: x"),
        (errno.EACCES, "permission denied; choose a folder that this user may write to: x"),
        (errno.ENOTDIR, "not a directory; a folder was expected: x"),
        (errno.EIO, "input/output error: x"),
    ],
)
def test_failures_say_what_to_do(code: int, message: str) -> None:
    assert str(failure(OSError(code, os.strerror(code)), "x")) == message


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(StoreError, match="a folder was expected"):
        Folder(tmp_path / "out").put("a", b"", "text/plain")
    with pytest.raises(StoreError, match="a folder was expected"):
        Folder(tmp_path / "out" / "deeper").put("a", b"", "text/plain")


def test_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with replaced(path) as file:
        file.write(b"one")
        assert not path.exists()
    assert path.read_bytes() == b"one"
    with pytest.raises(Burst), replaced(path) as file:
        file.writelines(bursting())
    assert path.read_bytes() == b"one"
    (tmp_path / "link").symlink_to("a")
    with replaced(tmp_path / "link") as file:
        file.write(b"three")
    assert (tmp_path / "link").is_symlink()
    assert path.read_bytes() == b"three"
    assert {entry.name for entry in tmp_path.iterdir()} == {"a", "link"}
    with pytest.raises(StoreError, match="a folder, a file was expected"), replaced(tmp_path):
        pass
    with pytest.raises(StoreError, match="no such file or directory"), replaced(tmp_path / "none" / "a"):
        pass


def test_pipes_are_written_to_as_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    with replaced(pipe) as file:
        file.write(b"through")
    reader.join()
    assert got == [b"through"]
