# SPDX-License-Identifier: GPL-2.0-only
"""Learn the thresholds of D-CLAS, and compare them with the thresholds of Aalo.

python train_thresholds.py [--generations=N] [--seeds=N] [--packets]

An agent proposes a first threshold and the ratio between successive thresholds. An episode in the
fluid engine gives the reward of the proposal, and CMA-ES (pip install cma) proposes better
thresholds. All proposals of a generation see the same workloads. At the end, the program compares
the learned thresholds with those of Aalo on workloads that were not used for training; with
--packets also in ns-3.
"""

import argparse

import cma
import numpy as np

import ns3coflow as nc
from ns3coflow.gym import CoflowEnv, action_of_thresholds

HOSTS = 16
PROPOSALS = 8  # of a generation
WORKLOADS = 4  # on which each proposal is tried
HELD_OUT = range(1_000_000, 1_000_050)  # seeds of workloads that are not for training
AALO = (7.0, 1.0)  # log10 of 10 MB and of a ratio of 10
SCALE = 0.004  # of sizes and thresholds in packets


def make_trace(seed):
    """Coflows like those of the public trace, as many as keep the links busy."""
    trace = nc.Trace.generate("fb-like", coflows=60, hosts=HOSTS, seed=seed)
    return trace.transform("load=0.8:1Gbps")


def make_small_trace(seed):
    """The same with smaller sizes."""
    return make_trace(seed).transform(f"scale={SCALE}")


def make_env(trace, engine):
    """Thresholds stay as they are for a whole episode: it has one decision."""
    switch = nc.BigSwitch(hosts=HOSTS)
    return CoflowEnv(trace, switch, engine=engine, action="thresholds", interval="100000s")


def to_action(env, proposal, scale):
    """What stands for a first threshold and a ratio, given as log10."""
    first, ratio = proposal
    exponents = first + max(0.0, ratio) * np.arange(len(env.action_space.low))
    return action_of_thresholds(np.maximum(1, scale * 10 ** np.clip(exponents, 0, 18)))


def mean_cct(env, proposal, seed, scale=1):
    """The mean CCT of the workload of a seed, in seconds."""
    action = to_action(env, proposal, scale)
    env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        _, reward, terminated, truncated, info = env.step(action)
        total -= reward
        over = terminated or truncated
    return total / len(info["result"].coflows)


def train(env, generations, seed):
    """The first threshold and the ratio that are found from those of Aalo on."""
    options = {"popsize": PROPOSALS, "seed": seed, "verbose": -9}
    search = cma.CMAEvolutionStrategy(AALO, 0.3, options)
    for generation in range(generations):
        seeds = [seed * 10_000 + generation * WORKLOADS + each for each in range(WORKLOADS)]
        usual = np.array([mean_cct(env, AALO, each) for each in seeds])
        proposals = search.ask()
        found = [[mean_cct(env, proposal, each) for each in seeds] for proposal in proposals]
        search.tell(proposals, [np.log(ccts / usual).mean() for ccts in found])
    return search.result.xfavorite


def tell(seed, learnt, engine, env, seeds, scale):
    """Prints Aalo's mean CCT over that of what was learnt: the mean over workloads held out."""
    usual = np.array([mean_cct(env, AALO, each, scale) for each in seeds])
    logs = np.log(usual / [mean_cct(env, learnt, each, scale) for each in seeds])
    error = 1.96 * logs.std(ddof=1) / np.sqrt(len(logs))
    gain, low, high = np.exp(logs.mean() + np.array([0, -error, error]))
    first, ratio = 10 ** np.array(learnt)
    print(
        f"{seed:4} {first / 1e6:8.1f} {ratio:5.2f} {engine:>6} {len(seeds):9} {gain:8.3f} "
        f"{low:5.3f} {high:5.3f} {(logs > 0).mean():6.0%}",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--generations", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--packets", action="store_true")
    command = parser.parse_args()
    fluid = make_env(make_trace, "fluid")
    print("seed first_MB ratio engine workloads speed_up   low  high better")
    for number in range(1, command.seeds + 1):
        learnt = train(fluid, command.generations, number)
        tell(number, learnt, "fluid", fluid, HELD_OUT, 1)
        if command.packets:
            packets = make_env(make_small_trace, "packet")
            tell(number, learnt, "packet", packets, HELD_OUT[:12], SCALE)
            packets.close()
