# SPDX-License-Identifier: Apache-2.0
"""Runs one world and says what is wrong with its motion, if anything."""
import json
import os
import random
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from . import conditions, jumps, path
from .world import Mechanics

PROGRAM = os.environ.get("LIAISON", str(Path(__file__).resolve().parents[3] / "build/dev/liaison"))
LATE = 20  # seconds of the processor: a busy machine does not make a motion hang
SAMPLES = 20


@dataclass
class Verdict:
    """`word` is right, refused (no such start), stopped (with facts), unbalanced (the program says itself that its energy does not
    balance), hung, wrong, or variant (another way to write it moves otherwise)."""

    word: str
    faults: list = field(default_factory=list)
    reason: str = ""
    seconds: float = 0.0


@dataclass
class Answer:
    code: int
    out: str
    err: str
    seconds: float

    def result(self):
        return json.loads(self.out)


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (LATE, LATE + 1))


def ask(world, times=()):
    """The program's answer, or none where it is late."""
    begun = time.monotonic()
    command = [PROGRAM, "run", "-", "--json", *(["--at", ",".join(map(repr, times))] if times else [])]
    try:
        done = subprocess.run(command, input=world.text(), capture_output=True, text=True, timeout=30 * LATE, check=False, preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    return Answer(done.returncode, done.stdout, done.stderr, time.monotonic() - begun)


def grid(world):
    """Times in the open interval: what happens at its ends belongs to either side."""
    span = world.until - world.begin
    return [world.begin + span * (k + 0.5) / SAMPLES for k in range(SAMPLES)]


def judged(world, seed=0):
    """The verdict and the result it is about."""
    answer = ask(world, grid(world))
    if answer is None:
        return Verdict("hung", reason=f"no end within {LATE} s", seconds=LATE), None
    if answer.code == 2:
        return Verdict("refused", reason=first_error(answer)), None
    if not answer.out.startswith("{") or answer.code < 0 or answer.code >= 64:
        return Verdict("wrong", [f"exit code {answer.code}: {answer.err[:200]}{answer.out[:200]}"]), None
    result = answer.result()
    if result["status"] == "unbalanced":
        return Verdict("unbalanced", reason=result["reason"], seconds=answer.seconds), result
    if result["time"] > world.begin:
        parts = path.pieces(world.begin, result["time"], result["events"], random.Random(seed))
        if result["status"] != "done":  # rates may grow without bound before it stops
            parts = parts[:-1]
        again = ask(world, path.times_of(parts, result["events"]))
        if again is None:
            return Verdict("hung", reason=f"no end within {LATE} s", seconds=LATE), None
        dense = again.result()
        faults = motion_faults(world, result, dense["samples"], parts)
    else:
        faults = []
    seconds = answer.seconds
    if faults:
        return Verdict("wrong", faults, result["reason"] or "", seconds), result
    if result["status"] != "done":
        return Verdict("stopped", reason=result["reason"] or result["status"], seconds=seconds), result
    return Verdict("right", seconds=seconds), result


def motion_faults(world, result, dense, parts):
    """All that is wrong: at samples, events, between them, and in the books."""
    mechanics = Mechanics(world)
    begin, end, events = world.begin, result["time"], result["events"]
    instants = {e["time"] for e in events}
    inside = [s for s in (*result["samples"], *dense) if begin < s["t"] < end and s["t"] not in instants]
    sizes = conditions.Sizes(mechanics, inside or dense)
    aware = any("energy" in w for w in map(json.dumps, result["warnings"])) or any("energy" in str(e.get("rule")) for e in events)
    if result["status"] != "done":  # at the last instant it may be in the middle of what does not end
        events = [e for e in events if e["time"] < end]
    found = jumps.faults(mechanics, events, sizes, aware)
    events = [e for e in events if e["q"] and e["v_plus"]]
    for s in inside:
        found += conditions.faults(mechanics, s, states_at(mechanics, events, s["t"]), sizes)
    final = {"t": end, **result["state"]}

    def again(finer):
        answer = ask(world, path.times_of(finer, events))
        return answer and path.Path(world, answer.result()["samples"], events, final)

    found += path.faults(path.Path(world, dense, events, final), parts, sizes, again)
    found += path.missed_events(mechanics, inside, events, sizes, begin)
    books = result["energy"]
    turnover = max(abs(books[k]) for k in books if k != "unexplained" and isinstance(books[k], (int, float)))
    if abs(books["unexplained"]) > 1e-7 * (1 + turnover) and result["status"] == "done":
        found.append(f"energy open by {books['unexplained']:.2g}")
    return sorted(found, key=lambda fault: "accumulation" in fault or "tells no state" in fault)


def states_at(mechanics, events, t):
    """Discrete states, by what the events before set."""
    w = mechanics.world
    states = dict(w.states)
    if not states:
        return states
    earlier, before = states, None  # events of users that happen together see the states before all of them
    for e in events:
        if e["time"] >= t:
            break
        if e["kind"] == "user":
            earlier = earlier if before is not None and jumps.at_once(before, e) else states
            event = next(x for x in w.events if x.name == e["where"])
            z = mechanics.point(e["time"], e["q"], e["v_minus"], earlier)
            states = {**states, **{k: mechanics.value((event.name, k), f, z) for k, f in event.sets.items() if k in states}}
        before = e
    return states


def first_error(answer):
    try:
        words = json.loads(answer.out).get("diagnostics") or [{}]
        return f"{words[0].get('code')} {words[0].get('message')}"
    except (ValueError, AttributeError):
        return (answer.err or answer.out)[:200]
