"""Labelled photographs: the format is read, and every fault is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vision.errors import LabelError
from vision.evaluate.labels import LabelledPiece, read_sources

DIE = {"x": 1, "y": 2, "w": 10, "h": 20}
LINE = {
    "file": "a.jpg",
    "split": "dev",
    "box_kind": "whole visible die",
    "dice": [
        {"x": 1, "y": 2, "w": 10, "h": 20, "value": 5},
        {"x": 0, "y": 0, "w": 4, "h": 4, "value": None, "symbol": True},
    ],
}


def write_source(folder: Path, *lines: object) -> Path:
    """Write a source's labels, each line as JSON or, if it is text, as it stands."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / "labels.jsonl").write_text("\n".join(texts), encoding="utf-8")
    return folder


def test_a_folder_with_labels_is_one_source(tmp_path: Path) -> None:
    """Boxes become left, top, right, bottom; logo faces are marked; blank lines don't count."""
    (source,) = read_sources(write_source(tmp_path / "kitchen", LINE, ""))
    (photograph,) = source.photographs
    assert source.name == "kitchen"
    assert photograph.path == tmp_path / "kitchen" / "images" / "a.jpg"
    assert (photograph.split, photograph.whole) == ("dev", True)
    assert photograph.pieces == (
        LabelledPiece((1, 2, 11, 22), "5"),
        LabelledPiece((0, 0, 4, 4), "?", optional=True),
    )


def test_a_folder_of_sources_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    """Other folders and files beside the sources are passed over."""
    write_source(tmp_path / "b", LINE)
    write_source(tmp_path / "a", {**LINE, "box_kind": "top face only"})
    (tmp_path / "notes").mkdir()
    first, second = read_sources(tmp_path)
    assert (first.name, second.name) == ("a", "b")
    assert not first.photographs[0].whole


def test_tiles_are_labelled_in_their_notation(tmp_path: Path) -> None:
    """A turned tile has its own shorter side; what is cut off is optional; crops don't count."""
    turned = {
        "x": 0,
        "y": 0,
        "w": 42,
        "h": 42,
        "colour": "orange",
        "number": 10,
        "quad": [[0, 21], [21, 0], [42, 21], [21, 42]],
    }
    joker = {"x": 50, "y": 0, "w": 20, "h": 30, "colour": "red", "joker": True, "truncated": True}
    line = {"file": "a.jpg", "split": "dev", "scene": "cloth", "tiles": [turned, joker]}
    (source,) = read_sources(write_source(tmp_path, line, {**line, "kind": "crop"}))
    (photograph,) = source.photographs
    ten, cut_off = photograph.pieces
    assert photograph.scene == "cloth"
    assert (ten.label, round(ten.shorter_side, 1), ten.optional) == ("O10", 29.7, False)
    assert (cut_off.label, cut_off.shorter_side, cut_off.optional) == ("J", 20, True)


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        ("IMG_1.jpg 3 5 5", "IMG_1.jpg", "355"),
        ("IMG_1.jpg: 355", "IMG_1.jpg", "355"),
        ("Mein Wurf 1.2.JPEG\t3, 5,5 ", "Mein Wurf 1.2.JPEG", "355"),
        ("empty.png 0", "empty.png", ""),
    ],
)
def test_typed_values_are_labels_enough(tmp_path: Path, line: str, name: str, values: str) -> None:
    """A name and what each die shows, in whatever way it is typed; where they lie is unknown."""
    (tmp_path / "values.txt").write_text(f"{line}\n\n", encoding="utf-16")
    (source,) = read_sources(tmp_path)
    (photograph,) = source.photographs
    assert photograph.path == tmp_path / name
    assert "".join(each.label for each in photograph.pieces) == values
    assert not photograph.placed


@pytest.mark.parametrize("broken", ["IMG_1.jpg", "IMG_1.jpg 3 7", "3 5 5", "IMG_1 355"])
def test_a_line_without_name_or_values_is_named(tmp_path: Path, broken: str) -> None:
    """The error tells the line's number, the file, and how such a line is written."""
    (tmp_path / "values.txt").write_text(f"a.jpg 0\n{broken}", encoding="utf-8")
    with pytest.raises(LabelError, match=r"Line 2 of .*values\.txt .* as in “IMG_1.jpg 3 5 5”"):
        read_sources(tmp_path)


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        ("{", "is no JSON: Expecting property name"),
        ("[1]", "is no label"),
        ("[" * 9000, "is no label"),
        ('{"file": "a.jpg"}', "lacks 'split'"),
        ('{"file": 1, "split": "dev"}', "lacks 'dice'"),
        ({**LINE, "dice": [{**DIE, "value": float("inf")}]}, "is no label"),
        ({**LINE, "tiles": [{**DIE, "joker": True, "quad": [1]}]}, "is no label"),
    ],
)
def test_an_unreadable_line_is_named(tmp_path: Path, broken: object, fault: str) -> None:
    """The error tells the line's number, the file and what is wrong."""
    folder = write_source(tmp_path / "kitchen", LINE, broken)
    with pytest.raises(LabelError, match=rf"Line 2 of .*labels\.jsonl {fault}"):
        read_sources(folder)


@pytest.mark.parametrize("encoding", ["cp1252", "cp949", "utf-16-le"])
def test_labels_in_another_encoding_are_refused_with_the_cure(
    tmp_path: Path, encoding: str
) -> None:
    """Names of files and scenes in any other than UTF-8 could be taken for others."""
    words = "주사위" if encoding == "cp949" else "Küche"
    (tmp_path / "labels.jsonl").write_bytes(json.dumps(words, ensure_ascii=False).encode(encoding))
    with pytest.raises(LabelError, match=r"labels\.jsonl is no text in UTF-8; save it as such"):
        read_sources(tmp_path)


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    """The error names the folder, the files that it lacks, and how to make one."""
    with pytest.raises(LabelError, match=r"holds no labels\.jsonl and no values\.txt.* --label"):
        read_sources(tmp_path)
