# SPDX-License-Identifier: Apache-2.0
"""Through singular positions: where constraints lose rank the velocity selects the branch, and energy is kept."""

import math

import pytest
from conftest import run_program


def rk4(field, x, until, n):
    """Classical Runge–Kutta with n steps, independent of the program."""
    h = until / n
    for i in range(n):
        t = i * h
        k1 = field(t, x)
        k2 = field(t + h / 2, [a + h / 2 * b for a, b in zip(x, k1)])
        k3 = field(t + h / 2, [a + h / 2 * b for a, b in zip(x, k2)])
        k4 = field(t + h, [a + h * b for a, b in zip(x, k3)])
        x = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(x, k1, k2, k3, k4)]
    return x


def run(text, *arguments, code=0):
    answer = run_program("run", "-", "--json", *arguments, stdin=text)
    assert answer.code == code, answer.out[:600] + answer.err
    return answer.json()


def parallelograms(loops, rate=-1.0, angle="pi/2", extra=""):
    """N loops of equal cranks a0 … aN of length 1 and couplers c1 … cN of length 1; unit masses, gravity."""
    cranks = [f"a{i}" for i in range(loops + 1)]
    T = [f"{a}'^2/6" for a in cranks]
    V = [f"sin({a})/2" for a in cranks]
    held = ""
    for i in range(1, loops + 1):
        a, b, c = f"a{i - 1}", f"a{i}", f"c{i}"
        T.append(f"{c}'^2/24 + (der(cos({a}) + cos({c})/2)^2 + der(sin({a}) + sin({c})/2)^2)/2")
        V.append(f"sin({a}) + sin({c})/2")
        held += f'[constraint.x{i}]\nequation = "cos({a}) + cos({c}) - cos({b}) - 1 = 0"\n'
        held += f'[constraint.y{i}]\nequation = "sin({a}) + sin({c}) - sin({b}) = 0"\n'
    names = ", ".join(f'"{name}"' for name in cranks + [f"c{i}" for i in range(1, loops + 1)])
    return (f'format = 1\nname = "parallelograms"\ncoordinates = [{names}]\n[energy]\nT = "{" + ".join(T)}"\n'
            f'V = "9.81*({" + ".join(V)})"\n{held}{extra}[start]\n' + "".join(f'{a} = "{angle}"\n' for a in cranks)
            + "[start.velocity]\n" + "".join(f"{a} = {rate}\n" for a in cranks) + "[run]\nuntil = 10\n")


def on_the_branch(loops, until=10.0, rate=-1.0, angle=math.pi / 2):
    """All cranks parallel: J a'' = −G cos a."""
    J = 2 * ((loops + 1) / 6 + loops / 2)
    G = 9.81 * ((loops + 1) / 2 + loops)
    a, w = rk4(lambda t, x: [x[1], -G * math.cos(x[0]) / J], [angle, rate], until, 40000)
    return a, J / 2 * rate**2 + G * math.sin(angle)


def test_the_reference_itself():
    a, energy = on_the_branch(1)
    assert a == pytest.approx(-30.3439449709431, abs=1e-10)
    assert energy == pytest.approx(20.4533333333, abs=1e-9)


@pytest.mark.parametrize("method", ["taylor", "rk"])
@pytest.mark.parametrize("realisation", ["projection", "program", "multiplier"])
@pytest.mark.parametrize("loops", [1, 2])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10, 1e-12])
def test_parallelograms_turn_through_their_flat_positions(loops, realisation, method, tolerance):
    angle, energy = on_the_branch(loops)
    result = run(parallelograms(loops), "--tolerance", str(tolerance), "--method", method, "--realise",
                 f"bilateral={realisation}")
    assert result["status"] == "done"
    # Errors of the tolerance in a few hundred steps, over nine turns.
    allowed = 3e3 * tolerance + 1e-8
    for i in range(loops + 1):
        assert result["state"]["q"][f"a{i}"] == pytest.approx(angle, abs=allowed)
    assert result["energy"]["end"] == pytest.approx(energy, abs=allowed)
    assert result["statistics"]["steps"] < 5000


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_a_motion_that_begins_flat_follows_its_velocity(tolerance):
    angle, energy = on_the_branch(1, until=3.0, rate=-2.0, angle=0.0)
    result = run(parallelograms(1, rate=-2.0, angle="0"), "--tolerance", str(tolerance), "--until", "3")
    assert result["state"]["q"]["a0"] == pytest.approx(angle, abs=1e3 * tolerance + 1e-9)
    assert result["energy"]["end"] == pytest.approx(energy, abs=1e3 * tolerance + 1e-9)


def test_an_event_in_the_flat_position_changes_nothing():
    angle, energy = on_the_branch(1)
    result = run(parallelograms(1, extra='[event.flat]\nwhen = "sin(a0)"\n'), "--tolerance", "1e-10")
    assert result["state"]["q"]["a0"] == pytest.approx(angle, abs=1e-6)
    assert result["energy"]["end"] == pytest.approx(energy, abs=1e-6)
    # a0 runs from π/2 to −30.34: through 0, −π, …, −9π
    assert len([e for e in result["events"] if e["where"] == "flat"]) == 10


NODE = """\
format = 1
name = "bead on a curve with a node"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "2*y"
[constraint.curve]
equation = "y^2 = x^2*(x + 1)"
[start]
x = 1.25
y = 1.875
[start.velocity]
x = {x}
y = {y}
[run]
until = 2
"""


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_a_bead_passes_the_node_of_its_curve(tolerance):
    """x = s² − 1, y = s (s² − 1): s runs from 1.5 through ±1, where the curve crosses itself."""

    def field(t, z):
        s, r = z
        dx, dy, ddx, ddy = 2 * s, 3 * s * s - 1, 2.0, 6 * s
        m = dx * dx + dy * dy
        return [r, -((dx * ddx + dy * ddy) * r * r + 2 * dy) / m]

    rate = -2.5
    s, r = rk4(field, [1.5, rate], 2.0, 40000)
    assert s < -1.0  # through both passages of the node
    result = run(NODE.format(x=3.0 * rate, y=5.75 * rate), "--tolerance", str(tolerance))
    assert result["status"] == "done"
    assert result["state"]["q"]["x"] == pytest.approx(s * s - 1, abs=1e4 * tolerance + 1e-9)
    assert result["state"]["q"]["y"] == pytest.approx(s * (s * s - 1), abs=1e4 * tolerance + 1e-9)


LEMNISCATE = """\
format = 1
name = "bead on a lemniscate"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[constraint.curve]
equation = "(x^2 + y^2)^2 = x^2 - y^2"
[start]
x = 1
[start.velocity]
y = 1
[run]
until = {until}
"""


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_a_free_bead_runs_along_a_lemniscate_at_constant_speed(tolerance):
    """Its length is 4 K = 5.244115108584… (Gauss): after one round the bead is where it began."""
    quarter = 1.3110287771460600
    result = run(LEMNISCATE.format(until=4 * quarter), "--tolerance", str(tolerance))
    assert result["status"] == "done"
    assert result["state"]["q"]["x"] == pytest.approx(1.0, abs=1e4 * tolerance)
    assert result["state"]["q"]["y"] == pytest.approx(0.0, abs=1e4 * tolerance)
    assert result["state"]["v"]["y"] == pytest.approx(1.0, abs=1e4 * tolerance)


def test_at_the_end_of_a_run_in_the_node():
    result = run(LEMNISCATE.format(until=1.3110287771460600))
    assert result["status"] == "done"
    assert math.hypot(result["state"]["q"]["x"], result["state"]["q"]["y"]) < 1e-7
    assert math.hypot(*result["state"]["v"].values()) == pytest.approx(1.0, abs=1e-7)


CROSSING = """\
format = 1
name = "crossing"
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "{V}"
[constraint.lines]
equation = "x^2 = 9*y^2"
[start.velocity]
x = {x}
y = {y}
[run]
until = 1
"""


def test_at_rest_on_a_crossing_no_branch_is_selected():
    result = run(CROSSING.format(V="9.81*y", x=0, y=0), code=3)
    assert result["status"] == "stopped"
    assert "singular position" in result["reason"] and "no velocity selects" in result["reason"]


def test_without_a_force_it_stays_there():
    result = run(CROSSING.format(V="0", x=0, y=0))
    assert result["state"]["q"] == {"x": 0, "y": 0}


@pytest.mark.parametrize("side", [1, -1])
def test_a_velocity_selects_one_of_two_lines(side):
    result = run(CROSSING.format(V="9.81*y", x=3 * side, y=1))
    # Along the line (3 side, 1)/√10: the acceleration is −g/√10.
    way = math.sqrt(10.0) - 9.81 / math.sqrt(10.0) / 2
    assert result["state"]["q"]["x"] == pytest.approx(3 * side / math.sqrt(10.0) * way, abs=1e-8)
    assert result["state"]["q"]["y"] == pytest.approx(way / math.sqrt(10.0), abs=1e-8)


SLEIGH = """\
format = 1
name = "sleigh at a wall"
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2)/2 + 0.1*th'^2/2"
[force.push]
x = "4*cos(th)"
y = "4*sin(th)"
[constraint.blade]
equation = "x'*sin(th) - y'*cos(th) = 0"
[contact.wall]
gap = "0.5 - x"
[start]
th = 0.3
[start.velocity]
th = 0.7
[run]
until = 4
"""


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9, 1e-12])
def test_a_contact_that_comes_to_depend_on_a_blade_lets_go(tolerance):
    """The wall holds the sleigh, v = 0, until it is parallel to it: λ = 4/cos th grows without bound, and from there the
    sleigh moves away with v = 4 (t − t*). The reaction never pulls."""
    let_go = (math.pi / 2 - 0.3) / 0.7
    times = [0.6 + 0.02 * i for i in range(60)]
    result = run(SLEIGH, "--tolerance", str(tolerance), "--at", ",".join(map(str, times)))
    assert [e["kind"] for e in result["events"]] == ["impact", "release"]
    assert result["events"][1]["time"] == pytest.approx(let_go, abs=100 * tolerance)
    for sample in result["samples"]:
        expected = 4 / math.cos(0.3 + 0.7 * sample["t"]) if sample["t"] < let_go else 0.0
        assert sample["reactions"]["wall"] == pytest.approx(expected, rel=1e4 * tolerance, abs=1e-6)
    u = 4 - let_go
    x = 0.5 - 4 * (math.sin(0.7 * u) / 0.49 - u * math.cos(0.7 * u) / 0.7)
    assert result["state"]["q"]["x"] == pytest.approx(x, abs=1e3 * tolerance)
    assert result["state"]["q"]["th"] == pytest.approx(0.3 + 0.7 * 4, abs=1e-12)


def passages(g, level, count):
    """Instants at which the parallel cranks pass a = −level − 4π k downwards: J a'' = −G cos a from π/2, −1, by Runge–Kutta."""
    J, G = 2 * (2 / 6 + 1 / 2), g * 2.0
    a, w, t, h = math.pi / 2, -1.0, 0.0, 1e-3
    found = []
    while len(found) < count:
        x = rk4(lambda _, x: [x[1], -G * math.cos(x[0]) / J], [a, w], h, 1)
        target = -level - 4 * math.pi * len(found)
        if a > target >= x[0]:
            # Newton's method on the length of the last step
            s = h * (a - target) / (a - x[0])
            for _ in range(4):
                y = rk4(lambda _, x: [x[1], -G * math.cos(x[0]) / J], [a, w], s, 1)
                s -= (y[0] - target) / y[1]
            found.append(t + s)
        a, w, t = x[0], x[1], t + h
    return found


def with_gravity():
    text = parallelograms(1).replace("[energy]", "[parameters]\ng = 9.81\n[energy]").replace("9.81*(", "g*(")
    return text.replace("until = 10", "until = 10\ntolerance = 1e-12")


def test_a_section_goes_on_through_singular_positions():
    answer = run_program("section", "-", "--section", "sin(a0/2 + 0.5)", "--direction", "down", "--drop", "0", "--points", "3",
                         "--observe", "t,a0,a1,c1", "--until", "12", "--json", stdin=with_gravity())
    assert answer.code == 0, answer.out + answer.err
    points = answer.json()["points"]
    for k, (time, expected) in enumerate(zip([p[0] for p in points], passages(9.81, 1.0, 3))):
        assert time == pytest.approx(expected, abs=1e-8)
        assert points[k][1] == pytest.approx(-1 - 4 * math.pi * k, abs=1e-9)
        assert points[k][2] == pytest.approx(points[k][1], abs=1e-9) and abs(points[k][3]) < 1e-9


def test_a_sweep_goes_on_through_singular_positions(tmp_path):
    table = tmp_path / "sweep.csv"
    answer = run_program("sweep", "-", "--over", "g=9:10:9", "--section", "sin(a0/2 + 0.5)", "--direction", "down", "--drop", "0",
                         "--points", "2", "--observe", "t,a0,a1", "--until", "12", "-o", table, stdin=with_gravity())
    assert answer.code == 0, answer.out + answer.err
    rows = [line.split(",") for line in table.read_text().splitlines() if line and not line.startswith("#")]
    rows = [dict(zip(rows[0], row)) for row in rows[1:]]
    assert len(rows) == 18
    for g in {row["g"] for row in rows}:
        times = [float(row["t"]) for row in rows if row["g"] == g]
        assert times == pytest.approx(passages(float(g), 1.0, 2), abs=1e-8)
    assert all(abs(float(row["a0"]) - float(row["a1"])) < 1e-9 for row in rows)


def test_exponents_that_cannot_be_carried_through_say_so():
    """Tangent vectors across the branch have no continuation of their own: better no number than another motion's."""
    answer = run_program("lyapunov", "-", "--time", "8", stdin=with_gravity())
    assert answer.code == 3
    assert "singular position" in answer.out + answer.err


@pytest.mark.parametrize("tolerance", ["1e-8", "1e-10", "1e-12"])
def test_an_event_in_the_singular_position(tolerance):
    """The motion goes on from there along its branch."""
    a, energy = on_the_branch(1)
    result = run(parallelograms(1, extra='[event.flat]\nwhen = "sin(a0/2)"\n'), "--tolerance", tolerance)
    assert result["status"] == "done"
    assert result["state"]["q"]["a0"] == pytest.approx(a, abs=1e3 * float(tolerance))
    assert result["energy"]["end"] == pytest.approx(energy, abs=1e3 * float(tolerance))
    assert len(result["events"]) == 5  # 0, −2π, … −8π
