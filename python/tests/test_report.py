# SPDX-License-Identifier: GPL-2.0-only
"""Reports: what they hold, and how figures look."""

import html.parser
import itertools
import json
import shutil

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

import ns3coflow as nc
from ns3coflow import figures, style
from ns3coflow.figures import make_charts
from ns3coflow.gantt import gantt
from ns3coflow.report_data import read
from ns3coflow.report_setup import describe_bins, describe_setup, without_folders
from ns3coflow.spots import place_values
from ns3coflow.statistics import mean_of, quantiles, ratios_of


class Page(html.parser.HTMLParser):
    """What a page links to and shows."""

    def __init__(self, text):
        super().__init__()
        self.sources, self.links, self.figures, self.open = [], [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in ("meta", "img", "source"):
            self.open.append(tag)
        self.sources += [values[name] for name in ("src", "srcset") if name in values]
        self.links += [values["href"]] if "href" in values else []
        if tag == "figure":
            self.figures.append(values["id"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_one_file_with_everything_inside(compared, tmp_path):
    path = nc.write_report(compared, tmp_path / "report")
    page = Page(path.read_text())
    # It needs no other file, but links those of the results.
    assert len(page.links) >= 8
    assert all((path.parent / link).is_file() for link in page.links)
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
    expected = {
        "cct-cdf", "mean-cct", "p95-cct", "improvement", "fluid-versus-packet", "utilisation",
        "gantt", "control",
    }  # fmt: skip
    assert set(page.figures) == expected
    for name in expected:
        for form in ("png", "svg", "pdf"):
            assert (tmp_path / "report" / f"{name}.{form}").stat().st_size > 1000
        assert len(pd.read_csv(tmp_path / "report" / f"{name}.csv")) > 0
    assert len(page.sources) == 2 * len(expected)  # for wide and for narrow windows
    text = path.read_text()
    for scheduler in ("fair", "varys", "aalo"):
        assert f'<td class="text">{scheduler}</td>' in text
    assert text.count("ns3-coflow run ") == 4


def test_sweep_report(swept, tmp_path):
    path = nc.write_report(swept, tmp_path, formats=["svg"], baseline="aalo")
    page = Page(path.read_text())
    assert {"cct-cdf", "mean-cct", "p95-cct", "improvement", "axis"} <= set(page.figures)
    assert "/ aalo" in path.read_text()
    assert sorted(path.name for path in tmp_path.glob("*.pdf")) == []


def test_the_same_results_give_the_same_bytes(compared, tmp_path):
    first = nc.write_report(compared, tmp_path / "a", formats=["svg", "pdf"])
    second = nc.write_report(compared, tmp_path / "b", formats=["svg", "pdf"])
    assert first.read_bytes() == second.read_bytes()
    for path in first.parent.iterdir():
        assert path.read_bytes() == (second.parent / path.name).read_bytes(), path.name


def test_wrong_requests(compared, tmp_path):
    with pytest.raises(nc.InputError, match="format of figures is 'gif'; allowed: png, svg, pdf"):
        nc.write_report(compared, tmp_path, formats=["gif"])
    with pytest.raises(nc.InputError, match="baseline is 'best'; allowed: fair"):
        nc.write_report(compared, tmp_path, baseline="best")
    with pytest.raises(nc.InputError, match="holds no result"):
        nc.write_report(tmp_path)
    page = tmp_path / "report.html"
    page.write_text("somebody's")
    with pytest.raises(nc.InputError, match="is no report of ns3-coflow; allowed: another folder"):
        nc.write_report(compared, tmp_path)
    assert page.read_text() == "somebody's"
    with pytest.raises(nc.InputError, match="allowed: a folder to write to"):
        nc.write_report(compared, page)


def test_the_numbers_that_are_drawn_are_those_of_the_table(compared, swept):
    data = read(compared)
    means = {case.series: case.coflows["cct_s"].mean() for case in data.cases}
    chart = figures.improvement(data, "fair", figures.Selection())
    whole = chart.table[chart.table["bin"] == "all"].set_index("series")["ratio"]
    assert set(whole.index) == set(data.series) - {"fair"}
    for series, ratio in whole.items():
        assert ratio == pytest.approx(means["fair"] / means[series])
    chart = figures.times_by_bin(data, "mean-cct", figures.Selection())
    with style.figure_style():
        for width in (style.WIDTH, style.COLUMN):
            axes = chart.draw(width).axes[0]
            assert axes.get_ylim()[0] == 0
            assert axes.get_yscale() == "linear"
            bars = [each for each in axes.containers if isinstance(each, BarContainer)]
            heights = [each.patches[0].get_height() for each in bars]
            assert heights == pytest.approx([1e3 * means[each] for each in data.series])
    # Repeated runs of the fluid engine are alike, and tell nothing of chance.
    table = figures.axis_effect(read(swept), figures.Selection()).table
    assert table["mean"].notna().all()
    assert table["low"].isna().all()


def test_intervals_of_means_and_of_paired_ratios():
    assert mean_of([1.0, 3.0]) == pytest.approx((2, 2 - 12.7062, 2 + 12.7062), rel=1e-4)
    assert np.isnan(mean_of([5.0]).low)
    assert np.isnan(mean_of([5.0, 5.0, 5.0]).low)
    assert np.isnan(mean_of([]).mean)
    base = pd.Series([2.0, 30.0, 4.0, 1.0], index=[1, 2, 3, 9])
    ours = pd.Series([10.0, 1.0, 0.0], index=[2, 1, 3])
    # Runs 1 and 2 are in both; of run 3 there is no ratio.
    assert mean_of(ratios_of(base, ours)) == mean_of([2.0, 3.0])


def test_distributions_have_as_many_points_as_a_figure_shows():
    values, share = quantiles(pd.Series([3.0, 1.0, np.nan, 2.0]))
    assert values.tolist() == [1, 2, 3]
    assert share.tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    values, share = quantiles(pd.Series(np.arange(1e5)))
    assert len(values) <= 500
    assert (values[0], values[-1], share[-1]) == (0, 1e5 - 1, 1)


def test_one_figure_for_a_paper(compared, swept, tmp_path):
    path = tmp_path / "mean.pdf"
    drawn = nc.figure(swept, "mean-cct", path)
    assert drawn.get_figwidth() == pytest.approx(style.COLUMN)
    assert path.read_bytes().startswith(b"%PDF")
    table = pd.read_csv(tmp_path / "mean.csv")
    assert {"point", "series", "bin", "mean", "low", "high"} == set(table.columns)
    assert nc.figure(nc.open_sweep(swept), "axis", width="page").get_figwidth() == style.WIDTH
    assert nc.figure(nc.Result.load(compared / "fair"), "cct-cdf", width=5).get_figwidth() == 5
    small = tmp_path / "small.svg"
    nc.figure(swept, "axis", small, bin="SN", metric="p95")
    found = pd.read_csv(tmp_path / "small.csv").iloc[0]
    rows = nc.open_sweep(swept).done
    here = (rows["scheduler"] == "fair") & (rows["controlPeriod"] == "1ms")
    here &= rows["linkRate"] == "1Gbps"
    assert found["mean"] == pytest.approx(rows[here]["cct_s.SN.p95"].mean())
    assert "of short, narrow coflows" in small.read_text()
    with pytest.raises(nc.InputError, match="figure is 'pie'; allowed for these results: cct-cdf"):
        nc.figure(compared, "pie")
    with pytest.raises(nc.InputError, match="bin is 'XL'; allowed: all, SN, LN, SW, LW"):
        nc.figure(compared, bin="XL")
    with pytest.raises(nc.InputError, match="metric is 'max'; allowed: mean, median, p95"):
        nc.figure(compared, metric="max")
    with pytest.raises(nc.InputError, match=r"over is 'seed'; allowed: an axis: controlPeriod, l"):
        nc.figure(swept, over="seed")
    with pytest.raises(nc.InputError, match=r"out is 'a.gif'; allowed: a name that ends in .pdf"):
        nc.figure(compared, "cct-cdf", "a.gif")
    for width in ("both", 0.1, float("inf")):
        with pytest.raises(nc.InputError, match="allowed: 'column', 'page', or inches"):
            nc.figure(compared, "cct-cdf", width=width)


def test_intervals_over_workloads(tmp_path):
    seeds = {
        str(seed): {
            "trace": nc.Trace.generate("fb-like", coflows=10, hosts=16, seed=seed).transform(
                "scale=0.004"
            )
        }
        for seed in (1, 2, 3)
    }
    grid = {"seed": seeds, "scheduler": ["fair", "varys"], "linkRate": ["1Gbps", "10Gbps"]}
    base = nc.Experiment(topology=nc.FatTree(k=4), engine="fluid")
    sweep = nc.sweep(grid, 2, base=base, out=tmp_path)
    table = sweep.ratio("fair", over="seed").set_index(["scheduler", "linkRate"])
    means = sweep.mean(over="seed").set_index(["scheduler", "linkRate"])
    rows = sweep.done[(sweep.done["linkRate"] == "10Gbps") & (sweep.done["RngRun"] == 1)]
    values = rows.pivot_table(index="seed", columns="scheduler", values="cct_s.all.mean")
    row = table.loc["varys", "10Gbps"]
    expected = mean_of(values["fair"] / values["varys"])
    assert row["runs"] == 3
    assert (row["ratio"], row["low"], row["high"]) == pytest.approx(expected)
    assert means.loc[("varys", "10Gbps"), "mean"] == pytest.approx(values["varys"].mean())
    data = read(sweep, "seed")
    assert data.panels == ["linkRate 1Gbps", "linkRate 10Gbps"]
    assert data.repeats == 3
    chart = figures.axis_effect(data, figures.Selection())
    drawn = chart.table.set_index(["series", "linkRate"]).loc[("varys", "10Gbps")]
    assert (drawn["mean"], drawn["low"], drawn["high"]) == pytest.approx(mean_of(values["varys"]))
    assert "95 % confidence over seed" in chart.caption
    text = nc.write_report(sweep, formats=[], over="seed").read_text()
    assert "the 95 % confidence interval over seed" in text
    assert "start times only" not in text  # which is true of intervals over RngRun
    with pytest.raises(nc.InputError, match="over is 'scheduler'; allowed: an axis: seed, linkR"):
        sweep.mean(over="scheduler")


def test_numbers_stand_to_scale():
    spots = place_values("controlBatch", ["1.6ms", "25us", 0.0001])
    assert [spots.of(value) for value in ("1.6ms", "25us", 0.0001)] == pytest.approx(
        [1.6, 0.025, 0.1]
    )
    with style.figure_style():
        axes = Figure().subplots()
        axes.plot([0.025, 1.6], [1, 2])
        spots.label(axes)
    assert axes.get_xlabel() == "controlBatch (ms, log scale)"
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["0.025", "0.1", "1.6"]
    assert place_values("load", ["0.2", "0.8"]).of("0.8") == 0.8
    assert place_values("x", ["1Gbps", "10Gbps"]).of("10Gbps") == 10
    for names in (["a", "b"], ["1ms", "1Gbps"], [True, False]):
        assert [place_values("x", names).of(name) for name in names] == [0, 1]


def test_panels_that_share_an_axis_show_all_points(swept):
    """The limits of the first panel are not those of the others."""
    data = read(swept)
    chart = figures.axis_effect(data, figures.Selection())
    with style.figure_style():
        drawn = chart.draw(style.COLUMN)
    high = max(axes.dataLim.y1 for axes in drawn.axes)
    for axes in drawn.axes:
        assert axes.get_ylim()[0] == 0 or "log scale" in drawn.axes[0].get_ylabel()
    assert all(axes.get_ylim()[1] >= high for axes in drawn.axes)


def test_folders_stand_side_by_side(compared, swept, tmp_path):
    base = nc.Experiment(nc.Trace.generate("incast"), nc.BigSwitch(hosts=9), engine="fluid")
    for folder, rate in (("slow", "1Gbps"), ("fast", "10Gbps")):
        for name in ("fair", "varys"):
            base.with_options(linkRate=rate, scheduler=name).run(out=tmp_path / folder / name)
    folders = [tmp_path / "slow", tmp_path / "fast"]
    data = read(folders)
    assert data.panels == ["folder slow", "folder fast"]
    assert data.series == ["fair", "varys"]
    path = nc.write_report(folders, tmp_path / "both", formats=["svg"])
    page = Page(path.read_text())
    assert "axis" in page.figures
    assert all((path.parent / link).is_file() for link in page.links)
    assert "../slow/fair/coflows.csv" in page.links
    with pytest.raises(nc.InputError, match="not one folder; allowed: with out"):
        nc.write_report(folders)
    with pytest.raises(nc.InputError, match="allowed: each of them once"):
        read([tmp_path / "slow", tmp_path / "slow"])
    with pytest.raises(nc.InputError, match="no folder is given"):
        read([])


def test_axes_of_ns3_differ_too(trace, tmp_path):
    base = nc.Experiment(trace.first(3), nc.FatTree(k=4))
    name = "ns3::coflow::FifoQueueDisc::MarkingThreshold"
    nc.sweep({name: ["5p", "20p"]}, base=base, out=tmp_path)
    text = nc.write_report(tmp_path, formats=[]).read_text()
    assert f'<th class="text">{name}</th><td class="text"><div>5p</div><div>20p</div>' in text
    assert f'<th class="text">{name}</th>' in text[text.index('class="sortable"') :]


def test_a_page_to_share_names_no_folders(swept, tmp_path):
    assert without_folders("--trace=/home/me/t.csv --x=1/2") == "--trace=t.csv --x=1/2"
    assert without_folders("--trace='~/runs/my trace.csv'") == "--trace='my trace.csv'"
    assert without_folders("flow-csv ../shared/t.csv; scale=0.1") == "flow-csv t.csv; scale=0.1"
    text = nc.write_report(swept, tmp_path / "report", formats=[]).read_text()
    assert str(tmp_path.parent) not in text


@pytest.mark.parametrize("form", ["folders", "sweep"])
def test_what_not_all_finished_is_not_compared(form, trace, tmp_path):
    late = trace.transform("deadlines=0.5:1Gbps:1")
    base = nc.Experiment(late, nc.FatTree(k=4), engine="fluid")
    if form == "sweep":
        nc.sweep({"scheduler": ["fair", "vc"]}, base=base, out=tmp_path)
    else:
        for name in ("fair", "vc"):
            base.with_options(scheduler=name).run(out=tmp_path / name)
    data = read(tmp_path)
    fair, vc = data.cases
    done = vc.coflows.set_index("coflow_id")["cct_s"].dropna()
    assert 0 < len(done) < 60
    common = fair.coflows.set_index("coflow_id")["cct_s"][done.index]
    assert fair.mean("cct_s.all.mean") == pytest.approx(common.mean())
    assert vc.mean("cct_s.all.mean") == pytest.approx(done.mean())
    assert fair.mean("compared") == vc.mean("compared") == len(done)
    shares = (
        figures.cct_cdf(data, figures.Selection())
        .table.groupby("series", sort=False)["share"]
        .max()
    )
    uses = fair.coflows.set_index("coflow_id")["min_cct_s"] > 0  # the network
    ends = {"fair": 1, "vc": uses[done.index].sum() / uses.sum()}
    assert shares.to_dict() == pytest.approx(ends)
    text = nc.write_report(tmp_path, formats=["svg"]).read_text()
    assert "<th>met</th><th>rejected</th>" in text
    assert f"<td>{len(done)} of 60</td>" in text
    assert f"<td>{60 - len(done)}</td>" in text


def test_it_says_what_was_run(compared, swept, tmp_path):
    def told(folder):
        data = read(folder)
        return dict(describe_setup(data)), describe_bins(data)

    setup, bins = told(compared)
    (workload,) = setup["workload"]
    assert workload.endswith("transform first=20: 20 coflows, 549 flows, 131.6 MB on 16 hosts")
    assert setup["network"] == ["fat-tree, links of 1 Gbps"]
    assert setup["engine"] == [
        "fluid", "packet, fabric express, Dctcp, segments of 1448 bytes",
    ]  # fmt: skip
    assert setup["options"][0] == "--k=4"
    assert set(setup["options"][1:]) == {
        "fair: --sampleInterval=2ms", "varys: --sampleInterval=2ms", "aalo: --sampleInterval=2ms",
    }  # fmt: skip
    assert setup["random numbers"] == ["RngSeed 1, RngRun 1"]
    (version,) = setup["versions"]
    assert version.startswith(f"ns3-coflow {nc.__version__}")
    assert version.endswith(", ns-3 3.44, release build")
    assert "below 20000 bytes" in bins  # the trace is scaled by 1/250
    assert "at most 50 flows" in bins
    setup, _ = told(swept)
    assert setup["network"] == ["fat-tree, links of 1 Gbps", "fat-tree, links of 10 Gbps"]
    assert setup["options"][0] == "--k=4 --bypassBytes=0"
    assert "varys: --controlPeriod=1ms" in setup["options"]
    assert setup["random numbers"] == ["RngSeed 1, RngRun 1", "RngSeed 1, RngRun 2"]
    text = nc.write_report(swept, tmp_path, formats=["svg"]).read_text()
    assert "<div>fat-tree, links of 10 Gbps</div>" in text


def test_schedulers_stand_in_the_order_given(compared, tmp_path):
    base = nc.Experiment(nc.Trace.generate("incast"), nc.BigSwitch(hosts=9), engine="fluid")
    for name in ("aalo", "fair", "late", "varys"):
        base.with_options(scheduler="varys" if name == "late" else name).run(out=tmp_path / name)
    (tmp_path / "comparison.csv").write_text("scheduler,baseline\nvarys,varys\naalo,varys\n")
    # The others are of an earlier comparison.
    assert read(tmp_path).series == ["varys", "aalo"]
    assert read(compared).series[0] == "fair"


@pytest.mark.parametrize("width", [style.WIDTH, style.COLUMN])
@pytest.mark.parametrize("folder", ["compared", "swept"])
def test_no_text_overlaps(folder, width, request):
    """Labels, titles and legends stand apart, and inside the figure."""
    data = read(request.getfixturevalue(folder))
    with style.figure_style():
        for name, chart in make_charts(data, data.series[0]).items():
            figure = chart.draw(width)
            renderer = FigureCanvasAgg(figure).get_renderer()
            figure.draw(renderer)
            texts = []
            for axes in figure.axes:
                if axes.get_visible():
                    texts += [axes.title, axes.xaxis.label, axes.yaxis.label]
                    for axis in (axes.xaxis, axes.yaxis):
                        low, high = sorted(axis.get_view_interval())
                        texts += [
                            tick.label1
                            for tick in axis.get_major_ticks()
                            if tick.label1.get_visible() and low <= tick.get_loc() <= high
                        ]
            for legend in figure.legends:
                texts += legend.get_texts()
            boxes = [
                (text.get_text(), text.get_window_extent(renderer))
                for text in texts
                if text.get_text()
            ]
            frame = figure.bbox
            for place, (label, box) in enumerate(boxes):
                assert frame.x0 - 1 <= box.x0, (name, label)
                assert box.x1 <= frame.x1 + 1, (name, label)
                for other, another in boxes[place + 1 :]:
                    apart = (
                        box.x1 <= another.x0 + 1
                        or another.x1 <= box.x0 + 1
                        or box.y1 <= another.y0 + 1
                        or another.y1 <= box.y0 + 1
                    )
                    assert apart, (name, label, other)


def test_series_can_be_told_apart():
    lines = [(each["color"], str(each["linestyle"])) for each in map(style.line_style, range(28))]
    assert len(set(lines)) == 28
    # In grey, neighbours differ in dashes.
    assert all(a[1] != b[1] for a, b in itertools.pairwise(lines))
    lightness = [mpl.colors.rgb_to_hsv(mpl.colors.to_rgb(c))[2] for c in style.COLOURS]
    assert len(style.COLOURS) == len(set(style.COLOURS))
    assert max(lightness) <= 1


def test_small_values_show_in_the_gantt_view(compared):
    with style.figure_style():
        figure = gantt(read(compared)).draw(style.WIDTH)
    assert len(figure.axes[0].collections) > 20
    assert gantt(read(compared), most_coflows=3) is None


def test_results_that_a_script_wrote(compared, tmp_path):
    """CoflowHelper knows of no topology, no reader and no command line."""
    shutil.copytree(compared / "fair-packet", tmp_path / "mine")
    path = tmp_path / "mine/summary.json"
    summary = json.loads(path.read_text())
    del summary["configuration"]["topology"]
    hosts = [{"up_bit_per_s": rate * 1e9, "down_bit_per_s": 1e9} for rate in (1, 10, 1)]
    summary["configuration"]["network"] = {"hosts": hosts}
    summary["topology"] = summary["fabric"] = "script"
    summary["workload"]["history"] = []
    summary["reproduce"] = ""
    path.write_text(json.dumps(summary))
    setup = dict(describe_setup(read(tmp_path)))
    assert setup["network"] == ["of a script, 3 hosts with links of 1 Gbps to 10 Gbps"]
    assert setup["workload"][0].startswith("of a script: 20 coflows, ")
    text = nc.write_report(tmp_path, formats=[]).read_text()
    assert "How to get the same results" not in text
    assert 'id="cct-cdf"' in text
