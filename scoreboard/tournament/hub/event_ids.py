"""What a new event is called in addresses: a part of its title, and digits that tell it apart."""

from __future__ import annotations

import re
from datetime import datetime
from hashlib import sha256
from typing import Final

from scoreboard.message import message
from scoreboard.tournament.model.authority import RefusedOrderError

LONGEST_TITLE: Final = 80
LONGEST_PART: Final = 32  # of the title that stands in the id
TELLING: Final = 8  # digits


def event_title(text: str) -> str:
    """Check an event's title and return it without blanks around.

    Raises:
        RefusedOrderError: it is empty, or too long for the pages that show it.
    """
    title = text.strip()
    if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
        raise RefusedOrderError(
            message("Give the event a title of 1 to {most} letters.", most=LONGEST_TITLE)
        )
    return title


def event_id(title: str, at: datetime) -> str:
    """The id of an event of this title, opened at this time: lower-case letters, digits, dashes."""
    part = re.sub(r"[^a-z0-9]+", "-", title.lower())[:LONGEST_PART].strip("-")
    told_apart = sha256(f"{title} {at.isoformat()}".encode()).hexdigest()[:TELLING]
    return f"{part or 'event'}-{told_apart}"
