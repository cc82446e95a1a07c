"""Runs what `cases.toml` defines, round by round in turn, and keeps medians, spreads, memory and what was right."""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import os
import platform
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import PROJECT, answers
from bench.definitions import Cases, Program, Run, Subject

TIMEOUT_S = 1_200
Tell = Callable[[str], object]


@dataclass(frozen=True)
class Group:
    """Runs that share a process."""

    program: Program
    input: str
    rounds: int
    warm: int
    passes: int
    runs: tuple[Run, ...]


class Bench:
    """One measurement: definitions, where inputs lie, what is installed."""

    def __init__(self, cases: Cases, folder: Path, words: dict[str, str], missing: dict[str, str], tell: Tell) -> None:
        self.cases, self.folder, self.words, self.missing, self.tell = cases, folder, words, missing, tell
        self.scratch = folder.parent / f"scratch-{os.getpid()}"
        self.address = ""
        self._samples: dict[str, dict[str, list[float]]] = {}
        self._facts: dict[str, dict[str, Any]] = {}
        self._verdicts: dict[str, dict[str, answers.Verdict]] = {}

    def path(self, name: str) -> Path:
        given = self.cases.inputs[name]
        return self.folder / (given.file or name)

    @functools.cache  # noqa: B019 - there is one of it
    def truth(self, name: str) -> answers.Columns:
        return answers.table(self.folder / f"{self.cases.inputs[name].truth or name}.truth")

    @functools.cache  # noqa: B019 - there is one of it
    def expected(self, run: Run) -> int:
        """Return the count without which a result is wrong."""
        given, path = self.cases.inputs[run.input], self.path(run.input)
        match self.cases.expects.get(run.what, "urls"):
            case "urls":
                return given.urls
            case "ten":
                return given.urls * 10
            case "tags":
                return path.read_bytes().count(b"<")
            case "plain":
                return len(gzip.decompress(path.read_bytes()))
            case "bytes" if path.is_dir():
                return sum(p.stat().st_size for p in path.glob("sitemap-*.xml"))
            case "bytes":
                return path.stat().st_size
            case _:
                return 0

    def groups(self, wanted: Iterable[str], quick: bool = False) -> list[Group]:
        """Return processes to start: several together where their program can; `quick`: one round each."""
        found: dict[tuple[Any, ...], list[Run]] = {}
        for key in wanted:
            run, subject = self.cases.runs[key]
            program = self.cases.programs[subject.program]
            rounds = program.rounds if subject.rounds is None else subject.rounds
            warm = program.warm if subject.warm is None else subject.warm
            passes = 1_000 if subject.passes is None else subject.passes
            if quick:
                rounds, warm = 1, 0 if program.files == "left" else warm
            apart = None if program.together else key
            found.setdefault((program.name, run.input, rounds, warm, passes, apart), []).append(run)
        return [
            Group(self.cases.programs[name], given, rounds, warm, passes, tuple(runs))
            for (name, given, rounds, warm, passes, _), runs in found.items()
        ]

    def measure(self, wanted: Iterable[str], passes: int, quick: bool = False) -> dict[str, dict[str, Any]]:
        """Run everything so many times in turn; return what was seen of each run."""
        groups = self.groups(wanted, quick)
        for name in {run.input for group in groups for run in group.runs}:
            if (written := self.cases.inputs[name].written) and "python" in self.words:
                self._write_files(name, written)
        turns = [(number, group) for number in range(passes) for group in groups if number < group.passes]
        with self._server():
            for at, (number, group) in enumerate(turns, 1):
                started = time.perf_counter()
                try:
                    self._turn(group, first=number == 0)
                except (OSError, ValueError, KeyError) as error:  # one broken row is no reason to lose all others
                    for run in group.runs:
                        self._facts.setdefault(run.key, {})["wrong"] = f"failed: {without_paths(repr(error))}"
                keys = " ".join(run.key for run in group.runs)
                took = time.perf_counter() - started
                self.tell(f"[{at}/{len(turns)}] {keys} {self._said(group.runs[0].key)} ({took:.1f} s)")
        shutil.rmtree(self.scratch, ignore_errors=True)
        return {run.key: self._result(run.key) for group in groups for run in group.runs}

    def _said(self, key: str) -> str:
        seen = self._samples.get(key, {}).get("cpu")
        facts = self._facts.get(key, {})
        return facts.get("not_run") or facts.get("wrong") or (f"{statistics.median(seen):.4f} CPU s" if seen else "")

    def _command(self, group: Group, *more: str | Path) -> list[str]:
        words = [part for word in group.program.command for part in shlex.split(word.format(**self.words))]
        whats = ",".join(run.what for run in group.runs)
        return [*words, whats, str(self.path(group.input)), str(group.rounds), str(group.warm), *map(str, more)]

    def _turn(self, group: Group, *, first: bool) -> None:
        run = group.runs[0]
        if reason := self.missing.get(group.program.needs):
            for one in group.runs:
                self._facts[one.key] = {"not_run": reason}
            return
        answer, to = self.scratch / "answer", self.scratch / run.what
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        more: list[str | Path] = []
        if first and run.job == "reads":
            more += ["--answer", answer]
        if group.program.files or run.job == "writes":
            more += ["--to", to]
        more += ["--address", self.address + self.path(group.input).name]
        try:
            lines = run_adapter(self._command(group, *more))
        except AdapterError as reason:
            for one in group.runs:
                self._facts[one.key] = {"wrong": f"failed: {reason}"}
            return
        for one, told in zip(group.runs, lines, strict=True):
            self._take(one, told)
        facts = self._facts[run.key]
        if more[0] == "--answer" and answer.exists():
            judged = answers.compare(answers.table(answer), self.truth(run.input))
            facts |= {"right": judged.right} | ({"wrong": judged.wrong} if judged.wrong else {})
        elif first and (run.job == "writes" or (self._writes_rows(run) and to.is_dir() and any(to.iterdir()))):
            self._look(run, to)

    def _writes_rows(self, run: Run) -> bool:
        """Whether a floor's files are looked at too: those of rows with a truth, not of the core, which keeps them."""
        program = self.cases.programs[self.cases.runs[run.key][1].program]
        there = self.cases.inputs[run.input]
        return program.files == "left" and not there.written and self.cases.expects.get(run.what, "urls") == "urls"

    def _look(self, run: Run, to: Path) -> None:
        known = self._verdicts.setdefault(run.input, {})
        seen = answers.written(to, self.truth(run.input), known)
        facts = self._facts[run.key]
        facts |= {
            "right": seen.verdict.right,
            "bytes": seen.bytes,
            "plain_bytes": seen.plain_bytes,
            "files": seen.files,
        }
        if seen.verdict.wrong:
            facts["wrong"] = seen.verdict.wrong

    def _take(self, run: Run, told: dict[str, Any]) -> None:
        facts = self._facts.setdefault(run.key, {})
        if "unsupported" in told:
            facts["not_run"] = told["unsupported"]
            return
        samples = self._samples.setdefault(run.key, {})
        for name in ("cpu", "wall"):
            samples.setdefault(name, []).extend(told[name])
        for name in ("growth", "peak"):
            samples.setdefault(name, []).append(told[f"{name}_kib"] / 1024)
        expected = self.expected(run)
        if wrong := misses(told["counts"], expected, self.cases.expects.get(run.what, "urls")):
            facts["wrong"] = wrong
        elif told.get("findings") not in (None, []) and self.cases.expects.get(run.what, "urls") == "urls":
            meant = self.cases.inputs[run.input].findings
            if self._tells(run) and set(told["findings"]) != {meant}:
                facts["wrong"] = f"{told['findings'][0]:,} findings, {meant:,} were expected"
        if told.get("bytes") and told["bytes"][0]:
            facts.setdefault("bytes", told["bytes"][0])

    def _tells(self, run: Run) -> bool:
        """Whether a run tells findings."""
        return run.what in self.cases.tells and run.job != "writes"

    def _result(self, key: str) -> dict[str, Any]:
        found = dict(self._facts.get(key, {}))
        for name, values in self._samples.get(key, {}).items():
            if not values:
                continue
            places = 6 if name in {"cpu", "wall"} else 1
            found[name] = round(statistics.median(values), places)
            if name == "cpu":
                found |= {"least": round(min(values), 6), "most": round(max(values), 6), "rounds": len(values)}
        return found

    def _write_files(self, name: str, source: str) -> None:
        self.tell(f"writing {name}")
        command = [
            self.words["python"],
            f"{self.words['rivals']}/python/write.py",
            "urlset",
            str(self.path(source)),
            "1",
            "0",
        ]
        run_adapter([*command, "--to", str(self.path(name))])

    @contextmanager
    def _server(self) -> Iterator[None]:
        """Serve the inputs on 127.0.0.1, for those who read nothing but addresses."""

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

        with http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Quiet, directory=self.folder)
        ) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.address = f"http://127.0.0.1:{server.server_port}/"
            try:
                yield
            finally:
                server.shutdown()


class AdapterError(Exception):
    """An adapter that ended badly."""


def misses(counts: list[int], expected: int, what: str) -> str:
    """Return what is wrong with counts, nothing where all are the expected one.

    >>> misses([50_000], 50_000, "urls"), misses([50_000, 49_999], 50_000, "urls")
    ('', '49,999 URLs, 50,000 were expected')
    """
    other = [count for count in counts if count != expected]
    name = "URLs" if what == "urls" else what
    if not counts:
        return f"no count, {expected:,} {name} were expected"
    return f"{other[0]:,} {name}, {expected:,} were expected" if other else ""


def run_adapter(command: list[str]) -> list[dict[str, Any]]:
    """Start an adapter and return its lines of JSON."""
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "NODE_OPTIONS"}}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=environment,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise AdapterError(f"not done after {TIMEOUT_S} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise AdapterError(without_paths(next((x for x in reversed(lines) if "rror" in x), (lines or ["no word"])[-1])))
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def without_paths(text: str) -> str:
    """Return a message fit to be kept: no folder of this machine in it."""
    return re.sub(r"(?:file://)?/[\w.@+~-]+(?:/[\w.@+~-]+)+", "PATH", text)[:200]


def wanted(cases: Cases, only: str) -> list[str]:
    """Return the runs that words choose: names of requirements, of subjects, of runs, of inputs after an @.

    >>> from bench.definitions import load
    >>> wanted(load(), "R1")
    ['read@a', 'walk@a']
    """
    if not only.strip():
        return list(cases.runs)
    chosen: set[str] = set()
    for word in only.replace(",", " ").split():
        found = {
            key
            for requirement in cases.requirements
            if requirement.id.lower() == word.lower()
            for key in requirement.runs
        }
        found |= {
            key
            for key, (run, subject) in cases.runs.items()
            if word.lower() in {key, run.what, f"@{run.input}"} or word.lower() in subject.name.lower().split()
        }
        if not found:
            raise SystemExit(f"ONLY={word}: no requirement, subject or run is called so")
        chosen |= found
    return [key for key in cases.runs if key in chosen]


def machine() -> dict[str, Any]:
    """Return what the figures were taken on; nothing that names the machine."""
    model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text(encoding="ascii"))
    return {
        "cpu": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(int(memory[1]) / 1e6) if memory else 0,
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
        "load": round(os.getloadavg()[0], 1),
    }


def tools(subjects: list[Subject], cases: Cases) -> dict[str, str]:
    """Return versions of what runs the subjects."""
    found = {"python": platform.python_version()}
    asked = {
        "node": ["node", "-v"],
        "go": ["go", "env", "GOVERSION"],
        "cargo": ["cargo", "-V"],
        "xmllint": ["xmllint", "--version"],
    }
    asked["java"] = ["java", "-version"]
    for need in {cases.programs[subject.program].needs for subject in subjects} & asked.keys():
        if shutil.which(asked[need][0]):
            done = subprocess.run(asked[need], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            version = re.search(r"\d+(?:\.\d+)+|\d{5}", done.stdout)
            found[need] = version[0] if version else ""
    return found


def commit() -> str:
    """Return the commit that is measured."""
    command = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    done = subprocess.run(
        command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
    )
    return done.stdout.strip()


def inputs_made(python: str, folder: Path, names: list[str], seed: int) -> None:
    """Make the inputs, with the Python that has what it takes."""
    command = [python, "-m", "bench.inputs", str(folder), *names, "--seed", str(seed)]
    subprocess.run(command, cwd=PROJECT, check=True, stdout=sys.stderr)
