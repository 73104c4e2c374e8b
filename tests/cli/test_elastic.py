# SPDX-License-Identifier: Apache-2.0
"""Contacts as stiff springs against quad-precision integration and closed forms (Deryabin 1994, corrected)."""

import json
import math
import re
from pathlib import Path

import pytest
from conftest import run_program

FOLDER = Path(__file__).resolve().parents[1] / "reference"


def reference(name):
    return json.loads((FOLDER / f"04-{name}.json").read_text(encoding="utf-8"))


ALONG = reference("theorem1-nonpotential")
DOME = reference("dome-liftoff")
PARABOLA = reference("parabola-cartesian")
BALL = reference("ball-impact")
OBLIQUE = reference("oblique-impact")
NORMAL_FORM = reference("liftoff-model")
BOUNCES = reference("choose-N-and-bounces")["bounces"]


def run(text, times=(0.0,)):
    answer = run_program("run", "-", "--json", "--at", ",".join(repr(float(t)) for t in times), stdin=text)
    assert answer.code == 0, answer.err + answer.out[:500]
    result = answer.json()
    assert result["status"] == "done", result["reason"]
    return result


def changes(result):
    return [e for e in result["events"] if e["kind"] in ("attach", "release")]


def close(got, wanted, stiffness, smallest=1e-12):
    """The accuracy that a switching motion has at this stiffness: 1e-8 up to 1e4, 1e-6 at 1e6."""
    relative = 1e-8 if stiffness <= 1e4 else 1e-7 if stiffness <= 1e5 else 1e-6
    return abs(got - wanted) <= relative * abs(wanted) + smallest


MODEL = """
format = 1
name = "elastic"
coordinates = {coordinates}
[energy]
{energy}
{forces}
[contact.stop]
{contact}
[start]
{start}
[start.velocity]
{velocity}
[run]
until = {until}
tolerance = 1e-13
contact = "elastic"
"""


@pytest.mark.parametrize("case", ALONG["cases"], ids=[f"N={c['N']:g}" for c in ALONG["cases"]])
def test_along_the_constraint_with_forces_that_have_no_potential(case):
    p, n = ALONG["parameters"], case["N"]
    result = run(MODEL.format(
        coordinates='["x", "q"]', until=p["T"], start="x = 1", velocity="x = 0",
        energy=f"T = \"(1 + {p['b']}*q)*x'^2/2 + (1 + {p['a']}*sin(x))*q'^2/2\"",
        forces=f"[force.push]\nq = \"-2 - {p['c']}*x'\"\nx = \"-x + {p['k']}*q' - x'/10\"",
        contact=f'gap = "q"\nstiffness = {n}'), [s["t"] for s in case["samples"]])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        for name in "xq":
            assert close(got["q"][name], wanted[name], n)
            assert close(got["v"][name], wanted[name + "dot"], n)
    events = changes(result)
    assert len(events) == case["n_contact_changes"]
    for got, wanted in zip(events, case["first_changes"]):
        assert abs(got["time"] - wanted["t"]) < 1e-9
        assert got["kind"] == ("attach" if wanted["contact"] else "release")
        assert close(got["gap_rate"], wanted["qdot"], n)
    assert abs(result["energy"]["unexplained"]) < 1e-11


def dome(n, extra, q0, until, times):
    return run(MODEL.format(
        coordinates='["q", "th"]', until=until, start=f"q = {q0!r}", velocity="th = 0.5", forces="",
        energy="T = \"(q'^2 + (1 + q)^2*th'^2)/2\"\nV = \"(1 + q)*cos(th)\"",
        contact=f'gap = "q"\nstiffness = {n}\n{extra}'), times)


@pytest.mark.parametrize("start", ["paper_start", "static_start", "damped_zeta_0.3"])
@pytest.mark.parametrize("place", range(5), ids=lambda i: f"1e{i + 2}")
def test_leaving_a_disc(start, place):
    case = DOME[start]["rows"][place]
    n, limit = case["N"], DOME["limit"]
    extra = "damping_ratio = 0.3" if "damped" in start else ""
    q0 = -limit["initial_reaction"] / n if "static" in start else 0.0
    lift_off = limit["liftoff_time"]
    result = dome(n, extra, q0, limit["t_end"], [lift_off / 2, lift_off, limit["t_end"]])
    for got, key in zip(result["samples"], ("q_theta_qd_thd_at_half", "q_theta_qd_thd_at_liftoff_time")):
        values = [got["q"]["q"], got["q"]["th"], got["v"]["q"], got["v"]["th"]]
        for value, wanted in zip(values, case[key]):
            assert close(value, wanted, n)
    end = result["samples"][2]
    r, th = 1 + end["q"]["q"], end["q"]["th"]
    rd, thd = end["v"]["q"], end["v"]["th"]
    cartesian = [r * math.sin(th), r * math.cos(th), rd * math.sin(th) + r * math.cos(th) * thd,
                 rd * math.cos(th) - r * math.sin(th) * thd]
    for value, wanted in zip(cartesian, case["cartesian_end"]):
        assert close(value, wanted, n)
    events = changes(result)
    assert len(events) == case["n_contact_changes"]
    assert abs(events[-1]["time"] - case["last_contact_end_time"]) < 1e-9
    assert close(events[-1]["gap_rate"], case["last_contact_end_qdot"], n)
    if extra == "":
        drift = abs(result["energy"]["end"] - result["energy"]["start"])
        assert drift < 1e-9 * abs(result["energy"]["start"])


def test_the_disc_in_two_kinds_of_coordinates_is_one_motion():
    times = [0.25 * k for k in range(7)]
    polar = dome(1e4, "", 0.0, 1.5, times)
    cartesian = run(MODEL.format(
        coordinates='["x", "y"]', until=1.5, start="y = 1", velocity="x = 0.5", forces="",
        energy="T = \"(x'^2 + y'^2)/2\"\nV = \"y\"", contact='gap = "sqrt(x^2 + y^2) - 1"\nstiffness = 1e4'), times)
    assert len(changes(polar)) == len(changes(cartesian))
    for a, b in zip(polar["samples"], cartesian["samples"], strict=True):
        r, th = 1 + a["q"]["q"], a["q"]["th"]
        assert abs(r * math.sin(th) - b["q"]["x"]) < 1e-9
        assert abs(r * math.cos(th) - b["q"]["y"]) < 1e-9
        assert abs(a["reactions"]["stop"] - b["reactions"]["stop"]) < 1e-7


@pytest.mark.parametrize("profile", ["B=1", "B=m_eff=1/(1+x^2)"])
@pytest.mark.parametrize("place", range(4), ids=lambda i: f"1e{i + 2}")
def test_on_a_parabola_with_cross_terms_in_the_metric(profile, place):
    case, p = PARABOLA[profile]["rows"][place], PARABOLA["parameters"]
    n = case["N"]
    extra = "profile = 1" if profile == "B=1" else ""
    result = run(MODEL.format(
        coordinates='["x", "y"]', until=p["T"], start="", velocity=f"x = {p['xdot0']}", forces="",
        energy="T = \"(x'^2 + y'^2)/2\"\nV = \"y\"",
        contact=f'gap = "y - x^2/2"\nstiffness = {n}\n{extra}'), [s[0] for s in case["samples"]])
    for got, wanted in zip(result["samples"], case["samples"], strict=True):
        values = [got["q"]["x"], got["q"]["y"], got["v"]["x"], got["v"]["y"]]
        for value, number in zip(values, wanted[1:]):
            assert close(value, number, n)
    assert len(changes(result)) == case["n_contact_changes"]


def ball(n, contact, start, until, rate=0.0):
    return run(MODEL.format(
        coordinates='["q"]', until=until, start=f"q = {start}", velocity=f"q = {rate}", forces="",
        energy="T = \"q'^2/2\"\nV = \"q\"", contact=f'gap = "q"\nstiffness = {n}\n{contact}'))


@pytest.mark.parametrize("exit_rule", ["gap", "force"])
@pytest.mark.parametrize("row", BALL["rows"], ids=[f"zeta={r['zeta']:g},N={r['N']:g}" for r in BALL["rows"]])
def test_one_impact(row, exit_rule):
    n = row["N"]
    result = ball(n, f'damping_ratio = {row["zeta"]}\nexit = "{exit_rule}"', 0.0, 1.0, -1.0)
    out = changes(result)[0]
    assert out["kind"] == "release"
    assert abs(out["time"] - row[f"contact_time_zero_{exit_rule}"]) < 1e-9
    assert close(out["gap_rate"], row[f"rebound_speed_zero_{exit_rule}"], n)
    # momentum: the push gives v_out + v_in and carries the weight meanwhile
    assert abs(out["impulse"] - (out["gap_rate"] + 1.0 + out["time"])) < 1e-10
    assert abs(result["energy"]["unexplained"]) < 1e-10


@pytest.mark.parametrize("restitution", [1.0, 0.7, 0.3])
@pytest.mark.parametrize("exit_rule", ["gap", "force"])
def test_restitution_stands_for_the_damping_that_gives_it(restitution, exit_rule):
    """Without weight the linear contact returns exactly the wanted share of the speed, at every stiffness."""
    result = run(MODEL.format(
        coordinates='["q"]', until=1, start="q = 0.1", velocity="q = -1", forces="", energy="T = \"q'^2/2\"",
        contact=f'gap = "q"\nstiffness = 1e4\nrestitution = {restitution}\nexit = "{exit_rule}"'))
    assert abs(changes(result)[1]["gap_rate"] - restitution) < 1e-11


@pytest.mark.parametrize("case", OBLIQUE["cases"], ids=[f"zeta={c['zeta']}" for c in OBLIQUE["cases"]])
@pytest.mark.parametrize("place", range(5), ids=lambda i: f"1e{i + 2}")
def test_oblique_impact(case, place):
    p, row = OBLIQUE["parameters"], case["rows"][place]
    n = row["N"]
    result = run(MODEL.format(
        coordinates='["x", "y"]', until=p["T"], start=f"x = {p['x0']}\ny = {p['y0']}", velocity=f"x = {p['vx']}",
        forces="", energy="T = \"(x'^2 + y'^2)/2\"\nV = \"y\"",
        contact=f'gap = "y - x^2/2"\nstiffness = {n}\ndamping_ratio = {case["zeta"]}'), [p["T"]])
    end = result["samples"][0]
    for value, wanted in zip([end["q"]["x"], end["q"]["y"], end["v"]["x"], end["v"]["y"]], row["end"]):
        assert close(value, wanted, n)
    first, second = changes(result)[:2]
    assert abs(first["time"] - row["contact_start"]) < 1e-9
    assert abs(second["time"] - row["contact_end"]) < 1e-9
    assert close(second["gap_rate"], row["fdot_out"], n)


@pytest.mark.parametrize("row", NORMAL_FORM["rows"], ids=[f"N={r['N']:g}" for r in NORMAL_FORM["rows"]])
def test_the_normal_form_of_lift_off(row):
    n = row["N"]
    result = run(MODEL.format(
        coordinates='["q"]', until=1.5, start="", velocity="q = 0", energy="T = \"q'^2/2\"",
        forces='[force.push]\nq = "-(1 - t)"', contact=f'gap = "q"\nstiffness = {n}'), [1.5])
    events = changes(result)
    releases = [e for e in events if e["kind"] == "release"]
    assert len(releases) == row["number_of_contacts"]
    assert abs(releases[-1]["time"] - 1.0 - row["last_contact_end_minus_tau"]) < 1e-9
    assert close(max(e["gap_rate"] for e in releases), row["max_exit_velocity"], n)
    assert close(result["samples"][0]["v"]["q"] - 0.125, row["velocity_deviation"], n, 1e-11)


@pytest.mark.parametrize("row", BOUNCES["rows"], ids=[f"e={r['e']},N={r['N']:g}" for r in BOUNCES["rows"]])
def test_infinitely_many_bounces_become_finitely_many_contacts(row):
    result = ball(row["N"], f'restitution = {row["e"]}', 1.0, row["limit_accumulation_time"] + 1)
    attached = [e["time"] for e in changes(result) if e["kind"] == "attach"]
    assert len(attached) == row["contacts"]
    assert abs(attached[-1] - row["permanent_contact_from"]) < 1e-9
    for got, wanted in zip(attached, row["contact_starts"]):
        assert abs(got - wanted) < 1e-9
    # permanent contact: the spring carries the weight
    assert abs(result["state"]["q"]["q"] + 1.0 / row["N"]) < 0.01 / row["N"]


def test_a_slow_impact_with_strong_damping_does_not_return():
    result = ball(1e4, "damping_ratio = 0.9", 0.0, 3.0, -1e-4)
    assert [e["kind"] for e in result["events"]] == []
    assert result["samples"][0]["mode"]["stop"] == "closed"


def test_a_potential_of_ones_own():
    """A hardening stop K gap⁴/4: energy is kept, and the contact lasts 2 (d/v) ∫ du/√(1 − u⁴), K d⁴ = 2 v²."""
    result = run(MODEL.format(
        coordinates='["q"]', until=1, start="q = 0.1", velocity="q = -1", forces="", energy="T = \"q'^2/2\"",
        contact='gap = "q"\npotential = "1e8*gap^4/4"'))
    into, out = changes(result)
    assert abs(out["gap_rate"] - 1.0) < 1e-11
    lemniscate = 1.3110287771460599
    assert abs(out["time"] - into["time"] - 2 * lemniscate * (2 / 1e8) ** 0.25) < 1e-11


@pytest.mark.parametrize("angle, says", [(1.0, True), (math.pi / 2, False)])
def test_two_contacts_at_once_have_no_rigid_limit_unless_orthogonal(angle, says):
    wall = f"{math.sin(angle)!r}*x - {math.cos(angle)!r}*y"
    result = run(f"""
format = 1
name = "corner"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[contact.floor]
gap = "y"
stiffness = 1e4
[contact.wall]
gap = "{wall}"
stiffness = 1e4
[start]
x = 0.5
y = 0.2
[start.velocity]
x = -0.5
y = -0.2
[run]
until = 2
tolerance = 1e-12
contact = "elastic"
""")
    cases = [e["case"] for e in changes(result) if e["case"]]
    assert bool(cases) == says
    assert all("ratio of their stiffnesses" in c for c in cases)


def test_an_implicit_method_tells_the_restitution_it_invents():
    """exp(-pi ln(1 + z^2)/(2 arctan z)) with z = step * frequency, of backward Euler."""
    ball = """
format = 1
name = "ball"
coordinates = ["y"]
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y"
stiffness = 1e6
[start]
y = 1
[run]
until = 1
contact = "elastic"
"""
    answer = run_program("run", "-", "--method", "stiff", "--json", stdin=ball)
    told = [w for w in answer.json()["warnings"] if "spurious restitution" in w]
    assert len(told) == 1 and "contact floor" in told[0] and "method taylor" in told[0]
    step = float(re.search(r"mean step ([0-9.e+-]+)", told[0]).group(1))
    e = float(re.search(r"restitution of ([0-9.e+-]+)", told[0]).group(1))
    z = 1000 * step
    assert e == pytest.approx(math.exp(-math.pi * math.log1p(z * z) / (2 * math.atan(z))), rel=0.02)
    # the default method has nothing of the kind to tell
    assert not [w for w in run_program("run", "-", "--json", stdin=ball).json()["warnings"] if "spurious" in w]


@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e6])
def test_without_dissipation_a_hundred_contacts_keep_the_energy(stiffness):
    """y'^2/2 + g y + N min(y, 0)^2/2, in flight and in contact alike."""
    times = [0.5 * k + 0.01 for k in range(280)]
    result = run(MODEL.format(
        coordinates='["y"]', until=140, start="y = 1", velocity="", forces="",
        energy="T = \"y'^2/2\"\nV = \"9.81*y\"", contact=f'gap = "y"\nstiffness = {stiffness!r}'), times)
    assert len(changes(result)) > 2 * 100
    for sample in result["samples"]:
        y, rate = sample["q"]["y"], sample["v"]["y"]
        energy = rate**2 / 2 + 9.81 * y + stiffness * min(y, 0.0) ** 2 / 2
        assert abs(energy / 9.81 - 1) < 1e-9


@pytest.mark.parametrize("zeta", [0.1, 0.4])
def test_a_rebound_tends_to_its_restitution_with_half_an_order(zeta):
    """e_N = e − 2ζ(1 + e) g/(v√N) + O(1/N), t_c = π/√(N(1 − ζ²)) + (1 + e) g/(e v N) + …; here g = v = 1."""
    e = math.exp(-math.pi * zeta / math.sqrt(1 - zeta**2))
    stiffness = [1e4, 1e5, 1e6, 1e7, 1e8]
    misses, rests, late = [], [], []
    for n in stiffness:
        out = changes(ball(n, f"damping_ratio = {zeta}", 0.0, 1.0, -1.0))[0]
        misses.append(e - out["gap_rate"])
        rests.append(abs(misses[-1] - 2 * zeta * (1 + e) / math.sqrt(n)))
        late.append(abs(out["time"] - math.pi / math.sqrt(n * (1 - zeta**2)) - (1 + e) / (e * n)))

    def slope(values):
        return math.log(values[-1] / values[0]) / math.log(stiffness[-1] / stiffness[0])

    assert slope(misses) == pytest.approx(-0.5, abs=0.02)
    assert slope(rests) == pytest.approx(-1.0, abs=0.05)
    assert slope(late) == pytest.approx(-1.5, abs=0.05)


def test_bouncing_before_lift_off_is_as_fast_as_the_action_says():
    """q'' = −(1 − t) − N q⁻ from rest: the largest speed out of contact is 0.8525/√N, from the action, to one per cent."""
    n = 1e6
    result = run(MODEL.format(
        coordinates='["q"]', until=1, start="q = 0", velocity="q = 0", forces="[force.press]\nq = \"t - 1\"",
        energy="T = \"q'^2/2\"", contact=f'gap = "q"\nstiffness = {n}'))
    fastest = max(e["gap_rate"] for e in result["events"] if e["kind"] == "release")
    assert fastest * math.sqrt(n) == pytest.approx(0.8525, rel=0.01)


def test_a_preload_that_carries_the_weight_keeps_at_rest():
    """gap = −P/(N B), and a spring of one's own where it pushes with P: nothing oscillates, the reaction is the weight."""
    for contact, depth in (("stiffness = 1e4", 2e-4), ("stiffness = 1e4\nprofile = 8", 0.25e-4), ('potential = "1e8*gap^4/4"', 2e-8 ** (1 / 3))):
        result = run(MODEL.format(
            coordinates='["q"]', until=3, start="", velocity="", forces="", energy="T = \"q'^2/2\"\nV = \"2*q\"",
            contact=f'gap = "q"\npreload = 2\n{contact}'), [0, 1, 3])
        assert changes(result) == []
        for sample in result["samples"]:
            assert abs(sample["q"]["q"] + depth) < 1e-13 and abs(sample["v"]["q"]) < 1e-11
            assert abs(sample["reactions"]["stop"] - 2) < 1e-8


@pytest.mark.parametrize("place", range(5), ids=lambda i: f"1e{i + 2}")
def test_a_preload_is_the_static_start_of_the_reference(place):
    """On the disc, pressed by the reaction of the rigid motion."""
    case, limit = DOME["static_start"]["rows"][place], DOME["limit"]
    n, lift_off = case["N"], limit["liftoff_time"]
    result = dome(n, f"preload = {limit['initial_reaction']}", 0.0, limit["t_end"], [0, lift_off / 2, lift_off])
    assert abs(result["samples"][0]["q"]["q"] + limit["initial_reaction"] / n) < 1e-15
    for got, key in zip(result["samples"][1:], ("q_theta_qd_thd_at_half", "q_theta_qd_thd_at_liftoff_time")):
        for value, wanted in zip([got["q"]["q"], got["q"]["th"], got["v"]["q"], got["v"]["th"]], case[key]):
            assert close(value, wanted, n)
    assert len(changes(result)) == case["n_contact_changes"]


def test_preloads_beside_constraints_and_beside_each_other():
    """A bead on a sloping wire in Cartesian coordinates keeps to the wire; a beam on two springs sinks evenly."""
    bead = run("""
format = 1
name = "bead"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.wire]
equation = "y = x + x^2/4"
[contact.stop]
gap = "x"
stiffness = 1e4
preload = "9.81"
[run]
until = 1
tolerance = 1e-12
contact = "elastic"
""", [0, 1])
    for sample in bead["samples"]:
        x, y = sample["q"]["x"], sample["q"]["y"]
        assert abs(y - x - x**2 / 4) < 1e-13
        # mass 1 + y_x² felt by x, pressed by g y_x: the weight presses with g (1 + x/2), the spring was given g
        assert abs(x + 9.81 / 2e4) < 1e-5 * 9.81 / 2e4 + 2e-6
    beam = run("""
format = 1
name = "beam"
coordinates = ["y", "th"]
[energy]
T = "y'^2/2 + th'^2/6"
V = "10*y"
[contact.left]
gap = "y - th"
stiffness = 1e4
profile = 1
preload = 5
[contact.right]
gap = "y + th"
stiffness = 1e4
profile = 1
preload = 5
[run]
until = 1
tolerance = 1e-12
contact = "elastic"
""", [0, 1])
    for sample in beam["samples"]:
        assert abs(sample["q"]["y"] + 5e-4) < 1e-13 and abs(sample["q"]["th"]) < 1e-13


def test_a_preload_that_cannot_be():
    def told(contact, start="q = 0", more=""):
        text = MODEL.format(coordinates='["q"]', until=1, start=start, velocity="", forces="", energy="T = \"q'^2/2\"",
                            contact=f'gap = "q"\n{contact}')
        return run_program("run", "-", stdin=more.join([text, ""]))

    answer = told("stiffness = 1e4\npreload = 2", "q = 0.5")
    assert answer.code == 2 and "E0503" in answer.err and "not closed" in answer.err and "0.5" in answer.err
    answer = told("stiffness = 1e4\npreload = -2")
    assert answer.code == 2 and "E0426" in answer.err
    answer = told('potential = "1 - exp(gap)"\npreload = 2')
    assert answer.code == 2 and "E0503" in answer.err and "no compression" in answer.err
    # against a wall on the other side there is nowhere to go
    answer = told("stiffness = 1e4\npreload = 2", more='[contact.wall]\ngap = "-q"\nstiffness = 1e4\npreload = 2\n')
    assert answer.code == 2 and "E0503" in answer.err and "together" in answer.err
