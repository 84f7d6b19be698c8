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
from matplotlib.figure import Figure

import ns3coflow as nc
from ns3coflow import figures, live, style
from ns3coflow.report import make_figures
from ns3coflow.report_data import quantiles, read
from ns3coflow.report_setup import describe_bins, describe_setup


def test_smaller_figures_are_the_same_pictures():
    from ns3coflow.svg import shrink_svg

    text = (
        '<svg><metadata>x</metadata><defs>\n  <style type="text/css">*{a: b}</style>\n </defs>\n'
        '<!-- axes -->\n<g id="axes_1"><path id="m1"'
        ' d="M 0.123456 10 L 5.04 10 L 9.96 10 L 9.96 2.5"'
        ' style="fill: none; stroke: red"/></g>'
        '<use xlink:href="#m1" x="1.26" y="-0.01" style="fill: none; stroke: red"/>'
        '<text x="1" y="2" transform="rotate(-0 1 2)">1.2345</text></svg>'
    )
    small = shrink_svg(text)
    assert 'd="M0.1 10H10V2.5"' in small
    assert 'id="i0"' in small
    assert 'xlink:href="#i0" x="1.3" y="0"' in small
    assert small.count("fill:none;stroke:red") == 1
    assert small.count('class="c0"') == 2
    assert ">1.2345</text>" in small  # text is not geometry
    assert "metadata" not in small
    assert "axes" not in small
    assert "rotate" not in small


class Page(html.parser.HTMLParser):
    """What a page links to and shows."""

    def __init__(self, text):
        super().__init__()
        self.sources, self.links, self.figures, self.open = [], [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag not in ("meta", "img"):
            self.open.append(tag)
        self.sources += [values["src"]] if "src" in values else []
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


def test_numbers_in_figures(compared):
    data = read(compared)
    means = {case.series: case.coflows["cct_s"].mean() for case in data.cases}
    with style.figure_style():
        figure = figures.improvement(data, "fair")
    axes = figure.axes[0]
    heights = {
        container.get_label(): container.patches[0].get_height() for container in axes.containers
    }
    for series, height in heights.items():
        assert height == pytest.approx(means["fair"] / means[series])
    values, share = quantiles(pd.Series([3.0, 1.0, np.nan, 2.0]))
    assert values.tolist() == [1, 2, 3]
    assert share.tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert len(quantiles(pd.Series(np.arange(1e5)))[0]) <= 2000


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
    with style.figure_style():
        lines = figures.cct_cdf(data).axes[0].lines
    shown = 60 - (done == 0).sum()  # no place for 0 on a logarithmic axis
    ends = [1, (done > 0).sum() / shown]
    assert [line.get_ydata()[-1] for line in lines] == pytest.approx(ends)
    text = nc.write_report(tmp_path, formats=["svg"]).read_text()
    assert "<th>met</th><th>rejected</th><th>bypassed</th>" in text.replace("\n", "")
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
    assert setup["versions"] == [f"ns3-coflow {nc.__version__}, ns-3 3.44, release build"]
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


@pytest.mark.parametrize("folder", ["compared", "swept"])
def test_no_text_overlaps(folder, request):
    """Labels, titles and legends stand apart, and inside the figure."""
    data = read(request.getfixturevalue(folder))
    with style.figure_style():
        for name, shown in make_figures(data, data.series[0]).items():
            figure = shown.figure
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
        figure = figures.gantt(read(compared))
    bars = figure.axes[0].collections
    assert len(bars) > 20
    assert figures.gantt(read(compared), most_coflows=3) is None


def test_drawn_from_the_data_of_the_figures(compared, swept):
    """What the script draws are the numbers of the files' figures."""
    data = read(compared)
    with style.figure_style():
        made = {name: shown.figure for name, shown in make_figures(data, "fair").items()}
        for figure in made.values():
            figure.draw_without_rendering()
        told = {name: live.describe(figure, data.series) for name, figure in made.items()}
        axis = figures.axis_effect(read(swept))[1]
        axis.draw_without_rendering()
        sweep = json.loads(live.describe(axis, ["fair", "varys", "aalo"]))
    # Charts of other kinds stay pictures.
    assert {name for name, text in told.items() if text is None} == {"gantt", "control"}
    (panel,) = json.loads(told["cct-cdf"])["panels"]
    assert panel["x"]["log"]
    assert not panel["y"]["log"]
    assert [each["name"] for each in panel["series"]] == data.series
    for case, line in zip(data.cases, panel["series"], strict=True):
        times = np.sort(case.coflows["cct_s"])
        assert line["kind"] == "step"
        assert line["x"] == pytest.approx(times, rel=1e-4)
        assert line["y"] == pytest.approx(np.arange(1, 21) / 20)
    (panel,) = json.loads(told["improvement"])["panels"]
    rule, *bars = panel["series"]
    assert (rule["kind"], rule["x"], rule["y"]) == ("rule", [None, None], [1, 1])
    assert bars[0]["y"] == [1] * len(panel["x"]["names"])
    assert panel["x"]["names"][0] == "all"
    assert len(json.loads(told["utilisation"])["panels"]) == 2
    line = sweep["panels"][0]["series"][1]
    assert line["name"] == "varys"
    assert line["half"] == pytest.approx([0] * len(line["x"]), abs=1e-9)  # repetitions are alike
    assert line["dash"]
    colours = [style.line_style(place)["color"] for place in range(3)]
    assert [each["colour"] for each in sweep["panels"][0]["series"]] == colours


@pytest.mark.parametrize("label", ["varys", "</script>", "<!--<script>"])
def test_many_points_are_thinned_out_between_the_ends(label):
    figure = Figure()
    axes = figure.subplots()
    axes.plot(range(10_000), range(10_000), label=label)
    text = live.describe(figure, [label])
    assert "<" not in text  # which could end the script element, or hide its end
    (line,) = json.loads(text)["panels"][0]["series"]
    assert line["name"] == label
    assert len(line["x"]) == live.MOST_POINTS
    assert (line["x"][0], line["x"][-1]) == (0, 9999)


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
