"""What a voice tells of the table, which sound goes with it, and what is celebrated.

All of it follows from two views, one after the other, and all of it can be seen on the page, too.
"""

from __future__ import annotations

from collections import Counter
from functools import reduce
from typing import Final

from scoreboard.dice import Roll
from scoreboard.games.engine.game import Outcome
from scoreboard.games.engine.scoresheet import Cell, Row
from scoreboard.message import Message, listed, message
from scoreboard.table.view import Announcement, Celebration, Cue, TableView

ONE: Final = (
    message("a one"),
    message("a two"),
    message("a three"),
    message("a four"),
    message("a five"),
    message("a six"),
)
SEVERAL: Final = (
    message("{count} ones", count=2),
    message("{count} twos", count=2),
    message("{count} threes", count=2),
    message("{count} fours", count=2),
    message("{count} fives", count=2),
    message("{count} sixes", count=2),
)


def announced(before: TableView, after: TableView) -> Announcement | None:
    """What is told once `after` is shown; None where `before` told it all."""
    sentence = announcement(before, after)
    if sentence is None:
        return None
    return Announcement(after.version, sentence, cue(before, after), celebration(before, after))


def announcement(before: TableView, after: TableView) -> Message | None:
    """The sentence for what was read, recorded or undone in between; None for nothing of that."""
    if after.game_id is None or after.stage == "abandoned":
        return None
    if before.game_id != after.game_id or before.stage == "abandoned":
        return _next(after)
    was, now = _step(before), _step(after)
    if now == was:
        return _read(before, after)
    if now < was and before.last_step is not None:
        parts = (message("Undone: {what}", what=before.last_step[1]), _turned(before, after))
    elif after.stage == "finished":
        parts = (*_scored(before, after), _ended(after.outcome))
    else:
        parts = (*_recorded(before, after), _turned(before, after))
    return reduce(
        lambda one, two: (
            message("{first}. {then}", first=one, then=two) if one and two else one or two
        ),
        parts,
    )


def cue(before: TableView, after: TableView) -> Cue | None:
    """The short sound for a reading that has come: whether it is one to confirm or to look at."""
    if _step(before) != _step(after) or _read(before, after) is None:
        return None
    return "doubt" if _doubts(after) else "settled"


def celebration(before: TableView, after: TableView) -> Celebration | None:
    """What has just succeeded: the game is over, five alike are scored, the upper bonus is full."""
    if before.game_id != after.game_id or _step(after) <= _step(before):
        return None
    if after.stage == "finished":
        return "end"
    roll = None if before.turn is None else before.turn.roll
    alike = roll is not None and len(set(roll.faces)) == 1
    if alike and any(cell.points for row, cell in _filled(before, after) if row.kind == "box"):
        return "five alike"
    return "bonus" if _bonus(before, after) else None


def roll_in_words(roll: Roll) -> Message:
    """The dice as people say them, what there is most of first: 4 fours, a six."""
    counts = sorted(Counter(roll.faces).items(), key=lambda each: (-each[1], -each[0]))
    return listed(
        ONE[face - 1] if count == 1 else Message(SEVERAL[face - 1].template, (("count", count),))
        for face, count in counts
    )


def _step(view: TableView) -> int:
    """The number of the last step in force; a smaller one than before says that one was undone."""
    return 0 if view.last_step is None else view.last_step[0]


def _next(view: TableView) -> Message | None:
    """Whose turn it is."""
    if view.player is None:
        return None
    if view.stage == "starting":
        return message("{player} rolls for the start", player=view.player)
    if view.stage == "playing" and view.scoresheet and view.scoresheet.current is None:
        return message("{name}", name=view.player)  # as one draws for the start
    return message("{player}’s turn", player=view.player)


def _followed(first: Message, then: Message) -> Message:
    return message("{first}. {then}", first=first, then=then)


def _turned(before: TableView, after: TableView) -> Message | None:
    """Whose turn it is, where that is another's now."""
    return None if _next(before) == _next(after) else _next(after)


def _read(before: TableView, after: TableView) -> Message | None:
    """A reading that waits since `after`: the roll, or what to look at first."""
    was, now, pieces = before.proposal, after.proposal, after.pieces
    if now is not None and (was is None or (was.roll, was.doubts) != (now.roll, now.doubts)):
        doubts = _doubts(after)
        return doubts[0] if doubts else now.roll and roll_in_words(now.roll)
    if pieces is None or before.pieces is not None:  # people go on laying: once is enough
        return None
    return (*_doubts(after), pieces.label)[0]


def _doubts(view: TableView) -> tuple[Message, ...]:
    if view.pieces is not None:
        return (*(remark.text for remark in view.pieces.remarks), *view.pieces.doubts)
    return () if view.proposal is None else view.proposal.doubts


def _scored(before: TableView, after: TableView) -> tuple[Message, ...]:
    """The roll, the box that it filled, and the bonus that came of it."""
    boxes = [(row, cell) for row, cell in _filled(before, after) if row.kind == "box"]
    if not boxes or before.turn is None or before.turn.roll is None:
        return ()
    (row, cell), roll = boxes[0], roll_in_words(before.turn.roll)
    read = message("{player}: {roll}", player=before.player or "", roll=roll)
    scored = message("{points} in {box}", points=cell.points or 0, box=row.label)
    return read, scored, *_bonus(before, after)


def _recorded(before: TableView, after: TableView) -> tuple[Message | None, ...]:
    """What was recorded; a roll that was told as it was read is not told again."""
    scored, roll = _scored(before, after), _last_roll(after)
    if scored:
        return scored
    read = None if before.proposal is None else before.proposal.roll
    if read is not None and (roll == read or before.stage == "starting"):
        return ()
    if roll is not None and not _left(before, after):
        return () if roll == _last_roll(before) else (roll_in_words(roll),)
    laid = _tiles(after) - _tiles(before)
    if laid == 1 and before.player is not None:
        return (message("{player} laid a tile", player=before.player),)
    if laid > 1 and before.player is not None:
        return (message("{player} laid {count} tiles", player=before.player, count=laid),)
    return (after.last_step and after.last_step[1],)


def _left(before: TableView, after: TableView) -> bool:
    """Whether somebody has left the game."""
    sheets = before.scoresheet, after.scoresheet
    return len({sheet.gone for sheet in sheets if sheet is not None}) > 1


def _last_roll(view: TableView) -> Roll | None:
    if view.stage == "starting" and view.start_rolls:
        return view.start_rolls[-1][1]
    return None if view.turn is None else view.turn.roll


def _tiles(view: TableView) -> int:
    return sum(len(group.pieces) for group in view.piece_groups if group.kind == "tiles")


def _filled(before: TableView, after: TableView) -> list[tuple[Row, Cell]]:
    """The cells that had other points before, or none, in rows that were there."""
    if before.scoresheet is None or after.scoresheet is None:
        return []
    known = {row.key: row.cells for row in before.scoresheet.rows}
    pairs = ((row, row.cells, known.get(row.key, row.cells)) for row in after.scoresheet.rows)
    cells = ((row, zip(now, was, strict=True)) for row, now, was in pairs)
    return [(row, now) for row, both in cells for now, was in both if now.points != was.points]


def _bonus(before: TableView, after: TableView) -> tuple[Message, ...]:
    """The upper bonus, if it was reached just now."""
    changed = [each for each in _filled(before, after) if each[0].key == "bonus"]
    return tuple(
        message("{box}: {points}", box=row.label, points=cell.points)
        for row, cell in changed
        if cell.points
    )


def _ended(outcome: Outcome | None) -> Message:
    """That the game is over, and who has won."""
    over = message("The game is over")
    if outcome is None or len(outcome.ranking) == 1:
        return over
    best = [place for place in outcome.ranking if place.place == 1]
    who, points = listed(message("{name}", name=each.player) for each in best), best[0].points
    if len(best) == 1:
        won = message("{player} wins with {points} points", player=who, points=points)
    else:
        won = message("{players} win with {points} points", players=who, points=points)
    return _followed(over, won)
