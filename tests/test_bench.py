"""The benchmarks are honest: no wrong result is a fast one, inputs come from their seed, pages say what results say."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench import answers, definitions, inputs, install, plot, report, run
from bench.definitions import Cases, Input, Program, Requirement, Subject

PROJECT = Path(__file__).resolve().parent.parent
BENCH = PROJECT / "bench"
TRUTH = {
    "loc": ["https://shop.example/a", "https://shop.example/b?x=1&copy=2"],
    "lastmod": ["2024-05-17", "2024-05-17T10:30+02:00"],
    "instant": ["1715904000000000", "1715934600000000"],
    "changefreq": ["daily", "never"],
    "priority": ["0.8", "1.0"],
}


def found(**changed: list[str]) -> answers.Columns:
    return {name: changed.get(name, values) for name, values in TRUTH.items() if name != "instant"}


# Pages and definitions.


def test_every_requirement_of_the_core_is_defined() -> None:
    ids = {requirement.id for requirement in definitions.load().requirements}
    assert ids >= {"R1", "R2", "R3", "R4", "R5", "R7", "R9", "W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ('[inputs.a]\nfile = "a.xml"', '[inputs.a]\nfiel = "a.xml"'),
        ('program = "read"', 'program = "reed"'),
        ('floors = ["pass@a", "pass@c"]', 'floors = ["pass@a", "pass@z"]'),
        ('floors = ["pass@a", "pass@c"]', 'floors = ["pass@a", "pass@a"]'),
        ('over = ["read@a"]', 'over = ["read@z"]'),
    ],
)
def test_definitions_that_make_no_sense_are_refused(wrong: str, says: str, tmp_path: Path) -> None:
    text = definitions.CASES.read_text(encoding="utf-8")
    assert wrong in text
    path = tmp_path / "cases.toml"
    path.write_text(text.replace(wrong, says, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=r"which nothing reads|no program|not there|twice|no subject runs"):
        definitions.load(path)


def test_words_choose_runs() -> None:
    cases = definitions.load()
    assert run.wanted(cases, "") == list(cases.runs)
    assert run.wanted(cases, "r1, w8") == [
        "read@a",
        "walk@a",
        "deflate-6@r-files",
        "urlset@r",
        "urlset-gz@r",
        "fstring@r",
    ]
    assert set(run.wanted(cases, "@b")) == {"urlset@b", "read@b", "walk@b"}
    with pytest.raises(SystemExit, match="no requirement"):
        run.wanted(cases, "lxnl")


# Answers.


def test_a_right_answer_is_right() -> None:
    verdict = answers.compare(
        found(lastmod=["@1715904000000000", "2024-05-17T08:30:00Z"], priority=["0.80", "1"]), TRUTH
    )
    assert verdict == (2, dict.fromkeys(("loc", "lastmod", "changefreq", "priority"), 2), "")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("loc", "https://shop.example/b?x=1©=2"),
        ("loc", "https://shop.example/b?x=1&amp;copy=2"),
        ("lastmod", ""),
        ("lastmod", "2024-05-17"),
        ("lastmod", "@1715934600"),
        ("changefreq", ""),
        ("priority", "0.5"),
        ("priority", ""),
        ("priority", "one"),
    ],
)
def test_a_wrong_value_is_counted(field: str, value: str) -> None:
    verdict = answers.compare(found(**{field: [TRUTH[field][0], value]}), TRUTH)
    assert verdict.right == {name: 1 if name == field else 2 for name in found()}


def test_another_order_is_right_and_swapped_values_are_not() -> None:
    turned = {name: values[::-1] for name, values in found().items()}
    assert answers.compare(turned, TRUTH).right == dict.fromkeys(turned, 2)
    swapped = answers.compare(found(loc=TRUTH["loc"][::-1]), TRUTH)
    assert swapped.right == {name: 2 if name == "loc" else 0 for name in turned}


def test_missing_and_repeated_rows_make_an_answer_wrong() -> None:
    one = {name: values[1:] for name, values in found().items()}
    verdict = answers.compare(one, TRUTH)
    assert verdict.wrong == "1 URLs, 2 were expected"
    assert verdict.right == dict.fromkeys(one, 1)  # the row that is there is judged by its address
    three = {name: [*values, values[0]] for name, values in found().items()}
    assert answers.compare(three, TRUTH).wrong == "3 URLs, 2 were expected"


def files(folder: Path, *, entries: str | None = None, index: int = 1, packed: bool = False) -> Path:
    folder.mkdir()
    text = entries or "".join(
        f"<url><loc>{loc.replace('&', '&amp;')}</loc><lastmod>{at}</lastmod>"
        f"<changefreq>{often}</changefreq><priority>{number}</priority></url>"
        for loc, at, often, number in zip(*(TRUTH[f] for f in answers.FIELDS), strict=True)
    )
    data = f'<urlset xmlns="{inputs.SITEMAP}">{text}</urlset>'.encode()
    (folder / f"sitemap-00001.xml{'.gz' * packed}").write_bytes(gzip.compress(data) if packed else data)
    children = f"<sitemap><loc>{inputs.BASE}sitemap-00001.xml</loc></sitemap>" * index
    (folder / "sitemap.xml").write_text(f'<sitemapindex xmlns="{inputs.SITEMAP}">{children}</sitemapindex>')
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_right_files_are_right(packed: bool, tmp_path: Path) -> None:
    seen = answers.written(files(tmp_path / "set", packed=packed), TRUTH, {})
    assert (seen.files, seen.verdict) == (1, (2, dict.fromkeys(answers.FIELDS, 2), ""))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"entries": "<url><loc>https://shop.example/a</loc></url>"}, "1 URLs, 2 were expected"),
        ({"entries": "<url><loc>https://shop.example/b?x=1&copy=2</loc></url>"}, "not well-formed"),
        ({"index": 2}, "the index lists 2 files, there are 1"),
    ],
)
def test_wrong_files_are_wrong(options: dict[str, Any], says: str, tmp_path: Path) -> None:
    assert says in answers.written(files(tmp_path / "set", **options), TRUTH, {}).verdict.wrong


# The runner, with adapters of our own.

SCRIPT = """
import json, sys
subject, path, rounds, warm, *rest = sys.argv[1:]
rounds = int(rounds)
if subject == "breaks": raise RuntimeError("no such thing in /somewhere/of/mine.py")
if subject == "lacks": print(json.dumps({"unsupported": "not in this version"})); sys.exit()
if subject == "babbles": print("{}"); sys.exit()
if "--to" in rest: __import__("os").mkdir(rest[rest.index("--to") + 1])
count = {"short": [1], "varies": [2, 1]}.get(subject, [2])
if "--answer" in rest:
    last = "https://shop.example/b" + "?x=1&copy=2" * (subject != "alters")
    rows = ["loc", "https://shop.example/a", last]
    open(rest[rest.index("--answer") + 1], "w").write("\\n".join(rows) + "\\n")
cpu = {"short": 0.001}.get(subject, 0.5)
seen = {"cpu": [cpu] * rounds, "wall": [cpu] * rounds, "counts": count, "growth_kib": 1024, "peak_kib": 2048}
print(json.dumps(seen))
"""


@pytest.fixture
def little(tmp_path: Path) -> run.Bench:
    """A benchmark of two URLs, with subjects that do well, and otherwise."""
    script = tmp_path / "adapter.py"
    script.write_text(SCRIPT)
    folder = tmp_path / "inputs"
    folder.mkdir()
    (folder / "a.xml").write_text("<urlset/>")
    (folder / "a.truth").write_text("loc\n" + "\n".join(TRUTH["loc"]) + "\n")
    whats = ("does", "short", "varies", "alters", "breaks", "babbles", "lacks")
    cases = Cases(
        {"a": Input("a", "two URLs", 2, "a.xml")},
        {
            "own": Program("own", "python", [sys.executable, str(script)], 3, 1),
            "far": Program("far", "cobol", ["cobol"], 3, 1),
            "write": Program("write", "python", [sys.executable, str(script)], 1, 0, files="left"),
        },
        [
            *(Subject(what, "own", "", reads=[f"{what}@a"]) for what in whats),
            Subject("far", "far", "", reads=["far@a"]),
            Subject("floor", "write", "", floors=["floor@a"]),
            Subject("nothing", "write", "", writes=["nothing@a"]),
        ],
        [
            Requirement("X1", "ours by a rival", "x", 1.0, ["does@a"], under=["short@a"]),
            Requirement("X2", "ours by itself", "x", 1.0, ["does@a"], under=["does@a"], goals=[0.5]),
            Requirement("X3", "ours alone", "x", 2.0, ["does@a"], under=["does@a"], least=True),
        ],
        {},
        [],
    )
    return run.Bench(cases, folder, {}, {"cobol": "no cobol here"}, lambda _: None)


def test_a_wrong_result_is_not_a_fast_one(little: run.Bench) -> None:
    seen = little.measure(little.cases.runs, 2)
    assert seen["does@a"]["cpu"] == 0.5
    assert seen["does@a"]["rounds"] == 6
    assert seen["does@a"]["right"] == {"loc": 2}
    assert seen["short@a"]["wrong"] == "1 URLs, 2 were expected"
    assert seen["varies@a"]["wrong"] == "1 URLs, 2 were expected"
    assert seen["alters@a"]["right"] == {"loc": 1}
    assert seen["breaks@a"]["wrong"] == "failed: RuntimeError: no such thing in PATH"
    assert seen["babbles@a"]["wrong"].startswith("failed: KeyError")  # and nobody else is lost
    assert "wrong" not in seen["floor@a"]  # a floor need not write
    assert seen["nothing@a"]["wrong"] == "0 URLs, 2 were expected"  # a writer must
    assert seen["lacks@a"] == {"not_run": "not in this version"}
    assert seen["far@a"] == {"not_run": "no cobol here"}
    result = {"runs": seen, "versions": {}, "inputs": {"a": {"bytes": 9}}}
    order = [row[0].name for row in report.rows(little.cases, result, "reads", {"a"})]
    assert order[:2] == ["does", "alters"]
    table = report.reading(little.cases, result, "a").splitlines()
    assert [("–" in line, "**wrong**" in line) for line in table if "| short |" in line] == [(True, True)]
    assert any("not run: no cobol here" in line for line in table)
    assert not any(bar.name == "short" for bar in report.bars(little.cases, result)[0])


def test_a_requirement_that_needs_a_wrong_result_is_not_measured(little: run.Bench) -> None:
    seen = little.measure(little.cases.runs, 1)
    first, second, third = (report.judged(one, seen) for one in little.cases.requirements)
    assert first == ("–", "not measured: short@a: 1 URLs, 2 were expected")
    assert second == ("1.00", "met")
    assert third == ("1.00", "**missed**")


def test_goals_and_sizes_are_judged() -> None:
    runs = {"x@a": {"cpu": 1.0, "bytes": 10}, "y@a": {"cpu": 4.0, "bytes": 9}}
    one = Requirement("X", "", "x", 0.5, ["x@a"], under=["y@a"], goals=[0.3, 0.2])
    assert report.judged(one, runs) == ("0.25", "met, goal 0.3 too")
    assert "**missed**" in report.judged(replace(one, no_larger=["x@a", "y@a"]), runs)[1]
    assert "not the same" in report.judged(replace(one, same=["x@a", "y@a"]), runs)[1]
    assert report.judged(replace(one, minus=["y@a"]), runs)[0] == "-0.75"


def test_counts_must_be_there() -> None:
    assert run.misses([], 2, "urls") == "no count, 2 URLs were expected"


def test_a_language_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    told: list[str] = []
    installed = install.Installed(tmp_path, tmp_path / "wheel", None, told.append)
    installed.bring({"go", "node", "java", "core", "cargo", "xmllint"})
    reasons = {need: f"no {need} here" for need in ("cargo", "go", "java", "node", "xmllint")}
    assert installed.missing == {"core": reasons["cargo"]} | reasons
    assert set(told) == {f"not run: {reason}" for reason in reasons.values()}


def test_versions_are_those_of_the_locks() -> None:
    packages = {subject.package for subject in definitions.load().subjects if not subject.package.startswith("pypi")}
    found = install.versions({}, packages - {"", "urlset"})
    assert all(re.match(r"\d+(\.\d+)+", version) for version in found.values()), found


# Inputs, plot, locks.


def test_inputs_come_from_their_seed_and_are_of_the_size_that_goals_speak_of(tmp_path: Path) -> None:
    for name, seed in (("one", 42), ("two", 42), ("other", 43)):
        inputs.make(tmp_path / name, ["a", "b"], seed)
    one, two, other = ((tmp_path / name / "a.xml").read_bytes() for name in ("one", "two", "other"))
    assert one == two != other
    for data in (one, other):
        assert abs(len(data) / 10.6e6 - 1) < 0.02
        assert data.count(b"<url>") == 50_000
        entities = len(re.findall(rb"<loc>[^<]*&amp;", data))
        assert abs(entities / 50_000 - 0.2) < 0.01
    assert abs((tmp_path / "one" / "b.xml").stat().st_size / 4.6e6 - 1) < 0.02
    truth = answers.table(tmp_path / "one" / "a.truth")
    assert all(answers.instant(text) == int(at) for text, at in zip(truth["lastmod"], truth["instant"], strict=True))


def test_rich_entries_are_of_the_size_that_goals_speak_of() -> None:
    dice = inputs.Dice(7)
    size = sum(len(inputs.rich(dice, number)[0].encode()) for number in range(1_000))
    assert abs(size / 1_000 * 15_000 / 41.6e6 - 1) < 0.02


def test_the_plot_is_well_formed_and_shows_ours() -> None:
    from xml.etree import ElementTree as ET

    text = plot.svg([plot.Bar("a & b", 1e6, None, True, False)], [plot.Bar("c", 1e5, 5e4, False, True)])
    kinds = [node.get("class") for node in ET.fromstring(text).iter("{http://www.w3.org/2000/svg}rect")]
    assert kinds == ["bar mine", "bar", "bar second"]


def test_locks_of_rivals_have_hashes_and_no_addresses() -> None:
    text = (BENCH / "requirements.txt").read_text(encoding="utf-8")
    assert "://" not in text
    names = re.findall(r"^([\w.-]+)==", text, re.MULTILINE)
    wanted = [line.lower() for line in (BENCH / "requirements.in").read_text().splitlines() if line[:1].isalpha()]
    assert set(wanted) <= set(names)
    assert text.count("--hash=sha256:") >= len(names)
    packages = json.loads((BENCH / "rivals/node/package-lock.json").read_text(encoding="utf-8"))["packages"]
    for path, package in packages.items():
        assert not path or (package["integrity"].startswith("sha512-") and "resolved" not in package), path
    assert "replace" not in (BENCH / "rivals/go/go.mod").read_text()
    cargo = (BENCH / "rivals/rust/Cargo.lock").read_text()
    assert cargo.count("\nchecksum = ") == cargo.count("[[package]]") - 1  # all but our own
    assert all(
        re.fullmatch(r"[0-9a-f]{64}  [\w.-]+\.jar", line)
        for line in (BENCH / "rivals/java/jars.sha256").read_text().splitlines()
    )
