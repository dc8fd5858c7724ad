"""The public results: the reading API, and the same answers as files with pages, for any web host.

    write_site(folder, site_files(hub, ()))

`/api/v1/events` gives other programs the content of the viewers' pages, to the same visitors:
everybody, or those who have given the viewing code. It sends no header that lets pages of other
websites read it in a visitor's browser: a hub is in a home or a hall, and any page opened there
could read the players' names. The site's files are for every website to read.
"""

from __future__ import annotations

import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from flask import Blueprint, Response, abort, get_template_attribute, render_template, request

from scoreboard.message import message
from scoreboard.text_files import write_whole
from scoreboard.tournament.hub.overview import GameProgress
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.model.bracket_layout import bracket_drawings
from scoreboard.tournament.model.format_text import printed_settings
from scoreboard.tournament.model.scores import Award, Points
from scoreboard.tournament.model.tournament import Round, Tournament
from scoreboard.tournament.protocol import public_facts as facts
from scoreboard.tournament.protocol.audit_log import UnknownTournamentError
from scoreboard.tournament.protocol.documents import text_of
from scoreboard.tournament.storage.unrecorded import EventMarks, TablePhoto
from web.hub.hub import Hub
from web.hub.progress import PHASES, TableRow, numbered_round, round_name, standing_now, table_rows
from web.hub.rankings import Ranked, tiebreak_columns
from web.shared.words import translate

MarkedEvent = tuple[TournamentSnapshot, EventMarks]
Files = dict[str, bytes]
DECIMALS = 4
STYLE: Final = Path(__file__).with_name("templates") / "site" / "site.css"
WRITTEN: Final = ".tablescore.json"  # the files of the last time, so that no other is ever removed
EVENT_ID: Final = re.compile(r"[a-z0-9-]{1,80}")  # that of a record taken over may be anything


def fact_views(hub: Hub) -> Blueprint:
    """`/api/v1/events`."""
    views = Blueprint("facts", __name__, url_prefix="/api/v1/events")
    answers: tuple[tuple[str, Callable[..., object]], ...] = (
        ("", event_list),
        ("/<tournament_id>", event_facts),
        ("/<tournament_id>/standings", standings_facts),
        ("/<tournament_id>/rounds/<int:number>", round_facts),
        ("/<tournament_id>/tables/<int:number>", watched_table),
    )
    for rule, read in answers:

        def answer(read: Callable[..., object] = read, **which: str | int) -> Response:
            return _answer(read(hub, **which))

        views.add_url_rule(rule, read.__name__, answer, right="viewer")
    return views


def event_list(hub: Hub) -> facts.EventList:
    """The events that are not in the bin, newest first."""
    return facts.EventList(tuple(_summary(*each) for each in shown_events(hub)))


def event_facts(hub: Hub, tournament_id: str) -> facts.EventFacts:
    """An event, who plays, and its rounds, in the reader's language."""
    snapshot, summary = _found(hub, tournament_id)
    state, draw = snapshot.state, get_template_attribute("drawings.html", "picture")
    entrants = (
        facts.EntrantFacts(each.number, each.name, each.club, each.number in state.away)
        for each in state.entrants
    )
    return facts.EventFacts(
        summary,
        tuple(map(translate, printed_settings(state.format))),
        tuple(entrants),
        tuple(_round(state, each) for each in state.rounds),
        tuple(str(draw(each)) for each in bracket_drawings(state)),
    )


def standings_facts(hub: Hub, tournament_id: str) -> facts.StandingsFacts:
    """The standings of an event, best first."""
    snapshot, summary = _found(hub, tournament_id)
    rows = hub.rankings.of(snapshot)
    labels = {name: translate(label) for name, label in tiebreak_columns(rows).items()}
    return facts.StandingsFacts(summary, labels, tuple(map(_standing, rows)))


def round_facts(hub: Hub, tournament_id: str, number: int) -> facts.RoundFacts:
    """The tables of a round by number, and the byes; answers 404 if there is none."""
    snapshot, summary = _found(hub, tournament_id)
    state = snapshot.state
    played = numbered_round(state, number) or abort(404)
    names = state.names_in(number)
    rows = sorted(table_rows(state, played, {}), key=lambda row: row.number)
    byes = tuple(facts.SeatFacts(each, names[each]) for each in played.draw.byes)
    return facts.RoundFacts(summary, _round(state, played), tuple(map(_table, rows)), byes)


def shown_events(hub: Hub, *, in_bin: bool = False) -> list[MarkedEvent]:
    """The events that are not in the bin, or those that are, with their marks, newest first."""
    marks, every = hub.store.event_marks.all(), hub.service.tournaments()
    found = ((each, marks.get(each.header.tournament_id, EventMarks())) for each in every)
    return [each for each in found if (each[1].deleted_at is not None) == in_bin]


def by_section(events: Sequence[MarkedEvent]) -> dict[str, list[MarkedEvent]]:
    """Events that share a heading under it, each other one under its own id; newest first."""
    found: dict[str, list[MarkedEvent]] = {}
    for each in events:
        found.setdefault(each[1].section or each[0].header.tournament_id, []).append(each)
    return found


def watched_table(hub: Hub, tournament_id: str, number: int) -> facts.TableFacts:
    """A table of the newest round as it is now; answers 404 if there is none."""
    snapshot, summary = _found(hub, tournament_id)
    state, last = snapshot.state, snapshot.state.round_at(number) or abort(404)
    (row,) = table_rows(state, last, {}, number)
    table, progress = _table(row), hub.table_api.table(tournament_id, number).progress
    if progress is not None and not progress.over and table.phase == "waiting":
        table = replace(table, phase="playing")  # its device has more to tell than the record
    photo = last_roll(hub, tournament_id, number)
    taken = None if photo is None else photo.taken_at.isoformat()
    now = None if progress is None else _game(progress)
    return facts.TableFacts(summary, _round(state, last), table, now, taken)


def last_roll(hub: Hub, tournament_id: str, number: int) -> TablePhoto | None:
    """The photo of the last roll at a table, if the event shows it."""
    marks = hub.store.event_marks
    return marks.photo(f"{tournament_id}/{number}") if marks.of(tournament_id).photos else None


def _found(hub: Hub, tournament_id: str) -> tuple[TournamentSnapshot, facts.EventSummary]:
    """An event, and how the list shows it."""
    snapshot = hub.service.snapshot(tournament_id)
    return snapshot, _summary(snapshot, hub.store.event_marks.of(tournament_id))


def _summary(snapshot: TournamentSnapshot, marks: EventMarks) -> facts.EventSummary:
    header, state = snapshot.header, snapshot.state
    form, status = state.format, translate(standing_now(state))
    opened_at, counts = header.opened_at.isoformat(), (len(state.entrants), len(state.rounds))
    return facts.EventSummary(
        header.tournament_id, state.title, status, form.game, form.system, opened_at, *counts,
        state.finished, marks.archived_at is not None, marks.test, marks.section
    )  # fmt: skip


def _round(state: Tournament, played: Round) -> facts.RoundSummary:
    name, tables = translate(round_name(state, played)), len(played.draw.tables)
    stage, meeting = played.stage, played.meeting
    return facts.RoundSummary(played.number, name, stage, meeting, played.phase, tables)


def _standing(row: Ranked) -> facts.StandingFacts:
    values = {
        name: None if value is None else _decimal(value) for name, value in row.values.items()
    }
    stage, why = (translate(each) if each else "" for each in (row.stage, row.why))
    return facts.StandingFacts(
        row.place, row.shared, row.entrant, row.name, row.club, _decimal(row.points), values, stage,
        row.away, why, tuple(map(translate, row.penalties))
    )  # fmt: skip


def _table(row: TableRow) -> facts.TableResults:
    names, match = dict(row.seats), translate(row.match) if row.match else ""
    results = tuple(
        facts.ResultFacts(game, each.phase, tuple(_score(award, names) for award in each.result))
        for game, each in row.reported
    )
    seats = tuple(facts.SeatFacts(*seat) for seat in row.seats)
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


def _answer(value: object) -> Response:
    """The value as JSON, with a tag for programs to check whether it changed."""
    answer = Response(text_of(value), mimetype="application/json")
    answer.add_etag()
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Vary"] = "Accept-Language, Cookie"
    answer.make_conditional(request)
    return answer


def site_files(hub: Hub, wanted: Collection[str]) -> Files:
    """All files of the site, of `wanted` or all but tests, in the language of the request.

    Raises UnknownTournamentError.
    """
    known = {each.id: each for each in event_list(hub).events}
    for each in (*wanted, *known):
        if each not in known or EVENT_ID.fullmatch(each) is None:
            raise UnknownTournamentError(each)
    chosen = wanted or {each.id for each in known.values() if not each.test}
    shown = tuple(each for each in known.values() if each.id in chosen)
    files = {"site.css": STYLE.read_bytes()}
    files["index.html"] = _page("index", message("Events"), events=shown)
    files["events.json"] = text_of(facts.EventList(shown)).encode()
    for event in shown:
        for name, content in _event_files(hub, event.id):
            files[f"{event.id}/{name}"] = content
    return files


def _event_files(hub: Hub, event: str) -> Iterator[tuple[str, bytes]]:
    about, standings = event_facts(hub, event), standings_facts(hub, event)
    rounds = [round_facts(hub, event, each.round) for each in about.rounds]
    yield "event.json", text_of(about).encode()
    yield "standings.json", text_of(standings).encode()
    page = partial(_page, facts=about, standings=standings)
    yield "index.html", page("event", about.event.title, json="event")
    heading = message("Final standings") if about.event.finished else message("Standings")
    yield "standings.html", page("standings", heading, json="standings")
    yield "players.html", page("players", message("Players"), games=_games(rounds))
    if about.brackets:
        yield "bracket.html", page("bracket", message("Bracket"))
    for each in rounds:
        name = f"round-{each.round.round}"
        yield f"{name}.json", text_of(each).encode()
        yield f"{name}.html", page("round", each.round.name, played=each, json=name)


def _games(rounds: Sequence[facts.RoundFacts]) -> Mapping[int, list[tuple[int, int, float]]]:
    """Round, table and points of every entrant, by entry number."""
    found = defaultdict[int, list[tuple[int, int, float]]](list)
    for played in rounds:
        for table in played.tables:
            for seat in table.seats:
                scores = (score for game in table.results for score in game.scores)
                points = sum(each.points for each in scores if each.entrant == seat.entrant)
                found[seat.entrant].append((played.round.round, table.table, points))
    return found


def _page(name: str, heading: object, **values: object) -> bytes:
    page = render_template(f"site/{name}.html", heading=heading, phases=PHASES, **values)
    return page.encode()


def zipped(files: Files) -> bytes:
    """The files as a zip, to be unpacked into the folder of any web host."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def write_site(folder: Path, files: Files) -> int:
    """Write what is new, each file whole, remove what is gone; how many. Raises OSError."""
    files = {**files, WRITTEN: json.dumps(sorted(files)).encode()}
    before = folder / WRITTEN
    earlier = json.loads(before.read_bytes()) if before.is_file() else []
    changed = 0
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            write_whole(path, content, 0o644)  # a web server of another user reads it
            changed += name != WRITTEN
    for name in set(earlier) - files.keys():
        if folder.resolve() in (folder / name).resolve().parents:
            (folder / name).unlink(missing_ok=True)
            changed += 1
    return changed
