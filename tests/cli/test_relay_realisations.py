# SPDX-License-Identifier: Apache-2.0
"""Relays as they are built: hysteresis, delay, sampling, implicit steps; each tends to the definition theory names for it.

With constant forces the motion of any switching realisation obeys v(t) − v(0) − a_F t = (Δa/ΔṠ) (S(t) − S(0)), with the
acceleration a_F of Filippov: whatever keeps S small realises Filippov, with an error as large as S.
"""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program

METHODS = json.loads((Path(__file__).resolve().parents[1] / "reference" / "05-method-comparison.json")
                     .read_text(encoding="utf-8"))
CASES = ["all_three_differ", "linear_not_collinear", "linear_collinear"]
NAMES = ("x", "y", "z")

# How the discrete state `side` follows the surface S: above it 1, below it −1.
HYSTERESIS = """
[state]
side = 1
[event.down]
when = "{S} + width"
direction = "down"
set.state.side = -1
[event.up]
when = "{S} - width"
direction = "up"
set.state.side = 1
"""

DELAY = """
[state]
side = 1
next = 1
due = 1e9
[event.sensed]
when = "{S}"
set.state.next = "-next"
set.state.due = "t + width"
[event.switched]
when = "t - due"
direction = "up"
set.state.side = "next"
"""

SAMPLED = """
[state]
side = 1
due = 0
[event.sample]
when = "t - due - width"
direction = "up"
set.state.side = "if({S} > 0, 1, -1)"
set.state.due = "due + width"
"""


def run(text, *arguments):
    answer = run_program("run", "-", "--json", *arguments, stdin=text)
    assert answer.code == 0, answer.err + answer.out[-500:]
    return answer.json()


def built(case, way, width, until):
    p = METHODS[case]["parameters"]
    names = NAMES[:len(p["m"])]
    surface = " + ".join(f"({l})*{name}'" for l, name in zip(p["l"], names)) + f" + {p['Gamma']}*t"
    kinetic = " + ".join(f"{m}/2*{name}'^2" for m, name in zip(p["m"], names))
    forces = "\n".join(f'{name} = "{f} + ({b})*({phi.replace(" ", "*").replace("u", "side")})"'
                       for f, b, phi, name in zip(p["F"], p["b"], p["phi"], names))
    coordinates = ", ".join(f'"{name}"' for name in names)
    return f"""
format = 1
name = "built relay"
coordinates = [{coordinates}]
[parameters]
width = {width}
[energy]
T = "{kinetic}"
[force.given]
{forces}
{way.replace("{S}", surface)}
[observe]
S = "{surface}"
[start.velocity]
x = {0.1 * width}
[run]
until = {until}
tolerance = 1e-12
"""


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("way, event", [(HYSTERESIS, "up"), (DELAY, "switched")], ids=["hysteresis", "delay"])
def test_averages_over_cycles_are_filippovs(case, way, event):
    # The last whole cycles of the relay; forces are constant, so that the average has no error but rounding.
    result = run(built(case, way, 1e-3, 0.3), "--events", "all")
    events = [e for e in result["events"] if e["where"] == event]
    first, last = events[0], events[-1 if event == "up" or len(events) % 2 == 1 else -2]
    assert len(events) > 20
    wanted = METHODS[case]["result"]["filippov"]["acc"]
    for name, a in zip(NAMES, wanted):
        average = (last["v_minus"][name] - first["v_minus"][name]) / (last["time"] - first["time"])
        assert abs(average - a) <= 1e-10


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("way", [HYSTERESIS, DELAY, SAMPLED], ids=["hysteresis", "delay", "explicit Euler"])
def test_the_error_is_as_large_as_the_surface_and_of_first_order(case, way):
    p, result = METHODS[case]["parameters"], METHODS[case]["result"]
    fastest = max(abs(result["Sdot_plus"]), abs(result["Sdot_minus"]))
    phi = [[eval(f.replace(" ", "*").replace("^", "**"), {"u": u}) for u in (-1, 1)] for f in p["phi"]]
    jump = [b * (high - low) / m for b, (low, high), m in zip(p["b"], phi, p["m"])]
    rate_jump = result["Sdot_plus"] - result["Sdot_minus"]
    worst = []
    widths = (4e-3, 2e-3, 1e-3, 5e-4)
    for width in widths:
        samples = run(built(case, way, width, 0.2), "--at", "0:0.2:201")["samples"]
        S0 = samples[0]["observe"]["S"]
        largest = 0.0
        for sample in samples:
            S = sample["observe"]["S"]
            for name, a, d in zip(NAMES, result["filippov"]["acc"], jump):
                off = sample["v"][name] - samples[0]["v"][name] - a * sample["t"]
                assert abs(off - d / rate_jump * (S - S0)) <= 1e-12
            largest = max(largest, abs(S))
        # One width past the surface at most: in S, or in time.
        assert largest <= width * (1.0 if way is HYSTERESIS else fastest) * (1 + 1e-9)
        worst.append(largest)
    order = math.log(worst[0] / worst[-1]) / math.log(widths[0] / widths[-1])
    assert abs(order - 1) <= 0.1


@pytest.mark.parametrize("case", CASES)
def test_implicit_steps_are_utkins(case):
    # Backward Euler with u ∈ Sgn(S) at the end of the step: u keeps S = 0 there, inside φ.
    p = METHODS[case]["parameters"]
    phi = [compile(f.replace(" ", "*").replace("^", "**"), "phi", "eval") for f in p["phi"]]
    h, steps = 1e-3, 200
    v, t = [0.0] * len(p["m"]), 0.0

    def moved(u):
        return [w + h * (F + b * eval(f, {"u": u})) / m
                for w, F, b, f, m in zip(v, p["F"], p["b"], phi, p["m"])]

    def surface(w):
        return sum(l * x for l, x in zip(p["l"], w)) + p["Gamma"] * t

    for _ in range(steps):
        t += h
        low, high = -1.0, 1.0  # S falls with u
        for _ in range(60):
            u = (low + high) / 2
            low, high = (u, high) if surface(moved(u)) > 0 else (low, u)
        v = moved(u)
    text = built(case, "", 1e-3, t)
    forces = "\n".join(f'force.{name} = "({b})*({f.replace(" ", "*")})"'
                       for name, b, f in zip(NAMES, p["b"], p["phi"]))
    given = "\n".join(f"{name} = {f}" for name, f in zip(NAMES, p["F"]))
    surface_text = text.split('S = "')[1].split('"')[0]
    head, tail = text.split("[force.given]")[0], text.split("[observe]")[1]
    text = f'{head}[force.given]\n{given}\n[relay.r]\nsurface = "{surface_text}"\n{forces}\n[observe]{tail}'
    text = text.replace(f"x = {0.1 * 1e-3}", "x = 0")
    result = run(text, "--realise", "relay=utkin")
    for name, wanted in zip(NAMES, v):
        assert abs(result["state"]["v"][name] - wanted) <= 1e-12


OSCILLATOR = """
format = 1
name = "relay oscillator"
coordinates = ["x"]
[parameters]
width = {width}
[energy]
T = "x'^2/2"
V = "x^2/2"
{control}
[start]
x = 3.0
[run]
until = 6
tolerance = 1e-11
"""
SURFACE = "x' + x/2"
EXACT = OSCILLATOR.replace("{control}", f'[relay.control]\nsurface = "{SURFACE}"\nforce.x = "-u"').replace("{width}", "0")


@pytest.mark.parametrize("way", [HYSTERESIS, DELAY, SAMPLED], ids=["hysteresis", "delay", "explicit Euler"])
def test_crossing_and_sliding_are_approached_with_first_order(way):
    # x'' = −x − u from x = 3: crosses twice, then slides; the built relays chatter about that motion.
    times = ["--at", "0:6:601"]
    exact = run(EXACT, *times)["samples"]
    assert exact[-1]["mode"] == {"control": "sliding"}
    control = way.replace("{S}", SURFACE) + '[force.control]\nx = "-side"'
    errors = []
    widths = (1.6e-2, 8e-3, 4e-3, 2e-3)
    # When a sampled relay sees a crossing depends on the phase of its clock: the worst of several periods counts.
    spread = [1 + 0.03 * j for j in range(8)] if way is SAMPLED else [1]
    for width in widths:
        worst = 0.0
        for factor in spread:
            text = OSCILLATOR.replace("{control}", control).replace("{width}", repr(width * factor))
            samples = run(text, *times)["samples"]
            off = max(abs(a["q"]["x"] - b["q"]["x"]) for a, b in zip(samples, exact, strict=True))
            worst = max(worst, off / factor)
        errors.append(worst)
    order = math.log(errors[0] / errors[-1]) / math.log(widths[0] / widths[-1])
    assert abs(order - 1) <= 0.15, errors
