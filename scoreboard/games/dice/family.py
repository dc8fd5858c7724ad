"""A game of the family from its data: the record of functions that the table uses.

RULING of ours: a player who leaves keeps the card as it is, the turns pass them by, and
they are ranked after everyone who stayed, among themselves by points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from scoreboard.errors import RuleViolationError
from scoreboard.games.dice.acts import KINDS, Command, Event
from scoreboard.games.dice.bounds import highest
from scoreboard.games.dice.descriptions import describe
from scoreboard.games.dice.form import Form
from scoreboard.games.dice.lines import NOTATION
from scoreboard.games.dice.offers import offers
from scoreboard.games.dice.rules import decide
from scoreboard.games.dice.sheet import scoresheet
from scoreboard.games.dice.state import Opening, State
from scoreboard.games.dice.turns import active_seat, evolve, start_thrower
from scoreboard.games.engine.game import Game, Outcome, Phase, Place, Setup, Turn
from scoreboard.games.engine.option import Choice, Option, settled
from scoreboard.message import Message, message

SEATS: Final = range(1, 21)  # the rules set no limit; a sheet of more columns is no sheet
START: Final = Option(
    "start",
    message("Who starts"),
    "YZ-2",
    (
        Choice("roll-off", message("Throw for it: the highest total starts")),
        Choice("first", message("The first named starts")),
    ),
)
YachtGame = Game[State, Command, Event]
Agreed = Mapping[str, Choice]


def yacht_game(
    name: str,
    title: Message,
    form: Callable[[Agreed], Form],
    options: tuple[Option, ...] = (),
) -> YachtGame:
    """Make a game of its card: `form` gives it for the house rules that were agreed on.

    `options` are the house rules beside the one on who starts; those that are not at their
    default are put on the card.
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
        scores=scores,
    )


def turn(state: State) -> Turn:
    """Where the game stands, as the table must know it."""
    phase = _phase(state)
    starts = tuple((thrown.seat, thrown.roll) for thrown in state.start_throws)
    if phase == "starting":
        return Turn(len(starts), phase, active_seat(state), rolls_allowed=1, start_rolls=starts)
    throws = state.throws
    return Turn(
        number=state.turns,
        phase=phase,
        player=active_seat(state),
        rolls_made=throws.made,
        rolls_allowed=throws.allowed,
        roll=throws.roll,
        kept=throws.kept,
        start_rolls=starts,
    )


def _phase(state: State) -> Phase:
    """YZ-2, YZ-4, YZ-19; a lone player need not throw for the start."""
    if state.is_finished:
        return "finished"
    if state.opening == "over":
        return "choosing" if state.throws.stood else "rolling"
    alone = len(state.staying) == 1
    return "rolling" if alone or start_thrower(state) is None else "starting"


def outcome(state: State) -> Outcome | None:
    """The places when the game is over, those who left last (YZ-19); None before."""
    if not state.is_finished:
        return None
    return Outcome(tuple(_places(state)))


def _places(state: State) -> Iterable[Place]:
    keys = {seat: (state.gone[seat], -card.grand) for seat, card in enumerate(state.cards)}
    for seat in sorted(keys, key=keys.__getitem__):
        better = sum(key < keys[seat] for key in keys.values())
        yield Place(better + 1, state.players[seat], -keys[seat][1])
