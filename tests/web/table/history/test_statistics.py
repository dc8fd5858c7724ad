"""The pages of statistics over a real store, and the records that a table tells."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pytest
from flask.testing import FlaskClient

from scoreboard.dice import Roll
from scoreboard.games import GAMES
from scoreboard.games.advice.dice_values import model_of
from scoreboard.games.dice.acts import DiceRolled
from scoreboard.games.dice.yahtzee import GAME
from scoreboard.games.engine.transcript import GameHeader, GameStatus
from scoreboard.games.finished import finished_games
from scoreboard.games.notation import replay_text
from scoreboard.storage import SqlStore
from scoreboard.storage.finished_games import GameKind, people
from scoreboard.storage.score_photos import ScorePhoto
from tests.patience import until
from tests.playthroughs import test_playthroughs as golden
from tests.web.cli.calling import call
from tests.web.table_fake import FakeTable, view_of
from web.table.history.archive import Archive, Upkeep
from web.table.history.statistics import Statistics, luck_in

EVENING = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
FOLDER = Path(golden.__file__).parent
YAHTZEE = GameKind("yahtzee")


def play(
    store: SqlStore, name: str, day: int = 0, lines: int | None = None, rules: str = ""
) -> None:
    """Store a golden game as `name-day`, played on that day after the evening, or its beginning.

    It has these house rules, too, which change no points.
    """
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    played = replay_text("\n".join(text.splitlines()[:lines]), f"{name}-{day}")
    at = EVENING + timedelta(days=day)
    store.open_game(GameHeader(f"{name}-{day}", played.game.name, played.header.players, at,
                               {**played.header.options, **dict(parse_qsl(rules))}))  # fmt: skip
    records = tuple(replace(one, recorded_at=at) for one in played.records)
    status = GameStatus.of(played.game, played.state, abandoned=False)
    store.append(f"{name}-{day}", 0, records, status)


def photograph(store: SqlStore, game_id: str, typed: int = 0) -> None:
    """A photo behind each step of a game; the first `typed` rolls were typed instead of read."""
    for step in sorted({each.step for each in store.events(game_id)}):
        seen: dict[str, object] = {"entered": "1 2 3 4 5" if typed > 0 else "", "pieces": []}
        store.photos.add(ScorePhoto(game_id, step, EVENING, b"\xff\xd8", seen))
        typed -= 1


def counted(store: SqlStore, dice: str = "") -> Statistics:
    """The statistics of what is stored, up to date."""
    statistics = Statistics(store, lambda: EVENING, dice)
    statistics.bring_up_to_date()
    return statistics


def pages(statistics: Statistics, store: SqlStore) -> FlaskClient:
    """A browser at the table."""
    app = FakeTable(view_of()).app(statistics=statistics, archive=Archive(store), store=store)
    return app.test_client()


def test_the_overview_has_each_player_s_figures(store: SqlStore) -> None:
    """Two evenings of North and South: games, wins, average, best, Yahtzees, and a sentence.

    Before the first game the pages say so.
    """
    empty = pages(counted(store), store)
    assert "No game is finished yet." in empty.get("/statistics").text
    assert "The camera has seen no finished game yet." in empty.get("/statistics/dice").text
    assert "No game is finished yet." in empty.get("/statistics/player?name=Ann").text
    for day in (0, 400):
        play(store, "duel", day)
    text = pages(counted(store), store).get("/statistics").text
    north = cells(text, "North")
    assert north[:5] == ["2", "2", "383", "383", "4"]
    assert cells(text, "South")[:4] == ["2", "0", "259", "259"]
    assert "North leads: 2 of 2 won." in text
    assert "2026" in text
    assert "2027" in text
    of_year = pages(counted(store), store).get("/statistics?season=2027").text
    assert cells(of_year, "North")[0] == "1"


def cells(text: str, name: str) -> list[str]:
    """The figures in the row of that name, as they are read."""
    row = next(each for each in text.split("<tr") if f">{name}<" in each and "<td" in each)
    found = []
    for cell in row.split("<td")[1:]:
        words = cell.partition(">")[2].partition("</td>")[0]
        while "<" in words:
            words = words[: words.index("<")] + words[words.index(">") + 1 :]
        found.append(" ".join(words.split()))
    return found


def test_luck_and_costs_add_up(store: SqlStore) -> None:
    """The average of best play, with luck and without costs, is the total."""
    play(store, "duel")
    statistics, game = counted(store), (store.header("duel-0"), store.events("duel-0"))
    average = luck_in(GAME, *game, None)[0].average
    for each in statistics.finished.players(YAHTZEE):
        assert each.luck is not None
        assert each.costs is not None
        assert average + each.luck - each.costs == pytest.approx(each.average, abs=0.02)


def test_games_under_other_house_rules_are_apart(store: SqlStore) -> None:
    """One page each, with the rule in words; an unknown one is no page."""
    play(store, "bga-full-house-25")
    play(store, "bga-duel")
    client = pages(counted(store), store)
    assert ">Solo<" in client.get("/statistics?game=yahtzee-bga&rules=full_house%3D25").text
    assert "full house 25" in client.get("/statistics").text
    assert ">Ann<" in client.get("/statistics?game=yahtzee-bga").text
    assert client.get("/statistics?game=yahtzee-bga&rules=odd").status_code == 404


@pytest.mark.parametrize(
    "name", ["rummikub-xp-six", "tongtong-four-teams", "free-sheet-three", "yams-duel"]
)
def test_each_game_has_its_pages(store: SqlStore, name: str) -> None:
    """Games without dice, too: figures, the best games and the race."""
    play(store, name)
    client = pages(counted(store), store)
    player = next(iter(store.headers()[0].players))
    for path in ("/statistics", f"/statistics/player?name={player}", f"/games/{name}-0/race"):
        answer = client.get(path)
        assert (answer.status_code, player in answer.text) == (200, True), path


def test_games_of_ones_own_have_statistics_by_their_names(store: SqlStore) -> None:
    """FS-4: what a round is called and who began parts no games, the name does."""
    for at, rules in enumerate(("name=Hearts", "name=Hearts&word=hand", "name=Skat")):
        play(store, "free-sheet-three", at, rules=rules)
    text = pages(counted(store), store).get("/statistics").text
    assert {str(each.best_in) for each in people(store.finished).values()} == {"Hearts"}
    assert re.findall(r">([^<]+) · the lowest[^<]+<span class=.many.>(\d)", text) == [
        ("Hearts", "2"),
        ("Skat", "1"),
    ]


def test_a_player_has_seasons_streaks_and_opponents(store: SqlStore) -> None:
    """The streak and the two against each other in a sentence; the years in a table."""
    for day in (0, 20, 400):
        play(store, "duel", day)
    client = pages(counted(store), store)
    text = client.get("/statistics/player?name=North").text
    assert "North has won 3 in a row." in text
    assert "North wins 3 of 3 against South." in text
    assert cells(text, "2026")[0] == "2"
    assert "No game is finished yet." in client.get("/statistics/player?name=Nobody").text
    assert client.get("/statistics/player?name=North&game=chaser").status_code == 404


def test_the_race_has_each_round(store: SqlStore) -> None:
    """As a table, whose last row has the totals; an unknown game is no page."""
    play(store, "duel")
    client = pages(counted(store), store)
    text = client.get("/games/duel-0/race").text
    assert cells(text, "13") == ["383", "259"]
    assert 'href="/games/duel-0/race"' in client.get("/statistics").text
    assert client.get("/games/nowhere/race").status_code == 404


def test_only_dice_that_a_camera_read_are_judged(store: SqlStore) -> None:
    """By the set that is named while a game ends; typed rolls and games without photos are not."""
    play(store, "duel")
    photograph(store, "duel-0")
    counted(store)
    play(store, "solo", 1)
    photograph(store, "solo-1", typed=1)
    play(store, "solo", 2)
    statistics = counted(store, "the red ones")
    text = pages(statistics, store).get("/statistics/dice").text
    assert "the red ones" in text
    assert "Dice without a name" in text
    assert "Too few rolls to say" in text
    read, unread = statistics.finished.rolled()["the red ones"]
    (alone,) = finished_games(GAME, store.header("solo-1"), store.events("solo-1"))
    assert 0 == sum(unread) < sum(read) < sum(alone.rolled)


@pytest.mark.parametrize(
    ("rolled", "words"),
    [
        ((90, 90, 90, 90, 90, 90), "Your dice look fair (540 dice rolled)."),
        ((60, 60, 60, 60, 60, 160), "Sixes come more often than they should: 160 times"),
        ((90, 10, 90, 90, 90, 90), "Twos come less often than they should: 10 times"),
    ],
)
def test_the_verdict_on_the_dice_is_a_sentence(
    store: SqlStore, rolled: tuple[int, ...], words: str
) -> None:
    """Before the chart; the figures are folded."""
    play(store, "solo")
    statistics = counted(store)
    parts = finished_games(GAME, store.header("solo-0"), store.events("solo-0"))
    told = [replace(part, rolled=rolled) for part in parts]
    store.finished.keep({"solo-0": (len(store.events("solo-0")), told)})
    assert words in pages(statistics, store).get("/statistics/dice").text


def test_a_yahtzee_of_the_year_is_told_as_it_is_scored(store: SqlStore) -> None:
    """North’s third in 2026, and the first in 2027; nothing once the next player has rolled."""
    text = (FOLDER / "duel.txt").read_text(encoding="utf-8").splitlines()
    scored = 1 + next(at for at, line in enumerate(text) if line == "score yahtzee")
    play(store, "duel", 0)
    play(store, "duel", 1, scored)
    play(store, "duel", 60, scored)
    statistics, view = counted(store), view_of()
    for game_id, line in (
        ("duel-1", "North’s third Yahtzee of the year"),
        ("duel-60", "North’s first Yahtzee of the year"),
    ):
        shown = replace(view, game_id=game_id, sequence=scored)
        assert [str(told) for told in statistics.records(shown)] == [line]
    rolled = replace(view_of(DiceRolled(Roll.parse("12345"))), game_id="duel-1")
    assert statistics.records(rolled) == ()


def test_records_are_told_at_the_end_on_page_and_screen(store: SqlStore) -> None:
    """A first game beats nobody; a better one beats it, and says so on every page."""
    play(store, "duel", 0)
    play(store, "duel", 1)
    statistics, view = Statistics(store, lambda: EVENING), replace(view_of(), stage="finished")
    first = replace(view, game_id="duel-0")
    assert statistics.records(first) == ()
    statistics.bring_up_to_date()
    store.put_in_bin("duel-1", EVENING)
    parts = finished_games(GAME, store.header("duel-0"), store.events("duel-0"))
    lower = [replace(part, total=(part.total or 0) - 1) for part in parts]
    store.finished.keep({"duel-0": (len(store.events("duel-0")), lower)})
    store.take_back("duel-1")
    app = FakeTable(replace(view, game_id="duel-1")).app(statistics=statistics)
    client = app.test_client()
    for path in ("/", "/tv"):
        text = client.get(path).text
        assert "New record in Yahtzee: North, 383" in text
        assert "South’s personal record in Yahtzee: 259" in text
    assert statistics.records(replace(view, game_id="nowhere")) == ()


def test_upkeep_counts_at_the_start_and_at_each_end(store: SqlStore) -> None:
    """Without waiting for a page; what was deleted meanwhile or is damaged is passed over."""
    play(store, "duel")
    statistics = Statistics(store, lambda: EVENING)
    upkeep = Upkeep(store, lambda: EVENING, count=statistics.bring_up_to_date)
    upkeep.start()
    try:
        until(lambda: len(store.finished.best_games(YAHTZEE)) == 2)
        play(store, "duel", 1)
        upkeep.announce(view_of())
        upkeep.announce(replace(view_of(), stage="finished", sequence=99))
        until(lambda: len(store.finished.best_games(YAHTZEE)) == 4)
    finally:
        upkeep.stop()


def test_rebuild_works_everything_out_anew(store: SqlStore, url: str) -> None:
    """And tells how many games it was, and how many cannot be read."""
    play(store, "duel")
    play(store, "solo")
    with store._database.driver() as connection:
        connection.execute("UPDATE events SET event = 'x' WHERE game_id = 'solo-0'")
    result = call("rebuild", "--database", url)
    assert result.exit_code == 0, result.output
    assert "1 games are worked out; 1 cannot be read." in result.output
    assert store.finished.players(YAHTZEE)[0].games == 1


def test_luck_comes_from_tables_made_here_too(store: SqlStore, tmp_path: Path) -> None:
    """The table of Yams is too large to come along: its games have luck once it was made."""
    play(store, "yams-duel")
    header, records = store.header("yams-duel-0"), store.events("yams-duel-0")
    game = GAMES[header.game]
    model = model_of(game, header.options)
    assert model is not None
    assert luck_in(game, header, records, tmp_path) == ()
    np.save(tmp_path / f"yams-{model.digest}.npy", np.zeros(model.positions, np.float32))
    found = luck_in(game, header, records, tmp_path)
    assert [each.player for each in found] == [*header.players]
