"""What watching browsers get: the newest state, once drawn, and a beat where nothing is new."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

from werkzeug.test import TestResponse

from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.hub.house import Browser, Hall


def watch(hall: Hall, event: str) -> TestResponse:
    """Somebody who watches the board; whoever asks reads the stream and closes it."""
    return hall.app.test_client().get(f"/e/{event}/live", buffered=False)


def test_a_viewer_gets_the_state_at_once_and_after_every_change(hall: Hall) -> None:
    """Within the time that the news take."""
    event = hall.event(entrants=2)
    with watch(hall, event) as answer:
        states = iter(answer.response)
        assert "Anna" in _text(next(states))
        hall.give(event, Enter(Entrant(7, "Zoe")))
        assert any("Zoe" in _text(next(states)) for _ in range(2))


def test_when_all_places_are_taken_it_is_told(hall: Hall) -> None:
    """And a place is free again when somebody leaves."""
    event = hall.event()
    with watch(hall, event), watch(hall, event):
        assert "event: full" in watch(hall, event).text
    with watch(hall, event) as answer:
        assert "event: state" in _text(next(iter(answer.response)))


def test_the_director_finds_a_place_among_strangers(hall: Hall) -> None:
    """The youngest of them has to go."""
    event, director = hall.event(), hall.browser("director")
    with watch(hall, event) as older, watch(hall, event) as younger:
        states = [iter(each.response) for each in (older, younger)]
        for each in states:
            next(each)

        def at_the_desk() -> str:
            with director.client.get(f"/e/{event}/desk/live", buffered=False) as desk:
                return _text(next(iter(desk.response)))

        with ThreadPoolExecutor() as pool:  # a thread of its own, as each request has
            assert "event: state" in pool.submit(at_the_desk).result()
        assert list(states[1]) == []


def test_one_browser_and_one_address_leave_places() -> None:
    """Eight a browser; half of all an address, behind which a whole hall may be."""
    with closing(temporary_store()) as store, ExitStack() as opened:
        hall = Hall(store=store, viewer_limit=20)
        event = hall.event()

        def watches(browser: Browser, address: str) -> bool:
            sent = {"REMOTE_ADDR": address}
            answer = browser.client.get(f"/e/{event}/live", environ_overrides=sent, buffered=False)
            opened.enter_context(answer)
            return "event: full" not in _text(next(iter(answer.response)))

        browsers = [hall.browser() for _ in range(3)]
        for each in browsers:
            each.get(f"/e/{event}/board")
        assert [watches(browsers[0], "10.0.0.1") for _ in range(9)] == [True] * 8 + [False]
        assert [watches(browsers[1], "10.0.0.1") for _ in range(3)] == [True] * 2 + [False]
        assert watches(browsers[2], "10.0.0.2")


def test_the_end_of_the_hub_lets_everybody_go(hall: Hall) -> None:
    """A stream does not hold the process."""
    event = hall.event()
    with watch(hall, event) as answer:
        states = iter(answer.response)
        next(states)
        hall.store.change_feed.close()
        assert list(states) == []


def test_an_unknown_event_has_no_stream(hall: Hall) -> None:
    """404, as for a page."""
    assert Browser(hall.app.test_client()).get("/e/nowhere/live").status_code == 404


def _text(part: object) -> str:
    return part.decode() if isinstance(part, bytes) else str(part)


def test_what_changes_on_a_board_is_sent_in_pieces(hall: Hall) -> None:
    """A result changes its table and the standings; nothing else is sent again."""
    event = hall.started()
    first, second = hall.results(event)
    hall.give(event, first)  # before it no standings are shown
    with watch(hall, event) as answer:
        states = iter(answer.response)
        assert "event: state" in _text(next(states))
        hall.give(event, second)
        sent = next(each for each in map(_text, states) if "event: beat" not in each)
        assert sent.startswith("event: pieces")
        assert set(json.loads(sent.partition("data: ")[2])) >= {"round-1-table-2", "standings"}
        assert "round-1-table-1" not in sent
