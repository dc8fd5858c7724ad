"""A small deck drawn on tables, as photographs: what lies where is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.learn.prototypes import Likeness, Specimen, learn, specimen

Colour = tuple[int, int, int]
WIDE, HIGH = 60, 180
INKS: dict[str, Colour] = {"R": (40, 40, 200), "B": (180, 90, 30), "G": (70, 130, 30)}
FACES = ("R1", "R4", "B1", "B4", "G7")
PAPER: Colour = (232, 240, 243)
TABLES: tuple[Colour, ...] = ((60, 90, 130), (60, 120, 30), (120, 80, 50))
LIGHTS: tuple[tuple[float, float, float], ...] = ((1, 1, 1), (0.8, 0.95, 1.0), (1.0, 0.9, 0.75))


@dataclass(frozen=True)
class Lying:
    """A piece's face, its middle in pixels and its turn, degrees clockwise."""

    face: str
    x: float
    y: float
    turn: float = 0.0

    def quad(self) -> NDArray[np.float32]:
        """Its corners, clockwise from its own top left."""
        angle = np.radians(self.turn)
        right = np.array([np.cos(angle), np.sin(angle)])
        down = np.array([-right[1], right[0]])
        middle, wide, high = np.array([self.x, self.y]), right * WIDE / 2, down * HIGH / 2
        corners = (-wide - high, wide - high, wide + high, high - wide)
        return np.array([middle + corner for corner in corners], np.float32)


MIDDLE = Lying("X", 320, 240)


def card(face: str) -> Image:
    """The print of a face: a frame, a numeral, and a bar at its top."""
    drawn = np.full((2 * HIGH, 2 * WIDE, 3), PAPER, np.uint8)
    ink = INKS.get(face[0], (20, 20, 20))
    cv2.rectangle(drawn, (10, 10), (2 * WIDE - 11, 2 * HIGH - 11), ink, 5)
    cv2.rectangle(drawn, (24, 26), (2 * WIDE - 25, 46), ink, -1)
    cv2.putText(drawn, face[1:], (30, 220), cv2.FONT_HERSHEY_SIMPLEX, 3.0, ink, 12, cv2.LINE_AA)
    return drawn


def photograph(
    pieces: Sequence[Lying], scene: int = 0, size: tuple[int, int] = (640, 480)
) -> Image:
    """The pieces on one of three tables, under its light, with a camera's softness and noise."""
    drawn = np.full((size[1], size[0], 3), TABLES[scene % 3], np.uint8)
    for one in pieces:
        lay(drawn, card(one.face), one.quad())
    return developed(drawn, scene)


def lay(drawn: NDArray[np.uint8], printed: Image, quad: NDArray[np.float32]) -> None:
    """Put a printed picture onto four corners of a drawn one."""
    height, width = printed.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    warp = cv2.getPerspectiveTransform(corners, quad)
    size = (drawn.shape[1], drawn.shape[0])
    cv2.warpPerspective(
        printed, warp, size, drawn, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )


def developed(drawn: Image, scene: int) -> Image:
    """Lit by the scene's light, a little soft, with noise of its own."""
    lit = drawn * np.array(LIGHTS[scene % 3], np.float64)
    soft = cv2.GaussianBlur(lit, (0, 0), 0.8)
    grains = np.random.default_rng(scene).normal(0, 2.5, drawn.shape)
    return np.clip(soft + grains, 0, 255).astype(np.uint8)


def foreign() -> Image:
    """A photograph of a piece of another deck, of the same size, in the middle of the table."""
    printed = np.full((2 * HIGH, 2 * WIDE, 3), (200, 210, 120), np.uint8)
    for down in range(40, 2 * HIGH, 70):
        cv2.circle(printed, (WIDE, down), 30, (90, 20, 150), 9)
    drawn = np.full((480, 640, 3), TABLES[0], np.uint8)
    lay(drawn, printed, MIDDLE.quad())
    return developed(drawn, 0)


def row(faces: Sequence[str] = FACES, scene: int = 0) -> Image:
    """The faces side by side."""
    pieces = [Lying(face, 80 + 115 * at, 230 + 9 * at) for at, face in enumerate(faces)]
    return photograph(pieces, scene)


def specimens(scenes: Sequence[int] = (0, 1)) -> list[Specimen]:
    """One piece a face and scene, cut out where it lies."""
    cut = []
    for scene in scenes:
        for at, face in enumerate(FACES):
            one = Lying(face, 80 + 115 * at, 230 + 9 * at)
            cut.append(specimen(row(FACES, scene), face, one.quad(), scene))
    return cut


@cache
def learned() -> Likeness:
    """The deck, learned from two scenes: made once, for it takes a second."""
    return learn(specimens())


def write(path: Path, image: Image) -> None:
    """Write a picture file, and the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(path.suffix, image)[1].tobytes())


def lesson(folder: Path, scenes: Sequence[int] = (0, 1)) -> Path:
    """A folder with a photograph of all faces in reading order from each scene."""
    for scene in scenes:
        write(folder / " ".join(FACES) / f"{scene}.png", row(FACES, scene))
    return folder
