# SPDX-License-Identifier: GPL-2.0-only
"""What a report is about: cases, read from the folder of a sweep, a comparison or a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ns3coflow._core import InputError, student_t_quantile
from ns3coflow.campaign import open_sweep
from ns3coflow.finished import cct_statistics, finished_by_all, outcome_counts
from ns3coflow.grid import REPEAT, series_axis
from ns3coflow.result import Result
from ns3coflow.store import DESCRIPTION, row_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SUMMARY = "summary.json"
COMPARISON = "comparison.csv"


@dataclass
class Case:
    """One point of a grid, all its repetitions together; or one run."""

    series: str  # what lines and bars of a figure stand for: usually the scheduler
    panel: str  # the other axes, as text; empty where there are none
    coflows: pd.DataFrame  # of all repetitions, with a column RngRun
    rows: pd.DataFrame  # a row per repetition, as the store has them
    labels: dict[str, Any] = field(default_factory=dict)  # values of axes
    samples: pd.DataFrame | None = None  # timeseries.csv of one repetition
    flows: pd.DataFrame | None = None  # flows.csv of one repetition
    engine: str = ""
    scheduler: str = ""

    def mean(self, metric: str) -> float:
        """A metric of rows, averaged over repetitions; NaN where there is none."""
        if metric not in self.rows:
            return float("nan")
        return float(pd.to_numeric(self.rows[metric]).mean())


@dataclass
class ReportData:
    """Everything that a report shows."""

    title: str
    cases: list[Case]
    axes: list[str]
    repeats: int
    failed: pd.DataFrame
    series_axis: str = "scheduler"  # the axis that series are the values of

    @property
    def series(self) -> list[str]:
        """Names of series, in order."""
        return list(dict.fromkeys(case.series for case in self.cases))

    @property
    def panels(self) -> list[str]:
        """Names of panels, in order."""
        return list(dict.fromkeys(case.panel for case in self.cases))

    def case(self, series: str, panel: str) -> Case | None:
        """The case of a series in a panel, if there is one."""
        for case in self.cases:
            if case.series == series and case.panel == panel:
                return case
        return None


def read(folder: Path) -> ReportData:
    """Reads a folder.

    Raises InputError where it holds no results.
    """
    if (folder / DESCRIPTION).is_file():
        data = _read_sweep(folder)
    elif (folder / SUMMARY).is_file():
        data = _read_runs(folder, [folder])
    else:
        data = _read_runs(folder, _find_places(folder))
    for panel in data.panels:
        _compare([case for case in data.cases if case.panel == panel])
    if not data.cases:
        raise InputError(
            f"{folder} holds no result; allowed: the folder of a sweep, of a comparison with "
            "--out, or of a run"
        )
    return data


def _find_places(folder: Path) -> list[Path]:
    """The folders of the runs of a comparison, in the order given.

    Without the file of a comparison, all runs in the folder, fair first.
    """
    path = folder / COMPARISON
    if path.is_file():
        names = pd.read_csv(path, usecols=[0], dtype=str).iloc[:, 0]
        return [folder / name for name in names]
    places = sorted(path.parent for path in folder.glob(f"*/{SUMMARY}"))
    return sorted(places, key=lambda place: place.name != "fair")


def _compare(cases: list[Case]) -> None:
    """Makes the times in rows those of the coflows that all cases of a panel finished.

    Repetition by repetition; rows of a case where that leaves something out are changed.
    """
    single = any(REPEAT not in case.rows for case in cases)  # folders of one run each
    runs = [None] if single else sorted({run for case in cases for run in case.rows[REPEAT]})
    for run in runs:
        here = [case for case in cases if run is None or (case.rows[REPEAT] == run).any()]
        tables = [
            case.coflows if run is None else case.coflows[case.coflows[REPEAT] == run]
            for case in here
        ]
        for case, table, common in zip(here, tables, finished_by_all(tables), strict=True):
            place = slice(None) if run is None else case.rows[REPEAT] == run
            rows = case.rows.copy()
            for name, count in outcome_counts(table).items():
                rows.loc[place, name] = count
            rows.loc[place, "compared"] = len(common)
            if len(common) < int(table["finish_s"].notna().sum()):
                for group, statistics in cct_statistics(common).items():
                    for name, value in statistics.items():
                        rows.loc[place, f"cct_s.{group}.{name}"] = value
                rows.loc[place, "slowdown.mean"] = common["slowdown"].mean()
            if table["finish_s"].isna().any():
                # The bound is on the mean over all coflows.
                rows.loc[place, "lower_bound.ratio"] = np.nan
            case.rows = rows


def _read_runs(folder: Path, places: list[Path]) -> ReportData:
    cases = []
    for place in places:
        result = Result.load(place)
        row = row_of(result)
        has_flows = (place / "flows.csv").is_file()
        samples = result.timeseries
        name = place.name if place != folder else result.summary["scheduler"]
        cases.append(
            Case(
                series=name,
                panel="",
                coflows=result.coflows.assign(**{REPEAT: result.summary["rng_run"]}),
                rows=pd.DataFrame([{**row, "reproduce": result.reproduce}]),
                samples=samples if len(samples) else None,
                flows=result.flows if has_flows else None,
                engine=result.summary["engine"],
                scheduler=result.summary["scheduler"],
            )
        )
    return ReportData(folder.resolve().name, cases, [], 1, pd.DataFrame())


def _read_sweep(folder: Path) -> ReportData:
    sweep = open_sweep(folder)
    axes = sweep.axes
    if not len(sweep.done):
        return ReportData(folder.resolve().name, [], axes, 0, sweep.failed)
    compared = series_axis(axes)
    others = [axis for axis in axes if axis != compared]
    cases = []
    for values, rows in sweep.done.groupby(axes, sort=False, dropna=False):
        labels = dict(zip(axes, values, strict=True))
        summary = rows["summary"].map(_read_json)
        keys = rows["key"].tolist()
        runs = rows[REPEAT].tolist()
        coflows = pd.concat(
            [
                sweep.store.coflows(key).assign(**{REPEAT: run})
                for key, run in zip(keys, runs, strict=True)
            ],
            ignore_index=True,
        )
        cases.append(
            Case(
                series=str(labels.get(compared, summary.iloc[0]["scheduler"])),
                panel=", ".join(f"{axis} {labels[axis]}" for axis in others),
                coflows=coflows,
                rows=rows,
                labels=labels,
                samples=sweep.store.samples(keys[0]),
                engine=summary.iloc[0]["engine"],
                scheduler=summary.iloc[0]["scheduler"],
            )
        )
    repeats = int(sweep.description["repeats"])
    return ReportData(folder.resolve().name, cases, axes, repeats, sweep.failed, compared)


def _read_json(text: str) -> dict[str, Any]:
    import json

    content: dict[str, Any] = json.loads(text)
    return content


def quantiles(values: pd.Series[float]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """An empirical distribution, as sorted values and the share that is at most as large.

    Of many values, as many as a figure can show.
    """
    ordered = np.sort(values.dropna().to_numpy(np.float64))
    share = np.arange(1, len(ordered) + 1) / max(1, len(ordered))
    if len(ordered) > 2000:
        kept = np.unique(np.linspace(0, len(ordered) - 1, 2000).astype(int))
        ordered, share = ordered[kept], share[kept]
    return ordered, share


def half_width(values: Sequence[float] | pd.Series[float]) -> float:
    """Half the 95 % confidence interval of a mean (Student's t); NaN of fewer than two values."""
    array = np.asarray(values, dtype=float)
    if len(array) < 2:
        return float("nan")
    spread = array.std(ddof=1) / np.sqrt(len(array))
    return float(student_t_quantile(0.975, len(array) - 1) * spread)
