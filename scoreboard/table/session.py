"""The table at play: takes messages one by one, records what is confirmed, shows the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from scoreboard.dice import FACES, NO_DICE, Roll
from scoreboard.errors import ConflictError, NotationError, ScoreboardError, StoreError
from scoreboard.games import GAMES
from scoreboard.phrase import Phrase, phrase
from scoreboard.players import player_names
from scoreboard.table.best import best_before
from scoreboard.table.confirming import (
    AskAgain,
    Cancel,
    ConfirmPolicy,
    Deed,
    Point,
    Record,
    Refuse,
    Reject,
    ShowDoubt,
    TakeBack,
    confirmed,
    deeds,
)
from scoreboard.table.history import History
from scoreboard.table.messages import (
    Answer,
    Chosen,
    Corrected,
    DieCorrected,
    GameAbandoned,
    GameDeleted,
    GameOpened,
    GameResumed,
    KeepMarked,
    Message,
    Pressed,
    Proposed,
    SightChanged,
    Ticked,
    Verdict,
)
