"""The games won; a shared win counts in part, a bye as its format says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.ledger import Ledger
from scoreboard.tournament.points import Points, shown_points, total
from scoreboard.tournament.tiebreak import Tiebreak


def _values(ledger: Ledger, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: total([own.wins for own in ledger.sittings[each].values()]) for each in level}


def _reason(more: Points, less: Points) -> Phrase:
    return phrase(
        "{more} games won against {less}", more=shown_points(more), less=shown_points(less)
    )


TIEBREAK: Final = Tiebreak("wins", phrase("Games won"), _values, _reason)
