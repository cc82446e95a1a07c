"""Rooms of the package import downwards only, and every room is listed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# What is planted in a copy of the package, and what the contract says of it.
PLANTED = [
    ("errors.py", "import urlset._core_of_nothing\n", "_core_of_nothing.py", "_core_of_nothing"),
    ("_schema.py", "import urlset._cli\n", "_cli.py", "urlset._schema is not allowed to import urlset._cli"),
    ("errors.py", "import urlset.types\n", "types.py", "urlset.errors is not allowed to import urlset.types"),
]


def lint(config: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [Path(sys.executable).with_name("lint-imports"), "--no-cache", "--config", config]
    return subprocess.run(
        command,
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "500"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_package(project: Path) -> None:
    done = lint(project / "pyproject.toml", project / "python")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("room", "text", "other", "message"), PLANTED)
def test_planted(tmp_path: Path, project: Path, room: str, text: str, other: str, message: str) -> None:
    package = tmp_path / "urlset"
    package.mkdir()
    package.joinpath("__init__.py").touch()
    package.joinpath(other).touch()
    package.joinpath(room).write_text(text, encoding="utf-8")
    shutil.copy(project / "pyproject.toml", tmp_path)
    done = lint(tmp_path / "pyproject.toml", tmp_path)
    assert done.returncode == 1
    assert message in done.stdout, done.stdout + done.stderr
