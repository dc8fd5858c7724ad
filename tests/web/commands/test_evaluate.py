"""`tablescore evaluate`."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from click.testing import CliRunner, Result

from web.__main__ import tablescore


def evaluate(*arguments: str) -> Result:
    """Call the command."""
    return CliRunner().invoke(tablescore, ["evaluate", *arguments])


def labelled(folder: Path, name: str, splits: tuple[str, ...]) -> None:
    """A source of black photographs without dice."""
    images = folder / name / "images"
    images.mkdir(parents=True)
    lines = []
    for number, split in enumerate(splits):
        file = f"{number}.png"
        (images / file).write_bytes(
            cv2.imencode(".png", np.zeros((64, 96, 3), np.uint8))[1].tobytes()
        )
        lines.append(json.dumps({"file": file, "split": split, "dice": []}))
    (folder / name / "labels.jsonl").write_text("\n".join(lines))


def test_each_source_is_a_row_and_then_all(tmp_path: Path) -> None:
    """The table names every figure that is promised."""
    labelled(tmp_path, "north", ("dev", "train"))
    labelled(tmp_path, "south", ("dev",))
    result = evaluate(str(tmp_path))
    assert result.exit_code == 0
    head, north, south, together = result.stdout.splitlines()
    assert " ".join(head.split()) == (
        "source photos pieces found right false/photo exact silent needless median ms p95 ms"
    )
    assert north.split()[:2] == ["north", "2"]
    assert south.split()[:2] == ["south", "1"]
    assert together.startswith("all together")


def test_json_is_one_object_a_source(tmp_path: Path) -> None:
    """A split narrows what is read."""
    labelled(tmp_path, "north", ("dev", "train"))
    result = evaluate(str(tmp_path), "--split", "dev", "--json")
    (row,) = map(json.loads, result.stdout.splitlines())
    assert (row["source"], row["photos"], row["pieces"]) == ("north", 1, 0)


def test_a_folder_without_labels_is_told(tmp_path: Path) -> None:
    """One sentence, exit status 1."""
    result = evaluate(str(tmp_path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "holds no labels.jsonl" in result.stderr
    assert result.stderr.count("\n") == 1
