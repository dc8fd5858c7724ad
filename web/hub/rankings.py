"""The standings as the pages show them, with the reason for each place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from threading import Lock
from typing import NamedTuple

from scoreboard.message import Message, message
from scoreboard.tournament.hub.replay import ReplayedGame
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.disputes import penalty_message
from scoreboard.tournament.model.entries import replacement_message
from scoreboard.tournament.model.scores import Points, share, total
from scoreboard.tournament.model.standings import Standings, standings_of, why
from scoreboard.tournament.model.tiebreaks import TIEBREAKS
from scoreboard.tournament.model.tournament import Reported, Tournament


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row of the standings; `why` is the reason for being above the next, None for the last.

    `points` are those of `stage`, the last one reached from 0, and `earlier` those of each before;
    `values` are those of the tie-breaks besides points, or None; `replaces` is the replaced player,
    None for an original entry; `penalties` are the penalties with reasons.
    """

    place: int
    entrant: int
    name: str
    club: str
    points: Points
    values: Mapping[str, Points | None]
    shared: bool
    away: bool
    replaces: Message | None
    stage: Message | None
    why: Message | None
    earlier: tuple[Points, ...] = ()
    penalties: tuple[Message, ...] = ()


class Statistics(NamedTuple):
    """An entrant's games that were played to their end, and the wins, shared ones in part."""

    average: Points | None
    best: int | None
    won: Points
    games: int


def statistics(state: Tournament, standings: Standings) -> dict[int, Statistics]:
    """Everybody's, by entry number; without a game average and best are None."""
    found = {}
    for number in state.numbers:
        stages = (each.results.get(number, {}).values() for each in standings.tables)
        own = [*chain.from_iterable(stages)]
        scores = [score for each in own for score in each.games]
        average = share(sum(scores), len(scores)) if scores else None
        best = state.format.better * max((state.format.better * each for each in scores), default=0)
        won = total(each.wins for each in own)
        found[number] = Statistics(average, best if scores else None, won, len(scores))
    return found


def box_averages(games: Iterable[ReplayedGame], entrant: int) -> tuple[tuple[Message, Points], ...]:
    """An entrant's average in each box of the finished games with dice that came move by move."""
    points: dict[str, list[int]] = {}
    labels: dict[str, Message] = {}
    for each in games:
        opened, book = each.opened, each.rulebook
        counts = each.outcome is not None and each.fault is None and each.violation is None
        if opened and book and book.has_dice and counts and entrant in opened.entrants:
            seat = opened.entrants.index(entrant)
            for row in book.scoresheet(each.state).rows:
                if row.kind == "box" and (scored := row.cells[seat].points) is not None:
                    points.setdefault(row.key, []).append(scored)
                    labels[row.key] = row.label
    return tuple((labels[key], share(sum(own), len(own))) for key, own in points.items())


class Rankings:
    """Caches each event's ranking by version; thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[str, tuple[int, Standings, tuple[Ranked, ...]]] = {}
        self._leaders: dict[tuple[str, int], tuple[Tournament, tuple[Ranked, ...]]] = {}

    def of(self, snapshot: TournamentSnapshot) -> tuple[Ranked, ...]:
        return self._ranked(snapshot)[1]

    def standings(self, snapshot: TournamentSnapshot) -> Standings:
        return self._ranked(snapshot)[0]

    def _ranked(self, snapshot: TournamentSnapshot) -> tuple[Standings, tuple[Ranked, ...]]:
        with self._lock:
            kept = self._kept.get(snapshot.header.tournament_id)
            if kept is None or kept[0] != snapshot.version:
                standings = standings_of(snapshot.state)
                kept = snapshot.version, standings, tuple(_ranked(snapshot.state, standings))
                self._kept[snapshot.header.tournament_id] = kept
            return kept[1:]

    def leaders(self, snapshot: TournamentSnapshot, many: int) -> tuple[Ranked, ...]:
        """The best `many`, best first; signatures alone don't invalidate the cache."""
        with self._lock:
            name, counts = (snapshot.header.tournament_id, many), unsigned(snapshot.state)
            kept, rows = self._leaders.get(name, (None, ()))
            if kept != counts:
                # far cheaper than everybody; one more: why the last is above the next
                some = _ranked(snapshot.state, standings_of(snapshot.state, many + 1))
                rows = tuple(islice(some, many))
                self._leaders[name] = (counts, rows)
            return rows


def ranking(state: Tournament) -> tuple[Ranked, ...]:
    """Everybody, best first."""
    return tuple(_ranked(state, standings_of(state)))


def by_stage(
    state: Tournament, rows: Sequence[Ranked]
) -> tuple[tuple[Message, tuple[Ranked, ...]], ...]:
    """The rows under the name of the last stage that each reached, the latest stage first."""
    reached: dict[int, list[Ranked]] = {}
    for row in rows:  # the disqualified come last, whatever their stage
        reached.setdefault(len(row.earlier), []).append(row)
    return tuple((stage_title(state, stage), tuple(each)) for stage, each in reached.items())


def stage_title(state: Tournament, stage: int) -> Message:
    """What heads a stage's points; 0 is before any cut."""
    if not stage:
        return message("Qualifying rounds")
    return message("{stage}", stage=state.format.stages[stage - 1].name)


def tiebreak_columns(rows: Sequence[Ranked]) -> dict[str, Message]:
    """The tie-breaks that the standings show besides points, with their column heads."""
    return {name: TIEBREAKS[name].label for name in (rows[0].values if rows else ())}


def unsigned(state: Tournament) -> Tournament:
    """The tournament without the signatures of its last round, which don't affect standings."""
    last = state.last_round
    if last is None:
        return state
    results = {
        slot: Reported(each.result, objection=each.objection) for slot, each in last.results.items()
    }
    return replace(state, rounds=(*state.rounds[:-1], replace(last, results=results)))


def _ranked(state: Tournament, table: Standings) -> Iterator[Ranked]:
    entrants, names = {each.number: each for each in state.entrants}, state.names
    for row, following in zip_longest(table.rows, table.rows[1:]):
        entrant = entrants[row.entrant]
        values = table.columns(row)
        values.pop("points", None)
        totals = [each.totals[row.entrant] for each in table.tables[: row.stage + 1]]
        own = (each for each in state.penalties.values() if each.entrant == row.entrant)
        reason = None
        if following:  # only these two: `why` searches its rows, slow with all of them
            two = replace(table, rows=(row, following))
            reason = why(two, names, row.entrant, following.entrant)
        yield Ranked(
            place=row.place,
            entrant=row.entrant,
            name=entrant.name,
            club=entrant.club,
            points=totals[-1],
            values=values,
            shared=row.shared,
            away=row.entrant in state.away,
            replaces=replacement_message(state, row.entrant),
            stage=table.stages[row.stage] if row.stage else None,
            why=reason,
            earlier=tuple(totals[:-1]),
            penalties=tuple(map(penalty_message, own)),
        )
