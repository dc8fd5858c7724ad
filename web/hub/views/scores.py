"""Scores of a blind event: handed in one by one, and corrected."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from scoreboard.tournament.hub.game_options import odd_scores
from scoreboard.tournament.model.results import CorrectScore, SubmitScore
from scoreboard.tournament.model.scores import Score
from scoreboard.tournament.model.tournament import SoloScore, Tournament
from web.hub.hub import Hub
from web.hub.sent_form import confirm
from web.hub.views.command_form import CommandForm, back, whole
from web.security import whole_number


def score_views(hub: Hub) -> Blueprint:
    """`/e/<id>/scores`."""
    views = Blueprint("scores", __name__, url_prefix="/e/<tournament_id>/scores")
    command_form = CommandForm(hub)

    @views.get("")
    def show(tournament_id: str) -> str:
        snapshot = command_form.snapshot(tournament_id)
        solo = reversed(tuple(enumerate(snapshot.state.solo, start=1)))
        return render_template(
            "scores.html", snapshot=snapshot, state=snapshot.state, solo=tuple(solo)
        )

    @views.post("")
    def submit(tournament_id: str) -> Response:
        command = SubmitScore(whole("entrant"), whole("score"))
        state = command_form.snapshot(tournament_id).state
        if not was_taken(state, command):
            confirm(*odd_scores(state, [Score(command.entrant, command.score)], 1))
            command_form.give(tournament_id, command)
        return back("scores.show", tournament_id=tournament_id)

    @views.post("/<int:number>")
    def correct(tournament_id: str, number: int) -> Response:
        score, state = whole("score"), command_form.snapshot(tournament_id).state
        handed_in = state.solo[number - 1 : number]
        confirm(*odd_scores(state, [Score(each.entrant, score) for each in handed_in], 1))
        command = CorrectScore(number, score, **command_form.attribution())
        command_form.give(tournament_id, command)
        return back("scores.show", tournament_id=tournament_id)

    return views


def was_taken(state: Tournament, command: SubmitScore) -> bool:
    """Whether the score was handed in since the form was shown: the button was pressed twice."""
    seen = whole_number(request.form.get("seen", ""))
    since = () if seen is None else state.solo[seen:]
    return SoloScore(command.entrant, command.score) in since
