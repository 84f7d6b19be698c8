# SPDX-License-Identifier: GPL-2.0-only
"""Which parameters differ between the runs of a report, and what they are in which run."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ns3coflow import metadata
from ns3coflow.report_setup import without_folders
from ns3coflow.report_words import join_words, say_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ns3coflow.report_data import ReportData

# What a summary says beside its configuration, and what readers call it.
_BESIDE = {"topology": "topology", "engine": "engine", "fabric": "fabric", "rng_seed": "RngSeed"}
# Sections of a configuration whose parameters belong to one scheduler: those of others may have the
# same name and another meaning.
_OF_SCHEDULER = frozenset({"scheduler", "policy"})
# The policy is the scheduler's name, and its scale is that of the workload.
_SAID_ELSEWHERE = frozenset({"Policy", "PolicyScale", "PolicyParameters", "type"})
_NEVER_NS = 9e18  # ns-3's largest time stands for never
_NANOSECONDS = re.compile(r"\+?(-?[\d.]+(?:e[+-]?\d+)?)ns")
_BITS = re.compile(r"(\d+)bps")
_TYPED = re.compile(r"([\d.]+(?:e[+-]?\d+)?)([A-Za-z]*)")
_SIZES = {
    "bytes": {"": 1.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9},
    "s": {"": 1.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9},
}


def describe_differences(data: ReportData) -> list[tuple[str, list[str]]]:
    """Parameters with more than one value: names, and each value with the series that have it.

    Parameters that only some of the runs have at all are left out, as are those of different
    schedulers. Values are the effective ones, defaults included.
    """
    found: dict[tuple[str, str], dict[int, str]] = {}  # values of a parameter by number of the case
    for place, case in enumerate(data.cases):
        summary = json.loads(case.rows["summary"].iloc[0])
        for scope, name, value in _parameters(summary):
            found.setdefault((scope, name), {}).setdefault(place, value)
        for axis, label in case.labels.items():
            # A default of ns-3's, which no configuration tells.
            if axis.startswith("ns3::"):
                found.setdefault(("", axis), {}).setdefault(place, str(label))
    told: dict[str, list[str]] = {}
    for (_, name), values in found.items():
        different = list(dict.fromkeys(values.values()))
        if len(different) > 1 and name not in told:
            is_series = name == data.series_axis  # which is called as its value
            told[name] = [
                _readable(name, value) + ("" if is_series else _whose(data, values, value))
                for value in different
            ]
    return list(told.items())


def _parameters(summary: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Of a run: what a parameter may be compared with, its name, and its value as text."""
    for key, name in _BESIDE.items():
        # There is no fabric in the fluid engine.
        if key != "fabric" or summary["engine"] == "packet":
            yield "", name, str(summary[key])
    yield "", "workload", without_folders("; ".join(summary["workload"]["history"]))
    for section, members in summary["configuration"].items():
        scope = summary["engine"]
        if section == "topology":
            scope = summary["topology"]
        elif section in _OF_SCHEDULER:
            scope += summary["scheduler"]
        for name, value in _leaves(members or {}):
            yield scope, name, value


def _leaves(members: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in members.items():
        if isinstance(value, dict):
            yield from _leaves(value)
        elif isinstance(value, list):
            yield name, json.dumps(value)
        elif name not in _SAID_ELSEWHERE:
            yield name[0].lower() + name[1:], str(value)


def _whose(data: ReportData, values: dict[int, str], value: str) -> str:
    """The series that have a value, if not all of them also have others."""
    having = [data.cases[place].series for place, each in values.items() if each == value]
    with_others = [data.cases[place].series for place, each in values.items() if each != value]
    if set(having) == set(with_others):
        return ""
    return f": {join_words(list(dict.fromkeys(having)))}"


def _readable(name: str, value: str) -> str:
    """A value with a unit that suits it, the same for all values of a parameter."""
    unit = metadata.units().get(name, "")
    given = _TYPED.fullmatch(value)
    if given and given[2] in _SIZES.get(unit, {}):
        number = float(given[1]) * _SIZES[unit][given[2]]
        return _say_bytes(number) if unit == "bytes" else say_time(number) if number else "0"
    if time := _NANOSECONDS.fullmatch(value):
        nanoseconds = float(time[1])
        if nanoseconds >= _NEVER_NS:
            return "never"
        return say_time(nanoseconds / 1e9) if nanoseconds else "0"
    if rate := _BITS.fullmatch(value):
        bits = float(rate[1])
        for unit, size in (("Gbps", 1e9), ("Mbps", 1e6), ("kbps", 1e3)):
            if bits >= size:
                return f"{bits / size:g} {unit}"
    return value or "(none)"


def _say_bytes(number: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:g} {unit}"
    return f"{number:g} bytes"
