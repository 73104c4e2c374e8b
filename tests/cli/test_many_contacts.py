# SPDX-License-Identifier: Apache-2.0
"""Frictionless contacts together: chains, corners, columns and feet against exact arithmetic."""

import json
import math
import resource
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import run_program

FOLDER = Path(__file__).resolve().parents[1] / "reference"


def reference(name):
    return json.loads((FOLDER / f"07-{name}.json").read_text(encoding="utf-8"))


def value(text):
    return float(Fraction(text))


def run(text, *more):
    answer = run_program("run", "-", "--json", "--at", "0", *more, stdin=text)
    assert answer.code == 0, answer.err + answer.out[:500]
    return answer.json()


def impacts(result):
    return [event for event in result["events"] if event["kind"] == "impact"]


def impulses(result):
    """By contact, of all impacts together."""
    total = {}
    for event in impacts(result):
        for name, impulse in ({n: c["impulse"] for n, c in event["contacts"].items()} if event.get("contacts")
                              else {event["where"]: event["impulse"]}).items():
            total[name] = total.get(name, 0.0) + impulse
    return total


CHAIN = reference("chain")["cases"]


def chain(case, law):
    n = len(case["masses"])
    names = [f"x{i}" for i in range(n)]
    kinetic = " + ".join(f"{value(m)!r}*{x}'^2/2" for m, x in zip(case["masses"], names))
    text = f'format = 1\nname = "chain"\ncoordinates = {json.dumps(names)}\n[energy]\nT = "{kinetic}"\n'
    for i, e in enumerate(case["restitution"]):
        text += f'[contact.c{i}]\ngap = "x{i + 1} - x{i} - 1"\nrestitution = {{ value = {e}, law = "{law}" }}\n'
    text += "[start]\n" + "".join(f"{x} = {i}\n" for i, x in enumerate(names))
    text += "[start.velocity]\n" + "".join(f"{x} = {value(v)!r}\n" for x, v in zip(names, case["velocities"]))
    return text + "[run]\nuntil = 1e-6\ntolerance = 1e-12\n"


@pytest.mark.parametrize("case", CHAIN, ids=[case["name"] for case in CHAIN])
@pytest.mark.parametrize("rule", ["simultaneous_moreau", "simultaneous_poisson", "sequential_first", "sequential_last",
                                  "sequential_deepest"])
def test_balls_touching_in_a_row(case, rule):
    wanted = case[rule]
    family = "simultaneous" if "simultaneous" in rule else "sequential"
    order = {"first": "declared", "last": "reverse"}.get(rule.split("_")[1], "deepest")
    result = run(chain(case, "poisson" if "poisson" in rule else "newton"),
                 "--realise", f"impacts={family},order={order}")
    velocities = result["samples"][0]["v"]
    for i, v in enumerate(wanted["velocities"]):
        assert abs(velocities[f"x{i}"] - v) <= 1e-10
    events = impacts(result)
    if family == "sequential" and "collapse" not in case["name"]:
        assert [event["where"] for event in events] == [f"c{i}" for i in wanted["order"]]
    assert abs(sum(event["energy"] for event in events) - wanted["energy_change"]) <= 1e-10
    struck = wanted.get("impulses") or [c + e for c, e in zip(wanted["compression_impulses"], wanted["expansion_impulses"])]
    assert [impulses(result).get(f"c{i}", 0.0) for i in range(len(struck))] == pytest.approx(struck, abs=1e-10)


CORNER = reference("corner")["cases"]


@pytest.mark.parametrize("case", CORNER, ids=[case["name"] for case in CORNER])
def test_running_into_a_corner(case):
    angle, (vx, vy) = case["angle"], case["velocity"]
    text = f"""
format = 1
name = "corner"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[contact.floor]
gap = "y"
restitution = {{ value = {case["restitution"]}, law = "newton" }}
[contact.wall]
gap = "{math.sin(angle)!r}*x - {math.cos(angle)!r}*y"
restitution = {{ value = {case["restitution"]}, law = "newton" }}
[start.velocity]
x = {vx}
y = {vy}
[run]
until = 1e-6
tolerance = 1e-12
"""
    for rule, choice in (("simultaneous_moreau", "impacts=simultaneous"), ("floor_first", "order=declared"),
                         ("wall_first", "order=reverse")):
        result = run(text, "--realise", choice)
        v = result["samples"][0]["v"]
        assert abs(v["x"] - case[rule]["velocity"][0]) <= 1e-10
        assert abs(v["y"] - case[rule]["velocity"][1]) <= 1e-10
        assert abs(sum(event["energy"] for event in impacts(result)) - case[rule]["energy_change"]) <= 1e-10
        if rule == "simultaneous_moreau":
            struck = [impulses(result).get(name, 0.0) for name in ("floor", "wall")]
            assert struck == pytest.approx(case[rule]["impulses"], abs=1e-10)
        else:
            assert [event["where"] for event in impacts(result)] == [("floor", "wall")[i] for i in case[rule]["order"]]
            told = [event["case"] or "" for event in impacts(result)]
            assert any("depends on the order" in case_name for case_name in told) == case["order_matters"]
            # the walls are met at one instant: told in either case where both are approached
            assert case["order_matters"] or all("simultaneous" in case_name for case_name in told) or len(told) == 1


COLUMN = reference("column")


def column(masses, g, forces=None, floor="0"):
    n = len(masses)
    names = [f"z{i}" for i in range(n)]
    kinetic = " + ".join(f"{m!r}*{z}'^2/2" for m, z in zip(masses, names))
    potential = " + ".join(f"{m * g!r}*{z}" for m, z in zip(masses, names))
    text = f'format = 1\nname = "column"\ncoordinates = {json.dumps(names)}\n[energy]\nT = "{kinetic}"\nV = "{potential}"\n'
    for i, force in enumerate(forces or []):
        if force:
            text += f"[force.f{i}]\nz{i} = {force}\n"
    text += f'[contact.c0]\ngap = "z0 - ({floor})*t^2/2"\n'
    for i in range(1, n):
        text += f'[contact.c{i}]\ngap = "z{i} - z{i - 1} - 1"\n'
    text += "[start]\n" + "".join(f"{z} = {i}\n" for i, z in enumerate(names))
    return text + "[run]\nuntil = 1e-3\ntolerance = 1e-12\n"


@pytest.mark.parametrize("case", COLUMN["small"], ids=[case["name"] for case in COLUMN["small"]])
def test_a_column_on_a_floor(case):
    masses = [value(m) for m in case["masses"]]
    result = run(column(masses, float(case["g"]), [float(f) for f in case["force_up"]], case["floor_acceleration"]))
    sample = result["samples"][0]
    for i, (reaction, acceleration) in enumerate(zip(case["reactions"], case["acceleration"])):
        assert abs(sample["reactions"][f"c{i}"] - reaction) <= 1e-10
        assert abs(sample["a"][f"z{i}"] - acceleration) <= 1e-10


@pytest.mark.parametrize("case", COLUMN["large"], ids=[str(case["N"]) for case in COLUMN["large"]])
def test_a_tall_column(case):
    n = case["N"]
    masses = [(1 + (7 * i) % 5) / 4 for i in range(n)]
    answer = run_program("run", "-", "--json", "--at", "0", stdin=column(masses, 9.81), limit=240)
    assert answer.code == 0, answer.err + answer.out[:500]
    # Nothing grows with the square of the number: a matrix of 10000 x 10000 alone would take 763 MiB. The peak of a
    # child counts from before its exec: it is at least that of the process that started it.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert answer.peak_mib < max(100 + 0.06 * n, own + 1)
    reactions = answer.json()["samples"][0]["reactions"]
    assert abs(reactions["c0"] / case["bottom_reaction"] - 1) <= 1e-12
    assert abs(reactions[f"c{n // 2}"] / case["middle_reaction"] - 1) <= 1e-10
    assert abs(reactions[f"c{n - 1}"] / case["top_reaction"] - 1) <= 1e-10


AT_REST = reference("statics")["cases"]


@pytest.mark.parametrize("case", [c for c in AT_REST if c["parameters"]["mu"] is None],
                         ids=[c["name"] for c in AT_REST if c["parameters"]["mu"] is None])
def test_a_body_on_its_feet(case):
    p = case["parameters"]
    feet = [value(a) for a in p["feet"]]
    text = f"""
format = 1
name = "feet"
coordinates = ["x", "y", "th"]
[energy]
T = "{p['m']}*(x'^2 + y'^2)/2 + {value(p['J'])}*th'^2/2"
V = "{p['m']}*{p['g']}*y"
[start]
y = {value(p['h'])}
[run]
until = 1e-3
tolerance = 1e-12
""" + "".join(f'[contact.f{i}]\ngap = "y - {value(p["h"])} + ({a})*th"\n' for i, a in enumerate(feet))
    sample = run(text)["samples"][0]
    wanted = case["solutions"][0]
    reactions = [sample["reactions"][f"f{i}"] for i in range(len(feet))]
    assert all(r >= -1e-10 for r in reactions)
    assert abs(sum(reactions) - wanted["normal_sum"]) <= 1e-9
    for name, a in zip(("x", "y", "th"), wanted["acceleration"]):
        assert abs(sample["a"][name] - a) <= 1e-10
    assert sample.get("reactions_unique", True) == wanted["reactions_unique"]
    # Where many share the load, the reference prints the admissible reactions of least norm.
    for got, exact in zip(reactions, wanted["normal"]):
        assert abs(got - exact) <= (1e-10 if wanted["reactions_unique"] else 1e-8)


GROOVE = reference("groove")["cases"]


@pytest.mark.parametrize("case", GROOVE, ids=[case["name"] for case in GROOVE])
def test_a_point_in_a_groove_without_friction(case):
    """The frictionless part of the reference: opening when pulled out, and the closed form mg/(2 sin beta) of the weight."""
    p = {k: value(v) for k, v in case["parameters"].items()}
    sine, cosine = math.sin(p["beta"]), math.cos(p["beta"])
    text = f"""
format = 1
name = "groove"
coordinates = ["x", "y"]
[energy]
T = "{p['m']}*(x'^2 + y'^2)/2"
V = "{p['m'] * p['g']}*y"
[force.pull]
y = {p['f']}
[contact.left]
gap = "{cosine!r}*x + {sine!r}*y"
[contact.right]
gap = "-{cosine!r}*x + {sine!r}*y"
[run]
until = 1e-3
tolerance = 1e-12
"""
    sample = run(text)["samples"][0]
    pressing = p["m"] * p["g"] - p["f"]
    if pressing > 0:
        for name in ("left", "right"):
            assert abs(sample["reactions"][name] - pressing / (2 * sine)) <= 1e-10
        assert abs(sample["a"]["y"]) <= 1e-10
    else:
        free = next(s for s in case["solutions"] if s["modes"] == ["oo"])
        assert abs(sample["a"]["x"] - free["acceleration"][0]) <= 1e-10
        assert abs(sample["a"]["y"] - free["acceleration"][1]) <= 1e-10
        assert sample["reactions"]["left"] == sample["reactions"]["right"] == 0


@pytest.mark.parametrize("rule", ["impact", "separate", "stop"])
@pytest.mark.parametrize("case", GROOVE, ids=[case["name"] for case in GROOVE])
def test_a_point_in_a_rough_groove(case, rule):
    """Pulled out of a groove in which it could jam the point leaves by every rule but stop, by name: no load that jams it was given."""
    p = {k: value(v) for k, v in case["parameters"].items()}
    sine, cosine = math.sin(p["beta"]), math.cos(p["beta"])
    text = f"""
format = 1
name = "groove"
coordinates = ["x", "y"]
[energy]
T = "{p['m']}*(x'^2 + y'^2)/2"
V = "{p['m'] * p['g']}*y"
[force.pull]
y = {p['f']}
[contact.left]
gap = "{cosine!r}*x + {sine!r}*y"
slip = "-{sine!r}*x' + {cosine!r}*y'"
friction = {p['mu']}
[contact.right]
gap = "-{cosine!r}*x + {sine!r}*y"
slip = "{sine!r}*x' + {cosine!r}*y'"
friction = {p['mu']}
[start]
closed = ["left", "right"]
[run]
until = 1e-3
paradox = "{rule}"
"""
    told = run_program("check", "-", "--contacts", "--json", stdin=text).json()
    assert told["complete"] and len(told["solutions"]) == case["count"]
    for solution in case["solutions"]:
        match = next(s for s in told["solutions"] if (s["contacts"]["left"]["mode"] == "open") == (solution["modes"] == ["oo"]))
        assert match["reactions_unique"] == solution["reactions_unique"]
        for i, name in enumerate(("left", "right")):
            assert match["contacts"][name]["normal"] == pytest.approx(solution["normal"][i], rel=1e-8, abs=1e-9)
            assert match["contacts"][name]["tangential"][0] == pytest.approx(solution["tangential"][i], rel=1e-8, abs=1e-9)
    answer = run_program("run", "-", "--json", "--at", "0", stdin=text)
    if case["count"] > 1 and rule == "stop":
        assert answer.code == 3 and "2 motions" in answer.json()["reason"]
        return
    assert answer.code == 0, answer.out[:500] + answer.err
    result = answer.json()
    leaves = next((s for s in case["solutions"] if s["modes"] == ["oo"]), None)
    wanted = leaves or case["solutions"][0]
    assert [result["samples"][0]["a"][c] for c in "xy"] == pytest.approx(wanted["acceleration"], abs=1e-9)
    released = [e for e in result["events"] if e["kind"] == "release"]
    assert {e["where"] for e in released} == ({"left", "right"} if leaves else set())
    if case["count"] > 1:
        assert all((e["case"], e["rule"]) == ("indeterminate", "separate") for e in released)
