"""Brings the rivals at locked versions, below the target directory. What cannot be brought is told, not hidden."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import PROJECT, target

HERE = Path(__file__).resolve().parent
RIVALS = HERE / "rivals"
LOCK = HERE / "requirements.txt"

Tell = Callable[[str], object]


class MissingError(Exception):
    """A language that is not here, or whose packages could not be brought."""


def digest(*paths: Path) -> str:
    """Return what an installation is known by: the bytes of the files it was made of."""
    sums = hashlib.sha256()
    for path in paths:
        sums.update(path.read_bytes())
    return sums.hexdigest()


def _run(command: Sequence[str | Path], where: Path = PROJECT, **environment: str) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=where,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        last = [line for line in done.stdout.splitlines() if line.strip()][-3:]
        raise MissingError(f"{Path(command[0]).name} failed: {' / '.join(last)[:300]}")


def _need(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            raise MissingError(f"no {program} here")


class Installed:
    """What is there: words that commands of programs may use, by the need they answer to; or why it is not."""

    def __init__(self, folder: Path, wheel: Path, core: Path | None, tell: Tell) -> None:
        self._folder, self._wheel, self._given_core, self._tell = folder, wheel, core, tell
        self.words: dict[str, str] = {"rivals": str(RIVALS)}
        self.missing: dict[str, str] = {}

    def bring(self, needs: set[str]) -> None:
        ways = {
            "python": self._python,
            "cargo": self._cargo,
            "core": self._core,
            "node": self._node,
            "go": self._go,
            "java": self._java,
            "xmllint": self._xmllint,
        }
        for need in sorted(needs):
            try:
                ways[need]()
            except MissingError as reason:
                self.missing[need] = str(reason)
                self._tell(f"not run: {reason}")

    def _fresh(self, name: str, *sources: Path) -> Path | None:
        """Return the folder to make anew, or None where it stands and its sources are what they were."""
        folder = self._folder / name
        stamp = folder / ".made-of"
        if stamp.exists() and stamp.read_text() == digest(*sources):
            return None
        self._tell(f"installing what needs {name}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def _made(self, name: str, *sources: Path) -> None:
        (self._folder / name / ".made-of").write_text(digest(*sources))

    def _python(self) -> None:
        python = self._folder / "python" / "bin" / "python"
        if folder := self._fresh("python", LOCK):
            _run([sys.executable, "-m", "venv", folder])
            _run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", LOCK])
            self._made("python", LOCK)
        stamp = self._folder / "python" / ".wheel"
        if not stamp.exists() or stamp.read_text() != digest(self._wheel):
            _run(
                [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", self._wheel]
            )
            stamp.write_text(digest(self._wheel))
        self.words["python"] = str(python)

    def _core(self) -> None:
        _need("cargo")
        if self._given_core:
            self.words["core"] = str(self._given_core)
        else:
            self._tell("building the core's own program")
            _run(["cargo", "build", "--quiet", "--locked", "--release", "-p", "urlset", "--example", "bench"])
            self.words["core"] = str(target() / "release" / "examples" / "bench")

    def _cargo(self) -> None:
        _need("cargo")
        sources = [RIVALS / "rust" / name for name in ("Cargo.toml", "Cargo.lock", "src/main.rs")]
        if folder := self._fresh("rust", *sources):
            _run(["cargo", "build", "--quiet", "--locked", "--release"], RIVALS / "rust", CARGO_TARGET_DIR=str(folder))
            self._made("rust", *sources)
        self.words["rust"] = str(self._folder / "rust" / "release" / "bench-rivals")

    def _node(self) -> None:
        _need("node", "npm")
        sources = [RIVALS / "node" / name for name in ("package.json", "package-lock.json", ".npmrc")]
        if folder := self._fresh("node", *sources):
            for source in sources:
                shutil.copy(source, folder)
            _run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], folder)
            self._made("node", *sources)
        # Modules are looked for from where a program lies.
        shutil.copy(RIVALS / "node" / "bench.mjs", self._folder / "node")
        self.words["node"] = str(self._folder / "node")

    def _go(self) -> None:
        _need("go")
        sources = [RIVALS / "go" / name for name in ("go.mod", "go.sum", "main.go")]
        if folder := self._fresh("go", *sources):
            _run(["go", "build", "-mod=readonly", "-o", folder / "bench", "."], RIVALS / "go")
            self._made("go", *sources)
        self.words["go"] = str(self._folder / "go" / "bench")

    def _java(self) -> None:
        _need("java", "javac", "mvn")
        sources = [RIVALS / "java" / name for name in ("pom.xml", "jars.sha256", "Bench.java")]
        if folder := self._fresh("java", *sources):
            shutil.copy(RIVALS / "java" / "pom.xml", folder)
            _run(["mvn", "-q", "-B", "dependency:copy-dependencies", f"-Dtarget={folder / 'maven'}"], folder)
            jars = folder / "maven" / "dependency"
            found = "".join(f"{digest(jar)}  {jar.name}\n" for jar in sorted(jars.glob("*.jar")))
            if found != (RIVALS / "java" / "jars.sha256").read_text():
                raise MissingError("the jars are not those of jars.sha256")
            _run(["javac", "-nowarn", "-cp", f"{jars}/*", "-d", folder / "classes", RIVALS / "java" / "Bench.java"])
            self._made("java", *sources)
        folder = self._folder / "java"
        self.words["java"] = f"{folder / 'classes'}:{folder / 'maven' / 'dependency'}/*"

    def _xmllint(self) -> None:
        _need("xmllint")
        self.words["system"] = f"{sys.executable} {HERE / 'program.py'} xmllint"


def versions(words: dict[str, str], packages: set[str]) -> dict[str, str]:
    """Return the version of every package: from the lock file of its language, or of what runs it."""
    found: dict[str, str] = {}
    texts = {
        "npm": (RIVALS / "node" / "package-lock.json").read_text(encoding="utf-8"),
        "go": (RIVALS / "go" / "go.mod").read_text(encoding="utf-8"),
        "maven": (RIVALS / "java" / "pom.xml").read_text(encoding="utf-8"),
        "cargo": (RIVALS / "rust" / "Cargo.lock").read_text(encoding="utf-8"),
    }
    pypi: dict[str, str] = {}
    if "python" in words:
        code = (
            "import importlib.metadata as m, json;"
            "print(json.dumps({d.name.lower(): d.version for d in m.distributions()}))"
        )
        pypi = json.loads(subprocess.run([words["python"], "-c", code], stdout=subprocess.PIPE, check=True).stdout)
    patterns = {
        "go": r"{} v(\S+)",
        "maven": r"<artifactId>{}</artifactId><version>([^<]+)",
        "cargo": r'name = "{}"\nversion = "([^"]+)"',
    }
    for package in packages:
        kind, _, name = package.partition(":")
        if kind == "npm":
            found[package] = json.loads(texts["npm"])["packages"][f"node_modules/{name}"]["version"]
        elif kind in patterns:
            there = re.search(patterns[kind].format(re.escape(name)), texts[kind])
            found[package] = there[1] if there else ""
        elif kind == "pypi":
            found[package] = pypi.get(name.lower(), "")
        elif kind == "urlset":
            found[package] = pypi.get("urlset", "")
        elif kind == "python":
            found[package] = ".".join(map(str, sys.version_info[:3]))
    return found
