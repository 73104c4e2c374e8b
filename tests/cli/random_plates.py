# SPDX-License-Identifier: Apache-2.0
"""Random models with friction in space, and a judge that knows mechanics but not the program.

    LIAISON=build/ci/liaison python3 tests/cli/random_plates.py 0 1000

Plates and tables on one to five feet, blocks in corners of a floor and walls, a block on a plate; floors shake and belts run. What is
judged, and how, is told in random_contacts.py: gaps, signs, cones, friction against slip, balance of forces and energy at samples.
"""
import math
import random

from random_contacts import Contact, Row, Wave, tell
from random_contacts import Model as Judged


class Place:
    """A coordinate of a point (a, b) of a plate, h below its mass centre, for any turn c and small tilts s and p:

        x + A − h p,   y + B + h s,   z + B s − A p   with A = a cos c − b sin c, B = a sin c + b cos c

    `axis` is one of them, or a direction in the floor; turns and tilts that are not among the names are zero."""

    def __init__(self, names, axis, point, height):
        self.names, self.point, self.height = names, point, height
        self.direction = [float(axis == i) for i in range(3)] if isinstance(axis, int) else [*axis, 0.0]

    def text(self, names, dot=""):
        (a, b), h = self.point, self.height
        c, s, p = (name if name in names else "0" for name in "csp")
        along, across = f"(({a})*cos({c}) - ({b})*sin({c}))", f"(({a})*sin({c}) + ({b})*cos({c}))"
        parts = [f"x + {along} - ({h})*{p}", f"y + {across} + ({h})*{s}", f"z + {across}*{s} - {along}*{p}"]
        place = " + ".join(f"({n!r})*({part})" for n, part in zip(self.direction, parts) if n)
        return f"der({place})" if dot else place

    def arms(self, q):
        value = {**dict.fromkeys("csp", 0.0), **dict(zip(self.names, q))}
        (a, b), c = self.point, value["c"]
        return value, a * math.cos(c) - b * math.sin(c), a * math.sin(c) + b * math.cos(c)

    def value(self, q):
        at, along, across = self.arms(q)
        s, p, h = at["s"], at["p"], self.height
        parts = [at["x"] + along - h * p, at["y"] + across + h * s, at["z"] + across * s - along * p]
        return sum(n * part for n, part in zip(self.direction, parts))

    def gradient(self, q):
        at, along, across = self.arms(q)
        h = self.height
        parts = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "p": (-h, 0, -along), "s": (0, h, across),
                 "c": (-across, along, along * at["s"] + across * at["p"])}
        return [sum(n * part for n, part in zip(self.direction, parts.get(x, (0, 0, 0)))) for x in self.names]


class Model(Judged):
    def __init__(self, seed):
        r = random.Random(seed)
        self.law = r.choice(["moreau", "moreau", "energetic", "poisson"])
        self.contacts = []

        def wave(c, a, chance=.5):
            return Wave(c, a * r.uniform(.2, 1) if r.random() < chance else 0, r.uniform(.5, 9), r.uniform(0, 6))

        def add(gap, slips, d, u):
            self.contacts.append(Contact(r, gap, slips, d, u))

        def belt(speed=1.0, chance=.3):
            return [wave(r.choice([0, 0, r.uniform(-speed, speed)]), speed, chance) for _ in range(2)]

        def row(**k):
            return Row([k.get(x, 0) for x in self.names])

        kind = r.random()
        m = r.uniform(.5, 2)
        height = 0.0
        if kind < .65:
            self.names = list(r.choice(["xyz", "xyzc", "xyzps", "xyzpsc", "xyzpsc"]))
            count = r.choice([1, 2, 3, 3, 4, 4, 4, 5])
            height = r.choice([0.0, round(r.uniform(0, .3), 4)])
            size, first, uneven = r.uniform(.2, .5), r.uniform(0, 6), r.choice([0, .3])
            floor, drive = wave(0, .04, .3), belt()
            own_belts = r.random() < .2
            for i in range(count):
                angle = first + (i + uneven * r.uniform(-1, 1)) * 2 * math.pi / count
                point = [round(size * math.cos(angle), 4), round(size * math.sin(angle), 4)]
                z, x, y = (Place(self.names, axis, point, height) for axis in (2, 0, 1))
                add(z, [x, y], floor, belt() if own_belts else drive)
            if r.random() < .15:  # a wall beside the plate
                angle, point = r.uniform(0, 6), [round(r.uniform(-.3, .3), 4) for _ in range(2)]
                normal = [round(math.cos(angle), 4), round(math.sin(angle), 4)]
                along = [-normal[1], normal[0]]
                above = round(r.uniform(-.2, .2), 4)
                gap, side, up = (Place(self.names, axis, point, above) for axis in (normal, along, 2))
                add(gap, [side, up], wave(r.uniform(.5, .9), .05, .3), belt(chance=.2))
            if r.random() < .15:  # a block on the plate, over its mass centre
                self.names += ["x2", "y2", "z2"]
                add(row(z2=1, z=-1), [row(x2=1, x=-1), row(y2=1, y=-1)], Wave(), [Wave(), Wave()])
        else:
            self.names = ["x", "y", "z"]
            add(row(z=1), [row(x=1), row(y=1)], wave(0, .04, .3), belt())
            first = r.choice([0, r.uniform(0, 6)])
            for i in range(r.choice([1, 1, 2, 3])):
                angle = first + i * r.choice([math.pi / 2, r.uniform(.5, 2.5)])
                lean = r.choice([0, 0, r.uniform(-.5, .5)])
                c, s = math.cos(angle), math.sin(angle)
                normal, along = (c * math.cos(lean), s * math.cos(lean), math.sin(lean)), (-s, c, 0)
                up = (-c * math.sin(lean), -s * math.sin(lean), math.cos(lean))
                gap, *slips = map(Row, (normal, along, up))
                add(gap, slips, wave(r.uniform(.05, .5), .1, .3), belt(chance=.2))
        inertia = {"p": m * r.uniform(.02, .2), "s": m * r.uniform(.02, .2), "c": m * r.uniform(.03, .3)}
        second = r.uniform(.3, 2)
        self.mass = [round(second if x[-1] == "2" else inertia.get(x, m), 4) for x in self.names]
        self.force, self.spring, self.damping = [], [], []
        for i, x in enumerate(self.names):
            turns = x in inertia
            load = -9.81 * self.mass[i] if x[0] == "z" else 0 if turns else r.uniform(-4, 4)
            self.force.append(wave(load, 1 if turns else 7))
            self.spring.append(round(r.uniform(1, 30), 4) if r.random() < .3 else 0)
            self.damping.append(round(r.uniform(.1, 2), 4) if r.random() < .3 else 0)
        count = len(self.contacts)
        self.closed = list(range(r.choice([1, min(2, count), count]))) if r.random() < .6 else []
        tilt = r.choice([0, .1])
        self.start = [round(r.uniform(0, .2) if x[0] == "z" else tilt * r.uniform(-1, 1) if x in inertia else 0, 4) for x in self.names]
        if "z2" in self.names:
            self.start[-1] = self.start[2]
        self.velocity = [round(r.choice([0, r.gauss(0, .3 if x in "ps" else 1)]), 4) for x in self.names]


if __name__ == "__main__":
    tell(Model)
