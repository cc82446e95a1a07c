"""Writers in Python: 1,000,000 rows, in the form each takes them best, to files of 50,000 and their index in a folder.

A subject's name ends in `-gz` where files are compressed at level 6, which is done in one piece a file.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any

from harness import Given, Work, main

BASE = "https://shop.example/"
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
HEAD = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SPACE}">\n'
EXTENDED = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
)
TAIL = "</urlset>\n"
FILE = 50_000


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Folder:
    """Where files go: named, compressed or not, and listed by an index at the end."""

    def __init__(self, folder: Path, packed: bool) -> None:
        self.folder, self.packed, self.names = folder, packed, []

    def put(self, data: bytes) -> None:
        name = f"sitemap-{len(self.names) + 1:05}.xml" + ".gz" * self.packed
        (self.folder / name).write_bytes(gzip.compress(data, 6, mtime=0) if self.packed else data)
        self.names.append(name)

    def end(self) -> None:
        items = "".join(f"<sitemap><loc>{BASE}{name}</loc></sitemap>\n" for name in self.names)
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{SPACE}">\n{items}</sitemapindex>\n'
        (self.folder / "sitemap.xml").write_text(text, encoding="utf-8")


def table(given: Given) -> Any:
    from pyarrow import parquet

    return parquet.read_table(given.path.with_suffix(".parquet"))


def dicts(given: Given, text: bool = False) -> list[dict[str, Any]]:
    """Return the rows as dicts, as a database gives them; with `text` dates and numbers are texts already."""
    rows = table(given).to_pylist()
    for row in rows:
        row["lastmod"] = row["lastmod"].replace(tzinfo=UTC)  # faster to format than the zone that pyarrow gives
        if text:
            row["lastmod"], row["priority"] = row["lastmod"].isoformat(), str(row["priority"])
    return rows


def urlset_write(**options: Any) -> Callable[[Given], Work]:
    """As its user calls it, from a table in memory to a folder."""

    def start(given: Given) -> Work:
        from urlset import write

        rows = table(given)
        return Work(lambda: write(rows, given.to, base=BASE, threads=1, **options), lambda done: done.urls)

    return start


def urlset_dicts(given: Given) -> Work:
    from urlset import write

    rows = dicts(given)
    return Work(lambda: write(rows, given.to, base=BASE, threads=1), lambda done: done.urls)


def urlset_parquet(given: Given) -> Work:
    from urlset import write

    path = given.path.with_suffix(".parquet")
    return Work(lambda: write(path, given.to, base=BASE, threads=1), lambda done: done.urls)


def urlset_long(given: Given) -> Work:
    """Ten times the rows, handed over as a stream of slices, so that nothing grows but the writer."""
    import pyarrow as pa

    from urlset import write

    rows = table(given)
    batches = rows.to_batches(max_chunksize=8_192)

    def work() -> Any:
        stream = pa.RecordBatchReader.from_batches(rows.schema, (batch for _ in range(10) for batch in batches))
        return write(stream, given.to, base=BASE, threads=1)

    return Work(work, lambda done: done.urls)


def parquet_read(given: Given) -> Work:
    from pyarrow import parquet

    path = given.path.with_suffix(".parquet")
    return Work(lambda: parquet.read_table(path, use_threads=False), lambda found: found.num_rows)


def zlib_deflate(given: Given) -> Work:
    """Compression alone of the files that urlset wrote."""
    files = [path.read_bytes() for path in sorted(given.path.glob("sitemap-*.xml"))]
    size = sum(map(len, files))

    def work() -> list[bytes]:
        return [zlib.compress(data, 6, 31) for data in files]

    return Work(work, lambda _: size, bytes=lambda found: sum(map(len, found)))


def fstring(packed: bool) -> Callable[[Given], Work]:
    """A loop over dicts, as it is written by hand: escaped by the standard library, joined once a file."""

    def start(given: Given) -> Work:
        rows = dicts(given)
        extended = "alternates" in rows[0]

        def work() -> int:
            out = Folder(given.to, packed)
            for at in range(0, len(rows), FILE):
                parts = [EXTENDED if extended else HEAD]
                for row in rows[at : at + FILE]:
                    more = "".join(
                        [
                            f'<xhtml:link rel="alternate" hreflang="{link["hreflang"]}" href="{escape(link["href"])}"/>'
                            for link in row["alternates"]
                        ]
                        + [
                            f"<image:image><image:loc>{escape(x['loc'])}</image:loc></image:image>"
                            for x in row["images"]
                        ]
                        if extended
                        else ()
                    )
                    parts.append(
                        "<url><loc>"
                        # In place: a call of a function for it costs a tenth of the loop.
                        f"{row['loc'].replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}"
                        f"</loc><lastmod>{row['lastmod'].isoformat()}</lastmod>"
                        f"<changefreq>{row['changefreq']}</changefreq><priority>{row['priority']}</priority>{more}</url>\n"
                    )
                parts.append(TAIL)
                out.put("".join(parts).encode())
            out.end()
            return len(rows)

        return Work(work, int)

    return start


def pyarrow_join(packed: bool, *, strftime: bool = False) -> Callable[[Given], Work]:
    """Columns to one column of entries by kernels, whose bytes are then the file. Dates by `strftime`, or by casts."""

    def start(given: Given) -> Work:
        import pyarrow as pa
        import pyarrow.compute as pc

        rows = table(given)

        def work() -> int:
            out = Folder(given.to, packed)
            for at in range(0, len(rows), FILE):
                part = rows.slice(at, FILE).combine_chunks()
                loc = part["loc"]
                seconds = part["lastmod"].cast(pa.timestamp("s"))
                if strftime:
                    date = pc.strftime(seconds, "%Y-%m-%dT%H:%M:%S")
                else:
                    date = pc.binary_replace_slice(seconds.cast(pa.string()).cast(pa.binary()), 10, 11, b"T").cast(
                        pa.string()
                    )
                # Few numbers are different.
                number = part["priority"].combine_chunks().dictionary_encode()
                for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
                    loc = pc.replace_substring(loc, char, entity)
                entries = pc.binary_join_element_wise(
                    "<url><loc>",
                    loc,
                    "</loc><lastmod>",
                    date,
                    "Z</lastmod><changefreq>",
                    part["changefreq"].cast(pa.string()),
                    "</changefreq><priority>",
                    number.dictionary.cast(pa.string()).take(number.indices),
                    "</priority></url>\n",
                    "",
                )
                array = entries.combine_chunks() if isinstance(entries, pa.ChunkedArray) else entries
                arrays = array.chunks if isinstance(array, pa.ChunkedArray) else [array]
                out.put(b"".join((HEAD.encode(), *map(bytes_of, arrays), TAIL.encode())))
            out.end()
            return len(rows)

        return Work(work, int)

    return start


def polars_join(packed: bool) -> Callable[[Given], Work]:
    """The same by expressions of polars."""

    def start(given: Given) -> Work:
        import polars as pl

        rows = pl.read_parquet(given.path.with_suffix(".parquet"))
        entry = pl.concat_str(
            pl.lit("<url><loc>"),
            pl.col("loc").str.replace_many(["&", "<", ">"], ["&amp;", "&lt;", "&gt;"]),
            pl.lit("</loc><lastmod>"),
            pl.col("lastmod").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
            pl.lit("</lastmod><changefreq>"),
            pl.col("changefreq").cast(pl.String),
            pl.lit("</changefreq><priority>"),
            pl.col("priority").cast(pl.String),
            pl.lit("</priority></url>"),
        )

        def work() -> int:
            out = Folder(given.to, packed)
            for at in range(0, len(rows), FILE):
                text = rows.slice(at, FILE).select(entry.str.join("\n")).item()
                out.put(f"{HEAD}{text}\n{TAIL}".encode())
            out.end()
            return len(rows)

        return Work(work, int)

    return start


def lxml_xmlfile(packed: bool) -> Callable[[Given], Work]:
    """Its writer in steps, which needs no tree of the whole file."""

    def start(given: Given) -> Work:
        from io import BytesIO

        from lxml import etree

        rows = dicts(given, text=True)
        fields = ("loc", "lastmod", "changefreq", "priority")

        def work() -> int:
            out = Folder(given.to, packed)
            for at in range(0, len(rows), FILE):
                buffer = BytesIO()
                with etree.xmlfile(buffer, encoding="UTF-8") as file:
                    file.write_declaration()
                    with file.element("urlset", {"xmlns": SPACE}):
                        for row in rows[at : at + FILE]:
                            url = etree.Element("url")
                            for field in fields:
                                etree.SubElement(url, field).text = row[field]
                            file.write(url)
                out.put(buffer.getvalue())
            out.end()
            return len(rows)

        return Work(work, int)

    return start


def django(packed: bool) -> Callable[[Given], Work]:
    """Its views, each page rendered as for a request, without a database: items are dicts in memory."""

    def start(given: Given) -> Work:
        import os

        os.environ["DJANGO_SETTINGS_MODULE"] = "django_settings"
        import django as package
        from django.contrib.sitemaps import Sitemap
        from django.contrib.sitemaps.views import index, sitemap
        from django.test import RequestFactory

        package.setup()
        rows = dicts(given)
        for row in rows:
            row["path"] = row["loc"].removeprefix(BASE[:-1])

        class Pages(Sitemap):
            limit = FILE
            protocol = "https"

            def items(self) -> list[dict[str, Any]]:
                return rows

            def location(self, item: dict[str, Any]) -> str:
                return item["path"]

            def lastmod(self, item: dict[str, Any]) -> Any:
                return item["lastmod"]

            def changefreq(self, item: dict[str, Any]) -> str:
                return item["changefreq"]

            def priority(self, item: dict[str, Any]) -> float:
                return item["priority"]

        requests = RequestFactory(headers={"host": "shop.example"})
        maps = {"pages": Pages}

        def work() -> int:
            out = Folder(given.to, packed)
            for page in range(1, -(-len(rows) // FILE) + 1):
                request = requests.get("/sitemap-pages.xml", {"p": page}, secure=True)
                out.put(sitemap(request, maps, section="pages").render().content)
            response = index(requests.get("/sitemap.xml", secure=True), maps, sitemap_url_name="sitemap")
            (given.to / "sitemap.xml").write_bytes(response.render().content)
            return len(rows)

        return Work(work, int)

    return start


def bytes_of(array: Any) -> Any:
    """Return the bytes of all strings of an array, one after another, without a copy."""
    from struct import unpack_from

    _, offsets, data = array.buffers()
    wide = str(array.type).startswith("large")
    size, form = (8, "<q") if wide else (4, "<i")
    first = unpack_from(form, offsets, array.offset * size)[0]
    last = unpack_from(form, offsets, (array.offset + len(array)) * size)[0]
    return memoryview(data)[first:last]


if __name__ == "__main__":
    main(
        {
            "urlset": urlset_write(gzip=False),
            "urlset-gz": urlset_write(),
            "urlset-gz1": urlset_write(level=1),
            "urlset-dicts-gz": urlset_dicts,
            "urlset-parquet-gz": urlset_parquet,
            "urlset-long-gz": urlset_long,
            "parquet-read": parquet_read,
            "zlib-deflate": zlib_deflate,
            "pyarrow-strftime": pyarrow_join(packed=False, strftime=True),
            **{
                name + "-gz" * packed: make(packed)
                for name, make in (
                    ("fstring", fstring),
                    ("pyarrow", pyarrow_join),
                    ("polars", polars_join),
                    ("lxml", lxml_xmlfile),
                    ("django", django),
                )
                for packed in (False, True)
            },
        }
    )
