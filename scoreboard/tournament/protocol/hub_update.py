"""The messages of a table and its hub, except items of games, as values."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Annotated

from msgspec import Meta

from scoreboard.errors import NotationError
from scoreboard.message import Message
from scoreboard.table.tournament_view import ResultPhase
from scoreboard.tournament.model.scores import GameScores
from scoreboard.tournament.model.tournament import RoundPhase
from scoreboard.tournament.protocol.documents import (
    LARGEST_SEQUENCE,
    LONGEST_SENTENCE,
    MOST_GAMES,
    MOST_SEATS,
    Code,
    Count,
    GameId,
    Name,
    Number,
    Token,
    WireError,
    Words,
)
from scoreboard.tournament.protocol.items import StoredItems


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """A message for the reader's language on a device: English with gaps, and their values.

    A value may be such a text itself. Raises WireError if a gap has no value, or is more than a
    name, so not of our making.
    """

    template: Annotated[str, Meta(min_length=1, max_length=LONGEST_SENTENCE)]
    values: Mapping[Name, str | int | float | LocalizedText] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(gap not in self.values for gap in _gaps(self.template)):
            raise WireError.worded(
                "A gap of a sentence is not filled: {sentence}", sentence=self.template
            )

    @classmethod
    def of(cls, text: Message) -> LocalizedText:
        values = {
            name: cls.of(value) if isinstance(value, Message) else value
            for name, value in text.values
        }
        return cls(text.template, values)

    @property
    def message(self) -> Message:
        values = {
            name: value.message if isinstance(value, LocalizedText) else value
            for name, value in self.values.items()
        }
        return Message(self.template, tuple(sorted(values.items())))


def _gaps(template: str) -> Iterator[str]:
    """The names of the gaps; a gap with a conversion or format is not the name of a value."""
    try:
        for _, name, spec, conversion in Formatter().parse(template):
            if name is not None:
                yield name if not spec and not conversion and name.isidentifier() else ""
    except ValueError as error:
        raise WireError.worded(
            "The gaps of a sentence cannot be read: {sentence}", sentence=template
        ) from error


@dataclass(frozen=True, slots=True)
class ResultUpdate:
    """The hub's version of a result of this table.

    `scores` are in the notation of `GameScores` (`4 52, 7 -12`), else WireError; `signed` are the
    entrants who agreed so far. `replaceable`: the table may still send another one.
    """

    round: Number
    game: Number
    phase: ResultPhase
    scores: Words
    signed: tuple[Number, ...] = ()
    replaceable: bool = False

    def __post_init__(self) -> None:
        _ = self.game_scores  # refused where they are none

    @property
    def game_scores(self) -> GameScores:
        """The scores as values."""
        try:
            return GameScores.parse(self.scores)
        except NotationError as error:
            raise WireError(error.message) from error


@dataclass(frozen=True, slots=True)
class SeatUpdate:
    """One seat: its entry number and name."""

    entrant: Number
    name: Name


@dataclass(frozen=True, slots=True)
class SeatingUpdate:
    """A table in a round.

    `game` is the next one, from 1, of `games` in the round; above `games` all are played.
    `rulebook` is a name in `scoreboard.games.GAMES`, empty if Tablescore has no rulebook of the
    game; `options` are its house rules. `seats` are in seating order: the first begins.
    """

    round: Number
    rounds_phase: RoundPhase
    game: Number
    games: Number
    rulebook: str
    options: Mapping[str, str] = field(default_factory=dict)
    seats: Annotated[tuple[SeatUpdate, ...], Meta(max_length=MOST_SEATS)] = ()

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entry numbers of the players, in seating order."""
        return tuple(seat.entrant for seat in self.seats)


@dataclass(frozen=True, slots=True)
class MessageUpdate:
    """A message of the director to everybody or to this table, until it is taken away."""

    number: Number
    text: Words


@dataclass(frozen=True, slots=True)
class ClockUpdate:
    """The round's clock: seconds left at the answer, below 0 in overtime; it may be stopped."""

    left: Annotated[int, Meta(ge=-LARGEST_SEQUENCE, le=LARGEST_SEQUENCE)]
    running: bool


@dataclass(frozen=True, slots=True)
class Greeting:
    """A table is there, with all its games of the tournament, each with its last sequence.

    `heard` is the version of its last update, 0 for none. `acknowledged` is the sequence up to
    which the hub acknowledged each game: one restored from a copy may lack some.
    """

    games: Annotated[Mapping[GameId, Count], Meta(max_length=MOST_GAMES)]
    heard: Count = 0
    acknowledged: Annotated[Mapping[GameId, Count], Meta(max_length=MOST_GAMES)] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True)
class HubUpdate:
    """Everything that a table has to know, as of `version`; a later update replaces an earlier.

    `place` is the table's number and `title` the tournament's; `sitting` is None while no player is
    seated there. `results` are those of the table in this round; `wanted` is what the hub has of
    each incomplete game. `notice` is a sentence for the players in English, or empty, and `said`
    the same in parts, for a table in another language. `messages` are the director's, newest first,
    and come and go under one version; `clock` is the round's, or None. `life` changes with each
    start of the hub, which may have been restored from a copy; empty from an older hub.
    """

    version: Count
    place: Number
    title: str
    sitting: SeatingUpdate | None = None
    results: tuple[ResultUpdate, ...] = ()
    wanted: Mapping[GameId, StoredItems] = field(default_factory=dict)
    notice: Words = ""
    said: LocalizedText | None = None
    messages: tuple[MessageUpdate, ...] = ()
    clock: ClockUpdate | None = None
    life: Words = ""

    @property
    def message_numbers(self) -> tuple[int, ...]:
        """The messages that the table has by this update."""
        return tuple(each.number for each in self.messages)


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal: the kind of fault, and a sentence for people.

    `message` is the sentence in English, or empty, `said` the same in parts.
    """

    error: str
    message: Words = ""
    said: LocalizedText | None = None


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A table wants to join.

    `code` is the director's, `table` the table's name for itself, and `token` its own secret, by
    which it is known from then on. The same request may be sent again until it is answered.
    """

    code: Code
    table: Name
    token: Token


@dataclass(frozen=True, slots=True)
class Joined:
    """The table has joined: the tournament, and the table's number there (`place`)."""

    tournament_id: Name
    title: str
    place: Number


@dataclass(frozen=True, slots=True)
class Challenge:
    """A table that lost its hub challenges this one, before it shows its token.

    `nonce` is drawn for this challenge alone.
    """

    tournament_id: Name
    place: Number
    nonce: Token


@dataclass(frozen=True, slots=True)
class Proof:
    """The value of `proof_of` for each token of the place that the hub knows."""

    proofs: tuple[str, ...]


def proof_of(token_sha256: str, nonce: str, host: str) -> str:
    """The answer to a challenge, which needs the token's SHA-256 (in hexadecimal digits).

    It is good for the `host`, with its port, that the table asked: a machine that passes a
    challenge on to the hub has another.
    """
    return hmac.digest(token_sha256.encode(), f"{nonce} {host}".encode(), "sha256").hex()
