# SPDX-License-Identifier: Apache-2.0
"""run: the JSON contract, files, settings, and motions that cannot go on."""

import xml.etree.ElementTree as ElementTree

import pytest
from conftest import PENDULUM, ROOT, needs

pytestmark = needs("run")

BALL = ROOT / "examples/03-bouncing-ball/model.toml"


def test_the_contract(liaison):
    result = liaison("run", BALL, "--json", "--at", "0.25,1.0").json()
    assert {"liaison", "model", "status", "reason", "time", "state", "samples", "events", "energy", "constraints",
            "integrals", "statistics", "warnings"} <= set(result)
    assert result["status"] == "done" and result["reason"] is None
    assert [sample["t"] for sample in result["samples"]] == [0.25, 1.0]
    assert result["samples"][0]["q"]["y"] == pytest.approx(1 - 9.81 / 2 * 0.25**2, abs=1e-12)
    impact = result["events"][0]
    assert (impact["kind"], impact["where"]) == ("impact", "floor")
    assert impact["v_plus"]["y"] == pytest.approx(-0.8 * impact["v_minus"]["y"], rel=1e-12)


def test_settings_change_the_motion(liaison):
    result = liaison("run", BALL, "--json", "--set", "e=0", "--until", "1").json()
    assert [event["kind"] for event in result["events"]][:1] == ["impact"]
    assert result["time"] == 1.0
    assert result["state"]["q"]["y"] == pytest.approx(0.0, abs=1e-12)


def test_the_same_numbers_every_time(liaison):
    def numbers():
        result = liaison("run", BALL, "--json").json()
        return {key: result[key] for key in ("state", "events", "energy")}

    assert numbers() == numbers()


def test_interpreted_and_compiled_links_are_the_same_to_the_last_bit(liaison, model, tmp_path):
    n = 12
    lines = ["format = 1", "coordinates = [" + ", ".join(f'"a{i}"' for i in range(n)) + "]", "[let]"]
    for i in range(n):
        x, y = (f"x{i - 1} + ", f"y{i - 1} - ") if i else ("", "-")
        lines += [f'x{i} = "{x}sin(a{i})"', f'y{i} = "{y}cos(a{i})"']
    lines += ["[energy]", 'T = "' + " + ".join(f"(der(x{i})^2 + der(y{i})^2)/2" for i in range(n)) + '"',
              'V = "' + " + ".join(f"9.81*y{i}" for i in range(n)) + '"',
              "[start]", *(f"a{i} = {0.4 + 0.02 * i}" for i in range(n)), "[run]", "until = 400", "tolerance = 1e-12"]
    path = model("\n".join(lines) + "\n")

    def state(cache):
        return liaison("run", path, "--json", env={"XDG_CACHE_HOME": str(cache)}).json()["state"]

    first = state(tmp_path / "cache")  # interpreted, then with the code made on the way
    again = state(tmp_path / "cache")  # with that code almost from the start
    nowhere = state("/dev/null")  # code that cannot be kept
    assert first == again == nowhere
    assert any((tmp_path / "cache").rglob("*.code")) == liaison("doctor", "--json").json()["parts"]["llvm"]


def test_a_picture(liaison, tmp_path):
    assert liaison("run", BALL, "-o", tmp_path / "ball.svg").code == 0
    assert ElementTree.parse(tmp_path / "ball.svg").getroot().tag.endswith("svg")


def test_a_table(liaison, tmp_path):
    assert liaison("run", BALL, "-o", tmp_path / "ball.csv").code == 0
    lines = (tmp_path / "ball.csv").read_text().splitlines()
    assert lines[0].startswith("#"), "provenance comes first"
    assert sum(not line.startswith("#") for line in lines) > 2


def test_a_foreign_file_is_not_overwritten(liaison, tmp_path):
    target = tmp_path / "ball.csv"
    target.write_text("mine\n")
    answer = liaison("run", BALL, "-o", target)
    assert answer.code != 0
    assert target.read_text() == "mine\n"
    assert "--force" in answer.err


def test_a_folder_that_does_not_exist(liaison, tmp_path):
    answer = liaison("run", BALL, "-o", tmp_path / "nowhere" / "ball.svg")
    assert answer.code not in (0, 70)
    assert answer.err


def test_a_wrong_model_does_not_run(liaison, model):
    answer = liaison("run", model(PENDULUM.replace("cos(th)", "cos(ht)")))
    assert answer.code == 2
    assert "E0204" in answer.err + answer.out


def test_a_run_without_an_end(liaison, model):
    answer = liaison("run", model(PENDULUM))
    assert answer.code == 2 and "how long?" in answer.err and "--until" in answer.err
    assert liaison("run", model(PENDULUM), "--json").json()["diagnostics"][0]["code"] == "E0308"


@pytest.mark.parametrize("option", ["--until=-1", "--tolerance=0", "--tolerance=1e-17", "--tolerance=2", "--at=0:1:0",
                                    "--tolerance=nan", "--at=soon",
                                    "--samples=-5", "--samples=1e300"])
def test_an_option_that_makes_no_sense(liaison, option):
    answer = liaison("run", BALL, option)
    assert answer.code in (2, 64)
    assert answer.err


def test_a_motion_that_cannot_go_on_keeps_what_it_has(liaison, model):
    # x' = x² reaches infinity at t = 1
    answer = liaison("run", model('format = 1\nname = "blow-up"\ncoordinates = ["x"]\n[system]\nx = "x^2"\n'
                                  "[start]\nx = 1.0\n[run]\nuntil = 2.0\n"), "--json")
    assert answer.code == 3
    result = answer.json()
    assert result["status"] == "stopped" and result["reason"]
    assert result["time"] == pytest.approx(1.0, abs=1e-6)
