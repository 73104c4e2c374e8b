# SPDX-License-Identifier: Apache-2.0
"""Paradoxes of friction as a user meets them: intervals, critical friction, all solutions, the rule stop."""

import json
import math
from pathlib import Path

import pytest
from conftest import ROOT, run_program
from test_sliding_rod import CASES, model

ROD = ROOT / "examples/05-sliding-rod/model.toml"
PARADOX = ["--set", "mu=1.6", "--set", "th0=1.1", "--set", "u0=-1"]
REFERENCE = json.loads((Path(__file__).resolve().parents[1] / "reference/02-classification.json").read_text())


def test_intervals_and_critical_friction_of_the_uniform_rod():
    answer = run_program("painleve", ROD, "--json", "--set", "mu=1.6", "--over", "th=0:90*deg", "--slip", "negative")
    assert answer.code == 0, answer.err
    result = answer.json()
    bounds = next(b for b in REFERENCE["rod_boundaries"] if b["mu"] == 1.6)
    assert [i["case"] for i in result["intervals"]] == ["regular", "inconsistent", "regular"]
    assert result["intervals"][1]["from"] == pytest.approx(bounds["theta1"], abs=1e-12)
    assert result["intervals"][1]["to"] == pytest.approx(bounds["theta2"], abs=1e-12)
    critical = result["critical"]
    assert critical["friction"] == pytest.approx(REFERENCE["rod_critical"]["mu_P"], rel=1e-12)
    assert math.tan(critical["at"]["th"]) == pytest.approx(2.0, abs=1e-6)


@pytest.mark.parametrize("bounds", REFERENCE["rod_boundaries"], ids=lambda b: f"mu={b['mu']}")
def test_boundaries_for_other_rods(bounds):
    case = json.loads(json.dumps(CASES[0]))
    case["parameters"].update(mu=bounds["mu"], alpha=bounds["alpha"])
    answer = run_program("painleve", "-", "--json", "--over", "th=0.01:1.56", "--slip", "negative", stdin=model(case))
    cuts = [i["to"] for i in answer.json()["intervals"]][:-1]
    assert cuts == pytest.approx([bounds["theta1"], bounds["theta2"]], abs=1e-11)


def test_map_has_its_boundary_by_root_finding(tmp_path):
    file = tmp_path / "map.svg"
    answer = run_program("painleve", ROD, "--json", "--over", "th=0.2:1.5:9", "--over", "mu=0:3:7", "--slip",
                         "negative", "-o", file)
    assert answer.code == 0, answer.err
    assert file.read_text().startswith("<svg")
    for point in answer.json()["maps"][0]["boundary"]:
        t = math.tan(point["th"])
        assert point["mu"] == pytest.approx((t * t + 4) / (3 * t), rel=1e-10)


def test_the_four_regions_of_angle_and_rate(tmp_path):
    """Uniform rod, v < 0: vertical lines at 47.03° and 74.98°, and the curve ω² = g/(l sin θ)."""
    file = tmp_path / "map.svg"
    answer = run_program("painleve", ROD, "--json", "--set", "mu=1.6", "--over", "th=0.2:1.5:9", "--over", "w0=-2:2:8",
                         "--slip", "negative", "-o", file)
    boundaries = answer.json()["maps"][0]
    assert {round(math.degrees(p["th"]), 2) for p in boundaries["boundary"]} == {47.03, 74.98}
    assert len(boundaries["free_boundary"]) > 8
    for point in boundaries["free_boundary"]:
        assert point["w0"] ** 2 * math.sin(point["th"]) == pytest.approx(1.0, abs=1e-10)
    svg = file.read_text()
    assert all(case in svg for case in ("regular", "separation", "inconsistent", "indeterminate"))


def test_all_solutions_at_the_start():
    result = run_program("painleve", ROD, "--json", "--here", *PARADOX, "--set", "w0=1.5").json()
    assert result["contacts"]["tip"]["case"] == "indeterminate"
    modes = sorted(s["contacts"]["tip"]["mode"] for s in result["solutions"])
    assert modes == ["open", "slip"]
    result = run_program("painleve", ROD, "--json", "--here", *PARADOX, "--set", "w0=0.2").json()
    assert result["contacts"]["tip"]["case"] == "inconsistent"
    assert result["solutions"] == []


@pytest.mark.parametrize("rate, words", [
    ("0.2", ["inconsistent", "A1 = -0.9643517", "B1' = -0.3231430", "normal impulse 0.3031861", "slip -1"]),
    ("1.5", ["2 motions", "indeterminate", "A1 = 1.0052165", "slips backwards with normal force 3.1107479",
             "tip opens", '"separate" with separation'])])
def test_the_rule_stop_tells_the_facts(rate, words):
    answer = run_program("run", ROD, "--json", "--realise", "paradox=stop", *PARADOX, "--set", f"w0={rate}")
    assert answer.code == 3
    result = answer.json()
    assert result["status"] == "stopped"
    for word in words:
        assert word in result["reason"]


def test_tangential_impact_names_case_and_rule():
    for rate, case in (("0.2", "inconsistent"), ("1.5", "indeterminate")):
        result = run_program("run", ROD, "--json", *PARADOX, "--set", f"w0={rate}", "--until", "0.1").json()
        first = result["events"][0]
        assert (first["kind"], first["case"], first["rule"]) == ("tangential_impact", case, "impact")


def test_samples_carry_a1_and_b1():
    result = run_program("run", ROD, "--json", "--at", "0.05").json()
    s = result["samples"][0]
    th, w = s["q"]["th"], s["v"]["th"]
    tip = s["reactions"]["tip"]
    assert tip["A1"] == pytest.approx(w * w * math.sin(th) - 1.0, abs=1e-12)
    assert tip["B1"] == pytest.approx(1 + 3 * math.cos(th) ** 2 + 0.35 * 3 * math.sin(th) * math.cos(th), abs=1e-12)
    assert tip["normal"] == pytest.approx(-tip["A1"] / tip["B1"], abs=1e-12)
    assert tip["case"] == "regular"


@pytest.mark.parametrize("arguments, words", [
    ([], "say what to vary"),
    (["--over", "th"], "NAME=FROM:TO or NAME=FROM:TO:POINTS is expected"),
    (["--over", "nothing=0:1"], "neither a parameter nor a coordinate"),
    (["--over", "th=1:0"], "the range is empty"),
    (["--over", "th=0:1:1"], "the number of points"),
    (["--over", "th=0:1", "--contact", "heel"], "no contact heel with friction")])
def test_wrong_questions_are_told(arguments, words):
    answer = run_program("painleve", ROD, *arguments)
    assert answer.code in (2, 64)
    assert words in answer.err


def test_friction_from_which_slip_runs_into_the_paradox():
    """Uniform rod: |λ1| = |λ2| at μ = 8/(3√3), tan θ = √(4/3) (theory: μ_B = 4√(1+α)/(√3 α))."""
    answer = run_program("painleve", ROD, "--json", "--over", "th=0.2:1.5:5", "--over", "w0=0:3:5", "--slip", "negative",
                         "--reach", "mu=1.34:2.5")
    assert answer.code == 0, answer.err
    reach = answer.json()["reach"][0]
    assert reach["mu"] == pytest.approx(REFERENCE["rod_critical"]["mu_B"], rel=1e-9)
    assert math.tan(reach["at"]["th"]) ** 2 == pytest.approx(4 / 3, rel=1e-8)
    assert reach["at"]["w0"] ** 2 * math.sin(reach["at"]["th"]) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("mu, reached", [("1.7", True), ("1.4", False)])
def test_corners_of_the_paradox(mu, reached):
    result = run_program("painleve", ROD, "--json", "--set", f"mu={mu}", "--over", "th=0.2:1.5:5", "--over", "w0=-3:3:5",
                         "--slip", "negative").json()
    corners = result["maps"][0]["corners"]
    assert len(corners) == 4  # two angles, either sense of turning
    m = float(mu)
    nodes = [c for c in corners if c["kind"] == "node"]
    assert len(nodes) == 1
    th, w = nodes[0]["th"], nodes[0]["w0"]
    assert math.tan(th) == pytest.approx((3 * m - math.sqrt(9 * m * m - 16)) / 2, rel=1e-9)
    slope = -6 * math.sin(th) * math.cos(th) - 3 * m * math.cos(2 * th)
    first, second = slope * w, -6 * (m * math.sin(th) - math.cos(th)) * math.sin(th) * w
    assert nodes[0]["exponent"] == pytest.approx(second / first, rel=1e-6)
    assert nodes[0]["reached"] is reached


def test_reach_needs_a_map():
    answer = run_program("painleve", ROD, "--over", "th=0.2:1.5", "--reach", "mu=1.34:2")
    assert answer.code == 64 and "--reach needs a map" in answer.err


def test_a_stiffness_gives_the_approach_that_decides_the_indeterminate_case():
    """A1/sqrt(|B1'| K); without a profile K is the stiffness times the mass that the contact feels, 1/D_nn."""
    text = ROD.read_text()
    assert text.count("[contact.tip]\n") == 1
    for extra, spring in (("profile = 1\n", lambda r: 1e4), ("", lambda r: 1e4 / r["delassus"][0][0])):
        stiff = text.replace("[contact.tip]\n", "[contact.tip]\nstiffness = 1e4\n" + extra)
        result = run_program("painleve", "-", "--json", "--here", *PARADOX, "--set", "w0=1.5", stdin=stiff).json()
        tip = result["contacts"]["tip"]
        assert tip["critical_approach"] == pytest.approx(tip["A1"] / math.sqrt(-tip["B1"] * spring(result)), rel=1e-12)
        words = run_program("check", "-", "--contacts", *PARADOX, "--set", "w0=1.5", stdin=stiff).out
        assert "lifts off, a faster one ends in a tangential impact" in words
        rest = run_program("painleve", "-", "--json", "--here", *PARADOX, "--set", "w0=0.2", stdin=stiff).json()
        assert "critical_approach" not in rest["contacts"]["tip"]


def test_bolotovs_plane_of_a_rod_in_space(tmp_path):
    """D = 4 - 3 e e': the hyperbola is the pair of lines eta = 0 and xi = -tan th, the line B1' = 0 lies at xi = (4 + T²)/(3 T); in the
    paradox the point M moves to (mu, 0), along the circle, and slip stops."""
    model, file = ROOT / "examples/66-tumbling-rod/model.toml", tmp_path / "plane.svg"
    plane = run_program("painleve", model, "--here", "--bolotov", "--json").json()["bolotov"]
    t, mu = math.tan(1.1), 1.9
    far = (4 + t * t) / (3 * t)
    assert plane["circle"] == mu and plane["critical_friction"] == pytest.approx(far, rel=1e-12)
    xi, eta, constant = plane["line"]
    assert (-constant / xi, eta) == (pytest.approx(far, rel=1e-12), pytest.approx(0, abs=1e-14))
    h = plane["hyperbola"]
    assert (h["xi2"], h["eta2"], h["xi"]) == pytest.approx((0, 0, 0), abs=1e-14)
    assert h["eta"] / h["xi_eta"] == pytest.approx(t, rel=1e-12)
    assert plane["centre"] == pytest.approx([-t, 0], abs=1e-12)
    kept = sorted(p["M"][0] for p in plane["invariant"])
    assert kept == pytest.approx([-mu, mu], rel=1e-12)
    for point in plane["boundary"]:
        assert -mu * math.cos(point["angle"]) == pytest.approx(far, rel=1e-12)

    answer = run_program("painleve", model, "--here", "--bolotov", "-o", file)
    assert answer.code == 0, answer.err
    svg = file.read_text(encoding="utf-8")
    assert all(word in svg for word in ("|M| = friction", "direction kept", "B1' = 0", "M during the impact", "its start and end"))
    # The same impact in a run: it ends sticking.
    event = run_program("run", model, "--json", "--until", "1e-6").json()["events"][0]
    assert event["kind"] == "tangential_impact" and event["phases"][-1]["phase"].endswith("stick")
