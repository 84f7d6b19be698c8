# SPDX-License-Identifier: GPL-2.0-only
"""Runs the code blocks of a page in Markdown, in order, in one folder.

A block ```console has commands behind "$ " and below each what it prints; a line "..." stands for
any lines. A block below <!-- file: NAME --> is written to that file. A block ```python without a
file is run, together with those before it. Blocks of other kinds are not run.

COFLOW_WRITE_PAGES=1 in the environment writes what commands print into the page and compares
nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"(?:<!-- file: (\S+) -->\n\n?)?```(\w+)\n(.*?)```\n", re.DOTALL)


@dataclass
class Command:
    """A command of a console block, and what the page shows below it."""

    text: str
    shown: list[str]


def commands_of(block: str) -> list[Command]:
    """The commands of a console block; one that ends in a backslash goes on in the next line."""
    found: list[Command] = []
    goes_on = False
    for line in block.splitlines():
        if goes_on:
            found[-1].text += "\n" + line
        elif line.startswith("$ "):
            found.append(Command(line[2:], []))
        else:
            found[-1].shown.append(line)
            continue
        goes_on = line.endswith("\\")
    return found


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether what is printed is what is shown, where "..." stands for any lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and matches(shown[1:], printed[1:])


def run_page(
    path: Path, folder: Path, *, compare: bool = True, programs: Path | None = None
) -> int:
    """Runs a page's blocks in a folder; returns how many commands were run.

    Arguments:
        path: the page.
        folder: an empty folder to work in.
        compare: compare what commands print with the page; otherwise they only have to succeed.
        programs: a folder with programs in C++ that commands may call.

    Raises AssertionError where a command fails, or prints something else.
    """
    text = path.read_text(encoding="utf-8")
    folders = [str(Path(sys.executable).parent), *([str(programs)] if programs else [])]
    environment = {**os.environ, "PATH": ":".join([*folders, os.environ["PATH"]])}
    script = ""
    count = 0
    changed = text
    for name, kind, block in FENCE.findall(text):
        if name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(block, encoding="utf-8")
        elif kind == "python":
            script += block
            done = subprocess.run(
                [sys.executable, "-c", script],
                cwd=folder, capture_output=True, text=True, check=False, env=environment,
            )  # fmt: skip
            assert done.returncode == 0, f"{path.name}: {block}\n{done.stderr}"
            count += 1
        elif kind == "console":
            written = ""
            for command in commands_of(block):
                done = subprocess.run(
                    ["bash", "-c", command.text],
                    cwd=folder, capture_output=True, text=True, check=False, env=environment,
                )  # fmt: skip
                count += 1
                assert done.returncode == 0, f"{path.name}: {command.text}\n{done.stderr}"
                printed = [line.rstrip() for line in done.stdout.splitlines()]
                written += "$ " + "\n".join([command.text, *printed]) + "\n"
                writes = "COFLOW_WRITE_PAGES" in os.environ and "..." not in block
                if compare and not writes:
                    assert matches(command.shown, printed), (
                        f"{path.name}: {command.text}\nprints\n{done.stdout}"
                    )
            if "..." not in block:
                changed = changed.replace(f"```console\n{block}```", f"```console\n{written}```")
    if "COFLOW_WRITE_PAGES" in os.environ and changed != text:
        path.write_text(changed, encoding="utf-8")
    return count
