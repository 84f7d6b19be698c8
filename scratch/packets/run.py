# SPDX-License-Identifier: GPL-2.0-only
"""Packets beside fluids, a cause of the difference off at a time: python -m scratch.packets.run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scratch.common import save
from scratch.packet import (
    CENTRALIZED,
    HYBRID,
    INTERVAL_S,
    SCHEDULERS,
    SEEDS,
    fluids,
    measure,
    packets,
    put,
    ratio,
)  # fmt: skip

if TYPE_CHECKING:
    import pandas as pd

DEEP = "ns3::coflow::FifoQueueDisc[MaxSize=16MiB]"
# Marks at 10 kB, 80 us at a port, in place of 30 kB.
SHORT = "ns3::coflow::FifoQueueDisc[MarkingThreshold=10000B]"
SHORT_OF_DCAS = "ns3::coflow::PfabricQueueDisc[MaxSize=4MiB|MarkingThreshold=10000B]"
SHORT_AND_DEEP = "ns3::coflow::FifoQueueDisc[MaxSize=16MiB|MarkingThreshold=10000B]"
BIG_SWITCH = {"topology": "big-switch", "k": None, "hosts": 16}
NO_DELAY = {"linkDelay": "500ns"}
LARGE = {"size": 3, "interval_s": 3 * INTERVAL_S}
# Max-min rates from a coordinator that costs nothing, for whatever moves, as soon as that changes.
SHARES = "TCP's shares"
MAX_MIN = {
    "scheduler": "max-min",
    "controlTransport": "ideal",
    "controlBatch": "0ns",
}
# What a cause is off by. TCP and round trips fade where coflows are large.
CAUSES: dict[str, dict[str, Any]] = {
    "ECMP collisions": BIG_SWITCH,
    "control messages": {"controlTransport": "ideal"},
    "control interval": {"interval_s": INTERVAL_S / 4},
    # Varys decides when coflows come and go; NC-DRF also when flows end.
    "rates held": {"rescheduleOnFlow": True},
    "propagation": NO_DELAY,
    "queueing": {"queueDisc": SHORT},
    "losses": {"queueDisc": DEEP},
    "retransmission timers": {"minRto": "1ms", "delAckTimeout": "200us"},
    "short flows": LARGE,
    SHARES: MAX_MIN,
}
COORDINATED = (*CENTRALIZED, *HYBRID)
WHOSE = {
    "control messages": COORDINATED,
    "control interval": (*COORDINATED, "dcas"),
    "rates held": ("varys",),
    # Baraat's queues do not mark.
    "queueing": ("fair", *COORDINATED, "dcas"),
    # The others have 4 MiB.
    "losses": ("fair", *COORDINATED),
    # With the others, schedulers have rates or priorities in view.
    SHARES: ("fair",),
}
PACKETS = "packets"
FLUID = "fluid"
ALL_OFF = "all off"
ALL_BUT_SHARES = "all off but TCP's shares"


def applies(cause: str, scheduler: str) -> bool:
    """Whether a scheduler knows of it."""
    return scheduler in WHOSE.get(cause, SCHEDULERS)


def off(cause: str, scheduler: str) -> dict[str, Any]:
    """One cause off."""
    if (cause, scheduler) == ("queueing", "dcas"):
        return {"queueDisc": SHORT_OF_DCAS}
    return CAUSES[cause]


def all_off(scheduler: str, but: str = "") -> dict[str, Any]:
    """Every cause off at once, but perhaps one."""
    options: dict[str, Any] = {}
    for cause in CAUSES:
        if applies(cause, scheduler) and cause != but:
            options |= off(cause, scheduler)
    if applies("losses", scheduler):
        options["queueDisc"] = SHORT_AND_DEEP
    return options


def simulate() -> pd.DataFrame:
    """The base point, every cause off by itself, all off, and fluids."""
    points = {}
    for seed in SEEDS:
        for scheduler in SCHEDULERS:
            points[scheduler, FLUID, seed] = fluids(scheduler, seed)
            changes = {PACKETS: {}, ALL_OFF: all_off(scheduler)}
            changes |= {each: off(each, scheduler) for each in CAUSES if applies(each, scheduler)}
            if scheduler == "fair":
                changes[ALL_BUT_SHARES] = all_off(scheduler, SHARES)
            for case, options in changes.items():
                points[scheduler, case, seed] = changed(scheduler, seed, options)
        points["drf", FLUID, seed] = fluids("drf", seed)
        points["drf", PACKETS, seed] = packets("drf", seed)
    return normalised(measure("packet", points))


def changed(scheduler: str, seed: int, options: dict[str, Any]) -> dict[str, Any]:
    """A point where another scheduler may do the work."""
    rest = {name: value for name, value in options.items() if name != "scheduler"}
    return packets(options.get("scheduler", scheduler), seed, **rest)


def normalised(table: pd.DataFrame) -> pd.DataFrame:
    """Mean CCTs of larger coflows in the unit of the others."""
    large = table.index.get_level_values("case").isin(["short flows", ALL_OFF, ALL_BUT_SHARES])
    times = [name for name in table.columns if name.startswith("cct_s.") and "mean" in name]
    table.loc[large, times] /= LARGE["size"]
    return table


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    cases = {point[:2] for point in table.index}
    measured: dict[str, float] = {}
    for scheduler in SCHEDULERS:
        fluid = (scheduler, FLUID)
        for case in (PACKETS, *CAUSES, ALL_BUT_SHARES, ALL_OFF):
            if (scheduler, case) in cases:
                value = ratio(table, (scheduler, case), fluid)
                put(measured, f"{scheduler}: {case} over fluid", value)
                value = ratio(table, (scheduler, case), (scheduler, PACKETS))
                put(measured, f"{scheduler}: {case} over packets", value)
        for case in (FLUID, PACKETS, ALL_OFF):
            for each in ("all", "SN", "LN", "SW", "LW"):
                value = ratio(table, ("fair", case), (scheduler, case), f"cct_s.{each}.mean")
                put(measured, f"fair over {scheduler}, {case}, {each}", value)
    for case in (FLUID, PACKETS):
        put(measured, f"nc-drf over drf, {case}", ratio(table, ("nc-drf", case), ("drf", case)))
        put(
            measured,
            f"aalo over graviton, {case}",
            ratio(table, ("aalo", case), ("graviton", case)),
        )
        put(measured, f"varys over aalo, {case}", ratio(table, ("varys", case), ("aalo", case)))
        put(measured, f"dcas over varys, {case}", ratio(table, ("dcas", case), ("varys", case)))
        put(measured, f"baraat over dcas, {case}", ratio(table, ("baraat", case), ("dcas", case)))
    for scheduler in ("fair", "varys", "dcas"):
        mean = table["cct_s.all.mean"][scheduler, PACKETS, SEEDS[0]]
        measured[f"mean CCT of {scheduler}, ms, first seed"] = mean * 1e3
    save("packets", measured, table)


if __name__ == "__main__":
    main()
