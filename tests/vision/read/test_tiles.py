"""The tile reader as a whole: fake networks, drawn tables, and photographs where at hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoreboard.games.rummikub.tiles import CLASSIC, XP
from tests.benchmarks.tiles_picture import TilesPicture, tiles_picture
from tests.vision.read.fake_networks import FakeFinder, FakeReader, OutlineFinder, table_with
from tests.vision.read.tile_readings import LIMITS, lying, reading
from vision.capture.frame import Frame, Image, Pyramid
from vision.capture.photo import open_to_read
from vision.errors import WeightsError
from vision.evaluate.labels import read_sources
from vision.evaluate.scoring import ScoredSource, score_photos
from vision.read.confidence import ConfidenceModel
from vision.read.detection import Candidate
from vision.read.networks import FINDER, READER, Model, load_model
from vision.read.observation import Observation, SeenSet
from vision.read.tile_readings import read_tiles
from vision.read.tiles import InferredTiles, TilesRecogniser, aimed, inferred, reconsidered

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
    scores = score_photos(photographs, "dev", recogniser, open_to_read)
    row = ScoredSource("dev", tuple(scores)).row
    assert row.photos > 40
    assert row.found >= 0.99
    assert row.right >= 0.99


TABLE = "K7 R7 B7, O1 O2 O3, "  # two sets that were seen surely: a settled table
RACK = "K7 R2 B9 O4, O1 O2 O3, "  # a row that is none: loose tiles, or a rack

# why, the rows as the eye sees them, what is believed of the last row, and what is asked
BELIEVED = [
    ("sure tiles stay", TABLE + "B3 B4 B5", "B3 B4 B5", []),
    (
        "the set tells 6 from 9",
        TABLE + "K9 R6/9 B9",
        "K9 R9* B9",
        ["Told by the rules, not seen: R9."],
    ),
    (
        "the set fills a gap",
        TABLE + "K4 K5 ? K7",
        "K4 K5 K6* K7",
        ["Told by the rules, not seen: K6."],
    ),
    (
        "a row with a doubtful tile shows a settled table",
        "K7 R7 B7 O6/7@50, K9 R6/9 B9",
        "K9 R9* B9",
        ["Told by the rules, not seen: O7.", "Told by the rules, not seen: R9."],
    ),
    ("and one that can be no set does not", "K7 R2 B9 O6/7@50, K9 R6/9 B9", "K9 R6 B9", []),
    (
        "a row is asked about once",
        TABLE + "K4 K5 ? ? K8",
        "K4 K5 K6* K7* K8",
        ["Told by the rules, not seen: K6 K7."],
    ),
    ("nothing is settled on a rack", RACK + "K9 R6/9 B9", "K9 R6 B9", []),
    ("nor where no row was seen surely", "K9 R6/9 B9", "K9 R6 B9", []),
    ("nor by two tiles", "K7 R7, K9 R6/9 B9", "K9 R6 B9", []),
    (
        "the box speaks on a rack, too",
        RACK + "R2 R2 B12",
        "R2! R2! B12",
        ["A tile looks like R2, which does not fit."],
    ),
]


def answers(table: InferredTiles) -> Iterator[str]:
    """Each tile in notation: `*` where the rules chose it, `!` where they speak against it."""
    for each in table.settled:
        yield f"{each.piece or '?'}{'*' * each.inferred}{'!' * each.disputed}"


@pytest.mark.parametrize(
    ("why", "seen", "last", "asked"), BELIEVED, ids=lambda told: str(told)[:40]
)
def test_a_table_is_believed(why: str, seen: str, last: str, asked: list[str]) -> None:
    """Row by row: what the eye is sure of, what the sets tell, and what a person is asked."""
    table = inferred(lying(seen), LIMITS, CLASSIC)
    assert [*answers(table)][-len(last.split()) :] == last.split(), why
    assert [str(each) for each in table.doubts] == asked


# the row, what its set tells of each tile, whether it is legal, and by which rule
JUDGED = [
    ("K9 R6/9 B9", ("K9", "R9", "B9"), True, "RK-3"),
    ("K4 K5 ? K7", ("K4", "K5", "K6", "K7"), True, "RK-4"),
    ("B3 B4 B6", ("B3", "B4", "B6"), False, "RK-4"),
    ("B3 B4", ("B3", "B4"), False, "RK-8"),
    ("O9 O11 ?", ("O9", "O11", "?"), None, None),
    ("O9 R8@30", ("O9", "?"), None, None),
]


@pytest.mark.parametrize(("row", "pieces", "legal", "rule"), JUDGED, ids=[row[0] for row in JUDGED])
def test_a_set_is_judged_as_it_is_believed(
    row: str,
    pieces: tuple[str, ...],
    legal: bool | None,  # noqa: FBT001 - a column of the table
    rule: str | None,
) -> None:
    """Settled tiles count as what they are, unreadable and hardly readable ones as unknown."""
    last = inferred(lying(TABLE + row), LIMITS, CLASSIC).sets[-1]
    assert (last.pieces, last.legal, last.rule) == (pieces, legal, rule)


def test_tiles_come_in_reading_order() -> None:
    """However the finder told them; the sets' indices are those of that order."""
    tiles = lying(TABLE + "B3 B4 B5")
    table = inferred([tiles[at] for at in (5, 0, 8, 2, 3, 7, 1, 6, 4)], LIMITS, CLASSIC)
    assert list(table.readings) == tiles
    assert [each.indices for each in table.sets] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]


def test_a_larger_box_holds_more_of_each() -> None:
    """Three of a tile are one too many in the classic box, and none in the XP box."""
    tiles = lying("K7 K8 K9, K7 R7 B7, K7 O7 B7")
    assert inferred(tiles, LIMITS, CLASSIC).doubts
    assert not inferred(tiles, LIMITS, XP).doubts


def tile(angle: float, length: float = 100.0) -> Candidate:
    """Where it really lies."""
    return Candidate(0.9, 240.0, 190.0, 0.7 * length, length, angle)


def test_turn_place_and_size_are_reported_anew() -> None:
    """From a look that was off in all of them; the same end stays up."""
    for angle in (3.0, 40.0, 95.0, 181.0, 300.0):
        for length in (60.0, 180.0):
            true = tile(angle, length)
            off = replace(true, x=true.x + 5, y=true.y - 4, angle=angle + 18, height=1.1 * length)
            (told,) = aimed(OutlineFinder().network, Pyramid(table_with(true)), [off])
            assert (told.turn - angle + 180) % 360 - 180 == pytest.approx(0, abs=2.5)
            assert (told.x, told.y) == pytest.approx((true.x, true.y), abs=max(2, 0.03 * length))
            assert (told.width, told.height) == pytest.approx((true.width, true.height), rel=0.08)
            assert told.score == off.score


def test_what_lies_beside_is_another_tile() -> None:
    """A place where the second look sees nothing stays as it was."""
    beside = replace(tile(0), x=240.0 + 80)
    assert aimed(OutlineFinder().network, Pyramid(table_with(tile(0))), [beside]) == [beside]
    empty = Pyramid(np.full((400, 500, 3), 40, np.uint8))
    assert aimed(FakeFinder((), 500).network, empty, [beside]) == [beside]
    assert aimed(FakeFinder((), 500).network, empty, []) == []


def test_the_likelier_reading_counts() -> None:
    """Seen askew it is a black 5 to the fake reader; aimed anew it is the red 7 that it is."""
    true, picture = tile(40.0), Pyramid(table_with(tile(40.0)))
    reader = FakeReader(sure_of_7=0.95)
    first = read_tiles(reader.network, picture, [replace(true, angle=75.0)])
    assert [str(each.piece) for each in first] == ["K5"]
    (told,) = reconsidered(OutlineFinder().network, reader.network, picture, first)
    assert str(told.piece) == "R7"
    assert told.candidate.angle == pytest.approx(40, abs=2.5)


def test_sure_readings_cost_nothing_more() -> None:
    """Only what is doubtful is looked at again."""
    picture, reader = Pyramid(table_with(tile(40.0))), FakeReader()
    (first,) = read_tiles(reader.network, picture, [tile(40.0)])
    sure = replace(first, kinds=(0.0,) * 7 + (1.0,) + (0.0,) * 7, inks=(0.0, 1.0, 0.0, 0.0))
    finder = FakeFinder((), 500)
    assert reconsidered(finder.network, reader.network, picture, [sure]) == [sure]
    assert finder.looks == []


def test_two_places_of_one_tile_are_one() -> None:
    """The second look brings both to the same tile; the likelier reading stays."""
    true, picture = tile(40.0), Pyramid(table_with(tile(40.0)))
    reader = FakeReader(sure_of_7=0.95)
    twice = [replace(true, angle=75.0), replace(true, x=true.x + 15, y=true.y + 10, angle=10.0)]
    first = read_tiles(reader.network, picture, twice)
    (told,) = reconsidered(OutlineFinder().network, reader.network, picture, first)
    assert str(told.piece) == "R7"


def test_what_lies_half_under_another_is_none() -> None:
    """A rack's lower row hides the feet of the upper; what is hidden more is no tile of its own."""
    picture, finder = Pyramid(table_with(tile(40.0))), FakeFinder((), 500).network
    spots = [tile(0.0), replace(tile(0.0), y=190.0 + 40), replace(tile(0.0), x=240.0 + 62)]
    sure, half_under, beside = (
        replace(reading("R7", spot), present=present)
        for spot, present in zip(spots, (0.99, 0.9, 0.95), strict=True)
    )
    told = reconsidered(finder, FakeReader().network, picture, [half_under, sure, beside])
    assert told == [sure, beside]
