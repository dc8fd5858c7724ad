"""Results reported, signed, disputed, settled, corrected; blind scores; penalties and notes."""

from __future__ import annotations

from collections.abc import Container
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
from scoreboard.tournament.model import results as model
from scoreboard.tournament.model.disputes import (
    PENALTY_WORDS,
    AwardPenalty,
    Dispute,
    Settle,
    Sign,
    UndoPenalty,
    UpholdResult,
    penalty_message,
)
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.entries import entered
from scoreboard.tournament.model.scores import FATES, HIGHEST_SCORE, GameScores, Score
from scoreboard.tournament.model.tournament import Round, SoloScore, Tournament
from scoreboard.typed_numbers import typed_number
from web.hub.forms import (
    FieldError,
    attribution,
    back,
    carry_out,
    confirm,
    give,
    in_field,
    reason,
    whole,
)
from web.hub.hub import Hub, event_page
from web.hub.progress import for_the_referee, numbered_round, rows_of_round, table_rows
from web.shared.security import whole_number

TABLE = "/rounds/<int:number>/tables/<int:table>"
GAME = f"{TABLE}/games/<int:game>"
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


def result_views(hub: Hub) -> Blueprint:
    """`/e/<id>/results` and the tables of each round."""
    views = Blueprint("results", __name__, url_prefix="/e/<tournament_id>")

    @views.get("/results", right="referee")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        rounds = [
            (each, table_rows(snapshot.state, each, {})) for each in reversed(snapshot.state.rounds)
        ]
        return event_page(
            "results.html",
            snapshot,
            rounds=rounds,
            waiting=for_the_referee(snapshot.state),
            unsigned=unsigned_results(snapshot.state),
        )

    @views.get(TABLE, right="referee")
    def table(tournament_id: str, number: int, table: int) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        place = ResultPlace.of(snapshot.state, number, table)
        rows = {row.number: row for row in rows_of_round(hub, snapshot, place.round)}
        return event_page("table.html", snapshot, place=place, row=rows[table], fates=FATE_WORDS)

    @views.post(GAME, right="referee", page="results.table", seen="nothing")
    def report(tournament_id: str, number: int, table: int, game: int) -> AnyResponse:
        place = ResultPlace.of(hub.service.snapshot(tournament_id).state, number, table)
        command = model.ReportResult(number, table, game, typed_scores(place))
        if not is_reported(place, command):
            confirm_scores(place, command.scores)
            give(hub, tournament_id, command)
        return back("results.table", tournament_id=tournament_id, number=number, table=table)

    @views.post(f"{GAME}/sign", right="referee", page="results.table", seen="nothing")
    def sign(tournament_id: str, number: int, table: int, game: int) -> AnyResponse:
        require_unchanged(hub.service.snapshot(tournament_id).state, number, table, game)
        return _carry_out(hub, tournament_id, Sign(number, table, game, whole("entrant")))

    @views.post(f"{GAME}/sign-all", right="referee", page="results.table", seen="nothing")
    def sign_all(tournament_id: str, number: int, table: int, game: int) -> AnyResponse:
        place = ResultPlace.of(hub.service.snapshot(tournament_id).state, number, table)
        require_unchanged(place.state, number, table, game)
        require_signing_for_all(place.state)
        give(hub, tournament_id, *missing_signatures(place.round, {(table, game)}))
        return back("results.table", tournament_id=tournament_id, number=number, table=table)

    _add_decisions(views, hub)
    return views


def _add_decisions(views: Blueprint, hub: Hub) -> None:
    @views.post(f"{GAME}/dispute", right="referee", page="results.table", seen="nothing")
    def dispute(tournament_id: str, number: int, table: int, game: int) -> AnyResponse:
        require_unchanged(hub.service.snapshot(tournament_id).state, number, table, game)
        command = Dispute(number, table, game, whole("entrant"), reason())
        return _carry_out(hub, tournament_id, command)

    @views.post(f"{GAME}/uphold", right="referee", page="results.table", seen="nothing")
    def uphold(tournament_id: str, number: int, table: int, game: int) -> AnyResponse:
        require_unchanged(hub.service.snapshot(tournament_id).state, number, table, game)
        command = UpholdResult(number, table, game, **attribution(hub))
        return _carry_out(hub, tournament_id, command)

    def decide(
        kind: type[Settle | model.CorrectResult],
        tournament_id: str,
        number: int,
        table: int,
        game: int,
    ) -> AnyResponse:
        """Give a result the referee's scores, unless it was changed in the meantime."""
        place = ResultPlace.of(hub.service.snapshot(tournament_id).state, number, table)
        scores = typed_scores(place)
        require_unchanged(place.state, number, table, game)
        confirm_scores(place, scores)
        command = kind(number, table, game, scores, **attribution(hub))
        return _carry_out(hub, tournament_id, command)

    views.post(
        f"{GAME}/settle", endpoint="settle", right="referee", page="results.table", seen="nothing"
    )(partial(decide, Settle))
    views.post(
        f"{GAME}/correct", endpoint="correct", right="referee", page="results.table", seen="nothing"
    )(partial(decide, model.CorrectResult))


def _carry_out(hub: Hub, tournament_id: str, command: model.GameCommand) -> AnyResponse:
    at = {"number": command.round, "table": command.table}
    return carry_out(hub, tournament_id, command, "results.table", **at)


def typed_scores(place: ResultPlace, group: str = "") -> GameScores:
    """Everybody's score in the form's fields of this group, or the reason for none.

    If the form has counts, the rulebook computes them with the event's penalties. Raises FieldError
    if a score or a count is missing, or not a number; NotationError if no game ends with these
    counts.
    """
    count = GAMES[place.state.format.game].hand_count
    if count is not None and request.form.get("from") == count.name:
        return _counted(place, count)
    return GameScores.parse(", ".join(_typed(place, seat, group) for seat in place.seats.seats))


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


def _typed(place: ResultPlace, seat: int, group: str) -> str:
    field = f"{group}score-{seat}"
    fate = request.form.get(f"{group}fate-{seat}", "played")
    if fate in FATES[1:]:
        return f"{seat} {fate}"
    typed = request.form.get(field, "").strip()
    if not typed:
        raise FieldError(
            field,
            message(
                "Enter the score of {name}, or choose why there is none.",
                name=place.state.names[seat],
            ),
        )
    score = typed_number(typed)
    if score is None or abs(score) > HIGHEST_SCORE:
        raise FieldError(
            field,
            message("Enter a whole number like 52 or -12: “{typed}” is not a score.", typed=typed),
        )
    return f"{seat} {score}"


def missing_signatures(played: Round, results: Container[tuple[int, int]]) -> tuple[Sign, ...]:
    """The signatures that these results of a round lack; disputed and settled ones need none."""
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


def require_signing_for_all(state: Tournament) -> None:
    """Refuse signing for others unless the event allows it. Raises NotAllowedError."""
    if not state.format.sign_for_all:
        raise NotAllowedError.worded(
            "In this event each player signs: let them do it on their own pages."
        )


def confirm_scores(place: ResultPlace, scores: GameScores) -> None:
    """Have scores confirmed that no game can end with. Raises UnconfirmedError."""
    confirm(*odd_scores(place.state, scores, len(place.seats.seats)))


def is_reported(place: ResultPlace, command: model.ReportResult) -> bool:
    """Whether exactly this result is reported already (the button was pressed twice)."""
    reported = place.round.results.get((command.table, command.game))
    return reported is not None and reported.result.scores == command.scores


def require_unchanged(state: Tournament, number: int, table: int, game: int) -> None:
    """Raise ConflictError if the result was changed since the form was shown."""
    played = numbered_round(state, number)
    reported = None if played is None else played.results.get((table, game))
    require_was(None if reported is None else str(reported.result.scores))


def require_was(now: str | None) -> None:
    """Raise ConflictError if the form states what it is about, and that has changed."""
    if now is not None and request.form.get("was") not in {None, now}:
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


LONGEST_NOTE: Final = 500


def penalty_views(hub: Hub) -> Blueprint:
    """`/e/<id>/penalties`."""
    views = Blueprint("penalties", __name__, url_prefix="/e/<tournament_id>/penalties")

    @views.get("", right="referee")
    def show(tournament_id: str) -> str:
        snapshot = hub.service.snapshot(tournament_id)
        notes = hub.store.entrant_notes.of(tournament_id)
        return event_page(
            "penalties.html",
            snapshot,
            kinds=PENALTY_WORDS,
            penalty_message=penalty_message,
            notes={number: kept.note for number, kept in notes.items() if kept.note},
            longest=LONGEST_NOTE,
        )

    @views.post("", right="referee", page="penalties.show")
    def award(tournament_id: str) -> AnyResponse:
        number, kind = whole("entrant"), request.form.get("kind", "")
        points = request.form.get("points", "") if kind == "points" else "0"
        command = AwardPenalty(number, kind, points, **attribution(hub))
        with in_field("points"):
            give(hub, tournament_id, command)
        last = hub.service.snapshot(tournament_id).state.round_of(number)
        seats = last and last.draw.table_of(number)
        if kind == "game" and last and seats:  # to correct the result there
            at = {"number": last.number, "table": seats.number}
            return back("results.table", tournament_id=tournament_id, **at)
        return back("penalties.show", tournament_id=tournament_id)

    @views.post("/<int:number>/undo", right="referee", page="penalties.show")
    def undo(tournament_id: str, number: int) -> AnyResponse:
        command = UndoPenalty(number, **attribution(hub))
        return carry_out(hub, tournament_id, command, "penalties.show")

    @views.post("/note", right="referee", page="penalties.show", seen="nothing")
    def note(tournament_id: str) -> AnyResponse:
        state = hub.service.snapshot(tournament_id).state
        number = entered(state, whole("entrant")).number
        text = request.form.get("note", "").strip()[:LONGEST_NOTE]
        hub.store.entrant_notes.keep(tournament_id, "note", {number: text})
        return back("penalties.show", tournament_id=tournament_id)

    return views
