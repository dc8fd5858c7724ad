"""The state of a game: cards, seats, dice; and how each event changes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.dice import acts
from scoreboard.games.dice.form import FURTHER, Form, Points, Total
from scoreboard.games.engine.game import RollOff

Opening = Literal["roll-off", "first", "over"]


@dataclass(frozen=True, slots=True)
class Card:
    """One player's card: each box's points, None while empty, and all `further` bonuses (YZ-17)."""

    form: Form
    points: tuple[int | None, ...]
    further: int = 0

    @classmethod
    def empty(cls, form: Form) -> Card:
        return cls(form, (None,) * len(form.boxes))

    @property
    def filled(self) -> frozenset[str]:
        held = zip(self.form.keys, self.points, strict=True)
        return frozenset(key for key, points in held if points is not None)

    @property
    def is_full(self) -> bool:
        return None not in self.points

    def with_score(self, key: str, points: int, bonus: int) -> Card:
        at = self.form.keys.index(key)
        boxes = (*self.points[:at], points, *self.points[at + 1 :])
        return replace(self, points=boxes, further=self.further + bonus)

    @property
    def values(self) -> Points:
        values: dict[str, int | None] = {FURTHER: self.further}
        values |= zip(self.form.keys, self.points, strict=True)
        for row in self.form.rows:
            if isinstance(row, Total):
                values[row.key] = row.sum(values)
        return values

    @property
    def grand(self) -> int:
        """The total that decides the game (YZ-19, YM-12, CH-6)."""
        return self.values["grand"] or 0


@dataclass(frozen=True, slots=True)
class TurnRolls:
    """The dice of one turn.

    `allowed` is the most rolls it may have, `made` counts them, `roll` is the last one, `held` were
    kept before it and must be in it, `kept` were announced as kept since.
    """

    allowed: int
    made: int = 0
    roll: Roll | None = None
    held: Roll = NO_DICE
    kept: Roll | None = None

    @property
    def stood(self) -> bool:
        """Whether rolling is over: the last roll is made, or every die was kept (YZ-4)."""
        keeps_all = (
            self.roll is not None and self.kept is not None and len(self.kept) == len(self.roll)
        )
        return self.made == self.allowed or keeps_all

    def then(self, roll: Roll) -> TurnRolls:
        return TurnRolls(self.allowed, self.made + 1, roll, self.kept or NO_DICE)

    def showing(self, roll: Roll) -> TurnRolls:
        """With another last roll; an announcement that no longer fits it is dropped."""
        fits = self.kept is not None and not self.kept.missing_from(roll).faces
        return replace(self, roll=roll, kept=self.kept if fits else None)


@dataclass(frozen=True, slots=True)
class State:
    """A game between two events.

    `form` is the common card; `cards` and `gone` (who left) go by seat; `seat` is in turn once
    `opening` is "over", that is, from the first counted roll on; before it `start_rolls`, each with
    its seat, decide (YZ-2), or the first named starts ("first"). `turns` counts those that ended.
    """

    form: Form
    players: tuple[str, ...]
    cards: tuple[Card, ...]
    gone: tuple[bool, ...]
    rolls: TurnRolls
    opening: Opening = "roll-off"
    start_rolls: tuple[tuple[int, Roll], ...] = ()
    seat: int = 0
    turns: int = 0

    @property
    def staying(self) -> tuple[int, ...]:
        return tuple(seat for seat, gone in enumerate(self.gone) if not gone)

    @property
    def is_finished(self) -> bool:
        """Whether everyone who stayed has filled their card (YZ-19)."""
        return all(self.cards[seat].is_full for seat in self.staying)


def roll_off(state: State) -> RollOff:
    """YZ-2 among the players who stay, at least one: those tied for the highest roll again."""
    return RollOff.of(state.staying, [(seat, roll.total) for seat, roll in state.start_rolls])


def opener(state: State) -> int | None:
    """The player of the first counted roll: None while the rolls for the start are under way.

    Without any such roll, or when the table agreed so, the first named starts.
    """
    if any(roller in state.staying for roller, _ in state.start_rolls):
        return roll_off(state).starter
    return state.staying[0]


def start_roller(state: State) -> int | None:
    """The seat that may roll for the start now, if any."""
    return roll_off(state).next_seat if state.opening == "roll-off" else None


def active_seat(state: State) -> int | None:
    """The seat whose roll or turn is awaited; None when the game is over."""
    if state.is_finished:
        return None
    if state.opening == "over":
        return state.seat
    roller = start_roller(state)
    return opener(state) if roller is None else roller


def last_roll(state: State) -> Roll | None:
    """The last roll that may still be corrected: the open turn's, or one for the start."""
    if state.opening == "over":
        return state.rolls.roll
    roller, roll = state.start_rolls[-1] if state.start_rolls else (None, None)
    return roll if roller in state.staying else None


def evolve(state: State, event: acts.Event) -> State:  # noqa: PLR0911 -- one arm a member
    """The state after an event; never refuses, never recomputes points."""
    match event:
        case acts.StartRolled(player, roll):
            rolled = (state.players.index(player), roll)
            return replace(state, start_rolls=(*state.start_rolls, rolled))
        case acts.DiceRolled(roll):
            starter = None if state.opening == "over" else opener(state)
            seat = state.seat if starter is None else starter
            return replace(state, opening="over", seat=seat, rolls=state.rolls.then(roll))
        case acts.DiceKept(roll):
            return replace(state, rolls=replace(state.rolls, kept=roll))
        case acts.FoulDieRerolled(was, now):
            faces = list((last_roll(state) or NO_DICE).faces)
            faces[faces.index(was)] = now
            return _with_last_roll(state, Roll(tuple(faces)))
        case acts.RollCorrected(roll):
            return _with_last_roll(state, roll)
        case acts.CategoryScored(player, category, points, bonus=bonus):
            seat = state.players.index(player)
            card = state.cards[seat].with_score(category, points, bonus)
            cards = (*state.cards[:seat], card, *state.cards[seat + 1 :])
            return _turn_passed(replace(state, cards=cards))
        case acts.PlayerLeft(player):
            seat = state.players.index(player)
            left = replace(state, gone=(*state.gone[:seat], True, *state.gone[seat + 1 :]))
            mid_turn = state.opening == "over" and seat == state.seat
            return _turn_passed(left) if mid_turn else left


def _with_last_roll(state: State, roll: Roll) -> State:
    if state.opening == "over":
        return replace(state, rolls=state.rolls.showing(roll))
    *earlier, (roller, _) = state.start_rolls
    return replace(state, start_rolls=(*earlier, (roller, roll)))


def _turn_passed(state: State) -> State:
    """YZ-3: play goes clockwise to the next player who stayed; turns are equal in number."""
    seats = len(state.players)
    clockwise = ((state.seat + step) % seats for step in range(1, seats))
    following = next((seat for seat in clockwise if not state.gone[seat]), state.seat)
    fresh = TurnRolls(state.form.rolls_allowed)
    return replace(state, seat=following, turns=state.turns + 1, rolls=fresh)
