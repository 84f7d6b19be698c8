# SPDX-License-Identifier: GPL-2.0-only
"""Gymnasium environments: an agent schedules the coflows of a run, decision by decision.

`CoflowEnv` is the environment, for both engines. Importing this module also registers `CoflowEnv`
with Gymnasium as "ns3coflow/Coflow-v0". The module needs the extra gym: pip install
'ns3coflow[gym]'.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

import numpy as np

from ns3coflow import _core, metadata
from ns3coflow._core import InputError
from ns3coflow.experiment import Experiment
from ns3coflow.result import Result
from ns3coflow.trace import Trace
from ns3coflow.values import to_text

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ModuleNotFoundError(
        "ns3coflow.gym needs the package gymnasium; allowed: after pip install 'ns3coflow[gym]'",
        name="gymnasium",
    ) from None

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ns3coflow.parts import Topology

__all__ = ["CoflowEnv", "action_of_thresholds", "thresholds_of_action"]

Observation: TypeAlias = "dict[str, npt.NDArray[Any]]"
Action: TypeAlias = "npt.NDArray[np.float64]"

_MOST = 1e18  # bytes, seconds, flows and rates are less
_LEAST_WEIGHT = 1e-3
_DECADES = 18  # of thresholds: 1 byte to what the parameter firstThreshold may be at most

# Which scheduler asks an agent, by action and view.
_SCHEDULERS = {
    ("order", "clairvoyant"): "agent-order",
    ("order", "attained"): "agent-order-attained",
    ("weights", "clairvoyant"): "agent-weights",
    ("weights", "attained"): "agent-weights-attained",
    ("thresholds", "attained"): "agent-thresholds",
}
_OF_COFLOWS = ("age", "width", "flows", "sent")
_OF_SIZES = ("total", "length", "bottleneck", "remaining")

metadata.describe()  # lists schedulers for everybody, and is kept: before those of agents come
_core.enter_agent_policies()


class CoflowEnv(gymnasium.Env[Observation, Action]):
    """An agent schedules coflows on a network; an episode is a run of a workload.

    Arguments:
        trace: the workload of every episode, or a function that makes a workload from a seed:
            `lambda seed: Trace.generate("fb-like", coflows=50, hosts=16, seed=seed)`.
        topology: a topology, or its name, as for Experiment.
        engine: "fluid" or "packet". At packet level, a coordinator asks the agent, and the
            decisions of the agent travel in control messages. ns-3 has one simulator per process.
            So only one environment of a process can be in an episode of the packet engine, and no
            other run can start in the process during the episode.
        action: the kind of decision: "order", "weights" or "thresholds", see below.
        view: what the agent observes. "clairvoyant" includes sizes; "attained" has the bytes sent
            and no sizes. The default is "clairvoyant". With thresholds, the default is "attained",
            because the scheduler does not know sizes.
        interval: time between two decisions while coflows are present, such as "10ms". With None,
            the agent decides whenever a coflow comes or goes.
        max_coflows: slots N of observations and actions. With more than N coflows, observations
            show the oldest N.
        render_mode: None; the environment draws nothing.
        options: any option of Experiment: `linkRate="10Gbps"`, `stop=3`, `RngRun=2`,
            `bypassBytes=0`, and parameters of the scheduler. With a clairvoyant order, the
            scheduler has the parameters of `scf`, with T = 0. With thresholds, the scheduler has
            the parameters of `aalo`. At packet level, every reset draws another RngRun unless
            RngRun is given.

    Observations are a dictionary of arrays. Slots hold the unfinished coflows in the order of
    their arrival. The slots behind the last coflow hold zeros. Ports are all uplinks of hosts, then
    all downlinks (P ports in total). Bytes, bytes per second and seconds are float64.

    * `present` (N): 1 where a slot holds a coflow.
    * `age` (N): seconds since the coflow could start.
    * `width`, `flows` (N): number of flows as registered, and number of unfinished flows.
    * `sent` (N): bytes moved so far.
    * `flows_at_port` (N, P): unfinished flows at each port.
    * `port_rate` (P): bytes per second.
    * clairvoyant only: `total`, `length`, `bottleneck` (N), bytes of all flows, of the largest
      flow and of the most loaded port, as registered; `remaining` (N) and `remaining_at_port` (N,
      P), bytes still to move.

    Actions are arrays of numbers from 0 to 1. Numbers of slots without a coflow have no effect.

    * "order": a key x per slot. The coflow with the smallest key is served first; equal keys are
      served in the order of arrival. Coflows that came after the last decision, and coflows without
      a slot, are served last. Rates are those of Varys (clairvoyant: MADD, then backfill), or
      max-min fair, coflow by coflow (attained).
    * "weights": x per slot means the weight 1000^(x - 1), from 0.001 to 1, for weighted max-min
      fairness among all flows. Each flow has the weight of its coflow. Coflows that the agent has
      not seen have the weight 1.
    * "thresholds": x of K - 1 queues means 10^(18 x) bytes. At these bytes, a coflow leaves queue
      0, 1, ..., K - 2 of Aalo's D-CLAS. Thresholds are rounded to bytes and sorted.
      `thresholds_of_action` and `action_of_thresholds` convert between actions and thresholds.

    The reward of a step is minus the growth of the sum of coflow completion times: minus the
    integral of the number of unfinished coflows over the time that passes, in seconds. The reward
    of the first step also includes the time before the first decision. So the rewards of an episode
    add up to minus the sum of all CCTs, including coflows that bypass the scheduler.

    `terminated` means that all coflows have finished. `truncated` means that the run ended earlier
    (option `stop`). `info` has `time_s`, `coflows` (ids by slot) and `hidden` (the number of
    coflows without a slot). At the end of an episode, `info` also has the Result, as `result`.

    Episodes are deterministic: the same arguments, seeds and actions give the same numbers.

    Raises InputError for wrong arguments, options and actions.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        trace: Trace | Callable[[int], Trace],
        topology: Topology | str | None = None,
        *,
        engine: str = "fluid",
        action: str = "order",
        view: str | None = None,
        interval: str | None = None,
        max_coflows: int = 64,
        render_mode: None = None,
        **options: Any,  # noqa: ANN401
    ) -> None:
        if view is None:
            view = "attained" if action == "thresholds" else "clairvoyant"
        _check(action, view, max_coflows, render_mode)
        for name in ("trace", "generate", "scheduler"):
            if name in options:
                raise InputError(
                    f"option {name} is given to an environment; allowed: trace=, action= and view="
                )
        if not isinstance(trace, Trace) and not callable(trace):
            raise InputError(f"trace is {trace!r}; allowed: a Trace, or a function of a seed")
        self.render_mode = render_mode
        self.action = action
        self.view = view
        self._trace = trace
        self._interval = 0 if interval is None else _core.parse_interval(_as_text(interval))
        self._slots = max_coflows
        self._experiment = Experiment(
            None, topology, _SCHEDULERS[action, view], engine=engine, **options
        )
        self._episode: _core.Episode | None = None
        arguments = tuple(self._experiment.arguments())
        rates = _port_rates(arguments)
        seen = _observations(max_coflows, len(rates), view)
        self.observation_space = cast("spaces.Space[Observation]", seen)
        if action == "thresholds":
            scale = trace.scale if isinstance(trace, Trace) else 1.0
            self._default = action_of_thresholds(_thresholds(arguments, scale))
        else:
            self._default = np.full(max_coflows, 0.0 if action == "order" else 1.0)
        self.action_space = spaces.Box(0, 1, self._default.shape, np.float64)
        self._observed = self._nothing(rates)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins another episode.

        Arguments:
            seed: seed of the generator that draws the seeds of workloads, and RngRun. With None,
                the generator continues.
            options: no options are known.

        Raises InputError if the workload leaves nothing to decide.
        """
        super().reset(seed=seed)
        if options:
            raise InputError(f"options of reset() are {options!r}; allowed: none")
        self.close()
        drawn = int(self.np_random.integers(1, 2**31))
        experiment = self._experiment
        if experiment.engine == "packet" and "RngRun" not in experiment.options:
            experiment = experiment.with_options(RngRun=drawn)
        trace = self._trace if isinstance(self._trace, Trace) else self._trace(drawn)
        if not isinstance(trace, Trace):
            raise InputError(f"the function trace returned {trace!r}; allowed: a Trace")
        experiment = experiment.with_options(trace=trace)
        self._episode = _core.Episode(
            trace.workload,
            experiment.arguments(),
            experiment.reproduce,
            self._slots,
            self._interval,
        )
        if not self._episode.start():
            self._episode = None
            raise InputError(
                f"a workload of {len(trace)} coflows has no decision for an agent: there is no "
                "coflow, or all bypass the scheduler; allowed: other coflows, or bypassBytes=0"
            )
        return self._observe(), self._info()

    def step(self, action: npt.ArrayLike) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Applies an action, and runs until the next decision or the end."""
        episode = self._episode
        if episode is None or not episode.open:
            raise InputError("no episode is open; allowed: step() after reset(), until it is over")
        going_on = episode.act(self._translate(self._check_action(action)))
        reward = -episode.take_growth()
        if going_on:
            return self._observe(), reward, False, False, self._info()
        info = {"time_s": episode.now, "coflows": [], "hidden": 0}
        info["result"] = Result(episode.outcome())
        nothing = self._nothing(self._observed["port_rate"])
        return nothing, reward, episode.complete, not episode.complete, info

    def default_action(self) -> Action:
        """The neutral action: order of arrival, equal weights, or Aalo's thresholds.

        Aalo's thresholds scale with the workload (Trace.scale). If the workload comes from a
        function, the scale is taken as 1.
        """
        return self._default.copy()

    def close(self) -> None:
        """Ends the episode, and releases ns-3's simulator."""
        if self._episode is not None:
            self._episode.close()
            self._episode = None

    def _check_action(self, action: npt.ArrayLike) -> Action:
        space = self.action_space
        assert isinstance(space, spaces.Box)
        if np.iscomplexobj(action):
            raise InputError(f"an action is {action!r}; allowed: an array of real numbers")
        try:
            values = np.ascontiguousarray(action, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"an action is {action!r}; allowed: an array of numbers") from None
        if values.shape != space.shape:
            raise InputError(
                f"an action has the shape {values.shape}; allowed: {space.shape} for {self.action}"
            )
        wrong = ~((values >= 0) & (values <= 1))
        if wrong.any():
            raise InputError(
                f"an action has {values[wrong][0]} in place {int(np.argmax(wrong))}; allowed: "
                "numbers from 0 to 1"
            )
        return values

    def _translate(self, values: Action) -> Action:
        """The keys, weights or bytes that the scheduler receives."""
        if self.action == "order":
            return values
        if self.action == "weights":
            return _LEAST_WEIGHT ** (1 - values)
        return thresholds_of_action(values)

    def _nothing(self, rates: npt.NDArray[np.float64]) -> Observation:
        """An observation without coflows."""
        assert isinstance(self.observation_space, spaces.Dict)
        nothing = {
            name: np.zeros(space.shape, space.dtype)
            for name, space in self.observation_space.items()
        }
        nothing["port_rate"] = rates.copy()
        return nothing

    def _observe(self) -> Observation:
        assert self._episode is not None
        observed: Observation = self._episode.observe()
        ports = (self._slots, len(observed["port_rate"]))
        for name in ("flows_at_port", "remaining_at_port"):
            if name in observed:
                observed[name] = observed[name].reshape(ports)
        observed["present"] = (observed["flows"] > 0).astype(np.int8)
        self._observed = observed
        return observed

    def _info(self) -> dict[str, Any]:
        assert self._episode is not None
        return {
            "time_s": self._episode.now,
            "coflows": self._episode.ids(),
            "hidden": self._episode.hidden,
        }


def _as_text(interval: object) -> str:
    try:
        return to_text(interval)
    except TypeError:
        raise InputError(
            f"interval is {interval!r}; allowed: a time such as '10ms', or None"
        ) from None


def action_of_thresholds(thresholds: npt.ArrayLike) -> Action:
    """The action for thresholds of queues, in bytes, 1 to 1e18."""
    return np.log10(np.asarray(thresholds, np.float64)) / _DECADES


def thresholds_of_action(action: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The thresholds of an action in bytes, sorted."""
    logarithms = np.asarray(action, np.float64) * _DECADES
    return np.sort(np.rint(10.0**logarithms))


def _check(action: str, view: str, max_coflows: int, render_mode: str | None) -> None:
    """Refuses arguments of an environment that are wrong by themselves."""
    actions = list(dict.fromkeys(name for name, _ in _SCHEDULERS))
    if action not in actions:
        raise InputError(f"action is {action!r}; allowed: {', '.join(actions)}")
    views = [seen for name, seen in _SCHEDULERS if name == action]
    if view not in views:
        raise InputError(f"view is {view!r} with the action {action}; allowed: {', '.join(views)}")
    if max_coflows < 1:
        raise InputError(f"max_coflows is {max_coflows}; allowed: at least 1")
    if render_mode is not None:
        raise InputError(f"render_mode is {render_mode!r}; allowed: None")


def _observations(slots: int, ports: int, view: str) -> spaces.Dict:
    def box(*shape: int) -> spaces.Box:
        return spaces.Box(0, _MOST, shape, np.float64)

    found: dict[str, spaces.Space[Any]] = {"present": spaces.MultiBinary(slots)}
    found.update({name: box(slots) for name in _OF_COFLOWS})
    found["flows_at_port"] = box(slots, ports)
    found["port_rate"] = box(ports)
    if view == "clairvoyant":
        found.update({name: box(slots) for name in _OF_SIZES})
        found["remaining_at_port"] = box(slots, ports)
    return spaces.Dict(found)


# Both of these are the same for the same arguments, and cannot be found out while an episode at
# packet level is open.


@functools.lru_cache(maxsize=64)
def _port_rates(arguments: tuple[str, ...]) -> npt.NDArray[np.float64]:
    return _core.port_rates(arguments)


@functools.lru_cache(maxsize=64)
def _thresholds(arguments: tuple[str, ...], scale: float) -> npt.NDArray[np.float64]:
    thresholds = _core.thresholds(arguments, scale)
    if len(thresholds) == 0:
        raise InputError("a scheduler of 1 queue has no thresholds; allowed: queues=2 or more")
    return thresholds


gymnasium.register(id="ns3coflow/Coflow-v0", entry_point="ns3coflow.gym:CoflowEnv")
