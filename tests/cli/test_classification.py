# SPDX-License-Identifier: Apache-2.0
"""One contact with friction, from the model to every solution: A1, B1', case, reactions and the one that is chosen."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

REFERENCE = json.loads((Path(__file__).resolve().parents[1] / "reference/02-classification.json").read_text())
HEAD = 'format = 1\nname = "one contact"\n'


def body(point, m, J, g, x, y, angle, turned):
    """A planar body whose mass centre is at (x, y) from the contact, as functions of its angle."""
    w, v = point["omega"], point["vt"]
    return f"""{HEAD}coordinates = ["x", "y", "th"]
[energy]
T = "{m}*(x'^2 + y'^2)/2 + {J!r}*th'^2/2"
V = "{m * g}*y"
[contact.tip]
gap = "y - ({y})"
slip = "der(x - ({x}))"
friction = {point['mu']}
[start]
th = {angle}
y = {turned[1]!r}
closed = ["tip"]
[start.velocity]
th = {w}
x = {v - w * turned[1]!r}
y = {w * turned[0]!r}
"""


def rod(point):
    th = point["theta"]
    return body(point, 1.0, 1.0 / 3.0, 1.0, "cos(th)", "sin(th)", th, (math.cos(th), math.sin(th)))


def box(point):
    a, h, beta, m = point["half_width"], point["half_height"], point["beta"], point["m"]
    place = (a * math.cos(beta) - h * math.sin(beta), a * math.sin(beta) + h * math.cos(beta))
    return body(point, m, m * (a * a + h * h) / 3, point["g"], f"{a}*cos(th) - {h}*sin(th)",
                f"{a}*sin(th) + {h}*cos(th)", beta, place)


def arm(point):
    """Two links whose tip touches a floor that rises and runs as the tip asks for, so that it stays closed with the slip given."""
    p = point
    l1, l2, m1, m2, f1, f2, w1, w2 = (p[k] for k in ("l1", "l2", "m1", "m2", "phi1", "phi2", "w1", "w2"))
    rate = l1 * math.cos(f1) * w1 + l2 * math.cos(f2) * w2
    along = -l1 * math.sin(f1) * w1 - l2 * math.sin(f2) * w2
    return f"""{HEAD}coordinates = ["f1", "f2"]
[energy]
T = "{m1 * l1 ** 2 / 6 + m2 * l1 ** 2 / 2!r}*f1'^2 + {m2 * l1 * l2 / 2!r}*cos(f1 - f2)*f1'*f2' + {m2 * l2 ** 2 / 6!r}*f2'^2"
V = "{p['g']}*({m1 / 2 + m2!r}*{l1}*sin(f1) + {m2 * l2 / 2!r}*sin(f2))"
[contact.tip]
gap = "{l1}*(sin(f1) - sin({f1})) + {l2}*(sin(f2) - sin({f2})) - ({rate!r})*t"
slip = "der({l1}*cos(f1) + {l2}*cos(f2)) - ({along - p['vt']!r})"
friction = {p['mu']}
[start]
f1 = {f1}
f2 = {f2}
closed = ["tip"]
[start.velocity]
f1 = {w1}
f2 = {w2}
"""


def abstract(point):
    """Coordinates along normal and tangent, with M = D⁻¹."""
    n, c, t = point["D_nn"], point["D_nt"], point["D_tt"]
    det = n * t - c * c
    forces = (t * point["b_n"] - c * point["b_t"]) / det, (n * point["b_t"] - c * point["b_n"]) / det
    return f"""{HEAD}coordinates = ["n", "s"]
[energy]
T = "({t / det!r}*n'^2 - {2 * c / det!r}*n'*s' + {n / det!r}*s'^2)/2"
[force.load]
n = {forces[0]!r}
s = {forces[1]!r}
[contact.tip]
gap = "n"
slip = "s'"
friction = {point['mu']}
[start]
closed = ["tip"]
[start.velocity]
s = {point['vt']}
"""


MODELS = {"rod": rod, "box": box, "two-link arm": arm, "abstract": abstract}
POINTS = [p for group in ("rod_points", "box_points", "arm_points", "abstract_points") for p in REFERENCE[group]]


def solutions(result):
    """By mode: normal and friction force."""
    found = {}
    for s in result["solutions"]:
        tip = s["contacts"]["tip"]
        forward = tip["tangential"][0] < 0
        mode = f"slip{'+' if forward else '-'}1" if tip["mode"] == "slip" else tip["mode"]
        assert mode not in found
        found[mode] = (tip["normal"], tip["tangential"][0])
    return found


@pytest.mark.parametrize("point", POINTS, ids=lambda p: f"{p['name']} {p['mu']} {p['vt']:+} {p['b_n']:.2f}")
def test_a_point(point):
    text = MODELS[point["name"]](point)
    answer = run_program("check", "-", "--contacts", "--json", stdin=text)
    assert answer.code == 0, answer.out[:500] + answer.err
    result = answer.json()
    tip = result["contacts"]["tip"]
    assert result["complete"] is True
    assert result["delassus"][0] + result["delassus"][1] == pytest.approx(
        [point["D_nn"], point["D_nt"], point["D_nt"], point["D_tt"]], rel=1e-9)
    assert tip["A1"] == pytest.approx(point["A1"], rel=1e-9)
    assert tip["slip"] == [pytest.approx(point["vt"], abs=1e-12)]
    found = solutions(result)
    if point["vt"] != 0.0:
        assert tip["B1"] == pytest.approx(point["B1"], rel=1e-9)
        assert tip["case"] == point["case"].removesuffix("-sliding")
        slips = "slip+1" if point["vt"] > 0 else "slip-1"
        wanted = {"regular-sliding": {slips}, "separation": {"open"}, "inconsistent": set(), "indeterminate": {slips, "open"}}
        assert set(found) == wanted[point["case"]]
        if slips in found:
            force = point["R1_formula"]
            assert found[slips] == pytest.approx((force, -point["mu"] * math.copysign(force, point["vt"])), rel=1e-9)
        return
    wanted = {"open"} if point["separation_admissible"] else set()
    if point["stick_admissible"]:
        wanted.add("stick")
        assert found["stick"] == pytest.approx((point["Z_stick"], point["F_stick"]), rel=1e-9)
    for sign, slip in point["slip"].items():
        if not slip["admissible"]:
            continue
        mode = f"slip{sign}"
        wanted.add(mode)
        assert found[mode] == pytest.approx((slip["R1"], -float(sign) * point["mu"] * slip["R1"]), rel=1e-9)
    assert set(found) == wanted and len(found) == point["n_contact_solutions"] + point["separation_admissible"]
    # And a motion from there takes the one that small disturbances lead to.
    chosen = run_program("run", "-", "--json", "--until", "1e-6", "--at", "0", stdin=text).json()["samples"][0]
    selected = {"separation": "open", "stick": "stick"}.get(point["selected"], point["selected"])
    assert chosen["reactions"]["tip"]["normal"] == pytest.approx(found[selected][0], rel=1e-9, abs=1e-12)
