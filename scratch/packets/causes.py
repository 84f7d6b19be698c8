# SPDX-License-Identifier: GPL-2.0-only
"""Causes named at packet level, put to the test: python -m scratch.packets.causes.

Each is switched off, or made larger, by itself; packets, control_plane, transport and crossovers
say what came out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scratch.common import save
from scratch.packet import INTERVAL_S, SEEDS, measure, packets, put, ratio
from scratch.packets.run import CAUSES, PACKETS

if TYPE_CHECKING:
    import pandas as pd

# Marks at 100 kB, 0.8 ms at a port, in place of 30 kB.
LONG = {"queueDisc": "ns3::coflow::FifoQueueDisc[MaxSize=4MiB|MarkingThreshold=100000B]"}
SMALL = {"queueDisc": "ns3::coflow::FifoQueueDisc[MarkingThreshold=30000B|MaxSize=64KiB]"}
FULL = {"kappa": 1}  # of a port's rate
TIMERS = CAUSES["retransmission timers"]
NO_DELAY = CAUSES["propagation"]
OFTEN = {"interval_s": INTERVAL_S / 4}
# As long as with rounds of 0.2 ms.
WAITING = {"minWait": "100us", "feedbackDelay": "20us"}
LOSS = {"controlLossRate": 0.01}
POINTS: dict[tuple[str, str], dict[str, Any]] = {
    # Why tiny coflows gain: queues.
    ("fair", PACKETS): {},
    ("fair", "long queues"): LONG,
    ("varys", PACKETS): {},
    ("varys", "long queues"): LONG,
    ("varys", "full rates"): FULL,
    ("varys", "no bypass"): {"bypassBytes": 0},
    # What small buffers cost.
    ("varys", "64 KiB"): SMALL,
    ("varys", "64 KiB, no bypass"): SMALL | {"bypassBytes": 0},
    ("varys", "64 KiB, timers"): SMALL | TIMERS,
    ("varys", "timers"): TIMERS,
    # What rounds below a round trip cost D-CAS.
    ("dcas", PACKETS): {},
    ("dcas", "often"): OFTEN,
    ("dcas", "often, no delay"): OFTEN | NO_DELAY,
    ("dcas", "often, waiting"): OFTEN | WAITING,
    ("dcas", "often, behind data"): OFTEN | {"urgentMessages": False},
    ("dcas", "no delay"): NO_DELAY,
    # What lost control messages wait for.
    ("varys", "1 % lost"): LOSS,
    ("varys", "1 % lost, timers"): LOSS | TIMERS,
    ("nc-drf", PACKETS): {},
    ("nc-drf", "timers"): TIMERS,
    ("nc-drf", "1 % lost"): LOSS,
    ("nc-drf", "1 % lost, timers"): LOSS | TIMERS,
}
# One over another, and of which coflows.
RATIOS = (
    ("fair", "long queues", "fair", PACKETS),
    ("varys", "long queues", "varys", PACKETS),
    ("fair", PACKETS, "varys", PACKETS),
    ("fair", "long queues", "varys", "long queues"),
    ("fair", PACKETS, "varys", "full rates"),
    ("fair", PACKETS, "varys", "no bypass"),
    ("varys", "full rates", "varys", PACKETS),
    ("varys", "no bypass", "varys", PACKETS),
    ("varys", "64 KiB", "varys", PACKETS),
    ("varys", "64 KiB, no bypass", "varys", "no bypass"),
    ("varys", "64 KiB, timers", "varys", "timers"),
    ("dcas", "often", "dcas", PACKETS),
    ("dcas", "often, no delay", "dcas", "no delay"),
    ("dcas", "often, waiting", "dcas", PACKETS),
    ("dcas", "often, behind data", "dcas", PACKETS),
    ("varys", "1 % lost", "varys", PACKETS),
    ("varys", "1 % lost, timers", "varys", "timers"),
    ("nc-drf", "1 % lost", "nc-drf", PACKETS),
    ("nc-drf", "1 % lost, timers", "nc-drf", "timers"),
)


def simulate() -> pd.DataFrame:
    """All points."""
    return measure(
        "packet",
        {
            (*point, seed): packets(point[0], seed, **options)
            for point, options in POINTS.items()
            for seed in SEEDS
        },
    )


def main() -> None:
    """Runs, and writes causes.json."""
    table = simulate()
    measured: dict[str, float] = {}
    for *of, scheduler, case in RATIOS:
        name = f"{of[0]}, {of[1]} over {scheduler}, {case}"
        for each in ("all", "SN"):
            value = ratio(table, (of[0], of[1]), (scheduler, case), f"cct_s.{each}.mean")
            put(measured, f"{name}: {each}", value)
    for scheduler, case in POINTS:
        for seed in SEEDS:
            dropped = table["network.dropped_packets"][scheduler, case, seed]
            measured[f"{scheduler}, {case}: packets dropped, seed {seed}"] = dropped
        if scheduler == "dcas":
            row = table.loc[scheduler, case]
            part = 100 * row["network.control_bytes"] / row["delivered_bytes"]
            measured[f"dcas, {case}: messages, % of the data's bytes"] = part.mean()
    save("packets", measured, table, file="causes.json")


if __name__ == "__main__":
    main()
