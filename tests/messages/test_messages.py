# SPDX-License-Identifier: Apache-2.0
"""Golden messages: what `liaison check NAME.toml` says is kept word for word in NAME.txt.

After a wanted change of wording: LIAISON_ACCEPT=1 ./build.sh test messages, then read the difference.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROGRAM = os.environ.get("LIAISON", str(HERE.parents[1] / "build/dev/liaison"))
MODELS = sorted(HERE.glob("*.toml"))


def check(*arguments):
    return subprocess.run([PROGRAM, "check", *arguments], cwd=HERE, capture_output=True, text=True, timeout=30,
                          check=False, stdin=subprocess.DEVNULL, env={**os.environ, "NO_COLOR": "1"})


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_message(path):
    answer = check(path.name)
    golden = path.with_suffix(".txt")
    said = answer.stdout + answer.stderr
    if os.environ.get("LIAISON_ACCEPT"):
        golden.write_text(said, encoding="utf-8")
    assert said == golden.read_text(encoding="utf-8")
    verdict = json.loads(check("--json", path.name).stdout)
    has_error = any(d["severity"] == "error" for d in verdict["diagnostics"])
    assert answer.returncode == (2 if has_error else 0)
    assert verdict["diagnostics"], "a golden message needs a message"


def test_no_golden_text_is_left_alone():
    texts = {path.stem for path in HERE.glob("*.txt")}
    assert texts <= {path.stem for path in MODELS}
