# SPDX-License-Identifier: GPL-2.0-only
"""The papers' claims beside ours: tables are up to date, and some numbers come out again."""

import dataclasses
import importlib
import json
import sys

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from conftest import SOURCE

sys.path.insert(0, str(SOURCE))
from scratch import index, packet
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
        assert claim.verdict in ("reproduced", "not run") or claim.cause, claim
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
    claim = index.Claim("e", "s", "t", "m", published, rule, "", ours, None, "")
    assert claim.verdict == verdict
    assert dataclasses.replace(claim, ours=None).verdict == "not run"


@pytest.mark.parametrize(
    ("rule", "published", "ours", "half", "certain"),
    [
        ("near", 2.0, 2.0, 0.29, True),
        ("near", 2.0, 2.0, 0.31, False),
        ("factor", 2.0, 1.5, 0.1, True),
        ("factor", 2.0, 1.5, 0.25, False),
        ("at least", 1, 1.5, 0.6, False),
        ("at most", 1, 0.5, 0.4, True),
        ("at most", 1, 0.5, None, True),
    ],
)
def test_verdicts_that_the_interval_leaves_open(rule, published, ours, half, certain):
    claim = index.Claim("e", "s", "t", "m", published, rule, "", ours, half, "")
    assert claim.certain == certain
    assert claim.verdict_text.endswith("(?)") != certain


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


@pytest.mark.parametrize(
    "name", ["packets", "crossovers", "control_plane", "transport", "dcas_packet"]
)
def test_points_at_packet_level_are_allowed(name, monkeypatch):
    experiment = importlib.import_module(f"scratch.{name}.run")
    checked = []

    def check(_, points):
        for options in points.values():
            nc.Experiment().with_options(**options).check()
        checked.extend(points)
        raise InterruptedError

    monkeypatch.setattr(experiment, "measure", check)
    monkeypatch.setattr(experiment, "SEEDS", packet.SEEDS[:1])
    with pytest.raises(InterruptedError):
        experiment.simulate()
    assert {scheduler for scheduler, _, _ in checked} >= {"fair", "varys", "dcas"}


def test_parameters_scale_with_sizes():
    trace = packet.cut(1)
    for size in (1, 4):
        varys = packet.parameters("varys", trace, size=size)
        assert varys["bypassBytes"] == 50_000 * size
        assert varys["T"] == f"{4_000_000 * size}ns"
        # Control is what it is.
        assert varys["controlBatch"] == "200000ns"
        assert packet.parameters("aalo", trace, size=size)["firstThreshold"] == 20_000 * size


def test_more_hosts_have_the_same_load():
    small, large = packet.cut(1), packet.cut(1, hosts=54)
    assert large.hosts == 54
    assert len(large.coflows) == len(small.coflows) * 54 // 16
    assert large.flows["dst"].max() > small.hosts
    # Each coflow is where 16 hosts of its own are: no flow became local or lost its bytes.
    drawn = nc.Trace.generate("fb-like", coflows=135, hosts=16, load=0.9, seed=1)
    drawn = drawn.transform(scale_bytes=packet.SCALE)
    assert large.coflows["bytes"].sum() == drawn.coflows["bytes"].sum()
    assert (large.coflows["receivers"] == drawn.coflows["receivers"]).all()


def test_ratios_need_all_seeds():
    index_of = ["scheduler", "case", "seed"]
    table = pd.DataFrame(
        [("fair", "a", seed, 2.0 * seed) for seed in (1, 2, 3)]
        + [("varys", "a", seed, 1.0 * seed) for seed in (1, 2, 3)]
        + [("varys", "b", 1, 1.0)],
        columns=[*index_of, "cct_s.all.mean"],
    ).set_index(index_of)
    assert packet.ratio(table, ("fair", "a"), ("varys", "a")) == (2, 0)
    for case in ("b", "c"):
        assert np.isnan(packet.ratio(table, ("fair", "a"), ("varys", case))).all()


@pytest.mark.parametrize("scheduler", ["fair", "varys", "dcas"])
def test_packets_of_the_first_seed(scheduler):
    options = packet.packets(scheduler, packet.SEEDS[0])
    mean = nc.Experiment().with_options(**options).run().mean_cct
    expected = measured("packets")[f"mean CCT of {scheduler}, ms, first seed"]
    # Floating point may differ between compilers, and with it which packet is first.
    assert mean * 1e3 == pytest.approx(expected, rel=0.05)
