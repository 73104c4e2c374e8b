#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The forced impact oscillator by SciPy: solve_ivp with a terminal event, restarted at each impact."""
import json
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

H, W, E, S0 = 0.1, 2.6, 0.8, -0.5


def main():
    periods = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    until = periods * 2 * np.pi / W

    def field(t, x):
        return (x[1], np.sin(W * t) - H * x[1] - x[0])

    def stop(_, x):
        return -x[0]

    stop.terminal = True
    stop.direction = -1
    for tolerance in (1e-9, 1e-12):
        t, x, impacts = 0.0, np.array([S0, 0.0]), 0
        begin = time.process_time()
        while t < until:
            r = solve_ivp(field, (t, until), x, method="DOP853", rtol=tolerance, atol=tolerance, events=stop)
            t, x = r.t[-1], r.y[:, -1].copy()
            if r.status == 1:
                x[0], x[1] = 0.0, -E * x[1]
                impacts += 1
        seconds = time.process_time() - begin
        print(json.dumps({"problem": "oscillator", "solver": "SciPy DOP853", "tolerance": tolerance,
                          "periods": periods, "us_per_period": 1e6 * seconds / periods, "impacts": impacts}),
              flush=True)


main()
