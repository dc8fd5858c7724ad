"""The chain of hashes: it breaks where anything was changed."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.tournament.model.hash_chain import ORIGIN, canonical_json, hash_of, verify
from tests.scoreboard.tournament.model.chains import chained

documents = st.lists(
    st.dictionaries(st.text(max_size=4), st.integers() | st.text(max_size=5), max_size=3),
    min_size=1,
    max_size=8,
)


@given(documents)
def test_an_untouched_chain_holds(given_documents: list[dict[str, object]]) -> None:
    """Whatever is chained verifies, and so does every beginning of it."""
    links = chained(given_documents)
    assert verify(links) is None
    assert verify(links[:-1]) is None
    assert [link.document for link in links] == given_documents


@given(documents, st.data())
def test_a_changed_document_breaks_it_there(
    given_documents: list[dict[str, object]], data: st.DataObject
) -> None:
    """The first broken place is the one that was touched."""
    links = list(chained(given_documents))
    place = data.draw(st.integers(0, len(links) - 1))
    links[place] = replace(links[place], document={**links[place].document, "more": 1})
    assert verify(links) == place


@given(documents, st.data())
def test_a_rewritten_link_breaks_the_next(
    given_documents: list[dict[str, object]], data: st.DataObject
) -> None:
    """Who mends the hash too would have to mend all that follow."""
    links = list(chained(given_documents))
    place = data.draw(st.integers(0, len(links) - 1))
    forged = {**links[place].document, "more": 1}
    links[place] = chained([forged], links[place].previous)[0]
    assert verify(links) == (None if place == len(links) - 1 else place + 1)


@given(documents, st.data())
def test_a_dropped_or_moved_link_breaks_it(
    given_documents: list[dict[str, object]], data: st.DataObject
) -> None:
    """Nothing can be taken out of the middle, and nothing change its place."""
    links = chained([*given_documents, {"last": 1}])
    place = data.draw(st.integers(0, len(links) - 2))
    assert verify((*links[:place], *links[place + 1 :])) == place
    swapped = (*links[:place], links[place + 1], links[place], *links[place + 2 :])
    assert verify(swapped) == place


def test_the_hash_can_be_reckoned_by_hand() -> None:
    """Any other program can check the record: SHA-256 over plain JSON."""
    text = '{"document":{"a":"\\u00e9","b":1},"previous":"' + ORIGIN + '"}'
    assert hash_of(ORIGIN, {"b": 1, "a": "é"}) == sha256(text.encode()).hexdigest()


def test_there_is_one_way_to_write_a_document() -> None:
    """The order of members does not count; what JSON does not know is refused."""
    assert canonical_json({"b": [1, None], "a": True}) == b'{"a":true,"b":[1,null]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"a": float("nan")})
