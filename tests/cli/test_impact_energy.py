# SPDX-License-Identifier: Apache-2.0
"""Newton's restitution with friction can create energy (Kane's paradox): told, limited, or replaced, as the user says."""

import json
from pathlib import Path

import pytest
from conftest import run_program

CASE = json.loads((Path(__file__).resolve().parents[1] / "reference/07-energy.json").read_text(encoding="utf-8"))["cases"][0]


def model(policy, law="newton"):
    """One contact with D = ((1, −0.95), (−0.95, 1)): coordinates are its gap and its slip, M = D⁻¹."""
    det = 1 - 0.95**2
    return f"""
format = 1
name = "contact"
coordinates = ["y", "x"]
[energy]
T = "({1 / det!r}*y'^2 + {1.9 / det!r}*x'*y' + {1 / det!r}*x'^2)/2"
[contact.point]
gap = "y"
slip = "x'"
friction = 3
restitution = {{ value = 1, law = "{law}" }}
[start.velocity]
y = -0.4
x = 0.5
[run]
until = 0.01
energy = "{policy}"
"""


def run(policy, law="newton"):
    answer = run_program("run", "-", "--json", stdin=model(policy, law))
    assert answer.code == 0, answer.err
    result = answer.json()
    return result, result["events"][0]


@pytest.mark.parametrize("law", ["newton", "moreau"])
def test_energy_that_is_created_is_told(law):
    result, impact = run("report", law)
    wanted = CASE["solutions"][0]
    assert impact["energy"] == pytest.approx(wanted["energy_change"], abs=1e-10)
    assert impact["impulse"] == pytest.approx(wanted["normal"][0], abs=1e-10)
    told = [w for w in result["warnings"] if "created energy" in w]
    assert len(told) == 1 and told[0].startswith("an impact with friction created energy, 0.666667 in all")


@pytest.mark.parametrize("law", ["newton", "moreau"])
def test_energy_can_be_limited(law):
    result, impact = run("limit", law)
    assert -1e-9 < impact["energy"] <= 1e-12  # the largest restitution that gives none
    assert impact["case"] == "energy would grow" and impact["rule"].startswith("restitution times 0.")
    factor = float(impact["rule"].split()[-1])
    assert impact["v_plus"]["y"] == pytest.approx(0.4 * factor, abs=1e-8)
    assert result["warnings"] == []


@pytest.mark.parametrize("law", ["newton", "moreau"])
def test_poisson_can_take_over(law):
    _, impact = run("poisson", law)
    assert impact["energy"] <= 1e-12
    assert (impact["case"], impact["rule"]) == ("energy would grow", "poisson")


def test_the_energetic_law_needs_no_limit():
    result, impact = run("limit", "energetic")
    assert impact["energy"] <= 1e-12 and impact["case"] is None and result["warnings"] == []


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_energy_is_told_whatever_a_gap_is_measured_in(scale):
    """A smooth ball returns from another wall at the same instant, with an impulse that its gap may be scaled to anything."""
    text = model("report", "moreau").replace('["y", "x"]', '["y", "x", "z"]')
    text = text.replace('/2"\n[contact.point]', ' + 1000*z\'^2)/2"\n[contact.point]').replace("T = \"(", "T = \"((")
    text = text.replace("[start.velocity]\n", f"""[contact.ball]
gap = "{scale!r}*z"
restitution = {{ value = 1, law = "moreau" }}
[start.velocity]
z = -1
""")
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.err
    result = answer.json()
    assert result["events"][0]["energy"] == pytest.approx(CASE["solutions"][0]["energy_change"], abs=1e-9)
    told = [w for w in result["warnings"] if "created energy" in w]
    assert len(told) == 1 and "created energy, 0.666667 in all" in told[0]


def test_a_sequence_in_place_of_a_law_that_would_create_energy_is_judged_as_a_sequence():
    """Moreau's law would strike b, which separates, and create energy: a and b are struck in turn, Λ = −(1 + e) γ/D each.

    M⁻¹ = ((1.4, −0.8), (−0.8, 2.6))/3, rows (1, 0) and (−0.6, 1)."""
    text = """
format = 1
name = "two contacts"
coordinates = ["x", "y"]
[energy]
T = "1.3*x'^2 + 0.8*x'*y' + 0.7*y'^2"
[contact.a]
gap = "x"
restitution = { value = 0.9, law = "moreau" }
[contact.b]
gap = "y - 0.6*x"
restitution = { value = 0, law = "moreau" }
[start.velocity]
x = -1
[run]
until = 0.5
"""
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.err
    result = answer.json()
    first, second = result["events"]
    D11, D12, D22 = 1.4 / 3, -1.64 / 3, (0.6 * 1.64 + 3.08) / 3
    impulse_a = 1.9 / D11
    impulse_b = -(0.6 + D12 * impulse_a) / D22
    assert (first["where"], second["where"]) == ("a", "b")
    assert first["impulse"] == pytest.approx(impulse_a, rel=1e-12)
    assert second["impulse"] == pytest.approx(impulse_b, rel=1e-12)
    assert result["state"]["v"]["x"] == pytest.approx(0.9 + D12 * impulse_b, rel=1e-10)
    assert first["case"].startswith("the simultaneous law would create 0.34592")
    assert result["contacts"]["impact_complementarity"] < 1e-12
    assert result["warnings"] == []
