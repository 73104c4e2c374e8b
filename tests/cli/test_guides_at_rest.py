# SPDX-License-Identifier: Apache-2.0
"""Several rough guides along one slip: together they hold as much as all of them can."""

import math

import pytest
from conftest import run_program

MODEL = """\
format = 1
name = "guides"
coordinates = ["x", "y", "z", "w"]
[energy]
T = "(x'^2 + y'^2 + z'^2 + w'^2)/2"
[force.load]
x = "{load}"
y = -5
z = 3
w = -2
{guides}[start.velocity]
x = {speed}
[run]
until = {until}
"""


def guide(name, coordinate, friction, slip="x'"):
    rough = f'slip = "{slip}"\nfriction = {friction}\n' if friction else ""
    return f'[constraint.{name}]\nequation = "{coordinate} = 0"\n{rough}'


# 0.1 · 5 + 0.2 · 3 = 1.1, in the second as one guide, in the last as three
A, B, C = guide("a", "y", 0.1), guide("b", "z", 0.2), guide("c", "w", 0)
WAYS = {
    "two": A + B + C,
    "the other way round": B + A + C,
    "one": guide("a", "y", 0.22) + guide("b", "z", 0) + C,
    "mirrored": A + guide("b", "z", 0.2, "-x'") + C,
    "half as fast": A + guide("b", "z", 0.4, "0.5*x'") + C,
    "three": guide("a", "y", 0.06) + B + guide("c", "w", 0.1),
}


def run(way, load, speed, until, *arguments):
    text = MODEL.format(load=load, guides=WAYS[way], speed=speed, until=until)
    answer = run_program("run", "-", "--json", *arguments, stdin=text)
    assert answer.code == 0, answer.out[:500] + answer.err
    result = answer.json()
    assert result["warnings"] == []
    return result


@pytest.mark.parametrize("way", WAYS)
def test_they_come_to_rest(way):
    result = run(way, "0", 1, 3)
    assert result["state"]["q"]["x"] == pytest.approx(0.5 / 1.1, abs=1e-10)
    assert result["state"]["v"]["x"] == pytest.approx(0.0, abs=1e-12)
    stops = [e for e in result["events"] if e["kind"] == "stick"]
    assert stops and all(e["time"] == pytest.approx(1 / 1.1, abs=1e-10) for e in stops)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("way", WAYS)
def test_they_hold_what_all_of_them_can(way, sign):
    """The load 0.8 t starts the motion at 1.1/0.8; v = 0.4 (t² − t0²) − 1.1 (t − t0)."""
    result = run(way, f"{sign}*0.8*t", 0, 3, "--at", "1.37")
    start = 1.1 / 0.8
    assert result["samples"][0]["v"]["x"] == 0.0
    starts = [e for e in result["events"] if e["kind"] == "slip"]
    assert starts and all(e["time"] == pytest.approx(start, abs=1e-9) for e in starts)
    speed = 0.4 * (9 - start**2) - 1.1 * (3 - start)
    assert result["state"]["v"]["x"] == pytest.approx(sign * speed, abs=1e-9)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "one"])
def test_a_load_that_swings_moves_them_like_one_guide(way):
    load = "-1.3*sin(3*t)"
    one = run("one", load, 1, 6)
    result = run(way, load, 1, 6)
    assert result["state"]["q"]["x"] == pytest.approx(one["state"]["q"]["x"], abs=1e-8)
    assert result["state"]["v"]["x"] == pytest.approx(one["state"]["v"]["x"], abs=1e-8)
    for kind in ("stick", "slip", "reverse"):
        at = sorted({round(e["time"], 7) for e in one["events"] if e["kind"] == kind})
        assert sorted({round(e["time"], 7) for e in result["events"] if e["kind"] == kind}) == at


@pytest.mark.parametrize("sign", [1, -1])
def test_rest_holds_the_sum_of_what_all_hold_at_rest(sign):
    """μ 0.2 and 0.3 at rest, 0.1 and 0.2 in slip: 5 · 0.2 + 3 · 0.3 = 1.9 start it, 1.1 brakes it then."""
    guides = guide("a", "y", "{ dynamic = 0.1, static = 0.2 }") + guide("b", "z", "{ dynamic = 0.2, static = 0.3 }") + C
    text = MODEL.format(load=f"{sign}*0.8*t", guides=guides, speed=0, until=3)
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.out[:500] + answer.err
    result = answer.json()
    start = 1.9 / 0.8
    starts = [e for e in result["events"] if e["kind"] == "slip"]
    assert len(starts) == 2 and all(e["time"] == pytest.approx(start, abs=1e-9) for e in starts)
    assert sign * result["state"]["v"]["x"] == pytest.approx(0.4 * (9 - start**2) - 1.1 * (3 - start), abs=1e-9)


@pytest.mark.parametrize("mu", [0, 0.1, 0.4])
def test_a_slider_released_in_its_dead_centre_falls(mu):
    """x1 = cos a, a = 0 at rest: x1' begins with t³. The energy that is lost is the work of friction."""
    rough = f'slip = "x1\'"\nfriction = {mu}\n' if mu else ""
    text = f"""\
format = 1
coordinates = ["x1", "y1", "x2", "y2"]
[energy]
T = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"
V = "10*(y1 + y2)"
[constraint.rod]
equation = "(x2 - x1)^2 + (y2 - y1)^2 = 1"
[constraint.floor]
equation = "y1 = 0"
{rough}[constraint.wall]
equation = "x2 = 0"
[start]
x1 = 1
[run]
until = 1.2
"""
    answer = run_program("run", "-", "--json", "--at", "0.05,0.2,0.4", stdin=text)
    assert answer.code == 0, answer.out[-800:] + answer.err
    result = answer.json()
    angle, rate, _ = rod(0, 0, 0, 1, 0, mu, 0).motion(0.0, 0.0, 1.2)
    assert result["state"]["q"]["y2"] == pytest.approx(math.sin(angle), abs=1e-7)
    assert result["state"]["v"]["y2"] == pytest.approx(math.cos(angle) * rate, abs=1e-6)
    for sample in result["samples"] if mu else []:
        opposed(sample, {"floor": mu}, {"floor": lambda s: s["v"]["x1"]})


def test_one_guide_swings_as_its_equation_says():
    """x'' = F − 1.1 sign(x'), at rest while |F| ≤ 1.1: small steps that decide about rest at each of them."""
    h, x, v, t = 1e-5, 0.0, 1.0, 0.0
    while t < 6 - h / 2:
        force = -1.3 * math.sin(3 * (t + h / 2))
        free = v + h * force
        after = math.copysign(max(abs(free) - h * 1.1, 0.0), free)
        x += h * (v + after) / 2
        v = after
        t += h
    one = run("one", "-1.3*sin(3*t)", 1, 6)
    assert one["state"]["q"]["x"] == pytest.approx(x, abs=1e-4)
    assert one["state"]["v"]["x"] == pytest.approx(v, abs=1e-4)


# Carriages with one freedom on two rough guides, and an integration of their own: x'' with the friction of a sign is the solution of a
# linear system in x'', both reactions; rest holds where slip would be stopped in either sense.

class Carriage:
    """Coordinates q = r(x) with unit masses, guides (normal row, slip row per x', mu) as functions of x; forces Q(t)."""

    def __init__(self, rows, loads, drift=lambda x, v: [0.0]):
        self.rows, self.loads, self.drift = rows, loads, drift

    def acceleration(self, t, x, v, sign):
        """The acceleration of x while it slips with this sign; reactions have the sense that agrees with them."""
        path, normals, slips, mus = self.rows(x)
        n = len(path)
        load, bend = self.loads(t), self.drift(x, v)
        found = []
        for code in range(2 ** len(normals)):
            senses = [1 if code >> k & 1 else -1 for k in range(len(normals))]
            # path x'' + bend = load + Σ N (normal − μ χ s slip)
            matrix = [[path[i]] + [-(w[i] - mu * chi * side(s, path) * sign * s[i]) for w, s, mu, chi in zip(normals, slips, mus, senses)] for i in range(n)]
            solution = solve(matrix, [load[i] - bend[i] for i in range(n)])
            if all(N * chi >= 0 for N, chi in zip(solution[1:], senses)):
                found.append(solution[0])
        assert found and max(found) - min(found) < 1e-9
        return found[0]

    def motion(self, x, v, until, exact=1e-11):
        """Steps are halved and compared, so that they become small where a reaction or a slip beside x changes its side."""
        t, events, h = 0.0, [], 1e-2
        sign = (v > 0) - (v < 0)
        while t < until - 1e-14:
            if sign == 0:
                start = next((s for s in (1, -1) if s * self.acceleration(t, x, 0.0, s) > 0), 0)
                if start:
                    events.append(("slip", t))
                    sign = start
                else:
                    t = self.rest(t, min(t + 1e-2, until), x)
                    continue
            h = min(2 * h, 2e-2, until - t)
            while True:
                middle = self.step(t, x, v, sign, h / 2)
                after = self.step(t + h / 2, *middle, sign, h / 2)
                off = max(abs(a - b) for a, b in zip(after, self.step(t, x, v, sign, h)))
                if off <= exact or h < 1e-9:
                    break
                h = max(0.5 * h, 5e-10)
            if sign * after[1] < 0 and h > 1e-13:
                low, high = 0.0, h
                for _ in range(50):
                    half = (low + high) / 2
                    low, high = (half, high) if sign * self.step(t, x, v, sign, half)[1] > 0 else (low, half)
                x, v = self.step(t, x, v, sign, low)
                t, v = t + low, 0.0
                turns = -sign * self.acceleration(t, x, 0.0, -sign) > 0
                events.append(("reverse" if turns else "stick", t))
                sign = -sign if turns else 0
                continue
            t, (x, v) = t + h, after
        return x, v, events

    def rest(self, t, until, x):
        """The end of rest within the step, else its end."""
        moves = lambda at: any(s * self.acceleration(at, x, 0.0, s) > 0 for s in (1, -1))
        if not moves(until):
            return until
        low, high = t, until
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if moves(middle) else (middle, high)
        return high

    def step(self, t, x, v, sign, h):
        f = lambda s, a, b: (b, self.acceleration(s, a, b, sign))
        k1 = f(t, x, v)
        k2 = f(t + h / 2, x + h / 2 * k1[0], v + h / 2 * k1[1])
        k3 = f(t + h / 2, x + h / 2 * k2[0], v + h / 2 * k2[1])
        k4 = f(t + h, x + h * k3[0], v + h * k3[1])
        return tuple(z + h / 6 * (a + 2 * b + 2 * c + d) for z, a, b, c, d in zip((x, v), k1, k2, k3, k4))


def side(slip, path):
    return math.copysign(1, sum(a * b for a, b in zip(slip, path)))


def solve(matrix, right):
    a = [row + [b] for row, b in zip([list(r) for r in matrix], right)]
    n = len(a)
    for i in range(n):
        best = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[best] = a[best], a[i]
        for r in range(n):
            if r != i:
                f = a[r][i] / a[i][i]
                a[r] = [p - f * q for p, q in zip(a[r], a[i])]
    return [a[i][n] / a[i][i] for i in range(n)]


BLOCK = """\
format = 1
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "10*y"
[force.f]
x = "{load}"
z = 2
[constraint.guide]
equation = "y = 0.3*x"
slip = "x' + 0.3*y'"
friction = {mu}
[constraint.rail]
equation = "z = -0.2*x"
slip = "{slip}"
friction = {nu}
[start]
x = 0
[start.velocity]
x = {v}
y = {vy}
z = {vz}
[run]
until = 3
"""


def opposed(sample, mus, slips):
    for name, mu in mus.items():
        force = sample["reactions"][name]
        (T,), N, s = force["tangential"], force["normal"], slips[name](sample)
        assert abs(T) <= mu * abs(N) * (1 + 1e-9) + 1e-12
        if abs(s) > 1e-9:
            assert T == pytest.approx(-math.copysign(mu * abs(N), s), rel=1e-9)
        if sample["mode"][name] == "stick":
            assert abs(s) < 1e-9


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("amplitude, rate, mu, nu, v", [(9, 3, 0.2, 0.2, 0), (9, 3, 0.05, 0.4, 0), (4, 5, 0.3, 0.1, 1), (7, 2, 0.4, 0.35, -0.5), (-12, 4, 0.1, 0.3, 0.2)])
def test_a_block_in_two_inclined_guides_moves_as_its_own_equations_say(amplitude, rate, mu, nu, v, mirrored):
    text = BLOCK.format(load=f"{amplitude}*sin({rate}*t)", mu=mu, nu=nu, v=v, vy=0.3 * v, vz=-0.2 * v, slip="-x'" if mirrored else "x'")
    at = ",".join(str(k / 50) for k in range(151))
    answer = run_program("run", "-", "--json", "--at", at, stdin=text)
    assert answer.code == 0, answer.out[-1500:] + answer.err
    result = answer.json()
    mine = Carriage(lambda x: ([1, 0.3, -0.2], [[-0.3, 1, 0], [0.2, 0, 1]], [[1, 0.3, 0], [1, 0, 0]], [mu, nu]),
                    lambda t: [amplitude * math.sin(rate * t), -10, 2], lambda x, v: [0, 0, 0])
    x, speed, events = mine.motion(0.0, float(v), 3.0)
    assert result["state"]["q"]["x"] == pytest.approx(x, abs=1e-7)
    assert result["state"]["v"]["x"] == pytest.approx(speed, abs=1e-7)
    for kind in ("stick", "slip", "reverse"):
        mine_at = [t for k, t in events if k == kind and t > 0]
        its = sorted({round(e["time"], 7) for e in result["events"] if e["kind"] == kind})
        assert its == pytest.approx(mine_at, abs=1e-6)
    sense = -1 if mirrored else 1
    for sample in result["samples"]:
        opposed(sample, {"guide": mu, "rail": nu}, {"guide": lambda s: 1.09 * s["v"]["x"], "rail": lambda s: sense * s["v"]["x"]})
    assert result["warnings"] == []


ROD = """\
format = 1
coordinates = ["x1", "y1", "x2", "y2"]
[energy]
T = "(x1'^2 + y1'^2 + x2'^2 + y2'^2)/2"
V = "10*(y1 + y2)"
[force.f]
x1 = {F}
x2 = "{G} + {H}*sin({w}*t + {p})"
[constraint.rod]
equation = "(x2 - x1)^2 + (y2 - y1)^2 = 1"
[constraint.floor]
equation = "y1 = 0"
slip = "x1'"
friction = {mu}
[constraint.wall]
equation = "x2 = 0"
{rough}[start]
x1 = {x1}
y2 = {y2}
[start.velocity]
x1 = {v1}
y2 = {v2}
[run]
until = {until}
"""


def rod(F, G, H, w, p, mu, nu):
    """By the angle a with x1 = cos a, y2 = sin a; T along x1 and y2, the rod along (x1 − x2, y1 − y2)."""
    def rows(a):
        c, s = math.cos(a), math.sin(a)
        # The force of the rod is the third unknown, without friction.
        return [-s, 0, 0, c], [[0, 1, 0, 0], [0, 0, 1, 0], [c, -s, -c, s]], [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], [mu, nu, 0]
    return Carriage(rows, lambda t: [F, -10, G + H * math.sin(w * t + p), -10], lambda a, v: [-math.cos(a) * v * v, 0, 0, -math.sin(a) * v * v])


@pytest.mark.parametrize("F, G, H, w, p, mu, nu, a, v", [
    (-2.2, 1.7, 5, 8.7, 4, 0.2, 0.2, math.acos(0.6), 1.25),
    (-2.2, 1.7, 30, 8.7, 4, 0.2, 0.3, math.acos(0.6), 1.25),
    (6, 1, 20, 5, 0, 0.3, 0.1, 0.9, 0),
    (5, 0, 0, 1, 0, 0.25, 0.25, 1.1, 0.4),
    (0, 0, 0, 1, 0, 0.1, 0, 0.7, 0),
    (0, 0, 0, 1, 0, 0.1, 0.1, 0.7, -1),
])
def test_a_rod_between_floor_and_wall_moves_as_its_own_equations_say(F, G, H, w, p, mu, nu, a, v):
    """Both slips are one; in the dead centres a slip only turns round."""
    until = 0.6 if H else 2.0
    rough = f'slip = "y2\'"\nfriction = {nu}\n' if nu else ""
    text = ROD.format(F=F, G=G, H=H, w=w, p=p, mu=mu, rough=rough, x1=repr(math.cos(a)), y2=repr(math.sin(a)),
                      v1=repr(-math.sin(a) * v), v2=repr(math.cos(a) * v), until=until)
    at = ",".join(str(k * until / 100) for k in range(101))
    answer = run_program("run", "-", "--json", "--at", at, stdin=text)
    assert answer.code == 0, answer.out[-1500:] + answer.err
    result = answer.json()
    mus = {"floor": mu, **({"wall": nu} if nu else {})}
    for sample in result["samples"]:
        opposed(sample, mus, {"floor": lambda s: s["v"]["x1"], "wall": lambda s: s["v"]["y2"]})
    angle, rate, _ = rod(F, G, H, w, p, mu, nu).motion(a, v, until)
    assert result["state"]["q"]["x1"] == pytest.approx(math.cos(angle), abs=1e-7)
    assert result["state"]["q"]["y2"] == pytest.approx(math.sin(angle), abs=1e-7)
    assert result["state"]["v"]["y2"] == pytest.approx(math.cos(angle) * rate, abs=1e-6)

