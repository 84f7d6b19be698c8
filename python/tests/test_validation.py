# SPDX-License-Identifier: GPL-2.0-only
"""The papers' claims beside ours: tables are up to date, and some numbers come out again."""

import json
import sys

import numpy as np
import pytest

import ns3coflow as nc
from conftest import SOURCE

sys.path.insert(0, str(SOURCE))
from scratch import index
from scratch.common import fluid, public_trace, trace_path


def measured(experiment: str) -> dict[str, float]:
    text = (SOURCE / "scratch" / experiment / "measured.json").read_text()
    return json.loads(text)["measured"]


def test_tables_show_what_was_measured():
    pages = index.pages()
    assert len(pages) >= 6
    for path, text in pages.items():
        assert path.read_text() == text, f"{path}: run python -m scratch.index"


@pytest.mark.parametrize("folder", index.experiments(), ids=lambda folder: folder.name)
def test_every_deviation_has_a_cause(folder):
    claims = index.claims_of(folder)
    assert claims
    for claim in claims:
        assert claim.verdict == "reproduced" or claim.cause, claim
    text = (folder / "README.md").read_text()
    for part in ("**Claim.**", "**Conditions.**", "**Command.**", "**Result.**", "**Deviations.**"):
        assert part in text, part


@pytest.mark.parametrize(
    ("rule", "published", "ours", "verdict"),
    [
        ("near", 2.0, 2.29, "reproduced"),
        ("near", 2.0, 2.31, "not reproduced"),
        ("factor", 2.0, 4.0, "direction only"),
        ("factor", 2.0, 0.9, "not reproduced"),
        ("factor", 0.5, 0.9, "direction only"),
        ("at least", 50, 50, "reproduced"),
        ("at most", 50, 51, "not reproduced"),
    ],
)
def test_verdicts(rule, published, ours, verdict):
    claim = index.Claim("e", "s", "t", "m", published, rule, "", ours, None)
    assert claim.verdict == verdict


@pytest.fixture(scope="module")
def trace() -> nc.Trace:
    if not trace_path().is_file():
        pytest.skip(f"{trace_path()} is absent; COFLOW_BENCHMARK_TRACE may name the Facebook trace")
    return public_trace()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("TCP of CoflowSim", {"scheduler": "fair", "redistribute": False}),
        ("PS-P", {"scheduler": "ps-p"}),
        ("DRF", {"scheduler": "drf"}),
        (
            "NC-DRF without spare",
            {"scheduler": "nc-drf", "rescheduleOnFlow": False, "backfillRounds": 0},
        ),
    ],
)
def test_slowdowns_of_nc_drf_table_2(trace, name, options):
    slowdown = fluid(trace, **options).run().coflows["slowdown"].dropna()
    expected = measured("nc_drf")
    assert slowdown.mean() == pytest.approx(expected[f"slowdown mean {name}"], rel=1e-3)
    assert np.percentile(slowdown, 95) == pytest.approx(expected[f"slowdown p95 {name}"], rel=1e-3)
    assert slowdown.std(ddof=0) == pytest.approx(expected[f"slowdown std {name}"], rel=1e-3)


def test_factors_of_varys(trace):
    means = {
        name: fluid(trace, scheduler=name).run().mean_cct for name in ("varys", "fair", "fifo")
    }
    expected = measured("varys")
    ratio = means["fair"] / means["varys"]
    assert ratio == pytest.approx(expected["fairness over Varys mean all"], rel=1e-3)
    ratio = means["fifo"] / means["varys"]
    assert ratio == pytest.approx(expected["FIFO over Varys mean all"], rel=1e-3)
