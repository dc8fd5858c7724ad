"""The chances to win of the game of dice on the table, computed in the background."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from threading import Event
from typing import Final

import numpy as np

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.chances import DiceFutures, RolledDice, per_cents, win_chances
from scoreboard.games.advice.dice_values import load
from scoreboard.games.dice.form import Form
from scoreboard.games.dice.state import Card
from scoreboard.games.engine.game import Setup
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.message import Message
from scoreboard.table.view import TableView
from scoreboard.worker import Worker
from web.table.scoreboard_strip import TOTALS_ROW

LOG: Final = logging.getLogger(__name__)
RUNNING: Final = frozenset({"rolling", "choosing"})


@dataclass(frozen=True, slots=True)
class PlayerChance:
    """A player's chance in per cent; `start` is where its part of the bar begins."""

    name: str
    percent: int
    start: int


@dataclass(frozen=True, slots=True)
class ShownChances:
    """The screen's data: chances, and what the player at turn needs; none without a table."""

    players: tuple[PlayerChance, ...] = ()
    need: Message | None = None


@dataclass(frozen=True, slots=True)
class _Standing:
    """The inputs of the chances; equal ones have equal chances.

    `players` are those who stay, with their `cards`; `turn` is whose turn it is among them, and
    `dice` are on the table then.
    """

    game_id: str | None
    game: str
    options: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    cards: tuple[Card, ...]
    turn: int | None
    dice: RolledDice | None


class WinChances(Worker):
    """Works out the newest view's chances in a thread; `folder` is for tables not shipped."""

    def __init__(self, random: np.random.Generator, folder: Path | None = None) -> None:
        self._changed = Event()
        super().__init__("chances", self._work_out_next, wake=self._changed.set)
        self._random = random
        self._folder = folder
        self._wanted: _Standing | None = None
        self._shown: tuple[_Standing, ShownChances] | None = None
        self._futures: dict[object, DiceFutures] = {}  # of one game: exact ones take memory
        self._tried: _Standing | None = None

    def announce(self, view: TableView) -> None:
        self._wanted = _standing(view)
        self._changed.set()

    @property
    def newest(self) -> ShownChances | None:
        """The newest chances of the running game, or None; what is needed is of these very dice."""
        wanted, shown = self._wanted, self._shown
        if wanted is None or shown is None or shown[0].game_id != wanted.game_id:
            return None
        is_of_these = shown[0] == wanted or shown[1].need is None
        return shown[1] if is_of_these else replace(shown[1], need=None)

    def _work_out_next(self) -> None:
        """Wait for a change, and work out what was not tried yet."""
        self._changed.wait()
        self._changed.clear()  # before the look: what comes meanwhile is looked at next
        standing = self._wanted
        if standing is not None and standing != self._tried and not self.stopping.is_set():
            self._tried = standing
            self._shown = standing, self._worked_out(standing)

    def _worked_out(self, standing: _Standing) -> ShownChances:
        game, options = DICE_GAMES[standing.game], dict(standing.options)
        key = (standing.game, standing.options)
        if key not in self._futures:
            values = load(game, options, self._folder)
            if values is None:
                return ShownChances()
            self._futures = {key: DiceFutures(values)}
        names, cards = standing.players, standing.cards
        turn, dice = standing.turn, standing.dice
        futures = self._futures[key]
        finals = futures.finals(cards, self._random, seat=turn, dice=dice)
        shares = per_cents(win_chances(finals))
        players = tuple(map(PlayerChance, names, shares, accumulate(shares, initial=0)))
        need = None if turn is None else futures.needed(names, cards, finals, turn, dice)
        LOG.info("chances to win in %s: %s", standing.game_id, " ".join(map(str, shares)))
        return ShownChances(players, need)


def _standing(view: TableView) -> _Standing | None:
    """The inputs of a view's chances, None if none are shown: alone, and in an event."""
    sheet = view.scoresheet
    if view.game not in DICE_GAMES or view.stage not in RUNNING or sheet is None or view.event:
        return None
    staying = [seat for seat in range(len(sheet.players)) if seat not in sheet.gone]
    if len(staying) < 2:  # noqa: PLR2004 -- whom one could win against
        return None
    form = DICE_GAMES[view.game].start(Setup(("Solo",), view.options)).form
    return _Standing(
        view.game_id,
        view.game,
        tuple(sorted(view.options.items())),
        tuple(sheet.players[seat] for seat in staying),
        tuple(_card(form, sheet, seat) for seat in staying),
        staying.index(sheet.current) if sheet.current in staying else None,
        _dice(view),
    )


def _dice(view: TableView) -> RolledDice | None:
    """The dice of this turn: those read without a doubt, or else the last roll and what is kept."""
    turn, read = view.turn, view.proposal
    if turn is None:
        return None
    left = 0 if view.stage == "choosing" else turn.rolls_allowed - turn.rolls_made
    if read is not None and read.roll is not None and not read.doubts:
        return read.roll, max(0, left - 1)
    kept = tuple(die.face for die in view.last_roll if die.kept)
    if turn.roll is None:
        return None
    if not left or len(kept) in {0, len(turn.roll)}:
        return turn.roll, 0 if kept else left
    return Roll(kept), left


def _card(form: Form, sheet: Scoresheet, seat: int) -> Card:
    points = tuple(row.cells[seat].points for row in sheet.rows if row.kind == "box")
    total = sheet.row(TOTALS_ROW).cells[seat].points or 0
    return Card(form, points, total - Card(form, points).grand)
