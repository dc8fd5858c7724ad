"""From the game and the moment to the one frozen picture that pages and lamps show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from scoreboard.game import Entry
from scoreboard.phrase import Phrase, phrase
from scoreboard.scoresheet import Scoresheet
from scoreboard.table.attending import Begin
from scoreboard.table.confirming import (
    Cancel,
    Deed,
    Point,
    Record,
    Refuse,
    Reject,
    SayRolled,
    ShowDoubt,
    SwitchClock,
    TakeBack,
    pointed,
    recording,
)
from scoreboard.table.doubting import SAME_DICE
from scoreboard.table.keeping import Throw
from scoreboard.table.looking import judgement_of, sight_of
from scoreboard.table.marking import shown_pieces
from scoreboard.table.messages import Action, Dependence, TableSight
from scoreboard.table.moment import Moment, lying_dice, throw, throw_key
from scoreboard.table.pieces import PiecesReading
from scoreboard.table.proposing import shown_kept
from scoreboard.table.reading import Reading
from scoreboard.table.sitting import Sitting
from scoreboard.table.view import (
    LastDie,
    ShownDie,
    ShownOffer,
    ShownPieces,
    ShownProposal,
    Stage,
    TableView,
)

THE_QUESTION: Final = phrase("the question")
THE_THROW: Final = phrase("the throw that waits")
THE_PIECES: Final = phrase("what is seen")
WERE_ROLLED: Final = phrase("Yes, they were rolled")
NOT_ROLLED: Final = phrase("No, they were not rolled")
LOOK_FIRST: Final = phrase("Look at the doubtful dice first")
ASK_FIRST: Final = phrase("Write a 0, after one more question")


def shown(sitting: Sitting | None, moment: Moment, deeds: Mapping[Action, Deed]) -> TableView:
    """The view, without its version, the solo player's best, and the fault of the disk."""
    empty = TableView(
        version=0,
        stage="no game",
        sight=moment.sight,
        notice=moment.notice,
        camera_notice=moment.camera_notice,
        health=moment.health,
        keep=_label(deeds[Action.KEEP]),
        event=moment.event,
    )
    return empty if sitting is None else _with_game(empty, sitting, moment, deeds)


def actionable(view: TableView) -> TableView:
    """The view without what no tap depends on, to judge whether a tap came too late.

    A tap that was aimed while only the camera's state or a notice changed still means the
    same, so version, sight, health, notices, the turn's clock and the event do not count.
    """
    return replace(
        view,
        version=0,
        sight=TableSight.NOTHING,
        notice=None,
        camera_notice=None,
        health=None,
        paused=None,
        clock=None,
        event=None,
    )


def markable(view: TableView) -> object:
    """What a tap on a die of the last throw depends on: that throw, and nothing after it."""
    return view.game_id, view.turn, tuple(die.face for die in view.last_roll)


def recorded(view: TableView) -> object:
    """What an act depends on that says something whatever the camera reads: the record."""
    return view.game_id, view.sequence


DEPENDED_ON: Final[Mapping[Dependence, Callable[[TableView], object]]] = {
    "view": actionable,
    "last roll": markable,
    "record": recorded,
}


def _with_game(
    empty: TableView,
    sitting: Sitting,
    moment: Moment,
    deeds: Mapping[Action, Deed],
) -> TableView:
    turn = sitting.turn
    thrown = throw(sitting, moment)
    sheet = sitting.game.scoresheet(sitting.state)
    choosing = turn.phase == "choosing" and not sitting.is_abandoned
    return replace(
        empty,
        stage=_stage(sitting),
        game_id=sitting.header.game_id,
        game=sitting.header.game,
        options=sitting.header.options,
        sequence=len(sitting.records),
        scoresheet=sheet,
        preview=_preview(sitting, thrown),
        turn=turn,
        start_rolls=tuple((sheet.players[seat], roll) for seat, roll in turn.start_rolls),
        last_roll=_last_roll(sitting, moment),
        proposal=_proposal(moment.pending, thrown),
        offers=_offers(sitting, moment.pieces),
        pointer=pointed(sitting, moment).key if choosing else None,
        asking=moment.asking,
        undo=_taken_back(deeds[Action.UNDO], THE_PIECES if moment.pieces else THE_THROW),
        outcome=sitting.outcome,
        keep=_label(deeds[Action.KEEP]),
        reroll=_label(deeds[Action.REROLL]),
        lying=sitting.game.lying(sitting.state),
        clock=moment.clock,
        pieces=_pieces(sitting, moment),
        before=_before(sitting, moment),
    )


def _pieces(sitting: Sitting, moment: Moment) -> ShownPieces | None:
    sight, reading = sight_of(sitting), moment.pieces
    if sight is None or reading is None or sitting.is_abandoned:
        return None
    return shown_pieces(reading, moment.lain, sight, judgement_of(sitting, reading))


def _before(sitting: Sitting, moment: Moment) -> int | None:
    """The picture of what is to be put back: where seeing it confirms what is known."""
    sight = sight_of(sitting)
    if sight is None or moment.lain is None or not sitting.confirms(sight.offer):
        return None
    return moment.lain.read.frame


def _preview(sitting: Sitting, thrown: Throw | None) -> Scoresheet | None:
    """What the boxes would take from the throw that waits.

    A player weighs KEEP against REROLL by these figures, but no box can be filled with a
    throw that nobody confirmed.
    """
    if thrown is None or thrown.roll is None or sitting.turn.phase == "starting":
        return None
    state = sitting.imagined(recording(sitting, thrown, throw_key(sitting)))
    return sitting.game.scoresheet(state).without_offers


def _stage(sitting: Sitting) -> Stage:
    return "abandoned" if sitting.is_abandoned else sitting.turn.phase


def _offers(sitting: Sitting, seen: PiecesReading | None) -> tuple[ShownOffer, ...]:
    """What may be done; what is filled in by hand begins with what is seen."""
    if sitting.is_abandoned:
        return ()
    return tuple(
        ShownOffer(
            offer.key,
            offer.label,
            offer.rule,
            getattr(offer, "points", None),
            _entry(sitting, getattr(offer, "entry", None), seen),
            offer.aside,
        )
        for offer in sitting.offers.values()
    )


def _entry(sitting: Sitting, entry: Entry | None, seen: PiecesReading | None) -> Entry | None:
    if entry is None or seen is None or not entry.lines or sitting.is_abandoned:
        return entry
    return replace(entry, written=seen.text)


def _last_roll(sitting: Sitting, moment: Moment) -> tuple[LastDie, ...]:
    if sitting.turn.roll is None:
        return ()
    kept = shown_kept(sitting, moment)
    dice = enumerate(lying_dice(sitting, moment))
    return tuple(LastDie(die.face, index in kept) for index, die in dice)


def _proposal(reading: Reading | None, thrown: Throw | None) -> ShownProposal | None:
    if reading is None or thrown is None:
        return None
    obstacles = () if thrown.obstacle is None else (thrown.obstacle,)
    same = (SAME_DICE,) if reading.same else ()
    seen = None if reading.by_hand else reading.read
    asked = {question.die for question in thrown.questions}
    return ShownProposal(
        dice=tuple(
            ShownDie(
                face=die.face,
                confidence=die.confidence,
                box=die.box,
                kept=index in thrown.kept_seen,
                doubtful=reading.is_doubtful(die) or index in asked,
            )
            for index, die in enumerate(reading.dice)
        ),
        roll=thrown.roll,
        doubts=(*same, *obstacles, *thrown.doubts, *reading.doubts),
        asked=reading.asked,
        frame=None if seen is None else seen.frame,
        width=0 if seen is None else seen.width,
        height=0 if seen is None else seen.height,
        by_hand=reading.by_hand,
        questions=thrown.questions,
        off_tray=thrown.off_tray,
        same=reading.same,
    )


def _label(deed: Deed) -> Phrase | None:
    """What the button would do, in words; None when it would do nothing."""
    match deed:
        case Record(label=label) | Point(label=label) | SwitchClock(label) | Begin(label=label):
            return label
        case ShowDoubt():
            return LOOK_FIRST
        case SayRolled(rolled):
            return WERE_ROLLED if rolled else NOT_ROLLED
        case Cancel():
            return phrase("Take back {what}", what=THE_QUESTION)
        case Refuse():
            return None
        case _:
            return ASK_FIRST


def _taken_back(deed: Deed, waiting: Phrase) -> Phrase | None:
    """What UNDO would take back, None when nothing; `waiting` says what is pending."""
    match deed:
        case Cancel() | SayRolled():
            return THE_QUESTION
        case Reject():
            return waiting
        case TakeBack(label=label):
            return label
        case _:
            return None
