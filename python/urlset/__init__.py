"""Sitemaps as Arrow tables: read, write, check and publish them.

Every public name is listed here once, with the room it lives in, and is imported when first used, so that
`import urlset` costs next to nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urlset._core import VERSION as __version__
    from urlset._publish import write
    from urlset._read import UrlSet
    from urlset._schema import codes, schema
    from urlset._site import read
    from urlset.errors import StreamConsumed, UrlsetError
    from urlset.types import Exit, Fetcher, File, Finding, Limits, Sink, Url

# name -> room, or room:name where the room calls it otherwise
_ROOMS = {
    "Exit": "types",
    "Fetcher": "types",
    "File": "types",
    "Finding": "types",
    "Limits": "types",
    "Sink": "types",
    "StreamConsumed": "errors",
    "Url": "types",
    "UrlSet": "_read",
    "UrlsetError": "errors",
    "__version__": "_core:VERSION",
    "codes": "_schema",
    "read": "_site",
    "schema": "_schema",
    "write": "_publish",
}

__all__ = [  # noqa: PLE0604 - names are strings, whatever the linter can see
    "Exit",
    "Fetcher",
    "File",
    "Finding",
    "Limits",
    "Sink",
    "StreamConsumed",
    "Url",
    "UrlSet",
    "UrlsetError",
    "__version__",
    "codes",
    "read",
    "schema",
    "write",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    try:
        room, _, there = _ROOMS[name].partition(":")
    except KeyError:
        raise AttributeError(f"module 'urlset' has no attribute {name!r}") from None
    value = getattr(import_module(f"urlset.{room}"), there or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
