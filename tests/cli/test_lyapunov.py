# SPDX-License-Identifier: Apache-2.0
"""liaison lyapunov from outside: the JSON contract, the sum rule, forgotten directions, bad options."""

import math

from conftest import needs

pytestmark = needs("lyapunov")

STOP = """format = 1
name = "stop"
coordinates = ["x"]
[parameters]
zeta = 0.05
r = 0.8
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-2*zeta*x' + cos(2*t)"
[contact.stop]
gap = "-x"
restitution = "r"
[start]
x = -0.5
"""


def test_contract(liaison, model):
    path = model(STOP)
    answer = liaison("lyapunov", path, "--json", "--time", "2000", "--settle", "300")
    assert answer.code == 0, answer.err
    result = answer.json()
    # one impact per period π of the force: multipliers of tests/reference/06-impact-oscillator.json
    expected = [math.log(0.690179159232286) / math.pi, math.log(0.6772990983835345) / math.pi]
    assert all(abs(a - b) < 2e-3 for a, b in zip(result["exponents"], expected))
    rule = -0.1 + 2 * math.log(0.8) * result["events"] / result["time"]
    assert abs(result["sum"] - rule) < 1e-9 and abs(result["sum_rule"] - rule) < 1e-9
    assert result["autonomous"] is False
    told = liaison("lyapunov", path, "--time", "200")
    assert "by divergence and events" in told.out


def test_forgotten_direction(liaison, model):
    answer = liaison("lyapunov", model(STOP), "--json", "--time", "200", "--set", "r=0")
    assert answer.code == 0 and answer.json()["exponents"][-1] is None


def test_bad_options(liaison, model):
    path = model(STOP)
    assert liaison("lyapunov", path, "--time", "0").code == 64
    assert liaison("lyapunov", path, "--settle", "-1").code == 64
    assert liaison("lyapunov", path, "--set", "nothing=1").code == 2
