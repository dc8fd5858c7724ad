"""Presses on a page that is out of date, and second ones: nothing is done that nobody asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier
from typing import Any

import pytest

from scoreboard.tournament.model.entries import SetSignUp
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.results import SubmitScore
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.tournament import Command, SignUpSet
from tests.web.hub.house import NAMES, OWN, Browser, Clock, Hall
from tests.web.rights import page_rules
from web.hub.format_form import filled
from web.shared.faults import PageRule

FORM = re.compile(r'<form method="post"[^>]*?action="([^"]*)".*?</form>', re.DOTALL)
PAGES = """
    / /new /manage {e}/manage /seasons/0/edit {e}/desk {e}/proposed {e}/entries/1
    {e}/edit {e}/settings {e}/messages {e}/standings {e}/results
"""
DONE = 303
STALE = 409


def phases(hall: Hall, director: Browser, event: str) -> Iterator[str]:
    """Round 1 from its draw to its end, with a pause in each phase."""

    def given(*commands: Command) -> str:
        last = hall.give(event, *commands).state.last_round
        assert last is not None
        return last.phase

    yield given(DrawRound(1))
    yield given(StartRound())
    yield given(*hall.results(event), *hall.results(event, game=2))
    director.post(f"/e/{event}/rounds/1/sign-all")
    yield given(CloseRound())


def test_every_form_says_what_it_saw_or_why_it_need_not(hall: Hall, director: Browser) -> None:
    """From an old page no address of the hub changes anything, unless there is a reason."""
    event = hall.started()
    before = hall.service.snapshot(event).head
    posts = [rule for rule in page_rules(hall.app) if "POST" in (rule.methods or ())]
    for rule in posts:
        if rule.seen != "nothing":
            given = {name: event if name == "tournament_id" else 1 for name in rule.arguments}
            _, path = rule.build(given) or ("", "")
            answer = director.client.post(path, data={"why": "by hand", "seen": "-1"}, headers=OWN)
            assert answer.status_code == STALE, rule.endpoint
    assert hall.service.snapshot(event).head == before


def test_every_page_puts_the_field_into_its_forms(hall: Hall, director: Browser) -> None:
    """In each phase of an event: those who have no need leave it out."""
    event = hall.event()
    adapter, found = hall.app.url_map.bind("localhost"), set[str]()

    def look() -> None:
        for page in PAGES.format(e=f"/e/{event}").split():
            for form in FORM.finditer(director.get(page).text):
                rule, _ = adapter.match(form[1], "POST", return_rule=True)
                assert isinstance(rule, PageRule)
                assert ('name="seen"' in form[0]) == (
                    rule.seen != "nothing" or rule.endpoint == "scores.submit"
                ), (page, rule.endpoint)
                found.add(rule.endpoint)

    look()
    for _phase in phases(hall, director, event):
        look()
    assert {"rounds.draw", "rounds.start", "rounds.close", "penalties.award"} <= found


def test_a_stale_draw_draws_no_other_round(hall: Hall, director: Browser) -> None:
    """The page still shows “Draw round 1”; the answer is the page of now, and says so."""
    event = hall.event()
    old = director.seen(f"/e/{event}/rounds/draw")
    assert list(phases(hall, director, event)) == ["drawn", "running", "running", "closed"]
    answer = director.post(f"/e/{event}/rounds/draw", **old)
    assert answer.status_code == STALE
    assert "Nothing was done" in answer.text
    assert "Draw round 2" in answer.text
    assert len(hall.state(event).rounds) == 1


def test_a_script_that_has_no_page_means_what_is_now(hall: Hall, director: Browser) -> None:
    """It sends no number at all, and knows what it asks for."""
    event = hall.event()
    answer = director.client.post(f"/e/{event}/rounds/draw", data={"seed": "1"}, headers=OWN)
    assert answer.status_code == DONE
    assert len(hall.state(event).rounds) == 1


PENALTY = {"kind": "points", "points": "1", "why": "phone rang twice"}
TWICE: dict[str, tuple[str, Mapping[str, str]]] = {
    "penalty": ("{e}/entries/1/penalties", PENALTY),
    "message": ("{e}/messages", {"to": "all", "text": "Lunch is ready"}),
    "create": ("/new", {"title": "Lunch cup"}),
    "copy": ("{e}/copy", {"title": "Lunch cup"}),
    "test event": ("/test-event", {}),
    "season": (
        "/seasons/0/edit",
        {"name": "Lunch cup", "how": "sum", "places": "", "best": "0", "tie": "wins"},
    ),
    "five more minutes": ("{e}/clock", {"act": "add", "minutes": "5"}),
}


def traces(hall: Hall, event: str) -> tuple[int, int, int, int]:
    """How much there is of everything that a form makes."""
    return (
        hall.service.snapshot(event).version,
        len(hall.store.messages.of(event)),
        len(hall.store.tournaments.headers()),
        len(hall.store.players.seasons()),
    )


@pytest.mark.parametrize("form", TWICE)
def test_an_equal_press_is_done_once(hall: Hall, director: Browser, form: str) -> None:
    """The same form sent again, as after an answer that was lost; what was typed comes back."""
    event = hall.started()
    path, typed = TWICE[form]
    path = path.format(e=f"/e/{event}")
    sent: dict[str, Any] = {**filled(hall.state(event).format), **typed}
    if form == "season":
        sent = {**typed, "events": event}
    sent = {**sent, **director.seen(path)}
    assert director.post_form(path, sent).status_code == DONE
    once = traces(hall, event)
    again = director.post_form(path, sent)
    assert again.status_code == STALE
    assert traces(hall, event) == once
    for text in ("Lunch cup", "Lunch is ready", "phone rang twice"):
        assert text not in typed.values() or text in again.text


@pytest.mark.parametrize("form", ["entries/1/penalties", "messages", "clock"])
def test_results_of_tables_make_no_form_stale(hall: Hall, director: Browser, form: str) -> None:
    """They come all the time; what the page promised is still what is done."""
    event = hall.started()
    path = f"/e/{event}/{form}"
    old = director.seen(path)
    hall.give(event, *hall.results(event))
    more = {"messages": {"text": "Hello"}, "clock": {"act": "resume"}}.get(form, PENALTY)
    assert director.post_form(path, {**more, **old}).status_code == DONE


def test_two_results_typed_at_once_are_both_taken(hall: Hall, director: Browser) -> None:
    """Each referee's page was opened before the other's result came."""
    event = hall.started()
    referee = hall.browser("referee")
    for browser, result in zip((director, referee), hall.results(event), strict=True):
        fields = {f"1-score-{each.entrant}": each.score for each in result.scores}
        path = f"/e/{event}/rounds/1/tables/{result.table}"
        assert browser.client.post(path, data=fields, headers=OWN).status_code == DONE
    assert len(hall.last_round(event).results) == len(NAMES) // 4


def test_what_a_result_form_was_about_is_still_so(hall: Hall, director: Browser) -> None:
    """One that changed is disputed by nobody unseen, nor signed for all from a page before it."""
    event = hall.started()
    first, second = hall.results(event)
    hall.give(event, first)
    at = f"/e/{event}/rounds/1"
    dispute = {"entrant": str(first.scores.entrants[0]), "why": "it was 8", "was": "1 8, 2 -8"}
    answer = director.post_form(f"{at}/tables/{first.table}/games/1/dispute", dispute)
    assert (answer.status_code, "it was 8" in answer.text) == (STALE, True)
    assert 'name="was" value="1"' in director.get(f"/e/{event}/results").text
    hall.give(event, second)
    assert director.post(f"{at}/sign-all", was="1").status_code == STALE
    assert director.post(f"{at}/sign-all", was="2").status_code == DONE


def test_a_score_is_corrected_as_it_was_seen(hall: Hall, director: Browser) -> None:
    """Of two corrections from one page the second is shown the first."""
    event = hall.event(FORMATS["blind-high-score"])
    hall.give(event, SubmitScore(1, 200))
    for score, status in ((210, DONE), (220, STALE)):
        typed = {"score": str(score), "why": "counted again", "was": "200"}
        assert director.post_form(f"/e/{event}/scores/1", typed).status_code == status


SAME_MOMENT = TWICE | {
    "enter": ("{e}/entries", {"name": "Rosa", "why": "came late"}),
    "sign up": ("{e}/sign-up", {"name": "Rosa"}),
}


class TickingClock(Clock):
    """A clock that no two look at in the same second."""

    def __call__(self) -> datetime:
        """The time."""
        self.pass_by(seconds=1)
        return self.now


@pytest.mark.parametrize("form", SAME_MOMENT)
def test_of_two_equal_presses_at_the_same_moment_one_is_carried_out(form: str) -> None:
    """As of a double click: the second is let in before the first writes, and refused there."""
    hall = Hall(clock=TickingClock())
    event, tabs = hall.event(), [hall.browser("director"), hall.browser("director")]
    hall.give(event, DrawRound(1), StartRound(), SetSignUp(SignUpSet(1, 0, "", 1)))
    path, typed = SAME_MOMENT[form]
    path = path.format(e=f"/e/{event}")
    sent: dict[str, Any] = {**filled(hall.state(event).format), **typed}
    sent |= {"events": event} | tabs[0].seen(path)
    both_let_in = Barrier(2, timeout=60)

    def wait() -> None:
        both_let_in.wait()

    def press(tab: Browser) -> int:
        return tab.client.post(path, data=sent, headers=OWN).status_code

    hall.app.before_request_funcs[None].append(wait)
    with ThreadPoolExecutor() as pool:
        done, refused = sorted(pool.map(press, tabs))
    assert (done, refused in {STALE, 422}) == (DONE, True)
