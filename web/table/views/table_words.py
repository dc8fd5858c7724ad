"""What the table page says about a view: whose turn, what now, and what each button means.

Nothing is decided here. Every sentence restates what the session's view already holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from scoreboard.dice import Roll
from scoreboard.games.engine.game import Turn
from scoreboard.message import Message, message
from scoreboard.table.proposal import Light
from scoreboard.table.reading_warnings import SAME_DICE
from scoreboard.table.requests import Action, TableSight
from scoreboard.table.view import ShownDie, ShownOffer, ShownProposal, TableView
from web.table.views.event_status import signs

SIGHTS: Final = {
    TableSight.NOTHING: message("No picture yet"),
    TableSight.MOVING: message("Dice or a hand are moving"),
    TableSight.READING: message("Reading the dice"),
    TableSight.STILL: message("The dice lie still"),
    TableSight.LOST: message("The camera is gone"),
}
PIECES_SIGHTS: Final = {
    **SIGHTS,
    TableSight.MOVING: message("Tiles or a hand are moving"),
    TableSight.READING: message("Reading the table"),
    TableSight.STILL: message("Nothing moves"),
}
LIGHTS: Final = {
    Light.GREEN: message("The table is seen well."),
    Light.AMBER: message("Something to mend:"),
    Light.RED: message("Nothing is read now:"),
    None: None,
}
STAGES: Final = {
    "no game": message("Set up a game: name who plays, and the table keeps the score."),
    "starting": message("Throw all five dice; the highest total starts."),
    "choosing": message("Choose a box: tap it, or step with REROLL and score with KEEP."),
    "finished": message("Play again with the same players, or set up another game."),
    "abandoned": message("It is in the list of games and can be taken up again."),
}
UNREADABLE_LAST: Final = 7  # after every face
THROWING: Final = frozenset({"starting", "rolling"})
NOTHING: Final = message("Nothing just now")
SIGN_FIRST: Final = message("First sign the result")
NO_ROLL_LEFT: Final = message("No roll is left; KEEP confirms")


@dataclass(frozen=True, slots=True)
class ButtonMeaning:
    """One of the table's buttons and what a press would do now; `key` is its keyboard key."""

    action: Action
    label: Message
    key: str
    meaning: Message


def spaced(roll: Roll) -> str:
    """A roll as people say it, one die after the other."""
    return " ".join(map(str, roll.faces))


def current_roll_number(turn: Turn) -> int:
    """The number of the throw that the table is at: the awaited one, or the last."""
    awaited = turn.rolls_made + 1 if turn.phase in {"starting", "rolling"} else turn.rolls_made
    return min(awaited, turn.rolls_allowed)


def headline(view: TableView) -> Message:  # noqa: PLR0911 -- one arm a stage
    """Whose turn it is, or why it is nobody's."""
    match view.stage, view.player:
        case "no game", _:
            return message("No game on the table")
        case "finished", _:
            return message("The game is over")
        case "abandoned", _:
            return message("This game was put away")
        case "playing", None:
            return message("Everyone together")
        case "starting", str(player):
            return message("{player} throws for the start", player=player)
        case _, str(player):
            return message("{player}’s turn", player=player)
        case _:
            return message("The table is ready")


def progress(view: TableView) -> Message | None:
    """Which throw of how many this is; None when none is awaited or made."""
    if view.turn is None:
        return None
    if view.turn.awaited is not None:
        return view.turn.awaited.progress
    number, allowed = current_roll_number(view.turn), view.turn.rolls_allowed
    match view.stage:
        case "starting":
            return message("Who starts?")
        case "rolling":
            return message("Roll {number} of {allowed}", number=number, allowed=allowed)
        case "choosing":
            return message("Choose a box")
        case _:
            return None


def instruction(view: TableView) -> Message:
    """The one thing to do now."""
    if view.paused is not None:
        return message("The table waits until this is cured.")
    asking = offer_of(view, view.asking)
    if asking is not None:
        return message("{offer} – really? Yes with KEEP, no with UNDO.", offer=asking.label)
    if view.proposal is not None:
        if view.proposal.same:
            return SAME_DICE
        return _about_proposal(view.proposal, is_last=_is_last(view))
    if view.stage == "playing" and view.turn is not None and view.turn.awaited is not None:
        return view.turn.awaited.instruction
    return _about_throw(view) if view.stage == "rolling" else STAGES[view.stage]


def _is_last(view: TableView) -> bool:
    """Whether the throw that waits is the turn's last one: REROLL has no meaning then."""
    turn = view.turn
    return (
        turn is not None and turn.phase == "rolling" and turn.rolls_made + 1 >= turn.rolls_allowed
    )


def dice_in_order(view: TableView) -> tuple[tuple[int, ShownDie], ...]:
    """The dice of the throw that waits by value, each with its place in the reading."""
    dice = () if view.proposal is None else view.proposal.dice
    return tuple(sorted(enumerate(dice), key=lambda each: each[1].face or UNREADABLE_LAST))


def reads_again(view: TableView) -> bool:
    """Whether a person may ask for what lies still: it is awaited, and no reading waits."""
    if view.turn is None or view.proposal or view.pieces or view.sight is not TableSight.STILL:
        return False
    awaited = view.turn.awaited
    return view.stage in {"starting", "rolling"} or (
        view.stage == "playing" and awaited is not None and awaited.sight is not None
    )


def drawable(view: TableView) -> str | None:
    """How the keys of the offers begin from which one may be drawn at random."""
    drawn = [offer for offer in view.offers if offer.by_lot]
    return f"{drawn[0].key.partition(':')[0]}:" if len(drawn) > 1 else None


def played_keys(view: TableView) -> frozenset[str]:
    """The keys of the offers that play one of the game's pieces."""
    return frozenset(offer.key for offer in view.offers if offer.piece is not None)


def clock_face(seconds: float) -> str:
    """The time left as a clock shows it: 1:05."""
    whole = ceil(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def _about_proposal(  # noqa: PLR0911 -- one arm a case
    proposal: ShownProposal, *, is_last: bool
) -> Message:
    if proposal.off_tray:
        return message("Throw again what is off the tray, and nothing else.")
    if proposal.roll is None:
        return message("Put the reading right: tap a die, or enter the throw by hand.")
    roll = spaced(proposal.roll)
    if proposal.asked:
        return message("Look again: {roll}? Press once more to confirm.", roll=roll)
    if proposal.doubts and not proposal.by_hand:
        return message("Read as {roll}, with doubts. Look at the dice first.", roll=roll)
    if is_last:
        if proposal.by_hand:
            return message("Entered by hand: {roll}. Confirm it with KEEP.", roll=roll)
        return message("Read as {roll}. Confirm it with KEEP.", roll=roll)
    if proposal.by_hand:
        return message("Entered by hand: {roll}. Confirm it with KEEP or REROLL.", roll=roll)
    return message("Read as {roll}. Confirm it with KEEP or REROLL.", roll=roll)


def _about_throw(view: TableView) -> Message:
    kept = Roll(tuple(die.face for die in view.last_roll if die.kept))
    others = len(view.last_roll) - len(kept)
    if not view.last_roll:
        return message("Throw all five dice.")
    if not kept.faces:
        return message("Throw again; tap the dice that you keep. Or score a box now.")
    if not others:
        return message("All dice are kept: choose a box.")
    return message("Keep {kept} and throw the other {others}.", kept=spaced(kept), others=others)


def light(view: TableView) -> Light | None:
    """The light of the table's health; None while nobody looks at the table."""
    if view.health is None or view.sight in {TableSight.LOST, TableSight.NOTHING}:
        return None
    return view.health.light


def offer_of(view: TableView, key: str | None) -> ShownOffer | None:
    """The offer of that key; None for none."""
    return next((offer for offer in view.offers if offer.key == key), None)


def button_meanings(view: TableView) -> tuple[ButtonMeaning, ...]:
    """The three buttons in the order of the panel."""
    undo = message("Take back {what}", what=view.undo) if view.undo is not None else None
    return (
        ButtonMeaning(Action.KEEP, message("KEEP"), "K", _keep_meaning(view)),
        ButtonMeaning(Action.REROLL, message("REROLL"), "R", _reroll_meaning(view)),
        ButtonMeaning(Action.UNDO, message("UNDO"), "U", undo or NOTHING),
    )


def _keep_meaning(view: TableView) -> Message:
    if view.keep is None:
        return SIGN_FIRST if signs(view) else _why_not(view)
    if view.asking is not None:
        return message("Yes – {deed}", deed=view.keep)
    pointed = offer_of(view, view.pointer)
    if pointed is not None and pointed.label == view.keep:
        return message("Score {box}", box=view.keep)
    return view.keep


def _reroll_meaning(view: TableView) -> Message:
    if view.reroll is None:
        return _why_no_reroll(view)
    if view.stage == "choosing":
        return message("Next box – {box}", box=view.reroll)
    return view.reroll


def _why_no_reroll(view: TableView) -> Message:
    if view.pieces is not None and view.keep is not None:
        return NOTHING  # the pieces are in order: nothing about them is to be put right
    ready = view.proposal is not None and view.proposal.roll is not None
    return NO_ROLL_LEFT if ready else _why_not(view)


def _why_not(view: TableView) -> Message:
    """Why a button has nothing to do; the press itself is answered with more."""
    if view.proposal is not None:
        return message("First put the reading right")
    if view.pieces is not None:
        return message("First put right what is marked")
    return message("Throw the dice first") if view.stage in THROWING else NOTHING
