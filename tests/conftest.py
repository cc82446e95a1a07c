"""What holds for every test: where the project is, what CI refuses, and which files are collected. And a shop."""

from __future__ import annotations

import gzip
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


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an index, two sitemaps, and one that is cut and odd; nobody writes to it."""
    from tests.command import ROWS, SHOP, XMLNS  # this file is also tested where no other is

    folder = tmp_path_factory.mktemp("shop")
    entries = [f"<url><loc>{SHOP}{name}</loc>{f'<lastmod>{day}</lastmod>' * bool(day)}</url>" for name, day in ROWS]
    (folder / "one.xml").write_text(f"<urlset {XMLNS}>{''.join(entries[:2])}</urlset>")
    (folder / "two.xml.gz").write_bytes(gzip.compress(f"<urlset {XMLNS}>{entries[2]}</urlset>".encode()))
    children = "".join(f"<sitemap><loc>{SHOP}{name}</loc></sitemap>" for name in ("one.xml", "two.xml.gz"))
    (folder / "sitemap.xml").write_text(f"<sitemapindex {XMLNS}>{children}</sitemapindex>")
    odd = folder / "odd"
    odd.mkdir()
    (odd / "cut.xml").write_text(
        f"<urlset {XMLNS}>{entries[0]}<url><loc>/relative</loc></url>\n"
        f"<url><loc>{SHOP}?a=1&b=2</loc></url><url><loc>{SHOP}"
    )
    (odd / "warned.xml").write_text(f"<urlset {XMLNS}><url><loc>{SHOP}?a=1&b=2</loc></url></urlset>")
    return folder


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More rows than a pipe holds."""
    from tests.command import SHOP

    path = tmp_path_factory.mktemp("many") / "urls.txt"
    path.write_text("".join(f"{SHOP}p/{number}\n" for number in range(20_000)))
    return path
