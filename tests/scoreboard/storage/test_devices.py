"""What is stored of the devices of a table, in both kinds of database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from scoreboard.errors import StoreError
from scoreboard.storage import SqlStore, open_store
from scoreboard.storage.devices import Device, hashed_secret

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
PHONE = Device("d1", "Ben’s phone", "player", hashed_secret("one"), NOON)
LINK = Device("d2", "For the cousins", "watcher", hashed_secret("two"), NOON + timedelta(seconds=1))


@pytest.fixture
def store(database: str) -> Iterator[SqlStore]:
    """An empty database of each kind."""
    with closing(open_store(database)) as opened:
        assert isinstance(opened, SqlStore)
        yield opened


def test_devices_come_back_as_they_were_kept(store: SqlStore) -> None:
    """In the order in which they came, times and all."""
    store.devices.add(LINK)
    store.devices.add(PHONE)
    assert store.devices.all() == (PHONE, LINK)


def test_changes_are_kept_together(store: SqlStore) -> None:
    """Renamed, used and removed; a device that is not stored makes no row."""
    store.devices.add(PHONE)
    later = NOON + timedelta(days=3)
    changed = replace(PHONE, name="Mum’s", role="owner", used_at=later, revoked_at=later)
    store.devices.change((changed, LINK))
    assert store.devices.all() == (changed,)


def test_a_secret_opens_one_device(store: SqlStore) -> None:
    """The database itself refuses a second device with the same secret."""
    store.devices.add(PHONE)
    with pytest.raises(StoreError):
        store.devices.add(replace(LINK, secret_sha256=PHONE.secret_sha256))


def test_a_role_of_another_version_may_do_the_least(store: SqlStore) -> None:
    """What is not understood gives no right."""
    store.devices.add(PHONE)
    with store._database.writing() as connection:
        connection.execute(text("UPDATE devices SET role = 'emperor'"))
    assert [device.role for device in store.devices.all()] == ["watcher"]
