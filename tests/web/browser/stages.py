"""Every stage of a game, brought about at a served table: to measure it, and to picture it."""

from __future__ import annotations

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES
from scoreboard.table.requests import (
    Action,
    Chosen,
    Corrected,
    GameOpened,
    Pressed,
    TableStatus,
    TableStatusChanged,
    Ticked,
)
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_languages import midway

DICE_STAGES = (
    "rolling",
    "moving",
    "read",
    "doubt",
    "second roll",
    "choosing",
    "zero asked",
    "over",
)
STAGES = {
    "rummikub": ("playing", "judged", "put back", "racks", "over"),
    "tongtong": ("mission", "trick", "over"),
}


def stages_of(game: str) -> tuple[str, ...]:
    """The stages that `bring` knows of the game."""
    return DICE_STAGES if game in DICE_GAMES else STAGES[game]


def bring(table: ServedTable, game: str, names: tuple[str, ...], stage: str) -> None:
    """A game of those players, at that stage."""
    match game:
        case "rummikub":
            bring_rummikub(table, names, stage)
        case "tongtong":
            bring_tongtong(table, names, stage)
        case _:
            bring_dice(table, game, names, stage)
    table.submit(Ticked(table.now()))  # behind what was posted


def bring_rummikub(table: ServedTable, names: tuple[str, ...], stage: str) -> None:
    """A round of Rummikub with a clock: two sets lie on the table."""
    table.submit(GameOpened("rummikub", names, {"clock": "60", "rounds": "1"}))
    choose(table, "begin:0")
    choose(table, "lay", "K10 R10 B10 O10\nR1 R2 R3")
    match stage:
        case "playing":
            pass
        case "judged":
            faulty = f"B3 B4 B{4 + len(names)}"  # another one than lay there in the game before
            table.see_pieces(f"K10 R10 B10 O10, R1 R2 R3, {faulty}")
        case "put back":
            table.let_pass(61)
        case "racks" | "over":
            choose(table, "count:1", "?")
            choose(table, "rummikub:1")
            if stage == "over":
                for seat in (seat for seat in range(len(names)) if seat != 1):
                    choose(table, f"points:{seat}", "7")


def bring_tongtong(table: ServedTable, names: tuple[str, ...], stage: str) -> None:
    """A match of Tong Tong: its first game."""
    mode = "quick" if stage == "over" else "tricks"
    table.submit(GameOpened("tongtong", names, {"mode": mode}))
    if stage == "mission":
        return
    missions = ("high-9", "high-12", "low-5")
    choose(table, f"mission:{missions[0]}")
    if stage == "trick":
        choose(table, "leader:0")
        choose(table, "play:R8")
        return
    for mission in missions:
        if mission != missions[0]:
            choose(table, f"mission:{mission}")
        for seat, piles in enumerate(("R7 B1", "-", "R2 G5", "-", "-")[: len(names)]):
            choose(table, f"piles:{seat}", piles)


def choose(table: ServedTable, offer: str, filling: str | None = None) -> None:
    """Choose what the rulebook offers now."""
    answer = table.submit(Chosen(offer, table.view.version, filling))
    assert answer.verdict == "done", (offer, answer.notice)


def bring_dice(table: ServedTable, game: str, names: tuple[str, ...], stage: str) -> None:
    """A game of dice, its first turn; or its end."""
    midway(table, game, names)
    match stage:
        case "rolling":
            pass
        case "moving":
            table.post(TableStatusChanged(TableStatus.MOVING))
        case "read":
            table.see("33516")
        case "doubt":
            table.see("33?16", doubts=("Die 3 could not be read: is it cocked?",))
        case "second roll":
            table.submit(Corrected(Roll.parse("33516"), table.version))
            press(table, Action.REROLL)
            table.see("33342")
        case "choosing" | "zero asked":
            table.submit(Corrected(Roll.parse("33516"), table.version))
            press(table, Action.KEEP)
            if stage == "zero asked":
                zero = next(offer for offer in table.view.offers if offer.points == 0)
                table.submit(Chosen(zero.key, table.version))
        case "over":
            play_to_the_end(table)


def press(table: ServedTable, action: Action) -> None:
    """Press a button as a person does who has seen the page."""
    table.let_pass(1)
    version = table.view.version
    assert table.submit(Pressed(action, table.now(), version)).verdict == "done"


def play_to_the_end(table: ServedTable) -> None:
    """Everybody rolls once a turn, and takes the first box that is offered."""
    while table.view.stage != "finished":
        table.submit(Corrected(Roll.parse("33516"), table.view.version))
        press(table, Action.KEEP)
        box = max(table.view.offers, key=lambda offer: offer.points or 0)
        while table.view.stage == "choosing":
            table.submit(Chosen(box.key, table.view.version))
