"""The file in which a table remembers its event."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from scoreboard.errors import StoreError
from scoreboard.tournament.client.attendance import Attendance, AttendanceBook, AttendanceFile, Note
from tests.scoreboard.tournament.client.fakes import GAME, TICKET, UPDATE

FULL = Attendance(TICKET, (GAME.noted(Note(3, 7), Note(3, 3, "miscounted")),), UPDATE)


def test_what_was_written_is_read(tmp_path: Path) -> None:
    """Ticket, games, what was said and the last update come back."""
    file = AttendanceFile(tmp_path / "new folder" / "event.json")
    assert file.read() is None
    file.write(FULL)
    assert file.read() == FULL


def test_the_ticket_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Nobody else on the machine can read the secret, and no log shows it."""
    file = AttendanceFile(tmp_path / "event.json")
    file.write(FULL)
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert TICKET.token not in repr(TICKET)


def test_a_forgotten_event_is_gone(tmp_path: Path) -> None:
    """Forgetting twice is fine."""
    file = AttendanceFile(tmp_path / "event.json")
    file.write(FULL)
    file.forget()
    file.forget()
    assert file.read() is None


def test_a_damaged_file_is_told_with_its_cure(tmp_path: Path) -> None:
    """Half a file is not taken for none."""
    file = AttendanceFile(tmp_path / "event.json")
    file.path.write_text('{"ticket":', encoding="utf-8")
    with pytest.raises(StoreError, match=r"move .* away and join again"):
        file.read()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The fault names the folder."""
    (tmp_path / "taken").write_text("a file, no folder", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be kept"):
        AttendanceFile(tmp_path / "taken" / "event.json").write(FULL)


def test_a_change_is_on_disk_before_it_is_known(tmp_path: Path) -> None:
    """A change that could not be written did not happen."""
    file = AttendanceFile(tmp_path / "event.json")
    book = AttendanceBook(file)
    book.change(lambda now: replace(now, games=()))  # at no event, nothing changes
    book.begin(FULL.ticket)
    book.change(lambda _now: FULL)
    (tmp_path / ".event.json.new").mkdir()
    with pytest.raises(StoreError):
        book.change(lambda now: replace(now, games=()))
    assert book.now == file.read() == FULL
