# SPDX-License-Identifier: GPL-2.0-only
"""Several experiments side by side."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ns3coflow import _core
from ns3coflow._core import InputError
from ns3coflow.applying import apply_options, check_values
from ns3coflow.diagnosis import gather, in_lines
from ns3coflow.experiment import Experiment
from ns3coflow.finished import cct_statistics, finished_by_all, outcome_counts
from ns3coflow.grid import label_of
from ns3coflow.process import Workers, count_processes
from ns3coflow.result import Result
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Comparison:
    """Results by name. Ratios compare each result with the first result."""

    def __init__(self, results: dict[str, Result]) -> None:
        self.results = results

    @property
    def table(self) -> pd.DataFrame:
        """A row per result: CCTs in seconds, by bin, and ratios.

        Times, `mean_slowdown` and `speed_up` are over the coflows that finished in all results;
        `compared` is the number of these coflows. `speed_up` is the mean CCT of the first result
        divided by the mean CCT of this result; above 1, this result is faster.

        Counts of coflows: `finished` of `coflows` finished, `rejected` were not admitted,
        `unfinished` are the rest, `bypassed` did not wait for the scheduler, `met` of `deadlines`
        met their deadline. `over_bound` is the mean CCT divided by a certified lower bound for any
        scheduler; NaN if some coflows did not finish.
        """
        rows = []
        cut = finished_by_all([result.coflows for result in self.results.values()])
        for (name, result), compared in zip(self.results.items(), cut, strict=True):
            results = result.summary["results"]
            cct = cct_statistics(compared)
            counts = outcome_counts(result.coflows)
            network = result.summary["network"] or {}
            cost = result.summary["cost"]
            whole = counts["finished"] == counts["coflows"]
            rows.append(
                {
                    "name": name,
                    **counts,
                    "unfinished": len(results["unfinished"]),
                    "compared": cct["all"]["count"],
                    "mean_cct_s": cct["all"]["mean"],
                    "median_cct_s": cct["all"]["median"],
                    "p95_cct_s": cct["all"]["p95"],
                    "p99_cct_s": cct["all"]["p99"],
                    **{f"mean_{each}_s": cct[each]["mean"] for each in BINS},
                    "mean_slowdown": compared["slowdown"].mean(),
                    "over_bound": results["lower_bound"]["ratio"] if whole else np.nan,
                    "utilisation": results["utilisation"],
                    "drops": network.get("dropped_packets", 0),
                    "control_messages": network.get("control_messages", 0),
                    "cpu_s": cost["cpu_s"] + cost["set_up_cpu_s"] + cost.get("bound_cpu_s", 0),
                }
            )
        table = pd.DataFrame(rows).set_index("name")
        speed_up = table["mean_cct_s"].iloc[0] / table["mean_cct_s"]
        table.insert(list(table.columns).index("mean_cct_s"), "speed_up", speed_up)
        return table

    @property
    def coflows(self) -> pd.DataFrame:
        """The coflows of all results, with a column `name`."""
        return pd.concat(
            [result.coflows.assign(name=name) for name, result in self.results.items()],
            ignore_index=True,
        )

    @property
    def diagnosis(self) -> pd.DataFrame:
        """The diagnosis: a row per finding and group of results with that finding."""
        return gather((name, result.diagnosis) for name, result in self.results.items())

    def __getitem__(self, name: str) -> Result:
        return self.results[name]

    def __repr__(self) -> str:
        """The most important columns of `table`; counts only if they differ from the usual."""
        table = self.table
        shown = ["finished"]
        shown += [name for name in ("rejected", "unfinished", "bypassed") if table[name].any()]
        if table["deadlines"].any():
            shown.append("met")
        shown += ["mean_cct_s", "p95_cct_s", "speed_up", "mean_slowdown", "over_bound"]
        shown += [name for name in ("drops", "control_messages") if table[name].any()]
        text = table[shown].to_string(float_format=lambda number: f"{number:.4g}")
        return "\n".join([text, *in_lines(self.diagnosis)])


def compare(
    experiments: Experiment | Iterable[Experiment] | Mapping[str, Experiment],
    schedulers: Sequence[Any] | Mapping[str, Any] | None = None,
    *,
    names: Sequence[str] | None = None,
    jobs: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Runs experiments side by side, each in a separate process.

    `compare(base, ["fair", "varys"])` runs one experiment under several schedulers.
    `compare([first, second])` and `compare({"one": first, "other": second})` run the experiments
    unchanged.

    Arguments:
        experiments: one experiment, several experiments, or a mapping of names to experiments.
        schedulers: the schedulers to run one experiment under. Either a list of names, schedulers
            with their own options such as `nc.schedulers.Varys(T="8ms")`, and policies in Python;
            or a mapping of names to options: `{"fair": {}, "varys": {"T": "8ms"}, "slow":
            {"scheduler": "varys", "T": "1s"}}`.
        names: a name per run; default: the names of the schedulers, which then have to differ.
        jobs: processes at a time; default: the number of cores.
        progress: report each run that ends on standard error; default: if standard error is a
            terminal.

    An option applies to the schedulers that have it. The option `varys.T` applies to Varys alone.
    Raises InputError before the first run if an option is wrong.
    """
    processes = count_processes(jobs)
    planned, called = _plan(experiments, schedulers)
    if names is not None:
        called = list(names)
    if not planned or len(called) != len(planned) or len(set(called)) != len(called):
        raise InputError(
            f"experiments to be compared are called {', '.join(called) or 'nothing'}; "
            "allowed: one or more, each with a name of its own (argument names)"
        )
    planned = apply_options(planned)
    for name, experiment in zip(called, planned, strict=True):
        experiment.check(name)
    check_values(zip(called, planned, strict=True))
    workers = Workers()
    tell = _Teller(len(planned), show=sys.stderr.isatty() if progress is None else progress)
    with ThreadPoolExecutor(processes) as pool:
        running = {
            pool.submit(workers.run, experiment.job()): name
            for name, experiment in zip(called, planned, strict=True)
        }
        try:
            for future in as_completed(running):
                future.result()
                tell.ended(running[future])
        except BaseException:
            workers.end()
            raise
    return Comparison({name: Result(future.result()) for future, name in running.items()})


def compare_into(
    out: str | os.PathLike[str],
    base: Experiment,
    named: Mapping[str, Mapping[str, Any]],
    *,
    flows: bool = False,
    force: bool = False,
    jobs: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compares, and writes a folder as `coflow-replay --compare --out` does.

    Arguments:
        out: the folder, in which each run has a folder. The folder has to be new or empty.
        base: the experiment that all runs start from.
        named: options by name, as for `compare`.
        flows: also write flows.csv.
        force: replace an earlier comparison in the folder.
        jobs: processes at a time; default: the number of cores.
        progress: report each run that ends on standard error; default: if standard error is a
            terminal.
    """
    folder = os.fspath(out)
    _core.check_comparison_folder(folder, force)
    written = {"flows": flows, "force": force}
    inside = {name: {**own, "out": f"{folder}/{name}", **written} for name, own in named.items()}
    comparison = compare(base, inside, jobs=jobs, progress=progress)
    _core.write_comparison(folder, list(named), comparison.table.to_csv())
    return comparison


def _plan(
    experiments: Experiment | Iterable[Experiment] | Mapping[str, Experiment],
    schedulers: Sequence[Any] | Mapping[str, Any] | None,
) -> tuple[list[Experiment], list[str]]:
    """The experiments to run, and a name for each."""
    if not isinstance(experiments, Experiment):
        if schedulers is not None:
            raise TypeError(
                "schedulers are given for several experiments; allowed: for one experiment, as in "
                'compare(base, ["fair", "varys"])'
            )
        named = isinstance(experiments, Mapping)
        planned = list(experiments.values() if isinstance(experiments, Mapping) else experiments)
        for each in planned:
            if not isinstance(each, Experiment):
                raise InputError(f"{each!r} is to be compared; allowed: an Experiment")
        called = [str(name) for name in experiments] if named else []
        return planned, called or [each.scheduler for each in planned]
    if schedulers is None:
        return [experiments], [experiments.scheduler]
    if isinstance(schedulers, str):
        raise TypeError(f"schedulers is {schedulers!r}; allowed: a list, or a mapping of names")
    if not isinstance(schedulers, Mapping):
        called = [str(label_of("scheduler", each)) for each in schedulers]
        return [experiments.with_options(scheduler=each) for each in schedulers], called
    planned = []
    for name, value in schedulers.items():
        options = {} if value is None else value
        if not isinstance(options, Mapping):
            options = {"scheduler": value}
        planned.append(experiments.with_options(**{"scheduler": name, **options}))
    return planned, list(schedulers)


class _Teller:
    """Reports runs that have ended."""

    def __init__(self, count: int, *, show: bool) -> None:
        self._count = count
        self._done = 0
        self._show = show
        self._start = time.monotonic()

    def ended(self, name: str) -> None:
        """Reports that a run has ended."""
        self._done += 1
        if self._show:
            seconds = time.monotonic() - self._start
            print(
                f"{name} done after {seconds:.1f} s ({self._done} of {self._count})",
                file=sys.stderr,
                flush=True,
            )
