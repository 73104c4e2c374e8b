#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The two jobs with dry friction by SciPy, DOP853 with modes, impact and stick written by hand.

usage: friction_scipy.py dry|rod TOLERANCE END REPEAT
"""
import json
import math
import sys
import time

from scipy.integrate import solve_ivp

F, A, W = 0.5, 1.0, 0.4


def dry(tolerance, until):
    t, x, v, steps = 0.0, 0.0, 0.0, 0
    while t < until:
        force = A * math.cos(W * t) - x
        if abs(v) < 1e-12 and abs(force) <= F * (1 + 1e-12):
            # Stick: the drive leaves the interval x ± F.
            ends = []
            for level in (x + F, x - F):
                if abs(level) < A:
                    first = math.acos(level / A) / W
                    for root in (first, 2 * math.pi / W - first):
                        k = math.ceil((t - root) * W / (2 * math.pi))
                        for turn in (k, k + 1):
                            s = root + turn * 2 * math.pi / W
                            rate = -A * W * math.sin(W * s)
                            if s > t + 1e-9 and (rate > 0) == (level > x):
                                ends.append(s)
            t, v = min([*ends, until]), 0.0
            if t >= until:
                break
        s = math.copysign(1.0, v if abs(v) > 1e-12 else A * math.cos(W * t) - x)

        def field(u, z, s=s):
            return (z[1], A * math.cos(W * u) - z[0] - F * s)

        def stop(_, z, s=s):
            return s * z[1]

        stop.terminal, stop.direction = True, -1
        r = solve_ivp(field, (t, until), (x, v), method="DOP853", rtol=tolerance, atol=tolerance, events=stop)
        t, x, v, steps = r.t[-1], float(r.y[0, -1]), float(r.y[1, -1]), steps + len(r.t)
        if r.status == 1:
            v = 0.0
    return [x, 0.0, v, 0.0], steps


def rod(tolerance, until):
    th, v0 = math.radians(61), -2.0
    c, s = math.cos(th), math.sin(th)
    nn, nt, tt = 1 + 3 * c * c, -3 * s * c, 1 + 3 * s * s
    det = nn * tt - nt * nt
    w = 3 * (-nt * v0 / det * c - nn * v0 / det * s)
    r = solve_ivp(lambda _, z: (z[1], -0.75 * 9.81 * math.cos(z[0])), (0, until), (th, w), method="DOP853",
                  rtol=tolerance, atol=tolerance)
    a, b = float(r.y[0, -1]), float(r.y[1, -1])
    return [math.cos(a), math.sin(a), a, -math.sin(a) * b, math.cos(a) * b, b], len(r.t)


def main():
    problem, tolerance, until, repeat = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    job = dry if problem == "dry" else rod
    begin = time.process_time()
    for _ in range(repeat):
        state, steps = job(tolerance, until)
    print(json.dumps({"solver": "SciPy DOP853, modes by hand", "setting": tolerance, "load": 0.0, "steps": steps,
                      "seconds": (time.process_time() - begin) / repeat, "state": state}))


main()
