# SPDX-License-Identifier: Apache-2.0
"""A rough guide beside forces that jump: written as a relay, as sign(), or as if(), it is one and the same motion."""
import pytest
from conftest import run_program

GUIDE = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{weight}*y"
{force}
[constraint.guide]
equation = "y = 0"
slip = "x'"
friction = 0.4
{more}
[start.velocity]
x = 1
[run]
until = 2
"""

FORCES = {
    "sign": "[force.f]\nx = \"-sign(x' - 0.4)\"",
    "if": "[force.f]\nx = \"if(x' > 0.4, -1, 1)\"",
    "if and sign": "[force.f]\nx = \"if(x' < 0.4, 0.5, -0.5) - sign(x' - 0.4)/2\"",
    "relay": "[relay.r]\nsurface = \"x' - 0.4\"\nforce.x = \"-u\"",
    "in a definition": "[let]\nbrake = \"sign(x' - 0.4)\"\n[force.f]\nx = \"-brake\"",
}


def run(text, *arguments):
    return run_program("run", "-", "--json", *arguments, stdin=text)


@pytest.mark.parametrize("name", FORCES)
def test_a_brake_beside_an_unloaded_guide(name):
    """x' = 1 − t down to 0.4, which the force then keeps."""
    answer = run(GUIDE.format(weight=0, force=FORCES[name], more=""), "--at", "0.3,1.6")
    assert answer.code == 0, answer.out[-500:] + answer.err
    result = answer.json()
    before, after = result["samples"]
    assert before["v"]["x"] == pytest.approx(0.7, abs=1e-9)
    assert after["v"]["x"] == pytest.approx(0.4, abs=1e-9)
    assert after["q"]["x"] == pytest.approx(0.42 + 0.4, abs=1e-9)
    assert [e["time"] for e in result["events"] if e["kind"] == "enter_sliding"] == [pytest.approx(0.6, abs=1e-9)]


@pytest.mark.parametrize("name", FORCES)
def test_a_brake_beside_a_loaded_guide(name):
    """Friction 4 on top of the force: −5 down to 0.4 at 0.12, −3 from there to rest at 0.12 + 0.4/3, which friction keeps."""
    answer = run(GUIDE.format(weight=10, force=FORCES[name], more=""), "--at", "0.1,0.2,1")
    assert answer.code == 0, answer.out[-500:] + answer.err
    result = answer.json()
    first, second, rest = result["samples"]
    assert first["v"]["x"] == pytest.approx(0.5, abs=1e-9)
    assert second["v"]["x"] == pytest.approx(0.4 - 3 * 0.08, abs=1e-9)
    assert abs(rest["v"]["x"]) < 1e-12
    assert rest["q"]["x"] == pytest.approx((1 + 0.4) / 2 * 0.12 + 0.4 / 2 * 0.4 / 3, abs=1e-9)
    assert result["energy"]["end"] == pytest.approx(0, abs=1e-12)
    assert abs(result["energy"]["unexplained"]) < 1e-9


def test_a_force_that_turns_but_does_not_jump_leaves_the_guide_a_constraint():
    """if(x > 0.3, …) with a spring that begins there: N = 10, the guide is told as one constraint, as without the force."""
    spring = "[force.f]\nx = \"if(x > 0.3, -20*(x - 0.3), 0)\""
    answer = run(GUIDE.format(weight=10, force=spring, more=""), "--at", "0.05")
    assert answer.code == 0, answer.out[-500:] + answer.err
    result = answer.json()
    assert result["samples"][0]["v"]["x"] == pytest.approx(0.8, abs=1e-9)
    assert result["constraints"]["guide"]["max_violation"] < 1e-12


def test_a_guide_with_a_law_of_its_own_is_refused_beside_a_jump():
    answer = run(GUIDE.format(weight=10, force=FORCES["sign"], more="stabilise = { frequency = 20, damping = 1 }"))
    assert answer.code == 3
    assert "forces that jump" in answer.json()["missing"]
