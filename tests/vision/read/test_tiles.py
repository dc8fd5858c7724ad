"""The tile reader as a whole: fake networks, drawn tables, and photographs where at hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.benchmarks.tiles_picture import TilesPicture, tiles_picture
from tests.vision.read.test_crops import table_with
from tests.vision.read.tile_fakes import FakeFinder, FakeReader
from tests.vision.read.tile_readings import LIMITS
from vision.capture.frame import Frame, Image
from vision.capture.photo import open_to_read
from vision.errors import WeightsError
from vision.evaluate.labels import read_sources
from vision.evaluate.scoring import score_photos, summarise
from vision.read.confidence import ConfidenceModel
from vision.read.detection import Candidate
from vision.read.networks import FINDER, READER, Model, load_model
from vision.read.observation import Observation, SeenSet
from vision.read.tiles import TilesRecogniser

PHOTOGRAPHS = Path(__file__).parents[4] / "shared/data/tiles/conner-replogle__rummikub-detector"
LYING = Candidate(0.95, 240.0, 190.0, 70.0, 100.0, 40.0)
BELIEF = {field.name for field in fields(ConfidenceModel)}
CARD = {
    "calibration": asdict(LIMITS),
    "thresholds": {name: told for name, told in asdict(LIMITS).items() if name not in BELIEF},
}


def faked(*tiles: Candidate) -> TilesRecogniser:
    """A reader whose finder sees these in a picture 500 pixels wide."""
    networks = {FINDER: FakeFinder(tiles, 500).network, READER: FakeReader().network}
    return TilesRecogniser(Model(networks, CARD))


@pytest.fixture(scope="module")
def recogniser() -> TilesRecogniser:
    """The shipped reader."""
    return TilesRecogniser()


@pytest.fixture(scope="module")
def table() -> TilesPicture:
    """Thirty drawn tiles."""
    return tiles_picture(30, 2)


def seen(recogniser: TilesRecogniser, image: Image) -> Observation:
    """What is read in a picture."""
    return recogniser(Frame(7, datetime.now(UTC), image))


def right(observation: Observation, pieces: list[str]) -> int:
    """How many of the pieces were read, each once."""
    return (Counter(observation.labels) & Counter(pieces)).total()


def test_a_tile_is_reported_as_it_lies() -> None:
    """What it shows, how sure that is, and where it lies with its top up."""
    observation = seen(faked(LYING), table_with(LYING))
    (found,) = observation.detections
    assert (observation.frame, observation.recogniser) == (7, "tiles")
    assert found.label == "R7"
    assert found.readings[0] == ("R7", 0.72)
    assert 0.6 < found.confidence < 0.72
    assert found.angle == pytest.approx(40.0, abs=0.2)
    assert np.allclose(found.quad, LYING.quad, atol=1.5)
    corners = (*LYING.quad.min(axis=0), *LYING.quad.max(axis=0))
    assert found.box == pytest.approx(corners, abs=1.5)


def test_a_tile_upside_down_is_reported_with_its_top_up() -> None:
    """Its corners begin at its own top left, which is to the right and below."""
    over = LYING.turned_over()
    (found,) = seen(faked(LYING), table_with(over)).detections
    assert found.label == "R7"
    assert found.angle == pytest.approx(220.0, abs=0.2)
    assert np.allclose(found.quad, over.quad, atol=1.5)


def test_a_set_is_reported_with_its_tiles() -> None:
    """A lone tile is a row that is no set (RK-8)."""
    assert seen(faked(LYING), table_with(LYING)).sets == (SeenSet((0,), ("R7",), False, "RK-8"),)  # noqa: FBT003 - as told


@pytest.mark.parametrize("score", [0.02, 0.12])
def test_what_is_hardly_a_tile_is_no_detection(score: float) -> None:
    """Below the card's least score a place is not even read; above it the reader has its say."""
    faint = Candidate(score, 240.0, 190.0, 70.0, 100.0, 40.0)
    observation = seen(faked(faint), np.full((400, 500, 3), 40, np.uint8))
    assert len(observation.detections) == (score > 0.1)


def test_a_box_at_the_edge_stays_within_the_picture() -> None:
    """The corners go on beyond it, the box doesn't, and a person is told why it is unsure."""
    edge = Candidate(0.95, 10.0, 190.0, 70.0, 100.0, 0.0)
    observation = seen(faked(edge), table_with(edge))
    (found,) = observation.detections
    assert found.box[0] == 0.0
    assert min(x for x, _ in found.quad) < 0
    assert [str(each) for each in observation.doubts] == ["A tile lies at the picture's edge."]
    above = Candidate(0.95, 240.0, 30.0, 70.0, 100.0, 0.0)
    (found,) = seen(faked(above), table_with(above)).detections
    assert found.box[1] == 0.0


def test_drawn_tiles_are_read(recogniser: TilesRecogniser, table: TilesPicture) -> None:
    """All are found, and nine in ten at least read, of an edition that nobody sells."""
    observation = seen(recogniser, table.image)
    assert len(observation.detections) == len(table.pieces)
    assert right(observation, table.pieces) >= 0.9 * len(table.pieces)
    assert len(observation.sets) == len(table.rows)


def test_another_number_of_tiles_than_expected_is_asked_about(
    recogniser: TilesRecogniser, table: TilesPicture
) -> None:
    """Whoever counts a rack learns whether all were seen; none is dropped for it."""
    frame, number = Frame(0, datetime.now(UTC), table.image), len(table.pieces)
    assert "instead of" not in " ".join(map(str, recogniser(frame, number).doubts))
    fewer = recogniser(frame, number - 1)
    assert str(fewer.doubts[0]) == f"I see {number} tiles instead of {number - 1}."
    assert len(fewer.detections) == number


@pytest.mark.parametrize(
    "turned",
    [
        lambda image: np.rot90(image).copy(),
        lambda image: np.rot90(image, 2).copy(),
        lambda image: cv2.imdecode(cv2.imencode(".jpg", image)[1], cv2.IMREAD_COLOR),
        lambda image: cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA),
        lambda image: cv2.resize(image, None, fx=2.5, fy=2.5),
    ],
    ids=["quarter turn", "upside down", "as JPEG", "half as large", "larger"],
)
def test_copies_read_alike(
    recogniser: TilesRecogniser, table: TilesPicture, turned: object
) -> None:
    """Nothing but the tiles tells what lies there."""
    assert callable(turned)
    copy = np.asarray(turned(table.image), np.uint8)
    assert right(seen(recogniser, copy), table.pieces) >= 0.9 * len(table.pieces)


def test_a_table_without_tiles_is_an_empty_observation(recogniser: TilesRecogniser) -> None:
    """No tiles are no error and no doubt."""
    observation = seen(recogniser, tiles_picture(0, 1).image)
    assert (observation.detections, observation.sets, observation.doubts) == ((), (), ())


def gradient() -> Image:
    """From black to white, without an edge."""
    row = np.linspace(0, 255, 800)[None, :, None]
    return np.broadcast_to(row, (600, 800, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    "image",
    [np.zeros((1, 1, 3), np.uint8), np.full((20, 900, 3), 90, np.uint8), gradient()],
    ids=["a dot", "a stripe", "a gradient"],
)
def test_odd_pictures_are_read_without_an_error(recogniser: TilesRecogniser, image: Image) -> None:
    """None of them holds a tile."""
    assert seen(recogniser, image).detections == ()


def test_the_same_frame_reads_the_same(recogniser: TilesRecogniser, table: TilesPicture) -> None:
    """Down to the last digit, by another reader of the same model too."""
    assert seen(recogniser, table.image) == seen(TilesRecogniser(), table.image)


@pytest.mark.parametrize("lacking", ["calibration", "thresholds"])
def test_a_card_of_another_version_is_named(lacking: str) -> None:
    """Networks and card travel together; a card that lacks a figure is refused in a sentence."""
    whole = load_model("tiles")
    with pytest.raises(WeightsError, match="another version"):
        TilesRecogniser(Model(whole.networks, {**whole.card, lacking: {}}))


# The floors lie below what the shipped reader reaches; the photographs of the other edition are
# for the record alone, and no test reads them.
@pytest.mark.skipif(not PHOTOGRAPHS.is_dir(), reason="the photographs in ../shared are not at hand")
def test_photographs_kept_out_of_the_training_are_read(recogniser: TilesRecogniser) -> None:
    """At least 99 of a hundred tiles are found, and as many rightly read."""
    (photographs,) = read_sources(PHOTOGRAPHS)
    row = summarise("dev", score_photos(photographs, "dev", recogniser, open_to_read))
    assert row.photos > 40
    assert row.found >= 0.99
    assert row.right >= 0.99
