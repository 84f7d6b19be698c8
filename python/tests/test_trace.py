# SPDX-License-Identifier: GPL-2.0-only
import pickle

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc


def test_reads_what_the_file_says(trace):
    assert len(trace) == 60
    assert trace.hosts == 16
    assert trace.coflows["flows"].sum() == 1815 == len(trace.flows)
    assert trace.coflows["bytes"].sum() == 291_856_000 == trace.flows["bytes"].sum()
    assert set(trace.coflows["bin"]) <= {"SN", "LN", "SW", "LW"}


def test_facebook_format(tmp_path):
    path = tmp_path / "trace.txt"
    path.write_text("4 1\n1 500 2 0 1 1 2:10\n")
    trace = nc.Trace.read(path)
    assert trace.coflows.loc[0, "arrival_s"] == 0.5
    assert trace.flows["bytes"].tolist() == [5_000_000, 5_000_000]
    assert nc.Trace.read(path, bytes_per_mb=1 << 20).flows["bytes"].sum() == 10 << 20


def test_errors_carry_file_and_line(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("coflow_id,arrival_s,src,dst,bytes\n1,0,0,1,many\n")
    with pytest.raises(nc.InputError, match=r"bad\.csv:2: bytes is 'many'; allowed: "):
        nc.Trace.read(path)
    with pytest.raises(nc.InputError, match="generator is 'nope'; allowed: all-to-all"):
        nc.Trace.generate("nope")


def test_transforms_compose_and_are_recorded(trace):
    changed = trace.transform("first=10", scale_bytes=2)
    assert len(changed) == 10
    assert changed.coflows["bytes"].sum() == 2 * trace.coflows["bytes"][:10].sum()
    assert changed.history[-2:] == ["transform first=10", "transform scale-bytes=2"]
    assert len(trace) == 60
    assert changed.first(3) == trace.first(3).transform("scale-bytes=2")


def test_table_round_trip(trace, tmp_path):
    shuffled = trace.flows.sample(frac=1, random_state=1)
    assert nc.Trace.from_frame(shuffled, hosts=16, scale=trace.scale) == trace
    # Without flow_id, the rows' order is that of the flows.
    in_order = trace.flows.drop(columns="flow_id")
    assert nc.Trace.from_frame(in_order, hosts=16, scale=trace.scale) == trace
    trace.save(tmp_path / "saved.csv")
    assert nc.Trace.read(tmp_path / "saved.csv") == trace


def test_a_trace_carries_its_scale(trace, tmp_path):
    assert trace.scale == 0.004  # the sample says so
    assert trace.transform(scale_time=2).scale == 0.004
    assert trace.transform(scale=250).scale == 1
    # Results differ, so traces do.
    table = nc.Trace.from_frame(trace.flows, hosts=16)
    assert table.scale == 1
    assert table != trace
    assert pickle.loads(pickle.dumps(trace)).scale == 0.004
    trace.save(tmp_path / "saved.csv")
    assert nc.Trace.read(tmp_path / "saved.csv").scale == 0.004
    with pytest.raises(nc.InputError, match="scale is '0'; allowed: a number above 0"):
        nc.Trace.from_frame(trace.flows, hosts=16, scale=0)


def test_defaults_follow_the_scale_of_a_trace(trace):
    base = nc.Experiment(trace.first(3), nc.FatTree(k=4), engine="fluid", scheduler="varys")
    in_force = {
        how: run.summary["configuration"]["scheduler"]["T"]
        for how, run in {
            "scaled": base.run(),
            "as it is": base.with_options(scaleControl="no").run(),
            "given": base.with_options(T="3s").run(),
        }.items()
    }
    assert in_force == {"scaled": "0.008", "as it is": "2", "given": "3s"}


WITH_EVERYTHING = """# hosts=5
coflow_id,arrival_s,src,dst,bytes,deadline_s,parents
1,0,0,1,10,,
1,0,1,2,20,,
7,0.1,,,,0.5,
3,0.25,2,0,30,0.125,1;7
9,0.5,,,,,3
"""


def test_parents_deadlines_and_empty_coflows_round_trip(tmp_path):
    path = tmp_path / "trace.csv"
    path.write_text(WITH_EVERYTHING)
    read = nc.Trace.read(path)
    flows = read.flows
    assert flows["coflow_id"].tolist() == [1, 1, 7, 3, 9]
    assert flows["arrival_s"].tolist() == [0, 0, 0.1, 0.25, 0.5]
    assert flows["parents"].tolist() == ["", "", "", "1;7", "3"]
    assert flows["bytes"].sum() == 60
    assert flows["src"].isna().tolist() == [False, False, True, False, True]
    assert nc.Trace.from_frame(flows, hosts=read.hosts) == read
    # What pandas reads from the file is the same table.
    assert nc.Trace.from_frame(pd.read_csv(path, comment="#"), hosts=5) == read
    nothing = nc.Trace.from_frame(flows[flows["coflow_id"] == 7], hosts=5)
    assert len(nothing) == 1
    assert nc.Trace.from_frame(nothing.flows, hosts=5) == nothing


def test_a_table_with_parents_gives_the_times_of_the_file(tmp_path):
    """A coflow's time counts from the finish of its parents, so parents must not get lost."""
    path = tmp_path / "trace.csv"
    rows = [f"{i},0,0,1,1000000,{'' if i == 1 else i - 1}" for i in range(1, 6)]
    path.write_text("\n".join(["coflow_id,arrival_s,src,dst,bytes,parents", *rows, ""]))
    ccts = [
        nc.Experiment(trace, nc.BigSwitch(hosts=2), engine="fluid").run().coflows["cct_s"].tolist()
        for trace in (nc.Trace.read(path), nc.Trace.from_frame(pd.read_csv(path)))
    ]
    assert ccts[0] == ccts[1] == pytest.approx([0.008] * 5)


@pytest.mark.parametrize("parents", ["1;2", "1 2", [1, 2], (1.0, 2.0), np.array([1, 2])])
def test_forms_of_parents(parents):
    flows = pd.DataFrame({"coflow_id": [1, 2, 3], "arrival_s": 0.0, "src": 0, "dst": 1, "bytes": 1})
    flows["parents"] = pd.Series([None, np.nan, parents], dtype=object)
    assert nc.Trace.from_frame(flows).flows["parents"].tolist() == ["", "", "1;2"]


def test_weights_round_trip():
    flows = pd.DataFrame(
        {
            "coflow_id": [1, 1, 2],
            "arrival_s": 0.0,
            "src": [0, 1, 2],
            "dst": [1, 2, 0],
            "bytes": 10,
            "weight": [7, 7, 1],
        }
    )
    trace = nc.Trace.from_frame(flows)
    assert trace.flows["weight"].tolist() == [7, 7, 1]
    again = nc.Trace.from_frame(trace.flows, hosts=trace.hosts, scale=trace.scale)
    assert again.flows.equals(trace.flows)
    assert "weight" not in nc.Trace.from_frame(flows.drop(columns="weight")).flows
    for weight in (0, 1001, 1.5, np.nan):
        with pytest.raises(nc.InputError, match="weight of coflow 1"):
            nc.Trace.from_frame(flows.assign(weight=weight))


def test_table_with_deadlines():
    flows = pd.DataFrame(
        {
            "coflow_id": [7, 3],
            "arrival_s": [0.0, 0.25],
            "src": [0, 1],
            "dst": [1, 0],
            "bytes": [10, 20],
            "deadline_s": [np.nan, 0.5],
        }
    )
    coflows = nc.Trace.from_frame(flows).coflows
    assert coflows["coflow_id"].tolist() == [7, 3]
    assert np.isnan(coflows["deadline_s"][0])
    assert coflows["deadline_s"][1] == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"src": [0, 99]}, "src is '99'"),
        ({"bytes": [-1, 1]}, "bytes in row 0 is -1; allowed: a whole number from 0 to"),
        ({"bytes": [1, 5.9]}, "bytes in row 1 is 5.9; allowed: a whole number"),
        ({"bytes": [1j, 1]}, "bytes in row 0 is 1j; allowed: a whole number"),
        ({"src": [0, "a"]}, "src in row 1 is 'a'; allowed: a whole number from 0 to 4294967295"),
        ({"src": [0, 2**32]}, "src in row 1 is 4294967296; allowed"),
        ({"coflow_id": [1, 1.5]}, "coflow_id in row 1 is 1.5; allowed"),
        ({"arrival_s": [-1e-12, 0.0]}, "arrival_s in row 0 is -1e-12; allowed: seconds from 0"),
        ({"arrival_s": [0.0, np.inf]}, "arrival_s in row 1 is inf; allowed: seconds from 0"),
        ({"arrival_s": [0.0, 1.0]}, "coflow 1 has several arrival_s"),
        ({"parents": ["2", ""]}, "coflow 1 has several parents"),
        ({"parents": ["7", "7"]}, "parents is '7'"),
        ({"parents": ["a", "a"]}, "parents is 'a'; allowed: ids of coflows"),
        ({"parents": [1.5, 1.5]}, "parents is 1.5; allowed: ids of coflows"),
        ({"src": [np.nan, 1]}, "a row of coflow 1 has no src, dst, bytes"),
        (
            {"parent": ["", ""], "deadline": 1},
            r"has the column parent, deadline, which means nothing here; allowed: coflow_id, .*",
        ),
    ],
)
def test_wrong_tables(change, message):
    flows = {"coflow_id": [1, 1], "arrival_s": [0.0, 0.0], "src": [0, 1], "dst": [1, 2]}
    table = pd.DataFrame({**flows, "bytes": [1, 2], **change})
    with pytest.raises(nc.InputError, match=message):
        nc.Trace.from_frame(table, hosts=3)
    with pytest.raises(nc.InputError, match="no column dst"):
        nc.Trace.from_frame(table.drop(columns="dst"))


def test_pickle_keeps_everything(trace):
    again = pickle.loads(pickle.dumps(trace))
    assert again == trace
    assert again.history == trace.history
    assert again.recipe == trace.recipe
    assert again.digest != trace.first(59).digest


def test_arrays_are_not_copied(trace):
    bytes_ = trace.flows["bytes"].to_numpy()
    assert not bytes_.flags.owndata
