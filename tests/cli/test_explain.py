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
