# SPDX-License-Identifier: Apache-2.0
"""More frictional contacts than a body needs: the motion is right, and what is not unique or not certified is said."""

import pytest
from conftest import run_program


def feet(count, push, mu=0.3, until=0.1):
    """A slab on many feet in a row, pushed at their height: three degrees of freedom, twice as many forces as feet."""
    text = f"""
format = 1
name = "slab on feet"
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2 + th'^2)/2"
V = "9.81*y"
[force.push]
x = {push!r}
[run]
until = {until}
"""
    middle = (count - 1) / 2
    return text + "".join(f"""
[contact.f{i}]
gap = "y + ({i} - {middle})*th"
slip = "x'"
friction = {mu}
""" for i in range(count))


def run(text, code=0):
    answer = run_program("run", "-", "--json", "--at", "0,0.05", stdin=text)
    assert answer.code == code, answer.out[:600] + answer.err
    assert answer.seconds < 20
    return answer.json()


def total(sample, part):
    if part == "normal":
        return sum(r["normal"] for r in sample["reactions"].values())
    return sum(r["tangential"][0] for r in sample["reactions"].values())


@pytest.mark.parametrize("count", [2, 4, 14, 30])
def test_a_slab_holds_on_any_number_of_feet(count):
    result = run(feet(count, 2.5))
    for sample in result["samples"]:
        assert abs(sample["a"]["x"]) < 1e-9 and abs(sample["a"]["th"]) < 1e-9
        assert total(sample, "normal") == pytest.approx(9.81, abs=1e-8)
        assert total(sample, "tangential") == pytest.approx(-2.5, abs=1e-8)
        assert all(abs(r["tangential"][0]) <= 0.3 * r["normal"] + 1e-8 for r in sample["reactions"].values())
        assert sample["reactions_unique"] is False
        assert set(sample["mode"].values()) == {"stick"}
    beyond = [w for w in result["warnings"] if "others were not looked for" in w]
    assert len(beyond) == (1 if count > 6 else 0)


@pytest.mark.parametrize("count", [2, 14])
def test_a_slab_slides_when_pushed_harder_than_friction(count):
    result = run(feet(count, 5.0))
    for sample in result["samples"]:
        assert sample["a"]["x"] == pytest.approx(5.0 - 0.3 * 9.81, abs=1e-8)
        assert set(sample["mode"].values()) == {"slip"}
    assert result["state"]["v"]["x"] == pytest.approx(0.1 * (5.0 - 0.3 * 9.81), abs=1e-8)
    assert abs(result["energy"]["unexplained"]) < 1e-9


@pytest.mark.parametrize("count", [2, 3, 14])
def test_a_slab_starts_to_slide_when_the_push_has_grown(count):
    """All feet together hold 0.3*9.81, wherever the load is; the push 2.5 + t reaches it at t = 0.443."""
    text = feet(count, 0.0, until=0.6).replace("x = 0.0", 'x = "2.5 + t"')
    result = run(text)
    slips = [e for e in result["events"] if e["kind"] == "slip"]
    assert {e["time"] for e in slips} and all(e["time"] == pytest.approx(0.443, abs=1e-8) for e in slips)
    t = 0.6 - 0.443
    assert result["state"]["v"]["x"] == pytest.approx(t * t / 2, abs=1e-8)
    assert abs(result["energy"]["unexplained"]) < 1e-8


def test_beyond_enumeration_is_said_in_the_event_and_in_a_warning():
    result = run(feet(14, 2.5))
    first = result["events"][0]
    assert first["case"] == "not certified"
    assert first["rule"].startswith("2.68e+08 assignments of modes are too many to enumerate: one solution was found by "
                                    "complementary pivoting and verified")


def test_separate_bodies_are_decided_apart():
    """Eight blocks of two corners have 4^16 assignments together and 16 each: nothing is left uncertain."""
    text = "format = 1\nname = \"blocks\"\n"
    n = 8
    text += "coordinates = [" + ", ".join(f'"x{i}", "y{i}", "th{i}"' for i in range(n)) + "]\n[energy]\n"
    text += 'T = "' + " + ".join(f"(x{i}'^2 + y{i}'^2 + th{i}'^2)/2" for i in range(n)) + '"\n'
    text += 'V = "' + " + ".join(f"10*y{i}" for i in range(n)) + '"\n[force.push]\n'
    text += "".join(f"x{i} = {1.0 * i}\n" for i in range(n))
    for i in range(n):
        for side, sign in (("a", "-"), ("b", "+")):
            text += f'[contact.{side}{i}]\ngap = "y{i} {sign} th{i}"\nslip = "x{i}\'"\nfriction = 0.35\n'
    text += "[run]\nuntil = 0.1\n"
    result = run(text)
    assert result["warnings"] == []
    for i in range(n):
        assert result["samples"][0]["a"][f"x{i}"] == pytest.approx(max(0.0, i - 3.5), abs=1e-9)


def test_a_single_foot_has_unique_reactions():
    text = feet(1, 1.0).replace("[run]", '[constraint.level]\nequation = "th = 0"\n[run]')
    assert "reactions_unique" not in run(text)["samples"][0]


def comb(count, velocity, force=""):
    """A bar on feet that are evenly spaced over [-1, 1], 0.05 above the line of its slips."""
    feet = "".join(f"""
[contact.f{i}]
gap = "y + ({-1 + 2 * i / (count - 1)!r})*sin(th)"
slip = "der(x + 0.05*th)"
friction = 0.3
""" for i in range(count))
    return f"""
format = 1
name = "comb"
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2)/2 + th'^2/6"
V = "10*y"
{force}
[start.velocity]
x = {velocity}
[run]
until = 2.5
{feet}"""


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 9])
def test_a_moment_that_grows_tips_the_bar_about_its_last_foot(count):
    """Pushed by t/2 and turned by 5t the friction of the feet turns back by t/40: m g = 4.975 t lifts all feet but one, however
    many there are and whichever of them carried."""
    answer = run_program("run", "-", "--json", stdin=comb(count, 0, '[force.turn]\nx = "0.5*t"\nth = "5*t"'))
    assert answer.code == 0, answer.out[-500:]
    result = answer.json()
    released = {e["where"]: e["time"] for e in result["events"] if e["kind"] == "release"}
    assert set(released) == {f"f{i}" for i in range(1, count)}
    assert all(t == pytest.approx(10 / 4.975, abs=1e-9) for t in released.values())
    assert abs(result["energy"]["unexplained"]) < 1e-9


@pytest.mark.parametrize("count", [5, 7, 9])
def test_a_bar_slides_to_rest_on_any_number_of_feet(count):
    answer = run_program("run", "-", "--json", stdin=comb(count, 1))
    assert answer.code == 0, answer.out[-500:]
    result = answer.json()
    stuck = {e["where"]: e["time"] for e in result["events"] if e["kind"] == "stick"}
    assert len(stuck) == count and all(t == pytest.approx(1 / 3, abs=1e-9) for t in stuck.values())
    assert result["state"]["q"]["x"] == pytest.approx(1 / 6, abs=1e-9)


def bar(mu, height):
    """A bar on three feet in a row, the middle one under its mass centre, that slides at its start."""
    text = f"""
format = 1
name = "bar on three feet"
coordinates = ["x", "y", "th"]
[energy]
T = "(x'^2 + y'^2)/2 + th'^2/6"
V = "9.81*y"
[start]
closed = ["f0", "f1", "f2"]
[start.velocity]
x = 1
[run]
until = 2
"""
    return text + "".join(f"""
[contact.f{i}]
gap = "y + ({i - 1})*th"
slip = "der(x + {height}*th)"
friction = {m}
""" for i, m in enumerate(mu))


@pytest.mark.parametrize("mu", [(0.3, 0.3, 0.3), (0.3, 0.2, 0.1), (0.1, 0.5, 0.1)])
@pytest.mark.parametrize("height", [0.0, 0.2, 0.5])
def test_feet_in_a_row_that_slide_share_their_load_evenly(mu, height):
    """N = depth + tilt place with the weight in all and no moment; the brake is what they rub together, and where they rub
    differently another sharing would brake otherwise: said at the start."""
    places = (-1.0, 0.0, 1.0)
    lean = [p - m * height for p, m in zip(places, mu)]
    # depth sum(lean) + tilt sum(places lean) = 0 and 3 depth = weight, since the places add up to nothing.
    depth = 9.81 / 3
    tilt = -depth * sum(lean) / sum(p * q for p, q in zip(places, lean))
    normal = [depth + tilt * p for p in places]
    brake = sum(m * n for m, n in zip(mu, normal))
    result = run(bar(mu, height))
    for sample in result["samples"]:
        assert [r["normal"] for r in sample["reactions"].values()] == pytest.approx(normal, abs=1e-9)
        assert sample["a"]["x"] == pytest.approx(-brake, abs=1e-9)
        assert sample["reactions_unique"] is False
    # Coefficients that are linear in place brake alike whatever the sharing without a moment.
    if mu[0] + mu[2] != pytest.approx(2 * mu[1]):
        first = result["events"][0]
        assert (first["time"], first["case"], first["rule"]) == (0.0, "indeterminate", "even share")
    stuck = [e["time"] for e in result["events"] if e["kind"] == "stick"]
    assert stuck and all(t == pytest.approx(1 / brake, abs=1e-9) for t in stuck)
    assert abs(result["energy"]["unexplained"]) < 1e-9


def piled_blocks(left, right):
    """A plate, a block on two feet on it, another on two feet on that; `left`, `right`: what turning adds to the slips of the feet."""
    return f"""
format = 1
name = "plate and two blocks"
coordinates = ["x1", "x2", "x3", "y1", "y2", "y3", "th2", "th3"]
[energy]
T = "(x1'^2 + x2'^2 + x3'^2 + y1'^2 + y2'^2 + y3'^2)/2 + 0.03/2*(th2'^2 + th3'^2)"
V = "9.81*(y1 + y2 + y3)"
[force.push]
x2 = "12*t"
[contact.F]
gap = "y1"
slip = "x1'"
friction = 0.2
[contact.L2]
gap = "y2 - y1 - 0.3*th2"
slip = "x2' - x1' + {left}*th2'"
friction = 0.4
[contact.R2]
gap = "y2 - y1 + 0.3*th2"
slip = "x2' - x1' + {right}*th2'"
friction = 0.4
[contact.L3]
gap = "y3 - y2 - 0.3*(th3 - th2)"
slip = "x3' - x2' + {left}*(th2' + th3')"
friction = 0.4
[contact.R3]
gap = "y3 - y2 + 0.3*(th3 - th2)"
slip = "x3' - x2' + {right}*(th2' + th3')"
friction = 0.4
[start]
closed = ["F", "L2", "R2", "L3", "R3"]
[run]
until = 0.8
"""


@pytest.mark.parametrize("left, right", [(0.1, 0.1), (0.1, 0.2), (0.0, -0.3)])
def test_two_interfaces_of_two_sticking_feet_each(left, right):
    """The floor holds 0.2·3·9.81 = 5.886 until t = 0.4905; then all three move as one, 3 x'' = 12 t − 5.886."""
    answer = run_program("run", "-", "--json", stdin=piled_blocks(left, right))
    assert answer.code == 0, answer.err
    result = answer.json()
    assert [(e["kind"], e["where"]) for e in result["events"]] == [("slip", "F")]
    assert result["events"][0]["time"] == pytest.approx(0.4905, abs=1e-12)
    start, end = 0.4905, 0.8
    speed = 2 * (end**2 - start**2) - 1.962 * (end - start)
    for x in ("x1", "x2", "x3"):
        assert result["state"]["v"][x] == pytest.approx(speed, abs=1e-9)
