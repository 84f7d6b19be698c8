# SPDX-License-Identifier: GPL-2.0-only
"""Findings of runs, gathered over comparisons and sweeps."""

import ns3coflow as nc
from ns3coflow.diagnosis import gather, in_lines


def finding(name, sentence):
    return {"id": name, "finding": sentence, "change": "change"}


def test_what_runs_share_stands_there_once():
    table = gather(
        [
            ("fair", [finding("load", "low")]),
            ("varys", [finding("bypass", "all"), finding("load", "low")]),
        ]
    )
    assert table[["id", "where"]].to_numpy().tolist() == [
        ["load", "fair, varys"], ["bypass", "varys"],
    ]  # fmt: skip
    assert in_lines(table) == [
        "load (fair, varys): low.", "  change.", "bypass (varys): all.", "  change.",
    ]  # fmt: skip


def test_numbers_that_differ_from_run_to_run_are_counted():
    runs = [("varys", [finding("bypass", f"{n} of 3")]) for n in (1, 2)] + [("varys", [])]
    (row,) = gather(runs).to_dict("records")
    assert (row["runs"], row["of"], row["finding"]) == (2, 3, "1 of 3")
    assert in_lines(gather(runs))[0] == "bypass (varys): in 2 of 3 runs, such as: 1 of 3."


def test_nothing_found_says_nothing():
    assert gather([("fair", [])]).empty
    assert in_lines(gather([("fair", [])])) == []


def test_comparisons_and_sweeps_tell_what_decided(trace, tmp_path):
    base = nc.Experiment(trace.first(20), nc.FatTree(k=4), engine="fluid", bypassBytes="1GB")
    result = base.with_options(scheduler="varys").run()
    assert "bypass" in [each["id"] for each in result.diagnosis]
    compared = nc.compare(base, {"fair": {"bypassBytes": None}, "varys": {}})
    bypass = compared.diagnosis.set_index("id").loc["bypass"]
    assert bypass["where"] == "varys"
    assert "bypass (varys): 20 of 20 coflows" in repr(compared)
    grid = {"scheduler": ["varys", "drf"]}
    once = nc.sweep(grid, base=base, out=tmp_path / "once")
    assert set(once.diagnosis["id"]) >= {"bypass"}
    assert "repeats" not in set(once.diagnosis["id"])
    twice = nc.sweep(grid, repeats=2, base=base, out=tmp_path / "twice")
    repeats = twice.diagnosis.set_index("id").loc["repeats"]
    assert (repeats["where"], repeats["runs"], repeats["of"]) == ("varys, drf", 4, 4)


def test_a_period_of_a_coordinator_counts_where_there_is_one(fluid):
    ids = {
        name: [each["id"] for each in run.diagnosis]
        for name, run in nc.compare(
            fluid.with_options(controlPeriod="10ms"), ["fair", "varys"]
        ).results.items()
    }
    assert "control-period" in ids["varys"]
    assert "control-period" not in ids["fair"]
