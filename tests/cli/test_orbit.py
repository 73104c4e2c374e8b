# SPDX-License-Identifier: Apache-2.0
"""liaison orbit from outside: the JSON contract, the picture, what is no orbit."""

import math

import pytest
from conftest import needs

pytestmark = needs("orbit")

TABLE = """format = 1
name = "table"
coordinates = ["y"]
[parameters]
A = 0.09
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.table]
gap = "y - A*sin(2*pi*t)"
restitution = 0.8
[start]
time = 0.0429714148830104923
y = "A*sin(2*pi*0.0429714148830104923)"
[start.velocity]
y = 4.905
"""


def test_contract(liaison, model, tmp_path):
    answer = liaison("orbit", model(TABLE), "--json", "--period", "1")
    assert answer.code == 0, answer.err
    result = answer.json()
    assert abs(result["period"] - 1) < 1e-12
    assert result["signature"] == ["impact table"]
    assert result["stable"] is True and result["admissible"] is True and result["trivial"] == 0
    assert result["residual"] < 1e-10
    # trace 1 + e^2 - (1 + e)^2 Gamma sin(phase), determinant e^2
    product = result["multipliers"][0]["re"] ** 2 + result["multipliers"][0]["im"] ** 2
    assert abs(product - 0.64) < 1e-10
    assert abs(result["multipliers"][0]["re"] - 0.66350) < 1e-5
    assert abs(result["events"][0]["v_plus"]["y"] - 4.905) < 1e-9
    assert set(result["state"]) == {"q", "v"}


def test_text_and_picture(liaison, model, tmp_path):
    picture = tmp_path / "orbit.svg"
    path = model(TABLE)
    answer = liaison("orbit", path, "--period", "1", "-o", str(picture))
    assert answer.code == 0
    assert "orbit found in" in answer.out and "stable" in answer.out
    assert "admissible: simulated over a period" in answer.out
    assert "unit circle" in picture.read_text(encoding="utf-8")
    again = liaison("orbit", path, "--period", "1", "-o", str(picture))
    assert again.code == 64 and "--force overwrites it" in again.err


def test_no_orbit(liaison, model, tmp_path):
    path = model("""format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "-x^2/2"
[start]
x = 1.0
""")
    answer = liaison("orbit", path, "--longest", "10")
    assert answer.code == 1
    assert "no orbit found: the motion does not return within 10 time units" in answer.out
    assert liaison("orbit", path, "--period", "0").code == 64
    assert liaison("orbit", path, "--set", "k=1").code == 2


def test_no_convergence_is_told_with_its_leg(liaison, model):
    """Below the fold A ω²/g = π(1 − e)/(1 + e) there is no orbit of one impact a period to converge to."""
    fold = math.pi * 0.2 / 1.8 * 9.81 / (2 * math.pi) ** 2
    words = ["orbit", model(TABLE), "--period", "1", "--set", f"A={0.95 * fold}"]
    told = liaison(*words)
    assert told.code == 1
    assert "no convergence from this guess" in told.out and "in leg 1 of 2 (guard table)" in told.out
    assert "residuals " in told.out and "try --settle T" in told.out
    result = liaison(*words, "--json").json()
    assert result["found"] is False and "period" not in result
    history = result["residuals"]
    assert len(history) == result["iterations"] + 1 and history[-1] > 1e-4
    assert history == sorted(history, reverse=True)


def test_follow(liaison, model, tmp_path):
    # fold at A ω²/g = π(1 − e)/(1 + e); the doubling needs the speed of the table beside it
    path = model(TABLE)
    picture, rows = tmp_path / "branch.svg", tmp_path / "branch.csv"
    answer = liaison("follow", path, "--json", "--period", "1", "--over", "A=0.08:0.30", "-o", str(picture),
                     "-o", str(rows))
    assert answer.code == 0, answer.err
    result = answer.json()
    special = {s["kind"]: s for s in result["special"]}
    omega, g, e = 2 * math.pi, 9.81, 0.8
    fold = math.pi * (1 - e) / (1 + e)
    doubling = math.hypot(fold, 2 * (1 + e * e) / (1 + e) ** 2)
    assert abs(special["fold"]["parameter"] - fold * g / omega**2) < 1e-11
    assert abs(special["period_doubling"]["parameter"] - doubling * g / omega**2) < 1e-11
    assert all(point["admissible"] for point in result["points"])
    assert result["points"][0]["parameter"] == result["points"][-1]["parameter"] == 0.30
    assert "period doubling" in picture.read_text()
    assert rows.read_text().splitlines()[1].startswith("A,period,y,y',")
    told = liaison("follow", path, "--period", "1", "--over", "A=0.08:0.30")
    assert "two orbits are born" in told.out


def test_follow_from_an_end_of_the_range(liaison, model):
    """The first orbit at A = 0.09 may be the first of the range, or its last: each way gives its part of the branch."""
    path = model(TABLE)

    def points(over):
        answer = liaison("follow", path, "--json", "--period", "1", "--over", over)
        assert answer.code == 0, answer.err
        result = answer.json()
        ends = [s["parameter"] for s in result["special"] if s["kind"] == "end"]
        return [p["parameter"] for p in result["points"]], ends

    up, ends = points("A=0.09:0.12")
    assert up == sorted(up) and (up[0], up[-1]) == (0.09, 0.12) and len(set(up)) == len(up)
    assert ends == [0.09, 0.12]
    # Downwards it turns at the fold and ends where it began, on the other branch.
    down, ends = points("A=0.08:0.09")
    assert down[0] == down[-1] == 0.09 and min(down) == pytest.approx(math.pi * 0.2 / 1.8 * 9.81 / (2 * math.pi)**2, abs=1e-4)
    assert ends == [0.09, 0.09]


def test_follow_bad_input(liaison, model):
    path = model(TABLE)
    assert liaison("follow", path).code == 64
    for over, word in (("A", "NAME=FROM:TO"), ("A=0.3:0.1", "range is empty"), ("q=0:1", "no parameter of this name"),
                       ("A=0.1:0.2", "outside this range")):
        answer = liaison("follow", path, "--over", over)
        assert answer.code == 2 and word in answer.err, (over, answer.err)
    # e is a number in this model; with a parameter the range must stay inside [0, 1]
    rough = model(TABLE.replace("restitution = 0.8", 'restitution = "e"').replace("[parameters]", "[parameters]\ne = 0.8"))
    leaves = liaison("follow", rough, "--period", "1", "--over", "e=0.5:1.5")
    assert leaves.code == 2 and "leaves the domain of the model: at e = 1.5 the restitution of contact" in leaves.err
    assert "┌─" in leaves.err  # with the line of the file
    leaves = liaison("follow", rough, "--period", "1", "--over", "A=0.08:0.30", "--and", "e=0.5:1.5")
    assert leaves.code == 2 and "--and e=0.5:1.5 leaves the domain" in leaves.err
    none = liaison("follow", path, "--over", "A=0.08:0.3", "--set", "A=0.082", "--period", "1")
    assert none.code == 1 and "no branch" in none.out


RATTLE = """
format = 1
coordinates = ["y"]
[parameters]
L = 2.0
[energy]
T = "y'^2/2"
[force.shaking]
y = "cos(t)"
[contact.play]
between = ["-L", "y", "L"]
restitution = 0.8
[start]
time = 0.2122
y = "L"
[start.velocity]
y = -1.685
[periodic]
symmetry = {{ y = "{image}" }}
"""


def test_symmetry(liaison, model):
    # half map: trace 2r − (1 + r) π cos θ/w, determinant r² (tests/reference/06-impact-pair.json)
    answer = liaison("orbit", model(RATTLE.format(image="-y")), "--json", "--period", "1")
    assert answer.code == 0
    half = answer.json()["half_multipliers"]
    assert abs(2 * half[0]["re"] + 1.0246419455730096) < 1e-10
    assert abs(half[0]["re"] ** 2 + half[0]["im"] ** 2 - 0.64) < 1e-10
    told = liaison("orbit", model(RATTLE.format(image="-y")), "--period", "1")
    assert "the second half is the image of the first" in told.out


def test_what_is_no_symmetry(liaison, model):
    for image, words in (("2*y", "does not lead back"), ("y", "moves nothing"), ("t - y", "depends on time")):
        answer = liaison("orbit", model(RATTLE.format(image=image)), "--period", "1")
        assert answer.code == 2 and "E0430" in answer.err and words in answer.err


def test_nothing_changes_with_a_parameter_that_does_not_occur(liaison, model):
    path = model(TABLE.replace("[parameters]", "[parameters]\nspare = 1.0"))
    for command in (["follow", path, "--period", "1", "--over", "spare=0:2"],
                    ["follow", path, "--period", "1", "--over", "A=0.08:0.3", "--and", "spare=0:2"],
                    ["sweep", path, "--over", "spare=0:2:3"]):
        answer = liaison(*command)
        assert answer.code == 2 and "no expression of the model contains this parameter" in answer.err, answer.err


def test_a_body_at_rest_has_no_multipliers(liaison, model):
    path = model(TABLE.replace("A = 0.09", "A = 0.01"))
    answer = liaison("orbit", path, "--settle", "60")
    assert answer.code == 0 and "multipliers none, as constraints and contacts leave no motion" in answer.out


def test_phase(liaison, model):
    text = """
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.pump]
x = "(1 - x^2)*x'"
[start]
x = 2
[periodic]
phase = "x"
"""
    answer = liaison("orbit", model(text), "--json", "--settle", "30", "--longest", "30")
    assert answer.code == 0
    orbit = answer.json()
    assert abs(orbit["state"]["q"]["x"]) < 1e-12 and orbit["state"]["v"]["x"] > 0
    assert abs(orbit["period"] - 6.66328685932313) < 1e-11


def test_two_parameters(liaison, model, tmp_path):
    # symmetry breaking at L = ((π/2)² − 1)/√(1 + [(π/2)(1 − r)/(1 + r)]²)
    text = RATTLE.format(image="-y").replace("L = 2.0", "L = 2.0\nr = 0.8").replace("restitution = 0.8", 'restitution = "r"')
    picture, table = tmp_path / "plane.svg", tmp_path / "plane.csv"
    answer = liaison("follow", model(text), "--json", "--period", "1", "--over", "L=1.2:2.5", "--and", "r=0.7:0.85",
                     "-o", picture, "-o", table)
    assert answer.code == 0 and picture.read_text().startswith("<svg")
    curve = next(c for c in answer.json()["curves"] if c["kind"] == "symmetry_breaking")
    for point in curve["points"]:
        r = point["and"]
        tilt = math.pi / 2 * (1 - r) / (1 + r)
        assert abs(point["parameter"] - (math.pi**2 / 4 - 1) / math.hypot(1, tilt)) < 1e-9
    assert {round(p["and"], 12) for p in curve["points"]} >= {0.7, 0.85}
    head, *rows = [line.split(",") for line in table.read_text().splitlines() if not line.startswith("#")]
    assert head[:3] == ["L", "r", "period"] and head[-1] == "curve" and all(len(row) == len(head) for row in rows)
    mine = [row for row in rows if row[head.index("curve")] != "" and row[head.index("special")] == "symmetry_breaking"]
    assert [(float(row[0]), float(row[1])) for row in mine] == [(p["parameter"], p["and"]) for p in curve["points"]]
    for wrong, words in (("L=1:3", "once more"), ("r=0.1:0.2", "outside this range"), ("q=1:2", "no parameter"),
                         ("r=2", "--and")):
        again = liaison("follow", model(text), "--period", "1", "--over", "L=1.2:2.5", "--and", wrong)
        assert again.code == 2 and words in again.err


TWO_MASSES = """format = 1
name = "two masses"
coordinates = ["x", "y"]
[parameters]
A = 0.5
[energy]
T = "(x'^2 + y'^2)/2"
V = "x^2 + (x - y)^2/2"
[force.damper]
x = "-0.2*x'"
y = "-0.1*y'"
[force.drive]
x = "A*cos(1.3*t)"
[contact.stop]
gap = "1 - y"
restitution = 0.7
[start]
x = 0
"""


def amplitude_of_second_mass():
    """|y| for A = 1: (3 − w² + 0.2 i w) x − y = 1, −x + (1 − w² + 0.1 i w) y = 0."""
    w = 1.3
    driven, second = 3 - w * w + 0.2j * w, 1 - w * w + 0.1j * w
    return 1 / abs(driven * second - 1)


def test_an_orbit_through_the_stop_is_none(liaison, model, tmp_path):
    """Beyond grazing the solution without impact goes on through the stop: kept, marked, and named in all outputs."""
    path = model(TWO_MASSES)
    grazing = 1 / amplitude_of_second_mass()
    low, high = 0.5 * grazing, 1.4 * grazing
    table, picture = tmp_path / "branch.csv", tmp_path / "branch.svg"
    words = ["follow", path, "--set", f"A={low * 1.1}", "--settle", "300", "--over", f"A={low}:{high}"]
    answer = liaison(*words, "--json", "-o", str(table), "-o", str(picture))
    assert answer.code == 0, answer.err
    result = answer.json()
    at = next(s for s in result["special"] if s["kind"] == "grazing")
    assert abs(at["parameter"] / grazing - 1) < 1e-10
    assert at["motion"] == "below" and at["admissible"]
    beyond = [p for p in result["points"] if p["parameter"] > grazing]
    assert beyond and len(beyond) < len(result["points"])
    for point in result["points"]:
        assert point["admissible"] is (point["parameter"] < grazing)
        assert point["signature"] == []
    assert all("impact stop happens at t = " in p["violation"] for p in beyond)
    head, *rows = [line.split(",") for line in table.read_text().splitlines() if not line.startswith("#")]
    for row in rows:
        if row[head.index("special")] == "":
            assert row[head.index("admissible")] == str(int(float(row[0]) < grazing))
    assert "no motion" in liaison(*words).out
    # The orbit that the motion has there instead meets the stop.
    found = liaison("orbit", path, "--set", f"A={high}", "--settle", "600", "--json").json()
    assert found["found"] is False or found["signature"]
