"""A naive reader over expat: what the contracts make of well-formed XML, with nothing clever in it. Knows core, images, videos, news, alternates."""

from __future__ import annotations

import re
import xml.parsers.expat
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
SPACE = " \t\r\n"
DATE = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d))?)?)?", re.ASCII
)
DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)", re.ASCII)
WORDS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")


@dataclass
class Element:
    """An element with all it holds."""

    ns: str
    name: str
    attributes: dict[str, str]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def of(self, ns: str, name: str) -> list[Element]:
        return [child for child in self.children if (child.ns, child.name) == (ns, name)]

    @property
    def value(self) -> str | None:
        """The text, trimmed; None where elements stand in it."""
        return None if self.children else self.text.strip(SPACE)


def parse(data: bytes) -> Element:
    """Return the root. Raises `xml.parsers.expat.ExpatError` for what is not well-formed."""
    top = Element("", "", {})
    open_elements = [top]

    def start(name: str, attributes: dict[str, str]) -> None:
        ns, _, local = name.rpartition("}")
        element = Element(ns, local, attributes)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def text(data: str) -> None:
        open_elements[-1].text += data

    parser = xml.parsers.expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = text
    parser.Parse(data, True)
    return top.children[0]


def instant(text: str) -> dict[str, str] | None:
    """A date in one of the six forms of the W3C note, and its form."""
    found = DATE.fullmatch(text)
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    offset = timedelta(0)
    if zone and zone != "Z":
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:])) * (-1 if zone[0] == "-" else 1)
    micros = int((fraction or "").ljust(6, "0")[:6])
    try:
        at = datetime(
            int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0), micros,
            timezone(offset),
        )  # fmt: skip
        utc = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return None
    if not hour:
        return {"": utc, "_form": "date" if day else "year-month" if month else "year"}
    form = "minutes" if not second else f"seconds.{len(fraction)}" if fraction else "seconds"
    return {"": utc, "_form": form + (zone if zone[0] == "+" else f" {zone}")}


def decimal(low: float, high: float) -> Callable[[str], float | None]:
    return lambda text: float(text) if DECIMAL.fullmatch(text) and low <= float(text) <= high else None


def whole(low: int, high: int) -> Callable[[str], int | None]:
    return lambda text: int(text) if re.fullmatch(r"[+-]?[0-9]+", text) and low <= int(text) <= high else None


def yes_no(text: str) -> bool | None:
    return {"yes": True, "Yes": True, "YES": True, "no": False, "No": False, "NO": False}.get(text)


def word(text: str) -> str | None:
    return text.lower() if text.lower() in WORDS else None


Kind = Callable[[str], Any]
VIDEO_FIELDS: dict[str, Kind] = {
    "thumbnail_loc": str, "title": str, "description": str, "content_loc": str, "player_loc": str,
    "duration": whole(1, 28_800), "expiration_date": instant, "rating": decimal(0, 5), "view_count": whole(0, 1 << 62),
    "publication_date": instant, "category": str, "family_friendly": yes_no, "restriction": str, "gallery_loc": str,
    "requires_subscription": yes_no, "uploader": str, "platform": str, "live": yes_no,
}  # fmt: skip
VIDEO_ATTRIBUTES: dict[tuple[str, str], Kind] = {
    ("player_loc", "allow_embed"): yes_no, ("player_loc", "autoplay"): str, ("gallery_loc", "title"): str,
    ("uploader", "info"): str, ("restriction", "relationship"): {"allow": "allow", "deny": "deny"}.get,
    ("platform", "relationship"): {"allow": "allow", "deny": "deny"}.get,
}  # fmt: skip
IMAGE_FIELDS: dict[str, Kind] = dict.fromkeys(("loc", "caption", "geo_location", "title", "license"), str)
NEWS_FIELDS: dict[str, Kind] = {
    "access": str, "genres": str, "publication_date": instant, "title": str, "keywords": str, "stock_tickers": str,
}  # fmt: skip
CORE: dict[str, Kind] = {"lastmod": instant, "changefreq": word, "priority": decimal(0, 1)}


def fields(element: Element, ns: str, kinds: dict[str, Kind]) -> dict[str, Any]:
    """Of each child the first that can be read."""
    row: dict[str, Any] = {}
    for name, kind in kinds.items():
        values = [child.value for child in element.of(ns, name)]
        read = [made for value in values if value and (made := kind(value)) is not None]
        if read and isinstance(read[0], dict):
            row |= {name + suffix: part for suffix, part in read[0].items()}
        elif read:
            row[name] = read[0]
    return row


def video(element: Element) -> dict[str, Any]:
    row = fields(element, VIDEO, VIDEO_FIELDS)
    for (name, attribute), kind in VIDEO_ATTRIBUTES.items():
        values = [child.attributes.get(attribute, "").strip(SPACE) for child in element.of(VIDEO, name)]
        read = [made for value in values if value and (made := kind(value)) is not None]
        if read:
            row[f"{name}_{attribute}"] = read[0]
    tags = [child.value for child in element.of(VIDEO, "tag") if child.value]
    return row | ({"tag": tags} if tags else {})


def news(element: Element) -> dict[str, Any]:
    row = fields(element, NEWS, NEWS_FIELDS)
    publications = element.of(NEWS, "publication")
    if publications:
        row["publication"] = fields(publications[0], NEWS, {"name": str, "language": str})
    return row


def link(element: Element) -> dict[str, Any]:
    values = {name: element.attributes.get(name, "").strip(SPACE) for name in ("rel", "hreflang", "media", "href")}
    return {name: value for name, value in values.items() if value and (name, value.lower()) != ("rel", "alternate")}


def entry(element: Element) -> dict[str, Any] | None:
    """The row of an entry; None where its first loc is not absolute, or there is none."""
    locs = element.of(SITEMAP, "loc")
    loc = locs[0].value if locs else None
    if loc is None or not re.match(r"https?://[a-z0-9]", loc, re.IGNORECASE):
        return None
    row = {"loc": loc, **fields(element, SITEMAP, CORE)}
    images = [fields(image, IMAGE, IMAGE_FIELDS) for image in element.of(IMAGE, "image")]
    videos = [video(child) for child in element.of(VIDEO, "video")]
    alternates = [link(child) for child in element.of(XHTML, "link")]
    articles = element.of(NEWS, "news")
    found = {"images": images, "videos": videos, "alternates": alternates}
    return (
        row
        | {name: items for name, items in found.items() if items}
        | ({"news": news(articles[0])} if articles else {})
    )


def table(data: bytes) -> list[dict[str, Any]]:
    """The rows of a sitemap or an index."""
    root = parse(data)
    rows = [entry(child) for child in root.of(SITEMAP, "url" if root.name == "urlset" else "sitemap")]
    return [row for row in rows if row is not None]
