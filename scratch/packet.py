# SPDX-License-Identifier: GPL-2.0-only
"""Common parts of the experiments at packet level: parts of the trace, scaled parameters, points.

Sizes and times are 1/500 of those of the Facebook trace. The defaults of parameters in bytes and
of coarse times follow the scale of the trace: bypass 50 kB (25 MB), batches 0.2 ms (100 ms), T 4 ms
(2 s), Q0 20 kB (10 MB). Links have 1 Gbps. Round trips, segments, buffers and retransmission timers
are not scaled.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import ns3coflow as nc
from ns3coflow.ports import check_same_rate
from ns3coflow.store import Store
from scratch.common import half_width, kept, run

if TYPE_CHECKING:
    from collections.abc import Mapping

SCALE = 1 / 500
COFLOWS = 40
HOSTS = 16
SEEDS = (1, 2, 3, 4, 5)
SCHEDULERS = ("fair", "varys", "nc-drf", "aalo", "graviton", "dcas", "baraat")
# Its paper's mechanism; "baraat" is the other one, ports that order packets.
BARAAT_RATES = "baraat, explicit rates"
# What ran, where a name does not say it.
LABELS = {"fair": "plain TCP", "baraat": "baraat, port order"}
# With as many queues as Graviton, and so the same weights.
AALO_SEVEN = "aalo, seven queues"
# A coflow bypasses by its size: only schedulers that are told sizes may ask for it.
TOLD_SIZES = ("varys", "varys-deadline", "sincronia", "drf")
CENTRALIZED = ("varys", "nc-drf")
HYBRID = ("aalo", "graviton")
LOCAL = ("dcas", "baraat")
# 100 ms of the papers' batches and rounds.
INTERVAL_S = 0.1 * SCALE
STOP_S = 60


@cache
def cut(seed: int, *, hosts: int = HOSTS, load: float = 0.9, size: float = 1) -> nc.Trace:
    """40 coflows per 16 hosts like those of the Facebook trace, each on 16 of the hosts."""
    trace = nc.Trace.generate(
        "fb-like", coflows=COFLOWS * hosts // HOSTS, hosts=HOSTS, load=load, seed=seed
    )
    trace = trace.transform(scale_bytes=SCALE * size, scale_time=SCALE * size * HOSTS / hosts)
    return trace if hosts == HOSTS else _placed(trace, hosts, seed)


def _placed(trace: nc.Trace, hosts: int, seed: int) -> nc.Trace:
    """Every coflow on other hosts."""
    draw = np.random.default_rng(seed)
    flows = trace.flows.copy()
    for rows in flows.groupby("coflow_id").groups.values():
        places = draw.permutation(hosts)[: trace.hosts]
        for end in ("src", "dst"):
            flows.loc[rows, end] = places[flows.loc[rows, end]]
    return nc.Trace.from_frame(flows, hosts=hosts, scale=trace.scale)


def time(seconds: float) -> str:
    """A time that all options understand."""
    return f"{round(seconds * 1e9)}ns"


def heavy_bytes(trace: nc.Trace) -> int:
    """Baraat's limit, the 80th percentile of sizes."""
    return int(np.percentile(trace.coflows["bytes"], 80))


def parameters(
    scheduler: str,
    trace: nc.Trace,
    *,
    scale: float | None = None,
    interval_s: float = INTERVAL_S,
) -> dict[str, Any]:
    """What a scheduler is told at packet level beyond what follows from the scale of the trace.

    From the scale follow sizes (bypass, thresholds) and times that belong to sizes (Varys' T and
    delta). Control stays as it is when sizes change; `interval_s` is its batch, or its period.
    """
    scale = trace.scale if scale is None else scale
    control: dict[str, Any] = {
        "controlBatch": time(interval_s),
        "heartbeat": time(SCALE),
        "masterTimeout": time(max(3 * SCALE, 10 * interval_s)),
        "rebuildTime": time(0.5 * SCALE),
        "unregisterGrace": time(0.5 * SCALE),
        "daemonTimeout": "60s",
    }
    periods = {"delta": time(interval_s)}
    # Rounds and their messages are as long as round trips, which do not scale.
    rounds = {
        **periods,
        "expiry": time(max(2 * scale, 20 * interval_s)),
        "minWait": time(min(100e-6, interval_s / 2)),
        "feedbackDelay": time(min(20e-6, interval_s / 10)),
    }
    heavy = {"heavyBytes": heavy_bytes(trace)}
    told: dict[str, dict[str, Any]] = {
        **dict.fromkeys((*TOLD_SIZES, "max-min"), control),
        "nc-drf": {**control, "coalesce": time(interval_s / 10)},
        **dict.fromkeys(HYBRID, periods),
        AALO_SEVEN: {**periods, "queues": 7},
        "dcas": rounds,
        "baraat": {**heavy, "baraatMode": "priority"},
        BARAAT_RATES: {**heavy, "baraatMode": "explicit-rate"},
    }
    return told.get(scheduler, {})


def name_of(scheduler: str) -> str:
    """The scheduler of a label such as "baraat, explicit rates"."""
    return scheduler.partition(",")[0]


def packets(
    scheduler: str,
    seed: int,
    *,
    hosts: int = HOSTS,
    load: float = 0.9,
    size: float = 1,
    interval_s: float = INTERVAL_S,
    **options: Any,
) -> dict[str, Any]:
    """The options of a run on a fat-tree; further ones as of coflow-replay."""
    trace = cut(seed, hosts=hosts, load=load, size=size)
    network = {"topology": "fat-tree", "k": 4 if hosts <= HOSTS else 6, "linkDelay": "5us"}
    common = {"stop": STOP_S, "sampleInterval": "1s"}
    chosen = parameters(scheduler, trace, interval_s=interval_s)
    every = {"trace": trace, "scheduler": name_of(scheduler), **network, **common, **chosen}
    every |= options
    # A big switch has no K.
    return {name: value for name, value in every.items() if value is not None}


def fluids(scheduler: str, seed: int) -> dict[str, Any]:
    """The same without packets, on ports of the same usable rate; control costs nothing."""
    return fluid_of(packets(scheduler, seed))


def fluid_of(options: Mapping[str, Any], control: str = "ideal") -> dict[str, Any]:
    """The options of a run at packet level as a fluid: see nc.Experiment.fluid()."""
    made = nc.Experiment().with_options(**options).fluid(control)
    exact = {"coalesce": 0} if made.scheduler in (*HYBRID, *LOCAL) else {}
    return {"trace": made.trace, **made.options, **exact}


def measure(name: str, points: Mapping[tuple[str, str, int], dict[str, Any]]) -> pd.DataFrame:
    """Runs points (scheduler, case, seed): a row each, with these as index.

    With the argument --there nothing is run: rows are those of runs that are kept already.
    """
    labels = there(name, {"|".join(map(str, point)): each for point, each in points.items()})
    if not labels:
        empty = pd.MultiIndex.from_tuples([], names=["scheduler", "case", "seed"])
        return pd.DataFrame(columns=["key", "cost.cpu_s"], index=empty)
    rows = run(name, {"point": labels}, nc.Experiment()).done.reset_index(drop=True)
    keys = pd.DataFrame(
        rows["point"].str.split("|").to_list(), columns=["scheduler", "case", "seed"]
    )
    runs = [nc.Experiment().with_options(**labels[point]) for point in rows["point"]]
    rows["port_rate_bps"] = [each.port_rate_bps for each in runs]
    rows["engine"] = [each.engine for each in runs]
    table = rows.join(keys.astype({"seed": int}))
    return table.set_index(["scheduler", "case", "seed"]).sort_index()


def there(name: str, points: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """All points; with the argument --there those whose runs are kept."""
    if "--there" not in sys.argv:
        return points
    keys = {path.stem for path in (kept(name) / "runs").glob("*.parquet")}
    return {
        label: options
        for label, options in points.items()
        if nc.Experiment().with_options(**options, RngRun=1).key() in keys
    }


def quotients(
    table: pd.DataFrame,
    of: tuple[str, str],
    over: tuple[str, str],
    metric: str = "cct_s.all.mean",
) -> pd.Series:
    """One (scheduler, case) over another, by seed; empty unless all the table's seeds are there.

    Raises InputError where one is in packets and the other a fluid with ports of another rate.
    """
    points = {point[:2] for point in table.index}
    if of not in points or over not in points:
        return pd.Series(dtype=float)
    check_ports(table, of, over)
    values = table[metric]
    quotient = (values[of] / values[over]).dropna()
    seeds = table.index.unique("seed")
    return quotient if len(quotient) == len(seeds) else quotient[:0]


def check_ports(table: pd.DataFrame, of: tuple[str, str], over: tuple[str, str]) -> None:
    """Raises InputError where packets over fluids would be a ratio of port rates, too."""
    engines, rates = table["engine"], table["port_rate_bps"]
    sides = {engines[each].iloc[0]: rates[each].iloc[0] for each in (of, over)}
    if len(sides) == 2:
        what = f"{', '.join(of)} over {', '.join(over)}"
        check_same_rate(sides["packet"], sides["fluid"], what)


def ratio(
    table: pd.DataFrame,
    of: tuple[str, str],
    over: tuple[str, str],
    metric: str = "cct_s.all.mean",
) -> tuple[float, float]:
    """Mean over seeds, and half a 95 % interval, of one (scheduler, case) over another.

    NaN where a run is missing.
    """
    return with_interval(quotients(table, of, over, metric))


def mean_of_ratios(
    table: pd.DataFrame, name: str, of: tuple[str, str], over: tuple[str, str]
) -> tuple[float, float]:
    """As ratio, but the mean over coflows of the ratios of their CCTs; NaN where a run is missing.

    `name` is what the table was measured under.
    """
    points = {point[:2] for point in table.index}
    if of not in points or over not in points:
        return np.nan, np.nan
    check_ports(table, of, over)
    store = Store(kept(name))
    keys = table["key"]
    seeds = sorted(set(keys[of].index) & set(keys[over].index))
    if len(seeds) < len(table.index.unique("seed")):
        return np.nan, np.nan
    ratios = []
    for seed in seeds:
        ours, theirs = (
            store.coflows(keys[(*point, seed)]).set_index("coflow_id")["cct_s"]
            for point in (of, over)
        )
        ratios.append((ours / theirs.where(theirs > 0)).dropna().mean())
    return with_interval(pd.Series(ratios, index=seeds))


def with_interval(values: pd.Series) -> tuple[float, float]:
    """Mean, and half a 95 % interval; NaN where there is nothing, or no interval."""
    if not len(values):
        return np.nan, np.nan
    return float(values.mean()), half_width(values) if len(values) > 1 else np.nan


def put(measured: dict[str, float], name: str, value: tuple[float, float]) -> None:
    """Adds a number and its interval to what is measured."""
    measured[name], measured[f"{name} +-"] = value
