"""Every form of the table page becomes one message, and every answer is told."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from flask.testing import FlaskClient

from scoreboard.dice import Roll
from scoreboard.message import message
from scoreboard.table.requests import (
    Action,
    Answer,
    Chosen,
    Corrected,
    DieCorrected,
    KeepMarked,
    PlayerJoined,
    Pressed,
    ReadAgain,
    TableRequest,
    Verdict,
)
from tests.web.table_fake import NOON, FakeTable, FakeUploads, view_of

OWN = {"Origin": "http://localhost"}
SCRIPT = {**OWN, "Accept": "application/json"}


def played() -> tuple[FlaskClient, FakeTable]:
    """A browser and a table with a game."""
    fake = FakeTable(view_of())
    return fake.app().test_client(), fake


def replying(verdict: Verdict, notice: str | None = None) -> tuple[FlaskClient, FakeTable]:
    """A table that answers everything so."""
    client, fake = played()
    document = message("{notice}", notice=notice) if notice else None
    fake.reply = lambda _message: Answer(verdict, document)
    return client, fake


@pytest.mark.parametrize(
    ("path", "form", "table_request"),
    [
        ("/press", {"action": "keep"}, Pressed(Action.KEEP, NOON, 5)),
        ("/press", {"action": "reroll"}, Pressed(Action.REROLL, NOON, 5)),
        ("/press", {"action": "undo"}, Pressed(Action.UNDO, NOON, 5)),
        ("/choose", {"offer": "score:chance"}, Chosen("score:chance", 5)),
        ("/choose", {"offer": "foul:3=6"}, Chosen("foul:3", 5, "6")),
        ("/choose", {"offer": "lay", "filling": "K7 R7 B7"}, Chosen("lay", 5, "K7 R7 B7")),
        ("/choose", {"offer": "lay", "filling": ""}, Chosen("lay", 5, "")),
        ("/draw", {"among": "leave:0"}, Chosen("leave:0", 5)),
        ("/roll", {"roll": " 33 5 1 6 "}, Corrected(Roll.parse("33516"), 5)),
        ("/die", {"die": "2=5"}, DieCorrected(2, 5, 5)),
        ("/die", {"die": "2=none"}, DieCorrected(2, None, 5)),
        ("/die", {"die": "new=1"}, DieCorrected(None, 1, 5)),
        ("/keep", {"keep": "4=yes"}, KeepMarked(4, kept=True, expected=5)),
        ("/keep", {"keep": "0=no"}, KeepMarked(0, kept=False, expected=5)),
        ("/again", {}, ReadAgain(5)),
    ],
)
def test_a_form_becomes_a_message(
    path: str, form: dict[str, str], table_request: TableRequest
) -> None:
    """With the version that its sender saw."""
    client, fake = played()
    answer = client.post(path, data={**form, "seen": fake.seen}, headers=OWN)
    assert fake.messages == [table_request]
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/press", {"action": "explode"}),
        ("/press", {}),
        ("/die", {"die": "x=5"}),
        ("/die", {"die": "²=5"}),
        ("/die", {"die": "2=7"}),
        ("/die", {"die": "2"}),
        ("/keep", {"keep": "new=yes"}),
        ("/keep", {"keep": "1=maybe"}),
        ("/draw", {"among": "mission:"}),
        ("/draw", {}),
    ],
)
def test_what_no_form_of_ours_sends_is_refused(path: str, form: dict[str, str]) -> None:
    """Nothing is guessed from a request that the page cannot have made."""
    client, fake = played()
    assert client.post(path, data={**form, "seen": fake.seen}, headers=OWN).status_code == 400
    assert fake.messages == []


@pytest.mark.parametrize(
    ("roll", "words"),
    [("33517", "A die shows 1 to 6, not 7."), ("abc", "is no roll"), ("", "Enter")],
)
def test_a_roll_that_cannot_be_read_is_reported_and_not_sent(roll: str, words: str) -> None:
    """The sentence says what to write."""
    client, fake = played()
    form = {"roll": roll, "seen": fake.seen}
    answer = client.post("/roll", data=form, headers=OWN)
    assert answer.status_code == 422
    assert words in answer.text
    assert fake.messages == []


@pytest.mark.parametrize("verdict", ["done", "unchanged", "stale", "refused"])
def test_a_script_gets_the_verdict_and_the_newest_state(verdict: Verdict) -> None:
    """One answer has all that the page needs to go on; a browser reports none as an error."""
    client, fake = replying(verdict, "That is how it is.")
    form = {"action": "keep", "seen": fake.seen}
    answer = client.post("/press", data=form, headers=SCRIPT)
    document = answer.get_json()
    assert answer.status_code == 200
    assert (document["verdict"], document["notice"]) == (verdict, "That is how it is.")
    assert (document["run"], document["version"]) == (fake.live.run, 5)
    assert ">North</span>" in document["html"]


@pytest.mark.parametrize(
    ("verdict", "notice", "status"),
    [
        ("done", None, 303),
        ("unchanged", None, 303),
        ("unchanged", "Nothing to do.", 200),
        ("stale", "That tap came too late.", 409),
        ("refused", "YZ-6: that box is filled.", 422),
    ],
)
def test_without_a_script_the_answer_is_the_page(
    verdict: Verdict, notice: str | None, status: int
) -> None:
    """A notice is shown with the fresh state; without one the table is opened again."""
    client, fake = replying(verdict, notice)
    form = {"action": "keep", "seen": fake.seen}
    answer = client.post("/press", data=form, headers=OWN)
    assert answer.status_code == status
    if notice:
        assert notice in answer.text
        assert ">North</span>" in answer.text


def test_what_was_written_for_an_act_that_is_gone_is_shown_again() -> None:
    """The table asks for something else by now: the words are there to be copied."""
    client, _ = replying("stale", "That tap came too late.")
    form = {"offer": "lay", "filling": "K7 R7 B7", "seen": "other.5"}
    answer = client.post("/choose", data=form, headers=OWN)
    assert answer.status_code == 409
    assert "You wrote: K7 R7 B7" in answer.text


@pytest.mark.parametrize(
    "path", ["/press", "/abandon", "/join", "/leave", "/rematch", "/event/begin"]
)
def test_a_form_from_before_a_restart_is_stale(path: str) -> None:
    """Versions of another run of the table mean nothing now, whatever the form."""
    for seen in ("", "5", "other.5", "other.", "{run}.five"):
        fake = FakeTable(view_of())
        client = fake.app(tournament=object()).test_client()
        form = {"action": "keep", "offer": "leave:1", "seen": seen.format(run=fake.live.run)}
        answer = client.post(path, data=form, headers=OWN)
        assert answer.status_code == 409
        assert "was restarted" in answer.text
        assert fake.messages == []


def test_somebody_joins() -> None:
    """Known people who don't play yet are offered; a refusal keeps what was typed."""
    client, fake = replying("refused", "You can join until everybody has played.")
    fake.shown = replace(fake.shown, game_id="own-1")  # no game of the demo
    assert 'href="/join"' in client.get("/").text
    form = {"name": "Dora", "seen": fake.seen}
    answer = client.post("/join", data=form, headers=OWN)
    assert answer.status_code == 422
    assert "You can join until everybody has played." in answer.text
    assert 'value="Dora"' in answer.text
    fake.reply = lambda _message: Answer()
    assert client.post("/join", data=form, headers=OWN).status_code == 303
    assert fake.messages == [PlayerJoined("Dora", 5)] * 2


def test_a_photo_is_taken_where_the_camera_waits_for_one() -> None:
    """Its bytes go to the camera, its faults to the sender; elsewhere the address is not there."""
    form = {"photo": (BytesIO(b"a photo"), "dice.jpg")}
    assert played()[0].post("/photo", data=form, headers=OWN).status_code == 404
    fake = FakeTable(view_of())
    client = fake.app(uploads=FakeUploads(fake)).test_client()
    answers = [
        client.post("/photo", data={"photo": (BytesIO(photo), "dice.jpg")}, headers=OWN)
        for photo in (b"a photo", b"")
    ]
    answers.append(client.post("/photo", data={}, headers=OWN))
    assert [answer.status_code for answer in answers] == [303, 422, 422]
    assert fake.uploaded == [b"a photo", b""]
    assert "This photo is empty." in answers[1].text
    assert "Choose a photo first." in answers[2].text


def test_a_state_announced_meanwhile_is_what_the_answer_shows() -> None:
    """The answer carries the newest view, not the one that the act was aimed at."""
    client, fake = played()

    def reply(_message: TableRequest) -> Answer:
        fake.shown = replace(fake.shown, version=9, notice=message("Another hand was faster."))
        return Answer("stale")

    fake.reply = reply
    document = client.post(
        "/press", data={"action": "keep", "seen": fake.seen}, headers=SCRIPT
    ).get_json()
    assert document["version"] == 9
    assert "Another hand was faster." in document["html"]


def test_a_notice_that_all_are_shown_is_not_told_twice() -> None:
    """It stands on the table already."""
    client, fake = replying("refused", "This was the last roll.")
    notice = fake.reply(Pressed(Action.KEEP, NOON)).notice
    fake.shown = replace(fake.shown, notice=notice)
    form = {"action": "reroll", "seen": fake.seen}
    document = client.post("/press", data=form, headers=SCRIPT).get_json()
    assert document["notice"] is None
    page = client.post("/press", data=form, headers=OWN)
    assert (page.status_code, page.text.count("This was the last roll.")) == (422, 1)


LONG = "1" * 5000  # more digits than int() takes


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("/press", {"action": "keep", "seen": LONG}, 409),
        ("/die", {"die": f"{LONG}=5"}, 400),
        ("/keep", {"keep": f"{LONG}=yes"}, 400),
        ("/piece", {"piece": LONG, "label": "K7"}, 400),
        ("/setup", {"do": f"up:{LONG}"}, 200),
    ],
)
def test_a_number_of_thousands_of_digits_is_none(
    path: str, form: dict[str, str], status: int
) -> None:
    """It is refused in words, as anything that is no number."""
    client, fake = played()
    if "seen" in form:
        form = {**form, "seen": f"{fake.live.run}.{form['seen']}"}
    answer = client.post(path, data={"seen": fake.seen, **form}, headers=OWN)
    assert answer.status_code == status
    assert fake.messages == []
