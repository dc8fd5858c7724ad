"""`tablescore watch`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import numpy as np
import pytest

from hardware.camera import Camera, Capture
from scoreboard.message import message
from scoreboard.table.proposal import Health, Light, Proposal, TableDie
from scoreboard.table.requests import HealthChanged, Proposed, TableStatus, TableStatusChanged
from tests.patience import PATIENCE_SECONDS
from tests.vision.fake_table import KnowingRecogniser
from tests.web.cli.calling import call
from vision.capture.frame import Frame
from vision.watch.pipeline import Changes, Pictures, TablePipeline
from web.cli.watch import camera_frames, lines

ROOT: Final = Path(__file__).parents[3]
CLIPS: Final = ROOT / "tests" / "vision" / "clips"
START: Final = datetime(2026, 11, 21, 20, tzinfo=UTC)
LOOK: Final = message("A die is blurred.")
DARK: Final = Health(Light.RED, (message("It is too dark."),))


def test_a_clip_gives_one_object_a_proposal() -> None:
    """Frame, seconds, roll, confidence and doubt, in that order; nothing on stderr."""
    result = call("watch", str(CLIPS / "spin.mp4"), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    (document,) = map(json.loads, result.stdout.splitlines())
    assert list(document) == ["frame", "seconds", "roll", "confidence", "needs_review"]
    assert document["roll"] == "35"
    assert 29 < document["frame"] <= 29 + 7
    assert document["seconds"] == round(document["frame"] / 15, 3)
    assert 0.5 < document["confidence"] <= 1
    assert document["needs_review"] is False


def test_a_clip_is_reported_in_words() -> None:
    """Without --json a line for people."""
    result = call("watch", str(CLIPS / "cuts.mp4"))
    assert result.exit_code == 0
    assert [line.split(": ")[1] for line in result.stdout.splitlines()] == ["12356", "122", "46"]
    assert result.stdout.startswith("0.")


@pytest.mark.parametrize(
    ("left", "rolls"), [(0.0, ["126", "1", "4"]), (0.5, ["35", "22", "6"])], ids=["left", "right"]
)
def test_the_settings_play_area_applies_to_a_clip(
    tmp_path: Path, left: float, rolls: list[str]
) -> None:
    """Half of the table: the dice of the other half are neither read nor asked about."""
    right = left + 0.5
    settings = tmp_path / "table.toml"
    settings.write_text(f"[tray]\narea = [[{left},0],[{right},0],[{right},1],[{left},1]]\n")
    result = call("watch", str(CLIPS / "cuts.mp4"), "--settings", str(settings))
    assert [line.split(": ")[1] for line in result.stdout.splitlines()] == rolls


@pytest.mark.parametrize(
    ("clip", "fault"),
    [
        ("missing.mp4", "missing.mp4 is not there"),
        (str(Path(__file__)), "is no video that can be played"),
        ("demo", "demo needs the page"),
        ("upload", "upload needs the page"),
        ("phone", "phone needs the page"),
        ("webcam", "Name the camera by its number"),
        ("folder:/nowhere/at/all", "cannot be read"),
    ],
)
def test_what_cannot_be_watched_is_reported_in_a_sentence(clip: str, fault: str) -> None:
    """One sentence, exit status 1."""
    result = call("watch", clip, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert fault in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_line_is_reported_at_once_and_ctrl_c_ends_a_camera(tmp_path: Path) -> None:
    """Whoever reads along has a proposal as soon as it is made; Ctrl-C is no fault."""
    picture = ROOT / "hardware/cameras/demo_evening/turn00/throw0/06.webp"
    (tmp_path / "a.webp").write_bytes(picture.read_bytes())
    # a shell lets what it starts beside itself ignore Ctrl-C, and whoever that starts inherits it
    heeding = ("env", "--default-signal=INT")
    command = [*heeding, sys.executable, "-m", "web", "watch", f"folder:{tmp_path}", "--json"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            assert json.loads(child.stdout.readline())["frame"] == 0
            child.send_signal(signal.SIGINT)
            assert child.wait(timeout=PATIENCE_SECONDS) == 0
        finally:
            child.kill()
        assert (child.stdout.read(), child.stderr.read()) == (b"", b"")


def test_nothing_but_the_sentence_is_written(tmp_path: Path) -> None:
    """What decodes the file has its own words for a broken one: they are kept from the user."""
    (tmp_path / "cut.mp4").write_bytes((CLIPS / "cuts.mp4").read_bytes()[:30000])
    command = [sys.executable, "-m", "web", "watch", str(tmp_path / "cut.mp4")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    sentence = f"{tmp_path}/cut.mp4 is no video that can be played; record or convert it again.\n"
    assert done.stderr == sentence


def test_a_cameras_pictures_are_counted_from_0() -> None:
    """What it hasn't got isn't counted; a photo by itself stays one."""
    image = np.zeros((4, 4, 3), np.uint8)
    pictures = iter([None, Capture(image, START), Capture(image, START, single=True)])
    frames = camera_frames(cast("Camera", SimpleNamespace(capture=pictures.__next__)))
    first, *others = islice(frames, 3)
    assert first is None
    assert [(each.sequence, each.single) for each in others if each] == [(0, False), (1, True)]


class ScriptedPipeline(TablePipeline):
    """A pipeline that returns what the test lists, frame by frame."""

    def __init__(self, changes: list[Changes]) -> None:
        super().__init__(KnowingRecogniser(), Pictures())
        self._changes = iter(changes)

    def feed(self, _frame: Frame | None) -> Changes:
        """The next frame's."""
        return next(self._changes)


def a_proposal(frame: int, *, doubted: bool = False) -> Proposed:
    """Two dice and one that cannot be read, half a second a frame."""
    at = START + frame * timedelta(seconds=0.5)
    seen = tuple(TableDie(face, (0, 0, 9, 9), confidence=0.9) for face in (6, 2, None))
    return Proposed(Proposal(seen, 0.12345, frame, 64, 48, at, (LOOK,) if doubted else ()))


def footage(frames: int) -> list[Frame | None]:
    """So many frames, and one time none."""
    taken: list[Frame | None] = [
        Frame(n, START + n * timedelta(seconds=0.5), np.zeros((4, 4, 3), np.uint8))
        for n in range(frames)
    ]
    return [None, *taken]


def test_lines_come_when_they_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    """A line is given before the next frame is taken; a red light is told on stderr."""
    pipeline = ScriptedPipeline(
        [
            (),
            (TableStatusChanged(TableStatus.MOVING), HealthChanged(DARK)),
            (HealthChanged(None), a_proposal(1)),
            (a_proposal(2, doubted=True),),
        ]
    )
    given = lines(pipeline, footage(3), as_json=True)
    assert json.loads(next(given)) == {
        "frame": 1, "seconds": 0.5, "roll": "26", "confidence": 0.1235, "needs_review": False,
    }  # fmt: skip
    assert capsys.readouterr().err == "frame 0: It is too dark.\n"
    assert json.loads(next(given))["needs_review"] is True
    assert list(given) == []


def test_a_doubt_is_reported_in_words() -> None:
    """A person reads why to look."""
    pipeline = ScriptedPipeline([(), (), (), (a_proposal(2, doubted=True),)])
    (line,) = lines(pipeline, footage(3), as_json=False)
    assert line == "1.00 s, frame 2: 26 - A die is blurred."
