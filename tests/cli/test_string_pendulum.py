# SPDX-License-Identifier: Apache-2.0
"""The string pendulum against exact piecewise solutions (50-digit arithmetic): positions, events, accumulations."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

REFERENCE = Path(__file__).resolve().parents[1] / "reference/01-string-pendulum.json"
CASES = json.loads(REFERENCE.read_text(encoding="utf-8"))["cases"]
KINDS = {"impact": "impact", "liftoff": "release", "zeno": "accumulation"}


# Every motion is computed twice: by events and by Routh's function in unfolded coordinates.
REALISE = []


@pytest.fixture(params=["events", "routh"], autouse=True)
def realisation(request):
    REALISE[:] = ["--realise", f"contact={request.param}"]
    return request.param


def model(case):
    """The pendulum in Cartesian coordinates, gap and all, from the polar start of the reference."""
    p, start = case["parameters"], case["initial"]
    r, y = start["r"], start["y"]
    r_dot, y_dot = start.get("r_dot", 0.0), start.get("y_dot", 0.0)
    x, z = r * math.sin(y), -r * math.cos(y)
    x_dot = r_dot * math.sin(y) + r * math.cos(y) * y_dot
    z_dot = -r_dot * math.cos(y) + r * math.sin(y) * y_dot
    return f"""
format = 1
name = "string pendulum {case['id']}"
coordinates = ["x", "z"]
[energy]
T = "{p['m']}*(x'^2 + z'^2)/2"
V = "{p['m']}*{p['g']}*z"
[contact.string]
gap = "{p['R']} - sqrt(x^2 + z^2)"
restitution = {p['restitution']}
[start]
x = {x!r}
z = {z!r}
[start.velocity]
x = {x_dot!r}
z = {z_dot!r}
[run]
until = {float(case['t_end'])}
tolerance = 1e-13
"""


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case):
    times = ",".join(repr(float(sample["t"])) for sample in case["samples"])
    answer = run_program("run", "-", "--json", *REALISE, "--at", times, stdin=model(case))
    assert answer.code == 0, answer.err
    result = answer.json()

    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        assert abs(got["q"]["x"] - wanted["X"]) <= 1e-9
        assert abs(got["q"]["z"] - wanted["Z"]) <= 1e-9
        x, z, x_dot, z_dot = got["q"]["x"], got["q"]["z"], got["v"]["x"], got["v"]["z"]
        r = math.hypot(x, z)
        assert abs(case["parameters"]["R"] - r - wanted["s"]) <= 1e-9
        assert abs(-(x * x_dot + z * z_dot) / r - wanted["sd"]) <= 1e-8
        assert abs(case["parameters"]["m"] * (x_dot * -z + z_dot * x) - wanted["p"]) <= 1e-8

    # Impacts of a chatter agree down to the rebound height at which the rest is completed (the tolerance).
    expected = [(KINDS[event["type"]], event["t"]) for event in case["events"]]
    events = [(event["kind"], event["time"]) for event in result["events"] if event["kind"] != "attach"]
    before = [event for event in expected if event[0] != "accumulation"]
    told = [event for event in result["events"] if event["kind"] != "attach"]
    for event, wanted in zip(told, [event for event in case["events"] if event["type"] != "zeno"]):
        if event["kind"] != "impact":
            break
        assert abs(event["gap_rate"] - wanted["s_dot_minus"]) <= 1e-8
        x, z, v = event["q"]["x"], event["q"]["z"], event["v_minus"]
        assert abs(case["parameters"]["m"] * (v["x"] * -z + v["z"] * x) - wanted["p"]) <= 1e-8
    for (kind, time), (wanted_kind, wanted_time) in zip(events, before):
        if kind == "accumulation":
            break
        assert kind == wanted_kind
        assert abs(time - wanted_time) <= 1e-9
    limits = [time for kind, time in expected if kind == "accumulation"]
    found = [time for kind, time in events if kind == "accumulation"]
    assert len(limits) == len(found)
    for time, wanted in zip(found, limits):
        assert abs(time - wanted) <= 1e-8
    if not limits:
        assert len(events) == len(expected)
        assert sum(kind == "impact" for kind, _ in events) == case["impacts_total"]


SLACK = """
format = 1
name = "string"
coordinates = ["x", "z"]
[energy]
T = "(x'^2 + z'^2)/2"
V = "z"
[contact.string]
gap = "(1 - x^2 - z^2)/2"
restitution = 1
[start]
z = -1
[start.velocity]
x = "sqrt(3.5)"
[run]
until = 4
tolerance = 1e-12
contact = "routh"
"""


def test_the_spurious_branch_can_be_looked_at():
    """Acceptance 3: x = 0 solves the unfolded equations also where the string would push; the default leaves where cos y = −1/2."""
    answer = run_program("run", "-", "--json", "--no-release", stdin=SLACK)
    assert answer.code == 0
    stays = answer.json()
    assert abs(math.hypot(stays["state"]["q"]["x"], stays["state"]["q"]["z"]) - 1) < 1e-10
    assert all(e["case"].startswith("spurious branch") and e["closes"] for e in stays["events"])
    assert any("no motion of the system" in w for w in stays["warnings"])
    leaves = run_program("run", "-", "--json", stdin=SLACK).json()
    assert leaves["events"][0]["kind"] == "release" and abs(leaves["events"][0]["q"]["z"] - 0.5) < 1e-10
    assert any(e["kind"] == "impact" for e in leaves["events"]) and leaves["warnings"] == []
    refused = run_program("run", "-", "--no-release", "--realise", "contact=events", stdin=SLACK)
    assert refused.code == 2 and "E0910" in refused.err and "contact=routh" in refused.err
