# SPDX-License-Identifier: GPL-2.0-only
"""TCP variants, buffers and incast under each scheduler: python -m scratch.transport.run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import ns3coflow as nc
from scratch.common import save
from scratch.packet import (
    SCALE,
    SCHEDULERS,
    SEEDS,
    STOP_S,
    cut,
    heavy_bytes,
    measure,
    packets,
    parameters,
    put,
    ratio,
    with_interval,
)
from scratch.packets.run import DEEP

if TYPE_CHECKING:
    import pandas as pd

VARIANTS = {"DCTCP": None, "CUBIC": "TcpCubic", "NewReno": "TcpNewReno"}
BUFFERS = {"64 KiB": "64KiB", "16 MiB": "16MiB"}
# Variant, and buffer of a port; None: that of the scheduler.
CASES: dict[str, tuple[str, str | None]] = {
    **{variant: (variant, None) for variant in VARIANTS},
    **{
        f"{variant}, {name}": (variant, buffer)
        for variant in VARIANTS
        for name, buffer in BUFFERS.items()
    },
}
OWN = {"dcas": "4MiB", "baraat": "4MiB"}
SENDERS = (4, 16, 64)
INCAST_BYTES = 64_000
INCAST = SCHEDULERS


def queue_of(scheduler: str, seed: int, buffer: str | None) -> str | None:
    """The queue that a scheduler asks for, of another depth; None: as it is."""
    if buffer in (None, OWN.get(scheduler, "256KiB")):
        return None
    if buffer == "16MiB" and scheduler not in OWN:
        return DEEP
    if scheduler == "baraat":
        # Ports count bytes on the wire: 1,500 of IPv4 for 1,448 of a full segment.
        heavy = int(heavy_bytes(cut(seed)) * 1500 / 1448)
        own = f"ns3::coflow::FifoLmQueueDisc[HeavyBytes={heavy}"
    elif scheduler == "dcas":
        own = "ns3::coflow::PfabricQueueDisc[MarkingThreshold=30000B"
    else:
        own = "ns3::coflow::FifoQueueDisc[MarkingThreshold=30000B"
    return f"{own}|MaxSize={buffer}]"


def simulate() -> pd.DataFrame:
    """Variants and buffers under all schedulers."""
    points = {}
    for seed in SEEDS:
        for scheduler in SCHEDULERS:
            for case, (variant, buffer) in CASES.items():
                points[scheduler, case, seed] = packets(
                    scheduler,
                    seed,
                    transport=VARIANTS[variant],
                    queueDisc=queue_of(scheduler, seed, buffer),
                )
    return measure("packet", points)


def incast() -> pd.DataFrame:
    """Many hosts send to one at once, four times; random starts differ from run to run."""
    points = {}
    for seed in SEEDS:
        for scheduler in INCAST:
            for variant, transport in VARIANTS.items():
                for senders in SENDERS:
                    gap_s = 2 * senders * INCAST_BYTES * 8 / 1e9
                    trace = nc.Trace.generate(
                        "incast", senders=senders, bytes=INCAST_BYTES, coflows=4, interval=gap_s
                    )
                    options: dict[str, Any] = {
                        "trace": trace, "scheduler": scheduler, "topology": "big-switch",
                        "hosts": senders + 2, "linkDelay": "5us", "stop": STOP_S, "RngSeed": seed,
                        "scaleControl": SCALE, **parameters(scheduler, trace, scale=SCALE),
                    }  # fmt: skip
                    if transport is not None:
                        options["transport"] = transport
                    points[scheduler, f"{variant}, {senders}", seed] = options
    return measure("incast", points)


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    measured: dict[str, float] = {}
    for scheduler in SCHEDULERS:
        for case in CASES:
            put(
                measured,
                f"{scheduler}: {case}",
                ratio(table, (scheduler, case), (scheduler, "DCTCP")),
            )
            factor = ratio(table, ("fair", case), (scheduler, case))
            put(measured, f"fair over {scheduler}, {case}", factor)
            variant, buffer = CASES[case]
            if buffer:
                own = ratio(table, (scheduler, case), (scheduler, variant))
                put(measured, f"{scheduler}: {case} over {variant}", own)
    sent = incast()
    for scheduler in INCAST:
        for variant in VARIANTS:
            for senders in SENDERS:
                case = f"{variant}, {senders}"
                name = f"incast {scheduler}: {case}"
                slowdown = sent["slowdown.mean"]
                if (scheduler, case, SEEDS[-1]) in sent.index:
                    put(measured, name, with_interval(slowdown[scheduler, case]))
                else:
                    put(measured, name, (np.nan, np.nan))
    save("transport", measured, table, sent)


if __name__ == "__main__":
    main()
