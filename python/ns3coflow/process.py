# SPDX-License-Identifier: GPL-2.0-only
"""Runs in worker processes."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
from typing import Any

from ns3coflow._worker import read_message, write_message


class RunError(RuntimeError):
    """A run's process ended without an outcome, by a signal or for lack of time."""


def run_isolated(job: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
    """Runs a job in a process of its own; an interrupt ends it.

    Raises what the run raised, or RunError.
    """
    worker = subprocess.Popen(
        [sys.executable, "-m", "ns3coflow._worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # an interrupt is for us, who then end it
        # ns-3 has one thread; those of numeric libraries would only cost memory.
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    expired = threading.Event()
    alarm = None
    if timeout is not None:

        def expire() -> None:
            expired.set()
            worker.kill()

        alarm = threading.Timer(timeout, expire)
        alarm.daemon = True
        alarm.start()
    try:
        write_message(worker.stdin, pickle.dumps(sys.path))
        write_message(worker.stdin, pickle.dumps(job, protocol=5))
        answer = pickle.loads(read_message(worker.stdout))
    except (EOFError, BrokenPipeError):
        status = worker.wait()
        if expired.is_set():
            raise RunError(f"the run took more than {timeout} s and was ended") from None
        raise RunError(f"the run's process {_describe(status)}") from None
    finally:
        if alarm is not None:
            alarm.cancel()
        worker.kill()
        with contextlib.suppress(BrokenPipeError):
            worker.stdin.close()
        worker.stdout.close()
        worker.wait()
    if answer[0] == "done":
        outcome: dict[str, Any] = answer[1]
        return outcome
    _, error, text = answer
    if text:
        error.add_note(f"In the run's process:\n{text}") if hasattr(error, "add_note") else None
    raise error


def _describe(status: int) -> str:
    """What a process's status means."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = "; it may have needed more memory than there is" if -status == signal.SIGKILL else ""
    return f"was ended by {name}{hint}"
