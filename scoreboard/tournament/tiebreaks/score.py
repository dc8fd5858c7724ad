"""What all the tables’ own sheets add up to, whatever was awarded for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.ledger import Ledger
from scoreboard.tournament.points import Points, shown_points
from scoreboard.tournament.tiebreak import Tiebreak


def _values(ledger: Ledger, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: sum(own.score for own in ledger.sittings[each].values()) for each in level}


def _reason(more: Points, less: Points) -> Phrase:
    return phrase(
        "a score of {more} against {less} in all games",
        more=shown_points(more),
        less=shown_points(less),
    )


TIEBREAK: Final = Tiebreak("score", phrase("Score"), _values, _reason)
