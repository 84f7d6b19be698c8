# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: resumable grids of experiments, on all cores or on a Dask cluster."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ns3coflow._core import NS3_VERSION, VERSION, InputError
from ns3coflow.applying import check_values
from ns3coflow.diagnosis import REPEATS, gather
from ns3coflow.experiment import Experiment
from ns3coflow.finished import GROUPS, finished_by_all, is_of_finished, metric_over
from ns3coflow.grid import REPEAT, Grid, PlannedRun, call, plan, series_axis
from ns3coflow.process import Workers, count_processes, run_isolated
from ns3coflow.program import Program
from ns3coflow.result import Result
from ns3coflow.statistics import LEVEL, mean_of, ratios_of
from ns3coflow.store import COLUMNS, DESCRIPTION, DONE, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import xarray as xr
    from distributed import Client

    from ns3coflow.grid import Label

MEAN_CCT = "cct_s.all.mean"


class Sweep:
    """The results of a sweep, read from its folder. The sweep may be incomplete."""

    def __init__(self, store: Store, description: dict[str, Any] | None = None) -> None:
        """Without a description, reads the results of the last sweep in the folder."""
        self.store = store
        self.description = store.description() if description is None else description
        self.axes: list[str] = self.description["axes"]
        self.runs = store.runs(self.description["runs"])

    @property
    def planned(self) -> int:
        """Number of points of the grid times repetitions; `runs` has the runs with results."""
        return len(self.description["runs"])

    @property
    def done(self) -> pd.DataFrame:
        """The runs that ended well."""
        return self.runs[self.runs["status"] == DONE] if len(self.runs) else self.runs

    @property
    def failed(self) -> pd.DataFrame:
        """The runs that failed: labels, error, and the command line that reproduces the run."""
        if not len(self.runs):
            return self.runs
        failed = self.runs[self.runs["status"] != DONE]
        return failed[[*self.axes, REPEAT, "error", "reproduce"]]

    @property
    def coflows(self) -> pd.DataFrame:
        """The coflows of all runs that ended well, with columns for axes and RngRun."""
        tables = [
            self.store.coflows(row["key"]).assign(
                **{axis: row[axis] for axis in [*self.axes, REPEAT]}
            )
            for row in self.done.to_dict("records")
        ]
        return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame()

    @property
    def diagnosis(self) -> pd.DataFrame:
        """The diagnosis of the sweep, gathered over the runs that ended well.

        Columns: `id`; `where` (schedulers, or values of the axis that stands for them); `runs` and
        `of`: the finding appears in `runs` of `of` runs; `finding` and `change`, from the first of
        these runs.
        """
        series = series_axis(self.axes)
        rows = self.done.to_dict("records")
        runs = [(str(row[series]), json.loads(row["summary"])["diagnosis"]) for row in rows]
        if self.description["repeats"] > 1 and runs:
            runs = [(name, [*found, REPEATS]) for name, found in runs]
        return gather(runs)

    def table(
        self, metric: str = MEAN_CCT, level: float = LEVEL, over: str | None = None
    ) -> pd.DataFrame:
        """Mean of a metric over RngRun by point of the grid, with a confidence interval.

        Columns: axes; `runs`; `mean`, in the unit of the metric (seconds for CCTs); `low` and
        `high`, the bounds of the 95 % confidence interval of the mean (Student's t over the runs;
        NaN if there is only one run, or if all runs are equal).

        `over` names another axis of repetitions, such as the seeds of a generator. The table then
        has a row per point of the remaining axes, and `runs` is the number of values of that axis.
        An interval over seeds of a generator is over workloads. An interval over RngRun is over
        ECMP hashes and start times.

        CCTs and slowdowns are over the coflows that all schedulers finished at the same point of
        the other axes and with the same RngRun, as in comparisons. `compared` is the number of
        these coflows, as a mean over runs. A scheduler gains nothing by not finishing large
        coflows.
        """
        rows = self._rows(metric)
        lines = []
        for point, group in self._points(rows, over):
            compared = {"compared": group["compared"].mean()} if "compared" in group else {}
            values = (
                group[metric] if over is None else group.groupby(over, sort=False)[metric].mean()
            )
            found = mean_of(values, level)._asdict()
            lines.append({**point, "runs": int(values.notna().sum()), **compared, **found})
        return pd.DataFrame(lines)

    def mean(
        self,
        bin: str = "all",  # noqa: A002
        level: float = LEVEL,
        over: str | None = None,
    ) -> pd.DataFrame:
        """Mean CCT in seconds by point of the grid, as table(), for one bin or for each bin.

        A bin is all, SN, LN, SW or LW (short or long, narrow or wide). With `each`, the table has a
        row per bin, and a column `bin`.
        """
        return self._by_bin(bin, lambda group: self.table(f"cct_s.{group}.mean", level, over))

    def p95(
        self,
        bin: str = "all",  # noqa: A002
        level: float = LEVEL,
        over: str | None = None,
    ) -> pd.DataFrame:
        """95th percentile of CCT in seconds by point of the grid, otherwise as mean()."""
        return self._by_bin(bin, lambda group: self.table(f"cct_s.{group}.p95", level, over))

    def ratio(
        self,
        baseline: Label,
        metric: str = "mean",
        bin: str = "all",  # noqa: A002
        level: float = LEVEL,
        over: str | None = None,
    ) -> pd.DataFrame:
        """A metric of the baseline over that of each point, paired by RngRun.

        Arguments:
            baseline: a value of the axis `scheduler`, or of the first axis if the grid has no axis
                `scheduler`. The other values are compared with the baseline at the same point of
                the other axes.
            metric: `mean`, `median`, `p95`, `p99` or `max` of CCT, or any metric of `runs`.
            bin: the bin of these five statistics: all, SN, LN, SW or LW; or `each` for a row per
                bin and a column `bin`.
            level: confidence level.
            over: an axis with repetitions as values, as in table().

        Columns: axes; `runs`, the number of pairs; `ratio`, the mean of the ratios of runs with the
        same RngRun; `low` and `high`, the confidence interval of `ratio` (Student's t; NaN if there
        is only one pair). A ratio of CCTs above 1 means that the point is faster than the baseline.
        CCTs and slowdowns are over the coflows that all schedulers finished.
        """
        series = series_axis(self.axes)
        values = self.done[series].unique().tolist() if len(self.done) else []
        known = {str(value): value for value in values}
        if str(baseline) not in known:
            allowed = ", ".join(known) or "none, as no run has ended well"
            raise InputError(f"baseline is {baseline!r}; allowed: a value of {series}: {allowed}")
        baseline = known[str(baseline)]
        if metric in ("mean", "median", "p95", "p99", "max"):
            return self._by_bin(
                bin,
                lambda group: self._ratio(series, baseline, f"cct_s.{group}.{metric}", level, over),
            )
        return self._ratio(series, baseline, metric, level, over)

    def _ratio(
        self, series: str, baseline: Label, metric: str, level: float, over: str | None
    ) -> pd.DataFrame:
        rows = self._rows(metric)
        others = [axis for axis in self.axes if axis not in (series, over)]
        paired = [REPEAT] if over is None else [over, REPEAT]
        lines = []
        for point, group in self._points(rows, over):
            base = rows[rows[series] == baseline]
            for axis in others:
                base = base[base[axis] == point[axis]]
            theirs, ours = (each.set_index(paired)[metric] for each in (base, group))
            ratios = ratios_of(theirs, ours)
            if over is not None:
                ratios = ratios.groupby(level=over, sort=False).mean()
            mean, low, high = mean_of(ratios, level)
            runs = int(ratios.notna().sum())
            lines.append({**point, "runs": runs, "ratio": mean, "low": low, "high": high})
        return pd.DataFrame(lines)

    def _by_bin(self, chosen: str, make: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
        done = self.done
        if not len(done):
            raise InputError("no run has ended well; allowed: a sweep with results")
        known = [group for group in GROUPS if (done[f"cct_s.{group}.count"] > 0).any()]
        if chosen == "each":
            tables = []
            for group in known:
                table = make(group)
                table.insert(len(self.axes), "bin", group)
                tables.append(table)
            return pd.concat(tables, ignore_index=True)
        if chosen not in known:
            raise InputError(
                f"bin is '{chosen}'; allowed: each, or a bin that has coflows: {', '.join(known)}"
            )
        return make(chosen)

    def _rows(self, metric: str) -> pd.DataFrame:
        """The runs that ended well, with a metric that may be compared."""
        self._check_metric(metric)
        return self._comparable(metric) if is_of_finished(metric) else self.done

    def _points(
        self, rows: pd.DataFrame, over: str | None
    ) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
        """The rows of each point of the grid, in order, without the axis of repetitions."""
        kept = [axis for axis in self.axes if axis != over]
        allowed = [axis for axis in self.axes if axis != series_axis(self.axes)]
        if over is not None and over not in allowed:
            raise InputError(f"over is '{over}'; allowed: an axis: {', '.join(allowed)}")
        for values, group in rows.groupby(kept, sort=False, dropna=False):
            yield dict(zip(kept, values, strict=True)), group

    def _comparable(self, metric: str) -> pd.DataFrame:
        """The runs that ended well, with a metric over what all schedulers have finished."""
        rows = self.done.assign(compared=self.done["finished"])
        series = series_axis(self.axes)
        others = [axis for axis in self.axes if axis != series]
        for _, group in rows.groupby([*others, REPEAT], sort=False, dropna=False):
            if (group["finished"] == group["coflows"]).all():
                continue
            tables = [self.store.coflows(key) for key in group["key"]]
            for place, common in zip(group.index, finished_by_all(tables), strict=True):
                rows.loc[place, "compared"] = len(common)
                rows.loc[place, metric] = metric_over(common, metric)
        return rows

    def to_xarray(self, *metrics: str) -> xr.Dataset:
        """Metrics over axes and RngRun; NaN for runs that are missing or failed.

        Needs the package xarray: `pip install 'ns3coflow[xarray]'`.
        """
        _require("xarray", "xarray", "Sweep.to_xarray()")
        names = list(metrics or (MEAN_CCT,))
        for metric in names:
            self._check_metric(metric)
        return self.done.set_index([*self.axes, REPEAT])[names].to_xarray()

    def _check_metric(self, metric: str) -> None:
        numbers = self.runs.select_dtypes("number").columns
        if metric not in numbers:
            raise InputError(f"metric is '{metric}'; allowed: {', '.join(numbers)}")

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        return (
            f"<Sweep {self.store.folder}: {len(self.done)} of {self.planned} runs done, "
            f"{len(self.failed)} failed; axes {', '.join(self.axes)}>"
        )


def open_sweep(folder: str | os.PathLike[str]) -> Sweep:
    """Reads the folder of a sweep, also while the sweep is running."""
    return Sweep(Store(folder))


def sweep(
    grid: Grid,
    repeats: int = 1,
    *,
    out: str | os.PathLike[str],
    base: Experiment | Program | None = None,
    jobs: int | None = None,
    client: Client | str | None = None,
    timeout: float | None = None,
    retry_failed: bool = False,
    progress: bool | None = None,
) -> Sweep:
    """Runs a grid of experiments. Runs that the folder already has are not repeated.

    Arguments:
        grid: axes and their values. An axis is any option, `trace`, `topology` or `scheduler`. Its
            values are a list, or a mapping of labels to values. A value that is itself a mapping
            sets several options. A value that is a function receives the options so far, including
            those of earlier axes, and returns such a mapping. For example, `nc.Experiment.fluid`
            turns the experiment so far into one for the fluid engine, with the same rate of ports.
            An option applies to the schedulers that have it; `varys.T` sets the option T of Varys
            alone. Points with identical runs share one run. A grid without axes has one point.
        repeats: runs per point, with RngRun = 1, 2, ...
        out: folder of the results; see ns3coflow.store.
        base: the experiment that all runs start from, or a Program. The axes of a Program are its
            options.
        jobs: processes at a time; default: the number of cores.
        client: a Dask client, or the address of a Dask scheduler, instead of local processes.
            Its workers need this package, and the trace files that are given by path.
        timeout: time limit of a run in seconds.
        retry_failed: run failed runs again.
        progress: show a progress bar; default: if standard error is a terminal.

    The options of all points are checked before the first run. You can end a sweep at any time,
    also by SIGKILL, and lose only the unfinished runs. A run that fails is recorded with its error
    and the command line that reproduces it. The other runs continue.
    """
    _check_arguments(grid, repeats, timeout)
    base = base or Experiment()
    if not grid:  # one point, under a name
        grid = {"scheduler": {base.scheduler: {}}}
    processes = count_processes(jobs)
    runs = plan(base, grid, repeats)
    unique = {run.key: run for run in runs}
    there = _keys_to_keep(out, retry_failed=retry_failed)
    missing = [run for key, run in unique.items() if key not in there]
    if isinstance(base, Program):
        description: dict[str, Any] = base.provenance()
    else:
        description = {}
        check_values(
            (call(run.labels), run.experiment)
            for run in missing
            if isinstance(run.experiment, Experiment)
        )
    store = Store(out, create=True)
    description |= {
        "version": VERSION,
        "ns3_version": NS3_VERSION,
        "axes": list(grid),
        "repeats": repeats,
        "runs": [{"key": run.key, "labels": run.labels} for run in runs],
    }
    store.write_description(description)
    shown = sys.stderr.isatty() if progress is None else progress
    with _bar(len(unique), len(unique) - len(missing), show=shown) as advance:

        def take(run: PlannedRun, outcome: Future[dict[str, Any]] | Any) -> None:  # noqa: ANN401
            try:
                result = Result(outcome.result())
            except Exception as error:  # whatever a policy raises is recorded
                store.write_failed(run.key, run.labels, run.experiment.reproduce, error)
                advance(True)
            else:
                store.write_done(run.key, run.labels, result)
                advance(False)

        if client is None:
            _run_here(missing, take, processes, timeout)
        else:
            _run_on_cluster(missing, take, client, timeout)
    # Another sweep may have described the folder since.
    return Sweep(store, description)


def _check_arguments(grid: Grid, repeats: int, timeout: float | None) -> None:
    if not isinstance(grid, Mapping) or not all(isinstance(axis, str) for axis in grid):
        raise InputError(f"grid is {grid!r}; allowed: a mapping of names of options to values")
    for axis in sorted(COLUMNS & set(grid)):
        raise InputError(f"axis {axis} has the name of a column of tables; allowed: another name")
    if not isinstance(repeats, int) or isinstance(repeats, bool) or repeats < 1:
        raise InputError(f"repeats is {repeats!r}; allowed: a whole number, at least 1")
    if timeout is not None and not (isinstance(timeout, (int, float)) and timeout > 0):
        raise InputError(f"timeout is {timeout!r}; allowed: seconds, more than 0")


def _keys_to_keep(out: str | os.PathLike[str], *, retry_failed: bool) -> set[str]:
    """The runs that a folder, which need not exist, has already."""
    if not (Path(out) / DESCRIPTION).is_file():
        return set()
    rows = Store(out).rows()
    return {key for key, row in rows.items() if row["status"] == DONE or not retry_failed}


def _run_here(
    missing: list[PlannedRun],
    take: Callable[[PlannedRun, Future[dict[str, Any]]], None],
    jobs: int,
    timeout: float | None,
) -> None:
    workers = Workers()
    left = iter(missing)
    running: dict[Future[dict[str, Any]], PlannedRun] = {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                while len(running) < jobs and (run := next(left, None)) is not None:
                    running[pool.submit(workers.run, run.experiment.job(), timeout)] = run
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    take(running.pop(future), future)
        except BaseException:
            workers.end()
            raise


def _run_on_cluster(
    missing: list[PlannedRun],
    take: Callable[[PlannedRun, Any], None],
    client: Client | str,
    timeout: float | None,
) -> None:
    _require("distributed", "cluster", "a sweep on a cluster")
    import distributed

    # Its functions have no types.
    cluster: Any = client
    as_completed: Any = distributed.as_completed
    if isinstance(client, str):
        connect: Any = distributed.Client
        cluster = connect(client)
    try:
        sent: dict[str, Any] = {}  # workloads, once each
        futures = {}
        for run in missing:
            job = run.experiment.job()
            columns = job.pop("workload")
            workload = None
            if columns is not None and run.experiment.trace is not None:
                digest = run.experiment.trace.digest
                if digest not in sent:
                    sent[digest] = cluster.scatter(columns, hash=False)
                workload = sent[digest]
            key = f"ns3coflow-{run.key}-{os.urandom(4).hex()}"
            futures[cluster.submit(_run_remotely, job, workload, timeout, key=key, pure=False)] = (
                run
            )
        for future in as_completed(list(futures)):
            if future.status != "finished" and future.status != "error":
                raise ConnectionError(
                    f"the cluster lost a run ({future.status}); the same call goes on"
                )
            take(futures[future], future)
            future.release()
    finally:
        if isinstance(client, str):
            cluster.close()


def _run_remotely(
    job: dict[str, Any], workload: dict[str, Any] | None, timeout: float | None
) -> dict[str, Any]:
    """On a worker of a cluster: the run still has a process of its own."""
    return run_isolated({**job, "workload": workload}, timeout)


@contextmanager
def _bar(total: int, there: int, *, show: bool) -> Iterator[Callable[[bool], None]]:
    """A progress bar of the runs that are missing."""
    import click

    failed = 0
    with ExitStack() as stack:
        bar: Any = None
        if show:
            label = f"sweep, {there} of {total} runs done before" if there else "sweep"
            bar = stack.enter_context(
                click.progressbar(
                    length=total - there,
                    label=label,
                    show_eta=False,
                    show_pos=True,
                    item_show_func=lambda _: f"{failed} failed" if failed else None,
                    file=sys.stderr,
                )
            )

        def advance(has_failed: bool) -> None:
            nonlocal failed
            failed += has_failed
            if bar is not None:
                bar.update(1)

        yield advance


def _require(package: str, extra: str, what: str) -> None:
    """Says how to install a package that only some need."""
    if importlib.util.find_spec(package) is None:
        raise InputError(
            f"{what} needs the package {package}, which is not installed; "
            f"allowed: after pip install 'ns3coflow[{extra}]'"
        )
