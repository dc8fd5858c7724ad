"""What an account may be called."""

from __future__ import annotations

from typing import Final

from scoreboard.errors import NotationError
from scoreboard.message import message

LONGEST: Final = 40


def account_name(text: str) -> str:
    """Check an account's name and return it without surrounding blanks.

    Raises:
        NotationError: it is empty, longer than 40 characters, or has a slash or a line break.
    """
    name = text.strip()
    if not 1 <= len(name) <= LONGEST or not name.isprintable() or "/" in name:
        raise NotationError(
            message("A name to sign in with has 1 to {most} characters, no slash.", most=LONGEST)
        )
    return name
