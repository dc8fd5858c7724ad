"""A game of dice made from its card: what players see of it, and the record of functions.

Our own ruling: a player who leaves keeps the card unchanged and has no more turns. Players who left
are ranked after everyone who stayed, by points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations_with_replacement
from typing import Final

from scoreboard.dice import FACES, NO_DICE, Roll
from scoreboard.errors import refused
from scoreboard.games.dice import acts
from scoreboard.games.dice.form import Box, Form, Placement, Points, Total
from scoreboard.games.dice.rules import decide, further_bonus, held, possible_placements, refoulable
from scoreboard.games.dice.state import (
    Card,
    Opening,
    State,
    TurnRolls,
    active_seat,
    evolve,
    last_roll,
    opener,
    start_roller,
)
from scoreboard.games.engine.game import (
    Choice,
    Game,
    KeepDomain,
    Offer,
    OfferKind,
    OpenOffer,
    Option,
    Outcome,
    Phase,
    RollDomain,
    Setup,
    Turn,
    settled,
)
from scoreboard.games.engine.scoresheet import Cell, Row, Scoresheet
from scoreboard.message import Message, message

AnyOffer = Offer[acts.Command] | OpenOffer[acts.Command]


def offers(state: State) -> tuple[AnyOffer, ...]:
    """Every act that the rules accept now; boxes best first, then in the sheet's order.

    The keys: `start`, `roll`, `keep`, `correct`, `foul:<face>` (open, to be filled with a
    roll); `stand`, `score:<box>`, `leave:<seat>`.
    """
    if state.is_finished:
        return ()
    leaves: list[AnyOffer] = [
        Offer(
            OfferKind.LEAVE.key(seat),
            message("{player} leaves the game", player=state.players[seat]),
            state.form.rules.players,
            acts.PlayerLeft(state.players[seat]),
        )
        for seat in state.staying
    ]
    return (*_rolling(state), *_scores(state), *_corrections(state), *leaves)


def _rolling(state: State) -> Iterator[AnyOffer]:
    """The roll-off (YZ-2), the rolls of a turn, and what is kept between them (YZ-4)."""
    form, rolls = state.form, state.rolls
    seat = start_roller(state)
    if seat is not None:
        player = state.players[seat]
        label = message("{player} rolls for the start", player=player)
        fill = partial(acts.StartRolled, player)
        yield OpenOffer(OfferKind.START, label, form.rules.start, RollDomain(form.dice), fill)
    rule = form.rules.roll
    may_roll = not rolls.stood if state.opening == "over" else opener(state) is not None
    if may_roll:
        domain = RollDomain(form.dice, rolls.kept or NO_DICE)
        label = message("Roll {number} of {most}", number=rolls.made + 1, most=form.rolls_allowed)
        yield OpenOffer(OfferKind.ROLL, label, rule, domain, acts.DiceRolled)
    if rolls.roll is not None and not rolls.stood:
        label = message("Keep dice")
        yield OpenOffer(OfferKind.KEEP, label, rule, KeepDomain(rolls.roll), acts.DiceKept)
        yield Offer(OfferKind.STAND, message("Stop rolling"), rule, acts.DiceKept(rolls.roll))


def _scores(state: State) -> Iterator[AnyOffer]:
    """YZ-6, YZ-18. The bonus is the same for all boxes, so their points decide the order."""
    if state.rolls.roll is None:
        return
    bonus = further_bonus(state, state.rolls.roll)
    for placed in sorted(possible_placements(state), key=partial(points_now, state), reverse=True):
        box, points = placed.box.label, placed.points
        label = message("{box}: {points}", box=box, points=points)
        if bonus:
            label = message(
                "{box}: {points} and a bonus of {bonus}", box=box, points=points, bonus=bonus
            )
        key, command = OfferKind.SCORE.key(placed.box.key), acts.ScoreCategory(placed.box.key)
        yield Offer(key, label, placed.rule, command, points)


def points_now(state: State, placed: Placement) -> tuple[bool, int]:
    """Whether the box takes any points, and those that count at once: no Plus alone does (YM-4)."""
    card = state.cards[state.seat]
    gain = card.with_score(placed.box.key, placed.points, 0).grand - card.grand
    return placed.points > 0, min(placed.points, gain)


def _corrections(state: State) -> Iterator[AnyOffer]:
    """YZ-5, and corrections of misread rolls."""
    if last_roll(state) is None:
        return
    label, form = message("Correct the last roll"), state.form
    domain = RollDomain(form.dice, held(state))
    yield OpenOffer(OfferKind.CORRECT, label, form.rules.roll, domain, acts.RollCorrected)
    for face in refoulable(state).faces:
        label = message("The {face} fell off or was cocked", face=face)

        def fill(now: Roll, was: int = face) -> acts.Command:
            return acts.FoulDieRerolled(was, now.total)

        yield OpenOffer(OfferKind.FOUL.key(face), label, form.rules.foul, RollDomain(1), fill)


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet, rows in the paper's order, with each box's possible points now."""
    possible = {placed.box.key: placed for placed in possible_placements(state)}
    values = tuple(card.values for card in state.cards)
    seats = range(len(state.players))
    return Scoresheet(
        game=state.form.game,
        players=state.players,
        rows=tuple(
            Row(
                row.key,
                row.label,
                "box" if isinstance(row, Box) else "total",
                row.section,
                tuple(_cell(state, seat, row, values[seat], possible) for seat in seats),
                row.hint,
                row.rule,
            )
            for row in state.form.rows
        ),
        current=None if state.opening == "roll-off" else active_seat(state),
        options=state.form.house_rules,
        gone=frozenset(seat for seat, gone in enumerate(state.gone) if gone),
    )


def _cell(
    state: State, seat: int, row: Box | Total, values: Points, possible: Mapping[str, Placement]
) -> Cell:
    """A player's field: its points, the points missing to a total, or the box's possible points."""
    if isinstance(row, Total):
        missing = row.missing(values) if row.missing and not state.cards[seat].is_full else 0
        return Cell(points=values[row.key], missing=missing or None, rule=row.rule)
    if seat != state.seat or row.key not in possible:
        return Cell(points=values[row.key])
    placed = possible[row.key]
    return Cell(possible=placed.points, offer=OfferKind.SCORE.key(row.key), rule=placed.rule)


def describe(state: State, event: acts.Event) -> Message:  # noqa: C901, PLR0911 -- one arm a member
    """The event in words, given the `state` after it."""
    match event:
        case acts.StartRolled(player, roll):
            return message("start roll {roll} of {player}", roll=roll.spaced, player=player)
        case acts.DiceRolled(roll):
            return message("roll {roll}", roll=roll.spaced)
        case acts.DiceKept(roll):
            if not roll.faces:
                return message("keeping none")
            if len(roll) == state.form.dice:
                return message("KEEP ({roll})", roll=roll.spaced)
            return message("keeping {roll}", roll=roll.spaced)
        case acts.FoulDieRerolled(was, now):
            return message("foul die {was} now {now}", was=was, now=now)
        case acts.RollCorrected(roll):
            return message("correction to {roll}", roll=roll.spaced)
        case acts.CategoryScored(player, category, points, bonus=bonus):
            box = state.form.boxes[state.form.keys.index(category)].label
            if not bonus:
                return message(
                    "{points} in {box} for {player}", points=points, box=box, player=player
                )
            return message(
                "{points} in {box} and a bonus of {bonus} for {player}",
                points=points,
                box=box,
                bonus=bonus,
                player=player,
            )
        case acts.PlayerLeft(player):
            return message("{player} left", player=player)


def turn(state: State) -> Turn:
    """The open turn, for the table."""
    rolls = state.rolls
    phase: Phase = "rolling"
    if state.is_finished:
        phase = "finished"
    elif state.opening == "over":
        phase = "choosing" if rolls.stood else "rolling"
    elif len(state.staying) > 1 and start_roller(state) is not None:
        phase = "starting"  # a lone player need not roll for the start (YZ-20)
    starts, player = state.start_rolls, active_seat(state)
    if phase == "starting":
        return Turn(len(starts), phase, player, rolls_allowed=1, start_rolls=starts)
    return Turn(
        number=state.turns,
        phase=phase,
        player=player,
        rolls_made=rolls.made,
        rolls_allowed=rolls.allowed,
        roll=rolls.roll,
        kept=rolls.kept,
        start_rolls=starts,
    )


def outcome(state: State) -> Outcome | None:
    """The places when the game is over, those who left last (YZ-19); None before."""
    if not state.is_finished:
        return None
    grands = [card.grand for card in state.cards]
    merits = [(not gone, grand) for gone, grand in zip(state.gone, grands, strict=True)]
    return Outcome.ranked(state.players, grands, merits)


def highest(form: Form) -> int:
    """The highest total of a card of this form: each box and each further bonus at its best.

    A box that is subtracted from others gets its best value for the total (YM-4).
    """

    def card(points: Mapping[str, int], further: int = 0) -> Card:
        return Card(form, tuple(points[key] for key in form.keys), further)

    rolls = [Roll(dice) for dice in combinations_with_replacement(FACES, form.dice)]
    worths = {
        box.key: {worth(roll) for worth in (box.worth, box.joker or box.worth) for roll in rolls}
        for box in form.boxes
    }
    best = {key: max(each) for key, each in worths.items()}
    for key, each in worths.items():
        others = [best | {key: worth} for worth in each]
        best = max(best, *others, key=lambda each: card(each).grand)  # the first of equals
    further = max(form.further(card(best).values, roll) for roll in rolls)
    return card(best, further * (len(form.boxes) - 1)).grand


SEATS: Final = range(1, 21)  # the rules set no limit; a sheet of more columns is no sheet
START: Final = Option(
    "start",
    message("Who starts"),
    "YZ-2",
    (
        Choice("roll-off", message("Roll for it: the highest total starts")),
        Choice("first", message("First player in the list")),
    ),
    proposed="first",
)
SHARED_RULE_TEXTS: Final[Mapping[str, Message]] = {
    "YZ-2": message("Everyone rolls all dice once: the highest total starts."),
    "YZ-4": message("A turn has at most three rolls, of any of the dice."),
    "YZ-5": message("If a die falls off or is cocked, re-roll just that die."),
    "YZ-6": message("After the last roll one empty box is filled, and never changed."),
    "YZ-7": message("A box takes what the dice are worth in it: 0 where its condition fails."),
}
YachtGame = Game[State, acts.Command, acts.Event]
Agreed = Mapping[str, Choice]


def yacht_game(
    name: str,
    title: Message,
    form: Callable[[Agreed], Form],
    rule_texts: Mapping[str, Message],
    options: tuple[Option, ...] = (),
) -> YachtGame:
    """Make a game of its card: `form` gives it for the agreed house rules.

    `options` are the house rules in addition to the one on who starts; those not at their default
    are printed on the card.
    """
    all_options = (START, *options)

    def start(setup: Setup) -> State:
        agreed = settled(all_options, setup.options)
        printed = tuple(choice.printed for choice in agreed.values() if choice.printed)
        card = replace(form(agreed), house_rules=printed)
        if len(setup.players) not in SEATS:
            raise refused("{game} is for 1 to 20 players.", card.rules.players, game=title)
        opening: Opening = "first" if agreed["start"].value == "first" else "roll-off"
        cards, gone = (Card.empty(card),) * len(setup.players), (False,) * len(setup.players)
        return State(card, setup.players, cards, gone, TurnRolls(card.rolls_allowed), opening)

    def scores(setup: Setup) -> range:
        return range(highest(form(settled(all_options, setup.options))) + 1)

    return Game(
        name=name,
        title=title,
        seats=SEATS,
        options=all_options,
        joins=True,
        kinds=acts.KINDS,
        start=start,
        decide=decide,
        evolve=evolve,
        offers=offers,
        scoresheet=scoresheet,
        outcome=outcome,
        turn=turn,
        describe=describe,
        notation=acts.NOTATION,
        rule_texts={**SHARED_RULE_TEXTS, **rule_texts},
        scores=scores,
        needs=message("5 dice"),
        minutes=30,
        scoring=(acts.CategoryScored,),
        bonus=lambda event: event.bonus if isinstance(event, acts.CategoryScored) else 0,
        begins=(acts.CategoryScored,),
    )
