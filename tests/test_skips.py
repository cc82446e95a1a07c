"""With CI set a skip fails the run and says why; without it a skip stays a skip."""

from __future__ import annotations

from pathlib import Path

import pytest

SUITE = """
import pytest

@pytest.mark.skip(reason="by mark")
def test_mark(): ...

def test_inside():
    pytest.skip("by call")

@pytest.mark.xfail(reason="known", strict=True)
def test_expected():
    raise AssertionError

def test_fine(): ...
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, project: Path) -> pytest.Pytester:
    pytester.makeconftest((project / "tests" / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_some=SUITE, test_module="import pytest\npytest.importorskip('no_such_package')\n")
    return pytester


@pytest.mark.parametrize("workers", [[], ["-n", "1"]])
def test_ci_refuses_skips(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: list[str]) -> None:
    monkeypatch.setenv("CI", "true")
    result = suite.runpytest_subprocess("--continue-on-collection-errors", *workers)
    # The mark skips while the test is set up, the import while its file is collected: both count as errors.
    result.assert_outcomes(passed=1, xfailed=1, failed=1, errors=2)
    for reason in ["by mark", "by call", "could not import 'no_such_package'"]:
        result.stdout.fnmatch_lines([f"*which CI does not allow: *{reason}*"])


def test_elsewhere_skips_are_skips(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    suite.runpytest_subprocess().assert_outcomes(passed=1, xfailed=1, skipped=3)


@pytest.mark.parametrize(("there", "collected"), [(True, 1), (False, 0)])
def test_real_files_are_collected_where_they_are(
    pytester: pytest.Pytester, project: Path, there: bool, collected: int
) -> None:
    tests = pytester.mkdir("project") / "tests"
    tests.mkdir()
    tests.joinpath("conftest.py").write_text(
        (project / "tests" / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    tests.joinpath("test_real_sites.py").write_text("def test_one(): ...\n", encoding="utf-8")
    tests.joinpath("test_other.py").write_text("def test_two(): ...\n", encoding="utf-8")
    if there:
        pytester.mkdir("shared").joinpath("real").mkdir()
    pytester.runpytest_subprocess("project").assert_outcomes(passed=1 + collected)
