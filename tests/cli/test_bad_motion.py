# SPDX-License-Identifier: Apache-2.0
"""Motions that cannot go on, with every method: an end with status, facts and what was computed; never silence, never a hang."""

import math

import pytest
from conftest import needs, run_program

pytestmark = needs("run")

ADAPTIVE = ["taylor", "rk", "stiff", "dae"]
FIXED = ["euler", "heun", "rk3", "rk4", "dopri5"]
METHODS = ADAPTIVE + FIXED


def run(liaison, path, method, *more, step="0.01"):
    chosen = ["--method", method] + (["--step", step] if method in FIXED else [])
    answer = liaison("run", path, "--json", *chosen, *more)
    if answer.code == 3 and "missing" in answer.json():
        pytest.skip("built without SUNDIALS")
    return answer


def system(rates, start, until, more=""):
    lines = ["format = 1", 'name = "bad"', f"coordinates = {list(rates)!r}".replace("'", '"'), "[system]"]
    lines += [f'{name} = "{rate}"' for name, rate in rates.items()]
    lines += ["[start]"] + [f"{name} = {value}" for name, value in start.items()]
    return "\n".join(lines) + f"\n[run]\nuntil = {until}\n" + more


def stopped(answer):
    assert answer.code == 3
    result = answer.json()
    assert result["status"] == "stopped" and result["reason"]
    assert result["time"] is not None and all(x is not None for x in result["state"]["q"].values())
    return result


@pytest.mark.parametrize("method", METHODS)
def test_a_solution_that_runs_to_infinity(liaison, model, method):
    # x' = x²: infinite at t = 1
    result = stopped(run(liaison, model(system({"x": "x^2"}, {"x": 1.0}, 2.0)), method, step="0.001"))
    assert result["time"] == pytest.approx(1.0, abs=1e-6 if method in ADAPTIVE else 0.02)


@pytest.mark.parametrize("method", METHODS)
def test_the_end_of_the_domain(liaison, model, method):
    # x' = 1/10 + sqrt(1 - x) has no value beyond x = 1
    result = stopped(run(liaison, model(system({"x": "0.1 + sqrt(1 - x)"}, {"x": 0.0}, 5.0)), method))
    # a solver that tries ever shorter steps may only see those
    assert "not finite" in result["reason"] or "resolution of time" in result["reason"]
    assert result["state"]["q"]["x"] == pytest.approx(1.0, abs=1e-2)


@pytest.mark.parametrize("method", METHODS)
def test_a_collision(liaison, model, method):
    # a fall into an attracting centre, from rest at distance 1: t = pi/(2 sqrt 2)
    text = """\
format = 1
name = "fall"
coordinates = ["r"]
[energy]
T = "r'^2/2"
V = "-1/r"
[start]
r = 1.0
[run]
until = 2.0
"""
    answer = run(liaison, model(text), method)
    result = answer.json()
    if method in ADAPTIVE:
        stopped(answer)
        assert result["time"] == pytest.approx(math.pi / (2 * math.sqrt(2)), abs=1e-4)
    else:
        # a fixed step may jump over the singularity: then that is told
        assert answer.code == 3 or any("step" in warning for warning in result["warnings"])


@pytest.mark.parametrize("method", METHODS)
def test_a_mass_that_vanishes(liaison, model, method):
    # ((1 - t) x')' = -1: x' = -t/(1 - t), no acceleration is determined at t = 1
    text = """\
format = 1
name = "vanishing mass"
coordinates = ["x"]
[energy]
T = "(1 - t)*x'^2/2"
V = "x"
[run]
until = 2.0
"""
    answer = run(liaison, model(text), method)
    if method in ADAPTIVE:
        result = stopped(answer)
        assert result["time"] == pytest.approx(1.0, abs=1e-3)
    else:
        assert answer.code == 3 or any("step" in warning for warning in answer.json()["warnings"])


@pytest.mark.parametrize("method", METHODS)
def test_infinitely_many_bounces(liaison, model, method):
    # impacts at 0.5, 1, 1.25, 1.375, …: an end at t = 1.5
    event = '[event.floor]\nwhen = "y"\ndirection = "down"\nset.v = "-v/2"\n'
    answer = run(liaison, model(system({"y": "v", "v": "-10"}, {"y": 1.25}, 2.0, event)), method)
    if method == "euler":
        # straight steps of fixed length never bounce faster than they come: there is no accumulation to see
        result = answer.json()
        assert answer.code == 0 and all(event["q"]["y"] > -1e-9 for event in result["events"])
        assert result["state"]["q"]["y"] > -1e-9
        return
    result = stopped(answer)
    assert "accumulate" in result["reason"]
    assert result["time"] == pytest.approx(1.5, abs=1e-3 if method in ("stiff", "dae") else 1e-6)
    assert len(result["events"]) > 16


@pytest.mark.parametrize("method", METHODS)
def test_events_that_call_each_other(liaison, model, method):
    events = ('[event.a]\nwhen = "x - 1"\nset.y = "-y"\n'
              '[event.b]\nwhen = "y"\nset.z = "-z"\n'
              '[event.c]\nwhen = "z"\nset.y = "-y"\n')
    answer = run(liaison, model(system({"x": "1", "y": "0", "z": "0"}, {"y": 1.0, "z": 1.0}, 2.0, events)), method)
    result = stopped(answer)
    assert "again and again" in result["reason"]
    assert result["time"] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_guard_that_is_always_zero(liaison, model, method):
    event = '[event.never]\nwhen = "y"\n'
    answer = run(liaison, model(system({"x": "-x", "y": "0"}, {"x": 1.0}, 1.0, event)), method)
    assert answer.code == 0
    result = answer.json()
    assert result["events"] == []
    assert any("never" in warning and "zero" in warning for warning in result["warnings"])


@pytest.mark.parametrize("method", METHODS)
def test_a_guard_that_is_zero_but_for_rounding(liaison, model, method):
    # x² + y² = 1 all along; what rounding and the method's own error make of it is no event storm
    event = '[event.circle]\nwhen = "x^2 + y^2 - 1"\n'
    answer = run(liaison, model(system({"x": "y", "y": "-x"}, {"x": 1.0}, 50.0, event)), method)
    assert answer.code in (0, 3)
    assert answer.seconds < 20
    assert answer.json()["reason"] is None or answer.json()["reason"]


# not "dae": it locates events to 5e-9 only, and a body left at rest there fires once more
@pytest.mark.parametrize("method", [m for m in METHODS if m != "dae"])
@pytest.mark.parametrize("to", ["v", "0"])
def test_a_set_that_leaves_the_state_on_its_guard(liaison, model, method, to):
    # it has fired: the ball falls on through what is no contact, y = 1.25 − 5 t² or from rest at t = 1/2
    event = f'[event.floor]\nwhen = "y"\ndirection = "down"\nset.v = "{to}"\n'
    answer = run(liaison, model(system({"y": "v", "v": "-10"}, {"y": 1.25}, 1.0, event)), method)
    assert answer.code == 0
    result = answer.json()
    coarse = method == "euler"
    assert [e["time"] for e in result["events"]] == [pytest.approx(0.5, abs=0.02 if coarse else 1e-4)]
    y = 1.25 - 5.0 if to == "v" else -1.25
    assert result["state"]["q"]["y"] == pytest.approx(y, abs=0.1 if coarse else 1e-3)


@pytest.mark.parametrize("tolerance", ["1e-17", "1e-300", "1", "10"])
def test_a_tolerance_that_double_precision_cannot_keep(liaison, model, tolerance):
    path = model(system({"x": "-x"}, {"x": 1.0}, 1.0))
    answer = liaison("run", path, "--tolerance", tolerance)
    assert answer.code == 64
    assert "1e-16" in answer.err
    answer = liaison("run", model(system({"x": "-x"}, {"x": 1.0}, 1.0, f"tolerance = {float(tolerance)}\n")))
    assert answer.code == 2
    assert "1e-16" in answer.err


@pytest.mark.parametrize("method", ["taylor", "rk"])
def test_the_smallest_tolerance(liaison, model, method):
    answer = run(liaison, model(system({"x": "y", "y": "-x"}, {"x": 1.0}, 1.0)), method, "--tolerance", "1e-16")
    assert answer.code == 0
    assert answer.json()["state"]["q"]["x"] == pytest.approx(math.cos(1.0), abs=1e-13)


@pytest.mark.parametrize("method", ["stiff", "dae"])
def test_the_smallest_tolerance_of_implicit_methods(liaison, model, method):
    path = model(system({"x": "y", "y": "-x"}, {"x": 1.0}, 1.0))
    answer = run(liaison, path, method, "--tolerance", "1e-14")
    assert answer.code == 0
    assert answer.json()["state"]["q"]["x"] == pytest.approx(math.cos(1.0), abs=1e-10)
    answer = run(liaison, path, method, "--tolerance", "1e-15")
    assert answer.code == 2
    assert "taylor" in answer.out


@pytest.mark.parametrize("method", METHODS)
def test_an_end_before_the_start(liaison, model, method):
    answer = run(liaison, model(system({"x": "-x"}, {"x": 1.0}, -1.0)), method)
    assert answer.code == 2
    assert "until" in answer.out


BALL_WITH_EVENT = """\
format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "10*y"
[contact.floor]
gap = "y"
restitution = 0.5
[event.turn]
when = "y'"
direction = "up"
[start]
y = 1.25
[run]
until = 0.9
"""


@pytest.mark.parametrize("method", METHODS)
def test_an_impact_throws_the_velocity_across_an_event(liaison, model, method):
    # y' jumps from -5 to 2.5 at the impact: it passed zero upwards, and the event says so
    result = run(liaison, model(BALL_WITH_EVENT), method).json()
    assert [(e["kind"], e["where"]) for e in result["events"]] == [("impact", "floor"), ("user", "turn")]
    assert result["events"][0]["time"] == result["events"][1]["time"]


def test_an_event_may_answer_an_impact(liaison, model):
    # the event stops the ball dead after its first impact
    text = BALL_WITH_EVENT.replace('direction = "up"', 'direction = "up"\nstop = true')
    answer = liaison("run", model(text), "--json")
    assert answer.code == 0
    result = answer.json()
    assert result["time"] == pytest.approx(0.5, abs=1e-12)
    assert result["events"][-1]["kind"] == "terminal"


@pytest.mark.parametrize("width", ["1", "0.3", "0.1", "1e-3", "1e-5"])
@pytest.mark.parametrize("bump, area", [
    ("exp(-((x - 3)/w)^2)/w", 1.7724538509055159),
    ("2^(-((x - 3)/w)^2)/w", 1.7724538509055159 / 0.6931471805599453 ** 0.5),
    ("exp(-abs(x - 3)/w)/w", 2.0),
], ids=["exp", "power", "kink"])
def test_a_narrow_bump_is_not_stepped_over(width, bump, area):
    # Far from it the bump and all its derivatives are nothing: the series of the motion does not tell of it.
    answer = run_program("run", "-", "--json", "--set", f"w={width}", stdin=f"""
format = 1
name = "bump"
coordinates = ["x", "y"]
[parameters]
w = 1.0
[system]
x = "1"
y = "{bump}"
[start]
x = -47
[run]
until = 100
tolerance = 1e-10
""")
    result = answer.json()
    assert abs(result["state"]["q"]["y"] - area) <= 1e-8
    assert [e for e in result["events"] if e["where"].startswith("exp")] == []


@pytest.mark.parametrize("law, velocity, end", [
    # v' = -10 (0.3 - 0.2 x): x = 1.5 + cosh and sinh of sqrt 2 t, at 1.5 where tanh = 1.5 sqrt 2/4
    ("0.3 - 0.2*x", 4.0, math.atanh(1.5 * math.sqrt(2) / 4) / math.sqrt(2)),
    # pushed by 12: v' = 12 - 10 (1 - v/4) = 2 + 2.5 v from 1, at v = 4
    ("1 - abs(slip)/4", 1.0, math.log(12 / 4.5) / 2.5),
    # v = 20 - 10 sin t
    ("cos(t)", 20.0, math.pi / 2),
])
def test_a_coefficient_of_friction_that_falls_below_zero(liaison, model, law, velocity, end):
    push = '[force.push]\nx = 12\n' if "slip" in law else ""
    text = f"""format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
{push}[contact.floor]
gap = "y"
slip = "x'"
friction = "{law}"
[start.velocity]
x = {velocity}
[run]
until = 3
"""
    result = stopped(liaison("run", model(text), "--json"))
    assert "coefficient of friction of contact floor falls below zero" in result["reason"]
    assert result["time"] == pytest.approx(end, abs=1e-9)


def test_a_guide_whose_coefficient_falls_below_zero(liaison, model):
    """A bead on a straight rough guide under the weight 10: v' = -10 cos t."""
    text = """format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "10*y"
[constraint.rail]
equation = "y = 0"
slip = "x'"
friction = "cos(t)"
[start.velocity]
x = 20
[run]
until = 3
"""
    result = stopped(liaison("run", model(text), "--json"))
    assert "coefficient of friction of constraint rail falls below zero" in result["reason"]
    assert result["time"] == pytest.approx(math.pi / 2, abs=1e-9)
    assert result["state"]["v"]["x"] == pytest.approx(10, abs=1e-8)


@pytest.mark.parametrize("tolerance", [1e-9, 1e-12])
def test_bounces_that_a_method_cannot_follow_to_rest(liaison, model, tolerance):
    """CVODE starts at first order after every impact and locates the small bounces badly; the default method does not."""
    ball = model("""
format = 1
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y"
restitution = 0.5
[start]
y = 1
[run]
until = 5
""")
    stiff = stopped(run(liaison, ball, "stiff", "--tolerance", str(tolerance)))
    assert 'method = "taylor" follows them to rest' in stiff["reason"]
    rests = run(liaison, ball, "taylor", "--tolerance", str(tolerance)).json()
    assert rests["status"] == "done" and rests["state"]["q"]["y"] == 0
