# SPDX-License-Identifier: Apache-2.0
"""doctor and completion: facts about this machine, scripts that shells accept."""

import subprocess

import pytest
from conftest import command_names


def test_doctor_knows_its_parts_and_bounds(liaison):
    facts = liaison("doctor", "--json").json()
    assert set(facts["parts"]) >= {"llvm", "hdf5", "sundials", "threads"}
    assert all(bound > 0 for bound in facts["limits"].values())
    assert facts["format"] == 1
    text = liaison("doctor").out
    assert facts["liaison"] in text and facts["compiler"] in text
    for part in ("llvm", "hdf5"):
        version = facts["versions"][part]
        assert (version is not None) == facts["parts"][part]
        assert version is None or version in text
    assert facts["code"] in text
    assert facts["lanes"] in (1, 2, 4, 8)


def test_doctor_says_where_code_is_kept(liaison, tmp_path):
    facts = liaison("doctor", "--json", env={"XDG_CACHE_HOME": str(tmp_path)}).json()
    assert facts["cache"] == f"{tmp_path}/liaison/code"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_every_command(liaison, shell):
    script = liaison("completion", shell).out
    for command in command_names():
        assert command in script


def test_bash_accepts_the_completion_script(liaison):
    script = liaison("completion", "bash").out
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def test_unknown_shell_is_usage(liaison):
    assert liaison("completion", "tcsh").code == 64


def test_every_code_can_be_explained(liaison):
    page = liaison("explain", "E0204", "--json").json()
    assert page["code"] == "E0204"
    assert liaison("explain", "e0204").out == liaison("explain", "E0204").out
    assert liaison("explain", "E9999").code in (2, 64)
