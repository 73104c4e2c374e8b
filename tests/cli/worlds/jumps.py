# SPDX-License-Identifier: Apache-2.0
"""What mechanics asks of the events of a motion: momentum, signs and cones of impulses, laws of impact, energy, values that users set."""
import math

from .algebra import basis, dot, largest, norm, off_span, plus, solved, times
from .conditions import approach, told, work

IMPACTS = ("impact", "tangential_impact")


def faults(mechanics, events, sizes, aware):
    """What is wrong at the events; `aware`: the program says that an impact may have created energy."""
    wrong, states, before, hit = [], dict(mechanics.world.states), None, False
    earlier = states  # before the events of users that happen together
    for k, e in enumerate(events):
        found = []
        if not e["q"] or not e["v_plus"]:
            wrong.append(f"t = {e['time']:.6g} {e['kind']} {e['where']}: tells no state")
            continue
        together = before is not None and at_once(before, e)
        if before is not None and e["time"] == before["time"] and not together:
            apart = max(distance(before["q"], e["q"]) / sizes.length, distance(before["v_plus"], e["v_minus"]) / sizes.speed)
            # An accumulation of one contact is told from its last impact on, an event of another kind may be in between.
            if apart > 1e-6 and "accumulation" not in (before["kind"], e["kind"]):
                found.append(f"begins {apart:.2g} away from where the one before ended")
        if e["kind"] in IMPACTS:
            found += of_impact(mechanics, e, states, sizes, aware)
        elif e["kind"] in ("user", "terminal"):
            fresh = before is None or before["time"] < e["time"]
            earlier = earlier if together else states
            others = [x for x in events[max(k - 20, 0):k + 20] if x is not e and at_once(x, e)]
            fault, new = of_user_event(mechanics, e, earlier, sizes, fresh, others)
            states = {**states, **new}
            found += fault
        elif e["kind"] != "accumulation" and distance(e["v_minus"], e["v_plus"]) > 1e-7 * sizes.speed:
            found.append(f"velocities jump by {distance(e['v_minus'], e['v_plus']):.2g}")
        last = k + 1 == len(events) or events[k + 1]["time"] > e["time"]
        hit = (hit if before is not None and e["time"] == before["time"] else False) or e["kind"] in IMPACTS
        if last and hit:
            found += of_the_end(mechanics, e, states, sizes, events[k + 1:k + 400])
        wrong += [f"t = {e['time']:.6g} {e['kind']} {e['where']}: {fault}" for fault in found]
        before = e
    return wrong


def at_once(one, other):
    """Events of users that happen together, all with the values before."""
    return all(x["kind"] in ("user", "terminal") for x in (one, other)) and all(one[k] == other[k] for k in ("time", "v_minus", "v_plus"))


def distance(a, b):
    return max((abs(a[x] - b[x]) for x in a), default=0.0)


def struck(e):
    """Impulses by contact name: (normal, tangential)."""
    if e.get("contacts"):
        items = e["contacts"].items() if isinstance(e["contacts"], dict) else ((c.get("name", c.get("where")), c) for c in e["contacts"])
        return {name: (c["impulse"], list(c["tangential"])) for name, c in items}
    return {e["where"]: (e["impulse"], list(e["tangential"]))}


def of_impact(mechanics, e, states, sizes, aware):
    w = mechanics.world
    before, after = (mechanics.point(e["time"], e["q"], e[key], states) for key in ("v_minus", "v_plus"))
    change = times(mechanics.mass(before), [e["v_plus"][x] - e["v_minus"][x] for x in w.names])
    rest, wrong, total, impulses = change, [], 0.0, struck(e)
    size = largest(change) + max(abs(n or 0.0) for n, _ in impulses.values())
    size += 1e-9 * largest(times(mechanics.mass(before), [e["v_minus"][x] for x in w.names])) + 1e-12
    guides = {c.name + side: (c, sign) for c in w.constraints if c.slips for side, sign in (("", 1), (".lower", 1), (".upper", -1))}
    for name, (normal, rubs) in impulses.items():
        if name in guides:
            continue
        c = w.contact(name)
        rest = plus(rest, mechanics.row(c.name, c.gap, before), -normal)
        for k, (slip, f) in enumerate(zip(c.slips, rubs)):
            rest = plus(rest, mechanics.row((c.name, k), slip, before), -f)
        first, then = approach(mechanics, c, before), approach(mechanics, c, after)
        total += work(normal, rubs or [0.0] * len(c.slips), first, then)
        wrong += of_impulse(mechanics, c, normal, rubs, first, then, size, sizes)
    rows = [mechanics.row(c.name, c.equation, before) for c in w.constraints]
    rows += [mechanics.row((c.name, k), s, before) for c in w.constraints for k, s in enumerate(c.slips)]
    left = largest(off_span(rest, rows))
    if left > 1e-6 * size:
        wrong.append(f"balance of momentum open by {left:.2g} of {size:.3g}")
    involved = [w.contact(name) for name in impulses if name not in guides]
    rough = any(c.rough() for c in involved) or any(c.slips for c in w.constraints)
    kinetic = size * sizes.speed
    if total > 1e-6 * kinetic and not aware:
        wrong.append(f"the impact creates {total:.3g} of energy untold")
    promise = all(c.law == "energetic" for c in involved) or (not rough and len({c.e for c in involved}) == 1)
    if total > 1e-6 * kinetic and promise and not any(c.slips for c in w.constraints):
        wrong.append(f"the impact creates {total:.3g} of energy against its law")
    if len(impulses) == 1 and involved and not wrong and e["kind"] == "impact" and not e.get("rule"):
        wrong += of_one_contact(mechanics, involved[0], impulses[involved[0].name], before, after, sizes)
    return wrong


def of_impulse(mechanics, c, normal, rubs, first, then, size, sizes):
    wrong = []
    if normal < -1e-8 * size:
        wrong.append(f"{c.name} pulls with an impulse {normal:.3g}")
    if c.rough():
        most = max(c.static, mechanics.coefficient(c, 0.0), mechanics.coefficient(c, 1e9))
        if math.hypot(*rubs) > most * normal + 1e-6 * size:
            wrong.append(f"frictional impulse {told(rubs)} of {c.name} beside {normal:.6g}")
    if c.law == "moreau":
        miss = then[0] + c.e * min(first[0], 0.0)
        if miss < -1e-6 * sizes.speed:
            wrong.append(f"{c.name} leaves with {then[0]:.4g} after {first[0]:.4g}: too slow for Moreau's law")
        speed = math.hypot(*then[1]) if c.slips else 0.0
        if c.rough() and speed > 1e-6 * sizes.speed and not c.static and c.mu.op == "number":
            mu = mechanics.coefficient(c, speed)
            if math.dist(rubs, [-mu * normal * x / speed for x in then[1]]) > 1e-5 * size:
                wrong.append(f"{c.name} slips after the impact with {told(then[1])} beside the impulse {told(rubs)}")
    return wrong


def of_the_end(mechanics, e, states, sizes, following):
    """No contact is left approaching, constraints hold. One that is almost closed is struck next."""
    z = mechanics.point(e["time"], e["q"], e["v_plus"], states)
    wrong = []
    for c in mechanics.world.contacts:
        rate = mechanics.rate(c.name, c.gap, z)
        gap = mechanics.value(c.name, c.gap, z)
        soon = e["time"] + max(2 * gap / -rate, 1e-5) if rate < 0 else e["time"]
        struck_next = any(x["time"] <= soon and (x["where"] == c.name or c.name in (x.get("contacts") or ())) for x in following)
        # The limit of an accumulation stands for all impacts that are left before it.
        struck_next = struck_next or any(x["kind"] == "accumulation" and x["time"] <= e["time"] + 1e-4 for x in following)
        if gap < 1e-10 * sizes.length and rate < -1e-7 * sizes.speed and not struck_next:
            wrong.append(f"{c.name} is left approaching with {rate:.3g}")
    for c in mechanics.world.constraints:
        rate = mechanics.rate(c.name, c.equation, z)
        if abs(rate) > 1e-6 * sizes.speed:
            wrong.append(f"constraint {c.name} is left with a rate of {rate:.3g}")
    return wrong


def of_user_event(mechanics, e, states, sizes, fresh, others):
    """What it sets, discrete states first; and that its expression is zero, unless an event before at this instant threw it across. `others`:
    those at the same instant."""
    w = mechanics.world
    event = next((x for x in w.events if x.name == e["where"]), None)
    if event is None:
        return [f"there is no event {e['where']}"], {}
    z = mechanics.point(e["time"], e["q"], e["v_minus"], states)
    wrong, after = [], {}
    for name, value in event.sets.items():
        new = mechanics.value((event.name, name), value, z)
        if name in w.states:
            after[name] = new
        elif name.endswith("'") and abs(e["v_plus"][name[:-1]] - new) > 1e-7 * sizes.speed and not w.constraints:
            wrong.append(f"sets {name} to {e['v_plus'][name[:-1]]:.9g} instead of {new:.9g}")
    given = {name for x in w.events if x is event or any(x.name == o["where"] for o in others) for name in x.sets}
    for x in w.names:
        if x + "'" not in given and abs(e["v_plus"][x] - e["v_minus"][x]) > 1e-7 * sizes.speed and not w.constraints and not w.contacts:
            wrong.append(f"changes {x}' though it does not set it")
    moved = {name for name in event.sets if name in w.names}
    if fresh and not moved and abs(mechanics.value(event.name, event.when, z)) > 1e-7 * max(1.0, sizes.speed, sizes.length):
        wrong.append(f"happens at {mechanics.value(event.name, event.when, z):.3g}")
    return wrong, after


def of_one_contact(mechanics, c, told_impulse, before, after, sizes):
    """One contact is struck and no other is closed: the impact followed through by its law, positions frozen."""
    w = mechanics.world
    others = [x for x in w.contacts if x.name != c.name and mechanics.value(x.name, x.gap, before) < 1e-7 * sizes.length]
    if w.options.get("impacts") == "simultaneous" and c.rough():
        return []  # in a group Coulomb's law is asked of the velocity after the impact
    if others or any(x.slips for x in w.constraints) or len(c.slips) > 1 or c.static or (c.rough() and c.mu.op != "number"):
        return []
    rows = [mechanics.row(c.name, c.gap, before)]
    if c.rough():
        rows.append(mechanics.row((c.name, 0), c.slips[0], before))
    D = delassus(mechanics, rows, before)
    if D is None:
        return []
    u, slips = approach(mechanics, c, before)
    if not c.rough():
        expected = [-(1 + c.e) * u / D[0][0]]
    elif c.law == "moreau":
        return []  # its conditions are checked by themselves
    else:
        expected = followed(D, u, slips[0], mechanics.coefficient(c, 0.0), c.e, c.law)
    if expected is None:
        return []
    given = [told_impulse[0], *(told_impulse[1] if c.rough() else [])]
    size = largest(expected)
    if largest(plus(given, expected, -1.0)) > 1e-6 * size + 1e-9:
        return [f"impulses {told(given)} instead of {told(expected)} by the law {c.law}"]
    return []


def delassus(mechanics, rows, z):
    """Velocities of the rows per impulse along them, constraints keeping theirs."""
    M = mechanics.mass(z)
    hold = [mechanics.row(c.name, c.equation, z) for c in mechanics.world.constraints]
    hold = basis(hold, 1e-6)
    try:
        H = [solved(M, b) for b in hold]
        G = [[dot(a, b) for b in H] for a in hold]
        out = []
        for row in rows:
            move = solved(M, row)
            if hold:
                for f, h in zip(solved(G, [dot(b, move) for b in hold]), H):
                    move = plus(move, h, -f)
            out.append([dot(other, move) for other in rows])
        return out if out[0][0] > 1e-6 * norm(rows[0]) ** 2 / max(map(largest, M)) else None
    except ZeroDivisionError:
        return None


def followed(D, u, w, mu, e, law):
    """Routh's method in the plane: slip at ∓µ, stick, or slip on, each at constant rates; ends by the law. None: it jams."""
    a, c, b = D[0][0], D[0][1], D[1][1]
    N = F = spent = 0.0
    start, compression, gained, ended = u, None, 0.0, None
    for _ in range(12):
        if abs(w) > 1e-14 * (abs(u) + abs(start)):
            m = -math.copysign(mu, w)
        elif abs(c) <= mu * b:
            w, m = 0.0, -c / b
        else:
            m = -math.copysign(mu, c)
        up, sideways = a + c * m, c + b * m
        options = []
        if w * sideways < 0:
            options.append(-w / sideways)
        if compression is None:
            if up > 0:
                options.append(-u / up)
        else:
            ended = end_of(law, up, u, N, compression, spent, gained, e, start)
            if ended is None and not options:
                return None
            options += [ended] if ended is not None else []
        if not options:
            return None
        step = min(options)
        done = ended is not None and compression is not None and step == ended
        half = step * (u + 0.5 * up * step)
        spent, gained = (spent + half, gained) if compression is None else (spent, gained + half)
        turned = w * sideways < 0 and step == -w / sideways
        N, F, u, w = N + step, F + m * step, u + up * step, 0.0 if turned else w + sideways * step
        if done:
            return [N, F]
        if compression is None and not turned and up > 0 and abs(u) < 1e-12 * abs(start):
            u, compression = 0.0, N
            if e == 0:
                return [N, F]
    return None


def end_of(law, up, u, N, compression, spent, gained, e, start):
    """The normal impulse from here to the end of restitution at this rate, if it ends."""
    if law == "newton":
        return (-e * start - u) / up if up > 0 else None
    if law == "poisson":
        return (1 + e) * compression - N
    wanted = -e * e * spent - gained  # = u s + ½ up s²
    square = u * u + 2 * up * wanted
    if square < 0:
        return None
    return (-u + math.sqrt(square)) / up if abs(up) > 1e-14 else wanted / u if u else None
