# SPDX-License-Identifier: Apache-2.0
"""invert: forces from first integrals, and the motion under the forces that were found."""

import json
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
