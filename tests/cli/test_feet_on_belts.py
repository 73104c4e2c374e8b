# SPDX-License-Identifier: Apache-2.0
"""Slips in space against belts that turn back: a point on one belt, and a plate that two feet hold while the third is on a belt."""

import math

import pytest
from conftest import run_program


def run(text, at):
    answer = run_program("run", "-", "--json", "--at", ",".join(map(repr, at)), stdin=text)
    assert answer.code == 0, answer.out + answer.err
    result = answer.json()
    assert result["warnings"] == []
    return result


def next_root(f, t, until):
    """The first change of sign after t, by a fine scan and bisection."""
    h = 1e-3
    a = t + 1e-9
    while a < until:
        b = min(a + h, until)
        if f(a) * f(b) < 0.0:
            for _ in range(100):
                middle = (a + b) / 2
                a, b = (middle, b) if f(a) * f(middle) > 0.0 else (a, middle)
            return a
        a = b
    return until


def along_the_belt(w, until):
    """Speed at the end of a point with μ g = 4 on a belt with the speed 2 (1 − cos wt): phases of constant acceleration, and stick."""
    belt, rate = (lambda t: 2.0 * (1.0 - math.cos(w * t))), (lambda t: 2.0 * w * math.sin(w * t))
    t, v = 0.0, 0.0
    while t < until:
        # Stick until the belt is faster than friction.
        if abs(rate(t)) <= 4.0:
            t = next_root(lambda x: abs(rate(x)) - 4.0, t, until)
            v = belt(t)
        while t < until:
            sign = math.copysign(1.0, rate(t))
            since, begin = t, v
            t = next_root(lambda x: belt(x) - begin - 4.0 * sign * (x - since), since + 1e-6, until)
            v = begin + 4.0 * sign * (t - since)
            if abs(rate(t)) <= 4.0:
                break
    return v


@pytest.mark.parametrize("w", [3.0, 3.3, 3.7, 4.1, 5.0, 6.0, 8.0])
def test_a_point_on_a_belt_that_swings(w):
    """The slip starts where a step of the motion was cut short: what was left of it ended the slip again, a thousand times."""
    text = f"""
format = 1
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "10*z"
[contact.belt]
gap = "z"
slip = ["x' - 0.6*2*(1 - cos({w}*t))", "y' - 0.8*2*(1 - cos({w}*t))"]
friction = 0.4
[start]
closed = ["belt"]
[run]
until = 2
tolerance = 1e-10
"""
    result = run(text, [2.0])
    assert result["events"][0]["kind"] == "slip"
    assert result["events"][0]["time"] == pytest.approx(math.asin(2.0 / w) / w, abs=1e-9)
    v = along_the_belt(w, 2.0)
    assert result["state"]["v"]["x"] == pytest.approx(0.6 * v, abs=1e-7)
    assert result["state"]["v"]["y"] == pytest.approx(0.8 * v, abs=1e-7)


def plate(belt, push="0", until=3):
    """Weight 10 on feet that carry 4, 3 and 3, with friction 2, 1.5 and 1.5."""
    return f"""
format = 1
coordinates = ["x", "y", "z", "p", "s"]
[energy]
T = "(x'^2 + y'^2 + z'^2 + p'^2 + s'^2)/2"
V = "10*z"
[force.push]
x = "{push}"
[contact.a]
gap = "z + 0.3*p"
slip = ["x'", "y'"]
friction = 0.5
[contact.b]
gap = "z - 0.2*p + 0.25*s"
slip = ["x'", "y'"]
friction = 0.5
[contact.belt]
gap = "z - 0.2*p - 0.25*s"
slip = ["x' - 0.3*{belt}", "y' - 0.4*{belt}"]
friction = 0.5
[start]
closed = ["a", "b", "belt"]
[run]
until = {until}
tolerance = 1e-10
"""


def test_a_belt_that_turns_back_under_one_foot_of_a_plate_at_rest():
    result = run(plate("cos(2*t)"), [0.5, 1.0, 2.0, 3.0])
    # The directions of two feet are enumerated; where the third may start too, normals and tangents that do not couple have one
    # motion, whatever the directions that were tried.
    assert set(result["contacts"]["resolved"]) == {"unique (enumerated)", "unique (P-matrix)"}
    for sample in result["samples"]:
        for speed in sample["v"].values():
            assert speed == pytest.approx(0.0, abs=1e-12)
        forward = math.copysign(1.0, math.cos(2.0 * sample["t"]))
        assert sample["reactions"]["belt"]["normal"] == pytest.approx(3.0, abs=1e-10)
        assert sample["reactions"]["belt"]["tangential"] == [
            pytest.approx(0.9 * forward, abs=1e-9),
            pytest.approx(1.2 * forward, abs=1e-9),
        ]


def test_a_plate_that_two_feet_hold_against_a_belt_and_a_push():
    """They hold |F + 1.5 s| up to 3.5; then the plate slides, and stops where an integration of its own says."""
    result = run(plate("1", push="3*sin(t)"), [2.9])
    begin = math.asin((math.sqrt(3.5**2 - 1.2**2) - 0.9) / 3.0)
    slips = [e["time"] for e in result["events"] if e["kind"] == "slip"]
    assert slips == [pytest.approx(begin, abs=1e-9)] * 2
    # The friction of the two feet, −3.5 v/|v|, at the end of every step, that of the belt at its beginning.
    h, t, v = 2e-5, begin, (0.0, 0.0)
    x = 0.0
    while True:
        to_belt = (v[0] - 0.3, v[1] - 0.4)
        pull = 1.5 / math.hypot(*to_belt)
        free = (v[0] + h * (3.0 * math.sin(t + h / 2) - pull * to_belt[0]), v[1] - h * pull * to_belt[1])
        size = math.hypot(*free)
        left = max(0.0, 1.0 - 3.5 * h / size)
        v = (left * free[0], left * free[1])
        x += h * v[0]
        t += h
        if v == (0.0, 0.0) and t > begin + 0.1:
            break
    ends = [e["time"] for e in result["events"] if e["kind"] == "stick"]
    assert ends == [pytest.approx(t, abs=2e-4)] * 2
    assert result["state"]["q"]["x"] == pytest.approx(x, abs=2e-4)
