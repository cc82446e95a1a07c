"""Every example runs: fences of the pages, and doctests of the package and of its stub.

A page runs from top to bottom in a folder of its own. Fences of `python` share their names; in fences of `console` each
line that starts with `$ ` is run by bash, and what follows is what it prints; a line of `...` stands for any lines and
`...` within a line for any text. Fences of other languages only show something.
"""

from __future__ import annotations

import ast
import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NamedTuple

import pytest

import urlset

PROJECT = Path(__file__).resolve().parent.parent
# Only what the project holds itself; folders that were made (.venv, node_modules, demo) have pages of their own.
PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")])
STUB = PROJECT / "python" / "urlset" / "_core.pyi"
FENCE = re.compile(r"^```(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


class Fence(NamedTuple):
    line: int
    kind: str
    text: str


def fences(page: str) -> Iterator[Fence]:
    for found in FENCE.finditer(page):
        yield Fence(page.count("\n", 0, found.start()) + 2, found["kind"], found["text"])


def matches(expected: str, printed: str) -> bool:
    """Whether a printed text is the expected one, `...` standing for anything."""
    pattern = re.escape(expected.strip("\n")).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, printed.strip("\n"), re.DOTALL) is not None


def commands(text: str) -> list[tuple[str, str]]:
    """Split a console fence into commands and what they print; a line ending in a backslash goes on."""
    parts: list[tuple[str, str]] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines).removeprefix("> ")
            parts.append((command, ""))
        else:
            assert parts, f"a console fence starts with a command, not with {line!r}"
            parts[-1] = (parts[-1][0], parts[-1][1] + line + "\n")
    return parts


def run_page(path: str, page: str, folder: Path) -> None:
    names: dict[str, Any] = {"__name__": "__page__"}
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    for fence in fences(page):
        if fence.kind == "python":
            code = "\n" * (fence.line - 1) + fence.text
            exec(compile(code, path, "exec", dont_inherit=True), names)
        elif fence.kind == "pycon":
            test = doctest.DocTestParser().get_doctest(fence.text, names, path, path, fence.line - 1)
            run_doctest(test, names)
        elif fence.kind == "console":
            for command, expected in commands(fence.text):
                done = subprocess.run(
                    ["bash", "-euo", "pipefail", "-c", command],
                    cwd=folder,
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    timeout=120,
                    check=False,
                )
                place = f"{path}:{fence.line}: $ {command}"
                assert done.returncode == 0, f"{place}\nexit code {done.returncode}\n{done.stdout}"
                assert matches(expected, done.stdout), f"{place}\nexpected:\n{expected}\nprinted:\n{done.stdout}"


def run_doctest(test: doctest.DocTest, names: dict[str, Any] | None = None) -> None:
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    failed = runner.run(test, out=said.append, clear_globs=names is None).failed
    assert not failed, "".join(said)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_page(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(str(path.relative_to(PROJECT)), path.read_text(encoding="utf-8"), tmp_path)


def modules() -> list[str]:
    found = [module.name for module in walk_packages(urlset.__path__, "urlset.")]
    # A program is not imported to be looked at; islands need what their extras bring and are run by their own tests.
    return ["urlset", *(name for name in found if not name.endswith("__main__") and ".integrations" not in name)]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        run_doctest(test)


def test_stub_docstrings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    names = vars(import_module("urlset._core"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            name = getattr(node, "name", "_core")
            run_doctest(doctest.DocTestParser().get_doctest(text, names, name, str(STUB), getattr(node, "lineno", 0)))


@pytest.mark.parametrize("document", [path for path in PAGES if path.parent == PROJECT], ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), target


def test_architecture_is_short() -> None:
    assert len((PROJECT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()) <= 150


WRONG = {
    "an exception": "```python\nraise ValueError\n```\n",
    "a wrong assertion": "```python\na = 1\n```\ntext\n```python\nassert a == 2\n```\n",
    "a wrong value": "```pycon\n>>> 1 + 1\n3\n```\n",
    "a command that fails": "```console\n$ false\n```\n",
    "a pipe that fails": "```console\n$ false | cat\n```\n",
    "a wrong line": "```console\n$ echo one\ntwo\n```\n",
    "a line too many": "```console\n$ printf 'one\\ntwo\\n'\none\n```\n",
}


@pytest.mark.parametrize("page", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_page_fails(page: str, tmp_path: Path) -> None:
    with pytest.raises((AssertionError, ValueError)):
        run_page("page.md", page, tmp_path)


def test_a_right_page_passes(tmp_path: Path) -> None:
    page = (
        "```python\na = 1\n```\n```pycon\n>>> a + 1\n2\n```\n"
        "```console\n$ echo one \\\n> two\none two\n$ printf 'a\\nb\\nc\\n'\na\n...\nc\n$ echo 1.23 s\n... s\n```\n"
        "```text\n$ false\n```\n"
    )
    run_page("page.md", page, tmp_path)
