"""A knockout's bracket as a drawing: matches in columns, lines of the winners, each half apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.pairing.elimination import (
    BYE,
    LoserOf,
    Meeting,
    Side,
    Source,
    WinnerOf,
    match_name,
)
from scoreboard.tournament.model.round_draw import bracket_so_far, seeding
from scoreboard.tournament.model.scores import Points
from scoreboard.tournament.model.scoring import games_won, scored
from scoreboard.tournament.model.tournament import Tournament

BOX_WIDTH: Final = 214
BOX_HEIGHT: Final = 42
COLUMN_WIDTH: Final = 240
ROW_HEIGHT: Final = 64
HEAD_HEIGHT: Final = 40  # the columns' names, and the caption of the first match
PAGE_COLUMNS: Final = 4
PAGE_ROWS: Final = 16
_BELOW: Final = 1.25  # rows from the final to the third-place match
_HALVES: Final = {
    Side.MAIN: message("Winners’ bracket"),
    Side.LOSERS: message("Losers’ bracket"),
    Side.FINAL: message("Grand final"),
}


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """One side of a match: an entrant, BYE for a bye, or None and their source."""

    entrant: int | None
    name: str
    seed: int | None
    score: Points | None
    won: bool
    source: Message | None


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match at `x`, `y`, its box's upper left corner; at a `table` once it is drawn."""

    number: int
    name: Message
    x: int
    y: int
    sides: tuple[DrawnSide, DrawnSide]
    table: int | None

    @property
    def winner(self) -> DrawnSide | None:
        """The winning side, None while the match is open."""
        return next((side for side in self.sides if side.won), None)


@dataclass(frozen=True, slots=True)
class BracketDrawing:
    """A half of a bracket, or a part of one, in units of a pixel.

    `columns` have name and place, `lines` an SVG path and the winner on it, None while open.
    """

    title: Message
    columns: tuple[tuple[Message, int], ...]
    matches: tuple[DrawnMatch, ...]
    lines: tuple[tuple[str, int | None], ...]
    width: int
    height: int


def bracket_drawings(state: Tournament) -> tuple[BracketDrawing, ...]:
    """Each half as one drawing; none without a drawn knockout."""
    known = _Known(state)
    return tuple(known.drawing(title, half) for title, half in known.halves.items())


def bracket_pages(state: Tournament) -> tuple[BracketDrawing, ...]:
    """The same in parts of at most four columns and about sixteen rows, as a sheet of A4 holds."""
    known = _Known(state)
    found: list[BracketDrawing] = []
    for title, half in known.halves.items():
        parts = list(_parts(half, PAGE_ROWS))
        for number, part in enumerate(parts, start=1):
            name = message("{half}, part {part}", half=title, part=number)
            found.append(known.drawing(name if len(parts) > 1 else title, part))
    return tuple(found)


def bracket_around(state: Tournament, entrant: int) -> tuple[BracketDrawing, ...]:
    """The part, of about eight rows, with an entrant's latest match; none if they are in none."""
    known = _Known(state)
    halves = known.halves.items()
    own = [each for _, half in halves for each in half if entrant in each.pair][-1:]
    parts = ((title, part) for title, half in halves for part in _parts(half, PAGE_ROWS // 2))
    return tuple(known.drawing(title, part) for title, part in parts if set(own) & set(part))


def bracket_ahead(state: Tournament, rows: int = 4) -> tuple[BracketDrawing, ...]:
    """Of each half the next columns of at most `rows` matches, two, or three of the only half.

    A half without known players is left out, and one that is over, unless all are.
    """
    known = _Known(state)
    wide = 2 if len(known.halves) > 1 else 3
    still_open = [{each for each in half if each.winner is None} for half in known.halves.values()]
    found = []
    for (title, half), still in zip(known.halves.items(), still_open, strict=True):
        column_of = _columns(half)
        per_column = list(column_of.values())
        last = max(max(per_column) + 1 - wide, 0)
        first = min((column_of[each] for each in still), default=last)
        while per_column.count(first) > rows:
            first += 1
        shown = [each for each in half if column_of[each] in range(first, first + wide)]
        is_known = any(entrant for each in shown for entrant in each.pair)
        if is_known and (still or not any(still_open)):
            found.append(known.drawing(title, shown))
    return tuple(found)


class _Known:
    def __init__(self, state: Tournament) -> None:
        self.state = state
        self.halves: dict[Message, list[Meeting]] = {}
        if not state.has_bracket:
            return
        bracket, drawn, met = bracket_so_far(state, state.stage)
        self._drawn = {each: at for at, each in drawn.items()}
        self._names = {each.number: match_name(bracket, each) for each in bracket}
        self._numbered = _numbered(self._names)
        seeded = enumerate(seeding(state, 0, state.stage), start=1)
        self._ranks: dict[int, int | None] = {one.number: one.seed_rank for one in state.entrants}
        self._ranks |= {each: rank for rank, each in seeded} if state.stage else {}
        double = any(each.side == Side.LOSERS for each in bracket)
        for each in met:
            needless = each.match.if_second_wins is not None and BYE in each.pair
            if not needless and each.pair != (BYE, BYE):
                title = _HALVES[each.match.side] if double else message("Bracket")
                self.halves.setdefault(title, []).append(each)

    def drawing(self, title: Message, half: list[Meeting]) -> BracketDrawing:
        column, row = _columns(half), _rows(half)
        at = {
            each: (column[each] * COLUMN_WIDTH, HEAD_HEIGHT + round(row[each] * ROW_HEIGHT))
            for each in half
        }
        heads = {  # the third-place match, whose number is higher, is in the final's column
            at[each][0]: self._names[each.match.number]
            for each in sorted(half, key=lambda each: -each.match.number)
        }
        return BracketDrawing(
            title,
            tuple((name, x) for x, name in sorted(heads.items())),
            tuple(self._match(each, *at[each]) for each in half),
            tuple(_lines(half, at)),
            max(x for x, _ in at.values()) + BOX_WIDTH,
            max(y for _, y in at.values()) + BOX_HEIGHT + 2,
        )

    def _match(self, meeting: Meeting, x: int, y: int) -> DrawnMatch:
        number, sides = meeting.match.number, zip(meeting.pair, meeting.match.sources, strict=True)
        names, table = self.state.names, None
        scores: Mapping[int, Points] = {}
        if number in self._drawn:
            played, table = self._drawn[number]
            names = self.state.names_in(played)
            games = self.state.rounds[played - 1].games_of(table)
            scores = scored(games) if self.state.stage_format.games == 1 else games_won(games)
        one, other = (
            DrawnSide(
                entrant,
                names.get(entrant or BYE, ""),
                self._ranks.get(entrant or BYE),
                scores.get(entrant or BYE),
                bool(entrant) and entrant == meeting.winner,
                self._source(source) if entrant is None else None,
            )
            for entrant, source in sides
        )
        return DrawnMatch(number, self._numbered[number], x, y, (one, other), table)

    def _source(self, source: Source) -> Message | None:
        match source:
            case WinnerOf(number):
                return message("Winner of {match}", match=self._numbered[number])
            case LoserOf(number):
                return message("Loser of {match}", match=self._numbered[number])
        return None


def _numbered(names: Mapping[int, Message]) -> dict[int, Message]:
    """Each match's name, with a number where several have the same."""
    numbers_of: dict[Message, list[int]] = {}
    for number, name in names.items():
        numbers_of.setdefault(name, []).append(number)
    return {
        number: message("{match} #{number}", match=name, number=at) if len(numbers) > 1 else name
        for name, numbers in numbers_of.items()
        for at, number in enumerate(numbers, start=1)
    }


def _columns(half: list[Meeting]) -> dict[Meeting, int]:
    """The column of each match of a half, from 0; that for third place is in the final's."""
    stages = {each: each.match.stage + (each.match.side == Side.THIRD_PLACE) for each in half}
    in_order = sorted(set(stages.values()))
    return {each: in_order.index(stage) for each, stage in stages.items()}


def _parts(half: list[Meeting], rows: int) -> Iterator[list[Meeting]]:
    """A half in blocks of columns, and these in whole trees that fill a page."""
    column = _columns(half)
    for start in range(0, max(column.values()) + 1, PAGE_COLUMNS):
        block = [each for each in half if 0 <= column[each] - start < PAGE_COLUMNS]
        page: list[Meeting] = []
        height = 0
        for tree in _trees(block):
            leaves = sum(not _before(each, block) for each in tree)
            if page and height + leaves > rows:
                yield page
                page, height = [], 0
            page, height = page + tree, height + leaves
        yield page


def _before(meeting: Meeting, among: Iterable[Meeting]) -> list[Meeting]:
    """Those of some matches whose winners play in this one, the upper one first."""
    feeding = {source.match for source in meeting.match.sources if isinstance(source, WinnerOf)}
    return [each for each in among if each.match.number in feeding]


def _trees(half: list[Meeting]) -> Iterator[list[Meeting]]:
    """Each match that leads to no other of them, after all that lead to it."""
    leading = {each for after in half for each in _before(after, half)}

    def tree(meeting: Meeting) -> list[Meeting]:
        return [*(each for one in _before(meeting, half) for each in tree(one)), meeting]

    return (tree(root) for root in half if root not in leading)


def _rows(half: list[Meeting]) -> dict[Meeting, float]:
    found: dict[Meeting, float] = {}
    leaves = 0
    for tree in sorted(_trees(half), key=lambda tree: tree[-1].match.side == Side.THIRD_PLACE):
        for each in tree:
            rows = [found[before] for before in _before(each, half)]
            if each.match.side == Side.THIRD_PLACE:
                rows = [found[last] + _BELOW for last in found if last.match.side == Side.FINAL]
            found[each] = sum(rows) / len(rows) if rows else leaves
            leaves += not rows
    return found


def _lines(
    half: list[Meeting], at: Mapping[Meeting, tuple[int, int]]
) -> Iterator[tuple[str, int | None]]:
    middle, gap = BOX_HEIGHT // 2, COLUMN_WIDTH - BOX_WIDTH
    for each in half:
        x, y = at[each]
        for before in _before(each, half):
            from_x, from_y = at[before]
            path = f"M{from_x + BOX_WIDTH} {from_y + middle}H{x - gap // 2}V{y + middle}H{x}"
            yield path, before.winner or None
