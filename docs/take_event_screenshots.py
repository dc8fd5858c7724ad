"""Takes the documentation's pictures of an event: a hub in the middle of its second round.

Run it with `make screenshots`; it writes docs/images.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import click
from argon2 import PasswordHasher
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from werkzeug.serving import make_server

from scoreboard.access import Account
from scoreboard.hub.desk import HubDesk
from scoreboard.hub.look import Look
from scoreboard.logbook import Actor
from scoreboard.store.hub import open_hub_store
from scoreboard.tournament.entrant import Entrant
from scoreboard.tournament.formats import FORMATS
from scoreboard.tournament.orders import (
    CloseRound,
    Dispute,
    DrawRound,
    Enter,
    Order,
    ReportResult,
    Sign,
    StartRound,
)
from scoreboard.tournament.table_result import GameScores, Score
from tests.web.browser.conftest import CHROMIUM, QUIET
from web.hub.app import create_hub_app
from web.hub.hub import House
from web.hub.keys import Keys
from web.hub.passwords import Passwords
from web.hub.starting import hub_of, secret_of

IMAGES = Path(__file__).parent / "images"
DESK: ViewportSize = {"width": 1280, "height": 900}
HALL: ViewportSize = {"width": 1920, "height": 1080}
PHONE: ViewportSize = {"width": 390, "height": 780}
DIRECTOR = Actor("director", "Director")
PASSWORD = "four plain small words"  # noqa: S105 -- of an account that lives as long as the pictures
NAMES = ("Ada", "Ben", "Cem", "Dina", "Eli", "Finn", "Gil", "Hana",
         "Ida", "Jan", "Kim", "Lev", "Mia", "Noa", "Ole", "Pia")  # fmt: skip
CLUBS = ("Harbour", "Hill", "Mill", "Bridge")


def prepared(database: str) -> tuple[str, str]:
    """Bring an event up to the middle of its second round; its id, and a player's own page."""
    store = open_hub_store(database)
    desk, chance = HubDesk(store, lambda: datetime.now(UTC)), Random(4)
    hashed = Passwords(PasswordHasher()).hashed(PASSWORD)
    store.people.add_account(Account(DIRECTOR.name, "director", hashed))
    made = desk.open("Autumn evening", FORMATS["club-evening"], DIRECTOR)
    people = enumerate(NAMES, start=1)
    entrants = [Entrant(number, name, CLUBS[number % 4]) for number, name in people]
    desk.give_all(made, [*map(Enter, entrants), DrawRound(7), StartRound()], DIRECTOR)
    for table in range(1, 5):
        for game in (1, 2):
            desk.give_all(made, signed_game(desk.look(made), table, game, chance), DIRECTOR)
    desk.give_all(made, [CloseRound(), DrawRound(8), StartRound()], DIRECTOR)
    desk.give_all(made, signed_game(desk.look(made), 1, 1, chance), DIRECTOR)
    desk.give_all(made, signed_game(desk.look(made), 3, 1, chance)[:2], DIRECTOR)
    game = signed_game(desk.look(made), 2, 1, chance)
    seats = desk.look(made).state.rounds[-1].draw.tables[1].seats
    dispute = Dispute(2, 2, 1, seats[1], "my rack held 12, not 21")
    desk.give_all(made, [game[0], dispute], DIRECTOR)
    keys = Keys(secret_of(store))
    player = desk.look(made).state.rounds[-1].draw.tables[2].seats[2]
    key = keys.player(made, player, NAMES[player - 1])
    store.close()
    return made, f"p/{made}/{player}/{key}"


def signed_game(look: Look, table: int, game: int, chance: Random) -> list[Order]:
    """A game of the last round at a table, that everyone signs."""
    played = look.state.rounds[-1]
    seats = played.draw.tables[table - 1].seats
    lost = [chance.randint(3, 60) for _ in seats[1:]]
    winner = chance.randrange(len(seats))
    figures = [-each for each in lost]
    figures.insert(winner, sum(lost))
    scores = GameScores(tuple(map(Score, seats, figures)))
    report = ReportResult(played.number, table, game, scores)
    return [report, *(Sign(played.number, table, game, each) for each in seats)]


@contextmanager
def served(database: str) -> Iterator[str]:
    """A hub over that database, at this address."""
    store = open_hub_store(database)
    listening = make_server("127.0.0.1", 0, lambda *_: [], threaded=True)
    address = f"http://127.0.0.1:{listening.server_port}"
    hub = hub_of(store, House(address, frozenset({"127.0.0.1"})), lambda: datetime.now(UTC))
    listening.app = create_hub_app(hub, secret_of(store))
    hub.pulse.start()
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    yield address
    hub.pulse.close()
    listening.shutdown()
    store.close()


@contextmanager
def opened(
    browser: Browser, hub: str, size: ViewportSize, *, directs: bool = False
) -> Iterator[Page]:
    """A browser of that size, signed in where it directs."""
    context = browser.new_context(viewport=size)
    context.set_default_timeout(60_000)
    page = context.new_page()
    if directs:
        page.goto(f"{hub}/sign-in")
        page.fill("input[name=name]", DIRECTOR.name)
        page.fill("input[name=password]", PASSWORD)
        page.click("main button")
    yield page
    context.close()


def take(page: Page, address: str, name: str, *, whole: bool = False) -> None:
    """Write what a page shows."""
    page.goto(address)
    page.wait_for_timeout(700)
    page.screenshot(path=IMAGES / f"{name}.png", full_page=whole)
    click.echo(f"docs/images/{name}.png")


def main() -> None:
    """Take them all."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        database = f"sqlite:///{folder}/hub.sqlite3"
        made, player = prepared(database)
        with served(database) as hub:
            event = f"{hub}/e/{made}"
            with opened(browser, hub, DESK, directs=True) as page:
                take(page, f"{hub}/new", "event-new", whole=True)
                take(page, f"{event}/desk", "event-desk")
                take(page, f"{event}/standings", "event-standings")
                take(page, f"{event}/sheets/seating", "event-sheet")
            with opened(browser, hub, HALL) as page:
                take(page, f"{event}/board", "event-board")
            with opened(browser, hub, PHONE) as page:
                take(page, f"{hub}/{player}", "event-player")
        browser.close()


if __name__ == "__main__":
    main()
