"""What a followed game asks of its tournament: the next order that is still to be given for it."""

from __future__ import annotations

from typing import Final

from scoreboard.game import Outcome
from scoreboard.games import GAMES
from scoreboard.hub.followed import Followed
from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.deciding import decide
from scoreboard.tournament.orders import Dispute, ReportResult, Sign, TakeResultBack
from scoreboard.tournament.refusal import RefusedOrderError
from scoreboard.tournament.table_result import GameScores, Score
from scoreboard.tournament.tournament import Tournament
from scoreboard.tournament.tournament_round import THE_HUB, Reported
from scoreboard.wire.told import DisputedBy, Opened, SignedBy

Claim = ReportResult | TakeResultBack | Sign | Dispute
NO_REASON: Final = "no reason given"


def next_claim(state: Tournament, table: int, followed: Followed) -> Claim | None:
    """The order that a table's game still asks for, None where everything is said.

    It asks anew as long as the order was not carried out, and never again afterwards: whoever was
    killed between keeping items and giving orders asks again at the next start. A result that
    officials decided is theirs, and the game has nothing to say to it.
    """
    opened = followed.opened
    if opened is None or not followed.has_ended or misplaced(state, table, opened):
        return None
    reported = state.rounds[opened.round - 1].results.get((opened.table, opened.number))
    if reported is not None and (reported.request or reported.phase in {"disputed", "settled"}):
        return None
    seats = _seats(state, opened)
    scores = None if followed.outcome is None else _scores(opened, seats, followed.outcome)
    if reported is None:
        return None if scores is None else ReportResult(*_slot(opened), scores)
    if scores is not None and set(scores) == set(reported.result.scores):
        return _voice(followed, opened, reported)
    if _is_retracted(followed, opened, seats, reported):
        return TakeResultBack(*_slot(opened))
    return None if scores is None else _contradiction(opened, reported, scores)


def obstacle(state: Tournament, table: int, followed: Followed) -> Phrase | None:
    """What keeps a table's game from the event as it stands, None where nothing does."""
    if followed.fault is not None:
        return followed.fault
    if followed.opened is None:
        return None
    if problem := misplaced(state, table, followed.opened):
        return problem
    if followed.violation is not None and not _is_settled(state, followed.opened):
        return followed.violation
    claim = next_claim(state, table, followed)
    try:
        _ = None if claim is None else decide(state, claim)
    except RefusedOrderError as error:
        return error.phrase
    return None


def _is_settled(state: Tournament, opened: Opened) -> bool:
    """Whether the referee decided the result of a game, whatever is wrong with it."""
    reported = state.rounds[opened.round - 1].results.get((opened.table, opened.number))
    return reported is not None and reported.phase == "settled"


def misplaced(state: Tournament, table: int, opened: Opened) -> Phrase | None:
    """Why a table's game has no place in the event as it stands, None where it has one."""
    if opened.table != table:
        return phrase("A game of table {table} was delivered by another.", table=opened.table)
    if opened.game != state.format.game:
        return phrase(
            "This event is played with {rulebook}, not with {other}: report the result by hand.",
            rulebook=GAMES[state.format.game].title,
            other=GAMES[opened.game].title,
        )
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


def _slot(opened: Opened) -> tuple[int, int, int]:
    return opened.round, opened.table, opened.number


def _seats(state: Tournament, opened: Opened) -> tuple[int, ...]:
    table = state.rounds[opened.round - 1].table(opened.table)
    return () if table is None else table.seats


def _scores(opened: Opened, seats: tuple[int, ...], outcome: Outcome) -> GameScores:
    """What everyone scored in seat order; who did not sit down is a no-show."""
    points = {place.player: place.points for place in outcome.ranking}
    scored = {
        entrant: Score(entrant, points[player])
        for entrant, player in zip(opened.entrants, opened.players, strict=True)
    }
    return GameScores(tuple(scored.get(seat, Score(seat, fate="no-show")) for seat in seats))


def _is_retracted(
    followed: Followed, opened: Opened, seats: tuple[int, ...], reported: Reported
) -> bool:
    """Whether the result was this game's before its table took the last move back, unsigned."""
    if reported.signed:
        return False
    ends = (_scores(opened, seats, outcome) for outcome in followed.retracted)
    return any(set(each) == set(reported.result.scores) for each in ends)


def _contradiction(opened: Opened, reported: Reported, scores: GameScores) -> Dispute:
    """Two results of one game: the referee decides, and is told both."""
    why = phrase(
        "The hub has {reported}; the table's sheet says {scores}.",
        reported=str(reported.result.scores),
        scores=str(scores),
    )
    return Dispute(*_slot(opened), THE_HUB, str(why))


def _voice(followed: Followed, opened: Opened, reported: Reported) -> Sign | Dispute | None:
    """The first signature or objection that the hub has not carried out yet.

    Nobody signs what goes against the rulebook: the hub objects before anybody else.
    """
    if followed.violation is not None:
        return Dispute(*_slot(opened), THE_HUB, str(followed.violation))
    for voice in followed.voices:
        match voice:
            case SignedBy(entrant) if entrant in reported.signers - reported.signed:
                return Sign(*_slot(opened), entrant)
            case DisputedBy(entrant, why) if entrant in opened.entrants:
                return Dispute(*_slot(opened), entrant, why.strip() or NO_REASON)
    return None
