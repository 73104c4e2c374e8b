# SPDX-License-Identifier: Apache-2.0
"""Random planar models with contacts and friction, and a judge that knows mechanics but not the program.

    LIAISON=build/ci/liaison python3 tests/cli/random_contacts.py 0 1000

judges the models of these seeds and tells those that are suspicious, with `show` as a third word the model itself. The judge computes
every condition from the numbers of the model: gaps, signs of forces, cones, friction against slip, balance of forces at samples, and the
balance of energy; what the program says of its own decisions is read too.
"""
import json
import math
import random
import sys

import pytest
from conftest import run_program

UNTIL, SAMPLES = 2.0, 40


class Wave:
    """c + a sin(w t + p)"""

    def __init__(self, c=0.0, a=0.0, w=1.0, p=0.0):
        self.c, self.a, self.w, self.p = (round(v, 4) for v in (c, a, w, p))

    def text(self):
        return f"{self.c!r}" + (f" + {self.a!r}*sin({self.w!r}*t + {self.p!r})" if self.a else "")

    def at(self, t):
        return self.c + self.a * math.sin(self.w * t + self.p)

    def rate(self, t):
        return self.a * self.w * math.cos(self.w * t + self.p)


def told(numbers):
    return " ".join(f"{x:.6g}" for x in numbers)


class Row:
    """A gap or slip of coordinates: numbers, for a point of a turning body with its place."""

    def __init__(self, numbers, point=None):
        self.numbers, self.point = [round(v, 4) + 0.0 for v in numbers], point

    def text(self, names, dot=""):
        if self.point is None:
            return " + ".join(f"({v!r})*{x}{dot}" for x, v in zip(names, self.numbers) if v) or "0"
        (nx, ny), (cx, cy) = self.numbers, self.point
        place = f"({nx!r})*(x + ({cx})*cos(th) - ({cy})*sin(th)) + ({ny!r})*(y + ({cx})*sin(th) + ({cy})*cos(th))"
        return f"der({place})" if dot else place

    def value(self, q):
        if self.point is None:
            return sum(a * b for a, b in zip(self.numbers, q))
        (nx, ny), (cx, cy), th = self.numbers, self.point, q[2]
        return (nx * (q[0] + cx * math.cos(th) - cy * math.sin(th))
                + ny * (q[1] + cx * math.sin(th) + cy * math.cos(th)))

    def gradient(self, q):
        if self.point is None:
            return self.numbers
        (nx, ny), (cx, cy), th = self.numbers, self.point, q[2]
        return [nx, ny, nx * (-cx * math.sin(th) - cy * math.cos(th)) + ny * (cx * math.cos(th) - cy * math.sin(th))]


class Contact:
    """Gap and slips, one in the plane and two in space, with their parts that depend on time: d of the gap, u by slip."""

    def __init__(self, r, gap, slips, d, u):
        self.gap, self.slips, self.d, self.u = gap, slips, d, u
        self.mu = round(r.choice([0, r.uniform(.05, .8), r.uniform(.05, .8), r.uniform(.5, .95)]), 4)
        self.static = self.bend = 0.0
        kind = r.random()
        if self.mu and kind < .12:
            self.static = round(self.mu * r.uniform(1.1, 1.6), 4)
        elif self.mu and kind < .24:
            self.bend = round(self.mu * r.uniform(.05, .4), 4)
        self.speed = round(r.uniform(.1, 1), 4)
        self.e = round(r.choice([0, 0, r.uniform(.1, .8)]), 4)

    def coefficient(self, speed):
        return self.mu + self.bend / (1 + speed / self.speed)

    def text(self, k, names, law):
        lines = [f"[contact.c{k}]", f'gap = "{self.gap.text(names)} + {self.d.text()}"']
        if self.mu:
            friction = f"{self.mu!r}"
            if self.static:
                friction = f"{{ static = {self.static!r}, dynamic = {self.mu!r} }}"
            elif self.bend:
                friction = f'"{self.mu!r} + {self.bend!r}/(1 + abs(slip)/{self.speed!r})"'
            slips = [f"{row.text(names, chr(39))} + {u.text()}" for row, u in zip(self.slips, self.u)]
            lines += [f"slip = {json.dumps(slips if len(slips) > 1 else slips[0])}", f"friction = {friction}"]
        return lines + [f'restitution = {{ value = {self.e!r}, law = "{law}" }}']


class Model:
    """Blocks on a floor beside walls, one on another; or a body with corners between walls. Walls and belts move."""

    def __init__(self, seed):
        r = random.Random(seed)
        self.law = r.choice(["moreau", "moreau", "energetic", "poisson"])
        self.contacts = []

        def wave(c, a, chance=.5):
            return Wave(c, a * r.uniform(.2, 1) if r.random() < chance else 0, r.uniform(.5, 9), r.uniform(0, 6))

        def add(gap, slip, d, u):
            self.contacts.append(Contact(r, gap, [slip], d, [u]))

        if r.random() < .5:
            two = r.random() < .4
            self.names = ["x1", "y1", "x2", "y2"][:4 if two else 2]
            masses = [r.uniform(.5, 2) for _ in range(2)]
            self.mass = [masses[i // 2] for i in range(len(self.names))]

            def row(**k):
                return Row([k.get(x, 0) for x in self.names])

            add(row(y1=1), row(x1=1), wave(0, .05, .3), wave(r.choice([0, r.uniform(-1, 1)]), 1, .3))
            if two:
                add(row(y2=1, y1=-1), row(x2=1, x1=-1), Wave(), Wave())
            if r.random() < .5:
                add(row(x1=r.choice([1, -1])), row(y1=1), wave(r.uniform(.05, .5), .1, .4), wave(0, 1, .2))
            if r.random() < .35:
                al = r.uniform(.2, 2.9)
                add(row(x1=math.cos(al), y1=math.sin(al)), row(x1=-math.sin(al), y1=math.cos(al)),
                    wave(r.uniform(.02, .6), .1, .3), wave(0, 1, .2))
            self.start = [0, r.uniform(0, .3), r.uniform(-.2, .2), r.uniform(.3, .6)][:len(self.names)]
        else:
            self.names = ["x", "y", "th"]
            m = r.uniform(.5, 2)
            self.mass = [m, m, m * r.uniform(.02, .2)]
            corners = [(-.3, -.2), (.3, -.2), (.3, .2), (-.3, .2)][:r.choice([1, 2, 2, 3, 4])]
            walls = [(math.pi / 2, wave(.5, .03, .3), wave(r.choice([0, 0, r.uniform(-1, 1)]), 1, .3))]
            if r.random() < .5 and len(corners) < 3:
                walls.append((r.choice([0, math.pi, r.uniform(.2, 2.9)]), wave(r.uniform(.5, .9), .05, .3), wave(0, 1, .2)))
            for al, d, u in walls:
                for point in corners:
                    add(Row([math.cos(al), math.sin(al)], point), Row([-math.sin(al), math.cos(al)], point), d, u)
            self.start = [0, r.uniform(-.2, .2), r.choice([0, r.uniform(-1, 1)])]
        self.mass = [round(v, 4) for v in self.mass]
        self.force, self.spring, self.damping = [], [], []
        for i, x in enumerate(self.names):
            load = -9.81 * self.mass[i] if x[0] == "y" else r.uniform(-4, 4) if x[0] == "x" else 0
            self.force.append(wave(load, 1 if x == "th" else 7))
            self.spring.append(round(r.uniform(1, 30), 4) if r.random() < .4 else 0)
            self.damping.append(round(r.uniform(.1, 2), 4) if r.random() < .3 else 0)
        self.closed = list(range(r.randint(1, min(2, len(self.contacts))))) if r.random() < .5 else []
        self.start = [round(v, 4) for v in self.start]
        self.velocity = [round(r.choice([0, r.gauss(0, 1)]), 4) for _ in self.names]

    def text(self):
        n = range(len(self.names))
        kinetic = " + ".join(f"{self.mass[i]!r}/2*{self.names[i]}'^2" for i in n)
        potential = " + ".join(f"{self.spring[i]!r}/2*{self.names[i]}^2" for i in n if self.spring[i]) or "0"
        lines = ["format = 1", f"coordinates = {json.dumps(self.names)}", "[energy]", f'T = "{kinetic}"', f'V = "{potential}"', "[force.f]"]
        lines += [f"{self.names[i]} = \"{self.force[i].text()} - {self.damping[i]!r}*{self.names[i]}'\"" for i in n]
        for k, c in enumerate(self.contacts):
            lines += c.text(k, self.names, self.law)
        lines += ["[start]", 'inconsistent = "project"'] + [f"{self.names[i]} = {self.start[i]!r}" for i in n]
        if self.closed:
            lines += [f"closed = {json.dumps([f'c{k}' for k in self.closed])}", f"solve = {json.dumps(self.names)}"]
        lines += ["[start.velocity]"] + [f"{self.names[i]} = {self.velocity[i]!r}" for i in n]
        return "\n".join([*lines, "[run]", f"until = {UNTIL}", "tolerance = 1e-10"]) + "\n"

    def faults(self, sample):
        """What is wrong at one sample."""
        t, n = sample["t"], range(len(self.names))
        q, v, a = ([sample[key][x] for x in self.names] for key in ("q", "v", "a"))
        rest = [self.mass[i] * a[i] - self.force[i].at(t) + self.spring[i] * q[i] + self.damping[i] * v[i] for i in n]
        scale = 1 + max(abs(x) for x in rest)
        wrong = []
        for k, c in enumerate(self.contacts):
            reaction = sample["reactions"][f"c{k}"]
            normal = reaction["normal"] if isinstance(reaction, dict) else reaction
            rubs = reaction["tangential"] if isinstance(reaction, dict) else [0.0] * len(c.slips)
            gap = c.gap.value(q) + c.d.at(t)
            rows = [row.gradient(q) for row in c.slips]
            slip = [sum(s * x for s, x in zip(row, v)) + u.at(t) for row, u in zip(rows, c.u)]
            for i in n:
                rest[i] -= c.gap.gradient(q)[i] * normal + sum(row[i] * f for row, f in zip(rows, rubs))
            speed = math.hypot(*slip)
            mu = c.coefficient(speed)
            if gap < -1e-8:
                wrong.append(f"gap of c{k} {gap:.2g}")
            if normal < -1e-7 * scale or (normal > 1e-7 * scale and gap > 1e-7):
                wrong.append(f"force {normal:.2g} of c{k} at a gap of {gap:.2g}")
            if math.hypot(*rubs) > max(mu, c.static) * normal + 1e-6 * scale:
                wrong.append(f"friction {told(rubs)} of c{k} under {normal:.6g}")
            # A slow slip in space has a direction to the tolerance of the run only.
            aside = 1e-5 * scale + (1e-9 / max(speed, 1e-9) * mu * abs(normal) if len(slip) > 1 else 0.0)
            if speed > 1e-6 and math.dist(rubs, [-mu * normal * x / speed for x in slip]) > aside:
                wrong.append(f"friction {told(rubs)} of c{k} while it slips by {told(slip)}")
        if max(abs(x) for x in rest) > 1e-6 * scale:
            wrong.append(f"balance {max(abs(x) for x in rest):.2g}")
        return [f"t = {t:.4g}: {w}" for w in wrong]


def judge(seed):
    return judged(Model(seed))


def judged(model):
    """Suspicious things about the motion of one model; nothing: it is refused at the start, or in order."""
    times = ",".join(repr(UNTIL * k / SAMPLES) for k in range(SAMPLES + 1))
    try:
        answer = run_program("run", "-", "--json", "--at", times, stdin=model.text(), limit=60)
    except pytest.fail.Exception as late:
        return [str(late)]
    if answer.code == 2 and any(code in answer.out for code in ("E0501", "E0502", "E0503")):
        return []
    if not answer.out.startswith("{") or answer.code not in (0, 3):
        return [f"exit code {answer.code}: {answer.err[:200]}{answer.out[:200]}"]
    result = answer.json()
    found = [f"stopped: {result['reason']}"] if answer.code == 3 else []
    for key in ("complementarity", "impact_complementarity", "cone", "direction", "natural", "momentum"):
        residual = (result["contacts"] or {}).get(key) or 0.0
        if residual > 1e-7:
            found.append(f"{key} {residual:.2g}")
    energy = result["energy"]
    turnover = max(abs(energy[k]) for k in ("start", "end", "work", "impacts", "friction"))
    if abs(energy["unexplained"]) > 1e-8 * (1 + turnover):
        found.append(f"energy {energy['unexplained']:.2g}")
    for sample in result["samples"]:
        found += model.faults(sample)
    return found


def tell(make):
    """For the command line: models by seed."""
    first, last = int(sys.argv[1]), int(sys.argv[2])
    for number in range(first, last):
        if len(sys.argv) > 3:
            print(make(number).text())
        elif faults := judged(make(number)):
            print(number, " | ".join(faults)[:500], flush=True)


if __name__ == "__main__":
    tell(Model)
