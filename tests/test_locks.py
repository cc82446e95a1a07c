"""Lock files: every package with its version and hashes, none with the address it came from."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

LOCKS = {"build": ["pyproject.toml", "requirements/build.in"], "test": ["requirements/test.in"]}
PIN = re.compile(r"^(?P<name>[a-z0-9.-]+)==(?P<version>\S+)(?P<rest>.*)$")


def entries(text: str) -> list[str]:
    return re.sub(r" \\\n\s+", " ", re.sub(r"(?m)^\s*#.*\n", "", text)).splitlines()


def wanted(project: Path, source: str) -> list[Requirement]:
    text = (project / source).read_text(encoding="utf-8")
    if source.endswith(".toml"):
        return [Requirement(line) for line in tomllib.loads(text)["project"]["dependencies"]]
    return [Requirement(line) for line in text.splitlines() if line and not line.startswith("#")]


@pytest.mark.parametrize("name", LOCKS)
def test_requirements_are_pinned_with_hashes_and_without_addresses(project: Path, name: str) -> None:
    text = (project / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|--(extra-)?index-url|--find-links|--trusted-host|^\s*[./]", text, re.MULTILINE)
    pins: dict[str, list[str]] = {}
    for entry in entries(text):
        pin = PIN.match(entry)
        assert pin, entry
        assert re.search(r" --hash=sha256:[0-9a-f]{64}", pin["rest"]), entry
        pins.setdefault(pin["name"], []).append(pin["version"])
    for source in LOCKS[name]:
        for requirement in wanted(project, source):
            versions = pins[requirement.name.lower()]
            assert any(requirement.specifier.contains(v) for v in versions), f"{requirement}: run `make lock`"


def test_both_locks_agree(project: Path) -> None:
    build, test = (
        {pin["name"]: pin["version"] for entry in entries(text) if (pin := PIN.match(entry))}
        for text in ((project / "requirements" / f"{name}.txt").read_text(encoding="utf-8") for name in LOCKS)
    )
    shared = build.keys() & test.keys()
    assert shared
    assert {name: build[name] for name in shared} == {name: test[name] for name in shared}


def test_npm_packages_are_pinned_with_hashes_and_without_addresses(project: Path) -> None:
    text = (project / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in text
    packages = json.loads(text)["packages"]
    asked = json.loads((project / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in asked} == asked
    assert all(package["integrity"].startswith("sha512-") for path, package in packages.items() if path)
