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


def pinched(contacts, mu, spin, until=0.2, rule="impact"):
    """Contacts (name, normal, arm): outside of the ring with a positive arm, inside with a negative one."""
    text = f"""
format = 1
name = "ring between pegs and rollers"
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2 + {J}*th'^2)/2"
V = "{G}*y"
[start]
closed = [{", ".join(f'"{name}"' for name, _, _ in contacts)}]
[start.velocity]
th = {spin}
[run]
until = {until}
paradox = "{rule}"
"""
    laws = [mu] * len(contacts) if not isinstance(mu, list) else mu
    for (name, (nx, ny), arm), law in zip(contacts, laws):
        x, y = f"(x - ({-arm * nx!r}))", f"(y - ({-arm * ny!r}))"
        text += f"""
[contact.{name}]
gap = "{'' if arm > 0 else '-'}(sqrt({x}^2 + {y}^2) - {abs(arm)})"
slip = "({y}*x' - {x}*y')/({arm}) + ({arm})*th'"
friction = {law}
"""
    return text


def ring(mu, spin, until=0.2, rule="impact"):
    return pinched(list(zip(("roller", "peg"), NORMALS, ARMS)), mu, spin, until, rule)


def run(text, code=0):
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == code, answer.out[:800] + answer.err
    return answer.json()


def brake(mu, forwards):
    """Both press alike, G cos 60° = N (1 + x) with x = n1.(n2 - mu s2 t2), and friction takes the spin."""
    x = -0.5 + (-1 if forwards else 1) * mu * SIN
    pressure = G * COS / (1 + x)
    return mu * pressure * (OUTER + INNER) / J


def check_stop(event, contacts, mu, spin):
    """Impulses that balance, take the whole spin and stay in their cones."""
    force, moment = [0.0, 0.0], 0.0
    assert set(event["contacts"]) == {name for name, _, _ in contacts}
    for name, (nx, ny), arm in contacts:
        share = event["contacts"][name]
        normal, tangential = share["impulse"], share["tangential"][0]
        assert abs(tangential) <= mu(name, arm) * normal + 1e-7 * abs(spin)
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
    check_stop(event, list(zip(("roller", "peg"), NORMALS, ARMS)), lambda name, arm: mu, 3.0)
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


def locks(contacts, mu, spin):
    """Contacts that are pressed as if they were equally stiff, N = n.d (any N, for two of them), carry the weight:
    sum N (n - mu s t) = K d = (0, G). The spin at which det K vanishes, and the time until then, J dw = -sum mu |arm| N dt."""
    def solve(w):
        K, loads = [[0.0, 0.0], [0.0, 0.0]], []
        for name, (nx, ny), arm in contacts:
            m, s = mu(name, abs(arm) * w), math.copysign(1, arm)
            c = (nx - m * s * ny, ny + m * s * nx)
            for i in range(2):
                K[i][0] += c[i] * nx
                K[i][1] += c[i] * ny
            loads.append((m * abs(arm), nx, ny))
        # d = adj(K) (0, G) / det
        det, d = K[0][0] * K[1][1] - K[0][1] * K[1][0], (-K[0][1] * G, K[0][0] * G)
        return det, sum(f * (nx * d[0] + ny * d[1]) for f, nx, ny in loads)

    low, high = 0.0, spin
    assert solve(high)[0] > 0 > solve(low)[0]
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if solve(middle)[0] > 0 else (middle, high)
    n = 400
    h = (spin - high) / n
    waits = [J * det / torque for det, torque in (solve(high + i * h) for i in range(n + 1))]
    return high, h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * v for i, v in enumerate(waits))


def normal(degrees):
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


@pytest.mark.parametrize("contacts, mu", [
    (tuple(zip(("roller", "peg"), NORMALS, ARMS)), (0.3, 0.6, 2)),
    ((("roller", normal(150), 1.0), ("second", normal(120), 1.0), ("peg", normal(30), -0.7)), (0.1, 1.4, 1)),
    ((("roller", normal(160), 1.0), ("second", normal(140), 1.0), ("peg", normal(30), -0.7)), (0.1, 0.9, 1)),
    ((("roller", normal(160), 1.0), ("peg", normal(35), -0.7), ("second", normal(25), -0.7)), (0.1, 0.9, 1)),
    (tuple(zip(("roller", "peg"), NORMALS, ARMS)), {"roller": (0.4, 0, 1), "peg": (0.2, 0.9, 1)}),
    ((("roller", normal(160), 1.0), ("second", normal(140), 1.0), ("peg", normal(30), -0.7)),
     {"roller": (0.5, 0, 1), "second": (0.6, 0, 1), "peg": (0.1, 1.4, 1)}),
], ids=["two", "three", "three flatter", "two pegs", "one rises", "one of three rises"])
def test_friction_that_rises_takes_all_into_the_singular_set(contacts, mu):
    """The determinant of the group falls to zero as the slips get slower, in a time that is a quadrature over the spin; there no
    contact is singular by itself (B1' alone is 1), and all are struck. With three contacts, whose gaps depend on each other,
    an even share decides."""
    laws = mu if isinstance(mu, dict) else {name: mu for name, _, _ in contacts}

    def friction(name, slip):
        least, more, speed = laws[name]
        return least + more * math.exp(-slip / speed)

    words = [f'"{least} + {more}*exp(-abs(slip)/{speed})"' for least, more, speed in (laws[name] for name, _, _ in contacts)]
    result = run(pinched(contacts, words, 3.0, until=1.0))
    end, time = locks(contacts, friction, 3.0)
    event = next(e for e in result["events"] if e["kind"] == "tangential_impact")
    assert (event["case"], event["rule"].split(",")[0]) == ("boundary", "moreau-limit")
    assert event["time"] == pytest.approx(time, abs=1e-9)
    assert event["v_minus"]["th"] == pytest.approx(end, abs=1e-7)
    check_stop(event, contacts, lambda name, arm: friction(name, abs(arm) * end), event["v_minus"]["th"])
    assert abs(result["energy"]["unexplained"]) < 1e-9
    assert max(abs(v) for v in result["state"]["v"].values()) < 1e-12


@pytest.mark.parametrize("mu", [0.4, 0.7])
def test_check_tells_the_friction_of_both_together(mu):
    answer = run_program("check", "-", "--contacts", "--json", stdin=ring(mu, 3.0))
    result = answer.json()
    assert result["critical"]["factor"] == pytest.approx(math.tan(math.pi / 6) / mu, rel=1e-12)
    assert result["critical"]["contacts"] == ["roller", "peg"]
    assert [c["case"] for c in result["contacts"].values()] == ["regular", "regular"]
    assert len(result["solutions"]) == (1 if mu < 0.5 else 0)
    text = run_program("check", "-", "--contacts", stdin=ring(mu, 3.0)).out
    assert "times the friction, where roller, peg become singular together" in text


def test_stop_tells_what_both_would_do():
    result = run(ring(0.7, 3.0, rule="stop"), code=3)
    for words in ("no motion from here (inconsistent)", "contact roller", "contact peg", "B1' = 1",
                  "a tangential impact of several contacts (roller normal impulse", "slip 3 → 0", "slip -2.1 → 0",
                  '"separate" with the same'):
        assert words in result["reason"], result["reason"]


def test_in_space_the_axial_slip_is_struck_too():
    """The ring also moves along its axis: slips of all contacts have two components, and all of them stop."""
    text = ring(0.9, 3.0).replace('"th"]', '"th", "z"]').replace("(x'^2 +", "(x'^2 + z'^2 +").replace("th = 3.0", "th = 3.0\nz = 0.5")
    for line in text.splitlines():
        if line.startswith("slip ="):
            text = text.replace(line, f"slip = [{line[7:]}, \"z'\"]")
    result = run(text)
    event = result["events"][0]
    assert (event["kind"], event["case"]) == ("tangential_impact", "inconsistent")
    assert event["rule"].startswith("moreau-limit")
    along = moment = 0.0
    for name, arm in zip(("roller", "peg"), ARMS):
        share = event["contacts"][name]
        assert math.hypot(*share["tangential"]) <= 0.9 * share["impulse"] * (1 + 1e-9)
        moment += arm * share["tangential"][0]
        along += share["tangential"][1]
    assert (moment, along) == (pytest.approx(-J * 3.0, abs=1e-9), pytest.approx(-0.5, abs=1e-9))
    assert event["energy"] == pytest.approx(-(J * 9 + 0.25) / 2, rel=1e-9)
    assert max(abs(v) for v in result["state"]["v"].values()) < 1e-9
