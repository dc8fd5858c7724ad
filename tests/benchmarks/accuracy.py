"""How well readers read the dev photographs, if those are available."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Final

from tests.benchmarks.timing import clocked
from vision.capture.frame import Frame
from vision.capture.photo import open_to_read
from vision.evaluate.labels import LABELS, LabelledPhotograph, Source, read_sources
from vision.evaluate.scoring import SourceScore, score_photos, summarise
from vision.read.observation import Observation, Recogniser
from vision.train.gate import GATE, POLYHEDRA, WIDE_GATE

_DATA: Final = Path(__file__).parents[3] / "shared" / "data"
PHOTOGRAPHS: Final = _DATA / "dice"
TILE_PHOTOGRAPHS: Final = _DATA / "tiles"
_LEFT_OUT: Final = ("ronikobrosly", *GATE, *WIDE_GATE, POLYHEDRA)
_SPLIT: Final = "dev"
ACCURACY_HEADING: Final = "## Accuracy and cost"


@dataclass(frozen=True, slots=True)
class Reads:
    """One reader's score on one source's dev photographs, and its cost.

    `milliseconds` is the median processor time per photograph, without decoding.
    """

    source: str
    reader: str
    score: SourceScore
    milliseconds: float


def kept_accuracy(page: Path, note: str) -> str:
    """The accuracy part of a committed page, below a note on why it was not measured again.

    On machines without the photographs, this keeps the earlier measurements.
    """
    _, _, rest = page.read_text(encoding="utf-8").partition(f"{ACCURACY_HEADING}\n\n")
    told = rest.partition("\n\n## ")[0].removeprefix(note).strip()
    return f"{note}\n\n{told}"


class _Clocked:
    """A reader that records the time of each reading."""

    def __init__(self, reader: Recogniser) -> None:
        self._reader = reader
        self.name = reader.name
        self.milliseconds: list[float] = []

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:
        seen: list[Observation] = []
        cpu, _ = clocked(lambda: seen.append(self._reader(frame, expected)))
        self.milliseconds.append(cpu)
        return seen[0]


def accuracies(
    readers: Mapping[str, Recogniser], every: int = 1, photographs: Path = PHOTOGRAPHS
) -> list[Reads]:
    """Score each reader on every n-th dev photograph of each source.

    Left out are ronikobrosly's photographs, which are read only for the record, and those of the
    gate, whose figures `make gate` writes. Empty if the photographs are missing.
    """
    return [
        _reads(source, name, _Clocked(reader))
        for source in _sources(photographs, every)
        for name, reader in readers.items()
    ]


def _reads(source: Source, name: str, reader: _Clocked) -> Reads:
    scores = score_photos(source, None, reader, open_to_read)
    return Reads(source.name, name, summarise(source.name, scores), median(reader.milliseconds))


def _sources(photographs: Path, every: int) -> list[Source]:
    folders = sorted(labels.parent for labels in photographs.glob(f"*/{LABELS}"))
    found = [
        source
        for folder in folders
        if not folder.name.startswith(_LEFT_OUT)
        for source in read_sources(folder)
    ]
    kept = [replace(source, photographs=_dev(source)[::every]) for source in found]
    return [source for source in kept if source.photographs]


def _dev(source: Source) -> tuple[LabelledPhotograph, ...]:
    return tuple(each for each in source.photographs if each.split == _SPLIT)
