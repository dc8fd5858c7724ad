"""How tables come in, over stores in memory and in SQLite."""

from __future__ import annotations

from random import Random

import pytest

from scoreboard.access import JoinRefusedError
from scoreboard.errors import NotationError
from scoreboard.hub.code import SIGNS
from scoreboard.hub.joining import Joining
from scoreboard.hub.place import Place
from scoreboard.hub.ports import HubStore
from scoreboard.wire.joining import JoinRequest
from tests.scoreboard.hub.clocks import Ticking
from tests.scoreboard.store.racing import race

TOKEN, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def joining(store: HubStore, clock: Ticking) -> Joining:
    """How tables join, with codes by chance that can be foreseen."""
    return Joining(store.people, clock, Random(1))


def test_a_code_is_short_and_cannot_be_misread(joining: Joining) -> None:
    """Eight signs in two halves, none of which looks like another."""
    codes = {joining.offer_code("cup", table) for table in range(1, 30)}
    assert len(codes) == 29
    assert all(len(code) == 9 and code[4] == "-" for code in codes)
    assert {sign for code in codes for sign in code} <= {*SIGNS, "-"}


def test_a_table_joins_with_a_code(joining: Joining) -> None:
    """It is told its place, and its token stands for the place from then on."""
    code = joining.offer_code("cup", 7)
    assert joining.join(JoinRequest(code, "by the door", TOKEN)) == Place("cup", 7)
    assert joining.table_of(TOKEN) == Place("cup", 7)
    assert joining.table_of(OTHER) is None


def test_a_code_is_taken_as_people_type_it(joining: Joining) -> None:
    """Small letters, blanks and a missing dash do no harm."""
    code = joining.offer_code("cup", 7)
    typed = f" {code.lower().replace('-', ' ')} "
    assert joining.join(JoinRequest(typed, "north", TOKEN)) == Place("cup", 7)


def test_a_table_that_did_not_hear_the_answer_asks_again(joining: Joining) -> None:
    """The same request has the same answer, another token has none."""
    request = JoinRequest(joining.offer_code("cup", 7), "north", TOKEN)
    assert joining.join(request) == joining.join(request)
    with pytest.raises(JoinRefusedError):
        joining.join(JoinRequest(request.code, "north", OTHER))
    assert joining.table_of(OTHER) is None


@pytest.mark.parametrize("code", ["", "ACDE-3467", "x" * 64, "\u2014"])
def test_a_code_that_nobody_offered_lets_nobody_in(joining: Joining, code: str) -> None:
    """It is told so, since it was mistyped, and not spent."""
    with pytest.raises(PermissionError, match="No table joins by this code"):
        joining.join(JoinRequest(code, "north", TOKEN))


def test_a_new_code_ends_the_old_one_of_its_table(joining: Joining) -> None:
    """A lost slip lets nobody in; codes of other tables, and who has joined, are left alone."""
    joining.join(JoinRequest(joining.offer_code("cup", 7), "north", TOKEN))
    lost, other = joining.offer_code("cup", 7), joining.offer_code("cup", 8)
    new = joining.offer_code("cup", 7)
    with pytest.raises(JoinRefusedError, match="a newer code"):
        joining.join(JoinRequest(lost, "south", OTHER))
    assert joining.join(JoinRequest(new, "south", OTHER)) == Place("cup", 7)
    assert joining.join(JoinRequest(other, "west", "c" * 32)) == Place("cup", 8)
    assert joining.table_of(TOKEN) == Place("cup", 7)


def test_a_refused_join_does_not_spend_the_code(joining: Joining) -> None:
    """A device that is table 1 reads the slip of table 2: the right one joins by it after that."""
    joining.join(JoinRequest(joining.offer_code("cup", 1), "north", TOKEN))
    code = joining.offer_code("cup", 2)
    with pytest.raises(JoinRefusedError, match="is table 1 already"):
        joining.join(JoinRequest(code, "north", TOKEN))
    assert joining.table_of(TOKEN) == Place("cup", 1)
    assert joining.join(JoinRequest(code, "south", OTHER)) == Place("cup", 2)


def test_a_code_expires(joining: Joining, clock: Ticking) -> None:
    """After twelve hours it lets nobody in, and who came in before stays in."""
    early, late = joining.offer_code("cup", 1), joining.offer_code("cup", 2)
    joining.join(JoinRequest(early, "north", TOKEN))
    clock.pass_by(hours=12)
    with pytest.raises(JoinRefusedError):
        joining.join(JoinRequest(late, "south", OTHER))
    assert joining.table_of(TOKEN) == Place("cup", 1)


def test_a_table_is_shut_out_for_good(joining: Joining) -> None:
    """Neither its token nor its spent code lets it in again; a new code does."""
    request = JoinRequest(joining.offer_code("cup", 7), "north", TOKEN)
    joining.join(request)
    joining.revoke("cup", 7)
    assert joining.table_of(TOKEN) is None
    with pytest.raises(JoinRefusedError):
        joining.join(request)
    joining.join(JoinRequest(joining.offer_code("cup", 7), "north", OTHER))
    assert joining.table_of(OTHER) == Place("cup", 7)


def test_another_process_hears_of_it_within_half_a_minute(
    joining: Joining, store: HubStore, clock: Ticking
) -> None:
    """What a process has looked up it believes for five seconds, and no longer."""
    joining.join(JoinRequest(joining.offer_code("cup", 7), "north", TOKEN))
    there = Joining(store.people, clock, Random(2))
    assert there.table_of(TOKEN) == Place("cup", 7)
    joining.revoke("cup", 7)
    clock.pass_by(seconds=30)
    assert there.table_of(TOKEN) is None


def test_only_one_of_two_tables_gets_in_by_a_code(joining: Joining) -> None:
    """They ask at once, and one is refused."""
    code = joining.offer_code("cup", 7)
    acts = [
        lambda token=token: joining.join(JoinRequest(code, "table", token))
        for token in (TOKEN, OTHER)
    ]
    assert sorted(type(each).__name__ for each in race(acts)) == ["JoinRefusedError", "NoneType"]


@pytest.mark.parametrize("text", ["cup", "cup/", "cup/-1", "cup/x", "cup/0", "cup/²"])
def test_what_names_no_place_is_refused(text: str) -> None:
    """A place is an event, a slash and a number from 1."""
    with pytest.raises(NotationError):
        Place.parse(text)
    assert Place.parse("a/b/7") == Place("a/b", 7)
