"""`urlset write`: a file that holds a table to sitemaps."""

import sys
from collections.abc import Callable
from typing import Any

import click

import urlset
from urlset import _report
from urlset._cli.exits import ending
from urlset._cli.options import talkative
from urlset._cli.output import SUMS, shown
from urlset._source import FORMATS
from urlset._write import MAX_BYTES, MAX_URLS
from urlset.errors import OptionError
from urlset.types import Exit


def _bound(name: str, most: int, what: str) -> Callable[..., Any]:
    return click.option(name, type=int, default=most, metavar="N", help=f"{what} [default: {most:,}].")


@click.command("write", short_help="Write a table as sitemaps, with an index.")
@click.argument("table")
@click.option(
    "--to",
    required=True,
    metavar="DIR",
    help="Folder; or a single file that ends in .xml or .txt, packed where .gz follows; or - for standard output.",
)
@click.option("--base", metavar="URL", help="Address below which the files are published; needed for a folder.")
@_bound("--max-urls", MAX_URLS, "URLs of a file at most")
@_bound("--max-children", MAX_URLS, "Files of an index at most")
@_bound("--max-bytes", MAX_BYTES, "Bytes of a file before compression at most")
@click.option("--gzip/--no-gzip", default=None, help="Compress [default: in a folder].")
@click.option("--level", type=int, default=6, metavar="N", help="Level of compression, 0 to 12 [default: 6].")
@click.option("--text", is_flag=True, help="Write lists of addresses and nothing else.")
@click.option("--nested", is_flag=True, help=f"Past {MAX_URLS:,} files write indexes of indexes.")
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
    "--on-error",
    type=click.Choice(["raise", "skip"]),
    default="raise",
    help="skip: leave out rows that cannot be written.",
)
@click.option("--allow-empty", is_flag=True, help="Write a set without URLs where the table has no rows.")
@click.option("--allow-offsite", is_flag=True, help="Write addresses of other sites.")
@click.option(
    "--robots",
    metavar="FILE",
    help="robots.txt to name the set in [default: in DIR, where the base is the root of its host].",
)
@click.option("--no-robots", is_flag=True, help="Leave every robots.txt alone.")
@click.option("--force", is_flag=True, help="Replace files that urlset did not write.")
@click.option("--threads", type=int, metavar="N", help="Threads that compress [default: one for each processor].")
@click.option(
    "--table", "table_name", metavar="NAME", help="Table of a database [default: the only one with a column loc]."
)
@click.option("--sql", metavar="SELECT", help="Query whose rows are written.")
@click.option("--table-format", type=click.Choice(FORMATS), help="Format of TABLE [default: by its ending or content].")
@click.option(
    "--format",
    "format_",
    type=click.Choice(SUMS),
    default="table",
    show_default=True,
    help="How the result is told.",
)
@talkative
@ending
def write(
    table: str,
    format_: str,
    to: str,
    robots: str | None,
    no_robots: bool,
    fail_on: str,
    quiet: bool,
    verbose: bool,
    **options: Any,
) -> int:
    """Write a table as sitemaps, with an index and a line in robots.txt.

    TABLE is a CSV, TSV, JSON, JSON lines, Parquet, Arrow or SQLite file, a text file of addresses, or - for standard
    input. It needs a column loc; lastmod, changefreq, priority, images, videos, news, alternates and more are written
    where they are there, nested ones also from JSON text.

    Nothing is changed unless every row can be written; files are whole at every instant, those that would hold the same
    are not touched, and only files that urlset wrote are ever replaced or removed. A single file takes the place of a
    sitemap or a list of addresses, and of nothing else without --force.

    \b
    urlset write pages.csv --base https://shop.example/ --to public
    urlset write shop.sqlite --sql "select url as loc from product" --base https://shop.example/ --to public
    """
    if to == "-" and options["gzip"] and sys.stdout.isatty():
        raise OptionError("gzip is no text, and standard output is a terminal; a file or a pipe was expected", "to")
    with _report.progress("writing", quiet=quiet) as tick:
        result = urlset.write(
            table,
            shown(sys.stdout.buffer, "xml") if to == "-" else to,
            robots=False if no_robots else robots,
            progress=tick,
            **options,
        )
    if format_ == "json":
        (sys.stderr if to == "-" else sys.stdout).write(_report.written_json(result) + "\n")
    elif not quiet and to != "-":
        _report.show(_report.written(result))
    elif not quiet and (result.findings or sys.stderr.isatty()):
        _report.say(*_report.written(result))
    if verbose and not quiet:
        _report.say(*map(_report.finding, result.findings))
    return Exit.FINDINGS if _report.reaches(result.findings, fail_on) else Exit.OK
