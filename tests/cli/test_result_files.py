# SPDX-License-Identifier: Apache-2.0
"""Result files: what other programs read in them, that they appear whole or not at all, and that they repeat themselves."""

import json
import os
import pty
import resource
import select
import signal
import subprocess
import time

import pytest
from conftest import PENDULUM, PROGRAM, ROOT, needs, run_program

pytestmark = needs("run")

BALL = ROOT / "examples/03-bouncing-ball/model.toml"
PLAY = ROOT / "examples/25-play/model.toml"
STRING = ROOT / "examples/02-string-pendulum/model.toml"
DOCTOR = run_program("doctor", "--json").json()
HAS_HDF5 = DOCTOR["parts"]["hdf5"]
FORMATS = [".json", ".csv", ".svg"] + ([".h5"] if HAS_HDF5 else [])
hdf5 = pytest.mark.skipif(not HAS_HDF5, reason="this build has no HDF5")

# An oscillator that takes long enough to be interrupted and watched.
LONG = """\
format = 1
name = "long"
coordinates = ["x"]
[energy]
T = "x'^2/2"
V = "x^2/2 + x^4/4"
[start]
x = 1.0
[run]
until = 1e7
"""


# ---- HDF5 as others read it ---------------------------------------------------------------------

@hdf5
def test_xarray_sees_dimensions_coordinates_units(liaison, tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("netCDF4")
    path = tmp_path / "swing.h5"
    assert liaison("run", STRING, "-o", path, "--samples", "101").code == 0
    with xarray.open_dataset(path, engine="netcdf4") as data:
        assert data.q.dims == ("time", "q_name") and data.v.dims == ("time", "v_name")
        assert data.sizes["time"] == 101
        assert list(data.q_name.values) == ["x", "y"]
        assert data.time.attrs["units"] == "s"
        assert data.q.attrs["units"] == "m" and data.v.attrs["units"] == "m/s"
        assert data["lambda"].attrs["units"] in ("N", "kg*m/s^2", "m*kg/s^2")
        assert data.attrs["title"] == "string pendulum" and data.attrs["source"].startswith("liaison ")
        # the closed form of the free fall before the string is taut
        fall = data.q.sel(q_name="y", time=slice(0, 0.4))
        assert abs(fall - (0.5 - 9.81 / 2 * fall.time**2)).max() < 1e-12
    with xarray.open_dataset(path, engine="netcdf4", group="events") as events:
        assert events.kind.values[0] == "impact" and events["where"].values[0] == "string"
        assert events.impulse.values[0] == pytest.approx(2.78739, abs=1e-5)
        assert events.impulse.dims == ("time",)
        assert events.state_plus.dims == ("time", "state_name")
    with xarray.open_dataset(path, engine="netcdf4", group="model") as model:
        assert str(model.text.values) == STRING.read_text()
        assert float(model.parameter.sel(parameter_name="g")) == 9.81


@hdf5
def test_the_motion_itself_can_be_kept(liaison, tmp_path):
    xarray = pytest.importorskip("xarray")
    path = tmp_path / "ball.h5"
    assert liaison("run", BALL, "-o", path, "--dense", "--until", "0.4").code == 0
    with xarray.open_dataset(path, engine="netcdf4", group="pieces") as pieces:
        assert pieces.coefficient.dims == ("start", "state_name", "power")
        y = pieces.coefficient.sel(state_name="y").isel(start=0).values
        # free fall: y = 1 − g τ²/2 and nothing more
        assert y[:3] == pytest.approx([1.0, 0.0, -9.81 / 2], abs=1e-14)
        assert abs(y[3:]).max() < 1e-13


@hdf5
def test_without_events_and_contacts(liaison, model, tmp_path):
    xarray = pytest.importorskip("xarray")
    path = tmp_path / "pendulum.h5"
    assert liaison("run", model(PENDULUM), "--until", "1", "-o", path).code == 0
    with xarray.open_dataset(path, engine="netcdf4", group="events") as events:
        assert events.sizes["time"] == 0


# ---- provenance and repetition ------------------------------------------------------------------

@pytest.mark.parametrize("ending", FORMATS)
def test_rerun_from_the_file_alone(liaison, model, tmp_path, ending):
    text = BALL.read_text()
    path, result = model(text), tmp_path / f"ball{ending}"
    assert liaison("run", path, "--set", "e=0.7", "--until", "2", "-o", result).code == 0
    path.unlink()
    answer = liaison("rerun", result, "--json")
    assert answer.code == 0, answer.out + answer.err
    assert answer.json()["identical"] and answer.json()["compared"] > 0


@pytest.mark.parametrize("ending", FORMATS)
def test_the_same_run_gives_the_same_file(liaison, tmp_path, ending):
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        folder.mkdir()
        assert liaison("run", PLAY, "-o", f"x{ending}", cwd=folder).code == 0
    a, b = (folder / f"x{ending}" for folder in (first, second))
    if ending == ".json":  # times of computing are in it
        a, b = (json.loads(path.read_text()) for path in (a, b))
        for one in (a, b):
            del one["statistics"]["compile_ms"], one["statistics"]["simulate_ms"]
        assert a == b
    else:
        assert a.read_bytes() == b.read_bytes()


def test_rerun_notices_other_numbers(liaison, tmp_path):
    result = tmp_path / "ball.json"
    assert liaison("run", BALL, "--until", "1", "-o", result).code == 0
    document = json.loads(result.read_text())
    value = document["samples"][500]["q"]["y"]
    document["samples"][500]["q"]["y"] = value + 2**-52
    result.write_text(json.dumps(document))
    answer = liaison("rerun", result)
    assert answer.code == 1
    assert "samples: 1 numbers differ" in answer.out


@pytest.mark.parametrize("ending", FORMATS)
def test_every_file_carries_model_options_and_build(liaison, tmp_path, ending):
    result = tmp_path / f"ball{ending}"
    assert liaison("run", BALL, "--set", "e=0.7", "--until", "1", "-o", result).code == 0
    text = result.read_bytes().decode("utf-8", "replace").replace("&quot;", '"').replace("&gt;", ">")
    for needle in ("--set", "e=0.7", "coordinates", "[contact.floor]", DOCTOR["compiler"], "liaison run"):
        assert needle in text, needle


# ---- going on -----------------------------------------------------------------------------------

@pytest.mark.parametrize("ending", [e for e in FORMATS if e in (".h5", ".json")])
def test_a_run_goes_on_where_it_ended(liaison, tmp_path, ending):
    whole = liaison("run", STRING, "--json", "--until", "6").json()
    first = tmp_path / f"first{ending}"
    assert liaison("run", STRING, "--until", "2.7", "-o", first).code == 0
    rest = liaison("run", "--from", first, "--until", "6", "--json").json()
    assert rest["time"] == 6.0
    for name in ("x", "y"):
        assert rest["state"]["q"][name] == pytest.approx(whole["state"]["q"][name], abs=1e-9)
    later = [event for event in whole["events"] if event["time"] > 2.7]
    assert [(e["kind"], e["where"]) for e in rest["events"]] == [(e["kind"], e["where"]) for e in later]
    for mine, theirs in zip(rest["events"], later):
        assert mine["time"] == pytest.approx(theirs["time"], abs=1e-9)
    assert rest["energy"]["unexplained"] == pytest.approx(0, abs=1e-8)


@hdf5
def test_a_run_goes_on_from_a_stored_time(liaison, tmp_path):
    first = tmp_path / "first.h5"
    assert liaison("run", STRING, "--until", "4", "--samples", "41", "--dense", "-o", first).code == 0
    whole = liaison("run", STRING, "--until", "4", "--json").json()
    for time in ("2", "3.21"):  # a sample; a time between samples
        rest = liaison("run", "--from", first, "--from-time", time, "--until", "4", "--json").json()
        assert rest["state"]["q"]["x"] == pytest.approx(whole["state"]["q"]["x"], abs=1e-9)
    lean = tmp_path / "lean.h5"
    assert liaison("run", STRING, "--until", "4", "--samples", "41", "-o", lean).code == 0
    answer = liaison("run", "--from", lean, "--from-time", "3.21", "--until", "4")
    assert answer.code == 2 and "3.2" in answer.err and "--dense" in answer.err


def test_a_closed_contact_stays_closed_when_going_on(liaison, tmp_path):
    first = tmp_path / "rest.json"
    # after its bounces the ball lies on the floor
    assert liaison("run", BALL, "--until", "5", "-o", first).code == 0
    rest = liaison("run", "--from", first, "--until", "9", "--at", "7", "--json").json()
    assert rest["events"] == []
    assert rest["samples"][0]["mode"] == {"floor": "closed"}
    assert rest["samples"][0]["reactions"]["floor"] == pytest.approx(9.81, rel=1e-12)


def test_a_terminal_event_does_not_fire_again(liaison, tmp_path):
    first = tmp_path / "tired.json"
    hand = ROOT / "examples/21-ball-by-hand/model.toml"
    assert liaison("run", hand, "-o", first).code == 0
    rest = liaison("run", "--from", first, "--until", "2.6", "--json").json()
    assert rest["time"] == 2.6 and rest["status"] == "done"


def test_a_continued_run_can_be_repeated(liaison, tmp_path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert liaison("run", STRING, "--until", "1", "-o", first).code == 0
    assert liaison("run", "--from", first, "--until", "2", "-o", second).code == 0
    first.unlink()
    assert liaison("rerun", second).code == 0


@pytest.mark.parametrize("arguments,word", [(("--until", "0.5"), "already"), ((), "--until")])
def test_going_on_needs_a_later_end(liaison, tmp_path, arguments, word):
    first = tmp_path / "first.json"
    assert liaison("run", BALL, "--until", "1", "-o", first).code == 0
    answer = liaison("run", "--from", first, *arguments)
    assert answer.code == 2 and word in answer.err


def test_going_on_with_another_model_is_refused(liaison, tmp_path):
    first = tmp_path / "first.json"
    assert liaison("run", BALL, "--until", "1", "-o", first).code == 0
    answer = liaison("run", STRING, "--from", first, "--until", "3")
    assert answer.code == 2 and "another model" in answer.err


@pytest.mark.parametrize("command", [("rerun",), ("plot",), ("run", "--until", "2", "--from")])
@pytest.mark.parametrize("content", [b"", b"{}", b"{\"liaison\": 1}", b"\x89HDF\r\n\x1a\nrubbish", b"# liaison\n",
                                     b"# liaison 0.1.0\nt,x\n0,0\n", b"<svg xmlns=''></svg>"])
def test_a_damaged_result_is_told(liaison, tmp_path, command, content):
    path = tmp_path / "damaged.h5"
    path.write_bytes(content)
    answer = liaison(*command, path)
    assert answer.code in (2, 64), answer.err
    assert "damaged.h5" in answer.err


@pytest.mark.parametrize("command", [("rerun",), ("plot",), ("run", "--until", "2", "--from")])
def test_values_nested_without_end_are_told(liaison, tmp_path, command):
    path = tmp_path / "ball.json"
    assert liaison("run", BALL, "--until", "1", "-o", path).code == 0
    text = path.read_text()
    inside = text.index("{", text.index('"provenance"')) + 1
    deep = 1_000_000
    path.write_text(text[:inside] + '"x":' + "[" * deep + "]" * deep + "," + text[inside:])
    answer = liaison(*command, path)
    assert answer.code == 2, answer.err
    assert "ball.json" in answer.err and "nested" in answer.err


@hdf5
def test_a_cut_file_is_told(liaison, tmp_path):
    path = tmp_path / "ball.h5"
    assert liaison("run", BALL, "--until", "1", "-o", path).code == 0
    whole = path.read_bytes()
    for size in (len(whole) // 4, len(whole) // 2, len(whole) - 8):
        path.write_bytes(whole[:size])
        answer = liaison("rerun", path)
        assert answer.code == 2 and "ball.h5" in answer.err


# ---- whole or not at all ------------------------------------------------------------------------

def limited(size):
    """Files of this process may not grow beyond a size: what a full disk does, for everybody who tests."""

    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return before


@pytest.mark.parametrize("ending", FORMATS)
def test_a_full_disk_leaves_nothing_behind(tmp_path, ending):
    target = tmp_path / f"ball{ending}"
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    answer = subprocess.run([PROGRAM, "run", BALL, "-o", target], capture_output=True, text=True, timeout=60,
                            preexec_fn=limited(4096), env=env, check=False)
    assert answer.returncode == 3, answer.stderr
    assert "cannot write" in answer.stderr and target.name in answer.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == []


def test_an_earlier_result_survives_a_full_disk(liaison, tmp_path):
    target = tmp_path / "ball.csv"
    assert liaison("run", BALL, "-o", target, "--until", "1").code == 0
    before = target.read_bytes()
    answer = subprocess.run([PROGRAM, "run", BALL, "-o", target], capture_output=True, text=True, timeout=60,
                            preexec_fn=limited(4096), check=False)
    assert answer.returncode == 3
    assert target.read_bytes() == before


@pytest.mark.parametrize("ending", FORMATS)
def test_a_path_that_cannot_be_written(liaison, tmp_path, ending):
    (tmp_path / "file").write_text("")
    for target in (tmp_path / "nowhere" / f"ball{ending}", tmp_path / "file" / f"ball{ending}"):
        answer = liaison("run", BALL, "-o", target)
        assert answer.code == 64 and "cannot write" in answer.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


def test_a_result_of_the_same_model_may_be_replaced(liaison, tmp_path):
    target = tmp_path / "ball.csv"
    assert liaison("run", BALL, "-o", target).code == 0
    assert liaison("run", BALL, "--until", "1", "-o", target).code == 0
    answer = liaison("run", PLAY, "-o", target)
    assert answer.code == 64 and "another model" in answer.err
    assert liaison("run", PLAY, "-o", target, "--force").code == 0


# ---- interruption and progress ------------------------------------------------------------------

def test_ctrl_c_keeps_what_was_computed(model, tmp_path):
    target = tmp_path / "long.json"
    process = subprocess.Popen([PROGRAM, "run", str(model(LONG)), "--json", "--samples", "100000", "-o", str(target)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    result = json.loads(out)
    assert result["status"] == "interrupted"
    assert 0 < result["time"] < 1e7
    assert result["state"]["q"]["x"] is not None
    kept = json.loads(target.read_text())
    assert kept["samples"] and kept["samples"][-1]["t"] <= kept["time"]


def watched_run(arguments, seconds):
    """Runs the program with standard error on a terminal; returns what the terminal saw."""
    parent, child = pty.openpty()
    process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=child, stdin=subprocess.DEVNULL)
    os.close(child)
    seen, start, interrupted = b"", time.monotonic(), False
    try:
        while True:
            ready, _, _ = select.select([parent], [], [], 0.1)
            if ready:
                try:
                    block = os.read(parent, 65536)
                except OSError:
                    break
                if not block:
                    break
                seen += block
            if not interrupted and time.monotonic() - start > seconds:
                process.send_signal(signal.SIGINT)
                interrupted = True
            if time.monotonic() - start > 60:
                pytest.fail("the program did not end")
        process.wait(timeout=30)
    finally:
        process.kill()
        os.close(parent)
    return seen.decode()


def test_a_long_run_shows_how_far_it_is(model):
    seen = watched_run(["run", str(model(LONG))], 3.0)
    lines = [part for part in seen.split("\r") if "left" in part]
    assert lines, seen
    assert "t = " in lines[0] and "%" in lines[0] and "per second" in lines[0]
    # wiped away at the end
    assert seen.rstrip("\r\n").endswith("\x1b[K")


def test_a_short_run_shows_nothing(model):
    assert watched_run(["run", str(BALL)], 50.0) == ""


def test_no_progress_into_a_file(model):
    process = subprocess.Popen([PROGRAM, "run", str(model(LONG))], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert err == b""
