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
from pathlib import Path
from typing import Any

from ns3coflow._core import InputError
from ns3coflow._worker import read_message, write_message

# In the environment of the process of a run.
OF_A_RUN = "NS3COFLOW_RUN"

# What a worker does first. The folder that it is started in comes last among the places to import
# from: a file there that is called as a module of Python must not be taken for it.
_START = "import sys; sys.path[:] = sys.argv[1:]; from ns3coflow._worker import main; main()"


class RunError(RuntimeError):
    """The process of a run ended without an outcome, by a signal or because of a timeout."""


class Workers:
    """Worker processes, of which all that run can be ended at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended = False

    def run(self, job: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
        """Runs a job in a process of its own; an interrupt of the calling thread ends it.

        Raises what the run raised, or RunError.
        """
        with self._start() as worker:
            try:
                return self._serve(worker, job, timeout)
            finally:
                with self._lock:
                    self._running.discard(worker)
                _kill(worker)
                with contextlib.suppress(BrokenPipeError):
                    if worker.stdin is not None:
                        worker.stdin.close()

    def end(self) -> None:
        """Ends all processes, and starts no more."""
        with self._lock:
            self._ended = True
            for worker in self._running:
                _kill(worker)

    @property
    def ended(self) -> bool:
        """Whether end() was called."""
        return self._ended

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise RunError("the run was not started, because all runs were ended")
            if OF_A_RUN in os.environ:
                # A run imports the module that its policy is from. Where the module starts runs
                # itself, each of these would start more, without end.
                raise RunError(
                    "a run was started in the process of a run: the module of a policy starts runs "
                    "when it is imported; allowed: below the line if __name__ == '__main__':"
                )
            worker = subprocess.Popen(
                [sys.executable, "-c", _START, *_find_places()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # an interrupt is for us, who then end it
                # ns-3 has one thread; those of numeric libraries would only cost memory.
                env={
                    **os.environ,
                    "OMP_NUM_THREADS": "1",
                    "OPENBLAS_NUM_THREADS": "1",
                    OF_A_RUN: "1",
                },
            )
            self._running.add(worker)
            return worker

    @staticmethod
    def _serve(
        worker: subprocess.Popen[bytes], job: dict[str, Any], timeout: float | None
    ) -> dict[str, Any]:
        assert worker.stdin is not None
        assert worker.stdout is not None
        expired = threading.Event()

        def expire() -> None:
            expired.set()
            _kill(worker)

        alarm = None if timeout is None else threading.Timer(timeout, expire)
        if alarm is not None:
            alarm.daemon = True
            alarm.start()
        try:
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
        if answer[0] == "done":
            outcome: dict[str, Any] = answer[1]
            return outcome
        _, error, text = answer
        if not isinstance(error, Exception):  # it was to end the run's process, not this one
            error = RunError(f"the run raised {type(error).__name__}: {error}")
        if text and hasattr(error, "add_note"):
            error.add_note(f"In the run's process:\n{text}")
        raise error


def _kill(worker: subprocess.Popen[bytes]) -> None:
    """Ends a worker and all processes that it has started in its session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)


def count_processes(jobs: int | None) -> int:
    """The number of processes at a time; default: the number of cores."""
    if jobs is None:
        return os.cpu_count() or 1
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise InputError(f"jobs is {jobs!r}; allowed: a whole number, at least 1")
    return jobs


def _find_places() -> list[str]:
    """The import path of a worker: the path of this process, with the working directory last."""
    package = str(Path(__file__).resolve().parents[1])
    here = str(Path.cwd())
    found = [str(Path(place).absolute()) for place in sys.path if isinstance(place, str)]
    first = [place for place in found if place != here or place == package]
    return list(dict.fromkeys([*first, package, *found]))


def run_isolated(job: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
    """Runs one job in a process of its own; see Workers.run."""
    return Workers().run(job, timeout)


def _describe(status: int) -> str:
    """The meaning of a process's status."""
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = "; it may have needed more memory than there is" if -status == signal.SIGKILL else ""
    return f"was ended by {name}{hint}"
