# SPDX-License-Identifier: GPL-2.0-only
"""Experiment files in YAML or TOML."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ns3coflow._core import InputError
from ns3coflow.experiment import Experiment

if TYPE_CHECKING:
    from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SECTIONS = ("experiment", "compare", "grid", "repeats", "out")


@dataclass
class ExperimentFile:
    """The content of an experiment file.

    experiment: {trace: trace.csv, topology: fat-tree, k: 4, scheduler: varys, varys.T: 8ms}
    compare: [fair, varys]          # for `compare`; or {fair: {}, varys: {delta: 1ms}}
    grid: {scheduler: [fair, varys], linkRate: [1Gbps, 10Gbps]}   # for `sweep`
    repeats: 3
    out: results
    """

    experiment: dict[str, Any] = field(default_factory=dict)
    compare: list[str] | dict[str, Any] = field(default_factory=list)
    grid: dict[str, Any] = field(default_factory=dict)
    repeats: int = 1
    out: str | None = None

    def compared(self) -> dict[str, dict[str, Any]]:
        """The schedulers to compare, each with its own options."""
        if isinstance(self.compare, list):
            return {str(name): {} for name in self.compare}
        return {str(name): options or {} for name, options in self.compare.items()}

    def base(self) -> Experiment:
        """The experiment that all runs start from."""
        return Experiment(**self.experiment)


def load(path: Path) -> ExperimentFile:
    """Reads a file; paths in it are relative to its folder.

    Raises InputError with the file's name.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; allowed: a file to read") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is no UTF-8; allowed: a file in UTF-8") from None
    except ValueError as error:
        raise InputError(f"{str(path)!r}: {error}; allowed: a file to read") from None
    content = _parse(path, text)
    if not isinstance(content, dict):
        raise InputError(f"{path}: a {type(content).__name__}; allowed: {', '.join(SECTIONS)}")
    for name in content:
        if name not in SECTIONS:
            raise InputError(f"{path}: section '{name}'; allowed: {', '.join(SECTIONS)}")
    kinds: dict[str, Any] = {
        "experiment": dict,
        "compare": (list, dict),
        "grid": dict,
        "repeats": int,
        "out": str,
    }
    for name, value in content.items():
        if not isinstance(value, kinds[name]):
            kind = {
                dict: "a mapping",
                (list, dict): "a list, or a mapping of names to options",
                int: "a number",
                str: "a text",
            }[kinds[name]]
            raise InputError(f"{path}: {name} is {value!r}; allowed: {kind}")
    loaded = ExperimentFile(**content)
    if isinstance(loaded.compare, list):
        twice = [name for name in loaded.compare if loaded.compare.count(name) > 1]
        if twice:
            raise InputError(f"{path}: compare: {twice[0]} is given twice; allowed: once")
    for name, options in loaded.compared().items():
        if not isinstance(options, dict):
            raise InputError(f"{path}: compare: {name} is {options!r}; allowed: a mapping")
    for name in [*loaded.experiment, *loaded.grid]:
        if not isinstance(name, str):
            raise InputError(f"{path}: the option {name!r}; allowed: a name")
    if "trace" in loaded.experiment:
        trace = loaded.experiment["trace"]
        if not isinstance(trace, str):
            raise InputError(f"{path}: trace is {trace!r}; allowed: the name of a file")
    loaded.experiment = _from_folder(path.parent, "", loaded.experiment)
    loaded.compare = _from_folder(path.parent, "", loaded.compare)
    loaded.grid = {
        axis: {label: _from_folder(path.parent, axis, value) for label, value in values.items()}
        if isinstance(values, dict)
        else _from_folder(path.parent, axis, values)
        for axis, values in loaded.grid.items()
    }
    if loaded.out is not None:
        loaded.out = str(path.parent / loaded.out)
    return loaded


def _from_folder(folder: Path, option: str, value: Any) -> Any:  # noqa: ANN401
    """The value of an option, or a mapping of options, with paths from a folder."""
    if isinstance(value, dict):
        return {name: _from_folder(folder, str(name), each) for name, each in value.items()}
    if isinstance(value, list):
        return [_from_folder(folder, option, each) for each in value]
    if isinstance(value, str) and option == "trace":
        return str(folder / value)
    if isinstance(value, str) and option == "transform":
        steps = (step.partition("=") for step in value.split(","))
        return ",".join(
            f"merge={folder / file}" if name == "merge" else name + equals + file
            for name, equals, file in steps
        )
    return value


def _parse(path: Path, text: str) -> Any:  # noqa: ANN401
    if path.suffix == ".toml":
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path}: {error}; allowed: TOML") from None
    if path.suffix in (".yaml", ".yml"):
        import yaml

        class Loader(yaml.SafeLoader):
            """Refuses a name that a mapping has twice, of which YAML would take the last."""

            def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:  # noqa: ANN401
                names = set()
                for key, _ in node.value:
                    if str(key.value) in names:
                        line = key.start_mark.line + 1
                        raise InputError(f"{path}:{line}: '{key.value}' is given twice")
                    names.add(str(key.value))
                return super().construct_mapping(node, deep)

        try:
            return yaml.load(text, Loader)
        except yaml.YAMLError as error:
            told = " ".join(str(error).split())
            raise InputError(f"{path}: {told}; allowed: YAML") from None
    raise InputError(f"{path}: its name ends in '{path.suffix}'; allowed: .yaml, .yml, .toml")
