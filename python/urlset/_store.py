"""A folder as a destination: files that are whole at every instant, and none touched that is not ours."""

import contextlib
import errno
import fcntl
import os
import re
import secrets
import stat
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from urlset.errors import DestinationBusy, NotFound, OptionError, StoreError
from urlset.types import Stored

if TYPE_CHECKING:
    from typing_extensions import Buffer

Data: TypeAlias = "Buffer | Iterable[Buffer]"

PREFIX = ".urlset-tmp-"
_LEFT = re.compile(re.escape(PREFIX) + r"[0-9a-f]{16}")
# What a full disk says, and a quota, and a limit on the size of files.
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Folder:
    """A folder of files, made when the first is written: a `Sink`.

    >>> import tempfile
    >>> folder = Folder(tempfile.mkdtemp())
    >>> folder.put("a/robots.txt", b"User-agent: *", "text/plain").size
    13
    >>> folder.get("a/robots.txt")[0]
    b'User-agent: *'
    >>> [stored.name for stored in folder.list()]
    ['a/robots.txt']
    >>> folder.delete("a/robots.txt")

    Besides, files can be staged: they are on the disk in full under a name of their own, and one rename puts each in
    its place. A run that is killed leaves staged files behind; `sweep`, under the lock, removes them.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._made: list[Path] = []
        self._locked = threading.local()

    # The door

    def put(self, name: str, data: Data, content_type: str) -> Stored:  # noqa: ARG002 - a folder keeps no types
        """Write the file, whatever stood there before."""
        target = self.target(name)
        self.place(self.stage(data), target)
        self.settle(target.parent)
        return self._stored(name, target)

    def replace(self, name: str, data: Data, content_type: str, *, expected: str | None) -> Stored:
        """Write the file if its version is still `expected`."""
        target = self.target(name)
        self.make()
        with self.lock(wait=True):
            try:
                found: str | None = self._stored(name, target).version
            except NotFound:
                found = None
            if found != expected:
                raise DestinationBusy("the file has changed since it was looked at; read it again", str(target))
            return self.put(name, data, content_type)

    def get(self, name: str) -> tuple[bytes, Stored]:
        """Read the whole content, and the version it belongs to."""
        target = self.target(name)
        try:
            with target.open("rb") as file:
                found = _version(name, os.fstat(file.fileno()))
                return file.read(), found
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound("there is no such file", str(target)) from None
        except OSError as error:
            raise failure(error, target) from error

    def list(self, prefix: str = "") -> Iterator[Stored]:
        """Every file whose name begins so, in the order of names."""
        names = []
        for folder, _, files in os.walk(self.path):
            below = Path(folder).relative_to(self.path)
            names += [(below / file).as_posix() for file in files if not _LEFT.fullmatch(file)]
        for name in sorted(name for name in names if name.startswith(prefix)):
            with contextlib.suppress(NotFound):
                yield self._stored(name, self.path / name)

    def delete(self, name: str) -> None:
        """Remove the file. One that is not there is no error."""
        target = self.target(name)
        try:
            target.unlink()
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise failure(error, target) from error
        self.settle(target.parent)

    # Sets of files

    def make(self) -> None:
        """Make the folder where there is none; `unmake` takes it away again."""
        missing = []
        at = self.path
        while not at.exists():
            missing.append(at)
            at = at.parent
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise failure(error, self.path) from error
        self._made = missing + self._made

    def unmake(self) -> None:
        """Remove the folders that `make` made, as far as they are empty."""
        for folder in self._made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        self._made = []

    @contextlib.contextmanager
    def lock(self, *, wait: bool = False) -> Iterator[None]:
        """Keep other runs out, until the block ends or the process does. Raises `DestinationBusy`."""
        if getattr(self._locked, "held", False):
            yield
            return
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise failure(error, self.path) from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                raise DestinationBusy(
                    "another run is writing there; try again when it is done", str(self.path)
                ) from None
            except OSError:
                pass  # a file system without locks: renames are still whole
            self._locked.held = True
            yield
        finally:
            self._locked.held = False
            os.close(handle)

    def sweep(self) -> None:
        """Remove what killed runs have left; only under the lock."""
        with os.scandir(self.path) as entries:
            left = [
                Path(entry.path)
                for entry in entries
                if _LEFT.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            ]
        for path in left:
            with contextlib.suppress(OSError):
                path.unlink()

    def stage(self, data: Data) -> Path:
        """Write a file in full, under a name that says it is not in its place yet."""
        self.make()
        staged = self.path / f"{PREFIX}{secrets.token_hex(8)}"
        try:
            # Mode 0666 and not 0600: these files are for web servers, and the umask decides.
            handle = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            try:
                for chunk in _chunks(data):
                    view = memoryview(chunk).cast("B")
                    while view:
                        view = view[os.write(handle, view) :]
                os.fsync(handle)
            finally:
                os.close(handle)
        except BaseException as error:
            with contextlib.suppress(OSError):
                staged.unlink()
            if isinstance(error, OSError):
                raise failure(error, self.path) from error
            raise
        return staged

    def place(self, staged: Path, target: Path) -> None:
        """Put a staged file in its place, with the mode of the file it replaces."""
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                mode = stat.S_IMODE(target.stat().st_mode)
                if mode != stat.S_IMODE(staged.stat().st_mode):
                    staged.chmod(mode)
            staged.replace(target)
        except OSError as error:
            with contextlib.suppress(OSError):
                staged.unlink()
            raise failure(error, target) from error

    def settle(self, folder: Path | None = None) -> None:
        """Make renames and removals survive a crash of the machine."""
        with contextlib.suppress(OSError):  # some file systems cannot, and need not
            handle = os.open(folder or self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    def target(self, name: str) -> Path:
        """Return the path of a name, which must lead below the folder."""
        parts = name.split("/")
        if any(part in {"", ".", ".."} or "\0" in part for part in parts) or _LEFT.fullmatch(parts[-1]):
            raise OptionError(f"name is {name!r}, a relative name without . and .. was expected")
        return self.path.joinpath(*parts)

    def _stored(self, name: str, target: Path) -> Stored:
        try:
            return _version(name, target.stat())
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound("there is no such file", str(target)) from None
        except OSError as error:
            raise failure(error, target) from error


def _version(name: str, found: os.stat_result) -> Stored:
    # Every write makes a new file, so that its number and time change even where its size does not.
    version = f"{found.st_ino:x}-{found.st_mtime_ns:x}-{found.st_size:x}"
    return Stored(name=name, version=version, size=found.st_size)


def _chunks(data: Data) -> "Iterator[Buffer]":
    try:
        yield memoryview(data)  # type: ignore[arg-type] # what is no buffer is an iterable of buffers
    except TypeError:
        yield from data  # type: ignore[misc]


@contextlib.contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes the place of the one there when the block ends well; else that one stays.

    Pipes and devices are written to as they are.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise StoreError("a folder, a file was expected", str(target))
        with target.open("wb") as file:
            yield file
        return
    target = target.resolve() if target.is_symlink() else target
    staged = target.parent / f"{PREFIX}{secrets.token_hex(8)}"
    try:
        with staged.open("xb") as file:
            try:
                yield file
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise failure(error, target) from error
        Folder(target.parent).place(staged, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            staged.unlink()
        if isinstance(error, OSError):
            raise failure(error, target) from error
        raise


def same(one: str | os.PathLike[str] | int, other: str | os.PathLike[str] | int) -> bool:
    """Whether two paths, or numbers of open files, are one file. Pipes and terminals are read and written: not they.

    >>> same(".", "."), same("none", "none")
    (False, False)
    """
    try:
        found, there = (os.fstat(it) if isinstance(it, int) else Path(it).stat() for it in (one, other))
        return stat.S_ISREG(found.st_mode) and os.path.samestat(found, there)
    except OSError:
        return False


def failure(error: OSError, place: str | os.PathLike[str]) -> StoreError:
    """Return the error that says what a person can do about an OSError."""
    what = (error.strerror or str(error)).lower()
    if error.errno in _FULL:
        what += "; what stood there still stands, make room and run again"
    elif error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        what += "; choose a folder that this user may write to"
    elif error.errno in {errno.ENOTDIR, errno.EEXIST}:
        what += "; a folder was expected"
    elif error.errno == errno.ENOENT:
        what += "; make the folder first"
    return StoreError(what, os.fspath(place))
