# SPDX-License-Identifier: GPL-2.0-only
"""Workloads as pandas tables of flows, and back: the columns of flow CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ns3coflow._core import InputError, Workload, coflow_attributes

if TYPE_CHECKING:
    import pandas as pd

NEVER = np.iinfo(np.int64).max

COFLOW_ATTRIBUTES = coflow_attributes()
NEEDED = ("coflow_id", "arrival_s", "src", "dst", "bytes")
OPTIONAL = ("deadline_s", "parents", "flow_id", *COFLOW_ATTRIBUTES)
_ALLOWED = f"{', '.join(NEEDED)}[, {', '.join(OPTIONAL)}]"
LAST_ARRIVAL_S = 9e9  # times are 64-bit nanoseconds
# What all rows of a coflow agree in.
_OF_COFLOW = ["arrival_s", "deadline_s", "parents", *COFLOW_ATTRIBUTES]
_ENDS = ["src", "dst", "bytes"]  # what a row of a coflow without flows has not
# The largest number in a column of whole numbers.
_WHOLE = {"coflow_id": 2**64 - 1, "src": 2**32 - 1, "dst": 2**32 - 1, "bytes": 2**63 - 1}


def make_frame(workload: Workload) -> pd.DataFrame:
    """See Trace.flows."""
    import pandas as pd

    columns = workload.columns()
    counts = np.diff(columns["flow_offsets"])
    starts = np.repeat(columns["flow_offsets"][:-1], counts)
    deadline = columns["deadline_ns"]
    texts = _parent_texts(columns)
    of_coflow = {
        "coflow_id": columns["coflow_id"],
        "arrival_s": columns["arrival_ns"] / 1e9,
        "deadline_s": np.where(deadline == NEVER, np.nan, deadline / 1e9),
        "parents": texts,
    }
    attributes = {
        name: columns[name]
        for name, (default, _, _) in COFLOW_ATTRIBUTES.items()
        if (columns[name] != default).any()
    }
    of_coflow |= attributes
    repeated = {name: np.repeat(column, counts) for name, column in of_coflow.items()}
    table = pd.DataFrame(
        {
            "coflow_id": repeated["coflow_id"],
            "flow_id": np.arange(len(starts)) - starts,
            "arrival_s": repeated["arrival_s"],
            "src": columns["src"],
            "dst": columns["dst"],
            "bytes": columns["bytes"],
            "deadline_s": repeated["deadline_s"],
            "parents": repeated["parents"],
            **{name: repeated[name] for name in attributes},
        },
        copy=False,
    )
    empty = counts == 0
    if not empty.any():
        return table
    # Integers of numpy cannot be missing, those of pandas can.
    whole = ["flow_id", *_ENDS]
    table = table.astype(dict.fromkeys(whole, "Int64"))
    rows = pd.DataFrame({name: column[empty] for name, column in of_coflow.items()})
    rows = rows.assign(**{name: pd.array([pd.NA] * len(rows), dtype="Int64") for name in whole})
    place = np.concatenate([np.repeat(np.arange(len(counts)), counts), np.flatnonzero(empty)])
    if len(table):
        rows = pd.concat([table, rows[list(table.columns)]], ignore_index=True)
    ordered = rows.iloc[np.argsort(place, kind="stable")]
    return ordered[list(table.columns)].reset_index(drop=True)


def _parent_texts(columns: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Per coflow the ids of its parents, as flow CSV writes them."""
    offsets = columns["parent_offsets"]
    texts = np.full(len(offsets) - 1, "", dtype=object)
    for coflow in np.flatnonzero(np.diff(offsets)):
        parents = columns["parents"][offsets[coflow] : offsets[coflow + 1]]
        texts[coflow] = ";".join(map(str, parents))
    return texts


def make_workload(flows: pd.DataFrame, hosts: int | None, scale: float) -> Workload:
    """See Trace.from_frame."""
    import pandas as pd

    if not isinstance(flows, pd.DataFrame):
        raise InputError(
            f"a table of flows is of type {type(flows).__name__}; allowed: a pandas DataFrame"
        )
    table = flows.reset_index(drop=True)
    _check_columns(table)
    for name, most in _WHOLE.items():
        _check_whole(table, name, most)
    _check_arrivals(table)
    if "deadline_s" not in table:
        table["deadline_s"] = np.nan
    for name, (default, _, _) in COFLOW_ATTRIBUTES.items():
        if name not in table:
            table[name] = default
    table["parents"] = (
        [_read_parents(cell) for cell in table["parents"]]
        if ("parents" in table)
        else [()] * len(table)
    )
    order = ["coflow_id", "flow_id"] if "flow_id" in table else ["coflow_id"]
    table = table.sort_values(order, kind="stable")
    by_coflow = table.groupby("coflow_id", sort=True)
    for column in _OF_COFLOW:
        counts = by_coflow[column].nunique(dropna=False)
        if (counts > 1).any():
            raise InputError(
                f"a table of flows: coflow {counts.idxmax()} has several {column}; allowed: one"
            )
    head = by_coflow[_OF_COFLOW].first()
    deadlines = pd.to_numeric(head["deadline_s"]).to_numpy(np.float64)
    has_deadline = ~np.isnan(deadlines)
    deadline_ns = np.full(len(head), NEVER, np.int64)
    deadline_ns[has_deadline] = np.round(deadlines[has_deadline] * 1e9).astype(np.int64)
    is_flow = _rows_with_flows(table, by_coflow["coflow_id"].transform("size"))
    ends = is_flow.groupby(table["coflow_id"], sort=True).sum().cumsum()
    table = table[is_flow]
    largest = max(table["src"].max(), table["dst"].max()) if len(table) else -1
    parents = head["parents"].tolist()
    return Workload.from_columns(
        hosts=int(largest) + 1 if hosts is None else hosts,
        history=["table"],
        coflow_id=head.index.to_numpy(np.uint64),
        arrival_ns=np.round(head["arrival_s"].to_numpy(np.float64) * 1e9).astype(np.int64),
        deadline_ns=deadline_ns,
        flow_offsets=np.concatenate([[0], ends]).astype(np.int64),
        src=table["src"].to_numpy(np.uint32),
        dst=table["dst"].to_numpy(np.uint32),
        bytes=table["bytes"].to_numpy(np.int64),
        parent_offsets=np.concatenate([[0], np.cumsum([len(each) for each in parents])]).astype(
            np.int64
        ),
        parents=np.array([parent for each in parents for parent in each], np.uint64),
        scale=scale,
        **{name: _attribute(head, name) for name in COFLOW_ATTRIBUTES},
    )


def _attribute(head: pd.DataFrame, name: str) -> np.ndarray[Any, Any]:
    """The values of an attribute, one per coflow; raises InputError for values out of range."""
    import pandas as pd

    _, least, most = COFLOW_ATTRIBUTES[name]
    values = pd.to_numeric(head[name]).to_numpy(np.float64)
    wrong = ~((values >= least) & (values <= most) & (values % 1 == 0))
    if wrong.any():
        raise InputError(
            f"a table of flows: the {name} of coflow {head.index[wrong][0]} is "
            f"'{values[wrong][0]:g}'; allowed: a whole number from {least} to {most}"
        )
    return values.astype(np.uint32)


def _check_columns(table: pd.DataFrame) -> None:
    missing = [name for name in NEEDED if name not in table.columns]
    if missing:
        raise InputError(
            f"a table of flows has no column {', '.join(missing)}; allowed: {_ALLOWED}"
        )
    unknown = [str(name) for name in table.columns if name not in (*NEEDED, *OPTIONAL)]
    if unknown:
        raise InputError(
            f"a table of flows has the column {', '.join(unknown)}, which means nothing here; "
            f"allowed: {_ALLOWED}"
        )


def _check_whole(table: pd.DataFrame, name: str, most: int) -> None:
    """Raises InputError for values other than whole numbers from 0 on; ends may be missing."""
    cells = table[name]
    numbers = cells.dropna() if name in _ENDS else cells
    if numbers.empty or (
        numbers.dtype.kind in "iu" and numbers.min() >= 0 and numbers.max() <= most
    ):
        return
    for place, cell in numbers.items():
        try:
            fits = not isinstance(cell, str) and _whole(cell) <= most
        except (TypeError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise InputError(
                f"a table of flows: {name} in row {place} is {cell!r}; allowed: a whole number "
                f"from 0 to {most}"
            )


def _check_arrivals(table: pd.DataFrame) -> None:
    """Raises InputError for values other than times from 0 on."""
    import pandas as pd

    times = pd.to_numeric(table["arrival_s"], errors="coerce").to_numpy(np.float64)
    wrong = ~((times >= 0) & (times <= LAST_ARRIVAL_S))
    if wrong.any():
        cell = table["arrival_s"][wrong].iloc[0]
        raise InputError(
            f"a table of flows: arrival_s in row {np.flatnonzero(wrong)[0]} is {cell}; allowed: "
            f"seconds from 0 to {LAST_ARRIVAL_S:g}"
        )


def _rows_with_flows(table: pd.DataFrame, rows: pd.Series[int]) -> pd.Series[bool]:
    """Which rows stand for a flow; the others stand for a coflow without flows."""
    missing = table[_ENDS].isna()
    some = missing.any(axis=1)
    wrong = some & (~missing.all(axis=1) | (rows > 1))
    if wrong.any():
        name = table.loc[wrong, "coflow_id"].iloc[0]
        raise InputError(
            f"a table of flows: a row of coflow {name} has no {', '.join(_ENDS)}; allowed: a "
            "number in each, or in none of them in the only row of a coflow without flows"
        )
    return ~some


def _read_parents(cell: Any) -> tuple[int, ...]:  # noqa: ANN401
    """The ids of parents in a cell of a table."""
    try:
        if cell is None or (np.ndim(cell) == 0 and not isinstance(cell, str) and cell != cell):
            return ()
        if isinstance(cell, str):
            return tuple(_whole(word) for word in cell.replace(";", " ").split())
        if np.ndim(cell) == 0:
            return (_whole(cell),)
        return tuple(_whole(each) for each in cell)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"a table of flows: parents is {cell!r}; allowed: ids of coflows, as a text such as "
            "'3;5', as a number or a list, or nothing"
        ) from None


def _whole(value: Any) -> int:  # noqa: ANN401
    number = int(value)
    if number < 0 or (not isinstance(value, str) and number != value):
        raise ValueError(value)
    return number
