"""The demonstration: a catalogue made from arithmetic, written as sitemaps, read back and compared row by row."""

from urlset._demo.run import main
from urlset._demo.shop import BASE, Row, catalogue, rows

__all__ = ["BASE", "Row", "catalogue", "main", "rows"]
