# SPDX-License-Identifier: GPL-2.0-only
"""Learn the thresholds of D-CLAS, and hold them against those of Aalo.

python train_thresholds.py [--generations=N] [--seeds=N]

An agent proposes thresholds, an episode in the fluid engine tells what they are worth, and CMA-ES
(pip install cma) moves to better ones. All proposals of a generation see the same workloads. In
the end what was learnt meets workloads that were not for training, beside the thresholds of Aalo.
"""

import argparse

import cma
import numpy as np

import ns3coflow as nc
from ns3coflow.gym import CoflowEnv, thresholds_of_action

HOSTS = 16
PROPOSALS = 10  # of a generation
WORKLOADS = 4  # on which each proposal is tried
HELD_OUT = range(1_000_000, 1_000_050)  # seeds of workloads that are not for training


def make_trace(seed):
    """Coflows like those of the public trace, as many as keep the links busy."""
    trace = nc.Trace.generate("fb-like", coflows=60, hosts=HOSTS, seed=seed)
    return trace.transform("load=0.8:1Gbps")


def mean_cct(env, thresholds, seed):
    """The mean CCT of the workload of a seed, in seconds."""
    env.reset(seed=seed)
    done = False
    total = 0.0
    while not done:
        _, reward, terminated, truncated, info = env.step(thresholds)
        total -= reward
        done = terminated or truncated
    return total / len(info["result"].coflows)


def train(env, generations, seed):
    """The best thresholds that are found from those of Aalo on, as an action."""
    start = env.default_action()
    options = {"popsize": PROPOSALS, "seed": seed, "bounds": [0, 1], "verbose": -9}
    search = cma.CMAEvolutionStrategy(start, 0.04, options)
    for generation in range(generations):
        seeds = [seed * 10_000 + generation * WORKLOADS + each for each in range(WORKLOADS)]
        usual = [mean_cct(env, start, each) for each in seeds]
        proposals = search.ask()
        costs = [
            np.mean([np.log(mean_cct(env, proposal, each) / before)
                     for each, before in zip(seeds, usual, strict=True)])
            for proposal in proposals
        ]  # fmt: skip
        search.tell(proposals, costs)
    return search.result.xfavorite


def compare(env, thresholds):
    """Aalo's mean CCT over that of thresholds on workloads that were not for training: ratios."""
    usual = env.default_action()
    return np.array(
        [mean_cct(env, usual, each) / mean_cct(env, thresholds, each) for each in HELD_OUT]
    )


def tell(name, thresholds, ratios):
    limits = thresholds_of_action(thresholds)
    gain = np.exp(np.log(ratios).mean())
    error = 1.96 * np.log(ratios).std(ddof=1) / np.sqrt(len(ratios))
    print(
        f"{name}: Aalo's CCT is {gain:.3f} times as long (95 %: {gain * np.exp(-error):.3f} to "
        f"{gain * np.exp(error):.3f}); better in {np.mean(ratios > 1):.0%} of {len(ratios)} "
        f"workloads; thresholds {' '.join(f'{each:.2g}' for each in limits)}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=3)
    command = parser.parse_args()
    # One decision for a whole episode: the thresholds stay as they are.
    environment = CoflowEnv(
        make_trace, nc.BigSwitch(hosts=HOSTS), action="thresholds", interval="100000s"
    )
    for number in range(1, command.seeds + 1):
        learnt = train(environment, command.generations, number)
        tell(f"seed {number}", learnt, compare(environment, learnt))
