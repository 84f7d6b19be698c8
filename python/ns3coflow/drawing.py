# SPDX-License-Identifier: GPL-2.0-only
"""A single figure of a report, in the width of a column or a page of a paper."""

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
        results: the folder of a sweep, a comparison or a run; several such folders, drawn side by
            side; or a Sweep, a Comparison or a Result.
        name: the figure: cct-cdf, mean-cct, p95-cct, improvement, axis, fluid-versus-packet,
            control, utilisation, queues or gantt. Some figures need results of a certain kind.
        out: a file to write. Its suffix gives the format: .pdf, .svg or .png. The numbers in the
            figure are written to a table of the same name with the suffix .csv.
        width: "column" (3.4 inches), "page" (7 inches), or a number of inches from 1 to 100.
        bin: draw one bin alone: all, SN, LN, SW or LW (short or long, narrow or wide). By default,
            figures by bin show each bin, and other figures show all coflows.
        metric: the metric of `axis` and `improvement`: mean, median or p95 of CCT.
        baseline: the baseline of improvement factors; default: the first series.
        over: an axis with repetitions as values, such as seeds of a generator. Confidence intervals
            are over this axis; default: RngRun.

    Returns a figure of matplotlib, which you can change before you save it. Letters have 8 points,
    fonts are embedded, bars begin at zero, and whiskers show 95 % confidence if runs are repeated.
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
