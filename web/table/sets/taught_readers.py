"""The readers that commands and the table ask for by name, and teaching sets.

OpenCV is loaded only once a set is taught or read, as in the wiring.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_data_path

from web.shared.clocks import utc_now

if TYPE_CHECKING:
    from vision.learn.school import School
    from vision.read.observation import Recogniser
    from vision.read.tile_views import Edition
    from web.table.camera.uploads import PictureTurns
    from web.table.sets.training_jobs import TrainingJobs


def default_sets_folder() -> Path:
    """The folder of taught sets: next to the games in the user's data folder."""
    return user_data_path("tablescore") / "sets"


def open_school(folder: Path | None) -> School:
    """What teaches sets and keeps them in that folder, or else in the user's data folder."""
    from vision.capture.photo import open_photo
    from vision.learn.school import School
    from vision.learn.taught_sets import TaughtSets

    return School(TaughtSets(folder or default_sets_folder()), open_photo, utc_now)


def open_taught(name: str, folder: Path | None = None) -> Recogniser:
    """Load the reader of a taught set; one with the faces of tiles is read as tiles.

    Raises TaughtSetError, WeightsError.
    """
    from vision.learn.playing_sets import reader_of

    return reader_of(open_school(folder).sets.load(name))


def open_recogniser(
    pieces: str, threads: int | None = None, edition: Edition | None = None
) -> Recogniser:
    """Load the reader of those pieces: dice, tiles of an edition, or `taught:NAME`.

    `threads` is how many processor threads it may use, OpenCV's included; by default its networks
    run on one, and OpenCV on as many as there are. Raises WeightsError, TaughtSetError.
    """
    from vision.read.networks import load_model, share_work
    from vision.read.readers import RECOGNISERS

    kind, _, name = pieces.partition(":")
    if threads is not None:
        share_work(threads)
    if kind == "taught":
        return open_taught(name)
    model = load_model(kind, threads=threads or 1)
    return RECOGNISERS[kind](model, **({} if edition is None else {"edition": edition}))


def open_table_reader(name: str) -> Recogniser:
    """The reader that a table asks for; cards, and tiles of one's own, are read as taught.

    Raises KeyError, WeightsError.
    """
    from vision.learn.playing_sets import open_cards, open_own, open_tiles
    from vision.read.readers import open_reader

    sets = open_school(None).sets
    if name == "cards":
        return open_cards(sets)
    if name == "own":
        return open_own(sets)
    if name in {"tiles", "tiles-xp"}:
        return open_tiles(sets, open_reader(name), xp=name == "tiles-xp")
    return open_reader(name)


def open_training_jobs(taught: Callable[[], None], turns: PictureTurns) -> TrainingJobs:
    """What teaches sets on the page; `taught` is called after each change of the sets.

    Each photograph takes one of the `turns` to be opened, as the table's own photos do.
    """
    from web.table.sets.lessons import LessonStore
    from web.table.sets.training_jobs import TrainingJobs

    lessons = LessonStore(user_data_path("tablescore") / "lessons")
    return TrainingJobs(
        lambda: replace(open_school(None), turn=turns.turn), lessons, turns, taught=taught
    )
