# SPDX-License-Identifier: Apache-2.0
"""The sliders of Painlevé and Klein: friction that leans on a bilateral guide, its paradox and the impact that resolves it.

Equal masses, one rough guide: paradoxical for mu1*tan(phi) > 2, here phi = 45 degrees."""

import pytest
from conftest import ROOT, run_program

KLEIN = ROOT / "examples/65-painleve-klein/model.toml"


def run(*more, code=0):
    answer = run_program("run", KLEIN, "--json", "--at", "0,0.5", *more)
    assert answer.code == code, answer.err + answer.out[:600]
    return answer.json()


@pytest.mark.parametrize("speed", [1.0, 2.5, -1.0])
@pytest.mark.parametrize("m2", [1.0, 2.0])
def test_no_motion_becomes_a_tangential_impact_that_stops_the_sliders(speed, m2):
    """N = −m2 v0 tan(phi) at the guide, friction takes all momentum, (m1 + m2) v0²/2 is lost."""
    force = -1.0 if speed > 0 else 1.0
    result = run("--set", "mu1=4", "--set", f"v0={speed}", "--set", f"m2={m2}", "--set", f"F1={force}")
    event = result["events"][0]
    assert (event["kind"], event["where"], event["case"], event["rule"]) == ("tangential_impact", "guide1",
                                                                             "inconsistent", "impact")
    assert event["impulse"] == pytest.approx(-m2 * speed, abs=1e-12)
    assert event["tangential"] == [pytest.approx(-(1 + m2) * speed, abs=1e-12)]
    assert event["energy"] == pytest.approx(-(1 + m2) * speed**2 / 2, abs=1e-12)
    assert all(abs(v) < 1e-12 for v in event["v_plus"].values())
    assert abs(result["energy"]["unexplained"]) < 1e-12
    # From rest the pull moves them back, and there the guide is regular: a S + b |S| = F1 m2.
    a, b = 1 + m2, 4 * m2
    pressed = m2 * abs(force) / (a + b)  # S cos(phi), the side on which B1' is positive
    later = result["samples"][1]
    assert later["a"]["x2"] == pytest.approx(pressed / m2 * (1 if force > 0 else -1), abs=1e-10)


def test_of_two_motions_the_regular_one_is_taken_and_told():
    """F1 > 0 presses the side with B1' = 3/2: x'' = F1/(2 + mu1)... S cos(phi) = F1/(2 + mu1 tan(phi))."""
    result = run("--set", "mu1=2.5", "--set", "F1=1")
    assert [(e["kind"], e["where"], e["case"]) for e in result["events"]] == [("slip", "guide1", "indeterminate")]
    assert result["samples"][0]["a"]["x2"] == pytest.approx(1 / 4.5, abs=1e-12)


@pytest.mark.parametrize("force, words", [
    ("-1", ["no motion", "inconsistent", "slip 1, A1 = 0.333333333", "B1' = 1.5", "B1' = -0.166666667", "x1' = 1",
            'paradox = "impact" continues with a tangential impact of guide1 (normal impulse -1, slip 1', '"separate"']),
    ("1", ["2 motions", "indeterminate", "possible: 0.222222222", "possible: -2",
           "continue with the reaction whose B1' is positive"])])
def test_the_rule_stop_tells_the_facts(force, words):
    result = run("--set", "mu1=2.5", "--set", f"F1={force}", "--realise", "paradox=stop", code=3)
    assert result["status"] == "stopped"
    for word in words:
        assert word in result["reason"], result["reason"]


def test_below_the_critical_friction_nothing_happens():
    assert all(event["kind"] != "tangential_impact" for event in run("--set", "mu1=1.9")["events"])
