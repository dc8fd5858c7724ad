"""In a knockout: the round after which one was out; who is still in stands above all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.ledger import Ledger
from scoreboard.tournament.points import Points, shown_points
from scoreboard.tournament.tiebreak import Tiebreak

STILL_IN: Final = 1_000_000


def _values(ledger: Ledger, level: tuple[int, ...]) -> Mapping[int, Points]:
    return {each: _lasted(ledger, each) for each in level}


def _lasted(ledger: Ledger, entrant: int) -> int:
    lost = sorted(
        {own.round for own, theirs, _ in ledger.met(entrant) if own.points < theirs.points}
    )
    if ledger.losses_allowed and len(lost) >= ledger.losses_allowed:
        return lost[ledger.losses_allowed - 1]
    return STILL_IN


def _reason(more: Points, less: Points) -> Phrase:
    if more == STILL_IN:
        return phrase("never out, against out in round {less}", less=shown_points(less))
    return phrase(
        "out in round {more} against {less}", more=shown_points(more), less=shown_points(less)
    )


TIEBREAK: Final = Tiebreak("lasted", phrase("Lasted"), _values, _reason)
