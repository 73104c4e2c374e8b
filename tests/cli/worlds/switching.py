# SPDX-License-Identifier: Apache-2.0
"""Classes of systems whose laws switch: relays, user events, functions with kinks; and mixtures of all classes."""
from . import bodies, linkages
from .dice import LAWS, moving
from .formula import T as time
from .formula import ZERO, absolute, cos, formula, hypot, larger, sin, smaller, sqrt, symbol, where
from .world import Constraint, Event, Relay, World


def oscillators(r, kind):
    """One to three masses with springs, coupled, driven and damped."""
    n = r.choice([1, 1, 2, 3])
    names = ["x", "y", "z"][:n]
    q, v = moving(names)
    w = World(kind, names, sum((r.number(0.3, 1.5) * d**2 for d in v), ZERO), sum((r.number(1, 12) * s**2 for s in q), ZERO))
    for i in range(n):
        if i and r.chance(0.6):
            w.V = w.V + r.number(1, 6) * (q[i] - q[i - 1]) ** 2
        if r.chance(0.5):
            w.push(names[i], r.wave(r.number(-2, 2), 6, 0.8))
        if r.chance(0.3):
            w.push(names[i], -r.number(0.1, 0.6) * v[i])
    w.start = {x: r.number(-0.6, 0.6) for x in names}
    w.velocity = {x: r.speed() for x in names}
    return w


def add_relay(r, w, name):
    """A brake on a velocity or on a relative one, a switched force, a sliding mode."""
    q, v = moving(w.names)
    n = len(w.names)
    i, kind = r.randrange(n), r.random()
    drift = r.choice([ZERO, ZERO, formula(r.number(-0.5, 0.5)), r.wave(0, 0.6, 1)])
    strength = r.number(0.3, 6) * (0.2 if w.names[i] in w.angles else 1.0)
    if kind < 0.5 or n == 1:
        surface, force = v[i] + drift, {w.names[i]: formula(-round(strength, 4))}
    elif kind < 0.7:
        j = r.choice([k for k in range(n) if k != i])
        surface, force = v[i] - v[j] + drift, {w.names[i]: formula(-round(strength, 4)), w.names[j]: formula(round(strength, 4))}
    elif kind < 0.9:
        surface, force = v[i] + r.number(0.5, 4) * q[i] + drift, {w.names[i]: formula(-round(strength, 4))}
    else:
        surface, force = q[i] + r.number(-0.3, 0.3), {w.names[i]: formula(-round(strength, 4))}
    relay = Relay(name, surface, force, named=r.chance(0.6))
    if r.chance(0.2):
        relay.above, relay.below = r.number(0.5, 1.5), -r.number(0.2, 1.2)
    if all(relay.surface is not other.surface for other in w.relays):
        w.relays.append(relay)


def relays(r):
    w = oscillators(r, "relays")
    for k in range(r.choice([1, 1, 2, 3])):
        add_relay(r, w, f"r{k}")
    if r.chance(0.15) and all(x.named for x in w.relays):
        w.options["relay"] = r.choice(["utkin", "lagrange"])
    return w


def add_event(r, w, name):
    """Kicks, counters, bounces by hand, clocks, gains that a discrete state switches."""
    q, v = moving(w.names)
    i = r.randrange(len(w.names))
    x = w.names[i]
    kind = r.choice(["kick", "kick", "count", "flip", "clock", "circle", "turn"])
    if kind == "kick":
        w.events.append(Event(name, q[i] - r.number(-0.3, 0.3), {x + "'": r.choice([v[i] + r.number(-0.3, 0.3), r.number(0.5, 1.3) * v[i]])}, r.choice(["up", "down", "both"])))
    elif kind == "clock":
        w.events.append(Event(name, sin(r.number(2, 9) * time + r.number(0.2, 3)), {x + "'": v[i] + r.number(-0.3, 0.3)}, r.choice(["up", "down", "both"])))
    elif kind == "flip":
        state = f"s_{name}"
        w.states[state] = 1.0
        w.push(x, r.number(0.2, 2) * symbol(state))
        w.events.append(Event(name, v[i] + r.number(-0.3, 0.3), {state: -symbol(state)}, r.choice(["up", "down", "both"])))
    elif kind == "circle" and len(w.names) > 1:
        j = (i + 1) % len(w.names)
        radius = r.choice([sqrt(q[i] ** 2 + q[j] ** 2), hypot(q[i], q[j]), sqrt(q[i] ** 2)])
        state = f"s_{name}"
        w.states[state] = 0.0
        w.events.append(Event(name, radius - r.number(0.1, 0.6), {state: symbol(state) + 1}, r.choice(["up", "down", "both"])))
    elif kind == "turn":
        w.events.append(Event(name, v[i], {x + "'": formula(r.number(-1, 1))}, r.choice(["up", "down"])))
    else:
        state = f"s_{name}"
        w.states[state] = 0.0
        w.events.append(Event(name, q[i] + r.number(0, 1) * v[i] - r.number(-0.3, 0.3), {state: symbol(state) + 1}, r.choice(["up", "down", "both"])))


def events(r):
    w = oscillators(r, "events")
    for k in range(r.choice([1, 1, 2, 3])):
        add_event(r, w, f"k{k}")
    return w


def add_switch(r, w):
    """Forces and potentials with kinks: play, one-sided springs, saturation, Hertz, a branch point."""
    q, v = moving(w.names)
    i = r.randrange(len(w.names))
    x, s = w.names[i], q[i]
    size = 0.3 if x in w.angles else 1.0
    k, c = round(size * r.number(2, 60), 4), r.number(-0.3, 0.3)
    kind = r.choice(["one-sided", "abs", "play", "saturation", "piecewise", "hertz", "well", "radius", "bilinear"])
    if kind == "one-sided":
        w.push(x, k * larger(c - s, 0))
    elif kind == "abs":
        w.V = w.V + round(k / 10, 4) * absolute(s - c) ** r.choice([2, 3])
    elif kind == "play":
        w.push(x, -k * (larger(s - 0.2, 0) + smaller(s + 0.2, 0)))
    elif kind == "saturation":
        w.push(x, -smaller(larger(k * s, -2.0 * size), 2.0 * size))
    elif kind == "piecewise":
        w.push(x, where(s - c, -k * (s - c), -0.3 * k * (s - c)))
    elif kind == "hertz":
        w.push(x, k * larger(c - s, 0) ** r.choice([1.5, 1.5, 2.5]))
    elif kind == "bilinear":
        w.push(x, -0.3 * absolute(v[i]) * v[i])
    elif kind == "well":
        w.V = w.V + where(s - c, k * (s - c) ** 2, 0.2 * k * (s - c) ** 2)
    elif len(q) > 1:
        o = q[(i + 1) % len(q)]
        w.V = w.V + round(k / 4, 4) * (r.choice([sqrt(s**2 + o**2), hypot(s, o)]) - 0.3) ** 2
    else:
        w.V = w.V + round(k / 4, 4) * (sqrt(s**2) - 0.3) ** 2


def switches(r):
    w = oscillators(r, "switches")
    for _ in range(r.choice([1, 1, 2])):
        add_switch(r, w)
    return w


def mixtures(r):
    """A system of another class beside relays, constraints, switches, events, contacts."""
    maker = r.choice([*bodies.CLASSES.values(), *linkages.CLASSES.values(), relays, switches])
    w = maker(r)
    w.kind = "mixtures"
    if len(w.contacts) > 4:
        w.contacts = w.contacts[:4]
        w.closed = [c for c in w.closed if c in {x.name for x in w.contacts}]
    added = r.sample(["relay", "switch", "event", "constraint", "contact"], r.choice([1, 2, 2, 3]))
    q, v = moving(w.names)
    if any(c.name == "appell" for c in w.constraints):  # where all velocities vanish it constrains nothing
        added = [x for x in added if x not in ("relay", "contact")]
    if "relay" in added:
        for k in range(r.choice([1, 1, 2])):
            add_relay(r, w, f"rel{k}")
        if r.chance(0.2) and all(x.named for x in w.relays):
            w.options["relay"] = "utkin"
    if "switch" in added:
        add_switch(r, w)
    if "event" in added and not w.constraints:
        add_event(r, w, "ev")
    if "contact" in added:
        i, side = r.randrange(len(w.names)), r.choice([-1, 1])
        slips = [v[(i + 1) % len(w.names)]] if len(w.names) > 1 and not w.names[i] in w.angles and not w.names[(i + 1) % len(w.names)] in w.angles else []
        law = w.contacts[0].law if w.contacts else r.choice(LAWS)
        w.contacts.append(r.contact("more", side * (q[i] - w.start.get(w.names[i], 0.0)) + r.number(0.1, 0.6), slips, law, 0.5))
    if "constraint" in added and not w.constraints and len(w.names) > 1 and not w.closed:
        i, j = r.sample(range(len(w.names)), 2)
        a, b = w.names[i], w.names[j]
        rough = r.chance(0.3) and a not in w.angles and b not in w.angles
        tie = r.number(-1, 1)
        place = q[i] - w.start.get(a, 0.0) - tie * (q[j] - w.start.get(b, 0.0))
        if r.chance(0.3):
            place = place - 0.1 * (sin(2 * time) if r.chance(0.5) else 1 - cos(q[j] - w.start.get(b, 0.0)))
        w.constraints.append(Constraint("tie", place, [tie * v[i] + v[j]] if rough else [], r.number(0.05, 0.4) if rough else 0.0))
        w.solve = [a]
        w.velocity[a] = round(tie * w.velocity.get(b, 0.0), 6)
    return w


CLASSES = {"relays": relays, "events": events, "switches": switches, "mixtures": mixtures}
