# SPDX-License-Identifier: GPL-2.0-only
"""Claims beside what was measured: fills the tables of all READMEs and of doc/validation.

python -m scratch.index
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SCRATCH = Path(__file__).resolve().parent
INDEX = SCRATCH.parent / "doc/validation/README.md"

# A published number counts as reproduced within so much of it.
NEAR = 0.15


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, and what we measure about it."""

    experiment: str
    source: str  # section, figure or table
    text: str
    measure: str  # a key of measured.json
    published: float
    rule: str  # near | factor | at least | at most: how ours is held against it
    cause: str  # of the deviation
    ours: float | None  # None where it was not run
    half: float | None  # half a 95 % confidence interval, where there are seeds

    headline: str  # its text in the table on top of doc/validation; empty: not there

    @property
    def verdict(self) -> str:
        """What follows from the numbers alone."""
        return "not run" if self.ours is None else self._verdict_of(self.ours)

    @property
    def certain(self) -> bool:
        """Whether both ends of the interval have the same verdict; true without one."""
        if self.ours is None or self.half is None:
            return True
        ends = (self.ours - self.half, self.ours + self.half)
        return all(self._verdict_of(end) == self.verdict for end in ends)

    def _verdict_of(self, ours: float) -> str:
        if self.rule == "at least":
            return "reproduced" if ours >= self.published else "not reproduced"
        if self.rule == "at most":
            return "reproduced" if ours <= self.published else "not reproduced"
        if abs(ours - self.published) <= NEAR * abs(self.published):
            return "reproduced"
        # A factor above or below 1 says which of two is better.
        same_side = (ours - 1) * (self.published - 1) > 0
        return "direction only" if self.rule == "factor" and same_side else "not reproduced"

    @property
    def verdict_text(self) -> str:
        """The verdict, with a question mark where the interval allows another."""
        return self.verdict + ("" if self.certain else " (?)")

    @property
    def published_text(self) -> str:
        """The published number as the paper means it."""
        sign = {"at least": ">= ", "at most": "<= "}.get(self.rule, "")
        return f"{sign}{self.published:.4g}"

    @property
    def ours_text(self) -> str:
        """Our number, with its interval."""
        if self.ours is None:
            return ""
        return f"{self.ours:.3g}" + ("" if self.half is None else f" ± {self.half:.2g}")


def claims_of(folder: Path) -> list[Claim]:
    """The claims of one experiment."""
    declared: dict[str, Any] = tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))
    measured = {}
    for name in ("measured.json", "causes.json"):
        if (folder / name).is_file():
            measured |= json.loads((folder / name).read_text(encoding="utf-8"))["measured"]
    return [
        Claim(
            experiment=folder.name,
            source=claim["source"],
            text=claim["text"],
            measure=claim["measure"],
            published=float(claim["published"]),
            rule=claim.get("rule", "near"),
            cause=declared.get("causes", {}).get(claim.get("cause", ""), claim.get("cause", "")),
            ours=measured[claim["measure"]],
            half=measured.get(claim["measure"] + " +-"),
            headline=claim.get("headline", ""),
        )
        for claim in declared["claim"]
    ]


def experiments() -> list[Path]:
    """The folders of experiments."""
    return sorted(path.parent for path in SCRATCH.glob("*/claims.toml"))


def table(claims: list[Claim], *, with_experiment: bool) -> str:
    """A table in Markdown."""
    head = ["claim", "source", "published", "ours", "verdict", "why it deviates"]
    lines = []
    if with_experiment:
        head[0:0] = ["experiment"]
    lines = [" | ".join(head), " | ".join(["---"] * len(head))]
    for claim in claims:
        cells = [
            claim.text, claim.source, claim.published_text, claim.ours_text, claim.verdict_text,
            "" if claim.verdict in ("reproduced", "not run") else claim.cause,
        ]  # fmt: skip
        if with_experiment:
            cells[0:0] = [f"[{claim.experiment}](../../scratch/{claim.experiment}/README.md)"]
        lines.append(" | ".join(cells))
    return "\n".join(f"| {line} |" for line in lines)


def headlines(claims: list[Claim]) -> str:
    """The claims that a reader asks for first, with what runs them again."""
    lines = ["claim | published | ours | verdict | run again", "--- | --- | --- | --- | ---"]
    for claim in claims:
        link = f"[{claim.experiment}](../../scratch/{claim.experiment}/README.md)"
        cells = [
            claim.headline, claim.published_text, claim.ours_text, claim.verdict_text, link
        ]  # fmt: skip
        lines.append(" | ".join(cells))
    return "\n".join(f"| {line} |" for line in lines)


def counts(claims: list[Claim]) -> str:
    """How many claims have which verdict."""
    verdicts = ("reproduced", "direction only", "not reproduced", "not run")
    found = {each: sum(claim.verdict == each for claim in claims) for each in verdicts}
    summary = ", ".join(f"{count} {verdict}" for verdict, count in found.items() if count)
    uncertain = sum(not claim.certain for claim in claims)
    more = f" Of these, {uncertain} are marked (?)." if uncertain else ""
    return f"{len(claims)} claims: {summary}.{more}"


def fill(text: str, content: str, region: str = "table") -> str:
    """A text with what is between two marks replaced."""
    return re.sub(
        rf"(<!-- {region} -->\n).*?(<!-- end -->)",
        lambda match: f"{match[1]}\n{content}\n\n{match[2]}",
        text,
        flags=re.DOTALL,
    )


def pages() -> dict[Path, str]:
    """All files that have a table, as they should be."""
    filled = {}
    everything = []
    for folder in experiments():
        claims = claims_of(folder)
        everything += claims
        page = folder / "README.md"
        text = page.read_text(encoding="utf-8")
        filled[page] = fill(text, table(claims, with_experiment=False))
    text = INDEX.read_text(encoding="utf-8")
    first = [claim for claim in everything if claim.headline]
    text = fill(text, f"{counts(everything)}\n\n{headlines(first)}", "headlines")
    filled[INDEX] = fill(text, table(everything, with_experiment=True))
    return filled


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
