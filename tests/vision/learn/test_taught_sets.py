"""Taught sets on disk."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from tests.vision.learn.drawn_set import learned, row, specimens
from vision.errors import TaughtSetError
from vision.learn.prototypes import describe, thumbnail
from vision.learn.taught_sets import (
    DESCRIPTION,
    PROTOTYPES,
    ExaminationScore,
    TaughtSet,
    TaughtSets,
)

OLD = ("middle", "axes", "prototypes")  # what the first format held
SCORE = ExaminationScore(True, 50, 49, 2, 0, 3, 3)  # noqa: FBT003 -- held_back, the rest are counts


def taught(name: str = "Tong Tong 통통") -> TaughtSet:
    """The drawn deck as a set."""
    return TaughtSet(name, learned(), True, datetime(2026, 11, 22, tzinfo=UTC), SCORE)  # noqa: FBT003


def test_a_set_is_the_same_after_it_was_stored(tmp_path: Path) -> None:
    """Names, score, pictures and prototypes; distances change by less than a hundredth."""
    sets = TaughtSets(tmp_path / "sets")
    stored = sets.save(replace(taught(), pictures={"R4": row()[:30, :20]}))
    back = sets.load("Tong Tong 통통")
    assert {face: picture.shape for face, picture in back.pictures.items()} == {"R4": (30, 20, 3)}
    assert (back.score, back.revision) == (SCORE, 1)
    assert (back.name, back.trusted, back.taught_at) == (stored.name, True, stored.taught_at)
    assert back.likeness.faces == learned().faces
    crops = describe(np.stack([thumbnail(one, learned().size) for one in specimens((2,))]))
    np.testing.assert_allclose(
        back.likeness.distances(crops), learned().distances(crops), rtol=0.01, atol=0.01
    )


def test_dice_stay_dice(tmp_path: Path) -> None:
    """Whether pieces have sides is part of the set."""
    sets = TaughtSets(tmp_path)
    dice = replace(taught("Skulls"), likeness=replace(learned(), solid=True))
    sets.save(dice)
    assert sets.load("Skulls").likeness.solid
    sets.save(taught("Cards"))
    assert not sets.load("Cards").likeness.solid


def test_a_set_of_the_first_format_is_read_as_if_photographs_shared_nothing(tmp_path: Path) -> None:
    """It did not tell what a photograph's pieces share: each is judged by itself."""
    sets = TaughtSets(tmp_path)
    sets.save(taught("Skat"))
    description, prototypes = tmp_path / "Skat" / DESCRIPTION, tmp_path / "Skat" / PROTOTYPES
    with np.load(prototypes) as stored:
        np.savez_compressed(prototypes, **{each: stored[each] for each in OLD})
    told = tomllib.loads(description.read_text(encoding="utf-8"))
    text = description.read_text(encoding="utf-8").replace("format = 2", "format = 1")
    checksum = hashlib.sha256(prototypes.read_bytes()).hexdigest()
    description.write_text(text.replace(told["checksum"], checksum), encoding="utf-8")
    back = sets.load("Skat").likeness
    assert not back.shared.any()
    np.testing.assert_array_equal(back.prototypes, learned().prototypes)


def test_teaching_again_raises_the_revision_and_leaves_no_rest(tmp_path: Path) -> None:
    """The newer set stands in place of the older, with its own pictures alone."""
    sets = TaughtSets(tmp_path)
    assert sets.save(replace(taught(), pictures={"R1": row()[:20, :20]})).revision == 1
    assert sets.save(taught()).revision == 2
    assert sets.names() == ("Tong Tong 통통",)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Tong Tong 통통"]
    assert sorted(path.name for path in (tmp_path / "Tong Tong 통통").iterdir()) == [
        PROTOTYPES,
        DESCRIPTION,
    ]


def test_a_set_that_is_not_there_is_reported_with_those_that_are(tmp_path: Path) -> None:
    """The sentence names the others, or how to teach one."""
    sets = TaughtSets(tmp_path)
    with pytest.raises(TaughtSetError, match="nor any other: teach it"):
        sets.load("Uno")
    sets.save(taught("Skat"))
    with pytest.raises(TaughtSetError, match="there is: Skat"):
        sets.load("Uno")


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden", "x" * 61, "con\n"])
def test_a_name_that_is_no_folders_is_refused(tmp_path: Path, name: str) -> None:
    """Nothing is read or written outside the sets' own folder."""
    with pytest.raises(TaughtSetError, match="cannot name a set"):
        TaughtSets(tmp_path).load(name)


def test_damage_is_reported(tmp_path: Path) -> None:
    """Changed prototypes, a broken description and another version are each refused."""
    sets = TaughtSets(tmp_path)
    sets.save(taught("Skat"))
    description = tmp_path / "Skat" / DESCRIPTION
    text = description.read_text(encoding="utf-8")
    description.write_text(text.replace("format = 2", "format = 3"), encoding="utf-8")
    with pytest.raises(TaughtSetError, match="another Tablescore"):
        sets.load("Skat")
    description.write_text("faces = [", encoding="utf-8")
    with pytest.raises(TaughtSetError, match="is damaged; teach it again"):
        sets.load("Skat")
    description.write_text(text, encoding="utf-8")
    (tmp_path / "Skat" / PROTOTYPES).write_bytes(b"something else")
    with pytest.raises(TaughtSetError, match="is damaged"):
        sets.load("Skat")
    sets.save(taught("Skat"))
    (tmp_path / "Skat" / "face-00.jpg").write_bytes(b"torn")
    with pytest.raises(TaughtSetError, match="is damaged"):
        sets.load("Skat")
