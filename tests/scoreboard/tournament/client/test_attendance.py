"""The file in which a table remembers its event."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.client.attendance import (
    Attendance,
    AttendanceBook,
    AttendanceFile,
    Note,
    TournamentGame,
)
from scoreboard.tournament.client.tournament_state import (
    Local,
    LocalGame,
    next_number,
    notice_of,
    obstacle,
    planned,
    seat_names,
)
from scoreboard.tournament.protocol.hub_update import (
    HubUpdate,
    LocalizedText,
    SeatingUpdate,
    SeatUpdate,
)
from tests.scoreboard.tournament.client.fakes import GAME, SEATING, SEATS, TICKET, UPDATE

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


SAID = message("Game {game} is disputed: the referee settles it. Play on.", game=2)


@pytest.mark.parametrize(
    ("update", "shown"),
    [
        (HubUpdate(1, 2, "Winter Open"), "None"),
        (HubUpdate(1, 2, "Winter Open", notice="Lunch"), "The hub says: Lunch"),
        (HubUpdate(1, 2, "Winter Open", notice="Lunch", said=LocalizedText.of(SAID)), str(SAID)),
    ],
)
def test_the_hubs_sentence_is_shown(update: HubUpdate, shown: str) -> None:
    """In parts where it told them, else in its own words."""
    assert str(notice_of(update)) == shown


FINISHED = {"g1": LocalGame("finished", 9)}


def at(sitting: SeatingUpdate | None, *games: TournamentGame) -> Attendance:
    """A table to which the hub said so."""
    return Attendance(TICKET, games, replace(UPDATE, sitting=sitting))


@pytest.mark.parametrize(
    ("sitting", "local", "number"),
    [
        (SEATING, {}, 1),
        (SEATING, {"g1": LocalGame("open", 3)}, 1),
        (SEATING, FINISHED, 2),  # the hub has not heard it yet
        (replace(SEATING, game=2), {}, 2),  # the director typed the first one's result
        (replace(SEATING, game=3), FINISHED, None),
        (replace(SEATING, rounds_phase="drawn"), {}, None),
        (replace(SEATING, rounds_phase="closed"), {}, None),
        (None, {}, None),
    ],
)
def test_the_next_game_is_the_first_that_neither_knows_played(
    sitting: SeatingUpdate | None, local: Local, number: int | None
) -> None:
    """A table that was cut off plays on, and nothing is played twice."""
    assert next_number(at(sitting, GAME), local) == number


def test_a_game_of_others_at_the_same_place_does_not_count() -> None:
    """A round that was taken back and drawn anew begins with its first game."""
    others = (SeatUpdate(1, "Eve"), SeatUpdate(2, "Fay"))
    assert next_number(at(replace(SEATING, seats=others), GAME), FINISHED) == 1


NEW = replace(GAME, game_id="1-5-1")
SWAPPED = replace(NEW, players=("Ben", "Anna"), entrants=(3, 7))


@pytest.mark.parametrize(
    ("sitting", "known", "local", "game"),
    [
        (SEATING, (), {}, NEW),  # with the names, seats and rules of the event
        (SEATING, (GAME,), {}, GAME),  # one that was planned keeps its id
        (replace(SEATING, seats=SEATS[::-1]), (GAME,), {}, SWAPPED),  # not with other seats
        (SEATING, (GAME,), {"g1": LocalGame("open", 2)}, None),  # it is being played
        # it was closed: what was told of it stays true
        (SEATING, (GAME,), {"g1": LocalGame("abandoned", 2)}, NEW),
    ],
)
def test_a_game_is_planned_once(
    sitting: SeatingUpdate,
    known: tuple[TournamentGame, ...],
    local: Local,
    game: TournamentGame | None,
) -> None:
    """It is another one where the seats were swapped, or the first was closed."""

    def new_id(*place: int) -> str:
        return "-".join(map(str, place))

    assert planned(at(sitting, *known), 1, local, new_id) == game


def test_two_of_one_name_are_told_apart() -> None:
    """The entry number stands behind the name, however long that is."""
    seats = (SeatUpdate(7, "Anna"), SeatUpdate(3, "Ben"), SeatUpdate(12, "Anna"))
    assert seat_names(seats) == ("Anna (7)", "Ben", "Anna (12)")
    long = tuple(SeatUpdate(number, "A" * 60) for number in (1, 999_999))
    assert [len(name) for name in seat_names(long)] == [60, 60]


def test_what_cannot_be_played_here_is_said() -> None:
    """No rulebook, too many players, or rules that the game does not have."""
    assert obstacle(SEATING) is None
    assert "does not know this game" in str(obstacle(replace(SEATING, rulebook="")))
    alone = replace(SEATING, rulebook="rummikub", seats=SEATS[:1])
    assert "not for 1 players" in str(obstacle(alone))
    strange = replace(SEATING, options={"sneezing": "allowed"})
    assert "sneezing" in str(obstacle(strange))
