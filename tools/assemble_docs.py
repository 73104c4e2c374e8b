#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out the sources of the documentation: the pages of docs/, the gallery, and the reference pages that the
program writes about itself.

The hand-written part of a generated page stands in docs/reference/<page>.md; what the program knows replaces
the line `<!-- generated -->` in it.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import gallery

ROOT = Path(__file__).resolve().parent.parent
MARK = "<!-- generated -->"


def generated(program, page):
    """The text that the program has for this page, empty where it has none."""
    if not program.is_file():
        return ""
    answer = subprocess.run([program, "reference", page], capture_output=True, text=True, timeout=60,
                            check=False, stdin=subprocess.DEVNULL)
    return answer.stdout if answer.returncode == 0 else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--liaison", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    if options.out.exists():
        shutil.rmtree(options.out)
    shutil.copytree(ROOT / "docs", options.out, ignore=shutil.ignore_patterns("_build", "__pycache__"))
    gallery.write_pages(options.out / "gallery")
    shutil.copy(ROOT / "CHANGELOG.md", options.out / "changelog.md")

    missing = []
    for page in sorted((options.out / "reference").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if MARK not in text:
            continue
        content = generated(options.liaison, page.stem)
        if not content:
            missing.append(page.stem)
        page.write_text(text.replace(MARK, content), encoding="utf-8")
    if missing:
        print(f"the program has no text yet for: {', '.join(missing)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
