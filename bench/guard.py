"""Counts the instructions of small workloads and compares them with the baseline beside this file. Measures no time.

    python -m bench.guard            the table; ends with 1 where a count is more than 5 % off
    python -m bench.guard --accept   the same, and the counts become the baseline

The program is `crates/urlset/examples/guard.rs`. The core is optimised as in a release but for link-time optimisation;
what it stands on comes from the build of the tests. The instruction set is the plain one of the architecture, and the
compiler the one that the baseline names.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import PROJECT, target

BASELINE = PROJECT / "bench" / "guard.json"
TOLERANCE = 0.05
WORKLOADS = [
    "read_entries",
    "read_addresses",
    "read_extensions",
    "read_gzip",
    "read_small_files",
    "write_entries",
    "write_alternates_gzip",
]
_PROFILE = {"opt-level": 3, "codegen-units": 1, "debug-assertions": "false", "overflow-checks": "false"}


class NoCompilerError(Exception):
    """The compiler of the baseline is not on this machine."""


def compiler(environment: dict[str, str]) -> str:
    """Give the version of the compiler."""
    told = subprocess.run(["rustc", "--version"], check=False, capture_output=True, text=True, env=environment)
    return " ".join(told.stdout.split()[:2])


def pinned(wanted: str | None) -> dict[str, str]:
    """Give the environment of a build by this compiler, or by any."""
    foreign = ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET", "CARGO_PROFILE_", "CARGO_INCREMENTAL")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    plain |= {"RUSTFLAGS": "", "CARGO_INCREMENTAL": "0", "RUSTUP_AUTO_INSTALL": "0"}
    if wanted is None or compiler(plain) == wanted:
        return plain
    plain["RUSTUP_TOOLCHAIN"] = wanted.split()[-1]
    if compiler(plain) == wanted:
        return plain
    raise NoCompilerError(f"the baseline is of {wanted}, which is not installed")


def build(environment: dict[str, str]) -> Path:
    """Build the program."""
    profile = [f"--config=profile.dev.package.urlset.{name}={value}" for name, value in _PROFILE.items()]
    command = ["cargo", "build", "--quiet", "--locked", "-p", "urlset", "--example=guard", *profile]
    subprocess.run(command, check=True, cwd=PROJECT, env=environment)
    return target() / "debug" / "examples" / "guard"


def count(program: Path, workload: str) -> int:
    """Count the instructions of a workload."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=guard::work_*", "--callgrind-out-file=out"]
        told = subprocess.run(
            [*command, program, workload],
            check=False,
            capture_output=True,
            text=True,
            cwd=folder,
            env={"PATH": os.environ["PATH"]},  # what else is in it lies on the stack of the program
        )
    found = re.search(r"Collected : (\d+)", told.stderr)
    if told.returncode != 0 or found is None or int(found[1]) == 0:
        raise RuntimeError(f"{workload} failed\n{told.stdout}{told.stderr}")
    return int(found[1])


def compare(counts: dict[str, int], baseline: dict[str, int]) -> tuple[str, list[str]]:
    """Give the table of all workloads, and the names of those that are too far from their baseline."""
    lines = [f"{'workload':24} {'baseline':>12} {'now':>12} {'change':>8}"]
    off = []
    for name, now in counts.items():
        before = baseline.get(name)
        change = now / before - 1 if before else None
        if change is None or abs(change) > TOLERANCE:
            off.append(name)
        shown = "new" if change is None else f"{change:+.2%}"
        lines.append(f"{name:24} {before or 0:12,} {now:12,} {shown:>8}{'  <--' if name in off else ''}")
    return "\n".join(lines), off


def main(accept: bool) -> int:
    """Count everything, show it, and say whether it is as it was."""
    known = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    environment = pinned(None if accept else known.get("compiler"))
    program = build(environment)
    counts = {name: count(program, name) for name in WORKLOADS}
    table, off = compare(counts, known.get("instructions", {}))
    print(table)
    if accept:
        BASELINE.write_text(json.dumps({"compiler": compiler(environment), "instructions": counts}, indent=2) + "\n")
        return 0
    if off:
        print(f"more than {TOLERANCE:.0%} off: {', '.join(off)}")
        print("where that is meant, `make guard-accept` makes it the baseline; commit bench/guard.json and say why")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main("--accept" in sys.argv[1:]))
