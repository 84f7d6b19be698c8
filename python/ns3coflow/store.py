# SPDX-License-Identifier: GPL-2.0-only
"""A folder of runs as Parquet files, each there whole or not at all.

    sweep.json            axes, and which runs belong to the sweep
    runs/KEY.parquet      one row: labels, status, everything of summary.json that is a number
    coflows/KEY.parquet   the records of coflows
    samples/KEY.parquet   samples over time, if sampleInterval was given

KEY is the hash of everything that determines a run's result. `runs/KEY.parquet` is written last.
If this file exists, the run is complete.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ns3coflow import _core
from ns3coflow._core import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ns3coflow.result import Result

DESCRIPTION = "sweep.json"
PARTS = ("runs", "coflows", "samples")
DONE = "done"
FAILED = "failed"

# Names of columns without a dot: of a run's row, of its coflows, and of tables over runs.
COLUMNS = frozenset(
    (
        "key",
        "status",
        "reproduce",
        "error",
        "summary",
        "delivered_bytes",
        "simulated_s",
        "events",
        "admitted_fraction",
        "bypassed",
        "coflows",
        "deadline_tolerance",
        "finished",
        "idle_hosts",
        "makespan_s",
        "met_deadline",
        "met_deadline_within_tolerance",
        "rejected",
        "unfinished",
        "utilisation",
        "with_deadline",
        "compared",
        "runs",
        "mean",
        "ratio",
        "low",
        "high",
        "bin",
    )
)

_DAMAGES = (OSError, ValueError, pa.ArrowException)  # what reading a damaged file raises


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, float | int]:
    """Numbers of nested objects as `outer.inner`; lists become their lengths."""
    flat: dict[str, float | int] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{name}."))
        elif isinstance(value, list):
            flat[prefix + name] = len(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            flat[prefix + name] = value
    return flat


def row_of(result: Result) -> dict[str, Any]:
    """What a run's row says of its result."""
    summary = result.summary
    row: dict[str, Any] = dict(flatten(summary["results"]))
    row["utilisation"] = summary["results"]["utilisation"]  # None if a coflow is unfinished
    for name, distribution in summary["results"]["cct_s"].items():
        if distribution["count"] == 0:  # no coflows, no times
            for statistic in distribution:
                if statistic != "count":
                    row[f"cct_s.{name}.{statistic}"] = None
    for part in ("network", "control", "jumps", "cost"):
        if summary[part] is not None:
            row.update(flatten(summary[part], f"{part}."))
    for name in ("delivered_bytes", "simulated_s", "events"):
        row[name] = summary[name]
    row["summary"] = json.dumps(summary)
    return row


class Store:
    """The folder of a sweep."""

    def __init__(self, folder: str | os.PathLike[str], *, create: bool = False) -> None:
        name = os.fspath(folder)
        if not name or "\0" in name:
            raise InputError(f"out is {name!r}; allowed: the name of a folder")
        self.folder = Path(name)
        if create:
            _check_folder(self.folder)
            try:
                for name in PARTS:
                    (self.folder / name).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{self.folder}: {error}; allowed: a folder to write to") from None
            for name in (".", *PARTS):
                _core.remove_abandoned_files(str(self.folder / name))
        elif not (self.folder / DESCRIPTION).is_file():
            raise InputError(f"{self.folder} holds no {DESCRIPTION}; allowed: a folder of a sweep")

    def rows(self) -> dict[str, dict[str, Any]]:
        """The rows of the runs that are complete, failed ones included, by key.

        Runs with a damaged row or damaged coflows are left out.
        """
        found = {}
        for path in sorted((self.folder / "runs").glob("*.parquet")):
            row = self._read_row(path)
            if row is not None:
                found[path.stem] = row
        return found

    def write_done(self, key: str, labels: Mapping[str, Any], result: Result) -> None:
        """Adds a run that ended well."""
        self._write(self._coflows(key), pa.Table.from_pandas(result.coflows, preserve_index=False))
        if len(result.timeseries):
            samples = pa.Table.from_pandas(result.timeseries, preserve_index=False)
            self._write(self._samples(key), samples)
        row = {"key": key, "status": DONE, "reproduce": result.reproduce, "error": None}
        self._write_row(key, {**row, **labels, **row_of(result)})

    def write_failed(
        self, key: str, labels: Mapping[str, Any], reproduce: str, error: BaseException
    ) -> None:
        """Adds a run that failed."""
        text = f"{type(error).__name__}: {error}"
        row = {"key": key, "status": FAILED, "reproduce": reproduce, "error": text}
        self._write_row(key, {**row, **labels})

    def write_description(self, description: Mapping[str, Any]) -> None:
        """Writes sweep.json."""
        text = json.dumps(description, indent=2) + "\n"
        _core.write_file(str(self.folder / DESCRIPTION), text.encode())

    def description(self) -> dict[str, Any]:
        """Reads sweep.json."""
        path = self.folder / DESCRIPTION
        try:
            description = json.loads(path.read_text(encoding="utf-8"))
            runs = description["runs"]
            whole = (
                all(isinstance(axis, str) for axis in description["axes"])
                and isinstance(description["repeats"], int)
                and all(isinstance(run["key"], str) for run in runs)
                and all(isinstance(run["labels"], dict) for run in runs)
            )
        except (OSError, ValueError, TypeError, KeyError):
            whole = False
        if not whole:
            raise InputError(
                f"{path} is damaged; allowed: what a sweep wrote (sweep() with the same grid "
                "writes it again, and keeps the runs)"
            )
        found: dict[str, Any] = description
        return found

    def runs(self, planned: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
        """The rows of runs, those that are there, in the order of the description."""
        there = self.rows()
        rows = [
            # Points may share a run, and another grid may have called it otherwise.
            {**there[run["key"]], **run["labels"]}
            for run in planned
            if run["key"] in there
        ]
        return pd.DataFrame(rows)

    def coflows(self, key: str) -> pd.DataFrame:
        """The coflows of a run that ended well."""
        table: pd.DataFrame = _read(self._coflows(key)).to_pandas()
        return table

    def samples(self, key: str) -> pd.DataFrame | None:
        """The samples over time of a run; None where none were taken."""
        path = self._samples(key)
        return _read(path).to_pandas() if path.is_file() else None

    def _read_row(self, path: Path) -> dict[str, Any] | None:
        """The row of a run; None where one of its files is missing or damaged."""
        try:
            row: dict[str, Any] = pq.read_table(path).to_pylist()[0]
            if row["key"] != path.stem:
                return None
            if row["status"] == DONE:
                json.loads(row["summary"])
                pq.read_metadata(self._coflows(path.stem))
                if self._samples(path.stem).is_file():
                    pq.read_metadata(self._samples(path.stem))
        except (*_DAMAGES, KeyError, IndexError, TypeError):
            return None
        return row

    def _coflows(self, key: str) -> Path:
        return self.folder / "coflows" / f"{key}.parquet"

    def _samples(self, key: str) -> Path:
        return self.folder / "samples" / f"{key}.parquet"

    def _write_row(self, key: str, row: Mapping[str, Any]) -> None:
        self._write(self.folder / "runs" / f"{key}.parquet", pa.Table.from_pylist([dict(row)]))

    @staticmethod
    def _write(path: Path, table: pa.Table) -> None:
        content = pa.BufferOutputStream()
        pq.write_table(table, content)
        _core.write_file(str(path), content.getvalue().to_pybytes())


def _check_folder(folder: Path) -> None:
    """Refuses a folder that holds something else than a sweep."""
    if not folder.is_dir() or (folder / DESCRIPTION).is_file():
        return
    others = sorted(
        path.name
        for path in folder.iterdir()
        if not path.name.startswith(".") and path.name not in PARTS
    )
    if others:
        raise InputError(
            f"{folder} holds '{others[0]}' and no {DESCRIPTION}; allowed: a folder that is new or "
            "empty, or that of a sweep"
        )


def _read(path: Path) -> pa.Table:
    try:
        return pq.read_table(path)
    except _DAMAGES:
        raise InputError(
            f"{path} is damaged; allowed: what a sweep wrote (without this file, sweep() does the "
            "run again)"
        ) from None
