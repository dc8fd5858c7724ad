"""What may be done in Rummikub now: exactly the commands that the rules accept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from scoreboard.games.engine.game import Entry, Offer, OpenOffer
from scoreboard.games.rummikub import racks
from scoreboard.games.rummikub.acts import (
    CallRummikub,
    Command,
    CountRack,
    DrawForStart,
    DrawTile,
    EndGame,
    EnterScores,
    FailTurn,
    LayTiles,
    MovedNothing,
    NameBeginner,
    OverruleReferee,
    PassTurn,
    RestoreTable,
    ShowRack,
    StopRound,
    TellRackPoints,
)
from scoreboard.games.rummikub.domains import (
    OverruledDomain,
    PointsDomain,
    RestoredDomain,
    TableDomain,
)
from scoreboard.games.rummikub.laid import Laid
from scoreboard.games.rummikub.rules import drawn_domain, may_end, start_domain
from scoreboard.games.rummikub.start import start
from scoreboard.games.rummikub.state import State
from scoreboard.message import Message, message

TILE_HINT: Final = message("K black, R red, B blue, O orange, and the number, as in R12.")
TABLE_HINT: Final = message("One set a line, as in K7 R7 B7; a joker is J, or J=R11 for a red 11.")
SCORES_HINT: Final = message("One number a player, zero together, as in 24 -6 -13 -5.")
RACK_HINT: Final = message("All tiles, as in K7 R12 J.")
POINTS_HINT: Final = message("The sum of its numbers, as in 24.")
COUNT_HINT: Final = message("A number, or ? where nobody knows.")
AnyOffer = Offer[Command] | OpenOffer[Command]


def offers(state: State) -> tuple[AnyOffer, ...]:
    """Every act that the rules accept now.

    The keys: `tile`, `lay`, `overrule`, `draw-known`, `restore`, `count:<seat>`, `rack:<seat>`,
    `points:<seat>`, `round` (open); `begin:<seat>`, `draw`, `pass`, `fail`, `restored`,
    `untouched`, `rummikub:<seat>`, `stop:<seat>`, `end`.
    """
    if state.ended:
        return ()
    return (
        *_starts(state),
        *_turns(state),
        *_restorings(state),
        *_ends(state),
        *_racks(state),
    )


def _starts(state: State) -> Iterator[AnyOffer]:
    """RK-2."""
    if state.round.stage != "drawing":
        return
    seat = start(state.round).drawer
    if seat is not None:
        player = state.players[seat]
        label = message("{player} draws a tile for the start", player=player)
        entry = Entry(
            message("Which tile did {player} draw?", player=player), TILE_HINT, keys="tiles"
        )
        fill = partial(DrawForStart, player)
        yield OpenOffer("tile", label, "RK-2", start_domain(state), fill, entry)
    for each, player in enumerate(state.players):
        label = message("{player} begins", player=player)
        yield Offer(f"begin:{each}", label, "RK-2", NameBeginner(player))


def _turns(state: State) -> Iterator[AnyOffer]:
    """RK-5 to RK-9, RK-12."""
    if state.round.stage != "playing" or not state.house.judged:
        return
    standing, table = state.standing, written(state.round.table)
    entry = Entry(
        message("How does the table look now?"), TABLE_HINT, "tiles", written=table, lines=True
    )
    laying = message("Tiles were laid: the table now")
    yield OpenOffer("lay", laying, "RK-8", TableDomain(standing), LayTiles, entry)
    if state.left > 0:
        yield Offer("draw", message("Draw a tile and pass"), "RK-6", DrawTile())
        yield from _known_draw(state)
    else:
        yield Offer("pass", message("Lay nothing: the pool is empty"), "RK-12", PassTurn())
    yield Offer("fail", message("Give up the turn: put the table back"), "RK-7", FailTurn())
    overruling = message("Take the turn against the referee")
    insisted = OverruledDomain(standing)
    yield OpenOffer("overrule", overruling, "RK-8", insisted, OverruleReferee, entry, aside=True)


def written(table: Laid) -> str:
    """The table as it stands in a field: one set a line."""
    return "\n".join(map(str, table.sets))


def _known_draw(state: State) -> Iterator[AnyOffer]:
    """RK-6, for a rack that was told."""
    if state.round.racks[state.round.seat].tiles is not None:
        label, question = message("Draw a tile and tell it"), message("Which tile was drawn?")
        domain = drawn_domain(state)
        entry = Entry(question, TILE_HINT, "tiles")
        yield OpenOffer("draw-known", label, "RK-6", domain, DrawTile, entry, aside=True)


def _restorings(state: State) -> Iterator[AnyOffer]:
    """RK-7, RK-18."""
    if state.round.stage != "restoring":
        return
    table = state.round.table
    yield Offer("restored", message("All tiles lie as before"), "RK-7", RestoreTable(table))
    label = message("Nobody knows where some tiles lay")
    entry = Entry(
        message("How does the table look, without the tiles that nobody can place?"),
        TABLE_HINT,
        "tiles",
        written=written(table),
        lines=True,
    )
    yield OpenOffer("restore", label, "RK-7", RestoredDomain(table), RestoreTable, entry)
    untouched = message("Nothing had been laid or moved: draw one tile only")
    yield Offer("untouched", untouched, "RK-18", MovedNothing())


def _ends(state: State) -> Iterator[AnyOffer]:
    """RK-11, RK-12, RK-15."""
    for seat in racks.uncounted(state):
        player = state.players[seat]
        label = message("{player} calls “Rummikub”", player=player)
        yield Offer(f"rummikub:{seat}", label, "RK-11", CallRummikub(player))
    for seat in racks.stoppable(state):
        player = state.players[seat]
        label = message("The pool is empty and {player} lays nothing", player=player)
        yield Offer(f"stop:{seat}", label, "RK-12", StopRound(player))
    if racks.may_enter_scores(state):
        names = ", ".join(state.players)
        question = message("What does the round bring? In this order: {names}", names=names)
        entry = Entry(question, SCORES_HINT, "numbers")
        domain = racks.scores_domain(state)
        label, aside = message("Enter the round's scores"), state.house.judged
        yield OpenOffer("round", label, "RK-11", domain, EnterScores, entry, aside=aside)
    if may_end(state):
        yield Offer("end", message("That was the last round"), "RK-15", EndGame())


def _racks(state: State) -> Iterator[AnyOffer]:
    """RK-10, RK-11; and a count that went wrong."""
    for seat in racks.untold(state):
        yield _points_offer(state, seat)
    for seat in racks.showable(state):
        player = state.players[seat]
        label = message("{player}’s rack, tile by tile", player=player)
        entry = Entry(_asked_for(player), RACK_HINT, "tiles")
        domain, fill = racks.rack_domain(state, seat), partial(ShowRack, player)
        aside = state.round.stage == "playing"
        yield OpenOffer(f"rack:{seat}", label, "RK-11", domain, fill, entry, aside=aside)
    for seat in racks.countable(state):
        player = state.players[seat]
        label = message("Count {player}’s rack anew", player=player)
        question = message("How many tiles are on {player}’s rack?", player=player)
        entry = Entry(question, COUNT_HINT, "numbers")
        most, counted = racks.count_domain(state, seat), partial(CountRack, player)
        yield OpenOffer(f"count:{seat}", label, "RK-2", most, counted, entry, aside=True)


def _points_offer(state: State, seat: int) -> AnyOffer:
    player = state.players[seat]
    label = message("{player}’s rack in points", player=player)
    question = message("What does {player}’s rack cost?", player=player)
    entry = Entry(question, POINTS_HINT, "numbers")
    domain = PointsDomain.of(state.box, state.house.joker)
    return OpenOffer(
        f"points:{seat}", label, "RK-11", domain, partial(TellRackPoints, player), entry
    )


def _asked_for(player: str) -> Message:
    return message("Which tiles are on {player}’s rack?", player=player)
