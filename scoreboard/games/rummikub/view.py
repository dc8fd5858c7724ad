"""What players see of Rummikub: offers, scoresheet, turn, readings judged, events in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final

from scoreboard.games.engine.game import (
    Awaited,
    Entry,
    ExpectedPieces,
    Judgement,
    Offer,
    OpenOffer,
    Remark,
    SetVerdict,
    Turn,
)
from scoreboard.games.engine.scoresheet import Cell, Row, Scores, Scoresheet
from scoreboard.games.rummikub import acts, domains, rules
from scoreboard.games.rummikub.house import EXTENSION
from scoreboard.games.rummikub.referee import FIRST_MELD, judge
from scoreboard.games.rummikub.sets import Laid, best, fault_of, stands_of
from scoreboard.games.rummikub.state import State, roll_off
from scoreboard.games.rummikub.tiles import CLASSIC, Piece, Tiles, listed, points
from scoreboard.message import Message, message, message_in

TILE_HINT: Final = message("K black, R red, B blue, O orange, and the number, as in R12.")
TABLE_HINT: Final = message("One set a line, as in K7 R7 B7; a joker is J, or J=R11 for a red 11.")
SCORES_HINT: Final = message("One number a player, zero together, as in 24 -6 -13 -5.")
RACK_HINT: Final = message("All tiles, as in K7 R12 J.")
POINTS_HINT: Final = message("The sum of its numbers, as in 24.")
DRAW: Final = message("Draw a tile and pass")
UNTOUCHED: Final = message("Draw 1 tile only: nothing had been laid or moved")
COUNT_HINT: Final = message("A number, or ? where nobody knows.")
AnyOffer = Offer[acts.Command] | OpenOffer[acts.Command]


def offers(state: State) -> tuple[AnyOffer, ...]:
    """Every act that the rules accept now.

    The keys: `tile`, `lay`, `overrule`, `draw-known`, `restore`, `count:<seat>`, `rack:<seat>`,
    `points:<seat>`, `round` (open); `begin:<seat>`, `next`, `draw`, `pass`, `fail`, `restored`,
    `untouched`, `rummikub:<seat>`, `stop:<seat>`, `extend`, `end`; open as well `fix:<round>`.
    """
    if state.ended:
        return ()
    turns = (*_turns(state), *_restorings(state), *_timed_turns(state))
    return (*_starts(state), *turns, *_ends(state), *_racks(state), *_corrections(state))


def _corrections(state: State) -> Iterator[AnyOffer]:
    """RK-7, RK-11: more time, and the scores of finished rounds."""
    if rules.may_extend(state):
        label = message("{seconds} seconds more, from the time bank", seconds=EXTENSION)
        yield Offer("extend", label, "RK-7", acts.TurnAct.EXTEND, aside=True)
    for number, scores in enumerate(state.scores, start=1):
        label = message_in("Rummikub", "Correct round {number}", number=number)
        question = message(
            "What did it bring? In this order: {names}", names=", ".join(state.players)
        )
        entry = Entry(question, SCORES_HINT, "numbers", written=str(Scores(scores)))
        domain, fill = rules.corrected_domain(state, number), partial(acts.RoundCorrected, number)
        yield OpenOffer(f"fix:{number}", label, "RK-11", domain, fill, entry, aside=True)


def _starts(state: State) -> Iterator[AnyOffer]:
    """RK-2."""
    if state.round.stage != "drawing":
        return
    seat = roll_off(state.round).next_seat
    if seat is not None:
        player = state.players[seat]
        label = message("{player} draws a tile for the start", player=player)
        entry = Entry(message("Which tile did {player} draw?", player=player), TILE_HINT, "tiles")
        fill = partial(acts.StartDrawn, player)
        yield OpenOffer("tile", label, "RK-2", rules.start_domain(state), fill, entry)
    for each, player in enumerate(state.players):
        label = message("{player} begins", player=player)
        yield Offer(f"begin:{each}", label, "RK-2", acts.BeginnerNamed(player))


def _turns(state: State) -> Iterator[AnyOffer]:
    """RK-5 to RK-9, RK-12."""
    if state.round.stage != "playing" or not state.house.judged:
        return
    standing = state.standing
    entry = _table_entry(state, message("How does the table look now?"))
    entry = replace(entry, needed=None if standing.melded else FIRST_MELD)
    laying = message("Tiles were laid: the table now")
    yield OpenOffer("lay", laying, "RK-8", domains.TableDomain(standing), acts.LayTiles, entry)
    if state.left > 0:
        yield Offer("draw", DRAW, "RK-6", acts.DrawTile())
        if state.round.racks[state.round.seat].tiles is not None:
            label, domain = message("Draw a tile and enter it"), rules.drawn_domain(state)
            drawn = Entry(message("Which tile was drawn?"), TILE_HINT, "tiles")
            yield OpenOffer("draw-known", label, "RK-6", domain, acts.DrawTile, drawn, aside=True)
    else:
        label = message("Lay nothing: the pool is empty")
        yield Offer("pass", label, "RK-12", acts.TurnAct.LAY_NOTHING)
    yield Offer("fail", message("Give up the turn: put the table back"), "RK-7", acts.TurnAct.FAIL)
    overruling = message("Take the turn against the referee")
    insisted = domains.TableDomain(standing, overruling=True)
    yield OpenOffer(
        "overrule",
        overruling,
        "RK-8",
        insisted,
        partial(acts.LayTiles, overruled=True),
        entry,
        aside=True,
        overrules=True,
    )


def _table_entry(state: State, question: Message) -> Entry:
    """The table to type or to tap: one set a line."""
    sets = "\n".join(map(str, state.round.table.in_order.sets))
    pieces = state.box.tiles.labels
    return Entry(question, TABLE_HINT, "tiles", written=sets, lines=True, pieces=pieces)


def _restorings(state: State) -> Iterator[AnyOffer]:
    """RK-7, RK-18."""
    if state.round.stage != "restoring":
        return
    table = state.round.table
    yield Offer("restored", _put_back(state), "RK-7", acts.TableRestored(table))
    yield Offer("untouched", UNTOUCHED, "RK-18", acts.TurnAct.UNTOUCHED)
    if not state.house.judged:
        return
    label = message("Nobody knows where some tiles lay")
    question = message("How does the table look, without the tiles that nobody can place?")
    entry, domain = _table_entry(state, question), domains.RestoredDomain(table)
    yield OpenOffer("restore", label, "RK-7", domain, acts.TableRestored, entry)


def _put_back(state: State) -> Message:
    return message("Draw {tiles}: all tiles lie as before", tiles=state.round.drawn)


def _timed_turns(state: State) -> Iterator[AnyOffer]:
    """CS-1: neither laid tiles nor the table before are entered."""
    here = state.round
    if state.house.judged or not state.house.in_turns:
        return
    if here.stage == "playing":
        after = state.players[(here.seat + 1) % len(state.players)]
        yield Offer("next", message("Pass on to {player}", player=after), "CS-1", acts.TurnAct.NEXT)
        yield Offer("draw", DRAW, "RK-6", acts.DrawTile())
        label = message("Give up the turn: {tiles} penalty tiles", tiles=rules.PENALTY)
        aside = state.house.seconds is not None  # the clock does it
        yield Offer("fail", label, "RK-7", acts.TurnAct.FAIL, aside=aside)


def _ends(state: State) -> Iterator[AnyOffer]:
    """RK-11, RK-12, RK-15."""
    for seat in rules.uncounted(state):
        player = state.players[seat]
        label = message("{player} calls “Rummikub”", player=player)
        # where turns are timed, who is out is at turn, or called it after passing on
        late = state.house.in_turns and not state.house.judged and seat != state.round.seat
        yield Offer(f"rummikub:{seat}", label, "RK-11", acts.RummikubCalled(player), aside=late)
    for seat in rules.stoppable(state):
        player = state.players[seat]
        label = message("The pool is empty and {player} lays nothing", player=player)
        yield Offer(f"stop:{seat}", label, "RK-12", acts.RoundStopped(player))
    if rules.may_enter_scores(state):
        names = ", ".join(state.players)
        question = message("What does the round bring? In this order: {names}", names=names)
        entry = Entry(question, SCORES_HINT, "numbers")
        domain = rules.scores_domain(state)
        label, aside = message("Enter the round's scores"), state.house.in_turns
        yield OpenOffer("round", label, "RK-11", domain, acts.RoundScored, entry, aside=aside)
    if rules.may_end(state):
        yield Offer("end", message("That was the last round"), "RK-15", acts.GameEnded())


def _racks(state: State) -> Iterator[AnyOffer]:
    """RK-10, RK-11; and corrections of wrong counts."""
    for seat in rules.unreported(state):
        player = state.players[seat]
        label = message("{player}’s rack in points", player=player)
        question = message("What does {player}’s rack cost?", player=player)
        entry = Entry(question, POINTS_HINT, "numbers")
        costs, priced = rules.cost_domain(state), partial(acts.EnterRackPoints, player)
        yield OpenOffer(f"points:{seat}", label, "RK-11", costs, priced, entry)
    for seat in rules.showable(state):
        player = state.players[seat]
        label = message("{player}’s rack, tile by tile", player=player)
        question = message("Which tiles are on {player}’s rack?", player=player)
        entry = Entry(question, RACK_HINT, "tiles")
        domain, fill = rules.rack_domain(state, seat), partial(acts.RackShown, player)
        aside = state.round.stage == "playing"
        if not aside:
            left = state.box.tiles.missing_from(state.visible)
            worth = tuple(points(Tiles((each,)), state.house.joker) for each in left.pieces)
            pieces, instead = left.labels, f"points:{seat}"
            held = state.round.racks[seat].count.tiles
            entry = replace(entry, pieces=pieces, worth=worth, needed=held, instead=instead)
        yield OpenOffer(f"rack:{seat}", label, "RK-11", domain, fill, entry, aside=aside)
    for seat in rules.countable(state):
        player = state.players[seat]
        label = message("Recount {player}’s rack", player=player)
        question = message("How many tiles are on {player}’s rack?", player=player)
        entry = Entry(question, COUNT_HINT, "numbers")
        most, counted = rules.count_domain(state, seat), partial(acts.RackCounted, player)
        yield OpenOffer(f"count:{seat}", label, "RK-2", most, counted, entry, aside=True)


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet; the open round is the last line of the rounds."""
    open_turn = state.round.stage in {"playing", "restoring"} and state.house.in_turns
    totals = tuple(Cell(points=total, rule="RK-14") for total in state.totals)
    rows = list(_rounds(state))
    if not state.ended and state.house.judged:
        racks = tuple(rack.count.tiles for rack in state.round.racks)
        rows.append(_counts("rack", message("Tiles on the rack"), racks, "RK-2"))
    elif not state.ended and state.house.in_turns:
        drawn, penalties = message("Tiles drawn"), message("Of these, penalty tiles")
        rows.append(_counts("drawn", drawn, state.round.taken, "RK-6"))
        rows.append(_counts("penalties", penalties, state.round.penalties, "RK-7"))
    if state.house.extensions and state.house.seconds and not state.ended:
        left = tuple(EXTENSION * (state.house.extensions - used) for used in state.extended)
        rows.append(_counts("bank", message("Time bank, seconds"), left, "RK-7"))
    total = message("Total")
    rows.append(Row("grand", total, "total", "totals", totals, None, "RK-14", signed=True))
    return Scoresheet(
        game="rummikub",
        players=state.players,
        rows=tuple(rows),
        current=state.round.seat if open_turn and not state.ended else None,
        options=state.house.printed,
    )


def _counts(key: str, label: Message, tiles: Iterable[int | None], rule: str) -> Row:
    return Row(key, label, "total", "racks", tuple(Cell(points=each) for each in tiles), None, rule)


def _rounds(state: State) -> Iterator[Row]:
    """RK-11, RK-13; the scores of a round add up to 0, which the sheet shows."""
    for number, scores in enumerate(state.scores, start=1):
        rule = "RK-13" if sum(each >= 0 for each in scores) > 1 else "RK-11"
        cells = tuple(Cell(points=each, rule=rule) for each in scores)
        label = message_in("Rummikub", "Round {number}", number=number)
        hint = message("sum {sum}", sum=sum(scores))
        yield Row(f"round-{number}", label, "box", "rounds", cells, hint, rule, signed=True)
    if not state.ended:
        number = len(state.scores) + 1
        costs = state.round.costs or (None,) * len(state.players)
        # what is lost at least, as far as racks are entered; the winner's gain is not known yet
        cells = tuple(Cell(points=-cost if cost else None) for cost in costs)
        label = message_in("Rummikub", "Round {number}", number=number)
        yield Row(f"round-{number}", label, "box", "rounds", cells, None, "RK-11", signed=True)


def turn(state: State) -> Turn:
    """The open turn, for the table."""
    here = state.round
    match here.stage:
        case _ if state.ended:
            return Turn(state.turns, "finished", None)
        case "drawing":
            return _drawing(state)
        case "playing" | "restoring" if not state.house.judged:
            return _unjudged(state)
        case "playing":
            why = message("Lay at least one tile, or draw one.")
            if not here.melded[here.seat]:
                why = message("Lay a first meld of 30 or more, or draw a tile.")
            return _waiting(state, here.seat, why, "lay", "pass" if state.left == 0 else "draw")
        case "restoring":
            why = _putting_back(state)
            return _waiting(state, here.seat, why, "restored", "untouched")
        case "counting":
            seat = rules.unreported(state)[0]
            player = state.players[seat]
            if here.winner is None:
                why = message(
                    "Nobody is out, the lowest rack wins. What is on {player}’s?", player=player
                )
            else:
                why = message(
                    "{winner} calls Rummikub! What is left on {player}’s rack?",
                    winner=state.players[here.winner],
                    player=player,
                )
            return _waiting(state, None, why, f"rack:{seat}")


def _drawing(state: State) -> Turn:
    """RK-2, RK-15: who begins the round."""
    seat = rules.beginner(state)
    if seat is None:
        why = message("Everyone draws a tile: the highest number begins. Then take 14 each.")
        drawer = roll_off(state.round).next_seat
        return _waiting(state, drawer, why, None if drawer is None else "tile")
    player = state.players[seat]
    why = message("{player} begins. Take 14 tiles each, then press KEEP.", player=player)
    return _waiting(state, seat, why)


def _unjudged(state: State) -> Turn:
    """A round without entered turns, or a turn without entered tiles (CS-1)."""
    here = state.round
    if not state.house.in_turns:
        return _waiting(state, None, message("Play the round; then say how it ended."))
    progress = message_in("Rummikub", "Round {number}", number=len(state.scores) + 1)
    if here.stage == "playing":
        why = message("Lay tiles and press KEEP, or draw one and press REROLL.")
        seconds, time_up = _clock(state)
        awaited = Awaited(progress, why, "draw", seconds, time_up=time_up, first="next")
    else:
        why = _putting_back(state)
        large = message("+{tiles}", tiles=here.drawn)
        awaited = Awaited(progress, why, "untouched", first="restored", large=large)
    return Turn(state.turns, "playing", here.seat, awaited=awaited)


def _putting_back(state: State) -> Message:
    """RK-7, RK-18."""
    return message(
        "Put every tile back, draw {tiles} and press KEEP. If nothing had been laid or moved, draw "
        "one and press REROLL.",
        tiles=state.round.drawn,
    )


def _waiting(
    state: State,
    player: int | None,
    instruction: Message,
    seen_for: str | None = None,
    second: str | None = None,
) -> Turn:
    """The awaited act: `seen_for` is the offer that pieces seen fill, `second` REROLL's."""
    stage, number = state.round.stage, len(state.scores) + 1
    progress = message_in("Rummikub", "Round {number}", number=number)
    if stage == "drawing":
        progress = message("Who starts?")
    if state.pool is not None and stage in {"playing", "restoring"}:
        progress = message(
            "Round {number} · {pool} tiles in the pool", number=number, pool=state.pool
        )
    expected = None
    if seen_for is not None:
        reader = "tiles" if state.box == CLASSIC else "tiles-xp"
        expected = ExpectedPieces(reader, seen_for, stage in {"playing", "restoring"})
    seconds, time_up = _clock(state)
    seat = rules.beginner(state) if stage == "drawing" else None
    first = "restored" if stage == "restoring" else None if seat is None else f"begin:{seat}"
    awaited = Awaited(progress, instruction, second, seconds, time_up, expected, first=first)
    return Turn(state.turns, "playing", player, awaited=awaited)


def _clock(state: State) -> tuple[int | None, str]:
    """RK-7: the seconds of the open turn, and the offer that is carried out at their end."""
    seconds = state.house.seconds
    if seconds is None or state.round.stage != "playing":
        return None, "fail"
    time_up = "extend" if rules.may_extend(state) else "fail"
    return seconds + EXTENSION * state.round.extended, time_up


def judgement(state: State, offer: str, pieces: str) -> Judgement:
    """Judge the pieces seen for that offer: a table, a table put back, a rack, or one tile.

    Raises:
        NotationError: the pieces are no tiles.
        ValueError: no tiles fill that offer now.
    """
    if offer == "lay":
        table, before = Laid.parse(pieces), state.round.table
        verdict = judge(state.standing, table)
        return Judgement(
            message("End the turn: {tiles} laid", tiles=listed(verdict.laid)),
            verdict.faults,
            verdict.laid.labels,
            changed=bool(table.without(before) or before.without(table)),
        )
    if offer == "restored":
        remarks = _elsewhere(state.round.table, Laid.parse(pieces))
        return Judgement(_put_back(state), remarks, changed=bool(remarks))  # RK-7
    return _filling(state, offer, Tiles.parse(pieces))


def set_verdicts(pieces: str) -> tuple[SetVerdict, ...]:
    """Whether each group is a set (RK-3, RK-4, RK-16). Raises NotationError for other pieces."""
    verdicts = list[SetVerdict]()
    for laid in Laid.parse(pieces).sets:
        reading, fault = best(laid), fault_of(laid)
        meant = laid.pieces if reading is None else stands_of(laid, reading)
        verdicts.append(SetVerdict(tuple(map(str, meant)), None if fault is None else fault.text))
    return tuple(verdicts)


def _elsewhere(before: Laid, table: Laid) -> tuple[Remark, ...]:
    """Missing tiles, foreign tiles, and tiles in another set than before."""
    missing = before.tiles.missing_from(table.tiles)
    foreign = table.tiles.missing_from(before.tiles)
    strays = Tiles(tuple((_strays(before, table) - Counter(foreign.pieces)).elements()))
    found = (
        (missing, message("Missing on the table: {tiles}.", tiles=listed(missing))),
        (foreign, message("Back to the rack: {tiles}.", tiles=listed(foreign))),
        (strays, message("Still in another place: {tiles}.", tiles=listed(strays))),
    )
    return tuple(Remark("RK-7", why, tiles.labels) for tiles, why in found if tiles.pieces)


def _strays(before: Laid, table: Laid) -> Counter[Piece]:
    """The tiles that are not in their old set.

    The old and new sets that have most in common count as the same one.
    """
    old, now = list(before.without(table)), list(table.without(before))
    strays: Counter[Piece] = Counter()
    while old and now:
        same, laid = max(product(old, now), key=lambda two: (two[0].counts & two[1].counts).total())
        if not same.counts & laid.counts:
            break
        strays += laid.counts - same.counts
        old.remove(same)
        now.remove(laid)
    return sum((laid.counts for laid in now), strays)


def _filling(state: State, offer: str, tiles: Tiles) -> Judgement:
    """RK-2, RK-11."""
    found = next((each for each in offers(state) if each.key == offer), None)
    domain = found.domain if isinstance(found, OpenOffer) else None
    if not isinstance(domain, domains.RackDomain | domains.StartTileDomain) or found is None:
        raise ValueError(f"No tiles fill “{offer}” now.")
    fault = domain.fault(tiles)
    remarks = () if fault is None else (Remark(found.rule, fault, tiles.labels),)
    if isinstance(domain, domains.StartTileDomain):
        label = message("{label}: {tile}", label=found.label, tile=listed(tiles))
        return Judgement(label, remarks, tiles.labels)
    cost = points(tiles, state.house.joker)
    label = message(
        "{label}: {tiles} tiles, {points} points", label=found.label, tiles=len(tiles), points=cost
    )
    return Judgement(label, remarks, tiles.labels)


def describe(_state: State, event: acts.Event) -> Message:  # noqa: PLR0911, PLR0912, C901 -- one arm a member
    """The event in words."""
    match event:
        case acts.StartDrawn(player, tile):
            return message("{tile} drawn by {player}", tile=str(tile), player=player)
        case acts.BeginnerNamed(player):
            return message("{player} beginning", player=player)
        case acts.TilesLaid(player, laid=laid, overruled=False):
            return message("{tiles} laid by {player}", tiles=str(laid), player=player)
        case acts.TilesLaid(player, laid=laid):
            return message("{tiles} of {player}, overruled", tiles=str(laid), player=player)
        case acts.TileDrawn(player):
            return message("a tile drawn by {player}", player=player)
        case acts.TurnPassed(player):
            return message("{player} passing", player=player)
        case acts.TurnFailed(player, drawn):
            return message("{player}’s penalty of {tiles} tiles", player=player, tiles=drawn)
        case acts.TableRestored():
            return message("the table put back")
        case acts.TurnEnded(player):
            return message("the end of {player}’s turn", player=player)
        case acts.PenaltyReduced(player, drawn):
            return message("{player}’s penalty down to {tiles}", player=player, tiles=drawn)
        case acts.RackCounted(player, count):
            return message("{player}’s rack counted: {count}", player=player, count=str(count))
        case acts.RackShown(player):
            return message("{player}’s rack entered", player=player)
        case acts.RummikubCalled(player):
            return message("{player}’s call of Rummikub", player=player)
        case acts.RoundStopped():
            return message("the end of the round, nobody out")
        case acts.RackSummed(player, points=points):
            return message("{points} on {player}’s rack", points=points, player=player)
        case acts.RoundScored(points):
            return message("the round’s scores {scores}", scores=str(points))
        case acts.TurnReopened(player):
            return message("more time for {player}", player=player)
        case acts.RoundCorrected(number, new):
            return message("the scores of round {number}: {scores}", number=number, scores=str(new))
        case acts.GameEnded():
            return message_in("Rummikub", "the end of the game")
