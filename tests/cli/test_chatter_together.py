# SPDX-License-Identifier: Apache-2.0
"""Bodies that rattle to rest on each other: every chatter is completed, at its own end, without creating energy."""

import random
from math import cos, sin

import pytest


def run(liaison, text, *more):
    answer = liaison("run", "-", "--json", "--events", "all", *more, stdin=text)
    assert answer.code == 0, answer.out[-800:] + answer.err
    return answer.json()


def stack(seed, kind):
    """Balls above each other: on a line, as plates that rub, or as discs that roll and fall off."""
    r = random.Random(f"{kind}{seed}")
    n = r.choice([2, 2, 3, 4])
    m = [round(r.uniform(0.2, 3), 3) for _ in range(n)]
    R = [round(r.uniform(0.1, 0.4), 3) for _ in range(n)]
    law = r.choice([None, "moreau", "poisson", "newton"]) if kind == "line" else None
    e = [r.choice([0, 0.3, 0.5, 0.8, 0.9, 1, round(r.random(), 3)]) for _ in range(n)]
    if r.random() < 0.5:
        e = [e[0]] * n
    rough, rolls = kind != "line", kind == "discs"
    names = [f"y{i}" for i in range(n)] + [f"x{i}" for i in range(n) if rough] + [f"a{i}" for i in range(n) if rolls]
    kinetic = []
    for i in range(n):
        terms = f"y{i}'^2" + (f" + x{i}'^2" if rough else "") + (f" + {R[i] ** 2 / 2:.6f}*a{i}'^2" if rolls else "")
        kinetic.append(f"{m[i]}/2*({terms})")
    text = f"format = 1\ncoordinates = {names}\n[energy]\nT = \"{' + '.join(kinetic)}\"\n"
    text += f"V = \"{' + '.join(f'{m[i]}*9.81*y{i}' for i in range(n))}\"\n"
    y, x, start, velocity = 0.0, 0.0, {}, {}
    for i in range(n):
        apart = r.choice([0, 0, round(r.uniform(0.001, 0.05), 4), round(r.uniform(0.05, 1), 3)])
        y = round(y + (R[0] if i == 0 else R[i - 1] + R[i]) + apart + (0.002 if rolls and i > 0 else 0), 6)
        start[f"y{i}"] = y
        velocity[f"y{i}"] = r.choice([0, 0, round(r.uniform(-1, 1), 3)])
        gap, slip = f"y{i} - {R[0]}", f"x{i}'"
        if rough:
            velocity[f"x{i}"] = r.choice([0, round(r.uniform(-2, 2), 3)])
        if i > 0:
            gap, slip = f"y{i} - y{i - 1} - {R[i] + R[i - 1]:.6f}", f"x{i}' - x{i - 1}'"
        if rolls and i == 0:
            slip = f"x0' + {R[0]}*a0'"
        if rolls and i > 0:
            x = start[f"x{i}"] = round(x + r.uniform(-0.02, 0.02), 4)
            dx, dy = f"(x{i}-x{i - 1})", f"(y{i}-y{i - 1})"
            gap = f"sqrt({dx}^2 + {dy}^2) - {R[i] + R[i - 1]:.6f}"
            slip = f"(der({dx})*{dy} - der({dy})*{dx})/sqrt({dx}^2 + {dy}^2) + {R[i]}*a{i}' + {R[i - 1]}*a{i - 1}'"
        text += f'[contact.c{i}]\ngap = "{gap}"\n'
        text += f"restitution = {e[i]}\n" if law is None else f'restitution = {{ value = {e[i]}, law = "{law}" }}\n'
        if rough:
            text += f'slip = "{slip}"\nfriction = {round(r.choice([0.1, 0.3, 0.6, r.random()]), 3)}\n'
    text += "[start]\n" + "".join(f"{k} = {v}\n" for k, v in start.items())
    text += "[start.velocity]\n" + "".join(f"{k} = {v}\n" for k, v in velocity.items())
    return text + f"[run]\nuntil = {0.6 if rolls else 3}\ntolerance = {r.choice(['1e-8', '1e-10', '1e-12'])}\n"


def judge(result):
    assert result["status"] == "done", result["reason"]
    assert not [w for w in result["warnings"] if "graze" not in w]
    events = result["events"]
    scale = max([abs(e["energy"] or 0.0) for e in events], default=0.0)
    for e in events:
        assert (e["energy"] or 0.0) <= 1e-11 * max(1.0, scale), e
    for one, next_one in zip(events, events[1:]):
        apart = next_one["time"] - one["time"]
        assert apart >= 0.0
        # Times and states belong together: from the end of bounces to the next event bodies move with their mean velocities.
        if one["kind"] != "attach" or next_one["kind"] == "accumulation" or apart > 1e-5:
            continue
        for name, q in one["q"].items():
            moved = 0.5 * (one["v_plus"][name] + next_one["v_minus"][name]) * apart
            bounced = 0.5 * apart * abs(next_one["v_minus"][name] - one["v_plus"][name])
            assert abs(next_one["q"][name] - q - moved) <= 1e-12 + bounced, (name, one, next_one)


@pytest.mark.parametrize("kind", ["line", "plates", "discs"])
@pytest.mark.parametrize("seed", range(12))
def test_random_stacks(liaison, kind, seed):
    judge(run(liaison, stack(seed, kind)))


def test_a_ball_collapses_between_another_and_the_floor(liaison):
    """Two balls with e = 0.3 fall on each other: infinitely many impacts between falling ball and floor, in finite time and at a speed of
    the fall, end with both at rest. Without gravity in so short a time they are those of one instant."""
    text = """format = 1
coordinates = ["y1", "y2"]
[energy]
T = "(1.3*y1'^2 + 2.9*y2'^2)/2"
V = "13*y1 + 29*y2"
[contact.floor]
gap = "y1"
restitution = 0.3
[contact.ball]
gap = "y2 - y1"
restitution = 0.3
[start]
y1 = 1
y2 = 1.4
[run]
until = 3
"""
    result = run(liaison, text)
    judge(result)
    assert result["events"][-1]["time"] < 1.0
    assert result["state"]["q"] == {"y1": pytest.approx(0, abs=1e-13), "y2": pytest.approx(0, abs=1e-13)}
    # all of the energy is gone, and the impacts took it
    assert sum(e["energy"] or 0.0 for e in result["events"]) == pytest.approx(-(13 + 29 * 1.4), rel=1e-9)


def two_boxes(moreau, far):
    text = f"""format = 1
coordinates = ["x", "y", "a", "x2", "y2", "a2"]
[energy]
T = "0.25*(x'^2 + y'^2) + 0.035*a'^2 + (x2'^2 + y2'^2) + 0.094*a2'^2"
V = "4.9*y + 19.6*y2"
[start]
y = 0.6
y2 = 0.7319
x2 = {far}
[start.velocity]
x = 1.25
y = -2.4
x2 = 0.8
y2 = 0.3
a2 = -0.28
[run]
until = 4
tolerance = 1e-10
"""
    law = 'restitution = { value = 0.4, law = "moreau" }' if moreau else "restitution = 0.4"
    for body, n in (("one", ""), ("two", "2")):
        for corner, sign in (("l", "-"), ("r", "+")):
            text += f'[contact.{body}_{corner}]\ngap = "y{n} {sign} 0.3*sin(a{n}) - 0.2*cos(a{n})"\n{law}\n'
    return text


@pytest.mark.parametrize("moreau", [False, True])
def test_bodies_that_do_not_touch_come_to_rest_each_for_itself(liaison, moreau):
    """Both corners of a box that falls flat bounce together and come to rest together; the other box knows nothing of it."""
    together = run(liaison, two_boxes(moreau, 3))
    judge(together)
    for n in ("", "2"):
        assert together["state"]["q"]["y" + n] == pytest.approx(0.2, abs=1e-10)
        assert together["state"]["v"]["y" + n] == pytest.approx(0.0, abs=1e-12)
        assert together["state"]["v"]["a" + n] == pytest.approx(0.0, abs=1e-12)
    if not moreau:  # one corner after the other: the box tilts
        return
    # A body at rest stays where it is while the other one ends its bounces.
    rests = max(one["time"] for one in together["events"] if one["where"].startswith("one"))
    later = [one for one in together["events"] if one["time"] > rests]
    assert later
    for one in later:
        assert one["q"]["y"] == pytest.approx(0.2, abs=1e-12)
    # falls flat: one point mass, whose bounces end at t = t₁ + 2 e v/(g (1 − e))
    g, e = 9.8, 0.4
    v = (2.4**2 + 2 * g * 0.4) ** 0.5
    first = (v - 2.4) / g
    end = [one["time"] for one in together["events"] if one["kind"] == "attach" and one["where"].startswith("one")]
    assert end == pytest.approx([first + 2 * e * v / (g * (1 - e))] * 2, abs=1e-8)


def test_no_accumulation_beyond_another_impact(liaison):
    """A box with one corner on a rough floor, pushed to and fro: its other corner strikes before the bounces of the first would have
    ended. They are followed up to there."""
    text = """format = 1
coordinates = ["x", "y", "a"]
[energy]
T = "0.2907*(x'^2 + y'^2) + 0.01025*a'^2"
V = "5.7035*y"
[force.f]
x = "5.3175*sin(2.2196*t + 0.3094)"
[contact.l]
gap = "y - 0.3*sin(a) - 0.2*cos(a)"
restitution = { value = 0.7115, law = "poisson" }
[contact.r]
gap = "y + 0.3*sin(a) - 0.2*cos(a)"
slip = "der(x + 0.3*cos(a) + 0.2*sin(a))"
friction = 0.2161
restitution = { value = 0.6291, law = "poisson" }
[start]
y = 0.3512258
a = 0.754814
[start.velocity]
x = 0.8214
[run]
until = 2
tolerance = 1e-10
"""
    result = run(liaison, text)
    judge(result)
    for e in result["events"]:
        if e["kind"] in ("accumulation", "attach"):
            q = e["q"]
            for sign in (-1, 1):
                assert q["y"] + sign * 0.3 * sin(q["a"]) - 0.2 * cos(q["a"]) >= -1e-12, e
