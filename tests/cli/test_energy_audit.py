# SPDX-License-Identifier: Apache-2.0
"""Energy of every example with dry friction: work, friction and impacts add up to what the energy changed by."""

import functools
import re

import pytest
from conftest import ROOT, run_program

FRICTION = re.compile(r"^\s*friction\s*=", re.MULTILINE)
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*/model.toml")
                  if FRICTION.search(path.read_text(encoding="utf-8")))


@functools.lru_cache(maxsize=None)
def run(path):
    answer = run_program("run", path, "--json")
    assert answer.code == 0, answer.out[:500] + answer.err
    return answer.json()


def test_there_are_examples_with_friction():
    assert len(EXAMPLES) >= 11


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_the_balance_closes(path):
    result = run(path)
    energy = result["energy"]
    size = max(abs(energy["start"]), abs(energy["end"]), abs(energy["work"]), abs(energy["friction"]), 1e-3)
    parts = sum(energy[part] for part in ("work", "impacts", "friction", "relays"))
    assert energy["end"] - energy["start"] == pytest.approx(parts, abs=1e-8 * size)
    assert abs(energy["unexplained"]) <= 1e-8 * size
    # The sum over the log is the same as the sum on the way; no impact creates energy.
    jumps = [e for e in result["events"] if e["kind"] in ("impact", "tangential_impact", "accumulation")]
    assert sum(e["energy"] for e in jumps) == pytest.approx(energy["impacts"], abs=1e-10 * size)
    assert all(e["energy"] <= 1e-12 * size for e in jumps)
    # An impact that was followed through in impulse: works of normal and friction forces.
    for event in jumps:
        work = event.get("work")
        if work and work["normal"] is not None:
            assert work["normal"] + work["tangential"] == pytest.approx(event["energy"], abs=1e-10 * size)
            assert work["tangential"] <= 1e-12 * size


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_friction_never_drives_a_contact_at_rest(path):
    """Dry friction at a floor that does not move takes energy; at a moving one its work is that of the floor as well."""
    text = path.read_text(encoding="utf-8")
    moves = re.search(r"slip\s*=.*-\s*v", text) is not None
    energy = run(path)["energy"]
    if not moves:
        assert energy["friction"] <= 1e-9 * max(1.0, abs(energy["start"]))


def test_the_motion_alone_is_the_same_motion():
    """--no-balance: no books are kept, the step is chosen for the motion alone, and the balance is missing, not zero."""
    names = ("03-bouncing-ball", "11-stick-slip-belt", "15-impact-oscillator")
    for path in [ROOT / "examples" / name / "model.toml" for name in names]:
        kept = run(path)
        answer = run_program("run", path, "--no-balance", "--json")
        assert answer.code == 0, answer.err
        alone = answer.json()
        assert alone["energy"] is None
        assert [e["kind"] for e in alone["events"]] == [e["kind"] for e in kept["events"]]
        for name, value in kept["state"]["q"].items():
            assert alone["state"]["q"][name] == pytest.approx(value, rel=1e-7, abs=1e-8)
