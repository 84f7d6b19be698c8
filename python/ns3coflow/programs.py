# SPDX-License-Identifier: GPL-2.0-only
"""The programs in C++, as commands of the environment that the package is installed in."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence


def become(name: str, arguments: Sequence[str]) -> NoReturn:
    """Replaces this process by a program of the package."""
    path = Path(__file__).resolve().parent / "bin" / name
    os.execv(path, [name, *arguments])


def replay() -> NoReturn:
    """The command coflow-replay."""
    become("coflow-replay", sys.argv[1:])


def trace() -> NoReturn:
    """The command coflow-trace."""
    become("coflow-trace", sys.argv[1:])
