"""Every stage of the table, brought about at once: nothing is waited for, and nothing is random.

The table is a real one at which it is always noon. Its camera sees the demo's rendered pictures,
each read as it was rendered.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image

from hardware.cameras.demo import demo_pictures
from scoreboard.dice import Roll
from scoreboard.games.engine.transcript import RecordedEvent
from scoreboard.games.notation import replay_text
from scoreboard.games.rummikub.acts import RoundScored
from scoreboard.games.tongtong.acts import GameScored
from scoreboard.message import message
from scoreboard.table.game_session import GameSession
from scoreboard.table.proposal import Point, Proposal, SeenPiece, TableDie
from scoreboard.table.requests import (
    Action,
    Chosen,
    Corrected,
    GameAbandoned,
    GameOpened,
    GameResumed,
    Pressed,
    Proposed,
    TableRequest,
    TableStatus,
    TableStatusChanged,
)
from tests.web.browser.served_table import ServedTable
from vision.watch.pipeline import Picture, Pictures

TESTS: Final = Path(__file__).parents[2]
NOON: Final = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
ON_NETWORK: Final = "http://192.168.1.20:8000/"
DIE, TILE, CARD = 60.0, (58.0, 78.0), (120.0, 170.0)  # in pixels of the pictures
FOUR, TWO, THREE = (
    ("North", "South", "East", "West"),
    ("North", "South"),
    ("North", "South", "East"),
)
Size = tuple[float, float]
Made = Callable[["PhotographedTable"], None]


def truth(evening: str) -> dict[str, Any]:
    """What was put on the table when the pictures of a demo were rendered."""
    found: dict[str, Any] = json.loads(
        (TESTS / "hardware" / "cameras" / f"demo_{evening}_truth.json").read_text(encoding="utf-8")
    )
    return found


class DemoPictures(Pictures):
    """The demo's rendered pictures, by the number of the frame in which they were shown."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = [demo_pictures() / "empty.webp"]

    def taken(self, path: Traversable) -> tuple[int, Picture]:
        """From now on the camera sees this; the frame's number and the picture."""
        self._shown.append(path)
        number = len(self._shown) - 1
        return number, self.picture(number)

    def picture(self, number: int) -> Picture:
        """The picture of that frame."""
        with Image.open(BytesIO(self._shown[number].read_bytes())) as image:
            encoded = BytesIO()
            image.convert("RGB").save(encoded, "JPEG", quality=85)
            return Picture(encoded.getvalue(), *image.size)

    def latest(self) -> Picture:
        """What the camera sees now."""
        return self.picture(len(self._shown) - 1)


class PhotographedTable(ServedTable):
    """A table at which it is always noon, and whose camera sees pictures of the demo."""

    def __init__(self) -> None:
        super().__init__()
        self.frames = self.pictures = DemoPictures()
        self.addresses = (ON_NETWORK,)

    def now(self) -> datetime:
        """Noon, and what passed since."""
        return NOON + self.ahead

    def do(self, *requests: Callable[[int], TableRequest]) -> None:
        """Act as a page does, each on what the one before led to.

        Raises:
            ValueError: the table refuses one of them.
        """
        for request in requests:
            asked = request(self.version)
            answer = self.submit(asked)
            if answer.verdict != "done":
                raise ValueError(f"{asked} was {answer.verdict}: {answer.notice}")

    def sees(self, path: Traversable, status: TableStatus) -> None:
        """The camera sees this; nothing is read."""
        self.pictures.taken(path)
        self.post(TableStatusChanged(status))

    def reads_dice(self, turn: int, throw: int, *, doubtful: bool = False) -> None:
        """The dice of the demo evening lie still and are read, the last one hardly if doubtful."""
        folder = demo_pictures() / f"turn{turn:02}" / f"throw{throw}"
        frame, picture = self.pictures.taken(last_in(folder))
        known = truth("evening")["turns"][turn][throw]
        half = DIE / 2
        dice = [
            TableDie(value, (x - half, y - half, x + half, y + half), confidence=0.99)
            for value, (x, y) in zip(known["values"], known["centres"], strict=True)
        ]
        doubts = (message("One die leans against another."),) if doubtful else ()
        if doubtful:
            dice[-1] = replace(dice[-1], face=None, confidence=0.4)
        self._proposes(
            Proposal(tuple(dice), 0.99, frame, picture.width, picture.height, NOON, doubts)
        )

    def reads_tiles(self, step: str) -> None:
        """Tiles of the demo's round of Rummikub lie still and are read."""
        known = truth("rummikub")[f"{step}/throw0"]
        folder = demo_pictures("demo_rummikub") / step / "throw0"
        self._reads_pieces(folder, [row.split() for row in known["sets"]], known["centres"], TILE)

    def reads_cards(self, step: str) -> None:
        """Cards of the demo's match of Tong Tong lie still and are read."""
        known = truth("tongtong")["tables"][step]
        folder = demo_pictures("demo_tongtong") / step / "throw0"
        self._reads_pieces(folder, [known["cards"].split()], known["centres"], CARD)

    def _reads_pieces(
        self, folder: Traversable, rows: list[list[str]], centres: list[list[float]], size: Size
    ) -> None:
        frame, picture = self.pictures.taken(last_in(folder))
        labels = [label for row in rows for label in row]
        pieces = tuple(
            SeenPiece(label, 0.99, rectangle(x, y, size), ((label, 0.99),))
            for label, (x, y) in zip(labels, centres, strict=True)
        )
        places = iter(range(len(labels)))
        sets = tuple(tuple(next(places) for _ in row) for row in rows)
        self._proposes(
            Proposal((), 0.99, frame, picture.width, picture.height, NOON, pieces=pieces, sets=sets)
        )

    def plays(self, name: str, until: Callable[[GameSession], bool] | None = None) -> None:
        """Take up a game of the tests' playthroughs as it stood then, or at its end."""
        text = (TESTS / "playthroughs" / f"{name}.txt").read_text(encoding="utf-8")
        replayed = replay_text(text)
        session, records = GameSession.of(replayed.header, replayed.game), list[RecordedEvent]()
        for record in replayed.records:
            session = session.followed_by((record,))
            records.append(record)
            if until is not None and until(session):
                break
        self.store.open_game(replayed.header)
        self.store.append(replayed.header.game_id, 0, records)
        self.submit(GameResumed(replayed.header.game_id))

    def _proposes(self, proposal: Proposal) -> None:
        self.post(TableStatusChanged(TableStatus.STILL))
        self.post(Proposed(proposal))
        self.version = self.settled()

    def settled(self) -> int:
        """The version after everything that was posted."""
        self.submit(Pressed(Action.UNDO, self.now(), 0))  # too late on purpose
        return self.version


def rectangle(x: float, y: float, size: Size) -> tuple[Point, ...]:
    """The corners of a piece of that size with its middle there."""
    wide, high = size[0] / 2, size[1] / 2
    return ((x - wide, y - high), (x + wide, y - high), (x + wide, y + high), (x - wide, y + high))


def last_in(folder: Traversable) -> Traversable:
    """The picture in which everything lies still."""
    return max(folder.iterdir(), key=lambda entry: entry.name)


def press(action: Action) -> Callable[[int], TableRequest]:
    """A press on what is shown."""
    return lambda version: Pressed(action, NOON, version)


def choose(key: str, filling: str | None = None) -> Callable[[int], TableRequest]:
    """One of the offers, filled in or as it is."""
    return lambda version: Chosen(key, version, filling)


def enter(roll: str) -> Callable[[int], TableRequest]:
    """A roll by hand."""
    return lambda version: Corrected(Roll.parse(roll), version)


def opens(game: str, players: tuple[str, ...], **options: str) -> Made:
    """A new game of these players."""
    return lambda table: table.do(lambda _: GameOpened(game, players, options))


def after(*steps: Callable[[PhotographedTable], object]) -> Made:
    """One after the other."""

    def made(table: PhotographedTable) -> None:
        for step in steps:
            step(table)

    return made


def acts(*requests: Callable[[int], TableRequest]) -> Made:
    """What somebody does at the page."""
    return lambda table: table.do(*requests)


def dice(turn: int, throw: int, *, doubtful: bool = False) -> Made:
    """A roll of the demo evening is read."""
    return lambda table: table.reads_dice(turn, throw, doubtful=doubtful)


def tiles(step: str) -> Made:
    """Tiles are read."""
    return lambda table: table.reads_tiles(step)


def play(name: str, until: Callable[[GameSession], bool] | None = None) -> Made:
    """A game of the tests as it stood then, or at its end."""
    return lambda table: table.plays(name, until)


def turn(number: int, rolls: int) -> Callable[[GameSession], bool]:
    """That turn has had so many rolls, and another is awaited."""
    return lambda session: (
        (session.turn.number, session.turn.rolls_made, session.turn.phase)
        == (number, rolls, "rolling")
    )


def asks_for(kind: str) -> Callable[[GameSession], bool]:
    """An offer of that kind is among the acts of the turn."""
    return lambda session: any(
        key.partition(":")[0] == kind and not offer.aside for key, offer in session.offers.items()
    )


def after_event(kind: type) -> Callable[[GameSession], bool]:
    """The last event was of that kind."""
    return lambda session: isinstance(session.records[-1].event, kind)


def sees(path: Traversable, status: TableStatus) -> Made:
    """The camera sees this; nothing is read."""
    return lambda table: table.sees(path, status)


EMPTY: Final = demo_pictures("demo_rummikub") / "empty.webp"
BARE = sees(EMPTY, TableStatus.STILL)
KEEP, REROLL = press(Action.KEEP), press(Action.REROLL)
MIDWAY = play("duel", turn(9, 0))
FIRST_MELD = after(
    BARE,
    opens("rummikub", TWO),
    acts(choose("begin:0"), choose("lay", "K10 B10 O10\nR3 R4 R5"), choose("draw")),
)
CARDS = after(
    BARE,
    opens("tongtong", THREE),
    acts(choose("mission:high-12"), choose("leader:2"), choose("play:R8")),
)
MOVING = demo_pictures() / "turn00" / "throw0" / "02.webp"

STAGES: Final[dict[str, Made]] = {
    "no-game": after(),
    "closed": after(MIDWAY, acts(GameAbandoned)),
    "dice-start": after(opens("yahtzee", FOUR), acts(enter("13356"), KEEP)),
    "dice-four-players": opens("yahtzee", FOUR, start="first"),
    "dice-roll": MIDWAY,
    "dice-moving": after(MIDWAY, sees(MOVING, TableStatus.MOVING)),
    "dice-reading": after(MIDWAY, dice(0, 0)),
    "dice-second-roll": after(MIDWAY, dice(0, 0), acts(REROLL), dice(0, 1)),
    "dice-doubt": after(MIDWAY, dice(0, 0, doubtful=True)),
    "dice-choose": after(MIDWAY, dice(0, 0), acts(KEEP)),
    "dice-zero-asked": after(
        opens("yahtzee", TWO, start="first"), dice(0, 0), acts(KEEP, choose("score:yahtzee"))
    ),
    "dice-over": play("duel"),
    "tiles-start": after(BARE, opens("rummikub", FOUR)),
    "tiles-clock": after(
        opens("rummikub", FOUR, turns="clock"), acts(choose("begin:0"), choose("next"))
    ),
    "tiles-turn": FIRST_MELD,
    "tiles-moving": after(FIRST_MELD, sees(EMPTY, TableStatus.MOVING)),
    "tiles-reading": after(FIRST_MELD, tiles("lay-0-06")),
    "tiles-refused": after(FIRST_MELD, tiles("lay-0-06"), acts(KEEP), tiles("lay-1-08")),
    "tiles-put-back": after(
        FIRST_MELD, tiles("lay-0-06"), acts(KEEP), tiles("lay-1-08"), acts(choose("fail"))
    ),
    "tiles-rack": after(play("rummikub-duel", asks_for("points")), BARE),
    "tiles-round-over": after(play("rummikub-duel", after_event(RoundScored)), BARE),
    "tiles-over": play("rummikub-xp-six"),
    "cards-mission": after(BARE, opens("tongtong", THREE)),
    "cards-leader": after(opens("tongtong", THREE), acts(choose("mission:high-12"))),
    "cards-trick": CARDS,
    "cards-reading": after(CARDS, lambda table: table.reads_cards("play-03")),
    "cards-round-over": after(play("tongtong-three", after_event(GameScored)), BARE),
    "cards-over": play("tongtong-three"),
}
