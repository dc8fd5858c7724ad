"""One recogniser a file; RECOGNISERS lists them by their declared names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from vision.recogniser import Recogniser
from vision.recognisers.dice import DiceRecogniser

RECOGNISERS: Final[Mapping[str, Callable[[], Recogniser]]] = {"dice": DiceRecogniser}
