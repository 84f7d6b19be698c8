# SPDX-License-Identifier: GPL-2.0-only
"""What comes out of a run, as tables."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ns3coflow._core import InputError
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    import os

_MISSING = -1


class Result:
    """The outcome of one run. Its tables share the memory that the run's arrays have."""

    def __init__(self, outcome: dict[str, Any]) -> None:
        self._outcome = outcome

    @functools.cached_property
    def coflows(self) -> pd.DataFrame:
        """A row per coflow, with the columns of coflows.csv; NaN where it has not finished."""
        columns = dict(self._outcome["coflows"])
        columns["bin"] = pd.Categorical.from_codes(columns["bin"], categories=list(BINS))
        columns["admitted"] = columns["admitted"].astype(bool)
        met = columns["met_deadline"]
        columns["met_deadline"] = pd.arrays.BooleanArray(met == 1, met == _MISSING)
        return pd.DataFrame(columns, copy=False)

    @functools.cached_property
    def flows(self) -> pd.DataFrame:
        """A row per flow, with the columns of flows.csv; NaN where it has not finished."""
        if self._outcome["flows"] is None:
            raise InputError("there is no flows.csv; allowed: a result written with --flows")
        return pd.DataFrame(self._outcome["flows"], copy=False)

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """The content of summary.json: configuration, results as a whole, cost."""
        summary: dict[str, Any] = json.loads(self._outcome["summary"])
        return summary

    @functools.cached_property
    def timeseries(self) -> pd.DataFrame:
        """What went on over time, in 200 steps, from the records of flows.

        Per step, its start `time_s`, and means over the step: coflows and flows that were
        unfinished, and the share of the hosts' uplinks in use if every flow had kept to its mean
        rate. A step is as long as the run / 200, so peaks shorter than that are not seen.
        """
        return make_timeseries(self.coflows, self.flows, self._uplinks())

    def _uplinks(self) -> float:
        rates = self._outcome.get("ingress_rates")
        return float("nan") if rates is None else float(np.sum(rates))

    @property
    def unfinished(self) -> int:
        """How many coflows did neither finish nor were rejected."""
        coflows = self.coflows
        return int((coflows["finish_s"].isna() & coflows["admitted"]).sum())

    @property
    def mean_cct(self) -> float:
        """Mean coflow completion time in seconds, over finished coflows."""
        return float(self.coflows["cct_s"].mean())

    @property
    def reproduce(self) -> str:
        """A command line that gives this result again."""
        return str(self.summary["reproduce"])

    @property
    def text(self) -> str:
        """The table that coflow-replay prints."""
        return str(self._outcome["text"])

    @property
    def unfinished_text(self) -> str:
        """One line that lists unfinished coflows; empty where there are none."""
        return str(self._outcome["unfinished"])

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Result:
        """Reads what coflow-replay or `run(out=...)` wrote into a folder."""
        place = Path(folder)
        if not (place / "summary.json").is_file():
            raise InputError(
                f"{place} holds no summary.json; allowed: a folder with a complete result"
            )
        coflows = pd.read_csv(place / "coflows.csv", float_precision="round_trip")
        codes = pd.Categorical(coflows["bin"], categories=list(BINS)).codes
        outcome: dict[str, Any] = {
            "coflows": {
                **{name: coflows[name].to_numpy() for name in coflows},
                "coflow_id": coflows["coflow_id"].to_numpy(np.uint64),
                "bin": codes,
                "met_deadline": coflows["met_deadline"].fillna(_MISSING).to_numpy(np.int8),
            },
            "flows": None,
            "summary": (place / "summary.json").read_text(encoding="utf-8"),
            "text": "",
            "unfinished": "",
        }
        if (place / "flows.csv").is_file():
            flows = pd.read_csv(place / "flows.csv", float_precision="round_trip")
            outcome["flows"] = {name: flows[name].to_numpy() for name in flows}
        return cls(outcome)

    def __repr__(self) -> str:
        return self.text or f"<Result: {self.reproduce}>"


def make_timeseries(
    coflows: pd.DataFrame, flows: pd.DataFrame, uplinks: float, steps: int = 200
) -> pd.DataFrame:
    """See Result.timeseries."""
    start = float(coflows["arrival_s"].min()) if len(coflows) else 0.0
    end = float(np.nanmax([start, coflows["finish_s"].max()]))
    edges = np.linspace(start, max(end, start + 1e-9), steps + 1)
    table = pd.DataFrame({"time_s": edges[:-1]})
    width = edges[1] - edges[0]
    for name, records, begin in (
        ("active_coflows", coflows, "arrival_s"),
        ("active_flows", flows, "start_s"),
    ):
        present = records[records[begin].notna()]
        until = present["finish_s"].fillna(end).to_numpy()
        ones = np.ones(len(present))
        table[name] = _spread(edges, present[begin].to_numpy(), until, ones) / width
    moved = flows[flows["finish_s"].notna() & (flows["src"] != flows["dst"])]
    duration = (moved["finish_s"] - moved["start_s"]).to_numpy()
    rate = moved["bytes"].to_numpy() / np.where(duration > 0, duration, np.inf)
    used = _spread(edges, moved["start_s"].to_numpy(), moved["finish_s"].to_numpy(), rate)
    table["utilisation"] = used / width / uplinks
    return table


def _spread(
    edges: np.ndarray[Any, Any],
    begin: np.ndarray[Any, Any],
    end: np.ndarray[Any, Any],
    height: np.ndarray[Any, Any],
) -> np.ndarray[Any, Any]:
    """Integral over each step of boxes from `begin` to `end`."""
    # The integral up to x of a box is height * (clip(x, begin, end) - begin): piecewise linear
    # with bends at begin and end, so it is enough to sum slopes.
    places = np.concatenate([begin, end])
    slopes = np.concatenate([height, -height])
    order = np.argsort(places, kind="stable")
    places, slopes = places[order], np.cumsum(slopes[order])
    if len(places) == 0:
        return np.zeros(len(edges) - 1)
    values = np.concatenate([[0.0], np.cumsum(slopes[:-1] * np.diff(places))])
    result: np.ndarray[Any, Any] = np.diff(np.interp(edges, places, values))
    return result
