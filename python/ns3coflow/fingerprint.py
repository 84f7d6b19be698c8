# SPDX-License-Identifier: GPL-2.0-only
"""A hash of what a class in Python does, for the keys of runs."""

from __future__ import annotations

import dis
import hashlib
import inspect
import pickle
import sys
import types
import uuid
from pathlib import Path
from typing import Any

DEPTH = 20  # of a chain of functions; a longer one is not followed


def fingerprint(value: Any) -> str:  # noqa: ANN401
    """A hash that changes when a class or a function does something else.

    The hash covers the source of the class, of its base classes and of the functions that they
    call; the values of class attributes, of defaults, of variables of enclosing functions, and of
    globals by name. It covers a module that is not installed by its whole file. It does not look
    into installed packages, the standard library and ns3coflow.

    A value that cannot be pickled gives another hash every time, so that no run is used again.
    """
    parts: list[str] = []
    _describe(value, parts, set(), 0)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _describe(value: Any, parts: list[str], seen: set[int], depth: int) -> None:  # noqa: ANN401
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    if isinstance(value, property):
        value = value.fget
    if id(value) in seen or depth > DEPTH:
        return
    seen.add(id(value))
    if isinstance(value, types.ModuleType):
        file = getattr(value, "__file__", None)
        parts.append(value.__name__)
        if file is not None and not _is_installed(value.__name__):
            parts.append(hashlib.sha256(Path(file).read_bytes()).hexdigest())
    elif isinstance(value, type):
        _describe_class(value, parts, seen, depth)
    elif isinstance(value, types.FunctionType):
        _describe_function(value, parts, seen, depth)
    elif callable(value) and hasattr(value, "__module__") and _is_installed(value.__module__):
        parts.append(f"{value.__module__}.{getattr(value, '__qualname__', type(value))}")
    else:
        _describe(type(value), parts, seen, depth + 1)
        try:
            parts.append(hashlib.sha256(pickle.dumps(value, protocol=4)).hexdigest())
        except Exception:
            parts.append(uuid.uuid4().hex)


def _describe_class(value: type, parts: list[str], seen: set[int], depth: int) -> None:
    for base in value.__mro__:
        parts.append(f"{base.__module__}.{base.__qualname__}")
        if _is_installed(base.__module__):
            continue
        parts.append(_source_of(base))
        for name, member in vars(base).items():
            made_by_python = name.startswith("__") and not callable(member)
            if not made_by_python and not name.startswith("_abc_"):
                parts.append(name)
                _describe(member, parts, seen, depth + 1)


def _describe_function(
    value: types.FunctionType, parts: list[str], seen: set[int], depth: int
) -> None:
    parts.append(f"{value.__module__}.{value.__qualname__}")
    if _is_installed(value.__module__):
        return
    parts.append(_source_of(value) or value.__code__.co_code.hex())
    used = [value.__defaults__, value.__kwdefaults__, *map(_content_of, value.__closure__ or ())]
    used += [
        value.__globals__[name] for name in _names(value.__code__) if name in value.__globals__
    ]
    for each in used:
        _describe(each, parts, seen, depth + 1)


def _content_of(cell: types.CellType) -> Any:  # noqa: ANN401
    """The value of a variable of an enclosing function; None where it has none yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _names(code: types.CodeType) -> list[str]:
    """Names of globals in a function, and in those that are written inside it."""
    names = [each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names += _names(constant)
    return names


def _source_of(value: Any) -> str:  # noqa: ANN401
    """The source; empty where there is none."""
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return ""


def _is_installed(module: str | None) -> bool:
    """Whether a module is of the standard library, of this package or of an installed one."""
    root = (module or "builtins").partition(".")[0]
    if root in sys.stdlib_module_names or root == "ns3coflow":
        return root != "__main__"
    file = getattr(sys.modules.get(root), "__file__", None)
    return file is not None and "site-packages" in Path(file).parts
