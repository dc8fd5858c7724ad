"""A printed result slip: where its marks and boxes are, in millimetres from its upper left corner.

The page that prints slips and the reader of photographs both use it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, get_args

WIDTH: Final = 95.0
HEIGHT: Final = 138.0
DIGITS: Final = 4
BOX_WIDTH: Final = 6.5
BOX_HEIGHT: Final = 8.5
MARK_SIDE: Final = 8.0
MARK_MODULES: Final = 6
_INSET: Final = 2.0
_FAR_X: Final = WIDTH - _INSET - MARK_SIDE
_FAR_Y: Final = HEIGHT - _INSET - MARK_SIDE
# The corner marks are numbers 0 to 3 of ArUco's dictionary of 4 x 4 modules, clockwise from the
# upper left: their white modules, row by row, inside a black rim.
MARKS: Final = ((_INSET, _INSET), (_FAR_X, _INSET), (_FAR_X, _FAR_Y), (_INSET, _FAR_Y))
_WHITE: Final = ("1011010100110010", "0000111110011010", "0011001100101101", "1001100101000110")
QR_MODULES: Final = 25  # version 2, of which the longest code fills nearly all
# How rows stand: "X" 10 mm apart, as on the slips of earlier versions; "Y" spread over the paper;
# "S" spread too, with a row for the sum below, between the lower marks
Rows = Literal["X", "Y", "S"]
ROWS: Final[tuple[Rows, ...]] = get_args(Rows)
_ROWS_TOP: Final = 29.0
_ROWS_BOTTOM: Final = {"X": 127.5, "Y": 127.5, "S": 138.0}
_HEADING: Final = 5.5
_LEAST_PITCH: Final = {"X": 10.0, "Y": 10.0, "S": 9.7}
_SIGN_X: Final = 33.0
_DIGITS_X: Final = 42.0
_BOX_PITCH: Final = 7.4
NAME_WIDTH: Final = 30.0
SIGNATURE_X: Final = 73.5
MOST_SEATS: Final = 9
_CODE: Final = re.compile(
    r"TS1/([A-Z2-7]{4})/(\d{1,3})/(\d{1,4})/(\d{1,3})/(\d)([XYS])(\d)/([A-Z2-7]{5})"
)


class Area(NamedTuple):
    """An upright rectangle on the slip."""

    x: float
    y: float
    width: float
    height: float


QR_AREA: Final = Area(60.5, 2.0, 22.0, 22.0)


@dataclass(frozen=True, slots=True)
class SlipCode:
    """The content of a slip's QR code: the event, and which games of which table it takes.

    `event` is a short digest of the event's name, `check` one of everything, the players in
    their seats included: after another seating it is another. `str` writes it.
    """

    event: str
    round: int
    table: int
    game: int
    games: int
    seats: int
    check: str
    rows: Rows = "Y"

    def __str__(self) -> str:
        place = f"{self.event}/{self.round}/{self.table}/{self.game}"
        return f"TS1/{place}/{self.games}{self.rows}{self.seats}/{self.check}"

    @classmethod
    def parse(cls, text: str) -> SlipCode | None:
        """Parse a code; None for any other text."""
        found = _CODE.fullmatch(text)
        if found is None:
            return None
        event, *numbers, letter, seats, check = found.groups()
        number, table, game, games = map(int, numbers)
        rows = next(each for each in ROWS if each == letter)
        return cls(event, number, table, game, games, int(seats), check, rows)

    @property
    def layout(self) -> SlipLayout:
        """The places on the slip with this code."""
        return SlipLayout(self.games, self.seats, self.rows)


@dataclass(frozen=True, slots=True)
class SlipLayout:
    """The places of a slip for that number of `games` and `seats`."""

    games: int
    seats: int
    rows: Rows = "Y"

    @classmethod
    def most_games(cls, seats: int, rows: Rows = "Y") -> int:
        """How many games of a table fit on one slip; 0 for a table of more than MOST_SEATS."""
        filled = seats + (rows == "S")
        room = _ROWS_BOTTOM[rows] - _ROWS_TOP
        return int(room // (_HEADING + _LEAST_PITCH[rows] * filled)) if seats <= MOST_SEATS else 0

    @property
    def filled(self) -> int:
        """The rows of a game that are filled in: one a seat, and that of the sum."""
        return self.seats + (self.rows == "S")

    @property
    def pitch(self) -> float:
        """From one row to the next."""
        if self.rows == "X":
            return _LEAST_PITCH["X"]
        room = (_ROWS_BOTTOM[self.rows] - _ROWS_TOP) / self.games
        return (room - _HEADING) / self.filled

    def heading(self, game: int) -> float:
        """The top of a game's rows; its heading is above."""
        return _ROWS_TOP + game * (_HEADING + self.pitch * self.filled)

    def boxes(self, game: int, row: int) -> tuple[Area, ...]:
        """The boxes of a row: the sign's, then the digits'; `game` and `row` count from 0."""
        middle = max(0.0, self.pitch - _LEAST_PITCH["X"]) / 2
        y = self.heading(game) + _HEADING + self.pitch * row + middle
        columns = (_SIGN_X, *(_DIGITS_X + _BOX_PITCH * digit for digit in range(DIGITS)))
        return tuple(Area(x, y, BOX_WIDTH, BOX_HEIGHT) for x in columns)


def dark_modules(mark: int) -> tuple[Area, ...]:
    """The black modules of a corner mark, row by row."""
    side, inner = MARK_SIDE / MARK_MODULES, MARK_MODULES - 2
    x, y = MARKS[mark]
    rim = (0, MARK_MODULES - 1)
    return tuple(
        Area(x + column * side, y + row * side, side, side)
        for row in range(MARK_MODULES)
        for column in range(MARK_MODULES)
        if row in rim or column in rim or _WHITE[mark][(row - 1) * inner + column - 1] == "0"
    )
