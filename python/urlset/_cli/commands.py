"""The subcommands and their options. Each parses, makes one public call and hands the result to the report."""

import contextlib
import functools
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import IO, Any, BinaryIO

import click

import urlset
from urlset import _core, _report
from urlset._source import FORMATS as TABLE_FORMATS
from urlset._store import replaced
from urlset.errors import OptionError, RefusedRows, StrictError, UrlsetError
from urlset.types import Exit, Limits

READ_FORMATS = ("table", "json", "jsonl", "csv", "arrow", "parquet", "urls")
BINARY = {"arrow", "parquet"}
FILE_FORMATS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".arrows": "arrows",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".txt": "urls",
    ".json": "json",
}
FAIL_ON = ("never", "info", "warning", "error")
FIRST_ROWS = 5


class Ended(Exception):  # noqa: N818 - it is none
    """A subcommand is done, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def run(arguments: list[str]) -> int:
    """Run the command and return its exit code; nothing it does on purpose ends in a traceback."""
    try:
        cli.main(arguments, prog_name="urlset", standalone_mode=False)
    except Ended as ended:
        return ended.code
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        error.show()
        return Exit.ERROR
    except click.Abort:
        return _interrupted()
    except BrokenPipeError:
        return _closed_pipe()
    return Exit.OK


def _interrupted() -> int:
    with contextlib.suppress(OSError):
        sys.stderr.write("interrupted\n")
    return Exit.INTERRUPTED


def _closed_pipe() -> int:
    """End quietly: whoever read has seen enough. What is still to be flushed at exit goes nowhere."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    return Exit.OK


def ending(command: Callable[..., int]) -> Callable[..., None]:
    """Turn what a subcommand raises into words and an exit code."""

    @functools.wraps(command)
    def ended(*args: Any, **options: Any) -> None:
        try:
            code = command(*args, **options)
            sys.stdout.flush()
        except BrokenPipeError:
            code = _closed_pipe()
        except KeyboardInterrupt:
            code = _interrupted()
        except RefusedRows as error:
            count = sum(finding.count for finding in error.findings)
            _report.say(f"error: {_report.number(count, 'row')} cannot be written, nothing was changed")
            _report.show(_report.refused(error.findings), sys.stderr)
            _report.say("rows count from 0; mend them, or leave them out with --on-error skip")
            code = Exit.ERROR
        except StrictError as error:
            _report.say(f"strict: {error}")
            code = Exit.FINDINGS
        except (UrlsetError, TypeError) as error:
            if isinstance(error, TypeError) and not str(error).startswith("a source"):
                raise
            _report.say(f"error: {error}")
            code = Exit.ERROR
        except MemoryError:
            _report.say("error: out of memory")
            code = Exit.ERROR
        except OSError as error:
            _report.say(f"error: {(error.strerror or str(error)).lower()}{f': {error.filename}' if error.filename else ''}")
            code = Exit.ERROR
        raise Ended(int(code))

    return ended


class Group(click.Group):
    """Subcommands in the order in which people meet them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        """Return their names."""
        return list(self.commands)


CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=Group, context_settings=CONTEXT)
@click.version_option(_core.VERSION, prog_name="urlset", message="%(prog)s %(version)s")
def cli() -> None:
    """Sitemaps as tables: read them, write them.

    Exit codes: 0 the result is complete, 1 it is not or --fail-on was reached, 2 could not run, 130 Ctrl-C.
    """


def talkative(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what every subcommand takes."""
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Tell every finding."),
        click.option("-q", "--quiet", is_flag=True, help="Tell nothing but errors."),
        click.option(
            "--fail-on",
            type=click.Choice(FAIL_ON),
            default="never",
            show_default=True,
            help="Exit with 1 when a finding is as bad as this.",
        ),
    ):
        command = option(command)
    return command


# read


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each limit."""
    about = {
        "max_bytes": "bytes of a file after gunzip",
        "max_ratio": "bytes after gunzip for each byte before",
        "max_depth": "elements open within one another",
        "max_entries": "entries of a file",
        "max_text": "bytes of a value",
        "max_seconds": "seconds spent on a file",
        "max_findings": "findings of a code told in detail",
        "max_files": "files",
        "max_levels": "indexes within one another",
    }
    for limit in reversed(fields(Limits)):
        what = about[limit.name]
        command = click.option(
            f"--limit-{limit.name.removeprefix('max_')}",
            limit.name,
            metavar="N",
            callback=_limit,
            help=f"At most so many {what} [default: {limit.default:,}].",
        )(command)
    return command


def _limit(_context: click.Context, parameter: click.Parameter, value: str | None) -> float | str | None:
    if value is None:
        return "default"
    if value.lower() == "none":
        return None
    digits = value.replace("_", "").replace(",", "")
    try:
        return float(digits) if parameter.name in {"max_ratio", "max_seconds"} else int(digits)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no number; one was expected, or none to lift the limit") from None


@cli.command("read")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option(
    "--format",
    "format_",
    type=click.Choice(READ_FORMATS),
    help="table: first rows and sums; json: the sums; urls: addresses alone; else rows "
    "[default: table on a terminal, by the ending of -o, else jsonl].",
)
@click.option("-o", "--output", metavar="FILE", help="Write there instead of to standard output; - is standard output.")
@click.option("--findings", metavar="FILE", help="Write the findings there: .jsonl, .csv, .parquet or .arrow.")
@click.option("--columns", metavar="A,B", help="Read these columns only.")
@click.option("--no-follow", is_flag=True, help="Give what an index or robots.txt names, and do not read it.")
@click.option("--base", metavar="URL", help="Address that the file or folder claims to have.")
@click.option("--content-type", metavar="TYPE", help="Content-Type that it was sent with.")
@click.option("--relative", type=click.Choice(["drop", "resolve"]), default="drop", help="What becomes of relative locs.")
@click.option("--strict", is_flag=True, help="Stop at the first finding, with exit code 1.")
@limits
@talkative
@ending
def read(
    sources: tuple[str, ...],
    format_: str | None,
    output: str | None,
    findings: str | None,
    columns: str | None,
    no_follow: bool,
    base: str | None,
    content_type: str | None,
    relative: Any,
    strict: bool,
    fail_on: str,
    quiet: bool,
    verbose: bool,
    **bounds: Any,
) -> int:
    """Read sitemaps, indexes with all they name, text lists, feeds and robots.txt files.

    A SOURCE is a file, a folder, a pattern in quotes, or - for standard input. Times are in UTC. Parquet, Arrow, CSV
    and JSON hold the same columns; arrow is a file with -o and a stream in a pipe.

    \b
    urlset read sitemap.xml
    urlset read public/ --format urls | head
    urlset read 'export/*.xml.gz' -o urls.parquet --findings findings.csv
    """
    to_file = output is not None and output != "-"
    if format_ is None:
        if output is not None and to_file:
            format_ = FILE_FORMATS.get(os.path.splitext(output)[1].lower(), "jsonl")
        else:
            format_ = "table" if output is None and sys.stdout.isatty() else "jsonl"
    elif format_ == "arrow" and to_file and output is not None and output.lower().endswith(".arrows"):
        format_ = "arrows"
    if format_ in BINARY and not to_file:
        if sys.stdout.isatty():
            raise OptionError(f"{format_} is no text, and standard output is a terminal; -o FILE or a pipe was expected")
        format_ = "arrows" if format_ == "arrow" else format_
    names = None if columns is None else [name.strip() for name in columns.split(",") if name.strip()]
    if names and format_ == "urls" and "loc" not in names:
        raise OptionError("--format urls gives loc; --columns without it was given", "columns")
    if format_ == "urls":
        names = ["loc"]
    urls = urlset.read(
        sources[0] if len(sources) == 1 else list(sources),
        base=base,
        content_type=content_type,
        columns=names,
        follow=not no_follow,
        relative=relative,
        strict=strict,
        limits=Limits(**{name: value for name, value in bounds.items() if value != "default"}),
    )
    with _output(output if to_file else None) as out:
        reading = _read(urls, format_, out, quiet=quiet)
        if format_ == "table":
            stream = _text(out)
            _report.show(_report.reading_tables(reading), stream)
            stream.flush()
        elif format_ == "json":
            out.write(_report.reading_json(reading).encode() + b"\n")
    if findings is not None:
        with _output(findings) as out:
            kind = FILE_FORMATS.get(os.path.splitext(findings)[1].lower(), "jsonl")
            table = _core.TableWriter(out, "jsonl" if kind in {"urls", "json"} else kind, urls.findings.schema)
            table.write(urls.findings)
            table.close()
    if not quiet:
        _tell(reading, format_, to_file, verbose, sources)
    if not reading.complete or _report.reaches(reading.findings, fail_on):
        return Exit.FINDINGS
    return Exit.OK


@contextlib.contextmanager
def _output(path: str | None) -> Iterator[BinaryIO]:
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replaced(path) as file:
        yield file


def _text(out: BinaryIO) -> IO[str]:
    if out is sys.stdout.buffer:
        return sys.stdout
    import io

    # Not closed with its wrapper: the file is somebody else's.
    text = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    _KEPT.append(text)
    return text


_KEPT: list[IO[str]] = []


def _read(urls: Any, format_: str, out: BinaryIO, *, quiet: bool) -> _report.Reading:
    """Read to the end: rows into a file, or their sums."""
    reading = _report.Reading()
    started = time.perf_counter()
    schema = urls.schema
    rows = None if format_ in {"table", "json"} else _core.TableWriter(out, format_, schema)
    dated = "lastmod" in schema.names
    if dated:
        reading.dated = 0
    with _report.progress("reading", quiet=quiet) as tick, contextlib.closing(urls):
        for batch in urls.batches():
            if rows is not None:
                rows.write(batch)
            elif len(reading.first) < FIRST_ROWS:
                reading.first += batch.slice(0, FIRST_ROWS - len(reading.first)).to_pylist()
            reading.rows += batch.num_rows
            if dated:
                count, earliest, latest = _core.span(batch, "lastmod")
                reading.dated = (reading.dated or 0) + count
                if earliest is not None and latest is not None:
                    reading.earliest = min(earliest, earliest if reading.earliest is None else reading.earliest)
                    reading.latest = max(latest, latest if reading.latest is None else reading.latest)
            tick(reading.rows, sum(file.wire_bytes or 0 for file in urls.files[-1_000:]))
    if rows is not None:
        rows.close()
    reading.seconds = time.perf_counter() - started
    reading.kind, reading.complete = urls.kind, urls.complete
    reading.columns, reading.files, reading.findings = schema.names, urls.files, urls.findings
    return reading


def _tell(reading: _report.Reading, format_: str, to_file: bool, verbose: bool, sources: tuple[str, ...]) -> None:
    """Say what the rows themselves do not: findings, and on a terminal the sum and what comes next."""
    lines: list[Any] = [str(finding) for finding in reading.findings] if verbose else []
    if format_ not in {"table", "json"}:
        if not verbose:
            lines += _report.findings_table(reading.findings, 3)
        if sys.stderr.isatty() or not reading.complete:
            lines.append(_report.headline(reading))
    if sys.stderr.isatty() and format_ == "table":
        import shlex

        source = shlex.join(sources)
        if reading.findings and not verbose:
            lines.append(f"next: urlset read {source} --findings findings.csv, or -v to see them all")
        elif not to_file:
            lines.append(f"next: urlset read {source} -o urls.parquet")
    if lines:
        _report.show(lines, sys.stderr)


# write


@cli.command("write")
@click.argument("table")
@click.option("--to", required=True, metavar="DIR", help="Folder; or a file ending in .xml, .txt or with .gz; or -.")
@click.option("--base", metavar="URL", help="Address below which the files are published; needed for a folder.")
@click.option("--max-urls", type=int, default=50_000, metavar="N", help="URLs of a file at most [default: 50,000].")
@click.option("--max-children", type=int, default=50_000, metavar="N", help="Files of an index at most [default: 50,000].")
@click.option(
    "--max-bytes", type=int, default=52_428_800, metavar="N", help="Bytes of a file before compression [default: 52,428,800]."
)
@click.option("--gzip/--no-gzip", default=None, help="Compress [default: in a folder].")
@click.option("--level", type=int, default=6, metavar="N", help="Level of compression, 0 to 12 [default: 6].")
@click.option("--text", is_flag=True, help="Write lists of addresses and nothing else.")
@click.option("--nested", is_flag=True, help="Past 50,000 files write indexes of indexes.")
@click.option("--profile", type=click.Choice(["classic"]), help="Keep to the limits and rules of 2005.")
@click.option("--stylesheet", is_flag=True, help="Add a style sheet, so that browsers show the files as tables.")
@click.option(
    "--index",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="never: a single file, an error where the rows do not fit.",
)
@click.option(
    "--names",
    type=click.Choice(["stable", "immutable"]),
    default="stable",
    help="immutable: names of files hold a hash of their content, and old ones stay for two runs.",
)
@click.option(
    "--on-error", type=click.Choice(["raise", "skip"]), default="raise", help="skip: leave out rows that cannot be written."
)
@click.option("--allow-empty", is_flag=True, help="Write a set without URLs where the table has no rows.")
@click.option("--allow-offsite", is_flag=True, help="Write addresses of other sites.")
@click.option(
    "--robots", metavar="FILE", help="robots.txt to name the set in [default: in DIR, where the base is the root of its host]."
)
@click.option("--no-robots", is_flag=True, help="Leave every robots.txt alone.")
@click.option("--force", is_flag=True, help="Replace files that urlset did not write.")
@click.option("--threads", type=int, metavar="N", help="Threads that compress [default: one for each processor].")
@click.option("--table", "table_name", metavar="NAME", help="Table of a database [default: the only one with a column loc].")
@click.option("--sql", metavar="SELECT", help="Query whose rows are written.")
@click.option("--table-format", type=click.Choice(TABLE_FORMATS), help="Format of TABLE [default: by its ending or content].")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", *dict.fromkeys(["json", *TABLE_FORMATS])]),
    default="table",
    help="How the result is told: table or json. Any other word is taken as --table-format.",
)
@talkative
@ending
def write(
    table: str, format_: str, table_format: str | None, no_robots: bool, fail_on: str, quiet: bool, verbose: bool, **options: Any
) -> int:
    """Write a table as sitemaps, with an index and a line in robots.txt.

    TABLE is a CSV, TSV, JSON, JSON lines, Parquet, Arrow or SQLite file, a text file of addresses, or - for standard
    input. It needs a column loc; lastmod, changefreq, priority, images, videos, news, alternates and more are written
    where they are there, nested ones also from JSON text.

    Nothing is changed unless every row can be written; files are whole at every instant, those that would hold the same
    are not touched, and only files that urlset wrote are ever replaced or removed.

    \b
    urlset write pages.csv --base https://shop.example/ --to public
    urlset write shop.sqlite --sql "select url as loc from product" --base https://shop.example/ --to public
    """
    if format_ not in {"table", "json"}:
        table_format, format_ = table_format or format_, "table"
    robots = options.pop("robots")
    to = options.pop("to")
    with _report.progress("writing", quiet=quiet) as tick:
        result = urlset.write(
            table,
            sys.stdout.buffer if to == "-" else to,
            robots=False if no_robots else robots,
            table_format=table_format,
            progress=tick,
            **_binary(to, options),
        )
    if format_ == "json":
        (sys.stderr if to == "-" else sys.stdout).write(_report.written_json(result) + "\n")
    elif not quiet and (to != "-" or result.findings or sys.stderr.isatty()):
        _report.show(_report.written(result), sys.stderr if to == "-" else None)
    if verbose and not quiet:
        for finding in result.findings:
            _report.say(f"{_report.place(finding)}: {finding.code} {finding.severity} {finding.message}")
    return Exit.FINDINGS if _report.reaches(result.findings, fail_on) else Exit.OK


def _binary(to: str, options: dict[str, Any]) -> dict[str, Any]:
    if to == "-" and options.get("gzip") and sys.stdout.isatty():
        raise OptionError("gzip is no text, and standard output is a terminal; a file or a pipe was expected", "to")
    return options


logging.getLogger("urlset").addHandler(logging.NullHandler())
