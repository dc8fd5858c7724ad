"""What the camera read is shown, doubted, put right and confirmed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from scoreboard.message import message
from scoreboard.table.proposal import Proposal, TableDie
from scoreboard.table.requests import Proposed, TableStatus, TableStatusChanged
from tests.patience import PATIENCE_MILLISECONDS
from tests.web.browser.conftest import OpenPage
from tests.web.browser.hands import Hands
from tests.web.browser.served_table import ServedTable, boxes, picture


def test_a_reading_is_drawn_over_its_photo(open_page: OpenPage, table: ServedTable) -> None:
    """The photo is loaded, and each die has a box with its value."""
    hands = open_page()
    hands.starts("North", "South")
    table.see("13356")
    hands.reads("I see 1 3 3 5 6.")
    photo = hands.page.get_by_role("img", name="The photo that was read")
    expect(photo).to_be_visible()
    expect(photo).to_have_js_property("naturalWidth", 800)
    tags = hands.page.locator("#photo .alone span").filter(visible=True)
    expect(tags).to_have_text(["1", "3", "3", "5", "6"])


SIDES = """marks => marks.filter(it => it.checkVisibility()).flatMap(it => {
  const { width, height } = it.getBoundingClientRect();
  return [width, height];
})"""


@pytest.mark.parametrize(("across", "phone"), [(4, True), (12, True), (12, False)])
def test_dice_are_large_enough_to_be_judged(
    open_page: OpenPage, table: ServedTable, across: int, *, phone: bool
) -> None:
    """On their photo, or alone where they are far apart in it; a tap shows it whole."""
    hands = open_page(phone=phone)
    hands.starts("North", "South")
    places = [(0, 0), (across, 0), (across / 2, across), (0, 2 * across), (across, 2 * across)]
    dice = [
        TableDie(face, (70 * x, 70 * y, 70 * x + 70, 70 * y + 70), confidence=0.99)
        for face, (x, y) in zip((1, 2, 3, 5, 6), places, strict=True)
    ]
    table.post(Proposed(Proposal(tuple(dice), 0.9, 1, 1080, 1920, datetime.now(UTC))))
    hands.reads("I see 1 2 3 5 6.")
    sides = hands.page.locator("#photo .frame .box").evaluate_all(SIDES)
    assert len(sides) == 2 * len(dice)
    assert min(sides) >= (44 if phone else 64)
    hands.page.locator(".enlarge .icon").click()
    expect(hands.page.locator("#whole-photo")).to_be_visible()


LOOK_MILLISECONDS = 50
TOP = """it => {
  if (!it.naturalWidth) return -1;
  const size = [it.naturalWidth, it.naturalHeight];
  const pen = new OffscreenCanvas(...size).getContext("2d", { willReadFrequently: true });
  pen.drawImage(it, 0, 0);
  const light = (down) => pen.getImageData(65, down, 1, 1).data[0];
  return [105, 265, 425].findIndex((down) => light(down) > 200);
}"""


def shows(hands: Hands, frame: int) -> None:
    """Wait until the picture on the page is that of a frame, told by the row its dice lie in."""
    photo = hands.page.get_by_role("img", name="What the camera sees now")
    wait_until(hands, lambda: photo.evaluate(TOP) == frame % 3)


def wait_until(hands: Hands, true: Callable[[], bool]) -> None:
    """Wait for something in the page, asked from here: its policy forbids it to ask itself."""
    for _ in range(int(PATIENCE_MILLISECONDS) // LOOK_MILLISECONDS):
        if true():
            return
        hands.page.wait_for_timeout(LOOK_MILLISECONDS)
    raise AssertionError("what was waited for did not come")


def test_a_roll_entered_by_hand_is_drawn_and_not_shown_by_the_photo_of_another(
    open_page: OpenPage, table: ServedTable
) -> None:
    """After KEEP the newest picture is shown, not the one that the page was loaded with."""
    hands = open_page()
    hands.starts("North", "South")
    shows(hands, 0)
    table.see("13356")
    hands.reads("I see 1 3 3 5 6.")
    table.latest = 1
    hands.throws("66666")
    expect(hands.page.locator("#photo .drawn .die")).to_have_count(5)
    expect(hands.page.locator("#photo .shot")).to_have_count(0)
    hands.press("KEEP")
    shows(hands, 1)


def test_after_keep_the_picture_of_before_is_not_shown_first(
    open_page: OpenPage, table: ServedTable
) -> None:
    """What the page was loaded with lay there a throw ago."""
    hands = open_page()
    hands.starts("North", "South")
    shows(hands, 0)
    table.see("13356")
    hands.reads("I see 1 3 3 5 6.")
    table.latest = 1
    hands.page.evaluate(f"""document.addEventListener("load", ({{ target }}) => {{
      if (target.id === "latest") window.first ??= ({TOP})(target);
    }}, true)""")
    hands.press("KEEP")
    hands.reads("Choose a box")
    wait_until(hands, lambda: hands.page.evaluate("window.first !== undefined"))
    assert hands.page.evaluate("window.first") == 1


def test_doubtful_dice_are_walked_through(open_page: OpenPage, table: ServedTable) -> None:
    """The doubt opens the first one, with its part of the photo; an answer opens the next."""
    hands = open_page()
    hands.starts("Ann")
    table.see("222??", doubts=("A die’s top face cannot be read.",))
    hands.press("A die’s top face cannot be read.")
    hands.reads("Die 4 could not be read.")
    crop = hands.page.get_by_role("img", name="The die on the photo")
    left, top, width, height = map(float, (crop.get_attribute("viewBox") or "").split())
    lies = boxes(5, 1)[3]
    assert left <= lies[0] < lies[2] <= left + width
    assert top <= lies[1] < lies[3] <= top + height
    hands.press("It shows 5")
    hands.reads("Die 5 could not be read.")
    hands.press("It shows 5")
    hands.reads("I see 2 2 2 5 5.")
    expect(hands.page.locator(".sheet-over:popover-open")).to_have_count(0)


def test_a_missed_die_is_added_and_a_false_one_deleted(
    open_page: OpenPage, table: ServedTable
) -> None:
    """Five dice are a throw, four and six are none."""
    hands = open_page()
    hands.starts("North", "South")
    table.see("222556")
    hands.press("Die 6: 6")
    hands.press("There is no die here")
    hands.reads("I see 2 2 2 5 5.")
    hands.press("UNDO")
    hands.reads("Roll all five dice.")
    table.see("2225")
    hands.reads("Tap the die that is wrong")
    hands.press("Add a missed die")
    hands.press("It shows 5")
    hands.reads("I see 2 2 2 5 5.")


def test_a_box_in_the_photo_can_be_tapped_too(open_page: OpenPage, table: ServedTable) -> None:
    """It opens the same question as the die below."""
    hands = open_page()
    hands.starts("North", "South")
    table.see("22251")
    hands.reads("I see 1 2 2 2 5.")
    hands.page.locator("#photo .alone .seen").first.click()
    hands.reads("Die 1 reads 1. What does it show?")
    hands.press("It shows 5")
    hands.reads("I see 2 2 2 5 5.")


def test_what_was_kept_is_said_by_a_tap(open_page: OpenPage, table: ServedTable) -> None:
    """Three dice in sight are a throw of three when two were kept."""
    hands = open_page()
    hands.starts("North", "South")
    table.see("11346")
    hands.reads("I see 1 1 3 4 6.")
    hands.press("REROLL")
    hands.reads_turn("North", "Roll 2 of 3")
    table.see("112")
    hands.reads("tap the ones you kept.")
    for _ in range(2):
        hands.react_to(hands.button("Keep the 1").first)
    hands.reads("I see 1 1 1 1 2.")
    hands.press("KEEP")
    hands.scores(4, "Aces")


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("Still a 1: turn it back", "I see 1 1 2 5 6."),
        ("It was rolled: 4", "I see 1 2 4 5 6."),
    ],
)
def test_a_kept_die_that_shows_another_value_is_asked_about(
    open_page: OpenPage, table: ServedTable, answer: str, read: str
) -> None:
    """The answers stand below the question; until then nothing can be confirmed."""
    hands = open_page()
    hands.starts("North", "South")
    table.see("11346")
    hands.reads("I see 1 1 3 4 6.")
    hands.press("REROLL")
    hands.reads_turn("North", "Roll 2 of 3")
    for _ in range(2):
        hands.react_to(hands.button("Keep the 1").first)
    table.see("14256", as_in=1)
    hands.reads("A kept 1 now shows 4: was it turned over, or misread?")
    hands.reads("Read again")
    hands.press("KEEP")
    hands.reads_turn("North", "Roll 2 of 3")
    hands.press(answer)
    hands.reads(read)


def test_what_the_camera_does_is_told(open_page: OpenPage, table: ServedTable) -> None:
    """Moving dice, a lost camera with its reason, and its return."""
    hands = open_page()
    hands.starts("North")
    table.post(TableStatusChanged(TableStatus.MOVING))
    hands.reads("Something is moving")
    table.post(TableStatusChanged(TableStatus.LOST, message("The camera was unplugged.")))
    hands.reads("Waiting for the camera")
    hands.reads("The camera was unplugged.")
    hands.throws("22255")
    hands.press("KEEP")
    hands.scores(25, "Full house")
    table.post(TableStatusChanged(TableStatus.STILL))
    hands.reads_no("The camera was unplugged.")


def test_a_phone_sends_a_photo(open_page: OpenPage, table: ServedTable) -> None:
    """Choosing it sends it; one that is none is explained."""
    table.takes_uploads = True
    table.stop()
    table.start()
    hands = open_page(phone=True)
    hands.starts("North")
    for name, content in (("dice.jpg", picture(1).jpeg), ("note.jpg", b"no photo")):
        with hands.page.expect_response(re.compile("/photo$")):
            hands.page.get_by_label("Photo of the dice").set_input_files(
                {"name": name, "mimeType": "image/jpeg", "buffer": content}
            )
    hands.reads("That is no photo.")
    assert table.uploads == [picture(1).jpeg, b"no photo"]


def test_a_reading_that_was_rejected_can_be_asked_for(
    open_page: OpenPage, table: ServedTable
) -> None:
    """UNDO passes over dice that nobody moved; a tap brings them back."""
    hands = open_page()
    hands.starts("North", "South")
    again = hands.page.get_by_role("button", name="Read again")
    table.see("13356")
    hands.reads("I see 1 3 3 5 6.")
    expect(again).to_be_hidden()
    hands.press("UNDO")
    table.see("13356", as_in=1)
    with hands.page.expect_response("**/again"):
        again.click()
    table.see("13356", as_in=1)
    hands.reads("I see 1 3 3 5 6.")
