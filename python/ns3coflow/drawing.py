# SPDX-License-Identifier: GPL-2.0-only
"""One figure of a report by itself, in the width of a column or a page of a paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ns3coflow._core import InputError
from ns3coflow.chart import BIN_NAMES
from ns3coflow.figures import STATISTICS, Selection, make_charts
from ns3coflow.report_data import read
from ns3coflow.saving import write_figure, write_table
from ns3coflow.style import COLUMN, WIDTH, figure_style

if TYPE_CHECKING:
    import os

    from matplotlib.figure import Figure

    from ns3coflow.report_data import Source

WIDTHS = {"column": COLUMN, "page": WIDTH}
LARGEST_INCHES = 100
FORMATS = (".pdf", ".svg", ".png")


def figure(
    results: Source,
    name: str = "mean-cct",
    out: str | os.PathLike[str] | None = None,
    *,
    width: str | float = "column",
    bin: str | None = None,  # noqa: A002
    metric: str = "mean",
    baseline: str | None = None,
    over: str | None = None,
) -> Figure:
    """Draws one of the figures that a report has.

    Arguments:
        results: what to draw: the folder of a sweep, a comparison or a run, several such folders
            side by side, or a Sweep, a Comparison or a Result.
        name: which figure: cct-cdf, mean-cct, p95-cct, improvement, axis, fluid-versus-packet,
            control, utilisation, queues, gantt. Which of them there are depends on the results.
        out: a file to write, whose suffix says how: .pdf, .svg or .png. The numbers that are drawn
            are written beside it, as a table with the suffix .csv.
        width: "column" (3.4 inches), "page" (7 inches), or inches, from 1 to 100.
        bin: draw all, SN, LN, SW or LW alone (short or long, narrow or wide); otherwise figures by
            bin have each, and others all coflows.
        metric: what `axis` and `improvement` show: mean, median or p95 of CCT.
        baseline: what improvement factors are against; otherwise the first series.
        over: an axis whose values are repetitions, over which intervals are, such as seeds of a
            generator; otherwise RngRun.

    Returns a figure of matplotlib, which can be changed before it is saved: letters of 8 points,
    fonts embedded, bars from zero, and whiskers of 95 % confidence where runs are repeated.
    """
    path = None if out is None else Path(out)
    if path is not None and path.suffix not in FORMATS:
        raise InputError(f"out is '{path}'; allowed: a name that ends in {', '.join(FORMATS)}")
    inches = WIDTHS.get(width) if isinstance(width, str) else float(width)
    if inches is None or not 1 <= inches <= LARGEST_INCHES:
        raise InputError(
            f"width is {width!r}; allowed: 'column', 'page', or inches, from 1 to {LARGEST_INCHES}"
        )
    if bin is not None and bin not in BIN_NAMES:
        raise InputError(f"bin is '{bin}'; allowed: {', '.join(BIN_NAMES)}")
    if metric not in STATISTICS:
        raise InputError(f"metric is '{metric}'; allowed: {', '.join(STATISTICS)}")
    data = read(results, over)
    charts = make_charts(data, data.check_baseline(baseline), Selection(bin, metric))
    if name not in charts:
        raise InputError(f"figure is '{name}'; allowed for these results: {', '.join(charts)}")
    chart = charts[name]
    with figure_style():
        drawn = chart.draw(inches)
        if path is not None:
            write_figure(drawn, path)
            write_table(chart.table, path.with_suffix(".csv"))
    return drawn
