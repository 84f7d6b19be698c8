# SPDX-License-Identifier: GPL-2.0-only
"""D-CAS's comparison with packets: python -m scratch.dcas.packets.run."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import ns3coflow as nc
from scratch.common import save
from scratch.packet import fluid_of, measure, ratio, time

if TYPE_CHECKING:
    import pandas as pd

SCALE = 1 / 1000
HOSTS = 80
FAN = 20  # most senders, and receivers, of a coflow
ALL = 400
FEW = 100
SEEDS = (1, 2, 3)  # of the few
HEAVY_BYTES = 3.5e6  # the 80th percentile of the sizes of the 400 coflows
BINS = ("SN", "LN", "SW", "LW")
# T above the waiting times, as in scratch/dcas; and timeouts above them besides.
PATIENT = "dcas, T above waiting"
CALM = "dcas, long timeouts, too"
# Varys as its paper has it: decides when coflows come and go, and messages are messages. And, as
# D-CAS's authors have it, also when flows end; and with control that costs nothing.
VARYS = "varys"
VARYS_IDEAL = "varys, ideal control"
DCAS_RULE = "varys, D-CAS's rule"
DCAS_RULE_IDEAL = "varys, D-CAS's rule, ideal control"
# Varys' sizes, T, delta and batches follow the scale of the trace. These times do not: the runs
# that measured.json is from had them so.
OF_VARYS = {"daemonTimeout": "60s", "rebuildTime": "500ms", "unregisterGrace": "500ms"}
HEARTBEATS = {"heartbeat": time(10 * SCALE), "masterTimeout": time(30 * SCALE)}
# An ideal control's heartbeats cost nothing, and were not scaled.
IDEAL = {
    "controlTransport": "ideal", "controlBatch": "0s", "bypassBytes": 0,
    "heartbeat": "1s", "masterTimeout": "3s",
}  # fmt: skip
# D-CAS's rounds would be shorter than a round trip: its parameters are ten times as large as the
# scale says.
OF_DCAS = {"scaleControl": 10 * SCALE}
# The fluid engine heard of ended flows as for coflows of full size.
COALESCE = {"coalesce": "400ms"}
BARAAT = "baraat"
BARAAT_RATES = "baraat, explicit rates"
SCHEDULERS = (
    "fair", BARAAT, BARAAT_RATES, "dcas", PATIENT, CALM, VARYS, VARYS_IDEAL, DCAS_RULE,
    DCAS_RULE_IDEAL,
)  # fmt: skip
# 400 coflows under the dense rule in band cost half an hour, for a rule that nobody uses so.
OF_FEW = (DCAS_RULE,)


@cache
def cut(seed: int, coflows: int) -> nc.Trace:
    """The paper's mix with at most FAN senders and receivers per coflow, anywhere on the hosts."""
    trace = nc.Trace.generate("dcas-mix", hosts=FAN, seed=seed)
    generator = random.Random(seed)
    places = {coflow: generator.sample(range(HOSTS), FAN) for coflow in trace.coflows["coflow_id"]}
    flows = trace.flows
    # The load of FAN hosts, spread over all.
    flows["arrival_s"] = (flows["arrival_s"] * FAN / HOSTS).round(9)
    for end in ("src", "dst"):
        placed = zip(flows["coflow_id"], flows[end], strict=True)
        flows[end] = [places[coflow][host] for coflow, host in placed]
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    whole = nc.Trace.from_frame(flows[columns], hosts=HOSTS)
    return whole.first(coflows).transform(scale_bytes=SCALE, scale_time=SCALE)


def of_dcas(scheduler: str) -> dict[str, Any]:
    """D-CAS's parameters in both engines: ten times as large, T 100 times above waiting times."""
    return OF_DCAS if scheduler == "dcas" else {**OF_DCAS, "T": time(100 * SCALE)}


def packets(scheduler: str) -> dict[str, Any]:
    """What a scheduler is told at packet level beyond what follows from the scale of the trace."""
    if scheduler in (BARAAT, BARAAT_RATES):
        mode = "explicit-rate" if scheduler == BARAAT_RATES else "priority"
        return {"heavyBytes": round(HEAVY_BYTES), "baraatMode": mode}
    if scheduler.startswith("dcas"):
        late = {"minRto": "100ms"} if scheduler == CALM else {}
        return {**of_dcas(scheduler), "minWait": "500us", **late}
    if not scheduler.startswith("varys"):
        return {}
    control = IDEAL if scheduler in (VARYS_IDEAL, DCAS_RULE_IDEAL) else HEARTBEATS
    return {**of_varys(scheduler), **OF_VARYS, **control}


def of_varys(scheduler: str) -> dict[str, Any]:
    """When Varys decides."""
    return {"rescheduleOnFlow": scheduler in (DCAS_RULE, DCAS_RULE_IDEAL)}


def fluids(scheduler: str) -> dict[str, Any]:
    """What only fluids are told."""
    local = scheduler.startswith(("dcas", BARAAT))
    return COALESCE if local else {}


def point(scheduler: str, seed: int, coflows: int, options: dict[str, Any]) -> dict[str, Any]:
    """All options of a run."""
    return {
        "trace": cut(seed, coflows), "scheduler": scheduler.partition(",")[0],
        "topology": "big-switch", "hosts": HOSTS, "shortBytes": round(10e6 * SCALE), **options,
    }  # fmt: skip


def schedulers_of(coflows: int) -> list[str]:
    """Whom so many coflows run under."""
    return [each for each in SCHEDULERS if coflows == FEW or each not in OF_FEW]


def simulate() -> pd.DataFrame:
    """All coflows once, the first of them three times."""
    points = {}
    for coflows, seeds in ((ALL, SEEDS[:1]), (FEW, SEEDS)):
        for seed in seeds:
            for scheduler in schedulers_of(coflows):
                which = (scheduler, f"packets {coflows}", seed)
                points[which] = point(scheduler, seed, coflows, packets(scheduler))
            for scheduler in SCHEDULERS:
                told = point(scheduler, seed, coflows, packets(scheduler))
                which = (scheduler, f"fluid {coflows}", seed)
                points[which] = fluid_of(told) | fluids(scheduler)
    return measure("dcas/packets", points)


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
                for varys in (VARYS, VARYS_IDEAL, DCAS_RULE, DCAS_RULE_IDEAL):
                    value = ratio(rows, (scheduler, case), (varys, case))
                    note(measured, f"{scheduler} over {varys}, {case}", value)
            if (scheduler, real, SEEDS[0]) not in rows.index:
                continue
            row = rows.loc[scheduler, real, SEEDS[0]]
            name = f"{scheduler}, {coflows}"
            measured[f"{name}: mean CCT, ms"] = row["cct_s.all.mean"] * 1e3
            measured[f"{name}: segments sent twice"] = row["network.retransmissions"]
            measured[f"{name}: packets dropped"] = row["network.dropped_packets"]
            measured[f"{name}: CPU, s"] = row["cost.cpu_s"]
            measured[f"{name}: bytes of control"] = row["network.control_bytes"]
    save("dcas/packets", measured, table)


if __name__ == "__main__":
    main()
