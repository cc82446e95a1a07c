"""`cases.toml` as objects, refused where it does not make sense."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

HERE = Path(__file__).resolve().parent
CASES = HERE / "cases.toml"

Job = Literal["reads", "writes", "floors"]
Measure = Literal["cpu", "wall", "growth"]


@dataclass(frozen=True)
class Input:
    """A file or a folder that is read."""

    name: str
    what: str
    urls: int
    file: str = ""
    make: str = ""
    truth: str = ""
    written: str = ""
    findings: int = 0


@dataclass(frozen=True)
class Program:
    """An adapter: how it is started."""

    name: str
    needs: str
    command: list[str]
    rounds: int
    warm: int
    together: bool = False
    files: Literal["left", "kept"] | None = None
    """Whether it writes files: left in the folder that it is told, to be looked at, or kept to itself."""


@dataclass(frozen=True)
class Run:
    """Something done to an input by a subject."""

    what: str
    input: str
    job: Job

    @property
    def key(self) -> str:
        return f"{self.what}@{self.input}"


@dataclass(frozen=True)
class Subject:
    """Who is measured."""

    name: str
    program: str
    how: str
    package: str = ""
    known: str = ""
    ours: bool = False
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    floors: list[str] = field(default_factory=list)
    rounds: int | None = None
    warm: int | None = None
    passes: int | None = None

    @property
    def runs(self) -> list[Run]:
        jobs: dict[Job, list[str]] = {"reads": self.reads, "writes": self.writes, "floors": self.floors}
        return [
            Run(what, given, job)
            for job, keys in jobs.items()
            for what, _, given in (key.partition("@") for key in keys)
        ]


@dataclass(frozen=True)
class Requirement:
    """A ratio with the bound that gates and those that are wished for."""

    id: str
    what: str
    unit: str
    must: float
    over: list[str]
    goals: list[float] = field(default_factory=list)
    minus: list[str] = field(default_factory=list)
    under: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    no_larger: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    measure: Measure = "cpu"
    least: bool = False

    @property
    def runs(self) -> set[str]:
        return {*self.over, *self.minus, *self.under, *self.beside, *self.no_larger, *self.same}


@dataclass(frozen=True)
class Cases:
    """All of it."""

    inputs: dict[str, Input]
    programs: dict[str, Program]
    subjects: list[Subject]
    requirements: list[Requirement]
    expects: dict[str, str]
    """What a run counts, by what it does; URLs where it is not here."""
    tells: list[str]
    """What tells findings."""

    @property
    def runs(self) -> dict[str, tuple[Run, Subject]]:
        return {run.key: (run, subject) for subject in self.subjects for run in subject.runs}


def _known(kind: type, table: dict[str, Any], what: str) -> dict[str, Any]:
    unknown = table.keys() - {one.name for one in fields(kind)}
    if unknown:
        raise ValueError(f"{what} has {', '.join(sorted(unknown))}, which nothing reads")
    return table


def load(path: Path = CASES) -> Cases:
    """Return the definitions. ValueError where a run names no input, or a requirement no run."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))
    cases = Cases(
        {name: Input(name, **_known(Input, table, name)) for name, table in told["inputs"].items()},
        {name: Program(name, **_known(Program, table, name)) for name, table in told["programs"].items()},
        [Subject(**_known(Subject, table, table["name"])) for table in told["subjects"]],
        [Requirement(**_known(Requirement, table, table["id"])) for table in told["requirements"]],
        told["expects"],
        told["tells"],
    )
    seen: set[str] = set()
    for subject in cases.subjects:
        if subject.program not in cases.programs:
            raise ValueError(f"{subject.name} is run by {subject.program!r}, which is no program")
        for run in subject.runs:
            if run.input not in cases.inputs:
                raise ValueError(f"{run.key} names an input that is not there")
            if run.key in seen:
                raise ValueError(f"{run.key} is there twice")
            seen.add(run.key)
    for requirement in cases.requirements:
        if missing := requirement.runs - seen:
            raise ValueError(f"{requirement.id} needs {', '.join(sorted(missing))}, which no subject runs")
    return cases
