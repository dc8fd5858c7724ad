"""Laws that hold in every match of Tong Tong, however it goes and whatever was agreed on."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.errors import RuleViolationError
from scoreboard.games.engine.game import Awaited, Setup
from scoreboard.games.engine.transcript import (
    RecordedEvent,
    event_document,
    event_from_document,
    events_in_force,
    undoing,
)
from scoreboard.games.notation import UNTIMED
from scoreboard.games.tongtong.acts import (
    CardPlayed,
    Command,
    Event,
    GameScored,
    HandShown,
    LeaderNamed,
    PilesEntered,
    TrickTaken,
)
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.state import State
from tests.scoreboard.games.tongtong.playing import (
    Steps,
    commands,
    evolved,
    flat,
    is_admitted,
    random_command,
    random_steps,
    read,
    seated,
    seeds,
    setup_of,
)

lengths = st.one_of(st.integers(0, 12), st.integers(0, 130))
whole_games = settings(max_examples=30)
RENAMED = {"Ann": "홍길동", "Ben": '=1+1 "x"', "Cem": "Ann", "Dora": "a #b", "Eve": "Ben"}


def midway(seed: int, length: int) -> State:
    """The state of a random match after at most `length` acts."""
    state = seated(seed)
    return evolved(state, flat(random_steps(state, seed, length, corrections=True)))


def is_accepted(state: State, command: Command) -> bool:
    """Whether the rules accept the command, with an event of its own."""
    try:
        return len(GAME.decide(state, command)) >= 1
    except RuleViolationError:
        return False


@given(seeds, lengths, st.lists(commands, min_size=20, max_size=40))
def test_the_rules_accept_exactly_what_is_offered(
    seed: int, length: int, tried: list[Command]
) -> None:
    """Any command, inside the offers or outside, is accepted if and only if it is offered."""
    state = midway(seed, length)
    for command in tried:
        assert is_accepted(state, command) == is_admitted(state, command), command


@whole_games
@given(seeds, lengths)
def test_whatever_an_offer_makes_is_accepted(seed: int, length: int) -> None:
    """A page that chooses an offer is never refused."""
    state = midway(seed, length)
    for attempt in range(0 if state.is_finished else 10):
        command = random_command(state, Random(seed + attempt))
        assert is_admitted(state, command), command
        assert is_accepted(state, command), command


@whole_games
@given(seeds, lengths)
def test_offers_have_keys_of_their_own(seed: int, length: int) -> None:
    """A key names one offer; what an open one is written with at first can be read and stands."""
    offers = GAME.offers(midway(seed, length))
    assert len({offer.key for offer in offers}) == len(offers)
    for offer in offers:
        entry = getattr(offer, "entry", None)
        if entry is not None and entry.written:
            assert str(offer.domain.parse(entry.written)) == entry.written  # type: ignore[union-attr]


@whole_games
@given(seeds)
def test_random_offers_end_the_match(seed: int) -> None:
    """TT-2, TT-13: play within the offers ends after three games of three different missions."""
    state = evolved(seated(seed), flat(random_steps(seated(seed), seed)))
    assert len(state.missions_used) == 3
    assert GAME.outcome(state) is not None
    assert GAME.offers(state) == ()
    assert GAME.turn(state).phase == "finished"
    assert GAME.turn(state).player is GAME.scoresheet(state).current is None


@whole_games
@given(seeds, lengths)
def test_replaying_the_events_gives_the_live_state(seed: int, length: int) -> None:
    """The state is what its events give, also when they went through the store."""
    steps = random_steps(seated(seed), seed, length, corrections=True)
    documents = [event_document(event, GAME.kinds) for event in flat(steps)]
    stored = [event_from_document(document, GAME.kinds) for document in documents]
    assert tuple(stored) == flat(steps)
    assert evolved(seated(seed), stored) == evolved(seated(seed), flat(steps))


@whole_games
@given(seeds, st.integers(1, 130))
def test_undo_takes_back_an_act_and_what_followed_from_it(seed: int, length: int) -> None:
    """A card that filled a trick comes back with the trick, and with the game that it ended."""
    steps = random_steps(seated(seed), seed, length, corrections=True)
    records = recorded(steps)
    taken_back = [
        RecordedEvent("text", len(records) + at, UNTIMED, "hub", len(records) + 1, retraction)
        for at, retraction in enumerate(undoing(records), start=1)
    ]
    assert events_in_force([*records, *taken_back]) == flat(steps[:-1])


def recorded(steps: Steps) -> list[RecordedEvent]:
    """The events as they are kept, each with the act that it belongs to."""
    firsts = accumulate((len(step) for step in steps), initial=1)
    numbered = [
        (first, event) for first, step in zip(firsts, steps, strict=False) for event in step
    ]
    return [
        RecordedEvent("text", sequence, UNTIMED, "hub", first, event)
        for sequence, (first, event) in enumerate(numbered, start=1)
    ]


@whole_games
@given(seeds, lengths)
def test_every_act_is_written_and_read_again(seed: int, length: int) -> None:
    """What leads to a state can be written as text: one line an act, none for what follows."""
    state = seated(seed)
    for step in random_steps(state, seed, length, corrections=True):
        lines = [line for line in map(GAME.notation.written, step) if line]
        assert len(lines) == 1
        assert GAME.decide(state, read(lines[0])) == step
        state = evolved(state, step)


@whole_games
@given(seeds)
def test_the_sheet_the_events_and_the_ranking_agree(seed: int) -> None:
    """TT-13, TT-15: what is ranked is what the sheet shows and the events add up to."""
    state, events = seated(seed), flat(random_steps(seated(seed), seed))
    ended = evolved(state, events)
    outcome, sheet = GAME.outcome(ended), GAME.scoresheet(ended)
    assert outcome is not None
    ranked = {place.player: place.points for place in outcome.ranking}
    grand = dict(
        zip(sheet.players, (cell.points for cell in sheet.row("grand").cells), strict=True)
    )
    assert ranked == grand == added_up(ended, events)
    assert [place.points for place in outcome.ranking] == sorted(ranked.values(), reverse=True)
    assert outcome.ranking[0].place == 1


def added_up(state: State, events: tuple[Event, ...]) -> dict[str, int]:
    """What decides for each player, from the points of the games alone (TT-12, TT-15)."""
    own = [0] * len(state.players)
    for game in (event for event in events if isinstance(event, GameScored)):
        for seat, points in enumerate(game.points.numbers):
            own[seat] = max(0, own[seat] + points) + game.bonuses.numbers[seat]
    partner = {0: 2, 1: 3, 2: 0, 3: 1} if state.house.teams else {}
    together = [each + (own[partner[seat]] if partner else 0) for seat, each in enumerate(own)]
    return dict(zip(state.players, together, strict=True))


@whole_games
@given(seeds, lengths)
def test_a_name_changes_no_points(seed: int, length: int) -> None:
    """The same match with other names gives the same sheet."""
    setup = setup_of(seed)
    state, others = GAME.start(setup), tuple(RENAMED[name] for name in setup.players)
    steps = random_steps(state, seed, length, corrections=True)
    other = GAME.start(Setup(others, setup.options))
    other = evolved(other, map(with_name, flat(steps)))
    mine, theirs = (GAME.scoresheet(each) for each in (evolved(state, flat(steps)), other))
    assert replace(theirs, players=mine.players) == mine


def with_name(event: Event) -> Event:
    """The event with its players renamed."""
    if isinstance(event, TrickTaken):
        return TrickTaken(RENAMED[event.player], RENAMED[event.leader])
    if isinstance(event, HandShown | LeaderNamed | CardPlayed | PilesEntered):
        return replace(event, player=RENAMED[event.player])
    return event


@whole_games
@given(seeds)
def test_each_act_changes_what_is_awaited(seed: int) -> None:
    """A page that saw an earlier turn can tell; and the words speak of the player of the turn."""
    state, numbers = seated(seed), list[int]()
    for step in random_steps(state, seed):
        turn = GAME.turn(state)
        numbers.append(turn.number)
        assert isinstance(turn.awaited, Awaited)
        if turn.player is not None:
            assert str(turn.awaited.instruction).startswith(state.players[turn.player])
        assert turn.player == GAME.scoresheet(state).current
        state = evolved(state, step)
        assert all(str(GAME.describe(state, event)) for event in step)
    assert numbers == list(range(len(numbers)))


@whole_games
@given(seeds, lengths)
def test_what_lies_is_what_was_played_or_told(seed: int, length: int) -> None:
    """Heaps show cards of the deck, each card once where nobody corrected."""
    state = seated(seed)
    state = evolved(state, flat(random_steps(state, seed, length)))
    pieces = [piece for heap in GAME.pieces_on_table(state) for piece in heap.pieces]
    assert len(set(pieces)) == len(pieces)
    assert set(pieces) <= set(map(str, state.deck))
