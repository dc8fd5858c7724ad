"""The page of an evening, and the picture of 1080 x 1350 pixels that is shared; BG Stats.

Letters that the page's own font lacks are drawn in fonts of this machine, which fontconfig finds.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC
from functools import lru_cache
from http import HTTPStatus
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Final
from unicodedata import category
from urllib.parse import quote

from flask import Blueprint, Response, abort, render_template
from PIL import Image, ImageDraw, ImageFont, ImageOps

from scoreboard.games import GAMES
from scoreboard.games.advice.dice_advice import GRADE_WORDS
from scoreboard.games.evening import EveningPlayer
from scoreboard.games.finished import FinishedGame
from scoreboard.message import Message, message
from vision.capture.photo import open_photo
from vision.errors import PhotoError
from web.shared.qr_code import qr_code
from web.shared.words import COLON, day, translate
from web.table.history.archive import Archive
from web.table.history.evening import Evenings
from web.table.parts import fault_answer

if TYPE_CHECKING:
    from web.table.history.evening import BestTurn, Evening, EveningGame

SIZE: Final = (1080, 1350)
PAPER: Final = "#fffdf6"
WIDTHS: Final = range(1080, 4000, 180)  # units across: more where there is more to show
MOST_GAMES: Final = 10  # each with a part of its own
MARGIN: Final = 48
INK, SOFT, LINE, FELT = "#1d2621", "#55605a", "#d8cfb8", "#14503a"
# As in `base.css`: of seats, and of people.
COLOURS: Final = {
    "1": "#14503a",
    "2": "#1d4f91",
    "3": "#8f2f24",
    "4": "#67409a",
    "5": "#7a4a00",
    "6": "#0c5d68",
    "7": "#8a2a63",
    "8": "#4b5320",
    "green": "#2a8060",
    "blue": "#4466ff",
    "orange": "#cc4400",
    "purple": "#550055",
    "pink": "#aa55aa",
    "brown": "#771100",
    "navy": "#000099",
    "black": "#1a1a1a",
}
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
    """The font for each letter, cached. `find` asks the machine."""

    def __init__(self, find: Callable[[str], FontFile | None] = system_font) -> None:
        folder = files("web.table") / "static" / "fonts"
        names = [SHIPPED.format(letters) for letters in ("latin", "latin-ext")]
        self._shipped = [(str(folder / name), 0) for name in names]
        self._of: dict[str, tuple[str, int]] = {}
        self._find = find

    def missing(self, texts: Iterable[str]) -> str:
        """The letters that no font has, each once."""
        wanted = {letter for text in texts for letter in text if category(letter) not in INVISIBLE}
        for file in self._shipped:
            self._of |= {letter: file for letter in wanted - self._of.keys() if _has(file, letter)}
        lacking = wanted - self._of.keys()
        while found := self._find("".join(sorted(lacking))) if lacking else None:
            if not (new := found[2] & lacking):
                break
            self._of |= dict.fromkeys(new, found[:2])
            lacking -= new
        return "".join(sorted(lacking))

    def runs(self, text: str, size: int) -> list[tuple[str, ImageFont.FreeTypeFont]]:
        """The text in parts, each with the font that draws it; unknown letters as boxes."""
        used: list[tuple[str, int]] = []
        for letter in text:
            joins = category(letter) in INVISIBLE and used
            used.append(used[-1] if joins else self._of.get(letter, self._shipped[0]))
        parts = groupby(zip(used, text, strict=True), key=itemgetter(0))
        return [("".join(one for _, one in run), _font(*file, size)) for file, run in parts]


@lru_cache(maxsize=256)
def _font(path: str, index: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size, index)


def _has(file: tuple[str, int], letter: str) -> bool:
    """Whether a font draws the letter, and no box for it."""
    drawn, box = (_font(*file, 20).getmask(each) for each in (letter, NO_LETTER))
    return (drawn.size, bytes(drawn)) != (box.size, bytes(box))


@dataclass
class DrawnEvening:
    """A sheet being drawn, in units of which `width` go across; `y` is the current position."""

    fonts: Fonts
    width: int
    y: float = MARGIN
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", SIZE, PAPER)
        self._draw = ImageDraw.Draw(self.image)
        self.unit = self.image.width / self.width

    @property
    def fits(self) -> bool:
        return (self.y + MARGIN) * self.unit <= self.image.height

    def file(self) -> bytes:
        written = BytesIO()
        self.image.save(written, "PNG")
        return written.getvalue()

    def text(  # noqa: PLR0913, PLR0917 -- where, what and how it is written
        self, x: float, text: str, size: float, fill: str = INK, side: str = "l", room: float = inf
    ) -> float:
        """Write at the baseline `y`, from the left, to the right (`r`) or about the middle (`m`).

        It is written smaller where the room is less; gives its length.
        """
        self.texts.append(text)
        for _ in range(2):
            runs = self.fonts.runs(text, max(1, round(size * self.unit)))
            length = sum(font.getlength(part) for part, font in runs)
            size *= min(1.0, room * self.unit / max(length, 1.0))
        at = x * self.unit - {"l": 0.0, "m": length / 2, "r": length}[side]
        for part, font in runs:
            self._draw.text((at, self.y * self.unit), part, fill, font, anchor="ls")
            at += font.getlength(part)
        return length / self.unit

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        corners = [each * self.unit for each in (x, y, x + width, y + height)]
        self._draw.rounded_rectangle(corners, 12 * self.unit, fill)

    def line(self, points: Iterable[tuple[float, float]], fill: str, width: float) -> None:
        scaled = [(x * self.unit, y * self.unit) for x, y in points]
        self._draw.line(scaled, fill, max(1, round(width * self.unit)), joint="curve")

    def heading(self, words: Message) -> None:
        self.y += 58
        self.text(MARGIN, translate(words), 34, FELT)
        self.line([(MARGIN, self.y + 12), (self.width - MARGIN, self.y + 12)], LINE, 2)
        self.y += 14

    def row(self, left: str, right: str = "", size: float = 30, fill: str = INK) -> None:
        """A line of text, with another at the right end."""
        self.y += size * 1.35
        taken = self.text(self.width - MARGIN, right, size, fill, side="r")
        self.text(MARGIN, left, size, fill, room=self.width - 2 * MARGIN - taken - 24)

    def picture(self, photo: Image.Image, height: float) -> None:
        """A photo at the right end, whole, from here down."""
        small = ImageOps.contain(photo, (round(420 * self.unit), round(height * self.unit)))
        left = round((self.width - MARGIN) * self.unit) - small.width
        self.image.paste(small, (left, round(self.y * self.unit)))


def draw_evening(evening: Evening, fonts: Fonts, jpeg: bytes | None) -> DrawnEvening:
    """Draw an evening in the reader's language, as large as it fits; `jpeg` is the best turn's."""
    photo = None
    if jpeg is not None:
        with suppress(PhotoError):  # an archive brought it: what cannot be read is left out
            photo = Image.fromarray(open_photo(jpeg, MOST_PHOTO_PIXELS)[..., ::-1])
    fonts.missing(evening_texts(evening, fonts))
    sheets = (_drawn(DrawnEvening(fonts, width), evening, photo) for width in WIDTHS)
    return next(sheet for sheet in sheets if sheet.fits or sheet.width == WIDTHS[-1])


def evening_texts(evening: Evening, fonts: Fonts) -> list[str]:
    """All texts of an evening's picture, in the reader's language."""
    return _drawn(DrawnEvening(fonts, WIDTHS[0]), evening, None).texts


def _drawn(sheet: DrawnEvening, evening: Evening, photo: Image.Image | None) -> DrawnEvening:
    colours = {name: COLOURS[colour] for name, colour in evening.colours.items()}
    sheet.y += 40
    sheet.text(MARGIN, "Tablescore", 30, SOFT)
    sheet.text(sheet.width - MARGIN, day(evening.at), 44, FELT, side="r")
    sheet.y += 24
    _draw_podium(sheet, evening, colours)
    if evening.best is not None:
        _draw_best(sheet, evening.best, photo)
    known = [player for player in evening.players if player.luck is not None]
    if known:
        sheet.heading(message("Luck and decisions"))
    for player in known:
        counts = (f"{translate(GRADE_WORDS[each])} {many}" for each, many in player.grades.items())
        luck = translate(luck_words(player))
        sheet.row(f"{player.name}{translate(COLON)}{luck}", " · ".join(counts), 28)
    records = [record for game in evening.games for record in game.records]
    if records:
        sheet.heading(message("Records"))
    for record in records:
        sheet.row(translate(record))
    sheet.heading(message("Games"))
    for game in evening.games[:MOST_GAMES]:
        _draw_game(sheet, game, colours)
    if (more := len(evening.games) - MOST_GAMES) > 0:
        sheet.row(translate(message("and {count} more", count=more)), fill=SOFT)
    return sheet


def _draw_podium(sheet: DrawnEvening, evening: Evening, colours: Mapping[str, str]) -> None:
    """The first three on their steps, the first in the middle; the others in a line each."""
    column, floor = (sheet.width - 2 * MARGIN - 32) / 3, sheet.y + 290
    heights = {1: 280, 2: 240, 3: 214}
    for at, player in zip((1, 0, 2), evening.players, strict=False):
        height = heights[player.place]
        x = MARGIN + at * (column + 16)
        sheet.box(x, floor - height, column, height, colours[player.name])
        words = ((62, f"{player.place}.", 44), (118, player.name, 52))
        figures = ((158, translate(wins(player)), 30), (192, translate(points(player)), 30))
        for below, text, size in (*words, *figures):
            sheet.y = floor - height + below
            middle = x + column / 2
            sheet.text(middle, text, size, "#ffffff", side="m", room=column - 24)
    sheet.y = floor + 8
    for player in evening.players[3:]:
        text = f"{translate(wins(player))} · {translate(points(player))}"
        sheet.row(f"{player.place}. {player.name}", text, fill=colours[player.name])


def _draw_best(sheet: DrawnEvening, best: BestTurn, photo: Image.Image | None) -> None:
    sheet.heading(message("Best turn"))
    end = sheet.y
    if photo is not None:
        sheet.y += 12
        sheet.picture(photo, 220)
        end = sheet.y + 224
    sheet.y += 40
    sheet.text(MARGIN, best.player, 40, room=500)
    sheet.y += 46
    words = message("{points} in {box}", points=best.points, box=best.box)
    sheet.text(MARGIN, translate(words), 40, FELT, room=500)
    sheet.y = max(sheet.y, end)


def _draw_game(sheet: DrawnEvening, game: EveningGame, colours: Mapping[str, str]) -> None:
    """The places of the players, next to the race of the totals."""
    sheet.y += 10
    top, right = sheet.y + 16, sheet.width - MARGIN - 330
    sheet.row(translate(game.title), fill=SOFT)
    for part in game.parts:
        sheet.y += 36
        line, total = f"{part.place or '–'}. {part.name}", "–" if part.total is None else part.total
        sheet.text(MARGIN, line, 30, colours[part.name], room=right - 260)
        sheet.text(right - 60, str(total), 30, side="r")
    race = ((0,) * len(game.names), *game.race)
    lowest, highest = min(map(min, race)), max(map(max, race))
    if len(game.race) > 1 and lowest < highest:
        across, up = 330 / len(game.race), (sheet.y - top) / (highest - lowest)
        for name, totals in zip(game.names, zip(*race, strict=True), strict=True):
            heights = (sheet.y - (total - lowest) * up for total in totals)
            points = ((right + across * at, height) for at, height in enumerate(heights))
            sheet.line(points, colours[name], 4)


def wins(player: EveningPlayer) -> Message:
    """How many of an evening's games a player won."""
    return message("{wins} of {games} won", wins=player.wins, games=player.games)


def points(player: EveningPlayer) -> Message:
    """A player's points of the whole evening."""
    return message("{points} points", points=player.points)


def luck_words(player: EveningPlayer) -> Message:
    """A player's luck, and the cost of decisions: dice +31, decisions -9."""
    signs = (round(player.luck or 0), -round(player.cost or 0))
    dice, decisions = (f"{each:+d}" for each in signs)
    return message("dice {dice}, decisions {decisions}", dice=dice, decisions=decisions)


def evening_views(archive: Archive, kept: Evenings) -> Blueprint:
    """`/evening`, `/evening/2026-11-25` with its picture, and a game's race and link."""
    views, fonts = Blueprint("evening", __name__), Fonts()

    @views.get("/evening", right="guest")
    @views.get("/evening/<key>", right="guest")
    def show(key: str | None = None) -> str:
        evening = kept.of(key)
        if evening is None:
            return abort(404) if key else render_template("evening.html", evening=None)
        letters = fonts.missing(evening_texts(evening, fonts))
        return render_template(
            "evening.html",
            evening=evening,
            day=day(evening.at),
            no_font=no_font(letters) if letters else None,
            grades=GRADE_WORDS,
            luck_words=luck_words,
        )

    @views.get("/evening/<key>/evening.png", right="guest")
    def shared(key: str) -> Response:
        evening = kept.of(key) or abort(404)
        best, photo = evening.best, None
        if best is not None and best.photo_step is not None:
            photo = archive.photo(best.game_id, best.photo_step)
        drawn = draw_evening(evening, fonts, None if photo is None else photo.jpeg)
        if letters := fonts.missing(drawn.texts):
            return fault_answer(HTTPStatus.CONFLICT, no_font(letters))
        kept_as = f'inline; filename="tablescore-{evening.key}.png"'
        headers = {"Content-Disposition": kept_as}
        return Response(drawn.file(), mimetype="image/png", headers=headers)

    @views.get("/games/<game_id>/race", right="guest", on_table="watcher")
    def race(game_id: str) -> str:
        return render_template("race.html", game=kept.game(game_id) or abort(404))

    @views.get("/games/<game_id>/bg-stats", right="guest")
    def bg_stats(game_id: str) -> str:
        game = kept.game(game_id) or abort(404)
        link = create_play_link(game.parts, game.beginner)
        return render_template("bg_stats.html", game=game, link=link, code=qr_code(link))

    return views


def no_font(letters: str) -> Message:
    """The reason there is no picture of an evening, and the cure."""
    return message(
        "No font on this machine can write “{letters}”, so there is no image: install one "
        "(fonts-noto-cjk has Chinese, Japanese and Korean), or print this page from your device.",
        letters=letters,
    )


CREATE_PLAY: Final = "https://app.bgstatsapp.com/createPlay.html?data="


def create_play_link(parts: Sequence[FinishedGame], beginner: int) -> str:
    """The link for a finished game, from each player's part of it and the beginner's seat.

    The format is that of https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-
    or-websites/ (version 3.3.2 or higher); a person opens the link, the table sends nothing.
    Names identify the players, so that BG Stats matches each of them once. `winner` and
    `startPlayer` are always set: its Android app is reported to refuse a play without.
    """
    first = parts[0]
    rulebook = GAMES[first.game]
    game = {"name": str(rulebook.title), "sourceGameId": first.game}
    # BG Stats asks for the number that is not given
    number = {} if rulebook.bgg_id is None else {"bggId": rulebook.bgg_id}
    players = [
        {
            "name": part.name,
            "sourcePlayerId": part.name,
            "winner": part.place == 1,
            "startPlayer": part.seat == beginner,
            **({} if part.total is None else {"score": part.total}),
            **({} if part.place is None else {"rank": part.place}),
        }
        for part in sorted(parts, key=lambda part: part.seat)
    ]
    play = {
        "sourceName": "Tablescore",
        "sourcePlayId": first.game_id,
        "playDate": first.finished_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {**game, **number, "highestWins": first.better > 0, "noPoints": False},
        "players": players,
    }
    written = json.dumps(play, ensure_ascii=False, separators=(",", ":"))
    return CREATE_PLAY + quote(written, safe="")
