"""The points that count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.ledger import Ledger
from scoreboard.tournament.points import Points, shown_points
from scoreboard.tournament.tiebreak import Tiebreak


def _values(ledger: Ledger, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: ledger.totals[each] for each in level}


def _reason(more: Points, less: Points) -> Phrase:
    return phrase("{more} points against {less}", more=shown_points(more), less=shown_points(less))


TIEBREAK: Final = Tiebreak("points", phrase("Points"), _values, _reason)
