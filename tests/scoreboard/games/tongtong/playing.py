"""Ways to bring a match of Tong Tong about: line by line, and at random within its offers."""

from __future__ import annotations

from functools import partial
from random import Random

from hypothesis import strategies as st

from scoreboard.games.engine.game import Domain, Offer, Setup
from scoreboard.games.tongtong.acts import (
    Command,
    Event,
    HandShown,
    LeaderNamed,
    MissionChosen,
    PilesEntered,
    PlayCard,
)
from scoreboard.games.tongtong.cards import BONUS, CARD_COLOURS, LEADING, Cards, Piles, deck
from scoreboard.games.tongtong.game import GAME
from scoreboard.games.tongtong.house import NAMED
from scoreboard.games.tongtong.rules import HandDomain, PilesDomain
from scoreboard.games.tongtong.state import State
from tests.scoreboard.games import playing

NAMES = ("Ann", "Ben", "Cem", "Dora", "Eve")
ALL_CARDS = deck(CARD_COLOURS)
Steps = list[tuple[Event, ...]]


def begun(players: int = 3, /, **options: str) -> State:
    """A fresh match of so many players; an option `points_low_5` is called `points-low-5`."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return GAME.start(Setup(NAMES[:players], named))


evolved = partial(playing.evolved, GAME)
read = partial(playing.read, GAME)
refusal = partial(playing.refusal, GAME)
column = partial(playing.column, GAME)
is_admitted = partial(playing.is_admitted, GAME)


def entered(state: State, *lines: str) -> State:
    """The state after these lines, all of which must be accepted; `play R1 R2` is two acts."""
    return playing.entered(GAME, state, (act for line in lines for act in acts(line)))


def acts(line: str) -> list[str]:
    """The acts of a line: one, or as many as it plays cards."""
    keyword, *cards = line.split()
    return [f"play {card}" for card in cards] if keyword == "play" else [line]


def events_of(state: State, line: str) -> tuple[Event, ...]:
    """What one line leads to."""
    return GAME.decide(state, read(line))


def keys(state: State, prefix: str) -> list[str]:
    """What follows the prefix in the keys of the offers that have it."""
    offers = (offer.key for offer in GAME.offers(state))
    return [key.removeprefix(prefix) for key in offers if key.startswith(prefix)]


def quick_game(state: State, mission: str, *piles: str) -> State:
    """The state after a game of which only the piles are entered, in seat order."""
    lines = (f"piles {player}, {each}" for player, each in zip(state.players, piles, strict=True))
    return entered(state, f"mission {mission}", *lines)


def setup_of(seed: int, names: tuple[str, ...] = ()) -> Setup:
    """Some house rules, for these players or 3 to 5 others; each at its default or not."""
    chance = Random(seed)
    players = names or NAMES[: chance.randint(3, 5)]
    others = chance.sample(CARD_COLOURS[1:], len(players) - 1)
    own = {
        "colours": " ".join(["R", *others]),
        "play": "advanced",
        "basic": " ".join(chance.sample(sorted(NAMED), 3)),
        "teams": "yes",
        "mode": "quick",
        "points-high-9": "12 8 4 0",
        "points-high-12": "6 3 2 2",
        "points-low-5": "99 0 0 1",
    }
    if len(players) != 4:
        del own["teams"]
    return Setup(players, {name: own[name] for name in own if chance.random() < 0.5})


def seated(seed: int) -> State:
    """That match before its first mission."""
    return GAME.start(setup_of(seed))


def random_command(state: State, chance: Random, *, corrections: bool = True) -> Command:
    """One command that an offer makes; corrections are hands and piles told once more."""
    offers = [
        offer for offer in GAME.offers(state) if corrections or not is_correction(state, offer.key)
    ]
    offer = chance.choice(offers)
    if isinstance(offer, Offer):
        return offer.command
    return offer.fill(random_filling(offer.domain, chance))


def is_correction(state: State, key: str) -> bool:
    """Whether the offer sets right what was told before."""
    kind, _, what = key.partition(":")
    if kind == "hand":
        return bool(state.deal.hands[int(what)].cards)
    return kind == "piles" and not state.house.quick


def random_filling(domain: Domain, chance: Random) -> Cards | Piles:
    """A hand, or piles, within an open offer's domain."""
    if isinstance(domain, HandDomain):
        return _random_hand(domain, chance)
    assert isinstance(domain, PilesDomain)
    tried = (_random_piles(domain, chance) for _ in range(20))
    return next((piles for piles in tried if domain.admits(piles)), Piles())


def _random_hand(domain: HandDomain, chance: Random) -> Cards:
    free = [card for card in domain.deck if card not in domain.elsewhere]
    hand = chance.sample(free, 8)
    if domain.leads and LEADING not in hand:
        hand[0] = LEADING
    return Cards(tuple(hand))


def _random_piles(domain: PilesDomain, chance: Random) -> Piles:
    colours = [colour for colour in domain.colours if chance.random() < 0.6]
    tops = tuple(chance.choice(deck([colour])) for colour in colours)
    least = sum(top.number == BONUS for top in tops)
    return Piles(tops, chance.randint(least, len(tops)))


def random_steps(
    state: State, seed: int, most: int = 10_000, *, corrections: bool = False
) -> Steps:
    """The events of a random match, act by act, up to its end or at most so many acts."""

    def command(state: State, chance: Random) -> Command:
        corrects = corrections and chance.random() < 0.1
        return random_command(state, chance, corrections=corrects)

    return playing.random_steps(GAME, state, command, seed, most)


def flat(steps: Steps) -> tuple[Event, ...]:
    """All events, one after the other."""
    return tuple(event for step in steps for event in step)


seeds = st.integers(0, 2**32)
names = st.sampled_from([*NAMES, "Nobody"])
cards = st.sampled_from(ALL_CARDS)
hands = st.one_of(
    st.permutations(ALL_CARDS).map(lambda every: every[:8]),
    st.permutations(deck(("R", "B", "G"))).map(lambda every: every[:8]),
    st.lists(cards, min_size=7, max_size=9),
).map(lambda some: Cards(tuple(some)))
entered_piles = st.builds(
    Piles,
    st.one_of(
        st.lists(cards, max_size=3), st.lists(cards, max_size=5, unique_by=lambda card: card.colour)
    ).map(lambda tops: tuple(sorted(tops, key=lambda top: CARD_COLOURS.index(top.colour)))),
    st.integers(0, 3),
)
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(MissionChosen, st.sampled_from([*NAMED, "high-13"])),
    st.builds(HandShown, names, hands),
    st.builds(LeaderNamed, names),
    st.builds(PlayCard, cards),
    st.builds(PilesEntered, names, entered_piles),
)
