"""The command: arguments to one public call, its result to the report, an exit code."""

import sys
from contextlib import suppress

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run `urlset` with these arguments, by default those of the process, and return the exit code.

    >>> main(["--version"])
    urlset ...
    0
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given == ["--version"]:
        # Asked by every script: answered without what the rest needs.
        from urlset._core import VERSION

        with suppress(AttributeError, OSError):  # a closed output is told of below, as always
            sys.stdout.write(f"urlset {VERSION}\n")
            sys.stdout.flush()
            return 0
    try:
        from urlset._cli.main import run
    except KeyboardInterrupt:  # while all of it is being loaded
        return 130
    return run(given)
