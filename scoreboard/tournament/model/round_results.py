"""What a round brought to each who sat in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.points import total
from scoreboard.tournament.model.result_table import SeatResult
from scoreboard.tournament.model.scoring import is_complete, round_points
from scoreboard.tournament.model.table_result import GameResult
from scoreboard.tournament.model.tournament_format import TournamentFormat
from scoreboard.tournament.model.tournament_round import Round


def round_sittings(form: TournamentFormat, played: Round) -> Mapping[int, SeatResult]:
    """The sitting of everyone who sat in the round, as far as its results count so far.

    A match that is not over brings nothing yet where matches are what counts, a bye at tables
    nothing before the round is closed.
    """
    return dict(_sittings(form, played))


def _sittings(form: TournamentFormat, played: Round) -> Iterator[tuple[int, SeatResult]]:
    games = played.games_by_table
    for table in played.draw.tables:
        if table.number in games:
            yield from _table_sittings(form, played, table, games[table.number])
    if played.phase == "closed" or form.reckoning == "wins":
        for each in played.draw.byes:
            wins = 1 if form.reckoning == "wins" else 0
            yield each, SeatResult(played.number, (), form.bye, wins, meeting=played.meeting)


def _table_sittings(
    form: TournamentFormat, played: Round, table: TableSeats, games: tuple[GameResult, ...]
) -> Iterator[tuple[int, SeatResult]]:
    """What a table's games brought each; every game's awards stand in seat order."""
    matches = form.reckoning == "wins"
    if matches and not is_complete(form, len(table.seats), played.games, games):
        return
    brought = round_points(form, games) if matches else {}
    seats, number, meeting = table.seats, played.number, played.meeting
    for place, awards in enumerate(zip(*(game.awards for game in games), strict=True)):
        entrant = awards[0].score.entrant
        yield (
            entrant,
            SeatResult(
                number,
                seats[:place] + seats[place + 1 :],
                brought[entrant] if matches else total([award.points for award in awards]),
                total([award.won for award in awards]),
                tuple([award.score.score for award in awards if award.score.fate == "played"]),
                sum([award.score.score for award in awards]),
                meeting,
            ),
        )
