"""A hub to check a table's program against: it reports what is wrong with what the table sends.

A hub proper keeps and ignores what a newer table may mean, and judges a game at its end; the author
of a program needs to hear of each member, item and event at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, request

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Setup
from scoreboard.games.engine.transcript import events_in_force
from scoreboard.message import message
from scoreboard.tournament.hub.ingestion import obstacle
from scoreboard.tournament.hub.replay import ReplayedGame, rule_violation
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from scoreboard.tournament.model.rounds import DrawRound, StartRound
from scoreboard.tournament.protocol import items
from scoreboard.tournament.protocol.audit_log import Actor
from scoreboard.tournament.protocol.documents import WireError, document_of, value_from_text
from scoreboard.tournament.protocol.hub_update import Challenge, Greeting, JoinRequest
from web.hub.access import bearer
from web.hub.format_form import starting_format
from web.hub.hub import Hub

API: Final = "/api/v1/"
MOST_GAMES: Final = 50
NAMES: Final = ("North", "South")  # as in the recorded game of the protocol's page
MESSAGES: Final[Mapping[str, type[Any]]] = {
    "api.join": JoinRequest,
    "api.prove": Challenge,
    "api.greet": Greeting,
    "api.deliver": items.Delivery,
}


def check_clients(hub: Hub, app: Flask, report: Callable[[str], object]) -> None:
    """Open an event of the first game for two, and report its code and each table's faults."""
    actor = Actor("director", "Trial")
    evening = starting_format(next(iter(GAMES)), "tables")
    form = replace(evening, rounds=1, games=MOST_GAMES, table_size=2, smallest_table=2)
    tournament_id = hub.service.open("Trial", form, actor)
    entries = (Enter(Entrant(number, name)) for number, name in enumerate(NAMES, start=1))
    hub.service.give_all(tournament_id, (*entries, DrawRound(1), StartRound()), actor)

    def offer_code() -> None:
        report(f"  code     {hub.admission.offer_code(tournament_id, 1)} lets table 1 join")

    @app.after_request
    def check(response: Response) -> Response:
        if request.path.startswith(API):
            report(f"{request.method} {request.path}: {response.status_code}")
            for fault in faults_of(hub, response):
                report(f"  wrong    {fault}")
            if request.endpoint == "api.join" and response.status_code == HTTPStatus.OK:
                offer_code()  # the next try of a program begins with another one
        return response

    offer_code()


def faults_of(hub: Hub, response: Response) -> Iterator[str]:
    """What is wrong with the current request of the protocol, which got this answer."""
    kind = MESSAGES.get(request.endpoint or "")
    if response.status_code != HTTPStatus.OK:
        yield (response.get_json(silent=True) or {}).get("message", "the protocol has no such path")
    elif kind is not None:
        sent = value_from_text(kind, request.get_data())
        yield from strangers(request.get_json(force=True), document_of(sent))
        if isinstance(sent, items.Delivery):
            for item in sent.items:
                yield from _faults_of_item(item)
            yield from _faults_of_stock(value_from_text(items.Receipt, response.get_data()))
            yield from _faults_of_game(hub, hub.table_api.replayed(sent.game_id))


def strangers(sent: object, known: object, path: str = "") -> Iterator[str]:
    """The members of a JSON document that the one that was read from it lacks."""
    if isinstance(sent, dict) and isinstance(known, dict):
        for name, value in sent.items():
            if name in known:
                yield from strangers(value, known[name], f"{path}{name}.")
            else:
                yield f"the member {path}{name} is unknown, and ignored"
    elif isinstance(sent, list) and isinstance(known, list):
        for at, (one, other) in enumerate(zip(sent, known, strict=False)):
            yield from strangers(one, other, f"{path}{at}.")


def _faults_of_item(item: items.Item) -> Iterator[str]:
    try:
        content = items.item_of(item.body)
    except WireError as error:
        yield f"item {item.sequence}: {error}"
        return
    if isinstance(content, items.Unknown):
        yield f"item {item.sequence}: the kind “{content.kind}” is unknown, and ignored"
    else:
        for fault in strangers(item.body, items.body_of(content)):
            yield f"item {item.sequence}: {fault}"


def _faults_of_stock(receipt: items.Receipt) -> Iterator[str]:
    if receipt.held.gaps:
        missing = ", ".join(map(str, receipt.held.gaps))
        yield f"items {missing} are missing: nothing above {receipt.held.through} is replayed yet"
    if receipt.disputed:
        disputed = ", ".join(map(str, receipt.disputed))
        yield f"items {disputed} were delivered before with another content, which the hub keeps"


def _faults_of_game(hub: Hub, replay: ReplayedGame) -> Iterator[str]:
    """The first fault of a game so far; of one that is over why it does not count."""
    place, violation = hub.admission.table_of(bearer()), None
    if replay.fault is not None:
        yield f"{replay.cause} Later items are kept, and not replayed: begin another game id."
        return
    if isinstance(replay.opened, items.Opened) and replay.rulebook is not None:
        setup = Setup(replay.opened.players, replay.opened.options)
        try:
            violation = rule_violation(replay.rulebook, setup, events_in_force(replay.records))
        except Exception as error:  # noqa: BLE001 -- a program may send any events, in any order
            yield f"the rulebook cannot follow the events: {error!r}"
        if violation is not None and ("told", message("nothing")) in violation.values:
            violation = None  # the rest of an act may be on its way
    if place is not None:
        state = hub.service.snapshot(place.tournament_id).state
        violation = violation or obstacle(state, place.table, replay)
    if violation is not None:
        yield str(violation)
