# SPDX-License-Identifier: GPL-2.0-only
"""The parts and options of runs, as the C++ side describes them. No list here is by hand."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ns3coflow import _core

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Attribute:
    """A parameter of a scheduler, a topology or another part."""

    name: str  # as in options and keyword arguments
    default: str
    unit: str  # empty: none
    allowed: str
    help: str

    def describe(self) -> str:
        """One line of documentation."""
        unit = f" {self.unit}" if self.unit else ""
        allowed = f"; allowed: {self.allowed}" if self.allowed else ""
        return f"{self.name} = {self.default}{unit}: {self.help}{allowed}"


@dataclass(frozen=True)
class Info:
    """A part that an option can choose by name."""

    name: str  # as in options
    description: str
    attributes: tuple[Attribute, ...]
    engines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """An option of coflow-replay, and so of experiments."""

    section: str
    name: str
    placeholder: str  # empty: a flag
    engines: list[str]
    help: str


@functools.cache
def describe() -> dict[str, Any]:
    """The output of `coflow-replay --describe`."""
    description: dict[str, Any] = json.loads(_core.describe())
    return description


def _parameters(part: Any) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: ANN401
    """Parameters of all parts, with the names that options and results give them."""
    if isinstance(part, dict):
        if "unit" in part and "name" in part:
            yield part["name"][0].lower() + part["name"][1:], part
        for name, each in part.items():
            if name != "files":
                yield from _parameters(each)
    elif isinstance(part, list):
        for each in part:
            yield from _parameters(each)


@functools.cache
def units() -> dict[str, str]:
    """Units of all parameters that have one, by the names that results give them."""
    parameters = reversed([*_parameters(describe())])
    return {name: parameter["unit"] for name, parameter in parameters if parameter["unit"]}


@functools.cache
def switches() -> frozenset[str]:
    """Names of all parameters that are true or false."""
    return frozenset(
        name
        for name, parameter in _parameters(describe())
        if parameter.get("allowed") == "true or false"
    )


def _attributes(entries: list[dict[str, Any]]) -> tuple[Attribute, ...]:
    found: dict[str, Attribute] = {}
    for entry in entries:
        # Attributes of ns-3 classes start with a capital, options with a small letter; an
        # attribute that is called like another option keeps its capital.
        lowered = entry["name"][0].lower() + entry["name"][1:]
        name = lowered if "type" in entry and lowered not in options() else entry["name"]
        attribute = Attribute(
            name=name,
            default=_text(entry["default"]),
            unit=entry.get("unit", ""),
            allowed=entry.get("allowed") or "",
            help=entry["help"],
        )
        found.setdefault(name, attribute)  # the first one is the one that is set
    return tuple(found.values())


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@functools.cache
def schedulers() -> dict[str, Info]:
    """All schedulers by name; attributes are those of all engines that have them."""
    found: dict[str, Info] = {}
    for engine in describe()["engines"]:
        for entry in engine["schedulers"]:
            attributes = _attributes(entry["attributes"])
            before = found.get(entry["name"])
            if before is not None:
                known = {attribute.name for attribute in before.attributes}
                more = tuple(new for new in attributes if new.name not in known)
                found[entry["name"]] = Info(
                    before.name,
                    before.description,
                    before.attributes + more,
                    (*before.engines, engine["name"]),
                )
                continue
            found[entry["name"]] = Info(
                entry["name"], entry["description"], attributes, (engine["name"],)
            )
    return dict(sorted(found.items()))


def _infos(kind: str) -> dict[str, Info]:
    return {
        entry["name"]: Info(entry["name"], entry["description"], _attributes(entry["attributes"]))
        for entry in describe()[kind]
    }


@functools.cache
def topologies() -> dict[str, Info]:
    """All topologies by name."""
    return _infos("topologies")


@functools.cache
def fabrics() -> dict[str, Info]:
    """All fabrics by name."""
    return _infos("fabrics")


@functools.cache
def generators() -> dict[str, Info]:
    """All workload generators by name."""
    return _infos("generators")


@functools.cache
def transforms() -> dict[str, tuple[str, str]]:
    """All workload transforms by name, with their arguments and descriptions."""
    return {
        entry["name"]: (entry["argument"], entry["description"])
        for entry in describe()["transforms"]
    }


@functools.cache
def options() -> dict[str, Option]:
    """All options of coflow-replay by name."""
    return {entry["name"]: Option(**entry) for entry in describe()["options"]}


@functools.cache
def workload_options() -> frozenset[str]:
    """Names of the options that make and change the workload."""
    return frozenset(
        option.name for option in options().values() if option.section.startswith("Workload")
    )


@functools.cache
def known_names() -> frozenset[str]:
    """Names that an option may have, except ns-3's own classes and global values."""
    return frozenset(options()) | frozenset(attribute_names())


def as_option(name: str) -> str:
    """The name of an option. An attribute of an ns-3 class may be given with its capital."""
    lowered = name[:1].lower() + name[1:]
    changed = lowered in options() or (name not in known_names() and lowered in known_names())
    return lowered if changed else name


def attribute_names() -> dict[str, Attribute]:
    """Attributes of every part, by name: what options may also name."""
    found: dict[str, Attribute] = {}
    for infos in (topologies(), fabrics(), schedulers()):
        for info in infos.values():
            for attribute in info.attributes:
                found.setdefault(attribute.name, attribute)
    for engine in describe()["engines"]:
        for attribute in _attributes(engine.get("attributes") or []):
            found.setdefault(attribute.name, attribute)
    for part in ("transport", "source", "driver", "control"):
        for attribute in _attributes(describe()[part]["attributes"]):
            found.setdefault(attribute.name, attribute)
    return dict(sorted(found.items()))
