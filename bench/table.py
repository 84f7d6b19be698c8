#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measures what a packet-hop costs on several networks, as a table, and keeps its history.

    cmake --preset bench && cmake --build --preset bench
    python3 bench/table.py build/bench/bin/coflow-fabric-bench
    python3 bench/table.py build/bench/bin/coflow-fabric-bench --append=0.1.0

Every row runs all networks one after the other, several times and for a second of CPU time in each
round at least. The packet-hops of all runs of a network are divided by their CPU time. Ratios are
against the first network of a row. They are compared with the last ones in bench/history.csv; a
ratio that is more than 10 % lower is told, and the status is then 1.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HISTORY = Path(__file__).with_name("history.csv")
FIELDS = ["version", "row", "network", "hops_per_s", "ratio", "peak_MB"]
TOLERANCE = 0.1
GROWTH = ("200 kB", "2000 kB")  # flows for which packet-hops per second of both ends are compared
LEAST_SECONDS = 1.0  # of CPU time that every network of a row has in a round


@dataclass(frozen=True)
class Row:
    """A permutation of flows over a fat-tree, on several networks."""

    k: int
    flow_bytes: int
    networks: str = "express,lean"
    tcp: str = "ns3::coflow::Dctcp"

    @property
    def name(self) -> str:
        control = self.tcp.rsplit("::", 1)[-1]
        return f"k={self.k} {self.flow_bytes // 1000} kB {control}"

    def arguments(self, networks: list[str]) -> list[str]:
        return [
            f"--k={self.k}",
            f"--bytes={self.flow_bytes}",
            f"--networks={','.join(networks)}",
            f"--tcp={self.tcp}",
        ]


ROWS = [
    Row(4, 2_000_000, "vanilla,nixvector,nodes,express,lean"),
    Row(8, 300_000, "vanilla,nixvector,nodes,express,lean"),
    Row(8, 2_000_000),
    Row(16, 60_000),
    Row(16, 200_000),
    Row(4, 200_000, "lean"),
    Row(24, 200_000, "lean"),
    Row(24, 2_000_000, "lean"),
    Row(8, 300_000, tcp="ns3::TcpNewReno"),
    Row(8, 300_000, tcp="ns3::TcpCubic"),
]


def run_once(program: str, arguments: list[str]) -> dict[str, dict[str, str]]:
    """One run of each network: its line of the program's table, by column."""
    out = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    head, *lines = [line.split() for line in out.splitlines() if line.strip()]
    runs = [dict(zip(head, line, strict=True)) for line in lines]
    return {run["network"]: run for run in runs}


@dataclass
class Measured:
    """What all runs of one network took together."""

    hops: float = 0
    seconds: float = 0
    peak_mb: float = 0

    @property
    def hops_per_s(self) -> float:
        return self.hops / self.seconds


def measure(program: str, row: Row, rounds: int) -> dict[str, Measured]:
    """What each network took in all rounds."""
    measured = {network: Measured() for network in row.networks.split(",")}
    for done in range(1, rounds + 1):
        # A run of 40 ms is as much about caches that are cold as about packets, so that fast
        # networks run more often.
        while short := [
            network for network, known in measured.items() if known.seconds < done * LEAST_SECONDS
        ]:
            for network, values in run_once(program, row.arguments(short)).items():
                known = measured[network]
                known.hops += float(values["hops"])
                # The program writes two digits of the time, and the whole rate.
                known.seconds += float(values["hops"]) / float(values["hops/s"])
                known.peak_mb = max(known.peak_mb, float(values["peak_MB"]))
    return measured


def read_history() -> dict[tuple[str, str], float]:
    """The last ratio of each row and network."""
    if not HISTORY.exists():
        return {}
    with HISTORY.open(newline="") as file:
        return {
            (line["row"], line["network"]): float(line["ratio"]) for line in csv.DictReader(file)
        }


def main() -> int:
    """Measures, prints, compares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="path of coflow-fabric-bench")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each row; default 3")
    parser.add_argument("--append", metavar="VERSION", help="add the results to bench/history.csv")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    before = read_history()
    results = []
    slower = []
    print("| flows | network | packet-hops/s | ratio | peak memory, MB |\n|---|---|---|---|---|")
    for row in ROWS:
        measured = measure(options.program, row, options.rounds)
        base = next(iter(measured.values())).hops_per_s
        for network, run in measured.items():
            ratio = run.hops_per_s / base
            print(
                f"| {row.name} | {network} | {run.hops_per_s:,.0f} | {ratio:.2f} "
                f"| {run.peak_mb:.0f} |",
                flush=True,
            )
            results.append(
                [row.name, network, f"{run.hops_per_s:.0f}", f"{ratio:.3f}", f"{run.peak_mb:.1f}"]
            )
            last = before.get((row.name, network))
            if last is not None and ratio < (1 - TOLERANCE) * last:
                slower.append(f"{row.name}, {network}: ratio {ratio:.2f}, before {last:.2f}")
    rates = {(name, network): float(rate) for name, network, rate, _, _ in results}
    for flows in GROWTH:
        small, large = (rates[f"k={k} {flows} Dctcp", "lean"] for k in (4, 24))
        print(f"growth, {flows}: k=4 has {small / large:.2f} times the packet-hops/s of k=24")
    if options.append:
        is_new = not HISTORY.exists()
        with HISTORY.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow(FIELDS)
            writer.writerows([options.append, *line] for line in results)
    for line in slower:
        print(f"slower: {line}", file=sys.stderr)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
