"""A player's own page and its short address for typing: seat, results, signatures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urljoin

from flask import Blueprint, abort, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.message import Message, message
from scoreboard.tournament.hub.admission import read_code
from scoreboard.tournament.hub.snapshot import TournamentSnapshot
from scoreboard.tournament.hub.table_updates import coming_game as game_to_come
from scoreboard.tournament.hub.table_updates import results_at
from scoreboard.tournament.hub.tournament_service import player_actor
from scoreboard.tournament.model.disputes import Dispute, Sign
from scoreboard.tournament.model.round_draw import still_in, undecided_tables
from scoreboard.tournament.model.tournament import Command, Reported, Round, Tournament
from web.hub import results
from web.hub.entries import check_player_in, presence_of
from web.hub.forms import back, reason
from web.hub.hall import clock_document, own_messages
from web.hub.hub import Hub, event_page, public_address
from web.hub.progress import numbered_round
from web.shared.words import translate

ROUND = "/rounds/<int:round_number>"


def player_views(hub: Hub) -> Blueprint:
    """`/p/<id>/<number>/<key>`."""
    prefix = "/p/<tournament_id>/<int:number>/<key>"
    views = Blueprint("player", __name__, url_prefix=prefix)

    @views.get("", right="player", waiting=True)
    def show(tournament_id: str, number: int, key: str) -> str:
        return _page(hub, hub.service.snapshot(tournament_id), number, key)

    @views.post("/here", right="player", page="player.show", seen="nothing")
    def check_in(tournament_id: str, number: int, key: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        if presence_of(hub, tournament_id, state).open:
            check_player_in(hub, tournament_id, state, number)
        return _own_page(tournament_id, number, key)

    @views.post("/messages/<int:message_id>", right="player", page="player.show", seen="nothing")
    def seen(tournament_id: str, number: int, key: str, message_id: int) -> AnyResponse:
        hub.store.messages.note_seen(tournament_id, message_id, number)
        return _own_page(tournament_id, number, key)

    @views.post(ROUND, right="player", page="player.show", seen="nothing")
    def report(tournament_id: str, number: int, key: str, round_number: int) -> AnyResponse:
        place = own_place(hub.service.snapshot(tournament_id).state, round_number, number)
        return _given(hub, tournament_id, number, key, *results.typed_results(hub, place))

    answering = f"{ROUND}/games/<int:game>/<any(sign, dispute):answer>"

    @views.post(answering, right="player", page="player.show", seen="nothing")
    def answer(  # noqa: PLR0913, PLR0917 -- the parts of the address
        tournament_id: str, number: int, key: str, round_number: int, game: int, answer: str
    ) -> AnyResponse:
        place = own_place(hub.service.snapshot(tournament_id).state, round_number, number)
        reported = place.result(game)
        if answer == "sign" and reported is not None and number in reported.signed:
            return _own_page(tournament_id, number, key)  # the button was pressed twice
        results.require_unchanged(reported)
        at = (*place.at, game, number)
        command = Sign(*at) if answer == "sign" else Dispute(*at, reason())
        return _given(hub, tournament_id, number, key, command)

    return views


def _page(hub: Hub, snapshot: TournamentSnapshot, number: int, key: str) -> str:
    """A player's own page, or that of someone on the waiting list."""
    state = snapshot.state
    me = state.entrant(number)
    if me is None:
        place = [each.number for each in state.waiting].index(number)
        waits = {"me": state.waiting[place], "place": place + 1}
        return event_page("sign_up.html", snapshot, key=key, **waits)
    last = state.round_of(number) or state.last_round
    seated = None if last is None else last.draw.table_of(number)
    rank = next(row for row in hub.rankings.of(snapshot) if row.entrant == number)
    return event_page(
        "player.html",
        snapshot,
        me=me,
        key=key,
        last=last,
        seats=seated,
        mates=[_called(state, each) for each in seated.seats if each != number] if seated else [],
        rank=rank,
        results=own_results(state, number),
        coming=coming_game(state, number),
        next_match=next_match(state, number),
        fates=results.FATE_WORDS,
        presence=presence_of(hub, snapshot.header.tournament_id, state),
        messages=own_messages(hub, snapshot.header.tournament_id, number),
        clock=clock_document(hub, state),
    )


def _called(state: Tournament, number: int) -> str:
    name = state.names[number]
    if number not in state.away:
        return name
    return translate(message("{name} (dropped out)", name=name))


def _given(hub: Hub, tournament_id: str, number: int, key: str, *given: Command) -> AnyResponse:
    hub.service.give_all(tournament_id, given, player_actor(number))
    return _own_page(tournament_id, number, key)


def _own_page(tournament_id: str, number: int, key: str) -> AnyResponse:
    return back("player.show", tournament_id=tournament_id, number=number, key=key)


def own_place(state: Tournament, round_number: int, number: int) -> results.ResultPlace:
    """A player's table in a round; answers 404 if there is none."""
    played = numbered_round(state, round_number) or abort(404)
    return results.ResultPlace(state, played, played.draw.table_of(number) or abort(404))


def own_results(state: Tournament, number: int) -> list[tuple[Round, int, Reported]]:
    """The results of a player's tables, newest first, each with its round and game."""
    return [
        (played, game, reported)
        for played in reversed(state.rounds)
        if (seats := played.draw.table_of(number)) is not None
        for game, reported in reversed(tuple(results_at(played, seats.number).items()))
    ]


def coming_game(state: Tournament, number: int) -> tuple[results.ResultPlace, int] | None:
    """The place and the game that a player's table reports next, if any."""
    last = state.round_of(number)
    seats = None if last is None else last.draw.table_of(number)
    if last is None or seats is None or last.phase != "running":
        return None
    game, games = game_to_come(state, last, seats, results_at(last, seats.number))
    return (results.ResultPlace(state, last, seats), game) if game <= games else None


def next_match(state: Tournament, number: int) -> Message | None:
    """What comes for a player without an open match, where matches are called one by one."""
    last, current = state.round_of(number), state.current_rounds
    called = state.stage_format.calls_matches and state.has_bracket
    if not called or current[0].phase == "drawn":
        return None
    if last and last.draw.table_of(number) in undecided_tables(state, last):
        return None
    waits = message("Your next match is called as soon as both players are free.")
    return waits if number in still_in(state) else message("Your last match is over.")


EVENTS_KEPT: Final = 128


def player_links(hub: Hub, tournament_id: str, state: Tournament) -> dict[int, tuple[str, str]]:
    """The address of every player's page, long and short, by entry number."""
    here, found = public_address(hub.settings, request.host_url), {}
    for number, name in state.entered_as.items():
        at: dict[str, Any] = {"tournament_id": tournament_id, "number": number}
        at |= {"key": hub.keys.player(tournament_id, number, name)}
        code = hub.keys.short(tournament_id, number, name)
        long, short = url_for("player.show", **at), url_for("short.lead", code=code)
        found[number] = (urljoin(here, long), urljoin(here, short))
    return found


def short_views(hub: Hub) -> Blueprint:
    """`/p/<code>`, which leads to a player's own page; QR codes have it in capitals."""
    views = Blueprint("short", __name__)

    @lru_cache(EVENTS_KEPT)
    def codes(tournament_id: str, names: tuple[tuple[int, str], ...]) -> Mapping[str, int]:
        """The entry number of each code of an event; thousands are not worked out every time."""
        return {
            hub.keys.short(tournament_id, number, name).replace("-", ""): number
            for number, name in names
        }

    @views.get("/P/<code>", right="anyone", tries="short")
    @views.get("/p/<code>", right="anyone", tries="short")  # the first, which addresses are made of
    def lead(code: str) -> AnyResponse:
        typed = read_code(code).replace("-", "")
        for snapshot in hub.service.tournaments():
            tournament_id, names = snapshot.header.tournament_id, snapshot.state.entered_as
            number = codes(tournament_id, tuple(names.items())).get(typed)
            if number is not None:
                key = hub.keys.player(tournament_id, number, names[number])
                return back("player.show", tournament_id=tournament_id, number=number, key=key)
        raise NotFound

    return views
