"""What the table shows: one frozen picture of everything, for pages and lamps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scoreboard.dice import Roll
from scoreboard.games.engine.game import Entry, Outcome, PieceGroup, Remark, Turn
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.message import Message
from scoreboard.table.event import EventView
from scoreboard.table.proposal import Health, Point
from scoreboard.table.reading_warnings import Question
from scoreboard.table.requests import TableStatus
from scoreboard.table.turn_clock import TurnClock

Cue = Literal["settled", "doubt"]
Celebration = Literal["five alike", "bonus", "end"]
Stage = Literal["no game", "starting", "rolling", "choosing", "playing", "finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class ShownDie:
    """One die of the pending reading, as drawn.

    `face` is None when it cannot be read; `box` is None for a die that a person added;
    `kept` says that it is taken to have been kept from the roll before; `doubtful` that
    a person should look at it.
    """

    face: int | None
    confidence: float
    box: tuple[float, float, float, float] | None
    kept: bool = False
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """The pending reading: nothing of it is recorded until a person confirms it.

    `roll` is the whole roll that KEEP or REROLL would record (kept dice included), None
    while the reading is not a legal roll; `doubts` say what to look at; `asked` is true
    when the doubt was shown and answered by a first press, so that the next one confirms.
    `frame` is the picture's number, None for a roll entered by hand. `questions` are those
    of the doubts that a page can offer answers to; `off_tray` dice must be rolled again.
    `same`: the dice show what they showed before, and the table asks whether they were rolled:
    KEEP says yes, REROLL and UNDO say no.
    """

    dice: tuple[ShownDie, ...]
    roll: Roll | None
    doubts: tuple[Message, ...]
    asked: bool
    frame: int | None
    width: int
    height: int
    by_hand: bool = False
    questions: tuple[Question, ...] = ()
    off_tray: int = 0
    same: bool = False


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """One tile or card that was seen, as drawn on the picture.

    `quad` has its corners in pixels of the frame; `others` are other likely labels, likeliest
    first. `fresh`: it is new there; `faulty`: a remark concerns it; `doubtful`: a person
    should look at it, as at all that are `inferred` from the rules; `corrected`: a person named it.
    """

    label: str
    quad: tuple[Point, ...]
    others: tuple[str, ...] = ()
    fresh: bool = False
    faulty: bool = False
    doubtful: bool = False
    inferred: bool = False
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class ShownPieces:
    """The pieces that wait to be confirmed, and what the rulebook says of them.

    `sets` are the indices of those that lie together; `offer` is the key of the offer that
    confirming them chooses and `text` what fills it; `remarks` say why it may not be done;
    `doubts` what to look at; `asked` as for a roll. `frame` is the picture's number.
    """

    pieces: tuple[ShownPiece, ...]
    sets: tuple[tuple[int, ...], ...]
    offer: str
    text: str
    label: Message | None
    remarks: tuple[Remark, ...]
    doubts: tuple[Message, ...]
    asked: bool
    frame: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ShownOffer:
    """An act that the rulebook would accept now; `key` is what a page sends to choose it.

    `entry` says how a person fills it in, None where it is chosen as it is (or rolled). `aside`,
    `piece`, `by_lot` and `overrules` are those of the rulebook's `Offer` and `OpenOffer`.
    """

    key: str
    label: Message
    rule: str
    points: int | None = None
    entry: Entry | None = None
    aside: bool = False
    piece: str | None = None
    by_lot: bool = False
    overrules: bool = False


@dataclass(frozen=True, slots=True)
class LastDie:
    """A die of the last recorded roll; `kept` when it is marked to be kept."""

    face: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Announcement:
    """What was told last: the version that it came with, a sentence, a sound, what to celebrate."""

    version: int
    sentence: Message
    cue: Cue | None = None
    celebration: Celebration | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that a page or a lamp shows now.

    `version` grows with every change, and a page sends it back as `expected`. `sequence` is the
    number of stored events of the game; `options` are those it was opened with. `preview` is the
    sheet as it would offer the boxes if the roll that waits were confirmed; None while no legal
    roll waits. `pointer` is the key of the offer that the two buttons point at while a box is
    chosen; `asking` the key of the offer that waits for a second yes: KEEP is such a yes, UNDO a
    no. `keep`, `reroll` and `undo` say what those buttons would do, None when nothing. `best` is a
    solo player's best grand total so far. `paused` says why nothing can be recorded just now (a
    full disk). `health` is how well the camera sees the table, None before it was judged.
    `start_rolls` are the rolls for the start, each with its player. `piece_groups` are the tiles
    or cards on the table; `clock` is the open turn's, where turns are timed; `pieces` are the
    tiles or cards that wait to be confirmed; `before` is the number of the picture of the table
    that is to be put back. `event` is None where the table takes part in none.
    `last_score` says which points were booked last, and whose. `rolled_dice` is how many dice must
    be seen once the awaited roll is on the table, None while none is awaited or dice may be kept
    from the roll before: those stay in the picture or leave it. `last_step` is what UNDO would take
    back of the game: the number of its first event, and the step in words. `read_elsewhere`: the
    newest reading is of another game, and so is its photo. `announced` is what was
    told last; how it came to what is shown makes no other view of it.
    """

    version: int
    stage: Stage
    status: TableStatus
    game_id: str | None = None
    game: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    sequence: int = 0
    scoresheet: Scoresheet | None = None
    preview: Scoresheet | None = None
    turn: Turn | None = None
    start_rolls: tuple[tuple[str, Roll], ...] = ()
    last_roll: tuple[LastDie, ...] = ()
    proposal: ShownProposal | None = None
    offers: tuple[ShownOffer, ...] = ()
    pointer: str | None = None
    asking: str | None = None
    undo: Message | None = None
    notice: Message | None = None
    camera_notice: Message | None = None
    health: Health | None = None
    outcome: Outcome | None = None
    best: int | None = None
    paused: Message | None = None
    keep: Message | None = None
    reroll: Message | None = None
    piece_groups: tuple[PieceGroup, ...] = ()
    clock: TurnClock | None = None
    pieces: ShownPieces | None = None
    before: int | None = None
    event: EventView | None = None
    last_score: Message | None = None
    rolled_dice: int | None = None
    read_elsewhere: bool = False
    last_step: tuple[int, Message] | None = field(default=None, compare=False)
    announced: Announcement | None = field(default=None, compare=False)

    @property
    def reader(self) -> str:
        """Who reads what lies on the table: the dice reader where nothing else is awaited."""
        awaited = None if self.turn is None else self.turn.awaited
        expected = None if awaited is None else awaited.expected
        return "dice" if expected is None else expected.reader

    @property
    def player(self) -> str | None:
        """The name of whose turn it is, None when nobody's."""
        if self.scoresheet is None or self.turn is None or self.turn.player is None:
            return None
        return self.scoresheet.players[self.turn.player]
