# SPDX-License-Identifier: Apache-2.0
"""converge over stiffness: errors against quad-precision references, orders against the theorems of Deryabin."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program
from elastic_models import DISC

FOLDER = Path(__file__).resolve().parents[1] / "reference"
ALONG = json.loads((FOLDER / "04-theorem1-nonpotential.json").read_text(encoding="utf-8"))
OBLIQUE = json.loads((FOLDER / "04-oblique-impact.json").read_text(encoding="utf-8"))

THEOREM_1 = """
format = 1
name = "along the constraint"
coordinates = ["x", "q"]
[energy]
T = "(1 + q/2)*x'^2/2 + (1 + sin(x)/2)*q'^2/2"
[force.push]
q = "-2 - x'"
x = "-x + 0.3*q' - x'/10"
[contact.stop]
gap = "q"
{contact}
[start]
x = 1
[run]
until = 2
"""

IMPACT = """
format = 1
name = "oblique impact"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "y"
[contact.bowl]
gap = "y - x^2/2"
{contact}
[start]
x = 0.5
y = 1
[start.velocity]
x = 0.3
[run]
until = 1.9
"""


def study(text, *more, code=0):
    answer = run_program("converge", "-", "--json", *more, stdin=text, limit=120)
    assert answer.code in ((0, 1) if code is None else (code,)), answer.err + answer.out[:800]
    return answer.json()


def test_along_the_constraint_every_error_has_the_order_of_theorem_1():
    result = study(THEOREM_1.format(contact=""), "--over", "stiffness=1e2:1e6:5")
    assert result["regime"] == "along the constraint"
    keys = {"stop": ("sup_q", 1.0), "stop'": ("sup_qdot", 0.5), "x": ("sup_x_err", 1.0), "x'": ("sup_xdot_err", 1.0)}
    for name, (key, order) in keys.items():
        for got, case in zip(result["errors"][name], ALONG["cases"], strict=True):
            assert got == pytest.approx(case[key], rel=1e-5), (name, case["N"])
        assert result["theorem"][name] == order
        assert abs(result["orders"][name] - order) < 0.05
        assert result["verdict"][name] == "agrees"
    # coordinates that split by themselves: the part along the constraint is x
    assert result["errors"]["stop.along"] == pytest.approx(result["errors"]["x"], rel=1e-9)
    assert result["errors"]["stop.along'"] == pytest.approx(result["errors"]["x'"], rel=1e-9)
    assert result["agrees"] is True


@pytest.mark.parametrize("contact, more", [("", ("--start", "static")), ("damping_ratio = 0.3", ())])
def test_without_oscillation_every_error_is_of_first_order(contact, more):
    result = study(THEOREM_1.format(contact=contact), "--over", "stiffness=1e3:1e7", *more)
    for name, verdict in result["verdict"].items():
        assert result["theorem"][name] == 1.0
        assert verdict == "agrees", (name, result["orders"][name])


def test_after_lift_off_the_envelope_is_sharper_than_the_bound():
    result = study(DISC.format(contact=""), "--over", "stiffness=1e2:1e7")
    assert result["regime"].startswith("after lift-off at t = 1.16774258406")
    assert result["envelope"] is True
    assert len(result["parameter"]) == 31
    for name in ("x'", "y'"):
        assert abs(result["orders"][name] - 0.6) < 0.08
    assert any("scatter" in note for note in result["notes"])
    assert any("bound of the theorem 1/2" in note for note in result["notes"])


def test_the_disc_splits_alike_in_cartesian_and_polar_coordinates():
    """Gap and gap rate are the same numbers; the part along the disc is φ in the one and has length r φ in the other."""
    polar = DISC.replace('["x", "y"]', '["r", "th"]').replace("(x'^2 + y'^2)/2", "(r'^2 + r^2*th'^2)/2").replace('V = "y"', 'V = "r*cos(th)"')
    polar = polar.replace("sqrt(x^2 + y^2) - 1", "r - 1").replace("y = 1", "r = 1").replace("x = 0.5", "th = 0.5")
    more = ("--over", "stiffness=1e3:1e5:3", "--until", 1.1)
    one, other = study(DISC.format(contact=""), *more, code=None), study(polar.format(contact=""), *more, code=None)
    for name in ("disc", "disc'"):
        assert one["errors"][name] == pytest.approx(other["errors"][name], rel=1e-7)
    for name in ("disc.along", "disc.along'"):
        assert one["theorem"][name] == other["theorem"][name] == 1
        assert one["orders"][name] == pytest.approx(other["orders"][name], abs=0.1)


def test_the_instant_of_lift_off_is_that_of_the_elliptic_integral():
    result = run_program("run", "-", "--json", "--tolerance", 1e-14, stdin=DISC.format(contact="")).json()
    (release,) = result["events"]
    assert release["kind"] == "release" and abs(release["time"] - 1.1677425840609492) < 1e-12


def test_orders_that_still_drift_are_not_called_wrong():
    text = DISC.format(contact="").replace("y = 1", "y = \"cos(0.1)\"\nx = 0.1").replace("sqrt(x^2 + y^2) - 1", "y - cos(x)")
    text = text.replace('V = "y"', 'V = "9.81*y"').replace("x = 0.5", "x = 2.6\ny = \"-2.6*sin(0.1)\"").replace("until = 1.6677425840609492", "until = 0.9")
    answer = run_program("converge", "-", "--over", "stiffness=1e3:1e6", stdin=text)
    assert answer.code == 1 and "pre-asymptotic" in answer.out and "worse" not in answer.out
    assert "orders still drift" in answer.out


def test_after_lift_off_a_static_start_is_of_first_order():
    result = study(DISC.format(contact=""), "--over", "stiffness=1e3:1e7", "--start", "static")
    for name in ("x", "y", "x'", "y'", "disc", "disc'"):
        assert result["theorem"][name] == 1.0
        assert abs(result["orders"][name] - 1.0) < 0.05


@pytest.mark.parametrize("case", OBLIQUE["cases"], ids=[f"zeta={c['zeta']}" for c in OBLIQUE["cases"]])
def test_after_an_impact_every_error_is_of_order_one_half(case):
    result = study(IMPACT.format(contact=f"damping_ratio = {case['zeta']}"), "--over", "stiffness=1e4:1e8")
    assert result["regime"] == "after an impact"
    for name in ("x", "y", "x'", "y'"):
        assert result["theorem"][name] == 0.5
        assert abs(result["orders"][name] - 0.5) < 0.05


def test_a_parameter_towards_zero():
    """x'' = -x - eps x': the error of x is of first order in eps."""
    text = """
format = 1
name = "damped"
coordinates = ["x"]
[parameters]
eps = 0.1
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.drag]
x = "-eps*x'"
[start]
x = 1
[run]
until = 3
"""
    result = study(text, "--over", "eps=1e-2:1e-5")
    assert abs(result["orders"]["x"] - 1.0) < 0.02
    assert abs(result["orders"]["x'"] - 1.0) < 0.02


def test_a_picture_and_a_report(tmp_path):
    path = tmp_path / "orders.svg"
    answer = run_program("converge", "-", "--over", "stiffness=1e2:1e5:4", "-o", path,
                         stdin=THEOREM_1.format(contact=""))
    assert answer.code == 0, answer.err
    assert "converges as the theorem says" in answer.out
    assert path.read_text(encoding="utf-8").startswith("<")


@pytest.mark.parametrize("over", ["stiffness", "stiffness=1e2", "stiffness=-1:5", "stiffness=1:1", "=1:2", "stiffness=1:9:2"])
def test_ranges_that_make_no_study(over):
    answer = run_program("converge", "-", "--over", over, stdin=THEOREM_1.format(contact=""))
    assert answer.code == 2
    assert "--over" in answer.err


def test_no_contact_no_stiffness():
    text = THEOREM_1.split("[contact.stop]")[0] + "[run]\nuntil = 1\n"
    answer = run_program("converge", "-", "--over", "stiffness=1e2:1e4", stdin=text)
    assert answer.code == 2 and "no contact" in answer.err


def test_a_stiffness_chosen_for_a_wanted_error():
    """The disc up to its lift-off: both maxima lie between 98 % and 100.2 % of what was wanted."""
    wanted = json.loads((FOLDER / "04-choose-N-and-bounces.json").read_text(encoding="utf-8"))["choose_N_dome"]
    answer = run_program("stiffness", "-", "--json", "--penetration", 1e-5, "--speed", 1e-3, "--until", 1.1677425840609492,
                         stdin=DISC.format(contact=""))
    assert answer.code == 0, answer.err
    result = answer.json()
    for choice, case in zip(result["choices"], wanted, strict=True):
        assert choice["stiffness"] == pytest.approx(case["N"], rel=1e-9)
        assert 0.98 <= choice["measured"] / choice["wanted"] <= 1.002
    assert result["stiffness"] == pytest.approx(562500, rel=1e-9)
    assert run_program("stiffness", "-", stdin=DISC.format(contact="")).code == 64
    assert run_program("stiffness", "-", "--speed", -1, stdin=DISC.format(contact="")).code == 64


STRING = """
format = 1
name = "string"
coordinates = ["r", "y"]
[energy]
T = "(r'^2 + r^2*y'^2)/2"
V = "-9.81*r*cos(y)"
[contact.string]
gap = "1 - r"
restitution = 1
[start]
r = 0.6
y = 0.5
[start.velocity]
y = 1.5
[run]
until = 4
"""


def test_the_order_of_a_method_with_impacts_located_and_not():
    """Acceptance 4 of the theory of Routh's function: eight oblique impacts, order p − 0.3 at least, below 2 without location."""
    result = study(STRING, "--over", "step=0.0125:0.0015625:4", "--method", "rk4", "--realise", "contact=routh")
    assert result["over"] == "step" and result["agrees"]
    for name in ("r", "y", "r'", "y'"):
        assert result["theorem"][name] == 4
        assert result["orders"][name] >= 3.7, name
        assert result["theorem"][f"{name}, not located"] is None
        assert result["orders"][f"{name}, not located"] < 2, name
        assert result["errors"][f"{name}, not located"][-1] > 1e3 * result["errors"][name][-1]
    assert any("location" in note for note in result["notes"])


def test_a_model_that_does_not_locate_is_studied_as_it_says():
    result = study(STRING + 'contact = "routh"\nlocation = "none"\n', "--over", "step=0.0125:0.0015625:4", "--method", "rk4", "--until", 1.5)
    assert set(result["theorem"]) == {"r", "y", "r'", "y'"} and not any(result["theorem"].values())
    assert all(order < 2 for order in result["orders"].values())
    assert any("location=exact" in note for note in result["notes"])


@pytest.mark.parametrize("method, order, steps", [("euler", 1, "0.01:0.00125:4"), ("heun", 2, "0.01:0.00125:4"),
                                                  ("rk3", 3, "0.01:0.00125:4"), ("dopri5", 5, "0.04:0.005:4")])
def test_every_method_keeps_its_order_through_events(method, order, steps):
    result = study(STRING, "--over", f"step={steps}", "--method", method, "--until", "1.5")
    for name in ("r", "y"):
        assert order - 0.3 <= result["orders"][name] <= order + 0.5


def test_steps_that_cannot_shrink_and_impacts_that_must_be_located():
    answer = run_program("converge", "-", "--over", "step=0.1:0.01", stdin=STRING)
    assert answer.code == 2 and "rk4" in answer.err
    blind = ("run", "-", "--json", "--realise", "contact=routh,location=none")
    answer = run_program(*blind, stdin=STRING)
    assert answer.code == 2 and "fixed step" in answer.json()["diagnostics"][0]["message"]
    answer = run_program("run", "-", "--realise", "location=none", "--method", "rk4", "--step", "0.01", stdin=STRING)
    assert answer.code == 2 and "E0910" in answer.err and "routh" in answer.err
    # in a file the message points at its own line
    answer = run_program("check", "--json", "-", stdin=STRING + 'location = "none"\n')
    (told,) = answer.json()["diagnostics"]
    assert told["code"] == "E0910" and told["line"] == 1 + STRING.count("\n")
    answer = run_program(*blind, "--method", "rk4", "--step", "0.001", stdin=STRING)
    assert answer.code == 0
    assert answer.json()["events"] == []
    assert any("neither located nor told" in w for w in answer.json()["warnings"])


def test_errors_that_are_rounding_have_no_order():
    """One coordinate between two stops: nothing moves along them, and that does not spoil the verdict."""
    text = """
format = 1
name = "between stops"
coordinates = ["x"]
[energy]
T = "x'^2/2"
[contact.box]
between = [-1, "x", 1]
restitution = 0.8
[start.velocity]
x = 1.3
[run]
until = 2
"""
    result = study(text, "--over", "stiffness=1e3:1e7")
    assert result["agrees"]
    assert result["theorem"]["x"] == 0.5 and result["theorem"]["box lower.along"] is None


BALL = """
format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y"
damping_ratio = 0.1
[start]
y = 1
[run]
until = 3
"""


def test_a_stiffness_for_impacts():
    """The deepest point of an impact is v/√N·exp(−ζ arccos ζ/√(1 − ζ²)), a little more where weight presses; it lasts π/√(N(1 − ζ²))."""
    speed, zeta = math.sqrt(2 * 9.81), 0.1
    answer = run_program("stiffness", "-", "--json", "--penetration", 1e-4, "--delay", 1e-3, stdin=BALL)
    assert answer.code == 0, answer.err
    result = answer.json()
    deep, late = result["choices"]
    least = (speed / 1e-4 * math.exp(-zeta * math.acos(zeta) / math.sqrt(1 - zeta**2))) ** 2
    assert least <= deep["stiffness"] < 1.1 * least
    assert 0.9e-4 < deep["measured"] <= 1.01e-4
    assert late["measured"] == pytest.approx(speed * math.pi / math.sqrt(late["stiffness"] * (1 - zeta**2)), rel=1e-3)
    assert late["measured"] <= 1.01e-3 and result["reached"]


def test_a_compressed_start_needs_half_the_stiffness():
    start = run_program("stiffness", "-", "--json", "--penetration", 1e-5, "--until", 1.0, stdin=DISC.format(contact="")).json()
    calm = run_program("stiffness", "-", "--json", "--static", "--penetration", 1e-5, "--until", 1.0, stdin=DISC.format(contact="")).json()
    assert calm["stiffness"] == pytest.approx(start["stiffness"] / 2, rel=1e-9)
    assert 0.98 <= calm["choices"][0]["measured"] / 1e-5 <= 1.01


def test_no_sample_outside_the_contacts_is_no_error_of_zero():
    # Stiffness 100: contacts of 3 pi/omega cover the whole motion; the error there is unknown, not zero.
    text = """
format = 1
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y + y^2"
[contact.floor]
gap = "y - 0.1*sin(2*t)"
[start]
y = 1
[run]
until = 3
"""
    result = run_program("converge", "-", "--over", "stiffness=1e2:1e8", "--json", stdin=text).json()
    assert result["errors"]["y"][0] is None and result["errors"]["y'"][0] is None
    assert all(e > 0 for e in result["errors"]["y"][1:])
    assert any("stiffness 100: no sample" in note for note in result["notes"])
    assert abs(result["orders"]["y"] - 0.5) < 0.08
