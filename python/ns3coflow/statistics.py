# SPDX-License-Identifier: GPL-2.0-only
"""Means with confidence intervals, ratios of paired runs, and empirical distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ns3coflow._core import InputError, student_t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

LEVEL = 0.95
MOST_POINTS = 500  # of a distribution: a figure shows no more


class Interval(NamedTuple):
    """A mean, and the interval that holds it with some confidence; NaN where it is not known."""

    mean: float
    low: float
    high: float


def half_width(values: Sequence[float] | pd.Series[float], level: float = LEVEL) -> float:
    """Half the confidence interval of a mean (Student's t); NaN of fewer than two values."""
    if not 0 < level < 1:
        raise InputError(f"level is {level!r}; allowed: a confidence above 0 and below 1")
    array = np.asarray(values, dtype=float)
    if len(array) < 2:
        return float("nan")
    spread = array.std(ddof=1) / np.sqrt(len(array))
    return float(student_t_quantile(0.5 + level / 2, len(array) - 1) * spread)


def mean_of(values: Sequence[float] | pd.Series[float], level: float = LEVEL) -> Interval:
    """The mean of values that are known, with its confidence interval.

    A single value has no interval. Equal values have no interval either: runs that do not differ,
    such as those of the fluid engine, contain no information about chance.
    """
    array = np.asarray(values, dtype=float)
    known = array[~np.isnan(array)]
    mean = float(known.mean()) if len(known) else float("nan")
    differ = len(known) > 0 and not (known == known[0]).all()
    half = half_width(known, level) if differ else float("nan")
    return Interval(mean, mean - half, mean + half)


def ratios_of(numerators: pd.Series[float], denominators: pd.Series[float]) -> pd.Series[float]:
    """Ratios of runs with the same index; NaN where a denominator is 0, or a side is missing."""
    return (numerators / denominators).replace([np.inf, -np.inf], np.nan)


def quantiles(values: pd.Series[float]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """An empirical distribution, as sorted values and the share that is at most as large.

    Of many values, as many as a figure can show, the smallest and the largest among them.
    """
    ordered = np.sort(values.dropna().to_numpy(np.float64))
    share = np.arange(1, len(ordered) + 1) / max(1, len(ordered))
    if len(ordered) > MOST_POINTS:
        kept = np.unique(np.linspace(0, len(ordered) - 1, MOST_POINTS).astype(int))
        ordered, share = ordered[kept], share[kept]
    return ordered, share
