"""The settings of a format in words, as the sheets print what was used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import assert_never

from scoreboard.games import GAMES
from scoreboard.message import Message, message
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament_format import (
    KNOCKOUTS,
    LAID_DOWN,
    Stage,
    TournamentFormat,
    house_rules_printed,
)


def printed_settings(form: TournamentFormat) -> tuple[Message, ...]:
    """Every setting that affects the standings, a sentence each."""
    labels = (TIEBREAKS[name].label for name in form.tiebreaks)
    listed = reduce(lambda one, other: message("{one}, {other}", one=one, other=other), labels)
    return (
        *_plan(form),
        *(message("House rule: {rule}.", rule=rule) for rule in house_rules_printed(form)),
        *_seating(form),
        *_reckoning(form),
        *_absence(form),
        *(
            sentence
            for number, stage in enumerate(form.stages, start=1)
            for sentence in _stage(stage, form.in_stage(number))
        ),
        message("Tie-breaks, in order: {listed}.", listed=listed),
    )


def _plan(form: TournamentFormat) -> Iterator[Message]:
    game = GAMES[form.game].title
    if form.system == "blind":
        yield message("{game}: everyone plays alone, and every score handed in counts.", game=game)
        if form.counted:
            yield message("Scores that are added: the best {counted}.", counted=form.counted)
        return
    yield message("{game}, {system}.", game=game, system=_system(form))
    if form.system not in LAID_DOWN:
        yield message("Rounds: {rounds}.", rounds=form.rounds)
    yield message("Games in a round: {games}.", games=form.games)
    if form.in_stage(len(form.stages)).calls_matches:
        yield message("A match is called as soon as both players are free.")
    if form.meetings > 1:
        yield message(
            "Meetings: {meetings}; the best {counted} count.",
            meetings=form.meetings,
            counted=form.counted or form.meetings,
        )


def _system(form: TournamentFormat) -> Message:
    match form.system:
        case "swiss":
            return message("duels by the Swiss system")
        case "round-robin":
            return message("everyone meets everyone")
        case "knockout":
            third = message("knockout, with a match for third place")
            return third if form.third_place else message("knockout")
        case "double-knockout" if form.grand_final_twice:
            return message("double knockout, with a second grand final where needed")
        case "double-knockout":
            return message("double knockout, with one grand final")
    return message(
        "tables of {size}, short ones of {smallest} or more",
        size=form.table_size,
        smallest=form.smallest_table,
    )


def _seating(form: TournamentFormat) -> Iterator[Message]:
    if form.dutch:
        yield message("Pairs are made as in FIDE’s Dutch system, without colours.")
    match form.table_numbers:
        case "best-first":
            yield message("The best players sit at the first table.")
        case "keep":
            yield message("Players keep their table where it can be.")
        case "spread":
            yield message("Players sit at another table each round where it can be.")
    if form.system != "tables":
        return
    if form.by_standing_from:
        yield message("From round {round} on tables go by standing.", round=form.by_standing_from)
    if form.mates_apart:
        yield message("Club mates sit apart in round 1.")


def _reckoning(form: TournamentFormat) -> Iterator[Message]:
    if form.reckoning == "wins":
        yield message(
            "A match won earns {win}, drawn {draw}, lost {loss}.",
            win=form.win,
            draw=form.draw,
            loss=form.loss,
        )
    elif form.reckoning == "places":
        scale = ", ".join(map(str, form.place_points[: form.table_size]))
        yield message("The places at a table earn {scale}; shared ones the average.", scale=scale)
    elif form.system != "blind":
        yield message("The points of all games are added.")
    if form.winner_bonus:
        yield message("Winning a game earns {bonus} more.", bonus=form.winner_bonus)
    if form.most_lost and form.reckoning == "points":
        yield message("A game costs {most} at most.", most=form.most_lost)
    yield from GAMES[form.game].penalties(form.penalties)
    if form.zero_sum and GAMES[form.game].zero_sum:
        yield message("The scores of a table must add up to 0.")


def _absence(form: TournamentFormat) -> Iterator[Message]:
    if form.system == "blind":
        return
    yield message("A bye earns {points}.", points=form.bye)
    if form.reckoning != "wins":
        yield message("A game not come to counts {points}.", points=form.no_show)
        yield message("A game given up counts {points}.", points=form.forfeit)
    if form.system not in KNOCKOUTS:
        yield message("A round not there for counts {points}.", points=form.missed_round)


def _stage(stage: Stage, form: TournamentFormat) -> Iterator[Message]:
    sentence: dict[str, str | float] = {"stage": stage.name, "entrants": stage.entrants}
    if stage.best_of_table:
        yield message("{stage}: the best of each table, {entrants} in all.", **sentence)
    else:
        yield message("{stage}: the best {entrants}.", **sentence)
    yield message("{stage}: games: {games}.", stage=stage.name, games=stage.games)
    if stage.is_knockout:
        yield message(
            "{stage}: {system}; seeded by the standing, a match goes by games won, then by score.",
            stage=stage.name,
            system=_system(form),
        )
        return
    if stage.carried:
        yield message("{stage}: the points so far count on.", stage=stage.name)
    else:
        yield message("{stage}: all begin with 0 points.", stage=stage.name)
    match stage.seating:
        case "odd-even":
            yield message("{stage}: the places are dealt over the tables.", stage=stage.name)
        case "snake":
            yield message("{stage}: the places go over the tables and back.", stage=stage.name)
        case "blocks":
            yield message("{stage}: the best sit at the first table.", stage=stage.name)
        case _:
            assert_never(stage.seating)
