# SPDX-License-Identifier: GPL-2.0-only
"""Reports in a browser: figures suit the window, and tables can be sorted."""

import json
import re
import shutil
import subprocess

import pytest
from matplotlib.image import imread

import ns3coflow as nc

# What the page does once it is loaded; what it finds out becomes its title.
USE = """
<script>
addEventListener("load", function () {
  const found = {};
  const all = (query, place) => [...(place || document).querySelectorAll(query)];
  found.pictures = all("figure").filter((each) => all("img", each)[0].naturalWidth > 100).length;
  found.ratios = all("figure img").map((each) => each.naturalWidth / each.clientWidth);
  found.wide = document.documentElement.scrollWidth - innerWidth;
  found.scrolls = all(".wide").filter((each) => each.scrollWidth > each.clientWidth).length;

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


def test_pictures_and_tables(chromium, report, tmp_path):
    found = use(chromium, report, tmp_path, "--window-size=1280,900")
    assert found["pictures"] == report.read_text().count("<figure ")
    assert found["wide"] <= 0
    means = [float(each) for each in found["up"]]
    assert means == sorted(means)
    assert found["down"] == found["up"][::-1]
    assert len(set(means)) > 2


def test_a_phone_shows_it(chromium, swept, tmp_path):
    """The page fits the window, tables scroll, and figures are those that are made for a column."""
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
    assert found["scrolls"] >= 1
    assert max(found["ratios"]) < 1.2  # letters of 8 points are hardly smaller


def test_a_page_that_is_not_empty(chromium, report, tmp_path):
    picture = tmp_path / "page.png"
    chromium("--window-size=1100,3200", f"--screenshot={picture}", f"file://{report}")
    pixels = imread(picture)
    assert pixels.shape[:2] == (3200, 1100)
    # Not wider than the window: ink everywhere but at the margins.
    ink = (pixels[..., :3] < 0.9).any(axis=2)
    assert 0.02 < ink.mean() < 0.5
    assert not ink[:, :10].any()
