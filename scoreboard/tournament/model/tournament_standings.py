"""The standings of a tournament: what its rounds brought, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoreboard.message import Message, message
from scoreboard.tournament.model.events import LotDrawn
from scoreboard.tournament.model.result_table import Counting, ResultTable, SeatResult, result_table
from scoreboard.tournament.model.round_results import round_sittings
from scoreboard.tournament.model.standings import Standings, staged_standings, with_earlier
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS, TournamentFormat
from scoreboard.tournament.model.tournament_round import Round

Sittings = Mapping[int, list[SeatResult]]


def standings_of(state: Tournament) -> Standings:
    """Who stands where by all results that count; disputed ones do not until they are settled.

    A match that is not over counts nothing where matches are what counts; games at a table
    count one by one.
    """
    tiebreaks = criteria(state)
    return staged_standings(_ledgers(state, tiebreaks), tiebreaks, stage_names(state.format))


def criteria(state: Tournament) -> tuple[str, ...]:
    """What decides, in order: the director's tie-breaks, then what was settled beside them.

    After a cut the stage before decides ahead of play-offs and lots; these decide last where
    the format does not name them but one was held, so that no place stays shared for want of a
    name.
    """
    held = ("lot" if isinstance(each, LotDrawn) else "play-off" for each in state.decisions)
    listed = state.format.tiebreaks
    beside = sorted(set(held) - set(listed), reverse=True)
    return with_earlier((*listed, *beside)) if state.cuts else (*listed, *beside)


def stage_names(form: TournamentFormat) -> tuple[Message, ...]:
    """What the stages are called, the qualifying rounds first."""
    named = (message("{stage}", stage=stage.name) for stage in form.stages)
    return (message("the qualifying rounds"), *named)


def _ledgers(state: Tournament, tiebreaks: tuple[str, ...]) -> tuple[ResultTable, ...]:
    ledgers = [_settled(state, qualifying_ledger(state))]
    for cut in state.cuts:
        before = staged_standings(tuple(ledgers), tiebreaks)
        earlier = {row.entrant: row.place for row in before.rows}
        carried = ledgers[-1].totals if state.format.stages[cut.stage - 1].carried else {}
        own = result_table(cut.entrants, _sittings(state, cut.stage), carried=carried)
        ledgers.append(replace(_settled(state, own), earlier=earlier))
    return tuple(ledgers)


def _settled(state: Tournament, counted: ResultTable) -> ResultTable:
    """The ledger with what play-offs and lots decided."""
    allowed = {"knockout": 1, "double-knockout": 2}
    return replace(
        counted,
        play_offs=tuple(each.order for each in state.decisions if not isinstance(each, LotDrawn)),
        lots=tuple(each.order for each in state.decisions if isinstance(each, LotDrawn)),
        losses_allowed=allowed.get(state.format.system, 0),
    )


def qualifying_ledger(state: Tournament) -> ResultTable:
    """What the rounds before any cut brought everyone, or the scores of a blind event."""
    form = state.format
    if form.system == "blind":
        return result_table(state.numbers, _solo_sittings(state), Counting(form.counted))
    best = form.counted if form.meetings > 1 else 0
    return result_table(state.numbers, _sittings(state, 0), Counting(best, "meeting"))


def _solo_sittings(state: Tournament) -> Sittings:
    found: dict[int, list[SeatResult]] = {}
    for number, solo in enumerate(state.solo, start=1):
        sitting = SeatResult(number, (), solo.score, games=(solo.score,), score=solo.score)
        found.setdefault(solo.entrant, []).append(sitting)
    return found


def _sittings(state: Tournament, stage: int) -> Sittings:
    found: dict[int, list[SeatResult]] = {number: [] for number in state.numbers}
    for played in state.rounds:
        if played.stage == stage:
            brought = played.brought
            if brought is None:
                brought = round_sittings(state.format, played)
            for entrant, sitting in brought.items():
                found[entrant].append(sitting)
            if not stage:
                _add_missed(state, played, found)
    return found


def _add_missed(state: Tournament, played: Round, found: Mapping[int, list[SeatResult]]) -> None:
    """What a round counts for those who were not there; nobody misses a knockout."""
    if state.format.system not in KNOCKOUTS and played.phase == "closed":
        there = set(played.draw.entrants)
        for number in state.numbers:
            if number not in there:
                missed = state.format.missed_round
                found[number].append(SeatResult(played.number, (), missed, meeting=played.meeting))
