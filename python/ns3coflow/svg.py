# SPDX-License-Identifier: GPL-2.0-only
"""Makes the SVG files of matplotlib smaller: the same picture in half of the bytes or less."""

from __future__ import annotations

import re
from itertools import count

DIGITS = 1  # of a point: a 720th of an inch
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
GEOMETRY = re.compile(r'(\s(?:d|x|y|points|width|height|transform)=")([^"]*)"')
LINES = re.compile(r"M -?[\d.]+ -?[\d.]+(?: [ML] -?[\d.]+ -?[\d.]+)+")
STYLE = re.compile(r' style="([^"]*)"')


def shrink_svg(text: str) -> str:
    """The text of an SVG file with rounded coordinates, styles as classes, and no names unused.

    Arguments:
        text: what matplotlib has written.
    """
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = text.replace("'DejaVu Sans'", "'DejaVu Sans',Verdana,sans-serif")
    text = re.sub(r' transform="rotate\(-?0 [^"]*\)"', "", text)
    text = GEOMETRY.sub(_round_geometry, text)
    used = set(re.findall(r"#([\w-]+)", text))
    text = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", text)
    text = _shorten_names(text, used)
    text = _share_styles(text)
    text = re.sub(r">\s+<", "><", text)
    while "<g><g>" in text:
        shorter = re.sub(r"<g><g>((?:(?!</?g\b).)*)</g></g>", r"<g>\1</g>", text)
        if shorter == text:
            break
        text = shorter
    text = re.sub(r"<g>((?:(?!</?g\b).)*)</g>", r"\1", text)
    # Neighbours that are cut off at the same frame are one group.
    parts = re.split(r'(<g clip-path="[^"]*">(?:(?!</?g\b).)*</g>)', text)
    for before, after in zip(range(1, len(parts), 2), range(3, len(parts), 2), strict=False):
        opening = parts[after][: parts[after].index(">") + 1]
        if parts[before].startswith(opening) and not parts[after - 1].strip():
            parts[after] = parts[before].removesuffix("</g>") + parts[after].removeprefix(opening)
            parts[before] = ""
    text = "".join(parts)
    # A line each for what is drawn, so that the files can be read.
    return re.sub(r"(?=<(?:g|text|defs|style)\b)", "\n", text).strip() + "\n"


def _shorten_names(text: str, used: set[str]) -> str:
    """Gives what is referred to a short name, in the order of appearance."""
    numbers = count()
    names = {
        name: f"i{next(numbers)}"
        for name in re.findall(r' id="([^"]*)"', text)
        if name in used and not name.startswith("i")
    }
    text = re.sub(r' id="([^"]*)"', lambda match: f' id="{names.get(match[1], match[1])}"', text)
    return re.sub(r"#([\w-]+)", lambda match: f"#{names.get(match[1], match[1])}", text)


def _round_geometry(match: re.Match[str]) -> str:
    # Of a matrix or a scale, digits count: only what is far from 0 is a length.
    if "scale" in match[2] or "matrix" in match[2]:
        return match[0]
    rounded = " ".join(NUMBER.sub(lambda number: _short(float(number[0])), match[2]).split())
    if match[1] == ' d="' and LINES.fullmatch(rounded):
        rounded = _join_lines(rounded)
    return f'{match[1]}{rounded}"'


def _join_lines(path: str) -> str:
    """A path of straight lines, with H and V along an axis, where neighbours become one."""
    words = path.split()
    steps = list(zip(words[::3], words[1::3], words[2::3], strict=True))
    drawn: list[tuple[str, str, str]] = []
    for letter, x, y in steps:
        if letter == "L" and drawn:
            before = drawn[-1]
            if (x, y) == before[1:] and before[0] == "L":
                continue  # no length after rounding
            if len(drawn) > 1 and before[0] == "L" and drawn[-2][0] in "ML":
                (_, first_x, first_y), (_, last_x, last_y) = drawn[-2:]
                along_x = first_y == last_y == y and _between(first_x, last_x, x)
                along_y = first_x == last_x == x and _between(first_y, last_y, y)
                if along_x or along_y:
                    drawn[-1] = ("L", x, y)
                    continue
        drawn.append((letter, x, y))
    text = ""
    at = ("", "")
    for letter, x, y in drawn:
        if letter == "L" and y == at[1]:
            text += f"H{x}"
        elif letter == "L" and x == at[0]:
            text += f"V{y}"
        else:
            text += f"{letter}{x} {y}"
        at = (x, y)
    return text


def _between(first: str, middle: str, last: str) -> bool:
    return min(float(first), float(last)) <= float(middle) <= max(float(first), float(last))


def _short(number: float) -> str:
    text = f"{number:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def _share_styles(text: str) -> str:
    """Styles that stand more than once become classes of a style sheet."""
    text = STYLE.sub(lambda match: match[0].replace("; ", ";").replace(": ", ":"), text)
    styles = STYLE.findall(text)
    numbers = count()
    classes = {
        style: f"c{next(numbers)}" for style in dict.fromkeys(styles) if styles.count(style) > 1
    }
    text = STYLE.sub(
        lambda match: f' class="{classes[match[1]]}"' if match[1] in classes else match[0], text
    )
    sheet = "".join(f".{name}{{{style}}}" for style, name in classes.items())
    head, end, rest = text.partition("</defs>")  # matplotlib's own style sheet is in the first one
    return f'{head}<style type="text/css">{sheet}</style>{end}{rest}'
