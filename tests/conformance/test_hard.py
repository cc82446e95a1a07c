"""Files of the kinds that readers fail on: `hard/` holds them, `hard/expected.toml` says what is to become of each."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import urlset
from tests.conformance.cases import HERE, order
from tests.reading import plain, read

FOLDER = HERE / "hard"
FILES: list[dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))["file"]


@pytest.fixture(params=FILES, ids=lambda file: file["name"])
def file(request: pytest.FixtureRequest) -> dict[str, Any]:
    made: dict[str, Any] = request.param
    return made


def test_is_read_as_expected(file: dict[str, Any]) -> None:
    data = (FOLDER / file["name"]).read_bytes()
    whole = read(data, name=file["name"])
    expected = order([(f[0], f[1], f[2]) if len(f) == 3 else (f[0], None, None) for f in file.get("finds", [])])
    told_without_place = {place[0] for place in expected if place[1] is None}
    assert whole.rows == file["rows"]
    assert (
        order([(c, None, None) if c in told_without_place else (c, li, co) for c, li, co in whole.places()]) == expected
    )
    assert (whole.kind, whole.complete) == (file.get("kind", "urlset"), file.get("complete", True))
    for size in (1, 3, 64):
        assert read(data, name=file["name"], chunk=size) == whole


def test_the_public_verb_says_the_same(file: dict[str, Any]) -> None:
    urls = urlset.read(FOLDER / file["name"], follow=False)
    rows = [{name: value for name, value in plain(row).items() if name != "sitemap"} for row in urls.to_pylist()]
    assert rows == file["rows"]
    assert [f.code for f in urls.findings] == read((FOLDER / file["name"]).read_bytes(), name=file["name"]).codes


def test_every_file_has_its_expectation() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file["name"] for file in FILES} | {"expected.toml"}
