# SPDX-License-Identifier: Apache-2.0
"""Contacts beside bilateral constraints do not depend on the unit of mass: a factor of the kinetic energy changes impulses alone."""
import json

import pytest
from conftest import run_program

PARALLELOGRAM = """
format = 1
coordinates = ["a", "b", "c"]
[parameters]
M = 1
[energy]
T = "M*(a'^2 + b'^2 + c'^2)/2"
[constraint.across]
equation = "cos(a) + cos(c) - cos(b) - 1 = 0"
[constraint.up]
equation = "sin(a) + sin(c) - sin(b) = 0"
{more}
[contact.stop]
gap = "1.5 - b"
restitution = {e}
[start]
a = 1
b = 1
[start.velocity]
a = 1
b = 1
[run]
until = 1
"""


@pytest.mark.parametrize("mass", [1e-12, 1e-6, 1, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("more", ["", '[constraint.again]\nequation = "2*cos(a) + 2*cos(c) - 2*cos(b) = 2"'])
@pytest.mark.parametrize("e", [0, 0.5])
def test_a_stop_of_a_linkage_takes_the_momentum_of_both_cranks(mass, more, e):
    """The cranks turn together with rate 1, c rests: an impulse (1 + e)·2 M turns them back with e, whatever M."""
    answer = run_program("run", "-", "--json", "--set", f"M={mass!r}", "--at", "0.25,0.75", stdin=PARALLELOGRAM.format(more=more, e=e))
    assert answer.code == 0, answer.out[:400] + answer.err
    result = answer.json()
    impact = next(event for event in result["events"] if event["kind"] == "impact")
    assert impact["time"] == pytest.approx(0.5, abs=1e-12)
    assert impact["impulse"] == pytest.approx((1 + e) * 2 * mass, rel=1e-9)
    assert impact["energy"] == pytest.approx(-(1 - e * e) * mass, rel=1e-9)
    before, after = result["samples"]
    assert before["v"]["a"] == pytest.approx(1, abs=1e-9), json.dumps(before)
    for rate in (after["v"]["a"], after["v"]["b"]):
        assert rate == pytest.approx(-e, abs=1e-9)
    assert abs(after["v"]["c"]) < 1e-9 and abs(after["q"]["c"]) < 1e-9


TIED_BLOCK = """
format = 1
coordinates = ["x", "y", "z"]
[parameters]
M = 1
[energy]
T = "M*(x'^2 + y'^2 + z'^2)/2"
V = "M*10*y"
[constraint.tie]
equation = "{tie}"
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.4
restitution = {e}
[start]
y = {height}
[start.velocity]
x = 2
z = 2
[run]
until = 2
"""


@pytest.mark.parametrize("mass", [1e-12, 1e-6, 1, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("tie", ["z = x", "1000*z = 1000*x", "1e-6*z = 1e-6*x"])
def test_a_rough_floor_brakes_two_tied_masses(mass, tie):
    """Only one of the two presses: the friction 0.4·10 M brakes 2 M by 2, to rest at t = 1."""
    text = TIED_BLOCK.format(tie=tie, e=0, height=0)
    answer = run_program("run", "-", "--json", "--set", f"M={mass!r}", "--at", "0.5,1.5", stdin=text)
    assert answer.code == 0, answer.out[:400] + answer.err
    result = answer.json()
    braking, resting = result["samples"]
    assert braking["v"]["x"] == pytest.approx(1, abs=1e-9) and braking["v"]["z"] == pytest.approx(1, abs=1e-9)
    assert resting["q"]["x"] == pytest.approx(1, abs=1e-9) and abs(resting["v"]["x"]) < 1e-12
    assert [e["time"] for e in result["events"] if e["kind"] == "stick"] == [pytest.approx(1, abs=1e-9)]


@pytest.mark.parametrize("mass", [1e-12, 1e-6, 1, 1e6, 1e9, 1e12])
def test_an_impact_on_a_rough_floor_beside_a_constraint(mass):
    """Dropped from 0.2 m: N = 2 M·1.5 with e = 1/2, and friction takes 0.4 N/(2 M) = 0.6 of the speed 2 of both."""
    text = TIED_BLOCK.format(tie="z = x", e=0.5, height=0.2)
    answer = run_program("run", "-", "--json", "--set", f"M={mass!r}", stdin=text)
    impact = next(event for event in answer.json()["events"] if event["kind"] == "impact")
    assert impact["time"] == pytest.approx(0.2, abs=1e-12)
    assert impact["impulse"] == pytest.approx(3 * mass, rel=1e-9)
    assert impact["tangential"] == [pytest.approx(-1.2 * mass, rel=1e-9)]
    assert impact["v_plus"]["x"] == pytest.approx(1.4, rel=1e-9) and impact["v_plus"]["z"] == pytest.approx(1.4, rel=1e-9)
