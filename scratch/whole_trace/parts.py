# SPDX-License-Identifier: GPL-2.0-only
"""Whether flows fall into parts that share no port: python -m scratch.whole_trace.parts.

Parts could be jumped over one by one. Runs the trace as a fluid, and looks at the flows that are
there every few seconds.
"""

from __future__ import annotations

import subprocess

import numpy as np
import pandas as pd

from scratch.common import kept
from scratch.whole_trace.run import FLUID, HOSTS, NAME, command

STEP = 5.0  # s


def flows(scheduler: str) -> pd.DataFrame:
    """When each flow that leaves its host was there."""
    out = kept(NAME) / f"{scheduler}-flows"
    if not (out / "summary.json").is_file():
        subprocess.run([*command(scheduler, FLUID), "--flows", f"--out={out}"], check=True)
    table = pd.read_csv(out / "flows.csv")
    return table[table["src"] != table["dst"]]


def find_parts(senders: np.ndarray, receivers: np.ndarray) -> np.ndarray:
    """The part that each flow is in, by ports that flows share."""
    above = list(range(2 * HOSTS))  # ports of senders, then of receivers

    def top(port: int) -> int:
        while above[port] != port:
            above[port] = above[above[port]]
            port = above[port]
        return port

    for pair in np.unique(senders * HOSTS + receivers):
        above[top(int(pair) // HOSTS)] = top(HOSTS + int(pair) % HOSTS)
    return np.array([top(port) for port in range(HOSTS)])[senders]


def main() -> None:
    """Prints how often there is one part only, and how many flows are outside of the largest."""
    for scheduler in ("fair", "varys"):
        table = flows(scheduler)
        moments, alone, outside, total = 0, 0, 0, 0
        for now in np.arange(STEP / 2, table["finish_s"].max(), STEP):
            there = table[(table["start_s"] <= now) & (table["finish_s"] > now)]
            if there.empty:
                continue
            parts = find_parts(there["src"].to_numpy(), there["dst"].to_numpy())
            counts = np.unique(parts, return_counts=True)[1]
            moments += 1
            alone += len(counts) == 1
            outside += int(counts.sum() - counts.max())
            total += int(counts.sum())
        print(
            f"{scheduler}: {moments} moments with flows, {total / moments:.0f} in the mean;",
            f"one part only at {alone} of them;",
            f"{100 * outside / total:.4f} % of the flows are outside of the largest part",
        )


if __name__ == "__main__":
    main()
