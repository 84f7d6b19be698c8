# SPDX-License-Identifier: GPL-2.0-only
"""A process that runs one experiment: job on standard input, outcome on standard output.

ns-3's simulator is process-wide state, so each run has a separate process. The process ends when
its standard input ends, because then no other process waits for the outcome.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
import threading
from typing import IO, Any

LENGTH = struct.Struct("<Q")


def read_message(stream: IO[bytes]) -> bytes:
    """One message: its length, then as many bytes. Raises EOFError where it is cut off."""
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(header)
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content


def write_message(stream: IO[bytes], content: bytes) -> None:
    """The counterpart of read_message."""
    stream.write(LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def run_job(job: dict[str, Any]) -> dict[str, Any]:
    """Runs a job in this process."""
    if "program" in job:
        from ns3coflow.program import run_program

        return run_program(job["program"])
    from ns3coflow import _core

    for policy in pickle.loads(job["policies"]):
        from ns3coflow.policy import enter

        enter(policy)
    if "checks" in job:
        return {"errors": [find_error(*check) for check in job["checks"]]}
    if "workloads" in job:
        return {"errors": [find_workload_error(each) for each in job["workloads"]]}
    columns = job["workload"]
    workload = None if columns is None else _core.Workload.from_columns(**columns)
    outcome: dict[str, Any] = _core.run(workload, job["arguments"], job["reproduce"])
    return outcome


def find_error(arguments: list[str], hosts: int) -> str | None:
    """What is wrong with a run's options; found by a run without coflows on so many hosts."""
    import numpy as np

    from ns3coflow import _core

    nothing = _core.Workload.from_columns(
        hosts=hosts,
        history=[],
        coflow_id=np.zeros(0, np.uint64),
        arrival_ns=np.zeros(0, np.int64),
        deadline_ns=np.zeros(0, np.int64),
        flow_offsets=np.zeros(1, np.int64),
        src=np.zeros(0, np.uint32),
        dst=np.zeros(0, np.uint32),
        bytes=np.zeros(0, np.int64),
        parent_offsets=np.zeros(1, np.int64),
        parents=np.zeros(0, np.uint64),
    )
    try:
        _core.run(nothing, arguments, "")
    except _core.InputError as error:
        return str(error)
    except Exception:
        return None  # the run itself reports an error that a policy in Python raises
    return None


def find_workload_error(arguments: list[str]) -> str | None:
    """What is wrong with the workload that options name."""
    from ns3coflow import _core

    try:
        _core.check_workload(arguments)
    except _core.InputError as error:
        return str(error)
    return None


def _end_with(stream: IO[bytes]) -> None:
    """Ends the process when the other side has gone."""
    stream.read(1)
    os._exit(1)


def main() -> None:
    """Serves one job."""
    # What a policy reads, and exit(), which closes it, must not meet the jobs.
    jobs = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # What a policy prints must not mix with the outcome.
    outcomes = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job = pickle.loads(read_message(jobs))
    threading.Thread(target=_end_with, args=(jobs,), daemon=True).start()
    try:
        answer = pickle.dumps(("done", run_job(job)), protocol=5)
    except BaseException as error:
        answer = _pickle_error(error)
    write_message(outcomes, answer)
    # Not the interpreter's slow end: nothing is left to be saved.
    outcomes.close()
    sys.stderr.flush()
    os._exit(0)


def _pickle_error(error: BaseException) -> bytes:
    """The error with its traceback as a note; its text alone where it cannot be pickled."""
    import traceback

    from ns3coflow import _core

    known = isinstance(error, _core.InputError)
    text = "" if known else "".join(traceback.format_exception(error))
    try:
        content = pickle.dumps(("failed", error, text), protocol=5)
        pickle.loads(content)
    except Exception:
        content = pickle.dumps(
            ("failed", RuntimeError(f"{type(error).__name__}: {error}"), text), protocol=5
        )
    return content
