"""The plot of the README as SVG: bars of URLs per CPU second, for light and dark pages. Knows no result."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, LEFT, RIGHT = 860, 262, 70
HIGH, SMALL, GAP = 15, 12, 9


class Bar(NamedTuple):
    """Who, how fast, how fast with gzip, whether it is ours, and whether its result has flaws."""

    name: str
    value: float | None
    second: float | None
    ours: bool
    flawed: bool


STYLE = """
text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 14px }
.faint { fill: #59636e; font-size: 11px }
.ours { font-weight: 600 }
line { stroke: #d1d9e0; stroke-width: 1 }
.bar { fill: #8c959f } .bar.second { fill: #c4cbd2 }
.bar.mine { fill: #0969da } .bar.mine.second { fill: #80b6f2 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .faint { fill: #9198a1 }
line { stroke: #3d444d }
.bar { fill: #6e7681 } .bar.second { fill: #454c54 }
.bar.mine { fill: #4493f8 } .bar.mine.second { fill: #1f4f8f }
}
"""


def rate(value: float) -> str:
    return f"{value / 1e6:.3g} M" if value >= 1e6 else f"{value / 1e3:.3g} k"


def _panel(title: str, faint: str, bars: list[Bar], top: int) -> tuple[list[str], int]:
    values = [v for bar in bars for v in (bar.value, bar.second) if v]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    high += high == low

    def x(value: float) -> float:
        return round(LEFT + (log10(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    out = [f'<text class="title" x="0" y="{top + 14}">{escape(title)}</text>']
    out.append(f'<text class="faint" x="0" y="{top + 32}">{escape(faint)}</text>')
    start = y = top + 46
    for bar in bars:
        mine = " mine" if bar.ours else ""
        pair = [(bar.value, "bar"), (bar.second, "bar second")]
        there = [(value, kind) for value, kind in pair if value]
        tall = HIGH if len(there) == 1 else SMALL
        middle = y + tall * len(there) / 2 + 4
        name = f"{bar.name} *" if bar.flawed else bar.name
        weight = ' class="ours"' if bar.ours else ""
        out.append(f'<text{weight} x="{LEFT - 8}" y="{middle:g}" text-anchor="end">{escape(name)}</text>')
        for value, kind in there:
            end = x(value)
            out.append(
                f'<rect class="{kind}{mine}" x="{LEFT}" y="{y}" width="{end - LEFT:g}" height="{tall - 1}" rx="1.5"/>'
            )
            out.append(f'<text class="faint" x="{end + 5:g}" y="{y + tall / 2 + 3.5:g}">{rate(value)}</text>')
            y += tall
        y += GAP
    grid = []
    for power in range(low, high + 1):
        at = x(10**power)
        grid.append(f'<line x1="{at:g}" y1="{start - 4}" x2="{at:g}" y2="{y - GAP + 4}"/>')
        grid.append(f'<text class="faint" x="{at:g}" y="{y + 8}" text-anchor="middle">{rate(10**power)}</text>')
    return grid + out, y + 20


def svg(readers: list[Bar], writers: list[Bar]) -> str:
    """Return the plot."""
    scale = "URLs per CPU second, logarithmic; * loses or alters something, see the table"
    first, bottom = _panel("Reading 50,000 URLs, 10 MB of XML", scale, readers, 0)
    both = "URLs per CPU second, logarithmic; upper bar plain, lower bar gzipped at level 6; * as above"
    second, bottom = _panel("Writing 1,000,000 URLs to 20 files and an index", both, writers, bottom + 18)
    body = "\n".join([*first, *second])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom}" width="{WIDTH}" height="{bottom}" '
        'role="img" aria-label="URLs per CPU second of readers and writers of sitemaps">\n'
        f"<style>{STYLE}</style>\n{body}\n</svg>\n"
    )
