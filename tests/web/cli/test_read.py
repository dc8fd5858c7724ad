"""`tablescore read`, `evaluate` and `read-slip`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
import pytest

from hardware.cameras.demo import demo_pictures
from scoreboard.message import message
from tests.vision.drawn_tray import Scene
from tests.vision.read.slip_photos import drawn_slip
from tests.web.cli.calling import call
from vision.capture.photo import READ_SIDE, encode_jpeg, open_photo
from vision.read.observation import Detection, Observation, SeenSet
from vision.read.slip_layout import SlipCode
from vision.read.tile_views import Edition
from web.cli.read import document

SEEN = Observation(
    0,
    "dice",
    (
        Detection("6", 0.987654, (10.04, 20.0, 30.26, 40.0), 12.0),
        Detection("?", 0.5, (50.0, 20.0, 70.0, 40.0), -45.0),
        Detection("3", 1.0, (90.0, 20.0, 110.0, 40.0), 0.0),
    ),
    (message("One die cannot be read."),),
)


def test_an_observation_becomes_the_promised_object() -> None:
    """Names, order and rounding are a contract; an unreadable die is in no roll."""
    assert document("a.jpg", SEEN, 18.24) == {
        "file": "a.jpg",
        "pieces": "dice",
        "roll": "36",
        "detections": [
            {"label": "6", "confidence": 0.9877, "box": [10.0, 20.0, 30.3, 40.0], "angle": 12.0},
            {"label": "?", "confidence": 0.5, "box": [50.0, 20.0, 70.0, 40.0], "angle": -45.0},
            {"label": "3", "confidence": 1.0, "box": [90.0, 20.0, 110.0, 40.0], "angle": 0.0},
        ],
        "needs_review": True,
        "reasons": ["One die cannot be read."],
        "milliseconds": 18.2,
    }


def test_a_reader_that_tells_its_chances_is_quoted() -> None:
    """What it gives for no readable face, for each value, and for a die that leans."""
    die = Detection("2", 0.9, (0, 0, 9, 9), 0.0, (0.05, 0.0, 0.9, 0.05, 0.0, 0.0, 0.0), 0.02)
    (shown,) = document("a.jpg", Observation(0, "dice", (die,)), 1.0)["detections"]
    assert shown["chances"] == {"?": 0.05, "1": 0, "2": 0.9, "3": 0.05, "4": 0, "5": 0, "6": 0}
    assert shown["leaning"] == 0.02


@pytest.fixture
def roll_photo(tmp_path: Path) -> Path:
    """A picture of the demo evening at rest, as a JPEG of its own."""
    last = max(demo_pictures().joinpath("turn00", "throw0").iterdir(), key=str)
    image = cv2.imdecode(np.frombuffer(last.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    file = tmp_path / "Würfe 1.jpg"
    file.write_bytes(cv2.imencode(".jpg", image)[1].tobytes())
    return file


def test_each_photo_is_one_line_in_the_order_given(roll_photo: Path, tmp_path: Path) -> None:
    """What cannot be read is named with the reason, the others are read, the status is 1."""
    short = tmp_path / "short.jpg"
    short.write_bytes(roll_photo.read_bytes()[: roll_photo.stat().st_size // 2])
    result = call("read", str(roll_photo), str(short), "no-such.jpg", str(roll_photo), "--json")
    assert result.exit_code == 1
    first, second, third, fourth = map(json.loads, result.stdout.splitlines())
    assert list(first) == [
        "file", "pieces", "roll", "detections", "needs_review", "reasons", "milliseconds",
    ]  # fmt: skip
    assert first["file"] == fourth["file"] == str(roll_photo)
    assert first["roll"] == "".join(sorted(first["roll"])) == fourth["roll"]
    assert len(first["roll"]) == 5
    assert list(second) == list(third) == ["file", "error"]
    assert second["file"] == str(short)
    assert third["file"] == "no-such.jpg"


def test_a_large_photo_is_told_in_its_own_pixels(roll_photo: Path, tmp_path: Path) -> None:
    """It is decoded smaller, and its boxes are still those of the file."""
    photo = open_photo(roll_photo)
    times = -(-2 * READ_SIDE // max(photo.shape))
    large = tmp_path / "large.jpg"
    large.write_bytes(
        encode_jpeg(np.asarray(cv2.resize(photo, None, fx=times, fy=times), np.uint8))
    )
    one, other = (
        json.loads(call("read", str(file), "--json").stdout) for file in (roll_photo, large)
    )
    assert one["roll"] == other["roll"]
    for small, wide in zip(one["detections"], other["detections"], strict=True):
        assert np.array(wide["box"]) / times == pytest.approx(np.array(small["box"]), abs=6)


def test_words_go_to_people(roll_photo: Path) -> None:
    """Without --json a line is the name and the roll; faults go to stderr."""
    result = call("read", str(roll_photo), "no-such.jpg")
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{roll_photo}: ")
    assert result.stderr == "no-such.jpg: There is no such file; check its name.\n"


@pytest.mark.parametrize(
    ("blur", "reason"),
    [(0.0, ""), (0.02, "The picture is too blurred to read: focus the camera")],
    ids=["empty", "defocused"],
)
def test_a_photo_without_dice_is_a_question(tmp_path: Path, blur: float, reason: str) -> None:
    """And where it is not sharp, that is why: the words name the cure."""
    picture = Scene(dice=()).picture()
    if blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur * picture.shape[1]), np.uint8)
    file = tmp_path / "empty.png"
    cv2.imwrite(str(file), picture)
    said = call("read", str(file)).stdout
    assert said.startswith(f"{file}: nothing - I see no dice with pips here: is that right?")
    assert reason in said
    assert ("focus" in said) == bool(blur)


def test_a_die_more_than_are_seen_is_asked_about(roll_photo: Path) -> None:
    """Whoever says how many dice lie there learns whether all were seen."""
    assert (
        call("read", str(roll_photo), "--dice", "5").stdout == call("read", str(roll_photo)).stdout
    )
    assert (
        "I see 5 of 6 dice: is one hidden?" in call("read", str(roll_photo), "--count", "6").stdout
    )


def test_the_drawing_is_a_picture_of_the_same_size(roll_photo: Path, tmp_path: Path) -> None:
    """--draw makes its folder; each photo with what was read on it has a name of its own."""
    folder = tmp_path / "new" / "folder"
    assert call("read", str(roll_photo), str(roll_photo), "--draw", str(folder)).exit_code == 0
    first, second = folder.iterdir()
    drawn, photo = open_photo(first), open_photo(roll_photo)
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()
    assert second.exists()


def test_a_drawing_that_cannot_be_written_is_reported(roll_photo: Path, tmp_path: Path) -> None:
    """A folder that is a file ends the command in one sentence."""
    in_the_way = tmp_path / "out"
    in_the_way.write_text("")
    result = call("read", str(roll_photo), "--draw", str(in_the_way / "deeper"))
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1


def test_tiles_are_reported_with_their_sets() -> None:
    """Labels in reading order instead of a roll, corners, and what the rules say of each set."""
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 14.0), (0.0, 14.0))
    seven = Detection(
        "K7", 0.99, (0, 0, 10, 14), 0.0, quad=corners, readings=(("K7", 0.98), ("K1", 0.01))
    )
    row = SeenSet((0,), ("K7",), legal=False, rule="RK-8")
    shown = document("a.jpg", Observation(0, "tiles", (seven,), sets=(row,)), 1.0)
    assert shown["tiles"] == "K7"
    assert "roll" not in shown
    assert shown["sets"] == [{"tiles": ["K7"], "detections": [0], "legal": False, "rule": "RK-8"}]
    (detection,) = shown["detections"]
    assert detection["quad"] == [list(point) for point in corners]
    assert detection["readings"] == {"K7": 0.98, "K1": 0.01}
    assert not detection["inferred"]


@pytest.mark.parametrize("arguments", [(), ("--pieces", "dice"), ("--pieces", "taught:foxes")])
def test_an_edition_of_other_pieces_than_tiles_is_refused(
    roll_photo: Path, arguments: tuple[str, ...]
) -> None:
    """In whatever order: nothing is read as if it had been heeded."""
    result = call("read", str(roll_photo), "--edition", "okey", *arguments)
    assert result.exit_code == 2
    assert "only tiles have an edition; add --pieces tiles or leave it out" in result.output


@pytest.mark.parametrize("edition", get_args(Edition))
def test_every_edition_of_tiles_can_be_read(roll_photo: Path, edition: str) -> None:
    """A photo without tiles shows none in any edition."""
    result = call("read", str(roll_photo), "--pieces", "tiles", "--edition", edition, "--json")
    assert result.exit_code == 0
    assert json.loads(result.output)["pieces"] == "tiles"


def test_pieces_that_nobody_reads_are_refused() -> None:
    """A usage error, not a fault: exit status 2, and the list of what can be read."""
    result = call("read", "photo.jpg", "--pieces", "coins")
    assert result.exit_code == 2
    assert "'dice', 'tiles'" in result.stderr


def test_what_lies_outside_of_the_area_is_not_reported(roll_photo: Path, tmp_path: Path) -> None:
    """A piece counts by its middle; the drawing shows the area."""
    everywhere = json.loads(call("read", str(roll_photo), "--json").stdout)["detections"]
    width = open_photo(roll_photo).shape[1]
    left = sorted((each["box"][0] + each["box"][2]) / 2 / width for each in everywhere)
    between = (left[1] + left[2]) / 2
    corners = f"0,0 {between},0 {between},1 0,1"
    options = ("--json", "--area", corners, "--draw", str(tmp_path / "out"))
    within = json.loads(call("read", str(roll_photo), *options).stdout)
    assert within["detections"] == [each for each in everywhere if each["box"][0] / width < between]
    assert len(within["detections"]) == 2
    (drawn,) = (tmp_path / "out").iterdir()
    call("read", str(roll_photo), "--draw", str(tmp_path / "bare"))
    (bare,) = (tmp_path / "bare").iterdir()
    assert (open_photo(drawn) != open_photo(bare)).any()


def test_the_area_is_found_by_itself(tmp_path: Path) -> None:
    """The tray that stands out is the area, and is drawn; where there is none, nothing is read."""
    tray = tmp_path / "tray.png"
    cv2.imwrite(str(tray), Scene().picture())
    out = tmp_path / "out"
    assert call("read", str(tray), "--area", "auto", "--draw", str(out)).exit_code == 0
    (drawn,) = out.iterdir()
    assert (open_photo(drawn) != open_photo(tray)).any()
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full((240, 320, 3), 90, np.uint8))
    refused = call("read", str(bare), "--area", "auto")
    assert refused.exit_code == 1
    assert "leave out --area" in refused.stderr


@pytest.mark.parametrize(
    ("corners", "cure"),
    [
        ("left top", "write its corners as “0.1,0.2"),
        ("0.1,0.2,0.3 0.9,0.2", "write its corners as “0.1,0.2"),
        ("", "write its corners as “0.1,0.2"),
        ("100,200 900,200 900,700", "divide pixels by the picture's width and height"),
        ("0.1,0.1 0.9,0.1", "has 3 to 8 corners"),
    ],
)
def test_an_area_that_is_none_is_refused_with_the_cure(corners: str, cure: str) -> None:
    """Before any photo is read."""
    result = call("read", "photo.jpg", "--area", corners)
    assert result.exit_code == 2
    assert cure in " ".join(result.stderr.split())


def test_threads_change_the_time_and_not_the_reading(roll_photo: Path) -> None:
    """As many as are asked for work, and what is read stays the same."""
    before = cv2.getNumThreads()
    try:
        read = []
        for threads in ("1", "2"):
            result = json.loads(
                call("read", str(roll_photo), "--json", "--threads", threads).stdout
            )
            assert cv2.getNumThreads() == int(threads)
            read.append({**result, "milliseconds": 0})
        assert read[0] == read[1]
    finally:
        cv2.setNumThreads(before)


@pytest.mark.parametrize("threads", ["0", "65", "many"])
def test_threads_that_no_machine_has_are_refused(threads: str) -> None:
    """A usage error that names what is possible."""
    result = call("read", "photo.jpg", "--threads", threads)
    assert result.exit_code == 2
    assert "--threads" in result.stderr


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


def test_a_slip_is_printed_as_json(tmp_path: Path) -> None:
    """A line for each slip, a row for each seat of each game; an empty row has no score."""
    code = SlipCode("QK3F", 2, 7, 3, 2, 4, "7HGQ2")
    photo = tmp_path / "slip.jpg"
    photo.write_bytes(encode_jpeg(drawn_slip(code)))
    result = call("read-slip", str(photo))
    assert result.exit_code == 0
    read = json.loads(result.output)
    assert (read["photo"], read["slip"]) == (str(photo), str(code))
    assert [(row["game"], row["seat"]) for row in read["rows"]] == [
        (game, seat) for game in (3, 4) for seat in (1, 2, 3, 4)
    ]
    assert {row["score"] for row in read["rows"]} == {None}
    assert not any(row["sure"] for row in read["rows"])


def test_what_is_no_photo_is_refused(tmp_path: Path) -> None:
    """With a sentence, as every command."""
    photo = tmp_path / "slip.jpg"
    photo.write_bytes(b"nothing")
    result = call("read-slip", str(photo))
    assert result.exit_code == 1
    assert "Traceback" not in result.output
