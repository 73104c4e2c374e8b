# SPDX-License-Identifier: Apache-2.0
"""Between events: velocities are the integrals of accelerations and positions those of velocities, by Gauss' quadrature of samples;
events that users wrote are there where their expressions pass zero."""
import math

from .algebra import largest

NODES = [-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831, 0.9061798459386640]
WEIGHTS = [0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891]
MOST = 36


def pieces(begin, end, events, r):
    """Intervals without events, none longer than a part of the whole; some of them where they are many."""
    instants = sorted({begin, end, *(e["time"] for e in events if begin < e["time"] < end)})
    found = []
    for a, b in zip(instants, instants[1:]):
        if b - a < 1e-7 * (end - begin):
            continue
        count = max(1, math.ceil(20 * (b - a) / (end - begin)))
        marks = [a, *(a + (b - a) * k / count for k in range(1, count)), b]
        found += zip(marks, marks[1:])
    return found if len(found) <= MOST else sorted(r.sample(found, MOST))


def times_of(parts, events):
    """Sample times for these intervals: nodes, and ends that are no events."""
    instants = {e["time"] for e in events}
    wanted = set()
    for a, b in parts:
        wanted.update(0.5 * (a + b) + 0.5 * (b - a) * x for x in NODES)
        wanted.update(x for x in (a, b) if x not in instants)
    return sorted(wanted)


def graded(a, b, levels=9):
    """Parts of an interval that halve towards both of its ends, where rates may have infinite slopes (slip in space ends like that)."""
    left = [a] + [a + (b - a) * 0.5**k for k in range(levels, 0, -1)]
    right = [b - (b - a) * 0.5**k for k in range(2, levels + 1)] + [b]
    marks = left + right
    return list(zip(marks, marks[1:]))


class Path:
    """States at samples and on both sides of events."""

    def __init__(self, world, samples, events, final):
        self.world = world
        self.at = {s["t"]: s for s in samples}
        self.at.setdefault(final["t"], final)
        self.first, self.last = {}, {}
        for e in events:
            self.first.setdefault(e["time"], e)
            self.last[e["time"]] = e
        # What an accumulation tells is as exact as it says: state within the rates times this time.
        self.blurred = {e["time"]: e["accuracy"] or 0.0 for e in events if e["kind"] == "accumulation"}

    def after(self, t):
        return {"q": self.last[t]["q"], "v": self.last[t]["v_plus"]} if t in self.last else self.at.get(t)

    def before(self, t):
        return {"q": self.first[t]["q"], "v": self.first[t]["v_minus"]} if t in self.first else self.at.get(t)

    def change(self, a, b, low, high, x):
        """What a quantity changes by beyond the integral of its rate; nothing where samples are missing."""
        nodes = [self.at.get(0.5 * (a + b) + 0.5 * (b - a) * node) for node in NODES]
        start, end = self.after(a), self.before(b)
        if None in nodes or start is None or end is None:
            return None
        return end[low][x] - start[low][x] - 0.5 * (b - a) * sum(weight * s[high][x] for weight, s in zip(WEIGHTS, nodes))

    def off(self, parts, sizes, small=1e-7):
        """By interval, quantity: how far."""
        found = {}
        for a, b in parts:
            if b in self.blurred:  # the rest of an accumulation is completed by its limit
                continue
            for low, high, size in (("q", "v", sizes.length), ("v", "a", sizes.speed)):
                for x in self.world.names:
                    change = self.change(a, b, low, high, x)
                    if change is not None and abs(change) > small * size:
                        found[(a, b), low, high, x] = change / size
        return found


def faults(path, parts, sizes, again):
    """Intervals on which the motion is not that of its rates. Quadrature of what is not smooth improves as the intervals shrink around the
    bad point, a jump does not: `again` gives a path with more samples, for those intervals that are in doubt, a few times."""
    doubts = path.off(parts, sizes)
    worst = sorted({key[0] for key in doubts}, key=lambda ab: -max(abs(v) for k, v in doubts.items() if k[0] == ab))[:4]
    left = {(ab, ab, *key): change for (ab, *key), change in doubts.items() if ab in worst}
    for _ in range(5):
        if not left:
            return []
        worst = sorted(left, key=lambda key: -abs(left[key]))
        intervals = list(dict.fromkeys(part for _, part, *_ in worst))[:12]
        finer = again([part for ab in intervals for part in graded(*ab)])
        if finer is None:
            return []
        found = finer.off([part for ab in intervals for part in graded(*ab)], sizes, 1e-8)
        inside = {part: ab for ab in intervals for part in graded(*ab)}
        origin = {part: whole for whole, part, *_ in left}
        now = {(origin[inside[part]], part, *key): change for (part, *key), change in found.items()}
        # Those that matter: the whole changes of an interval.
        left = {key: change for key, change in now.items()
                if abs(sum(c for k, c in now.items() if (k[0], *k[2:]) == (key[0], *key[2:]))) > max(1e-7, 1e-3 * abs(doubts.get((key[0], *key[2:]), 0.0)))}
    # A slip in space that passes close to zero turns round in no time at all: its spike is not resolved.
    spike = 1e-5 if any(len(c.slips) > 1 for c in (*path.world.contacts, *path.world.constraints)) else 0.0
    wrong = {}
    for (whole, _, low, _, x), change in left.items():
        wrong[whole, low, x] = wrong.get((whole, low, x), 0.0) + change
    blur = {a: time * max(largest(s["v"].values()) / sizes.length + largest(s["a"].values()) / sizes.speed for s in path.at.values() if "a" in s)
            for a, time in path.blurred.items()}
    return [f"t = {a:.8g} … {b:.8g}{' after an accumulation' if a in path.blurred else ''}: {x + chr(39) * (low == 'v')} changes by {abs(change):.2g} beyond the integral of its rate"
            for ((a, b), low, x), change in wrong.items() if abs(change) > max(spike, blur.get(a, 0.0))]


def missed_events(mechanics, samples, events, sizes, begin):
    """Expressions of user events that changed their sign where no event is told."""
    w = mechanics.world
    if not w.events:
        return []
    marks = [(s["t"], 1, s["q"], s["v"], None) for s in samples]
    for k, e in enumerate(events):
        marks += [(e["time"], 0, e["q"], e["v_minus"], None), (e["time"], 2, e["q"], e["v_plus"], e)]
    # Samples at an instant of events belong to either side and are left out.
    instants = {e["time"] for e in events}
    marks = sorted((m for m in marks if not (m[1] == 1 and m[0] in instants)), key=lambda m: m[0])
    states, before, wrong = dict(w.states), {}, []
    for t, side, q, v, e in marks:
        if e is not None and e["kind"] in ("user", "terminal"):
            event = next(x for x in w.events if x.name == e["where"])
            z = mechanics.point(t, q, e["v_minus"], states)
            states = {**states, **{k: mechanics.value((event.name, k), f, z) for k, f in event.sets.items() if k in states}}
        z = mechanics.point(t, q, v, states)
        for event in w.events:
            value = mechanics.value(event.name, event.when, z)
            small = 1e-7 * max(1.0, sizes.speed, sizes.length)
            old = before.get(event.name, 0.0)
            # Within an interval of time; what jumps at an event of another kind is another question.
            if side != 2 and abs(value) > small and abs(old) > small and value * old < 0 and event.direction in ("both", "up" if value > 0 else "down"):
                wrong.append(f"t = {t:.6g}: event {event.name} is missed, its expression went from {old:.3g} to {value:.3g}")
            before[event.name] = value if abs(value) > small or side == 2 else (old if side == 0 else value)
    return wrong
