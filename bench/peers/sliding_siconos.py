# SPDX-License-Identifier: Apache-2.0
"""Belt and relay feedback by Siconos: Euler–Moreau time stepping with an implicit relay (package python3-siconos)."""
import json
import math
import sys
import time

import siconos.kernel as sk

FS, FD, V = 1.0, 0.6, 0.2
BELT = 2 * (FS - FD) / V + math.pi + 2 * math.atan(V / (FS - FD))
FEEDBACK = 3.679750670864798


def tell(problem, step, cycles, seconds, period, exact, surface):
    print(json.dumps({"problem": problem, "solver": "Siconos Euler-Moreau relay", "tolerance": step, "cycles": cycles,
                      "us_per_cycle": 1e6 * seconds / cycles, "period_error": abs(period - exact), "surface": surface}),
          flush=True)


def stepping(system, relation, law, step, until, each):
    interaction = sk.Interaction(law, relation)
    whole = sk.NonSmoothDynamicalSystem(0, until)
    whole.insertDynamicalSystem(system)
    whole.link(interaction, system)
    simulation = sk.TimeStepping(whole, sk.TimeDiscretisation(0, step), sk.EulerMoreauOSI(0.5), sk.Relay())
    begin, k = time.process_time(), 0
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        k += 1
        each(k * step, system.x())
        simulation.nextStep()
    return time.process_time() - begin


def feedback(step, cycles):
    system = sk.FirstOrderLinearDS([1.0, 0.3, 0.2], [[-1, 0, 0], [1, -1, 0], [0, 1, -1]])
    relation = sk.FirstOrderLinearTIR([[0, 0, 1]], [[1], [0], [0]])
    ups, last = [], [0.2]

    def each(t, x):
        if last[0] < 0 <= x[2]:
            ups.append(t - step * x[2] / (x[2] - last[0]))
        last[0] = x[2]

    # Eight cycles to settle.
    seconds = stepping(system, relation, sk.RelayNSL(1, -1, 1), step, (cycles + 8) * FEEDBACK, each)
    tell("feedback", step, cycles, seconds * cycles / (cycles + 8), (ups[-1] - ups[-6]) / 5, FEEDBACK, None)


def belt(step, cycles):
    # The relay has one level: the static one is set by hand after steps that end at rest on the belt.
    system = sk.FirstOrderLinearDS([FS, V], [[0, 1], [-1, 0]])
    relation = sk.FirstOrderLinearTIR([[0, 1]], [[0], [1]])
    relation.setePtr([-V])
    law = sk.RelayNSL(1, -FD, FD)
    ends, state = [], {"stuck": True, "surface": 0.0}

    def each(t, x):
        stuck = abs(x[1] - V) < 1e-9
        if state["stuck"] and not stuck:
            ends.append(t)
        if stuck:
            state["surface"] = max(state["surface"], abs(x[1] - V))
        state["stuck"] = stuck
        law.setLb(-FS if stuck else -FD)
        law.setUb(FS if stuck else FD)

    seconds = stepping(system, relation, law, step, (cycles + 1) * BELT, each)
    period = (ends[-1] - ends[0]) / (len(ends) - 1) if len(ends) > 1 else math.nan
    tell("belt", step, cycles, seconds * cycles / (cycles + 1), period, BELT, state["surface"])


COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 12
for STEP in (1e-2, 1e-3):
    belt(STEP, COUNT)
    feedback(STEP, COUNT)
