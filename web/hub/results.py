"""Results: a list to type them into; signatures, disputes; blind scores; penalties and notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response as AnyResponse

from scoreboard.errors import ConflictError
from scoreboard.games import GAMES
from scoreboard.games.engine.game import CountField, HandCount
from scoreboard.message import message
from scoreboard.tournament.hub.table_updates import odd_scores
from scoreboard.tournament.hub.tournament_service import NotAllowedError
from scoreboard.tournament.model import disputes
from scoreboard.tournament.model import results as model
from scoreboard.tournament.model.disputes import Dispute, Settle, Sign
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.entries import entered
from scoreboard.tournament.model.scores import FATES, HIGHEST_SCORE, GameScores, Score
from scoreboard.tournament.model.scoring import games_of_match
from scoreboard.tournament.model.tournament import Command, Reported, Round, SoloScore, Tournament
from scoreboard.typed_numbers import plain_digits, typed_number
from web.hub import progress
from web.hub.desk import desk_part
from web.hub.entries import LONGEST_NOTE
from web.hub.forms import (
    FieldError,
    attribution,
    back,
    carry_out,
    confirm,
    give,
    in_field,
    reason,
    require_last,
    whole,
)
from web.hub.hub import Hub, event_page
from web.hub.progress import numbered_round, rows_of_round
from web.shared.security import whole_number
from web.shared.words import translate

TABLE = "/rounds/<int:number>/tables/<int:table>"
GAME = f"{TABLE}/games/<int:game>"
_WON: Final = re.compile(r"(\d{1,2})\s*[-:]\s*(\d{1,2})", re.ASCII)
FATE_WORDS = {
    "played": message("played"),
    "forfeit": message("gave up"),
    "no-show": message("did not come"),
}


@dataclass(frozen=True, slots=True)
class ResultPlace:
    """A table of a round, as named in an address."""

    state: Tournament
    round: Round
    seats: TableSeats

    @classmethod
    def of(cls, state: Tournament, number: int, table: int) -> ResultPlace:
        """The place; answers 404 if there is none."""
        played = numbered_round(state, number) or abort(404)
        return cls(state, played, played.table(table) or abort(404))

    @property
    def at(self) -> tuple[int, int]:
        """The numbers of the round and the table."""
        return self.round.number, self.seats.number

    def result(self, game: int) -> Reported | None:
        """The result of one of its games."""
        return self.round.results.get((self.seats.number, game))


_Act = Callable[[ResultPlace, int], Iterable[Command]]  # what is decided about one of its games


def result_views(hub: Hub) -> Blueprint:
    """`/e/<id>/results` and the tables of each round."""
    views = Blueprint("results", __name__, url_prefix="/e/<tournament_id>")

    @views.get("/results", right="referee")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        state, only = snapshot.state, request.args.get("table", None, int)
        return event_page(
            "results.html",
            snapshot,
            part="" if only else desk_part(hub, tournament_id, "results_live.html"),
            rounds=[
                (each, rows_of_round(hub, snapshot, each, only)) for each in reversed(state.rounds)
            ],
            unsigned=unsigned_results(state),
            step=progress.next_step(state),
            fates=FATE_WORDS,
        )

    @views.get(TABLE, right="referee")
    def table(tournament_id: str, number: int, table: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        place = ResultPlace.of(snapshot.state, number, table)
        rows = {row.number: row for row in rows_of_round(hub, snapshot, place.round)}
        return event_page("table.html", snapshot, place=place, row=rows[table], fates=FATE_WORDS)

    @views.post(TABLE, right="referee", page="results.table", seen="nothing")
    def enter(tournament_id: str, number: int, table: int) -> AnyResponse:
        place = ResultPlace.of(hub.service.snapshot(tournament_id).state, number, table)
        give(hub, tournament_id, *typed_results(hub, place))
        if request.form.get("then") == "table":
            return back("results.table", tournament_id=tournament_id, number=number, table=table)
        only = table if request.form.get("then") == "row" else None  # the script exchanges it
        row = f"row-{number}-{table}"
        return back("results.show", tournament_id=tournament_id, table=only, _anchor=row)

    @views.post(
        "/rounds/<int:number>/sign-all", right="referee", page="results.show", seen="nothing"
    )
    def sign_round(tournament_id: str, number: int) -> AnyResponse:
        snapshot = hub.service.snapshot(tournament_id)
        current = {each.number: each for each in snapshot.state.current_rounds}
        played = current.get(number) or require_last(snapshot, number)
        require_was(str(unsigned_results(snapshot.state).get(number, 0)))
        give(hub, tournament_id, *missing_signatures(snapshot.state, played, played.results.keys()))
        return back("results.show", tournament_id=tournament_id)

    def decide(act: _Act, tournament_id: str, number: int, table: int, game: int) -> AnyResponse:
        """Carry out what is decided about a game's result, unless that has changed."""
        place = ResultPlace.of(hub.service.snapshot(tournament_id).state, number, table)
        require_unchanged(place.result(game))
        give(hub, tournament_id, *act(place, game))
        return back("results.table", tournament_id=tournament_id, number=number, table=table)

    decisions: dict[str, _Act] = {
        "sign": lambda place, game: [Sign(*place.at, game, whole("entrant"))],
        "sign-all": lambda place, game: missing_signatures(
            place.state, place.round, {(place.seats.number, game)}
        ),
        "dispute": lambda place, game: [Dispute(*place.at, game, whole("entrant"), reason())],
        "uphold": lambda place, game: [disputes.UpholdResult(*place.at, game, **attribution(hub))],
    }
    for name, act in decisions.items():
        views.post(
            f"{GAME}/{name}", endpoint=name, right="referee", page="results.table", seen="nothing"
        )(partial(decide, act))
    return views


def typed_results(
    hub: Hub, place: ResultPlace
) -> list[model.ReportResult | model.CorrectResult | Settle]:
    """What a table's form changes, in order; nothing about a game that is as typed already.

    Raises ConflictError for a game that somebody else changed meanwhile, UnconfirmedError for
    scores that no game ends with, and as `typed_games` and `attribution` do.
    """
    changes: list[model.ReportResult | model.CorrectResult | Settle] = []
    for game, scores in typed_games(place).items():
        reported = place.result(game)
        now = "" if reported is None else str(reported.result.scores)
        disputed = reported is not None and reported.phase == "disputed"
        untouched = str(scores) in {now, request.form.get(f"{game}-was")}
        if untouched and not (disputed and request.form.get("why")):
            continue
        require_was(now, f"{game}-was")
        if reported is None:
            changes.append(model.ReportResult(*place.at, game, scores))
        else:
            kind = Settle if disputed else model.CorrectResult
            changes.append(kind(*place.at, game, scores, **attribution(hub)))
    seats = len(place.seats.seats)
    confirm(*(odd for each in changes for odd in odd_scores(place.state, each.scores, seats)))
    return changes


def typed_games(place: ResultPlace) -> dict[int, GameScores]:
    """The scores of each game in the row's fields; in the first one may be `2-1`, the games won.

    Raises FieldError for a score that is missing or no number, and as `games_of_match` does.
    """
    seats, form = place.seats.seats, place.state.format.in_stage(place.round.stage)
    results = sum(table == place.seats.number for table, _ in place.round.results)
    count = GAMES[form.game].hand_count
    if count is not None and request.form.get("from") == count.name:
        return {whole("game"): _counted(place, count)}
    won = _WON.fullmatch(plain_digits(request.form.get(f"1-score-{seats[0]}", "")).strip())
    duel = form.reckoning == "wins" and len(seats) == 2  # noqa: PLR2004 -- of two
    if won and duel and not request.form.get("1-was"):
        match = games_of_match(form, seats, place.round.games, (int(won[1]), int(won[2])))
        return dict(enumerate(match, start=1))
    typed = [name for name, text in request.form.items() if text.strip() not in {"", FATES[0]}]
    games = [
        game
        for game in range(1, max(place.round.games, results + 1) + 1)
        if any(name.startswith(f"{game}-") for name in typed)
    ]
    return {
        game: GameScores.parse(", ".join(_typed(place, seat, game) for seat in seats))
        for game in games or [results + 1]
    }


def _counted(place: ResultPlace, count: HandCount) -> GameScores:
    penalties, seats = place.state.format.penalties, place.seats.seats
    fields = count.fields(penalties)
    counts = [{field.name: _count(field, seat) for field in fields} for seat in seats]
    return GameScores(tuple(map(Score, seats, count.scores(counts, penalties))))


def _count(field: CountField, seat: int) -> int:
    """What was counted of a seat, 1 for a ticked box. Raises FieldError."""
    name = f"{field.name}-{seat}"
    if field.most is None:
        return int(request.form.get(name) == "yes")
    count = whole(name)
    if not 0 <= count <= field.most:
        raise FieldError(name, message("Enter a number from 0 to {most}.", most=field.most))
    return count


def _typed(place: ResultPlace, seat: int, game: int) -> str:
    field = f"{game}-score-{seat}"
    typed = request.form.get(field, "").strip()
    fate = request.form.get(f"{game}-fate-{seat}") or typed_fate(typed)
    if fate in FATES[1:]:
        return f"{seat} {fate}"
    if not typed:
        name = place.state.names[seat]
        fault = message("Enter the score of {name}, or why there is none.", name=name)
        raise FieldError(field, fault)
    score = typed_number(typed)
    if score is None or abs(score) > HIGHEST_SCORE:
        why = message("Enter a whole number like 52 or -12: “{typed}” is not a score.", typed=typed)
        raise FieldError(field, why)
    return f"{seat} {score}"


def typed_fate(typed: str) -> str:
    """The reason for no score that begins so, in the reader's language; "played" for none."""
    begun = typed.casefold()
    for fate in FATES[1:] if begun else ():
        if any(each.casefold().startswith(begun) for each in (fate, translate(FATE_WORDS[fate]))):
            return fate
    return FATES[0]


def missing_signatures(
    state: Tournament, played: Round, results: Container[tuple[int, int]]
) -> tuple[Sign, ...]:
    """The signatures that these results of a round lack; disputed and settled ones need none.

    Raises NotAllowedError unless the event allows signing for others.
    """
    if not state.format.sign_for_all:
        raise NotAllowedError.worded(
            "In this event each player signs: let them do it on their own pages."
        )
    return tuple(
        Sign(played.number, table, game, entrant)
        for (table, game), reported in sorted(played.results.items(), key=lambda each: each[0])
        if (table, game) in results and reported.phase == "reported"
        for entrant in sorted(reported.signers - reported.signed)
    )


def unsigned_results(state: Tournament) -> dict[int, int]:
    """How many results of each current round wait for signatures alone."""
    return {
        played.number: [each.phase for each in played.results.values()].count("reported")
        for played in (() if state.finished else state.current_rounds)
    }


def require_unchanged(reported: Reported | None) -> None:
    """Raise ConflictError if the result was changed since the form was shown."""
    require_was(None if reported is None else str(reported.result.scores))


def require_was(now: str | None, field: str = "was") -> None:
    """Raise ConflictError if the form states what it is about, and that has changed."""
    if now is not None and request.form.get(field) not in {None, now}:
        raise ConflictError.worded(
            "Check the result again, then decide: somebody changed it in the meantime."
        )


def score_views(hub: Hub) -> Blueprint:
    """`/e/<id>/scores`."""
    views = Blueprint("scores", __name__, url_prefix="/e/<tournament_id>/scores")

    @views.get("", right="referee")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        solo = reversed(tuple(enumerate(snapshot.state.solo, start=1)))
        return event_page("scores.html", snapshot, solo=tuple(solo))

    @views.post("", right="referee", page="scores.show", seen="nothing")
    def submit(tournament_id: str) -> AnyResponse:
        command = model.SubmitScore(whole("entrant"), whole("score"))
        state = hub.service.snapshot(tournament_id).state
        if not was_taken(state, command):
            confirm(*odd_scores(state, [Score(command.entrant, command.score)], 1))
            give(hub, tournament_id, command)
        return back("scores.show", tournament_id=tournament_id)

    @views.post("/<int:number>", right="referee", page="scores.show", seen="nothing")
    def correct(tournament_id: str, number: int) -> AnyResponse:
        score, state = whole("score"), hub.service.snapshot(tournament_id).state
        handed_in = state.solo[number - 1 : number]
        require_was(next((str(each.score) for each in handed_in), None))
        confirm(*odd_scores(state, [Score(each.entrant, score) for each in handed_in], 1))
        command = model.CorrectScore(number, score, **attribution(hub))
        return carry_out(hub, tournament_id, command, "scores.show")

    return views


def was_taken(state: Tournament, command: model.SubmitScore) -> bool:
    """Whether the score was handed in since the form was shown (the button was pressed twice)."""
    seen = whole_number(request.form.get("seen", ""))
    since = () if seen is None else state.solo[seen:]
    return SoloScore(command.entrant, command.score) in since


def penalty_views(hub: Hub) -> Blueprint:
    """The penalties and private notes on `/e/<id>/entries/<number>`."""
    prefix = "/e/<tournament_id>/entries/<int:number>"
    views = Blueprint("penalties", __name__, url_prefix=prefix)

    @views.post("/penalties", right="referee", page="entries.one")
    def award(tournament_id: str, number: int) -> AnyResponse:
        kind = request.form.get("kind", "")
        points = request.form.get("points", "") if kind == "points" else "0"
        command = disputes.AwardPenalty(number, kind, points, **attribution(hub))
        with in_field("points"):
            give(hub, tournament_id, command)
        last = hub.service.snapshot(tournament_id).state.round_of(number)
        seats = last and last.draw.table_of(number)
        if kind == "game" and last and seats:  # to correct the result there
            at = {"number": last.number, "table": seats.number}
            return back("results.table", tournament_id=tournament_id, **at)
        return back("entries.one", tournament_id=tournament_id, number=number)

    @views.post("/penalties/<int:penalty>/undo", right="referee", page="entries.one")
    def undo(tournament_id: str, number: int, penalty: int) -> AnyResponse:
        command = disputes.UndoPenalty(penalty, **attribution(hub))
        return carry_out(hub, tournament_id, command, "entries.one", number=number)

    @views.post("/note", right="referee", page="entries.one", seen="nothing")
    def note(tournament_id: str, number: int) -> AnyResponse:
        entered(hub.service.snapshot(tournament_id).state, number)
        text = request.form.get("note", "").strip()[:LONGEST_NOTE]
        hub.store.entrant_notes.keep(tournament_id, "note", {number: text})
        return back("entries.one", tournament_id=tournament_id, number=number)

    return views
