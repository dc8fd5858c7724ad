"""An evening drawn for sharing: a picture of 1080 x 1350 pixels, or a page of A4 as PDF.

Letters that the page's own font lacks are drawn in fonts of this machine, which fontconfig finds.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Final
from unicodedata import category

from PIL import Image, ImageDraw, ImageFont, ImageOps

from scoreboard.games.evening import GRADE_WORDS, EveningPlayer
from scoreboard.message import Message, message
from vision.capture.photo import open_photo
from vision.errors import PhotoError
from web.words import day, translate

if TYPE_CHECKING:
    from web.table.evening import BestTurn, Evening, EveningGame

SIZES: Final = {"png": (1080, 1350), "pdf": (1240, 1754)}  # the latter at 150 dots an inch
PAPERS: Final = {"png": "#fffdf6", "pdf": "#ffffff"}
WIDTHS: Final = range(1080, 4000, 180)  # units across: more where much is to be told
MOST_GAMES: Final = 10  # that are told one by one
MARGIN: Final = 48
INK, SOFT, LINE, FELT = "#1d2621", "#55605a", "#d8cfb8", "#14503a"
SEATS: Final = (
    "#14503a",
    "#1d4f91",
    "#8f2f24",
    "#67409a",
    "#7a4a00",
    "#0c5d68",
    "#8a2a63",
    "#4b5320",
)
MOST_PHOTO_PIXELS: Final = 4_000_000
INVISIBLE: Final = frozenset({"Cc", "Cf", "Mn", "Me"})  # what joins or marks the letter before it
NO_LETTER: Final = "\U0010fffd"  # which no font has: it draws its box
SHIPPED: Final = "barlow-condensed-{}-700-normal.woff2"

FontFile = tuple[str, int, frozenset[str]]  # its path, its number in the file, the letters it has


def system_font(letters: str) -> FontFile | None:
    """The font of this machine that fontconfig likes best for these letters; None without one."""
    command, codes = shutil.which("fc-match"), " ".join(f"{ord(letter):x}" for letter in letters)
    if command is None:
        return None
    asked = (command, "-f", "%{file}\n%{index}\n%{color}\n%{charset}", f":bold:charset={codes}")
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, timeout=10, check=True)  # noqa: S603 -- code points and words of ours
        path, index, color, charset = answer.stdout.split("\n")
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    spans = [span.partition("-") for span in charset.split()]
    ranges = [range(int(first, 16), int(last or first, 16) + 1) for first, _, last in spans]
    has = frozenset(letter for letter in letters if any(ord(letter) in each for each in ranges))
    return None if color == "True" else (path, int(index), has)


class Fonts:
    """Which font draws which letter; what was found is kept. `find` asks the machine."""

    def __init__(self, find: Callable[[str], FontFile | None] = system_font) -> None:
        folder = files("web.table") / "static" / "fonts"
        self._files: list[tuple[str, int]] = [
            (str(folder / SHIPPED.format(name)), 0) for name in ("latin", "latin-ext")
        ]
        self._of: dict[str, int] = {}  # which of the files has which letter
        self._find = find
        self._loaded: dict[tuple[int, int], ImageFont.FreeTypeFont] = {}

    def missing(self, texts: Iterable[str]) -> str:
        """The letters that no font has, each once."""
        wanted = {letter for text in texts for letter in text if category(letter) not in INVISIBLE}
        for letter in wanted - self._of.keys():
            if (at := self._shipped(letter)) is not None:
                self._of[letter] = at
        lacking = wanted - self._of.keys()
        while lacking and (found := self._find("".join(sorted(lacking)))):
            path, index, has = found
            if not has & lacking:
                break
            self._files.append((path, index))
            self._of |= dict.fromkeys(has & lacking, len(self._files) - 1)
            lacking -= has
        return "".join(sorted(lacking))

    def _shipped(self, letter: str) -> int | None:
        """Which of the page's own files draws the letter, and no box for it; None for neither."""
        for at in range(2):
            drawn, box = (self._font(at, 20).getmask(each) for each in (letter, NO_LETTER))
            if (drawn.size, bytes(drawn)) != (box.size, bytes(box)):
                return at
        return None

    def runs(self, text: str, size: int) -> list[tuple[str, ImageFont.FreeTypeFont]]:
        """The text in parts, each with the font that draws it; unknown letters as boxes."""
        places: list[int] = []
        for letter in text:
            joins = category(letter) in INVISIBLE and places
            places.append(places[-1] if joins else self._of.get(letter, 0))
        parts = groupby(zip(places, text, strict=True), key=lambda each: each[0])
        return [("".join(one for _, one in run), self._font(place, size)) for place, run in parts]

    def _font(self, place: int, size: int) -> ImageFont.FreeTypeFont:
        if (place, size) not in self._loaded:
            path, index = self._files[place]
            self._loaded[place, size] = ImageFont.truetype(path, size, index)
        return self._loaded[place, size]


@dataclass
class DrawnEvening:
    """A sheet while it is drawn, in units of which `width` go across; `y` is where it has come.

    While `measuring` nothing is written, only the room noted that it takes.
    """

    form: str
    fonts: Fonts
    width: int
    measuring: bool = False
    y: float = MARGIN
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", SIZES[self.form], PAPERS[self.form])
        self._draw = ImageDraw.Draw(self.image)
        self.unit = self.image.width / self.width

    @property
    def fits(self) -> bool:
        """Whether everything stands on the sheet."""
        return (self.y + MARGIN) * self.unit <= self.image.height

    def file(self) -> bytes:
        """The sheet as a PNG or PDF file."""
        written = BytesIO()
        self.image.save(written, self.form.upper(), resolution=150.0)
        return written.getvalue()

    def text(  # noqa: PLR0913 -- where, what and how it is written
        self, x: float, y: float, text: str, size: float, fill: str = INK, *, anchor: str = "l"
    ) -> float:
        """Write at a baseline, from the left, to the right (`r`) or about the middle (`m`)."""
        self.texts.append(text)
        runs = self.fonts.runs(text, max(1, round(size * self.unit)))
        length = sum(font.getlength(part) for part, font in runs)
        at = x * self.unit - {"l": 0.0, "m": length / 2, "r": length}[anchor]
        for part, font in runs:
            if not self.measuring:
                self._draw.text((at, y * self.unit), part, fill, font, anchor="ls")
            at += font.getlength(part)
        return length / self.unit

    def fitting(self, text: str, size: float, room: float) -> float:
        """The size at which a text is no longer than the room."""
        runs = self.fonts.runs(text, max(1, round(size * self.unit)))
        length = sum(font.getlength(part) for part, font in runs) / self.unit
        return size * min(1.0, room / max(length, 1.0))

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A filled rectangle with round corners."""
        corners = [each * self.unit for each in (x, y, x + width, y + height)]
        self._draw.rounded_rectangle(corners, 12 * self.unit, fill)

    def line(self, points: Sequence[tuple[float, float]], fill: str, width: float) -> None:
        """A line through these points."""
        scaled = [(x * self.unit, y * self.unit) for x, y in points]
        self._draw.line(scaled, fill, max(1, round(width * self.unit)), joint="curve")

    def heading(self, text: str) -> None:
        """A heading with a line under it."""
        self.y += 58
        self.text(MARGIN, self.y, text, 34, FELT)
        self.line([(MARGIN, self.y + 12), (self.width - MARGIN, self.y + 12)], LINE, 2)
        self.y += 14

    def row(self, left: str, right: str = "", size: float = 30, fill: str = INK) -> None:
        """A line of text, with another at the right end."""
        self.y += size * 1.35
        taken = self.text(self.width - MARGIN, self.y, right, size, fill, anchor="r")
        room = self.width - 2 * MARGIN - taken - 24
        self.text(MARGIN, self.y, left, self.fitting(left, size, room), fill)

    def picture(self, photo: Image.Image, height: float) -> None:
        """A photo at the right end, whole, from here down."""
        room = (round(420 * self.unit), round(height * self.unit))
        small = ImageOps.contain(photo, room)
        left = round((self.width - MARGIN) * self.unit) - small.width
        self.image.paste(small, (left, round(self.y * self.unit)))


def draw_evening(evening: Evening, fonts: Fonts, jpeg: bytes | None, form: str) -> DrawnEvening:
    """Draw an evening in the reader's language, as large as it fits; `jpeg` is the best turn's."""
    photo = None
    if jpeg is not None:
        with suppress(PhotoError):  # an archive brought it: what cannot be read is left out
            photo = Image.fromarray(open_photo(jpeg, MOST_PHOTO_PIXELS)[..., ::-1])
    fonts.missing(evening_texts(evening, fonts))
    for width in WIDTHS:
        if _drawn(DrawnEvening(form, fonts, width, measuring=True), evening, photo).fits:
            break
    return _drawn(DrawnEvening(form, fonts, width), evening, photo)


def evening_texts(evening: Evening, fonts: Fonts) -> list[str]:
    """All that an evening's picture says, in the reader's language."""
    return _drawn(DrawnEvening("png", fonts, WIDTHS[0], measuring=True), evening, None).texts


def _drawn(sheet: DrawnEvening, evening: Evening, photo: Image.Image | None) -> DrawnEvening:
    width = sheet.width
    sheet.text(MARGIN, sheet.y + 40, "Tablescore", 30, SOFT)
    sheet.text(width - MARGIN, sheet.y + 40, day(evening.at), 44, FELT, anchor="r")
    sheet.y += 64
    colours = {player.name: SEATS[at % 8] for at, player in enumerate(evening.players)}
    _draw_podium(sheet, evening, colours)
    if evening.best is not None:
        _draw_best(sheet, evening.best, photo)
    _draw_luck(sheet, evening)
    records = [record for game in evening.games for record in game.records]
    if records:
        sheet.heading(translate(message("Records")))
        for record in records:
            sheet.row(translate(record))
    sheet.heading(translate(message("Games")))
    for game in evening.games[:MOST_GAMES]:
        _draw_game(sheet, game, colours)
    if (more := len(evening.games) - MOST_GAMES) > 0:
        sheet.row(translate(message("and {count} more", count=more)), fill=SOFT)
    return sheet


def _draw_podium(sheet: DrawnEvening, evening: Evening, colours: Mapping[str, str]) -> None:
    """The first three on their steps, the first in the middle; the others in a line each."""
    first, *others = evening.players
    column, floor = (sheet.width - 2 * MARGIN - 32) / 3, sheet.y + 290
    for at, player in zip((1, 0, 2), (first, *others[:2]), strict=False):
        height = {1: 280, 0: 240, 2: 214}[at]
        x, top = MARGIN + at * (column + 16), floor - height
        sheet.box(x, top, column, height, colours[player.name])
        middle = x + column / 2
        name = sheet.fitting(player.name, 52, column - 24)
        sheet.text(middle, top + 62, f"{player.place}.", 44, "#ffffff", anchor="m")
        sheet.text(middle, top + 118, player.name, name, "#ffffff", anchor="m")
        for below, line in ((158, wins(player)), (192, points(player))):
            words = translate(line)
            size = sheet.fitting(words, 30, column - 24)
            sheet.text(middle, top + below, words, size, "#ffffff", anchor="m")
    sheet.y = floor + 8
    for player in others[2:]:
        figures = f"{translate(wins(player))} · {translate(points(player))}"
        sheet.row(f"{player.place}. {player.name}", figures, fill=colours[player.name])


def _draw_best(sheet: DrawnEvening, best: BestTurn, photo: Image.Image | None) -> None:
    sheet.heading(translate(message("Best turn")))
    if photo is not None:
        sheet.y += 12
        sheet.picture(photo, 220)
    start = sheet.y
    sheet.y += 40
    sheet.text(MARGIN, sheet.y, best.player, sheet.fitting(best.player, 40, 500))
    sheet.y += 46
    words = translate(message("{points} in {box}", points=best.points, box=best.box))
    sheet.text(MARGIN, sheet.y, words, sheet.fitting(words, 40, 500), FELT)
    sheet.y = max(sheet.y, start + 224) if photo is not None else sheet.y


def _draw_luck(sheet: DrawnEvening, evening: Evening) -> None:
    known = [player for player in evening.players if player.luck is not None]
    if known:
        sheet.heading(translate(message("Luck and decisions")))
    for player in known:
        counts = (f"{translate(GRADE_WORDS[each])} {many}" for each, many in player.grades.items())
        sheet.row(f"{player.name}: {translate(luck_words(player))}", " · ".join(counts), 28)


def _draw_game(sheet: DrawnEvening, game: EveningGame, colours: Mapping[str, str]) -> None:
    """Who came where, beside the race of the totals."""
    sheet.y += 10
    top, lines = sheet.y, [f"{part.place or '–'}. {part.name}" for part in game.parts]
    sheet.row(translate(game.title), size=30, fill=SOFT)
    right = sheet.width - MARGIN - 330
    for line, part in zip(lines, game.parts, strict=True):
        sheet.y += 36
        sheet.text(MARGIN, sheet.y, line, sheet.fitting(line, 30, right - 260), colours[part.name])
        total = "–" if part.total is None else str(part.total)
        sheet.text(right - 60, sheet.y, total, 30, anchor="r")
    highest = max((abs(total) for totals in game.race for total in totals), default=0)
    if len(game.race) > 1 and highest:
        height, step = sheet.y - top - 16, 330 / len(game.race)
        base = sheet.y if min(map(min, game.race)) >= 0 else top + 16 + height / 2
        scale = height / highest if min(map(min, game.race)) >= 0 else height / highest / 2
        for seat, name in enumerate(game.names):
            points = [
                (right + step * (at + 1), base - totals[seat] * scale)
                for at, totals in enumerate(game.race)
            ]
            sheet.line([(right, base), *points], colours[name], 4)


def wins(player: EveningPlayer) -> Message:
    """How many of an evening's games a player won."""
    return message("{wins} of {games} won", wins=player.wins, games=player.games)


def points(player: EveningPlayer) -> Message:
    """A player's points of the whole evening."""
    return message("{points} points", points=player.points)


def luck_words(player: EveningPlayer) -> Message:
    """What the dice brought a player, and what decisions cost: dice +31, decisions -9."""
    signs = (round(player.luck or 0), -round(player.cost or 0))
    dice, decisions = (f"{each:+d}".replace("-", "\u2212") for each in signs)
    return message("dice {dice}, decisions {decisions}", dice=dice, decisions=decisions)
