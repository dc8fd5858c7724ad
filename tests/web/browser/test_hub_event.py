"""A whole event of real processes: a hub, four tables of four kinds, a kill and a cut.

Table 1 is a `tablescore run` that waits for photos, joins by a photo of its slip, and is killed in
the middle of a game; table 2 ran the demo until it joined, and is
cut off from the hub for a round; at table 3 everybody plays by themselves over a bad way, and once
somebody disagrees; table 4 has no device.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext

from hardware.cameras.demo import demo_pictures
from tests.network.bad_way import NEVER, BadWay, bad_way
from tests.network.director import SET_UP
from tests.network.processes import HubProcess, TableProcess
from tests.network.quick_games import is_disputed_at, scores_at
from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.conftest import PHONE, TABLET, is_expected, listen
from tests.web.browser.event_people import (
    BEGIN,
    CONNECTED,
    TABLES,
    Players,
    Scores,
    acts,
    agree_one_by_one,
    camera_sees,
    closes_round,
    codes,
    ends_game,
    finishes,
    heading,
    joins,
    joins_by_photo,
    kept,
    links,
    opens_event,
    plays_by_hand,
    plays_cut_off,
    sees_done,
    sees_standings,
    settles,
    signs_at_desk,
    signs_on_phones,
    starts_round,
    tab,
)
from tests.web.browser.hands import Hands
from tests.web.process import ROOT, RunningProcess
from tests.web.whole_event import whole_event

BOARD: Final = {"width": 1920, "height": 1080}
NAMES: Final = (
    "Anna", "Boris", "Chen", "Dora", "Emil", "Fatma", "Gita", "Hugo",
    "Ines", "Jaro", "Kemal", "Lena", "Mira", "Nils", "Olga", "Pavel",
)  # fmt: skip
ROUNDS: Final = 3
CUT_OFF_IN: Final = 2
LOST: Final = "The connection to the table is lost."
DRAWN: Final = (("tile-0-00", "red 11"), ("tile-1-00", "blue 4"))  # by picture
MELD: Final = "black 10, red 3, red 4, red 5, blue 10, orange 10"
RECORD: Final = "The whole record, for another hub"


@dataclass
class Event:
    """The hub and the tables as processes, and the devices of all who are there."""

    browser: Browser
    folder: Path
    hub: HubProcess
    stack: ExitStack
    contexts: list[BrowserContext] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMES, 0))

    def device(self, size: dict[str, int] = TABLET) -> Hands:
        """A device of its own; a fault in its console fails the test."""
        context = self.browser.new_context(
            viewport=size,  # type: ignore[arg-type]  # a TypedDict
            has_touch=size is PHONE,
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE_MILLISECONDS)
        self.contexts.append(context)
        page = context.new_page()
        listen(page, self.faults)
        return Hands(page, touch=size is PHONE)

    @property
    def set_up(self) -> str:
        """Where the first director begins, as the hub told at its start."""
        secret = SET_UP.search(self.hub.told)
        assert secret is not None
        return f"http://127.0.0.1:{self.hub.port}/set-up/{secret[1]}"

    def run(self, *options: str, port: int = 0) -> RunningProcess:
        """A `tablescore run` that listens."""
        process = RunningProcess(*options, "--port", str(port))
        self.stack.callback(process.end)
        process.wait_until_listening()
        return process

    def at(self, table: RunningProcess) -> Hands:
        """Those who sit at a table, before its page."""
        hands = self.device()
        table.open_in(hands.page)
        return hands

    def way(self, number: int, *, good: bool) -> BadWay:
        """A way to the hub."""
        shares = {"shares": NEVER} if good else {}
        return self.stack.enter_context(bad_way(self.hub.port, Random(number), **shares))

    def scores(self, number: int, table: int, players: Players) -> Scores:
        """What a round brings those at a table, in seat order; their sums are kept."""
        scores = scores_at((number, table, 1), len(players))
        for player, score in zip(players, scores, strict=True):
            self.points[player] += score
        return scores


@dataclass
class Hall:
    """The devices at the tables that have one that somebody touches."""

    first: RunningProcess
    waits: tuple[str, ...]
    one: Hands
    two: Hands
    way: BadWay


@pytest.fixture
def event(browser: Browser, tmp_path: Path) -> Iterator[Event]:
    """A hub that was never started before."""
    with ExitStack() as stack:
        hub = HubProcess(tmp_path)
        stack.callback(hub.kill)
        hub.start()
        made = Event(browser, tmp_path, hub, stack)
        yield made
        for context in made.contexts:
            context.close()
    assert [fault for fault in made.faults if not is_expected(fault)] == []


def rendered(step: str) -> Path:
    """A photo of the table at this step."""
    return Path(str(demo_pictures("demo_rummikub") / step / "throw0" / "02.webp"))


def takes_seats(event: Event, given: list[str], slips: list[bytes]) -> Hall:
    """Switch the tables on, and have them join."""
    waits = ("--camera", "upload", "--database", f"sqlite:///{event.folder / 'photos.sqlite3'}")
    demo = ("--database", f"sqlite:///{event.folder / 'demo.sqlite3'}")
    first, way = event.run(*waits), event.way(2, good=True)
    hall = Hall(first, waits, event.at(first), event.at(event.run(*demo)), way)
    joins_by_photo(hall.one, slips[0])
    joins(hall.two, way.address, given[1])
    third = TableProcess(event.folder / "table-3", event.way(3, good=False), given[2], hours=5)
    event.stack.callback(third.kill)
    third.start()
    return hall


def plays_with_camera(event: Event, hall: Hall, players: Players, scores: Scores) -> None:
    """A game at table 1, begun with the camera; the power fails in the middle of it."""
    acts(hall.one, BEGIN)
    for player, (step, tile) in zip(players, DRAWN, strict=False):
        camera_sees(hall.one, rendered(step), f"{player} draws a tile for the start: {tile}")
    hall.first.kill()
    hall.one.reads(LOST)
    event.run(*hall.waits, port=hall.first.port)
    hall.one.reads_no(LOST)
    acts(hall.one, f"{players[0]} begins")
    camera_sees(hall.one, rendered("lay-0-00"), f"End the turn: {MELD} laid")
    ends_game(hall.one, players, scores)
    agree_one_by_one(hall.one, players)


def plays_without_hub(director: Hands, hall: Hall, players: Players, scores: Scores) -> None:
    """A round at table 2 that the hub hears of later, when the three other tables are done."""
    plays_cut_off(hall.two, hall.way, lambda: plays_by_hand(hall.two, players, scores))
    tab(director, "Desk")
    director.reads("Round 2 is under way; tables done: 3 of 4.")
    sees_done(director, TABLES - 1)
    hall.way.mend()
    hall.two.reads(CONNECTED)


def verified(folder: Path, record: str) -> str:
    """What `tablescore verify` says of the record."""
    file = folder / "event.jsonl"
    file.write_text(record, encoding="utf-8")
    command = [sys.executable, "-m", "web", "verify", str(file)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_a_whole_event_from_the_entries_to_the_signed_standings(event: Event) -> None:
    """16 players, 4 tables, 3 rounds; a table killed, another cut off, a result disputed."""
    director, board, phone = event.device(), event.device(BOARD), event.device(PHONE)
    opens_event(director, event.set_up, NAMES, ROUNDS)
    own = links(director)
    tab(director, "Board")
    board.page.goto(director.page.url)
    director.page.go_back()
    hall = takes_seats(event, *codes(director))
    for number in range(1, ROUNDS + 1):
        seats = starts_round(director, number)
        scores = {at: event.scores(number, at, seats[at]) for at in seats}
        if number == 1:
            plays_with_camera(event, hall, seats[1], scores[1])
        else:
            plays_by_hand(hall.one, seats[1], scores[1])
        if number == CUT_OFF_IN:
            signs_at_desk(director, 4, seats[4], scores[4])
            plays_without_hub(director, hall, seats[2], scores[2])
        else:
            signs_on_phones(phone, own, seats[4], scores[4])
            plays_by_hand(hall.two, seats[2], scores[2])
        if is_disputed_at((number, 3, 1)):
            settles(director, 3)
        closes_round(director, number)
    finishes(director, "Finish the event")
    heading(director, "The event is over: the standings are final.")
    heading(board, "Final standings")
    record = kept(director, RECORD)
    document = whole_event(record)
    assert {row["state"] for row in document["results"]} == {"signed", "settled"}
    assert "every link holds" in verified(event.folder, record)
    tab(director, "Standings")
    sees_standings(director, event.points)
    phone.page.goto(own[document["standings"][0]["name"]])
    phone.reads("The event is over. Your place: 1.")
