"""Who may come in, and who was heard when, in every store."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime, timedelta

import pytest

from scoreboard.errors import ConflictError
from scoreboard.tournament.protocol.audit_log import Account, JoinRefusedError, UnknownAccountError
from scoreboard.tournament.storage.hub_store import SqlHubStore, open_hub_store
from tests.scoreboard.storage.racing import race
from tests.scoreboard.tournament.storage.samples import MORNING

NOON = MORNING + timedelta(hours=3)
SOON = MORNING + timedelta(microseconds=1)
EVENING = MORNING + timedelta(hours=10)
ANNA = Account("Anna", "director", "$argon2id$1")
ZOE = Account("zoë", "referee", "$argon2id$2")


def let_in(hub: SqlHubStore, table: str, token: str, until: datetime) -> None:
    """Let a table in by this token."""
    hub.people.offer_code(f"code of {token}", table, EVENING)
    hub.people.join(f"code of {token}", table, token, MORNING, until)


def test_accounts_are_kept_changed_and_removed_by_name(hub: SqlHubStore) -> None:
    """An account comes back as it was added, with the password given last, until it is removed."""
    hub.people.add_account(ZOE)
    hub.people.add_account(ANNA)
    assert hub.people.account("anna") is None
    assert hub.people.accounts() == (ANNA, ZOE)
    hub.people.set_password("Anna", "$argon2id$3")
    assert hub.people.account("Anna") == Account("Anna", "director", "$argon2id$3")
    hub.people.remove_account("Anna")
    assert hub.people.accounts() == (ZOE,)
    with pytest.raises(UnknownAccountError, match="Nobody is called “Anna”"):
        hub.people.set_password("Anna", "x")
    with pytest.raises(LookupError, match="Anna"):
        hub.people.remove_account("Anna")
    hub.people.add_account(ANNA)


def test_a_name_is_taken_once(hub: SqlHubStore) -> None:
    """A second account with the same name is refused, and changes no password."""
    hub.people.add_account(ANNA)
    with pytest.raises(ConflictError, match="Anna"):
        hub.people.add_account(Account("Anna", "referee", "mine"))
    assert hub.people.accounts() == (ANNA,)


def test_all_processes_sign_with_one_secret(hub: SqlHubStore) -> None:
    """Of workers that start at once each is given the same secret, one that one of them offered."""
    given: list[str] = []
    acts = [
        lambda place=place: given.append(hub.people.session_secret(f"secret {place}"))
        for place in range(6)
    ]
    assert race(acts) == [None] * 6
    assert len(set(given)) == 1
    assert hub.people.session_secret("late") == given[0]


def test_a_session_that_was_ended_stays_so_until_it_is_forgotten(hub: SqlHubStore) -> None:
    """Ended twice it is ended once; others are not touched."""
    hub.people.end_session("here", NOON)
    hub.people.end_session("here", NOON)
    assert hub.people.is_ended("here")
    assert not hub.people.is_ended("there")
    hub.people.forget_expired(SOON)
    assert hub.people.is_ended("here")
    hub.people.forget_expired(NOON)
    assert not hub.people.is_ended("here")


def test_a_token_lets_its_table_in_until_it_expires(hub: SqlHubStore) -> None:
    """At the moment of its expiry a token lets no one in any more."""
    let_in(hub, "north", "token", NOON)
    assert hub.people.table_of("token", MORNING) == "north"
    assert hub.people.table_of("token", NOON - timedelta(microseconds=1)) == "north"
    assert hub.people.table_of("token", NOON) is None
    assert hub.people.table_of("tokem", MORNING) is None


def test_a_table_is_shut_out(hub: SqlHubStore) -> None:
    """Revoking takes all tokens of one table, and no other's."""
    for table, token in (("north", "a"), ("north", "b"), ("south", "c")):
        let_in(hub, table, token, NOON)
    hub.people.revoke_tokens("north")
    assert [hub.people.table_of(token, MORNING) for token in "abc"] == [None, None, "south"]


def test_a_code_tells_its_place_whoever_spends_it(hub: SqlHubStore) -> None:
    """Before and after it is spent; what is no code leads nowhere."""
    hub.people.offer_code("4711", "table 3", NOON)
    assert hub.people.place_of("4711") == "table 3"
    hub.people.join("4711", "north", "token", MORNING, EVENING)
    assert hub.people.place_of("4711") == "table 3"
    assert hub.people.place_of("0815") is None


def test_a_spent_code_lets_no_other_in(hub: SqlHubStore) -> None:
    """Another table or token is refused; the same is answered again, even after the code's time."""
    hub.people.offer_code("4711", "table 3", NOON)
    hub.people.join("4711", "north", "token", MORNING, EVENING)
    for table, token in (("south", "other"), ("north", "other"), ("south", "token")):
        with pytest.raises(JoinRefusedError, match="spent or out of date"):
            hub.people.join("4711", table, token, MORNING, EVENING)
    assert hub.people.table_of("other", MORNING) is None
    assert hub.people.table_of("token", MORNING) == "north"
    assert hub.people.join("4711", "north", "token", NOON, EVENING) == "table 3"


@pytest.mark.parametrize("code", ["4711", "0815"])
def test_an_expired_or_unknown_code_lets_nobody_in(hub: SqlHubStore, code: str) -> None:
    """Both are refused in the same words, so that nobody learns which codes there were."""
    hub.people.offer_code("4711", "table 3", NOON)
    with pytest.raises(PermissionError, match="spent or out of date"):
        hub.people.join(code, "north", "token", NOON, EVENING)
    assert hub.people.table_of("token", NOON) is None


def test_a_code_is_offered_once(hub: SqlHubStore) -> None:
    """Offering the same code again would reopen a spent one."""
    hub.people.offer_code("4711", "table 3", NOON)
    with pytest.raises(ConflictError, match="draw another"):
        hub.people.offer_code("4711", "table 4", NOON)


def test_of_tables_with_the_same_code_exactly_one_joins(hub: SqlHubStore) -> None:
    """Ten times two tables ask at once: each time one is let in, and the other has no token."""
    for turn in range(10):
        code = f"code {turn}"
        hub.people.offer_code(code, "table 3", NOON)
        acts = [
            lambda table=table, code=code: hub.people.join(
                code, table, f"{code} {table}", MORNING, EVENING
            )
            for table in ("north", "south")
        ]
        outcomes = race(acts)
        assert sorted(type(one).__name__ for one in outcomes) == ["JoinRefusedError", "NoneType"]
        let_in = [hub.people.table_of(f"{code} {table}", MORNING) for table in ("north", "south")]
        assert [one is None for one in outcomes] == [table is not None for table in let_in]


def test_what_nobody_can_use_is_forgotten(hub: SqlHubStore) -> None:
    """Expired tokens and codes go; the others stay."""
    let_in(hub, "north", "old", NOON)
    let_in(hub, "north", "new", EVENING)
    hub.people.offer_code("old", "table 1", NOON)
    hub.people.offer_code("new", "table 2", EVENING)
    hub.people.forget_expired(NOON)
    assert hub.people.table_of("old", MORNING) is None
    assert hub.people.table_of("new", MORNING) == "north"
    hub.people.offer_code("old", "table 3", EVENING)
    assert hub.people.join("new", "south", "token", NOON, EVENING) == "table 2"


LATER = MORNING + timedelta(minutes=5)


def test_the_last_time_counts(hub: SqlHubStore) -> None:
    """Of several times the latest is told, whatever their order; who never spoke is left out."""
    for table, at in (("cup/1", MORNING), ("cup/1", LATER), ("cup/2", LATER), ("cup/2", MORNING)):
        hub.presence.note(table, at)
    assert hub.presence.last_contacts(["cup/1", "cup/2", "cup/3"]) == {
        "cup/1": LATER,
        "cup/2": LATER,
    }
    assert hub.presence.last_contacts([]) == {}


def test_another_process_knows_who_was_heard(postgresql: str) -> None:
    """Two stores at one server share it."""
    with closing(open_hub_store(postgresql)) as one, closing(open_hub_store(postgresql)) as other:
        one.presence.note("cup/1", MORNING)
        other.presence.note("cup/1", LATER)
        assert one.presence.last_contacts(["cup/1"]) == {"cup/1": LATER}


def test_what_this_process_heard_it_knows_at_once(hub: SqlHubStore) -> None:
    """Though many times of a moment are written together, and later."""
    tables = [f"cup/{number}" for number in range(5)]
    for table in tables:
        hub.presence.note(table, MORNING)
    assert hub.presence.last_contacts(tables) == dict.fromkeys(tables, MORNING)


def test_many_who_are_heard_are_written_together(postgresql: str) -> None:
    """Another process knows of all of them once the next word came, a second later."""
    tables = {f"cup/{number}" for number in range(5)}
    with closing(open_hub_store(postgresql)) as one, closing(open_hub_store(postgresql)) as other:
        for table in sorted(tables):
            one.presence.note(table, MORNING)
        assert other.presence.last_contacts(tables).keys() < tables
        one.presence.note("cup/0", MORNING + timedelta(seconds=1))
        assert other.presence.last_contacts(tables).keys() == tables
