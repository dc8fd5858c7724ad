"""Setting up a game keeps what was typed and says what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scoreboard.message import message
from scoreboard.table.requests import Answer, GameOpened
from tests.web.table_fake import NO_GAME, FakeTable, view_of
from web.table.app import create_app
from web.table.views.setup import SetupForm

OWN = {"Origin": "http://localhost"}
THREE = SetupForm("yahtzee", ("A", "B", "C"))


def client_and_fake(*, playing: bool = False) -> tuple[FlaskClient, FakeTable]:
    """A browser and the table behind it."""
    fake = FakeTable(view_of() if playing else NO_GAME)
    return create_app(fake.table()).test_client(), fake


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
        ("up:0", ("A", "B", "C")),
        ("down:2", ("A", "B", "C")),
        ("remove:3", ("A", "B", "C")),
        ("remove:²", ("A", "B", "C")),
        ("up:9", ("A", "B", "C")),
        ("dance", ("A", "B", "C")),
    ],
)
def test_the_buttons_of_the_form(change: str, names: tuple[str, ...]) -> None:
    """Seats are added, moved and removed; nonsense changes nothing."""
    assert THREE.changed(change).names == names


def test_a_form_that_nobody_could_have_sent_becomes_a_sensible_one() -> None:
    """An unknown game or way to start is the first that there is."""
    form = SetupForm.of(MultiDict([("game", "poker"), ("option-start", "fight"), ("name", "A")]))
    assert (form.game, form.names) == ("yahtzee", ("A",))
    assert form.agreed == {"start": "roll-off"}


def test_a_game_is_chosen_with_its_house_rules() -> None:
    """The names stay, and the rules that may be agreed on are those of that game."""
    client, fake = client_and_fake()
    form = {"game": "yahtzee", "name": ["A", "B"], "option-start": "first", "do": "game:chaser"}
    text = client.post("/setup", data=form, headers=OWN).text
    assert typed_names(text) == ["A", "B"]
    assert re.search(r'name="option-strict_full_house" value="no" checked', text)
    assert re.search(r'name="option-start" value="first" checked', text)
    chosen = {"game": "chaser", "name": ["A"], "option-strict_full_house": "yes", "do": "begin"}
    client.post("/setup", data=chosen, headers=OWN)
    rules = {"start": "roll-off", "strict_full_house": "yes"}
    assert fake.messages == [GameOpened("chaser", ("A",), rules)]


def test_a_rule_may_be_written_in() -> None:
    """A value of one's own goes before the choices, and stays in its field."""
    client, fake = client_and_fake()
    form = {"game": "rummikub", "name": ["A", "B"], "own-clock": " 45 ", "option-clock": "off"}
    text = client.post("/setup", data={**form, "do": "add"}, headers=OWN).text
    assert 'name="own-clock" value=" 45 "' in text
    client.post("/setup", data={**form, "do": "begin"}, headers=OWN)
    (opened,) = fake.messages
    assert isinstance(opened, GameOpened)
    assert opened.options["clock"] == "45"
    assert opened.options["rounds"] == "open"


def test_an_unknown_game_changes_nothing() -> None:
    """A form that nobody could have sent stays at the game it was."""
    assert THREE.changed("game:poker") == THREE
    assert THREE.changed("game:yams").game == "yams"


def test_the_form_begins_with_two_empty_seats() -> None:
    """Nobody is known yet."""
    client, _ = client_and_fake()
    text = client.get("/setup").text
    assert typed_names(text) == ["", ""]
    assert "A game is under way" not in text


def test_the_form_knows_who_played_last() -> None:
    """The same people mostly play again; a game under way is not lost."""
    client, _ = client_and_fake(playing=True)
    text = client.get("/setup").text
    assert typed_names(text) == ["North", "South"]
    assert "A game is under way" in text


def test_changing_the_form_keeps_what_was_typed() -> None:
    """Names that are not allowed stay too, until the game shall start."""
    client, fake = client_and_fake()
    form = {"name": ["a,b", ""], "option-start": "first", "do": "add"}
    text = client.post("/setup", data=form, headers=OWN).text
    assert typed_names(text) == ["a,b", "", ""]
    assert re.search(r'value="first" checked', text)
    assert fake.messages == []


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["", " "], "at least one player"),
        (["North", "North"], "Two players are called “North”."),
        (["a,b"], "no comma"),
        (["x" * 31], "1 to 30 characters"),
    ],
)
def test_names_that_are_not_allowed_are_told_and_kept(names: list[str], words: str) -> None:
    """The form comes back as it was."""
    client, fake = client_and_fake()
    answer = client.post("/setup", data={"name": names, "do": "begin"}, headers=OWN)
    assert answer.status_code == 422
    assert words in answer.text
    assert typed_names(answer.text) == names
    assert fake.messages == []


def test_a_good_form_opens_a_game() -> None:
    """Empty seats are left out, the order is that of the seats."""
    client, fake = client_and_fake()
    form = {
        "game": "yahtzee",
        "name": [" South ", "", "North"],
        "option-start": "first",
        "do": "begin",
    }
    answer = client.post("/setup", data=form, headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert fake.messages == [GameOpened("yahtzee", ("South", "North"), {"start": "first"})]


@pytest.mark.parametrize("notice", ["YZ-1: too many players.", None])
def test_a_game_that_the_table_refuses_is_told(notice: str | None) -> None:
    """The rulebook or a full disk may refuse; the form stays."""
    client, fake = client_and_fake()
    told = message("{notice}", notice=notice) if notice else None
    fake.reply = lambda _message: Answer("refused", 1, told)
    answer = client.post("/setup", data={"name": ["North"], "do": "begin"}, headers=OWN)
    assert answer.status_code == 422
    assert (notice or "does not take this game") in answer.text
    assert typed_names(answer.text) == ["North"]


@pytest.mark.parametrize(
    ("fields", "legend", "words"),
    [
        ({"name": ["A", "A"]}, "Who plays", "Two players are called"),
        ({"name": ["A", "B"], "own-clock": "soon"}, "A turn lasts", "RK-7"),
        ({"name": ["A"]}, "Who plays", "players"),
    ],
)
def test_a_fault_stands_at_its_field(fields: dict[str, object], legend: str, words: str) -> None:
    """Names at the names, a house rule’s value at that rule, and nowhere else."""
    client, fake = client_and_fake()
    fake.reply = lambda _message: Answer("refused", 1, message("RK-7: for 2 to 6 players."))
    form = MultiDict([("game", "rummikub"), ("do", "begin")])
    for name, values in fields.items():
        for value in values if isinstance(values, list) else [values]:
            form.add(name, str(value))
    answer = client.post("/setup", data=form, headers=OWN)
    assert answer.status_code == 422
    told = [part for part in answer.text.split("<fieldset>") if 'role="alert"' in part]
    assert len(told) == 1
    assert legend in told[0].partition("</legend>")[0]
    assert words in told[0]


def test_a_rematch_seats_the_same_players() -> None:
    """And asks for the start as before."""
    client, fake = client_and_fake(playing=True)
    answer = client.post("/rematch", data={"seen": fake.seen}, headers=OWN)
    assert answer.status_code == 303
    assert fake.messages == [GameOpened("yahtzee", ("North", "South"))]


def test_a_rematch_keeps_the_house_rules() -> None:
    """Who starts is one of them."""
    rules = {"start": "first", "strict_full_house": "yes"}
    fake = FakeTable(replace(view_of(), options=rules))
    client = create_app(fake.table()).test_client()
    client.post("/rematch", data={"seen": fake.seen}, headers=OWN)
    assert fake.messages == [GameOpened("yahtzee", ("North", "South"), rules)]


def test_a_rematch_after_the_table_moved_on_does_nothing() -> None:
    """The second of two devices does not open a second game."""
    client, fake = client_and_fake(playing=True)
    answer = client.post("/rematch", data={"seen": f"{fake.live.run}.4"}, headers=OWN)
    assert answer.status_code == 409
    assert "The table has moved on." in answer.text
    assert fake.messages == []


def test_a_rematch_from_before_a_restart_is_stale() -> None:
    """As every act."""
    client, _ = client_and_fake(playing=True)
    assert client.post("/rematch", data={"seen": "other.5"}, headers=OWN).status_code == 409
