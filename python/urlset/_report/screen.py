"""The terminal: numbers and units, safe text, lines and tables that fit, a progress line."""

import codecs
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

Part: TypeAlias = "str | Table"
"""What can be shown: a line, or a table."""

FORMAT_VERSION = 1
"""Of the JSON forms."""
STYLES = {"error": "red", "warning": "yellow", "info": "cyan"}
# Of a table that is too wide: the column that is cut, and how narrow it may be before others go.
_GIVES = {"first": 40, "file": 24, "loc": 24}
_GO = ("name", "findings", "more", "priority", "changefreq", "bytes", "lastmod")
_RIGHT = {"count", "rows", "bytes", "priority", "findings"}
_GAP = 2


def size(count: float) -> str:
    """Return a number of bytes in a unit that people read.

    >>> size(999), size(1_234), size(52_428_800)
    ('999 bytes', '1.2 kB', '52.4 MB')
    """
    if count < 1_000:
        return "1 byte" if count == 1 else f"{count:,.0f} bytes"
    for unit in ("kB", "MB"):
        count /= 1_000
        if count < 999.95:
            return f"{count:,.1f} {unit}"
    return f"{count / 1_000:,.1f} GB"


def number(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> number(1, "file"), number(1_200, "file")
    ('1 file', '1,200 files')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def rate(rows: int, seconds: float) -> str:
    """Return rows by second."""
    return f"{rows / max(seconds, 1e-6):,.0f} URLs/s"


def took(rows: int, seconds: float) -> str:
    """Return how long something took, and how fast it was."""
    # The rate of a handful of rows is that of starting up.
    return f"{seconds:.2f} s" + (f", {rate(rows, seconds)}" if rows >= 10_000 else "")


class Tick(Protocol):
    """What a verb calls now and then."""

    def __call__(self, rows: int, bytes_: int, /) -> None:
        """Take the rows and bytes so far."""
        ...


@contextmanager
def progress(verb: str, *, quiet: bool = False) -> Iterator[Tick]:
    """Show one line on standard error that says how far a verb is: on a terminal, nowhere else."""
    if quiet or not sys.stderr.isatty():
        yield lambda _rows, _bytes: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = _console(sys.stderr)
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    started = time.perf_counter()
    with Progress(*columns, console=console, transient=True) as line:
        task = line.add_task(verb, total=None)

        def tick(rows: int, bytes_: int) -> None:
            speed = rate(rows, time.perf_counter() - started)
            packed = f"{size(bytes_)}, " if bytes_ else ""  # known when a file is over
            line.update(task, description=f"{verb} {number(rows, 'URL')}, {packed}{speed}")

        yield tick


def plain(text: str) -> str:
    r"""Return a text as it may be shown: what files and names say must not steer a terminal, nor hide in it.

    Control characters, those that turn the direction of writing and those without a width are told by their numbers.

    >>> print(plain("a\x1b[31m\u202eb\u200b"))
    a\x1b[31m\u202eb\u200b
    """
    return _shown(text, _told)


def _shown(text: str, told: Callable[[str], str]) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else told(c) for c in text)


def _told(character: str) -> str:
    # A byte of a name that is no UTF-8 comes as half of a pair.
    byte = ord(character) - 0xDC00
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else ascii(character)[1:-1]


def _told_in_json(character: str) -> str:
    # JSON has a form of its own for them: it stays the same text.
    return json.dumps(character)[1:-1]


class Screen:
    r"""A terminal that takes UTF-8 as it comes, in pieces, and shows it as `plain` does; line ends are kept.

    >>> import io
    >>> shown = io.BytesIO()
    >>> Screen(shown).write(b"a\x1b[31m\nb")
    8
    >>> shown.getvalue()
    b'a\\x1b[31m\nb'
    """

    def __init__(self, file: BinaryIO, *, json_form: bool = False) -> None:
        self._file = file
        self._told = _told_in_json if json_form else _told
        # A piece may end within a character.
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> int:
        """Show a piece."""
        lines = self._decoder.decode(data).split("\n")
        self._file.write("\n".join(_shown(line, self._told) for line in lines).encode())
        return len(data)

    def flush(self) -> None:
        """Show what was held back."""
        self._file.flush()

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self._file.fileno()


def _console(stream: IO[str]) -> "Console":
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise  # noqa: PLE0704 - the error at hand, which Console would turn into an exit

    # Without a terminal there is no width to keep to: lines are whole, for whoever searches them.
    width = None if stream.isatty() else 200
    return Plain(file=stream, width=width, highlight=False, emoji=False)


def show(parts: Iterable[Part], stream: IO[str] | None = None) -> None:
    """Print lines and tables."""
    console = _console(stream or sys.stdout)
    for part in parts:
        if isinstance(part, str):
            console.print(plain(part), markup=False, soft_wrap=True)
        else:
            console.print(part)


def say(*parts: Part) -> None:
    """Print lines and tables to whoever sits there, on standard error; nobody may."""
    with suppress(OSError, ValueError):
        show(parts, sys.stderr)


class Table:
    """A table that fits: one column gives way where the terminal is narrow, then others go, and no line is broken."""

    def __init__(self, *columns: str) -> None:
        self._columns = columns
        self._rows: list[tuple[list[str], str, int]] = []

    def add_row(self, *cells: str, style: str = "", styled: int = 0) -> None:
        """Add a row; `style` is that of the cell number `styled`."""
        shown = [plain(cell) for cell in cells]
        self._rows.append((shown + [""] * (len(self._columns) - len(shown)), style, styled))

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> Iterator[Any]:
        from rich.cells import cell_len
        from rich.text import Text

        widths = {
            name: max(cell_len(text) for text in [name, *(cells[at] for cells, _, _ in self._rows)])
            for at, name in enumerate(self._columns)
        }
        gives = next((name for name in _GIVES if name in widths), self._columns[0])
        wanted = widths[gives]

        def left() -> int:
            return options.max_width - sum(widths.values()) + widths[gives] - _GAP * (len(widths) - 1)

        for name in _GO:
            if name != gives and left() < min(wanted, _GIVES.get(gives, 0)):
                widths.pop(name, None)
        widths[gives] = max(1, min(wanted, left()))
        for cells, style, styled in [(list(self._columns), "dim", None), *self._rows]:
            line = Text(style="" if styled is not None else style)
            for at, (name, cell) in enumerate(zip(self._columns, cells, strict=True)):
                if name in widths:
                    shown = _end(cell, widths[name]) if name == "file" else cell
                    text = Text(shown, style=style if at == styled else "")
                    text.truncate(widths[name], overflow="ellipsis")
                    blanks = " " * (widths[name] - text.cell_len)
                    line.append(" " * _GAP if line else "")
                    line.append(blanks if name in _RIGHT else "").append_text(text)
                    line.append("" if name in _RIGHT else blanks)
            line.rstrip()
            yield line


def _end(path: str, width: int) -> str:
    """Return as much of a path as fits, from its end: that is where paths differ."""
    from rich.cells import cell_len

    if cell_len(path) <= width:
        return path
    while path and cell_len(path) >= width:
        path = path[1:]
    return f"…{path}"


def bare(about: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is not known."""
    return {name: value for name, value in about.items() if value is not None and value != ()}


def as_json(about: object) -> str:
    """Return an object as JSON that may be shown."""
    text = json.dumps(about, ensure_ascii=False, indent=2)
    return "\n".join(_shown(line, _told_in_json) for line in text.split("\n"))
