#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPU time of the whole command `liaison orbit`, from the model file to the multipliers, for small systems of the gallery.

    bench/orbit_times.py --liaison PROGRAM [--repeat N]
"""

import argparse
import resource
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
QUESTIONS = {
    "04-vibrating-table": ["--period", "1"],
    "15-impact-oscillator": ["--settle", "100"],
    "11-stick-slip-belt": ["--settle", "10", "--longest", "20"],
    "61-stribeck-belt": ["--settle", "15", "--longest", "30"],
    "40-relay-feedback": ["--settle", "20", "--longest", "20"],
    "91-gear-rattle": ["--period", "1"],
    "92-shaken-block": ["--period", "1"],
    "93-cubic-belt": ["--settle", "800", "--period", "2"],
    "94-sliding-cycle": ["--settle", "20", "--longest", "20"],
    "95-woodpecker-friction": ["--settle", "0.3", "--longest", "1"],
}


def seconds(program, name, options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run([program, "orbit", EXAMPLES / name / "model.toml", *options], stdout=subprocess.DEVNULL,
                            check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if answer.returncode != 0:
        sys.exit(f"{name}: exit {answer.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--liaison", required=True)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    print("| example | options | CPU s, best | worst |\n|---|---|---|---|")
    for name, options in QUESTIONS.items():
        times = [seconds(arguments.liaison, name, options) for _ in range(arguments.repeat)]
        print(f"| {name} | {' '.join(options)} | {min(times):.3f} | {max(times):.3f} |")


if __name__ == "__main__":
    main()
