# SPDX-License-Identifier: Apache-2.0
"""Springs of their own law: powers that begin at the surface of a contact, laws by name, potentials in coordinates."""

import math

import pytest
from conftest import run_program

METHODS = ["taylor", "rk"]


def run(text, *options, at=()):
    times = ["--at", ",".join(repr(float(t)) for t in at)] if at else []
    answer = run_program("run", "-", "--json", *options, *times, stdin=text)
    assert answer.code == 0, answer.err + answer.out[:600]
    result = answer.json()
    assert result["status"] == "done", result
    return result


def ball(law, *, speed, height=1.0, gravity=0.0, mass=1.0, until, contact=True, tolerance=1e-11):
    """A ball that flies at a floor; `law` is what stands in the contact, or the force on it."""
    place = f'[contact.floor]\ngap = "y"\n{law}' if contact else f"[force.floor]\ny = {law}"
    realised = 'contact = "elastic"\n' if contact else ""
    return f"""format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "{mass}/2*y'^2"
V = "{mass}*{gravity}*y"
{place}
[start]
y = {height}
[start.velocity]
y = {-speed}
[run]
{realised}until = {until}
tolerance = {tolerance}
"""


def instants(result, kinds):
    return [e["time"] for e in result["events"] if e["kind"] in kinds]


def contact_instants(result):
    """Where the contact begins and ends: events of an elastic contact, or crossings of the surface of a force."""
    return instants(result, ("attach", "release", "crossing"))


# m v²/2 = 2/5 k d^(5/2), and the time there and back: 2 ∫ dd/√(v² − 4k d^(5/2)/5m) = 4√π/5 Γ(2/5)/Γ(9/10) d/v
def hertz(k, m, v):
    depth = (5 * m * v * v / (4 * k)) ** 0.4
    return depth, 0.8 * math.sqrt(math.pi) * math.gamma(0.4) / math.gamma(0.9) * depth / v


WRITTEN = {
    "max": ('"1e4*max(-y, 0)^1.5"', False),
    "min": ('"1e4*(-min(y, 0))^1.5"', False),
    "if": ('"if(y < 0, 1e4*(-y)^1.5, 0)"', False),
    "abs": ('"1e4*((abs(y) - y)/2)^1.5"', False),
    "general power": ('"1e4*pow(max(0, -y), 3/2)"', False),
    "potential": ('potential = "1e4/2.5*(-gap)^2.5"\n', True),
    "potential in coordinates": ('potential = "1e4/2.5*(-y)^2.5"\n', True),
    "profile": ('stiffness = 1e4\nprofile = "hertz"\n', True),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("written", WRITTEN)
def test_hertz_in_closed_form_however_it_is_written(written, method):
    law, contact = WRITTEN[written]
    depth, duration = hertz(1e4, 1.0, 2.0)
    middle = 0.5 + duration / 2
    result = run(ball(law, speed=2.0, until=1.0, contact=contact), "--method", method, at=[middle, 1.0])
    begins, ends = contact_instants(result)
    assert abs(begins - 0.5) < 1e-10
    assert abs(ends - begins - duration) < 2e-10
    turned, last = result["samples"]
    assert abs(turned["q"]["y"] + depth) < 1e-9 and abs(turned["v"]["y"]) < 1e-5
    assert abs(last["v"]["y"] - 2.0) < 1e-9
    assert abs(last["q"]["y"] - 2.0 * (1.0 - 0.5 - duration)) < 2e-9


def test_the_exponent_may_be_a_parameter():
    # power n: depth ((n + 1) m v²/2k)^(1/(n+1))
    text = ball('"k*max(-y, 0)^n"', speed=2.0, until=1.0, contact=False)
    text = text.replace("[energy]", "[parameters]\nk = 5e3\nn = 2.3\n[energy]")
    depth = (3.3 * 4.0 / (2 * 5e3)) ** (1 / 3.3)
    duration = 2 * depth / 2.0 * math.sqrt(math.pi) / 3.3 * math.gamma(1 / 3.3) / math.gamma(1 / 3.3 + 0.5)
    result = run(text, at=[0.5 + duration / 2])
    assert abs(result["samples"][0]["q"]["y"] + depth) < 1e-9
    begins, ends = contact_instants(result)
    assert abs(ends - begins - duration) < 1e-9


def test_error_falls_with_the_tolerance():
    _, duration = hertz(1e4, 1.0, 2.0)
    errors = []
    for tolerance in (1e-5, 1e-8, 1e-11):
        result = run(ball('"1e4*max(-y, 0)^1.5"', speed=2.0, until=1.0, contact=False, tolerance=tolerance))
        begins, ends = contact_instants(result)
        errors.append(abs(ends - begins - duration))
    assert errors[2] < 1e-10 and errors[1] < 1e-7 and errors[0] < 1e-4, errors


def test_the_same_motion_in_millimetres_and_milliseconds():
    # length 1e3, time 1e3: k d^1.5 in kg m/s² becomes kg mm/ms² = 1e3 N
    slow = run(ball('stiffness = 1e4\nprofile = "hertz"\n', speed=2.0, until=1.0, gravity=9.81))
    scale = 1e4 * 1e3 ** -1.5 * 1e-3
    fast = run(ball(f'stiffness = {scale!r}\nprofile = "hertz"\n', speed=2.0, height=1e3, gravity=9.81e-3, until=1e3))
    for a, b in zip(contact_instants(slow), contact_instants(fast), strict=True):
        assert abs(b - 1e3 * a) < 1e-7


# Without gravity m v dv/dd = −k d^n (1 + λv): d drops out of v/(1 + λv) dv = −k d^n/m dd, hence
# (1 + e) q = ln((1 + q)/(1 − e q)), q = λ v, and the depth from k d^(n+1)/(n+1) = m/λ² (q − ln(1 + q)).
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("damping", [0.02, 0.3, 2.0])
def test_hunt_and_crossley(damping, method):
    speed, k, m = 1.5, 2e5, 0.3
    q = damping * speed
    low, high = 0.0, min(1.0, 1 / q - 1e-12)
    for _ in range(200):
        e = (low + high) / 2
        if (1 + e) * q - math.log((1 + q) / (1 - e * q)) > 0:
            low = e
        else:
            high = e
    depth = (2.5 * m / k / damping**2 * (q - math.log(1 + q))) ** 0.4
    law = f'stiffness = {k}\nprofile = "hunt-crossley"\ndamping = {damping}\n'
    text = ball(law, speed=speed, mass=m, until=1.0, tolerance=1e-12) + '[event.turns]\nwhen = "y\'"\ndirection = "up"\n'
    (turn,) = instants(run(text, "--method", method), ("user",))
    deepest, last = run(text, "--method", method, at=[turn, 1.0])["samples"]
    assert abs(deepest["q"]["y"] + depth) < 1e-9
    assert abs(last["v"]["y"] - e * speed) < 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("exponent", [2.5, 1.5, 3.2])
def test_a_round_soft_obstacle_keeps_energy_and_moment(exponent, method):
    """A first step much longer than the contact must not pass it unseen."""
    text = f"""format = 1
coordinates = ["x", "y"]
[parameters]
k = 3e3
[let]
depth = "max(0.2 - hypot(x, y), 0)"
[energy]
T = "(x'^2 + y'^2)/2"
V = "k*depth^{exponent}/{exponent}"
[start]
x = -1
y = 0.05
[start.velocity]
x = 2
[run]
until = 3
tolerance = 1e-11
"""
    result = run(text, "--method", method, at=[3])
    (last,) = result["samples"]
    q, v = last["q"], last["v"]
    begins, ends = contact_instants(result)
    assert abs(math.hypot(v["x"], v["y"]) - 2) < 1e-8
    assert abs(q["x"] * v["y"] - q["y"] * v["x"] + 0.1) < 1e-8
    # the way out is the mirror image of the way in: as long after the contact as before it the distance is the same
    after = 3 - ends
    assert abs(math.hypot(q["x"], q["y"]) - math.hypot(-1 + 2 * (begins - after), 0.05)) < 1e-8


@pytest.mark.parametrize("method", METHODS)
def test_a_spring_in_two_pieces(method):
    k1, k2, d, v = 1e3, 2e4, 0.02, 2.0
    w1, w2 = math.sqrt(k1), math.sqrt(k2)
    v1 = math.sqrt(v * v - k1 * d * d)
    duration = 2 * (math.asin(w1 * d / v) / w1 + math.atan2(v1 * w2, k1 * d) / w2)
    depth = d + (math.hypot(v1, k1 * d / w2) - k1 * d / w2) / w2
    law = f"profile = [[0, {k1}], [{d}, {k2}]]\n"
    result = run(ball(law, speed=v, until=1.0), "--method", method, at=[0.5 + duration / 2])
    touches = instants(result, ("attach", "release"))
    assert abs(touches[1] - touches[0] - duration) < 1e-10
    assert abs(result["samples"][0]["q"]["y"] + depth) < 1e-10


@pytest.mark.parametrize("law", ['potential = "1e4/2*y^2"\n', 'potential = "1e4/2*gap*y"\n', 'potential = "1e4/2*gap^2"\n'])
def test_a_potential_acts_only_while_the_gap_is_negative(law):
    # w = 100 under gravity: in contact for 2(π − atan(v w/g))/w, and back with the same speed
    g, v, w = 9.81, math.sqrt(2 * 9.81), 100.0
    duration = 2 * (math.pi - math.atan(v * w / g)) / w
    fall = math.sqrt(2 / g)
    deep = fall + 0.01
    result = run(ball(law, speed=0.0, gravity=g, until=1.3), at=[0.2, deep, 1.3])
    touches = instants(result, ("attach", "release"))
    assert abs(touches[0] - fall) < 1e-10 and abs(touches[1] - fall - duration) < 1e-10
    early, inside, late = result["samples"]
    assert abs(early["q"]["y"] - (1 - g / 2 * 0.04)) < 1e-10
    assert early["reactions"]["floor"] == 0
    assert abs(inside["q"]["y"] + (v / w * math.sin(1.0) + g / w**2 * (1 - math.cos(1.0)))) < 1e-10
    assert abs(inside["reactions"]["floor"] + 1e4 * inside["q"]["y"]) < 1e-6
    tau = 1.3 - fall - duration
    assert abs(late["q"]["y"] - (v * tau - g / 2 * tau * tau)) < 1e-9


def test_a_potential_that_does_not_begin_at_zero_stops_with_the_facts():
    text = ball('potential = "1e4/2*(y - 0.1)^2"\n', speed=2.0, until=1.0)
    answer = run_program("run", "-", "--json", stdin=text)
    result = answer.json()
    assert answer.code == 3 and "potential of contact floor is 50 " in result["reason"], result["reason"]
    assert abs(result["time"] - 0.5) < 1e-10


@pytest.mark.parametrize("text, said", [
    ('profile = "hertz"\n', "has no stiffness"),
    ('stiffness = 1e4\nprofile = "hunt-crossley"\n', "needs `damping`"),
    ('stiffness = 1e4\nprofile = [[0, 1e4]]\n', "piece by piece"),
    ("profile = [[0, 1e4], [0.1]]\n", "entries, not 2"),
    ("profile = [[0, 1e4], [0.1, 2e4], [0.1, 3e4]]\n", "deeper one by one"),
    ('stiffness = 1e4\nprofile = "hertz"\nrestitution = 0.5\n', "give damping instead"),
    ('stiffness = -1e4\nprofile = "hertz"\n', "stiffness"),
])
def test_laws_that_are_not_complete_are_refused(text, said):
    answer = run_program("run", "-", stdin=ball(text, speed=1.0, until=1.0))
    assert answer.code != 0 and said in answer.err + answer.out, answer.err + answer.out


def test_convergence_over_the_stiffness_refuses_a_law_of_its_own():
    text = ball('potential = "1e4/2*gap^2"\n', speed=1.0, until=2.0)
    answer = run_program("converge", "-", "--over", "stiffness=1e2:1e5:4", stdin=text)
    assert answer.code == 2 and "law" in answer.err and "--over" in answer.err, answer.err
    # the remedy: a softness that goes to zero; the rebound is late by π√s after an impact at t = 1
    soft = ball('potential = "gap^2/(2*s)"\n', speed=1.0, until=2.0).replace("[energy]", "[parameters]\ns = 1e-4\n[energy]")
    answer = run_program("converge", "-", "--over", "s=1e-3:1e-6:4", "--json", stdin=soft)
    assert answer.code in (0, 1, 3), answer.err


def test_convergence_over_a_parameter_starts_anew_for_each_value():
    text = """format = 1
coordinates = ["x"]
[parameters]
eps = 0.1
[energy]
T = "x'^2/2"
V = "x^2/2"
[start]
x = "1 + eps"
[start.velocity]
x = "eps^2"
[run]
until = 3
"""
    answer = run_program("converge", "-", "--over", "eps=1e-1:1e-3:5", "--json", stdin=text)
    assert answer.code == 0, answer.err
    study = answer.json()
    # |ε cos t + ε² sin t| is largest where tan t = ε
    for eps, error in zip(study["parameter"], study["errors"]["x"], strict=True):
        assert abs(error - eps * math.hypot(1, eps)) < 1e-4 * eps


def test_motions_side_by_side_leave_the_surface_too(tmp_path):
    """A sweep steps many motions together; each of them has a first step of its own at the surface."""
    text = ball('"k*max(-y, 0)^1.5"', speed=2.0, until=1.0, contact=False).replace("[energy]", "[parameters]\nk = 1e4\n[energy]")
    table = tmp_path / "final.csv"
    answer = run_program("sweep", "-", "--over", "k=2e3:2e5:17", "--keep", "final", "-o", table, stdin=text)
    assert answer.code == 0, answer.err
    rows = [line.split(",") for line in table.read_text().splitlines() if line[0].isdigit()]
    assert len(rows) == 17
    for k, y, v, *_ in rows:
        _, duration = hertz(float(k), 1.0, 2.0)
        assert abs(float(y) - 2.0 * (0.5 - duration)) < 1e-8 and abs(float(v) - 2.0) < 1e-8
