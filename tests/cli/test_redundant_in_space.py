# SPDX-License-Identifier: Apache-2.0
"""A table on four feet and an oblique rod on two: forces that are not unique, a motion that is, against closed forms."""

import math

import pytest
from conftest import run_program
from tables import Table, square

WEIGHT = 10.0
MU = 0.4
TABLE = Table(square(1), (MU,) * 4, mass=1.0, tilt=0.5, turn=2 / 3, gravity=WEIGHT)
FEET = {f"f{i}" for i in range(4)}


def rod(push, turned):
    return f"""
format = 1
name = "rod on two tips"
coordinates = ["x", "y", "z", "th", "ph"]
[energy]
T = "(x'^2 + y'^2 + z'^2)/2 + (th'^2 + ph'^2*cos(th)^2)/6"
V = "{WEIGHT}*z"
[force.push]
{push}
[contact.left]
gap = "z - sin(th)"
slip = ["der(x - cos(th)*cos(ph))", "der(y - cos(th)*sin(ph))"]
friction = {MU}
[contact.right]
gap = "z + sin(th)"
slip = ["der(x + cos(th)*cos(ph))", "der(y + cos(th)*sin(ph))"]
friction = {MU}
[start]
ph = {turned}
closed = ["left", "right"]
[run]
until = 2
"""


def run(text, at="0.1,0.7"):
    answer = run_program("run", "-", "--json", "--at", at, stdin=text)
    assert answer.code == 0, answer.out[:600] + answer.err
    result = answer.json()
    assert abs(result["energy"]["unexplained"]) < 1e-9
    return result


def times(result, kind):
    return {e["where"]: e["time"] for e in result["events"] if e["kind"] == kind}


def holds(sample, load):
    """All forces in their cones, and together what is pushed."""
    reactions = sample["reactions"].values()
    assert all(abs(v) < 1e-12 for v in sample["v"].values())
    assert all(math.hypot(*r["tangential"]) <= MU * r["normal"] + 1e-9 for r in reactions)
    assert sum(r["normal"] for r in reactions) == pytest.approx(WEIGHT, abs=1e-9)
    for axis in range(2):
        assert sum(r["tangential"][axis] for r in reactions) == pytest.approx(-load[axis] * sample["t"], abs=1e-9)
    assert sample["reactions_unique"] is False


@pytest.mark.parametrize("push", [(3.0, 0.0), (2.0, 1.0), (-2.4, 3.2)])
@pytest.mark.parametrize("model", ["table", 0.0, 0.7, -2.0], ids=str)
def test_a_push_that_grows_is_held_up_to_the_friction_of_all(model, push):
    """|push| t = mu m g; then |push| t - mu m g along the push, wherever the contacts are."""
    force = f'x = "{push[0]}*t"\ny = "{push[1]}*t"'
    result = run(TABLE.model(force, until=2.0) if model == "table" else rod(force, model))
    for sample in result["samples"]:
        holds(sample, push)
    size = math.hypot(*push)
    start = MU * WEIGHT / size
    slips = times(result, "slip")
    assert len(slips) == (4 if model == "table" else 2)
    assert all(t == pytest.approx(start, abs=1e-12) for t in slips.values())
    speed = size / 2 * (2 - start) ** 2
    assert result["state"]["v"]["x"] == pytest.approx(speed * push[0] / size, abs=1e-9)
    assert result["state"]["v"]["y"] == pytest.approx(speed * push[1] / size, abs=1e-9)


def test_a_table_that_is_turned():
    """All feet are sqrt 2 from the middle: 3 t = mu m g sqrt 2, whatever each of them carries."""
    result = run(TABLE.model('c = "3*t"', until=2.0))
    start = MU * WEIGHT * math.sqrt(2) / 3
    slips = times(result, "slip")
    assert set(slips) == FEET
    assert all(t == pytest.approx(start, abs=1e-12) for t in slips.values())
    assert result["state"]["v"]["c"] == pytest.approx(3 / 2 * 3 / 2 * (2 - start) ** 2, abs=1e-9)


def test_pushed_and_turned_at_once():
    """Limit analysis; opposite feet carry the same, 5 in all."""
    result = run(TABLE.model('x = "2*t"\nc = "1*t"', until=2.0))
    slips = [e for e in result["events"] if e["kind"] == "slip"]
    assert min(e["time"] for e in slips) == pytest.approx(TABLE.onset((2.0, 0.0, 1.0)), abs=1e-9)
    # How the feet share their load now decides where the table goes: said, with the rule.
    assert all(e["case"] == "indeterminate" and e["rule"] == "even share" for e in slips)


@pytest.mark.parametrize("push, leave, end", [
    ('z = "8*t"', {"f0", "f1", "f2", "f3"}, 1.25),
    # About the edge of f2 and f3, m g.
    ('a = "8*t"', {"f0", "f1"}, 1.25),
    # At the corner of f0: the opposite one carries as much as is pulled, the others m g − 10 t together.
    ('z = "5*t"\na = "5*t"\nb = "-5*t"', {"f0", "f1", "f3"}, 1.0),
])
def test_a_foot_leaves_where_no_sharing_keeps_it(push, leave, end):
    result = run(TABLE.model(push, until=1.5))
    released = times(result, "release")
    assert set(released) == leave
    assert all(t == pytest.approx(end, abs=1e-12) for t in released.values())


def test_a_table_slides_to_rest():
    result = run(TABLE.model(velocity="x = 3\ny = 4", until=2.0), at="1.9")
    q = result["state"]["q"]
    assert (q["x"], q["y"]) == (pytest.approx(1.875, abs=1e-9), pytest.approx(2.5, abs=1e-9))
    assert all(t == pytest.approx(1.25, abs=1e-9) for t in times(result, "stick").values())
    holds(result["samples"][0], (0.0, 0.0))


def test_a_table_spins_to_rest():
    """Moment mu m g sqrt 2 against 2/3 of inertia."""
    result = run(TABLE.model(velocity="c = 3", until=2.0))
    braking = MU * WEIGHT * math.sqrt(2) * 3 / 2
    assert result["state"]["q"]["c"] == pytest.approx(9 / 2 / braking, abs=1e-9)
    assert all(t == pytest.approx(3 / braking, abs=1e-9) for t in times(result, "stick").values())


def test_a_shaken_table_sticks_and_slips():
    """4.5 sin 5t against 4: slip from asin(8/9)/5 until the impulse of the difference is used up, then mirrored."""
    result = run(TABLE.model('x = "4.5*sin(5*t)"', until=3))
    first = math.asin(8 / 9) / 5

    def left(t):
        return 0.9 * (math.cos(5 * first) - math.cos(5 * t)) - 4 * (t - first)

    low, high = first + 0.2, first + 0.5
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) > 0 else (low, middle)
    half = math.pi / 5
    mine = [e for e in result["events"] if e["where"] == "f2" and e["kind"] in ("slip", "stick")]
    assert [e["kind"] for e in mine] == ["slip", "stick"] * 4 + ["slip"]
    for i, event in enumerate(mine):
        assert event["time"] == pytest.approx((first if i % 2 == 0 else low) + i // 2 * half, abs=1e-9)
