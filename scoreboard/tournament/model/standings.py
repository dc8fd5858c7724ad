"""Standings: places by tie-breaks in the director's order, over all stages, and the reasons.

Results by player, too: rounds with the points so far, and the cross table of duels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Final, Literal

from scoreboard.message import Message, listed, message
from scoreboard.tournament.model.entrant import spelling_key
from scoreboard.tournament.model.scores import (
    CountedGames,
    GameResult,
    Points,
    ResultTable,
    SeatResult,
    counted,
    result_table,
    total,
)
from scoreboard.tournament.model.scoring import seat_results
from scoreboard.tournament.model.tiebreaks import NOTHING, TIEBREAKS
from scoreboard.tournament.model.tournament import LotDrawn, Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, LAID_DOWN, TournamentFormat

_DECISIONS: Final = frozenset({"play-off", "lot"})
Group = tuple[tuple[int, ...], tuple[Points, ...]]


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's place; equal ones are shared and the next is skipped.

    `stage` is the last stage reached, 0 before any cut; `values` are those of the tie-breaks in
    their order, as far as they were needed to separate the entrant.
    """

    entrant: int
    place: int
    values: tuple[Points, ...]
    stage: int = 0
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Standings:
    """All places, best first; those who share one are in the order of entry.

    `tiebreaks` are the names of the deciding ones, in order; `stages` those of the stages played,
    and `tables` their results. The `disqualified` are last.
    """

    rows: tuple[Standing, ...]
    tiebreaks: tuple[str, ...]
    stages: tuple[Message, ...] = ()
    tables: tuple[ResultTable, ...] = ()
    disqualified: frozenset[int] = frozenset()

    def of(self, entrant: int) -> Standing:
        """The standing of an entrant. Raises KeyError for an unknown number."""
        for row in self.rows:
            if row.entrant == entrant:
                return row
        raise KeyError(entrant)

    def columns(self, row: Standing) -> dict[str, Points | None]:
        """The values of tie-breaks with a column, in the last stage; None if not compared."""
        needed = dict(zip(self.tiebreaks, row.values, strict=False))
        shown: dict[str, Points | None] = {}
        for name in self.tiebreaks:
            tiebreak = TIEBREAKS[name]
            if tiebreak.column and name not in needed and not tiebreak.among_level:
                needed[name] = tiebreak.values(self.tables[row.stage], (row.entrant,))[row.entrant]
            if tiebreak.column:
                value = needed.get(name)
                shown[name] = None if value in {NOTHING, -NOTHING} else value
        return shown

    @property
    def order(self) -> tuple[int, ...]:
        """The entrants, best first."""
        return tuple(row.entrant for row in self.rows)

    @property
    def level(self) -> tuple[tuple[int, ...], ...]:
        """The groups that share a place."""
        shared = groupby((row for row in self.rows if row.shared), lambda row: row.place)
        return tuple(tuple(row.entrant for row in rows) for _, rows in shared)


def staged_standings(
    tables: tuple[ResultTable, ...],
    tiebreaks: tuple[str, ...],
    stages: tuple[Message, ...] = (),
    best: int | None = None,
) -> Standings:
    """Rank over all stages: entrants who reached a later one are above the others.

    `tables` are those of the stages in order, each of those who reached it. If only the `best` are
    wanted, the rows end somewhere after that many.
    """
    placed: set[int] = set()
    rows: list[Standing] = []
    for stage, table in reversed(tuple(enumerate(tables))):
        # at worst, all who are placed already come first in this table
        wanted = None if best is None else best - len(rows) + len(placed)
        for group, values in _ranked(table, tiebreaks, wanted):
            left = [each for each in group if each not in placed]
            place, shared = len(rows) + 1, len(left) > 1
            rows += [Standing(each, place, values, stage, shared=shared) for each in left]
        placed.update(table.results)
    return Standings(tuple(rows), tiebreaks, stages, tables)


def with_earlier(tiebreaks: tuple[str, ...]) -> tuple[str, ...]:
    """A tournament's tie-breaks after a cut: the stage before decides ahead of play-off and lot."""
    if "earlier" in tiebreaks:
        return tiebreaks
    at = next((at for at, name in enumerate(tiebreaks) if name in _DECISIONS), len(tiebreaks))
    return (*tiebreaks[:at], "earlier", *tiebreaks[at:])


def why(standings: Standings, names: Mapping[int, str], one: int, other: int) -> Message:
    """Why the higher of two is above, or that they are level. Raises KeyError."""
    above, below = sorted((standings.of(one), standings.of(other)), key=standings.rows.index)
    called = {"one": names[above.entrant], "other": names[below.entrant]}
    if below.entrant in standings.disqualified:
        return message("{one} stands above {other}: {other} was disqualified.", **called)
    if above.stage != below.stage:
        reached = standings.stages[above.stage]
        return message(
            "{one} stands above {other}: only {one} reached {stage}.", **called, stage=reached
        )
    if above.place == below.place:
        return message("{one} and {other} share a place: tied on all tie-breaks.", **called)
    pairs = tuple(zip(above.values, below.values, strict=False))
    at = next(index for index, (more, less) in enumerate(pairs) if more != less)
    reason = TIEBREAKS[standings.tiebreaks[at]].reason(*pairs[at])
    table = standings.tables[above.stage]
    level = [
        TIEBREAKS[name].label
        for name in standings.tiebreaks[:at]
        if not (name == "lasted" and not table.losses_allowed)  # which separates none of them
    ]
    if not (table.results[above.entrant] or table.results[below.entrant]):
        level = []  # nothing is played in this stage that could separate them
    if not level:
        return message("{one} stands above {other}: {reason}.", **called, reason=reason)
    return message(
        "{one} stands above {other}: level in {level}, then {reason}.",
        **called,
        level=listed(level),
        reason=reason,
    )


def _ranked(table: ResultTable, tiebreaks: tuple[str, ...], best: int | None) -> list[Group]:
    """Groups of still level entrants, best first, with their values; enough for the `best`.

    Every tie-break splits only groups left level by the ones before it, so no two contradict.
    """
    groups: list[Group] = [(tuple(table.results), ())] if table.results else []
    for name in tiebreaks:
        parted: list[Group] = []
        for level, values in groups:
            if len(level) == 1 and values:
                parted.append((level, values))
                continue
            parts: dict[Points, list[int]] = {}
            for each, value in TIEBREAKS[name].values(table, level).items():
                parts.setdefault(value, []).append(each)
            better = table.better if TIEBREAKS[name].of_scores else 1
            in_order = sorted(parts, key=lambda each: better * each, reverse=True)
            parted += [(tuple(parts[each]), (*values, each)) for each in in_order]
        groups = parted if best is None else _first(parted, best)
    return groups


def _first(groups: list[Group], many: int) -> list[Group]:
    reached = accumulate(len(level) for level, _ in groups)
    return groups[: 1 + sum(1 for each in reached if each < many)]


def standings_of(state: Tournament, best: int | None = None) -> Standings:
    """The standings by all results that count; disputed ones do not until they are settled.

    An unfinished match does not count where matches count; games at a table count one by one. If
    only the `best` are wanted, that many rows are right, at far less cost.
    """
    tiebreaks = criteria(state)
    tables = [_settled(state, qualifying_results(state), 0)]
    for cut in state.cuts:
        before = staged_standings(tuple(tables), tiebreaks)
        earlier = {row.entrant: row.place for row in before.rows}
        carried = tables[-1].totals if state.format.stages[cut.stage - 1].carried else {}
        off = penalty_points(state, cut.stage)
        before_it = {each: carried.get(each, 0) + off.get(each, 0) for each in cut.entrants}
        brought, draw = _results(state, cut.stage), _draw(state.format.in_stage(cut.stage))
        own = result_table(cut.entrants, brought, carried=before_it, draw=draw)
        tables.append(replace(_settled(state, own, cut.stage), earlier=earlier))
    wanted = None if best is None else best + len(state.disqualified)
    stages = (message("{stage}", stage=stage.name) for stage in state.format.stages)
    named = (message("the qualifying rounds"), *stages)
    found = staged_standings(tuple(tables), tiebreaks, named, wanted)
    return _disqualified_last(found, state.disqualified)


def penalty_points(state: Tournament, stage: int) -> Mapping[int, Points]:
    """What penalties bring in a stage, by entrant: 0 or less."""
    found: dict[int, list[Points]] = {}
    for each in state.penalties.values():
        if each.stage == stage:
            found.setdefault(each.entrant, []).append(-each.points)
    return {entrant: total(each) for entrant, each in found.items()}


def _disqualified_last(standings: Standings, out: frozenset[int]) -> Standings:
    """The same, with the disqualified sharing the last place; the others move up."""
    if not out:
        return standings
    rows: list[Standing] = []
    in_order = sorted(standings.rows, key=lambda row: row.entrant in out)
    for _, level in groupby(in_order, lambda row: 0 if row.entrant in out else row.place):
        group = list(level)
        place, shared = len(rows) + 1, len(group) > 1
        rows += [replace(row, place=place, shared=shared) for row in group]
    return replace(standings, rows=tuple(rows), disqualified=out)


def criteria(state: Tournament) -> tuple[str, ...]:
    """The director's tie-breaks, then play-offs and lots; after a cut first the stage before."""
    held = ("lot" if isinstance(each, LotDrawn) else "play-off" for each in state.decisions)
    listed = state.stage_format.tiebreaks
    unlisted = sorted(set(held) - set(listed), reverse=True)
    return with_earlier((*listed, *unlisted)) if state.cuts else (*listed, *unlisted)


def _settled(state: Tournament, counted: ResultTable, stage: int) -> ResultTable:
    """The table of a stage with what play-offs and lots decided."""
    allowed = {"knockout": 1, "double-knockout": 2}
    return replace(
        counted,
        play_offs=tuple(each.order for each in state.decisions if not isinstance(each, LotDrawn)),
        lots=tuple(each.order for each in state.decisions if isinstance(each, LotDrawn)),
        losses_allowed=allowed.get(state.format.in_stage(stage).system, 0),
        third_place=state.format.third_place,
        better=state.format.better,
    )


def qualifying_results(state: Tournament) -> ResultTable:
    """The results of the rounds before any cut, or the scores of a blind tournament."""
    form, off = state.format, penalty_points(state, 0)
    if form.system == "blind":
        solo: dict[int, list[SeatResult]] = {}
        for number, each in enumerate(state.solo, start=1):
            result = SeatResult(number, (), each.score, games=(each.score,), score=each.score)
            solo.setdefault(each.entrant, []).append(result)
        return result_table(state.numbers, solo, counted_games(form), off)
    return result_table(state.numbers, _results(state, 0), counted_games(form), off, _draw(form))


def _draw(form: TournamentFormat) -> Points | None:
    return form.draw if form.reckoning == "wins" and form.system not in LAID_DOWN else None


def counted_games(form: TournamentFormat) -> CountedGames:
    """Which results count before any cut: the best meetings, or scores of a blind tournament."""
    if form.system == "blind":
        return CountedGames(form.counted)
    return CountedGames(form.counted if form.meetings > 1 else 0, "meeting")


def _results(state: Tournament, stage: int) -> Mapping[int, list[SeatResult]]:
    found: dict[int, list[SeatResult]] = {number: [] for number in state.numbers}
    for played in state.rounds:
        if played.stage == stage:
            brought = played.brought
            if brought is None:
                brought = seat_results(state.format, played)
            for entrant, result in brought.items():
                found[entrant].append(result)
            if not stage and state.format.system not in KNOCKOUTS and played.phase == "closed":
                # what the round counts for those who were not there; a knockout is missed by no one
                there = set(played.draw.entrants)
                earned, meeting = state.format.missed_round, played.meeting
                missed = SeatResult(played.number, (), earned, meeting=meeting, absent=True)
                for number in state.numbers:
                    if number not in there:
                        found[number].append(missed)
    return found


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A team's place by the points of its best players before any cut; equal ones are shared.

    `players` are all of the team with their points, best first, of whom the first `counted` count;
    the disqualified are left out.
    """

    place: int
    team: str
    points: Points
    players: tuple[tuple[int, Points], ...]
    counted: int


def team_standings(state: Tournament) -> tuple[TeamStanding, ...]:
    """All teams, best first; level ones are ranked by their best player, then the next.

    Spellings that look the same are one team.
    """
    names, teams = state.teams, dict[str, list[int]]()
    for each in names:
        if each not in state.disqualified:
            teams.setdefault(spelling_key(names[each]), []).append(each)
    totals, found = qualifying_results(state).totals if teams else {}, list[TeamStanding]()
    for members in teams.values():
        best = sorted(((each, totals[each]) for each in members), key=lambda each: -each[1])
        many = min(state.format.team_counted or len(best), len(best))
        points = total(brought for _, brought in best[:many])
        found.append(TeamStanding(0, names[members[0]], points, tuple(best), many))

    def worth(row: TeamStanding) -> list[Points]:
        return [row.points, *(points for _, points in row.players[: row.counted])]

    order = sorted(map(worth, found), reverse=True)
    placed = (replace(row, place=1 + order.index(worth(row))) for row in found)
    return tuple(sorted(placed, key=lambda row: row.place))


PlayerRoundKind = Literal["table", "bye", "absent"]


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """A round of one entrant: the table, its games, and the points.

    `points` and `total`, those of the stage so far, are None while the round does not count yet;
    `table` is None without a seat. `games` are the table's results that count, in order.
    """

    round: int
    stage: int
    kind: PlayerRoundKind
    table: int | None = None
    opponents: tuple[int, ...] = ()
    games: tuple[GameResult, ...] = ()
    points: Points | None = None
    total: Points | None = None


def player_rounds(
    state: Tournament, standings: Standings, entrants: Iterable[int]
) -> Mapping[int, tuple[PlayerRound, ...]]:
    """The rounds of some entrants, in the stages that they reached, with the totals so far."""
    found: dict[int, list[PlayerRound]] = {number: [] for number in entrants}
    running: dict[tuple[int, int], list[SeatResult]] = {}
    for played in state.rounds:
        table = standings.tables[played.stage]
        counting = CountedGames() if played.stage else counted_games(state.format)
        games = played.games_by_table
        seated = {seat: seats for seats in played.draw.tables for seat in seats.seats}
        for entrant, rounds in found.items():
            results = table.results.get(entrant)
            if results is None:
                continue
            own, total = results.get(played.number), None
            if own is not None:
                so_far = running.setdefault((played.stage, entrant), [])
                so_far.append(own)
                # only a stage's total has the points carried into it and the penalties
                before = table.totals[entrant] - counted(results.values(), counting)
                total = before + counted(so_far, counting)
            points = None if own is None else own.points
            kind: PlayerRoundKind = "bye" if entrant in played.draw.byes else "absent"
            row = PlayerRound(played.number, played.stage, kind, points=points, total=total)
            if seats := seated.get(entrant):
                met = tuple(each for each in seats.seats if each != entrant)
                own_games = games.get(seats.number, ())
                row = replace(row, kind="table", table=seats.number, opponents=met, games=own_games)
            rounds.append(row)
    return {number: tuple(own) for number, own in found.items()}


def cross_table(
    form: TournamentFormat, standings: Standings
) -> Mapping[int, Mapping[int, tuple[Points, ...]]]:
    """Each entrant's results against each other one in duels, in order of rounds; empty without."""
    duels = [
        table
        for stage, table in enumerate(standings.tables)
        if (form.lays_down(stage) if stage else form.two_player)
    ]
    found: dict[int, dict[int, tuple[Points, ...]]] = {
        number: {} for table in duels[:1] for number in table.results
    }
    for table in duels:
        for entrant in table.results:
            for own, _, opponent in table.met(entrant):
                found[entrant][opponent] = (*found[entrant].get(opponent, ()), own.points)
    return found
