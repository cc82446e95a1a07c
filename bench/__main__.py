"""`python -m bench run` measures, `files` does so on files of your own, `report` renders; see `make bench`."""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import statistics
import sys
import time
from pathlib import Path

from bench import PROJECT, answers, definitions, install, report, run, target
from bench.inputs import SEED


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def measure(told: argparse.Namespace) -> int:
    """Install, make inputs, measure, keep, render."""
    started = time.time()
    cases = definitions.load()
    runs = run.wanted(cases, told.only)
    subjects = [s for s in cases.subjects if any(r.key in runs for r in s.runs)]
    home = target() / "bench"
    installed = install.Installed(home, told.wheel, told.core, tell)
    installed.bring({cases.programs[s.program].needs for s in subjects} | {"python"})
    if "python" in installed.missing:
        tell("nothing can be measured without the packages of bench/requirements.txt")
        return 1
    used = {cases.inputs[key.partition("@")[2]] for key in runs}
    names = {x.written or x.make or x.name for x in used}
    folder = home / f"inputs-{told.seed}"
    run.inputs_made(installed.words["python"], folder, sorted(names), told.seed)
    bench = run.Bench(cases, folder, installed.words, installed.missing, tell)
    machine = run.machine()
    found = bench.measure(runs, told.rounds or 1, quick=not told.rounds)
    result = {
        "date": f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
        "commit": run.commit(),
        "seed": told.seed,
        "passes": told.rounds,
        "machine": machine | {"load_after": run.machine()["load"]},
        "tools": run.tools(subjects, cases),
        "versions": install.versions(installed.words, {s.package for s in subjects if s.package}),
        "inputs": {x.name: size(bench.path(x.name)) for x in sorted(used, key=lambda x: x.name)},
        "runs": found,
    }
    whole = not told.only.strip() and told.seed == SEED
    kept = report.RESULTS / f"{result['date']}.json" if whole else home / "last.json"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(result, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(report.terminal(cases, result))  # noqa: T201
    tell(f"{time.time() - started:.0f} s; kept in {kept.relative_to(PROJECT) if whole else kept}")
    if whole:
        report.write(cases)
    return 0


def files(told: argparse.Namespace) -> int:
    """Measure the core on files of one's own: there is no truth to compare with, so what was read is told."""
    home = target() / "bench"
    installed = install.Installed(home, Path(), told.core, tell)
    installed.bring({"core"})
    if "core" not in installed.words:
        return 1
    lines = [f"{'MB':>8} {'rows':>8} {'findings':>8} {'walk ms':>8} {'read ms':>8} {'x the walk':>10}  file"]
    for path in told.paths:
        plain = home / "plain"
        plain.write_bytes(answers.plain(path))
        walk, read = run.run_adapter([installed.words["core"], "walk,read", str(plain), "15", "3"])
        hop, took = (statistics.median(one["cpu"]) * 1e3 for one in (walk, read))
        lines.append(
            f"{plain.stat().st_size / 1e6:8.2f} {read['counts'][0]:8} {read['findings'][0]:8} {hop:8.3f} {took:8.3f} "
            f"{took / hop:10.2f}  {path.name}"
        )
        plain.unlink()
    print("\n".join(lines))  # noqa: T201
    return 0


def size(path: Path) -> dict[str, object]:
    """Return the bytes of an input and what they are known by."""
    files = sorted(path.glob("sitemap*")) if path.is_dir() else [path]
    if path.name == "sitemap.xml":
        files = sorted(path.parent.glob("*.xml"))
    sums = hashlib.sha256()
    for file in files:
        sums.update(file.read_bytes())
    return {"bytes": sum(f.stat().st_size for f in files), "sha256": sums.hexdigest()[:16]}


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    running = verbs.add_parser("run", help="measure")
    running.add_argument("--only", default="", help="requirements, subjects or runs, such as 'R1 lxml @b'")
    running.add_argument("--seed", type=int, default=SEED)
    running.add_argument("--rounds", type=int, default=3, help="processes of each run; 0: one, with a single round")
    running.add_argument("--wheel", type=Path, required=True, help="the wheel of urlset that is measured")
    running.add_argument("--core", type=Path, help="a build of the example `bench`, instead of building one")
    own = verbs.add_parser("files", help="the core and the walk on files of your own, plain or gzipped")
    own.add_argument("paths", type=Path, nargs="+")
    own.add_argument("--core", type=Path)
    verbs.add_parser("report", help="render the tables and the plot from the latest results")
    told = parser.parse_args()
    if told.verb == "run":
        return measure(told)
    if told.verb == "files":
        return files(told)
    report.write(definitions.load())
    return 0


if __name__ == "__main__":
    sys.exit(main())
