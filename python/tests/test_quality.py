# SPDX-License-Identifier: GPL-2.0-only
"""What stays true of the source."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import ns3coflow as nc
from conftest import SOURCE


def tool(name, *arguments):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed: pip install .[test]")
    return subprocess.run(
        [sys.executable, "-m", name, *arguments],
        cwd=SOURCE, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("arguments", [["check"], ["format", "--check"]])
def test_ruff(arguments):
    run = tool("ruff", *arguments, "--no-cache", "python", "examples", "bench", "scratch")
    assert run.returncode == 0, run.stdout


def test_types(tmp_path):
    # The installed package, with the stubs that the build made.
    run = tool("mypy", f"--cache-dir={tmp_path}", "-p", "ns3coflow")
    assert run.returncode == 0, run.stdout


def test_files_are_short():
    for path in SOURCE.glob("python/**/*"):
        if path.suffix in (".py", ".cc", ".h", ".html"):
            assert len(path.read_text().splitlines()) <= 500, path


def test_everything_that_is_offered_is_there():
    for name in nc.__all__:
        assert getattr(nc, name) is not None
    assert set(nc.__all__) == set(dir(nc))
    package = Path(nc.__file__).parent
    assert (package / "py.typed").is_file()
    assert (package / "_core.pyi").is_file()
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = nc.nothing
