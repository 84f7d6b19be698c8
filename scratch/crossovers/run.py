# SPDX-License-Identifier: GPL-2.0-only
"""Conditions under which local schedulers win: python -m scratch.crossovers.run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scratch.common import save
from scratch.packet import (
    INTERVAL_S,
    SCHEDULERS,
    SEEDS,
    measure,
    packets,
    put,
    quotients,
    ratio,
    with_interval,
)  # fmt: skip

if TYPE_CHECKING:
    import pandas as pd

# One at a time from the base point, which is marked in figures.
AXES: dict[str, dict[str, dict[str, Any]]] = {
    "control interval, ms": {
        f"{factor * INTERVAL_S * 1e3:g}": {"interval_s": factor * INTERVAL_S}
        for factor in (0.25, 1, 5, 25)
    },
    "link delay, us": {f"{us:g}": {"linkDelay": f"{us * 1000:g}ns"} for us in (0.5, 5, 25, 100)},
    "size of coflows": {f"{size:g}": {"size": size} for size in (0.25, 1, 3)},
    "hosts": {f"{hosts}": {"hosts": hosts} for hosts in (16, 32, 54)},
    "load": {f"{load:g}": {"load": load} for load in (0.3, 0.6, 0.9, 1.5)},
    "oversubscription": {
        f"{factor}": {} if factor == 1 else {"fabricLinkRate": f"{1000 // factor}Mbps"}
        for factor in (1, 2, 4)
    },
}
BASE = {
    "control interval, ms": f"{INTERVAL_S * 1e3:g}", "link delay, us": "5", "size of coflows": "1",
    "hosts": "16", "load": "0.9", "oversubscription": "1",
}  # fmt: skip


def case_of(axis: str, value: str) -> str:
    """What a point is called; the base point is on all axes."""
    return "packets" if BASE[axis] == value else f"{axis} {value}"


def simulate() -> pd.DataFrame:
    """All axes."""
    points = {}
    for seed in SEEDS:
        for axis, values in AXES.items():
            for value, changes in values.items():
                for scheduler in SCHEDULERS:
                    point = (scheduler, case_of(axis, value), seed)
                    points[point] = packets(scheduler, seed, **changes)
    return measure("packet", points)


def main() -> None:
    """Runs, and writes measured.json."""
    table = simulate()
    measured: dict[str, float] = {}
    for axis, values in AXES.items():
        for value in values:
            case = case_of(axis, value)
            for scheduler in SCHEDULERS:
                factor = ratio(table, ("fair", case), (scheduler, case))
                put(measured, f"fair over {scheduler}, {axis} {value}", factor)
                own = ratio(table, (scheduler, case), (scheduler, "packets"))
                put(measured, f"{scheduler}, {axis} {value} over base", own)
            for other in ("varys", "aalo"):
                gap = ratio(table, ("dcas", case), (other, case))
                put(measured, f"dcas over {other}, {axis} {value}", gap)
    points = {point[:2] for point in table.index}
    for hosts in AXES["hosts"]:
        point = ("nc-drf", case_of("hosts", hosts))
        if point in points:
            sent = table["network.control_bytes"][point] / 1e6
            put(measured, f"nc-drf, hosts {hosts}: control messages, MB", with_interval(sent))
    for scheduler in SCHEDULERS[1:]:
        high, low = (
            quotients(table, ("fair", f"load {load}"), (scheduler, f"load {load}"))
            for load in ("1.5", "0.3")
        )
        put(measured, f"{scheduler}: factor at load 1.5 over 0.3", with_interval(high / low))
    save("crossovers", measured, table)


if __name__ == "__main__":
    main()
