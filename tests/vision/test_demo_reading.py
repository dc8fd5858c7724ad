"""The readers on the demo evenings: their pictures are photographs like any others."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest

from hardware.cameras.demo import DemoCamera, demo_pictures
from scoreboard.games.tongtong.cards import CARD_COLOURS, deck
from scoreboard.table.proposal import Proposal
from scoreboard.table.requests import Proposed
from tests.vision.changed_pictures import as_it_is, as_jpeg, from_the_other_side, is_inside, picture
from tests.web.demo_evening import SHOWN
from vision.capture.frame import Frame, Image
from vision.learn.taught_reader import TaughtRecogniser
from vision.learn.taught_sets import TaughtSet, TaughtSets
from vision.read.observation import Observation, Recogniser
from vision.read.readers import RECOGNISERS
from vision.watch.pipeline import Pictures, TablePipeline

TRUTHS: Final = Path(__file__).parents[1] / "hardware" / "cameras"
EVENING: Final = Path(str(demo_pictures()))
ROUND: Final = Path(str(demo_pictures("demo_rummikub")))
MATCH: Final = Path(str(demo_pictures("demo_tongtong")))
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
MOST_BYTES: Final = 3_000_000


def truth(evening: Path) -> dict[str, Any]:
    """What the pictures of an evening show."""
    return json.loads((TRUTHS / f"{evening.name}_truth.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def at_rest(folder: Path) -> Image:
    """The last picture of a roll or a table."""
    return picture(max(folder.iterdir()))


def read(recogniser: Recogniser, image: Image) -> Observation:
    """What is seen in a picture."""
    return recogniser(Frame(0, NOW, image))


def assert_placed(seen: Observation, labels: str, centres: Sequence[tuple[float, float]]) -> None:
    """Each label stands on a quadrangle around its middle."""
    for label, (x, y) in zip(labels.split(), centres, strict=True):
        around = [found.label for found in seen.detections if is_inside(found.quad, x, y)]
        assert around == [label], f"{label} at {x}, {y}"


def proposed(
    recogniser: Recogniser, steps: Mapping[str, Callable[[DemoCamera], object]], frames: int
) -> dict[str, list[tuple[int, Proposal]]]:
    """What the table's pipeline proposes at each step of the demo, and in which frame of it."""
    pipeline = TablePipeline(recogniser, Pictures())
    made: dict[str, list[tuple[int, Proposal]]] = {step: [] for step in steps}
    with DemoCamera(sleep=lambda _seconds: None) as camera:
        for at, (step, show) in enumerate(steps.items()):
            show(camera)
            for given in range(frames):
                number = at * frames + given
                frame = Frame(number, NOW + timedelta(seconds=number / 10), camera.capture().image)
                made[step] += [
                    (given, each.proposal)
                    for each in pipeline.feed(frame)
                    if isinstance(each, Proposed)
                ]
    return made


def by_a_quarter(image: Image) -> Image:
    """Turned by 90 degrees."""
    return np.ascontiguousarray(np.rot90(image))


def by_seventeen(image: Image) -> Image:
    """Turned by 17 degrees on a larger picture, so that no die is cut off."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 17, 1.0)
    cosine, sine = abs(turn[0, 0]), abs(turn[0, 1])
    size = (round(width * cosine + height * sine), round(width * sine + height * cosine))
    turn[:, 2] += ((size[0] - width) / 2, (size[1] - height) / 2)
    turned = cv2.warpAffine(image, turn, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(turned, dtype=np.uint8)


def mirrored(image: Image) -> Image:
    """Left and right swapped."""
    return np.ascontiguousarray(image[:, ::-1])


CHANGES: Final = (as_it_is, as_jpeg, by_a_quarter, from_the_other_side, by_seventeen, mirrored)


DICE: Final[dict[str, dict[str, Any]]] = {
    f"turn{turn:02}/throw{number}": throw
    for turn, throws in enumerate(truth(EVENING)["turns"])
    for number, throw in enumerate(throws)
}
ROLLS: Final = tuple(DICE)
each_roll = pytest.mark.parametrize(
    "rolls",
    [(ROLLS[0], ROLLS[-1]), pytest.param(ROLLS, marks=pytest.mark.slow)],
    ids=["first and last", "all"],
)


def rolled(name: str) -> str:
    """The values of a roll, ascending."""
    return "".join(map(str, sorted(DICE[name]["values"])))


@pytest.fixture(scope="module")
def dice_reader() -> Recogniser:
    """The dice reader as the table uses it."""
    return RECOGNISERS["dice"]()


@each_roll
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_roll_reads_as_what_it_shows(
    dice_reader: Recogniser, change: Callable[[Image], Image], rolls: tuple[str, ...]
) -> None:
    """All throws at rest, and copies of them packed again, turned and mirrored, read right."""
    seen = {name: read(dice_reader, change(at_rest(EVENING / name))) for name in rolls}
    assert {name: str(each.roll) for name, each in seen.items()} == {
        name: rolled(name) for name in rolls
    }


def test_the_shows_pictures_are_a_doubt_and_five_alike(dice_reader: Recogniser) -> None:
    """A glare makes a 4 of a 5, and the reader says so; the other one is sure."""
    show = Path(str(demo_pictures("demo_show")))
    glare, alike = (read(dice_reader, at_rest(show / f"{each}/throw0")) for each in SHOWN)
    assert str(glare.roll) == SHOWN["glare"]
    assert list(map(str, glare.doubts)) == ["Is this a 4 or a 5?"]
    assert (str(alike.roll), alike.doubts) == (SHOWN["five-alike"], ())


def test_every_die_is_read_where_it_lies(dice_reader: Recogniser) -> None:
    """Each die's value stands in a box around the middle of its top face."""
    for name, throw in DICE.items():
        seen = read(dice_reader, at_rest(EVENING / name)).detections
        for value, (x, y) in zip(throw["values"], throw["centres"], strict=True):
            labels = [
                found.label
                for found in seen
                if found.box[0] < x < found.box[2] and found.box[1] < y < found.box[3]
            ]
            assert str(value) in labels, f"{name}: {value} at {x}, {y}"


@pytest.mark.parametrize(("kind", "folder"), [("dice", EVENING), ("tiles", ROUND)])
def test_the_empty_table_shows_nothing(kind: str, folder: Path) -> None:
    """Before the first roll or tile nothing is read."""
    assert read(RECOGNISERS[kind](), picture(folder / "empty.webp")).detections == ()


@each_roll
def test_each_roll_of_the_evening_is_proposed_once_and_only_at_rest(
    dice_reader: Recogniser, rolls: tuple[str, ...]
) -> None:
    """The whole evening through the table's pipeline: nothing while anything moves, then once."""

    def show(name: str) -> Callable[[DemoCamera], object]:
        turn, throw = map(int, name.removeprefix("turn").split("/throw"))
        return lambda camera: camera.show(turn, throw)

    made = proposed(dice_reader, {name: show(name) for name in rolls}, 16)
    assert {
        name: [(given >= 6, str(each.roll)) for given, each in some] for name, some in made.items()
    } == {name: [(True, rolled(name))] for name in rolls}


TILES: Final[dict[str, dict[str, Any]]] = truth(ROUND)
FOLDERS: Final = tuple(TILES)
each_table = pytest.mark.parametrize(
    "folders",
    [(FOLDERS[0], FOLDERS[-1]), pytest.param(FOLDERS, marks=pytest.mark.slow)],
    ids=["first and last", "all"],
)


def in_any_order(folder: str, sets: list[str]) -> list[str]:
    """Sets to compare: in any order; of a rack all tiles together."""
    if folder.startswith("rack"):
        return sorted(" ".join(sets).split())
    return sorted(" ".join(sorted(each.split())) for each in sets)


@pytest.fixture(scope="module")
def tile_reader() -> Recogniser:
    """The tile reader as the table uses it."""
    return RECOGNISERS["tiles"]()


@each_table
@pytest.mark.parametrize("change", [as_it_is, as_jpeg, from_the_other_side])
def test_every_table_with_tiles_reads_as_what_lies_there(
    tile_reader: Recogniser, change: Callable[[Image], Image], folders: tuple[str, ...]
) -> None:
    """All tables at rest, packed again or seen from across too: the sets as they lie."""
    misread = {}
    for folder in folders:
        seen = read(tile_reader, change(at_rest(ROUND / folder)))
        sets = [" ".join(seen.detections[at].label for at in row.indices) for row in seen.sets]
        if in_any_order(folder, sets) != in_any_order(folder, TILES[folder]["sets"]):
            misread[folder] = f"shows {TILES[folder]['sets']}, read {sets}"
    assert misread == {}


def test_every_tile_is_read_where_it_lies_and_none_is_asked_about(tile_reader: Recogniser) -> None:
    """What is read right and lies in the open needs no second look."""
    for folder, shown in TILES.items():
        seen = read(tile_reader, at_rest(ROUND / folder))
        assert_placed(seen, " ".join(shown["sets"]), shown["centres"])
        assert seen.doubts == (), folder


@each_table
def test_each_table_is_proposed_once_and_only_at_rest(
    tile_reader: Recogniser, folders: tuple[str, ...]
) -> None:
    """The whole round through the table's pipeline: nothing under a hand, then each table once."""

    def show(folder: str) -> Callable[[DemoCamera], object]:
        step, table = folder.split("/throw")
        return lambda camera: camera.show_table(ROUND.name, step, int(table))

    made = proposed(tile_reader, {folder: show(folder) for folder in folders}, 12)
    for folder, some in made.items():
        ((given, each),) = some
        sets = [" ".join(each.pieces[at].label for at in row) for row in each.sets]
        assert in_any_order(folder, sets) == in_any_order(folder, TILES[folder]["sets"]), folder
        assert given >= len(list((ROUND / folder).iterdir())) - 1, folder


TABLES: Final[dict[str, dict[str, Any]]] = truth(MATCH)["tables"]
# Every third table with a trick, and all with piles: a reading costs the better part of a second.
SAMPLE: Final = [step for at, step in enumerate(TABLES) if at % 3 == 0 or step.startswith("piles")]
FIRST_TRICKS: Final = [f"play-{act:02}" for act in range(2, 11) if f"play-{act:02}" in TABLES]


def labels(seen: Observation) -> list[str]:
    """The cards that were read, in alphabetical order."""
    return sorted(each.label for each in seen.detections)


def lying(step: str) -> list[str]:
    """The cards that lie there, likewise."""
    return sorted(TABLES[step]["cards"].split())


@pytest.fixture(scope="module")
def taught() -> TaughtSet:
    """The set beside the pictures."""
    return TaughtSets(MATCH).load("bunting")


@pytest.fixture(scope="module")
def card_reader(taught: TaughtSet) -> TaughtRecogniser:
    """Its reader, as the table uses it."""
    return TaughtRecogniser(taught)


@pytest.fixture(scope="module")
def readings(card_reader: TaughtRecogniser) -> dict[str, Observation]:
    """The sample, read once."""
    return {step: read(card_reader, at_rest(MATCH / step / "throw0")) for step in SAMPLE}


@pytest.mark.slow
def test_the_deck_has_passed_its_examination(taught: TaughtSet) -> None:
    """All forty cards, read in photographs held back: none wrong without a doubt."""
    assert set(taught.likeness.faces) == set(map(str, deck(CARD_COLOURS)))
    assert taught.trusted
    assert taught.score is not None
    assert taught.score.held_back
    assert (taught.score.pieces, taught.score.right, taught.score.silent) == (40, 40, 0)


@pytest.mark.slow
def test_all_that_ships_is_small() -> None:
    """Pictures, prototypes and thumbnails together; and a picture for every table."""
    assert sum(path.stat().st_size for path in MATCH.rglob("*.*")) < MOST_BYTES
    assert {path.parents[1].name for path in MATCH.rglob("*.webp")} == set(TABLES)


@pytest.mark.slow
def test_every_table_with_cards_reads_as_what_lies_there(readings: dict[str, Observation]) -> None:
    """Every card; and nothing is asked about needlessly."""
    misread = {}
    for step, seen in readings.items():
        if labels(seen) != lying(step) or seen.doubts:
            misread[step] = f"shows {lying(step)}, read {labels(seen)} {[*map(str, seen.doubts)]}"
    assert misread == {}


@pytest.mark.slow
@pytest.mark.parametrize("change", [as_jpeg, from_the_other_side])
def test_pictures_read_the_same_once_they_were_changed(
    card_reader: TaughtRecogniser, change: Callable[[Image], Image]
) -> None:
    """Packed again or seen from across: some of them."""
    for step in SAMPLE[::6]:
        assert labels(read(card_reader, change(at_rest(MATCH / step / "throw0")))) == lying(step), (
            step
        )


@pytest.mark.slow
def test_every_card_is_read_where_it_lies(readings: dict[str, Observation]) -> None:
    """Each card's label stands on a quadrangle around its middle."""
    for step, seen in readings.items():
        assert_placed(seen, TABLES[step]["cards"], TABLES[step]["centres"])


@pytest.mark.slow
def test_each_card_of_a_trick_is_proposed_once(card_reader: TaughtRecogniser) -> None:
    """Three tricks through the table's pipeline: no card is overlooked, none told twice."""

    def show(step: str) -> Callable[[DemoCamera], object]:
        return lambda camera: camera.show_table(MATCH.name, step, 0)

    made = proposed(card_reader, {step: show(step) for step in FIRST_TRICKS}, 10)
    shown = {
        step: [sorted(piece.label for piece in each.pieces) for _, each in some]
        for step, some in made.items()
    }
    assert shown == {step: [lying(step)] for step in FIRST_TRICKS}
