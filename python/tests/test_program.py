# SPDX-License-Identifier: GPL-2.0-only
"""Programs of one's own, swept as experiments are."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from ns3coflow.report_data import read
from ns3coflow.report_setup import describe_setup

# What keeps the contract: --out, --RngRun and an option of its own.
SCRIPT = """\
#!{python}
import sys, time
import ns3coflow as nc
options = dict(each[2:].split("=", 1) for each in sys.argv[1:])
if options.get("scheduler") == "wrong":
    sys.exit("mine: scheduler is 'wrong'; allowed: fair")
if options.get("sleep"):
    time.sleep(float(options["sleep"]))
if options.get("silent"):
    sys.exit(0)
trace = nc.Trace.generate("incast", senders=int(options.get("senders", 4)))
experiment = nc.Experiment(trace, nc.BigSwitch(hosts=17), scheduler=options["scheduler"])
experiment.with_options(engine="fluid", RngRun=int(options["RngRun"])).run(out=options["out"])
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "mine"
    path.write_text(SCRIPT.format(python=sys.executable))
    path.chmod(0o755)
    return path


def test_a_sweep_of_a_program(program, tmp_path):
    base = nc.Program(program, senders=8)
    sweep = nc.sweep({"scheduler": ["fair", "varys"]}, 2, base=base, out=tmp_path / "out")
    assert len(sweep.done) == 4
    summaries = [json.loads(text) for text in sweep.runs["summary"]]
    assert [each["rng_run"] for each in summaries] == [1, 2, 1, 2]
    assert {each["workload"]["flows"] for each in summaries} == {8}
    assert sweep.table()["runs"].tolist() == [2, 2]
    assert sweep.ratio("fair")["ratio"].notna().all()
    started = time.monotonic()
    again = nc.sweep({"scheduler": ["fair", "varys"]}, 2, base=base, out=tmp_path / "out")
    assert time.monotonic() - started < 1  # nothing is run again
    pd.testing.assert_frame_equal(again.runs, sweep.runs)
    text = nc.write_report(tmp_path / "out", formats=[]).read_text()
    assert "<h2>Figures</h2>" in text


def test_what_a_run_depends_on(program, tmp_path):
    trace = tmp_path / "trace.csv"
    trace.write_text("a")
    base = nc.Program(program, f"--trace={trace}", senders=8)
    key = base.key()
    assert base.with_options(senders=9).key() != key
    assert base.with_options(senders=np.int64(8)).key() == key
    assert base.with_options(senders="x" * 5000).key() != key  # no name of a file
    assert base.with_options(senders=None).key() != key
    assert nc.Program(program, f"--trace={trace}", senders=8).key() == key
    trace.write_text("b")
    assert base.key() != key
    trace.write_text("a")
    program.write_text(program.read_text() + "# changed\n")
    assert base.key() != key


def test_a_rebuilt_library_counts(program, tmp_path, monkeypatch):
    library = tmp_path / "libcoflow.so"
    library.write_text("before")
    ldd = tmp_path / "ldd"
    ldd.write_text(f"#!/bin/sh\necho 'libc.so'\necho 'libcoflow.so => {library} (0x00007f)'\n")
    ldd.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    base = nc.Program(program, senders=8)
    key = base.key()
    assert base.key() == key
    library.write_text("after")
    assert base.key() != key


def test_what_goes_wrong_is_told(program, tmp_path):
    base = nc.Program(program)
    grid = {"scheduler": ["fair", "wrong"]}
    failed = nc.sweep(grid, base=base, out=tmp_path / "out").failed
    assert failed["scheduler"].tolist() == ["wrong"]
    assert failed["error"].iloc[0] == (
        f"RunError: {program} ended with status 1\n  mine: scheduler is 'wrong'; allowed: fair"
    )
    assert failed["reproduce"].iloc[0] == f"{program} --scheduler=wrong --RngRun=1"
    with pytest.raises(nc.RunError, match=r"wrote no summary.json into --out; allowed: a program"):
        base.with_options(silent=1).run()
    (tmp_path / "bad").write_text(
        "#!/bin/sh\nfor each; do case $each in --out=*) out=${each#--out=};; esac; done\n"
        'mkdir -p $out; echo "{}" > $out/summary.json; echo "coflow_id,bin" > $out/coflows.csv\n'
    )
    (tmp_path / "bad").chmod(0o755)
    failed = nc.sweep({}, base=nc.Program(tmp_path / "bad"), out=tmp_path / "none").failed
    assert "wrote files that are no result (" in failed["error"].iloc[0]
    assert "allowed: what CoflowHelper::WriteFiles()" in failed["error"].iloc[0]
    with pytest.raises(nc.InputError, match="program is 'nowhere'; allowed: a file that can be ru"):
        nc.Program("nowhere")
    topologies = {"topology": [nc.FatTree(k=4)]}
    with pytest.raises(nc.InputError, match=r"option --topology of a program is .*allowed: a text"):
        nc.sweep(topologies, base=base, out=tmp_path / "refused")
    assert not (tmp_path / "refused").exists()
    nc.Program(program, senders=np.int64(8), other=None).check()
    with pytest.raises(nc.InputError, match="option --out of a program is set by the run"):
        nc.sweep({"out": ["a"]}, base=base, out=tmp_path / "refused")
    with pytest.raises(nc.InputError, match="option --out of a program is set by the run"):
        nc.Program(program, "--out=x").run()
    with pytest.raises(nc.InputError, match="allowed: the option RngRun=N"):
        nc.Program(program, "--RngRun=3").run()
    with pytest.raises(nc.InputError, match="a program cannot run in the fluid engine"):
        nc.sweep({"engine": {"f": nc.Experiment.fluid}}, base=base, out=tmp_path / "refused")
    (tmp_path / "bad").write_text("#!/no/interpreter\n")
    with pytest.raises(nc.RunError, match=r"bad cannot be run: No such file or directory"):
        nc.Program(tmp_path / "bad").run()
    nothing = nc.sweep({"scheduler": ["wrong"]}, base=base, out=tmp_path / "nothing")
    for ask in (nothing.mean, nothing.p95, lambda: nothing.ratio("wrong")):
        with pytest.raises(nc.InputError, match="no run has ended well"):
            ask()


def test_a_program_that_takes_too_long_is_ended(program, tmp_path):
    base = nc.Program(program, scheduler="fair", RngRun=1)
    with pytest.raises(nc.RunError, match=r"the run took more than 0.5 s and was ended"):
        base.with_options(sleep="77.7").run(timeout=0.5)
    time.sleep(0.2)
    running = subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True, check=True)
    assert "--sleep=77.7" not in running.stdout


def test_a_script_with_the_helper(coflow_replay, tmp_path):
    """What the tutorial says of coflow-first."""
    script = coflow_replay.parent / "coflow-first"  # what builds one builds the other
    grid = {"scheduler": ["fair", "varys"]}
    sweep = nc.sweep(grid, 2, base=nc.Program(script), out=tmp_path / "out")
    assert sweep.failed.empty
    means = sweep.mean().set_index("scheduler")["mean"]
    assert means["varys"] < means["fair"]
    setup = dict(describe_setup(read(tmp_path / "out")))
    assert setup["program"][0].startswith("coflow-first")
    assert setup["network"] == ["of a script, 20 hosts with links of 1 Gbps"]
