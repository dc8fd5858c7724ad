"""What may be done now: exactly the commands that the rules accept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.dice.acts import (
    Command,
    CorrectRoll,
    KeepDice,
    LeaveGame,
    RecordRoll,
    RecordStart,
    RerollFoulDie,
    ScoreCategory,
)
from scoreboard.games.dice.form import Placement
from scoreboard.games.dice.rules import further_bonus, possible_placements, refoulable
from scoreboard.games.dice.state import State
from scoreboard.games.dice.turns import last_roll, opener, start_thrower
from scoreboard.games.engine.game import KeepDomain, Offer, OpenOffer, RollDomain
from scoreboard.message import Message, message

AnyOffer = Offer[Command] | OpenOffer[Command]


def offers(state: State) -> tuple[AnyOffer, ...]:
    """Every act that the rules accept now; boxes best first, then in the sheet's order.

    The keys: `start`, `roll`, `keep`, `correct`, `foul:<face>` (open, to be filled with a
    roll); `stand`, `score:<box>`, `leave:<seat>`.
    """
    if state.is_finished:
        return ()
    return (
        *_starts(state),
        *_rolls(state),
        *_keeps(state),
        *_scores(state),
        *_corrections(state),
        *_leaves(state),
    )


def _starts(state: State) -> Iterator[AnyOffer]:
    """YZ-2."""
    seat, form = start_thrower(state), state.form
    if seat is not None:
        player = state.players[seat]
        label = message("{player} throws for the start", player=player)
        fill = partial(RecordStart, player)
        yield OpenOffer("start", label, form.rules.start, RollDomain(form.dice), fill)


def _rolls(state: State) -> Iterator[AnyOffer]:
    """YZ-4."""
    may_roll = not state.throws.stood if state.opening == "over" else opener(state) is not None
    if may_roll:
        form = state.form
        domain = RollDomain(form.dice, state.throws.kept or NO_DICE)
        label = message(
            "Roll {number} of {most}", number=state.throws.made + 1, most=form.rolls_allowed
        )
        yield OpenOffer("roll", label, form.rules.roll, domain, RecordRoll)


def _keeps(state: State) -> Iterator[AnyOffer]:
    """YZ-4."""
    roll = state.throws.roll
    if roll is not None and not state.throws.stood:
        rule = state.form.rules.roll
        yield OpenOffer("keep", message("Keep dice"), rule, KeepDomain(roll), KeepDice)
        yield Offer("stand", message("Stop rolling"), rule, KeepDice(roll))


def _scores(state: State) -> Iterator[AnyOffer]:
    """YZ-6, YZ-18; what is earned beside the box is the same for all, so points decide."""
    roll = state.throws.roll
    if roll is None:
        return
    bonus = further_bonus(state, roll)
    for placed in sorted(possible_placements(state), key=lambda placed: -placed.points):
        key, command = f"score:{placed.box.key}", ScoreCategory(placed.box.key)
        yield Offer(key, _score_label(placed, bonus), placed.rule, command, placed.points)


def _score_label(placed: Placement, bonus: int) -> Message:
    box, points = placed.box.label, placed.points
    if not bonus:
        return message("{box}: {points}", box=box, points=points)
    return message("{box}: {points} and a bonus of {bonus}", box=box, points=points, bonus=bonus)


def _corrections(state: State) -> Iterator[AnyOffer]:
    """YZ-5, and a throw that was read wrongly."""
    if last_roll(state) is None:
        return
    held = state.throws.held if state.opening == "over" else NO_DICE
    label, form = message("Correct the last throw"), state.form
    domain = RollDomain(form.dice, held)
    yield OpenOffer("correct", label, form.rules.roll, domain, CorrectRoll)
    for face in refoulable(state).faces:
        label = message("The {face} fell off or leaned", face=face)
        fill = partial(_foul_rerolled, face)
        yield OpenOffer(f"foul:{face}", label, form.rules.foul, RollDomain(1), fill)


def _foul_rerolled(was: int, now: Roll) -> Command:
    return RerollFoulDie(was, now.total)


def _leaves(state: State) -> Iterator[AnyOffer]:
    """The ruling on players who leave."""
    for seat in state.staying:
        player = state.players[seat]
        label = message("{player} leaves the game", player=player)
        yield Offer(f"leave:{seat}", label, state.form.rules.players, LeaveGame(player))
