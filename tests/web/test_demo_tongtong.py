"""The demo's pictures of Tong Tong follow the table, act by act, as the script has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from scoreboard.table.requests import GameOpened
from tests.scoreboard.table.seen import seen
from tests.web.demo_evening import NotedDemo
from web.table.play.demo import demo_reader

TRUTH: Final[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "hardware/cameras/demo_tongtong_truth.json").read_text("utf-8")
)
PLAYERS: Final = ("Ann", "Ben", "Cid")
TOTALS: Final = [17, 28, 22]


class CardTable(NotedDemo):
    """A table before a demo camera, whose pictures are read as the truth tells."""

    def __init__(self, **options: str) -> None:
        super().__init__(GameOpened("tongtong", PLAYERS, options))
        self.frames = 0

    @property
    def step(self) -> str:
        """The last that has a picture: what has none leaves what is shown."""
        return next(step for _, step, _ in self.camera.steps[::-1] if step in TRUTH["tables"])

    def read_picture(self) -> None:
        """The camera's picture is read right."""
        self.frames += 1
        assert demo_reader(self.table.view) == "cards"
        self.table.show(seen(TRUTH["tables"][self.step]["cards"], frame=self.frames))

    def turn_up(self, mission: str) -> None:
        """A mission is told."""
        assert demo_reader(self.table.view) == "dice"
        self.table.choose(f"mission:{mission}")

    def totals(self) -> list[int | None]:
        """What everyone has on the sheet in the end."""
        sheet = self.table.view.scoresheet
        assert sheet is not None
        return [cell.points for cell in sheet.rows[-1].cells]


def play(stage: CardTable, cards: list[str]) -> None:
    """Look and press KEEP; where two cards fell at once, KEEP refuses, and both are tapped."""
    played_cards: list[str] = []
    while len(played_cards) < len(cards):
        stage.read_picture()
        pieces = stage.table.view.pieces
        assert pieces is not None
        fresh = cards[len(played_cards) : len(played_cards) + 1 + bool(pieces.remarks)]
        assert TRUTH["tables"][stage.step]["fresh"].split() == fresh
        if len(fresh) == 1:
            assert stage.table.keep().verdict == "done"
        else:
            assert stage.table.keep().verdict == "refused"
            for card in fresh:
                stage.table.choose(f"play:{card}")
        played_cards += fresh


@pytest.mark.parametrize("turned", [0, 1])
def test_every_card_has_its_picture(turned: int) -> None:
    """A whole match by pictures alone; whoever says to hold red 8, the cards fit."""
    stage = CardTable()
    for game in TRUTH["games"]:
        stage.turn_up(game["mission"])
        stage.table.choose(f"leader:{(game['leader'] + turned) % 3}")
        play(stage, game["played"].split())
    assert stage.table.view.stage == "finished"
    if not turned:
        assert stage.totals() == TOTALS


def test_everyones_piles_have_their_picture() -> None:
    """The same match by what lies there at the end of its games."""
    stage = CardTable(mode="quick")
    for game in TRUTH["games"]:
        stage.turn_up(game["mission"])
        for player, piles in zip(PLAYERS, game["piles"], strict=True):
            stage.read_picture()
            assert str(stage.table.view.keep) == f"The piles of {player}: {piles}"
            assert stage.table.keep().verdict == "done"
    assert stage.totals() == TOTALS


def test_undo_leads_back_to_the_picture_before() -> None:
    """The camera sees again what is awaited again."""
    stage = CardTable(mode="quick")
    stage.turn_up("high-12")
    stage.read_picture()
    stage.table.keep()
    assert stage.step == "piles-1-02"
    stage.table.undo()
    assert stage.step == "piles-0-01"
