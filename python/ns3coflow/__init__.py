# SPDX-License-Identifier: GPL-2.0-only
"""Coflow schedulers on simulated data center networks: run, compare, sweep and report.

>>> import ns3coflow as nc
>>> trace = nc.Trace.generate("incast", senders=8)
>>> result = nc.Experiment(trace, nc.BigSwitch(hosts=9), nc.schedulers.Fair()).run()
>>> result.coflows["cct_s"]  # doctest: +SKIP

Large dependencies (pandas, pyarrow, matplotlib, dask) are imported when they are first needed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ns3coflow._core import NS3_VERSION, VERSION, InputError

if TYPE_CHECKING:
    from ns3coflow import schedulers
    from ns3coflow.campaign import Sweep, open_sweep, sweep
    from ns3coflow.comparison import Comparison, compare
    from ns3coflow.drawing import figure
    from ns3coflow.experiment import Experiment
    from ns3coflow.parts import Scheduler, Topology
    from ns3coflow.policy import (
        AttainedOrderPolicy,
        AttainedRatePolicy,
        OrderPolicy,
        Parameter,
        RatePolicy,
    )
    from ns3coflow.process import RunError
    from ns3coflow.program import Program
    from ns3coflow.report import write_report
    from ns3coflow.result import Result
    from ns3coflow.trace import Trace

    # For tools; __getattr__() has all of it, with the topologies that the C++ side names.
    __all__ = [
        "NS3_VERSION",
        "AttainedOrderPolicy",
        "AttainedRatePolicy",
        "Comparison",
        "Experiment",
        "InputError",
        "OrderPolicy",
        "Parameter",
        "Program",
        "RatePolicy",
        "Result",
        "RunError",
        "Scheduler",
        "Sweep",
        "Topology",
        "Trace",
        "__version__",
        "compare",
        "figure",
        "open_sweep",
        "schedulers",
        "sweep",
        "write_report",
    ]

__version__ = VERSION

_HOMES = {
    "AttainedOrderPolicy": "policy",
    "AttainedRatePolicy": "policy",
    "Comparison": "comparison",
    "compare": "comparison",
    "Experiment": "experiment",
    "figure": "drawing",
    "OrderPolicy": "policy",
    "Parameter": "policy",
    "Program": "program",
    "RatePolicy": "policy",
    "Result": "result",
    "RunError": "process",
    "Scheduler": "parts",
    "Sweep": "campaign",
    "Topology": "parts",
    "Trace": "trace",
    "open_sweep": "campaign",
    "sweep": "campaign",
    "write_report": "report",
}

_HERE = ("NS3_VERSION", "InputError", "__version__", "schedulers")


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Imports the module of a name when the name is first used."""
    if name == "schedulers":
        return importlib.import_module("ns3coflow.schedulers")
    if name == "__all__":
        topologies = importlib.import_module("ns3coflow.parts").TOPOLOGIES
        return sorted([*_HOMES, *_HERE, *topologies])
    home = _HOMES.get(name, "")
    if not home and name[:1].isupper() and name in __getattr__("__all__"):
        home = "parts"
    if not home:
        raise AttributeError(f"module 'ns3coflow' has no attribute '{name}'")
    value = getattr(importlib.import_module(f"ns3coflow.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    offered: list[str] = __getattr__("__all__")
    return offered
