"""The table of elements and the registry of findings, as the core has them. Adds nothing of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from urlset import _core
from urlset.errors import OptionError

__all__ = ["ArrowSchema", "codes", "extension_list", "schema"]


class ArrowSchema(Protocol):
    """Any Arrow schema: of pyarrow, nanoarrow, arro3, or of urlset itself."""

    def __arrow_c_schema__(self) -> object:
        """Return a capsule of the Arrow C schema."""
        ...


def extension_list(extensions: Iterable[ArrowSchema]) -> list[ArrowSchema]:
    """Return the extensions as a list; raise `OptionError` for one that is no Arrow schema."""
    if hasattr(extensions, "__arrow_c_schema__"):
        raise OptionError("a single schema was given, a list of schemas was expected", "extensions")
    found = list(extensions)
    for extension in found:
        if not hasattr(extension, "__arrow_c_schema__"):
            what = f"{type(extension).__name__} has no __arrow_c_schema__, an Arrow schema was expected"
            raise OptionError(what, "extensions")
    return found


def schema(extensions: Iterable[ArrowSchema] = ()) -> _core.Schema:
    """Return the URL table as an Arrow schema; what each column stands for is in the metadata of its field.

    >>> schema().names[:5]
    ['loc', 'lastmod', 'lastmod_form', 'changefreq', 'priority']
    >>> schema().facts("priority")["urlset:element"]
    'priority'

    Any Arrow library takes it: `pyarrow.schema(urlset.schema())`. `extensions` are Arrow schemas of your own elements,
    with the same metadata. Raises `OptionError` where one cannot be understood.
    """
    return _core.schema(extension_list(extensions))


def codes() -> list[dict[str, Any]]:
    """Return the registry of finding codes, a dict each.

    >>> next(row["name"] for row in codes() if row["code"] == "URL006")
    'loc-bad-percent'

    Keys: `code`, `name`, `severity`, `default` (selected by the default profile), `authority`, `scope`, `fix` (`no`,
    `safe`, `unsafe`), `status` (`active`: spoken by reading or writing; `check`; `planned`), `profiles` (profile ->
    severity, None where it is off), `message` (with `{value}` and `{element}` to be filled in).
    """
    return _core.codes()
