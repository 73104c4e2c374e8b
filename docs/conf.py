# SPDX-License-Identifier: Apache-2.0
"""Sphinx settings: MyST Markdown, the furo theme, and mathematics by a local copy of KaTeX."""

import html
import re
from pathlib import Path

project = "liaison"
author = "The liaison authors"
copyright = "the liaison authors"  # noqa: A001 (Sphinx wants this name)

cmake = next((parent / "CMakeLists.txt" for parent in Path(__file__).resolve().parents
              if (parent / "CMakeLists.txt").is_file()), None)
release = re.search(r"project\(liaison VERSION ([\d.]+)", cmake.read_text())[1] if cmake else ""
version = release

extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # wrong examples on the page of messages are wrong TOML

html_theme = "furo"
html_title = f"liaison {release}"
html_static_path = ["_static", "/usr/share/javascript/katex"]
html_css_files = ["katex.min.css", "house.css"]
html_js_files = ["katex.min.js", "mathematics.js"]
html_show_sphinx = False


def visit_inline(self, node):
    self.body.append(f'<span class="math-inline">{html.escape(node.astext())}</span>')
    raise_skip()


def visit_block(self, node):
    self.body.append(f'<div class="math-block">{html.escape(node.astext())}</div>')
    raise_skip()


def raise_skip():
    from docutils import nodes

    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer = "katex"
