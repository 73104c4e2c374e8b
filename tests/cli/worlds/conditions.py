# SPDX-License-Identifier: Apache-2.0
"""What mechanics asks of one state of a motion: gaps, reactions, cones, friction against slip, constraints, relays, balance of forces."""
import math

from .algebra import boxed, dot, largest, plus, times
from .formula import ZERO


def told(numbers):
    return " ".join(f"{x:.6g}" for x in numbers)


def normal_of(reaction):
    return reaction["normal"] if isinstance(reaction, dict) else reaction


def rubbing(reaction, count):
    return list(reaction["tangential"]) if isinstance(reaction, dict) else [0.0] * count


class Sizes:
    """How large lengths, velocities and forces of this motion are: what errors are compared with."""

    def __init__(self, mechanics, samples):
        self.length = self.speed = self.force = 1e-3
        for s in samples:
            self.length = max(self.length, min(largest(s["q"].values()), 10.0))
            self.speed = max(self.speed, largest(s["v"].values()))
            z = mechanics.point(s["t"], s["q"], s["v"])
            push = largest(mechanics.bias(z))
            self.force = max(self.force, min(push, 1e3))
        self.length = max(self.length, 0.1)


def faults(mechanics, sample, states, sizes):
    """What is wrong at one sample."""
    w, t = mechanics.world, sample["t"]
    z = mechanics.point(t, sample["q"], sample["v"], states)
    a = [sample["a"][x] for x in w.names]
    inertia = times(mechanics.mass(z), a)
    rest = plus(inertia, mechanics.bias(z))
    forces = sample["reactions"]
    scale = sizes.force + largest(inertia) + max((largest([normal_of(f), *rubbing(f, 0)]) for f in forces.values()), default=0.0)
    wrong = []
    for c in w.constraints:
        wrong += of_constraint(mechanics, c, z, forces, sample["mode"], sizes, scale)
        for f, row in forces_of_constraint(mechanics, c, z, forces):
            rest = plus(rest, row, -f)
    for c in w.contacts:
        normal, rubs = normal_of(forces[c.name]), rubbing(forces[c.name], len(c.slips))
        rest = plus(rest, mechanics.row(c.name, c.gap, z), -normal)
        for k, (slip, f) in enumerate(zip(c.slips, rubs)):
            rest = plus(rest, mechanics.row((c.name, k), slip, z), -f)
        wrong += of_contact(mechanics, c, z, normal, rubs, sample["mode"], sizes, scale)
    rest, more = beside_relays(mechanics, z, sample, rest, sizes)
    wrong += more
    if largest(rest) > 1e-6 * scale:
        wrong.append(f"balance of forces open by {largest(rest):.2g} of {scale:.3g}")
    return [f"t = {t:.6g}: {fault}" for fault in wrong]


def sides(c, forces):
    """A rough guide beside contacts is told as two."""
    if c.name in forces:
        return [(1.0, forces[c.name])]
    return [(1.0, forces[c.name + ".lower"]), (-1.0, forces[c.name + ".upper"])]


def forces_of_constraint(mechanics, c, z, forces):
    for sign, f in sides(c, forces):
        yield sign * normal_of(f), mechanics.row(c.name, c.equation, z)
        for k, (slip, part) in enumerate(zip(c.slips, rubbing(f, len(c.slips)))):
            yield part, mechanics.row((c.name, k), slip, z)


def of_constraint(mechanics, c, z, forces, modes, sizes, scale):
    wrong = []
    off, rate = mechanics.value(c.name, c.equation, z), mechanics.rate(c.name, c.equation, z)
    if abs(off) > 1e-7 * max(sizes.length, sizes.speed) or abs(rate) > 1e-6 * sizes.speed:
        wrong.append(f"constraint {c.name} is off by {off:.2g}, its rate {rate:.2g}")
    if c.slips:
        normals = [normal_of(f) for _, f in sides(c, forces)]
        rubs = [sum(parts) for parts in zip(*(rubbing(f, len(c.slips)) for _, f in sides(c, forces)))]
        if len(normals) == 2 and min(normals) < -1e-7 * scale:
            wrong.append(f"a side of {c.name} pulls with {told(normals)}")
        slip = [mechanics.value((c.name, k), s, z) for k, s in enumerate(c.slips)]
        wrong += of_friction(c.name, c.mu, c.mu, sum(map(abs, normals)), rubs, slip, sizes, scale)
    return wrong


def of_contact(mechanics, c, z, normal, rubs, modes, sizes, scale):
    wrong = []
    gap = mechanics.value(c.name, c.gap, z)
    if gap < -1e-8 * sizes.length:
        wrong.append(f"gap of {c.name} is {gap:.2g}")
    if normal < -1e-7 * scale:
        wrong.append(f"{c.name} pulls with {normal:.3g}")
    if normal > 1e-7 * scale and gap > 1e-7 * sizes.length:
        wrong.append(f"{c.name} pushes with {normal:.3g} at a gap of {gap:.2g}")
    rate = mechanics.rate(c.name, c.gap, z)
    if normal > 1e-7 * scale and abs(rate) > 1e-6 * sizes.speed:
        wrong.append(f"{c.name} pushes with {normal:.3g} at a gap rate of {rate:.2g}")
    if c.rough():
        slip = [mechanics.value((c.name, k), s, z) for k, s in enumerate(c.slips)]
        mu = mechanics.coefficient(c, math.hypot(*slip))
        wrong += of_friction(c.name, mu, max(c.static, mu), normal, rubs, slip, sizes, scale)
        if modes.get(c.name) == "stick" and math.hypot(*slip) > 1e-6 * sizes.speed:
            wrong.append(f"{c.name} is called stick and slips with {told(slip)}")
    return wrong


def of_friction(name, mu, most, normal, rubs, slip, sizes, scale):
    wrong = []
    speed = math.hypot(*slip)
    if math.hypot(*rubs) > most * normal + 1e-6 * scale:
        wrong.append(f"friction {told(rubs)} of {name} under {normal:.6g}")
    # A slow slip in space has a direction to the tolerance of the run only.
    aside = 1e-5 * scale + (1e-8 * sizes.speed / max(speed, 1e-9) * mu * abs(normal) if len(slip) > 1 else 0.0)
    if speed > 1e-6 * sizes.speed and math.dist(rubs, [-mu * normal * x / speed for x in slip]) > aside:
        wrong.append(f"friction {told(rubs)} of {name} while it slips with {told(slip)} under {normal:.6g}")
    return wrong


def beside_relays(mechanics, z, sample, rest, sizes):
    """The balance with the forces of relays: those of their side off a surface, on it any between both, as told where a relay has a name."""
    wrong, rows, bounds = [], [], []
    for r in mechanics.world.relays:
        S = mechanics.value(r.name, r.surface, z)
        size = 1e-7 * max(sizes.speed, sizes.length, 1.0)
        row = mechanics.values(("force", r.name), lambda r=r: (r.force.get(x, ZERO) for x in mechanics.world.names), z)
        side = r.above if S > 0 else r.below
        if r.named:
            u = sample["relays"][r.name]
            if abs(S) > size and abs(u - side) > 1e-9 * (1 + abs(side)):
                wrong.append(f"relay {r.name} has the value {u:.6g} at S = {S:.3g}")
            if u > max(r.above, r.below) + 1e-7 or u < min(r.above, r.below) - 1e-7:
                wrong.append(f"relay {r.name} has the value {u:.9g}")
            rest = plus(rest, row, -u)
        elif abs(S) > size:
            rest = plus(rest, row, -side)
        else:
            rows.append(row)
            bounds.append((min(r.above, r.below), max(r.above, r.below)))
    return (boxed(rest, rows, bounds)[1] if rows else rest), wrong


def approach(mechanics, c, z):
    """Gap rate and slips of a contact."""
    return mechanics.rate(c.name, c.gap, z), [mechanics.value((c.name, k), s, z) for k, s in enumerate(c.slips)]


def work(impulse, rubs, before, after):
    """What impulses did on the motion relative to the walls, ½ Λ·(u⁻ + u⁺)."""
    return 0.5 * (impulse * (before[0] + after[0]) + dot(rubs, plus(before[1], after[1])))
