"""Signatures, disputes and penalties: what players sign and dispute, and what a referee decides."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, get_args

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.tournament.model.authority import OFFICIALS, Attributed, refused
from scoreboard.tournament.model.entries import entered
from scoreboard.tournament.model.results import (
    GameCommand,
    GameEvent,
    ResultCorrected,
    scores_message,
)
from scoreboard.tournament.model.scores import GameScores, read_points, shown_points, write_points
from scoreboard.tournament.model.tournament import (
    THE_HUB,
    Command,
    Event,
    Objection,
    Penalty,
    PenaltyKind,
    Reported,
    Tournament,
)

PENALTIES: Final[tuple[PenaltyKind, ...]] = get_args(PenaltyKind)
PENALTY_WORDS: Final = {
    "warning": message("warning"),
    "points": message("points off"),
    "game": message("loss of a game"),
    "disqualification": message("disqualified"),
}
_CONTRADICTION: Final = re.compile(r"The hub has (.+); the table's sheet says (.+)\.")


class Sign(GameCommand):
    """An entrant agrees to a reported result."""

    entrant: int

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        reported = self.reported(state)
        _require_signer(state, reported, self.entrant)
        if reported.phase == "disputed":
            raise refused("This result is disputed: the referee has to settle it first.")
        if self.entrant in reported.signed:
            raise refused("{name} has signed already.", name=state.names[self.entrant])
        return (Signed(self.round, self.table, self.game, self.entrant),)


class Signed(GameEvent):
    """An entrant agreed to a result."""

    entrant: int

    def apply(self, state: Tournament) -> Tournament:
        reported = self.reported(state)
        return self.with_result(state, replace(reported, signed=reported.signed | {self.entrant}))

    def sentence(self, state: Tournament) -> Message:
        return message("{name} signed.", name=state.named(self.entrant))


class Dispute(GameCommand):
    """An entrant disagrees, or the hub does (THE_HUB).

    While the round is open the result is pending until the referee settles it. Once it is closed,
    or one of the table was called to the next match, this asks the referee to look again, and the
    result counts meanwhile: others build on it, so one player's objection does not remove it.
    """

    entrant: int
    why: str

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        reported = self.reported(state)
        if self.entrant not in {THE_HUB, *reported.result.scores.entrants}:
            _require_signer(state, reported, self.entrant)
        if reported.phase in {"disputed", "settled"} or reported.request is not None:
            raise refused("This result is in the referee's hands already: speak to the referee.")
        if not self.why.strip():
            raise refused("Say what is wrong with the result, in a few words.")
        played, table = self.place(state)
        later = {each for played in state.rounds[self.round :] for each in played.draw.entrants}
        built_on = played.phase == "closed" or later.intersection(table.seats)
        kind = ReviewRequested if built_on else Disputed
        return (kind(self.round, self.table, self.game, self.entrant, self.why),)


class Disputed(GameEvent):
    """An entrant, or the hub, disagreed; older hubs recorded it of closed rounds too."""

    entrant: int
    why: str

    @property
    def objection(self) -> Objection:
        """The objector and the reason."""
        return Objection(self.entrant, self.why)

    def apply(self, state: Tournament) -> Tournament:
        return self.with_result(state, replace(self.reported(state), objection=self.objection))

    def sentence(self, state: Tournament) -> Message:
        return objection_message(state, self.objection)


class ReviewRequested(Disputed):
    """The referee was asked to look again at a result of a closed round, which still counts."""

    def apply(self, state: Tournament) -> Tournament:
        return self.with_result(state, replace(self.reported(state), request=self.objection))

    def sentence(self, state: Tournament) -> Message:
        asked = objection_message(state, self.objection)
        return message("the referee is asked to look again: {asked}", asked=asked)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two results of one game: the hub's, which was signed, and the table's sheet.

    Its text is stored in the event, in notation; people read it with names, in their language.
    """

    reported: GameScores
    sheet: GameScores

    @classmethod
    def parse(cls, why: str) -> Contradiction | None:
        """The contradiction in the hub's reason, None for another reason."""
        found = _CONTRADICTION.fullmatch(why)
        if found is None:
            return None
        try:
            return cls(GameScores.parse(found[1]), GameScores.parse(found[2]))
        except NotationError:
            return None

    def __str__(self) -> str:
        return f"The hub has {self.reported}; the table's sheet says {self.sheet}."


def objection_message(state: Tournament, objection: Objection) -> Message:
    """The objector to a result, and the reason."""
    if objection.entrant == THE_HUB:
        contradiction = Contradiction.parse(objection.why)
        if contradiction is None:
            return message("the hub disagrees: “{why}”", why=objection.why)
        why = message(
            "The hub has {reported}; the table's sheet says {scores}.",
            reported=scores_message(state, contradiction.reported),
            scores=scores_message(state, contradiction.sheet),
        )
        return message("the hub disagrees: “{why}”", why=why)
    name = state.named(objection.entrant)
    return message("{name} disagrees: “{why}”", name=name, why=objection.why)


def _require_signer(state: Tournament, reported: Reported, number: int) -> None:
    if number not in reported.signers:
        raise refused("{name} did not play this game.", name=entered(state, number).name)


class UpholdResult(GameCommand, Attributed):
    """The referee looked again, as was asked: the result is upheld."""

    roles = OFFICIALS

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        if self.reported(state).request is None:
            raise refused("Nobody asks for another look at this result: it stands.")
        return (ResultUpheld(self.round, self.table, self.game, **self.attribution),)


class ResultUpheld(GameEvent, Attributed):
    """The referee looked again, as was asked, and upheld the result."""

    def apply(self, state: Tournament) -> Tournament:
        return self.with_result(state, replace(self.reported(state), request=None, settled=True))

    def sentence(self, state: Tournament) -> Message:
        return message("the referee looked again, and the result stands.")


class Settle(GameCommand, Attributed):
    """The referee decides a disputed result."""

    roles = OFFICIALS

    scores: GameScores

    def decide(self, state: Tournament) -> tuple[Event, ...]:
        reported = self.reported(state)
        if reported.phase != "disputed":
            raise refused("Nobody disputes this result: correct it instead.")
        result, was = self.awarded(state, self.scores), reported.result
        return (Settled(self.round, self.table, self.game, was, result, **self.attribution),)


class Settled(ResultCorrected):
    """The referee decided a disputed result."""

    def sentence(self, state: Tournament) -> Message:
        return message(
            "the referee decided: {scores}.", scores=scores_message(state, self.result.scores)
        )


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
            raise refused("A penalty in points takes more than 0, and no other takes any.")
        if self.penalty == "disqualification" and self.entrant in state.disqualified:
            raise refused("{name} is disqualified already.", name=name)
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
            raise refused("This penalty was taken back already.")
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
