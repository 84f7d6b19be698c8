# SPDX-License-Identifier: GPL-2.0-only
"""Workloads: traces that are read from files, generated, made from tables, and transformed."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ns3coflow import _core
from ns3coflow._core import Workload
from ns3coflow.flow_table import NEVER, make_frame, make_workload
from ns3coflow.values import to_text

if TYPE_CHECKING:
    import pandas as pd

BINS = ("SN", "LN", "SW", "LW")


class Trace:
    """A workload: coflows in the order of arrival, on hosts 0, 1, ...

    A Trace never changes. Transforms return another Trace.
    """

    def __init__(self, workload: Workload, recipe: dict[str, Any] | None = None) -> None:
        self._workload = workload
        self._recipe = recipe

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        bytes_per_mb: int = 1_000_000,
        round_up_to_whole_mb: bool = False,
    ) -> Trace:
        """Reads a file in the Facebook coflow-benchmark format, or flow CSV."""
        recipe: dict[str, Any] = {"trace": str(Path(path).absolute())}
        if bytes_per_mb != 1_000_000:
            recipe["bytesPerMb"] = bytes_per_mb
        if round_up_to_whole_mb:
            recipe["roundUpToWholeMb"] = True
        return cls(Workload.read(str(path), bytes_per_mb, round_up_to_whole_mb), recipe)

    @classmethod
    def sample(cls) -> Trace:
        """The trace that comes with the package: 60 coflows on 16 hosts, 292 MB, within 0.16 s.

        Most coflows are tiny, and eight wide coflows hold 95 % of the bytes, as in the public
        Facebook trace. Sizes and times are scaled down by 250, so that a run at packet level takes
        seconds.
        """
        return cls.read(cls.sample_path())

    @staticmethod
    def sample_path() -> Path:
        """The path of the file that `sample` reads."""
        return Path(__file__).parent / "data" / "fb-like-16.csv"

    @classmethod
    def generate(cls, name: str, /, **parameters: Any) -> Trace:  # noqa: ANN401
        """Makes a synthetic workload; `ns3-coflow trace generate --list` lists the generators."""
        assignments = [f"{key}={to_text(value)}" for key, value in parameters.items()]
        recipe = {"generate": ",".join([name, *assignments])}
        return cls(Workload.generate(name, assignments), recipe)

    @classmethod
    def from_frame(
        cls, flows: pd.DataFrame, *, hosts: int | None = None, scale: float = 1
    ) -> Trace:
        """Makes a workload from a table with the columns of flow CSV, a row per flow.

        The columns are coflow_id, arrival_s, src, dst and bytes. Optional columns are deadline_s
        (relative to the arrival; NaN: none), parents, weight (1 to 1000) and flow_id.
        `parents` holds ids of coflows that must finish first: a text such as "3;5" as in flow CSV,
        one number, or a list; "" and NaN stand for none. All rows of a coflow have the same
        arrival, deadline, parents and weight.
        A coflow without flows is one row without src, dst and bytes (NaN).
        `flow_id` gives the order of a coflow's flows; without `flow_id`, the order of the rows
        counts. The workload numbers the flows 0, 1, ... in that order.
        `scale` is the factor between the full sizes and these sizes (`Trace.scale`).

        `Trace.from_frame(trace.flows, hosts=trace.hosts, scale=trace.scale)` returns the same
        workload.

        Raises InputError for wrong values, and for a column that is not in this list.
        """
        return cls(make_workload(flows, hosts, scale))

    def transform(self, *steps: str, **named: Any) -> Trace:  # noqa: ANN401
        """Applies steps in order and returns another trace.

        Example: `transform("first=100", scale_bytes=0.1)`. Keyword arguments have the names of the
        transforms, with `_` instead of `-`.
        """
        texts = [*steps]
        texts += [f"{key.replace('_', '-')}={to_text(value)}" for key, value in named.items()]
        joined = ",".join(texts)
        recipe = None
        if self._recipe is not None:
            before = self._recipe.get("transform")
            recipe = {
                **self._recipe,
                "transform": joined if before is None else f"{before},{joined}",
            }
        return Trace(self._workload.transformed(joined), recipe)

    def first(self, count: int) -> Trace:
        """Returns a trace of the first `count` coflows only."""
        return self.transform(first=count)

    @property
    def workload(self) -> Workload:
        """The object of the C++ side."""
        return self._workload

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The options that make this workload; None where the workload came from a table."""
        return None if self._recipe is None else dict(self._recipe)

    @property
    def hosts(self) -> int:
        """Number of hosts that flows may name."""
        return self._workload.hosts

    @property
    def scale(self) -> float:
        """The factor by which transforms have multiplied the full sizes.

        Defaults of parameters that scale, such as thresholds and periods, are multiplied by the
        same factor. The option scaleControl changes that.
        """
        return self._workload.scale

    @property
    def history(self) -> list[str]:
        """The source of the workload, and every step that changed it."""
        return self._workload.history

    @property
    def coflows(self) -> pd.DataFrame:
        """A row per coflow: arrival, deadline, sizes, ports, and the bin by the default limits."""
        return self.statistics()

    def statistics(self, short_bytes: int = 5_000_000, narrow_flows: int = 50) -> pd.DataFrame:
        """A row per coflow, as `coflows`, with other limits of bins than the usual limits."""
        import pandas as pd

        columns = self._workload.columns()
        shapes = self._workload.statistics(short_bytes, narrow_flows)
        deadline = columns["deadline_ns"]
        table = {
            "coflow_id": columns["coflow_id"],
            "arrival_s": columns["arrival_ns"] / 1e9,
            "deadline_s": np.where(deadline == NEVER, np.nan, deadline / 1e9),
            **shapes,
            "bin": pd.Categorical.from_codes(shapes["bin"], categories=pd.Index(BINS)),
        }
        return pd.DataFrame(table, copy=False)

    @property
    def flows(self) -> pd.DataFrame:
        """A row per flow: the columns of flow CSV, and flow_id; see from_frame.

        deadline_s is NaN for a coflow without deadline; parents is a text such as "3;5", and empty
        for a coflow without parents. A coflow without flows has one row without src, dst and bytes.
        The table has the column of an attribute, such as weight, if any coflow has another value
        than the default.
        """
        return make_frame(self._workload)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a flow CSV file; reading the file returns the same workload."""
        _core.write_file(os.fspath(path), self._workload.to_flow_csv().encode())

    @functools.cached_property
    def digest(self) -> str:
        """A hash of hosts, coflows and scale. Equal workloads have equal hashes."""
        total = hashlib.sha256()
        for name, column in self._workload.columns().items():
            if name == "history" or (name == "scale" and column == 1):
                continue
            total.update(name.encode())
            total.update(np.ascontiguousarray(column).tobytes())
        return total.hexdigest()

    def __len__(self) -> int:
        return len(self._workload)

    def __repr__(self) -> str:
        return f"<Trace: {len(self)} coflows on {self.hosts} hosts; {'; '.join(self.history)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __getstate__(self) -> dict[str, Any]:
        return {"columns": self._workload.columns(), "recipe": self._recipe}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._workload = Workload.from_columns(**state["columns"])
        self._recipe = state["recipe"]
