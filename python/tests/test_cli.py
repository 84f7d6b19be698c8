# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-coflow, as a user runs it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ns3coflow as nc

SWEEP = """
experiment: {{trace: {trace}, topology: fat-tree, k: 4, engine: fluid, bypassBytes: 0}}
grid:
  scheduler: [fair, varys]
  controlPeriod: [1ms, 10ms]
repeats: 2
out: results
"""


def run(*arguments, **keywords):
    return subprocess.run(
        [sys.executable, "-m", "ns3coflow.cli", *map(str, arguments)],
        capture_output=True, text=True, check=False, **keywords,
    )  # fmt: skip


@pytest.fixture
def options(trace_path):
    return [f"--trace={trace_path}", "--topology=fat-tree", "--k=4", "--engine=fluid"]


def test_run_prints_what_coflow_replay_does(options, coflow_replay):
    ours = run("run", *options, "--scheduler=varys")
    theirs = subprocess.run(
        [coflow_replay, *options, "--scheduler=varys"], capture_output=True, text=True, check=True
    )
    assert ours.returncode == 0, ours.stderr
    # All but the line that tells cost.
    one, other = (
        [line for line in each.stdout.splitlines() if " s CPU" not in line]
        for each in (ours, theirs)
    )
    assert len(one) == len(ours.stdout.splitlines()) - 1
    assert one == other


def test_unfinished_coflows_are_listed(options):
    stopped = run("run", *options, "--stop=0.01")
    assert stopped.returncode == 3
    assert "coflows unfinished: " in stopped.stderr
    assert run("compare", *options, "--compare=fair,varys", "--stop=0.01").returncode == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "the workload is missing or given twice"),
        (["run", "--trace=/nope"], "trace is '/nope', which cannot be read"),
        (["run", "--generate=incast", "--schedular=fair"], "--schedular"),
        (["run", "--generate=incast", "--stop"], "allowed: a value, as in --NAME=VALUE"),
        (
            ["run", "--generate=incast", "--linkRate", "1Gbps"],
            "allowed: --linkRate=1Gbps, with = in place of the space",
        ),
        (["run", "--generate=incast", "--flows=1"], "allowed: no value"),
        (["run", "--generate=incast", "--jump"], "option --jump: "),
        (["run", "--generate=incast", "--scheduler=varys", "--backfill=2"], "true or false"),
        (["run", "--generate=incast", "--stop=1", "--stop=2"], "given twice"),
        (["run", "nope.yaml"], "nope.yaml: No such file"),
        (["compare", "--generate=incast"], "allowed: one or more"),
        (["dance"], "dance"),
        (["sweep", "nope.toml"], "nope.toml"),
        (["report", "/nope"], "holds no result"),
        (["schedulers", "best"], "scheduler is 'best'; allowed: aalo"),
        (["trace", "info", "/nope"], "/nope"),
        (["trace", "generate", "nope", "--out=-"], "generator is 'nope'"),
        (["run", "--generate=incast", "--out="], "option --out is ''"),
        (["run", "--generate=incast", "--linkRate=10"], "a rate with its unit"),
        (["run", "--generate=incast", "--scheduler=varis"], "(perhaps varys)"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(arguments, message):
    bad = run(*arguments)
    assert bad.returncode == 2
    assert bad.stderr.startswith(("ns3-coflow: ", "coflow-trace: "))
    assert len(bad.stderr.splitlines()) == 1, bad.stderr
    assert message in bad.stderr
    assert bad.stdout == ""


def test_compare_writes_folders(options, tmp_path):
    compared = run(
        "compare", *options, "--compare=fair,varys,aalo", f"--out={tmp_path}", "--jobs=2"
    )
    assert compared.returncode == 0, compared.stderr
    assert "varys" in compared.stdout
    assert nc.Result.load(tmp_path / "varys").unfinished == 0
    assert (tmp_path / "comparison.csv").is_file()


def test_compare_leaves_parameters_to_those_that_have_them(options):
    compared = run("compare", *options, "--compare=fair,varys", "--T=0")
    assert compared.returncode == 0, compared.stderr
    assert run("run", *options, "--scheduler=fair", "--T=0").returncode == 2


PACKETS = ["--generate=incast,senders=3", "--topology=big-switch", "--hosts=4"]


def configuration(folder, scheduler):
    return json.loads((folder / scheduler / "summary.json").read_text())["configuration"]


def test_compare_takes_what_coflow_replay_takes(tmp_path, coflow_replay):
    """Options of Varys and Aalo, at packet level, where others have no such option."""
    options = [
        *PACKETS, "--compare=fair,varys,aalo,dcas", "--bypassBytes=100e3", "--controlBatch=400us",
        "--heartbeat=4ms", "--T=8ms", "--delta=800us", "--coalesce=40us", "--jobs=1",
    ]  # fmt: skip
    ours = run("compare", *options, f"--out={tmp_path}/ours")
    assert ours.returncode == 0, ours.stderr
    subprocess.run([coflow_replay, *options, f"--out={tmp_path}/theirs"], check=True)
    for scheduler in ("fair", "varys", "aalo", "dcas"):
        folders = (tmp_path / "ours", tmp_path / "theirs")
        one, other = (folder / scheduler / "coflows.csv" for folder in folders)
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--compare=fair,varys", "--bands=8"], "option --bands is of other schedulers than fair"),
        (["--compare=fair,varys", "--hartbeat=4ms"], "perhaps --heartbeat"),
        (["--compare=fair,varys", "--linkRat=1Gbps"], "perhaps --linkRate"),
        (["--compare=fair,varys", "--engine=fluid", "--heartbeat=4ms"], "in the fluid engine"),
        (["--compare=fair,varys", "--vary.T=8ms"], "allowed: fair, varys"),
        (["--compare=fair,varys", "--aalo.delta=8ms"], "'aalo', which is not run; allowed: fair"),
        (["--compare=fair,varys", "--varys.delt=8ms"], "perhaps --varys.delta"),
        (["--compare=fair,varys", "--fair.T=8ms"], "option --fair.T is unknown to fair"),
        (["--compare=fair,varys", "--T=soon"], "T is 'soon'; allowed: a time"),
        (["--compare=fair,varys", "--T=soon"], "(in the run varys)"),
        (["--compare=fair,"], "option --compare is 'fair,'"),
        (["--compare=fair,dcas", "--controlBatch=1ms"], "is of other schedulers than fair"),
        (["--compare=fair,varys", "--leaves=4"], "is of the topology leaf-spine"),
        (["--compare=fair,varys", "--jobs=many"], "option --jobs is 'many'"),
        (["--scheduler=fair,varys"], "allowed: --compare=fair,varys, or"),
        (["--compare=fair,varys", "--linkRate=fast"], "option --linkRate is 'fast'"),
        (["--compare=fair,fair"], "each once"),
    ],
)
def test_compare_refuses_before_the_first_run(options, message, tmp_path):
    bad = run("compare", *PACKETS, *options, f"--out={tmp_path}/out")
    assert bad.returncode == 2, bad.stdout
    assert message in bad.stderr
    assert len(bad.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_options_of_one_scheduler(tmp_path):
    options = [*PACKETS, "--delta=3ms", "--varys.delta=2ms", "--varys.heartbeat=7ms"]
    compared = run("compare", *options, "--compare=fair,varys,aalo", f"--out={tmp_path}")
    assert compared.returncode == 0, compared.stderr
    text = {name: json.dumps(configuration(tmp_path, name)) for name in ("varys", "aalo")}
    assert "delta=2ms" in text["varys"]
    assert '"Heartbeat": "+7e+06ns"' in text["varys"]
    assert "delta=3ms" in text["aalo"]
    file = tmp_path / "file.yaml"
    file.write_text(
        "experiment: {generate: 'incast,senders=3', topology: big-switch, hosts: 4, delta: 3ms, "
        "varys.delta: 2ms}\n"
        "compare: {varys: {heartbeat: 7ms}, aalo: {}}\n"
        f"out: {tmp_path}/file\n"
    )
    compared = run("compare", file)
    assert compared.returncode == 0, compared.stderr
    for name, before in text.items():
        assert json.dumps(configuration(tmp_path / "file", name)) == before
    single = run("run", file, "--scheduler=varys", f"--out={tmp_path}/single/varys")
    assert single.returncode == 0, single.stderr
    assert "delta=2ms" in json.dumps(configuration(tmp_path / "single", "varys"))
    other = f"--out={tmp_path}/single/aalo"
    assert run("run", file, "--scheduler=aalo", other).returncode == 0
    other = f"--out={tmp_path}/single/more"
    assert run("run", file, "--scheduler=aalo", "--fifo.T=2ms", other).returncode == 2


def test_compare_tells_how_far_it_is(options):
    compared = run("compare", *options, "--compare=fair,varys", "--progress", "--jobs=1")
    assert compared.returncode == 0
    told = compared.stderr.splitlines()
    assert len(told) == 2
    assert re.fullmatch(r"fair done after [0-9.]+ s \(1 of 2\)", told[0])
    assert re.fullmatch(r"varys done after [0-9.]+ s \(2 of 2\)", told[1])
    assert run("compare", *options, "--compare=fair,varys").stderr == ""


def test_compare_all_takes_the_schedulers_of_the_engine():
    every = run("compare", "--generate=incast,senders=3", "--topology=big-switch", "--hosts=4",
                "--engine=fluid", "--compare=all")  # fmt: skip
    assert every.returncode == 0, every.stderr
    table, _, diagnosis = every.stdout.partition("control-period (")
    assert diagnosis
    names = [line.split()[0] for line in table.splitlines()[2:]]
    assert names[0] == "fair"
    assert set(names) == {
        name for name in nc.schedulers.names() if "fluid" in nc.schedulers.by_name(name).engines
    }


@pytest.mark.parametrize("form", ["yaml", "toml"])
def test_files(form, trace_path, tmp_path):
    (tmp_path / "trace.csv").write_bytes(trace_path.read_bytes())
    path = tmp_path / f"experiment.{form}"
    text = {
        "yaml": SWEEP.format(trace="trace.csv"),
        "toml": 'out = "results"\nrepeats = 2\n[experiment]\ntrace = "trace.csv"\n'
        'topology = "fat-tree"\nk = 4\nengine = "fluid"\nbypassBytes = 0\n'
        '[grid]\nscheduler = ["fair", "varys"]\ncontrolPeriod = ["1ms", "10ms"]\n',
    }[form]
    path.write_text(text)
    swept = run("sweep", path, "--jobs=2")
    assert swept.returncode == 0, swept.stderr
    lines = swept.stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        [scheduler, period] for scheduler in ("fair", "varys") for period in ("1ms", "10ms")
    ]
    # Below the table, the diagnosis.
    told = {line.split()[0] for line in lines[5::2]}
    assert told == {"control-period", "idle-ports", "overload", "repeats"}
    sweep = nc.open_sweep(tmp_path / "results")
    assert len(sweep.done) == 8
    # A coordinator that decides less often is later.
    means = sweep.table().set_index(["scheduler", "controlPeriod"])["mean"]
    assert means["varys", "10ms"] > means["varys", "1ms"]
    assert run("sweep", path).stdout == swept.stdout
    assert "holds a sweep" in run("run", path, "--scheduler=aalo", cwd="/").stderr
    single = run("run", path, "--scheduler=aalo", f"--out={tmp_path}/single", cwd="/")
    assert single.returncode == 0, single.stderr
    assert "scheduler aalo" in single.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("experiments: {}", "section 'experiments'; allowed: experiment, compare, grid"),
        ("grid: [1]", "grid is [1]; allowed: a mapping"),
        ("- 1", "a list; allowed"),
        ("a: [", "allowed: YAML"),
        ("experiment: {trace: null}", "trace is None; allowed: the name of a file"),
        ("experiment: {trace: [a, b]}", "trace is ['a', 'b']; allowed"),
        ("experiment: {5: 1}", "the option 5; allowed: a name"),
        ("experiment: {trace: missing.csv}\nout: r\ngrid: {scheduler: [fair]}", "missing.csv"),
        ("experiment: {generate: nope}\nout: r\ngrid: {scheduler: [fair]}", "generator is 'nope'"),
        ("grid: {scheduler: [fair]}", "no section 'out'"),
        ("repeats: 2\nrepeats: 3", "experiment.yml:2: 'repeats' is given twice"),
        ("experiment:\n  k: 4\n  linkRate: 1Gbps\n  k: 8", "experiment.yml:4: 'k' is given twice"),
        (
            "experiment: {k: 4, K: 8}\nout: r\ngrid: {scheduler: [fair]}",
            "k is given twice, also as K",
        ),
        ("compare: [fair, fair]", "compare: fair is given twice"),
    ],
)
def test_wrong_files(text, message, tmp_path):
    path = tmp_path / "experiment.yml"
    path.write_text(text)
    bad = run("sweep", path)
    assert bad.returncode == 2
    assert message in bad.stderr
    assert len(bad.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_files_in_other_encodings(encoding, tmp_path):
    path = tmp_path / "experiment.yml"
    path.write_bytes("out: \u00e4\n".encode(encoding))
    bad = run("sweep", path)
    assert bad.returncode == 2
    assert bad.stderr.count("\n") == 1
    assert "allowed: a file in UTF-8" in bad.stderr


def test_results_are_replaced_by_force_only(options, tmp_path):
    place = f"--out={tmp_path}/r"
    assert run("run", *options, place).returncode == 0
    before = (tmp_path / "r" / "summary.json").read_bytes()
    again = run("run", *options, "--scheduler=varys", place)
    assert again.returncode == 2
    assert again.stderr.count("\n") == 1
    assert "holds the result of a run; allowed: " in again.stderr
    assert (tmp_path / "r" / "summary.json").read_bytes() == before
    assert run("run", *options, "--scheduler=varys", place, "--force").returncode == 0
    assert nc.Result.load(tmp_path / "r").summary["scheduler"] == "varys"

    place = f"--out={tmp_path}/c"
    assert run("compare", *options, "--compare=fair,varys", place).returncode == 0
    assert run("compare", *options, "--compare=fair,aalo", place).returncode == 2
    assert run("compare", *options, "--compare=fair,aalo", place, "--force").returncode == 0
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        "aalo", "comparison.csv", "fair"
    ]  # fmt: skip


MODULES = ("pickle", "struct", "threading", "json", "numpy", "random", "ns3coflow")


def test_workers_do_not_import_from_the_working_directory(tmp_path):
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text(f"open('ran-{name}', 'w').close()\n")
    (tmp_path / "sweep.yaml").write_text(
        "experiment: {generate: 'incast,senders=3', topology: big-switch, hosts: 4}\n"
        "grid: {scheduler: [fair, varys]}\nout: results\n"
    )
    script = "import sys; sys.path.pop(0); from ns3coflow.cli import main; main(sys.argv[1:])"
    small = ["--generate=incast,senders=3", "--topology=big-switch", "--hosts=4"]
    for arguments in (
        ["run", *small],
        ["compare", *small, "--compare=fair,varys"],
        ["sweep", "sweep.yaml"],
    ):
        ended = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
    assert list(tmp_path.glob("ran-*")) == []


def test_an_interrupted_sweep_ends_without_a_traceback(trace_path, tmp_path):
    (tmp_path / "sweep.yaml").write_text(
        f"experiment: {{trace: {trace_path}, topology: fat-tree, k: 4}}\n"
        "grid: {scaleBytes: [1, 300]}\nout: results\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "sweep", str(tmp_path / "sweep.yaml"), "--jobs=1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob("results/runs/*.parquet")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1
    assert "goes on" in err
    assert out == ""


def test_an_interrupted_run_says_so(trace_path, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "run", f"--trace={trace_path}", "--topology=fat-tree",
         "--k=4", "--scaleBytes=300", f"--out={tmp_path / 'results'}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while not (tmp_path / "results").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.strip() == "ns3-coflow: interrupted; the result is not complete"
    assert out == ""
    assert not (tmp_path / "results" / "summary.json").exists()


# A shell that runs the tests in the background has what it starts ignore interrupts.
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from ns3coflow.cli import main
main(sys.argv[1:])
"""


def test_output_that_cannot_be_written_is_told(tmp_path, trace_path):
    for arguments in (["schedulers"], ["trace", "sample"]):
        with open("/dev/full", "w", encoding="utf-8") as full:  # noqa: PTH123 a device
            bad = subprocess.run(
                [sys.executable, "-m", "ns3coflow", *arguments],
                stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip
        assert bad.returncode == 2
        assert bad.stderr.count("\n") == 1
        assert "No space left on device" in bad.stderr
    link = tmp_path / "link.csv"
    link.symlink_to("target.csv")
    assert run("trace", "sample", f"--out={link}").returncode == 0
    assert link.is_symlink()
    assert len(nc.Trace.read(tmp_path / "target.csv")) == 60
    assert run("trace", "sample", "--out=-").stdout == (tmp_path / "target.csv").read_text()


def test_failed_runs_are_status_3(trace_path, tmp_path):
    path = tmp_path / "experiment.yaml"
    path.write_text(SWEEP.format(trace=trace_path).replace("repeats: 2", "repeats: 1"))
    swept = run("sweep", path, "--timeout=0.01")
    assert swept.returncode == 3
    assert swept.stderr.count("failed: RunError: the run took more than 0.01 s") == 4
    assert "ns3-coflow run --trace=" in swept.stderr
    assert run("sweep", path).returncode == 3
    assert run("sweep", path, "--retry-failed").returncode == 0


def test_schedulers_and_describe(coflow_replay):
    listed = run("schedulers")
    told = subprocess.run([coflow_replay, "--list"], capture_output=True, text=True, check=True)
    assert listed.stdout == told.stdout
    assert "delta = " in run("schedulers", "varys").stdout
    for network in [], ["--linkRate=400Gbps"], ["--engine=fluid"]:
        described = subprocess.run(
            [coflow_replay, *network, "--describe"], capture_output=True, text=True, check=True
        )
        assert json.loads(run("run", *network, "--describe").stdout) == json.loads(described.stdout)


def test_traces(tmp_path, trace_path):
    made = tmp_path / "made.csv"
    assert run("trace", "generate", "incast", "senders=8", f"--out={made}").returncode == 0
    assert len(nc.Trace.read(made)) == 1
    steps = "--transform=first=3,scale-bytes=2"
    (tmp_path / "cut.csv").write_text(run("trace", "convert", trace_path, steps, "--out=-").stdout)
    assert nc.Trace.read(tmp_path / "cut.csv") == nc.Trace.read(trace_path).transform(
        "first=3", "scale-bytes=2"
    )
    told = run("trace", "info", trace_path).stdout
    assert "60 coflows" in told
    faster = run("trace", "info", trace_path, "--linkRate=10Gbps").stdout
    assert told != faster
    assert "10 Gbps" in faster or "10Gbps" in faster
    assert "fb-like: " in run("trace", "generate", "--list").stdout
    wrong = run("trace", "info", tmp_path / "nowhere.csv")
    assert wrong.returncode == 2
    assert "nowhere.csv" in wrong.stderr
    assert nc.Trace.read(trace_path) == nc.Trace.sample()
    assert run("trace", "sample").stdout == trace_path.read_text()


def test_programs_of_the_package(coflow_replay, tmp_path):
    """What `pip install` brings is what the build has made."""
    for name in ("coflow-replay", "coflow-trace"):
        ours = Path(sys.executable).parent / name
        told = [
            subprocess.run([each, "--help"], capture_output=True, text=True, check=True).stdout
            for each in (ours, coflow_replay.parent / name)
        ]
        assert told[0] == told[1]


def test_the_package_is_the_command():
    told = subprocess.run(
        [sys.executable, "-m", "ns3coflow", "schedulers"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert told.stdout == run("schedulers").stdout


def test_help_names_every_option():
    text = run("run", "--help").stdout
    for option in ("--scheduler=NAME", "--linkRate=1Gbps", "--RngRun=N"):
        assert option in text
    assert run("--help").returncode == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "--sched"], "--scheduler"),
        (["run", "--linkR"], "--linkRate"),
        (["run", "--scheduler", "=", "var"], "varys"),
        (["compare", "--topology", "=", "big"], "big-switch"),
        (["sch"], "schedulers"),
    ],
)
def test_completion_in_bash(words, expected):
    environment = {
        **os.environ,
        "_NS3_COFLOW_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["ns3-coflow", *words]),
        "COMP_CWORD": str(len(words)),
    }
    completed = run(env=environment)
    assert expected in completed.stdout, completed.stderr
