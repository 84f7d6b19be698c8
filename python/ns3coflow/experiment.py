# SPDX-License-Identifier: GPL-2.0-only
"""One run: a workload, a network, a scheduler and options."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ns3coflow import _core, metadata, ports
from ns3coflow._core import InputError
from ns3coflow._worker import run_job
from ns3coflow.applying import NO_RESULT, apply_options, is_of_one_scheduler
from ns3coflow.fingerprint import fingerprint
from ns3coflow.parts import Scheduler, Topology
from ns3coflow.policy import Policy
from ns3coflow.process import run_isolated
from ns3coflow.result import Result
from ns3coflow.trace import Trace
from ns3coflow.values import to_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping


class Experiment:
    """One run: a workload, a network, a scheduler and options.

    An Experiment never changes. `with_options` returns another Experiment.

    Arguments:
        trace: a Trace, or the path of a trace file; None if the option `generate` makes the
            workload.
        topology: a topology, or its name.
        scheduler: a scheduler, its name, or a policy of your own (class or instance).
        options: any option of coflow-replay and any attribute, by name: `engine="fluid"`,
            `linkRate="10Gbps"`, `stop=3`, `RngRun=2`. `ns3-coflow run --help` lists them.
            `**{"varys.T": "8ms"}` sets the option T of the scheduler Varys alone, for experiments
            that are compared under several schedulers.
    """

    def __init__(
        self,
        trace: Trace | str | os.PathLike[str] | None = None,
        topology: Topology | str | None = None,
        scheduler: Scheduler | Policy | type[Policy] | str | None = None,
        **options: Any,  # noqa: ANN401
    ) -> None:
        self.trace = trace if isinstance(trace, Trace) else None
        self.options: dict[str, Any] = {}
        self.policy: type[Policy] | None = None
        # Which attributes came with a part, to go with it.
        self._brought: dict[str, set[str]] = {}
        if isinstance(trace, (str, os.PathLike)):
            self.options["trace"] = os.fspath(trace)
        elif trace is not None and not isinstance(trace, Trace):
            raise InputError(f"trace is {trace!r}; allowed: a Trace, or the name of a file")
        for part in (topology, scheduler):
            if isinstance(part, Policy):
                self.policy = type(part)
                self._bring(part)
            elif isinstance(part, type) and issubclass(part, Policy):
                self.policy = part
                self._bring(part())
            elif isinstance(part, (Topology, Scheduler)):
                self._bring(part)
            elif isinstance(part, str):
                self.options["topology" if part is topology else "scheduler"] = part
            elif part is not None:
                raise TypeError(
                    f"{part!r} stands for a topology or a scheduler; allowed: a name, an instance "
                    "of a class of ns3coflow, or a class of a policy in Python"
                )
        self.options.update(_by_option(options))

    def with_options(self, **changes: Any) -> Experiment:  # noqa: ANN401
        """Returns another experiment with some options changed. The value None removes an option.

        `trace`, `topology` and `scheduler` take the same values as in the constructor.
        """
        options = dict(self.options)
        made = Experiment(
            changes.pop("trace", self.trace),
            changes.pop("topology", None),
            changes.pop("scheduler", None),
        )
        made._brought = {**self._brought, **made._brought}
        for role in ("topology", "scheduler"):
            if role in made.options:
                for name in (role, *self._brought.get(role, ())):
                    options.pop(name, None)
        if made.trace is not None:
            options.pop("trace", None)
        if "scheduler" not in made.options:
            made.policy = self.policy
        options.update(made.options)
        options.update(_by_option(changes))
        made.options = {name: value for name, value in options.items() if value is not None}
        return made

    def _bring(self, part: Topology | Scheduler | Policy) -> None:
        self.options.update(part.options())
        self._brought[part.role] = set(part.values)

    def arguments(self) -> list[str]:
        """The options as arguments of coflow-replay; the workload is left out if it is a Trace."""
        return to_arguments(self.options)

    @property
    def reproduce(self) -> str:
        """A command line that reproduces this result."""
        recipe = {} if self.trace is None else self.trace.recipe
        if recipe is None:
            assert self.trace is not None
            recipe = {"trace": f"(a table, sha256 {self.trace.digest[:12]})"}
        kept = {name: value for name, value in self.options.items() if name not in NO_RESULT}
        arguments = to_arguments(recipe) + to_arguments(kept)
        python = f"  # scheduler {self.policy.name} is Python" if self.policy is not None else ""
        return f"ns3-coflow run {shlex.join(arguments)}{python}"

    @property
    def engine(self) -> str:
        """The name of the engine."""
        default = metadata.describe()["engines"][0]["name"]
        return str(self.options.get("engine", default))

    @property
    def scheduler(self) -> str:
        """The name of the scheduler."""
        return str(self.options.get("scheduler", "fair"))

    @property
    def port_rate_bps(self) -> float:
        """The rate of a host's port for data, in bit/s of application bytes.

        In the fluid engine this rate is `linkRate`. At packet level, it is `kappa` times `linkRate`
        if a coordinator gives rates. Otherwise it is the part of `linkRate` that headers leave.
        """
        return ports.port_rate_bps(self)

    def fluid(self, control: str = "ideal") -> Experiment:
        """Returns the same experiment for the fluid engine.

        The ratio of CCTs at packet level to CCTs in the fluid engine shows the effect of packets.

        Ports have the rate that they have for data at packet level (`port_rate_bps`), and the same
        coflows bypass the scheduler. Schedulers that decide once a period have the same period. At
        packet level, a coflow that bypasses the scheduler can use all of a link that headers leave.
        This is 2.6 % more than `kappa` gives to the other coflows. In the fluid engine, all coflows
        have the same rate of a port. Links inside the fabric limit flows in the fluid engine if
        such a link is slower than that of a host, or if all links of a switch to other switches
        have together less capacity than those to its hosts.

        Arguments:
            control: with "ideal", a coordinator's messages cost nothing. With "real", messages are
                delayed as long as at packet level (`controlBatch`).

        Raises InputError if the experiment is for the fluid engine already.
        """
        return ports.as_fluid(self, control)

    def check(self, called: str | None = None) -> None:
        """Raises InputError if an option, part or scheduler is wrong.

        Arguments:
            called: the name of the run in the message, if there are several runs.
        """
        checked = apply_options([self])[0]
        try:
            _core.check(checked.arguments(), checked.trace is not None)
        except _core.InputError as error:
            if called is None:
                raise
            raise _core.InputError(f"{error} (in the run {called})") from None

    def key(self) -> str:
        """A hash of everything that determines the result, including versions."""
        kept = {name: value for name, value in self.options.items() if name not in NO_RESULT}
        ordered = metadata.workload_options()
        arguments = to_arguments(kept)
        steps = [text for text in arguments if text[2:].partition("=")[0] in ordered]
        described: dict[str, Any] = {
            "version": _core.VERSION,
            "ns3_version": _core.NS3_VERSION,
            "arguments": sorted(arguments),
            "steps": steps,
        }
        if self.trace is not None:
            described["workload"] = self.trace.digest
        elif "trace" in kept:
            described["workload"] = _digest_of_input("trace", str(kept["trace"]))
        merged = [
            step.partition("=")[2]
            for text in arguments
            if text.startswith("--transform=")
            for step in text.partition("=")[2].split(",")
            if step.startswith("merge=")
        ]
        if merged:
            described["merged"] = [_digest_of_input("merge", name) for name in merged]
        if self.policy is not None:
            described["policy"] = fingerprint(self.policy)
        text = json.dumps(described, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def job(self, overrides: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What a worker needs, for pickle."""
        import cloudpickle

        if any(map(is_of_one_scheduler, self.options)):
            return apply_options([self])[0].job(overrides)
        policies = [] if self.policy is None else [self.policy]
        return {
            "arguments": to_arguments({**self.options, **(overrides or {})}),
            "reproduce": self.reproduce,
            "workload": None if self.trace is None else self.trace.workload.columns(),
            "policies": cloudpickle.dumps(policies),
        }

    def run(
        self,
        *,
        out: str | os.PathLike[str] | None = None,
        force: bool = False,
        isolate: bool = True,
        timeout: float | None = None,
    ) -> Result:
        """Runs the experiment and returns its Result.

        Arguments:
            out: folder for coflows.csv, flows.csv and summary.json, as coflow-replay writes them.
                The folder has to be new or empty.
            force: replace the result of an earlier run in that folder.
            isolate: run in a separate process. Without `isolate`, this process can run only one
                simulation at a time, and a crash ends the process.
            timeout: seconds after which the separate process is ended.

        Raises InputError for wrong options, RunError if the process died, and any exception that a
        policy in Python raised.
        """
        files = {} if out is None else {"out": os.fspath(out), "flows": True, "force": force}
        job = self.job(files)
        return Result(run_isolated(job, timeout) if isolate else run_job(job))

    def __repr__(self) -> str:
        return f"<Experiment: {self.reproduce}>"


def _by_option(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by the names that options have on the command line.

    Raises InputError if two names, such as linkRate and LinkRate, are those of one option.
    """
    options: dict[str, Any] = {}
    for name, value in given.items():
        option = metadata.as_option(name)
        if option in options:
            raise InputError(f"option {option} is given twice, also as {name}; allowed: once")
        options[option] = value
    return options


@functools.lru_cache(maxsize=64)
def digest_of(path: Path, modified: int) -> str:  # noqa: ARG001 changes when the file does
    """SHA-256 of a file, computed again only where its time of change is another."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _digest_of_input(what: str, name: str) -> str:
    """SHA-256 of a file that a run reads."""
    path = Path(name)
    try:
        return digest_of(path, path.stat().st_mtime_ns)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{what} is '{path}', which cannot be read ({reason}); allowed: a file"
        ) from None
