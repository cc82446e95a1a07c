"""The core measured beside every rival and floor; see README.md."""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def target() -> Path:
    """Return where builds and what is installed for a measurement lie."""
    return Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target"))
