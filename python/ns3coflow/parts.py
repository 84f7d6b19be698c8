# SPDX-License-Identifier: GPL-2.0-only
"""Topologies and schedulers as objects: classes made from the metadata of the C++ side."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ns3coflow import metadata
from ns3coflow._core import InputError
from ns3coflow.values import to_text

if TYPE_CHECKING:
    from collections.abc import Mapping


class Part:
    """A part of a run, with a name and attributes.

    Keyword arguments are attributes, with the same names as in options. Values are numbers, truth
    values, or texts with units such as "10Gbps". The C++ side checks the values when it runs.
    """

    name: ClassVar[str]
    attributes: ClassVar[Mapping[str, metadata.Attribute]] = {}
    role: ClassVar[str]  # the option that chooses one

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        for name in values:
            if name not in self.attributes:
                allowed = ", ".join(self.attributes) or "none, it has no attributes"
                raise InputError(
                    f"{self.role} {self.name}: '{name}' is no attribute; allowed: {allowed}"
                )
        self.values = {name: to_text(value) for name, value in values.items()}

    def options(self) -> dict[str, str]:
        """The options that choose the part and set its attributes."""
        return {self.role: self.name, **self.values}

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"{type(self).__name__}({values})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), tuple(sorted(self.values.items()))))


class Topology(Part):
    """A topology: the ports of a network, their links, and their rates."""

    role = "topology"


class Scheduler(Part):
    """A scheduler: it decides which flows send, and at which rate."""

    role = "scheduler"
    engines: ClassVar[tuple[str, ...]] = ()


AnyPart = TypeVar("AnyPart", bound=Part)


def class_name(name: str) -> str:
    """`nc-drf` as `NcDrf`."""
    return "".join(word.capitalize() for word in name.split("-"))


def make_class(base: type[AnyPart], info: metadata.Info, module: str) -> type[AnyPart]:
    """A class for a named thing, with its documentation and signature."""
    lines = [f"{info.description[:1].upper()}{info.description[1:]}."]
    if info.engines:
        lines.append(f"\nIn the engines: {', '.join(info.engines)}.")
    if info.attributes:
        lines.append("\nAttributes and defaults:\n")
        lines += [f"* {attribute.describe()}" for attribute in info.attributes]
    members: dict[str, Any] = {
        "__doc__": "\n".join(lines),
        "__module__": module,
        "name": info.name,
        "attributes": {attribute.name: attribute for attribute in info.attributes},
        "__signature__": inspect.Signature(
            [
                inspect.Parameter(
                    attribute.name, inspect.Parameter.KEYWORD_ONLY, default=attribute.default
                )
                for attribute in info.attributes
                if attribute.name.isidentifier()
            ]
        ),
    }
    if issubclass(base, Scheduler):
        members["engines"] = info.engines
    return type(class_name(info.name), (base,), members)


# Every topology that the C++ side has, by the name of its class, such as FatTree.
TOPOLOGIES = {
    class_name(name): make_class(Topology, info, __name__)
    for name, info in metadata.topologies().items()
}
globals().update(TOPOLOGIES)

if TYPE_CHECKING:

    def __getattr__(name: str) -> type[Topology]: ...
