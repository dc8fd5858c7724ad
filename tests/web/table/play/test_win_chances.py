"""The chances beside the table: when they are worked out, for whom, and what the screen shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES
from scoreboard.games.dice.acts import DiceKept, DiceRolled, ScoreCategory
from scoreboard.games.engine.game import Setup, replay
from scoreboard.message import message
from scoreboard.table.requests import TableStatus
from scoreboard.table.tournament_view import TournamentView
from scoreboard.table.view import LastDie, TableView
from tests.patience import until
from tests.web.table_fake import FakeTable, proposal_of, view_of
from web.table.play.win_chances import ShownChances, WinChances


def playing(game: str, rounds: int, *players: str, **options: str) -> TableView:
    """A game in which everybody scored so many rounds: the first best, the others nothing."""
    book = DICE_GAMES[game]
    setup = Setup(players, {"start": "first", **options})
    state = replay(book, setup, ())
    for turn in range(rounds * len(players)):
        roll = Roll.parse("12345" if turn % len(players) else "66666")
        for command in (DiceRolled(roll), DiceKept(roll)):
            for event in book.decide(state, command):
                state = book.evolve(state, event)
        offers = [each for each in book.offers(state) if each.key.startswith("score:")]
        box = max(offers, key=lambda each: getattr(each, "points", 0) or 0)
        for event in book.decide(state, ScoreCategory(box.key.partition(":")[2])):
            state = book.evolve(state, event)
    return TableView(
        version=1,
        stage=book.turn(state).phase,
        status=TableStatus.STILL,
        game_id="g1",
        game=game,
        options=setup.options,
        scoresheet=book.scoresheet(state),
        turn=book.turn(state),
    )


@contextmanager
def running() -> Iterator[WinChances]:
    """Chances whose thread is at work."""
    chances = WinChances(np.random.default_rng(1))
    chances.start()
    try:
        yield chances
    finally:
        chances.stop()


def shown(chances: WinChances, view: TableView, but: ShownChances | None = None) -> ShownChances:
    """What is shown once it is worked out, another than `but`."""
    chances.announce(view)
    newest = until(lambda: None if chances.newest is but else chances.newest)
    assert newest is not None
    return newest


def test_they_follow_every_box() -> None:
    """Who is ahead is likelier to win; names, colours and places of the bar are right."""
    with running() as chances:
        first = shown(chances, playing("chaser", 9, "Anna", "Ben"))
        later = shown(chances, playing("chaser", 11, "Anna", "Ben"), but=first)
    for each in (first, later):
        assert [player.name for player in each.players] == ["Anna", "Ben"]
        assert sum(player.percent for player in each.players) == 100
        assert each.players[1].start == each.players[0].percent


def test_they_follow_every_roll() -> None:
    """A reading without a doubt counts, and so do the dice that are kept; one in doubt does not."""
    view = playing("chaser", 11, "Anna", "Ben")
    assert view.turn is not None
    doubts = (message("One die leans."),)
    lucky = Roll.parse("66666")
    rolled = replace(view, turn=replace(view.turn, roll=lucky, rolls_made=1))
    kept = tuple(LastDie(face, kept=face == 6) for face in lucky.faces)
    with running() as chances:
        first = shown(chances, view)
        read = shown(chances, replace(view, proposal=proposal_of("66666")), but=first)
        chances.announce(replace(view, proposal=proposal_of("66666", doubts=doubts)))
        assert until(lambda: chances.newest == first or None)
        assert shown(chances, replace(rolled, last_roll=kept), but=first).players == read.players


def test_what_is_needed_stands_beside_them() -> None:
    """In the last turns, for the player at turn."""
    with running() as chances:
        view = playing("chaser", 10, "Ben", "Anna")
        need = shown(chances, view).need
    sheet = view.scoresheet
    assert sheet is not None
    ben, anna = (cell.points or 0 for cell in sheet.row("grand").cells)
    assert (need is None) == (ben >= anna)


@pytest.mark.parametrize(
    "view",
    [
        playing("yahtzee", 1, "Anna"),
        replace(playing("yahtzee", 1, "Anna", "Ben"), event=TournamentView("Cup", 1, "hub")),
        replace(playing("yahtzee", 1, "Anna", "Ben"), game="rummikub"),
        replace(playing("yahtzee", 1, "Anna", "Ben"), stage="finished"),
    ],
    ids=["alone", "in an event", "without dice", "over"],
)
def test_there_are_none(view: TableView) -> None:
    """And what was shown before is gone at once."""
    with running() as chances:
        shown(chances, playing("chaser", 11, "Anna", "Ben"))
        chances.announce(view)
        assert chances.newest is None


def test_a_game_without_a_table_has_none() -> None:
    """The coach's page says why."""
    with running() as chances:
        assert shown(chances, playing("yams", 0, "Anna", "Ben")) == ShownChances()


def test_the_screen_says_them_in_words_too() -> None:
    """A sentence for screen readers, a bar in colours, names and per cents; asked for again.

    Switched off it has neither a place for them nor anything that asks.
    """
    with running() as chances:
        shown(chances, playing("chaser", 11, "Anna", "Ben"))
        client = FakeTable(view_of(players=("Anna", "Ben"))).app(chances=chances).test_client()
        page, part = client.get("/tv").text, client.get("/tv/chances").text
        newest = chances.newest
    assert newest is not None
    anna, ben = newest.players
    assert f"Chances to win: Anna {anna.percent} %, Ben {ben.percent} %." in " ".join(part.split())
    assert f'<rect class="seat-blue" x="{ben.start}" width="{ben.percent}"' in part
    assert 'data-refresh="/tv/chances"' in page
    assert part in page
    without = FakeTable(view_of(players=("Anna", "Ben"))).app().test_client()
    assert "tv-chance" not in without.get("/tv").text
    assert without.get("/tv/chances").text == ""
