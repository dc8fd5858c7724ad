"""How well a Rummikub set is read that was taught from a few photographs, beside the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

import click
import numpy as np

from scoreboard.games.rummikub.tiles import COLOURS, JOKER, Tile
from tests.benchmarks.accuracy import TILE_PHOTOGRAPHS
from tests.benchmarks.tables import rows
from tests.vision.learn.drawn_tiles import fives, own_tiles, tiles_on_table
from vision.capture.frame import Frame
from vision.evaluate.labels import read_sources
from vision.evaluate.scoring import PhotoScore, score
from vision.learn.piece_finder import FoundPiece, find_tiles
from vision.learn.playing_sets import TaughtTilesRecogniser
from vision.learn.prototypes import Specimen, learn, specimen, thumbnail, upright
from vision.learn.quads import Quad, overlap, turned
from vision.learn.taught_reader import TILE_FACES
from vision.learn.taught_sets import TaughtSet
from vision.read.observation import UNREADABLE, Recogniser
from vision.read.tiles import TilesRecogniser
from vision.train.tiles.photographs import JOKER as JOKER_KIND
from vision.train.tiles.photographs import PlacedTile, TilePicture, read_tiled

SOURCE: Final = "conner-replogle__rummikub-detector"
PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "own-tiles.md"
EXAMPLES: Final = (1, 2, 5)  # photographs of each face
_ON_IT: Final = 0.6  # how much an outline and a label share
_NARROWEST: Final = 30.0  # pixels: of a smaller tile nobody takes a photograph to teach from
_SEED: Final = 0

TEMPLATE: Final = """\
# A family's own tiles, measured

One real Rummikub set (53 faces) is taught from photographs of it and then read on {photos}
photographs of other scenes: racks in warm light and against it, and a dim grey table, {pieces}
tiles. Each face is taught by one, two or five examples, from as many photographs on wood, marble,
cloth and other tables as there are. The finder's outlines are used, as on the page; a person's
part, naming the faces, is done by the labels. Nothing was learned from these scenes, or from any
photograph of the same layout.

| reader | tiles found | right | wrong | wrong and not doubted | doubted or unreadable | extra |
|---|---|---|---|---|---|---|
{table}

*Doubted* tiles have a confidence below {sure:.0%}, or are “?”; *extra* are places read as tiles
where there is none.

The model was trained on this very edition: teaching it must change nothing. What teaching is for
is a set that the model does not know: here one drawn in green, violet, turquoise and brown, taught
from two scenes and read in a third, apart and touching, {drawn} tiles.

| reader | right | processor ms a tile |
|---|---|---|
{unusual}

Of a set that looks unlike any other the finder must still see the outlines; it looks for
light tiles, taller than wide.

Written by `python -m tests.benchmarks own-tiles`.
"""
_SURE: Final = 0.75


def measure_own_tiles() -> bool:
    """Write the page; without the photographs it stays as it is."""
    if not (TILE_PHOTOGRAPHS / SOURCE).is_dir():
        click.echo(f"own-tiles: no photographs in {TILE_PHOTOGRAPHS}, the page stays as it is")
        return True
    pictures = [each for each in read_tiled(TILE_PHOTOGRAPHS, "train") if each.source == SOURCE]
    readers: dict[str, Recogniser] = {
        f"taught, examples of each face: {most}": taught(pictures, most) for most in EXAMPLES
    }
    readers["the model"] = TilesRecogniser()
    (source,) = read_sources(TILE_PHOTOGRAPHS / SOURCE)
    labels = {each.path.name: each for each in source.photographs}
    photographs = [
        (labels[each.name], each)
        for each in read_tiled(TILE_PHOTOGRAPHS, "dev")
        if each.source == SOURCE
    ]
    scores = {
        name: [
            score(labelled, reader(Frame(0, datetime.now(UTC), picture.image)), 0.0)
            for labelled, picture in photographs
        ]
        for name, reader in readers.items()
    }
    unusual = {
        "taught, 2 examples of each face": TaughtTilesRecogniser(own_tiles()),
        "the model": readers["the model"],
    }
    of_all = next(iter(scores.values()))
    page = TEMPLATE.format(
        photos=len(of_all),
        pieces=sum(len(each.judged) for each in of_all),
        sure=_SURE,
        drawn=2 * len(TILE_FACES),
        unusual=rows([(name, *_drawn(reader)) for name, reader in unusual.items()]),
        table=rows([(name, *map(str, counts(each))) for name, each in scores.items()]),
    )
    PAGE.write_text(page, encoding="utf-8")
    return True


def _drawn(reader: Recogniser) -> tuple[str, str]:
    """How many drawn tiles are read right, and the processor's milliseconds for each."""
    lines, right, took = [" ".join(faces) for faces in fives()], 0, 0.0
    for at in range(0, len(lines), 3):
        for gap in (0.0, 0.5):
            shown = lines[at : at + 3]
            frame = Frame(0, datetime.now(UTC), tiles_on_table(shown, 2, gap))
            start = process_time()
            seen = reader(frame)
            took += process_time() - start
            right += (Counter(" ".join(shown).split()) & Counter(seen.labels)).total()
    return str(right), f"{1000 * took / (2 * len(TILE_FACES)):.1f}"


def counts(scores: Sequence[PhotoScore]) -> tuple[int, int, int, int, int, int]:
    """Tiles found, right, wrong, wrong and not doubted, doubted, and places without any."""
    pieces = [each for photo in scores for each in photo.judged]
    seen = [each for photo in scores for each in photo.detections]
    doubted = [each for each in seen if each.confidence < _SURE or each.read_as == UNREADABLE]
    wrong = [each for each in seen if each.label is not None and not each.right]
    return (
        sum(each.found for each in pieces),
        sum(each.right for each in pieces),
        len(wrong),
        sum(each not in doubted for each in wrong),
        len(doubted),
        sum(each.label is None for each in seen),
    )


def taught(pictures: Sequence[TilePicture], most: int) -> TaughtTilesRecogniser:
    """What is learned from at most so many examples of each face, of many scenes."""
    examples = [*_examples(pictures, most)]
    likeness = learn(examples)
    size, now = likeness.size, datetime.now(UTC)
    shown = {each.face: thumbnail(each, size) for each in reversed(upright(examples, size))}
    return TaughtTilesRecogniser(
        TaughtSet("measured", likeness, trusted=True, taught_at=now, pictures=shown)
    )


def _examples(pictures: Sequence[TilePicture], most: int) -> Iterator[Specimen]:
    taken: Counter[str] = Counter()
    scenes: set[tuple[str, str]] = set()
    shuffled = [pictures[at] for at in np.random.default_rng(_SEED).permutation(len(pictures))]
    found = {each.name: find_tiles(each.image) for each in shuffled}
    for again in (False, True):  # each scene once before any twice
        for sheet, picture in enumerate(shuffled, start=1):
            for tile in picture.tiles:
                face = face_of(tile)
                is_wanted = tile.clear and taken[face] < most and tile.width >= _NARROWEST
                quad = outline_of(tile, found[picture.name]) if is_wanted else None
                if quad is not None and (again or (face, picture.scene) not in scenes):
                    taken[face] += 1
                    scenes.add((face, picture.scene))
                    yield replace(specimen(picture.image, face, quad), sheet=sheet)
    if lacking := [face for face in TILE_FACES if not taken[face]]:
        raise ValueError(f"no photograph shows {' '.join(lacking)}")


def face_of(tile: PlacedTile) -> str:
    """A labelled tile's notation."""
    return str(JOKER if tile.kind == JOKER_KIND else Tile(COLOURS[tile.colour], tile.kind))


def outline_of(tile: PlacedTile, found: Sequence[FoundPiece]) -> Quad | None:
    """The outline that was found of a tile, from its upright top left; None where none was."""
    best = max((each.quad for each in found), key=partial(overlap, tile.corners), default=None)
    if best is None or overlap(tile.corners, best) < _ON_IT:
        return None
    ways = [turned(best, quarters) for quarters in range(4)]
    return min(ways, key=lambda quad: float(np.abs(quad - tile.corners).sum()))
