"""What subcommands have in common: options that all of them take, and limits."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import click

from urlset.errors import OptionError
from urlset.types import SEVERITIES, Limits

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
_UNSET = "default"
"""Stands for a limit that nobody gave, since None lifts it."""

_LIMITS = {
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


def talkative(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what every subcommand takes."""
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Tell every finding."),
        click.option("-q", "--quiet", is_flag=True, help="Tell nothing but errors."),
        click.option(
            "--fail-on",
            type=click.Choice(["never", *SEVERITIES]),
            default="never",
            show_default=True,
            help="Exit with 1 when a finding is as bad as this.",
        ),
    ):
        command = option(command)
    return command


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each limit of reading."""
    for limit in reversed(fields(Limits)):
        command = click.option(
            f"--limit-{limit.name.removeprefix('max_')}",
            limit.name,
            metavar="N",
            callback=_limit,
            help=f"At most so many {_LIMITS[limit.name]} [default: {int(limit.default):,}].",
        )(command)
    return command


def given(bounds: dict[str, Any]) -> Limits:
    """Return the limits that were given, and the usual ones else."""
    try:
        return Limits(**{name: value for name, value in bounds.items() if value != _UNSET})
    except ValueError as error:
        raise OptionError(str(error).replace("max_", "--limit-", 1)) from None


def _limit(_context: click.Context, parameter: click.Parameter, value: str | None) -> float | str | None:
    if value is None:
        return _UNSET
    if value.lower() == "none":
        return None
    digits = value.replace("_", "").replace(",", "")
    try:
        return float(digits) if parameter.name in {"max_ratio", "max_seconds"} else int(digits)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no number; one was expected, or none to lift the limit") from None
