#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Contacts by liaison and its rivals in one run: a ball past its accumulation, and 10 000 periods of an oscillator with a stop.

usage: compare_contacts.py BUILD_DIR [--repeat 3] [--instructions] [--json FILE]

Prints one row per solver and setting: error, lowest gap, impacts, CPU time (median) and what the program said. With
--instructions the cost of a period is counted by callgrind as the difference of two run lengths, so that loading and
compiling do not enter.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PERIODS = 10_000
# program, setting, more; slow rivals run fewer periods (their cost per period does not depend on the number).
BALL = [("contact_liaison", 1e-12, 0), ("contact_siconos", -10, 0), ("contact_siconos", 1e-3, 0), ("contact_siconos", 1e-5, 0),
        ("contact_cvode", 1e-10, 0), ("contact_scipy.py", 1e-12, 0), ("contact_mujoco", 1e-3, 1e5), ("contact_mujoco", 1e-5, 1e7)]
STOP = [("contact_liaison", 1e-9, 0, 1), ("contact_liaison", 1e-12, 0, 1), ("contact_siconos", -20, 0, 1),
        ("contact_siconos", -20, 1e-8, 1), ("contact_siconos", 200, 0, 0.1), ("contact_siconos", 2000, 0, 0.02),
        ("contact_cvode", 1e-8, 0, 1), ("contact_cvode", 1e-10, 0, 1), ("contact_cvode", 1e-12, 0, 1),
        ("contact_scipy.py", 1e-10, 0, 0.02), ("contact_mujoco", 2000, 1e5, 0.02)]
# Two run lengths for callgrind.
COUNTED = {"contact_liaison": (2000, 12000), "contact_siconos": (20, 60), "contact_cvode": (20, 120)}


def command(directory, program, *values):
    if program.endswith(".py"):
        return ["/usr/bin/python3", str(HERE / program), *map(str, values)]
    return [str(directory / program), *map(str, values)]


def there(directory, program):
    return program.endswith(".py") or (directory / program).exists()


def ball_at(t, e, g=9.81):
    first = math.sqrt(2 / g)
    if t >= first * (1 + e) / (1 - e):
        return 0.0, 0.0
    v, begin = e * g * first, first
    while t >= begin + 2 * v / g:
        begin, v = begin + 2 * v / g, v * e
    return v * (t - begin) - g * (t - begin) ** 2 / 2, v - g * (t - begin)


def measured(directory, program, problem, setting, extent, e, more):
    """The answer of one program; what it prints beside JSON is left out, and a program that breaks off is an answer too."""
    try:
        done = subprocess.run(command(directory, program, problem, setting, extent, e, more), capture_output=True, text=True,
                              timeout=300, cwd=tempfile.gettempdir())
    except subprocess.TimeoutExpired:
        return None
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not rows:
        sys.stderr.write(f"{program} {problem}: no answer, exit {done.returncode}\n{done.stderr[-500:]}\n")
        return None
    row = rows[-1]
    if "state" in row:  # SciPy: the truth of the oscillator comes from a compiled program, the closed form
        if problem == "ball":
            truth = ball_at(extent, e)
        else:
            lines = subprocess.run(command(directory, "contact_liaison", "stop", 1e-13, extent, e), capture_output=True,
                                   text=True, check=True).stdout
            truth = json.loads(lines)["truth"]
        row["error"] = abs(row["state"][0] - truth[0])
        row["error_rate"] = abs(row["state"][1] - truth[1])
    return row


def instructions(directory, program, setting, e, more):
    """Instructions of one period: difference of two run lengths under callgrind."""
    counts = []
    for periods in COUNTED[program]:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                               *command(directory, program, "stop", setting, periods, e, more)], capture_output=True, text=True,
                              env={**os.environ, "PEERS_WITHOUT_TRUTH": "1"}, cwd=tempfile.gettempdir())
        found = re.search(r"Collected : (\d+)", done.stderr)
        if not found:
            return None
        counts.append(int(found.group(1)))
    short, long = COUNTED[program]
    return (counts[1] - counts[0]) / (long - short)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="directory with the programs, build/bench/bench/peers")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    args.build = args.build.resolve()
    rows = []
    jobs = [("ball", program, setting, extent, 0.8, more) for extent in (3, 5) for program, setting, more in BALL]
    jobs += [("stop", program, setting, int(PERIODS * share), e, more) for e in (1, 0.8) for program, setting, more, share in STOP]
    for problem, program, setting, extent, e, more in jobs:
        if not there(args.build, program):
            continue
        same = []
        for _ in range(args.repeat):
            row = measured(args.build, program, problem, setting, extent, e, more)
            if row:
                same.append(row)
            if not row or row["seconds"] > 5:
                break
        if not same:
            print(f"{problem:5} {program:24} {setting:g}: no answer")
            continue
        row = {**same[-1], "seconds": statistics.median(r["seconds"] for r in same), "runs": len(same)}
        if problem == "stop":
            row["us_per_period"] = 1e6 * row["seconds"] / extent
            if args.instructions and program in COUNTED and not (program == "contact_siconos" and (setting > 0 or more == 0)):
                row["instructions_per_period"] = instructions(args.build, program, setting, e, more)
        rows.append(row)
        extra = f" {row['us_per_period']:10.2f} us/period" if problem == "stop" else f" {1e3 * row['seconds']:10.3f} ms"
        if row.get("instructions_per_period"):
            extra += f" {row['instructions_per_period']:12.0f} instructions"
        print(f"{problem:5} {row['solver']:22} {setting:8g} {more:8g}  to {extent:6g} e {e:g}  error {row['error']:.1e} {row['error_rate']:.1e}"
              f"  impacts {row['impacts']:6} {extra}  {row['says']}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


sys.exit(main())
