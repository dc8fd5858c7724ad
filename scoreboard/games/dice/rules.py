"""The acts that a game of dice allows: each command leads to its event, or a rule refuses it."""

from __future__ import annotations

from scoreboard.dice import FACES, NO_DICE, Roll
from scoreboard.errors import RuleViolationError, refused
from scoreboard.games.dice import acts
from scoreboard.games.dice.form import Placement
from scoreboard.games.dice.state import State, last_roll, opener, start_roller
from scoreboard.message import message


def decide(state: State, command: acts.Command) -> tuple[acts.Event, ...]:  # noqa: C901, PLR0912 -- one arm a member
    """The one event that a command leads to. Raises RuleViolationError: a rule refuses it."""
    rules = state.form.rules
    if state.is_finished:
        raise refused("The game is over.", rules.end)
    match command:
        case acts.ScoreCategory(category, points):
            return (_category_scored(state, category, points),)
        case acts.StartRolled(player, roll):
            _require_start(state, player)
            _require_all_dice(state, roll, rules.start)
        case acts.DiceRolled(roll):
            _require_next_roll(state)
            _require_all_dice(state, roll, rules.roll)
            _require_kept(state, state.rolls.kept or NO_DICE, roll)
        case acts.DiceKept(roll):
            last = _require_roll(state, rules.roll)
            _require_next_roll(state)
            for face in roll.missing_from(last).faces:
                raise refused(
                    "No {face} is left to keep in {roll}.", rules.roll, face=face, roll=last.spaced
                )
        case acts.FoulDieRerolled(was, now):
            if was not in refoulable(state).faces:
                raise refused("No die of the last roll showed {face}.", rules.foul, face=was)
            if now not in FACES:
                raise refused("A die shows 1 to 6, not {face}.", rules.foul, face=now)
        case acts.RollCorrected(roll):
            if last_roll(state) is None:
                raise refused("There is no roll to correct in this turn.", rules.roll)
            _require_all_dice(state, roll, rules.roll)
            _require_kept(state, held(state), roll)
        case acts.PlayerLeft(player):
            if player not in {state.players[seat] for seat in state.staying}:
                raise refused("{player} does not play here.", rules.players, player=player)
    return (command,)


def possible_placements(state: State) -> tuple[Placement, ...]:
    """The boxes that the last roll of the open turn may fill, in the card's order (YZ-6, YZ-18)."""
    roll, form = state.rolls.roll, state.form
    return () if roll is None else form.placing(form.boxes, roll, state.cards[state.seat].filled)


def further_bonus(state: State, roll: Roll) -> int:
    """The roll's bonus on top of its box (YZ-17)."""
    return state.form.further(state.cards[state.seat].values, roll)


def refoulable(state: State) -> Roll:
    """The distinct faces of the last roll that were rolled, not kept (YZ-5)."""
    rolled = (last_roll(state) or NO_DICE).missing_from(held(state))
    return Roll(tuple(sorted(set(rolled.faces))))


def held(state: State) -> Roll:
    """The dice of the last roll that were kept before it; none of a roll for the start."""
    return state.rolls.held if state.opening == "over" else NO_DICE


def _require_start(state: State, player: str) -> None:
    roller, rule = start_roller(state), state.form.rules.start
    if roller is None:
        raise refused("Nobody needs to roll for the start now.", rule)
    if (awaited := state.players[roller]) != player:
        raise refused("It's {player}’s turn to roll for the start.", rule, player=awaited)


def _category_scored(state: State, category: str, points: int | None) -> acts.CategoryScored:
    roll = _require_roll(state, state.form.rules.fill)
    placement = _placement(state, category)
    if points not in {None, placement.points}:
        raise refused(
            "{roll} is worth {worth} in {box}, not {points}.",
            state.form.rules.zero if points == 0 else placement.rule,
            roll=roll.spaced,
            worth=placement.points,
            box=placement.box.label,
            points=points or 0,
        )
    player, bonus = state.players[state.seat], further_bonus(state, roll)
    return acts.CategoryScored(player, category, placement.points, placement.rule, bonus)


def _placement(state: State, category: str) -> Placement:
    rule = state.form.rules.fill
    box = next((box for box in state.form.boxes if box.key == category), None)
    if box is None:
        raise refused("The card has no box “{box}”.", rule, box=category)
    if category in state.cards[state.seat].filled:
        raise refused("{box} is filled already.", rule, box=box.label)
    possible = possible_placements(state)
    for placement in possible:
        if placement.box.key == category:
            return placement
    why = message("A joker must go into a box of the lower section now.")
    if possible[0].box.section == "upper":
        why = message("A joker must go into {box} now.", box=possible[0].box.label)
    raise RuleViolationError(possible[0].rule, why)


def _require_roll(state: State, rule: str) -> Roll:
    if state.rolls.roll is None:
        raise refused("Roll first: nothing was rolled in this turn yet.", rule)
    return state.rolls.roll


def _require_next_roll(state: State) -> None:
    rules = state.form.rules
    if state.opening == "over" and state.rolls.stood:
        raise refused("No roll is left in this turn: fill a box.", rules.roll)
    if state.opening != "over" and opener(state) is None:
        raise refused("Roll for the start first.", rules.start)


def _require_all_dice(state: State, roll: Roll, rule: str) -> None:
    dice = state.form.dice
    if len(roll) != dice:
        raise refused("A roll has {dice} dice, not {shown}.", rule, dice=dice, shown=len(roll))


def _require_kept(state: State, kept: Roll, roll: Roll) -> None:
    for face in kept.missing_from(roll).faces:
        raise refused(
            "A kept {face} is missing in {roll}.",
            state.form.rules.roll,
            face=face,
            roll=roll.spaced,
        )
