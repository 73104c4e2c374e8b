# SPDX-License-Identifier: Apache-2.0
"""What a user's event does once and does not do again: it fires where its guard crosses; a state left on the guard has fired."""

import math

import pytest

METHODS = ["taylor", "rk"]

OSCILLATOR = """format = 1
coordinates = ["x"]
[parameters]
kick = 0.1
[state]
on = 1
count = 0
[energy]
T = "x'^2/2"
V = "x^2/2"
[start]
x = 1
[run]
until = 20
"""


def run(liaison, path, method, *more):
    answer = liaison("run", path, "--json", "--method", method, *more)
    assert answer.code == 0, answer.out[:300] + answer.err
    result = answer.json()
    assert result["status"] == "done"
    return result


def times(result, name):
    return [e["time"] for e in result["events"] if e["where"] == name]


def near(method):
    return 1e-9 if method == "taylor" else 1e-6


# From rest at 1 the oscillator passes x = 0 upwards at 3π/2 + 2πk; a kick there changes its amplitude and no phase.
UPWARDS = [1.5 * math.pi + 2.0 * math.pi * k for k in range(3)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("when", ['"x"\ndirection = "up"', '"x > 0"', '"x^3 + x"\ndirection = "up"'])
def test_a_kick_at_a_surface(liaison, model, method, when):
    event = f"[event.kick]\nwhen = {when}\nset.velocity.x = \"x' + kick\"\n"
    result = run(liaison, model(OSCILLATOR + event), method)
    found = times(result, "kick")
    if ">" in when:
        found = found[-3:]  # x > 0 holds at the start and becomes true again at each return
    assert found == pytest.approx(UPWARDS, abs=near(method))
    assert result["state"]["q"]["x"] == pytest.approx(1.3 * math.cos(20.0), abs=near(method))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("factor", [0.5, 2.0, 1.0, -1.0])
def test_a_velocity_that_is_scaled_on_both_sides(liaison, model, method, factor):
    """Without a direction each passage fires once, also where the motion is turned back."""
    event = f"[event.scale]\nwhen = \"x\"\nset.velocity.x = \"{factor}*x'\"\nset.state.count = \"count + 1\"\n"
    result = run(liaison, model(OSCILLATOR + event), method)
    expected = [(0.5 + k) * math.pi for k in range(6)]
    assert times(result, "scale") == pytest.approx(expected, abs=near(method))
    amplitude = factor**6
    assert result["state"]["q"]["x"] == pytest.approx(amplitude * math.cos(20.0), rel=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_condition_that_is_false_afterwards(liaison, model, method):
    events = """[event.kick]
when = "x > 0 and on > 0"
set.velocity.x = "x' + kick"
set.state.on = 0
[event.ready]
when = "x + 0.5"
direction = "down"
set.state.on = 1
"""
    text = OSCILLATOR.replace("on = 1", "on = 0") + events
    result = run(liaison, model(text), method)
    assert times(result, "kick") == pytest.approx(UPWARDS, abs=near(method))
    assert result["state"]["q"]["x"] == pytest.approx(1.3 * math.cos(20.0), abs=near(method))
    assert not any("zero all along" in w for w in result["warnings"])


@pytest.mark.parametrize("method", METHODS)
def test_a_condition_on_discrete_states_becomes_true_in_a_jump(liaison, model, method):
    """on > 0 is false at on = 0; a force that asks for it is not there."""
    text = """format = 1
coordinates = ["x"]
[state]
on = 0
[energy]
T = "x'^2/2"
[force.push]
x = "if(on > 0, 1, 0)"
[event.go]
when = "t - 1"
set.state.on = 1
[event.halt]
when = "t - 2"
set.state.on = 0
[event.seen]
when = "on > 0"
[event.unseen]
when = "not on > 0"
[run]
until = 3
"""
    result = run(liaison, model(text), method)
    assert [(e["where"], round(e["time"], 9)) for e in result["events"]] == [
        ("go", 1.0), ("seen", 1.0), ("halt", 2.0), ("unseen", 2.0)]
    assert result["state"]["q"]["x"] == pytest.approx(1.5, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_a_clock(liaison, model, method):
    """Kicks at 2πk/3, the first at the start: x = cos t + Σ 0.1 sin(t − t_k)."""
    event = "[event.kick]\nwhen = \"sin(3*t)\"\ndirection = \"up\"\nset.velocity.x = \"x' + kick\"\n"
    result = run(liaison, model(OSCILLATOR + event), method)
    expected = [2.0 * math.pi * k / 3.0 for k in range(10)]
    assert times(result, "kick") == pytest.approx(expected, abs=near(method))
    x = math.cos(20.0) + sum(0.1 * math.sin(20.0 - t) for t in expected)
    assert result["state"]["q"]["x"] == pytest.approx(x, abs=near(method))


@pytest.mark.parametrize("method", METHODS)
def test_several_events_at_one_instant_fire_once_each(liaison, model, method):
    """All see the values before; the sum of their kicks acts."""
    events = """[event.a]
when = "x"
direction = "up"
set.velocity.x = "x' + kick"
[event.b]
when = "3*x + x^3"
direction = "up"
set.state.count = "count + 1"
[event.c]
when = "sin(t - 3/2*pi)"
direction = "up"
set.state.on = "on + 1"
"""
    result = run(liaison, model(OSCILLATOR + events), method)
    for name in "abc":
        assert times(result, name) == pytest.approx(UPWARDS, abs=near(method)), name
    assert result["state"]["q"]["x"] == pytest.approx(1.3 * math.cos(20.0), abs=near(method))


CLOCKS = """format = 1
coordinates = ["x"]
[energy]
T = "0.6561*x'^2"
V = "9.157*x^2"
[force.f]
x = "-0.249*x'"
[event.a]
when = "sin(6.9687*t + 0.3096)"
direction = "up"
set.velocity.x = "x' + 0.0958"
[event.b]
when = "sin(8.8616*t + 2.6735)"
set.velocity.x = "x' - 0.0126"
[start]
x = -0.4527
[start.velocity]
x = 0.6525
[run]
until = 20
"""


@pytest.mark.parametrize("wall", ["", '[contact.wall]\ngap = "x + 5"\n'])
@pytest.mark.parametrize("method", METHODS)
def test_clocks_tick_once_at_every_tolerance(liaison, model, method, wall):
    """A zero that is located a little early, as a loose tolerance does, is still ahead when the event has happened: it has fired."""
    a = [(2 * math.pi * k - 0.3096) / 6.9687 for k in range(1, 23)]
    b = [(math.pi * k - 2.6735) / 8.8616 for k in range(1, 58)]
    for tolerance in (1e-5, 1e-6, 1e-7, 3e-8, 1e-8, 3e-9, 1e-9, 1e-10, 1e-11, 1e-12):
        result = run(liaison, model(CLOCKS + wall), method, "--tolerance", repr(tolerance))
        assert times(result, "a") == pytest.approx([t for t in a if t < 20], abs=100 * tolerance), tolerance
        assert times(result, "b") == pytest.approx([t for t in b if t < 20], abs=100 * tolerance), tolerance


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("begin", [0.0, -0.9577, -3.0, 1.0, -200.0])
def test_clocks_tick_alike_before_and_after_zero(liaison, model, method, begin):
    """Beside a drive of another frequency: their common period is 31 416, time is given to the field without its loss."""
    text = f"""format = 1
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "5*y^2"
[force.f]
y = "3.4*sin(4.5136*t)"
[event.tick]
when = "sin(8.775*(t - ({begin!r})) + 0.9824)"
direction = "down"
set.velocity.y = "y' + 0.3"
[start]
y = -0.1
time = {begin!r}
[run]
until = {begin + 2.0!r}
"""
    result = run(liaison, model(text), method)
    ticks = [begin + ((2 * k + 1) * math.pi - 0.9824) / 8.775 for k in range(3)]
    small = 1e-14 * max(1.0, abs(begin)) if method == "taylor" else 1e-6
    assert times(result, "tick") == pytest.approx(ticks, abs=10 * small, rel=0)


def at_once(first, second):
    """Two events on one zero that set the velocity."""
    return OSCILLATOR + f"""[event.a]
when = "x"
direction = "up"
set.velocity.x = "{first}"
[event.b]
when = "2*x"
direction = "up"
set.velocity.x = "{second}"
"""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("first, second", [("0.4", "-0.2"), ("-0.2", "0.4"), ("x' + 0.1", "x' + 0.2")])
def test_events_at_one_instant_that_contradict_each_other_end_the_run(liaison, model, method, first, second):
    """Whichever comes first in the file: neither order is the motion's own."""
    answer = liaison("run", model(at_once(first, second)), "--json", "--method", method)
    assert answer.code == 3
    result = answer.json()
    assert result["time"] == pytest.approx(UPWARDS[0], abs=near(method))
    assert "event a sets x' to" in result["reason"] and "event b sets it to" in result["reason"]
    assert "one event for both" in result["reason"]


@pytest.mark.parametrize("method", METHODS)
def test_events_at_one_instant_that_agree_go_on(liaison, model, method):
    """x'⁺ = x'/2 written twice is set once: amplitude 1/2 after the first passage upwards, 1/4 after the second."""
    result = run(liaison, model(at_once("x'/2", "0.5*x'")), method)
    for name in "ab":
        assert times(result, name) == pytest.approx(UPWARDS, abs=near(method))
    assert result["state"]["q"]["x"] == pytest.approx(0.5 ** len(UPWARDS) * math.cos(20.0), abs=near(method))


@pytest.mark.parametrize("method", METHODS)
def test_a_body_set_to_rest_on_its_guard_has_fired_and_goes_on(liaison, model, method):
    """y = 1 falls to 0 at √(2/g), is set to rest and falls on; the event says so."""
    text = """format = 1
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "10*y"
[event.floor]
when = "y"
direction = "down"
set.velocity.y = 0
[start]
y = 1
[run]
until = 1
"""
    result = run(liaison, model(text), method)
    at = math.sqrt(0.2)
    assert times(result, "floor") == pytest.approx([at], abs=near(method))
    assert result["state"]["q"]["y"] == pytest.approx(-5.0 * (1.0 - at) ** 2, abs=near(method))
    assert "goes on through" in result["events"][0]["rule"]


@pytest.mark.parametrize("method", METHODS)
def test_an_event_beside_a_bounce(liaison, model, method):
    """The floor of the event is that of the contact: one event for each impact, y' is that after it or before it."""
    text = """format = 1
coordinates = ["y"]
[state]
count = 0
[energy]
T = "y'^2/2"
V = "10*y"
[contact.floor]
gap = "y"
restitution = 0.5
[event.hit]
when = "y"
direction = "down"
set.state.count = "count + 1"
[event.turn]
when = "y'"
direction = "up"
set.velocity.y = "y'"
[start]
y = 5
[run]
until = 2.4
"""
    result = run(liaison, model(text), method)
    impacts = [1.0, 2.0]
    assert times(result, "floor") == pytest.approx(impacts, abs=near(method))
    assert times(result, "turn") == pytest.approx(impacts, abs=near(method))


SLIDING = """format = 1
coordinates = ["x", "y"]
[state]
count = 0
[system]
x = "1"
y = "0"
[relay.r]
surface = "y"
force.y = "-2*u"
[start]
y = 1
[run]
until = 4
"""


@pytest.mark.parametrize("method", METHODS)
def test_events_inside_sliding(liaison, model, method):
    """y slides from 0.5 on; an event that leaves the state on its guard fires once, one that throws it off slides again after ¼."""
    events = """[event.mark]
when = "x - 1"
direction = "up"
set.x = "x"
set.state.count = "count + 1"
[event.throw]
when = "x - 2"
direction = "up"
set.y = 0.5
"""
    result = run(liaison, model(SLIDING + events), method)
    assert times(result, "mark") == pytest.approx([1.0], abs=near(method))
    assert times(result, "throw") == pytest.approx([2.0], abs=near(method))
    slides = [e["time"] for e in result["events"] if e["kind"] == "enter_sliding"]
    assert slides == pytest.approx([0.5, 2.25], abs=near(method))
    assert result["state"]["q"]["x"] == pytest.approx(4.0, abs=1e-9)
    assert result["state"]["q"]["y"] == pytest.approx(0.0, abs=1e-9)


def test_kicks_in_lanes_and_their_derivative(liaison, model, tmp_path):
    """After n kicks x = (1 + n·kick) cos t: its derivative by the kick is n cos t."""
    event = "[event.kick]\nwhen = \"x\"\ndirection = \"up\"\nset.velocity.x = \"x' + kick\"\n"
    path = model(OSCILLATOR + event)
    answer = liaison("sweep", path, "--over", "kick=0.05:0.5:10", "--keep", "final", "--until", "20", "-o", str(tmp_path / "kicks.csv"))
    assert answer.code == 0, answer.err
    lines = [line for line in (tmp_path / "kicks.csv").read_text().splitlines() if not line.startswith("#")]
    names = lines[0].split(",")
    assert len(lines) == 11
    for line in lines[1:]:
        values = dict(zip(names, line.split(",")))
        kick = float(values["kick"])
        assert float(values["x"]) == pytest.approx((1.0 + 3.0 * kick) * math.cos(20.0), abs=1e-8)
    result = run(liaison, path, "taylor", "--sensitivity", "kick")
    assert times(result, "kick") == pytest.approx(UPWARDS, abs=1e-9)
    assert result["sensitivity"]["kick"]["x"] == pytest.approx(3.0 * math.cos(20.0), abs=1e-8)
