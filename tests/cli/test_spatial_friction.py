# SPDX-License-Identifier: Apache-2.0
"""Slip with two components: straight braking, slip that turns on a slope, onset from rest, impacts in space."""

import math

import pytest
from conftest import run_program


def point(mu, slope=0.0, v=(0.0, 0.0, 0.0), z=0.0, until=2.0, e=0.0, pull=(0.0, 0.0), law="energetic"):
    closed = 'closed = ["plane"]' if z == 0.0 and v[2] == 0.0 else ""
    return f"""
format = 1
name = "point on a plane"
coordinates = ["x", "y", "z"]
[parameters]
al = {slope!r}
mu = {mu!r}
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "10*(z*cos(al) - x*sin(al))"
[force.pull]
x = "{pull[0]}*t"
y = "{pull[1]}*t"
[contact.plane]
gap = "z"
slip = ["x'", "y'"]
friction = "mu"
restitution = {{ value = {e}, law = "{law}" }}
[start]
z = {z!r}
{closed}
[start.velocity]
x = {v[0]!r}
y = {v[1]!r}
z = {v[2]!r}
[run]
until = {until}
tolerance = 1e-11
"""


def run(text):
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.out
    result = answer.json()
    assert abs(result["energy"]["unexplained"]) < 1e-8
    return result


def test_straight_braking_on_a_level_plane():
    result = run(point(0.4, v=(3.0, 4.0, 0.0)))
    stick = result["events"][0]
    assert stick["kind"] == "stick"
    assert stick["time"] == pytest.approx(5.0 / 4.0, abs=1e-9)
    q = result["state"]["q"]
    assert (q["x"], q["y"]) == (pytest.approx(3.0 * 0.625, abs=1e-8), pytest.approx(4.0 * 0.625, abs=1e-8))
    assert result["energy"]["friction"] == pytest.approx(-12.5, abs=1e-8)


def test_slip_turns_downhill_when_friction_equals_the_slope():
    """tan α = μ: |v| (1 + cos φ) is constant, so that a crosswise start ends downhill with half the speed."""
    slope = 0.3
    result = run(point(math.tan(slope), slope, (0.0, 2.0, 0.0), until=6.0))
    v = result["state"]["v"]
    speed = math.hypot(v["x"], v["y"])
    assert speed + v["x"] == pytest.approx(2.0, abs=1e-8)
    assert v["x"] == pytest.approx(1.0, abs=1e-4)


def test_onset_of_slip_from_rest():
    """Pulled by 3t, 4t against μ = 0.4 and weight 10: slips at t = 0.8 along the pull, v' = 5t − 4."""
    result = run(point(0.4, pull=(3.0, 4.0)))
    event = result["events"][0]
    assert event["kind"] == "slip"
    assert event["time"] == pytest.approx(0.8, abs=1e-9)
    v = result["state"]["v"]
    speed = 2.5 * (2.0**2 - 0.8**2) - 4.0 * 1.2
    assert v["x"] == pytest.approx(0.6 * speed, abs=1e-8)
    assert v["y"] == pytest.approx(0.8 * speed, abs=1e-8)


def test_oblique_impact_slips_or_sticks():
    """No coupling of normal and tangent: the impulse μ(1 + e)u against slip, at most what stops it."""
    slipping = run(point(0.3, v=(3.0, 4.0, -2.0), z=0.0, e=0.5, until=0.05))
    impact = slipping["events"][0]
    assert impact["impulse"] == pytest.approx(3.0, abs=1e-10)
    assert impact["tangential"] == [pytest.approx(-0.54, abs=1e-9), pytest.approx(-0.72, abs=1e-9)]
    sticking = run(point(2.0, v=(3.0, 4.0, -2.0), z=0.0, e=0.5, until=0.05))["events"][0]
    assert [p["phase"] for p in sticking["phases"]][-1] == "stick"
    assert [sticking["v_plus"]["x"], sticking["v_plus"]["y"]] == pytest.approx([0.0, 0.0], abs=1e-10)
    assert sticking["v_plus"]["z"] == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("tolerance", [1e-7, 1e-9, 1e-11])
def test_onset_from_rest_is_as_accurate_as_asked_and_needs_few_steps(tolerance):
    """Slip that starts smoothly has |v| ~ t²: no direction of its own for a while, and friction that is stiff in v."""
    text = point(0.4, pull=(3.0, 4.0)).replace("tolerance = 1e-11", f"tolerance = {tolerance}")
    result = run(text)
    v = result["state"]["v"]
    assert (v["x"], v["y"]) == (pytest.approx(2.16, abs=10 * tolerance), pytest.approx(2.88, abs=10 * tolerance))
    assert result["statistics"]["steps"] < 100


def test_onset_under_a_load_that_turns():
    """The pull reaches μ m g at 4 N while it turns: speed and direction against tiny steps of the planar equations."""
    text = point(0.4, until=0.6).replace('x = "0.0*t"', 'x = "4 + t - 0.5*t^2/4"').replace('y = "0.0*t"', 'y = "2*t"')
    result = run(text)
    # The same by fixed steps from the first terms of the motion, x ~ t³/6, y from s^⊥·v̇ = |v| φ'.
    def rate(t, v):
        r = math.hypot(*v)
        return [4 + t - t * t / 8 - 4 * v[0] / r, 2 * t - 4 * v[1] / r]

    t, v = 1e-3, [1e-6 / 2, 1e-6 / 2 * 2e-3 / 4]
    while t < 0.6 - 1e-12:
        h = min(0.2 * math.hypot(*v), 5e-4, 0.6 - t)
        k1 = rate(t, v)
        k2 = rate(t + h / 2, [a + h / 2 * b for a, b in zip(v, k1)])
        k3 = rate(t + h / 2, [a + h / 2 * b for a, b in zip(v, k2)])
        k4 = rate(t + h, [a + h * b for a, b in zip(v, k3)])
        v = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(v, k1, k2, k3, k4)]
        t += h
    got = result["state"]["v"]
    assert (got["x"], got["y"]) == (pytest.approx(v[0], abs=2e-6), pytest.approx(v[1], abs=2e-6))


@pytest.mark.parametrize("turns, bends", [(-4.0, 15.0), (0.05, 10.0)])
def test_onset_of_a_slip_whose_motion_is_known(turns, bends):
    """A pull made for the slip v = r (cos φ, sin φ), r = c τ²/2, φ = a τ + b τ²: v̇ + μ g s, which friction holds while τ < 0."""
    c, begin = 10.0, 0.1
    tau, r = "(t - 0.1)", "5*(t - 0.1)^2"
    phi, turning = f"({turns}*{tau} + {bends}*{tau}^2)", f"({turns} + {2 * bends}*{tau})"
    along, across = f"(10*{tau} + 4)", f"({r}*{turning})"
    text = point(0.4, until=0.5).replace('x = "0.0*t"', f'x = "{along}*cos({phi}) - {across}*sin({phi})"')
    text = text.replace('y = "0.0*t"', f'y = "{along}*sin({phi}) + {across}*cos({phi})"')
    times = [0.101, 0.103, 0.106, 0.11, 0.15, 0.3, 0.5]
    answer = run_program("run", "-", "--json", "--at", ",".join(map(str, times)), stdin=text)
    result = answer.json()
    assert answer.code == 0 and result["warnings"] == []
    assert [e["time"] for e in result["events"] if e["kind"] == "slip"] == [pytest.approx(begin, abs=1e-12)]
    for sample in result["samples"]:
        since = sample["t"] - begin
        speed, angle = c * since**2 / 2, turns * since + bends * since**2
        assert sample["v"]["x"] == pytest.approx(speed * math.cos(angle), abs=2e-10)
        assert sample["v"]["y"] == pytest.approx(speed * math.sin(angle), abs=2e-10)


ROD = """
format = 1
name = "rod on two tips"
coordinates = ["x", "y", "z", "th", "ph"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2 + (th'^2 + ph'^2*cos(th)^2)/6"
V = "10*z"
[force.push]
{push}
[contact.left]
gap = "z - sin(th)"
slip = ["der(x - cos(th)*cos(ph))", "der(y - cos(th)*sin(ph))"]
friction = 0.4
[contact.right]
gap = "z + sin(th)"
slip = ["der(x + cos(th)*cos(ph))", "der(y + cos(th)*sin(ph))"]
friction = 0.4
[start]
closed = ["left", "right"]
[run]
until = 2
"""


@pytest.mark.parametrize("push", ['y = "3*t"', 'x = "3*t"'])
def test_a_rod_on_two_tips_holds_what_both_hold_together(push):
    """Along the rod its tips share the friction in any way: 4 N in all, reached at t = 4/3 as across it."""
    answer = run_program("run", "-", "--json", "--at", "0.5,1.2", stdin=ROD.format(push=push))
    result = answer.json()
    assert answer.code == 0, result["reason"]
    axis = push[0]
    for sample in result["samples"]:
        assert all(abs(v) < 1e-12 for v in sample["v"].values())
        tips = sample["reactions"].values()
        index = 0 if axis == "x" else 1
        assert sum(t["tangential"][index] for t in tips) == pytest.approx(-3 * sample["t"], abs=1e-10)
        assert all(math.hypot(*t["tangential"]) <= 0.4 * t["normal"] + 1e-9 for t in tips)
        assert sample["reactions_unique"] is False
    slips = [e for e in result["events"] if e["kind"] == "slip"]
    assert {e["where"] for e in slips} == {"left", "right"}
    assert all(e["time"] == pytest.approx(4 / 3, abs=1e-8) for e in slips)
    assert result["state"]["v"][axis] == pytest.approx(1.5 * (2 / 3) ** 2, abs=1e-8)
    assert abs(result["energy"]["unexplained"]) < 1e-9


@pytest.mark.parametrize("angle", [0.0, 0.3, -2.0])
def test_a_slip_that_passes_through_zero_reverses_with_an_event(angle):
    """Pulled back by 5 against friction 0.981: v = 1 − 5.981 t to rest at 1/5.981, then −4.019 (t − 1/5.981)."""
    answer = run_program("run", "-", "--json", stdin=f"""
format = 1
name = "mass on a rough table"
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "9.81*z"
[force.back]
x = -5
[contact.table]
gap = "z"
slip = ["x'*cos({angle}) + y'*sin({angle})", "-x'*sin({angle}) + y'*cos({angle})"]
friction = 0.1
[start]
closed = ["table"]
[start.velocity]
x = 1
[run]
until = 1
""")
    assert answer.code == 0, answer.err
    result = answer.json()
    assert [(e["kind"], e["where"]) for e in result["events"]] == [("reverse", "table")]
    # Slip in space counts as rest below 1e-10 of the speeds of the model.
    assert result["events"][0]["time"] == pytest.approx(1 / 5.981, abs=1e-10)
    assert result["state"]["v"]["x"] == pytest.approx(-4.019 * (1 - 1 / 5.981), abs=5e-10)
    assert abs(result["state"]["v"]["y"]) < 1e-12
