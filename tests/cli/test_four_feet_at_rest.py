# SPDX-License-Identifier: Apache-2.0
"""A sledge and a table on four feet that hold more at rest than in slip: they come to rest, and start at the limit of all feet."""

import math
import random

import pytest
from conftest import run_program

G = 10.0


def run(text, *at):
    answer = run_program("run", "-", "--json", "--at", ",".join(map(repr, at)), stdin=text)
    assert answer.code == 0, answer.out[:400] + answer.err
    return answer.json()


def sledge(push, height, middle, feet=(-0.5, -0.2, 0.2, 0.5), speed=1.0, until=5.0, rest=0.5, slip=0.3):
    text = f"""
format = 1
name = "sledge"
coordinates = ["x", "y", "a"]
[energy]
T = "(x'^2 + y'^2)/2 + a'^2/10"
V = "{G}*y"
[force.push]
x = "{push}"
"""
    for i, p in enumerate(feet):
        text += f"""[contact.f{i}]
gap = "y - {height} + ({p + middle})*a"
slip = "x' + {height}*a'"
friction = {{ static = {rest}, dynamic = {slip} }}
"""
    return text + f"[start]\ny = {height}\n[start.velocity]\nx = {speed}\n[run]\nuntil = {until}\ntolerance = 1e-11\n"


@pytest.mark.parametrize("height,middle", [(0.1, 0.0), (0.3, 0.0), (0.3, 0.1), (0.2, -0.15)])
def test_a_sledge_stops_and_starts_at_the_friction_of_all_feet(height, middle):
    """x'' = 2t − 3 from 1: rest at t = (3 − √5)/2; then it holds up to 2t = 5, whatever the feet share, and slips with 2t − 3."""
    result = run(sledge("2*t", height, middle, until=3.0), 1.0, 2.4, 3.0)
    assert result["status"] == "done"
    sticks = {e["time"] for e in result["events"] if e["kind"] == "stick"}
    slips = {e["time"] for e in result["events"] if e["kind"] == "slip" and not (e["rule"] or "").startswith("even share,")}
    assert sorted(sticks) == pytest.approx([(3 - math.sqrt(5)) / 2] * len(sticks), abs=1e-9) and sticks
    assert min(slips) == pytest.approx(2.5, abs=1e-7)
    for t, sample in zip((1.0, 2.4), result["samples"]):
        forces = [sample["reactions"][f"f{i}"] for i in range(4)]
        assert sum(f["normal"] for f in forces) == pytest.approx(G, rel=1e-10)
        assert sum(f["tangential"][0] for f in forces) == pytest.approx(-2 * t, rel=1e-10)
        # Moments about the mass centre.
        torque = sum(f["normal"] * (p + middle) for f, p in zip(forces, (-0.5, -0.2, 0.2, 0.5))) - 2 * t * height
        assert torque == pytest.approx(0, abs=1e-9)
        for f in forces:
            assert f["normal"] >= -1e-10 and abs(f["tangential"][0]) <= 0.5 * f["normal"] + 1e-9
    first, last = result["samples"][0]["q"]["x"], result["samples"][2]["q"]["x"]
    # From 2.5 on v = t² − 3t + 1.25, x = [t³/3 − 3t²/2 + 1.25 t].
    path = lambda t: t**3 / 3 - 1.5 * t**2 + 1.25 * t
    assert last - first == pytest.approx(path(3.0) - path(2.5), abs=1e-7)


@pytest.mark.parametrize("seed", range(30))
def test_sledges_of_all_kinds_come_to_rest(seed):
    """The work that friction takes is what the start and the push gave: nothing stops, nothing is unexplained."""
    pick = random.Random(seed)
    feet = pick.choice([(-0.5, -0.2, 0.2, 0.5), (-0.5, -0.3, 0.1, 0.5), (-0.5, -0.5, 0.5, 0.5)])
    result = run(sledge(pick.choice(["0", "1", "-1.5", "2*sin(3*t)", "4*sin(2*t)", "3 - 2*t"]), pick.choice([0.1, 0.2, 0.3, 0.5]),
                        pick.choice([0, 0.1, -0.15]), feet, pick.choice([1.0, -0.5, 0.3]), 2.0,
                        pick.choice([0.35, 0.5, 0.6]), pick.choice([0.2, 0.3])), 2.0)
    assert result["status"] == "done"
    assert abs(result["energy"]["unexplained"]) <= 1e-8
    assert result["contacts"]["cone"] <= 1e-8 and result["contacts"]["natural"] <= 1e-6


@pytest.mark.parametrize("spin", [0.0, 0.7])
def test_a_table_on_four_feet_comes_to_rest(spin):
    """Without spin it slides v/(mu g) long, v²/(2 mu g) far; with spin it stops turning and sliding at one instant."""
    text = """
format = 1
name = "table"
coordinates = ["x", "y", "z", "a", "b", "c"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2 + (a'^2 + b'^2 + c'^2)/6"
V = "10*z"
"""
    for i, (p, q) in enumerate(((0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (-0.5, -0.5))):
        text += f"""[contact.f{i}]
gap = "z - 0.2 - ({p})*b + ({q})*a"
slip = ["x' - 0.2*b' - ({q})*c'", "y' + 0.2*a' + ({p})*c'"]
friction = {{ static = 0.5, dynamic = 0.3 }}
"""
    text += f"[start]\nz = 0.2\n[start.velocity]\nx = 0.8\ny = 0.6\nc = {spin}\n[run]\nuntil = 1\n"
    result = run(text, 1.0)
    end = result["samples"][0]
    assert result["status"] == "done" and all(abs(v) <= 1e-9 for v in end["v"].values())
    assert {e["where"] for e in result["events"] if e["kind"] == "stick"} == {f"f{i}" for i in range(4)}
    if spin == 0.0:
        assert end["q"]["x"] == pytest.approx(0.8 / 6, rel=1e-9) and end["q"]["y"] == pytest.approx(0.6 / 6, rel=1e-9)
        assert [e["time"] for e in result["events"] if e["kind"] == "stick"] == pytest.approx([1 / 3] * 4, rel=1e-9)
