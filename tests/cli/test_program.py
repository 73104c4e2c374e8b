# SPDX-License-Identifier: Apache-2.0
"""What every command has in common: help, exit codes, JSON, pipes."""

import subprocess

import pytest
from conftest import PROGRAM, command_names

COMMANDS = command_names()


def test_alone_it_shows_help_and_fails_as_usage(liaison):
    answer = liaison()
    assert answer.code == 64
    assert answer.out == ""
    assert "usage: liaison COMMAND" in answer.err


@pytest.mark.parametrize("word", ["-h", "--help", "help"])
def test_help_is_a_result(liaison, word):
    answer = liaison(word)
    assert answer.code == 0
    assert answer.err == ""
    assert COMMANDS, "help lists no command"


def test_version(liaison):
    assert liaison("--version").out.startswith("liaison ")
    assert liaison("--version", "--json").json()["liaison"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_fits_a_terminal(liaison, command):
    for word in ("-h", "--help"):
        answer = liaison(command, word)
        assert answer.code == 0
        assert answer.out.startswith(f"usage: liaison {command}")
        assert "--json" in answer.out
        assert max(map(len, answer.out.splitlines())) <= 100
    assert "liaison " + command in liaison(command, "--help").out.split("examples:")[1]


def test_unknown_command_is_usage(liaison):
    answer = liaison("explian")
    assert answer.code == 64
    assert "explain" in answer.err, "a near name is offered"


@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_option_is_usage(liaison, command):
    answer = liaison(command, "--no-such-option")
    assert answer.code == 64
    assert answer.out == ""
    assert "--no-such-option" in answer.err


def test_a_closed_pipe_is_no_crash():
    # `liaison --help | true`: the reader is gone before anything is written.
    line = f"set -o pipefail; '{PROGRAM}' explain E0204 | true; echo ${{PIPESTATUS[0]}}"
    answer = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30, check=False)
    assert int(answer.stdout) < 128 or int(answer.stdout) == 141  # the usual end by SIGPIPE


def test_a_full_disk_is_told(liaison):
    with open("/dev/full", "w", encoding="utf-8") as full:
        answer = subprocess.run([PROGRAM, "explain", "E0204"], stdout=full, stderr=subprocess.PIPE, text=True,
                                timeout=30, check=False)
    assert answer.returncode not in (0, 70)
    assert "written" in answer.stderr


def test_no_colour_in_a_pipe(liaison):
    assert "\033[" not in liaison("check", "nowhere.toml").err
