"""Spoken announcements, sounds and celebrations: all follows from two successive views."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from typing import Final

from scoreboard.dice import Roll
from scoreboard.games.engine.scoresheet import Row
from scoreboard.message import Message, listed, message
from scoreboard.table.view import Announcement, Celebration, Cue, TableView

SEVERAL: Final = (
    message("{count} ones", count=2),
    message("{count} twos", count=2),
    message("{count} threes", count=2),
    message("{count} fours", count=2),
    message("{count} fives", count=2),
    message("{count} sixes", count=2),
)


def announced(before: TableView, after: TableView) -> Announcement | None:
    """The announcement once `after` is shown; None if `before` had all of it."""
    sentence = announcement(before, after)
    if sentence is None:
        return None
    cue: Cue | None = None
    if before.game_id == after.game_id and _step(before) == _step(after):
        cue = "doubt" if _doubts(after) or after.asking else "settled"
    return Announcement(after.version, sentence, cue, celebration(before, after))


def announcement(before: TableView, after: TableView) -> Message | None:
    """The sentence for what was read, recorded or undone in between, or None."""
    if after.game_id is None or after.stage == "abandoned":
        return None
    if before.game_id != after.game_id or before.stage == "abandoned":
        return _next(after)
    if _step(before) == _step(after):
        return _read(before, after)
    parts: tuple[Message | None, ...]
    undone = before.last_step if _step(after) < _step(before) else None
    turned = _next(after, undone=undone is not None) if _turns(before, after) else None
    if undone is not None:
        parts = (message("Undone: {what}", what=undone[1]), turned)
    elif after.stage == "finished":
        parts = (*_scored(before, after), result(after))
    else:
        chooses = after.stage == "choosing" and before.stage != "choosing"
        choose = message("{player}, choose a box.", player=after.player or "") if chooses else None
        parts = (*_recorded(before, after), choose, turned)
    sentences = [part for part in parts if part is not None]
    return reduce(_followed, sentences) if sentences else None


def celebration(before: TableView, after: TableView) -> Celebration | None:
    """The success to celebrate: the game's end, five of a kind scored, the upper bonus."""
    if before.game_id != after.game_id or _step(after) <= _step(before):
        return None
    if after.stage == "finished":
        return "end"
    roll = _rolled(before)
    equal = roll is not None and len(set(roll.faces)) == 1
    if equal and any(points for row, points in _gained(before, after) if row.kind == "box"):
        return "five alike"
    return "bonus" if _bonus(before, after) else None


def result(view: TableView) -> Message:
    """Who has won a finished game and by how much, or what a lone player scored."""
    sheet, ranking = view.scoresheet, () if view.outcome is None else view.outcome.ranking
    gone = () if sheet is None else [sheet.players[seat] for seat in sheet.gone]
    staying = [place for place in ranking if place.player not in gone]
    names = [message("{name}", name=each.player) for each in staying if each.place == 1]
    if sheet is None or not names:
        return message("The game is over")
    points, player = staying[0].points, names[-1]
    if len(ranking) == 1:
        if view.best is not None and sheet.better * (points - view.best) > 0:
            return message("{points} points, your best so far!", points=points)
        return message("You scored {points} points.", points=points)
    if names[1:]:
        return message(
            "{players} and {player} share the win with {points}!",
            players=listed(names[:-1]),
            player=player,
            points=points,
        )
    if staying[1:] and (ahead := abs(points - staying[1].points)):
        return message("{player} wins by {points}!", player=player, points=ahead)
    return message("{player} wins!", player=player)


def roll_in_words(roll: Roll) -> Message:
    """The dice in spoken words, in the order in which the page shows them: 4 fours, 6."""
    counts = sorted(Counter(roll.faces).items())
    return listed(
        message("{number}", number=face)
        if count == 1
        else replace(SEVERAL[face - 1], values=(("count", count),))
        for face, count in counts
    )


def _step(view: TableView) -> int:
    """The number of the last step in force; a smaller one than before means an undo."""
    return 0 if view.last_step is None else view.last_step[0]


def _followed(first: Message, then: Message) -> Message:
    return message("{first}. {then}", first=first, then=then)


def _next(view: TableView, *, undone: bool = False) -> Message | None:
    if view.player is None:
        return None
    if view.stage == "starting":
        return message("{player} rolls for the start", player=view.player)
    if undone or view.stage != "rolling" or view.turn is None:
        return message("{player}’s turn", player=view.player)
    if view.turn.rolls_made:
        return message("{player}, roll again.", player=view.player)
    return message("{player}, roll the dice.", player=view.player)


def _turns(before: TableView, after: TableView) -> bool:
    """Whether somebody else is in turn, or a roll was read that REROLL recorded."""
    if (before.player, before.stage == "starting") != (after.player, after.stage == "starting"):
        return True
    made = [0 if view.turn is None else view.turn.rolls_made for view in (before, after)]
    return before.proposal is not None and after.stage == "rolling" and made[0] < made[1]


def _read(before: TableView, after: TableView) -> Message | None:
    """What waits since `after`: the roll and what to press, a thing to check, a question."""
    was, now, player = before.proposal, after.proposal, after.player or ""
    if after.asking is not None and before.asking is None:
        box = next(each.label for each in after.offers if each.key == after.asking)
        asked = message("{offer}? Press KEEP for yes, UNDO for no.", offer=box)
        return _followed(message("{name}", name=player), asked) if player else asked
    if now is not None and (was is None or (was.roll, was.doubts) != (now.roll, now.doubts)):
        if now.doubts:
            return message("{player}, check the dice. {doubt}", player=player, doubt=now.doubts[0])
        if now.roll is None:
            return None
        press = message("{player}, press KEEP.", player=player)
        if after.stage == "rolling" and after.reroll is not None:
            press = message("{player}, press KEEP or roll again.", player=player)
        return _followed(roll_in_words(now.roll), press)
    if after.pieces is None or before.pieces is not None:  # people go on laying: once is enough
        return None
    return next(iter(_doubts(after)), after.pieces.label)


def _doubts(view: TableView) -> tuple[Message, ...]:
    if view.pieces is not None:
        return (*(remark.text for remark in view.pieces.remarks), *view.pieces.doubts)
    return () if view.proposal is None else view.proposal.doubts


def _scored(before: TableView, after: TableView) -> tuple[Message, ...]:
    """The roll, the box that it filled, and the bonus it earned."""
    boxes = [(row, points) for row, points in _gained(before, after) if row.kind == "box"]
    roll = _rolled(before)
    if not boxes or roll is None:
        return ()
    row, points = boxes[0]
    read = message("{player}: {roll}", player=before.player or "", roll=roll_in_words(roll))
    return read, message("{points} in {box}", points=points, box=row.label), *_bonus(before, after)


def _recorded(before: TableView, after: TableView) -> tuple[Message, ...]:
    """What was recorded; a roll announced when read is not repeated."""
    scored, roll = _scored(before, after), _rolled(after)
    if scored:
        return scored
    read = None if before.proposal is None else before.proposal.roll
    if read is not None and (roll == read or before.stage == "starting"):
        return ()
    if roll is not None:
        return () if roll == _rolled(before) else (roll_in_words(roll),)
    laid = _tiles(after) - _tiles(before)
    if laid > 0 and before.player is not None:
        return (message("{player} lays {count}", player=before.player, count=laid),)
    return () if after.last_step is None else after.last_step[1:]


def _rolled(view: TableView) -> Roll | None:
    """The roll on the table, or the last one for the start."""
    if view.stage == "starting" and view.start_rolls:
        return view.start_rolls[-1][1]
    return None if view.turn is None else view.turn.roll


def _tiles(view: TableView) -> int:
    return sum(len(group.pieces) for group in view.piece_groups if group.kind == "tiles")


def _gained(before: TableView, after: TableView) -> list[tuple[Row, int]]:
    """The rows with a cell that had other points before, or none, and how many it gained."""
    if before.scoresheet is None or after.scoresheet is None:
        return []
    known = {row.key: row.cells for row in before.scoresheet.rows}
    pairs = ((row, row.cells, known.get(row.key, row.cells)) for row in after.scoresheet.rows)
    cells = ((row, zip(now, was, strict=True)) for row, now, was in pairs)
    points = ((row, now.points, was.points) for row, both in cells for now, was in both)
    return [(row, (now or 0) - (was or 0)) for row, now, was in points if now != was]


def _bonus(before: TableView, after: TableView) -> tuple[Message, ...]:
    """The upper bonus, or that of a further Yahtzee, if it was reached just now."""
    return tuple(
        message("{box}: {points}", box=row.label, points=points)
        for row, points in _gained(before, after)
        if row.key in {"bonus", "yahtzee-bonus"} and points
    )
