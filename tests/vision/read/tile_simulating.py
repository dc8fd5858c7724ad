"""Legal tables drawn at random, and an eye that takes some of their tiles for others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from scoreboard.games.rummikub.tiles import CLASSIC, COLOURS, JOKER, Colour, Joker, Piece
from vision.read.tile_rules import PieceLikelihoods
from vision.read.tile_sets import shapes

_ALIKE: Final = {1: 7, 7: 1, 3: 8, 8: 3, 6: 9, 9: 6}
_INKS_ALIKE: Final[dict[Colour, Colour]] = {"R": "O", "O": "R", "K": "B", "B": "K"}
_SIZES: Final = (3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7)
_NOISE: Final = 0.04
_KINDS: Final = 15


@dataclass(frozen=True, slots=True)
class Eye:
    """How often an eye is in doubt, and how well it knows itself; all are probabilities.

    `number` and `ink` are in doubt, `blind` reads nothing, `wrong` is sure and mistaken; the
    likeliest reading is right less often than it is said to be by `vain`.
    """

    number: float = 0.12
    ink: float = 0.08
    blind: float = 0.03
    wrong: float = 0.002
    vain: float = 0.0


def table(random: Random, most: int = 106) -> list[list[Piece]]:
    """Legal sets from one box, up to so many tiles, jokers in some of them."""
    left = Counter(CLASSIC.tiles.counts)
    sets: list[list[Piece]] = []
    for _ in range(400):
        laid = _set(random, left)
        if laid and sum(map(len, sets)) + len(laid) <= most:
            left.subtract(laid)
            sets.append(laid)
    return sets


def _set(random: Random, left: Counter[Piece]) -> list[Piece]:
    """One set from what is left, as it lies; none where its tiles are gone."""
    shape = random.choice(shapes(random.choice(_SIZES)))
    laid: list[Piece] = [*shape.meanings]
    if left[JOKER] and random.random() < 0.1:
        laid[random.randrange(len(laid))] = JOKER
    if shape.kind == "group":
        random.shuffle(laid)
    return laid if all(left[each] > 0 for each in laid) else []


def astray(random: Random, laid: Sequence[Piece]) -> list[Piece]:
    """The same set with its first tile laid at the other end."""
    return [*laid[1:], laid[0]] if random.random() < 0.5 else [laid[-1], *laid[:-1]]


def seen(random: Random, piece: Piece, eye: Eye) -> PieceLikelihoods:
    """What the eye says of a tile."""
    if random.random() < eye.blind:
        return _unread(random)
    if isinstance(piece, Joker):
        return PieceLikelihoods(_spread({_KINDS - 1: 0.97}, _KINDS), (0.25,) * 4)
    number = _doubted(random, piece.number, _ALIKE.get(piece.number), eye, eye.number)
    ink, like = COLOURS.index(piece.colour), COLOURS.index(_INKS_ALIKE[piece.colour])
    inks = _doubted(random, ink, like, eye, eye.ink)
    return PieceLikelihoods(_spread(number, _KINDS), _spread(inks, len(COLOURS)))


def _unread(random: Random) -> PieceLikelihoods:
    return PieceLikelihoods(_spread({0: random.uniform(0.6, 0.97)}, _KINDS), (0.25,) * 4)


def _doubted(
    random: Random, true: int, like: int | None, eye: Eye, often: float
) -> dict[int, float]:
    """The true one and what is like it, with what the eye makes of them."""
    if like is None or random.random() >= often:
        is_wrong = like is not None and random.random() < eye.wrong
        return {like if is_wrong and like is not None else true: 0.985}
    first = random.uniform(0.5, 0.9)
    is_right = random.random() < (first - eye.vain) / (1 - _NOISE)
    shown = (true, like) if is_right else (like, true)
    return {shown[0]: first, shown[1]: 1 - _NOISE - first}


def _spread(told: dict[int, float], size: int) -> tuple[float, ...]:
    kept = {at: max(0.0, chance) for at, chance in told.items()}
    rest = (1 - sum(kept.values())) / (size - len(kept))
    return tuple(kept.get(at, rest) for at in range(size))
