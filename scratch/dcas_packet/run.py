# SPDX-License-Identifier: GPL-2.0-only
"""D-CAS's comparison with packets: python -m scratch.dcas_packet.run."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import ns3coflow as nc
from scratch.common import save
from scratch.packet import SEGMENT_ON_WIRE, measure, ratio, time

if TYPE_CHECKING:
    import pandas as pd

SCALE = 1 / 1000
HOSTS = 80
FAN = 20  # most senders, and receivers, of a coflow
ALL = 400
FEW = 100
SEEDS = (1, 2, 3)  # of the few
GOODPUT = 1e9 * 1448 / 1502  # application bytes on the wire
HEAVY_BYTES = 3.5e6  # the 80th percentile of the sizes of the 400 coflows
BINS = ("SN", "LN", "SW", "LW")
# T above the waiting times, as in scratch/dcas; and timeouts above them besides.
PATIENT = "dcas, T above waiting"
CALM = "dcas, long timeouts, too"
# Messages over the network: at this scale a thousand times as many per second as they were.
IN_BAND = "varys in band"
# As in the paper, it decides at flow completions too.
OF_VARYS = {"rescheduleOnFlow": True, "T": time(2 * SCALE), "delta": time(0.2 * SCALE)}
SCHEDULERS = ("fair", "baraat", "dcas", PATIENT, CALM, "varys")


@cache
def cut(seed: int, coflows: int) -> nc.Trace:
    """The paper's mix with at most FAN senders and receivers per coflow, anywhere on the hosts."""
    trace = nc.Trace.generate("dcas-mix", hosts=FAN, seed=seed)
    generator = random.Random(seed)
    places = {coflow: generator.sample(range(HOSTS), FAN) for coflow in trace.coflows["coflow_id"]}
    flows = trace.flows.merge(trace.coflows[["coflow_id", "arrival_s"]], on="coflow_id")
    # The load of FAN hosts, spread over all.
    flows["arrival_s"] = (flows["arrival_s"] * FAN / HOSTS).round(9)
    for end in ("src", "dst"):
        placed = zip(flows["coflow_id"], flows[end], strict=True)
        flows[end] = [places[coflow][host] for coflow, host in placed]
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    whole = nc.Trace.from_frame(flows[columns], hosts=HOSTS)
    return whole.first(coflows).transform(scale_bytes=SCALE, scale_time=SCALE)


def of_dcas(scheduler: str) -> dict[str, Any]:
    """The paper's parameters ten times as large: rounds would be shorter than a round trip."""
    return {
        "delta": time(1 * SCALE),
        "T": time((10 if scheduler == "dcas" else 100) * SCALE),
        "threshold": round(10e6 * SCALE),
    }


def packets(scheduler: str) -> dict[str, Any]:
    """What a scheduler is told at packet level: byte and time parameters, scaled with the sizes."""
    if scheduler == "baraat":
        return {"heavyBytes": round(HEAVY_BYTES * SEGMENT_ON_WIRE)}
    if scheduler.startswith("dcas"):
        late = {"minRto": "100ms"} if scheduler == CALM else {}
        return {**of_dcas(scheduler), "expiry": time(20 * SCALE), **late}
    if not scheduler.startswith("varys"):
        return {}
    if scheduler == "varys":
        return {**OF_VARYS, "controlTransport": "ideal", "controlBatch": "0s", "bypassBytes": 0}
    return {
        **OF_VARYS,
        "bypassBytes": round(25e6 * SCALE),
        "controlBatch": time(0.1 * SCALE),
        "heartbeat": time(10 * SCALE),
        "masterTimeout": time(30 * SCALE),
    }


def fluids(scheduler: str) -> dict[str, Any]:
    """The same without packets and messages."""
    own: dict[str, Any] = {}
    if scheduler == "baraat":
        own = {"heavyBytes": round(HEAVY_BYTES)}
    elif scheduler.startswith("dcas"):
        own = {**of_dcas(scheduler), "expiry": time(20 * SCALE)}
    elif scheduler == "varys":
        own = OF_VARYS
    return {**own, "engine": "fluid", "linkRate": f"{GOODPUT:.0f}bps"}


def point(scheduler: str, seed: int, coflows: int, options: dict[str, Any]) -> dict[str, Any]:
    """All options of a run."""
    return {
        "trace": cut(seed, coflows), "scheduler": scheduler.split(",")[0].split(" ")[0],
        "topology": "big-switch", "hosts": HOSTS, "shortBytes": round(10e6 * SCALE), **options,
    }  # fmt: skip


def simulate() -> pd.DataFrame:
    """All coflows once, the first of them three times."""
    points = {}
    for coflows, seeds in ((ALL, SEEDS[:1]), (FEW, SEEDS)):
        for seed in seeds:
            for scheduler in SCHEDULERS:
                which = (scheduler, f"packets {coflows}", seed)
                points[which] = point(scheduler, seed, coflows, packets(scheduler))
                if scheduler != CALM:
                    which = (scheduler, f"fluid {coflows}", seed)
                    points[which] = point(scheduler, seed, coflows, fluids(scheduler))
    points[IN_BAND, f"packets {FEW}", 1] = point(IN_BAND, 1, FEW, packets(IN_BAND))
    return measure("dcas_packet", points)


def note(measured: dict[str, float], name: str, value: tuple[float, float]) -> None:
    """Adds a number, and its interval where it has one."""
    measured[name] = value[0]
    if np.isfinite(value[1]):
        measured[f"{name} +-"] = value[1]


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    measured: dict[str, float] = {}
    for coflows in (ALL, FEW):
        rows = table[table.index.get_level_values("case").str.endswith(f" {coflows}")]
        real, ideal = f"packets {coflows}", f"fluid {coflows}"
        for scheduler in SCHEDULERS:
            for each in ("all", *BINS):
                mean = f"cct_s.{each}.mean"
                for case in (real, ideal):
                    value = ratio(rows, ("fair", case), (scheduler, case), mean)
                    note(measured, f"fair over {scheduler}, {case}, {each}", value)
                value = ratio(rows, (scheduler, real), (scheduler, ideal), mean)
                note(measured, f"{scheduler}: packets over fluid, {coflows}, {each}", value)
            for case in (real, ideal):
                value = ratio(rows, (scheduler, case), ("varys", case))
                note(measured, f"{scheduler} over varys, {case}", value)
            row = rows.loc[scheduler, real, SEEDS[0]]
            name = f"{scheduler}, {coflows}"
            measured[f"{name}: mean CCT, ms"] = row["cct_s.all.mean"] * 1e3
            measured[f"{name}: segments sent twice"] = row["network.retransmissions"]
            measured[f"{name}: packets dropped"] = row["network.dropped_packets"]
            measured[f"{name}: CPU, s"] = row["cost.cpu_s"]
    mean = table["cct_s.all.mean"]
    case = f"packets {FEW}"
    slower = mean["fair", case, SEEDS[0]] / mean[IN_BAND, case, SEEDS[0]]
    measured[f"fair over {IN_BAND}, {case}"] = slower
    save("dcas_packet", measured, table)


if __name__ == "__main__":
    main()
