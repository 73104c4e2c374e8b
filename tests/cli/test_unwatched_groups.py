# SPDX-License-Identifier: Apache-2.0
"""Beyond four contacts the determinant of sliding groups is not watched: a run in which that matters says so."""

from conftest import run_program


def told(feet, friction=0.3, height=0.5, speed=1.0):
    text = f"""
format = 1
name = "sledge"
coordinates = ["x", "y", "a"]
[energy]
T = "(x'^2 + y'^2)/2 + a'^2/10"
V = "10*y"
"""
    for i, p in enumerate(feet):
        text += f'[contact.f{i}]\ngap = "y - {height} + ({p})*a"\nslip = "x\' + {height}*a\'"\nfriction = {friction}\n'
    text += f"[start]\ny = {height}\n[start.velocity]\nx = {speed}\n[run]\nuntil = 0.2\n"
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.out[:400] + answer.err
    return [w for w in answer.json()["warnings"] if "not watched" in w]


def test_five_feet_that_depend_on_each_other():
    """B1' = 1 + (p² − mu h p)/J of the front foot vanishes at mu = (J + p²)/(h p) = 1.8: near with 0.9, far with 0.3."""
    assert told((-0.5, -0.2, 0, 0.2, 0.5), friction=0.3) == []
    words = told((-0.5, -0.2, 0, 0.2, 0.5), friction=0.9)
    assert len(words) == 1 and "from t = 0 on" in words[0] and "up to 4 contacts" in words[0]


def test_four_feet_are_watched():
    assert told((-0.5, -0.2, 0.2, 0.5), friction=0.9) == []


def test_rest_needs_no_watch():
    assert told((-0.5, -0.2, 0, 0.2, 0.5), friction=0.9, speed=0.0) == []


def test_points_beside_each_other_are_clearly_regular():
    """Five points that do not push each other: A = 1."""
    text = 'format = 1\nname = "three"\ncoordinates = ["x0", "y0", "x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4"]\n[energy]\nT = "'
    text += " + ".join(f"(x{i}'^2 + y{i}'^2)/2" for i in range(5)) + '"\nV = "' + " + ".join(f"10*y{i}" for i in range(5)) + '"\n'
    for i in range(5):
        text += f'[contact.f{i}]\ngap = "y{i}"\nslip = "x{i}\'"\nfriction = 0.3\n'
    text += "[start]\n[start.velocity]\n" + "".join(f"x{i} = 1\n" for i in range(5)) + "[run]\nuntil = 0.2\n"
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.out[:400] + answer.err
    assert not any("not watched" in w for w in answer.json()["warnings"])
