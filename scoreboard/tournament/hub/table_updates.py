"""A table's games: their house rules, and the updates that name the next one and its results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, reduce

from scoreboard.errors import RuleViolationError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Option, Setup
from scoreboard.message import Message, message
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.scores import Score
from scoreboard.tournament.model.scoring import is_complete, winners
from scoreboard.tournament.model.tournament import Reported, Round, Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, TournamentFormat, house_values
from scoreboard.tournament.protocol import hub_update
from scoreboard.tournament.protocol.items import StoredItems

Results = dict[int, Reported]


def game_options(form: TournamentFormat) -> Mapping[str, str]:
    """The rulebook's options: one round, the first seat begins, what the format has for others."""
    wish = {"rounds": "1", "start": "first", "joker": str(form.joker_penalty), **house_values(form)}
    options = GAMES[form.game].options if form.game in GAMES else ()
    return {
        option.name: wish[option.name]
        for option in options
        if option.name in wish and _has(option, wish)
    }


@lru_cache(maxsize=64)  # working out the largest card takes two thirds of a result's time
def possible_scores(form: TournamentFormat, players: int) -> range | None:
    """The possible scores of a game of that many players, missing melds paid; None if unknown."""
    rulebook = GAMES.get(form.game)
    if rulebook is None or rulebook.scores is None:
        return None
    names = tuple(map(str, range(players)))
    try:
        possible = rulebook.scores(Setup(names, game_options(form)))
    except RuleViolationError:  # it is not for that many
        return None
    more = form.unmelded_penalty * (players - 1)
    return range(min(possible.start, possible.start - more), possible.stop + more)


def odd_scores(state: Tournament, scores: Iterable[Score], players: int) -> Iterator[Message]:
    """A warning for each score that no game of that many players ends with."""
    possible = possible_scores(state.format, players)
    for each in scores:
        if each.fate == "played" and possible is not None and each.score not in possible:
            yield message(
                "{name}: {score}. A game of {game} ends with {least} to {most}.",
                name=state.named(each.entrant),
                score=each.score,
                game=GAMES[state.format.game].title,
                least=possible.start,
                most=possible.stop - 1,
            )


def _has(option: Option, wished: Mapping[str, str]) -> bool:
    try:
        option.settled(wished)
    except RuleViolationError:
        return False
    return True


def results_at(played: Round, table: int) -> Results:
    """A table's results of a round by game, in order."""
    found: Results = {}
    while (reported := played.results.get((table, len(found) + 1))) is not None:
        found[len(found) + 1] = reported
    return found


def coming_game(
    state: Tournament, played: Round, table: TableSeats, results: Results
) -> tuple[int, int]:
    """The next game of a table, and how many; above it all are played. Drawn knockouts go on."""
    counted = tuple(each.result for each in results.values() if each.objection is None)
    form = state.format.in_stage(played.stage)
    complete = is_complete(form, len(table.seats), played.games, counted)
    if complete and form.system in KNOCKOUTS and len(winners(form, counted)) > 1:
        return len(results) + 1, len(results) + 1
    games = max(played.games, len(results))
    return (games if complete else len(results)) + 1, games


def update_for(
    snapshot: TournamentSnapshot,
    table: int,
    wanted: Mapping[str, StoredItems],
    problem: Message | None,
) -> hub_update.HubUpdate:
    """The update for a table, of its last event's version; a dispute comes before `problem`."""
    state, version = snapshot.state, snapshot.changes.last(table)
    update = hub_update.HubUpdate(version, place=table, title=state.title, wanted=wanted)
    played = state.round_at(table)
    seated = None if played is None else played.table(table)
    problem = problem or _called_away(state, table)
    if played is not None and seated is not None:
        results = results_at(played, table)
        game, games = coming_game(state, played, seated, results)
        seating = hub_update.SeatingUpdate(
            round=played.number,
            rounds_phase=played.phase,
            game=game,
            games=games,
            rulebook=state.format.game if state.format.game in GAMES else "",
            options=game_options(state.format),
            seats=tuple(hub_update.SeatUpdate(each, state.named(each)) for each in seated.seats),
        )
        reports = tuple(
            hub_update.ResultUpdate(
                played.number,
                number,
                reported.phase,
                str(reported.result.scores),
                tuple(sorted(reported.signed)),
                played.phase == "running" and reported.is_replaceable,
            )
            for number, reported in results.items()
        )
        update = replace(update, sitting=seating, results=reports)
        disputed = [game for game, reported in results.items() if reported.phase == "disputed"]
        if disputed and not (problem and results[disputed[0]].is_replaceable):
            problem = message(
                "Game {game} is disputed: the referee settles it. Play on.", game=disputed[0]
            )
    if problem is None:
        return update
    return replace(update, notice=str(problem), said=hub_update.LocalizedText.of(problem))


def _called_away(state: Tournament, number: int) -> Message | None:
    """The new table of the players last seated here, once called to another one."""
    here = ((each, table) for each in reversed(state.rounds) if (table := each.table(number)))
    last, seated = next(here, (None, None))
    called = [
        message("{name} plays next at table {table}.", name=state.named(seat), table=table.number)
        for each in (state.rounds[last.number :] if last else ())
        for table in each.draw.tables
        for seat in table.seats
        if seated and seat in seated.seats and not each.has_result(table.number)
    ]
    if not called:
        return None
    return reduce(lambda one, two: message("{one} {two}", one=one, two=two), called)
