"""Tong Tong's demo evening: its match, tables, deck and lesson, and their pictures."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from math import pi, sin
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from scoreboard.games.engine.game import Offer, Setup
from scoreboard.games.tongtong.acts import (
    Command,
    GameScored,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PilesEntered,
    PlayCard,
)
from scoreboard.games.tongtong.cards import BONUS, LEADING, Card, Cards, Piles
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.state import Deal, State
from vision.capture.frame import Image
from vision.capture.photo import open_photo
from vision.learn.school import Inspected, School
from vision.learn.taught_sets import TaughtSet, TaughtSets
from vision.train.rendering.backgrounds import PIXELS, ground_of
from vision.train.rendering.camera import DEMO_EXPOSURE, Exposure, Lens, any_room, expose
from vision.train.rendering.chance import Random, between
from vision.train.rendering.decks.designs import Design, FaceSheet
from vision.train.rendering.decks.photo_session import (
    Laid,
    Setting,
    Shooting,
    any_setting,
    fair_exposure,
    in_rows,
    stage,
)
from vision.train.rendering.evening import kept, read_picture, write_json, write_webp
from vision.train.rendering.geometry import Colour, Picture
from vision.train.rendering.studio import Studio, scenery

PLAYERS: Final = ("Ann", "Ben", "Cid")
MISSIONS: Final = ("high-12", "low-5", "high-9")
_SEED: Final = 24


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game: its mission, the seat that led, and the cards in the order played.

    `piles` lie before the players at the end, and `sixes` are those that they won, by seat.
    """

    mission: str
    leader: int
    played: tuple[Card, ...]
    piles: tuple[Piles, ...]
    sixes: tuple[tuple[Card, ...], ...]

    def lying(self, seat: int) -> tuple[Card, ...]:
        """A player's cards at the end: the tops, and the other 6s next to them."""
        tops = self.piles[seat].tops
        return (*tops, *(card for card in self.sixes[seat] if card not in tops))


def the_match() -> tuple[PlayedGame, ...]:
    """The demo's own three games, the same ones always."""
    return any_match(np.random.default_rng(_SEED))


def any_match(random: Random) -> tuple[PlayedGame, ...]:
    """Three games of three players who play any card that they may, red 8 first of all."""
    state, games = GAME.start(Setup(PLAYERS, {})), []
    for mission in MISSIONS:
        state = _dealt(_after(state, MissionChosen(mission)), random)
        leader, number = state.deal.opener or 0, len(state.games)
        played: list[Card] = []
        while len(state.games) == number:
            # Any card that the rules offer; the first card of each game is red 8
            commands = [each.command for each in GAME.offers(state) if isinstance(each, Offer)]
            cards = [each.card for each in commands if isinstance(each, PlayCard)]
            card = cards[int(random.integers(len(cards)))] if state.deal.played else LEADING
            played.append(card)
            last, state = state, _after(state, PlayCard(card))
        deal = _at_end(last, played[-1])
        won = [
            [card for trick in deal.taken if trick.winner == seat for card in trick.cards]
            for seat in range(len(PLAYERS))
        ]
        sixes = tuple(tuple(card for card in cards if card.number == BONUS) for cards in won)
        games.append(PlayedGame(mission, leader, tuple(played), deal.piles, sixes))
    return tuple(games)


def _dealt(state: State, random: Random) -> State:
    mixed = [state.deck[at] for at in random.permutation(len(state.deck))]
    for seat, player in enumerate(state.players):
        hand = sorted(mixed[seat :: len(PLAYERS)])
        state = _after(state, HandShown(player, Cards(tuple(hand))))
    return state


def _at_end(before: State, last: Card) -> Deal:
    """The table once the game's last card is played."""
    state = before
    for event in GAME.decide(before, PlayCard(last)):
        if isinstance(event, GameScored):
            break
        state = GAME.evolve(state, event)
    return state.deal


def _after(state: State, command: Command) -> State:
    """The state after a command. Raises RuleViolationError where the rules refuse it."""
    for event in GAME.decide(state, command):
        state = GAME.evolve(state, event)
    return state


def replayed(games: tuple[PlayedGame, ...], *, quick: bool) -> State:
    """The match as a table tells it: without hands, card by card or only its piles (`quick`).

    Raises:
        RuleViolationError: the rules refuse it.
    """
    state = GAME.start(Setup(PLAYERS, {"mode": "quick"} if quick else {}))
    for game in games:
        acts: list[Command] = [MissionChosen(game.mission)]
        if quick:
            acts += map(PilesEntered, PLAYERS, game.piles)
        else:
            acts += [LeaderNamed(PLAYERS[game.leader]), *map(PlayCard, game.played)]
        for command in acts:
            state = _after(state, command)
    return state


_TABLES_SEED: Final = 17
_SEATS: Final = len(PLAYERS)
_BEFORE_CARDS: Final = 2  # a mission is turned up, and who holds red 8 is entered
_BEFORE_PILES: Final = 1
HASTY: Final = ((0, 7), (2, 7))  # in this game the card of this number falls with the next one
# Before each seat, as the camera sees it: where its card is (x, y) and how it is turned, degrees.
_SPOTS: Final = ((0.1, -0.35, 0.0), (-2.2, 0.3, 16.0), (2.25, 0.2, 166.0))
_PITCH: Final = 1.75  # between piles
_BESIDE: Final = 1.45  # between a pile and a 6 laid next to it
_UNEVEN: Final = (0.1, 0.16, 4.0)  # of a card: across, along, degrees


@dataclass(frozen=True, slots=True)
class ShownCards:
    """The cards on the table while one act is awaited.

    `step` names what is awaited as the page's follower does; `fresh` are the cards that were not
    there before, in the order they came; `laid` are all, in the order they came.
    """

    step: str
    fresh: tuple[Card, ...]
    laid: tuple[Laid, ...]


def tables(games: Sequence[PlayedGame]) -> Iterator[ShownCards]:
    """Every table of the match: first the piles of all games, then their tricks."""
    for number, game in enumerate(games):
        yield from _ends(np.random.default_rng((_TABLES_SEED, number)), number, game)
    for number, game in enumerate(games):
        yield from _tricks(np.random.default_rng((_TABLES_SEED, 100 + number)), number, game)


def _ends(random: Random, number: int, game: PlayedGame) -> Iterator[ShownCards]:
    """The cards before one player after the other when a game is over."""
    for seat in range(_SEATS):
        act = number * (_BEFORE_PILES + _SEATS) + _BEFORE_PILES + seat
        cards = game.lying(seat)
        yield ShownCards(f"piles-{seat}-{act:02}", cards, tuple(_piles(random, cards)))


def _tricks(random: Random, number: int, game: PlayedGame) -> Iterator[ShownCards]:
    """One table a card; where two fall at once, one for both."""
    first = number * (_BEFORE_CARDS + len(game.played)) + _BEFORE_CARDS
    trick: list[Laid] = []
    for at, card in enumerate(game.played):
        if at % _SEATS == 0:
            trick = []
        hasty = (number, at) in HASTY
        fresh = game.played[at : at + 1 + hasty]
        if card not in [Card.parse(one.face) for one in trick]:
            for one in fresh:
                x, y, degrees = _SPOTS[len(trick)]
                trick.append(_nudged(random, one, (x, y), degrees))
            yield ShownCards(f"play-{first + at:02}", fresh, tuple(trick))


def _piles(random: Random, cards: Sequence[Card]) -> Iterator[Laid]:
    """The tops side by side, a 6 that was won close to the top of its colour."""
    places, x = [], 0.0
    colours = sorted({card.colour for card in cards}, key=[c.colour for c in cards].index)
    for colour in colours:
        for nth, card in enumerate(each for each in cards if each.colour == colour):
            x += _BESIDE if nth else _PITCH
            places.append((card, x))
    middle = (places[0][1] + places[-1][1]) / 2
    for card, across in places:
        yield _nudged(random, card, (across - middle, 0.0), 0.0)


def _nudged(random: Random, card: Card, place: tuple[float, float], degrees: float) -> Laid:
    across, along, turn = (float(random.normal(0, much / 2)) for much in _UNEVEN)
    heading = np.radians(degrees + turn)
    return Laid(str(card), place[0] + across, place[1] + along, float(heading))


_CREAM: Final[Colour] = (246, 238, 218)
_CORD: Final[Colour] = (96, 84, 74)
_INKS: Final[dict[str, Colour]] = {
    "R": (202, 46, 40), "B": (34, 92, 180), "G": (34, 128, 74), "P": (122, 60, 148),
    "Y": (234, 172, 24),
}  # fmt: skip
_LENGTH: Final = 3.8
_END: Final = 0.92  # widths of a strip: so long is each coloured end
_FIRST: Final = 1.08
_APART: Final = 0.21
_NUMERAL: Final = "DejaVuSerif-Bold.ttf"


def _bunting(face: str) -> Picture:
    """A numeral in each coloured end, and the number's pennants between them."""
    ink, sheet = _INKS[face[0]], FaceSheet(_LENGTH, _CREAM)
    sheet.box((0.06, 0.06, 0.94, _END), ink, 0.07)
    sheet.text(face[1], (0.5, 0.49, 0.66), _CREAM, _NUMERAL)
    sheet.mirrored()
    cord = [(_swing(at / 40), _END + (_LENGTH - 2 * _END) * at / 40) for at in range(41)]
    sheet.line(cord, _CORD, 0.025)
    for place in range(int(face[1])):
        _pennant(sheet, _FIRST + _APART * place, 1 if place % 2 else -1, ink)
    return sheet.picture()


def _swing(share: float) -> float:
    """Where the cord hangs, across the strip, at a share of its length."""
    return 0.5 + 0.05 * sin(3 * pi * share)


def _pennant(sheet: FaceSheet, down: float, side: int, ink: Colour) -> None:
    """A triangle that hangs from the cord to one side."""
    at = _swing((down - _END) / (_LENGTH - 2 * _END))
    sheet.shape([(at, down - 0.12), (at, down + 0.12), (at + 0.36 * side, down)], ink)


BUNTING: Final = Design("bunting", _LENGTH, 0.09, _bunting, (_CREAM,))


_ROOM: Final = 11
_WOOD: Final = 31
_REPEATS_OVER: Final = 17.0
_SAMPLES: Final = 20
LENS: Final = Lens(960, 720, (0.05, 0.1, 0.0), 64.0, 4.0, 1.5, 13.2, 40.0, 1e-3, 13.2)


def the_setting() -> Setting:
    """The table and the light that the match is played in."""
    ground = ground_of("wood", np.random.default_rng(_WOOD), PIXELS / _REPEATS_OVER)
    return Setting(ground, any_room(np.random.default_rng(_ROOM)), _REPEATS_OVER, 0.45)


@dataclass(frozen=True, slots=True, eq=False)
class CardTake:
    """One picture to take; `exposure` is what the camera makes of it, `seed` its grain."""

    design: Design
    setting: Setting
    shooting: Shooting
    exposure: Exposure
    seed: int


def take_picture(take: CardTake, studio: Studio) -> Image:
    """Trace it and expose it, blue-green-red."""
    shown = scenery(stage(take.design, take.setting, take.shooting))
    shot = studio.trace(replace(shown, samples=_SAMPLES, painted=True), take.seed)
    return expose(shot.without_grain(), take.exposure, np.random.default_rng(take.seed))


_LESSON_SEED: Final = 23
_PHOTOGRAPHS: Final = 3
_A_ROW: Final = 8
_SHARE: Final = 1 / 15  # of a card's width in the picture's
_FIELD: Final = 40.0
_TAUGHT_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)


def teaching_takes(design: Design) -> Iterator[CardTake]:
    """A row of eight a picture; the pictures are named by what they show, as a lesson's are."""
    for scene in range(_PHOTOGRAPHS):
        yield from _scene(design, scene)


def held_back_takes(design: Design) -> Iterator[CardTake]:
    """The same once more, to examine by."""
    yield from _scene(design, _PHOTOGRAPHS)


def _scene(design: Design, scene: int) -> Iterator[CardTake]:
    random = np.random.default_rng((_LESSON_SEED, scene))
    setting = any_setting(random, design, _SHARE)
    elevation = between(random, 66, 90)
    for number, first in enumerate(range(0, len(design.faces), _A_ROW)):
        row = design.faces[first : first + _A_ROW]
        azimuth = between(random, -10, 10)
        roll = float(random.normal(0, 2))
        distance = float(0.5 / np.tan(np.radians(_FIELD) / 2) / _SHARE)
        lens = Lens(960, 720, (0, 0, 0), elevation, azimuth, roll, distance, _FIELD, 1e-3, distance)
        laid = tuple(in_rows(random, design, row, _A_ROW))
        shooting = Shooting(f"{' '.join(row)}/{scene}", laid, lens)
        seed = 1000 + 10 * scene + number
        yield CardTake(design, setting, shooting, fair_exposure(random), seed)


def taught(name: str, photographs: Path, held_back: Path, folder: Path) -> TaughtSet:
    """Learn a folder's photographs, examine it by another's, and keep what was learned in a third.

    Raises:
        LessonError: there are no photographs.
        ValueError: one of them cannot be used, which its text names.
    """
    school = School(TaughtSets(folder), open_photo, lambda: _TAUGHT_AT)
    inspected, examined = (_inspected(school, each) for each in (photographs, held_back))
    learned = school.learn(name, inspected)
    return school.keep(learned, school.examine_held_back(learned, examined))


def _inspected(school: School, folder: Path) -> tuple[Inspected, ...]:
    inspected = school.inspect(school.lesson_in(folder))
    faults = [f"{each.photo.path}: {each.problem}" for each in inspected if each.problem]
    if faults:
        raise ValueError("; ".join(faults))
    return inspected


_QUALITY: Final = 80
_VERSION: Final = 1  # raised whenever the same take would be drawn differently
_FIRST_SEED: Final = 100


@dataclass(frozen=True, slots=True)
class CardDarkroom:
    """Takes pictures into a folder, each only once: a broken-off run goes on where it stopped."""

    folder: Path
    studio: Studio

    def picture(self, take: CardTake) -> Path:
        """The file with the picture of a take, taken now when it is not there yet."""
        drawn = (_VERSION, take.design.name, take.seed, take.shooting, take.exposure)
        path = self.folder / f"{sha256(repr(drawn).encode()).hexdigest()[:16]}.png"
        kept(path, lambda: take_picture(take, self.studio))
        return path


def write_lesson(darkroom: CardDarkroom, out: Path) -> TaughtSet:
    """Teach the deck from photographs, and write the set anew; raises as `lesson.taught`."""
    shutil.rmtree(out / BUNTING.name, ignore_errors=True)  # else it would count as a later revision
    with TemporaryDirectory() as folder:
        lesson, held_back = (Path(folder) / name for name in ("lesson", "held back"))
        _copy(darkroom, teaching_takes(BUNTING), lesson)
        _copy(darkroom, held_back_takes(BUNTING), held_back)
        return taught(BUNTING.name, lesson, held_back, out)


def _copy(darkroom: CardDarkroom, takes: Iterable[CardTake], folder: Path) -> None:
    for take in takes:
        photograph = folder / f"{take.shooting.name}.png"
        photograph.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(darkroom.picture(take), photograph)


def write_match(darkroom: CardDarkroom, out: Path) -> Iterator[ShownCards]:
    """Write the pictures, each named by what the table waits for: `play-02/throw0/00.webp`."""
    setting = the_setting()
    for seed, shown in enumerate(tables(the_match()), _FIRST_SEED):
        shooting = Shooting(shown.step, shown.laid, LENS)
        take = CardTake(BUNTING, setting, shooting, DEMO_EXPOSURE, seed)
        image = read_picture(darkroom.picture(take))
        write_webp(out / shown.step / "throw0" / "00.webp", image, _QUALITY)
        yield shown


def write_truth(path: Path, shown: Sequence[ShownCards]) -> None:
    """Write the course of the match, and each table's cards with their middles."""
    truth = {
        "games": [
            {
                "mission": game.mission,
                "leader": game.leader,
                "played": " ".join(map(str, game.played)),
                "piles": list(map(str, game.piles)),
            }
            for game in the_match()
        ],
        "tables": {each.step: _lying(each) for each in shown},
    }
    write_json(path, truth)


def _lying(shown: ShownCards) -> dict[str, Any]:
    middles = np.array([(one.x, one.y, 0.0) for one in shown.laid])
    return {
        "cards": " ".join(one.face for one in shown.laid),
        "fresh": " ".join(map(str, shown.fresh)),
        "centres": LENS.pixels(middles).round(1).tolist(),
    }
