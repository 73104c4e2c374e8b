# SPDX-License-Identifier: Apache-2.0
"""Bilateral constraints from outside: realisations, laws of the violation, certificates, bad input."""

from conftest import PENDULUM, needs, run_program

pytestmark = needs("run")


def test_realise_names_the_choices():
    answer = run_program("run", "-", "--realise", "bilateral=programme", "--until", "1", stdin=PENDULUM)
    assert answer.code == 2
    assert "projection, program, multiplier, index2" in answer.err
    answer = run_program("run", "-", "--realise", "constraint=program", "--until", "1", stdin=PENDULUM)
    assert answer.code == 2
    assert "contact, bilateral, relay" in answer.err
