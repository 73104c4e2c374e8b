# SPDX-License-Identifier: Apache-2.0
"""explain MODEL: the equations, as text, LaTeX and JSON."""

import pytest
from conftest import PENDULUM, command_names, run_program

pytestmark = pytest.mark.skipif("explain" not in command_names() or "MODEL" not in run_program("explain", "-h").out,
                                reason="`liaison explain MODEL` is not there yet")


def test_text(liaison, model):
    answer = liaison("explain", model(PENDULUM))
    assert answer.code == 0
    assert "th" in answer.out


def test_latex(liaison, model):
    answer = liaison("explain", "--latex", model(PENDULUM))
    assert answer.code == 0
    assert r"\sin" in answer.out
    assert answer.out.count("{") == answer.out.count("}")


def test_json(liaison, model):
    assert liaison("explain", "--json", model(PENDULUM)).json()


def test_a_wrong_model_is_not_explained(liaison, model):
    answer = liaison("explain", model(PENDULUM.replace("cos(th)", "cos(ht)")))
    assert answer.code == 2
    assert "E0204" in answer.err + answer.out


def test_an_unreadable_expression_is_not_left_out_in_silence(liaison, model):
    answer = liaison("explain", model(PENDULUM.replace("cos(th)", "(" * 600 + "cos(th)" + ")" * 600)))
    assert answer.code == 2 and "E0129" in answer.err and not answer.out


BALLS = """
format = 1
name = "balls"
coordinates = ["a", "b", "c"]
[energy]
T = "(a'^2 + 2*b'^2 + 0.7*c'^2)/2"
[contact.ab]
gap = "b - a"
[contact.bc]
gap = "c - b"
[contact.wall]
gap = "a"
"""


def test_contacts_that_feel_each_other_are_named_with_the_rule_that_decides():
    said = run_program("explain", "-", stdin=BALLS).out
    assert "ab and bc, ab and wall." in said and "bc and wall" not in said
    assert 'impacts = "sequential"' in said
    assert run_program("explain", "-", "--latex", stdin=BALLS).code == 0
    # walls at a right angle do not
    corner = BALLS.replace("[contact.bc]", "[contact.floor]").replace('gap = "c - b"', 'gap = "c"').replace('gap = "b - a"', 'gap = "b"')
    assert "Several contacts" not in run_program("explain", "-", stdin=corner).out
