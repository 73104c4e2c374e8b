# SPDX-License-Identifier: Apache-2.0
"""Friction at several contacts, moving contacts, static and velocity-dependent coefficients, energy audit."""

import json
import math
from pathlib import Path

import pytest
from conftest import ROOT, run_program

REFERENCE = Path(__file__).resolve().parents[1] / "reference"
BOX = ROOT / "examples/63-box-on-a-slope/model.toml"


def load(name):
    return json.loads((REFERENCE / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("point", load("07-incline.json")["points"], ids=lambda p: f"{p['region']}-{p['al']}-{p['mu']}")
def test_box_on_a_slope(point):
    answer = run_program("run", BOX, "--json", "--at", "0", "--until", "0.2", "--set", f"al={point['al']}",
                         "--set", f"mu={point['mu']}")
    assert answer.code == 0, answer.out
    result = answer.json()
    s = result["samples"][0]
    assert [s["a"][c] for c in ("x", "y", "th")] == pytest.approx(point["acceleration"], abs=1e-10)
    feet = [s["reactions"]["lower"], s["reactions"]["upper"]]
    assert [f["normal"] for f in feet] == pytest.approx(point["normal"], abs=1e-10)
    assert sum(f["tangential"][0] for f in feet) == pytest.approx(point["tangential_sum"], abs=1e-10)
    words = {"stick": ("stick", "stick"), "slide": ("slip", "slip"), "tip": ("stick", "open"),
             "tip and slide": ("slip", "open")}[point["region"]]
    assert (s["mode"]["lower"], s["mode"]["upper"]) == words
    assert abs(result["energy"]["unexplained"]) < 1e-8


def belt(friction, v, k, m, x):
    return f"""
format = 1
name = "belt"
coordinates = ["x", "y"]
[energy]
T = "{m}*(x'^2 + y'^2)/2"
V = "{k}*x^2/2 + y"
[contact.belt]
gap = "y"
slip = "x' - {v}"
friction = {friction}
[start]
x = {x!r}
closed = ["belt"]
[start.velocity]
x = {v}
[run]
until = 40
tolerance = 1e-12
"""


@pytest.mark.parametrize("case", load("05-belt-oscillator.json")["coulomb"], ids=lambda c: f"v={c['parameters']['v']}")
def test_static_friction_on_a_moving_belt(case):
    p = case["parameters"]
    friction = f'{{ static = {p["Fs"]}, dynamic = {p["Fd"]} }}'
    result = run_program("run", "-", "--json", stdin=belt(friction, p["v"], p["k"], p["m"], 0.0)).json()
    kinds = [(e["kind"], e["time"]) for e in result["events"]]
    slip = [t for k, t in kinds if k == "slip"]
    stick = [t for k, t in kinds if k == "stick"]
    assert stick[0] - slip[0] == pytest.approx(case["slip_time"], abs=1e-9)
    assert slip[1] - stick[0] == pytest.approx(case["stick_time"], abs=1e-9)
    assert slip[1] - slip[0] == pytest.approx(case["period"], abs=1e-9)
    assert abs(result["energy"]["unexplained"]) < 1e-9


def test_exact_state_after_the_impact_without_collision():
    """Uniform rod at 61°, μ = 1.6, tip pulled at 2 m/s: closed form of the tangential impact (e = 0)."""
    th, v0, g = math.radians(61), -2.0, 9.81
    c, s = math.cos(th), math.sin(th)
    d_nn, d_nt, d_tt = 1 + 3 * c * c, -3 * s * c, 1 + 3 * s * s
    det = d_nn * d_tt - d_nt * d_nt
    normal, tangential = d_nt * v0 / det, -d_nn * v0 / det
    omega = 3 * (-normal * c + tangential * s)
    model = f"""
format = 1
name = "rod"
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2)/2 + th'^2/6"
V = "{g}*y"
[contact.tip]
gap = "y - sin(th)"
slip = "der(x - cos(th))"
friction = 1.6
[start]
x = {c!r}
y = {s!r}
th = {th!r}
closed = ["tip"]
[start.velocity]
x = {v0}
[run]
until = 1e-9
"""
    result = run_program("run", "-", "--json", stdin=model).json()
    event = result["events"][0]
    assert event["kind"] == "tangential_impact" and event["case"] == "inconsistent"
    assert event["impulse"] == pytest.approx(normal, abs=1e-9)
    assert event["tangential"][0] == pytest.approx(tangential, abs=1e-9)
    v = event["v_plus"]
    assert v["th"] == pytest.approx(omega, abs=1e-9)
    kinetic = (v["x"] ** 2 + v["y"] ** 2) / 2 + v["th"] ** 2 / 6
    assert kinetic == pytest.approx(2.0 - d_nn * v0 * v0 / (2 * det), abs=1e-9)
    # the numbers other programs were measured against
    assert v["th"] == pytest.approx(1.3119, abs=5e-5)
    assert kinetic == pytest.approx(1.1475, abs=1e-4)
    assert (normal, tangential) == (pytest.approx(0.636, abs=5e-4), pytest.approx(0.853, abs=5e-4))


def test_woodpecker_period_and_drop():
    case = load("06-woodpecker.json")["cases"][0]
    result = run_program("run", ROOT / "examples/10-woodpecker/model.toml", "--json", "--until", "0.15").json()
    again = [e for e in result["events"] if e["kind"] == "slip" and e["where"] == "sleeve_lower"][-1]
    assert again["time"] == pytest.approx(case["period"], abs=1e-9)
    assert again["q"]["y"] == pytest.approx(-case["drop_per_cycle"], abs=1e-9)
    assert again["v_plus"]["phiS"] == pytest.approx(case["section_angular_velocity"], abs=1e-6)
    assert abs(result["energy"]["unexplained"]) < 1e-12


@pytest.mark.parametrize("slip", ['"der(x - pitch)"', '["der(x - pitch)", "y\'"]'], ids=["plane", "space"])
def test_friction_that_rises_takes_slip_into_the_boundary_of_its_paradox(slip):
    """D = (3.5, 5, 11): B1' = 3.5 - 5 mu(v) falls to zero at v = ln(5/3) while A1 = -g, in a time that is a quadrature; there a
    tangential impact stops the slip."""
    text = f"""
format = 1
name = "sled on one foot"
coordinates = ["x", "y", "z", "pitch"]
[energy]
T = "(x'^2 + y'^2 + z'^2 + 0.1*pitch'^2)/2"
V = "9.81*z"
[contact.foot]
gap = "z - 0.5*pitch"
slip = {slip}
friction = "0.4 + 0.5*exp(-abs(slip))"
[start]
closed = ["foot"]
[start.velocity]
x = 1
[run]
until = 0.1
"""
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.out[:600] + answer.err
    result = answer.json()

    def waits(v):
        mu = 0.4 + 0.5 * math.exp(-v)
        return (3.5 - 5 * mu) / (9.81 * (11 * mu - 5))

    low, n = math.log(5 / 3), 200
    h = (1 - low) / n
    time = h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * waits(low + i * h) for i in range(n + 1))
    event = result["events"][0]
    assert (event["kind"], event["case"], event["rule"]) == ("tangential_impact", "boundary", "impact")
    assert event["time"] == pytest.approx(time, abs=1e-10)
    det = 3.5 * 11 - 25
    assert event["impulse"] == pytest.approx(5 * low / det, abs=1e-8)
    assert event["tangential"][0] == pytest.approx(-3.5 * low / det, abs=1e-8)
    assert abs(result["energy"]["unexplained"]) < 1e-9


def rails(push, stop=""):
    """A bead between two rough rails without play, lifted off the lower one and pressed to the upper one as time goes on."""
    sides = "".join(f"""
[contact.{name}]
gap = "{sign}y"
slip = "x'"
friction = 0.3
""" for name, sign in (("low", ""), ("up", "-")))
    return f"""
format = 1
name = "bead between rails"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[force.lift]
x = {push}
y = "15*sin(3*t)"
{sides}{stop}
[start]
closed = ["low", "up"]
[start.velocity]
x = 3
[run]
until = 2
"""


def pressed(a, b):
    """Integral of |9.81 - 15 sin 3t| from a to b, and the integral of that integral."""
    n = 2000
    h = (b - a) / n
    size = [abs(9.81 - 15 * math.sin(3 * (a + i * h))) for i in range(n + 1)]
    weights = [1 if i in (0, n) else 4 if i % 2 else 2 for i in range(n + 1)]
    return (h / 3 * sum(w * s for w, s in zip(weights, size)),
            h / 3 * sum(w * s * (b - a - i * h) for i, (w, s) in enumerate(zip(weights, size))))


def first(condition, low, high):
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if condition(middle) else (middle, high)
    return high


def test_load_that_passes_between_two_contacts_without_play():
    """Friction is mu |g - f(t)| all the time, as on a guide: the bead stops, turns back and stops for good. The rails could also be
    wedged, with any force between them, which holds it where it turns: nothing asks for that, and it is told."""
    answer = run_program("run", "-", "--json", "--at", "0.2,0.25,0.5", stdin=rails(-4))
    assert answer.code == 0, answer.out[:500] + answer.err
    result = answer.json()
    for sample in result["samples"]:
        t = sample["t"]
        assert sample["v"]["x"] == pytest.approx(3 - 4 * t - 0.3 * pressed(0, t)[0], abs=1e-6)
        load = 9.81 - 15 * math.sin(3 * t)
        assert [sample["reactions"][name]["normal"] for name in ("low", "up")] == pytest.approx(
            [max(load, 0), max(-load, 0)], abs=1e-9)
    turns = first(lambda t: 3 - 4 * t - 0.3 * pressed(0, t)[0] < 0, 0.4, 0.7)
    stops = first(lambda t: -4 * (t - turns) + 0.3 * pressed(turns, t)[0] > 0, turns + 0.1, 1.9)
    events = [(e["kind"], e["where"]) for e in result["events"]]
    times = {(e["kind"], e["where"]): e["time"] for e in result["events"]}
    for name in ("low", "up"):
        assert times[("reverse", name)] == pytest.approx(turns, abs=1e-6)
        assert times[("stick", name)] == pytest.approx(stops, abs=1e-6)
        assert events.count(("stick", name)) == 1
    turned = next(e for e in result["events"] if e["kind"] == "reverse")
    assert (turned["case"], turned["rule"]) == ("indeterminate", "least norm")
    told = [(e["where"], e["rule"]) for e in result["events"] if e["kind"] == "slip"]
    assert told[:2] == [("low", "even share, carries nothing"), ("up", "even share, presses again")]
    assert abs(result["energy"]["unexplained"]) < 1e-10


def test_a_rough_guide_beside_a_stop():
    """Written as two contacts without play the guide goes beside other contacts: a stop throws the bead back."""
    stop = """
[contact.stop]
gap = "0.5 - x"
restitution = 0.5
"""
    result = run_program("run", "-", "--json", stdin=rails(0, stop)).json()
    hits = first(lambda t: 3 * t - 0.3 * pressed(0, t)[1] > 0.5, 0.05, 0.4)
    before = 3 - 0.3 * pressed(0, hits)[0]
    impact = next(e for e in result["events"] if e["kind"] == "impact")
    assert impact["time"] == pytest.approx(hits, abs=1e-6)
    assert impact["v_minus"]["x"] == pytest.approx(before, abs=1e-6)
    assert impact["v_plus"]["x"] == pytest.approx(-before / 2, abs=1e-6)
    stops = first(lambda t: -before / 2 + 0.3 * pressed(hits, t)[0] > 0, hits + 0.01, 1.9)
    stuck = {e["where"]: e["time"] for e in result["events"] if e["kind"] == "stick"}
    assert stuck == {name: pytest.approx(stops, abs=1e-6) for name in ("low", "up")}
