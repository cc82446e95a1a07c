"""Every case of every authority is read as it says, whole and byte by byte."""

from __future__ import annotations

from collections import Counter

import pytest

import urlset
from tests.conformance.cases import HERE, Case, cases, order
from tests.reading import plain, read

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


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if not {"cut", "name"} & {k for k, v in case.options.items() if v}],
    ids=lambda c: c.id,
)
def test_the_public_verb_says_the_same(case: Case) -> None:
    options = {key: value for key, value in case.options.items() if key != "name"}
    urls = urlset.read(case.data, follow=False, **options)
    rows = [{name: value for name, value in plain(row).items() if name != "sitemap"} for row in urls.to_pylist()]
    assert rows == case.rows
    assert order([(f.code, f.line, f.column) for f in urls.findings]) == case.finds
    assert (urls.kind, urls.complete) == (case.kind, case.complete)


def test_every_authority_has_cases() -> None:
    authorities = {path.name for path in HERE.iterdir() if path.is_dir() and path.name not in {"hard", "__pycache__"}}
    assert authorities == {case.authority.partition("/")[0] for case in CASES}


def test_names_are_told_once() -> None:
    assert [name for name, count in Counter(case.id for case in CASES).items() if count > 1] == []
