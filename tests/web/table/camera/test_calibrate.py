"""The calibration's page: its form, its pictures, and what it says of faults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.vision.drawn_tray import CORNERS, Scene
from tests.web.table.camera.test_tray import DICE, confirmed
from tests.web.table_fake import FakeTable
from vision.capture.frame import PlayArea
from web.table.camera.tray import ROLLS, FixedTray

OWN = {"Origin": "http://localhost"}
GOOD = tuple((100 * x, 100 * y) for x, y in CORNERS.around)
NO_NUMBERS = "A corner is two numbers from 0 to 100"
Taps = tuple[tuple[object, object], ...]


def served(tray: FixedTray) -> tuple[FlaskClient, str]:
    """A browser, and the run of the table behind it."""
    fake = FakeTable()
    return fake.app(tray=tray).test_client(), fake.live.run


@pytest.fixture
def tray(tmp_path: Path) -> FixedTray:
    """A tray with a picture."""
    made = FixedTray("webcam:0", tmp_path / "games.tray.toml")
    made.look_at(Scene().picture())
    return made


def form(taps: Taps, photo: object = 1, kind: str = "tray") -> dict[str, object]:
    """What the form sends, and what a query says."""
    return {"photo": photo, "kind": kind, "x": [x for x, _ in taps], "y": [y for _, y in taps]}


def numbers(text: str, name: str) -> list[str]:
    """What stands in the fields for the corners."""
    return re.findall(rf'name="{name}"[^>]*value="([^"]*)"', text)


def test_the_page_shows_a_picture_and_empty_corners(tray: FixedTray) -> None:
    """A fresh picture every time."""
    client, run = served(tray)
    for number in (1, 2):
        text = client.get("/calibrate").text
        assert f'src="/calibrate/{run}/{number}.jpg"' in text
        assert numbers(text, "x") == [""] * 8
        assert "the table reads the whole picture" in text
    assert client.get(f"/calibrate/{run}/1.jpg").mimetype == "image/jpeg"
    assert client.get("/calibrate/other/1.jpg").status_code == 404
    assert client.get(f"/calibrate/{run}/99.jpg").status_code == 404


def test_four_good_corners_are_kept(tray: FixedTray) -> None:
    """And shown when the page is opened again, with a way to forget them."""
    client, _ = served(tray)
    client.get("/calibrate")
    answer = client.post("/calibrate", data=form(GOOD), headers=OWN)
    assert (answer.status_code, answer.location) == (303, "/calibrate")
    assert tray.outline is not None
    text = client.get("/calibrate").text
    assert "The tray is calibrated" in text
    assert numbers(text, "x") == ["20.00", "83.00", "90.00", "13.00", *[""] * 4]
    assert client.post("/calibrate/forget", data=form((), 2), headers=OWN).status_code == 303
    assert tray.outline is None


def test_corners_that_cannot_be_forgotten_are_reported() -> None:
    """With the picture that was shown, as the page was."""
    client, run = served(tray := FixedTray("webcam:0", None))
    tray.look_at(Scene().picture())
    for _ in range(2):
        client.get("/calibrate")
    answer = client.post("/calibrate/forget", data=form((), 2), headers=OWN)
    assert answer.status_code == 422
    assert f'src="/calibrate/{run}/2.jpg"' in answer.text


def test_a_play_area_has_more_corners_and_no_preview(tray: FixedTray) -> None:
    """Its picture stays as it is; the page says what is set, and keeps the choice."""
    client, _ = served(tray)
    client.get("/calibrate")
    taps = (*GOOD, (92, 50))
    few = client.post("/calibrate", data=form(taps[:2], kind="area"), headers=OWN)
    assert "has 3 to 8 corners" in few.text
    assert 'value="area" checked' in few.text
    asked = client.get("/calibrate/fault", query_string=form(taps, kind="area"))
    assert asked.get_json() == {"fault": None}
    assert client.post("/calibrate", data=form(taps, kind="area"), headers=OWN).status_code == 303
    assert isinstance(tray.outline, PlayArea)
    text = client.get("/calibrate").text
    assert "A play area is set" in text
    assert 'value="area" checked' in text
    assert len([number for number in numbers(text, "x") if number]) == 5
    assert "Forget the play area" in text


def test_the_page_proposes_the_part_where_the_dice_lay(tray: FixedTray) -> None:
    """A sentence and one tap, for whoever may calibrate; the next page shows what is read now."""
    client, _ = served(tray)
    proposal = 'action="/calibrate/proposed"'
    assert proposal not in client.get("/").text
    assert client.post("/calibrate/proposed", headers=OWN).status_code == 422
    for _ in range(ROLLS):
        tray.note(confirmed(*DICE, asked=True))
    assert proposal in client.get("/").text
    answer = client.post("/calibrate/proposed", headers=OWN)
    assert (answer.status_code, answer.location) == (303, "/calibrate")
    assert "A play area is set" in client.get("/calibrate").text
    assert proposal not in client.get("/").text


@pytest.mark.parametrize(
    ("taps", "sentence"),
    [
        (GOOD[:2], "Tap all four corners"),
        ((*GOOD[:3], (60, 40)), "One corner lies between the others"),
        ((*GOOD[:3], GOOD[0]), "on top of each other"),
        ((*GOOD[:3], (120, 50)), "outside of the picture"),
        ((*GOOD[:3], ("nan", 50)), "outside of the picture"),
        (((10, 10), (20, 10), (20, 20), (10, 20)), "too small"),
        ((*GOOD[:3], (50, "")), NO_NUMBERS),
        ((("10", "12,5"), ("ninety", "")), NO_NUMBERS),
    ],
)
def test_bad_corners_are_explained_and_stay_in_the_form(
    tray: FixedTray, taps: Taps, sentence: str
) -> None:
    """The page again, with status 422, the fault where corners are typed; the script's the same."""
    client, _ = served(tray)
    client.get("/calibrate")
    answer = client.post("/calibrate", data=form(taps), headers=OWN)
    assert answer.status_code == 422
    assert sentence in answer.text
    asked = client.get("/calibrate/fault", query_string=form(taps)).get_json()
    assert sentence in asked["fault"]
    assert tray.outline is None
    if sentence == NO_NUMBERS:
        typed = [[str(tap[at]) for tap in taps] + [""] * (8 - len(taps)) for at in (0, 1)]
        assert [numbers(answer.text, name) for name in "xy"] == typed
        beside = answer.text.partition("<details open>")[2].partition("</details>")[0]
        assert sentence in beside


def test_good_corners_have_no_fault_but_a_preview(tray: FixedTray) -> None:
    """A picture of the rectified tray; none for bad corners or an old picture."""
    client, run = served(tray)
    client.get("/calibrate")
    assert client.get("/calibrate/fault", query_string=form(GOOD)).get_json() == {"fault": None}
    preview = f"/calibrate/{run}/1/preview.jpg"
    assert client.get(preview, query_string=form(GOOD)).mimetype == "image/jpeg"
    assert client.get(preview, query_string=form(GOOD[:3])).status_code == 404
    old = f"/calibrate/{run}/77/preview.jpg"
    assert client.get(old, query_string=form(GOOD)).status_code == 404


def test_the_tray_is_found_in_the_picture_that_is_shown(tray: FixedTray) -> None:
    """The corners are filled in and wait for a person; what is not found is told."""
    client, run = served(tray)
    client.get("/calibrate")
    answer = client.post("/calibrate/find", data=form(()), headers=OWN)
    assert "This looks like the tray" in answer.text
    assert f"/calibrate/{run}/1.jpg" in answer.text
    assert all(numbers(answer.text, "y")[:4])
    assert tray.outline is None
    tray.look_at(Scene().picture()[:40])
    client.get("/calibrate")
    answer = client.post("/calibrate/find", data=form((), 2), headers=OWN)
    assert answer.status_code == 422
    assert "No tray stands out in the picture" in answer.text


def test_a_picture_that_is_gone_is_replaced(tray: FixedTray) -> None:
    """A page left open for long shows what is there now."""
    client, run = served(tray)
    answer = client.post("/calibrate", data=form(GOOD, "x" * 9), headers=OWN)
    assert answer.status_code == 422
    assert "That picture is gone" in answer.text
    assert f"/calibrate/{run}/1.jpg" in answer.text


def test_a_tray_that_cannot_be_kept_has_no_button_for_it() -> None:
    """Its reason is in its place; before the first picture there is nothing to tap on."""
    demo = FixedTray("", None)
    nothing = served(demo)[0].get("/calibrate").text
    assert "No picture has come from the camera yet" in nothing
    assert "<form" not in nothing
    demo.look_at(Scene().picture())
    text = served(demo)[0].get("/calibrate").text
    assert "different tray every turn" in text
    assert "Keep these corners" not in text
