# SPDX-License-Identifier: GPL-2.0-only
"""The rate of ports for data, and an experiment in packets for the fluid engine at the same rate.

A ratio of CCTs in packets over CCTs in the fluid engine shows the effect of packets only if ports
have the same rate for data in both engines. So `Experiment.fluid()` makes the experiment for the
fluid engine from the experiment in packets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ns3coflow import metadata
from ns3coflow._core import InputError
from ns3coflow.applying import apply_options, in_force

if TYPE_CHECKING:
    from ns3coflow.experiment import Experiment

# Of a full segment on the wire, in bytes: 20 of TCP, 20 of IPv4, 2 of PPP; and TCP's timestamps.
HEADERS = 42
TIMESTAMPS = 12
# Of the wire's rate, what ports under Baraat hand out (ns3::coflow::ExplicitRateQueueDisc).
EXPLICIT_RATE = 0.92
OF_EXPLICIT_RATE = "ExplicitRateQueueDisc::Utilisation"
UNITS = {"": 1.0, "bps": 1.0, "kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9, "Tbps": 1e12}
CONTROL = ("ideal", "real")
# Options of packets that change the rate of ports for data.
OF_RATES = ("kappa", "segmentSize", "timestamps", "enforceAt", "baraatMode")


def rate_bps(value: Any) -> float:  # noqa: ANN401
    """A rate of an option, in bit/s."""
    match = re.fullmatch(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)([kMGT]?bps|)", str(value).strip())
    if match is None:
        raise InputError(f"a rate is '{value}'; allowed: such as 1e9, 100Mbps or 10Gbps")
    return float(match[1]) * UNITS[match[2]]


def usable_part(experiment: Experiment) -> float:
    """The part of a link's rate for data, in application bytes."""
    if experiment.engine == "fluid":
        return 1.0
    applied = apply_options([experiment])[0]
    kappa = in_force(applied, "kappa")
    if kappa is not None and not _is_served_in_order(applied):
        return float(kappa)  # a coordinator gives rates
    if in_force(applied, "baraatMode") == "explicit-rate":
        if "queueDisc" in applied.options:
            raise InputError(
                "option --queueDisc is given under baraat with explicit rates, where the queue "
                "disc has the part of links that data has; allowed: no --queueDisc"
            )
        given = (
            value for name, value in applied.options.items() if name.endswith(OF_EXPLICIT_RATE)
        )
        return float(next(given, EXPLICIT_RATE))
    segment = float(applied.options.get("segment", in_force(applied, "segmentSize")))
    stamps = str(in_force(applied, "timestamps")).lower() == "true"
    return segment / (segment + HEADERS + TIMESTAMPS * stamps)


def _is_served_in_order(applied: Experiment) -> bool:
    """Whether a coordinator gives an order and no rates, as Sincronia's does by default."""
    where = in_force(applied, "enforceAt")
    # Whoever has rates of several kinds prefers an order, but with those by MADD.
    prefers_order = in_force(applied, "rates") not in (None, "madd")
    return where == "network" or (where == "policy" and prefers_order)


def port_rate_bps(experiment: Experiment) -> float:
    """The rate of a host's port for data, in bit/s of application bytes."""
    return usable_part(experiment) * rate_bps(in_force(experiment, "linkRate"))


def _has_narrow_links(applied: Experiment) -> bool:
    """Whether a switch has less capacity to others than to its hosts, or one link than a host."""
    of_hosts = rate_bps(in_force(applied, "linkRate"))
    inside = rate_bps(in_force(applied, "fabricLinkRate")) or of_hosts
    given = str(in_force(applied, "hostRates")).split(",")
    fastest = max([of_hosts, *(rate_bps(each.partition("=")[2]) for each in given if each)])
    ratio = float(in_force(applied, "oversubscription"))
    if ratio > 0:
        return ratio > 1 or inside < fastest
    topology = applied.options.get("topology", "fat-tree")
    hosts, links = 0, 0
    if topology == "leaf-spine":
        hosts, links = (int(in_force(applied, each)) for each in ("hostsPerLeaf", "spines"))
    elif topology == "fat-tree":
        links = int(in_force(applied, "k")) // 2
        hosts = int(in_force(applied, "hostsPerEdge")) or links
    return inside < fastest or hosts * of_hosts > links * inside


def as_fluid(experiment: Experiment, control: str) -> Experiment:
    """The experiment for the fluid engine; see Experiment.fluid()."""
    if experiment.engine == "fluid":
        raise InputError("the experiment has engine=fluid; allowed: an experiment at packet level")
    if control not in CONTROL:
        raise InputError(f"control is '{control}'; allowed: {', '.join(CONTROL)}")
    applied = apply_options([experiment])[0]
    if in_force(applied, "preset") == "code":
        raise InputError(
            "option --preset is 'code', which the fluid engine has not; allowed: the options of "
            "the preset one by one (ns3-coflow schedulers aalo)"
        )
    part = usable_part(applied)
    rates: dict[str, Any] = {"linkRate": f"{port_rate_bps(applied):.0f}bps"}
    if "fabricLinkRate" in applied.options:
        rates["fabricLinkRate"] = f"{part * rate_bps(applied.options['fabricLinkRate']):.0f}bps"
    if "hostRates" in applied.options:
        given = (each.partition("=") for each in applied.options["hostRates"].split(","))
        of_hosts = [f"{host}={part * rate_bps(rate):.0f}bps" for host, _, rate in given]
        rates["hostRates"] = ",".join(of_hosts)
    # With control=real coflows bypass as at packet level, and messages are held as long.
    known: dict[str, Any] = {"engine": "fluid", "control": "real"}
    if _has_narrow_links(applied):
        known["limits"] = "links"
    if control == "ideal":
        known["controlBatch"] = "0s"
    fluid = applied.with_options(**rates, **known)
    objects = [name for name in fluid.options if "::" in name]  # of ns-3, and fluids have none
    for name in objects:
        plain = metadata.as_option(name.rpartition("::")[2])
        if plain in OF_RATES or in_force(fluid, plain) is not None:
            raise InputError(
                f"option --{name} of an experiment for which fluid() is called; allowed: {plain}"
            )
    return apply_options([fluid.with_options(**dict.fromkeys(objects)), applied])[0]


def check_same_rate(packets_bps: float, fluid_bps: float, what: str) -> None:
    """Raises InputError if ports have different rates in the two engines."""
    if abs(packets_bps / fluid_bps - 1) > 1e-6:  # rates of fluids are whole bit/s
        raise InputError(
            f"{what}: ports have {packets_bps:.0f} bit/s for data in packets and {fluid_bps:.0f} "
            "bit/s in the fluid engine; allowed: the same rate, as with Experiment.fluid()"
        )
