"""A family's own Rummikub set: how it is read, and when it plays in place of the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.vision.learn.drawn_set import learned
from tests.vision.learn.drawn_tiles import (
    NOON,
    ORDINARY,
    TABLE,
    examples,
    few_own_tiles,
    fives,
    own_tiles,
    pictures,
    tiles_on_table,
)
from vision.capture.frame import Frame, Image
from vision.learn.playing_sets import (
    TaughtTilesRecogniser,
    open_tiles,
    taught_tiles,
)
from vision.learn.prototypes import thumbnail
from vision.learn.quads import Format
from vision.learn.school import Inspected, School, TaughtPhoto, doubt, worst
from vision.learn.taught_sets import TaughtSet, TaughtSets
from vision.read.observation import Observation


def frame(image: Image) -> Frame:
    """A frame of the camera."""
    return Frame(1, NOON, image)


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
