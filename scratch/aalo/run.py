# SPDX-License-Identifier: GPL-2.0-only
"""Aalo against Varys and per-flow fairness: python -m scratch.aalo.run."""

import numpy as np

import ns3coflow as nc
from scratch.common import BINS, coflows, fluid, of_bin, public_trace, run, save

CASES = {
    "fairness": {"scheduler": "fair"},
    "fairness of CoflowSim": {"scheduler": "fair", "redistribute": False},
    "Varys": {"scheduler": "varys"},
    "FIFO": {"scheduler": "fifo"},
    "Aalo": {"scheduler": "aalo"},
    "Aalo, strict queues": {"scheduler": "aalo", "sharing": "strict"},
    "Aalo, all known at once": {"scheduler": "aalo", "delta": 0},
    "Aalo, every 100 ms": {"scheduler": "aalo", "delta": "100ms"},
    "Aalo, every 1 s": {"scheduler": "aalo", "delta": "1s"},
    "Aalo, every 10 s": {"scheduler": "aalo", "delta": "10s"},
}


def simulate() -> nc.Sweep:
    """The whole trace."""
    return run("aalo", {"case": CASES}, fluid(public_trace()))


def main() -> None:
    """Runs, and writes measured.json."""
    sweep = simulate()
    measured: dict[str, float] = {}
    aalo = coflows(sweep, case="Aalo")
    for case in CASES:
        for each in BINS:
            other = of_bin(coflows(sweep, case=case), each)["cct_s"]
            ours = of_bin(aalo, each)["cct_s"]
            measured[f"{case} over Aalo mean {each}"] = other.mean() / ours.mean()
            measured[f"{case} over Aalo p95 {each}"] = np.percentile(other, 95) / np.percentile(
                ours, 95
            )
    save("aalo", measured, sweep)


if __name__ == "__main__":
    main()
