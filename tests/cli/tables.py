# SPDX-License-Identifier: Apache-2.0
"""Tables on any number of feet: as models, by limit analysis, and by an integration of their own.

The feet are pressed like springs of equal stiffness, N = k max(0, depth), however stiff they are: three numbers, the depth and
two tilts of the table, give the pressure of all feet.
"""

import itertools
import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    feet: tuple  # places under the mass centre
    mu: tuple  # by foot
    height: float = 0.0  # of the mass centre above the floor: friction loads the feet in front
    mass: float = 10.0
    tilt: float = 0.8  # moments of inertia
    turn: float = 1.5
    gravity: float = 9.81

    @property
    def weight(self):
        return self.mass * self.gravity

    def model(self, push="x = 0", velocity="", until=1.0, run=""):
        names = ", ".join(f'"f{i}"' for i in range(len(self.feet)))
        text = f"""
format = 1
name = "table"
coordinates = ["x", "y", "z", "a", "b", "c"]
[energy]
T = "{self.mass}*(x'^2 + y'^2 + z'^2)/2 + {self.tilt}*(a'^2 + b'^2)/2 + {self.turn}*c'^2/2"
V = "{self.weight}*z"
[force.push]
{push}
[start]
closed = [{names}]
[start.velocity]
{velocity}
[run]
until = {until}
{run}
"""
        # Height turns with the table: the tilts a and b are about axes of the floor.
        for i, ((p, q), mu) in enumerate(zip(self.feet, self.mu)):
            text += f"""
[contact.f{i}]
gap = "z + (({p})*sin(c) + ({q})*cos(c))*a - (({p})*cos(c) - ({q})*sin(c))*b"
slip = ["der(x + ({p})*cos(c) - ({q})*sin(c) - {self.height}*b)", "der(y + ({p})*sin(c) + ({q})*cos(c) + {self.height}*a)"]
friction = {mu}
"""
        return text

    def arms(self, c):
        return [(p * math.cos(c) - q * math.sin(c), p * math.sin(c) + q * math.cos(c)) for p, q in self.feet]

    def slips(self, state):
        _, _, c, vx, vy, w = state
        return [(vx - q * w, vy + p * w) for p, q in self.arms(c)]

    def pressure(self, arms, along):
        """Weight and two moments of tilt; a foot that would pull carries nothing, and only such a one does."""
        bearing = list(range(len(arms)))
        for _ in range(3 * len(arms)):
            rows = [[0.0] * 3 for _ in range(3)]
            for i in bearing:
                p, q = arms[i]
                leans = (1.0, q - self.height * self.mu[i] * along[i][1], p - self.height * self.mu[i] * along[i][0])
                for r in range(3):
                    for k, depth in enumerate((1.0, q, p)):
                        rows[r][k] += leans[r] * depth
            depth = solved(rows, [self.weight, 0.0, 0.0])
            force = [depth[0] + depth[1] * q + depth[2] * p for p, q in arms]
            wrong = [i for i, f in enumerate(force) if (f > 1e-12) != (i in bearing) and abs(f) > 1e-12]
            if not wrong:
                return [force[i] if i in bearing else 0.0 for i in range(len(arms))]
            worst = max(wrong, key=lambda i: abs(force[i]))
            bearing = sorted(set(bearing) ^ {worst})
        raise AssertionError("no feet carry this table")

    def rates(self, state, load):
        _, _, c, vx, vy, w = state
        arms = self.arms(c)
        along = [(u / math.hypot(u, v), v / math.hypot(u, v)) for u, v in self.slips(state)]
        normal = self.pressure(arms, along)
        force = [(-m * n * s[0], -m * n * s[1]) for m, n, s in zip(self.mu, normal, along)]
        moment = sum(p * f[1] - q * f[0] for (p, q), f in zip(arms, force))
        return [vx, vy, w, (load[0] + sum(f[0] for f in force)) / self.mass, (load[1] + sum(f[1] for f in force)) / self.mass,
                (load[2] + moment) / self.turn]

    def step(self, state, load, t, h):
        """Runge and Kutta."""
        k1 = self.rates(state, load(t))
        k2 = self.rates([x + h / 2 * k for x, k in zip(state, k1)], load(t + h / 2))
        k3 = self.rates([x + h / 2 * k for x, k in zip(state, k2)], load(t + h / 2))
        k4 = self.rates([x + h * k for x, k in zip(state, k3)], load(t + h))
        return [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]

    def integrated(self, state, load, start, end, steps=400):
        for i in range(steps):
            t = start + (end - start) * i / steps
            state = self.step(state, load, t, (end - start) / steps)
        return state

    def started(self, load, start, end):
        """From rest, all feet slipping at once. For a moment at the accelerations that agree with the directions they give, as if
        friction turned a slip at once; then in steps that are a part of the time in which it does."""
        moment = min(2e-3, (end - start) / 2)
        node = [0.5 * moment * (1 + x) for x in (-math.sqrt(0.6), 0.0, math.sqrt(0.6))]
        weight = [moment / 18 * w for w in (5, 8, 5)]
        late, guess = 0.5, [x / m for x, m in zip(load(start + 0.5), (self.mass, self.mass, self.turn))]
        while late > 2 * moment:
            guess, late = [x / 2 for x in self.first_accelerations(load(start + late), guess)], late / 2
        found = [self.first_accelerations(load(start + t), guess) for t in node]
        state = [sum(w * (moment - t) * a[k] for w, t, a in zip(weight, node, found)) for k in range(3)]
        state += [sum(w * a[k] for w, a in zip(weight, found)) for k in range(3)]
        t = start + moment
        while t < end:
            slowest = min(math.hypot(*v) for v in self.slips(state))
            h = min(0.5 * slowest / (max(self.mu) * self.weight / 4) / self.answer, 1e-3, end - t)
            state = self.step(state, load, t, h)
            t += h
        return state

    @property
    def answer(self):
        """Of the slip of a foot to a force at it, at most."""
        return 1 / self.mass + max(p * p + q * q for p, q in self.feet) / self.turn

    def first_accelerations(self, load, a):
        """From rest: Newton's method from a guess, with shorter steps where the whole one goes too far."""

        def miss(a):
            return [x - y for x, y in zip(a, self.rates([0.0] * 3 + a, load)[3:])]

        for _ in range(200):
            here = miss(a)
            size = max(map(abs, here))
            if size < 1e-11:
                return a
            d = 1e-6 * max(map(abs, a))
            columns = [miss([x + (d if i == k else 0.0) for i, x in enumerate(a)]) for k in range(3)]
            change = solved([[(columns[k][r] - here[r]) / d for k in range(3)] for r in range(3)], [-x for x in here])
            part = 1.0
            while max(map(abs, miss([x + part * y for x, y in zip(a, change)]))) > size and part > 1e-9:
                part /= 2
            a = [x + part * y for x, y in zip(a, change)]
        raise AssertionError("no accelerations agree with the directions they give")

    def supports(self):
        """Vertices of the pressures that carry the weight: three feet with their shares."""
        for three in itertools.combinations(range(len(self.feet)), 3):
            corners = [self.feet[i] for i in three]
            share = solved([[1.0] * 3, [p for p, _ in corners], [q for _, q in corners]], [1.0, 0.0, 0.0])
            if share and min(share) >= -1e-12:
                yield [(i, self.weight * self.mu[i] * s) for i, s in zip(three, share)]

    def onset(self, load):
        """Limit analysis of a load that grows as load t, at height 0: of all velocities on which it has the power 1 one dissipates
        least, while the feet are loaded so that they dissipate most."""

        supports = list(self.supports())
        far = 4 / max(map(abs, load))

        def dissipation(vy, w):
            vx = (1 - load[1] * vy - load[2] * w) / load[0]
            speed = [math.hypot(vx - w * q, vy + w * p) for p, q in self.feet]
            return max(sum(friction * speed[i] for i, friction in three) for three in supports)

        return least(lambda w: least(lambda vy: dissipation(vy, w), -far, far), -far, far)


def solved(matrix, right):
    """Gauss with pivoting; None where the matrix is singular."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        k = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[k] = rows[k], rows[i]
        if abs(rows[i][i]) < 1e-13:
            return None
        for r in range(i + 1, n):
            f = rows[r][i] / rows[i][i]
            rows[r] = [x - f * y for x, y in zip(rows[r], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][k] * x[k] for k in range(i + 1, n))) / rows[i][i]
    return x


def least(function, low, high):
    """The least value of a convex function."""
    for _ in range(60):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if function(a) < function(b) else (a, high)
    return function((low + high) / 2)


def square(half):
    return ((half, half), (-half, half), (-half, -half), (half, -half))


def ring(count, radius=0.5, turned=0.3):
    angles = [turned + 2 * math.pi * i / count for i in range(count)]
    return tuple((round(radius * math.cos(a), 6), round(radius * math.sin(a), 6)) for a in angles)


def sampled(sample):
    return [sample["q"][k] for k in "xyc"] + [sample["v"][k] for k in "xyc"]
