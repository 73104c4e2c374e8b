# SPDX-License-Identifier: Apache-2.0
"""Events that set velocities or positions which bilateral constraints forbid: the constraints answer with impulses, at once."""
import math

import pytest
from conftest import run_program

TIE = """
format = 1
coordinates = ["x", "y"]
[parameters]
m = 1
n = 1
[energy]
T = "m*x'^2/2 + n*y'^2/2"
[constraint.tie]
equation = "{tie}"
{more}
[event.kick]
when = "y - 1"
direction = "up"
{sets}
[start.velocity]
x = {x}
y = 1
[run]
until = 2
"""


def run(text, *arguments):
    return run_program("run", "-", "--json", *arguments, stdin=text)


@pytest.mark.parametrize("masses", [(1, 1), (2, 1), (1, 3), (1e9, 2e9), (1e-9, 1e-9)])
@pytest.mark.parametrize("tie, ratio", [("y = x", 1.0), ("y = 2*x", 0.5), ("3*y = x", 3.0)])
def test_the_impulse_of_the_constraint_follows_what_is_set(masses, tie, ratio):
    """With x' = r y' and y' set to 2: momentum along (r, 1) is kept, r m x' + n y', and the impulse ±(m x'(1) − m x'(0))."""
    m, n = masses
    text = TIE.format(tie=tie, x=ratio, more="", sets="set.velocity.y = \"2*y'\"")
    answer = run(text, "--set", f"m={m!r}", "--set", f"n={n!r}", "--at", "0.5,1.5")
    assert answer.code == 0, answer.out[-600:] + answer.err
    result = answer.json()
    after = (ratio * m * ratio + 2 * n) / (ratio * ratio * m + n)
    kick = next(e for e in result["events"] if e["kind"] == "user")
    assert kick["time"] == pytest.approx(1, abs=1e-12)
    assert kick["v_plus"]["y"] == pytest.approx(after, rel=1e-12)
    assert kick["v_plus"]["x"] == pytest.approx(ratio * after, rel=1e-12)
    before = (m * ratio ** 2 + n) / 2
    assert kick["energy"] == pytest.approx(before * (after ** 2 - 1), rel=1e-11)
    # the gradient of left − right by x is −1, −2, −1: the force along it times that is the force on x
    slope = {"y = x": -1.0, "y = 2*x": -2.0, "3*y = x": -1.0}[tie]
    assert kick["contacts"]["tie"]["impulse"] * slope == pytest.approx(m * ratio * (after - 1), rel=1e-11)
    assert result["samples"][1]["v"]["x"] == pytest.approx(ratio * after, rel=1e-12)
    assert abs(result["energy"]["unexplained"]) < 1e-12 * before
    assert result["warnings"] == []


PENDULUM = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.string]
equation = "x^2 + y^2 = 1"
[event.kick]
when = "x"
direction = "up"
{sets}
[start]
x = -0.6
y = -0.8
[run]
until = 3
tolerance = 1e-10
{run}
"""


def angle_after(rate, time):
    """φ'' = −9.81 sin φ from the lowest point, by the classical Runge–Kutta method."""
    steps = 20000
    h = time / steps
    phi, w = 0.0, rate
    for _ in range(steps):
        k1 = (w, -9.81 * math.sin(phi))
        k2 = (w + h / 2 * k1[1], -9.81 * math.sin(phi + h / 2 * k1[0]))
        k3 = (w + h / 2 * k2[1], -9.81 * math.sin(phi + h / 2 * k2[0]))
        k4 = (w + h * k3[1], -9.81 * math.sin(phi + h * k3[0]))
        phi += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        w += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    return phi


def test_a_pendulum_struck_obliquely_keeps_the_part_along_its_path():
    """The part along the string is taken by the string: the pendulum goes on as if it had been struck along its path alone."""
    answer = run(PENDULUM.format(sets="set.velocity.x = 2\nset.velocity.y = 5", run=""))
    assert answer.code == 0, answer.out[-600:] + answer.err
    result = answer.json()
    kick = result["events"][0]
    assert kick["v_plus"]["y"] == pytest.approx(0, abs=1e-9)
    assert kick["v_plus"]["x"] == pytest.approx(2, rel=1e-9)
    # f = x² + y² − 1 has the gradient (0, −2) there: −2 y = −5
    assert kick["contacts"]["string"]["impulse"] == pytest.approx(2.5, rel=1e-9)
    second = [e for e in result["events"] if e["kind"] == "user"]
    phi = angle_after(2.0, min(0.4, second[1]["time"] - kick["time"] if len(second) > 1 else 0.4))
    again = run(PENDULUM.format(sets="set.velocity.x = 2\nset.velocity.y = 5", run=""), "--at", repr(kick["time"] + 0.4))
    assert again.json()["samples"][0]["q"]["x"] == pytest.approx(math.sin(phi), abs=1e-8)


def test_positions_off_the_constraint_are_refused():
    """No motion leads from there back onto the constraint."""
    answer = run(TIE.format(tie="y = x", x=1, more="", sets="set.x = \"x + 0.3\""))
    assert answer.code == 3
    result = answer.json()
    assert result["status"] == "stopped"
    assert "kick sets coordinates off the constraints" in result["reason"]
    assert result["time"] == pytest.approx(1, abs=1e-12)


def test_positions_set_along_the_constraint_go_on():
    answer = run(TIE.format(tie="y = x", x=1, more="", sets="set.x = \"x - 3\"\nset.y = \"y - 3\""))
    assert answer.code == 0, answer.out[-600:]
    result = answer.json()
    assert result["state"]["q"]["x"] == pytest.approx(-1, abs=1e-9)
    assert result["events"][0].get("contacts") is None


def test_a_rough_constraint_has_no_law_for_such_an_impulse():
    rough = 'slip = "x\'"\nfriction = 0.1'
    answer = run(TIE.format(tie="y = x", x=1, more=rough, sets="set.velocity.y = \"2*y'\""))
    assert answer.code == 3
    assert "tie is rough" in answer.json()["reason"]


def test_a_law_of_violations_keeps_what_is_set():
    """Program constraints let a violation die out by their own law: f = e^(−p t)-like from ḟ = 1, and the energy stays explained."""
    answer = run(TIE.format(tie="y = x", x=1, more="stabilise = { frequency = 20, damping = 1 }",
                            sets="set.velocity.y = \"2*y'\"") , "--at", "1.05")
    assert answer.code == 0, answer.out[-600:]
    result = answer.json()
    assert result["events"][0]["v_plus"]["y"] == pytest.approx(2, rel=1e-12)
    # f'' + 40 f' + 400 f = 0 from f' = 1: f = t e^(−20 t)
    f = result["samples"][0]["q"]["y"] - result["samples"][0]["q"]["x"]
    assert f == pytest.approx(0.05 * math.exp(-1), rel=1e-6)


def test_sensitivities_go_through_the_impulse():
    """x(2) of the tie depends on the mass m by its derivative: x = 1 + w, w = (m + 2 n)/(m + n)."""
    text = TIE.format(tie="y = x", x=1, more="", sets="set.velocity.y = \"2*y'\"")
    answer = run(text, "--sensitivity", "m")
    assert answer.code == 0, answer.out[-600:] + answer.err
    sensitivity = answer.json()["sensitivity"]
    # dw/dm = −n/(m + n)² = −1/4
    assert sensitivity["m"]["x"] == pytest.approx(-0.25, rel=1e-9), sensitivity
