#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""How many steps a second environments make, on the workload and the network of the demo.

python3 bench/gym_steps.py [SECONDS]
"""

import statistics
import sys
import time

import ns3coflow as nc
from ns3coflow.gym import CoflowEnv


def steps_per_second(env: CoflowEnv, seconds: float) -> tuple[float, int]:
    """Steps a second, resets included, and the steps of an episode."""
    action = env.default_action()
    steps = episodes = 0
    begin = time.perf_counter()
    while time.perf_counter() < begin + seconds:
        env.reset(seed=1)
        done = False
        while not done:
            _, _, terminated, truncated, _ = env.step(action)
            done = terminated or truncated
            steps += 1
        episodes += 1
    return steps / (time.perf_counter() - begin), steps // episodes


def main() -> None:
    """Prints a line per kind of environment: the median of five."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for engine in ("fluid", "packet"):
        for action, view in (
            ("order", "clairvoyant"),
            ("order", "attained"),
            ("weights", "attained"),
            ("thresholds", "attained"),
        ):
            env = CoflowEnv(
                nc.Trace.sample(),
                nc.FatTree(k=4),
                engine=engine,
                action=action,
                view=view,
                **({"RngRun": 1} if engine == "packet" else {}),
            )
            found = [steps_per_second(env, seconds) for _ in range(5)]
            rate = statistics.median(rate for rate, _ in found)
            print(f"{engine} {action} {view}: {rate:.0f} steps/s, {found[0][1]} steps an episode")
            env.close()


if __name__ == "__main__":
    main()
