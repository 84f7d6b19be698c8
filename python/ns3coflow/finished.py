# SPDX-License-Identifier: GPL-2.0-only
"""Coflow completion times that may be compared: those of coflows that all schedulers finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

GROUPS = ("all", *BINS)


def finished_by_all(tables: Sequence[pd.DataFrame]) -> list[pd.DataFrame]:
    """Tables of coflows, each cut down to the coflows that are finished in all of them.

    A scheduler that rejects large coflows must not win because the large ones are missing from its
    mean. Where the tables are not about the same coflows, each keeps all that it has finished.
    """
    done = [table[table["finish_s"].notna()] for table in tables]
    ids = [set(table["coflow_id"]) for table in tables]
    if any(each != ids[0] for each in ids):
        return done
    common = set.intersection(*(set(table["coflow_id"]) for table in done))
    return [table[table["coflow_id"].isin(common)] for table in done]


def cct_statistics(coflows: pd.DataFrame) -> dict[str, dict[str, float]]:
    """count, mean, median, p95 and p99 of CCT in seconds, over all coflows and by bin."""
    found = {}
    for group in GROUPS:
        part = coflows if group == "all" else coflows[coflows["bin"] == group]
        cct = part["cct_s"].to_numpy(np.float64)
        if len(cct):
            median, p95, p99 = np.quantile(cct, [0.5, 0.95, 0.99])
            mean = cct.mean()
        else:
            mean = median = p95 = p99 = np.nan
        found[group] = {
            "count": len(cct), "mean": mean, "median": median, "p95": p95, "p99": p99,
        }  # fmt: skip
    return found


def outcome_counts(coflows: pd.DataFrame) -> dict[str, int]:
    """How many coflows there were, and how many finished, were rejected, bypassed, met."""
    return {
        "coflows": len(coflows),
        "finished": int(coflows["finish_s"].notna().sum()),
        "rejected": int((~coflows["admitted"]).sum()),
        "bypassed": int(coflows["bypassed"].sum()),
        "deadlines": int(coflows["deadline_s"].notna().sum()),
        "met": int(coflows["met_deadline"].fillna(False).sum()),
    }
