"""What players see of a game: offers, scoresheet, turn, places, events in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.dice import acts
from scoreboard.games.dice.form import Box, Placement, Points, Total
from scoreboard.games.dice.rules import further_bonus, possible_placements, refoulable
from scoreboard.games.dice.state import State, active_seat, last_roll, opener, start_roller
from scoreboard.games.engine.game import KeepDomain, Offer, OfferKind, OpenOffer, RollDomain
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
            acts.LeaveGame(state.players[seat]),
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
        fill = partial(acts.RecordStart, player)
        yield OpenOffer(OfferKind.START, label, form.rules.start, RollDomain(form.dice), fill)
    rule = form.rules.roll
    may_roll = not rolls.stood if state.opening == "over" else opener(state) is not None
    if may_roll:
        domain = RollDomain(form.dice, rolls.kept or NO_DICE)
        label = message("Roll {number} of {most}", number=rolls.made + 1, most=form.rolls_allowed)
        yield OpenOffer(OfferKind.ROLL, label, rule, domain, acts.RecordRoll)
    if rolls.roll is not None and not rolls.stood:
        label = message("Keep dice")
        yield OpenOffer(OfferKind.KEEP, label, rule, KeepDomain(rolls.roll), acts.KeepDice)
        yield Offer(OfferKind.STAND, message("Stop rolling"), rule, acts.KeepDice(rolls.roll))


def _scores(state: State) -> Iterator[AnyOffer]:
    """YZ-6, YZ-18. The bonus is the same for all boxes, so their points decide the order."""
    if state.rolls.roll is None:
        return
    bonus = further_bonus(state, state.rolls.roll)
    for placed in sorted(possible_placements(state), key=lambda placed: -placed.points):
        box, points = placed.box.label, placed.points
        label = message("{box}: {points}", box=box, points=points)
        if bonus:
            label = message(
                "{box}: {points} and a bonus of {bonus}", box=box, points=points, bonus=bonus
            )
        key, command = OfferKind.SCORE.key(placed.box.key), acts.ScoreCategory(placed.box.key)
        yield Offer(key, label, placed.rule, command, points)


def _corrections(state: State) -> Iterator[AnyOffer]:
    """YZ-5, and corrections of misread rolls."""
    if last_roll(state) is None:
        return
    held = state.rolls.held if state.opening == "over" else NO_DICE
    label, form = message("Correct the last roll"), state.form
    domain = RollDomain(form.dice, held)
    yield OpenOffer(OfferKind.CORRECT, label, form.rules.roll, domain, acts.CorrectRoll)
    for face in refoulable(state).faces:
        label = message("The {face} fell off or was cocked", face=face)

        def fill(now: Roll, was: int = face) -> acts.Command:
            return acts.RerollFoulDie(was, now.total)

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
        missing = row.missing(values) if row.missing else 0
        return Cell(points=values[row.key], missing=missing or None, rule=row.rule)
    if seat != state.seat or row.key not in possible:
        return Cell(points=values[row.key])
    placed = possible[row.key]
    return Cell(possible=placed.points, offer=OfferKind.SCORE.key(row.key), rule=placed.rule)


def describe(state: State, event: acts.Event) -> Message:  # noqa: C901, PLR0911 -- one arm a member
    """The event in words, given the `state` after it."""
    match event:
        case acts.StartRolled(player, roll):
            return message("start roll {roll} of {player}", roll=str(roll), player=player)
        case acts.DiceRolled(roll):
            return message("roll {roll}", roll=str(roll))
        case acts.DiceKept(roll):
            if not roll.faces:
                return message("keeping none")
            if len(roll) == state.form.dice:
                return message("KEEP ({roll})", roll=" ".join(map(str, roll.faces)))
            return message("keeping {roll}", roll=str(roll))
        case acts.FoulDieRerolled(was, now):
            return message("foul die {was} now {now}", was=was, now=now)
        case acts.RollCorrected(roll):
            return message("correction to {roll}", roll=str(roll))
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
