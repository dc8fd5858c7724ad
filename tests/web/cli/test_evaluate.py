"""`tablescore evaluate`."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from tests.web.cli.calling import call


def labelled(folder: Path, name: str, splits: tuple[str, ...], *dice: dict[str, int]) -> None:
    """A source of sharp photographs without dice, whatever the labels claim."""
    picture = np.zeros((64, 96, 3), np.uint8)
    picture[:, 48:] = 255
    images = folder / name / "images"
    images.mkdir(parents=True)
    lines = []
    for number, split in enumerate(splits):
        file = f"{number}.png"
        (images / file).write_bytes(cv2.imencode(".png", picture)[1].tobytes())
        lines.append(json.dumps({"file": file, "split": split, "dice": dice}))
    (folder / name / "labels.jsonl").write_text("\n".join(lines))


def test_each_source_is_a_row_and_then_all(tmp_path: Path) -> None:
    """The table names every figure that is promised."""
    labelled(tmp_path, "north", ("dev", "train"))
    labelled(tmp_path, "south", ("dev",))
    result = call("evaluate", str(tmp_path))
    assert result.exit_code == 0
    head, north, south, together = result.stdout.splitlines()[:4]
    assert " ".join(head.split()) == (
        "source photos pieces found right false/photo exact silent needless median ms p95 ms "
        "right of 20 px"
    )
    assert north.split()[:2] == ["north", "2"]
    assert south.split()[:2] == ["south", "1"]
    assert together.startswith("all together")


def test_reliability_and_confusion_stand_below_the_table(tmp_path: Path) -> None:
    """They are those of all photographs: a missed die stands in the last column of its row."""
    die = {"x": 10, "y": 10, "w": 30, "h": 30, "value": 5}
    labelled(tmp_path, "north", ("dev",), die)
    result = call("evaluate", str(tmp_path))
    assert "expected calibration error 0.0000, AUROC of right against wrong -" in result.stdout
    *_, head, one, two, three, four, five, six, none = result.stdout.splitlines()
    assert head.split()[-4:] == ["6", "?", "not", "found"]
    assert five.split() == ["5", *"0000000", "1"]
    assert all(set(row.split()[-8:]) == {"0"} for row in (one, two, three, four, six, none))


def test_a_photo_in_which_nothing_is_found_is_never_silent(tmp_path: Path) -> None:
    """Whether or not the reader knows that a die lies there."""
    labelled(tmp_path, "north", ("dev",), {"x": 10, "y": 10, "w": 30, "h": 30, "value": 5})
    silent = [
        json.loads(call("evaluate", str(tmp_path), "--json", *more).stdout)["silent"]
        for more in ((), ("--count",))
    ]
    assert silent == [0.0, 0.0]


def test_what_dice_show_is_asked_photo_by_photo(tmp_path: Path) -> None:
    """Each answer is kept at once, a bad one is asked again, and what is known is not asked."""
    for name in ("b.PNG", "a.png", "c.png", "._c.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((64, 96, 3), np.uint8))
    values = tmp_path / "values.txt"
    values.write_text("a.png 0", encoding="utf-8")
    broken_off = call("evaluate", str(tmp_path), "--label", typed="seven\n355\n")
    assert broken_off.exit_code == 1
    assert "as in 3 5 5" in broken_off.output
    assert values.read_text(encoding="utf-8") == "a.png 0\nb.PNG 355\n"
    result = call("evaluate", str(tmp_path), "--label", typed="0\n")
    assert result.output.startswith("c.png shows: 0\n")
    assert result.output.splitlines()[2].split()[1:4] == ["3", "3", "0.0%"]


def test_values_of_other_pieces_are_not_asked(tmp_path: Path) -> None:
    """A usage error, before anything is asked."""
    result = call("evaluate", str(tmp_path), "--label", "--pieces", "tiles")
    assert result.exit_code == 2
    assert "--label asks for dice" in result.stderr


def test_a_photo_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    """With the cure."""
    (tmp_path / "values.txt").write_text("IMG_1.heic 3", encoding="utf-8")
    (tmp_path / "IMG_1.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    result = call("evaluate", str(tmp_path))
    assert result.exit_code == 1
    assert "IMG_1.heic: HEIC and AVIF pictures cannot be read" in result.stderr


def test_json_is_one_object_a_source(tmp_path: Path) -> None:
    """A split narrows what is read."""
    labelled(tmp_path, "north", ("dev", "train"))
    result = call("evaluate", str(tmp_path), "--split", "dev", "--json")
    (row,) = map(json.loads, result.stdout.splitlines())
    assert (row["source"], row["photos"], row["pieces"]) == ("north", 1, 0)
    assert list(row) == [
        *("source", "photos", "pieces", "found", "right", "false_per_photo", "exact", "silent"),
        *("needless", "median_milliseconds", "p95_milliseconds", "pieces_of_20px"),
        *("right_of_20px", "calibration_error", "auroc", "bins", "bars", "confusion"),
    ]
    assert row["confusion"]["face"]["nothing"]["?"] == 0
