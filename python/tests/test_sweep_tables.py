# SPDX-License-Identifier: GPL-2.0-only
"""Tables of sweeps: means and ratios with intervals, over what all schedulers finished."""

import itertools

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc


def test_confidence_intervals(tmp_path, trace):
    base = nc.Experiment(trace.first(15), nc.FatTree(k=4), scheduler="fair")
    sweep = nc.sweep({"segment": [1448, 8948]}, 3, base=base, out=tmp_path)
    row = sweep.table().iloc[0]
    values = sweep.runs[sweep.runs["segment"] == 1448]["cct_s.all.mean"]
    half = 4.302652729911275 * values.std() / np.sqrt(3)  # Student's t, 2 degrees of freedom
    assert row["runs"] == 3
    assert row["high"] - row["mean"] == pytest.approx(half)
    assert row["low"] < values.mean() < row["high"]
    data = sweep.to_xarray("cct_s.all.mean", "network.packet_hops")
    assert dict(data.sizes) == {"segment": 2, "RngRun": 3}
    with pytest.raises(nc.InputError, match="metric is 'x'; allowed: "):
        sweep.table("x")
    for level in (0, 1, 1.5):
        with pytest.raises(nc.InputError, match="allowed: a confidence above 0 and below 1"):
            sweep.table(level=level)


def test_ratios_are_of_runs_with_the_same_seed(tmp_path, trace):
    base = nc.Experiment(trace.first(10), nc.FatTree(k=4))
    grid = {"linkRate": ["1Gbps", "10Gbps"], "scheduler": ["fair", "fifo", "aalo"]}
    sweep = nc.sweep(grid, 3, base=base, out=tmp_path)
    table = sweep.ratio("fair", bin="each").set_index(["linkRate", "scheduler", "bin"])
    for rate, group in itertools.product(grid["linkRate"], ("all", "LW")):
        rows = sweep.done[sweep.done["linkRate"] == rate].pivot_table(
            index="RngRun", columns="scheduler", values=f"cct_s.{group}.mean"
        )
        for name in ("fifo", "aalo"):
            ratios = rows["fair"] / rows[name]
            row = table.loc[rate, name, group]
            half = 4.302653 * ratios.std() / 3**0.5  # Student's t of two degrees of freedom
            assert row["runs"] == 3
            assert row["ratio"] == pytest.approx(ratios.mean())
            assert row["high"] - row["ratio"] == pytest.approx(half, rel=1e-5)
            assert row["ratio"] - row["low"] == pytest.approx(half, rel=1e-5)
        assert table.loc[rate, "fair", group]["ratio"] == 1
    p95 = sweep.ratio("fifo", "p95").set_index(["linkRate", "scheduler"])
    rows = sweep.done[sweep.done["linkRate"] == "1Gbps"].set_index(["scheduler", "RngRun"])
    ratios = rows["cct_s.all.p95"]["fifo"] / rows["cct_s.all.p95"]["aalo"]
    assert p95.loc["1Gbps", "aalo"]["ratio"] == pytest.approx(ratios.mean())
    pd.testing.assert_frame_equal(sweep.mean(), sweep.table())
    pd.testing.assert_frame_equal(sweep.p95("SN"), sweep.table("cct_s.SN.p95"))
    assert list(sweep.mean("each")["bin"].unique()) == ["all", "SN", "SW", "LW"]
    assert sweep.ratio("fair", "network.control_messages")["ratio"].notna().all()
    assert (sweep.runs["control.by_type.TasksDone.messages"] > 0).all()
    with pytest.raises(nc.InputError, match="baseline is 'tcp'; allowed: a value of scheduler: fa"):
        sweep.ratio("tcp")
    with pytest.raises(
        nc.InputError, match=r"bin is 'LN'; allowed: each, or a bin .*: all, SN, SW, LW"
    ):
        sweep.mean("LN")


def test_tables_are_over_what_all_schedulers_finished(tmp_path, trace):
    """vc rejects coflows; what is left finishes early, which is no reason to win."""
    late = trace.transform("deadlines=0.5:1Gbps:1")
    base = nc.Experiment(late, nc.FatTree(k=4), engine="fluid")
    grid = {"linkRate": ["1Gbps", "10Gbps"], "scheduler": ["fair", "vc"]}
    sweep = nc.sweep(grid, 2, base=base, out=tmp_path)
    table = sweep.table().set_index(["scheduler", "linkRate"])
    bins = sweep.table("cct_s.SN.p95").set_index(["scheduler", "linkRate"])
    slowdown = sweep.table("slowdown.mean").set_index(["scheduler", "linkRate"])
    finished = {}
    for rate in ("1Gbps", "10Gbps"):
        here = sweep.coflows[(sweep.coflows["linkRate"] == rate) & (sweep.coflows["RngRun"] == 1)]
        of = {name: rows.set_index("coflow_id") for name, rows in here.groupby("scheduler")}
        done = of["vc"].index[of["vc"]["finish_s"].notna()]
        finished[rate] = len(done)
        for name in ("fair", "vc"):
            common = of[name].loc[done]
            assert table.loc[(name, rate), "compared"] == len(done)
            assert table.loc[(name, rate), "mean"] == pytest.approx(common["cct_s"].mean())
            small = common[common["bin"] == "SN"]["cct_s"].quantile(0.95)
            assert bins.loc[(name, rate), "mean"] == pytest.approx(small)
            assert slowdown.loc[(name, rate), "mean"] == pytest.approx(common["slowdown"].mean())
    assert 0 < finished["1Gbps"] < 60
    assert "compared" not in sweep.table("utilisation")
