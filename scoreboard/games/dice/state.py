"""Where a game stands: the cards, whose turn it is, and what its dice show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.dice.form import Form, Points, Total
from scoreboard.games.dice.totals import FURTHER

Opening = Literal["roll-off", "first", "over"]


@dataclass(frozen=True, slots=True)
class Card:
    """One player's card: each box's points in the form's order, None while empty.

    `further` is the sum of what was earned beside the boxes (YZ-17).
    """

    form: Form
    points: tuple[int | None, ...]
    further: int = 0

    @classmethod
    def empty(cls, form: Form) -> Card:
        """A card with nothing on it."""
        return cls(form, (None,) * len(form.boxes))

    def __getitem__(self, key: str) -> int | None:
        return self.points[self.form.keys.index(key)]

    @property
    def filled(self) -> frozenset[str]:
        """The keys of the boxes that hold points."""
        held = zip(self.form.keys, self.points, strict=True)
        return frozenset(key for key, points in held if points is not None)

    @property
    def is_full(self) -> bool:
        """Whether every box is filled (YZ-19)."""
        return None not in self.points

    def with_score(self, key: str, points: int, bonus: int) -> Card:
        """The card after filling one box."""
        at = self.form.keys.index(key)
        boxes = (*self.points[:at], points, *self.points[at + 1 :])
        return replace(self, points=boxes, further=self.further + bonus)

    @property
    def values(self) -> Points:
        """What every row holds, boxes and totals, under its key."""
        values: dict[str, int | None] = {FURTHER: self.further}
        values |= zip(self.form.keys, self.points, strict=True)
        for row in self.form.rows:
            if isinstance(row, Total):
                values[row.key] = row.sum(values)
        return values

    @property
    def grand(self) -> int:
        """What decides the game (YZ-19, YM-12, CH-6)."""
        return self.values[self.form.grand] or 0


@dataclass(frozen=True, slots=True)
class StartThrow:
    """One player's throw for the start (YZ-2)."""

    seat: int
    roll: Roll


@dataclass(frozen=True, slots=True)
class Throws:
    """The dice of one turn.

    `allowed` is the most rolls it may have, `made` counts them, `roll` is the last one, `held`
    what was kept before it and so had to be in it, `kept` what was announced as kept since.
    """

    allowed: int
    made: int = 0
    roll: Roll | None = None
    held: Roll = NO_DICE
    kept: Roll | None = None

    @property
    def stood(self) -> bool:
        """Whether rolling is over: the last roll is made, or every die was kept (YZ-4)."""
        return self.made == self.allowed or (self.roll is not None and self._keeps_all(self.roll))

    def _keeps_all(self, roll: Roll) -> bool:
        return self.kept is not None and len(self.kept) == len(roll)

    def then(self, roll: Roll) -> Throws:
        """After one more roll."""
        return Throws(self.allowed, self.made + 1, roll, self.kept or NO_DICE)

    def showing(self, roll: Roll) -> Throws:
        """With another last roll; an announcement that no longer fits it is dropped."""
        fits = self.kept is not None and not self.kept.missing_from(roll).faces
        return replace(self, roll=roll, kept=self.kept if fits else None)


@dataclass(frozen=True, slots=True)
class State:
    """A game between two events.

    `form` is the card that all play on; `cards` and `gone` (who left) go by seat; `seat` is
    whose turn it is once `opening` is "over", that is, from the first counted roll on; before
    it `start_throws` decide (YZ-2), or the first named starts ("first"). `turns` counts the
    turns that ended.
    """

    form: Form
    players: tuple[str, ...]
    cards: tuple[Card, ...]
    gone: tuple[bool, ...]
    throws: Throws
    opening: Opening = "roll-off"
    start_throws: tuple[StartThrow, ...] = ()
    seat: int = 0
    turns: int = 0

    @classmethod
    def fresh(cls, form: Form, players: tuple[str, ...], opening: Opening) -> State:
        """Nobody has thrown yet."""
        cards, gone = (Card.empty(form),) * len(players), (False,) * len(players)
        return cls(form, players, cards, gone, Throws(form.rolls_allowed), opening)

    @property
    def staying(self) -> tuple[int, ...]:
        """The seats of the players still at the table."""
        return tuple(seat for seat, gone in enumerate(self.gone) if not gone)

    @property
    def is_finished(self) -> bool:
        """Whether everyone who stayed has filled their card (YZ-19)."""
        return all(self.cards[seat].is_full for seat in self.staying)
