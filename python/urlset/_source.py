"""Files that hold tables: which format, which table of a database, opened as a stream of rows. Writes nothing."""

import contextlib
import errno
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args
from urllib.parse import quote

from urlset import _core
from urlset.errors import NotFound, OptionError, SchemaError, SourceError, Unreadable

Format: TypeAlias = Literal["csv", "tsv", "jsonl", "json", "parquet", "arrow", "sqlite", "urls"]
FORMATS: tuple[Format, ...] = get_args(Format)

ENDINGS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".txt": "urls",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
}
_BEGINNINGS: dict[bytes, Format] = {b"PAR1": "parquet", b"ARROW1": "arrow", b"SQLite format 3\0": "sqlite"}
TEXTS = {"csv", "tsv", "jsonl", "json", "urls"}
"""Formats that may have a `.gz` after their ending; the others are compressed within, or read from their ends."""


def named(path: str | os.PathLike[str]) -> tuple[Format | None, bool]:
    """Return what a name tells: the format by its ending, and whether it is packed.

    >>> named("export/pages.csv.gz"), named("pages.PARQUET"), named("pages")
    (('csv', True), ('parquet', False), (None, False))
    """
    name = Path(path).name.lower()
    stem = name.removesuffix(".gz")
    return ENDINGS.get(Path(stem).suffix), stem != name


def format_of(path: str | os.PathLike[str]) -> Format:
    """Return the format of a file: by its ending, `.gz` aside, else by its first bytes.

    >>> format_of("export/pages.csv.gz")
    'csv'
    """
    found, packed = named(path)
    if found and (not packed or found in TEXTS):
        return found
    if Path(path).name.lower().endswith((".xml", ".xml.gz")):
        raise OptionError(
            "the table is a sitemap itself; urlset.read makes a table of it, which can be written", "table"
        )
    with contextlib.suppress(OSError), Path(path).open("rb") as file:
        begins = file.read(16)
        for beginning, format_ in _BEGINNINGS.items():
            if begins.startswith(beginning):
                return format_
    raise OptionError(
        f"the ending of {Path(path).name!r} tells no format; one of {', '.join(ENDINGS)} was expected, "
        f"or table_format (--table-format) as one of {', '.join(FORMATS)}",
        "table_format",
    )


@contextlib.contextmanager
def opened(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 - what it is
    table_name: str | None = None,
    sql: str | None = None,
    extensions: Sequence[Any] = (),
) -> "Iterator[_core.Source]":
    r"""Open a file as rows, for as long as the block lasts: a path, `-` for standard input, a binary file object.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pages.csv"
    >>> _ = path.write_text("loc,priority\nhttps://shop.example/tea,0.8\n")
    >>> with opened(path) as rows:
    ...     type(rows).__name__
    'Source'

    Raises `NotFound`, `Unreadable`, `SchemaError` (no column `loc`), `OptionError` (a format that cannot be told, a
    database without a table that can be chosen).
    """
    if format is not None and format not in FORMATS:
        raise OptionError(f"{format!r} is none of {', '.join(FORMATS)}", "table_format")
    with contextlib.ExitStack() as stack:
        place = "-"
        if hasattr(source, "read") or os.fspath(source) == "-":
            file = source if hasattr(source, "read") else _standard_input()
            begins = file.peek(4096)[:4096] if hasattr(file, "peek") else b""
            format = format or _guess(begins)  # noqa: A001
            if format in TEXTS or (format == "arrow" and begins and not begins.startswith(b"ARROW1")):
                source = file
            else:
                # These begin at their ends: they are read from a disk.
                source = stack.enter_context(tempfile.NamedTemporaryFile(prefix="urlset-"))
                shutil.copyfileobj(file, source)
                source.flush()
                source = source.name
        else:
            source = place = os.fspath(source)
            _look(place)
            format = format or format_of(place)  # noqa: A001
        if format != "sqlite" and (table_name or sql):
            raise OptionError(
                f"a {format} file holds one table; table_name (--table) and sql (--sql) are for databases"
            )
        try:
            if format == "sqlite":
                table = stack.enter_context(_database(source, table_name, sql, extensions))
            elif format == "urls":
                lines = stack.enter_context(Path(source).open("rb")) if isinstance(source, str) else source
                table = _core.from_rows(_addresses(lines), extensions=list(extensions))
            else:
                table = _core.open_table(source, format, extensions=list(extensions))
        except OSError as error:
            raise failure(error, place) from error
        except Unreadable as error:
            raise _placed(error, place) from error
        # From here on an OSError may be one of the destination.
        try:
            yield table
        except sqlite3.Error as error:
            raise Unreadable(f"the database cannot be read: {error}", place) from error
        except Unreadable as error:
            raise _placed(error, place) from error


def _placed(error: Unreadable, place: str) -> Unreadable:
    """Return the error with the place, where it has none."""
    return Unreadable(str(error), place) if error.source is None else error


def _guess(begins: bytes) -> Format:
    """Return the format of a stream by its first bytes."""
    for beginning, format_ in _BEGINNINGS.items():
        if begins.startswith(beginning):
            return format_
    if begins.startswith(b"\xff\xff\xff\xff"):
        return "arrow"
    if begins.startswith(b"\x1f\x8b"):
        with contextlib.suppress(zlib.error):
            begins = zlib.decompressobj(wbits=31).decompress(begins, 4_096)
    text = begins.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"{", b"[")):
        return "json" if text.startswith(b"[") else "jsonl"
    first = re.split(rb"[\r\n]", text, maxsplit=1)[0]
    if any(name.strip(b' "') == b"loc" for name in re.split(rb"[,;\t|]", first)):
        return "tsv" if b"\t" in first else "csv"
    if re.match(rb"https?://\S+$", first):
        return "urls"
    raise OptionError(
        "neither a name nor the first bytes of the stream tell its format; "
        f"table_format (--table-format) was expected, one of {', '.join(FORMATS)}",
        "table_format",
    )


def _standard_input() -> Any:
    file = getattr(sys.stdin, "buffer", None)
    if file is None or file.closed:
        raise Unreadable("standard input is closed", "-")
    return file


def _look(path: str) -> None:
    """Say what is wrong with a path before anything is made of it."""
    try:
        if Path(path).is_dir():
            raise Unreadable("a folder, a file that holds a table was expected", path)
        with Path(path).open("rb"):
            pass
    except OSError as error:
        raise failure(error, path) from error


def failure(error: OSError, place: str) -> SourceError:
    """Return the error of urlset for one of the system.

    >>> failure(FileNotFoundError(2, "No such file or directory"), "a.xml")
    NotFound('there is no such file', 'a.xml')
    """
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return NotFound("there is no such file", place)
    return Unreadable(f"cannot be read, {(error.strerror or str(error)).lower()}", place)


def _addresses(lines: Any) -> Iterator[str]:
    """Yield the lines of a text list, as they are but for blanks around them."""
    for number, line in enumerate(lines, 1):
        mark = b"\xef\xbb\xbf" if number == 1 else b""
        try:
            text = line.removeprefix(mark).strip().decode()
        except UnicodeDecodeError:
            raise Unreadable(f"line {number} is not UTF-8") from None
        if text:
            yield text


@contextlib.contextmanager
def _database(path: str, name: str | None, sql: str | None, extensions: Sequence[Any]) -> "Iterator[_core.Source]":
    with Path(path).open("rb") as file:
        begins = file.read(16)
    if begins and begins != b"SQLite format 3\0":
        raise Unreadable("the file is no SQLite database", path)
    connection = sqlite3.connect(f"file:{quote(str(Path(path).absolute()))}?mode=ro", uri=True)
    try:
        ignored: list[str] = []
        if sql is None:
            try:
                name, kind = _choose(connection, name, path)
            except sqlite3.Error as error:
                raise Unreadable(f"the database cannot be read: {error}", path) from error
            known = set(_core.schema(list(extensions)).names)
            columns = _columns(connection, name)
            if "loc" not in columns:
                raise SchemaError(
                    f'column "loc" is needed, {kind} {name} has {", ".join(columns)}; sql (--sql) can name one "as loc"'
                )
            ignored = [column for column in columns if column not in known]
            wanted = ", ".join(_quoted(column) for column in columns if column in known)
            sql = f"select {wanted} from {_quoted(name)}{_order(connection, name, kind)}"  # noqa: S608 - names are quoted
        elif name is not None:
            raise OptionError("table_name and sql are both given; one of them was expected", "sql")
        try:
            cursor = connection.execute(sql)
        except (sqlite3.Warning, sqlite3.ProgrammingError) as error:
            raise OptionError(f"the query cannot be run, {error}; one select was expected", "sql") from error
        except sqlite3.Error as error:
            raise Unreadable(f"the database cannot be read: {error}", path) from error
        if cursor.description is None:
            raise OptionError("the query gives no rows; a select was expected", "sql")
        names = [column[0] for column in cursor.description]
        if "loc" not in names:
            raise SchemaError(f'column "loc" is needed, the query gives {", ".join(names)}; name one with "as loc"')
        if len(set(names)) < len(names):
            raise SchemaError(f"two columns of the query have one name, there are {', '.join(names)}")
        yield _core.from_rows(cursor, extensions=list(extensions), columns=names, ignored=ignored)
    finally:
        connection.close()


def _choose(connection: sqlite3.Connection, name: str | None, path: str) -> tuple[str, str]:
    """Return the table to read and what it is: the one named, else the only one with a column `loc`."""
    query = (
        "select name, type from sqlite_master where type in ('table', 'view') and name not like 'sqlite~_%' escape '~'"
    )
    kinds: dict[str, str] = dict(connection.execute(query + " order by name"))
    if name is not None:
        if name not in kinds:
            raise OptionError(f"there is no table {name!r}, there are {', '.join(kinds) or 'none'}", "table_name")
        return name, kinds[name]
    fitting = [table for table in kinds if "loc" in _columns(connection, table)]
    if len(fitting) == 1:
        return fitting[0], kinds[fitting[0]]
    if fitting:
        raise OptionError(
            f"tables {', '.join(fitting)} all have a column loc; table_name (--table) was expected to name one",
            "table_name",
        )
    raise SchemaError(
        f"no table of the database has a column loc, there are {', '.join(kinds) or 'none'}; "
        f"sql (--sql) can name another column so: {path}"
    )


def _columns(connection: sqlite3.Connection, name: str) -> list[str]:
    try:
        cursor = connection.execute(f"select * from {_quoted(name)} limit 0")  # noqa: S608 - the same
    except sqlite3.OperationalError:
        return []  # a view of tables that are gone, a module that is not loaded
    return [column[0] for column in cursor.description]


def _order(connection: sqlite3.Connection, name: str, kind: str) -> str:
    """Return the clause that makes the order of a table certain: a view has its own, as have tables without rowid."""
    if kind != "table" or "rowid" in (column.lower() for column in _columns(connection, name)):
        return ""
    try:
        connection.execute(f"select rowid from {_quoted(name)} limit 0")  # noqa: S608 - the same
    except sqlite3.OperationalError:
        return ""
    return " order by rowid"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
