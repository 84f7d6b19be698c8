# SPDX-License-Identifier: GPL-2.0-only
"""The sentences of a report: which scheduler is faster, by how much, and the diagnosis."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np

from ns3coflow.diagnosis import REPEATS, gather, in_lines
from ns3coflow.grid import REPEAT

if TYPE_CHECKING:
    from ns3coflow.report_data import Case, ReportData
    from ns3coflow.statistics import Interval

ALIKE = 0.005  # means that differ by less are called equal
MOST = 30  # sentences
_COFLOW = ["coflow_id", REPEAT]


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


def diagnose(data: ReportData) -> list[dict[str, str]]:
    """The diagnosis of the runs, gathered: `id`, `text` and `change`."""
    runs = [
        (case.series, json.loads(text).get("diagnosis", []))
        for case in data.cases
        for text in case.rows["summary"]
    ]
    if data.over == REPEAT and any(len(case.rows) > 1 for case in data.cases):
        runs = [(name, [*found, REPEATS]) for name, found in runs]
    lines = in_lines(gather(runs))
    return [
        {"id": text.partition(":")[0], "text": text.partition(": ")[2], "change": change.strip()}
        for text, change in zip(lines[::2], lines[1::2], strict=True)
    ]


def without_difference(data: ReportData) -> list[str]:
    """Series under which every coflow takes equally long, a sentence for each group of them."""
    told: dict[str, list[str]] = {}
    for panel in data.panels:
        groups: dict[tuple[bytes, ...], list[Case]] = {}
        for case in data.cases:
            if case.panel == panel:
                table = case.coflows.sort_values([REPEAT, "coflow_id"])
                key = tuple(table[name].to_numpy().tobytes() for name in [*_COFLOW, "cct_s"])
                groups.setdefault(key, []).append(case)
        for cases in groups.values():
            if len(cases) > 1:
                names = join_words([case.series for case in cases])
                told.setdefault(names, []).append(panel)
    return [
        f"Each coflow takes equally long under {names}{_where(panels, data.panels)}."
        for names, panels in told.items()
    ]


def count_faster(case: Case, base: Case) -> tuple[int, int, int]:
    """Numbers of coflows that are faster and slower than under base, and of coflows in both."""
    both = case.coflows.merge(base.coflows, on=_COFLOW, suffixes=("", "_base"))
    both = both[both["cct_s"].notna() & both["cct_s_base"].notna()]
    ours, theirs = (both[name].to_numpy(np.float64) for name in ("cct_s", "cct_s_base"))
    faster = int((ours < theirs * (1 - ALIKE)).sum())
    return faster, int((ours > theirs * (1 + ALIKE)).sum()), len(both)


def say_factor(factor: Interval, baseline: str) -> str:
    """A ratio of times, theirs over ours: "1.25 times faster than fair (1.1 to 1.4)"."""
    mean, low, high = factor
    than = f" than {baseline}" if baseline else ""
    if math.isnan(mean):
        return f"not comparable{f' with {baseline}' if baseline else ''}"
    if abs(math.log(mean)) < ALIKE and not (high - low > 2 * ALIKE):
        return f"as fast{f' as {baseline}' if baseline else ''}"
    if mean < 1:
        # Of an interval that reaches down to 0, nothing is known about how slow.
        mean, low, high = 1 / mean, 1 / high, 1 / low if low > 0 else math.inf
    compared = "faster" if factor.mean >= 1 else "slower"
    if math.isnan(low):
        return f"{mean:.3g} times {compared}{than}"
    between = f"{low:.3g} to {high:.3g}"
    told = f"{between}, which contains 1" if low <= 1 <= high else between
    return f"{mean:.3g} times {compared}{than} ({told})"


def join_words(words: list[str]) -> str:
    """Words as a list in a sentence: "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _where(panels: list[str], everywhere: list[str]) -> str:
    if len(panels) == len(everywhere):
        return ""
    return f" ({'; '.join(panels)})"


def _compare(series: str, case: Case, baseline: str, base: Case, panel: str) -> str:
    mean, p95 = (case.ratio_to(base, f"cct_s.all.{each}") for each in ("mean", "p95"))
    compared = f"{case.mean('compared'):.0f} of {case.mean('coflows'):.0f} coflows"
    text = (
        f"{series} is {say_factor(mean, baseline)} in the mean CCT and {say_factor(p95, '')} in "
        f"the 95th percentile, over {compared}"
    )
    bypassed = case.mean("bypassed")
    if bypassed > 0:
        text += f"; {bypassed:.0f} of them did not wait for it"
    return f"{panel}: {text}." if panel else f"{text}."
