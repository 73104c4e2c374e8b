# SPDX-License-Identifier: Apache-2.0
"""Contacts that cannot be: what is told, where, and what to do instead. Messages about the start are golden (tests/messages)."""

import math

import pytest

from conftest import run_program

ONE = """
format = 1
name = "one"
coordinates = ["{q}"]
[energy]
T = "{q}'^2/2"
V = "{V}"
[contact.{name}]
{contact}
[start]
{q} = {start}
[run]
until = 2
"""


def text(q="y", V="9.81*y", name="floor", contact='gap = "y"', start=1):
    return ONE.format(q=q, V=V, name=name, contact=contact, start=start)


@pytest.mark.parametrize("realisation", ["events", "routh"])
def test_a_gradient_that_vanishes_at_the_contact(realisation):
    answer = run_program("run", "-", "--realise", f"contact={realisation}", stdin=text(contact='gap = "y^3"\nrestitution = 0.5'))
    assert answer.code == 3
    assert "the gradient of the gap vanishes" in answer.out
    assert "grows linearly" in answer.out
    assert "t = 0.45" in answer.out


@pytest.mark.parametrize("start", [0, 0.3])
def test_bounds_that_meet_during_the_motion(start):
    vice = text(q="x", V="0", name="vice", contact='between = ["-1 + t", "x", "1 - t"]\nrestitution = 0', start=start)
    answer = run_program("run", "-", stdin=vice)
    assert answer.code == 3
    assert "no solution at t = 1" in answer.out


@pytest.mark.parametrize("restitution", [0, 1])
def test_bounds_that_meet_end_unfolded_coordinates(restitution):
    """Unfolded coordinates scale the room between two walls: where it ends they end, with the instant."""
    vice = text(q="x", V="0", name="vice", contact=f'between = ["-1 + t", "x", "1 - t"]\nrestitution = {restitution}', start=0.3)
    answer = run_program("run", "-", "--realise", "contact=routh", stdin=vice)
    assert answer.code == 3
    assert "nan" not in answer.out
    assert ("the bounds of contact vice meet at t = 1" if restitution == 0 else "events come ever faster") in answer.out


def test_elastic_walls_that_close_strike_without_end():
    """v·L is invariant between walls that close: infinitely many impacts before they meet at t = 1."""
    vice = text(q="x", V="0", name="vice", contact='between = ["-1 + t", "x", "1 - t"]\nrestitution = 1', start=0.3)
    answer = run_program("run", "-", "--json", stdin=vice)
    assert answer.code == 3
    result = answer.json()
    assert result["status"] == "stopped"
    assert "events come ever faster" in result["reason"] and "vice" in result["reason"]
    assert 0.999 < result["time"] < 1


def test_a_stiffness_that_is_too_large_for_the_tolerance():
    spring = text(contact='gap = "y"\nstiffness = 1e30')
    answer = run_program("run", "-", "--realise", "contact=elastic", stdin=spring)
    assert answer.code == 3
    assert "too fast for the tolerance 1e-09" in answer.out
    assert "lower the stiffness" in answer.out
    # A coarser tolerance takes a lower order, and the same spring is a motion.
    assert run_program("run", "-", "--realise", "contact=elastic", "--tolerance", "1e-4", stdin=spring).code == 0


def test_converge_names_the_stiffness_that_is_too_large():
    answer = run_program("converge", "-", "--over", "stiffness=1e22:1e26", stdin=text(contact='gap = "y"\nrestitution = 1\nstiffness = 1e6'))
    assert answer.code != 0
    assert "stiffness 1e+2" in answer.err and "too fast for the tolerance" in answer.err


def test_many_contacts_without_friction_need_no_enumeration():
    """Gauss's principle makes the accelerations unique: sixty feet of one body are decided, their load flagged as not unique."""
    feet = 'format = 1\nname = "feet"\ncoordinates = ["y", "th"]\n[energy]\nT = "(y\'^2 + th\'^2)/2"\nV = "9.81*y"\n[run]\nuntil = 0.1\n'
    feet += "".join(f'[contact.f{i}]\ngap = "y + ({i} - 29.5)*th"\n' for i in range(60))
    answer = run_program("run", "-", "--json", "--at", "0", stdin=feet)
    assert answer.code == 0
    sample = answer.json()["samples"][0]
    assert abs(sum(sample["reactions"].values()) - 9.81) < 1e-9
    assert min(sample["reactions"].values()) > -1e-12
    assert sample["reactions_unique"] is False
    assert abs(sample["a"]["y"]) < 1e-10 and abs(sample["a"]["th"]) < 1e-10


@pytest.mark.parametrize("realisation", ["events", "routh"])
@pytest.mark.parametrize("value, impacts", [("0.5 + t", 1), ("0.4 - t", 0)])
def test_a_restitution_that_leaves_its_range_on_the_way(realisation, value, impacts):
    """0.5 + t is sound at the first impact, at t = 0.4515, and above 1 at the second; 0.4 − t is negative at the first."""
    ball = text(contact=f'gap = "y"\nrestitution = "{value}"')
    answer = run_program("run", "-", "--json", "--realise", f"contact={realisation}", stdin=ball)
    assert answer.code == 3
    result = answer.json()
    assert "the restitution of contact floor is" in result["reason"] and "between 0 (dead) and 1" in result["reason"]
    assert len(result["events"]) == impacts


def test_a_restitution_out_of_range_with_friction_and_as_a_spring():
    ball = text(contact='gap = "y"\nrestitution = "0.8 + t"\nstiffness = 1e5')
    answer = run_program("run", "-", "--realise", "contact=elastic", stdin=ball)
    assert answer.code == 3 and "the damping of contact floor is negative" in answer.out
    sliding = """
format = 1
name = "thrown"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.3
restitution = "0.8 + t"
[start]
y = 1
[start.velocity]
x = 1
[run]
until = 2
"""
    answer = run_program("run", "-", stdin=sliding)
    assert answer.code == 3 and "the restitution of contact floor is 1.2515" in answer.out


def test_the_smallest_gap_is_that_of_the_motion_not_of_its_samples():
    """x = 1 − t in one step of three units: the gap x² + 0.01 is smallest at t = 1, which no sample of the step hits."""
    flight = text(q="x", V="0", name="hill", contact='gap = "x^2 + 0.01"', start=1).replace("[run]\nuntil = 2", "[start.velocity]\nx = -1\n[run]\nuntil = 3")
    result = run_program("run", "-", "--json", stdin=flight).json()
    assert result["statistics"]["steps"] == 1
    assert result["smallest_gap"] == pytest.approx(0.01, abs=1e-12)


MOVED = """
format = 1
name = "put elsewhere"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[contact.floor]
gap = "y"
{friction}
[event.move]
when = "t - 1"
set.y = {to}
[run]
until = 3
"""


@pytest.mark.parametrize("friction", ["", "slip = \"x'\"\nfriction = 0.3"], ids=["smooth", "rough"])
def test_a_body_that_an_event_lifts_from_the_floor_falls(friction):
    """Lifted to 0.5 at t = 1, it is back on the floor after √(2·0.5/9.81)."""
    result = run_program("run", "-", "--json", stdin=MOVED.format(friction=friction, to=0.5)).json()
    assert [e["kind"] for e in result["events"]][:3] == ["user", "release", "impact"]
    assert result["events"][2]["time"] == pytest.approx(1 + (1 / 9.81) ** 0.5, abs=1e-9)
    assert abs(result["energy"]["unexplained"]) < 1e-9 and result["warnings"] == []


@pytest.mark.parametrize("friction", ["", "slip = \"x'\"\nfriction = 0.3"], ids=["smooth", "rough"])
def test_a_body_that_an_event_puts_into_the_floor_stops_the_run(friction):
    answer = run_program("run", "-", "--json", stdin=MOVED.format(friction=friction, to=-0.5))
    assert answer.code == 3
    assert "an event puts contact floor at the gap -0.5" in answer.json()["reason"]


@pytest.mark.parametrize("key", ["enumerate = true", "gap_tolerance = 1e-6", "switch_events = true", "theta = 0.7"])
def test_keys_that_a_run_does_not_heed_are_told(key):
    result = run_program("run", "-", "--json", stdin=text() + key + "\n").json()
    assert [w for w in result["warnings"] if key.split()[0] in w and "nothing" in w]


JAB = """
format = 1
name = "a wall that jabs"
coordinates = ["x"]
[energy]
T = "x'^2/2"
[contact.wall]
gap = "1 - x - 1.5*exp(-((t - 0.5)/{width})^2)"
restitution = 0.5
[start]
x = 0.2
[start.velocity]
x = 0.01
[run]
until = 2
"""


@pytest.mark.parametrize("realisation", ["events", "routh"])
@pytest.mark.parametrize("width", [1e-2, 1e-4, 1e-6])
def test_a_wall_that_comes_and_goes_between_two_steps_is_met(width, realisation):
    """Met where 1.5 exp(−((t − 0.5)/w)²) = 0.8 − 0.01 t, on the way in; what the wall does at t = 0.5 no derivative at t = 0 knows."""
    result = run_program("run", "-", "--json", "--realise", f"contact={realisation}", stdin=JAB.format(width=width)).json()
    (impact,) = result["events"]
    t = 0.5
    for _ in range(50):
        t = 0.5 - width * math.sqrt(math.log(1.5 / (0.8 - 0.01 * t)))
    assert impact["kind"] == "impact" and abs(impact["time"] - t) < 1e-9 * width + 1e-15
    # the gap falls at 1.3/w, and the instant is a number with 53 digits
    assert result["smallest_gap"] > -1e-12 - 1.3 / width * 2**-53 and result["gap_search"] == "enclosed"


def test_methods_that_interpolate_gaps_do_not_claim_more():
    answer = run_program("run", "-", "--json", "--method", "rk", stdin=JAB.format(width=1e-3))
    assert answer.json()["gap_search"] == "interpolated"
    assert "where it was looked at" in run_program("run", "-", "--method", "rk", stdin=JAB.format(width=1e-3)).out


def test_an_impact_of_several_contacts_names_all_of_them():
    """Moreau's law: b and c go on together, (1 + e)(1 + 1/2.7)⁻¹ on the first contact, 0.7/2.7 of it on the second."""
    answer = run_program("run", "-", "--realise", "impacts=simultaneous", stdin="""
format = 1
name = "three balls"
coordinates = ["a", "b", "c"]
[energy]
T = "(a'^2 + 2*b'^2 + 0.7*c'^2)/2"
[contact.ab]
gap = "b - a"
restitution = 0.9
[contact.bc]
gap = "c - b"
restitution = 0.6
[start.velocity]
a = 1
[run]
until = 1
""")
    assert answer.code == 0 and "impulse 1.38649, bc 0.359459" in answer.out
