"""What every subject in Python has in common: rounds timed in CPU seconds, memory watched, one line of JSON at the end.

    PROGRAM SUBJECT INPUT ROUNDS WARM [--answer FILE] [--to FOLDER] [--address URL]

The input is loaded before anything is measured. WARM rounds are not timed; memory is that of the first round of all.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RSS, PEAK = "VmRSS:", "VmHWM:"


@dataclass
class Given:
    """What a subject is given."""

    path: Path
    to: Path
    address: str


@dataclass
class Work:
    """What a subject does in a round; how many URLs that gave; and what it found, in the words of the truth."""

    round: Callable[[], Any]
    count: Callable[[Any], int] = len
    answer: Callable[[Any], tuple[str, Iterable[tuple[str, ...]]]] | None = None
    findings: Callable[[Any], int] | None = None
    bytes: Callable[[Any], int] | None = None


class UnsupportedError(Exception):
    """What is to be measured is not there in this version."""


def cpu() -> float:
    """Return CPU seconds of this process, its threads and its children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def memory(what: str) -> int:
    """Return a figure of memory in KiB."""
    with open("/proc/self/status", encoding="ascii") as file:  # noqa: PTH123
        return next(int(line.split()[1]) for line in file if line.startswith(what))


def forget_peak() -> None:
    """Let the peak begin anew."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write("5")


def clear(folder: Path) -> None:
    """Empty a folder that is written to: a set is made anew in each round."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def lines(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a table of tabs without its head."""
    with path.open(encoding="utf-8", newline="\n") as file:
        next(file)
        for line in file:
            yield line.rstrip("\n").split("\t")


def main(subjects: dict[str, Callable[[Given], Work]]) -> None:
    """Run one subject."""
    parser = argparse.ArgumentParser()
    parser.add_argument("subject", choices=subjects)
    parser.add_argument("input", type=Path)
    parser.add_argument("rounds", type=int)
    parser.add_argument("warm", type=int)
    parser.add_argument("--answer", type=Path)
    parser.add_argument("--to", type=Path, default=Path("/nonexistent"))
    parser.add_argument("--address", default="")
    told = parser.parse_args()
    try:
        work = subjects[told.subject](Given(told.input, told.to, told.address))
    except UnsupportedError as reason:
        print(json.dumps({"unsupported": str(reason)}))
        return
    writes = told.to.name and "--to" in sys.argv
    cpus, walls, counts, growth, peak = [], [], set(), 0, 0
    for number in range(told.warm + told.rounds):
        if writes:
            clear(told.to)
        gc.collect()
        if number == 0:
            forget_peak()
            before = memory(RSS)
        wall, start = time.perf_counter(), cpu()
        result = work.round()
        took, wall = cpu() - start, time.perf_counter() - wall
        if number == 0:
            peak = memory(PEAK)
            growth = peak - before
        counts.add(work.count(result))
        if number >= told.warm:
            cpus.append(took)
            walls.append(wall)
        if number < told.warm + told.rounds - 1:
            del result
    found = {"cpu": cpus, "wall": walls, "counts": sorted(counts), "growth_kib": growth, "peak_kib": peak}
    if work.findings:
        found["findings"] = [work.findings(result)]
    if work.bytes:
        found["bytes"] = [work.bytes(result)]
    if told.answer and work.answer:
        fields, rows = work.answer(result)
        with told.answer.open("w", encoding="utf-8", newline="") as file:
            file.write("\t".join(fields.split()) + "\n")
            file.writelines("\t".join(row) + "\n" for row in rows)
    print(json.dumps(found))
