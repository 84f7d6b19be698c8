# SPDX-License-Identifier: GPL-2.0-only
"""Grids of experiments: axes, their values, and names of runs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ns3coflow._core import InputError
from ns3coflow.applying import apply_options
from ns3coflow.parts import Part
from ns3coflow.policy import Policy
from ns3coflow.program import Program
from ns3coflow.trace import Trace

if TYPE_CHECKING:
    from ns3coflow.experiment import Experiment

    Runnable: TypeAlias = Experiment | Program

Label: TypeAlias = str | int | float | bool
Grid: TypeAlias = Mapping[str, Sequence[Any] | Mapping[str, Any]]

REPEAT = "RngRun"


@dataclass(frozen=True)
class PlannedRun:
    """One point of a grid."""

    key: str  # the hash of everything that determines its result
    labels: dict[str, Label]  # by axis, and RngRun
    experiment: Runnable


def series_axis(axes: Sequence[str]) -> str:
    """The axis with the values that are compared at the same point of the other axes."""
    return "scheduler" if "scheduler" in axes or not axes else axes[0]


def call(labels: Mapping[str, Label]) -> str:
    """The name of a run in messages."""
    return ", ".join(f"{axis}={label}" for axis, label in labels.items())


def label_of(axis: str, value: Any) -> Label:  # noqa: ANN401
    """The name of a value of an axis in tables."""
    if isinstance(value, (str, int, float, bool)):
        return Path(value).name if axis == "trace" and isinstance(value, str) else value
    if isinstance(value, type) and issubclass(value, Policy):
        return value.name
    if isinstance(value, (Part, Policy)):
        values = ",".join(f"{name}={text}" for name, text in value.values.items())
        return f"{value.name}({values})" if values else value.name
    if isinstance(value, Trace):
        return value.digest[:8]
    raise InputError(
        f"axis {axis}: {value!r} has no label; allowed: a number, a text, a part, a Trace, "
        "or a mapping of labels to values"
    )


def _points(axis: str, values: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Label, Any]]:
    if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, Mapping)):
        raise InputError(f"axis {axis} is {values!r}; allowed: a list, or a mapping of labels")
    if isinstance(values, Mapping):
        points: list[tuple[Label, Any]] = list(values.items())
    else:
        points = [(label_of(axis, value), value) for value in values]
    labels = [label for label, _ in points]
    if not labels or len(set(labels)) != len(labels):
        raise InputError(
            f"axis {axis} has the values {', '.join(map(str, labels)) or 'none'}; "
            "allowed: at least one, all different"
        )
    return points


def plan(base: Runnable, grid: Grid, repeats: int) -> list[PlannedRun]:
    """All runs of a grid, in order: RngRun changes fastest, then the last axis.

    A value that is a mapping sets several options at once. A value that is a function is called
    with the options of the point so far, in the order of axes, and returns such a mapping. An
    option applies to the points with a scheduler that has the option. Points with identical runs
    have the same key. Raises InputError if a name in a point of the grid is wrong, or if none of
    the schedulers has an option.
    """
    if REPEAT in grid:
        raise InputError(f"axis {REPEAT} is made by repeats; allowed: another axis")
    axes = {axis: _points(axis, values) for axis, values in grid.items()}
    first = int(base.options.get(REPEAT, 1))
    from ns3coflow.experiment import Experiment

    planned: list[tuple[dict[str, Label], Runnable]] = []
    fluids: list[bool] = []  # whether a point is to be a fluid
    for point in itertools.product(*axes.values()):
        labels = {axis: label for axis, (label, _) in zip(axes, point, strict=True)}
        experiment = base
        for axis, (_, value) in zip(axes, point, strict=True):
            if value is not Experiment.fluid:
                experiment = experiment.with_options(**_changes(axis, value, experiment))
        planned.append((labels, experiment))
        fluids.append(any(value is Experiment.fluid for _, value in point))
    runs = []
    experiments = [experiment for _, experiment in planned]
    applied: Sequence[Runnable] = experiments
    if not isinstance(base, Program):
        applied = apply_options([each for each in experiments if not isinstance(each, Program)])
    for (labels, _), given, is_fluid in zip(planned, applied, fluids, strict=True):
        experiment = given.fluid() if is_fluid else given
        experiment.check(call({**labels, REPEAT: first}))
        for run in range(first, first + repeats):
            repeated = experiment.with_options(**{REPEAT: run})
            runs.append(PlannedRun(repeated.key(), {**labels, REPEAT: run}, repeated))
    return runs


def _changes(axis: str, value: Any, experiment: Runnable) -> Mapping[str, Any]:  # noqa: ANN401
    """The options that a value of an axis sets."""
    if callable(value) and not isinstance(value, type):
        value = value(experiment.options)
    if not isinstance(value, Mapping):
        return {axis: value}
    if REPEAT in value:
        raise InputError(f"axis {axis} sets {REPEAT}, which repeats make; allowed: other options")
    return value
