"""The devices that a table knows, and their rights, in the table's database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal, get_args

from sqlalchemy import insert, select, update

from scoreboard.storage.database import Database
from scoreboard.storage.schema import DEVICES_TABLE

DeviceRole = Literal["watcher", "player", "owner"]
DEVICE_ROLES: Final[tuple[DeviceRole, ...]] = get_args(DeviceRole)


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that was let in; as a watcher any that opens the page by its link.

    `secret_sha256` is the hash of its proof. Times are aware UTC; `revoked_at` is when it was
    removed, for good. A removed one is kept: events may name it.
    """

    device_id: str
    name: str
    role: DeviceRole
    secret_sha256: str
    created_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None


def hashed_secret(secret: str) -> str:
    """The stored hash of a secret of 128 random bits, too many to be guessed."""
    return sha256(secret.encode()).hexdigest()


class SqlDevices:
    """The stored devices; each call is one transaction. All raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[Device, ...]:
        """Every device, removed ones too, in the order of their arrival."""
        rows = DEVICES_TABLE.c
        query = select(DEVICES_TABLE).order_by(rows.created_at, rows.device_id)
        return tuple(_read(row._asdict()) for row in self._database.rows(query))

    def add(self, device: Device) -> None:
        self._database.write(insert(DEVICES_TABLE).values(_row(device)))

    def change(self, devices: Sequence[Device]) -> None:
        """Store these devices, all or none; unknown ones are skipped."""
        with self._database.writing() as connection:
            for device in devices:
                known = DEVICES_TABLE.c.device_id == device.device_id
                connection.execute(update(DEVICES_TABLE).where(known).values(_row(device)))


def _row(device: Device) -> dict[str, str | None]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in asdict(device).items()
    }


def _read(row: Any) -> Device:
    """A row as a device; an unknown role gets the fewest rights."""
    times = {
        name: text and datetime.fromisoformat(text)
        for name, text in row.items()
        if name.endswith("_at")
    }
    role = row["role"] if row["role"] in DEVICE_ROLES else "watcher"
    return Device(**{**row, **times, "role": role})
