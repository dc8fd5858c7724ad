"""What tables deliver is kept exactly once, in every store."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoreboard.errors import ConflictError
from scoreboard.tournament.protocol.items import (
    DisputedDeliveryError,
    Gap,
    Item,
    ItemDispute,
    StoredItems,
    held_from,
)
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.storage.samples import item, items
from tests.scoreboard.tournament.storage.temporary import temporary_store


def test_gaps_are_answered_until_they_are_filled(hub: SqlHubStore) -> None:
    """What is missing is named, and later items wait above it."""
    assert hub.deliveries.take("north", "g", items(5, 9)) == StoredItems(0, (Gap(1, 4), Gap(6, 8)))
    assert hub.deliveries.take("north", "g", items(1, 3)) == StoredItems(
        1, (Gap(2, 2), Gap(4, 4), Gap(6, 8))
    )
    assert hub.deliveries.held("g") == StoredItems(1, (Gap(2, 2), Gap(4, 4), Gap(6, 8)))
    assert hub.deliveries.take("north", "g", items(4, 2)) == StoredItems(5, (Gap(6, 8),))
    assert hub.deliveries.game("g", after=3) == items(4, 5, 9)
    assert hub.deliveries.take("north", "g", items(6, 7, 8)) == StoredItems(9)


def test_an_empty_delivery_asks_what_is_held(hub: SqlHubStore) -> None:
    """A table that delivers nothing is answered all the same; an unknown game is no fault."""
    assert (hub.deliveries.held("g"), hub.deliveries.game("g")) == (StoredItems(), ())
    assert hub.deliveries.take("north", "g", []) == StoredItems()
    hub.deliveries.take("north", "g", items(1))
    assert hub.deliveries.take("north", "g", []) == StoredItems(1)


def test_games_are_listed_by_table(hub: SqlHubStore) -> None:
    """A table's games come in the order in which they were first delivered."""
    for table, game_id in (("north", "z"), ("south", "m"), ("north", "a"), ("north", "z")):
        hub.deliveries.take(table, game_id, items(1))
    assert hub.deliveries.games_of("north") == ("z", "a")
    assert hub.deliveries.games_of("south") == ("m",)
    assert [hub.deliveries.table_of(game_id) for game_id in "zmo"] == ["north", "south", None]


def test_a_game_belongs_to_its_table(hub: SqlHubStore) -> None:
    """Another table's delivery is refused by name, and nothing of it is kept."""
    hub.deliveries.take("north", "g", items(1))
    with pytest.raises(ConflictError, match="by table “north”"):
        hub.deliveries.take("south", "g", items(2))
    assert hub.deliveries.game("g") == items(1)
    assert hub.deliveries.games_of("south") == ()


def test_another_body_for_a_held_sequence_is_disputed(hub: SqlHubStore) -> None:
    """The refusal names both bodies; the held one stays, and the rest of the delivery is kept."""
    hub.deliveries.take("north", "g", items(1, 2))
    with pytest.raises(DisputedDeliveryError, match=r"rolled.*came again.*scored") as refused:
        hub.deliveries.take("north", "g", [item(2, "scored"), item(3)])
    dispute = ItemDispute("g", 2, "north", item(2).body, item(2, "scored").body)
    assert refused.value.disputes == (dispute,)
    assert refused.value.held == StoredItems(3)
    assert hub.deliveries.game("g") == items(1, 2, 3)
    assert hub.deliveries.disputes() == (dispute,)


def test_a_dispute_is_noted_once(hub: SqlHubStore) -> None:
    """A table that keeps offering the same is refused each time, and listed once."""
    hub.deliveries.take("north", "g", items(1))
    for kind in ("scored", "scored", "kept"):
        with pytest.raises(ConflictError):
            hub.deliveries.take("north", "g", [item(1, kind)])
    assert [one.offered["kind"] for one in hub.deliveries.disputes()] == ["scored", "kept"]
    change = hub.change_feed.since(0)
    assert [one.topic for one in change] == ["game", "dispute", "dispute"]


def test_of_two_bodies_in_one_delivery_the_first_counts(hub: SqlHubStore) -> None:
    """A delivery that contradicts itself keeps what it said first."""
    with pytest.raises(DisputedDeliveryError):
        hub.deliveries.take("north", "g", [item(1), item(1, "scored")])
    assert hub.deliveries.game("g") == items(1)


def test_the_order_of_members_is_no_other_body(hub: SqlHubStore) -> None:
    """A JSON document is the same however its members are ordered."""
    hub.deliveries.take("north", "g", [Item(1, {"a": 1, "b": {"c": "Süd", "d": None}})])
    again = Item(1, {"b": {"d": None, "c": "Süd"}, "a": 1})
    assert hub.deliveries.take("north", "g", [again]) == StoredItems(1)


def test_a_body_that_is_no_json_keeps_the_delivery_out(hub: SqlHubStore) -> None:
    """Nothing of such a delivery is kept, not even its game."""
    with pytest.raises(ValueError, match="JSON"):
        hub.deliveries.take("north", "g", [item(1), Item(2, {"points": float("inf")})])
    assert hub.deliveries.games_of("north") == ()


def test_the_largest_sequence_is_kept(hub: SqlHubStore) -> None:
    """Every store counts as far as an item can."""
    hub.deliveries.take("north", "g", items(2**31 - 1))
    assert hub.deliveries.held("g") == StoredItems(0, (Gap(1, 2**31 - 2),))


def test_tables_deliver_at_once(hub: SqlHubStore) -> None:
    """Eight deliveries at once of overlapping parts of one new game leave each item once."""
    parts = [items(*range(start, start + 8)) for start in range(1, 30, 4)]
    acts = [lambda part=part: hub.deliveries.take("north", "g", part) for part in parts]
    assert race(acts) == [None] * 8
    assert hub.deliveries.held("g") == StoredItems(36)
    assert hub.deliveries.game("g") == items(*range(1, 37))


def test_whatever_the_way_does_each_item_arrives_once(hub: SqlHubStore) -> None:
    """Deliveries in any order, doubled and overlapping, end in the game as it was played."""
    random = Random(6)
    parts = [(start, random.randint(1, 6)) for start in range(1, 41)] * 2
    random.shuffle(parts)
    for start, length in parts:
        hub.deliveries.take("north", "g", items(*range(start, min(start + length, 41))))
    assert hub.deliveries.held("g") == StoredItems(40)
    assert hub.deliveries.game("g") == items(*range(1, 41))


@given(st.lists(st.lists(st.integers(1, 12), max_size=5), max_size=8))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
def test_what_is_held_is_what_was_taken(deliveries: list[list[int]]) -> None:
    """After any deliveries the answer and the items are those of the set of all sequences."""
    with closing(temporary_store()) as hub:
        taken: set[int] = set()
        for sequences in deliveries:
            taken |= set(sequences)
            assert hub.deliveries.take("north", "g", items(*sequences)) == held_from(0, taken)
        assert hub.deliveries.game("g") == items(*sorted(taken))


@given(st.sets(st.integers(1, 30)))
def test_the_answer_leaves_out_exactly_what_is_missing(sequences: set[int]) -> None:
    """What the answer says is held is what is: up to `through`, and between the gaps."""
    held = held_from(0, sequences)
    missing = {one for gap in held.gaps for one in range(gap.first, gap.last + 1)}
    highest = max(sequences, default=0)
    assert set(range(1, highest + 1)) - missing == sequences
    assert held.through == min({*missing, highest + 1}) - 1


def test_an_answer_is_read_by_people_too() -> None:
    """Logs show how far, and what is missing."""
    assert str(StoredItems(4)) == "4"
    assert str(StoredItems(4, (Gap(5, 5), Gap(7, 9)))) == "4 without 5 7-9"


def test_a_long_body_is_shown_in_part() -> None:
    """The sentence of a dispute stays one that can be read."""
    dispute = ItemDispute("g", 1, "north", {"text": "a" * 900}, {})
    assert len(str(dispute.message())) < 400
