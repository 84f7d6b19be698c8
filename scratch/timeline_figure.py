# SPDX-License-Identifier: GPL-2.0-only
"""Draws the figure of doc/how-to/look-inside.md from a timeline that coflow-replay has written.

python -m scratch.timeline_figure timeline.json
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ns3coflow.style import COLOURS
from scratch.common import ROOT, save_figure

FOLDER = ROOT / "doc" / "figures"
STATES = {"waiting": "#d0d0d0", "running": COLOURS[0], "bypassed": COLOURS[1]}
LARGEST = 5  # coflows that have a colour of their own at hosts
OTHERS = "#d0d0d0"


def read(path: Path) -> tuple[dict[str, Any], dict[Any, str]]:
    """Slices by group of tracks and by track, and names of tracks."""
    groups, tracks, slices = {}, {}, defaultdict(lambda: defaultdict(list))
    for event in json.loads(path.read_text(encoding="utf-8"))["traceEvents"]:
        if event["ph"] == "M" and event["name"] == "process_name":
            groups[event["pid"]] = event["args"]["name"]
        elif event["ph"] == "M":
            tracks[groups[event["pid"]], event["tid"]] = event["args"]["name"]
        elif event["ph"] == "X":
            slices[groups[event["pid"]]][event["tid"]].append(event)
    return slices, tracks


def draw_bars(axes: Any, row: float, events: list[Any], colour: str) -> None:
    """One path for all slices of a row and colour; slices that touch are one."""
    spans: list[list[float]] = []
    for begin, end in sorted((each["ts"], each["ts"] + each["dur"]) for each in events):
        if spans and begin <= spans[-1][1] + 200:  # microseconds: nobody sees a smaller gap
            spans[-1][1] = max(end, spans[-1][1])
        else:
            spans.append([begin, end])
    if spans:
        bars = [(begin / 1e3, (end - begin) / 1e3) for begin, end in spans]
        axes.broken_barh(bars, (row - 0.4, 0.8), facecolors=colour, linewidth=0)


def draw(path: Path) -> Figure:
    slices, tracks = read(path)
    figure = Figure(figsize=(6.5, 5.4))
    top, bottom = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 2]})
    runs = slices["coflows"]
    moved = {
        thread: sum(each["args"].get("bytes", 0) for each in events)
        for thread, events in runs.items()
    }
    shown = [each for each in sorted(runs) if any(s["name"] == "running" for s in runs[each])]
    for row, thread in enumerate(shown):
        for state, colour in STATES.items():
            draw_bars(top, row, [s for s in runs[thread] if s["name"] == state], colour)
    top.set_yticks(
        range(len(shown)), [tracks["coflows", each].removeprefix("coflow ") for each in shown]
    )
    top.tick_params(axis="y", labelsize=5)
    top.set_ylabel("coflow")
    top.set_title("Coflows that the scheduler decides on", loc="left")
    top.legend(
        handles=[Patch(color=STATES[each], label=each) for each in ("waiting", "running")],
        loc="lower right", fontsize=6,
    )  # fmt: skip
    largest = sorted(shown, key=lambda each: -moved[each])[:LARGEST]
    colours = {thread: COLOURS[place] for place, thread in enumerate(largest)}
    hosts = sorted(
        (name for name in slices if name.endswith(" receives")),
        key=lambda each: int(each.split()[1]),
    )
    # Where several move at once, the smaller one is seen.
    for row, name in enumerate(hosts):
        for thread, colour in colours.items():
            draw_bars(bottom, row, slices[name].get(thread, []), colour)
        others = [
            s for thread, events in slices[name].items() if thread not in colours for s in events
        ]
        draw_bars(bottom, row, others, OTHERS)
    bottom.set_yticks(range(len(hosts)), [each.split()[1] for each in hosts])
    bottom.tick_params(axis="y", labelsize=5)
    bottom.set_ylabel("host that receives")
    bottom.set_xlabel("time (ms)")
    names = {thread: tracks["coflows", thread] for thread in colours}
    bottom.set_title("Ports of hosts", loc="left")
    bottom.legend(
        handles=[Patch(color=colours[each], label=names[each]) for each in largest]
        + [Patch(color=OTHERS, label="others")],
        loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=6,
    )  # fmt: skip
    return figure


if __name__ == "__main__":
    save_figure("timeline", lambda: draw(Path(sys.argv[1])), FOLDER)
