# SPDX-License-Identifier: Apache-2.0
"""The same motion written in another way: other units, mirrored, mixed or reordered coordinates, another beginning of time, other words for
gaps and slips, another tolerance. The motions must agree, unless a motion next to the first one leaves it as fast."""
import copy
import math

from . import judge, jumps
from .conditions import Sizes
from .dice import Dice
from .formula import T, ZERO, Formula, cos, formula, sin, symbol
from .world import Mechanics


class Change:
    """q = A q̂ with A = diagonal D times a 2 × 2 block that mixes or turns a pair; t = t̂ / pace + shift; lengths times `length`, energies
    times `energy`."""

    def __init__(self, world, pace=1.0, length=1.0, mass=1.0, shift=0.0, mirror=(), pair=(), block=((1.0, 0.0), (0.0, 1.0))):
        self.world, self.pace, self.length, self.shift = world, pace, length, shift
        self.pair, self.block = pair, block
        (a, b), (c, d) = block
        det = a * d - b * c
        self.inverse = ((d / det, -b / det), (-c / det, a / det))
        self.energy = mass * (length / pace) ** 2
        self.size = {x: (-1.0 if x in mirror else 1.0) * (1.0 if x in world.angles else length) for x in world.names}

    def time(self, t):
        return (t - self.shift) * self.pace

    def paired(self, table, block):
        """A table of coordinates with the block applied to its pair."""
        found = dict(table)
        if self.pair and self.pair[0] in table:
            i, j = self.pair
            for x, (a, b) in zip(self.pair, block):
                found[x] = a * table[i] + b * table[j]
        return found

    def new(self, old):
        """Numbers of coordinates in the new ones (of velocities: divide by pace)."""
        return self.paired({x: old[x] * self.size[x] for x in old}, self.inverse)

    def old(self, new):
        found = self.paired(new, self.block)
        return {x: found[x] / self.size[x] for x in new}

    def table(self):
        """Old symbols by formulas of the new ones."""
        found = {}
        for dot, pace in (("", 1.0), ("'", self.pace)):
            mixed = self.paired({x: symbol(x + dot) for x in self.world.names}, self.block)
            found |= {x + dot: pace / self.size[x] * mixed[x] for x in self.world.names}
        if self.pace != 1.0 or self.shift:
            found["t"] = (T if self.pace == 1.0 else T / self.pace) + self.shift
        return found

    def forces(self, old):
        """Generalised forces belong to the new coordinates: Q̂ = Aᵀ Q."""
        found = {x: self.energy / self.size[x] * f for x, f in old.items()}
        if any(x in found for x in self.pair):
            (a, b), (c, d) = self.block
            found = self.paired({**dict.fromkeys(self.pair, ZERO), **found}, ((a, c), (b, d)))
        return {x: f for x, f in found.items() if f is not ZERO}

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
            named = [x for x in self.world.names if x + dot in old]
            if any(x in named for x in self.pair):
                named = [*dict.fromkeys([*named, *self.pair])]
            new = self.new({x: old[x + dot].replaced(table) if x + dot in old else table[x + dot] for x in named})
            found |= {x + dot: f if pace == 1.0 else f / pace for x, f in new.items()}
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


KINDS = ["units", "mirrored", "reordered", "shifted", "rewritten", "tolerance", "mixed", "turned"]


def others(world, start, r, kind=None):
    """Name, world, and how its samples are read."""
    free = [x for x in world.names if x not in world.solve]
    kind = kind or r.choice(KINDS if len(free) > 1 else KINDS[:-2])
    change = Change(world)
    if kind == "units":
        change = Change(world, pace=1000.0, length=1000.0, mass=1000.0)
    elif kind == "mirrored":
        change = Change(world, mirror=[r.choice(world.names)])
    elif kind == "shifted":
        change = Change(world, shift=r.number(-5, 5))
    elif kind == "mixed":
        change = Change(world, pair=r.sample(free, 2), block=((1.0, r.number(-1, 1)), (0.0, 1.0)))
    elif kind == "turned":
        angle = r.number(0.3, 6)
        c, s = math.cos(angle), math.sin(angle)
        change = Change(world, pair=r.sample(free, 2), block=((c, -s), (s, c)))
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


TOLD = {"impact": "struck", "tangential_impact": "struck", "attach": "struck", "release": "release", "stick": "stick", "slip": "slip",
        "reverse": "reverse", "enter_sliding": "slides", "exit_sliding": "slides", "user": "user", "terminal": "user"}


def told(events, change):
    """Time, kind and names of what happens. Contacts that are struck together are one event; a relay without a name is told by its text, which
    is another one; impacts that change nothing to be seen are left out."""
    for e in events:
        small = e["kind"] in jumps.IMPACTS and jumps.distance(e["v_minus"], e["v_plus"]) < 1e-9 * max(map(abs, e["v_minus"].values()))
        if not small:
            names = {e["where"], *(e.get("contacts") or ())}
            yield e["time"] / change.pace + change.shift, TOLD.get(e["kind"], e["kind"]), {"a relay" if "(" in n else n for n in names}


def events_apart(world, first, second, change):
    """An event that only one of two runs tells. How many impacts are told before the limit of an accumulation is a matter of tolerance, and
    where events come closer together than runs agree their number may be too."""
    span = world.until - world.begin
    lists = [list(told(first["events"], Change(world))), list(told(second["events"], change))]
    limits = [t for events in lists for t, kind, _ in events if kind == "accumulation"]
    for one, other in (lists, lists[::-1]):
        for t, kind, names in one:
            if kind not in TOLD.values() or t > world.until - 1e-5 * span or any(-1e-5 * span < limit - t < 0.1 * span for limit in limits):
                continue
            if not any(k == kind and n & names and abs(s - t) < 1e-5 * span for s, k, n in other):
                return f"{kind} {' '.join(sorted(names))} at t = {t:.6g} is told in one way of writing only"
    return ""


def compared(world, result, seed, kind=None):
    """How a variant of the world moves otherwise; nothing where it does not."""
    r = Dice(seed)
    start = first_state(world, result)
    if start is None:
        return ""
    kind, other, change = others(world, start, r, kind)
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
            other = events_apart(world, result, answer.result(), change)
            return other and f"{kind}: {other}"
        found = f"{kind}: {far:.2g} apart at t = {when:.4g}"
    # How fast do neighbours on two sides part? Contacts that are struck together are struck in another order on either side.
    there = [(x, r.uniform(-1, 1), r.uniform(-1, 1)) for x in world.names]
    beside = []
    for side in (1e-9, -1e-9):
        near = Change(world).written(start)
        near.start = {x: near.start[x] + side * d for x, d, _ in there}
        near.velocity = {x: near.velocity[x] + side * d for x, _, d in there}
        beside.append(judge.ask(near, times))
    if any(b is None or b.code != 0 for b in beside):
        return "" if answer.code != 0 else found + " (a neighbour stops)"
    if answer.code == 0 and apart(world, beside[0].result(), beside[1].result(), Change(world), sizes)[0] > 1e-3 * far:
        return ""
    return found
