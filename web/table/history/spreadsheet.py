"""Games as one table for a spreadsheet: a row for each box that a player filled."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from importlib.resources import files
from itertools import groupby
from typing import IO, Final
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from scoreboard.games.dice.acts import DiceRolled, RollCorrected
from scoreboard.games.engine.transcript import GameHeader, RecordedEvent, records_in_force
from scoreboard.storage.finished_games import Result
from scoreboard.table.game_session import AnyGame
from web.table.history.game_log import read_log

Row = Sequence[str | int | float | None]
COLUMNS: Final = (
    *("game_id", "game", "rules", "finished_at", "player", "place", "total", "luck", "decisions"),
    *("box", "points", "rolls", "scored_at", "seconds"),
)
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
# The parts of a workbook without its one sheet, a line each (ECMA-376, part 1).
WORKBOOK: Final = files("web.table.history") / "workbook.txt"
XML: Final = '<?xml version="1.0" encoding="UTF-8"?>'
MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


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


def as_csv(rows: Iterable[Row]) -> Iterator[str]:
    """The rows line by line; what is None stays empty."""
    for row in rows:
        text = io.StringIO()
        cells = [neutralised(cell) if isinstance(cell, str) else cell for cell in row]
        csv.writer(text, lineterminator="\n").writerow(cells)
        yield text.getvalue()


def write_xlsx(rows: Iterable[Row], file: IO[bytes]) -> None:
    """The rows as a workbook with one sheet."""
    with ZipFile(file, "w", ZIP_DEFLATED) as packed:
        for line in WORKBOOK.read_text(encoding="utf-8").splitlines():
            name, _, text = line.partition(" ")
            packed.writestr(name, text)
        with packed.open("xl/sheet.xml", "w") as sheet:
            sheet.write(f'{XML}<worksheet xmlns="{MAIN}"><sheetData>'.encode())
            for row in rows:
                sheet.write(f"<row>{''.join(map(_cell, row))}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")


def _cell(value: str | float | None) -> str:
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return "<c/>" if value is None else f"<c><v>{value}</v></c>"


def neutralised(text: str) -> str:
    """The text, so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
