# SPDX-License-Identifier: Apache-2.0
"""Impacts that friction jams: where the gap depends on the slip, a contact that sticks cannot part again."""

import math

import pytest
from conftest import run_program


def tip(restitution, friction="0.2 + 0.6/(1 + abs(slip)/0.3)", law="energetic", start=0.8, rate=-1.0):
    """The tip of a pendulum on a rough floor: one degree of freedom, slip = gap rate times cot p."""
    return f"""
format = 1
name = "pendulum above a floor"
coordinates = ["p"]
[energy]
T = "p'^2/2"
V = "-10*cos(p)"
[contact.floor]
gap = "0.66 - 0.72*cos(p)"
slip = "der(0.72*sin(p))"
friction = "{friction}"
restitution = {{ value = {restitution}, law = "{law}" }}
[start]
p = {start}
[start.velocity]
p = {rate}
[run]
until = 1
"""


@pytest.mark.parametrize("law", ["energetic", "newton"])
@pytest.mark.parametrize("start, rate", [(0.8, -1.0), (0.5, -0.1), (-0.9, 2.0), (1.2, -3.0)])
def test_a_jam_is_told_and_not_done(law, start, rate):
    """tan p = 0.436 at the floor, and rest is held up to 0.8: no impulse moves the tip again."""
    answer = run_program("run", "-", "--json", stdin=tip(1, law=law, start=start, rate=rate))
    assert answer.code != 0
    result = answer.json()
    assert result["status"] != "done"
    assert "friction holds the contact, and no impulse parts it again" in result["reason"]
    assert "floor" in result["reason"]
    assert all(abs(e["impulse"] or 0) < 100 for e in result["events"])


def test_without_restitution_the_tip_stays():
    result = run_program("run", "-", "--json", stdin=tip(0)).json()
    assert result["status"] == "done"
    assert abs(result["state"]["v"]["p"]) < 1e-15
    # Both impulses stop it, W_N N + W_T T with friction at the bound that the slip before has.
    impact = result["events"][0]
    p, rate = impact["q"]["p"], impact["v_minus"]["p"]
    along, across = 0.72 * math.sin(p), 0.72 * math.cos(p)
    mu = 0.2 + 0.6 / (1 + abs(across * rate) / 0.3)
    assert impact["impulse"] == pytest.approx(-rate / (along + mu * across), rel=1e-12)


def test_with_less_friction_it_bounces():
    """Friction 0.2 < tan p: energy returned by the normal impulse, friction takes its part of it both ways."""
    result = run_program("run", "-", "--json", stdin=tip(1, friction="0.2", law="newton")).json()
    assert result["status"] == "done"
    first = result["events"][0]
    assert first["v_plus"]["p"] == pytest.approx(-first["v_minus"]["p"], rel=1e-12)
