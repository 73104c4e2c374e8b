# SPDX-License-Identifier: Apache-2.0
"""The paradox of the rod on a floor that yields: a stiff spring with rigid Coulomb friction tends to the tangential impact.

The floor pushes with K times its depth, K/κ² on the way back, and rubs by a relay: the limit K → ∞ is the energetic law."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

TABLES = json.loads((Path(__file__).resolve().parents[1] / "reference/02-epsilon.json").read_text(encoding="utf-8"))
SPRING = TABLES["compliance_energetic"]


def floor(K, kappa, rate, approach=0.0):
    return f"""
format = 1
name = "rod on a floor that yields"
coordinates = ["x", "y", "th"]
[parameters]
K = {K!r}
k2 = {kappa**2!r}
[state]
back = 0
deepest = 0
[let]
push = "K*((1 - back)*(-y) + back*(-y + (1 - k2)*deepest)/k2)"
[energy]
T = "((x' - sin(th)*th')^2 + (y' + cos(th)*th')^2)/2 + th'^2/6"
V = "y + sin(th)"
[force.floor]
y = "push"
[relay.rub]
surface = "x'"
force.x = "-{SPRING['mu']}*push*u"
[event.turns]
when = "y' - back > 0"
set.state.back = 1
set.state.deepest = "y"
[event.leaves]
when = "y - (1 - k2)*deepest*back > 0"
stop = true
[start]
th = 1.1
[start.velocity]
x = -1
y = {-approach!r}
th = {rate}
[run]
until = 0.2
tolerance = 1e-12
"""


def leaves(text):
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.err + answer.out[:500]
    result = answer.json()
    assert result["events"][-1]["where"] == "leaves"
    return result


@pytest.mark.parametrize("row", SPRING["rows"], ids=lambda row: f"K={row['K']:g}")
def test_the_stiff_floor_tends_to_the_energetic_law(row):
    result = leaves(floor(row["K"], SPRING["kappa"], 0.2))
    v = result["state"]["v"]
    limit = SPRING["limit"]
    error = abs(v["x"]) + abs(v["y"] - limit[4]) + abs(v["th"] - limit[5])
    assert error == pytest.approx(row["error"], rel=5e-5)
    assert result["time"] == pytest.approx(row["duration"], rel=1e-8)


def test_the_limit_is_what_the_rigid_contact_does():
    rigid = floor(1.0, 0.5, 0.2)
    rigid = rigid[:rigid.index("[force.floor]")].replace("[state]\nback = 0\ndeepest = 0\n", "").replace(
        "[let]\npush", "[let]\nunused").replace('"K*((1 - back)*(-y) + back*(-y + (1 - k2)*deepest)/k2)"', '"K*k2"')
    rigid += f"""[contact.tip]
gap = "y"
slip = "x'"
friction = {SPRING['mu']}
restitution = {{ value = {SPRING['kappa']}, law = "energetic" }}
[start]
th = 1.1
closed = ["tip"]
[start.velocity]
x = -1
th = 0.2
[run]
until = 1e-6
"""
    event = run_program("run", "-", "--json", stdin=rigid).json()["events"][0]
    assert event["kind"] == "tangential_impact"
    assert [event["v_plus"][c] for c in ("x", "y", "th")] == pytest.approx(SPRING["limit"][3:], abs=1e-10)


@pytest.mark.parametrize("row", TABLES["double_limit"]["rows"], ids=lambda row: str(row["eps_over_eps_crit"]))
def test_which_limit_comes_first_decides_the_indeterminate_case(row):
    """ε_cr = A1/√(|B1'| K): slower approaches lift off (Painlevé), faster ones end in a tangential impact (Ivanov)."""
    th, rate, mu = 1.1, 1.5, SPRING["mu"]
    free = rate**2 * math.sin(th) - 1
    response = 1 + 3 * math.cos(th) ** 2 - mu * 3 * math.sin(th) * math.cos(th)
    critical = free / math.sqrt(-response * row["K"])
    result = leaves(floor(row["K"], 1.0, rate, row["eps_over_eps_crit"] * critical))
    if row["simulated"] == "lift-off":
        assert result["state"]["v"]["x"] == pytest.approx(-1, abs=1e-2)
    else:
        # Slip has stopped during the contact; it may start again as the last of the push dies.
        assert abs(result["state"]["v"]["x"]) < 1e-6
        assert any(e["kind"] == "enter_sliding" for e in result["events"])
