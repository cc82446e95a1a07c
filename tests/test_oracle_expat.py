"""`read_matches_oracle`: on well-formed XML the reader and a naive one over expat make equal tables."""

from __future__ import annotations

import json
from xml.sax.saxutils import escape

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from tests.oracle_expat import IMAGE, NEWS, SITEMAP, VIDEO, XHTML, table
from tests.reading import read

EXTENSIONS = {"image": IMAGE, "video": VIDEO, "news": NEWS, "xhtml": XHTML}
NAMES = st.sampled_from(["a", "s", "x", "ns1", "image", "video", "q-1", "_"])
# Characters of XML 1.0, the interesting ones often.
TEXT = st.text(
    st.one_of(
        st.sampled_from("aZ0 \t\n&<>\"']%/ü例😀\u0085\u2028"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff\r").filter(lambda c: c >= " "),
    ),
    max_size=12,
)
DATES = st.one_of(
    st.sampled_from(["", "yesterday", " ", "n/a"]),
    st.dates().map(lambda day: day.isoformat()),
    st.dates().map(lambda day: day.isoformat()[:7]),
    st.builds(
        lambda day, time, zone, cut: f"{day.isoformat()}T{time[:cut]}{zone}",
        st.dates(),
        st.sampled_from(["00:00:00", "23:59:59", "08:09:10"]),
        st.sampled_from(["Z", "+00:00", "-05:30", "+14:00"]),
        st.sampled_from([5, 8]),
    ),
    st.builds(lambda micros: f"2025-06-07T08:09:10.{micros:06}Z", st.integers(0, 999_999)),
)
NUMBERS = st.one_of(
    st.sampled_from(["", "0", "1", "0.5", ".5", "1.", "-0", "+1", "1.01", "high", "5e-1"]),
    st.integers(-2, 30_000).map(str),
    st.floats(-1, 6).map(lambda n: f"{n:.3f}"),
)
FLAGS = st.sampled_from(["yes", "no", "Yes", "NO", "", "maybe"])
LOCS = st.one_of(
    TEXT.map("https://a.example/{}".format),
    TEXT.map("HTTP://A.example{}".format).filter(lambda loc: loc[16:17] in {"", "/", "?", "#"}),
    st.sampled_from(["", " ", "/relative", "mailto:a@a.example", "a.example"]),
)
VALUES = {
    **dict.fromkeys(("lastmod", "publication_date", "expiration_date"), DATES),
    **dict.fromkeys(("priority", "rating", "duration", "view_count"), NUMBERS),
    **dict.fromkeys(("family_friendly", "live", "requires_subscription"), FLAGS),
    "changefreq": st.sampled_from(["daily", "Weekly", "NEVER", "biweekly", ""]),
    "loc": LOCS,
}
CHILDREN = {
    "image": ["loc", "caption", "title", "geo_location", "license"],
    "video": [
        "thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration", "expiration_date", "rating",
        "view_count", "publication_date", "tag", "category", "family_friendly", "restriction", "gallery_loc", "uploader",
        "requires_subscription", "platform", "live",
    ],
    "news": ["access", "genres", "publication_date", "title", "keywords", "stock_tickers"],
    "publication": ["name", "language"],
}  # fmt: skip
ATTRIBUTES = {
    "player_loc": ["allow_embed", "autoplay"],
    "restriction": ["relationship"],
    "platform": ["relationship"],
    "gallery_loc": ["title"],
    "uploader": ["info"],
    "link": ["rel", "hreflang", "media", "href"],
}
NOISE = st.sampled_from(["", "", "", " ", "\n\t", "<!-- <loc>x</loc> & -->", "<?pi <x> ?>"])


class Writer:
    """Writes well-formed XML in one of its many ways, as the draws say."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.prefixes: dict[str, str] = {}
        taken: set[str] = set()
        for name, uri in {"": SITEMAP, **EXTENSIONS}.items():
            prefix = name if draw(st.booleans()) else draw(NAMES)
            while prefix in taken or (not prefix and uri != SITEMAP):
                prefix += "0"
            taken.add(prefix)
            self.prefixes[uri] = prefix

    def text(self, value: str) -> str:
        """The same text, escaped in one way or another, with what stands for nothing within."""
        out = ""
        for char in value:
            way = self.draw(st.integers(0, 9))
            if way == 0:
                out += f"&#{ord(char)};" if char in "\t\n" or char >= " " else char
            elif way == 1:
                out += f"&#x{ord(char):X};"
            elif way == 2 and char not in "]>":
                out += f"<![CDATA[{char}]]>"
            else:
                out += escape(char, {'"': "&quot;"}) if char != "'" or way < 6 else "&apos;"
        return out

    def attribute(self, name: str, value: str) -> str:
        quoted = "".join(f"&#{ord(char)};" if char in "<&\"'\t\n" else char for char in value)
        quote = self.draw(st.sampled_from("\"'"))
        return f" {name}{self.draw(st.sampled_from(['=', ' = ']))}{quote}{quoted}{quote}"

    def element(self, uri: str, name: str, inner: str, attributes: str = "") -> str:
        prefix = self.prefixes[uri]
        tag = f"{prefix}:{name}" if prefix else name
        if self.draw(st.integers(0, 20)) == 0:  # the namespace again, by another prefix
            tag, attributes = f"z:{name}", f'{attributes} xmlns:z="{uri}"'
        if not inner and self.draw(st.booleans()):
            return f"<{tag}{attributes}/>"
        return f"<{tag}{attributes}>{inner}</{tag}{self.draw(st.sampled_from(['', ' ']))}>"

    def leaf(self, uri: str, name: str) -> str:
        value = self.draw(VALUES.get(name, TEXT))
        relation = st.sampled_from(["allow", "deny", "only", "alternate", "Alternate", "canonical", ""])
        attributes = ""
        for attribute in ATTRIBUTES.get(name, []):
            if self.draw(st.booleans()):
                kind = {"relationship": relation, "rel": relation, "allow_embed": FLAGS}.get(attribute, TEXT)
                attributes += self.attribute(attribute, self.draw(kind))
        inner = "" if name == "link" else self.draw(NOISE) + self.text(value) + self.draw(NOISE)
        if name != "link" and self.draw(st.integers(0, 40)) == 0:
            inner += "<b>bold</b>"
        return self.element(uri, name, inner, attributes)

    def group(self, uri: str, name: str) -> str:
        children = self.draw(st.lists(st.sampled_from(CHILDREN[name]), max_size=6))
        inner = [self.leaf(uri, child) for child in children]
        if name == "news" and self.draw(st.booleans()):
            inner.append(self.group(uri, "publication"))
        return self.element(uri, name, "".join(part + self.draw(NOISE) for part in inner))

    def entry(self, name: str) -> str:
        parts = [self.leaf(SITEMAP, "loc")] * (self.draw(st.integers(0, 9)) > 0)
        parts += [
            self.leaf(SITEMAP, child) for child in self.draw(st.lists(st.sampled_from(["loc", *CORE]), max_size=4))
        ]
        for kind in self.draw(st.lists(st.sampled_from(["image", "video", "news", "link", "foreign"]), max_size=4)):
            if kind == "foreign":
                parts.append(
                    f'<f:loc xmlns:f="urn:f">{self.text(self.draw(TEXT))}<f:x>https://b.example/</f:x></f:loc>'
                )
            elif kind == "link":
                parts.append(self.leaf(XHTML, "link"))
            else:
                parts.append(self.group(EXTENSIONS[kind], kind))
        parts = self.draw(st.permutations(parts))
        return self.element(SITEMAP, name, "".join(self.draw(NOISE) + part for part in parts))


CORE = ["lastmod", "changefreq", "priority"]


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    writer = Writer(draw)
    root, entry = draw(st.sampled_from([("urlset", "url"), ("urlset", "url"), ("sitemapindex", "sitemap")]))
    entries = [writer.entry(entry) for _ in range(draw(st.integers(0, 4)))]
    spaces = "".join(f' xmlns{":" if prefix else ""}{prefix}="{uri}"' for uri, prefix in writer.prefixes.items())
    prefix = writer.prefixes[SITEMAP]
    tag = f"{prefix}:{root}" if prefix else root
    body = f"<{tag}{spaces}>" + "".join(draw(NOISE) + entry for entry in entries) + draw(NOISE) + f"</{tag}>"
    encoding = draw(st.sampled_from(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16"]))
    declared = "UTF-16" if encoding == "utf-16" else "UTF-8"
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if draw(st.booleans()) or encoding == "utf-16" else ""
    return (declaration + body + draw(st.sampled_from(["", "\n", "<!-- end -->"]))).encode(encoding)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(documents(), st.sampled_from([None, 1, 5, 64]))
def test_read_matches_oracle(data: bytes, chunk: int | None) -> None:
    assert read(data, chunk=chunk).rows == table(data), json.dumps(
        data.decode("utf-16" if data[:1] in b"\xff\xfe" else "utf-8")
    )
