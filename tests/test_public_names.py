"""The list of public names against what is there."""

from __future__ import annotations

import ast
import inspect
import statistics
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import urlset

ROOMS: dict[str, str] = urlset._ROOMS
# Modules that are public themselves: everything public in them is a public name of the package.
FACES = ["types", "errors"]


@pytest.mark.parametrize("name", sorted(ROOMS))
def test_name_is_there(name: str) -> None:
    room, _, there = ROOMS[name].partition(":")
    assert getattr(urlset, name) is getattr(import_module(f"urlset.{room}"), there or name)


def test_lists_agree() -> None:
    assert sorted(ROOMS) == urlset.__all__
    assert dir(urlset) == sorted(ROOMS)


def test_type_checkers_see_the_same() -> None:
    tree = ast.parse(inspect.getsource(urlset))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {"__version__": "_core:VERSION"}
    for line in block.body:
        if isinstance(line, ast.ImportFrom):
            assert line.module is not None
            for alias in line.names:
                assert alias.asname == alias.name, "only `import name as name` is a public name to type checkers"
                seen[alias.name] = line.module.removeprefix("urlset.")
    assert seen == ROOMS


def test_nothing_else_is_public() -> None:
    for name in ROOMS:
        getattr(urlset, name)
    public = {name for name in vars(urlset) if not name.startswith("_")}
    assert public - set(ROOMS) <= {*FACES, "TYPE_CHECKING"}


@pytest.mark.parametrize("face", FACES)
def test_every_class_of_a_face_is_public(face: str) -> None:
    module = import_module(f"urlset.{face}")
    classes = {
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }
    assert classes
    assert classes == {name for name, room in ROOMS.items() if room == face}


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'urlset' has no attribute 'reed'"):
        urlset.reed  # type: ignore[attr-defined]  # noqa: B018 - that type checkers refuse it too is half of the test


def test_import_is_cheap() -> None:
    heavy = ["click", "jinja2", "numpy", "pandas", "polars", "pyarrow", "pycurl", "rich", "urlset._core"]
    program = (
        "import sys, time; start = time.process_time(); import urlset; took = time.process_time() - start; "
        f"print(took, *[name for name in {heavy} if name in sys.modules])"
    )
    # User and system time: what else the machine does is no time of ours, and the median no accident.
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(5)
    ]
    assert all(run[1:] == [] for run in runs), runs
    assert statistics.median(float(run[0]) for run in runs) <= 0.060


def test_version_is_that_of_the_crates(project: Path) -> None:
    assert f'version = "{urlset.__version__}"' in (project / "Cargo.toml").read_text(encoding="utf-8")
