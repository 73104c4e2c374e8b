# SPDX-License-Identifier: Apache-2.0
"""A motion that cannot even begin stops with facts and a whole report."""

ROD = """format = 1
name = "rod"
coordinates = ["x", "y", "th"]
[parameters]
mu = 1.6
[energy]
T = "(x'^2 + y'^2)/2 + th'^2/6"
V = "9.81*y"
[contact.tip]
gap = "y - sin(th)"
slip = "der(x - cos(th))"
friction = "mu"
[start]
th = "70*deg"
closed = ["tip"]
[start.velocity]
x = -4.0
[run]
until = 1.0
paradox = "stop"
"""


def test_no_motion_at_the_start(liaison, model):
    answer = liaison("run", "--json", model(ROD))
    assert answer.code == 3
    run = answer.json()
    assert run["status"] == "stopped" and run["time"] == 0.0
    assert "B1'" in run["reason"] and "separate" in run["reason"]
    assert run["energy"]["start"] == run["energy"]["end"]
