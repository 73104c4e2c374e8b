# SPDX-License-Identifier: Apache-2.0
"""The program as a user meets it: one fixture that runs it, measures it and never lets it hang."""

import json
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("LIAISON", str(ROOT / "build/dev/liaison"))


@dataclass
class Answer:
    code: int
    out: str
    err: str
    seconds: float
    peak_mib: float

    def json(self):
        """The one JSON document on standard output; NaN and Infinity are not JSON."""

        def refuse(word):
            raise AssertionError(f"{word} in JSON output")

        return json.loads(self.out, parse_constant=refuse)


def run_program(*arguments, stdin=b"", env=None, cwd=None, limit=30):
    """Runs liaison with the given arguments; standard input is empty unless given (text or bytes)."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(data)
        given.seek(0)
        start = time.monotonic()
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdin=given, stdout=out, stderr=err,
                                   env={**os.environ, **(env or {})}, cwd=cwd)
        # wait4 rather than wait: it tells the memory of this very process
        done = 0
        while not done:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if not done and time.monotonic() - start > limit:
                os.kill(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                pytest.fail(f"liaison {' '.join(map(str, arguments))} did not end within {limit} s")
            time.sleep(0 if done else 0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return Answer(process.returncode, out.read().decode(), err.read().decode(), seconds,
                      usage.ru_maxrss / 1024)


@pytest.fixture
def liaison():
    return run_program


@pytest.fixture
def model(tmp_path):
    """Writes a model file and returns its path."""

    def write(text, name="model.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def command_names():
    """The commands that the program lists."""
    names, listing = [], False
    for line in run_program("--help").out.splitlines():
        if line.startswith("commands:"):
            listing = True
        elif listing and line.startswith("  "):
            names.append(line.split()[0])
        elif listing:
            break
    return names


def needs(command):
    """Skips a test until the program has the command."""
    return pytest.mark.skipif(command not in command_names(), reason=f"there is no `liaison {command}` yet")


PENDULUM = """\
format = 1
name = "pendulum"
coordinates = ["th"]
[parameters]
m = 1.0
g = 9.81
l = 1.0
[energy]
T = "m/2*(l*th')^2"
V = "-m*g*l*cos(th)"
[start]
th = 0.5
"""
