"""Draws where reading and writing spend their time: flame graphs of workloads of the guard.

    python -m bench.flames [--callgrind] INFERNO FOLDER

INFERNO is the folder of inferno's programs. Samples are those of `perf`; where it may not look, or with `--callgrind`,
instructions as valgrind counts them, shared among callers by what each call cost.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from bench import guard

# Of each workload how many times as large it is, and how often it runs: perf wants seconds, counts do not.
WORKLOADS = {
    "read_entries": ("50", "60"),
    "read_extensions": ("30", "30"),
    "write_entries": ("50", "60"),
    "write_alternates": ("100", "30"),
}
COUNTED = ("5", "5")
# Share of the whole below which a frame is too narrow to be seen.
LEAST = 0.0005


def sampled(run: list[str], folder: Path, inferno: Path) -> str | None:
    """Give the stacks that perf sees, one a line with its count; `None` where perf does not work."""
    data = folder / "perf.data"
    record = ["perf", "record", "--freq=997", "--call-graph=dwarf,16384", f"--output={data}", *run]
    try:
        subprocess.run(record, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    script = ["perf", "script", "--no-inline", f"--input={data}"]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as told:
        folded = subprocess.run([inferno / "inferno-collapse-perf"], check=True, stdin=told.stdout, capture_output=True)
    data.unlink()
    return folded.stdout.decode()


def counted(run: list[str], folder: Path) -> str:
    """Give the stacks of the instructions that valgrind counts."""
    out = folder / "callgrind.out"
    count = [
        "valgrind",
        "--tool=callgrind",
        "--compress-strings=no",
        "--compress-pos=no",
        f"--callgrind-out-file={out}",
    ]
    subprocess.run([*count, *run], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    told = out.read_text(errors="replace")
    out.unlink()
    return fold(told)


def fold(told: str) -> str:
    """Give the stacks of a call graph, below `main`: a function's cost goes to its callers by what their calls cost."""
    own: dict[str, int] = defaultdict(int)
    calls: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    function, callee, called = "", "", False
    for line in told.splitlines():
        if line.startswith("fn="):
            function = line[3:]
        elif line.startswith("cfn="):
            callee = line[4:]
        elif line.startswith("calls="):
            called = True
        elif re.match(r"[+*\d-]", line):
            cost = int(line.split()[1])
            if called:
                calls[function][callee] += cost
            else:
                own[function] += cost
            called = False
    whole = {name: own[name] + sum(calls[name].values()) for name in [*own, *calls]}
    least = whole["main"] * LEAST
    lines = []
    waiting: list[tuple[tuple[str, ...], float]] = [(("main",), 1.0)]
    while waiting:
        stack, share = waiting.pop()
        self_cost = own[stack[-1]] * share
        for name, cost in calls[stack[-1]].items():
            part = cost * share
            if name in stack:
                continue  # what calls itself is in its cost already
            if part < least:
                self_cost += part  # too little to be seen
            elif whole.get(name):
                waiting.append(((*stack, name), part / whole[name]))
        if self_cost >= 1:
            lines.append(f"{';'.join(name.replace(';', ':') for name in stack)} {self_cost:.0f}")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Draw every case."""
    force = "--callgrind" in arguments
    inferno, folder = [Path(a).resolve() for a in arguments if not a.startswith("--")]
    folder.mkdir(parents=True, exist_ok=True)
    environment = guard.pinned(None)
    program = str(guard.build(environment))
    for workload, many in WORKLOADS.items():
        stacks = None if force else sampled([program, workload, *many], folder, inferno)
        by = "samples of perf" if stacks else "instructions of valgrind"
        stacks = stacks or counted([program, workload, *COUNTED], folder)
        drawn = subprocess.run(
            [inferno / "inferno-flamegraph", "--title", f"{workload}, {by}", "--minwidth", "0.2"],
            check=True,
            input=stacks.encode(),
            capture_output=True,
        )
        picture = folder / f"{workload}.svg"
        picture.write_bytes(drawn.stdout)
        print(os.path.relpath(picture))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
