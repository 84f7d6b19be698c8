# SPDX-License-Identifier: GPL-2.0-only
"""The command `ns3-coflow demo`: both engines side by side on the sample trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from ns3coflow.comparison import compare, compare_into
from ns3coflow.diagnosis import in_lines
from ns3coflow.experiment import Experiment
from ns3coflow.parts import FatTree
from ns3coflow.trace import Trace

if TYPE_CHECKING:
    import os

SCHEDULERS = ("fair", "fifo", "varys", "nc-drf", "ps-p")
TITLE = "60 coflows (292 MB) on a fat-tree of 16 hosts at 1 Gbps; CCT: coflow completion time"
NOTE = """\
packet: mean CCT in ns-3, with TCP, queues, paths and control messages
fluid:  mean CCT of the same scheduler in the fluid engine. Only the ports of hosts limit rates, and
        a port has only the rate that remains for data, without headers: 964 Mbps under fair,
        940 Mbps where a coordinator gives rates.
In both, coflows that put less than 100 kB on every port bypass the schedulers that know sizes."""


def run_demo(out: str | os.PathLike[str] | None = None, *, force: bool = False) -> pd.DataFrame:
    """Runs five schedulers in the packet engine and in the fluid engine.

    Arguments:
        out: folder for the results of the packet engine, with a folder for each scheduler.
        force: replace an earlier comparison in that folder.

    Returns a row per scheduler: mean CCT in milliseconds in both engines, the ratio of the two,
    the speed-up over `fair` in the packet engine, coflows that bypassed the scheduler, control
    messages and megabytes of control. The attribute `diagnosis` of the table has the diagnosis of
    the runs in packets.
    """
    base = Experiment(Trace.sample(), FatTree(k=4))
    named: dict[str, dict[str, Any]] = {name: {} for name in SCHEDULERS}
    if out is None:
        packet = compare(base, named)
    else:
        sampled = base.with_options(sampleInterval="2ms")  # for queues over time
        packet = compare_into(out, sampled, named, flows=True, force=force)
    fluid = compare([base.with_options(scheduler=name).fluid() for name in SCHEDULERS])
    table = packet.table
    packet_ms = table["mean_cct_s"] * 1e3
    fluid_ms = fluid.table["mean_cct_s"] * 1e3
    control_bytes = {
        name: result.summary["network"]["control_bytes"] for name, result in packet.results.items()
    }
    columns = pd.DataFrame(
        {
            "packet_ms": packet_ms,
            "fluid_ms": fluid_ms,
            "packet/fluid": packet_ms / fluid_ms,
            "speed_up": table["speed_up"],
            "bypassed": table["bypassed"],
            "messages": table["control_messages"],
            "control_MB": pd.Series(control_bytes) / 1e6,
        }
    )
    told = columns.rename_axis("scheduler")
    told.attrs["diagnosis"] = in_lines(packet.diagnosis)
    return told


def format_demo(table: pd.DataFrame) -> str:
    """The table as text, a line per scheduler."""
    formats = {
        "packet_ms": "{:.2f}".format,
        "fluid_ms": "{:.2f}".format,
        "packet/fluid": "{:.2f}".format,
        "speed_up": "{:.2f}".format,
        "control_MB": "{:.2f}".format,
    }
    return table.reset_index().to_string(index=False, formatters=formats)
