"""What real sites published, read, written and read again: every row is the same, its address in its encoded form."""

from __future__ import annotations

import json
from typing import Any

import pytest

import urlset
from tests.conftest import REAL
from tests.reading import plain, read
from tests.test_write_then_read import encoded
from urlset import _core

FILES = [
    file
    for file in json.loads((REAL / "MANIFEST.json").read_text(encoding="utf-8"))["files"]
    if file["content"] not in ("html", "other") and file.get("decided", {}).get("lenient", file["entries"])
]
ADDRESSES = {"loc", "href", "license", "thumbnail_loc", "content_loc", "player_loc", "gallery_loc", "uploader_info"}


def travelled(value: Any, name: str = "") -> Any:
    """A value as it reads after it was written: addresses encoded, the rest as it is."""
    match value:
        case dict():
            return {name: travelled(item, name) for name, item in value.items()}
        case list():
            return [travelled(item, name) for item in value]
        case str() if name in ADDRESSES and value.lower().startswith(("http://", "https://")):
            return encoded(value)
    return value


@pytest.mark.parametrize("file", FILES, ids=lambda file: file["slug"])
def test_read_write_read(file: dict[str, Any]) -> None:
    path = REAL / file["file"]
    rows = [
        {name: value for name, value in plain(row).items() if name != "sitemap"}
        for row in urlset.read(path, follow=False).to_pylist()
    ]
    shards: list[_core.Shard] = []
    writer = _core.Writer(base="https://a.example/", allow_offsite=True, skip=True, allow_empty=True, gzip=False)
    assert writer.run(urlset.read(path, follow=False), shards.append)
    refused = {finding["entry"] for finding in writer.findings()}
    again = [row for shard in shards for row in read(bytes(shard.data)).rows]
    kept = [travelled(row) for number, row in enumerate(rows) if number not in refused]
    assert len(refused) == writer.skipped == len(rows) - len(again)
    assert again == kept
    # written once more, nothing changes
    more: list[_core.Shard] = []
    second = _core.Writer(base="https://a.example/", allow_offsite=True, allow_empty=True, gzip=False)
    assert second.run(urlset.read([bytes(shard.data) for shard in shards], follow=False), more.append)
    assert [bytes(shard.data) for shard in more] == [bytes(shard.data) for shard in shards]
