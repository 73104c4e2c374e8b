# SPDX-License-Identifier: Apache-2.0
"""A table slides and turns on four feet: against an integration of its own, with the pressure of feet that are equally stiff."""

import math

import pytest
from conftest import run_program

MASS, HALF, TILT, TURN, GRAVITY = 10.0, 0.5, 0.8, 1.5, 9.81
FEET = [(HALF, HALF), (-HALF, HALF), (-HALF, -HALF), (HALF, -HALF)]


def table(mu, height=0.0, velocity="", push="x = 0", until=1.0):
    """Height of the mass centre above the floor: friction loads the feet in front."""
    text = f"""
format = 1
name = "table"
coordinates = ["x", "y", "z", "a", "b", "c"]
[energy]
T = "{MASS}*(x'^2 + y'^2 + z'^2)/2 + {TILT}*(a'^2 + b'^2)/2 + {TURN}*c'^2/2"
V = "{MASS * GRAVITY}*z"
[force.push]
{push}
[start]
closed = ["f0", "f1", "f2", "f3"]
[start.velocity]
{velocity}
[run]
until = {until}
"""
    for i, (p, q) in enumerate(FEET):
        text += f"""
[contact.f{i}]
gap = "z + ({q})*a - ({p})*b"
slip = ["der(x + ({p})*cos(c) - ({q})*sin(c) - {height}*b)", "der(y + ({p})*sin(c) + ({q})*cos(c) + {height}*a)"]
friction = {mu[i]}
"""
    return text


def run(text, *words, limit=60):
    answer = run_program("run", "-", "--json", *words, stdin=text, limit=limit)
    assert answer.code == 0, answer.out[-600:] + answer.err
    result = answer.json()
    assert abs(result["energy"]["unexplained"]) < 1e-9
    return result


def solved(matrix, right):
    """Gauss with pivoting."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        k = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[k] = rows[k], rows[i]
        for r in range(i + 1, n):
            f = rows[r][i] / rows[i][i]
            rows[r] = [x - f * y for x, y in zip(rows[r], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][k] * x[k] for k in range(i + 1, n))) / rows[i][i]
    return x


def rates(state, load, mu, height):
    """Weight, two moments of tilt, and N0 - N1 + N2 - N3 = 0 give the pressure for the directions of slip."""
    _, _, c, vx, vy, w = state
    arms = [(p * math.cos(c) - q * math.sin(c), p * math.sin(c) + q * math.cos(c)) for p, q in FEET]
    slips = [(vx - q * w, vy + p * w) for p, q in arms]
    along = [(u / math.hypot(u, v), v / math.hypot(u, v)) for u, v in slips]
    normal = solved([[1.0] * 4,
                     [q - height * m * s[1] for (_, q), m, s in zip(FEET, mu, along)],
                     [p - height * m * s[0] for (p, _), m, s in zip(FEET, mu, along)],
                     [1.0, -1.0, 1.0, -1.0]], [MASS * GRAVITY, 0.0, 0.0, 0.0])
    force = [(-m * n * s[0], -m * n * s[1]) for m, n, s in zip(mu, normal, along)]
    moment = sum(p * f[1] - q * f[0] for (p, q), f in zip(arms, force))
    return [vx, vy, w, (load[0] + sum(f[0] for f in force)) / MASS, (load[1] + sum(f[1] for f in force)) / MASS,
            (load[2] + moment) / TURN]


def integrated(state, load, mu, height, start, end, steps=400):
    """Runge and Kutta; steps grow from the start as the cubes of 1, 2, 3, since slip from rest turns fast at first."""
    def at(i):
        return start + (end - start) * (i / steps) ** 3

    for i in range(steps):
        t, h = at(i), at(i + 1) - at(i)
        k1 = rates(state, load(t), mu, height)
        k2 = rates([x + h / 2 * k for x, k in zip(state, k1)], load(t + h / 2), mu, height)
        k3 = rates([x + h / 2 * k for x, k in zip(state, k2)], load(t + h / 2), mu, height)
        k4 = rates([x + h * k for x, k in zip(state, k3)], load(t + h), mu, height)
        state = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]
    return state


def sampled(sample):
    return [sample["q"][k] for k in "xyc"] + [sample["v"][k] for k in "xyc"]


@pytest.mark.parametrize("mu", [(0.4,) * 4, (0.5, 0.4, 0.3, 0.2), (0.4, 0.4, 0.3, 0.3)], ids=str)
@pytest.mark.parametrize("height", [0.0, 0.3])
def test_sliding_and_turning(mu, height):
    result = run(table(mu, height, "x = 1\ny = 0.5\nc = 2"), "--at", "0.15")
    wanted = integrated([0, 0, 0, 1, 0.5, 2], lambda t: (0, 0, 0), mu, height, 0.0, 0.15)
    assert sampled(result["samples"][0]) == pytest.approx(wanted, abs=1e-9)
    # And it comes to rest, every foot of it.
    assert max(abs(v) for v in result["state"]["v"].values()) < 1e-12
    assert {e["where"] for e in result["events"] if e["kind"] == "stick"} == {"f0", "f1", "f2", "f3"}


def least(function, low, high):
    """The least value of a convex function."""
    for _ in range(70):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if function(a) < function(b) else (a, high)
    return function((low + high) / 2)


def onset(mu, load):
    """Limit analysis of a load that grows evenly: of all velocities on which it has the power 1 one dissipates least, while
    the feet are loaded so that they dissipate most; opposite feet carry the same, half the weight in all."""

    def dissipation(vy, w):
        vx = (1 - load[1] * vy - load[2] * w) / load[0]
        speed = [m * math.hypot(vx - w * q, vy + w * p) for m, (p, q) in zip(mu, FEET)]
        return MASS * GRAVITY / 2 * max(speed[0] + speed[2], speed[1] + speed[3])

    return least(lambda w: least(lambda vy: dissipation(vy, w), -0.2, 0.2), -0.2, 0.2)


@pytest.mark.parametrize("mu, load", [
    ((0.4,) * 4, (20.0, 0.0, 10.0)),
    ((0.5, 0.4, 0.3, 0.2), (20.0, 5.0, 0.0)),
    ((0.4, 0.4, 0.3, 0.3), (20.0, 0.0, 0.0)),
], ids=str)
@pytest.mark.parametrize("height", [0.0, 0.3])
def test_pushed_and_turned_until_it_slides(mu, load, height):
    """Held up to the instant of limit analysis; then the motion that an integration of its own has, soon after the onset and
    until the end."""
    push = "".join(f'{name} = "{size}*t"\n' for name, size in zip("xyc", load))
    start = onset(mu, load)
    if height == 0.0:
        result = run(table(mu, height, push=push, until=2.3), "--at", f"{start - 1e-6},{start + 0.05}")
        held, soon = result["samples"]
        assert max(abs(v) for v in held["v"].values()) < 1e-12
        assert {e["where"] for e in result["events"] if e["kind"] == "slip"} == {"f0", "f1", "f2", "f3"}
        assert all(e["time"] == pytest.approx(start, abs=1e-8) for e in result["events"] if e["kind"] == "slip")
    else:
        # Friction loads the feet in front, so that limit analysis of the flat table is no longer its answer.
        result = run(table(mu, height, push=push, until=2.3), "--at", "2.1")
        soon = result["samples"][0]
    wanted = integrated(sampled(soon), lambda t: [x * t for x in load], mu, height, soon["t"], 2.3, steps=2000)
    assert sampled(result["state"]) == pytest.approx(wanted, abs=1e-8)
    assert all(e["kind"] in ("attach", "slip") for e in result["events"])
