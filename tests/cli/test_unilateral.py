# SPDX-License-Identifier: Apache-2.0
"""Two-sided stops, restitution and accumulation against exact piecewise solutions (50-digit arithmetic)."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

FOLDER = Path(__file__).resolve().parents[1] / "reference"
TWO_SIDED = json.loads((FOLDER / "01-two-sided.json").read_text(encoding="utf-8"))["cases"]
ZENO = json.loads((FOLDER / "01-restitution-zeno.json").read_text(encoding="utf-8"))
TOLERANCE = "tolerance = 1e-13"


# Every motion is computed twice: by events and by Routh's function in unfolded coordinates.
REALISE = []


@pytest.fixture(params=["events", "routh"], autouse=True)
def realisation(request):
    REALISE[:] = ["--realise", f"contact={request.param}"]
    return request.param


def run(text, samples):
    times = ",".join(repr(float(sample["t"])) for sample in samples)
    answer = run_program("run", "-", "--json", *REALISE, "--at", times, stdin=text)
    assert answer.code == 0, answer.err + answer.out[:500]
    return answer.json()


@pytest.mark.parametrize("case", TWO_SIDED, ids=[case["id"] for case in TWO_SIDED])
def test_between_two_stops(case):
    p, start = case["parameters"], case["initial"]
    if "l" in p:
        name, energy, force = "y", f"V = \"-{p['g'] / p['l']}*cos(y)\"", ""
    else:
        name, energy = "s", f"V = \"{p['Omega']}^2*s^2/2 - {p['c0']}*s\""
        force = f"[force.drive]\ns = \"{p['epsilon']}*sin({p['omega']}*t) - {p['h']}*s'\""
    result = run(f"""
format = 1
name = "{case['id']}"
coordinates = ["{name}"]
[energy]
T = "{name}'^2/2"
{energy}
{force}
[contact.stops]
between = ["{p['lo']}", "{name}", "{p['hi']}"]
restitution = 1
[start]
{name} = {start[name]}
[start.velocity]
{name} = {start[name + '_dot']}
[run]
until = {float(case['t_end'])}
{TOLERANCE}
""", case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        assert abs(got["q"][name] - wanted[name]) <= 1e-8
        assert abs(got["v"][name] - wanted[name + "_dot"]) <= 1e-8
    impacts = [event for event in result["events"] if event["kind"] == "impact"]
    assert len(impacts) == len(case["impacts"])
    for got, wanted in zip(impacts, case["impacts"]):
        assert abs(got["time"] - wanted["t"]) <= 1e-9
        assert got["side"] == {"hi": "upper", "lo": "lower"}[wanted["side"]]
        assert abs(got["v_minus"][name] - wanted[name + "_dot_minus"]) <= 1e-8


@pytest.mark.parametrize("case", ZENO["cases"], ids=[case["id"] for case in ZENO["cases"]])
def test_ball_on_a_shaken_table(case):
    p, start = case["parameters"], case["initial"]
    result = run(f"""
format = 1
name = "{case['id']}"
coordinates = ["q"]
[energy]
T = "q'^2/2"
V = "{p['g']}*q"
[force.drag]
q = "-{p['kappa']}*q'"
[contact.table]
gap = "q - {p['amp']}*sin({p['w']}*t + {p['phase']})"
restitution = {p['restitution']}
[start]
q = {start['q']}
[start.velocity]
q = {start['q_dot']}
[run]
until = {float(case['t_end'])}
{TOLERANCE}
""", case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        assert abs(got["q"]["q"] - wanted["q"]) <= 1e-8
        assert abs(got["v"]["q"] - wanted["q_dot"]) <= 1e-8
    expected = [event for event in case["events_all_but_late_chatter"] if event["type"] in ("zeno", "liftoff")]
    words = {"zeno": "accumulation", "liftoff": "release"}
    found = [event for event in result["events"] if event["kind"] in ("accumulation", "release")]
    assert [event["kind"] for event in found] == [words[event["type"]] for event in expected]
    for got, wanted in zip(found, expected):
        assert abs(got["time"] - wanted["t"]) <= 1e-8
    # Impacts before the first accumulation, down to the rebounds that are completed at once.
    first = next((event["time"] for event in found), math.inf)
    hits = [event for event in result["events"] if event["kind"] == "impact" and event["time"] < first]
    exact = [event for event in case["events_all_but_late_chatter"] if event["type"] == "impact"]
    assert len(hits) >= 3
    for got, wanted in zip(hits, exact):
        assert abs(got["time"] - wanted["t"]) <= 1e-9
        assert abs(got["gap_rate"] - wanted["gap_rate_minus"]) <= 1e-8


@pytest.mark.parametrize("ball", ZENO["ball_closed_form"])
def test_ball_dropped_on_a_table(ball):
    # t_inf = sqrt(2h/g) (1 + e)/(1 - e)
    answer = run_program("run", "-", "--json", *REALISE, stdin=f"""
format = 1
name = "ball"
coordinates = ["q"]
[energy]
T = "q'^2/2"
V = "{ball['g']}*q"
[contact.table]
gap = "q"
restitution = {ball['restitution']}
[start]
q = {ball['h']}
[run]
until = {ball['t_zeno'] + 1.0}
{TOLERANCE}
""")
    assert answer.code == 0, answer.err
    result = answer.json()
    limits = [event["time"] for event in result["events"] if event["kind"] == "accumulation"]
    assert len(limits) == 1
    assert abs(limits[0] / ball["t_zeno"] - 1.0) <= 1e-9
    assert result["state"]["q"]["q"] == pytest.approx(0.0, abs=1e-14)
    assert abs(result["energy"]["unexplained"]) <= 1e-10 * ball["g"] * ball["h"]


def test_pressed_against_the_upper_stop():
    """(13) changes its sign at an upper wall: a constant force pushing up is carried by a positive reaction."""
    text = """
format = 1
name = "pushed up"
coordinates = ["x"]
[energy]
T = "0.7*x'^2/2"
[force.push]
x = 2
[contact.box]
between = [-1, "x", 1]
[run]
until = 3
"""
    result = run(text, [{"t": 2}])
    impact = result["events"][0]
    assert (impact["kind"], impact["side"], impact["closes"]) == ("impact", "upper", True)
    assert abs(impact["time"] - math.sqrt(0.7)) < 1e-12
    box, = result["samples"][0]["reactions"].values()
    assert box == {"normal": pytest.approx(2.0, abs=1e-12), "side": "upper"}
    assert "closed" in result["samples"][0]["mode"].values()


@pytest.mark.parametrize("restitution", [0.8, 0.5])
def test_between_two_stops_with_losses(restitution):
    """Between stops at ±1 without forces: the k-th impact comes 2/(v e^k) after the one before."""
    text = f"""
format = 1
name = "play"
coordinates = ["x"]
[energy]
T = "x'^2/2"
[contact.box]
between = [-1, "x", 1]
restitution = {restitution}
[start.velocity]
x = 3
[run]
until = 20
tolerance = 1e-12
"""
    result = run(text, [{"t": 20}])
    time, speed, side = 1 / 3, 3.0, "upper"
    hits = [event for event in result["events"] if event["kind"] == "impact"]
    for event in hits:
        assert abs(event["time"] - time) < 1e-9 and event["side"] == side
        speed *= restitution
        time += 2 / speed
        side = "lower" if side == "upper" else "upper"
    assert time > 20 and len(hits) >= 4
    assert abs(abs(result["samples"][0]["v"]["x"]) - speed) < 1e-9


def test_an_event_that_opens_a_contact_happens_once():
    """A magnet of 20 N lifts a unit mass from the floor between t = 1 and t = 1.2; each switching happens once, though the floor
    lets go at the very instant of the first."""
    text = """
format = 1
name = "magnet"
coordinates = ["y"]
[state]
on = 0
switched = 0
[energy]
T = "y'^2/2"
V = "9.81*y"
[force.magnet]
y = "20*on"
[contact.floor]
gap = "y"
[event.go]
when = "(t - 1)*(t - 1.2)"
set.state.on = "1 - on"
set.state.switched = "switched + 1"
[observe]
switchings = "switched"
[run]
until = 3
tolerance = 1e-12
"""
    result = run(text, [{"t": 3}])
    assert [e["kind"] for e in result["events"]] == ["user", "release", "user", "impact"]
    assert result["samples"][0]["observe"]["switchings"] == 2
    speed, height = 0.2 * 10.19, 0.02 * 10.19
    falls = (speed + math.sqrt(speed**2 + 2 * 9.81 * height)) / 9.81
    assert abs(result["events"][3]["time"] - 1.2 - falls) < 1e-9


@pytest.mark.parametrize("tolerance", ["1e-10", "1e-12", "1e-13", "5e-14"])
def test_a_stop_with_an_edge_is_hit_on_the_face_that_faces_the_body(tolerance, realisation):
    """A gap max(g1, g2): where the body passes the line between the faces its place is zero up to rounding, on either side. It
    must hit the face it has come to; starts are spread over a period so that both roundings occur."""
    if realisation == "routh":
        pytest.skip("Routh's function unfolds smooth gaps")
    for start in range(8):
        text = f"""
format = 1
name = "edge"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "x^2/2 + 2*y^2"
[force.damper]
x = "-0.6*x'"
y = "-0.6*y'"
[force.drive]
x = "0.8*cos(2*t)"
y = "0.1*cos(2*t)"
[contact.edge]
gap = "max(0.1 + y - x, 0.1 - 0.3*y - x)"
restitution = 0.5
[start]
time = {0.3 * start!r}
x = -0.5
[run]
until = 40
tolerance = {tolerance}
"""
        hits = [event for event in run(text, [{"t": 40}])["events"] if event["kind"] == "impact"]
        assert len(hits) > 8
        for event in hits:
            x, y = event["q"]["x"], event["q"]["y"]
            assert abs(max(0.1 + y - x, 0.1 - 0.3 * y - x)) <= 1e-9
