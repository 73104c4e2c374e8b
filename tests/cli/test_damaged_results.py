# SPDX-License-Identifier: Apache-2.0
"""Result files that were damaged or made up: every index, length and value is checked against the model before it is used,
and refused with the file and the key."""

import json
import random
import tomllib

import pytest
from conftest import ROOT, needs, run_program

pytestmark = needs("run")

BALL = ROOT / "examples/03-bouncing-ball/model.toml"
HAS_HDF5 = run_program("doctor", "--json").json()["parts"]["hdf5"]
hdf5 = pytest.mark.skipif(not HAS_HDF5, reason="this build has no HDF5")


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    """The JSON of a ball that has bounced, as a document."""
    path = tmp_path_factory.mktemp("ball") / "ball.json"
    assert run_program("run", BALL, "--until", "1", "-o", path).code == 0
    return json.loads(path.read_text())


def spoiled(document, change):
    copy = json.loads(json.dumps(document))
    change(copy)
    return copy


def put(*path_and_value):
    *path, last, value = path_and_value

    def change(document):
        place = document
        for key in path:
            place = place[key]
        place[last] = value

    return change


def drop(*path):
    *path, last = path

    def change(document):
        place = document
        for key in path:
            place = place[key]
        del place[last]

    return change


WRONG = {
    "a guard far outside": (put("continue", "armed", [[999999999, 1, 1]]), "armed[0]"),
    "a guard outside": (put("continue", "armed", [[5000, 1, 1]]), "armed[0]"),
    "a negative guard": (put("continue", "armed", [[-1, 1, 1]]), "continue.armed[0][0]"),
    "a guard beyond 64 bits": (put("continue", "armed", [[2**64 + 1, 1, 1]]), "continue.armed[0][0]"),
    "a guard of 2^64 - 1": (put("continue", "armed", [[2**64 - 1, 1, 1]]), "continue.armed[0][0]"),
    "half a guard": (put("continue", "armed", [[0.5, 1, 1]]), "continue.armed[0][0]"),
    "a guard of 1e300": (put("continue", "armed", [[1e300, 1, 1]]), "continue.armed[0][0]"),
    "no multiplicity": (put("continue", "armed", [[0, 0, 1]]), "continue.armed[0][1]"),
    "a multiplicity of -2147483649": (put("continue", "armed", [[0, -2147483649, 1]]), "continue.armed[0][1]"),
    "a multiplicity of 999": (put("continue", "armed", [[0, 999, 1]]), "armed[0]"),
    "a short triple": (put("continue", "armed", [[0, 1]]), "continue.armed[0]"),
    "armed is a number": (put("continue", "armed", 3), "continue.armed"),
    "an armed number": (put("continue", "armed", [3]), "continue.armed[0]"),
    "more armed than guards": (put("continue", "armed", [[0, 1, 1]] * 1000), "armed has 1000"),
    "a short low part": (put("continue", "state_low", [0.0]), "state_low"),
    "no low part": (put("continue", "state_low", []), "state_low"),
    "a long low part": (put("continue", "state_low", [0.0] * 1000), "state_low"),
    "a state of no number": (put("continue", "state", 0, "nan"), "state[0]"),
    "an infinite state": (put("continue", "state", 0, "-inf"), "state[0]"),
    "a state in words": (put("continue", "state", 0, "12"), "continue.state[0]"),
    "a state of nothing": (put("continue", "state", 0, None), "continue.state[0]"),
    "a mode that is none": (put("continue", "mode", 0, 7.5), "mode[0]"),
    "a mode of 1e300": (put("continue", "mode", 0, 1e300), "mode[0]"),
    "a mode of no number": (put("continue", "mode", 0, "nan"), "mode[0]"),
    "an object as time": (put("continue", "time", {}), "continue.time"),
    "no time": (drop("continue", "time"), "continue.time is missing"),
    "nothing to go on from": (drop("continue"), "continue is missing"),
    "no provenance": (drop("provenance"), "provenance is missing"),
    "a model of numbers": (put("provenance", "model_text", 5), "provenance.model_text"),
    "arguments of numbers": (put("provenance", "arguments", [1, 2]), "provenance.arguments[0]"),
    "samples without time": (drop("samples", 3, "t"), "samples[3].t"),
    "samples of different kinds": (drop("samples", 3, "q", "y"), "values of y"),
    "a mode in numbers": (put("samples", 3, "mode", "floor", 1), "samples[3].mode.floor"),
    "an event without a place": (drop("events", 0, "where"), "events[0].where"),
    "a negative step": (put("provenance", "arguments", ["--step", "-5"]), "--step"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_fit_is_refused_by_name(liaison, ball, tmp_path, what):
    change, named = WRONG[what]
    path = tmp_path / "spoiled.json"
    path.write_text(json.dumps(spoiled(ball, change)))
    answer = liaison("run", "--from", path, "--until", "1.5")
    assert answer.code == 2, answer.out + answer.err
    assert named in answer.err
    assert "spoiled.json" in answer.err or named == "--step"


@pytest.mark.parametrize("guard", [-1, 5000, 999999999])
def test_a_start_in_the_provenance_is_checked_too(liaison, ball, tmp_path, guard):
    """rerun begins where the run began."""
    path = tmp_path / "spoiled.json"
    start = {**ball["continue"], "armed": [[guard, 1, 1]], "file": "elsewhere.json"}
    arguments = ["--until", "2"]
    path.write_text(json.dumps(spoiled(spoiled(ball, put("provenance", "from", start)),
                                       put("provenance", "arguments", arguments))))
    answer = liaison("rerun", path)
    assert answer.code == 2, answer.out + answer.err
    assert "armed" in answer.err


def test_the_file_itself_goes_on(liaison, ball, tmp_path):
    path = tmp_path / "whole.json"
    path.write_text(json.dumps(ball))
    assert liaison("run", "--from", path, "--until", "1.5").code == 0


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*/model.toml")), ids=lambda p: p.parent.name)
def test_every_example_goes_on_from_its_own_file(liaison, tmp_path, example):
    """What a run writes is never refused: its modes are modes that it has, its guards are there."""
    ending = ".h5" if HAS_HDF5 and len(example.parent.name) % 2 == 0 else ".json"
    model = tomllib.loads(example.read_text())
    until = model.get("run", {}).get("until")
    if not isinstance(until, (int, float)):
        pytest.skip("its end is no plain number")
    start = model.get("start", {}).get("t", 0.0)
    middle = (start + until) / 2 if isinstance(start, (int, float)) else until / 2
    path = tmp_path / f"half{ending}"
    first = liaison("run", example, "--until", middle, "--samples", "3", "-o", path, limit=60)
    if first.code != 0:
        pytest.skip("it does not run to the middle")
    answer = liaison("run", "--from", path, "--until", middle + (until - middle) / 16, limit=60)
    assert "does not fit" not in answer.err and "cannot be read" not in answer.err, answer.err


@hdf5
def test_damaged_hdf5_is_refused_before_it_is_read(liaison, tmp_path):
    """Single bytes, cut ends, swapped blocks: the library behind the format sees none of it."""
    whole = tmp_path / "ball.h5"
    assert liaison("run", BALL, "--until", "1", "--samples", "20", "--dense", "-o", whole).code == 0
    content = whole.read_bytes()
    assert liaison("run", "--from", whole, "--until", "1.5").code == 0
    dice = random.Random(1)
    damaged = tmp_path / "damaged.h5"
    for trial in range(60):
        bad = bytearray(content)
        if trial % 4 == 0:
            del bad[dice.randrange(len(bad)):]
        elif trial % 4 == 1:
            at = dice.randrange(len(bad) - 64)
            bad[at:at + 64] = bytes(dice.randrange(256) for _ in range(64))
        else:
            at = dice.randrange(len(bad))
            bad[at] ^= 1 << dice.randrange(8)
        damaged.write_bytes(bad)
        for arguments in (("run", "--from", damaged, "--until", "1.5"), ("plot", damaged, "-o", tmp_path / "p.svg"),
                          ("run", BALL, "--until", "1", "-o", damaged), ("rerun", damaged))[trial % 4:][:1]:
            answer = liaison(*arguments, limit=20)
            assert answer.code in (2, 64), (arguments, answer.code, answer.err)


def test_objects_of_very_many_values_are_refused_soon(liaison, tmp_path):
    path = tmp_path / "wide.json"
    path.write_text('{"liaison": 1, ' + ", ".join(f'"k{i}": 0' for i in range(400_000)) + "}")
    answer = liaison("plot", path, limit=20)
    assert answer.code == 2 and "100000 values" in answer.err


def test_pictures_full_of_escapes_are_read_in_proportion(liaison, tmp_path):
    """Millions of escaped signs once took the square of their number."""
    path = tmp_path / "picture.svg"
    path.write_text("<svg ><metadata>" + "&amp;" * 2_000_000 + "</metadata></svg>")
    answer = liaison("rerun", path, limit=20)
    assert answer.code == 2
