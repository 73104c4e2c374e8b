# SPDX-License-Identifier: Apache-2.0
"""liaison section and sweep from outside: the JSON contract, files, threads, kill and resume, bad input."""

import base64
import math
import os
import re
import signal
import struct
import subprocess
import time
import zlib

from conftest import PROGRAM, needs

pytestmark = needs("sweep")

STOP = """format = 1
name = "stop"
coordinates = ["x"]
[parameters]
w = 2.0
r = { value = 0.8, range = [0.0, 1.0] }
[energy]
T = "x'^2/2"
V = "x^2/2"
[force.damper]
x = "-0.1*x' + cos(w*t)"
[contact.stop]
gap = "-x"
restitution = "r"
[start]
x = -0.5
[run]
tolerance = 1e-11
"""

BALL = """format = 1
name = "ball"
coordinates = ["y"]
[parameters]
e = 0.6
[energy]
T = "y'^2/2"
V = "9.81*y"
[contact.floor]
gap = "y"
restitution = "e"
[start]
y = 1.0
"""


def test_section_at_impacts(liaison, model):
    answer = liaison("section", model(STOP), "--json", "--section", "event:stop", "--before", "--observe", "phase,x'",
                     "--drop", "300", "--points", "5")
    assert answer.code == 0, answer.err
    result = answer.json()
    assert result["columns"] == ["phase", "x'"] and result["label"] == "periodic" and result["period"] == 1
    # tests/reference/06-impact-oscillator.json, first case
    for phase, speed in result["points"]:
        assert abs(phase - 1.5248712801806883 / (2 * math.pi)) < 1e-9
        assert abs(speed - 3.9016492908886393) < 1e-8


def test_section_of_an_expression(liaison, model):
    # x'' + x = 0: crosses x = 0 upwards every 2π
    free = model('format = 1\nname = "free"\ncoordinates = ["x"]\n[energy]\nT = "x\'^2/2"\nV = "x^2/2"\n[start]\nx = 1\n')
    result = liaison("section", free, "--section", "x", "--observe", "t,x'", "--drop", "2", "--points", "3", "--json").json()
    for k, (t, speed) in enumerate(result["points"]):
        assert abs(t - (2 * math.pi * (k + 2) + 1.5 * math.pi)) < 1e-7 and abs(speed - 1) < 1e-7


def test_sweep_contract_and_files(liaison, model, tmp_path):
    table, picture = tmp_path / "d.csv", tmp_path / "d.svg"
    answer = liaison("sweep", model(STOP), "--over", "w=2:2.4:3", "--drop", "200", "--points", "4", "--json",
                     "-o", str(table), "-o", str(picture))
    assert answer.code == 0, answer.err
    result = answer.json()
    assert result["over"]["w"] == {"from": 2.0, "to": 2.4, "what": "parameter", "points": 3}
    assert result["points"] == 3 and result["failed"] == 0 and result["labels"] == {"periodic": 3}
    assert result["file"] == str(table)
    rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    assert rows[0] == "w,x,x',label,period,reason" and len(rows) == 1 + 3 * 4
    assert not (tmp_path / "d.csv.partial").exists()
    check_png(picture.read_text())


def check_png(svg):
    """The raster inside is a sound PNG: checksums of the chunks, and zlib unpacks rows of the right length."""
    for text in re.findall(r"data:image/png;base64,([^']+)", svg):
        png = base64.b64decode(text)
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        at, chunks = 8, {}
        while at < len(png):
            size, kind = struct.unpack(">I4s", png[at:at + 8])
            data = png[at + 8:at + 8 + size]
            assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + data)
            chunks[kind] = data
            at += 12 + size
        width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
        rows = zlib.decompress(chunks[b"IDAT"])
        assert len(rows) == height * (width + 1)
        colours = len(chunks[b"PLTE"]) // 3
        assert max(rows) < colours and len(set(rows)) > 1


def test_threads_and_a_kill_change_nothing(model, tmp_path):
    path = model(STOP)
    words = [PROGRAM, "sweep", path, "--over", "w=2:4:400", "--drop", "150", "--points", "20", "-q"]

    def run(name, *more):
        out = tmp_path / name
        done = subprocess.run([*words, "-o", str(out), *more], check=False, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return out.read_bytes()

    whole = run("one.csv", "--threads", "1")
    assert run("two.csv", "--threads", "2") == whole
    # killed as soon as some motions are finished
    cut = tmp_path / "cut.csv"
    partial = tmp_path / "cut.csv.partial"
    child = subprocess.Popen([*words, "--threads", "2", "-o", str(cut)])
    for _ in range(2000):
        if child.poll() is not None or (partial.exists() and partial.stat().st_size > 20000):
            break
        time.sleep(0.005)
    if child.poll() is None:
        os.kill(child.pid, signal.SIGKILL)
    child.wait()
    if not cut.exists():
        assert partial.exists()
        # other options do not take it over
        other = subprocess.run([*words[:4], "w=2:4:401", "-o", str(cut)], check=False, capture_output=True, text=True)
        assert other.returncode == 2 and "--force" in other.stderr
        assert run("cut.csv") == whole
        assert not partial.exists()


BLOCK = """format = 1
name = "block on two rough corners"
coordinates = ["x", "y", "th"]
[parameters]
mu = { value = 0.4, range = [0.0, 2.0] }
[energy]
T = "(x'^2 + y'^2)/2 + 5/24*th'^2"
V = "9.81*y"
[contact.left]
gap = "y - 0.5*sin(th) - cos(th)"
slip = "der(x - 0.5*cos(th) + sin(th))"
friction = "mu"
restitution = { value = 0, law = "moreau" }
[contact.right]
gap = "y + 0.5*sin(th) - cos(th)"
slip = "der(x + 0.5*cos(th) + sin(th))"
friction = "mu"
restitution = { value = 0, law = "moreau" }
[start]
th = 0.2
y = "0.5*sin(0.2) + cos(0.2)"
closed = ["left"]
[start.velocity]
x = 1
[run]
until = 3
"""


def test_several_contacts_with_friction_on_one_two_and_eight_threads(liaison, model, tmp_path):
    """The same bits: impacts of two corners, slip, stick and the end of rocking, motion by motion."""
    words = ["sweep", model(BLOCK), "--over", "mu=0.05:1.2:24", "--keep", "final", "--until", "3"]
    files = {}
    for threads in ("1", "2", "8"):
        out = tmp_path / f"{threads}.csv"
        answer = liaison(*words, "-o", str(out), "--threads", threads)
        assert answer.code == 0, answer.err
        files[threads] = out.read_bytes()
    assert files["1"] == files["2"] == files["8"]
    rows = [line for line in files["1"].splitlines() if not line.startswith(b"#")][1:]
    assert len(set(rows)) == 24


def test_basin_labels_and_rest(liaison, model):
    result = liaison("sweep", model(BALL), "--over", "y=-0.5:1:4", "--keep", "final", "--until", "60", "--json").json()
    assert result["labels"] == {"rest": 3, "inadmissible": 1}
    assert result["attractors"][0]["share"] == 0.75


def test_random_sample(liaison, model, tmp_path):
    words = ["sweep", model(BALL), "--over", "e=0.3:0.7", "--over", "y=0.5:2", "--random", "40", "--keep", "final",
             "--until", "60"]
    first, again, other = (tmp_path / name for name in ("a.csv", "b.csv", "c.csv"))
    assert liaison(*words, "-o", str(first)).code == 0
    assert liaison(*words, "-o", str(again), "--threads", "3").code == 0
    assert liaison(*words, "-o", str(other), "--seed", "2").code == 0
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()


def columns(path):
    """Names of the columns of a table, and its first row."""
    names, first = [line for line in path.read_text().splitlines() if not line.startswith("#")][:2]
    return names.split(","), first.split(",")


def test_no_two_columns_have_one_name(liaison, model, tmp_path):
    table = tmp_path / "d.csv"
    # A start value that is observed too: where the motion began, and where it is.
    answer = liaison("sweep", model(BALL), "--over", "y=0.5:2:3", "--keep", "final", "--until", "60", "-o", str(table))
    assert answer.code == 0, answer.err
    names, first = columns(table)
    assert names == ["start y", "y", "y'", "label", "period", "attractor", "reason"]
    assert float(first[0]) == 0.5 and abs(float(first[1])) < 1e-9
    # A parameter that is called as what is told of every motion.
    path = model(STOP.replace("w = 2.0", "period = 2.0").replace("w*t", "period*t"))
    outputs = ["-o", str(table)]
    if liaison("doctor", "--json").json()["parts"]["hdf5"]:
        outputs += ["-o", str(tmp_path / "d.h5")]
    answer = liaison("sweep", path, "--over", "period=2:3:3", "--observe", "x,x,phase", "--drop", "5", "--points", "2",
                     "--force", *outputs)
    assert answer.code == 0, answer.err
    assert columns(table)[0] == ["parameter period", "x", "phase", "label", "period", "reason"]


def test_values_outside_the_domain_fail_alone(liaison, model):
    result = liaison("sweep", model(STOP), "--over", "r=-0.5:0.5:5", "--drop", "5", "--points", "2", "--json").json()
    assert result["failed"] == 2
    assert "restitution" in result["reasons"][0]["reason"]


def test_bad_input(liaison, model, tmp_path):
    path = model(STOP)
    unknown = liaison("sweep", path, "--over", "v=0:1:3")
    assert unknown.code == 2 and "it has w, r, x, x'" in unknown.err
    lost = liaison("sweep", path, "--over", "w=2:3:3", "-o", str(tmp_path / "no" / "d.csv"))
    assert lost.code == 64 and "cannot write" in lost.err
    large = liaison("sweep", path, "--over", "w=2:3:100000", "--points", "100000")
    assert large.code == 2 and "--memory" in large.err
    twice = liaison("sweep", path, "--over", "w=2:3:3", "--over", "w=2:3:3")
    assert twice.code == 2 and "it is given twice" in twice.err
    free = model(BALL)
    assert "forcing period" in liaison("section", free).err
    wrong = liaison("section", path, "--section", "x + z")
    assert wrong.code == 2 and "unknown name `z`" in wrong.err
    assert liaison("section", path, "--section", "event:wall").code == 2
    assert liaison("sweep", path, "--over", "w=2:3:3", "--threads", "0").code == 64
    there = tmp_path / "there.csv"
    there.write_text("mine")
    assert liaison("sweep", path, "--over", "w=2:3:3", "-o", str(there)).code == 64
    assert there.read_text() == "mine"
