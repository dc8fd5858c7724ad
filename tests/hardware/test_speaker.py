"""The table's loudspeaker, with a small program in place of espeak-ng."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.speaker import Speaker
from hardware.trial import try_speaker
from scoreboard.message import Message, message
from scoreboard.table.requests import TableStatus
from scoreboard.table.view import Announcement, TableView
from tests.patience import PATIENCE_SECONDS


def program(folder: Path, does: str) -> str:
    """A program that notes how it was called and what it was given, and `does` something."""
    path = folder / "espeak"
    path.write_text(
        f'#!/bin/sh\n(echo "$@"; cat) >> {folder}/spoken\necho >> {folder}/spoken\n{does}\n'
    )
    path.chmod(0o755)
    return str(path)


def spoken(folder: Path) -> list[str]:
    """What it noted so far."""
    path = folder / "spoken"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def until(condition: Callable[[], object]) -> None:
    """Wait for it."""
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < PATIENCE_SECONDS
        time.sleep(0.005)


def view(version: int, sentence: Message) -> TableView:
    """A table that has just told this."""
    news = Announcement(version, sentence)
    return TableView(version, "rolling", TableStatus.STILL, announced=news)


def loud(sentence: Message) -> str:
    """In the language of somebody who is hard of hearing."""
    return str(sentence).upper()


def test_a_sentence_is_spoken_once_in_the_language(tmp_path: Path) -> None:
    """However often the view comes; a name that begins with a dash is no option."""
    speaker = Speaker(loud, "ko", program(tmp_path, ""))
    speaker.start()
    told = view(1, message("{name}’s turn", name="-x Anna"))
    for each in (told, told):
        speaker.announce(each)
    until(lambda: len(spoken(tmp_path)) >= 2)
    speaker.announce(view(2, message("Next")))
    until(lambda: len(spoken(tmp_path)) >= 4)
    speaker.stop()
    assert spoken(tmp_path) == ["-v ko --stdin", "-X ANNA’S TURN", "-v ko --stdin", "NEXT"]


def test_the_newest_waits_and_nobody_waits_for_it(tmp_path: Path) -> None:
    """While a sentence is spoken the table goes on; what is outdated by then is never spoken."""
    speaker = Speaker(
        str, "en", program(tmp_path, f"while [ ! -e {tmp_path}/go ]; do sleep 0.01; done")
    )
    speaker.start()
    speaker.announce(view(1, message("One")))
    until(lambda: "One" in spoken(tmp_path))
    speaker.announce(view(2, message("Two")))
    speaker.announce(view(3, message("Three")))
    (tmp_path / "go").touch()
    until(lambda: "Three" in spoken(tmp_path))
    speaker.stop()
    assert spoken(tmp_path)[1::2] == ["One", "Three"]


def test_a_missing_program_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """With its cure; the table goes on without."""
    speaker = Speaker(str, "en", str(tmp_path / "none"))
    speaker.start()
    speaker.announce(view(1, message("One")))
    until(lambda: caplog.records)
    speaker.announce(view(2, message("Two")))
    speaker.stop()
    (line,) = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert "none is not installed; run: sudo apt install espeak-ng" in line


@pytest.mark.parametrize(
    ("does", "works", "saw"),
    [
        ("", True, "It spoke a sentence."),
        ("echo no such device >&2; exit 1", False, "fails: no such device"),
        ("exit 3", False, "fails: exit status 3"),
    ],
)
def test_check_says_whether_it_speaks(tmp_path: Path, does: str, saw: str, *, works: bool) -> None:
    """What the program complains of stands in the report of `tablescore check`."""
    trial = try_speaker(Speaker(str, "en", program(tmp_path, does)))
    assert trial.works is works
    assert saw in trial.saw


def test_check_says_that_the_program_is_missing(tmp_path: Path) -> None:
    """With its cure."""
    trial = try_speaker(Speaker(str, "en", str(tmp_path / "none")))
    assert (trial.works, "sudo apt install" in trial.saw) == (False, True)


def test_a_program_that_cannot_be_run_is_reported(tmp_path: Path) -> None:
    """One that is built for another machine, say."""
    path = tmp_path / "espeak"
    path.write_bytes(b"\x7fELF")
    path.chmod(0o755)
    assert "fails: [Errno" in Speaker(str, "en", str(path)).speak("One")
