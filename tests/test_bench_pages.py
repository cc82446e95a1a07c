"""The pages and the plot say what the latest results of `make bench` say, and results tell nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench import definitions, report


@pytest.mark.parametrize("path", report.rendered(definitions.load(), report.latest()), ids=lambda path: path.name)
def test_pages_say_what_the_latest_results_say(path: Path) -> None:
    text = report.rendered(definitions.load(), report.latest())[path]
    assert path.read_text(encoding="utf-8") == text, "run `make bench-report`"


def test_results_tell_nothing_of_the_machine_but_what_it_is() -> None:
    for path in report.RESULTS.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'"[^"]*(/home/|/root|/work|/tmp|/usr|://)', text), path
        assert re.fullmatch(r"\d{4}-\d\d-\d\d\.json", path.name)
        assert json.loads(text)["date"] == path.stem
