# SPDX-License-Identifier: Apache-2.0
"""Relays beside rigid contacts with friction: what a relay does on its surface and what the contacts do is decided together."""

import math

import pytest
from conftest import run_program


def run(text, *more, at=(), code=0):
    times = ("--at", ",".join(map(repr, at))) if at else ()
    answer = run_program("run", "-", "--json", "--events", "all", *times, *more, stdin=text)
    assert answer.code == code, answer.err + answer.out[:800]
    return answer.json()


BRAKES = {
    "relay": '[relay.brake]\nsurface = "x\'"\nforce.x = "-3*u"',
    "sign": '[force.brake]\nx = "-3*sign(x\')"',
}


@pytest.mark.parametrize("brake", BRAKES)
def test_a_brake_and_the_floor_hold_a_block_together(brake):
    """The floor holds μ m g = 2, the brake 3: pulled with t, the block starts at t = 5, x = (t − 5)³/6."""
    answer = run(
        f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[force.pull]
x = "t"
{BRAKES[brake]}
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.2
[start]
x = 0
y = 0
[run]
until = 7
tolerance = 1e-11
""",
        at=[1, 3, 4.5, 6, 7],
    )
    for s in answer["samples"]:
        t = s["t"]
        assert s["q"]["x"] == pytest.approx(max(0, t - 5) ** 3 / 6, abs=1e-10)
        held = s["reactions"]["floor"]["tangential"]
        assert abs(held if isinstance(held, float) else held[0]) <= 2 + 1e-9
    assert [e["time"] for e in answer["events"] if e["kind"] == "exit_sliding"] == pytest.approx([5])
    assert [e["time"] for e in answer["events"] if e["kind"] == "slip"] == pytest.approx([5])


def test_a_block_on_a_block_held_by_a_brake():
    """The lower block sticks to the floor, the upper one to it with 6 and to its brake with 2; pulled back and forth by
    10 sin t it starts at sin t = 0.8, slides with x'' = 10 sin t − 8 and comes to rest."""
    answer = run(
        """
format = 1
coordinates = ["x1", "y1", "x2", "y2"]
[energy]
T = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"
V = "10*y1 + 10*y2"
[force.pull]
x2 = "10*sin(t)"
[relay.brake]
surface = "x2'"
force.x2 = "-2*u"
[contact.floor]
gap = "y1"
slip = "x1'"
friction = 0.9
[contact.blocks]
gap = "y2 - y1"
slip = "x2' - x1'"
friction = 0.6
[start]
x1 = 0
y1 = 0
x2 = 0
y2 = 0
[run]
until = 2
tolerance = 1e-11
""",
        at=[0.5, 0.9, 1.2, 2],
    )


    t0 = math.asin(0.8)
    for s in answer["samples"]:
        t = s["t"]
        x = 0.0
        if t > t0:
            # x' = 10 (cos t0 − cos t) − 8 (t − t0)
            x = 10 * math.cos(t0) * (t - t0) - 10 * (math.sin(t) - math.sin(t0)) - 4 * (t - t0) ** 2
        assert s["q"]["x2"] == pytest.approx(x, abs=1e-9)
        assert s["q"]["x1"] == pytest.approx(0, abs=1e-12)


def test_a_relay_that_switches_lifts_a_block_off_the_floor():
    """Its force (−12, −12) presses while x' + y' > 0 and lifts below: as the block stops it is thrown up at once.

    Before: N = 10 + 12, x'' = −20 − 12 − 0.1·22 = −34.2, from 3.42 to rest at t = 0.1. After: x'' = −8, y'' = 2."""
    answer = run(
        """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[force.pull]
x = "-20"
[relay.r]
surface = "x' + y'"
force.x = "-12*u"
force.y = "-12*u"
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.1
[start]
x = 0
y = 0
[start.velocity]
x = 3.42
[run]
until = 0.5
""",
        at=[0.05, 0.3, 0.5],
    )
    first, middle, last = answer["samples"]
    assert first["q"]["x"] == pytest.approx(3.42 * 0.05 - 17.1 * 0.05**2, abs=1e-11)
    for s in (middle, last):
        tau = s["t"] - 0.1
        assert s["q"]["x"] == pytest.approx(0.171 - 4 * tau**2, abs=1e-10)
        assert s["q"]["y"] == pytest.approx(tau**2, abs=1e-10)
    assert sorted(e["kind"] for e in answer["events"]) == ["crossing", "release"]


TWO_FEET = """
format = 1
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2)/2 + th'^2/20"
V = "10*y"
[relay.damper]
surface = "th'"
force.th = "-0.5*u"
[contact.left]
gap = "y - 0.3*sin(th) - 0.2*cos(th)"
slip = "der(x - 0.3*cos(th) + 0.2*sin(th))"
friction = {left}
[contact.right]
gap = "y + 0.3*sin(th) - 0.2*cos(th)"
slip = "der(x + 0.3*cos(th) + 0.2*sin(th))"
friction = {right}
[start]
x = 0
y = 0.2
[start.velocity]
x = {speed}
[run]
until = 1
"""


def test_two_equal_feet_slide_whatever_a_damper_of_the_rotation_does():
    """Both feet hold th' = 0; the damper shares the load between them, and μ (N1 + N2) = μ m g does not depend on it."""
    answer = run(TWO_FEET.format(left=0.2, right=0.2, speed=1), at=[0.25, 1])
    assert answer["samples"][0]["q"]["x"] == pytest.approx(0.25 - 0.0625, abs=1e-10)
    assert answer["samples"][1]["q"]["x"] == pytest.approx(0.25, abs=1e-10)


def test_two_unequal_feet_at_rest_stay_at_rest():
    answer = run(TWO_FEET.format(left=0.1, right=0.3, speed=0), at=[1])
    assert answer["samples"][0]["q"]["x"] == pytest.approx(0, abs=1e-12)


def test_two_unequal_feet_that_slide_need_a_word_of_the_user():
    """N1 − N2 depends on the damper, and friction 0.1 N1 + 0.3 N2 with it: one motion for every value. With value 0 moments about
    the centre, 0.3 (N2 − N1) = 0.2 (0.1 N1 + 0.3 N2), and N1 + N2 = 10."""
    text = TWO_FEET.format(left=0.1, right=0.3, speed=1)
    answer = run(text, code=3)
    assert "not determined, and the motion depends on them" in answer["reason"]
    assert "--branch damper=stay" in answer["reason"]
    answer = run(text, "--branch", "damper=stay", at=[0.25])
    n1 = 10 * (0.3 - 0.06) / (0.6 + 0.02 - 0.06)
    deceleration = 0.1 * n1 + 0.3 * (10 - n1)
    assert answer["samples"][0]["q"]["x"] == pytest.approx(0.25 - deceleration / 32, abs=1e-9)


def test_a_relay_that_switches_breaks_the_hold_of_a_belt():
    """A belt with v = t − 1 carries a block; friction holds 2. Until the block stops the brake of 1.5 pushes it on, afterwards it
    would need 1 + 1.5: from t = 1 on it slips at once, x'' = 2 − 1.5."""
    answer = run(
        """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[relay.brake]
surface = "x'"
force.x = "-1.5*u"
[contact.belt]
gap = "y"
slip = "x' + 1 - t"
friction = 0.2
[start]
x = 0
y = 0
[start.velocity]
x = -1
[run]
until = 3
""",
        at=[0.5, 1.5, 3],
    )
    first, second, third = (s["q"]["x"] for s in answer["samples"])
    assert first == pytest.approx(-0.5 + 0.125, abs=1e-11)
    assert second == pytest.approx(-0.5 + 0.25 * 0.5**2, abs=1e-10)
    assert third == pytest.approx(-0.5 + 0.25 * 4, abs=1e-10)
    assert sorted(e["kind"] for e in answer["events"]) == ["crossing", "slip"]


@pytest.mark.parametrize("floor", [0, 0.2])
def test_two_unequal_brakes_hold_to_the_last(floor):
    """Brakes of 3 and 1.8 on one body hold 4.8 together, and with a floor that holds 2 they hold 6.8."""
    contact = f'[contact.floor]\ngap = "y"\nslip = "x\'"\nfriction = {floor}' if floor else ""
    until = 4.8 + 10 * floor
    answer = run(
        f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[force.pull]
x = "t"
y = "{0 if floor else 10}"
[relay.a]
surface = "x'"
force.x = "-3*u"
[relay.b]
surface = "x'"
force.x = "-1.8*u"
{contact}
[start]
x = 0
y = 0
[run]
until = {until + 1}
tolerance = 1e-11
""",
        at=[until - 0.01, until + 1],
    )
    assert answer["samples"][0]["q"]["x"] == pytest.approx(0, abs=1e-12)
    assert answer["samples"][1]["q"]["x"] == pytest.approx(1 / 6, abs=1e-9)


def test_a_brake_and_a_rough_table_share_what_they_hold():
    """The table holds 2 in all directions, the brake 3 along y: together the disc moved along the segment. Pulled with
    t (0.6, 0.8) the block leaves it at its straight side, 0.6 t = 2, and slides along x while the brake holds 0.8 t < 3."""
    answer = run(
        """
format = 1
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "10*z"
[force.pull]
x = "0.6*t"
y = "0.8*t"
[relay.brake]
surface = "y'"
force.y = "-3*u"
[contact.table]
gap = "z"
slip = ["x'", "y'"]
friction = 0.2
[start]
x = 0
y = 0
z = 0
[run]
until = 3.7
tolerance = 1e-11
""",
        at=[2.5, 3.3, 3.7],
    )
    for s in answer["samples"]:
        assert s["q"]["x"] == pytest.approx(max(0, s["t"] - 10 / 3) ** 3 / 10, abs=1e-9)
        assert s["q"]["y"] == pytest.approx(0, abs=1e-12)
        table = s["reactions"]["table"]["tangential"]
        assert math.hypot(*table) <= 2 + 1e-9
        assert s["relays"]["brake"] * 3 == pytest.approx(0.8 * s["t"] + table[1], abs=1e-9)
    assert [e["time"] for e in answer["events"] if e["kind"] == "slip"] == pytest.approx([10 / 3])
