# SPDX-License-Identifier: Apache-2.0
"""Bilateral constraints from outside: realisations, laws of the violation, certificates, redundancy, bad input."""

import json
import math
from pathlib import Path

import pytest
from conftest import PENDULUM, needs, run_program

pytestmark = needs("run")

FOLDER = Path(__file__).resolve().parents[1] / "reference"


def read(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


MECHANISMS = {system["name"]: system for system in read("03-mechanisms.json")["systems"]}

CRANK = """\
format = 1
name = "slider-crank"
coordinates = ["phi1", "phi2", "x"]
[parameters]
r = 1.0
l = 4.0
m1 = 1.0
m2 = 2.0
m3 = 3.0
g = 9.81
{parameters}
[energy]
T = "(m1*r^2/3 + m2*r^2)/2*phi1'^2 + m2*r*l*cos(phi1 - phi2)*phi1'*phi2'/2 + m2*l^2/6*phi2'^2 + m3/2*x'^2"
V = "g*(m1*r*sin(phi1)/2 + m2*(r*sin(phi1) + l*sin(phi2)/2))"
{force}
[constraint.along]
equation = "r*cos(phi1) + l*cos(phi2) - x = 0"
{law}
[constraint.across]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
{law}
{more}
[start]
phi1 = {q[0]!r}
phi2 = {q[1]!r}
x = {q[2]!r}
{start}
[start.velocity]
phi1 = {v[0]!r}
phi2 = {v[1]!r}
x = {v[2]!r}
[run]
tolerance = 1e-14
"""

FOUR_BAR = """\
format = 1
name = "four-bar"
coordinates = ["th1", "th2", "th3"]
[parameters]
a = 1.0
b = 3.0
c = 2.5
d = 3.0
m1 = 1.0
m2 = 3.0
m3 = 2.5
g = 9.81
[energy]
T = "(m1*a^2/3 + m2*a^2)/2*th1'^2 + m2*a*b*cos(th1 - th2)*th1'*th2'/2 + m2*b^2/6*th2'^2 + m3*c^2/6*th3'^2"
V = "g*((m1/2 + m2)*a*sin(th1) + m2*b*sin(th2)/2 + m3*c*sin(th3)/2)"
[constraint.along]
equation = "a*cos(th1) + b*cos(th2) - c*cos(th3) - d = 0"
{law}
[constraint.across]
equation = "a*sin(th1) + b*sin(th2) - c*sin(th3) = 0"
{law}
{more}
[start]
th1 = {q[0]!r}
th2 = {q[1]!r}
th3 = {q[2]!r}
{start}
[start.velocity]
th1 = {v[0]!r}
th2 = {v[1]!r}
th3 = {v[2]!r}
[run]
tolerance = 1e-14
"""


def crank(law="", more="", start="", q=None, v=None, motor=True):
    first = MECHANISMS["slider-crank"]["points"][0]
    return CRANK.format(law=law, more=more, start=start, q=q or first["q"], v=v or first["v"],
                        parameters="Tq = 2.0" if motor else "", force='[force.motor]\nphi1 = "Tq"' if motor else "")


def four_bar(law="", more="", start="", q=None, v=None):
    first = MECHANISMS["four-bar"]["points"][0]
    return FOUR_BAR.format(law=law, more=more, start=start, q=q or first["q"], v=v or first["v"])


def run(text, *arguments, code=0):
    answer = run_program("run", "-", "--json", *arguments, stdin=text)
    assert answer.code == code, answer.err + answer.out[:800]
    return answer.json()


def times(points):
    return ",".join(repr(float(point["t"])) for point in points)


def close(got, wanted, within=1e-10):
    for one, other in zip(got, wanted, strict=True):
        assert one == pytest.approx(other, rel=within, abs=within)


def test_realise_names_the_choices():
    answer = run_program("run", "-", "--realise", "bilateral=programme", "--until", "1", stdin=PENDULUM)
    assert answer.code == 2
    assert "projection, program, multiplier, index2" in answer.err
    answer = run_program("run", "-", "--realise", "constraint=program", "--until", "1", stdin=PENDULUM)
    assert answer.code == 2
    assert "contact, bilateral, relay" in answer.err


@pytest.mark.parametrize("realisation", ["projection", "program", "multiplier"])
def test_four_bar_states_accelerations_and_reactions(realisation):
    points = MECHANISMS["four-bar"]["points"]
    result = run(four_bar(), "--until", "4", "--at", times(points), "--realise", f"bilateral={realisation}")
    assert result["realisation"] == realisation
    for sample, point in zip(result["samples"], points, strict=True):
        close(sample["q"].values(), point["q"])
        close(sample["v"].values(), point["v"])
        close(sample["a"].values(), point["acc"])
        close(sample["reactions"].values(), point["lam"])


def test_driven_slider_crank_torque():
    system = MECHANISMS["driven slider-crank (servo constraint)"]
    points = system["points"]
    drive = '[constraint.drive]\nequation = "phi1 = pi/3 + 2*t + 0.3*sin(3*t)"\n'
    text = crank(more=drive, q=points[0]["q"], v=points[0]["v"], motor=False)
    result = run(text, "--until", "2", "--at", times(points))
    for sample, point in zip(result["samples"], points, strict=True):
        close(sample["q"].values(), point["q"])
        close(sample["v"].values(), point["v"])
        close(sample["a"].values(), point["acc"])
        close([sample["reactions"][name] for name in ("along", "across", "drive")], point["lam"])


@pytest.mark.parametrize("name,make", [("slider-crank", crank), ("four-bar", four_bar)])
def test_an_inconsistent_start_follows_its_law(name, make):
    system = MECHANISMS[name]
    off = system["inconsistent_start"]
    q, v = list(system["points"][0]["q"]), list(system["points"][0]["v"])
    q[1] += 1e-3
    v[1] += 1e-3
    observe = ("[observe]\nf1 = \"r*cos(phi1) + l*cos(phi2) - x\"\nf2 = \"r*sin(phi1) + l*sin(phi2)\"\n" if make is crank
               else "[observe]\nf1 = \"a*cos(th1) + b*cos(th2) - c*cos(th3) - d\"\n"
                    "f2 = \"a*sin(th1) + b*sin(th2) - c*sin(th3)\"\n")
    for law, realisation in (("", "multiplier"), ("stabilise = [[-40, -13]]", "program")):
        text = make(law=law, more=observe, start='inconsistent = "relax"', q=q, v=v)
        result = run(text, "--until", "2", "--at", "0,1,2", "--realise", f"bilateral={realisation}")
        got = [list(sample["observe"].values()) for sample in result["samples"]]
        close(got[0], off["f0"], 1e-12)
        wanted = [value for value in off["values"]
                  if (value["stabilisation"] == "classical") == (realisation == "multiplier")]
        for value in wanted:
            for one, other in zip(got[value["t"]], value["f"], strict=True):
                assert one == pytest.approx(other, rel=1e-9, abs=1e-14)


def test_inconsistent_starts_are_refused_or_projected_in_the_kinetic_metric():
    points = MECHANISMS["slider-crank"]["points"]
    q = list(points[0]["q"])
    q[1] += 1e-3
    answer = run_program("run", "-", "--until", "1", stdin=crank(q=q))
    assert answer.code == 2
    assert "E0502" in answer.err and "inconsistent" in answer.err
    text = crank(q=q, start='inconsistent = "project"')
    projected = run(text, "--until", "0.1", "--at", "0")
    # What was changed is told.
    assert any("projected onto the constraints: phi1" in warning for warning in projected["warnings"])
    told = run_program("check", "-", "--json", stdin=text).json()["models"][0]["start"]
    assert told["phi2"]["given"] == pytest.approx(q[1], rel=1e-12)
    assert told["phi2"]["found"] == pytest.approx(projected["samples"][0]["q"]["phi2"], rel=1e-12)
    assert "consistent start: phi1" in run_program("check", "-", stdin=text).out
    assert projected["constraints"]["across"]["max_violation"] < 1e-12
    # The change of the start is the smallest in the norm of the kinetic energy: M Δq is along the gradients.
    got = list(projected["samples"][0]["q"].values())
    change = [new - old for new, old in zip(got, q)]
    r, l, m1, m2, m3 = 1.0, 4.0, 1.0, 2.0, 3.0
    coupling = m2 * r * l * math.cos(got[0] - got[1]) / 2
    mass = [[m1 * r * r / 3 + m2 * r * r, coupling, 0], [coupling, m2 * l * l / 3, 0], [0, 0, m3]]
    force = [sum(row[j] * change[j] for j in range(3)) for row in mass]
    gradients = [[-r * math.sin(got[0]), -l * math.sin(got[1]), -1], [r * math.cos(got[0]), l * math.cos(got[1]), 0]]
    along = [gradients[0][1] * gradients[1][2] - gradients[0][2] * gradients[1][1],
             gradients[0][2] * gradients[1][0] - gradients[0][0] * gradients[1][2],
             gradients[0][0] * gradients[1][1] - gradients[0][1] * gradients[1][0]]
    size = math.sqrt(sum(x * x for x in force)) * math.sqrt(sum(x * x for x in along))
    assert abs(sum(x * y for x, y in zip(force, along))) <= 1e-2 * size  # second order in the change
    answer = run_program("run", "-", "--until", "1", "--realise", "bilateral=projection",
                         stdin=crank(q=q, start='inconsistent = "relax"'))
    assert answer.code == 2
    assert "relax" in answer.err


def test_a_tolerance_is_certified_between_steps_too():
    result = run(crank(law="tolerance = 1e-10"), "--until", "2", "--tolerance", "1e-12")
    for report in result["constraints"].values():
        assert report["certificate"] == "certified"
        assert report["max_violation"] <= report["max_violation_between"] <= report["proven"] + 4e-15
        assert report["proven"] <= report["bound"] == 1e-10
        assert 0 < report["margin"] <= 1


def test_a_tolerance_that_is_not_met_is_no_certificate():
    # Coarse steps without projection drift by more than this.
    result = run(crank(law="tolerance = 1e-13"), "--until", "4", "--tolerance", "1e-6", "--realise", "bilateral=multiplier")
    report = result["constraints"]["along"]
    assert report["max_violation"] > 1e-13
    assert report["certificate"] == "none"
    assert any("would hold" in warning for warning in result["warnings"])


def test_without_a_tolerance_nothing_is_promised():
    result = run(crank(), "--until", "1")
    report = result["constraints"]["along"]
    assert report["certificate"] == "none"
    assert report["bound"] is None and report["proven"] is None
    assert report["max_violation_between"] < 1e-12


def test_a_redundant_constraint_changes_neither_motion_nor_forces():
    points = MECHANISMS["four-bar"]["points"]
    # The coupler has its length b: follows from the two closure equations.
    coupler = ('[constraint.coupler]\nequation = "(c*cos(th3) + d - a*cos(th1))^2 + (c*sin(th3) - a*sin(th1))^2 = b^2"\n')
    result = run(four_bar(more=coupler), "--until", "4", "--at", times(points))
    for sample, point in zip(result["samples"], points, strict=True):
        close(sample["q"].values(), point["q"], 1e-9)
        close(sample["a"].values(), point["acc"], 1e-9)
        assert sample["reactions_unique"] is False
        a, b, c, d = 1.0, 3.0, 2.5, 3.0
        t1, t2, t3 = point["q"]
        one = [-a * math.sin(t1), -b * math.sin(t2), c * math.sin(t3)]
        two = [a * math.cos(t1), b * math.cos(t2), -c * math.cos(t3)]
        dx, dy = c * math.cos(t3) + d - a * math.cos(t1), c * math.sin(t3) - a * math.sin(t1)
        three = [2 * (dx * a * math.sin(t1) - dy * a * math.cos(t1)), 0.0,
                 2 * (-dx * c * math.sin(t3) + dy * c * math.cos(t3))]
        l1, l2, l3 = (sample["reactions"][name] for name in ("along", "across", "coupler"))
        total = [l1 * x + l2 * y + l3 * z for x, y, z in zip(one, two, three)]
        wanted = [point["lam"][0] * x + point["lam"][1] * y for x, y in zip(one, two)]
        size = max(map(abs, wanted))
        for x, y in zip(total, wanted):
            assert abs(x - y) <= 1e-9 * size
        # Least norm: orthogonal to the combination that makes no force.
        null = [2 * dx, 2 * dy, 1.0]  # three = −(2dx one + 2dy two) on the constraints
        product = sum(x * y for x, y in zip(null, (l1, l2, l3)))
        assert abs(product) <= 1e-7 * math.hypot(*null) * math.hypot(l1, l2, l3)
    assert any("follow" in warning for warning in result["warnings"])


NONHOLONOMIC = {system["name"]: system for system in read("03-nonholonomic.json")["systems"]}

SLEIGH = """\
format = 1
name = "sleigh"
coordinates = ["x", "y", "phi"]
[parameters]
m = 2.0
J = 0.6
a = 0.5
[energy]
T = "m/2*(x'^2 + y'^2) + m*a*phi'*(-x'*sin(phi) + y'*cos(phi)) + (J + m*a^2)/2*phi'^2"
[constraint.blade]
equation = "-x'*sin(phi) + y'*cos(phi) = 0"
[start]
phi = 0.3
[start.velocity]
x = "-cos(0.3)"
y = "-sin(0.3)"
phi = 2.0
[run]
tolerance = 1e-14
"""

KNIFE = """\
format = 1
name = "knife edge"
coordinates = ["x", "y", "phi"]
[parameters]
m = 1.5
J = 0.2
G = 3.5
[energy]
T = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
V = "-m*G*x"
[constraint.blade]
equation = "x'*sin(phi) - y'*cos(phi) = 0"
[start.velocity]
phi = 1.25
[run]
tolerance = 1e-14
"""


@pytest.mark.parametrize("realisation", ["projection", "program", "multiplier"])
def test_nonholonomic_closed_forms_with_their_reactions(realisation):
    points = NONHOLONOMIC["Chaplygin sleigh"]["points"]
    result = run(SLEIGH, "--until", repr(float(points[-1]["t"])), "--at", times(points), "--realise", realisation)
    for sample, point in zip(result["samples"], points, strict=True):
        close(sample["q"].values(), point["q"])
        close(sample["v"].values(), point["v"])
        close([sample["reactions"]["blade"]], [point["lam"]])
    points = NONHOLONOMIC["knife edge on an incline"]["points"]
    result = run(KNIFE, "--until", repr(float(points[-1]["t"])), "--at", times(points), "--realise", realisation)
    for sample, point in zip(result["samples"], points, strict=True):
        close([sample["q"][name] for name in ("x", "y", "phi")], [point["x"], point["y"], point["phi"]])
        close([sample["reactions"]["blade"]], [point["lam"]])


ANDREWS = read("03-andrews.json")

SQUEEZER = """\
format = 1
name = "squeezing mechanism"
coordinates = ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"]
[parameters]
{parameters}
[let]
a1 = "e - ea"
a2 = "zf - fa"
X = "rr*cos(beta) - d*cos(beta + Theta)"
Y = "rr*sin(beta) - d*sin(beta + Theta)"
xd = "sd*cos(gamma) + sc*sin(gamma) + xb"
yd = "sd*sin(gamma) - sc*cos(gamma) + yb"
len = "sqrt((xd - xc)^2 + (yd - yc)^2)"
M11 = "m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(Theta) + da^2) + I1 + I2"
M12 = "m2*(da^2 - da*rr*cos(Theta)) + I2"
M22 = "m2*da^2 + I2"
M33 = "m3*(sa^2 + sb^2) + I3"
M44 = "m4*a1^2 + I4"
M45 = "m4*(a1^2 + zt*a1*sin(Phi)) + I4"
M55 = "m4*(zt^2 + 2*zt*a1*sin(Phi) + a1^2) + m5*(ta^2 + tb^2) + I4 + I5"
M66 = "m6*a2^2 + I6"
M67 = "m6*(a2^2 - ue*a2*sin(Omega)) + I6"
M77 = "m6*(a2^2 - 2*ue*a2*sin(Omega) + ue^2) + m7*(ua^2 + ub^2) + I6 + I7"
[energy]
T = "M11*beta'^2/2 + M12*beta'*Theta' + M22*Theta'^2/2 + M33*gamma'^2/2 + M44*Phi'^2/2 + M45*Phi'*delta' \
+ M55*delta'^2/2 + M66*Omega'^2/2 + M67*Omega'*epsilon' + M77*epsilon'^2/2"
V = "c0/2*(len - l0)^2"
[force.motor]
beta = "mom"
[constraint.c1]
equation = "X - ss*sin(gamma) = xb"
[constraint.c2]
equation = "Y + ss*cos(gamma) = yb"
[constraint.c3]
equation = "X - e*sin(Phi + delta) - zt*cos(delta) = xa"
[constraint.c4]
equation = "Y + e*cos(Phi + delta) - zt*sin(delta) = ya"
[constraint.c5]
equation = "X - zf*cos(Omega + epsilon) - ue*sin(epsilon) = xa"
[constraint.c6]
equation = "Y - zf*sin(Omega + epsilon) + ue*cos(epsilon) = ya"
[start]
{start}
[run]
until = 0.03
tolerance = 1e-14
"""


def test_squeezing_mechanism_to_the_recomputed_digits():
    names = ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"]
    # `u` is the word for the value of a relay: renamed.
    parameters = "\n".join(f"{'ue' if name == 'u' else name} = {value!r}" for name, value in ANDREWS["parameters"].items())
    points = ANDREWS["recomputed"]
    start = "\n".join(f"{name} = {value!r}" for name, value in zip(names, points[0]["q"]))
    result = run(SQUEEZER.format(parameters=parameters, start=start), "--at", times(points))
    for sample, point in zip(result["samples"], points, strict=True):
        got = {"q": sample["q"], "v": sample["v"], "acc": sample["a"]}
        got = {group: [values[name] for name in names] for group, values in got.items()}
        got["lam"] = [-sample["reactions"][f"c{k}"] for k in range(1, 7)]
        for group, values in got.items():
            # every component by itself; those that are 0 by the size of the others
            size = max(map(abs, point[group])) or 1.0
            for one, wanted in zip(values, point[group], strict=True):
                assert abs(one - wanted) <= 1e-9 * (abs(wanted) or size), (point["t"], group)
    # What was published knows fewer digits.
    for group, within in (("q", 1e-7), ("v", 1e-6), ("acc", 1e-5), ("lam", 1e-5)):
        published = ANDREWS["published_t003"]["a" if group == "acc" else group]
        for one, wanted in zip(got[group], published, strict=True):
            assert abs(one - wanted) <= within * abs(wanted), group
    for report in result["constraints"].values():
        assert report["max_violation"] < 1e-15
        assert report["max_rate_violation"] < 1e-12


def test_a_singular_position_is_noticed_and_passed():
    # A parallelogram turns through its flat position: crank and rocker stay parallel, at constant rate.
    text = """\
format = 1
name = "parallelogram"
coordinates = ["a", "b", "c"]
[parameters]
J = 1.0
[energy]
T = "J/2*(a'^2 + c'^2) + J/2*b'^2"
[constraint.along]
equation = "cos(a) + 2*cos(b) - cos(c) = 2"
[constraint.across]
equation = "sin(a) + 2*sin(b) - sin(c) = 0"
[start]
a = 0.5
c = 0.5
[start.velocity]
a = 1.0
c = 1.0
[run]
until = 6.0
"""
    result = run(text, "--at", "2,6")
    for sample in result["samples"]:
        assert sample["q"]["a"] == pytest.approx(0.5 + sample["t"], abs=1e-7)
        assert sample["q"]["c"] == pytest.approx(0.5 + sample["t"], abs=1e-7)
    assert result["rank"]["start"] == 2
    flat = run_program("check", "-", "--json", stdin=text.replace("a = 0.5\nc = 0.5", "a = 1e-5\nc = 1e-5")).json()
    assert flat["models"][0]["rank"] == 2
    assert flat["models"][0]["rank_ratio"] < 1e-3


@needs("compare")
def test_compare_puts_realisations_side_by_side(tmp_path):
    picture = tmp_path / "drift.svg"
    answer = run_program("compare", "-", "--with", "projection,program,multiplier", "--until", "4", "--tolerance", "1e-8",
                         "--json", "-o", str(picture), stdin=crank())
    assert answer.code in (0, 1), answer.err
    variants = {one["realisation"]: one for one in answer.json()["variants"]}
    worst = {name: max(report["max_violation"] for report in one["constraints"].values()) for name, one in variants.items()}
    assert worst["projection"] < 1e-13 < worst["program"] < worst["multiplier"]
    assert all(abs(one["energy"]["unexplained"]) < 1e-5 for one in variants.values())
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    words = run_program("compare", "-", "--with", "projection,multiplier", "--until", "1", stdin=crank())
    assert "violation" in words.out and "projection and multiplier" in words.out


KINEMATIC = """\
format = 1
name = "kinematic slider-crank"
coordinates = ["phi1", "phi2"]
[parameters]
r = 1.0
l = 4.0
[constraint.closure]
equation = "r*sin(phi1) + l*sin(phi2) = 0"
tolerance = 1e-9
[kinematics]
speed = 1
[run]
tolerance = 1e-13
"""


EXAMPLE_2 = KINEMATIC.replace("tolerance = 1e-9", "tolerance = 1e-4") + 'bilateral = "program"\n'


def test_example_2_by_the_command():
    # Theory 03 §5: 100 ≤ p ≤ 1900 from the bound by hand, 75 ≤ p ≤ 1925 from the program's own.
    wanted = read("03-crank-slider.json")["certificate"]
    result = run(EXAMPLE_2, "--method", "euler", "--step", "1e-3", "--until", "5")
    report = result["constraints"]["closure"]
    assert report["certificate"] == "certified"
    assert report["p_range_crude"] == pytest.approx(wanted["p_certified_crude"], rel=1e-12)
    assert report["p_range"] == pytest.approx(wanted["p_sharp"], rel=1e-3)
    assert report["p_range"][0] <= report["p"] <= report["p_range"][1]
    assert report["step"] == 1e-3
    assert report["tube"]["certified"] is True and report["tube"]["reason"] is None
    assert report["max_violation"] <= report["tube"]["attainable"] <= 1e-4
    assert report["monitor"]["norm"] == "max"
    assert report["monitor"]["defect"] <= report["tube"]["defect"]
    words = run_program("run", "-", "--method", "euler", "--step", "1e-3", "--until", "1", stdin=EXAMPLE_2).out
    assert "certified for all motions near it" in words and "75" in words


def test_certificates_of_given_rates():
    for p, proven in ((74, False), (76, True), (1000, True), (1924, True), (1926, False)):
        text = EXAMPLE_2.replace("tolerance = 1e-4", f"tolerance = 1e-4\nstabilise = {{ p = {p} }}")
        report = run(text, "--method", "euler", "--step", "1e-3", "--until", "2")["constraints"]["closure"]
        assert report["tube"]["certified"] is proven
        assert (report["tube"]["reason"] is None) is proven
        assert report["p"] == p
        # never certified where a measured violation exceeds the bound
        assert report["certificate"] != "certified" or report["max_violation"] <= 1e-4


@pytest.mark.parametrize("method,bound", [("euler", 1e-6), ("heun", 1e-6), ("rk3", 1e-8), ("rk4", 1e-9), ("dopri5", 1e-10)])
def test_the_step_is_chosen_for_the_tolerance(method, bound):
    text = EXAMPLE_2.replace("tolerance = 1e-4", f"tolerance = {bound}")
    result = run(text, "--method", method, "--until", "2", "--tolerance", "1e-6")
    report = result["constraints"]["closure"]
    assert report["max_violation"] <= bound
    assert report["certificate"] in ("certified", "monitored")
    assert report["step"] == result["statistics"]["step"] > 0
    assert any("step" in warning for warning in result["warnings"])
    long = run(text, "--method", method, "--step", "0.1", "--until", "2")
    assert long["constraints"]["closure"]["step"] < 0.1
    assert any("instead of 0.1" in warning for warning in long["warnings"])


def test_a_certificate_that_cannot_be_had_is_refused_with_its_reason():
    text = EXAMPLE_2.replace("tolerance = 1e-4", "tolerance = 1e-17")
    answer = run_program("run", "-", "--method", "euler", "--step", "1e-3", "--until", "5", stdin=text)
    assert answer.code == 2
    assert "E0905" in answer.err and "million steps" in answer.err and "would hold" in answer.err


def test_a_refused_tolerance_names_one_that_is_larger():
    # At rest nothing is seen in the first moments; the bound that could be kept must not come from them alone.
    text = PENDULUM_IN_THE_PLANE.replace("tolerance = 1e-2", "tolerance = 1e-14")
    answer = run_program("run", "-", "--method", "euler", "--step", "1e-3", "--until", "1", stdin=text)
    assert answer.code == 2 and "E0905" in answer.err
    would_hold = float(answer.err.split("tolerance = ")[1].split()[0])
    assert would_hold > 1e-14


def test_fixed_steps_of_mechanisms_are_monitored_in_their_norm():
    for law, norm in (("", "modal"), ("stabilise = { frequency = 50, damping = 1 }", "lyapunov")):
        text = crank(law="tolerance = 1e-2\n" + law)
        result = run(text, "--until", "2", "--method", "euler", "--step", "1e-3", "--realise", "program")
        for report in result["constraints"].values():
            assert report["monitor"]["norm"] == norm
            assert report["max_violation"] <= report["monitor"]["bound"]
            assert report["monitor"]["alpha"] < 1
            assert report["certificate"] == "certified"
            assert report["tube"]["certified"] is False and "monitored" in report["tube"]["reason"]


@needs("compare")
def test_compare_with_a_system_of_index_2(tmp_path):
    picture = tmp_path / "loop.svg"
    answer = run_program("compare", "-", "--with", "program,projection,multiplier,index2", "--until", "4", "--tolerance", "1e-8",
                         "--json", "-o", str(picture), stdin=crank())
    if "SUNDIALS" in answer.out + answer.err:
        pytest.skip("no SUNDIALS")
    assert answer.code in (0, 1), answer.err
    variants = {one["realisation"]: one for one in answer.json()["variants"]}
    assert variants["index2"]["method"] == "dae"
    worst = {name: max(report["max_violation"] for report in one["constraints"].values()) for name, one in variants.items()}
    rates = max(report["max_rate_violation"] for report in variants["index2"]["constraints"].values())
    assert worst["index2"] < 1e-8
    assert worst["projection"] < 1e-13 < worst["multiplier"]
    assert rates < 1e-4
    assert all(one["energy_error"] < 1e-2 and one["evaluations"] > 0 for one in variants.values())
    drawn = picture.read_text(encoding="utf-8")
    assert "log10 violation" in drawn and "log10 energy error" in drawn and "index2" in drawn


def test_friction_on_a_guide_stops_a_bead():
    text = """\
format = 1
name = "bead on a rod"
coordinates = ["x", "y"]
[parameters]
mu = 0.3
g = 10.0
[energy]
T = "x'^2 + y'^2"
V = "2*g*y"
[constraint.rod]
equation = "y = 0"
slip = "x'"
friction = "mu"
[start.velocity]
x = 3.0
"""
    result = run(text, "--until", "2", "--at", "0.5,2")
    first, last = result["samples"]
    assert first["reactions"]["rod"]["normal"] == pytest.approx(20.0)
    assert first["reactions"]["rod"]["tangential"] == [pytest.approx(-6.0)]
    assert first["mode"]["rod"] == "slip" and last["mode"]["rod"] == "stick"
    assert last["q"]["x"] == pytest.approx(1.5, rel=1e-10)
    assert [event["kind"] for event in result["events"]] == ["stick"]
    assert result["events"][0]["time"] == pytest.approx(1.0, rel=1e-10)
    assert result["energy"]["friction"] == pytest.approx(-9.0, rel=1e-9)
    assert abs(result["energy"]["unexplained"]) < 1e-9


def test_two_motions_along_a_rough_guide_are_told():
    text = """\
format = 1
name = "rod on a rail"
coordinates = ["x", "y", "phi"]
[parameters]
mu = 1.6
[energy]
T = "(x'^2 + y'^2)/2 + phi'^2/6"
V = "9.81*y"
[constraint.tip]
equation = "y = sin(phi)"
slip = "x' + sin(phi)*phi'"
friction = "mu"
[start]
phi = 1.0
y = "sin(1.0)"
[start.velocity]
x = 1.0
"""
    told = run(text, "--until", "0.1")["events"][0]
    assert (told["time"], told["kind"], told["where"], told["case"]) == (0.0, "slip", "tip", "indeterminate")
    answer = run_program("run", "-", "--json", "--until", "0.1", stdin=text + '[run]\nparadox = "stop"\n')
    assert answer.code == 3
    assert "2 motions" in answer.json()["reason"] and "tip" in answer.json()["reason"]


def test_motion_from_constraints_alone():
    exact = read("03-crank-slider.json")["exact_solution"]
    result = run(KINEMATIC, "--until", "20", "--at", times(exact))
    for sample, point in zip(result["samples"], exact, strict=True):
        close(sample["q"].values(), point["phi"], 1e-11)
    assert result["constraints"]["closure"]["certificate"] == "certified"


CROSS = """\
format = 1
name = "cross"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.cross]
equation = "x*y = 0"
[start]
x = {x}
[start.velocity]
x = 1
"""


@pytest.mark.parametrize("x, told", [(-1e-6, True), (-0.5, False)])
def test_check_tells_how_far_the_gradient_of_one_constraint_is_from_vanishing(x, told):
    """f = x y has ∇f = (y, x) and |∇∇f| = √2: it vanishes |x|/√2 away, to first order."""
    text = CROSS.format(x=x)
    answer = run_program("check", "-", stdin=text)
    assert ("near a singular position: the gradient of cross vanishes about 7.1e-07 away" in answer.out) == told
    facts = run_program("check", "-", "--json", stdin=text).json()["models"][0]
    assert facts["singular_distance"] == pytest.approx(abs(x) / math.sqrt(2), rel=1e-12)


def test_a_singular_start_goes_on_along_its_branch():
    # Along y = 0 the reaction carries the weight: x λ = 9.81.
    result = run(CROSS.format(x=0), "--until", "1", "--at", "0.1,1")
    for sample in result["samples"]:
        assert sample["q"]["x"] == pytest.approx(sample["t"], rel=1e-9)
        assert abs(sample["q"]["y"]) < 1e-12
        assert sample["reactions"]["cross"] * sample["t"] == pytest.approx(9.81, rel=1e-9)
    assert any("singular position" in warning for warning in result["warnings"])
    # a motion that passes through tells where
    passing = run(CROSS.format(x=-0.5), "--until", "1", "--at", "1")
    assert passing["samples"][0]["q"]["x"] == pytest.approx(0.5, abs=1e-9)
    assert any("t = 0.5 " in warning and "singular position" in warning for warning in passing["warnings"])


def test_a_constraint_with_a_kink_is_not_crossed_in_silence():
    text = CROSS.format(x=-1).replace("x*y = 0", "y = abs(x)").replace("x = -1", "x = -1\ny = 1").replace("x = 1\n", "x = 1\ny = -1\n")
    result = run(text, "--until", "3", code=3)
    # down a slope of 45°: s'' = g sin 45° = g/√2 along it, √2 to go from √2
    g, v = 9.81 / math.sqrt(2), math.sqrt(2)
    arrival = (-v + math.sqrt(v * v + 2 * g * math.sqrt(2))) / g
    assert result["time"] == pytest.approx(arrival, rel=1e-9)
    assert "kink" in result["reason"] and "impact" in result["reason"]


def test_samples_lie_on_the_constraints_whatever_the_tolerance():
    text = crank(more="[observe]\nf = \"r*sin(phi1) + l*sin(phi2)\"\n")
    at = ",".join(repr(0.0137 * k) for k in range(1, 150))
    result = run(text, "--until", "2.1", "--at", at, "--tolerance", "1e-5")
    assert max(abs(sample["observe"]["f"]) for sample in result["samples"]) < 1e-12
    # the polynomials between steps know less, and the report says so
    assert result["constraints"]["across"]["max_violation_between"] > 1e-12


PENDULUM_IN_THE_PLANE = """\
format = 1
name = "pendulum in the plane"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.rod]
equation = "x^2 + y^2 = 1"
tolerance = 1e-2
[start]
x = 1
[run]
bilateral = "program"
"""


@pytest.mark.parametrize("method,step", [("euler", 1e-3), ("heun", 2e-3), ("rk3", 4e-3), ("rk4", 4e-3), ("dopri5", 2e-3)])
def test_a_mechanism_is_certified_over_its_tube(method, step):
    result = run(PENDULUM_IN_THE_PLANE, "--until", "1", "--method", method, "--step", repr(step))
    report = result["constraints"]["rod"]
    assert report["tube"]["certified"] is True
    assert report["certificate"] == "certified"
    assert report["max_violation"] <= report["tube"]["attainable"] <= report["bound"]
    assert report["monitor"]["norm"] == "modal"


def test_a_motion_that_ends_early_does_not_agree():
    # The multiplier alone drifts over the limit where the event stops it; until then both motions are the same.
    text = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.rod]
equation = "x^2 + y^2 = 1"
[event.long]
when = "(x^2 + y^2 - 1)^2 - 1e-16"
direction = "up"
stop = true
[start]
x = 1
[run]
until = 20
tolerance = 1e-6
"""
    answer = run_program("compare", "-", "--json", "--with", "projection,multiplier", stdin=text)
    assert answer.code == 1
    result = answer.json()
    assert not result["agree"]
    pair, = result["pairs"]
    assert not pair["agree"] and pair["ends_early"]
    assert pair["first_apart"] < 20 and pair["largest"]["x"] < 1e-7
    words = run_program("compare", "-", "--with", "projection,multiplier", stdin=text).out
    assert "agree until one of them ends" in words


def test_a_driven_mechanism_stops_at_the_end_of_its_reach():
    """x = 0.7 cos a with x = 0.5 + t: beyond t = 0.2 no angle keeps both."""
    text = """\
format = 1
name = "reach"
coordinates = ["a", "x"]
[energy]
T = "0.4*a'^2 + 0.5*x'^2"
[constraint.rod]
equation = "x = 0.7*cos(a)"
[constraint.drive]
equation = "x = 0.5 + t"
[start]
x = 0.5
a = 0.77
solve = ["a"]
[start.velocity]
x = 1
"""
    answer = run_program("run", "-", "--json", "--until", "0.5", "--at", "0.19", stdin=text)
    assert answer.code == 3
    told = answer.json()
    assert told["status"] == "stopped"
    assert "can no longer be kept" in told["reason"] and "t = 0.2" in told["reason"]
    assert told["samples"][0]["q"]["a"] == pytest.approx(math.acos(0.69 / 0.7), rel=1e-9)
    assert run_program("run", "-", "--until", "0.19", stdin=text).code == 0


INDEX2 = """
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
[constraint.rod]
equation = "x^2 + y^2 = 1"
[start]
x = 0.6
y = -0.8
[run]
until = 3
bilateral = "index2"
method = "dae"
"""


@pytest.mark.parametrize("tolerance", ["1e-9", "1e-10", "1e-11", "1e-12", "1e-13"])
def test_systems_of_index_2_at_sharp_tolerances(tolerance):
    """A pendulum, against φ'' = −9.81 sin φ by Runge–Kutta; multipliers that rounding blurs do not stop it."""
    n, phi, w = 30000, math.asin(0.6), 0.0
    h = 3.0 / n
    for _ in range(n):
        k = [(w, -9.81 * math.sin(phi))]
        for part in (h / 2, h / 2, h):
            k.append((w + part * k[-1][1], -9.81 * math.sin(phi + part * k[-1][0])))
        phi += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0])
        w += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1])
    answer = run_program("run", "-", "--json", "--tolerance", tolerance, stdin=INDEX2)
    assert answer.code == 0, answer.out[:600] + answer.err
    result = answer.json()
    near = max(200 * float(tolerance), 1e-10)
    assert result["state"]["q"]["x"] == pytest.approx(math.sin(phi), abs=near)
    assert result["constraints"]["rod"]["max_violation"] < near
