"""The stages of every game for any number of players, to be measured on every screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from hardware.cameras.phone import PhoneCamera
from scoreboard.games import DICE_GAMES, GAMES
from scoreboard.table.requests import TableStatus
from tests.web.browser.photographed_stages import (
    EMPTY,
    KEEP,
    MOVING,
    REROLL,
    Made,
    PhotographedTable,
    acts,
    after,
    choose,
    dice,
    enter,
    opens,
    sees,
    tiles,
)

MISSIONS = ("high-9", "high-12", "low-5")
PILES = ("R7 B1", "-", "R2 G5", "-", "-")
LAID = "K10 R10 B10 O10\nR1 R2 R3"
# The stages of docs/reference/design.md: the name under which each is measured, and photographed.
NINE = {
    "roll": ("rolling", "dice-roll"),
    "moving": ("moving", "dice-moving"),
    "reading": ("read", "dice-reading"),
    "doubt": ("doubt", "dice-doubt"),
    "choose": ("choosing", "dice-choose"),
    "zero asked": ("zero asked", "dice-zero-asked"),
    "put back": ("put back", "tiles-put-back"),
    "round over": ("round over", "tiles-round-over"),
    "game over": ("over", "dice-over"),
}


@contextmanager
def brought(
    made: Made, port: int | None = None, phone: PhoneCamera | None = None
) -> Iterator[PhotographedTable]:
    """A table of its own at that stage, maybe at a known port, whose camera may be a phone."""
    table = PhotographedTable()
    table._port, table.phone = port or table._port, phone
    table.start()
    try:
        made(table)
        table.settled()
        yield table
    finally:
        table.stop()


def stages_of(game: str, players: tuple[str, ...]) -> Mapping[str, Made]:
    """The stages of a game of those players, by their names."""
    match game:
        case "rummikub":
            return rummikub_stages(players)
        case "tongtong":
            return tongtong_stages(players)
        case "free-sheet":
            return sheet_stages(players)
        case _:
            assert game in DICE_GAMES
            return dice_stages(game, players)


def dice_stages(game: str, players: tuple[str, ...]) -> Mapping[str, Made]:
    """A first turn, and the end."""
    has_start = any(option.name == "start" for option in GAMES[game].options)
    opened = opens(game, players, **({"start": "first"} if has_start else {}))
    return {
        "rolling": opened,
        "moving": after(opened, sees(MOVING, TableStatus.MOVING)),
        "read": after(opened, dice(0, 0)),
        "doubt": after(opened, dice(0, 0, doubtful=True)),
        "second roll": after(opened, dice(0, 0), acts(REROLL), dice(0, 1)),
        "choosing": after(opened, acts(enter("33516"), KEEP)),
        "zero asked": after(opened, acts(enter("33516"), KEEP), ask_about_a_zero),
        "over": after(opened, play_to_the_end),
    }


def rummikub_stages(players: tuple[str, ...]) -> Mapping[str, Made]:
    """A round with a clock in which a meld was laid, its end with another to come, and the end."""
    begun = acts(choose("begin:0"), choose("lay", LAID))
    opened, opened_for_two = (
        after(opens("rummikub", players, clock="60", rounds=rounds), begun) for rounds in "12"
    )
    out = acts(choose("count:1", "?"), choose("rummikub:1"))
    racks = [choose(f"points:{seat}", "7") for seat in range(len(players)) if seat != 1]
    return {
        "playing": opened,
        "tiles moving": after(opened, sees(EMPTY, TableStatus.MOVING)),
        "judged": after(opened, tiles("lay-1-08")),
        "put back": after(opened, lambda table: table.let_pass(61)),
        "racks": after(opened, out),
        "round over": after(opened_for_two, out, acts(*racks)),
        "over": after(opened, out, acts(*racks)),
    }


def tongtong_stages(players: tuple[str, ...]) -> Mapping[str, Made]:
    """A first game by cards, and a match of which the piles alone are entered, to its end."""
    opened = opens("tongtong", players, mode="tricks")
    piles = [choose(f"piles:{seat}", PILES[seat]) for seat in range(len(players))]
    games = [acts(choose(f"mission:{mission}"), *piles) for mission in MISSIONS]
    return {
        "mission": opened,
        "trick": after(
            opened, acts(choose("mission:high-9"), choose("leader:0"), choose("play:R8"))
        ),
        "round over": after(opens("tongtong", players, mode="quick"), games[0]),
        "over": after(opens("tongtong", players, mode="quick"), *games),
    }


def sheet_stages(players: tuple[str, ...]) -> Mapping[str, Made]:
    """A game that Tablescore does not know, after two rounds of points, and its end."""
    points = [choose(f"write:{seat}", "24") for _ in range(2) for seat in range(len(players))]
    opened = after(opens("free-sheet", players), acts(*points))
    return {"adding": opened, "over": after(opened, acts(choose("end")))}


def ask_about_a_zero(table: PhotographedTable) -> None:
    """A box is chosen that takes nothing."""
    zero = next(offer for offer in table.view.offers if offer.points == 0)
    table.do(choose(zero.key))


def play_to_the_end(table: PhotographedTable) -> None:
    """Everybody rolls once a turn, and takes the box that is worth most."""
    while table.view.stage != "finished":
        table.do(enter("33516"), KEEP)
        box = max(table.view.offers, key=lambda offer: offer.points or 0)
        table.do(choose(box.key))
        if table.view.asking is not None:
            table.do(choose(box.key))
