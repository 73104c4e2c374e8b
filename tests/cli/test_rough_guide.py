# SPDX-License-Identifier: Apache-2.0
"""Rough guides beside contacts, and guides that slip in a plane: two contacts without play, whichever side carries."""

import math

import pytest
from conftest import needs

pytestmark = needs("run")

LOAD, MU, V = 2.0, 0.25, 3.0  # a bead of mass one, pressed against its guide: friction 0.5

GUIDE = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.load]
y = "{load}"
[constraint.guide]
equation = "y = 0"
slip = "x'"
friction = 0.25
[contact.wall]
gap = "{wall} - x"
restitution = 0.5
[start.velocity]
x = 3.0
[run]
until = 20
tolerance = 1e-12
"""


@pytest.mark.parametrize("load", [LOAD, -LOAD])
def test_a_bead_comes_back_from_a_wall(liaison, model, load):
    wall = 4.0
    run = liaison("run", model(GUIDE.format(load=load, wall=wall)), "--json").json()
    assert run["status"] == "done"
    impact = next(e for e in run["events"] if e["kind"] == "impact")
    friction = MU * LOAD
    speed = math.sqrt(V**2 - 2 * friction * wall)
    assert impact["time"] == pytest.approx((V - speed) / friction, abs=1e-10)
    assert impact["v_plus"]["x"] == pytest.approx(-speed / 2, abs=1e-10)
    # it stops where friction has taken the rest, and stays there
    assert run["state"]["q"]["x"] == pytest.approx(wall - (speed / 2) ** 2 / (2 * friction), abs=1e-9)
    assert run["state"]["v"]["x"] == 0.0
    assert abs(run["state"]["q"]["y"]) < 1e-12


@pytest.mark.parametrize("impacts", ["sequential", "simultaneous"])
def test_an_impact_presses_the_guide(liaison, model, impacts):
    """A wall at 45 degrees throws the bead against its guide: the guide's impulse rubs.

    Unit mass, v = (3, 0), impulse P of the wall along (-1, -1)/sqrt 2, Q of the guide along +y, friction -0.25 Q along x
    while it slips. No motion remains into either: Q = P/sqrt 2, and the wall compresses until
    v_x - P/sqrt 2 - 0.25 P/sqrt 2 = 0 (restitution 0). The bead stops at once: by one impact, or by a sequence of
    collisions with wall and guide in turn, each of which leaves a part of the speed.
    """
    text = GUIDE.format(load=-LOAD, wall=1.0).replace('gap = "1.0 - x"', 'gap = "1 - x - y"').replace(
        "restitution = 0.5", "restitution = { value = 0, law = \"moreau\" }").replace(
        "until = 20", f'until = 20\nimpacts = "{impacts}"')
    run = liaison("run", model(text), "--json").json()
    assert run["status"] == "done"
    assert run["state"]["q"]["x"] == pytest.approx(1.0, abs=1e-9)
    assert max(map(abs, run["state"]["v"].values())) < 1e-12
    assert abs(run["energy"]["unexplained"]) < 1e-12


@pytest.mark.parametrize("load", [LOAD, -LOAD])
def test_a_puck_between_two_plates(liaison, model, load):
    """Slip in a plane: friction against the velocity, a straight way of length v^2/(2 mu F)."""
    text = f"""
format = 1
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
[force.load]
z = "{load}"
[constraint.plates]
equation = "z = 0"
slip = ["x'", "y'"]
friction = 0.25
[start.velocity]
x = 1.2
y = -1.6
[run]
until = 10
tolerance = 1e-12
"""
    run = liaison("run", model(text), "--json").json()
    assert run["status"] == "done"
    way = 2.0**2 / (2 * MU * LOAD)
    assert run["state"]["q"]["x"] == pytest.approx(0.6 * way, abs=1e-9)
    assert run["state"]["q"]["y"] == pytest.approx(-0.8 * way, abs=1e-9)
    assert run["state"]["v"]["x"] == 0.0 and run["state"]["v"]["y"] == 0.0


def test_beside_another_mass_it_is_the_guide_alone(liaison, model):
    """A load that changes its side: the same motion as with the constraint alone, which has closed forms elsewhere."""
    alone = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.load]
x = "sin(3*t)"
y = "2*cos(t)"
[constraint.guide]
equation = "y = 0"
slip = "x'"
friction = 0.2
[start.velocity]
x = 1.0
[run]
until = 6
tolerance = 1e-12
"""
    beside = alone.replace('"y"]', '"y", "h"]').replace("y'^2)/2", "y'^2 + h'^2)/2").replace(
        "[force.load]", '[force.weight]\nh = -1\n[force.load]').replace(
        "[start.velocity]", '[contact.floor]\ngap = "h"\nrestitution = 0.8\n[start]\nh = 1\n[start.velocity]')
    one = liaison("run", model(alone), "--json").json()
    other = liaison("run", model(beside), "--json").json()
    assert other["status"] == "done"
    for part in ("q", "v"):
        assert other["state"][part]["x"] == pytest.approx(one["state"][part]["x"], abs=1e-10)


def test_a_guide_with_a_law_of_its_own_is_refused(liaison, model):
    text = GUIDE.format(load=LOAD, wall=4.0).replace("friction = 0.25", "friction = 0.25\ntolerance = 1e-9")
    answer = liaison("run", model(text))
    assert answer.code == 3
    assert "without play" in answer.err


def test_a_block_at_rest_knows_the_relay_that_pulls_it(liaison, model):
    """From rest at 0 by 3 against friction 0.5: x = 1 after sqrt(2/2.5), and every turn is 5/7 as far as the one before.

    The block slips with x'' = 2.5 to x = 1, where the force turns; from there with 3.5 it goes 2.5/3.5 as far on the
    other side. Far beyond, the work of the relay is what friction took: 3 from the height of its potential at the start.
    """
    text = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.load]
y = -2
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.25
[relay.motor]
surface = "x - 1"
values = { above = -3, below = 3 }
force = { x = "u" }
[start]
x = 0
[run]
until = 20
tolerance = 1e-12
"""
    run = liaison("run", model(text), "--json").json()
    assert run["status"] == "done" and not run["warnings"]
    events = run["events"]
    crossings = [e["time"] for e in events if e["kind"] == "crossing"]
    turns = [abs(e["q"]["x"] - 1.0) for e in events if e["kind"] == "reverse"]
    assert crossings[0] == pytest.approx(math.sqrt(2 / 2.5), abs=1e-12)
    assert turns[0] == pytest.approx(2.5 / 3.5, abs=1e-12)
    assert turns[1] == pytest.approx((2.5 / 3.5) ** 2, abs=1e-12)
    assert run["energy"]["friction"] == pytest.approx(-3.0, abs=1e-11)
    assert run["contacts"]["natural"] < 1e-12


def test_a_force_that_jumps_above_the_limit_starts_the_slip_at_once(liaison, model):
    text = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.load]
x = "1.6 + 1.4*sign(t - 1)"
y = -2
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.25
[run]
until = 2
"""
    run = liaison("run", model(text), "--json").json()
    assert run["status"] == "done" and not run["warnings"]
    slip = next(e for e in run["events"] if e["kind"] == "slip")
    assert slip["time"] == pytest.approx(1.0, abs=1e-14) and slip["accuracy"] < 1e-12
    assert run["state"]["v"]["x"] == pytest.approx(2.5, abs=1e-12)
