# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: complete, interrupted, resumed, failing, on a cluster."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import ns3coflow as nc
from ns3coflow import _core, campaign
from ns3coflow.applying import apply_options
from ns3coflow.grid import plan
from ns3coflow.store import Store

GRID = {"scheduler": ["fair", "varys"], "linkRate": ["1Gbps", "10Gbps"]}


def comparable(sweep: nc.Sweep) -> pd.DataFrame:
    """What of a sweep does not depend on the machine."""
    runs = sweep.runs.drop(columns=[name for name in sweep.runs if name.startswith("cost.")])
    return runs.drop(columns="summary").sort_values("key", ignore_index=True)


@pytest.fixture
def done(fluid, tmp_path) -> nc.Sweep:
    return nc.sweep(GRID, 2, base=fluid, out=tmp_path / "done", jobs=2)


def test_results_are_those_of_single_runs(done, fluid):
    assert done.planned == len(done) == 8
    assert len(done.failed) == 0
    for row in done.runs.to_dict("records"):
        single = fluid.with_options(
            scheduler=row["scheduler"], linkRate=row["linkRate"], RngRun=row["RngRun"]
        ).run()
        assert row["cct_s.all.mean"] == single.summary["results"]["cct_s"]["all"]["mean"]
        assert row["reproduce"] == single.reproduce
        pd.testing.assert_frame_equal(done.store.coflows(row["key"]), single.coflows)
    assert len(done.coflows) == 8 * 60


def test_a_sweep_without_axes_has_one_point(fluid, tmp_path):
    base = fluid.with_options(scheduler="varys")
    sweep = nc.sweep({}, 2, base=base, out=tmp_path)
    assert sweep.table()["scheduler"].tolist() == ["varys"]
    assert sweep.table()["runs"].tolist() == [2]
    assert "varys" in set(sweep.diagnosis["where"])
    nc.write_report(tmp_path)


def test_again_runs_nothing(done, fluid, monkeypatch):
    from ns3coflow.process import Workers

    def refuse(*_):
        raise AssertionError("a run that was there is run again")

    monkeypatch.setattr(Workers, "_start", refuse)
    again = nc.sweep(GRID, 2, base=fluid, out=done.store.folder)
    pd.testing.assert_frame_equal(again.runs, done.runs)


def test_a_larger_grid_runs_only_what_is_new(done, fluid):
    before = {path: path.stat().st_mtime_ns for path in done.store.folder.glob("runs/*")}
    more = nc.sweep(
        {**GRID, "scheduler": ["fair", "varys", "aalo"]}, 2, base=fluid, out=done.store.folder
    )
    assert len(more) == 12
    after = {path: path.stat().st_mtime_ns for path in done.store.folder.glob("runs/*")}
    assert len(after) == 12
    assert before.items() <= after.items()


def ordered(sign, by):
    """A class that the variables of this function make another."""

    class Ordered(nc.OrderPolicy):
        def keys(self, view):
            return sign * by(view)

    return Ordered


SIGN = 1


def signed(view):
    return SIGN * view.length


def test_runs_have_the_key_of_what_their_policy_does(monkeypatch):
    def key(policy):
        return nc.Experiment(nc.Trace.sample(), scheduler=policy).key()

    def length(view):
        return view.length

    assert key(ordered(1, length)) == key(ordered(1, length))
    assert key(ordered(1, length)) != key(ordered(-1, length)), "a variable of the function"
    assert key(ordered(1, length)) != key(ordered(1, lambda view: view.total)), "another function"
    assert key(ordered(1, np.negative)) != key(ordered(1, np.positive))
    before = key(ordered(1, signed))
    assert before == key(ordered(1, signed))
    monkeypatch.setitem(globals(), "SIGN", -1)
    assert before != key(ordered(1, signed)), "a global of a function that is called"

    class Base(nc.AttainedOrderPolicy):
        period = 0.1

        def keys(self, view):
            return view.sent

    derived = type("Derived", (Base,), {})
    before = key(derived)
    monkeypatch.setattr(Base, "period", 0.2)
    assert before != key(derived), "an attribute of a base"
    unknown = ordered(1, (each for each in ()))
    assert key(unknown) != key(unknown), "nobody knows what it does"


def test_runs_have_the_key_of_files_that_are_merged(trace_path, tmp_path):
    merged = tmp_path / "merged.csv"
    merged.write_bytes(trace_path.read_bytes())
    run = nc.Experiment(str(trace_path), transform=f"first=3,merge={merged}")
    before = run.key()
    assert before == run.key()
    merged.write_text(merged.read_text().replace("00\n", "10\n"))
    assert before != run.key()


KILLED = """
import ns3coflow as nc
base = nc.Experiment(nc.Trace.read({trace!r}), nc.FatTree(k=4), engine="fluid", scheduler="varys")
nc.sweep({grid!r}, 2, base=base, out={out!r}, jobs=1)
"""


def test_killed_and_resumed_equals_uninterrupted(done, fluid, trace_path, tmp_path):
    out = tmp_path / "killed"
    code = KILLED.format(trace=str(trace_path), grid=GRID, out=str(out))
    process = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while len(list(out.glob("runs/*.parquet"))) < 3:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (out / "runs" / ".coflow-half.part").write_bytes(b"PAR1")  # as a kill may leave behind
    there = len(nc.open_sweep(out))
    assert 3 <= there < 8
    resumed = nc.sweep(GRID, 2, base=fluid, out=out)
    pd.testing.assert_frame_equal(comparable(resumed), comparable(done))
    pd.testing.assert_frame_equal(resumed.coflows, done.coflows)
    assert not list(out.glob("*/.*"))


def test_an_interrupt_ends_workers_and_keeps_results(fluid, trace_path, tmp_path):
    grid = {"scheduler": ["fair"], "scaleBytes": [1, 200]}
    code = KILLED.format(trace=str(trace_path), grid=grid, out=str(tmp_path))
    code = code.replace('engine="fluid"', 'engine="packet"').replace(', scheduler="varys"', "")
    # A shell that runs the tests in the background has what it starts ignore interrupts.
    code = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + code
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob("runs/*.parquet")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in err
    assert len(nc.open_sweep(tmp_path).failed) == 0


class Fails(nc.OrderPolicy):
    """Fails on fast links."""

    def keys(self, view):
        if view.ingress_rate[0] > 2e8:
            raise RuntimeError("too fast for me")
        return view.length


class Unreadable(nc.OrderPolicy):
    """Fails as a file system would."""

    def keys(self, view):
        raise FileNotFoundError("weights.npy")


class Dies(nc.OrderPolicy):
    """Takes its process with it."""

    def keys(self, view):
        os.kill(os.getpid(), signal.SIGSEGV)


def test_failures_are_recorded(fluid, tmp_path):
    grid = {**GRID, "scheduler": ["fair", Fails, Dies, Unreadable]}
    sweep = nc.sweep(grid, base=fluid, out=tmp_path)
    assert len(sweep) == 8
    assert len(sweep.done) == 3
    failed = sweep.failed.set_index("scheduler")
    assert failed.loc["fails", "error"] == "RuntimeError: too fast for me"
    assert failed.loc["unreadable", "error"].tolist() == ["FileNotFoundError: weights.npy"] * 2
    assert "SIGSEGV" in failed.loc["dies", "error"].iloc[0]
    assert "--linkRate=10Gbps" in failed.loc["fails", "reproduce"]
    again = nc.sweep(grid, base=fluid, out=tmp_path, retry_failed=True)
    pd.testing.assert_frame_equal(comparable(again), comparable(sweep))
    numbers = again.to_xarray()["cct_s.all.mean"]
    assert np.isnan(numbers.sel(scheduler="fails", linkRate="10Gbps", RngRun=1))


@pytest.mark.parametrize(
    ("grid", "repeats", "message"),
    [
        ({"scheduler": ["fair", "best"]}, 1, "option --scheduler is 'best'"),
        ({"colour": ["red"]}, 1, "colour"),
        ({"linkRate": "1Gbps"}, 1, "axis linkRate is '1Gbps'; allowed: a list"),
        ({"linkRate": ["1Gbps", "1Gbps"]}, 1, "all different"),
        ({"linkRate": []}, 1, "at least one"),
        ({"RngRun": [1, 2]}, 1, "axis RngRun is made by repeats"),
        ({"run": {"first": {"RngRun": 1}}}, 1, "axis run sets RngRun, which repeats make"),
        ({"linkRate": ["1Gbps"]}, 0, "repeats is 0"),
        ({"linkRate": [object()]}, 1, "has no label"),
        (
            {"scheduler": ["fair", "aalo"], "T": ["1s"]},
            1,
            "option --T is of other schedulers than fair",
        ),
        ({"scheduler": ["fair", "aalo"], "varys.T": ["1s"]}, 1, "'varys', which is not run"),
        ({"T": ["1s", "soon"]}, 2, r"T is 'soon'.* \(in the run T=soon, RngRun=1\)"),
        ({5: [1]}, 1, "grid is {5"),
        ([], 1, r"grid is \[\]"),
        ({"scheduler": ["fair"]}, "x", "repeats is 'x'; allowed: a whole number"),
        ({"compared": {"a": {"linkRate": "1Gbps"}}}, 1, "axis compared has the name of a column"),
        ({"trace": ["/nope.csv"]}, 1, "trace is '/nope.csv', which cannot be read"),
        ({"trace": {"none": None, "no": 5}}, 1, "trace is 5; allowed: a Trace"),
    ],
)
def test_wrong_grids_are_told_before_anything_runs(fluid, tmp_path, grid, repeats, message):
    with pytest.raises((nc.InputError, TypeError), match=message):
        nc.sweep(grid, repeats, base=fluid, out=tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"jobs": 0}, "jobs is 0; allowed"),
        ({"jobs": -1}, "jobs is -1; allowed"),
        ({"jobs": "2"}, "jobs is '2'; allowed"),
        ({"timeout": -1}, "timeout is -1; allowed"),
        ({"out": "\0"}, "allowed: the name of a folder"),
        ({"out": ""}, "allowed: the name of a folder"),
    ],
)
def test_wrong_arguments_are_told(fluid, tmp_path, arguments, message):
    with pytest.raises(nc.InputError, match=message):
        nc.sweep({"scheduler": ["fair"]}, base=fluid, **{"out": tmp_path / "none", **arguments})
    assert not (tmp_path / "none").exists()


def test_workloads_are_looked_at_before_anything_runs(tmp_path):
    (tmp_path / "bad.csv").write_text("coflow_id,arrival_s,src,dst,bytes\n1,0,0,1,many\n")
    for options in ({"generate": "nope"}, {"trace": str(tmp_path / "bad.csv")}):
        base = nc.Experiment(topology=nc.BigSwitch(hosts=4), engine="fluid", **options)
        with pytest.raises(nc.InputError, match=r"in the run scheduler=fair"):
            nc.sweep({"scheduler": ["fair", "varys"]}, base=base, out=tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_folder_of_something_else_is_refused(fluid, tmp_path):
    fluid.run(out=tmp_path / "run")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for name in ("run", "mine"):
        before = sorted(path.name for path in (tmp_path / name).iterdir())
        with pytest.raises(nc.InputError, match=r"and no sweep\.json; allowed"):
            nc.sweep({"scheduler": ["fair"]}, base=fluid, out=tmp_path / name)
        assert sorted(path.name for path in (tmp_path / name).iterdir()) == before


@pytest.mark.parametrize("part", ["runs", "coflows"])
@pytest.mark.parametrize("damage", [b"", b"garbage" * 100, "half", None])
def test_a_damaged_run_is_a_missing_run(done, fluid, part, damage):
    path = min(done.store.folder.glob(f"{part}/*.parquet"))
    content = path.read_bytes()
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(content[: len(content) // 2] if damage == "half" else damage)
    assert len(nc.open_sweep(done.store.folder)) == 7
    for retry in (False, True):
        again = nc.sweep(GRID, 2, base=fluid, out=done.store.folder, retry_failed=retry)
        pd.testing.assert_frame_equal(comparable(again), comparable(done))
        pd.testing.assert_frame_equal(again.coflows, done.coflows)


def test_what_is_no_run_does_no_harm(done, fluid):
    (done.store.folder / "runs" / "notes.parquet").write_text("hi")
    again = nc.sweep(GRID, 2, base=fluid, out=done.store.folder, retry_failed=True)
    pd.testing.assert_frame_equal(again.runs, done.runs)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"axes": 5}', '{"axes": [], "repeats": 1, "runs": [5]}']
)
def test_a_damaged_description_is_told_and_written_again(done, fluid, text):
    (done.store.folder / "sweep.json").write_text(text)
    with pytest.raises(nc.InputError, match=r"sweep\.json is damaged; allowed: "):
        nc.open_sweep(done.store.folder)
    again = nc.sweep(GRID, 2, base=fluid, out=done.store.folder)
    pd.testing.assert_frame_equal(again.runs, done.runs)


def test_files_that_another_process_is_writing_stay(fluid, tmp_path):
    """A second sweep in the folder starts again and again while the first one writes."""
    cleaning = threading.Event()
    cleaner = threading.Thread(
        target=lambda: [Store(tmp_path, create=True) for _ in iter(cleaning.is_set, True)]
    )
    nc.sweep({"scheduler": ["fair"]}, base=fluid, out=tmp_path)
    cleaner.start()
    try:
        for number in range(300):
            Store(tmp_path).write_description({"axes": [], "repeats": 1, "runs": [], "n": number})
    finally:
        cleaning.set()
        cleaner.join()
    assert Store(tmp_path).description()["n"] == 299


class Exits(nc.OrderPolicy):
    """Would end the interpreter."""

    def keys(self, view):
        raise SystemExit(5)


class Interrupts(nc.OrderPolicy):
    """Would look like a person's interrupt."""

    def keys(self, view):
        raise KeyboardInterrupt


def test_a_policy_that_ends_its_process_ends_its_run_only(fluid, tmp_path):
    grid = {"scheduler": ["fair", Exits, Interrupts, "varys"]}
    sweep = nc.sweep(grid, base=fluid, out=tmp_path)
    assert sweep.done["scheduler"].tolist() == ["fair", "varys"]
    errors = sweep.failed.set_index("scheduler")["error"]
    assert errors["exits"] == "RunError: the run raised SystemExit: 5"
    assert errors["interrupts"].startswith("RunError: the run raised KeyboardInterrupt")
    with pytest.raises(RuntimeError, match="SystemExit"):
        fluid.with_options(scheduler=Exits).run()


def test_axes_of_all_kinds(fluid, trace, trace_path):
    runs = plan(
        fluid.with_options(scheduler="fair"),
        {
            "scheduler": [nc.schedulers.Varys(T=0), nc.schedulers.Fair(), Fails],
            "trace": {"whole": trace, "cut": trace.first(10), "file": str(trace_path)},
            "control": {"ideal": {}, "late": {"controlDelay": "1ms", "bypassBytes": 0}},
        },
        repeats=2,
    )
    assert len(runs) == 3 * 3 * 2 * 2
    assert runs[0].labels == {
        "scheduler": "varys(T=0)", "trace": "whole", "control": "ideal", "RngRun": 1
    }  # fmt: skip
    late = runs[2].experiment.options
    assert late["controlDelay"] == "1ms"
    assert late["T"] == "0"
    assert "T" not in runs[-1].experiment.options
    assert runs[-1].experiment.policy is Fails
    assert "option --controlPeriod" not in str(runs)


def test_values_that_depend_on_other_axes(fluid, tmp_path):
    def every(interval):
        return lambda options: {"delta": interval} if options["scheduler"] == "aalo" else {}

    grid = {
        "scheduler": ["fair", "aalo"],
        "interval": {each: every(each) for each in ("1ms", "100ms")},
    }
    sweep = nc.sweep(grid, base=fluid, out=tmp_path)
    assert sweep.planned == len(sweep) == 4
    assert len(list(tmp_path.glob("runs/*"))) == 3  # fair has no interval: its points share a run
    cct = sweep.table().set_index(["scheduler", "interval"])["mean"]
    assert cct["fair", "1ms"] == cct["fair", "100ms"]
    assert cct["aalo", "1ms"] != cct["aalo", "100ms"]
    assert dict(sweep.to_xarray().sizes) == {"scheduler": 2, "interval": 2, "RngRun": 1}


def test_options_of_packets_are_left_out_of_fluid_runs(trace):
    """The C++ side refuses them where nothing has them; a comparison of engines has."""
    base = nc.Experiment(
        trace, nc.FatTree(k=4), scheduler="varys", heartbeat="4ms", settleTime="2ms", segment=8948
    )
    both = apply_options([base, base.with_options(engine="fluid")])
    assert both[0].options["heartbeat"] == "4ms"
    assert both[0].options["segment"] == 8948
    assert both[0].options["settleTime"] == "2ms"
    assert "heartbeat" not in both[1].options
    assert "segment" not in both[1].options
    assert "settleTime" not in both[1].options
    both[1].check()
    with pytest.raises(nc.InputError, match="in the fluid engine"):
        base.with_options(engine="fluid").check()


def test_options_apply_to_the_schedulers_that_have_them(fluid, tmp_path):
    grid = {"scheduler": ["fair", "varys", "aalo"], "T": ["1s", "2s"], "aalo.delta": ["1ms", "9ms"]}
    sweep = nc.sweep(grid, base=fluid, out=tmp_path)
    assert len(sweep.failed) == 0
    assert len(sweep.done) == 12
    # T means nothing to fair and aalo, aalo.delta nothing to fair and varys.
    runs = sweep.runs.groupby("scheduler")["key"].nunique()
    assert runs.to_dict() == {"fair": 1, "varys": 2, "aalo": 2}


def test_two_sweeps_at_once_in_a_folder_keep_apart(fluid, tmp_path, monkeypatch):
    run_here = campaign._run_here
    others = []

    def interrupted(*arguments):
        run_here(*arguments)
        if not others:
            others.append(None)
            others[0] = nc.sweep({"scheduler": ["fifo"]}, base=fluid, out=tmp_path)

    monkeypatch.setattr(campaign, "_run_here", interrupted)
    mine = nc.sweep({"scheduler": ["fair", "varys"]}, base=fluid, out=tmp_path)
    assert mine.done["scheduler"].tolist() == ["fair", "varys"]
    assert others[0].done["scheduler"].tolist() == ["fifo"]


def test_files_are_plain_parquet(done):
    key = done.runs["key"][0]
    table = pq.read_table(done.store.folder / "runs" / f"{key}.parquet")
    assert table.num_rows == 1
    assert {"status", "reproduce", "scheduler", "linkRate", "RngRun"} <= set(table.column_names)


def test_no_sweep_there(tmp_path):
    with pytest.raises(nc.InputError, match=r"holds no sweep\.json"):
        nc.open_sweep(tmp_path)


def test_what_only_some_need_is_named(done, fluid, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(nc.InputError, match=r"pip install 'ns3coflow\[xarray\]'"):
        done.to_xarray()
    with pytest.raises(nc.InputError, match=r"pip install 'ns3coflow\[cluster\]'"):
        nc.sweep(GRID, base=fluid, out=tmp_path / "cluster", client="tcp://127.0.0.1:1")


# Of Student's own table, and others since.
@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.7062047), (2, 4.3026527), (9, 2.2621572), (1e8, 1.9599640)]
)
def test_intervals_are_students(degrees, quantile):
    assert _core.student_t_quantile(0.975, degrees) == pytest.approx(quantile, rel=1e-6)
    assert _core.student_t_quantile(0.025, degrees) == pytest.approx(-quantile, rel=1e-6)


@pytest.mark.filterwarnings("default")  # what distributed's own dependencies deprecate
def test_on_a_cluster(done, fluid, tmp_path):
    from distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        by_address = nc.sweep(GRID, 2, base=fluid, out=tmp_path / "address", client=address)
        with Client(cluster) as client:
            grid = {**GRID, "scheduler": [*GRID["scheduler"], Fails]}
            by_client = nc.sweep(grid, 2, base=fluid, out=tmp_path / "client", client=client)
    pd.testing.assert_frame_equal(comparable(by_address), comparable(done))
    assert len(by_client.done) == 10
    assert by_client.failed["error"].tolist() == ["RuntimeError: too fast for me"] * 2
