# SPDX-License-Identifier: GPL-2.0-only
"""What a person who is about to wait is told before the first run."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ns3coflow.experiment import Experiment

# So many runs of a larger number are looked at, and stand for all: a sweep has thousands.
SAMPLE = 10


def tell_ahead(planned: Sequence[Experiment], processes: int | None) -> None:
    """Says on standard error about how many packet-hops runs cause, and how long they take.

    Says nothing where no run has packets.

    Arguments:
        planned: the runs.
        processes: that run them at the same time; none: not known.
    """
    drawn = random.Random(1).sample(planned, min(SAMPLE, len(planned)))
    estimates = [each.estimate() for each in drawn]
    hops = sum(packet_hops for packet_hops, _ in estimates)
    if hops > 0:
        share = len(planned) / len(drawn)
        seconds = share * sum(cpu for _, cpu in estimates)
        if processes is None:
            time = f"{seconds:.2g} s of CPU time"
        else:
            time = f"{seconds / min(processes, len(planned)):.2g} s on {processes} cores"
        print(
            f"{len(planned)} runs: about {share * hops:.2g} packet-hops, about {time}",
            file=sys.stderr,
            flush=True,
        )
