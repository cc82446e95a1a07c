"""The table as an Arrow schema, and the registry of codes."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import urlset
from urlset.errors import OptionError
from urlset.types import SEVERITIES

SHOP = {"urlset:namespace": "https://a.example/ns/shop", "urlset:prefix": "shop", "urlset:element": "stock"}
STOCK = pa.schema([pa.field("stock", pa.int64(), metadata=SHOP)])


def test_the_url_table() -> None:
    schema = pa.schema(urlset.schema())
    assert schema.names[:5] == ["loc", "lastmod", "lastmod_form", "changefreq", "priority"]
    assert schema.names[-1] == "sitemap"
    assert not schema.field("loc").nullable
    assert schema.field("lastmod").type == pa.timestamp("us", "UTC")
    for name in ("changefreq", "lastmod_form", "sitemap"):
        assert schema.field(name).type == pa.dictionary(pa.int32(), pa.string())
    for name in ("images", "videos", "alternates"):
        assert pa.types.is_list(schema.field(name).type)
        assert not schema.field(name).type.value_field.nullable


def test_a_users_own_elements_join_it() -> None:
    for extensions in ([STOCK], (STOCK,), iter([STOCK])):
        schema = pa.schema(urlset.schema(extensions))
        assert schema.field("stock").type == pa.int64()
    assert pa.schema(urlset.schema()).get_field_index("stock") == -1  # and only where they were given


@pytest.mark.parametrize(
    ("extensions", "message"),
    [
        (STOCK, "a single schema"),
        ([{"stock": "int"}], "dict has no __arrow_c_schema__"),
        ([pa.schema([pa.field("stock", pa.int64())])], "stock"),
        ([STOCK, STOCK], "stock"),
        ([pa.schema([pa.field("loc", pa.string(), metadata=SHOP)])], "loc"),
    ],
)
def test_extensions_that_make_no_sense(extensions: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        urlset.schema(extensions)


def test_codes() -> None:
    rows = urlset.codes()
    assert {row["severity"] for row in rows} == set(SEVERITIES)
    assert {row["status"] for row in rows} == {"active", "check", "planned"}
    assert {row["fix"] for row in rows} == {"no", "safe", "unsafe"}
    by_code = {row["code"]: row for row in rows}
    assert by_code["IDX001"]["profiles"] == {"classic": None}
    assert by_code["IDX003"]["profiles"] == {"classic": "error"}
    assert all(row["message"] and row["authority"] for row in rows)
