"""The Rummikub round of the demo as it is planned: a text of steps, read and held to the rules.

A step is what the table waits for, with the camera's scene at that time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Setup
from scoreboard.games.rummikub.game import GAME
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.state import State
from scoreboard.games.rummikub.tiles import COLOURS, Piece, Tile, Tiles
from vision.capture.frame import Image
from vision.train.rendering.backgrounds import PIXELS, PaintedGround, ground_of
from vision.train.rendering.camera import DEMO_EXPOSURE, Lens, Light, any_room, expose
from vision.train.rendering.chance import Random
from vision.train.rendering.evening import kept, write_json, write_webp
from vision.train.rendering.geometry import Colour, moved, plain
from vision.train.rendering.slab import Slab
from vision.train.rendering.studio import Part, Scenery, Studio, hand_parts, table_mesh
from vision.train.rendering.tiles.edition import (
    JOKER,
    Edition,
    Printed,
    Top,
    any_edition,
    back_of,
    joker_ink,
    top_of,
)
from vision.train.rendering.tiles.stage import DIE, TileStage, tiles_part
from vision.train.rendering.tiles.tile_poses import Rack, TilePose, axes, flat
from vision.train.rendering.tracing import Hand

_PITCH: Final = 1.035
_COLUMNS: Final = (-6.2, -0.4, 5.3)
_LINES: Final = (3.7, 0.4, -2.9, -5.9)
_FIRST: Final = ((1, 1), (1, 0), (2, 1), (0, 2), (2, 2), (0, 1), (1, 2))
_ASIDE: Final = (0.3, 0.14, 0.035)  # of a set: along, down (widths), heading (radians)
_UNEVEN: Final = (0.012, 0.03, 0.014)  # of a tile in its row, likewise
_TOUCHED: Final = 0.3  # widths; a tile nearer to its old place than this is the one that lay there


@dataclass(frozen=True, slots=True)
class RowTile:
    """A tile and its place in its row: places along it, and how unevenly it was laid."""

    piece: Piece
    along: float
    uneven: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class PlacedSet:
    """A set on its spot of the table: middle (x, y) and heading in radians."""

    spot: int
    middle: tuple[float, float]
    heading: float
    row: tuple[RowTile, ...]

    @property
    def tiles(self) -> Tiles:
        return Tiles(tuple(each.piece for each in self.row))

    def lie(self) -> Iterator[TilePose]:
        across, along = axes(self.heading)
        for each in self.row:
            aside, step, turn = each.uneven
            place = np.array(self.middle) + (each.along * _PITCH + aside) * across + step * along
            yield flat(printed(each.piece), place, self.heading + turn)


PlayedTable = tuple[PlacedSet, ...]


def printed(piece: Piece) -> Printed:
    """What is printed on a piece; all jokers of this box are red."""
    if isinstance(piece, Tile):
        return Printed(piece.number, COLOURS.index(piece.colour))
    return Printed(JOKER, COLOURS.index("R"))


def laid_anew(before: PlayedTable, table: Laid, random: Random) -> PlayedTable:
    """The table after somebody made it look so: sets that go on lie where they lay."""
    homes = _homes(before, table.sets)
    taken = {home.spot for home in homes.values()}
    free = iter(spot for spot in _spots() if spot not in taken)
    return tuple(
        _continued(homes[at], tiles, random)
        if at in homes
        else _begun_position(next(free), tiles, random)
        for at, tiles in enumerate(table.sets)
    )


def _homes(before: PlayedTable, sets: Iterable[Tiles]) -> Mapping[int, PlacedSet]:
    """For each set that goes on, by its number, the one before with most in common."""
    numbered = list(enumerate(sets))
    pairs = [
        ((old.tiles.counts & tiles.counts).total(), -at, old.spot)
        for at, tiles in numbered
        for old in before
    ]
    homes: dict[int, PlacedSet] = {}
    by_spot = {old.spot: old for old in before}
    for shared, at, spot in sorted(pairs, reverse=True):
        if shared and -at not in homes and spot in by_spot:
            homes[-at] = by_spot.pop(spot)
    return homes


def _spots() -> Iterator[int]:
    """Spots in the order in which players take them: from the middle outwards."""
    wide = len(_COLUMNS)
    chosen = [line * wide + column for column, line in _FIRST]
    yield from chosen
    yield from (spot for spot in range(wide * len(_LINES)) if spot not in chosen)


def _begun_position(spot: int, tiles: Tiles, random: Random) -> PlacedSet:
    line, column = divmod(spot, len(_COLUMNS))
    along, down, turn = random.normal(0, _ASIDE)
    middle = (_COLUMNS[column] + float(along), _LINES[line] + float(down))
    start = -len(tiles) / 2  # players leave room to the right, where runs grow
    row = [RowTile(each, start + at, _unevenness(random)) for at, each in enumerate(tiles.pieces)]
    return PlacedSet(spot, middle, float(turn), tuple(row))


def _continued(home: PlacedSet, tiles: Tiles, random: Random) -> PlacedSet:
    """The set on its old spot, shifted so that as many tiles as possible stay where they lay."""
    shifts = [
        old.along - at
        for at, each in enumerate(tiles.pieces)
        for old in home.row
        if old.piece == each
    ]
    shift = max(sorted(set(shifts)), key=shifts.count)
    row = []
    for along, piece in ((shift + at, each) for at, each in enumerate(tiles.pieces)):
        lay = [old for old in home.row if old.piece == piece and abs(old.along - along) < _TOUCHED]
        row.append(lay[0] if lay else RowTile(piece, along, _unevenness(random)))
    return PlacedSet(home.spot, home.middle, home.heading, tuple(row))


def _unevenness(random: Random) -> tuple[float, float, float]:
    aside, step, turn = (float(each) for each in random.normal(0, _UNEVEN))
    return aside, step, turn


_SEE: Final = "see"
_HEAD: Final = ("game", "players", "option")
_TOLD: Final = ("tile", "rack")  # a player and a comma stand before the tiles
_LAID: Final = ("lay", "restore")


class PlanError(ValueError):
    """A plan of an evening that the rules do not follow; the text names the line."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the table waits for, and what the camera sees of it.

    `name` is made of what is awaited, the seat and the number of tiles that lie on the table;
    `seat` is whose hand is at the table. `seen` are the tables that lie there one after the
    other, the last one being what is recorded, where anything is. A tile that is only drawn
    does not `stay` there, nor does what is on a `rack`, all of whose tiles are described as one
    set.
    """

    name: str
    seat: int
    seen: tuple[Laid, ...]
    stays: bool = True
    rack: bool = False


def planned_text() -> str:
    """The plan that ships with the renderer."""
    return (files("vision.train.rendering.tiles") / "evening.txt").read_text(encoding="utf-8")


def steps_of(text: str) -> tuple[Step, ...]:
    """The steps of a plan that have pictures, each of them held to the rules.

    Raises:
        PlanError: the rules refuse an act, or would accept a table that is only seen.
        NotationError: a line has no tiles where they belong.
    """
    return tuple(step for step in _played(*_begun(text)) if step.seen)


_Line = tuple[str, str]  # a word, and what follows it


def _begun(text: str) -> tuple[State, list[_Line]]:
    lines = [
        (word, rest)
        for word, _, rest in (line.partition(" ") for line in text.splitlines())
        if word and not word.startswith("#")
    ]
    players = next(rest for word, rest in lines if word == "players")
    named = (rest.partition(" ") for word, rest in lines if word == "option")
    options = {name: value for name, _, value in named}
    state = GAME.start(Setup(tuple(players.split(", ")), options))
    return state, [line for line in lines if line[0] not in _HEAD]


def _played(state: State, lines: Iterable[_Line]) -> Iterator[Step]:
    """One step an act; a table that is only seen belongs to the act after it."""
    seen: list[Laid] = []
    for word, rest in lines:
        if word == _SEE:
            # A table that the referee has something against
            if not GAME.judge(state, "lay", rest).remarks:
                raise PlanError(f"The referee would accept {rest}.")
            seen.append(Laid.parse(rest))
            continue
        stays, rack = word not in _TOLD, word == "rack"
        player, _, tiles = ("", "", rest) if stays else rest.rpartition(",")
        if word in (*_TOLD, *_LAID):
            seen.append(Laid.parse(tiles))
        seat = state.round.seat if stays else state.players.index(player)
        yield Step(step_name(state), seat, tuple(seen), stays=stays, rack=rack)
        state, seen = _after(state, word, rest), []


def step_name(state: State) -> str:
    """The name of what the table waits for in this state."""
    turn = GAME.turn(state)
    offer = (
        "" if turn.awaited is None or turn.awaited.expected is None else turn.awaited.expected.offer
    )
    seat = "" if turn.player is None else f"-{turn.player}"
    return f"{offer.replace(':', '-')}{seat}-{len(state.round.table.tiles):02}"


def _after(state: State, word: str, rest: str) -> State:
    command: Any = GAME.notation.readers[word](rest)
    try:
        events = GAME.decide(state, command)
    except RuleViolationError as refusal:
        raise PlanError(f"{word} {rest}: {refusal}") from refusal
    for event in events:
        state = GAME.evolve(state, event)
    return state


def outcome_of(text: str) -> tuple[int, ...]:
    """What the planned evening brings each player, in seat order. Raises as `steps_of`."""
    state, lines = _begun(text)
    for word, rest in lines:
        if word != _SEE:
            state = _after(state, word, rest)
    return state.totals


Vector = NDArray[np.float64]
_SEED: Final = 41
_ABOVE: Final = Lens(1280, 960, (0.0, -0.1, 0.2), 66.0, 0.0, 0.7, 20.5, 50.0, 1e-3, 20.5)
_BEFORE_RACK: Final = Lens(1280, 960, (0.1, -0.2, 1.3), 33.0, 5.0, -1.0, 14.5, 46.0, 1e-3, 14.5)
_RACK: Final = Rack(2, 8, 66.0, 0.92, 0.08, 0.2, (0.0, -0.8), 0.02)
_LOWER_TIER: Final = 4
_ON_RACK: Final = (-2.1, 1.05)  # where a tier's first tile is, and how far apart they are
_REST_SAMPLES: Final = 20
_MOVING_SAMPLES: Final = 6
_SKINS: Final[tuple[Colour, Colour]] = ((214, 164, 134), (126, 86, 62))
_SLEEVES: Final[tuple[Colour, Colour]] = ((52, 84, 120), (150, 62, 58))
_OVER: Final = 1.6  # so high over the table is a palm
_AWAY: Final = 3.0  # so far has a hand drawn back when the tiles lie


@dataclass(frozen=True, slots=True, eq=False)
class TileTake:
    """One picture: the tiles in their sets, the camera, and light paths a pixel.

    `hand` is over the table while it moves, `rack` is there if the tiles are on one.
    """

    lens: Lens
    sets: tuple[tuple[TilePose, ...], ...]
    samples: int
    hand: tuple[Part, ...] = ()
    rack: Rack | None = None

    @property
    def tiles(self) -> tuple[TilePose, ...]:
        return tuple(tile for row in self.sets for tile in row)


@dataclass(frozen=True, slots=True, eq=False)
class ShownTiles:
    """The camera's scene for a while: its pictures, the last one at rest.

    `folder` is the step's name and which of its tables it is; `laid` are its tiles.
    """

    folder: str
    laid: Laid
    takes: tuple[TileTake, ...]


def film(steps: Sequence[Step], shape: Slab) -> Iterator[ShownTiles]:
    """The evening's pictures in order, with tiles of that shape."""
    random = np.random.default_rng(_SEED)
    table: PlayedTable = ()
    last = empty_table()
    for step in steps:
        for number, laid in enumerate(step.seen):
            now = laid_anew(table, laid, random)
            rest = _on_rack(laid, shape, random) if step.rack else _at_rest(now)
            takes = (*_moving(last, rest, step.seat, random), rest)
            yield ShownTiles(f"{step.name}/throw{number}", laid, takes)
            last, table = rest, now if step.stays else table


def empty_table() -> TileTake:
    """The table before the first tile."""
    return _at_rest(())


def _at_rest(table: PlayedTable) -> TileTake:
    return TileTake(_ABOVE, tuple(tuple(each.lie()) for each in table), _REST_SAMPLES)


def _on_rack(laid: Laid, shape: Slab, random: Random) -> TileTake:
    """What is left on a rack: most of it on the lower tier."""
    pieces, axes, rows = laid.tiles.pieces, _RACK.axes, []
    first, apart = _ON_RACK
    for tier, row in enumerate((pieces[:_LOWER_TIER], pieces[_LOWER_TIER:])):
        tiles = []
        for at, piece in enumerate(row):
            aside = first + at * apart + float(random.normal(0, 0.015))
            way = axes @ np.array([aside, shape.length / 2 + 0.004, 0.004])
            tiles.append(TilePose(printed(piece), axes, _RACK.foot(tier, shape) + way))
        rows.append(tuple(tiles))
    return TileTake(_BEFORE_RACK, tuple(rows), _REST_SAMPLES, rack=_RACK)


def _moving(before: TileTake, after: TileTake, seat: int, random: Random) -> Iterator[TileTake]:
    """A hand reaches for the tiles, and draws back from where they lie then."""
    # The middle of what is elsewhere than before (x, y)
    old = {_key(tile) for tile in before.tiles}
    fresh = [tile.place[:2] for tile in after.tiles if _key(tile) not in old]
    spot = np.asarray(np.mean(fresh, axis=0)) if fresh else np.zeros(2)
    heading = float(random.normal(180 * (1 - seat), 14))
    back = np.radians(heading)
    outwards = _AWAY * np.array([np.sin(back), -np.cos(back)])
    if after.lens == before.lens:
        yield _under(before, spot, heading, seat)
        yield _under(after, spot + outwards, heading, seat)
    else:
        yield _under(after, np.array([2.4, -4.0]), 15.0, seat)


def _under(take: TileTake, spot: Vector, heading: float, seat: int) -> TileTake:
    hand = Hand((0.0, 0.0, _OVER / DIE), heading, 0.45)
    parts = hand_parts(hand, _SKINS[seat], _SLEEVES[seat])
    there = np.array([spot[0], spot[1], 0.0])
    placed = tuple((moved(mesh.sized(DIE), np.eye(3), there), paint) for mesh, paint in parts)
    return replace(take, hand=placed, samples=_MOVING_SAMPLES)


def _key(tile: TilePose) -> tuple[object, ...]:
    return tile.printed, *tile.place.round(3).tolist()


_EDITION: Final = 0
_JOKER: Final = 2
_ORANGE: Final = (0.96, 0.60, 0.16)
_ROOM: Final = 4
_FROM_THE_LEFT: Final = 64  # columns by which the room's light is turned about the table
_WOOD: Final = 104
_REPEATS_OVER: Final = 26.0  # widths of a tile, after which the wood's paint repeats
_TOP_PIXELS: Final = 120
_CELLS: Final = 44
_EXPOSURE: Final = replace(DEMO_EXPOSURE, stops=0.05, red=1.02, blue=0.97)


@dataclass(frozen=True, slots=True, eq=False)
class SetUp:
    """What stays the same from the evening's first picture to its last."""

    edition: Edition
    room: Light
    ground: PaintedGround

    def stage(self, take: TileTake) -> TileStage:
        tops = tuple(self._tops(take.tiles))
        table: Part = (table_mesh(take.lens, _REPEATS_OVER), self.ground.material)
        body = [table]
        if tops:
            back = back_of(self.edition, _TOP_PIXELS, np.random.default_rng(0))
            body += [tiles_part(self.edition, take.tiles, tops, [back] * len(tops), _CELLS)]
        if take.rack is not None:
            body += [(take.rack.mesh(self.edition.shape), plain((38, 34, 32), 0.35))]
        body += take.hand
        manner = "rows" if take.rack is None else "rack"
        return TileStage(
            take.lens, self.room, self.edition, take.tiles, tops, tuple(body), self.ground, manner
        )

    def _tops(self, tiles: tuple[TilePose, ...]) -> list[Top]:
        """Each tile of the box has its own wear, the same in every picture."""
        seen: Counter[tuple[int, int]] = Counter()
        tops = []
        for tile in tiles:
            name = (tile.printed.kind, tile.printed.colour)
            random = np.random.default_rng((*name, seen[name]))
            tops.append(top_of(self.edition, tile.printed, _TOP_PIXELS, random))
            seen[name] += 1
        return tops


def the_set_up() -> SetUp:
    """The evening's own: classic numerals, warm wood, daylight and a lamp."""
    edition = any_edition(np.random.default_rng(_EDITION))
    joker = joker_ink("smile", np.random.default_rng(_JOKER))
    edition = replace(edition, inks=(*edition.inks[:3], _ORANGE), joker=joker)
    room = np.roll(any_room(np.random.default_rng(_ROOM)), _FROM_THE_LEFT, axis=1)
    ground = ground_of("wood", np.random.default_rng(_WOOD), PIXELS / _REPEATS_OVER * DIE)
    return SetUp(edition, room, ground)


def take_picture(take: TileTake, set_up: SetUp, studio: Studio, seed: int) -> Image:
    """Take one picture, blue-green-red; `seed` is that of its light paths and its noise."""
    stage = set_up.stage(take)
    scene = Scenery(stage.lens, stage.room, stage.body, samples=take.samples, painted=True)
    light = studio.trace(scene, seed).without_grain()
    return expose(light, _EXPOSURE, np.random.default_rng(seed))


_REST_QUALITY: Final = 82
_MOVING_QUALITY: Final = 60
_VERSION: Final = 1  # raised whenever the same take would be drawn differently


@dataclass(frozen=True, slots=True)
class TileDarkroom:
    """Takes pictures, each only once: a broken-off run goes on where it stopped."""

    folder: Path
    studio: Studio

    def picture(self, take: TileTake, set_up: SetUp, seed: int) -> Image:
        """The picture of a take, taken now when it is not there yet."""
        lying = [(tile.printed, tile.turn.tolist(), tile.place.tolist()) for tile in take.tiles]
        hand = [mesh.points.sum(axis=0).tolist() for mesh, _ in take.hand]
        drawn = (_VERSION, seed, take.lens, take.samples, lying, hand, take.rack)
        path = self.folder / f"{sha256(repr(drawn).encode()).hexdigest()[:24]}.png"
        return kept(path, lambda: take_picture(take, set_up, self.studio, seed))


def write_round(darkroom: TileDarkroom, out: Path, steps: Sequence[Step]) -> Iterator[ShownTiles]:
    """Write the pictures, those of one table after the other.

    They are named by what the table waits for: `lay-0-06/throw0/00.webp` and on, the last one
    at rest; `empty.webp` is the table before.
    """
    set_up, seeds = the_set_up(), count()
    empty = darkroom.picture(empty_table(), set_up, next(seeds))
    write_webp(out / "empty.webp", empty, _REST_QUALITY)
    for shown in film(steps, set_up.edition.shape):
        for number, take in enumerate(shown.takes):
            quality = _MOVING_QUALITY if take.hand else _REST_QUALITY
            image = darkroom.picture(take, set_up, next(seeds))
            write_webp(out / shown.folder / f"{number:02}.webp", image, quality)
        yield shown


def write_truth(path: Path, shown: Sequence[ShownTiles]) -> None:
    """Write the tiles on each table at rest: its sets, and the middles of their tops in pixels."""
    thickness, truth = the_set_up().edition.shape.thickness, {}
    for each in shown:
        rest = each.takes[-1]
        middles = [tile.place + tile.turn[:, 2] * thickness for tile in rest.tiles]
        centres = rest.lens.pixels(np.array(middles)).round(1).tolist()
        truth[each.folder] = {"sets": [str(one) for one in each.laid.sets], "centres": centres}
    write_json(path, truth)
