# SPDX-License-Identifier: GPL-2.0-only
"""Pages that programs write are what they would write now."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

from ns3coflow import metadata

SOURCE = Path(__file__).resolve().parents[2]


def test_the_page_of_parameters_is_what_parts_declare():
    make = runpy.run_path(str(SOURCE / "utils" / "parameter-page"))["page"]
    # As the program prints it: what Python has added is left out.
    description = json.loads(json.dumps(metadata.describe()))
    page = (SOURCE / "doc" / "parameters.md").read_text()
    assert page == make(description), "coflow-replay --describe | utils/parameter-page"
