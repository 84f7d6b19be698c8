# SPDX-License-Identifier: GPL-2.0-only
"""Environments for learning: what Gymnasium checks, mistakes, seeds, processes."""

from functools import partial

import numpy as np
import pytest

import ns3coflow as nc
from conftest import run_python
from episodes import SWITCH, TWO, by, play, rewards

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from ns3coflow.gym import CoflowEnv  # noqa: E402

KINDS = [
    ("order", "clairvoyant"),
    ("order", "attained"),
    ("weights", "clairvoyant"),
    ("weights", "attained"),
    ("thresholds", "attained"),
]


@pytest.mark.parametrize("engine", ["fluid", "packet"])
@pytest.mark.parametrize(("action", "view"), KINDS, ids=lambda each: each)
def test_gymnasium_finds_nothing_wrong(make_env, trace, engine, action, view):
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
def test_a_view_without_sizes_has_none(make_env, trace, action):
    """Two workloads that differ in sizes alone look the same until something ends."""

    limit = {"firstThreshold": 1e6} if action == "thresholds" else {}

    def first_of(factor):
        other = trace.transform(scale_bytes=factor)
        return make_env(other, nc.FatTree(k=4), action=action, view="attained", **limit).reset()[0]

    small, large = first_of(1), first_of(3)
    for name, values in small.items():
        np.testing.assert_array_equal(values, large[name], err_msg=name)
    assert set(small) == {
        "present", "age", "width", "flows", "sent", "flows_at_port", "port_rate"
    }  # fmt: skip


def test_workloads_come_from_a_seed(make_env):
    def generate(seed):
        return nc.Trace.generate("fb-like", coflows=12, hosts=8, seed=seed)

    env = make_env(generate, nc.BigSwitch(hosts=8))
    first = rewards(play(env, by("sent"), seed=5)[0])
    second = rewards(play(env, by("sent"))[0])
    assert first != second
    assert rewards(play(env, by("sent"), seed=5)[0]) == first
    assert rewards(play(env, by("sent"))[0]) == second


def test_an_episode_can_be_left(make_env, trace):
    env = make_env(trace, nc.FatTree(k=4))
    for _ in range(3):
        env.reset()
        env.step(np.zeros(64))
    env.close()
    with pytest.raises(nc.InputError, match="no episode is open"):
        env.step(np.zeros(64))
    play(env, by("sent"))
    with pytest.raises(nc.InputError, match="no episode is open"):
        env.step(np.zeros(64))


def test_one_simulator_per_process(make_env, trace):
    some, switch = trace.first(4), nc.BigSwitch(hosts=16)
    packets = make_env(some, switch, engine="packet", bypassBytes=0)
    fluid = make_env(some, switch)
    other = make_env(some, switch, engine="packet", bypassBytes=0)
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
    second = make_env(some, switch)
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
def test_bad_actions_are_told(make_env, action, wrong, message):
    env = make_env(TWO, SWITCH, action=action)
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


def test_bad_episodes_are_told(make_env):
    with pytest.raises(nc.InputError, match="trace is 3; allowed: a Trace, or a function"):
        CoflowEnv(3)
    with pytest.raises(nc.InputError, match=r"options of reset.*allowed: none"):
        make_env(TWO, SWITCH).reset(options={"trace": 1})
    with pytest.raises(nc.InputError, match="has no decision for an agent"):
        make_env(TWO, SWITCH, bypassBytes="1GB").reset()
    with pytest.raises(nc.InputError, match="hosts"):
        make_env(TWO, nc.BigSwitch(hosts=2)).reset()


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


@pytest.mark.parametrize("engine", ["fluid", "packet"])
def test_a_fork_is_told_that_the_episode_is_not_its_own(engine):
    done = run_python(
        "import os, sys, numpy as np, ns3coflow as nc\n"
        "from ns3coflow.gym import CoflowEnv\n"
        "trace = nc.Trace.sample().first(6)\n"
        f"env = CoflowEnv(trace, nc.FatTree(k=4), engine={engine!r}, bypassBytes=0)\n"
        "env.reset()\n"
        "if os.fork() == 0:\n"
        "    for use in (lambda: env.step(np.zeros(64)), env.reset, env.close):\n"
        "        try:\n"
        "            use()\n"
        "            print('done')\n"
        "        except nc.InputError as error:\n"
        "            print('told' if 'forked' in str(error) else error)\n"
        "    sys.exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))\n"
        "env.step(np.zeros(64))\n",
        timeout=60,
    )
    # ns-3's simulator is in the state of the parent's episode, and cannot begin anew.
    said = "told\ndone\ndone\n" if engine == "fluid" else "told\ntold\ndone\n"
    assert (done.returncode, done.stdout) == (0, said + "7\n"), done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"interval": -1}, "interval is '-1'"),
        ({"interval": object()}, "interval is <object"),
        ({"trace": lambda seed: 5}, "returned 5; allowed: a Trace"),
    ],
)
def test_wrong_arguments_are_told(make_env, arguments, message):
    with pytest.raises(nc.InputError, match=message):
        make_env(**{"trace": TWO, "topology": SWITCH, **arguments}).reset(seed=1)


def test_complex_actions_are_refused(make_env):
    env = make_env(TWO, SWITCH)
    env.reset(seed=1)
    with pytest.raises(nc.InputError, match="real numbers"):
        env.step(np.zeros(64, complex))


def test_an_interrupt_ends_an_episode():
    done = run_python(
        "import os, signal, threading, numpy as np, ns3coflow as nc\n"
        "from ns3coflow.gym import CoflowEnv\n"
        "trace = nc.Trace.generate('fb-like', coflows=500, hosts=32, seed=1)\n"
        "env = CoflowEnv(trace, nc.BigSwitch(hosts=32), engine='packet', interval='100000s')\n"
        # A program that was started in the background may have been told to ignore it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
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
