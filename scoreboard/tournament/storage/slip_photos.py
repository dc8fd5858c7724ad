"""Photos of result slips: read and waiting for a referee, then kept with the result."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, insert, select, update

from scoreboard.storage.database import Database
from scoreboard.tournament.storage.tables import SLIP_PHOTOS

MOST_SLIP_PHOTO_BYTES: Final = 200_000
_PHOTOS = SLIP_PHOTOS.c


@dataclass(frozen=True, slots=True)
class SlipPhoto:
    """A slip that was read: `seen` is JSON, the reading of each row; `taken` counts."""

    taken: int
    code: str
    seen: list[Any]


class SqlSlipPhotos:
    """The stored photos; each call is one transaction. All raise StoreError.

    They are deleted with their event.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, event: str, code: str, at: datetime, jpeg: bytes, seen: list[Any]) -> None:
        """Store a waiting slip, replacing a waiting one of the same code."""
        texts = {"code": code, "taken_at": at, "seen": json.dumps(seen)}
        waited = (_PHOTOS.tournament_id == event, _PHOTOS.code == code, _PHOTOS.kept == 0)
        row = {"tournament_id": event, "jpeg": jpeg, "kept": 0, **texts}
        self._database.write(delete(SLIP_PHOTOS).where(*waited), insert(SLIP_PHOTOS).values(row))

    def waiting(self, event: str) -> tuple[SlipPhoto, ...]:
        """The slips whose result was not entered yet, in order of arrival."""
        columns = (_PHOTOS.taken, _PHOTOS.code, _PHOTOS.seen)
        this = (_PHOTOS.tournament_id == event, _PHOTOS.kept == 0)
        rows = self._database.rows(select(*columns).where(*this).order_by(_PHOTOS.taken))
        return tuple(SlipPhoto(taken, code, json.loads(seen)) for taken, code, seen in rows)

    def kept(self, event: str, codes: Collection[str]) -> tuple[int, ...]:
        """The photos of slips with these codes whose result was entered, in order of arrival."""
        these = (_PHOTOS.tournament_id == event, _PHOTOS.kept == 1, _PHOTOS.code.in_(codes))
        query = select(_PHOTOS.taken).where(*these).order_by(_PHOTOS.taken)
        return tuple(taken for (taken,) in self._database.rows(query))

    def jpeg(self, event: str, taken: int) -> bytes | None:
        """The photo of a slip of this event; None if there is none."""
        this = (_PHOTOS.tournament_id == event, _PHOTOS.taken == taken)
        return self._database.value(select(_PHOTOS.jpeg).where(*this))

    def keep(self, event: str, taken: int) -> None:
        """Keep a photo with its entered result."""
        this = (_PHOTOS.tournament_id == event, _PHOTOS.taken == taken)
        self._database.write(update(SLIP_PHOTOS).where(*this).values(kept=1))

    def discard(self, event: str, taken: int) -> None:
        """Delete a waiting photo."""
        this = (_PHOTOS.tournament_id == event, _PHOTOS.taken == taken, _PHOTOS.kept == 0)
        self._database.write(delete(SLIP_PHOTOS).where(*this))
