"""What may be done now in Yahtzee: exactly the commands that its rules accept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from scoreboard.dice import NO_DICE, Roll
from scoreboard.game import KeepDomain, Offer, OpenOffer, RollDomain
from scoreboard.games.yahtzee_acts import (
    Command,
    CorrectRoll,
    KeepDice,
    LeaveGame,
    RecordRoll,
    RecordStart,
    RerollFoulDie,
    ScoreCategory,
)
from scoreboard.games.yahtzee_boxes import DICE, Placement
from scoreboard.games.yahtzee_rules import possible_placements, refoulable, yahtzee_bonus
from scoreboard.games.yahtzee_state import State
from scoreboard.games.yahtzee_turns import last_roll, opener, start_thrower
from scoreboard.phrase import Phrase, phrase

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
    seat = start_thrower(state)
    if seat is not None:
        player = state.players[seat]
        label = phrase("{player} throws for the start", player=player)
        fill = partial(RecordStart, player)
        yield OpenOffer("start", label, "YZ-2", RollDomain(DICE), fill)


def _rolls(state: State) -> Iterator[AnyOffer]:
    """YZ-4."""
    may_roll = not state.throws.stood if state.opening == "over" else opener(state) is not None
    if may_roll:
        domain = RollDomain(DICE, state.throws.kept or NO_DICE)
        label = phrase("Roll {number} of 3", number=state.throws.made + 1)
        yield OpenOffer("roll", label, "YZ-4", domain, RecordRoll)


def _keeps(state: State) -> Iterator[AnyOffer]:
    """YZ-4."""
    roll = state.throws.roll
    if roll is not None and not state.throws.stood:
        yield OpenOffer("keep", phrase("Keep dice"), "YZ-4", KeepDomain(roll), KeepDice)
        yield Offer("stand", phrase("Stop rolling"), "YZ-4", KeepDice(roll))


def _scores(state: State) -> Iterator[AnyOffer]:
    """YZ-6, YZ-18; the Yahtzee bonus (YZ-17) is the same in every box, so points decide."""
    roll = state.throws.roll
    if roll is None:
        return
    bonus = yahtzee_bonus(state.cards[state.seat], roll)
    for placed in sorted(possible_placements(state), key=lambda placed: -placed.points):
        key, command = f"score:{placed.box.key}", ScoreCategory(placed.box.key)
        yield Offer(key, _score_label(placed, bonus), placed.rule, command, placed.points)


def _score_label(placed: Placement, bonus: int) -> Phrase:
    box, points = placed.box.label, placed.points
    if not bonus:
        return phrase("{box}: {points}", box=box, points=points)
    return phrase("{box}: {points} and a bonus of {bonus}", box=box, points=points, bonus=bonus)


def _corrections(state: State) -> Iterator[AnyOffer]:
    """YZ-5, and a throw that was read wrongly."""
    if last_roll(state) is None:
        return
    held = state.throws.held if state.opening == "over" else NO_DICE
    label = phrase("Correct the last throw")
    yield OpenOffer("correct", label, "YZ-4", RollDomain(DICE, held), CorrectRoll)
    for face in refoulable(state).faces:
        label = phrase("The {face} fell off or leaned", face=face)
        fill = partial(_foul_rerolled, face)
        yield OpenOffer(f"foul:{face}", label, "YZ-5", RollDomain(1), fill)


def _foul_rerolled(was: int, now: Roll) -> Command:
    return RerollFoulDie(was, now.total)


def _leaves(state: State) -> Iterator[AnyOffer]:
    """The ruling on players who leave."""
    for seat in state.staying:
        player = state.players[seat]
        label = phrase("{player} leaves the game", player=player)
        yield Offer(f"leave:{seat}", label, "YZ-1", LeaveGame(player))
