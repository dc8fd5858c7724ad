"""An event's house rules on the page: chosen, written, refused, kept as they were typed."""

from __future__ import annotations

from dataclasses import replace

from werkzeug.datastructures import MultiDict

from scoreboard.games import GAMES
from scoreboard.tournament.model.formats import FORMATS
from scoreboard.tournament.model.tournament_format import house_options
from tests.web.hub.house import Browser, Hall
from web.hub.format_form import filled, format_of

EVENING = FORMATS["club-evening"]
CHOSEN = {
    "house-rummikub-turns": "scores",
    "own-rummikub-clock": " 45 ",
    "house-rummikub-clock": "90",
    "house-tongtong-play": "advanced",
}


def test_the_chosen_games_rules_hold_and_are_printed() -> None:
    """A value of one's own goes before the choice; another game's rules are left aside."""
    hall = Hall()
    director = hall.browser("director")
    assert "House rules of Rummikub" in director.get("/new").text
    made = director.post_form("/new", {**filled(EVENING), "title": "Friday", **CHOSEN})
    tournament_id = made.location.split("/")[2]
    assert hall.service.snapshot(tournament_id).state.format.house_rules == (
        "turns=scores",
        "clock=45",
    )
    settings = director.get(f"/e/{tournament_id}/settings").text
    assert "House rule: turns are not judged." in settings
    assert "House rule: 45 seconds a turn." in settings


def test_what_cannot_be_is_refused_and_kept_as_typed() -> None:
    """The page says what the rule takes, and shows what was written."""
    director = Hall().browser("director")
    wrong = {**filled(EVENING), "title": "Friday", "own-rummikub-clock": "5"}
    refused = director.post_form("/new", wrong)
    assert refused.status_code == 422
    assert "30 to 300 seconds" in refused.text
    assert 'name="own-rummikub-clock" value="5"' in refused.text


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
    fields = filled(EVENING) | {"game": "yahtzee", "dutch": "yes", "third_place": "yes"}
    form = format_of(MultiDict(fields))
    assert EVENING.zero_sum
    assert (form.zero_sum, form.dutch, form.third_place) == (False, False, False)


def test_a_value_of_ones_own_stands_in_its_own_field() -> None:
    """It is none of the choices."""
    form = replace(EVENING, house_rules=("clock=45",))
    fields = filled(form)
    assert fields["own-rummikub-clock"] == "45"
    assert "house-rummikub-clock" not in fields
    assert format_of(MultiDict(fields)) == form


def test_points_are_refused_where_the_lowest_total_wins(
    director: Browser,
) -> None:
    """The form comes back with a sentence; with places instead the event is opened."""
    form = {**filled(FORMATS["club-evening"]), "title": "Golf", "game": "free-sheet"}
    form |= {"house-free-sheet-winner": "lowest", "zero_sum": ""}
    refused = director.post_form("/new", form)
    assert refused.status_code == 422
    assert "Where the lowest total wins, points cannot be added up" in refused.text
    assert director.post_form("/new", {**form, "reckoning": "places"}).status_code == 303
