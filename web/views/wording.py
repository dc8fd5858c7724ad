"""What the table page says about a view: whose turn, what now, and what each button means.

Nothing is decided here. Every sentence restates what the session's view already holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scoreboard.dice import Roll
from scoreboard.game import Turn
from scoreboard.phrase import Phrase, phrase
from scoreboard.table.messages import Action, TableSight
from scoreboard.table.view import ShownOffer, ShownProposal, TableView

SIGHTS: Final = {
    TableSight.NOTHING: phrase("No picture yet"),
    TableSight.MOVING: phrase("Dice or a hand are moving"),
    TableSight.READING: phrase("Reading the dice"),
    TableSight.STILL: phrase("The dice lie still"),
    TableSight.LOST: phrase("The camera is gone"),
}
STAGES: Final = {
    "no game": phrase("Set up a game: name who plays, and the table keeps the score."),
    "starting": phrase("Throw all five dice; the highest total starts."),
    "choosing": phrase("Choose a box: tap it, or step with REROLL and score with KEEP."),
    "finished": phrase("Play again with the same players, or set up another game."),
    "abandoned": phrase("It is in the list of games and can be taken up again."),
}
THROWING: Final = frozenset({"starting", "rolling"})
NOTHING: Final = phrase("nothing just now")
NO_ROLL_LEFT: Final = phrase("no roll is left: KEEP confirms")


@dataclass(frozen=True, slots=True)
class ButtonMeaning:
    """One of the table's buttons and what a press would do now; `key` is its keyboard key."""

    action: Action
    label: Phrase
    key: str
    meaning: Phrase


def spaced(roll: Roll) -> str:
    """A roll as people say it, one die after the other."""
    return " ".join(map(str, roll.faces))


def current_roll_number(turn: Turn) -> int:
    """The number of the throw that the table is at: the awaited one, or the last."""
    awaited = turn.rolls_made + 1 if turn.phase in {"starting", "rolling"} else turn.rolls_made
    return min(awaited, turn.rolls_allowed)


def headline(view: TableView) -> Phrase:
    """Whose turn it is, or why it is nobody's."""
    match view.stage, view.player:
        case "no game", _:
            return phrase("No game on the table")
        case "finished", _:
            return phrase("The game is over")
        case "abandoned", _:
            return phrase("This game was put away")
        case "starting", str(player):
            return phrase("{player} throws for the start", player=player)
        case _, str(player):
            return phrase("{player}’s turn", player=player)
        case _:
            return phrase("The table is ready")


def progress(view: TableView) -> Phrase | None:
    """Which throw of how many this is; None when none is awaited or made."""
    if view.turn is None:
        return None
    number, allowed = current_roll_number(view.turn), view.turn.rolls_allowed
    match view.stage:
        case "starting":
            return phrase("Who starts?")
        case "rolling":
            return phrase("Roll {number} of {allowed}", number=number, allowed=allowed)
        case "choosing":
            return phrase("Choose a box")
        case _:
            return None


def instruction(view: TableView) -> Phrase:
    """The one thing to do now."""
    if view.paused is not None:
        return phrase("The table waits until this is cured.")
    if view.asking is not None:
        return phrase("A 0 is about to be written. Are you sure?")
    if view.proposal is not None:
        return _about_proposal(view.proposal)
    return _about_throw(view) if view.stage == "rolling" else STAGES[view.stage]


def _about_proposal(proposal: ShownProposal) -> Phrase:
    if proposal.roll is None:
        return phrase("Put the reading right: tap a die, or enter the throw by hand.")
    roll = spaced(proposal.roll)
    if proposal.asked:
        return phrase("Look again: {roll}? Press once more to confirm.", roll=roll)
    if proposal.by_hand:
        return phrase("Entered by hand: {roll}. Confirm it with KEEP or REROLL.", roll=roll)
    if proposal.doubts:
        return phrase("Read as {roll}, with doubts. Look at the dice first.", roll=roll)
    return phrase("Read as {roll}. Confirm it with KEEP or REROLL.", roll=roll)


def _about_throw(view: TableView) -> Phrase:
    kept = Roll(tuple(die.face for die in view.last_roll if die.kept))
    others = len(view.last_roll) - len(kept)
    if not view.last_roll:
        return phrase("Throw all five dice.")
    if not kept.faces:
        return phrase("Throw again: tap the dice you keep first. Or score a box now.")
    if not others:
        return phrase("All dice are kept: choose a box.")
    return phrase("Keep {kept} and throw the other {others}.", kept=spaced(kept), others=others)


def offer_of(view: TableView, key: str | None) -> ShownOffer | None:
    """The offer of that key; None for none."""
    return next((offer for offer in view.offers if offer.key == key), None)


def button_meanings(view: TableView) -> tuple[ButtonMeaning, ...]:
    """The three buttons in the order of the panel."""
    return (
        ButtonMeaning(Action.KEEP, phrase("KEEP"), "K", _keep_meaning(view)),
        ButtonMeaning(Action.REROLL, phrase("REROLL"), "R", _reroll_meaning(view)),
        ButtonMeaning(Action.UNDO, phrase("UNDO"), "U", _undo_meaning(view)),
    )


def _keep_meaning(view: TableView) -> Phrase:
    asked = offer_of(view, view.asking)
    if asked is not None:
        return phrase("yes, write it – {offer}", offer=asked.label)
    if view.proposal is not None:
        final = phrase("record {roll} and stop rolling", roll=_recorded(view.proposal))
        return _confirming(view, final)
    pointed = offer_of(view, view.pointer)
    if pointed is not None:
        return phrase("score {offer}", offer=pointed.label)
    if view.stage == "rolling" and view.last_roll:
        return phrase("stop rolling and choose a box")
    return NOTHING


def _reroll_meaning(view: TableView) -> Phrase:
    if view.stage == "choosing":
        return phrase("show the next box")
    if view.asking is not None:
        return phrase("no, write nothing")
    if view.proposal is not None:
        again = phrase("record {roll} and roll again", roll=_recorded(view.proposal))
        return NO_ROLL_LEFT if _is_last_roll(view) else _confirming(view, again)
    return phrase("throw the dice first") if view.stage in THROWING else NOTHING


def _undo_meaning(view: TableView) -> Phrase:
    if view.asking is not None or (view.proposal is not None and view.proposal.asked):
        return phrase("take the question back")
    if view.proposal is not None:
        return phrase("reject the reading and read again")
    if view.undo is None:
        return phrase("nothing to take back")
    return phrase("take back: {step}", step=view.undo)


def _confirming(view: TableView, meaning: Phrase) -> Phrase:
    """What confirming the pending reading means now: `meaning`, unless something is in the way."""
    if view.proposal is None or view.proposal.roll is None:
        return phrase("first put the reading right")
    if view.stage == "starting":
        return phrase("record {roll}", roll=_recorded(view.proposal))
    return meaning


def _recorded(proposal: ShownProposal) -> str:
    return spaced(proposal.roll) if proposal.roll is not None else ""


def _is_last_roll(view: TableView) -> bool:
    turn = view.turn
    rolling = turn is not None and view.stage == "rolling"
    return rolling and turn is not None and turn.rolls_made + 1 >= turn.rolls_allowed
