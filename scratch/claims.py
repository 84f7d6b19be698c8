# SPDX-License-Identifier: GPL-2.0-only
"""Claims as claims.toml declares them, with measured numbers.

[defaults] holds the default fields of all claims of the file. [causes] holds the causes of
deviations; claims refer to them by name. Fields of a [[claim]]:

kind        published: under the conditions that the paper publishes, as far as it does;
            given: published, and true of the input or by definition under every scheduler;
            variant: with something that was changed or assumed afterwards;
            own: a statement of this module, not of a paper
workload    of a published claim: same (as in the paper), other (the paper's is not public),
            scaled (another workload, and smaller, so that packets can be simulated)
source      section, figure or table
text        the statement
conditions  our conditions, on both sides of the comparison
assumed     of a variant: what was changed or assumed
metric      our metric; metric_published if the paper has another: not comparable then
impossible  why the published numbers cannot be of our metric: not comparable then
beside      the measure of another claim of the file about the same curve or whole: if that claim
            is not reproduced, this claim is chance
value       see verdict.VALUES
published   the paper's number; none with "above 1" and "below 1"
expected    the same for own statements
margin      with value "equal": what counts as no difference
measure     a key of measured.json or causes.json
pending     true: the number may be missing until the experiment runs again
cause       a key of [causes]
headline    its text in the table on top of doc/validation/claims.md
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, replace
from os.path import relpath
from pathlib import Path
from typing import Any

from scratch import verdict as rule

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCRATCH = Path(__file__).resolve().parent
KINDS = ("published", "given", "variant", "own")
WORKLOADS = ("same", "other", "scaled")
METRICS = (
    "ratio of means",  # mean CCT over mean CCT
    "ratio of percentiles",
    "ratio of maxima",
    "mean of ratios",  # of the CCTs of the same coflow
    "median of ratios",
    "percentile of ratios",
    "extreme of ratios",
    "ratio of mean FCTs",
    "mean over types of ratios",  # of ratios of means
    "ratio of makespans",
    "ratio of utilisations",
    "ratio of factors",  # of two ratios of means
    "ratio of mean normalised CCTs",
    "CCT of one coflow over another",
    "gap of means, %",
    "mean",
    "percentile",
    "standard deviation",
    "maximum",
    "median",
    "time",
    "share, %",
    "number",
)
FIELDS = {
    "kind", "workload", "source", "text", "conditions", "assumed", "metric", "metric_published",
    "value", "published", "expected", "margin", "measure", "pending", "cause", "headline",
    "impossible", "beside",
}  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """A statement, and what we measure about it."""

    experiment: str
    kind: str
    source: str
    text: str
    conditions: str
    metric: str
    value: str
    target: float | None
    measure: str
    ours: float | None  # None where it was not run
    workload: str = ""
    assumed: str = ""
    metric_published: str = ""
    margin: float | None = None
    half: float | None = None  # half a 95 % confidence interval, where there are seeds
    cause: str = ""
    headline: str = ""
    impossible: str = ""
    beside: Claim | None = None

    @property
    def verdict(self) -> str:
        """What follows from the numbers alone."""
        if self.impossible or self.metric_published not in ("", self.metric):
            return rule.NOT_COMPARABLE
        if self.ours is None:
            return rule.NOT_MEASURED
        found = rule.verdict(self.value, self.target, self.ours, self.half, self.margin)
        if found == rule.REPRODUCED and self.beside is not None:
            return found if self.beside.verdict == rule.REPRODUCED else rule.CHANCE
        return found

    @property
    def certain(self) -> bool:
        """Whether the interval leaves no other verdict open."""
        if self.ours is None or self.verdict in (rule.NOT_COMPARABLE, rule.CHANCE):
            return True
        return rule.certain(self.value, self.target, self.ours, self.half, self.margin)

    @property
    def verdict_text(self) -> str:
        """The verdict, with a question mark where the interval allows another."""
        return self.verdict + ("" if self.certain else " (?)")

    @property
    def target_text(self) -> str:
        """The published, or expected, number as it is meant."""
        if self.target is None:
            return "> 1, in words" if self.value == "above 1" else "< 1, in words"
        sign = {"at least": ">= ", "at most": "<= "}.get(self.value, "")
        margin = "" if self.margin is None else f" (within {100 * self.margin:g} %)"
        return f"{sign}{self.target:.4g}{margin}"

    @property
    def ours_text(self) -> str:
        """Our number, with its interval."""
        return "" if self.ours is None else number_text(self.ours, self.half)

    @property
    def metric_text(self) -> str:
        """The metric, or both where they differ."""
        if self.impossible:
            return f"{self.metric}; {self.impossible}"
        if self.metric_published in ("", self.metric):
            return self.metric
        return f"published: {self.metric_published}; ours: {self.metric}"


def number_text(value: float, half: float | None) -> str:
    """A number with its interval."""
    digits = 3 if abs(value) < 1000 else 4
    text = rounded(value, digits) if abs(value) < 1e4 else f"{value:.0f}"
    return text + ("" if half is None else f" ± {rounded(half, 2)}")


def rounded(value: float, digits: int) -> str:
    """A number with some digits; large ones without an exponent: 1300, not 1.3e+03."""
    text = f"{value:.{digits}g}"
    return f"{float(text):.0f}" if "e+" in text else text


def name_of(folder: Path) -> str:
    """The name of an experiment: its folder, as seen from scratch."""
    return relpath(folder, SCRATCH)


def measured_in(folder: Path) -> dict[str, float | None]:
    """All numbers of an experiment, and what they cost: "CPU, s" and "CPU of causes, s"."""
    measured: dict[str, float | None] = {}
    for name, cost in (("measured.json", "CPU, s"), ("causes.json", "CPU of causes, s")):
        if (folder / name).is_file():
            found = json.loads((folder / name).read_text(encoding="utf-8"))
            measured |= {**found["measured"], cost: found["cpu_seconds"]}
    return measured


def notes_on(folder: Path) -> list[str]:
    """Under what else numbers were measured, until the experiment is run again."""
    notes = []
    for name in ("measured.json", "causes.json"):
        if (folder / name).is_file():
            notes.append(json.loads((folder / name).read_text(encoding="utf-8")).get("note"))
    return list(dict.fromkeys(note for note in notes if note))


def value_of(measured: dict[str, float | None], key: str) -> str:
    """A number as text; KeyError where there is no such key."""
    value = measured[key]
    return "not measured" if value is None else number_text(value, measured.get(f"{key} +-"))


def with_numbers(text: str, measured: dict[str, float | None]) -> str:
    """A text with each [[KEY]] replaced by the number."""
    return re.sub(r"\[\[(.+?)\]\]", lambda match: value_of(measured, match[1]), text)


def require(condition: object, message: str) -> None:
    """Raises ValueError."""
    if not condition:
        raise ValueError(message)


def check_fields(claim: dict[str, Any], causes: dict[str, str]) -> None:
    """Raises ValueError where fields of a claim are missing, unknown, or do not go together."""
    unknown = set(claim) - FIELDS
    require(not unknown, f"unknown: {', '.join(sorted(unknown))}")
    for name in ("kind", "source", "text", "conditions", "metric", "value", "measure"):
        require(claim.get(name), f"{name} is missing")
    require(claim["kind"] in KINDS, f"kind {claim['kind']!r}; allowed: {', '.join(KINDS)}")
    own = claim["kind"] == "own"
    variant = claim["kind"] == "variant"
    require(not own or "published" not in claim, "an own statement has expected, not published")
    require(own or "expected" not in claim, "expected goes with an own statement only")
    require(variant == bool(claim.get("assumed")), "assumed goes with a variant, and every variant")
    if claim["kind"] == "published":
        require(claim.get("workload") in WORKLOADS, f"workload; allowed: {', '.join(WORKLOADS)}")
    for name in ("metric", "metric_published"):
        require(claim.get(name, METRICS[0]) in METRICS, f"{name} {claim.get(name)!r} is unknown")
    cause = claim.get("cause")
    require(cause is None or cause in causes, f"cause {cause!r} is not among [causes]")
    target = claim.get("expected" if own else "published")
    rule.check_value(claim["value"], target, claim.get("margin"))


def claim_of(
    folder: Path,
    fields: dict[str, Any],
    causes: dict[str, str],
    measured: dict[str, float | None],
) -> Claim:
    """One claim; ValueError says which one is wrong."""
    try:
        check_fields(fields, causes)
        key = fields["measure"]
        known = key in measured or fields.get("pending")
        require(known, f"{key!r} was not measured (and is not pending)")
    except ValueError as error:
        name = fields.get("text", "a claim without text")
        raise ValueError(f"{name_of(folder)}/claims.toml: {name}: {error}") from error
    target = fields.get("expected" if fields["kind"] == "own" else "published")
    return Claim(
        experiment=name_of(folder),
        kind=fields["kind"],
        source=fields["source"],
        text=fields["text"],
        conditions=fields["conditions"],
        metric=fields["metric"],
        value=fields["value"],
        target=None if target is None else float(target),
        measure=key,
        ours=measured.get(key),
        workload=fields.get("workload", "") if fields["kind"] == "published" else "",
        assumed=with_numbers(fields.get("assumed", ""), measured),
        metric_published=fields.get("metric_published", ""),
        margin=fields.get("margin"),
        half=measured.get(f"{key} +-"),
        cause=fields.get("cause", ""),
        headline=fields.get("headline", ""),
        impossible=fields.get("impossible", ""),
    )


def declared_in(folder: Path) -> dict[str, Any]:
    """What claims.toml of an experiment holds."""
    return tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))


def causes_of(folder: Path) -> dict[str, str]:
    """The causes of an experiment, with numbers filled in."""
    measured = measured_in(folder)
    causes = declared_in(folder).get("causes", {})
    return {name: with_numbers(text, measured) for name, text in causes.items()}


def claims_of(folder: Path) -> list[Claim]:
    """The claims of one experiment."""
    declared = declared_in(folder)
    measured = measured_in(folder)
    defaults, causes = declared.get("defaults", {}), declared.get("causes", {})
    found = []
    for each in declared["claim"]:
        claim = claim_of(folder, defaults | each, causes, measured)
        if "beside" in each:
            others = [other for other in declared["claim"] if other["measure"] == each["beside"]]
            require(others, f"{name_of(folder)}/claims.toml: {claim.text}: beside no claim")
            beside = claim_of(folder, defaults | others[0], causes, measured)
            claim = replace(claim, beside=beside)
        found.append(claim)
    return found
