# SPDX-License-Identifier: GPL-2.0-only
"""The parameters that differ between the runs of a report, and their values in each run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ns3coflow import metadata
from ns3coflow.quantities import parse, say
from ns3coflow.report_setup import without_folders
from ns3coflow.report_words import join_words

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
_NEVER_S = 9e9  # ns-3's largest time stands for never


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
            # A default of ns-3's, which is in no configuration.
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
    """Of a run: the key that parameters are compared by, the name, and the value as text."""
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
    """A value with the unit that suits it."""
    read = parse(value, metadata.units().get(name, ""))
    if read is None or read[1] == "":
        return value or "(none)"
    number, family = read
    if family == "s" and number >= _NEVER_S:
        return "never"
    return say(number, family, digits=6) if number else "0"
