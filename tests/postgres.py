"""A PostgreSQL server for the tests: created in a temporary folder, removed at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg

USER = "tablescore"
SHARED = "shared"
STARTING_SECONDS = 60
STOPPING_SECONDS = 30


def find_programs() -> Path | None:
    """The folder of `initdb` and `postgres`: on the path or where Debian puts them."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    candidates = [Path(found).resolve().parent] if found else []
    for folder in (*candidates, *folders):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


class Cluster:
    """A server that listens only on a socket in its own folder."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._as_user = _unprivileged()
        self._server: subprocess.Popen[bytes] | None = None
        self._names = count(1)

    def make(self) -> None:
        """Create the cluster's files, owned by the server's user."""
        if self._as_user:
            owner = pwd.getpwnam(self._as_user["user"])
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
        options = [
            "--auth=trust",
            f"--username={USER}",
            "--encoding=UTF8",
            "--no-locale",
            "--no-sync",
        ]
        subprocess.run(
            [self._programs / "initdb", f"--pgdata={self._folder / 'data'}", *options],
            check=True,
            capture_output=True,
            cwd=self._folder,
            **self._as_user,
        )

    def start(self) -> None:
        """Start the server if it does not run, and wait until it answers."""
        if self._server is not None:
            return
        settings = ["listen_addresses=", f"unix_socket_directories={self._folder}", "fsync=on"]
        arguments = [part for setting in settings for part in ("-c", setting)]
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [self._programs / "postgres", "-D", str(self._folder / "data"), *arguments],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **self._as_user,
            )
        self._wait_for_answer()

    @property
    def pid(self) -> int:
        """The id of the server's first process. Raises RuntimeError if none runs."""
        if self._server is None:
            raise RuntimeError("the server does not run")
        return self._server.pid

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server. SIGINT breaks its connections, SIGQUIT is a crash."""
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(STOPPING_SECONDS)
            self._server = None

    def new_address(self) -> str:
        """The address of a new and empty schema, which a store uses like a database.

        A database for every test would cost a second of disk time each.
        """
        schema = f"test_{next(self._names)}"
        with self.connect() as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
        return self._address_of(schema)

    def emptied_address(self) -> str:
        """The address of the tables of earlier tests, emptied.

        Creating the tables for every test would cost half a second of disk time each.
        """
        with self.connect() as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SHARED}")
        with self.connect(self._address_of(SHARED)) as connection, connection.transaction():
            tables = connection.execute(
                "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = %s"
                " AND tablename NOT IN ('tablescore_version', 'news_count')",
                [SHARED],
            ).fetchall()
            if tables:
                connection.execute("SET LOCAL session_replication_role = replica")  # in any order
                for (table,) in tables:
                    connection.execute(f"DELETE FROM {table}")  # noqa: S608 -- the server's word
                connection.execute("UPDATE news_count SET sequence = 0")
        return self._address_of(SHARED)

    def _address_of(self, schema: str) -> str:
        return f"{self.address('postgres')}&options=-csearch_path%3D{schema}"

    def address(self, database: str) -> str:
        """The address of a database as stores take it."""
        return f"postgresql+psycopg://{USER}:hush@/{database}?host={self._folder}"

    def connect(self, url: str = "") -> psycopg.Connection[Any]:
        """A separate connection to the address; it commits each statement."""
        schema = url.partition("search_path%3D")[2] or "public"
        return psycopg.connect(
            host=str(self._folder),
            user=USER,
            dbname="postgres",
            options=f"-csearch_path={schema}",
            autocommit=True,
            connect_timeout=5,
        )

    def _wait_for_answer(self) -> None:
        end = monotonic() + STARTING_SECONDS
        while True:
            try:
                self.connect().close()
            except psycopg.OperationalError:
                if monotonic() > end:
                    raise
                sleep(0.05)
            else:
                return


@contextmanager
def running_cluster(programs: Path) -> Iterator[Cluster]:
    """A running cluster; its folder is removed with it. A socket's path has 107 bytes at most."""
    folder = Path(tempfile.mkdtemp(prefix="tablescore-pg-"))
    cluster = Cluster(programs, folder)
    try:
        cluster.make()
        cluster.start()
        yield cluster
    finally:
        cluster.stop(signal.SIGQUIT)  # no clean shutdown: the folder is deleted
        shutil.rmtree(folder)


def _unprivileged() -> dict[str, Any]:
    """The user to run the server as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name for entry in pwd.getpwall()}
    name = "postgres" if "postgres" in known else "nobody"
    return {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}
