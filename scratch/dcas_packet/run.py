#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the experiment of README.md and prints its table.

usage: run.py [--replay=PATH of coflow-replay] [--out=FOLDER] [--scale=0.001] [--only=fair,dcas]
              [--coflows=400] [--engines=fluid,packet]

dcas-patient is D-CAS with T above the waiting times, as in scratch/dcas; dcas-calm has timeouts of
100 ms and more besides. varys-tcp is Varys with messages over the network, which at this scale are
a thousand times as many per second as they were.

Runs that are in the folder already are not repeated.
"""

import argparse
import csv
import pathlib
import random
import statistics
import subprocess
import sys
import time

BINS = ["SN", "LN", "SW", "LW", "ALL"]
PAPER = {  # improvement over fair, D-CAS, section IV
    "dcas": [38.502, 26.162, 9.625, 2.145, 3.036],
    "varys": [39.278, 30.578, 9.972, 2.363, 3.361],
}
HOSTS = 80
FAN = 20  # most senders, and receivers, of a coflow
GOODPUT = 1448 / 1502  # application bytes on the wire


def milliseconds(seconds):
    """An ns-3 time."""
    return f"{seconds * 1e3:.6g}ms"


def options(scheduler, engine, scale):
    """What a scheduler is told: the paper's byte and time parameters, scaled with the sizes.

    D-CAS's are ten times as large, as its rounds would otherwise be shorter than a round trip.
    """
    packet = engine == "packet"
    heavy = HEAVY_BYTES * scale * (1500 / 1448 if packet else 1)
    if scheduler == "baraat":
        return [f"--heavyBytes={heavy:.0f}"]
    if scheduler.startswith("dcas"):
        patience = (10 if scheduler == "dcas" else 100) * scale
        delta, expiry = 1 * scale, 20 * scale
        threshold = f"--threshold={10e6 * scale:.0f}"
        if packet:
            return [
                f"--delta={milliseconds(delta)}",
                f"--T={milliseconds(patience)}",
                f"--expiry={milliseconds(expiry)}",
                threshold,
                *(["--minRto=100ms"] if scheduler == "dcas-calm" else []),
            ]
        return [f"--delta={delta:g}", f"--T={patience:g}", threshold]
    if scheduler.startswith("varys"):
        common = [
            "--rescheduleOnFlow=true",
            f"--T={milliseconds(2 * scale)}" if packet else f"--T={2 * scale:g}",
            f"--delta={milliseconds(0.2 * scale)}" if packet else f"--delta={0.2 * scale:g}",
        ]
        if packet and scheduler == "varys":
            common += ["--controlTransport=ideal", "--controlBatch=0s", "--bypassBytes=0"]
        elif packet:
            common += [
                f"--bypassBytes={25e6 * scale:.0f}",
                f"--controlBatch={milliseconds(0.1 * scale)}",
                f"--heartbeat={milliseconds(10 * scale)}",
                f"--masterTimeout={milliseconds(30 * scale)}",
            ]
        return common
    return []


def make_trace(arguments):
    """The mix of D-CAS with at most FAN senders and receivers per coflow, anywhere on the hosts."""
    path = pathlib.Path(arguments.out) / "trace.csv"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    trace = pathlib.Path(arguments.replay).with_name("coflow-trace")
    made = subprocess.run(
        [trace, "generate", "dcas-mix", f"hosts={FAN}", "--out=-"],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = list(csv.DictReader(r for r in made.stdout.splitlines() if not r.startswith("#")))
    generator = random.Random(1)
    places = {}
    lines = [f"# hosts={HOSTS}", "coflow_id,arrival_s,src,dst,bytes"]
    for row in rows:
        coflow = row["coflow_id"]
        if coflow not in places:
            places[coflow] = generator.sample(range(HOSTS), FAN)
        src, dst = (places[coflow][int(row[end])] for end in ("src", "dst"))
        # The load of FAN hosts, spread over all.
        arrival = float(row["arrival_s"]) * FAN / HOSTS
        lines.append(f"{coflow},{arrival:.9f},{src},{dst},{row['bytes']}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# The 80th percentile of the sizes of the 400 coflows.
HEAVY_BYTES = 3.5e9


def run(arguments, scheduler, engine):
    """Mean CCT in seconds by bin, and CPU seconds."""
    folder = pathlib.Path(arguments.out) / f"{engine}-{scheduler}"
    if not (folder / "coflows.csv").exists():
        command = [
            arguments.replay,
            f"--trace={make_trace(arguments)}",
            f"--scaleBytes={arguments.scale}",
            f"--scaleTime={arguments.scale}",
            "--topology=big-switch",
            f"--hosts={HOSTS}",
            f"--shortBytes={10e6 * arguments.scale:.0f}",
            f"--engine={engine}",
            f"--firstCoflows={arguments.coflows}",
            f"--sampleInterval={milliseconds(arguments.scale)}",
            f"--scheduler={scheduler.split('-')[0]}",
            f"--out={folder}",
        ]
        if engine == "fluid":
            command.append(f"--linkRate={1e9 * GOODPUT:.0f}bps")
        command += options(scheduler, engine, arguments.scale)
        print(" ".join(command), file=sys.stderr, flush=True)
        start = time.time()
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"status {done.returncode}: {done.stderr}{done.stdout[-500:]}")
        print(f"{time.time() - start:.0f} s", file=sys.stderr, flush=True)
    ccts = {b: [] for b in BINS}
    with (folder / "coflows.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            ccts[row["bin"]].append(float(row["cct_s"]))
            ccts["ALL"].append(float(row["cct_s"]))
    return [statistics.mean(ccts[b]) for b in BINS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replay", default="build/release/bin/coflow-replay")
    parser.add_argument("--out", default="dcas-results")
    parser.add_argument("--scale", type=float, default=0.001)
    parser.add_argument("--only", default="fair,baraat,dcas,dcas-patient,varys")
    parser.add_argument("--engines", default="fluid,packet")
    parser.add_argument("--coflows", type=int, default=400)
    arguments = parser.parse_args()
    print("| engine | scheduler | " + " | ".join(BINS) + " | mean CCT, ms |")
    print("|---|---|" + "---|" * (len(BINS) + 1))
    for engine in arguments.engines.split(","):
        fair = None
        for scheduler in arguments.only.split(","):
            mean = run(arguments, scheduler, engine)
            fair = fair or mean
            factors = " | ".join(f"{f / m:.3g}" for f, m in zip(fair, mean, strict=True))
            print(f"| {engine} | {scheduler} | {factors} | {mean[-1] * 1e3:.3g} |", flush=True)
    for scheduler, factors in PAPER.items():
        print(f"| paper | {scheduler} | " + " | ".join(f"{f:.3g}" for f in factors) + " | |")


if __name__ == "__main__":
    main()
