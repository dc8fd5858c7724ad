"""The demo evenings: the demo camera's pictures follow the table, and the game goes on.

A visitor may press anything. So the demo never counts on its plan: it shows the roll or the table
that the table waits for. If nothing comes of that for a while, it rolls again, shows corrected
tiles, or enters by hand what has no picture. It stays out of a game that visitors play among
themselves, and of an event: they roll their own dice and enter them.
"""
# ruff: noqa: PLC0415 -- what is heavy is loaded where it is needed, as in the wiring

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from scoreboard.games import DICE_GAMES, GAMES
from scoreboard.games.engine.game import ExpectedPieces
from scoreboard.games.notation import replay_text
from scoreboard.message import Message, message
from scoreboard.table.requests import (
    Chosen,
    GameDeleted,
    GameOpened,
    GameResumed,
    ReadAgain,
    TableRequest,
)
from scoreboard.table.view import TableView
from web.table.parts import is_own_game
from web.table.play.table_words import offer_of
from web.table.sets.taught_readers import open_taught

if TYPE_CHECKING:
    from hardware.cameras.demo import DemoCamera
    from scoreboard.table.ports import EventStore
    from vision.read.observation import Recogniser


SHOW: Final = "show-"  # begins the id of a game that is shown from shortly before its end
SHOW_PICTURES: Final = "demo_show"
# By turn: what its first roll shows. In the glare lies a 5 that is read as a 4.
SHOWN_FIRST: Final[Mapping[int, str]] = {23: "glare", 25: "five-alike"}
MISREAD, MEANT = 4, 5
ENOUGH_ALIKE: Final = 3  # with so many a player of the demo stops rolling
OPENING = GameOpened(next(iter(DICE_GAMES)), ("North", "South"), {"start": "first"})
# The demo camera has pictures of each game whose pieces are read; so the evening is called.
EVENINGS: Final = {name: f"demo_{name}" for name, game in GAMES.items() if game.taught}
# After so long with nothing to confirm the demo goes on, and later acts by hand. It is counted in
# pictures: none is taken while one is read, so a slow machine keeps up.
PATIENCE_SECONDS: Final = 4
LEAST_PICTURES: Final = 20
DICE_STAGES: Final = frozenset({"starting", "rolling", "choosing"})
# By step: whose rack the pictures have how many tiles on.
COUNTED: Final[Mapping[str, tuple[int, int]]] = {"lay-0-24": (0, 3), "rack-1-27": (1, 6)}
LAST_TABLE: Final = 27  # tiles on it; a player who drew more than planned is out, too
RACK_SHOWN: Final = {"rack-1": "rack-1-27"}
POINTS_A_TILE: Final = 7  # on average, for a rack without a picture
WITHOUT_PICTURE: Final[Mapping[str, Message]] = {
    "tile": message("Try it: tap who begins, or just wait."),
    "restored": message("Try it: press KEEP, as all tiles lie as before. Or just wait."),
    "rack": message("There is no picture of this: enter it by hand, or just wait."),
    "piles": message("There is no picture of this: enter it by hand, or just wait."),
    "play": message("Try it: tap the card that was played, or just wait."),
    "mission": message("Try it: tap the mission that is turned up, or just wait."),
    "leader": message("Try it: tap who holds red 8, or just wait."),
}
MISSIONS: Final = ("high-12", "low-5", "high-9")  # of which there are pictures


def dated_id(now: datetime, kind: str = "") -> str:
    """An id of a new game that is easy to read out and type: its kind, the day, six hex digits."""
    return f"{kind}{now.astimezone():%Y-%m-%d}-{secrets.token_hex(3)}"


def open_show(store: EventStore, now: datetime) -> GameResumed:
    """Store a game with two boxes left for each, which shows all in a minute. Raises StoreError."""
    from hardware.cameras.demo import demo_pictures

    text = demo_pictures(SHOW_PICTURES).joinpath("game.txt").read_text(encoding="utf-8")
    game_id = dated_id(now, SHOW)
    played = replay_text(text, game_id)
    records = tuple(replace(each, recorded_at=now) for each in played.records)
    store.open_game(replace(played.header, opened_at=now))
    store.append(game_id, 0, records)
    return GameResumed(game_id)


def ending_the_demo(view: TableView) -> tuple[GameDeleted, ...]:
    """What puts the demo's game, if it is on the table, into the bin: an event needs the table."""
    is_demo = view.game_id is not None and not is_own_game(view.game_id)
    return (GameDeleted(str(view.game_id)),) if is_demo else ()


class Demo:
    """Has the demo camera show what the table waits for; an `Announcer` for the session.

    Once it is started the camera calls before each picture, from its own thread.
    """

    def __init__(self, camera: DemoCamera) -> None:
        self._camera = camera
        paced = round(PATIENCE_SECONDS * camera.frames_per_second)
        self._patience = max(paced, LEAST_PICTURES)
        self._lock = Lock()
        self._view: TableView | None = None
        self._awaited: object = None  # whatever else changes, the demo need show nothing new
        self._state: object = None
        self._pictures = 0  # shown since something was last done
        self._table = 0  # which of a step's tables is shown
        self._mended: dict[object, int] = {}  # by game and step: the first table not yet refused
        self._ahead = 0  # turns by which the rolls shown are ahead of the game's
        self._roll: tuple[int, int] | None = None

    def start(self, post: Callable[[TableRequest], object]) -> None:
        """Begin to act; `post` takes the manual acts of the demo's players."""
        self._camera.follow(partial(self._before_picture, post))

    def announce(self, view: TableView) -> None:
        with self._lock:
            self._view = view
            if view.event is not None or is_own_game(view.game_id):
                self._awaited = None
                self._camera.clear()
                return
            awaited, state = _awaited(view), (_answerable(view), _objection(view))
            if awaited != self._awaited:
                # a player who drew a tile against a refused table finds it corrected a turn later
                key = (view.game_id, step_for(view))
                self._awaited, self._table, self._pictures = awaited, self._mended.get(key, 0), 0
                self._show(view, anew=True)
            if state != self._state:
                self._state, self._pictures = state, 0
                if _objection(view) is not None:
                    self._mended[view.game_id, step_for(view)] = self._table + 1

    def coming(self, view: TableView) -> Message | None:  # noqa: PLR0911 -- one arm a case
        """What comes next by the view alone, in words for viewers of the demo, or None."""
        if view.turn is None or view.stage in {"abandoned", "finished"}:
            return None
        if is_own_game(view.game_id):
            rolls = view.stage in {"starting", "rolling"} and view.proposal is None
            return message("Roll your own dice, then tap “Enter by hand”.") if rolls else None
        if view.stage in DICE_STAGES:
            return _next_for_dice(view)
        pictured = self._pictured(view) is not None
        if _objection(view) is not None and pictured:
            return message("Just watch: something is wrong here, and the players fix it.")
        if view.asking is not None:
            return message("Try it: press KEEP.")
        if _answerable(view):
            return message("Try it: press KEEP to confirm what the camera sees.")
        if pictured:
            return message("Just watch: a hand comes to the table.")
        act = _awaited_act(view)
        if act == "lay":
            return message(
                "Try it: press REROLL. {player} has nothing to play and draws a tile.",
                player=view.player or "",
            )
        return None if act is None else WITHOUT_PICTURE[act]

    def press(self, view: TableView) -> str:
        """What a page presses where nobody touches it, as a CSS selector; empty for nothing."""
        if view.stage == "finished":
            return "#demo-again"
        if is_own_game(view.game_id) or not _answerable(view):
            return ""
        dice = () if view.proposal is None else view.proposal.dice
        if _shown_first(view) == "glare":
            for at, die in enumerate(dice):
                if die.face == MISREAD:
                    return f'[name="die"][value="{at}={MEANT}"]'
        alike = max(Counter(die.face for die in dice).values(), default=ENOUGH_ALIKE)
        stops = alike >= ENOUGH_ALIKE or view.turn is None or view.turn.rolls_made > 0
        return "#button-keep" if stops or view.reroll is None else "#button-reroll"

    # -- what the camera shows

    def _show(self, view: TableView, *, anew: bool = False) -> None:
        roll, step = roll_for(view), self._pictured(view)
        if roll is not None:
            turn, number = roll[0] + self._ahead, roll[1]
            # The same dice would be taken for the last ones: a player left, or it is a new game.
            if anew and view.stage != "choosing" and (turn, number) == self._roll:
                self._ahead, turn = self._ahead + 1, turn + 1
            self._roll = turn, number
            picture = None if self._table else _shown_first(view)
            if picture is None:
                self._camera.show(turn, number)
            else:
                self._camera.show_table(SHOW_PICTURES, picture, 0)
        elif view.game is not None and view.game in EVENINGS:
            self._camera.show_table(EVENINGS[view.game], step or "", self._table)

    def _pictured(self, view: TableView) -> str | None:
        step = step_for(view)
        if step is None or view.game is None:
            return None
        return step if self._camera.tables(EVENINGS[view.game], step) else None

    # -- and when nothing comes of it

    def _before_picture(self, post: Callable[[TableRequest], object]) -> None:
        """One more picture is taken; from the camera's thread."""
        with self._lock:
            view = self._view
            if view is None or self._awaited is None or _answerable(view):
                return
            self._pictures += 1
            requests = tuple(self._requests(view))
        for request in requests:
            post(request)

    def _requests(self, view: TableView) -> Iterator[TableRequest]:
        """The automatic acts of the demo's players at this picture."""
        step = self._pictured(view)
        if step is not None and step in COUNTED and self._pictures == 1:
            # a rack is counted anew where visitors drew more than the pictures show
            seat, tiles = COUNTED[step]
            key = f"count:{seat}"
            if _on_rack(view, seat) != tiles and offer_of(view, key):
                yield Chosen(key, view.version, str(tiles))
        if view.stage in DICE_STAGES:
            if self._pictures >= self._patience * (1 if view.proposal is None else 2):
                self._pictures, self._ahead = 0, self._ahead + 1
                self._table = self._mended[view.game_id, None] = 1  # no more of the show's own
                self._show(view)
        elif self._pictures == self._patience:
            if step is not None and _objection(view) is None:
                yield ReadAgain(view.version)
        elif self._pictures >= 2 * self._patience:
            self._pictures = 0
            tables = 0 if step is None else self._camera.tables(EVENINGS[str(view.game)], step)
            if self._table + 1 < tables and _objection(view) is not None:
                self._table += 1  # the step's next table, where this one is refused
                self._show(view)
            else:
                acts = _acts(view, pictured=step is not None)
                offered = (act for act in acts if offer_of(view, act[0]))
                for key, filling in islice(offered, 1):
                    yield Chosen(key, view.version, filling)


def _next_for_dice(view: TableView) -> Message:
    if view.stage == "choosing":
        return message("Try it: press KEEP to score the marked box, or REROLL for the next one.")
    if view.proposal is None:
        return message("Just watch: the dice are rolling.")
    if view.proposal.doubts and not view.proposal.asked:
        return message("Try it: tap the die marked with “?” and say what it shows.")
    if view.reroll is not None:
        return message("Try it: press REROLL to roll again, or KEEP to stop here.")
    return message("Try it: press KEEP.")


def roll_for(view: TableView) -> tuple[int, int] | None:
    """The turn and the number of the roll to show; None to leave the picture.

    Rolls for the start come first, each from a turn of its own, so that no two rolls in succession
    look the same. While a box is chosen the last roll stays on the table. Each show begins with
    other dice.
    """
    turn = view.turn
    if turn is None:
        return None
    before = len(view.start_rolls) + (int(str(view.game_id)[-6:], 16) if is_show(view) else 0)
    match view.stage:
        case "starting":
            return turn.number, 0
        case "rolling":
            return before + turn.number, turn.rolls_made
        case "choosing":
            return before + turn.number, max(0, turn.rolls_made - 1)
        case _:
            return None


def is_show(view: TableView) -> bool:
    """Whether the game on the table is one that began shortly before its end."""
    return view.game_id is not None and view.game_id.startswith(SHOW)


def _shown_first(view: TableView) -> str | None:
    """The show's own picture of a turn's first roll; None where the evening has one."""
    roll = roll_for(view) if is_show(view) else None
    return SHOWN_FIRST.get(view.turn.number) if view.turn and roll and not roll[1] else None


def step_for(view: TableView) -> str | None:
    """The name of what is awaited in a game without dice; None where the camera sees nothing of it.

    It is made of the offer that is filled, the seat, and how many tiles are on the table; with
    cards of the offer and how much of the match was entered before. The rack that is shown at the
    end is the same one however many tiles are on the table.
    """
    turn, sight = view.turn, _sight(view)
    if turn is None or sight is None or view.game not in EVENINGS:
        return None
    offer = sight.offer.replace(":", "-")
    if sight.reader == "cards":
        return f"{offer}-{turn.number:02}"
    seat = "" if turn.player is None else f"-{turn.player}"
    return RACK_SHOWN.get(offer, f"{offer}{seat}-{_tiles_on_table(view):02}")


def _sight(view: TableView) -> ExpectedPieces | None:
    """What the game expects the camera to see now; None for nothing."""
    awaited = None if view.turn is None else view.turn.awaited
    return None if awaited is None else awaited.expected


def _tiles_on_table(view: TableView) -> int:
    return sum(len(group.pieces) for group in view.piece_groups)


def demo_reader(view: TableView) -> str:
    """The reader of the demo's pictures: dice, if there are no pictures of the game."""
    return view.reader if view.game in EVENINGS and not is_own_game(view.game_id) else "dice"


def _awaited(view: TableView) -> object:
    """The awaited act, as a value to compare; None for nothing."""
    turn = view.turn
    if turn is None or view.stage in {"no game", "abandoned", "finished"}:
        return None
    act = step_for(view) or _awaited_act(view)
    return view.game_id, view.stage, turn.number, turn.player, turn.rolls_made, act


def _answerable(view: TableView) -> bool:
    """Whether a press of KEEP or REROLL answers the shown question."""
    if view.stage == "choosing" or view.asking is not None:
        return True
    if view.proposal is not None:
        return view.proposal.roll is not None or view.proposal.same
    return view.pieces is not None and _objection(view) is None


def _objection(view: TableView) -> object:
    """The objection to confirming the pieces read, or None."""
    pieces = view.pieces
    if pieces is None or (pieces.label is not None and not pieces.remarks):
        return None
    return pieces.frame, pieces.text, pieces.remarks


def _awaited_act(view: TableView) -> str | None:
    if (sight := _sight(view)) is not None:
        return sight.offer.partition(":")[0]
    if any(offer.by_lot for offer in view.offers):
        return "mission"
    leaders = any(offer.key.startswith("leader:") for offer in view.offers)
    return "leader" if leaders else None


def _on_rack(view: TableView, seat: int) -> int | None:
    rows = () if view.scoresheet is None else view.scoresheet.rows
    return next((row.cells[seat].points for row in rows if row.key == "rack"), None)


def _acts(  # noqa: C901 -- one arm an act
    view: TableView, *, pictured: bool
) -> Iterator[tuple[str, str | None]]:
    """The possible manual acts of the demo's players, the best first; some may not be offered."""
    sight = _sight(view)
    match _awaited_act(view):
        case "tile":
            yield "begin:0", None
        case "lay":
            if pictured and view.pieces is not None:
                yield "fail", None
            if _tiles_on_table(view) >= LAST_TABLE:
                yield from (("rummikub:0", None), ("count:0", "?"))
            yield from (("draw", None), ("pass", None))
        case "restored":
            yield "restored", None
        case "rack":
            seat = int(sight.offer.partition(":")[2]) if sight else 0
            yield f"points:{seat}", str(POINTS_A_TILE * (_on_rack(view, seat) or 1))
        case "piles":
            yield (sight.offer if sight else ""), "-"
        case "play":
            cards = {offer.piece: offer.key for offer in view.offers if offer.piece is not None}
            remarks = () if view.pieces is None else view.pieces.remarks
            fresh = [card for each in remarks for card in each.pieces]
            yield from ((cards[card], None) for card in (*fresh, *cards) if card in cards)
        case "mission":
            drawn = [offer.key for offer in view.offers if offer.by_lot]
            best = [key for each in MISSIONS for key in drawn if key.endswith(f":{each}")]
            yield from ((key, None) for key in (*best, *drawn))
        case "leader":
            keys = (offer.key for offer in view.offers)
            yield from ((key, None) for key in keys if key.startswith("leader:"))


def open_demo_reader(name: str) -> Recogniser:
    """The reader that the demo asks for; its cards are read with the deck of their pictures.

    Raises KeyError if there is none of that name, TaughtSetError if the deck is damaged, and
    WeightsError if a model cannot be loaded.
    """
    from hardware.cameras.demo import demo_pictures
    from vision.read.readers import open_reader

    if name != "cards":
        return open_reader(name)
    return open_taught("bunting", Path(str(demo_pictures("demo_tongtong"))))
