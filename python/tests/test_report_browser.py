# SPDX-License-Identifier: GPL-2.0-only
"""Reports in a browser: figures are drawn, values show under the pointer, zoom and tables work."""

import json
import re
import shutil
import subprocess

import pytest
from matplotlib.image import imread

import ns3coflow as nc
from ns3coflow import figures, live, style
from ns3coflow.report_data import read

# What the page does once it is loaded; what it finds out becomes its title.
USE = """
<script>
addEventListener("load", function () {
  const found = {};
  const all = (query, place) => [...(place || document).querySelectorAll(query)];
  found.pictures = all("figure").filter((each) => all("img", each)[0].naturalWidth > 100).length;
  found.live = all("figure.is-live").map((each) => each.id);
  found.wide = document.documentElement.scrollWidth - innerWidth;
  found.letters = Math.min(...all(".panel svg text").map((each) =>
    parseFloat(getComputedStyle(each).fontSize)));
  found.outside = all(".panel svg text").filter(function (each) {
    const [box, frame] = [each, each.closest("svg")].map((one) => one.getBoundingClientRect());
    return box.left < frame.left - 1 || box.right > frame.right + 1;
  }).map((each) => each.textContent);

  const cdf = document.getElementById("cct-cdf");
  const svg = all("svg", cdf)[0];
  const [left, right] = [58, svg.clientWidth - 10];  // of the axes
  const point = function (type, share) {
    const place = svg.getBoundingClientRect();
    svg.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1,
      clientX: place.left + left + share * (right - left), clientY: place.top + 60 }));
  };
  const tip = () => [...all(".tip", cdf)[0].children].map((each) => each.textContent);
  const ticks = () => all("text", svg).map((each) => each.textContent).join("|");
  point("pointermove", 0.5);
  found.middle = tip();
  const places = [all(".tip", cdf)[0], svg].map((each) => each.getBoundingClientRect());
  found.beside = places[0].top > places[1].top && places[0].top < places[1].top + 100;
  found.ticks = ticks();
  point("pointerdown", 0.25);
  point("pointermove", 0.6);
  point("pointerup", 0.85);
  found.zoomed = ticks();
  point("pointermove", 0.5);
  found.middleOfZoomed = tip();
  found.button = !all(".whole", cdf)[0].hidden;
  svg.dispatchEvent(new MouseEvent("dblclick"));
  found.back = ticks();
  const lines = all("svg path[stroke-width]", cdf).length;
  all(".legend button", cdf)[0].click();
  found.hidden = lines - all("svg path[stroke-width]", cdf).length;

  const table = all("table.sortable")[0];
  const head = all("th", table).find((each) => each.textContent.startsWith("mean CCT"));
  const column = all("th", table).indexOf(head);
  const values = () => [...table.tBodies[0].rows].map((row) => row.cells[column].textContent);
  head.click();
  found.up = values();
  head.click();
  found.down = values();
  document.title = "found " + JSON.stringify(found);
});
</script></body>
"""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    browser = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chrome")
    if browser is None:
        pytest.skip("there is no chromium; Debian: apt-get install chromium")
    user = tmp_path_factory.mktemp("browser")

    def run(*arguments):
        return subprocess.run(
            [
                browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                f"--user-data-dir={user}", "--virtual-time-budget=5000", *arguments,
            ],
            capture_output=True, text=True, check=True, timeout=120,
        ).stdout  # fmt: skip

    return run


@pytest.fixture(scope="module")
def report(compared, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    return nc.write_report(compared, folder, formats=["png"])


def use(chromium, report, folder, *arguments):
    """What the script above finds out."""
    page = folder / "used.html"
    page.write_text(report.read_text().replace("</body>", USE))
    text = chromium(*arguments, "--dump-dom", f"file://{page}")
    return json.loads(re.search(r"<title>found (.*?)</title>", text, re.DOTALL)[1])


def cdf_of(folder):
    with style.figure_style():
        data = read(folder)
        figure = figures.cct_cdf(data)
        figure.draw_without_rendering()
        return json.loads(live.describe(figure, data.series))["panels"][0]


def test_values_zoom_and_tables(chromium, compared, report, tmp_path):
    found = use(chromium, report, tmp_path, "--window-size=1280,900")
    page = report.read_text()
    assert found["pictures"] == page.count("<figure ")
    assert set(found["live"]) == {
        "cct-cdf", "mean-cct", "p95-cct", "improvement", "fluid-versus-packet", "utilisation",
    }  # fmt: skip
    assert found["outside"] == []
    # The pointer in the middle of a logarithmic axis: the geometric mean of its ends.
    low, high = cdf_of(compared)["x"]["range"]
    for told, middle in (
        (found["middle"], (low * high) ** 0.5),
        (found["middleOfZoomed"], low * (high / low) ** ((0.25 + 0.85) / 2)),
    ):
        said, unit = told[0].removeprefix("coflow completion time ").split()
        assert float(said) * {"ms": 1e-3, "us": 1e-6}[unit] == pytest.approx(middle, rel=1e-2)
        shares = dict(each.split(": ") for each in told[1:])
        data = read(compared)
        assert list(shares) == data.series
        for case in data.cases:
            share = 100 * (case.coflows["cct_s"] <= middle).mean()
            assert float(shares[case.series].removesuffix(" %")) == pytest.approx(share, abs=0.1)
    assert found["beside"]  # the values stand in the figure, not below it
    assert found["zoomed"] != found["ticks"]
    assert found["button"]
    assert found["back"] == found["ticks"]
    assert found["hidden"] == 1
    means = [float(each) for each in found["up"]]
    assert means == sorted(means)
    assert found["down"] == found["up"][::-1]
    assert len(set(means)) > 2


def test_a_phone_shows_it(chromium, swept, tmp_path):
    """The page fits the window; letters in figures are 12 pixels high, and none is cut off."""
    report = nc.write_report(swept, tmp_path / "report", formats=[])
    # The smallest window of a browser is wider than a phone, but a frame is not.
    inner = tmp_path / "used.html"
    tell = "parent.document.title = document.title;\n});\n</script></body>"
    inner.write_text(
        report.read_text().replace("</body>", USE.replace("});\n</script></body>", tell))
    )
    outer = tmp_path / "phone.html"
    outer.write_text('<iframe src="used.html" style="width: 390px; height: 800px"></iframe>')
    text = chromium(
        "--allow-file-access-from-files", "--window-size=800,900", "--dump-dom", f"file://{outer}"
    )
    found = json.loads(re.search(r"<title>found (.*?)</title>", text, re.DOTALL)[1])
    assert found["wide"] <= 0
    assert found["letters"] >= 12
    assert found["outside"] == []
    assert "axis" in found["live"]


def test_a_page_that_is_not_empty(chromium, report, tmp_path):
    picture = tmp_path / "page.png"
    chromium("--window-size=1100,3200", f"--screenshot={picture}", f"file://{report}")
    pixels = imread(picture)
    assert pixels.shape[:2] == (3200, 1100)
    # Not wider than the window: ink everywhere but at the margins.
    ink = (pixels[..., :3] < 0.9).any(axis=2)
    assert 0.02 < ink.mean() < 0.5
    assert not ink[:, :10].any()


def test_without_its_script_it_shows_the_pictures(report):
    """What is printed, too: the rules for paper show the picture of each figure."""
    text = report.read_text()
    assert "figure .live, figure.is-live .still { display: none; }" in text
    paper = text[text.index("@media print") :]
    assert "figure.is-live .still { display: block; }" in paper[: paper.index("</style>")]
    assert text.count('class="picture still"') == text.count("<figure ")
