# SPDX-License-Identifier: GPL-2.0-only
"""Several experiments side by side."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ns3coflow._core import InputError
from ns3coflow.process import Workers
from ns3coflow.result import Result
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ns3coflow.experiment import Experiment


class Comparison:
    """Results by name; ratios are against the first one."""

    def __init__(self, results: dict[str, Result]) -> None:
        self.results = results

    @property
    def table(self) -> pd.DataFrame:
        """A row per result: CCTs in seconds, by bin, and ratios.

        `speed_up` is the first one's mean CCT over this one's: above 1 where it is faster.
        `over_bound` is mean CCT over a certified lower bound for any scheduler.
        """
        rows = []
        for name, result in self.results.items():
            results = result.summary["results"]
            cct = results["cct_s"]
            measured = cct["all"] if results["finished"] else dict.fromkeys(cct["all"], np.nan)
            network = result.summary["network"] or {}
            cost = result.summary["cost"]
            rows.append(
                {
                    "name": name,
                    "finished": results["finished"],
                    "unfinished": len(results["unfinished"]),
                    "mean_cct_s": measured["mean"],
                    "median_cct_s": measured["median"],
                    "p95_cct_s": measured["p95"],
                    "p99_cct_s": measured["p99"],
                    **{
                        f"mean_{each}_s": cct[each]["mean"] if cct[each]["count"] else np.nan
                        for each in BINS
                    },
                    "mean_slowdown": results["slowdown"]["mean"],
                    "over_bound": results["lower_bound"]["ratio"],
                    "utilisation": results["utilisation"],
                    "drops": network.get("dropped_packets", 0),
                    "control_messages": network.get("control_messages", 0),
                    "cpu_s": cost["cpu_s"] + cost["set_up_cpu_s"],
                }
            )
        table = pd.DataFrame(rows).set_index("name")
        table.insert(2, "speed_up", table["mean_cct_s"].iloc[0] / table["mean_cct_s"])
        return table

    @property
    def coflows(self) -> pd.DataFrame:
        """The coflows of all results, with a column `name`."""
        return pd.concat(
            [result.coflows.assign(name=name) for name, result in self.results.items()],
            ignore_index=True,
        )

    def __getitem__(self, name: str) -> Result:
        return self.results[name]

    def __repr__(self) -> str:
        return self.table.to_string(float_format=lambda number: f"{number:.4g}")


def compare(
    experiments: Iterable[Experiment],
    *,
    names: Sequence[str] | None = None,
    jobs: int | None = None,
) -> Comparison:
    """Runs experiments, each in a process of its own.

    Arguments:
        experiments: what to run.
        names: one per experiment; otherwise the schedulers' names, which then have to differ.
        jobs: processes at a time; otherwise as many as cores.
    """
    planned = list(experiments)
    called = (
        [str(each.options.get("scheduler", "fair")) for each in planned]
        if names is None
        else list(names)
    )
    if not planned or len(called) != len(planned) or len(set(called)) != len(called):
        raise InputError(
            f"experiments to be compared are called {', '.join(called) or 'nothing'}; "
            "allowed: one or more, each with a name of its own (argument names)"
        )
    for experiment in planned:
        experiment.check()
    workers = Workers()
    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
        running = [pool.submit(workers.run, experiment.job()) for experiment in planned]
        try:
            results = [Result(each.result()) for each in running]
        except BaseException:
            workers.end()
            raise
    return Comparison(dict(zip(called, results, strict=True)))
