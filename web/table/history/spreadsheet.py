"""Games as one table for a spreadsheet: a row for each box that a player filled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

from scoreboard.games.dice.acts import DiceRolled, RollCorrected
from scoreboard.games.engine.transcript import GameHeader, RecordedEvent, records_in_force
from scoreboard.storage.finished_games import Result
from scoreboard.table.game_session import AnyGame
from web.shared.spreadsheet import Row
from web.table.history.game_log import read_log

COLUMNS: Final = (
    *("game_id", "game", "rules", "finished_at", "player", "place", "total", "luck", "decisions"),
    *("box", "points", "rolls", "scored_at", "seconds"),
)


def box_rows(
    game: AnyGame, header: GameHeader, records: Sequence[RecordedEvent], results: Iterable[Result]
) -> Iterator[Row]:
    """A finished game under `COLUMNS`, in the order of play; `results` are the known ones.

    Raises TranscriptError.
    """
    log, in_force = read_log(game, header, records), records_in_force(records)
    rules = "; ".join(f"{name} {value}" for name, value in header.options.items())
    about = header.game_id, header.game, rules
    by_seat = {one.seat: one for one in results}
    rolls, since = list[str](), header.opened_at
    for step, group in groupby(in_force, key=lambda record: record.step):
        acts = list(group)
        for act in acts:
            if isinstance(act.event, RollCorrected):
                rolls.pop()
            if isinstance(act.event, DiceRolled | RollCorrected):
                rolls.append(str(act.event.roll))
        filled = [box for box, number in log.scored.items() if number == step]
        at = acts[0].recorded_at
        for key, seat in filled:
            one = by_seat.get(seat, Result("", seat, header.players[seat]))
            took = round((at - since).total_seconds())
            points = log.scoresheet.row(key).cells[seat].points
            end = one.finished_at and datetime.fromisoformat(one.finished_at).astimezone()
            ended = f"{end:%Y-%m-%d %H:%M}" if end else None
            luck = [each if each is None else round(each, 1) for each in (one.luck, one.costs)]
            figures = (ended, one.name, one.place, one.total, *luck)
            yield (*about, *figures, key, points, " / ".join(rolls), at.isoformat(), took)
        if filled:
            rolls, since = [], at
