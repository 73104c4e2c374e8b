# SPDX-License-Identifier: Apache-2.0
"""Results and inputs survive: other models, full disks, missing folders, signals, links and pipes in the way."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

import pytest
from conftest import PENDULUM, PROGRAM, ROOT, needs, run_program

pytestmark = needs("run")

BALL = ROOT / "examples/03-bouncing-ball/model.toml"
HAS_HDF5 = run_program("doctor", "--json").json()["parts"]["hdf5"]
FORMATS = [".json", ".csv", ".svg"] + ([".h5"] if HAS_HDF5 else [])

# An oscillator that takes hours.
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
until = 1e9
"""


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


# ---- what may be overwritten --------------------------------------------------------------------

@pytest.mark.parametrize("ending", FORMATS)
def test_models_of_one_name_do_not_overwrite_each_other(liaison, tmp_path, ending):
    """The same words on the command line, in two folders, onto one file."""
    for folder, length in (("a", "1.0"), ("b", "2.0")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.toml").write_text(PENDULUM.replace("l = 1.0", f"l = {length}"))
    output = f"../x{ending}"
    assert liaison("run", "m.toml", "--until", "1", "-o", output, cwd=tmp_path / "a").code == 0
    before = (tmp_path / f"x{ending}").read_bytes()
    answer = liaison("run", "m.toml", "--until", "1", "-o", output, cwd=tmp_path / "b")
    assert answer.code == 64 and "another model" in answer.err
    assert (tmp_path / f"x{ending}").read_bytes() == before
    # the same model under another name is the same model
    shutil.copy(tmp_path / "a/m.toml", tmp_path / "b/other.toml")
    assert liaison("run", "other.toml", "--until", "2", "-o", output, cwd=tmp_path / "b").code == 0
    assert liaison("run", "m.toml", "--until", "1", "-o", output, "--force", cwd=tmp_path / "b").code == 0


@pytest.mark.parametrize("how", ["plain", "link", "hard link", "round about"])
def test_no_command_replaces_what_it_reads(liaison, tmp_path, how):
    (tmp_path / "m.json").write_text(PENDULUM + "[run]\nuntil = 1\n")
    output = {"plain": "m.json", "link": "link.json", "hard link": "hard.json", "round about": "../" + tmp_path.name + "/m.json"}[how]
    if how == "link":
        (tmp_path / output).symlink_to("m.json")
    if how == "hard link":
        os.link(tmp_path / "m.json", tmp_path / output)
    before = (tmp_path / "m.json").read_bytes()
    for arguments in (("run", "m.json", "-o", output, "--force"),
                      ("sweep", "m.json", "--over", "l=1:2:3", "-o", output, "--force"),
                      ("section", "m.json", "-o", output, "--force"),
                      ("orbit", "m.json", "-o", output, "--force"),
                      ("equilibrium", "m.json", "-o", output, "--force"),
                      ("invert", "m.json", "-o", output, "--force")):
        answer = liaison(*arguments, cwd=tmp_path)
        assert answer.code == 64 and "never overwritten" in answer.err, (arguments, answer.err)
        assert (tmp_path / "m.json").read_bytes() == before


def test_a_run_that_goes_on_does_not_replace_where_it_came_from(liaison, tmp_path):
    path = tmp_path / "first.json"
    assert liaison("run", BALL, "--until", "1", "-o", path).code == 0
    before = path.read_bytes()
    for arguments in (("run", "--from", path, "--until", "2", "-o", path, "--force"),
                      ("run", BALL, "--from", path, "--until", "2", "-o", path, "--force"),
                      ("rerun", path, "-o", path, "--force")):
        answer = liaison(*arguments)
        assert answer.code == 64 and "never overwritten" in answer.err
        assert path.read_bytes() == before


# ---- outputs are tried before anything is computed ----------------------------------------------

@pytest.mark.parametrize("bad", ["nope/x.csv", "folder.csv", "pipe.csv", "m.toml/x.csv"])
def test_outputs_that_cannot_be_written_are_told_at_once(liaison, model, tmp_path, bad):
    """The motion would take hours."""
    path = model(LONG, "m.toml")
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    before = names_in(tmp_path)
    for force in ([], ["--force"]):
        answer = liaison("run", path, "-o", bad, "-o", "good.csv", *force, cwd=tmp_path, limit=10)
        assert answer.code == 64 and f"cannot write {bad}" in answer.err, answer.err
    assert names_in(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_is_read_only_is_told_at_once(liaison, model, tmp_path):
    path = model(LONG)
    (tmp_path / "closed").mkdir(mode=0o500)
    answer = liaison("run", path, "-o", tmp_path / "closed/x.csv", limit=10)
    assert answer.code == 64 and "closed/x.csv" in answer.err


@pytest.mark.parametrize("command", ["sweep", "section", "orbit", "equilibrium", "plot", "converge"])
def test_other_commands_try_their_outputs_too(liaison, model, tmp_path, command):
    path = model(LONG.replace("until = 1e9", "until = 1e9\n[parameters]\nk = 1.0\n").replace("x^4/4", "k*x^4/4"))
    more = {"sweep": ["--over", "k=1:2:3"], "converge": ["--over", "tolerance"]}.get(command, [])
    answer = liaison(command, path, *more, "-o", tmp_path / "nope/x.svg", limit=10)
    assert answer.code == 64 and "nope" in answer.err, answer.err


def limited(size):
    """Files may grow to `size` bytes; the signal that comes with it is as the system left it."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_one_output_that_fails_does_not_take_the_others(tmp_path):
    """A limit on the size of files, as on a disk that fills up: the picture fits, the table does not."""
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    answer = subprocess.run([PROGRAM, "run", BALL, "--samples", "100000", "-o", "big.csv", "-o", "small.svg"],
                            cwd=tmp_path, capture_output=True, text=True, timeout=60, preexec_fn=limited(400_000), env=env,
                            check=False)
    assert answer.returncode == 3, answer.stderr
    assert "cannot write big.csv" in answer.stderr and "wrote small.svg" in answer.stderr
    assert "impact" in answer.stdout  # the report is there
    assert names_in(tmp_path) in (["small.svg"], ["cache", "small.svg"])
    xml.etree.ElementTree.parse(tmp_path / "small.svg")


@pytest.mark.parametrize("command", [("sweep", "--over", "e=0.7:0.9:40", "--keep", "final", "-o", "x.csv")])
def test_a_sweep_on_a_full_disk_ends_with_a_message(tmp_path, command):
    answer = subprocess.run([PROGRAM, command[0], BALL, *command[1:]], cwd=tmp_path, capture_output=True, text=True,
                            timeout=60, preexec_fn=limited(700), check=False)
    assert answer.returncode == 3 and "cannot write" in answer.stderr, (answer.returncode, answer.stderr)


def test_a_link_under_the_old_temporary_name_is_not_followed(tmp_path):
    """The process keeps its number over exec: a link under OUT.PID.part was written through."""
    (tmp_path / "victim").write_text("precious")
    script = 'ln -s victim "x.csv.$$.part"; exec "$0" run "$1" --until 1 -o x.csv'
    answer = subprocess.run(["sh", "-c", script, PROGRAM, BALL], cwd=tmp_path, capture_output=True, text=True, timeout=60,
                            check=False)
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "victim").read_text() == "precious"
    assert (tmp_path / "x.csv").is_file() and not (tmp_path / "x.csv").is_symlink()


def test_a_link_as_output_is_replaced_not_followed(liaison, tmp_path):
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "x.csv").symlink_to("victim")
    assert liaison("run", BALL, "--until", "1", "-o", "x.csv", "--force", cwd=tmp_path).code == 0
    assert (tmp_path / "victim").read_text() == "precious"


def test_results_have_the_permissions_of_other_files(liaison, tmp_path):
    (tmp_path / "usual").touch()
    assert liaison("run", BALL, "--until", "1", "-o", "x.csv", cwd=tmp_path).code == 0
    assert (tmp_path / "x.csv").stat().st_mode == (tmp_path / "usual").stat().st_mode


# ---- pipes in the way ---------------------------------------------------------------------------

@pytest.mark.parametrize("arguments", [("rerun", "pipe.json"), ("run", "--until", "2", "--from", "pipe.json")])
def test_pipes_are_no_results(liaison, tmp_path, arguments):
    os.mkfifo(tmp_path / "pipe.json")
    answer = liaison(*arguments, cwd=tmp_path, limit=10)
    assert answer.code == 2 and "no plain file" in answer.err


def test_a_pipe_as_partial_file_of_a_sweep_is_refused(liaison, tmp_path):
    os.mkfifo(tmp_path / "x.csv.partial")
    for force in ([], ["--force"]):
        answer = liaison("sweep", BALL, "--over", "e=0.7:0.9:3", "--keep", "final", "-o", "x.csv", *force, cwd=tmp_path, limit=10)
        assert answer.code in (2, 64) and "x.csv.partial" in answer.err


# ---- signals ------------------------------------------------------------------------------------

def interrupted(arguments, cwd, *signals, before=None, wait=1.0):
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, preexec_fn=before)
    try:
        time.sleep(wait)
        for number in signals:
            process.send_signal(number)
            time.sleep(0.2)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    return process.returncode, out, err


@pytest.mark.parametrize("signals", [(signal.SIGINT,), (signal.SIGTERM,), (signal.SIGHUP,), (signal.SIGHUP, signal.SIGTERM)],
                         ids=["interrupt", "terminate", "hang up", "hang up and terminate"])
def test_signals_keep_what_was_computed(model, tmp_path, signals):
    code, out, err = interrupted(["run", model(LONG), "--json", "--samples", "100", "-o", "x.json", "-o", "x.csv"], tmp_path,
                                 *signals)
    assert code == 130, err
    assert json.loads(out)["status"] == "interrupted" and json.loads(out)["time"] > 0
    assert json.loads((tmp_path / "x.json").read_text())["time"] == json.loads(out)["time"]
    assert names_in(tmp_path) == ["model.toml", "x.csv", "x.json"]


def test_a_run_under_nohup_goes_on(model, tmp_path):
    code, out, err = interrupted(["run", model(LONG), "--json"], tmp_path, signal.SIGHUP, signal.SIGHUP, signal.SIGTERM,
                                 before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    assert code == 130 and json.loads(out)["status"] == "interrupted", err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_sweep_that_is_ended_goes_on_later(liaison, model, tmp_path, number):
    path = model(LONG.replace("until = 1e9", "until = 3e5\n[parameters]\nk = 1.0\n").replace("x^4/4", "k*x^4/4"))
    arguments = ["sweep", path, "--over", "k=1:2:400", "--keep", "final", "-o", "x.csv"]
    code, _, err = interrupted(arguments, tmp_path, number, wait=2.0)
    assert code == 130 and "goes on from x.csv.partial" in err, (code, err)
    assert (tmp_path / "x.csv.partial").exists()


def test_nothing_is_left_by_a_kill(model, tmp_path):
    code, _, _ = interrupted(["run", model(LONG), "-o", "x.csv", "-o", "x.svg"], tmp_path, signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert names_in(tmp_path) == ["model.toml"]


def thousand_contacts(kind):
    """Models in which every decision looks at a thousand contacts."""
    n = 1000
    # a thousand bodies: falling side by side, or in a row that strikes a wall
    row = kind == "row"
    names = [f"x{i}" for i in range(n)]
    weight = "0.1" if row else "9.81"
    text = ('format = 1\nname = "bodies"\ncoordinates = [' + ", ".join(f'"{x}"' for x in names) + ']\n[energy]\nT = "'
            + " + ".join(f"{x}'^2/2" for x in names) + '"\nV = "' + " + ".join(f"{weight}*{x}" for x in names)
            + '"\n[start]\n' + "".join(f"{x} = {0.01 + i * 0.101 if row else 1 + i * 0.001}\n" for i, x in enumerate(names))
            + "[run]\nuntil = 1000\n")
    gaps = ["x0"] + [f"x{i + 1} - x{i} - 0.1" for i in range(n - 1)] if row else names
    return text + "".join(f'[contact.c{i}]\ngap = "{gap}"\nrestitution = 0.5\n' for i, gap in enumerate(gaps))


@pytest.mark.parametrize("kind", ["side by side", "row"])
@pytest.mark.parametrize("wait", [1.5, 6.0])
def test_ctrl_c_answers_beside_a_thousand_contacts(model, kind, wait):
    """Measured by the work the program does after the signal, not by the load of the machine; the motion itself would take
    minutes. A release on a quiet machine needs less than a second, a build for tests beside others up to two."""
    process = subprocess.Popen([PROGRAM, "run", str(model(thousand_contacts(kind)))], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        time.sleep(wait)
        with open(f"/proc/{process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        before = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        process.send_signal(signal.SIGINT)
        deadline = time.monotonic() + 60
        done = 0
        while not done and time.monotonic() < deadline:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            time.sleep(0.01)
        assert done, "it did not end"
    finally:
        if not done:
            process.kill()
    assert usage.ru_utime + usage.ru_stime - before < 4.0
    # before the motion has begun there is nothing to keep
    assert os.waitstatus_to_exitcode(status) in (130, -signal.SIGINT)


# ---- texts --------------------------------------------------------------------------------------

def test_control_characters_do_not_reach_the_terminal_and_the_files(liaison, model, tmp_path):
    """Colours, titles of windows, line breaks, directions of writing: in the name, in texts, in units, in a path."""
    nasty = r"a\u001b]0;owned\u0007\u001b[31mb\nc\rd\u202Ee\u009Bf\u0000g<&>\uFFFE"
    text = PENDULUM.replace('name = "pendulum"', f'name = "{nasty}"\nabout = "{nasty}"') + "[run]\nuntil = 1\n"
    path = model(text, "evil\x1b[31m.toml")
    for arguments in (("check",), ("explain",), ("run",), ("run", "-o", "x.csv", "-o", "x.svg", "-o", "x.json"), ("orbit",),
                      ("equilibrium",), ("run", "--until", "-1"), ("run", "--set", "\x1b[31m=1"), ("run", "-o", "\x1b.x")):
        answer = liaison(arguments[0], path, *arguments[1:], cwd=tmp_path)
        assert answer.code != 70, answer.err
        for sign in "\x1b\x07\r\u202e\u009b\x00":
            assert sign not in answer.out + answer.err, (arguments, sign, answer.out, answer.err)
    lines = (tmp_path / "x.csv").read_text().splitlines()
    head = [i for i, line in enumerate(lines) if not line.startswith("#")][0]
    assert lines[head].startswith("t,") and all(line[0] in "-0123456789" for line in lines[head + 1:])
    xml.etree.ElementTree.parse(tmp_path / "x.svg")
    assert "\x1b" not in (tmp_path / "x.svg").read_text()
    assert liaison("rerun", tmp_path / "x.svg").code == 0
    assert liaison("rerun", tmp_path / "x.csv").code == 0
    assert json.loads((tmp_path / "x.json").read_text())["model"].startswith("a\x1b]0;owned")


@pytest.mark.parametrize("json_too", [[], ["--json"]], ids=["text", "json"])
def test_paths_need_not_be_utf_8(tmp_path, json_too):
    folder = os.path.join(os.fsencode(tmp_path), b"d\xff\xfe")
    os.mkdir(folder)
    with open(os.path.join(folder, b"m\x80.toml"), "wb") as file:
        file.write(PENDULUM.encode() + b"[run]\nuntil = 1\n")
    outputs = [b"x\xff" + ending.encode() for ending in FORMATS]
    arguments = [PROGRAM, "run", b"m\x80.toml", *json_too, *(word for name in outputs for word in (b"-o", name))]
    answer = subprocess.run(arguments, cwd=folder, capture_output=True, timeout=60, check=False)
    assert answer.returncode == 0, answer.stderr
    answer.stdout.decode(), answer.stderr.decode()
    if json_too:
        json.loads(answer.stdout)
    assert sorted(os.listdir(folder)) == sorted([b"m\x80.toml", *outputs])
    for name in outputs:
        again = subprocess.run([PROGRAM, "rerun", *json_too, name], cwd=folder, capture_output=True, timeout=60, check=False)
        assert again.returncode == 0, again.stderr
    wrong = subprocess.run([PROGRAM, "sweep", b"m\x80.toml", *json_too, "--over", "l=1:2:3", "--keep", "final", b"-o",
                            b"s\xff.json"], cwd=folder,
                           capture_output=True, timeout=60, check=False)
    assert wrong.returncode == 0, wrong.stderr
    wrong.stdout.decode()


# ---- times that are not reached -----------------------------------------------------------------

@pytest.mark.parametrize("at, told", [("7", "t = 7:"), ("-1", "t = -1:"), ("0.5,7,8,9,10,11,12,13", "and 2 more times"),
                                      ("0:100:100001", "more times")])
def test_times_outside_the_run_are_told_once(liaison, model, at, told):
    answer = liaison("run", model(PENDULUM), "--until", "1", f"--at={at}", "--json")
    assert answer.code == 0
    warnings = [w for w in answer.json()["warnings"] if "no sample" in w]
    assert len(warnings) == 1 and told in warnings[0] and "from t = 0 to t = 1" in warnings[0]


def test_times_after_a_stop_are_told(liaison, model):
    text = PENDULUM + '[event.end]\nwhen = "th"\nstop = true\n'
    answer = liaison("run", model(text), "--until", "5", "--at", "0.1,4", "--json")
    assert any("no sample at t = 4:" in w for w in answer.json()["warnings"]), answer.out


# ---- closed streams -----------------------------------------------------------------------------

def test_words_for_a_closed_stream_do_not_go_into_files(tmp_path):
    """Without standard streams the first file opened becomes one of them."""
    arguments = ["sweep", str(BALL), "--over", "e=0.7:0.9:3", "--keep", "final", "-o", "x.csv"]
    script = '"$0" "$@" <&- >&- 2>&-'
    answer = subprocess.run(["sh", "-c", script, PROGRAM, *arguments], cwd=tmp_path, timeout=60, check=False)
    assert answer.returncode == 2  # the report could not be written
    lines = (tmp_path / "x.csv").read_text().splitlines()
    assert all(line.startswith("#") or line.count(",") == lines[-1].count(",") for line in lines)
    assert "wrote" not in (tmp_path / "x.csv").read_text()
    assert names_in(tmp_path) == ["x.csv"]


def test_an_output_needs_a_name(liaison):
    answer = liaison("run", BALL, "-o", "")
    assert answer.code == 64 and "without a name" in answer.err
