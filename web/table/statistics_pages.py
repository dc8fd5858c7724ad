"""The pages of statistics: all players, one, two against each other, the dice; a game's race."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, abort, render_template, request

from scoreboard.errors import UnknownGameError
from scoreboard.games import GAMES
from scoreboard.games.advice.fairness import ALARM, verdict
from scoreboard.games.engine.scoresheet import Row, Scoresheet
from scoreboard.games.engine.transcript import TranscriptError
from web.table.statistics import Statistics, five_alike_name, kind_sheet

if TYPE_CHECKING:
    from scoreboard.storage.finished_games import GameKind

YEAR, MONTH = 4, 7  # letters of a date
SHADES: Final = 3  # of the heat map, on either side
FULL_SHADE: Final = 0.6  # of what is expected: as much more or less has the deepest shade
STEP: Final = 25  # points from one bar to the next
SEEN: Final = 0.002  # a share of the best possible play's totals that is worth a bar


@dataclass(frozen=True, slots=True)
class Optimum:
    """What the best possible play has: on average, in each box, and how its totals spread.

    `finals` are shares of all games by the lowest total of each step of 25 points.
    """

    average: float
    boxes: Mapping[str, float]
    finals: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The games that a page is about, and what is said of them."""

    kind: GameKind
    kinds: Mapping[GameKind, int]
    years: tuple[str, ...]
    sheet: Scoresheet
    has_dice: bool

    @property
    def boxes(self) -> tuple[Row, ...]:
        """The boxes of these games' sheet."""
        return tuple(row for row in self.sheet.rows if row.kind == "box") if self.has_dice else ()

    @property
    def optimum(self) -> Optimum | None:
        """The figures of the best possible play, None where nobody has worked them out."""
        return optima().get((self.kind.game, self.kind.rules))


@cache
def optima() -> Mapping[tuple[str, str], Optimum]:
    """The figures of the best possible play, by game and house rules, made by simulation."""
    file = files("models") / "advice" / "optimum.json"
    if not file.is_file():
        return {}
    return {
        (each["game"], each["rules"]): Optimum(
            each["average"], each["boxes"], {int(low): n for low, n in each["finals"].items()}
        )
        for each in json.loads(file.read_text(encoding="utf-8"))
    }


def statistics_views(statistics: Statistics) -> Blueprint:
    """`/statistics` with its parts, and `/games/<game_id>/race`."""
    views, finished = Blueprint("statistics", __name__), statistics.finished

    @views.context_processor
    def words() -> dict[str, Any]:
        return {"rulebooks": GAMES, "kind_sheet": kind_sheet, "at": datetime.fromisoformat}

    @views.get("/statistics")
    def show() -> str:
        chosen = _chosen(statistics)
        if chosen is None:
            return render_template("statistics.html", chosen=None, missing=statistics.missing)
        kind, averages = chosen.kind, finished.box_averages(chosen.kind)
        return render_template(
            "statistics.html",
            chosen=chosen,
            players=finished.players(kind),
            averages=averages,
            best=finished.best_games(kind),
            missing=statistics.missing,
            **_pictured(chosen, averages, finished.finals(kind) if chosen.has_dice else {}),
        )

    @views.get("/statistics/player")
    def player() -> str:
        chosen = _chosen(statistics) or abort(404)
        kind, name = chosen.kind, request.args.get("name", "")
        found = finished.players(kind, names=[name]) or finished.players(
            replace(kind, season=""), names=[name]
        )
        if not found:
            abort(404)
        averages = finished.box_averages(kind, name if chosen.optimum else "")
        return render_template(
            "statistics_player.html",
            chosen=chosen,
            summary=found[0],
            streaks=finished.streaks(kind, [name]).get(name, (0, 0)),
            years=finished.seasons(kind, name, YEAR),
            months=finished.seasons(kind, name, MONTH)[:12],
            meetings=finished.meetings(kind, name),
            best=finished.best_games(kind, name),
            averages=averages,
            **_pictured(chosen, averages, finished.finals(kind, name) if chosen.has_dice else {}),
        )

    @views.get("/statistics/pair")
    def pair() -> str:
        chosen = _chosen(statistics) or abort(404)
        name, other = request.args.get("name", ""), request.args.get("other", "")
        found = [each for each in finished.meetings(chosen.kind, name) if each.other == other]
        if not found:
            abort(404)
        return render_template(
            "statistics_pair.html",
            chosen=chosen,
            meetings=found[0],
            games=finished.shared_games(chosen.kind, name, other),
        )

    _add_other_pages(views, statistics)
    return views


def _add_other_pages(views: Blueprint, statistics: Statistics) -> None:
    finished = statistics.finished

    @views.get("/statistics/dice")
    def dice() -> str:
        verdicts = {name: verdict(games) for name, games in finished.rolled().items()}
        return render_template("statistics_dice.html", verdicts=verdicts, alarm=ALARM)

    @views.get("/games/<game_id>/race")
    def race(game_id: str) -> str:
        try:
            players, rounds = statistics.race(game_id)
        except (UnknownGameError, TranscriptError):
            abort(404)
        return render_template("race.html", players=players, rounds=rounds)


def _chosen(statistics: Statistics) -> Chosen | None:
    """The games that the address names, or else those played most; None before the first."""
    finished = statistics.finished
    kinds = {kind: years for kind, years in finished.kinds().items() if kind.game in GAMES}
    if not kinds:
        return None
    game, season = request.args.get("game", ""), request.args.get("season", "")
    asked = (game, request.args.get("rules", ""))
    kind = next((each for each in kinds if not game or (each.game, each.rules) == asked), None)
    if kind is None:
        abort(404)
    is_known = season[:YEAR] in kinds[kind] and len(season) in {YEAR, MONTH}
    return Chosen(
        replace(kind, season=season if is_known else ""),
        {each: sum(years.values()) for each, years in kinds.items()},
        tuple(kinds[kind]),
        kind_sheet(GAMES[kind.game], kind),
        GAMES[kind.game].has_dice,
    )


def _pictured(
    chosen: Chosen, averages: Mapping[str, Mapping[str, float]], finals: Mapping[int, int]
) -> dict[str, Any]:
    """What the pictures show: how totals spread in per cent, and each box against what is expected.

    That is the best possible play where it is known, else the average of all players.
    """
    optimum = chosen.optimum
    best = {} if optimum is None else optimum.finals
    lows = {*finals, *(low for low, share in best.items() if share > SEEN)}
    count = sum(finals.values())
    expected = {} if optimum is None else optimum.boxes
    for row in chosen.boxes if optimum is None else ():
        of_all = [boxes[row.key] for boxes in averages.values() if row.key in boxes]
        expected |= {row.key: sum(of_all) / len(of_all)} if of_all else {}

    def shade(box: str, points: float) -> int:
        """How far the points are from what is expected: from -3 (few) to 3 (many)."""
        lack = (points - expected[box]) / max(expected[box], 1.0) / FULL_SHADE
        return round(SHADES * max(-1.0, min(1.0, lack)))

    return {
        "expected": expected,
        "shade": shade,
        "spread": [
            (low, 100 * finals.get(low, 0) / count, 100 * best.get(low, 0.0))
            for low in range(min(lows), max(lows) + STEP, STEP)
        ]
        if count
        else [],
        "five_alike": five_alike_name(chosen.sheet) if chosen.has_dice else None,
    }
