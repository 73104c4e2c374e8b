# SPDX-License-Identifier: Apache-2.0
"""Random models of blocks and bodies with corners between moving walls: contact and friction hold at every sample, forces balance."""
import pytest
from random_contacts import Model, judge


@pytest.mark.parametrize("seed", [*range(120), 292, 340, 682, 1200, 1217, 1357, 1588, 1607, 3013])
def test_the_conditions_of_contact_hold(seed):
    assert judge(seed) == [], Model(seed).text()


def test_the_judge_finds_what_is_wrong():
    """Friction along the slip, a contact that pulls, a force that is not there: each is told."""
    model = next(m for m in map(Model, range(100)) if m.contacts[0].mu and not m.contacts[0].static and len(m.contacts) == 1)
    rest = {x: 0.0 for x in model.names}
    sample = {"t": 0.0, "q": dict(rest), "v": dict(rest), "a": dict(rest), "reactions": {"c0": {"normal": -1.0, "tangential": [0.0]}}}
    told = " ".join(model.faults(sample))
    assert "force -1" in told and "balance" in told
    sample["reactions"]["c0"] = {"normal": 1.0, "tangential": [2.0]}
    assert "friction 2" in " ".join(model.faults(sample))
