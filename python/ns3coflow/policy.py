# SPDX-License-Identifier: GPL-2.0-only
"""Your own schedulers in Python: derive a class from one of four classes.

* `OrderPolicy`: sizes known; return a key per coflow, rates follow by MADD and backfill (Varys).
* `RatePolicy`: sizes known; return a rate per flow.
* `AttainedOrderPolicy`: sizes unknown; return a key per coflow, flows get max-min fair rates,
  coflow by coflow.
* `AttainedRatePolicy`: sizes unknown; return a rate per flow.

The type of the view limits the knowledge of a policy: `AttainedView` has no sizes. A policy enters
the same registry as the policies in C++, in the process that runs the policy. So every engine finds
the policy by its name.
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

    In methods, `self.aging` is the value of the parameter. The type follows the default: a number,
    a truth value, or, with `choices`, one of several texts. With `scales`, the default of a number
    is for workloads of full size and is multiplied by the scale of the workload (`Trace.scale`).
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
        """The value of a text from the C++ side."""
        if isinstance(self.default, bool):
            return text == "true"
        return text if isinstance(self.default, str) else float(text)


class Policy(ABC):
    """The common base of the four kinds of policies.

    A class may set `name`, the name of the policy in options. By default, the name is the class
    name in lower case with dashes. Keyword arguments are parameters. Every run makes a new
    instance, and calls `setup` before the first decision.
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
        """The options that choose the policy and set its parameters."""
        return {self.role: self.name, **self.values}

    def setup(self) -> None:  # noqa: B027
        """Called once before a run. Override this method to prepare your own state."""

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
    """Sizes known. `keys` returns a key per coflow; the coflow with the smallest key goes first.

    Rates are those of Varys: MADD in order, then backfill, with Varys' T/delta guard against
    starvation. So the policy also has the parameters T, delta, backfill and rescheduleOnFlow.
    """

    kind = "order"

    @abstractmethod
    def keys(self, view: ClairvoyantView) -> npt.ArrayLike:
        """A number per coflow of the view."""

    def _keys(self, view: ClairvoyantView, keys: Rates) -> None:
        _fill(keys, self.keys(view), self.name)


class AttainedOrderPolicy(Policy):
    """Sizes unknown. `keys` returns a key per coflow; the coflow with the smallest key goes first.

    Coflow by coflow, flows share the remaining rate of ports by max-min fairness. The engine calls
    `keys` whenever a flow comes or goes. With `period`, it also calls `keys` after this many
    seconds without such an event, and at packet level hosts report the bytes sent once per period.
    Without it, `view.sent` has at packet level only the bytes of flows that have ended.
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
    """Sizes known. `allocate` sets a rate per flow.

    The engine calls `allocate` when coflows come and go. If `on_flow_completion` is True, the
    engine also calls `allocate` when flows finish.
    """

    kind = "rate"

    @abstractmethod
    def allocate(self, view: ClairvoyantView, rates: Rates) -> float | None:
        """Fills in `rates`: bytes per second, a rate per flow position. All rates are 0 before.

        Returns the seconds after which the engine calls `allocate` again if nothing happens, or
        None.
        """

    def _allocate(self, view: ClairvoyantView, rates: Rates) -> float | None:
        return self.allocate(view, rates)


class AttainedRatePolicy(Policy):
    """Sizes unknown. `allocate` sets a rate per flow, as in `RatePolicy`.

    With `period`, hosts report the bytes sent once per this many seconds at packet level. Without
    it, `view.sent` has at packet level only the bytes of flows that have ended.
    """

    kind = "attained rate"
    period: ClassVar[float | None] = None

    @abstractmethod
    def allocate(self, view: AttainedView, rates: Rates) -> float | None:
        """Fills in `rates`; see `RatePolicy.allocate`."""

    def _allocate(self, view: AttainedView, rates: Rates) -> float | None:
        return self.allocate(view, rates)


def _fill(keys: Rates, given: npt.ArrayLike, name: str) -> None:
    """Fills in the keys that a policy returned."""
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
    """Makes a class known to the engines of this process; replaces a class of the same name.

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
