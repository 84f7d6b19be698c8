# SPDX-License-Identifier: GPL-2.0-only
"""Python and C++ give identical records; errors and interrupts come through."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from conftest import run_python
from ns3coflow.files import load
from ns3coflow.result import read_csv

CASES = {
    "fluid": {"topology": "fat-tree", "k": 4, "engine": "fluid", "scheduler": "varys"},
    "fluid with control": {
        "topology": "big-switch",
        "hosts": 16,
        "engine": "fluid",
        "scheduler": "aalo",
        "sampleInterval": "10ms",
        "controlDelay": "1ms",
    },
    "packet": {"topology": "leaf-spine", "hosts": 16, "firstCoflows": 8, "RngRun": 3},
    "unfinished": {"topology": "fat-tree", "k": 4, "stop": 0.02, "shortBytes": 20000},
}


@pytest.mark.parametrize("options", CASES.values(), ids=CASES.keys())
def test_same_as_cpp(options, trace_path, coflow_replay, tmp_path):
    arguments = [f"--{name}={value}" for name, value in options.items()]
    program = subprocess.run(
        [coflow_replay, f"--trace={trace_path}", *arguments, f"--out={tmp_path}/cpp", "--flows"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert program.returncode == (3 if "stop" in options else 0), program.stderr
    result = nc.Experiment(trace_path, **options).run(out=tmp_path / "python")
    in_memory = nc.Experiment(nc.Trace.read(trace_path), **options).run()
    cpp = tmp_path / "cpp"
    names = {path.name for path in cpp.iterdir()}
    assert names == {path.name for path in (tmp_path / "python").iterdir()}
    for name in names - {"summary.json"}:
        assert (cpp / name).read_bytes() == (tmp_path / "python" / name).read_bytes(), name
    expected = json.loads((cpp / "summary.json").read_text())
    for summary in (result.summary, in_memory.summary):
        kept = {key: value for key, value in summary.items() if key not in ("cost", "reproduce")}
        for key, value in kept.items():
            assert value == expected[key], key
    for each in (result, in_memory):
        for name in ("coflows", "flows"):
            read = read_csv(cpp / f"{name}.csv")
            table = getattr(each, name)
            assert list(table) == list(read)  # no column is missing, none is ours alone
            for column in read:
                np.testing.assert_array_equal(
                    pd.to_numeric(table[column], errors="coerce").to_numpy(
                        np.float64, na_value=np.nan
                    )
                    if column != "bin"
                    else table[column].astype(str),
                    read[column].to_numpy(),
                    err_msg=column,
                )
        assert each.unfinished == len(expected["results"]["unfinished"])
        if "sampleInterval" in options:
            read = read_csv(cpp / "timeseries.csv")
            assert list(read) == list(each.timeseries)
            np.testing.assert_array_equal(each.timeseries["utilisation"], read["utilisation"])
            assert len(each.timeseries) > 10
    loaded = nc.Result.load(cpp)
    pd.testing.assert_frame_equal(loaded.coflows, in_memory.coflows, check_exact=True)


def test_reproduce_line_reproduces(fluid, tmp_path):
    line = fluid.with_options(scaleBytes=2).reproduce
    assert line.startswith("ns3-coflow run --trace=/")
    command = line.replace("ns3-coflow", f"{sys.executable} -m ns3coflow.cli", 1)
    subprocess.run(f"{command} --out={tmp_path}", shell=True, check=True, capture_output=True)
    pd.testing.assert_frame_equal(
        nc.Result.load(tmp_path).coflows, fluid.with_options(scaleBytes=2).run().coflows
    )


def test_in_this_process(fluid, incast):
    first = incast.with_options(RngRun=5).run(isolate=False)
    fluid.run(isolate=False)
    again = incast.with_options(RngRun=5).run(isolate=False)
    isolated = incast.with_options(RngRun=5).run()
    for other in (again, isolated):
        pd.testing.assert_frame_equal(first.coflows, other.coflows, check_exact=True)
    # Nothing of one run is left for the next.
    assert incast.run(isolate=False).summary["rng_run"] == 1


def test_parts_know_their_attributes(incast):
    with pytest.raises(nc.InputError, match="topology fat-tree: 'pods' is no attribute; allowed: "):
        nc.FatTree(pods=4)
    with pytest.raises(nc.InputError, match="scheduler varys: 'x' is no attribute; allowed: T, "):
        nc.schedulers.Varys(x=1)
    assert "delta" in nc.schedulers.Varys.__doc__
    assert nc.schedulers.by_name("nc-drf") is nc.schedulers.NcDrf
    assert set(nc.schedulers.names()) >= {"fair", "varys", "aalo", "dcas"}
    assert nc.FatTree(k=4, linkRate="1Gbps") == nc.FatTree(k=4, linkRate="1Gbps")
    with pytest.raises(AttributeError, match="there is no scheduler Vary"):
        _ = nc.schedulers.Vary


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"linkRate": "fast"}, "option --linkRate is 'fast'"),
        ({"scheduler": "best"}, "option --scheduler is 'best'; allowed"),
        ({"engine": "gas"}, "option --engine is 'gas'; allowed: packet, fluid"),
        ({"colour": "red"}, "colour"),
        ({"k": 3}, "K"),
        ({"trace": "/nope"}, "/nope"),
    ],
)
def test_messages_of_cpp(fluid, options, message, isolate):
    with pytest.raises(nc.InputError, match=message):
        fluid.with_options(**options).run(isolate=isolate)


def test_values_that_are_no_options(fluid):
    with pytest.raises(TypeError, match="allowed: a text, a number"):
        fluid.with_options(stop=object()).run()
    with pytest.raises(TypeError, match="allowed: True and False"):
        fluid.with_options(roundUpToWholeMb="yes").run()
    with pytest.raises(TypeError, match="stands for a topology or a scheduler"):
        nc.Experiment("x", 5)


def test_changing_the_scheduler_leaves_its_attributes_behind(trace):
    varys = nc.Experiment(trace, nc.FatTree(k=4), nc.schedulers.Varys(T=0), engine="fluid")
    fair = varys.with_options(scheduler="fair")
    assert "T" not in fair.options
    assert fair.options["k"] == "4"
    assert varys.options["T"] == "0"
    assert fair.run().unfinished == 0


def test_keys_tell_results_apart(fluid, trace_path):
    assert fluid.key() == fluid.with_options(out="x", progress=True).key()
    different = {
        fluid.key(),
        fluid.with_options(RngRun=2).key(),
        fluid.with_options(linkRate="2Gbps").key(),
        fluid.with_options(trace=trace_path).key(),
        fluid.with_options(firstCoflows=9, scaleTime=2).key(),
    }
    assert len(different) == 5


def test_comparison(fluid):
    comparison = nc.compare([fluid.with_options(scheduler=name) for name in ("fair", "varys")])
    table = comparison.table
    assert table.loc["fair", "speed_up"] == 1
    assert table.loc["varys", "speed_up"] > 1
    assert len(comparison.coflows) == 120
    assert "varys" in repr(comparison)
    with pytest.raises(nc.InputError, match="a name of its own"):
        nc.compare([fluid, fluid])


def test_comparison_of_one_experiment_under_several_schedulers(fluid):
    base = fluid.with_options(controlDelay="1ms", bypassBytes=0, T="1s")
    compared = nc.compare(base, ["fair", "varys", nc.schedulers.Varys(T="2s")])
    assert list(compared.results) == ["fair", "varys", "varys(T=2s)"]
    values = {name: each.summary["configuration"] for name, each in compared.results.items()}
    assert values["varys"]["scheduler"]["T"] == "1s"
    assert values["varys(T=2s)"]["scheduler"]["T"] == "2s"
    compared = nc.compare(
        base.with_options(**{"varys.T": "3s"}),
        {"fair": {}, "varys": {"delta": "5ms"}, "late": {"scheduler": "varys", "T": "4s"}},
    )
    values = {name: each.summary["configuration"] for name, each in compared.results.items()}
    assert values["varys"]["scheduler"]["T"] == "3s"
    assert values["varys"]["scheduler"]["delta"] == "5ms"
    assert list(nc.compare(base.with_options(T=None)).results) == ["varys"]


def test_means_are_over_coflows_that_all_finished(trace):
    """vc rejects coflows; what is left finishes early, which is no reason to win."""
    late = trace.transform("deadlines=0.5:1Gbps:1")
    compared = nc.compare(nc.Experiment(late, nc.FatTree(k=4), engine="fluid"), ["fair", "vc"])
    table = compared.table
    assert table.loc["vc", "rejected"] > 0
    assert table.loc["vc", "finished"] == table.loc["vc", "compared"] < 60
    assert (table["coflows"] == 60).all()
    assert table.loc["fair", "finished"] == 60
    done = compared["vc"].coflows.set_index("coflow_id")["cct_s"].dropna()
    fair = compared["fair"].coflows.set_index("coflow_id")["cct_s"][done.index]
    assert table.loc["fair", "mean_cct_s"] == pytest.approx(fair.mean())
    assert table.loc["vc", "mean_cct_s"] == pytest.approx(done.mean())
    assert table.loc["vc", "speed_up"] == pytest.approx(fair.mean() / done.mean())
    assert np.isnan(table.loc["vc", "over_bound"])
    for name, result in compared.results.items():
        results = result.summary["results"]
        met = int(result.coflows["met_deadline"].sum())
        assert table.loc[name, "met"] == met
        assert table.loc[name, "deadlines"] == 60
        assert table.loc[name, "unfinished"] == len(results["unfinished"])
    # Where all have finished, these are the numbers of summary.json.
    cct = compared["fair"].summary["results"]["cct_s"]["all"]
    alone = nc.Comparison({"fair": compared["fair"]}).table.loc["fair"]
    for name in ("mean", "median", "p95", "p99"):
        assert alone[f"{name}_cct_s"] == pytest.approx(cct[name], rel=1e-9)


@pytest.mark.parametrize(
    ("schedulers", "error", "message"),
    [
        (["fair", "best"], nc.InputError, "option --scheduler is 'best'"),
        (["fair", "fair"], nc.InputError, "a name of its own"),
        ([], nc.InputError, "one or more"),
        ("fair", TypeError, "allowed: a list"),
        (["fair", "aalo"], nc.InputError, "option --T is of other schedulers than fair"),
        (["fair", nc.schedulers.Varys(T="x")], nc.InputError, r"T is 'x'.*in the run varys\(T=x\)"),
    ],
)
def test_wrong_comparisons_are_told_before_anything_runs(
    fluid, schedulers, error, message, monkeypatch
):
    job = nc.Experiment.job
    monkeypatch.setattr(nc.Experiment, "job", lambda *_: pytest.fail("something runs"))
    with pytest.raises(error, match=message):
        nc.compare(fluid.with_options(T=0), schedulers)
    monkeypatch.setattr(nc.Experiment, "job", job)
    with pytest.raises(TypeError, match="for one experiment"):
        nc.compare([fluid], ["fair"])


class Weighted(nc.OrderPolicy):
    """Has a parameter of its own."""

    weight = nc.Parameter(1.0, help="nothing much")

    def keys(self, view):
        return view.length * self.weight


def test_options_of_policies_in_python(fluid):
    base = fluid.with_options(weight=2, T=0, **{"weighted.delta": "1ms"})
    compared = nc.compare(base, ["fair", "varys", Weighted])
    told = {name: each.summary["configuration"] for name, each in compared.results.items()}
    assert float(told["weighted"]["scheduler"]["weight"]) == 2
    assert told["weighted"]["scheduler"]["delta"] == "1ms"
    assert told["varys"]["scheduler"]["T"] == "0"
    with pytest.raises(nc.InputError, match="--weight is of other schedulers than fair"):
        nc.compare(base, ["fair"])


def test_activity_counts_coflows(fluid):
    result = fluid.run()
    step = result.activity["time_s"].diff().median()
    total = result.activity["coflows"].sum() * step
    assert total == pytest.approx(result.coflows["cct_s"].sum(), rel=1e-6)


def test_experiments_by_name_are_compared(fluid):
    named = {"one": fluid, "other": fluid.with_options(scheduler="fair", linkRate="10Gbps")}
    compared = nc.compare(named)
    assert list(compared.table.index) == ["one", "other"]
    assert compared["other"].summary["scheduler"] == "fair"
    with pytest.raises(nc.InputError, match="'fair' is to be compared; allowed: an Experiment"):
        nc.compare({"fair": "fair"})


@pytest.mark.parametrize("jobs", [0, -1, "2", 1.5, True])
def test_a_number_of_processes_is_a_number(fluid, jobs):
    with pytest.raises(nc.InputError, match=r"jobs is .*; allowed: a whole number"):
        nc.compare(fluid, ["fair"], jobs=jobs)


def test_a_result_is_replaced_by_force_only(fluid, tmp_path):
    out = tmp_path / "r"
    fluid.run(out=out)
    varied = fluid.with_options(scheduler="fair")
    with pytest.raises(nc.InputError, match=r"holds the result of a run; allowed: .*--force"):
        varied.run(out=out)
    assert nc.Result.load(out).summary["scheduler"] == "varys"
    varied.run(out=out, force=True)
    assert nc.Result.load(out).summary["scheduler"] == "fair"
    assert "force" not in nc.Result.load(out).reproduce


def test_a_trace_is_a_trace_or_a_name(fluid):
    for trace in (5, ["a.csv"], {"a": 1}):
        with pytest.raises(nc.InputError, match="allowed: a Trace, or the name of a file"):
            nc.Experiment(trace)
        with pytest.raises(nc.InputError, match="allowed: a Trace, or the name of a file"):
            fluid.with_options(trace=trace)


def test_a_coflow_with_parents_counts_from_their_finish():
    """In both engines; at packet level its application hears of that later."""
    rows = [(1, 0.0, 0, 1, 1_000_000, ""), (2, 0.001, 1, 2, 1_000_000, "1"), (3, 1.0, 2, 3, 1, "2")]
    columns = ["coflow_id", "arrival_s", "src", "dst", "bytes", "parents"]
    trace = nc.Trace.from_frame(pd.DataFrame(rows, columns=columns), hosts=4)
    for engine in ("fluid", "packet"):
        base = nc.Experiment(trace, nc.BigSwitch(hosts=4), "fair", engine=engine)
        coflows = base.run().coflows.set_index("coflow_id")
        assert coflows.loc[2, "arrival_s"] == coflows.loc[1, "finish_s"]
        assert coflows.loc[3, "arrival_s"] == 1.0
        difference = coflows["finish_s"] - coflows["arrival_s"]
        assert coflows["cct_s"].tolist() == pytest.approx(difference.tolist(), abs=1e-12)


def test_tables_share_the_arrays_of_the_run(fluid):
    result = fluid.run()
    column = result.coflows["cct_s"].to_numpy()
    assert np.shares_memory(column, result._outcome["coflows"]["cct_s"])


def test_timeout(fluid):
    slow = nc.Experiment(
        nc.Trace.generate("fb-like", coflows=2000, hosts=64), nc.BigSwitch(hosts=64)
    )
    with pytest.raises(nc.RunError, match="took more than 1 s"):
        slow.run(timeout=1)


def test_import_is_quick():
    code = (
        "import time; t = time.perf_counter(); import ns3coflow; "
        "print(time.perf_counter() - t); import sys; print('pandas' in sys.modules)"
    )
    seconds = []
    for _ in range(3):
        run = run_python(code)
        first, second = run.stdout.split()
        assert second == "False"
        seconds.append(float(first))
    assert min(seconds) < 0.5


LONG = """
import signal, sys, time, threading, os
import ns3coflow as nc
trace = nc.Trace.generate("fb-like", coflows=3000, hosts=64)
experiment = nc.Experiment(trace, nc.BigSwitch(hosts=64), scheduler="fair", engine={engine!r})
print("ready", flush=True)
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    for _ in range(1000):
        experiment.run(isolate={isolate})
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start)
"""


@pytest.mark.parametrize(
    ("engine", "isolate"), [("packet", True), ("packet", False), ("fluid", False)]
)
def test_interrupt(engine, isolate):
    run = run_python(LONG.format(isolate=isolate, engine=engine), timeout=120)
    assert "interrupted" in run.stdout, run.stderr
    assert float(run.stdout.split()[-1]) < 10


def test_worker_ends_with_its_parent(tmp_path):
    code = LONG.replace(
        "os.kill(os.getpid(), signal.SIGINT)", "os.kill(os.getpid(), signal.SIGKILL)"
    )
    marker = f"{tmp_path}"
    run = run_python(code.format(isolate=True, engine="packet"), env=_environment(marker))
    assert run.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 20
    while left := _processes_with(marker):
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def _environment(marker: str) -> dict[str, str]:
    import os

    return {**os.environ, "NS3COFLOW_TEST": marker}


def _processes_with(marker: str) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"NS3COFLOW_TEST={marker}".encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def test_paths_in_files_are_relative_to_the_file(trace_path, tmp_path):
    (tmp_path / "trace.csv").write_bytes(trace_path.read_bytes())
    path = tmp_path / "experiment.yml"
    path.write_text(
        "experiment: {trace: trace.csv, transform: 'first=3,merge=trace.csv'}\n"
        "compare: {fair: {transform: merge=trace.csv}}\n"
        "grid: {trace: {a: trace.csv}, w: {b: {trace: trace.csv}}, transform: [merge=trace.csv]}\n"
    )
    trace = f"{tmp_path}/trace.csv"
    loaded = load(path)
    assert loaded.experiment == {"trace": trace, "transform": f"first=3,merge={trace}"}
    assert loaded.compare == {"fair": {"transform": f"merge={trace}"}}
    assert loaded.grid == {
        "trace": {"a": trace},
        "w": {"b": {"trace": trace}},
        "transform": [f"merge={trace}"],
    }
