"""`urlset read`: sources to rows in a file or pipe, or to what they come to."""

import contextlib
import shlex
import sys
import time
from typing import Any, BinaryIO

import click

import urlset
from urlset import _core, _report
from urlset._cli.exits import ending
from urlset._cli.options import given, limits, talkative
from urlset._cli.output import ROWS, SUMS, Target, apart, kept, lines, opened, target
from urlset.errors import OptionError
from urlset.types import Exit

FINDINGS = ("jsonl", "csv", "parquet", "arrow")
FIRST_ROWS = 5
TICK_S = 0.1
"""Seconds between two looks at the progress line."""


@click.command("read", short_help="Read sitemaps, with all that an index names.")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option(
    "--format",
    "format_",
    type=click.Choice([*SUMS, *ROWS]),
    help="table: first rows and sums; json: the sums; urls: addresses alone; else rows "
    "[default: by the ending of -o; table on a terminal, jsonl in a pipe].",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write there, packed where it ends in .gz; - is standard output [default: -].",
)
@click.option(
    "--findings",
    metavar="FILE",
    help="Write the findings there: .jsonl, .csv, .parquet or .arrow; - is standard output, which then needs -o.",
)
@click.option("--columns", metavar="A,B", help="Read these columns only.")
@click.option("--no-follow", is_flag=True, help="Give what an index or robots.txt names, and do not read it.")
@click.option("--base", metavar="URL", help="Address that the file or folder claims to have.")
@click.option("--content-type", metavar="TYPE", help="Content-Type that it was sent with.")
@click.option(
    "--relative", type=click.Choice(["drop", "resolve"]), default="drop", help="What becomes of relative locs."
)
@click.option("--strict", is_flag=True, help="Stop at the first finding, with exit code 1.")
@click.option("--threads", type=int, metavar="N", help="Threads that parse [default: one for each processor].")
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
    threads: int | None,
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
    usual = "table" if output is None and sys.stdout.isatty() else "jsonl"
    rows = target("output", output, format_, (*SUMS, *ROWS), usual)
    found = None if findings is None else target("findings", findings, None, FINDINGS, "jsonl")
    apart(sources, rows, found)
    if rows.path is None and not rows.text and sys.stdout.isatty():
        raise OptionError(f"{format_} is no text, and standard output is a terminal; -o FILE or a pipe was expected")
    names = None if columns is None else [name.strip() for name in columns.split(",") if name.strip()]
    if rows.format == "urls":
        if names and "loc" not in names:
            raise OptionError("--format urls gives loc; --columns without it was given", "columns")
        names = ["loc"]
    urls = urlset.read(
        sources[0] if len(sources) == 1 else list(sources),
        base=base,
        content_type=content_type,
        columns=names,
        follow=not no_follow,
        relative=relative,
        strict=strict,
        limits=given(bounds),
        threads=threads,
    )
    with opened(rows) as out:
        reading = _read(urls, rows, out, quiet=quiet)
        kept(reading.files, rows, found)
        if rows.format == "table":
            with lines(out) as text:
                _report.show(_report.reading_tables(reading), text)
        elif rows.format == "json":
            out.write(_report.reading_json(reading).encode() + b"\n")
    if found is not None:
        with opened(found) as out:
            table = _core.TableWriter(out, found.format, urls.findings.schema)
            table.write(urls.findings)
            table.close()
    if not quiet:
        _tell(reading, rows, verbose, sources)
    if not reading.complete or _report.reaches(reading.findings, fail_on):
        return Exit.FINDINGS
    return Exit.OK


def _read(urls: urlset.UrlSet, rows: Target, out: BinaryIO, *, quiet: bool) -> _report.Reading:
    """Read to the end: rows into the output, or what they come to."""
    reading = _report.Reading()
    started = told = time.perf_counter()
    schema = urls.schema
    reading.columns = schema.names
    dated = "lastmod" in reading.columns
    reading.dated = 0 if dated else None
    writer = None if rows.format in SUMS else _core.TableWriter(out, rows.format, schema)
    with _report.progress("reading", quiet=quiet) as tick, contextlib.closing(urls):
        for batch in urls.batches():
            if writer is not None:
                writer.write(batch)
            elif len(reading.first) < FIRST_ROWS:
                reading.first += batch.slice(0, FIRST_ROWS - len(reading.first)).to_pylist()
            reading.add(batch.num_rows, _core.span(batch, "lastmod") if dated else None)
            if (now := time.perf_counter()) - told >= TICK_S:
                told = now
                tick(reading.rows, sum(file.wire_bytes or 0 for file in urls.files))
    if writer is not None:
        writer.close()
    reading.seconds = time.perf_counter() - started
    reading.kind, reading.complete = urls.kind, urls.complete
    reading.files, reading.findings = urls.files, urls.findings
    return reading


def _tell(reading: _report.Reading, rows: Target, verbose: bool, sources: tuple[str, ...]) -> None:
    """Say what the rows themselves do not: findings, and on a terminal the sum and what comes next."""
    said: list[_report.Part] = list(map(_report.finding, reading.findings)) if verbose else []
    if rows.format not in SUMS:
        if not verbose:
            said += _report.findings_table(reading.findings, 3)
        if sys.stderr.isatty() or not reading.complete:
            said.append(_report.headline(reading))
    if sys.stderr.isatty() and rows.format == "table":
        source = shlex.join(sources)
        if reading.findings and not verbose:
            said.append(f"next: urlset read {source} -o urls.parquet --findings findings.csv, or -v to see them all")
        elif rows.path is None:
            said.append(f"next: urlset read {source} -o urls.parquet")
    _report.say(*said)
