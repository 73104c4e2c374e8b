# SPDX-License-Identifier: Apache-2.0
"""A ring that hangs on a peg inside and leans on a roller outside: each contact alone is harmless, both together lock one sense
of turning from mu = tan 30° on, where the rigid model has no motion and the ring stops dead."""

import math

import pytest
from conftest import run_program

G, J = 9.81, 0.6
OUTER, INNER = 1.0, 0.7
SIN, COS = math.sin(math.pi / 3), 0.5
NORMALS = ((-SIN, COS), (SIN, COS))
ARMS = (OUTER, -INNER)  # slip = t.(x', y') + arm th', t = n turned by -90°


def ring(mu, spin, until=0.2, rule="impact"):
    roller = [-OUTER * c for c in NORMALS[0]]
    peg = [INNER * c for c in NORMALS[1]]
    return f"""
format = 1
name = "ring on a peg and a roller"
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2 + {J}*th'^2)/2"
V = "{G}*y"
[contact.roller]
gap = "sqrt((x - ({roller[0]!r}))^2 + (y - ({roller[1]!r}))^2) - {OUTER}"
slip = "((y - ({roller[1]!r}))*x' - (x - ({roller[0]!r}))*y')/{OUTER} + {OUTER}*th'"
friction = {mu}
[contact.peg]
gap = "{INNER} - sqrt((x - ({peg[0]!r}))^2 + (y - ({peg[1]!r}))^2)"
slip = "((x - ({peg[0]!r}))*y' - (y - ({peg[1]!r}))*x')/{INNER} - {INNER}*th'"
friction = {mu}
[start]
closed = ["roller", "peg"]
[start.velocity]
th = {spin}
[run]
until = {until}
paradox = "{rule}"
"""


def run(text, code=0):
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == code, answer.out[:800] + answer.err
    return answer.json()


def brake(mu, forwards):
    """Weight G = N (1 + x) / cos 60°..., with x = n1.(n2 - mu s2 t2) the same for both, so that both press alike."""
    x = -0.5 + (-1 if forwards else 1) * mu * SIN
    pressure = G * COS / (1 + x)
    return mu * pressure * (OUTER + INNER) / J


def check_stop(event, mu, spin):
    """Impulses that balance, take the whole spin and stay in their cones."""
    force, moment = [0.0, 0.0], 0.0
    assert set(event["contacts"]) == {"roller", "peg"}
    for (nx, ny), arm, name in zip(NORMALS, ARMS, ("roller", "peg")):
        share = event["contacts"][name]
        normal, tangential = share["impulse"], share["tangential"][0]
        assert abs(tangential) <= mu * normal * (1 + 1e-9)
        force[0] += normal * nx + tangential * ny
        force[1] += normal * ny - tangential * nx
        moment += arm * tangential
    assert force == pytest.approx([0, 0], abs=1e-9)
    assert moment == pytest.approx(-J * spin, abs=1e-9)
    assert max(abs(v) for v in event["v_plus"].values()) < 1e-12
    assert event["energy"] == pytest.approx(-J * spin * spin / 2, rel=1e-9)


@pytest.mark.parametrize("mu", [0.58, 0.7, 1.0])
def test_no_motion_is_a_tangential_impact_of_both(mu):
    result = run(ring(mu, 3.0))
    event = result["events"][0]
    assert (event["kind"], event["time"], event["case"]) == ("tangential_impact", 0.0, "inconsistent")
    assert event["rule"].startswith("moreau-limit")
    check_stop(event, mu, 3.0)
    # It is locked, and stays so.
    assert max(abs(v) for v in result["state"]["v"].values()) < 1e-12
    assert abs(result["energy"]["unexplained"]) < 1e-12
    assert not [e for e in result["events"][1:] if e["kind"] != "stick"]


@pytest.mark.parametrize("mu, spin", [(0.4, 3.0), (0.57, 0.2), (0.4, -3.0), (0.7, -3.0), (1.0, -3.0)])
def test_otherwise_it_slides_to_rest(mu, spin):
    time = abs(spin) / brake(mu, spin > 0)
    result = run(ring(mu, spin, until=1.1 * time))
    stuck = [e for e in result["events"] if e["kind"] == "stick"]
    assert {e["where"] for e in stuck} == {"roller", "peg"}
    assert all(e["time"] == pytest.approx(time, rel=1e-9) for e in stuck)


def test_friction_that_rises_takes_both_into_the_singular_set():
    """1 + x = 0.5 - mu sin 60° falls to zero as the slips get slower, in a time that is a quadrature over the spin; there no
    contact is singular by itself (B1' alone is 1), and both are struck."""
    wall = "0.3 + 0.6*exp(-abs(slip)/2)"
    result = run(ring(f'"{wall}"', 3.0, until=1.0))

    def mu(slip):
        return 0.3 + 0.6 * math.exp(-slip / 2)

    def solve(w):
        """N1 c1 + N2 c2 = (0, G) with c = n - mu s t; its determinant and the moment of friction times it."""
        columns = []
        for (nx, ny), arm in zip(NORMALS, ARMS):
            m, s = mu(abs(arm) * w), math.copysign(1, arm)
            columns.append((nx - m * s * ny, ny + m * s * nx))
        (a, c), (b, d) = columns
        det = a * d - b * c
        torque = mu(OUTER * w) * OUTER * (-b * G) + mu(INNER * w) * INNER * (a * G)
        return det, torque

    # The determinant starts where the start puts it and changes its sign at the end.
    low, high = 0.0, 3.0
    sign = math.copysign(1, solve(high)[0])
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if sign * solve(middle)[0] > 0 else (middle, high)
    end, n = high, 400
    h = (3.0 - end) / n
    waits = [J * solve(end + i * h)[0] / solve(end + i * h)[1] for i in range(n + 1)]
    time = h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * v for i, v in enumerate(waits))
    event = result["events"][0]
    assert (event["kind"], event["case"], event["rule"].split(",")[0]) == ("tangential_impact", "boundary", "moreau-limit")
    assert event["time"] == pytest.approx(time, abs=1e-9)
    assert event["v_minus"]["th"] == pytest.approx(end, abs=1e-7)
    check_stop(event, max(mu(OUTER * end), mu(INNER * end)), event["v_minus"]["th"])
    assert abs(result["energy"]["unexplained"]) < 1e-9
    assert max(abs(v) for v in result["state"]["v"].values()) < 1e-12


def test_stop_tells_what_both_would_do():
    result = run(ring(0.7, 3.0, rule="stop"), code=3)
    for words in ("no motion from here (inconsistent)", "contact roller", "contact peg", "B1' = 1",
                  "a tangential impact of several contacts (roller normal impulse", "slip 3 → 0", "slip -2.1 → 0",
                  '"separate" with the same'):
        assert words in result["reason"], result["reason"]
