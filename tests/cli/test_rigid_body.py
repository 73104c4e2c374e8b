# SPDX-License-Identifier: Apache-2.0
"""Bodies with a fixed point: Lagrange, Kovalevskaya, the heavy gyrostat, and their integrals."""

import json
from pathlib import Path

import pytest

REFERENCE = Path(__file__).resolve().parent.parent / "reference" / "03-rigid-body.json"
CASES = json.loads(REFERENCE.read_text())["cases"]


def text_of(case, run=""):
    """gamma points up; the gyrostat's own vertical points down, so that its r is the opposite of weight times centre."""
    gyrostat = case["name"] == "heavy gyrostat"
    arm = [-x for x in case["r"]] if gyrostat else case["P_rc"]
    omega, gamma = case["points"][0]["state"][:3], case["points"][0]["state"][3:]
    A, B, C = case["inertia"]
    k = case["gyrostatic_moment"]
    return f"""format = 1
name = "body"
[body.b]
kind = "fixed-point"
inertia = [{A}, {B}, {C}]
weight = 1.0
center = {arm}
gyrostat = {k}
[integral]
energy = "({A}*p^2 + {B}*q^2 + {C}*r^2)/2 + ({arm[0]})*gamma1 + ({arm[1]})*gamma2 + ({arm[2]})*gamma3"
area = "({A}*p + ({k[0]}))*gamma1 + ({B}*q + ({k[1]}))*gamma2 + ({C}*r + ({k[2]}))*gamma3"
geometric = "gamma1^2 + gamma2^2 + gamma3^2"
[start]
gamma1 = {gamma[0]}
gamma2 = {gamma[1]}
gamma3 = {gamma[2]}
[start.velocity]
p = {omega[0]}
q = {omega[1]}
r = {omega[2]}
[run]
until = 10.0
tolerance = 1e-13
{run}
"""


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_trajectory_and_integrals(liaison, model, case):
    points = case["points"]
    run = liaison("run", "--json", model(text_of(case)), "--at", ",".join(str(p["t"]) for p in points)).json()
    assert run["status"] == "done"
    for sample, point in zip(run["samples"], points, strict=True):
        values = [sample["v"][n] for n in "pqr"] + [sample["q"][f"gamma{i}"] for i in (1, 2, 3)]
        assert values == pytest.approx(point["state"], abs=1e-10)
    for name in ("energy", "area", "geometric"):
        assert run["integrals"][name]["start"] == pytest.approx(points[0]["integrals"][name], abs=1e-12)
        assert run["integrals"][name]["max_drift"] < 1e-11


def test_integrals_are_held_when_asked(liaison, model):
    """Over a long run at a loose tolerance the integrals drift, and are held by the correction after the step."""
    case = next(c for c in CASES if c["name"] == "heavy gyrostat")
    options = ("--until", "2000", "--tolerance", "1e-7")
    free = liaison("run", "--json", model(text_of(case)), *options).json()
    held = liaison("run", "--json", model(text_of(case, 'hold = ["energy", "area", "geometric"]')), *options).json()
    assert held["status"] == free["status"] == "done"
    assert max(free["integrals"][n]["max_drift"] for n in free["integrals"]) > 1e-8
    for name in held["integrals"]:
        assert abs(held["integrals"][name]["end"] - held["integrals"][name]["start"]) < 1e-12


def test_a_permanent_rotation_has_dependent_gradients(liaison, model):
    """Spin about the vertical axis of symmetry: the gradients of energy and area are parallel there."""
    case = next(c for c in CASES if c["name"] == "Lagrange")
    upright = dict(case, points=[{"t": 0, "state": [0.0, 0.0, 4.0, 0.0, 0.0, 1.0]}])
    run = liaison("run", "--json", model(text_of(upright, 'hold = ["energy", "area", "geometric"]')), "--until", "50").json()
    assert run["status"] == "done"
    assert run["state"]["v"] == pytest.approx({"p": 0.0, "q": 0.0, "r": 4.0}, abs=1e-9)


def test_what_an_event_changes_is_held_from_then_on(liaison, model):
    case = next(c for c in CASES if c["name"] == "Lagrange")
    text = text_of(case, 'hold = ["energy", "area", "geometric"]') + """
[event.push]
when = "t - 1"
set.velocity.r = "r + 1"
"""
    run = liaison("run", "--json", model(text), "--at", "1.5,9.5", "--until", "10").json()
    energies = []
    for s in run["samples"]:
        p, q, r = (s["v"][n] for n in "pqr")
        energies.append((2 * p * p + 2 * q * q + 1.2 * r * r) / 2 + 1.5 * s["q"]["gamma3"])
    assert energies[0] == pytest.approx(10.93 + 0.6 * (25 - 16), abs=1e-10)
    assert energies[1] == pytest.approx(energies[0], abs=1e-12)


@pytest.mark.parametrize("rate, steps, drift", [(None, 1000, 1.06e-3), (1, 1000, 0.96e-3), (5, 1000, 1.28e-3), (None, 4000, 4.2e-3)])
def test_a_law_inside_the_equations_does_not_help_a_fixed_step(liaison, model, rate, steps, drift):
    """The measurement of theory 03 §12 on the heavy gyrostat: Heun's method with steps of 0.05."""
    case = next(c for c in CASES if c["name"] == "heavy gyrostat")
    law = f'hold = ["energy", "area", "geometric"]\nhold_rate = {rate}\n' if rate else ""
    text = text_of(case, law + 'method = "heun"\nstep = 0.05').replace("until = 10.0", f"until = {0.05 * steps}")
    run = liaison("run", "--json", model(text)).json()
    assert run["status"] == "done"
    assert max(i["max_drift"] for i in run["integrals"].values()) == pytest.approx(drift, rel=0.012)


def test_the_correction_after_the_step_does(liaison, model):
    case = next(c for c in CASES if c["name"] == "heavy gyrostat")
    text = text_of(case, 'hold = ["energy", "area", "geometric"]\nmethod = "heun"\nstep = 0.05')
    run = liaison("run", "--json", model(text), "--until", "200").json()
    w = [run["state"]["v"][n] for n in "pqr"]
    g = [run["state"]["q"][f"gamma{i}"] for i in (1, 2, 3)]
    J, k, arm = case["inertia"], case["gyrostatic_moment"], case["r"]
    wanted = case["points"][0]["integrals"]
    energy = sum(a * x * x for a, x in zip(J, w)) / 2 - sum(r * x for r, x in zip(arm, g))
    area = sum((a * x + m) * y for a, x, m, y in zip(J, w, k, g))
    assert energy == pytest.approx(wanted["energy"], abs=5e-12)
    assert area == pytest.approx(wanted["area"], abs=5e-12)
    assert sum(x * x for x in g) == pytest.approx(1.0, abs=5e-12)
    # What the motion goes on from, and what one step of Heun's method makes before it is corrected.
    for one in run["integrals"].values():
        assert one["max_drift"] < 5e-12 and 1e-9 < one["max_drift_between"] < 1e-3
        assert abs(one["end"] - one["start"]) < 5e-12


def test_the_law_lets_drift_decay(liaison, model):
    """At a loose tolerance the drift of a free run grows; under the law with p = 5 it does not, and permanent rotations
    pass with their dependent gradients."""
    case = next(c for c in CASES if c["name"] == "heavy gyrostat")
    options = ("--until", "2000", "--tolerance", "1e-7")
    law = 'hold = ["energy", "area", "geometric"]\nhold_rate = 5'
    free = liaison("run", "--json", model(text_of(case)), *options).json()
    held = liaison("run", "--json", model(text_of(case, law)), *options).json()
    assert held["status"] == "done"
    for name in held["integrals"]:
        assert held["integrals"][name]["max_drift"] <= max(1e-8, 0.1 * free["integrals"][name]["max_drift"])
    upright = dict(case, inertia=[2.0, 2.0, 1.2], gyrostatic_moment=[0.0, 0.0, 0.0], r=[0.0, 0.0, -1.5],
                   points=[{"t": 0, "state": [0.0, 0.0, 4.0, 0.0, 0.0, 1.0]}])
    run = liaison("run", "--json", model(text_of(upright, law)), "--until", "50").json()
    assert run["status"] == "done"
    assert run["state"]["v"] == pytest.approx({"p": 0.0, "q": 0.0, "r": 4.0}, abs=1e-9)


PINNED = """format = 1
[body.b]
kind = "free"
mass = 2.0
inertia = [0.3, 0.4, 0.5]
[constraint.x]
equation = "b.point(0, 0, 1).x = 0"
[constraint.y]
equation = "b.point(0, 0, 1).y = 0"
[constraint.z]
equation = "b.point(0, 0, 1).z = 0"
[start]
z = -1
{start}
[start.velocity]
p = 0.7
q = -0.4
r = 0.2
{velocity}
[run]
until = 1
tolerance = 1e-12
"""


def test_quasi_velocities_are_solved_for(liaison):
    """A body that turns about a pin at e = (0, 0, 1) of it: v + ω × e = 0, so that v = (−q, p, 0)."""
    refused = liaison("run", "-", stdin=PINNED.format(start="", velocity=""))
    assert refused.code == 2 and "E0502" in refused.err and "solve" in refused.err
    answer = liaison("run", "-", "--json", "--at", "0,1", stdin=PINNED.format(start='solve = ["vx", "vy", "vz"]', velocity=""))
    assert answer.code == 0, answer.err + answer.out[:500]
    first, last = answer.json()["samples"]
    for name, value in {"vx": 0.4, "vy": 0.7, "vz": 0.0, "p": 0.7, "q": -0.4, "r": 0.2}.items():
        assert abs(first["v"][name] - value) < 1e-12, first["v"]
    # nothing but the pin acts: energy and the moment about it stay
    energy = [sum(c * s["v"][n] ** 2 for n, c in (("vx", 2), ("vy", 2), ("vz", 2), ("p", 0.3), ("q", 0.4), ("r", 0.5)))
              for s in (first, last)]
    assert abs(energy[1] - energy[0]) < 1e-10


def test_positions_of_bodies_bring_their_velocities_and_orientations_stay_unit(liaison):
    answer = liaison("run", "-", "--json", "--at", "0",
                     stdin=PINNED.format(start='y = 0.1\nsolve = ["x", "y", "z"]', velocity=""))
    assert answer.code == 0, answer.err
    (first,) = answer.json()["samples"]
    assert abs(first["q"]["y"]) < 1e-12 and abs(first["v"]["vy"] - 0.7) < 1e-12
    # a point held off the axis of the pin: the orientation is found, and it is one
    turned = PINNED.replace("z = -1", "z = -0.8\ny = 0.6").replace("p = 0.7\nq = -0.4\nr = 0.2\n", "")
    answer = liaison("run", "-", "--json", "--at", "0",
                     stdin=turned.format(start='e0 = 0.95\ne1 = 0.3\nsolve = ["e0", "e1", "e2", "e3"]', velocity=""))
    assert answer.code == 0, answer.err
    q = answer.json()["samples"][0]["q"]
    assert abs(sum(q[e] ** 2 for e in ("e0", "e1", "e2", "e3")) - 1) < 1e-12
    assert abs(q["e0"] ** 2 - q["e1"] ** 2 - q["e2"] ** 2 + q["e3"] ** 2 - 0.8) < 1e-10


def test_quasi_velocities_of_the_user_are_solved_for(liaison):
    text = """format = 1
coordinates = ["x", "y", "th"]
velocities = ["v", "w"]
[rates]
x = "v*cos(th)"
y = "v*sin(th)"
th = "w"
[energy]
T = "v^2/2 + w^2/2"
[constraint.circle]
equation = "v - 2*w = 0"
[start]
solve = ["w"]
[start.velocity]
v = 3
[run]
until = 1
"""
    answer = liaison("run", "-", "--json", "--at", "0,1", stdin=text)
    assert answer.code == 0, answer.err
    first, last = answer.json()["samples"]
    assert abs(first["v"]["w"] - 1.5) < 1e-12
    assert abs(last["q"]["th"] - 1.5) < 1e-9 and abs(last["q"]["x"] - 2 * __import__("math").sin(1.5)) < 1e-8
