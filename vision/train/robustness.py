"""What disturbances do to the dice reader: some photographs of each gate, each one changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import click
import cv2
import numpy as np

from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.evaluate.labels import LabelledPhotograph, LabelledPiece, Source
from vision.evaluate.scoring import PhotoScore, ScoredSource, score_photos
from vision.read.dice import NAME, DiceRecogniser
from vision.read.networks import load_model
from vision.read.observation import Recogniser
from vision.train.gate import (
    GATE,
    ROBUST,
    WIDE_GATE,
    GateScore,
    Shares,
    gate_sources,
    mean,
    with_robustness,
)
from vision.train.report import kept_gate, markdown_table, with_gate

PHOTOS: Final = 4
_ABOUT: Final = f"""\
{ROBUST}

{PHOTOS} photographs of each source of both gates, changed one way at a time: the means over the
sources, in which the one photograph of a source that has no more is 6.7 points. Blur and smear are
shares of a die's side, tilt is what is left of the picture's height.
`python -m vision.train robustness` writes this table.
"""
Change = Callable[[Image, float], Image]  # of a picture, given a die's side in pixels


def _resized(across: float, down: float) -> Change:
    return lambda image, _: _image(
        cv2.resize(image, None, fx=across, fy=down, interpolation=cv2.INTER_AREA)
    )


def _lit(*gains: float) -> Change:
    return lambda image, _: _image(np.clip(image * np.array(gains), 0, 255).astype(np.uint8))


def _blurred(share: float) -> Change:
    return lambda image, side: _image(cv2.GaussianBlur(image, (0, 0), share * side))


def _smeared(share: float) -> Change:
    def smear(image: Image, side: float) -> Image:
        length = max(3, round(share * side)) | 1
        line = np.zeros((length, length), np.float32)
        down = length // 4
        cv2.line(line, (0, length // 2 - down), (length - 1, length // 2 + down), 1.0)
        return _image(cv2.filter2D(image, -1, line / line.sum()))

    return smear


def _as_jpeg(quality: int) -> Change:
    def packed(image: Image, _: float) -> Image:
        _, content = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return _image(cv2.imdecode(content, cv2.IMREAD_COLOR))

    return packed


def _noisy(spread: float) -> Change:
    def grains(image: Image, _: float) -> Image:
        noise = np.random.default_rng(1).normal(0, spread, image.shape)
        return _image(np.clip(image + noise, 0, 255).astype(np.uint8))

    return grains


def _image(pixels: object) -> Image:
    return np.ascontiguousarray(pixels, np.uint8)


CHANGES: Final[Mapping[str, Change]] = {
    "none": lambda image, _: image,
    "scale 0.5": _resized(0.5, 0.5),
    "scale 0.25": _resized(0.25, 0.25),
    "quarter turn": lambda image, _: _image(np.rot90(image)),
    "half turn": lambda image, _: _image(np.rot90(image, 2)),
    "light x 0.4": _lit(0.4, 0.4, 0.4),
    "light x 2": _lit(2, 2, 2),
    "cold cast": _lit(1.25, 1, 0.6),
    "warm cast": _lit(0.55, 0.95, 1.2),
    "blur 6 %": _blurred(0.06),
    "blur 12 %": _blurred(0.12),
    "smear 10 %": _smeared(0.1),
    "smear 20 %": _smeared(0.2),
    "smear 30 %": _smeared(0.3),
    "JPEG, quality 5": _as_jpeg(5),
    "noise of 32 levels": _noisy(32),
    "tilt 60 %": _resized(1, 0.6),
}
_TURNS: Final = {"quarter turn": 1, "half turn": 2}


def robustness_table(
    sources: Sequence[Source], recogniser: Recogniser, tell: Callable[[str], object] = str
) -> str:
    """Read the photographs under every change, with and without the number of dice."""
    rows = []
    for name, change in CHANGES.items():
        plain, counted = (
            list(_scored(sources, recogniser, name, change, counted=each)) for each in (False, True)
        )
        rows.append((name, str(mean(plain)), str(mean(counted))))
        tell(" | ".join(rows[-1]))
    return markdown_table(("change", "exact / silent / needless", "with the number"), rows)


def _scored(
    sources: Sequence[Source], recogniser: Recogniser, name: str, change: Change, *, counted: bool
) -> Iterator[Shares]:
    for source in sources:
        scores: list[PhotoScore] = []
        logos = frozenset(
            photo.path.name
            for photo in source.photographs
            if any(each.optional for each in photo.pieces)
        )
        for photo in source.photographs:
            if counted and photo.path.name in logos:
                continue
            image = open_photo(photo.path)
            side = median(piece.shorter_side for piece in photo.pieces)
            changed = change(image, side)
            labelled = _relabelled(photo, image, changed, _TURNS.get(name, 0))
            one, opened = Source(source.name, (labelled,)), partial(_shown, changed)
            scores += score_photos(one, None, recogniser, opened, counted=counted)
        if scores:
            yield GateScore(ScoredSource(source.name, ()), (), (), logos).shares(scores)


def _shown(image: Image, _: Path) -> tuple[Image, float]:
    return image, 1.0


def _relabelled(
    photo: LabelledPhotograph, before: Image, after: Image, turns: int
) -> LabelledPhotograph:
    """The labels of a picture that was turned to the left that many times and then resized."""
    height, width = np.rot90(before, turns).shape[:2]
    across, down = after.shape[1] / width, after.shape[0] / height
    angle = turns * math.pi / 2
    cosine, sine = round(math.cos(angle)), round(math.sin(angle))
    middle = np.array(before.shape[1::-1]) / 2
    turned = np.array([[cosine, sine], [-sine, cosine]])

    def moved(piece: LabelledPiece) -> LabelledPiece:
        ends = (np.array(piece.box).reshape(2, 2) - middle) @ turned.T + (width / 2, height / 2)
        (left, top), (right, bottom) = np.sort(ends, axis=0) * (across, down)
        return replace(piece, box=(float(left), float(top), float(right), float(bottom)))

    return replace(photo, pieces=tuple(map(moved, photo.pieces)))


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--models", type=click.Path(path_type=Path), default=Path("models"))
def robustness(data: Path, models: Path) -> None:
    """Read changed photographs of the gates, and write their table into evaluation.md."""
    cv2.setNumThreads(1)
    sources = [
        Source(each.name, each.photographs[:: max(1, len(each.photographs) // PHOTOS)][:PHOTOS])
        for each in gate_sources(data, names=(*GATE, *WIDE_GATE))
    ]
    table = robustness_table(sources, DiceRecogniser(load_model(NAME, folder=models)), click.echo)
    page = models / NAME / "evaluation.md"
    text = page.read_text(encoding="utf-8")
    section = with_robustness(kept_gate(text), f"{_ABOUT}\n{table}\n")
    page.write_text(with_gate(text, section), encoding="utf-8")
