# SPDX-License-Identifier: GPL-2.0-only
"""Figures and their numbers as files, the same bytes for the same figure."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ns3coflow import _core

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    from matplotlib.figure import Figure

# Nothing of the moment, or of the machine.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {"Software": None},
}


def render(figure: Figure, form: str) -> bytes:
    """A figure as svg, pdf or png."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format=form, metadata=_METADATA[form])
    return drawn.getvalue()


def write_figure(figure: Figure, path: Path) -> None:
    """Writes a figure in the format that the suffix names."""
    _core.write_file(str(path), render(figure, path.suffix[1:]))


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Writes what a figure shows as CSV."""
    _core.write_file(str(path), table.to_csv(index=False).encode())
