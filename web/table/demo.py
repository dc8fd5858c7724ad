"""The demo evenings: what lies before the camera follows the table, and goes on by itself.

A visitor may press anything. So the demo never counts on its plan: it looks at what the table
waits for, shows the throw or the table that belongs to it, and where nothing comes of that for a
while, rolls anew, has the tiles put right, or does by hand what its players have no picture of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from scoreboard.message import Message, message
from scoreboard.table.requests import Chosen, GameOpened, ReadAgain, TableRequest
from scoreboard.table.view import TableView
from web.table.taught_readers import open_table_reader, open_taught

if TYPE_CHECKING:
    from hardware.cameras.demo import DemoCamera
    from vision.read.observation import Recogniser


OPENING = GameOpened("yahtzee", ("North", "South"), {"start": "first"})
# The games without dice of which the demo camera has pictures, and what the evening is called.
EVENINGS: Final[Mapping[str, str]] = {
    "rummikub": "demo_rummikub",
    "tongtong": "demo_tongtong",
}
# After so long with nothing to confirm the demo goes on, and later acts by hand. It is counted in
# pictures: none is taken while one is read, so that no slow machine is overtaken.
PATIENCE_SECONDS: Final = 4
LEAST_PICTURES: Final = 20
DICE_STAGES: Final = frozenset({"starting", "rolling", "choosing"})
# How many tiles are on the racks as the pictures have it, by the step that shows so.
COUNTED: Final[Mapping[str, tuple[int, int]]] = {"lay-0-24": (0, 3), "rack-1-27": (1, 6)}
LAST_TABLE: Final = 27  # tiles on it; whoever drew more than planned is out all the same
RACK_SHOWN: Final = {"rack-1": "rack-1-27"}
POINTS_A_TILE: Final = 7  # on average, for a rack that nobody photographed
WITHOUT_PICTURE: Final[Mapping[str, Message]] = {
    "tile": message("Demo: say who begins, or wait."),
    "restored": message("Demo: all tiles lie as before. Press REROLL, or wait."),
    "rack": message("Demo: there is no picture of this. Enter it by hand, or wait."),
    "piles": message("Demo: there is no picture of this. Enter it by hand, or wait."),
    "play": message("Demo: tap the card that was played, or wait."),
    "mission": message("Demo: choose the mission that is turned up, or wait."),
    "leader": message("Demo: say who holds red 8, or wait."),
}
MISSIONS: Final = ("high-12", "low-5", "high-9")


@dataclass(frozen=True, slots=True)
class _Question:
    """What the table waits for; whatever else changes, the demo need show nothing new."""

    game_id: str | None
    stage: str
    number: int
    player: int | None
    rolls: int
    step: str | None


class Demo:
    """Has the demo camera show what the table waits for; an `Announcer` for the session.

    demo = Demo(camera)
    session = TableSession(store, clock, [demo], new_id)
    demo.start(inbox.post)

    From then on the camera calls before each picture, from its own thread.
    """

    def __init__(self, camera: DemoCamera) -> None:
        self._camera = camera
        paced = round(PATIENCE_SECONDS * camera.frames_per_second)
        self._patience = max(paced, LEAST_PICTURES)
        self._lock = Lock()
        self._post: Callable[[TableRequest], object] | None = None
        self._view: TableView | None = None
        self._question: _Question | None = None
        self._awaits: object = None
        self._pictures = 0  # that lay there since something was last done
        self._table = 0  # which of a step's tables lies there
        self._ahead = 0  # turns by which the throws are ahead of the game's
        self._throw: tuple[int, int] | None = None

    def start(self, post: Callable[[TableRequest], object]) -> None:
        """Begin to act; `post` takes what the demo's players do by hand."""
        self._post = post
        self._camera.follow(self._before_picture)

    def announce(self, view: TableView) -> None:
        """Show what belongs to this view."""
        with self._lock:
            self._view = view
            question, awaits = _question(view), (_answerable(view), _objection(view))
            if question != self._question:
                self._question, self._table, self._pictures = question, 0, 0
                self._show(view, anew=True)
            if awaits != self._awaits:
                self._awaits, self._pictures = awaits, 0

    def coming(self, view: TableView) -> Message | None:
        """What comes next, in words for who watches the demo; None where there is nothing to say.

        It is made of the view alone, so that all pages that show it say the same.
        """
        if view.turn is None or view.stage in {"abandoned", "finished"}:
            return None
        return _of_dice(view) if view.stage in DICE_STAGES else self._of_pieces(view)

    # -- what lies before the camera

    def _show(self, view: TableView, *, anew: bool = False) -> None:
        throw, step = throw_for(view), self._pictured(view)
        if throw is not None:
            turn, number = throw[0] + self._ahead, throw[1]
            # The same dice would be taken for those of before: somebody left, or it is a new game.
            if anew and view.stage != "choosing" and (turn, number) == self._throw:
                self._ahead, turn = self._ahead + 1, turn + 1
            self._throw = turn, number
            self._camera.show(turn, number)
        elif view.game is not None and view.game in EVENINGS:
            self._camera.show_table(EVENINGS[view.game], step or "", self._table)

    def _pictured(self, view: TableView) -> str | None:
        """The step that is shown for this view, None where there is no picture of it."""
        step = step_for(view)
        if step is None or view.game is None or not self._tables(view.game, step):
            return None
        return step

    def _tables(self, game: str, step: str) -> int:
        return self._camera.tables(EVENINGS[game], step)

    # -- and when nothing comes of it

    def _before_picture(self) -> None:
        """One more picture lies there; from the camera's thread."""
        with self._lock:
            view = self._view
            if view is None or self._question is None or _answerable(view):
                return
            self._pictures += 1
            acts = tuple(self._goes_on(view))
        for act in acts:
            if self._post is not None:
                self._post(act)

    def _goes_on(self, view: TableView) -> Iterator[TableRequest]:
        step = self._pictured(view)
        if step is not None and step in COUNTED and self._pictures == 1:
            yield from _counted(view, *COUNTED[step])
        if view.stage in DICE_STAGES:
            if self._pictures >= self._patience * (1 if view.proposal is None else 2):
                self._pictures, self._ahead = 0, self._ahead + 1
                self._show(view)
        elif self._pictures == self._patience:
            if step is not None and _objection(view) is None:
                yield ReadAgain(view.version)
        elif self._pictures >= 2 * self._patience:
            self._pictures = 0
            yield from self._put_right(view, step)

    def _put_right(self, view: TableView, step: str | None) -> Iterator[TableRequest]:
        """The next table of the step where this one is refused, else an act by hand."""
        more = step is not None and self._table + 1 < self._tables(str(view.game), step)
        if more and _objection(view) is not None:
            self._table += 1
            self._show(view)
        else:
            yield from _by_hand(view, pictured=step is not None)

    # -- what comes next, in words

    def _of_pieces(self, view: TableView) -> Message | None:
        pictured = self._pictured(view) is not None
        if _objection(view) is not None and pictured:
            return message("Demo: something is wrong here. The players fix it in a moment.")
        if view.asking is not None:
            return message("Demo: press KEEP.")
        if _answerable(view):
            return message("Demo: press KEEP to confirm what the camera sees.")
        if pictured:
            return message("Demo: a hand comes to the table. Wait a moment.")
        waited = _waited_for(view)
        if waited == "lay":
            return message(
                "Demo: {player} has nothing to play. Press REROLL to draw a tile, or wait.",
                player=view.player or "",
            )
        return None if waited is None else WITHOUT_PICTURE[waited]


def _of_dice(view: TableView) -> Message:
    if view.stage == "choosing":
        return message("Demo: KEEP fills the marked box; REROLL marks the next one.")
    if view.proposal is None:
        return message("Demo: the dice are being rolled. Wait a moment.")
    if view.reroll is not None:
        return message("Demo: press REROLL to roll again, or KEEP to stop here.")
    return message("Demo: press KEEP.")


def throw_for(view: TableView) -> tuple[int, int] | None:
    """The turn and the throw to show; None to go on showing what is there.

    Throws for the start come first, each from a turn of its own, so that no two throws in
    a row look alike. While a box is chosen the last throw stays on the table.
    """
    turn = view.turn
    if turn is None:
        return None
    match view.stage:
        case "starting":
            return turn.number, 0
        case "rolling":
            return len(view.start_rolls) + turn.number, turn.rolls_made
        case "choosing":
            return len(view.start_rolls) + turn.number, max(0, turn.rolls_made - 1)
        case _:
            return None


def step_for(view: TableView) -> str | None:
    """The name of what is awaited in a game without dice; None where the camera sees nothing of it.

    It is made of the offer that is filled, the seat, and how many tiles lie on the table. Tong
    Tong's is made of the offer and how much of the match was told before. The rack that is shown at
    the end is the same one however many tiles lie on the table.
    """
    awaited = None if view.turn is None else view.turn.awaited
    if (
        view.turn is None
        or awaited is None
        or awaited.expected is None
        or view.game not in EVENINGS
    ):
        return None
    offer = awaited.expected.offer.replace(":", "-")
    if view.game == "tongtong":
        return f"{offer}-{view.turn.number:02}"
    seat = "" if view.turn.player is None else f"-{view.turn.player}"
    return RACK_SHOWN.get(offer, f"{offer}{seat}-{_lying(view):02}")


def _lying(view: TableView) -> int:
    return sum(len(heap.pieces) for heap in view.piece_groups)


def demo_reader(view: TableView) -> str:
    """Who reads the demo's pictures: where there are none of a game, dice stay on the table."""
    return view.reader if view.game in EVENINGS else "dice"


def _question(view: TableView) -> _Question | None:
    turn = view.turn
    if turn is None or view.stage in {"no game", "abandoned", "finished"}:
        return None
    step = step_for(view) or _waited_for(view)
    return _Question(view.game_id, view.stage, turn.number, turn.player, turn.rolls_made, step)


def _answerable(view: TableView) -> bool:
    """Whether a press of KEEP or REROLL answers what the table shows now."""
    if view.stage == "choosing" or view.asking is not None:
        return True
    if view.proposal is not None:
        return view.proposal.roll is not None or view.proposal.same
    return view.pieces is not None and _objection(view) is None


def _objection(view: TableView) -> object:
    """What keeps the pieces that wait from being confirmed, None where nothing does."""
    pieces = view.pieces
    if pieces is None or (pieces.label is not None and not pieces.remarks):
        return None
    return pieces.frame, pieces.text, pieces.remarks


def _waited_for(view: TableView) -> str | None:
    """The act that a game without dice waits for."""
    awaited = None if view.turn is None else view.turn.awaited
    if awaited is not None and awaited.expected is not None:
        return awaited.expected.offer.partition(":")[0]
    kinds = {offer.key.partition(":")[0] for offer in view.offers}
    return next((kind for kind in ("mission", "leader") if kind in kinds), None)


def _counted(view: TableView, seat: int, tiles: int) -> Iterator[TableRequest]:
    """A rack is counted anew where visitors drew more than the pictures know of."""
    if _on_rack(view, seat) != tiles and _is_offered(view, f"count:{seat}"):
        yield Chosen(f"count:{seat}", view.version, str(tiles))


def _on_rack(view: TableView, seat: int) -> int | None:
    rows = () if view.scoresheet is None else view.scoresheet.rows
    return next((row.cells[seat].points for row in rows if row.key == "rack"), None)


def _is_offered(view: TableView, key: str) -> bool:
    return any(offer.key == key for offer in view.offers)


def _by_hand(view: TableView, *, pictured: bool) -> Iterator[TableRequest]:
    """What the demo's players do where no picture, or no further one, helps on."""
    for key, filling in _acts(view, pictured=pictured):
        if _is_offered(view, key):
            yield Chosen(key, view.version, filling)
            return


def _acts(view: TableView, *, pictured: bool) -> Iterator[tuple[str, str | None]]:
    """Acts to choose from, the best first; some of them may not be offered."""
    awaited = None if view.turn is None else view.turn.awaited
    sight = None if awaited is None else awaited.expected
    match _waited_for(view):
        case "tile":
            yield "begin:0", None
        case "lay":
            yield from _acts_of_a_turn(view, pictured=pictured)
        case "restored":
            yield "restored", None
        case "rack":
            seat = int(sight.offer.partition(":")[2]) if sight else 0
            yield f"points:{seat}", str(POINTS_A_TILE * (_on_rack(view, seat) or 1))
        case "piles":
            yield (sight.offer if sight else ""), "-"
        case "play":
            fresh = () if view.pieces is None else view.pieces.remarks
            yield from ((f"play:{card}", None) for each in fresh for card in each.pieces)
            yield from _every(view, "play:")
        case "mission":
            yield from ((f"mission:{mission}", None) for mission in MISSIONS)
            yield from _every(view, "mission:")
        case "leader":
            yield from _every(view, "leader:")


def _acts_of_a_turn(view: TableView, *, pictured: bool) -> Iterator[tuple[str, str | None]]:
    if pictured and view.pieces is not None:
        yield "fail", None
    if _lying(view) >= LAST_TABLE:
        yield from (("rummikub:0", None), ("count:0", "?"))
    yield from (("draw", None), ("pass", None))


def _every(view: TableView, kind: str) -> Iterator[tuple[str, str | None]]:
    yield from ((offer.key, None) for offer in view.offers if offer.key.startswith(kind))


# ruff: noqa: PLC0415 -- see above


DECK: Final = "bunting"


def open_demo_reader(name: str) -> Recogniser:
    """The reader that the demo asks for; its cards are read with the deck of their pictures.

    Raises:
        KeyError: there is none of that name.
        TaughtSetError: the deck is damaged.
        WeightsError: a model cannot be loaded.
    """
    from hardware.cameras.demo import demo_pictures

    beside = Path(str(demo_pictures(EVENINGS["tongtong"])))
    return open_taught(DECK, beside) if name == "cards" else open_table_reader(name)
