"""The composition root: the only file that meets eyes, hands and memory.

OpenCV, onnxruntime, the database and the pins are loaded where they are first needed: the
table's page stands while the reader is still loading, and most commands need none of them.
"""
# ruff: noqa: PLC0415 -- see above: seconds on a Raspberry Pi

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platformdirs import user_data_path

from web.archive import Archive
from web.settings import Settings, read_settings

if TYPE_CHECKING:
    from vision.evaluation import SourceScore
    from vision.frame import Image
    from vision.observation import Observation
    from vision.recogniser import Recogniser

GAMES_FILE: Final = "games.sqlite3"
DEMO_FILE: Final = "demo.sqlite3"


@dataclass(frozen=True, slots=True)
class Eyes:
    """What reads photographs: files to pictures, pictures to observations, and drawings."""

    open_photo: Callable[[str | Path], Image]
    recognise: Recogniser
    drawing_path: Callable[[Path, Path, Collection[Path]], Path]
    draw: Callable[[Path, Image, Observation], None]


def open_eyes(pieces: str) -> Eyes:
    """Load the reader of those pieces.

    Raises:
        WeightsError: its model cannot be loaded.
    """
    from vision.drawing import draw_observation, drawing_path, write_drawing
    from vision.photo import open_photo
    from vision.recognisers import RECOGNISERS

    def draw(path: Path, image: Image, observation: Observation) -> None:
        write_drawing(path, draw_observation(image, observation))

    return Eyes(open_photo, RECOGNISERS[pieces](), drawing_path, draw)


def evaluate_photographs(folder: Path, pieces: str, split: str | None) -> tuple[SourceScore, ...]:
    """Score the reader of those pieces on labelled photographs.

    Raises:
        LabelError: the folder is not in the format of the data.
        PhotoError: a photograph cannot be read.
        WeightsError: the reader's model cannot be loaded.
    """
    from vision.evaluation import evaluate

    eyes = open_eyes(pieces)
    return evaluate(folder, split, eyes.recognise, eyes.open_photo)


def chosen_settings(file: Path | None) -> Settings:
    """The settings of that file, the defaults without one. Raises SettingsError."""
    return Settings() if file is None else read_settings(file)


def default_database(file: str) -> str:
    """The address of a database in the user's data folder."""
    return f"sqlite:///{user_data_path('tablescore') / file}"


def open_archives(database: str | None, settings_file: Path | None) -> tuple[Archive, ...]:
    """The stored games: of the database that is named, else one's own and then the demo's.

    A database that does not exist holds no games, and is not made.

    Raises:
        SettingsError: the settings cannot be used.
        StoreError: a database cannot be read.
    """
    from scoreboard.store import database_path, open_store

    named = database or chosen_settings(settings_file).table.database
    urls = [named] if named else [default_database(GAMES_FILE), default_database(DEMO_FILE)]
    paths = {url: database_path(url) for url in urls}
    return tuple(
        Archive(open_store(url))
        for url, path in paths.items()
        if path is not None and path.exists()
    )
