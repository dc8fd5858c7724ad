"""Tiles, jokers and the box they come from, with their notation and their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, get_args

from scoreboard.errors import NotationError
from scoreboard.message import Message, message
from scoreboard.message import listed as all_listed

Colour = Literal["K", "R", "B", "O"]
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
NUMBERS: Final = range(1, 14)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """A numbered tile; notation `K7` black, `R7` red, `B7` blue, `O7` orange (RK-1).

    Raises NotationError for a number that is not 1 to 13.
    """

    colour: Colour
    number: int

    def __post_init__(self) -> None:
        if self.number not in NUMBERS:
            raise NotationError(message("A tile shows 1 to 13, not {number}.", number=self.number))

    def __str__(self) -> str:
        return f"{self.colour}{self.number}"


@dataclass(frozen=True, slots=True)
class Joker:
    """A joker; notation `J`, or `J=R11` if the player names the tile it represents (RK-5)."""

    stands_for: Tile | None = None

    def __str__(self) -> str:
        return "J" if self.stands_for is None else f"J={self.stands_for}"


Piece = Tile | Joker
JOKER: Final = Joker()
_ONE_OF_EACH: Final = tuple(Tile(colour, number) for colour in COLOURS for number in NUMBERS)
_EACH_PIECE: Final[tuple[Piece, ...]] = (*_ONE_OF_EACH, *map(Joker, _ONE_OF_EACH), JOKER)
# Each is made once: a table's tiles are read again at every turn.
_PIECES: Final = {str(each): each for each in _EACH_PIECE}


def piece(text: str) -> Piece:
    """Read one tile or joker. Raises NotationError."""
    found = _PIECES.get(text)
    if found is None:
        why = message("“{text}” is no tile: write K7, R12, B1, O10, or J for a joker.", text=text)
        raise NotationError(why)
    return found


def plain(tile: Piece) -> Piece:
    """The printed tile: a joker without the tile it represents."""
    return JOKER if isinstance(tile, Joker) else tile


@dataclass(frozen=True, slots=True)
class Tiles:
    """Some tiles in the order entered, as on a rack or in a set; notation `K7 R7 J`."""

    pieces: tuple[Piece, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Tiles:
        """Read tiles with blanks between them; `-` or nothing is none. Raises NotationError."""
        parts = [] if text.strip() == "-" else text.upper().split()
        return cls(tuple(piece(part) for part in parts))

    def __str__(self) -> str:
        return " ".join(self.labels) or "-"

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def numbered(self) -> tuple[Tile, ...]:
        return tuple(each for each in self.pieces if isinstance(each, Tile))

    @property
    def jokers(self) -> tuple[Joker, ...]:
        return tuple(each for each in self.pieces if isinstance(each, Joker))

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(map(str, self.pieces))

    @property
    def counts(self) -> Counter[Piece]:
        """How many there are of each; all jokers are equal."""
        return Counter(map(plain, self.pieces))

    def missing_from(self, other: Tiles) -> Tiles:
        """The tiles that `other` does not have, counted one by one, sorted."""
        return in_order((self.counts - other.counts).elements())


NO_TILES: Final = Tiles()


def in_order(pieces: Iterable[Piece]) -> Tiles:
    """The tiles by colour and number, jokers last."""

    def place(each: Piece) -> tuple[int, int]:
        if isinstance(each, Joker):
            return len(COLOURS), 0
        return COLOURS.index(each.colour), each.number

    return Tiles(tuple(sorted(pieces, key=place)))


_NAMED: Final[Mapping[Colour, Callable[[int], Message]]] = {
    "K": lambda number: message("black {number}", number=number),
    "R": lambda number: message("red {number}", number=number),
    "B": lambda number: message("blue {number}", number=number),
    "O": lambda number: message("orange {number}", number=number),
}


def named(each: Piece) -> Message:
    """One tile in words: “blue 4”."""
    return message("joker") if isinstance(each, Joker) else _NAMED[each.colour](each.number)


def listed(tiles: Tiles) -> Message:
    """Some tiles in words: “blue 4, red 4”."""
    return all_listed(map(named, tiles.pieces)) if tiles.pieces else message("no tiles")


DEALT: Final = 14


@dataclass(frozen=True, slots=True)
class Box:
    """A box of tiles: `copies` of each number, and `jokers` (RK-1)."""

    copies: int
    jokers: int

    @classmethod
    def of(cls, players: int) -> Box:
        """The classic box for two to four players, the XP box for five and six."""
        return CLASSIC if players in CLASSIC_PLAYERS else XP

    def __len__(self) -> int:
        return self.copies * len(COLOURS) * len(NUMBERS) + self.jokers

    @property
    def tiles(self) -> Tiles:
        return in_order(_contents(self).elements())

    def beyond(self, tiles: Tiles, others: Tiles = NO_TILES) -> Tiles:
        """The tiles of which these and the others have more than the box holds."""
        most, counts = _contents(self), tiles.counts + others.counts
        return in_order(each for each, count in counts.items() if count > most[each])


@cache
def _contents(box: Box) -> Counter[Piece]:
    """How many the box has of each piece, for all who ask: not to be changed."""
    return Counter[Piece]((*_ONE_OF_EACH * box.copies, *(JOKER,) * box.jokers))


CLASSIC: Final = Box(copies=2, jokers=2)
XP: Final = Box(copies=3, jokers=4)
CLASSIC_PLAYERS: Final = range(2, 5)


def points(tiles: Tiles, joker: int) -> int:
    """The cost of tiles on a rack at the end (RK-10, RK-11)."""
    return sum(joker if isinstance(each, Joker) else each.number for each in tiles.pieces)


_DIGITS: Final = 3


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tiles, None if unknown; notation `9`, `?`."""

    tiles: int | None = None

    @classmethod
    def parse(cls, text: str) -> Count:
        """Read a small whole number, or `?`. Raises NotationError."""
        number = text.strip()
        if number == "?":
            return cls()
        if not (number.isascii() and number.isdecimal() and len(number) <= _DIGITS):
            why = message("“{text}” is no number of tiles: write 9, or ? for unknown.", text=text)
            raise NotationError(why)
        return cls(int(number))

    def __str__(self) -> str:
        return "?" if self.tiles is None else str(self.tiles)

    def changed(self, by: int) -> Count:
        return self if self.tiles is None else Count(self.tiles + by)


UNKNOWN: Final = Count()
