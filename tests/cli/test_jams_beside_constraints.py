# SPDX-License-Identifier: Apache-2.0
"""Impacts with friction where constraints leave one freedom: followed to their end in closed form, or stopped as jammed."""
import math

import pytest
from conftest import run_program

WEDGE = """
format = 1
coordinates = ["x", "y"]
[parameters]
M = 1
[energy]
T = "M*(x'^2 + y'^2)/2"
[constraint.rod]
equation = "{rod}"
[contact.floor]
gap = "y"
slip = "x'"
friction = {mu!r}
restitution = {{ value = {e}, law = "{law}" }}
[start]
x = -1
y = {k}
[start.velocity]
x = 1
y = -{k}
[run]
until = 3
"""


def struck(k, mu, e, law="energetic", rod=None, mass=1.0):
    """A bead slides down a smooth rod, y = −k x, onto a floor with friction at x = 0, t = 1."""
    text = WEDGE.format(rod=rod or f"y = -{k}*x", k=k, mu=mu, e=e, law=law)
    return run_program("run", "-", "--json", "--set", f"M={mass!r}", stdin=text)


@pytest.mark.parametrize("mass", [1e-6, 1, 1e6])
@pytest.mark.parametrize("k, mu", [(0.5, 0.0), (0.5, 0.3), (0.5, 0.499), (2.0, 1.999998), (0.05, 0.049), (3.0, 0.4)])
def test_a_bead_on_a_rod_strikes_a_rough_floor(k, mu, mass):
    """dv/dN = −(k + μ)/c down, −(k − μ)/c up the rod, c² = 1 + k²: v⁺ = −e v √((k − μ)/(k + μ)) by Stronge's law,
    N = v c/(k + μ) (1 + e √((k + μ)/(k − μ))), and friction takes the rest of the energy."""
    e = 0.6
    answer = struck(k, mu, e, mass=mass)
    assert answer.code == 0, answer.out[-500:] + answer.err
    result = answer.json()
    impact = next(event for event in result["events"] if event["kind"] == "impact")
    back = e * math.sqrt((k - mu) / (k + mu))
    near = 1e-9 / (1 - mu / k)
    assert impact["time"] == pytest.approx(1, abs=1e-12)
    assert impact["v_plus"]["x"] == pytest.approx(-back, rel=near)
    c = 1 + k * k  # v = √c for x' = 1
    assert impact["impulse"] == pytest.approx(mass * c / (k + mu) * (1 + e * math.sqrt((k + mu) / (k - mu))), rel=near)
    assert impact["energy"] == pytest.approx(-mass * c / 2 * (1 - back ** 2), rel=1e-9)
    assert result["constraints"]["rod"]["max_violation"] < 1e-12
    assert abs(result["energy"]["unexplained"]) < 1e-9 * mass


@pytest.mark.parametrize("rod", ["y = -0.5*x", "y + 0.5*x = 0", "1e6*y + 5e5*x = 0", "(y + 0.5*x)*(2 + cos(x)) = 0"])
@pytest.mark.parametrize("mu", [0.5, 0.51, 1.45, 30])
def test_a_floor_that_holds_the_bead_stops_the_run(rod, mu):
    """With μ ≥ k no impulse of the floor pushes the bead up the rod again: no restitution ends the impact."""
    answer = struck(0.5, mu, 0.662, rod=rod)
    assert answer.code == 3, answer.out[-500:]
    result = answer.json()
    assert "does not end" in result["reason"]
    assert result["time"] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("law", ["energetic", "newton", "poisson", "moreau"])
def test_without_restitution_it_stays(law):
    answer = struck(0.5, 1.45, 0, law=law)
    assert answer.code == 0, answer.out[-500:] + answer.err
    result = answer.json()
    assert abs(result["state"]["q"]["x"]) < 1e-12 and abs(result["state"]["v"]["x"]) < 1e-12
    assert result["energy"]["impacts"] == pytest.approx(-0.625, rel=1e-9)


FOUR_BAR = """
format = 1
coordinates = ["a", "b", "c"]
[energy]
T = "0.80655*(der(0.25*cos(a))^2 + der(0.25*sin(a))^2) + 0.016803*a'^2 + 0.4841*(der(0.5*cos(a) + 0.5*cos(b))^2 + der(0.5*sin(a) + 0.5*sin(b))^2) + 0.040342*b'^2 + 0.6986*(der(1.2 + 0.5*cos(c))^2 + der(0.5*sin(c))^2) + 0.058217*c'^2"
V = "15.8245*0.25*sin(a) + 9.498*(0.5*sin(a) + 0.5*sin(b)) + 13.7065*0.5*sin(c)"
[force.f]
a = "-0.2839*a'"
[constraint.across]
equation = "0.5*cos(a) + cos(b) - cos(c) - 1.2 = 0"
[constraint.up]
equation = "0.5*sin(a) + sin(b) - sin(c) = 0"
[contact.floor]
gap = "0.5*sin(a) + 0.5*sin(b) - 0.3581*cos(b) - 0.3324"
slip = "der(0.5*cos(a) + 0.5*cos(b) + 0.3581*sin(b))"
friction = {mu}
restitution = {{ value = 0.662, law = "energetic" }}
[start]
a = 0.7967
b = 0.6934
c = 1.65227
inconsistent = "project"
solve = ["b", "c"]
[start.velocity]
a = 2.8011
[run]
until = 2
tolerance = 1e-10
"""


@pytest.mark.parametrize("mu", [0.0, 0.1, 0.2, 0.4, 0.8, 1.4491, 3.0])
def test_a_four_bar_on_a_rough_floor_ends_its_impacts_or_stops(mu):
    """However rough: no energy is created, the constraints are kept, and an impact that does not end is told."""
    answer = run_program("run", "-", "--json", stdin=FOUR_BAR.format(mu=mu))
    result = answer.json()
    if answer.code == 3:
        assert "does not end" in result["reason"], result["reason"]
    else:
        assert answer.code == 0
    for event in result["events"]:
        if event["kind"] == "impact":
            assert event["energy"] <= 1e-9
    assert all(c["max_violation"] < 1e-9 for c in result["constraints"].values())
    assert abs(result["energy"]["unexplained"]) < 1e-7
