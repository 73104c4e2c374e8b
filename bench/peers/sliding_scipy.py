# SPDX-License-Identifier: Apache-2.0
"""Belt and relay feedback by SciPy: DOP853, modes and events written by hand."""
import json
import math
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

FS, FD, V = 1.0, 0.6, 0.2
BELT = 2 * (FS - FD) / V + math.pi + 2 * math.atan(V / (FS - FD))
FEEDBACK = 3.679750670864798


def tell(problem, tolerance, cycles, seconds, period, exact, surface):
    print(json.dumps({"problem": problem, "solver": "SciPy DOP853, modes by hand", "tolerance": tolerance, "cycles": cycles,
                      "us_per_cycle": 1e6 * seconds / cycles, "period_error": abs(period - exact), "surface": surface}),
          flush=True)


def belt(tolerance, cycles):
    def caught(t, x):
        return x[1] - V - (1.0 if t < 1e-6 else 0.0)  # not at the start, where sticking has just ended

    caught.terminal, caught.direction = True, 1
    total, begin = 0.0, time.process_time()
    for _ in range(cycles):
        slip = solve_ivp(lambda t, x: [x[1], -x[0] + FD], (0, 100), [FS, V], "DOP853", events=caught,
                         rtol=tolerance, atol=tolerance)
        total += slip.t[-1] + (FS - slip.y[0, -1]) / V
    tell("belt", tolerance, cycles, time.process_time() - begin, total / cycles, BELT, 0.0)


def feedback(tolerance, cycles):
    state, u, t, times = np.array([1.0, 0.3, 0.2]), 1.0, 0.0, []
    begin = time.process_time()
    for _ in range(2 * cycles):
        def output(_, x):
            return x[2]

        output.terminal, output.direction = True, -u
        arc = solve_ivp(lambda _, x, u=u: [-x[0] - u, -x[1] + x[0], -x[2] + x[1]], (t, t + 100), state, "DOP853",
                        events=output, rtol=tolerance, atol=tolerance)
        state, t, u = arc.y[:, -1], arc.t[-1], -u
        times.append(t)
    last = max(2, cycles // 10)
    tell("feedback", tolerance, cycles, time.process_time() - begin, (times[-1] - times[-1 - 2 * last]) / last, FEEDBACK,
         None)


COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100
for TOLERANCE in (1e-9, 1e-12):
    belt(TOLERANCE, COUNT)
    feedback(TOLERANCE, COUNT)
