"""The sentences of the table page, which decide nothing: each restates the session’s view."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from scoreboard.dice import Roll
from scoreboard.games.engine.game import OfferKind, Turn
from scoreboard.message import Message, message
from scoreboard.table.announcements import result
from scoreboard.table.game_session import AnyOffer
from scoreboard.table.kept_dice import SAME_DICE
from scoreboard.table.requests import Action, TableStatus
from scoreboard.table.tournament_view import TournamentView
from scoreboard.table.view import ShownDie, ShownPieces, ShownProposal, TableView

RESTING: Final = frozenset({"no game", "finished", "abandoned"})
PHASES: Final = {
    "": message("Nobody is seated here yet: the director draws the round."),
    "drawn": message("Take your seats; the director starts the round."),
    "running": message("All games of this round are played here. Wait for the next one."),
    "closed": message("The round is over. Wait for the next one."),
}
SIT_DOWN: Final = message("Take your seats; press KEEP or tap to begin the game.")
SIGN: Final = message("Check the result, then sign it.")


def between_games(view: TableView) -> TournamentView | None:
    """The tournament that the table is at while no game is under way; else None."""
    return view.event if view.stage in RESTING else None


def signs(view: TableView) -> bool:
    """Whether the result that is shown waits to be signed, or one that was entered."""
    tournament = between_games(view)
    results = () if tournament is None else tournament.results
    shown = (each for each in results if each.is_entered or each.game_id == view.game_id)
    return any(each.unsigned and not each.is_disputed for each in shown)


def is_left_behind(view: TableView) -> bool:
    """Whether the finished game that is shown is of a round that is over at this table."""
    tournament = view.event
    if tournament is None or view.stage != "finished" or view.game_id not in tournament.games:
        return False
    return tournament.round is not None and tournament.result(view.game_id) is None


def tournament_headline(view: TableView) -> Message | None:
    """The table's place and round, between two games, or None."""
    tournament = between_games(view)
    if tournament is None or (view.stage != "no game" and not is_left_behind(view)):
        return None
    if tournament.round is None:
        return message("Table {number}", number=tournament.place)
    return message("Table {number}, round {round}", number=tournament.place, round=tournament.round)


def tournament_instruction(view: TableView) -> Message | None:
    """The one thing to do now, between two games, or None."""
    tournament = between_games(view)
    if tournament is None:
        return None
    if signs(view):
        return SIGN
    if tournament.obstacle is not None:
        return tournament.obstacle
    return PHASES[tournament.phase] if tournament.due is None else SIT_DOWN


def link_words(tournament: TournamentView) -> Message:
    """The state of the table's connection to its hub."""
    link = tournament.link
    if link.connected:
        return message("Connected to the hub")
    if link.since is None:
        return message("Connecting to the hub")
    if not link.waiting:
        return message("No connection to the hub: play on, nothing is lost.")
    return message(
        "No connection to the hub: play on, nothing is lost. Waiting to be sent: {count}",
        count=link.waiting,
    )


STATUS: Final = {
    TableStatus.NOTHING: message("No picture yet"),
    TableStatus.MOVING: message("Something is moving"),
    TableStatus.READING: message("Reading the dice"),
    TableStatus.STILL: message("Dice at rest"),
    TableStatus.LOST: message("Waiting for the camera"),
}
PIECES_STATUS: Final = {
    **STATUS,
    TableStatus.READING: message("Reading the table"),
    TableStatus.STILL: message("Nothing moves"),
}
STAGES: Final = {
    "no game": message("Set up a game: enter the players, and the table keeps the score."),
    "starting": message("Roll all five dice; the highest total starts."),
    "choosing": message("Tap a box, or go to it with REROLL and score it with KEEP."),
    "finished": message("Play again with the same players, or set up another game."),
    "abandoned": message("It’s in the list of games; resume it whenever you like."),
}
UNREADABLE_LAST: Final = 7  # after every face
ROLLING: Final = frozenset({"starting", "rolling"})
NOTHING: Final = message("Nothing to do now")
SIGN_FIRST: Final = message("Sign the result first")
NO_ROLL_LEFT: Final = message("No rolls left; press KEEP")


@dataclass(frozen=True, slots=True)
class ButtonMeaning:
    """One of the table's buttons and the effect of a press now; `key` is its keyboard key."""

    action: Action
    label: Message
    key: str
    meaning: Message


def current_roll_number(turn: Turn) -> int:
    """The number of the roll that the table is at: the awaited one, or the last."""
    awaited = turn.rolls_made + 1 if turn.phase in ROLLING else turn.rolls_made
    return min(awaited, turn.rolls_allowed)


def headline(view: TableView) -> Message:  # noqa: PLR0911 -- one arm a stage
    """The player in turn, or the reason for none."""
    match view.stage, view.player:
        case "no game", _:
            return message("No game on the table")
        case "finished", _:
            return result(view)
        case "abandoned", _:
            return message("This game is closed")
        case "playing", None if view.turn and view.turn.awaited and view.turn.awaited.expected:
            return message("Adding up the points")  # of racks or piles, which the camera may read
        case "playing", None:
            return message("Everyone together")
        case "starting", str(player):
            return message("{player} rolls for the start", player=player)
        case "playing", str(player) if view.scoresheet and view.scoresheet.current is None:
            return message("{name}", name=player)  # drawing for the start
        case _, str(player):
            return message("{player}’s turn", player=player)
        case _:
            return message("The table is ready")


def progress(view: TableView) -> Message | None:
    """Which roll of how many this is; None when none is awaited or made."""
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
        return message("Fix this first; the table is waiting.")
    asking = offer_of(view, view.asking)
    if asking is not None:
        return _question(view, asking)
    if view.proposal is not None:
        if view.proposal.same:
            return SAME_DICE
        turn = view.turn
        may_reroll = turn is not None and turn.phase == "rolling"
        is_last = turn is None or not may_reroll or turn.rolls_made + 1 >= turn.rolls_allowed
        return _about_proposal(view.proposal, is_last=is_last)
    if view.stage == "playing" and view.turn is not None and view.turn.awaited is not None:
        return view.turn.awaited.instruction
    return _about_last_roll(view) if view.stage == "rolling" else STAGES[view.stage]


def _question(view: TableView, asking: AnyOffer) -> Message:
    """Whether to confirm the choice, though it is a 0 or breaks a rule."""
    rows = () if view.scoresheet is None else view.scoresheet.rows
    for row in rows:
        if asking.points == 0 and asking.key == OfferKind.SCORE.key(row.key):
            return message("Score 0 in {box}? KEEP = yes, UNDO = no", box=row.label)
    return message("{offer}? KEEP = yes, UNDO = no", offer=asking.label)


def dice_in_order(view: TableView) -> tuple[tuple[int, ShownDie], ...]:
    """The dice of the pending roll by value, each with its index in the reading."""
    dice = () if view.proposal is None else view.proposal.dice
    return tuple(sorted(enumerate(dice), key=lambda each: each[1].face or UNREADABLE_LAST))


def doubts_about_pieces(pieces: ShownPieces) -> tuple[tuple[Message, int | None], ...]:
    """The doubts, each with the index of the marked piece to look at, if any.

    It is the one that the doubt names, or else the first that no doubt names. One that names a
    piece ends with the mark of that piece.
    """
    names = [{piece.label, *piece.others} for piece in pieces.pieces]
    marked = {at: names[at] for at, piece in enumerate(pieces.pieces) if piece.doubtful}
    corrected = [names[at] for at, piece in enumerate(pieces.pieces) if piece.corrected]
    settled = set[str]().union(*corrected).difference(*marked.values())
    by_name = {
        doubt: next((at for at, names in marked.items() if names & _named(doubt)), None)
        for doubt in pieces.doubts
        if not _named(doubt) & settled
    }
    others = [at for at in marked if at not in by_name.values()]
    first = next(iter(others or marked), None)
    return tuple((doubt, first if at is None else at) for doubt, at in by_name.items())


def _named(doubt: Message) -> set[str]:
    return {str(value) for _, value in doubt.values}


def reads_again(view: TableView) -> bool:
    """Whether a person may ask to read again: a reading is awaited, and none is pending."""
    if view.turn is None or view.proposal or view.pieces or view.status is not TableStatus.STILL:
        return False
    awaited = view.turn.awaited
    return view.stage in ROLLING or (
        view.stage == "playing" and awaited is not None and awaited.expected is not None
    )


def drawable(view: TableView) -> str | None:
    """How the keys of the offers begin from which one may be drawn at random."""
    drawn = [offer for offer in view.offers if offer.by_lot]
    return f"{drawn[0].key.partition(':')[0]}:" if len(drawn) > 1 else None


def clock_face(seconds: float) -> str:
    """The time left as a clock shows it: 1:05."""
    whole = ceil(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def _about_proposal(  # noqa: PLR0911 -- one arm a case
    proposal: ShownProposal, *, is_last: bool
) -> Message:
    if proposal.off_tray:
        return message("Re-roll only the dice that are off the tray.")
    if proposal.roll is None:
        return message("Tap the die that is wrong, or type the roll in.")
    roll = proposal.roll.spaced
    if proposal.asked:
        if is_last:
            return message("Is {roll} right? Press KEEP again.", roll=roll)
        return message("Is {roll} right? Press again: KEEP or REROLL.", roll=roll)
    if proposal.doubts and not proposal.by_hand:
        return message("I see {roll}, but I’m not sure. Check the dice first.", roll=roll)
    if is_last:
        if proposal.by_hand:
            return message("You entered {roll}. Press KEEP.", roll=roll)
        return message("I see {roll}. Press KEEP.", roll=roll)
    if proposal.by_hand:
        return message("You entered {roll}. KEEP it or REROLL?", roll=roll)
    return message("I see {roll}. KEEP it or REROLL?", roll=roll)


def _about_last_roll(view: TableView) -> Message:
    kept = Roll(tuple(die.face for die in view.last_roll if die.kept))
    others = len(view.last_roll) - len(kept)
    if not view.last_roll:
        return message("Roll all five dice.")
    if not kept.faces:
        return message("Roll again (tap the dice you’re keeping), or score now.")
    if not others:
        return message("All dice are kept: choose a box.")
    if others == 1:
        return message("Keep {kept} and roll the other die.", kept=kept.spaced)
    return message("Keep {kept} and roll the other {others}.", kept=kept.spaced, others=others)


def offer_of(view: TableView, key: str | None) -> AnyOffer | None:
    """The offer of that key; None for none."""
    return next((offer for offer in view.offers if offer.key == key), None)


def button_meanings(view: TableView, advised: str | None = None) -> tuple[ButtonMeaning, ...]:
    """The three buttons in the order of the panel; `advised` is the offer that a coach names."""
    pointed = offer_of(view, view.pointer)
    if view.keep is None:
        keep = SIGN_FIRST if signs(view) else _why_not(view)
    elif view.asking is not None:
        keep = message("Yes – {deed}", deed=view.keep)
    elif pointed is not None:
        keep = _scoring(view, pointed, coached=pointed.key == advised)
    else:
        keep = view.keep
    if view.reroll is not None:
        reroll = view.reroll
        if pointed is not None:
            only = pointed.label == view.reroll
            reroll = NOTHING if only else message("Next box – {box}", box=view.reroll)
    elif view.pieces is not None and view.keep is not None:
        reroll = NOTHING  # nothing about the pieces is to be corrected
    elif view.proposal is not None and view.proposal.roll is not None:
        reroll = NO_ROLL_LEFT
    else:
        reroll = _why_not(view)
    return (
        ButtonMeaning(Action.KEEP, message("KEEP"), "K", keep),
        ButtonMeaning(Action.REROLL, message("REROLL"), "R", reroll),
        ButtonMeaning(Action.UNDO, message("UNDO"), "U", view.undo or NOTHING),
    )


def _scoring(view: TableView, pointed: AnyOffer, *, coached: bool) -> Message:
    """What KEEP scores; with the reason where a coach has it point at fewer points than others."""
    most = max(offer.points or 0 for offer in view.offers)
    if not coached or pointed.points == most:
        return message("Score {box}", box=pointed.label)
    if pointed.points:
        return message("{box} – keeps better boxes open", box=pointed.label)
    return message("{box} – the least you give up", box=pointed.label)


def _why_not(view: TableView) -> Message:
    """The reason a button has nothing to do; the press itself is answered with more."""
    if view.proposal is not None:
        return message("Fix the reading first")
    if view.pieces is not None:
        return message("Fix what is marked first")
    return message("Roll the dice first") if view.stage in ROLLING else NOTHING
