# SPDX-License-Identifier: Apache-2.0
"""compare events, routh and elastic: one model, three meanings, and why they differ where they do."""

import json
import math

import pytest
from conftest import run_program

PENDULUM = """
format = 1
name = "string pendulum"
coordinates = ["x", "z"]
[energy]
T = "(x'^2 + z'^2)/2"
V = "9.81*z"
[contact.string]
gap = "1 - sqrt(x^2 + z^2)"
{contact}
[start]
x = 0.8
z = 0.5
[run]
until = 3
tolerance = 1e-12
"""

CORNER = """
format = 1
name = "corner"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[contact.floor]
gap = "y"
restitution = 1
stiffness = 1e6
[contact.wall]
gap = "{sine}*x - {cosine}*y"
restitution = 1
stiffness = 1e6
[start.velocity]
x = -0.96
y = -0.28
[run]
until = 1
"""


def compare(text, words, *more):
    answer = run_program("compare", "-", "--json", "--with", words, *more, stdin=text)
    assert answer.code in (0, 1), answer.err + answer.out[:500]
    return answer.code, answer.json()


@pytest.mark.parametrize("restitution", [0, 0.5, 1])
def test_events_and_routh_are_one_motion(restitution):
    code, result = compare(PENDULUM.format(contact=f"restitution = {restitution}"), "events,routh")
    assert code == 0 and result["agree"] is True
    assert result["explanation"] == []
    assert [v["realisation"] for v in result["variants"]] == ["events", "routh"]
    for v in result["variants"]:
        assert abs(v["energy"]["unexplained"]) < 1e-9


def test_a_finite_stiffness_is_named(tmp_path):
    picture = tmp_path / "three.svg"
    code, result = compare(PENDULUM.format(contact="restitution = 1\nstiffness = 1e8"), "events,routh,elastic", "-o", picture)
    assert code == 1
    assert any("stiffness is finite" in sentence for sentence in result["explanation"])
    pairs = {(d["a"], d["b"]): d["agree"] for d in result["pairs"]}
    assert pairs == {("events", "routh"): True, ("events", "elastic"): False, ("routh", "elastic"): False}
    assert picture.read_text(encoding="utf-8").startswith("<")


def test_restitution_that_was_not_given_is_named():
    _, result = compare(PENDULUM.format(contact="stiffness = 1e8"), "events,elastic")
    assert any("gives no restitution" in sentence for sentence in result["explanation"])


def test_a_corner_whose_outcome_depends_on_the_order_is_named():
    text = CORNER.format(sine=math.sin(1.0), cosine=math.cos(1.0))
    _, result = compare(text, "events,elastic")
    assert any("depends on the order" in sentence for sentence in result["explanation"])


def test_an_impact_that_is_almost_a_graze_is_named():
    """An oscillator that just reaches its stop: a soft stop lets it in deeper than it is overshot."""
    text = """
format = 1
name = "graze"
coordinates = ["s"]
[energy]
T = "s'^2/2"
V = "s^2/2"
[contact.stop]
gap = "0.5 - s"
restitution = 1
stiffness = 1e6
[start]
s = -0.50000001
[run]
until = 6
"""
    _, result = compare(text, "events,elastic")
    assert any("almost a graze" in sentence and "stop" in sentence for sentence in result["explanation"])


def test_routh_says_why_it_cannot():
    text = CORNER.format(sine=math.sin(1.0), cosine=math.cos(1.0))
    answer = run_program("compare", "-", "--with", "events,routh", stdin=text)
    assert answer.code == 2
    assert "coupled" in answer.err and json.dumps("events")[1:-1] in answer.err


GENERAL = {
    "two coordinates": ('["x", "y"]', "(1.2 + 0.3*sin(x + t))*x'^2/2 + 0.4*cos(y)*x'*y' + (1.5 + 0.2*cos(x*y))*y'^2/2 + (0.3*x*y + 0.1*t)*y'",
                        "0.7*x^2 + 0.4*y^2 + 0.2*sin(x*y + t)", {"x": "-0.1*x' + 0.2*y'*sin(t)", "y": "-0.05*y'^3 - 0.6"},
                        "y + 0.4*sin(x) - 0.1*t*x + 0.5", {"x": 0.3, "y": 0.6}, {"x": 0.4, "y": -0.8}),
    "three coordinates": ('["x", "y", "z"]',
                          "(1 + 0.2*z^2)*x'^2/2 + (1.3 + 0.1*sin(t))*y'^2/2 + (0.9 + 0.2*cos(x))*z'^2/2 + 0.3*y'*z' + 0.2*x*y*z' + 0.1*x'*y'",
                          "0.5*(x^2 + y^2 + z^2) + 0.1*x*y*z", {"x": "0.3*z' - 0.1*x'", "z": "-0.4 - 0.1*x'*y'"},
                          "z + 0.3*x^2 - 0.2*y + 0.1*cos(2*t) + 0.3", {"x": 0.5, "y": -0.2, "z": 0.4}, {"x": -0.3, "y": 0.5, "z": -0.6}),
    "four coordinates": ('["a", "b", "c", "d"]',
                         "(1 + 0.1*b^2)*a'^2/2 + b'^2/2 + (1.4 + 0.2*sin(d))*c'^2/2 + (1.1 + 0.1*a*t)*d'^2/2 + 0.2*a'*d' + 0.1*cos(a)*b'*c' + 0.2*b*a'",
                         "0.6*a^2 + 0.5*b^2 + 0.4*c^2 + 0.3*d^2", {"a": "-0.2*d'", "d": "-0.5 + 0.2*a'"},
                         "d + 0.5*sin(a + b) - 0.3*c + 0.4 + 0.1*t", {"a": 0.2, "b": 0.3, "c": -0.4, "d": 0.5},
                         {"a": 0.5, "b": -0.4, "c": 0.2, "d": -0.9}),
}


@pytest.mark.parametrize("restitution", [1, 0.6])
@pytest.mark.parametrize("name", GENERAL)
def test_general_lagrangians_with_moving_gaps_agree(name, restitution):
    """Time in the metric, terms linear in the velocities, forces of the velocities, a curved moving gap."""
    coordinates, kinetic, potential, forces, gap, start, velocity = GENERAL[name]
    text = f'format = 1\nname = "general"\ncoordinates = {coordinates}\n[energy]\nT = "{kinetic}"\nV = "{potential}"\n[force.f]\n'
    text += "".join(f'{k} = "{v}"\n' for k, v in forces.items())
    text += f'[contact.stop]\ngap = "{gap}"\nrestitution = {restitution}\n[start]\n'
    text += "".join(f"{k} = {v}\n" for k, v in start.items()) + "[start.velocity]\n"
    text += "".join(f"{k} = {v}\n" for k, v in velocity.items()) + "[run]\nuntil = 6\ntolerance = 1e-13\n"
    code, result = compare(text, "events,routh")
    assert code == 0, result["pairs"]
    largest = result["pairs"][0]["largest"]
    # accelerations jump where a contact closes: positions and velocities count
    assert max(v for k, v in largest.items() if not k.endswith("''")) < 1e-8
    by_events = run_program("run", "-", "--json", stdin=text).json()
    by_routh = run_program("run", "-", "--json", "--realise", "routh", stdin=text).json()
    first, second = ([e for e in r["events"] if e["kind"] == "impact"] for r in (by_events, by_routh))
    assert len(first) == len(second) >= 1
    for a, b in zip(first, second):
        assert abs(a["time"] - b["time"]) < 1e-9
        assert abs(a["impulse"] - b["impulse"]) < 1e-9
        assert abs(a["energy"] - b["energy"]) < 1e-9
        assert all(abs(a["v_plus"][k] - b["v_plus"][k]) < 1e-8 for k in a["v_plus"])


def test_elastic_contacts_beside_constraints_are_what_they_are():
    """A pendulum in Cartesian coordinates at a stop: springs give way, which is no fault; impacts take energy, which is no error."""
    text = """
format = 1
name = "pendulum at a stop"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.rod]
equation = "x^2 + y^2 = 1"
[contact.stop]
gap = "0.3 + 0.05*sin(5*t) - x"
restitution = 0.7
stiffness = 1e7
[start]
x = -0.6
y = -0.8
[run]
until = 5
"""
    run = run_program("run", "-", "--json", "--realise", "contact=elastic", stdin=text)
    assert run.code == 0 and run.json()["warnings"] == []
    _, result = compare(text, "events,elastic")
    assert any("stiffness is finite" in sentence for sentence in result["explanation"])
    for v in result["variants"]:
        assert v["energy_error"] < 1e-9, v["realisation"]
