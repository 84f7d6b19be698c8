# SPDX-License-Identifier: GPL-2.0-only
"""The results of a run, as tables."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

from ns3coflow import metadata
from ns3coflow._core import InputError
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    import os

_MISSING = -1
_DTYPES: dict[str, Any] = {
    "uint64": np.uint64,
    "uint32": np.uint32,
    "int64": np.int64,
    "optional uint64": np.float64,
    "optional double": np.float64,
    "time": np.float64,
    "bool": np.int8,
    "optional bool": np.int8,
}


class Result:
    """The outcome of one run. Its tables share memory with the arrays of the run."""

    def __init__(self, outcome: dict[str, Any]) -> None:
        self._outcome = outcome

    @functools.cached_property
    def coflows(self) -> pd.DataFrame:
        """A row per coflow, with the columns of coflows.csv; NaN for times of unfinished ones."""
        return _to_frame("coflows.csv", self._outcome["coflows"])

    def outcome(self, *, reproduce: str) -> dict[str, Any]:
        """The outcome as a worker returns it, with the command line that reproduces it."""
        summary = {**self.summary, "reproduce": self.summary["reproduce"] or reproduce}
        return {**self._outcome, "summary": json.dumps(summary)}

    @property
    def has_flows(self) -> bool:
        """Whether the result has records of flows."""
        return self._outcome["flows"] is not None

    @functools.cached_property
    def flows(self) -> pd.DataFrame:
        """A row per flow, with the columns of flows.csv; NaN for times of unfinished ones."""
        if not self.has_flows:
            raise InputError("there is no flows.csv; allowed: a result written with --flows")
        return _to_frame("flows.csv", self._outcome["flows"])

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """The content of summary.json: configuration, overall results, cost."""
        summary: dict[str, Any] = json.loads(self._outcome["summary"])
        return summary

    @property
    def diagnosis(self) -> list[dict[str, str]]:
        """The diagnosis: findings with `id`, `finding` and `change` (doc/how-to/diagnosis.md)."""
        findings: list[dict[str, str]] = self.summary["diagnosis"]
        return findings

    @functools.cached_property
    def timeseries(self) -> pd.DataFrame:
        """Samples over time, with the columns of timeseries.csv.

        The option `sampleInterval` turns sampling on; otherwise the table has no rows.
        """
        return _to_frame("timeseries.csv", self._outcome["samples"])

    @property
    def activity(self) -> pd.DataFrame:
        """The numbers of unfinished coflows and flows over time, in 200 steps, from the records.

        Each row has the start of a step, `time_s`, and means over the step. Unlike `timeseries`,
        this table needs no option, and both engines have it.
        """
        return make_activity(self.coflows, self.flows)

    @property
    def unfinished(self) -> int:
        """The number of coflows that neither finished nor were rejected."""
        coflows = self.coflows
        return int((coflows["finish_s"].isna() & coflows["admitted"]).sum())

    @property
    def mean_cct(self) -> float:
        """Mean coflow completion time in seconds, over finished coflows."""
        return float(self.coflows["cct_s"].mean())

    @property
    def reproduce(self) -> str:
        """A command line that reproduces this result."""
        return str(self.summary["reproduce"])

    @property
    def text(self) -> str:
        """The table that coflow-replay prints."""
        return str(self._outcome["text"])

    @property
    def unfinished_text(self) -> str:
        """One line that lists unfinished coflows; empty if all coflows finished."""
        return str(self._outcome["unfinished"])

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Result:
        """Reads a result that coflow-replay or `run(out=...)` wrote into a folder."""
        place = Path(folder)
        if not (place / "summary.json").is_file():
            raise InputError(
                f"{place} holds no summary.json; allowed: a folder with a complete result"
            )
        outcome: dict[str, Any] = {
            "coflows": _read_arrays(place / "coflows.csv"),
            "flows": None,
            "samples": {},
            "summary": (place / "summary.json").read_text(encoding="utf-8"),
            "text": "",
            "unfinished": "",
        }
        if (place / "flows.csv").is_file():
            outcome["flows"] = _read_arrays(place / "flows.csv")
        if (place / "timeseries.csv").is_file():
            outcome["samples"] = _read_arrays(place / "timeseries.csv")
        return cls(outcome)

    def __repr__(self) -> str:
        return self.text or f"<Result: {self.reproduce}>"


def _types_of(file: str) -> dict[str, str]:
    """The declared type of each column of a result file."""
    return {column["name"]: column["type"] for column in metadata.describe()["files"][file]}


def _to_frame(file: str, arrays: dict[str, np.ndarray[Any, Any]]) -> pd.DataFrame:
    """The arrays of a file as a table, with pandas' types for bins and flags."""
    columns: dict[str, Any] = dict(arrays)
    types = _types_of(file)
    for name, values in arrays.items():
        match types.get(name):
            case "bin":
                columns[name] = pd.Categorical.from_codes(values, categories=pd.Index(BINS))
            case "bool":
                columns[name] = values.view(bool)
            case "optional bool":
                columns[name] = pd.arrays.BooleanArray(values == 1, values == _MISSING)
    return pd.DataFrame(columns, copy=False)


def _read_arrays(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays that a run had when it wrote a file."""
    types = _types_of(path.name)
    frame = read_csv(path)
    return {str(name): _to_array(frame[name], types.get(str(name), "")) for name in frame}


def _to_array(values: pd.Series[Any], kind: str) -> np.ndarray[Any, Any]:
    if kind == "bin":
        return pd.Categorical(values, categories=list(BINS)).codes
    if kind == "optional bool":
        values = values.fillna(_MISSING)
    return values.to_numpy(_DTYPES[kind] if kind else None)


def read_csv(path: Path) -> pd.DataFrame:
    """Reads a table that the C++ side wrote, numbers as exactly as it wrote them."""
    table = csv.read_csv(path)
    for place, column in enumerate(table.schema):
        if pa.types.is_null(column.type):  # nothing stands in it
            table = table.set_column(place, column.name, table[place].cast(pa.float64()))
    frame: pd.DataFrame = table.to_pandas()
    return frame


def make_activity(coflows: pd.DataFrame, flows: pd.DataFrame, steps: int = 200) -> pd.DataFrame:
    """See Result.activity."""
    start = float(coflows["arrival_s"].min()) if len(coflows) else 0.0
    end = float(np.nanmax([start, coflows["finish_s"].max()]))
    edges = np.linspace(start, max(end, start + 1e-9), steps + 1)
    table = pd.DataFrame({"time_s": edges[:-1]})
    for name, records, begin in (("coflows", coflows, "arrival_s"), ("flows", flows, "start_s")):
        present = records[records[begin].notna()]
        until = present["finish_s"].fillna(end).to_numpy()
        table[name] = _presence(edges, present[begin].to_numpy(), until) / (edges[1] - edges[0])
    return table


def _presence(
    edges: np.ndarray[Any, Any], begin: np.ndarray[Any, Any], end: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    """Integral over each step of how many stretches cover a time."""
    # Up to a time it is piecewise linear, with bends where stretches begin and end.
    places = np.concatenate([begin, end])
    if len(places) == 0:
        return np.zeros(len(edges) - 1)
    slopes = np.concatenate([np.ones(len(begin)), -np.ones(len(end))])
    order = np.argsort(places, kind="stable")
    places, slopes = places[order], np.cumsum(slopes[order])
    values = np.concatenate([[0.0], np.cumsum(slopes[:-1] * np.diff(places))])
    result: np.ndarray[Any, Any] = np.diff(np.interp(edges, places, values))
    return result
