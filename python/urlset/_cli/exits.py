"""How a subcommand ends: what it raised becomes words on standard error and an exit code."""

import contextlib
import functools
import os
import sys
from collections.abc import Callable
from typing import Any

from urlset import _report
from urlset.errors import GuardRefused, RefusedRows, StrictError, UrlsetError
from urlset.types import Exit


class Ended(Exception):  # noqa: N818 - it is none
    """A subcommand is done, with this exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def interrupted() -> int:
    """End after Ctrl-C."""
    _report.say("interrupted")
    return Exit.INTERRUPTED


def closed_pipe() -> int:
    """End quietly: whoever read has seen enough."""
    _give_up_output()
    return Exit.OK


def _give_up_output() -> None:
    """Let go what is still to be flushed when the process ends: there it would fail again, and loudly."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def failed(error: UrlsetError | MemoryError | OSError) -> int:
    """End because it cannot go on."""
    _report.say(*_words(error))
    if isinstance(error, OSError):
        _give_up_output()
    return Exit.ERROR


def ending(command: Callable[..., int]) -> Callable[..., None]:
    """Turn what a subcommand raises into words and an exit code."""

    @functools.wraps(command)
    def ended(*args: Any, **options: Any) -> None:
        try:
            code = command(*args, **options)
            sys.stdout.flush()
        except BrokenPipeError:
            code = closed_pipe()
        except KeyboardInterrupt:
            code = interrupted()
        except StrictError as error:
            _report.say(f"strict: {error}")
            code = Exit.FINDINGS
        except (UrlsetError, MemoryError, OSError) as error:
            code = failed(error)
        raise Ended(int(code))

    return ended


def _words(error: UrlsetError | MemoryError | OSError) -> list[str]:
    """Return what an error says to somebody at a command line."""
    if isinstance(error, RefusedRows):
        count = sum(finding.count for finding in error.findings)
        return [
            f"error: {_report.number(count, 'row')} cannot be written, nothing was changed",
            *_report.refused(error.findings),
            "rows count from 0; mend them, or leave them out with --on-error skip",
        ]
    if isinstance(error, GuardRefused):
        flag = f"--{error.guard.replace('_', '-')}"
        return [
            f"error: {error.args[0]}",
            *_report.refused(error.findings),
            f"what stood there still stands; {flag} writes it all the same",
        ]
    if isinstance(error, MemoryError):
        return ["error: out of memory"]
    if isinstance(error, OSError):
        what = (error.strerror or str(error)).lower()
        return [f"error: {what}: {os.fsdecode(error.filename)}" if error.filename else f"error: {what}"]
    return [f"error: {error}"]
