"""`tablescore diagnose`: everything that a bug report needs, in one zip.

A part that fails leaves the others: the zip has the reason.
"""

from __future__ import annotations

import io
import json
import os
import platform
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import click

from scoreboard.errors import StoreError
from scoreboard.storage import database_path, holds_games, open_store
from web.cli.games import named_databases
from web.cli.options import Refusal, camera_option, games_options
from web.shared.plan import chosen_settings, settings_without_secrets
from web.shared.settings import Settings
from web.table.diagnostics import OWNER_ONLY, NotRunningError, RunningNote, RunningReport

EVENTS: Final = 100
LOG_BYTES: Final = 512 * 1024
MODEL: Final = Path("/proc/device-tree/model")  # of a Raspberry Pi
PACKAGES: Final = (
    "opencv-python-headless",
    "numpy",
    "onnxruntime",
    "flask",
    "waitress",
    "gpiozero",
    "lgpio",
    "picamera2",
    "sqlalchemy",
)
HEAD: Final = """\
What `tablescore diagnose` found on {at:%Y-%m-%d at %H:%M} UTC, for a bug report.

Look through it before you share it: frame.jpg is a photo of your table and of whatever else the
camera sees; events.jsonl, running.json and log.txt may name your players and your folders. Codes,
keys and passwords are in none of them.

"""


@dataclass(frozen=True, slots=True)
class Found:
    """One file of the zip, or the reason it is missing."""

    name: str
    about: str
    content: bytes | None
    missing: str = ""

    def __str__(self) -> str:
        if self.content is None:
            return f"{self.name}: not here. {self.missing}"
        return f"{self.name}: {self.about}"


@click.command(epilog="Example: tablescore diagnose table.zip")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@camera_option
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The log file that run was given; a running table gives its newest lines without one.",
)
@games_options
def diagnose(
    file: Path,
    camera: str | None,
    log_file: Path | None,
    database: str | None,
    settings_file: Path | None,
) -> None:
    """Write versions, settings, log, picture and the last events into the new zip FILE.

    It works with a running table, which is asked, and without one. Nothing is sent anywhere.
    """
    settings = chosen_settings(settings_file, camera=camera)
    exists = Refusal(f"{file} is there already: name a new file.")
    if file.exists():
        raise exists
    found = tuple(_found(settings, database, log_file))
    contents = HEAD.format(at=datetime.now(UTC)) + "".join(f"{each}\n" for each in found)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", contents)
        for each in found:
            if each.content is not None:
                archive.writestr(each.name, each.content)
    try:
        with open(file, "xb", opener=partial(os.open, mode=OWNER_ONLY)) as written:
            written.write(packed.getvalue())
    except FileExistsError as error:
        raise exists from error
    for each in found:
        click.echo(str(each))
    click.echo(
        f"Written to {file}. Look at frame.jpg, a photo of your table, and at the names in "
        "events.jsonl and log.txt before you share it."
    )


def _found(settings: Settings, database: str | None, log_file: Path | None) -> Iterator[Found]:
    databases = named_databases(database or settings.table.database, None)
    url, report, reason = _running(databases)
    yield _tried("versions.txt", "Tablescore, Python, libraries and machine", _versions)
    if report is None:
        yield _tried(
            "settings.json", "the settings", lambda: _json(settings_without_secrets(settings))
        )
        yield from _tried_parts(settings, reason)
        yield _log_of_file(log_file, reason)
    else:
        document = dict(report.document)
        lines = document.pop("log", [])
        running = _json(document.pop("settings", {}))
        yield Found("settings.json", "the settings of the running table", running)
        yield Found("running.json", "camera, pins and game of the running table", _json(document))
        yield _frame(report.picture, "The running table's camera has given no picture yet.")
        text = "".join(f"{line}\n" for line in lines).encode()
        yield Found("log.txt", "the newest lines of the running table's log", text)
        if log_file is not None:
            yield _log_of_file(log_file, reason, "log-file.txt")

    def events() -> bytes:
        for each in filter(holds_games, databases if url is None else (url,)):
            with closing(open_store(each)) as store:
                for newest in store.games(0, 1):
                    header, *rows = store.raw(newest.game_id).splitlines(keepends=True)
                    text = "".join((header, *rows[-EVENTS:]))
                    return text.encode("utf-8", "backslashreplace")
        raise LookupError("No game is stored.")

    about = f"the newest game as the database has it, with its last {EVENTS} events"
    yield _tried("events.jsonl", about, events)


def _running(databases: tuple[str, ...]) -> tuple[str | None, RunningReport | None, str]:
    """The database whose table runs, and its report; else why there is none."""
    reason = "No table runs with this database."
    for url in databases:
        try:
            path = database_path(url)
            if path is None:
                reason = "Only a table whose games are in a file can be asked while it runs."
                continue
            return url, RunningNote(path).ask(), ""
        except (NotRunningError, StoreError) as error:
            reason = str(error)
    return None, None, reason


def _tried_parts(settings: Settings, reason: str) -> Iterator[Found]:
    """Camera and pins, tried as `check` does, where no table runs."""
    pictures: list[bytes] = []

    def parts() -> bytes:
        from web.cli.part_trials import glance_at_parts  # noqa: PLC0415 -- OpenCV may be what fails

        lines = [str(trial) for trial in glance_at_parts(settings, pictures.append)]
        return "".join(f"{line}\n" for line in (f"{reason} So they were tried:", *lines)).encode()

    yield _tried("parts.txt", "camera and pins", parts)
    yield _frame(pictures[-1] if pictures else None, f"{reason} And no camera gave a picture.")


def _frame(picture: bytes | None, missing: str) -> Found:
    return Found("frame.jpg", "what the camera saw last", picture, missing)


def _log_of_file(file: Path | None, reason: str, name: str = "log.txt") -> Found:
    if file is None:
        cure = "Name the file of --log-file, or run diagnose while the table runs."
        return Found(name, "", None, f"{reason} {cure}")

    def end() -> bytes:
        with file.open("rb") as log:
            log.seek(max(0, file.stat().st_size - LOG_BYTES))
            return log.read()

    return _tried(name, f"the end of {file}", end)


def _versions() -> bytes:
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        system = "unknown"
    lines = [
        ("tablescore", version("tablescore")),
        ("python", sys.version.replace("\n", " ")),
        *((name, _version(name)) for name in PACKAGES),
        ("sqlite", sqlite3.sqlite_version),
        ("system", system),
        ("kernel", f"{platform.system()} {platform.release()}"),
        ("machine", f"{platform.machine()}, {os.cpu_count()} processors"),
    ]
    if MODEL.exists():
        lines.append(("model", MODEL.read_text(errors="replace").strip("\0\n")))
    return "".join(f"{name:24}{value}\n" for name, value in lines).encode()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _tried(name: str, about: str, make: Callable[[], bytes]) -> Found:
    """A part of the zip; any failure is replaced by its reason, and the others are made."""
    try:
        return Found(name, about, make())
    except Exception as error:  # noqa: BLE001 -- a diagnosis of what is broken must not break
        return Found(name, about, None, str(error) or type(error).__name__)
