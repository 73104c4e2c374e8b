# SPDX-License-Identifier: Apache-2.0
"""A tall block that slides on two feet: one motion, none, or two, and what a run says and does about it."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import run_program

CASES = json.loads((Path(__file__).resolve().parents[1] / "reference/07-sliding-feet.json").read_text())["cases"]


def value(text):
    return float(Fraction(text))


def model(case, rule="impact"):
    p = case["parameters"]
    h = value(p["h"])
    feet = [value(a) for a in p["feet"]]
    return f"""
format = 1
name = "block on two feet"
coordinates = ["x", "y", "th"]
[energy]
T = "{value(p['m'])}*(x'^2 + y'^2)/2 + {value(p['J'])}*th'^2/2"
V = "{value(p['m']) * value(p['g'])}*y"
[force.load]
y = {value(p.get('Fy', '0'))}
th = {value(p.get('torque', '0'))}
[contact.front]
gap = "y + ({feet[0]})*th"
slip = "x' + {h}*th'"
friction = {value(p['mu'])}
[contact.rear]
gap = "y + ({feet[1]})*th"
slip = "x' + {h}*th'"
friction = {value(p['mu'])}
[start]
closed = ["front", "rear"]
[start.velocity]
x = {p['slip'][0]}
[run]
until = 1e-6
paradox = "{rule}"
"""


def run(case, rule="impact", code=0):
    answer = run_program("run", "-", "--json", "--at", "0", stdin=model(case, rule))
    assert answer.code == code, answer.err + answer.out[:600]
    return answer.json()


@pytest.mark.parametrize("case", [c for c in CASES if c["count"] == 1], ids=lambda c: c["name"])
def test_the_only_motion(case):
    sample = run(case)["samples"][0]
    wanted = case["solutions"][0]
    assert [sample["a"][c] for c in ("x", "y", "th")] == pytest.approx(wanted["acceleration"], abs=1e-9)
    assert [sample["reactions"][f]["normal"] for f in ("front", "rear")] == pytest.approx(wanted["normal"], abs=1e-9)


def test_no_motion_is_an_impact_of_the_front_foot():
    """The limit of one time step with force: slip stops, the rear foot opens."""
    case = next(c for c in CASES if c["count"] == 0)
    limit = case["tangential_impact_limit"]
    event = run(case)["events"][0]
    assert (event["kind"], event["where"], event["case"], event["rule"]) == ("tangential_impact", "front", "inconsistent",
                                                                             "impact")
    assert [event["v_plus"][c] for c in ("x", "y", "th")] == pytest.approx(limit["velocity"], abs=1e-10)
    assert event["impulse"] == pytest.approx(limit["normal"][0], abs=1e-10)
    assert event["tangential"] == [pytest.approx(limit["tangential"][0], abs=1e-10)]
    assert event["energy"] == pytest.approx(limit["energy_change"], abs=1e-10)


@pytest.mark.parametrize("case", [c for c in CASES if c["count"] != 1], ids=lambda c: c["name"])
def test_stop_names_case_contacts_and_all_motions(case):
    result = run(case, "stop", code=3)
    reason = result["reason"]
    assert ("no motion" if case["count"] == 0 else f"{case['count']} motions") in reason
    assert "contact front" in reason and "contact rear" in reason and "A1" in reason and "B1'" in reason
    assert reason.count("possible:") == case["count"]
    for solution in case["solutions"]:
        for force in solution["normal"]:
            assert f"{force:.6g}"[:6] in reason


@pytest.mark.parametrize("case", [c for c in CASES if c["count"] == 2], ids=lambda c: c["name"])
def test_several_motions_are_told_with_the_rule(case):
    for rule in ("impact", "separate"):
        told = [e for e in run(case, rule)["events"] if e["case"] == "indeterminate"]
        assert told and told[0]["rule"] == rule
