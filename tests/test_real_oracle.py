"""The well-formed sitemaps of real sites: the reader and a naive one over expat make equal tables."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from tests.conftest import REAL
from tests.oracle_expat import table
from tests.reading import read

# What a strict XML reader with the exact namespace and the note's dates cannot see.
BEYOND = {"odd-namespace", "bad-lastmod"}
FILES = [
    file
    for file in json.loads((REAL / "MANIFEST.json").read_text(encoding="utf-8"))["files"]
    if file["well_formed"] and file["content"] in ("urlset", "index") and not BEYOND & set(file["faults"])
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file["slug"])
def test_read_matches_oracle(file: dict[str, Any]) -> None:
    data = (REAL / file["file"]).read_bytes()
    plain = gzip.decompress(data) if file["kind"] == "gz" else data
    known = {"loc", "lastmod", "lastmod_form", "changefreq", "priority", "images", "videos", "news", "alternates"}
    rows = [{name: value for name, value in row.items() if name in known} for row in read(data).rows]
    assert rows == table(plain)
