"""The instructions of small workloads are those of the baseline. Measures no time."""

from __future__ import annotations

import json
import platform
import shutil

import pytest

from bench import guard

# Counts are those of one instruction set.
pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="the baseline is of x86-64")


def test_instructions_are_those_of_the_baseline() -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is missing: `make system` installs it")
    known = json.loads(guard.BASELINE.read_text())
    try:
        environment = guard.pinned(known["compiler"])
    except guard.NoCompilerError as missing:
        pytest.skip(f"{missing}: `rustup toolchain install {known['compiler'].split()[-1]}`")
    program = guard.build(environment)
    counts = {name: guard.count(program, name) for name in guard.WORKLOADS}
    table, off = guard.compare(counts, known["instructions"])
    assert not off, f"\n{table}\nwhere that is meant, `make guard-accept` makes it the baseline; commit it and say why"


@pytest.mark.parametrize(
    ("now", "is_off"),
    [(1_000, False), (1_049, False), (1_051, True), (951, False), (949, True)],
)
def test_more_than_five_in_a_hundred_is_too_far_either_way(now: int, is_off: bool) -> None:
    _, off = guard.compare({"a": now}, {"a": 1_000})
    assert off == (["a"] if is_off else [])


def test_a_workload_without_baseline_is_told() -> None:
    table, off = guard.compare({"a": 1}, {})
    assert off == ["a"]
    assert "new" in table


def test_the_baseline_names_every_workload() -> None:
    assert list(json.loads(guard.BASELINE.read_text())["instructions"]) == guard.WORKLOADS
