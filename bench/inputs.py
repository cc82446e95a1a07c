"""The inputs: sitemaps and tables from a fixed seed, and beside each the truth that answers are compared with.

`python -m bench.inputs FOLDER [--seed 42] [a c w ...]` makes them; the 1 GB file only where it is named.

A truth is a table of tabs whose first line names its fields. `lastmod` stands as written, `instant` in microseconds.
"""

from __future__ import annotations

import argparse
import gzip
import random
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

SEED = 42
BASE = "https://shop.example/"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
GOOGLE = "http://www.google.com/schemas/sitemap-"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="' + SITEMAP + '"'
OFTEN = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
LANGUAGES = ["en", "de", "fr", "ja", "pt-BR", "x-default"]
WORDS = (  # noqa: SIM905 - a line a word is no better
    "amber apron arch autumn basket beech birch blanket bottle bowl brass bread bridge brush candle canvas carpet "
    "cedar chair cherry clay clock cloud coat copper cotton cup curtain desk door drawer elm felt fern forest "
    "frame garden glass glove granite grove harbour hazel heather hill honey iron ivory jar kettle lamp lantern "
    "larch leather lemon linen maple marble meadow mirror moss mug needle oak olive paper pepper pine plate plum "
    "pottery quilt reed ribbon river rope rose saddle sage shelf silk silver slate spoon spring stone stool table "
    "tea thread tile tray vase velvet walnut willow window winter wool"
).split()
FOREIGN = ["größe", "straße", "café", "crème-brûlée", "łyżka", "茶碗", "чашка", "ørred"]


class Dice:
    """Numbers from a seed, the same in every release of Python: only `random()` is promised to be."""

    def __init__(self, seed: int) -> None:
        self._next = random.Random(seed).random  # noqa: S311 - not a secret

    def roll(self, sides: int) -> int:
        return int(self._next() * sides)

    def word(self) -> str:
        return WORDS[int(self._next() * len(WORDS))]

    def words(self, count: int) -> str:
        return " ".join(self.word() for _ in range(count))


class Row(NamedTuple):
    """An entry as it is meant."""

    loc: str
    lastmod: str
    instant: int
    changefreq: str
    priority: str


def address(dice: Dice, number: int) -> str:
    """Return an address: a fifth with several parameters, some of them named like entities, and a tenth not ASCII."""
    kind = dice.roll(20)
    if kind == 0:
        return f"{BASE}catalog/{dice.word()}/item-{number}.html?size={dice.roll(50)}&copy={dice.roll(9)}"
    if kind < 4:
        return f"{BASE}catalog/{dice.word()}/item-{number}?color={dice.word()}&size={dice.roll(50)}&page={dice.roll(9)}"
    if kind < 6:
        return f"{BASE}katalog/{FOREIGN[dice.roll(len(FOREIGN))]}/artikel-{number}-{dice.word()}"
    return f"{BASE}catalog/{dice.word()}-and-{dice.word()}/{dice.word()}-{dice.word()}-{number:07}.html"


def moment(dice: Dice) -> tuple[str, int]:
    """Return a time in one of five forms of the W3C's note, and its microseconds."""
    at = datetime(2023, 1, 1, tzinfo=UTC) + timedelta(seconds=dice.roll(60_000_000))
    form = dice.roll(5)
    if form == 0:
        at = at.replace(hour=0, minute=0, second=0)
        text = f"{at:%Y-%m-%d}"
    elif form == 1:
        at = at.replace(second=0)
        text = f"{at:%Y-%m-%dT%H:%MZ}"
    elif form == 2:
        text = f"{at.astimezone(timezone(timedelta(hours=2))):%Y-%m-%dT%H:%M:%S}+02:00"
    elif form == 3:
        text = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    else:
        at += timedelta(milliseconds=dice.roll(1000))
        text = f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z"
    return text, int(at.timestamp()) * 1_000_000 + at.microsecond


def row(dice: Dice, number: int) -> Row:
    loc = address(dice, number)
    text, instant = moment(dice)
    return Row(loc, text, instant, OFTEN[dice.roll(len(OFTEN))], f"{dice.roll(11) / 10}")


def entry(row: Row, loc: str | None = None, often: str | None = None) -> str:
    return (
        f"  <url>\n    <loc>{escape(row.loc) if loc is None else loc}</loc>\n    <lastmod>{row.lastmod}</lastmod>\n"
        f"    <changefreq>{often or row.changefreq}</changefreq>\n    <priority>{row.priority}</priority>\n  </url>\n"
    )


class Making:
    """A folder, a seed, and what may be made."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed

    def dice(self) -> Dice:
        return Dice(self.seed)

    def rows(self, count: int, seed: int = 0) -> Iterator[Row]:
        dice = Dice(self.seed + seed)
        return (row(dice, number) for number in range(count))

    def xml(self, name: str, parts: Iterator[str]) -> None:
        with (self.folder / name).open("w", encoding="utf-8", newline="") as file:
            file.write(HEAD + ">\n")
            file.writelines(parts)
            file.write("</urlset>\n")

    def truth(self, name: str, fields: str, rows: Iterator[tuple[str, ...]]) -> None:
        with (self.folder / f"{name}.truth").open("w", encoding="utf-8", newline="") as file:
            file.write("\t".join(fields.split()) + "\n")
            file.writelines("\t".join(row) + "\n" for row in rows)

    def a(self) -> None:
        """Make 50,000 URLs with four tags, plain and gzipped."""
        rows = list(self.rows(50_000))
        self.xml("a.xml", map(entry, rows))
        plain = (self.folder / "a.xml").read_bytes()
        (self.folder / "a.xml.gz").write_bytes(gzip.compress(plain, 6, mtime=0))
        for name in ("a", "a.gz"):
            self.truth(name, FOUR, (tuple(map(str, row)) for row in rows))

    def a_faulty(self) -> None:
        """Make the same, one entry in a hundred written wrong in a way that can be put right."""
        dice, rows = Dice(self.seed + 1), list(self.rows(50_000))

        def parts() -> Iterator[str]:
            for at, one in enumerate(rows):
                # One in every hundred rather than one in a hundred at random: the count is data.
                if at % 100 == 0:
                    rows[at] = row = one._replace(loc=f"{one.loc.partition('?')[0]}?color=red&size={dice.roll(50)}")
                    wrong = at // 100 % 3
                    yield (
                        entry(row, loc=row.loc)  # a lone ampersand
                        if wrong == 0
                        else entry(row, often=row.changefreq.upper())  # a word in capitals
                        if wrong == 1
                        else entry(row).replace("</priority>", "</priority></p>")  # a tag that nothing opened
                    )
                else:
                    yield entry(one)

        self.xml("a-faulty.xml", parts())
        self.truth("a-faulty", FOUR, (tuple(map(str, row)) for row in rows))

    def b(self) -> None:
        """Make the addresses of a alone."""
        rows = list(self.rows(50_000))
        self.xml("b.xml", (f"<url><loc>{escape(row.loc)}</loc></url>\n" for row in rows))
        self.truth("b", "loc", ((row.loc,) for row in rows))

    def c(self) -> None:
        """Make 15,000 URLs, each with three images, a piece of news, a video and six alternates."""
        dice = self.dice()
        spaces = "".join(
            f' xmlns:{n}="{GOOGLE}{n}/{v}"' for n, v in [("image", "1.1"), ("video", "1.1"), ("news", "0.9")]
        )
        truths: list[tuple[str, ...]] = []
        with (self.folder / "c.xml").open("w", encoding="utf-8", newline="") as file:
            file.write(f'{HEAD}{spaces} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n')
            for number in range(15_000):
                text, truth = rich(dice, number)
                file.write(text)
                truths.append(truth)
            file.write("</urlset>\n")
        self.truth("c", "loc lastmod instant images videos news alternates", iter(truths))

    def d(self) -> None:
        """Make an index of 200 files of 5,000 URLs."""
        folder = self.folder / "d"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        rows = self.rows(1_000_000)
        names = [f"sitemap-{number:03}.xml" for number in range(200)]
        for name in names:
            self.xml(f"d/{name}", (entry(next(rows)) for _ in range(5_000)))
        index = "".join(f"  <sitemap>\n    <loc>{BASE}{name}</loc>\n  </sitemap>\n" for name in names)
        (folder / "sitemap.xml").write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{SITEMAP}">\n{index}</sitemapindex>\n'
        )

    def big50(self) -> None:
        """Make a file of 50 MB."""
        self.xml("big50.xml", map(entry, self.rows(235_000)))

    def big1000(self) -> None:
        """Make a file of 1 GB: the 50 MB twenty times, with other numbers each time."""
        plain = (self.folder / "big50.xml").read_bytes()
        start = plain.index(b"  <url>")
        head, body, tail = plain[:start], plain[start : plain.rindex(b"</urlset>")], b"</urlset>\n"
        with (self.folder / "big1000.xml").open("wb") as file:
            file.write(head)
            for time in range(20):
                file.write(body.replace(b"shop.example/", b"shop.example/%02d/" % time))
            file.write(tail)

    def w(self) -> None:
        """Make 1,000,000 rows with four columns as a table of tabs and as Parquet."""
        self._table("w", 1_000_000)

    def w_tenth(self) -> None:
        """Make the first tenth of w, for writers that would take minutes."""
        self._table("w-tenth", 100_000)

    def _table(self, name: str, count: int) -> None:
        dice = self.dice()
        with (self.folder / f"{name}.truth").open("w", encoding="ascii", newline="") as file:
            file.write("\t".join(FOUR.split()) + "\n")
            for number in range(count):
                seconds = 1_700_000_000 + dice.roll(31_536_000)
                loc = f"{BASE}store/category-{dice.roll(200)}/{dice.word()}-{dice.word()}-product-{number:07}"
                if dice.roll(5) == 0:
                    loc += f"?color={dice.word()}&size={dice.roll(50)}"
                often, priority = OFTEN[dice.roll(len(OFTEN))], dice.roll(11) / 10
                file.write(f"{loc}\t{iso(seconds)}\t{seconds}000000\t{often}\t{priority}\n")
        columns(self.folder, name)

    def r(self) -> None:
        """Make 50,000 rows with five alternates and two images each."""
        dice = self.dice()
        with (self.folder / "r.truth").open("w", encoding="ascii", newline="") as file:
            file.write(f"{FOUR}\timages\talternates\n".replace(" ", "\t"))
            for number in range(50_000):
                seconds = 1_700_000_000 + dice.roll(31_536_000)
                name = f"{dice.word()}-{dice.word()}-product-{number}"
                links = " ".join(
                    f"{language} {BASE}{language}/{name}?from=a&to={language}"
                    for language in ["de", "en-GB", "fr", "es-MX", "x-default"]
                )
                images = " ".join(f"https://cdn.shop.example/images/{number}/{dice.word()}-{at}.jpg" for at in range(2))
                file.write(
                    f"{BASE}category-{dice.roll(200)}/{name}\t{iso(seconds)}\t{seconds}000000\t"
                    f"{OFTEN[dice.roll(len(OFTEN))]}\t{dice.roll(11) / 10}\t{images}\t{links}\n"
                )
        columns(self.folder, "r")


FOUR = "loc lastmod instant changefreq priority"


def iso(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def rich(dice: Dice, number: int) -> tuple[str, tuple[str, ...]]:
    """Return an entry with every extension, and its truth."""
    loc = address(dice, number)
    text, instant = moment(dice)
    out = [f"<url>\n  <loc>{escape(loc)}</loc>\n  <lastmod>{text}</lastmod>\n"]
    images = []
    for _ in range(3):
        name = f"{dice.word()}/{number}/{dice.word()}-{dice.word()}"
        image = f"https://img.shop.example/media/{name}-1200x800.jpg?v={dice.roll(99)}&fit=crop"
        images.append(image)
        out.append(
            f"  <image:image>\n    <image:loc>{escape(image)}</image:loc>\n"
            f"    <image:title>{dice.words(4).capitalize()}</image:title>\n"
            f"    <image:caption>{dice.words(7).capitalize()} &amp; {dice.words(5)}, "
            f"as seen in {2000 + dice.roll(25)}</image:caption>\n"
            "  </image:image>\n"
        )
    video = f"How the {dice.word()} of article {number} is made"
    out.append(
        "  <video:video>\n"
        f"    <video:thumbnail_loc>https://img.shop.example/media/thumbnails/{dice.word()}/{number}.jpg</video:thumbnail_loc>\n"
        f"    <video:title>{video}</video:title>\n"
        f"    <video:description>{dice.words(7).capitalize()}. {dice.words(3).capitalize()}.</video:description>\n"
        f"    <video:content_loc>https://video.shop.example/{dice.word()}/{number}.mp4</video:content_loc>\n"
        f"    <video:player_loc>https://shop.example/player?video={number}&amp;start={dice.roll(60)}</video:player_loc>\n"
        f"    <video:duration>{1 + dice.roll(600)}</video:duration>\n"
        f"    <video:publication_date>{iso(1_700_000_000 + dice.roll(31_536_000))}</video:publication_date>\n"
        f"    <video:tag>{dice.word()}</video:tag>\n    <video:tag>{dice.word()}</video:tag>\n  </video:video>\n"
    )
    news = f"{dice.words(6).capitalize()}: article {number} is here"
    out.append(
        "  <news:news>\n    <news:publication>\n      <news:name>The Shop Times</news:name>\n"
        "      <news:language>en</news:language>\n    </news:publication>\n"
        f"    <news:publication_date>{iso(1_700_000_000 + dice.roll(31_536_000))[:10]}</news:publication_date>\n"
        f"    <news:title>{news}</news:title>\n  </news:news>\n"
    )
    name = f"{dice.word()}-{dice.word()}-{number}"
    alternates = [f"{language} {BASE}{language}/catalog/{name}.html" for language in LANGUAGES]
    for alternate in alternates:
        language, href = alternate.split(" ")
        out.append(f'  <xhtml:link rel="alternate" hreflang="{language}" href="{href}"/>\n')
    out.append("</url>\n")
    return "".join(out), (loc, text, str(instant), " ".join(images), video, news, " ".join(alternates))


def columns(folder: Path, name: str) -> None:
    """Make a Parquet file of a truth: the columns that a catalogue would have."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv, parquet

    text = csv.ParseOptions(delimiter="\t", quote_char=False)
    kinds = dict.fromkeys(("loc", "lastmod", "changefreq", "images", "alternates"), pa.string())
    found = csv.read_csv(
        folder / f"{name}.truth",
        parse_options=text,
        convert_options=csv.ConvertOptions(column_types=kinds | {"instant": pa.int64(), "priority": pa.float64()}),
    )
    table = pa.table(
        {
            "loc": found["loc"],
            "lastmod": found["instant"].cast(pa.timestamp("us", "UTC")),
            "changefreq": found["changefreq"].dictionary_encode(),
            "priority": found["priority"],
        }
    )
    if "images" in found.column_names:
        images = pc.split_pattern(found["images"], " ").combine_chunks()
        links = pc.split_pattern(found["alternates"], " ").combine_chunks()
        words = links.values
        halves = [pc.take(words, pa.array(range(first, len(words), 2))) for first in (0, 1)]
        pairs = pa.StructArray.from_arrays(halves, names=["hreflang", "href"])
        table = table.append_column("alternates", pa.ListArray.from_arrays(pc.divide(links.offsets, 2), pairs))
        one = pa.StructArray.from_arrays([images.values], names=["loc"])
        table = table.append_column("images", pa.ListArray.from_arrays(images.offsets, one))
    parquet.write_table(table, folder / f"{name}.parquet", row_group_size=100_000)


def makers(making: Making) -> dict[str, tuple[Callable[[], None], str]]:
    """Return what can be made: by name, how and which file shows that it was."""
    return {
        "a": (making.a, "a.xml.gz"),
        "a-faulty": (making.a_faulty, "a-faulty.truth"),
        "b": (making.b, "b.truth"),
        "c": (making.c, "c.truth"),
        "d": (making.d, "d/sitemap.xml"),
        "w": (making.w, "w.parquet"),
        "w-tenth": (making.w_tenth, "w-tenth.parquet"),
        "r": (making.r, "r.parquet"),
        "big50": (making.big50, "big50.xml"),
        "big1000": (making.big1000, "big1000.xml"),
    }


def make(folder: Path, names: list[str], seed: int = SEED, tell: Callable[[str], object] = lambda _: None) -> None:
    """Make inputs that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    known = makers(Making(folder, seed))
    wanted = {*names, *(["big50"] if "big1000" in names else [])}
    for name in (name for name in known if name in wanted):  # the 1 GB is made of the 50 MB
        how, shows = known[name]
        done = folder / f".{name}"
        if not (done.exists() and (folder / shows).exists()):
            tell(f"making {name}")
            how()
            done.touch()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=["a", "a-faulty", "b", "c", "r", "w"])
    parser.add_argument("--seed", type=int, default=SEED)
    told = parser.parse_args()
    make(told.folder, told.names, told.seed, lambda text: print(text, flush=True))  # noqa: T201
