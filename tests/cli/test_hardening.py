# SPDX-License-Identifier: Apache-2.0
"""Programs as the system loads them: no library from the working directory, read-only tables of addresses, no fixed
addresses. Looked at in every program of this build and of its installation."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PENDULUM, PROGRAM, run_program

BUILD = Path(PROGRAM).resolve().parent

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="there is no readelf")


def programs_below(folder):
    """Executable ELF files, those that CMake tried out left aside."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f != "CMakeFiles"]
        for name in names:
            path = Path(place) / name
            if path.is_file() and not path.is_symlink() and os.access(path, os.X_OK):
                with open(path, "rb") as file:
                    if file.read(4) == b"\x7fELF":
                        found.append(path)
    return found


def readelf(path):
    answer = subprocess.run(["readelf", "-W", "-d", "-l", "-h", path], capture_output=True, text=True, check=True)
    return answer.stdout


def faults(text):
    """What is wrong with a program, in words."""
    wrong = []
    for kind, elements in re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", text):
        for element in elements.split(":"):
            if not element.startswith("/"):
                wrong.append(f"{kind} {elements!r} holds {element!r}, which depends on the working directory")
    if not re.search(r"Type:\s+DYN", text):
        wrong.append("not position independent")
    if "GNU_RELRO" not in text:
        wrong.append("no RELRO")
    if not re.search(r"\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW|\(BIND_NOW\)", text):
        wrong.append("symbols are bound lazily: RELRO is partial")
    stack = re.search(r"GNU_STACK.*", text)
    if stack is None or re.search(r"\bRWE\b", stack.group()):
        wrong.append("executable stack")
    return wrong


def hardened_build():
    """Whether this build was asked for canaries and checked library calls."""
    cache = BUILD / "CMakeCache.txt"
    return cache.exists() and "LIAISON_HARDEN:BOOL=ON" in cache.read_text()


@pytest.mark.skipif(not hardened_build(), reason="a build of daily work")
def test_canaries_and_checked_calls_are_in_the_program():
    symbols = subprocess.run(["readelf", "-W", "--dyn-syms", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert "__stack_chk_fail" in symbols
    assert re.search(r" __(read|memcpy|memmove|fread|snprintf|strcpy|strcat)_chk", symbols)


def test_the_check_finds_what_it_looks_for():
    sound = ("  Type:  DYN (Position-Independent Executable file)\n  GNU_RELRO 0x1\n  GNU_STACK 0x0 RW  0x10\n"
             " 0x1d (RUNPATH) Library runpath: [/usr/lib/hdf5]\n 0x1e (FLAGS) BIND_NOW\n")
    assert faults(sound) == []
    for old, new in (("/usr/lib/hdf5", "/usr/lib/hdf5:"), ("/usr/lib/hdf5", "lib"), ("/usr/lib/hdf5", "$ORIGIN"),
                     ("DYN", "EXEC"), ("GNU_RELRO", ""), ("BIND_NOW", ""), ("RW ", "RWE")):
        assert len(faults(sound.replace(old, new))) == 1, (old, new)


def test_every_built_program_is_hardened():
    programs = programs_below(BUILD)
    assert Path(PROGRAM).resolve() in programs
    assert {str(p): faults(readelf(p)) for p in programs if faults(readelf(p))} == {}


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake")
def test_every_installed_program_is_hardened(tmp_path):
    if not (BUILD / "cmake_install.cmake").exists():
        pytest.skip("the program does not lie in its build folder")
    done = subprocess.run(["cmake", "--install", BUILD, "--prefix", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    programs = programs_below(tmp_path)
    assert [p.name for p in programs] == ["liaison"]
    assert faults(readelf(programs[0])) == []
    answer = subprocess.run([programs[0], "--version"], capture_output=True, text=True, cwd="/", check=False)
    assert answer.returncode == 0 and answer.stdout.startswith("liaison ")


@pytest.mark.parametrize("path", [None, ":", "."], ids=["unset", "empty", "here"])
def test_libraries_beside_a_model_are_not_loaded(tmp_path, model, path):
    """A library of LLVM's name in the working directory, a cold cache, and a search path that names this directory."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not run_program("doctor", "--json").json()["parts"]["llvm"]:
        pytest.skip("needs a compiler and LLVM")
    (tmp_path / "evil.c").write_text('#include <stdio.h>\n__attribute__((constructor)) static void run(void) {\n'
                                     '    FILE* f = fopen("executed", "w");\n    if (f) fclose(f);\n}\n')
    for name in ("libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"):
        subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / name, tmp_path / "evil.c"], check=True)
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    if path is not None:
        environment["LD_LIBRARY_PATH"] = path
    answer = run_program("run", model(PENDULUM), "--until", "100000", env=environment, cwd=tmp_path)
    assert answer.code == 0, answer.err
    assert not (tmp_path / "executed").exists()
    assert list((tmp_path / "cache/liaison/code").glob("*.code"))  # code was made, so LLVM was opened
