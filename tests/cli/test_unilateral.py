# SPDX-License-Identifier: Apache-2.0
"""Two-sided stops, restitution and accumulation against exact piecewise solutions (50-digit arithmetic)."""

import json
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
