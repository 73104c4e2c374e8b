# SPDX-License-Identifier: Apache-2.0
"""converge over approach: the motion out of a closed frictional contact is the limit of ordinary impacts (Ivanov 1986).

The numbers of the tables come from a simulation bounce by bounce with 60 digits."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

FOLDER = Path(__file__).resolve().parents[1] / "reference"
TABLES = json.loads((FOLDER / "02-epsilon.json").read_text(encoding="utf-8"))
CHATTER = {case["name"]: case for case in TABLES["newton_chatter"]}
BODY_A = json.loads((FOLDER / "02-impacts-3d.json").read_text(encoding="utf-8"))["cases"][0]["D"]


def rod(case, law="newton", more=""):
    """The uniform rod by its lower end, so that the gap is a coordinate as in the paper."""
    return f"""
format = 1
name = "rod by its tip"
coordinates = ["x", "y", "th"]
[energy]
T = "((x' - sin(th)*th')^2 + (y' + cos(th)*th')^2)/2 + th'^2/6"
V = "y + sin(th)"
[contact.tip]
gap = "y"
slip = "x'"
friction = {case['mu']!r}
restitution = {{ value = {case['kappa']}, law = "{law}" }}
[start]
th = {case['initial'][2]}
[start.velocity]
x = {case['initial'][3]}
th = {case['initial'][5]}
[run]
until = {case['T']}
{more}
"""


def study(text, *more, code=0, over="approach=1e-2:1e-6:5"):
    answer = run_program("converge", "-", "--json", "--over", over, *more, stdin=text)
    assert answer.code == code, answer.err + answer.out[:800]
    return answer.json()


@pytest.mark.parametrize("name", CHATTER)
def test_errors_are_those_of_the_tables(name):
    case = CHATTER[name]
    result = study(rod(case))
    rows = case["rows"]
    assert result["parameter"] == pytest.approx([row["eps"] for row in rows], rel=1e-12)
    assert result["errors"]["sum at end"] == pytest.approx([row["error_l1"] for row in rows], rel=1e-6, abs=1e-13)
    assert result["orders"]["sum at end"] == pytest.approx(1.0, abs=0.02)
    assert result["verdict"]["sum at end"] == "agrees" and result["agrees"]


def test_the_regime_is_named():
    words = {"regular sliding": "regular sliding", "inconsistent": "inconsistent", "indeterminate": "indeterminate",
             "planar boundary B1=0": "boundary of the paradox"}
    for name, word in words.items():
        regime = study(rod(CHATTER[name]))["regime"]
        assert regime.startswith(f"contact tip: {word}, A1 = ")


def test_separation_out_of_the_indeterminate_case_is_no_limit():
    result = study(rod(CHATTER["indeterminate"]), "--realise", "paradox=separate", code=1)
    assert not result["agrees"]
    assert result["orders"]["sum at end"] == pytest.approx(0.0, abs=0.01)
    assert result["verdict"]["sum at end"] == "worse"


@pytest.mark.parametrize("law", ["poisson", "energetic"])
def test_other_restitutions_converge_too(law):
    # Their limits are thrown up by a finite speed; all three tend to the impact without approach.
    result = study(rod({**CHATTER["inconsistent"], "T": 0.4}, law))
    assert result["orders"]["sum at end"] == pytest.approx(1.0, abs=0.05) and result["agrees"]


def test_any_coordinates_will_do():
    # The same rod by its mass centre, where the start is closed up to rounding only.
    chalk = Path(__file__).resolve().parents[2] / "examples/62-hopping-chalk/model.toml"
    answer = run_program("converge", chalk, "--json", "--over", "approach=1e-2:1e-6:5", "--set", "e=0", "--set",
                         "w0=1.5", "--until", "0.5")
    result = answer.json()
    assert answer.code == 0 and result["regime"].startswith("contact tip: indeterminate")
    assert set(result["verdict"].values()) == {"agrees"}
    assert all(order == pytest.approx(1.0, abs=0.02) for order in result["orders"].values())


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    cofactors = [[e * i - f * h, c * h - b * i, b * f - c * e],
                 [f * g - d * i, a * i - c * g, c * d - a * f],
                 [d * h - e * g, b * g - a * h, a * e - b * d]]
    determinant = a * cofactors[0][0] + b * cofactors[1][0] + c * cofactors[2][0]
    return [[x / determinant for x in row] for row in cofactors]


def body(phi, mu):
    """A body in the coordinates of its contact: M = D⁻¹, so that the Delassus matrix is D; pressed by a small force."""
    v = ["z'", "x'", "y'"]
    M = inverse(BODY_A)
    T = " + ".join(f"({M[i][j]!r})/2*{v[i]}*{v[j]}" for i in range(3) for j in range(3))
    return f"""
format = 1
name = "body A"
coordinates = ["z", "x", "y"]
[energy]
T = "{T}"
[force.weight]
z = -0.1
[contact.point]
gap = "z"
slip = ["x'", "y'"]
friction = {mu!r}
restitution = {{ value = 0.5, law = "newton" }}
[start]
closed = ["point"]
[start.velocity]
x = {math.cos(phi)!r}
y = {math.sin(phi)!r}
[run]
until = 0.1
"""


def boundary(sign):
    """The direction of slip with B₁' = 0, to all digits, near that of the reference."""
    case = next(c for c in TABLES["boundary_3d"]["cases"] if math.copysign(1, c["dB1dN"]) == sign)
    c = (BODY_A[1][0], BODY_A[2][0])
    turn = math.acos(BODY_A[0][0] / (0.85 * math.hypot(*c)))
    phi = min((math.atan2(c[1], c[0]) + turn, math.atan2(c[1], c[0]) - turn), key=lambda a: abs(a - case["phi"]))
    assert phi == pytest.approx(case["phi"], abs=1e-9)
    return case, phi


def test_slip_in_space_that_turns_out_of_the_paradox_has_order_one_half():
    _, phi = boundary(1)
    result = study(body(phi, 0.85).replace("until = 0.1", "until = 0.001"), over="approach=1e-6:1e-9:5")
    assert result["theorem"]["x'"] == 0.5
    assert result["orders"]["x'"] == pytest.approx(0.5, abs=0.01)
    assert result["orders"]["y'"] == pytest.approx(0.5, abs=0.01)
    assert any("order is 1/2" in note for note in result["notes"])


def test_slip_on_the_boundary_that_turns_out_goes_on():
    _, phi = boundary(1)
    answer = run_program("run", "-", "--json", "--at", "0.001,0.004", stdin=body(phi, 0.85))
    result = answer.json()
    assert answer.code == 0 and result["events"][0]["case"] == "boundary"
    # B1' ~ √t: four times later it is twice as large.
    early, late = (sample["reactions"]["point"]["B1"] for sample in result["samples"])
    assert late / early == pytest.approx(2.0, abs=0.05)


def test_slip_in_space_that_turns_into_the_paradox_has_a_finite_jump():
    _, phi = boundary(-1)
    result = study(body(phi, 0.85), over="approach=1e-3:1e-7:5")
    assert result["regime"].startswith("contact point: boundary of the paradox")
    assert result["orders"]["z'"] == pytest.approx(1.0, abs=0.01) and result["agrees"]


def test_what_cannot_be_studied_is_said():
    case = CHATTER["regular sliding"]
    words = {
        rod(case).replace("friction", "stiffness").replace('slip = "x\'"', ""): "no contact with friction is closed",
        rod(case, more='paradox = "stop"'): "choose the rule to be checked",
        rod({**case, "kappa": 1.0}): "restitution below 1",
    }
    for text, word in words.items():
        answer = run_program("converge", "-", "--over", "approach=1e-2:1e-6", stdin=text)
        assert answer.code == 2 and word in answer.err, answer.err
    free = 'format = 1\nname = "free"\ncoordinates = ["x"]\n[energy]\nT = "x\'^2/2"\n[run]\nuntil = 1\n'
    answer = run_program("converge", "-", "--over", "approach=1e-2:1e-6", stdin=free)
    assert answer.code == 2 and "no contact" in answer.err


def test_picture(tmp_path):
    answer = run_program("converge", "-", "--over", "approach=1e-2:1e-6", "-o", tmp_path / "orders.svg",
                         stdin=rod(CHATTER["inconsistent"]))
    assert answer.code == 0 and "converges as the theorem says" in answer.out
    assert "Errors over approach" in (tmp_path / "orders.svg").read_text(encoding="utf-8")


def test_in_the_plane_the_boundary_has_a_finite_jump():
    """The rod with the friction that makes B1' = 0. The direction of slip cannot turn, so that u = -eps stays until the slip stops:
    the impact of the closed form, N = D_nt v/det D, with an error of order eps."""
    case = dict(CHATTER["inconsistent"])
    th, v = case["initial"][2], case["initial"][3]
    case["mu"] = (math.tan(th) ** 2 + 4) / (3 * math.tan(th))
    text = rod(case)
    event = run_program("run", "-", "--json", stdin=text).json()["events"][0]
    assert event["kind"] == "tangential_impact"
    assert event["impulse"] == pytest.approx(-3 * math.sin(th) * math.cos(th) * v / 4, rel=1e-9)
    assert event["tangential"] == [pytest.approx(-(1 + 3 * math.cos(th) ** 2) * v / 4, rel=1e-9)]
    result = study(text)
    assert result["regime"].startswith("contact tip: boundary of the paradox")
    assert result["orders"]["sum at end"] == pytest.approx(1.0, abs=0.02) and result["agrees"]
