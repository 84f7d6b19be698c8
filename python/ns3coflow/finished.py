# SPDX-License-Identifier: GPL-2.0-only
"""Comparable coflow completion times: those of coflows that all schedulers finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

GROUPS = ("all", *BINS)


def finished_by_all(tables: Sequence[pd.DataFrame]) -> list[pd.DataFrame]:
    """Tables of coflows, each reduced to the coflows that are finished in all tables.

    A scheduler that rejects large coflows must not win because its mean lacks the large coflows. If
    the tables are about different coflows, each table keeps all its finished coflows.
    """
    done = [table[table["finish_s"].notna()] for table in tables]
    ids = [set(table["coflow_id"]) for table in tables]
    if any(each != ids[0] for each in ids):
        return done
    common = set.intersection(*(set(table["coflow_id"]) for table in done))
    return [table[table["coflow_id"].isin(common)] for table in done]


def cct_statistics(coflows: pd.DataFrame) -> dict[str, dict[str, float]]:
    """count, mean, median, p95, p99 and max of CCT in seconds, over all coflows and by bin."""
    found = {}
    for group in GROUPS:
        part = coflows if group == "all" else coflows[coflows["bin"] == group]
        found[group] = _distribution(part["cct_s"])
    return found


def _distribution(values: pd.Series[float]) -> dict[str, float]:
    numbers = values.dropna().to_numpy(np.float64)
    if not len(numbers):
        return {"count": 0, **dict.fromkeys(("mean", "median", "p95", "p99", "max"), np.nan)}
    median, p95, p99 = np.quantile(numbers, [0.5, 0.95, 0.99])
    return {
        "count": len(numbers), "mean": numbers.mean(), "median": median, "p95": p95, "p99": p99,
        "max": numbers.max(),
    }  # fmt: skip


def is_of_finished(metric: str) -> bool:
    """Whether a metric of a run, by its name in tables, is over finished coflows only."""
    return metric.startswith(("cct_s.", "slowdown.", "unloaded_slowdown."))


def metric_over(coflows: pd.DataFrame, metric: str) -> float:
    """Such a metric over these coflows. All of them have finished."""
    name, *path = metric.split(".")
    found: object = cct_statistics(coflows) if name == "cct_s" else _distribution(coflows[name])
    for key in path:
        assert isinstance(found, dict)
        found = found[key]
    assert isinstance(found, (int, float))
    return float(found)


def outcome_counts(coflows: pd.DataFrame) -> dict[str, int]:
    """Numbers of coflows: all, finished, rejected, bypassed, and with met deadlines."""
    return {
        "coflows": len(coflows),
        "finished": int(coflows["finish_s"].notna().sum()),
        "rejected": int((~coflows["admitted"]).sum()),
        "bypassed": int(coflows["bypassed"].sum()),
        "deadlines": int(coflows["deadline_s"].notna().sum()),
        "met": int(coflows["met_deadline"].fillna(False).sum()),
    }
