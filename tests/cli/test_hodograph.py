# SPDX-License-Identifier: Apache-2.0
"""hodograph: admissible angular velocities, touching points, crossings; integrals of bodies over long runs."""

import json
import math
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GYROSTAT = EXAMPLES / "84-heavy-gyrostat" / "model.toml"
TOP = EXAMPLES / "14-heavy-top" / "model.toml"


def reach(levels, omega):
    """|r × m|² − (|m|²e² − 2 (r·m) e g + |r|²g²) of the gyrostat of the gallery, written out once more."""
    A, lam, r = (3.0, 2.0, 1.5), (0.2, -0.1, 0.5), (0.4, 0.3, 0.8)
    m = [a * w + k for a, w, k in zip(A, omega, lam, strict=True)]
    e = sum(a * w * w for a, w in zip(A, omega, strict=True)) / 2 - levels["energy"]
    g = -levels["area"]
    cross = [r[1] * m[2] - r[2] * m[1], r[2] * m[0] - r[0] * m[2], r[0] * m[1] - r[1] * m[0]]
    rm = sum(x * y for x, y in zip(r, m, strict=True))
    return (sum(c * c for c in cross) - sum(x * x for x in m) * e * e + 2 * rm * e * g - sum(x * x for x in r) * g * g)


def test_the_gyrostat_touches_its_surface(liaison):
    seen = liaison("hodograph", str(GYROSTAT), "--json").json()
    assert seen["case"] == "gyrostat" and seen["inside"] is True
    assert seen["levels"] == pytest.approx({"energy": 0.216, "area": -1.424}, abs=1e-12)
    assert len(seen["touches"]) > 25
    for touch in seen["touches"]:
        assert abs(reach(seen["levels"], touch["omega"])) < 1e-12
        assert touch["tangency"] < 1e-6
    assert seen["crossings"] == [] and seen["period"] is None
    for drift in seen["integrals"].values():
        assert drift["max_drift"] < 1e-13


def test_crossings_of_the_top_are_apparent(liaison):
    seen = liaison("hodograph", str(TOP), "--json", "--until", "20").json()
    assert seen["case"] == "Lagrange"
    assert seen["crossings"] and all(c["kind"] == "apparent" and c["apart"] > 1e-3 for c in seen["crossings"])
    assert all(c["omega"][2] == pytest.approx(4.0, abs=1e-12) for c in seen["crossings"])


def test_a_motion_that_repeats_itself(liaison, model):
    """A body that swings as a pendulum: its period by the arithmetic-geometric mean."""
    text = f"""format = 1
name = "pendulum"
[body.b]
kind = "fixed-point"
inertia = [2.0, 1.5, 1.0]
weight = 3.0
center = [0, 0, 0.5]
[start]
gamma2 = {math.sin(1.0)!r}
gamma3 = {-math.cos(1.0)!r}
[run]
until = 20
tolerance = 1e-13
"""
    a, b = 1.0, math.cos(0.5)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    seen = liaison("hodograph", model(text), "--json").json()
    assert seen["period"] == pytest.approx(2 * math.pi * math.sqrt(2.0 / 1.5) / a, abs=1e-7)
    assert seen["retraced"] is True


def test_the_figure(liaison, tmp_path):
    figure = tmp_path / "view.svg"
    answer = liaison("hodograph", str(GYROSTAT), "-o", str(figure), "--section", "r=0.5", "--azimuth", "120")
    assert answer.code == 0 and "touches" in answer.out
    text = figure.read_text()
    assert "section r = 0.5" in text and "trace of γ" in text and "drift of the integrals" in text


def test_drift_of_any_model(liaison, tmp_path):
    figure = tmp_path / "drift.svg"
    assert liaison("plot", str(TOP), "--drift", "-o", str(figure)).code == 0
    assert "drift of the integrals" in figure.read_text()
    refused = liaison("plot", str(EXAMPLES / "01-pendulum" / "model.toml"), "--drift", "-o", str(tmp_path / "none.svg"))
    assert refused.code == 2 and "[integral]" in refused.err


def test_what_cannot_be(liaison, model):
    no_body = liaison("hodograph", str(EXAMPLES / "01-pendulum" / "model.toml"))
    assert no_body.code == 2 and "fixed-point" in no_body.err
    plane = liaison("hodograph", str(GYROSTAT), "--section", "s=1")
    assert plane.code == 2 and "p=…" in plane.err
    driven = TOP.read_text() + '[force.motor]\nr = "0.1"\n'
    seen = liaison("hodograph", model(driven), "--json").json()
    assert seen["levels"] is None and "something else acts" in seen["reason"] and seen["touches"] == []


# Gyrostat, Lagrange, Kovalevskaya and Yehia: what stays over 2000 time units.
CASES = {
    "gyrostat": ('inertia = [3.0, 2.0, 1.5]\ncenter = [0.4, 0.3, 0.8]\ngyrostat = [0.2, -0.1, 0.5]',
                 ["area", "energy", "norm"]),
    "lagrange": ('inertia = [2.0, 2.0, 1.2]\ncenter = [0, 0, 0.5]\ngyrostat = [0, 0, 0.3]',
                 ["area", "energy", "norm", "spin"]),
    "kovalevskaya": ('inertia = [2.0, 2.0, 1.0]\ncenter = [1, 0, 0]', ["area", "energy", "kovalevskaya", "norm"]),
    "yehia": ('inertia = [2.0, 2.0, 1.0]\ncenter = [0.6, 0.8, 0]\ngyrostat = [0, 0, 0.3]',
              ["area", "energy", "kovalevskaya", "norm"]),
    "zhukovskii": ('inertia = [3.0, 2.0, 1.5]\ngyrostat = [0.2, -0.1, 0.5]', ["area", "energy", "momentum", "norm"]),
}


@pytest.mark.parametrize("hold", [False, True], ids=["free", "held"])
@pytest.mark.parametrize("name", CASES)
def test_integrals_over_long_runs(liaison, model, name, hold):
    data, names = CASES[name]
    held = f"hold = {json.dumps(names)}\n" if hold else ""
    text = f"""format = 1
name = "{name}"
[body.b]
kind = "fixed-point"
weight = 1.0
{data}
[start]
gamma1 = 0.48
gamma2 = 0.64
gamma3 = 0.6
[start.velocity]
p = 0.4
q = -0.3
r = 1.0
[run]
until = 1000
tolerance = 1e-15
{held}"""
    run = liaison("run", "--json", model(text)).json()
    assert sorted(run["integrals"]) == names
    for one in run["integrals"].values():
        assert one["max_drift"] < (1e-13 if hold else 1e-12)


def test_the_case_follows_the_values_that_are_set(liaison, model):
    text = """format = 1
name = "top"
[parameters]
A = 2.0
[body.b]
kind = "fixed-point"
inertia = ["A", 2.0, 1.2]
center = [0, 0, 0.5]
weight = 3.0
[start]
gamma3 = 1.0
[run]
until = 1
"""
    assert "spin" in liaison("run", "--json", model(text)).json()["integrals"]
    assert "spin" not in liaison("run", "--json", model(text), "--set", "A=2.5").json()["integrals"]


def vertical(w, nu, start, end, steps=4000):
    """ν' = ν × w(t) by the classical method of Runge and Kutta, forwards or backwards."""
    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    h = (end - start) / steps
    for k in range(steps):
        t = start + k * h
        a = cross(nu, w(t))
        b = cross([x + h / 2 * y for x, y in zip(nu, a)], w(t + h / 2))
        c = cross([x + h / 2 * y for x, y in zip(nu, b)], w(t + h / 2))
        d = cross([x + h * y for x, y in zip(nu, c)], w(t + h))
        nu = [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(nu, a, b, c, d)]
    return nu


@pytest.mark.parametrize("axis", [True, False], ids=["true", "apparent"])
def test_a_driven_body_may_come_back_to_a_state_in_another_direction(liaison, model, axis):
    """ω = (sin s, sin 2s, 0), s = t − 1/2, passes zero at s = 0 and s = π in two directions. The turn in between has an
    axis: with the vertical along it the state is the same at both times, otherwise ω alone is."""
    def w(t):
        return [math.sin(t - 0.5), math.sin(2 * (t - 0.5)), 0.0]

    turned = [vertical(w, [float(i == k) for i in range(3)], 0.5, 0.5 + math.pi) for k in range(3)]
    # The columns of the turn R are `turned`; its axis is (R32 − R23, R13 − R31, R21 − R12).
    along = [turned[1][2] - turned[2][1], turned[2][0] - turned[0][2], turned[0][1] - turned[1][0]]
    size = math.sqrt(sum(x * x for x in along))
    along = [x / size for x in along] if axis else [0.0, 0.0, 1.0]
    start = vertical(w, along, 0.5, 0.0)
    text = f"""format = 1
name = "driven"
[body.b]
kind = "fixed-point"
inertia = [1, 1, 1]
[force.drive]
p = "cos(t - 1/2)"
q = "2*cos(2*t - 1)"
[start]
gamma1 = {start[0]!r}
gamma2 = {start[1]!r}
gamma3 = {start[2]!r}
[start.velocity]
p = {w(0)[0]!r}
q = {w(0)[1]!r}
[run]
until = 4.3
tolerance = 1e-13
"""
    seen = liaison("hodograph", model(text), "--json").json()
    crossing, = seen["crossings"]
    assert crossing["t"] == pytest.approx([0.5, 0.5 + math.pi], abs=1e-9)
    if axis:
        assert crossing["kind"] == "true" and crossing["apart"] <= 1e-9
    else:
        wanted = math.dist(vertical(w, along, 0.5, 0.5 + math.pi), along)
        assert crossing["kind"] == "apparent" and crossing["apart"] == pytest.approx(wanted, abs=1e-9)
    assert seen["levels"] is None and seen["period"] is None
