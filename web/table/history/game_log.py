"""The log of a stored game: each step in words, and which step filled which box."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from scoreboard.games.engine import transcript
from scoreboard.games.engine.game import Setup
from scoreboard.games.engine.scoresheet import Scoresheet
from scoreboard.games.engine.transcript import GameHeader, RecordedEvent
from scoreboard.message import Message, listed, message
from scoreboard.table.game_session import AnyGame

Cells = Mapping[tuple[str, int], int]  # of each filled box, by its row and the player's seat


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """One step: its words, its author and time (aware UTC).

    `number` is the sequence of its first event; `player` was in turn, if the words name no player.
    `source` and `confirmed_by` are those of the events. A step of the game is either `in_force` or
    was `undone` later; one of the table's own, such as an undo, is neither.
    """

    number: int
    at: datetime
    player: str | None
    words: Message
    source: transcript.Source
    confirmed_by: str
    in_force: bool
    undone: bool


@dataclass(frozen=True, slots=True)
class GameLog:
    """All steps, also undone ones; the sheet, each score's step, the bonus that a step earned."""

    steps: tuple[LoggedStep, ...]
    scoresheet: Scoresheet
    scored: Cells
    bonuses: Mapping[int, int]

    def step(self, number: int) -> LoggedStep | None:
        return next((step for step in self.steps if step.number == number), None)

    def later(self, number: int) -> tuple[LoggedStep, ...]:
        """The steps in force after that one, which going back to it would undo."""
        return tuple(step for step in self.steps if step.in_force and step.number > number)

    def pictured(self, number: int, photos: Collection[int]) -> LoggedStep | None:
        """The step whose photo is behind this one, of the steps that have `photos`.

        A score has that of the last roll before it, or of the last rack; never one of a score
        before.
        """
        if number in photos:
            return self.step(number)
        if number not in self.scored.values():
            return None
        since = max((step for step in self.scored.values() if step < number), default=0)
        behind = (step for step in reversed(self.steps) if since < step.number < number)
        return next((step for step in behind if step.in_force and step.number in photos), None)


def read_log(game: AnyGame, header: GameHeader, records: Sequence[RecordedEvent]) -> GameLog:
    """Write the log of these records. Raises TranscriptError."""
    start = game.start(Setup(header.players, header.options))
    try:
        in_force = transcript.records_in_force(records)
        sheet, scored = _scored(game, start, in_force)
        standing = frozenset(record.step for record in in_force)
        steps = tuple(_steps(game, header, start, records, standing))
        bonuses = {each.step: bonus for each in in_force if (bonus := game.bonus(each.event))}
        return GameLog(steps, sheet, scored, bonuses)
    except transcript.DAMAGE as error:
        raise transcript.damaged(header.game_id) from error


def _scored(
    game: AnyGame, state: Any, in_force: Sequence[RecordedEvent]
) -> tuple[Scoresheet, Cells]:
    """The sheet, and for each filled box the step that filled it."""
    scored: dict[tuple[str, int], int] = {}
    before: Cells = {}
    for record in in_force:
        state = game.evolve(state, record.event)
        if game.scoring and not isinstance(record.event, game.scoring):
            continue
        boxes = (row for row in game.scoresheet(state).rows if row.kind == "box")
        cells = ((row.key, seat, cell) for row in boxes for seat, cell in enumerate(row.cells))
        points = {(key, seat): cell.points for key, seat, cell in cells if cell.points is not None}
        scored |= {box: record.step for box in points if before.get(box) != points[box]}
        before = points
    return game.scoresheet(state), {box: step for box, step in scored.items() if box in before}


def _steps(
    game: AnyGame,
    header: GameHeader,
    start: Any,
    records: Sequence[RecordedEvent],
    standing: Collection[int],
) -> Iterator[LoggedStep]:
    """Each step in the words of its time, also of what was undone later."""
    states, described = [start], dict[int, Message]()
    for number, group in groupby(records, key=lambda record: record.step):
        first, *more = group
        seat, words, own = game.turn(states[-1]).player, [], False
        for record in (first, *more):
            match record.event:
                case transcript.Retraction(of):
                    states.pop()
                    words.append(message("undone: {step}", step=described[of]))
                case transcript.Abandoned():
                    words.append(message("saved and closed"))
                case transcript.Resumed():
                    words.append(message("resumed"))
                case event:
                    own = True
                    states.append(game.evolve(states[-1], event))
                    described[record.sequence] = game.describe(states[-1], event)
                    words.append(described[record.sequence])
        named = any(gap == "player" for word in words for gap, _ in word.values)
        player = None if seat is None or named or not own else header.players[seat]
        by, in_force = (first.source, first.confirmed_by), number in standing
        undone = own and not in_force
        yield LoggedStep(number, first.recorded_at, player, listed(words), *by, in_force, undone)
