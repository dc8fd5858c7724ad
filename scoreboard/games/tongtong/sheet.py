"""The scoresheet of a match: four rows a game, and what decides it."""

from __future__ import annotations

from collections.abc import Iterator

from scoreboard.games.engine.scoresheet import Cell, Row, RowKind, Scoresheet
from scoreboard.games.tongtong.acts import GameScored
from scoreboard.games.tongtong.mission import NAMED, Mission
from scoreboard.games.tongtong.outcome import grand
from scoreboard.games.tongtong.state import GAMES, State
from scoreboard.message import Message, message


def scoresheet(state: State) -> Scoresheet:
    """The whole sheet, rows in the order in which they are filled."""
    games = range(1, GAMES + 1)
    return Scoresheet(
        game="tongtong",
        players=state.players,
        rows=(*(row for number in games for row in _game_rows(state, number)), _grand(state)),
        current=state.deal.seat,
        options=state.house.printed,
    )


def _game_rows(state: State, number: int) -> Iterator[Row]:
    """One game: the sum, what the mission makes of it, the bonus, and the total since."""
    game = state.games[number - 1] if number <= len(state.games) else None
    section, seats = f"game-{number}", len(state.players)

    def row(
        name: str, label: Message, kind: RowKind, rule: str, hint: Message | None = None
    ) -> Row:
        cells = _cells(_figures(game, name), seats, rule)
        return Row(f"{section}-{name}", label, kind, section, cells, hint, rule)

    yield row("sum", message("Game {game}: tops", game=number), "box", "TT-8")
    mission = message("Game {game}: mission", game=number)
    yield row("mission", mission, "box", "TT-10", _hint(state, number))
    yield row("bonus", message("Game {game}: bonus for 6s", game=number), "box", "TT-9")
    yield row("total", message("Total after game {game}", game=number), "total", "TT-12")


def _figures(game: GameScored | None, name: str) -> tuple[int | None, ...] | None:
    if game is None:
        return None
    told = {"sum": game.sums, "mission": game.points, "bonus": game.bonuses, "total": game.totals}
    return told[name].numbers


def _cells(figures: tuple[int | None, ...] | None, seats: int, rule: str) -> tuple[Cell, ...]:
    return tuple(Cell(points=points, rule=rule) for points in figures or (None,) * seats)


def _hint(state: State, number: int) -> Message | None:
    """The mission and the points of its ranks, so that nobody wonders which were used (TT-11)."""
    mission = _mission(state, number)
    if mission is None or mission.ranks is None:
        return None if mission is None else mission.title
    points = " ".join(map(str, state.house.points_of(mission)))
    return message("{mission}; ranks: {points}", mission=mission.title, points=points)


def _mission(state: State, number: int) -> Mission | None:
    """The mission of that game of the match, None before it is turned up."""
    if number <= len(state.games):
        return NAMED[state.games[number - 1].mission]
    return state.deal.mission if number == len(state.games) + 1 else None


def _grand(state: State) -> Row:
    teams = state.house.teams
    label = message("Total of the partners") if teams else message("Grand total")
    rule = "TT-15" if teams else "TT-13"
    seats = range(len(state.players))
    figures = tuple(grand(state, seat) for seat in seats) if state.games else None
    return Row("grand", label, "total", "totals", _cells(figures, len(seats), rule), None, rule)
