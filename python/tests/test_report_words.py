# SPDX-License-Identifier: GPL-2.0-only
"""Reports: their sentences, and what differs between runs."""

import math

import numpy as np
import pandas as pd
import pytest

import ns3coflow as nc
from ns3coflow.figure_words import describe_figures
from ns3coflow.figures import make_charts
from ns3coflow.quantities import parse, say
from ns3coflow.report_data import Case, ReportData, read
from ns3coflow.report_differences import describe_differences
from ns3coflow.report_words import (
    count_faster,
    diagnose,
    in_words,
    join_words,
    say_factor,
    without_difference,
)
from ns3coflow.statistics import Interval


def test_words_say_what_the_table_does(compared):
    data = read(compared)
    mean = {name: data.case(name, "").mean("cct_s.all.mean") for name in ("fair", "varys", "aalo")}
    told = {text.partition(" ")[0]: text for text in in_words(data, "fair")}
    assert set(told) >= {"varys", "aalo"}
    assert "fair" not in told
    gain = mean["fair"] / mean["varys"]
    assert gain > 1
    assert f"varys is {gain:.3g} times faster than fair in the mean CCT" in told["varys"]
    assert "over 20 of 20 coflows" in told["varys"]
    back = {text.partition(" ")[0]: text for text in in_words(data, "varys")}
    assert f"fair is {gain:.3g} times slower than varys in the mean CCT" in back["fair"]


def test_the_diagnosis_stands_on_top_of_a_report(trace, tmp_path):
    base = nc.Experiment(trace.first(20), nc.FatTree(k=4), engine="fluid", bypassBytes="1GB")
    base.with_options(scheduler="fair", bypassBytes=None).run(out=tmp_path / "fair")
    base.with_options(scheduler="varys").run(out=tmp_path / "varys")
    told = {each["id"]: each for each in diagnose(read(tmp_path))}
    assert told["bypass (varys)"]["text"].startswith("20 of 20 coflows (100 %)")
    assert "bypassBytes" in told["bypass (varys)"]["change"]
    text = nc.write_report(tmp_path, formats=[]).read_text()
    assert text.index("<b>bypass (varys)</b> 20 of 20 coflows") < text.index("What was run")


def case(series, times, panel="", labels=None, **rows):
    """A case whose coflows have these CCTs, with statistics computed from them."""
    coflows = pd.DataFrame(
        {
            "coflow_id": range(len(times)),
            "RngRun": 1,
            "cct_s": times,
            "finish_s": times,
            "min_cct_s": 0.001,
        }
    )
    summary = rows.pop("summary", "{}")
    known = [each for each in times if not math.isnan(each)]
    statistics = {
        "cct_s.all.mean": np.mean(known), "cct_s.all.median": np.median(known),
        "cct_s.all.p95": np.quantile(known, 0.95), "cct_s.all.max": max(known),
        "coflows": len(times), "compared": len(known), "finished": len(known), "bypassed": 0,
        "summary": summary, "reproduce": "", **rows,
    }  # fmt: skip
    return Case(series, panel, coflows, pd.DataFrame([statistics]), labels or {})


def about(*cases, axes=(), series_axis="scheduler", repeats=1):
    return ReportData("test", list(cases), list(axes), repeats, pd.DataFrame(), series_axis)


FAIR = [0.004, 0.004, 0.004, 0.004]
FAST = [0.001, 0.003, 0.004, 0.008]  # two faster, one alike, one slower; the mean is alike


def of(mean):
    return Interval(mean, math.nan, math.nan)


def test_numbers_in_words():
    assert [say(each) for each in (12.345, 0.25, 0.0051399, 2.4e-4, 5e-9, 0)] == [
        "12.3 s", "250 ms", "5.14 ms", "240 us", "5 ns", "0 ns",
    ]  # fmt: skip
    assert say(math.nan) == "unknown"
    assert [say(each, "bytes", 6) for each in (10e6, 1448)] == ["10 MB", "1.448 kB"]
    assert say(0.94e9, "bit/s") == "940 Mbps"
    assert parse("+25000ns") == (pytest.approx(25e-6), "s")
    assert parse("10 MB") == (10e6, "bytes")
    assert parse("7", "bytes") == (7, "bytes")
    assert parse("7", "packets") == (7, "")
    assert [parse(each) for each in ("", ".", "1.2.3", "fair", "5m", "True")] == [None] * 6
    assert say_factor(of(1.25), "fair") == "1.25 times faster than fair"
    assert say_factor(of(0.5), "") == "2 times slower"
    assert say_factor(of(1.002), "fair") == "as fast as fair"
    assert say_factor(Interval(1.5, 1.25, 1.75), "") == "1.5 times faster (1.25 to 1.75)"
    assert say_factor(Interval(0.5, 0.4, 0.625), "") == "2 times slower (1.6 to 2.5)"
    assert say_factor(Interval(1.1, 0.9, 1.3), "fair") == (
        "1.1 times faster than fair (0.9 to 1.3, which contains 1)"
    )
    assert say_factor(Interval(0.8, -0.2, 1.8), "") == (
        "1.25 times slower (0.556 to inf, which contains 1)"
    )
    assert say_factor(of(math.nan), "fair") == "not comparable with fair"
    assert [join_words(list(each)) for each in ("", "a", "ab", "abc")] == [
        "", "a", "a and b", "a, b and c",
    ]  # fmt: skip
    base = case("fair", FAIR)
    assert count_faster(case("varys", FAST), base) == (2, 1, 4)
    # A coflow that did not finish is not compared.
    assert count_faster(case("vc", [0.001, math.nan, 0.004, 0.008]), base) == (1, 1, 3)


def test_a_sentence_about_the_distribution():
    told = describe_figures(about(case("fair", FAIR), case("varys", FAST)), "fair")["cct-cdf"]
    assert told == (
        "2 of 4 coflows are faster under varys than under fair, and 1 slower; half of the coflows "
        "take at most 3.5 ms under varys, and 4 ms under fair."
    )
    points = [
        case(series, times, panel, {"scheduler": series, "k": panel})
        for panel in ("k 4", "k 8")
        for series, times in (("fair", FAIR), ("varys", FAST))
    ]
    told = describe_figures(about(*points, axes=["scheduler", "k"]), "fair")["cct-cdf"]
    assert told == (
        "At 2 points together, 4 of 8 coflows are faster under varys than under fair, and 2 slower."
    )
    told = describe_figures(about(case("fair", FAST)), "fair")["cct-cdf"]
    assert told == "Half of the 4 coflows take at most 3.5 ms, and the slowest takes 8 ms."


def test_sentences_about_means():
    slow, fast = [each * 2 for each in FAIR], [each / 4 for each in FAIR]
    told = describe_figures(about(case("fair", FAIR), case("a", fast), case("b", slow)), "fair")
    assert told["mean-cct"] == (
        "a has the lowest mean CCT, 1 ms: 4 times faster than fair, over 4 of 4 coflows."
    )
    told = describe_figures(about(case("fair", FAIR), case("b", slow)), "fair")
    assert told["p95-cct"] == (
        "fair has the lowest 95th percentile of CCT, 4 ms; b comes next, 2 times slower, over 4 "
        "of 4 coflows."
    )
    told = describe_figures(about(case("fair", FAIR), case("a", fast), case("b", fast)), "fair")
    assert told["mean-cct"].startswith("a and b have the lowest mean CCT, 1 ms: 4 times faster")
    told = describe_figures(about(case("fair", FAIR)), "fair")
    assert told["mean-cct"] == "The mean CCT is 4 ms, over 4 of 4 coflows."
    points = [
        case("fair", FAIR, "k 4"), case("a", fast, "k 4"),
        case("fair", FAIR, "k 6"), case("a", [0.002], "k 6"),
        case("fair", FAIR, "k 8"), case("a", slow, "k 8"),
    ]  # fmt: skip
    told = describe_figures(about(*points), "fair")["mean-cct"]
    assert told == (
        "a has the lowest mean CCT at 2 of 3 points, from 2 times faster than fair to 4 times "
        "faster than fair."
    )


def test_sentences_about_bins_and_axes():
    data = about(
        case("fair", FAIR, **{"cct_s.SN.mean": 2, "cct_s.LW.mean": 6}),
        case("a", FAIR, **{"cct_s.SN.mean": 1, "cct_s.LW.mean": 9}),
    )
    assert describe_figures(data, "fair")["improvement"] == (
        "By bin, the largest factor is that of a in bin SN, 2 times faster than fair; the smallest "
        "is that of a in bin LW, 1.5 times slower than fair."
    )
    points = [
        case(series, [time], f"T {value}", {"scheduler": series, "T": value})
        for series, times in (("fair", (1, 1, 1)), ("a", (2, 1, 3)))
        for value, time in zip(("1ms", "2ms", "3ms"), times, strict=True)
    ]
    told = describe_figures(about(*points, axes=["scheduler", "T"]), "fair")
    assert told["axis"] == (
        "a depends most on T: its mean CCT is 3 s at 3ms, 3 times the 1 s at 2ms."
    )
    told = describe_figures(about(*points[:3], axes=["scheduler", "T"]), "fair")
    assert told["axis"] == "No mean CCT depends on T."


def test_every_figure_but_the_gantt_chart_has_a_sentence(compared, swept):
    for folder in (compared, swept):
        data = read(folder)
        words = describe_figures(data, "fair")
        assert set(words) == set(make_charts(data, "fair")) - {"gantt"}
        assert all(text.endswith(".") for text in words.values())
        assert not any("nan" in text or "inf " in text for text in words.values())


def test_equal_runs_are_told(compared, trace, tmp_path):
    assert without_difference(read(compared)) == []
    # A coflow alone in the network is served at link rate whoever is first, and fair divides rates
    # between its flows.
    alone = nc.Trace.generate("incast", senders=4)
    base = nc.Experiment(alone, nc.BigSwitch(hosts=5), engine="fluid")
    for name in ("fair", "varys", "vc"):
        base.with_options(scheduler=name).run(out=tmp_path / name)
    base.with_options(scheduler="varys", linkRate="10Gbps").run(out=tmp_path / "faster")
    told = without_difference(read(tmp_path))
    assert told == ["Each coflow takes equally long under fair, varys and vc."]
    text = nc.write_report(tmp_path, formats=[]).read_text()
    assert f'<p class="warning">No difference. {told[0]}</p>' in text


def test_what_differs_is_told(compared, swept, trace, tmp_path):
    told = dict(describe_differences(read(compared)))
    assert told["engine"] == ["fluid: fair, aalo and varys", "packet: fair-packet"]
    # Schedulers have parameters of the same name and another meaning, which do not count.
    assert "delta" not in told
    told = dict(describe_differences(read(swept)))
    assert told == {"linkRate": ["1 Gbps", "10 Gbps"], "controlPeriod": ["1 ms", "100 ms"]}
    base = nc.Experiment(trace.first(3), nc.FatTree(k=4), nc.schedulers.Aalo())
    base.run(out=tmp_path / "default")
    base.with_options(queues=3, minRto="10ms", firstThreshold="20kB").run(out=tmp_path / "given")
    told = dict(describe_differences(read(tmp_path)))
    assert told == {
        "firstThreshold": ["40 kB: default", "20 kB: given"],
        "minRto": ["5 ms: default", "10 ms: given"],
        "queues": ["10: default", "3: given"],
    }
    text = nc.write_report(tmp_path, formats=[]).read_text()
    assert "<div>10 ms: given</div>" in text
    assert describe_differences(read(tmp_path / "given")) == []
