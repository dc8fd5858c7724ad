"""What everybody may know of an event, worked out for the reading API and the published pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from scoreboard.message import Message
from scoreboard.tournament.hub.overview import GameProgress
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.printed_settings import printed_settings
from scoreboard.tournament.model.scores import Award, Points
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.protocol import public_facts as facts
from scoreboard.tournament.storage.event_marks import EventMarks
from web.hub.progress import TableRow, round_name, standing_now, table_rows
from web.hub.rankings import Ranked, tiebreak_columns

Words = Callable[[Message], str]
DECIMALS = 4


def event_summary(
    snapshot: TournamentSnapshot, marks: EventMarks, words: Words
) -> facts.EventSummary:
    """An event as the list shows it, its status in the reader's words."""
    header, state = snapshot.header, snapshot.state
    form, status = state.format, words(standing_now(state))
    opened_at, counts = header.opened_at.isoformat(), (len(state.entrants), len(state.rounds))
    return facts.EventSummary(
        header.tournament_id, state.title, status, form.game, form.system, opened_at, *counts,
        state.finished, marks.archived_at is not None, marks.test, marks.section
    )  # fmt: skip


def event_facts(
    state: Tournament, summary: facts.EventSummary, words: Words, brackets: tuple[str, ...]
) -> facts.EventFacts:
    """The event with its settings, entrants and rounds; `brackets` are drawn as SVG."""
    entrants = (
        facts.EntrantFacts(each.number, each.name, each.club, each.number in state.away)
        for each in state.entrants
    )
    rounds = tuple(round_summary(state, each, words) for each in state.rounds)
    settings = tuple(map(words, printed_settings(state.format)))
    return facts.EventFacts(summary, settings, tuple(entrants), rounds, brackets)


def round_summary(state: Tournament, played: Round, words: Words) -> facts.RoundSummary:
    """A round as the list of rounds shows it."""
    name, tables = words(round_name(state, played)), len(played.draw.tables)
    stage, meeting = played.stage, played.meeting
    return facts.RoundSummary(played.number, name, stage, meeting, played.phase, tables)


def standings_facts(
    rows: Sequence[Ranked], summary: facts.EventSummary, words: Words
) -> facts.StandingsFacts:
    """The standings with every tie-break's value, and why one stands above the next."""
    tiebreaks = {name: words(label) for name, label in tiebreak_columns(rows).items()}
    return facts.StandingsFacts(summary, tiebreaks, tuple(_standing(row, words) for row in rows))


def _standing(row: Ranked, words: Words) -> facts.StandingFacts:
    values = {
        name: None if value is None else _decimal(value) for name, value in row.values.items()
    }
    stage, why = (words(each) if each else "" for each in (row.stage, row.why))
    return facts.StandingFacts(
        row.place, row.shared, row.entrant, row.name, row.club, _decimal(row.points), values, stage,
        row.away, why, tuple(map(words, row.penalties))
    )  # fmt: skip


def round_facts(
    state: Tournament, played: Round, summary: facts.EventSummary, words: Words
) -> facts.RoundFacts:
    """The tables of a round with their results, by number."""
    names = state.names_in(played.number)
    rows = sorted(table_rows(state, played, {}), key=lambda row: row.number)
    byes = tuple(facts.SeatFacts(each, names[each]) for each in played.draw.byes)
    tables = tuple(_table(row, words) for row in rows)
    return facts.RoundFacts(summary, round_summary(state, played, words), tables, byes)


def table_results(
    state: Tournament, played: Round, number: int, words: Words
) -> facts.TableResults:
    """A table that a round has, with its results."""
    (row,) = table_rows(state, played, {}, number)
    return _table(row, words)


def table_facts(
    summary: facts.EventSummary,
    played: facts.RoundSummary,
    table: facts.TableResults,
    progress: GameProgress | None,
    photo_at: datetime | None,
) -> facts.TableFacts:
    """A table with its running game; `progress` is None where no device tells of one."""
    now = None if progress is None else _game(progress)
    if now is not None and not now.over and table.phase == "waiting":
        table = replace(table, phase="playing")  # its device has more to tell than the record
    taken = None if photo_at is None else photo_at.isoformat()
    return facts.TableFacts(summary, played, table, now, taken)


def _table(row: TableRow, words: Words) -> facts.TableResults:
    names, match = dict(row.seats), words(row.match) if row.match else ""
    results = tuple(
        facts.ResultFacts(game, each.phase, tuple(_score(award, names) for award in each.result))
        for game, each in row.reported
    )
    seats = tuple(facts.SeatFacts(number, name) for number, name in row.seats)
    return facts.TableResults(row.number, match, row.phase, row.games, seats, results)


def _score(award: Award, names: dict[int, str]) -> facts.ScoreFacts:
    number, fate = award.entrant, award.score.fate
    score = award.score.score if fate == "played" else None
    points, won = _decimal(award.points), _decimal(award.won)
    return facts.ScoreFacts(number, names[number], fate, score, points, won)


def _game(progress: GameProgress) -> facts.GameFacts:
    totals = progress.totals or (0,) * len(progress.players)
    players = tuple(map(facts.PlayerTotal, progress.players, totals))
    turn, player = progress.turn, progress.player
    return facts.GameFacts(progress.number, turn, player, progress.over, players)


def _decimal(value: Points) -> float:
    return round(float(value), DECIMALS)
