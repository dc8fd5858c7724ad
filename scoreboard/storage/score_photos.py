"""The photo of each confirmed step of a game, in the table's database."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, func, insert, select

from scoreboard.storage.database import Database
from scoreboard.storage.schema import GAMES_TABLE, SCORE_PHOTOS_TABLE

MOST_PHOTO_BYTES: Final = 60_000
_GAMES, _PHOTOS = GAMES_TABLE.c, SCORE_PHOTOS_TABLE.c


@dataclass(frozen=True, slots=True)
class ScorePhoto:
    """The frame behind the events of a step, as it was confirmed.

    `taken_at` is aware UTC; `jpeg` has at most MOST_PHOTO_BYTES; `seen` is JSON: first the `seat`
    in turn, with whose player the photo is deleted, then the reading.
    """

    game_id: str
    step: int
    taken_at: datetime
    jpeg: bytes
    seen: dict[str, Any]


class SqlScorePhotos:
    """The stored photos; each call is one transaction. All raise StoreError.

    They are deleted with their game: one in the bin still has its photos.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, photo: ScorePhoto) -> None:
        """Store a photo, unless its game was deleted meanwhile."""
        game = select(_GAMES.opened).where(_GAMES.game_id == photo.game_id)
        with self._database.writing() as connection:
            if connection.execute(game).scalar_one_or_none() is not None:
                connection.execute(insert(SCORE_PHOTOS_TABLE).values(photo_row(photo)))

    def steps(self, game_id: str) -> frozenset[int]:
        """The steps of the game that have a photo."""
        query = select(_PHOTOS.step).where(_PHOTOS.game_id == game_id)
        return frozenset(step for (step,) in self._database.rows(query))

    def newest(self, ids: Collection[str]) -> dict[str, int]:
        """The last step with a photo of each of these games that has any."""
        query = select(_PHOTOS.game_id, func.max(_PHOTOS.step)).where(_PHOTOS.game_id.in_(ids))
        return dict(map(tuple, self._database.rows(query.group_by(_PHOTOS.game_id))))

    def read(self, game_id: str) -> frozenset[int]:
        """The steps of which the camera's reading was confirmed, not a roll that was typed."""
        query = select(_PHOTOS.step, _PHOTOS.seen).where(_PHOTOS.game_id == game_id)
        rows = self._database.rows(query)
        return frozenset(step for step, seen in rows if not json.loads(seen).get("entered"))

    def of_game(self, game_id: str, step: int | None = None) -> tuple[ScorePhoto, ...]:
        """All photos of the game in the order of its steps, or that of one `step`."""
        query = select(SCORE_PHOTOS_TABLE).where(_PHOTOS.game_id == game_id).order_by(_PHOTOS.step)
        if step is not None:
            query = query.where(_PHOTOS.step == step)
        return tuple(
            ScorePhoto(game, number, datetime.fromisoformat(at), jpeg, json.loads(seen))
            for game, number, at, jpeg, seen in self._database.rows(query)
        )

    def keep_newest(self, games: int) -> None:
        """Delete the photos of all but the newest `games` that have any."""
        pictured = _GAMES.game_id.in_(select(_PHOTOS.game_id))
        newest = select(_GAMES.game_id).where(pictured).order_by(_GAMES.opened.desc()).limit(games)
        with self._database.writing() as connection:
            kept = connection.execute(newest).scalars().all()
            connection.execute(delete(SCORE_PHOTOS_TABLE).where(_PHOTOS.game_id.not_in(kept)))


def photo_row(photo: ScorePhoto) -> dict[str, Any]:
    """A photo as a row of `score_photos`."""
    return asdict(photo) | {"taken_at": photo.taken_at.isoformat(), "seen": json.dumps(photo.seen)}
