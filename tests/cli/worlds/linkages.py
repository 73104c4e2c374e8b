# SPDX-License-Identifier: Apache-2.0
"""Classes of systems with bilateral constraints: mechanisms, rubbing guides, blades and rolling, rotating frames."""
import math

from .dice import LAWS, moving
from .formula import T as time
from .formula import ZERO, cos, der, formula, programmed, sin, sqrt
from .world import Constraint, World


def bar(T, V, m, length, x, y, angle, rate):
    """A uniform bar from (x, y) on, added to the energies."""
    cx, cy = x + length / 2 * cos(angle), y + length / 2 * sin(angle)
    return T + m / 2 * (der(cx) ** 2 + der(cy) ** 2) + round(m * length**2 / 24, 6) * rate**2, V + round(9.81 * m, 4) * cy


def circles(x1, y1, r1, x2, y2, r2, side):
    """Where two circles meet."""
    dx, dy = x2 - x1, y2 - y1
    d = math.hypot(dx, dy)
    a = (d * d + r1 * r1 - r2 * r2) / (2 * d)
    h = math.sqrt(max(r1 * r1 - a * a, 0.0)) * side
    return x1 + (a * dx - h * dy) / d, y1 + (a * dy + h * dx) / d


def mechanisms(r):
    kind = r.choice(["four-bar", "four-bar", "slider", "slider", "parallel", "pendulum", "bead"])
    w = {"four-bar": four_bar, "slider": slider, "parallel": parallel, "pendulum": pendulum, "bead": bead}[kind](r)
    first = w.names[0]
    if r.chance(0.5):
        w.push(first, r.wave(r.number(-3, 3), 4, 0.5))
    if r.chance(0.3):
        w.push(first, -r.number(0.05, 0.5) * moving([first])[1][0])
    if r.chance(0.3):  # a stop
        q = moving(w.names)[0]
        k = r.randrange(len(w.names))
        side = r.choice([-1, 1])
        w.contacts.append(r.contact("stop", side * (w.start[w.names[k]] - q[k]) + r.number(0.1, 0.8), [], r.choice(LAWS)))
    if r.chance(0.35) and w.tip:  # a point of it over a rough floor
        height = programmed([w.tip[1]], w.names)([w.start[x] for x in w.names])[0]
        w.contacts.append(r.contact("floor", w.tip[1] - round(height - r.number(0.05, 0.5), 4), [der(w.tip[0])], r.choice(LAWS), 0.9, r.choice([0.6, 1.5])))
    return w


def four_bar(r):
    a, b, c, d = r.choice([(0.5, 1.0, 1.0, 1.2), (1, 1, 1, 1), (0.7, 1.3, 0.7, 1.3), tuple(r.number(0.6, 1.4) for _ in range(4))])
    names = ["a", "b", "c"]
    q, v = moving(names)
    w = World("mechanisms", names, ZERO, angles=set(names))
    w.T, w.V = bar(w.T, w.V, r.number(0.5, 2), a, ZERO, ZERO, q[0], v[0])
    w.T, w.V = bar(w.T, w.V, r.number(0.5, 2), b, a * cos(q[0]), a * sin(q[0]), q[1], v[1])
    w.T, w.V = bar(w.T, w.V, r.number(0.5, 2), c, formula(d), ZERO, q[2], v[2])
    w.constraints = [Constraint("across", a * cos(q[0]) + b * cos(q[1]) - c * cos(q[2]) - d), Constraint("up", a * sin(q[0]) + b * sin(q[1]) - c * sin(q[2]))]
    for _ in range(50):
        angle = r.number(0.5, 2.6)
        x, y = a * math.cos(angle), a * math.sin(angle)
        gap = math.hypot(d - x, y)
        if abs(b - c) + 0.05 < gap < b + c - 0.05:
            break
    px, py = circles(x, y, b, d, 0, c, r.choice([1, -1]) if a != c else 1)
    off = r.number(-0.5, 0.5)
    w.tip = a * cos(q[0]) + 0.5 * b * cos(q[1]) - off * sin(q[1]), a * sin(q[0]) + 0.5 * b * sin(q[1]) + off * cos(q[1])
    w.start = {"a": angle, "b": round(math.atan2(py - y, px - x), 5), "c": round(math.atan2(py, px - d), 5)}
    w.solve = ["b", "c"]
    w.velocity = {"a": r.speed(2, 0.1), "b": 0.0, "c": 0.0}
    return w


def slider(r):
    a, b = r.number(0.4, 1), r.choice([None, r.number(1.1, 2)])
    b = b or a  # equal bars: the slider passes through the pivot
    names = ["a", "b", "x"]
    q, v = moving(names)
    w = World("mechanisms", names, r.number(0.3, 2) * v[2] ** 2, angles={"a", "b"})
    w.T, w.V = bar(w.T, w.V, r.number(0.5, 2), a, ZERO, ZERO, q[0], v[0])
    w.T, w.V = bar(w.T, w.V, r.number(0.5, 2), b, a * cos(q[0]), a * sin(q[0]), q[1], v[1])
    w.constraints = [Constraint("along", a * cos(q[0]) + b * cos(q[1]) - q[2]), Constraint("up", a * sin(q[0]) + b * sin(q[1]))]
    w.tip = a * cos(q[0]) - 0.2 * sin(q[1]), a * sin(q[0]) + 0.2 * cos(q[1])
    angle = r.number(0.3, 1.3)
    other = -math.asin(a * math.sin(angle) / b)
    w.start = {"a": angle, "b": round(other, 5), "x": round(a * math.cos(angle) + b * math.cos(other), 5)}
    w.solve = ["b", "x"]
    w.velocity = {"a": r.speed(2, 0.1), "b": 0.0, "x": 0.0}
    return w


def parallel(r):
    """Cranks of equal length that carry a coupler: the constraints depend on each other where all are in line."""
    n = r.choice([2, 2, 3])
    a, apart = r.number(0.5, 1), r.number(0.6, 1.2)
    names = [f"a{k + 1}" for k in range(n)] + ["c"]
    q, v = moving(names)
    w = World("mechanisms", names, ZERO, angles=set(names))
    for k in range(n):
        w.T, w.V = bar(w.T, w.V, r.number(0.5, 1.5), a, formula(apart * k), ZERO, q[k], v[k])
    w.T, w.V = bar(w.T, w.V, r.number(0.5, 1.5), apart, a * cos(q[0]), a * sin(q[0]), q[n], v[n])
    for k in range(1, n):
        reach = round(apart * k, 4)
        w.constraints += [Constraint(f"across{k}", a * cos(q[0]) + reach * cos(q[n]) - a * cos(q[k]) - reach),
                          Constraint(f"up{k}", a * sin(q[0]) + reach * sin(q[n]) - a * sin(q[k]))]
    angle, rate = r.number(0.4, 2.7), r.choice([r.number(-4, 4), r.number(1, 4)])
    w.start = {**dict.fromkeys(names[:n], angle), "c": 0.0}
    w.velocity = {**dict.fromkeys(names[:n], rate), "c": 0.0}
    w.solve = names[1:]
    return w


def pendulum(r):
    """A chain of masses on rods in Cartesian coordinates; supports that move."""
    n = r.choice([1, 2, 2, 3])
    names = [f"{c}{k + 1}" for k in range(n) for c in "xy"]
    q, v = moving(names)
    w = World("mechanisms", names, ZERO)
    x0, y0 = r.wave(0, 0.1, 0.2), ZERO
    X, Y = 0.0, 0.0
    for k in range(n):
        m, length, angle = r.number(0.3, 2), r.number(0.3, 1), r.number(-1.5, 1.5)
        w.T, w.V = w.T + m / 2 * (v[2 * k] ** 2 + v[2 * k + 1] ** 2), w.V + round(9.81 * m, 4) * q[2 * k + 1]
        dx, dy = q[2 * k] - x0, q[2 * k + 1] - y0
        w.constraints.append(Constraint(f"rod{k}", dx**2 + dy**2 - round(length**2, 8) if r.chance(0.5) else sqrt(dx**2 + dy**2) - length))
        x0, y0 = q[2 * k], q[2 * k + 1]
        X, Y = X + length * math.sin(angle), Y - length * math.cos(angle)
        w.start |= {names[2 * k]: round(X, 5), names[2 * k + 1]: round(Y, 5)}
    w.tip = q[-2], q[-1]
    w.solve = list(names)
    w.velocity = {x: r.speed(1, 0.5) for x in names}
    return w


def bead(r):
    """A bead on a curve; some have a node."""
    names = ["x", "y"]
    q, v = moving(names)
    x, y = q
    m = r.number(0.5, 2)
    curve, at = r.choice([(y - 0.5 * x**2, (0.6, 0.18)), (y**2 - x**2 * (x + 1), (0.5, 0.612)), ((x**2 + y**2) ** 2 - x**2 + y**2, (0.9, 0.28)),
                          (y - 0.4 * sin(2 * x), (0.3, 0.226)), (x**2 + 4 * y**2 - 1, (0.8, 0.3)), (x**2 - 4 * y**2, (0.8, 0.4))])
    w = World("mechanisms", names, m / 2 * (v[0] ** 2 + v[1] ** 2), round(9.81 * m, 4) * y + r.choice([ZERO, r.number(1, 8) * x**2]))
    w.constraints = [Constraint("curve", curve)]
    w.start, w.solve = {"x": at[0], "y": at[1]}, ["y"]
    w.velocity = {"x": r.speed(1.5, 0.2), "y": 0.0}
    return w


def guides(r):
    """Carriages in rough guides: one, two, curved ones, a rod whose ends slide in a cross of guides."""
    kind = r.choice(["line", "line", "ring", "rod", "two"])
    m = r.number(0.5, 2)
    names = ["x", "y"] if kind in ("line", "ring", "two") else ["x1", "y1", "x2", "y2"]
    q, v = moving(names)
    w = World("guides", names, sum((m / 2 * d**2 for d in v), ZERO))
    mu = r.number(0.05, 0.5)
    if kind == "line":
        lean = r.choice([0.0, r.number(-1, 1)])
        c, s = round(math.cos(lean), 6), round(math.sin(lean), 6)
        w.constraints = [Constraint("guide", c * q[1] - s * q[0], [c * v[0] + s * v[1]], mu)]
        w.start, w.solve = {"x": 0.0, "y": 0.0}, ["y"]
    elif kind == "ring":
        R = r.number(0.5, 1)
        w.constraints = [Constraint("guide", sqrt(q[0] ** 2 + q[1] ** 2) - R, [(q[0] * v[1] - q[1] * v[0]) / R], mu)]
        w.start, w.solve = {"x": R, "y": 0.0}, ["x"]
    elif kind == "two":
        names += ["z"]
        q, v = moving(names)
        w = World("guides", names, sum((m / 2 * d**2 for d in v), ZERO))
        w.constraints = [Constraint("guide", q[1] - 0.3 * q[0], [v[0] + 0.3 * v[1]], mu), Constraint("rail", q[2] + 0.2 * q[0], [v[0]], r.number(0.05, 0.4))]
        w.start, w.solve = dict.fromkeys(names, 0.0), ["y", "z"]
        w.push("z", r.wave(r.number(-5, 5), 5, 0.5))
    else:
        length = r.number(0.6, 1.2)
        rod = (q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - round(length**2, 8)
        w.constraints = [Constraint("rod", rod), Constraint("floor", q[1], [v[0]], mu), Constraint("wall", q[2], [v[3]] if r.chance(0.5) else [], r.number(0.05, 0.3))]
        angle = r.number(0.3, 1.2)
        w.start = {"x1": round(length * math.cos(angle), 5), "y1": 0.0, "x2": 0.0, "y2": round(length * math.sin(angle), 5)}
        w.solve = list(names)
    for x, s in zip(names, q):
        if x[0] == "y":
            w.V = w.V + round(9.81 * m, 4) * s
        if r.chance(0.6) and x[0] == "x":
            w.push(x, r.wave(r.number(-4, 4), 10, 0.7))
        if r.chance(0.3) and x[0] == "x":
            w.V = w.V + r.number(2, 30) * (s - w.start[x]) ** 2
    w.velocity = {x: r.speed(1.5, 0.4) for x in names}
    return w


def nonholonomic(r):
    """Sleighs on a blade, skates, rolling discs and spheres, trailers; walls beside them."""
    kind = r.choice(["sleigh", "skate", "disc", "trailer", "appell"])
    if kind in ("sleigh", "skate", "trailer"):
        names = ["x", "y", "p"] + (["o"] if kind == "trailer" else [])
        q, v = moving(names)
        m, J, ahead = r.number(0.5, 2), r.number(0.1, 0.6), 0.0 if kind == "skate" else r.number(-0.5, 0.5)
        xc, yc = q[0] + ahead * cos(q[2]), q[1] + ahead * sin(q[2])
        w = World("nonholonomic", names, m / 2 * (der(xc) ** 2 + der(yc) ** 2) + J / 2 * v[2] ** 2, angles={"p", "o"})
        w.constraints = [Constraint("blade", v[1] * cos(q[2]) - v[0] * sin(q[2]))]
        if kind == "trailer":
            w.T = w.T + r.number(0.05, 0.4) / 2 * v[3] ** 2
            tx, ty = q[0] - 0.6 * cos(q[3]), q[1] - 0.6 * sin(q[3])
            w.constraints.append(Constraint("wheel", der(ty) * cos(q[3]) - der(tx) * sin(q[3])))
        if r.chance(0.5):
            w.V = r.number(-5, 5) * q[1]
        if r.chance(0.4):
            w.push("p", r.wave(0, 1, 0.7))
        angle, speed = r.number(-1, 1), r.number(-2, 2)
        w.start = {"x": 0.0, "y": 0.0, "p": angle, **({"o": r.number(-1, 1)} if kind == "trailer" else {})}
        w.velocity = {"x": round(speed * math.cos(angle), 5), "y": round(speed * math.sin(angle), 5), "p": r.speed(1.5), **({"o": 0.0} if kind == "trailer" else {})}
        if r.chance(0.4):
            side = r.choice([-1, 1])
            w.contacts.append(r.contact("wall", r.number(0.2, 0.8) + side * q[r.randrange(2)], [], r.choice(LAWS)))
        w.solve = list(names)
    elif kind == "disc":  # a disc that stays upright
        names = ["x", "y", "p", "s"]
        q, v = moving(names)
        m, R = r.number(0.5, 2), r.number(0.2, 0.6)
        w = World("nonholonomic", names, m / 2 * (v[0] ** 2 + v[1] ** 2) + m * R * R / 8 * v[2] ** 2 + m * R * R / 4 * v[3] ** 2, angles={"p", "s"})
        w.constraints = [Constraint("rollx", v[0] - R * cos(q[2]) * v[3]), Constraint("rolly", v[1] - R * sin(q[2]) * v[3])]
        w.V = r.number(-5, 5) * q[0]
        if r.chance(0.4):
            w.push("s", r.wave(0, 1, 0.7))
        w.start, w.velocity = {**dict.fromkeys(names, 0.0), "p": r.number(-1, 1)}, {"x": 0.0, "y": 0.0, "p": r.speed(1.5), "s": r.speed(3)}
        w.solve = ["x", "y"]
    else:  # a constraint that is not linear in the velocities
        names = ["x", "y", "z"]
        q, v = moving(names)
        m, part = r.number(0.5, 2), r.number(0.3, 1.5)
        w = World("nonholonomic", names, m / 2 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2), round(3 * m, 4) * q[2])
        speed, angle = r.number(0.8, 2), r.number(0, 6)
        w.constraints = [Constraint("appell", v[0] ** 2 + v[1] ** 2 - part**2 * v[2] ** 2)]
        w.start = dict.fromkeys(names, 0.0)
        w.velocity = {"x": round(speed * math.cos(angle), 6), "y": round(speed * math.sin(angle), 6), "z": round(-speed / part, 6)}
        w.solve, w.until = ["z"], 1.0
    return w


def rotating(r):
    """Written in a frame that turns, steadily or not: linear terms in the velocities, centrifugal and Euler's forces."""
    names = ["x", "y"]
    q, v = moving(names)
    x, y = q
    m, spin = r.number(0.5, 2), r.number(-3, 3)
    turn = formula(spin) + r.choice([ZERO, r.number(0.1, 1) * sin(r.number(1, 5) * time)])
    w = World("rotating", names, m / 2 * ((v[0] - turn * y) ** 2 + (v[1] + turn * x) ** 2), r.number(2, 30) * (x**2 + y**2) + r.number(-3, 3) * x)
    law = r.choice(LAWS)
    kind = r.choice(["free", "walls", "walls", "table", "guide"])
    if kind == "walls":
        for k in range(r.choice([1, 2, 3])):
            angle = r.number(0, 6.28)
            c, s = round(math.cos(angle), 6), round(math.sin(angle), 6)
            w.contacts.append(r.contact(f"c{k}", c * x + s * y + r.number(0.15, 0.6), [-s * v[0] + c * v[1]], law))
    elif kind == "table":
        names.append("z")
        q, v = moving(names)
        w = World("rotating", names, w.T + m / 2 * v[2] ** 2, w.V + round(9.81 * m, 4) * q[2])
        w.contacts.append(r.contact("table", q[2], [v[0], v[1]], law, 0.95, 0.6))
        w.start["z"], w.velocity["z"] = r.choice([0.0, r.number(0, 0.2)]), 0.0
    elif kind == "guide":
        angle = r.number(0, 3)
        c, s = round(math.cos(angle), 6), round(math.sin(angle), 6)
        rough = r.chance(0.6)
        w.constraints = [Constraint("groove", c * y - s * x - r.number(0, 0.2), [c * v[0] + s * v[1]] if rough else [], r.number(0.05, 0.5) if rough else 0.0)]
        w.solve = ["x", "y"]
    w.start |= {"x": r.number(-0.1, 0.1), "y": r.number(-0.1, 0.1)}
    w.velocity |= {"x": r.speed(), "y": r.speed()}
    if r.chance(0.3):
        w.push("x", -r.number(0.1, 1) * v[0])
    return w


CLASSES = {"mechanisms": mechanisms, "guides": guides, "nonholonomic": nonholonomic, "rotating": rotating}
