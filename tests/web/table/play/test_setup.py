"""The page that sets up a game: its form, whom it knows, and what is wrong where."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from werkzeug.datastructures import MultiDict

from scoreboard.games import GAMES
from scoreboard.games.engine.transcript import GameHeader
from scoreboard.message import message
from scoreboard.table.requests import Answer, GameOpened
from tests.web.table_fake import FACTS, NO_GAME, NOON, FakeTable, view_of
from web.table.parts import is_own_game
from web.table.play.demo import OPENING
from web.table.play.setup import SetupForm, offered_players, picked

OWN = {"Origin": "http://localhost"}
REAL = replace(FACTS, demo=False)


THREE = SetupForm("yahtzee", ("A", "B", "C"))


def setup_client(*, playing: bool = False) -> tuple[FlaskClient, FakeTable]:
    """A browser and the table behind it."""
    fake = FakeTable(view_of() if playing else NO_GAME)
    return fake.app(facts=REAL).test_client(), fake


def typed_names(text: str) -> list[str]:
    """The names that stand in the form's fields."""
    return re.findall(r'name="name" value="([^"]*)"', text)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ("add", ("A", "B", "C", "")),
        ("up:1", ("B", "A", "C")),
        ("down:1", ("A", "C", "B")),
        ("remove:0", ("B", "C")),
        *((nonsense, THREE.names) for nonsense in ("up:0", "down:2", "remove:3", "remove:²")),
        *((nonsense, THREE.names) for nonsense in ("up:9", "dance", "game:poker")),
    ],
)
def test_the_buttons_of_the_form(change: str, names: tuple[str, ...]) -> None:
    """Seats are added, moved and removed; nonsense changes nothing."""
    form = THREE.changed(change)
    assert (form.game, form.names) == ("yahtzee", names)
    typed = MultiDict([("game", "poker"), ("option-start", "fight"), ("name", "A")])
    sensible = SetupForm.of(typed)  # an unknown game or way to start is the first that there is
    assert (sensible.game, sensible.names) == ("yahtzee", ("A",))
    assert sensible.agreed == {"start": "first"}


def test_a_game_is_chosen_with_its_house_rules() -> None:
    """The names stay, and the rules that may be agreed on are those of that game."""
    client, fake = setup_client()
    form = {"game": "yahtzee", "name": ["A", "B"], "option-start": "first", "do": "game:chaser"}
    text = client.post("/setup", data=form, headers=OWN).text
    assert typed_names(text) == ["A", "B"]
    assert 'name="option-strict_full_house" value="no" checked' in text
    assert 'name="option-start" value="first" checked' in text
    chosen = {"game": "chaser", "name": ["A"], "option-strict_full_house": "yes", "do": "begin"}
    client.post("/setup", data=chosen, headers=OWN)
    rules = {"start": "first", "strict_full_house": "yes"}
    assert fake.messages == [GameOpened("chaser", ("A",), rules)]


def test_a_rule_may_be_written_in() -> None:
    """A value of one's own goes before the choices, and stays in its field."""
    client, fake = setup_client()
    form = {"game": "rummikub", "name": ["A", "B"], "own-clock": " 45 ", "option-clock": "off"}
    text = client.post("/setup", data={**form, "do": "add"}, headers=OWN).text
    assert 'name="own-clock" value=" 45 "' in text
    client.post("/setup", data={**form, "do": "begin"}, headers=OWN)
    (opened,) = fake.messages
    assert isinstance(opened, GameOpened)
    assert opened.options["clock"] == "45"
    assert opened.options["rounds"] == "open"


def test_the_form_knows_who_played_last() -> None:
    """The same people mostly play again; a game under way is not lost."""
    for playing, names in ((True, ["North", "South"]), (False, ["", ""])):
        text = setup_client(playing=playing)[0].get("/setup").text
        assert typed_names(text) == names
        assert ("Your current game will be saved." in text) is playing


@pytest.mark.parametrize(
    ("names", "words", "asked"),
    [
        (["", " "], "at least one player", 0),
        (["North", "North"], "Two players are called “North”.", 0),
        (["a,b"], "no comma", 0),
        (["North"], "YZ-1: too many players.", 1),
        (["South"], "start this game now", 1),
    ],
)
def test_a_game_that_cannot_begin_is_reported_and_the_form_kept(
    names: list[str], words: str, asked: int
) -> None:
    """Names may not be allowed; a rulebook or a full disk may refuse, if need be without words."""
    client, fake = setup_client()
    notice = message("YZ-1: too many players.") if names == ["North"] else None
    fake.reply = lambda _message: Answer("refused", notice)
    answer = client.post("/setup", data={"name": names, "do": "begin"}, headers=OWN)
    assert answer.status_code == 422
    assert words in answer.text
    assert typed_names(answer.text) == names
    assert len(fake.messages) == asked


@pytest.mark.parametrize(
    ("typed", "game", "shown", "kept"),
    [
        ("A B C D E F", "tongtong", "A B C D E", "F"),
        ("A - B C D E F", "tongtong", "A B C D E", "F"),
        ("A - B - - -", "tongtong", "A B - - -", ""),
        ("A B C D E F", "rummikub", "A B C D E F", ""),
    ],
)
def test_only_as_many_names_are_shown_as_the_game_has_seats(
    typed: str, game: str, shown: str, kept: str
) -> None:
    """The others are kept for a game of more, and are not asked to play this one."""
    client, fake = setup_client()
    names = typed.replace("-", "").split(" ")
    form = {"game": "rummikub", "name": names, "do": f"game:{game}"}
    text = client.post("/setup", data=form, headers=OWN).text
    assert len(re.findall(r'id="name-\d', text)) == len(shown.split())
    assert typed_names(text) == [*shown.replace("-", "").split(" "), *kept.split()]
    assert ("Kept for a game of more players: F" in text) == bool(kept)
    again = {"game": game, "name": typed_names(text), "do": "game:rummikub"}
    assert set(names) <= {*typed_names(client.post("/setup", data=again, headers=OWN).text), ""}
    client.post("/setup", data=again | {"do": "begin"}, headers=OWN)
    (opened,) = fake.messages
    assert isinstance(opened, GameOpened)
    assert opened.players == tuple(shown.replace("-", "").split())


def test_a_good_form_opens_a_game() -> None:
    """Empty seats are left out, the order is that of the seats."""
    client, fake = setup_client()
    form = {"name": [" South ", "", "North"], "option-start": "first", "do": "begin"}
    form["pictures"] = "no"  # which means nothing without the demo
    answer = client.post("/setup", data=form, headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert fake.messages == [GameOpened("yahtzee", ("South", "North"), {"start": "first"})]


@pytest.mark.parametrize(
    ("fields", "legend", "words"),
    [
        ({"name": ["A", "A"]}, "Players, as they sit", "Two players are called"),
        ({"name": ["A", "B"], "own-clock": "soon"}, "A turn lasts", "RK-7"),
        ({"name": ["A"]}, "Players, as they sit", "players"),
    ],
)
def test_a_fault_stands_at_its_field(fields: dict[str, object], legend: str, words: str) -> None:
    """Names at the names, a house rule’s value at that rule, and nowhere else."""
    client, fake = setup_client()
    fake.reply = lambda _message: Answer("refused", message("RK-7: for 2 to 6 players."))
    form = MultiDict([("game", "rummikub"), ("do", "begin")])
    for name, values in fields.items():
        for value in values if isinstance(values, list) else [values]:
            form.add(name, str(value))
    answer = client.post("/setup", data=form, headers=OWN)
    assert answer.status_code == 422
    parts = [part for part in answer.text.split("<fieldset") if 'role="alert"' in part]
    assert len(parts) == 1
    assert legend in parts[0].partition("</legend>")[0]
    assert words in parts[0]


def test_a_new_game_begins_with_the_first_in_the_list() -> None:
    """Unless a table says else; what the rulebook takes where nothing is written stays."""
    for name in GAMES:
        for option in GAMES[name].options:
            agreed = SetupForm(name, ("A",)).agreed[option.name]
            assert agreed == ("first" if option.name == "start" else option.default)
            assert option.name != "start" or option.default == "roll-off"


def test_a_card_says_what_one_must_know_of_a_game() -> None:
    """For how many, how long, and what must be there; each game has a picture of its own."""
    text = setup_client()[0].get("/setup").text
    for name, game in GAMES.items():
        card = text.partition(f'id="game-{name}"')[2].partition("</button>")[0]
        for words in (
            f"{game.seats[0]}–{game.seats[-1]} players",
            f"about {game.minutes} min",
            str(game.needs),
        ):
            assert words in card
        assert text.count(card.partition("<svg")[2].partition("</svg>")[0]) == 1


def test_every_house_rule_says_its_rule_in_a_sentence() -> None:
    """Behind a “?”: identifiers stand nowhere else on the page."""
    client, _ = setup_client()
    for name in GAMES:
        text = client.get(f"/setup?game={name}").text
        for option in GAMES[name].options:
            popover = text.partition(f'id="rule-{option.name}"')[2].partition("</div>")[0]
            assert str(escape(GAMES[name].rule_texts[option.rule])) in popover
            assert option.rule in popover
        seen = re.sub(r'<div id="rule-.*?</div>', "", text, flags=re.DOTALL)
        assert not re.search(r"\b(YZ|YB|YM|CH|RK|TT)-\d", seen)


def test_the_folded_house_rules_name_what_is_not_by_the_book() -> None:
    """In words, a value of one's own too; who starts is asked of every table instead."""
    client, _ = setup_client()
    assert "House rules: as the book has them" in client.get("/setup?game=rummikub").text
    text = client.get("/setup?game=rummikub&own-clock=45&option-joker=50").text
    summary = text.partition('<summary id="house-rules-summary"')[2].partition("</summary>")[0]
    assert re.findall(r"<strong>(.*?)</strong>", summary) == [
        "A turn lasts: 45",
        "A joker left on a rack costs: 50 points",
    ]
    by_the_book = client.get("/setup?game=yahtzee&option-start=roll-off").text
    assert "House rules" not in by_the_book


def game_of(*players: str, game: str = "yahtzee", game_id: str = "g", **options: str) -> GameHeader:
    """A stored game."""
    return GameHeader(game_id, game, players, NOON, options)


def test_known_players_are_offered_the_most_frequent_first() -> None:
    """Of those who played as often, whoever played last."""
    games = [game_of("Cem", "Ann"), game_of("Ann", "Ben"), game_of("Ben", "Ann", "Dee")]
    assert tuple(offered_players(games, {})) == ("Ann", "Ben", "Cem", "Dee")


@pytest.mark.parametrize(
    ("names", "player", "seats"),
    [
        (("", ""), "Ann", ("Ann", "")),
        (("Ben", " "), "Ann", ("Ben", "Ann")),
        (("Ben", "Cem"), "Ann", ("Ben", "Cem", "Ann")),
        (("Ann", "Ben", "Cem"), "Ann", ("Ben", "Cem")),
        ((" Ann ", "Ben"), "Ann", ("Ben", "")),
    ],
)
def test_a_tap_on_a_known_player(
    names: tuple[str, ...], player: str, seats: tuple[str, ...]
) -> None:
    """Who is not there takes the first free seat; who is there leaves."""
    assert picked(names, player) == seats


def test_a_name_that_reads_like_a_command_is_picked_as_it_is() -> None:
    """Whatever people are called."""
    client, fake = setup_client()
    fake.headers = (game_of("up:1", '"><b>Zoe'),)
    text = client.get("/setup").text
    assert 'value="pick:up:1"' in text
    assert "<b>Zoe" not in text
    form = {"name": ["", ""], "do": "pick:up:1"}
    assert typed_names(client.post("/setup", data=form, headers=OWN).text) == ["up:1", ""]


def test_the_last_game_is_offered_as_it_was() -> None:
    """Its players in their seats and all its rules, one's own values too; in one tap."""
    client, fake = setup_client()
    rules = {"clock": "45", "joker": "50", "turns": "judged"}
    fake.headers = (game_of("Ben", "Ann", game="rummikub", **rules), game_of("Cem"))
    text = client.get("/setup").text
    assert typed_names(text) == ["Ben", "Ann"]
    assert "Same as last time" in text
    text = client.post("/setup", data={"name": ["Dee"], "do": "last"}, headers=OWN).text
    assert typed_names(text) == ["Ben", "Ann"]
    assert "Same as last time" not in text  # it is
    sent = dict(re.findall(r'name="(option-[\w-]+)" value="([^"]*)" checked', text))
    sent |= dict(re.findall(r'name="(own-[\w-]+)" value="([^"]+)"', text))
    form = {"game": "rummikub", "name": ["Ben", "Ann"], **sent}
    client.post("/setup", data=form, headers=OWN)
    defaults = {option.name: option.default for option in GAMES["rummikub"].options}
    assert fake.messages == [GameOpened("rummikub", ("Ben", "Ann"), defaults | rules)]


def test_the_family_s_own_games_are_one_tap_away() -> None:
    """By name, with their rules; each once, and the bare sheet has no name again."""
    client, fake = setup_client()
    skat = {"name": "Skat", "winner": "highest", "rounds": "36", "word": "deal"}
    hearts = {"name": "Hearts", "winner": "lowest", "rounds": "open", "word": "hand"}
    played: tuple[dict[str, str], ...] = ({}, skat, hearts, hearts)
    fake.headers = tuple(game_of("Ann", game="free-sheet", **options) for options in played)
    offered = re.findall(r'value="(game:free-sheet[^"]+)"', client.get("/setup").text)
    assert len(offered) == 2
    form = THREE.changed(unescape(offered[1]))
    assert (form.game, form.agreed, form.names) == ("free-sheet", hearts, THREE.names)
    assert form.changed("game:free-sheet").agreed == {**hearts, "name": ""}


def test_a_stored_game_of_an_unknown_rulebook_is_offered_to_nobody() -> None:
    """Of a later version, say: its players cannot be asked for the same again."""
    client, fake = setup_client()
    fake.headers = (game_of("Ann", game="poker"),)
    text = client.get("/setup").text
    assert "Same as last time" not in text
    assert "pick:Ann" not in text


def demo_client(game_id: str) -> tuple[FlaskClient, FakeTable]:
    """A browser at the demo, with that game of North's and South's on the table."""
    fake = FakeTable(replace(view_of(), game_id=game_id, options={"start": "first"}))
    fake.headers = (game_of("Ann", "Ben", game_id="own-1"), game_of(*OPENING.players))
    return fake.app().test_client(), fake


def test_the_demo_proposes_its_players_for_its_own_games_alone() -> None:
    """In a game of one's own are those who played one before, and never North or South."""
    client, fake = demo_client("g2")
    assert typed_names(client.get("/setup").text) == list(OPENING.players)
    own = client.get("/setup?pictures=no").text
    assert typed_names(own) == ["Ann", "Ben"]
    assert "North" not in own
    fake.headers = ()
    assert typed_names(client.get("/setup?pictures=no").text) == ["", ""]


def test_a_game_of_ones_own_in_the_demo_is_marked_as_one() -> None:
    """By its id, so that a restart knows it too, and so is its rematch; the demo's is not."""
    client, fake = demo_client("g2")
    form = {"name": ["Ann"], "pictures": "no"}
    assert 'name="pictures" value="no"' in client.get("/setup?pictures=no").text
    client.post("/setup", data={**form, "do": "begin"}, headers=OWN)
    client.post("/setup", data={"name": ["Ann"], "do": "begin"}, headers=OWN)
    client.post("/rematch", data={"seen": fake.seen}, headers=OWN)
    fake.shown = replace(fake.shown, game_id="own-1")
    client.post("/rematch", data={"seen": fake.seen}, headers=OWN)
    ids = [sent.game_id for sent in fake.messages if isinstance(sent, GameOpened)]
    assert [is_own_game(each) for each in ids] == [True, False, False, True]
    assert len(set(ids)) == len(ids) - 1  # the table names the others


def test_a_rematch_keeps_the_house_rules_and_is_opened_once() -> None:
    """Who starts is one of them; the second of two devices comes too late."""
    rules = {"start": "first", "strict_full_house": "yes"}
    fake = FakeTable(replace(view_of(), options=rules))
    client = fake.app().test_client()
    client.post("/rematch", data={"seen": fake.seen}, headers=OWN)
    assert fake.messages == [GameOpened("yahtzee", ("North", "South"), rules)]
    answer = client.post("/rematch", data={"seen": f"{fake.live.run}.4"}, headers=OWN)
    assert answer.status_code == 409
    assert "That tap came too late." in answer.text
    assert len(fake.messages) == 1
