"""A lot that was drawn and recorded: the latest one among all who are level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoreboard.phrase import Phrase, phrase
from scoreboard.tournament.ledger import Ledger
from scoreboard.tournament.points import Points
from scoreboard.tournament.tiebreak import Tiebreak, latest_order


def _values(ledger: Ledger, level: tuple[int, ...]) -> Mapping[int, Points]:
    return latest_order(ledger.lots, level)


def _reason(_more: Points, _less: Points) -> Phrase:
    return phrase("the lot decided")


TIEBREAK: Final = Tiebreak("lot", phrase("Lot"), _values, _reason)
