"""The game that comes next at this table, as far as hub and table know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from scoreboard.errors import RuleViolationError, UnknownGameError
from scoreboard.games.engine.game import Game, Outcome, Setup
from scoreboard.games.engine.transcript import is_abandoned, state_after
from scoreboard.message import Message, message
from scoreboard.players import LONGEST_NAME
from scoreboard.table.ports import EventStore
from scoreboard.table.view import TableView
from scoreboard.tournament.client.attendance import Attendance, EventGame
from scoreboard.tournament.protocol.hub_update import SeatingUpdate, SeatUpdate

Stage = Literal["open", "finished", "abandoned"]


Rulebooks = Mapping[str, Game[Any, Any, Any]]
FIRST_STARTS: Final = {"start": "first"}  # who sits first begins: nobody throws for it
NO_RULEBOOK: Final = message(
    "Tablescore does not know this game: play it as you do, and tell the director the result."
)


@dataclass(frozen=True, slots=True)
class LocalGame:
    """Where a game stands, how many events it has, and each player's points once it is over."""

    stage: Stage
    events: int
    points: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def shown(cls, view: TableView) -> LocalGame:
        """The game that the table shows."""
        stage: Stage = "open"
        if view.stage == "finished":
            stage = "finished"
        elif view.stage == "abandoned":
            stage = "abandoned"
        return cls(stage, view.sequence, _points(view.outcome))

    @classmethod
    def stored(
        cls, store: EventStore, game_id: str, rulebooks: Mapping[str, Game[Any, Any, Any]]
    ) -> LocalGame | None:
        """The game as the store has it, None where it was not begun.

        Raises:
            TranscriptError: it cannot be read.
            SchemaError: its rulebook is not known here.
            StoreError: the store cannot be read.
        """
        try:
            header, records = store.header(game_id), store.events(game_id)
        except UnknownGameError:
            return None
        if is_abandoned(records):
            return cls("abandoned", len(records))
        rulebook = rulebooks[header.game]
        outcome = rulebook.outcome(state_after(rulebook, header, records))
        stage: Stage = "open" if outcome is None else "finished"
        return cls(stage, len(records), _points(outcome))

    @classmethod
    def entered(cls, game: EventGame) -> LocalGame:
        """A game whose result was entered."""
        scores = zip(game.players, game.results[-1], strict=True)
        points = {player: each.score for player, each in scores if each.fate == "played"}
        return cls("finished", len(game.results), points)


def _points(outcome: Outcome | None) -> dict[str, int]:
    return {} if outcome is None else {place.player: place.points for place in outcome.ranking}


Local = Mapping[str, LocalGame]


def next_number(attendance: Attendance, local: Local) -> int | None:
    """The game of the round that is to be played now; None where none is.

    The hub may be behind (the table was cut off) or ahead (the director typed a result): what
    either knows to be played is not played again.
    """
    seating = None if attendance.word is None else attendance.word.sitting
    if seating is None or seating.rounds_phase != "running":
        return None
    finished = {
        game.number
        for game in games_of(attendance, seating)
        if game.game_id in local and local[game.game_id].stage == "finished"
    }
    ahead = range(seating.game, seating.games + 1)
    return next((number for number in ahead if number not in finished), None)


def games_of(attendance: Attendance, seating: SeatingUpdate) -> tuple[EventGame, ...]:
    """The games of this table's round that were planned for those who sit there now."""
    return tuple(
        game
        for game in attendance.games
        if game.round == seating.round and set(game.entrants) == set(seating.entrants)
    )


def planned(
    attendance: Attendance,
    number: int,
    local: Local,
    rulebook: Game[Any, Any, Any] | None,
    new_id: Callable[[int, int, int], str],
) -> EventGame | None:
    """Game `number` of the round as it is to be begun; None while it is being played.

    A game that was planned before is kept, unless it was put away or the seats have changed.
    `new_id` names a game by its round, table and number; where there is no `rulebook`, only its
    result can be entered.
    """
    update = attendance.word
    if update is None or update.sitting is None:
        return None
    seating = update.sitting
    fresh = EventGame(
        game_id="",
        game=seating.rulebook,
        round=seating.round,
        table=update.place,
        number=number,
        players=seat_names(seating.seats),
        entrants=seating.entrants,
        options=_options(seating, rulebook),
    )
    for game in games_of(attendance, seating):
        if game.number != number:
            continue
        if game.game_id not in local and game == replace(fresh, game_id=game.game_id):
            return game
        if game.game_id in local and local[game.game_id].stage == "open":
            return None
    return replace(fresh, game_id=new_id(fresh.round, fresh.table, number))


def obstacle(seating: SeatingUpdate, rulebooks: Rulebooks) -> Message | None:
    """Why the table cannot keep the score of this round, None where it can."""
    rulebook = rulebooks.get(seating.rulebook)
    if rulebook is None:
        return NO_RULEBOOK
    if len(seating.seats) not in rulebook.seats:
        return message(
            "{game} is not for {players} players: tell the director.",
            game=rulebook.title,
            players=len(seating.seats),
        )
    try:
        rulebook.start(Setup(seat_names(seating.seats), _options(seating, rulebook)))
    except RuleViolationError as error:
        return error.message
    return None


def seat_names(seats: Sequence[SeatUpdate]) -> tuple[str, ...]:
    """The names as a scoresheet takes them: of two alike, each with the entry number."""
    names = [seat.name for seat in seats]
    shown = []
    for seat in seats:
        number = "" if names.count(seat.name) == 1 else f" ({seat.entrant})"
        shown.append(seat.name[: LONGEST_NAME - len(number)] + number if number else seat.name)
    return tuple(shown)


def _options(seating: SeatingUpdate, rulebook: Game[Any, Any, Any] | None) -> dict[str, str]:
    """The event's house rules; where the players would throw for the start, the first begins."""
    options = () if rulebook is None else rulebook.options
    rolls = "start" in {option.name for option in options}
    return {**(FIRST_STARTS if rolls else {}), **seating.options}
