"""The taught deck that ships beside the demo's pictures of Tong Tong, and reads them.

As in the wiring, cameras and OpenCV are loaded only once a reader is opened.
"""
# ruff: noqa: PLC0415 -- see above

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from web.table.demo import EVENINGS
from web.table.taught_readers import open_table_reader, open_taught

if TYPE_CHECKING:
    from vision.read.observation import Recogniser

DECK: Final = "bunting"


def open_demo_reader(name: str) -> Recogniser:
    """The reader that the demo asks for; its cards are read with the deck of their pictures.

    Raises:
        KeyError: there is none of that name.
        TaughtSetError: the deck is damaged.
        WeightsError: a model cannot be loaded.
    """
    from hardware.cameras.demo import demo_pictures

    beside = Path(str(demo_pictures(EVENINGS["tongtong"])))
    return open_taught(DECK, beside) if name == "cards" else open_table_reader(name)
