"""The page of an evening, and the picture of 1080 x 1350 pixels that is shared; BG Stats.

Letters that the page's own font lacks are drawn in fonts of this machine, which fontconfig finds.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from http import HTTPStatus
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from math import inf
from operator import itemgetter
from random import Random
from typing import Final
from unicodedata import category

from flask import Blueprint, Response, abort, render_template, request
from PIL import Image, ImageDraw, ImageFont, ImageOps

from scoreboard.games.evening import EveningPlayer, headline
from scoreboard.message import Message, message
from scoreboard.storage.bg_stats import FinishedPlay, create_play_link, play_file
from vision.capture.photo import open_photo
from vision.errors import PhotoError
from web.shared.qr_code import qr_code
from web.shared.words import day, translate
from web.table.history.archive import Archive
from web.table.history.evening import Evening, EveningGame, Evenings
from web.table.parts import fault_answer

SIZE: Final = (1080, 1350)
PAPER: Final = "#fffdf6"
WIDTHS: Final = range(1080, 4000, 180)  # units across: more where there is more to show
MOST_GAMES: Final = 10  # each with a part of its own
MARGIN: Final = 48
INK, SOFT, LINE, FELT = "#1d2621", "#55605a", "#d8cfb8", "#14503a"
CONFETTI: Final = ("#f2c75c", "#ffffff", "#8fc7a9", "#e59a86")
STYLES: Final = (files("web.table") / "static" / "base.css").read_text(encoding="utf-8")
COLOURS: Final = dict(re.findall(r"\.seat-([a-z]+) { --seat: (#[0-9a-f]+);", STYLES))
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
    """A sheet being drawn, in units of which `width` go across; `y` is the current position.

    Each race is higher by what is `spare`.
    """

    fonts: Fonts
    width: int
    y: float = MARGIN
    spare: float = 0.0
    texts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.image = Image.new("RGB", (2 * SIZE[0], 2 * SIZE[1]), PAPER)
        self._draw = ImageDraw.Draw(self.image)
        self.unit = self.image.width / self.width

    @property
    def room(self) -> float:
        """The units that are left at the bottom; less than none if it is too long."""
        return self.width / SIZE[0] * (SIZE[1] - MARGIN) - self.y

    def file(self) -> bytes:
        written = BytesIO()
        self.image.resize(SIZE, Image.Resampling.LANCZOS).save(written, "PNG")  # smooth lines
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

    def row(
        self, left: str, right: str = "", size: float = 30, fill: str = INK, room: float = inf
    ) -> None:
        """A line of text, with another at the right end."""
        self.y += size * 1.35
        taken = self.text(self.width - MARGIN, right, size, fill, side="r")
        room = min(room, self.width - 2 * MARGIN - taken - 24)
        self.text(MARGIN, left, size, fill, room=room)

    def circle(self, x: float, y: float, width: float, fill: str) -> None:
        corners = [each * self.unit for each in (x, y, x + width, y + width)]
        self._draw.ellipse(corners, fill)

    def picture(self, photo: Image.Image, width: float, height: float) -> tuple[float, float]:
        """A photo at the left end, whole, from here down; gives its size with the gap after it."""
        small = ImageOps.contain(photo, (round(width * self.unit), round(height * self.unit)))
        self.image.paste(small, (round(MARGIN * self.unit), round(self.y * self.unit)))
        return small.width / self.unit + 40, small.height / self.unit


def draw_evening(
    evening: Evening, fonts: Fonts, jpeg: bytes | None, *, with_coach: bool = False
) -> DrawnEvening:
    """Draw an evening in the reader's language, as large as it fits; `jpeg` is the best turn's."""
    photo = None
    if jpeg is not None:
        with suppress(PhotoError):  # an archive brought it: what cannot be read is left out
            photo = Image.fromarray(open_photo(jpeg, MOST_PHOTO_PIXELS)[..., ::-1])
    fonts.missing(evening_texts(evening, fonts))
    drawn = partial(_drawn, evening=evening, photo=photo, with_coach=with_coach)
    sheets = (drawn(DrawnEvening(fonts, width)) for width in WIDTHS)
    sheet = next(sheet for sheet in sheets if sheet.room >= 0 or sheet.width == WIDTHS[-1])
    races = sum(bool(race_lines(game)) for game in evening.games[:MOST_GAMES])
    if not races or sheet.room <= 0:
        return sheet
    return drawn(DrawnEvening(fonts, sheet.width, spare=sheet.room / races))


def evening_texts(evening: Evening, fonts: Fonts) -> list[str]:
    """All texts of an evening's picture, in the reader's language."""
    return _drawn(DrawnEvening(fonts, WIDTHS[0]), evening, None, with_coach=True).texts


def _drawn(
    sheet: DrawnEvening, evening: Evening, photo: Image.Image | None, *, with_coach: bool
) -> DrawnEvening:
    colours = {name: COLOURS[mark.colour] for name, mark in evening.marks.items()}
    _draw_winner(sheet, evening, colours)
    if len(evening.players) > 1:
        _draw_podium(sheet, evening, colours)
    _draw_best(sheet, evening, photo)
    sheet.heading(message("Games"))
    for game in evening.games[:MOST_GAMES]:
        _draw_game(sheet, game, colours)
    if (more := len(evening.games) - MOST_GAMES) > 0:
        sheet.row(translate(message("and {count} more", count=more)), fill=SOFT)
    known = [player for player in evening.players if with_coach and player.luck is not None]
    if known:
        sheet.heading(message("Luck and decisions"))
    for player in known:
        sheet.row(player.name, translate(luck_words(player)), 28)
    return sheet


def _draw_winner(sheet: DrawnEvening, evening: Evening, colours: Mapping[str, str]) -> None:
    """Who won, in their colour between confetti, and when it was."""
    winner, height, snips = evening.players[0], 300, Random(evening.key)
    sheet.box(-20, -20, sheet.width + 40, height + 20, colours[winner.name])
    for at in range(56):
        x, y = snips.uniform(0, sheet.width), snips.uniform(8, 40) + (at % 2) * (height - 62)
        sheet.circle(x, y, 12, CONFETTI[at % len(CONFETTI)])
    sheet.y = 86
    sheet.text(MARGIN, day(evening.at), 38, "#ffffff")
    sheet.text(sheet.width - MARGIN, "Tablescore", 28, "#ffffff", side="r")
    sheet.circle(MARGIN, 116, 132, "#ffffff")
    sheet.y = 208
    initial, left = evening.marks[winner.name].initial, MARGIN + 160
    sheet.text(MARGIN + 66, initial, 76, colours[winner.name], side="m", room=100)
    words = translate(headline(evening.players))
    sheet.text(left, words, 76, "#ffffff", room=sheet.width - left - MARGIN)
    sheet.y = height


def _draw_podium(sheet: DrawnEvening, evening: Evening, colours: Mapping[str, str]) -> None:
    """The first three on their steps, the first but one to the left; the others in a line each."""
    shown = evening.players[:3]
    column, floor = (sheet.width - 2 * MARGIN - 32) / 3, sheet.y + 250
    start = MARGIN + (3 - len(shown)) * (column + 16) / 2
    heights = {1: 220, 2: 186, 3: 162}
    for at, player in zip((1, 0, 2), shown, strict=False):
        height, x = heights[player.place], start + at * (column + 16)
        sheet.box(x, floor - height, column, height, colours[player.name])
        sheet.y = floor - height + 14
        name = f"{player.place}. {player.name}"
        words = ((name, 48), (translate(wins(player)), 30), (translate(points(player)), 30))
        for text, size in words:
            sheet.y += size * 0.7 + 15
            sheet.text(x + column / 2, text, size, "#ffffff", side="m", room=column - 24)
    sheet.y = floor + 8
    for player in evening.players[3:]:
        text = f"{translate(wins(player))} · {translate(points(player))}"
        sheet.row(f"{player.place}. {player.name}", text, fill=colours[player.name])


def _draw_best(sheet: DrawnEvening, evening: Evening, photo: Image.Image | None) -> None:
    """The best turn with its photo, and what records fell."""
    records = [record for game in evening.games for record in game.records]
    lines = [(translate(record), 32, INK) for record in records]
    if (best := evening.best) is not None:
        words = message("{points} in {box}", points=best.points, box=best.box)
        texts = translate(message("Best turn")), best.player, translate(words), ""
        lines[:0] = zip(texts, (34, 62, 56, 14), (SOFT, INK, FELT, INK), strict=True)
    if not lines:
        return
    sheet.y += 32
    wide, tall = (0.0, 0.0) if photo is None else sheet.picture(photo, 600, 420)
    high = sum(size * 1.35 for _, size, _ in lines)
    left, end = MARGIN + wide, sheet.y + max(tall, high)
    sheet.y += (end - sheet.y - high) / 2 - 12
    for text, size, fill in lines:
        sheet.y += size * 1.35
        sheet.text(left, text, size, fill, room=sheet.width - left - MARGIN)
    sheet.y = end


def _draw_game(sheet: DrawnEvening, game: EveningGame, colours: Mapping[str, str]) -> None:
    """The places of the players, next to the race of the totals, which takes what is spare."""
    top, left, lines = sheet.y + 22, MARGIN + 380, race_lines(game)
    sheet.row(translate(game.title), fill=SOFT)
    for part in game.parts:
        sheet.row(f"{part.place or '–'}. {part.name}", fill=colours[part.name], room=290)
        sheet.text(left - 32, "–" if part.total is None else str(part.total), 30, side="r")
    end = sheet.y + (sheet.spare if lines else 0)
    for name, line in lines.items():
        across, up = sheet.width - MARGIN - left, end - top
        points = ((left + across * x, end - up * y) for x, y in line)
        sheet.line(points, colours[name], 5)
    sheet.y = end + 14


def race_lines(game: EveningGame) -> dict[str, list[tuple[float, float]]]:
    """Each player's totals from the start to the end, both as shares of 1; empty without a race."""
    race = ((0,) * len(game.names), *game.race)
    lowest, highest = min(map(min, race)), max(map(max, race))
    if len(game.race) < 2 or lowest == highest:  # noqa: PLR2004 -- a line has two ends
        return {}
    rounds, span = len(game.race), highest - lowest
    return {
        name: [(at / rounds, (total - lowest) / span) for at, total in enumerate(totals)]
        for name, totals in zip(game.names, zip(*race, strict=True), strict=True)
    }


def wins(player: EveningPlayer) -> Message:
    """How many of an evening's games a player won."""
    return message("Won {wins} of {games}", wins=player.wins, games=player.games)


def points(player: EveningPlayer) -> Message:
    """A player's points of the whole evening."""
    return message("{points} points", points=player.points)


def luck_words(player: EveningPlayer) -> Message:
    """What the dice brought a player beyond the average, and what their choices cost."""
    luck, cost = round(player.luck or 0), round(player.cost or 0)
    if luck < 0:
        return message("{points} points of bad luck, {lost} given away", points=-luck, lost=cost)
    return message("{points} points of luck, {lost} given away", points=luck, lost=cost)


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
            headline=headline(evening.players),
            race_lines=race_lines,
            wins=wins,
            luck_words=luck_words,
        )

    @views.get("/evening/<key>/evening.png", right="guest")
    def shared(key: str) -> Response:
        evening = kept.of(key) or abort(404)
        best, photo = evening.best, None
        if best is not None and best.photo_step is not None:
            photo = archive.photo(best.game_id, best.photo_step)
        with_coach, jpeg = "with_coach" in request.args, None if photo is None else photo.jpeg
        drawn = draw_evening(evening, fonts, jpeg, with_coach=with_coach)
        if letters := fonts.missing(drawn.texts):
            return fault_answer(HTTPStatus.CONFLICT, no_font(letters))
        headers = {"Content-Disposition": f'attachment; filename="tablescore-{evening.key}.png"'}
        return Response(drawn.file(), mimetype="image/png", headers=headers)

    @views.get("/games/<game_id>/race", right="guest", on_table="watcher")
    def race(game_id: str) -> str:
        game = kept.game(game_id) or abort(404)
        return render_template("race.html", game=game, marks=kept.marks(*game.names))

    @views.get("/games/<game_id>/bg-stats", right="guest")
    def bg_stats(game_id: str) -> str:
        game = kept.game(game_id) or abort(404)
        link = create_play_link(FinishedPlay(game.parts, game.beginner))
        return render_template("bg_stats.html", game=game, link=link, code=qr_code(link))

    @views.get("/evening/<key>/evening.bgsplay", right="guest")
    def play_files(key: str) -> Response:
        evening = kept.of(key) or abort(404)
        written = play_file(FinishedPlay(game.parts, game.beginner) for game in evening.games)
        kept_as = f'attachment; filename="tablescore-{evening.key}.bgsplay"'
        headers = {"Content-Disposition": kept_as}
        return Response(written, mimetype="application/json", headers=headers)

    return views


def no_font(letters: str) -> Message:
    """The reason there is no picture of an evening, and the cure."""
    return message(
        "No font on this machine can write “{letters}”, so there is no image: install one "
        "(fonts-noto-cjk has Chinese, Japanese and Korean), or print this page from your device.",
        letters=letters,
    )
