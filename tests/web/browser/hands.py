"""What a person does at the page: reads words, finds things by role, clicks and taps."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, Request, expect

from tests.patience import PATIENCE_MILLISECONDS

BOXES = {
    "aces": "Aces",
    "twos": "Twos",
    "threes": "Threes",
    "fours": "Fours",
    "fives": "Fives",
    "sixes": "Sixes",
    "three-of-a-kind": "3 of a kind",
    "four-of-a-kind": "4 of a kind",
    "full-house": "Full house",
    "small-straight": "Small straight",
    "large-straight": "Large straight",
    "yahtzee": "Yahtzee",
    "chance": "Chance",
}
TOTALS = {
    "upper": "Upper sum",
    "bonus": "Bonus",
    "upper-total": "Upper total",
    "lower": "Lower sum",
    "yahtzee-bonus": "Yahtzee bonus",
    "grand": "Grand total",
}


HIDDEN = """thing => {
  const box = thing.getBoundingClientRect();
  const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const across = box.left >= -0.5 && box.right <= innerWidth + 0.5;
  const down = box.top >= -0.5 && box.bottom <= innerHeight + 0.5;
  const open = thing.contains(over) || over?.contains(thing);
  return across && down && open ? null : [box.left, box.top, box.right, box.bottom, over?.id];
}"""
# Null once the table has drawn one of them anew since they were found: then it has no place.
ALL_HIDDEN = f"""things => things.every((each) => each.isConnected)
  ? things.map({HIDDEN}).filter((each) => each)
  : null"""
THREE_BUTTONS = ("KEEP", "REROLL", "UNDO")
REACTION_MILLISECONDS = 350  # the page takes a tap within 300 as aimed at what was there before
LONGEST_ANSWER_MILLISECONDS = 10_000  # Chromium does not tell the end of every request
STATES = "tables => tables.map((table) => [table.dataset.run, table.dataset.version])"


def wait_until(page: Page, holds: str, of: object = None) -> None:
    """Wait until this script, given `of`, gives true; pages forbid Playwright's own way."""
    for _ in range(int(PATIENCE_MILLISECONDS / 50)):
        if page.evaluate(holds, of):
            return
        page.wait_for_timeout(50)
    raise AssertionError(holds)


STANDING_STILL = """() => document.getAnimations().every(
  (each) => each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity
)"""


def wait_until_drawn(page: Page) -> None:
    """Wait for the style sheets and pictures of a page that a click led to, and for what slides in.

    Its words can be found before, at the widths of bare HTML, which nobody is shown, or on their
    way to their place. What moves without end is not waited for.
    """
    page.wait_for_load_state("load")
    wait_until(page, STANDING_STILL)


FRAME = "() => new Promise(requestAnimationFrame)"  # in which scripts hear of a new size


def resize(page: Page, width: int, height: int) -> None:
    """Look at the page on a screen of this size, once its scripts have drawn it anew."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(FRAME)


class Hands:
    """One person's hands and eyes at one device."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page = page
        self._touch = touch
        self.taps = 0
        self._unanswered: set[Request] = set()
        page.on("request", self._asks)
        page.on("response", lambda response: self._is_over(response.request))
        page.on("requestfailed", self._is_over)

    def _asks(self, request: Request) -> None:
        if request.method == "POST":
            self._unanswered.add(request)

    def _is_over(self, request: Request) -> None:
        self._unanswered.discard(request)

    def tap(self, thing: Locator) -> None:
        """Click, or tap where the device has a touch screen."""
        self.taps += 1
        if self._touch:
            thing.tap()
        else:
            thing.click()

    def button(
        self, name: str | re.Pattern[str], *, exact: bool = True, hidden: bool = False
    ) -> Locator:
        """The button that is called so; one of the table's three says behind it what it does."""
        if name in THREE_BUTTONS:
            name = re.compile(f"^{name}( |$)")
        if isinstance(name, str):
            return self.page.get_by_role("button", name=name, exact=exact, include_hidden=hidden)
        return self.page.get_by_role("button", name=name, include_hidden=hidden)

    def press(self, name: str) -> None:
        """See a button by its words, react, press it."""
        self.button(name, hidden=True).first.wait_for(state="attached")
        self.opens_more_for("button", name)
        self.react_to(self.button(name))

    def react_to(self, thing: Locator) -> None:
        """See a thing, and touch it as soon as a person can."""
        expect(thing).to_be_visible()
        self.reacts()
        self.tap(thing)

    def reacts(self) -> None:
        """See what the last tap led to, for as long as a person needs to see it."""
        sent = set(self._unanswered)
        for _ in range(LONGEST_ANSWER_MILLISECONDS // 50):
            if not sent & self._unanswered:
                break
            self.page.wait_for_timeout(50)
        before, shown = None, self.page.locator("main").evaluate_all(STATES)
        while shown != before:
            self.page.wait_for_timeout(REACTION_MILLISECONDS)
            before, shown = shown, self.page.locator("main").evaluate_all(STATES)

    def follow(self, name: str) -> None:
        """Follow a link by its words, in the menu where it is there."""
        self.opens_menu_for(name)
        self.opens_more_for("link", name)
        self.tap(self.page.get_by_role("link", name=name, exact=True))

    def opens_menu_for(self, page: str) -> None:
        """Fold out the table's menu, if that is where the way to this page is."""
        menu = self.page.locator("details.menu:not([open])")
        if menu.get_by_role("link", name=page, exact=True, include_hidden=True).count():
            self.tap(menu.locator("summary"))

    def opens_more_for(self, role: Literal["button", "link"], name: str) -> None:
        """Open what the table keeps for later, if that is where this is."""
        more = self.page.locator("#more:not(:popover-open)")
        if more.get_by_role(role, name=name, exact=True, include_hidden=True).count():
            self.react_to(self.button("More"))

    def reads(self, words: str | re.Pattern[str]) -> None:
        """Wait until the words can be read somewhere."""
        expect(self.page.get_by_text(words).locator("visible=true").first).to_be_visible()

    def reads_no(self, words: str | re.Pattern[str]) -> None:
        """Wait until the words can be read nowhere."""
        expect(self.page.get_by_text(words).locator("visible=true")).to_have_count(0)

    def sees_whole(self, thing: Locator) -> None:
        """All of it is on the screen as it is now, and nothing lies over its middle."""
        expect(thing).to_be_visible()
        self.sees_all_whole(thing)

    def sees_all_whole(self, things: Locator) -> None:
        """The same of each of many, asked at once; there is one at least."""
        expect(things.first).to_be_visible()
        wait_until_drawn(self.page)
        hidden = None
        for _ in range(10):
            if (hidden := things.evaluate_all(ALL_HIDDEN)) is not None:
                break
        assert hidden == [], f"{things} at {self.page.viewport_size} are at {hidden}"

    def reads_turn(self, player: str, roll: str) -> None:
        """Whose turn it is, and at which roll."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(f"{player}’s turn")
        self.reads(roll)

    def starts(self, *names: str, game: str = "yahtzee", **fields: str) -> None:
        """Start a game as the set-up page's form does, without going through the page.

        `fields` are the form's by their names, `_` for `-`: `option_mode="quick"`. The first named
        starts where the game has that choice.
        """
        table = re.match("http://[^/]+", self.page.url)
        assert table is not None
        fields = {"option_start": "first"} | fields
        form = [("game", game), *(("name", name) for name in names)]
        form += [(name.replace("_", "-"), value) for name, value in fields.items()]
        answer = self.page.request.post(
            f"{table[0]}/setup",
            headers={"Origin": table[0], "Content-Type": "application/x-www-form-urlencoded"},
            data=urlencode(form),
        )
        assert answer.ok
        expect(self.button("UNDO")).to_be_visible()

    def sets_up(
        self,
        *names: str,
        roll_off: bool = False,
        game: str = "Yahtzee",
        rule: str | None = None,
        **written: str,
    ) -> None:
        """Fill in the set-up page, with a house rule by its words, and start the game.

        `written` are values that are written in, by the option's name.
        """
        self.opens_menu_for("New game")
        self.page.get_by_role("navigation").get_by_role("link", name="New game").click()
        self.tap(self.game_card(game))
        expect(self.game_card(game)).to_have_attribute("aria-current", "true")
        fields = self.page.locator(".seats").get_by_role("textbox")
        seats = fields.count()
        while seats != len(names):
            button = "Add a player" if seats < len(names) else f"Remove player {seats}"
            self.tap(self.button(button))
            seats += 1 if seats < len(names) else -1
            expect(fields).to_have_count(seats)
        for place, name in enumerate(names, 1):
            self.page.get_by_label(f"Player {place}", exact=True).fill(name)
        if roll_off:
            self.page.get_by_label("Roll for it").check()
        if rule or written:
            self.opens_house_rules()
        for option, value in written.items():
            self.page.locator(f"input[name=own-{option}]").fill(value)
        if rule:
            self.page.get_by_label(rule).check()
        self.tap(self.button("Start the game"))
        expect(self.button("UNDO")).to_be_visible()

    def opens_house_rules(self) -> None:
        """Unfold the house rules, and each of them."""
        self.tap(self.page.locator("#house-rules-summary"))
        for rule in self.page.locator("#house-rules .rule summary").all():
            self.tap(rule)

    def game_card(self, title: str) -> Locator:
        """The game of that title on the set-up page; its card says more about it."""
        words = self.page.get_by_text(title, exact=True)
        return self.page.locator(".game-card").filter(has=words)

    def enters(self, roll: str) -> None:
        """Enter a whole throw by hand and see it proposed."""
        self.press("Enter by hand")
        self.page.get_by_label("What do all the dice show?").fill(roll)
        self.press("Enter this roll")

    def fills(self, act: str, *taps: str, text: str = "") -> None:
        """Open an act by its words, tap its keys or write into its field, and enter it."""
        self.press(act)
        opened = self.page.locator(".sheet-over:popover-open")
        expect(opened).to_be_visible()
        typed = opened.get_by_role("button", name="Type it", expanded=False)
        if text and typed.count():
            self.tap(typed)
        for tap in taps:
            self.tap(opened.get_by_role("button", name=tap, exact=True))
        if text:
            opened.get_by_role("textbox").fill(text)
        self.react_to(opened.get_by_role("button", name="Enter it"))

    def throws(self, roll: str) -> None:
        """Enter a throw that is taken."""
        self.enters(roll)
        self.reads("You entered " + " ".join(sorted(roll)))
        expect(self.page.locator(".sheet-over:popover-open")).to_have_count(0)

    def scores(self, points: int, box: str) -> None:
        """Tap a box in the sheet that is worth so much now."""
        self.react_to(self.button(re.compile(f"^Score {points} in {re.escape(box)}")))

    def row(self, label: str) -> Locator:
        """The cells of a row of the sheet, one a player."""
        named = self.page.get_by_text(label, exact=True)
        return self.page.get_by_role("row").filter(has=named).get_by_role("cell")

    def sees_cells(self, label: str, *points: str) -> None:
        """Wait until a row of the sheet says just this."""
        expect(self.row(label)).to_have_text(list(points))
