# SPDX-License-Identifier: GPL-2.0-only
"""Environments for learning: episodes by hand, and agents that are twins of schedulers."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from conftest import run_python

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from ns3coflow.gym import (  # noqa: E402
    CoflowEnv,
    action_of_thresholds,
    thresholds_of_action,
)

KINDS = [
    ("order", "clairvoyant"),
    ("order", "attained"),
    ("weights", "clairvoyant"),
    ("weights", "attained"),
    ("thresholds", "attained"),
]


@pytest.fixture
def make():
    """Makes environments, which are closed in the end: a process may have one of packets."""
    made = []

    def factory(*arguments, **keywords):
        made.append(CoflowEnv(*arguments, **keywords))
        return made[-1]

    yield factory
    for env in made:
        env.close()


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


def longest_wait(observed, info):
    """Smallest bottleneck first: the longest time that a port needs."""
    waits = (observed["remaining_at_port"] / observed["port_rate"]).max(axis=1)
    return by("waits")({"waits": waits}, info)


def test_an_episode_by_hand(make):
    """Coflow 1 has the uplink until coflow 2 comes, which goes first."""
    env = make(TWO, SWITCH, max_coflows=3)
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


def test_the_other_order_by_hand(make):
    steps, info = play(make(TWO, SWITCH), lambda observed, info: np.zeros(64))
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.008, 0.009])
    assert [reward for _, reward, _ in steps] == pytest.approx([-2e-3, -12e-3, -3e-3])


@pytest.mark.parametrize("view", ["clairvoyant", "attained"])
def test_weights_by_hand(make, view):
    """Weights 1 and 0.5: coflow 2 has a third of the uplink, and 3 MB take 9 ms."""
    env = make(TWO, SWITCH, action="weights", view=view, max_coflows=2)
    steps, info = play(env, lambda observed, info: [1, 1 - np.log10(2) / 3])
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.011, 0.009], abs=1e-8)
    # Both end at 11 ms: 2 ms with one coflow, 9 ms with two.
    assert rewards(steps) == pytest.approx(-20e-3)


def test_thresholds_by_hand(make):
    """Coflow 1 falls at its threshold, and coflow 2, which has not passed it, has the uplink."""
    strict = {"queues": 2, "sharing": "strict", "delta": 0, "coalesce": 0}
    env = make(TWO, SWITCH, action="thresholds", **strict)
    # Falls at 5 ms: coflow 2 runs 5..8, coflow 1 until 11.
    _, info = play(env, lambda observed, info: action_of_thresholds([5e6]))
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.011, 0.006])
    # The threshold moves to 1 MB when coflow 2 comes: coflow 1 falls at 2 ms, coflow 2 at 3 ms.
    # Both are in the last queue then, in order of arrival.
    _, info = play(env, lambda observed, info: [(7 if info["time_s"] == 0 else 6) / 18])
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.009, 0.009])


def test_intervals_by_hand(make):
    """Between two decisions the last one counts, and a newcomer comes last."""
    env = make(TWO, SWITCH, interval="4ms")
    steps, info = play(env, by("remaining"))
    assert [step[2]["time_s"] for step in steps] == pytest.approx([0.004, 0.008, 0.011])
    # Coflow 1 goes on until 4 ms, coflow 2 has it until 7 ms.
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.011, 0.005])
    # 0..2 one, 2..4 two; 4..7 two, 7..8 one; 8..11 one.
    assert [reward for _, reward, _ in steps] == pytest.approx([-6e-3, -7e-3, -3e-3])


def test_an_interval_without_coflows_has_no_decision(make):
    env = make(table((1, 0, 0, 1, 1), (2, 50, 0, 1, 1)), SWITCH, interval="10ms")
    steps, _ = play(env, by("sent"))
    assert [step[2]["time_s"] for step in steps] == pytest.approx([0.05, 0.051])
    assert [reward for _, reward, _ in steps] == pytest.approx([-1e-3, -1e-3])


def test_coflows_without_a_slot_come_last(make):
    trace = table(*[(coflow, 0, 0, 1, 1) for coflow in (1, 2, 3, 4)])
    env = make(trace, SWITCH, max_coflows=2)
    _, info = env.reset()
    assert info == {"time_s": 0, "coflows": [1, 2], "hidden": 2}
    # Keys of 1 are as late as a slot can be.
    _, info = play(env, lambda observed, info: [1, 1])
    assert info["result"].coflows["cct_s"].tolist() == pytest.approx([0.001, 0.002, 0.003, 0.004])


def test_a_run_that_is_stopped_is_truncated(make):
    env = make(TWO, SWITCH, stop=0.004)
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
def test_an_order_is_that_of_its_twin(make, trace, agent, twin, options):
    """The agent has all of the scheduler: the same flows to the nanosecond."""
    base = nc.Experiment(trace, nc.FatTree(k=4), twin, engine="fluid", T=0, **options)
    theirs = base.run()
    steps, info = play(make(trace, nc.FatTree(k=4), **options), agent)
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    assert rewards(steps) == pytest.approx(-theirs.coflows["cct_s"].sum())


def test_the_guard_against_starvation_can_be_had(make, trace):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), "scf", engine="fluid", T="4ms").run()
    _, info = play(make(trace, nc.FatTree(k=4), T="4ms"), by("length"))
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


def test_an_order_without_sizes_is_that_of_its_twin(make, trace):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), LeastAttained, engine="fluid").run()
    steps, info = play(make(trace, nc.FatTree(k=4), view="attained"), by("sent"))
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    assert rewards(steps) == pytest.approx(-theirs.coflows["cct_s"].sum())


@pytest.mark.parametrize("view", ["clairvoyant", "attained"])
def test_equal_weights_are_max_min_fair(make, trace, view):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), "max-min", engine="fluid").run()
    env = make(trace, nc.FatTree(k=4), action="weights", view=view)
    _, info = play(env, lambda observed, info: env.default_action())
    # The built-in one keeps clocks per port instead of rates: the same but for rounding.
    np.testing.assert_allclose(info["result"].coflows["cct_s"], theirs.coflows["cct_s"], atol=2e-8)


@pytest.mark.parametrize("options", [{}, {"queues": 4, "factor": 3, "delta": 0}], ids=str)
def test_default_thresholds_are_those_of_aalo(make, trace, options):
    theirs = nc.Experiment(trace, nc.FatTree(k=4), "aalo", engine="fluid", **options).run()
    env = make(trace, nc.FatTree(k=4), action="thresholds", **options)
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


def test_packets_in_the_order_of_a_twin(make, trace):
    """What the agent says travels in messages of the coordinator."""
    some = trace.first(8)
    options = {"bypassBytes": 0, "T": 0, "RngRun": 1}
    theirs = nc.Experiment(some, nc.BigSwitch(hosts=16), "scf", **options).run()
    env = make(some, nc.BigSwitch(hosts=16), engine="packet", **options)
    steps, info = play(env, by("length"))
    pd.testing.assert_frame_equal(info["result"].flows, theirs.flows, check_exact=True)
    assert info["result"].summary["network"] == theirs.summary["network"]
    assert rewards(steps) == pytest.approx(-theirs.coflows["cct_s"].sum())
    # The coordinator hears of a coflow after it has come.
    _, first = env.reset()
    assert first["time_s"] > 0


def test_packets_under_thresholds(make, trace):
    """With those of Aalo there are messages that tell hosts of them, and else nothing new."""
    some = trace.first(12)
    # Messages that take no time, so that those which are more change nothing.
    options = {"delta": "1ms", "controlTransport": "ideal", "RngRun": 1}
    aalo = nc.Experiment(some, nc.BigSwitch(hosts=16), "aalo", **options).run()
    env = make(some, nc.BigSwitch(hosts=16), engine="packet", action="thresholds", **options)
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
    env = make(
        some, nc.BigSwitch(hosts=16), engine="packet", action="thresholds", delta="1ms", RngRun=1
    )
    steps, info = play(env, lambda observed, info: env.action_space.sample())
    sent = info["result"].summary["control"]["by_type"]["QueueThresholds"]
    assert sent["messages"] == 16 * len(steps)
    assert info["result"].unfinished == 0


@pytest.mark.parametrize("engine", ["fluid", "packet"])
@pytest.mark.parametrize(("action", "view"), KINDS, ids=lambda each: each)
def test_gymnasium_finds_nothing_wrong(make, trace, engine, action, view):
    env = gymnasium.make(
        "ns3coflow/Coflow-v0",
        trace=trace.first(6),
        topology=nc.BigSwitch(hosts=16),
        engine=engine,
        action=action,
        view=view,
        **({"bypassBytes": 0} if engine == "packet" and view == "clairvoyant" else {}),
    ).unwrapped
    check_env(env)  # warnings are errors here
    env.close()
    assert ("remaining" in env.observation_space.spaces) == (view == "clairvoyant")


@pytest.mark.parametrize("action", ["order", "weights", "thresholds"])
def test_a_view_without_sizes_has_none(make, trace, action):
    """Two workloads that differ in sizes alone look the same until something ends."""

    limit = {"firstThreshold": 1e6} if action == "thresholds" else {}

    def first_of(factor):
        other = trace.transform(scale_bytes=factor)
        return make(other, nc.FatTree(k=4), action=action, view="attained", **limit).reset()[0]

    small, large = first_of(1), first_of(3)
    for name, values in small.items():
        np.testing.assert_array_equal(values, large[name], err_msg=name)
    assert set(small) == {
        "present", "age", "width", "flows", "sent", "flows_at_port", "port_rate"
    }  # fmt: skip


def test_workloads_come_from_a_seed(make):
    def generate(seed):
        return nc.Trace.generate("fb-like", coflows=12, hosts=8, seed=seed)

    env = make(generate, nc.BigSwitch(hosts=8))
    first = rewards(play(env, by("sent"), seed=5)[0])
    second = rewards(play(env, by("sent"))[0])
    assert first != second
    assert rewards(play(env, by("sent"), seed=5)[0]) == first
    assert rewards(play(env, by("sent"))[0]) == second


def test_an_episode_can_be_left(make, trace):
    env = make(trace, nc.FatTree(k=4))
    for _ in range(3):
        env.reset()
        env.step(np.zeros(64))
    env.close()
    with pytest.raises(nc.InputError, match="no episode is open"):
        env.step(np.zeros(64))
    play(env, by("sent"))
    with pytest.raises(nc.InputError, match="no episode is open"):
        env.step(np.zeros(64))


def test_one_simulator_per_process(make, trace):
    some, switch = trace.first(4), nc.BigSwitch(hosts=16)
    packets = make(some, switch, engine="packet", bypassBytes=0)
    fluid = make(some, switch)
    other = make(some, switch, engine="packet", bypassBytes=0)
    packets.reset()
    message = "one simulator per process; allowed: to close.*AsyncVectorEnv"
    with pytest.raises(nc.InputError, match=message):
        other.reset()
    with pytest.raises(nc.InputError, match=message):
        fluid.reset()
    run = nc.Experiment(some, switch, "fair")
    with pytest.raises(nc.InputError, match=message):
        run.run(isolate=False)
    run.run()  # in a process of its own
    packets.step(np.zeros(64))
    packets.close()
    other.reset()
    other.close()
    # Any number of fluid ones go side by side.
    second = make(some, switch)
    assert rewards(play(fluid, by("sent"))[0]) == rewards(play(second, by("sent"))[0])


@pytest.mark.parametrize(
    ("action", "wrong", "message"),
    [
        ("order", np.zeros(3), r"shape \(3,\); allowed: \(64,\) for order"),
        ("order", np.full(64, 1.5), "has 1.5 in place 0; allowed: numbers from 0 to 1"),
        ("order", np.full(64, np.nan), "has nan in place 0"),
        ("order", "first", "allowed: an array of numbers"),
        ("weights", [1] * 63 + [-0.1], "has -0.1 in place 63; allowed: numbers from 0 to 1"),
        ("thresholds", np.zeros(10), r"shape \(10,\); allowed: \(9,\) for thresholds"),
        ("thresholds", np.full(9, 4), "has 4.0 in place 0; allowed: numbers from 0 to 1"),
    ],
)
def test_bad_actions_are_told(make, action, wrong, message):
    env = make(TWO, SWITCH, action=action)
    env.reset()
    with pytest.raises(nc.InputError, match=message):
        env.step(wrong)
    env.step(env.default_action())  # and nothing has happened


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"action": "rates"}, "action is 'rates'; allowed: order, weights, thresholds"),
        ({"view": "all"}, "view is 'all' with the action order; allowed: clairvoyant, attained"),
        ({"action": "thresholds", "view": "clairvoyant"}, "allowed: attained"),
        ({"max_coflows": 0}, "max_coflows is 0; allowed: at least 1"),
        ({"interval": "soon"}, "interval is 'soon'; allowed"),
        ({"interval": "0s"}, "interval is '0s'; allowed"),
        ({"engine": "rocket"}, "engine is 'rocket'; allowed: packet, fluid"),
        ({"scheduler": "varys"}, "option scheduler is given to an environment"),
        ({"backfil": True}, "backfil.*backfill"),
        ({"render_mode": "human"}, "render_mode is 'human'; allowed: None"),
        ({"action": "thresholds", "queues": 1}, "queues=2 or more"),
    ],
)
def test_bad_arguments_are_told(keywords, message):
    with pytest.raises(nc.InputError, match=message):
        CoflowEnv(TWO, SWITCH, **keywords)


def test_bad_episodes_are_told(make):
    with pytest.raises(nc.InputError, match="trace is 3; allowed: a Trace, or a function"):
        CoflowEnv(3)
    with pytest.raises(nc.InputError, match=r"options of reset.*allowed: none"):
        make(TWO, SWITCH).reset(options={"trace": 1})
    with pytest.raises(nc.InputError, match="has no decision for an agent"):
        make(TWO, SWITCH, bypassBytes="1GB").reset()
    with pytest.raises(nc.InputError, match="hosts"):
        make(TWO, nc.BigSwitch(hosts=2)).reset()


def test_schedulers_that_ask_agents_need_one():
    """They are no schedulers of anybody else, and not listed."""
    assert not [name for name in nc.schedulers.names() if name.startswith("agent")]
    with pytest.raises(nc.InputError, match="run without one; allowed: in an environment"):
        nc.Experiment(TWO, SWITCH, "agent-order", engine="fluid").run(isolate=False)


@pytest.mark.parametrize("engine", ["fluid", "packet"])
def test_processes_side_by_side(trace, engine):
    options = {"bypassBytes": 0, "RngRun": 1} if engine == "packet" else {}
    one = partial(CoflowEnv, trace.first(6), nc.BigSwitch(hosts=16), engine=engine, **options)
    single = one()
    expected = [reward for _, reward, _ in play(single, by("length"))[0]]
    single.close()
    # Processes that are forked would have threads of ours, of which only the first lives on.
    envs = gymnasium.vector.AsyncVectorEnv([one, one], context="spawn")
    try:
        observed, _ = envs.reset(seed=1)
        for reward in expected[:-1]:
            ranks = [by("length")({"length": each}, None) for each in observed["length"]]
            observed, got, terminated, _, _ = envs.step(np.array(ranks))
            assert got.tolist() == pytest.approx([reward, reward])
            assert not terminated.any()
    finally:
        envs.close()


def test_it_is_registered(trace):
    env = gymnasium.make("ns3coflow/Coflow-v0", trace=TWO, topology=SWITCH, interval="1ms")
    assert isinstance(env.unwrapped, CoflowEnv)
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.close()


def test_without_gymnasium():
    done = run_python(
        "import sys\n"
        "sys.modules['gymnasium'] = None\n"
        "import ns3coflow\n"
        "try:\n"
        "    import ns3coflow.gym\n"
        "except ModuleNotFoundError as error:\n"
        "    print(error)\n"
    )
    assert "allowed: after pip install 'ns3coflow[gym]'" in done.stdout, done.stderr


def test_a_process_may_end_within_an_episode():
    done = run_python(
        "import numpy as np, ns3coflow as nc\n"
        "from ns3coflow.gym import CoflowEnv\n"
        "trace = nc.Trace.generate('incast', senders=4)\n"
        "for engine in ('fluid', 'packet'):\n"
        "    env = CoflowEnv(trace, nc.BigSwitch(hosts=5), engine=engine, bypassBytes=0)\n"
        "    env.reset()\n"
        "print('ended')\n",
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr


def test_a_fork_has_no_episode_of_its_parent():
    done = run_python(
        "import os, numpy as np, ns3coflow as nc\n"
        "from ns3coflow.gym import CoflowEnv\n"
        "env = CoflowEnv(nc.Trace.sample(), nc.FatTree(k=4))\n"
        "env.reset()\n"
        "if os.fork() == 0:\n"
        "    env.close()\n"
        "    env.reset()\n"
        "    env.step(np.zeros(64))\n"
        "    env.close()\n"
        "    os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))\n"
        "env.step(np.zeros(64))\n",
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


def test_an_interrupt_ends_an_episode():
    done = run_python(
        "import os, signal, threading, numpy as np, ns3coflow as nc\n"
        "from ns3coflow.gym import CoflowEnv\n"
        "trace = nc.Trace.generate('fb-like', coflows=500, hosts=32, seed=1)\n"
        "env = CoflowEnv(trace, nc.BigSwitch(hosts=32), engine='packet', interval='100000s')\n"
        "env.reset()\n"
        "threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    env.step(np.zeros(64))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
        "nc.Experiment(nc.Trace.sample().first(2), nc.FatTree(k=4)).run(isolate=False)\n",
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr
