# SPDX-License-Identifier: GPL-2.0-only
"""What experiments at packet level have in common: scratch/packet.py."""

import sys

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from conftest import SOURCE

sys.path.insert(0, str(SOURCE))
from scratch import packet


def test_parameters_scale_with_sizes():
    for size in (1, 4):
        trace = packet.cut(1, size=size).first(2)
        assert trace.scale == pytest.approx(size / 500)
        options = packet.packets("varys", 1, size=size, trace=trace, stop=1e-6)
        in_force = nc.Experiment().with_options(**options).run().summary["configuration"]
        daemon = in_force["scheduler"]["ClairvoyantDaemon"]
        assert float(daemon["BypassBytes"]) == 50_000 * size
        assert float(in_force["policy"]["T"]) == pytest.approx(0.004 * size)
        # Control is what it is.
        assert packet.parameters("varys", trace)["controlBatch"] == "200000ns"
        options = packet.packets("aalo", 1, size=size, trace=trace, stop=1e-6)
        in_force = nc.Experiment().with_options(**options).run().summary["configuration"]
        assert float(in_force["policy"]["firstThreshold"]) == 20_000 * size
    assert packet.SEEDS == (1, 2, 3, 4, 5)


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
    table = table.assign(engine="packet", port_rate_bps=1e9)
    assert packet.ratio(table, ("fair", "a"), ("varys", "a")) == (2, 0)
    for case in ("b", "c"):
        assert np.isnan(packet.ratio(table, ("fair", "a"), ("varys", case))).all()
