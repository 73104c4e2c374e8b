#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out the sources of the documentation: the pages of docs/, the gallery, and the reference pages that the
program writes about itself.

The hand-written part of a generated page stands in docs/reference/<page>.md; what the program knows replaces
each line `<!-- generated: NAME -->` in it.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import gallery

ROOT = Path(__file__).resolve().parent.parent
MARK = re.compile(r"<!-- generated: ([\w-]+) -->")


def generated(program, page):
    """The text that the program has for this page."""
    return subprocess.run([program, page], capture_output=True, text=True, timeout=60, check=True,
                          stdin=subprocess.DEVNULL).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generator", type=Path, required=True, help="the program liaison_reference")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    if options.out.exists():
        shutil.rmtree(options.out)
    shutil.copytree(ROOT / "docs", options.out, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    gallery.write_pages(options.out / "gallery")
    shutil.copy(ROOT / "CHANGELOG.md", options.out / "changelog.md")

    for page in sorted((options.out / "reference").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        text = MARK.sub(lambda mark: generated(options.generator, mark[1]), text)
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
