# SPDX-License-Identifier: GPL-2.0-only
"""Workloads: traces that are read, generated, made from tables, and changed step by step."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ns3coflow._core import InputError, Workload
from ns3coflow.values import to_text

if TYPE_CHECKING:
    import os

    import pandas as pd

NEVER = np.iinfo(np.int64).max
BINS = ("SN", "LN", "SW", "LW")


class Trace:
    """Coflows by arrival, on hosts 0, 1, ... It does not change; transforms give a new one."""

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
    def generate(cls, name: str, /, **parameters: Any) -> Trace:  # noqa: ANN401
        """Makes a synthetic workload; `ns3-coflow trace --list` names generators."""
        assignments = [f"{key}={to_text(value)}" for key, value in parameters.items()]
        recipe = {"generate": ",".join([name, *assignments])}
        return cls(Workload.generate(name, assignments), recipe)

    @classmethod
    def from_frame(cls, flows: pd.DataFrame, *, hosts: int | None = None) -> Trace:
        """Makes a workload from a table with the columns of flow CSV, a row per flow.

        The columns are coflow_id, arrival_s, src, dst, bytes and, where there are deadlines,
        deadline_s (relative to the arrival). Rows of a coflow agree in arrival and deadline.
        """
        import pandas as pd

        table = flows.reset_index(drop=True)
        missing = {"coflow_id", "arrival_s", "src", "dst", "bytes"} - set(table.columns)
        if missing:
            raise InputError(
                f"a table of flows has no column {', '.join(sorted(missing))}; "
                "allowed: coflow_id, arrival_s, src, dst, bytes[, deadline_s]"
            )
        if "deadline_s" not in table:
            table["deadline_s"] = np.nan
        table = table.sort_values("coflow_id", kind="stable")
        by_coflow = table.groupby("coflow_id", sort=True)
        for column in ("arrival_s", "deadline_s"):
            counts = by_coflow[column].nunique(dropna=False)
            if (counts > 1).any():
                raise InputError(
                    f"a table of flows: coflow {counts.idxmax()} has several {column}; allowed: one"
                )
        head = by_coflow[["arrival_s", "deadline_s"]].first()
        deadlines = pd.to_numeric(head["deadline_s"]).to_numpy(np.float64)
        has_deadline = ~np.isnan(deadlines)
        deadline_ns = np.full(len(head), NEVER, np.int64)
        deadline_ns[has_deadline] = np.round(deadlines[has_deadline] * 1e9).astype(np.int64)
        largest = max(table["src"].max(), table["dst"].max()) if len(table) else -1
        workload = Workload.from_columns(
            hosts=int(largest) + 1 if hosts is None else hosts,
            history=["table"],
            coflow_id=head.index.to_numpy(np.uint64),
            arrival_ns=np.round(head["arrival_s"].to_numpy(np.float64) * 1e9).astype(np.int64),
            deadline_ns=deadline_ns,
            flow_offsets=np.concatenate([[0], by_coflow.size().cumsum()]).astype(np.int64),
            src=table["src"].to_numpy(np.uint32),
            dst=table["dst"].to_numpy(np.uint32),
            bytes=table["bytes"].to_numpy(np.int64),
            parent_offsets=np.zeros(len(head) + 1, np.int64),
            parents=np.zeros(0, np.uint64),
        )
        return cls(workload)

    def transform(self, *steps: str, **named: Any) -> Trace:  # noqa: ANN401
        """Another trace, after steps in order: `transform("first=100", scale_bytes=0.1)`.

        Names of keyword arguments are those of the transforms with `_` for `-`.
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
        """Only the first coflows."""
        return self.transform(first=count)

    @property
    def workload(self) -> Workload:
        """The object of the C++ side."""
        return self._workload

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The options that make it; None where it came from a table."""
        return None if self._recipe is None else dict(self._recipe)

    @property
    def hosts(self) -> int:
        """Number of hosts that flows may name."""
        return self._workload.hosts

    @property
    def history(self) -> list[str]:
        """Where it came from, and every step since."""
        return self._workload.history

    @property
    def coflows(self) -> pd.DataFrame:
        """A row per coflow: arrival, deadline, sizes, ports, and bin by the default limits."""
        return self.statistics()

    def statistics(self, short_bytes: int = 5_000_000, narrow_flows: int = 50) -> pd.DataFrame:
        """A row per coflow; bins by other limits than the papers' usual ones."""
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
        """A row per flow."""
        import pandas as pd

        columns = self._workload.columns()
        counts = np.diff(columns["flow_offsets"])
        starts = np.repeat(columns["flow_offsets"][:-1], counts)
        table = {
            "coflow_id": np.repeat(columns["coflow_id"], counts),
            "flow_id": np.arange(len(starts)) - starts,
            "src": columns["src"],
            "dst": columns["dst"],
            "bytes": columns["bytes"],
        }
        return pd.DataFrame(table, copy=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes flow CSV, which reads back the same."""
        Path(path).write_text(self._workload.to_flow_csv(), encoding="utf-8")

    @functools.cached_property
    def digest(self) -> str:
        """A hash of hosts and coflows, the same for equal workloads."""
        total = hashlib.sha256()
        for name, column in self._workload.columns().items():
            if name == "history":
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
