# SPDX-License-Identifier: Apache-2.0
"""Laws of violations that couple constraints: obeyed exactly where they are stable, refused where they are not."""

import pytest
from conftest import run_program

KINEMATIC = """format = 1
coordinates = ["x", "y", "z"]
[kinematics]
velocity = {{ z = 1 }}
[constraint.a]
equation = "x - 0.2*z = 0"
stabilise = {a}
[constraint.b]
equation = "y + 0.3*sin(z) = 0"
stabilise = {b}
[start]
x = 0.1
y = -0.2
inconsistent = "relax"
[run]
until = 1
tolerance = 1e-12
"""

MECHANICAL = """format = 1
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "x + y^2 - z"
[constraint.a]
equation = "x - 0.1*z^2 = 0"
stabilise = {a}
[constraint.b]
equation = "{second}"
stabilise = {b}
[start]
x = 0.1
y = 0.05
inconsistent = "relax"
[start.velocity]
x = -0.2
y = 0.5
[run]
until = 1
tolerance = 1e-12
"""


def exponential(A, g):
    """e^A g by its series, after halving A ten times."""
    n = len(g)
    small = [[a / 1024 for a in row] for row in A]
    for _ in range(1024):
        term, total = list(g), list(g)
        for k in range(1, 20):
            term = [sum(small[i][j] * term[j] for j in range(n)) / k for i in range(n)]
            total = [s + t for s, t in zip(total, term, strict=True)]
        g = total
    return g


def ask(text):
    answer = run_program("run", "-", "--json", "--at", "0,1", stdin=text)
    return answer.code, answer.json()


def row(*numbers):
    return f"[{list(numbers)}]"


@pytest.mark.parametrize("A", [[[-1, 3], [-3, -1]], [[-1, 0], [5, -1]], [[-4, 1], [2, -1]], [[0, 1], [-1, 0]]])
def test_stable_laws_of_first_order_are_obeyed(A):
    code, result = ask(KINEMATIC.format(a=row(*A[0]), b=row(*A[1])))
    assert code == 0, result

    def violations(sample):
        q = sample["q"]
        from math import sin
        return [q["x"] - 0.2 * q["z"], q["y"] + 0.3 * sin(q["z"])]

    first, last = map(violations, result["samples"])
    for have, want in zip(last, exponential(A, first), strict=True):
        assert abs(have - want) < 1e-10


@pytest.mark.parametrize("A, told", [
    ([[-1, -3], [-3, -1]], "eigenvalue 2"),
    ([[-1, 2], [2, -1]], "eigenvalue 1"),
    ([[1, 4], [-4, 1]], "eigenvalue 1 ± 4i"),
    ([[1, 0], [0, -1]], "1 is positive"),
    ([[-1, 0], [7, 2]], "2 is positive"),
])
def test_unstable_laws_of_first_order_are_refused(A, told):
    code, result = ask(KINEMATIC.format(a=row(*A[0]), b=row(*A[1])))
    assert code == 2
    (diagnostic,) = result["diagnostics"]
    assert diagnostic["code"] == "E0310" and told in str(diagnostic), diagnostic


def holonomic(sample):
    q, v = sample["q"], sample["v"]
    f = [q["x"] - 0.1 * q["z"] ** 2, q["y"] - q["z"]]
    rate = [v["x"] - 0.2 * q["z"] * v["z"], v["y"] - v["z"]]
    return f + rate


def mixed(sample):
    q, v = sample["q"], sample["v"]
    return [q["x"] - 0.1 * q["z"] ** 2, v["x"] - 0.2 * q["z"] * v["z"], v["y"] - 2 * v["z"]]


@pytest.mark.parametrize("rows", [
    ((-40, 10, -13, 0), (10, -40, 0, -13)),
    ((-40, 0, -1, 3), (0, -40, -3, -1)),
    ((-9, 0, -2, 0), (5, -9, 1, -2)),
])
def test_stable_laws_of_positions_are_obeyed(rows):
    code, result = ask(MECHANICAL.format(a=row(*rows[0]), b=row(*rows[1]), second="y - z = 0"))
    assert code == 0, result
    A = [[0, 0, 1, 0], [0, 0, 0, 1], rows[0], rows[1]]
    first, last = map(holonomic, result["samples"])
    for have, want in zip(last, exponential(A, first), strict=True):
        assert abs(have - want) < 1e-10


@pytest.mark.parametrize("rows", [((-40, -13, 0), (0, 0, -6)), ((-40, -13, 5), (0, 2, -6))])
def test_stable_laws_of_positions_and_velocities_are_obeyed(rows):
    code, result = ask(MECHANICAL.format(a=row(*rows[0]), b=row(*rows[1]), second="y' - 2*z' = 0"))
    assert code == 0, result
    A = [[0, 1, 0], rows[0], rows[1]]
    first, last = map(mixed, result["samples"])
    for have, want in zip(last, exponential(A, first), strict=True):
        assert abs(have - want) < 1e-10


@pytest.mark.parametrize("rows, second", [
    (((40, -13, 0), (0, 0, -6)), "y' - 2*z' = 0"),
    (((-4, -1, 5), (3, 2, -1)), "y' - 2*z' = 0"),
    (((-40, 50, -13, 0), (50, -40, 0, -13)), "y - z = 0"),
    (((-40, 0, 1, -13), (0, -40, -13, 1)), "y - z = 0"),
])
def test_unstable_laws_are_refused(rows, second):
    code, result = ask(MECHANICAL.format(a=row(*rows[0]), b=row(*rows[1]), second=second))
    assert code == 2 and result["diagnostics"][0]["code"] == "E0310", result


def test_constraints_in_another_order_are_judged_the_same():
    for a, b in (((-1, -3), (-3, -1)), ((-1, 3), (-3, -1))):
        first, _ = ask(KINEMATIC.format(a=row(*a), b=row(*b)))
        swapped = KINEMATIC.replace("constraint.a", "constraint.c").replace("constraint.b", "constraint.a")
        second, _ = ask(swapped.format(a=row(*a), b=row(*b)))
        assert first == second
