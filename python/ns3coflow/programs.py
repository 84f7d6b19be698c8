# SPDX-License-Identifier: GPL-2.0-only
"""The programs in C++, as commands of the environment that the package is installed in."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def replay() -> NoReturn:
    """Becomes coflow-replay."""
    _become("coflow-replay")


def trace() -> NoReturn:
    """Becomes coflow-trace."""
    _become("coflow-trace")


def _become(name: str) -> NoReturn:
    path = Path(__file__).resolve().parent / "bin" / name
    os.execv(path, [name, *sys.argv[1:]])
