# SPDX-License-Identifier: GPL-2.0-only
"""The verdict of a measured number on a claim. doc/validation/README.md explains the rule."""

from __future__ import annotations

from math import log

# Part of the published effect within which ours has to be.
NEAR = 0.15
# A comparison that is nearer to 1 than this shows no difference.
NO_EFFECT = 0.01

REPRODUCED = "reproduced"
NOT_CONTRADICTED = "not contradicted"
CHANCE = "chance"
DIRECTION_ONLY = "direction only"
NO_DIFFERENCE = "no effect"
OPPOSITE = "opposite"
NOT_REPRODUCED = "not reproduced"
NOT_COMPARABLE = "not comparable"
NOT_MEASURED = "not measured"
VERDICTS = (
    REPRODUCED, NOT_CONTRADICTED, CHANCE, DIRECTION_ONLY, NO_DIFFERENCE, OPPOSITE, NOT_REPRODUCED,
    NOT_COMPARABLE, NOT_MEASURED,
)  # fmt: skip

# What kind of value a claim is about.
VALUES = (
    "factor",  # one over another; not 1
    "equal",  # one over another is 1: no difference, within a margin that the claim states
    "above 1",  # one over another, in words: it is larger
    "below 1",
    "at least",  # a limit that is published as such
    "at most",
    "percentage",
    "count",
    "quantity",  # anything else above 0, with or without a unit
)
IN_WORDS = ("above 1", "below 1")


def check_value(value: str, target: float | None, margin: float | None) -> None:
    """Raises ValueError where a kind of value and its number do not go together."""
    if value not in VALUES:
        raise ValueError(f"value is {value!r}; allowed: {', '.join(VALUES)}")
    if (value in IN_WORDS) != (target is None):
        raise ValueError(f"value {value!r} {'has no' if target is not None else 'needs a'} number")
    if (value == "equal") != (margin is not None):
        raise ValueError('a margin goes with value "equal", and only with that')
    if margin is not None and not 0 < margin < 1:
        raise ValueError(f"margin is {margin}; allowed: above 0 and below 1")
    if target is None:
        return
    if value == "equal" and target != 1:
        raise ValueError(f'{target} with value "equal"; allowed: 1')
    if value == "factor" and (target <= 0 or target == 1):
        raise ValueError(f'{target} with value "factor"; allowed: above 0, and not 1 ("equal")')
    if value == "quantity" and target <= 0:
        raise ValueError(f'{target} with value "quantity"; allowed: above 0')
    if value == "percentage" and not 0 <= target <= 100:
        raise ValueError(f'{target} with value "percentage"; allowed: 0 to 100')
    if value == "count" and target != int(target):
        raise ValueError(f'{target} with value "count"; allowed: whole numbers')


def within(ours: float, half: float | None, target: float) -> bool:
    """Whether a number is in the interval of ours."""
    return half is not None and ours - half <= target <= ours + half


def of_factor(ours: float, half: float | None, target: float) -> str:
    """The side of 1 first, then the distance.

    Effects are compared as logarithms, so that a factor and its inverse have the same verdict. Ours
    is near if it differs by at most 15 % of the published effect, and by at most a factor of 1.15.
    """
    if ours <= 0:
        return NOT_REPRODUCED
    effect, published = log(ours), log(target)
    if abs(effect) <= min(NEAR * abs(published), log(1 + NO_EFFECT)):
        return NO_DIFFERENCE
    if effect * published < 0:
        return OPPOSITE
    if abs(effect - published) <= min(NEAR * abs(published), log(1 + NEAR)):
        return REPRODUCED
    # An interval that has 1 as well tells the published effect from none as little.
    if within(ours, half, target) and not within(ours, half, 1):
        return NOT_CONTRADICTED
    return DIRECTION_ONLY


def of_words(ours: float, *, above: bool) -> str:
    """Which of two is larger."""
    if ours <= 0:
        return NOT_REPRODUCED
    if abs(log(ours)) <= log(1 + NO_EFFECT):
        return NO_DIFFERENCE
    return REPRODUCED if (ours > 1) == above else OPPOSITE


def verdict(
    value: str,
    target: float | None,
    ours: float,
    half: float | None = None,
    margin: float | None = None,
) -> str:
    """What follows from the numbers alone.

    `half` is half of a 95 % confidence interval, where there are seeds; `margin` is what counts as
    no difference, for value "equal". Raises ValueError as check_value does.
    """
    check_value(value, target, margin)
    if target is None:
        return of_words(ours, above=value == "above 1")
    if value == "factor":
        return of_factor(ours, half, target)
    if value == "at least":
        near = ours >= target
    elif value == "at most":
        near = ours <= target
    elif value == "count":
        near = ours == target
    elif value == "equal":
        assert margin is not None
        near = ours > 0 and abs(log(ours)) <= log(1 + margin)
    elif value == "percentage":
        # 80 % of all are 20 % that are not: both have the same limit.
        near = abs(ours - target) <= NEAR * min(target, 100 - target)
    else:
        near = ours > 0 and abs(log(ours / target)) <= log(1 + NEAR)
    if near:
        return REPRODUCED
    # An interval so wide says that more seeds are needed, and nothing against the paper.
    wide = value in ("equal", "percentage", "quantity") and within(ours, half, target)
    return NOT_CONTRADICTED if wide else NOT_REPRODUCED


def certain(
    value: str,
    target: float | None,
    ours: float,
    half: float | None = None,
    margin: float | None = None,
) -> bool:
    """Whether both ends of the interval, each taken alone, have the verdict of the mean."""
    if half is None:
        return True
    mean = verdict(value, target, ours, half, margin)
    if mean == NOT_CONTRADICTED:
        return True  # which says that the interval is wide
    ends = (ours - half, ours + half)
    return all(verdict(value, target, end, None, margin) == mean for end in ends)
