"""The camera's settings: from the settings file, or from the page, which stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from hardware.camera import public_name
from scoreboard.message import Message, message
from web.shared.plan import Plan
from web.shared.settings import CameraSettings, SettingsError, read_settings, write_chosen

NOT_STORED: Final = message(
    "The camera’s settings could not be stored: is the disk full or read-only?"
)


class CameraSetup:
    """The settings of the table's camera; thread-safe.

    `file` stores changes by the page, None to store nothing. What the settings file names, the
    `named`, no page overrides. Raises SettingsError if the file is damaged.
    """

    def __init__(self, settings: CameraSettings, file: Path | None) -> None:
        self.file: Final = file
        self.source: Final = public_name(settings.source)
        usual = asdict(CameraSettings(source=settings.source))
        self.named: Final = dict(asdict(settings).items() - usual.items())
        kept = CameraSettings() if file is None else _kept(file, self.source)
        self._now = replace(kept, source=self.source, **self.named)

    def controls(self) -> CameraSettings:
        return self._now

    def set(self, values: Mapping[str, Any]) -> Message | None:
        """Use these fields of CameraControls from the next picture on, and store them.

        Gives the reason they are not stored, if so: then they are used until the table ends. Raises
        SettingsError if one of them is invalid.
        """
        self._now = replace(self._now, **{**values, **self.named})
        if self.file is None:
            return None
        kept = {name: value for name, value in asdict(self._now).items() if name not in self.named}
        try:
            write_chosen(self.file, camera=kept)
        except OSError:
            return NOT_STORED
        return None


def _kept(file: Path, source: str) -> CameraSettings:
    """The page's stored settings of this camera; the defaults if they are another's."""
    if not file.exists():
        return CameraSettings()
    try:
        kept = read_settings(file).camera
    except SettingsError as error:
        raise SettingsError(f"{error} Delete it, and set the camera on its page again.") from error
    return kept if kept.source == source else CameraSettings()


def open_camera_setup(plan: Plan) -> CameraSetup:
    """The settings of the plan's camera; the page's part is stored next to its database."""
    return CameraSetup(plan.settings.camera, plan.file(".camera.toml"))
