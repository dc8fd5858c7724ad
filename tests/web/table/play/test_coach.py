"""The coach at the table: what it says in which mode, in events, without a table, at the end."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES
from scoreboard.games.advice.dice_advice import cost_in_words, options
from scoreboard.games.advice.luck import luck_of
from scoreboard.games.advice.table_build import TableBuild
from scoreboard.games.dice.state import Card
from scoreboard.games.engine.game import Setup, replay
from scoreboard.table.tournament_view import TournamentView
from scoreboard.table.view import TableView
from tests.patience import PATIENCE_SECONDS
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import Table, reading
from tests.web.table_fake import FACTS, FakeTable, proposal_of
from web.table.play.coach import Coach, CoachChoice, Mode

OWN = {"Origin": "http://localhost"}
EVENT = TournamentView("Open", 5, "http://10.0.0.7:8080")
HALF_DONE = 0.4
ROLLS = st.text("123456", min_size=5, max_size=5)
GAME = (  # roll, box
    *(("11123", "aces"), ("22234", "twos"), ("33345", "threes"), ("44456", "fours")),
    *(("55512", "fives"), ("66612", "sixes"), ("44451", "three-of-a-kind")),
    *(("22226", "four-of-a-kind"), ("33355", "full-house"), ("12346", "small-straight")),
    *(("23456", "large-straight"), ("13566", "yahtzee"), ("66666", "chance")),
)


class HalfBuild(TableBuild):
    """A table of which two fifths are made."""

    def __init__(self, *_: object) -> None:
        self.closed = False

    @property
    def progress(self) -> float:
        return HALF_DONE

    @property
    def is_running(self) -> bool:
        return not self.closed

    def close(self) -> None:
        self.closed = True


class CoachedTable:
    """A table whose session, store and coach are real."""

    def __init__(self, folder: Path, game: str = "yahtzee", **agreed: str) -> None:
        self.folder = folder
        store = MemoryStore()
        self.coach = Coach(store, folder, folder / "coach.json", HalfBuild)
        self.table = Table(store, ranks=self.coach.ranks)
        self.table.begin(game, "North", "South", start="first", **agreed)
        self.store = store

    @property
    def view(self) -> TableView:
        return self.table.view

    @property
    def events(self) -> list[Any]:
        return [each.event for each in self.store.events(self.view.game_id or "")]

    def choose(self, mode: Mode, *players: str) -> None:
        self.coach.choose(CoachChoice(self.view.game_id, mode, players))

    def roll(self, faces: str, box: str | None = None) -> None:
        """A turn of one roll, its box filled where one is named."""
        self.table.enter(faces)
        self.table.keep()
        if box is not None:
            self.table.choose(f"score:{box}")
            if self.view.asking:
                self.table.choose(f"score:{box}")

    def client(self, view: TableView | None = None) -> FlaskClient:
        fake = FakeTable(view or self.view)
        facts = replace(FACTS, demo=False)
        app = fake.app(coach=self.coach, facts=facts, tournament=object())
        return app.test_client()

    def says(self, view: TableView | None = None) -> str:
        """The words of the coach on the page; empty where it says nothing."""
        page = self.client(view).get("/")
        assert page.status_code == HTTPStatus.OK
        text = page.text
        found = re.search(r'<section id="coach".*?</section>', text, re.DOTALL)
        return "" if found is None else " ".join(re.sub("<[^>]+>", " ", found[0]).split())


@pytest.fixture
def coached(tmp_path: Path) -> CoachedTable:
    """Two players of Yahtzee."""
    return CoachedTable(tmp_path)


def test_practice_names_the_best_with_their_costs(coached: CoachedTable) -> None:
    """Of a reading before it is confirmed, as of a roll that is; of four dice none.

    It is off until it is chosen; a menu leads there.
    """
    assert 'href="/coach"' in coached.client().get("/").text
    coached.choose("practice")
    assert coached.says(replace(coached.view, proposal=proposal_of("4442"))) == ""
    assert coached.says() == ""  # nothing was rolled yet
    coached.choose("off")
    coached.table.show(reading("44421"))
    assert coached.says() == ""
    coached.choose("practice")
    values = coached.coach.values("yahtzee", coached.view.options)
    assert values is not None
    card = Card.empty(values.model.form)
    for left in (2, 0):
        best = options(values, card, Roll.parse("44421"), left).shown
        said = coached.says()
        assert said.startswith(f"Best for North {best[0].words} best")
        for each in best[1:]:
            assert f"{each.words} costs {cost_in_words(each.cost)}" in said
        coached.table.keep()


def test_some_practise_while_others_play_alone(coached: CoachedTable) -> None:
    """A child gets hints in its own turns."""
    coached.choose("players", "South")
    coached.roll("44421")
    assert coached.says() == ""
    coached.table.choose("score:fours")
    coached.roll("44421")
    assert coached.says().startswith("Best for South")


def test_after_the_turn_it_says_what_a_decision_cost(coached: CoachedTable) -> None:
    """Once the box is filled, and not before; a flawless turn is praised."""
    coached.choose("after")
    coached.roll("23456")
    assert coached.says() == ""
    coached.table.choose("score:large-straight")
    assert coached.says() == "North’s last turn Nothing could have been done better."
    coached.roll("55555", "aces")
    assert re.search(
        r"South’s last turn .*Best: score 50 in Yahtzee \(you scored 0 in Aces\). "
        r"Cost about \d+ points. costly",
        coached.says(),
    )
    coached.table.undo()
    assert coached.says().startswith("North’s last turn")


@pytest.mark.parametrize("mode", ["after", "practice", "players"])
def test_it_is_off_in_an_event(coached: CoachedTable, mode: Mode) -> None:
    """Whatever was chosen; and its page says so."""
    coached.roll("55555", "aces")
    coached.choose(mode, "North", "South")
    coached.roll("44421")
    assert coached.says() != ""
    view = replace(coached.view, event=EVENT)
    assert coached.says(view) == ""
    page = coached.client(view).get("/coach").text
    assert "While the table takes part in an event, the coach is off." in page
    assert 'name="coach"' not in page
    assert 'name="coach"' not in coached.client(view).get("/setup").text


def test_a_table_is_made_at_its_first_use(tmp_path: Path) -> None:
    """Yams' is too large to come along; how far it is stands on the page."""
    coached = CoachedTable(tmp_path, "yams")
    coached.roll("44421")
    assert coached.says() == ""
    coached.choose("practice")
    assert coached.says() == "Coach The coach learns Yams: 40 %"
    coached.coach.close()
    assert coached.says() == "Coach The advice for Yams is still being worked out."


def test_the_choice_is_for_one_game_and_outlives_a_restart(coached: CoachedTable) -> None:
    """The next game begins without it, and a damaged file is as none."""
    coached.choose("players", "South")
    file = coached.folder / "coach.json"
    again = Coach(coached.store, coached.folder, file)
    assert again.choice(coached.view) == CoachChoice(coached.view.game_id, "players", ("South",))
    assert again.choice(replace(coached.view, game_id="another")).mode == "off"
    file.write_text("{", encoding="utf-8")
    assert Coach(coached.store, coached.folder, file).choice(coached.view).mode == "off"


def test_it_is_chosen_at_the_table(coached: CoachedTable) -> None:
    """Players who practise count in their mode alone; nonsense is off."""
    client = coached.client()
    asked: Mapping[str, object]
    for asked, expected in (
        ({"coach": "players", "player": ["South"]}, ("players", ("South",))),
        ({"coach": "after", "player": ["South"]}, ("after", ())),
        ({"coach": "cheat"}, ("off", ())),
    ):
        answer = client.post("/coach", data=asked, headers=OWN)
        assert answer.location == "/"
        choice = coached.coach.choice(coached.view)
        assert (choice.mode, choice.players) == expected


@pytest.mark.parametrize(("mode", "page"), [("after", "/"), ("players", "/coach")])
def test_it_is_chosen_at_the_set_up(coached: CoachedTable, mode: Mode, page: str) -> None:
    """Who practises is asked for afterwards, when the players are known; a rematch keeps it."""
    client = coached.client()
    form = {"game": "yahtzee", "name": ["North", "South"], "coach": mode, "do": "begin"}
    assert client.post("/setup", data=form, headers=OWN).location == page
    assert coached.coach.choice(coached.view).mode == mode


def test_a_finished_game_says_what_was_luck(coached: CoachedTable) -> None:
    """Of each player, with the costliest decisions; neither with the coach off nor in an event."""
    coached.choose("after")
    for faces, box in GAME:
        coached.roll(faces, box)
        coached.roll("23456", box)
    view = coached.view
    assert view.stage == "finished"
    values = coached.coach.values("yahtzee", view.options)
    assert values is not None
    setup = Setup(("North", "South"), view.options)
    said = coached.says(view)
    for player in luck_of(values, DICE_GAMES["yahtzee"], setup, coached.events):
        worst = max(player.decisions, key=lambda each: each.chosen.cost)
        assert f"{player.player}: luck {player.luck:+.0f}, decisions -{player.cost:.0f}" in said
        assert f"Cost {cost_in_words(worst.chosen.cost)}." in said
    assert coached.says(replace(view, event=EVENT)) == ""
    coached.choose("off")
    assert coached.says(view) == ""


@pytest.mark.parametrize("game", DICE_GAMES)
@settings(max_examples=10)
@given(data=st.data())
def test_the_first_box_of_the_buttons_takes_most_points(
    tmp_path_factory: pytest.TempPathFactory, game: str, data: st.DataObject
) -> None:
    """Never a 0 where a box takes points; of equal ones the one worth most, where it is known.

    A number for Plus or Minus counts no more than it adds to Delta (YM-4).
    """
    coached = CoachedTable(tmp_path_factory.mktemp("coach"), game)
    values = coached.coach.values(game, coached.view.options)
    while coached.view.stage != "finished":
        coached.roll(data.draw(ROLLS))
        offers = [each for each in coached.view.offers if each.key.startswith("score:")]
        points = {each.key: each.points or 0 for each in offers}
        pointed, most = coached.view.pointer or "", max(points.values())
        assert bool(points[pointed]) == bool(most)
        if game != "yams":
            assert points[pointed] == most
        if values is not None:
            setup, stored = Setup(("North", "South"), coached.view.options), coached.events
            state = replay(DICE_GAMES[game], setup, stored)
            worths = values.turn(state.cards[state.seat]).of_boxes(state.rolls.roll)
            equal = [worths[key[6:]] for key, each in points.items() if each == points[pointed]]
            assert worths[pointed[6:]] == max(equal)
        coached.table.keep()
        if coached.view.asking:
            coached.table.keep()


def test_who_practises_is_pointed_at_the_box_of_most_worth(coached: CoachedTable) -> None:
    """Three of a kind takes 12 points, but is worth more later; others are shown their points."""
    coached.choose("players", "North")
    coached.coach.announce(coached.view)
    for thread in threading.enumerate():
        if thread.name == "coach":
            thread.join(PATIENCE_SECONDS)
    coached.roll("11136")
    assert coached.view.pointer == "score:aces"
    assert "Aces: 3 – keeps better boxes open" in coached.client().get("/").text
    coached.table.keep()
    coached.roll("11136")
    assert coached.view.pointer == "score:three-of-a-kind"
