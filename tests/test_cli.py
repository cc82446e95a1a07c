"""The command as a whole: help, exit codes, pipes, terminals, signals. Each verb has a file of its own.

`tests/help.txt` holds the help of every subcommand; `python -m tests.test_cli` writes it anew.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import COMMAND, LOCS, SHOP, environment, names, process, run, terminal

HERE = Path(__file__).resolve().parent
HELP = HERE / "help.txt"


def help_text() -> str:
    pages = []
    for arguments in ([], ["read"], ["write"]):
        done = run(*arguments, "--help", cwd=HERE)
        assert done.code == 0, done.err
        pages.append(f"$ urlset {' '.join([*arguments, '--help'])}\n{done.out}")
    return "\n".join(pages)


def test_help_is_as_checked() -> None:
    assert help_text() == HELP.read_text(encoding="utf-8"), "write it anew with: .venv/bin/python -m tests.test_cli"


@pytest.mark.parametrize("arguments", [["--version"], ["-h"], ["read", "-h"]])
def test_what_needs_no_source(tmp_path: Path, arguments: list[str]) -> None:
    code, out, err = run(*arguments, cwd=tmp_path)
    assert (code, err) == (0, "")
    assert "urlset" in out


def test_the_module_is_the_command(shop: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "urlset", "read", "one.xml", "--format", "urls"],
        cwd=shop,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == LOCS[:2]


# Exit codes


CODES = [
    (["read", "one.xml"], 0, "", "complete"),
    (["read", "odd/warned.xml"], 0, "", "findings are told, and no more"),
    (["read", "odd/warned.xml", "--fail-on", "info"], 1, "", "--fail-on was reached"),
    (["read", "one.xml", "--fail-on", "info"], 0, "", "--fail-on was not reached"),
    (["read", "odd/cut.xml"], 1, "NOT COMPLETE", "a part is missing"),
    (["read", "odd/warned.xml", "--strict"], 1, "strict: odd/warned.xml:1:", "the first finding"),
    (["read", "none.xml"], 2, "error: .*: none.xml", "no such file"),
    (["read", "none*.xml"], 2, "error: no file fits this pattern: none\\*.xml", "no such files"),
    (["read", "https://shop.example/"], 2, "live sites", "no network in this version"),
    (["read"], 2, "Missing argument 'SOURCE...'", "usage"),
    (["read", "one.xml", "--format", "xml"], 2, "'xml' is not one of", "usage"),
    (["read", "one.xml", "--columns", "nothing"], 2, "error: .*nothing", "no such column"),
    (["read", "one.xml", "--columns", ","], 2, "error: columns: no column is named", "no column"),
    (["read", "one.xml", "--format", "urls", "--columns", "lastmod"], 2, "gives loc", "contradiction"),
    (["read", "one.xml", "--limit-files", "0"], 2, "error: --limit-files is 0, a number above 0", "a limit"),
    (["read", "one.xml", "--limit-files", "x"], 2, "'x' is no number", "a limit"),
    (["read", "one.xml", "--limit-entries", "1"], 1, "NOT COMPLETE", "a limit that bites"),
    (["read", "one.xml", "--limit-files", "none"], 0, "", "a limit that is lifted"),
    (["read", "one.xml", "-o", "none/a.csv"], 2, "make the folder first: none/a.csv", "no such folder"),
    (["read", "one.xml", "-o", "odd", "--format", "csv"], 2, "error: a folder, a file was expected: odd", "a folder"),
    (["write", "none.csv", "--to", "a.xml"], 2, "error: there is no such file: none.csv", "no such file"),
    (["write", "one.xml", "--to", "a.xml"], 2, "urlset.read makes a table of it", "no table"),
    (["write", "odd", "--to", "a.xml"], 2, "error: a folder, a file that holds a table was expected: odd", "a folder"),
    (["write", "-", "--to", "a.xml"], 2, "tells? its format", "an empty stream"),
    (["write", "-"], 2, "Missing option '--to'", "usage"),
    (["write", "-", "--to", "a.xml", "--format", "csv"], 2, "'csv' is not one of 'table', 'json'", "--table-format"),
    (["write", "-", "--to", "set"], 2, "error: base: base is missing", "usage"),
    (["write", "-", "--to", "a.xml", "--max-urls", "60000"], 2, "error: max_urls is 60000, 1 to 50000", "usage"),
    (["nothing"], 2, "No such command 'nothing'", "usage"),
]


@pytest.mark.parametrize(("arguments", "code", "said", "why"), CODES, ids=[" ".join(case[0]) for case in CODES])
def test_exit_codes(shop: Path, arguments: list[str], code: int, said: str, why: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in shop.rglob("*")}
    done = run(*arguments, cwd=shop)
    assert done.code == code, (why, done)
    assert re.search(said, done.err), (why, done.err)
    assert "Traceback" not in done.err
    if code == 2:
        assert done.out == ""
    assert {path: path.stat().st_mtime_ns for path in shop.rglob("*")} == before


def test_the_file_behind_standard_input_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_text(f"{LOCS[0]}\n")
    for arguments in (["read", "-", "-o", "urls.txt"], ["write", "-", "--to", "urls.txt"]):
        with path.open("rb") as file:
            done = subprocess.run([*COMMAND, *arguments], cwd=tmp_path, stdin=file, capture_output=True, check=False)
        assert done.returncode == 2
        assert path.read_text() == f"{LOCS[0]}\n"


# Quiet, verbose, colours


@pytest.mark.parametrize("format_", ["jsonl", "table", "json"])
def test_quiet(shop: Path, format_: str) -> None:
    code, out, err = run("read", "odd/cut.xml", "--format", format_, "-q", cwd=shop)
    assert (code, err) == (1, "")
    assert out


def test_errors_are_told_also_when_quiet(shop: Path, tmp_path: Path) -> None:
    assert "error: " in run("read", "none.xml", "-q", cwd=shop).err
    (tmp_path / "t.csv").write_text("loc\n/relative\n")
    assert "error: " in run("write", "t.csv", "--to", "b.txt", "-q", cwd=tmp_path).err


def test_quiet_write(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"loc\n{LOCS[0]}\n/relative\n")
    assert run("write", "t.csv", "--to", "a.txt", "-q", "--on-error", "skip", cwd=tmp_path) == (0, "", "")


def test_verbose(shop: Path, tmp_path: Path) -> None:
    err = run("read", "odd/cut.xml", "-v", cwd=shop).err
    assert re.search(r'^odd/cut\.xml:1:\d+: URL001 error loc "/relative" is relative, ', err, re.MULTILINE)
    (tmp_path / "t.csv").write_text(f"loc\n{LOCS[0]}\n/relative\n")
    err = run("write", "t.csv", "--to", "a.txt", "-v", "--on-error", "skip", cwd=tmp_path).err
    assert re.search(r'^(row 1|line 3.*): URL001 error loc "/relative" is relative, ', err, re.MULTILINE)


COLOUR = re.compile(r"\x1b\[(?:\d+;)*3\d")


def test_terminals_have_colours_and_may_have_none(shop: Path) -> None:
    code, shown = terminal("read", "odd/cut.xml", cwd=shop)
    assert code == 1
    assert COLOUR.search(shown)
    assert "next: urlset read odd/cut.xml -o urls.parquet" in shown
    code, shown = terminal("read", "odd/cut.xml", cwd=shop, NO_COLOR="1")
    assert code == 1
    assert "URL001" in shown
    assert not COLOUR.search(shown)
    assert "\x1b" not in run("read", "odd/cut.xml", "--format", "table", cwd=shop).out, "a pipe is no terminal"


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(shop: Path, columns: int) -> None:
    _, shown = terminal("read", "odd/cut.xml", "-q", cwd=shop, columns=columns, NO_COLOR="1")
    tables = [line for line in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).splitlines() if "  " in line]
    assert len(tables) >= 4
    assert max(map(len, tables)) <= columns


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["read", "one.xml", "--format", "parquet"], "parquet"),
        (["read", "one.xml", "--format", "arrow", "-o", "-"], "arrow"),
        (["write", "one.xml", "--to", "-", "--gzip"], "gzip"),
    ],
)
def test_a_terminal_is_spared_what_is_no_text(shop: Path, arguments: list[str], what: str) -> None:
    code, shown = terminal(*arguments, cwd=shop)
    assert code == 2
    assert f"{what} is no text, and standard output is a terminal" in shown


# What files and names say does not steer a terminal


STEERING = "\x1b[31m\x1b]0;x\x07\u202e\u2066\u200b\x9b31m"


def test_nothing_steers_the_terminal(tmp_path: Path) -> None:
    name = f"a{STEERING}.txt"
    (tmp_path / name).write_text(f"https://shop.example/{STEERING}tea\n{STEERING}\n" * 3)
    (tmp_path / "t.csv").write_text(f"loc,{STEERING}\n/{STEERING},x\n")
    said = [
        *run("read", name, "--format", "table", cwd=tmp_path)[1:],
        run("read", name, "--format", "urls", "-v", cwd=tmp_path).err,
        *run("read", name, name, "--format", "table", cwd=tmp_path)[1:],
        run("read", name, "--format", "json", cwd=tmp_path).out,
        run("read", f"none{STEERING}", cwd=tmp_path).err,
        run(STEERING, cwd=tmp_path).err,
        run("read", name, f"--{STEERING}", cwd=tmp_path).err,
        run("read", name, "-o", f"a{STEERING}", cwd=tmp_path).err,
        run("write", "t.csv", "--to", "a.xml", cwd=tmp_path).err,
        *run("write", "t.csv", "--to", f"a{STEERING}.xml", "--on-error", "skip", "--allow-empty", cwd=tmp_path)[1:],
    ]
    for text in said:
        assert all(character.isprintable() or character == "\n" for character in text), ascii(text)
    assert "\\x1b[31m" in said[0]
    assert "\\u202e" in said[0]
    _, shown = terminal("read", name, cwd=tmp_path, columns=200)
    assert "\\x1b[31m" in shown
    assert not {"\u202e", "\u2066", "\u200b", "\x9b", "\x07"} & set(shown)
    assert "\x1b]" not in shown


def test_names_that_are_no_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"a\xff.xml")
    (tmp_path / name).write_text(f"{LOCS[0]}\n/relative\n")
    for format_ in ("table", "json", "jsonl"):
        code, _, err = run("read", name, name, "--format", format_, cwd=tmp_path)
        assert code == 0, err
    assert "none\\xff" in run("read", os.fsdecode(b"none\xff"), cwd=tmp_path).err


def test_a_terminal_without_our_characters(shop: Path) -> None:
    ascii_only = environment(PYTHONIOENCODING="ascii")
    done = process("read", "one.xml", "--format", "table", cwd=shop, env=ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")


# Pipes that close, disks that are full, Ctrl-C


@pytest.mark.parametrize("format_", ["table", "json", "jsonl", "csv", "arrow", "parquet", "urls"])
def test_a_closed_pipe_ends_quietly(many: Path, format_: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = process("read", "urls.txt", "--format", format_, cwd=many.parent, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["read urls.txt --format jsonl", "write urls.txt --to -", "read --help"])
def test_head(many: Path, command: str) -> None:
    line = f"{COMMAND[0]} {command} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], cwd=many.parent, capture_output=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)


def test_nobody_listens(shop: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    for arguments, code in [(["read", "none.xml"], 2), (["read", "odd/cut.xml"], 1), (["nothing"], 2)]:
        done = subprocess.run([*COMMAND, *arguments], cwd=shop, stdout=subprocess.DEVNULL, stderr=writer, check=False)
        assert done.returncode == code
    os.close(writer)


@pytest.mark.parametrize("arguments", [["read", "urls.txt"], ["read", "urls.txt", "--format", "table"]])
def test_a_full_disk(many: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments, cwd=many.parent, stdout=full)
    assert done.returncode == 2
    assert done.stderr == b"error: no space left on device\n"


@pytest.mark.parametrize("arguments", [["--version"], ["read", "--help"]])
def test_words_into_nowhere(tmp_path: Path, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = process(*arguments, cwd=tmp_path, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments, cwd=tmp_path, stdout=full)
    assert (done.returncode, done.stderr) == (2, b"error: no space left on device\n")


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("read one.xml --format urls >&-", 2, "error: standard output is closed"),
        ("--version >&-", 2, "error: standard output is closed"),
        ("read one.xml --format urls 2>&-", 0, LOCS[0]),
        ("read none.xml 2>&-", 2, ""),
        ("read - --format urls <&-", 2, "error: standard input is closed: -"),
    ],
)
def test_what_is_closed(shop: Path, closed: str, code: int, said: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{COMMAND[0]} {closed}"], cwd=shop, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith(said)
    assert "Traceback" not in done.stderr


@pytest.fixture
def endless() -> Iterator[subprocess.Popen[bytes]]:
    """More addresses than anybody will read."""
    with subprocess.Popen(["yes", f"{SHOP}p/1"], stdout=subprocess.PIPE) as lines:
        yield lines
        lines.kill()


def interrupt(process: subprocess.Popen[bytes], folder: Path) -> bytes:
    """Press Ctrl-C as soon as something was staged; return what was said."""
    for _ in itertools.count():
        assert process.poll() is None, process.communicate()
        if any(path.stat().st_size for path in folder.rglob(".urlset-tmp-*")):
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=30)[1]


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet", "rows.txt.gz"])
def test_ctrl_c_on_a_read(tmp_path: Path, endless: subprocess.Popen[bytes], name: str) -> None:
    (tmp_path / name).write_bytes(b"as it was")
    command = [*COMMAND, "read", "-", "-o", name]
    process = subprocess.Popen(command, cwd=tmp_path, stdin=endless.stdout, stderr=subprocess.PIPE)
    assert interrupt(process, tmp_path) == b"interrupted\n"
    assert process.returncode == 130
    assert names(tmp_path) == {name}
    assert (tmp_path / name).read_bytes() == b"as it was"


def test_ctrl_c_on_a_write(tmp_path: Path, endless: subprocess.Popen[bytes]) -> None:
    command = [*COMMAND, "write", "-", "--base", SHOP, "--to", "new/set", "--max-urls", "5000"]
    process = subprocess.Popen(command, cwd=tmp_path, stdin=endless.stdout, stderr=subprocess.PIPE)
    assert interrupt(process, tmp_path) == b"interrupted\n"
    assert process.returncode == 130
    assert not names(tmp_path), "not even a folder"


# Nothing installed but what is required


ALONE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        required = {"urlset", "click", "rich", "markdown_it", "mdurl", "pygments"}
        if top not in required | set(sys.stdlib_module_names) | {"sitecustomize", "usercustomize"}:
            raise ModuleNotFoundError(f"{name} is an extra", name=name)

sys.meta_path.insert(0, Refuse())
"""


def test_it_runs_with_no_extra(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(ALONE)
    alone = environment(PYTHONPATH=os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).strip(os.pathsep))
    index = str(shop / "sitemap.xml")
    formats = ("table", "json", "jsonl", "csv", "arrow", "parquet", "urls")
    commands = [["read", index, "--format", name, "-o", f"rows-{name}"] for name in formats]
    commands += [
        ["write", f"rows-{name}", "--table-format", name, "--base", SHOP, "--to", f"set-{name}", "-q"]
        for name in ("csv", "parquet", "arrow")
    ]
    program = f"from urlset._cli import main; print([main(command) for command in {commands!r}])"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=alone, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == (f"{[0] * len(commands)}\n", "")
    program = "import polars"
    refused = subprocess.run([sys.executable, "-c", program], env=alone, capture_output=True, text=True, check=False)
    assert "polars is an extra" in refused.stderr, "the test refuses what it says"


if __name__ == "__main__":
    HELP.write_text(help_text(), encoding="utf-8")
    print(f"written: {HELP}")
