# SPDX-License-Identifier: Apache-2.0
"""Golden messages: what `liaison check NAME.toml` says is kept word for word in NAME.txt.

After a wanted change of wording: LIAISON_ACCEPT=1 ./build.sh test messages, then read the difference.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROGRAM = os.environ.get("LIAISON", str(HERE.parents[1] / "build/dev/liaison"))
MODELS = sorted(HERE.glob("*.toml"))

# Codes that no model file alone can earn, and where they are tested instead.
ELSEWHERE = {
    "E0101": "a file that cannot be read: tests/cli",
    "E0103": "a file beyond the bound on its size: tests/cli",
    "E0219": "--set with an unknown name: tests/cli",
    "E0903": "--set with an unreadable value: tests/cli",
    "E0311": "a key of a newer format: there is none yet, tests/text/schema_test.cpp",
}


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
    code = path.stem.split("_")[0]
    if re.fullmatch(r"[EW]\d{4}", code):
        assert f"[{code}]" in said, "the file is named after the code it earns"
    verdict = json.loads(check("--json", path.name).stdout)
    has_error = any(d["severity"] == "error" for d in verdict["diagnostics"])
    assert answer.returncode == (2 if has_error else 0)
    assert verdict["diagnostics"], "a golden message needs a message"


# What `liaison run runs/NAME.toml` says about the motion: why it stopped, what is not certain.
RUNS = sorted((HERE / "runs").glob("*.toml"))


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_said_by_a_run(path):
    answer = subprocess.run([PROGRAM, "run", "--json", path.name], cwd=path.parent, capture_output=True, text=True,
                            timeout=30, check=False, stdin=subprocess.DEVNULL)
    result = json.loads(answer.stdout)
    said = f"exit code {answer.returncode}, {result['status']}\n"
    said += f"{result['reason']}\n" if result["reason"] else ""
    said += "".join(f"warning: {warning}\n" for warning in result["warnings"])
    golden = path.with_suffix(".txt")
    if os.environ.get("LIAISON_ACCEPT"):
        golden.write_text(said, encoding="utf-8")
    assert said == golden.read_text(encoding="utf-8")


def test_no_golden_text_is_left_alone():
    texts = {path.stem for path in HERE.glob("*.txt")}
    assert texts <= {path.stem for path in MODELS}


def test_every_code_has_a_golden_message():
    rows = (HERE.parents[1] / "src/liaison/base/codes").glob("*.def")
    codes = {code for row in rows for code in re.findall(r"LIAISON_CODE\(\s*([EW]\d{4})", row.read_text())}
    golden = {path.stem.split("_")[0] for path in MODELS}
    assert codes - golden - set(ELSEWHERE) == set()
