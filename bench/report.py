"""Renders the latest results: the tables of both READMEs, and the plot. Measures nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import PROJECT, plot
from bench.definitions import Cases, Requirement, Run, Subject

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
PLOT = PROJECT / "docs" / "bench.svg"
STARTS, ENDS = "<!-- bench: rendered by `make bench-report` -->", "<!-- bench: end -->"

Result = dict[str, Any]
Seen = dict[str, Any]
FIELDS: tuple[str, ...] = ("loc", "lastmod", "changefreq", "priority")
EXTENDED: tuple[str, ...] = ("images", "videos", "news", "alternates")


def latest(folder: Path = RESULTS) -> Result:
    """Return the latest results."""
    found: Result = json.loads(max(folder.glob("*.json")).read_text(encoding="utf-8"))
    return found


def short(number: float) -> str:
    """Return three digits that matter.

    >>> short(3_812_345), short(302_100), short(0.01324), short(12.345), short(0)
    ('3.81 M', '302 k', '0.0132', '12.3', '0')
    """
    if number >= 1e6:
        return f"{number / 1e6:.3g} M"
    if number >= 1e3:
        return f"{number / 1e3:.3g} k"
    return f"{number:.3g}" if abs(number) >= 0.001 or number == 0 else f"{number:.1g}"


def ranked(seen: Seen) -> bool:
    """Whether a run has a place among others: it ran, and its count is right."""
    return "cpu" in seen and "wrong" not in seen and "not_run" not in seen


def right(run: Run, seen: Seen, urls: int) -> str:
    """Return what is right of an answer, by field, in a few words."""
    if "not_run" in seen:
        return f"not run: {seen['not_run']}"
    if "wrong" in seen:
        return f"**wrong**: {seen['wrong']}"
    found = seen.get("right", {})
    expected = {"b": FIELDS[:1], "c": FIELDS[:2] + EXTENDED}.get(run.input, FIELDS)
    words = [
        f"{percent(urls - found[name], urls)} of {plural(name)} wrong"
        for name in expected
        if found.get(name, urls) < urls
    ]
    if missing := [name for name in expected if name not in found]:
        words.append(f"no {', '.join(missing)}")
    return "; ".join(words) or "yes"


def plural(name: str) -> str:
    return {"loc": "locs", "lastmod": "lastmods", "priority": "priorities", "changefreq": "changefreqs"}.get(name, name)


def percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2g} %" if part < whole else "all"


def named(subject: Subject, result: Result) -> str:
    """Return a subject with the version of its package; of a Go package without versions, its day."""
    version = result["versions"].get(subject.package, "")
    version = re.sub(r"^0\.0\.0-(\d{4})(\d\d)(\d\d)\d{6}-.*", r"\1-\2-\3", version)
    return f"{subject.name} {version}".strip()


def label(subject: Subject, result: Result) -> str:
    return f"**{named(subject, result)}**" if subject.ours else named(subject, result)


def rows(cases: Cases, result: Result, job: str, given: set[str]) -> list[tuple[Subject, Run, Seen]]:
    """Return runs of a job on inputs: those with a place, fastest first, then the others."""
    found = [
        (subject, run, result["runs"][run.key])
        for subject in cases.subjects
        for run in subject.runs
        if run.job == job and run.input in given and run.key in result["runs"]
    ]
    return sorted(found, key=lambda row: (not ranked(row[2]), row[2].get("cpu", 0) / cases.inputs[row[1].input].urls))


def reading(cases: Cases, result: Result, given: str) -> str:
    """Return the table of readers on an input."""
    urls, size = cases.inputs[given].urls, result["inputs"][given]["bytes"]
    lines = ["| reader | URLs per CPU s | MB/s | CPU s | memory, MB | right? |", "|---|--:|--:|--:|--:|---|"]
    for subject, run, seen in rows(cases, result, "reads", {given}):
        told = right(run, seen, urls)
        if ranked(seen):
            cpu = seen["cpu"]
            figures = f"{short(urls / cpu)} | {short(size / 1e6 / cpu)} | {short(cpu)} | {megabytes(seen['growth'])}"
        else:
            figures = "– | – | – | –"
        lines.append(f"| {label(subject, result)} | {figures} | {told} |")
    return "\n".join(lines)


def megabytes(mib: float) -> str:
    return f"{mib * 1.048576:.0f}"


def writing(cases: Cases, result: Result) -> str:
    """Return the table of writers: plain and gzipped side by side."""
    lines = [
        "| writer | URLs per CPU s | s per million | gzipped: URLs per CPU s | s per million | memory, MB | right? |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    plain = [row for row in rows(cases, result, "writes", {"w", "w-tenth"}) if not row[1].what.endswith("-gz")]
    for subject, run, seen in plain:
        packed = result["runs"].get(f"{run.what}-gz@{run.input}", {})
        urls = cases.inputs[run.input].urls
        figures = []
        for one in (seen, packed):
            rate = short(urls / one["cpu"]) if ranked(one) else "–"
            million = short(one["cpu"] / urls * 1e6) if ranked(one) else "–"
            figures += [rate, million]
        memory = megabytes(seen["growth"]) if ranked(seen) else "–"
        told = right(run, seen, urls)
        note = " ¹" if run.input == "w-tenth" else ""
        lines.append(f"| {label(subject, result)}{note} | {' | '.join(figures)} | {memory} | {told} |")
    return "\n".join(lines)


def floors(cases: Cases, result: Result) -> str:
    """Return the floors and the core, with spreads."""
    lines = ["| what | on | CPU s | least to most | MB/s of the input |", "|---|---|--:|--:|--:|"]
    for subject, run, seen in sorted(
        rows(cases, result, "floors", set(cases.inputs)), key=lambda row: (row[1].input, row[2].get("cpu", 0))
    ):
        size = result["inputs"][run.input]["bytes"]
        name = f"{subject.name}: `{run.what}`" if len(subject.runs) > 1 and subject.ours else subject.name
        if ranked(seen):
            cpu, least, most = (seen[name] for name in ("cpu", "least", "most"))
            figures = f"{short(cpu)} | {short(least)} to {short(most)} | {short(size / 1e6 / cpu)}"
        else:
            figures = f"{right(run, seen, 1)} | | "
        lines.append(f"| {name} | {run.input} | {figures} |")
    return "\n".join(lines)


def value(requirement: Requirement, runs: dict[str, Seen]) -> tuple[float | None, str]:
    """Return the figure of a requirement, or None and why there is none."""
    for key in sorted(
        {*requirement.over, *requirement.minus, *requirement.under, *requirement.same, *requirement.no_larger}
    ):
        seen = runs.get(key, {"not_run": "not asked for"})
        if "not_run" in seen:
            return None, seen["not_run"]
        if "wrong" in seen:
            return None, f"{key}: {seen['wrong']}"

    def total(keys: list[str]) -> float:
        return sum(float(runs[key][requirement.measure]) for key in keys)

    found = total(requirement.over) - total(requirement.minus)
    if requirement.under:
        found /= total(requirement.under)
    elif requirement.unit == "MB":
        found *= 1.048576
    return found, ""


def judged(requirement: Requirement, runs: dict[str, Seen]) -> tuple[str, str]:
    """Return the figure as text, and what it is: met, missed, or not measured."""
    found, reason = value(requirement, runs)
    if found is None:
        return "–", f"not measured: {reason}"
    text = f"{found:.2f}" if requirement.under else f"{found:.1f}"

    def meets(bound: float) -> bool:
        return found >= bound if requirement.least else found <= bound

    if requirement.no_larger:
        first, second = (runs[key]["bytes"] for key in requirement.no_larger)
        if first > second:
            return text, f"**missed**: {first:,} bytes against {second:,}"
    if requirement.same and len({runs[key]["bytes"] for key in requirement.same}) > 1:
        return text, "**missed**: the bytes are not the same"
    if not meets(requirement.must):
        return text, "**missed**"
    reached = [goal for goal in requirement.goals if meets(goal)]
    return text, f"met, goal {reached[-1]:g} too" if reached else "met"


def bounds(requirement: Requirement) -> tuple[str, str]:
    sign = "≥" if requirement.least else "≤"
    return f"{sign} {requirement.must:g}", ", ".join(f"{goal:g}" for goal in requirement.goals) or "–"


def requirements(cases: Cases, result: Result) -> str:
    """Return every requirement with its figure and its bounds."""
    lines = ["| | what | measured | must | goal | |", "|---|---|--:|--:|--:|---|"]
    for one in cases.requirements:
        text, told = judged(one, result["runs"])
        must, goal = bounds(one)
        beside = "".join(
            f"; {cases.runs[key][1].name} takes {short(result['runs'][key]['cpu'])} s of {short(total)} s"
            for key in one.beside
            if ranked(result["runs"].get(key, {})) and (total := sum(result["runs"][k].get("cpu", 0) for k in one.over))
        )
        lines.append(f"| {one.id} | {one.what}{beside} | {text} {one.unit} | {must} | {goal} | {told} |")
    return "\n".join(lines)


def losses(cases: Cases, result: Result) -> str:
    """Return where urlset is behind: a rival with less CPU or less memory, a must that is missed."""
    return "\n".join(f"- {line}" for line in _losses(cases, result)) or "- None in these results."


def _losses(cases: Cases, result: Result) -> Iterator[str]:
    runs = result["runs"]
    for one in cases.requirements:
        text, told = judged(one, runs)
        if "missed" in told:
            must, _ = bounds(one)
            yield f"{one.id}, {one.what}: {text} {one.unit}, must be {must}."
    for job, given, verb in (("reads", "a", "reading a"), ("reads", "c", "reading c"), ("writes", "w", "writing w")):
        found = [row for row in rows(cases, result, job, {given}) if ranked(row[2])]
        for packed in (False, True):
            some = [row for row in found if row[1].what.endswith("-gz") == packed]
            ours = next((seen for subject, _, seen in some if subject.ours), None)
            for subject, _, seen in some:
                if ours is None or subject.ours:
                    continue
                what = f"{verb}{', gzipped' if packed else ''}"
                if seen["cpu"] < ours["cpu"]:
                    yield f"{subject.name}, {what}: {short(seen['cpu'])} CPU s against {short(ours['cpu'])}."
                if seen["growth"] < ours["growth"]:
                    memory = f"{megabytes(seen['growth'])} MB of memory against {megabytes(ours['growth'])}"
                    yield f"{subject.name}, {what}: {memory}."


def subjects(cases: Cases, result: Result) -> str:
    """Return how each subject is run, and what is known to be wrong with its result."""
    lines = ["| subject | how it is run | known of it |", "|---|---|---|"]
    for subject in cases.subjects:
        if subject.reads or subject.writes:
            job = "reads" if subject.reads else "writes"
            lines.append(f"| {label(subject, result)}, {job} | {subject.how} | {subject.known} |")
    return "\n".join(lines)


def inputs(cases: Cases, result: Result) -> str:
    """Return the inputs with their sizes and digests."""
    lines = ["| | what | bytes | SHA-256 begins |", "|---|---|--:|---|"]
    for name, seen in result["inputs"].items():
        lines.append(f"| {name} | {cases.inputs[name].what} | {seen['bytes']:,} | `{seen['sha256']}` |")
    return "\n".join(lines)


def where(result: Result) -> str:
    machine = result["machine"]
    cores = f"{machine['cores']} cores of {machine['cpu']}"
    return f"{result['date']}, {cores}, {machine['memory_gb']} GB, {machine['system']}"


def readme(cases: Cases, result: Result) -> str:
    """Return the section of the root README: the essence."""
    return f"""![URLs per CPU second of readers and writers](docs/bench.svg)

CPU seconds of one process, medians; memory is what the process grows by, its input not counted; an answer is compared
with the truth field by field. {where(result)}{"" if result["passes"] else "; a quick look, one round of each"}.
`make bench` measures anew; [all figures, how each subject is run, and where urlset loses](bench/README.md).

Reading {cases.inputs["a"].urls:,} URLs with four tags, {result["inputs"]["a"]["bytes"] / 1e6:.1f} MB in memory:

{reading(cases, result, "a")}

Writing {cases.inputs["w"].urls:,} rows with four columns to files of 50,000 and an index:

{writing(cases, result)}

¹ On the first 100,000 rows.

Against the floors, each measured in the same run:

{requirements(cases, result)}"""


def page(cases: Cases, result: Result) -> str:
    """Return the rendered half of bench/README.md."""
    tools = ", ".join(f"{name} {version}" for name, version in sorted(result["tools"].items()))
    return f"""{where(result)}. urlset at commit `{result["commit"]}`; {tools}.
{f"{result['passes']} processes of each, in turn" if result["passes"] else "One round of each, a quick look"}.
Load before and after: {result["machine"]["load"]}, {result["machine"]["load_after"]}.

## Must and goal

{requirements(cases, result)}

## Where urlset loses

{losses(cases, result)}

## Reading a

{reading(cases, result, "a")}

## Reading c

{reading(cases, result, "c")}

## Writing w

{writing(cases, result)}

¹ On the first 100,000 rows.

## Floors, and the core alone

{floors(cases, result)}

## How each is run

{subjects(cases, result)}

## Inputs

{inputs(cases, result)}"""


def put(page: str, text: str) -> str:
    """Return a page with a text between the marks."""
    before, _, rest = page.partition(STARTS)
    _, _, after = rest.partition(ENDS)
    if not rest:
        raise ValueError(f"the page has no {STARTS}")
    return f"{before}{STARTS}\n{text}\n{ENDS}{after}"


def rendered(cases: Cases, result: Result) -> dict[Path, str]:
    """Return every file that results are rendered to."""
    texts = {PROJECT / "README.md": readme, HERE / "README.md": page}
    found = {path: put(path.read_text(encoding="utf-8"), make(cases, result)) for path, make in texts.items()}
    return found | {PLOT: plot.svg(*bars(cases, result))}


def bars(cases: Cases, result: Result) -> tuple[list[plot.Bar], list[plot.Bar]]:
    """Return the bars of the plot: readers of a, writers of w."""

    def rate(run: str, given: str) -> float | None:
        seen = result["runs"].get(f"{run}@{given}", {})
        return cases.inputs[given].urls / seen["cpu"] if ranked(seen) else None

    def flaw(run: Run, seen: Seen) -> bool:
        return right(run, seen, cases.inputs[run.input].urls) != "yes"

    readers = [
        plot.Bar(named(s, result), rate(r.what, r.input), None, s.ours, flaw(r, seen))
        for s, r, seen in rows(cases, result, "reads", {"a"})
        if ranked(seen)
    ]
    writers = [
        plot.Bar(named(s, result), rate(r.what, r.input), rate(f"{r.what}-gz", r.input), s.ours, flaw(r, seen))
        for s, r, seen in rows(cases, result, "writes", {"w", "w-tenth"})
        if ranked(seen) and not r.what.endswith("-gz")
    ]
    return readers, writers


def write(cases: Cases) -> None:
    """Render the latest results to where they stand."""
    for path, text in rendered(cases, latest()).items():
        path.write_text(text, encoding="utf-8")


def terminal(cases: Cases, result: Result) -> str:
    """Return a table for the screen: runs, then requirements that could be measured."""
    lines = [f"{'run':32} {'CPU s':>9} {'least':>9} {'most':>9} {'MB':>6}  right?"]
    for key, seen in sorted(
        result["runs"].items(), key=lambda item: (item[0].partition("@")[2], item[1].get("cpu", 0))
    ):
        run, _ = cases.runs[key]
        told = right(run, seen, cases.inputs[run.input].urls) if run.job != "floors" or not ranked(seen) else ""
        figures = (
            f"{seen['cpu']:9.4f} {seen['least']:9.4f} {seen['most']:9.4f} {megabytes(seen['growth']):>6}"
            if ranked(seen)
            else f"{'–':>36}"
        )
        lines.append(f"{key:32} {figures}  {told}")
    lines.append("")
    for one in cases.requirements:
        text, told = judged(one, result["runs"])
        if told != "not measured: not asked for":
            must, goal = bounds(one)
            lines.append(
                f"{one.id:3} {one.what:56} {text:>7} {one.unit:22} must {must:7} goal {goal:6} {told}".replace("**", "")
            )
    return "\n".join(lines)
