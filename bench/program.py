"""An adapter for a program that is started anew each round: `program.py NAME SUBJECT INPUT ROUNDS WARM`."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time

COMMANDS = {"xmllint": ["xmllint", "--stream", "--noout"]}


def main(name: str, path: str, rounds: int, warm: int) -> dict[str, object]:
    """Run it so many times, its output thrown away."""
    cpus, walls, peak = [], [], 0
    for number in range(warm + rounds):
        wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*COMMANDS[name], path], stdout=subprocess.DEVNULL, check=True, env=os.environ)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if number >= warm:
            cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            walls.append(time.perf_counter() - wall)
        peak = after.ru_maxrss
    return {"cpu": cpus, "wall": walls, "counts": [0], "growth_kib": peak, "peak_kib": peak}


if __name__ == "__main__":
    told = main(sys.argv[1], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    sys.stdout.write(json.dumps(told) + "\n")
