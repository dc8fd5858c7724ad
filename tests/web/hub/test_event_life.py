"""Events as things: settings, house rules, copies, archive, bin, presets, tests, sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from werkzeug.datastructures import MultiDict

from scoreboard.games import GAMES
from scoreboard.tournament.model.entrant import Entrant
from scoreboard.tournament.model.entries import Enter, Withdraw
from scoreboard.tournament.model.format_text import new_format_faults
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.rounds import CloseRound, DrawRound, StartRound
from scoreboard.tournament.model.stages import Cut, Finish
from scoreboard.tournament.model.standings import standings_of
from scoreboard.tournament.model.tournament import Command, Tournament, carried_out, opened
from scoreboard.tournament.model.tournament_format import house_options
from tests.scoreboard.tournament.model.directing import KIM
from tests.web.forms import confirmation
from tests.web.hub.house import DIRECTOR, Browser, Hall
from web.hub.event_life import NAMES, made_up_results
from web.hub.format_form import SYSTEMS, filled, format_of, starting_format
from web.hub.progress import next_step

CLUB = FORMATS["club-evening"]


def played(hall: Hall) -> str:
    """An event in its first round; table 1 has played a game in which one lost 90."""
    event = hall.started()
    hall.give(event, *hall.results(event, (120, -90, -20, -10)))
    return event


def edited(browser: Browser, event: str, title: str = "Winter evening", **fields: Any) -> str:
    """What the page answers to changed settings."""
    form = filled(replace(CLUB, **fields))
    given = {**form, "title": title, "why": "agreed"}
    return browser.post_form(f"/e/{event}/edit", given).text


def test_a_change_of_settings_is_told_before_it_is_made(hall: Hall, director: Browser) -> None:
    """Whose place changes stands in a question; only who says yes has it."""
    event = played(hall)
    page = edited(director, event, most_lost=5, tiebreaks=("points",))
    assert "Is that right?" in page
    assert "Results with other points: 2. Changed places: 4." in page
    assert "from place 7 to 3" in page
    assert hall.state(event).format.most_lost == 0
    form = filled(replace(CLUB, most_lost=5, tiebreaks=("points",)))
    given = {**form, "title": "Winter evening", "why": "agreed"}
    director.post_form(f"/e/{event}/edit", given | confirmation(page))
    state = hall.state(event)
    assert state.format.most_lost == 5
    assert standings_of(state).rows[2].place == 3


def test_what_changes_no_place_is_made_at_once(hall: Hall, director: Browser) -> None:
    """A title and tie-breaks after the last: the record has them with who and why."""
    event = played(hall)
    edited(director, event, title="Summer evening", rounds=4)
    state = hall.state(event)
    assert (state.title, state.format.rounds) == ("Summer evening", 4)
    log = director.get(f"/e/{event}/annals").text
    assert "“Summer evening”, not “Winter evening”; Rounds 4, not 3" in log


def test_a_refused_change_keeps_what_was_typed(hall: Hall, director: Browser) -> None:
    """The page comes back with the fault and every value."""
    event = played(hall)
    page = edited(director, event, title="Cup", game="yahtzee", zero_sum=False)
    assert "“Game” cannot change any more" in page
    assert 'value="Cup"' in page


def test_a_copy_has_the_settings_and_if_asked_the_players(hall: Hall, director: Browser) -> None:
    """Who dropped out is not copied, and nothing that was played."""
    event = played(hall)
    hall.give(event, Withdraw(3, **KIM))
    hall.store.event_marks.change(event, section="Winter", photos=True)
    bare = director.post(f"/e/{event}/copy", title="Next").location.split("/")[2]
    full = director.post(f"/e/{event}/copy", title="Full", entrants="yes").location.split("/")[2]
    state = hall.state(full)
    assert hall.state(bare).entrants == ()
    assert state.numbers == (1, 2, 4, 5, 6, 7, 8)
    assert (state.rounds, state.format) == ((), CLUB)
    assert hall.store.event_marks.of(full).section == "Winter"


def test_a_copy_may_have_the_best_alone(hall: Hall, director: Browser) -> None:
    """Seeded by their places, without who dropped out; a word is no number, and nothing is made."""
    event = played(hall)
    best = standings_of(hall.give(event, Withdraw(3, **KIM)).state).order
    expected = [each for each in best if each != 3][:2]
    made = director.post(f"/e/{event}/copy", title="Two", best="2").location
    entrants = hall.state(made.split("/")[2]).entrants
    assert [(each.number, each.seed_rank) for each in entrants] == [
        (expected[0], 1),
        (expected[1], 2),
    ]
    assert "Only the best" in director.get(f"/e/{event}/manage").text
    director.post(f"/e/{event}/copy", title="Wrong", best="two")
    assert "Wrong" not in director.get("/").text


def test_an_archived_event_has_a_list_of_its_own(hall: Hall, director: Browser) -> None:
    """Out of the first list, into the second, and back."""
    event, viewer = hall.event(), hall.browser()
    director.post(f"/e/{event}/mark", archived="yes")
    listed, _, archived = viewer.get("/").text.partition("<summary>Archive</summary>")
    assert "Winter evening" not in listed
    assert "Winter evening" in archived
    assert viewer.get(f"/e/{event}/").status_code == 200
    director.post(f"/e/{event}/mark", archived="")
    assert "Archive" not in viewer.get("/").text


def test_a_deleted_event_is_hidden_until_it_is_restored(hall: Hall, director: Browser) -> None:
    """Nobody finds it but a director in the bin; restored it is the same to the letter."""
    event = played(hall)
    record = hall.service.export(event)
    assert "Is that right?" in director.post(f"/e/{event}/delete").text
    confirmed(director, f"/e/{event}/delete")
    assert director.get(f"/e/{event}/").status_code == 404
    assert "Winter evening" not in director.get("/").text
    assert "Winter evening" in director.get("/manage").text
    director.post(f"/bin/{event}/restore")
    assert director.get(f"/e/{event}/desk").status_code == 200
    assert hall.service.export(event) == record


def confirmed(browser: Browser, path: str) -> None:
    """Send a form, and say yes to what it asks."""
    assert browser.post(path, **confirmation(browser.post(path).text)).status_code == 303


def test_only_what_is_in_the_bin_is_erased(hall: Hall, director: Browser) -> None:
    """First the bin, then a question, then it is gone for good."""
    event = hall.event()
    assert director.post(f"/bin/{event}/erase").status_code == 409
    confirmed(director, f"/e/{event}/delete")
    confirmed(director, f"/bin/{event}/erase")
    assert director.get(f"/e/{event}/").status_code == 404
    assert hall.service.tournaments() == ()


def test_own_settings_are_offered_for_new_events(hall: Hall, director: Browser) -> None:
    """Saved under a name, they stand first on the page of a new event, until they are deleted."""
    event = hall.service.open("Long", replace(CLUB, rounds=7), DIRECTOR)
    director.post(f"/e/{event}/preset", name="Seven rounds")
    page = director.get("/new?preset=own-Seven rounds").text
    assert "Seven rounds" in page
    assert 'name="rounds" type="number" value="7"' in page
    assert '<input type="checkbox" name="zero_sum" value="yes" checked>' in page
    assert '<input type="hidden" name="next_match" value="by-round">' in page
    director.post("/new/delete-preset", preset="own-Seven rounds")
    assert "Seven rounds" not in director.get("/new").text


@pytest.mark.parametrize("preset", sorted(FORMATS))
def test_a_test_event_plays_itself_to_its_end(preset: str) -> None:
    """Made-up players and results carry every format through all rounds and cuts."""
    form = replace(FORMATS[preset], meetings=min(FORMATS[preset].meetings, 2), counted=0)
    state, chance = opened("Test", form), Random(3)
    for number, name in enumerate(NAMES, start=1):
        state = carried_out(state, Enter(Entrant(number, name)))
    steps: dict[str, Callable[[Tournament], Sequence[Command]]] = {
        "draw": lambda state: [DrawRound(len(state.rounds))],
        "start": lambda _: [StartRound()],
        "play": lambda state: made_up_results(state, chance),
        "scores": lambda state: [*made_up_results(state, chance), Finish()],
        "close": lambda _: [CloseRound()],
        "cut": lambda _: [Cut()],
        "finish": lambda _: [Finish()],
    }
    while not state.finished:
        for command in steps[next_step(state)](state):
            state = carried_out(state, command)
    assert len(standings_of(state).rows) == len(NAMES)


def test_a_test_event_is_marked_and_filled_by_a_button(hall: Hall, director: Browser) -> None:
    """One click makes it, its pages say that it is a test, and no other event is filled so."""
    event = director.post("/test-event", preset="club-evening").location.split("/")[2]
    assert hall.store.event_marks.of(event).test
    hall.give(event, DrawRound(1), StartRound())
    assert "Test: nothing here counts." in director.get(f"/e/{event}/desk").text
    assert "Test: Club evening" in hall.browser().get(f"/e/{event}/board").text
    director.post(f"/e/{event}/fill")
    assert len(hall.state(event).rounds[0].results) == 8
    other = hall.started()
    assert director.post(f"/e/{other}/fill").status_code == 409
    assert "Test: nothing here counts." not in director.get(f"/e/{other}/desk").text


def test_sections_stand_under_one_heading(hall: Hall, director: Browser) -> None:
    """On the list together, and each page leads to the other."""
    juniors = hall.event()
    hall.clock.pass_by(minutes=1)
    seniors = hall.event()
    for event in (juniors, seniors):
        director.post(f"/e/{event}/mark", section=" Winter  open ")
    assert "<h2>Winter open</h2>" in hall.browser().get("/").text
    assert f"/e/{seniors}/" in hall.browser().get(f"/e/{juniors}/").text


def test_who_does_not_direct_manages_nothing(hall: Hall) -> None:
    """The settings of an event are for all to see, its record for officials alone."""
    event, referee = hall.event(), hall.browser("referee")
    settings, digits = f"/e/{event}/settings", hall.service.snapshot(event).head[:12]
    assert "export/event.jsonl" in hall.browser("director").get(settings).text
    shown = referee.get(settings).text
    assert digits in shown
    assert "export/event.jsonl" not in shown
    assert digits not in hall.browser().get(settings).text
    assert referee.get(f"/e/{event}/manage").status_code == 403
    assert f"/e/{event}/manage" not in shown


def test_one_page_manages_events(hall: Hall, director: Browser) -> None:
    """From the bar of an event it begins with that event; the same without one."""
    event = hall.event()
    director.post(f"/e/{event}/preset", name="Six rounds")
    of_event, alone = director.get(f"/e/{event}/manage").text, director.get("/manage").text
    for words in ("Copy this event", "Move to the archive", "Delete the event"):
        assert words in of_event
        assert words not in alone
    for words in ("Test event", "Take over an event", "Six rounds", "The bin is empty."):
        assert words in of_event
        assert words in alone
    assert f'href="/e/{event}/manage"' in alone


def test_neither_tests_nor_deleted_events_count_for_players(hall: Hall, director: Browser) -> None:
    """The players of a test are in no registry and no season; who deletes an event takes it out."""
    trial = director.post("/test-event", preset="club-evening").location.split("/")[2]
    event = played(hall)
    hall.give(event, *hall.results(event, (0, 0, 0, 0), game=2), CloseRound(), Finish())
    names = director.get("/players").text
    assert "Anna" in names
    assert "Amira" not in names
    seasons = director.get("/seasons/0/edit").text
    assert event in seasons
    assert trial not in seasons
    assert hall.hub.registrar.current().places
    confirmed(director, f"/e/{event}/delete")
    assert not hall.hub.registrar.current().places


EVENING = FORMATS["club-evening"]
CHOSEN = {
    "house-turns": "scores",
    "own-clock": " 45 ",
    "house-clock": "90",
    "house-play": "advanced",
}


def test_the_chosen_games_rules_hold_and_are_printed() -> None:
    """A value of one's own goes before the choice; another game's rules are left aside."""
    hall = Hall()
    director = hall.browser("director")
    page = director.get("/new").text
    assert 'name="house-turns"' in page
    assert "house-play" not in page
    made = director.post_form("/new", {**filled(EVENING), "title": "Friday", **CHOSEN})
    tournament_id = made.location.split("/")[2]
    assert hall.state(tournament_id).format.house_rules == (
        "turns=scores",
        "clock=45",
    )
    settings = director.get(f"/e/{tournament_id}/settings").text
    assert "House rule: turns are not judged." in settings
    assert "House rule: 45 seconds a turn." in settings


def test_what_cannot_be_is_refused_and_kept_as_typed() -> None:
    """The page says what the rule takes, and shows what was written."""
    director = Hall().browser("director")
    wrong = {**filled(EVENING), "title": "Friday", "own-clock": "5"}
    refused = director.post_form("/new", wrong)
    assert refused.status_code == 422
    assert "from 30 to 300" in refused.text
    assert 'name="own-clock" value="5"' in refused.text


def test_every_preset_comes_back_from_its_form() -> None:
    """Whoever changes nothing gets the preset, stages and all."""
    for preset in FORMATS:
        assert format_of(MultiDict(filled(FORMATS[preset]))) == FORMATS[preset]


def test_a_filled_form_is_read_as_it_was() -> None:
    """Whatever an event settled, its form says the same."""
    for game in GAMES:
        for option in house_options(game):
            for choice in option.choices[1:]:
                rules = (f"{option.name}={choice.value}",)
                form = replace(EVENING, game=game, zero_sum=False, house_rules=rules)
                assert format_of(MultiDict(filled(form))) == form


def test_what_only_another_game_or_system_has_is_left_out() -> None:
    """Somebody starts from an evening of Rummikub, and plays something else."""
    fields = filled(EVENING) | {"game": "yahtzee", "third_place": "yes", "table_size": "2"}
    form = format_of(MultiDict(fields))
    assert (EVENING.zero_sum, EVENING.smallest_table) == (True, 3)
    assert (form.zero_sum, form.third_place, form.smallest_table) == (False, False, 2)


def asked(browser: Browser, choose: str, **fields: str) -> str:
    """The page of a new event after an answer, with these fields typed before."""
    begun = filled(starting_format("rummikub", "tables"))
    return browser.client.get("/new", query_string={**begun, "choose": choose, **fields}).text


def visible_fields(page: str) -> list[str]:
    """The names of the fields above “More settings”: a question is one of them."""
    form = page.partition('id="event"')[2].partition("More settings")[0]
    names = re.findall(r'<(?:input|select|textarea)(?! type="hidden")[^>]* name="([^"]+)"', form)
    return [*re.findall(r"<legend>", form), *names]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("game", GAMES)
def test_six_fields_at_most_make_an_event(director: Browser, game: str, system: str) -> None:
    """Two questions, the title and three numbers; no other game's rules; all of it is playable."""
    page = asked(director, f"system:{system}", game=game)
    assert 4 <= len(visible_fields(page)) <= 6
    own = {option.name for option in house_options(game)}
    assert {*re.findall(r'name="(?:house|own)-([^"]+)"', page)} == own
    begun = starting_format(game, system)
    assert new_format_faults(begun) == ()
    assert format_of(MultiDict(filled(begun))) == begun


def test_an_evening_of_yahtzee_asks_for_a_title_rounds_and_table_size(director: Browser) -> None:
    """The rest is folded, in words; what was typed before the answer is kept."""
    page = asked(director, "game:yahtzee", title="Friday", rounds="5", mates_apart="")
    assert visible_fields(page)[2:] == ["title", "rounds", "table_size"]
    assert 'name="title" value="Friday"' in page
    assert 'name="rounds" type="number" value="5"' in page
    assert "The places at a table earn 4, 3, 2, 1" in page
    assert "Club mates sit apart" not in page
    page = asked(director, "system:knockout", meetings="8", round_minutes="40")
    assert '<input type="hidden" name="meetings" value="1">' in page
    assert 'name="round_minutes" type="number" value="40"' in page


def test_the_questions_of_an_event_are_open_until_its_first_draw(hall: Hall) -> None:
    """A change of the game shows what the other one asks, and nothing typed is lost."""
    director, event = hall.browser("director"), hall.event()
    sent = {**filled(EVENING), "title": "Dice", "choose": "game:yahtzee", "why": "no tiles"}
    page = director.client.get(f"/e/{event}/edit", query_string=sent).text
    assert 'value="Dice"' in page
    assert 'value="no tiles"' in page
    assert '<option value="places" selected>' in page
    assert "house-turns" not in page
    hall.give(event, DrawRound(1))
    assert "Which game?" not in director.get(f"/e/{event}/edit").text


def test_a_value_of_ones_own_stands_in_its_own_field() -> None:
    """It is none of the choices."""
    form = replace(EVENING, house_rules=("clock=45",))
    fields = filled(form)
    assert fields["own-clock"] == "45"
    assert "house-clock" not in fields
    assert format_of(MultiDict(fields)) == form


def test_points_are_refused_where_the_lowest_total_wins(
    director: Browser,
) -> None:
    """The form comes back with a sentence; with places instead the event is opened."""
    form = {**filled(FORMATS["club-evening"]), "title": "Golf", "game": "free-sheet"}
    form |= {"house-winner": "lowest", "zero_sum": ""}
    refused = director.post_form("/new", form)
    assert refused.status_code == 422
    assert "Where the lowest total wins, points cannot be added up" in refused.text
    assert director.post_form("/new", {**form, "reckoning": "places"}).status_code == 303
