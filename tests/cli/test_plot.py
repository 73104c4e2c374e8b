# SPDX-License-Identifier: Apache-2.0
"""plot: pictures of results and models."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import ROOT, needs

pytestmark = needs("plot")

STRING = ROOT / "examples/02-string-pendulum/model.toml"
KEPLER = ROOT / "examples/17-kepler/model.toml"
FOUCAULT = ROOT / "examples/18-foucault/model.toml"


def texts(path):
    root = ElementTree.parse(path).getroot()
    return [element.text for element in root.iter() if element.tag.endswith("text")]


def test_a_result_is_drawn_with_units_marks_and_modes(liaison, tmp_path):
    assert liaison("run", STRING, "-o", tmp_path / "swing.json").code == 0
    answer = liaison("plot", "swing.json", cwd=tmp_path)
    assert answer.code == 0 and answer.out == "swing.svg\n"
    words = texts(tmp_path / "swing.svg")
    assert {"string pendulum", "x", "y", "impact", "release", "closed", "open"} <= set(words)


def test_a_model_is_drawn(liaison, tmp_path):
    assert liaison("plot", STRING, "-o", tmp_path / "swing.svg").code == 0
    words = texts(tmp_path / "swing.svg")
    assert "t (s)" in words and "coordinates (m)" in words and "velocities (m/s)" in words


def test_chosen_quantities(liaison, tmp_path):
    target = tmp_path / "force.svg"
    assert liaison("plot", STRING, "--show", "string.reaction,x'", "--until", "2", "-o", target).code == 0
    words = texts(target)
    assert "x'" in words and "string" in words and "y" not in words


def test_an_unknown_quantity(liaison, tmp_path):
    answer = liaison("plot", STRING, "--show", "z", "-o", tmp_path / "z.svg")
    assert answer.code == 2 and "`z`" in answer.err and "x" in answer.err
    assert not (tmp_path / "z.svg").exists()


def test_an_orbit_is_drawn_to_one_scale(liaison, tmp_path):
    """The ellipse of e = 0.6 is 2 long and 1.6 wide, on paper too."""
    target = tmp_path / "orbit.svg"
    assert liaison("plot", KEPLER, "--phase", "x:y", "-o", target).code == 0
    root = ElementTree.parse(target).getroot()
    curve = next(element.get("d") for element in root.iter() if element.tag.endswith("path"))
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", curve)]
    width = max(numbers[0::2]) - min(numbers[0::2])
    height = max(numbers[1::2]) - min(numbers[1::2])
    assert width / height == pytest.approx(1 / 0.8, abs=0.01)


def test_a_fast_motion_does_not_alias(liaison, tmp_path):
    """Over 200 periods of a pendulum that keeps its amplitude every column of pixels reaches it."""
    target = tmp_path / "foucault.svg"
    assert liaison("plot", FOUCAULT, "--show", "x", "-o", target).code == 0
    root = ElementTree.parse(target).getroot()
    curve = next(element.get("d") for element in root.iter() if element.tag.endswith("path"))
    points = re.findall(r"([\d.]+) ([\d.]+)", curve)
    upper = {}
    for x, y in points:
        block = int(float(x) // 10)
        upper[block] = min(upper.get(block, 1e9), float(y))
    inner = [value for block, value in sorted(upper.items())][1:-1]
    assert max(inner) - min(inner) < 4, "the envelope is flat to a few pixels"


@pytest.mark.parametrize("arguments", [("--phase", "x:y:z"), ("--begin", "50"), ("--phase", "nothing")])
def test_what_cannot_be_drawn(liaison, tmp_path, arguments):
    answer = liaison("plot", STRING, *arguments, "-o", tmp_path / "x.svg")
    assert answer.code == 2 and answer.err
    assert not (tmp_path / "x.svg").exists()


def test_other_endings_and_foreign_files(liaison, tmp_path):
    assert liaison("plot", STRING, "-o", tmp_path / "x.png").code == 64
    (tmp_path / "mine.svg").write_text("<svg>mine</svg>")
    answer = liaison("plot", STRING, "-o", tmp_path / "mine.svg")
    assert answer.code == 64 and "--force" in answer.err
    assert (tmp_path / "mine.svg").read_text() == "<svg>mine</svg>"


def test_planes(liaison, tmp_path):
    answer = liaison("plot", STRING, "--planes", "--json", "-o", tmp_path / "planes.svg")
    assert answer.json()["panels"] == 2
