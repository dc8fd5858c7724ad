"""What was measured of each set, kept so that a broken-off run goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from vision.train.rendering.decks import ALL_DESIGNS
from vision.train.rendering.decks.design import Design
from vision.train.rendering.decks.measurement import Measured, Tally, measure
from vision.train.rendering.decks.photo_session import TEACHING

_STRANGERS: Final = 2


def measure_all(folder: Path, *, again: bool) -> Iterator[Measured]:
    """Every set with three photographs a face, and with fewer; all anew if again."""
    for photographs in range(TEACHING, 0, -1):
        for design in ALL_DESIGNS:
            path = folder / design.name / f"measured-{photographs}.json"
            if again or not path.exists():
                measured = measure(folder, design, _others(design, photographs), photographs)
                path.write_text(json.dumps(asdict(measured)) + "\n", encoding="utf-8")
            yield _measured(json.loads(path.read_text(encoding="utf-8")))


def _others(design: Design, photographs: int) -> list[str]:
    """The sets whose pieces are strangers to this one: the next two of the same shape, once."""
    if photographs < TEACHING:
        return []
    alike = [each.name for each in ALL_DESIGNS if each.is_die == design.is_die]
    at = alike.index(design.name)
    return [*alike[at + 1 :], *alike[:at]][:_STRANGERS]


def _measured(told: dict[str, Any]) -> Measured:
    own, others, forgotten = (Tally(**told[name]) for name in ("own", "others", "forgotten"))
    return Measured(told["name"], told["photographs"], told["unused"], own, others, forgotten)
