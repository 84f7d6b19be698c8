# SPDX-License-Identifier: GPL-2.0-only
"""What misidentified coflows cost every scheduler: python -m scratch.coda.run."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scratch.common import coflows, fluid, half_width, of_bin, public_trace, run, save
from scratch.packet import measure, packets, put, ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    import ns3coflow as nc

# Shares of flows that are taken for those of wrong coflows. The paper has 0.1 at most.
SHARES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)
PAPER = 0.1
SEEDS = (1, 2, 3)
# All that act on coflows and need no deadlines; fairness, which does not, is what they are held to.
SCHEDULERS = (
    "fair", "varys", "scf", "ncf", "tcf", "lcf", "fifo", "sincronia", "drf", "hug", "nc-drf",
    "ps-p", "saath", "philae", "aalo", "graviton", "graviton-sf", "dcas", "baraat", "coda",
)  # fmt: skip
# What each of its two parts does.
PARTS: dict[str, dict[str, Any]] = {
    "coda, no late binding": {"diameter": 0},
    "coda, all flows of a coflow alike": {"flowQueues": 1},
    "coda, neither": {"diameter": 0, "flowQueues": 1},
}
HEADLINE = ("fair", "varys", "aalo", "saath", "coda", *PARTS)
# The first coflows of the public trace: what all schedulers are run on.
CUT = 150
IN_PACKETS = ("fair", "varys", "aalo", "coda")


def mistaken(trace: nc.Trace, share: float, seed: int) -> nc.Trace:
    """The trace with a share of the flows taken for those of wrong coflows; 0: as it is."""
    return trace.transform(misidentify=f"{share}:{seed}") if share > 0 else trace


def options(scheduler: str) -> dict[str, Any]:
    """What a label stands for."""
    return {"scheduler": scheduler.partition(",")[0], **PARTS.get(scheduler, {})}


def cases(
    trace: nc.Trace, schedulers: Sequence[str], shares: Sequence[float]
) -> dict[str, dict[str, Any]]:
    """Points of a sweep: scheduler, share, seed."""
    return {
        f"{scheduler}|{share}|{seed}": {
            **options(scheduler),
            "trace": mistaken(trace, share, seed),
        }
        for scheduler in schedulers
        for share in shares
        for seed in (SEEDS if share > 0 else SEEDS[:1])
    }


@cache
def cut() -> nc.Sweep:
    """All schedulers on a part of the trace."""
    trace = public_trace().first(CUT)
    points = cases(trace, (*SCHEDULERS, *PARTS), SHARES)
    return run("coda-cut", {"case": points}, fluid(trace))


@cache
def whole() -> nc.Sweep:
    """Some schedulers on the whole trace, without errors and with the share of the paper."""
    points = cases(public_trace(), HEADLINE, (0.0, PAPER))
    return run("coda-whole", {"case": points}, fluid(public_trace()))


def in_packets() -> pd.DataFrame:
    """Some schedulers in packets, on the small workloads of all experiments."""
    points = {}
    for scheduler in IN_PACKETS:
        for share in SHARES:
            for seed in (1, 2, 3, 4, 5):
                each = packets(scheduler, seed, **told(scheduler))
                each["trace"] = mistaken(each["trace"], share, seed)
                points[scheduler, f"share {share}", seed] = each
    return measure("coda-packets", points)


def told(scheduler: str) -> dict[str, Any]:
    """Control as for the other central schedulers; the period of coda is that of aalo."""
    if scheduler != "coda":
        return {}
    from scratch.packet import parameters

    trace = packets("aalo", 1)["trace"]
    control = parameters("max-min", trace)
    return {**control, "delta": parameters("aalo", trace)["delta"]}


def values(sweep: nc.Sweep, scheduler: str, share: float, each: str = "all") -> list[pd.Series]:
    """CCTs by seed."""
    seeds = SEEDS if share > 0 else SEEDS[:1]
    return [
        of_bin(coflows(sweep, case=f"{scheduler}|{share}|{seed}"), each)["cct_s"] for seed in seeds
    ]


def over(
    of: list[pd.Series], other: list[pd.Series], statistic: Any = np.mean
) -> tuple[float, float]:
    """One over another, seed by seed: mean, and half a 95 % interval."""
    seeds = max(len(of), len(other))
    quotients = np.array(
        [statistic(of[i % len(of)]) / statistic(other[i % len(other)]) for i in range(seeds)]
    )
    return float(quotients.mean()), half_width(quotients) if seeds > 1 else np.nan


def p95(values: pd.Series) -> float:
    """The 95th percentile."""
    return float(np.percentile(values, 95))


def main() -> None:
    """Runs, and writes measured.json."""
    measured: dict[str, float] = {}
    for scheduler in (*SCHEDULERS, *PARTS):
        right = values(cut(), scheduler, 0.0)
        fair = values(cut(), "fair", 0.0)
        put(measured, f"fair over {scheduler}, share 0", over(fair, right))
        for share in SHARES[1:]:
            wrong = values(cut(), scheduler, share)
            put(measured, f"{scheduler}, share {share} over 0", over(wrong, right))
            put(measured, f"fair over {scheduler}, share {share}", over(fair, wrong))
    for scheduler in HEADLINE:
        for share in (0.0, PAPER):
            ours = values(whole(), scheduler, share)
            fair = values(whole(), "fair", share)
            name = f"whole trace: fair over {scheduler}, share {share}"
            put(measured, name, over(fair, ours))
            put(measured, f"{name}, p95", over(fair, ours, p95))
        loss = over(values(whole(), scheduler, PAPER), values(whole(), scheduler, 0.0))
        put(measured, f"whole trace: {scheduler}, share {PAPER} over 0", loss)
    aalo = values(whole(), "aalo", 0.0)
    put(
        measured,
        f"whole trace: coda, share {PAPER} over aalo, share 0",
        over(values(whole(), "coda", PAPER), aalo),
    )
    for other in ("varys", "aalo", "saath", *PARTS):
        put(
            measured,
            f"whole trace: {other} over coda, share {PAPER}",
            over(values(whole(), other, PAPER), values(whole(), "coda", PAPER)),
        )
    tables = [cut().done, whole().done]
    if "--fluid" not in sys.argv:
        table = in_packets()
        tables.append(table)
        for scheduler in IN_PACKETS:
            for share in SHARES:
                point = (scheduler, f"share {share}")
                loss = ratio(table, point, (scheduler, f"share {SHARES[0]}"))
                put(measured, f"packets: {scheduler}, share {share} over 0", loss)
                put(
                    measured,
                    f"packets: fair over {scheduler}, share {share}",
                    ratio(table, ("fair", f"share {share}"), point),
                )
    save("coda", measured, *tables)


if __name__ == "__main__":
    main()
