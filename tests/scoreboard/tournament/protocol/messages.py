"""Messages of the protocol for laws: every member of every kind, at its bounds too."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from scoreboard.tournament.protocol.documents import LARGEST_SEQUENCE
from scoreboard.tournament.protocol.hub_update import (
    ClockUpdate,
    Greeting,
    HubUpdate,
    Joined,
    JoinRequest,
    LocalizedText,
    MessageUpdate,
    Refused,
    ResultUpdate,
    SeatingUpdate,
    SeatUpdate,
)
from scoreboard.tournament.protocol.items import (
    Delivery,
    DisputedBy,
    EventItem,
    Gap,
    Item,
    Opened,
    Receipt,
    SignedBy,
    StoredItems,
)

AT = datetime(2026, 11, 22, 18, 30, 5, 250, tzinfo=UTC)

characters = st.characters(codec="utf-8")
texts = st.text(characters, max_size=40)
names = st.text(characters, min_size=1, max_size=30)
counts = st.integers(0, LARGEST_SEQUENCE)
numbers = st.integers(1, LARGEST_SEQUENCE)
game_ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
tokens = st.from_regex(r"[A-Za-z0-9_-]{32,64}", fullmatch=True)
gaps = st.builds(Gap, numbers, numbers)
helds = st.builds(StoredItems, counts, st.lists(gaps, max_size=3).map(tuple))
scalars = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | texts
bodies = st.dictionaries(texts, scalars | st.lists(scalars, max_size=3), max_size=4)
items = st.builds(Item, numbers, bodies)
times = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 -- bounds are naive
seats = st.builds(SeatUpdate, numbers, names)
phases = st.sampled_from(["reported", "signed", "disputed", "settled"])
game_scores = st.sampled_from(("4 52, 7 -12", "1 0, 12 no-show", "3 forfeit"))
results = st.builds(
    ResultUpdate, numbers, numbers, phases, game_scores, st.lists(numbers, max_size=3).map(tuple)
)
gap_names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)


def sentences_with(values: st.SearchStrategy[Any]) -> st.SearchStrategy[LocalizedText]:
    """Sentences whose gaps are filled with these."""
    return st.builds(
        lambda words, filled: LocalizedText(
            words + "".join(f" {{{gap}}}" for gap in filled), filled
        ),
        st.sampled_from(["It is", "Game", "{{braces}}"]),
        st.dictionaries(gap_names, values, max_size=3),
    )


sentences = st.recursive(
    sentences_with(texts | counts | st.floats(-1e6, 1e6).filter(lambda x: x != int(x))),
    sentences_with,
    max_leaves=4,
)
sittings = st.builds(
    SeatingUpdate,
    numbers,
    st.sampled_from(["drawn", "running", "closed"]),
    numbers,
    numbers,
    texts,
    st.dictionaries(texts, texts, max_size=2),
    st.lists(seats, max_size=6).map(tuple),
)


@st.composite
def openings(draw: st.DrawFn) -> Opened:
    """A game that opens, with an entrant for every player."""
    players = draw(st.lists(names, min_size=1, max_size=4))
    entrants = draw(st.lists(numbers, min_size=len(players), max_size=len(players)))
    place = draw(st.tuples(numbers, numbers, numbers))
    options = draw(st.dictionaries(texts, texts, max_size=2))
    return Opened(draw(names), tuple(players), draw(times), *place, tuple(entrants), options)


contents: st.SearchStrategy[Any] = st.one_of(
    openings(),
    st.builds(
        EventItem,
        numbers,
        times,
        st.sampled_from(["camera", "button", "page", "hub", "clock"]),
        numbers,
        bodies,
    ),
    st.builds(SignedBy, numbers),
    st.builds(DisputedBy, numbers, texts),
)
messages: st.SearchStrategy[Any] = st.one_of(
    st.builds(JoinRequest, names, names, tokens),
    st.builds(Joined, names, texts, numbers),
    st.builds(Delivery, game_ids, st.lists(items, max_size=3).map(tuple)),
    st.builds(Receipt, helds, st.lists(numbers, max_size=3).map(tuple)),
    st.builds(Greeting, st.dictionaries(game_ids, counts, max_size=3), counts),
    st.builds(
        HubUpdate,
        counts,
        numbers,
        texts,
        st.none() | sittings,
        st.lists(results, max_size=2).map(tuple),
        st.dictionaries(game_ids, helds, max_size=2),
        texts,
        st.none() | sentences,
        st.lists(st.builds(MessageUpdate, numbers, texts), max_size=2).map(tuple),
        st.none() | st.builds(ClockUpdate, st.integers(-90, 90), st.booleans()),
        texts,
    ),
    st.builds(Refused, texts, texts, st.none() | sentences),
)
