"""Runs fuzz targets one after the other, goes on where the last run ended, and tells what came of it.

    run.py [--seconds 60] [--runs N] [--max-len 256] [--sanitizer address] [TARGET ...]

Corpora, logs, finds and the counts of all runs lie below `target/corpus`. Ends with 1 where a target found something.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
BUILT = Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
TRIPLE = f"{platform.machine()}-unknown-linux-gnu"
CORPORA = BUILT / "corpus"
# Files to begin with: those of the conformance tests, and those of real sites where they lie beside the project.
FOLDERS = [PROJECT / "tests" / "conformance" / "hard", *sorted((PROJECT.parent / "shared" / "real").glob("*/"))]
TARGETS = sorted(path.stem for path in (HERE / "fuzz_targets").glob("*.rs"))
LONG = 4_096
MOST_SEEDS = 1_500


def pieces(target: str, size: int) -> Iterator[bytes]:
    """Yield what a target may begin with: pieces of files, cut where an entry begins, behind the bytes that choose."""
    cut, front = {
        "dates_are_written_as_read": (rb"<(?:lastmod|pubDate|updated|published|modified)>([^<]{4,60})<", b""),
        "urls_are_encoded_once": (rb"<loc>\s*([^<]{4,200}?)\s*<", b""),
        "write_then_read": (rb"<loc>\s*([^<]{4,200}?)\s*<", b"\x07"),
        "feeds_are_read": (rb"(?s)<(?:item|entry)\b[^>]*>(.+)", b"\x80\x00\x07"),
        "rows_are_whole": (rb"(?s)(<url>.+)", b"\x00"),
        "scan_agrees_with_naive": (rb"(?s)(<.+)", b"\x07"),
        "read_is_chunk_invariant": (rb"(?s)(.+)", b"\x0f\x07\x0b"),
        "gzip_is_inflated": (rb"(?s)(.+)", b"\x07"),
    }.get(target, (rb"(?s)(.+)", b""))
    for path in (path for folder in FOLDERS for path in sorted(folder.iterdir()) if path.is_file()):
        data = path.read_bytes()
        if target != "gzip_is_inflated" and data.startswith(b"\x1f\x8b"):
            try:
                data = gzip.decompress(data)
            except (OSError, EOFError):
                continue
        for start in {0, len(data) // 3, len(data) // 2}:
            for found in list(re.finditer(cut, data[start : start + 20_000]))[:8]:
                piece = found[1][:size]
                if front:
                    # The first byte chooses what is read; every choice gets some of the pieces.
                    piece = bytes([front[0] & 0x80 | len(piece) & 0x7F]) + front[1:] + piece
                yield piece


def prepare(program: Path, size: int) -> Path:
    """Give the corpus of a target; the first time it is made of what is worth keeping of the seeds."""
    target = program.name
    corpus = CORPORA / target
    if corpus.is_dir() and any(corpus.iterdir()):
        return corpus
    seeds = CORPORA / "seeds" / target
    for folder in (corpus, seeds):
        folder.mkdir(parents=True, exist_ok=True)
    for piece in sorted(set(pieces(target, size)), key=lambda piece: hashlib.sha256(piece).digest())[:MOST_SEEDS]:
        (seeds / hashlib.sha256(piece).hexdigest()[:16]).write_bytes(piece)
    options = ["-merge=1", f"-max_len={size}", f"-artifact_prefix={CORPORA / target}-"]
    subprocess.run([program, *options, corpus, seeds], check=False, capture_output=True)
    return corpus


def run(program: Path, size: int, limits: list[str]) -> tuple[int, float, list[str]]:
    """Run a target once; its executions, seconds of CPU, and the files that make it fail."""
    target = program.name
    log = CORPORA / f"{target}.log"
    before = set(CORPORA.glob(f"{target}-*"))
    corpus = prepare(program, size)  # what fails among the seeds is a find too
    dictionary = [] if target.startswith(("dates", "gzip")) else [f"-dict={HERE / 'words.dict'}"]
    # A process that was stopped for a while is not slow.
    watch = ["-rss_limit_mb=2048", "-timeout=600", "-report_slow_units=600", f"-artifact_prefix={CORPORA / target}-"]
    command = [program, corpus, *limits, *dictionary, *watch, f"-max_len={size}", "-print_final_stats=1"]
    with log.open("ab") as out:
        at = out.tell()
        # The templates of libdeflate define a table once for each instruction set, under one name.
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env=os.environ | {"ASAN_OPTIONS": "detect_odr_violation=0"}
        )
        _, status, used = os.wait4(process.pid, 0)
    said = log.read_bytes()[at:].decode(errors="replace")
    told = re.search(r"stat::number_of_executed_units: (\d+)", said) or re.search(r".*\n#(\d+)\t", said, re.DOTALL)
    finds = sorted(path.name for path in set(CORPORA.glob(f"{target}-*")) - before)
    if status and not finds:
        finds = [log.name]  # it did not even run
    return int(told[1]) if told else 0, used.ru_utime + used.ru_stime, finds


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="seconds of each target")
    parser.add_argument("--runs", type=int, help="executions of each target, instead of seconds")
    parser.add_argument("--max-len", type=int, default=256, help=f"bytes of an input, {LONG} of some")
    parser.add_argument("--sanitizer", help="the sanitizer that the targets were built with")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=" ".join(TARGETS))
    asked = parser.parse_args()
    CORPORA.mkdir(parents=True, exist_ok=True)
    found = 0
    print(f"{'target':28} {'executions':>12} {'CPU s':>8} {'each s':>8} {'in all':>13} {'hours':>6}  finds")
    built = BUILT / f"fuzz-{asked.sanitizer}" / TRIPLE if asked.sanitizer else BUILT / "fuzz"
    for target in asked.targets or TARGETS:
        program = built / "release" / target
        executions, seconds, finds = 0, 0.0, []
        for size, share in ((asked.max_len, 15), (LONG, 1)):
            # A long input takes many times as long as a short one.
            runs, seconds_each = (asked.runs or 0) * share // 16, max(1, asked.seconds * (12 if share > 1 else 4) // 16)
            limits = [f"-runs={runs}" if asked.runs else f"-max_total_time={seconds_each}"]
            count, used, new = run(program, size, limits)
            executions, seconds, finds = executions + count, seconds + used, finds + new
        book = CORPORA / (f"{target}.{asked.sanitizer}.json" if asked.sanitizer else f"{target}.json")
        total = json.loads(book.read_text()) if book.exists() else {"executions": 0, "seconds": 0.0, "finds": []}
        total["executions"] += executions
        total["seconds"] += seconds
        total["finds"] += finds
        book.write_text(json.dumps(total, indent=1))
        rate = executions / seconds if seconds else 0
        hours = total["seconds"] / 3_600
        told = f"{executions:12,} {seconds:8.1f} {rate:8,.0f} {total['executions']:13,} {hours:6.2f}"
        print(f"{target:28} {told}  {len(finds)}")
        for name in finds:
            print(f"  {program} {CORPORA / name}")
        sys.stdout.flush()
        found += len(finds)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
