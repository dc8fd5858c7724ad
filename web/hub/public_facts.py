"""What everybody may know of an event, worked out for the reading API and the published pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from scoreboard.message import Message
from scoreboard.tournament.hub.overview import GameProgress
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.printed_settings import printed_settings
from scoreboard.tournament.model.scores import Award, Points
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.protocol.public_facts import (
    EntrantFacts,
    EventFacts,
    EventSummary,
    GameFacts,
    PlayerTotal,
    ResultFacts,
    RoundFacts,
    RoundSummary,
    ScoreFacts,
    SeatFacts,
    StandingFacts,
    StandingsFacts,
    TableFacts,
    TableResults,
)
from scoreboard.tournament.storage.event_marks import EventMarks
from web.hub.progress import TableRow, round_name, standing_now, table_rows
from web.hub.rankings import ranking, tiebreak_columns

Words = Callable[[Message], str]
DECIMALS = 4


def event_summary(snapshot: TournamentSnapshot, marks: EventMarks, words: Words) -> EventSummary:
    """An event as the list shows it, its status in the reader's words."""
    state = snapshot.state
    return EventSummary(
        id=snapshot.header.tournament_id,
        title=state.title,
        status=words(standing_now(state)),
        game=state.format.game,
        system=state.format.system,
        opened_at=snapshot.header.opened_at.isoformat(),
        entrants=len(state.entrants),
        rounds=len(state.rounds),
        finished=state.finished,
        archived=marks.archived_at is not None,
        test=marks.test,
        section=marks.section,
    )


def event_facts(state: Tournament, summary: EventSummary, words: Words) -> EventFacts:
    """The event with its settings, entrants and rounds."""
    return EventFacts(
        summary,
        tuple(map(words, printed_settings(state.format))),
        tuple(
            EntrantFacts(each.number, each.name, each.club, each.number in state.away)
            for each in state.entrants
        ),
        tuple(round_summary(state, each, words) for each in state.rounds),
    )


def round_summary(state: Tournament, played: Round, words: Words) -> RoundSummary:
    """A round as the list of rounds shows it."""
    return RoundSummary(
        played.number,
        words(round_name(state, played)),
        played.stage,
        played.meeting,
        played.phase,
        len(played.draw.tables),
    )


def standings_facts(state: Tournament, summary: EventSummary, words: Words) -> StandingsFacts:
    """The standings with every tie-break's value, and why one stands above the next."""
    rows = ranking(state)
    return StandingsFacts(
        summary,
        {name: words(label) for name, label in tiebreak_columns(rows).items()},
        tuple(
            StandingFacts(
                row.place,
                row.shared,
                row.entrant,
                row.name,
                row.club,
                _decimal(row.points),
                {
                    name: None if value is None else _decimal(value)
                    for name, value in row.values.items()
                },
                words(row.stage) if row.stage else "",
                row.away,
                words(row.why) if row.why else "",
            )
            for row in rows
        ),
    )


def round_facts(
    state: Tournament, played: Round, summary: EventSummary, words: Words
) -> RoundFacts:
    """The tables of a round with their results, by number."""
    names = state.names_in(played.number)
    rows = sorted(table_rows(state, played, {}), key=lambda row: row.number)
    return RoundFacts(
        summary,
        round_summary(state, played, words),
        tuple(_table(row, words) for row in rows),
        tuple(SeatFacts(each, names[each]) for each in played.draw.byes),
    )


def table_facts(
    found: RoundFacts, number: int, progress: GameProgress | None, photo_at: datetime | None
) -> TableFacts:
    """A table of the newest round with its running game. Raises LookupError without such a table.

    `progress` is None where no device tells of a game.
    """
    table = next((each for each in found.tables if each.table == number), None)
    if table is None:
        raise LookupError(number)
    now = None if progress is None else _game(progress)
    taken = None if photo_at is None else photo_at.isoformat()
    return TableFacts(found.event, found.round, table, now, taken)


def _table(row: TableRow, words: Words) -> TableResults:
    names = dict(row.seats)
    return TableResults(
        row.number,
        words(row.match) if row.match else "",
        row.phase,
        row.games,
        tuple(SeatFacts(number, name) for number, name in row.seats),
        tuple(
            ResultFacts(game, each.phase, tuple(_score(award, names) for award in each.result))
            for game, each in row.reported
        ),
    )


def _score(award: Award, names: dict[int, str]) -> ScoreFacts:
    score = award.score
    return ScoreFacts(
        score.entrant,
        names[score.entrant],
        score.fate,
        score.score if score.fate == "played" else None,
        _decimal(award.points),
        _decimal(award.won),
    )


def _game(progress: GameProgress) -> GameFacts:
    totals = progress.totals or (0,) * len(progress.players)
    return GameFacts(
        progress.number,
        progress.turn,
        progress.player,
        progress.over,
        tuple(map(PlayerTotal, progress.players, totals)),
    )


def _decimal(value: Points) -> float:
    return round(float(value), DECIMALS)
