"""The plain things that go in and out of every verb: findings, outcomes, rows, limits, exit codes, and the two doors.

Values are frozen; unknown is None, never 0 or an empty string. The doors, `Fetcher` and `Sink`, are protocols: whatever
keeps their promises fits, no base class needed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from enum import IntEnum
from typing import Any, Literal, Protocol, TypeAlias, get_args, runtime_checkable

__all__ = [
    "OUTCOMES",
    "SEVERITIES",
    "Exit",
    "Fetcher",
    "File",
    "Finding",
    "Limits",
    "Outcome",
    "Related",
    "Request",
    "Response",
    "Severity",
    "Sink",
    "Stored",
    "Url",
    "Written",
]

Severity: TypeAlias = Literal["info", "warning", "error"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From the mildest to the worst."""

Outcome: TypeAlias = Literal["read", "empty", "absent", "blocked", "broken", "skipped", "unchanged", "limited"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""What can become of one file; see `File.outcome`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Another place that a finding speaks of: the first of two equal rows, the index that names a missing child."""

    file: str | None = None
    entry: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with an input, at a place: a row of the findings table.

    >>> finding = Finding(
    ...     code="URL001", name="loc-not-absolute", severity="error", authority="P Q GC S0",
    ...     message='loc "/a" is relative, an absolute http or https URL was expected',
    ...     file="sitemap.xml", line=3, column=14, fingerprint="903d920320e91568",
    ... )
    >>> print(finding)
    sitemap.xml:3:14 URL001 error loc "/a" is relative, an absolute http or https URL was expected
    """

    code: str
    """Three letters and three digits, never reused: `URL001`."""
    name: str
    """Unique words for the code: `loc-not-absolute`."""
    severity: Severity
    """As the active profile sees it."""
    message: str
    """What is, then what was expected, on one line."""
    authority: str
    """Who demands it: keys of the rule catalogue, separated by blanks."""
    fingerprint: str
    """16 hex digits that stay the same when the file is built anew and its lines move."""
    count: int = 1
    """How many times, where several are told as one."""
    file: str | None = None
    """Path or address of the file."""
    byte_offset: int | None = None
    """First byte, counted after gunzip and before charset decoding, from 0."""
    end_offset: int | None = None
    """Byte after the last."""
    line: int | None = None
    """Line, from 1."""
    column: int | None = None
    """Column in Unicode code points, from 1."""
    entry: int | None = None
    """Number of the entry in its file, from 0; when writing, the row number."""
    element: str | None = None
    """Path of the element: `url[12]/image[0]/loc`."""
    url: str | None = None
    """The entry's loc."""
    value: str | None = None
    """The offending text, cut at 80 characters."""
    fix: str | None = None
    """What to write instead, where that is certain."""
    related: tuple[Related, ...] | None = None
    """Other places that belong to it."""

    def __str__(self) -> str:
        place = self.file if self.file is not None else "-"
        if self.line is not None:
            place += f":{self.line}" if self.column is None else f":{self.line}:{self.column}"
        return f"{place} {self.code} {self.severity} {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What became of one file of a read: a row of the outcome table.

    >>> File(address="https://a.example/sitemap.xml", outcome="absent", found="robots", status=404).outcome
    'absent'
    """

    address: str
    """Path or address, without credentials."""
    outcome: Outcome
    """One word.

    - `read`: rows came out of it, or the names of further files; findings or not
    - `empty`: read to the end, and it lists nothing
    - `absent`: it is not there (no such file, 404, 410)
    - `blocked`: it may not be had (401, 403, 429 after retries, a robots.txt that answers 5xx, a target refused)
    - `broken`: any other failure, or content that is no sitemap at all
    - `skipped`: not asked for (excluded, not moved since the date given, read before in this run)
    - `unchanged`: the same as last time, by the answer or by its hash
    - `limited`: a limit ended it early; what came before is kept
    """
    found: str | None = None
    """How it was found: `given`, `robots`, `index`, `usual-name`, `feed` (named by a page), `folder`."""
    parent: str | None = None
    """The file that named it."""
    status: int | None = None
    """HTTP status of the last answer."""
    redirects: tuple[str, ...] = ()
    """Addresses that redirects led to, in order; the last one gave the content."""
    content_type: str | None = None
    """Content-Type as sent."""
    charset: str | None = None
    """Encoding used for reading, as the Encoding Standard names it: `UTF-8`, `windows-1252`."""
    wire_bytes: int | None = None
    """Bytes of the body as received or as on disk."""
    inflated_bytes: int | None = None
    """Bytes after gunzip."""
    seconds: float | None = None
    """From the first request, or from opening, to the last byte."""
    etag: str | None = None
    """ETag to the letter, quotes included."""
    last_modified: str | None = None
    """Last-Modified to the letter, since conditional requests send it back as it came."""
    rows: int | None = None
    """Rows handed out."""
    findings: int | None = None
    """How many findings, those beyond `Limits.max_findings` included."""

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES:
            raise ValueError(f"outcome is {self.outcome!r}, one of {', '.join(OUTCOMES)} was expected")


@dataclass(frozen=True, slots=True)
class Url:
    """One row of the URL table, made only for those who iterate.

    >>> url = Url("https://a.example/", priority=0.8, extensions={"images": [{"loc": "https://a.example/1.png"}]})
    >>> [image["loc"] for image in url.images]
    ['https://a.example/1.png']

    A column that the row leaves null is an empty sequence where the table has a list, None elsewhere. Columns of a
    user's own extension are attributes by their names; one that the table does not have raises AttributeError.
    """

    loc: str
    """What the file says, after entities are resolved; never normalised."""
    lastmod: datetime | None = None
    """The instant, aware, in UTC. A date alone is its midnight."""
    changefreq: str | None = None
    """One of the seven words, lower case."""
    priority: float | None = None
    """0.0 to 1.0; None where the file says nothing, although the protocol then means 0.5."""
    extensions: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Every further column by its name, null columns included."""

    @property
    def images(self) -> Sequence[Mapping[str, Any]]:
        """Images of the page; empty where there are none."""
        return self.extensions.get("images") or ()

    @property
    def videos(self) -> Sequence[Mapping[str, Any]]:
        """Videos on the page; empty where there are none."""
        return self.extensions.get("videos") or ()

    @property
    def news(self) -> Mapping[str, Any] | None:
        """The news article that the page is, if it is one."""
        return self.extensions.get("news")

    @property
    def alternates(self) -> Sequence[Mapping[str, Any]]:
        """The page in other languages or for other media; empty where there are none."""
        return self.extensions.get("alternates") or ()

    def __getattr__(self, name: str) -> Any:
        # Reached when there is no such attribute; `extensions` itself is missing while a copy is being made.
        if name.startswith("_") or name == "extensions" or name not in self.extensions:
            raise AttributeError(f"no column {name!r} here, those of the table or one of `extensions` was expected")
        return self.extensions[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of a read. Each is far above what a legal file needs, and None takes it away. One that bites is a finding.

    >>> Limits(max_seconds=30).max_seconds
    30
    >>> Limits(max_files=0)
    Traceback (most recent call last):
    ...
    ValueError: max_files is 0, a number above 0 or None was expected
    """

    max_bytes: int | None = 524_288_000
    """Bytes of one file after gunzip: ten times what the protocol allows."""
    max_ratio: float | None = 500.0
    """Bytes after gunzip for each byte before, judged past the 52,428,800 bytes that a legal file may pad."""
    max_depth: int | None = 64
    """Elements open within one another; a video's deepest child is the fifth."""
    max_entries: int | None = 10_000_000
    """Entries of one file; the protocol allows 50,000."""
    max_text: int | None = 1_048_576
    """Bytes of one value or attribute, after entities are resolved."""
    max_seconds: float | None = 3_600.0
    """Seconds spent on one file, those in which its reader was not asked for more not counted."""
    max_findings: int | None = 1_000
    """Findings of one code told in detail for each file; the exact total is always told. 0 tells totals alone."""
    max_files: int | None = 1_000_000
    """Files of one read, those that indexes name included."""
    max_levels: int | None = 64
    """Indexes within one another."""

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if value is None:
                continue
            # bool is an int, and NaN is neither above nor below: both are mistakes
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(  # noqa: TRY004 - one kind of error for whoever reports it as an option
                    f"{limit.name} is {value!r}, a number above 0 or None was expected"
                )
            if limit.name not in ("max_ratio", "max_seconds") and not isinstance(value, int):
                raise ValueError(f"{limit.name} is {value!r}, a whole number was expected")
            if not value > 0 and not (limit.name == "max_findings" and value == 0):
                raise ValueError(f"{limit.name} is {value!r}, a number above 0 or None was expected")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What `write` has done.

    >>> Written(to="public", files=2, urls=3, bytes=1_234, plain_bytes=5_678, seconds=0.25)
    <Written: 3 URLs in 2 files, 1,234 bytes, 0.25 s: public>
    """

    to: str
    """The folder or file, `-` for a file object."""
    files: int
    """Sitemaps and indexes of the set, those that were there already included."""
    urls: int
    """Rows written."""
    bytes: int
    """Bytes of these files as they are stored."""
    plain_bytes: int
    """The same before compression."""
    encoded: int = 0
    """Rows with an address that had to be encoded: percent-encoding, an ASCII host, a scheme and host in lower case."""
    skipped: int = 0
    """Rows left out, with `on_error="skip"`."""
    findings: tuple[Finding, ...] = ()
    """Refused rows, repaired or doubtful values, by row; of each code the first hundred are told in detail."""
    ignored_columns: tuple[str, ...] = ()
    """Columns of the table that nothing was written of."""
    index: str | None = None
    """Path of the top index; None where there is none."""
    sitemaps: tuple[str, ...] = ()
    """Addresses to submit: the top index or indexes, else the file itself; empty where no base was given."""
    names: tuple[str, ...] = ()
    """Names of the files, children first."""
    changed: tuple[str, ...] = ()
    """Names of the files that were new or had other bytes; the rest was not touched."""
    removed: tuple[str, ...] = ()
    """Names of files of an earlier run that no longer belong to the set."""
    robots: str | None = None
    """Path of the robots.txt that names the set; None where it was left alone."""
    seconds: float
    """From the call to the last byte on disk."""

    def __repr__(self) -> str:
        rows = "1 URL" if self.urls == 1 else f"{self.urls:,} URLs"
        files = "1 file" if self.files == 1 else f"{self.files:,} files"
        left_out = "1 row" if self.skipped == 1 else f"{self.skipped:,} rows"
        skipped = f", {left_out} skipped" if self.skipped else ""
        return f"<Written: {rows} in {files}, {self.bytes:,} bytes, {self.seconds:.2f} s{skipped}: {self.to}>"


class Exit(IntEnum):
    """Exit codes of the command.

    >>> int(Exit.GUARD)
    3
    """

    OK = 0
    """The result is complete, and nothing reached `--fail-on`."""
    FINDINGS = 1
    """It is not complete, or a finding reached `--fail-on`; `diff --exit-code`: something differs."""
    ERROR = 2
    """Could not run: a bad option, a missing input, a destination that failed."""
    GUARD = 3
    """A guard refused a publish (`write` says 2); nothing was changed."""
    INTERRUPTED = 130
    """Ctrl-C."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request: a single hop, not a page load.

    >>> Request(url="https://a.example/robots.txt", timeout_s=30).method
    'GET'
    """

    url: str
    """Absolute, http or https."""
    method: Literal["GET", "HEAD"] = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    """To be sent as they are; User-Agent, credentials and validators are among them."""
    timeout_s: float
    """Seconds from the call to the last byte of the body, name lookup and waiting included."""
    connect_timeout_s: float | None = None
    """Seconds until the connection stands, TLS included."""
    max_bytes: int | None = None
    """Bytes of the body, as sent, after which the exchange may be broken off; None: as many as come."""
    permit: Callable[[str], bool] | None = None
    """Called with the numeric IP address before anything is sent to it; False: do not connect."""


@runtime_checkable
class Response(Protocol):
    """The answer to one request, with its body still on the way."""

    @property
    def status(self) -> int:
        """HTTP status."""
        ...

    @property
    def headers(self) -> Sequence[tuple[str, str]]:
        """Header fields as sent, in order, repeats included; names in lower case."""
        ...

    @property
    def address(self) -> str | None:
        """The numeric IP address actually connected to; None only where `Fetcher.checks_addresses` is False."""
        ...

    def chunks(self) -> Iterator[bytes]:
        """Walk through the body as sent, once, in pieces of at most 1 MiB, none of them empty.

        Transfer coding (chunked) is undone, content coding (gzip) is not: the reader needs to see how often a file was
        compressed. Raises `urlset.errors.Unreadable` when the body ends before it is complete, is over the deadline or
        is cut at `Request.max_bytes`; pieces handed out before stay good.
        """
        ...

    def close(self) -> None:
        """Give the connection back, or break it off when the body was not read to its end. May be called twice."""
        ...


@runtime_checkable
class Fetcher(Protocol):
    """The door to HTTP: any client fits that promises what follows.

    - `fetch` is one hop. It follows no redirect, keeps no cookie, retries nothing, adds no credentials of its own and
      decides nothing by status: etiquette and safety are the caller's, and are applied at every hop.
    - An answer of any status is a `Response`. No answer raises `urlset.errors.Unreadable`, which says what failed:
      name, connection, TLS, time.
    - `fetch` may be called from several threads at once.
    - What it cannot promise it says: without `checks_addresses` and `holds_deadlines` it is used only where the caller
      gives `allow_unsafe_client=True`.
    """

    @property
    def checks_addresses(self) -> bool:
        """It calls `Request.permit` with the address it is about to connect to, behind a proxy too, and obeys."""
        ...

    @property
    def holds_deadlines(self) -> bool:
        """`Request.timeout_s` ends an exchange whatever the other side does: drips, stalls, never ends."""
        ...

    def fetch(self, request: Request) -> Response:
        """Send the request; return as soon as status and headers are there."""
        ...

    def close(self) -> None:
        """Close every connection. May be called twice; `fetch` afterwards raises."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A file that a sink holds."""

    name: str
    """Name below the root of the sink, parts separated by `/`."""
    version: str
    """Changes whenever the content does: an ETag, a generation, a hash. Means nothing outside its sink."""
    size: int | None = None
    """Bytes."""


@runtime_checkable
class Sink(Protocol):
    """The door to a destination of named files: a folder, a bucket, a test double.

    Names are relative, with `/` between parts, none of them empty, `.` or `..`. What an implementation must promise:

    - Whole at every instant. A reader of a name sees the old content or the new, never a part, never nothing in
      between; so it is after a kill or a lost connection too. A folder writes beside and renames; a store puts at once.
    - When `put`, `replace` or `delete` returns, it is done and will survive a crash of the machine.
    - An error means that the name is as it was. Data that raises while being iterated is an error too, passed on as it
      is. Faults of the destination are `urlset.errors.StoreError`.
    - Nothing else is touched: no other name, and no leftovers that `list` would show.
    - Calls for different names may come from several threads at once.
    """

    def put(self, name: str, data: bytes | Iterable[bytes], content_type: str) -> Stored:
        """Write the file, whatever stood there before."""
        ...

    def replace(self, name: str, data: bytes | Iterable[bytes], content_type: str, *, expected: str | None) -> Stored:
        """Write the file if its version is still `expected`; None: if there is none yet.

        Otherwise raise `urlset.errors.DestinationBusy` and change nothing. Of several callers with the same expectation
        one succeeds at most.
        """
        ...

    def get(self, name: str) -> tuple[bytes, Stored]:
        """Read the whole content, and the version it belongs to. Raise `urlset.errors.NotFound` where there is none."""
        ...

    def list(self, prefix: str = "") -> Iterator[Stored]:
        """Every file whose name begins so, in the order of names."""
        ...

    def delete(self, name: str) -> None:
        """Remove the file. One that is not there is no error."""
        ...
