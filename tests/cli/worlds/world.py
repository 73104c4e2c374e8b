# SPDX-License-Identifier: Apache-2.0
"""A mechanical system as data: energies, forces, constraints, contacts, relays, events; its model file, and its numbers at a state."""
import json
from dataclasses import dataclass, field

from .formula import ZERO, Formula, der, formula, programmed, symbol


@dataclass
class Constraint:
    """f = 0, holonomic or of velocities; with slips it rubs."""

    name: str
    equation: Formula
    slips: list = field(default_factory=list)
    mu: float = 0.0


@dataclass
class Contact:
    """gap ≥ 0; friction is a number, a pair (static, dynamic), or a formula of the symbol slip."""

    name: str
    gap: Formula
    slips: list = field(default_factory=list)
    mu: Formula = ZERO
    static: float = 0.0
    e: float = 0.0
    law: str = "energetic"

    def rough(self):
        return bool(self.slips) and self.mu is not ZERO


@dataclass
class Relay:
    """u = above where surface > 0, below where it is < 0, between them on it; forces u·force. Without a name it is written with sign()."""

    name: str
    surface: Formula
    force: dict
    named: bool = True
    above: float = 1.0
    below: float = -1.0
    branch: str = ""


@dataclass
class Event:
    """When a formula passes zero, coordinates, velocities (`x'`) and discrete states take new values."""

    name: str
    when: Formula
    sets: dict = field(default_factory=dict)
    direction: str = "both"


@dataclass
class World:
    kind: str
    names: list
    T: Formula
    V: Formula = ZERO
    forces: dict = field(default_factory=dict)
    constraints: list = field(default_factory=list)
    contacts: list = field(default_factory=list)
    relays: list = field(default_factory=list)
    events: list = field(default_factory=list)
    states: dict = field(default_factory=dict)
    start: dict = field(default_factory=dict)
    velocity: dict = field(default_factory=dict)
    closed: list = field(default_factory=list)
    solve: list = field(default_factory=list)
    angles: set = field(default_factory=set)  # coordinates without the dimension of a length
    begin: float = 0.0
    until: float = 2.0
    tolerance: float = 1e-10
    options: dict = field(default_factory=dict)
    tip: tuple = None  # a point (x, y) that may strike a floor
    project: bool = True

    def push(self, name, force):
        self.forces[name] = self.forces.get(name, ZERO) + formula(force)

    def contact(self, name):
        return next(c for c in self.contacts if c.name == name)

    def text(self):
        lines = ["format = 1", f"coordinates = {json.dumps(self.names)}"]
        if self.states:
            lines += ["[state]", *(f"{k} = {v!r}" for k, v in self.states.items())]
        lines += ["[energy]", f"T = {quoted(self.T)}", *([f"V = {quoted(self.V)}"] if self.V is not ZERO else [])]
        forces = dict(self.forces)
        for r in self.relays:
            if r.named:
                continue
            word = f"sign({r.surface.text()})" if (r.above, r.below) == (1.0, -1.0) else f"if({r.surface.text()} > 0, {r.above!r}, {r.below!r})"
            for x, f in r.force.items():
                forces[x] = forces.get(x, ZERO) + f * symbol(word)
        if forces:
            lines += ["[force.f]", *(f"{x} = {quoted(f)}" for x, f in forces.items())]
        for c in self.constraints:
            lines += [f"[constraint.{c.name}]", f'equation = "{c.equation.text()} = 0"']
            if c.slips:
                lines += [f"slip = {slips_text(c.slips)}", f"friction = {c.mu!r}"]
        for c in self.contacts:
            lines += [f"[contact.{c.name}]", f"gap = {quoted(c.gap)}"]
            if c.rough():
                number = repr(c.mu.args[0]) if c.mu.op == "number" else quoted(c.mu)
                lines += [f"slip = {slips_text(c.slips)}",
                          f"friction = {{ static = {c.static!r}, dynamic = {number} }}" if c.static else f"friction = {number}"]
            lines += [f'restitution = {{ value = {c.e!r}, law = "{c.law}" }}']
        for r in self.relays:
            if r.named:
                lines += [f"[relay.{r.name}]", f"surface = {quoted(r.surface)}", *(f'force.{x} = "({f.text()})*u"' for x, f in r.force.items())]
                lines += [f"values = {{ above = {r.above!r}, below = {r.below!r} }}"] * ((r.above, r.below) != (1.0, -1.0))
                lines += [f'branch = "{r.branch}"'] * bool(r.branch)
        for e in self.events:
            lines += [f"[event.{e.name}]", f"when = {quoted(e.when)}", f'direction = "{e.direction}"']
            for x, value in e.sets.items():
                key = f"velocity.{x[:-1]}" if x.endswith("'") else f"state.{x}" if x in self.states else x
                lines += [f"set.{key} = {quoted(value)}"]
        lines += ["[start]"] + [f"{x} = {v!r}" for x, v in self.start.items()] + ['inconsistent = "project"'] * self.project
        lines += [f"closed = {json.dumps(self.closed)}"] * bool(self.closed) + [f"solve = {json.dumps(self.solve)}"] * bool(self.solve)
        lines += [f"time = {self.begin!r}"] * bool(self.begin)
        lines += ["[start.velocity]"] + [f"{x} = {v!r}" for x, v in self.velocity.items()]
        lines += ["[run]", f"until = {self.until!r}", f"tolerance = {self.tolerance!r}"]
        lines += [f'{k} = "{v}"' for k, v in self.options.items()]
        return "\n".join(lines) + "\n"


def quoted(f):
    return f'"{f.text()}"'


def slips_text(slips):
    return json.dumps([s.text() for s in slips] if len(slips) > 1 else slips[0].text())


class Mechanics:
    """The numbers of a world at (t, q, v): M v̇ + bias = Σ rows·forces, gaps, slips, surfaces."""

    def __init__(self, world):
        self.world = world
        names = world.names
        self.rates = [x + "'" for x in names]
        self.symbols = ["t", *names, *self.rates, *world.states]
        self.programs = {}
        self.friction = {c.name: programmed([c.mu], ["slip"]) for c in world.contacts if c.rough()}

    def values(self, key, formulas, z):
        if key not in self.programs:
            self.programs[key] = programmed(list(formulas()), self.symbols)
        return self.programs[key](z)

    def mass(self, z):
        n = len(self.rates)
        flat = self.values("mass", lambda: (self.world.T.slope(a).slope(b) for a in self.rates for b in self.rates), z)
        return [flat[i * n:(i + 1) * n] for i in range(n)]

    def bias(self, z):
        """Everything of Lagrange's equations but M v̇ and the forces of constraints, contacts and relays, on the left."""
        def make():
            w = self.world
            for x, rate in zip(w.names, self.rates):
                momentum = w.T.slope(rate)
                total = momentum.slope("t") - w.T.slope(x) + w.V.slope(x) - w.forces.get(x, ZERO)
                for y, other in zip(w.names, self.rates):
                    total = total + momentum.slope(y) * symbol(other)
                yield total
        return self.values("bias", make, z)

    def energy(self, z):
        return self.values("energy", lambda: [self.world.T, self.world.V], z)

    def row(self, key, f, z):
        """The row of a velocity: its gradient by velocities, of a place that by coordinates."""
        by = self.rates if any(s.endswith("'") for s in symbols_of(f)) else self.world.names
        return self.values(("row", key), lambda: (f.slope(s) for s in by), z)

    def value(self, key, f, z):
        return self.values(("value", key), lambda: [f], z)[0]

    def rate(self, key, f, z):
        """How fast a place changes; a velocity is given as it is."""
        moving = any(s.endswith("'") for s in symbols_of(f))
        return self.values(("rate", key), lambda: [f if moving else der(f)], z)[0]

    def coefficient(self, contact, speed):
        return self.friction[contact.name]([speed])[0]

    def point(self, t, q, v, states=None):
        w = self.world
        return [t, *(q[x] for x in w.names), *(v[x] for x in w.names), *((states or w.states)[s] for s in w.states)]


def symbols_of(f):
    """With what der() brings."""
    found = set()

    def visit(node):
        if node.op == "symbol":
            found.add(node.args[0])
        elif node.op == "der":
            found.update(s + "'" for s in node.symbols() if s != "t")
            visit(node.args[0])
        elif node.op != "number":
            for a in node.args:
                visit(a)

    visit(f)
    return found
