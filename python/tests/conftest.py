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


@pytest.fixture
def make_env():
    """Makes environments, which are closed in the end: a process may have one of packets."""
    pytest.importorskip("gymnasium")
    from ns3coflow import gym

    made = []

    def factory(*arguments, **keywords):
        made.append(gym.CoflowEnv(*arguments, **keywords))
        return made[-1]

    yield factory
    for env in made:
        env.close()


@pytest.fixture(scope="session")
def compared(tmp_path_factory, trace):
    """Folders of three schedulers in the fluid engine, and one at packet level."""
    folder = tmp_path_factory.mktemp("compared")
    base = nc.Experiment(trace.first(20), nc.FatTree(k=4), engine="fluid", sampleInterval="2ms")
    for name in ("fair", "varys", "aalo"):
        base.with_options(scheduler=name).run(out=folder / name)
    packet = base.with_options(engine="packet", scheduler="fair", sampleInterval=None)
    packet.run(out=folder / "fair-packet")
    return folder


@pytest.fixture(scope="session")
def swept(tmp_path_factory, trace):
    folder = tmp_path_factory.mktemp("swept")
    base = nc.Experiment(trace.first(20), nc.FatTree(k=4), engine="fluid", bypassBytes=0)
    grid = {
        "scheduler": ["fair", "varys", "aalo"],
        "controlPeriod": ["1ms", "100ms"],
        "linkRate": ["1Gbps", "10Gbps"],
    }
    nc.sweep(grid, 2, base=base, out=folder)
    return folder


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
