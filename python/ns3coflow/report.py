# SPDX-License-Identifier: GPL-2.0-only
"""One HTML file about results, with its figures inside, and the figures as files."""

from __future__ import annotations

import base64
import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pandas as pd

from ns3coflow import _core
from ns3coflow._core import NS3_VERSION, VERSION, InputError
from ns3coflow.campaign import Sweep
from ns3coflow.figure_words import describe_figures
from ns3coflow.figures import make_charts
from ns3coflow.quantities import suit
from ns3coflow.report_data import ReportData, read
from ns3coflow.report_differences import describe_differences
from ns3coflow.report_setup import describe_bins, describe_setup, without_folders
from ns3coflow.report_words import diagnose, in_words, without_difference
from ns3coflow.saving import render, write_figure, write_table
from ns3coflow.statistics import Interval
from ns3coflow.style import COLUMN, WIDTH, figure_style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.figure import Figure

    from ns3coflow.report_data import Case, Source

FORMATS = ("png", "svg", "pdf")
MOST_FILES = 100  # that are linked
TIMELINE = b'{"displayTimeUnit"'  # the beginning of what --timeline writes
# Columns of the table that are left out where no row has anything else.
_USUAL = {"met": "-", "rejected": "0", "bypassed": "0"}


def write_report(
    results: Source,
    out: str | os.PathLike[str] | None = None,
    *,
    baseline: str | None = None,
    over: str | None = None,
    formats: Iterable[str] = FORMATS,
) -> Path:
    """Writes report.html and figures about the folder of a sweep, a comparison or a run.

    Arguments:
        results: a folder; several folders, shown side by side; or a Sweep, a Comparison or a
            Result.
        out: folder of the report; default: the folder `report` in the folder of the results. Give
            `out` if the results are not one folder.
        baseline: the baseline of improvement factors; default: the first series.
        over: an axis with repetitions as values, such as seeds of a generator. Confidence intervals
            are over this axis; default: RngRun.
        formats: formats of the figures' files: png, svg, pdf. A CSV file with the same name has the
            numbers of a figure.

    Returns the path of report.html, which needs no other file.
    """
    wanted = list(formats)
    for form in wanted:
        if form not in FORMATS:
            raise InputError(f"format of figures is '{form}'; allowed: {', '.join(FORMATS)}")
    data = read(results, over)
    against = data.check_baseline(baseline)
    place = _find_place(results) if out is None else Path(out)
    _make_folder(place)
    shown = []
    with figure_style():
        words = describe_figures(data, against)
        for name, chart in make_charts(data, against).items():
            page = chart.draw(WIDTH)
            for form in wanted:
                write_figure(page, place / f"{name}.{form}")
            if wanted:
                write_table(chart.table, place / f"{name}.csv")
            shown.append(
                {
                    "name": name,
                    "title": chart.title,
                    "words": words.get(name, ""),
                    "caption": chart.caption,
                    "wide": _embed(page),
                    "narrow": _embed(chart.draw(COLUMN)),
                    "files": [f"{name}.{form}" for form in (*wanted, "csv")] if wanted else [],
                }
            )
    path = place / "report.html"
    _core.write_file(str(path), _render(data, against, shown, _find_files(results, place)).encode())
    return path


def _embed(figure: Figure) -> str:
    """A figure as the address of a picture that stands in the page itself."""
    return "data:image/svg+xml;base64," + base64.b64encode(render(figure, "svg")).decode("ascii")


def _find_place(results: Source) -> Path:
    """The default folder of a report."""
    if isinstance(results, Sweep):
        return results.store.folder / "report"
    if isinstance(results, (str, os.PathLike)):
        return Path(results) / "report"
    raise InputError("results are not one folder; allowed: with out, the folder of the report")


def _make_folder(place: Path) -> None:
    """Makes the folder of a report. Raises InputError for a report.html of another program."""
    page = place / "report.html"
    try:
        place.mkdir(parents=True, exist_ok=True)
        is_other = page.exists() and b"ns3-coflow" not in page.read_bytes()
    except OSError as error:
        raise InputError(f"{place}: {error.strerror}; allowed: a folder to write to") from None
    if is_other:
        raise InputError(f"{page} is no report of ns3-coflow; allowed: another folder")


def _find_files(results: Source, place: Path) -> list[tuple[str, str]]:
    """The files of the results: names, and links to them from the report."""
    if isinstance(results, (list, tuple)):
        folders = [Path(each) for each in results]
    elif isinstance(results, (str, os.PathLike)):
        folders = [Path(results)]
    else:
        folders = [results.store.folder] if isinstance(results, Sweep) else []
    patterns = ("*.csv", "*.json", "*.parquet", "*/*.csv", "*/*.json")
    found: dict[str, str] = {}
    for folder in folders:
        for path in itertools.chain.from_iterable(sorted(folder.glob(each)) for each in patterns):
            if path.is_relative_to(place):
                continue  # of this report
            name = str(path.relative_to(folder if len(folders) == 1 else folder.parent))
            with path.open("rb") as file:
                if file.read(len(TIMELINE)) == TIMELINE:
                    name += " (a timeline, for ui.perfetto.dev)"
            found[name] = quote(Path(os.path.relpath(path, place)).as_posix())
    return list(found.items())[:MOST_FILES]


def _render(
    data: ReportData,
    baseline: str,
    shown: list[dict[str, Any]],
    files: list[tuple[str, str]],
) -> str:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ns3coflow"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    unit, size = suit(max(case.mean("cct_s.all.mean") for case in data.cases))
    rows = [_row(data, baseline, case, size) for case in data.cases]
    return environment.get_template("report.html").render(
        title=data.title,
        version=VERSION,
        ns3_version=NS3_VERSION,
        repeats=data.repeats,
        over=data.over,
        baseline=baseline,
        panels=len(data.panels) > 1,
        compared=data.series_axis,
        rows=rows,
        unit=unit,
        setup=describe_setup(data),
        bins=describe_bins(data),
        told={name for name, usual in _USUAL.items() if any(row[name] != usual for row in rows)},
        figures=shown,
        files=files,
        words=in_words(data, baseline),
        findings=diagnose(data),
        same=without_difference(data),
        differences=describe_differences(data),
        failed=[
            {**run, "reproduce": without_folders(run["reproduce"])}
            for run in data.failed.to_dict("records")
        ],
        reproduce=[
            without_folders(line)
            for case in data.cases
            for line in case.rows["reproduce"].tolist()
            if line
        ],
    )


def _row(data: ReportData, baseline: str, case: Case, size: float) -> dict[str, str]:
    """Of a case, the cells of the table; times are in a unit of so many seconds."""
    mean = Interval(*(each / size for each in case.interval("cct_s.all.mean")))
    factor = case.ratio_to(data.case(baseline, case.panel), "cct_s.all.mean")
    of_baseline = case.series == baseline
    return {
        "series": case.series,
        "panel": case.panel,
        "coflows": f"{case.mean('finished'):.0f} of {case.mean('coflows'):.0f}",
        "met": (
            f"{case.mean('met'):.0f} of {case.mean('deadlines'):.0f}"
            if case.mean("deadlines") > 0
            else "-"
        ),
        "rejected": f"{case.mean('rejected'):.0f}",
        "bypassed": f"{case.mean('bypassed'):.0f}",
        "compared": f"{case.mean('compared'):.0f}",
        "mean": _with_interval(mean, 4),
        "median": _number(case.mean("cct_s.all.median") / size),
        "p95": _number(case.mean("cct_s.all.p95") / size),
        "p99": _number(case.mean("cct_s.all.p99") / size),
        "factor": "1" if of_baseline else _with_interval(factor, 3),
        "slowdown": _number(case.mean("slowdown.mean"), 3),
        "bound": _number(case.mean("lower_bound.ratio"), 3),
        "utilisation": _number(100 * case.mean("utilisation"), 3),
        "cpu": _number(case.mean("cost.cpu_s"), 3),
    }


def _with_interval(interval: Interval, digits: int) -> str:
    """A mean, and how far its interval reaches: "1.39 ± 0.18"."""
    half = interval.high - interval.mean
    return _number(interval.mean, digits) + ("" if pd.isna(half) else f" ± {_number(half, 2)}")


def _number(value: float, digits: int = 4) -> str:
    return "-" if pd.isna(value) else f"{value:.{digits}g}"
