"""Sitemaps as Arrow tables: read and write them.

Every public name is listed here with the room it lives in, and is imported when first used, so that `import urlset`
costs next to nothing.
"""

# name -> room, or room:name where the room calls it otherwise
_ROOMS = {
    "DestinationBusy": "errors",
    "Exit": "types",
    "Fetcher": "types",
    "File": "types",
    "Finding": "types",
    "GuardRefused": "errors",
    "LimitExceeded": "errors",
    "Limits": "types",
    "NotFound": "errors",
    "OptionError": "errors",
    "RefusedRows": "errors",
    "Related": "types",
    "Request": "types",
    "Response": "types",
    "SchemaError": "errors",
    "Sink": "types",
    "SourceError": "errors",
    "StoreError": "errors",
    "Stored": "types",
    "StreamConsumed": "errors",
    "StrictError": "errors",
    "Unreadable": "errors",
    "Url": "types",
    "UrlSet": "_read",
    "UrlsetError": "errors",
    "Written": "types",
    "__version__": "_core:VERSION",
    "codes": "_schema",
    "read": "_site",
    "schema": "_schema",
    "write": "_publish",
}

__all__ = sorted(_ROOMS)  # noqa: PLE0605 - type checkers take the names from below

TYPE_CHECKING = False  # importing `typing` for it would cost more than all the rest
if TYPE_CHECKING:
    from urlset._publish import write as write
    from urlset._read import UrlSet as UrlSet
    from urlset._schema import codes as codes
    from urlset._schema import schema as schema
    from urlset._site import read as read
    from urlset.errors import DestinationBusy as DestinationBusy
    from urlset.errors import GuardRefused as GuardRefused
    from urlset.errors import LimitExceeded as LimitExceeded
    from urlset.errors import NotFound as NotFound
    from urlset.errors import OptionError as OptionError
    from urlset.errors import RefusedRows as RefusedRows
    from urlset.errors import SchemaError as SchemaError
    from urlset.errors import SourceError as SourceError
    from urlset.errors import StoreError as StoreError
    from urlset.errors import StreamConsumed as StreamConsumed
    from urlset.errors import StrictError as StrictError
    from urlset.errors import Unreadable as Unreadable
    from urlset.errors import UrlsetError as UrlsetError
    from urlset.types import Exit as Exit
    from urlset.types import Fetcher as Fetcher
    from urlset.types import File as File
    from urlset.types import Finding as Finding
    from urlset.types import Limits as Limits
    from urlset.types import Related as Related
    from urlset.types import Request as Request
    from urlset.types import Response as Response
    from urlset.types import Sink as Sink
    from urlset.types import Stored as Stored
    from urlset.types import Url as Url
    from urlset.types import Written as Written

    __version__: str
else:

    def __getattr__(name):  # type checkers must not see it: they would allow every name
        from importlib import import_module

        try:
            room, _, there = _ROOMS[name].partition(":")
        except KeyError:
            raise AttributeError(f"module 'urlset' has no attribute {name!r}") from None
        value = getattr(import_module(f"urlset.{room}"), there or name)
        globals()[name] = value
        return value

    def __dir__():  # the same
        return __all__
