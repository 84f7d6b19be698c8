# SPDX-License-Identifier: GPL-2.0-only
"""Your own programs that put coflows on an ns-3 network, as runs of a sweep."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from ns3coflow._core import InputError
from ns3coflow.experiment import digest_of
from ns3coflow.process import OF_A_RUN, RunError, run_isolated
from ns3coflow.result import Result
from ns3coflow.store import row_of
from ns3coflow.values import to_text

LAST_LINES = 5  # of standard error, which an error shows


class Program:
    """A program that uses CoflowHelper, to be run by sweep() as an Experiment is.

    The program must accept `--out=FOLDER` and `--RngRun=N`. ns-3's CommandLine already accepts
    `--RngRun`. The program must write its result into FOLDER with CoflowHelper::WriteFiles(), which
    writes summary.json last, or with `coflow-replay --out` or Experiment.run(out=...), which write
    the same files. The program must end with status 0. Axes of a grid are options of the program,
    given as `--NAME=VALUE`.

    Arguments:
        path: the program.
        arguments: arguments of every run, before the options.
        options: options by name.
    """

    trace = None
    policy = None

    def __init__(self, path: str | os.PathLike[str], *arguments: str, **options: Any) -> None:  # noqa: ANN401
        found = shutil.which(os.fspath(path))
        if found is None:
            raise InputError(f"program is '{os.fspath(path)}'; allowed: a file that can be run")
        self.path = Path(found).resolve()
        self.arguments = [to_text(each) for each in arguments]
        self.options = {name: value for name, value in options.items() if value is not None}

    @property
    def scheduler(self) -> str:
        """The name of runs without an axis: the option `scheduler`, or the name of the program."""
        return str(self.options.get("scheduler", self.path.name))

    @property
    def reproduce(self) -> str:
        """A command line that reproduces this result."""
        return shlex.join(self._command())

    def with_options(self, **changes: Any) -> Program:  # noqa: ANN401
        """Returns another run of the program with some options changed; None removes an option."""
        return Program(self.path, *self.arguments, **{**self.options, **changes})

    def check(self, called: str | None = None) -> None:
        """Raises InputError if an option has no text, or if users must not give the option.

        Arguments:
            called: the name of the run in the message, if there are several runs.
        """
        given = {each.partition("=")[0] for each in self.arguments}
        if "out" in self.options or "--out" in given:
            raise InputError("option --out of a program is set by the run; allowed: other options")
        if "--RngRun" in given:
            raise InputError("argument --RngRun of a program; allowed: the option RngRun=N")
        for name, value in self.options.items():
            try:
                to_text(value)
            except TypeError:  # noqa: PERF203
                where = "" if called is None else f" (in the run {called})"
                raise InputError(
                    f"option --{name} of a program is {value!r}{where}; allowed: a text, a number, "
                    "or True and False"
                ) from None

    def fluid(self) -> Program:
        """Raises InputError: only an Experiment can run in the fluid engine."""
        raise InputError("a program cannot run in the fluid engine; allowed: an Experiment")

    def key(self) -> str:
        """A hash of the program, its libraries, its arguments, and the files that arguments name.

        Libraries are those that `ldd` prints. Other files that the program reads do not count.
        """
        command = self._command()
        named = (each.partition("=")[2] if each[:1] == "-" else each for each in command[1:])
        files = [self.path, *(Path(each) for each in named if os.path.isfile(each))]  # noqa: PTH113
        files += _libraries_of(self.path, self.path.stat().st_mtime_ns)
        described = {
            "command": [self.path.name, *command[1:]],
            "files": [digest_of(each, each.stat().st_mtime_ns) for each in files],
        }
        text = json.dumps(described, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def job(self) -> dict[str, Any]:
        """What a worker needs, for pickle."""
        return {"program": self._command(), "workload": None}

    def run(self, *, timeout: float | None = None) -> Result:
        """Runs the program once.

        Arguments:
            timeout: seconds after which the program is ended.

        Raises RunError if the program fails or writes no result.
        """
        self.check()
        return Result(run_isolated(self.job(), timeout))

    def provenance(self) -> dict[str, str]:
        """The commit of the folder that the program is in, with + if the folder has changes."""
        git = ["git", "-C", str(self.path.parent), "describe", "--always", "--dirty=+"]
        told = subprocess.run(
            [*git, "--abbrev=12", "--exclude=*"], capture_output=True, text=True, check=False
        )
        return {"program": self.path.name, "commit": told.stdout.strip()}

    def _command(self) -> list[str]:
        options = [f"--{name}={to_text(value)}" for name, value in self.options.items()]
        return [str(self.path), *self.arguments, *options]

    def __repr__(self) -> str:
        return f"<Program: {self.reproduce}>"


@functools.cache
def _libraries_of(program: Path, modified: int) -> list[Path]:  # noqa: ARG001 changes when it does
    """The shared libraries of a program; none of a script, and where there is no `ldd`."""
    ldd = shutil.which("ldd")
    if ldd is None:
        return []
    told = subprocess.run([ldd, program], capture_output=True, text=True, check=False).stdout
    paths = [line.partition(" => ")[2].rpartition(" (")[0] for line in told.splitlines()]
    return [Path(path) for path in paths if path]


def run_program(command: list[str]) -> dict[str, Any]:
    """Runs a program in a separate folder, and returns the result that it wrote there."""
    with tempfile.TemporaryDirectory(prefix="ns3coflow-") as place:
        folder = Path(place) / "out"
        # It may be a script in Python that starts runs itself.
        environment = {name: value for name, value in os.environ.items() if name != OF_A_RUN}
        try:
            ended = subprocess.run(
                [*command, f"--out={folder}"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                check=False,
            )
        except OSError as error:  # such as a script whose interpreter is not there
            raise RunError(f"{command[0]} cannot be run: {error.strerror}") from None
        lines = ended.stderr.strip().splitlines()[-LAST_LINES:]
        told = "".join(f"\n  {line}" for line in lines)
        if ended.returncode != 0:
            raise RunError(f"{command[0]} ended with status {ended.returncode}{told}")
        if not (folder / "summary.json").is_file():
            raise RunError(
                f"{command[0]} wrote no summary.json into --out; allowed: a program that calls "
                f"CoflowHelper::WriteFiles() with that folder{told}"
            )
        try:
            result = Result.load(folder)
            row_of(result)  # has all that a sweep keeps
            return result.outcome(reproduce=shlex.join(command))
        except Exception as error:
            raise RunError(
                f"{command[0]} wrote files that are no result ({type(error).__name__}: {error}); "
                "allowed: what CoflowHelper::WriteFiles(), coflow-replay --out or "
                f"Experiment.run(out=...) write{told}"
            ) from None
