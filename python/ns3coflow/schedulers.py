# SPDX-License-Identifier: GPL-2.0-only
"""Every scheduler as a class, made from the metadata of the C++ side: `schedulers.Varys(T=0)`.

`help(schedulers.Varys)` prints attributes, defaults, units and allowed values. `by_name("nc-drf")`
finds a class by the name in options.
"""

from __future__ import annotations

from typing import Any

from ns3coflow import metadata
from ns3coflow._core import InputError
from ns3coflow.parts import Scheduler, class_name, make_class

_CLASSES = {
    name: make_class(Scheduler, info, __name__) for name, info in metadata.schedulers().items()
}
globals().update({class_name(name): made for name, made in _CLASSES.items()})

__all__ = ["by_name", "names"]
__all__ += [class_name(name) for name in _CLASSES]


def names() -> list[str]:
    """The names of all schedulers, as in options."""
    return list(_CLASSES)


def by_name(name: str) -> type[Scheduler]:
    """The class of a scheduler."""
    if name not in _CLASSES:
        raise InputError(f"scheduler is '{name}'; allowed: {', '.join(_CLASSES)}")
    return _CLASSES[name]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    raise AttributeError(f"there is no scheduler {name}; there are {', '.join(__all__[2:])}")
