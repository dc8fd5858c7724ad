"""How a game moves on: who starts, whose turn follows, and what each event changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import (
    CategoryScored,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    PlayerLeft,
    RollCorrected,
    StartRolled,
)
from scoreboard.games.dice.state import StartThrow, State, Throws


@dataclass(frozen=True, slots=True)
class RollOff:
    """Where the throws for the start stand: who starts, or else who throws next."""

    starter: int | None
    thrower: int | None


def roll_off(state: State) -> RollOff:
    """YZ-2 among those who stay: seat order, and the tied for the highest throw again.

    At least one player must have stayed.
    """
    totals = {seat: _start_totals(state, seat) for seat in state.staying}
    return _settled(totals, state.staying, 0)


def _settled(
    totals: Mapping[int, tuple[int, ...]], contenders: tuple[int, ...], throw: int
) -> RollOff:
    for seat in contenders:
        if len(totals[seat]) <= throw:
            return RollOff(None, seat)
    highest = max(totals[seat][throw] for seat in contenders)
    tied = tuple(seat for seat in contenders if totals[seat][throw] == highest)
    return RollOff(tied[0], None) if len(tied) == 1 else _settled(totals, tied, throw + 1)


def _start_totals(state: State, seat: int) -> tuple[int, ...]:
    return tuple(thrown.roll.total for thrown in state.start_throws if thrown.seat == seat)


def opener(state: State) -> int | None:
    """Who may make the first counted roll: None while the throws for the start are under way.

    Without any such throw, or when the table agreed so, the first named starts.
    """
    if any(thrown.seat in state.staying for thrown in state.start_throws):
        return roll_off(state).starter
    return state.staying[0]


def start_thrower(state: State) -> int | None:
    """Who may throw for the start now, None when nobody."""
    return roll_off(state).thrower if state.opening == "roll-off" else None


def active_seat(state: State) -> int | None:
    """Whose throw is awaited or whose turn is open; None when the game is over."""
    if state.is_finished:
        return None
    if state.opening == "over":
        return state.seat
    thrower = start_thrower(state)
    return opener(state) if thrower is None else thrower


def last_roll(state: State) -> Roll | None:
    """The last throw that may still be corrected: the open turn's, or that for the start."""
    if state.opening == "over":
        return state.throws.roll
    last = state.start_throws[-1] if state.start_throws else None
    return last.roll if last is not None and last.seat in state.staying else None


def evolve(state: State, event: Event) -> State:  # noqa: PLR0911 -- one arm a member
    """The state after an event; never refuses, never recomputes points."""
    match event:
        case StartRolled(player, roll):
            thrown = StartThrow(state.players.index(player), roll)
            return replace(state, start_throws=(*state.start_throws, thrown))
        case DiceRolled(roll):
            return _rolled(state, roll)
        case DiceKept(roll):
            return replace(state, throws=replace(state.throws, kept=roll))
        case FoulDieRerolled(was, now):
            return _with_last_roll(state, _rerolled(last_roll(state), was, now))
        case RollCorrected(roll):
            return _with_last_roll(state, roll)
        case CategoryScored():
            return _scored(state, event)
        case PlayerLeft(player):
            return _left(state, state.players.index(player))


def _rolled(state: State, roll: Roll) -> State:
    seat = state.seat if state.opening == "over" else opener(state)
    return replace(
        state,
        opening="over",
        seat=state.seat if seat is None else seat,
        throws=state.throws.then(roll),
    )


def _rerolled(roll: Roll | None, was: int, now: int) -> Roll:
    faces = [] if roll is None else list(roll.faces)
    faces[faces.index(was)] = now
    return Roll(tuple(faces))


def _with_last_roll(state: State, roll: Roll) -> State:
    if state.opening == "over":
        return replace(state, throws=state.throws.showing(roll))
    *earlier, last = state.start_throws
    return replace(state, start_throws=(*earlier, replace(last, roll=roll)))


def _scored(state: State, event: CategoryScored) -> State:
    seat = state.players.index(event.player)
    card = state.cards[seat].with_score(event.category, event.points, event.bonus)
    cards = (*state.cards[:seat], card, *state.cards[seat + 1 :])
    return _turn_passed(replace(state, cards=cards))


def _left(state: State, seat: int) -> State:
    left = replace(state, gone=(*state.gone[:seat], True, *state.gone[seat + 1 :]))
    mid_turn = state.opening == "over" and seat == state.seat
    return _turn_passed(left) if mid_turn else left


def _turn_passed(state: State) -> State:
    """YZ-3: play goes clockwise to the next player who stayed.

    Turns are equal in number, so that card has room unless the game is over.
    """
    fresh = Throws(state.form.rolls_allowed)
    return replace(state, seat=_next_seat(state), turns=state.turns + 1, throws=fresh)


def _next_seat(state: State) -> int:
    seats = len(state.players)
    clockwise = ((state.seat + step) % seats for step in range(1, seats))
    return next((seat for seat in clockwise if not state.gone[seat]), state.seat)
