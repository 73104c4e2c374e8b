# SPDX-License-Identifier: Apache-2.0
"""What the program says: names, units, remedies, warnings, values; each once, and right when it is followed."""

import json
import math
import re

import pytest
from conftest import PENDULUM, ROOT, needs, run_program

pytestmark = needs("run")

SWING = PENDULUM + "[run]\nuntil = 2\n"

PLAY = """\
format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
[force.push]
x = "{push}"
[contact.play]
between = ["-1", "x", "1"]
slip = "y'"
friction = {friction}
[start.velocity]
y = {slip}
[run]
until = 4
"""


def play(push, friction="0.3", slip="0"):
    text = PLAY.format(push=push, friction=friction, slip=slip)
    return text if friction else text.replace('slip = "y\'"\nfriction = \n', "")


@pytest.mark.parametrize("push, side", [("2", "upper"), ("-2", "lower")])
@pytest.mark.parametrize("friction", ["", "0.3"])
def test_a_two_sided_contact_stands_under_its_name(push, side, friction):
    # Pushed with 2 against a wall it reaches at t = 1, without restitution.
    run = run_program("run", "-", "--json", "--at", "0.5,3", stdin=play(push, friction)).json()
    before, after = run["samples"]
    assert set(before["reactions"]) == set(before["mode"]) == set(before["side"]) == {"play"}
    assert before["side"]["play"] is None and before["mode"]["play"] == "open"
    assert before["reactions"]["play"]["normal"] == 0 and before["reactions"]["play"]["side"] is None
    assert after["side"]["play"] == after["reactions"]["play"]["side"] == side
    assert after["mode"]["play"] == ("stick" if friction else "closed")
    assert after["reactions"]["play"]["normal"] == pytest.approx(2, abs=1e-12)
    assert ("tangential" in after["reactions"]["play"]) == bool(friction)
    assert {(e["where"], e["side"]) for e in run["events"]} == {("play", side)}


@pytest.mark.parametrize("friction", ["", "0.3"])
def test_a_two_sided_contact_at_rest(friction):
    found = run_program("equilibrium", "-", "--json", stdin=play("2", friction)).json()["equilibria"]
    assert found
    for rest in found:
        assert set(rest["contacts"]) == {"play"}
        held = rest["contacts"]["play"]
        assert held["side"] == "upper" and held["state"] == ("stick" if friction else "closed")
        assert held["normal"] == pytest.approx(2, abs=1e-9) and abs(held["gap"]) < 1e-9
    free = run_program("equilibrium", "-", "--json", stdin=play("-x", friction)).json()["equilibria"]
    open_ones = [rest["contacts"]["play"] for rest in free if rest["contacts"]["play"]["state"] == "open"]
    assert open_ones and all(c["side"] is None and c["gap"] == pytest.approx(1, abs=1e-9) for c in open_ones)


def test_a_two_sided_contact_that_starts_closed():
    text = play("2").replace("[start.velocity]", '[start]\nclosed = ["play.upper"]\n[start.velocity]')
    here = run_program("check", "-", "--json", "--contacts", stdin=text).json()
    assert here["contacts"]["play"]["side"] == "upper"
    assert all(s["contacts"]["play"]["side"] == "upper" for s in here["solutions"])
    unclear = run_program("check", "-", stdin=text.replace("play.upper", "play"))
    assert unclear.code == 2 and '"play.lower" or "play.upper"' in unclear.err


def test_a_two_sided_contact_in_a_result_file(tmp_path):
    (tmp_path / "m.toml").write_text(play("2"))
    assert run_program("run", "m.toml", "-o", "m.json", cwd=tmp_path).code == 0
    assert run_program("plot", "m.json", "--show", "play.normal", "-o", "n.svg", cwd=tmp_path).code == 0
    assert run_program("rerun", "m.json", cwd=tmp_path).code == 0


BELT = """\
format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2"
[relay.belt]
surface = "x' - 0.3"
force.x = "-u"
[start]
x = 2
[run]
until = 3
"""


def test_the_keys_of_compare():
    answer = run_program("compare", "-", "--with", "filippov,utkin", "--json", stdin=BELT).json()
    pair, = answer["pairs"]
    assert (pair["a"], pair["b"]) == ("filippov", "utkin") and pair["difference"] <= 1e-8 and "at" in pair
    assert set(answer["class"]) == {"belt"} and "F" in answer["class"]["belt"]
    assert isinstance(answer["explanation"], list)


def test_the_difference_of_a_comparison():
    # Of coordinates and velocities; accelerations jump where motions do not.
    text = ('format = 1\ncoordinates = ["y"]\n[energy]\nT = "y\'^2/2"\nV = "y"\n[contact.floor]\ngap = "y"\n'
            'restitution = 0.5\nstiffness = 1e6\n[start]\ny = 0.5\n[run]\nuntil = 1.5\n')
    answer = run_program("compare", "-", "--with", "events,elastic", "--json", stdin=text).json()
    pair, = answer["pairs"]
    assert pair["difference"] == pytest.approx(max(v for k, v in pair["largest"].items() if not k.endswith("''")))


def test_every_command_has_its_json_in_the_manual():
    manual = (ROOT / "docs/reference/json.md").read_text()
    commands = re.findall(r"^  (\w+)  +\w", run_program("--help").out, re.M)
    assert "compare" in commands and len(commands) > 15
    for command in commands:
        assert f"\n## {command}\n" in manual, command


def test_mistakes_of_different_passes_at_once():
    text = ('format = 1\ncoordinates = ["y"]\n[parameters]\nm = 1\ng = 9.81\n[energy]\nT = "m*y\'^2/2"\nV = "m*gg*y"\n'
            '[contact.floor]\ngap = "y"\nrestitution = 7\n[start]\ny = 1\n[run]\nuntil = -1\n')
    for command in "check", "run", "explain", "equilibrium":
        answer = run_program(command, "-", "--json", stdin=text)
        assert answer.code == 2
        codes = sorted(d["code"] for d in answer.json()["diagnostics"] if d["severity"] == "error")
        assert codes == ["E0204", "E0411", "E0901"], (command, codes)
    # A setting that mends the number mends it.
    named = text.replace("restitution = 7", 'restitution = "e"').replace("g = 9.81", "g = 9.81\ne = 7")
    codes = [d["code"] for d in run_program("check", "-", "--json", "--set", "e=0.5", stdin=named).json()["diagnostics"]]
    assert "E0411" not in codes and "E0204" in codes
    # Nothing is told of what is not known yet.
    moving = text.replace("restitution = 7", 'restitution = "0.5 + y"').replace("until = -1", "until = 1")
    assert [d["code"] for d in run_program("check", "-", "--json", stdin=moving).json()["diagnostics"]] == ["E0204"]


@pytest.mark.parametrize("place", ["name", "coordinate", "key", "option"])
def test_names_of_200000_letters_are_cut(place):
    name = "q" * 200_000
    text = SWING
    words = ["check", "-"]
    if place == "name":
        text = text.replace("cos(th)", f"cos({name})")
    elif place == "coordinate":
        text = text.replace('coordinates = ["th"]', f'coordinates = ["th", "{name}", "{name}"]')
    elif place == "key":
        text += f'\n[observe.{name}]\nx = 1\n'
    else:
        words = ["run", "-", "--realise", name[:100_000]]
    answer = run_program(*words, stdin=text)
    assert answer.code in (2, 64)
    assert 0 < len(answer.err) + len(answer.out) < 5000


def test_what_is_missing_is_named():
    answer = run_program("follow", "model.toml")
    assert answer.code == 64 and "--over is missing" in answer.err and "MODEL" not in answer.err.split("\n")[0]
    assert "MODEL is missing" in run_program("follow", "--over", "a=1:2").err
    assert "--with is missing" in run_program("compare", "model.toml").err


def test_warnings_once_and_quiet():
    idle = SWING.replace("[parameters]", "[parameters]\nidle = 1")
    answer = run_program("run", "-", stdin=idle)
    assert answer.code == 0 and (answer.out + answer.err).count("never used") == 1
    assert run_program("run", "-", "--json", stdin=idle).json()["warnings"].count("parameter `idle` is never used") == 1
    quiet = run_program("run", "-", "-q", stdin=SWING)
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")
    checked = run_program("check", "-", "-q", stdin=SWING)
    assert (checked.code, checked.out, checked.err) == (0, "", "")
    wrong = run_program("run", "-", "-q", stdin=SWING.replace("cos(th)", "cos(ht)"))
    assert wrong.code == 2 and "E0204" in wrong.err
    assert json.loads(run_program("run", "-", "-q", "--json", stdin=SWING).out)["status"] == "done"


def test_a_run_prints_its_values():
    text = 'format = 1\ncoordinates = ["x"]\n[energy]\nT = "x\'^2/2"\nV = "x^2/2"\n[observe]\ntwice = "2*x"\n[start]\nx = 1\n[run]\nuntil = 2\n'
    out = run_program("run", "-", "--at", "0.5,1", stdin=text).out
    numbers = {t: dict(re.findall(r"([\w']+) = (-?[\d.e+-]+)", block)) for t, block in
               re.findall(r"^t = ([\d.]+)\n((?:   .*\n)+)", out, re.M)}
    assert set(numbers) == {"0.5", "1"}
    for t, values in numbers.items():
        assert float(values["x"]) == pytest.approx(math.cos(float(t)), abs=1e-8)
        assert float(values["x'"]) == pytest.approx(-math.sin(float(t)), abs=1e-8)
        assert float(values["x''"]) == pytest.approx(-math.cos(float(t)), abs=1e-8)
        assert float(values["twice"]) == pytest.approx(2 * math.cos(float(t)), abs=1e-8)
    end = dict(re.findall(r"([\w']+) = (-?[\d.e+-]+)", re.search(r"at t = 2: (.*)", out).group(1)))
    assert float(end["x"]) == pytest.approx(math.cos(2), abs=1e-8)
    assert float(end["x'"]) == pytest.approx(-math.sin(2), abs=1e-8)
    assert "t = 0.5" not in run_program("run", "-", stdin=text).out


MODEL = """\
format = 1
coordinates = ["th", "x"]
[parameters]
a = 2
b = {b}
[energy]
T = "th'^2/2 + x'^2/2"
V = "{V}"
[start]
th = "{start}"
[run]
until = 1
"""


def followed(text):
    """The text with every fix of every error applied."""
    lines = text.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    edits = []
    for d in run_program("check", "-", "--json", stdin=text).json()["diagnostics"]:
        for fix in d["fixes"]:
            edits.append((offsets[fix["line"] - 1] + fix["column"] - 1,
                          offsets[fix["end_line"] - 1] + fix["end_column"] - 1, fix["replacement"]))
    assert edits, "no remedy is offered"
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


@pytest.mark.parametrize("V, start", [
    ("-cos(th)", "60deg"), ("-cos th", "1"), ("sin 2*th", "1"), ("-cos (th)", "1"), ("2th", "1"), ("2 th", "1"),
    ("a th", "1"), ("(a)(th)", "1"), ("th**2", "1"), ("sqrt th^2 + 1", "1"), ("-cos th^2", "0.3"), ("(th + x", "1"),
    ("th + x)", "1"), ("-cos th + 3deg", "2deg"), ("tan 0.5 + a x", "1"),
])
def test_a_remedy_works_when_it_is_followed(V, start):
    text = followed(MODEL.format(V=V, start=start, b=1).replace("b = 1", "b = 1"))
    answer = run_program("check", "-", stdin=text)
    assert answer.code == 0, (text, answer.err)


@pytest.mark.parametrize("value, unit, radians", [("30", "deg", math.pi / 6), ("30", "°", math.pi / 6),
                                                 ("90", "deg/s", math.pi / 2), ("180", "deg/s^2", math.pi)])
def test_degrees_are_refused_and_the_remedy_converts_them(value, unit, radians):
    text = MODEL.format(V="-cos(th) + b*0 + a*x", start="1", b=f'{{ value = {value}, unit = "{unit}" }}')
    answer = run_program("check", "-", stdin=text)
    assert answer.code == 2 and "E0428" in answer.err and "radians" in answer.err
    mended = followed(text)
    assert run_program("check", "-", stdin=mended).code == 0
    written = re.search(r"b = \{ value = ([\d.e+-]+), unit = \"([^\"]*)\"", mended)
    assert float(written.group(1)) == pytest.approx(radians, rel=1e-15) and "rad" in written.group(2)


UNITS = """\
format = 1
coordinates = ["y"]
[parameters]
m = {{ value = 1, unit = "kg" }}
k = {{ value = 100, unit = "N/m" }}
F = {{ value = 1, unit = "N" }}
w = {{ value = 1, unit = "1/s" }}
g = {{ value = 9.81, unit = "m/s^2" }}
[energy]
T = "m/2*y'^2"
V = "k/2*y^2 + m*g*y"
[force.f]
y = "{force}"
[run]
until = 1
"""


@pytest.mark.parametrize("force", ["max(0, -k*y)", "max(-k*y, 0)", "min(k*y, 3)", "if(y > 0, -k*y, 0)", "if(y > 0, 0, -k*y)",
                                   "F*cos(2*t)", "F*cos(t)", "F*exp(-t/3)", "F*sin(2*pi*3*t)", "3*y", "5*sin(w*t)",
                                   "-k*(y - 2*t)", "F*max(0, 1 - 3*y^2)", "F*tanh(4*y)"])
def test_units_that_a_number_may_carry_are_not_complained_about(force):
    answer = run_program("check", "-", stdin=UNITS.format(force=force))
    assert answer.code == 0 and "W0401" not in answer.err, answer.err


@pytest.mark.parametrize("force", ["k*y + m", "F*cos(w)", "max(k*y, m)", "m", "F*sin(w*t + k)", "k*y^2/2", "2*k*y + 3*m"])
def test_units_that_do_not_fit_are(force):
    answer = run_program("check", "-", "--strict", stdin=UNITS.format(force=force))
    assert answer.code == 1 and "W0401" in answer.err


def test_a_body_with_numeric_inertia_has_units():
    text = ('format = 1\n[parameters]\nm = { value = 1, unit = "kg" }\ng = { value = 9.81, unit = "m/s^2" }\n[body.b]\nkind = "free"\n'
            'mass = "m"\ninertia = [0.1, 0.2, 0.25]\n[energy]\nV = "m*g*z"\n[run]\nuntil = 1\n')
    assert run_program("check", "-", "--strict", stdin=text).code == 0
    answer = run_program("check", "-", "--strict", stdin=text.replace("[0.1, 0.2, 0.25]", "[1, 1, 1]"))
    assert answer.code == 0 and "unknown unit" not in answer.err


ROUGH = """\
format = 1
coordinates = ["x", "y", "a"]
[energy]
T = "{m}/2*(x'^2 + y'^2) + {J}/2*a'^2"
V = "{m}*9.81*y"
[contact.floor]
gap = "{gap}"
slip = "{slip}"
friction = 0.5
[start]
closed = ["floor"]
[start.velocity]
x = 1
[run]
until = 0.1
"""


@pytest.mark.parametrize("gap, slip, factor", [
    ("2*y", "x'", 2), ("y/10", "x'", 0.1), ("y", "3*x'", 1 / 3), ("2*(y - 0.3*sin(a))", "der(x - 0.3*cos(a))", 2),
    ("4*(y*cos(0.3) - x*sin(0.3))", "x'*cos(0.3) + y'*sin(0.3)", 4),
    ("y", "x'", None), ("y - 0.3*sin(a)", "der(x - 0.3*cos(a))", None), ("2*y", "2*x'", None),
    ("y*cos(0.3) - x*sin(0.3)", "x'*cos(0.3) + y'*sin(0.3)", None), ("y + x^2/2", "x'", None),
])
@pytest.mark.parametrize("m, J", [("2", "0.3"), ("1", "1")])
def test_with_friction_a_gap_is_a_length(gap, slip, factor, m, J):
    # The factor by which friction is wrong: the deceleration of a sliding block is μ g / factor.
    answer = run_program("check", "-", stdin=ROUGH.format(gap=gap, slip=slip, m=m, J=J))
    assert answer.code == 0, answer.err
    told = re.search(r"contact floor is ([\d.e-]+) times a length", answer.err)
    if m == J and "sin(a)" in gap and told is None:
        return  # the rotation might be a translation: nothing is claimed
    assert (told is not None) == (factor is not None), answer.err
    if factor is not None:
        assert float(told.group(1)) == pytest.approx(factor, rel=1e-5)


def test_gallery_models_have_gaps_that_are_lengths():
    for path in sorted(ROOT.glob("examples/[0-9]*/model.toml")):
        answer = run_program("check", path)
        assert "times a length" not in answer.err, path


def test_an_impact_on_the_kink_of_a_gap_is_not_in_doubt():
    # A ball on a roof-shaped floor comes down on the ridge's foot at x = 0 from the left: there the gap y − |x|/2 changes its
    # branch at the very instant of the impact, which is elastic and exact.
    text = ('format = 1\ncoordinates = ["x", "y"]\n[energy]\nT = "(x\'^2 + y\'^2)/2"\nV = "9.81*y"\n[contact.c]\n'
            'gap = "y - abs(x)/2"\nrestitution = 1\n[start]\nx = -1\ny = {y}\n[start.velocity]\nx = 2\n[run]\nuntil = 0.9\n')
    # Free fall over half a unit of time to x = 0, y = 0.
    run = run_program("run", "-", "--json", stdin=text.format(y=repr(9.81 / 8))).json()
    first = next(e for e in run["events"] if e["kind"] == "impact")
    assert first["time"] == pytest.approx(0.5, abs=1e-9)
    assert not [w for w in run["warnings"] if "in doubt" in w], run["warnings"]
    assert run["contacts"]["momentum"] < 1e-9 and run["contacts"]["impact_complementarity"] < 1e-9


def test_explain_says_what_is_wrong_with_numbers():
    text = ('format = 1\ncoordinates = ["y"]\n[energy]\nT = "y\'^2/2"\nV = "y"\n[contact.floor]\ngap = "y"\nrestitution = 7\n'
            '[start]\ny = 1\n[run]\nuntil = 1\n')
    answer = run_program("explain", "-", stdin=text)
    assert answer.code == 2 and "E0411" in answer.err and "Equations of motion" in answer.out
    told = run_program("explain", "-", "--json", stdin=text)
    assert told.code == 2 and told.json()["ok"] is False and told.json()["sections"]
    assert run_program("explain", "-", stdin=text.replace("7", "0.7")).code == 0


def test_plot_draws_from_tables_pictures_and_several_runs(tmp_path):
    (tmp_path / "m.toml").write_text(SWING)
    for name in "a.csv", "a.svg", "a.json":
        assert run_program("run", "m.toml", "--until", "1", "-o", name, cwd=tmp_path).code == 0
    assert run_program("run", "m.toml", "--until", "2", "-o", "b.json", cwd=tmp_path).code == 0
    from_table = run_program("plot", "a.csv", "--show", "th", "-o", "t.svg", cwd=tmp_path)
    assert from_table.code == 0, from_table.err
    again = run_program("plot", "a.svg", "--show", "th", cwd=tmp_path)
    assert again.code == 0 and again.out.strip() == "a-plot.svg"
    lines = lambda name: (tmp_path / name).read_text().split("</metadata>")[-1]  # noqa: E731
    assert lines("t.svg") == lines("a-plot.svg")
    assert run_program("plot", "a.svg", "-o", "a.svg", "--force", cwd=tmp_path).code == 64
    both = run_program("plot", "a.json", "b.json", "--show", "th", "-o", "both.svg", "--json", cwd=tmp_path).json()
    one = run_program("plot", "b.json", "--show", "th", "-o", "one.svg", "--json", cwd=tmp_path).json()
    assert both["panels"] == one["panels"] == 1 and both["points"] > one["points"]
    picture = (tmp_path / "both.svg").read_text()
    assert "th (a)" in picture and "th (b)" in picture
