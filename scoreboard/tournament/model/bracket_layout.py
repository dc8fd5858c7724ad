"""A knockout's bracket as a drawing: matches in columns, lines of who goes on, each half apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scoreboard.message import Message, message
from scoreboard.tournament.model.pairing.elimination import (
    NOBODY,
    Bracket,
    LoserOf,
    Match,
    Meeting,
    Seed,
    Side,
    Source,
    WinnerOf,
    match_name,
    meetings,
)
from scoreboard.tournament.model.round_draw import (
    bracket_of,
    bracket_tables,
    bracket_winners,
    seeding,
)
from scoreboard.tournament.model.scores import Points
from scoreboard.tournament.model.scoring import games_won, scored
from scoreboard.tournament.model.tournament import Tournament
from scoreboard.tournament.model.tournament_format import KNOCKOUTS

BOX_WIDTH: Final = 214
BOX_HEIGHT: Final = 42
COLUMN_WIDTH: Final = 240
ROW_HEIGHT: Final = 64
HEAD_HEIGHT: Final = 40  # the columns' names, and the caption of the first match
PAGE_COLUMNS: Final = 4
PAGE_ROWS: Final = 16
_BELOW: Final = 1.25  # rows from the final to the third-place match


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """One side of a match: an entrant, NOBODY for a bye, or None and where they come from."""

    entrant: int | None
    name: str
    seed: int | None
    score: Points | None
    won: bool
    source: Message | None


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match at `x`, `y`, its box's upper left corner; `round` and `table` once it is drawn."""

    number: int
    name: Message
    x: int
    y: int
    sides: tuple[DrawnSide, DrawnSide]
    round: int | None
    table: int | None

    @property
    def winner(self) -> DrawnSide | None:
        """The side that goes on, None while the match is open."""
        return next((side for side in self.sides if side.won), None)


@dataclass(frozen=True, slots=True)
class DrawnLink:
    """The line from a match to the next one, as an SVG path, and who went along it."""

    path: str
    entrant: int | None


@dataclass(frozen=True, slots=True)
class BracketDrawing:
    """A half of a bracket, or a part of one, in units of a pixel; `columns` have name and place."""

    title: Message
    columns: tuple[tuple[Message, int], ...]
    matches: tuple[DrawnMatch, ...]
    lines: tuple[DrawnLink, ...]
    width: int
    height: int


def bracket_drawings(state: Tournament) -> tuple[BracketDrawing, ...]:
    """Each half as one drawing; none where there is no knockout or it is not drawn yet."""
    known = _Known.of(state)
    if known is None:
        return ()
    return tuple(known.drawing(title, half) for title, half in known.halves())


def bracket_pages(state: Tournament, rows: int = PAGE_ROWS) -> tuple[BracketDrawing, ...]:
    """The same in parts of at most four columns and about `rows` rows, as a sheet of A4 holds."""
    known = _Known.of(state)
    if known is None:
        return ()
    found: list[BracketDrawing] = []
    for title, half in known.halves():
        parts = list(known.parts(half, rows))
        for number, part in enumerate(parts, start=1):
            name = message("{half}, part {part}", half=title, part=number)
            found.append(known.drawing(name if len(parts) > 1 else title, part))
    return tuple(found)


def bracket_around(state: Tournament, entrant: int, rows: int = 8) -> tuple[BracketDrawing, ...]:
    """The parts with an entrant's latest match; none where they are in no match."""
    known = _Known.of(state)
    own = [] if known is None else [each for each in known.met if entrant in each.pair]
    if known is None or not own:
        return ()
    return tuple(
        known.drawing(title, part)
        for title, half in known.halves()
        for part in known.parts(half, rows)
        if own[-1] in part
    )


def bracket_ahead(state: Tournament, rows: int = 4) -> tuple[BracketDrawing, ...]:
    """Of each half the next columns of at most `rows` matches, two, or three of the only half.

    As a board can show them to be read from afar. A half where nobody is known yet is left out,
    and one that is over, unless all are.
    """
    known = _Known.of(state)
    if known is None:
        return ()
    halves = dict(known.halves())
    wide = 2 if len(halves) > 1 else 3
    is_over = all(each.winner is not None for each in known.met)
    found = []
    for title, half in halves.items():
        number_of = known.column_numbers(half)
        per_column = list(number_of.values())
        still = [number_of[each.match.number] for each in half if each.winner is None]
        if not still and not is_over:
            continue
        first = min(still, default=max(max(per_column) + 1 - wide, 0))
        while per_column.count(first) > rows:
            first += 1
        columns = range(first, first + wide)
        shown = [each for each in half if number_of[each.match.number] in columns]
        if any(entrant for each in shown for entrant in each.pair):
            found.append(known.drawing(title, shown))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Known:
    """The bracket with what the rounds so far made of it."""

    state: Tournament
    bracket: Bracket
    met: tuple[Meeting, ...]
    tables: Mapping[int, tuple[int, int]]
    names: Mapping[int, Message]

    @classmethod
    def of(cls, state: Tournament) -> _Known | None:
        if state.format.system not in KNOCKOUTS or not state.rounds:
            return None
        seeded = seeding(state, 0)
        bracket = bracket_of(state, len(seeded))
        met = meetings(bracket, seeded, bracket_winners(state, bracket, seeded))
        shown = tuple(each for each in met if not _is_empty(each))
        return cls(state, bracket, shown, bracket_tables(state, bracket, seeded), _names(bracket))

    def halves(self) -> Iterator[tuple[Message, list[Meeting]]]:
        """The matches of each half under its name."""
        if all(each.side != Side.LOSERS for each in self.bracket.matches):
            yield message("Bracket"), list(self.met)
            return
        titles = {
            Side.MAIN: message("Winners’ bracket"),
            Side.LOSERS: message("Losers’ bracket"),
            Side.FINAL: message("Grand final"),
        }
        for side, title in titles.items():
            if half := [each for each in self.met if each.match.side == side]:
                yield title, half

    def column_numbers(self, half: Iterable[Meeting]) -> dict[int, int]:
        """The column of each match of a half, by its number, from 0."""
        stages = {each.match.number: _column_stage(each.match) for each in half}
        in_order = sorted(set(stages.values()))
        return {number: in_order.index(stage) for number, stage in stages.items()}

    def parts(self, half: list[Meeting], rows: int) -> Iterator[list[Meeting]]:
        """A half in blocks of columns, and these in whole trees that fill a page."""
        column = self.column_numbers(half)
        for start in range(0, max(column.values()) + 1, PAGE_COLUMNS):
            block = [each for each in half if 0 <= column[each.match.number] - start < PAGE_COLUMNS]
            page: list[Meeting] = []
            height = 0
            for tree in _trees(block):
                leaves = sum(not _before(each, block) for each in tree)
                if page and height + leaves > rows:
                    yield page
                    page, height = [], 0
                page, height = page + tree, height + leaves
            yield page

    def drawing(self, title: Message, half: list[Meeting]) -> BracketDrawing:
        column, row = self.column_numbers(half), _rows(half)
        at = {
            number: (column[number] * COLUMN_WIDTH, HEAD_HEIGHT + round(row[number] * ROW_HEIGHT))
            for number in row
        }
        heads: dict[int, Message] = {}
        for each in sorted(half, key=lambda each: each.match.side == Side.THIRD_PLACE):
            heads.setdefault(at[each.match.number][0], match_name(self.bracket, each.match))
        return BracketDrawing(
            title,
            tuple((name, x) for x, name in sorted(heads.items())),
            tuple(self._match(each, *at[each.match.number]) for each in half),
            tuple(_lines(half, at)),
            max(x for x, _ in at.values()) + BOX_WIDTH,
            max(y for _, y in at.values()) + BOX_HEIGHT + 2,
        )

    def _match(self, meeting: Meeting, x: int, y: int) -> DrawnMatch:
        number = meeting.match.number
        played, table = self.tables.get(number, (None, None))
        scores: Mapping[int, Points] = {}
        if played is not None and table is not None:
            games = self.state.rounds[played - 1].games_of(table)
            scores = scored(games) if self.state.format.games == 1 else games_won(games)
        names = self.state.names if played is None else self.state.names_in(played)
        ranks = {each.number: each.seed_rank for each in self.state.entrants}
        one, other = (
            DrawnSide(
                entrant,
                names.get(entrant or NOBODY, ""),
                ranks.get(entrant or NOBODY),
                scores.get(entrant or NOBODY),
                entrant not in {None, NOBODY} and entrant == meeting.winner,
                self._source(source) if entrant is None else None,
            )
            for entrant, source in zip(meeting.pair, meeting.match.sources, strict=True)
        )
        return DrawnMatch(number, self.names[number], x, y, (one, other), played, table)

    def _source(self, source: Source) -> Message | None:
        match source:
            case WinnerOf(number):
                return message("Winner of {match}", match=self.names[number])
            case LoserOf(number):
                return message("Loser of {match}", match=self.names[number])
            case Seed():
                return None


def _is_empty(meeting: Meeting) -> bool:
    """Whether nobody plays: all have a bye, or a second final is not needed."""
    needless = meeting.match.if_second_wins is not None and NOBODY in meeting.pair
    return needless or meeting.pair == (NOBODY, NOBODY)


def _column_stage(match: Match) -> int:
    """The stage whose column a match stands in: the third-place match stands below the final."""
    return match.stage + (match.side == Side.THIRD_PLACE)


def _names(bracket: Bracket) -> dict[int, Message]:
    """Each match's name, with a number where several have the same."""
    alike: dict[Message, list[int]] = {}
    for each in bracket.matches:
        alike.setdefault(match_name(bracket, each), []).append(each.number)
    return {
        number: message("{match} #{number}", match=name, number=at) if len(numbers) > 1 else name
        for name, numbers in alike.items()
        for at, number in enumerate(numbers, start=1)
    }


def _before(meeting: Meeting, among: Iterable[Meeting]) -> list[Meeting]:
    """Those of some matches whose winners play in this one, the upper one first."""
    feeding = {source.match for source in meeting.match.sources if isinstance(source, WinnerOf)}
    return [each for each in among if each.match.number in feeding]


def _trees(half: list[Meeting]) -> Iterator[list[Meeting]]:
    """Each match that leads to no other of them, after all that lead to it."""
    leading = {each.match.number for after in half for each in _before(after, half)}

    def tree(meeting: Meeting) -> list[Meeting]:
        below = [each for before in _before(meeting, half) for each in tree(before)]
        return [*below, meeting]

    for root in half:
        if root.match.number not in leading:
            yield tree(root)


def _rows(half: list[Meeting]) -> dict[int, float]:
    """The row of each match, by its number: those that begin a tree in order, others between."""
    found: dict[int, float] = {}
    leaves = 0
    for tree in _trees(half):
        for each in tree:
            rows = [found[before.match.number] for before in _before(each, half)]
            if rows:
                found[each.match.number] = sum(rows) / len(rows)
            elif each.match.side != Side.THIRD_PLACE:
                found[each.match.number] = leaves
                leaves += 1
    for each in half:  # it stands below the final, wherever that is
        if each.match.side == Side.THIRD_PLACE:
            final = [found[other.match.number] for other in half if other.match.side == Side.FINAL]
            found[each.match.number] = final[0] + _BELOW if final else leaves
    return found


def _lines(half: list[Meeting], at: Mapping[int, tuple[int, int]]) -> Iterator[DrawnLink]:
    middle = BOX_HEIGHT // 2
    for each in half:
        x, y = at[each.match.number]
        for before in _before(each, half):
            from_x, from_y = at[before.match.number]
            bend = x - (COLUMN_WIDTH - BOX_WIDTH) // 2
            path = f"M{from_x + BOX_WIDTH} {from_y + middle}H{bend}V{y + middle}H{x}"
            yield DrawnLink(path, before.winner or None)
