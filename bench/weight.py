"""Weighs the base install: the package and what it requires, file by file. Renders the table of the README.

.venv/bin/python -m bench.weight    write the table anew
"""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from bench import PROJECT

README = PROJECT / "README.md"
BETWEEN = re.compile(r"(?<=<!-- weight -->\n).*?(?=<!-- /weight -->)", re.DOTALL)


def is_whole(package: Distribution) -> bool:
    """Tell whether a package was installed from a wheel, and not as a link to its sources."""
    told = json.loads(package.read_text("direct_url.json") or "{}")
    return not told.get("dir_info", {}).get("editable", False)


def required(name: str = "urlset") -> list[Distribution]:
    """Give a package and all that it requires without extras, in the order of their names."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        package = distribution(waiting.pop())
        if package.metadata["Name"] not in found:
            found[package.metadata["Name"]] = package
            needs = [Requirement(line) for line in package.requires or []]
            waiting += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return [found[name] for name in sorted(found, key=str.lower)]


def megabytes(package: Distribution) -> float:
    """Give the megabytes of the files of a package, compiled ones among them."""
    files = [Path(str(file.locate())) for file in package.files or []]
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def table(packages: list[Distribution]) -> str:
    """Give the table of the README."""
    sizes = [megabytes(package) for package in packages]
    rows = [
        f"| {package.metadata['Name']} | {package.version} | {size:.1f} |"
        for package, size in zip(packages, sizes, strict=True)
    ]
    return "\n".join(["| package | version | MB |", "|---|---|---|", *rows, f"| in all | | {sum(sizes):.1f} |", ""])


def main() -> int:
    """Write the table into the README."""
    packages = required()
    if not all(is_whole(package) for package in packages):
        print("urlset is a link to its sources: `make build` installs it as users have it")
        return 1
    README.write_text(BETWEEN.sub(table(packages), README.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
