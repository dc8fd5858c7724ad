"""A set taught on the page by a real browser, from pictures drawn here to its deletion."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.vision.learn.drawn_set import FACES, foreign, row, write
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable
from tests.web.browser.test_languages import SPILLING, assert_fits, speaks
from tests.web.table.sets.test_training_jobs import Teaching
from vision.learn.taught_sets import TaughtSets
from web.shared.words import LANGUAGES
from web.table.sets.lessons import Confusion, Lesson, LessonPhoto, Report

FOUR = FACES[:4]
LOOKING_MILLISECONDS = 90_000  # a photograph is looked at, or a set learned, on a busy machine


@pytest.fixture
def teaching(table: ServedTable, tmp_path: Path) -> Teaching:
    """The table's schoolroom, with no set."""
    made = Teaching(tmp_path)
    table.stop()
    table.lessons = made.jobs
    table.start()
    return made


def pictured(folder: Path, name: str, faces: tuple[str, ...], scene: int) -> Path:
    """A file with a photograph of these faces in a row."""
    path = folder / "pictures" / f"{name}.png"
    write(path, row(faces, scene))
    return path


def sends(hands: Hands, field: Locator, *files: Path) -> None:
    """Choose photographs in a field, and wait until they were looked at."""
    with hands.page.expect_navigation(timeout=LOOKING_MILLISECONDS):
        field.set_input_files(list(files))


def begins(hands: Hands, name: str, faces: str) -> None:
    """Begin a set with faces of its own."""
    hands.page.get_by_label("Its name").fill(name)
    hands.page.get_by_label("Others; write what each face is called:").check()
    hands.page.get_by_label("The names of the faces, with blanks between them").fill(faces)
    hands.press("Start with the photographs")
    hands.reads("0 of 4 faces have a photograph.")


def test_a_deck_is_taught_on_a_phone(
    open_page: OpenPage, teaching: Teaching, tmp_path: Path
) -> None:
    """A fault is seen and mended; the set is learned, tested, reported on and deleted."""
    hands = open_page("/games", phone=True)
    hands.follow("Teach a set of cards, tiles or dice")
    begins(hands, "Our deck", " ".join(FOUR))
    together = hands.page.locator("#photo-together")

    sends(hands, together, pictured(tmp_path, "three", FOUR[:3], 0))
    hands.reads("3 pieces were found where 4 were told")
    sends(hands, together, pictured(tmp_path, "learn0", FOUR, 0))
    hands.reads_no("3 pieces were found where 4 were told")
    hands.reads("4 of 4 faces have a photograph.")
    sends(hands, hands.page.locator("#photo-face-1"), pictured(tmp_path, "R4", FOUR[1:2], 1))
    shown = hands.page.locator("#face-1 .lesson-piece img")
    expect(shown).to_have_count(2)
    for each in shown.all():
        expect(each).to_have_js_property("complete", value=True)
        assert each.evaluate("(image) => image.naturalWidth") > 0

    hands.follow("Next step")
    hands.reads("Nothing is learned from these")
    sends(hands, hands.page.locator("#photo-together"), pictured(tmp_path, "test", FOUR, 2))
    stranger = tmp_path / "stranger.png"
    write(stranger, foreign())
    sends(hands, hands.page.locator("#photo-strangers"), stranger)
    hands.follow("Next step")

    hands.press("Learn it")
    verdict = hands.page.get_by_role("heading", name="Learned, and trusted")
    expect(verdict).to_be_visible(timeout=LOOKING_MILLISECONDS)
    hands.reads("Read right on the photographs from another place: 4 of 4 pieces.")
    hands.reads("Pieces of no set on your photographs that it refused or asked about: 1 of 1.")
    assert TaughtSets(tmp_path / "sets").load("Our deck").trusted

    hands.follow("All sets")
    hands.reads("4 of 4 pieces right in its test.")
    hands.follow("Delete")
    hands.press("Delete it for good")
    hands.reads("No sets have been taught yet.")
    assert teaching.jobs.entries() == ()


def test_names_in_another_order_are_asked_about(
    open_page: OpenPage, teaching: Teaching, tmp_path: Path
) -> None:
    """The photograph and the names stay, to be put right, or used by whoever knows better."""
    teaching.jobs.begin("Our deck", FOUR)
    hands = open_page("/teach/Our deck/photos")
    names = hands.page.get_by_label("What the photo shows, from left to right, row by row:")
    sends(hands, hands.page.locator("#photo-together"), pictured(tmp_path, "good", FOUR, 0))
    hands.reads("4 of 4 faces have a photograph.")
    three = FOUR[:3]
    names.fill(" ".join(three[::-1]))
    sends(hands, hands.page.locator("#photo-together"), pictured(tmp_path, "wrong", three, 1))
    hands.reads("looks like R1 on another photo")
    expect(names).to_have_value(" ".join(three[::-1]))
    expect(hands.page.locator("#face-0 .lesson-piece img")).to_have_count(1)
    hands.press("It’s right, use it")
    expect(hands.page.locator("#face-0 .lesson-piece img")).to_have_count(2)


REPORT = Report(
    trusted=False,
    held_back=True,
    faces=4,
    tested=4,
    pieces=8,
    right=5,
    asked=2,
    silent=1,
    strangers=3,
    refused=3,
    unknown=8,
    unknown_refused=7,
    confusions=(Confusion("R1", "R4", 2), Confusion("B1", "?", 1)),
)
PATHS = (
    "/teach",
    *(f"/teach/Maximiliane/{page}" for page in ("photos", "test", "learn", "delete")),
)


def test_every_page_of_teaching_fits(
    open_page: OpenPage, teaching: Teaching, table: ServedTable
) -> None:
    """In every language: the list, photographs and their faults, the report, the question."""
    fault = teaching.jobs.begin("../x", FOUR)
    photos = (
        LessonPhoto(1, "learn", FOUR, 0, fault),
        LessonPhoto(2, "learn", FOUR[:1], 0, fault),
        LessonPhoto(3, "learn", FOUR, 4, untaught=2),
    )
    teaching.lessons.write(Lesson("Maximiliane", FOUR, photos, 3, REPORT))
    page = open_page("/about").page
    for name in LANGUAGES:
        speaks(page, table.url, name)
        for path in PATHS:
            page.goto(table.url + path)
            assert_fits(page, (name, path), SPILLING)
