"""The table's view: one frozen picture of everything, for pages and lamps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scoreboard.dice import Roll
from scoreboard.games.engine.game import Outcome, PieceGroup, Remark, Turn
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.message import Message
from scoreboard.table.game_session import AnyOffer, TurnClock
from scoreboard.table.kept_dice import Question
from scoreboard.table.proposal import Box, Health, Point, corners
from scoreboard.table.requests import TableStatus
from scoreboard.table.tournament_view import TournamentView

Cue = Literal["settled", "doubt"]
Celebration = Literal["five alike", "bonus", "end"]
Stage = Literal["no game", "starting", "rolling", "choosing", "playing", "finished", "abandoned"]


@dataclass(frozen=True, slots=True)
class ShownDie:
    """One die of the pending reading, as drawn; without `face` if unread, without `box` if added.

    `kept`: it counts as kept from the roll before; `doubtful`: a person should check it, as
    its `doubt` says if it has one of its own.
    """

    face: int | None
    box: Box | None
    kept: bool = False
    doubtful: bool = False
    doubt: Message | None = None

    @property
    def quad(self) -> tuple[Point, ...]:
        """Its corners, as those of a piece; none without a place."""
        return corners(self.box)


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """The pending reading: nothing of it is recorded until a person confirms it.

    `roll` is the whole roll that KEEP or REROLL would record (kept dice included), None while the
    reading is not a legal roll; `doubts` are to be checked; `asked` is true when the doubt was
    shown and answered by a first press, so that the next one confirms. `frame` is the picture's
    number, None for a roll entered by hand. `questions` are those of the doubts that a page can
    offer answers to; `off_tray` dice must be rolled again. `same`: the dice show the same as
    before, and the table asks whether they were rolled: KEEP means yes, REROLL and UNDO mean no.
    `maybe` may be dice too, of which the doubts ask.
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
    maybe: tuple[ShownDie, ...] = ()


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
    """The pieces that wait to be confirmed, and the rulebook's judgement.

    `sets` are the indices of those grouped together; `offer` is the key of the offer that
    confirming them chooses and `text` its filling; `remarks` are reasons not to; `doubts` are to be
    checked; `asked` as for a roll. `frame` is the picture's number.
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
class LastDie:
    """A die of the last recorded roll; `kept` when it is marked to be kept."""

    face: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Announcement:
    """The last announcement, with its view's version."""

    version: int
    sentence: Message
    cue: Cue | None = None
    celebration: Celebration | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that a page or a lamp shows now.

    `version` grows with every change, and a page sends it back as `expected`. `sequence` counts the
    stored events of the game. `preview` is the sheet as it would offer the boxes if the legal roll
    that waits were confirmed. `pointer` is the key of the box that the two buttons point at,
    `asking` that of the offer that waits for a second yes: KEEP is a yes, UNDO a no. `keep`,
    `reroll` and `undo` are those buttons' effects in words. `best` is a solo player's best grand
    total so far. `paused` is the reason nothing can be recorded now (a full disk). `piece_groups`
    are the tiles or cards on the table, `pieces` those that wait to be confirmed; `before` is the
    number of the picture of the table that is to be put back. `rolled_dice` is how many dice must
    be seen once the awaited roll is on the table, None while none is awaited or dice may be kept
    from the roll before: those stay in the picture or leave it. `last_step` is what UNDO would take
    back: the number of its first event, and the step in words. `read_elsewhere`: the newest reading
    is of another game, and so is its photo.
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
    offers: tuple[AnyOffer, ...] = ()
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
    event: TournamentView | None = None
    last_score: Message | None = None
    rolled_dice: int | None = None
    read_elsewhere: bool = False
    last_step: tuple[int, Message] | None = field(default=None, compare=False)
    announced: Announcement | None = field(default=None, compare=False)

    @property
    def reader(self) -> str:
        """The reader of the pieces awaited, the dice reader by default."""
        awaited = None if self.turn is None else self.turn.awaited
        expected = None if awaited is None else awaited.expected
        return "dice" if expected is None else expected.reader

    @property
    def player(self) -> str | None:
        if self.scoresheet is None or self.turn is None or self.turn.player is None:
            return None
        return self.scoresheet.players[self.turn.player]
