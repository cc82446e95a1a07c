"""What the package weighs and what a start costs: limits, and the table of the README."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from bench import weight

MOST_MEGABYTES = 40.0
MOST_SECONDS = 0.150


def cpu_seconds(command: list[str]) -> float:
    """User and system time of a process: what else the machine does is no time of ours."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def test_asking_for_the_version_is_cheap() -> None:
    command = [str(Path(sys.executable).with_name("urlset")), "--version"]
    cpu_seconds(command)  # the first one compiles
    assert statistics.median(cpu_seconds(command) for _ in range(7)) <= MOST_SECONDS


def test_only_what_is_imported_is_required(project: Path) -> None:
    """The other way round, that nothing else is needed, is tested where the command runs alone."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (project / "python").rglob("*.py"))
    direct = [line.split(";")[0] for line in distribution("urlset").requires or [] if "extra ==" not in line]
    names = [Requirement(line).name.lower() for line in direct]
    assert names
    assert [name for name in names if f"import {name}" not in sources and f"from {name}" not in sources] == []


def test_the_base_install_is_light_and_the_readme_says_how_light() -> None:
    packages = weight.required()
    if not all(weight.is_whole(package) for package in packages):
        pytest.skip("urlset is a link to its sources: `make build` installs it as users have it")
    sizes = {package.metadata["Name"]: weight.megabytes(package) for package in packages}
    assert sum(sizes.values()) <= MOST_MEGABYTES, sizes
    shown = weight.BETWEEN.search(weight.README.read_text(encoding="utf-8"))
    assert shown
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in shown[0].splitlines()[2:]]
    again = "the table is not of today: .venv/bin/python -m bench.weight writes it anew"
    assert [row[0] for row in rows] == [*sizes, "in all"], again
    assert float(rows[-1][2]) == pytest.approx(sum(sizes.values()), rel=0.1), again
    for name, _, megabytes in rows[:-1]:
        assert float(megabytes) == pytest.approx(sizes[name], rel=0.25, abs=0.2), f"{name}: {again}"


@pytest.mark.parametrize(
    ("told", "whole"),
    [("", True), ('{"url": "file:///x.whl", "archive_info": {}}', True), ('{"dir_info": {"editable": true}}', False)],
)
def test_a_link_to_sources_is_not_weighed(told: str, whole: bool) -> None:
    class Package(Distribution):
        def read_text(self, filename: str) -> str | None:
            assert filename == "direct_url.json"
            return told or None

        def locate_file(self, path: str | os.PathLike[str]) -> Path:
            raise NotImplementedError

    assert weight.is_whole(Package()) is whole
