"""Chunks of bytes to rows: a file through the core, passes behind a `UrlSet`. Opens no file and follows no index."""

from urlset._read.ahead import Ahead, Job
from urlset._read.findings import Findings
from urlset._read.lazy import UrlSet, UrlTable
from urlset._read.pieces import LISTS, Lost, Options, Parsed, parse
from urlset._read.run import Part, Run, Step

__all__ = [
    "LISTS",
    "Ahead",
    "Findings",
    "Job",
    "Lost",
    "Options",
    "Parsed",
    "Part",
    "Run",
    "Step",
    "UrlSet",
    "UrlTable",
    "parse",
]
