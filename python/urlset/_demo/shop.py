"""A shop's catalogue as an SQLite file: every row follows from its number, and says itself how it must come out.

The expectations are put together by hand, beside the raw values, and not by the code that they judge.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from urlset._demo.words import TONGUES, Tongue

BASE = "https://shop.example/"
ROWS = 200_000
COLUMNS = ("loc", "lastmod", "changefreq", "priority", "images", "videos", "news", "alternates")
# A loc has fewer than 2,048 characters (the protocol).
LONGEST = 2_047


class Row(NamedTuple):
    """A row of the table, and what a reader of the sitemap must find."""

    loc: str
    lastmod: str | None
    changefreq: str | None
    priority: float | None
    images: str | None
    """JSON: a list of objects, as are videos and alternates; news is one object."""
    videos: str | None
    news: str | None
    alternates: str | None
    written: str
    """The loc in its encoded form."""
    instant: int | None
    """The lastmod in microseconds since 1970, UTC."""


# Awkward locs: from a number, what the database holds and what must be written. `None` means that nothing changes.
AWKWARD: tuple[Callable[[int], tuple[str, str | None]], ...] = (
    lambda n: (f"{BASE}search?q=salt&page={n}&sort=a'z", None),
    lambda n: (f"{BASE}search?q=a&amp;b={n}", None),  # escaped once too often in the database: not ours to mend
    lambda n: (f'{BASE}say-"hello"/{n}', f"{BASE}say-%22hello%22/{n}"),
    lambda n: (f"{BASE}two words/{n}", f"{BASE}two%20words/{n}"),
    lambda n: (f"{BASE}%41-stays-%7e/{n}", None),
    lambda n: (f"{BASE}%zz/{n}", f"{BASE}%25zz/{n}"),
    lambda n: (f"{BASE}{n}/100%", f"{BASE}{n}/100%25"),
    lambda n: (f"{BASE}list[{n}]?filter[size]=xl", f"{BASE}list%5B{n}%5D?filter%5Bsize%5D=xl"),
    lambda n: (f"https://SHOP.Example/Upper/{n}", f"{BASE}Upper/{n}"),
    lambda n: (f"HTTPS://shop.example/scheme/{n}", f"{BASE}scheme/{n}"),
    lambda n: (f"https://shop.example?ref={n}", f"{BASE}?ref={n}"),
    lambda n: (f"{BASE}<b>{n}</b>", f"{BASE}%3Cb%3E{n}%3C/b%3E"),
    lambda n: (f"{BASE}{{{n}}}|^`\\", f"{BASE}%7B{n}%7D%7C%5E%60%5C"),
    lambda n: (f"{BASE}🎁/{n}", f"{BASE}%F0%9F%8E%81/{n}"),
    lambda n: (f"{BASE}cafe\u0301/{n}", f"{BASE}cafe%CC%81/{n}"),  # decomposed, and to stay so
    lambda n: (f"{BASE}a+b~c!$'()*,;=:@/{n}", None),
    lambda n: (f"{BASE}up/../and//over/{n}", None),
    lambda n: (f"{BASE}long/{n}/".ljust(LONGEST, "x"), None),
    lambda n: (f"{BASE}long/{n}/" + "é" * 300, f"{BASE}long/{n}/" + "%C3%A9" * 300),
)

DAY = 86_400_000_000  # microseconds
FIRST_DAY = date(2021, 3, 1)
DAYS = 1_500  # all of them past, whenever this runs
CHANGEFREQS = (None, "daily", "weekly", None, "monthly", "yearly", "always", "hourly", "never", None)
PRIORITIES = (None, 0.5, 0.8, 1.0, 0.0, 0.05, None, 0.64, 0.3, 0.999)

_days = [FIRST_DAY + timedelta(days=n) for n in range(DAYS)]
_epoch = date(1970, 1, 1)
_day_text = [day.isoformat() for day in _days]
_day_start = [(day - _epoch).days * DAY for day in _days]
_month_start = [(day.replace(day=1) - _epoch).days * DAY for day in _days]
_year_start = [(day.replace(month=1, day=1) - _epoch).days * DAY for day in _days]
_minutes = [f"{minute // 60:02}:{minute % 60:02}" for minute in range(24 * 60)]
_MINUTE = 60_000_000


def _lastmod(form: int, day: int, second: int, micro: int) -> tuple[str | None, int | None]:
    """Return a date as written in one of the forms people use, and its instant."""
    text = _day_text[day]
    if form < 3:
        return text, _day_start[day]
    if form == 3:
        return None, None
    if form == 4:
        return text[:7], _month_start[day]
    if form == 5:
        return (text[:4], _year_start[day]) if micro % 16 == 0 else (text, _day_start[day])
    minute = f"{text}T{_minutes[second // 60]}"
    start = _day_start[day] + second // 60 * _MINUTE
    seconds = second % 60
    exact = start + seconds * 1_000_000
    if form == 6:
        return f"{minute}:{seconds:02}Z", exact
    if form == 7:
        return f"{minute}:{seconds:02}+02:00", exact - 120 * _MINUTE
    if form == 8:
        return f"{minute}-05:00", start + 300 * _MINUTE
    if form == 9:
        return f"{minute}:{seconds:02}.{micro % 1000:03}+05:45", exact + micro % 1000 * 1000 - 345 * _MINUTE
    if form == 10:
        return f"{minute}:{seconds:02}.{micro:06}Z", exact + micro
    return f"{minute}:{seconds:02}-00:00", exact


class _Texts(NamedTuple):
    """The words of one language, ready to be put into rows."""

    code: str
    news: str
    names: list[tuple[str, str]]
    """Raw and encoded."""
    shelf: tuple[str, str]
    paper: tuple[str, str]
    titles: list[str]
    """As JSON."""


def _texts(tongue: Tongue) -> _Texts:
    names = [f"{first}-{second}" for first in tongue.firsts for second in tongue.seconds]
    return _Texts(
        tongue.code,
        tongue.news,
        [(name, quote(name)) for name in names],
        (f"{BASE}{tongue.code}/{tongue.shelf}/", f"{BASE}{tongue.code}/{quote(tongue.shelf)}/"),
        (f"{BASE}{tongue.code}/{tongue.paper}/", f"{BASE}{tongue.code}/{quote(tongue.paper)}/"),
        [json.dumps(title, ensure_ascii=False) for title in tongue.titles],
    )


def _videos(c: int, title: str, other: str, day: str, both: bool) -> str:
    """Return the videos of a page: one with a file, and sometimes one with a player."""
    head = f'{{"thumbnail_loc":"https://img.shop.example/v/{c}.jpg","title":{title},"description":{other}'
    file = (
        f'{head},"content_loc":"https://video.shop.example/{c}.mp4?a=1&b=2","duration":{c % 28_800 + 1},'
        f'"publication_date":"{day}T08:30:00+09:00"}}'
    )
    player = f'{head},"player_loc":"https://video.shop.example/play?v={c}","rating":{c % 50 / 10},"view_count":{c}}}'
    return f"[{file},{player}]" if both else f"[{file}]"


def rows(count: int = ROWS, seed: int = 1) -> Iterator[Row]:
    """Yield the first `count` rows of the catalogue that belongs to `seed`.

    >>> first = next(rows(1))
    >>> first.loc == first.written
    True
    """
    texts = [_texts(tongue) for tongue in TONGUES]
    tongues = len(texts)
    mask = (1 << 64) - 1
    salt = (seed * 0xD1342543DE82EF95 + 0x2545F4914F6CDD1D) & mask
    i = 0
    for c in range(-(-count // tongues)):
        # One number for each page in all its languages: a multiplication and a shift spread it over 64 bits.
        h = ((c + 1) * 0x9E3779B97F4A7C15 ^ salt) & mask
        h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9 & mask
        h ^= h >> 32
        name, day, second, micro = h % 36, (h >> 8) % DAYS, (h >> 20) % 86_400, (h >> 37) % 1_000_000
        article = h >> 58 < 16
        alternates = None
        if h >> 50 & 3 == 0:
            links = [
                f'{{"hreflang":"{t.code}","href":"{(t.paper if article else t.shelf)[1]}{t.names[name][1]}-{c}"}}'
                for t in texts
            ]
            links.append(f'{{"hreflang":"x-default","href":"{BASE}?page={c}&lang=any"}}')
            alternates = f"[{','.join(links)}]"
        for number, t in enumerate(texts):
            if i == count:
                return
            folder = t.paper if article else t.shelf
            loc, written = f"{folder[0]}{t.names[name][0]}-{c}", f"{folder[1]}{t.names[name][1]}-{c}"
            pick = (h >> 3 * number) + number
            if i % 41 == 40:
                loc, changed = AWKWARD[i // 41 % len(AWKWARD)](i)
                written = loc if changed is None else changed
            elif pick % 5 == 0:
                loc = written  # some rows come encoded
            title, other = t.titles[pick % 6], t.titles[pick // 6 % 6]
            images = videos = news = None
            if pick % 3 == 0:
                picture = f'{{"loc":"https://img.shop.example/{c}.jpg?w=800&h=600","title":{title},"caption":{other}}}'
                images = f"[{picture}]"
                if pick % 9 == 0:
                    images = f'[{picture},{{"loc":"https://img.shop.example/{c}-{number}.png"}}]'
            if pick % 29 == 0:
                videos = _videos(c, title, other, _day_text[day], pick % 58 == 0)
            if article and pick % 23 == 0:
                news = (
                    f'{{"publication":{{"name":"Shop & Tell","language":"{t.news}"}},'
                    f'"publication_date":"{_day_text[day]}","title":{title}}}'
                )
            lastmod, instant = _lastmod((pick >> 7) % 12, day, second, micro)
            yield Row(
                loc,
                lastmod,
                CHANGEFREQS[pick % 10],
                PRIORITIES[(pick >> 4) % 10],
                images,
                videos,
                news,
                alternates,
                written,
                instant,
            )
            i += 1


def catalogue(
    path: str | Path, rows: int = ROWS, seed: int = 1, progress: Callable[[int], object] | None = None
) -> None:
    """Write the catalogue to a new SQLite file with one table, `urls`; an older file of that name is replaced.

    `progress` is called with the number of rows so far, now and then.

    >>> import sqlite3, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     catalogue(f"{folder}/shop.sqlite", 1_000)
    ...     sqlite3.connect(f"{folder}/shop.sqlite").execute("select count(*) from urls").fetchone()
    (1000,)
    """
    Path(path).unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        # A file that can be made again needs no journal.
        connection.execute("pragma journal_mode = off")
        connection.execute("pragma synchronous = off")
        connection.execute(
            "create table urls (loc text not null, lastmod text, changefreq text, priority real, "
            "images text, videos text, news text, alternates text)"
        )
        connection.execute("begin")
        connection.executemany("insert into urls values (?, ?, ?, ?, ?, ?, ?, ?)", _counted(rows, seed, progress))
        connection.execute("commit")
    finally:
        connection.close()


def _counted(count: int, seed: int, progress: Callable[[int], object] | None) -> Iterator[tuple[object, ...]]:
    for number, row in enumerate(rows(count, seed), 1):
        if progress and number % 5_000 == 0:
            progress(number)
        yield row[:8]
