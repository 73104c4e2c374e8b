#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dry friction by liaison and its rivals in one run: a forced block that sticks and slips, and a rod in a paradox.

usage: compare_friction.py BUILD_DIR [--repeat 3]

Every solver runs with finer and finer settings; a row tells the error of the end state against the exact motion and the
CPU time (median of the repeats, in turn). Below: the cheapest setting of each with an error of at most 1e-4.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
F, A, W = 0.5, 1.0, 0.4
END = {"dry": 62.83185307179586, "rod": 0.3}  # four periods; 0.3 s
SETTINGS = {
    "friction_liaison": [1e-4, 1e-6, 1e-9, 1e-12],
    "friction_scipy.py": [1e-4, 1e-6, 1e-9, 1e-12],
    "friction_siconos": {"dry": [1e-1, 1e-2, 1e-3], "rod": [1e-3, 1e-4, 1e-5]},
}
OFTEN = {"friction_liaison": 200, "friction_scipy.py": 5, "friction_siconos": 1}


def bisect(f, a, b):
    fa = f(a)
    for _ in range(200):
        m = (a + b) / 2
        if (f(m) > 0) == (fa > 0):
            a = m
        else:
            b = m
    return (a + b) / 2


def exact_dry(until):
    """Harmonic pieces: x'' + x = A cos W t − F s in slip, rest while |A cos W t − x| ≤ F."""
    t, x, v, fine = 0.0, 0.0, 0.0, 1e-3
    particular = A / (1 - W * W)
    while True:
        drive = A * math.cos(W * t) - x
        if v == 0.0 and abs(drive) <= F:
            u = t
            while u < until and abs(A * math.cos(W * u) - x) <= F:
                u += fine
            if u >= until:
                return [x, 0.0, 0.0, 0.0]
            t = bisect(lambda z: abs(A * math.cos(W * z) - x) - F, max(t, u - fine), u)
            drive = A * math.cos(W * (t + 1e-9)) - x
        s = math.copysign(1.0, v if v != 0.0 else drive)
        c = x - particular * math.cos(W * t) + F * s
        d = v + particular * W * math.sin(W * t)

        def speed(u, t=t, c=c, d=d):
            return -c * math.sin(u - t) + d * math.cos(u - t) - particular * W * math.sin(W * u)

        def place(u, t=t, c=c, d=d, s=s):
            return c * math.cos(u - t) + d * math.sin(u - t) + particular * math.cos(W * u) - F * s

        u = t + fine
        while u < until and s * speed(u) > 0:
            u += fine
        if u >= until:
            return [place(until), 0.0, speed(until), 0.0]
        end = bisect(lambda z: s * speed(z), u - fine, u)
        t, x, v = end, place(end), 0.0


def exact_rod(until):
    """Closed form of the impact, then a pendulum about the tip (Runge–Kutta with very small steps)."""
    th, v0 = math.radians(61), -2.0
    c, s = math.cos(th), math.sin(th)
    nn, nt, tt = 1 + 3 * c * c, -3 * s * c, 1 + 3 * s * s
    det = nn * tt - nt * nt
    w = 3 * (-nt * v0 / det * c - nn * v0 / det * s)
    n = 20000
    h = until / n

    def rate(a):
        return -0.75 * 9.81 * math.cos(a)

    for _ in range(n):
        k1, l1 = w, rate(th)
        k2, l2 = w + h / 2 * l1, rate(th + h / 2 * k1)
        k3, l3 = w + h / 2 * l2, rate(th + h / 2 * k2)
        k4, l4 = w + h * l3, rate(th + h * k3)
        th, w = th + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), w + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return [math.cos(th), math.sin(th), th, -math.sin(th) * w, math.cos(th) * w, w]


def measured(directory, program, problem, setting):
    run = ["/usr/bin/python3", str(HERE / program)] if program.endswith(".py") else [str(directory / program)]
    done = subprocess.run([*run, problem, str(setting), repr(END[problem]), str(OFTEN[program])], capture_output=True,
                          text=True, timeout=600, cwd=tempfile.gettempdir(), check=False,
                          # Threads of a matrix library that wait would count as work.
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return json.loads(line)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    arguments.directory = arguments.directory.resolve()
    truths = {"dry": exact_dry(END["dry"]), "rod": exact_rod(END["rod"])}
    for problem, truth in truths.items():
        print(f"{problem}: exact end {truth}", flush=True)
        best = {}
        for program, all_settings in SETTINGS.items():
            if not program.endswith(".py") and not (arguments.directory / program).exists():
                print(f"  {program} is not there", file=sys.stderr)
                continue
            settings = all_settings[problem] if isinstance(all_settings, dict) else all_settings
            for setting in settings:
                answers = [measured(arguments.directory, program, problem, setting) for _ in range(arguments.repeat)]
                answers = [a for a in answers if a]
                if not answers:
                    print(f"  {program} {setting}: no answer")
                    continue
                error = max(abs(a - b) for a, b in zip(answers[0]["state"], truth))
                seconds = statistics.median(a["seconds"] for a in answers)
                print(f"  {answers[0]['solver']:<28} {setting:8.0e}  error {error:8.1e}  {1e6 * seconds:12.1f} us  "
                      f"{answers[0]['steps']} steps  (read and derived once: {1e3 * answers[0]['load']:.1f} ms)", flush=True)
                if error <= 1e-4 and seconds < best.get(answers[0]["solver"], math.inf):
                    best[answers[0]["solver"]] = seconds
        own = best.get("liaison")
        for solver, seconds in best.items():
            if own and solver != "liaison":
                print(f"  at an error of 1e-4 or less: {solver} takes {seconds / own:.0f} times as long as liaison")


main()
