"""Deliveries of tables: stored, replayed, and turned into commands."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Outcome
from scoreboard.message import Message, message
from scoreboard.tournament.hub.admission import TableSeat
from scoreboard.tournament.hub.replay import GameReplays, OpeningItem, ReplayedGame
from scoreboard.tournament.hub.table_updates import odd_scores
from scoreboard.tournament.hub.tournament_service import TournamentService, table_actor
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import Contradiction, Dispute, Sign
from scoreboard.tournament.model.results import ReportResult, TakeResultBack
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.tournament import THE_HUB, Reported, Tournament, decide
from scoreboard.tournament.protocol import items as protocol
from scoreboard.tournament.storage.deliveries import SqlDeliveries

LOG: Final = logging.getLogger(__name__)
End = Outcome | protocol.ResultAlone
DerivedCommand = ReportResult | TakeResultBack | Sign | Dispute
NO_REASON: Final = "no reason given"


def next_command(state: Tournament, table: int, replay: ReplayedGame) -> DerivedCommand | None:
    """The next command that follows from a table's game, or None.

    A command follows until it was carried out, and never again: a hub that was killed between
    storing items and giving commands gives them at its next start. No command follows for a result
    that officials decide; one that only the hub objects to may still be taken back.
    """
    opened = replay.opened
    if opened is None or not replay.has_ended or misplaced(state, table, opened):
        return None
    reported = state.rounds[opened.round - 1].results.get((opened.table, opened.number))
    decided = reported is not None and (
        reported.request or reported.phase in {"disputed", "settled"}
    )
    if reported is not None and decided and not reported.is_replaceable:
        return None
    seated = state.rounds[opened.round - 1].table(opened.table)
    seats = () if seated is None else seated.seats
    scores = None if replay.outcome is None else _scores(opened, seats, replay.outcome)
    if reported is None:
        return None if scores is None else ReportResult(*_slot(opened), scores)
    if scores is not None and set(scores) == set(reported.result.scores):
        return None if decided else _next_answer(state, replay, opened, reported)
    if _is_retracted(replay, opened, seats, reported):
        return TakeResultBack(*_slot(opened))
    why = None if scores is None or decided else Contradiction(reported.result.scores, scores)
    # Two results of one game: the referee decides, and is shown both.
    return None if why is None else Dispute(*_slot(opened), THE_HUB, str(why))


def obstacle(state: Tournament, table: int, replay: ReplayedGame) -> Message | None:
    """The reason a table's game does not count in the tournament now, or None."""
    if replay.fault is not None:
        return replay.fault
    opened = replay.opened
    if opened is None:
        return None
    if problem := misplaced(state, table, opened):
        return problem
    reported = state.rounds[opened.round - 1].results.get((opened.table, opened.number))
    settled = reported is not None and reported.phase == "settled"
    violation = _violation(state, replay)
    if violation is not None and not settled:  # whatever is wrong with it, the referee decided
        return violation
    command = next_command(state, table, replay)
    try:
        _ = None if command is None else decide(state, command)
    except CommandRefusedError as error:
        return error.message
    return None


def misplaced(state: Tournament, table: int, opened: OpeningItem) -> Message | None:
    """The reason a table's game has no place in the tournament now, or None."""
    if opened.table != table:
        return message("A game of table {table} was delivered by another.", table=opened.table)
    if isinstance(opened, protocol.Opened) and opened.game != state.format.game:
        return message(
            "This event is played with {rulebook}, not with {other}: report the result by hand.",
            rulebook=GAMES[state.format.game].title,
            other=GAMES[opened.game].title,
        )
    if opened.round > len(state.rounds):
        return message("Round {round} is not drawn.", round=opened.round)
    seated = state.rounds[opened.round - 1].table(table)
    if seated is None:
        return message("Round {round} has no table {table}.", round=opened.round, table=table)
    if not set(opened.entrants) <= set(seated.seats):
        return message(
            "Game {game} of round {round} was played by others than sit at the table now.",
            game=opened.number,
            round=opened.round,
        )
    return None


def _slot(opened: OpeningItem) -> tuple[int, int, int]:
    return opened.round, opened.table, opened.number


def _scores(opened: OpeningItem, seats: tuple[int, ...], outcome: End) -> GameScores:
    """Everyone's score in seat order; absent entrants are no-shows."""
    scored: dict[int, Score] = {}
    if isinstance(outcome, protocol.ResultAlone):
        scored = {each.entrant: each for each in outcome.game_scores}
    elif isinstance(opened, protocol.Opened):
        points = {place.player: place.points for place in outcome.ranking}
        scored = {
            entrant: Score(entrant, points[player])
            for entrant, player in zip(opened.entrants, opened.players, strict=True)
        }
    return GameScores(tuple(scored.get(seat, Score(seat, fate="no-show")) for seat in seats))


def _is_retracted(
    replay: ReplayedGame, opened: OpeningItem, seats: tuple[int, ...], reported: Reported
) -> bool:
    """Whether the result was this game's before its table undid the last move, unsigned."""
    if not reported.is_replaceable:
        return False
    ends = (_scores(opened, seats, outcome) for outcome in replay.retracted)
    return any(set(each) == set(reported.result.scores) for each in ends)


def _violation(state: Tournament, replay: ReplayedGame) -> Message | None:
    """The rulebook's objection to a game; of a result without moves only whether it is possible."""
    if not isinstance(replay.outcome, protocol.ResultAlone):
        return replay.violation
    scores = replay.outcome.game_scores
    return next(odd_scores(state, scores, len(scores.entrants)), None)


def _next_answer(
    state: Tournament, replay: ReplayedGame, opened: OpeningItem, reported: Reported
) -> Sign | Dispute | None:
    """The first answer not carried out yet; before them the hub's objection by the rulebook."""
    violation = _violation(state, replay)
    if violation is not None:
        return Dispute(*_slot(opened), THE_HUB, str(violation))
    for answer in replay.answers:
        match answer:
            case protocol.SignedBy(entrant) if entrant in reported.signers - reported.signed:
                return Sign(*_slot(opened), entrant)
            case protocol.DisputedBy(entrant, why) if entrant in opened.entrants:
                return Dispute(*_slot(opened), entrant, why.strip() or NO_REASON)
    return None


class Ingestion:
    """Takes in the tables' deliveries. Safe for threads, and for processes on one store.

    Every item is on disk before anything follows from it. What a killed hub left undone is done
    when the table sends again, when the tables are shown, or at the next start. Every method raises
    StoreError if the store is away.
    """

    def __init__(self, deliveries: SqlDeliveries, service: TournamentService) -> None:
        self._deliveries = deliveries
        self._service = service
        self.replays = GameReplays(deliveries)

    def take(self, place: TableSeat, delivery: protocol.Delivery) -> protocol.Receipt:
        """Store new items, give what follows, return what is held. Raises ConflictError."""
        game_id, items = delivery.game_id, delivery.items
        try:
            held = self._deliveries.take(str(place), game_id, items)
        except protocol.DisputedDeliveryError as error:
            self.examine(place, game_id)
            numbers = sorted({each.sequence for each in error.disputes})
            return protocol.Receipt(error.held, tuple(numbers))
        self._settle(place, self.replays.caught_up(game_id, held.through, items))
        return protocol.Receipt(held)

    def examine(self, place: TableSeat, game_id: str, through: int | None = None) -> ReplayedGame:
        """Replay a table's game, at least as far as `through`, and give what follows from it."""
        replay = self.replays.caught_up(game_id, through)
        self._settle(place, replay)
        return replay

    def examine_all(self, tournament_id: str) -> None:
        """Examine the games of the current rounds: what a kill cut off is done at the start."""
        for played in self._service.snapshot(tournament_id).state.current_rounds:
            for table in played.draw.tables:
                self.examine_round(TableSeat(tournament_id, table.number), played.number)

    def examine_round(self, place: TableSeat, number: int) -> tuple[str, ...]:
        """Examine a table's games of a round, and return their ids, the first delivered first."""
        found: list[str] = []
        for game_id in reversed(self._deliveries.games_of(str(place))):
            opened = self.replays.opened(game_id)
            if opened is not None and opened.round < number:
                break
            self.replays.caught_up(game_id)
            found.append(game_id)
        self.settle(place, map(self.replays.known, found))
        return tuple(reversed(found))

    def settle(self, place: TableSeat, games: Iterable[ReplayedGame]) -> None:
        """Give the commands that follow from games, in order: one may have waited for another."""
        for replay in sorted(games, key=lambda game: game.number):
            snapshot = self._service.known(place.tournament_id, 0)
            if next_command(snapshot.state, place.table, replay) is not None:
                self._settle(place, replay)

    def _settle(self, place: TableSeat, replay: ReplayedGame) -> None:
        """Give command after command until none follows, or the same one was just refused."""
        if not replay.has_ended:
            return
        refused: DerivedCommand | None = None
        actor = table_actor(place.table)
        snapshot = self._service.known(place.tournament_id, 0)
        if next_command(snapshot.state, place.table, replay) is None:
            # Perhaps another process has kept more.
            snapshot = self._service.snapshot(place.tournament_id)
        while (command := next_command(snapshot.state, place.table, replay)) not in {None, refused}:
            try:
                snapshot = self._service.give_all(place.tournament_id, (command,), actor)
            except CommandRefusedError as error:
                LOG.info("Game %s at %s: %s", replay.game_id, place, error)
                refused, snapshot = command, self._service.snapshot(place.tournament_id)
