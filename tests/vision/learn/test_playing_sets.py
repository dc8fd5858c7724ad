"""Taught sets that play: which one is chosen, how it is read, and what it corrects."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from scoreboard.games.rummikub.tiles import COLOURS, Tile, piece
from tests.vision.learn.drawn_set import FACES, learned, photograph, row
from tests.vision.learn.drawn_tiles import (
    NOON,
    ORDINARY,
    TABLE,
    examples,
    few_own_tiles,
    fives,
    own_tiles,
    pictures,
    quads,
    tiles_on_table,
)
from tests.vision.learn.whole_deck import keep, whole_deck
from tests.vision.read.fake_networks import FakeNetwork
from vision.capture.frame import Frame, Image, Pyramid
from vision.learn.playing_sets import (
    NO_DECK,
    TaughtTilesRecogniser,
    TileCorrection,
    open_cards,
    open_tiles,
    taught_deck,
    taught_tiles,
)
from vision.learn.prototypes import thumbnail
from vision.learn.quads import Format
from vision.learn.school import Inspected, School, TaughtPhoto, doubt, worst
from vision.learn.taught_reader import TILE_FACES
from vision.learn.taught_sets import PROTOTYPES, TaughtSet, TaughtSets
from vision.read.detection import Candidate
from vision.read.networks import Network
from vision.read.observation import Observation
from vision.read.tile_readings import KINDS, TileReading
from vision.watch.proposals import merge, proposal


def frame(image: Image, number: int = 1) -> Frame:
    """A frame of the camera."""
    return Frame(number, NOON, image)


class Model:
    """A model that answers, and reads nothing."""

    name = "model"

    def __call__(self, frame: Frame, expected: int | None = None) -> Observation:  # noqa: ARG002
        return Observation(frame.sequence, self.name)


def chosen(folder: Path) -> str | None:
    """The name of the set that Rummikub's tiles are read with."""
    taught = taught_tiles(TaughtSets(folder))
    return None if taught is None else taught.name


@pytest.mark.parametrize("taught", [few_own_tiles, pytest.param(own_tiles, marks=pytest.mark.slow)])
def test_sets_that_touch_are_read_with_their_rules(taught: Callable[[], TaughtSet]) -> None:
    """Tile by tile in reading order, with corners and turn; each row is a set by its rule."""
    seen = TaughtTilesRecogniser(taught())(frame(tiles_on_table(TABLE, 2, gap=0.0)))
    assert seen.recogniser == "taught:Ours"
    assert seen.labels == tuple(" ".join(TABLE).split())
    assert [each.legal for each in seen.sets] == [True, True, True]
    assert [each.rule for each in seen.sets] == ["RK-4", "RK-3", "RK-4"]
    for each in seen.detections:
        assert len(each.quad) == 4
        assert min(each.angle, 360 - each.angle) < 10


def test_an_ordinary_box_is_read_as_if_untaught() -> None:
    """Even where what was learned of its faces is worth nothing."""
    taught = replace(few_own_tiles(), pictures=pictures(ORDINARY))
    rows = ["K8 K9 K10", "R12 B12 O12"]
    seen = TaughtTilesRecogniser(taught)(frame(tiles_on_table(rows, 2, 0.0, ORDINARY)))
    assert seen.labels == tuple(" ".join(rows).split())


def test_a_set_that_is_not_trusted_asks() -> None:
    """As any taught set does."""
    taught = few_own_tiles(trusted=False)
    seen = TaughtTilesRecogniser(taught)(frame(tiles_on_table(["K1 K2 K3"], 2, gap=0.0)))
    assert "The set “Ours” has not passed its test: check every piece." in map(str, seen.doubts)


def test_a_set_without_all_faces_is_no_set_of_tiles() -> None:
    """It cannot play Rummikub."""
    with pytest.raises(ValueError, match="no set of tiles"):
        TaughtTilesRecogniser(TaughtSet("Cards", learned(), trusted=True, taught_at=NOON))


@pytest.mark.slow
def test_the_newest_trusted_set_plays_until_another_is_chosen(tmp_path: Path) -> None:
    """Without a choice an untrusted one never does; the model can be chosen, too."""
    sets = TaughtSets(tmp_path)
    sets.save(few_own_tiles("Untrusted", trusted=False))
    assert chosen(tmp_path) is None
    sets.save(few_own_tiles("Old"))
    sets.save(few_own_tiles("New", taught_at=NOON + timedelta(hours=1)))
    newer = NOON + timedelta(hours=2)
    sets.save(TaughtSet("Cards", learned(), trusted=True, taught_at=newer))
    assert chosen(tmp_path) == "New"
    for name, plays in (("Untrusted", "Untrusted"), ("", None), ("Deleted", None)):
        sets.choose_tiles(name)
        assert chosen(tmp_path) == plays


def test_the_set_plays_in_place_of_the_model_from_the_next_frame_on(tmp_path: Path) -> None:
    """And the model again once it is chosen; what is read is called tiles either way."""
    sets = TaughtSets(tmp_path)
    read = open_tiles(sets, Model())
    image = tiles_on_table(["K1 K2 K3"], 2, gap=0.0)
    assert read(frame(image)).labels == ()
    sets.save(few_own_tiles())
    seen = read(frame(image))
    assert (seen.recogniser, seen.labels) == ("tiles", ("K1", "K2", "K3"))
    sets.choose_tiles("")
    assert (read(frame(image)).labels, read.name) == ((), "tiles")


def inspected(image: Image, faces: tuple[str, ...]) -> Inspected:
    """A photograph of these faces, looked at by a school."""
    school = School(TaughtSets(Path()), lambda _: image, lambda: NOON)
    return school.inspect([TaughtPhoto(Path("x.png"), faces, 0)], tiles=True)[0]


def test_five_tiles_of_a_photo_are_found_and_outlined() -> None:
    """Where one is missing, what was found is outlined all the same."""
    five = fives()[0]
    image = tiles_on_table([" ".join(five)], 1)
    good = inspected(image, five)
    assert [one.face for one in good.specimens] == [*five]
    assert len(good.outlines) == 5
    few = inspected(image, (*five, "K6"))
    assert str(few.problem).startswith("5 pieces were found where 6 were told")
    assert len(few.outlines) == 5


def known() -> dict[str, list[Image]]:
    """A piece of each of ten faces, laid flat."""
    size = Format.of(160 / 112)
    return {one.face: [thumbnail(one, size)] for one in examples(0, fives()[:2])}


def test_two_tiles_with_exchanged_names_contradict_what_is_known() -> None:
    """The fault names both; in their order nothing speaks against them."""
    five = fives()[1]
    good = inspected(tiles_on_table([" ".join(five)], 1), five)
    assert doubt(good.specimens, known()) is None
    named = (five[1], five[0], *five[2:])
    wrong = inspected(tiles_on_table([" ".join(five)], 1), named)
    fault = doubt(wrong.specimens, known())
    assert fault is not None
    assert "in the order of the photo" in str(fault)
    assert five[0] in str(fault) or five[1] in str(fault)


def test_the_worst_example_is_the_one_that_looks_like_no_other() -> None:
    """Another face among five; light alone does not make a piece the worst."""
    size = Format.of(160 / 112)
    pieces = [thumbnail(one, size) for at in (0, 1, 2) for one in examples(at, [["K3"]])]
    strange = [thumbnail(one, size) for one in examples(0, [["R12"]])]
    assert worst([*pieces[:2], *strange, *pieces[2:]]) == 2


LATER = NOON + timedelta(hours=1)


def chosen_deck(folder: Path) -> str | None:
    """The name of the deck that is read with."""
    deck = taught_deck(TaughtSets(folder))
    return None if deck is None else deck.name


def test_without_a_deck_the_players_are_reported_and_nothing_is_seen(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A set that lacks some cards is no deck; and the log is left alone."""
    read = open_cards(TaughtSets(tmp_path))
    for number in range(3):
        seen = read(frame(row(), number))
        assert (seen.detections, seen.doubts, seen.hindrance) == ((), (), NO_DECK)
    keep(tmp_path, "Five", NOON, learned())
    assert read(frame(row())).hindrance == NO_DECK
    assert read.name == "cards"
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


def test_a_deck_that_is_taught_meanwhile_is_read_with_at_once(tmp_path: Path) -> None:
    """And no more once it is deleted."""
    sets = TaughtSets(tmp_path)
    read = open_cards(sets)
    assert read(frame(row())).hindrance == NO_DECK
    keep(tmp_path, "Deck", NOON, whole_deck())
    seen = read(frame(row(scene=2)))
    assert (seen.labels, seen.hindrance, seen.recogniser) == (FACES, None, "cards")
    for path in (tmp_path / "Deck").iterdir():
        path.unlink()
    assert read(frame(row())).hindrance == NO_DECK


def test_the_newest_trusted_deck_goes_first(tmp_path: Path) -> None:
    """One that is not trusted only where no other is."""
    keep(tmp_path, "Doubtful", LATER, whole_deck(), trusted=False)
    assert chosen_deck(tmp_path) == "Doubtful"
    keep(tmp_path, "Old", NOON, whole_deck())
    assert chosen_deck(tmp_path) == "Old"
    keep(tmp_path, "New", LATER, whole_deck())
    assert chosen_deck(tmp_path) == "New"


def test_a_damaged_deck_is_passed_over(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log says which, once."""
    keep(tmp_path, "Torn", LATER, whole_deck())
    keep(tmp_path, "Whole", NOON, whole_deck())
    (tmp_path / "Torn" / PROTOTYPES).write_bytes(b"torn")
    read = open_cards(TaughtSets(tmp_path))
    for number in range(3):
        assert read(frame(photograph((), 0), number)).hindrance is None
    assert [each.message for each in caplog.records] == [
        "The taught set “Torn” is damaged; teach it again."
    ]


def test_faces_that_are_no_cards_are_left_out(tmp_path: Path) -> None:
    """A deck may be taught with its back, which is then no piece of a trick."""
    known = whole_deck("back")
    prototypes = known.prototypes.copy()
    prototypes[-1], prototypes[FACES.index("B1")] = known.prototypes[2], known.prototypes[-1]
    keep(tmp_path, "Deck", NOON, replace(known, prototypes=prototypes))
    seen = open_cards(TaughtSets(tmp_path))(frame(row(scene=2)))
    assert seen.labels == ("R1", "R4", "B4", "G7")


def test_cards_become_one_row_of_pieces(tmp_path: Path) -> None:
    """Through the consensus of readings, which keeps their corners, to the proposal."""
    keep(tmp_path, "Deck", NOON, whole_deck())
    read = open_cards(TaughtSets(tmp_path))
    merged = merge([read(frame(row(scene=scene), scene)) for scene in (0, 1)])
    assert all(len(each.quad) == 4 for each in merged.detections)
    made = proposal(merged, frame(row(), 9))
    assert [each.label for each in made.pieces] == list(FACES)
    assert (made.sets, made.sightings) == (((0, 1, 2, 3, 4),), ())


def figures(face: str) -> list[float]:
    """What the network gives for a face that it sees surely."""
    shown, kinds, inks = piece(face), [0.001] * KINDS, [0.002] * len(COLOURS)
    kinds[shown.number if isinstance(shown, Tile) else KINDS - 1] = 0.986
    if isinstance(shown, Tile):
        inks[COLOURS.index(shown.colour)] = 0.994
    return [*kinds, *inks, 0.0, 1.0]


@dataclass
class Answers(FakeNetwork):
    """Answers with these figures, one crop after the other."""

    figures: list[list[float]]

    def answer(self, pixels: Any) -> NDArray[np.float32]:
        return np.array([self.figures.pop(0) for _ in pixels], np.float32)


def network(seen_as: Mapping[str, str]) -> Network:
    """One that sees the taught faces as they are, but for these."""
    return Answers([figures(seen_as.get(face, face)) for face in TILE_FACES]).network


def read(*faces: str) -> list[TileReading]:
    """A row of two tiles as the network reads it."""
    seen = [np.split(np.array(figures(face)), [KINDS, KINDS + len(COLOURS)]) for face in faces]
    return [
        TileReading(
            Candidate.of_corners(quad, 0.9), tuple(kinds), tuple(inks), 0.0, 1.0, (-1.5, -1.4, -1.3)
        )
        for quad, (kinds, inks, _) in zip(quads(2, 40, 0.5), seen, strict=True)
    ]


NUMBER = {f"{colour}3": f"{colour}4" for colour in COLOURS}
INK = {f"K{number}": f"B{number}" for number in range(1, 14)}


@pytest.mark.parametrize(
    ("seen_as", "seen", "labels"),
    [
        ({}, ("K3", "K4"), ["K3", "K4"]),
        ({}, ("K4", "K3"), ["K4", "K3"]),
        (NUMBER, ("K4", "K4"), ["K3", "K4"]),
        (INK, ("B3", "B4"), ["K3", "K4"]),
    ],
    ids=["an ordinary set", "a sure network", "confused figures", "confused inks"],
)
def test_the_taught_faces_tell_only_what_the_network_confuses(
    seen_as: Mapping[str, str], seen: tuple[str, str], labels: list[str]
) -> None:
    """On a picture of K3 and K4: what it reads right of this set is read as if untaught."""
    correct = TileCorrection(network(seen_as), few_own_tiles())
    found = correct(Pyramid(tiles_on_table(["K3 K4"], 2)), read(*seen))
    assert [each.label for each in found] == labels
    assert min(each.likelihood for each in found) > 0.9


def test_without_pictures_of_its_faces_the_network_is_believed() -> None:
    """A set whose folder lost them reads no worse than none."""
    bare = replace(few_own_tiles(), pictures={})
    found = TileCorrection(network({}), bare)(Pyramid(tiles_on_table(["K3 K4"])), read("K4", "K3"))
    assert [each.label for each in found] == ["K4", "K3"]
