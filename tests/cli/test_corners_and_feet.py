# SPDX-License-Identifier: Apache-2.0
"""Bodies whose contacts depend on each other through their slips: a block in a corner, two feet that hold more at rest than in
slip, a chatter that ends in several contacts at once. Closed forms throughout."""
import math

import pytest
from conftest import run_program

G = 9.81


def run(text, *more):
    answer = run_program("run", "-", "--json", *more, stdin=text)
    assert answer.code == 0, answer.err + answer.out[-500:]
    return answer.json()


def corner(force, wall, floor="y", start="", until=2):
    """A block of 1 kg on the floor, beside a wall on its left."""
    return f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{G}*y"
[force.push]
x = "{force}"
[contact.floor]
gap = "{floor}"
slip = "x'"
friction = 0.3
[contact.wall]
gap = "x"
slip = "y'"
friction = {wall}
[start]
closed = ["floor", "wall"]
{start}
[run]
until = {until}
"""


WALLS = ["0.2", "{ static = 0.25, dynamic = 0.15 }", '"0.1 + 0.1/(1 + abs(slip)/0.5)"']


def in_balance(sample, force, lift):
    """Forces in a corner are not unique, but they balance and are in their cones, also at the very start."""
    floor, wall = sample["reactions"]["floor"], sample["reactions"]["wall"]
    assert floor["normal"] + wall["tangential"][0] == pytest.approx(G + lift, abs=1e-8)
    assert wall["normal"] + floor["tangential"][0] == pytest.approx(-force, abs=1e-8)
    assert wall["normal"] >= -1e-9 and abs(wall["tangential"][0]) <= 0.25 * wall["normal"] + 1e-9
    assert abs(floor["tangential"][0]) <= 0.3 * floor["normal"] + 1e-9


@pytest.mark.parametrize("wall", WALLS)
def test_the_floor_holds_a_block_at_the_wall(wall):
    """Pulled away from the wall less than the floor holds; a wall without a static level then carries nothing."""
    result = run(corner("1.5", wall), "--at", "0,1")
    for sample in result["samples"]:
        in_balance(sample, 1.5, 0.0)
        if wall == "0.2":
            assert sample["reactions"]["wall"]["normal"] == pytest.approx(0, abs=1e-12)
    assert result["events"] == [] and result["state"]["q"] == {"x": 0.0, "y": 0.0}


@pytest.mark.parametrize("wall", ["0.2", "{ static = 0.25, dynamic = 0.15 }"])
def test_the_block_leaves_where_the_floor_gives_way(wall):
    """A force 2t − 1 presses against the wall first; the floor alone holds the block until 2t − 1 = 0.3 g."""
    result = run(corner("2*t - 1", wall, until=3))
    leaves = (1 + 0.3 * G) / 2
    slip = next(e for e in result["events"] if e["kind"] == "slip" and e["where"] == "floor")
    assert slip["time"] == pytest.approx(leaves, abs=1e-9)
    # x'' = 2(t − t₁) from then on.
    assert result["state"]["q"]["x"] == pytest.approx((3 - leaves) ** 3 / 3, abs=1e-9)


@pytest.mark.parametrize("wall", WALLS)
def test_a_floor_that_moves_takes_the_block_along_the_wall(wall):
    """Lightly pulled away from the wall, along which the floor lifts it: x stays."""
    result = run(corner("0.4", wall, floor="y - 0.1*sin(2*t)", start="velocity.y = 0.2"), "--at", "0.3,1,1.7")
    for sample in result["samples"]:
        t = sample["t"]
        assert sample["q"]["x"] == pytest.approx(0, abs=1e-12)
        assert sample["q"]["y"] == pytest.approx(0.1 * math.sin(2 * t), abs=1e-10)
        in_balance(sample, 0.4, -0.4 * math.sin(2 * t))


def test_two_feet_hold_as_much_as_both_hold_at_rest():
    """Pulled by t: 0.5 and 0.2 at rest under half the weight each; then 0.3 and 0.1."""
    result = run("""
format = 1
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2)/2 + 0.05*th'^2"
V = "10*y"
[force.pull]
x = "t"
[contact.a]
gap = "y - 0.3*sin(th)"
slip = "x'"
friction = { static = 0.5, dynamic = 0.3 }
[contact.b]
gap = "y + 0.3*sin(th)"
slip = "x'"
friction = { static = 0.2, dynamic = 0.1 }
[start]
closed = ["a", "b"]
[run]
until = 5
""")
    slips = [e for e in result["events"] if e["kind"] == "slip"]
    assert [e["time"] for e in slips] == pytest.approx([3.5, 3.5], abs=1e-9)
    assert result["state"]["v"]["x"] == pytest.approx((25 - 3.5**2) / 2 - 2 * 1.5, abs=1e-9)


def test_an_impact_that_turns_the_slip_keeps_its_coefficient():
    """Moreau's law sticks where the cone allows it, P = −D⁻¹ w, whatever the coefficient does at other slips: a law of the
    speed was continued to negative speeds, where it is something else."""
    m11, m12, m22 = 2.0, 0.6, 1.0  # of x and y: the slip answers to the normal impulse
    result = run(f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "{m11}*x'^2/2 + {m12}*x'*y' + {m22}*y'^2/2"
[contact.floor]
gap = "y"
slip = "x'"
friction = "0.5 + 0.3/(1 + abs(slip)/0.2)"
restitution = {{ value = 0, law = "moreau" }}
[start]
y = 0.1
[start.velocity]
x = 0.3
y = -1
[run]
until = 0.2
""")
    impact = result["events"][0]
    # Momentum: M (v⁺ − v⁻) = (P_T, P_N) with v⁺ = 0.
    assert impact["impulse"] == pytest.approx(m22 * 1 - m12 * 0.3, abs=1e-12)
    assert impact["tangential"][0] == pytest.approx(-(m11 * 0.3 - m12 * 1), abs=1e-9)


def test_a_plate_on_a_belt_and_two_fixed_feet_starts():
    """Three feet of one plate, one of them on a belt: what sticks and what slips share their forces."""
    text = """
format = 1
coordinates = ["x", "y", "z", "p", "s"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2 + 0.05*(p'^2 + s'^2)"
V = "10*z"
[force.pull]
x = "0.5*sin(3*t)"
[contact.a]
gap = "z + 0.3*p"
slip = ["x'", "y'"]
friction = 0.6
[contact.b]
gap = "z - 0.2*p + 0.25*s"
slip = ["x'", "y'"]
friction = 0.3
[contact.c]
gap = "z - 0.2*p - 0.25*s"
slip = ["x' + 0.7", "y'"]
friction = 0.2
[start]
closed = ["a", "b", "c"]
[run]
until = 2
"""
    result = run(text, "--at", "0.5,1.5")
    for sample in result["samples"]:
        t = sample["t"]
        r = sample["reactions"]
        assert sum(f["normal"] for f in r.values()) == pytest.approx(10, abs=1e-9)
        # At rest the feet together carry the pull and the friction of the belt, −0.2 N against its slip.
        assert r["c"]["tangential"][0] == pytest.approx(-0.2 * r["c"]["normal"], abs=1e-9)
        assert sum(f["tangential"][0] for f in r.values()) == pytest.approx(-0.5 * math.sin(3 * t), abs=1e-9)


def test_blocks_that_strike_each_other_in_turn_come_to_rest():
    """One block falls onto another that bounces on the floor: infinitely many impacts of both end at one instant."""
    text = """
format = 1
coordinates = ["x1", "y1", "x2", "y2"]
[energy]
T = "0.8*(x1'^2 + y1'^2) + 0.9*(x2'^2 + y2'^2)"
V = "9.81*(1.6*y1 + 1.8*y2)"
[contact.floor]
gap = "y1"
slip = "x1' + 0.3"
friction = 0.4
restitution = { value = 0.4, law = "LAW" }
[contact.pair]
gap = "y2 - y1"
slip = "x2' - x1'"
friction = 0.25
restitution = { value = 0.2, law = "LAW" }
[start]
y1 = 0.13
y2 = 0.34
[run]
until = 3
"""
    for law in ("moreau", "poisson", "energetic"):
        result = run(text.replace("LAW", law), "--at", "3")
        last = result["samples"][0]
        assert all(mode != "open" for mode in last["mode"].values()), law
        assert abs(last["q"]["y1"]) < 1e-12 and abs(last["q"]["y2"]) < 1e-12
        assert last["reactions"]["floor"]["normal"] == pytest.approx(9.81 * 3.4, abs=1e-9)
        assert last["reactions"]["pair"]["normal"] == pytest.approx(9.81 * 1.8, abs=1e-9)
        assert not [w for w in result["warnings"] if "doubt" in str(w)]
        # Friction of the belt drags both: they move with it at the end.
        assert last["v"]["x1"] == pytest.approx(-0.3, abs=1e-9) and last["v"]["x2"] == pytest.approx(-0.3, abs=1e-9)


@pytest.mark.parametrize("lift", [1.0, 1.3, 1.7, 2.3, 2.9, 3.1])
def test_a_smooth_contact_beside_a_rough_one_lifts_off(lift):
    """A slider on a smooth floor, lifted by a growing force while a rough wall is far away: it leaves where the force is its weight, and
    rises as lift (t − t₁)³/6 whatever rounding makes of its last reaction."""
    result = run(f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "0.35*(x'^2 + y'^2)"
V = "0.7*{G}*y"
[force.pull]
y = "0.7*{lift}*t + 0.21*x' - 0.21*(1.1 + 0.1*t)"
x = "0.07"
[contact.floor]
gap = "y"
[contact.wall]
gap = "9 + x"
slip = "y'"
friction = 0.3
[start]
closed = ["floor"]
[start.velocity]
x = 1.1
[run]
until = {12 / lift!r}
""")
    leaves = G / lift
    release = next(e for e in result["events"] if e["kind"] == "release")
    assert release["where"] == "floor" and release["time"] == pytest.approx(leaves, abs=1e-9)
    assert result["state"]["q"]["y"] == pytest.approx(lift * (12 / lift - leaves) ** 3 / 6, abs=1e-9)


def test_a_block_held_at_the_foot_of_a_ramp_leaves_when_no_forces_hold_it():
    """A belt drags it to the right, a force f(t) first holds it at the ramp. From f = −μ g on it could leave as well as stay, and
    stays, as long as forces in both cones balance: up to f = g tan(φ − β), where the belt carries nothing and the ramp all that
    its friction can. No slip along the ramp goes on from there, for the floor is below: the block leaves the ramp along the belt."""
    slope, rough, mu, rate = 0.2852, 0.6573, 0.3, 4.0
    beta, phi = math.asin(slope), math.atan(rough)
    cos = math.cos(beta)
    ends = (G * math.tan(phi - beta) + 8) / rate
    result = run(f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{G}*y"
[force.push]
x = "-8 + {rate}*t"
[contact.belt]
gap = "y"
slip = "x' - 5"
friction = {mu}
[contact.ramp]
gap = "{slope}*x + {cos!r}*y"
slip = "{slope}*y' - {cos!r}*x'"
friction = {rough}
[start]
closed = ["belt", "ramp"]
[run]
until = 3.1
tolerance = 1e-10
""", "--at", "0.5,1.5,2.5,3.0")
    released = next(e for e in result["events"] if e["kind"] == "release")
    assert released["where"] == "ramp" and released["time"] == pytest.approx(ends, abs=1e-9)
    for sample in result["samples"]:
        t = sample["t"]
        speed = (mu * G - 8) * (t - ends) + rate / 2 * (t**2 - ends**2) if t > ends else 0.0
        assert sample["v"]["x"] == pytest.approx(speed, abs=1e-8)
        assert sample["q"]["y"] == pytest.approx(0, abs=1e-10)
        belt, ramp = sample["reactions"]["belt"], sample["reactions"]["ramp"]
        assert belt["normal"] >= -1e-9 and abs(ramp["tangential"][0]) <= rough * ramp["normal"] + 1e-9
        assert belt["normal"] + cos * ramp["normal"] + slope * ramp["tangential"][0] == pytest.approx(G, abs=1e-8)
    assert abs(result["energy"]["unexplained"]) < 1e-9


def lorry(push, friction):
    return f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "x'^2 + y'^2"
V = "2*{G}*y"
[force.brake]
x = {-push}
[contact.floor]
gap = "y - 0.02*sin(6*t)"
slip = "x'"
friction = {friction}
[contact.wall]
gap = "x"
slip = "y'"
friction = {friction}
[start]
closed = ["floor", "wall"]
[start.velocity]
y = 0.12
[run]
until = 2
"""


@pytest.mark.parametrize("friction", ["0.3", "{ static = 0.4, dynamic = 0.3 }", '"0.2 + 0.1/(1 + abs(slip))"'])
def test_a_crate_rubs_at_the_wall_of_a_lorry_no_more_than_it_must(friction):
    """The floor holds the crate whatever the wall does; a wall that need not carry does no work, and the run says that it chose."""
    result = run(lorry(3, friction), "--at", "0,0.1,0.3,0.7,1.1")
    told = [(e["case"], e["rule"]) for e in result["events"]]
    assert told and set(told) == {("forces not unique", "least sliding")}
    for sample in result["samples"]:
        assert sample["reactions_unique"] is False
        assert sample["reactions"]["wall"]["normal"] == pytest.approx(0, abs=1e-9)
        assert sample["reactions"]["floor"]["tangential"][0] == pytest.approx(3, abs=1e-9)
    assert result["energy"]["friction"] == pytest.approx(0, abs=1e-12)


def test_the_wall_of_a_lorry_carries_what_the_floor_cannot():
    """N = push − μ (W + s μ N), W the weight with the acceleration of the floor, s the sign of the slip at the wall."""
    mu, push = 0.3, 10.0
    result = run(lorry(push, mu), "--at", "0,0.1,0.3,0.7,1.1")
    work = 0.0
    for sample in result["samples"]:
        t = sample["t"]
        up = math.copysign(1, math.cos(6 * t))
        weight = 2 * (G - 0.72 * math.sin(6 * t))
        wall = (push - mu * weight) / (1 + up * mu**2)
        assert sample["reactions"]["wall"]["normal"] == pytest.approx(wall, abs=1e-9)
        assert sample["reactions"]["floor"]["normal"] == pytest.approx(weight + up * mu * wall, abs=1e-9)
    n = 20000
    for i in range(n):
        t = 2 * (i + 0.5) / n
        v = 0.12 * math.cos(6 * t)
        up = math.copysign(1, v)
        work -= mu * (push - mu * 2 * (G - 0.72 * math.sin(6 * t))) / (1 + up * mu**2) * abs(v) * 2 / n
    assert result["energy"]["friction"] == pytest.approx(work, abs=1e-6)


def bead(push, mu, belt=-1.0):
    """On a rod y = x/5 that crosses a belt at the origin: contact and rod leave one direction."""
    return f"""
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{G}*y"
[force.push]
x = {push}
[constraint.rod]
equation = "y = 0.2*x"
[contact.belt]
gap = "y"
slip = "x' - ({belt})"
friction = {mu}
[start]
closed = ["belt"]
[run]
until = 1
"""


def test_a_bead_between_a_rod_and_a_belt():
    """B₁' = k (k − μ)/(1 + k²) of a rod of slope k, A₁ = k (f − k g)/(1 + k²); pressed by N = (k g − f)/(k − μ)."""
    k = 0.2
    sample = run(bead(0, 0.1), "--at", "1")["samples"][0]
    assert sample["reactions"]["belt"]["normal"] == pytest.approx(k * G / (k - 0.1), abs=1e-9)
    # The belt pulls it under the rod: no force is large enough, and no impulse ends what cannot move.
    answer = run_program("run", "-", "--json", stdin=bead(0, 0.5))
    assert answer.code == 3
    reason = answer.json()["reason"]
    assert "no motion and no tangential impact continues the slip 1 " in reason
    assert f"A1 = {-k * k * G / (1 + k * k):.9g}" in reason and f"B1' = {k * (k - 0.5) / (1 + k * k):.9g}" in reason
    # Pushed off the belt it can part, and nothing else.
    result = run(bead(4, 0.5), "--at", "1")
    left = next(e for e in result["events"] if e["kind"] == "release")
    assert (left["time"], left["case"], left["rule"]) == (0, "indeterminate", "separate")
    assert result["samples"][0]["q"]["x"] == pytest.approx((4 - k * G) / (1 + k * k) / 2, abs=1e-9)
