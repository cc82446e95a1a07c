"""Chunks of bytes to rows: a file through the core, passes behind a `UrlSet`. Opens no file and follows no index."""

from urlset._read.findings import Findings
from urlset._read.lazy import UrlSet, UrlTable
from urlset._read.run import LISTS, Options, Part, Run, Step

__all__ = ["LISTS", "Findings", "Options", "Part", "Run", "Step", "UrlSet", "UrlTable"]
