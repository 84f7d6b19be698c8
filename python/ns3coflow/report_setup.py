# SPDX-License-Identifier: GPL-2.0-only
"""The setup in a report: workload, network, engine, options, seeds."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ns3coflow.report_data import ReportData

_FOLDERS = re.compile(r"(?<![^\s=,'\"(])(?:~|\.{1,2})?/(?:[^\s/,;'\"()]+/)*(?=[^\s/])")

# Options that other lines tell, or that make the workload.
_TOLD = frozenset(
    {
        "trace", "generate", "bytesPerMb", "roundUpToWholeMb", "transform", "firstCoflows",
        "window", "maxCoflowBytes", "scale", "scaleBytes", "scaleTime", "remap", "topology",
        "linkRate", "engine", "scheduler", "fabric", "RngRun", "RngSeed",
    }
)  # fmt: skip


def without_folders(text: str) -> str:
    """A text that names files by their names alone, so that it can be shown to others."""
    return _FOLDERS.sub("", text)


def describe_setup(data: ReportData) -> list[tuple[str, list[str]]]:
    """Lines of a table: a property, and its different values, in the order of the cases."""
    summaries: list[dict[str, Any]] = []
    reproduce: list[tuple[str, str]] = []
    for case in data.cases:
        summaries += [json.loads(text) for text in case.rows["summary"]]
        reproduce += [(case.series, line) for line in case.rows["reproduce"]]
    lines = [
        ("workload", _workload),
        ("network", _network),
        ("engine", _engine),
        ("random numbers", _random),
        ("versions", _versions),
    ]
    told = [(name, list(dict.fromkeys(map(describe, summaries)))) for name, describe in lines]
    told.insert(3, ("options", _options(reproduce)))
    if data.program:
        name, commit = data.program
        told.insert(0, ("program", [f"{name}, {_commit(commit)}" if commit else name]))
    return [(name, values) for name, values in told if values]


def describe_bins(data: ReportData) -> str:
    """The meaning of short and narrow, for the line below the table."""
    limits = dict.fromkeys(
        (summary["short_bytes"], summary["narrow_flows"])
        for case in data.cases
        for summary in map(json.loads, case.rows["summary"])
    )
    meanings = [
        f"short (S) where the largest flow is below {short:g} bytes, otherwise long (L); narrow "
        f"(N) with at most {narrow} flows, otherwise wide (W)"
        for short, narrow in limits
    ]
    return ", or ".join(meanings)


def _workload(summary: dict[str, Any]) -> str:
    workload = summary["workload"]
    # A script may have made the workload without a reader or a generator.
    history = without_folders("; ".join(workload["history"])) or "of a script"
    return (
        f"{history}: {workload['coflows']} coflows, {workload['flows']} "
        f"flows, {workload['bytes'] / 1e6:.4g} MB on {workload['hosts']} hosts"
    )


def _network(summary: dict[str, Any]) -> str:
    configuration = summary["configuration"]
    if "topology" not in configuration:
        # A script has made the network; CoflowHelper tells what it found there.
        hosts = configuration["network"]["hosts"]
        rates = sorted({host["up_bit_per_s"] for host in hosts})
        told = " to ".join(dict.fromkeys(_rate(f"{rate}bps") for rate in (rates[0], rates[-1])))
        return f"of a script, {len(hosts)} hosts with links of {told}"
    attributes = configuration["topology"]
    text = f"{summary['topology']}, links of {_rate(attributes['LinkRate'])}"
    if summary["engine"] == "packet":
        fabric = attributes["FabricLinkRate"]
        if fabric != "0bps":
            text += f", between switches {_rate(fabric)}"
        ratio = float(attributes.get("Oversubscription", 0))
        if ratio > 0:
            text += f", oversubscribed {ratio:g} times"
    idle = summary["results"].get("idle_hosts", 0)
    return text + (f"; {idle} hosts have no flow" if idle else "")


def _rate(text: str) -> str:
    bits = float(text.removesuffix("bps"))
    for unit, size in (("Gbps", 1e9), ("Mbps", 1e6), ("kbps", 1e3)):
        if bits >= size:
            return f"{bits / size:g} {unit}"
    return f"{bits:g} bps"


def _engine(summary: dict[str, Any]) -> str:
    if summary["engine"] != "packet":
        return str(summary["engine"])
    transport = summary["configuration"]["transport"]
    congestion = transport["CongestionOps"].rpartition("::")[2]
    segment = transport["SegmentSize"]
    return f"packet, fabric {summary['fabric']}, {congestion}, segments of {segment} bytes"


def _random(summary: dict[str, Any]) -> str:
    return f"RngSeed {summary['rng_seed']}, RngRun {summary['rng_run']}"


def _versions(summary: dict[str, Any]) -> str:
    program = summary["program"]
    commit = f" ({_commit(program['commit'])})" if program.get("commit") else ""
    return (
        f"{program['name']} {program['version']}{commit}, ns-3 {program['ns3_version']}, "
        f"{program['build']} build"
    )


def _commit(text: str) -> str:
    changed = ", and changes" if text.endswith("+") else ""
    return f"commit {text.rstrip('+')}{changed}"


def _options(reproduce: list[tuple[str, str]]) -> list[str]:
    """Those that all runs have; then, by series, those that only some have."""
    given = [(series, _given(line)) for series, line in reproduce]
    if not given:
        return []
    common = [each for each in given[0][1] if all(each in options for _, options in given)]
    told = [" ".join(common)] if common else []
    for series, options in given:
        own = [each for each in options if each not in common]
        line = f"{series}: {' '.join(own)}"
        if own and line not in told:
            told.append(line)
    return told


def _given(line: str) -> list[str]:
    words = shlex.split(line, comments=True)
    options = [word for word in words if word.startswith("--")]
    return [without_folders(word) for word in options if word[2:].partition("=")[0] not in _TOLD]
