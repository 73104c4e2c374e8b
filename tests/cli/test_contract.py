# SPDX-License-Identifier: Apache-2.0
"""The JSON contract field by field: names, types, and what does not exist is null."""

from fractions import Fraction

import pytest
from conftest import ROOT, needs

pytestmark = needs("run")

NUMBER = (int, float)
MAYBE = (int, float, type(None))
WORDS = (str, type(None))

RUN = {"liaison": str, "model": str, "status": str, "reason": WORDS, "time": NUMBER, "time_low": NUMBER, "state": dict,
       "samples": list, "events": list, "energy": (dict, type(None)), "constraints": dict, "integrals": dict, "smallest_gap": MAYBE,
       "contacts": (dict, type(None)),
       "statistics": dict, "warnings": list, "provenance": dict, "continue": dict}
SAMPLE = {"t": NUMBER, "q": dict, "v": dict, "a": dict, "reactions": dict, "relays": dict, "observe": dict, "mode": dict}
EVENT = {"time": NUMBER, "kind": str, "where": str, "side": WORDS, "impulse": MAYBE, "tangential": list, "energy": MAYBE,
         "q": dict, "v_minus": dict, "v_plus": dict, "gap_rate": MAYBE, "closes": bool, "case": WORDS, "rule": WORDS,
         "accuracy": NUMBER, "compression": MAYBE, "work": (dict, type(None)), "phases": list}
ENERGY = {"start": NUMBER, "end": NUMBER, "work": NUMBER, "impacts": NUMBER, "friction": NUMBER, "relays": NUMBER,
          "unexplained": NUMBER}
CONSTRAINT = {"max_violation": NUMBER, "max_violation_between": NUMBER, "bound": MAYBE, "certificate": str, "p": MAYBE,
              "p_range": (list, type(None)), "p_range_crude": (list, type(None)), "monitor": (dict, type(None)),
              "tube": (dict, type(None)), "step": MAYBE, "margin": MAYBE}
INTEGRAL = {"start": NUMBER, "end": NUMBER, "max_drift": NUMBER, "max_drift_between": NUMBER}
STATISTICS = {"steps": int, "evaluations": int, "compile_ms": NUMBER, "simulate_ms": NUMBER}
KINDS = {"impact", "tangential_impact", "attach", "release", "stick", "slip", "reverse", "graze", "accumulation",
         "crossing", "enter_sliding", "exit_sliding", "user", "terminal"}
CERTIFICATES = {"certified", "monitored", "estimated", "none"}


def demand(record, fields, where):
    for name, kind in fields.items():
        assert name in record, f"{where}: {name} is missing"
        assert isinstance(record[name], kind), f"{where}: {name} is {record[name]!r}"
        assert not (kind is NUMBER and isinstance(record[name], bool))


EXAMPLES = ["01-pendulum", "02-string-pendulum", "03-bouncing-ball", "06-slider-crank", "08-knife-edge", "13-row-of-balls",
            "17-kepler", "21-ball-by-hand", "25-play"]


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_field(liaison, example):
    answer = liaison("run", ROOT / "examples" / example / "model.toml", "--json", "--at", "0,0.5")
    assert answer.code == 0, answer.err
    result = answer.json()
    demand(result, RUN, "run")
    assert result["status"] in ("done", "stopped", "interrupted", "unbalanced")
    demand(result["state"], {"q": dict, "v": dict}, "state")
    assert [sample["t"] for sample in result["samples"]] == [0, 0.5]
    for sample in result["samples"]:
        demand(sample, SAMPLE, "sample")
        assert set(sample["q"]) == set(result["state"]["q"])
        for values in (sample["q"], sample["v"], sample["a"]):
            assert all(isinstance(value, NUMBER) for value in values.values())
    for event in result["events"]:
        demand(event, EVENT, "event")
        assert event["kind"] in KINDS
        assert event["side"] in (None, "lower", "upper")
        if event["work"] is not None:
            demand(event["work"], {"normal": MAYBE, "tangential": MAYBE}, "work")
    if result["energy"] is not None:
        demand(result["energy"], ENERGY, "energy")
    for constraint in result["constraints"].values():
        demand(constraint, CONSTRAINT, "constraint")
        assert constraint["certificate"] in CERTIFICATES
    for integral in result["integrals"].values():
        demand(integral, INTEGRAL, "integral")
    demand(result["statistics"], STATISTICS, "statistics")


def test_an_impact_tells_its_impulses(liaison):
    """Compression ends with the relative velocity: m|v|; restitution adds e of it (ball of 1 kg from 1 m)."""
    ball = ROOT / "examples/03-bouncing-ball/model.toml"
    result = liaison("run", ball, "--json").json()
    impact = next(event for event in result["events"] if event["kind"] == "impact")
    speed = (2 * 9.81) ** 0.5
    assert impact["gap_rate"] == pytest.approx(-speed, rel=1e-12)
    assert impact["compression"] == pytest.approx(speed, rel=1e-12)
    assert impact["impulse"] == pytest.approx(1.8 * speed, rel=1e-12)
    assert impact["work"]["normal"] == pytest.approx(-(1 - 0.64) * 9.81, rel=1e-12)
    assert impact["work"]["tangential"] == 0


def test_the_balance_adds_up(liaison):
    result = liaison("run", ROOT / "examples/02-string-pendulum/model.toml", "--json").json()
    energy = result["energy"]
    total = energy["start"] + energy["work"] + energy["impacts"] + energy["friction"] + energy["relays"]
    assert energy["end"] == pytest.approx(total + energy["unexplained"], abs=1e-15)
    assert energy["impacts"] == pytest.approx(sum(e["energy"] or 0 for e in result["events"]), rel=1e-13)


def test_a_first_order_system_has_rates_as_velocities(liaison, model):
    result = liaison("run", model('format = 1\nname = "decay"\ncoordinates = ["x"]\n[system]\nx = "-2*x"\n'
                                  "[start]\nx = 1.0\n[run]\nuntil = 1.0\n"), "--json", "--at", "0.5").json()
    sample = result["samples"][0]
    assert sample["v"]["x"] == pytest.approx(-2 * sample["q"]["x"], rel=1e-15)
    assert result["energy"] is None


def test_time_is_in_double_length(liaison, model):
    """Zero number k of sin(t) lies at kπ; high and low part together know it better than one double does."""
    result = liaison("run", model('format = 1\nname = "clock"\ncoordinates = ["x"]\n[system]\nx = "cos(t)"\n'
                                  '[event.zero]\nwhen = "sin(t)"\n[run]\nuntil = 1000.0\ntolerance = 1e-15\n'), "--json").json()
    event = result["events"][-1]
    k = 318
    assert event["time"] == pytest.approx(k * 3.141592653589793, rel=1e-15)
    pi = Fraction(31415926535897932384626433832795028842, 10**37)
    error = Fraction(event["time"]) + Fraction(event["time_low"]) - k * pi
    assert abs(error) < Fraction(1, 10**14)


def test_samples_that_never_come_are_told(liaison):
    result = liaison("run", ROOT / "examples/01-pendulum/model.toml", "--json", "--at", "1e6").json()
    assert result["samples"] == []
    assert any("1000000" in warning for warning in result["warnings"])


def test_check_tells_place_and_remedy(liaison, model):
    answer = liaison("check", "--json", model("format = 1\n"))
    assert answer.code == 2
    result = answer.json()
    assert result["ok"] is False
    for diagnostic in result["diagnostics"]:
        demand(diagnostic, {"severity": str, "code": str, "message": str, "file": WORDS, "line": (int, type(None)),
                            "column": (int, type(None)), "notes": list, "fixes": list}, "diagnostic")
