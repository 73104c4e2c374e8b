# SPDX-License-Identifier: Apache-2.0
"""Every realisation of contacts beside every part of a model: honoured or refused, never ignored."""

import pytest
from conftest import run_program

PARTS = {
    "nothing more": {},
    "sign in a force": {"more": '[force.d]\nx = "-0.5*sign(x\')"\n'},
    "sign of the normal velocity": {"more": '[force.d]\ny = "-0.5*sign(y\')"\n'},
    "if in a force": {"more": '[force.d]\nx = "if(x > 0.3, 1, 0)"\n'},
    "kink in the potential": {"V": "9.81*y + abs(x - 0.3)"},
    "drag": {"more": '[force.d]\nx = "-0.5*x\'"\ny = "-0.2*y\'"\n'},
    "gyroscopic force": {"more": '[force.g]\nx = "0.5*y\'"\ny = "-0.5*x\'"\n'},
    "potential in time": {"V": "9.81*y + 2*(x - 0.3*sin(3*t))^2"},
    "event that sets a velocity": {"more": '[event.e]\nwhen = "x - 0.35"\nset.velocity.x = "x\' + 0.1"\n'},
    "event that sets a position": {"more": '[event.e]\nwhen = "t - 0.2"\nset.x = "x + 0.1"\n'},
    "event that sets a state": {"more": '[state]\ns = 0\n[event.e]\nwhen = "t - 0.2"\nset.state.s = 1\n[force.f]\nx = "s"\n'},
    "relay": {"more": '[relay.r]\nsurface = "x\'"\nforce.x = "-0.5*u"\n'},
    "kink in the gap": {"gap": "y - 0.2*abs(x - 0.3)"},
    "curved gap": {"gap": "y - 0.2*(x - 0.3)^2"},
    "moving gap": {"gap": "y - 0.2*sin(2*t)"},
    "half restitution": {"contact": "restitution = 0.5\n"},
    "law of Newton": {"contact": 'restitution = { value = 0.5, law = "newton" }\n'},
    "law of Poisson": {"contact": 'restitution = { value = 0.5, law = "poisson" }\n'},
    "law of Moreau": {"contact": 'restitution = { value = 0.5, law = "moreau" }\n'},
    "friction": {"contact": 'restitution = 0.5\nslip = "x\'"\nfriction = 0.3\n'},
    "rubbing guide": {"more": '[constraint.c]\nequation = "x = 0"\nslip = "y\'"\nfriction = 0.3\n', "vx": 0, "V": "9.81*y + x"},
    "constraint on positions": {"more": '[constraint.c]\nequation = "x = 0.2*y - 0.2"\n', "vx": 0},
    "constraint on velocities": {"more": '[constraint.c]\nequation = "x\' = 0.2*y\'"\n', "vx": 0},
    "simultaneous impacts": {"contact": "restitution = 0.5\n", "run": 'impacts = "simultaneous"\n'},
}


def model(part, word):
    part = {"more": "", "V": "9.81*y + 2*(x - 0.3)^2", "gap": "y", "contact": "restitution = 1\n", "vx": 0.7, "run": "",
            **PARTS[part]}
    return f"""format = 1
coordinates = ["x", "y"]
[energy]
T = "x'^2/2 + y'^2/2"
V = "{part['V']}"
{part['more']}
[contact.floor]
gap = "{part['gap']}"
stiffness = 1e9
{part['contact']}
[start]
y = 1
[start.velocity]
x = {part['vx']}
[run]
contact = "{word}"
until = 1.1
{part['run']}"""


def end(part, word):
    answer = run_program("run", "-", "--json", "--at", "1.1", stdin=model(part, word))
    if answer.code == 2:
        return answer.json()["diagnostics"][0]["code"]
    assert answer.code == 0, answer.err + answer.out[:300]
    sample = answer.json()["samples"][0]
    return [sample["q"]["x"], sample["q"]["y"], sample["v"]["x"], sample["v"]["y"]]


# An elastic contact of stiffness 1e9 lasts 1e-4 s, and the motion is late by as much.
@pytest.mark.parametrize("word, near", [("routh", 1e-8), ("elastic", 1e-2)])
@pytest.mark.parametrize("part", PARTS)
def test_honoured_or_refused(part, word, near):
    rigid, other = end(part, "events"), end(part, word)
    assert isinstance(rigid, list)
    if isinstance(other, str):
        assert other == "E0910", other
        return
    assert all(abs(a - b) < near for a, b in zip(rigid, other, strict=True)), (rigid, other)


@pytest.mark.parametrize("part", ["friction", "rubbing guide", "kink in the gap", "relay", "event that sets a velocity"])
def test_what_unfolded_contacts_cannot_have_is_refused(part):
    assert end(part, "routh") == "E0910"


ROD = """format = 1
coordinates = ["x", "y"]
[energy]
T = "(x'^2 + y'^2)/2"
V = "9.81*y"
{more}
[constraint.rod]
equation = "x^2 + y^2 = 1"
{law}
[start]
x = 1
{start}
[start.velocity]
{velocity}
[run]
until = 1
tolerance = 1e-10
{run}"""


def rod(*, law="", more="", run="", start="", velocity=""):
    return ROD.format(law=law, more=more, run=run, start=start, velocity=velocity)


def test_index_two_refuses_forces_that_switch():
    text = rod(more='[force.brake]\nx = "-sign(x\')"', run='bilateral = "index2"')
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 3 and "index 2" in answer.json()["reason"], answer.out + answer.err


def test_no_law_at_all_is_a_law():
    """stabilise = "none" leaves violations alone: g'' = 0 for g = x² + y² − 1, from g' = 0.2 on g = 0.2 t exactly."""
    text = rod(law='stabilise = "none"', start='inconsistent = "relax"', velocity="x = 0.1")
    answer = run_program("run", "-", "--json", "--at", "0.5,1", stdin=text)
    assert answer.code == 0, answer.err
    for sample in answer.json()["samples"]:
        q = sample["q"]
        assert abs(q["x"] ** 2 + q["y"] ** 2 - 1 - 0.2 * sample["t"]) < 1e-8
    # and under the default: steps are not brought back either
    plain = run_program("run", "-", "--json", stdin=rod(law='stabilise = "none"')).json()
    assert plain["realisation"] == "program"


@pytest.mark.parametrize("word", ["projection", "index2", "multiplier"])
def test_a_law_beside_another_way_of_keeping_is_refused(word):
    answer = run_program("check", "-", stdin=rod(law="stabilise = { p = 5 }", run=f'bilateral = "{word}"'))
    assert answer.code == 2 and "has no effect" in answer.err and "leave bilateral out" in answer.err
