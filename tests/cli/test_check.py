# SPDX-License-Identifier: Apache-2.0
"""check: sound models, wrong ones, and files made to hurt."""

import pytest
from conftest import PENDULUM, needs

pytestmark = needs("check")


def test_a_sound_model(liaison, model):
    answer = liaison("check", model(PENDULUM))
    assert answer.code == 0
    assert answer.err == ""


def test_a_sound_model_as_json(liaison, model):
    verdict = liaison("check", "--json", model(PENDULUM)).json()
    assert verdict["ok"] is True
    assert verdict["diagnostics"] == []


def test_standard_input(liaison):
    assert liaison("check", "-", stdin=PENDULUM).code == 0


def test_the_contract_of_a_diagnostic(liaison, model):
    path = model(PENDULUM.replace("cos(th)", "cos(ht)"))
    answer = liaison("check", "--json", path)
    assert answer.code == 2
    verdict = answer.json()
    assert verdict["ok"] is False
    wrong = verdict["diagnostics"][0]
    assert wrong["severity"] == "error"
    assert wrong["code"] == "E0204"
    assert wrong["file"].endswith("model.toml")
    assert (wrong["line"], wrong["column"]) == (10, 17)
    assert isinstance(wrong["notes"], list) and isinstance(wrong["fixes"], list)
    assert "th" in "".join(wrong["notes"]) + str(wrong["fixes"]), "the near name is offered"


def test_a_message_shows_place_cause_and_remedy(liaison, model):
    answer = liaison("check", model(PENDULUM.replace("cos(th)", "cos(ht)")))
    assert answer.code == 2
    for part in ("error[E0204]", "ht", "model.toml:10:17", "^", "did you mean `th`", "liaison explain E0204"):
        assert part in answer.err + answer.out


def test_all_independent_errors_at_once(liaison, model):
    text = PENDULUM.replace("m/2", "mm/2").replace("-m*g", "-m*gg").replace("th = 0.5", "ht = 0.5")
    verdict = liaison("check", "--json", model(text)).json()
    assert len(verdict["diagnostics"]) == 3


def test_several_files(liaison, model):
    good, bad = model(PENDULUM, "good.toml"), model("format = 1\n", "bad.toml")
    assert liaison("check", good, good).code == 0
    assert liaison("check", good, bad).code == 2


@pytest.mark.parametrize("path", ["nowhere.toml", "."])
def test_a_file_that_cannot_be_read(liaison, path):
    answer = liaison("check", path)
    assert answer.code == 2
    assert "E0101" in answer.err + answer.out


def chain(count):
    """A [let] tower that doubles with every line: 2^count terms if anything multiplies it out."""
    lines = ["a0 = \"th + 1\""] + [f"a{i} = \"a{i - 1}*a{i - 1}\"" for i in range(1, count + 1)]
    return PENDULUM + "[let]\n" + "\n".join(lines) + f"\n[observe]\ntop = \"a{count}\"\n"


def observe(expression):
    return PENDULUM + f'[observe]\nx = "{expression}"\n'


HURTFUL = {
    "empty file": "",
    "one byte": "\x00",
    "not UTF-8": PENDULUM.encode() + b"about = \"\xff\xfe\"\n",
    "a megabyte on one line": "format = 1\nname = \"" + "x" * 2**20,
    "a megabyte of brackets": "format = 1\na = " + "[" * 2**20,
    "a megabyte of table dots": "format = 1\n[" + "a." * 2**19 + "a]\n",
    "larger than accepted": PENDULUM + "#" * (17 * 2**20),
    "deep parentheses": observe("(" * 100_000 + "th" + ")" * 100_000),
    "deep minus signs": observe("-" * 100_000 + "th"),
    "deep powers": observe("^".join(["th"] * 100_000)),
    "unclosed parentheses": observe("(" * 100_000),
    "cycle in let": PENDULUM + '[let]\na = "b"\nb = "a"\n[observe]\nx = "a"\n',
    "velocity in V": PENDULUM.replace("cos(th)", "cos(th')"),
    "no inertia": PENDULUM.replace('["th"]', '["th", "z"]'),
    "duplicated coordinate": PENDULUM.replace('["th"]', '["th", "th"]'),
    "no coordinates": PENDULUM.replace('coordinates = ["th"]', ""),
    "no format": PENDULUM.replace("format = 1", ""),
    "newer format": PENDULUM.replace("format = 1", "format = 99"),
    "not finite": PENDULUM.replace("m = 1.0", "m = nan"),
    "infinite": PENDULUM.replace("m = 1.0", "m = inf"),
    "restitution above one": PENDULUM + '[contact.stop]\ngap = "2 - th"\nrestitution = 1.5\n',
    "negative gap at the start": PENDULUM + '[contact.stop]\ngap = "th - 2"\n',
    "unknown table": PENDULUM + "[contcat.stop]\ngap = \"th\"\n",
    "misplaced key": PENDULUM + "gap = \"th\"\n",
    "key twice": PENDULUM + "th = 1\n",
    "huge number": PENDULUM.replace("m = 1.0", "m = " + "9" * 100_000),
    "huge exponent": PENDULUM.replace("m = 1.0", "m = 1e999999999"),
}


@pytest.mark.parametrize("name", HURTFUL)
def test_what_hurts_is_refused_quickly_with_a_place(liaison, model, name):
    answer = liaison("check", "--json", model(HURTFUL[name]), limit=20)
    assert answer.code == 2, answer.err
    errors = [d for d in answer.json()["diagnostics"] if d["severity"] == "error"]
    assert errors and all(d["code"].startswith("E") and d["message"] for d in errors)
    assert len(answer.out) < 200_000, "messages stay short whatever the input"
    assert answer.seconds < 2.5
    assert answer.peak_mib < 1024


def test_a_let_tower_stays_cheap(liaison, model):
    answer = liaison("check", model(chain(60)), limit=20)
    assert answer.code == 0, answer.err
    assert answer.seconds < 2.5
    assert answer.peak_mib < 1024


def test_many_coordinates_stay_cheap(liaison, model):
    n = 2000
    names = ", ".join(f'"x{i}"' for i in range(n))
    energy = " + ".join(f"x{i}'^2" for i in range(n))
    answer = liaison("check", model(f'format = 1\ncoordinates = [{names}]\n[energy]\nT = "({energy})/2"\n'), limit=20)
    assert answer.code == 0, answer.err
    assert answer.seconds < 5


def test_many_observed_quantities_stay_cheap(liaison, model):
    """The names of a table are looked through once, not once for each of them."""
    answer = liaison("check", model(PENDULUM + "[observe]\n" + "\n".join(f'o{i} = "th + {i}"' for i in range(30_000))),
                     limit=20)
    assert answer.code == 0, answer.err
    assert answer.seconds < 2.5


def test_a_parameter_that_does_not_exist(liaison, model):
    answer = liaison("check", model(PENDULUM), "--set", "ll=2")
    assert answer.code == 2
    assert "E0219" in answer.err + answer.out


@pytest.mark.parametrize("setting", ["l", "l=", "l=two", "l=nan", "=2"])
def test_a_setting_that_cannot_be_read(liaison, model, setting):
    answer = liaison("check", model(PENDULUM), "--set", setting)
    assert answer.code in (2, 64)
    assert setting.split("=")[-1] in answer.err + answer.out


BLOCK = """
format = 1
name = "block on a floor"
coordinates = ["x", "y"]
[energy]
T = "x'^2 + y'^2"
V = "2*9.81*y"
[contact.floor]
gap = "y"
slip = "x'"
friction = 0.3
[start]
closed = ["floor"]
[start.velocity]
x = 1
"""


def test_contacts_at_the_start(liaison, model):
    """A sliding block of mass 2: A1 = -g, B1' = 1/m, normal force m g, friction -mu m g."""
    verdict = liaison("check", "--json", "--contacts", model(BLOCK)).json()
    floor = verdict["contacts"]["floor"]
    assert floor["A1"] == pytest.approx(-9.81, rel=1e-14)
    assert floor["B1"] == pytest.approx(0.5, rel=1e-14)
    assert floor["case"] == "regular"
    (solution,) = verdict["solutions"]
    assert solution["contacts"]["floor"]["mode"] == "slip"
    assert solution["contacts"]["floor"]["normal"] == pytest.approx(19.62, rel=1e-13)
    assert solution["contacts"]["floor"]["tangential"] == pytest.approx([-0.3 * 19.62], rel=1e-13)
    assert verdict["delassus"] == [[0.5, 0.0], [0.0, 0.5]]
    assert verdict["models"][0]["at_start"]["contacts"]["floor"] == floor


def test_contacts_at_the_start_in_words(liaison, model):
    answer = liaison("check", "--contacts", model(BLOCK))
    assert answer.code == 0
    assert "contact floor: A1 = -9.81, B1' = 0.5, sliding is regular" in answer.out
    assert "solution: floor slip (normal force 19.62)" in answer.out


def test_a_model_without_contacts_has_nothing_to_tell_of_them(liaison, model):
    verdict = liaison("check", "--json", "--contacts", model(PENDULUM)).json()
    assert verdict["ok"] is True and "contacts" not in verdict
