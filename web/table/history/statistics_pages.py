"""The family's page, and those of statistics: all players, one, the dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from flask import Blueprint, abort, render_template, request

from scoreboard.games import GAMES
from scoreboard.games.advice.luck import verdict
from scoreboard.games.engine.scoresheet import Row
from scoreboard.storage.finished_games import GameKind, people, rivalries
from web.table.history.archive import Archive
from web.table.history.evening import Evenings
from web.table.history.statistics import Statistics, boxes_of, five_alike_name, house_rules
from web.table.parts import Parts

MOST_GAMES: Final = 100  # in the picture of a player's games


@dataclass(frozen=True, slots=True)
class Chosen:
    """The games of a page, and how many there are."""

    kind: GameKind
    games: int
    kinds: Mapping[GameKind, int]
    years: tuple[str, ...]
    boxes: tuple[Row, ...]


def home_views(parts: Parts, archive: Archive, evenings: Evenings) -> Blueprint:
    """`/home`."""
    views = Blueprint("home", __name__)

    @views.get("/home", right="guest")
    def show() -> str:
        finished, year = parts.store.finished, f"{parts.clock().astimezone():%Y}"
        everybody, evening = people(finished), evenings.of(None)
        last = evening.games[-1] if evening else None
        return render_template(
            "home.html",
            stage=parts.session.view.stage,
            year=year,
            of_year=people(finished, GameKind(season=year)),
            everybody=everybody,
            rivals=rivalries(everybody.values()),
            last=last,
            again=parts.store.header(last.game_id) if last else None,
            photo=max(archive.pictured(last.game_id), default=None) if last else None,
        )

    return views


def statistics_views(statistics: Statistics) -> Blueprint:
    """`/statistics` with its parts."""
    views = Blueprint("statistics", __name__)

    @views.context_processor
    def words() -> dict[str, Any]:
        return {"house_rules": house_rules, "at": datetime.fromisoformat}

    @views.get("/statistics", endpoint="show", right="guest")
    @views.get("/statistics/player", endpoint="player", right="guest")
    def show() -> str:
        name = request.args.get("name", "") if request.endpoint == "statistics.player" else ""
        chosen, finished = _chosen(statistics, name), statistics.finished
        if chosen is None:
            return render_template("statistics.html", chosen=None, missing=statistics.missing)
        everybody = people(finished, chosen.kind)
        kind = replace(chosen.kind, names=(name,) if name else ())
        figures = {
            "chosen": chosen,
            "everybody": everybody,
            "averages": finished.box_averages(kind) if chosen.boxes else {},
            "best": finished.best_games(kind, MOST_GAMES if name else 5),
            "missing": statistics.missing,
            "five_alike": five_alike_name(chosen.kind),
        }
        if not name:
            rivals = rivalries(everybody.values())
            return render_template("statistics.html", rivals=rivals, **figures)
        return render_template(
            "statistics_player.html",
            person=everybody.get(name) or abort(404),
            years=finished.players(kind, by_year=True),
            **figures,
        )

    @views.get("/statistics/dice", right="guest")
    def dice() -> str:
        verdicts = {name: verdict(games) for name, games in statistics.finished.rolled().items()}
        return render_template("statistics_dice.html", verdicts=verdicts)

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
    of_years = kinds[kind]
    return Chosen(
        replace(kind, season=season if season in of_years else ""),
        of_years.get(season) or sum(of_years.values()),
        {each: sum(years.values()) for each, years in kinds.items()},
        tuple(of_years),
        boxes_of(kind),
    )
