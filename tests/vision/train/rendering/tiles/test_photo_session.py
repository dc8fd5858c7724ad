"""Photographs of tiles by number, with a studio that traces nothing, and with one that does."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tests.vision.train.rendering.staging import GreyStudio
from tests.vision.train.rendering.tiles.staging import crop, dressed
from vision.train.rendering.__main__ import main
from vision.train.rendering.camera import any_exposure, denoise
from vision.train.rendering.evening import read_picture
from vision.train.rendering.studio import open_studio
from vision.train.rendering.tiles.edition import Printed
from vision.train.rendering.tiles.stage import in_colour, label_tiles, scenery, take_tiles
from vision.train.rendering.tiles.tile_poses import flat
from vision.train.rendering.training_photos import keep
from vision.train.tiles.photographs import read_rendered


def test_a_photograph_follows_from_its_seed_and_number() -> None:
    """The same twice, another one for another number or seed."""
    first = take_tiles(3, 8, GreyStudio())
    assert take_tiles(3, 8, GreyStudio()) == first
    assert take_tiles(3, 9, GreyStudio()).picture != first.picture
    assert take_tiles(4, 8, GreyStudio()).picture != first.picture


def test_training_reads_what_was_kept(tmp_path: Path) -> None:
    """Pictures and labels in the folder become tiled pictures, by number, as many as wanted."""
    for number in (4, 2):
        keep(tmp_path / "images", number, take_tiles(1, number, GreyStudio()))
    pictures = read_rendered(tmp_path)
    assert [picture.name for picture in pictures] == ["00002.jpg", "00004.jpg"]
    assert pictures[0].scene == "rendered"
    assert len(read_rendered(tmp_path, 1)) == 1


def test_a_photograph_is_never_without_colour() -> None:
    """A grey picture would hide what a tile is; the others stay as they are."""
    drawn = [any_exposure(np.random.default_rng(seed)) for seed in range(200)]
    assert min(how.saturation for how in drawn) == 0
    assert min(in_colour(how).saturation for how in drawn) > 0.5


def test_calming_takes_the_grain_and_leaves_the_print() -> None:
    """Even light on a printed edge: the noise falls, the edge stays where it is."""
    random = np.random.default_rng(0)
    paint = np.full((80, 80, 3), 0.8, dtype=np.float32)
    paint[:, 40:] = 0.1
    light = paint * random.gamma(8, 1 / 8, (80, 80, 1)).astype(np.float32)
    calmed = denoise(light, paint)
    assert np.std(calmed[:, :38]) < 0.25 * np.std(light[:, :38])
    assert calmed[:, 39].mean() > 4 * calmed[:, 40].mean()
    assert calmed[:, :38].mean() == pytest.approx(0.8, rel=0.08)


def test_the_tracer_sees_the_tiles_where_the_labels_say() -> None:
    """A traced tile fills its corners, its ink is the darkest there, and its back is elsewhere."""
    pytest.importorskip("mitsuba", reason="needs the training extra: pip install .[training]")
    staged = dressed([flat(Printed(8, 0), np.array([0.4, 0.2]), 0.5)])
    with open_studio(threads=1) as studio:
        shot = studio.trace(scenery(staged), 1)
    image = np.clip(shot.light * 160, 0, 255).astype(np.uint8)
    (label,) = label_tiles(staged, shot.seen, image)
    assert shot.paint is not None
    assert label.visible > 0.95
    assert not label.difficult
    upright = crop(shot.paint, label.quad)
    upper, lower = np.split(upright.mean(axis=2)[10:-10, 10:-10], 2)
    assert upper.min() < 0.3 < lower.min()


def test_a_sheet_shows_the_pictures_of_tiles(tmp_path: Path) -> None:
    """The command finds them in the cache's folder."""
    picture = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
    folder = tmp_path / "tiles" / "images"
    folder.mkdir(parents=True)
    (folder / "00000.jpg").write_bytes(picture)
    sheet = tmp_path / "sheet.jpg"
    result = CliRunner().invoke(main, ["tile-sheet", "--cache", str(tmp_path), "--out", str(sheet)])
    assert result.exit_code == 0, result.output
    assert read_picture(sheet).shape == (156, 9 * 208, 3)
