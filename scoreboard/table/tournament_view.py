"""The tournament that a table takes part in, as the table shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from scoreboard.message import Message

SignatureStatus = Literal["open", "signed", "disputed"]
ResultPhase = Literal["reported", "signed", "disputed", "settled"]
Fate = Literal["played", "forfeit", "no-show"]


@dataclass(frozen=True, slots=True)
class DueGame:
    """Game `number` of `games` in the round, which one press begins; `players` in seat order."""

    game_id: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    round: int
    number: int
    games: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The entered result of one seat; 0 unless the game was played to its end."""

    score: int = 0
    fate: Fate = "played"


@dataclass(frozen=True, slots=True)
class Signature:
    """A player's answer to a result; `score` is their own, if entered without the moves."""

    entrant: int
    player: str
    status: SignatureStatus = "open"
    score: SeatScore | None = None


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """A finished game and its signatures; `phase` is the hub's.

    `settled` are the scores decided by the referee, by entrant, which may differ from the table's
    sheet; entrants without a score in the settled result are left out. `replaceable`: the hub still
    takes another result, even in place of one that it disputes.
    """

    game_id: str
    round: int
    number: int
    signatures: tuple[Signature, ...]
    phase: ResultPhase | Literal[""] = ""
    settled: Mapping[int, int] = field(default_factory=dict)
    replaceable: bool = False

    @property
    def unsigned(self) -> tuple[int, ...]:
        """The players who have not answered yet; none, once it is signed or settled."""
        if self.phase in {"signed", "settled"}:
            return ()
        asked = (one for one in self.signatures if one.score is None or one.score.fate == "played")
        return tuple(each.entrant for each in asked if each.status == "open")

    @property
    def is_entered(self) -> bool:
        """Whether people entered it, without the moves."""
        return any(each.score is not None for each in self.signatures)

    @property
    def is_disputed(self) -> bool:
        """Whether it waits for the referee."""
        objected = any(each.status == "disputed" for each in self.signatures)
        return self.phase == "disputed" or (objected and self.phase != "settled")


@dataclass(frozen=True, slots=True)
class LinkStanding:
    """The link to the hub: cut off `since`, `waiting` items unsent, a `fault` for people to fix."""

    connected: bool = False
    since: datetime | None = None
    waiting: int = 0
    fault: Message | None = None


@dataclass(frozen=True, slots=True)
class DirectorMessage:
    """A message of the director; `number` names it."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ShownRoundClock:
    """The time left in the round.

    A running clock reaches 0 at `ends_at`, in seconds of this device's own stopwatch
    (`time.monotonic`); a stopped one has None there and `left` seconds, below 0 in overtime.
    """

    left: int
    ends_at: float | None = None


@dataclass(frozen=True, slots=True)
class TournamentView:
    """Everything that the table shows of its tournament.

    `place` is the table's number there; `round` is None while no player is seated here, `phase` is
    the round's, and `players` are those seated. `due` is the game that one press begins, or None;
    `obstacle` is the reason the next game cannot be played here; `coming` is the next game either
    way, as an unknown result. `results` are this round's, in order; `games` the ids of all games of
    the event, `notice` the hub's message to the players, or None. `messages` are the director's
    that were not dismissed here, newest first; `time` is the round's clock, or None.
    """

    title: str
    place: int
    address: str
    round: int | None = None
    phase: str = ""
    players: tuple[str, ...] = ()
    due: DueGame | None = None
    obstacle: Message | None = None
    coming: TournamentResult | None = None
    results: tuple[TournamentResult, ...] = ()
    games: frozenset[str] = frozenset()
    link: LinkStanding = field(default_factory=LinkStanding)
    notice: Message | None = None
    messages: tuple[DirectorMessage, ...] = ()
    time: ShownRoundClock | None = None

    def has_passed(self, game_id: str | None) -> bool:
        """Whether that game is obsolete: the director entered its result."""
        known = game_id in self.games and self.result(game_id) is None
        return known and self.due is not None and self.due.game_id != game_id

    def enterable(self, game_id: str | None) -> TournamentResult | None:
        """The result of that game if people may enter it now: for the first time, or again."""
        if self.coming is not None and self.coming.game_id == game_id:
            return self.coming
        result = self.result(game_id)
        if result is None or not result.is_entered:
            return None
        if not result.replaceable and result.phase not in {"", "reported"}:
            return None
        return result if all(each.status == "open" for each in result.signatures) else None

    def result(self, game_id: str | None) -> TournamentResult | None:
        """The result of that game, None if it is not of this round."""
        return next((each for each in self.results if each.game_id == game_id), None)
