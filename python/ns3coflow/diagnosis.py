# SPDX-License-Identifier: GPL-2.0-only
"""The diagnosis of several runs, gathered from the member `diagnosis` of summary.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable

REPEATS = {
    "id": "repeats",
    "finding": "repetitions differ in ECMP hashes and start times only: an interval over them says "
    "nothing of other workloads",
    "change": "add an axis of workloads, such as seeds of a generator, and take intervals over it: "
    'Sweep.ratio(..., over="seed")',
}


def gather(runs: Iterable[tuple[str, list[dict[str, str]]]]) -> pd.DataFrame:
    """Findings of several runs, a row per `id` and group of runs that have it.

    Arguments:
        runs: name of what was run, such as the scheduler, and the findings of one run of it.

    Columns: `id`; `where`, the names of runs with the same sentence, or, where numbers differ from
    run to run, the one name that they share; `runs`, in how many runs of `where` it was found;
    `of`, of how many; `finding` and `change`, of the first of them.
    """
    counts: dict[str, int] = {}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for name, findings in runs:
        counts[name] = counts.get(name, 0) + 1
        for finding in findings:
            row = found.setdefault((finding["id"], name), {**finding, "where": name, "runs": 0})
            row["runs"] += 1
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for (_, name), row in found.items():
        whole = {**row, "of": counts[name]}
        known = rows.setdefault((row["id"], row["finding"]), whole)
        if known is not whole:
            known["where"] += f", {name}"
            known["runs"] += row["runs"]
            known["of"] += counts[name]
    columns = ["id", "where", "runs", "of", "finding", "change"]
    table = pd.DataFrame(list(rows.values()), columns=columns)
    order = {each: place for place, each in enumerate(dict.fromkeys(table["id"]))}
    return table.sort_values("id", key=lambda ids: ids.map(order), kind="stable", ignore_index=True)


def in_lines(table: pd.DataFrame) -> list[str]:
    """A table of gather() for a person, two lines a row."""
    lines = []
    for row in table.to_dict("records"):
        where = f" ({row['where']})" if row["where"] else ""
        some = f" in {row['runs']} of {row['of']} runs, such as:" if row["of"] > 1 else ""
        some = "" if row["runs"] == row["of"] and "," in row["where"] else some
        lines += [f"{row['id']}{where}:{some} {row['finding']}.", f"  {row['change']}."]
    return lines
