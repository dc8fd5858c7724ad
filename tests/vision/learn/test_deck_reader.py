"""The reader of Tong Tong's cards: which deck it takes, and what it says without one."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.vision.learn.drawn_set import FACES, learned, photograph, row
from tests.vision.learn.whole_deck import keep, whole_deck
from vision.capture.frame import Frame, Image
from vision.learn.playing_sets import NO_DECK, open_cards, taught_deck
from vision.learn.taught_sets import PROTOTYPES, TaughtSets
from vision.watch.proposals import merge, proposal

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


def frame(image: Image, number: int = 1) -> Frame:
    """A frame of the camera."""
    return Frame(number, NOON, image)


def chosen(folder: Path) -> str | None:
    """The name of the deck that is read with."""
    deck = taught_deck(TaughtSets(folder))
    return None if deck is None else deck.name


def test_without_a_deck_the_players_are_reported_and_nothing_is_seen(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A set that lacks some cards is no deck; and the log is left alone."""
    read = open_cards(TaughtSets(tmp_path))
    for number in range(3):
        seen = read(frame(row(), number))
        assert (seen.detections, seen.doubts, seen.hindrance) == ((), (), NO_DECK)
    keep(tmp_path, "Five", NOON, learned())
    assert read(frame(row())).hindrance == NO_DECK
    assert read.name == "cards"
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


def test_a_deck_that_is_taught_meanwhile_is_read_with_at_once(tmp_path: Path) -> None:
    """And no more once it is deleted."""
    sets = TaughtSets(tmp_path)
    read = open_cards(sets)
    assert read(frame(row())).hindrance == NO_DECK
    keep(tmp_path, "Deck", NOON, whole_deck())
    seen = read(frame(row(scene=2)))
    assert (seen.labels, seen.hindrance, seen.recogniser) == (FACES, None, "cards")
    for path in (tmp_path / "Deck").iterdir():
        path.unlink()
    assert read(frame(row())).hindrance == NO_DECK


def test_the_newest_trusted_deck_goes_first(tmp_path: Path) -> None:
    """One that is not trusted only where no other is."""
    keep(tmp_path, "Doubtful", LATER, whole_deck(), trusted=False)
    assert chosen(tmp_path) == "Doubtful"
    keep(tmp_path, "Old", NOON, whole_deck())
    assert chosen(tmp_path) == "Old"
    keep(tmp_path, "New", LATER, whole_deck())
    assert chosen(tmp_path) == "New"


def test_a_damaged_deck_is_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log says which, once."""
    keep(tmp_path, "Torn", LATER, whole_deck())
    keep(tmp_path, "Whole", NOON, whole_deck())
    (tmp_path / "Torn" / PROTOTYPES).write_bytes(b"torn")
    read = open_cards(TaughtSets(tmp_path))
    for number in range(3):
        assert read(frame(photograph((), 0), number)).hindrance is None
    assert [each.message for each in caplog.records] == [
        "The taught set “Torn” is damaged; teach it again."
    ]


def test_faces_that_are_no_cards_are_left_out(tmp_path: Path) -> None:
    """A deck may be taught with its back, which is then no piece of a trick."""
    known = whole_deck("back")
    prototypes = known.prototypes.copy()
    prototypes[-1], prototypes[FACES.index("B1")] = known.prototypes[2], known.prototypes[-1]
    keep(tmp_path, "Deck", NOON, replace(known, prototypes=prototypes))
    seen = open_cards(TaughtSets(tmp_path))(frame(row(scene=2)))
    assert seen.labels == ("R1", "R4", "B4", "G7")


def test_cards_become_one_row_of_pieces(tmp_path: Path) -> None:
    """Through the consensus of readings, which keeps their corners, to the proposal."""
    keep(tmp_path, "Deck", NOON, whole_deck())
    read = open_cards(TaughtSets(tmp_path))
    merged = merge([read(frame(row(scene=scene), scene)) for scene in (0, 1)])
    assert all(len(each.quad) == 4 for each in merged.detections)
    made = proposal(merged, frame(row(), 9))
    assert [each.label for each in made.pieces] == list(FACES)
    assert (made.sets, made.sightings) == (((0, 1, 2, 3, 4),), ())
