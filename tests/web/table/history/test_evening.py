"""The page of an evening, its picture, and the link for BG Stats."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image, ImageFont

from scoreboard.games import GAMES
from scoreboard.games.engine.game import Outcome
from scoreboard.games.notation import replay_text
from scoreboard.storage import SqlStore
from scoreboard.storage.score_photos import ScorePhoto
from tests.web.table_fake import FakeTable, view_of
from web.table.history.archive import Archive
from web.table.history.evening import Evenings, best_turn
from web.table.history.evening_pages import FontFile, Fonts, draw_evening, system_font
from web.table.history.game_log import read_log
from web.table.history.statistics import Statistics

PLAYTHROUGHS = Path(__file__).parents[3] / "playthroughs"
BEGAN = datetime(2026, 11, 25, 18, 0, tzinfo=UTC)
SUBSETS = ("latin", "latin-ext")
FONTS = Path(__file__).parents[4] / "web" / "table" / "static" / "fonts"


SEEN = {"width": 640, "height": 480, "entered": "", "pieces": []}


@cache
def a_photo() -> bytes:
    """A green photo of the table."""
    file = BytesIO()
    Image.new("RGB", (640, 480), "#145038").save(file, "JPEG")
    return file.getvalue()


def play(store: SqlStore, name: str, ended: datetime, names: dict[str, str] | None = None) -> str:
    """Store a written game that ended then, with a photo of each step; its id."""
    text = (PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8")
    for known, other in (names or {}).items():
        text = re.sub(rf"\b{known}\b", other, text)
    game_id = f"{name}-{ended:%d-%H%M}"
    written = replay_text(text, game_id)
    store.open_game(replace(written.header, opened_at=ended - timedelta(minutes=40)))
    records = [replace(one, recorded_at=ended) for one in written.records]
    store.append(game_id, 0, records)
    for step in sorted({one.step for one in records}):
        store.photos.add(ScorePhoto(game_id, step, ended, a_photo(), SEEN))
    return game_id


def table_app(store: SqlStore) -> Flask:
    """The pages of a table with this store."""
    return FakeTable().app(
        archive=Archive(store),
        store=store,
        statistics=Statistics(store, lambda: BEGAN),
    )


def client_of(store: SqlStore) -> FlaskClient:
    """A browser at the machine of a table with this store."""
    return table_app(store).test_client()


def test_a_best_turn_counts_its_bonus() -> None:
    """YZ-17: a joker is worth 100 points more than the box under which it is kept."""
    turns = "roll 66666\nscore yahtzee\nroll 66666\nscore sixes\nroll 12346\nscore chance\n"
    played = replay_text("game yahtzee\nplayers Solo\noption start first\n" + turns)
    log = read_log(GAMES["yahtzee"], played.header, played.records)
    best = best_turn("one", ("Solo",), log, ())
    assert best is not None
    assert (str(best.box), best.points) == ("Sixes with a bonus of 100", 130)


def test_an_evening_of_two_games(store: SqlStore) -> None:
    """Podium by wins, best turn with its photo, luck, each game's result and its addresses.

    383, 259, 50 and 266 are those of the playthroughs, counted by hand there.
    """
    duel = play(store, "duel", BEGAN)
    best = play(store, "bga-duel", BEGAN + timedelta(hours=1), {"Ann": "North", "Ben": "South"})
    text = client_of(store).get("/evening").text
    words = " ".join(re.sub(r"<[^>]*>", " ", text).split())
    assert "Wednesday, 25 November 2026 N North won the evening: 2 of 2 games" in words
    assert "1. North Won 2 of 2 649 points" in words
    assert "2. South Won 1 of 2 525 points" in words
    assert "North : 140 in Large straight with a bonus of 100" in words
    assert re.search(rf'img class="best-photo" src="/games/{best}/steps/\d+\.jpg"', text)
    assert re.search(r"North : \d+ points of luck, \d+ given away", words)
    assert f'"/games/{duel}/race"' in text
    assert f'"/games/{duel}/log"' in text
    assert "/evening/2026-11-25/evening.png" in text


def test_players_keep_their_colours(store: SqlStore) -> None:
    """Whoever is known has their own on the podium, others a free one; whoever won."""
    play(store, "duel", BEGAN)
    south = store.profiles.add("South")
    store.profiles.change(replace(south, colour="navy"))
    podium = re.findall(r'<li class="seat-(\w+) step-', client_of(store).get("/evening").text)
    assert podium == ["green", "navy"]


def test_luck_less_costs_is_the_score(store: SqlStore) -> None:
    """What the page says of luck and decisions makes the average of the game its score."""
    play(store, "solo", BEGAN)
    text = client_of(store).get("/evening").text
    found = re.search(r"(\d+) points of luck, (\d+) given away", text)
    assert found is not None
    assert abs(254.59 + int(found[1]) - int(found[2]) - 626) <= 1


def test_each_evening_has_an_address(store: SqlStore) -> None:
    """The newest is at `/evening`, if there is one, and they lead to each other."""
    client = client_of(store)
    assert "No game has ended yet" in client.get("/evening").text
    assert 'href="/evening"' in client.get("/games").text
    assert client.get("/evening/2026-11-25").status_code == 404
    for days in (0, 1, 5):
        play(store, "solo", BEGAN + timedelta(days=days))
    assert client.get("/evening").text == client.get("/evening/2026-11-30").text
    text = client.get("/evening/2026-11-26").text
    assert 'rel="prev" href="/evening/2026-11-25"' in text
    assert 'rel="next" href="/evening/2026-11-30"' in text
    for nowhere in ("2026-11-27", "x", "2026-11-26/evening.gif", "2026-11-27/evening.png"):
        assert client.get(f"/evening/{nowhere}").status_code == 404
    assert client.get("/games/nothing/bg-stats").status_code == 404


def test_records_are_those_of_that_time(store: SqlStore) -> None:
    """A best game counts though it was beaten later; the first of all beats nobody."""
    play(store, "chaser-duel", BEGAN)
    play(store, "chaser-three", BEGAN + timedelta(days=1))
    client = client_of(store)
    assert "Records" not in client.get("/evening/2026-11-25").text
    both = client.get("/evening/2026-11-26").text
    play(store, "chaser-three", BEGAN + timedelta(days=2), {"Ann": "Zoe"})
    assert client.get("/evening/2026-11-26").text.count('class="record"') == both.count(
        'class="record"'
    )


def test_a_picture_to_share(store: SqlStore) -> None:
    """A PNG of 1080 x 1350 pixels; all of a long evening fits on it."""
    names = ("duel", "tongtong-three", "rummikub-duel", "chaser-three")
    for number in range(14):
        play(store, names[number % 4], BEGAN + timedelta(hours=number))
    client = client_of(store)
    answer = client.get("/evening/2026-11-25/evening.png")
    assert answer.mimetype == "image/png"
    picture = Image.open(BytesIO(answer.data))
    assert picture.size == (1080, 1350)
    bottom = picture.crop((0, 1310, 1080, 1350)).getcolors()
    assert bottom is not None
    assert len(bottom) == 1


def test_the_picture_is_full_and_has_no_word_of_the_coach_unless_ticked(store: SqlStore) -> None:
    """A single game's race takes the room that other evenings fill with theirs."""
    play(store, "duel", BEGAN)
    client = client_of(store)
    pictures = [
        Image.open(BytesIO(client.get(f"/evening/2026-11-25/evening.png{asked}").data))
        for asked in ("", "?with_coach=yes")
    ]
    corner = pictures[0].crop((500, 1100, 1080, 1310)).convert("L").getcolors()
    assert corner is not None
    assert len(corner) > 1
    evening = Evenings(store, Statistics(store, lambda: BEGAN)).of(None)
    assert evening is not None
    texts = [
        draw_evening(evening, Fonts(), None, with_coach=ticked).texts for ticked in (False, True)
    ]
    assert {text for text in texts[1] if "given away" in text}
    assert not {text for text in texts[0] if "given away" in text}
    assert pictures[0].tobytes() != pictures[1].tobytes()


def test_a_name_that_cannot_be_written_is_told(store: SqlStore) -> None:
    """Instead of a picture with boxes in its place; the page itself still has the name."""
    play(store, "solo", BEGAN, {"Solo": "\U00010380\ue000"})  # Ugaritic, and nobody's letter
    client = client_of(store)
    text = client.get("/evening").text
    assert "No font on this machine can write “" in text
    assert "\ue000" in text
    assert "evening.png" not in text
    answer = client.get("/evening/2026-11-25/evening.png")
    assert answer.status_code == 409
    assert "No font on this machine" in answer.text


def test_the_shipped_font_has_the_letters_of_latin_names() -> None:
    """And what it lacks is looked for elsewhere."""
    fonts = Fonts(lambda _letters: None)
    assert fonts.missing(["Zoë Łukasz Ğül Ó’Néill Šárka – +31 · \u22129", "Ann"]) == ""
    assert fonts.missing(["Ĕva 김 Ω"]) == "ĔΩ김"


def test_other_letters_come_from_fonts_of_the_machine() -> None:
    """From as many as it takes; each run of a name is drawn in the font that has it."""
    one, other = (str(FONTS / f"barlow-condensed-{each}-700-normal.woff2") for each in SUBSETS)
    asked: list[str] = []

    def find(letters: str) -> FontFile | None:
        asked.append(letters)
        return (other, 0, frozenset("김민")) if "김" in letters else (one, 0, frozenset("あ"))

    fonts = Fonts(find)
    assert fonts.missing(["김민 & あき", "Ann"]) == "き"
    assert asked == ["あき김민", "あき", "き"]
    assert [text for text, _ in fonts.runs("Ann 김민あ\u3099!", 40)] == [
        "Ann ",
        "김민",
        "あ\u3099!",
    ]
    assert fonts.missing([]) == ""


def test_fontconfig_names_a_font_and_what_it_has() -> None:
    """Where it is installed, as on every machine that draws; no letter is claimed wrongly."""
    found = system_font("Ω\ue000")
    if found is None:
        pytest.skip("no fontconfig here")
    path, index, letters = found
    assert letters <= {"Ω"}
    ImageFont.truetype(path, 20, index)


def test_the_link_for_bg_stats(store: SqlStore) -> None:
    """It holds the play as the app's maker tells, and its QR code stands on a page of its own."""
    game_id = play(store, "duel", BEGAN)
    text = client_of(store).get(f"/games/{game_id}/bg-stats").text
    found = re.search(r'href="https://app\.bgstatsapp\.com/createPlay\.html\?data=([^"]*)"', text)
    assert found is not None
    assert json.loads(unquote(found[1])) == {
        "sourceName": "Tablescore",
        "sourcePlayId": game_id,
        "playDate": "2026-11-25 18:00:00",
        "game": {
            "name": "Yahtzee",
            "sourceGameId": "yahtzee",
            "bggId": 2243,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {"name": name, "sourcePlayerId": name, "winner": rank == 1, "startPlayer": rank == 2}
            | {"score": score, "rank": rank}
            for name, score, rank in (("North", 383, 1), ("South", 259, 2))
        ],
    }
    assert "<svg" in text


def test_a_file_for_bg_stats_has_the_whole_evening(store: SqlStore) -> None:
    """As the app shares plays: players and games once each, and the plays refer to them."""
    play(store, "duel", BEGAN)
    play(store, "free-sheet-three", BEGAN + timedelta(hours=1))
    client = client_of(store)
    (address,) = re.findall(r'href="([^"]+bgsplay)"', client.get("/evening").text)
    document = json.loads(client.get(address).text)
    assert [player["name"] for player in document["players"]] == [
        *("North", "South"),
        *("Ann", "Ben", "Cem"),
    ]
    assert [(game["id"], game["name"], game["highestWins"]) for game in document["games"]] == [
        (1, "Yahtzee", True),
        (2, "Free score sheet", False),
    ]
    scores = document["plays"][0]["playerScores"]
    assert [(score["playerRefId"], score["score"]) for score in scores] == [(1, "383"), (2, "259")]


def test_the_end_of_a_game_leads_to_the_evening(store: SqlStore) -> None:
    """From the ranking, and from the menu at any time."""
    outcome = Outcome.ranked(("North", "South"), (250, 180), (250, 180))
    over = replace(view_of(), stage="finished", outcome=outcome)
    for shown, links in ((over, 2), (view_of(), 1)):
        app = FakeTable(shown).app(store=store, statistics=Statistics(store, lambda: BEGAN))
        text = app.test_client().get("/").text
        assert text.count('href="/evening"') == links
