# SPDX-License-Identifier: Apache-2.0
"""Models that are odd in their names or in what stands inside what: told or run, never a crash."""

import math
import re

import pytest
from conftest import ROOT, needs, run_program

pytestmark = needs("run")

BODY = """\
format = 1
[parameters]
{name} = 1.0
[body.b]
kind = "free"
mass = 2
inertia = [1, 1, 1]
[observe]
a = "der(b.point(1,0,0).y)"
[run]
until = 0.1
"""
PARTS = "x y z e0 e1 e2 e3 vx vy vz p q r".split()


@pytest.mark.parametrize("name", PARTS)
def test_a_parameter_with_the_name_of_a_part_of_the_body(name):
    for command in "run", "check", "explain":
        answer = run_program(command, "-", stdin=BODY.format(name=name))
        assert answer.code == 2, answer.err
        assert f"`{name}` is defined twice" in answer.err
        assert "1 error" in answer.err, "no error follows from the first"


def test_the_second_body_is_not_taken_for_the_first():
    # Both bodies clash with a name; their points stay those of their own.
    text = BODY.format(name="vx").replace("[observe]", '[body.c]\nkind = "fixed-point"\ninertia = [1, 1, 1]\n[observe]')
    answer = run_program("check", "-", stdin=text + "")
    assert answer.code == 0, answer.err  # with two bodies the parts carry the names of the bodies
    assert run_program("run", "-", stdin=text).code == 0


# Words that users like, and words that the program uses itself.
WORDS = ("vx vy p q e e0 x1 l lambda w s side slides held gap slip normal tangential energy work time "
         "state mode closed open sigma level low high guard root N k1 I E alpha beta inf nan null true").split()


def renamed(text, word):
    """The model with its first parameter renamed wherever it is a name; nothing where the word is taken."""
    text = re.sub(r',\s*unit\s*=\s*"[^"]*"', "", text)
    table = re.search(r"^\[parameters\]\n(.*?)(?=^\[)", text, re.M | re.S)
    first = re.search(r"^([A-Za-z_]\w*)\s*=", table.group(1), re.M) if table else None
    if not first or re.search(rf"(?<!\w){word}(?!\w)", text):
        return None
    return re.sub(rf"(?<![\w.]){first.group(1)}(?![\w=])", word, text)


MODELS = sorted(ROOT.glob("examples/[0-9]*/model.toml"))


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.parent.name)
def test_gallery_models_with_their_first_parameter_renamed(path):
    # A name is only a name: the model stays sound, whatever the program calls its own things.
    text = path.read_text()
    first = sum(map(ord, path.parent.name)) % len(WORDS)
    tried = 0
    for word in WORDS[first:] + WORDS[:first]:
        other = renamed(text, word)
        if other is None:
            continue
        answer = run_program("check", "-", stdin=other)
        assert answer.code in (0, 2), (word, answer.err)
        # Bodies bring names of their own.
        assert answer.code == 0 or "is defined twice" in answer.err, (word, answer.err)
        tried += 1
        if tried == 4:
            break


KINEMATIC = """\
format = 1
coordinates = ["a", "b"]
[kinematics]
[constraint.c]
equation = "b - a^2 = 0"
[constraint.d]
equation = "a - t = 0"
{more}
[run]
until = 1
"""


def test_rates_and_accelerations_of_a_kinematic_model():
    # a = t, b = t²: b' = 2 t, b'' = 2, and b' passes 1 at t = 1/2.
    more = """[observe]
rate = "b'"
acceleration = "der(b')"
both = "a'*b' + t"
[integral]
same = "b' - 2*t"
[event.fast]
when = "b' - 1"
"""
    run = run_program("run", "-", "--json", "--at", "0.25,1", stdin=KINEMATIC.format(more=more)).json()
    assert run["status"] == "done"
    for sample in run["samples"]:
        t = sample["t"]
        assert sample["observe"]["rate"] == pytest.approx(2 * t, abs=1e-9)
        assert sample["observe"]["acceleration"] == pytest.approx(2, abs=1e-9)
        assert sample["observe"]["both"] == pytest.approx(3 * t, abs=1e-9)
    assert [e["where"] for e in run["events"]] == ["fast"]
    assert run["events"][0]["time"] == pytest.approx(0.5, abs=1e-10)
    assert run["integrals"]["same"]["max_drift"] < 1e-9


@pytest.mark.parametrize("more", [
    '[event.e]\nwhen = "b - 0.25"\nset.velocity.b = 3\n',
    '[relay.r]\nsurface = "b\'"\n',
    '[force.f]\nb = "1"\n',
    '[contact.s]\ngap = "2 - b"\n',
])
def test_what_a_kinematic_model_does_not_have_is_refused(more):
    answer = run_program("run", "-", stdin=KINEMATIC.format(more=more))
    assert answer.code == 2, answer.err


BELT = """\
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "y^2/2"
{force}
[start]
y = 1
[start.velocity]
x = 1
[run]
until = 5
"""
NESTED = {
    "sign in sign": "[force.f]\nx = \"-sign(x' - 0.5*sign(y))\"",
    "if in if": "[force.f]\nx = \"if(x' > if(y > 0, 0.5, -0.5), -1, 1)\"",
    "sign in if": "[force.f]\nx = \"if(x' > 0.5*sign(y), -1, 1)\"",
    "relay in sign": "[relay.b]\nsurface = \"y\"\nforce.y = \"1e-300*u\"\n[force.f]\nx = \"-sign(x' - 0.5*u.b)\"",
    "sign in the surface of a relay": "[relay.a]\nsurface = \"x' - 0.5*sign(y)\"\nforce.x = \"-u\"",
}


@pytest.mark.parametrize("force", NESTED.values(), ids=NESTED.keys())
def test_a_belt_that_reverses(force):
    # y = cos t. The belt has the velocity ½ while y > 0 and −½ otherwise: x' falls from 1 to ½ by t = ½, keeps to the belt
    # until π/2, falls to −½ within one unit of time, keeps to it until 3π/2 and rises at rate 1 to the end.
    run = run_program("run", "-", "--json", stdin=BELT.format(force=force)).json()
    assert run["status"] == "done"
    half, turn = math.pi / 2, 3 * math.pi / 2
    rest = 5 - turn
    x = (0.5 - 0.125) + 0.5 * (half - 0.5) + (0.5 - 0.5) - 0.5 * (turn - half - 1) + (-0.5 * rest + rest**2 / 2)
    assert run["state"]["v"]["x"] == pytest.approx(-0.5 + rest, abs=1e-9)
    assert run["state"]["q"]["x"] == pytest.approx(x, abs=1e-9)


SLIDING_INSIDE = """\
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.f]
x = "-sign(x' - 0.5*sign(y'))"
y = "-2*sign(y')"
[start.velocity]
x = 1
y = 0.2
[run]
until = 5
"""


def test_the_inner_sign_slides():
    # Once y' rests at 0 the belt goes to and fro in no time, and its friction is the mean of both directions: −1 above ½, none
    # below. x' falls to ½ at t = ½ and stays.
    run = run_program("run", "-", "--json", stdin=SLIDING_INSIDE).json()
    assert run["status"] == "done"
    assert run["state"]["v"]["x"] == pytest.approx(0.5, abs=1e-9)
    assert run["state"]["q"]["x"] == pytest.approx(0.375 + 0.5 * 4.5, abs=1e-9)
    # Chatter of a switch that looks only now and then says the same.
    sign = lambda z: (z > 0) - (z < 0)  # noqa: E731
    h, v, w, x = 1e-5, 1.0, 0.2, 0.0
    for _ in range(round(5 / h)):
        v, w, x = v - h * sign(v - 0.5 * sign(w)), w - 2 * h * sign(w), x + h * v
    assert run["state"]["q"]["x"] == pytest.approx(x, abs=1e-3)
    # Where the inner value is an equivalent control, its surface is another one: that is not offered.
    for words in ["--realise", "relay=utkin"], ["--layer", "1e-3"]:
        answer = run_program("run", "-", *words, stdin=SLIDING_INSIDE)
        assert answer.code == 2 and "E0910" in answer.err


def test_a_named_surface_on_another_relay_is_refused():
    text = SLIDING_INSIDE.replace('x = "-sign(x\' - 0.5*sign(y\'))"\n', "") + (
        "[relay.a]\nsurface = \"x' - 0.5*sign(y')\"\nforce.x = \"-u\"\n")
    answer = run_program("run", "-", stdin=text)
    assert answer.code == 2 and "E0910" in answer.err and "[force.NAME]" in answer.err


@pytest.mark.parametrize("definition", ["filippov", "utkin"])
@pytest.mark.parametrize("force", ["-abs(x - 0.5*sign(y))", "-floor(x + sign(y))", "-max(0, x*sign(y))",
                                   "-sign(sign(x'))", "if(x > 0 and sign(y) > 0, -1, 1)"])
def test_functions_of_a_sign(force, definition):
    # Between the instants at which y = cos t changes its sign nothing slides, but for sign(x') itself, which ends at rest: a
    # fine Runge-Kutta method with the sign at hand is judge enough.
    text = BELT.format(force=f'[force.f]\nx = "{force}"')
    answer = run_program("run", "-", "--json", "--realise", f"relay={definition}", stdin=text)
    nested = "sign(sign" in force or "sign(y) > 0" in force
    assert answer.code == (2 if nested and definition == "utkin" else 0)
    if answer.code != 0:
        return
    run = answer.json()
    sign = lambda z: (z > 0) - (z < 0)  # noqa: E731
    body = force.replace("sign(x')", "sign(v)").replace("if(x > 0 and sign(y) > 0, -1, 1)",
                                                       "(-1 if x > 0 and sign(y) > 0 else 1)")
    rate = eval(f"lambda x, v, y: {body}", {"sign": sign, "abs": abs, "floor": math.floor, "max": max})
    x, v, n = 0.0, 1.0, 50000
    h = 5 / n
    for k in range(n):
        y = math.cos((k + 0.5) * h)
        a = rate(x + v * h / 2, v, y)
        x, v = x + h * v + h * h * a / 2, v + h * a
    assert run["state"]["q"]["x"] == pytest.approx(x, abs=2e-3)


def test_too_many_switches_inside_one():
    inner = " - ".join(f"sign(y - {k})" for k in range(12))
    answer = run_program("run", "-", stdin=BELT.format(force=f"[force.f]\nx = \"-sign(x' - {inner})\""), limit=10)
    assert answer.code == 2 and "E0910" in answer.err


def test_u_is_a_name_where_there_is_no_relay():
    text = "format = 1\ncoordinates = [\"u\"]\n[energy]\nT = \"u'^2/2\"\nV = \"u^2/2\"\n[start]\nu = 1\n[run]\nuntil = 1\n"
    run = run_program("run", "-", "--json", stdin=text).json()
    assert run["state"]["q"]["u"] == pytest.approx(math.cos(1), abs=1e-9)
    relay = text + "[relay.r]\nsurface = \"u'\"\nforce.u = \"-u\"\n"
    answer = run_program("check", "-", stdin=relay)
    assert answer.code == 2 and "E0202" in answer.err
