"""The photo of each confirmed step of a game, in the table's database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, insert, select

from scoreboard.storage.database import Database
from scoreboard.storage.schema import GAMES_TABLE, SCORE_PHOTOS_TABLE

MOST_PHOTO_BYTES: Final = 60_000


@dataclass(frozen=True, slots=True)
class PhotoPiece:
    """A die, tile or card on a photo.

    `value` is what was confirmed, empty where a person said that nothing lies there; `read` what
    the camera read, `?` where it could not and empty for a piece that a person added. `confidence`
    is the camera's, 0 to 1; `corners` are in pixels of the photo, none for an added piece.
    """

    value: str
    read: str
    confidence: float
    corners: tuple[tuple[float, float], ...] = ()

    @property
    def corrected(self) -> bool:
        """Whether a person said something else than the camera."""
        return self.value != self.read


@dataclass(frozen=True, slots=True)
class ScorePhoto:
    """The frame behind the events of a step, as it was confirmed.

    `taken_at` is aware UTC; `jpeg` is of `width` x `height` pixels and at most MOST_PHOTO_BYTES
    long. `entered` is the roll that a person typed instead of all that was read, else empty.
    """

    game_id: str
    step: int
    taken_at: datetime
    jpeg: bytes
    width: int
    height: int
    pieces: tuple[PhotoPiece, ...]
    entered: str = ""

    @property
    def seen(self) -> dict[str, Any]:
        """What is known beside the picture, as JSON values."""
        return {
            "width": self.width,
            "height": self.height,
            "entered": self.entered,
            "pieces": [asdict(piece) for piece in self.pieces],
        }


class SqlScorePhotos:
    """The stored photos; each call is one transaction. All raise StoreError.

    They are deleted with their game: one in the bin still has its photos.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, photo: ScorePhoto) -> None:
        """Keep a photo; nothing where its game was deleted meanwhile."""
        table = GAMES_TABLE.c
        with self._database.writing() as connection:
            game = select(table.opened).where(table.game_id == photo.game_id)
            if connection.execute(game).scalar_one_or_none() is not None:
                connection.execute(insert(SCORE_PHOTOS_TABLE).values(photo_row(photo)))

    def steps(self, game_id: str) -> frozenset[int]:
        """The steps of the game that have a photo."""
        table = SCORE_PHOTOS_TABLE.c
        with self._database.glancing() as connection:
            query = select(table.step).where(table.game_id == game_id)
            return frozenset(connection.execute(query).scalars())

    def photo(self, game_id: str, step: int) -> ScorePhoto | None:
        """The photo of this step, None where there is none."""
        found = self._read(game_id, SCORE_PHOTOS_TABLE.c.step == step)
        return found[0] if found else None

    def of_game(self, game_id: str) -> tuple[ScorePhoto, ...]:
        """All photos of the game, in the order of its steps."""
        return self._read(game_id)

    def keep_newest(self, games: int) -> None:
        """Delete the photos of all but the newest `games` that have any."""
        table, photos = GAMES_TABLE.c, SCORE_PHOTOS_TABLE.c
        newest = (
            select(table.game_id)
            .where(table.game_id.in_(select(photos.game_id)))
            .order_by(table.opened.desc())
            .limit(games)
        )
        with self._database.writing() as connection:
            kept = connection.execute(newest).scalars().all()
            connection.execute(delete(SCORE_PHOTOS_TABLE).where(photos.game_id.not_in(kept)))

    def _read(self, game_id: str, *conditions: Any) -> tuple[ScorePhoto, ...]:
        table = SCORE_PHOTOS_TABLE.c
        query = (
            select(SCORE_PHOTOS_TABLE)
            .where(table.game_id == game_id, *conditions)
            .order_by(table.step)
        )
        with self._database.glancing() as connection:
            return tuple(map(read_photo, connection.execute(query).mappings()))


def photo_row(photo: ScorePhoto) -> dict[str, Any]:
    """A photo as a row of `score_photos`."""
    return {
        "game_id": photo.game_id,
        "step": photo.step,
        "taken_at": photo.taken_at.isoformat(),
        "jpeg": photo.jpeg,
        "seen": json.dumps(photo.seen),
    }


def read_photo(row: Any) -> ScorePhoto:
    """A row of `score_photos` as a photo. Raises one of `DAMAGE` for what no Tablescore wrote."""
    seen = json.loads(row["seen"])
    return ScorePhoto(
        game_id=row["game_id"],
        step=row["step"],
        taken_at=datetime.fromisoformat(row["taken_at"]),
        jpeg=row["jpeg"],
        width=seen["width"],
        height=seen["height"],
        pieces=tuple(map(_piece, seen["pieces"])),
        entered=seen["entered"],
    )


def _piece(document: Any) -> PhotoPiece:
    corners: Sequence[Sequence[float]] = document["corners"]
    return PhotoPiece(
        document["value"],
        document["read"],
        document["confidence"],
        tuple((x, y) for x, y in corners),
    )
