"""Entrants and scores by name, as people read them."""

from __future__ import annotations

from scoreboard.message import Message, message
from scoreboard.tournament.model.table_result import GameScores, Score
from scoreboard.tournament.model.tournament import Tournament


def named(state: Tournament, number: int) -> str:
    """An entrant's name, or the number of one who is not on the list."""
    found = state.entrant(number)
    return str(number) if found is None else found.name


def scored(state: Tournament, scores: GameScores) -> Message:
    """The scores of a game, each with its name."""
    listed = [_score(state, score) for score in scores]
    told = listed[0]
    for each in listed[1:]:
        told = message("{one}, {other}", one=told, other=each)
    return told


def _score(state: Tournament, score: Score) -> Message:
    name = named(state, score.entrant)
    match score.fate:
        case "forfeit":
            return message("{name} gave up", name=name)
        case "no-show":
            return message("{name} did not come", name=name)
    return message("{name} {score}", name=name, score=score.score)
