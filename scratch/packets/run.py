# SPDX-License-Identifier: GPL-2.0-only
"""Both engines, with one cause of the difference off at a time: python -m scratch.packets.run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scratch.common import save
from scratch.packet import (
    AALO_SEVEN,
    BARAAT_RATES,
    CENTRALIZED,
    HYBRID,
    INTERVAL_S,
    SCHEDULERS,
    SEEDS,
    fluid_of,
    fluids,
    mean_of_ratios,
    measure,
    packets,
    put,
    quotients,
    ratio,
    with_interval,
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
# Max-min rates from a coordinator that costs nothing, for whatever moves, as soon as that changes:
# what plain TCP would be if its shares were max-min.
MAX_MIN = "max-min, ideal control"
OF_MAX_MIN = {"controlTransport": "ideal", "controlBatch": "0ns"}
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
}
# As they are only.
OTHERS = ("drf", BARAAT_RATES, AALO_SEVEN)
PACKETS = "packets"
FLUID = "fluid"
# Every cause off, on the same workload; and then that workload three times as large, too.
ALL_OFF = "all off"
ALL_OFF_LARGE = "all off, three times as large"


def applies(cause: str, scheduler: str) -> bool:
    """Whether a scheduler knows of it."""
    return scheduler in WHOSE.get(cause, SCHEDULERS)


def off(cause: str, scheduler: str) -> dict[str, Any]:
    """One cause off."""
    if (cause, scheduler) == ("queueing", "dcas"):
        return {"queueDisc": SHORT_OF_DCAS}
    return CAUSES[cause]


def all_off(scheduler: str) -> dict[str, Any]:
    """Every cause off at once that is no other workload."""
    options: dict[str, Any] = {}
    for cause in CAUSES:
        if applies(cause, scheduler) and CAUSES[cause] is not LARGE:
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
            changes[ALL_OFF_LARGE] = changes[ALL_OFF] | LARGE
            changes |= {each: off(each, scheduler) for each in CAUSES if applies(each, scheduler)}
            for case, options in changes.items():
                points[scheduler, case, seed] = packets(scheduler, seed, **options)
        for scheduler in OTHERS:
            points[scheduler, FLUID, seed] = fluids(scheduler, seed)
            points[scheduler, PACKETS, seed] = packets(scheduler, seed)
        told = packets("max-min", seed, **OF_MAX_MIN)
        points[MAX_MIN, PACKETS, seed] = told
        points[MAX_MIN, FLUID, seed] = fluid_of(told)
        everything = all_off("fair") | OF_MAX_MIN
        points[MAX_MIN, ALL_OFF, seed] = packets("max-min", seed, **everything)
    return normalised(measure("packet", points))


def _is_time(column: str) -> bool:
    return column.startswith("cct_s.") and not column.endswith(".count")


def normalised(table: pd.DataFrame) -> pd.DataFrame:
    """Mean CCTs of larger coflows in the unit of the others."""
    large = table.index.get_level_values("case").isin(["short flows", ALL_OFF_LARGE])
    times = [name for name in table.columns if _is_time(name)]
    table.loc[large, times] /= LARGE["size"]
    return table


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    cases = {point[:2] for point in table.index}
    measured: dict[str, float] = {}
    for scheduler in (*SCHEDULERS, BARAAT_RATES, MAX_MIN):
        fluid = (scheduler, FLUID)
        for case in (PACKETS, *CAUSES, ALL_OFF, ALL_OFF_LARGE):
            if (scheduler, case) in cases:
                value = ratio(table, (scheduler, case), fluid)
                put(measured, f"{scheduler}: {case} over fluid", value)
                value = ratio(table, (scheduler, case), (scheduler, PACKETS))
                put(measured, f"{scheduler}: {case} over packets", value)
        for case in (FLUID, PACKETS, ALL_OFF):
            for each in ("all", "SN", "LN", "SW", "LW"):
                value = ratio(table, ("fair", case), (scheduler, case), f"cct_s.{each}.mean")
                put(measured, f"fair over {scheduler}, {case}, {each}", value)
                value = ratio(table, ("fair", case), (scheduler, case), f"cct_s.{each}.p95")
                put(measured, f"fair over {scheduler}, p95, {case}, {each}", value)
    for case in (FLUID, PACKETS):
        for one, other in (
            ("nc-drf", "drf"),
            ("aalo", "graviton"),
            (AALO_SEVEN, "graviton"),
            ("varys", "aalo"),
            ("dcas", "varys"),
            ("baraat", "dcas"),
            (BARAAT_RATES, "dcas"),
        ):
            of, over = (one, case), (other, case)
            put(measured, f"{one} over {other}, {case}", ratio(table, of, over))
            # As Graviton and NC-DRF have it: by coflow.
            value = mean_of_ratios(table, "packet", of, over)
            put(measured, f"{one} over {other}, mean of ratios, {case}", value)
        # Figure 7 of Varys: bin 1 against bin 4.
        for metric in ("mean", "p95"):
            narrow, wide = (
                quotients(table, ("fair", case), ("varys", case), f"cct_s.{each}.{metric}")
                for each in ("SN", "LW")
            )
            name = f"fair over varys, {metric}, {case}, SN over LW"
            put(measured, name, with_interval(narrow / wide))
    for scheduler in ("fair", "varys", "dcas"):
        mean = table["cct_s.all.mean"][scheduler, PACKETS, SEEDS[0]]
        measured[f"mean CCT of {scheduler}, ms, first seed"] = mean * 1e3
    save("packets", measured, table)


if __name__ == "__main__":
    main()
