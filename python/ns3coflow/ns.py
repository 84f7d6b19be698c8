# SPDX-License-Identifier: GPL-2.0-only
"""ns3-coflow inside ns-3's own Python bindings, for free scripting.

This module needs the wheel `ns3` with cppyy (`pip install ns3coflow[ns]`). Importing takes about
17 s, and cppyy prints messages that you can ignore. Nothing else in this package uses this module.
"""

from __future__ import annotations

import ctypes
import importlib
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


def load() -> Any:  # noqa: ANN401
    """Returns ns-3's namespace `ns` with `ns.coflow` in it.

    If `ns3` and `ns3coflow` are in different site-packages, call `load` before any other use of
    ns3coflow in the process, so that the process has one ns-3. Raises ImportError if the bindings
    are missing.
    """
    try:
        ns = importlib.import_module("ns").ns
    except ImportError as error:
        raise ImportError("ns-3's bindings are missing: pip install ns3==3.44.post0") from error
    cppyy: Any = importlib.import_module("cppyy")
    include = _FOLDER / "include"
    cppyy.add_include_path(str(include))
    # It is loaded already, for our extension alone; cppyy looks among global symbols.
    ctypes.CDLL(str(_FOLDER / "lib/libcoflow.so"), mode=ctypes.RTLD_GLOBAL)
    for header in sorted((include / "ns3").glob("coflow-*.h")):
        cppyy.include(f"ns3/{header.name}")
    return ns
