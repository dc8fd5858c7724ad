"""The tiles: what their reader is judged by, its card and its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any, Final

from scoreboard.games.rummikub.tiles import COLOURS, Tile, piece
from vision.capture.frame import Pyramid
from vision.evaluate.labels import LabelledPhotograph, Source, read_sources
from vision.evaluate.scoring import ScoredSource, together
from vision.read.detection import TILE_HEIGHT, TILE_WIDTH, TILES, Candidate, Detector
from vision.read.networks import FINDER, READER, Model
from vision.read.observation import UNREADABLE
from vision.read.tile_readings import TileReading, compared, find_tiles, read_tiles_closely
from vision.read.tiles import NAME, TilesRecogniser, reconsidered
from vision.train.networks import COLOUR_CLASSES, KINDS
from vision.train.piece import FoundPlace, Grouped, PieceKind, TrainingPaths
from vision.train.report import Wording
from vision.train.tiles.lessons import TileLessons
from vision.train.tiles.photographs import TilePictures, held_back, read_rendered, read_tiled

_FIRST: Final[Mapping[str, float]] = {
    "candidate": 0.12,
    "present": 0.4,
    "absent": 0.25,
    "sure": 0.6,
    "readable": 0.25,
    "smallest_pixels": 12.0,
    "smallest_share": 0.012,
}
_CHOICES: Final[Mapping[str, tuple[float, ...]]] = {
    "present": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    "absent": (0.1, 0.15, 0.2, 0.3, 0.4, 0.5),
    "sure": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95),
}
_SOURCES: Final[Mapping[str, str]] = {
    "conner-replogle__rummikub-detector": "CC BY 4.0 (Roboflow, “rummikub-nvypk”)",
    "rendered": "made by `python -m vision.train.rendering tiles`",
    "drawn": "made by `vision.train.tiles.scenes`",
}
_WORDING: Final = Wording(
    title="How well the tile reader reads",
    about="""\
Scored like `tablescore evaluate --pieces tiles`: found and right (number and colour, or joker)
are shares of the labelled tiles; exact, silent (wrong without a doubt) and needless (doubted though
exact) are shares of the photos. The training command writes this page from the dev photographs:
other scenes of the trained tile set.
""",
    left_out="""\
## Scenes left out

Each scene in turn was left out of the training, and then all of it was read. All scenes show one
tile set. For other editions see the rendered photographs, which no training saw (the scene
"rendered", harder than most tables), and the readings for the record.
""",
    worst="""\
## The worst photographs

We may not publish the photographs themselves; `python -m vision.train worst --pieces tiles` draws
them, with their readings, on sheets in an ignored folder.
""",
    record="""\
ronikobrosly's photographs, of another edition and camera, were neither trained on nor used to
choose anything. Each reading of them is logged here by `python -m vision.train record --pieces
tiles`.
""",
)


class TileKind(PieceKind[TileReading]):
    """Rummikub's tiles; a group is a scene, as all photographs to train on are of one source."""

    name = NAME
    recogniser = TilesRecogniser
    classes = (KINDS, COLOUR_CLASSES)
    parts = ("kinds", "inks")
    crop = (TILE_HEIGHT, TILE_WIDTH)
    first = _FIRST
    choices = _CHOICES
    most_needless = 0.08
    sources = _SOURCES
    wording = _WORDING
    head = """\
# The tile reader's model card; written by the training command.
name = "tiles"
made = {made}
command = "{command}"
input = "a picture of any size, bytes in the order blue, green, red"
finder = "1 x H x W x 3 bytes, H and W multiples of 32 -> score, offsets, log sizes, cosine and \
sine of twice the angle, shear, at stride 4"
reader = "N x 56 x 40 x 3 bytes -> 15 probabilities of kinds, 4 of inks, of upside down, of a tile"
labels = ["?", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J"]
inks = ["K", "R", "B", "O"]
"""

    def lessons(self, paths: TrainingPaths, seed: int, without: str = "") -> TileLessons:  # noqa: ARG002 -- nothing is cut out
        real = [each for each in read_tiled(paths.data, "train") if each.scene != without]
        return TileLessons(TilePictures(real, read_rendered(paths.rendered, paths.most)))

    def rendered_lessons(self, paths: TrainingPaths) -> TileLessons:
        return TileLessons(TilePictures([], read_rendered(paths.rendered, paths.most)))

    def groups(self, paths: TrainingPaths) -> list[str]:
        return sorted({each.scene for each in _photographs(paths, "train")})

    def left_out(self, paths: TrainingPaths, group: str) -> list[Grouped]:
        """The scene, and a share of the rendered photographs that were held back."""
        scenes = self.groups(paths)
        scene = [each for each in _photographs(paths, "train") if each.scene == group]
        share = held_back(paths.rendered)[scenes.index(group) :: len(scenes)]
        return [(each.scene, each) for each in (*scene, *share)]

    def known(self, paths: TrainingPaths, group: str) -> list[Grouped]:  # noqa: ARG002 -- any share may have been its
        """All photographs to train on, and all that were held back."""
        known = (*_photographs(paths, "train"), *held_back(paths.rendered))
        return [(each.scene, each) for each in known]

    def dev(self, paths: TrainingPaths) -> list[Source]:
        dev = _photographs(paths, "dev")
        return [
            Source(scene, tuple(each for each in dev if each.scene == scene))
            for scene in dict.fromkeys(each.scene for each in dev)
        ]

    def places(
        self, model: Model, pyramid: Pyramid, threshold: float
    ) -> tuple[tuple[FoundPlace[TileReading], ...], tuple[FoundPlace[TileReading], ...]]:
        finder, reader = model.networks[FINDER], model.networks[READER]
        first = find_tiles(Detector(finder, TILES, threshold), reader, pyramid)
        once = reconsidered(finder, reader, pyramid, first)
        return tuple(map(FoundPlace, once, read_tiles_closely(reader, pyramid, once))), ()

    def truth(self, label: str) -> tuple[int | None, ...]:
        named = piece(label)
        if isinstance(named, Tile):
            return named.number, COLOURS.index(named.colour)
        return KINDS - 1, None

    def compared(self, readings: Sequence[TileReading]) -> Sequence[TileReading]:
        return compared(readings)

    def optional_truth(self) -> str | None:
        """A tile that is cut off or hidden is left out."""
        return UNREADABLE

    def plain(self, reading: TileReading) -> list[Any]:
        return list(astuple(reading))

    def reading(self, plain: Sequence[Any]) -> TileReading:
        place, kinds, inks, over, present, (blue, green, red) = plain
        measured = (blue, green, red)
        return TileReading(Candidate(*place), tuple(kinds), tuple(inks), over, present, measured)

    def notes(self, scored: Sequence[ScoredSource]) -> list[str]:
        number, colour = rights(together(scored))
        return [f"Number right {number:.1%}, colour right {colour:.1%} of the labelled tiles."]


def rights(scored: ScoredSource) -> tuple[float, float]:
    """The shares of labelled tiles whose number, and whose colour, is right."""
    number, colour = (
        sum(confusion.counts.get((value, value), 0) for value in confusion.values)
        / max(1, sum(sum(confusion.row(value)) for value in confusion.values))
        for confusion in scored.confusions
    )
    return number, colour


def _photographs(paths: TrainingPaths, split: str) -> list[LabelledPhotograph]:
    """The photographs of a split, of the sources that have some to train on."""
    return [
        photograph
        for source in read_sources(paths.data)
        if any(each.split == "train" for each in source.photographs)
        for photograph in source.photographs
        if photograph.split == split
    ]
