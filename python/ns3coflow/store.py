# SPDX-License-Identifier: GPL-2.0-only
"""A folder of runs as Parquet files, each there whole or not at all.

    sweep.json            axes, and which runs belong to the sweep
    runs/KEY.parquet      one row: labels, status, everything of summary.json that is a number
    coflows/KEY.parquet   the records of coflows
    samples/KEY.parquet   samples over time, where sampleInterval asked for them

KEY is the hash of everything that determines a run's result. `runs/KEY.parquet` is written last:
where it is, the run is complete.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ns3coflow._core import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ns3coflow.result import Result

DESCRIPTION = "sweep.json"
DONE = "done"
FAILED = "failed"


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
    for name, distribution in summary["results"]["cct_s"].items():
        if distribution["count"] == 0:  # no coflows, no times
            for statistic in distribution:
                if statistic != "count":
                    row[f"cct_s.{name}.{statistic}"] = None
    for part in ("network", "cost"):
        if summary[part] is not None:
            row.update(flatten(summary[part], f"{part}."))
    for name in ("delivered_bytes", "simulated_s", "events"):
        row[name] = summary[name]
    row["summary"] = json.dumps(summary)
    return row


class Store:
    """The folder of a sweep."""

    def __init__(self, folder: str | os.PathLike[str], *, create: bool = False) -> None:
        self.folder = Path(folder)
        if create:
            try:
                for name in ("runs", "coflows", "samples"):
                    (self.folder / name).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{self.folder}: {error}; allowed: a folder to write to") from None
            for left in self.folder.glob("*/.*.tmp"):  # of a run that was killed
                left.unlink(missing_ok=True)
        elif not (self.folder / DESCRIPTION).is_file():
            raise InputError(f"{self.folder} holds no {DESCRIPTION}; allowed: a folder of a sweep")

    def keys(self) -> set[str]:
        """The runs that are complete, failed ones included."""
        return {path.stem for path in (self.folder / "runs").glob("*.parquet")}

    def failed(self) -> set[str]:
        """The runs that failed."""
        return {
            key
            for key in self.keys()
            if pq.read_table(self._run(key), columns=["status"])["status"][0].as_py() == FAILED
        }

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
        path = self.folder / DESCRIPTION
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        temporary.write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")
        temporary.replace(path)

    def description(self) -> dict[str, Any]:
        """Reads sweep.json."""
        text = (self.folder / DESCRIPTION).read_text(encoding="utf-8")
        description: dict[str, Any] = json.loads(text)
        return description

    def runs(self, planned: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
        """The rows of runs, those that are there, in the order of the description."""
        there = self.keys()
        rows = [
            # Points may share a run, and another grid may have called it otherwise.
            {**pq.read_table(self._run(run["key"])).to_pylist()[0], **run["labels"]}
            for run in planned
            if run["key"] in there
        ]
        return pd.DataFrame(rows)

    def coflows(self, key: str) -> pd.DataFrame:
        """The coflows of a run that ended well."""
        table: pd.DataFrame = pq.read_table(self._coflows(key)).to_pandas()
        return table

    def samples(self, key: str) -> pd.DataFrame | None:
        """The samples over time of a run; None where none were taken."""
        path = self._samples(key)
        return pq.read_table(path).to_pandas() if path.is_file() else None

    def _run(self, key: str) -> Path:
        return self.folder / "runs" / f"{key}.parquet"

    def _coflows(self, key: str) -> Path:
        return self.folder / "coflows" / f"{key}.parquet"

    def _samples(self, key: str) -> Path:
        return self.folder / "samples" / f"{key}.parquet"

    def _write_row(self, key: str, row: Mapping[str, Any]) -> None:
        self._write(self._run(key), pa.Table.from_pylist([dict(row)]))

    @staticmethod
    def _write(path: Path, table: pa.Table) -> None:
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        pq.write_table(table, temporary)
        temporary.replace(path)
