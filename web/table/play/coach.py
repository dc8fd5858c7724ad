"""The coach at the table: its settings by the players, and its advice on the game shown.

It is off until players choose otherwise, for one game at a time, and in an event always. Once a
game that it followed is over, it explains luck and the costs of decisions.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from flask import Blueprint, Response, render_template, request

from scoreboard.errors import StoreError
from scoreboard.games import DICE_GAMES, GAMES
from scoreboard.games.advice.dice_advice import GRADE_WORDS, DiceOption, cost_in_words, options
from scoreboard.games.advice.dice_values import DiceValues, is_made_here, load, why_off
from scoreboard.games.advice.luck import Decision, PlayerLuck, last_turn, luck_of
from scoreboard.games.advice.table_build import TableBuild
from scoreboard.games.dice.family import points_now
from scoreboard.games.dice.rules import possible_placements
from scoreboard.games.dice.state import Card
from scoreboard.games.engine.game import OfferKind, Setup
from scoreboard.games.engine.transcript import GameHeader, records_in_force
from scoreboard.message import Message, message
from scoreboard.text_files import write_whole
from web.table.parts import Parts, to

if TYPE_CHECKING:  # what makes these has loaded them
    from scoreboard.dice import Roll
    from scoreboard.table.ports import EventStore
    from scoreboard.table.view import TableView

LOG: Final = logging.getLogger(__name__)
Mode = Literal["off", "after", "practice", "players"]
MODES: Final[Mapping[Mode, Message]] = {
    "off": message("Off"),
    "after": message("After each turn: the best choice, and what the player’s own cost"),
    "practice": message("Practice: the three best choices before each decision"),
    "players": message("Practice for some players only, such as a child"),
}
AFTER_TILES: Final = message("After each turn with a known rack: what could have been laid")
OFF_IN_TOURNAMENTS: Final = message("While the table takes part in an event, the coach is off.")
COSTLIEST: Final = 3  # decisions shown of a player
Key = tuple[str, tuple[tuple[str, str], ...]]


def mode_of(text: str) -> Mode:
    """The mode of that name; off for any other."""
    return cast("Mode", text) if text in MODES else "off"


@dataclass(frozen=True, slots=True)
class CoachChoice:
    """The choice for one game; `players` are those who practise in the mode of that name."""

    game_id: str | None = None
    mode: Mode = "off"
    players: tuple[str, ...] = ()

    def helps(self, player: str | None) -> bool:
        """Whether this player is advised before each decision."""
        return self.mode == "practice" or player in self.players


@dataclass(frozen=True, slots=True)
class CoachLine:
    """A sentence, its notes, and its folded part."""

    words: Message
    notes: tuple[Message, ...] = ()
    more: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class CoachCard:
    """The coach's advice now, or a note; `best` is the offer of the best box to choose now."""

    title: Message
    lines: tuple[CoachLine, ...] = ()
    note: Message | None = None
    best: str | None = None


class Coach:
    """Thread-safe; the table's own thread reads nothing from disk here.

    `folder` is where `build` makes tables that are not shipped; `file` stores the choice, None to
    forget it when the program ends.
    """

    def __init__(
        self,
        store: EventStore,
        folder: Path,
        file: Path | None = None,
        build: Callable[..., TableBuild] = TableBuild,
    ) -> None:
        self._store = store
        self._folder = folder
        self._file = file
        self._build = build
        self._lock = Lock()
        self._loaded: dict[Key, DiceValues | None] = {}
        self._builds: dict[Key, TableBuild] = {}
        self._newest: tuple[object, CoachCard | None] = (None, None)
        self._choice = _kept(file)

    def announce(self, view: TableView) -> None:
        """Load the tables of a new view's game, on a thread of its own."""
        if view.game in DICE_GAMES and _key(view.game, view.options) not in self._loaded:
            needs = (view.game, view.options)
            Thread(target=self.values, args=needs, name="coach", daemon=True).start()

    def close(self) -> None:
        for build in self._builds.values():
            build.close()

    def values(self, game: str, agreed: Mapping[str, str]) -> DiceValues | None:
        """The worths of a game of dice under its house rules, loaded once; None without a table."""
        key = _key(game, agreed)
        with self._lock:
            if self._loaded.get(key) is None:
                self._loaded[key] = load(DICE_GAMES[game], agreed, self._folder)
            return self._loaded[key]

    def ranks(self, header: GameHeader, state: Any) -> Mapping[str, tuple[float, ...]]:
        """The order of the boxes, by their offers' keys; empty until a table is loaded.

        For those who practise it is their worth; for all others the points now, and worth only
        decides between equal ones.
        """
        values, choice = self._loaded.get(_key(header.game, header.options)), self._choice
        if values is None or state.rolls.roll is None:
            return {}
        worths = values.turn(state.cards[state.seat]).of_boxes(state.rolls.roll)
        helped = choice.game_id == header.game_id and choice.helps(state.players[state.seat])
        return {
            OfferKind.SCORE.key(each.box.key): (*now, worths[each.box.key])
            for each in possible_placements(state)
            for now in [() if helped else points_now(state, each)]
        }

    def choice(self, view: TableView) -> CoachChoice:
        chosen = self._choice.game_id is not None and self._choice.game_id == view.game_id
        return self._choice if chosen and view.event is None else CoachChoice(view.game_id)

    def coaches(self, view: TableView, game_id: str) -> bool:
        """Whether that game is shown, and its players switched the coach on."""
        return view.game_id == game_id and self.choice(view).mode != "off"

    def choose(self, choice: CoachChoice) -> None:
        """Apply and store the choice; that for another game is forgotten."""
        self._choice = choice
        if self._file is None:
            return
        try:
            write_whole(self._file, json.dumps(asdict(choice)).encode())
        except OSError as error:
            LOG.warning("the coach's mode is not kept: %s", error)

    def card(self, view: TableView) -> CoachCard | None:
        choice = self.choice(view)
        if view.game not in DICE_GAMES or choice.mode == "off":
            return None
        values = self.values(view.game, view.options)
        if values is None and view.stage == "finished":
            return None
        if values is None:
            return CoachCard(message("Coach"), note=self._missing(view))
        read = None if view.proposal is None else view.proposal.roll
        key = (choice, view.game_id, view.sequence, view.stage, read)
        newest = self._newest
        if newest[0] != key:
            self._newest = newest = (key, self._card(view, choice, values, read))
        return newest[1]

    def _card(
        self, view: TableView, choice: CoachChoice, values: DiceValues, read: Roll | None
    ) -> CoachCard | None:
        try:
            if view.stage == "finished":
                lines = map(_player_line, luck_of(values, *self._played(view)))
                return CoachCard(message("Luck and decisions"), tuple(lines))
            if choice.helps(view.player):
                return _practice(view, values, read)
            last = last_turn(values, *self._played(view)) if choice.mode == "after" else None
            return None if last is None else _after(*last)
        except StoreError as error:
            LOG.warning("the coach cannot read the game: %s", error)
            return None

    def _played(self, view: TableView) -> tuple[Any, Setup, list[Any]]:
        """The rulebook, the setup, and the events behind the view."""
        if view.game is None or view.game_id is None or view.scoresheet is None:
            raise ValueError(view.stage)
        records = records_in_force(tuple(self._store.events(view.game_id))[: view.sequence])
        setup = Setup(self._store.header(view.game_id).players, view.options)
        return DICE_GAMES[view.game], setup, [record.event for record in records]

    def _missing(self, view: TableView) -> Message | None:
        """The reason there is no advice yet, or never; a table that can be made is begun."""
        game, key = DICE_GAMES[view.game or ""], _key(view.game or "", view.options)
        if is_made_here(game, view.options):
            with self._lock:
                if key not in self._builds:
                    self._builds[key] = self._build(game, view.options, self._folder)
            if self._builds[key].is_running:
                percent = int(100 * self._builds[key].progress)
                return message(
                    "The coach learns {game}: {percent} %", game=game.title, percent=percent
                )
        return why_off(game, view.options, self._folder)


def _key(game: str, agreed: Mapping[str, str]) -> Key:
    return game, tuple(sorted(agreed.items()))


def _kept(file: Path | None) -> CoachChoice:
    if file is None or not file.exists():
        return CoachChoice()
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        return CoachChoice(kept["game_id"], mode_of(kept["mode"]), tuple(kept["players"]))
    except (OSError, ValueError, LookupError, TypeError) as error:
        LOG.warning("%s is damaged, so the coach is off: %s", file, error)
        return CoachChoice()


def _practice(view: TableView, values: DiceValues, read: Roll | None) -> CoachCard | None:
    """The best options of the roll that waits for KEEP, else of the last one."""
    sheet, turn = view.scoresheet, view.turn
    if sheet is None or turn is None or turn.player is None or view.stage == "starting":
        return None
    made, roll = (turn.rolls_made, turn.roll) if read is None else (turn.rolls_made + 1, read)
    form = values.model.form
    if roll is None or len(roll) != form.dice:
        return None
    points = {row.key: row.cells[turn.player].points for row in sheet.rows}
    left = 0 if turn.phase == "choosing" else turn.rolls_allowed - made
    card = Card(form, tuple(points[key] for key in form.keys))
    advice = options(values, card, roll, left)
    lines = (_option_line(each, is_best=each in advice.best) for each in advice.shown)
    title = message("Best for {player}", player=sheet.players[turn.player])
    box = advice.best[0].box if turn.phase == "choosing" else None
    return CoachCard(title, tuple(lines), best=OfferKind.SCORE.key(box) if box else None)


def _option_line(option: DiceOption, *, is_best: bool) -> CoachLine:
    costs = message("costs {points}", points=cost_in_words(option.cost))
    return CoachLine(option.words, (GRADE_WORDS["best"] if is_best else costs,))


def _after(player: str, decisions: Iterable[Decision]) -> CoachCard:
    """The decisions of a turn that cost something."""
    lines = tuple(
        CoachLine(each.advice.words_on(each.chosen), (GRADE_WORDS[each.grade],))
        for each in decisions
        if each.grade != "best"
    )
    note = None if lines else message("Nothing could have been done better.")
    return CoachCard(message("{player}’s last turn", player=player), lines, note)


def _player_line(luck: PlayerLuck) -> CoachLine:
    counts = Counter(each.grade for each in luck.decisions)
    costly = sorted(luck.decisions, key=lambda each: -each.chosen.cost)[:COSTLIEST]
    words = message(
        "{player}: luck {dice}, decisions {decisions}",
        player=luck.player,
        dice=f"{round(luck.luck):+d}",
        decisions=f"{-round(luck.cost):+d}",
    )
    grades = (
        message("{grade}: {count}", count=counts[name], grade=words)
        for name, words in GRADE_WORDS.items()
        if counts[name]
    )
    more = (
        message(
            "Turn {turn}, {roll}. {words}",
            turn=each.turn,
            roll=each.roll.spaced,
            words=each.advice.words_on(each.chosen),
        )
        for each in costly
        if each.grade != "best"
    )
    return CoachLine(words, tuple(grades), tuple(more))


def coach_views(parts: Parts, coach: Coach) -> Blueprint:
    """`/coach`."""
    views = Blueprint("coach", __name__)

    @views.get("/coach", right="player")
    def show() -> str:
        view = parts.session.view
        players = () if view.scoresheet is None else view.scoresheet.players
        off = OFF_IN_TOURNAMENTS if view.event is not None else None
        game = GAMES.get(view.game or "")
        if off is None and (game is None or not (game.has_dice or game.review == "turns")):
            off = message("There is no advice on dice in this game.")
        modes, choice = MODES, coach.choice(view)
        if game is not None and game.review == "turns":  # of a rack only after its turn
            modes, players = {"off": MODES["off"], "after": AFTER_TILES}, ()
        return render_template("coach.html", choice=choice, modes=modes, players=players, off=off)

    @views.post("/coach", right="player")
    def choose() -> Response:
        mode, players = mode_of(request.form.get("coach", "")), request.form.getlist("player")
        practising = tuple(players) if mode == "players" else ()
        coach.choose(CoachChoice(parts.session.view.game_id, mode, practising))
        return to("table.show")

    return views
