# SPDX-License-Identifier: GPL-2.0-only
"""A workload for environments, an agent, and how to play an episode."""

from __future__ import annotations

import numpy as np
import pandas as pd

import ns3coflow as nc


def table(*rows):
    """A workload of flows: coflow, arrival in ms, src, dst, MB. A port moves 1 MB in a ms."""
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    flows = pd.DataFrame(rows, columns=columns)
    flows["arrival_s"] /= 1e3
    flows["bytes"] = (flows["bytes"] * 1e6).astype(int)
    return nc.Trace.from_frame(flows, hosts=4)


TWO = table((1, 0, 0, 1, 8), (2, 2, 0, 2, 3))
SWITCH = nc.BigSwitch(hosts=4, linkRate="8Gbps")


def play(env, decide, seed=None):
    """Plays an episode; returns steps as (observation, reward, info), and the last info."""
    observed, info = env.reset(seed=seed)
    steps = []
    while True:
        observed, reward, terminated, truncated, info = env.step(decide(observed, info))
        assert env.observation_space.contains(observed)
        steps.append((observed, reward, info))
        if terminated or truncated:
            return steps, info


def rewards(steps):
    return sum(reward for _, reward, _ in steps)


def by(name):
    """An agent that serves coflows in the order of what it sees."""

    def decide(observed, info):
        ranks = np.argsort(np.argsort(observed[name], kind="stable"), kind="stable")
        return ranks / len(ranks)

    return decide
