# SPDX-License-Identifier: GPL-2.0-only
"""Claims and measured numbers: fills the tables of all READMEs and of doc/validation.

doc/validation/claims.csv has all claims, a row each. utils/build-docs makes a page of them, with
the most important claims first. The script also fills in numbers in the text of these pages, of
README.md and of the pages of schedulers, between <!--= EXPERIMENT: KEY --> and <!--/-->.

python -m scratch.index writes the pages. With --check, it only lists pages that are not up to date.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from pathlib import Path

from scratch import verdict as rule
from scratch.claims import Claim, causes_of, claims_of, measured_in, name_of, notes_on, value_of

SCRATCH = Path(__file__).resolve().parent
INDEX = SCRATCH.parent / "doc/validation/README.md"
CLAIMS = INDEX.parent / "claims.csv"
README = SCRATCH.parent / "README.md"
COLUMNS = (
    "experiment", "kind", "claim", "source", "metric", "conditions", "assumed", "published", "ours",
    "verdict", "cause",
)  # fmt: skip
TITLES = {
    "published": "Published, under published conditions",
    "given": "Published, and true of the input or by definition",
    "variant": "Variants, tried afterwards",
    "own": "Statements of this module",
}
WORKLOADS = {
    "same": "the paper's workload",
    "other": "another workload, as the paper's is not public",
    "scaled": "a small, scaled workload, in packets",
}
# What a variant, and a statement of ours, does instead of being reproduced.
WORDS = {
    "variant": {rule.REPRODUCED: "matches", rule.NOT_REPRODUCED: "does not match"},
    "own": {rule.REPRODUCED: "holds", rule.NOT_REPRODUCED: "does not hold"},
}


def experiments() -> list[Path]:
    """The folders of experiments."""
    return sorted(path.parent for path in SCRATCH.rglob("claims.toml"))


def row(cells: list[str]) -> str:
    """A line of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def verdict_text(claim: Claim) -> str:
    """The verdict, in the words of the kind of claim."""
    words = WORDS.get(claim.kind, {}).get(claim.verdict, claim.verdict)
    return words + claim.verdict_text[len(claim.verdict) :]


def link(experiment: str) -> str:
    """To the README of an experiment, from doc/validation."""
    return f"[{experiment}](../../scratch/{experiment}/README.md)"


def cause_text(claim: Claim) -> str:
    """The name of a cause, where there is a deviation."""
    unnamed = (
        rule.REPRODUCED, rule.NOT_CONTRADICTED, rule.CHANCE, rule.NOT_MEASURED, rule.NOT_COMPARABLE
    )  # fmt: skip
    return "" if claim.verdict in unnamed else claim.cause


def claims_csv(claims: list[Claim]) -> str:
    """All claims as CSV: COLUMNS, numbers as text with their confidence intervals."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(COLUMNS)
    for claim in claims:
        writer.writerow(
            [
                claim.experiment, claim.kind, claim.text, claim.source, claim.metric_text,
                claim.conditions, claim.assumed, claim.target_text, claim.ours_text,
                verdict_text(claim), cause_text(claim),
            ]
        )  # fmt: skip
    return written.getvalue()


def table(claims: list[Claim], kind: str) -> str:
    """A table of one kind of claims."""
    head = ["claim", "source", "metric", "conditions", "published", "ours", "verdict", "cause"]
    if kind == "own":
        head[4] = "expected"
    if kind == "variant":
        head.insert(4, "assumed")
    lines = [row(head), row(["---"] * len(head))]
    for claim in claims:
        cells = [
            claim.text, claim.source, claim.metric_text, claim.conditions, claim.target_text,
            claim.ours_text, verdict_text(claim), cause_text(claim),
        ]  # fmt: skip
        if kind == "variant":
            cells.insert(4, claim.assumed)
        lines.append(row(cells))
    return "\n".join(lines)


def tables(claims: list[Claim], level: str) -> str:
    """A table for each kind of claims that there is, in order."""
    parts = []
    for kind, title in TITLES.items():
        some = [claim for claim in claims if claim.kind == kind]
        if some:
            parts += [f"{level} {title}", table(some, kind)]
    return "\n\n".join(parts)


def causes(folder: Path, claims: list[Claim]) -> str:
    """The causes that the tables of an experiment name, each once."""
    named = {cause_text(claim) for claim in claims}
    lines = [f"- *{name}*: {text}." for name, text in causes_of(folder).items() if name in named]
    return "\n".join(["Causes:", "", *lines]) if lines else ""


def of_verdict(claims: list[Claim], verdict: str) -> int:
    """How many claims have a verdict."""
    return sum(claim.verdict == verdict for claim in claims)


def compared(claims: list[Claim]) -> list[Claim]:
    """Claims that have a verdict."""
    return [each for each in claims if each.verdict not in (rule.NOT_MEASURED, rule.NOT_COMPARABLE)]


def groups(claims: list[Claim]) -> dict[str, list[Claim]]:
    """Published numbers by workload, published words, variants and own statements."""
    published = [claim for claim in claims if claim.kind == "published"]
    numbers = [claim for claim in published if claim.value not in rule.IN_WORDS]
    return {
        **{
            f"published numbers, {text}": [each for each in numbers if each.workload == name]
            for name, text in WORKLOADS.items()
        },
        "**published numbers, all**": numbers,
        "published in words": [claim for claim in published if claim.value in rule.IN_WORDS],
        "published, of inputs or by definition": [each for each in claims if each.kind == "given"],
        "variants": [claim for claim in claims if claim.kind == "variant"],
        "statements of this module": [claim for claim in claims if claim.kind == "own"],
    }


def counts(claims: list[Claim]) -> str:
    """How many claims have which verdict, each kind by itself."""
    grouped = groups(claims)
    published = grouped["**published numbers, all**"]
    numbers = compared(published)
    good = [claim for claim in numbers if claim.verdict == rule.REPRODUCED]
    unsure = sum(not claim.certain for claim in good)
    headline = (
        f"**{len(good)} of {len(numbers)} published numbers about schedulers are reproduced under "
        f"published conditions**. Of these {len(good)}, {unsure} are marked (?). "
        f"The count leaves out {len(published) - len(numbers)} that are not comparable or not "
        "measured."
    )
    head = ["claims", "all", *rule.VERDICTS]
    # Variants match, and statements of ours hold.
    head[head.index(rule.REPRODUCED)] = "reproduced, matches, holds"
    head[head.index(rule.NOT_REPRODUCED)] = "not reproduced, no match, does not hold"
    lines = [row(head), row(["---"] * len(head))]
    for name, some in grouped.items():
        found = [of_verdict(some, verdict) for verdict in rule.VERDICTS]
        lines.append(row([name, *(str(each) if each else "" for each in (len(some), *found))]))
    return f"{headline}\n\n" + "\n".join(lines)


def all_claims() -> list[Claim]:
    """The claims of all experiments."""
    return [claim for folder in experiments() for claim in claims_of(folder)]


def headlines(claims: list[Claim]) -> str:
    """The claims that a reader asks for first, with what runs them again; kinds apart.

    For doc/validation/claims.md, which utils/build-docs makes.
    """
    parts = []
    for kind, title in TITLES.items():
        some = [claim for claim in claims if claim.headline and claim.kind == kind]
        if not some:
            continue
        head = ["claim", "published", "ours", "verdict", "run again"]
        if kind == "own":
            head[1] = "expected"
        if kind == "variant":
            head.insert(1, "assumed")
        lines = [row(head), row(["---"] * len(head))]
        for claim in some:
            cells = [
                claim.headline, claim.target_text, claim.ours_text, verdict_text(claim),
                link(claim.experiment),
            ]  # fmt: skip
            if kind == "variant":
                cells.insert(1, claim.assumed)
            lines.append(row(cells))
        parts += [f"**{title}**", "\n".join(lines)]
    return "\n\n".join(parts)


def older() -> str:
    """Which experiments have to be run again, and under what their numbers were measured."""
    noted: dict[str, list[str]] = {}
    for folder in experiments():
        for note in notes_on(folder):
            noted.setdefault(note, []).append(name_of(folder))
    lines = [f"- {', '.join(map(link, names))}: {note}." for note, names in noted.items()]
    return "\n".join(["Numbers that are older than the code:", "", *lines]) if lines else ""


def fill(text: str, content: str, region: str = "table") -> str:
    """A text with what is between two marks replaced."""
    return re.sub(
        rf"(<!-- {region} -->\n).*?(<!-- end -->)",
        lambda match: f"{match[1]}\n{content}\n\n{match[2]}",
        text,
        flags=re.DOTALL,
    )


def fill_numbers(text: str) -> str:
    """A text with the numbers between its marks replaced by those that were measured."""

    def number(match: re.Match[str]) -> str:
        experiment, key = match[2], match[3]
        measured = measured_in(SCRATCH / experiment)
        if key not in measured:
            raise ValueError(f"{experiment} has not measured {key!r}")
        return f"{match[1]}{value_of(measured, key)}<!--/-->"

    for place, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("<!--= "):
            # Markdown takes such a line for HTML: it ends the paragraph before it.
            raise ValueError(f"line {place} begins with a number that is filled in: {line[:60]}")
    return re.sub(r"(<!--= ([\w/]+): (.+?) -->).*?<!--/-->", number, text, flags=re.DOTALL)


def pages() -> dict[Path, str]:
    """All files that have a table, as they should be."""
    filled = {}
    everything = []
    for folder in experiments():
        claims = claims_of(folder)
        everything += claims
        page = folder / "README.md"
        content = tables(claims, "###")
        notes = "\n".join(f"Numbers of this page were {note}." for note in notes_on(folder))
        parts = (notes, content, causes(folder, claims))
        content = "\n\n".join(part for part in parts if part)
        filled[page] = fill_numbers(fill(page.read_text(encoding="utf-8"), content))
    text = INDEX.read_text(encoding="utf-8")
    top = (counts(everything), older())
    text = fill(text, "\n\n".join(part for part in top if part), "counts")
    filled[INDEX] = fill_numbers(text)
    filled[CLAIMS] = claims_csv(everything)
    more = {*README.parent.glob("doc/schedulers/*.md"), *INDEX.parent.glob("*.md")} - {INDEX}
    for path in [README, *sorted(more)]:
        filled[path] = fill_numbers(path.read_text(encoding="utf-8"))
    return filled


if __name__ == "__main__":
    old = {path: text for path, text in pages().items() if path.read_text("utf-8") != text}
    if "--check" in sys.argv:
        sys.exit("\n".join(f"not up to date: {path}" for path in old) or 0)
    for path, text in old.items():
        path.write_text(text, encoding="utf-8")
