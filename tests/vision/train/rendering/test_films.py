"""The scripts of the filmed clips, and how a frame is made of what was drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.capture.frame import Image
from vision.train.rendering.films import (
    FRAMES_PER_SECOND,
    Director,
    Film,
    FilmError,
    FilmFrame,
    clips,
    frames,
    scenes,
    write_clip,
    write_truth,
)
from vision.train.rendering.tracing import LOOKS, Scene

COMMITTED = Path(__file__).parents[2] / "clips" / "truth.json"


@pytest.fixture(scope="module")
def films() -> dict[str, Film]:
    """Every clip's script, told once for all tests."""
    return clips()


def test_the_committed_truth_is_that_of_the_scripts(films: dict[str, Film], tmp_path: Path) -> None:
    """The same seeds give the same rolls, so clips and truth can be made again."""
    write_truth(tmp_path / "truth.json", films)
    assert json.loads((tmp_path / "truth.json").read_text()) == json.loads(COMMITTED.read_text())


def test_few_pictures_have_to_be_drawn(films: dict[str, Film]) -> None:
    """Frames in which nothing moves are one scene; all clips together need less than 200."""
    drawn = scenes(films.values())
    assert len(drawn) == len(set(drawn)) < 200
    assert sum(len(film.frames) for film in films.values()) > 3 * len(drawn)


def test_rest_begins_with_the_first_frame_that_equals_the_later_ones(
    films: dict[str, Film],
) -> None:
    """From an act's rest to the next act the same scene lies there; before it another one."""
    for name, film in films.items():
        ends = [act.first for act in film.truth[1:]] + [len(film.frames)]
        for act, end in zip(film.truth, ends, strict=True):
            resting = {film.frames[frame].scene for frame in range(act.rest, end)}
            assert len(resting) == 1, (name, act)
            faces = sorted(pose.top for pose in next(iter(resting)).dice)
            assert "".join(map(str, faces)) == act.roll
            if act.kind in {"throw", "take", "pass over"}:
                assert film.frames[act.rest - 1].scene not in resting


def test_acts_move_what_they_say() -> None:
    """A nudge moves one die by as much as it says; taken dice are gone; light and sway stay."""
    director = Director(LOOKS[0], seed=4)
    director.roll(3)
    director.wait(0.2)
    before = director.film.frames[-1].scene.dice
    director.nudge(0.5)
    director.wait(0.2)
    after = director.film.frames[-1].scene.dice
    assert np.linalg.norm(np.subtract(after[0].position, before[0].position)) == pytest.approx(0.5)
    assert after[1:] == before[1:]
    director.take(kept=1)
    director.dim(0.5, frames=2)
    director.shake(1.0)
    director.wait(1.0)
    *_, last = director.film.frames
    assert last.scene.dice == after[:1]
    assert last.gain == 0.5
    assert len({frame.shift for frame in director.film.frames[-FRAMES_PER_SECOND:]}) > 10
    assert [act.proposed for act in director.film.truth] == [True, True, True, False, False]


def test_a_die_that_whirls_ends_where_it_fell() -> None:
    """The roll's rest is that of the last die."""
    director = Director(LOOKS[0], seed=4)
    director.roll(2, spinning_seconds=1.0)
    director.wait(0.4)
    (told,) = director.film.truth
    poses = [frame.scene.dice for frame in director.film.frames]
    assert len(set(poses[told.rest - FRAMES_PER_SECOND : told.rest])) == FRAMES_PER_SECOND
    assert all(one[1:] == poses[-1][1:] for one in poses[told.rest - FRAMES_PER_SECOND :])


def drawing() -> tuple[Callable[[Scene], Image], list[Scene]]:
    """What draws grey pictures with a bright patch, and the scenes it was asked for."""
    asked: list[Scene] = []

    def draw(scene: Scene) -> Image:
        asked.append(scene)
        image = np.full((480, 640, 3), 100, np.uint8)
        image[200:280, 300:380] = 200
        return image

    return draw, asked


def test_frames_have_light_sway_and_fresh_noise() -> None:
    """A scene is drawn once as long as it lasts; no two frames are the same."""
    scene = Scene(LOOKS[0], (), None, 1, 1)
    shot = (
        FilmFrame(scene),
        FilmFrame(scene),
        FilmFrame(scene, 0.5),
        FilmFrame(scene, 1.0, (10.0, 0.0)),
    )
    draw, asked = drawing()
    still, again, dark, swayed = frames(Film(shot, ()), draw, seed=1)
    assert len(asked) == 1
    assert still.shape == (240, 320, 3)
    assert 0 < np.abs(still.astype(int) - again).mean() < 4
    assert dark.mean() == pytest.approx(still.mean() / 2, rel=0.03)
    assert swayed[120, 155].mean() < 110 < still[120, 155].mean()
    assert swayed[120, 198].mean() > 190 > still[120, 198].mean()


def test_a_clip_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """No half clip passes for a whole one."""
    with pytest.raises(FilmError, match="cannot be written"):
        write_clip(tmp_path / "a.mp4", iter(()), "XXXX")
