# SPDX-License-Identifier: Apache-2.0
"""liaison orbit from outside: the JSON contract, the picture, what is no orbit."""

from conftest import needs

pytestmark = needs("orbit")

TABLE = """format = 1
name = "table"
coordinates = ["y"]
[parameters]
A = 0.09
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.table]
gap = "y - A*sin(2*pi*t)"
restitution = 0.8
[start]
time = 0.0429714148830104923
y = "A*sin(2*pi*0.0429714148830104923)"
[start.velocity]
y = 4.905
"""


def test_contract(liaison, model, tmp_path):
    answer = liaison("orbit", model(TABLE), "--json", "--period", "1")
    assert answer.code == 0, answer.err
    result = answer.json()
    assert abs(result["period"] - 1) < 1e-12
    assert result["signature"] == ["impact table"]
    assert result["stable"] is True and result["admissible"] is True and result["trivial"] == 0
    assert result["residual"] < 1e-10
    # trace 1 + e^2 - (1 + e)^2 Gamma sin(phase), determinant e^2
    product = result["multipliers"][0]["re"] ** 2 + result["multipliers"][0]["im"] ** 2
    assert abs(product - 0.64) < 1e-10
    assert abs(result["multipliers"][0]["re"] - 0.66350) < 1e-5
    assert abs(result["events"][0]["v_plus"]["y"] - 4.905) < 1e-9
    assert set(result["state"]) == {"q", "v"}


def test_text_and_picture(liaison, model, tmp_path):
    picture = tmp_path / "orbit.svg"
    path = model(TABLE)
    answer = liaison("orbit", path, "--period", "1", "-o", str(picture))
    assert answer.code == 0
    assert "orbit found in" in answer.out and "stable" in answer.out
    assert "admissible: simulated over a period" in answer.out
    assert "unit circle" in picture.read_text(encoding="utf-8")
    again = liaison("orbit", path, "--period", "1", "-o", str(picture))
    assert again.code == 64 and "--force overwrites it" in again.err


def test_no_orbit(liaison, model, tmp_path):
    path = model("""format = 1
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "-x^2/2"
[start]
x = 1.0
""")
    answer = liaison("orbit", path, "--longest", "10")
    assert answer.code == 1
    assert "no orbit found: the motion does not return within 10 time units" in answer.out
    assert liaison("orbit", path, "--period", "0").code == 64
    assert liaison("orbit", path, "--set", "k=1").code == 2
