# SPDX-License-Identifier: Apache-2.0
"""Formulas: written as text for a model file, differentiated, and evaluated by Python itself.

A coordinate is a symbol `x`, its velocity the symbol `x'`, time is `t`; symbols that begin with `s_` are discrete states.
"""
import math


class Formula:
    """A node; equal formulas are the same object, so that common parts are differentiated and computed once."""

    known = {}

    def __new__(cls, op, *args):
        key = (op, *args)
        if key not in cls.known:
            node = super().__new__(cls)
            node.op, node.args, node.slopes = op, args, {}
            cls.known[key] = node
        return cls.known[key]

    def __add__(self, other):
        other = formula(other)
        if is_number(self) and is_number(other):
            return formula(self.args[0] + other.args[0])
        return other if self is ZERO else self if other is ZERO else Formula("+", self, other)

    def __neg__(self):
        return formula(-self.args[0]) if is_number(self) else self.args[0] if self.op == "neg" else Formula("neg", self)

    def __sub__(self, other):
        other = formula(other)
        if is_number(self) and is_number(other):
            return formula(self.args[0] - other.args[0])
        return -other if self is ZERO else self if other is ZERO else Formula("-", self, other)

    def __mul__(self, other):
        other = formula(other)
        if ZERO in (self, other):
            return ZERO
        if is_number(self) and is_number(other):
            return formula(self.args[0] * other.args[0])
        return other if self is ONE else self if other is ONE else Formula("*", self, other)

    def __truediv__(self, other):
        other = formula(other)
        return self if self is ZERO or other is ONE else Formula("/", self, other)

    def __pow__(self, power):
        return ONE if power == 0 else self if power == 1 else Formula("^", self, formula(power))

    def __radd__(self, other):
        return formula(other) + self

    def __rsub__(self, other):
        return formula(other) - self

    def __rmul__(self, other):
        return formula(other) * self

    def __rtruediv__(self, other):
        return formula(other) / self

    def symbols(self):
        return {self.args[0]} if self.op == "symbol" else set() if is_number(self) else set().union(*(a.symbols() for a in self.args))

    def slope(self, name):
        """The partial derivative by a symbol."""
        if name not in self.slopes:
            self.slopes[name] = slope(self, name)
        return self.slopes[name]

    def replaced(self, table):
        """With symbols replaced by formulas."""
        if self.op == "symbol":
            return table.get(self.args[0], self)
        if is_number(self):
            return self
        if self.op == "der" and any(name in table for name in self.symbols()):
            return Formula("der", self.args[0].replaced(table)) if table.get("t", T) is T else expanded(self).replaced(table)
        return rebuilt(self.op, [a.replaced(table) for a in self.args])

    def text(self):
        return text_of(self, 0)

    def __repr__(self):
        return self.text()


def is_number(node):
    return node.op == "number"


def formula(value):
    return value if isinstance(value, Formula) else Formula("number", float(value))


def symbol(name):
    return Formula("symbol", name)


ZERO, ONE, T = formula(0), formula(1), symbol("t")


def forget():
    """Lets go of the formulas of models that were judged; those in use stay as they are."""
    Formula.known.clear()
    Formula.known.update({(node.op, *node.args): node for node in (ZERO, ONE, T)})


def function(name):
    return lambda *args: Formula(name, *map(formula, args))


sin, cos, sqrt, exp, tanh, atan, absolute = map(function, ("sin", "cos", "sqrt", "exp", "tanh", "atan", "abs"))
larger, smaller, hypot, atan2 = map(function, ("max", "min", "hypot", "atan2"))


def where(condition, above, below):
    """`above` where the condition is positive, else `below`."""
    return Formula("if", *map(formula, (condition, above, below)))


def der(place):
    """The rate of a formula of coordinates and time."""
    return Formula("der", formula(place))


def rebuilt(op, args):
    plain = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b, "neg": lambda a: -a}
    return plain[op](*args) if op in plain else Formula(op, *args)


def expanded(node):
    """What der(place) stands for."""
    place = node.args[0]
    total = place.slope("t")
    for name in sorted(place.symbols() - {"t"}):
        if not name.startswith("s_"):
            total = total + place.slope(name) * symbol(name + "'")
    return total


def slope(node, name):
    op, args = node.op, node.args
    if op == "number":
        return ZERO
    if op == "symbol":
        return ONE if args[0] == name else ZERO
    if op == "der":
        return expanded(node).slope(name)
    d = [a.slope(name) for a in args]
    if all(x is ZERO for x in d):
        return ZERO
    a, b = args[0], args[-1]
    rules = {
        "+": lambda: d[0] + d[1], "-": lambda: d[0] - d[1], "neg": lambda: -d[0],
        "*": lambda: d[0] * b + a * d[1],
        "/": lambda: d[0] / b - a * d[1] / (b * b),
        "^": lambda: b * a ** (b.args[0] - 1) * d[0],  # powers are numbers
        "sin": lambda: cos(a) * d[0], "cos": lambda: -sin(a) * d[0],
        "sqrt": lambda: d[0] / (2 * node), "exp": lambda: node * d[0],
        "tanh": lambda: (1 - node * node) * d[0], "atan": lambda: d[0] / (1 + a * a),
        "abs": lambda: where(a, d[0], -d[0]),
        "max": lambda: where(a - b, d[0], d[1]), "min": lambda: where(a - b, d[1], d[0]),
        "hypot": lambda: (a * d[0] + b * d[1]) / node,
        "atan2": lambda: (b * d[0] - a * d[1]) / (a * a + b * b),
        "if": lambda: where(a, d[1], d[2]),
    }
    return rules[op]()


RANK = {"+": 1, "-": 1, "neg": 2, "*": 3, "/": 3, "^": 4}


def text_of(node, outside):
    op, args = node.op, node.args
    if op == "number":
        text = repr(int(args[0])) if args[0] == int(args[0]) and abs(args[0]) < 1e6 else repr(args[0])
        return f"({text})" if args[0] < 0 or "e" in text and outside else text
    if op == "symbol":
        return args[0]
    if op == "if":
        return f"if({text_of(args[0], 0)} > 0, {text_of(args[1], 0)}, {text_of(args[2], 0)})"
    if op not in RANK:
        return f"{op}({', '.join(text_of(a, 0) for a in args)})"
    rank = RANK[op]
    if op == "neg":
        text = "-" + text_of(args[0], 3)
    elif op == "^":
        text = f"{text_of(args[0], 5)}^{text_of(args[1], 5)}"
    else:
        text = f"{text_of(args[0], rank)} {op} {text_of(args[1], rank + (op in '-/'))}"
        text = text.replace(" * ", "*") if op == "*" else text
    return f"({text})" if rank < outside or outside == 5 else text



def programmed(formulas, names):
    """A Python function of these symbols, in this order, that gives the values of all formulas."""
    lines, place = [], {}

    def put(node):
        if node in place:
            return place[node]
        op, args = node.op, node.args
        if op == "number":
            return f"({args[0]!r})"
        if op == "symbol":
            return f"z[{names.index(args[0])}]"
        if op == "der":
            place[node] = put(expanded(node))
            return place[node]
        parts = [put(a) for a in args]
        code = {"neg": "-{0}", "^": "{0}**{1}", "abs": "abs({0})", "if": "({1} if {0} > 0 else {2})", "sqrt": "sqrt(max({0}, 0.0))"}.get(op)
        if code is None:
            code = "{0} " + op + " {1}" if op in RANK else f"{op}({', '.join('{%d}' % i for i in range(len(args)))})"
        place[node] = f"w{len(lines)}"
        lines.append(f"    {place[node]} = {code.format(*parts)}")
        return place[node]

    results = [put(node) for node in formulas]
    source = "def values(z):\n" + "\n".join(lines) + f"\n    return [{', '.join(results)}]\n"
    space = {name: getattr(math, name) for name in ("sin", "cos", "sqrt", "exp", "tanh", "atan", "atan2", "hypot")}
    exec(source, space)  # noqa: S102 (formulas of our own)
    return space["values"]
