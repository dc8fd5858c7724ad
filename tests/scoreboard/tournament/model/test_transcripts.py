"""The exported record: declared names, its chain, and what is wrong with a bad one."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreboard.errors import NotationError
from scoreboard.games.engine.transcript import TranscriptError
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Entered, Withdrew
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.hash_chain import ORIGIN, canonical_json, hash_of, verify
from scoreboard.tournament.model.results import ResultReported
from scoreboard.tournament.model.scores import GameResult
from scoreboard.tournament.model.tournament import LotDrawn
from scoreboard.tournament.model.tournament_transcript import (
    CODEC,
    KINDS,
    TournamentEvent,
    TournamentHeader,
    Transcript,
    header_document,
    read_links,
    read_transcript,
    record_document,
)
from tests.scoreboard.tournament.model.chains import chained, write_transcript
from tests.scoreboard.tournament.model.directing import KIM, NOON

HEADER = TournamentHeader("t1", "Open", FORMATS["club-evening"], NOON)
ANNA = TournamentEvent(1, NOON, "director", Entered(Entrant(1, "Anna")))
GONE = TournamentEvent(2, NOON, "director", Withdrew(1, **KIM))


def test_stored_names_are_declared() -> None:
    assert CODEC.document(Withdrew(3, **KIM)) == {
        "kind": "withdrew",
        "by": "Kim",
        "at": "2026-11-22T12:00:00+00:00",
        "why": "as the referee saw it",
        "entrant": 3,
    }
    result = GameResult.parse("4 2 = 5/2 won 1/2, 7 no-show = -100 won 0")
    assert CODEC.document(ResultReported(1, 2, 3, result)) == {
        "kind": "result-reported",
        "round": 1,
        "table": 2,
        "game": 3,
        "result": "4 2 = 5/2 won 1/2, 7 no-show = -100 won 0",
    }
    assert list(KINDS) == [
        "entered", "entered-late", "withdrew", "returned", "replaced", "entry-corrected",
        "entry-deleted", "sign-up-set", "waitlist-joined", "moved-up",
        "penalty-awarded", "penalty-undone",
        "rounds-replanned", "round-drawn", "round-drawn-by-hand", "round-proposed",
        "proposed-changed", "publishing-planned", "round-published", "round-started",
        "tables-merged", "table-split", "tables-changed", "match-called", "match-taken-back",
        "round-closed", "round-undone", "clock-set",
        "result-reported", "result-taken-back", "signed",
        "disputed", "review-requested", "result-upheld", "settled", "result-corrected",
        "score-submitted", "score-corrected",
        "cut-made", "played-off", "lot-drawn", "finished", "reopened",
        "format-changed", "result-awarded",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"kind": "left"},
        {"kind": ["finished"]},
        {"kind": "finished", "by": "Kim"},
        {"kind": "round-started"},
        {"kind": "round-started", "round": "1"},
        {"kind": "round-started", "round": True},
        {"kind": "entered", "entrant": "Anna"},
        {"kind": "entered", "entrant": 3},
        {"kind": "lot-drawn", "order": [1, "2"], "seed": 1, "after_round": 1},
        {"kind": "lot-drawn", "order": 1, "seed": 1, "after_round": 1},
        {"kind": "withdrew", "entrant": 1, "by": "Kim", "at": "noon", "why": "ill"},
        {"kind": "withdrew", "entrant": 1, "by": "Kim", "at": "2026-11-22T12:00", "why": "ill"},
        {"kind": "withdrew", "entrant": 1, "by": "", "at": "2026-11-22T12:00Z", "why": "ill"},
    ],
)
def test_a_stored_happening_that_is_none_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(TranscriptError):
        CODEC.event(document)


def test_a_happening_without_a_declared_kind_is_not_stored() -> None:
    @dataclass(frozen=True)
    class Sneezed:
        """No tournament knows it."""

    with pytest.raises(TranscriptError, match="Sneezed"):
        CODEC.document(Sneezed())


def test_a_correction_says_who_when_and_why() -> None:
    for missing in ({"by": " "}, {"why": ""}, {"at": NOON.replace(tzinfo=None)}):
        with pytest.raises(NotationError):
            Withdrew(1, **{**KIM, **missing})  # type: ignore[arg-type]
    with pytest.raises(TranscriptError):
        TournamentEvent(1, datetime(2026, 1, 1), "director", LotDrawn((), 1, 1))  # noqa: DTZ001
    assert Withdrew(1, **KIM).at.tzinfo is UTC


def test_an_export_is_lines_of_json() -> None:
    text = write_transcript(Transcript(HEADER, (ANNA, GONE)))
    first, second, third = map(json.loads, text.splitlines())
    assert first["document"]["title"] == "Open"
    assert second["previous"] == first["hash"]
    assert third["previous"] == second["hash"]
    assert second["document"]["happening"] == {"kind": "entered", "entrant": "1 Anna"}
    assert read_transcript(text).state.away == {1}


def broken(text: str) -> str:
    """Why an export is not read."""
    with pytest.raises(TranscriptError) as refusal:
        read_transcript(text)
    return str(refusal.value)


def rechained(*documents: dict[str, object]) -> str:
    """An export whose chain holds, whatever it says."""
    return "\n".join(
        json.dumps({"hash": link.hash, "previous": link.previous, "document": link.document})
        for link in chained(documents)
    )


def test_a_record_that_was_touched_is_told() -> None:
    text = write_transcript(Transcript(HEADER, (ANNA, GONE)))
    assert broken(text.replace("1 Anna", "1 Anne")) == "The record is broken at line 2."
    assert broken("") == "The record is broken at line 1."
    assert broken(f"{text}[]\n") == "Line 4 is no record of a tournament."
    assert broken(f"{text}oh\n") == "Line 4 is no record of a tournament."
    assert len(read_links(text)) == 3


def test_a_chain_of_other_things_is_refused() -> None:
    """A whole chain is not enough: every line must be what it should be."""
    header, anna, gone = header_document(HEADER), record_document(ANNA), record_document(GONE)
    assert "carries the number 2" in broken(rechained(header, gone))
    assert "wrong field: title" in broken(rechained({**header, "title": 1}, anna))
    assert "wrong field: opened_at" in broken(rechained({**header, "opened_at": "x"}, anna))
    assert "needs a name" in broken(rechained({**header, "format": ""}, anna))
    assert "wrong field: sequence" in broken(rechained(header, {**anna, "sequence": "1"}))
    assert "time zone" in broken(rechained(header, {**anna, "recorded_at": "2026-11-22T12:00"}))


documents = st.lists(
    st.dictionaries(st.text(max_size=4), st.integers() | st.text(max_size=5), max_size=3),
    min_size=1,
    max_size=8,
)


@given(documents)
def test_an_untouched_chain_holds(given_documents: list[dict[str, object]]) -> None:
    links = chained(given_documents)
    assert verify(links) is None
    assert verify(links[:-1]) is None
    assert [link.document for link in links] == given_documents


@given(documents, st.data())
def test_a_changed_document_breaks_it_there(
    given_documents: list[dict[str, object]], data: st.DataObject
) -> None:
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
    assert canonical_json({"b": [1, None], "a": True}) == b'{"a":true,"b":[1,null]}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"a": float("nan")})
