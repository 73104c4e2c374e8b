# SPDX-License-Identifier: Apache-2.0
"""Plates on feet: smooth feet among rough ones, a block that slides on a plate at rest, other units."""

import math

import pytest
from conftest import run_program

G = 9.81


def run(text, *words):
    answer = run_program("run", "-", "--json", *words, stdin=text)
    assert answer.code == 0, answer.out[-600:] + answer.err
    result = answer.json()
    assert abs(result["energy"]["unexplained"]) < 1e-9
    assert max(result["contacts"][key] for key in ("complementarity", "cone", "direction", "natural")) < 1e-7
    return result


def loaded_plate(feet, top, plate=2.0, block=1.0, load="", start="", until=2.0):
    """A plate that tilts but does not turn, on feet in the corners of a square (coefficient 0: smooth), and a block on it."""
    text = f"""
format = 1
coordinates = ["x", "y", "z", "a", "b", "x2", "y2", "z2"]
[energy]
T = "{plate}/2*(x'^2 + y'^2 + z'^2) + 0.1*(a'^2 + b'^2) + {block}/2*(x2'^2 + y2'^2 + z2'^2)"
V = "{plate * G}*z + {block * G}*z2"
[force.load]
z = 0
{load}
[contact.block]
gap = "z2 - z"
slip = ["x2' - x'", "y2' - y'"]
friction = {top}
[start]
closed = ["block", "f0", "f1", "f2", "f3"]
[start.velocity]
{start}
[run]
until = {until}
tolerance = 1e-10
"""
    for i, ((p, q), mu) in enumerate(zip(((1, 1), (-1, 1), (-1, -1), (1, -1)), feet)):
        friction = f"""slip = ["x'", "y'"]\nfriction = {mu}""" if mu else ""
        text += f'[contact.f{i}]\ngap = "z + ({q})*a - ({p})*b"\n{friction}\n'
    return text


@pytest.mark.parametrize("feet", [(0.3, 0.3, 0.3, 0.3), (0.4, 0.0, 0.3, 0.2), (0.0, 0.0, 0.0, 0.5), (0.3, 0.3, 0.0, 0.0)], ids=str)
def test_a_block_comes_to_rest_on_a_sliding_plate(feet):
    """Every foot carries a quarter of the weight, also while the block sticks: three phases of constant acceleration."""
    top, plate, block, speed = 0.35, 2.0, 1.0, 3.0
    slows = sum(feet) / 4 * G
    first = -(slows * (plate + block) + top * G * block) / plate
    met = speed / (top * G - first)
    common = top * G * met
    rests = met + common / slows
    result = run(loaded_plate(feet, top, plate, block, start=f"x = {speed}", until=rests + 0.5), "--at", repr((met + rests) / 2))
    sticks = {e["where"]: e["time"] for e in result["events"] if e["kind"] == "stick"}
    assert sticks["block"] == pytest.approx(met, abs=1e-9)
    assert all(t == pytest.approx(rests, abs=1e-9) for where, t in sticks.items() if where != "block")
    sample = result["samples"][0]
    assert sample["v"]["x"] == pytest.approx(common / 2, abs=1e-9)
    forces = [r["normal"] if isinstance(r, dict) else r for where, r in sample["reactions"].items() if where != "block"]
    assert forces == pytest.approx([(plate + block) * G / 4] * 4, abs=1e-9)
    assert result["state"]["q"]["x"] == pytest.approx(met * (speed + common) / 2 + common**2 / slows / 2, abs=1e-9)


def gives_way(mu, top, pull, side, speed, plate=2.0, block=1.0):
    """A block slides on a plate at rest, drawn aside so that its friction turns: when it and the pull move the plate (Runge-Kutta)."""
    def rates(v):
        r = math.hypot(*v)
        return [-top * G * v[0] / r, side / block - top * G * v[1] / r]

    def excess(t, v):
        r = math.hypot(*v)
        return math.hypot(pull * t + top * block * G * v[0] / r, top * block * G * v[1] / r) - mu * (plate + block) * G

    t, v, h = 0.0, [speed, 0.0], 1e-4
    while True:
        k1 = rates(v)
        k2 = rates([x + h / 2 * k for x, k in zip(v, k1)])
        k3 = rates([x + h / 2 * k for x, k in zip(v, k2)])
        k4 = rates([x + h * k for x, k in zip(v, k3)])
        after = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(v, k1, k2, k3, k4)]
        if excess(t + h, after) > 0.0:
            if h < 1e-12:
                return t
            h /= 2
            continue
        t, v = t + h, after


@pytest.mark.parametrize("side", [0.0, 4.0])
def test_a_plate_at_rest_holds_while_the_friction_of_a_block_turns(side):
    """All feet alike, so that every sharing of the load holds as much: mu times the weight."""
    mu, top, pull, speed = 0.3, 0.4, 6.0, 8.0
    text = loaded_plate((mu,) * 4, top, load=f'x = "{pull}*t"\ny2 = {side}', start=f"x2 = {speed}", until=1.5)
    result = run(text)
    slips = {e["where"]: e["time"] for e in result["events"] if e["kind"] == "slip"}
    assert set(slips) == {"f0", "f1", "f2", "f3"}
    wanted = gives_way(mu, top, pull, side, speed)
    assert 0.3 < wanted < 1.4
    assert all(t == pytest.approx(wanted, abs=1e-8) for t in slips.values())


def two_feet(mu, push, turn, until):
    """A plate on two feet at (0, ±1/2), under a push and a moment that grow."""
    feet = "".join(f"""
[contact.f{i}]
gap = "z + {a}*cos(c)*s"
slip = ["der(x - {a}*sin(c))", "der(y + {a}*cos(c))"]
friction = {mu[i]}
""" for i, a in enumerate((0.5, -0.5)))
    return f"""
format = 1
coordinates = ["x", "y", "z", "s", "c"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2 + 0.05*s'^2 + 0.1*c'^2"
V = "{G}*z"
[force.push]
x = "{push[0]}*t"
y = "{push[1]}*t"
c = "{turn}*t"
{feet}
[start]
closed = ["f0", "f1"]
[run]
until = {until}
tolerance = 1e-10
"""


@pytest.mark.parametrize("mu, push, turn", [
    ((0.511, 0.571), (1.771, 2.655), 1.439), ((0.62, 0.588), (-1.506, -2.689), -2.059), ((0.304, 0.456), (-0.824, -2.111), -1.346),
    ((0.28, 0.599), (-2.167, 0.705), -2.24), ((0.588, 0.254), (1.49, 1.783), 2.158), ((0.305, 0.308), (2.895, 2.234), -1.264)], ids=str)
def test_two_feet_share_what_goes_along_them(mu, push, turn):
    """Across the line of the feet their friction is determined, X_i t; along it they hold until sqrt(L_0^2 - (X_0 t)^2) +
    sqrt(L_1^2 - (X_1 t)^2) = Y t, when both slip, or until one of the roots is zero, and the other foot stays."""
    limit = [m * G / 2 for m in mu]
    across = [(-push[0] + 2 * turn) / 2, (-push[0] - 2 * turn) / 2]

    def left(t):
        rest = [L**2 - (X * t) ** 2 for L, X in zip(limit, across)]
        return sum(map(math.sqrt, rest)) - abs(push[1]) * t if min(rest) >= 0.0 else -1.0

    low, high = 0.0, 100.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) > 0.0 else (low, middle)
    used = {f"f{i}" for i in range(2) if limit[i] ** 2 - (across[i] * low) ** 2 < 1e-9}
    result = run(two_feet(mu, push, turn, 1.01 * low))
    slips = {e["where"]: e["time"] for e in result["events"] if e["kind"] == "slip"}
    assert set(slips) == (used or {"f0", "f1"})
    assert all(t == pytest.approx(low, abs=1e-10) for t in slips.values())


def thrown_plate(length, time):
    """Three feet, mass 1, thrown and turned on a floor; `length` and `time`: how many units a metre and a second are."""
    g, v = G * length / time**2, length / time
    feet = "".join(f"""
[contact.f{i}]
gap = "z + ({y * length}*cos(c) + {x * length}*sin(c))*a - ({x * length}*cos(c) - {y * length}*sin(c))*b"
slip = ["der(x + {x * length}*cos(c) - {y * length}*sin(c))", "der(y + {x * length}*sin(c) + {y * length}*cos(c))"]
friction = {mu}
""" for i, (x, y, mu) in enumerate([(0.3, 0.0, 0.3), (-0.2, 0.25, 0.5), (-0.2, -0.25, 0.4)]))
    return f"""
format = 1
coordinates = ["x", "y", "z", "a", "b", "c"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2 + {0.05 * length**2}*(a'^2 + b'^2 + c'^2)"
V = "{g}*z"
[force.push]
x = "{5.0 * length / time**2}*sin({4.0 / time}*t)"
{feet}
[start]
closed = ["f0", "f1", "f2"]
[start.velocity]
x = {v}
y = {0.5 * v}
c = {2.0 / time}
[run]
until = {3.0 * time}
tolerance = 1e-10
"""


@pytest.mark.parametrize("length, time", [(1e3, 1.0), (1.0, 1e3), (1e3, 1e3), (1e-3, 1.0 / 60)], ids=str)
def test_the_same_plate_in_other_units(length, time):
    """Slips that end, start and turn are judged by shares of the sizes of the model."""
    def events(units, result):
        return [(e["kind"], e["where"], e["time"] / units[1]) for e in result["events"]]

    answers = []
    for units in ((1.0, 1.0), (length, time)):
        answer = run_program("run", "-", "--json", stdin=thrown_plate(*units))
        assert answer.code == 0, answer.out[-600:] + answer.err
        answers.append((units, answer.json()))
    reference, other = (sorted(events(*a)) for a in answers)
    assert [e[:2] for e in other] == [e[:2] for e in reference]
    assert len(reference) >= 3
    assert [e[2] for e in other] == pytest.approx([e[2] for e in reference], abs=1e-6)
    places = [result["state"]["q"]["x"] / units[0] for units, result in answers]
    assert places[1] == pytest.approx(places[0], abs=1e-7)


def test_a_thrown_plate_that_is_pushed_again():
    """Its feet stop and start together. Three feet carry constant loads; friction smoothed at 1e-3 of the speed, midpoint rule."""
    feet = [(0.3, 0.0, 0.3 * 0.4 * G), (-0.2, 0.25, 0.5 * 0.3 * G), (-0.2, -0.25, 0.4 * 0.3 * G)]

    def rates(t, state, smooth):
        _, _, c, vx, vy, w = state
        force, moment = [5.0 * math.sin(4.0 * t), 0.0], 0.0
        for a, b, limit in feet:
            x, y = a * math.cos(c) - b * math.sin(c), a * math.sin(c) + b * math.cos(c)
            slip = vx - y * w, vy + x * w
            fx, fy = (-limit * u / math.hypot(*slip, smooth) for u in slip)
            force, moment = [force[0] + fx, force[1] + fy], moment + x * fy - y * fx
        return [vx, vy, w, *force, moment / 0.1]

    smooth, h, state = 1e-3, 1e-4, [0.0, 0.0, 0.0, 1.0, 0.5, 2.0]
    for i in range(30000):
        half = [x + h / 2 * r for x, r in zip(state, rates(i * h, state, smooth))]
        state = [x + h * r for x, r in zip(state, rates((i + 0.5) * h, half, smooth))]
    result = run(thrown_plate(1.0, 1.0))
    found = [result["state"]["q"][x] for x in "xyc"] + [result["state"]["v"][x] for x in "xyc"]
    assert found == pytest.approx(state, abs=6e-3)
    assert {e["where"] for e in result["events"] if e["kind"] == "slip"} == {"f0", "f1", "f2"}
