# SPDX-License-Identifier: GPL-2.0-only
"""Why Varys is faster than Aalo on the public trace: python -m scratch.aalo.causes.

Between the two lie the order inside queues, the queues' limits, and that sizes are not known.
"""

import numpy as np

import ns3coflow as nc
from scratch.common import coflows, fluid, public_trace, run, save


class ByDecade(nc.OrderPolicy):
    """Varys that knows sizes to a power of ten only; within one, in the order of arrival."""

    remaining = nc.Parameter(False, help="the power of ten of what is left, in place of the size")
    decades = nc.Parameter(1, help="powers of ten that count as one")

    def keys(self, view):
        sizes = view.total
        if self.remaining:
            so_far = np.concatenate(([0], np.cumsum(view.remaining)))
            sizes = so_far[view.end] - so_far[view.begin]
        queue = np.floor(np.log10(np.maximum(sizes, 1) / 1e7) / self.decades + 1).clip(min=0)
        return queue * 1e13 + view.ready_ns


class BySize(nc.OrderPolicy):
    """Varys by the bytes as registered: what queues of any width approach."""

    def keys(self, view):
        return view.total.astype(float)


CASES = {
    "Varys": {"scheduler": "varys"},
    "by size": {"scheduler": BySize},
    "by size's power of ten": {"scheduler": ByDecade},
    "by size's power of a hundred": {"scheduler": ByDecade(decades=2)},
    "by the power of ten of what is left": {"scheduler": ByDecade(remaining=True)},
    "Aalo": {"scheduler": "aalo"},
    "Aalo, strict queues": {"scheduler": "aalo", "sharing": "strict"},
    "Aalo, strict, all at once": {"scheduler": "aalo", "sharing": "strict", "delta": 0},
    **{
        f"Aalo, {sharing}, factor {factor}": {
            "scheduler": "aalo", "sharing": sharing, "factor": factor, "queues": queues
        }
        for sharing in ("weighted", "strict")
        for factor, queues in ((2, 30), (4, 15), (100, 5))
    },
    "Aalo, first queue to 1 MB": {"scheduler": "aalo", "firstThreshold": "1MB", "queues": 11},
    "Aalo, first queue to 100 MB": {"scheduler": "aalo", "firstThreshold": "100MB", "queues": 9},
    "one queue": {"scheduler": "aalo", "queues": 1},
}  # fmt: skip


def simulate() -> nc.Sweep:
    """The whole trace."""
    return run("aalo_causes", {"case": CASES}, fluid(public_trace()))


def main() -> None:
    """Runs, and writes causes.json."""
    sweep = simulate()
    measured: dict[str, float] = {}
    varys = coflows(sweep, case="Varys")
    for case in CASES:
        table = coflows(sweep, case=case)
        measured[f"{case} over Varys"] = table["cct_s"].mean() / varys["cct_s"].mean()
    aalo = coflows(sweep, case="Aalo")
    excess = aalo["cct_s"] - varys["cct_s"]
    queue = np.floor(np.log10(aalo["bytes"] / 1e7) + 1).clip(lower=0).astype(int)
    for each in sorted(queue.unique()):
        part = excess[queue == each].sum() / excess.sum()
        measured[f"part of coflows that end in queue {each} in what Varys gains, %"] = 100 * part
    save("aalo", measured, sweep, file="causes.json")


if __name__ == "__main__":
    main()
