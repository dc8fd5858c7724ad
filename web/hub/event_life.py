"""A director's acts on whole events: opened, changed, copied, archived, deleted, tried out."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from flask import Blueprint, g, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.message import Message, message
from scoreboard.text_files import decode_text
from scoreboard.tournament.hub.table_updates import coming_game, results_at
from scoreboard.tournament.hub.tournament_service import LONGEST_TITLE, event_title
from scoreboard.tournament.model.authority import CommandRefusedError
from scoreboard.tournament.model.disputes import Sign
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.format_text import FormatError, read_format, write_format
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import ReportResult, SubmitScore
from scoreboard.tournament.model.scores import GameScores, Score
from scoreboard.tournament.model.settings import ChangeFormat, ResultAwarded
from scoreboard.tournament.model.tournament import Command, Tournament, carried_out, decide
from scoreboard.tournament.model.tournament_format import TournamentFormat
from web.hub.access import LARGEST_UPLOAD_BYTES, visitor
from web.hub.accounts import NO_DIRECTOR, has_director
from web.hub.format_form import answered, form_parts, format_of, starting_format
from web.hub.forms import FieldError, attribution, back, confirm, give, one_line, sent_form, whole
from web.hub.hub import Hub, event_page
from web.hub.public_api import by_section, shown_events
from web.hub.rankings import ranking
from web.shared.words import translate

NO_FILE: Final = message("Choose the file that the other hub exported.")
FIRST_PRESET: Final = "club-evening"
LONGEST_PRESET: Final = 60
LONGEST_SECTION: Final = 80
MOST_NAMED: Final = 5
LOG: Final = logging.getLogger(__name__)


def presets(hub: Hub) -> Mapping[str, TournamentFormat]:
    """The formats to begin from, by name: the directors' own first."""
    own = {}
    for name, text in hub.store.event_marks.presets().items():
        try:
            own[f"own-{name}"] = read_format(text)
        except FormatError as error:  # a newer Tablescore saved it: theirs is not ours to read
            LOG.warning("the preset %s cannot be read: %s", name, error)
    return {**own, **{name: replace(each, next_match="called") for name, each in FORMATS.items()}}


def _begun(hub: Hub, start: str) -> TournamentFormat:
    """The preset that a new event begins from, or what its game and system do without one."""
    asked = request.values
    answers = asked.get("game", ""), asked.get("system", "")
    return presets(hub).get(start) or starting_format(*answers)


def events_views(hub: Hub) -> Blueprint:
    """`/` and `/new`."""
    views = Blueprint("events", __name__)

    @views.get("/", right="viewer")
    def show() -> str:
        events = shown_events(hub)
        shown = by_section([each for each in events if each[1].archived_at is None])
        archived = by_section([each for each in events if each[1].archived_at is not None])
        first = None if events or has_director(hub.store) else NO_DIRECTOR
        return render_template("events.html", sections=shown, archived=archived, first=first)

    @views.get("/new", right="director")
    def ask() -> str:
        asked, sent = request.values, sent_form(url_for("events.create"))
        start = asked.get("preset", asked.get("start", FIRST_PRESET))
        fields = {"title": asked.get("title", "")} | answered(asked, _begun(hub, start))
        return render_template(
            "new_event.html",
            start="" if "choose" in asked else start,
            presets=presets(hub),
            form=sent,
            **form_parts(sent.fields or fields),
        )

    @views.post("/new", right="director", page="events.ask", seen="events")
    def create() -> AnyResponse:
        title, form = request.form.get("title", ""), format_of(request.form)
        made = hub.service.open(title, form, visitor(hub).actor, g.get("seen"))
        return back("entries.show", tournament_id=made)

    return views


def life_views(hub: Hub) -> Blueprint:
    """`/e/<id>/edit`, `/mark` and `/fill`."""
    views = Blueprint("life", __name__, url_prefix="/e/<tournament_id>")
    marks = hub.store.event_marks

    @views.get("/edit", right="director")
    def edit(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        state, sent = snapshot.state, sent_form()
        fields = {"title": state.title} | answered(request.args, state.format)
        drawn, teams = bool(state.rounds or state.solo), bool(state.teams)
        shown = form_parts(sent.fields or fields, drawn=drawn, teams=teams)
        return event_page("edit_event.html", snapshot, form=sent, **shown)

    @views.post("/edit", right="director", page="life.edit")
    def change(tournament_id: str) -> AnyResponse:
        snapshot = hub.service.snapshot(tournament_id)
        title, form = event_title(request.form.get("title", "")), format_of(request.form)
        command = ChangeFormat(title, form, **attribution(hub))
        confirm(*consequences(snapshot.state, command))
        give(hub, tournament_id, command, expected=snapshot.version)
        return back("event.settings", tournament_id=tournament_id)

    @views.post("/mark", right="director", page="event.settings", seen="nothing")
    def mark(tournament_id: str) -> AnyResponse:
        hub.service.snapshot(tournament_id)
        if "archived" in request.form:
            archived_at = hub.clock() if request.form["archived"] else None
            marks.change(tournament_id, archived_at=archived_at)
            return back("manage.event", tournament_id=tournament_id)
        section = request.form.get("section", marks.of(tournament_id).section)
        section = " ".join(section.split())[:LONGEST_SECTION]
        photos = bool(request.form.get("photos"))
        marks.change(tournament_id, section=section, photos=photos)
        if not photos:
            marks.forget_photos(tournament_id)
        return back("event.settings", tournament_id=tournament_id)

    @views.post("/fill", right="director", page="desk.show")
    def fill(tournament_id: str) -> AnyResponse:
        if not marks.of(tournament_id).test:
            raise ConflictError(message("This is no test event: its results are played."))
        while given := made_up_results(hub.service.snapshot(tournament_id).state, hub.chance):
            give(hub, tournament_id, *given)
        return back("desk.show", tournament_id=tournament_id)

    return views


def manage_views(hub: Hub) -> Blueprint:
    """`/manage`, with and without an event: what makes events of others, and what removes them."""
    views = Blueprint("manage", __name__)
    marks = hub.store.event_marks

    @views.get("/e/<tournament_id>/manage", right="director", endpoint="event")
    @views.get("/manage", right="director", endpoint="show")
    def show(tournament_id: str = "") -> str:
        known = {"presets": presets(hub), "events": shown_events(hub)}
        known["deleted"] = shown_events(hub, in_bin=True)
        if tournament_id:
            return event_page("manage.html", hub.service.snapshot(tournament_id), **known)
        return render_template("manage.html", **known)

    @views.post("/e/<tournament_id>/preset", right="director", page="manage.event", seen="nothing")
    def save_preset(tournament_id: str) -> AnyResponse:
        form = hub.service.snapshot(tournament_id).state.format
        name = one_line("name", LONGEST_PRESET)
        marks.save_preset(name, write_format(replace(form, name=name)))
        return back("events.ask", preset=f"own-{name}")

    @views.post("/new/delete-preset", right="director", page="manage.show", seen="nothing")
    def delete_preset() -> AnyResponse:
        marks.delete_preset(request.form.get("preset", "").removeprefix("own-"))
        return back("manage.show")

    @views.post("/e/<tournament_id>/delete", right="director", page="manage.event", seen="nothing")
    def delete(tournament_id: str) -> AnyResponse:
        title = hub.service.snapshot(tournament_id).state.title
        confirm(message("“{title}” goes into the bin; from there it can be restored.", title=title))
        marks.change(tournament_id, deleted_at=hub.clock())
        LOG.info("into the bin: %s, by %s", tournament_id, visitor(hub).name)
        return back("manage.show")

    in_bin = "/bin/<tournament_id>/<any(restore, erase):act>"

    @views.post(in_bin, right="director", page="manage.show", binned=True, seen="nothing")
    def act_in_bin(tournament_id: str, act: str) -> AnyResponse:
        title = hub.service.snapshot(tournament_id).state.title
        if marks.of(tournament_id).deleted_at is None:
            raise ConflictError(message("“{title}” is not in the bin.", title=title))
        if act == "restore":
            marks.change(tournament_id, deleted_at=None)
        else:
            lost = message(
                "“{title}” is erased with all its games. Nothing brings it back.", title=title
            )
            confirm(lost)
            marks.erase(tournament_id)
        LOG.info("out of the bin: %s, by %s: %s", tournament_id, visitor(hub).name, act)
        return back("manage.show")

    _add_ways_to_an_event(views, hub)
    return views


def _add_ways_to_an_event(views: Blueprint, hub: Hub) -> None:
    marks = hub.store.event_marks

    @views.post("/e/<tournament_id>/copy", right="director", page="manage.event", seen="events")
    def copy(tournament_id: str) -> AnyResponse:
        state, actor = hub.service.snapshot(tournament_id).state, visitor(hub).actor
        best = whole("best", request.form.get("best") or "0")
        title = request.form.get("title", "")
        made = hub.service.open(title, state.format, actor, g.get("seen"))
        was = marks.of(tournament_id)
        marks.change(made, test=was.test, photos=was.photos, section=was.section)
        if best or request.form.get("entrants"):
            there = [each for each in state.entrants if each.number not in state.away]
            if best:
                order = [each.entrant for each in ranking(state)]
                there.sort(key=lambda each: order.index(each.number))
                seeded = enumerate(there[:best], start=1)
                there = [replace(each, seed_rank=at) for at, each in seeded]
            hub.service.give_all(made, [Enter(each) for each in there], actor)
        return back("entries.show", tournament_id=made)

    @views.post("/test-event", right="director", page="manage.show", seen="events")
    def try_out() -> AnyResponse:
        form = _begun(hub, request.form.get("preset", FIRST_PRESET))
        title = translate(message("Test: {format}", format=form.name))
        made = hub.service.open(title[:LONGEST_TITLE], form, visitor(hub).actor, g.get("seen"))
        marks.change(made, test=True)
        entrants = [Enter(Entrant(number, name)) for number, name in enumerate(NAMES, start=1)]
        hub.service.give_all(made, entrants, visitor(hub).actor)
        return back("desk.show", tournament_id=made)

    @views.post(
        "/take-over",
        right="director",
        page="manage.show",
        most_bytes=LARGEST_UPLOAD_BYTES,
        seen="nothing",
    )
    def take_over() -> AnyResponse:
        sent = request.files.get("file")
        try:
            text = decode_text(sent.read()) if sent else ""
        except UnicodeDecodeError as error:
            raise FieldError("file", NO_FILE) from error
        if not text.strip():
            raise FieldError("file", NO_FILE)
        return back("event.show", tournament_id=hub.service.take_over(text))


def consequences(state: Tournament, command: ChangeFormat) -> tuple[Message, ...]:
    """The effects of new settings on the standings; empty if no place changes.

    Raises CommandRefusedError if the settings cannot be changed so.
    """
    awarded = sum(isinstance(each, ResultAwarded) for each in decide(state, command))
    before = {row.entrant: row.place for row in ranking(state)}
    moved = [
        message("{name}: from place {was} to {now}", name=row.name, was=was, now=row.place)
        for row in ranking(carried_out(state, command))
        if (was := before[row.entrant]) != row.place
    ]
    if not (state.rounds or state.solo) or not (moved or awarded):
        return ()
    anew = message(
        "The standings will be reckoned anew. Results with other points: {results}. Changed "
        "places: {places}.",
        results=awarded,
        places=len(moved),
    )
    return (anew, *moved[:MOST_NAMED])


NAMES: Final = (
    "Amira", "Ben", "Carla", "Daniel", "Eun-ji", "Felix", "Grace", "Haruto",
    "Ines", "Jonas", "Kenji", "Lena", "Min-jun", "Nora", "Oskar", "Priya",
)  # fmt: skip
MOST: Final = 99


def made_up_results(state: Tournament, chance: Random) -> list[Command]:
    """A random result for the next game of each running table, signed by all; none at the end."""
    if state.format.system == "blind":
        handed_in = {each.entrant for each in state.solo}
        missing = (each for each in state.present if each not in handed_in)
        return [SubmitScore(each, chance.randint(1, MOST)) for each in missing]
    running = [each for each in state.rounds if each.phase == "running"]
    if not running:
        raise CommandRefusedError(message("Draw and start a round first: then it can be filled."))
    given: list[Command] = []
    for played, table in ((each, table) for each in running for table in each.draw.tables):
        game, games = coming_game(state, played, table, results_at(played, table.number))
        if game <= games:
            at = (played.number, table.number, game)
            given.append(ReportResult(*at, _scores(state, table, chance)))
            given += (Sign(*at, entrant) for entrant in table.seats)
    return given


def _scores(state: Tournament, table: TableSeats, chance: Random) -> GameScores:
    """Distinct scores; the winner gains what the others lose if they must sum to 0."""
    figures = chance.sample(range(1, MOST + 1), len(table.seats))
    if state.format.zero_sum:
        winner = chance.randrange(len(figures))
        figures = [-each for each in figures]
        figures[winner] -= sum(figures)
    return GameScores(tuple(map(Score, table.seats, figures)))
