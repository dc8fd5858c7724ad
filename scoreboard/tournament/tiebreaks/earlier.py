"""The place in the stage before the cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.ledger import Ledger
from scoreboard.tournament.points import Points, shown_points
from scoreboard.tournament.tiebreak import Tiebreak


def _values(ledger: Ledger, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: -ledger.earlier.get(each, 0) for each in level}


def _reason(more: Points, less: Points) -> Phrase:
    return phrase(
        "place {better} against {worse} in the stage before",
        better=shown_points(-more),
        worse=shown_points(-less),
    )


TIEBREAK: Final = Tiebreak("earlier", phrase("Stage before"), _values, _reason)
