# SPDX-License-Identifier: Apache-2.0
"""Random models with relays and sign() beside contacts: values of relays, contact and friction hold at every sample, forces balance."""
import pytest
from random_relays import RelayModel, compare, judge


@pytest.mark.parametrize("seed", [*range(100), 119, 156, 206, 232, 294, 302, 318, 330, 338, 425, 493, 530, 797, 1081, 1123, 1201, 1720, 1912, 1976, 2080])
def test_the_conditions_of_relays_and_contacts_hold(seed):
    assert judge(seed) == [], RelayModel(seed).text()


@pytest.mark.parametrize("seed", [12, 13, 45, 58, 64, 67, 79, 120, 125, 129, 146, 184])
def test_time_stepping_comes_to_the_same_motion(seed):
    """Moreau and Jean's with an error of first order: a step of a quarter comes nearer."""
    coarse, fine = compare(seed)
    assert fine < 2e-3 or fine < 0.5 * coarse, RelayModel(seed).text()


@pytest.mark.parametrize("seed", [607, 1754, 1994])
def test_the_motion_is_in_order_where_both_could_not_be_decided_together(seed):
    """Whatever was not decided together is told, and all conditions hold."""
    assert [fault for fault in judge(seed) if "not together" not in fault] == [], RelayModel(seed).text()


def test_the_judge_finds_what_is_wrong():
    """A relay with the value of the other side, one beyond its limits, a force that is not there: each is told."""
    model = next(m for m in map(RelayModel, range(100)) if len(m.relays) == 1 and m.relays[0].named and any(m.relays[0].rate))
    relay = model.relays[0]
    sample = {"t": 0.0, "relays": {"r0": 1.0}, "reactions": {f"c{k}": {"normal": 0.0, "tangential": [0.0]} for k in range(4)}}
    sample |= {key: {x: 0.0 for x in model.names} for key in ("q", "v", "a")}
    sample["q"] = {x: 10.0 for x in model.names}
    for x, rate in zip(model.names, relay.rate):
        sample["v"][x] = -100.0 * rate
    told = " ".join(model.faults(sample))
    assert "value 1 of r0" in told and "balance" in told
    sample["relays"]["r0"] = -1.0
    assert "of r0" not in " ".join(model.faults(sample))
    sample["relays"]["r0"] = -1.1
    assert "value -1.1 of r0" in " ".join(model.faults(sample))
