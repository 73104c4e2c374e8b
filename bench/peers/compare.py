#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs liaison and its rivals in turn, several times, and prints medians (oscillator, sliding) and least times (smooth); writes JSON and the figure of the docs.

usage: compare.py BUILD_DIR [--repeat 5] [--periods 100000] [--json FILE] [--figure FILE] [--only oscillator|smooth|sliding|crank]
"""
import argparse
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

# Slow rivals get fewer periods: their cost per period does not depend on the number.
OSCILLATOR = {"oscillator_liaison": 1.0, "oscillator_hand": 1.0, "oscillator_odeint": 0.2, "oscillator_gsl": 0.2,
              "oscillator_sundials": 0.02}
# Cycles of the belt and of relay feedback; programs in Python stand beside this one.
SLIDING = {"sliding_liaison": 50_000, "sliding_sundials": 2_000, "sliding_scipy.py": 60, "sliding_siconos.py": 6}
CRANK = ["crank_liaison", "crank_simbody", "crank_ida"]
SMOOTH = ["smooth_liaison", "smooth_hand", "smooth_odeint", "smooth_sundials"]
COLOURS = {"liaison": "#0b6e4f", "hand DOP853": "#c44900", "odeint Fehlberg 7(8)": "#5b5f97",
           "CVODE Adams": "#8d6a9f", "ARKODE Fehlberg 8(7)": "#9a8c98"}
TITLES = {"spring": "stiffening spring", "double_pendulum": "double pendulum", "arenstorf": "Arenstorf orbit",
          "links10": "ten links"}


def lines(command, needed=True):
    """The JSON lines a program prints; a rival in Python whose package is missing prints none."""
    done = subprocess.run(command, capture_output=True, text=True, check=needed)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def summary(runs, key, of):
    """One row per solver, problem and tolerance; `of` all values of `key`, everything else from the last run."""
    rows = {}
    for row in runs:
        rows.setdefault((row["problem"], row["solver"], row["tolerance"]), []).append(row)
    return [{**same[-1], key: of([r[key] for r in same]), "runs": len(same)} for same in rows.values()]


def measure(directory, args):
    oscillator, smooth, sliding, crank = [], [], [], []
    for _ in range(args.repeat):
        if args.only in (None, "oscillator"):
            for name, share in OSCILLATOR.items():
                if (directory / name).exists():
                    oscillator += lines([directory / name, str(int(args.periods * share))])
        if args.only in (None, "smooth"):
            for name in SMOOTH:
                if (directory / name).exists():
                    smooth += lines([directory / name])
        if args.only in (None, "sliding"):
            for name, cycles in SLIDING.items():
                program = Path(__file__).parent / name if name.endswith(".py") else directory / name
                if program.exists():
                    python = [sys.executable] if name.endswith(".py") else []
                    sliding += lines([*python, program, str(cycles)], needed=not python)
        if args.only in (None, "crank"):
            for name in CRANK:
                if (directory / name).exists():
                    crank += lines([directory / name])
    return (summary(oscillator, "us_per_period", statistics.median) + summary(smooth, "seconds", min)
            + summary(sliding, "us_per_cycle", statistics.median) + summary(crank, "seconds", min))


def at_error(rows, problem, solver, error):
    """Seconds of a solver at this error, read off between its tolerances; the violation there."""
    mine = sorted((r for r in rows if r["problem"] == problem and r["solver"] == solver), key=lambda r: r["error"])
    for low, high in zip(mine, mine[1:]):
        if low["error"] <= error <= high["error"] and low["error"] < high["error"]:
            share = math.log(error / low["error"]) / math.log(high["error"] / low["error"])
            seconds = math.exp((1 - share) * math.log(low["seconds"]) + share * math.log(high["seconds"]))
            return seconds, max(low.get("violation", 0.0), high.get("violation", 0.0))
    return None


def equal_errors(rows):
    """The slider-crank at equal errors of the angle, as ratios to liaison with projection."""
    for error in (1e-4, 1e-6, 1e-7):
        base = at_error(rows, "crank", "liaison projection", error)
        if not base:
            continue
        for solver in ("liaison projection", "liaison multiplier", "liaison program", "Simbody", "IDA GGL"):
            found = at_error(rows, "crank", solver, error)
            if found:
                print(f"crank, error {error:.0e}: {solver:20} {1e6 * found[0]:10.1f} us  ratio {found[0] / base[0]:7.2f}"
                      f"  violation {found[1]:.1e}")


def equal_smooth_errors(rows):
    """Smooth problems at the error that liaison has at the tolerance 1e-12, as ratios to its time. A rival that does not
    get there is taken at its smallest error."""
    for base in (r for r in rows if r["solver"] == "liaison" and r["tolerance"] == 1e-12 and "seconds" in r):
        for solver in COLOURS:
            mine = [r for r in rows if r["problem"] == base["problem"] and r["solver"] == solver]
            if solver == "liaison" or not mine:
                continue
            found = at_error(rows, base["problem"], solver, base["error"])
            best = min(mine, key=lambda r: r["error"])
            seconds, error = (found[0], base["error"]) if found else (best["seconds"], best["error"])
            print(f"{base['problem']:16} error {base['error']:.1e}: {solver:24} {1e6 * seconds:10.1f} us"
                  f"  ratio {seconds / base['seconds']:7.2f}" + ("" if found else f"  at its best error {error:.1e}"))


def table(rows):
    for row in rows:
        if row["problem"] == "oscillator":
            print(f"{row['solver']:28} {row['tolerance']:.0e}  {row['us_per_period']:9.3f} us/period"
                  f"  error {row['error']:.1e}")
        elif "us_per_cycle" in row:
            surface = f"  |S| {row['surface']:.1e}" if row["surface"] is not None else ""
            print(f"{row['problem']:9} {row['solver']:44} {row['tolerance']:.0e}  {row['us_per_cycle']:10.2f} us/cycle"
                  f"  period error {row['period_error']:.1e}{surface}")
        else:
            print(f"{row['problem']:16} {row['solver']:24} {row['tolerance']:.0e}  {1e6 * row['seconds']:10.1f} us"
                  f"  error {row['error']:.1e}")


def figure(rows):
    """Work against precision as SVG: error on the horizontal axis, time on the vertical one, both logarithmic."""
    from math import floor, log10

    width, height, pad = 360, 270, 48
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * width} {2 * height + 40}" '
             'font-family="sans-serif" font-size="12">']
    for index, (problem, title) in enumerate(TITLES.items()):
        mine = [r for r in rows if r["problem"] == problem and 0 < r["error"] < 1e-2]
        if not mine:
            continue
        left, top = (index % 2) * width, (index // 2) * height
        low, high = floor(log10(min(r["seconds"] for r in mine))), floor(log10(max(r["seconds"] for r in mine))) + 1
        x = lambda e: left + pad + (width - pad - 12) * (-log10(e) - 3) / 13
        y = lambda s: top + height - 34 - (height - 62) * (log10(s) - low) / (high - low)
        parts.append(f'<text x="{left + pad}" y="{top + 16}" font-weight="bold">{title}</text>')
        for exponent in range(low, high + 1):
            at = y(10.0**exponent)
            label = {-6: "1 µs", -5: "10 µs", -4: "100 µs", -3: "1 ms", -2: "10 ms", -1: "100 ms", 0: "1 s"}[exponent]
            parts.append(f'<line x1="{left + pad}" x2="{left + width - 12}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>'
                         f'<text x="{left + pad - 4}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
        for exponent in (4, 6, 8, 10, 12, 14):
            at = x(10.0**-exponent)
            parts.append(f'<text x="{at:.1f}" y="{top + height - 18}" text-anchor="middle">1e-{exponent}</text>')
        for solver, colour in COLOURS.items():
            points = sorted((r for r in mine if r["solver"] == solver), key=lambda r: r["tolerance"])
            path = " ".join(f"{x(r['error']):.1f},{y(r['seconds']):.1f}" for r in points)
            stroke = 2.5 if solver == "liaison" else 1.3
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{stroke}"/>')
            parts += [f'<circle cx="{x(r["error"]):.1f}" cy="{y(r["seconds"]):.1f}" r="2.6" fill="{colour}"/>'
                      for r in points]
    at = 20
    for solver, colour in COLOURS.items():
        parts.append(f'<circle cx="{at}" cy="{2 * height + 20}" r="4" fill="{colour}"/>'
                     f'<text x="{at + 8}" y="{2 * height + 24}">{solver}</text>')
        at += 30 + 7 * len(solver)
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="directory with the programs, build/bench/bench/peers")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--periods", type=int, default=100_000)
    parser.add_argument("--only", choices=("oscillator", "smooth", "sliding", "crank"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--read", type=Path, help="take the measurements from this file instead of making them")
    args = parser.parse_args()
    rows = json.loads(args.read.read_text()) if args.read else measure(args.build, args)
    table(rows)
    equal_errors(rows)
    equal_smooth_errors(rows)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    if args.figure:
        args.figure.write_text(figure(rows))
    return 0


sys.exit(main())
