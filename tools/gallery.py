#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gallery: checks every example against its expected numbers, draws its figure, writes its page.

    tools/gallery.py check --liaison PROGRAM [EXAMPLE…]    compare with expected.toml
    tools/gallery.py draw --liaison PROGRAM [EXAMPLE…]     write figure.svg
    tools/gallery.py pages --out FOLDER                    pages for the documentation
    tools/gallery.py table                                 write examples/README.md

An example is a folder examples/NN-name/ with model.toml, README.md, expected.toml and figure.svg.
expected.toml lists runs; each run has a `source` (where its numbers come from), may name another `command`
than run, set parameters (`set`), sample times (`at`) and options, and holds values: a `path` into the program's JSON, the number it `equals`, and
`within` which absolute difference. A path is made of names, [index] and [key=value] to select records:

    events[kind=impact][0].time        samples[1].q.x        energy.unexplained        samples[0].q."x[9]"

An example that is about a warning lists its code: warnings = ["W0406"].

`figure = ["--phase", "x:y"]` at the top of expected.toml gives options of `liaison plot` for the picture;
`draw = ["follow", "--over", "A=0:1"]` names another command that draws it.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
FILES = ("model.toml", "README.md", "expected.toml", "figure.svg")
RUN_KEYS = {"source", "command", "at", "set", "until", "realise", "sensitivity", "settle", "period", "over", "options", "value"}
TIME_LIMIT = 60  # seconds for one run of the program


class Finding(Exception):
    """Something an example promises and does not keep."""


class NoEngine(Exception):
    """The program says itself that it cannot run such models yet."""


def examples(names):
    found = sorted(path.parent for path in EXAMPLES.glob("*/model.toml"))
    if not names:
        return found
    chosen = [path for path in found if path.name in names]
    missing = set(names) - {path.name for path in chosen}
    if missing:
        sys.exit(f"no such example: {', '.join(sorted(missing))}")
    return chosen


def call(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=TIME_LIMIT,
                          check=False, stdin=subprocess.DEVNULL)


def has_command(program, command):
    return call(program, command, "--help").returncode == 0


# ---- what a path into the JSON means -----------------------------------------------------------

STEP = re.compile(r"\.?([A-Za-z_][\w']*)|\[(\d+)\]|\[(\w+)=([^\]]+)\]|\.?\"([^\"]+)\"")


def follow(document, path):
    place, position = document, 0
    while position < len(path):
        match = STEP.match(path, position)
        if not match:
            raise Finding(f"{path}: not a path")
        name, index, key, wanted, quoted = match.groups()
        name = name or quoted
        try:
            if name is not None:
                place = place[name]
            elif index is not None:
                place = place[int(index)]
            else:
                place = [record for record in place if str(record.get(key)) == wanted]
        except (KeyError, IndexError, TypeError):
            raise Finding(f"{path}: the result has no {match.group()}") from None
        position = match.end()
    return place


# ---- checking ----------------------------------------------------------------------------------

def check_files(folder):
    for name in FILES:
        if not (folder / name).is_file():
            raise Finding(f"{name} is missing")
    root = ElementTree.parse(folder / "figure.svg").getroot()
    if not root.tag.endswith("svg"):
        raise Finding("figure.svg is not an SVG picture")


def read_expected(folder):
    with open(folder / "expected.toml", "rb") as file:
        runs = tomllib.load(file).get("run", [])
    if not runs:
        raise Finding("expected.toml has no [[run]]")
    for run in runs:
        if unknown := set(run) - RUN_KEYS:
            raise Finding(f"expected.toml: unknown key {', '.join(sorted(unknown))}")
        if not run.get("source") or not run.get("value"):
            raise Finding("expected.toml: every run needs a source and values")
        for value in run["value"]:
            if set(value) != {"path", "equals", "within"} or not value["within"] > 0:
                raise Finding(f"expected.toml: a value needs path, equals and within > 0: {value}")
    return runs


def check_model(program, folder):
    answer = call(program, "check", "--json", str(folder / "model.toml"))
    try:
        verdict = json.loads(answer.stdout)
    except json.JSONDecodeError:
        raise Finding(f"check --json gave no JSON (exit {answer.returncode}): "
                      f"{answer.stderr.strip()[:300]}") from None
    meant = tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8")).get("warnings", [])
    told = [d for d in verdict["diagnostics"] if d["code"] not in meant]
    if answer.returncode != 0 or not verdict["ok"] or told:
        said = "; ".join(f"{d['code']} line {d['line']}: {d['message']}" for d in told)
        raise Finding(f"check: exit {answer.returncode}; {said}")
    if "MODEL" not in call(program, "explain", "--help").stdout:
        return  # explains codes only so far
    explained = call(program, "explain", str(folder / "model.toml"))
    if explained.returncode != 0 or not explained.stdout.strip():
        raise Finding(f"explain: exit {explained.returncode}; {explained.stderr.strip()[:300]}")


def run_arguments(folder, run):
    arguments = [run.get("command", "run"), str(folder / "model.toml"), "--json"]
    if run.get("at"):
        arguments += ["--at", ",".join(repr(t) for t in run["at"])]
    for name, value in run.get("set", {}).items():
        arguments += ["--set", f"{name}={value!r}"]
    for key in ("until", "realise", "sensitivity", "settle", "period", "over"):
        if key in run:
            arguments += [f"--{key}", str(run[key])]
    return arguments + run.get("options", [])


def check_run(program, folder, run):
    answer = call(program, *run_arguments(folder, run))
    if answer.returncode == 3 and '"missing"' in answer.stdout:
        raise NoEngine(json.loads(answer.stdout)["reason"])
    if answer.returncode != 0:
        raise Finding(f"{run.get('command', 'run')}: exit {answer.returncode}; {(answer.stderr or answer.stdout).strip()[:400]}")
    result = json.loads(answer.stdout)
    wrong = []
    for value in run["value"]:
        got = follow(result, value["path"])
        if not isinstance(got, (int, float)) or not math.isfinite(got) \
                or abs(got - value["equals"]) > value["within"]:
            wrong.append(f"{value['path']} is {got}, expected {value['equals']} ± {value['within']} "
                         f"({run['source']})")
    if wrong:
        raise Finding("\n    ".join(wrong))
    return len(run["value"])


def check(program, names):
    can_run = has_command(program, "run")
    failures = waiting = numbers = 0
    chosen = examples(names)
    for folder in chosen:
        try:
            check_files(folder)
            runs = read_expected(folder)
            check_model(program, folder)
            agreed = sum(check_run(program, folder, run) for run in runs) if can_run else 0
            numbers += agreed
            print(f"{folder.name}: sound" + (f", {agreed} numbers agree" if can_run else ""))
        except NoEngine as reason:
            waiting += 1
            print(f"{folder.name}: sound; {reason}")
        except (Finding, subprocess.TimeoutExpired, tomllib.TOMLDecodeError,
                ElementTree.ParseError, KeyError) as finding:
            failures += 1
            print(f"{folder.name}: FAILED\n    {finding}")
    if (EXAMPLES / "README.md").read_text(encoding="utf-8") != table_text():
        failures += 1
        print("examples/README.md is not up to date: tools/gallery.py table")
    motion = f"{numbers} numbers agree" if can_run else "numbers not compared: there is no run command yet"
    print(f"{len(chosen)} examples, {failures} failures, {waiting} wait for an engine; {motion}")
    return 1 if failures else 0


# ---- drawing -----------------------------------------------------------------------------------

def draw(program, names):
    for folder in examples(names):
        with open(folder / "expected.toml", "rb") as file:
            expected = tomllib.load(file)
        command, *options = expected.get("draw", ["plot", *expected.get("figure", [])])
        # from the root, so that the picture names the model as a reader of the project does
        answer = subprocess.run([program, command, str((folder / "model.toml").relative_to(ROOT)), *options, "-o",
                                 str((folder / "figure.svg").relative_to(ROOT)), "--force"], capture_output=True, text=True,
                                timeout=TIME_LIMIT, check=False, stdin=subprocess.DEVNULL, cwd=ROOT)
        print(f"{folder.name}: {'drawn' if answer.returncode == 0 else answer.stderr.strip()[:300]}")


# ---- pages -------------------------------------------------------------------------------------

def title_and_question(folder):
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    title = lines[0].lstrip("# ")
    return title, next(line for line in lines[1:] if line.strip())


INTRODUCTION = ("Every example is a model file, a question, and numbers that are compared each time liaison is "
                "tested.\nThe numbers come from closed forms and independent computations, never from liaison.")


def table_text():
    rows = ["| | example | question |", "|---|---|---|"]
    for folder in examples([]):
        title, question = title_and_question(folder)
        rows.append(f'| <img src="{folder.name}/figure.svg" width="120" alt=""> '
                    f"| [{title}]({folder.name}/README.md) | {question} |")
    return f"# Gallery\n\n{INTRODUCTION}\n\n" + "\n".join(rows) + "\n"


def write_pages(out):
    out.mkdir(parents=True, exist_ok=True)
    rows, toc = [], []
    for folder in examples([]):
        title, question = title_and_question(folder)
        text = (folder / "README.md").read_text(encoding="utf-8")
        model = (folder / "model.toml").read_text(encoding="utf-8")
        text = text.replace("The model: [model.toml](model.toml).", f"```toml\n{model}```")
        text = re.sub(r"\(\.\./(\d\d-[\w-]+)/README\.md\)", r"(\1.md)", text)
        text = text.replace("(figure.svg)", f"({folder.name}.svg)")
        text += "\n**Checked numbers.** From " + "; ".join(
            f"{run['source']}: {len(run['value'])}" for run in read_expected(folder)) + ".\n"
        (out / f"{folder.name}.md").write_text(text, encoding="utf-8")
        (out / f"{folder.name}.svg").write_bytes((folder / "figure.svg").read_bytes())
        rows.append(f"| [![{title}]({folder.name}.svg)]({folder.name}.md) | [{title}]({folder.name}.md) | {question} |")
        toc.append(folder.name)
    page = (f"# Gallery\n\n{INTRODUCTION}\n\n| | example | question |\n|---|---|---|\n" + "\n".join(rows)
            + "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(toc) + "\n```\n")
    (out / "index.md").write_text(page, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "draw"):
        command = commands.add_parser(name)
        command.add_argument("--liaison", required=True)
        command.add_argument("examples", nargs="*")
    pages = commands.add_parser("pages")
    pages.add_argument("--out", type=Path, required=True)
    commands.add_parser("table")
    options = parser.parse_args()
    if options.command == "check":
        return check(options.liaison, options.examples)
    if options.command == "draw":
        return draw(options.liaison, options.examples)
    if options.command == "table":
        return (EXAMPLES / "README.md").write_text(table_text(), encoding="utf-8") and 0
    return write_pages(options.out)


if __name__ == "__main__":
    sys.exit(main())
