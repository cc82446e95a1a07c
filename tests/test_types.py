import copy
import dataclasses
import math
import pickle
import typing
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from urlset import errors, types
from urlset.types import (
    OUTCOMES,
    SEVERITIES,
    Exit,
    Fetcher,
    File,
    Finding,
    Limits,
    Related,
    Request,
    Response,
    Sink,
    Stored,
    Url,
)

FINDING = Finding(
    code="URL001",
    name="loc-not-absolute",
    severity="error",
    message='loc "/a" is relative',
    authority="P Q GC S0",
    fingerprint="0123456789abcdef",
)
VALUES: list[Any] = [
    FINDING,
    Related(file="a.xml", entry=3),
    File(address="a.xml", outcome="read"),
    Url("https://a.example/"),
    Limits(),
    Request(url="https://a.example/", timeout_s=30),
    Stored(name="sitemap.xml", version="1"),
]
by_type = pytest.mark.parametrize("value", VALUES, ids=lambda v: type(v).__name__)


@by_type
def test_values_are_frozen_and_slotted(value: Any) -> None:
    first = dataclasses.fields(value)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, first, None)
    assert not hasattr(value, "__dict__")


@by_type
def test_values_can_be_copied_pickled_compared_and_hashed(value: Any) -> None:
    for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert other == value
        assert hash(other) == hash(value)
    assert len({value, copy.copy(value)}) == 1


def test_a_finding_has_the_columns_of_the_table() -> None:
    columns = """
        code name severity message authority file byte_offset end_offset line column entry element url value fix related
        fingerprint count
    """
    assert {f.name for f in dataclasses.fields(Finding)} == set(columns.split())


def test_what_a_finding_does_not_know_is_none() -> None:
    required = {"code", "name", "severity", "message", "authority", "fingerprint"}
    for f in dataclasses.fields(Finding):
        expected = 1 if f.name == "count" else None
        assert (f.default is dataclasses.MISSING) if f.name in required else (f.default == expected), f.name


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        ({}, "-"),
        ({"file": "a.xml"}, "a.xml"),
        ({"file": "a.xml", "line": 3}, "a.xml:3"),
        ({"file": "a.xml", "line": 3, "column": 1}, "a.xml:3:1"),
        ({"line": 3, "column": 1}, "-:3:1"),
        ({"file": "a.xml", "column": 1}, "a.xml"),  # a column of no line is no place
    ],
)
def test_a_finding_is_shown_on_one_line(place: dict[str, Any], shown: str) -> None:
    assert str(dataclasses.replace(FINDING, **place)) == f'{shown} URL001 error loc "/a" is relative'


def test_annotations_can_be_resolved() -> None:
    # tools that build forms and validators from dataclasses ask for this
    for name in types.__all__:
        kind = getattr(types, name)
        if dataclasses.is_dataclass(kind):
            assert typing.get_type_hints(kind).keys() >= {f.name for f in dataclasses.fields(kind)}, name


def test_severities_run_from_mild_to_bad() -> None:
    assert SEVERITIES == ("info", "warning", "error")


def test_outcomes_are_eight_words() -> None:
    assert OUTCOMES == ("read", "empty", "absent", "blocked", "broken", "skipped", "unchanged", "limited")
    with pytest.raises(ValueError, match="outcome is 'lost', one of read, empty"):
        File(address="a.xml", outcome="lost")  # type: ignore[arg-type]


def test_a_file_has_the_columns_of_the_outcome_table() -> None:
    columns = """
        address parent found status redirects content_type charset wire_bytes inflated_bytes seconds etag last_modified
        rows findings outcome
    """
    assert {f.name for f in dataclasses.fields(File)} == set(columns.split())


def test_a_url_shows_its_extensions() -> None:
    images = [{"loc": "https://a.example/1.png"}]
    columns = {"images": images, "videos": None, "stock": 7}
    url = Url("https://a.example/", datetime(2026, 1, 2, tzinfo=UTC), extensions=columns)
    assert url.images == images
    assert url.stock == 7
    assert list(url.videos) == list(url.alternates) == []
    assert url.news is None
    assert (url.changefreq, url.priority) == (None, None)


@pytest.mark.parametrize("name", ["stock", "image", "_private", "__array_interface__"])
def test_what_a_url_does_not_have_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        getattr(Url("https://a.example/"), name)


def test_a_url_with_extensions_can_be_hashed_and_compared() -> None:
    plain, rich = Url("https://a.example/"), Url("https://a.example/", extensions={"images": [{"loc": "x"}]})
    assert plain != rich
    assert {plain, rich} == {rich, plain}
    assert pickle.loads(pickle.dumps(rich)) == copy.deepcopy(rich) == rich


def test_limits_let_every_legal_file_pass() -> None:
    limits = Limits()
    assert limits.max_bytes is not None
    assert limits.max_bytes >= 52_428_800
    assert limits.max_entries is not None
    assert limits.max_entries >= 50_000
    assert limits.max_text is not None
    assert limits.max_text >= 2_048 * 6  # a loc of characters that all are written as references
    assert limits.max_files is not None
    assert limits.max_files > 50_000
    assert limits.max_depth is not None
    assert limits.max_depth >= 5


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(Limits)])
def test_every_limit_can_be_set_and_taken_away(name: str) -> None:
    assert getattr(Limits(**{name: 7}), name) == 7
    assert getattr(Limits(**{name: None}), name) is None


@pytest.mark.parametrize("name", [f.name for f in dataclasses.fields(Limits)])
@pytest.mark.parametrize("value", [-1, True, False, "7", math.nan])
def test_a_limit_that_makes_no_sense_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        Limits(**{name: value})


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("max_findings", 0, True),  # totals alone
        ("max_files", 0, False),
        ("max_seconds", 0.5, True),
        ("max_ratio", 1.5, True),
        ("max_files", 1.5, False),
        ("max_findings", 0.0, False),
        ("max_bytes", math.inf, False),
    ],
)
def test_zero_and_fractions(name: str, value: float, allowed: bool) -> None:
    if allowed:
        assert getattr(Limits(**{name: value}), name) == value  # type: ignore[arg-type]
    else:
        with pytest.raises(ValueError, match=name):
            Limits(**{name: value})  # type: ignore[arg-type]


def test_exit_codes_are_frozen() -> None:
    frozen = {"OK": 0, "FINDINGS": 1, "ERROR": 2, "GUARD": 3, "INTERRUPTED": 130}
    assert {code.name: int(code) for code in Exit} == frozen


def test_public_names_are_listed() -> None:
    defined = {name for name, value in vars(types).items() if getattr(value, "__module__", None) == types.__name__}
    assert defined <= set(types.__all__)
    assert all(hasattr(types, name) for name in types.__all__)


class Answer:
    """The smallest thing that is a `Response`."""

    status = 200
    headers: Sequence[tuple[str, str]] = (("content-type", "text/plain"),)
    address = "192.0.2.1"

    def chunks(self) -> Iterator[bytes]:
        yield b"https://a.example/\n"

    def close(self) -> None:
        pass


class Canned:
    """The smallest thing that is a `Fetcher`."""

    checks_addresses = True
    holds_deadlines = True

    def fetch(self, request: Request) -> Response:
        if request.permit is not None and not request.permit(Answer.address):
            raise errors.Unreadable("address is not permitted", request.url)
        return Answer()

    def close(self) -> None:
        pass


class Memory:
    """The smallest thing that is a `Sink`."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, Stored]] = {}
        self.writes = 0

    def put(self, name: str, data: bytes | Iterable[bytes], content_type: str) -> Stored:
        whole = data if isinstance(data, bytes) else b"".join(data)
        self.writes += 1
        stored = Stored(name=name, version=f"{self.writes} {content_type}", size=len(whole))
        self.files[name] = whole, stored
        return stored

    def replace(self, name: str, data: bytes | Iterable[bytes], content_type: str, *, expected: str | None) -> Stored:
        found = self.files[name][1].version if name in self.files else None
        if found != expected:
            raise errors.DestinationBusy("the file has changed", name)
        return self.put(name, data, content_type)

    def get(self, name: str) -> tuple[bytes, Stored]:
        try:
            return self.files[name]
        except KeyError:
            raise errors.NotFound("no such file", name) from None

    def list(self, prefix: str = "") -> Iterator[Stored]:
        return (self.files[name][1] for name in sorted(self.files) if name.startswith(prefix))

    def delete(self, name: str) -> None:
        self.files.pop(name, None)


def test_a_plain_class_fits_the_door_to_http() -> None:
    fetcher: Fetcher = Canned()  # the type checker's half of the test
    assert isinstance(fetcher, Fetcher)
    response = fetcher.fetch(Request(url="https://a.example/sitemap.txt", timeout_s=5))
    assert isinstance(response, Response)
    assert b"".join(response.chunks()) == b"https://a.example/\n"
    with pytest.raises(errors.Unreadable, match="not permitted"):
        fetcher.fetch(Request(url="https://a.example/", timeout_s=5, permit=lambda address: address != "192.0.2.1"))
    assert not isinstance(Memory(), Fetcher)


def test_a_plain_class_fits_the_door_to_a_destination() -> None:
    sink: Sink = Memory()  # the type checker's half of the test
    assert isinstance(sink, Sink)
    first = sink.replace("b.xml", [b"<a", b"/>"], "application/xml", expected=None)
    assert sink.get("b.xml") == (b"<a/>", first)
    with pytest.raises(errors.DestinationBusy):
        sink.replace("b.xml", b"", "application/xml", expected=None)
    second = sink.replace("b.xml", b"<b/>", "application/xml", expected=first.version)
    assert second.version != first.version
    sink.put("a.xml", b"", "application/xml")
    assert [stored.name for stored in sink.list()] == ["a.xml", "b.xml"]
    sink.delete("a.xml")
    sink.delete("a.xml")
    with pytest.raises(errors.NotFound):
        sink.get("a.xml")
    assert not isinstance(Canned(), Sink)
