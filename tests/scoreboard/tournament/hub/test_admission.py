"""How tables come in, over a store in SQLite."""

from __future__ import annotations

from random import Random

import pytest

from scoreboard.errors import NotationError
from scoreboard.tournament.hub.admission import SIGNS, Admission, TableSeat
from scoreboard.tournament.protocol.audit_log import JoinRefusedError
from scoreboard.tournament.protocol.hub_update import JoinRequest
from scoreboard.tournament.storage.hub_store import SqlHubStore
from tests.scoreboard.tournament.hub.halls import Ticking

TOKEN, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def admission(store: SqlHubStore, clock: Ticking) -> Admission:
    """How tables join, with codes by chance that can be foreseen."""
    return Admission(store.people, clock, Random(1))


def test_a_code_is_short_and_cannot_be_misread(admission: Admission) -> None:
    """Eight signs in two halves, none of which looks like another."""
    codes = {admission.offer_code("cup", table) for table in range(1, 30)}
    assert len(codes) == 29
    assert all(len(code) == 9 and code[4] == "-" for code in codes)
    assert {sign for code in codes for sign in code} <= {*SIGNS, "-"}


def test_a_code_is_taken_as_people_type_it(admission: Admission) -> None:
    """Small letters, those of full width, blanks and a missing dash do no harm."""
    code = admission.offer_code("cup", 7)
    typed = (
        f" {code[:6].lower().replace('-', ' ')} {''.join(chr(ord(c) + 0xFEE0) for c in code[6:])}"
    )
    for _ in range(2):  # a table that did not hear the answer asks again
        assert admission.join(JoinRequest(typed, "north", TOKEN)) == TableSeat("cup", 7)
    assert admission.table_of(TOKEN) == TableSeat("cup", 7)
    assert admission.table_of(OTHER) is None


@pytest.mark.parametrize("code", ["", "ACDE-3467", "x" * 64, "\u2014"])
def test_a_code_that_nobody_offered_lets_nobody_in(admission: Admission, code: str) -> None:
    """It is told so, since it was mistyped, and not spent."""
    with pytest.raises(PermissionError, match="No table joins by this code"):
        admission.join(JoinRequest(code, "north", TOKEN))


def test_a_new_code_ends_the_old_one_of_its_table(admission: Admission) -> None:
    """A lost slip lets nobody in; codes of other tables, and who has joined, are left alone."""
    admission.join(JoinRequest(admission.offer_code("cup", 7), "north", TOKEN))
    lost, other = admission.offer_code("cup", 7), admission.offer_code("cup", 8)
    new = admission.offer_code("cup", 7)
    with pytest.raises(JoinRefusedError, match="a newer code"):
        admission.join(JoinRequest(lost, "south", OTHER))
    assert admission.join(JoinRequest(new, "south", OTHER)) == TableSeat("cup", 7)
    assert admission.join(JoinRequest(other, "west", "c" * 32)) == TableSeat("cup", 8)
    assert admission.table_of(TOKEN) == TableSeat("cup", 7)


def test_a_refused_join_does_not_spend_the_code(admission: Admission) -> None:
    """A device that is table 1 reads the slip of table 2: the right one joins by it after that."""
    admission.join(JoinRequest(admission.offer_code("cup", 1), "north", TOKEN))
    code = admission.offer_code("cup", 2)
    with pytest.raises(JoinRefusedError, match="is table 1 already"):
        admission.join(JoinRequest(code, "north", TOKEN))
    assert admission.table_of(TOKEN) == TableSeat("cup", 1)
    assert admission.join(JoinRequest(code, "south", OTHER)) == TableSeat("cup", 2)


def test_a_code_expires(admission: Admission, clock: Ticking) -> None:
    """After twelve hours it lets nobody in, and who came in before stays in."""
    early, late = admission.offer_code("cup", 1), admission.offer_code("cup", 2)
    admission.join(JoinRequest(early, "north", TOKEN))
    clock.pass_by(hours=12)
    with pytest.raises(JoinRefusedError):
        admission.join(JoinRequest(late, "south", OTHER))
    assert admission.table_of(TOKEN) == TableSeat("cup", 1)


def test_a_table_is_shut_out_for_good(admission: Admission) -> None:
    """Neither its token nor its spent code lets it in again; a new code does."""
    request = JoinRequest(admission.offer_code("cup", 7), "north", TOKEN)
    admission.join(request)
    admission.revoke("cup", 7)
    assert admission.table_of(TOKEN) is None
    with pytest.raises(JoinRefusedError):
        admission.join(request)
    admission.join(JoinRequest(admission.offer_code("cup", 7), "north", OTHER))
    assert admission.table_of(OTHER) == TableSeat("cup", 7)


def test_another_process_hears_of_it_within_half_a_minute(
    admission: Admission, store: SqlHubStore, clock: Ticking
) -> None:
    """What a process has looked up it believes for five seconds, and no longer."""
    admission.join(JoinRequest(admission.offer_code("cup", 7), "north", TOKEN))
    there = Admission(store.people, clock, Random(2))
    assert there.table_of(TOKEN) == TableSeat("cup", 7)
    admission.revoke("cup", 7)
    clock.pass_by(seconds=30)
    assert there.table_of(TOKEN) is None


@pytest.mark.parametrize("text", ["cup", "cup/", "cup/-1", "cup/x", "cup/0", "cup/²"])
def test_what_names_no_place_is_refused(text: str) -> None:
    """A place is an event, a slash and a number from 1."""
    with pytest.raises(NotationError):
        TableSeat.parse(text)
    assert TableSeat.parse("a/b/7") == TableSeat("a/b", 7)
