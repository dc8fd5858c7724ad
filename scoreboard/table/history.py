"""What each button meant a moment ago: a person presses what they saw, not what just appeared."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from scoreboard.table.button_actions import ButtonAction
from scoreboard.table.requests import Action

REACTION: Final = timedelta(milliseconds=300)
LONGEST: Final = 64  # changes within 300 ms; each takes a commit to disk or a new reading

Meanings = Mapping[Action, ButtonAction]


class History:
    """Remembers since when each button means what it means now.

    What the table showed at its start counts as shown since ever.
    """

    def __init__(self, meanings: Meanings) -> None:
        self._first = meanings
        self._later: deque[tuple[datetime, Meanings, Action | None]] = deque(maxlen=LONGEST)

    @property
    def now(self) -> Meanings:
        """What the buttons mean now."""
        return self._later[-1][1] if self._later else self._first

    def changed(self, meanings: Meanings, at: datetime, by: Action | None = None) -> None:
        """Remember that the buttons mean something else from `at` (aware UTC) on.

        `by` is the button whose press changed it.
        """
        if len(self._later) == LONGEST:
            self._first = self._later[0][1]
        self._later.append((at, meanings, by))

    def is_steady(self, action: Action, pressed_at: datetime) -> bool:
        """Whether the button already meant 300 ms before the press what it means now.

        Who presses UNDO several times wants to go back as many steps: what UNDO itself changed
        was expected.
        """
        seen_at, shown, steady = pressed_at - REACTION, self._first, True
        for at, meanings, by in self._later:
            expected = action is by is Action.UNDO
            if not steady and not expected:
                continue
            if expected or at <= seen_at:
                shown, steady = meanings, True
            else:
                steady = meanings[action] == shown[action]
        return steady
