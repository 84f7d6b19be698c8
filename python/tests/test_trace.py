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
    flows = trace.flows.merge(trace.coflows[["coflow_id", "arrival_s"]], on="coflow_id")
    again = nc.Trace.from_frame(flows.sample(frac=1, random_state=1), hosts=16)
    assert (again.coflows["bytes"] == trace.coflows["bytes"]).all()
    assert (again.coflows["arrival_s"] == trace.coflows["arrival_s"]).all()
    ordered = nc.Trace.from_frame(flows, hosts=16)
    assert ordered == trace
    trace.save(tmp_path / "saved.csv")
    assert nc.Trace.read(tmp_path / "saved.csv") == trace


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
        ({"bytes": [-1, 1]}, "bytes is '-1'"),
        ({"arrival_s": [0.0, 1.0]}, "coflow 1 has several arrival_s"),
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
