"""Penalties: a warning, points, a lost game, disqualification; each with its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, get_args

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import OFFICIALS, Attributed, CommandRefusedError
from scoreboard.tournament.model.entries import entered
from scoreboard.tournament.model.scores import read_points, shown_points, write_points
from scoreboard.tournament.model.tournament import Command, Event, Penalty, PenaltyKind, Tournament

PENALTIES: Final[tuple[PenaltyKind, ...]] = get_args(PenaltyKind)
PENALTY_WORDS: Final = {
    "warning": message("warning"),
    "points": message("points off"),
    "game": message("loss of a game"),
    "disqualification": message("disqualified"),
}


class AwardPenalty(Command, Attributed):
    """Penalise an entrant; `points` are taken off where the kind is "points", else 0.

    A lost game is only noted here: its result is corrected by a command of its own.
    """

    roles = OFFICIALS

    entrant: int
    penalty: str
    points: str = "0"

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        name, off = entered(state, self.entrant).name, read_points(self.points)
        if off < 0 or (off > 0) != (self.penalty == "points"):
            raise CommandRefusedError(
                message("A penalty in points takes more than 0, and no other takes any.")
            )
        if self.penalty == "disqualification" and self.entrant in state.disqualified:
            raise CommandRefusedError(message("{name} is disqualified already.", name=name))
        number, said = max(state.penalties, default=0) + 1, self.attribution
        given = (number, self.entrant, self.penalty, write_points(off), state.stage)
        return (PenaltyAwarded(*given, **said),)


class PenaltyAwarded(Event, Attributed):
    """An entrant was penalised in a stage; a disqualified one drops out, and is placed last."""

    number: int
    entrant: int
    penalty: str
    points: str
    stage: int

    def __post_init__(self) -> None:
        Attributed.__post_init__(self)
        if self.penalty not in PENALTIES:
            raise NotationError(message("“{text}” is no penalty.", text=self.penalty))
        read_points(self.points)

    def apply(self, state: Tournament) -> Tournament:
        kind = next(each for each in PENALTIES if each == self.penalty)
        given = Penalty(self.entrant, kind, read_points(self.points), self.stage, self.why)
        out = {self.entrant} if kind == "disqualification" else set()
        return replace(
            state, penalties={**state.penalties, self.number: given}, away=state.away | out
        )

    def describe(self, state: Tournament) -> Message:
        given = state.penalties[self.number]
        return message("{name}: {penalty}.", name=state.named(self.entrant), penalty=words(given))


class UndoPenalty(Command, Attributed):
    """Take a penalty back; a disqualified entrant plays again."""

    roles = OFFICIALS

    number: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if self.number not in state.penalties:
            raise CommandRefusedError(message("This penalty was taken back already."))
        entrant = state.penalties[self.number].entrant
        return (PenaltyUndone(self.number, entrant, **self.attribution),)


class PenaltyUndone(Event, Attributed):
    """A penalty was taken back."""

    number: int
    entrant: int

    def apply(self, state: Tournament) -> Tournament:
        was = state.penalties[self.number]
        left = {number: each for number, each in state.penalties.items() if number != self.number}
        back = {self.entrant} if was.kind == "disqualification" else set()
        return replace(state, penalties=left, away=state.away - back)

    def describe(self, state: Tournament) -> Message:
        return message("A penalty of {name} was taken back.", name=state.named(self.entrant))


def words(given: Penalty) -> Message:
    """A penalty in words, without its reason."""
    if given.kind == "points":
        return message("points off ({points})", points=shown_points(given.points))
    return PENALTY_WORDS[given.kind]


def penalty_message(given: Penalty) -> Message:
    """A penalty in words, with its reason."""
    return message("{penalty}: {why}", penalty=words(given), why=given.why)
