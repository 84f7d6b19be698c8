# SPDX-License-Identifier: GPL-2.0-only
"""Packets and the fluids that they are held against have ports of the same rate."""

import importlib
import sys

import pandas as pd
import pytest

import ns3coflow as nc
from conftest import SOURCE

sys.path.insert(0, str(SOURCE))
from scratch import packet


def test_packets_over_a_fluid_of_other_ports_are_refused():
    """Packets at 0.92 of 1 Gbps over a fluid of 940 Mbps were 4.5 % longer for Varys, not 1.2."""
    rows = [
        ("varys", "packets", 1, 26.0, "packet", 920e6),
        ("varys", "fluid", 1, 24.9, "fluid", 940e6),
    ]
    columns = ["scheduler", "case", "seed", "cct_s.all.mean", "engine", "port_rate_bps"]
    table = pd.DataFrame(rows, columns=columns).set_index(columns[:3]).sort_index()
    sides = (("varys", "packets"), ("varys", "fluid"))
    with pytest.raises(nc.InputError, match="920000000 bit/s for data in packets and 940000000"):
        packet.ratio(table, *sides)
    with pytest.raises(nc.InputError, match="varys, packets over varys, fluid: ports have"):
        packet.mean_of_ratios(table, "none", *sides)
    table["port_rate_bps"] = 920e6
    assert packet.ratio(table, *sides)[0] == pytest.approx(26.0 / 24.9)


@pytest.mark.parametrize("scheduler", ["varys", "sincronia", "nc-drf", "fair", "aalo", "dcas"])
def test_the_whole_trace_has_the_same_ports_in_packets_and_fluids(scheduler):
    whole = importlib.import_module("scratch.whole_trace.run")
    for case in whole.CASES_OF[scheduler]:
        packets = whole.experiment(scheduler, case)
        for control in ("ideal", "real"):
            fluid = whole.experiment(scheduler, whole.fluid_of(case, control))
            assert fluid.engine == "fluid"
            assert fluid.port_rate_bps == pytest.approx(packets.port_rate_bps, rel=1e-8)
            assert fluid.options.get("bypassBytes") == packets.options.get("bypassBytes")
            assert fluid.options.get("scaleTime") == packets.options.get("scaleTime")
