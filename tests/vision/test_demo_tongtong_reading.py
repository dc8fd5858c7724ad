"""The deck that ships with the demo, on the demo's match: its pictures are photographs like any."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from hardware.cameras.demo import DemoCamera, demo_pictures
from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from scoreboard.table.requests import Proposed
from tests.vision.changed_pictures import as_jpeg, from_the_other_side, is_inside, picture
from vision.capture.frame import Frame, Image
from vision.learn.taught_reader import TaughtRecogniser
from vision.learn.taught_sets import TaughtSet, TaughtSets
from vision.read.observation import Observation
from vision.watch.pipeline import Pictures, TablePipeline

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).parents[2]
MATCH: Final = "demo_tongtong"
FOLDER: Final = Path(str(demo_pictures(MATCH)))
TABLES: Final[dict[str, dict[str, Any]]] = json.loads(
    (ROOT / "tests/hardware/cameras/demo_tongtong_truth.json").read_text(encoding="utf-8")
)["tables"]
# Every third table with a trick, and all with piles: a reading costs the better part of a second.
SAMPLE: Final = [step for at, step in enumerate(TABLES) if at % 3 == 0 or step.startswith("piles")]
FIRST_TRICKS: Final = [f"play-{act:02}" for act in range(2, 11) if f"play-{act:02}" in TABLES]
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
FRAMES: Final = 10
MOST_BYTES: Final = 3_000_000


def at_rest(step: str) -> Image:
    """A table's picture."""
    return picture(FOLDER / step / "throw0" / "00.webp")


def read(recogniser: TaughtRecogniser, image: Image) -> Observation:
    """What is seen in a picture."""
    return recogniser(Frame(0, NOW, image))


def labels(seen: Observation) -> list[str]:
    """The cards that were read, in alphabetical order."""
    return sorted(each.label for each in seen.detections)


def lying(step: str) -> list[str]:
    """The cards that lie there, likewise."""
    return sorted(TABLES[step]["cards"].split())


@pytest.fixture(scope="module")
def taught() -> TaughtSet:
    """The set beside the pictures."""
    return TaughtSets(FOLDER).load("bunting")


@pytest.fixture(scope="module")
def recogniser(taught: TaughtSet) -> TaughtRecogniser:
    """Its reader, as the table uses it."""
    return TaughtRecogniser(taught)


@pytest.fixture(scope="module")
def readings(recogniser: TaughtRecogniser) -> dict[str, Observation]:
    """The sample, read once."""
    return {step: read(recogniser, at_rest(step)) for step in SAMPLE}


def test_the_deck_has_passed_its_examination(taught: TaughtSet) -> None:
    """All forty cards, read in photographs held back: none wrong without a doubt."""
    assert set(taught.likeness.faces) == set(map(str, deck(CARD_COLOURS)))
    assert taught.trusted
    assert taught.score is not None
    assert taught.score.held_back
    assert (taught.score.pieces, taught.score.right, taught.score.silent) == (40, 40, 0)


def test_all_that_ships_is_small() -> None:
    """Pictures, prototypes and thumbnails together; and a picture for every table."""
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.*")) < MOST_BYTES
    assert {path.parents[1].name for path in FOLDER.rglob("*.webp")} == set(TABLES)


def test_every_table_reads_as_what_lies_there(readings: dict[str, Observation]) -> None:
    """Every card; and nothing is asked about needlessly."""
    misread = {}
    for step, seen in readings.items():
        if labels(seen) != lying(step) or seen.doubts:
            misread[step] = f"shows {lying(step)}, read {labels(seen)} {[*map(str, seen.doubts)]}"
    assert misread == {}


@pytest.mark.parametrize("change", [as_jpeg, from_the_other_side])
def test_pictures_read_the_same_once_they_were_changed(
    recogniser: TaughtRecogniser, change: Callable[[Image], Image]
) -> None:
    """Packed again or seen from across: some of them."""
    for step in SAMPLE[::6]:
        assert labels(read(recogniser, change(at_rest(step)))) == lying(step), step


def test_every_card_is_read_where_it_lies(readings: dict[str, Observation]) -> None:
    """Each card's label stands on a quadrangle around its middle."""
    for step, read_there in readings.items():
        seen, told = read_there.detections, TABLES[step]
        for label, (x, y) in zip(told["cards"].split(), told["centres"], strict=True):
            around = [found for found in seen if is_inside(found.quad, x, y)]
            assert [found.label for found in around] == [label], f"{step}: {label} at {x}, {y}"


def test_each_card_of_a_trick_is_proposed_once(recogniser: TaughtRecogniser) -> None:
    """Three tricks through the table's pipeline: no card is overlooked, none told twice."""
    pipeline = TablePipeline(recogniser, Pictures())
    proposed: dict[str, list[list[str]]] = {step: [] for step in FIRST_TRICKS}
    with DemoCamera(sleep=lambda _seconds: None) as camera:
        for number in range(FRAMES * len(FIRST_TRICKS)):
            step = FIRST_TRICKS[number // FRAMES]
            camera.show_table(MATCH, step, 0)
            frame = Frame(number, NOW + timedelta(seconds=number / 10), camera.capture().image)
            proposed[step] += [
                sorted(each.label for each in happened.proposal.pieces)
                for happened in pipeline.feed(frame)
                if isinstance(happened, Proposed)
            ]
    assert proposed == {step: [lying(step)] for step in FIRST_TRICKS}
