# SPDX-License-Identifier: GPL-2.0-only
"""D-CAS, Figures 3 to 5: python -m scratch.dcas.run."""

from collections.abc import Iterable

import numpy as np

import ns3coflow as nc
from scratch.common import BINS, coflows, fluid, half_width, of_bin, run, save

SCHEDULERS = {
    "fair": {"scheduler": "fair"},
    # Its authors let Varys decide at flow completions too.
    "Varys": {"scheduler": "varys", "rescheduleOnFlow": True},
    "D-CAS": {"scheduler": "dcas"},
    # Starvation begins later than anybody waits.
    "D-CAS, T=100s": {"scheduler": "dcas", "T": "100s"},
    "Baraat": {"scheduler": "baraat"},
}
OURS = ("D-CAS", "D-CAS, T=100s")
LOADS = (0.5, 1, 2)
HOSTS = (20, 40, 80)
TYPES = {
    "NS": {"sn": 100, "ln": 0, "sw": 0, "lw": 0},
    "NL": {"sn": 0, "ln": 100, "sw": 0, "lw": 0},
    "WS": {"sn": 0, "ln": 0, "sw": 100, "lw": 0, "coflows": 100},
    "WL": {"sn": 0, "ln": 0, "sw": 0, "lw": 100, "coflows": 100},
}
NAMES = dict(zip(BINS, ("ALL", "NS", "NL", "WS", "WL"), strict=True))


def compare(name: str, variants: dict, seeds: Iterable[int]) -> nc.Sweep:
    """Workloads by label and seed, under every scheduler; heavy tasks by their 80th percentile."""
    traces = {}
    for label, options in variants.items():
        for seed in seeds:
            trace = nc.Trace.generate("dcas-mix", seed=seed, **options)
            heavy = int(np.percentile(trace.coflows["bytes"], 80))
            traces[f"{label} {seed}"] = (trace, heavy)

    def choose(trace, heavy):
        return lambda options: {
            "trace": trace,
            "topology": nc.BigSwitch(hosts=trace.hosts),
            **({"heavyBytes": heavy} if options["scheduler"] == "baraat" else {}),
        }

    grid = {
        "case": SCHEDULERS,
        "workload": {label: choose(*made) for label, made in traces.items()},
    }
    return run(name, grid, fluid(nc.Trace.generate("dcas-mix"), shortBytes=10e6))


def factor(sweep: nc.Sweep, case: str, workload: str, group: str, quantile: float | None) -> float:
    """CCT under fair sharing over that under another: of means, or of percentiles."""
    both = [
        of_bin(coflows(sweep, case=each, workload=workload), group)["cct_s"]
        for each in ("fair", case)
    ]
    if quantile is None:
        return both[0].mean() / both[1].mean()
    return np.percentile(both[0], quantile) / np.percentile(both[1], quantile)


def figure3() -> nc.Sweep:
    """The default setting, five seeds."""
    return compare("dcas", {"default": {}}, range(1, 6))


def figure5a() -> nc.Sweep:
    """Loads."""
    return compare("dcas_load", {f"{load:g}": {"load": load} for load in LOADS}, range(1, 4))


def figure5b() -> nc.Sweep:
    """Clusters, at load 1."""
    return compare("dcas_hosts", {f"{hosts}": {"hosts": hosts} for hosts in HOSTS}, range(1, 4))


def figure5c() -> nc.Sweep:
    """One type of coflows at a time."""
    return compare("dcas_types", TYPES, range(1, 4))


def main() -> None:
    """Runs, and writes measured.json."""
    measured: dict[str, float] = {}

    def note(name: str, values: list[float]) -> None:
        measured[name] = float(np.mean(values))
        measured[name + " +-"] = half_width(values)

    default = figure3()
    others = [each for each in SCHEDULERS if each != "fair"]
    for case in others:
        for group, name in NAMES.items():
            for quantile, what in ((None, "mean"), (95, "p95")):
                values = [
                    factor(default, case, f"default {seed}", group, quantile)
                    for seed in range(1, 6)
                ]
                note(f"{case} {what} {name}", values)
    for case in OURS:
        for other in ("Varys", "Baraat"):
            ratios = [
                factor(default, case, f"default {seed}", "all", None)
                / factor(default, other, f"default {seed}", "all", None)
                for seed in range(1, 6)
            ]
            note(f"{case} over {other}", ratios)
            if other == "Varys":
                note(f"gap of {case} to Varys %", [100 * (1 - each) for each in ratios])
    for case in ("Varys", "D-CAS", "Baraat"):
        last = [
            coflows(default, case=case, workload=f"default {seed}")["cct_s"].max()
            / coflows(default, case="fair", workload=f"default {seed}")["cct_s"].max()
            for seed in range(1, 6)
        ]
        note(f"largest CCT, {case} over fair", last)
    sweeps = [default]
    by_seed: dict[tuple[str, str, str], np.ndarray] = {}
    for make, labels in ((figure5a, LOADS), (figure5b, HOSTS), (figure5c, TYPES)):
        sweep = make()
        sweeps.append(sweep)
        for label in labels:
            text = label if isinstance(label, str) else f"{label:g}"
            for case in others:
                values = [factor(sweep, case, f"{text} {seed}", "all", None) for seed in (1, 2, 3)]
                note(f"{make.__name__} {case} {text}", values)
                by_seed[make.__name__, case, text] = np.array(values)
    for case in others:
        grown = by_seed["figure5a", case, "2"] / by_seed["figure5a", case, "0.5"]
        note(f"{case}: factor at load 2 over load 0.5", list(grown))
        grown = by_seed["figure5b", case, "80"] / by_seed["figure5b", case, "20"]
        note(f"{case}: factor on 80 hosts over 20", list(grown))
    measured["types in which Baraat beats fair"] = sum(
        measured[f"figure5c Baraat {each}"] > 1 for each in TYPES
    )
    for case in OURS:
        over_baraat = [
            by_seed["figure5c", case, each] / by_seed["figure5c", "Baraat", each] for each in TYPES
        ]
        note(f"{case} over Baraat, mean over types", list(np.mean(over_baraat, axis=0)))
        # The point whose mean gap is the largest, with its interval.
        gaps = [
            100 * (1 - factors / by_seed[figure, "Varys", label])
            for (figure, name, label), factors in by_seed.items()
            if name == case
        ]
        note(f"largest gap of {case} to Varys %", list(max(gaps, key=np.mean)))
    save("dcas", measured, *sweeps)


if __name__ == "__main__":
    main()
