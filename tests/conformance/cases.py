"""Cases of conformance: what the authorities say, as data, one folder an authority.

A file of cases is TOML. Each `[[case]]` has a `name` that states one fact, an input, and what becomes of it:

`file`      the whole text of a file, or
`entries`   what stands between the tags of a `urlset` that declares every extension, or
`url`       what follows the loc `https://a.example/` within one `url`, or
`hex`       bytes, where text cannot say it.

Where a finding is expected its code stands in the input between « and », right before the character it points at. A
finding without a place there is listed in `finds` as `[code, line, column]`, or `[code]` where it has no place.
`rows` are the rows expected, without what is null; for `url` the one expected row is `row`, its loc understood.

Also known: `kind` (default `urlset`), `complete` (default true), `encoding` (of the text), `bom`, `gzip` (layers), and
what the caller says: `called`, `base`, `content_type`, `relative`, `cut`.

A table `dates`, `values` or `locs` at the top of a file is a short way to write many cases: see `_tables`.
"""

from __future__ import annotations

import codecs
import gzip
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LOC = "https://a.example/"
ROOT = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
)
MARK = re.compile("«([A-Z]{3}[0-9]{3})»")
BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}

Place = tuple[str, int | None, int | None]
KEYS = {
    "name", "file", "entries", "url", "hex", "rows", "row", "finds", "kind", "complete", "encoding", "bom", "gzip",
    "called", "base", "content_type", "relative", "cut",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One fact: bytes, and what a reader makes of them."""

    authority: str
    name: str
    data: bytes
    rows: list[dict[str, Any]]
    finds: list[Place]
    kind: str
    complete: bool
    options: dict[str, Any] = field(default_factory=dict)
    plain: bool = True
    """The bytes are UTF-8 as they stand, so that lines and columns can be counted by anyone."""

    @property
    def id(self) -> str:
        return f"{self.authority}: {self.name}"


def unmark(text: str) -> tuple[str, list[Place]]:
    """Take the marks out of a text: what is left, and where they stood."""
    finds: list[Place] = []
    out = ""
    end = 0
    for mark in MARK.finditer(text):
        out += text[end : mark.start()]
        end = mark.end()
        finds.append((mark[1], out.count("\n") + 1, len(out) - (out.rfind("\n") + 1) + 1))
    return out + text[end:], finds


def order(places: list[Place]) -> list[Place]:
    """Bring places into the order of the file; what has no place comes last."""
    return sorted(places, key=lambda place: (place[1] is None, place[1] or 0, place[2] or 0, place[0]))


def make(authority: str, raw: dict[str, Any]) -> Case:
    unknown = raw.keys() - KEYS
    assert not unknown, f"{authority}: {raw['name']}: keys that no case has: {unknown}"
    rows = raw.get("rows", [])
    if "url" in raw:
        text = f"{ROOT}<url><loc>{LOC}</loc>{raw['url']}</url>\n</urlset>\n"
        rows = [{"loc": LOC, **raw.get("row", {})}]
    elif "entries" in raw:
        text = f"{ROOT}{raw['entries']}</urlset>\n"
    else:
        text = raw.get("file", "")
    text, marks = unmark(text)
    encoding = raw.get("encoding", "utf-8")
    data = bytes.fromhex(raw["hex"]) if "hex" in raw else text.encode(encoding)
    if raw.get("bom"):
        data = BOMS[encoding] + data
    for _ in range(raw.get("gzip", 0)):
        data = gzip.compress(data, mtime=0)
    finds = [*marks, *((f[0], f[1], f[2]) if len(f) == 3 else (f[0], None, None) for f in raw.get("finds", []))]
    options = {"name": raw.get("called")} | {
        key: raw[key] for key in ("base", "content_type", "relative", "cut") if key in raw
    }
    return Case(
        authority=authority,
        name=raw["name"],
        data=data,
        rows=rows,
        finds=order(finds),
        kind=raw.get("kind", "urlset"),
        complete=raw.get("complete", True),
        options=options,
        plain=encoding == "utf-8" and "hex" not in raw and not raw.get("bom") and not raw.get("gzip"),
    )


def _tables(raw: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Write out the short forms.

    `dates`: rows of `[lastmod as written, instant or "", form, code or ""]`.
    `values`: rows of `[element, value as written, value read or "", code or ""]`, for elements of `url`.
    `locs`: rows of `[loc as written, code or "", whether it is a row]`.
    """
    for written, instant, form, code in raw.get("dates", []):
        yield {
            "name": f"lastmod {written}",
            "url": f"<lastmod>{f'«{code}»' if code else ''}{written}</lastmod>",
            "row": {"lastmod": instant, "lastmod_form": form} if instant else {},
        }
    for element, written, value, code in raw.get("values", []):
        yield {
            "name": f"{element} {written!r}",
            "url": f"<{element}>{f'«{code}»' if code else ''}{written}</{element}>",
            "row": {} if value == "" else {element: value},
        }
    for written, codes, is_row in raw.get("locs", []):
        marks = "".join(f"«{code}»" for code in codes.split())
        shown = written.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
        yield {
            "name": f"loc {written}",
            "entries": f"<url><loc>{marks}{written}</loc></url>\n",
            "rows": [{"loc": shown}] if is_row else [],
        }


def cases() -> list[Case]:
    """Every case of every authority."""
    found: list[Case] = []
    for path in sorted(HERE.glob("*/*.toml")):
        if path.parent.name == "hard":
            continue
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        authority = f"{path.parent.name}/{path.stem}"
        found.extend(make(authority, one) for one in [*raw.get("case", []), *_tables(raw)])
    return found
