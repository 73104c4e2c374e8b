# SPDX-License-Identifier: Apache-2.0
"""liaison average from outside: the JSON contract, the files, what cannot be averaged."""

import math

import pytest
from conftest import needs

pytestmark = needs("average")

OSCILLATOR = """format = 1
name = "oscillator"
coordinates = ["s"]
[parameters]
h = 0.04
eps = 0.1
omega = 1.97
Delta = 0.02
[energy]
T = "s'^2/2"
V = "s^2/2"
[force.damper]
s = "-h*s'"
[force.drive]
s = "eps*sin(omega*t)"
[contact.stop]
gap = "Delta - s"
restitution = 1
[start]
s = -1
"""
ASK = ("--small", "h,eps,Delta", "--over", "omega=1.8:2.2")


def test_contract(liaison, model, tmp_path):
    picture, table = tmp_path / "curve.svg", tmp_path / "curve.csv"
    answer = liaison("average", model(OSCILLATOR), *ASK, "--exact", "3", "--json", "-o", str(picture), "-o", str(table))
    assert answer.code == 0, answer.err
    result = answer.json()
    (resonance,) = result["resonances"]
    assert (resonance["n"], resonance["m"]) == (1, 2) and resonance["isochronous"] is True
    (here,) = resonance["here"]
    # (21) with a = 4 eps/(3 pi), b = h/2, c = 4 Delta/pi, chi = omega - 2
    a, b, c, chi = 0.4 / (3 * math.pi), 0.02, 0.08 / math.pi, -0.03
    r = (-c * chi + math.sqrt(a * a * (b * b + chi * chi) - b * b * c * c)) / (b * b + chi * chi)
    assert abs(here["amplitude"] - r) < 1e-11 * r and here["stable"] is True
    assert here["exact"]["found"] and abs(here["exact"]["amplitude"] - 1.7101973774111394) < 1e-9
    assert resonance["exists"]["from"] == 1.8 and resonance["exists"]["to"] == 2.2
    assert all(0 <= e["point"] < len(resonance["curve"]) for e in result["exact"]) and len(result["exact"]) >= 3
    assert "<svg" in picture.read_text() and len(table.read_text().splitlines()) == len(resonance["curve"]) + 2


def test_a_resonance_without_effect_of_first_order_says_so(liaison, model):
    answer = liaison("average", model(OSCILLATOR), *ASK, "--resonance", "1:3")
    assert answer.code == 1
    assert "no effect of first order" in answer.out


@pytest.mark.parametrize("arguments, said", [
    (("--small", "h,Delta", "--over", "omega=1.8:2.2"), "call the amplitude of the force small too"),
    (("--small", "eps,Delta", "--over", "omega=1.8:2.2"), "call the coefficient of the damping small too"),
    (("--small", "h,F", "--over", "omega=1.8:2.2"), "it has h, eps, omega, Delta"),
    (("--small", "h,eps", "--over", "nu=1.8:2.2"), "it has h, eps, omega, Delta"),
    (("--small", "h,eps", "--over", "omega=2.2:1.8"), "the range is empty"),
    (("--small", "h,eps,Delta", "--over", "omega=1.8:2.2", "--resonance", "2"), "as in --resonance 1:2"),
])
def test_bad_questions(liaison, model, arguments, said):
    answer = liaison("average", model(OSCILLATOR), *arguments)
    assert answer.code == 2
    assert said in answer.err


@pytest.mark.parametrize("small, place", [("h,Delta", "sin(omega*t)"), ("eps,Delta", "-h*s'")])
def test_refusals_show_the_line_of_the_file(liaison, model, small, place):
    answer = liaison("average", model(OSCILLATOR), "--small", small, "--over", "omega=1.8:2.2")
    number = next(i for i, line in enumerate(OSCILLATOR.splitlines(), 1) if place in line)
    assert answer.code == 2 and f".toml:{number}:" in answer.err, answer.err


def test_other_models_are_refused_with_the_reason(liaison, model):
    two = OSCILLATOR.replace('["s"]', '["s", "r"]').replace("T = \"s'^2/2\"", "T = \"s'^2/2 + r'^2/2\"")
    answer = liaison("average", model(two), *ASK)
    assert answer.code == 2 and "one coordinate" in answer.err
    free = OSCILLATOR.replace('[contact.stop]\ngap = "Delta - s"\nrestitution = 1\n', "")
    answer = liaison("average", model(free), *ASK)
    assert answer.code == 2 and "needs a stop" in answer.err
    unforced = OSCILLATOR.replace("sin(omega*t)", "sin(omega)")
    answer = liaison("average", model(unforced), *ASK)
    assert answer.code == 2 and "no force of one frequency" in answer.err


@pytest.mark.parametrize("eps, Delta, omega", [(0.05, 0.06, 1.9), (0.03, 0.05, 1.75), (0.1, 0.2, 1.75), (0.05, 0.02, 1.75)])
def test_without_damping_each_curve_and_motion_is_told_once(liaison, model, eps, Delta, omega):
    """(21) with b = 0: r = (−cχ ± a|χ|)/χ². Both branches go to infinity as χ → 0 and come from no others."""
    answer = liaison("average", model(OSCILLATOR), "--small", "h,eps,Delta", "--over", "omega=1.5:2.3", "--set", "h=0",
                     "--set", f"eps={eps}", "--set", f"Delta={Delta}", "--set", f"omega={omega}", "--json")
    assert answer.code == 0, answer.err
    (resonance,) = answer.json()["resonances"]
    assert len(resonance["curves"]) == 2
    a, c, chi = 4 * eps / (3 * math.pi), 4 * Delta / math.pi, omega - 2
    expected = sorted((r for r in ((-c + a) / chi, (-c - a) / chi) if r > 0), reverse=True)
    told = [here["amplitude"] for here in resonance["here"]]
    if len(expected) == 2:
        assert len(told) == 2
    for r in expected:
        assert sum(abs(r - t) < 1e-9 for t in told) == 1, (expected, told)


@pytest.mark.parametrize("eps, Delta", [(0.03, 0.05), (0.1, 0.2), (0.05, 0.02)])
def test_an_exact_orbit_strikes_the_stop(liaison, model, eps, Delta):
    answer = liaison("average", model(OSCILLATOR), "--small", "h,eps,Delta", "--over", "omega=1.5:2.3", "--set", "h=0",
                     "--set", f"eps={eps}", "--set", f"Delta={Delta}", "--set", "omega=1.75", "--json")
    assert answer.code == 0, answer.err
    exact = answer.json()["exact"]
    assert all(e["impact_speed"] > 0 for e in exact if e["found"])
    # the forced oscillation eps/(omega² − 1) that does not reach the stop is named as what it is
    clear = [e["reason"] for e in exact if not e["found"] and "does not reach the stop" in e["reason"]]
    assert clear
