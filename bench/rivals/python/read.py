"""Readers in Python: the bytes of one sitemap, in memory, to what each library gives its users, held all at once."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from harness import Given, UnsupportedError, Work, main

FOUR = ("loc", "lastmod", "changefreq", "priority")
NAMES = " ".join(FOUR)
logging.disable(logging.CRITICAL)


def micros(at: datetime | None) -> str:
    """Return an instant as answers have it: @ and microseconds."""
    if at is None:
        return ""
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return f"@{int(at.timestamp()) * 1_000_000 + at.microsecond}"


def words(value: Any) -> str:
    return "" if value is None else str(value)


def urlset(given: Given) -> Work:
    """As its user sees it: Arrow batches, all of them kept."""
    import pyarrow as pa

    from urlset import read

    data = given.path.read_bytes()

    def work() -> Any:
        urls = read(data)
        return list(urls.batches()), urls

    def answer(found: Any) -> tuple[str, Iterable[tuple[str, ...]]]:
        table = pa.Table.from_batches([pa.record_batch(batch) for batch in found[0]])
        columns = [
            table["loc"].to_pylist(),
            [f"@{at}" if at is not None else "" for at in table["lastmod"].cast(pa.int64()).to_pylist()],
            map(words, table["changefreq"].to_pylist()),
            map(words, table["priority"].to_pylist()),
        ]
        names = NAMES
        if table["images"].null_count < len(table):
            names += " images videos news alternates"
            columns += [
                [" ".join(image["loc"] for image in row or ()) for row in table["images"].to_pylist()],
                [" ".join(video["title"] for video in row or ()) for row in table["videos"].to_pylist()],
                [row["title"] if row else "" for row in table["news"].to_pylist()],
                [
                    " ".join(f"{x['hreflang']} {x['href']}" for x in row or ())
                    for row in table["alternates"].to_pylist()
                ],
            ]
        return names, zip(*columns, strict=True)

    return Work(work, lambda found: sum(map(len, found[0])), answer, lambda found: len(found[1].findings))


def urlset_stream(given: Given) -> Work:
    """A file of any length, batch by batch, nothing kept."""
    from urlset import Limits, read  # names bring the library, which is not to count as growth

    limits = Limits(max_bytes=None)

    def work() -> int:
        return sum(len(batch) for batch in read(given.path, limits=limits).batches())

    return Work(work, int)


def urlset_index(threads: int) -> Callable[[Given], Work]:
    """An index and its children on disk, on so many threads."""

    def start(given: Given) -> Work:
        import inspect

        from urlset import read

        options = {"threads": threads}
        if "threads" not in inspect.signature(read).parameters:
            raise UnsupportedError("urlset.read has no threads")

        def work() -> int:
            urls = read(given.path, base="https://shop.example/", **options)
            return sum(len(batch) for batch in urls.batches())

        return Work(work, int)

    return start


def lxml(given: Given) -> Work:
    """iterparse over whole entries, which are let go as soon as they were read."""
    from lxml import etree

    data = given.path.read_bytes()
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    wanted = {space + name: at for at, name in enumerate(FOUR)}

    def work() -> list[list[str | None]]:
        rows = []
        for _, url in etree.iterparse(BytesIO(data), tag=space + "url", remove_comments=True, remove_pis=True):
            row: list[str | None] = [None] * 4
            for child in url:
                at = wanted.get(child.tag)
                if at is not None:
                    row[at] = child.text
            rows.append(row)
            url.clear()
            while url.getprevious() is not None:
                del url.getparent()[0]
        return rows

    return Work(work, answer=lambda rows: (NAMES, (tuple(map(words, row)) for row in rows)))


def pyexpat(given: Given) -> Work:
    """The parser of the standard library, filling a list for each column."""
    from xml.parsers import expat

    data = given.path.read_bytes()

    def work() -> dict[str, list[str | None]]:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        columns: dict[str, list[str | None]] = {name: [] for name in FOUR}
        row: dict[str, str] = {}
        texts: list[str] = []

        def end(name: str) -> None:
            if name == "url":
                for field, column in columns.items():
                    column.append(row.get(field))
                row.clear()
                texts.clear()
            elif name in columns:
                row[name] = texts[-1].strip() if texts else ""

        parser.EndElementHandler = end
        parser.CharacterDataHandler = texts.append
        parser.Parse(data, True)
        return columns

    def answer(columns: dict[str, list[str | None]]) -> tuple[str, Iterator[tuple[str, ...]]]:
        return NAMES, (tuple(map(words, row)) for row in zip(*columns.values(), strict=True))

    return Work(work, lambda columns: len(columns["loc"]), answer)


def scrapy(given: Given) -> Work:
    """What its SitemapSpider reads with."""
    from scrapy.utils.sitemap import Sitemap

    data = given.path.read_bytes()

    def answer(rows: list[dict[str, Any]]) -> tuple[str, Iterator[tuple[str, ...]]]:
        if any("alternate" in row for row in rows[:9]):
            # Only addresses are kept of alternates: no language could be right.
            found = ((*(row.get(name, "") for name in FOUR), " ".join(row["alternate"])) for row in rows)
            return NAMES + " alternates", found
        return NAMES, (tuple(row.get(name, "") for name in FOUR) for row in rows)

    return Work(lambda: list(Sitemap(data)), answer=answer)


def advertools(given: Given) -> Work:
    """sitemap_to_df takes an address alone: that of the file."""
    import pandas as pd
    from advertools import sitemap_to_df

    address = given.path.resolve().as_uri()

    def answer(frame: Any) -> tuple[str, Iterator[tuple[str, ...]]]:
        columns = []
        for name in FOUR:
            if name not in frame:
                columns.append([""] * len(frame))
            elif str(frame[name].dtype).startswith("datetime"):
                columns.append([micros(at.to_pydatetime()) if at is not pd.NaT else "" for at in frame[name]])
            else:
                columns.append(["" if pd.isna(value) else str(value) for value in frame[name]])
        return NAMES, zip(*columns, strict=True)

    return Work(lambda: sitemap_to_df(address), answer=answer)


def usp(given: Given) -> Work:
    """The whole of its way from a text to pages, without its fetching."""
    from usp.tree import sitemap_from_str

    data = given.path.read_bytes()

    def answer(pages: list[Any]) -> tuple[str, Iterator[tuple[str, ...]]]:
        rows = (
            (
                page.url,
                micros(page.last_modified),
                page.change_frequency.value if page.change_frequency else "",
                str(page.priority),
                " ".join(image.loc for image in page.images or ()),
                page.news_story.title if page.news_story else "",
                " ".join(f"{language} {href}" for language, href in page.alternates or ()),
            )
            for page in pages
        )
        return NAMES + " images news alternates", rows

    return Work(lambda: list(sitemap_from_str(data.decode()).all_pages()), answer=answer)


def trafilatura(given: Given) -> Work:
    """The object behind sitemap_search, given the text that it would have fetched."""
    from trafilatura.sitemaps import SitemapObject

    data = given.path.read_bytes()
    address = "https://shop.example/sitemap.xml"

    def work() -> list[str]:
        sitemap = SitemapObject("https://shop.example", "shop.example", [address])
        sitemap.content, sitemap.current_url = data.decode(), address
        sitemap.process()
        return sitemap.urls

    return Work(work, answer=lambda urls: ("loc", ((url,) for url in urls)))


def zlib_inflate(given: Given) -> Work:
    data = given.path.read_bytes()
    return Work(lambda: zlib.decompress(data, 31), len)


if __name__ == "__main__":
    main(
        {
            "urlset": urlset,
            "urlset-stream": urlset_stream,
            "urlset-index": urlset_index(1),
            "urlset-index-2": urlset_index(2),
            "lxml": lxml,
            "pyexpat": pyexpat,
            "scrapy": scrapy,
            "advertools": advertools,
            "usp": usp,
            "trafilatura": trafilatura,
            "zlib-inflate": zlib_inflate,
        }
    )
