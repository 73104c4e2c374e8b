# SPDX-License-Identifier: Apache-2.0
"""Classes of systems with contacts: abstract ones, planar and spatial bodies, rods in the paradox, piles."""
import math

from .dice import LAWS, bouncy, moving
from .formula import ZERO, absolute, cos, der, formula, hypot, sin, sqrt
from .world import World


def abstract(r):
    """Kinetic energies that depend on the position, potentials with several wells, gaps of any shape."""
    n = r.choice([1, 2, 2, 3, 3, 4])
    names = [f"q{k + 1}" for k in range(n)]
    q, v = moving(names)
    T = V = ZERO
    for i in range(n):
        part = v[i]
        for j in range(n):
            if j != i and r.chance(0.5):
                part = part + (r.number(-0.8, 0.8) * r.choice([formula(1), cos(q[i]), sin(q[j]), q[i] / (1 + q[i] ** 2)])) * v[j]
        T = T + r.number(0.2, 1.2) * part**2
        V = V + r.number(1, 12) * q[i] ** 2 + r.choice([ZERO, r.number(-3, 3) * cos(r.number(1, 3) * q[i]), r.number(0.1, 1) * q[i] ** 4])
        if r.chance(0.5):
            V = V + r.number(-6, 6) * q[i]
        if r.chance(0.3):
            V = V + r.number(-2, 2) * q[i] * q[r.randrange(n)]
    w = World("abstract", names, T, V, angles=set(names))
    for i in range(n):
        if r.chance(0.4):
            w.push(names[i], r.wave(0, 6, 1))
        if r.chance(0.3):
            w.push(names[i], -r.number(0.1, 1.5) * v[i])
    law = r.choice(LAWS)
    for k in range(r.choice([0, 1, 1, 2, 2, 3])):
        gap, slip = formula(r.number(0.05, 0.8)), ZERO
        for i in range(n):
            if r.chance(0.6) or i == k % n:
                gap = gap + r.choice([-1, 1]) * r.number(0.3, 1) * r.choice([q[i], q[i], sin(q[i]), q[i] + 0.2 * q[i] ** 2])
            if r.chance(0.6):
                slip = slip + r.number(-1, 1) * v[i]
        if n > 1 and r.chance(0.15):
            gap = r.number(0.6, 1.2) - r.choice([sqrt(q[0] ** 2 + q[1] ** 2), hypot(q[0], q[1])])
        if r.chance(0.2):
            gap = gap + r.wave(0, 0.1, 1)
        if r.chance(0.1):  # a wall with a kink
            gap = gap + r.number(-0.3, 0.3) * absolute(q[r.randrange(n)] - r.number(-0.1, 0.1))
        w.contacts.append(r.contact(f"c{k}", gap, [slip] if slip is not ZERO else [], law, 0.35, r.choice([0.5, 1.5])))
    w.start = {x: r.number(-0.3, 0.3) for x in names}
    w.velocity = {x: r.speed() for x in names}
    return w


def planar(r):
    """Bodies with corners between floor, walls and ramps, which may move; belts run."""
    two = r.chance(0.25)
    law = r.choice(LAWS)
    names = ["x", "y", "a"] + (["x2", "y2", "a2"] if two else [])
    q, v = moving(names)
    w = World("planar", names, ZERO, angles={"a", "a2"})
    for b in range(2 if two else 1):
        m = r.number(0.5, 2)
        x, y, a = q[3 * b:3 * b + 3]
        dx, dy, da = v[3 * b:3 * b + 3]
        w.T = w.T + m / 2 * (dx**2 + dy**2) + round(m * r.uniform(0.02, 0.2), 4) / 2 * da**2
        w.V = w.V + round(9.81 * m, 4) * y
        corners = [(-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2)][:r.choice([1, 2, 2, 4])]
        walls = [(r.choice([0, 0, r.number(-0.5, 0.5)]), 0.4)]
        if r.chance(0.4) and len(corners) < 4:
            walls.append((r.choice([1.5708, -1.5708, r.number(-1.4, 1.4)]), r.number(0.5, 0.9)))
        for k, (lean, off) in enumerate(walls):
            nx, ny = round(math.sin(lean), 6), round(math.cos(lean), 6)
            d, u = r.wave(off, 0.03, 0.2), r.wave(r.choice([0, 0, r.number(-1, 1)]), 1, 0.2)
            for i, (cx, cy) in enumerate(corners):
                px, py = x + cx * cos(a) - cy * sin(a), y + cx * sin(a) + cy * cos(a)
                w.contacts.append(r.contact(f"b{b}w{k}c{i}", nx * px + ny * py + d, [der(ny * px - nx * py) + u], law))
        w.start |= {names[3 * b]: b * 3.0, names[3 * b + 1]: r.number(0, 0.4), names[3 * b + 2]: r.choice([0.0, r.number(-1, 1)])}
        if r.chance(0.4):
            w.push(names[3 * b], r.wave(0, 6, 1))
        if r.chance(0.3):
            w.V = w.V + r.number(1, 30) * (x - 3.0 * b) ** 2 / 2
        if r.chance(0.3):
            w.push(names[3 * b + 2], r.wave(0, 1.5, 0.7))
    w.velocity = {x: r.speed() for x in names}
    if r.chance(0.4):
        w.closed, w.solve = [c.name for c in w.contacts[:r.choice([1, 2])] if "w0" in c.name], names[:3]
    if r.chance(0.15):
        bouncy(r, w)
    if r.chance(0.2):
        w.options["impacts"] = "simultaneous"
    return w


def turned(e, n, s, point):
    """A point of a body turned by Euler's angles: about z by e, about x by n, about z by s."""
    a, b, c = point
    x1, y1 = a * cos(s) - b * sin(s), a * sin(s) + b * cos(s)
    y2, z2 = y1 * cos(n) - c * sin(n), y1 * sin(n) + c * cos(n)
    return x1 * cos(e) - y2 * sin(e), x1 * sin(e) + y2 * cos(e), z2


def spatial(r):
    """Bodies in space, with Euler's angles, on one to four feet on a floor, beside a wall; or blocks that do not turn."""
    law = r.choice(LAWS)
    if r.chance(0.4):
        names = ["x", "y", "z"]
        q, v = moving(names)
        m = r.number(0.5, 2)
        w = World("spatial", names, m / 2 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2), round(9.81 * m, 4) * q[2])
        directions = [(0.0, 0.0)] + [(r.number(0, 6), r.number(0.6, 1.6)) for _ in range(r.choice([0, 1, 1, 2]))]
        for k, (angle, tilt) in enumerate(directions):
            c, s, ct, st = (round(f(x), 6) for x in (angle, tilt) for f in (math.cos, math.sin))
            normal, along, up = (c * st, s * st, ct), (-s, c, 0.0), (-c * ct, -s * ct, st)
            places = [sum((f * x for f, x in zip(d, q)), ZERO) for d in (normal, along, up)]
            belt = [r.wave(r.choice([0, 0, r.number(-1, 1)]), 1, 0.2) for _ in range(2)]
            w.contacts.append(r.contact(f"c{k}", places[0] + r.wave(r.number(0.02, 0.3) if k else 0.0, 0.04, 0.2),
                                        [der(p) + u for p, u in zip(places[1:], belt)], law, 0.8))
        w.start = {"x": 0.0, "y": 0.0, "z": r.choice([0.0, r.number(0, 0.3)])}
    else:
        names = ["x", "y", "z", "e", "n", "s"]
        q, v = moving(names)
        x, y, z, e, n, s = q
        m, A, C = r.number(0.5, 2), r.number(0.02, 0.2), r.number(0.03, 0.2)
        p = v[3] * sin(n) * sin(s) + v[4] * cos(s)
        o = v[3] * sin(n) * cos(s) - v[4] * sin(s)
        T = m / 2 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) + A / 2 * p**2 + r.number(0.02, 0.2) / 2 * o**2 + C / 2 * (v[3] * cos(n) + v[5]) ** 2
        w = World("spatial", names, T, round(9.81 * m, 4) * z, angles={"e", "n", "s"})
        feet = r.choice([1, 1, 2, 3, 4])
        # Turned by a right angle, so that the angles stay away from their own singular position.
        for k in range(feet):
            angle = r.number(0, 0.3) + 2 * math.pi * k / feet
            point = (round(0.3 * math.cos(angle), 4), r.choice([-0.2, 0.2]) if feet == 1 else -0.2, round(0.3 * math.sin(angle), 4))
            px, py, pz = turned(e, n, s, point)
            w.contacts.append(r.contact(f"c{k}", z + pz + 0.3, [der(x + px), der(y + py)], law, 0.7))
        w.start = {"x": 0.0, "y": 0.0, "z": r.number(0.2, 0.5), "e": 0.0, "n": round(math.pi / 2 + r.number(-0.2, 0.2), 4), "s": r.choice([0.0, r.number(-0.2, 0.2)])}
        w.until = 1.0
    w.velocity = {x: r.speed(0.7) for x in names}
    if r.chance(0.4):
        w.push("x", r.wave(0, 6, 0.8))
    if r.chance(0.3):
        w.push("y", r.wave(0, 6, 0.8))
    if r.chance(0.4):
        w.closed, w.solve = ["c0"], names[:3]
    return w


def painleve(r):
    """A rod or a plate that slides on one corner under friction large enough for the paradox."""
    names = ["x", "y", "a"]
    q, v = moving(names)
    m, half = r.number(0.5, 2), r.number(0.3, 1)
    w = World("painleve", names, m / 2 * (v[0] ** 2 + v[1] ** 2) + round(m * half**2 * r.uniform(0.1, 0.4), 5) / 2 * v[2] ** 2, round(9.81 * m, 4) * q[1], angles={"a"})
    px, py = q[0] - half * cos(q[2]), q[1] - half * sin(q[2])
    law = r.choice(["energetic", "energetic", "poisson", "moreau"])
    mu = r.number(0.3, 2)
    c = r.contact("tip", py, [der(px)], law, 1)
    c.mu, c.static, c.slips = formula(mu), 0.0, [der(px)]
    w.contacts.append(c)
    if r.chance(0.3):
        w.contacts.append(r.contact("other", q[1] + half * sin(q[2]), [der(q[0] + half * cos(q[2]))], law, 0.7))
    if r.chance(0.3):
        w.push("x", r.wave(0, 8, 0.7))
    angle = r.number(0.2, 2.9)
    w.start = {"x": 0.0, "y": round(half * math.sin(angle), 6) + 1e-6, "a": angle}
    w.velocity = {"x": r.speed(2, 0.1), "y": 0.0, "a": r.speed(2, 0.2)}
    if r.chance(0.7):
        w.closed, w.solve = ["tip"], ["y"]
    w.until = 1.0
    return w


def piles(r):
    """Stacked balls, blocks on blocks, blocks on two feet on a truck."""
    kind = r.choice(["balls", "blocks", "truck"])
    law = r.choice(LAWS)
    if kind == "balls":
        n = r.choice([2, 2, 3, 4])
        names = [f"y{k + 1}" for k in range(n)]
        q, v = moving(names)
        w = World("piles", names, ZERO)
        height = 0.0
        for k in range(n):
            m = r.number(0.3, 2)
            w.T, w.V = w.T + m / 2 * v[k] ** 2, w.V + round(9.81 * m, 4) * q[k]
            w.contacts.append(r.contact(f"c{k}", q[k] - (q[k - 1] if k else r.wave(0, 0.05, 0.4)), [], law))
            height += r.choice([0.0, r.number(0, 0.3)])
            w.start[names[k]] = round(height, 4)
        w.velocity = {x: r.speed(1, 0.5) for x in names}
    elif kind == "blocks":
        n = r.choice([2, 2, 3])
        names = [f"{c}{k + 1}" for k in range(n) for c in "xy"]
        q, v = moving(names)
        w = World("piles", names, ZERO)
        for k in range(n):
            m = r.number(0.3, 2)
            w.T, w.V = w.T + m / 2 * (v[2 * k] ** 2 + v[2 * k + 1] ** 2), w.V + round(9.81 * m, 4) * q[2 * k + 1]
            if k == 0:
                gap, slip = q[1] - r.wave(0, 0.04, 0.3), v[0] + r.wave(r.choice([0, r.number(-1, 1)]), 1, 0.3)
            else:
                gap, slip = q[2 * k + 1] - q[2 * k - 1], v[2 * k] - v[2 * k - 2]
            w.contacts.append(r.contact(f"c{k}", gap, [slip], law, 0.85))
            if r.chance(0.5):
                w.push(names[2 * k], r.wave(r.number(-4, 4), 8, 0.7))
        w.start = dict.fromkeys(names, 0.0)
        w.velocity = {x: r.speed(1, 0.5) if x[0] == "x" else 0.0 for x in names}
        if r.chance(0.3):
            w.start |= {x: round(0.1 * int(x[1]), 4) for x in names if x[0] == "y"}
    else:
        names = ["X", "x", "y", "a"]
        q, v = moving(names)
        m, M = r.number(0.5, 2), r.number(1, 5)
        w = World("piles", names, M / 2 * v[0] ** 2 + m / 2 * (v[1] ** 2 + v[2] ** 2) + r.number(0.02, 0.1) / 2 * v[3] ** 2,
                  round(9.81 * m, 4) * q[2], angles={"a"})
        lean = r.choice([0.0, r.number(-0.3, 0.3)])
        c, s = round(math.cos(lean), 6), round(math.sin(lean), 6)
        for name, cx in (("l", -0.3), ("r", 0.3)):
            px, py = q[1] - q[0] + cx * cos(q[3]) + 0.2 * sin(q[3]), q[2] + cx * sin(q[3]) - 0.2 * cos(q[3]) + 0.2
            w.contacts.append(r.contact(name, c * py - s * px, [der(c * px + s * py)], law, 0.9))
        w.push("X", r.wave(r.number(-8, 8), 20, 0.7) - r.choice([0, r.number(1, 60)]) * q[0])
        w.start = {"X": 0.0, "x": 0.0, "y": r.choice([0.0, 0.0, r.number(0, 0.2)]), "a": lean if r.chance(0.8) else r.number(-0.2, 0.2)}
        if w.start["y"] == 0.0:
            w.closed, w.solve = ["l", "r"], ["y", "a"]
        w.velocity = {"X": r.speed(1, 0.5), "x": r.speed(1, 0.5), "y": 0.0, "a": 0.0}
    return w


CLASSES = {"abstract": abstract, "planar": planar, "spatial": spatial, "painleve": painleve, "piles": piles}
