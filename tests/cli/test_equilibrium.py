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
