# SPDX-License-Identifier: Apache-2.0
"""liaison equilibrium from outside: the JSON contract, sets held by friction, pictures, bad input."""

import math

from conftest import needs

pytestmark = needs("equilibrium")

BLOCK = """format = 1
name = "block"
coordinates = ["x", "y"]
[parameters]
mu = 0.4
F = 0.0
[energy]
T = "x'^2 + y'^2"
V = "25*x^2 + 20*y"
[force.drive]
x = "F*cos(3*t)"
[contact.floor]
gap = "y"
slip = "x'"
friction = "mu"
[start]
x = 0.1
closed = ["floor"]
"""

PENDULUM = """format = 1
name = "pendulum"
coordinates = ["th"]
[parameters]
w = 0.0
[energy]
T = "(th'^2 + w^2*sin(th)^2)/2"
V = "-9*cos(th)"
[start]
th = 0.2
"""


def test_a_set_held_by_friction(liaison, model):
    answer = liaison("equilibrium", model(BLOCK), "--json")
    assert answer.code == 0, answer.err
    rest = answer.json()["equilibria"][0]
    assert rest["contacts"]["floor"]["state"] == "stick"
    assert abs(rest["contacts"]["floor"]["normal"] - 20) < 1e-10
    assert abs(rest["contacts"]["floor"]["tangential"][0] - 5) < 1e-10
    assert rest["set"]["dimension"] == 1
    ends = sorted(end["q"]["x"] for end in rest["set"]["ends"])
    assert all(abs(a - b) < 1e-10 for a, b in zip(ends, [-0.16, 0.16]))  # mu*20/50
    assert rest["stable"] is True and rest["verdict"] == "stable" and "floor 5 of 8" in rest["reason"]
    told = liaison("equilibrium", model(BLOCK))
    assert "sticks, friction 5 of 8" in told.out


def test_modes_and_verdict(liaison, model):
    result = liaison("equilibrium", model(PENDULUM), "--json", "--box", "th=-4:4").json()
    assert [round(e["q"]["th"], 9) for e in result["equilibria"]] == [
        round(-math.pi, 9), 0, round(math.pi, 9)]
    assert [e["stable"] for e in result["equilibria"]] == [False, True, False]
    assert abs(result["equilibria"][1]["modes"][0]["frequency"] - 3) < 1e-12


def test_over_a_parameter(liaison, model, tmp_path):
    table, picture = tmp_path / "fork.csv", tmp_path / "fork.svg"
    answer = liaison("equilibrium", model(PENDULUM), "--box", "th=-1.5:1.5", "--starts", "6",
                     "--over", "w=2:4:9", "--json", "-o", str(table), "-o", str(picture))
    assert answer.code == 0, answer.err
    points = answer.json()["points"]
    assert [len(p["equilibria"]) for p in points] == [1] * 5 + [3] * 4  # fork at w = 3
    rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    assert rows[0] == "w,th,largest real part,verdict" and len(rows) == 1 + 5 + 12
    assert picture.read_text().startswith("<svg")


def test_time_and_no_rest(liaison, model):
    driven = liaison("equilibrium", model(BLOCK), "--set", "F=1")
    assert driven.code == 1 and "time enters the balance of x" in driven.out
    falling = model(BLOCK.replace("25*x^2", "25*x"))
    lost = liaison("equilibrium", falling)
    assert lost.code == 1 and "beyond its bound 8" in lost.out
    assert liaison("equilibrium", falling, "--json").json()["equilibria"] == []


def test_bad_options(liaison, model):
    path = model(PENDULUM)
    assert liaison("equilibrium", path, "--starts", "5").code == 64
    wrong = liaison("equilibrium", path, "--box", "phi=0:1")
    assert wrong.code == 2 and "no coordinate of this name" in wrong.err
    assert liaison("equilibrium", path, "--over", "q=0:1").code == 2
    assert liaison("equilibrium", path, "-o", "rest.h5").code == 64


LADDER = """format = 1
name = "ladder"
coordinates = ["x", "y", "th"]
[parameters]
a = 1.1
[energy]
T = "(x'^2 + y'^2)/2 + th'^2/24"
V = "9.81*y"
[contact.floor]
gap = "y - sin(th)/2"
slip = "der(x + cos(th)/2)"
friction = 0.5
[contact.wall]
gap = "x - cos(th)/2"
slip = "der(y + sin(th)/2)"
friction = 0.5
[start]
th = "a"
x = "cos(a)/2"
y = "sin(a)/2"
"""


def test_a_ladder_rests_as_long_as_some_forces_hold_it(liaison, model):
    """Floor and wall with the same friction hold a uniform ladder from tan th = (1 − μ²)/(2 μ) = 3/4 on (Coulomb); the forces
    are one of a set, and all of them count, not those of least norm."""
    for angle, rests in ((1.1, True), (0.65, True), (0.63, False)):
        answer = liaison("equilibrium", model(LADDER), "--json", "--set", f"a={angle}")
        there = [e for e in answer.json()["equilibria"] if abs(e["q"]["th"] - angle) < 1e-9]
        assert bool(there) == rests, angle
        for e in there:
            floor, wall = e["contacts"]["floor"], e["contacts"]["wall"]
            for contact in (floor, wall):
                assert contact["state"] == "stick" and contact["normal"] > 0
                assert abs(contact["tangential"][0]) <= 0.5 * contact["normal"] + 1e-9
            # Forces and moment about the floor contact.
            assert abs(floor["normal"] + wall["tangential"][0] - 9.81) < 1e-8
            assert abs(floor["tangential"][0] + wall["normal"]) < 1e-8
            moment = 9.81 * math.cos(angle) / 2 - wall["normal"] * math.sin(angle) - wall["tangential"][0] * math.cos(angle)
            assert abs(moment) < 1e-8
