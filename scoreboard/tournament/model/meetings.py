"""How far the rounds before a cut have come: which meeting is on, how many rounds are left."""

from __future__ import annotations

from scoreboard.tournament.model.tournament import Tournament


def coming_meeting(state: Tournament) -> int:
    """The meeting that the next round belongs to, one more than planned when all are played."""
    if not state.rounds:
        return 1
    meeting = state.rounds[-1].meeting
    return meeting if rounds_of_meeting(state) < state.format.rounds else meeting + 1


def rounds_of_meeting(state: Tournament) -> int:
    """How many rounds of the meeting that is on are drawn."""
    if not state.rounds:
        return 0
    on = state.rounds[-1].meeting
    return sum(each.meeting == on and not each.stage for each in state.rounds)


def rounds_left(state: Tournament) -> int:
    """How many rounds are still to be drawn before a cut, over all meetings."""
    if not state.rounds:
        return state.format.qualifying_rounds
    later = state.format.meetings - state.rounds[-1].meeting
    here = state.format.rounds - rounds_of_meeting(state)
    return later * state.format.rounds + max(here, 0)
