# SPDX-License-Identifier: Apache-2.0
"""A body that starts to slip under a load that turns: friction points against the slip from the first instant on.

Slip begins with t², so that a direction that is right to first order in t only is off by a share of t.
"""

import math

import pytest
from conftest import run_program

TABLE = """\
format = 1
coordinates = ["x", "y", "z"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2"
V = "10*z"
[force.f]
x = "{x}"
y = "{y}"
[contact.table]
gap = "z"
slip = ["x'", "y'"]
friction = 0.3
[start]
closed = ["table"]
[run]
until = 1.5
tolerance = {tolerance}
"""


def starts(fx, fy):
    """The first instant with |F| = 0.3 · 10, by bisection."""
    high = next(k / 100 for k in range(150) if math.hypot(fx(k / 100), fy(k / 100)) >= 3)
    low = high - 0.01
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if math.hypot(fx(middle), fy(middle)) < 3 else (low, middle)
    return high


@pytest.mark.parametrize("tolerance, off", [(1e-6, 5e-5), (1e-9, 2e-5), (1e-12, 2e-6)])
@pytest.mark.parametrize("x, y, fx, fy", [
    ("2+t", "3*t", lambda t: 2 + t, lambda t: 3 * t),
    ("1+2*t", "3*sin(4*t)", lambda t: 1 + 2 * t, lambda t: 3 * math.sin(4 * t)),
    ("3*t", "-2-t", lambda t: 3 * t, lambda t: -2 - t),
])
def test_friction_is_against_a_slip_that_has_just_started(x, y, fx, fy, tolerance, off):
    start = starts(fx, fy)
    at = ",".join(repr(start + d) for d in (1e-4, 3e-4, 1e-3, 3e-3))
    answer = run_program("run", "-", "--json", "--at", at, stdin=TABLE.format(x=x, y=y, tolerance=tolerance))
    assert answer.code == 0, answer.out[-600:] + answer.err
    result = answer.json()
    assert [e["time"] for e in result["events"] if e["kind"] == "slip"] == [pytest.approx(start, abs=1e-9)]
    for sample in result["samples"]:
        T, v = sample["reactions"]["table"]["tangential"], [sample["v"]["x"], sample["v"]["y"]]
        assert math.hypot(*T) == pytest.approx(3.0, rel=1e-9)
        aside = (T[0] * v[1] - T[1] * v[0]) / (3.0 * math.hypot(*v))
        assert abs(aside) < off and T[0] * v[0] + T[1] * v[1] < 0
