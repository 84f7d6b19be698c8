# SPDX-License-Identifier: GPL-2.0-only
"""What several tests need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ns3coflow as nc

SOURCE = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def trace_path() -> Path:
    """A trace of 60 coflows on 16 hosts."""
    return SOURCE / "examples/data/fb-like-16.csv"


@pytest.fixture(scope="session")
def trace(trace_path: Path) -> nc.Trace:
    return nc.Trace.read(trace_path)


@pytest.fixture
def fluid(trace: nc.Trace) -> nc.Experiment:
    """An experiment of milliseconds."""
    return nc.Experiment(trace, nc.FatTree(k=4), engine="fluid", scheduler="varys")


@pytest.fixture
def incast() -> nc.Experiment:
    """An experiment at packet level of a tenth of a second."""
    trace = nc.Trace.generate("incast", senders=8)
    return nc.Experiment(trace, nc.BigSwitch(hosts=9), nc.schedulers.Fair())


@pytest.fixture(scope="session")
def coflow_replay() -> Path:
    """The program in C++, of this version."""
    path = Path(os.environ.get("COFLOW_REPLAY", SOURCE / "build/release/bin/coflow-replay"))
    if not path.is_file():
        pytest.skip(f"{path} is not built; COFLOW_REPLAY may name it")
    return path


def run_python(code: str, **keywords: object) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, **keywords
    )
