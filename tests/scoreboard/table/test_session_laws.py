"""Laws of the table: whatever happens it goes on, and it shows what is stored."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.dice import Roll
from scoreboard.games import DICE_GAMES, GAMES
from scoreboard.games.engine.game import Setup, replay
from scoreboard.games.engine.transcript import events_in_force
from scoreboard.message import message
from scoreboard.table import requests
from scoreboard.table.view import TableView
from tests.scoreboard.storage.memory_store import MemoryStore
from tests.scoreboard.table.fakes import EVENING, FailingStore, Table, reading

ROLLS = st.lists(st.integers(1, 6), max_size=6).map(lambda faces: Roll(tuple(faces)))
LIKELY_ROLLS = st.lists(st.integers(1, 6), min_size=5, max_size=5).map(
    lambda faces: Roll(tuple(faces))
)
KEYS = st.sampled_from(
    ["start", "roll", "keep", "correct", "stand", "foul:5", "leave:0", "leave:1", "nonsense"]
    + [f"score:{box}" for box in ("aces", "sixes", "full-house", "yahtzee", "chance")]
)
READINGS = st.builds(
    lambda faces, places, doubts: reading(faces, places[: len(faces)], doubts=doubts),
    st.text("123456?", min_size=1, max_size=6),
    st.lists(st.sampled_from([0, 0.05, 0.4, 0.9, 8]), min_size=6, max_size=6).map(
        lambda moves: [place + move for place, move in enumerate(moves)]
    ),
    st.sampled_from([(), (message("The light glares."),)]),
).map(lambda seen: replace(seen, frame=len(seen.sightings)))
NO_VERSION = 0
MESSAGES: st.SearchStrategy[requests.TableRequest] = st.one_of(
    st.builds(requests.Proposed, READINGS),
    st.builds(requests.TableStatusChanged, st.sampled_from(requests.TableStatus)),
    st.builds(requests.TrayCalibrated, st.booleans()),
    st.builds(requests.Pressed, st.sampled_from(requests.Action), st.just(EVENING)),
    st.builds(
        requests.Pressed, st.sampled_from(requests.Action), st.just(EVENING), st.just(NO_VERSION)
    ),
    st.builds(
        requests.Chosen, KEYS, st.just(NO_VERSION), st.none() | (ROLLS | LIKELY_ROLLS).map(str)
    ),
    st.builds(requests.Corrected, ROLLS | LIKELY_ROLLS, st.just(NO_VERSION)),
    st.builds(
        requests.DieCorrected,
        st.none() | st.integers(-1, 6),
        st.none() | st.integers(0, 7),
        st.just(NO_VERSION),
    ),
    st.builds(requests.ReadAgain, st.just(NO_VERSION)),
    st.builds(requests.KeepMarked, st.integers(-1, 5), st.booleans(), st.just(NO_VERSION)),
    st.builds(
        requests.GameOpened,
        st.sampled_from(["yahtzee", "chess"]),
        st.sampled_from([("North",), ("North", "South"), ("North", "North")]),
        st.sampled_from([{}, {"start": "first"}]),
    ),
    st.builds(requests.GameResumed, st.sampled_from(["game-1", "game-2"])),
    st.builds(requests.GameAbandoned, st.just(NO_VERSION)),
    st.builds(requests.PlayerJoined, st.sampled_from(["East", "West"]), st.just(NO_VERSION)),
    st.builds(requests.GameDeleted, st.sampled_from(["game-1", "game-2"]), st.booleans()),
    st.builds(requests.PlayerDeleted, st.just("p1"), st.sampled_from([("North",), ("East",)])),
    st.builds(requests.GameTakenBack, st.sampled_from(["game-1", "game-2"])),
    st.builds(requests.Ticked, st.just(EVENING)),
)


def addressed(
    table_request: requests.TableRequest, table: Table, back: int
) -> requests.TableRequest:
    """The message as somebody sends it who saw the table `back` versions ago, now."""
    seen = table.view.version - back
    match table_request:
        case requests.Pressed(expected=None) | requests.Ticked():
            return replace(table_request, at=table.clock())
        case requests.Pressed():
            return replace(table_request, at=table.clock(), expected=seen)
        case (
            requests.Chosen()
            | requests.Corrected()
            | requests.DieCorrected()
            | requests.ReadAgain()
            | requests.KeepMarked()
            | requests.GameAbandoned()
            | requests.PlayerJoined()
        ):
            return replace(table_request, expected=seen)
        case _:
            return table_request


def assert_shows_what_is_stored(table: Table) -> None:
    """State is what replaying the stored events gives, and nothing else."""
    view = table.view
    if view.game_id is None:
        assert view.stage == "no game"
        return
    header, records = table.store.header(view.game_id), table.store.events(view.game_id)
    game = GAMES[header.game]
    state = replay(game, Setup(header.players, header.options), events_in_force(records))
    assert view.scoresheet == game.scoresheet(state)
    assert view.turn == game.turn(state)
    assert view.sequence == len(records)
    assert_previews_what_waits(view)


def assert_previews_what_waits(view: TableView) -> None:
    """A legal roll that waits, and nothing else, is weighed on the sheet; to look at only."""
    waits = view.proposal is not None and view.proposal.roll is not None
    assert (view.preview is not None) == (waits and view.stage == "rolling")
    if view.preview is not None:
        assert all(cell.offer is None for row in view.preview.rows for cell in row.cells)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            MESSAGES,
            st.sampled_from([0, 0, 0, 0, 1, -1, 5]),
            st.sampled_from([0.0, 0.1, 0.4, 2.0]),
            st.sampled_from([False] * 9 + [True]),
        ),
        max_size=40,
    )
)
def test_whatever_happens_the_table_shows_what_is_stored(
    happenings: list[tuple[requests.TableRequest, int, float, bool]],
) -> None:
    """No message is fatal, versions only grow, and nothing is shown that is not on disk."""
    store = FailingStore()
    table = Table(store).opened()
    for table_request, back, seconds, full in happenings:
        store.full = full
        before = table.view
        answer = table.send(addressed(table_request, table, back))
        assert table.view.version >= before.version
        assert (table.view == before) == (table.view.version == before.version)
        assert answer.verdict in ("done", "refused") or table.view.sequence == before.sequence
        assert_shows_what_is_stored(table)
        table.clock.advance(seconds)
    assert_shows_what_is_stored(table)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(MESSAGES, st.sampled_from([0.1, 2.0])), max_size=30))
def test_undo_leads_back_to_the_beginning(
    happenings: list[tuple[requests.TableRequest, float]],
) -> None:
    table = Table().opened()
    fresh = table.view
    for table_request, seconds in happenings:
        if not isinstance(table_request, requests.Stored | requests.GameAbandoned):
            table.send(addressed(table_request, table, 0))
            table.clock.advance(seconds)
    table.clock.advance(1)
    while table.view.undo is not None:
        assert table.undo().verdict == "done"
    assert (table.view.scoresheet, table.view.turn) == (fresh.scoresheet, fresh.turn)


def two_button_step(table: Table, chance: Random) -> requests.Action:
    """What somebody presses who knows only KEEP and REROLL."""
    view = table.view
    if view.stage == "rolling" and view.reroll is None:
        return requests.Action.KEEP
    return chance.choice([requests.Action.KEEP, requests.Action.REROLL])


@pytest.mark.parametrize("game", DICE_GAMES)
@settings(max_examples=1, deadline=None)
@given(st.integers(0, 2**32))
def test_two_buttons_play_a_whole_game(game: str, seed: int) -> None:
    """Fed with rolls, KEEP and REROLL alone bring two players to the end (YZ-19)."""
    chance = Random(seed)
    table = Table(MemoryStore()).begin(game, "North", "South")
    for _ in range(5000):
        if table.stage() == "finished":
            break
        if table.stage() in ("starting", "rolling") and table.view.proposal is None:
            table.roll("".join(str(chance.randint(1, 6)) for _ in range(5)))
        assert table.press(two_button_step(table, chance)).verdict == "done"
    assert table.view.outcome is not None
    assert {place.player for place in table.view.outcome.ranking} == {"North", "South"}
    assert table.view.scoresheet is not None
    boxes = [row for row in table.view.scoresheet.rows if row.kind == "box"]
    assert all(cell.points is not None for row in boxes for cell in row.cells)
    assert_shows_what_is_stored(table)
    assert table.clock() - EVENING > timedelta(seconds=26)
