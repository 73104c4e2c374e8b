# SPDX-License-Identifier: Apache-2.0
"""check --set, --strict and what check tells about a sound model."""

from conftest import PENDULUM, needs

pytestmark = needs("check")

CONTACT = PENDULUM + '[contact.stop]\ngap = "2 - th"\nrestitution = "e"\n'
CONTACT = CONTACT.replace("l = 1.0", "l = 1.0\ne = { value = 0.5, range = [0, 1] }")


def test_a_setting_changes_the_verdict(liaison, model):
    path = model(CONTACT)
    assert liaison("check", path).code == 0
    answer = liaison("check", path, "--set", "e=1.5")
    assert answer.code == 2
    assert "E0411" in answer.err


def test_an_unknown_parameter_is_told_with_the_nearest(liaison, model):
    answer = liaison("check", model(CONTACT), "--set", "ll=2")
    assert answer.code == 2
    assert "E0219" in answer.err and "did you mean `l`" in answer.err


def test_a_setting_that_is_no_number(liaison, model):
    for setting in ("l", "l=", "l=two", "l=1/0", "=3"):
        answer = liaison("check", model(CONTACT), "--set", setting)
        assert answer.code == 2, setting
        assert "E0903" in answer.err or "E0425" in answer.err


def test_values_may_be_expressions_of_constants(liaison, model):
    assert liaison("check", model(CONTACT), "--set", "l=2*pi*sin(30*deg)").code == 0


def test_strict_counts_warnings(liaison, model):
    path = model(PENDULUM.replace("l = 1.0", "l = 1.0\nspare = 3"))
    assert liaison("check", path).code == 0
    assert "W0301" in liaison("check", path).err
    assert liaison("check", "--strict", path).code == 1
    assert liaison("check", "--strict", model(PENDULUM)).code == 0


def test_the_facts_of_a_model(liaison, model):
    facts = liaison("check", "--json", model(CONTACT)).json()["models"][0]
    assert facts["coordinates"] == ["th"]
    assert facts["degrees_of_freedom"] == 1
    assert facts["contacts"]["stop"]["friction"] is False


def test_a_realisation_is_chosen_on_the_command_line(liaison, model):
    path = model(CONTACT)
    assert liaison("run", path, "--until", 1, "--realise", "contact=events,filippov").code == 0
    answer = liaison("run", path, "--until", 1, "--realise", "elastic")
    assert answer.code == 2 and "E0416" in answer.err
