# SPDX-License-Identifier: Apache-2.0
"""Vibro-impact, moving and coupled constraints, several walls, against exact piecewise solutions; models as on paper."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

FOLDER = Path(__file__).resolve().parents[1] / "reference"


# Every motion is computed twice: by events and by Routh's function in unfolded coordinates.
REALISE = []


@pytest.fixture(params=["events", "routh"], autouse=True)
def realisation(request):
    REALISE[:] = ["--realise", f"contact={request.param}"]
    return request.param


def read(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def model(coordinates, kinetic, potential, contacts, start, until, more=""):
    """contacts: name → (gap, restitution); start: coordinate → (value, velocity)."""
    text = f"""
format = 1
name = "reference"
coordinates = {json.dumps(coordinates)}
[energy]
T = "{kinetic}"
V = "{potential}"
{more}
"""
    for name, (gap, e) in contacts.items():
        text += f'[contact.{name}]\ngap = "{gap}"\nrestitution = {e}\n'
    text += "[start]\n" + "".join(f"{name} = {q!r}\n" for name, (q, _) in start.items())
    text += "[start.velocity]\n" + "".join(f"{name} = {v!r}\n" for name, (_, v) in start.items())
    return text + f"[run]\nuntil = {float(until)!r}\ntolerance = 1e-13\n"


def run(text, samples=()):
    arguments = ["run", "-", "--json", *REALISE]
    if samples:
        arguments += ["--at", ",".join(repr(float(sample["t"])) for sample in samples)]
    answer = run_program(*arguments, stdin=text)
    assert answer.code == 0, answer.err + answer.out[:500]
    return answer.json()


def refused(text):
    """Routh's function cannot unfold gaps that feel each other; the program says so and names the way out."""
    answer = run_program("run", "-", *REALISE, stdin=text)
    assert answer.code == 2
    assert "E0910" in answer.err and 'contact = "events"' in answer.err


def impacts(result):
    return [event for event in result["events"] if event["kind"] == "impact"]


SPEEDS = ("gap_rate_minus", "s_dot_minus", "normal_velocity_minus")


def check_times(got, wanted, within=1e-9):
    """Times of impacts, and the speeds with which they come."""
    assert len(got) == len(wanted)
    for one, other in zip(got, wanted):
        assert abs(one["time"] - other["t"]) <= within
        (speed,) = [other[name] for name in SPEEDS if name in other]
        assert abs(abs(one["gap_rate"]) - abs(speed)) <= 1e-8


VIBRO = read("01-vibro-impact.json")["trajectories"]


@pytest.mark.parametrize("case", VIBRO, ids=[case["id"] for case in VIBRO])
def test_oscillator_with_a_stop(case):
    p, s = case["parameters"], case["initial"]
    drive = f"[force.drive]\ns = \"{p['epsilon']}*sin({p['omega']}*t) - {p['h']}*s'\""
    result = run(model(["s"], "s'^2/2", f"{p['Omega']}^2*s^2/2", {"stop": (f"{p['Delta']} - s", p["restitution"])},
                       {"s": (s["s"], s["s_dot"])}, case["t_end"], drive), case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        assert abs(got["q"]["s"] - wanted["s"]) <= 1e-8
        assert abs(got["v"]["s"] - wanted["s_dot"]) <= 1e-8
    check_times(impacts(result), case["impacts"])


COUPLED = read("01-coupled-moving.json")


@pytest.mark.parametrize("case", COUPLED["floor"], ids=[case["id"] for case in COUPLED["floor"]])
def test_particle_over_a_moving_floor(case):
    p, s = case["parameters"], case["initial"]
    gap = f"z - {p['A']}*cos({p['k']}*x - {p['w']}*t) - {p['slope']}*x"
    z, z_dot = s["z"], s["z_dot"]
    if z == "on floor":  # and moving along it
        z = p["A"] * math.cos(p["k"] * s["x"]) + p["slope"] * s["x"]
        z_dot = (p["slope"] - p["A"] * p["k"] * math.sin(p["k"] * s["x"])) * s["x_dot"]
        z_dot += p["A"] * p["w"] * math.sin(p["k"] * s["x"])
    result = run(model(["x", "z"], f"{p['m']}*(x'^2 + z'^2)/2", f"{p['m']}*{p['g']}*z", {"floor": (gap, p["restitution"])},
                       {"x": (s["x"], s["x_dot"]), "z": (z, z_dot)}, case["t_end"]), case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        assert abs(got["q"]["x"] - wanted["x"]) <= 1e-8
        assert abs(got["q"]["z"] - wanted["z"]) <= 1e-8

    def momentum(time, q, v):
        """Of x at constant distance from the floor: the momentum of Routh's function, continuous at impacts."""
        slope = p["slope"] - p["A"] * p["k"] * math.sin(p["k"] * q["x"] - p["w"] * time)
        return p["m"] * (v["x"] + slope * v["z"])

    for got, wanted in zip(result["samples"], case["samples"]):
        assert abs(momentum(wanted["t"], got["q"], got["v"]) - wanted["p"]) <= 1e-8
    # Down to the rebounds that are completed at once.
    hits = impacts(result)
    expected = [event for event in case["events_all_but_late_chatter"] if event["type"] == "impact"]
    chatters = any(event["type"] == "zeno" for event in case["events_all_but_late_chatter"])
    count = min(len(hits), len(expected))
    assert count >= 8 if chatters else len(hits) == len(expected)
    for got, wanted in zip(hits[:count], expected):
        assert abs(got["time"] - wanted["t"]) <= 1e-9
        assert abs(got["q"]["x"] - wanted["x"]) <= 1e-8
        assert abs(got["gap_rate"] - wanted["gap_rate_minus"]) <= 1e-8
        assert abs(got["v_minus"]["x"] - wanted["x_dot_minus"]) <= 1e-8
        assert abs(got["v_plus"]["x"] - wanted["x_dot_plus"]) <= 1e-8
        assert abs(momentum(got["time"], got["q"], got["v_minus"]) - wanted["p"]) <= 1e-8
        assert abs(momentum(got["time"], got["q"], got["v_plus"]) - wanted["p"]) <= 1e-8


@pytest.mark.parametrize("case", COUPLED["rod"], ids=[case["id"] for case in COUPLED["rod"]])
def test_rod_over_a_smooth_floor(case, realisation):
    p, s = case["parameters"], case["initial"]
    tips = {f"tip{i}": (f"z - ({tip})*{p['l']}*sin(theta)", p["restitution"]) for i, tip in enumerate(p["tips"])}
    text = model(["z", "theta"], f"{p['m']}*z'^2/2 + {p['J']}*theta'^2/2", f"{p['m']}*{p['g']}*z", tips,
                 {"z": (s["z"], s["z_dot"]), "theta": (s["theta"], s["theta_dot"])}, case["t_end"])
    if realisation == "routh" and len(tips) > 1:
        refused(text)
        return
    result = run(text, case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        for name in ("z", "theta"):
            assert abs(got["q"][name] - wanted[name]) <= 1e-8
            assert abs(got["v"][name] - wanted[name + "_dot"]) <= 1e-8
    check_times(impacts(result), case["impacts"])
    for got, wanted in zip(impacts(result), case["impacts"]):
        assert abs(got["impulse"] - wanted["impulse"]) <= 1e-8
        assert abs(got["q"]["theta"] - wanted["theta"]) <= 1e-8
        assert abs(got["v_minus"]["theta"] - wanted["theta_dot_minus"]) <= 1e-8
        assert abs(got["v_plus"]["theta"] - wanted["theta_dot_plus"]) <= 1e-8


@pytest.mark.parametrize("case", COUPLED["rod_contact_liftoff"])
def test_rod_leaves_the_floor(case):
    text = model(["z", "theta"], f"{case['m']}*z'^2/2 + {case['J']}*theta'^2/2", f"{case['m']}*{case['g']}*z",
                 {"tip": (f"z - {case['l']}*sin(theta)", 0.0)},
                 {"z": (case["l"] * math.sin(case["theta0"]), case["l"] * math.cos(case["theta0"]) * case["theta_dot0"]),
                  "theta": (case["theta0"], case["theta_dot0"])}, case["t_liftoff"] + 0.001)
    result = run(text, [{"t": 0.0}])
    assert abs(result["samples"][0]["reactions"]["tip"] - case["N0"]) <= 1e-11
    releases = [event for event in result["events"] if event["kind"] == "release"]
    assert len(releases) == 1
    assert abs(releases[0]["time"] - case["t_liftoff"]) <= 1e-9
    assert abs(releases[0]["q"]["theta"] - case["theta_liftoff"]) <= 1e-9
    assert abs(releases[0]["v_minus"]["theta"] - case["theta_dot_liftoff"]) <= 1e-8


WEDGE = read("01-several-constraints.json")["wedge"]


@pytest.mark.parametrize("case", WEDGE, ids=[case["id"] for case in WEDGE])
def test_particle_in_a_wedge(case, realisation):
    p, s = case["parameters"], case["initial"]
    walls = {"one": (f"Z*cos({p['a1']}) - X*sin({p['a1']})", p["restitution"]),
             "two": (f"Z*cos({p['a2']}) + X*sin({p['a2']})", p["restitution"])}
    text = model(["X", "Z"], "(X'^2 + Z'^2)/2", f"{p['g']}*Z", walls,
                 {"X": (s["X"], s["X_dot"]), "Z": (s["Z"], s["Z_dot"])}, case["t_end"])
    if realisation == "routh" and abs(p["a1"] + p["a2"] - math.pi / 2) > 1e-6:
        refused(text)
        return
    result = run(text, case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        for name in ("X", "Z"):
            assert abs(got["q"][name] - wanted[name]) <= 1e-8
            assert abs(got["v"][name] - wanted[name + "_dot"]) <= 1e-8
    check_times(impacts(result), case["impacts"])
    for got, wanted in zip(impacts(result), case["impacts"]):
        assert got["where"] == {1: "one", 2: "two"}[wanted["wall"]]
        assert abs(got["q"]["X"] - wanted["X"]) <= 1e-8 and abs(got["q"]["Z"] - wanted["Z"]) <= 1e-8


EXTRA = read("01-extra-systems.json")


@pytest.mark.parametrize("case", EXTRA["line_collisions"], ids=[case["id"] for case in EXTRA["line_collisions"]])
def test_masses_on_a_line_collide_as_often_as_theory_says(case, realisation):
    p, s = case["parameters"], case["initial"]
    last = case["events_first_and_last"][-1]["t"]
    text = model(["x1", "x2"], f"{p['m1']}*x1'^2/2 + {p['m2']}*x2'^2/2", "0", {"wall": ("x1", 1), "pair": ("x2 - x1", 1)},
                 {"x1": (s["x1"], s["v1"]), "x2": (s["x2"], s["v2"])}, last * 1.5 + 1)
    if realisation == "routh":
        refused(text)
        return
    result = run(text)
    assert len(impacts(result)) == case["collision_count"]
    hits = impacts(result)
    if len(case["events_first_and_last"]) == len(hits):
        for got, wanted in zip(hits, case["events_first_and_last"]):
            assert got["where"] == wanted["kind"] and abs(got["time"] - wanted["t"]) <= 1e-9
            assert abs(got["q"]["x2"] - wanted["x2"]) <= 1e-8
    assert abs(result["state"]["v"]["x1"] - case["final"]["v1"]) <= 1e-8
    assert abs(result["state"]["v"]["x2"] - case["final"]["v2"]) <= 1e-8


def test_string_of_variable_length():
    case = EXTRA["variable_string"]
    case = case[0] if isinstance(case, list) else case
    p, s = case["parameters"], case["initial"]
    x, z = s["r"] * math.sin(s["y"]), -s["r"] * math.cos(s["y"])
    x_dot = s["r_dot"] * math.sin(s["y"]) + s["r"] * math.cos(s["y"]) * s["y_dot"]
    z_dot = -s["r_dot"] * math.cos(s["y"]) + s["r"] * math.sin(s["y"]) * s["y_dot"]
    gap = f"{p['R0']} + {p['A']}*sin({p['w']}*t) - sqrt(x^2 + z^2)"
    result = run(model(["x", "z"], f"{p['m']}*(x'^2 + z'^2)/2", f"{p['m']}*{p['g']}*z", {"string": (gap, 1)},
                       {"x": (x, x_dot), "z": (z, z_dot)}, case["t_end"]), case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        assert abs(got["q"]["x"] - wanted["X"]) <= 1e-8
        assert abs(got["v"]["z"] - wanted["Z_dot"]) <= 1e-8
    check_times(impacts(result), case["impacts"])


@pytest.mark.parametrize("case", EXTRA["spring_floor"], ids=[case["id"] for case in EXTRA["spring_floor"]])
def test_spring_pendulum_over_a_floor_in_polar_coordinates(case):
    p, s = case["parameters"], case["initial"]
    potential = f"{p['k']}*(r - {p['l0']})^2/2 - {p['m']}*{p['g']}*r*cos(phi)"
    result = run(model(["r", "phi"], f"{p['m']}*(r'^2 + r^2*phi'^2)/2", potential,
                       {"floor": (f"{p['h']} - r*cos(phi)", p["restitution"])},
                       {"r": (s["r"], s["r_dot"]), "phi": (s["phi"], s["phi_dot"])}, case["t_end"]), case["samples"])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        r, phi = got["q"]["r"], got["q"]["phi"]
        assert abs(r * math.sin(phi) - wanted["X"]) <= 1e-8
        assert abs(-r * math.cos(phi) - wanted["Z"]) <= 1e-8
    if case["parameters"]["restitution"] == 1.0:
        check_times(impacts(result), case["impacts"])


def test_walls_that_hold_a_body_drive_its_slip(liaison, model):
    """A body in a rough V whose right wall goes to and fro: both gaps stay closed, so they alone say how it moves.

    With s(t) = 0.1 sin^2 4t the gaps give x = s/1.6, y = -s/1.2; both slips have the sign of -s' and turn with it, and the
    normal forces follow from Newton's equations with friction against the slips. Work of friction by quadrature.
    """
    text = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[contact.left]
gap = "0.6*y + 0.8*x"
slip = "0.8*y' - 0.6*x'"
friction = 0.3
[contact.right]
gap = "0.6*y - 0.8*x + 0.1*sin(4*t)^2"
slip = "0.8*y' + 0.6*x'"
friction = 0.3
[run]
until = 2
tolerance = 1e-12
"""
    mu = 0.3

    def power(t):
        rate, second = 0.4 * math.sin(8 * t), 3.2 * math.cos(8 * t)
        slips = (-0.8 * rate / 1.2 - 0.6 * rate / 1.6, -0.8 * rate / 1.2 + 0.6 * rate / 1.6)
        ax, ay = second / 1.6, -second / 1.2 + 9.81
        sign = -1.0 if rate > 0 else 1.0
        # ax = 0.8 (N1 - N2) - 0.6 (T1 - T2), ay = 0.6 (N1 + N2) + 0.8 (T1 + T2), T = -mu sign N
        difference = ax / (0.8 + 0.6 * mu * sign)
        total = ay / (0.6 - 0.8 * mu * sign)
        normal = ((total + difference) / 2, (total - difference) / 2)
        return -mu * sum(n * abs(v) for n, v in zip(normal, slips))

    def simpson(a, b, n=2000):
        h = (b - a) / n
        return h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * power(a + i * h) for i in range(n + 1))

    turns = [k * math.pi / 8 for k in range(1, 6)]
    edges = [0.0, *turns, 2.0]
    tiny = 1e-15  # the sign of s' inside each part
    work = sum(simpson(a + tiny, b - tiny) for a, b in zip(edges, edges[1:]))
    run = liaison("run", model(text), "--json").json()
    assert run["status"] == "done"
    found = [e["time"] for e in run["events"] if e["kind"] == "reverse" and e["where"] == "left"]
    assert found == pytest.approx(turns, abs=1e-11)
    assert run["energy"]["friction"] == pytest.approx(work, abs=1e-9)
    assert run["contacts"]["natural"] < 1e-12
