# SPDX-License-Identifier: GPL-2.0-only
"""Packets over fluids: ports have the same rate on both sides."""

from __future__ import annotations

import pandas as pd
import pytest

import ns3coflow as nc
from ns3coflow import demo, ports
from ns3coflow.comparison import compare

# Control that takes no time, and everybody waits for the scheduler.
AT_ONCE = {"controlTransport": "ideal", "controlBatch": "0s", "bypassBytes": 0}
CASES = {
    # 1,448 of 1,502 bytes on the wire.
    "fair": ({"scheduler": "fair"}, 1e9 * 1448 / 1502),
    "aalo": ({"scheduler": "aalo"}, 1e9 * 1448 / 1502),
    "dcas": ({"scheduler": "dcas"}, 1e9 * 1448 / 1502),
    "long segments": ({"scheduler": "fair", "segment": 8948}, 1e9 * 8948 / 9002),
    "no timestamps": ({"scheduler": "fair", "timestamps": False}, 1e9 * 1448 / 1490),
    "10 Gbps": ({"scheduler": "fair", "linkRate": "10Gbps"}, 1e10 * 1448 / 1502),
    # What a coordinator gives.
    "varys": ({"scheduler": "varys", **AT_ONCE}, 0.94e9),
    "kappa": ({"scheduler": "varys", "kappa": 0.92, **AT_ONCE}, 0.92e9),
    # An order, and no rates.
    "network": (
        {"scheduler": "sincronia", "enforceAt": "network", **AT_ONCE},
        1e9 * 1448 / 1502,
    ),
    "sincronia": ({"scheduler": "sincronia", **AT_ONCE}, 1e9 * 1448 / 1502),
    "sincronia at senders": ({"scheduler": "sincronia", "enforceAt": "sender", **AT_ONCE}, 0.94e9),
    "sincronia with madd": ({"scheduler": "sincronia", "rates": "madd", **AT_ONCE}, 0.94e9),
    # What ports give.
    "ports": ({"scheduler": "baraat", "baraatMode": "explicit-rate"}, 0.92e9),
}


def alone(**options) -> nc.Experiment:
    """A flow that has the network for itself."""
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    trace = nc.Trace.from_frame(
        pd.DataFrame([(1, 0.0, 0, 1, 50_000_000)], columns=columns), hosts=4
    )
    return nc.Experiment(trace, nc.BigSwitch(hosts=4), **options)


@pytest.mark.parametrize(("options", "rate"), CASES.values(), ids=CASES.keys())
def test_a_flow_alone_takes_as_long_in_both(options, rate):
    packets = alone(**options)
    fluid = packets.fluid()
    assert packets.port_rate_bps == pytest.approx(rate, rel=1e-12)
    assert fluid.port_rate_bps == pytest.approx(rate, rel=1e-8)
    assert fluid.run().mean_cct == pytest.approx(50e6 * 8 / rate, rel=1e-7)
    # Handshake, slow start and the way through the switch.
    assert 0.999 < packets.run().mean_cct / fluid.run().mean_cct < 1.005


def test_control_is_declared_on_both_sides():
    packets = alone(scheduler="varys", bypassBytes="1MB", controlBatch="30ms")
    ideal, real = packets.fluid(), packets.fluid("real")
    assert ideal.options["bypassBytes"] == real.options["bypassBytes"] == "1MB"
    flow_s = 50e6 * 8 / 0.94e9
    assert ideal.run().mean_cct == pytest.approx(flow_s, rel=1e-6)
    assert real.run().mean_cct == pytest.approx(flow_s + 0.03, rel=1e-6)
    # The default of packets, 25 MB, holds in the fluid too.
    assert not nc.Experiment(packets.trace, scheduler="varys").fluid().run().coflows["bypassed"][0]
    small = packets.trace.transform(scale_bytes=0.4)  # 20 MB, of a limit of 10 MB
    assert not nc.Experiment(small, scheduler="varys").fluid().run().coflows["bypassed"][0]
    assert (
        nc.Experiment(small, scheduler="varys", scaleControl=1).fluid().run().coflows["bypassed"][0]
    )


def test_other_rates_follow():
    packets = alone(scheduler="varys", hostRates="0=10Gbps,2=400Mbps", fabricLinkRate="2e9")
    options = packets.fluid().options
    assert options["linkRate"] == "940000000bps"
    assert options["fabricLinkRate"] == "1880000000bps"
    assert options["limits"] == "links", "host 0 is faster than links between switches"
    slow = alone(scheduler="varys", fabricLinkRate="100Mbps")
    assert slow.fluid().options["limits"] == "links", "links are slower than ports"
    assert options["hostRates"] == "0=9400000000bps,2=376000000bps"
    tree = nc.Experiment(nc.Trace.sample(), nc.FatTree(k=4), "fair", oversubscription=4)
    assert tree.fluid().options["limits"] == "links"
    assert "limits" not in alone(scheduler="varys", fabricLinkRate="0bps").fluid().options
    # Eight hosts behind a leaf share one link to the spine.
    leaves = nc.Experiment(nc.Trace.sample(), nc.LeafSpine(leaves=2, spines=1, hostsPerLeaf=8))
    assert leaves.fluid().options["limits"] == "links"
    full = leaves.with_options(oversubscription=1)
    assert "limits" not in full.fluid().options
    assert nc.Experiment(topology=nc.FatTree(k=4, hostsPerEdge=8)).fluid().options["limits"]
    # The part that ports hand out under Baraat's explicit rates.
    queue = "ns3::coflow::ExplicitRateQueueDisc::Utilisation"
    baraat = alone(scheduler="baraat", baraatMode="explicit-rate", **{queue: 0.5})
    assert baraat.port_rate_bps == 0.5e9
    assert baraat.fluid().options["linkRate"] == "500000000bps"


def test_capitals_of_attributes_are_those_of_options():
    for name, value in (("Kappa", 0.5), ("BypassBytes", 0), ("FabricLinkRate", "100Mbps")):
        lowered = name[0].lower() + name[1:]
        expected = alone(scheduler="varys", **{lowered: value}).fluid().options
        assert alone(scheduler="varys", **{name: value}).fluid().options == expected
    assert alone(scheduler="varys", T="1ms").options["T"] == "1ms"
    with pytest.raises(nc.InputError, match="allowed: kappa"):
        alone(scheduler="varys", **{"ns3::coflow::CentralCoordinator::Kappa": 0.5}).fluid()


def test_what_only_packets_have_is_left_out():
    packets = alone(scheduler="varys", transport="TcpCubic", heartbeat="2s", kappa=0.9, RngRun=3)
    options = (
        packets.with_options(**{"ns3::coflow::CoflowSource::RatePhase": "spread"}).fluid().options
    )
    assert not options.keys() & {"transport", "heartbeat", "kappa"}
    assert not any("::" in name for name in options)
    assert options["scheduler"] == "varys"


def test_what_is_refused():
    with pytest.raises(nc.InputError, match="the experiment has engine=fluid; allowed: an"):
        alone(engine="fluid").fluid()
    with pytest.raises(nc.InputError, match="control is 'some'; allowed: ideal, real"):
        alone().fluid("some")
    with pytest.raises(nc.InputError, match="a rate is '1 gig'; allowed: such as 1e9, 100Mbps"):
        alone(linkRate="1 gig").fluid()
    baraat = alone(scheduler="baraat", baraatMode="explicit-rate")
    with pytest.raises(nc.InputError, match="option --queueDisc is given under baraat"):
        baraat.with_options(queueDisc="ns3::coflow::ExplicitRateQueueDisc[Utilisation=0.5]").fluid()


def test_unequal_sides_are_refused():
    ports.check_same_rate(940e6, 940e6, "varys")
    with pytest.raises(
        nc.InputError,
        match="fair: ports have 964047936 bit/s for data in packets and 940000000 bit",
    ):
        ports.check_same_rate(alone().port_rate_bps, 940e6, "fair")


def test_the_demo_compares_on_the_same_ports(monkeypatch):
    compared = []

    def note(experiments, *others):
        compared.append((experiments, *others))
        return compare(experiments, *others)

    monkeypatch.setattr(demo, "compare", note)
    demo.run_demo()
    (base, named), (as_fluids,) = compared
    for name, fluid in zip(named, as_fluids, strict=True):
        packets = base.with_options(scheduler=name)
        assert fluid.engine == "fluid"
        ports.check_same_rate(packets.port_rate_bps, fluid.port_rate_bps, name)
