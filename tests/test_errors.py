import pickle

import pytest

from urlset import errors
from urlset.errors import (
    DestinationBusy,
    GuardRefused,
    LimitExceeded,
    NotFound,
    OptionError,
    RefusedRows,
    SchemaError,
    SourceError,
    StoreError,
    StreamConsumed,
    StrictError,
    Unreadable,
    UrlsetError,
)
from urlset.types import Finding


def finding(message: str = 'loc "/a" is relative', count: int = 1, entry: int | None = None) -> Finding:
    return Finding(
        code="URL001",
        name="loc-not-absolute",
        severity="error",
        message=message,
        authority="P Q GC S0",
        fingerprint="0123456789abcdef",
        count=count,
        entry=entry,
        file="s.xml",
        line=3,
        column=14,
    )


EXAMPLES = [
    (UrlsetError("it cannot go on"), "it cannot go on"),
    (SourceError("no sitemap in this folder", "export/"), "no sitemap in this folder: export/"),
    (SourceError("no sitemap in these bytes"), "no sitemap in these bytes"),
    (NotFound("no such file", "a.xml"), "no such file: a.xml"),
    (Unreadable("permission denied", "a.xml"), "permission denied: a.xml"),
    (StreamConsumed(), "this source can be read once, and was; collect() keeps the rows"),
    (StrictError(finding()), 's.xml:3:14 URL001 error loc "/a" is relative'),
    (SchemaError("column loc is int64, a string was expected"), "column loc is int64, a string was expected"),
    (
        RefusedRows([finding(entry=4)]),
        'cannot be written: row 4, line 3: loc "/a" is relative (URL001); on_error="skip" leaves such rows out',
    ),
    (
        RefusedRows([finding(entry=1_234), finding(count=1_200)]),
        (
            'cannot be written: row 1,234, line 3: loc "/a" is relative (URL001) and 1,200 more; '
            'on_error="skip" leaves such rows out'
        ),
    ),
    (OptionError("0 files cannot hold a row", "max_urls"), "max_urls: 0 files cannot hold a row"),
    (OptionError("base and folder contradict one another"), "base and folder contradict one another"),
    (StoreError("no space left", "out/"), "no space left: out/"),
    (DestinationBusy("another run is writing", "out/"), "another run is writing: out/"),
    (
        GuardRefused("all rows were refused", "allow_empty", [finding(entry=0), finding(entry=1)]),
        'all rows were refused; row 0, line 3: loc "/a" is relative (URL001) (guard: allow_empty)',
    ),
    (GuardRefused("40 % of the URLs are gone", "max_shrink"), "40 % of the URLs are gone (guard: max_shrink)"),
    (
        LimitExceeded("the index is too large", "max_bytes", 524_288_000),
        "the index is too large (limit: max_bytes = 524,288,000)",
    ),
    (LimitExceeded("time is up", "max_seconds"), "time is up (limit: max_seconds)"),
]


@pytest.mark.parametrize(
    ("error", "message"), EXAMPLES, ids=lambda e: type(e).__name__ if isinstance(e, Exception) else ""
)
def test_an_error_says_what_is(error: UrlsetError, message: str) -> None:
    assert str(error) == message


@pytest.mark.parametrize("error", [e for e, _ in EXAMPLES], ids=lambda e: type(e).__name__)
def test_errors_cross_processes(error: UrlsetError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert type(there) is type(error)
    assert str(there) == str(error)
    assert vars(there) == vars(error)


def test_every_public_error_has_an_example_and_one_root() -> None:
    public = {getattr(errors, name) for name in errors.__all__}
    assert public == {type(error) for error, _ in EXAMPLES}
    assert all(issubclass(kind, UrlsetError) for kind in public)
    defined = {v for v in vars(errors).values() if isinstance(v, type) and v.__module__ == errors.__name__}
    assert {kind.__name__ for kind in defined - public} == {"_Placed"}


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    tree = (errors.__doc__ or "").split("::", 1)[1].split("\n\n")[1]
    drawn: dict[str, str] = {}
    path: list[str] = []
    for line in tree.splitlines():
        bare = line[4:].lstrip("│├└─ ")
        level = (len(line) - 4 - len(bare)) // 4
        path[level:] = [bare.split()[0]]
        drawn[path[-1]] = path[level - 1] if level else ""

    def parent(name: str) -> str:
        lineage = [k.__name__ for k in getattr(errors, name).__mro__[1:] if k.__name__ in errors.__all__]
        return lineage[0] if lineage else ""

    assert drawn == {name: parent(name) for name in errors.__all__}


def test_places_have_their_own_names() -> None:
    assert NotFound("no such file", "a.xml").source == "a.xml"
    assert SourceError("no sitemap in these bytes").source is None
    assert DestinationBusy("another run is writing", "out/").destination == "out/"


def test_errors_carry_their_findings() -> None:
    assert StrictError(finding()).finding == finding()
    assert RefusedRows(iter([finding(), finding("x")])).findings == (finding(), finding("x"))


def test_rows_are_refused_for_a_reason() -> None:
    with pytest.raises(ValueError, match="at least one finding"):
        RefusedRows([])


def test_a_bad_option_is_a_value_error_too() -> None:
    with pytest.raises(ValueError, match="max_urls"):
        raise OptionError("0 files cannot hold a row", "max_urls")
