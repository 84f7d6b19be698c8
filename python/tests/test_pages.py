# SPDX-License-Identifier: GPL-2.0-only
"""The manual does what it shows: commands run and print what stands below them."""

import os
import re
from pathlib import Path

import pytest
from ns3coflow._core import NS3_VERSION

from conftest import SOURCE
from pages import matches, run_page

PAGES = [
    page
    for page in sorted((SOURCE / "doc").rglob("*.md"))
    if re.search(r"^```(console|python)$", page.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_page(path, tmp_path):
    if path.stem == "gym":
        pytest.importorskip("gymnasium")
    programs = Path(os.environ.get("COFLOW_REPLAY", SOURCE / "build/release/bin/x")).parent
    for name in set(re.findall(r"^\$ (coflow-\S+)", path.read_text(), re.MULTILINE)):
        if not (programs / name).is_file():
            pytest.skip(f"{programs / name} is not built")
    # TCP of another version of ns-3 has other times.
    assert run_page(path, tmp_path, compare=NS3_VERSION == "3.44", programs=programs) > 0


def test_code_in_the_tutorial_is_that_of_the_module():
    text = (SOURCE / "doc/tutorials/2-scheduler.md").read_text()
    for name in ("coflow-simple-orders.cc", "coflow-varys.h", "coflow-varys.cc"):
        block = text.partition(f"`model/policy/policies/{name}`")[2].partition("```cpp\n")[2]
        code = block.partition("```")[0]
        assert len(code) > 300
        assert code in (SOURCE / "model/policy/policies" / name).read_text(), name


def test_code_in_the_tutorial_of_own_networks_is_that_of_the_example():
    text = (SOURCE / "doc/tutorials/3-own-network.md").read_text()
    script = (SOURCE / "examples/coflow-first.cc").read_text()
    blocks = re.findall(r"```cpp\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 5
    for block in blocks:
        assert block in script, block
    (project,) = re.findall(r"```cmake\n(.*?)```", text, re.DOTALL)
    assert project in (SOURCE / "test/consumer/CMakeLists.txt").read_text()


def test_matches_tells_outputs_apart():
    assert matches(["a", "b"], ["a", "b"])
    assert not matches(["a", "b"], ["a", "c"])
    assert not matches(["a"], ["a", "b"])
    assert matches(["a", "..."], ["a", "b", "c"])
    assert matches(["a", "...", "d"], ["a", "b", "c", "d"])
    assert not matches(["a", "...", "d"], ["a", "b", "c"])
    assert matches([], [])
    assert not matches([], ["a"])
