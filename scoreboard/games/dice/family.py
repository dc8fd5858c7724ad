"""A game of dice made from its card, as the record of functions that the table uses.

Our own ruling: a player who leaves keeps the card unchanged and has no more turns. Players who left
are ranked after everyone who stayed, by points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Final

from scoreboard.dice import FACES, Roll
from scoreboard.errors import RuleViolationError
from scoreboard.games.dice.acts import KINDS, NOTATION, CategoryScored, Command, Event
from scoreboard.games.dice.form import Form
from scoreboard.games.dice.rules import decide
from scoreboard.games.dice.state import Card, Opening, State, active_seat, evolve, start_roller
from scoreboard.games.dice.view import describe, offers, scoresheet
from scoreboard.games.engine.game import Choice, Game, Option, Outcome, Phase, Setup, Turn, settled
from scoreboard.message import Message, message


def highest(form: Form) -> int:
    """The highest total of a card of this form: each box and each further bonus at its best.

    A box that is subtracted from others gets its best value for the total (YM-4).
    """
    rolls = [Roll(dice) for dice in combinations_with_replacement(FACES, form.dice)]
    worths = {
        box.key: {worth(roll) for worth in (box.worth, box.joker or box.worth) for roll in rolls}
        for box in form.boxes
    }
    best = {key: max(each) for key, each in worths.items()}
    for key, each in worths.items():
        others = [best | {key: worth} for worth in each]
        best = max(best, *others, key=lambda card: _grand(form, card))  # the first of equals
    further = max(form.further(_card(form, best).values, roll) for roll in rolls)
    return _grand(form, best, further * (len(form.boxes) - 1))


def _card(form: Form, points: Mapping[str, int], further: int = 0) -> Card:
    return Card(form, tuple(points[key] for key in form.keys), further)


def _grand(form: Form, points: Mapping[str, int], further: int = 0) -> int:
    return _card(form, points, further).grand


SEATS: Final = range(1, 21)  # the rules set no limit; a sheet of more columns is no sheet
START: Final = Option(
    "start",
    message("Who starts"),
    "YZ-2",
    (
        Choice("roll-off", message("Roll for it: the highest total starts")),
        Choice("first", message("First player in the list")),
    ),
    proposed="first",
)
SHARED_RULE_TEXTS: Final[Mapping[str, Message]] = {
    "YZ-2": message("Everyone rolls all dice once: the highest total starts."),
    "YZ-4": message("A turn has at most three rolls, of any of the dice."),
    "YZ-5": message("If a die falls off or is cocked, re-roll just that die."),
    "YZ-6": message("After the last roll one empty box is filled, and never changed."),
    "YZ-7": message("A box takes what the dice are worth in it: 0 where its condition fails."),
}
YachtGame = Game[State, Command, Event]
Agreed = Mapping[str, Choice]


def yacht_game(
    name: str,
    title: Message,
    form: Callable[[Agreed], Form],
    rule_texts: Mapping[str, Message],
    options: tuple[Option, ...] = (),
) -> YachtGame:
    """Make a game of its card: `form` gives it for the agreed house rules.

    `options` are the house rules in addition to the one on who starts; those not at their default
    are printed on the card.
    """
    all_options = (START, *options)

    def start(setup: Setup) -> State:
        agreed = settled(all_options, setup.options)
        printed = tuple(choice.printed for choice in agreed.values() if choice.printed)
        card = replace(form(agreed), house_rules=printed)
        if len(setup.players) not in SEATS:
            raise RuleViolationError(
                card.rules.players, message("{game} is for 1 to 20 players.", game=title)
            )
        opening: Opening = "first" if agreed["start"].value == "first" else "roll-off"
        return State.fresh(card, setup.players, opening)

    def scores(setup: Setup) -> range:
        return range(highest(form(settled(all_options, setup.options))) + 1)

    return Game(
        name=name,
        title=title,
        seats=SEATS,
        options=all_options,
        kinds=KINDS,
        start=start,
        decide=decide,
        evolve=evolve,
        offers=offers,
        scoresheet=scoresheet,
        outcome=outcome,
        turn=turn,
        describe=describe,
        notation=NOTATION,
        rule_texts={**SHARED_RULE_TEXTS, **rule_texts},
        scores=scores,
        needs=message("5 dice"),
        minutes=30,
        scoring=(CategoryScored,),
        begins=(CategoryScored,),
    )


def turn(state: State) -> Turn:
    """The open turn, for the table."""
    rolls = state.rolls
    phase: Phase = "rolling"
    if state.is_finished:
        phase = "finished"
    elif state.opening == "over":
        phase = "choosing" if rolls.stood else "rolling"
    elif len(state.staying) > 1 and start_roller(state) is not None:
        phase = "starting"  # a lone player need not roll for the start (YZ-20)
    starts = tuple((rolled.seat, rolled.roll) for rolled in state.start_rolls)
    if phase == "starting":
        return Turn(len(starts), phase, active_seat(state), rolls_allowed=1, start_rolls=starts)
    return Turn(
        number=state.turns,
        phase=phase,
        player=active_seat(state),
        rolls_made=rolls.made,
        rolls_allowed=rolls.allowed,
        roll=rolls.roll,
        kept=rolls.kept,
        start_rolls=starts,
    )


def outcome(state: State) -> Outcome | None:
    """The places when the game is over, those who left last (YZ-19); None before."""
    if not state.is_finished:
        return None
    grands = [card.grand for card in state.cards]
    merits = [(not gone, grand) for gone, grand in zip(state.gone, grands, strict=True)]
    return Outcome.ranked(state.players, grands, merits)
