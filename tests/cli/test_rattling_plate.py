# SPDX-License-Identifier: Apache-2.0
"""A plate that slides in space and rattles to rest on three feet: its impacts become slow beside its slip."""

import pytest
from conftest import run_program


@pytest.mark.parametrize("height, tilt", [(0.1, 0.02), (0.2, 0.05), (0.3, 0.08)])
def test_a_plate_that_falls_and_slides(height, tilt):
    """All feet slip along x, so that friction is μ times the whole normal force: x' = 5 − μ (g t + z') from z' = 0 on."""
    foot = """
[contact.{name}]
gap = "z {gap}"
slip = ["x' + {height}*p'", "y'"]
friction = 0.2
restitution = {{ value = 0, law = "moreau" }}"""
    gaps = {"a": "+ 0.3*p", "b": "- 0.2*p + 0.25*s", "c": "- 0.2*p - 0.25*s"}
    feet = "".join(foot.format(name=name, gap=gap, height=height) for name, gap in gaps.items())
    text = f"""
format = 1
coordinates = ["x", "y", "z", "p", "s"]
[energy]
T = "(x'^2 + y'^2 + z'^2 + 0.1*p'^2 + 0.1*s'^2)/2"
V = "10*z"
{feet}
[start]
z = 0.1
p = 0.1
s = {tilt}
[start.velocity]
x = 5
[run]
until = 2
tolerance = 1e-10
"""
    answer = run_program("run", "-", "--json", "--at", "0.3,1,2", stdin=text)
    result = answer.json()
    assert answer.code == 0
    for sample in result["samples"]:
        v = sample["v"]
        assert v["x"] == pytest.approx(5.0 - 0.2 * (10.0 * sample["t"] + v["z"]), abs=1e-9)
    assert [v["z"], v["p"], v["s"]] == pytest.approx([0.0, 0.0, 0.0], abs=1e-11)
    # Signs of impulses and rates were judged by the slip, 1e-10 of it.
    assert result["contacts"]["impact_complementarity"] < 1e-14
