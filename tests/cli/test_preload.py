# SPDX-License-Identifier: Apache-2.0
"""Preloads of rigid contacts with friction: a stated jam, its forces in closed form, and where it ends."""

import math

import pytest
from conftest import run_program

BETA = 0.5
SIN, COS = math.sin(BETA), math.cos(BETA)
G = 10.0


def groove(mu=0.6, left=60.0, right=60.0, pull="15", more="", run="", space=False):
    """A point of mass 1 in a V-groove with walls at BETA from the vertical, pulled upwards."""
    def wall(name, sign, force):
        slips = f"{-sign}*sin({BETA})*x' + cos({BETA})*y'"
        slip = f'["{slips}", "z\'"]' if space else f'"{slips}"'
        text = f'[contact.{name}]\ngap = "{sign}*cos({BETA})*x + sin({BETA})*y"\nslip = {slip}\nfriction = {mu}\n'
        return text + (f'preload = "{force}"\n' if force is not None else "")
    z = " + z'^2" if space else ""
    return f"""
format = 1
name = "groove"
coordinates = {'["x", "y", "z"]' if space else '["x", "y"]'}
[energy]
T = "(x'^2 + y'^2{z})/2"
V = "{G}*y"
[force.pull]
y = "{pull}"
{wall("left", 1, left)}{wall("right", -1, right)}
{more}
[run]
until = 1
{run}
"""


def solve(text, *more):
    answer = run_program("run", "-", "--json", *more, stdin=text)
    assert answer.code == 0, answer.out[:600] + answer.err
    return answer.json()


def forces(sample, name):
    reaction = sample["reactions"][name]
    return reaction["normal"], reaction["tangential"]


def told(result):
    return [(e["kind"], e["where"], e["case"], e["rule"]) for e in result["events"]]


@pytest.mark.parametrize("space", [False, True], ids=["plane", "space"])
@pytest.mark.parametrize("rule", ["impact", "separate", "stop"])
def test_a_stated_jam_is_taken_and_its_forces_balance(rule, space):
    """Pulled out by 5 the point leaves, or stays jammed: stated, it stays, with the friction (5 + 2 P sin)/(2 cos) down the walls."""
    result = solve(groove(space=space, run=f'paradox = "{rule}"'), "--at", "0,1")
    friction = -(15 - G + 2 * 60 * SIN) / (2 * COS)
    for sample in result["samples"]:
        assert sample["q"]["y"] == pytest.approx(0, abs=1e-12)
        for name in ("left", "right"):
            normal, tangential = forces(sample, name)
            assert normal == pytest.approx(60, rel=1e-12)
            assert tangential[0] == pytest.approx(friction, rel=1e-12)
            assert all(abs(t) <= 1e-12 for t in tangential[1:])
    assert told(result) == [("attach", "left", "indeterminate", "preload")]
    assert result["contacts"]["cone"] == 0 and result["contacts"]["complementarity"] <= 1e-12


@pytest.mark.parametrize("space", [False, True], ids=["plane", "space"])
@pytest.mark.parametrize("right", [60.0, None], ids=["both", "one"])
def test_the_jam_lasts_until_friction_gives_way(space, right):
    """The pressed walls keep 60, so that friction holds up to a pull of G + 2*60*(mu cos - sin); then the point leaves freely."""
    mu = 0.6
    breaks = G + 120 * (mu * COS - SIN) - 15
    result = solve(groove(right=right, pull="15 + t", space=space), "--at", "0.3,1")
    assert [e["time"] for e in result["events"]][1:] == pytest.approx([breaks] * 2, abs=1e-6 if right is None else 1e-11)
    assert told(result)[1:] == [("release", name, "indeterminate", "preload ends") for name in ("left", "right")]
    before, after = result["samples"]
    assert forces(before, "left")[0] == pytest.approx(60, rel=1e-12)
    assert forces(before, "right")[0] == pytest.approx(60, rel=1e-6)
    assert forces(before, "left")[1][0] == pytest.approx(-(5.3 + 120 * SIN) / (2 * COS), rel=1e-6)
    # y'' = 5 + t from the release on.
    span = 1 - breaks
    assert after["q"]["y"] == pytest.approx((5 + breaks) * span**2 / 2 + span**3 / 6, abs=1e-5 if right is None else 1e-10)


def test_a_jam_that_is_the_only_motion_has_the_stated_forces():
    """Weight alone: the point rests by any rule, and the preload says how hard the walls press."""
    result = solve(groove(pull="0"), "--at", "0")
    assert told(result) == [("attach", "left", "forces not unique", "preload")]
    for name in ("left", "right"):
        normal, tangential = forces(result["samples"][0], name)
        assert normal == pytest.approx(60, rel=1e-12)
        assert tangential[0] == pytest.approx((G - 120 * SIN) / (2 * COS), rel=1e-12)


def test_rest_goes_on_where_the_stated_forces_end_but_no_motion_leaves():
    """Pressed down ever harder the stated forces leave friction at 2*10*(mu cos + sin) of load, and the weight still holds the point."""
    result = solve(groove(left=10, right=10, pull="-20*t"), "--at", "0,0.9")
    assert result["status"] == "done"
    assert forces(result["samples"][0], "left")[0] == pytest.approx(10, rel=1e-12)
    after = result["samples"][1]
    assert after["q"]["y"] == pytest.approx(0, abs=1e-12)
    total = sum(forces(after, n)[0] * SIN + forces(after, n)[1][0] * COS for n in ("left", "right"))
    assert total == pytest.approx(G + 18, rel=1e-10)
    for name in ("left", "right"):
        normal, tangential = forces(after, name)
        assert abs(tangential[0]) <= 0.6 * normal * (1 + 1e-9)


def test_events_elsewhere_and_of_the_user_do_not_loosen_a_jam():
    """A ball that bounces beside, and a jump of the load that the friction holds."""
    more = """
[contact.floor]
gap = "b"
restitution = 0.5
[state]
extra = 0
[event.more]
when = "t - 0.5"
set.state.extra = 0.3
[start]
b = 0.2
"""
    text = groove(pull="15 + extra", more=more).replace('["x", "y"]', '["x", "y", "b"]') \
        .replace("y'^2)/2", "y'^2 + b'^2)/2").replace('V = "10.0*y"', 'V = "10*y + 10*b"')
    result = solve(text, "--at", "0.4,0.9")
    for sample, pull in zip(result["samples"], (15, 15.3)):
        assert forces(sample, "left")[0] == pytest.approx(60, rel=1e-12)
        assert forces(sample, "right")[1][0] == pytest.approx(-(pull - G + 120 * SIN) / (2 * COS), rel=1e-12)
    assert any(e["kind"] == "impact" for e in result["events"])


def test_a_knock_ends_the_jam():
    """A user event that sets the point in motion up the groove: it leaves, and the stress does not come back."""
    more = '[event.knock]\nwhen = "t - 0.5"\nset.velocity.y = 0.1\n'
    result = solve(groove(more=more), "--at", "1")
    assert result["samples"][0]["q"]["y"] == pytest.approx(0.1 * 0.5 + 5 * 0.5**2 / 2, rel=1e-9)


def test_a_bar_wedged_between_two_walls():
    """A bar across a shaft, turned by a from the horizontal: each end needs |T| = N tan a + its half of the load; it keeps
    the stated force, and the walls' torques balance. Closed form with N stated on both: 2 T = m g and T is vertical."""
    text = """
format = 1
name = "bar across a shaft"
coordinates = ["x", "y", "th"]
[parameters]
l = 1.0
a = 0.2
[energy]
T = "(x'^2 + y'^2)/2 + th'^2/24*l^2"
V = "10*y"
[contact.left]
gap = "x - l/2*cos(a + th) + l/2*cos(a)"
slip = "der(y - l/2*sin(a + th))"
friction = 0.8
preload = 30
[contact.right]
gap = "l/2*cos(a) - x - l/2*cos(a + th)"
slip = "der(y + l/2*sin(a + th))"
friction = 0.8
[run]
until = 1
"""
    result = solve(text, "--at", "0,1")
    for sample in result["samples"]:
        assert sample["q"]["th"] == pytest.approx(0, abs=1e-12)
        left, right = forces(sample, "left"), forces(sample, "right")
        assert left[0] == pytest.approx(30, rel=1e-12) and right[0] == pytest.approx(30, rel=1e-12)
        # Forces, then moments about the middle: (N1 + N2) l/2 sin a = (T1 - T2) l/2 cos a.
        assert left[1][0] + right[1][0] == pytest.approx(10, rel=1e-11)
        assert left[1][0] - right[1][0] == pytest.approx(60 * math.tan(0.2), rel=1e-11)


def check(text):
    answer = run_program("check", "-", stdin=text)
    return answer.code, answer.err


def test_what_cannot_be_stated():
    code, words = check(groove(left=40, right=40))
    assert code == 2 and "E0510" in words and "24.7008" in words and "1.32629 times" in words
    code, words = check(groove(mu=0.5))
    assert code == 2 and "too small to jam" in words
    code, words = check(groove(more="[start.velocity]\ny = 0.001\n"))
    assert code == 2 and f"its gap changes with {0.001 * SIN:.6g} then" in words
    code, words = check(groove(left=-3))
    assert code == 2 and "must not be negative" in words
    one = """
format = 1
name = "block"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.3
preload = {force}
[start.velocity]
x = {speed}
[run]
until = 1
"""
    code, words = check(one.format(force=10, speed=0))
    assert code == 0 and "W0408" in words and "determines it already" in words
    code, words = check(one.format(force=12, speed=0))
    assert code == 2 and "determines its force, 10" in words
    code, words = check(one.format(force=10, speed=1))
    assert code == 2 and "it slips then" in words


def test_a_parameter_that_takes_the_stated_force_out_of_its_cone():
    text = groove(left="P", right="P").replace("[energy]", "[parameters]\nP = 60\n[energy]")
    assert solve(text)["status"] == "done"
    answer = run_program("run", "-", "--set", "P=45", stdin=text)
    assert answer.code == 2 and "E0510" in answer.err


def test_contacts_without_friction_say_that_it_has_no_effect():
    text = 'format = 1\nname = "ball"\ncoordinates = ["y"]\n[energy]\nT = "y\'^2/2"\nV = "10*y"\n[contact.floor]\ngap = "y"\npreload = 5\n[run]\nuntil = 1\n'
    for more in ("", 'contact = "routh"\n'):
        code, words = check(text + more)
        assert code == 0 and "W0408" in words
    code, words = check(text.replace("preload = 5", "preload = 5\nstiffness = 1e4"))
    assert code == 0 and "W0408" not in words  # it is that of the spring


def test_a_book_between_two_shelves_uses_the_friction_of_both(liaison, model):
    """Squeezed by 30 N, pulled down by 4t: both walls together hold 2 mu N = 24 N, whichever of them carries the change."""
    weight, squeeze, mu = 1.5 * 9.81, 30.0, 0.4
    text = f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "1.5/2*(x'^2 + y'^2)"
V = "{weight}*y"
[force.child]
y = "-4*t"
[contact.left]
gap = "x"
slip = "y'"
friction = {mu}
preload = {squeeze}
[contact.right]
gap = "-x"
slip = "y'"
friction = {mu}
preload = {squeeze}
[run]
until = 3
"""
    run = liaison("run", model(text), "--json").json()
    slip = next(e for e in run["events"] if e["kind"] == "slip")
    assert slip["rule"].startswith("preload ends")
    assert slip["time"] == pytest.approx((2 * mu * squeeze - weight) / 4, abs=1e-9)


def test_a_preload_that_the_balance_gives_anyway_chooses_nothing():
    """A block of weight 10 on one floor presses it with 10, stated or not: nothing is said of forces that are not unique."""
    text = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.3
preload = 10
[run]
until = 0.2
"""
    result = solve(text, "--at", "0.1")
    assert [case for _, _, case, _ in told(result) if case] == []
    assert forces(result["samples"][0], "floor")[0] == pytest.approx(10, rel=1e-12)
    assert any("no effect" in warning for warning in result["warnings"]) or "W0408" in run_program("check", "-", stdin=text).out
