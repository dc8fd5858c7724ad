"""The table page: what it says for each view, its stream, its pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scoreboard.dice import Roll
from scoreboard.games.dice.acts import DiceKept, DiceRolled, PlayerLeft
from scoreboard.games.engine.game import Outcome, Place
from scoreboard.message import message
from scoreboard.table.kept_dice import Question
from scoreboard.table.requests import Answer, TableStatus
from scoreboard.table.view import LastDie, TableView
from tests.web.demo_evening import ToldCamera
from tests.web.table_fake import FACTS, JPEG, NO_GAME, FakeTable, FakeUploads, proposal_of, view_of
from vision.watch.pipeline import Pictures
from web.shared.live import LiveViews
from web.table.camera.tray import FixedTray
from web.table.play.demo import Demo

FIRST = (DiceRolled(Roll.parse("13356")),)
BY_HAND = replace(proposal_of("13356", frame=None), by_hand=True)
UNTRANSLATED = {  # of this file and the fake table alone
    "Undo the last roll",
    "Die two leans",
    "The disk is full",
    "The camera was unplugged",
}
CHOOSING = (DiceRolled(Roll.parse("22255")), DiceKept(Roll.parse("22255")))


def page_of(view: TableView, **changes: Any) -> str:
    """The page's text for that view."""
    text = FakeTable(view).app(**changes).test_client().get("/").text
    return " ".join(text.split())


def reading(text: str, **changes: Any) -> TableView:
    """The second roll of a turn, with a reading that waits."""
    return replace(view_of(*FIRST), proposal=proposal_of(text, **changes))


def asking(question: Question) -> TableView:
    """A reading with a question about one of its dice."""
    shown = proposal_of("13456", doubts=(question.text,))
    return replace(view_of(*FIRST), proposal=replace(shown, questions=(question,)))


SAYS: dict[str, tuple[Callable[[], TableView], tuple[str, ...], tuple[str, ...]]] = {
    "no game": (lambda: NO_GAME, ("No game on the table", "Set up a game"), ("Scoresheet", "KEEP")),
    "first throw": (
        view_of,
        (
            '>North</span><span class="around">’s turn<',
            "Roll 1 of 3",
            "Roll all five dice.",
            "No dice read yet",
        ),
        ("Last roll",),
    ),
    "a game without a camera": (
        lambda: replace(view_of(), status=TableStatus.NOTHING),
        ("No roll entered yet",),
        ("No dice read yet",),
    ),
    "a reading": (
        lambda: reading("13356"),
        (
            "Roll 2 of 3",
            "I see 1 3 3 5 6",
            'viewBox="45.0 135.0 700.0 220.0"',
            "Die 4: 5",
            "die-new",
        ),
        ("doubtful", 'class="doubts"'),
    ),
    "a doubtful reading": (
        lambda: reading("13356", doubts=(message("Die two leans."),)),
        ("but I’m not sure", "Die two leans.", "3?", 'class="seen doubtful', ", doubtful"),
        (),
    ),
    "a doubt about one die": (
        lambda: reading(
            "13356", doubts=(message("Is this a {first} or a {second}?", first=3, second=6),)
        ),
        (
            "Is this a 3 or a 6?",
            'value="1=3" class="answer" aria-label="It shows 3"',
            'value="1=6" class="answer" aria-label="It shows 6"',
        ),
        ('value="1=1" class="answer"',),
    ),
    "a doubt that was answered once": (
        lambda: reading("13356", doubts=(message("Die two leans."),), asked=True),
        ("Is 1 3 3 5 6 right? Press again",),
        (),
    ),
    "a die that cannot be read": (
        lambda: reading("13?56"),
        (
            "Tap the die that is wrong",
            "Die 5: not readable",
            "Fix the reading",
            "re-roll just that",
        ),
        ("Press KEEP.",),
    ),
    "a die off the tray": (
        lambda: replace(view_of(), proposal=replace(proposal_of("1335"), roll=None, off_tray=1)),
        ("Re-roll only the dice that are off the tray.", "Fix the reading first"),
        ("Tap the die that is wrong",),
    ),
    "a kept die that changed": (
        lambda: asking(Question(2, was=3, now=4, kept=1)),
        ("A kept 3 now shows 4", 'value="2=3"', 'value="1=no"', "Read again"),
        ('value="2=4" id="answer',),
    ),
    "a die that changed where another lay": (
        lambda: asking(Question(2, was=3, now=4)),
        ("A die in the same place showed 3", 'value="2=4" id="answer', "Read again"),
        ('value="1=no" id="answer',),
    ),
    "a throw entered by hand": (
        lambda: replace(view_of(), proposal=BY_HAND),
        ("You entered 1 3 3 5 6", "Entered by hand (not scored yet)", 'class="drawn"'),
        ('class="boxes"',),
    ),
    "the last throw": (
        lambda: replace(view_of(*FIRST, *FIRST), proposal=proposal_of("13356")),
        ("Roll 3 of 3", "I see 1 3 3 5 6. Press KEEP."),
        ("KEEP or REROLL",),
    ),
    "the last throw by hand": (
        lambda: replace(view_of(*FIRST, *FIRST), proposal=BY_HAND),
        ("You entered 1 3 3 5 6. Press KEEP.",),
        ("KEEP or REROLL",),
    ),
    "somebody who left": (
        lambda: view_of(PlayerLeft("North"), players=("North", "South", "East")),
        ('<span class="name short">North</span><span class="hint">has left</span>',),
        ('class="left"><span class="initial seat-blue" aria-hidden="true">S</span>',),
    ),
    "the dice kept": (
        lambda: replace(
            view_of(*FIRST), last_roll=tuple(LastDie(face, face == 3) for face in (1, 3, 3, 5, 6))
        ),
        (
            "Keep 3 3 and roll the other 3.",
            "✓ kept",
            'aria-label="Keep the 3, ✓ kept"',
            'aria-pressed="true"',
            "fell off",
        ),
        (),
    ),
    "all dice kept": (
        lambda: replace(view_of(*FIRST), last_roll=(LastDie(3, kept=True),)),
        ("All dice are kept: choose a box.",),
        (),
    ),
    "a box to choose": (
        lambda: replace(view_of(*CHOOSING), keep=message("Full house: 25"), reroll=message("Next")),
        ("Choose a box", "Score 25 in Full house, KEEP points here", "Full house: 25", "Next"),
        ("Are you sure?",),
    ),
    "a 0 asked about": (
        lambda: replace(
            view_of(*CHOOSING), pointer="score:large-straight", asking="score:large-straight"
        ),
        ("Score 0 in Large straight?", "Yes, score 0", "No"),
        (),
    ),
    "the start": (
        lambda: replace(view_of(), stage="starting", start_rolls=(("North", Roll.parse("55521")),)),
        ("> rolls for the start<", "Who starts?", "Rolls for the start", ">18<"),
        ("Roll 1 of 3",),
    ),
    "the end": (
        lambda: replace(
            view_of(),
            stage="finished",
            outcome=Outcome((Place(1, "South", 254), Place(2, "North", 199))),
            best=301,
        ),
        ("South wins by 55!", "Final ranking", "Play again", ">254<", "best game so far: 301"),
        ("Enter by hand",),
    ),
    "put away": (
        lambda: replace(view_of(), stage="abandoned"),
        ("This game is closed", "resume it whenever you like", 'action="/games/g2/resume"'),
        ("Enter by hand", "Roll 1 of 3"),
    ),
    "notices": (
        lambda: replace(
            view_of(),
            notice=message("The disk is full."),
            camera_notice=message("The camera was unplugged."),
            paused=message("The disk is full."),
            status=TableStatus.LOST,
        ),
        ("The camera was unplugged.", "The disk is full.", "Fix this first"),
        (),
    ),
    "solo": (
        lambda: replace(view_of(players=("North",)), best=254),
        ("Your best game so far: 254", "players-1"),
        (),
    ),
}


@pytest.mark.parametrize("name", SAYS)
def test_the_page_says_what_the_view_holds(name: str) -> None:
    """For each stage: what must be there, and what must not."""
    make, there, absent = SAYS[name]
    text = page_of(make())
    for words in there:
        assert words in text
    assert text.count("The disk is full.") <= 1  # also where it pauses the table and is a notice
    for words in absent:
        assert words not in text


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_no_english_is_left_on_a_page_in_another_language(language: str) -> None:
    """But the three buttons' words and what people typed."""
    for make, _, _ in SAYS.values():
        client = FakeTable(make()).app().test_client()
        text = client.get("/", headers={"Accept-Language": language}).text
        words = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]*>", " ", text, flags=re.DOTALL)
        labels = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', text)
        said = re.findall(r"’s|[A-Za-z]*[a-z]+ [a-z]+ [a-z ]*", " | ".join([words, *labels]))
        assert set(map(str.strip, said)) <= UNTRANSLATED


def test_calibrating_is_offered_where_it_can_work() -> None:
    """Not with photos from a phone, nor in the demo."""
    offered = "Tray or play area"
    for source, there in (("webcam:0", True), ("upload", False), ("", False)):
        tray = FixedTray(source, Path("tray.toml"))
        assert (offered in page_of(view_of(), tray=tray)) is there


def test_the_page_that_answers_a_form_is_current_in_its_navigation() -> None:
    """As the page that the form stands on."""
    client, fake = client_and_fake(view_of())
    fake.reply = lambda _message: Answer("refused", message("Not now."))
    own = {"Origin": "http://localhost"}
    seen = {"seen": fake.seen}
    for path, fields, name in (
        ("/abandon", {}, "Table"),
        ("/press", {"action": "keep"}, "Table"),
        ("/setup", {"do": "add"}, "New game"),
        ("/games/g1/resume", {}, "Games"),
    ):
        text = client.post(path, data={**seen, **fields}, headers=own).text
        assert re.search(rf'aria-current="page">{name}</a>', text), path


def test_the_demo_says_that_it_is_one_and_leads_to_ones_own_game() -> None:
    """In a line of its own, which ends where the game is one's own or the camera is real."""
    demo = Demo(ToldCamera(sleep=lambda _seconds: None))
    line = page_of(view_of(), demo=demo).partition('id="demo"')[2].partition("</section>")[0]
    assert "Demo</strong>" in line
    assert "Just watch: the dice are rolling." in line
    assert 'href="/ways"' in line
    own = page_of(replace(view_of(), game_id="own-1"), demo=demo)
    assert "Enter by hand" in own.partition('id="demo"')[2].partition("</section>")[0]
    assert "/setup?pictures=no" not in own
    assert 'id="photo"' not in own  # nobody looks at the table
    assert 'id="demo"' not in page_of(view_of(), facts=replace(FACTS, demo=False))


def test_a_real_camera_is_not_called_simulated() -> None:
    """The buttons on the page are how people press, whatever lies beside them."""
    assert "simulated pictures" in page_of(view_of())
    real = page_of(view_of(), facts=replace(FACTS, camera_simulated=False))
    assert "simulated" not in real.lower()
    assert 'type="file"' not in real
    phones = page_of(view_of(), uploads=FakeUploads(FakeTable()))
    assert 'capture="environment"' in phones  # its button opens the rear camera


def test_the_dice_of_a_reading_stand_in_the_order_of_the_roll_before() -> None:
    """Sorted, whatever order they were found in; a tap still names the die that was found."""
    text = page_of(reading("6?153"))
    dice = re.findall(r'popovertarget="die-(\d)" id="die-button-\d" aria-label="([^",]*)', text)
    assert dice == [
        ("2", "Die 1: 1"),
        ("4", "Die 2: 3"),
        ("3", "Die 3: 5"),
        ("0", "Die 4: 6"),
        ("1", "Die 5: not readable"),
    ]


def test_house_rules_are_printed_on_the_sheet() -> None:
    """Players who agreed on something else can see it."""
    view = view_of()
    assert view.scoresheet is not None
    sheet = replace(view.scoresheet, options=(message("No bonus"), message("Two rolls")))
    text = page_of(replace(view, scoresheet=sheet))
    assert "House rules: No bonus; Two rolls" in text


def test_a_roll_that_waits_shows_what_it_would_score_and_fills_nothing() -> None:
    """The figures are there to be weighed; no box can be tapped with them."""
    confirmed = view_of(DiceRolled(Roll.parse("22255"))).scoresheet
    assert confirmed is not None
    view = replace(view_of(), proposal=proposal_of("22255"), preview=confirmed.without_offers)
    text = page_of(view)
    assert "would be </span>25</span>" in text
    assert "Italics: what this roll would score" in text
    assert "Score 25 in Full house" not in text
    assert "Italics" not in page_of(view_of())


def client_and_fake(view: TableView = NO_GAME) -> tuple[FlaskClient, FakeTable]:
    """A browser and the table behind it."""
    fake = FakeTable(view)
    return fake.app().test_client(), fake


def test_pictures_are_found_by_life_and_number() -> None:
    """A frame of an earlier life of the table is not shown as this one's."""
    client, fake = client_and_fake()
    kept = client.get(f"/picture/{fake.live.run}/7.jpg")
    assert (kept.status_code, kept.data, kept.mimetype) == (200, JPEG, "image/jpeg")
    assert "immutable" in kept.headers["Cache-Control"]
    assert client.get(f"/picture/{fake.live.run}/8.jpg").status_code == 404
    assert client.get("/picture/other/7.jpg").status_code == 404
    latest = client.get("/picture/latest.jpg")
    assert (latest.data, latest.headers["Cache-Control"]) == (JPEG, "no-store")
    none_yet = FakeTable().app(pictures=Pictures()).test_client()  # is no fault for a browser
    assert none_yet.get("/picture/latest.jpg").status_code == 204


def test_the_stream_gives_the_newest_state_then_heartbeats_then_the_next() -> None:
    """One viewer's events, in order; the place comes free when it goes."""
    client, fake = client_and_fake()
    fake.live.announce(NO_GAME)
    stream = client.get("/live")
    events = stream.iter_encoded()
    assert next(events) == b"retry: 1000\n\n"
    first = next(events).decode()
    assert first.startswith(f"id: {fake.live.run}.1\nevent: table\ndata: ")
    document = json.loads(first.split("data: ", 1)[1])
    assert document["version"] == 1
    assert "No game on the table" in document["html"]
    assert next(events) == b"event: beat\ndata: true\n\n"
    fake.live.announce(replace(NO_GAME, version=2))
    assert b"event: table" in next(events)
    assert fake.live.viewers == 1
    stream.close()
    client.get("/live").close()  # one that never started, and so has no end of its own
    assert fake.live.viewers == 0


@pytest.mark.parametrize("path", ["/live", "/tv/live"])
def test_strangers_of_one_address_leave_places(path: str) -> None:
    """Eight have one, of the page and of the big screen together; whoever plays has one as well."""
    fake = FakeTable(view_of(), live=LiveViews(viewer_limit=9))
    client = fake.app().test_client()

    def watches(address: str) -> TestResponse:
        return client.get(path, environ_overrides={"REMOTE_ADDR": address}, buffered=False)

    with ExitStack() as opened:
        for _ in range(8):
            opened.enter_context(watches("192.0.2.9"))
        assert "event: full" in watches("192.0.2.9").text
        opened.enter_context(watches("192.0.2.8"))
        assert "event: full" in watches("192.0.2.7").text
        opened.enter_context(watches("127.0.0.1"))  # with the key of the table's own browser
        opened.enter_context(watches("127.0.0.1"))


def test_one_more_than_may_watch_is_reported_and_may_still_act() -> None:
    """The stream says that the table is full and ends; a press still works."""
    fake = FakeTable(view_of(), live=LiveViews(viewer_limit=0))
    client = fake.app().test_client()
    stream = client.get("/live")
    assert stream.text == "retry: 10000\nevent: full\ndata: true\n\n"
    form = {"action": "keep", "seen": fake.seen}
    answer = client.post("/press", data=form, headers={"Origin": "http://localhost"})
    assert answer.status_code == 303


def test_each_set_is_told_whether_it_is_one() -> None:
    """What jokers stand for, and why one is none; where the game has no sets, nothing is said."""
    rummikub = FakeTable(replace(NO_GAME, game="rummikub")).app().test_client()
    answer = rummikub.get("/sets?text=K9 J B9,R1 R2")
    assert answer.json == {
        "sets": [
            {"stands": ["K9", "R9", "B9"], "fault": None},
            {
                "stands": ["R1", "R2"],
                "fault": "red 1, red 2 are too few: a set has three tiles or more.",
            },
        ]
    }
    assert rummikub.get("/sets?text=K99").status_code == 422
    assert rummikub.get("/sets?text=" + "K9 " * 1000).status_code == 400
    assert client_and_fake()[0].get("/sets?text=K9").json == {"sets": []}
