"""What watching browsers get: the newest state, rendered once for all, and sent where it is new."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from itertools import pairwise
from threading import Barrier, Thread
from time import monotonic
from typing import cast

import pytest
from werkzeug.test import TestResponse

from scoreboard.errors import StoreError
from scoreboard.message import message
from scoreboard.tournament.model.disputes import Dispute
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.hub.halls import MORNING
from tests.scoreboard.tournament.storage.temporary import temporary_store
from tests.web.hub.house import Browser, Hall
from web.hub.live_parts import REST_SECONDS, LiveParts, RenderedPart, part_events
from web.shared.live import BEAT, FullError, Watch


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


def test_a_referee_sees_above_the_results_where_to_go(hall: Hall) -> None:
    """A dispute is shown there as it comes; only the desk has the director's buttons."""
    event, referee = hall.started(), hall.browser("referee")
    hall.give(event, *hall.results(event))
    with referee.client.get(f"/e/{event}/results/live", buffered=False) as answer:
        states = iter(answer.response)
        assert "For the referee" not in _text(next(states))
        hall.give(event, Dispute(1, 2, 1, hall.seats(event, 2)[1], "it was 12"))
        shown = next(text for text in map(_text, states) if "For the referee" in text)
    assert "it was 12" in shown
    assert "next-step" not in shown


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
    assert hall.browser().get("/e/nowhere/live").status_code == 404


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


TWO = "<ul><!--piece a--><b id=a>1</b><!--/piece--><!--piece b--><b id=b>1</b><!--/piece--></ul>"


class Wall:
    """Something that is rendered: `write` changes it and tells of it."""

    def __init__(self) -> None:
        self.store = temporary_store()
        self.text, self.changes = "one", 0
        self.fault: Exception | None = None
        self.has_room = True
        self.rendered: list[str] = []
        self.rendered_at: list[float] = []
        self.threads: list[Thread] = []
        self.parts = LiveParts(self.store.change_feed, 20, self.start)

    def write(self, text: str) -> None:
        """Something happens, visible or not."""
        self.text, self.changes = text, self.changes + 1
        self.store.tournaments.create(f"t{self.changes}", "An event", MORNING)

    def render(self) -> str:
        """What stands there."""
        if self.fault is not None:
            raise self.fault
        self.rendered_at.append(monotonic())
        self.rendered.append(self.text)
        return self.rendered[-1]

    def start(self, work: Callable[[], None]) -> None:
        """In a thread of its own, where the machine has room for one."""
        if not self.has_room:
            raise RuntimeError("can't start new thread")
        self.threads.append(Thread(target=work, daemon=True))
        self.threads[-1].start()

    def watch(self) -> Watch[RenderedPart]:
        """Become a viewer."""
        return self.parts.watch("wall", self.render, lambda _: True, {})

    def close(self) -> None:
        """The hub ends."""
        self.store.close()
        for thread in self.threads:
            thread.join()


@pytest.fixture
def wall() -> Iterator[Wall]:
    """One whose threads end with the test."""
    made = Wall()
    yield made
    made.close()


def next_event(events: Iterator[bytes]) -> bytes:
    """The next event that is no beat."""
    return next(event for event in events if event != BEAT.encode())


def shown(event: bytes) -> str:
    """What an event shows."""
    data = next(line for line in event.decode().splitlines() if line.startswith("data:"))
    said: object = json.loads(data.removeprefix("data:"))
    return said if isinstance(said, str) else str(sorted(cast("dict[str, str]", said).items()))


def test_who_watches_sees_each_state_that_is_otherwise(wall: Wall) -> None:
    """The first at once, the next when something visible has happened."""
    events = part_events(wall.watch())
    assert shown(next(events)) == "one"
    wall.write("one")
    wall.write("two")
    assert shown(next_event(events)) == "two"


def test_however_many_watch_one_renders(wall: Wall) -> None:
    """All of them get the same event, which is written once."""
    together = Barrier(8)
    seen: list[list[bytes]] = []

    def watch() -> None:
        events = part_events(wall.watch())
        together.wait()
        got = [next_event(events)]
        if together.wait() == 0:
            wall.write("two")
        seen.append([*got, next_event(events)])
        together.wait()

    assert race([watch] * 8) == [None] * 8
    assert [len({id(event) for event in state}) for state in zip(*seen, strict=True)] == [1, 1]
    assert len(wall.threads) == 1


def test_who_was_slow_is_told_all_at_once(wall: Wall) -> None:
    """What came in between is not told one after another; who kept up is told what is new."""
    slow, quick = part_events(wall.watch()), part_events(wall.watch())
    assert shown(next_event(slow)) == shown(next_event(quick)) == "one"
    event = b""
    for text in ("first", "second", "third"):
        wall.write(f"<!--piece a-->{text}<!--/piece-->")
        event = next_event(quick)
    assert shown(event) == "[('a', 'third')]"
    assert shown(next_event(slow)) == wall.text


def test_between_two_renderings_it_rests(wall: Wall) -> None:
    """Rendering must leave time for the tables, however fast the changes come."""
    events = part_events(wall.watch())
    for number in range(20):
        wall.write(f"state {number}")
    while "state 19" not in shown(next_event(events)):
        pass
    assert wall.rendered_at[1:]
    pauses = [after - before for before, after in pairwise(wall.rendered_at)]
    assert min(pauses) >= REST_SECONDS


def test_who_comes_after_all_have_left_sees_the_newest(wall: Wall) -> None:
    """While nobody watches nothing is rendered; then it begins again."""
    watch = wall.watch()
    next_event(part_events(watch))
    watch.close()
    wall.write("two")
    wall.threads[0].join()
    wall.write("three")
    assert shown(next_event(part_events(wall.watch()))) == "three"
    assert "two" not in wall.rendered[1:]


def test_who_comes_later_sees_what_is_rendered_already(wall: Wall) -> None:
    """At once, and nothing is rendered for it."""
    next_event(part_events(wall.watch()))
    assert shown(next(part_events(wall.watch()))) == "one"
    assert wall.rendered == ["one"]


def test_a_fault_of_rendering_is_raised_to_all_who_watch(wall: Wall) -> None:
    """And who comes later tries again."""
    wall.fault = StoreError(message("The database is away."))
    watches = [wall.watch(), wall.watch()]
    for watch in watches:
        with pytest.raises(StoreError):
            next_event(part_events(watch))
    wall.fault = None
    assert shown(next_event(part_events(wall.watch()))) == "one"


def test_rendering_that_could_not_start_starts_with_the_next_viewer(wall: Wall) -> None:
    """A machine without room for a thread says so; neither the part nor the place is lost."""
    wall.has_room = False
    for _ in range(30):
        with pytest.raises(RuntimeError, match="can't start"):
            wall.watch()
    wall.has_room = True
    assert shown(next_event(part_events(wall.watch()))) == "one"


def test_all_parts_share_the_places(wall: Wall) -> None:
    """Each viewer holds a thread of the server, whatever it watches."""
    for number in range(20):
        wall.parts.watch(number % 3, wall.render, lambda _: True, {})
    with pytest.raises(FullError):
        wall.watch()


def test_what_is_new_is_told_piece_by_piece() -> None:
    """As long as nothing else is otherwise; then all of it is sent."""
    before = RenderedPart(TWO)
    later = RenderedPart(TWO.replace("id=b>1", "id=b>2"), before)
    assert later.event(before) == b'event: pieces\ndata: {"b": "<b id=b>2</b>"}\n\n'
    for text in (
        TWO.replace("</ul>", "<!--piece c--><b id=c>1</b><!--/piece--></ul>"),
        TWO.replace("<ul>", "<ol>"),
        "<p>",
    ):
        whole = RenderedPart(text, later)
        assert whole.event(later) == whole.event(None)
        assert whole.event(None).startswith(b"event: state")
