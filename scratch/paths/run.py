# SPDX-License-Identifier: GPL-2.0-only
"""Path choice against the cost of collisions: python -m scratch.paths.run [COFLOW_REPLAY].

This script starts coflow-replay itself. Runs that are kept in build/scratch/paths.json are not
repeated.
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import ns3coflow as nc

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = ROOT / "build/scratch/paths.json"
SEEDS = (1, 2, 3, 4, 5)
# Of Student's t with four degrees of freedom, for intervals of 95 %.
QUANTILE = 2.776

# Parameters as in scratch/packet.py: control and rounds of 0.2 ms, and what follows from that.
CONTROL = (
    "controlBatch=200us", "heartbeat=2ms", "masterTimeout=6ms", "rebuildTime=1ms",
    "unregisterGrace=1ms", "daemonTimeout=60s",
)  # fmt: skip
PACKETS = {
    "varys": CONTROL,
    "nc-drf": (*CONTROL, "coalesce=20us"),
    "fair": (),
    "aalo": ("delta=200us",),
    "dcas": ("delta=200us", "expiry=4ms", "minWait=100us", "feedbackDelay=20us"),
}
# What runs as a fluid, too, with what only fluids are told.
FLUIDS: dict[str, tuple[str, ...]] = {
    "varys": (), "nc-drf": (), "fair": (), "aalo": ("coalesce=0",)
}  # fmt: skip
CENTRAL = ("varys", "nc-drf")
FAT_TREE = ("topology=fat-tree", "k=4")
BIG_SWITCH = ("topology=big-switch", "hosts=16")
DELAY = "linkDelay=5us"
# What a network, or a coordinator, does about collisions.
NETWORK = {
    "packets": (*FAT_TREE, DELAY),
    "big switch": (*BIG_SWITCH, DELAY),
    # Two links that take as long as the six of the longest path.
    "big switch, long links": (*BIG_SWITCH, "linkDelay=15us"),
    "spraying": (*FAT_TREE, DELAY, "packetSpraying=true"),
    "flowlets 500 us": (*FAT_TREE, DELAY, "flowletTimeout=500us"),
    "flowlets 50 us": (*FAT_TREE, DELAY, "flowletTimeout=50us"),
}
COORDINATOR = {
    "start": (*FAT_TREE, DELAY, "pathChoice=start"),
    "move": (*FAT_TREE, DELAY, "pathChoice=move"),
    "ideal messages": (*FAT_TREE, DELAY, "controlTransport=ideal"),
    "move, ideal messages": (*FAT_TREE, DELAY, "pathChoice=move", "controlTransport=ideal"),
}
CHOICES = ("fabric", "start", "move")
# RAPIER decides paths and rates together: paths that are kept, chosen again, or by a hash.
RAPIER = {"kept": (), "again": ("reroute=true",), "by hash": ("routing=hash",)}
# Links inside have a fourth, or an eighth, of the hosts' rate, in packets and as fluids.
QUARTER, EIGHTH = "a fourth inside", "an eighth inside"
INSIDE = {QUARTER: ("fabricLinkRate=250Mbps",), EIGHTH: ("fabricLinkRate=125Mbps",)}
SCARCE = INSIDE | {f"fluid, {name}": options for name, options in INSIDE.items()}
ROOM: dict[str, tuple[str, ...]] = {"packets": (), "fluid": ()} | SCARCE


def as_fluid(options: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """A run in packets without packets, on links of the same usable rate."""
    told = dict(option.split("=", 1) for option in options)
    fluid = nc.Experiment().with_options(**told).fluid()
    made = (each.removeprefix("--") for each in fluid.arguments())
    return tuple(dict.fromkeys((*made, *more)))  # both may say that links limit flows


def points() -> dict[tuple[str, str, int], tuple[str, ...]]:
    """The options of all runs, by scheduler, case and seed."""
    every: dict[tuple[str, str, int], tuple[str, ...]] = {}
    for seed in SEEDS:
        cut = (f"generate=fb-like,coflows=40,hosts=16,load=0.9,seed={seed}", "scale=1/500")
        for scheduler, given in PACKETS.items():
            central = scheduler in CENTRAL
            for case, options in (NETWORK | (COORDINATOR if central else {})).items():
                every[scheduler, case, seed] = (*cut, f"scheduler={scheduler}", *given, *options)
        for scheduler, only in FLUIDS.items():
            own = (*cut, f"scheduler={scheduler}", *PACKETS[scheduler])
            every[scheduler, "fluid", seed] = as_fluid((*own, *BIG_SWITCH), *only)
            for choice in CHOICES if scheduler in CENTRAL else CHOICES[:1]:
                chosen = (f"pathChoice={choice}",) if scheduler in CENTRAL else ()
                links = as_fluid((*own, *FAT_TREE, *chosen), *only, "limits=links")
                every[scheduler, f"fluid, {choice}", seed] = links
        for case, options in ROOM.items():
            given = (*cut, *CONTROL, *FAT_TREE, DELAY, *options)
            runs = {("varys", each): (f"pathChoice={each}",) for each in CHOICES if case in SCARCE}
            runs |= {("rapier", each): extra for each, extra in RAPIER.items()}
            for (scheduler, kind), extra in runs.items():
                run = (*given, f"scheduler={scheduler}", *extra)
                if "fluid" in case:
                    run = as_fluid(run, "limits=links")
                every[scheduler, f"{case}, {kind}", seed] = run
    return every


def simulate(program: str, options: tuple[str, ...]) -> dict[str, float]:
    """One run: its mean CCT and what it cost, in seconds, and how many flows moved."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, *(f"--{option}" for option in options), f"--out={folder}"]
        subprocess.run(command, check=True, capture_output=True)
        summary = json.loads((Path(folder) / "summary.json").read_text(encoding="utf-8"))
    if summary["end"]["reason"] != "complete":
        raise RuntimeError(f"{summary['reproduce']}: {summary['end']['reason']}")
    return {
        "mean": summary["results"]["cct_s"]["all"]["mean"],
        "cpu": summary["cost"]["cpu_s"],
        "moves": (summary["control"] or {}).get("path_moves", 0),
    }


def with_interval(values: list[float]) -> tuple[float, float]:
    """Mean, and half a 95 % interval, of one value per seed."""
    half = QUANTILE * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.mean(values), half


def main() -> None:
    """Runs, and writes measured.json."""
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/bin/coflow-replay")
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    runs = {}
    for point, options in points().items():
        key = " ".join(options)
        if key not in kept:
            kept[key] = simulate(program, options)
            KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        runs[point] = kept[key]
    measured: dict[str, float] = {}

    def put(name: str, value: tuple[float, float]) -> None:
        measured[name], measured[f"{name} +-"] = (float(f"{each:.4g}") for each in value)

    def ratio(scheduler: str, case: str, base: str, of: str = "") -> tuple[float, float]:
        other = of or scheduler
        return with_interval(
            [runs[scheduler, case, s]["mean"] / runs[other, base, s]["mean"] for s in SEEDS]
        )

    def base_of(case: str) -> str:
        if "inside" in case:
            return f"{case.rpartition(',')[0]}, fabric"
        return "fluid" if case.startswith("fluid") else "packets"

    for scheduler, case in sorted({point[:2] for point in runs}):
        base = base_of(case)
        if case == base or scheduler == "rapier":
            continue
        over = ratio(scheduler, case, base)
        put(f"{scheduler}: {case} over {base}", over)
        if scheduler in CENTRAL and case in ("start", "move", "flowlets 50 us"):
            whole = 1 - ratio(scheduler, "big switch, long links", base)[0]
            back = (100 * (1 - over[0]) / whole, 100 * over[1] / whole)
            put(f"{scheduler}: {case} wins back, %", back)
    for scheduler in FLUIDS:
        put(f"{scheduler}: packets over fluid", ratio(scheduler, "packets", "fluid"))
        links = ratio(scheduler, "packets", "fluid, fabric")
        put(f"{scheduler}: packets over fluid on links", links)
    for scheduler in CENTRAL:
        ideal = ratio(scheduler, "move, ideal messages", "ideal messages")
        put(f"{scheduler}: move over not, ideal messages", ideal)
        moves = with_interval([runs[scheduler, "move", s]["moves"] for s in SEEDS])
        put(f"{scheduler}: moves", moves)
    for case in ROOM:
        base = {"packets": "packets", "fluid": "fluid, fabric"}.get(case, f"{case}, fabric")
        for paths in RAPIER:
            over = ratio("rapier", f"{case}, {paths}", base, of="varys")
            put(f"rapier, {paths}, over varys, ECMP: {case}", over)
        put(
            f"rapier, kept over by hash: {case}",
            ratio("rapier", f"{case}, kept", f"{case}, by hash"),
        )
    for paths in RAPIER:
        put(
            f"rapier, {paths}: packets over fluid",
            ratio("rapier", f"packets, {paths}", f"fluid, {paths}"),
        )
        moves = with_interval([runs["rapier", f"packets, {paths}", s]["moves"] for s in SEEDS])
        put(f"rapier, {paths}: moves", moves)
    cost = float(f"{sum(run['cpu'] for run in runs.values()):.2g}")
    text = json.dumps({"cpu_seconds": cost, "measured": measured}, indent=1)
    (Path(__file__).parent / "measured.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
