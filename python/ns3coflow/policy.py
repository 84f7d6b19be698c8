# SPDX-License-Identifier: GPL-2.0-only
"""Schedulers of your own in Python: subclass one of four classes.

* `OrderPolicy`: sizes known; give a key per coflow, rates follow by MADD and backfill (Varys).
* `RatePolicy`: sizes known; give a rate per flow.
* `AttainedOrderPolicy`: sizes unknown; give a key per coflow, flows share max-min fairly in order.
* `AttainedRatePolicy`: sizes unknown; give a rate per flow.

What a policy may know is the type of view that it is handed: `AttainedView` has no sizes. A policy
enters the same registry as those in C++, in the process that runs it, so that every engine that
looks policies up by name finds it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

import numpy as np

from ns3coflow import _core
from ns3coflow._core import InputError, ParameterSpec
from ns3coflow.values import to_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from ns3coflow._core import AttainedView, ClairvoyantView

    Rates = npt.NDArray[np.float64]

Value = TypeVar("Value", float, bool, str)

_BUILT_IN = frozenset(_core.built_in_policies())
_BY_NAME: dict[str, type[Policy]] = {}


class Parameter(Generic[Value]):
    """A parameter of a policy, declared as a class attribute: `aging = Parameter(0.5, unit="s")`.

    In methods, `self.aging` is its value. The type follows the default: a number, a truth value,
    or, with `choices`, one of several texts. With `scales`, the default of a number is for
    workloads of full size and is multiplied by the scale of the workload (`Trace.scale`).
    """

    def __init__(
        self,
        default: Value,
        *,
        unit: str = "",
        least: float = -np.inf,
        most: float = np.inf,
        choices: Sequence[str] = (),
        help: str = "",  # noqa: A002
        scales: bool = False,
    ) -> None:
        self.default: Value = default
        self.scales = scales
        self.unit = unit
        self.least = least
        self.most = most
        self.choices = list(choices)
        self.help = help
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Parameter[Value]: ...
    @overload
    def __get__(self, instance: Policy, owner: type) -> Value: ...
    def __get__(self, instance: Policy | None, owner: type) -> Parameter[Value] | Value:
        if instance is None:
            return self
        value: Value = instance.__dict__.get(self.name, self.default)
        return value

    def spec(self) -> ParameterSpec:
        """The declaration for the C++ side."""
        if isinstance(self.default, bool):
            return ParameterSpec.flag(self.name, self.default, self.help)
        if isinstance(self.default, str):
            others: list[str] = [choice for choice in self.choices if choice != self.default]
            return ParameterSpec.choice(self.name, [self.default, *others], self.help)
        return ParameterSpec.number(
            self.name,
            self.unit,
            float(self.default),
            self.least,
            self.most,
            self.help,
            scales=self.scales,
        )

    def parse(self, text: str) -> float | bool | str:
        """The value that a text of the C++ side stands for."""
        if isinstance(self.default, bool):
            return text == "true"
        return text if isinstance(self.default, str) else float(text)


class Policy(ABC):
    """What the four kinds of policies have in common.

    A class may set `name`, by which options find it; without it, it is the class name in lower
    case with dashes. Keyword arguments are parameters. A new instance is made for every run, and
    `setup` is called before it is asked the first time.
    """

    name: ClassVar[str]
    role: ClassVar[str] = "scheduler"
    kind: ClassVar[str]
    on_flow_completion: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: Any) -> None:  # noqa: ANN401
        super().__init_subclass__(**keywords)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        allowed = enter(type(self))
        for name in values:
            if name not in allowed:
                raise InputError(
                    f"scheduler {self.name}: '{name}' is no parameter; "
                    f"allowed: {', '.join(allowed) or 'none, it has no parameters'}"
                )
        self.values = {name: to_text(value) for name, value in values.items()}

    def options(self) -> dict[str, str]:
        """The options that choose it and set its parameters."""
        return {self.role: self.name, **self.values}

    def setup(self) -> None:  # noqa: B027
        """Called once before a run; for state of one's own."""

    @classmethod
    def parameters(cls) -> dict[str, Parameter[Any]]:
        """The parameters that the class declares, base classes first."""
        return {
            name: member
            for base in reversed(cls.__mro__)
            for name, member in vars(base).items()
            if isinstance(member, Parameter)
        }


class OrderPolicy(Policy):
    """Sizes known; a key per coflow, the smallest is the most urgent.

    Rates are those of Varys: MADD in order, then backfill, with its T/delta guard against
    starvation; so it also has the parameters T, delta, backfill and rescheduleOnFlow.
    """

    kind = "order"

    @abstractmethod
    def keys(self, view: ClairvoyantView) -> npt.ArrayLike:
        """A number per coflow of the view."""

    def _keys(self, view: ClairvoyantView, keys: Rates) -> None:
        _fill(keys, self.keys(view), self.name)


class AttainedOrderPolicy(Policy):
    """Sizes unknown; a key per coflow, the smallest is the most urgent.

    Coflow by coflow, flows share what is left by max-min fairness. It is asked whenever a flow
    comes or goes and, where `period` is set, after so many seconds without.
    """

    kind = "attained order"
    period: ClassVar[float | None] = None

    @abstractmethod
    def keys(self, view: AttainedView) -> npt.ArrayLike:
        """A number per coflow of the view."""

    def _keys(self, view: AttainedView, keys: Rates) -> float | None:
        _fill(keys, self.keys(view), self.name)
        return self.period


class RatePolicy(Policy):
    """Sizes known; a rate per flow.

    It is asked when coflows come and go, where `on_flow_completion` is True also when flows do.
    """

    kind = "rate"

    @abstractmethod
    def allocate(self, view: ClairvoyantView, rates: Rates) -> float | None:
        """Fills in `rates`, bytes per second, one per flow position, all 0 before.

        Returns the seconds after which it wants to be asked again if nothing happens, or None.
        """

    def _allocate(self, view: ClairvoyantView, rates: Rates) -> float | None:
        return self.allocate(view, rates)


class AttainedRatePolicy(Policy):
    """Sizes unknown; a rate per flow. Otherwise as `RatePolicy`."""

    kind = "attained rate"

    @abstractmethod
    def allocate(self, view: AttainedView, rates: Rates) -> float | None:
        """Fills in `rates`; see `RatePolicy.allocate`."""

    def _allocate(self, view: AttainedView, rates: Rates) -> float | None:
        return self.allocate(view, rates)


def _fill(keys: Rates, given: npt.ArrayLike, name: str) -> None:
    """Takes what a policy returned as keys."""
    try:
        values = np.asarray(given)
    except ValueError:  # rows of several lengths
        values = np.asarray(None)
    if values.shape != keys.shape or values.dtype.kind not in "biuf":
        raise InputError(
            f"scheduler {name}: keys() returned an array of shape {values.shape} and type "
            f"{values.dtype}; allowed: shape {keys.shape}, a number for each coflow of the view"
        )
    keys[:] = values


def enter(policy: type[Policy]) -> list[str]:
    """Makes a class known to the engines of this process; one of the same name is replaced.

    Returns the names of its parameters.
    """
    if policy.name in _BUILT_IN:
        raise InputError(
            f"scheduler '{policy.name}' is built in; allowed for a class in Python: another name"
        )
    summary = (policy.__doc__ or "a policy in Python").strip().splitlines()[0].rstrip(".")
    specs = [parameter.spec() for parameter in policy.parameters().values()]
    names: list[str] = _core.enter_policy(policy.kind, policy.name, summary, specs)
    _BY_NAME[policy.name] = policy
    return names


def _make(name: str, parameters: str) -> Policy:
    """Makes the instance of a run. Called by the C++ side, with texts NAME=VALUE."""
    policy = _BY_NAME[name]
    declared = policy.parameters()
    instance = policy.__new__(policy)
    for assignment in parameters.split():
        key, _, text = assignment.partition("=")
        if key in declared:
            instance.__dict__[key] = declared[key].parse(text)
    instance.setup()
    return instance
