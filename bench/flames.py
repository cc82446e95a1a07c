"""Draws where reading and writing spend their time: flame graphs of inputs a and c, and of rows without and with links.

    python -m bench.flames [--callgrind] INFERNO FOLDER

INFERNO is the folder of inferno's programs. Samples are those of `perf`; where it may not look, or with `--callgrind`,
instructions as valgrind counts them, shared among callers by what each call cost. The programs are those of
`crates/urlset/examples`, optimised as those of `bench/guard.py`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from bench import guard

# What is run for each picture, and its arguments: many for perf, which wants seconds, few for valgrind, which does not.
CASES = {
    "read-a": ("read_file", "{inputs}/a.xml", "60", "1"),
    "read-c": ("read_file", "{inputs}/c.xml", "30", "1"),
    "write-rows": ("write_speed", "400000", "plain", "20000 plain"),
    "write-links": ("write_speed", "100000", "links plain", "5000 links plain"),
}
LEAST = 0.0005


def command(case: str, programs: Path, inputs: Path, few: bool) -> list[str]:
    """Give the command of a case."""
    program, first, many, less = CASES[case]
    arguments = [less] if few and program == "write_speed" else [first, less if few else many]
    return [str(programs / program), *" ".join(arguments).format(inputs=inputs).split()]


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
    programs = guard.build(environment, "guard", "read_file", "write_speed").parent
    subprocess.run([programs / "guard", "--dump", folder], check=True)
    for case in CASES:
        stacks = None if force else sampled(command(case, programs, folder, few=False), folder, inferno)
        by = "samples of perf" if stacks else "instructions of valgrind"
        stacks = stacks or counted(command(case, programs, folder, few=True), folder)
        drawn = subprocess.run(
            [inferno / "inferno-flamegraph", "--title", f"{case}, {by}", "--minwidth", "0.2"],
            check=True,
            input=stacks.encode(),
            capture_output=True,
        )
        picture = folder / f"{case}.svg"
        picture.write_bytes(drawn.stdout)
        print(os.path.relpath(picture))
    for name in ("a", "c"):
        (folder / f"{name}.xml").unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
