"""The demo evening as a folder of small pictures, and apart from it the truth for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from vision.train.rendering.evening import FilmedThrow, empty_table, film_turn
from vision.train.rendering.gallery import Cache, write_webp

_REST_QUALITY: Final = 86
_MOVING_QUALITY: Final = 66


def write_evening(cache: Cache, out: Path, turns: Iterable[int]) -> Iterator[list[FilmedThrow]]:
    """Write the pictures turn by turn, each turn's throws as they are done.

    Pictures are named by their place alone: `turn00/throw0/00.webp` and on, the last at rest;
    `empty.webp` is the table before the first throw.
    """
    write_webp(out / "empty.webp", cache.picture(empty_table()), _REST_QUALITY)
    for turn in turns:
        throws = list(film_turn(turn))
        for number, filmed in enumerate(throws):
            _write_throw(cache, out / f"turn{turn:02}" / f"throw{number}", filmed)
        yield throws


def _write_throw(cache: Cache, folder: Path, filmed: FilmedThrow) -> None:
    *moving, rest = [cache.picture(scene) for scene in filmed.scenes]
    for index, image in enumerate(moving):
        write_webp(folder / f"{index:02}.webp", image, _MOVING_QUALITY)
    write_webp(folder / f"{len(moving):02}.webp", rest, _REST_QUALITY)


def write_truth(path: Path, turns: list[list[FilmedThrow]]) -> None:
    """Write what every throw shows at rest: values, and the middles of the top faces in pixels."""
    told = [[_truth(filmed) for filmed in throws] for throws in turns]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"turns": told}, indent=1) + "\n", encoding="utf-8")


def _truth(filmed: FilmedThrow) -> dict[str, object]:
    centres = [[round(x, 1), round(y, 1)] for x, y in filmed.centres]
    return {"values": list(filmed.throw.faces), "centres": centres}
