"""Rummikub's tiles: numbers in four colours, and jokers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from scoreboard.errors import NotationError
from scoreboard.message import message

Colour = Literal["K", "R", "B", "O"]
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
NUMBERS: Final = range(1, 14)
_TILE: Final = re.compile(r"([KRBO])(1[0-3]|[1-9])")
_JOKER: Final = re.compile(r"J(?:=([KRBO])(1[0-3]|[1-9]))?")


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """A numbered tile; notation `K7` black, `R7` red, `B7` blue, `O7` orange (RK-1).

    Raises:
        NotationError: the number is not 1 to 13.
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
    """A joker; notation `J`, or `J=R11` where the player says what it stands for (RK-5)."""

    stands_for: Tile | None = None

    def __str__(self) -> str:
        return "J" if self.stands_for is None else f"J={self.stands_for}"


Piece = Tile | Joker
JOKER: Final = Joker()


def piece(text: str) -> Piece:
    """Read one tile or joker.

    Raises:
        NotationError: the text is neither.
    """
    if found := _TILE.fullmatch(text):
        return _tile(found[1], found[2])
    if found := _JOKER.fullmatch(text):
        return Joker(None if found[1] is None else _tile(found[1], found[2]))
    raise NotationError(
        message("“{text}” is no tile: write K7, R12, B1, O10, or J for a joker.", text=text)
    )


def _tile(letter: str, digits: str) -> Tile:
    colour = next(each for each in COLOURS if each == letter)
    return Tile(colour, int(digits))


def plain(tile: Piece) -> Piece:
    """The tile as it lies: what a joker is said to stand for is not printed on it."""
    return JOKER if isinstance(tile, Joker) else tile


@dataclass(frozen=True, slots=True)
class Tiles:
    """Some tiles in the order told, as on a rack or in a set; notation `K7 R7 J`."""

    pieces: tuple[Piece, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Tiles:
        """Read the notation: tiles with blanks between them; `-` or nothing is none.

        Raises:
            NotationError: a part of the text is no tile.
        """
        parts = [] if text.strip() == "-" else text.upper().split()
        return cls(tuple(piece(part) for part in parts))

    def __str__(self) -> str:
        return " ".join(map(str, self.pieces)) or "-"

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def numbered(self) -> tuple[Tile, ...]:
        """The tiles that are no jokers."""
        return tuple(each for each in self.pieces if isinstance(each, Tile))

    @property
    def jokers(self) -> tuple[Joker, ...]:
        """The jokers among them."""
        return tuple(each for each in self.pieces if isinstance(each, Joker))

    @property
    def counts(self) -> Counter[Piece]:
        """How many there are of each; all jokers are alike."""
        return Counter(map(plain, self.pieces))

    def missing_from(self, other: Tiles) -> Tiles:
        """The tiles that `other` does not have, counted one by one, sorted."""
        return in_order((self.counts - other.counts).elements())


NO_TILES: Final = Tiles()


def in_order(pieces: Iterable[Piece]) -> Tiles:
    """The tiles by colour and number, jokers last."""
    return Tiles(tuple(sorted(pieces, key=_place)))


def _place(each: Piece) -> tuple[int, int]:
    if isinstance(each, Joker):
        return len(COLOURS), 0
    return COLOURS.index(each.colour), each.number
