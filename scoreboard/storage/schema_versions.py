"""Brings a database to this version's tables: an empty one, or one of an older Tablescore."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection

from scoreboard.errors import SchemaError
from scoreboard.message import message
from scoreboard.storage.dialect import Dialect

if TYPE_CHECKING:
    from alembic.runtime.migration import MigrationContext, MigrationStep

VERSION: Final = 18  # the number of the last step in migrations/versions
FIRST_VERSION: Final = 1  # the first one released
VERSION_TABLE: Final = "tablescore_version"  # Alembic's mark; a name of ours, not its usual one
MIGRATIONS: Final = Path(__file__).with_name("migrations")


def prepare(connection: Connection, dialect: Dialect) -> None:
    """Make or update the tables, or do nothing if they are of this version.

    All or nothing, in the transaction of `connection`.

    Raises:
        SchemaError: another program or a newer Tablescore wrote the database.
        StoreError: there is no room for the copy of an older one.
    """
    dialect.claim(connection)
    stored = dialect.stored_version(connection, VERSION_TABLE)
    if stored == VERSION:
        return
    if stored is not None and not FIRST_VERSION <= stored < VERSION:
        raise _other_version(dialect, stored)
    if stored is not None:
        dialect.keep_before_migration(stored)
    _migrate(connection, stored)
    dialect.mark_version(connection, VERSION)


def _migrate(connection: Connection, stored: int | None) -> None:
    """Take the steps above `stored`. Alembic is loaded here: most starts need none of it."""
    from alembic.operations import Operations  # noqa: PLC0415 -- see above
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    scripts = ScriptDirectory(MIGRATIONS)

    def steps(heads: Any, _context: MigrationContext) -> list[MigrationStep]:
        from alembic.runtime.migration import MigrationStep  # noqa: PLC0415 -- see `_migrate`

        newest_first = list(scripts.iterate_revisions(_revision(VERSION), heads or "base"))
        return [
            MigrationStep.upgrade_from_script(scripts.revision_map, script)
            for script in reversed(newest_first)
        ]

    context = MigrationContext.configure(
        connection, opts={"fn": steps, "version_table": VERSION_TABLE}
    )
    if stored is not None and not context.get_current_heads():
        context.stamp(scripts, _revision(stored))  # made before there were migrations
    with Operations.context(context):
        context.run_migrations()


def _revision(version: int) -> str:
    return f"{version:04}"


def _other_version(dialect: Dialect, version: int) -> SchemaError:
    gaps: dict[str, str | float] = {"name": dialect.name, "stored": version, "known": VERSION}
    if version < VERSION:
        return SchemaError(
            message(
                "{name} was written by an older Tablescore (schema {stored}, this one writes "
                "{known}); export its games with that version, then name another file.",
                **gaps,
            )
        )
    command = dialect.way_back(VERSION)
    if command is None:
        return SchemaError(
            message(
                "{name} was written by a newer Tablescore (schema {stored}, this one knows "
                "{known}); update Tablescore, or name another file.",
                **gaps,
            )
        )
    return SchemaError(
        message(
            "{name} was written by a newer Tablescore (schema {stored}, this one knows {known}); "
            "update Tablescore, or go back to its copy from before: {command}",
            **gaps,
            command=command,
        )
    )
