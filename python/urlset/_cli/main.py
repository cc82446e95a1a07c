"""The command as a whole: its subcommands, and the exit code of whatever happens."""

import io
import os
import sys

import click

from urlset import _core, _report
from urlset._cli.exits import Ended, closed_pipe, failed, interrupted
from urlset._cli.options import CONTEXT
from urlset._cli.read import read
from urlset._cli.write import write
from urlset.errors import StoreError
from urlset.types import Exit


def run(arguments: list[str]) -> int:
    """Run the command and return its exit code; nothing it does on purpose ends in a traceback."""
    if sys.stderr is None:  # closed: nobody is to be told anything
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - until the end
    if sys.stdout is None:
        return failed(StoreError("standard output is closed; a file, a pipe or a terminal was expected"))
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its number: no reason to stop.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        cli.main(arguments, prog_name="urlset", standalone_mode=False)
    except Ended as ended:
        return ended.code
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        words = io.StringIO()
        error.show(words)
        _report.say(*words.getvalue().replace("\nError: ", "\nerror: ").splitlines())
        return Exit.ERROR
    except (click.Abort, KeyboardInterrupt):
        return interrupted()
    except (BrokenPipeError, SystemExit):  # click exits where a pipe is closed on its help
        return closed_pipe()
    except OSError as error:
        return failed(error)
    return Exit.OK


class Group(click.Group):
    """Subcommands in the order in which people meet them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        """Return their names."""
        return list(self.commands)


@click.group(cls=Group, context_settings=CONTEXT)
@click.version_option(_core.VERSION, prog_name="urlset", message="%(prog)s %(version)s")
def cli() -> None:
    """Sitemaps as tables: read them, write them.

    Exit codes: 0 the result is complete, 1 it is not or --fail-on was reached, 2 could not run, 130 Ctrl-C.
    """


cli.add_command(read)
cli.add_command(write)
