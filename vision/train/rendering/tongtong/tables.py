"""What lies before the demo's camera at each step of its match, and where.

Lengths are in widths of a strip. The middle of the table is seen: tricks, and in a match of
which only the piles are told, what each player shows at the end of a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scoreboard.games.tongtong.cards import Card
from vision.train.rendering.chance import Random
from vision.train.rendering.decks.layouts import Laid
from vision.train.rendering.tongtong.match import PLAYERS, PlayedGame

_SEED: Final = 17
_SEATS: Final = len(PLAYERS)
_BEFORE_CARDS: Final = 2  # a mission is turned up, and who holds red 8 is told
_BEFORE_PILES: Final = 1
HASTY: Final = ((0, 7), (2, 7))  # in this game the card of this number falls with the next one
# Before each seat, as the camera stands: where its card lies (x, y) and how it is turned, degrees.
_SPOTS: Final = ((0.1, -0.35, 0.0), (-2.2, 0.3, 16.0), (2.25, 0.2, 166.0))
_PITCH: Final = 1.75  # between piles
_BESIDE: Final = 1.45  # between a pile and a 6 laid beside
_UNEVEN: Final = (0.1, 0.16, 4.0)  # of a card: across, along, degrees


@dataclass(frozen=True, slots=True)
class Shown:
    """What lies there while one act is awaited.

    `step` names what is awaited as the page's follower does; `fresh` are the cards that were not
    there before, in the order they came; `laid` are all, in the order they came.
    """

    step: str
    fresh: tuple[Card, ...]
    laid: tuple[Laid, ...]


def tables(games: Sequence[PlayedGame]) -> Iterator[Shown]:
    """Every table of the match: first the piles of all games, then their tricks."""
    for number, game in enumerate(games):
        yield from _ends(np.random.default_rng((_SEED, number)), number, game)
    for number, game in enumerate(games):
        yield from _tricks(np.random.default_rng((_SEED, 100 + number)), number, game)


def _ends(random: Random, number: int, game: PlayedGame) -> Iterator[Shown]:
    """What lies before one player after the other when a game is over."""
    for seat in range(_SEATS):
        act = number * (_BEFORE_PILES + _SEATS) + _BEFORE_PILES + seat
        cards = game.lying(seat)
        yield Shown(f"piles-{seat}-{act:02}", cards, tuple(_piles(random, cards)))


def _tricks(random: Random, number: int, game: PlayedGame) -> Iterator[Shown]:
    """One table a card; where two fall at once, one for both."""
    first = number * (_BEFORE_CARDS + len(game.played)) + _BEFORE_CARDS
    trick: list[Laid] = []
    for at, card in enumerate(game.played):
        if at % _SEATS == 0:
            trick = []
        hasty = (number, at) in HASTY
        fresh = game.played[at : at + 1 + hasty]
        if card not in [Card.parse(one.face) for one in trick]:
            trick += [_played(random, len(trick) + nth, each) for nth, each in enumerate(fresh)]
            yield Shown(f"play-{first + at:02}", fresh, tuple(trick))


def _played(random: Random, place: int, card: Card) -> Laid:
    """A card of the trick, by whom it is laid there: first, second or third."""
    x, y, degrees = _SPOTS[place]
    return _nudged(random, card, (x, y), degrees)


def _piles(random: Random, cards: Sequence[Card]) -> Iterator[Laid]:
    """The tops side by side, a 6 that was won close to the top of its colour."""
    places, x = [], 0.0
    colours = sorted({card.colour for card in cards}, key=[c.colour for c in cards].index)
    for colour in colours:
        for nth, card in enumerate(each for each in cards if each.colour == colour):
            x += _BESIDE if nth else _PITCH
            places.append((card, x))
    middle = (places[0][1] + places[-1][1]) / 2
    for card, across in places:
        yield _nudged(random, card, (across - middle, 0.0), 0.0)


def _nudged(random: Random, card: Card, place: tuple[float, float], degrees: float) -> Laid:
    across, along, turn = (float(random.normal(0, much / 2)) for much in _UNEVEN)
    heading = np.radians(degrees + turn)
    return Laid(str(card), place[0] + across, place[1] + along, float(heading))
