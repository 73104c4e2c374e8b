# SPDX-License-Identifier: Apache-2.0
"""A table slides and turns on four feet and more: against an integration of its own, with feet that are equally stiff."""

import math

import pytest
from conftest import run_program
from tables import Table, ring, sampled, square

SQUARE = square(0.5)
UNEQUAL = (0.5, 0.4, 0.3, 0.2, 0.35, 0.45)
PUSHED = [
    (SQUARE, (0.4,) * 4, (20.0, 0.0, 10.0)),
    (SQUARE, UNEQUAL[:4], (20.0, 5.0, 0.0)),
    (SQUARE, (0.4, 0.4, 0.3, 0.3), (20.0, 0.0, 0.0)),
    (ring(5), UNEQUAL[:5], (20.0, 5.0, 0.0)),
    (ring(6), UNEQUAL, (20.0, 5.0, 0.0)),
]


def name(value):
    return f"{len(value)} feet" if isinstance(value[0], tuple) else str(value)


def run(text, *words, limit=60):
    answer = run_program("run", "-", "--json", *words, stdin=text, limit=limit)
    assert answer.code == 0, answer.out[-600:] + answer.err
    result = answer.json()
    assert abs(result["energy"]["unexplained"]) < 1e-9
    return result


def growing(load):
    return "".join(f'{axis} = "{size}*t"\n' for axis, size in zip("xyc", load))


@pytest.mark.parametrize("feet, mu", [
    (SQUARE, (0.4,) * 4), (SQUARE, UNEQUAL[:4]), (SQUARE, (0.4, 0.4, 0.3, 0.3)),
    (ring(5), UNEQUAL[:5]), (ring(6), (0.4,) * 6), (ring(6), UNEQUAL)], ids=name)
@pytest.mark.parametrize("height", [0.0, 0.3])
def test_sliding_and_turning(feet, mu, height):
    table = Table(feet, mu, height)
    result = run(table.model(velocity="x = 1\ny = 0.5\nc = 2"), "--at", "0.15")
    wanted = table.integrated([0, 0, 0, 1, 0.5, 2], lambda t: (0, 0, 0), 0.0, 0.15)
    assert sampled(result["samples"][0]) == pytest.approx(wanted, abs=1e-9)
    # And it comes to rest, every foot of it.
    assert max(abs(v) for v in result["state"]["v"].values()) < 1e-12
    assert {e["where"] for e in result["events"] if e["kind"] == "stick"} == {f"f{i}" for i in range(len(feet))}


@pytest.mark.parametrize("mu", [(0.45,) * 4, (0.5, 0.4, 0.45, 0.42)], ids=str)
@pytest.mark.parametrize("start", [(4.0, 4.0, 0.0), (4.0, 4.0, 2.0), (4.0, 0.5, 4.0)], ids=str)
def test_a_foot_that_would_pull_carries_nothing_until_it_would_press(mu, start):
    """So high that the foot behind would have to pull; as the table turns another one is behind."""
    table = Table(SQUARE, mu, height=0.95)
    velocity = "".join(f"{axis} = {v}\n" for axis, v in zip("xyc", start))
    result = run(table.model(velocity=velocity, until=0.7), "--at", "0.1,0.2,0.3,0.4,0.5,0.6")
    state, last, idle, told = [0.0] * 3 + list(start), 0.0, set(), {}

    def pressures(state):
        along = [(u / math.hypot(u, v), v / math.hypot(u, v)) for u, v in table.slips(state)]
        return table.pressure(table.arms(state[2]), along)

    waiting = {f"f{i}" for i, p in enumerate(pressures(state)) if p == 0.0}
    for sample in result["samples"]:
        # A foot that comes or goes within a step costs the reference some h².
        state = table.integrated(state, lambda t: (0, 0, 0), last, sample["t"], steps=400)
        last = sample["t"]
        assert sampled(sample) == pytest.approx(state, abs=1e-7)
        pressure = pressures(state)
        assert [sample["reactions"][f"f{i}"]["normal"] for i in range(4)] == pytest.approx(pressure, abs=1e-5)
        idle.add(tuple(p == 0.0 for p in pressure))
        for e in result["events"]:
            if last - 0.1 < e["time"] <= last and e["time"] > 0 and e["kind"] == "slip":
                (waiting.add if e["rule"] == "even share, carries nothing" else waiting.discard)(e["where"])
                told[e["rule"]] = told.get(e["rule"], 0) + 1
                # Where a foot comes or goes it would carry nothing.
                there = [e["q"][c] for c in "xyc"] + [e["v_plus"][c] for c in "xyc"]
                assert pressures(there)[int(e["where"][1:])] == pytest.approx(0.0, abs=1e-5)
        assert waiting == {f"f{i}" for i, p in enumerate(pressure) if p == 0.0}
    assert idle != {(False,) * 4}
    # Feet that come and go are told, as often as the table turns them to the rear.
    assert set(told) <= {"even share, carries nothing", "even share, presses again"}
    assert bool(told) == (start[2] != 0.0)


@pytest.mark.parametrize("feet, mu, load", PUSHED, ids=name)
def test_held_until_no_sharing_is_left_and_moving_from_then_on(feet, mu, load):
    """Held up to the instant of limit analysis; then the motion that an integration of its own has from there."""
    table = Table(feet, mu)
    start = table.onset(load)
    result = run(table.model(growing(load), until=2.5), "--at", f"{start - 1e-6},{start + 0.05}")
    held, soon = result["samples"]
    assert max(abs(v) for v in held["v"].values()) < 1e-12
    slips = [e for e in result["events"] if e["kind"] == "slip"]
    assert {e["where"] for e in slips} == {f"f{i}" for i in range(len(feet))}
    assert all(e["time"] == pytest.approx(start, abs=1e-8) for e in slips)
    # Where the table goes is a matter of how its feet share their load now: said, with the rule.
    assert all("even share" in e["rule"] for e in slips)
    assert sampled(soon) == pytest.approx(table.started(lambda t: [x * t for x in load], start, soon["t"]), abs=1e-7)
    wanted = table.started(lambda t: [x * t for x in load], start, 2.5)
    assert sampled(result["state"]) == pytest.approx(wanted, abs=1e-7)
    assert all(e["kind"] in ("attach", "slip") for e in result["events"])


@pytest.mark.parametrize("feet, mu, load", PUSHED[:3], ids=name)
def test_friction_above_the_floor_loads_the_feet_in_front(feet, mu, load):
    """The last instant is liaison's own, with forces in their cones just before; the motion from there is not."""
    table = Table(feet, mu, height=0.3)
    result = run(table.model(growing(load), until=2.5))
    start = min(e["time"] for e in result["events"] if e["kind"] == "slip")
    held = run(table.model(growing(load), until=2.5), "--at", f"{start - 1e-6}")["samples"][0]
    for i, m in enumerate(mu):
        force = held["reactions"][f"f{i}"]
        assert math.hypot(*force["tangential"]) <= m * force["normal"] + 1e-9
    wanted = table.started(lambda t: [x * t for x in load], start, 2.5)
    assert sampled(result["state"]) == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("count, height", [(5, 0.0), (5, 0.3), (6, 0.0), (6, 0.3)])
def test_turned_about_one_foot_until_that_slips_too(count, height):
    """No event on the way depends on the tolerance, and the motion as little as that says: the foot that holds longest starts
    to slip from rest, where friction decides its direction within microseconds."""
    table = Table(ring(count), UNEQUAL[:count], height)
    ends = []
    for tolerance in (1e-10, 1e-13):
        result = run_program("run", "-", "--json", limit=60, stdin=table.model(
            growing((20.0, 0.0, 10.0)), until=2.5, run=f"tolerance = {tolerance}")).json()
        assert result["status"] == "done"
        ends.append(sampled(result["state"]))
        slips = {e["where"]: e["time"] for e in result["events"] if e["kind"] == "slip"}
        assert set(slips) == {f"f{i}" for i in range(count)}
        # Energy of some 100 J that an error of 1e-9 of the velocities changes by as much.
        assert abs(result["energy"]["unexplained"]) < 1e-9 + 1e3 * tolerance
        assert sorted(slips, key=slips.get)[-1] == "f1"
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)
