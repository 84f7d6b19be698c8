# SPDX-License-Identifier: GPL-2.0-only
"""Which options apply to which runs, if several schedulers run with the same options.

The rule is that of `coflow-replay --compare`: an option applies to the schedulers that have it, and
an option that no scheduler has is refused. In addition, `SCHEDULER.NAME` is the option NAME of one
scheduler: `varys.T=8ms`.
"""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any

from ns3coflow import _core, metadata
from ns3coflow._core import InputError
from ns3coflow.policy import enter
from ns3coflow.process import RunError, run_isolated
from ns3coflow.values import to_arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ns3coflow.experiment import Experiment
    from ns3coflow.policy import Policy

# Options that do not change what comes out.
NO_RESULT = frozenset({"out", "flows", "force", "progress", "jobs"})


def is_of_one_scheduler(name: str) -> bool:
    """Whether the name of an option is SCHEDULER.NAME."""
    return "." in name and "::" not in name


class _Names:
    """What the C++ side describes, schedulers in Python included, as names of options."""

    def __init__(self, policies: Iterable[type[Policy]]) -> None:
        classes = list(policies)
        for policy in classes:
            enter(policy)
        self._description = json.loads(_core.describe()) if classes else metadata.describe()
        described = self._description
        self._engines: dict[str, dict[str, Any]] = {
            engine["name"]: engine for engine in described["engines"]
        }
        # Some parts are one of several kinds, and some are there once.
        self._parts = [*described["topologies"], *described["fabrics"]]
        self._parts += [
            part
            for part in described.values()
            if isinstance(part, dict) and {"engines", "attributes"} <= part.keys()
        ]

    def of_scheduler(self, engine: str, scheduler: str) -> list[dict[str, Any]] | None:
        """The attributes of a scheduler in an engine; None where it has no such scheduler."""
        for entry in self._engines.get(engine, {"schedulers": []})["schedulers"]:
            if entry["name"] == scheduler:
                attributes: list[dict[str, Any]] = entry["attributes"]
                return attributes
        return None

    def of_engine(self, engine: str) -> list[dict[str, Any]]:
        """The attributes of an engine."""
        attributes: list[dict[str, Any]] = self._engines[engine].get("attributes") or []
        return attributes

    def of_parts(self, engine: str) -> list[dict[str, Any]]:
        """The attributes of all parts that runs in an engine may have."""
        parts = [part for part in self._parts if engine in part["engines"]]
        return [entry for part in parts for entry in part["attributes"]]

    def has(self, engine: str, scheduler: str, name: str) -> bool:
        """Whether a run in an engine under a scheduler has an option."""
        entries = self.of_scheduler(engine, scheduler)
        return (
            entries is None
            or _holds(entries, name)
            or _holds(self.of_engine(engine), name)
            or _holds(self.of_parts(engine), name)
            or self._is_general(engine, name)
        )

    def default(self, engine: str, scheduler: str, name: str) -> Any:  # noqa: ANN401
        """The default of an option in such a run; None where it has no such option."""
        lists = (self.of_scheduler(engine, scheduler) or [], self.of_engine(engine))
        for entry in (entry for each in (*lists, self.of_parts(engine)) for entry in each):
            if _holds([entry], name):
                return entry["default"]
        return None

    def _is_general(self, engine: str, name: str) -> bool:
        if "::" in name:  # an attribute of any ns-3 class, which the C++ side looks up
            return True
        of_engines = any(_holds(self.of_engine(each), name) for each in self._engines)
        option = metadata.options().get(name)
        if option is not None:
            return not of_engines and engine in option.engines
        # ns-3's global values have a capital, and are not described.
        lowered = name[:1].lower() + name[1:]
        known = metadata.known_names()
        return name[:1].isupper() and lowered not in known and name not in known

    def near(self, name: str, runs: Iterable[tuple[str, str]]) -> str:
        """What may be meant by a name that no run has."""
        known = set(metadata.options())
        for engine, scheduler in runs:
            of_run = [*(self.of_scheduler(engine, scheduler) or ()), *self.of_engine(engine)]
            of_run += self.of_parts(engine)
            known |= {_as_option(entry) for entry in of_run}
        found = difflib.get_close_matches(name, sorted(known - {name}), 1)
        return f"perhaps --{found[0]}" if found else "those of ns3-coflow schedulers NAME"


def _holds(entries: Iterable[dict[str, Any]], name: str) -> bool:
    # An attribute of an ns-3 class has a capital, which options need not have.
    capital = name[:1].upper() + name[1:]
    return any(entry["name"] == (capital if "type" in entry else name) for entry in entries)


def _as_option(entry: dict[str, Any]) -> str:
    name: str = entry["name"]
    return name[0].lower() + name[1:] if "type" in entry else name


def apply_options(experiments: Sequence[Experiment]) -> list[Experiment]:
    """The experiments, each with those of its options that its scheduler has.

    An option of another experiment's scheduler or engine is left out. `SCHEDULER.NAME` becomes
    NAME in experiments with that scheduler, and has precedence over a plain NAME. In other
    experiments `SCHEDULER.NAME` is left out.

    Raises InputError for an option that no experiment has, with the nearest name. For an unknown
    scheduler or engine, Experiment.check() raises the error.
    """
    names = _Names({each.policy: None for each in experiments if each.policy is not None})
    runs = list(dict.fromkeys((each.engine, each.scheduler) for each in experiments))
    return [_apply_to(each, runs, names) for each in experiments]


def in_force(experiment: Experiment, name: str) -> Any:  # noqa: ANN401
    """The value of an option as given, or its default; None where such a run has no such option."""
    if name in experiment.options:
        return experiment.options[name]
    names = _Names([] if experiment.policy is None else [experiment.policy])
    return names.default(experiment.engine, experiment.scheduler, name)


def _apply_to(experiment: Experiment, runs: list[tuple[str, str]], names: _Names) -> Experiment:
    own = (experiment.engine, experiment.scheduler)
    if names.of_scheduler(*own) is None:
        return experiment
    changes: dict[str, Any] = {}
    for name, value in experiment.options.items():
        if value is None or is_of_one_scheduler(name) or names.has(*own, name):
            continue
        if not any(names.has(*run, name) for run in runs):
            _refuse(experiment, name)
            schedulers = ", ".join(dict.fromkeys(scheduler for _, scheduler in runs))
            engines = ", ".join(dict.fromkeys(engine for engine, _ in runs))
            raise InputError(
                f"option --{name} is unknown to {schedulers} in the {engines} engine; allowed: "
                f"{names.near(name, runs)}"
            )
        changes[name] = None
    for name, value in experiment.options.items():
        if not is_of_one_scheduler(name):
            continue
        scheduler, _, plain = name.partition(".")
        _check_of_one(name, runs, names)
        changes[name] = None
        if scheduler == experiment.scheduler:
            changes[plain] = value
    return experiment.with_options(**changes) if changes else experiment


def _refuse(experiment: Experiment, name: str) -> None:
    """Raises what the C++ side says of an option that parts have which the experiment has not."""
    parts = ("engine", "scheduler", "topology", "fabric", name)
    options = {part: experiment.options[part] for part in parts if part in experiment.options}
    try:
        _core.check(to_arguments(options), True)
    except InputError as error:
        if "is unknown" not in str(error):
            raise


def _check_of_one(name: str, runs: list[tuple[str, str]], names: _Names) -> None:
    """Refuses an option of one scheduler that is not run, or that has no such option."""
    scheduler, _, plain = name.partition(".")
    of_it = [run for run in runs if run[1] == scheduler]
    if not of_it:
        allowed = ", ".join(dict.fromkeys(run[1] for run in runs))
        raise InputError(
            f"option --{name} is of the scheduler '{scheduler}', which is not run; "
            f"allowed: {allowed}"
        )
    for engine, _ in of_it:
        known = [*(names.of_scheduler(engine, scheduler) or ()), *names.of_engine(engine)]
        if _holds(known, plain):
            return
    near = difflib.get_close_matches(plain, sorted(_as_option(entry) for entry in known), 1)
    perhaps = f"perhaps --{scheduler}.{near[0]}" if near else f"ns3-coflow schedulers {scheduler}"
    raise InputError(f"option --{name} is unknown to {scheduler}; allowed: {perhaps}")


def check_values(runs: Iterable[tuple[str, Experiment]]) -> None:
    """Builds the network and the scheduler of every run, without a workload, in another process.

    Workloads that are files or generated are made in a separate process. So wrong values, and
    values that are wrong together, raise an error before the first run.

    Arguments:
        runs: the name of each run in messages, and the run.

    Raises InputError with the message of the C++ side.
    """
    import cloudpickle

    of_workload = metadata.workload_options()
    runs = list(runs)
    jobs: dict[type[Policy] | None, dict[tuple[str, ...], tuple[str, int]]] = {}
    for label, experiment in runs:
        kept = {
            name: value
            for name, value in experiment.options.items()
            if name not in NO_RESULT and name not in of_workload and name != "RngRun"
        }
        changed = of_workload & experiment.options.keys()
        hosts = experiment.trace.hosts if experiment.trace is not None and not changed else 0
        arguments = tuple(to_arguments(kept))
        jobs.setdefault(experiment.policy, {}).setdefault((*arguments, str(hosts)), (label, hosts))
    workloads: dict[tuple[str, ...], str] = {}
    for label, experiment in runs:
        if experiment.trace is None:
            named = {
                name: value for name, value in experiment.options.items() if name in of_workload
            }
            workloads.setdefault(tuple(to_arguments(named)), label)
    job = {"workloads": [list(each) for each in workloads], "policies": cloudpickle.dumps([])}
    _raise_first(job, list(workloads.values()))
    for policy, checks in jobs.items():
        job = {
            "checks": [(list(key[:-1]), hosts) for key, (_, hosts) in checks.items()],
            "policies": cloudpickle.dumps([] if policy is None else [policy]),
        }
        _raise_first(job, [label for label, _ in checks.values()])


def _raise_first(job: dict[str, Any], labels: Sequence[str]) -> None:
    """Raises the first error that a process finds in what it is to look at."""
    if not labels:
        return
    try:
        errors = run_isolated(job)["errors"]
    except RunError:
        return  # the run itself will tell more
    for label, error in zip(labels, errors, strict=True):
        if error is not None:
            raise InputError(f"{error} (in the run {label})")
