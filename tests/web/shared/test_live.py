"""Every viewer gets the newest state, nobody waits for a slow one, and places come free."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest

from scoreboard.table.view import TableView
from tests.patience import PATIENCE_SECONDS
from tests.web.table_fake import NO_GAME
from web.shared.live import FullError, Live, LiveViews, Places, SharedDrawing, Watch, server_sent


def version_of(view: TableView | None) -> int | None:
    """What a test compares: None for a heartbeat."""
    return None if view is None else view.version


def announced(live: LiveViews, version: int) -> None:
    """Announce a view of that version."""
    live.announce(replace(NO_GAME, version=version))


def test_a_quiet_table_beats() -> None:
    """Without a change a heartbeat comes, and the state is not sent again."""
    live = LiveViews(heartbeat_seconds=0.01)
    announced(live, 1)
    watch = live.watch()
    assert [version_of(next(watch)) for _ in range(3)] == [1, None, None]


def test_a_slow_viewer_skips_to_the_newest() -> None:
    """There is one slot, not a queue."""
    live = LiveViews(heartbeat_seconds=0.01)
    watch = live.watch()
    announced(live, 1)
    first = next(watch)
    for version in (2, 3, 4):
        announced(live, version)
    assert [version_of(first), version_of(next(watch)), version_of(next(watch))] == [1, 4, None]


def test_every_viewer_gets_every_state() -> None:
    """Twenty states, each waited for, reach ten viewers in order."""
    live = LiveViews(heartbeat_seconds=30)
    got: dict[int, list[int]] = {number: [] for number in range(10)}
    everyone = threading.Barrier(len(got) + 1)

    def follow(number: int, watch: Watch[TableView]) -> None:
        for view in watch:
            if view is not None:
                got[number].append(view.version)
                everyone.wait(timeout=PATIENCE_SECONDS)

    viewers = [
        threading.Thread(target=follow, args=(number, live.watch()), daemon=True) for number in got
    ]
    for viewer in viewers:
        viewer.start()
    for version in range(1, 21):
        announced(live, version)
        everyone.wait(timeout=PATIENCE_SECONDS)
    live.close()
    for viewer in viewers:
        viewer.join(timeout=PATIENCE_SECONDS)
    assert all(versions == list(range(1, 21)) for versions in got.values())


def test_the_table_is_full_at_its_limit_and_a_place_comes_free_once() -> None:
    """One more is refused; a viewer who leaves twice frees one place."""
    live = LiveViews(viewer_limit=2)
    first, _second = live.watch(), live.watch()
    with pytest.raises(FullError):
        live.watch()
    first.close()
    first.close()
    assert live.viewers == 1
    live.watch()
    with pytest.raises(FullError):
        live.watch()


def test_a_stranger_has_a_few_places_of_all() -> None:
    """By each of the things that they are known by; others find theirs."""
    live = LiveViews(viewer_limit=10)
    first = live.watch({"address": 3, "browser": 2})
    live.watch({"address": 3, "browser": 2})
    with pytest.raises(FullError):
        live.watch({"address": 3, "browser": 2})
    live.watch({"address": 3, "another": 2})
    with pytest.raises(FullError):
        live.watch({"address": 3, "a third": 2})
    first.close()
    live.watch({"address": 3, "browser": 2})


def test_whoever_plays_takes_the_place_of_the_youngest_stranger() -> None:
    """Whose watch ends at once, whatever page it is of; where only players are, nobody goes."""
    places = Places(3)
    table, screen = (Live[TableView](places, 30) for _ in range(2))
    announced_at = replace(NO_GAME, version=1)
    table.announce(announced_at)
    screen.announce(announced_at)
    older, younger = table.watch({"one": 8}), screen.watch({"another": 8})
    table.watch()
    for watch in (older, younger):
        next(watch)
    with pytest.raises(FullError):
        table.watch({"a third": 8})
    table.watch()
    assert list(younger) == []
    younger.close()
    table.watch()
    assert list(older) == []
    with pytest.raises(FullError):
        table.watch()


def test_closing_ends_every_watch_and_every_later_one() -> None:
    """The end of the process does not wait for heartbeats."""
    live = LiveViews(heartbeat_seconds=30)
    announced(live, 1)
    watch = live.watch()
    next(watch)
    ended = threading.Thread(target=lambda: list(watch), daemon=True)
    ended.start()
    live.close()
    ended.join(timeout=PATIENCE_SECONDS)
    assert not ended.is_alive()
    assert list(live.watch()) == []


def test_a_state_is_drawn_once_a_language_and_right() -> None:
    """Fifty viewers do not make fifty drawings."""
    drawn: list[int] = []

    def draw(view: TableView, reader: str) -> str:
        drawn.append(view.version)
        return f"drawing {len(drawn)} for a {reader}"

    drawing = SharedDrawing(draw)
    second = replace(NO_GAME, version=2)
    asked = (("en", "player"), ("en", "player"), ("ko", "player"), ("en", "watcher"))
    assert [drawing.of(NO_GAME, *each) for each in asked] == [
        "drawing 1 for a player",
        "drawing 1 for a player",
        "drawing 2 for a player",
        "drawing 3 for a watcher",
    ]
    assert drawing.of(second, "en", "player") == drawing.of(second, "en", "player")
    assert drawn == [1, 1, 1, 2]


def test_an_event_is_one_line_of_data_however_long_its_text() -> None:
    """Line breaks in a drawing cannot end an event early."""
    text = server_sent("table", {"html": "one\ntwo\r\n\nthree"}, "a.7")
    head, event, data, *rest = text.split("\n")
    assert (head, event, rest) == ("id: a.7", "event: table", ["", ""])
    assert json.loads(data.removeprefix("data: ")) == {"html": "one\ntwo\r\n\nthree"}
    assert server_sent("beat", data=True) == "event: beat\ndata: true\n\n"
