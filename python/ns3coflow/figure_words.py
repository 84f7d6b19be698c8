# SPDX-License-Identifier: GPL-2.0-only
"""A sentence about each figure of a report, with numbers from the figure."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from ns3coflow import figures, network_figures
from ns3coflow.quantities import say
from ns3coflow.report_words import (
    ALIKE,
    count_faster,
    join_words,
    say_factor,
)
from ns3coflow.trace import BINS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ns3coflow.report_data import Case, ReportData
    from ns3coflow.statistics import Interval


def describe_figures(data: ReportData, baseline: str) -> dict[str, str]:
    """Sentences by the file names of figures; some figures have no sentence."""
    makers: dict[str, Callable[[], str]] = {
        "cct-cdf": lambda: _cdf(data, baseline),
        "mean-cct": lambda: _lowest(data, baseline, "mean", "mean CCT"),
        "p95-cct": lambda: _lowest(data, baseline, "p95", "95th percentile of CCT"),
        "improvement": lambda: _improvement(data, baseline),
        "axis": lambda: _axis(data),
        "fluid-versus-packet": lambda: _engines(data),
        "control": lambda: _control(data),
        "utilisation": lambda: _utilisation(data),
        "queues": lambda: _queues(data),
    }
    return {name: text for name, make in makers.items() if (text := make())}


def _name(case: Case) -> str:
    return f"{case.series} ({case.panel})" if case.panel else case.series


def _known(data: ReportData, panel: str, metric: str) -> list[Case]:
    """Cases of a panel with a known metric, the lowest first."""
    cases = [case for case in data.cases if case.panel == panel]
    return sorted(
        (case for case in cases if math.isfinite(case.mean(metric))),
        key=lambda case: case.mean(metric),
    )


def _rival(data: ReportData, baseline: str) -> str | None:
    """The series other than the baseline that has the lowest mean CCT at most points."""
    metric = "cct_s.all.mean"
    wins: dict[str, int] = {}
    for panel in data.panels:
        others = [case for case in _known(data, panel, metric) if case.series != baseline]
        if others:
            wins[others[0].series] = wins.get(others[0].series, 0) + 1
    return max(wins, key=lambda series: wins[series]) if wins else None


def _cdf(data: ReportData, baseline: str) -> str:
    rival = _rival(data, baseline)
    if rival is None:
        only = data.cases[0]
        if len(data.cases) > 1 or not only.mean("finished"):
            return ""
        median, longest = (only.mean(f"cct_s.all.{each}") for each in ("median", "max"))
        return (
            f"Half of the {only.mean('finished'):.0f} coflows take at most {say(median)}, "
            f"and the slowest takes {say(longest)}."
        )
    faster = slower = total = 0
    for panel in data.panels:
        case, base = data.case(rival, panel), data.case(baseline, panel)
        if case is not None and base is not None:
            counts = count_faster(case, base)
            faster, slower, total = (
                a + b for a, b in zip((faster, slower, total), counts, strict=True)
            )
    at = f"At {len(data.panels)} points together, " if len(data.panels) > 1 else ""
    runs = " (repetitions counted apart)" if data.repeats > 1 else ""
    text = (
        f"{at}{faster} of {total} coflows{runs} are faster under {rival} than under {baseline}, "
        f"and {slower} slower"
    )
    if len(data.panels) == 1:
        base = data.case(baseline, data.panels[0])
        case = data.case(rival, data.panels[0])
        assert base is not None
        assert case is not None
        text += (
            f"; half of the coflows take at most {say(case.mean('cct_s.all.median'))} under "
            f"{rival}, and {say(base.mean('cct_s.all.median'))} under {baseline}"
        )
    return f"{text}."


def _lowest(data: ReportData, baseline: str, statistic: str, label: str) -> str:
    """The series with the lowest mean or percentile, at one point of a grid or at most points."""
    metric = f"cct_s.all.{statistic}"
    if len(data.panels) == 1:
        cases = _known(data, data.panels[0], metric)
        base = data.case(baseline, data.panels[0])
        if not cases or base is None:
            return ""
        least = cases[0].mean(metric)
        best = [case for case in cases if case.mean(metric) <= least * (1 + ALIKE)]
        names = join_words([case.series for case in best])
        over = f"{base.mean('compared'):.0f} of {base.mean('coflows'):.0f} coflows"
        if len(cases) == 1:
            return f"The {label} is {say(least)}, over {over}."
        text = f"{names} {'has' if len(best) == 1 else 'have'} the lowest {label}, {say(least)}"
        if all(case.series != baseline for case in best):
            text += f": {say_factor(best[0].ratio_to(base, metric), baseline)}"
        elif len(cases) > len(best):
            after = cases[len(best)]
            factor = after.ratio_to(best[0], metric)
            text += f"; {after.series} comes next, {say_factor(factor, '')}"
        return f"{text}, over {over}."
    firsts: dict[str, list[Interval]] = {}
    for panel in data.panels:
        cases = _known(data, panel, metric)
        base = data.case(baseline, panel)
        if cases and base is not None:
            factors = firsts.setdefault(cases[0].series, [])
            factors.append(cases[0].ratio_to(base, metric))
    if not firsts:
        return ""
    winner = max(firsts, key=lambda series: len(firsts[series]))
    factors = firsts[winner]
    text = f"{winner} has the lowest {label} at {len(factors)} of {len(data.panels)} points"
    if winner != baseline:
        low, high = (say_factor(each, baseline) for each in (min(factors), max(factors)))
        text += f", where it is {low}" if low == high else f", from {low} to {high}"
    return f"{text}."


def _improvement(data: ReportData, baseline: str) -> str:
    """The bins with the largest and the smallest gain, over all points."""
    found: list[tuple[Interval, Case, str]] = []
    for case, group in itertools.product(data.cases, BINS):
        base = data.case(baseline, case.panel)
        if base is not None and case.series != baseline:
            factor = case.ratio_to(base, f"cct_s.{group}.mean")
            if factor.mean > 0:
                found.append((factor, case, group))
    if not found:
        return ""
    most = max(found, key=lambda each: each[0])
    least = min(found, key=lambda each: each[0])

    def tell(each: tuple[Interval, Case, str]) -> str:
        factor, case, group = each
        return f"{_name(case)} in bin {group}, {say_factor(factor, baseline)}"

    if most == least:
        return f"The only bin with coflows: {tell(most)}."
    largest, smallest = tell(most), tell(least)
    return f"By bin, the largest factor is that of {largest}; the smallest is that of {smallest}."


def _axis(data: ReportData) -> str:
    """The series whose mean CCT changes most along the axis that the figure shows."""
    chosen = figures.longest_axis(data)
    if chosen is None:
        return ""
    lines: dict[tuple[object, ...], list[Case]] = {}
    for case in data.cases:
        others = tuple(value for axis, value in case.labels.items() if axis != chosen)
        lines.setdefault((case.series, *others), []).append(case)
    metric = "cct_s.all.mean"
    widest: tuple[float, Case, Case] | None = None
    for cases in lines.values():
        known = sorted(
            (case for case in cases if case.mean(metric) > 0), key=lambda case: case.mean(metric)
        )
        if len(known) > 1:
            factor = known[0].ratio_to(known[-1], metric).mean
            if widest is None or factor > widest[0]:
                widest = (factor, known[0], known[-1])
    if widest is None:
        return ""
    factor, low, high = widest
    if factor < 1 + ALIKE:
        return f"No mean CCT depends on {chosen}."
    fixed = [
        f"{axis} {value}"
        for axis, value in low.labels.items()
        if axis not in (chosen, data.series_axis)
    ]
    with_others = f" with {', '.join(fixed)}" if fixed else ""
    return (
        f"{low.series} depends most on {chosen}{with_others}: its mean CCT is "
        f"{say(high.mean(metric))} at {high.labels[chosen]}, {factor:.3g} times the "
        f"{say(low.mean(metric))} at {low.labels[chosen]}."
    )


def _engines(data: ReportData) -> str:
    told = [
        f"{(joined['cct_s_packet'] / joined['cct_s_fluid']).median():.3g} times under {name}"
        for name, joined in network_figures.pair_engines(data)
    ]
    if not told:
        return ""
    return (
        "CCT at packet level over CCT in the fluid engine is, in the median over coflows, "
        f"{join_words(told)}."
    )


def _control(data: ReportData) -> str:
    cases = [case for case in data.cases if case.mean("network.control_messages") > 0]
    if not cases:
        return ""

    most = max(cases, key=network_figures.control_percent)
    return (
        f"{_name(most)} has {'' if len(cases) == 1 else 'the largest share of '}control traffic: "
        f"{most.mean('network.control_messages'):,.0f} messages, "
        f"{network_figures.control_percent(most).mean:.2g} % of what hosts send."
    )


def _sampled(data: ReportData, column: str) -> list[Case]:
    """Cases that a figure over time shows: those of the first point that has samples."""
    cases = [case for case in data.cases if case.samples is not None and len(case.samples)]
    return [
        case for case in cases if case.panel == cases[0].panel and network_figures.has(case, column)
    ]


def _utilisation(data: ReportData) -> str:
    means = {}
    for case in _sampled(data, "utilisation"):
        assert case.samples is not None
        means[case.series] = 100 * float(case.samples["utilisation"].mean())
    if not means:
        return ""
    high = max(means, key=lambda series: means[series])
    low = min(means, key=lambda series: means[series])
    text = f"Over the samples, hosts use {means[high]:.3g} % of their uplinks under {high}"
    return f"{text}." if high == low else f"{text}, and {means[low]:.3g} % under {low}."


def _queues(data: ReportData) -> str:
    largest = {}
    for case in _sampled(data, "largest_queue_bytes"):
        assert case.samples is not None
        largest[case.series] = float(case.samples["largest_queue_bytes"].max())
    if not largest:
        return ""
    most = max(largest, key=lambda series: largest[series])
    return f"The fullest queue that a sample saw held {largest[most] / 1e3:.3g} kB, under {most}."
