# SPDX-License-Identifier: Apache-2.0
"""Random numbers of four digits, waves, friction and restitution: what all classes of systems are made of."""
import random

from .formula import T, ZERO, absolute, formula, sin, symbol
from .world import Contact

LAWS = ["energetic", "energetic", "moreau", "moreau", "poisson", "newton", "any"]


class Dice(random.Random):
    def number(self, low, high):
        return round(self.uniform(low, high), 4) + 0.0

    def chance(self, part):
        return self.random() < part

    def speed(self, size=1.0, rest=0.3):
        return 0.0 if self.chance(rest) else round(self.gauss(0, size), 4)

    def wave(self, middle, swing, chance=0.5):
        """middle + a sin(w t + p), or the constant."""
        if not self.chance(chance):
            return formula(round(middle, 4))
        return formula(round(middle, 4)) + self.number(0.2 * swing, swing) * sin(self.number(0.5, 9) * T + self.number(0, 6))

    def friction(self, often=0.6, most=0.8):
        """(coefficient, static coefficient)."""
        if not self.chance(often):
            return ZERO, 0.0
        mu, kind = self.number(0.05, most), self.random()
        if kind < 0.1:
            return formula(mu), round(mu * self.uniform(1.1, 1.6), 4)
        if kind < 0.2:
            return mu + round(mu * self.uniform(0.05, 0.4), 4) / (1 + absolute(symbol("slip")) / self.number(0.1, 1)), 0.0
        return formula(mu), 0.0

    def contact(self, name, gap, slips, law, often=0.6, most=0.8):
        mu, static = self.friction(often, most)
        if law == "any":  # laws of one contact each, side by side
            law = self.choice(["energetic", "poisson", "newton"])
        e = self.choice([0.0, 0.0, self.number(0.1, 0.9)])
        return Contact(name, formula(gap), list(slips) if mu is not ZERO else [], mu, static, e, law)


def bouncy(r, w):
    """All contacts with one restitution and without friction, watched for longer: chatter of several contacts together."""
    e = r.number(0.3, 0.95)
    for c in w.contacts:
        c.e, c.mu, c.static, c.slips = e, ZERO, 0.0, []
    w.until = 5.0


def moving(names):
    """Symbols of coordinates and of their velocities."""
    return [symbol(x) for x in names], [symbol(x + "'") for x in names]
