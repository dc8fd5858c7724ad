"""The acts that Rummikub allows: each command leads to events, or a rule refuses it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Final

from scoreboard.errors import RuleViolationError, refused
from scoreboard.games.engine.game import Remark
from scoreboard.games.engine.scoresheet import Scores
from scoreboard.games.rummikub import acts, domains
from scoreboard.games.rummikub.referee import impossible, judge
from scoreboard.games.rummikub.sets import Laid
from scoreboard.games.rummikub.state import (
    Round,
    Stage,
    State,
    after_rummikub,
    after_stalemate,
    evolve,
    roll_off,
)
from scoreboard.games.rummikub.tiles import Tiles, points
from scoreboard.message import Message, message


def following(state: State) -> Iterator[acts.Event]:
    """The automatic events that follow, in order."""
    while (event := _next(state)) is not None:
        yield event
        state = evolve(state, event)


def _next(state: State) -> acts.Event | None:
    house, stage = state.house, state.round.stage
    if state.scores:  # RK-15: the rounds or points that the table agreed on
        reached = house.target is not None and max(state.totals) >= house.target
        if reached or len(state.scores) == house.rounds:
            return None if state.ended else acts.GameEnded(told=False)
    if stage == "drawing":
        seat = roll_off(state.round).starter
        return None if seat is None else acts.BeginnerNamed(state.players[seat], told=False)
    if stage == "playing":
        # A player with no tile left has won (RK-11); or no player lays on an empty pool (RK-12)
        for player, rack in zip(state.players, state.round.racks, strict=True):
            if rack.count.tiles == 0:
                return acts.RummikubCalled(player, told=False)
        needed = len(state.players) if state.house.until_nobody_lays else 1
        if state.round.idle < needed:
            return None
        return acts.RoundStopped(state.players[state.round.seat - 1], told=False)
    return _counted(state) if stage == "counting" else None


def _counted(state: State) -> acts.Event | None:
    """The sum of a known rack; the scores once all sums are known (RK-11, RK-13)."""
    here = state.round
    for seat, (rack, cost) in enumerate(zip(here.racks, here.costs, strict=True)):
        if cost is None and rack.tiles is not None:
            worth = points(rack.tiles, state.house.joker)
            return acts.RackSummed(state.players[seat], rack.tiles, worth, told=False)
    costs = [cost for cost in here.costs if cost is not None]
    if len(costs) < len(here.costs):
        return None
    return acts.RoundScored(Scores(_round_scores(state, costs)), told=False)


def _round_scores(state: State, costs: Sequence[int]) -> tuple[int, ...]:
    """RK-11, RK-13, and what a league makes of it."""
    here, house, winner = state.round, state.house, state.round.winner
    fined = [
        cost + (house.unmelded if house.judged and not melded and seat != winner else 0)
        for seat, (cost, melded) in enumerate(zip(costs, here.melded, strict=True))
    ]
    if house.most_lost is not None:
        least = min(fined) if winner is None else 0
        fined = [min(cost, least + house.most_lost) for cost in fined]
    if winner is None:
        return after_stalemate(fined, here.seat)
    scores = after_rummikub(fined, winner)
    return tuple(each + house.bonus * (seat == winner) for seat, each in enumerate(scores))


_NOT_NOW: Final[Mapping[Stage, Message]] = {
    "drawing": message("First it must be known who begins the round."),
    "playing": message("The round is still being played."),
    "restoring": message("First the table must be put back as it stood."),
    "counting": message("The round is over: enter what is left on the racks."),
}


def _require_stage(state: State, stage: Stage, rule: str) -> None:
    if state.round.stage != stage:
        raise RuleViolationError(rule, _NOT_NOW[state.round.stage])


def _seat(state: State, player: str, rule: str) -> int:
    if player not in state.players:
        raise refused("{player} does not play here.", rule, player=player)
    return state.players.index(player)


def _seat_of(state: State, player: str, seats: Collection[int], rule: str, why: Message) -> int:
    """The player's seat, which must be one of these: `why` is the refusal."""
    seat = _seat(state, player, rule)
    if seat not in seats:
        raise RuleViolationError(rule, why)
    return seat


def countable(state: State) -> tuple[int, ...]:
    """The seats whose racks may be recounted: in play all, at the end those not entered yet."""
    if not state.house.judged:
        return ()
    return tuple(state.seats) if state.round.stage == "playing" else unreported(state)


def showable(state: State) -> tuple[int, ...]:
    """The seats whose racks may be shown: in play those not known, at the end those not entered."""
    if state.round.stage == "playing" and state.house.judged:
        return tuple(seat for seat in state.seats if state.round.racks[seat].tiles is None)
    return unreported(state)


def unreported(state: State) -> tuple[int, ...]:
    """The seats whose racks are still to be entered at the end of the round."""
    if state.round.stage != "counting":
        return ()
    return tuple(seat for seat, cost in enumerate(state.round.costs) if cost is None)


def uncounted(state: State) -> tuple[int, ...]:
    """The seats that may have emptied their rack unseen: its size is unknown."""
    if state.round.stage != "playing":
        return ()
    return tuple(seat for seat in state.seats if state.round.racks[seat].count.tiles is None)


def stoppable(state: State) -> tuple[int, ...]:
    """The seats that may have laid nothing on an empty pool, if the pool is unknown."""
    if state.round.stage != "playing" or state.pool is not None:
        return ()
    return (state.round.seat,) if state.house.in_turns else tuple(state.seats)


def may_enter_scores(state: State) -> bool:
    """Whether the players may enter the round's scores."""
    stage = state.round.stage
    return stage == "counting" or (stage == "playing" and not state.house.judged)


def count_domain(state: State, seat: int) -> domains.CountDomain:
    """The possible sizes of this rack."""
    return domains.CountDomain(state.left_without(state.others(seat)))


def rack_domain(state: State, seat: int) -> domains.RackDomain:
    """The possible tiles of this rack."""
    most = state.left_without(state.others(seat))
    return domains.RackDomain(state.box, state.visible, state.round.racks[seat].count, most)


def cost_domain(state: State) -> domains.PointsDomain:
    """The possible costs of any rack."""
    return domains.PointsDomain(points(state.box.tiles, state.house.joker))


def scores_domain(state: State) -> domains.ScoresDomain:
    """The possible scores of the round."""
    here = state.round
    stopped = here.stage == "counting" and here.winner is None
    total = 0 if stopped else state.house.bonus
    return domains.ScoresDomain(len(state.players), here.winner, stopped, total)


def corrected_domain(state: State, number: int) -> domains.ScoresDomain:
    """The possible scores of a finished round: what they added up to, they do again."""
    total = sum(state.scores[number - 1])
    return domains.ScoresDomain(len(state.players), None, stopped=True, total=total)


def may_extend(state: State) -> bool:
    """RK-7: whether the turn may go on, as the time bank of its player is not empty."""
    here, house = state.round, state.house
    left = state.extended[here.seat] < house.extensions
    return here.stage == "playing" and house.seconds is not None and left


def beginner(state: State) -> int | None:
    """RK-15: who begins the next round by the house rules; None if it is drawn for."""
    seats, begins = state.seats, state.house.begins
    if not state.scores or begins == "draw" or state.round.draws:
        return None
    if begins == "next":
        return (state.beginner + 1) % len(seats)
    return (max if begins == "winner" else min)(seats, key=state.scores[-1].__getitem__)


PENALTY: Final = 3


def decide(state: State, command: acts.Command) -> tuple[acts.Event, ...]:
    """A command's own event, and the automatic ones that follow. Raises RuleViolationError."""
    if state.ended:
        raise refused("The game is over.", "RK-15")
    event = _own(state, command)
    return (event, *following(evolve(state, event)))


def _own(state: State, command: acts.Command) -> acts.Event:  # noqa: PLR0911, PLR0912, C901 -- one arm a member
    match command:
        case acts.StartDrawn(player, tile):
            return _start_drawn(state, player, tile)
        case acts.BeginnerNamed(player):
            _require_stage(state, "drawing", "RK-2")
            _seat(state, player, "RK-2")
            return command
        case acts.LayTiles(table, overruled):
            return _tiles_laid(state, table, overruled=overruled)
        case acts.DrawTile(tile):
            return _tile_drawn(state, tile)
        case acts.TurnAct.NEXT:
            _require_turn(state, "CS-1")
            if state.house.judged:
                raise refused(
                    "The referee judges each turn: enter the table, or draw a tile.", "CS-1"
                )
            return acts.TurnEnded(_player(state))
        case acts.TurnAct.LAY_NOTHING:
            _require_referee(state, "RK-12")
            if state.left > 0:
                raise refused("There are tiles in the pool: draw one.", "RK-6")
            return acts.TurnPassed(_player(state))
        case acts.TurnAct.FAIL:
            _require_turn(state, "RK-7")
            drawn = min(PENALTY, state.left)  # RK-18: or what there is
            return acts.TurnFailed(_player(state), drawn)
        case acts.TableRestored(table):
            _require_stage(state, "restoring", "RK-7")
            _refuse("RK-7", domains.RestoredDomain(state.round.table).fault(table))
            return command
        case acts.TurnAct.UNTOUCHED:
            _require_stage(state, "restoring", "RK-18")
            here = state.round
            counted = here.racks[here.seat].count.tiles is not None
            left = state.left + here.drawn if counted else state.left
            return acts.PenaltyReduced(_player(state), min(1, left))
        case acts.TurnAct.EXTEND:
            if not may_extend(state):
                raise refused("There is no more time for this turn.", "RK-7")
            return acts.TurnReopened(_player(state))
        case acts.RoundCorrected(number, points):
            if number not in range(1, len(state.scores) + 1):
                raise refused("That round is not over yet.", "RK-11")
            _refuse("RK-11", corrected_domain(state, number).fault(points))
            return command
        case acts.GameEnded():
            if not may_end(state):
                raise refused("The game ends between two rounds, as the table agreed.", "RK-15")
            return command
        case _:
            return _round_ending(state, command)


def _round_ending(  # noqa: PLR0911 -- one arm a member
    state: State, command: acts.RoundEnding | acts.EnterRackPoints
) -> acts.Event:
    """What the racks hold, and how a round ends."""
    not_entered = message("This rack cannot be entered now.")
    match command:
        case acts.RackCounted(player, count):
            why = message("This rack cannot be counted now.")
            seat = _seat_of(state, player, countable(state), "RK-2", why)
            _refuse("RK-2", count_domain(state, seat).fault(count))
            return command
        case acts.RackShown(player, tiles):
            seat = _seat_of(state, player, showable(state), "RK-11", not_entered)
            _refuse("RK-11", rack_domain(state, seat).fault(tiles))
            if state.round.stage == "playing":
                return command
            cost = points(tiles, state.house.joker)
            return acts.RackSummed(player, tiles, cost, told=True)
        case acts.EnterRackPoints(player, cost):
            _seat_of(state, player, unreported(state), "RK-11", not_entered)
            _refuse("RK-11", cost_domain(state).fault(cost))
            return acts.RackSummed(player, Tiles(), cost, told=True)
        case acts.RummikubCalled(player):
            why = message("{player} still has tiles on the rack.", player=player)
            _seat_of(state, player, uncounted(state), "RK-11", why)
            return command
        case acts.RoundStopped(player):
            why = message("The round ends by the tiles that are counted.")
            _seat_of(state, player, stoppable(state), "RK-12", why)
            return command
        case acts.RoundScored(scores):
            if not may_enter_scores(state):
                _require_stage(state, "counting", "RK-11")
            _refuse("RK-11", scores_domain(state).fault(scores))
            return command


def may_end(state: State) -> bool:
    """RK-15: whether the players may end the game: between two rounds, if nothing was agreed."""
    agreed = state.house.rounds is not None or state.house.target is not None
    is_fresh = state.round == Round.fresh(len(state.players), state.house)
    return bool(state.scores) and is_fresh and not agreed


def start_domain(state: State) -> domains.StartTileDomain:
    """The possible tiles drawn for the start."""
    return domains.StartTileDomain(state.box, Tiles(tuple(tile for _, tile in state.round.draws)))


def drawn_domain(state: State) -> domains.DrawnDomain:
    """The possible tiles drawn from the pool."""
    return domains.DrawnDomain(state.box, state.visible)


def _start_drawn(state: State, player: str, tile: Tiles) -> acts.StartDrawn:
    _require_stage(state, "drawing", "RK-2")
    seat = roll_off(state.round).next_seat
    if seat is not None and state.players[seat] != player:
        raise refused("It is {player} who draws now.", "RK-2", player=state.players[seat])
    _refuse("RK-2", start_domain(state).fault(tile))
    return acts.StartDrawn(player, tile)


def _tiles_laid(state: State, table: Laid, *, overruled: bool) -> acts.TilesLaid:
    _require_referee(state, "RK-8")
    verdict = judge(state.standing, table)
    faults = impossible(state.standing, table) if overruled else verdict.faults
    if faults:
        raise RuleViolationError(faults[0].rule, _all(faults))
    return acts.TilesLaid(_player(state), table, verdict.laid, overruled=overruled)


def _all(faults: Iterable[Remark]) -> Message:
    """Every fault, each with its rule."""
    sentences = (message("{rule}: {fault}", rule=one.rule, fault=one.text) for one in faults)
    return reduce(lambda one, two: message("{one} {two}", one=one, two=two), sentences)


def _tile_drawn(state: State, tile: Tiles) -> acts.TileDrawn:
    _require_turn(state, "RK-6")
    if state.left == 0:
        raise refused("The pool is empty: nothing can be drawn.", "RK-12")
    if not tile.pieces:
        return acts.TileDrawn(_player(state), tile)
    if state.round.racks[state.round.seat].tiles is None:
        raise refused("This rack was never entered, so the tile drawn stays secret, too.", "RK-6")
    _refuse("RK-6", drawn_domain(state).fault(tile))
    return acts.TileDrawn(_player(state), tile)


def _refuse(rule: str, fault: Message | None) -> None:
    if fault is not None:
        raise RuleViolationError(rule, fault)


def _player(state: State) -> str:
    return state.players[state.round.seat]


def _require_turn(state: State, rule: str) -> None:
    _require_stage(state, "playing", rule)
    if not state.house.in_turns:
        raise refused("Turns are not entered in this game: say how the round ended.", rule)


def _require_referee(state: State, rule: str) -> None:
    _require_turn(state, rule)
    if not state.house.judged:
        raise refused(
            "Nobody enters what is laid in this game: end the turn, or draw a tile.", rule
        )
