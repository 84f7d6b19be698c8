# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the experiments: the public trace, runs that are kept, measured numbers."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
import pandas as pd

import ns3coflow as nc
from ns3coflow.saving import write_figure
from ns3coflow.statistics import half_width as half_width
from ns3coflow.style import figure_style

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "doc/validation/figures"
BINS = ("all", "SN", "LN", "SW", "LW")


def trace_path() -> Path:
    """Where the public Facebook trace is; it need not exist."""
    default = ROOT.parent / "shared/data/FB2010-1Hr-150-0.txt"
    return Path(os.environ.get("COFLOW_BENCHMARK_TRACE", default))


def public_trace() -> nc.Trace:
    """The public trace: 526 coflows, 150 ports."""
    path = trace_path()
    if not path.is_file():
        raise SystemExit(f"{path} is absent; COFLOW_BENCHMARK_TRACE may name the public trace")
    return nc.Trace.read(path)


def in_epochs(trace: nc.Trace, seconds: float = 10.24) -> nc.Trace:
    """The trace as CoflowSim admits it: all that arrive within an epoch start at its beginning."""
    arrival = trace.coflows.set_index("coflow_id")["arrival_s"]
    epoch = (np.floor(arrival / seconds) * seconds).round(9)
    order = pd.Series(range(len(arrival)), arrival.index)
    flows = trace.flows.assign(
        arrival_s=lambda table: table["coflow_id"].map(epoch),
        order=lambda table: table["coflow_id"].map(order),
    ).sort_values(["arrival_s", "order"], kind="stable")
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    return nc.Trace.from_frame(flows[columns], hosts=trace.hosts)


def fluid(trace: nc.Trace, **options: Any) -> nc.Experiment:
    """The papers' model: a non-blocking switch, 1 Gbps at every port, no packets."""
    return nc.Experiment(trace, nc.BigSwitch(hosts=trace.hosts), engine="fluid", **options)


def kept(name: str) -> Path:
    """Where runs are kept."""
    return ROOT / "build/scratch" / name.replace("/", "_")  # no folder of a sweep in another


def is_complete(folder: Path) -> bool:
    """Whether coflow-replay has ended a run there, and was not interrupted."""
    summary = folder / "summary.json"
    if not summary.is_file():
        return False
    end: str = json.loads(summary.read_text(encoding="utf-8"))["end"]["reason"]
    return end != "interrupted"


def run(name: str, grid: Mapping[str, Any], base: nc.Experiment, repeats: int = 1) -> nc.Sweep:
    """Runs what is not there yet; results are kept in build/scratch."""
    sweep = nc.sweep(grid, repeats, base=base, out=kept(name), retry_failed=True)
    if len(sweep.failed):
        raise SystemExit(f"{name}: {sweep.failed.iloc[0].to_dict()}")
    return sweep


def coflows(sweep: nc.Sweep, **labels: Any) -> pd.DataFrame:
    """The coflows of one point of a sweep, all repetitions together."""
    rows = row(sweep, **labels)
    return pd.concat([sweep.store.coflows(key) for key in rows["key"]], ignore_index=True)


def row(sweep: nc.Sweep, **labels: Any) -> pd.DataFrame:
    """The rows of one point of a sweep."""
    rows = sweep.done
    for axis, value in labels.items():
        rows = rows[rows[axis] == value]
    if not len(rows):
        raise KeyError(labels)
    return rows


def samples(sweep: nc.Sweep, **labels: Any) -> pd.DataFrame:
    """The samples over time of one point of a sweep."""
    taken = sweep.store.samples(row(sweep, **labels)["key"].iloc[0])
    assert taken is not None
    return taken


def of_bin(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """The coflows of a bin, or all."""
    return table if name == "all" else table[table["bin"] == name]


def cpu_seconds(*sweeps: nc.Sweep | pd.DataFrame) -> float:
    """What all runs cost together; points that share one pay for it once."""
    tables = [each if isinstance(each, pd.DataFrame) else each.done for each in sweeps]
    return float(sum(each.drop_duplicates("key")["cost.cpu_s"].sum() for each in tables))


def save(
    experiment: str,
    measured: Mapping[str, float],
    *sweeps: nc.Sweep | pd.DataFrame,
    file: str = "measured.json",
) -> None:
    """Writes the numbers that claims are held against; null where runs are missing.

    A "note" that says under what the numbers before were measured goes with them.
    """
    numbers = {
        name: float(f"{value:.4g}") if np.isfinite(value) else None
        for name, value in measured.items()
    }
    cost = float(f"{cpu_seconds(*sweeps):.2g}")
    text = json.dumps({"cpu_seconds": cost, "measured": numbers}, indent=1)
    (ROOT / "scratch" / experiment / file).write_text(text + "\n", encoding="utf-8")


def save_figure(name: str, draw: Any, folder: Path = FIGURES) -> None:
    """Draws into doc/validation/figures: a function that returns a figure, in our style."""
    folder.mkdir(parents=True, exist_ok=True)
    with figure_style(), mpl.rc_context({"savefig.dpi": 150}):
        write_figure(draw(), folder / f"{name}.svg")


def measured_of(experiment: str) -> dict[str, float]:
    """The numbers that an experiment has saved; NaN where runs are missing."""
    path = ROOT / "scratch" / experiment / "measured.json"
    numbers: dict[str, float | None] = json.loads(path.read_text(encoding="utf-8"))["measured"]
    return {name: np.nan if value is None else value for name, value in numbers.items()}
