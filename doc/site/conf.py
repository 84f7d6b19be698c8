# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx's settings for the site. utils/build-docs copies the sources and runs Sphinx on them."""

import os
from pathlib import Path

from ns3coflow import NS3_VERSION, VERSION

project = "ns3-coflow"
author = "the authors of ns3-coflow"
project_copyright = "GPL-2.0-only"
version = release = VERSION
extensions = [
    "breathe",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]

# Every page stands where it stands in the repository, so that its links hold in both places.
root_doc = "index"
exclude_patterns = ["README.md", "doc/coflow.rst", "doc/site", "doc/validation/figures", "examples"]

myst_heading_anchors = 4  # as code hosts have them
myst_enable_extensions = ["colon_fence"]
myst_links_external_new_tab = False
# A type of Python in a docstring need not have a page.
nitpicky = False
# Pages that are filled with tables begin them below the level of a section.
suppress_warnings = ["myst.header"]

html_theme = "furo"
html_title = f"ns3-coflow {VERSION}"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_js_files = ["tables.js"]
html_search_scorer = str(Path(__file__).with_name("search.js"))
html_show_sphinx = False
html_show_copyright = False
html_domain_indices = False
html_theme_options = {"top_of_page_buttons": []}
# The site opens from the file system: links name files, not folders.
html_copy_source = False
html_show_sourcelink = False

autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = True

breathe_projects = {"coflow": os.environ.get("COFLOW_DOXYGEN_XML", "")}
breathe_default_project = "coflow"
breathe_default_members = ("members",)
breathe_show_include = False
cpp_index_common_prefix = ["ns3::coflow::", "coflow::"]

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"
copybutton_copy_empty_lines = False
# Two hyphens of an option stay two hyphens.
smartquotes = False
# Programs print what no lexer knows.
highlight_language = "none"
myst_substitutions = {"ns3_version": NS3_VERSION}
