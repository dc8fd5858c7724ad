"""The renderer's command line: `python -m vision.rendering --help`."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Final

import click

from vision.rendering.evening import TURNS, FilmedThrow, empty_table, film_turn
from vision.rendering.gallery import Cache, write_contact_sheet, write_webp
from vision.rendering.tracing import open_tracer

_REST_QUALITY: Final = 86
_MOVING_QUALITY: Final = 66


@click.group()
def main() -> None:
    """Render photographs of dice (needs the training extra)."""


@main.command()
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Where the pictures go."
)
@click.option(
    "--cache", type=click.Path(path_type=Path), required=True, help="Drawn ones are kept."
)
@click.option("--truth", type=click.Path(path_type=Path), help="Where the values go, for tests.")
@click.option("--turns", type=click.IntRange(1, TURNS), default=TURNS, help="Only the first ones.")
def evening(out: Path, cache: Path, truth: Path | None, turns: int) -> None:
    """Render the demo evening.

    Example: python -m vision.rendering evening --out hardware/cameras/demo_evening
    --cache .cache/rendering --truth tests/hardware/cameras/demo_evening_truth.json
    """
    with open_tracer() as tracer:
        store = Cache(cache / "evening", tracer.draw)
        write_webp(out / "empty.webp", store.picture(empty_table()), _REST_QUALITY)
        filmed = [_render_turn(out, store, turn) for turn in range(turns)]
    if truth is not None:
        told = {"turns": [[_truth(one) for one in throws] for throws in filmed]}
        truth.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _render_turn(out: Path, store: Cache, turn: int) -> list[FilmedThrow]:
    started = time.monotonic()
    throws = list(film_turn(turn))
    for number, filmed in enumerate(throws):
        folder = out / f"turn{turn:02}" / f"throw{number}"
        for index, scene in enumerate(filmed.scenes):
            resting = index == len(filmed.scenes) - 1
            quality = _REST_QUALITY if resting else _MOVING_QUALITY
            write_webp(folder / f"{index:02}.webp", store.picture(scene), quality)
    click.echo(f"turn {turn + 1} done in {time.monotonic() - started:.0f} s")
    return throws


def _truth(filmed: FilmedThrow) -> dict[str, Any]:
    centres = [[round(x, 1), round(y, 1)] for x, y in filmed.centres]
    return {"values": list(filmed.throw.faces), "centres": centres}


@main.command()
@click.option("--pictures", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
def contact_sheet(pictures: Path, out: Path) -> None:
    """Put the evening's pictures at rest on one sheet.

    Example: python -m vision.rendering contact-sheet --pictures hardware/cameras/demo_evening
    --out docs/images/demo-evening.jpg
    """
    throws = sorted(pictures.glob("turn*/throw*"))
    write_contact_sheet(out, [max(folder.glob("*.webp")) for folder in throws])


if __name__ == "__main__":
    main()
