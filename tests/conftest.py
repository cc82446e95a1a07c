"""What holds for every test: where the project is, what CI refuses, and which files are collected."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest

PROJECT = Path(__file__).resolve().parent.parent
REAL = PROJECT.parent / "shared" / "real"

# Files of real sites lie beside the project, or they do not; their tests exist only where they do.
collect_ignore_glob = [] if REAL.is_dir() else ["test_real*.py"]


Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def _in_ci() -> bool:
    return os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def _refuse(report: Report) -> Report:
    """Turn a skip into a failure that tells the reason; an expected failure is no skip."""
    if _in_ci() and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {reason}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _refuse((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _refuse((yield))


@pytest.fixture(scope="session")
def project() -> Path:
    """The folder of the project."""
    return PROJECT


@pytest.fixture(scope="session")
def real() -> Path:
    """The folder of files that real sites published; only tests in `test_real*.py` may ask for it."""
    return REAL
