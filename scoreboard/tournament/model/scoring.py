"""What a finished game, a match, a bye and an absence award, by the settings of a format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scoreboard.message import message
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.points import Points, points, share
from scoreboard.tournament.model.refusal import RefusedOrderError
from scoreboard.tournament.model.table_result import Award, GameResult, GameScores, Score
from scoreboard.tournament.model.tournament_format import TournamentFormat

_DUEL = 2


def awarded(form: TournamentFormat, table: TableSeats, scores: GameScores) -> GameResult:
    """What a reported game awards to everyone at the table, in seat order.

    Whoever alone came is awarded the bye. By wins a game awards the part of the win itself, and
    the match is reckoned by `round_points`.

    Raises:
        RefusedOrderError: somebody's score is missing or not of this table, or the scores of a
            table of Rummikub do not add up to 0; the message names the sum.
    """
    _require_everyone(table, scores)
    in_order = tuple(sorted(scores, key=lambda each: table.seats.index(each.entrant)))
    played = [each for each in in_order if each.fate == "played"]
    if form.zero_sum and len(played) > 1:
        _require_zero_sum(table, played)
    brought = _played(form, played)
    return GameResult(tuple(_award(form, each, brought) for each in in_order))


def round_points(form: TournamentFormat, games: Sequence[GameResult]) -> Mapping[int, Points]:
    """What the games of a round at one table bring each entrant.

    By points and places the games are added. By wins the match is awarded: to who won more
    games, of equals to who scored more, else it is drawn among those who are level.
    """
    if form.reckoning == "wins":
        return _match(form, games)
    return summed((award.entrant, award.points) for game in games for award in game)


def games_won(games: Iterable[GameResult]) -> Mapping[int, Points]:
    """How many games each entrant won at a table, shared ones in part."""
    return summed((award.entrant, award.won) for game in games for award in game)


def scored(games: Iterable[GameResult]) -> Mapping[int, int]:
    """What each entrant's scores at a table add up to."""
    totals: dict[int, int] = {}
    for game in games:
        for award in game:
            totals[award.entrant] = totals.get(award.entrant, 0) + award.score.score
    return totals


def is_complete(
    form: TournamentFormat, seats: int, planned: int, games: Sequence[GameResult]
) -> bool:
    """Whether a table's round needs no further game: all are played, or a duel is decided."""
    if len(games) >= planned:
        return True
    if form.reckoning != "wins" or seats != _DUEL:
        return False
    return any(2 * won > planned for won in games_won(games).values())


def winners(games: Sequence[GameResult]) -> tuple[int, ...]:
    """Who won the match at a table by games and then by score; several where they are level."""
    won, score = games_won(games), scored(games)
    came = [each for each in won if _came(each, games)] or list(won)
    best = max((won[each], score[each]) for each in came)
    return tuple(each for each in came if (won[each], score[each]) == best)


def summed(pairs: Iterable[tuple[int, Points]]) -> Mapping[int, Points]:
    """The points of each entrant added up."""
    totals: dict[int, Points] = {}
    for entrant, brought in pairs:
        totals[entrant] = points(totals.get(entrant, 0) + brought)
    return totals


def _came(entrant: int, games: Sequence[GameResult]) -> bool:
    return any(
        award.entrant == entrant and award.score.fate == "played"
        for game in games
        for award in game
    )


def _match(form: TournamentFormat, games: Sequence[GameResult]) -> Mapping[int, Points]:
    best = winners(games)
    nobody = not any(_came(each, games) for each in best)
    top = form.loss if nobody else form.win if len(best) == 1 else form.draw
    return {each: top if each in best else form.loss for each in games_won(games)}


def _award(
    form: TournamentFormat, score: Score, brought: Mapping[int, tuple[Points, Points]]
) -> Award:
    if score.entrant in brought:
        return Award(score, *brought[score.entrant])
    if form.reckoning == "wins":
        return Award(score, 0)
    return Award(score, form.forfeit if score.fate == "forfeit" else form.no_show)


def _played(form: TournamentFormat, played: Sequence[Score]) -> Mapping[int, tuple[Points, Points]]:
    """Points and part of the win of each who played."""
    if not played:
        return {}
    best = max(each.score for each in played)
    won = share(1, sum(each.score == best for each in played))
    wins = {each.entrant: won if each.score == best else 0 for each in played}
    brought = _brought(form, played)
    return {
        each: (points(brought[each] + form.winner_bonus * wins[each]), wins[each])
        for each in brought
    }


def _brought(form: TournamentFormat, played: Sequence[Score]) -> Mapping[int, Points]:
    """Points before any bonus."""
    if form.reckoning == "wins":
        best = max(each.score for each in played)
        level = sum(each.score == best for each in played)
        return {each.entrant: share(1, level) if each.score == best else 0 for each in played}
    if len(played) == 1:
        return {played[0].entrant: form.bye}
    if form.reckoning == "places":
        return _place_points(form.place_points, played)
    least = -form.most_lost if form.most_lost else None
    return {
        each.entrant: each.score if least is None else max(each.score, least) for each in played
    }


def _place_points(scale: Sequence[int], played: Sequence[Score]) -> Mapping[int, Points]:
    """The points of the places, a shared place the average of those that it takes up."""
    brought: dict[int, Points] = {}
    for each in played:
        above = sum(other.score > each.score for other in played)
        level = sum(other.score == each.score for other in played)
        brought[each.entrant] = share(sum(scale[above : above + level]), level)
    return brought


def _require_everyone(table: TableSeats, scores: GameScores) -> None:
    missing = [each for each in table.seats if each not in scores.entrants]
    strangers = [each for each in scores.entrants if each not in table.seats]
    if missing:
        raise RefusedOrderError(
            message(
                "The score of entrant {entrant} is missing at table {table}: add it, or no-show.",
                entrant=missing[0],
                table=table.number,
            )
        )
    if strangers:
        raise RefusedOrderError(
            message(
                "Entrant {entrant} does not sit at table {table}: check the number.",
                entrant=strangers[0],
                table=table.number,
            )
        )


def _require_zero_sum(table: TableSeats, played: Sequence[Score]) -> None:
    total = sum(each.score for each in played)
    if total:
        raise RefusedOrderError(
            message(
                "The scores of table {table} add up to {total}, not to 0: count the racks again.",
                table=table.number,
                total=f"{total:+d}",
            )
        )
