# SPDX-License-Identifier: GPL-2.0-only
"""The data of a report or a figure: cases of sweeps, comparisons and runs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from ns3coflow._core import InputError
from ns3coflow.campaign import Sweep, open_sweep
from ns3coflow.comparison import Comparison
from ns3coflow.finished import cct_statistics, finished_by_all, outcome_counts
from ns3coflow.grid import REPEAT, series_axis
from ns3coflow.result import Result
from ns3coflow.statistics import Interval, mean_of, ratios_of
from ns3coflow.store import DESCRIPTION, row_of

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    Folder: TypeAlias = str | os.PathLike[str]
    Source: TypeAlias = Folder | Sequence[Folder] | Sweep | Comparison | Result

FOLDER = "folder"  # the axis of several folders side by side
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

    def interval(self, metric: str) -> Interval:
        """The same with its 95 % confidence interval over repetitions."""
        return mean_of(self.values(metric))

    def values(self, metric: str) -> pd.Series[float]:
        """A metric of rows, by repetition."""
        if metric not in self.rows:
            return pd.Series(dtype=float)
        values = pd.to_numeric(self.rows[metric])
        return values.set_axis(self.rows[REPEAT]) if REPEAT in self.rows else values

    def ratio_to(self, base: Case | None, metric: str) -> Interval:
        """A metric of base over that of this case, repetition by repetition.

        The mean of the ratios, with its 95 % confidence interval; NaN without a base.
        """
        theirs = pd.Series(dtype=float) if base is None else base.values(metric)
        return mean_of(ratios_of(theirs, self.values(metric)))


@dataclass
class ReportData:
    """Everything that a report shows."""

    title: str
    cases: list[Case]
    axes: list[str]
    repeats: int
    failed: pd.DataFrame
    series_axis: str = "scheduler"  # the axis that series are the values of
    program: tuple[str, str] | None = None  # a user's program: its name, and its commit
    over: str = REPEAT  # what repetitions differ in

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

    def check_baseline(self, baseline: str | None) -> str:
        """The baseline of improvement factors: a series; default: the first series."""
        against = baseline or self.series[0]
        if against not in self.series:
            against = _call(self.series_axis, against)
        if against not in self.series:
            raise InputError(f"baseline is '{against}'; allowed: {', '.join(self.series)}")
        return against


def read(source: Source, over: str | None = None) -> ReportData:
    """Reads results: a folder, several folders side by side, or results in memory.

    Arguments:
        source: the results.
        over: an axis with repetitions as values, such as seeds of a generator; default: RngRun.

    Raises InputError if there are no results.
    """
    data = _read(source)
    for panel in data.panels:
        _compare([case for case in data.cases if case.panel == panel])
    return data if over in (None, REPEAT) else _repeat_over(data, str(over))


def _repeat_over(data: ReportData, over: str) -> ReportData:
    """The same with the values of an axis as repetitions; those of RngRun become their mean."""
    axes = [axis for axis in data.axes if axis != data.series_axis]
    if over not in axes:
        raise InputError(f"over is '{over}'; allowed: an axis: {', '.join([*axes, REPEAT])}")
    groups: dict[tuple[Any, ...], list[Case]] = {}
    for case in data.cases:
        kept = {axis: label for axis, label in case.labels.items() if axis != over}
        groups.setdefault((case.series, *kept.items()), []).append(case)
    cases = []
    for group in groups.values():
        labels = {axis: label for axis, label in group[0].labels.items() if axis != over}
        rows = []
        for case in group:
            row = case.rows.iloc[:1].copy()
            numbers = case.rows.select_dtypes("number").columns
            row[numbers] = case.rows[numbers].mean().to_numpy()
            row[REPEAT] = str(case.labels[over])
            rows.append(row)
        coflows = [
            case.coflows.assign(
                **{REPEAT: f"{case.labels[over]} " + case.coflows[REPEAT].astype(str)}
            )
            for case in group
        ]
        others = {axis: label for axis, label in labels.items() if axis != data.series_axis}
        cases.append(
            replace(
                group[0],
                panel=", ".join(f"{axis} {label}" for axis, label in others.items()),
                coflows=pd.concat(coflows, ignore_index=True),
                rows=pd.concat(rows, ignore_index=True),
                labels=labels,
            )
        )
    repeats = max(len(group) for group in groups.values())
    left = [axis for axis in data.axes if axis != over]
    return replace(data, cases=cases, axes=left, repeats=repeats, over=over)


def _read(source: Source) -> ReportData:
    if isinstance(source, Sweep):
        return _check(_read_sweep(source), source.store.folder)
    if isinstance(source, Comparison):
        return _of_results("comparison", source.results)
    if isinstance(source, Result):
        return _of_results("run", {source.summary["scheduler"]: source})
    if isinstance(source, (list, tuple)):
        return _side_by_side([Path(each) for each in source])
    return _read_folder(Path(source))  # type: ignore[arg-type]


def _read_folder(folder: Path) -> ReportData:
    if (folder / DESCRIPTION).is_file():
        data = _read_sweep(open_sweep(folder))
    elif (folder / SUMMARY).is_file():
        data = _read_runs(folder, [folder])
    else:
        data = _read_runs(folder, _find_places(folder))
    return _check(data, folder)


def _check(data: ReportData, folder: Path) -> ReportData:
    if not data.cases:
        raise InputError(
            f"{folder} holds no result; allowed: the folder of a sweep, of a comparison with "
            "--out, or of a run"
        )
    return data


def _side_by_side(folders: list[Path]) -> ReportData:
    """The results of several folders. The names of the folders are the values of another axis."""
    if not folders:
        raise InputError("no folder is given; allowed: one folder of results, or several")
    if len(folders) == 1:
        return _read_folder(folders[0])
    names = [folder.resolve().name for folder in folders]
    if len(set(names)) < len(names):
        names = [str(folder) for folder in folders]
    if len(set(names)) < len(names):
        raise InputError(f"folders are {', '.join(names)}; allowed: each of them once")
    parts = [_read_folder(folder) for folder in folders]
    compared = parts[0].series_axis
    if any(part.series_axis != compared for part in parts):
        axes = ", ".join(part.series_axis for part in parts)
        raise InputError(
            f"the folders {', '.join(names)} compare values of {axes}; allowed: folders that "
            "compare values of the same axis"
        )
    for name, part in zip(names, parts, strict=True):
        for case in part.cases:
            case.labels = {FOLDER: name, **case.labels}
            case.panel = ", ".join(filter(None, (f"{FOLDER} {name}", case.panel)))
    return ReportData(
        ", ".join(names),
        [case for part in parts for case in part.cases],
        [FOLDER, *(axis for axis in parts[0].axes if all(axis in part.axes for part in parts))],
        max(part.repeats for part in parts),
        pd.concat([part.failed for part in parts]),
        compared,
    )


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
    results = {place: Result.load(place) for place in places}
    named = {
        place.name if place != folder else result.summary["scheduler"]: result
        for place, result in results.items()
    }
    return _of_results(folder.resolve().name, named)


def _of_results(title: str, results: Mapping[str, Result]) -> ReportData:
    """Single runs by the names of their series."""
    cases = []
    for name, result in results.items():
        row = row_of(result)
        samples = result.timeseries
        cases.append(
            Case(
                series=name,
                panel="",
                coflows=result.coflows.assign(**{REPEAT: result.summary["rng_run"]}),
                rows=pd.DataFrame([{**row, "reproduce": result.reproduce}]),
                samples=samples if len(samples) else None,
                flows=result.flows if result.has_flows else None,
                engine=result.summary["engine"],
                scheduler=result.summary["scheduler"],
            )
        )
    return ReportData(title, cases, [], 1, pd.DataFrame())


def _read_sweep(sweep: Sweep) -> ReportData:
    axes = sweep.axes
    title = sweep.store.folder.resolve().name
    if not len(sweep.done):
        return ReportData(title, [], axes, 0, sweep.failed)
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
                series=_call(compared, labels.get(compared, summary.iloc[0]["scheduler"])),
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
    own = sweep.description.get("program")
    program = None if own is None else (own, sweep.description["commit"])
    return ReportData(title, cases, axes, repeats, sweep.failed, compared, program)


def _call(axis: str, value: object) -> str:
    """The name of a series: a scheduler by its name, another value with the name of its axis."""
    return str(value) if axis == "scheduler" else f"{axis.rpartition('::')[2]} {value}"


def _read_json(text: str) -> dict[str, Any]:
    import json

    content: dict[str, Any] = json.loads(text)
    return content
