# SPDX-License-Identifier: Apache-2.0
"""What a run tells about its decisions at contacts: residuals of the accepted solutions, certificates."""

import pytest
from conftest import ROOT, run_program

KEYS = {"complementarity", "impact_complementarity", "cone", "direction", "natural", "momentum", "decisions", "impacts", "resolved"}


def example(name, *more):
    answer = run_program("run", ROOT / "examples" / name / "model.toml", "--json", *more)
    assert answer.code == 0, answer.err
    result = answer.json()
    assert set(result["contacts"]) == KEYS
    return result


def test_a_sliding_rod_slips_and_sticks_within_its_cone():
    contacts = example("05-sliding-rod")["contacts"]
    assert contacts["decisions"] > 0
    assert contacts["complementarity"] < 1e-13
    assert contacts["cone"] < 1e-13 and contacts["direction"] < 1e-13
    assert contacts["impact_complementarity"] is None
    assert set(contacts["resolved"]) == {"unique (enumerated)"}


def test_a_box_on_two_corners():
    for name in ("63-box-on-a-slope", "67-block-on-two-edges"):
        contacts = example(name)["contacts"]
        assert contacts["complementarity"] < 1e-13, name
        assert contacts["cone"] < 1e-13 and contacts["direction"] < 1e-13, name
        assert set(contacts["resolved"]) == {"unique (enumerated)"}, name


def test_without_friction_there_is_no_cone_and_every_problem_is_unique():
    contacts = example("36-block-on-ice")["contacts"]
    assert contacts["cone"] is None and contacts["direction"] is None
    assert contacts["complementarity"] < 1e-13 and contacts["impact_complementarity"] < 1e-13
    assert set(contacts["resolved"]) == {"unique (P-matrix)"}


def test_a_paradox_counts_as_a_problem_without_solution():
    result = example("62-hopping-chalk")
    paradoxes = [e for e in result["events"] if e["case"] == "inconsistent"]
    assert result["contacts"]["resolved"]["none (enumerated)"] == len(paradoxes) == 1


FEET = """
format = 1
name = "twelve feet"
coordinates = ["x", "y", "a"]
[energy]
T = "x'^2/2 + y'^2/2 + a'^2/6"
V = "9.81*y"
""" + "".join(f"""
[contact.foot{i}]
gap = "y + ({i - 5.5})*a"
friction = 0.5
slip = "x'"
""" for i in range(12)) + """
[start]
[run]
until = 0.1
"""


def test_what_was_found_without_looking_for_others_is_told_in_numbers_and_words():
    answer = run_program("run", "-", "--json", stdin=FEET)
    assert answer.code == 0, answer.err
    result = answer.json()
    assert result["contacts"]["resolved"] == {"found (not certified)": 1}
    assert result["contacts"]["complementarity"] < 1e-10
    assert any("too many to enumerate" in warning for warning in result["warnings"])
    assert not any("the first at" in warning for warning in result["warnings"])  # the event has told it


def test_what_was_found_without_an_event_is_told_once():
    """Two corners land on a floor by Poisson's law at one instant, again and again: expansions with friction are not enumerated."""
    text = """
format = 1
name = "two corners"
coordinates = ["x", "y", "a"]
[energy]
T = "(x'^2 + y'^2 + a'^2)/2"
V = "10*y"
[contact.left]
gap = "y - a"
slip = "x'"
friction = 0.3
restitution = { value = 0.5, law = "poisson" }
[contact.right]
gap = "y + a"
slip = "x'"
friction = 0.3
restitution = { value = 0.5, law = "poisson" }
[start]
y = 0.2
[run]
until = 0.5
impacts = "simultaneous"
"""
    answer = run_program("run", "-", "--json", stdin=text)
    assert answer.code == 0, answer.err
    result = answer.json()
    found = result["contacts"]["resolved"]["found (not certified)"]
    times = sorted({e["time"] for e in result["events"] if e["kind"] == "impact"})
    assert found == len(times) > 1
    told = [w for w in result["warnings"] if "others were not looked for" in w]
    assert len(told) == 1 and told[0].startswith(f"{found} problems of the contacts, the first at t = 0.2:")
    assert times[0] == pytest.approx(0.2, abs=1e-9)  # sqrt(2 y/g)


CRUSHED = """
format = 1
name = "crushed"
coordinates = ["x"]
[energy]
T = "x'^2/2"
[contact.floor]
gap = "x"
[contact.lid]
gap = "-x - t^2"
[start]
[run]
until = 1
"""


def test_contacts_that_contradict_each_other_are_a_status_with_its_certificate():
    """g̈ = λ₁ − λ₂ ≥ 0 and −g̈ − 2 ≥ 0 have no solution."""
    answer = run_program("run", "-", "--json", stdin=CRUSHED)
    assert answer.code == 3
    result = answer.json()
    assert result["status"] == "stopped" and "cannot all be kept" in result["reason"]
    assert result["contacts"]["resolved"] == {"none (certificate)": 1}


def test_one_line_of_the_report_and_only_where_there_are_contacts():
    def line(name):
        answer = run_program("run", ROOT / "examples" / name / "model.toml")
        assert answer.code == 0, answer.err
        return [text for text in answer.out.splitlines() if text.strip().startswith("contacts:")]

    assert len(line("03-bouncing-ball")) == 1
    assert "1 × unique (P-matrix)" in line("03-bouncing-ball")[0]
    assert line("01-pendulum") == []


def test_no_contacts_no_report(liaison):
    answer = run_program("run", ROOT / "examples" / "01-pendulum" / "model.toml", "--json")
    assert answer.json()["contacts"] is None


def test_derivatives_do_not_count_twice():
    plain = example("03-bouncing-ball", "--until", "1.2")["contacts"]
    extended = example("03-bouncing-ball", "--until", "1.2", "--sensitivity", "e")["contacts"]
    assert plain["resolved"] == extended["resolved"]
    assert plain["impacts"] == extended["impacts"]


def test_the_result_file_has_the_same_numbers(tmp_path):
    netcdf = pytest.importorskip("netCDF4")
    path = tmp_path / "block.h5"
    contacts = example("36-block-on-ice", "-o", path)["contacts"]
    with netcdf.Dataset(path) as file:
        group = file["contacts"]
        assert group.complementarity == contacts["complementarity"]
        assert group.impact_complementarity == contacts["impact_complementarity"]
        assert group.cone != group.cone  # not a number: there is no friction
        names = list(group["certificate"][:])
        counted = {name: int(n) for name, n in zip(names, group["resolved"][:]) if n}
    assert counted == contacts["resolved"]
