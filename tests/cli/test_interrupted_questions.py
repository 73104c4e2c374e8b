# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends every long computation soon, with what it has and exit code 130."""

import json
import os
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM

DUFFING = """format = 1
name = "Duffing"
coordinates = ["x"]
[parameters]
F = 0.3
k = 1.0
[energy]
T = "x'^2/2"
V = "k*(x^4/4 - x^2/2)"
[force.drive]
x = "F*cos(1.2*t) - 0.1*x'"
[start]
x = 1
"""

BALL = """format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y"
restitution = 0.9
[start]
y = 1
[run]
until = 1e5
tolerance = 1e-12
"""

QUESTIONS = {
    "orbit": (DUFFING, ["orbit", "--settle", "1e8"]),
    "lyapunov": (DUFFING, ["lyapunov", "--time", "1e8"]),
    "follow": (DUFFING, ["follow", "--settle", "100", "--period", "1", "--over", "F=0.01:10", "--step", "2e-6", "--points", "100000"]),
    "section": (DUFFING, ["section", "--points", "100000000", "--observe", "x"]),
    "sweep": (DUFFING, ["sweep", "--over", "F=0.1:0.3:100000", "--observe", "x"]),
    "converge": (BALL, ["converge", "--over", "stiffness=1e6:1e12:30", "--samples", "1000000"]),
    "stiffness": (BALL, ["stiffness", "--along", "1e-12"]),
    "compare": (DUFFING, ["compare", "--with", "events,routh", "--until", "1e8"]),
    "equilibrium": (DUFFING, ["equilibrium", "--set", "F=0", "--over", "k=0.1:2:1000000"]),
}


def busy_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("name", QUESTIONS)
def test_ctrl_c_ends_the_question(model, tmp_path, name):
    """Counted in seconds of the processor: a busy machine does not make it late."""
    text, arguments = QUESTIONS[name]
    process = subprocess.Popen([PROGRAM, arguments[0], str(model(text)), *arguments[1:], "--json"], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while busy_seconds(process.pid) < 1.0:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=100)
        assert process.returncode == 130, (process.returncode, out[-300:], err[-300:])
    finally:
        process.kill()
    if name in ("lyapunov", "follow", "section", "equilibrium", "orbit", "converge", "stiffness"):
        assert isinstance(json.loads(out), dict)
