"""How tests run the command: in this process, in one of its own, on a terminal; and the names that they share."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from urlset._cli import main

COMMAND = [str(Path(sys.executable).with_name("urlset"))]
SHOP = "https://shop.example/"
LOCS = [f"{SHOP}tea", f"{SHOP}lamp", f"{SHOP}mug"]
ROWS = [("tea", "2024-05-17"), ("lamp", ""), ("mug", "2024-06-01T10:00:00Z")]
XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


class Done(NamedTuple):
    code: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    mine = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"}}
    return mine | {"TERM": "xterm", "COLUMNS": "100"} | more


def raw(*arguments: str | Path, cwd: Path, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    """Run the command in this process, with a standard input and outputs of its own: ten times as fast as another."""
    out, err = io.BytesIO(), io.BytesIO()
    streams: dict[str, Any] = {
        "stdin": io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), encoding="utf-8"),
        "stdout": io.TextIOWrapper(out, encoding="utf-8"),
        "stderr": io.TextIOWrapper(err, encoding="utf-8"),
    }
    with contextlib.chdir(cwd), patch.dict(os.environ, environment(), clear=True), patch.multiple(sys, **streams):
        code = main([str(argument) for argument in arguments])
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    return int(code), out.getvalue(), err.getvalue()


def run(*arguments: str | Path, cwd: Path, stdin: bytes = b"") -> Done:
    """Run the command in this process and return what it said as text."""
    code, out, err = raw(*arguments, cwd=cwd, stdin=stdin)
    return Done(code, out.decode(), err.decode())


def process(*arguments: str | Path, cwd: Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process, where that is what matters."""
    given: dict[str, Any] = {"env": environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([*COMMAND, *map(str, arguments)], cwd=cwd, timeout=60, check=False, **given)


def terminal(*arguments: str, cwd: Path, columns: int = 80, **more: str) -> tuple[int, str]:
    """Run the command on a terminal of its own; return the exit code and all that was shown."""
    mine, theirs = pty.openpty()
    termios.tcsetwinsize(mine, (24, columns))
    there = {name: value for name, value in environment(**more).items() if name != "COLUMNS"}
    with subprocess.Popen(
        [*COMMAND, *arguments], cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, env=there
    ) as one:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(mine, 65_536)
            except OSError:  # nobody has it open any more
                break
            if not piece:
                break
            shown += piece
    os.close(mine)
    return one.returncode, shown.decode().replace("\r\n", "\n")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
