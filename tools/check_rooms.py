#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of the house: rooms look upwards only, heavy headers stay in their adapters,
every source file says what it is for, and nothing speaks of anything but the project."""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A room includes only rooms that stand before it in this list.
ROOMS = ("base expr text model equations compile solve prepare laws flow realise motion record "
         "analysis ask app").split()

# The one header outside the rooms.
PUBLIC = "src/liaison/liaison.hpp"

# Headers that cost seconds of compile time each, and how many source files may pay for them.
HEAVY = {
    "toml++": re.compile(r"^toml\+\+/|^toml\.hpp"),
    "HDF5": re.compile(r"^hdf5|^H5"),
    "LLVM": re.compile(r"^llvm(-c)?/"),
    "SUNDIALS": re.compile(r"^(sundials|cvodes?|arkode|idas?|kinsol|nvector|sunmatrix|sunlinsol)/"),
    "CLI11": re.compile(r"^CLI/"),
    "HTTP": re.compile(r"^httplib\.h"),
}
HEAVY_LIMIT = 2

# Words that belong to a workplace or a machine, not to the project.
FOREIGN = re.compile(
    r"/work/|/root/|/tmp/bash|/home/\w+/|\bassistant\b|\bchatbot\b|\bAI[- ]generated\b"
    r"|\blanguage model\b|\bthis session\b", re.IGNORECASE)
FOREIGN_FREE_OF = {"tools/check_rooms.py"}  # this file has to name them

FEATURE = re.compile(r"^\s*#\s*(el)?if.*LIAISON_WITH_")
FEATURES = '"liaison/base/features.hpp"'
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
SPDX = "SPDX-License-Identifier: Apache-2.0"
TEXT_SUFFIXES = {".cpp", ".hpp", ".py", ".sh", ".md", ".toml", ".txt", ".cmake", ".json", ".in",
                 ".cff", ".svg", ".bib", ".css", ".js", ""}


def tracked_files():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True).stdout.decode()
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def room_of(name):
    parts = Path(name).parts
    return parts[2] if parts[:2] == ("src", "liaison") and len(parts) > 3 else None


def check_includes(name, text, complain, heavy_users):
    room = room_of(name)
    if name == PUBLIC:  # names the supported headers of all rooms but the program's
        return
    if name.startswith("src/") and room not in ROOMS:
        complain(name, 1, f"stands in no known room; the rooms are {', '.join(ROOMS)}")
        return
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, target = match.groups()
        for library, pattern in HEAVY.items():
            if pattern.search(target):
                heavy_users[library].add(name)
                if name.endswith(".hpp"):
                    complain(name, number, f"includes {library} in a header; wrap it in a .cpp file")
        if room is None:
            continue
        if bracket == '"' and not target.startswith("liaison/"):
            complain(name, number, f'includes "{target}"; write the path from src/: "liaison/…"')
        if target.startswith("liaison/"):
            other = target.split("/")[1]
            if other not in ROOMS:
                complain(name, number, f"includes the unknown room {other}")
            elif ROOMS.index(other) > ROOMS.index(room):
                complain(name, number, f"room {room} includes room {other}, which stands below it")


def check_features(name, text, complain):
    """Who asks for an optional part reads the answer; in a header the question would reach every build."""
    for number, line in enumerate(text.splitlines(), 1):
        if not FEATURE.match(line):
            continue
        if name.endswith(".hpp"):
            complain(name, number, "asks for an optional part in a header; ask in the .cpp file")
        elif FEATURES not in text:
            complain(name, number, f"asks for an optional part without #include {FEATURES}")


def check_heading(name, text, complain):
    """First line the licence, then one sentence that says what the file is for."""
    lines = text.splitlines()
    if not lines or SPDX not in lines[0]:
        complain(name, 1, f"does not begin with // {SPDX}")
        return
    # the sentence may run over several comment lines
    sentence = ""
    for line in lines[1:]:
        if not line.startswith("//"):
            break
        sentence += " " + line.strip("/ ")
        if sentence.rstrip().endswith((".", ":")):
            break
    if len(sentence.split()) < 3:
        complain(name, 2, "has no first sentence saying what the file is for")


def main():
    complaints = []
    heavy_users = defaultdict(set)

    def complain(name, line, what):
        complaints.append(f"{name}:{line}: {what}")

    files = tracked_files()
    sources = 0
    for name in files:
        path = ROOT / name
        if path.suffix not in TEXT_SUFFIXES or name.startswith("fuzz/corpus/"):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            if path.suffix in (".cpp", ".hpp", ".md", ".py"):
                complain(name, 1, "is not UTF-8 text")
            continue
        if path.suffix in (".cpp", ".hpp"):
            sources += 1
            check_heading(name, text, complain)
            check_features(name, text, complain)
            if name.startswith("src/"):
                check_includes(name, text, complain, heavy_users)
        if name not in FOREIGN_FREE_OF:
            for number, line in enumerate(text.splitlines(), 1):
                match = FOREIGN.search(line)
                if match:
                    complain(name, number, f"speaks of something outside the project: {match.group()}")

    for library, users in heavy_users.items():
        if len(users) > HEAVY_LIMIT:
            complaints.append(f"{library} is included in {len(users)} files, at most {HEAVY_LIMIT} "
                              f"may: {', '.join(sorted(users))}")

    for complaint in complaints:
        print(complaint)
    if complaints:
        print(f"{len(complaints)} rules of the house broken")
        return 1
    print(f"{len(files)} files, {sources} of them C++, keep the rules of the house")
    return 0


if __name__ == "__main__":
    sys.exit(main())
