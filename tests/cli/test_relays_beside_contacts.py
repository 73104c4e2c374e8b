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


# Smooth contacts: the same decision.

SMOOTH = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{weight}*y"
[contact.floor]
gap = "y"
{restitution}
{rest}
[start]
x = 0
y = {height}
[start.velocity]
x = {speed}
[run]
until = {until}
tolerance = 1e-11
"""


def smooth(rest, weight=10, height=0, speed=0, until=2, restitution=""):
    return SMOOTH.format(rest=rest, weight=weight, height=height, speed=speed, until=until, restitution=restitution)


def kinds(answer):
    return [(e["kind"], e["where"]) for e in answer["events"]]


def test_a_smooth_contact_lifts_when_a_relay_switches():
    """x' = 1 − t; while it is positive the relay presses with 12, afterwards it lifts: y = (12 − 10)(t − 1)²/2."""
    answer = run(smooth('[force.pull]\nx = "-1"\n[relay.r]\nsurface = "x\'"\nforce.y = "-12*u"', speed=1), at=[0.5, 1.5, 2])
    assert answer["samples"][0]["reactions"]["floor"] == pytest.approx(22)
    for s in answer["samples"]:
        assert s["q"]["y"] == pytest.approx(max(0, s["t"] - 1) ** 2, abs=1e-10)
    assert sorted(kinds(answer)) == [("crossing", "r"), ("release", "floor")]


def test_a_relay_of_the_gap_rate_holds_a_block_that_the_floor_no_longer_does():
    """Pulled up by 5t against 10 and a dry guide of 3, the block leaves at t = 2.6: y = 5 (t − 2.6)³/6."""
    answer = run(smooth('[force.pull]\ny = "5*t"\n[relay.guide]\nsurface = "y\'"\nforce.y = "-3*u"', until=3.6), at=[1, 2.3, 3, 3.6])
    for s in answer["samples"]:
        assert s["q"]["y"] == pytest.approx(5 * max(0, s["t"] - 2.6) ** 3 / 6, abs=1e-10)
        held = s["reactions"]["floor"] - 3 * s["relays"]["guide"]
        assert s["t"] > 2.6 or held == pytest.approx(10 - 5 * s["t"], abs=1e-10)
    assert [e["time"] for e in answer["events"] if e["kind"] == "exit_sliding"] == pytest.approx([2.6])


def test_bounces_in_a_dry_guide_come_to_rest():
    """Falling with 7, rising against 13: each bounce lasts v (1/13 + 1/√91) and returns e √(7/13) v."""
    answer = run(smooth('[relay.guide]\nsurface = "y\'"\nforce.y = "-3*u"', height=0.7, restitution="restitution = 0.5"), at=[0.5, 2])
    fall = math.sqrt(0.2)
    v = 0.5 * 7 * fall
    end = fall + v * (1 / 13 + 1 / math.sqrt(91)) / (1 - 0.5 * math.sqrt(7 / 13))
    tau = 0.5 - fall
    assert answer["samples"][0]["q"]["y"] == pytest.approx(v * tau - 6.5 * tau**2, abs=1e-10)
    assert answer["samples"][1]["q"]["y"] == pytest.approx(0, abs=1e-10)
    assert [e["time"] for e in answer["events"] if e["kind"] == "attach"] == pytest.approx([end], abs=1e-7)


def test_sliding_along_a_relay_surface_while_a_smooth_contact_opens():
    """On x' = y' the relay gives x what it needs: 1 − 5w = 10 (t − 1) after the block lifts at t = 1, until w = −1 at t = 1.6."""
    answer = run(smooth('[force.pull]\nx = "1"\ny = "10*t"\n[relay.r]\nsurface = "x\' - y\'"\nforce.x = "-5*u"'), at=[0.5, 1.5, 2])
    first, second, third = answer["samples"]
    assert first["relays"]["r"] == pytest.approx(0.2) and first["q"]["x"] == pytest.approx(0, abs=1e-12)
    assert second["q"]["x"] == pytest.approx(10 * 0.5**3 / 6, abs=1e-10)
    assert third["q"]["x"] == pytest.approx(10 * 0.6**3 / 6 + 1.8 * 0.4 + 3 * 0.4**2, abs=1e-10)
    assert third["q"]["y"] == pytest.approx(10 / 6, abs=1e-10)


@pytest.mark.parametrize("brake", ['[relay.brake]\nsurface = "x\'"\nforce.x = "-u"', '[force.brake]\nx = "-sign(x\')"'])
def test_a_wall_pushes_a_block_and_leaves_it_where_it_turns(brake):
    """The wall x = 0.1 sin t pushes until it turns at π/2; the brake holds the block there. The relay on its surface and the
    contact that opens are one decision: the relay alone would go with the wall."""
    answer = run(
        f"""
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
{brake}
[contact.wall]
gap = "x - 0.1*sin(t)"
[start]
x = 0
[start.velocity]
x = 0.1
[run]
until = 5
tolerance = 1e-11
""",
        at=[1, 2, 5],
    )
    first, second, third = answer["samples"]
    assert first["q"]["x"] == pytest.approx(0.1 * math.sin(1), abs=1e-11)
    assert first["reactions"]["wall"] == pytest.approx(1 - 0.1 * math.sin(1), abs=1e-9)
    assert second["q"]["x"] == pytest.approx(0.1, abs=1e-10) and third["q"]["x"] == pytest.approx(0.1, abs=1e-10)
    told = [(e["kind"], e["time"]) for e in answer["events"]]
    assert sorted(kind for kind, _ in told) == ["enter_sliding", "release"]
    assert [time for _, time in told] == pytest.approx([math.pi / 2] * 2, abs=1e-7)


def test_a_dry_guide_takes_over_from_a_smooth_floor_when_a_relay_switches():
    """At x = 1 a relay turns from pressing with 12 to lifting with 12: 12 + t − 10.5 = 1.5 + t lifts, the guide holds 3 until
    t = 1.5, and y = (t − 1.5)³/6."""
    answer = run(
        smooth('[force.pull]\ny = "t"\n[relay.lift]\nsurface = "x - 1"\nforce.y = "12*u"\n[force.guide]\ny = "-3*sign(y\')"',
               weight=10.5, speed=1, until=3),
        at=[0.5, 1.2, 1.4, 2, 3],
    )
    for s in answer["samples"]:
        assert s["q"]["y"] == pytest.approx(max(0, s["t"] - 1.5) ** 3 / 6, abs=1e-10)
        if 1 < s["t"] < 1.5:
            assert s["relays"]["sign(y')"] == pytest.approx((1.5 + s["t"]) / 3, abs=1e-9)
            assert s["reactions"]["floor"] == pytest.approx(0, abs=1e-9)


def test_a_relay_that_does_not_move_its_own_surface_beside_one_that_does():
    """x' = 0 is held by the brake along x' + y' while the floor holds y' = 0; the other relay of x' only presses the floor. Pulled
    with t the block starts at t = 5."""
    answer = run(
        smooth('[force.pull]\nx = "t"\n[relay.press]\nsurface = "x\'"\nforce.y = "-2*u"\n'
               '[relay.brake]\nsurface = "x\' + y\'"\nforce.x = "-5*u"\nforce.y = "-5*u"', until=6),
        at=[2, 4, 5.5, 6],
    )
    for s in answer["samples"]:
        assert s["q"]["x"] == pytest.approx(max(0, s["t"] - 5) ** 3 / 6, abs=1e-9)
        assert s["q"]["y"] == pytest.approx(0, abs=1e-12)
        assert s["reactions"]["floor"] == pytest.approx(10 + 5 * s["relays"]["brake"] + 2 * s["relays"]["press"], abs=1e-9)


def test_a_value_that_a_contact_leaves_free_goes_on_while_a_belt_reverses():
    """The floor holds y' = 0 and leaves the guide free: its value g goes on as it is, N = 10 + 4g. The belt with cos t rubs with
    ±N/2, the brake holds 12: the block stays where it is, also where the belt turns."""
    answer = run(
        """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[relay.guide]
surface = "y'"
branch = "stay"
force.y = "-4*u"
[relay.brake]
surface = "x'"
force.x = "-12*u"
[contact.belt]
gap = "y"
slip = "x' + cos(t)"
friction = 0.5
[start]
x = 0
y = 0
[run]
until = 4
tolerance = 1e-11
""",
        at=[1, 2, 4],
    )
    for s in answer["samples"]:
        assert s["q"]["x"] == pytest.approx(0, abs=1e-12)
        guide = s["relays"]["guide"]
        assert guide == pytest.approx(answer["samples"][0]["relays"]["guide"], abs=1e-12)
        assert s["relays"]["brake"] == pytest.approx(-math.copysign((10 + 4 * guide) / 24, math.cos(s["t"])), abs=1e-9)


@pytest.mark.parametrize("floor", [0.0, 0.2])
def test_five_brakes_on_one_body_hold_together(floor):
    """3 + 1.8 + 1 + 0.7 + 0.5 and the floor with 10 μ: pulled with t the body starts at their sum."""
    strengths = [3, 1.8, 1, 0.7, 0.5]
    brakes = "\n".join(f'[relay.b{k}]\nsurface = "x\'"\nforce.x = "-{F}*u"' for k, F in enumerate(strengths))
    rough = f"slip = \"x'\"\nfriction = {floor}" if floor else ""
    until = sum(strengths) + 10 * floor
    answer = run(smooth(f'[force.pull]\nx = "t"\n{brakes}', until=until + 1, restitution=rough), at=[until - 0.01, until + 1])
    assert answer["samples"][0]["q"]["x"] == pytest.approx(0, abs=1e-12)
    assert answer["samples"][1]["q"]["x"] == pytest.approx(1 / 6, abs=1e-9)
    assert not [e for e in answer["events"] if "not together" in (e["rule"] or "")]


def test_five_blocks_with_brakes_are_decided_each_by_itself():
    """The floor holds 2, the brake of block k holds k: pulled with t it starts at t = 2 + k."""
    n = range(1, 6)
    lines = ["format = 1", f"coordinates = [{', '.join(f'{c}x{k}{c}, {c}y{k}{c}' for k in n for c in [chr(34)])}]", "[energy]"]
    lines += ['T = "' + " + ".join(f"(x{k}'^2 + y{k}'^2)/2" for k in n) + '"', 'V = "' + " + ".join(f"10*y{k}" for k in n) + '"']
    lines += ["[force.pull]"] + [f'x{k} = "t"' for k in n]
    for k in n:
        lines += [f"[relay.b{k}]", f'surface = "x{k}\'"', f'force.x{k} = "-{k}*u"']
        lines += [f"[contact.c{k}]", f'gap = "y{k}"', f'slip = "x{k}\'"', "friction = 0.2"]
    lines += ["[start]"] + [f"x{k} = 0\ny{k} = 0" for k in n] + ["[run]", "until = 8", "tolerance = 1e-11"]
    answer = run("\n".join(lines) + "\n", at=[4.5, 8])
    for s in answer["samples"]:
        for k in n:
            assert s["q"][f"x{k}"] == pytest.approx(max(0, s["t"] - 2 - k) ** 3 / 6, abs=1e-9)
    assert [e["where"] for e in answer["events"] if e["kind"] == "slip"] == [f"c{k}" for k in n]


# Lengths in metres, times in seconds, and how many units of the model are in one of each.
UNITS = {"seconds": (1, 1), "milliseconds": (1, 1e3), "days": (1, 1 / 86400), "millimetres and hours": (1e3, 1 / 3600)}


@pytest.mark.parametrize("units", UNITS)
def test_the_same_events_in_other_units(units):
    """A block with brake and floor, pulled up and along (as above), a wall that turns: whatever the unit of time."""
    m, s = UNITS[units]
    force, speed = m / s**2, m / s
    answer = run(
        f"""
format = 1
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "{10 * force!r}*y"
[force.pull]
x = "{force!r}*t/{s!r}"
z = "0"
[relay.brake]
surface = "x'"
force.x = "-{3 * force!r}*u"
[relay.rope]
surface = "z'"
force.z = "-{force!r}*u"
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.2
[contact.wall]
gap = "z - {0.1 * m!r}*sin(t/{s!r})"
[start]
x = 0
y = 0
z = 0
[start.velocity]
z = {0.1 * speed!r}
[run]
until = {6 * s!r}
tolerance = 1e-11
""",
        at=[6 * s],
    )
    told = [(e["kind"], e["where"]) for e in answer["events"]]
    times = [e["time"] / s for e in answer["events"]]
    first = [("enter_sliding", "rope"), ("release", "wall")]
    second = [("exit_sliding", "brake"), ("slip", "floor")]
    assert sorted(told[:2]) == first and sorted(told[2:]) == second
    assert times == pytest.approx([math.pi / 2] * 2 + [5, 5], abs=1e-6)
    assert answer["samples"][0]["q"]["x"] == pytest.approx(m / 6, rel=1e-7)
    assert answer["samples"][0]["q"]["z"] == pytest.approx(0.1 * m, rel=1e-7)
