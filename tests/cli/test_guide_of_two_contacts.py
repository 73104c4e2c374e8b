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


@pytest.mark.parametrize("far", ["2 - y", "2 + y", "3 - x - y"])
@pytest.mark.parametrize("mu", [0.1, 0.4])
@pytest.mark.parametrize("side", [1, -1])
def test_a_bead_released_at_the_side_of_a_ring_is_pressed_by_one_side_of_it(far, mu, side):
    """The load on the ring is zero at the start and grows like t²; the contact beside it is never touched.

    With x = side cos a, y = −sin a: a'' = 10 cos a − μ N, N = a'² + 10 sin a, integrated here by Runge and Kutta while a' > 0.
    """
    text = f"""\
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[constraint.ring]
equation = "sqrt(x^2 + y^2) = 1"
slip = "x*y' - y*x'"
friction = {mu}
[contact.far]
gap = "{far}"
[start]
x = {side}
[run]
until = 0.6
"""
    answer = run_program("run", "-", "--json", "--at", "0.1,0.3,0.5", stdin=text)
    assert answer.code == 0, answer.out[-800:] + answer.err
    result = answer.json()

    def rate(z):
        return z[1], 10 * math.cos(z[0]) - mu * (z[1] ** 2 + 10 * math.sin(z[0]))

    z, h = (0.0, 0.0), 1e-3
    for _ in range(600):
        k1 = rate(z)
        k2 = rate([p + h / 2 * k for p, k in zip(z, k1)])
        k3 = rate([p + h / 2 * k for p, k in zip(z, k2)])
        k4 = rate([p + h * k for p, k in zip(z, k3)])
        z = tuple(p + h / 6 * (a + 2 * b + 2 * c + d) for p, a, b, c, d in zip(z, k1, k2, k3, k4))
        assert z[1] > 0
    assert result["state"]["q"]["x"] == pytest.approx(side * math.cos(z[0]), abs=1e-8)
    assert result["state"]["q"]["y"] == pytest.approx(-math.sin(z[0]), abs=1e-8)
    for sample in result["samples"]:
        forces = [sample["reactions"][f"ring.{s}"] for s in ("lower", "upper")]
        assert min(f["normal"] for f in forces) >= -1e-9
        slip = sample["q"]["x"] * sample["v"]["y"] - sample["q"]["y"] * sample["v"]["x"]
        rubs = sum(f["tangential"][0] for f in forces)
        assert rubs == pytest.approx(-math.copysign(mu * sum(f["normal"] for f in forces), slip), rel=1e-9)
