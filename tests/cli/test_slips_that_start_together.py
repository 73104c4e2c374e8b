# SPDX-License-Identifier: Apache-2.0
"""Two contacts in space that start to slip together: all motions are enumerated, and the run says so."""

import math

import pytest
from conftest import run_program

# A body pulled along the corner of a floor and a wall that it is pressed against with 5 N; 10 N of weight.
FLOOR, WALL, PRESS, WEIGHT = 0.3, 0.4, 5.0, 10.0
CORNER = """
format = 1
name = "body in a corner"
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "10*z"
[force.pull]
x = -5
y = "{pull}"
[contact.floor]
gap = "z"
slip = ["x'", "y'"]
friction = 0.3
[contact.wall]
gap = "x"
slip = ["y'", "z'"]
friction = 0.4
[start]
closed = ["floor", "wall"]
[run]
until = 4
tolerance = 1e-11
"""

SLIPS = FLOOR * WEIGHT + WALL * PRESS  # friction against a slip along the corner


def holds():
    """The largest pull that any forces in the cones balance.

    They do while no velocity (u, 1, w) with w = μ_f |(u, 1)|, u = μ_w |(1, w)| (the edges of the dual cones) takes more work
    from the pull than weight and press give back: pull = 5 u + 10 w.
    """
    u = math.sqrt(WALL**2 * (1 + FLOOR**2) / (1 - WALL**2 * FLOOR**2))
    return PRESS * u + WEIGHT * FLOOR * math.hypot(1.0, u)


def run(pull):
    answer = run_program("run", "-", "--json", "--at", "0,1,4", stdin=CORNER.format(pull=pull))
    assert answer.code == 0, answer.out[:600] + answer.err
    return answer.json()


def test_a_pull_above_all_friction_slips_at_once_and_has_no_other_motion():
    result = run("6 + t")
    assert result["contacts"]["resolved"] == {"unique (enumerated)": 1}
    assert result["warnings"] == [] and result["events"] == []
    for sample in result["samples"]:
        t = sample["t"]
        assert sample["v"]["y"] == pytest.approx((6 - SLIPS) * t + t * t / 2, abs=1e-9)
        assert sample["reactions"]["floor"]["normal"] == pytest.approx(WEIGHT, abs=1e-9)
        assert sample["reactions"]["wall"]["normal"] == pytest.approx(PRESS, abs=1e-9)
        assert sample["reactions"]["floor"]["tangential"] == [pytest.approx(0, abs=1e-9), pytest.approx(-3, abs=1e-9)]
        assert sample["reactions"]["wall"]["tangential"] == [pytest.approx(-2, abs=1e-9), pytest.approx(0, abs=1e-9)]


def test_a_pull_that_grows_is_held_as_long_as_any_forces_hold_it():
    """The walls of the corner jam a little: floor and wall rub upwards and inwards too. Then both slip, with less friction."""
    result = run("2*t")
    begin = holds() / 2.0
    assert begin > SLIPS / 2.0
    assert [(e["kind"], e["where"]) for e in result["events"]] == [("slip", "floor"), ("slip", "wall")]
    for event in result["events"]:
        assert event["time"] == pytest.approx(begin, abs=1e-9)
        assert event["case"] is None
    assert set(result["contacts"]["resolved"]) == {"unique (enumerated)"}
    assert result["warnings"] == []
    v = (4.0**2 - SLIPS * 4.0) - (begin**2 - SLIPS * begin)
    assert result["state"]["v"]["y"] == pytest.approx(v, abs=1e-8)


def test_a_pull_between_slip_and_rest_has_two_motions_and_both_are_counted():
    """At rest the corner may be jammed, or not: nobody has said."""
    pull = 0.5 * (SLIPS + holds())
    result = run(repr(pull))
    assert result["contacts"]["resolved"] == {"several (enumerated)": 1}
    first = result["events"][0]
    assert (first["time"], first["case"]) == (0.0, "indeterminate")


def test_a_rod_on_two_tips_that_is_turned():
    """Tips at ±1 slip across the rod: the moment 4 N·m of friction against 6, a quarter turn of acceleration (6 − 4)·3."""
    text = """
format = 1
name = "rod on two tips"
coordinates = ["x", "y", "z", "th", "ph"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2 + (th'^2 + ph'^2*cos(th)^2)/6"
V = "10*z"
[force.turn]
ph = 6
[contact.left]
gap = "z - sin(th)"
slip = ["der(x - cos(th)*cos(ph))", "der(y - cos(th)*sin(ph))"]
friction = 0.4
[contact.right]
gap = "z + sin(th)"
slip = ["der(x + cos(th)*cos(ph))", "der(y + cos(th)*sin(ph))"]
friction = 0.4
[start]
closed = ["left", "right"]
[run]
until = 0.2
"""
    answer = run_program("run", "-", "--json", "--at", "0.1", stdin=text)
    assert answer.code == 0, answer.out[:600] + answer.err
    result = answer.json()
    assert result["contacts"]["resolved"] == {"unique (enumerated)": 1}
    assert result["warnings"] == []
    assert result["samples"][0]["v"]["ph"] == pytest.approx(0.6, abs=1e-9)
