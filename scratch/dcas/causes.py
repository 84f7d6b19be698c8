# SPDX-License-Identifier: GPL-2.0-only
"""What of D-CAS's workload decides its factors: python -m scratch.dcas.causes.

Each variant differs from the generator, or from the baseline, in one thing; arrivals are stretched
so that the load stays what it was. Three seeds; fairness over Varys, and over D-CAS that calls
nobody starved. And what D-CAS loses on short wide coflows alone.
"""

import numpy as np
import pandas as pd

import ns3coflow as nc
from scratch.common import coflows, fluid, half_width, in_epochs, of_bin, run, save
from scratch.dcas.run import NAMES, SCHEDULERS, TYPES

SEEDS = (1, 2, 3)
HOSTS = 80
AS_IS = "as it is"
LIKE_PAPER = "wide up to 40 x 40"  # at which factors come out as published
# Bytes of a flow of short and of long coflows, least and most.
LIMITS = {"S": (1e6, 10e6), "L": (10e6, 500e6)}


def flows_of(seed: int) -> pd.DataFrame:
    """The generator's flows, with their coflow's bin."""
    trace = nc.Trace.generate("dcas-mix", seed=seed)
    bins = trace.statistics(short_bytes=10_000_000)[["coflow_id", "bin"]]
    return trace.flows.merge(bins, on="coflow_id")


def crossing(flows: pd.DataFrame) -> int:
    """The bytes that cross the fabric."""
    return int(flows.loc[flows["src"] != flows["dst"], "bytes"].sum())


def at_load(flows: pd.DataFrame, made: pd.DataFrame, load: float = 1) -> nc.Trace:
    """A trace made of the generator's flows; arrivals are stretched as bytes and the load tell."""
    stretch = crossing(made) / crossing(flows) / load
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes"]
    frame = made.assign(arrival_s=(made["arrival_s"] * stretch).round(9))[columns]
    return nc.Trace.from_frame(frame, hosts=HOSTS)


def by_class(flows: pd.DataFrame) -> pd.DataFrame:
    """Coflows of a bin arrive one after another, as CoflowSim's generator lists them."""
    first = flows.groupby("coflow_id").first()
    order = first.assign(place=first["bin"].map({"SN": 0, "LN": 1, "SW": 2, "LW": 3}))
    order = order.sort_values(["place", "arrival_s"], kind="stable").index
    ids = pd.Series(np.arange(1, len(order) + 1), order)
    times = np.sort(first["arrival_s"].to_numpy())
    moved = flows.assign(coflow_id=flows["coflow_id"].map(ids))
    moved["arrival_s"] = times[moved["coflow_id"] - 1]
    return moved.sort_values("coflow_id", kind="stable")


def own_sizes(flows: pd.DataFrame, random: np.random.Generator, *, logarithmic: bool = False):
    """Every flow draws its own size in place of its receiver's; evenly, or in the logarithm."""
    least, most = (
        flows["bin"].str[0].map({name: limit[end] for name, limit in LIMITS.items()})
        for end in (0, 1)
    )
    share = random.random(len(flows))
    if logarithmic:
        return flows.assign(bytes=(least * (most / least) ** share).astype(np.int64))
    return flows.assign(bytes=(least + (most - least) * share).astype(np.int64))


def own_hosts(flows: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Every flow has a sender and a receiver of its own."""
    src = random.integers(HOSTS, size=len(flows))
    dst = (src + random.integers(1, HOSTS, size=len(flows))) % HOSTS
    return flows.assign(src=src, dst=dst)


def drawn(
    flows: pd.DataFrame,
    random: np.random.Generator,
    *,
    narrow: int = 5,
    wide: int = HOSTS,
    skew: float = 0,
) -> pd.DataFrame:
    """Shuffles drawn anew: so many senders and receivers at most, the n-th host n^-skew often."""
    often = np.arange(1, HOSTS + 1.0) ** -skew
    often /= often.sum()
    parts = []
    for coflow, part in flows.groupby("coflow_id", sort=False):
        length, width = part["bin"].iloc[0]
        least, most = (1, narrow) if width == "N" else (5, wide)
        counts = random.integers(least, most + 1, size=2)
        src, dst = (random.choice(HOSTS, count, replace=False, p=often) for count in counts)
        sizes = random.uniform(*LIMITS[length], size=len(dst)).astype(np.int64)
        shuffle = {
            "coflow_id": coflow,
            "arrival_s": part["arrival_s"].iloc[0],
            "src": np.tile(src, len(dst)),
            "dst": np.repeat(dst, len(src)),
            "bytes": np.repeat(sizes, len(src)),
        }
        parts.append(pd.DataFrame(shuffle))
    return pd.concat(parts, ignore_index=True)


VARIANTS = {
    AS_IS: lambda flows, _: at_load(flows, flows),
    "load 0.7": lambda flows, _: at_load(flows, flows, 0.7),
    "a size per flow": lambda flows, random: at_load(flows, own_sizes(flows, random)),
    "sizes even in the logarithm": lambda flows, random: at_load(
        flows, own_sizes(flows, random, logarithmic=True)
    ),
    "hosts per flow": lambda flows, random: at_load(flows, own_hosts(flows, random)),
    "drawn anew": lambda flows, random: at_load(flows, drawn(flows, random)),
    "narrow up to 7 x 7": lambda flows, random: at_load(flows, drawn(flows, random, narrow=7)),
    LIKE_PAPER: lambda flows, random: at_load(flows, drawn(flows, random, wide=40)),
    "wide up to 20 x 20": lambda flows, random: at_load(flows, drawn(flows, random, wide=20)),
    "hosts by a power of -0.5": lambda flows, random: at_load(
        flows, drawn(flows, random, skew=0.5)
    ),
    "types one after another": lambda flows, _: at_load(flows, by_class(flows)),
    "in epochs of 10 s": lambda flows, _: in_epochs(at_load(flows, flows)),
}


class BySenders(nc.OrderPolicy):
    """Varys that goes by the most that one host has left to send: what D-CAS negotiates."""

    def keys(self, view):
        most = np.zeros(len(view))
        for coflow, (begin, end) in enumerate(zip(view.begin, view.end, strict=True)):
            left = np.bincount(view.src[begin:end], view.remaining[begin:end])
            most[coflow] = left.max(initial=0)
        return most


PATIENT = SCHEDULERS["D-CAS, T=100s"]
OF_WIDE_SHORT = {
    "Varys": SCHEDULERS["Varys"],
    "Varys by senders": {"scheduler": BySenders, "rescheduleOnFlow": True},
    "D-CAS": PATIENT,
    "D-CAS, every 20 ms": {**PATIENT, "delta": "20ms"},
    "D-CAS, threshold 10 kB": {**PATIENT, "threshold": "10kB"},
    "D-CAS, both": {**PATIENT, "delta": "20ms", "threshold": "10kB"},
}


def wide_short() -> nc.Sweep:
    """Short wide coflows alone, with other parameters of D-CAS."""
    traces = {
        f"WS, {seed}": {"trace": nc.Trace.generate("dcas-mix", seed=seed, **TYPES["WS"])}
        for seed in SEEDS
    }
    base = fluid(nc.Trace.generate("dcas-mix"), shortBytes=10e6)
    return run("dcas_causes_ws", {"case": OF_WIDE_SHORT, "workload": traces}, base)


def simulate() -> tuple[nc.Sweep, nc.Sweep, nc.Sweep]:
    """Fairness and Varys on all variants; CoflowSim's fairness; D-CAS at another load."""
    traces: dict[str, dict] = {}
    for seed in SEEDS:
        flows = flows_of(seed)
        for name, make in VARIANTS.items():
            trace = make(flows, np.random.default_rng(seed))
            traces.setdefault(name, {})[f"{name}, {seed}"] = {"trace": trace}

    def under(folder: str, cases: dict, *names: str) -> nc.Sweep:
        chosen = {label: each for name in names for label, each in traces[name].items()}
        base = fluid(nc.Trace.generate("dcas-mix"), shortBytes=10e6)
        return run(folder, {"case": cases, "workload": chosen}, base)

    return (
        under("dcas_causes", {name: SCHEDULERS[name] for name in ("fair", "Varys")}, *VARIANTS),
        under("dcas_causes_fair", {"fair": {"scheduler": "fair", "redistribute": False}}, AS_IS),
        under("dcas_causes_dcas", {"D-CAS": PATIENT}, LIKE_PAPER),
    )


def main() -> None:
    """Runs, and writes causes.json."""
    both, lossy, dcas = simulate()
    wide = wide_short()
    measured: dict[str, float] = {}

    def note(label: str, variant: str, slow: tuple, fast: tuple) -> None:
        for group, name in NAMES.items():
            values = []
            for seed in SEEDS:
                means = [
                    of_bin(coflows(sweep, case=case, workload=f"{variant}, {seed}"), group)[
                        "cct_s"
                    ].mean()
                    for sweep, case in (slow, fast)
                ]
                values.append(means[0] / means[1])
            measured[f"{label}: {name}"] = float(np.mean(values))
            measured[f"{label}: {name} +-"] = half_width(values)

    for variant in VARIANTS:
        note(f"{variant}, Varys", variant, (both, "fair"), (both, "Varys"))
    note(f"{LIKE_PAPER}, D-CAS", LIKE_PAPER, (both, "fair"), (dcas, "D-CAS"))
    note("fairness of CoflowSim, Varys", AS_IS, (lossy, "fair"), (both, "Varys"))
    for case in OF_WIDE_SHORT:
        gaps = []
        for seed in SEEDS:
            varys, other = (
                coflows(wide, case=each, workload=f"WS, {seed}")["cct_s"].mean()
                for each in ("Varys", case)
            )
            gaps.append(100 * (1 - varys / other))
        measured[f"WS alone, gap of {case} to Varys %"] = float(np.mean(gaps))
        measured[f"WS alone, gap of {case} to Varys % +-"] = half_width(gaps)
    save("dcas", measured, both, lossy, dcas, wide, file="causes.json")


if __name__ == "__main__":
    main()
