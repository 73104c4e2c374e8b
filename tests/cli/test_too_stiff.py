# SPDX-License-Identifier: Apache-2.0
"""Springs stiffer than numbers can hold: told before, stopped where the compression is below rounding, never let through."""

import re

import pytest
from conftest import run_program

EPSILON = 2.0**-52
G = 9.81

HIGH = """
format = 1
name = "ball on a high floor"
coordinates = ["y"]
[parameters]
N = {stiffness}
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y - {height}"
restitution = 0.6
stiffness = "N"
[start]
y = {height} + 0.05
[run]
until = 0.5
contact = "elastic"
tolerance = 1e-6
"""

CURVED = """
format = 1
name = "ball on a moving curved floor"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[contact.ramp]
gap = "y - x^2/10 - 0.02*t"
restitution = 0.6
stiffness = {stiffness}
[start]
x = 1
y = 1
[start.velocity]
x = -0.5
[run]
until = 6
contact = "elastic"
tolerance = 1e-9
"""


def high(stiffness, height=1000):
    text = HIGH.format(stiffness=stiffness, height=height)
    return text.replace(f"y = {height} + 0.05", f"y = {height + 0.05}")


def follows(message):
    return float(re.search(r"(\d\.\de[+-]\d+) could be followed", message).group(1))


def test_rest_below_rounding_stops_with_the_stiffness_that_would_do():
    """At height 1000 the gap is known to ε·1000; the weight presses by g/N."""
    answer = run_program("run", "-", "--json", stdin=high(1e16))
    assert answer.code == 3
    result = answer.json()
    assert "contact floor is too stiff for double precision" in result["reason"]
    assert 'contact = "events"' in result["reason"]
    named = follows(result["reason"])
    # g/N = 16 roundings, to the digits that are told
    assert named == pytest.approx(G / (16 * EPSILON * 1000), rel=0.05)
    # The ball lies on the floor: its end of bouncing is t = √(2h/g)(1 + e)/(1 − e).
    assert result["state"]["q"]["y"] == pytest.approx(1000, abs=1e-8)
    assert result["time"] == pytest.approx((2 * 0.05 / G) ** 0.5 * 1.6 / 0.4, rel=1e-4)
    # and the stiffness that was named carries it
    answer = run_program("run", "-", "--json", stdin=high(named))
    assert answer.code == 0
    assert answer.json()["state"]["q"]["y"] - 1000 == pytest.approx(-G / named, abs=4 * EPSILON * 1000)


def test_a_floor_at_zero_holds_more():
    """Near y = 0 numbers are dense: the same stiffness is no trouble there."""
    answer = run_program("run", "-", "--json", "--until", "0.41", stdin=high(1e16, 0))
    assert answer.code == 0, answer.out[:2000]
    result = answer.json()
    assert result["status"] == "done"
    assert not any("stiffer" in w for w in result["warnings"])


@pytest.mark.parametrize("stiffness", ["1e18", "1e22"])
def test_nothing_falls_through_a_curved_moving_floor(stiffness):
    answer = run_program("run", "-", "--json", stdin=CURVED.format(stiffness=stiffness))
    assert answer.code == 3
    result = answer.json()
    assert "contact ramp is too stiff" in result["reason"]
    assert result["smallest_gap"] > -1e-8
    q, t = result["state"]["q"], result["time"]
    assert abs(q["y"] - q["x"] ** 2 / 10 - 0.02 * t) < 1e-8
    # The rigid ball comes to rest on the floor at the same instant.
    rigid = run_program("run", "-", "--json", "--realise", "contact=events", stdin=CURVED.format(stiffness=stiffness))
    end = [e for e in rigid.json()["events"] if e["kind"] == "accumulation"][0]
    assert t == pytest.approx(end["time"], abs=1e-5)


@pytest.mark.parametrize("stiffness", ["1e26", "1e30"])
def test_contacts_shorter_than_an_instant(stiffness):
    answer = run_program("run", "-", stdin=CURVED.format(stiffness=stiffness))
    assert answer.code == 3
    assert "contact ramp is stiffer than time can resolve" in answer.err
    assert "up to stiffness = 6.8e+24 can be followed" in answer.err


def test_the_tolerance_is_told_beforehand():
    """δ ω > tolerance: what is kept, and by which stiffness; the motion still goes on."""
    answer = run_program("run", "-", "--json", "--until", "1", stdin=CURVED.format(stiffness="1e15"))
    assert answer.code == 0
    told = [w for w in answer.json()["warnings"] if "contact ramp is stiffer than the tolerance 1e-09 can follow" in w]
    assert len(told) == 1
    calm = run_program("run", "-", "--json", "--until", "1", stdin=CURVED.format(stiffness="1e10"))
    assert calm.json()["warnings"] == []
