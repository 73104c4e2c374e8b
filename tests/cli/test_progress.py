# SPDX-License-Identifier: Apache-2.0
"""Motions end, are completed or stop with facts: boxes that rock to rest, loads that vanish at once."""

import math
import random

import pytest

SECONDS = 10.0  # a busy machine; alone each of these takes a fraction of a second


def run(liaison, text, *more):
    answer = liaison("run", "-", "--json", "--events", "all", *more, stdin=text)
    assert answer.code in (0, 3), answer.out[:500] + answer.err
    assert answer.seconds < SECONDS
    return answer.json()


def done(result):
    assert result["status"] == "done", result["reason"]
    return result


def box(m, J, w, h, e, start, velocity, until, mu=None):
    """A box of half width w and half height h over a floor, touching with its two lower corners."""
    text = f"""format = 1
coordinates = ["x", "y", "a"]
[energy]
T = "{m}/2*(x'^2 + y'^2) + {J}/2*a'^2"
V = "{m}*9.81*y"
[start]
y = {start[0]}
a = {start[1]}
[start.velocity]
x = {velocity[0]}
a = {velocity[1]}
[run]
until = {until}
"""
    for name, sign in (("l", "-"), ("r", "+")):
        text += f'[contact.{name}]\ngap = "y {sign} {w}*sin(a) - {h}*cos(a)"\nrestitution = {e}\n'
        if mu is not None:
            text += f'slip = "der(x {sign} {w}*cos(a) + {h}*sin(a))"\nfriction = {mu}\n'
    return text


def random_box(seed, rough):
    r = random.Random(seed)
    m, w, h = r.uniform(0.5, 4), r.uniform(0.2, 0.8), r.uniform(0.1, 0.6)
    J = m * r.uniform(0.05, 0.4)
    a = r.uniform(-0.6, 0.6)
    y = w * abs(math.sin(a)) + h * math.cos(a) + r.uniform(0.1, 1.0)
    e = r.choice([0.0, 0.3, 0.5, 0.7, 0.9, 0.95])
    mu = r.choice([0.1, 0.3, 0.6]) if rough else None
    return box(m, J, w, h, e, (y, a), (r.uniform(-2, 2), r.uniform(-2, 2)), r.choice([3, 6]), mu)


# This one rocked to rest and struck its corners for ever in the rounding of its gaps.
ROCKS = box(0.8161894899427233, 0.3123734679613508, 0.2899826317975913, 0.46968518533813974, 0.5,
            (0.9412174845783953, -0.2376748851969009), (0.8874504543046129, 1.8625856300153605), 10)


@pytest.mark.parametrize("tolerance", [1e-7, 1e-9, 1e-11, 1e-13])
def test_a_box_rocks_to_rest_on_ice(liaison, tolerance):
    """The floor takes no horizontal impulse: x' stays. At rest both corners are closed, a = 0 and y = h."""
    result = done(run(liaison, ROCKS, "--tolerance", repr(tolerance)))
    state = result["state"]
    assert state["v"]["x"] == pytest.approx(0.8874504543046129, rel=1e-12)
    assert state["q"]["x"] == pytest.approx(8.874504543046129, rel=1e-12)
    assert state["q"]["a"] == pytest.approx(0.0, abs=10 * tolerance)
    assert state["q"]["y"] == pytest.approx(0.46968518533813974, abs=10 * tolerance)
    assert state["v"]["a"] == pytest.approx(0.0, abs=1e-12)
    assert state["v"]["y"] == pytest.approx(0.0, abs=1e-12)


def test_the_end_of_the_rocking_is_located_as_well_as_the_events_say(liaison):
    ends = []
    for tolerance in ("1e-7", "1e-9", "1e-11", "1e-13"):
        events = run(liaison, ROCKS, "--tolerance", tolerance)["events"]
        last = [e for e in events if e["kind"] == "accumulation"][-1]
        ends.append((last["time"], last["accuracy"]))
    for time, accuracy in ends:
        for other, its in ends:
            assert abs(time - other) <= accuracy + its + 1e-9


def test_a_box_dropped_on_ice(liaison):
    text = box(3, 0.45, 0.54, 0.38, 0.8, (1.42, -0.31), (0, -1.56), 6)
    done(run(liaison, text))


@pytest.mark.parametrize("seed", range(24))
def test_random_boxes_on_ice(liaison, seed):
    """No impulse creates energy, and none of it acts along the floor."""
    result = done(run(liaison, random_box(seed, rough=False)))
    for e in result["events"]:
        assert (e["energy"] or 0.0) < 1e-12, e
        if e["v_plus"]:
            assert e["v_plus"]["x"] == pytest.approx(result["state"]["v"]["x"], abs=1e-12)


@pytest.mark.parametrize("seed", range(24))
def test_random_boxes_on_a_rough_floor_end(liaison, seed):
    result = run(liaison, random_box(seed, rough=True))
    assert result["status"] == "done" or result["reason"]


def test_a_release_where_all_forces_vanish(liaison):
    """On the ramp y = 0.3 x with N = −30 (x + 0.16)/1.21: the spring, and with it every load, vanishes where N does. From there the
    body flies: y goes on with its velocity, x swings about −0.16 with ω = 10."""
    text = """format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "100/2*(x + 0.16)^2"
[contact.ramp]
gap = "y - 0.3*x"
slip = "x'"
friction = 0.4
[start]
x = -0.25
y = 0.1
[start.velocity]
y = -1
[run]
until = 0.25
"""
    result = done(run(liaison, text))
    kinds = [(e["kind"], e["where"]) for e in result["events"]]
    assert kinds == [("impact", "ramp"), ("release", "ramp")]
    impact, release = result["events"]
    # between the two ẍ = −k (x + 0.16), k = 100/1.21: N and friction take the rest
    w = math.sqrt(100.0 / 1.21)
    x0, v0 = impact["q"]["x"] + 0.16, impact["v_plus"]["x"]
    t = math.atan2(-x0 * w, v0) / w
    assert release["time"] - impact["time"] == pytest.approx(t, abs=1e-11)
    speed = math.hypot(v0, x0 * w)
    assert release["v_plus"]["x"] == pytest.approx(speed, abs=1e-10)
    left = 0.25 - release["time"]
    assert result["state"]["q"]["x"] == pytest.approx(-0.16 + speed * math.sin(10 * left) / 10, abs=1e-10)
    assert result["state"]["q"]["y"] == pytest.approx(0.3 * -0.16 + 0.3 * speed * left, abs=1e-10)


def shaken_wall(start, until):
    return f"""format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[contact.wall]
gap = "x + 0.06*sin(10*t)"
restitution = 0
[start]
x = {start}
[run]
until = {until}
"""


def shaken_exactly(until):
    """The body that starts at rest in 0, where the wall leaves it: impacts and free swings, by bisection on closed forms."""
    wall = lambda t: -0.06 * math.sin(10.0 * t)
    speed = lambda t: -0.6 * math.cos(10.0 * t)
    t0, x0, v0, impacts = 0.0, 0.0, 0.0, []
    while True:
        at = lambda t: x0 * math.cos(t - t0) + v0 * math.sin(t - t0)
        t = t0 + 1e-4
        while t < until and at(t) > wall(t):
            t += 1e-4
        if t >= until:
            return impacts, at(until)
        low, high = t - 1e-4, t
        for _ in range(80):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if at(middle) > wall(middle) else (low, middle)
        impacts.append(high)
        # pushed by the wall while 5.94 sin(10 t) > 0
        t0 = high if math.sin(10.0 * high) <= 1e-9 else math.ceil(10.0 * high / math.pi) * math.pi / 10.0
        x0, v0 = wall(t0), speed(t0)


def test_an_impact_where_the_load_changes_its_side(liaison):
    """The wall meets the resting body at t = π/10, where the reaction that would hold it vanishes: it leaves at once."""
    until = 3.0
    impacts, x = shaken_exactly(until)
    result = done(run(liaison, shaken_wall(0, until)))
    found = [e["time"] for e in result["events"] if e["kind"] == "impact"]
    assert found[0] == pytest.approx(math.pi / 10, abs=1e-12)
    assert found == pytest.approx(impacts, abs=1e-8)
    assert result["state"]["q"]["x"] == pytest.approx(x, abs=1e-7)


@pytest.mark.parametrize("start", [1, 0.5, 0.3, 0.1])
def test_a_shaken_wall(liaison, start):
    result = done(run(liaison, shaken_wall(start, 10)))
    assert result["time"] == 10


@pytest.mark.parametrize("friction", [False, True])
@pytest.mark.parametrize("tolerance", ["1e-6", "1e-9"])
def test_an_accumulation_tells_the_state_at_its_limit(liaison, friction, tolerance):
    """t∞ = √(2h/g) (1 + e)/(1 − e). On ice x = v t∞; with friction every impulse takes μ of it from x' until then."""
    g, e, v, mu = 10.0, 0.9, 3.0, 0.02
    rough = f'slip = "x\'"\nfriction = {mu}\n' if friction else ""
    text = f"""format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{g}*y"
[contact.floor]
gap = "y"
restitution = {e}
{rough}[start]
y = 0.2
[start.velocity]
x = {v}
[run]
until = 5
"""
    result = done(run(liaison, text, "--tolerance", tolerance))
    limit = math.sqrt(2 * 0.2 / g) * (1 + e) / (1 - e)
    first, speed = math.sqrt(2 * 0.2 / g), math.sqrt(2 * 0.2 * g)
    x, vx, t = v * first, v, 2 * speed / g
    for k in range(2000):  # impacts with impulses (1 + e) eᵏ · speed, then flights of 2 eᵏ⁺¹ speed/g
        vx -= (mu if friction else 0.0) * (1 + e) * e**k * speed
        x += vx * 2 * e ** (k + 1) * speed / g
    near = 1e-8 if tolerance == "1e-9" else 1e-4
    for kind in ("accumulation", "attach"):
        event = [one for one in result["events"] if one["kind"] == kind][-1]
        assert event["time"] == pytest.approx(limit, abs=near)
        assert event["q"]["x"] == pytest.approx(x, abs=near)
        assert event["v_plus"]["x"] == pytest.approx(vx, abs=near)
