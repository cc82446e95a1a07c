"""Every case of every authority is read as it says, whole and byte by byte."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conformance.cases import HERE, Case, cases
from tests.reading import read

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_is_read_as_the_authority_says(case: Case) -> None:
    whole = read(case.data, **case.options)
    assert whole.rows == case.rows
    assert whole.places() == case.finds
    assert (whole.kind, whole.complete) == (case.kind, case.complete)
    assert read(case.data, chunk=1, **case.options) == whole
    if case.plain:
        for finding in whole.findings:
            before = case.data[: finding["byte_offset"]].decode()
            place = (before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
            assert (finding["line"], finding["column"]) == place, finding


def test_every_authority_has_cases() -> None:
    authorities = {path.name for path in HERE.iterdir() if path.is_dir() and path.name not in {"hard", "__pycache__"}}
    assert authorities == {case.authority.partition("/")[0] for case in CASES}


def test_names_are_told_once() -> None:
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []
