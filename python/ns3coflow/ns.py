# SPDX-License-Identifier: GPL-2.0-only
"""The second tier: this module inside ns-3's own bindings, for free scripting.

Needs the wheel `ns3` with cppyy (`pip install ns3coflow[ns]`). Importing takes some 17 s, and cppyy
prints messages that mean nothing. Nothing else of this package uses it.
"""

from __future__ import annotations

import ctypes
import importlib
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


def load() -> Any:  # noqa: ANN401
    """Give ns-3's namespace `ns` with `ns.coflow` in it.

    Call it before any other use of ns3coflow in the process where they are in different
    site-packages, so that there is one ns-3. Raises ImportError where the bindings are missing.
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
