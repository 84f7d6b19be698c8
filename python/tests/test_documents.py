# SPDX-License-Identifier: GPL-2.0-only
"""Pages that programs write are what they would write now."""

from __future__ import annotations

import csv
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

from ns3coflow import Experiment, Trace, _core, metadata

SOURCE = Path(__file__).resolve().parents[2]


def test_the_page_of_parameters_is_what_parts_declare():
    make = runpy.run_path(str(SOURCE / "utils" / "parameter-page"))["page"]
    # As the program prints it: what Python has added is left out.
    description = json.loads(json.dumps(metadata.describe()))
    page = (SOURCE / "doc" / "reference" / "parameters.md").read_text()
    assert page == make(description), "coflow-replay --describe | utils/parameter-page"


def test_the_table_of_the_demo_is_the_same_on_both_pages():
    """A test runs the one of doc/start.md."""
    _, _, start = (
        (SOURCE / "doc/start.md").read_text().partition("$ ns3-coflow demo --out=results\n")
    )
    shown = [line.split() for line in start.splitlines()[1:7]]
    _, _, readme = (SOURCE / "README.md").read_text().partition("<!-- demo -->\n\n")
    rows = [re.findall(r"[^| ]+", line) for line in readme.splitlines()[:7]]
    assert [rows[0], *rows[2:]] == shown


def test_the_page_of_results_is_what_columns_declare():
    make = runpy.run_path(str(SOURCE / "utils" / "result-page"))["page"]
    page = (SOURCE / "doc" / "reference" / "results.md").read_text()
    told = "coflow-replay --describe | utils/result-page doc/reference/results.md"
    assert page == make(page, metadata.describe()), told
    assert "| `met_deadline` |" in page


def test_result_files_have_the_declared_columns(tmp_path):
    trace = Trace.generate("incast", senders=2)
    Experiment(trace, "big-switch", "fair", hosts=3).run(out=tmp_path)
    page = (SOURCE / "doc/reference/results.md").read_text()
    parts = {each.partition("\n")[0]: each for each in page.split("\n## ")}

    def named_in(part):
        first_cells = re.findall(r"^\| ([^|]*)\|", parts[part], re.MULTILINE)
        return re.findall(r"`(\w+)`", "\n".join(first_cells))

    for name in ("coflows.csv", "flows.csv"):
        with (tmp_path / name).open() as opened:
            columns = next(csv.reader(opened))
        assert [each["name"] for each in metadata.describe()["files"][name]] == columns, name
    members = json.loads((tmp_path / "summary.json").read_text())
    assert set(named_in("summary.json")) <= set(members)


def test_the_page_of_views_has_every_member():
    page = (SOURCE / "doc/reference/view.md").read_text()
    sized, attained = page.split("## Of all policies")
    for view, part in ((_core.ClairvoyantView, page), (_core.AttainedView, attained)):
        members = [name for name in dir(view) if not name.startswith("_")]
        assert len(members) > 10
        for name in members:
            assert re.search(rf"^\|.*`{name}[`(]", part, re.MULTILINE), name
    assert sized.index("`gamma()`") < sized.index("`remaining`")


def test_figures_are_small_and_their_text_is_text():
    figures = [*(SOURCE / "doc").rglob("figures/*.svg")]
    assert len(figures) >= 10
    for path in figures:
        assert path.stat().st_size < 150_000, path
        assert "<text" in path.read_text(), path


def test_the_version_is_the_same_everywhere():
    from ns3coflow import __version__

    assert f"set(COFLOW_VERSION {__version__})" in (SOURCE / "CMakeLists.txt").read_text()
    assert f"\nversion: {__version__}\n" in (SOURCE / "CITATION.cff").read_text()
    assert f"\n## {__version__}\n" in (SOURCE / "CHANGES.md").read_text()
    assert f"ns3coflow-{__version__}-" in (SOURCE / "doc/start.md").read_text()
    assert f"ns3coflow-{__version__}-" in (SOURCE / "README.md").read_text()


def test_the_check_of_prose_finds_what_it_is_for(tmp_path):
    def findings(text):
        (tmp_path / "page.md").write_text(text)
        run = subprocess.run(
            [sys.executable, SOURCE / "utils/check-prose", tmp_path / "page.md"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return run.returncode, run.stderr

    assert findings("Plain TCP sends.\n") == (0, "")
    status, told = findings("# A title\n\nIt is made\nanew.\n")
    assert status == 1
    assert "page.md:3: 'anew'; write: again" in told
    long = "word " * 46
    assert "a sentence of 46 words" in findings(f"{long}.\n")[1]
    assert findings(f"{long[:100]}. A{long[:100]}.\n")[0] == 0
    # Code, tables and quotations are others' words.
    assert findings('`nobody`\n\n| nobody |\n\n```\nnobody\n```\n\nHe wrote "nobody".\n')[0] == 0
