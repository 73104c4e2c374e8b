# SPDX-License-Identifier: Apache-2.0
"""run --sensitivity and --saltation from outside: numbers, files, wrong names, events without a derivative."""

import math

from conftest import needs

pytestmark = needs("run")

BALL = """format = 1
name = "ball"
coordinates = ["y"]
[parameters]
g = 9.81
h = 1.0
e = 0.8
[energy]
T = "y'^2/2"
V = "g*y"
[contact.floor]
gap = "y"
restitution = "e"
[start]
y = "h"
[run]
until = 1.0
tolerance = 1e-13
"""


def test_closed_form_after_a_bounce(liaison, model, tmp_path):
    path = model(BALL)
    answer = liaison("run", path, "--json", "--sensitivity", "e,y,y'")
    assert answer.code == 0, answer.err
    result = answer.json()
    first = math.sqrt(2 / 9.81)
    speed = math.sqrt(2 * 9.81)
    assert abs(result["sensitivity"]["e"]["y"] - speed * (1 - first)) < 1e-11
    assert abs(result["sensitivity"]["e"]["y'"] - speed) < 1e-11
    shift = result["events"][0]["saltation"]["shift"]
    assert abs(shift["y"] - 1 / speed) < 1e-12  # t1 = sqrt(2 h/g)
    assert shift["e"] == 0
    matrix = result["events"][0]["saltation"]["matrix"]
    determinant = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0]
    assert abs(determinant - 0.64) < 1e-12


def test_files_carry_sensitivities(liaison, model, tmp_path):
    path = model(BALL)
    table = tmp_path / "ball.csv"
    answer = liaison("run", path, "--sensitivity", "e", "-o", str(table), "--samples", "3")
    assert answer.code == 0, answer.err
    assert "at the end, by e:" in answer.out
    header = next(line for line in table.read_text(encoding="utf-8").splitlines() if line[0] != "#")
    assert "d(y)/d(e)" in header.split(",") and "d(y')/d(e)" in header.split(",")


def test_unknown_name(liaison, model, tmp_path):
    path = model(BALL.replace("e = 0.8", "rest = 0.8").replace('"e"', '"rest"'))
    answer = liaison("run", path, "--sensitivity", "rset")
    assert answer.code == 2
    assert "`rset` is neither a parameter nor a coordinate nor a velocity" in answer.err
    assert "did you mean `rest`?" in answer.err


def test_saltation_alone(liaison, model, tmp_path):
    path = model(BALL)
    result = liaison("run", path, "--json", "--saltation").json()
    assert "sensitivity" not in result
    assert abs(result["events"][0]["saltation"]["matrix"][0][0] + 0.8) < 1e-13


def test_simultaneous_events_end_the_sensitivities(liaison, model, tmp_path):
    path = model("""format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[contact.a]
gap = "1 - x"
restitution = 0.5
[contact.b]
gap = "1 - y"
restitution = 0.5
[start.velocity]
x = 1.0
y = 1.0
[run]
until = 2.0
""")
    answer = liaison("run", path, "--json", "--sensitivity", "x")
    assert answer.code == 0
    result = answer.json()
    assert result["sensitivity"]["x"]["x"] is None
    assert any("simultaneous events at a and b" in w for w in result["warnings"])


def test_quasi_velocities_keep_their_names(liaison, model):
    """A free top about its axis of symmetry: r' = 0, so that ∂r/∂r₀ = 1; its rate is called r'."""
    top = """format = 1
name = "top"
[body.top]
kind = "fixed-point"
inertia = [2, 2, 1]
weight = 0
center = [0, 0, 0]
[start]
gamma3 = 1
[start.velocity]
r = 3
[run]
until = 1
"""
    answer = liaison("run", model(top), "--json", "--sensitivity", "r")
    assert answer.code == 0, answer.err
    derivatives = answer.json()["sensitivity"]["r"]
    assert abs(derivatives["r"] - 1) < 1e-12 and abs(derivatives["r'"]) < 1e-12
    assert "r''" not in derivatives and "p" in derivatives
    compared = liaison("compare", model(top), "--json", "--with", "events,routh")
    assert compared.code == 0 and {"p", "p'"} < set(compared.json()["pairs"][0]["largest"])
