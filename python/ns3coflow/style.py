# SPDX-License-Identifier: GPL-2.0-only
"""The look of figures: colours that color-blind readers can distinguish, and that print in grey."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

if TYPE_CHECKING:
    from collections.abc import Iterator

# Okabe and Ito's palette, without yellow, which is too light on paper. Those that stand four apart
# have the same dashes, and so differ most.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (4, 1, 1, 1)))
# No dots: in SVG a pattern of dots is as large as the rest of the figure.
HATCHES = ("", "////", "\\\\\\\\", "xxxx", "----", "||||", "++++")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

WIDTH = 7.0  # inches: the text of a page in two columns
COLUMN = 3.4  # inches: one of the two columns

_SETTINGS: dict[str, Any] = {
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#d9d9d9",
    "grid.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "hatch.linewidth": 0.6,
    "savefig.dpi": 200,
    "pdf.fonttype": 42,  # editable text
    "svg.fonttype": "none",  # text stays text: small files, and found by a search
    "svg.hashsalt": "ns3coflow",  # the same figure gives the same file
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Settings for all figures."""
    settings: Any = _SETTINGS
    with mpl.rc_context(settings):
        yield


def line_style(place: int) -> dict[str, Any]:
    """How the line of the n-th series is drawn: 28 that differ."""
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": DASHES[(2 * (place // len(COLOURS)) + place) % len(DASHES)],
    }


def marker_style(place: int) -> dict[str, Any]:
    """The same with markers."""
    return {**line_style(place), "marker": MARKERS[place % len(MARKERS)]}


def bar_style(place: int) -> dict[str, Any]:
    """How the bars of the n-th series are filled."""
    return {
        "facecolor": COLOURS[place % len(COLOURS)],
        "hatch": HATCHES[(place // len(COLOURS) + place) % len(HATCHES)],
        "edgecolor": "white",
        "linewidth": 0.4,
    }


def text_on(colour: str) -> str:
    """The colour, black or white, of text on a colour (ITU-R BT.709 luma)."""
    red, green, blue = mpl.colors.to_rgb(colour)
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 else "white"
