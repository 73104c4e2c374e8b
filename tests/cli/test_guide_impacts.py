# SPDX-License-Identifier: Apache-2.0
"""Impacts beside a rough guide: what stop and guide tell as impulses is what the momentum of the bead changes by."""
import math
import random

import pytest
from conftest import run_program

BEAD = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "{m}/2*x'^2 + {n}/2*y'^2"
V = "{weight}*y"
[force.f]
x = "{force}"
[constraint.guide]
equation = "{guide}"
slip = "{along}"
friction = {mu}
[contact.stop]
gap = "{gap}"
restitution = {{ value = {e}, law = "{law}" }}
{rough}
[start]
{start}
inconsistent = "project"
[start.velocity]
{velocity}
[run]
until = 1.5
"""


def bead(seed):
    """A model, and the directions of gap, stop's slip, guide and guide's slip at (x, y)."""
    r = random.Random(seed)
    k = round(r.uniform(-1, 1), 3)
    m, n = round(r.uniform(0.3, 3), 3), round(r.uniform(0.3, 3), 3)
    ring = r.random() < 0.5
    where = r.choice([("1 - x", (-1, 0), (0, 1)), ("x + 0.4", (1, 0), (0, 1)), ("y + 0.5", (0, 1), (1, 0)), ("0.6 - y", (0, -1), (1, 0))])
    slip = {(0, 1): "y'", (1, 0): "x'"}[where[2]]
    text = BEAD.format(
        m=m, n=n, weight=round(9.81 * n, 3), force=round(r.uniform(-8, 8), 3), mu=round(r.uniform(0.05, 0.9), 3),
        guide="sqrt(x^2 + y^2) = 1" if ring else f"y = {k}*x", along="x*y' - y*x'" if ring else f"x' + ({k})*y'",
        gap=where[0], e=r.choice([0, 0.5, round(r.random(), 3)]), law=r.choice(["energetic", "newton", "poisson", "moreau"]),
        rough=f'slip = "{slip}"\nfriction = {round(r.uniform(0, 0.9), 3)}' if r.random() < 0.5 else "",
        start="x = 0.8\ny = 0.6" if ring else "x = 0.1", velocity=f"x = {round(r.uniform(-4, 4), 3)}\ny = {round(r.uniform(-4, 4), 3)}")

    def directions(q):
        x, y = q["x"], q["y"]
        length = math.hypot(x, y)
        normal = (x / length, y / length) if ring else (-k, 1.0)
        along = (-y, x) if ring else (1.0, k)
        return {"stop": (where[1], where[2]), "guide.lower": (normal, along), "guide.upper": ((-normal[0], -normal[1]), along)}

    return text, (m, n), directions


@pytest.mark.parametrize("seed", range(40))
def test_momentum_at_a_rough_guide(seed):
    text, masses, directions = bead(seed)
    answer = run_program("run", "-", "--json", stdin=text)
    if answer.code == 2:
        pytest.skip("the stop is on the wrong side of the start")
    assert answer.code == 0, answer.out[-500:] + answer.err
    result = answer.json()
    for event in result["events"]:
        if event["kind"] not in ("impact", "tangential_impact"):
            continue
        along = directions(event["q"])
        shares = event.get("contacts") or {event["where"]: event}
        given = [0.0, 0.0]
        size = 0.0
        for name, share in shares.items():
            normal, slip = along[name]
            tangential = (share["tangential"] or [0.0])[0]
            for i in range(2):
                given[i] += share["impulse"] * normal[i] + tangential * slip[i]
            size += abs(share["impulse"]) + abs(tangential)
        for i, name in enumerate("xy"):
            change = masses[i] * (event["v_plus"][name] - event["v_minus"][name])
            assert change == pytest.approx(given[i], abs=1e-9 * size + 1e-12), (event["time"], name)
    assert (result["contacts"]["momentum"] or 0.0) < 1e-9
    assert abs(result["energy"]["unexplained"]) < 1e-7
