# SPDX-License-Identifier: Apache-2.0
"""Random mechanical systems of every class, and a judge that knows mechanics but not the program.

    LIAISON=build/ci/liaison python3 tests/cli/random_worlds.py 0 1000
    LIAISON=build/ci/liaison python3 tests/cli/random_worlds.py 7 8 --class guides --show

judges the models of these seeds, tells those that are not right and, at the end, how many were right, refused, stopped with facts, unbalanced
(the program says itself that its energy does not balance), hung, wrong, or moved otherwise when they were written in another way. The seed
decides the class unless one is named. What is judged and how is told in the files of worlds/: conditions at samples, jumps at events, the path
between them, variants of a model.
"""
import argparse
import collections
import sys

from worlds import bodies, judge, linkages, switching, variants
from worlds.dice import Dice
from worlds.formula import forget

CLASSES = {**bodies.CLASSES, **linkages.CLASSES, **switching.CLASSES}
WORDS = ["right", "refused", "stopped", "unbalanced", "hung", "wrong", "variant"]


def world(seed, name=None):
    name = name or list(CLASSES)[seed % len(CLASSES)]
    return CLASSES[name](Dice(seed * 7919 + sum(map(ord, name))))


def verdict(seed, name=None, other=True):
    """The verdict on one seed; every second one that is right is also written in another way and compared."""
    forget()
    w = world(seed, name)
    found, result = judge.judged(w, seed)
    if other and found.word == "right" and seed % 2 == 0:
        difference = variants.compared(w, result, seed)
        if difference:
            return w, judge.Verdict("variant", [difference], "", found.seconds)
    return w, found


def main():
    parser = argparse.ArgumentParser(description="judge random models")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--class", dest="name", choices=CLASSES)
    parser.add_argument("--show", action="store_true", help="print the models only")
    parser.add_argument("--stops", action="store_true", help="tell the stopped and refused ones too")
    parser.add_argument("--jobs", type=int, default=1, choices=[1], help="models at a time")
    given = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    for seed in range(given.first, given.last):
        if given.show:
            print(world(seed, given.name).text())
            continue
        w, found = verdict(seed, given.name)
        counts[w.kind][found.word] += 1
        if found.word in ("unbalanced", "hung", "wrong", "variant") or (given.stops and found.word != "right"):
            print(seed, w.kind, found.word, (" | ".join(found.faults[:3]) or found.reason)[:600], flush=True)
    if counts:
        print(table(counts))


def table(counts):
    rows = [["class", *WORDS]] + [[name, *(str(counts[name][x]) for x in WORDS)] for name in CLASSES if name in counts]
    rows.append(["all", *(str(sum(c[x] for c in counts.values())) for x in WORDS)])
    return "\n".join(" ".join(cell.rjust(12 if k == 0 else 10) for k, cell in enumerate(row)) for row in rows)


if __name__ == "__main__":
    sys.exit(main())
