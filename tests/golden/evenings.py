"""The events that are led at the golden hub: one of every format, one told move by move."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.golden.commands import invoke
from tests.golden.event import (
    CLUBS,
    DOORS,
    NAMES,
    PAGES,
    PASSWORD,
    PUBLIC,
    SET_UP,
    Place,
    Table,
    begin_round,
    director_at,
    document_of,
    enter_round,
    hand_in,
    opened_event,
    scores_of,
    unsaid,
    write_event_exports,
)
from tests.golden.playthroughs import texts
from tests.golden.seams import Clock, fill_store, hub_app
from tests.golden.visitor import Visitor

ROUNDS = 3
EVERYBODY = dict(zip(NAMES, CLUBS * 3, strict=True))


def write_events(folder: Path, scratch: Path) -> None:
    """Lead them all at one hub, and write what is to be had of each."""
    clock = Clock()
    with hub_app(scratch / "hub.db", clock) as app:
        hub, doors = Visitor(app, clock), Place.of(folder, "doors")
        doors.show(hub, "first", [SET_UP])
        director_at(hub)
        presets = re.findall(r'name="preset" value="([a-z-]+)" form', hub.get("/new"))
        doors.show(hub, "new", [f"/new?preset={preset}" for preset in presets])
        lead_evening(hub, Visitor(app, clock), Place.of(folder, "evening"))
        lead_duel(hub, Visitor(app, clock), Place.of(folder, "duel"), scratch)
        for preset in presets:
            lead_format(hub, preset, Place.of(folder, preset))
        doors.show(hub, "director", ["/", "/people", "/manage"])
        doors.show(Visitor(app, clock), "anyone", DOORS)


def lead_format(hub: Visitor, preset: str, place: Place) -> None:
    """Three rounds of this format with scores that a formula makes up."""
    base = opened_event(hub, preset, f"Golden {preset}", EVERYBODY)
    if preset.startswith("blind"):
        hand_in(hub, base)
        place.show(hub, "handed-in", ["/scores"], base)
    for number in range(1, ROUNDS + 1):
        if begin_round(hub, base, number):
            place.show(hub, f"round-{number}", ["/desk", "/board"], base)
            enter_round(hub, base)
            hub.post(f"{base}/rounds/close")
    place.show(hub, "entered", PAGES, base)
    write_event_exports(hub, base, place)


def lead_evening(hub: Visitor, table: Visitor, place: Place) -> None:
    """Two rounds with all that may happen: tables that tell results, disputes, replacements."""
    hub.submit("/people", "/people/add", name="Rolf", password=PASSWORD, role="referee")
    base = opened_event(hub, "club-evening", "Golden evening", EVERYBODY)
    place.show(hub, "entered", PAGES, base)
    tables = {number: Table(table, number) for number in (1, 2)}
    begin_round(hub, base, 7)
    for number, device in tables.items():
        device.join(hub, base, number)
    place.show(hub, "begun", (*PAGES, "/rounds/1/tables/1"), base)
    tell_results(tables)
    settle(hub, base, 2)
    sign_by_link(hub, table, base, place)
    place.show(hub, "told", (*PAGES, "/rounds/1/tables/1", "/rounds/1/tables/2"), base)
    place.show(table, "viewer", PUBLIC, base)
    enter_round(hub, base)
    hub.post(f"{base}/rounds/close")
    hub.post(f"{base}/entries/5/withdraw", why="went home")
    replacement = {"name": "Rita Poe", "as": "replacement", "why": "ill"}
    hub.post(f"{base}/entries/3/replace", **replacement)
    begin_round(hub, base, 8)
    for device in tables.values():
        device.hear()
    enter_round(hub, base)
    hub.post(f"{base}/rounds/close")
    hub.post(f"{base}/rounds/replan", rounds="2", why="it is late")
    hub.post(f"{base}/finish")
    hub.post(f"{base}/reopen", why="a slip was found")
    hub.post(f"{base}/finish")
    place.show(hub, "finished", (*PAGES, "/rounds/2/tables/1"), base)
    write_event_exports(hub, base, place)
    write_heard(place, {str(number): each.heard for number, each in tables.items()})


def tell_results(tables: Mapping[int, Table]) -> None:
    """Table 1 tells its first game and all sign; at table 2 somebody disputes it."""
    for number, device in tables.items():
        word = device.greet()
        at = {"round": 1, "table": number, "number": 1}
        seats = [seat["entrant"] for seat in word["sitting"]["seats"]]
        scores = [
            {"entrant": seat, "score": score, "fate": "played"}
            for seat, score in scores_of(seats, number, zero_sum=True)
        ]
        signed = [{"kind": "signed", "entrant": seat} for seat in seats]
        if number != 1:
            signed[-1] = {"kind": "disputed", "entrant": seats[-1], "why": "12, not 21"}
        result = {"kind": "result", **at, "scores": scores}
        device.deliver(f"g{number}", result, *signed)
        device.deliver(f"g{number}", {**result, "scores": scores[::-1]})  # disputed: it is told
        device.greet(**{f"g{number}": len(signed) + 1, "g9": 4})
        device.hear()


def settle(hub: Visitor, base: str, table: int) -> None:
    """Settle the first game of a table with scores of the referee's."""
    page = f"{base}/rounds/1/tables/{table}"
    seats = document_of(hub, base)["rounds"][0]["tables"][str(table)]
    scores = scores_of(seats, 5, zero_sum=True)
    filled = {f"1-score-{seat}": str(score) for seat, score in scores}
    hub.submit(page, page, why="counted again", **filled)


def sign_by_link(hub: Visitor, player: Visitor, base: str, place: Place) -> None:
    """A player of table 3 reports a game on a page of their own and signs it; another disputes."""
    seats = document_of(hub, base)["rounds"][0]["tables"]["3"]
    sheet = hub.get(f"{base}/sheets/links")
    links = [re.search(rf"/p/[^/<\s]+/{seat}/[a-z0-9]+", sheet) for seat in seats]
    own = [link[0] for link in links if link is not None]
    place.show(player, "before", own)
    game = "/rounds/1/games/1"
    scores = {f"1-score-{seat}": str(each) for seat, each in scores_of(seats, 3, zero_sum=True)}
    player.submit(own[0], f"{own[0]}/rounds/1", **scores)
    player.post(f"{own[0]}{game}/sign")
    player.post(f"{own[1]}{game}/dispute", why="I had 30")
    place.show(player, "after", own)
    page = f"{base}/rounds/1/tables/3"
    hub.submit(page, page, why="the slip says so", **scores)


def lead_duel(hub: Visitor, table: Visitor, place: Place, scratch: Path) -> None:
    """A game of Yahtzee told by its events, from a playthrough, and signed."""
    names = {"North": "Hill", "South": "Mill"}
    base = opened_event(hub, "yahtzee-duel-swiss", "Golden duel", names)
    hub.post(f"{base}/rounds/draw", seed="1")
    hub.post(f"{base}/rounds/start")
    device = Table(table, 31)
    device.join(hub, base, 1)
    device.greet()
    opened, *events = told_game(scratch, "duel")
    for half in (opened, *events[:40]), (opened, *events):
        device.deliver("told-1", *half)
        device.hear()
        place.show(hub, f"told-{len(half)}", (*PAGES, "/rounds/1/tables/1"), base)
    signed = [{"kind": "signed", "entrant": entrant} for entrant in (1, 2)]
    device.deliver("told-1", opened, *events, *signed)
    device.greet()
    write_event_exports(hub, base, place)
    write_heard(place, {"1": device.heard})


def told_game(scratch: Path, name: str) -> list[dict[str, Any]]:
    """A playthrough as the items that tell it, made of its raw export."""
    database = scratch / f"{name}.db"
    fill_store(database, {name: texts()[name]})
    url = f"sqlite:///{database}"
    raw = invoke("export", name, "--format", "raw", "--database", url)
    header, *records = map(json.loads, raw.splitlines())
    opened = {
        "kind": "opened",
        "game": header["game"],
        "players": json.loads(header["players"]),
        "opened_at": header["opened_at"],
        "round": 1,
        "table": 1,
        "number": 1,
        "entrants": [1, 2],
        "options": json.loads(header["options"]),
    }
    told = ("sequence", "recorded_at", "source", "step")
    return [
        opened,
        *(
            {
                "kind": "event",
                **{key: each[key] for key in told},
                "event": json.loads(each["event"]),
            }
            for each in records
        ),
    ]


def write_heard(place: Place, heard: Mapping[str, Any]) -> None:
    """All that the tables of an event were answered."""
    text = json.dumps(unsaid(heard), ensure_ascii=False, indent=1)
    place.put(place.exact / "heard.json", f"{text}\n")
    text = json.dumps(heard, ensure_ascii=False, indent=1)
    place.put(place.pages / "heard.json", f"{text}\n")
