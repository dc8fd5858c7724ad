"""The page that sets up a game: which one, who plays in which seat, and the house rules."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import NotationError, RuleViolationError, StoreError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import Option
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import Message, message
from scoreboard.players import LONGEST_NAME, is_guest, plain_text, player_names
from scoreboard.storage.profiles import Profile
from scoreboard.table.requests import Answer, GameOpened
from web.security import whole_number
from web.table.coach import MODES, OFF_IN_EVENTS, CoachChoice, Mode, mode_of
from web.table.demo import OPENING, is_own_game, own_game_id
from web.table.scoreboard_strip import COLOURS
from web.table.table_page import Showing, StaleError, Table

BLANK_SEATS: Final = ("", "")
NAMES: Final = "names"
OPTION: Final = "option-"  # before a house rule's name, the name of its field
OWN: Final = "own-"  # the same, of the field for a value of one's own
REMEMBERED_GAMES: Final = 200  # the newest, of which the page knows the players
MOST_KNOWN_PLAYERS: Final = 12  # who played most; all others who have a profile follow
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SetupForm:
    """What stands in the set-up form, as it was typed.

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
        """Read the form that a browser sent."""
        game = fields.get("game", "")
        return cls(
            game=game if game in GAMES else next(iter(GAMES)),
            names=tuple(fields.getlist("name")),
            options=_named(fields, OPTION),
            own=_named(fields, OWN),
            pictures=fields.get("pictures") != "no",
            coach=mode_of(fields.get("coach", "")),
        )

    def as_in(self, header: GameHeader, known: Mapping[str, Profile]) -> SetupForm:
        """The form as it was for a stored game: its players, in their seats, and its rules.

        Those who are known have the names that are shown now.
        """
        options: dict[str, str] = {}
        own: dict[str, str] = {}
        for option in GAMES[header.game].options:
            value = header.options.get(option.name, option.default)
            chosen = value in {choice.value for choice in option.choices}
            (options if chosen else own)[option.name] = value
        names = shown_names(header.players, known)
        return replace(self, game=header.game, names=names, options=options, own=own)

    @property
    def agreed(self) -> dict[str, str]:
        """The house rules of this game as they are chosen; an unknown value is the first one's.

        What is written in a field goes before the choices beside it.
        """
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
        """The options that are not as a new form has them, each with what was chosen."""
        agreed = self.agreed
        return tuple(
            (option, _in_words(option, agreed[option.name]))
            for option in GAMES[self.game].options
            if agreed[option.name] != option.at_first
        )

    def changed(self, change: str) -> SetupForm:
        """The form after one of its buttons.

        They are `add`, `up:1`, `down:0`, `remove:2`, `pick:Ann` and `game:NAME`. A change that
        names no seat, no player and no game changes nothing.
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
            case "game" if place in GAMES:
                return replace(self, game=place)
            case "up" | "down":
                return self._swapped(seat - 1 if act == "up" else seat)
            case _:
                return self

    def _swapped(self, seat: int) -> SetupForm:
        if seat not in range(len(self.names) - 1):
            return self
        before, one, other = self.names[:seat], self.names[seat], self.names[seat + 1]
        return replace(self, names=(*before, other, one, *self.names[seat + 2 :]))

    def table_request(self, game_id: str | None = None) -> GameOpened:
        """The request that opens this game; seats without a name are left out.

        Raises:
            NotationError: the names are not allowed.
        """
        players = player_names(plain_text(name) for name in self.placed[0] if name.strip())
        return GameOpened(self.game, players, self.agreed, game_id)

    def faulty(self) -> str | None:
        """Where the form cannot be right: `names`, or a house rule’s name; None for nowhere."""
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
    """The fields whose names begin so, without it."""
    return {
        name.removeprefix(prefix): value
        for name, value in fields.items()
        if name.startswith(prefix)
    }


def _in_words(option: Option, value: str) -> Message:
    """What was chosen, as the form has it; a value of one's own as the sheet will print it."""
    try:
        chosen = option.settled({option.name: value})
    except RuleViolationError:
        return message("{value}", value=value)
    return chosen.label


def picked(names: Sequence[str], player: str) -> tuple[str, ...]:
    """The seats after a tap on a known player: who is there leaves, who is not takes a seat."""
    seats = list(names)
    seated = [seat for seat, name in enumerate(seats) if name.strip() == player]
    free = [seat for seat, name in enumerate(seats) if not name.strip()]
    if seated:
        del seats[seated[0]]
        seats += BLANK_SEATS[len(seats) :]
    elif free:
        seats[free[0]] = player
    else:
        seats.append(player)
    return tuple(seats)


def offered_players(
    games: Iterable[GameHeader], known: Mapping[str, Profile]
) -> dict[str, Profile | None]:
    """Who is picked by a tap: who played most of these games first, then the others known.

    Who is hidden is not offered, nor is a guest.
    """
    shown = {one.name: one for one in known.values()}
    players = (name for game in games for name in game.players if not is_guest(name))
    played = Counter(known[name].name if name in known else name for name in players)
    often = [name for name, _ in played.most_common(MOST_KNOWN_PLAYERS)]
    names = dict.fromkeys((*often, *sorted(shown, key=str.casefold)))
    return {each: shown.get(each) for each in names if each not in shown or not shown[each].hidden}


def shown_names(names: tuple[str, ...], known: Mapping[str, Profile]) -> tuple[str, ...]:
    """The names by which these players are shown now; as they were if two became one person."""
    shown = tuple(known[name].name if name in known else name for name in names)
    return shown if len(set(shown)) == len(names) else names


def own_games(table: Table, most: int | None = REMEMBERED_GAMES) -> tuple[GameHeader, ...]:
    """The games that people here played among themselves, newest first: not the demo's."""
    return tuple(
        game
        for game in table.archive.headers(most)
        if game.game in GAMES and (is_own_game(game.game_id) or not table.facts.demo)
    )


def setup_views(showing: Showing) -> Blueprint:
    """`/setup` and `/rematch`."""
    views = Blueprint("setup", __name__)
    table = showing.table
    views.register_error_handler(StaleError, showing.stale)

    @views.get("/setup")
    def show() -> Response:
        form = SetupForm.of(request.args)
        if not form.names:
            form = replace(form, names=expected_names(table, pictures=form.pictures))
        return setup_page(table, form)

    @views.post("/setup")
    def change() -> AnyResponse:
        form = SetupForm.of(request.form)
        act = request.form.get("do", "begin")
        if act == "begin":
            return begin(table, form)
        played = own_games(table)
        if act == "last" and played:
            return setup_page(table, form.as_in(played[0], table.known()))
        return setup_page(table, form.changed(act))

    @views.post("/rematch")
    def rematch() -> AnyResponse:
        view, expected = table.session.view, showing.expected()
        if view.version != expected or view.scoresheet is None:
            notice = message("That tap came too late. Here is how the game stands now.")
            return showing.answer(Answer("stale", view.version, notice))
        sheet = view.scoresheet
        game_id = own_game_id(table.clock()) if is_own_game(view.game_id) else None
        opened = GameOpened(sheet.game, sheet.players, view.options, game_id)
        chosen, answer = table.coach and table.coach.choice(view), table.submit(opened)
        if table.coach and chosen and answer.verdict == "done":
            table.coach.choose(replace(chosen, game_id=table.session.view.game_id))
        return showing.answer(answer)

    return views


def expected_names(table: Table, *, pictures: bool) -> tuple[str, ...]:
    """Who mostly plays again: the players on the table, else of the last game, in seat order.

    The demo's own players are proposed for a game with its pictures alone; two empty seats where
    nobody is known.
    """
    view, shown = table.session.view, table.facts.demo and pictures
    if view.scoresheet is not None and shown == (
        table.facts.demo and not is_own_game(view.game_id)
    ):
        return view.scoresheet.players
    if shown:
        return OPENING.players
    played = own_games(table)
    return shown_names(played[0].players, table.known()) if played else BLANK_SEATS


def begin(table: Table, form: SetupForm) -> AnyResponse:
    """Open the game, or show the form again with what is wrong."""
    own = table.facts.demo and not form.pictures
    try:
        asked = form.table_request(own_game_id(table.clock()) if own else None)
    except NotationError as error:
        return setup_page(table, form, error.message, HTTPStatus.UNPROCESSABLE_ENTITY)
    if table.store is not None and own == table.facts.demo:
        try:
            table.store.profiles.note(asked.players, apart=True)
        except StoreError as error:  # the game says by itself that nothing can be stored
            LOG.warning("the players were not noted: %s", error)
    answer = table.submit(asked)
    if answer.verdict in {"done", "unchanged"}:
        if table.coach is not None:
            table.coach.choose(CoachChoice(table.session.view.game_id, form.coach))
        asks_who = table.coach is not None and form.coach == "players"
        page = "coach.show" if asks_who else "table.show"
        return redirect(url_for(page), HTTPStatus.SEE_OTHER)
    fault = answer.notice or message("The table can’t start this game now.")
    return setup_page(table, form, fault, HTTPStatus.UNPROCESSABLE_ENTITY)


def setup_page(
    table: Table, form: SetupForm, fault: Message | None = None, status: int = HTTPStatus.OK
) -> Response:
    """The set-up form with what was typed, a fault where it is."""
    view, played, known = table.session.view, own_games(table), table.known()
    last = form.as_in(played[0], known) if played else None
    if last is not None and last.as_begun == form.as_begun:
        last = None
    page = render_template(
        "setup.html",
        form=form,
        fault=fault,
        fault_at=form.faulty() if fault is not None else None,
        games=GAMES,
        offered=offered_players(played, known).items(),
        profiles=known,
        seated={name.strip() for name in form.placed[0]},
        last=last,
        colours=COLOURS,
        demo=table.facts.demo,
        longest_name=LONGEST_NAME,
        modes=MODES,
        coach_off=OFF_IN_EVENTS if view.event is not None else None,
        under_way=view.stage in {"starting", "rolling", "choosing", "playing"}
        and (is_own_game(view.game_id) or not table.facts.demo),
    )
    return make_response(page, status)
