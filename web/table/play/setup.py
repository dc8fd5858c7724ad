"""The page that sets up a game: its rulebook, its players by seat, and the house rules."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from scoreboard.errors import NotationError, RuleViolationError, StoreError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Option
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import Message, message
from scoreboard.players import LONGEST_NAME, is_guest, plain_text, player_names
from scoreboard.storage.profiles import COLOURS, Profile
from scoreboard.table.requests import Answer, GameOpened
from web.shared.security import whole_number
from web.table.parts import OWN_GAME, Parts, is_own_game, shown, to
from web.table.play.coach import MODES, OFF_IN_TOURNAMENTS, Coach, CoachChoice, Mode, mode_of
from web.table.play.demo import OPENING, dated_id
from web.table.play.table_page import Showing

BLANK_SEATS: Final = ("", "")
NAMES: Final = "names"
OPTION: Final = "option-"  # before a house rule's name, the name of its field
OWN: Final = "own-"  # the same, of the field for a value of one's own
REMEMBERED_GAMES: Final = 200  # the newest, of which the page knows the players
MOST_KNOWN_PLAYERS: Final = 12  # who played most; all others who have a profile follow
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SetupForm:
    """The set-up form as it was typed.

    `fresh` is the seat that was added last. `pictures` matters in the demo alone: whether it shows
    the game its pictures, or the players enter a game of their own.
    """

    game: str
    names: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, str] = field(default_factory=dict)
    fresh: int | None = None
    pictures: bool = True
    coach: Mode = "off"

    @classmethod
    def of(cls, fields: MultiDict[str, str]) -> SetupForm:
        game = fields.get("game", "")
        return cls(
            game=game if game in GAMES else next(iter(GAMES)),
            names=tuple(fields.getlist("name")),
            options=_named(fields, OPTION),
            own=_named(fields, OWN),
            pictures=fields.get("pictures") != "no",
            coach=mode_of(fields.get("coach", "")),
        )

    def as_in(self, header: GameHeader) -> SetupForm:
        """The form of a stored game: its players, in their seats, and its rules."""
        return replace(self.under(header.game, header.options), names=header.players)

    def under(self, game: str, agreed: Mapping[str, str]) -> SetupForm:
        options: dict[str, str] = {}
        own: dict[str, str] = {}
        for option in GAMES[game].options:
            value = agreed.get(option.name, option.default)
            chosen = value in {choice.value for choice in option.choices}
            (options if chosen else own)[option.name] = value
        return replace(self, game=game, options=options, own=own)

    @property
    def agreed(self) -> dict[str, str]:
        """The house rules: what is written in a field, else a known choice, else the first one."""
        chosen = {}
        for option in GAMES[self.game].options:
            written = self.own.get(option.name, "").strip()
            value = self.options.get(option.name, option.at_first)
            if option.own is not None and written:
                value = written
            elif value not in {each.value for each in option.choices}:
                value = option.at_first
            chosen[option.name] = value
        return chosen

    @property
    def placed(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names that this game has seats for, and those kept for a game that has more."""
        most = GAMES[self.game].seats[-1]
        if len(self.names) <= most:
            return self.names, ()
        rows = tuple(sorted(self.names, key=lambda name: not name.strip()))
        return rows[:most], tuple(name for name in rows[most:] if name.strip())

    @property
    def as_begun(self) -> tuple[str, tuple[str, ...], dict[str, str]]:
        """The game that it would begin: forms that begin the same one are equal here."""
        return self.game, tuple(name for name in self.placed[0] if name.strip()), self.agreed

    @property
    def deviations(self) -> tuple[tuple[Option, Message], ...]:
        """The options unlike a new form's, with what was chosen; a game's own name is its title."""
        agreed = self.agreed
        return tuple(
            (option, _in_words(option, agreed[option.name]))
            for option in GAMES[self.game].options
            if agreed[option.name] != option.at_first and option.name != GAMES[self.game].titled_by
        )

    def changed(self, change: str) -> SetupForm:
        """The form after one of its buttons.

        They are `add`, `up:1`, `down:0`, `remove:2`, `pick:Ann` and `game:NAME`, or
        `game:NAME?RULES` for a game of the table's own. A change that names no seat, no player and
        no game changes nothing.
        """
        act, _, place = change.partition(":")
        number = whole_number(place)
        seat = -1 if number is None else number
        match act:
            case "add":
                return replace(self, names=(*self.names, ""), fresh=len(self.names))
            case "remove" if seat in range(len(self.names)):
                return replace(self, names=self.names[:seat] + self.names[seat + 1 :])
            case "pick" if place:
                return replace(self, names=picked(self.names, place))
            case "game" if (chosen := place.partition("?"))[0] in GAMES:
                game, own_rules, rules = chosen
                own = {**self.own, GAMES[game].titled_by: ""}
                as_before = replace(self, game=game, own=own)
                return self.under(game, dict(parse_qsl(rules))) if own_rules else as_before
            case "up" | "down" if (at := seat - (act == "up")) in range(len(self.names) - 1):
                one, other = self.names[at : at + 2]
                return replace(self, names=(*self.names[:at], other, one, *self.names[at + 2 :]))
            case _:
                return self

    def table_request(self, game_id: str | None = None) -> GameOpened:
        """The request that opens this game for its names. Raises NotationError for bad ones."""
        players = player_names(plain_text(name) for name in self.placed[0] if name.strip())
        return GameOpened(self.game, players, self.agreed, game_id)

    def faulty(self) -> str | None:
        """The place of a fault in the form: `names`, or a house rule’s name; None for none."""
        for option in GAMES[self.game].options:
            try:
                option.settled(self.agreed)
            except RuleViolationError:
                return option.name
        try:
            seats = len(self.table_request().players)
        except NotationError:
            return NAMES
        return None if seats in GAMES[self.game].seats else NAMES


def _named(fields: MultiDict[str, str], prefix: str) -> dict[str, str]:
    return {
        name.removeprefix(prefix): value
        for name, value in fields.items()
        if name.startswith(prefix)
    }


def _in_words(option: Option, value: str) -> Message:
    """The choice in the form's words; a custom value in the sheet's."""
    try:
        chosen = option.settled({option.name: value})
    except RuleViolationError:
        return message("{value}", value=value)
    return chosen.label


def picked(names: Sequence[str], player: str) -> tuple[str, ...]:
    """The seats after a tap on a known player: a present one leaves, another one takes a seat."""
    seats, stripped = list(names), [name.strip() for name in names]
    if player in stripped:
        del seats[stripped.index(player)]
        seats += BLANK_SEATS[len(seats) :]
    elif "" in stripped:
        seats[stripped.index("")] = player
    else:
        seats.append(player)
    return tuple(seats)


def offered_players(
    games: Iterable[GameHeader], known: Mapping[str, Profile]
) -> dict[str, Profile | None]:
    """Players to be picked by a tap, by games among these first; no hidden people, no guests."""
    shown = {one.name: one for one in known.values()}
    players = (name for game in games for name in game.players if not is_guest(name))
    often = [name for name, _ in Counter(players).most_common(MOST_KNOWN_PLAYERS)]
    names = dict.fromkeys((*often, *sorted(shown, key=str.casefold)))
    return {each: shown.get(each) for each in names if each not in shown or not shown[each].hidden}


def own_games(games: Iterable[GameHeader]) -> dict[str, str]:
    """The table's own games among these by their names, each as `game:` has it to set it up."""
    found: dict[str, str] = {}
    for header in games:
        name = header.options.get(GAMES[header.game].titled_by)
        if name:
            found.setdefault(name, f"{header.game}?{urlencode(header.options)}")
    return found


def setup_views(showing: Showing) -> Blueprint:
    """`/setup` and `/rematch`."""
    views = Blueprint("setup", __name__)
    parts, coach = showing.parts, showing.extras.coach

    @views.get("/setup", right="player")
    def show() -> Response:
        form = SetupForm.of(request.args)
        if not form.names:
            form = replace(form, names=expected_names(parts, pictures=form.pictures))
        return setup_page(parts, form)

    @views.post("/setup", right="player")
    def change() -> Response:
        form = SetupForm.of(request.form)
        act = request.form.get("do", "begin")
        named = any(name.strip() for name in form.names)
        if act == "begin" or (act == "named" and named):  # from the page before, where none must be
            return begin(parts, coach, form)
        played = parts.own_games(REMEMBERED_GAMES)
        if act == "last" and played:
            return setup_page(parts, form.as_in(played[0]))
        return setup_page(parts, form.changed(act))

    @views.post("/rematch", right="player")
    def rematch() -> Response:
        view, expected = parts.session.view, showing.parts.expected()
        if view.version != expected or view.scoresheet is None:
            notice = message("That tap came too late. Here is how the game stands now.")
            return showing.answer(Answer("stale", notice))
        sheet = view.scoresheet
        game_id = dated_id(parts.clock(), OWN_GAME) if is_own_game(view.game_id) else None
        opened = GameOpened(sheet.game, sheet.players, view.options, game_id)
        chosen, answer = coach.choice(view), parts.submit(opened)
        if answer.verdict == "done":
            coach.choose(replace(chosen, game_id=parts.session.view.game_id))
        return showing.answer(answer)

    return views


def expected_names(parts: Parts, *, pictures: bool) -> tuple[str, ...]:
    """The likely players: those on the table, else of the last game, in seat order.

    The demo's own players are proposed only for a game with its pictures; two empty seats if none
    are known.
    """
    view, shown = parts.session.view, parts.facts.demo and pictures
    if view.scoresheet is not None and shown == (
        parts.facts.demo and not is_own_game(view.game_id)
    ):
        return view.scoresheet.players
    if shown:
        return OPENING.players
    played = parts.own_games(REMEMBERED_GAMES)
    return played[0].players if played else BLANK_SEATS


def begin(parts: Parts, coach: Coach, form: SetupForm) -> Response:
    """Open the game, or show the form again with the fault."""
    own = parts.facts.demo and not form.pictures
    try:
        asked = form.table_request(dated_id(parts.clock(), OWN_GAME) if own else None)
    except NotationError as error:
        return setup_page(parts, form, error.message)
    if own == parts.facts.demo:
        try:
            parts.store.profiles.note(asked.players, apart=True)
        except StoreError as error:  # the game reports that nothing can be stored
            LOG.warning("the players were not noted: %s", error)
    answer = parts.submit(asked)
    if answer.verdict in {"done", "unchanged"}:
        coach.choose(CoachChoice(parts.session.view.game_id, form.coach))
        page = "coach.show" if form.coach == "players" else "table.show"
        return to(page)
    fault = answer.notice or message("The table can’t start this game now.")
    return setup_page(parts, form, fault)


def setup_page(parts: Parts, form: SetupForm, fault: Message | None = None) -> Response:
    """The set-up form with what was typed, a fault where it is."""
    view, played, known = parts.session.view, parts.own_games(REMEMBERED_GAMES), parts.known()
    last = form.as_in(played[0]) if played else None
    if last is not None and last.as_begun == form.as_begun:
        last = None
    return shown(
        "setup.html",
        form=form,
        fault=fault,
        fault_at=form.faulty() if fault is not None else None,
        games=GAMES,
        own_games=own_games(played),
        offered=offered_players(played, known).items(),
        profiles=known,
        seated={name.strip() for name in form.placed[0]},
        last=last,
        colours=tuple(COLOURS),
        demo=parts.facts.demo,
        longest_name=LONGEST_NAME,
        modes=MODES,
        coach_off=OFF_IN_TOURNAMENTS if view.event is not None else None,
        under_way=view.stage in {"starting", "rolling", "choosing", "playing"}
        and (is_own_game(view.game_id) or not parts.facts.demo),
    )
