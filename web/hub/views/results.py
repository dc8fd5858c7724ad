"""Results: reported, signed, disputed, settled and corrected, by referee and director."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response

from scoreboard.errors import ConflictError, NotationError
from scoreboard.message import message
from scoreboard.tournament.hub.game_options import odd_scores
from scoreboard.tournament.model.disputes import Dispute, Settle, Sign, UpholdResult
from scoreboard.tournament.model.draw import TableSeats
from scoreboard.tournament.model.results import CorrectResult, ReportResult
from scoreboard.tournament.model.scores import FATES, GameScores
from scoreboard.tournament.model.scoring import RackLeft, scores_from_racks
from scoreboard.tournament.model.tournament import Round, Tournament
from web.hub.hub import Hub
from web.hub.rows import for_the_referee, rows_of_round, table_rows
from web.hub.sent_form import FieldError, confirm
from web.hub.views.command_form import CommandForm, back, reason, whole

TABLE = "/rounds/<int:number>/tables/<int:table>"
GAME = f"{TABLE}/games/<int:game>"
MOST_JOKERS = 4  # of the large box
FATE_WORDS = {
    "played": message("played"),
    "forfeit": message("gave up"),
    "no-show": message("did not come"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A table of a round as an address names it."""

    state: Tournament
    round: Round
    seats: TableSeats

    @classmethod
    def of(cls, state: Tournament, number: int, table: int) -> Place:
        """The place, 404 where there is none."""
        if not 1 <= number <= len(state.rounds):
            abort(404)
        seats = state.rounds[number - 1].table(table)
        if seats is None:
            abort(404)
        return cls(state, state.rounds[number - 1], seats)


def result_views(hub: Hub) -> Blueprint:
    """`/e/<id>/results` and the tables of each round."""
    views = Blueprint("results", __name__, url_prefix="/e/<tournament_id>")
    command_form = CommandForm(hub)
    _add_pages(views, command_form)
    _add_reporting(views, command_form)
    _add_deciding(views, command_form)
    return views


def _add_pages(views: Blueprint, command_form: CommandForm) -> None:
    @views.get("/results")
    def show(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        rounds = [
            (each, table_rows(snapshot.state, each, {})) for each in reversed(snapshot.state.rounds)
        ]
        return render_template(
            "results.html",
            snapshot=snapshot,
            state=snapshot.state,
            rounds=rounds,
            waiting=for_the_referee(snapshot.state),
        )

    @views.get(TABLE)
    def table(tournament_id: str, number: int, table: int) -> str:
        snapshot = command_form.snapshot(tournament_id)
        place = Place.of(snapshot.state, number, table)
        rows = {row.number: row for row in rows_of_round(command_form.hub, snapshot, place.round)}
        return render_template(
            "table.html",
            snapshot=snapshot,
            state=snapshot.state,
            place=place,
            row=rows[table],
            fates=FATE_WORDS,
        )


def _add_reporting(views: Blueprint, command_form: CommandForm) -> None:
    @views.post(GAME)
    def report(tournament_id: str, number: int, table: int, game: int) -> Response:
        place = Place.of(command_form.snapshot(tournament_id).state, number, table)
        command = ReportResult(number, table, game, typed_scores(place))
        if not is_reported(place, command):
            confirm_scores(place, command.scores)
            command_form.give(tournament_id, command)
        return _to_table(tournament_id, number, table)

    @views.post(f"{GAME}/sign")
    def sign(tournament_id: str, number: int, table: int, game: int) -> Response:
        require_unchanged(command_form.snapshot(tournament_id).state, number, table, game)
        command_form.give(tournament_id, Sign(number, table, game, whole("entrant")))
        return _to_table(tournament_id, number, table)

    @views.post(f"{GAME}/sign-all")
    def sign_all(tournament_id: str, number: int, table: int, game: int) -> Response:
        place = Place.of(command_form.snapshot(tournament_id).state, number, table)
        require_unchanged(place.state, number, table, game)
        reported = place.round.results.get((table, game))
        missing = sorted(reported.signers - reported.signed) if reported is not None else []
        command_form.give(tournament_id, *(Sign(number, table, game, each) for each in missing))
        return _to_table(tournament_id, number, table)

    @views.post(f"{GAME}/dispute")
    def dispute(tournament_id: str, number: int, table: int, game: int) -> Response:
        command = Dispute(number, table, game, whole("entrant"), reason())
        command_form.give(tournament_id, command)
        return _to_table(tournament_id, number, table)


def _add_deciding(views: Blueprint, command_form: CommandForm) -> None:
    @views.post(f"{GAME}/uphold")
    def uphold(tournament_id: str, number: int, table: int, game: int) -> Response:
        require_unchanged(command_form.snapshot(tournament_id).state, number, table, game)
        command = UpholdResult(number, table, game, **command_form.attribution())
        command_form.give(tournament_id, command)
        return _to_table(tournament_id, number, table)

    @views.post(f"{GAME}/settle")
    def settle(tournament_id: str, number: int, table: int, game: int) -> Response:
        snapshot = command_form.snapshot(tournament_id)
        scores = typed_scores(place := Place.of(snapshot.state, number, table))
        require_unchanged(snapshot.state, number, table, game)
        confirm_scores(place, scores)
        command = Settle(number, table, game, scores, **command_form.attribution())
        command_form.give(tournament_id, command)
        return _to_table(tournament_id, number, table)

    @views.post(f"{GAME}/correct")
    def correct(tournament_id: str, number: int, table: int, game: int) -> Response:
        snapshot = command_form.snapshot(tournament_id)
        scores = typed_scores(place := Place.of(snapshot.state, number, table))
        require_unchanged(snapshot.state, number, table, game)
        confirm_scores(place, scores)
        command = CorrectResult(number, table, game, scores, **command_form.attribution())
        command_form.give(tournament_id, command)
        return _to_table(tournament_id, number, table)


def typed_scores(place: Place) -> GameScores:
    """The scores of everyone at a table as the form has them: a figure, or why there is none.

    Where the form tells what is left on the racks, they are reckoned by the event's penalties.

    Raises:
        FieldError: somebody's is missing or no figure.
        NotationError: two racks are empty.
    """
    if request.form.get("from") == "racks":
        return _from_racks(place)
    return GameScores.parse(", ".join(_typed(place, seat) for seat in place.seats.seats))


def _from_racks(place: Place) -> GameScores:
    racks = tuple(_rack(seat) for seat in place.seats.seats)
    if sum(rack.is_empty for rack in racks) > 1:
        raise NotationError(
            message("Two racks are empty: one player goes out. Count the others again.")
        )
    return scores_from_racks(place.state.format, racks)


def _rack(seat: int) -> RackLeft:
    """What is left on a seat's rack, as typed. Raises NotationError."""
    jokers = " J" * min(max(whole(f"jokers-{seat}"), 0), MOST_JOKERS)
    unmelded = " unmelded" if request.form.get(f"unmelded-{seat}") == "yes" else ""
    return RackLeft.parse(f"{seat} {whole(f'numbers-{seat}')}{jokers}{unmelded}")


def _typed(place: Place, seat: int) -> str:
    fate = request.form.get(f"fate-{seat}", "played")
    if fate in FATES[1:]:
        return f"{seat} {fate}"
    typed = request.form.get(f"score-{seat}", "").replace(" ", "")
    if not typed:
        raise FieldError(
            f"score-{seat}",
            message(
                "The score of {name} is missing: write it, or say why there is none.",
                name=place.state.names[seat],
            ),
        )
    try:
        return str(GameScores.parse(f"{seat} {typed}"))
    except NotationError as error:
        raise FieldError(
            f"score-{seat}",
            message("“{typed}” is no score: write a whole number, as 52 or -12.", typed=typed),
        ) from error


def confirm_scores(place: Place, scores: GameScores) -> None:
    """Ask where somebody has a score that no game of the rulebook ends with.

    Raises:
        UnconfirmedError: there are such, each of which it names.
    """
    confirm(*odd_scores(place.state, scores, len(place.seats.seats)))


def is_reported(place: Place, command: ReportResult) -> bool:
    """Whether just this result stands there: the button was pressed twice."""
    reported = place.round.results.get((command.table, command.game))
    return reported is not None and reported.result.scores == command.scores


def require_unchanged(state: Tournament, number: int, table: int, game: int) -> None:
    """Whether the result is still the one that the form was about.

    Raises:
        ConflictError: somebody else changed it meanwhile.
    """
    played = state.rounds[number - 1] if 1 <= number <= len(state.rounds) else None
    reported = None if played is None else played.results.get((table, game))
    was = request.form.get("was")
    if reported is not None and was is not None and str(reported.result.scores) != was:
        raise ConflictError(
            message("Somebody changed this result since you looked: look again, then decide.")
        )


def _to_table(tournament_id: str, number: int, table: int) -> Response:
    return back("results.table", tournament_id=tournament_id, number=number, table=table)
