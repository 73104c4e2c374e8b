# SPDX-License-Identifier: Apache-2.0
"""A guide written as two contacts without play: the load passes from one to the other, and the motion is that of a constraint."""

import math

import pytest
from conftest import run_program

TRACK = """
format = 1
name = "carriage"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.push]
x = 1
y = "{force}"
{guide}
[run]
until = 5
"""
CONTACTS = '[contact.below]\ngap = "{0}"\n[contact.above]\ngap = "-({0})"\n'


def run(text, *at):
    answer = run_program("run", "-", "--json", "--at", ",".join(map(repr, at)), stdin=text)
    assert answer.code == 0, answer.out[:400] + answer.err
    return answer.json()


@pytest.mark.parametrize("force", ["cos(3*t)", "sin(3*t)", "-sin(3*t)", "sin(3*t)^3"])
def test_a_straight_guide_carries_whichever_way_it_is_pushed(force):
    """Also where the load starts at zero, and where it passes zero with slope zero."""
    times = [0.1 + 0.37 * i for i in range(13)]
    result = run(TRACK.format(force=force, guide=CONTACTS.format("y")), *times)
    assert result["status"] == "done" and not [e for e in result["events"] if e["kind"] == "release"]
    assert result["contacts"]["complementarity"] <= 1e-12
    for t, sample in zip(times, result["samples"]):
        push = eval(force.replace("^", "**"), {"sin": math.sin, "cos": math.cos, "t": t})
        assert sample["q"]["x"] == pytest.approx(t**2 / 2, rel=1e-12)
        assert abs(sample["q"]["y"]) <= 1e-14
        assert sample["reactions"]["above"] - sample["reactions"]["below"] == pytest.approx(push, abs=1e-10)
        assert min(sample["reactions"].values()) >= -1e-10


def test_a_bead_on_a_ring_of_two_contacts_swings_over_both_of_them():
    """The force of the ring is m (v² + g cos th), th from the lowest point; with v0² = 3.5 g it changes side where 1.5 + 3 cos th = 0."""
    ring = """
format = 1
name = "ring"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
{guide}
[start]
y = -1
[start.velocity]
x = {speed}
[run]
until = 3
tolerance = 1e-11
"""
    speed = math.sqrt(3.5 * 10)
    r = "sqrt(x^2 + y^2) - 1"
    times = [0.25 * i for i in range(1, 12)]
    two = run(ring.format(guide=CONTACTS.format(r), speed=speed), *times)
    one = run(ring.format(guide=f'[constraint.ring]\nequation = "{r} = 0"\n', speed=speed), *times)
    assert two["status"] == "done"
    inwards = 0
    for a, b in zip(two["samples"], one["samples"]):
        for name in "xy":
            assert a["q"][name] == pytest.approx(b["q"][name], abs=1e-8)
        # Energy and Newton's law along the radius: N = v² + g cos th with cos th = −y.
        v2 = speed**2 - 20 * (1 + a["q"]["y"])
        pressed = a["reactions"]["above"] - a["reactions"]["below"]
        assert pressed == pytest.approx(v2 - 10 * a["q"]["y"], abs=1e-7)
        inwards += pressed < 0
    assert inwards > 0
