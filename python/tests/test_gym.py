# SPDX-License-Identifier: GPL-2.0-only
"""Environments for learning: episodes by hand, and agents that are twins of schedulers."""

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from episodes import SWITCH, TWO, by, play, rewards, table

pytest.importorskip("gymnasium")
from ns3coflow.gym import action_of_thresholds, thresholds_of_action


def longest_wait(observed, info):
    """Smallest bottleneck first: the longest time that a port needs."""
    waits = (observed["remaining_at_port"] / observed["port_rate"]).max(axis=1)
    return by("waits")({"waits": waits}, info)


def test_an_episode_by_hand(make_env):
    """Coflow 1 has the uplink until coflow 2 comes, which goes first."""
    env = make_env(TWO, SWITCH, max_coflows=3)
    observed, info = env.reset()
    assert info == {"time_s": 0, "coflows": [1], "hidden": 0}
    np.testing.assert_array_equal(observed["present"], [1, 0, 0])
    np.testing.assert_array_equal(observed["remaining"], [8e6, 0, 0])
    np.testing.assert_array_equal(observed["port_rate"], [1e9] * 8)
    ports = np.zeros((3, 8))
    ports[0, [0, 4 + 1]] = 1
    np.testing.assert_array_equal(observed["flows_at_port"], ports)
    np.testing.assert_array_equal(observed["remaining_at_port"], 8e6 * ports)

    observed, reward, terminated, truncated, info = env.step([0.5, 0, 0])
    assert reward == pytest.approx(-2e-3)  # one coflow for 2 ms
    assert (terminated, truncated) == (False, False)
    assert info == {"time_s": 0.002, "coflows": [1, 2], "hidden": 0}
    np.testing.assert_allclose(observed["age"], [0.002, 0, 0])
    np.testing.assert_allclose(observed["sent"], [2e6, 0, 0])
    np.testing.assert_allclose(observed["remaining"], [6e6, 3e6, 0])
    np.testing.assert_array_equal(observed["total"], [8e6, 3e6, 0])
    np.testing.assert_array_equal(observed["width"], [1, 1, 0])

    observed, reward, terminated, truncated, info = env.step([0.5, 0.2, 0])
    assert reward == pytest.approx(-6e-3)  # two coflows for 3 ms
    assert info == {"time_s": 0.005, "coflows": [1], "hidden": 0}
    observed, reward, terminated, truncated, info = env.step([0, 0, 0])
    assert reward == pytest.approx(-6e-3)  # one coflow for 6 ms
    assert (terminated, truncated) == (True, False)
    assert not observed["present"].any()
    assert info["time_s"] == 0.011
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.011, 0.003])


def test_the_other_order_by_hand(make_env):
    steps, info = play(make_env(TWO, SWITCH), lambda observed, info: np.zeros(64))
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.008, 0.009])
    assert [reward for _, reward, _ in steps] == pytest.approx([-2e-3, -12e-3, -3e-3])


@pytest.mark.parametrize("view", ["clairvoyant", "attained"])
def test_weights_by_hand(make_env, view):
    """Weights 1 and 0.5: coflow 2 has a third of the uplink, and 3 MB take 9 ms."""
    env = make_env(TWO, SWITCH, action="weights", view=view, max_coflows=2)
    steps, info = play(env, lambda observed, info: [1, 1 - np.log10(2) / 3])
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.011, 0.009], abs=1e-8)
    # Both end at 11 ms: 2 ms with one coflow, 9 ms with two.
    assert rewards(steps) == pytest.approx(-20e-3)


def test_thresholds_by_hand(make_env):
    """Coflow 1 falls at its threshold, and coflow 2, which has not passed it, has the uplink."""
    strict = {"queues": 2, "sharing": "strict", "delta": 0, "coalesce": 0}
    env = make_env(TWO, SWITCH, action="thresholds", **strict)
    # Falls at 5 ms: coflow 2 runs 5..8, coflow 1 until 11.
    _, info = play(env, lambda observed, info: action_of_thresholds([5e6]))
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.011, 0.006])
    # The threshold moves to 1 MB when coflow 2 comes: coflow 1 falls at 2 ms, coflow 2 at 3 ms.
    # Both are in the last queue then, in order of arrival.
    _, info = play(env, lambda observed, info: [(7 if info["time_s"] == 0 else 6) / 18])
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.009, 0.009])


def test_intervals_by_hand(make_env):
    """Between two decisions the last one counts, and a newcomer comes last."""
    env = make_env(TWO, SWITCH, interval="4ms")
    steps, info = play(env, by("remaining"))
    assert [step[2]["time_s"] for step in steps] == pytest.approx([0.004, 0.008, 0.011])
    # Coflow 1 goes on until 4 ms, coflow 2 has it until 7 ms.
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.011, 0.005])
    # 0..2 one, 2..4 two; 4..7 two, 7..8 one; 8..11 one.
    assert [reward for _, reward, _ in steps] == pytest.approx([-6e-3, -7e-3, -3e-3])


def test_an_interval_without_coflows_has_no_decision(make_env):
    env = make_env(table((1, 0, 0, 1, 1), (2, 50, 0, 1, 1)), SWITCH, interval="10ms")
    steps, _ = play(env, by("sent"))
    assert [step[2]["time_s"] for step in steps] == pytest.approx([0.05, 0.051])
    assert [reward for _, reward, _ in steps] == pytest.approx([-1e-3, -1e-3])


def test_coflows_without_a_slot_come_last(make_env):
    trace = table(*[(coflow, 0, 0, 1, 1) for coflow in (1, 2, 3, 4)])
    env = make_env(trace, SWITCH, max_coflows=2)
    _, info = env.reset()
    assert info == {"time_s": 0, "coflows": [1, 2], "hidden": 2}
    # Keys of 1 are as late as a slot can be.
    _, info = play(env, lambda observed, info: [1, 1])
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.001, 0.002, 0.003, 0.004])


def test_a_run_that_is_stopped_is_truncated(make_env):
    env = make_env(TWO, SWITCH, stop=0.004)
    env.reset()
    assert env.step(np.zeros(64))[2:4] == (False, False)
    _, reward, terminated, truncated, info = env.step(np.zeros(64))
    assert (terminated, truncated) == (False, True)
    assert reward == pytest.approx(-4e-3)  # two coflows for 2 ms
    assert info["time_s"] == 0.004
    assert info["result"].unfinished == 2


@pytest.mark.parametrize(
    ("agent", "twin", "options"),
    [
        (by("length"), "scf", {}),
        (by("length"), "scf", {"backfill": False}),
        (by("width"), "ncf", {}),
        (longest_wait, "varys", {}),
        (lambda observed, info: np.zeros(64), "fifo", {}),
    ],
    ids=["scf", "scf-madd", "ncf", "varys", "fifo"],
)
def test_an_order_is_that_of_its_twin(make_env, trace, agent, twin, options):
    """The agent has all of the scheduler: the same flows to the nanosecond."""
    base = nc.Experiment(trace, nc.FatTree(k=4), twin, engine="fluid", T=0, **options)
    theirs = base.run()
    steps, info = play(make_env(trace, nc.FatTree(k=4), **options), agent)
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    assert rewards(steps) == pytest.approx(-theirs.coflows["cct_s"].sum())


def test_the_guard_against_starvation_can_be_had(make_env, trace):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), "scf", engine="fluid", T="4ms").run()
    _, info = play(make_env(trace, nc.FatTree(k=4), T="4ms"), by("length"))
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    without = nc.Experiment(trace, nc.FatTree(k=4), "scf", engine="fluid", T=0).run()
    assert not without.flows.equals(theirs.flows)


class LeastAttained(nc.AttainedOrderPolicy):
    """Least attained service first, at arrivals and ends."""

    def setup(self):
        self.known = {}

    def keys(self, view):
        ids = view.id.tolist()
        if list(self.known) != ids:
            self.known = dict(zip(ids, view.sent.tolist(), strict=True))
        return [self.known[each] for each in ids]


def test_an_order_without_sizes_is_that_of_its_twin(make_env, trace):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), LeastAttained, engine="fluid").run()
    steps, info = play(make_env(trace, nc.FatTree(k=4), view="attained"), by("sent"))
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    assert rewards(steps) == pytest.approx(-theirs.coflows["cct_s"].sum())


@pytest.mark.parametrize("view", ["clairvoyant", "attained"])
def test_equal_weights_are_max_min_fair(make_env, trace, view):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), "max-min", engine="fluid").run()
    env = make_env(trace, nc.FatTree(k=4), action="weights", view=view)
    _, info = play(env, lambda observed, info: env.default_action())
    # The built-in one keeps clocks per port instead of rates: the same but for rounding.
    np.testing.assert_allclose(info["result"].coflows["cct_s"], theirs.coflows["cct_s"], atol=2e-8)


@pytest.mark.parametrize("options", [{}, {"queues": 4, "factor": 3, "delta": 0}], ids=str)
def test_default_thresholds_are_those_of_aalo(make_env, trace, options):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), "aalo", engine="fluid", **options).run()
    env = make_env(trace, nc.FatTree(k=4), action="thresholds", **options)
    default = env.default_action()
    factor = options.get("factor", 10)
    expected = 10e6 * trace.scale * factor ** np.arange(len(default))
    np.testing.assert_array_equal(thresholds_of_action(default), expected.round())
    steps, info = play(env, lambda observed, info: default)
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    assert rewards(steps) == pytest.approx(-theirs.coflows["cct_s"].sum())
    # In any order they are the same.
    _, info = play(env, lambda observed, info: default[::-1])
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    # Other thresholds are not.
    _, info = play(env, lambda observed, info: default - 1 / 18)
    assert not info["result"].flows.equals(theirs.flows)


def test_packets_in_the_order_of_a_twin(make_env, trace):
    """What the agent says travels in messages of the coordinator."""
    some = trace.first(8)
    options = {"bypassBytes": 0, "T": 0, "RngRun": 1}
    theirs = nc.Experiment(some, nc.BigSwitch(hosts=16), "scf", **options).run()
    env = make_env(some, nc.BigSwitch(hosts=16), engine="packet", **options)
    steps, info = play(env, by("length"))
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    assert info["result"].summary["network"] == theirs.summary["network"]
    assert rewards(steps) == pytest.approx(-theirs.coflows["cct_s"].sum())
    # The coordinator hears of a coflow after it has come.
    _, first = env.reset()
    assert first["time_s"] > 0


def test_packets_under_thresholds(make_env, trace):
    """With those of Aalo there are messages that tell hosts of them, and else nothing new."""
    some = trace.first(12)
    # Messages that take no time, so that those which are more change nothing.
    options = {"delta": "1ms", "controlTransport": "ideal", "RngRun": 1}
    aalo = nc.Experiment(some, nc.BigSwitch(hosts=16), "aalo", **options).run()
    env = make_env(some, nc.BigSwitch(hosts=16), engine="packet", action="thresholds", **options)
    _, info = play(env, lambda observed, info: env.default_action())
    ours = info["result"]
    sent = ours.summary["control"]["by_type"]["QueueThresholds"]
    assert sent["messages"] == 16  # once to every host: they do not change
    assert "QueueThresholds" not in aalo.summary["control"]["by_type"]
    pd.testing.assert_frame_equal(ours.flows, aalo.flows, check_exact=True)
    # With all coflows in the last queue it is another scheduler.
    _, info = play(env, lambda observed, info: np.zeros(9))
    assert not info["result"].flows.equals(aalo.flows)
    # Thresholds that change at every decision are told again, over the network as well.
    env = make_env(
        some, nc.BigSwitch(hosts=16), engine="packet", action="thresholds", delta="1ms", RngRun=1
    )
    steps, info = play(env, lambda observed, info: env.action_space.sample())
    sent = info["result"].summary["control"]["by_type"]["QueueThresholds"]
    assert sent["messages"] == 16 * len(steps)
    assert info["result"].unfinished == 0
