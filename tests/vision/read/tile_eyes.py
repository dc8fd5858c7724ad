"""Tables as an eye sees them, written short: sure tiles, doubtful ones, and unreadable ones.

`K7` is seen surely; `K6/9` is black, a 6 with 60 % and a 9 with 36 %; `R/O7` a 7 that is red or
orange likewise; `K6/J` a black 6 or a joker; `K6@80` a 6 with 80 %, and with `/9` a 9 with
16 %; `?` nothing readable; `?J40` the same, with 40 % for a joker. Commas part the sets.

Answers: `K7` as seen, `K7*` inferred, `K7!` disputed, `K7~` still in doubt, `?` unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from scoreboard.games.rummikub.tiles import COLOURS
from vision.read.tile_rules import PieceLikelihoods, ResolvedTile

SURE: Final = 0.9
_JOKER: Final = 14
_SPOKEN: Final = re.compile(r"([KRBO/]+)([\dJ/]+)(?:@(\d+))?")
_BLANK: Final = re.compile(r"\?(?:J(\d+))?")
_REST: Final = 0.04  # of what is not the first reading goes to none of those told


def eyes(text: str) -> list[PieceLikelihoods]:
    """What the eye says of each tile."""
    return [eye(each) for each in text.replace(",", " ").split()]


def eye(text: str) -> PieceLikelihoods:
    """What the eye says of one tile."""
    if told := _BLANK.fullmatch(text):
        joker = int(told[1] or 0) / 100
        return PieceLikelihoods(_shares({0: 0.96 - joker, _JOKER: joker}, 15), (0.25,) * 4)
    if text == "J":
        return PieceLikelihoods(_shares({_JOKER: 0.99}, 15), (0.25,) * 4)
    told = _SPOKEN.fullmatch(text)
    assert told, text
    inks = [COLOURS.index(each) for each in COLOURS if each in told[1]]
    inks.sort(key=lambda at: told[1].index(COLOURS[at]))
    kinds = [_JOKER if each == "J" else int(each) for each in told[2].split("/")]
    first = int(told[3] or 60) / 100
    doubtful = bool(told[3]) or len(kinds) > 1
    return PieceLikelihoods(_alternatives(kinds, 15, first, doubtful=doubtful), _inks(inks, first))


def _inks(inks: Sequence[int], first: float) -> tuple[float, ...]:
    return _alternatives(inks, 4, first, doubtful=len(inks) > 1)


def _alternatives(
    told: Sequence[int], size: int, first: float, *, doubtful: bool
) -> tuple[float, ...]:
    if not doubtful:
        return _shares({told[0]: 0.995}, size)
    second = max(0.0, 1 - _REST - first)
    return _shares(dict(zip(told, (first, second), strict=False)), size)


def _shares(told: dict[int, float], size: int) -> tuple[float, ...]:
    """These probabilities, and the rest even."""
    rest = (1 - sum(told.values())) / (size - len(told))
    return tuple(told.get(at, rest) for at in range(size))


def rows(text: str) -> tuple[tuple[int, ...], ...]:
    """The sets of the tiles so written."""
    places = iter(range(len(text)))
    return tuple(tuple(next(places) for _ in row.split()) for row in text.split(","))


def answer(chances: Sequence[PieceLikelihoods], settled: Sequence[ResolvedTile]) -> str:
    """What was settled, in notation."""
    return " ".join(_answers(chances, settled))


def _answers(chances: Sequence[PieceLikelihoods], settled: Sequence[ResolvedTile]) -> Iterator[str]:
    for each, told in zip(chances, settled, strict=True):
        doubtful = not told.inferred and each.confidence < SURE
        mark = "*" if told.inferred else "!" if told.disputed else "~" if doubtful else ""
        yield "?" if told.piece is None else f"{told.piece}{mark}"
