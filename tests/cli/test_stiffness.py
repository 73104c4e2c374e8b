# SPDX-License-Identifier: Apache-2.0
"""Which stiffness for a wanted error, quantity by quantity, against quad-precision references and closed forms; what springs return."""

import json
import math
from pathlib import Path

import pytest
from conftest import run_program
from elastic_models import DISC

FOLDER = Path(__file__).resolve().parents[1] / "reference"


def reference(name):
    return json.loads((FOLDER / f"04-{name}.json").read_text(encoding="utf-8"))


MODEL = """
format = 1
name = "stop"
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
"""

NON_POTENTIAL = MODEL.format(
    coordinates='["x", "q"]', energy="T = \"(1 + q/2)*x'^2/2 + (1 + sin(x)/2)*q'^2/2\"",
    forces="[force.push]\nq = \"-2 - x'\"\nx = \"-x + 0.3*q' - x'/10\"", contact='gap = "q"', start="x = 1", velocity="", until=2)


def normal_form(contact=""):
    return MODEL.format(coordinates='["q"]', energy="T = \"q'^2/2\"", forces='[force.push]\nq = "t - 1"', contact=f'gap = "q"\n{contact}',
                        start="", velocity="", until=1.5)


def ball(contact, speed=1.0):
    return MODEL.format(coordinates='["q"]', energy="T = \"q'^2/2\"\nV = \"q\"", forces="", contact=f'gap = "q"\n{contact}',
                        start="q = 0.5", velocity=f"q = {-math.sqrt(speed**2 - 1)!r}", until=1.5)


def ask(text, *more, code=0):
    answer = run_program("stiffness", "-", "--json", *more, stdin=text, limit=120)
    assert answer.code == code, answer.err + answer.out[:500]
    return answer.json()


@pytest.mark.parametrize("option, key", [("--along", "sup_x_err"), ("--along-speed", "sup_xdot_err")])
@pytest.mark.parametrize("case", [c for c in reference("theorem1-nonpotential")["cases"] if c["N"] in (1e4, 1e5)], ids=lambda c: f"{c['N']:g}")
def test_an_error_along_the_constraint(option, key, case):
    """The reference has this error with the stiffness N. Oscillating parts make two motions say at most 5/3 of it."""
    choice = ask(NON_POTENTIAL, option, case[key])["choices"][0]
    assert 0.99 * case["N"] <= choice["stiffness"] <= 5 / 3 * case["N"]
    # what was measured is the error of the reference at that stiffness: C/N
    assert choice["measured"] == pytest.approx(case[key] * case["N"] / choice["stiffness"], rel=0.05)
    assert choice["measured"] <= 1.01 * choice["wanted"]


@pytest.mark.parametrize("row", [r for r in reference("liftoff-model")["rows"] if 1e3 <= r["N"] <= 1e6], ids=lambda r: f"{r['N']:g}")
def test_the_velocity_after_lift_off(row):
    """R = 1 − t, A = B = 1: κ = 1, R₀ = 1, so that η = 2 (1/2)^(2/5) N^(−3/5); measured is what the reference deviates by."""
    n = row["N"]
    choice = ask(normal_form(), "--release-speed", 2 * 0.5**0.4 * n**-0.6)["choices"][0]
    assert choice["quantity"] == "release speed"
    assert choice["stiffness"] == pytest.approx(n, rel=1e-9)
    assert choice["measured"] == pytest.approx(abs(row["velocity_deviation"]), rel=1e-5, abs=1e-10)
    assert choice["measured"] <= choice["wanted"]


def test_the_bound_after_lift_off_holds_on_the_disc_and_is_no_more_than_it_must_be():
    """The phase of the last bounce decides: C lies between −1 and 1.786, the bound takes 2. κ and masses come from the motion."""
    limit = reference("dome-liftoff")["limit"]
    kappa, first = limit["reaction_rate_at_liftoff"], limit["initial_reaction"]
    shares = []
    for wanted in (0.03, 0.021, 0.015, 0.011, 0.008, 0.006):
        choice = ask(DISC.format(contact=""), "--release-speed", wanted)["choices"][0]
        estimate = (2 * kappa**0.2 * (first**2 / 2) ** 0.4 / wanted) ** (5 / 3)
        assert choice["stiffness"] == pytest.approx(estimate, rel=1e-4)
        shares.append(choice["measured"] / wanted)
    assert max(shares) <= 1.01
    assert max(shares) > 0.4


@pytest.mark.parametrize("contact, more", [("", ("--static",)), ("damping_ratio = 0.3", ())], ids=["static", "damped"])
def test_without_oscillation_the_velocity_after_lift_off_is_of_first_order(contact, more):
    choices = [ask(DISC.format(contact=contact), "--release-speed", wanted, *more)["choices"][0] for wanted in (1e-4, 1e-5)]
    assert choices[1]["stiffness"] / choices[0]["stiffness"] == pytest.approx(10, rel=0.2)
    for choice in choices:
        assert 0.5 <= choice["measured"] / choice["wanted"] <= 1.01


@pytest.mark.parametrize("exit_rule", ["gap", "force"])
@pytest.mark.parametrize("zeta, speed", [(0.1, 1.0), (0.4, 1.0), (0.1, 3.0)])
def test_an_error_of_the_restitution(exit_rule, zeta, speed):
    """e_N = e − 2ζ(1 + e) g/(v√N), and e − 2ζe g/(v√N) where the contact ends at zero force; here g = 1."""
    wanted = 2e-4
    choice = ask(ball(f'damping_ratio = {zeta}\nexit = "{exit_rule}"', speed), "--restitution", wanted)["choices"][0]
    if exit_rule == "gap":
        e = math.exp(-math.pi * zeta / math.sqrt(1 - zeta**2))
        share = 1 + e
    else:
        share = math.exp(-2 * zeta * math.acos(zeta) / math.sqrt(1 - zeta**2))
    assert choice["stiffness"] == pytest.approx((2 * zeta * share / (speed * wanted)) ** 2, rel=1e-6)
    # the next term is of order 1/N
    assert choice["measured"] == pytest.approx(wanted, rel=0.01)


def test_what_was_measured_is_the_rebound_of_the_reference():
    """zeta = 0.1, v = 1, N = 1e4: the restitution that quad precision found, exit at zero gap."""
    row = next(r for r in reference("ball-impact")["rows"] if r["zeta"] == 0.1 and r["N"] == 10000)
    e = math.exp(-math.pi * 0.1 / math.sqrt(0.99))
    choice = ask(ball("damping_ratio = 0.1"), "--restitution", 0.2 * (1 + e) / 100)["choices"][0]
    assert choice["stiffness"] == pytest.approx(1e4, rel=1e-6)
    assert choice["measured"] == pytest.approx(e - row["rebound_speed_zero_gap"], rel=1e-4)


def test_profile_and_mass_enter_every_estimate():
    """A mass of 3 and the profile 5: ω² = 5N/3. Delay π v/ω; restitution error 2ζ(1 + e) g/(vω)."""
    text = ball("damping_ratio = 0.1\nprofile = 5").replace("q'^2/2", "3*q'^2/2").replace('V = "q"', 'V = "3*q"')
    e = math.exp(-math.pi * 0.1 / math.sqrt(0.99))
    result = ask(text, "--delay", 1e-2, "--restitution", 1e-3)
    late, rest = result["choices"]
    assert late["stiffness"] == pytest.approx(3 / 5 * (math.pi / 1e-2) ** 2 / 0.99, rel=1e-6)
    assert late["measured"] == pytest.approx(1e-2, rel=0.02)
    assert rest["stiffness"] == pytest.approx(3 / 5 * (0.2 * (1 + e) / 1e-3) ** 2, rel=1e-6)
    assert rest["measured"] == pytest.approx(1e-3, rel=0.02)
    assert result["frequency"] == pytest.approx(math.sqrt(result["stiffness"] * 5 / 3), rel=1e-9)


def test_a_damped_contact_overshoots_by_its_restitution():
    """From rest at zero gap: deepest at (1 + e) R/(NB), e the overshoot of the step response."""
    text = MODEL.format(coordinates='["q"]', energy="T = \"q'^2/2\"\nV = \"q\"", forces="", contact='gap = "q"\ndamping_ratio = 0.2', start="",
                        velocity="", until=1)
    choice = ask(text, "--penetration", 1e-5)["choices"][0]
    over = math.exp(-math.pi * 0.2 / math.sqrt(0.96))
    assert choice["stiffness"] == pytest.approx((1 + over) * 1e5, rel=1e-9)
    assert choice["measured"] == pytest.approx(1e-5, rel=1e-3)


@pytest.mark.parametrize("text, option, why", [
    (ball(""), "--restitution", "whatever its stiffness"),
    (ball(""), "--along", "does not lean"),
    (ball(""), "--release-speed", "no contact is released"),
    (NON_POTENTIAL, "--delay", "no impact"),
    (ball("").replace("q = 0.5", "q = 50"), "--penetration", "meets no contact"),
    (ball(""), "--delay=1e-300", "no number is so stiff"),
    (NON_POTENTIAL, "--along=1e-14", "told apart"),
])
def test_a_wish_that_asks_for_no_stiffness_says_why(text, option, why):
    wish = option.split("=") if "=" in option else (option, 1e-3)
    result = ask(text, *wish, code=1)
    assert result["stiffness"] is None
    assert why in result["choices"][0]["note"]
    answer = run_program("stiffness", "-", *wish, stdin=text)
    assert answer.code == 1 and why in answer.out


def test_a_stiffness_that_nobody_wants_to_wait_for_is_told_and_not_run():
    """R = 2 presses for two units of time: ω = √(N/A) of N = 2R/(Aδ) goes through 2ω radians, two in a step."""
    result = ask(NON_POTENTIAL, "--penetration", 1e-16)
    choice = result["choices"][0]
    assert choice["measured"] is None and "not measured" in choice["note"] and "steps" in choice["note"]
    assert result["steps"] is None and choice["stiffness"] > 1e16
    answer = run_program("stiffness", "-", "--penetration", 1e-30, stdin=ball("restitution = 0.5"))
    assert answer.code == 3 and "too fast for the tolerance" in answer.err


def test_impacts_that_accumulate_say_which_one_is_meant():
    text = ball("restitution = 0.5").replace("until = 1.5", "until = 4")
    choice = ask(text, "--restitution", 1e-2)["choices"][0]
    assert "first impact" in choice["note"]
    assert choice["measured"] <= 1.01e-2


@pytest.mark.parametrize("wish", [(), ("--along", 0), ("--restitution", -1), ("--delay", "inf"), ("--contacts", "--speed", 1)])
def test_wishes_that_cannot_be(wish):
    assert run_program("stiffness", "-", *wish, stdin=ball("")).code == 64


@pytest.mark.parametrize("exit_rule, e", [("gap", lambda z: math.exp(-math.pi * z / math.sqrt(1 - z * z))),
                                          ("force", lambda z: math.exp(-2 * z * math.acos(z) / math.sqrt(1 - z * z)))])
def test_the_map_of_damping_and_restitution_both_ways(exit_rule, e):
    zeta = 0.3
    given = ask(ball(f'stiffness = 1e4\nexit = "{exit_rule}"\ndamping_ratio = {zeta}'), "--contacts")["contacts"]["stop"]
    assert given["restitution"] == pytest.approx(e(zeta), rel=1e-12)
    assert given["damping"] == pytest.approx(2 * zeta * 100, rel=1e-12)
    assert given["frequency"] == pytest.approx(100) and given["exit"] == exit_rule
    wanted = ask(ball(f'stiffness = 1e4\nexit = "{exit_rule}"\nrestitution = {e(zeta)!r}'), "--contacts")["contacts"]["stop"]
    assert wanted["damping_ratio"] == pytest.approx(zeta, rel=1e-12)
    coefficient = ask(ball(f'stiffness = 1e4\nexit = "{exit_rule}"\ndamping = 60'), "--contacts")["contacts"]["stop"]
    assert coefficient["damping_ratio"] == pytest.approx(zeta, rel=1e-12)
    assert coefficient["restitution"] == pytest.approx(e(zeta), rel=1e-12)


def test_the_map_needs_no_stiffness_but_the_coefficient_does():
    facts = ask(ball("restitution = 0.5"), "--contacts")["contacts"]["stop"]
    assert facts["damping_ratio"] == pytest.approx(math.log(2) / math.hypot(math.pi, math.log(2)), rel=1e-12)
    assert facts["damping"] is None and facts["frequency"] is None
    answer = run_program("stiffness", "-", "--contacts", stdin=ball("restitution = 0.5\nstiffness = 1e4"))
    assert answer.code == 0 and "0.215" in answer.out and "restitution" in answer.out


def contradictory(damping):
    return ball(f"stiffness = 1e6\nrestitution = 0.8\n{damping}") + 'contact = "elastic"\n'


@pytest.mark.parametrize("damping", ["damping_ratio = 0.3", "damping = 600"])
def test_a_restitution_that_contradicts_the_damping_is_refused_where_it_is_a_spring(damping):
    for command in (("run",), ("check",), ("compare", "--with", "events,elastic"), ("converge", "--over", "stiffness=1e3:1e5:3"),
                    ("stiffness", "--delay", 1e-3)):
        answer = run_program(command[0], "-", *command[1:], stdin=contradictory(damping))
        assert answer.code == 2 and "E0312" in answer.err, command
        assert "0.372" in answer.err and "damping_ratio = 0.0708" in answer.err
    # rigid contacts have no damping, and the same thing said twice is no contradiction
    assert run_program("run", "-", "--realise", "contact=events", stdin=contradictory(damping)).code == 0
    assert run_program("run", "-", stdin=contradictory("damping_ratio = 0.0709")).code == 0


def test_impacts_that_the_elastic_motion_has_not_reached_yet_do_not_count():
    """A ball between walls that move: softer walls shift the last impacts beyond the end. The slowest approach is 1.2, pressed by less
    than 3.5: (2·0.0335·1.95·3.5/(1.2·0.01))² = 1450 at most by the first order, a little more by the next."""
    text = """
format = 1
name = "ball in a box that breathes"
coordinates = ["x", "y"]
[energy]
T = "(1 + 0.3*y^2)*x'^2/2 + y'^2"
V = "0.5*x^2*y + 2*y"
[contact.sides]
between = ["-1 - 0.1*sin(t)", "x", "1 + 0.1*sin(t)"]
restitution = 0.95
[contact.floor]
gap = "y + 1 + 0.05*cos(5*t)"
restitution = 0.9
[start.velocity]
x = 1.7
y = 0.4
[run]
until = 12
"""
    choice = ask(text, "--restitution", 1e-2)["choices"][0]
    assert choice["stiffness"] < 1e4
    assert 1e-3 < choice["measured"] <= 1.01e-2


def test_a_body_with_quasi_velocities_has_no_part_along_but_all_the_rest():
    text = """
format = 1
name = "body over a floor"
[body.b]
kind = "free"
mass = 2
inertia = [1, 1.5, 2]
[energy]
V = "2*9.81*z"
[contact.floor]
gap = "b.point(0, 0, -0.2).z"
restitution = 0.5
[start]
z = 1
[start.velocity]
q = 0.3
[run]
until = 0.8
"""
    result = ask(text, "--penetration", 1e-3, "--restitution", 1e-2, "--delay", 1e-2)
    assert result["reached"] and all(c["measured"] > 0 for c in result["choices"])
    note = ask(text.replace("z = 1", "z = 0.2"), "--along", 1e-3, code=1)["choices"][0]["note"]
    assert "quasi-velocities" in note


@pytest.mark.parametrize("command", [("stiffness", "--delay", 1e-3), ("converge", "--over", "stiffness=1e3:1e5:3")])
@pytest.mark.parametrize("option", [("--no-release",), ("--layer", 0.1), ("--at", "1,2"), ("--saltation",)])
def test_options_of_a_run_that_would_change_nothing_are_told(command, option):
    answer = run_program(command[0], "-", *command[1:], *option, stdin=ball("restitution = 0.5"))
    assert answer.code == 64 and option[0] in answer.err and "changes nothing" in answer.err
