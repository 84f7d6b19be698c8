# SPDX-License-Identifier: GPL-2.0-only
"""What a report says in words: who is faster, by how much, and what had no effect."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ns3coflow.report_data import Case, ReportData

ALIKE = 0.005  # means that differ by less are called equal
MOST = 30  # sentences


def in_words(data: ReportData, baseline: str) -> list[str]:
    """A sentence for each scheduler and point: mean CCT and 95th percentile against baseline."""
    sentences = []
    for panel in data.panels:
        base = data.case(baseline, panel)
        if base is None:
            continue
        for series in data.series:
            case = data.case(series, panel)
            if case is None or series == baseline:
                continue
            sentences.append(_compare(series, case, baseline, base, panel))
    if len(sentences) > MOST:
        left = len(sentences) - MOST
        sentences = [*sentences[:MOST], f"{left} more are in the table."]
    return sentences


def without_effect(data: ReportData) -> list[str]:
    """What runs say of schedulers that did nothing, each once."""
    told: dict[str, None] = {}
    for case in data.cases:
        for text in case.rows["summary"]:
            idleness = json.loads(text)["results"].get("idleness")
            if idleness:
                told[f"{case.series}: {idleness}"] = None
    return list(told)


def _compare(series: str, case: Case, baseline: str, base: Case, panel: str) -> str:
    mean, p95 = (_factor(base, case, f"cct_s.all.{each}") for each in ("mean", "p95"))
    compared = f"{case.mean('compared'):.0f} of {case.mean('coflows'):.0f} coflows"
    text = (
        f"{series} is {_faster(mean, baseline)} in the mean CCT and {_faster(p95, '')} in the "
        f"95th percentile, over {compared}"
    )
    bypassed = case.mean("bypassed")
    if bypassed > 0:
        text += f"; {bypassed:.0f} of them did not wait for it"
    return f"{panel}: {text}." if panel else f"{text}."


def _factor(base: Case, case: Case, metric: str) -> float:
    ours = case.mean(metric)
    return base.mean(metric) / ours if ours else math.nan


def _faster(factor: float, baseline: str) -> str:
    than = f" than {baseline}" if baseline else ""
    if math.isnan(factor):
        return f"not comparable{f' with {baseline}' if baseline else ''}"
    if abs(math.log(factor)) < ALIKE:
        return f"as fast{f' as {baseline}' if baseline else ''}"
    if factor > 1:
        return f"{factor:.3g} times faster{than}"
    return f"{1 / factor:.3g} times slower{than}"
