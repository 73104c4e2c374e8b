# SPDX-License-Identifier: Apache-2.0
"""Contacts that come to rest together: tipping and landing, rocking to rest, a stack dropped as a whole."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

H = math.sqrt(6.5)  # of a block of half width 1: Housner's ratio is 1 − 3/(2 (1 + H²)) = 0.8
RATIO = 0.8
ALPHA = math.atan(1 / H)
# Small tilts th = x tan(ALPHA): x'' = ±x ∓ 1 in the time unit 1/RATE (Housner 1963).
RATE = math.sqrt(0.75 / math.hypot(1, H) * math.cos(ALPHA))


def block(start, until):
    return f"""
format = 1
name = "block on two corners"
coordinates = ["x", "y", "th"]
[parameters]
h = {H!r}
[energy]
T = "(x'^2 + y'^2)/2 + (1 + h^2)/6*th'^2"
V = "y"
[contact.left]
gap = "y - sin(th) - h*cos(th)"
slip = "der(x - cos(th) + h*sin(th))"
friction = 2
restitution = {{ value = 0, law = "moreau" }}
[contact.right]
gap = "y + sin(th) - h*cos(th)"
slip = "der(x + cos(th) + h*sin(th))"
friction = 2
restitution = {{ value = 0, law = "moreau" }}
{start}
[run]
until = {until!r}
"""


def run(text, *more):
    answer = run_program("run", "-", "--json", "--events", "all", *more, stdin=text)
    assert answer.code == 0, answer.err + answer.out[:500]
    return answer.json()


def time_to_rest(x):
    """The first quarter, then half periods 2 artanh of the speed, which every change of corners takes times RATIO."""
    v = math.sqrt(2 * x - x * x)
    return math.acosh(1 / (1 - x)) + sum(2 * math.atanh(RATIO**n * v) for n in range(1, 200))


def test_the_series_is_that_of_the_reference():
    cases = json.loads((Path(__file__).resolve().parents[1] / "reference/06-rocking-block.json").read_text())["cases"]
    case = next(c for c in cases if c["kind"] == "transient")
    assert time_to_rest(case["parameters"]["x0"]) == pytest.approx(case["time_to_rest"], abs=1e-10)


def test_a_block_rocks_to_rest_on_two_corners():
    tilt = 1e-4
    expected = time_to_rest(tilt / math.tan(ALPHA)) / RATE
    start = f'[start]\nth = {tilt}\ny = "sin(th) + h*cos(th)"\nclosed = ["left"]'.replace("sin(th)", f"sin({tilt})").replace(
        "cos(th)", f"cos({tilt})")
    result = run(block(start, 1.1 * expected), "--at", repr(1.1 * expected))
    impacts = [e for e in result["events"] if e["kind"] == "impact"]
    # Corners take turns, and every one keeps 0.8 of the turning.
    assert [e["where"] for e in impacts[:6]] == ["right", "left"] * 3 or [e["where"] for e in impacts[:6]] == ["left", "right"] * 3
    for event in impacts[:20]:
        ratio = event["v_plus"]["th"] / event["v_minus"]["th"]
        assert ratio == pytest.approx(RATIO, abs=1e-6)
    end = next(e for e in result["events"] if e["kind"] == "accumulation")
    assert end["rule"] == "common limit" and end["time"] == pytest.approx(expected, rel=3e-4)  # of the tilt
    last = result["samples"][0]
    assert all(mode != "open" for mode in last["mode"].values())
    assert sum(r["normal"] for r in last["reactions"].values()) == pytest.approx(1.0, abs=1e-10)
    assert abs(last["v"]["th"]) < 1e-10 and abs(result["energy"]["unexplained"]) < 1e-12


def test_a_block_tips_and_lands_on_its_other_foot():
    """Both corners closed, turned by an impulse: one opens at once, comes back, and the block goes over to it."""
    w = 1e-3  # in units of x
    rate = w * math.tan(ALPHA) * RATE
    start = f'[start]\ny = "h"\nclosed = ["left"]\n[start.velocity]\nth = {rate!r}\nx = "-h*{rate!r}"\ny = {rate!r}'
    flight = 2 * math.atanh(w) / RATE
    result = run(block(start, 1.5 * flight))
    told = [(e["kind"], e["where"]) for e in result["events"] if e["time"] > 0]
    assert told[:2] == [("impact", "right"), ("release", "left")]
    first = next(e for e in result["events"] if e["time"] > 0)
    assert first["time"] == pytest.approx(flight, rel=1e-3)
    assert first["v_minus"]["th"] == pytest.approx(-rate, rel=1e-9)
    assert first["v_plus"]["th"] == pytest.approx(-RATIO * rate, rel=1e-6)


@pytest.mark.parametrize("count", [20])
@pytest.mark.parametrize("rule", ["sequential", "simultaneous"])
def test_a_stack_that_is_dropped_comes_to_rest_at_once(count, rule):
    names = [f"z{i}" for i in range(count)]
    masses = [1 + i / 10 for i in range(count)]
    kinetic = " + ".join(f"{m!r}*{z}'^2/2" for m, z in zip(masses, names))
    potential = " + ".join(f"{m!r}*9.81*{z}" for m, z in zip(masses, names))
    text = f'format = 1\nname = "stack"\ncoordinates = {json.dumps(names)}\n[energy]\nT = "{kinetic}"\nV = "{potential}"\n'
    text += '[contact.c0]\ngap = "z0"\n'
    text += "".join(f'[contact.c{i}]\ngap = "z{i} - z{i - 1} - 1"\n' for i in range(1, count))
    text += "[start]\n" + "".join(f"{z} = {i + 0.5}\n" for i, z in enumerate(names))
    text += f'[run]\nuntil = 1\nimpacts = "{rule}"\n'
    result = run(text, "--at", "0.9")
    fall = math.sqrt(1 / 9.81)
    impacts = [e for e in result["events"] if e["kind"] == "impact"]
    assert impacts and all(e["time"] == pytest.approx(fall, abs=1e-9) for e in impacts)
    sample = result["samples"][0]
    assert set(sample["mode"].values()) == {"closed"}
    for i in range(count):
        assert sample["reactions"][f"c{i}"] == pytest.approx(9.81 * sum(masses[i:]), rel=1e-12)
        assert sample["q"][f"z{i}"] == pytest.approx(i, abs=1e-9)


NESTED = """
format = 1
name = "two balls on a moving curved table"
coordinates = ["x", "y1", "y2"]
[energy]
T = "(x'^2 + y1'^2)/2 + 0.3*y2'^2 + 0.1*x'*y2'"
V = "9.81*y1 + 0.6*9.81*y2 + 2*x^2"
[contact.table]
gap = "y1 - 0.2*x^2 - 0.02*sin(4*t)"
restitution = 0.5
[contact.pair]
gap = "y2 - y1 - 0.1"
restitution = 0.4
[start]
x = 0.3
y1 = 0.4
y2 = 0.7
[run]
until = 5
"""


def test_bounces_inside_bounces_on_a_moving_curved_table():
    """The lower ball comes to rest between any two impacts of the upper one, again and again, and all of that ends in finite time."""
    runs = [run_program("run", "-", "--json", "--tolerance", tolerance, stdin=NESTED).json() for tolerance in (1e-9, 1e-12)]
    for result in runs:
        assert result["status"] == "done" and result["warnings"] == []
        times = [e["time"] for e in result["events"]]
        assert times == sorted(times)
        assert result["smallest_gap"] > -1e-11 and abs(result["energy"]["unexplained"]) < 1e-9
        assert result["events"][-1]["kind"] == "attach" and result["events"][-1]["where"] == "pair"
    ends = [result["events"][-1]["time"] for result in runs]
    assert abs(ends[0] - ends[1]) < 1e-9
    for name in ("x", "y1", "y2"):
        assert abs(runs[0]["state"]["q"][name] - runs[1]["state"]["q"][name]) < 1e-8


def test_a_collapse_that_outruns_time():
    """A block rebounds from the floor into one that follows it closely and sticks to it in each impact: they fall back with ρ of
    their speed, ρ = (m − e)/(1 + m), parting ever so slightly, and are back after a time that the narrow gap shortens far more.
    Within a few impacts time cannot tell them apart; both are at rest after √(2h/g), and the floor has taken all momentum."""
    m, e, h, g = 1.2, 0.7, 0.5, 9.81
    result = run(f"""
format = 1
coordinates = ["low", "high"]
[energy]
T = "(low'^2 + {m}*high'^2)/2"
V = "{g}*(low + {m}*high)"
[force.pull]
high = 1e-4
[contact.floor]
gap = "low"
restitution = {{ value = {e}, law = "moreau" }}
[contact.between]
gap = "high - low"
restitution = {{ value = 0, law = "moreau" }}
[start]
low = {h}
high = {h + 1e-6!r}
[run]
until = 1
tolerance = 1e-10
""", "--at", "1")
    lands = math.sqrt(2 * h / g)
    assert result["events"][-1]["time"] == pytest.approx(lands, abs=1e-5)
    impulse = sum(i["impulse"] for i in result["events"] if i["kind"] == "impact" and i["where"] == "floor")
    assert impulse == pytest.approx((1 + m) * g * lands, abs=1e-4)
    sample = result["samples"][0]
    assert sample["q"]["low"] == pytest.approx(0, abs=1e-9) and sample["q"]["high"] == pytest.approx(0, abs=1e-9)
    assert sample["reactions"]["floor"] == pytest.approx((1 + m) * g - 1e-4, abs=1e-8)
    assert sample["reactions"]["between"] == pytest.approx(m * g - 1e-4, abs=1e-8)
