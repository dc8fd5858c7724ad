"""What players see of a game: offers, scoresheet, turn, places, events in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from scoreboard.dice import NO_DICE, Roll
from scoreboard.games.dice import acts
from scoreboard.games.dice.form import Box, Form, Placement, Points, Total
from scoreboard.games.dice.rules import further_bonus, possible_placements, refoulable
from scoreboard.games.dice.state import State, active_seat, last_roll, opener, start_thrower
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
    return (
        *_starts(state),
        *_rolls(state),
        *_keeps(state),
        *_scores(state),
        *_corrections(state),
        *_leaves(state),
    )


def _starts(state: State) -> Iterator[AnyOffer]:
    """YZ-2."""
    seat, form = start_thrower(state), state.form
    if seat is not None:
        player = state.players[seat]
        label = message("{player} throws for the start", player=player)
        fill = partial(acts.RecordStart, player)
        yield OpenOffer(OfferKind.START, label, form.rules.start, RollDomain(form.dice), fill)


def _rolls(state: State) -> Iterator[AnyOffer]:
    """YZ-4."""
    may_roll = not state.throws.stood if state.opening == "over" else opener(state) is not None
    if may_roll:
        form = state.form
        domain = RollDomain(form.dice, state.throws.kept or NO_DICE)
        label = message(
            "Roll {number} of {most}", number=state.throws.made + 1, most=form.rolls_allowed
        )
        yield OpenOffer(OfferKind.ROLL, label, form.rules.roll, domain, acts.RecordRoll)


def _keeps(state: State) -> Iterator[AnyOffer]:
    """YZ-4."""
    roll = state.throws.roll
    if roll is not None and not state.throws.stood:
        rule = state.form.rules.roll
        yield OpenOffer(OfferKind.KEEP, message("Keep dice"), rule, KeepDomain(roll), acts.KeepDice)
        yield Offer(OfferKind.STAND, message("Stop rolling"), rule, acts.KeepDice(roll))


def _scores(state: State) -> Iterator[AnyOffer]:
    """YZ-6, YZ-18; what is earned beside the box is the same for all, so points decide."""
    roll = state.throws.roll
    if roll is None:
        return
    bonus = further_bonus(state, roll)
    for placed in sorted(possible_placements(state), key=lambda placed: -placed.points):
        key, command = OfferKind.SCORE.key(placed.box.key), acts.ScoreCategory(placed.box.key)
        yield Offer(key, _score_label(placed, bonus), placed.rule, command, placed.points)


def _score_label(placed: Placement, bonus: int) -> Message:
    box, points = placed.box.label, placed.points
    if not bonus:
        return message("{box}: {points}", box=box, points=points)
    return message("{box}: {points} and a bonus of {bonus}", box=box, points=points, bonus=bonus)


def _corrections(state: State) -> Iterator[AnyOffer]:
    """YZ-5, and a throw that was read wrongly."""
    if last_roll(state) is None:
        return
    held = state.throws.held if state.opening == "over" else NO_DICE
    label, form = message("Correct the last throw"), state.form
    domain = RollDomain(form.dice, held)
    yield OpenOffer(OfferKind.CORRECT, label, form.rules.roll, domain, acts.CorrectRoll)
    for face in refoulable(state).faces:
        label = message("The {face} fell off or leaned", face=face)
        fill = partial(_foul_rerolled, face)
        yield OpenOffer(OfferKind.FOUL.key(face), label, form.rules.foul, RollDomain(1), fill)


def _foul_rerolled(was: int, now: Roll) -> acts.Command:
    return acts.RerollFoulDie(was, now.total)


def _leaves(state: State) -> Iterator[AnyOffer]:
    """The ruling on players who leave."""
    for seat in state.staying:
        player = state.players[seat]
        label = message("{player} leaves the game", player=player)
        yield Offer(
            OfferKind.LEAVE.key(seat), label, state.form.rules.players, acts.LeaveGame(player)
        )


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet, rows in the paper's order, with what each box would take now."""
    possible = {placed.box.key: placed for placed in possible_placements(state)}
    values = tuple(card.values for card in state.cards)
    return Scoresheet(
        game=state.form.game,
        players=state.players,
        rows=tuple(
            _box_row(state, row, possible) if isinstance(row, Box) else _total_row(row, values)
            for row in state.form.rows
        ),
        current=None if state.opening == "roll-off" else active_seat(state),
        options=state.form.house_rules,
        gone=frozenset(seat for seat, gone in enumerate(state.gone) if gone),
    )


def _box_row(state: State, box: Box, possible: Mapping[str, Placement]) -> Row:
    cells = tuple(
        _open_cell(possible[box.key])
        if seat == state.seat and box.key in possible
        else Cell(points=card[box.key])
        for seat, card in enumerate(state.cards)
    )
    return Row(box.key, box.label, "box", box.section, cells, box.hint, box.rule)


def _open_cell(placed: Placement) -> Cell:
    return Cell(possible=placed.points, offer=OfferKind.SCORE.key(placed.box.key), rule=placed.rule)


def _total_row(total: Total, values: tuple[Points, ...]) -> Row:
    cells = tuple(_total_cell(total, each) for each in values)
    return Row(total.key, total.label, "total", total.section, cells, total.hint, total.rule)


def _total_cell(total: Total, values: Points) -> Cell:
    missing = total.missing(values) if total.missing else 0
    return Cell(points=values[total.key], missing=missing or None, rule=total.rule)


def describe(state: State, event: acts.Event) -> Message:  # noqa: PLR0911 -- one arm a member
    """Say what the event was, in a game that stands as `state` after it."""
    match event:
        case acts.StartRolled(player, roll):
            return message("start throw {roll} of {player}", roll=str(roll), player=player)
        case acts.DiceRolled(roll):
            return message("roll {roll}", roll=str(roll))
        case acts.DiceKept(roll):
            return _keep(state.form, roll)
        case acts.FoulDieRerolled(was, now):
            return message("foul die {was} now {now}", was=was, now=now)
        case acts.RollCorrected(roll):
            return message("correction to {roll}", roll=str(roll))
        case acts.CategoryScored():
            return _score(state.form, event)
        case acts.PlayerLeft(player):
            return message("{player} left", player=player)


def _keep(form: Form, kept: Roll) -> Message:
    if not kept.faces:
        return message("keeping none")
    if len(kept) == form.dice:
        return message("standing on {roll}", roll=str(kept))
    return message("keeping {roll}", roll=str(kept))


def _score(form: Form, event: acts.CategoryScored) -> Message:
    box = form.boxes[form.keys.index(event.category)].label
    if not event.bonus:
        return message(
            "{points} in {box} for {player}", points=event.points, box=box, player=event.player
        )
    return message(
        "{points} in {box} and a bonus of {bonus} for {player}",
        points=event.points,
        box=box,
        bonus=event.bonus,
        player=event.player,
    )
