# SPDX-License-Identifier: GPL-2.0-only
"""One HTML file about results, with its figures inside, and the figures as files."""

from __future__ import annotations

import base64
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pandas as pd

from ns3coflow import _core, figures, live
from ns3coflow._core import NS3_VERSION, VERSION, InputError
from ns3coflow.figure_words import describe_figures
from ns3coflow.report_data import ReportData, read
from ns3coflow.report_differences import describe_differences
from ns3coflow.report_setup import describe_bins, describe_setup
from ns3coflow.report_words import diagnose, in_words, without_difference
from ns3coflow.style import figure_style
from ns3coflow.svg import shrink_svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
MOST_FILES = 100  # that are linked

_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {"Software": None},
}


@dataclass
class Shown:
    """A figure of a report: its title, what has to be said about how it was made, and itself."""

    title: str
    caption: str
    figure: Figure


def make_figures(data: ReportData, baseline: str) -> dict[str, Shown]:
    """All figures that there is something to show in, by file name."""
    limited = ""
    if len(data.panels) > figures.MAX_PANELS:
        limited = f"The first {figures.MAX_PANELS} of {len(data.panels)} points of the other axes."
    unfinished = any(case.coflows["finish_s"].isna().any() for case in data.cases)
    below = "A line ends below 1 where not all coflows finished." if unfinished else ""
    together = "All repetitions together." if data.repeats > 1 else ""
    intervals = "Bars: 95 % confidence over RngRun." if data.repeats > 1 else ""
    above = f"Mean CCT of {baseline} over mean CCT: above 1, a scheduler is faster."
    first = "The first of the points that have samples." if len(data.panels) > 1 else ""
    spans = "Ids stand where there is room for them; colours repeat."
    effect = figures.axis_effect(data)
    axis = effect[0] if effect else ""
    made: list[tuple[str, str, tuple[str, ...], Figure | None]] = [
        (
            "cct-cdf",
            "Distribution of coflow completion times",
            (together, below, limited),
            figures.cct_cdf(data),
        ),
        ("mean-cct", "Mean CCT, of all coflows and by bin", (limited,), figures.mean_bars(data)),
        (
            "p95-cct",
            "95th percentile of CCT, of all coflows and by bin",
            (limited,),
            figures.p95_bars(data),
        ),
        (
            "improvement",
            f"Improvement over {baseline}",
            (above, limited),
            figures.improvement(data, baseline),
        ),
        ("axis", f"Mean CCT over {axis}", (intervals,), effect[1] if effect else None),
        (
            "fluid-versus-packet",
            "Packet level against the fluid engine, coflow by coflow",
            ("On the line, both are equal.",),
            figures.fluid_versus_packet(data),
        ),
        ("control", "What control costs the network", (), figures.control_overhead(data)),
        (
            "utilisation",
            "Utilisation of the hosts' uplinks, and coflows present, over time",
            (first,),
            figures.utilisation(data),
        ),
        ("queues", "Queues over time", (first,), figures.queues(data)),
        ("gantt", "Coflows over sending hosts", (spans,), figures.gantt(data)),
    ]
    return {
        name: Shown(title, " ".join(filter(None, captions)), figure)
        for name, title, captions, figure in made
        if figure is not None
    }


def write_report(
    folder: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    baseline: str | None = None,
    formats: Iterable[str] = FORMATS,
) -> Path:
    """Writes report.html and figures about the folder of a sweep, a comparison or a run.

    Arguments:
        folder: the results.
        out: where to write; otherwise the folder `report` in it.
        baseline: what improvement factors are against; otherwise the first series.
        formats: of the figures' files: png, svg, pdf.

    Returns the path of report.html, which needs no other file.
    """
    wanted = list(formats)
    for form in wanted:
        if form not in FORMATS:
            raise InputError(f"format of figures is '{form}'; allowed: {', '.join(FORMATS)}")
    data = read(Path(folder))
    against = baseline or data.series[0]
    if against not in data.series:
        raise InputError(f"baseline is '{against}'; allowed: {', '.join(data.series)}")
    place = Path(folder) / "report" if out is None else Path(out)
    _make_folder(place)
    shown = []
    with figure_style():
        words = describe_figures(data, against)
        for name, each in make_figures(data, against).items():
            figure = each.figure
            figure.draw_without_rendering()
            figure.set_layout_engine("none")  # it is laid out, once for all files
            picture = io.BytesIO()
            figure.savefig(picture, format="svg", metadata=_METADATA["svg"])
            small = shrink_svg(picture.getvalue().decode("utf-8")).encode("utf-8")
            for form in wanted:
                content = small
                if form != "svg":
                    drawn = io.BytesIO()
                    figure.savefig(drawn, format=form, metadata=_METADATA[form])
                    content = drawn.getvalue()
                _core.write_file(str(place / f"{name}.{form}"), content)
            shown.append(
                {
                    "name": name,
                    "title": each.title,
                    "words": words.get(name, ""),
                    "caption": each.caption,
                    "svg": base64.b64encode(small).decode("ascii"),
                    "live": live.describe(figure, data.series) or "",
                }
            )
    path = place / "report.html"
    files = _find_files(Path(folder), place)
    _core.write_file(str(path), _render(data, against, shown, files).encode())
    return path


def _make_folder(place: Path) -> None:
    """Makes the folder of a report. Raises InputError where that cannot be, or is of others."""
    page = place / "report.html"
    try:
        place.mkdir(parents=True, exist_ok=True)
        is_other = page.exists() and b"ns3-coflow" not in page.read_bytes()
    except OSError as error:
        raise InputError(f"{place}: {error.strerror}; allowed: a folder to write to") from None
    if is_other:
        raise InputError(f"{page} is no report of ns3-coflow; allowed: another folder")


def _find_files(folder: Path, place: Path) -> list[tuple[str, str]]:
    """The files of the results: names, and links to them from the report."""
    found = []
    for pattern in ("*.csv", "summary.json", "*/*.csv", "*/summary.json", "*.parquet", "*.json"):
        found += sorted(folder.glob(pattern))
    names = dict.fromkeys(str(path.relative_to(folder)) for path in found)
    return [
        (name, quote(Path(os.path.relpath(folder / name, place)).as_posix()))
        for name in list(names)[:MOST_FILES]
    ]


def _render(
    data: ReportData,
    baseline: str,
    shown: list[dict[str, str]],
    files: list[tuple[str, str]],
) -> str:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ns3coflow"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    rows = [_row(data, baseline, case.series, case.panel) for case in data.cases]
    return environment.get_template("report.html").render(
        title=data.title,
        version=VERSION,
        ns3_version=NS3_VERSION,
        repeats=data.repeats,
        baseline=baseline,
        panels=len(data.panels) > 1,
        rows=rows,
        setup=describe_setup(data),
        bins=describe_bins(data),
        deadlines=any(row["met"] != "-" for row in rows),
        figures=shown,
        files=files,
        words=in_words(data, baseline),
        findings=diagnose(data),
        same=without_difference(data),
        differences=describe_differences(data),
        failed=data.failed.to_dict("records"),
        reproduce=[line for case in data.cases for line in case.rows["reproduce"].tolist() if line],
    )


def _row(data: ReportData, baseline: str, series: str, panel: str) -> dict[str, str]:
    case = data.case(series, panel)
    base = data.case(baseline, panel)
    assert case is not None
    mean = case.mean("cct_s.all.mean")
    against = float("nan") if base is None else base.mean("cct_s.all.mean")
    return {
        "series": series,
        "panel": panel,
        "coflows": f"{case.mean('finished'):.0f} of {case.mean('coflows'):.0f}",
        "met": (
            f"{case.mean('met'):.0f} of {case.mean('deadlines'):.0f}"
            if case.mean("deadlines") > 0
            else "-"
        ),
        "rejected": f"{case.mean('rejected'):.0f}",
        "bypassed": f"{case.mean('bypassed'):.0f}",
        "compared": f"{case.mean('compared'):.0f}",
        "mean": _number(mean),
        "median": _number(case.mean("cct_s.all.median")),
        "p95": _number(case.mean("cct_s.all.p95")),
        "p99": _number(case.mean("cct_s.all.p99")),
        "factor": _number(against / mean if mean else float("nan"), 3),
        "slowdown": _number(case.mean("slowdown.mean"), 3),
        "bound": _number(case.mean("lower_bound.ratio"), 3),
        "utilisation": _number(100 * case.mean("utilisation"), 3),
        "cpu": _number(case.mean("cost.cpu_s"), 3),
    }


def _number(value: float, digits: int = 4) -> str:
    return "-" if pd.isna(value) else f"{value:.{digits}g}"
