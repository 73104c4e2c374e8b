# SPDX-License-Identifier: Apache-2.0
"""Random plates on feet and blocks in corners, in space: contact and friction hold at every sample, forces balance."""
import pytest
from random_contacts import Wave, judged
from random_plates import Model

# Beside the first ones those that found something: shares of the load that ended too early, jumped or pulled, slips that started
# against their direction, walls that held weight by friction.
FOUND = [66, 78, 86, 131, 133, 136, 149, 203, 228, 354, 513, 620, 771, 1596]


@pytest.mark.parametrize("seed", [*range(45), *FOUND])
def test_the_conditions_of_contact_hold(seed):
    assert judged(Model(seed)) == [], Model(seed).text()


def feet_alone(count):
    """A model of feet on a floor at rest, and a sample of it at its start."""
    model = next(m for m in map(Model, range(1000)) if len(m.contacts) == count and all(c.mu for c in m.contacts)
                 and m.names == ["x", "y", "z", "p", "s", "c"])
    for contact in model.contacts:
        contact.d, contact.u, contact.static = Wave(), [Wave(), Wave()], 0.0
    rest = dict.fromkeys(model.names, 0.0)
    reactions = {f"c{k}": {"normal": 1.0, "tangential": [0.0, 0.0]} for k in range(count)}
    return model, {"t": 0.0, "q": dict(rest), "v": dict(rest), "a": dict(rest), "reactions": reactions}


def test_the_judge_finds_what_is_wrong():
    """Feet that pull, push through air or the floor, rub more than they may, or not against their slip; forces that are not there."""
    model, sample = feet_alone(3)
    assert any("balance" in fault for fault in model.faults(sample))
    first = sample["reactions"]["c0"]
    first["normal"] = -1.0
    assert any("force -1 of c0" in fault for fault in model.faults(sample))
    first["normal"], first["tangential"] = 1.0, [0.7, 0.7]
    assert any("friction 0.7 0.7 of c0 under 1" in fault for fault in model.faults(sample))
    # Slip along x with friction across it, within the cone and as large as it may be.
    mu = model.contacts[0].coefficient(0.1)
    first["tangential"] = [0.0, mu]
    sample["v"]["x"] = 0.1
    assert any("c0 while it slips by 0.1 0" in fault for fault in model.faults(sample))
    first["tangential"] = [-mu, 0.0]
    assert not any("c0 while it slips" in fault for fault in model.faults(sample))
    sample["q"]["z"] = -0.1
    assert any("gap of c0 -0.1" in fault for fault in model.faults(sample))
    sample["q"]["z"] = 0.1
    assert any("force 1 of c0 at a gap of 0.1" in fault for fault in model.faults(sample))


def test_the_places_of_the_judge_are_those_of_the_model():
    """Gradients against differences of the values, for a body that is turned and tilted."""
    model, _ = feet_alone(3)
    q = [0.1, 0.2, 0.3, 0.04, 0.05, 0.6]
    for contact in model.contacts:
        for row in (contact.gap, *contact.slips):
            for i, slope in enumerate(row.gradient(q)):
                after, before = ([x + d * (k == i) for k, x in enumerate(q)] for d in (1e-5, -1e-5))
                assert (row.value(after) - row.value(before)) / 2e-5 == pytest.approx(slope, abs=1e-9)
