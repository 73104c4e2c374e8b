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
    again = liaison("invert", model(LAGRANGE), "-o", str(solved))
    assert again.code == 64 and "--force overwrites it" in again.err
    assert liaison("invert", model(LAGRANGE), "-o", str(solved), "--force").code == 0
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


# ---- attracted to a level -------------------------------------------------------------------------------------------

LEVEL = """format = 1
name = "to a level"
coordinates = ["x", "y"]
[parameters]
E = 2.0
k = 2.0
[energy]
T = "(x'^2 + y'^2)/2"
[force.sought]
x = "u1"
y = "u2"
[integral]
speed = "(x'^2 + y'^2)/2 - E"
[invert]
unknown   = ["u1", "u2"]
stabilise = "k"
free      = ["0"]
[start.velocity]
x = 1.0
y = 0.5
[run]
until     = 3
tolerance = 1e-12
"""


def test_an_integral_is_attracted_to_its_level(liaison, model):
    """f' = −k f: from f = 5/8 − 2 at the start."""
    answer = liaison("invert", "--json", model(LEVEL)).json()
    assert answer["attracted"] == ["speed"]
    ran = liaison("run", "--json", model(LEVEL), "--at", "0,1,3").json()
    speed = ran["integrals"]["speed"]
    assert speed["start"] == pytest.approx(-1.375, abs=1e-14)
    assert speed["end"] == pytest.approx(-1.375 * math.exp(-6.0), abs=1e-11)
    for sample in ran["samples"]:
        f = (sample["v"]["x"] ** 2 + sample["v"]["y"] ** 2) / 2 - 2.0
        assert f == pytest.approx(-1.375 * math.exp(-2.0 * sample["t"]), abs=1e-11)


def test_a_path_is_reached_from_elsewhere(liaison, model):
    """(d/dt + k)² f = 0 for f = x − a sin wt: f = (f₀ + (f₀' + k f₀) t) e^(−kt)."""
    a, w, k = 0.7, 1.3, 3.0
    text = f"""format = 1
name = "servo"
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.drive]
x = "push"
[invert]
unknown = ["push"]
stabilise = {k}
[invert.follow]
path = "x = {a}*sin({w}*t)"
[start]
x = 1.0
[run]
until = 4
tolerance = 1e-12
"""
    told = liaison("invert", model(text)).out
    assert "path is attracted to zero from wherever it starts" in told and "must hold at the start" not in told
    for sample in liaison("run", "--json", model(text), "--at", "0.5,2,4").json()["samples"]:
        t = sample["t"]
        off = (1.0 + (-a * w + k) * t) * math.exp(-k * t)
        assert sample["q"]["x"] == pytest.approx(a * math.sin(w * t) + off, abs=1e-10)
    here = liaison("invert", "--json", "--here", model(text)).json()["here"]
    # push = x + f'' wanted: −2k f' − k² f + (a sin wt)'' at the start
    assert here["shortest"] == pytest.approx([1.0 + 2 * k * a * w - k * k], abs=1e-12)


def test_what_holds_anyway_needs_no_attraction(liaison, model):
    answer = liaison("invert", "--json", model(LAGRANGE.replace("positional = true", "stabilise = 1"))).json()
    assert answer["identities"] == ["length"] and "length" not in answer["attracted"]


# ---- the free part as a vector product ------------------------------------------------------------------------------

def number(text, values):
    return eval(text.replace("^", "**").replace("'", "_"), {}, values)


@pytest.mark.parametrize("n", [3, 4])
def test_the_free_part_is_the_product_of_rows(liaison, model, n):
    """[S C] is orthogonal to S and to every row of C, and has their signed minors as components."""
    names = [f"x{i}" for i in range(n)]
    text = "format = 1\nname = \"speed\"\ncoordinates = [" + ", ".join(f'"{x}"' for x in names) + "]\n[energy]\nT = \""
    text += " + ".join(f"{x}'^2/2" for x in names) + '"\n[force.sought]\n'
    text += "\n".join(f'{x} = "u{i}"' for i, x in enumerate(names))
    text += '\n[integral]\nE = "' + " + ".join(f"{i + 1}*{x}'^2/2" for i, x in enumerate(names)) + '"\n[invert]\nunknown = ['
    text += ", ".join(f'"u{i}"' for i in range(n)) + "]\n"
    answer = liaison("invert", "--json", model(text)).json()
    product = answer["product"]
    assert len(product["C"]) == n - 2 and all(len(row) == n for row in product["C"])
    values = {f"{x}_": 0.3 + 0.7 * i * i - i for i, x in enumerate(names)}
    rows = [[(i + 1) * values[f"{x}_"] for i, x in enumerate(names)]]
    for r, row in enumerate(product["C"]):
        rows.append([math.sin(1 + 3 * r + 2 * j) for j in range(n)])
        values.update(zip(row, rows[-1]))
    SC = [number(text, values) for text in product["SC"]]
    assert max(abs(x) for x in SC) > 0.1
    for row in rows:
        assert sum(a * b for a, b in zip(row, SC)) == pytest.approx(0.0, abs=1e-13)
    if n == 3:
        (a, b, c), (d, e, f) = rows
        assert SC == pytest.approx([b * f - c * e, c * d - a * f, a * e - b * d], abs=1e-13)
    told = liaison("invert", model(text)).out
    assert "the free part is a*[S C]" in told


# ---- a potential in numbers -----------------------------------------------------------------------------------------

PLANE = """format = 1
name = "plane"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.given]
x = "{0}"
y = "{1}"
[force.sought]
x = "u1"
y = "u2"
[integral]
a = "x'"
b = "y'"
[invert]
unknown    = ["u1", "u2"]
positional = true
[start]
x = 0.6
y = 0.8
"""


@pytest.mark.parametrize("given, exists", [
    (("y*sqrt(1 + x^2*y^2)", "x*sqrt(1 + x^2*y^2)"), True),
    (("atan(x*y)*y", "atan(x*y)*x"), True),
    (("y*sqrt(1 + x^2*y^2)", "2*x*sqrt(1 + x^2*y^2)"), False),
    (("y", "0"), False),
], ids=["root", "arc", "root of another", "curl"])
def test_a_potential_in_numbers(liaison, model, given, exists):
    """The sought force cancels the given one: its derivatives are symmetric, or not."""
    here = liaison("invert", "--json", "--here", model(PLANE.format(*given))).json()["here"]
    assert here["positional"]["exists"] is True
    assert here["potential"]["exists"] is exists
    assert (here["potential"]["defect"] < 1e-12) is exists


def test_a_potential_in_numbers_for_quasi_velocities(liaison, model):
    """Lagrange's force passes with the brackets of the rotation; without the weight's γ in it nothing works along it."""
    here = liaison("invert", "--json", "--here", model(LAGRANGE)).json()["here"]
    assert here["potential"]["exists"] is True and here["potential"]["defect"] < 1e-12
    assert "it has a potential" in liaison("invert", "--here", model(LAGRANGE)).out


FREE = """format = 1
name = "free body"
[parameters]
A = 3.1
B = 2.3
C = 1.7
[body.top]
kind = "fixed-point"
inertia = ["A", "B", "C"]
[force.sought]
p = "u1"
q = "u2"
r = "u3"
[integral]
energy = "(A*p^2 + B*q^2 + C*r^2)/2"
area   = "A*p*gamma1 + B*q*gamma2 + C*r*gamma3"
moment = "A^2*p^2 + B^2*q^2 + C^2*r^2"
[invert]
unknown    = ["u1", "u2", "u3"]
positional = true
[start]
gamma1 = 0.6
gamma3 = 0.8
[start.velocity]
p = {p}
q = {q}
r = {r}
"""


@pytest.mark.parametrize("p, q, r", [(0.3, 0.2, 4.0), (-1.7, 0.9, 0.31), (3e-7, 2e-7, 4e-6), (3e5, 2e5, 4e6)])
def test_terms_that_cancel_ask_for_no_force(liaison, p, q, r):
    """Without torque a body keeps all three: no force serves, whatever rounding leaves of the terms that cancel."""
    answer = liaison("invert", "-", "--here", "--json", stdin=FREE.format(p=p, q=q, r=r))
    assert answer.code == 0, answer.err
    here = answer.json()["here"]
    assert here["positional"]["exists"] is True, here
    assert here["positional"]["forces"] == [0, 0, 0] and here["shortest"] == [0, 0, 0], here
    assert here["potential"]["exists"] is True, here
