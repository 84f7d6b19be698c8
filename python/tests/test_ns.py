# SPDX-License-Identifier: GPL-2.0-only
"""The second tier, where ns-3's bindings are installed."""

import importlib.util

import pytest

from conftest import run_python

CODE = """
from ns3coflow.ns import load
ns = load()
helper = ns.coflow.FabricHelper("leaf-spine", "express")
fabric = helper.Create()
print("hosts", fabric.GetHosts().GetN())
fabric.Dispose()
"""


def test_module_in_the_namespace_of_ns3(tmp_path):
    if importlib.util.find_spec("ns") is None or importlib.util.find_spec("cppyy") is None:
        pytest.skip("ns-3's bindings are not installed: pip install ns3==3.44.post0")
    run = run_python(CODE, timeout=300, cwd=tmp_path)  # it searches the working directory for ns-3
    assert "hosts " in run.stdout, run.stderr


def test_missing_bindings_are_told():
    if importlib.util.find_spec("ns") is not None:
        pytest.skip("ns-3's bindings are installed")
    from ns3coflow.ns import load

    with pytest.raises(ImportError, match=r"pip install ns3==3\.44\.post0"):
        load()
