# SPDX-License-Identifier: GPL-2.0-only
"""The examples run, and say what they should."""

import subprocess
import sys

import pytest
from ns3coflow._core import NS3_VERSION

import ns3coflow as nc
from conftest import SOURCE

EXAMPLES = SOURCE / "examples"


def texts_of(notebook):
    """What the cells of a notebook have printed or returned, as text."""
    return [
        output["data"]["text/plain"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "text/plain" in output.get("data", {})
    ]


@pytest.mark.filterwarnings("default")  # what jupyter's own dependencies deprecate
def test_notebook():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(EXAMPLES / "coflow-notebook.ipynb", as_version=4)
    saved = texts_of(notebook)
    assert len(saved) >= 8, "a notebook is kept with its outputs, so that a code host shows them"
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(EXAMPLES)}}
    )
    client.execute()
    kinds = [
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    ]
    assert "image/svg+xml" in kinds
    assert kinds.count("text/html") >= 3
    if NS3_VERSION == "3.44":  # other versions of ns-3 have another TCP
        assert texts_of(notebook) == saved, "run all cells of the notebook, and save it"


def test_own_scheduler():
    run = subprocess.run(
        [sys.executable, EXAMPLES / "python/own_scheduler.py"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert [line.split()[0] for line in run.stdout.splitlines()[2:]] == [
        "fair", "varys", "smallest-left", "overload", "lower", "idle-ports", "report", "idle-ports",
        "report",
    ]  # fmt: skip
    text = (EXAMPLES / "python/own_scheduler.py").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) <= 21


def test_sweep_of_the_public_trace(tmp_path):
    import os

    default = SOURCE.parent / "shared/data/FB2010-1Hr-150-0.txt"
    path = os.environ.get("COFLOW_BENCHMARK_TRACE", str(default))
    if not os.path.exists(path):  # noqa: PTH110
        pytest.skip(f"{path} is absent; COFLOW_BENCHMARK_TRACE may name the Facebook trace")
    text = (EXAMPLES / "python/sweep_trace.py").read_text()
    # A smaller cut and one repetition: this is about whether it works.
    text = text.replace("first=40", "first=10").replace("repeats=3", "repeats=1")
    subprocess.run([sys.executable, "-c", text, path, str(tmp_path)], check=True)
    sweep = nc.open_sweep(tmp_path)
    assert len(sweep.done) == 24
    assert (tmp_path / "report/report.html").is_file()


def test_sweep_without_arguments_tells_its_usage():
    run = subprocess.run(
        [sys.executable, EXAMPLES / "python/sweep_trace.py"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert run.stderr.startswith("usage: sweep_trace.py")
    assert "required: trace, out" in run.stderr


def test_trained_thresholds_beat_those_of_aalo():
    """On workloads that were not for training, as doc/how-to/gym.md says."""
    pytest.importorskip("gymnasium")
    pytest.importorskip("cma")
    run = subprocess.run(
        [sys.executable, EXAMPLES / "python/train_thresholds.py", "--seeds=1"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    head, row = (line.split() for line in run.stdout.splitlines())
    found = dict(zip(head, row, strict=True))
    assert float(found["low"]) > 1
    assert float(found["ratio"]) < 10


def test_readme(tmp_path):
    text = (SOURCE / "README.md").read_text()
    code, _, rest = text.partition("```python\n")[2].partition("```")
    shown = rest.partition("```\n")[2].partition("```")[0]
    (tmp_path / "examples").symlink_to(EXAMPLES)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    sweep = nc.open_sweep(tmp_path / "results")
    assert len(sweep.done) == 18
    assert (tmp_path / "results/report/report.html").is_file()
    # What it says: a run is at packet level, repetitions differ, and the gain grows with the load.
    assert (sweep.done["network.packet_hops"] > 1e5).all()
    assert sweep.done["cct_s.all.mean"].nunique() == 18
    mean = sweep.table().set_index(["load", "scheduler"])["mean"]
    gain = mean.xs("fair", level="scheduler") / mean.xs("varys", level="scheduler")
    assert gain["0.8"] > 1.03 * gain["0.2"]
    if NS3_VERSION == "3.44":  # other versions of ns-3 have another TCP
        assert run.stdout == shown


def test_documentation(tmp_path):
    text = (SOURCE / "doc/how-to/python.md").read_text()
    blocks = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    assert len(blocks) >= 5
    first = subprocess.run(
        [sys.executable, "-c", blocks[0]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "1 of 1 coflows finished" in first.stdout
    # The scheduler shown is the one of the example.
    example = (EXAMPLES / "python/own_scheduler.py").read_text()
    assert blocks[1].strip() in example
