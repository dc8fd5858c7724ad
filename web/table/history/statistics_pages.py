"""The pages of statistics: all players, one, two against each other, the dice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final

from flask import Blueprint, abort, render_template, request

from scoreboard.games import GAMES
from scoreboard.games.advice.luck import ALARM, verdict
from scoreboard.games.engine.scoresheet import Row
from scoreboard.storage.finished_games import HISTOGRAM_STEP, MONTH, YEAR, GameKind
from web.table.history.statistics import (
    Statistics,
    boxes_of,
    five_alike_name,
    house_rules,
    title_of,
)

SHADES: Final = 3  # of the heat map, on either side
FULL_SHADE: Final = 0.6  # of what is expected: as much more or less has the deepest shade
SEEN: Final = 0.002  # a share of the best possible play's totals that is worth a bar


@dataclass(frozen=True, slots=True)
class Chosen:
    """The games of a page, and their figures."""

    kind: GameKind
    kinds: Mapping[GameKind, int]
    years: tuple[str, ...]
    boxes: tuple[Row, ...]

    @property
    def optimum(self) -> Mapping[str, Any] | None:
        return optima().get((self.kind.game, self.kind.rules))


@cache
def optima() -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """The figures of the best possible play, by game and house rules, made by simulation.

    `average` is the total's, `boxes` are those of each box, `finals` the shares of all games by the
    lowest total of each step of 25 points.
    """
    file = files("models") / "advice" / "optimum.json"
    figures = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []
    return {(each["game"], each["rules"]): each for each in figures}


def statistics_views(statistics: Statistics) -> Blueprint:
    """`/statistics` with its parts."""
    views = Blueprint("statistics", __name__)

    @views.context_processor
    def words() -> dict[str, Any]:
        return {"title_of": title_of, "house_rules": house_rules, "at": datetime.fromisoformat}

    @views.get("/statistics", endpoint="show", right="guest")
    @views.get("/statistics/player", endpoint="player", right="guest")
    def show() -> str:
        name = request.args.get("name", "") if request.endpoint == "statistics.player" else ""
        chosen, finished = _chosen(statistics, name), statistics.finished
        if chosen is None:
            return render_template("statistics.html", chosen=None, missing=statistics.missing)
        kind = replace(chosen.kind, names=(name,) if name else ())
        players = finished.players(kind) or (abort(404) if name else ())
        averages = finished.box_averages(kind if chosen.optimum else chosen.kind)
        figures = {
            "chosen": chosen,
            "players": players,
            "averages": averages,
            "best": finished.best_games(kind),
            "missing": statistics.missing,
            **_pictured(chosen, averages, finished.finals(kind) if chosen.boxes else {}),
        }
        if not name:
            return render_template("statistics.html", **figures)
        return render_template(
            "statistics_player.html",
            summary=players[0],
            streaks=finished.streaks(kind).get(name, (0, 0)),
            years=finished.players(kind, YEAR),
            months=finished.players(kind, MONTH)[:12],
            meetings=finished.meetings(kind),
            **figures,
        )

    @views.get("/statistics/dice", right="guest")
    def dice() -> str:
        verdicts = {name: verdict(games) for name, games in statistics.finished.rolled().items()}
        return render_template("statistics_dice.html", verdicts=verdicts, alarm=ALARM)

    return views


def _chosen(statistics: Statistics, name: str = "") -> Chosen | None:
    """The games named in the address, or else those that a player, or all, played most.

    None before the first.
    """
    finished = statistics.finished
    kinds = {kind: years for kind, years in finished.kinds(name).items() if kind.game in GAMES}
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
        boxes_of(kind),
    )


def _pictured(
    chosen: Chosen, averages: Mapping[str, Mapping[str, float]], finals: Mapping[int, int]
) -> dict[str, Any]:
    """The data of the charts: the spread of totals in per cent, and each box against expectation.

    That is the best possible play if it is known, else the average of all players.
    """
    optimum = chosen.optimum
    best = {} if optimum is None else {int(low): n for low, n in optimum["finals"].items()}
    lows = {*finals, *(low for low, share in best.items() if share > SEEN)}
    count = sum(finals.values())
    expected: dict[str, float] = {} if optimum is None else dict(optimum["boxes"])
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
            for low in range(min(lows), max(lows) + HISTOGRAM_STEP, HISTOGRAM_STEP)
        ]
        if count
        else [],
        "five_alike": five_alike_name(chosen.kind),
    }
