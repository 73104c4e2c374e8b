#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bifurcation diagram of the impact oscillator by liaison, by hand and by CVODE in one run, in turn; medians of CPU time per period.

usage: compare_sweep.py BUILD_DIR [--repeat 3] [--motions 512] [--periods 500] [--cvode 12]
"""
import argparse
import json
import statistics
import subprocess
from pathlib import Path


def lines(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--motions", type=int, default=512)
    parser.add_argument("--periods", type=int, default=500)
    parser.add_argument("--cvode", type=int, default=12, help="motions by CVODE: its cost per period does not depend on them")
    args = parser.parse_args()
    rows = {}
    for _ in range(args.repeat):
        for row in (lines(args.directory / "sweep_liaison", args.motions, args.periods, 1)
                    + lines(args.directory / "sweep_liaison", args.motions, args.periods, 2)
                    + lines(args.directory / "sweep_hand", args.motions, args.periods)
                    + lines(args.directory / "sweep_cvode", args.cvode, args.periods)):
            rows.setdefault((row["solver"], row["threads"], row["tolerance"]), []).append(row)
    print("| solver | threads | tolerance | ns of CPU per period | motions compared, within 1e-9 | chattering |")
    print("|---|---|---|---|---|---|")
    for (solver, threads, tolerance), same in rows.items():
        last = same[-1]
        print(f"| {solver} | {threads} | {tolerance:.0e} | {statistics.median(r['ns_per_period'] for r in same):.0f} | "
              f"{last['compared']}, {last['agree']} | {last['chattering']} |")


if __name__ == "__main__":
    main()
