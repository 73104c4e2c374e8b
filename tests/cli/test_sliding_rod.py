# SPDX-License-Identifier: Apache-2.0
"""The rod on a rough line against exact solutions: slip, stick, reversal, flight, impacts, paradoxes."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

REFERENCE = Path(__file__).resolve().parents[1] / "reference/02-rod-trajectories.json"
CASES = json.loads(REFERENCE.read_text(encoding="utf-8"))["cases"]
RULES = {"ivanov": "impact", "painleve": "separate"}


def model(case, rule=None, outputs=""):
    """The rod by its mass centre; the reference gives the state of its lower end."""
    p = case["parameters"]
    x, y, th, vx, vy, w = case["initial_state"]
    l, s, c = p["l"], math.sin(th), math.cos(th)
    gap = "y - l*sin(th)"
    closed = "" if y > 0 else 'closed = ["tip"]'
    return f"""
format = 1
name = "rod"
coordinates = ["x", "y", "th"]
[parameters]
m = {p['m']}
l = {l}
g = {p['g']}
J = {p['m'] * l * l / p['alpha']!r}
mu = {p['mu']}
[energy]
T = "m/2*(x'^2 + y'^2) + J/2*th'^2"
V = "m*g*y"
[contact.tip]
gap = "{gap}"
slip = "der(x - l*cos(th))"
friction = "mu"
restitution = {{ value = {p['kappa']}, law = "{p['law']}" }}
[observe]
xP = "x - l*cos(th)"
yP = "{gap}"
vP = "der(x - l*cos(th))"
uP = "der({gap})"
{outputs}
[start]
x = {x + l * c!r}
y = {y + l * s!r}
th = {th!r}
{closed}
[start.velocity]
x = {vx - l * s * w!r}
y = {vy + l * c * w!r}
th = {w!r}
[run]
until = {case['t_end']}
tolerance = 1e-12
paradox = "{rule or RULES[p['policy']]}"
"""


def contact_state(q, v, l):
    s, c = math.sin(q["th"]), math.cos(q["th"])
    return [q["x"] - l * c, q["y"] - l * s, q["th"], v["x"] + l * s * v["th"], v["y"] - l * c * v["th"], v["th"]]


def kind(event):
    if event["event"] == "slip-stop":
        return "stick" if event["next"] == "stick" else "reverse"
    return {"stick-release": "slip", "tangential-impact": "tangential_impact", "impact": "impact",
            "separation": "release"}[event["event"]]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_trajectory(case):
    answer = run_program("run", "-", "--json", stdin=model(case))
    assert answer.code == 0, answer.err
    result = answer.json()
    l = case["parameters"]["l"]
    inner = [e for e in case["events"] if e["event"] not in ("start", "end", "singular-point")]
    if case["events"][0]["next"] == "free" and case["initial_state"][1] == 0.0:
        inner.insert(0, {"event": "separation", "t": 0.0, "state": case["initial_state"]})
    assert [e["kind"] for e in result["events"]] == [kind(e) for e in inner]
    for event, expected in zip(result["events"], inner):
        assert event["time"] == pytest.approx(expected["t"], abs=1e-8)
        assert contact_state(event["q"], event["v_plus"], l) == pytest.approx(expected["state"], abs=1e-8)
        if "N" in expected:
            assert event["impulse"] == pytest.approx(expected["N"], abs=1e-8)
            assert event["tangential"] == [pytest.approx(expected["P"], abs=1e-8)]
            assert event["compression"] == pytest.approx(expected["Nc"], abs=1e-8)
        if "phases" in expected:
            assert [p["phase"] for p in event["phases"]] == [
                "stick" if "stick" in name else "slip" for name in expected["phases"]]
    end = contact_state(result["state"]["q"], result["state"]["v"], l)
    assert end == pytest.approx(case["events"][-1]["state"], abs=1e-8)
    energy = result["energy"]
    assert energy["start"] == pytest.approx(case["events"][0]["energy"], abs=1e-12)
    assert energy["end"] == pytest.approx(case["events"][-1]["energy"], abs=1e-8)
    assert abs(energy["unexplained"]) < 1e-9
    assert energy["impacts"] <= 0.0 and energy["friction"] <= 1e-15
