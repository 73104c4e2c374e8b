#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The two jobs with contacts by SciPy: solve_ivp (DOP853) with a terminal event and a restart written by hand.

usage: contact_scipy.py ball|stop TOLERANCE END_OR_PERIODS RESTITUTION; prints where it ended, the driver knows the truth.
"""
import json
import math
import sys
import time

from scipy.integrate import solve_ivp

G, H, W, STOP = 9.81, 0.1, 1.7, 0.5


def main():
    problem, tolerance, extent, e = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    ball = problem == "ball"
    until = extent if ball else extent * 2 * math.pi / W

    def field(t, x):
        return (x[1], -G) if ball else (x[1], math.sin(W * t) - H * x[1] - x[0])

    def gap(_, x):
        return x[0] if ball else STOP - x[0]

    gap.terminal, gap.direction = True, -1
    t, x, impacts, says = 0.0, [1.0 if ball else 0.0, 0.0], 0, "done"
    begin = time.process_time()
    while t < until:
        r = solve_ivp(field, (t, until), x, method="DOP853", rtol=tolerance, atol=tolerance, events=gap)
        t, x = r.t[-1], [float(r.y[0, -1]), float(r.y[1, -1])]
        if r.status == 1:
            impacts += 1
            x = [0.0 if ball else STOP, -e * x[1]]
        if time.process_time() - begin > 20:
            says = f"no end after 20 s at t = {t:.6f}"
            break
    print(json.dumps({"problem": problem, "solver": "SciPy DOP853", "setting": tolerance, "more": 0.0, "extent": extent,
                      "restitution": e, "state": x, "impacts": impacts, "time": t, "lowest_gap": 0.0,
                      "seconds": time.process_time() - begin, "says": says}), flush=True)


main()
