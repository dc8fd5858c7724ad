"""What a followed game asks of its tournament: the next order that is still to be given for it."""

from __future__ import annotations

from typing import Final

from scoreboard.hub.followed import Followed
from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.deciding import decide
from scoreboard.tournament.draw import TableSeats
from scoreboard.tournament.orders import Dispute, ReportResult, Sign
from scoreboard.tournament.refusal import RefusedOrderError
from scoreboard.tournament.table_result import GameScores, Score
from scoreboard.tournament.tournament import Tournament
from scoreboard.tournament.tournament_round import Reported, Round
from scoreboard.wire.told import DisputedBy, Opened, SignedBy

Claim = ReportResult | Sign | Dispute
NO_REASON: Final = "no reason given"


def next_claim(state: Tournament, table: int, followed: Followed) -> Claim | None:
    """The order that a table's game still asks for, None where everything is said.

    It asks anew as long as the order was not carried out, and never again afterwards: whoever was
    killed between keeping items and giving orders asks again at the next start. A result that
    officials decided is theirs, and the game has nothing to say to it.
    """
    opened = followed.opened
    if opened is None or followed.outcome is None or misplaced(state, table, opened):
        return None
    played = state.rounds[opened.round - 1]
    reported = played.results.get((opened.table, opened.number))
    scores = _scores(followed, opened, played)
    if scores is None:
        return None
    if reported is None:
        return ReportResult(opened.round, opened.table, opened.number, scores)
    if reported.phase in {"disputed", "settled"}:
        return None
    if set(scores) != set(reported.result.scores):
        return _contradiction(opened, reported, scores)
    return _voice(followed, opened, reported)


def obstacle(state: Tournament, table: int, followed: Followed) -> Phrase | None:
    """What keeps a table's game from the event as it stands, None where nothing does."""
    if followed.fault is not None:
        return followed.fault
    if followed.opened is None:
        return None
    if problem := misplaced(state, table, followed.opened):
        return problem
    claim = next_claim(state, table, followed)
    try:
        _ = None if claim is None else decide(state, claim)
    except RefusedOrderError as error:
        return error.phrase
    return None


def misplaced(state: Tournament, table: int, opened: Opened) -> Phrase | None:
    """Why a table's game has no place in the event as it stands, None where it has one."""
    if opened.table != table:
        return phrase("A game of table {table} was delivered by another.", table=opened.table)
    if opened.round > len(state.rounds):
        return phrase("Round {round} is not drawn.", round=opened.round)
    seated = state.rounds[opened.round - 1].table(table)
    if seated is None:
        return phrase("Round {round} has no table {table}.", round=opened.round, table=table)
    if not set(opened.entrants) <= set(seated.seats):
        return phrase(
            "Game {game} of round {round} was played by others than sit at the table now.",
            game=opened.number,
            round=opened.round,
        )
    return None


def _scores(followed: Followed, opened: Opened, played: Round) -> GameScores | None:
    """What everyone scored, who did not sit down as a no-show; None before the end."""
    outcome, table = followed.outcome, played.table(opened.table)
    if outcome is None or table is None:
        return None
    points = {place.player: place.points for place in outcome.ranking}
    scored = {
        entrant: Score(entrant, points[player])
        for entrant, player in zip(opened.entrants, opened.players, strict=True)
    }
    return GameScores(_in_seat_order(table, scored))


def _in_seat_order(table: TableSeats, scored: dict[int, Score]) -> tuple[Score, ...]:
    return tuple(scored.get(seat, Score(seat, fate="no-show")) for seat in table.seats)


def _contradiction(opened: Opened, reported: Reported, scores: GameScores) -> Dispute:
    """Two results of one game: the referee decides, and is told both."""
    why = phrase(
        "The hub has {reported}; the table's sheet says {scores}.",
        reported=str(reported.result.scores),
        scores=str(scores),
    )
    return Dispute(opened.round, opened.table, opened.number, opened.entrants[0], str(why))


def _voice(followed: Followed, opened: Opened, reported: Reported) -> Sign | Dispute | None:
    """The first signature or objection that the hub has not carried out yet."""
    slot = opened.round, opened.table, opened.number
    for voice in followed.voices:
        match voice:
            case SignedBy(entrant) if entrant in reported.signers - reported.signed:
                return Sign(*slot, entrant)
            case DisputedBy(entrant, why) if entrant in opened.entrants:
                return Dispute(*slot, entrant, why.strip() or NO_REASON)
    return None
