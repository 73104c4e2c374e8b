# SPDX-License-Identifier: Apache-2.0
"""Slip with two components: straight braking, slip that turns on a slope, onset from rest, impacts in space."""

import math

import pytest
from conftest import run_program


def point(mu, slope=0.0, v=(0.0, 0.0, 0.0), z=0.0, until=2.0, e=0.0, pull=(0.0, 0.0), law="energetic"):
    closed = 'closed = ["plane"]' if z == 0.0 and v[2] == 0.0 else ""
    return f"""
format = 1
name = "point on a plane"
coordinates = ["x", "y", "z"]
[parameters]
al = {slope!r}
mu = {mu!r}
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "10*(z*cos(al) - x*sin(al))"
[force.pull]
x = "{pull[0]}*t"
y = "{pull[1]}*t"
[contact.plane]
gap = "z"
slip = ["x'", "y'"]
friction = "mu"
restitution = {{ value = {e}, law = "{law}" }}
[start]
z = {z!r}
{closed}
[start.velocity]
x = {v[0]!r}
y = {v[1]!r}
z = {v[2]!r}
[run]
until = {until}
tolerance = 1e-11
"""


def run(text):
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.out
    result = answer.json()
    assert abs(result["energy"]["unexplained"]) < 1e-8
    return result


def test_straight_braking_on_a_level_plane():
    result = run(point(0.4, v=(3.0, 4.0, 0.0)))
    stick = result["events"][0]
    assert stick["kind"] == "stick"
    assert stick["time"] == pytest.approx(5.0 / 4.0, abs=1e-9)
    q = result["state"]["q"]
    assert (q["x"], q["y"]) == (pytest.approx(3.0 * 0.625, abs=1e-8), pytest.approx(4.0 * 0.625, abs=1e-8))
    assert result["energy"]["friction"] == pytest.approx(-12.5, abs=1e-8)


def test_slip_turns_downhill_when_friction_equals_the_slope():
    """tan α = μ: |v| (1 + cos φ) is constant, so that a crosswise start ends downhill with half the speed."""
    slope = 0.3
    result = run(point(math.tan(slope), slope, (0.0, 2.0, 0.0), until=6.0))
    v = result["state"]["v"]
    speed = math.hypot(v["x"], v["y"])
    assert speed + v["x"] == pytest.approx(2.0, abs=1e-8)
    assert v["x"] == pytest.approx(1.0, abs=1e-4)


def test_onset_of_slip_from_rest():
    """Pulled by 3t, 4t against μ = 0.4 and weight 10: slips at t = 0.8 along the pull, v' = 5t − 4."""
    result = run(point(0.4, pull=(3.0, 4.0)))
    event = result["events"][0]
    assert event["kind"] == "slip"
    assert event["time"] == pytest.approx(0.8, abs=1e-9)
    v = result["state"]["v"]
    speed = 2.5 * (2.0**2 - 0.8**2) - 4.0 * 1.2
    assert v["x"] == pytest.approx(0.6 * speed, abs=1e-8)
    assert v["y"] == pytest.approx(0.8 * speed, abs=1e-8)


def test_oblique_impact_slips_or_sticks():
    """No coupling of normal and tangent: the impulse μ(1 + e)u against slip, at most what stops it."""
    slipping = run(point(0.3, v=(3.0, 4.0, -2.0), z=0.0, e=0.5, until=0.05))
    impact = slipping["events"][0]
    assert impact["impulse"] == pytest.approx(3.0, abs=1e-10)
    assert impact["tangential"] == [pytest.approx(-0.54, abs=1e-9), pytest.approx(-0.72, abs=1e-9)]
    sticking = run(point(2.0, v=(3.0, 4.0, -2.0), z=0.0, e=0.5, until=0.05))["events"][0]
    assert [p["phase"] for p in sticking["phases"]][-1] == "stick"
    assert [sticking["v_plus"]["x"], sticking["v_plus"]["y"]] == pytest.approx([0.0, 0.0], abs=1e-10)
    assert sticking["v_plus"]["z"] == pytest.approx(1.0, abs=1e-10)
