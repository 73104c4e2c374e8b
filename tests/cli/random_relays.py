# SPDX-License-Identifier: Apache-2.0
"""Random planar models with relays and sign() beside contacts, and a judge that knows mechanics but not the program.

    LIAISON=build/ci/liaison python3 tests/cli/random_relays.py 0 1000

judges the models of these seeds and tells those that are suspicious; with `show` as a third word it prints the models, with `step` it
compares simple ones with time stepping of its own. The judge computes every condition from the numbers of the model: those of contact
and friction (random_contacts.py), values of relays, which are those of their sides off their surfaces and between them on these, and
the balance of forces with them; what the program says of its own decisions is read too.
"""
import json
import math
import random
import sys

import pytest
from conftest import run_program
from random_contacts import SAMPLES, UNTIL, Model, Wave


class Relay:
    """u = sign S, S = a·v + b·q + d(t), with the force u f: along −a (a brake), or anywhere."""

    def __init__(self, r, names, contacts):
        self.named = r.random() < .6
        self.stays = r.random() < .6
        n = len(names)
        self.rate, self.place = [0.0] * n, [0.0] * n
        kind = r.random()
        flat = [c for c in contacts if c.gap.point is None]
        i = r.randrange(n)
        if kind < .35 or n == 1:
            self.rate[i] = 1.0
        elif kind < .5:
            j = r.choice([k for k in range(n) if k != i])
            self.rate[i], self.rate[j] = 1.0, r.choice([1.0, -1.0, round(r.uniform(-2, 2), 4)])
        elif kind < .62 and flat:
            self.rate = list(r.choice(flat).gap.numbers)  # a gap rate
        elif kind < .74 and flat:
            self.rate = list(r.choice(flat).slips[0].numbers)
        elif kind < .87:
            self.rate[i] = 1.0
            self.place[r.randrange(n)] = round(r.uniform(-4, 4), 4)
        else:
            self.place[i] = 1.0
        self.drift = Wave()
        if any(self.place) and not any(self.rate):
            self.drift = Wave(r.uniform(-.3, .3), r.choice([0, r.uniform(0, .2)]), r.uniform(.5, 9), r.uniform(0, 6))
        elif r.random() < .3:
            self.drift = Wave(r.choice([0, r.uniform(-.5, .5)]), r.choice([0, r.uniform(0, 1)]), r.uniform(.5, 9), r.uniform(0, 6))
        strength = r.uniform(.3, 12)
        self.brake = any(self.rate) and r.random() < .7
        direction = self.rate if self.brake else [r.choice([0, r.uniform(-1, 1)]) for _ in names]
        weight = [.2 if x == "th" else 1.0 for x in names]
        self.force = [round(-strength * w * d, 4) + 0.0 for w, d in zip(weight, direction)]
        if not any(self.force):
            self.force[i] = -1.0
        if self.brake and "th" in names and sum(1 for a in self.rate if a) > 1:
            self.force = [round(-strength * d, 4) + 0.0 for d in direction]

    def surface_text(self, names):
        parts = [f"({a!r})*{x}'" for x, a in zip(names, self.rate) if a]
        parts += [f"({b!r})*{x}" for x, b in zip(names, self.place) if b]
        return " + ".join(parts + ([self.drift.text()] if self.drift.c or self.drift.a else []))

    def text(self, k, names):
        S = self.surface_text(names)
        if self.named:
            branch = ['branch = "stay"'] if self.stays else []
            return [f"[relay.r{k}]", f'surface = "{S}"', *branch] + [f'force.{x} = "({f!r})*u"' for x, f in zip(names, self.force) if f]
        return [f"[force.r{k}]"] + [f'{x} = "({f!r})*sign({S})"' for x, f in zip(names, self.force) if f]

    def at(self, t, q, v):
        return sum(a * x for a, x in zip(self.rate, v)) + sum(b * x for b, x in zip(self.place, q)) + self.drift.at(t)


class RelayModel(Model):
    def __init__(self, seed):
        super().__init__(seed)
        r = random.Random(seed + 1000003)
        if r.random() < .35:
            for c in self.contacts:  # smooth ones alone
                c.mu = c.static = c.bend = 0.0
        while len(self.contacts) > 4:
            self.contacts.pop()
        self.closed = [k for k in self.closed if k < len(self.contacts)]
        self.relays = []
        for _ in range(r.choice([1, 1, 2, 2, 3])):
            relay = Relay(r, self.names, self.contacts)
            if all(relay.surface_text(self.names) != other.surface_text(self.names) for other in self.relays):
                self.relays.append(relay)
        if r.random() < .3:
            self.velocity = [0.0] * len(self.names)
        for relay in self.relays:  # some start on their surfaces
            if r.random() < .3 and not any(self.velocity) and not any(relay.place):
                relay.drift.c = relay.drift.a = 0.0

    def text(self):
        head, tail = super().text().split("[start]\n")
        lines = [line for k, relay in enumerate(self.relays) for line in relay.text(k, self.names)]
        return head + "\n".join(lines) + "\n[start]\n" + tail

    def values(self, sample):
        """The value of each relay as the program tells it. One of sign() goes by its surface, as the program writes it."""
        told = sample["relays"]
        surfaces = {name: lambda p, name=name: self.evaluate(name, p) for name in told if name.startswith("sign(")}
        surfaces |= {f"r{k}": lambda p, relay=relay: relay.at(*p) for k, relay in enumerate(self.relays) if relay.named}
        values = []
        for k, relay in enumerate(self.relays):
            for name in [f"r{k}"] if relay.named else surfaces:  # relays of one surface are one
                parts = [surfaces[name](p) / relay.at(*p) for p in self.points]
                if max(parts) - min(parts) < 1e-5 * max(map(abs, parts)):
                    values.append(math.copysign(1, parts[0]) * told[name])
                    break
        return values

    points = [(.37, [.61753, -.23719, .47131, .89373], [-.71917, .57391, 1.13713, -.31397]), (1.3, [-.41771, .83917, .19337, .37511], [.93719, .27317, -.59713, 1.7131]),
              (.11, [.77317, .59173, -.91731, -.13917], [.21379, -.67193, .43171, .53917])]

    def evaluate(self, name, point):
        """S of "sign(S)"."""
        t, q, v = point
        text = name[len("sign("):-1].replace("^", "**")
        for i, x in sorted(enumerate(self.names), key=lambda pair: -len(pair[1])):
            text = text.replace(x + "'", f"v[{i}]")
        return eval(text, {"sin": math.sin, "t": t, "v": v} | dict(zip(self.names, q)))

    def faults(self, sample):
        t = sample["t"]
        q, v = ([sample[key][x] for x in self.names] for key in ("q", "v"))
        wrong, load = [], [0.0] * len(self.names)
        values = self.values(sample)
        for k, (relay, u) in enumerate(zip(self.relays, values)):
            S = relay.at(t, q, v)
            scale = 1 + max(abs(x) for x in q + v)
            if abs(S) > 1e-7 * scale and abs(u - math.copysign(1, S)) > 1e-9:
                wrong.append(f"t = {t:.4g}: value {u:.6g} of r{k} at S = {S:.3g}")
            if abs(u) > 1 + 1e-7:
                wrong.append(f"t = {t:.4g}: value {u:.9g} of r{k}")
            load = [a + u * f for a, f in zip(load, relay.force)]
        # Forces of relays beside the others: the base class knows those of the model alone.
        for force, more in zip(self.force, load):
            force.c += more
        try:
            return wrong + super().faults(sample)
        finally:
            for force, more in zip(self.force, load):
                force.c -= more

    def tame(self):
        """A brake works against its surface, so that one motion goes on from everywhere, but for paradoxes of friction."""
        return all(relay.brake for relay in self.relays)

    def free_values(self):
        """Contacts that hold a surface leave the value of its relay free, and what depends on it."""
        return not self.tame() or any(c.mu for c in self.contacts)


def judge(seed, model=None):
    """Suspicious things about the motion of one model; nothing: it is refused at the start, or in order."""
    model = model or RelayModel(seed)
    times = ",".join(repr(UNTIL * k / SAMPLES) for k in range(SAMPLES + 1))
    answer = run_program("run", "-", "--json", "--at", times, stdin=model.text(), limit=60)
    if answer.code == 2 and ("E0501" in answer.out or "E0502" in answer.out):
        return []
    if not answer.out.startswith("{") or answer.code not in (0, 3):
        return [f"exit code {answer.code}: {answer.err[:200]}{answer.out[:200]}"]
    result = answer.json()
    found = []
    if answer.code == 3:
        # A relay that does not brake may drive away from its surface, or to it from nowhere.
        told = "the motion is not unique" in result["reason"] or "no motion goes on" in result["reason"]
        told = told and not model.tame()
        told = told or ("are not determined, and the motion depends" in result["reason"] and model.free_values())
        if not told:
            found.append(f"stopped: {result['reason']}")
    for event in result["events"]:
        if "not together" in (event.get("rule") or ""):
            found.append(f"t = {event['time']:.6g}: {event['rule']}")
    for key in ("complementarity", "impact_complementarity", "cone", "direction", "natural", "momentum"):
        residual = (result["contacts"] or {}).get(key) or 0.0
        if residual > 1e-7:
            found.append(f"{key} {residual:.2g}")
    energy = result["energy"]
    turnover = max(abs(energy[k]) for k in ("start", "end", "work", "impacts", "friction", "relays"))
    if abs(energy["unexplained"]) > 1e-8 * (1 + turnover):
        found.append(f"energy {energy['unexplained']:.2g}")
    for sample in result["samples"]:
        if answer.code == 0 or sample["t"] < result["time"]:
            found += model.faults(sample)
    return found


def stepped(model, h, times):
    """Positions at these times by the time stepping of Moreau and Jean, relays and contacts implicit, by Gauss and Seidel."""
    n = range(len(model.names))
    q, v, t, found = list(model.begin["q"]), list(model.begin["v"]), 0.0, []
    rows = [(c.gap.numbers, c.slips[0].numbers, c) for c in model.contacts]
    pushes = [[(g[i] / model.mass[i], s[i] / model.mass[i]) for i in n] for g, s, _ in rows]
    drives = [[relay.force[i] / model.mass[i] for i in n] for relay in model.relays]
    D = [(sum(g[i] * p[i][0] for i in n), sum(s[i] * p[i][1] for i in n)) for (g, s, _), p in zip(rows, pushes)]
    d = [sum(a * b for a, b in zip(relay.rate, drive)) for relay, drive in zip(model.relays, drives)]
    impulses, values = [[0.0, 0.0] for _ in rows], [0.0] * len(d)
    for k in range(round(UNTIL / h) + 1):
        while len(found) < len(times) and times[len(found)] <= t + h / 2:
            found.append(list(q))
        middle, half = t + h / 2, [q[i] + h / 2 * v[i] for i in n]
        load = [model.force[i].at(middle) - model.spring[i] * half[i] for i in n]
        free = [(v[i] * (1 - h * model.damping[i] / 2 / model.mass[i]) + h * load[i] / model.mass[i])
                / (1 + h * model.damping[i] / 2 / model.mass[i]) for i in n]
        near = [sum(g[i] * half[i] for i in n) + c.d.at(middle) <= 0 for g, _, c in rows]
        before = [sum(g[i] * v[i] for i in n) + c.d.rate(t) for g, _, c in rows]
        w = list(free)
        for j in range(len(rows)):
            if not near[j]:
                impulses[j] = [0.0, 0.0]
            w = [w[i] + pushes[j][i][0] * impulses[j][0] + pushes[j][i][1] * impulses[j][1] for i in n]
        for u, drive in zip(values, drives):
            w = [w[i] + h * u * drive[i] for i in n]
        for _ in range(200):
            moved = 0.0
            for j, relay in enumerate(model.relays):
                u = max(-1.0, min(1.0, values[j] - relay.at(t + h, [q[i] + h / 2 * (v[i] + w[i]) for i in n], w) / (h * d[j])))
                w, moved, values[j] = [w[i] + h * (u - values[j]) * drives[j][i] for i in n], max(moved, h * abs((u - values[j]) * d[j])), u
            for j, (g, s, c) in enumerate(rows):
                if not near[j]:
                    continue
                rate = sum(g[i] * w[i] for i in n) + c.d.rate(t + h) + c.e * min(0.0, before[j])
                N = max(0.0, impulses[j][0] - rate / D[j][0])
                slip = sum(s[i] * w[i] for i in n) + c.u[0].at(t + h)
                T = impulses[j][1] - slip / D[j][1]
                T = max(-c.mu * N, min(c.mu * N, T))
                change = N - impulses[j][0], T - impulses[j][1]
                w = [w[i] + pushes[j][i][0] * change[0] + pushes[j][i][1] * change[1] for i in n]
                moved, impulses[j] = max(moved, abs(change[0]) * D[j][0], abs(change[1]) * D[j][1]), [N, T]
            if moved < 1e-10:
                break
        q, v, t = [q[i] + h / 2 * (v[i] + w[i]) for i in n], w, (k + 1) * h
    return found


def compare(seed):
    """Of a simple model the distance from time stepping at two steps, in order where it shrinks; nothing: it is not simple."""
    model = RelayModel(seed)
    flat = all(c.gap.point is None and not c.bend and not c.static for c in model.contacts)
    # A relay that presses a rough contact may have any of many values at rest.
    pressed = any(c.mu and sum(a * f for a, f in zip(c.gap.numbers, relay.force)) for c in model.contacts for relay in model.relays)
    if not flat or pressed or not model.tame() or (model.law != "moreau" and any(c.e for c in model.contacts)):
        return None
    times = [UNTIL * k / SAMPLES for k in range(1, SAMPLES)]
    answer = run_program("run", "-", "--json", "--at", "0," + ",".join(map(repr, times)), stdin=model.text(), limit=60)
    if answer.code != 0:
        return None
    samples = answer.json()["samples"]
    model.begin = {key: [samples[0][key][x] for x in model.names] for key in ("q", "v")}
    distances = []
    for h in (2e-3, 5e-4):
        found = stepped(model, h, times)
        distances.append(max(abs(a - s["q"][x]) for q, s in zip(found, samples[1:]) for a, x in zip(q, model.names)))
    return distances


if __name__ == "__main__":
    first, last = int(sys.argv[1]), int(sys.argv[2])
    for number in range(first, last):
        if sys.argv[3:] == ["show"]:
            print(RelayModel(number).text())
        elif sys.argv[3:] == ["step"]:
            far = compare(number)
            if far and far[1] > 2e-3 and far[1] > .5 * far[0]:
                print(number, far, flush=True)
        else:
            try:
                faults = judge(number)
            except pytest.fail.Exception as long:
                faults = [str(long)[:40]]
            if faults:
                print(number, " | ".join(faults)[:500], flush=True)
