"""Settings changed after an event was opened: what may change when, and what follows."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreboard.tournament.model.format_text import FormatError
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.scoring import awarded
from scoreboard.tournament.model.settings import ChangeFormat, FormatChanged
from scoreboard.tournament.model.stages import Cut, Reopen
from scoreboard.tournament.model.tournament import describe, evolve
from scoreboard.tournament.model.tournament_format import Stage
from scoreboard.tournament.model.tournament_transcript import read_transcript
from tests.scoreboard.tournament.model.chains import write_transcript
from tests.scoreboard.tournament.model.directing import (
    EVENING,
    KIM,
    Directing,
    Evening,
    one_round,
    refusal,
)
from tests.scoreboard.tournament.model.test_tournament_laws import transcript_of


def changed(title: str = "Test", **fields: Any) -> ChangeFormat:
    """The command that changes these fields of the evening."""
    return ChangeFormat(title, replace(EVENING, **fields), **KIM)


def test_everything_may_change_before_the_first_draw() -> None:
    """Another game and another system too: nobody has been drawn yet."""
    event = Directing(EVENING, 8).give(ChangeFormat("Cup", FORMATS["knockout"], **KIM))
    assert (event.state.title, event.state.format) == ("Cup", FORMATS["knockout"])


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "yahtzee", "zero_sum": False}, "“Game” cannot change any more"),
        ({"system": "swiss", "table_size": 2, "smallest_table": 2}, "“System” cannot change"),
        ({"reckoning": "places"}, "“What counts” cannot change"),
        ({"joker_penalty": 50}, "“Cost of a joker on the rack” cannot change"),
        ({}, "stand so already"),
    ],
)
def test_what_the_draw_rests_on_stays(fields: dict[str, Any], words: str) -> None:
    """The refusal names the setting and what to do instead."""
    assert words in refusal(one_round().state, changed(**fields))


def test_the_rounds_that_were_drawn_stay_planned() -> None:
    """With one round drawn more may be planned; after a cut neither rounds nor its stage change."""
    event = one_round().give(changed(rounds=1), changed(rounds=5))
    assert event.state.format.rounds == 5
    final = Stage("Final", 4, 1, "blocks")
    after_cut = one_round(replace(EVENING, rounds=1, stages=(final,))).give(Cut()).state
    assert "drawn already" in refusal(after_cut, changed(rounds=2, stages=(final,)))
    assert "A stage that was reached" in refusal(after_cut, changed(rounds=1))


def test_settings_that_cannot_be_played_are_refused() -> None:
    """As when an event is opened."""
    with pytest.raises(FormatError):
        changed(rounds=0).decide(one_round().state)


def test_another_bonus_brings_other_places() -> None:
    """Points are awarded anew, the scores and who signed stay, and the log says what changed."""
    event = one_round()
    before = event.places
    event.give(changed(winner_bonus=100, most_lost=1))
    assert event.places != before
    first = event.state.rounds[0].results[1, 1].result
    assert [award.points for award in first] == [160, -1, -1, -1]
    assert [award.score.score for award in first] == [60, -10, -20, -30]
    told = next(each for each in event.events if isinstance(each, FormatChanged))
    sentence = str(describe(event.state, told))
    assert "Bonus for winning a game 100, not 0; Most that a game can cost" in sentence


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 9), st.integers(0, 9), st.sampled_from([0, 3, 20]))
def test_results_follow_the_settings_and_come_back(
    seed: int, win: int, bonus: int, most_lost: int
) -> None:
    """Every award is that of the new settings; with the old ones again all is as it was."""
    event = Evening(seed).play_on()
    if event.state.finished:
        event.give(Reopen(**KIM))
    before = event.state
    form = replace(
        before.format, win=win + 1000, winner_bonus=bonus, most_lost=most_lost, bye=4, no_show=-9
    )
    event.give(ChangeFormat("Other", form, **KIM))
    for played in event.state.rounds:
        for (number, _), reported in played.results.items():
            table = played.table(number)
            assert table is not None
            own = form.in_stage(played.stage)
            assert reported.result == awarded(own, table, reported.result.scores)
    event.give(ChangeFormat(before.title, before.format, **KIM))
    assert replace(event.state, amendments=before.amendments) == before
    assert [each.brought for each in event.state.rounds] == [each.brought for each in before.rounds]
    assert reduce(evolve, event.events, event.start) == event.state
    assert read_transcript(write_transcript(transcript_of(event))).state == event.state
