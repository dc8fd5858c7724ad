"""Makes the two pictures of the demo that no roll of its evening shows: a glare, and five alike.

`python -m tests.hardware.cameras.compose_demo_show` writes them into `hardware/cameras/demo_show`,
from rendered rolls of the evening: a highlight hides the middle pip of a 5, a 2 gets three pips.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.demo import demo_pictures

Picture = NDArray[np.uint8]
QUALITY: Final = 82
GLARE: Final = ((132.3, 319.7), (16, 8), 0.92)  # middle, radii in pixels, strength
PIP, PIPS_ADDED, RADIUS = (162, 269), ((161, 291), (184, 291), (137, 293)), 9


def glared(picture: Picture) -> Picture:
    """With a highlight on one die."""
    (x, y), (across, down), strength = GLARE
    rows, columns = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    far = np.hypot((columns - x) / across, (rows - y) / down)
    share = strength * np.clip((1.25 - far) / 0.5, 0, 1)[..., None]
    return np.asarray((picture * (1 - share) + 250 * share).round(), dtype=np.uint8)


def with_pips(picture: Picture) -> Picture:
    """With copies of a pip on the same face."""
    made, (x, y), edge = picture.copy(), PIP, RADIUS + 1
    pip = picture[y - RADIUS : y + edge, x - RADIUS : x + edge]
    rows, columns = np.mgrid[-RADIUS:edge, -RADIUS:edge]
    share = np.clip((7.6 - np.hypot(columns, rows)) / 1.5, 0, 1)[..., None]
    for left, top in PIPS_ADDED:
        place = made[top - RADIUS : top + edge, left - RADIUS : left + edge]
        place[:] = (pip * share + place * (1 - share)).round().astype(np.uint8)
    return made


def main() -> None:
    """Write both rolls: the moving pictures as they are, the last one changed."""
    evening, show = Path(str(demo_pictures())), Path(str(demo_pictures("demo_show")))
    for name, roll, changed in (
        ("glare", "turn17/throw1", glared),
        ("five-alike", "turn01/throw2", with_pips),
    ):
        folder = show / name / "throw0"
        folder.mkdir(parents=True, exist_ok=True)
        *moving, last = sorted((evening / roll).iterdir())
        for picture in moving:
            shutil.copy(picture, folder)
        image = np.asarray(cv2.imread(str(last)), dtype=np.uint8)
        options = [cv2.IMWRITE_WEBP_QUALITY, QUALITY]
        (folder / last.name).write_bytes(
            cv2.imencode(".webp", changed(image), options)[1].tobytes()
        )


if __name__ == "__main__":
    main()
