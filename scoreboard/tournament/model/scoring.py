"""The awards of a game, a match, a round, a bye and an absence, by the settings of a format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, permutations
from typing import Final

from scoreboard.tournament.model.authority import refused
from scoreboard.tournament.model.draw import Draw, TableSeats
from scoreboard.tournament.model.scores import (
    HIGHEST_SCORE,
    Award,
    GameResult,
    GameScores,
    Points,
    Score,
    SeatResult,
    points,
    share,
    total,
)
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament import Round
from scoreboard.tournament.model.tournament_format import LAID_DOWN, TournamentFormat

_DUEL: Final = 2


def awarded(form: TournamentFormat, table: TableSeats, scores: GameScores) -> GameResult:
    """A game's awards in seat order, a bye for the only one there. Raises CommandRefusedError."""
    missing = [each for each in table.seats if each not in scores.entrants]
    strangers = [each for each in scores.entrants if each not in table.seats]
    if missing:
        raise refused(
            "The score of entrant {entrant} is missing at table {table}: add it, or no-show.",
            entrant=missing[0],
            table=table.number,
        )
    if strangers:
        raise refused(
            "Entrant {entrant} does not sit at table {table}: check the number.",
            entrant=strangers[0],
            table=table.number,
        )
    in_order = tuple(sorted(scores, key=lambda each: table.seats.index(each.entrant)))
    played = [each for each in in_order if each.fate == "played"]
    added = sum(each.score for each in played)
    if form.zero_sum and len(played) > 1 and added:
        raise refused(
            "The scores of table {table} add up to {total}, not to 0: count the racks again.",
            table=table.number,
            total=f"{added:+d}",
        )
    brought = _played(form, played)
    return GameResult(tuple(_award(form, each, brought) for each in in_order))


def games_of_match(
    form: TournamentFormat, seats: tuple[int, ...], planned: int, won: tuple[int, int]
) -> tuple[GameScores, ...]:
    """The games of a duel of which only the games won are known: 1 to 0 each, the loser's first.

    Raises CommandRefusedError if the standings need the scores, or no match ends so.
    """
    most, least = max(won), min(won)
    ended = most == planned // 2 + 1 or most == least == planned / 2
    if not ended or most + least > planned:
        words = "–".join(map(str, won))
        raise refused("No match of {games} games ends {won}.", games=planned, won=words)
    if needed := [TIEBREAKS[each].label for each in form.tiebreaks if TIEBREAKS[each].of_scores]:
        raise refused(
            "Enter the scores: they decide between equals ({tiebreak}).", tiebreak=needed[0]
        )
    best, other = seats if won[0] == most else seats[::-1]
    win, loss = max(form.better, 0), max(-form.better, 0)
    if form.zero_sum:
        win, loss = form.better, -form.better
    return tuple(
        GameScores(tuple(Score(each, win if each == winner else loss) for each in seats))
        for winner in (other,) * least + (best,) * most
    )


def round_points(form: TournamentFormat, games: Sequence[GameResult]) -> Mapping[int, Points]:
    """The points of each entrant for a round's games at one table; by wins the match earns them."""
    if form.reckoning == "wins":
        best = winners(form, games)
        came = any(_came(each, games) for each in best)
        top = form.loss if not came else form.win if len(best) == 1 else form.draw
        return {each: top if each in best else form.loss for each in games_won(games)}
    return summed((award.entrant, award.points) for game in games for award in game)


def games_won(games: Iterable[GameResult]) -> Mapping[int, Points]:
    """The games that each entrant won at a table, shared ones in part."""
    return summed((award.entrant, award.won) for game in games for award in game)


def scored(games: Iterable[GameResult]) -> Mapping[int, Points]:
    """The sum of each entrant's scores at a table."""
    return summed((award.entrant, award.score.score) for game in games for award in game)


def is_complete(
    form: TournamentFormat, seats: int, planned: int, games: Sequence[GameResult]
) -> bool:
    """Whether a table's round needs no further game: all are played, or a duel is decided."""
    if len(games) >= planned:
        return True
    if form.reckoning != "wins" or seats != _DUEL:
        return False
    return any(2 * won > planned for won in games_won(games).values())


def winners(form: TournamentFormat, games: Sequence[GameResult]) -> tuple[int, ...]:
    """The winners of the match by games, then by score, where no score at all is the worst."""
    won, merits = games_won(games), dict[int, int]()
    missed = -HIGHEST_SCORE - 1 if form.better < 0 else 0
    for award in (award for game in games for award in game):
        merit = form.better * award.score.score if award.score.fate == "played" else missed
        merits[award.entrant] = merits.get(award.entrant, 0) + merit
    came = [each for each in won if _came(each, games)] or list(won)
    best = max((won[each], merits[each]) for each in came)
    return tuple(each for each in came if (won[each], merits[each]) == best)


def summed(pairs: Iterable[tuple[int, Points]]) -> Mapping[int, Points]:
    """The points of each entrant added up."""
    totals: dict[int, Points] = {}
    for entrant, brought in pairs:
        totals[entrant] = points(totals.get(entrant, 0) + brought)
    return totals


def as_played(played: Round) -> Draw:
    """A round's draw without matches that one did not come to, which are byes of those who did."""
    tables, byes = [], [*played.draw.byes]
    for table in played.draw.tables:
        games = played.games_of(table.number)
        awards = [award for game in games for award in game]
        came = {award.entrant for award in awards if award.score.fate != "no-show"}
        if not games or came.issuperset(table.seats):
            tables.append(table)
        else:
            byes += came
    return Draw(tuple(tables), tuple(byes))


def _came(entrant: int, games: Sequence[GameResult]) -> bool:
    awards = chain.from_iterable(games)
    return any(each.entrant == entrant and each.score.fate == "played" for each in awards)


def _award(
    form: TournamentFormat, score: Score, brought: Mapping[int, tuple[Points, Points]]
) -> Award:
    if score.entrant in brought:
        return Award(score, *brought[score.entrant])
    if form.reckoning == "wins":
        return Award(score, 0)
    return Award(score, form.forfeit if score.fate == "forfeit" else form.no_show)


def _played(form: TournamentFormat, played: Sequence[Score]) -> Mapping[int, tuple[Points, Points]]:
    if not played:
        return {}
    best = form.better * max(form.better * each.score for each in played)
    won = share(1, sum(each.score == best for each in played))
    wins: dict[int, Points] = {each.entrant: won if each.score == best else 0 for each in played}
    brought = wins if form.reckoning == "wins" else _brought(form, played)
    bonus = form.winner_bonus
    return {each: (points(brought[each] + bonus * wins[each]), wins[each]) for each in brought}


def _brought(form: TournamentFormat, played: Sequence[Score]) -> Mapping[int, Points]:
    if len(played) == 1:
        return {played[0].entrant: form.bye}
    if form.reckoning == "places":
        # a shared place earns the average of those that it takes up
        places: dict[int, Points] = {}
        for each in played:
            above = sum(form.better * (other.score - each.score) > 0 for other in played)
            level = sum(other.score == each.score for other in played)
            places[each.entrant] = share(sum(form.place_points[above : above + level]), level)
        return places
    if form.most_lost:
        return {each.entrant: max(each.score, -form.most_lost) for each in played}
    return {each.entrant: each.score for each in played}


def seat_results(form: TournamentFormat, played: Round) -> Mapping[int, SeatResult]:
    """Everyone's round so far, as far as its results count.

    An unfinished match counts nothing where matches count, a bye nothing before the round closes.
    """
    found: dict[int, SeatResult] = {}
    form, games = form.in_stage(played.stage), played.games_by_table
    for table in played.draw.tables:
        if table.number in games:
            found.update(_table_results(form, played, table, games[table.number]))
    if played.phase == "closed" or form.reckoning == "wins":
        wins = 1 if form.reckoning == "wins" else 0
        for each in played.draw.byes:
            found[each] = SeatResult(played.number, (), form.bye, wins, meeting=played.meeting)
    return found


def closed_round(form: TournamentFormat, played: Round) -> Round:
    """The closed round, with everyone's computed results."""
    ended = replace(played, phase="closed")
    return replace(ended, brought=seat_results(form, ended))


def _table_results(
    form: TournamentFormat, played: Round, table: TableSeats, games: tuple[GameResult, ...]
) -> Iterator[tuple[int, SeatResult]]:
    """Each entrant's results at a table; every game's awards are in seat order."""
    matches = form.reckoning == "wins"
    if matches and not is_complete(form, len(table.seats), played.games, games):
        return
    brought = round_points(form, games) if matches else {}
    # who plays whom was known before the first round: a game missed is then as good as played
    unplayed = {} if form.system in LAID_DOWN else _unplayed(games)
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
                unplayed.get(entrant, ()),
            ),
        )


def _unplayed(games: Sequence[GameResult]) -> Mapping[int, tuple[int, ...]]:
    """The opponents with whom each entrant of a table played no game; empty if all played all."""
    there = [[each.entrant for each in game if each.score.fate == "played"] for game in games]
    seats = games[0].scores.entrants
    met = {pair for each in there for pair in permutations(each, 2)}
    if all(len(each) == len(seats) for each in there):
        return {}
    return {
        one: tuple(other for other in seats if other != one and (one, other) not in met)
        for one in seats
    }
