"""An element is one row of the table.

A user's own come in at run time as an Arrow schema; they are read, written and read again.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import urlset
from tests.reading import plain, read
from urlset import _core

NS = "https://shop.example/schemas/catalogue/1"


def own(name: str, of: pa.DataType, /, **known: str) -> pa.Field:
    facts = {"namespace": NS, "prefix": "shop", **known}
    return pa.field(name, of, metadata={f"urlset:{key}": value for key, value in facts.items()})


def inner(name: str, of: pa.DataType, /, **known: str) -> pa.Field:
    return pa.field(name, of, metadata={f"urlset:{key}": value for key, value in known.items()})


PRICE = pa.struct(
    [
        inner("amount", pa.float64(), at="text"),
        inner("currency", pa.string(), at="attribute", required="true"),
        inner("until", pa.timestamp("us", "UTC"), at="attribute"),
    ]
)
CATALOGUE = pa.schema(
    [
        own("sku", pa.string(), doc="number of the article"),
        own("stock", pa.int64(), min="0", max="1000"),
        own("weight", pa.float64(), element="netWeight"),
        own("available", pa.bool_()),
        own("sale", pa.bool_(), kind="marker"),
        own("restocked", pa.timestamp("us", "UTC")),
        own("condition", pa.string(), kind="choice", values="new used"),
        own("manual", pa.string(), kind="url"),
        own("colours", pa.list_(pa.string()), element="colour"),
        own("prices", pa.list_(PRICE), element="price"),
        own("maker", pa.struct([inner("name", pa.string()), inner("country", pa.string(), at="attribute")])),
    ]
)

ENTRY = """<url>
<loc>https://shop.example/tea</loc>
<lastmod>2025-06-07</lastmod>
<shop:sku>T-1 &amp; 2</shop:sku>
<shop:stock>12</shop:stock>
<shop:netWeight>0.25</shop:netWeight>
<shop:available>yes</shop:available>
<shop:sale/>
<shop:restocked>2025-06-07T08:09:10+02:00</shop:restocked>
<shop:condition>new</shop:condition>
<shop:manual>https://shop.example/tea.pdf</shop:manual>
<shop:colour>green</shop:colour><shop:colour>black</shop:colour>
<shop:price currency="EUR" until="2025-12-31">4.5</shop:price><shop:price currency="USD">5</shop:price>
<shop:maker country="IN"><shop:name>A maker</shop:name></shop:maker>
</url>"""
ROW = {
    "loc": "https://shop.example/tea",
    "lastmod": "2025-06-07T00:00:00Z",
    "lastmod_form": "date",
    "sku": "T-1 & 2",
    "stock": 12,
    "weight": 0.25,
    "available": True,
    "sale": True,
    "restocked": "2025-06-07T06:09:10Z",
    "restocked_form": "seconds+02:00",
    "condition": "new",
    "manual": "https://shop.example/tea.pdf",
    "colours": ["green", "black"],
    "prices": [
        {"amount": 4.5, "currency": "EUR", "until": "2025-12-31T00:00:00Z", "until_form": "date"},
        {"amount": 5.0, "currency": "USD"},
    ],
    "maker": {"name": "A maker", "country": "IN"},
}


def urls(*entries: str, ns: str = NS) -> bytes:
    root = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="{ns}">'
    return f"{root}\n{''.join(entries)}\n</urlset>".encode()


@pytest.mark.parametrize("chunk", [None, 1, 16])
def test_own_elements_are_read(chunk: int | None) -> None:
    reading = read(urls(ENTRY), extensions=[CATALOGUE], chunk=chunk)
    assert (reading.rows, reading.findings) == ([ROW], [])


def test_the_columns_stand_before_the_name_of_the_file() -> None:
    names = urlset.schema([CATALOGUE]).names
    assert names[: len(urlset.schema().names) - 1] == urlset.schema().names[:-1]
    assert names[-1] == "sitemap"
    assert {"sku", "restocked_form", "prices"} <= set(names)


def write(table: Any) -> bytes:
    shards: list[_core.Shard] = []
    writer = _core.Writer(base="https://shop.example/", gzip=False, extensions=[CATALOGUE])
    assert writer.run(table, shards.append), writer.findings()
    (shard,) = shards
    return bytes(shard.data)


def test_own_elements_are_written_and_read_again() -> None:
    written = write(urlset.read(urls(ENTRY), follow=False, extensions=[CATALOGUE]))
    assert f'xmlns:shop="{NS}"'.encode() in written
    assert read(written, extensions=[CATALOGUE]).rows == [ROW]
    assert write(urlset.read(written, follow=False, extensions=[CATALOGUE])) == written


def test_own_elements_are_written_from_plain_rows() -> None:
    rows = [
        {
            "loc": "https://shop.example/1",
            "sku": "a",
            "colours": ["red"],
            "prices": [{"amount": 1.5, "currency": "EUR"}],
        }
    ]
    written = write(_core.from_rows(rows, extensions=[CATALOGUE]))
    assert read(written, extensions=[CATALOGUE]).rows == rows


def test_a_file_without_them_declares_nothing() -> None:
    assert b"xmlns:" not in write(_core.from_rows(["https://shop.example/"], extensions=[CATALOGUE]))


def test_values_that_are_none_are_told() -> None:
    entry = (
        "<url><loc>https://shop.example/1</loc><shop:stock>1001</shop:stock><shop:netWeight>heavy</shop:netWeight>"
        "<shop:available>perhaps</shop:available><shop:restocked>soon</shop:restocked>"
        "<shop:condition>old</shop:condition><shop:manual>/tea.pdf</shop:manual><shop:sku>a</shop:sku></url>"
    )
    reading = read(urls(entry), extensions=[CATALOGUE])
    assert reading.rows == [{"loc": "https://shop.example/1", "manual": "/tea.pdf", "sku": "a"}]
    assert [finding["element"] for finding in reading.findings] == [
        f"url[0]/{name}" for name in ("stock", "netWeight", "available", "restocked", "condition", "manual")
    ]


def test_elements_stay_foreign_without_the_schema() -> None:
    reading = read(urls(ENTRY))
    assert reading.rows == [{name: ROW[name] for name in ("loc", "lastmod", "lastmod_form")}]
    assert reading.findings == []


def test_another_namespace_is_another_element() -> None:
    reading = read(urls(ENTRY, ns=NS + "0"), extensions=[CATALOGUE])
    assert reading.rows == [{name: ROW[name] for name in ("loc", "lastmod", "lastmod_form")}]


def test_the_set_gives_them_to_arrow() -> None:
    table = urlset.read(urls(ENTRY), follow=False, extensions=[CATALOGUE]).to_arrow()
    assert plain(table.column("prices").to_pylist()) == [ROW["prices"]]


@pytest.mark.parametrize(
    "schema",
    [
        pa.schema([pa.field("sku", pa.string())]),
        pa.schema([pa.field("sku", pa.string(), metadata={"urlset:namespace": NS})]),
        pa.schema([own("sku", pa.string(), prefix="image")]),
        pa.schema([own("sku", pa.string(), prefix="1 2")]),
        pa.schema([own("loc", pa.string())]),
        pa.schema([own("sku", pa.binary())]),
        pa.schema([own("sku", pa.string(), at="somewhere")]),
    ],
    ids=["no namespace", "no prefix", "prefix taken", "prefix is no name", "column taken", "no form", "no place"],
)
def test_what_could_not_be_read_back_is_refused(schema: pa.Schema) -> None:
    with pytest.raises(urlset.UrlsetError):
        urlset.read(urls(ENTRY), extensions=[schema]).to_pylist()
