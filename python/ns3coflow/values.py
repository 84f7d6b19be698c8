# SPDX-License-Identifier: GPL-2.0-only
"""Values of options as text, the way a person would type them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ns3coflow import metadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def to_text(value: Any) -> str:  # noqa: ANN401
    """A value of an option as text.

    Raises TypeError for other values than texts, numbers and truth values.
    """
    if isinstance(value, str):
        return value
    item = getattr(value, "item", None)
    if callable(item):  # a scalar of numpy
        value = item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(
        f"a value of an option is {value!r}; allowed: a text, a number, or True and False"
    )


def to_arguments(options: Mapping[str, Any]) -> list[str]:
    """Options as arguments of coflow-replay, in order.

    None leaves an option out, a list or tuple repeats it. Flags take True and False.
    """
    known = metadata.options()
    arguments = []
    for name, value in options.items():
        values: Iterable[Any] = value if isinstance(value, (list, tuple)) else [value]
        for each in values:
            if each is None:
                continue
            if name in known and known[name].placeholder == "":
                if not isinstance(each, bool):
                    raise TypeError(f"option {name} is {each!r}; allowed: True and False")
                if each:
                    arguments.append(f"--{name}")
                continue
            arguments.append(f"--{name}={to_text(each)}")
    return arguments
