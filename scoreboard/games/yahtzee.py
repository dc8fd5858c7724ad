"""Yahtzee by the official rules: the rulebook as the table uses it.

RULING of ours: a player who leaves keeps the card as it is, the turns pass them by, and
they are ranked after everyone who stayed, among themselves by points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from scoreboard.dice import Roll
from scoreboard.errors import RuleViolationError
from scoreboard.game import Game, Outcome, Phase, Place, Setup, Turn
from scoreboard.games.yahtzee_acts import (
    KINDS,
    CategoryScored,
    Command,
    CorrectRoll,
    DiceKept,
    DiceRolled,
    Event,
    FoulDieRerolled,
    KeepDice,
    LeaveGame,
    PlayerLeft,
    RecordRoll,
    RecordStart,
    RerollFoulDie,
    RollCorrected,
    ScoreCategory,
    StartRolled,
)
from scoreboard.games.yahtzee_boxes import DICE, KEYS
from scoreboard.games.yahtzee_offers import offers
from scoreboard.games.yahtzee_rules import decide
from scoreboard.games.yahtzee_sheet import LABELS, TITLE, scoresheet
from scoreboard.games.yahtzee_state import ROLLS_ALLOWED, Card, State
from scoreboard.games.yahtzee_turns import active_seat, evolve, start_thrower
from scoreboard.phrase import Phrase, phrase

__all__ = [
    "GAME",
    "KEYS",
    "Card",
    "CategoryScored",
    "Command",
    "CorrectRoll",
    "DiceKept",
    "DiceRolled",
    "Event",
    "FoulDieRerolled",
    "KeepDice",
    "LeaveGame",
    "PlayerLeft",
    "RecordRoll",
    "RecordStart",
    "RerollFoulDie",
    "RollCorrected",
    "ScoreCategory",
    "StartRolled",
    "State",
]

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {"start": ("roll-off", "first")}
SEATS: Final = range(1, 21)  # the rules set no limit; a sheet of more columns is no sheet


def start(setup: Setup) -> State:
    """A fresh game (YZ-1).

    With the option `start` at `first` the first named starts; else the throws for the start
    are awaited (YZ-2), unless somebody makes a counted roll right away.

    Raises:
        RuleViolationError: too few or too many players, or an option that is none.
    """
    seats = len(setup.players)
    if seats not in SEATS:
        raise RuleViolationError("YZ-1", phrase("Yahtzee is for 1 to 20 players."))
    for name, value in setup.options.items():
        if value not in OPTIONS.get(name, ()):
            raise RuleViolationError(
                "YZ-1", phrase("Yahtzee has no option {name}: {value}.", name=name, value=value)
            )
    first = setup.options.get("start") == "first"
    return State(
        players=setup.players,
        cards=(Card(),) * seats,
        gone=(False,) * seats,
        opening="first" if first else "roll-off",
    )


def turn(state: State) -> Turn:
    """Where the game stands, as the table must know it."""
    phase = _phase(state)
    starts = tuple((thrown.seat, thrown.roll) for thrown in state.start_throws)
    if phase == "starting":
        return Turn(len(starts), phase, active_seat(state), 0, 1, None, None, starts)
    throws = state.throws
    return Turn(
        number=state.turns,
        phase=phase,
        player=active_seat(state),
        rolls_made=throws.made,
        rolls_allowed=ROLLS_ALLOWED,
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
    keys = {
        seat: (state.gone[seat], -card.totals["grand"]) for seat, card in enumerate(state.cards)
    }
    for seat in sorted(keys, key=keys.__getitem__):
        better = sum(key < keys[seat] for key in keys.values())
        yield Place(better + 1, state.players[seat], -keys[seat][1])


def describe(event: Event) -> Phrase:  # noqa: PLR0911 -- one arm a member
    """What an event was, as in “undo takes back roll 33516”."""
    match event:
        case StartRolled(player, roll):
            return phrase("start throw {roll} of {player}", roll=str(roll), player=player)
        case DiceRolled(roll):
            return phrase("roll {roll}", roll=str(roll))
        case DiceKept(roll):
            return _described_keep(roll)
        case FoulDieRerolled(was, now):
            return phrase("foul die {was} now {now}", was=was, now=now)
        case RollCorrected(roll):
            return phrase("correction to {roll}", roll=str(roll))
        case CategoryScored():
            return _described_score(event)
        case PlayerLeft(player):
            return phrase("{player} left", player=player)


def _described_keep(kept: Roll) -> Phrase:
    if not kept.faces:
        return phrase("keeping none")
    if len(kept) == DICE:
        return phrase("standing on {roll}", roll=str(kept))
    return phrase("keeping {roll}", roll=str(kept))


def _described_score(event: CategoryScored) -> Phrase:
    box = LABELS[event.category]
    if not event.bonus:
        return phrase(
            "{points} in {box} for {player}", points=event.points, box=box, player=event.player
        )
    return phrase(
        "{points} in {box} and a bonus of {bonus} for {player}",
        points=event.points,
        box=box,
        bonus=event.bonus,
        player=event.player,
    )


GAME: Final[Game[State, Command, Event]] = Game(
    name="yahtzee",
    title=TITLE,
    seats=SEATS,
    options=OPTIONS,
    kinds=KINDS,
    start=start,
    decide=decide,
    evolve=evolve,
    offers=offers,
    scoresheet=scoresheet,
    outcome=outcome,
    turn=turn,
    describe=describe,
)
