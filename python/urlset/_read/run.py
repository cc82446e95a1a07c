"""The books of a pass: kinds, findings, files, in the order in which they are heard. Opens no file, parses nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, TypeAlias

from urlset import _core
from urlset._core import Batch
from urlset._read.findings import Findings, counted, findings_of, sayable
from urlset._read.pieces import LISTS, End, Options, Parsed, Told
from urlset.errors import StrictError
from urlset.types import File, Outcome

__all__ = ["Part", "Run", "Step"]

STRANGE = ("html", "unknown")
"""Kinds that are no sitemap at all."""
LIMITS = frozenset({"SIZ013", "SIZ015"})

Step: TypeAlias = "Batch | None"
"""Rows, or None: the kind of the file is known now."""


class Run:
    """What is known so far of one pass over a source."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.findings = Findings()
        self.files: list[File] = []
        self.kind: str | None = None
        """What the first file is."""
        self.rows_kind: str | None = None
        """What the rows are: of that kind, but `urlset` where an index was followed to its pages."""
        self.whole = True
        """Nothing was lost so far."""
        self.done = False
        self.raised: BaseException | None = None
        """What stopped it."""

    def find(self, batch: Batch) -> None:
        """Take findings; raise `StrictError` when none is allowed."""
        self.findings.add(batch)
        if self.options.strict:
            raise StrictError(findings_of(batch.slice(0, 1))[0])

    def fault(self, code: str, **known: Any) -> None:
        """Report what no reader sees."""
        for name in ("file", "value", "message"):
            known[name] = sayable(known.get(name))
        self.find(_core.fault(code, **known))

    def saw(self, kind: str) -> None:
        """Remember what the first file is."""
        if self.kind is None:
            self.kind = kind
            self.rows_kind = "urlset" if kind in LISTS and self.options.follow else kind

    def end(self) -> None:
        """Close the books."""
        self.findings.close()
        self.done = True


class Part:
    """One file of a run, as its books see it."""

    def __init__(
        self,
        run: Run,
        *,
        address: str,
        file: str | None = None,
        found: str = "given",
        parent: str | None = None,
        refused: Collection[str] = (),
    ) -> None:
        """Begin a file.

        `file` stands in findings, `address` in the table of files. A file of a kind in `refused` does not count: it
        leaves no row and no finding.
        """
        self._run = run
        self._file = file
        self.address = address
        self._facts: dict[str, Any] = {"address": address, "found": found, "parent": parent}
        self._refused = frozenset(refused)
        self.refused = bool(refused)
        """It does not count, so far as is known."""
        self._held: list[Batch] = []
        self._counts: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._limited = False
        self._broken = False
        self._spent = 0.0
        self.kind: str | None = None

    @property
    def is_list(self) -> bool:
        """Whether its rows are names of files that are to be followed."""
        return self._run.options.follow and self.kind in LISTS

    def read(self, parsed: Parsed) -> Iterator[Step]:
        """Yield its rows, and None as soon as the kind is known."""
        try:
            for told in parsed:
                self._spent += told.seconds
                if told.fault is not None:
                    code, value, message = told.fault
                    self._limited = self._limited or code in LIMITS
                    self._broken = self._broken or code not in LIMITS
                    self.fault(code, value=value, message=message)
                yield from self._steps(told)
                if told.end is not None:
                    self._end(told.end)
        finally:
            parsed.close()

    def _steps(self, told: Told) -> Iterator[Step]:
        run = self._run
        if self.kind is None and told.kind is not None:
            self.kind = told.kind
            if told.kind not in self._refused:
                run.saw(told.kind)
                held, self._held, self.refused = self._held, [], False
                for batch in held:
                    run.find(batch)
                if told.end is None:
                    yield None
        if told.findings is not None:
            self._counts.update(counted(told.findings))
            if self.refused:
                self._held.append(told.findings)
            else:
                run.find(told.findings)
        if self.refused:
            return
        for batch in told.batches:
            wanted = not run.options.adds_loc or self.is_list
            yield batch if wanted else batch.select(list(run.options.columns or ()))

    def fault(self, code: str, *, value: str | None = None, message: str | None = None) -> None:
        """Report what the reader cannot see, of each code as often as findings are told in detail."""
        self._counts[code] += 1
        self._faults[code] += 1
        most = self._run.options.limits.max_findings
        if most is None or self._faults[code] <= most:
            self._run.fault(code, file=self._file, value=value, message=message)

    def _end(self, end: End) -> None:
        run = self._run
        refused = self.refused
        if not refused:
            most = run.options.limits.max_findings
            for code, count in self._faults.items():
                if most is not None and count > most:
                    message = f"{count} findings of {code}, of which the first {most} are shown"
                    run.fault("GEN003", file=self._file, value=code, message=message, count=count - most)
            if not end.complete or self._broken or self.kind in STRANGE:
                run.whole = False
        rows = 0 if self.is_list else end.rows
        run.files.append(
            File(
                **self._facts,
                outcome="skipped" if refused else self._outcome(end),
                content_type=run.options.content_type,
                charset=end.charset,
                wire_bytes=end.wire_bytes,
                inflated_bytes=end.plain_bytes,
                seconds=self._spent,
                rows=0 if refused else rows,
                findings=0 if refused else self._counts.total(),
            )
        )

    def _outcome(self, end: End) -> Outcome:
        if self._limited or (not end.complete and LIMITS & self._counts.keys()):
            return "limited"
        if self.kind in STRANGE or self._broken:
            return "broken"
        if end.rows == 0:
            return "empty" if end.complete else "broken"
        return "read"
