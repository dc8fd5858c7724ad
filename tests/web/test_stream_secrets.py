"""The password in a stream's address stays with the camera."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.hardware.cameras.mjpeg_server import PASSWORD, USER, mjpeg_server
from tests.patience import PATIENCE_SECONDS, until
from tests.web.cli.calling import call
from tests.web.process import running
from web.table.diagnostics import RunningNote

AREA = [
    ("photo", "1"),
    ("kind", "area"),
    *(("x", x) for x in ("10", "90", "90", "10")),
    *(("y", y) for y in ("10", "10", "90", "90")),
]


def said(*arguments: str) -> str:
    """What a command says; what its libraries print goes past it."""
    return call(*arguments).output


def test_no_page_log_file_or_command_shows_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """While it plays or is lost, in a diagnosis, and in all that is kept beside the games."""
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    log, settings, zipped = (tmp_path / name for name in ("log.txt", "table.toml", "table.zip"))
    with mjpeg_server() as server:
        settings.write_text(
            f'[camera]\nsource = "stream:{server.address}"\n[table]\ndatabase = "{database}"\n'
        )
        options = "-vv", "--log-file", str(log), "--settings", str(settings)
        with running(*options) as table:
            note = RunningNote(tmp_path / "games.sqlite3")
            until(lambda: note.ask().picture)
            page = table.ask("/calibrate").body
            assert table.ask("/calibrate", AREA).status == 303
            shown = [page, *(table.ask(path).body for path in ("/", "/about"))]
            server.close()
            until(lambda: "sends no picture" in table.ask("/").body)
            shown += [
                table.ask("/").body,
                said("diagnose", str(zipped), "--settings", str(settings)),
            ]
            shown += [said(name, "--settings", str(settings)) for name in ("games", "cameras")]
            table.process.terminate()
            shown += [table.printed, *table.process.communicate(timeout=PATIENCE_SECONDS)]
        shown += [
            said("check", "--settings", str(settings)),
            said("calibrate", "--automatic", "--settings", str(settings)),
            *capfd.readouterr(),
        ]
    with zipfile.ZipFile(zipped) as archive:
        shown += [archive.read(name).decode(errors="replace") for name in archive.namelist()]
    settings.unlink()
    shown += [
        each.read_bytes().decode(errors="replace") for each in tmp_path.iterdir() if each.is_file()
    ]
    assert any(f"stream:http://127.0.0.1:{server.port}/video" in text for text in shown)
    assert not [text for text in shown if PASSWORD in text or f"{USER}:" in text]
