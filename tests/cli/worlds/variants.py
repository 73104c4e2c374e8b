# SPDX-License-Identifier: Apache-2.0
"""The same motion written in another way: other units, mirrored, mixed or reordered coordinates, another beginning of time, other words for
gaps and slips, another tolerance. The motions must agree, unless a motion next to the first one leaves it as fast."""
import copy
import math

from . import judge
from .conditions import Sizes
from .dice import Dice
from .formula import T, ZERO, Formula, cos, formula, sin, symbol
from .world import Mechanics


class Change:
    """q = A q̂ with A = diagonal D plus one mixing entry; t = t̂ / pace + shift; lengths times `length`, energies times `energy`."""

    def __init__(self, world, pace=1.0, length=1.0, mass=1.0, shift=0.0, mirror=(), mix=None):
        self.world, self.pace, self.length, self.shift, self.mix = world, pace, length, shift, mix
        self.energy = mass * (length / pace) ** 2
        self.size = {x: (-1.0 if x in mirror else 1.0) * (1.0 if x in world.angles else length) for x in world.names}

    def time(self, t):
        return (t - self.shift) * self.pace

    def new(self, old):
        """Numbers of coordinates in the new ones (of velocities: divide by pace)."""
        found = {x: old[x] * self.size[x] for x in old}
        if self.mix:
            i, j, c = self.mix
            found[i] = found[i] - c * found[j]
        return found

    def old(self, new):
        found = dict(new)
        if self.mix:
            i, j, c = self.mix
            found[i] = found[i] + c * found[j]
        return {x: found[x] / self.size[x] for x in new}

    def table(self):
        """Old symbols by formulas of the new ones."""
        def coordinate(x, dot):
            found = symbol(x + dot)
            if self.mix and self.mix[0] == x:
                found = found + self.mix[2] * symbol(self.mix[1] + dot)
            factor = (self.pace if dot else 1.0) / self.size[x]
            return found if factor == 1.0 else factor * found

        found = {x + dot: coordinate(x, dot) for x in self.world.names for dot in ("", "'")}
        if self.pace != 1.0 or self.shift:
            found["t"] = (T if self.pace == 1.0 else T / self.pace) + self.shift
        return found

    def forces(self, old):
        """Generalised forces belong to the new coordinates: Q̂ = Aᵀ Q."""
        found = {x: self.energy * f / self.size[x] if self.size[x] != 1.0 or self.energy != 1.0 else f for x, f in old.items()}
        if self.mix:
            i, j, c = self.mix
            if i in found:
                found[j] = found.get(j, ZERO) + c * found[i]
        return found

    def written(self, start):
        """The world in the new coordinates, from this state on."""
        w, table = copied(self.world), self.table()

        def put(f):
            return f.replaced(table)

        def scaled(f, factor):
            return put(f) if factor == 1.0 else factor * put(f)

        w.T, w.V = scaled(w.T, self.energy), scaled(w.V, self.energy)
        w.forces = self.forces({x: put(f) for x, f in w.forces.items()})
        for c in w.constraints:
            c.equation, c.slips = scaled(c.equation, self.length if c.slips else 1.0), [scaled(s, self.length / self.pace) for s in c.slips]
        for c in w.contacts:
            c.gap, c.slips = scaled(c.gap, self.length), [scaled(s, self.length / self.pace) for s in c.slips]
            if "slip" in c.mu.symbols():
                c.mu = c.mu.replaced({"slip": self.pace / self.length * symbol("slip")})
        for r in w.relays:
            r.surface, r.force = put(r.surface), self.forces({x: put(f) for x, f in r.force.items()})
        for e in w.events:
            e.when, e.sets = put(e.when), self.sets(e.sets, table)
        w.start = self.new({x: start["q"][x] for x in w.names})
        w.velocity = {x: v / self.pace for x, v in self.new({x: start["v"][x] for x in w.names}).items()}
        w.begin, w.until = self.time(w.begin), self.time(w.until)
        return w

    def sets(self, old, table):
        found = {k: f.replaced(table) for k, f in old.items() if k in self.world.states}
        for dot, pace in (("", 1.0), ("'", self.pace)):
            named = {x: old[x + dot].replaced(table) for x in self.world.names if x + dot in old}
            for x, f in named.items():
                found[x + dot] = self.size[x] / pace * f
            if self.mix and named:
                i, j, c = self.mix
                if i in named or j in named:
                    first = named[i] if i in named else table[i + dot]
                    other = named[j] if j in named else table[j + dot]
                    found[i + dot] = self.size[i] / pace * first - c * (self.size[j] / pace * other)
        return found


def copied(world):
    """Formulas are shared, lists are not."""
    w = copy.copy(world)
    for name in ("constraints", "contacts", "relays", "events"):
        setattr(w, name, [copy.copy(x) for x in getattr(world, name)])
    for name in ("forces", "states", "start", "velocity", "options", "closed", "solve", "names"):
        setattr(w, name, copy.copy(getattr(world, name)))
    return w


def reordered(world, r):
    w = copied(world)
    for name in ("names", "contacts", "constraints", "relays"):
        r.shuffle(getattr(w, name))
    return w


def rewritten(world, r):
    """Slips turned round or turned in their plane, sines as shifted cosines, surfaces in other units."""
    w = copied(world)

    def again(f):
        if f.op == "sin":
            return cos(again(f.args[0]) - formula(math.pi / 2))
        if f.op in ("number", "symbol"):
            return f
        if f.op == "der" or not f.args:
            return Formula("der", again(f.args[0]))
        return Formula(f.op, *map(again, f.args))

    for c in w.contacts:
        c.gap = again(c.gap)
        if len(c.slips) == 1:
            c.slips = [-c.slips[0]]
        elif len(c.slips) == 2:
            angle = r.number(0.3, 6)
            a, b = math.cos(angle), math.sin(angle)
            c.slips = [a * c.slips[0] + b * c.slips[1], a * c.slips[1] - b * c.slips[0]]
    for c in w.constraints:
        c.equation = 3 * again(c.equation) if not c.slips else again(c.equation)
        c.slips = [-s for s in c.slips]
    for x in w.relays:
        x.surface = 2 * again(x.surface)
    w.V = again(w.V)
    return w


def others(world, start, r):
    """Name, world, and how its samples are read."""
    free = [x for x in world.names if x not in world.solve]
    kinds = ["units", "mirrored", "reordered", "shifted", "rewritten", "tolerance"] + ["mixed"] * (len(free) > 1)
    kind = r.choice(kinds)
    change = Change(world)
    if kind == "units":
        change = Change(world, pace=1000.0, length=1000.0, mass=1000.0)
    elif kind == "mirrored":
        change = Change(world, mirror=[r.choice(world.names)])
    elif kind == "shifted":
        change = Change(world, shift=r.number(-5, 5))
    elif kind == "mixed":
        i, j = r.sample(free, 2)
        change = Change(world, mix=(i, j, r.number(-1, 1)))
    w = change.written(start)
    if kind == "reordered":
        w = reordered(w, r)
    elif kind == "rewritten":
        w = rewritten(w, r)
    elif kind == "tolerance":
        w.tolerance = r.choice([1e-8, 1e-12])
    return kind, w, change


def first_state(world, result):
    """Where the motion begins, before any event there."""
    if result["events"] and result["events"][0]["time"] == world.begin:
        e = result["events"][0]
        return {"q": e["q"], "v": e["v_minus"]} if e["q"] else None
    answer = judge.ask(world, [world.begin])
    return answer.result()["samples"][0] if answer and answer.code == 0 else None


def apart(world, first, second, change, sizes):
    """The largest distance between the samples of two runs, relative, and when."""
    far, when = 0.0, None
    for a, b in zip(first["samples"], second["samples"]):
        q = change.old(b["q"])
        v = {x: value * change.pace for x, value in change.old(b["v"]).items()}
        d = max(max(abs(a["q"][x] - q[x]) / sizes.length, abs(a["v"][x] - v[x]) / sizes.speed) for x in world.names)
        if d > far:
            far, when = d, a["t"]
        if d > 1e-3:
            break
    return far, when


def compared(world, result, seed):
    """How a variant of the world moves otherwise; nothing where it does not."""
    r = Dice(seed)
    start = first_state(world, result)
    if start is None:
        return ""
    kind, other, change = others(world, start, r)
    times = [s["t"] for s in result["samples"]]
    answer = judge.ask(other, [change.time(t) for t in times])
    if answer is None:
        return f"{kind}: hangs"
    if answer.code != 0:
        reason = judge.first_error(answer) if answer.code == 2 else answer.result()["reason"]
        found = f"{kind}: exit code {answer.code}: {reason}"
    else:
        sizes = Sizes(Mechanics(world), result["samples"])
        far, when = apart(world, result, answer.result(), change, sizes)
        if far < (1e-6 if kind != "tolerance" else 1e-5):
            return ""
        found = f"{kind}: {far:.2g} apart at t = {when:.4g}"
    # How fast do neighbours leave?
    near = Change(world).written(start)
    near.start = {x: v + 1e-9 * r.uniform(-1, 1) for x, v in near.start.items()}
    near.velocity = {x: v + 1e-9 * r.uniform(-1, 1) for x, v in near.velocity.items()}
    beside = judge.ask(near, times)
    if beside is None or beside.code != 0:
        return "" if answer.code != 0 else found + " (a neighbour stops)"
    if answer.code == 0 and apart(world, result, beside.result(), Change(world), sizes)[0] > 1e-3 * far:
        return ""
    return found
