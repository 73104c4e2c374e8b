# SPDX-License-Identifier: Apache-2.0
"""invert: forces from first integrals, and the motion under the forces that were found."""

import json
import math
from pathlib import Path

import pytest

REFERENCE = Path(__file__).resolve().parent.parent / "reference"

LAGRANGE = """format = 1
name = "Lagrange's question"
[parameters]
A = 2.0
C = 1.2
P = 1.0
zc = 1.5
[body.top]
kind = "fixed-point"
inertia = ["A", "A", "C"]
[force.sought]
p = "u1"
q = "u2"
r = "u3"
[integral]
energy = "(A*(p^2 + q^2) + C*r^2)/2 + P*zc*gamma3"
area   = "A*(p*gamma1 + q*gamma2) + C*r*gamma3"
spin   = "r"
length = "gamma1^2 + gamma2^2 + gamma3^2"
[invert]
unknown    = ["u1", "u2", "u3"]
positional = true
[start]
gamma1 = 0.6
gamma2 = 0.0
gamma3 = 0.8
[start.velocity]
p = 0.3
q = 0.2
r = 4.0
[run]
until     = 10.0
tolerance = 1e-13
"""

CENTRAL = """format = 1
name = "area"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.sought]
x = "u1"
y = "u2"
[integral]
c = "x*y' - y*x'"
[invert]
unknown = ["u1", "u2"]
"""


def test_lagrange(liaison, model):
    answer = liaison("invert", "--json", model(LAGRANGE))
    assert answer.code == 0
    found = answer.json()
    assert found["forces"] == {"u1": "P*gamma2*zc", "u2": "-P*gamma1*zc", "u3": "0"}
    assert found["rank"] == 3 and found["free"] == [] and found["identities"] == ["length"]
    assert found["potential"] is True and found["V"] == "P*gamma3*zc" and found["componentwise"] is False


def test_the_model_with_the_forces_found_moves_as_the_top_of_the_reference(liaison, model, tmp_path):
    solved = tmp_path / "top.toml"
    assert liaison("invert", model(LAGRANGE), "-o", str(solved)).code == 0
    assert "[invert]" not in solved.read_text()
    case = next(c for c in json.loads((REFERENCE / "03-rigid-body.json").read_text())["cases"] if c["name"] == "Lagrange")
    points = [p for p in case["points"] if p["t"] > 0]
    run = liaison("run", "--json", str(solved), "--at", ",".join(str(p["t"]) for p in points)).json()
    for sample, point in zip(run["samples"], points, strict=True):
        values = [sample["v"][n] for n in "pqr"] + [sample["q"][f"gamma{i}"] for i in (1, 2, 3)]
        assert values == pytest.approx(point["state"], abs=1e-10)


def test_a_family(liaison, model):
    answer = liaison("invert", model(CENTRAL))
    assert answer.code == 0
    assert "u1 = a1*x" in answer.out and "u2 = a1*y" in answer.out and "any function" in answer.out
    refused = liaison("invert", model(CENTRAL), "-o", "never.toml")
    assert refused.code == 2 and "free" in refused.err and not Path("never.toml").exists()


def test_the_choice_of_what_is_free(liaison, model):
    chosen = CENTRAL + 'free = ["-1"]\n'
    answer = liaison("invert", "--json", model(chosen)).json()
    assert answer["forces"] == {"u1": "-x", "u2": "-y"}
    assert answer["potential"] is True and answer["V"] == "(x^2 + y^2)/2"


def test_no(liaison, model):
    answer = liaison("invert", model(CENTRAL.replace("x*y' - y*x'", "x'*exp(x) + y'") + "positional = true\n"))
    assert answer.code == 1 and "not positional" in answer.out and "rate of c" in answer.out


def test_no_question(liaison, model):
    text = CENTRAL[: CENTRAL.index("[force.sought]")]
    answer = liaison("invert", model(text))
    assert answer.code == 2 and "[invert] unknown" in answer.err


ARM = """format = 1
name = "arm"
coordinates = ["th"]
[parameters]
m = 2.0
l = 0.5
g = 9.81
A = 0.7
w = 3.0
[energy]
T = "m*l^2/2*th'^2"
V = "-m*g*l*cos(th)"
[force.motor]
th = "torque"
[invert]
unknown = ["torque"]
[invert.follow]
swing = "th = A*sin(w*t)"
[start.velocity]
th = "A*w"
[run]
until = 4.0
tolerance = 1e-12
"""


def test_inverse_dynamics_of_an_arm(liaison, model):
    """torque = m l² θ'' + m g l sin θ, as a function of time along the motion."""
    found = liaison("invert", "--json", model(ARM)).json()
    assert found["followed"] == [{"equation": "swing", "conditions": 2}] and found["potential"] is None
    text = found["along"]["torque"]
    names = {"m": 2.0, "l": 0.5, "g": 9.81, "A": 0.7, "w": 3.0, "sin": math.sin, "cos": math.cos}
    for t in (0.0, 0.3, 1.7):
        exact = -2.0 * 0.25 * 0.7 * 9.0 * math.sin(3.0 * t) + 2.0 * 9.81 * 0.5 * math.sin(0.7 * math.sin(3.0 * t))
        assert eval(text.replace("^", "**"), {"__builtins__": {}}, names | {"t": t}) == pytest.approx(exact, abs=1e-12)
    run = liaison("run", "--json", model(ARM), "--at", "1,4").json()
    for sample in run["samples"]:
        assert sample["q"]["th"] == pytest.approx(0.7 * math.sin(3.0 * sample["t"]), abs=1e-9)


def test_a_servo_constraint_of_the_state(liaison, model):
    """The area of the motion in the plane is to stay and the distance to be kept: a circle, u = −v²/r along the radius."""
    text = CENTRAL.replace("[integral]\nc = \"x*y' - y*x'\"\n", "")
    text += "[invert.follow]\ncircle = \"x^2 + y^2 = 1\"\nspeed = \"x'^2 + y'^2 = 4\"\n"
    text += "[start]\nx = 1.0\n[start.velocity]\ny = 2.0\n[run]\nuntil = 3.0\ntolerance = 1e-12\n"
    found = liaison("invert", "--json", model(text)).json()
    assert found["rank"] == 2
    assert {f["equation"]: f["conditions"] for f in found["followed"]} == {"circle": 2, "speed": 1}
    end = liaison("run", "--json", model(text)).json()["state"]["q"]
    assert end == pytest.approx({"x": math.cos(6.0), "y": math.sin(6.0)}, abs=1e-9)


def test_rank_is_told(liaison, model):
    found = liaison("invert", "--json", model(LAGRANGE)).json()
    assert found["dependent"] == []
    # det S = (p γ₂ − q γ₁)/C
    assert found["singular"] in (["gamma1*q - gamma2*p"], ["gamma2*p - gamma1*q"])
    central = liaison("invert", "--json", model(CENTRAL)).json()
    assert sorted(central["singular"]) == ["-y", "x"]


def test_dependent_integrals(liaison, model):
    twice = CENTRAL.replace("[invert]", "twice = \"(x*y' - y*x')^2\"\n[invert]")
    answer = liaison("invert", model(twice))
    assert answer.code == 0 and "twice adds nothing" in answer.out


def test_contradicting_integrals(liaison, model):
    answer = liaison("invert", model(CENTRAL.replace("x*y' - y*x'", "x'\"\nd = \"x' + x")))
    assert answer.code == 1 and "impossible" in answer.out and "contradicts" in answer.out


def test_a_run_answers_the_question_first(liaison, model):
    solved = liaison("run", "--json", model(LAGRANGE), "--at", "10").json()
    case = next(c for c in json.loads((REFERENCE / "03-rigid-body.json").read_text())["cases"] if c["name"] == "Lagrange")
    sample = solved["samples"][0]
    values = [sample["v"][n] for n in "pqr"] + [sample["q"][f"gamma{i}"] for i in (1, 2, 3)]
    assert values == pytest.approx(case["points"][-1]["state"], abs=1e-10)
    open_question = liaison("run", model(CENTRAL + "[run]\nuntil = 1\n"))
    assert open_question.code == 2 and "a1 is left free" in open_question.err and "[invert] free" in open_question.err
    none = liaison("run", model(CENTRAL.replace("x*y' - y*x'", "x'*exp(x) + y'") + "positional = true\n[run]\nuntil = 1\n"))
    assert none.code == 2 and "no forces answer the question" in none.err
    orbit = liaison("orbit", model(CENTRAL))
    assert orbit.code == 2 and "the forces are unknown" in orbit.err


def test_out_of_reach(liaison, model):
    """A load that the force does not reach cannot be led."""
    text = ARM.replace('coordinates = ["th"]', 'coordinates = ["th", "z"]').replace("th'^2\"", "th'^2 + z'^2/2\"")
    answer = liaison("invert", model(text.replace('"th = A*sin(w*t)"', '"z = A*sin(w*t)"')))
    assert answer.code == 1 and "no force changes the derivatives of swing" in answer.out
