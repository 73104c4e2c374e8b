# SPDX-License-Identifier: Apache-2.0
"""run --method: every integrator from outside, and choices that cannot be."""

import math

import pytest
from conftest import PENDULUM, needs

pytestmark = needs("run")

FIXED = {"euler": 1, "heun": 2, "rk3": 3, "rk4": 4, "dopri5": 5}
ADAPTIVE = ["taylor", "rk", "stiff", "dae"]

# x'' = -x from 1 at rest, thrown back by a wall at -1/2 without loss: x = cos(t), then the same backwards
BOUNCE = """\
format = 1
name = "bounce"
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[event.wall]
when = "x + 0.5"
direction = "down"
set.velocity.x = "-x'"
[start]
x = 1
[run]
until = 4.0
"""


def has(liaison, method, path):
    """Methods of SUNDIALS are missing from portable builds."""
    answer = liaison("run", path, "--method", method, "--json")
    return "missing" not in answer.json()


@pytest.mark.parametrize("method", ADAPTIVE)
def test_adaptive_methods_bounce_alike(liaison, model, method):
    path = model(BOUNCE)
    if not has(liaison, method, path):
        pytest.skip("built without SUNDIALS")
    answer = liaison("run", path, "--method", method, "--tolerance", "1e-9", "--json")
    assert answer.code == 0
    result = answer.json()
    assert result["method"] == method
    assert result["statistics"]["step"] is None
    hit = math.acos(-0.5)
    assert len(result["events"]) == 1
    assert result["events"][0]["time"] == pytest.approx(hit, abs=1e-7)
    assert result["state"]["q"]["x"] == pytest.approx(math.cos(4.0 - 2 * hit), abs=1e-6)


@pytest.mark.parametrize("method", FIXED)
def test_fixed_steps_bounce_with_their_order(liaison, model, method):
    path = model(BOUNCE)
    hit = math.acos(-0.5)
    exact = math.cos(4.0 - 2 * hit)

    def error(step):
        result = liaison("run", path, "--method", method, "--step", step, "--json").json()
        assert result["method"] == method and result["statistics"]["step"] == step
        assert result["statistics"]["order"] == FIXED[method]
        assert result["time"] == 4.0
        return abs(result["state"]["q"]["x"] - exact)

    # a harmonic motion: odd orders may do better than they promise
    coarse = 0.2 if method == "dopri5" else 0.02
    assert math.log2(error(coarse) / error(coarse / 8)) / 3 > FIXED[method] - 0.3


def test_the_model_may_choose(liaison, model):
    path = model(BOUNCE + 'method = "rk4"\nstep = "1/128"\n')
    answer = liaison("run", path)
    assert answer.code == 0
    assert "rk4 step 0.0078125" in answer.out
    assert liaison("run", path, "--json").json()["method"] == "rk4"
    # the command line has the last word
    assert liaison("run", path, "--method", "rk", "--json").json()["method"] == "rk"
    assert liaison("run", path, "--step", "0.5", "--json").json()["statistics"]["step"] == 0.5


def test_the_grid_stays_where_it_was(liaison, model):
    # no event: round(until/step) steps, the last one shorter where the step does not divide the time
    path = model(PENDULUM)
    steps = {("1", "0.1"): 10, ("0.3", "0.1"): 3, ("1", "0.3"): 4, ("0.05", "0.1"): 1}
    for (until, step), count in steps.items():
        result = liaison("run", path, "--until", until, "--method", "heun", "--step", step, "--json").json()
        assert result["statistics"]["steps"] == count
        assert result["time"] == float(until)


def test_files_say_which_method(liaison, model, tmp_path):
    path = model(BOUNCE)
    assert liaison("run", path, "--method", "heun", "--step", "0.01", "-o", tmp_path / "b.csv").code == 0
    assert "method heun step 0.01" in (tmp_path / "b.csv").read_text()


def test_a_misspelt_method(liaison, model):
    answer = liaison("run", model(BOUNCE), "--method", "tailor")
    assert answer.code == 64
    assert "did you mean taylor?" in answer.err
    assert "dopri5" in answer.err


def test_a_misspelt_method_in_the_model(liaison, model):
    answer = liaison("run", model(BOUNCE + 'method = "eulre"\n'))
    assert answer.code == 2
    assert "euler" in answer.err


def test_a_fixed_step_must_be_known(liaison, model):
    answer = liaison("run", model(BOUNCE), "--method", "rk4")
    assert answer.code == 2
    assert "E0902" in answer.err and "--step" in answer.err


@pytest.mark.parametrize("step", ["0", "-0.1", "nan", "soon"])
def test_a_step_that_is_none(liaison, model, step):
    answer = liaison("run", model(BOUNCE), "--method", "rk4", f"--step={step}")
    assert answer.code == 64
    assert "--step" in answer.err


def test_a_step_of_the_model_that_is_none(liaison, model):
    answer = liaison("run", model(BOUNCE + 'method = "rk4"\nstep = "1 - 2"\n'))
    assert answer.code == 2
    assert "step" in answer.err


def test_more_steps_than_anybody_waits_for(liaison, model):
    answer = liaison("run", model(BOUNCE), "--method", "euler", "--step", "1e-12")
    assert answer.code == 2
    assert "steps" in answer.err


@pytest.mark.parametrize("method", ["taylor", "rk", "stiff", "dae"])
def test_a_surface_that_is_switch_and_event_at_once(liaison, model, method):
    # x'' = -sign(x), and an event halves the velocity there: from 1/2 at rest, x = 0 at t = 1, 2, 2.5, …
    text = """\
format = 1
name = "switch and event"
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "abs(x)"
[event.damp]
when = "x"
set.velocity.x = "x'/2"
[start]
x = 0.5
[run]
until = 2.4
tolerance = 1e-10
"""
    path = model(text)
    if not has(liaison, method, path):
        pytest.skip("built without SUNDIALS")
    result = liaison("run", path, "--method", method, "--json").json()
    assert result["status"] == "done"
    times = [event["time"] for event in result["events"] if event["kind"] == "user"]
    assert times == pytest.approx([1.0, 2.0], abs=1e-6)


def test_a_stiff_method_on_constraints(liaison, model):
    # corrections after each step do not make a multistep method begin anew: a pendulum as a constrained point
    text = """\
format = 1
name = "rod"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.rod]
equation = "x^2 + y^2 = 1"
[start]
x = 1
[run]
until = 3.0
"""
    path = model(text)
    if not has(liaison, "stiff", path):
        pytest.skip("built without SUNDIALS")
    exact = liaison("run", path, "--tolerance", "1e-13", "--json").json()
    for method in ("stiff", "dae"):
        result = liaison("run", path, "--method", method, "--json").json()
        assert result["status"] == "done"
        assert result["statistics"]["steps"] < 3000
        assert result["state"]["q"]["x"] == pytest.approx(exact["state"]["q"]["x"], abs=1e-6)
        assert result["constraints"]["rod"]["max_violation"] < 1e-8
